# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.ndarray.ndarray import NDArray
from typing import SupportsFloat, SupportsIndex

def exponential_like(data: NDArray, lam: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the exponential distribution with rate ``lam``, with the shape and dtype of ``data``."""
def gamma_like(data: NDArray, alpha: float | SupportsFloat = 1.0, beta: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the gamma distribution with shape ``alpha`` and scale ``beta``, with the shape and dtype of ``data``."""
def generalized_negative_binomial_like(data: NDArray, mu: float | SupportsFloat = 1.0, alpha: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` (1/k), with the shape and dtype of ``data``."""
def negative_binomial_like(data: NDArray, k: int | SupportsIndex = 1, p: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the negative binomial distribution: successes before ``k`` failures, where ``p`` is the probability to fail, with the shape and dtype of ``data``."""
def normal_like(data: NDArray, loc: float | SupportsFloat = 0.0, scale: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the normal distribution with mean ``loc`` (``mu``) and standard deviation ``scale`` (``sigma``), with the shape and dtype of ``data``."""
def pdf_dirichlet(sample: NDArray, alpha: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the Dirichlet distribution with concentration ``alpha`` at ``sample``, or its logarithm with ``is_log``."""
def pdf_exponential(sample: NDArray, lam: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the exponential distribution with rate ``lam`` at ``sample``, or its logarithm with ``is_log``."""
def pdf_gamma(sample: NDArray, alpha: NDArray, beta: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the gamma distribution with shape ``alpha`` and rate ``beta`` at ``sample``, or its logarithm with ``is_log``."""
def pdf_generalized_negative_binomial(sample: NDArray, mu: NDArray, alpha: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` at ``sample``, or its logarithm with ``is_log``."""
def pdf_negative_binomial(sample: NDArray, k: NDArray, p: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the negative binomial distribution (successes before ``k`` failures of probability ``p``) at ``sample``, or its logarithm with ``is_log``."""
def pdf_normal(sample: NDArray, mu: NDArray, sigma: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the normal distribution with mean ``mu`` and standard deviation ``sigma`` at ``sample``, or its logarithm with ``is_log``."""
def pdf_poisson(sample: NDArray, lam: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the Poisson distribution with rate ``lam`` at ``sample``, or its logarithm with ``is_log``."""
def pdf_uniform(sample: NDArray, low: NDArray, high: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the uniform distribution, 1 / (high - low) also outside of the interval, at ``sample``, or its logarithm with ``is_log``."""
def poisson_like(data: NDArray, lam: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the Poisson distribution with rate ``lam``, with the shape and dtype of ``data``."""
def uniform_like(data: NDArray, low: float | SupportsFloat = 0.0, high: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the uniform distribution on the half-open interval [low, high), with the shape and dtype of ``data``."""
def unique_zipfian(range_max: int | SupportsIndex, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Draws classes without replacement from a Zipfian distribution; also returns how many trials that took."""
