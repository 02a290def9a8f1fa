"""``mx.sym.npx.random``: random numbers that NumPy does not have, in graphs."""

from ...ops.numpy import random_functions as _shared
from ..numpy._symbol import symbols as _symbols

_FUNCTIONS = _shared.for_backend(_symbols, "mxnet.symbol.numpy_extension.random", _shared.EXTENSION)
__all__ = list(_FUNCTIONS)
globals().update(_FUNCTIONS)
