"""``mx.sym.np.random``: random numbers in graphs."""

from ...ops.numpy import random_functions as _shared
from ._symbol import symbols as _symbols

_NAMES = [name for name in _shared.RANDOM if name not in ("multinomial", "randn")]
_FUNCTIONS = _shared.for_backend(_symbols, "mxnet.symbol.numpy.random", _NAMES)
__all__ = [name for name in _NAMES if name != "choice"]
globals().update(_FUNCTIONS)
