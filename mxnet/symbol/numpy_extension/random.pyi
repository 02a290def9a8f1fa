# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from mxnet.symbol.numpy._symbol import _Symbol
from typing import Any

from ...ops.numpy import random_functions as _shared
from ..numpy._symbol import symbols as _symbols
_FUNCTIONS: dict[Any, Any]
def bernoulli(prob: Any = None, logit: Any = None, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None) -> _Symbol:
    """1 with the probability ``prob``, or the logistic function of ``logit``, else 0."""
def normal_n(loc: Any = 0.0, scale: Any = 1.0, batch_shape: Any = None, dtype: Any = None, ctx: Any = None) -> _Symbol:
    """Normal numbers, ``batch_shape`` of them for each element of the parameters."""
def uniform_n(low: Any = 0.0, high: Any = 1.0, batch_shape: Any = None, dtype: Any = None, ctx: Any = None) -> _Symbol:
    """Numbers from [low, high), ``batch_shape`` of them for each element of the parameters."""
__all__ = ['bernoulli', 'uniform_n', 'normal_n']
