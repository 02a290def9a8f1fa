# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.context import Context
from typing import Any, SupportsFloat, SupportsIndex

from ..base import _Null
from ..error import MXNetTypeError
from ..ops.random.functions import NAMES, Functions, without_null
from ..ops.types import DtypeLike, Keywords, OpenShape
from .operators import apply
from .symbol import Symbol
class _Symbolic(Functions[Symbol]):
    array = Symbol
    def create(self, operator: str, attributes: Keywords, shape: OpenShape, dtype: DtypeLike, ctx: object, out: object) -> Symbol: ...
    def call(self, operator: str, *inputs: Symbol, out: object=None, **attributes: object) -> Symbol: ...
    def multinomial(self, data: Symbol, shape: OpenShape=..., get_prob: bool=True, dtype: DtypeLike='int32', **kwargs: object) -> Symbol:
        """Indices drawn by the probabilities in the last axis of ``data``; with ``get_prob`` also their logarithms."""
_functions: Any
def exponential(scale: Any = 1, shape: OpenShape = ..., dtype: DtypeLike = ..., ctx: Context | None = None, out: Any = None, **kwargs: Any) -> Any:
    """Numbers from the exponential distribution with mean ``scale``."""
def gamma(alpha: Any = 1, beta: Any = 1, shape: OpenShape = ..., dtype: DtypeLike = ..., ctx: Context | None = None, out: Any = None, **kwargs: Any) -> Any:
    """Numbers from the gamma distribution with shape ``alpha`` and scale ``beta``."""
def generalized_negative_binomial(mu: Any = 1, alpha: Any = 1, shape: OpenShape = ..., dtype: DtypeLike = ..., ctx: Context | None = None, out: Any = None, **kwargs: Any) -> Any:
    """Numbers from the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` (1/k)."""
def multinomial(data: Symbol, shape: OpenShape = ..., get_prob: bool = True, dtype: DtypeLike = 'int32', **kwargs: object) -> Symbol:
    """Indices drawn by the probabilities in the last axis of ``data``; with ``get_prob`` also their logarithms."""
def negative_binomial(k: Any = 1, p: Any = 1, shape: OpenShape = ..., dtype: DtypeLike = ..., ctx: Context | None = None, out: Any = None, **kwargs: Any) -> Any:
    """Numbers from the negative binomial distribution: successes before ``k`` failures of probability ``p``."""
def normal(loc: Any = 0, scale: Any = 1, shape: OpenShape = ..., dtype: DtypeLike = ..., ctx: Context | None = None, out: Any = None, **kwargs: Any) -> Any:
    """Numbers from the normal distribution with mean ``loc`` and standard deviation ``scale``."""
def poisson(lam: Any = 1, shape: OpenShape = ..., dtype: DtypeLike = ..., ctx: Context | None = None, out: Any = None, **kwargs: Any) -> Any:
    """Numbers from the Poisson distribution with rate ``lam``, in a floating type."""
def randint(low: int, high: int, shape: OpenShape = ..., dtype: DtypeLike = ..., ctx: Context | None = None, out: Any = None, **kwargs: Any) -> Any:
    """Integers from the half-open interval [low, high), as int32 or int64."""
def randn(*shape: int, **kwargs: Any) -> Any:
    """Numbers from the normal distribution: ``randn(2, 3, loc=0, scale=1, dtype=...)``."""
def shuffle(data: Any, **kwargs: Any) -> Any:
    """A copy with the elements of the first axis in random order."""
def uniform(low: Any = 0, high: Any = 1, shape: OpenShape = ..., dtype: DtypeLike = ..., ctx: Context | None = None, out: Any = None, **kwargs: Any) -> Any:
    """Numbers from the uniform distribution on the half-open interval [low, high)."""
