# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from mxnet.symbol.numpy._symbol import _Symbol
from typing import Any

from ...ops.numpy import random_functions as _shared
from ._symbol import symbols as _symbols
_NAMES: list[Any]
_FUNCTIONS: dict[Any, Any]
def beta(a: Any, b: Any, size: Any = None, dtype: Any = None, ctx: Any = None) -> _Symbol:
    """Numbers from the beta distribution."""
def chisquare(df: Any, size: Any = None, dtype: Any = None, ctx: Any = None) -> _Symbol:
    """Numbers from the chi-square distribution with ``df`` degrees of freedom."""
def choice(a: Any, size: Any = None, replace: bool = True, p: Any = None, ctx: Any = None, out: Any = None) -> _Symbol:
    """Numbers below ``a``, or elements of an array, drawn with or without replacement, with probabilities ``p``."""
def exponential(scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> _Symbol:
    """Numbers from the exponential distribution with mean ``scale``."""
def gamma(shape: Any, scale: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None) -> _Symbol:
    """Numbers from the gamma distribution."""
def gumbel(loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> _Symbol:
    """Numbers from the Gumbel distribution."""
def logistic(loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> _Symbol:
    """Numbers from the logistic distribution."""
def lognormal(mean: Any = 0.0, sigma: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None) -> _Symbol:
    """Numbers whose logarithm is normal with mean ``mean`` and standard deviation ``sigma``."""
def multivariate_normal(mean: Any, cov: Any, size: Any = None, check_valid: Any = None, tol: Any = None) -> _Symbol:
    """Vectors from the normal distribution with these means and covariances."""
def normal(loc: Any = 0.0, scale: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None) -> _Symbol:
    """Numbers from the normal distribution with mean ``loc`` and standard deviation ``scale``."""
def pareto(a: Any, size: Any = None, ctx: Any = None, out: Any = None) -> _Symbol:
    """Numbers from the Pareto II distribution of shape ``a``."""
def power(a: Any, size: Any = None) -> _Symbol:
    """Numbers from [0, 1] with density ``a * x**(a - 1)``."""
def rand(*size: int, **kwargs: Any) -> _Symbol:
    """Numbers from [0, 1) in an array of the given dimensions."""
def randint(low: int, high: int | None = None, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None) -> _Symbol:
    """Integers from [low, high), or from [0, low) if ``high`` is not given; int64 if no dtype is."""
def rayleigh(scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> _Symbol:
    """Numbers from the Rayleigh distribution."""
def shuffle(x: Any) -> None:
    """Puts the elements along the first axis into random order, in place."""
def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None) -> _Symbol:
    """Numbers from the half-open interval [low, high)."""
def weibull(a: Any, size: Any = None, ctx: Any = None, out: Any = None) -> _Symbol:
    """Numbers from the Weibull distribution of shape ``a``."""
__all__ = ['beta', 'chisquare', 'exponential', 'gamma', 'gumbel', 'logistic', 'lognormal', 'multivariate_normal', 'normal', 'pareto', 'power', 'rand', 'randint', 'rayleigh', 'shuffle', 'uniform', 'weibull']
