"""Random numbers: ``mx.sym.random``. Parameters are numbers, or symbols for each element of which numbers are drawn."""

from __future__ import annotations

from typing import Any

from ..base import _Null, numeric_types
from ..error import MXNetTypeError, MXNetValueError
from .operators import apply
from .symbol import Symbol

__all__ = [
    "exponential",
    "gamma",
    "generalized_negative_binomial",
    "multinomial",
    "negative_binomial",
    "normal",
    "poisson",
    "randint",
    "randn",
    "shuffle",
    "uniform",
]


def _given(**attributes: Any) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value is not _Null}


def _draw(name: str, parameters: dict[str, Any], shape: Any, dtype: Any, kwargs: dict[str, Any]) -> Symbol:
    """A distribution whose parameters are all numbers or all symbols."""
    values = list(parameters.values())
    if isinstance(values[0], Symbol):
        for value in values[1:]:
            if not isinstance(value, Symbol):
                raise MXNetTypeError(
                    f"{name}: distribution parameters must all have the same type, but got both Symbol and "
                    f"{type(value).__name__}"
                )
        operator = f"_sample_{name}"
        return apply((operator, operator), *values, **_given(shape=shape, dtype=dtype), **kwargs)
    for value in values:
        if not isinstance(value, numeric_types):
            raise MXNetValueError(
                f"{name}: distribution parameters must be either Symbol or numbers, but got {type(value).__name__}"
            )
    operator = f"_random_{name}"
    return apply((operator, operator), **parameters, **_given(shape=shape, dtype=dtype), **kwargs)


def uniform(low: Any = 0, high: Any = 1, shape: Any = _Null, dtype: Any = _Null, **kwargs: Any) -> Symbol:
    """Uniform numbers in [low, high)."""
    return _draw("uniform", {"low": low, "high": high}, shape, dtype, kwargs)


def normal(loc: Any = 0, scale: Any = 1, shape: Any = _Null, dtype: Any = _Null, **kwargs: Any) -> Symbol:
    """Normal numbers with mean ``loc`` and standard deviation ``scale``."""
    parameters = {"loc": loc, "scale": scale}
    return _draw("normal", parameters, shape, dtype, kwargs)


def randn(*shape: int, **kwargs: Any) -> Symbol:
    """Normal numbers of the given shape; ``loc``, ``scale`` and ``dtype`` by keyword."""
    return normal(kwargs.pop("loc", 0), kwargs.pop("scale", 1), shape, kwargs.pop("dtype", _Null), **kwargs)


def poisson(lam: Any = 1, shape: Any = _Null, dtype: Any = _Null, **kwargs: Any) -> Symbol:
    """Poisson numbers with rate ``lam``."""
    return _draw("poisson", {"lam": lam}, shape, dtype, kwargs)


def exponential(scale: Any = 1, shape: Any = _Null, dtype: Any = _Null, **kwargs: Any) -> Symbol:
    """Exponential numbers with mean ``scale``."""
    return _draw("exponential", {"lam": 1.0 / scale}, shape, dtype, kwargs)


def gamma(alpha: Any = 1, beta: Any = 1, shape: Any = _Null, dtype: Any = _Null, **kwargs: Any) -> Symbol:
    """Gamma numbers with shape ``alpha`` and scale ``beta``."""
    return _draw("gamma", {"alpha": alpha, "beta": beta}, shape, dtype, kwargs)


def negative_binomial(k: Any = 1, p: Any = 1, shape: Any = _Null, dtype: Any = _Null, **kwargs: Any) -> Symbol:
    """The number of failures before ``k`` successes of probability ``p``."""
    return _draw("negative_binomial", {"k": k, "p": p}, shape, dtype, kwargs)


def generalized_negative_binomial(
    mu: Any = 1, alpha: Any = 1, shape: Any = _Null, dtype: Any = _Null, **kwargs: Any
) -> Symbol:
    """Negative binomial numbers with mean ``mu`` and dispersion ``alpha``."""
    return _draw("generalized_negative_binomial", {"mu": mu, "alpha": alpha}, shape, dtype, kwargs)


def multinomial(data: Symbol, shape: Any = _Null, get_prob: bool = True, dtype: Any = "int32", **kwargs: Any) -> Symbol:
    """Indices drawn with the probabilities in the last axis of ``data``; with ``get_prob`` also their logarithms."""
    attrs = _given(shape=shape, get_prob=get_prob, dtype=dtype)
    return apply(("_sample_multinomial", "_sample_multinomial"), data, **attrs, **kwargs)


def shuffle(data: Symbol, **kwargs: Any) -> Symbol:
    """``data`` with its first axis in random order."""
    return apply(("_shuffle", "_shuffle"), data, **kwargs)


def randint(low: int, high: int, shape: Any = _Null, dtype: Any = _Null, **kwargs: Any) -> Symbol:
    """Integers in [low, high)."""
    return _draw("randint", {"low": low, "high": high}, shape, dtype, kwargs)
