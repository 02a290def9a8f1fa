# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from mxnet.ndarray.numpy.array import ndarray
from typing import Any

from typing import Any as _Any
from ..ndarray.numpy_extension import random as _arrays
from ..random import seed as _seed
def seed(seed: int, ctx: _Any='all') -> None:
    """Seeds the random number generators, as ``mx.random.seed`` does."""
def bernoulli(prob: Any = None, logit: Any = None, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
    """1 with the probability ``prob``, or the logistic function of ``logit``, else 0."""
def normal_n(loc: Any = 0.0, scale: Any = 1.0, batch_shape: Any = None, dtype: Any = None, ctx: Any = None) -> ndarray:
    """Normal numbers, ``batch_shape`` of them for each element of the parameters."""
def uniform_n(low: Any = 0.0, high: Any = 1.0, batch_shape: Any = None, dtype: Any = None, ctx: Any = None) -> ndarray:
    """Numbers from [low, high), ``batch_shape`` of them for each element of the parameters."""
__all__ = ['bernoulli', 'uniform_n', 'normal_n', 'seed']
