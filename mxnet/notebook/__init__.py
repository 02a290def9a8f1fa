"""Logs of a training run for notebooks: ``mxnet.notebook.callback``."""
