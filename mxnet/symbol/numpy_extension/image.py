"""``mx.sym.npx.image``: operators on images, in graphs."""

from functools import partial as _partial

from ...ops.numpy.extension import images as _images
from ..numpy._symbol import _Symbol
from ..symbol import compose as _compose

_FUNCTIONS = _images("mxnet.symbol.numpy_extension.image", lambda name: _partial(_compose, kind=_Symbol, hint=name))
__all__ = list(_FUNCTIONS)
globals().update(_FUNCTIONS)
