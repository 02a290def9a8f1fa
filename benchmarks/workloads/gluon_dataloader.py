"""An epoch of a DataLoader without workers over 20 000 arrays of 28x28, made floats by ToTensor, batch 256."""

from . import _loader
from ._loader import torch_step  # noqa: F401


def mxnet_step(mx):
    return _loader.mxnet_step(mx)
