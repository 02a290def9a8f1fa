"""``mx.nd.np``: the functions of ``mx.np`` on arrays."""

from . import functions as _functions, linalg, random

_NOT_HERE = ("array", "genfromtxt", "set_printoptions", "meshgrid", "broadcast_arrays", "empty")
__all__ = [name for name in _functions.FUNCTIONS if name not in _NOT_HERE]
globals().update({name: _functions.FUNCTIONS[name] for name in __all__})
