"""``mx.sym.npx``: the operators of neural networks on symbols of ``mx.sym.np``."""

from functools import partial as _partial

from ...ops.numpy.extension import functions as _made
from ..numpy._symbol import _Symbol, symbols as _symbols
from ..symbol import compose as _compose
from . import image, random

_FUNCTIONS = _made(_symbols, "mxnet.symbol.numpy_extension", lambda name: _partial(_compose, kind=_Symbol, hint=name))
__all__ = list(_FUNCTIONS)
globals().update(_FUNCTIONS)
