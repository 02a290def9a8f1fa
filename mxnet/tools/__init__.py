"""Command-line tools: ``python -m mxnet.tools.im2rec``, ``python -m mxnet.tools.rec2idx``."""
