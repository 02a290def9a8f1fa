"""The operators behind ``mx.np``, by their names without ``_npi_``."""

from functools import partial as _partial

from ...ops.numpy.extension import internals as _internals
from ..gate import invoke as _invoke
from .array import ndarray as _ndarray

_FUNCTIONS = _internals(__name__, lambda name: _partial(_invoke, kind=_ndarray))
__all__ = list(_FUNCTIONS)
globals().update(_FUNCTIONS)
