"""``mx.sym.np``: the functions of ``mx.np`` on symbols."""

from ...ops.numpy import functions as _shared, signatures as _signatures
from . import linalg, random
from ._symbol import _Symbol, symbols as _symbols

_FUNCTIONS = {
    **_signatures.from_table(_symbols),
    **_signatures.unary_functions(_symbols),
    **_signatures.binary_functions(_symbols),
    **_shared.for_backend(_symbols),
}
_NOT_HERE = ("meshgrid", "broadcast_arrays", "empty", "nonzero")
__all__ = [name for name in _FUNCTIONS if name not in _NOT_HERE]
globals().update({name: _FUNCTIONS[name] for name in __all__})
