"""``mx.npx.image``: operators on images."""

from functools import partial as _partial

from ...ops.numpy.extension import images as _images
from ..gate import invoke as _invoke
from ..numpy.array import ndarray as _ndarray

FUNCTIONS = _images("mxnet.numpy_extension.image", lambda name: _partial(_invoke, kind=_ndarray))
__all__ = list(FUNCTIONS)
globals().update(FUNCTIONS)