def exponential_like(data: Symbol | None = None, lam: float | SupportsFloat = 1.0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Random numbers from the exponential distribution with rate ``lam``, with the shape and dtype of ``data``."""
def gamma_like(data: Symbol | None = None, alpha: float | SupportsFloat = 1.0, beta: float | SupportsFloat = 1.0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Random numbers from the gamma distribution with shape ``alpha`` and scale ``beta``, with the shape and dtype of ``data``."""
def generalized_negative_binomial_like(data: Symbol | None = None, mu: float | SupportsFloat = 1.0, alpha: float | SupportsFloat = 1.0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Random numbers from the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` (1/k), with the shape and dtype of ``data``."""
def negative_binomial_like(data: Symbol | None = None, k: int | SupportsIndex = 1, p: float | SupportsFloat = 1.0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Random numbers from the negative binomial distribution: successes before ``k`` failures, where ``p`` is the probability to fail, with the shape and dtype of ``data``."""
def normal_like(data: Symbol | None = None, loc: float | SupportsFloat = 0.0, scale: float | SupportsFloat = 1.0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Random numbers from the normal distribution with mean ``loc`` (``mu``) and standard deviation ``scale`` (``sigma``), with the shape and dtype of ``data``."""
def pdf_dirichlet(sample: Symbol | None = None, alpha: Symbol | None = None, is_log: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The density of the Dirichlet distribution with concentration ``alpha`` at ``sample``, or its logarithm with ``is_log``."""
def pdf_exponential(sample: Symbol | None = None, lam: Symbol | None = None, is_log: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The density of the exponential distribution with rate ``lam`` at ``sample``, or its logarithm with ``is_log``."""
def pdf_gamma(sample: Symbol | None = None, alpha: Symbol | None = None, beta: Symbol | None = None, is_log: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The density of the gamma distribution with shape ``alpha`` and rate ``beta`` at ``sample``, or its logarithm with ``is_log``."""
def pdf_generalized_negative_binomial(sample: Symbol | None = None, mu: Symbol | None = None, alpha: Symbol | None = None, is_log: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The density of the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` at ``sample``, or its logarithm with ``is_log``."""
def pdf_negative_binomial(sample: Symbol | None = None, k: Symbol | None = None, p: Symbol | None = None, is_log: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The density of the negative binomial distribution (successes before ``k`` failures of probability ``p``) at ``sample``, or its logarithm with ``is_log``."""
def pdf_normal(sample: Symbol | None = None, mu: Symbol | None = None, sigma: Symbol | None = None, is_log: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The density of the normal distribution with mean ``mu`` and standard deviation ``sigma`` at ``sample``, or its logarithm with ``is_log``."""
def pdf_poisson(sample: Symbol | None = None, lam: Symbol | None = None, is_log: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The density of the Poisson distribution with rate ``lam`` at ``sample``, or its logarithm with ``is_log``."""
def pdf_uniform(sample: Symbol | None = None, low: Symbol | None = None, high: Symbol | None = None, is_log: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The density of the uniform distribution, 1 / (high - low) also outside of the interval, at ``sample``, or its logarithm with ``is_log``."""
def poisson_like(data: Symbol | None = None, lam: float | SupportsFloat = 1.0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Random numbers from the Poisson distribution with rate ``lam``, with the shape and dtype of ``data``."""
def uniform_like(data: Symbol | None = None, low: float | SupportsFloat = 0.0, high: float | SupportsFloat = 1.0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Random numbers from the uniform distribution on the half-open interval [low, high), with the shape and dtype of ``data``."""
def unique_zipfian(range_max: int | SupportsIndex, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Draws classes without replacement from a Zipfian distribution; also returns how many trials that took."""
__all__ = ['exponential', 'gamma', 'generalized_negative_binomial', 'multinomial', 'negative_binomial', 'normal', 'poisson', 'randint', 'randn', 'shuffle', 'uniform', 'uniform_like', 'normal_like', 'gamma_like', 'exponential_like', 'poisson_like', 'negative_binomial_like', 'generalized_negative_binomial_like', 'pdf_uniform', 'pdf_normal', 'pdf_gamma', 'pdf_exponential', 'pdf_poisson', 'pdf_negative_binomial', 'pdf_generalized_negative_binomial', 'pdf_dirichlet', 'unique_zipfian']
