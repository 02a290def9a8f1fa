"""The operators behind ``mx.sym.np``, by their names without ``_npi_``."""

from functools import partial as _partial

from ...ops.numpy.extension import internals as _internals
from ..symbol import compose as _compose
from ._symbol import _Symbol

_FUNCTIONS = _internals(__name__, lambda name: _partial(_compose, kind=_Symbol, hint=name))
__all__ = list(_FUNCTIONS)
globals().update(_FUNCTIONS)
