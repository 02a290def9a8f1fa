"""``mx.sym.np.linalg``: linear algebra on symbols."""

from ...ops.numpy import linalg_functions as _shared
from ._symbol import symbols as _symbols

_FUNCTIONS = _shared.for_backend(_symbols, "mxnet.symbol.numpy.linalg")
__all__ = list(_FUNCTIONS)
globals().update(_FUNCTIONS)
