"""One training step of a 784-256-10 perceptron in Gluon, not hybridized, batch 256."""

from . import _mlp
from ._mlp import torch_step  # noqa: F401


def mxnet_step(mx):
    return _mlp.mxnet_step(mx, hybridize=False)
