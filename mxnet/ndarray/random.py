"""Random numbers: ``mx.nd.random``.

The parameters of a distribution are numbers, or NDArrays of one shape; for each of their elements ``shape`` numbers are
drawn. ``out`` is an array to write into: it then decides shape, dtype and context where they are not given.
"""

from __future__ import annotations

from typing import Any

from ..base import _Null, numeric_types
from ..error import MXNetTypeError, MXNetValueError
from ..ops.registry import get
from .ndarray import NDArray, call, invoke

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


def _draw(
    name: str, parameters: dict[str, Any], shape: Any, dtype: Any, ctx: Any, out: NDArray | None, kwargs: dict[str, Any]
) -> NDArray:
    """Draws from a distribution whose parameters are all numbers or all arrays."""
    first, *others = parameters.values()
    arrays = isinstance(first, NDArray)
    for other in others:
        if isinstance(other, NDArray) is not arrays:
            raise MXNetTypeError(
                f"{name}: distribution parameters must all have the same type, "
                f"but got both {type(first).__name__} and {type(other).__name__}"
            )
    if arrays:
        return invoke(get(f"_sample_{name}"), (first, *others), {**_given(shape=shape, dtype=dtype), **kwargs}, out)
    for value in (first, *others):
        if not isinstance(value, numeric_types):
            raise MXNetValueError(
                f"{name}: distribution parameters must be either NDArray or numbers, but got {type(value).__name__}"
            )
    return _create(f"_random_{name}", {**parameters, **kwargs}, shape, dtype, ctx, out)


def _create(
    operator: str, attributes: dict[str, Any], shape: Any, dtype: Any, ctx: Any, out: NDArray | None
) -> NDArray:
    if shape is _Null:
        shape = (1,) if out is None else out.shape
    attributes["shape"] = shape
    if dtype is not _Null:
        attributes["dtype"] = dtype
    elif out is not None:
        attributes["dtype"] = out._data.dtype
    if ctx is not None:
        attributes["ctx"] = ctx
    return invoke(get(operator), (), attributes, out)


def uniform(
    low: Any = 0,
    high: Any = 1,
    shape: Any = _Null,
    dtype: Any = _Null,
    ctx: Any = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Numbers from the uniform distribution on the half-open interval [low, high)."""
    return _draw("uniform", {"low": low, "high": high}, shape, dtype, ctx, out, kwargs)


def normal(
    loc: Any = 0,
    scale: Any = 1,
    shape: Any = _Null,
    dtype: Any = _Null,
    ctx: Any = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Numbers from the normal distribution with mean ``loc`` and standard deviation ``scale``."""
    return _draw("normal", {"loc": loc, "scale": scale}, shape, dtype, ctx, out, kwargs)


def randn(*shape: int, **kwargs: Any) -> NDArray:
    """Numbers from the normal distribution: ``randn(2, 3, loc=0, scale=1, dtype=..., ctx=..., out=...)``."""
    return normal(kwargs.pop("loc", 0), kwargs.pop("scale", 1), shape or _Null, **kwargs)


def poisson(
    lam: Any = 1, shape: Any = _Null, dtype: Any = _Null, ctx: Any = None, out: NDArray | None = None, **kwargs: Any
) -> NDArray:
    """Numbers from the Poisson distribution with rate ``lam``, in a floating type."""
    return _draw("poisson", {"lam": lam}, shape, dtype, ctx, out, kwargs)


def exponential(
    scale: Any = 1, shape: Any = _Null, dtype: Any = _Null, ctx: Any = None, out: NDArray | None = None, **kwargs: Any
) -> NDArray:
    """Numbers from the exponential distribution with mean ``scale``."""
    if isinstance(scale, numeric_types):
        if not float(scale) > 0:
            raise MXNetValueError(f"exponential: scale must be positive, got {scale}")
        rate: Any = 1.0 / float(scale)
    elif isinstance(scale, NDArray):
        floating = scale if scale._data.is_floating_point() else scale.astype("float32")
        rate = call("_rdiv_scalar", floating, scalar=1.0)
    else:
        rate = scale
    return _draw("exponential", {"lam": rate}, shape, dtype, ctx, out, kwargs)


def gamma(
    alpha: Any = 1,
    beta: Any = 1,
    shape: Any = _Null,
    dtype: Any = _Null,
    ctx: Any = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Numbers from the gamma distribution with shape ``alpha`` and scale ``beta``."""
    return _draw("gamma", {"alpha": alpha, "beta": beta}, shape, dtype, ctx, out, kwargs)


def negative_binomial(
    k: Any = 1,
    p: Any = 1,
    shape: Any = _Null,
    dtype: Any = _Null,
    ctx: Any = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Numbers from the negative binomial distribution: successes before ``k`` failures of probability ``p``."""
    return _draw("negative_binomial", {"k": k, "p": p}, shape, dtype, ctx, out, kwargs)


def generalized_negative_binomial(
    mu: Any = 1,
    alpha: Any = 1,
    shape: Any = _Null,
    dtype: Any = _Null,
    ctx: Any = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Numbers from the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` (1/k)."""
    return _draw("generalized_negative_binomial", {"mu": mu, "alpha": alpha}, shape, dtype, ctx, out, kwargs)


def multinomial(
    data: NDArray,
    shape: Any = _Null,
    get_prob: bool = False,
    out: Any = None,
    dtype: Any = "int32",
    **kwargs: Any,
) -> Any:
    """Indices drawn by the probabilities in the last dimension of ``data``, ``shape`` of them for each distribution.

    With ``get_prob`` the result is a list of the indices and the logarithms of their probabilities.
    """
    return call("_sample_multinomial", data, get_prob=get_prob, out=out, dtype=dtype, **_given(shape=shape), **kwargs)


def shuffle(data: NDArray, **kwargs: Any) -> NDArray:
    """A copy with the elements of the first axis in random order."""
    return call("_shuffle", data, **kwargs)


def randint(
    low: int,
    high: int,
    shape: Any = _Null,
    dtype: Any = _Null,
    ctx: Any = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Integers from the half-open interval [low, high), as int32 or int64."""
    return _create("_random_randint", {"low": low, "high": high, **kwargs}, shape, dtype, ctx, out)
