"""A csr matrix times a dense one."""

from . import _csr


def mxnet_step(mx):
    return _csr.product(mx, transpose=False)


def torch_step(torch):
    return _csr.torch_product(torch, transpose=False)
