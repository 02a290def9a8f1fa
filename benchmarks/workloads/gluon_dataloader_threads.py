"""As gluon_dataloader, by two threads."""

from . import _loader
from ._loader import torch_step  # noqa: F401


def mxnet_step(mx):
    return _loader.mxnet_step(mx, num_workers=2, thread_pool=True)
