"""The transpose of a csr matrix times a dense one; torch transposes beforehand."""

from . import _csr


def mxnet_step(mx):
    return _csr.product(mx, transpose=True)


def torch_step(torch):
    return _csr.torch_product(torch, transpose=True)
