"""Logs of a training run for notebooks: :mod:`mxnet.notebook.callback`."""
