"""The functions of ``mx.np.random``, for arrays and symbols alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...context import Context
from ...error import MXNetNotImplementedError, MXNetTypeError, MXNetValueError
from ..types import DtypeLike, Kernel, Keywords, Size
from .functions import without_backend
from .signatures import NUMBERS, Array, Backend, Operand, _run, array_argument, as_number, as_shape


def _size(size: Size) -> tuple[int, ...] | None:
    return None if size is None else as_shape(size)


def _draw(F: Backend, op: str, size: Size, given: Keywords, out: Operand = None, **placed: Any) -> Any:
    """Parameters that are numbers are attributes, those that are arrays inputs."""
    inputs: list[Operand] = []
    attrs: Keywords = {}
    for name, value in given.items():
        if isinstance(value, NUMBERS):
            attrs[name] = as_number(value)
        elif F.is_array(value):
            inputs.append(value)
            attrs[name] = None
        else:
            raise MXNetTypeError(f"{op}: {name} must be a number or an array, got {value!r}")
    placed = {key: value for key, value in placed.items() if value is not None}
    return _run(F, op, *inputs, size=_size(size), out=out, **attrs, **placed)


def uniform(
    F: Backend,
    low: Operand = 0.0,
    high: Operand = 1.0,
    size: Size = None,
    dtype: DtypeLike = None,
    ctx: Context | None = None,
    out: Operand = None,
) -> Array:
    """Numbers from the half-open interval [low, high)."""
    return _draw(F, "_npi_uniform", size, {"low": low, "high": high}, out, dtype=dtype, ctx=ctx)


def normal(
    F: Backend,
    loc: Operand = 0.0,
    scale: Operand = 1.0,
    size: Size = None,
    dtype: DtypeLike = None,
    ctx: Context | None = None,
    out: Operand = None,
) -> Array:
    """Numbers from the normal distribution with mean ``loc`` and standard deviation ``scale``."""
    return _draw(F, "_npi_normal", size, {"loc": loc, "scale": scale}, out, dtype=dtype, ctx=ctx)


def lognormal(
    F: Backend,
    mean: Operand = 0.0,
    sigma: Operand = 1.0,
    size: Size = None,
    dtype: DtypeLike = None,
    ctx: Context | None = None,
    out: Operand = None,
) -> Array:
    """Numbers whose logarithm is normal with mean ``mean`` and standard deviation ``sigma``."""
    return _run(F, "_npi_exp", normal(F, mean, sigma, size, dtype, ctx), out=out)


def logistic(
    F: Backend,
    loc: Operand = 0.0,
    scale: Operand = 1.0,
    size: Size = None,
    ctx: Context | None = None,
    out: Operand = None,
) -> Array:
    """Numbers from the logistic distribution."""
    return _draw(F, "_npi_logistic", size, {"loc": loc, "scale": scale}, out, ctx=ctx)


def gumbel(
    F: Backend,
    loc: Operand = 0.0,
    scale: Operand = 1.0,
    size: Size = None,
    ctx: Context | None = None,
    out: Operand = None,
) -> Array:
    """Numbers from the Gumbel distribution."""
    return _draw(F, "_npi_gumbel", size, {"loc": loc, "scale": scale}, out, ctx=ctx)


def exponential(
    F: Backend, scale: Operand = 1.0, size: Size = None, ctx: Context | None = None, out: Operand = None
) -> Array:
    """Numbers from the exponential distribution with mean ``scale``."""
    return _draw(F, "_npi_exponential", size, {"scale": scale}, out, ctx=ctx)


def rayleigh(
    F: Backend, scale: Operand = 1.0, size: Size = None, ctx: Context | None = None, out: Operand = None
) -> Array:
    """Numbers from the Rayleigh distribution."""
    return _draw(F, "_npi_rayleigh", size, {"scale": scale}, out, ctx=ctx)


def weibull(F: Backend, a: Operand, size: Size = None, ctx: Context | None = None, out: Operand = None) -> Array:
    """Numbers from the Weibull distribution of shape ``a``."""
    return _draw(F, "_npi_weibull", size, {"a": a}, out, ctx=ctx)


def pareto(F: Backend, a: Operand, size: Size = None, ctx: Context | None = None, out: Operand = None) -> Array:
    """Numbers from the Pareto II distribution of shape ``a``."""
    return _draw(F, "_npi_pareto", size, {"a": a}, out, ctx=ctx)


def power(F: Backend, a: Operand, size: Size = None) -> Array:
    """Numbers from [0, 1] with density ``a * x**(a - 1)``."""
    return _draw(F, "_npi_powerd", size, {"a": a})


def gamma(
    F: Backend,
    shape: Any,
    scale: Operand = 1.0,
    size: Size = None,
    dtype: DtypeLike = None,
    ctx: Context | None = None,
    out: Operand = None,
) -> Array:
    """Numbers from the gamma distribution."""
    return _draw(F, "_npi_gamma", size, {"shape": shape, "scale": scale}, out, dtype=dtype, ctx=ctx)


def chisquare(F: Backend, df: Operand, size: Size = None, dtype: DtypeLike = None, ctx: Context | None = None) -> Array:
    """Numbers from the chi-square distribution with ``df`` degrees of freedom."""
    return gamma(F, df / 2, 2.0, size, dtype, ctx)


def beta(
    F: Backend, a: Operand, b: Operand, size: Size = None, dtype: DtypeLike = None, ctx: Context | None = None
) -> Array:
    """Numbers from the beta distribution."""
    x, y = gamma(F, a, 1.0, size, "float64", ctx), gamma(F, b, 1.0, size, "float64", ctx)
    return (x / (x + y)).astype(dtype or "float32")


def rand(F: Backend, *size: int, **kwargs: Any) -> Array:
    """Numbers from [0, 1) in an array of the given dimensions."""
    return uniform(F, 0.0, 1.0, size, **kwargs)


def randn(F: Backend, *size: int, **kwargs: Any) -> Array:
    """Numbers from the standard normal distribution in an array of the given dimensions."""
    return normal(F, 0.0, 1.0, size, **kwargs)


def randint(
    F: Backend,
    low: int,
    high: int | None = None,
    size: Size = None,
    dtype: DtypeLike = None,
    ctx: Context | None = None,
    out: Operand = None,
) -> Array:
    """Integers from [low, high), or from [0, low) if ``high`` is not given; int64 if no dtype is."""
    if high is None:
        low, high = 0, low
    shape = () if size is None else as_shape(size)
    flat = _run(F, "_npi_random_randint", low=low, high=high, shape=shape or (1,), dtype=dtype or "int64", ctx=ctx)
    return _run(F, "_np_reshape", flat, newshape=shape, out=out) if not shape or out is not None else flat


def choice(
    F: Backend,
    a: Operand,
    size: Size = None,
    replace: bool = True,
    p: Operand = None,
    ctx: Context | None = None,
    out: Operand = None,
) -> Array:
    """Numbers below ``a``, or elements of an array, drawn with or without replacement, with probabilities ``p``."""
    inputs = [x for x in (a,) if F.is_array(x)]
    if p is not None:
        inputs.append(array_argument(F, "choice", "p", p))
    attrs = dict(
        a=None if F.is_array(a) else int(a), size=_size(size), replace=replace, weighted=p is not None, ctx=ctx
    )
    return _run(F, "_npi_choice", *inputs, out=out, **attrs)


def multinomial(F: Backend, n: int, pvals: Any, size: Size = None, **kwargs: Any) -> Array:
    """How often each of several outcomes with the given probabilities occurs in ``n`` trials."""
    if F.is_array(pvals):
        return _run(F, "_npi_multinomial", pvals, n=n, pvals=None, size=_size(size))
    return _run(F, "_npi_multinomial", n=n, pvals=tuple(float(v) for v in pvals), size=_size(size))


def multivariate_normal(
    F: Backend, mean: Operand, cov: Any, size: Size = None, check_valid: Any = None, tol: Any = None
) -> Array:
    """Vectors from the normal distribution with these means and covariances."""
    if check_valid is not None or tol is not None:
        raise MXNetNotImplementedError("multivariate_normal: check_valid and tol are not supported")
    if not F.is_array(mean) or not F.is_array(cov):
        raise MXNetValueError("multivariate_normal: mean and cov must be arrays")
    lower = _run(F, "_npi_cholesky", cov)
    if hasattr(mean, "list_outputs"):  # a symbol: numbers for each element of an array of the right shape
        row = _run(F, "_np_sum", cov, axis=(-1,))
        places = _run(F, "_npi_full_like", _run(F, "_npi_add", mean, row), fill_value=0.0)
        noise = _run(F, "_npi_expand_dims", normal_n(F, places, 1.0, _size(size)), axis=-1)
    else:
        each = np.broadcast_shapes(mean.shape, cov.shape[:-1])
        noise = normal(F, 0.0, 1.0, (*(_size(size) or ()), *each, 1), dtype=mean.dtype)
    return mean + _run(F, "_np_squeeze", _run(F, "_npi_matmul", lower, noise), axis=(-1,))


def shuffle(F: Backend, x: Operand) -> None:
    """Puts the elements along the first axis into random order, in place."""
    _run(F, "_npi_shuffle", x, out=x)


def bernoulli(
    F: Backend,
    prob: Any = None,
    logit: Any = None,
    size: Size = None,
    dtype: DtypeLike = None,
    ctx: Context | None = None,
    out: Operand = None,
) -> Array:
    """1 with the probability ``prob``, or the logistic function of ``logit``, else 0."""
    if (prob is None) == (logit is None):
        raise MXNetValueError("Either `prob` or `logit` must be specified, but not both.")
    given = logit if prob is None else prob
    attrs = dict(prob=None, logit=None, size=_size(size), is_logit=prob is None, ctx=ctx, dtype=dtype or "float32")
    if F.is_array(given):
        return _run(F, "_npi_bernoulli", given, out=out, **attrs)
    attrs["logit" if prob is None else "prob"] = as_number(given)
    return _run(F, "_npi_bernoulli", out=out, **attrs)


def uniform_n(
    F: Backend,
    low: Operand = 0.0,
    high: Operand = 1.0,
    batch_shape: Any = None,
    dtype: DtypeLike = None,
    ctx: Context | None = None,
) -> Array:
    """Numbers from [low, high), ``batch_shape`` of them for each element of the parameters."""
    return _draw(F, "_npi_uniform_n", batch_shape, {"low": low, "high": high}, dtype=dtype, ctx=ctx)


def normal_n(
    F: Backend,
    loc: Operand = 0.0,
    scale: Operand = 1.0,
    batch_shape: Any = None,
    dtype: DtypeLike = None,
    ctx: Context | None = None,
) -> Array:
    """Normal numbers, ``batch_shape`` of them for each element of the parameters."""
    return _draw(F, "_npi_normal_n", batch_shape, {"loc": loc, "scale": scale}, dtype=dtype, ctx=ctx)


RANDOM = """
beta chisquare choice exponential gamma gumbel logistic lognormal multinomial multivariate_normal normal
pareto power rand randint randn rayleigh shuffle uniform weibull
""".split()
EXTENSION = "bernoulli uniform_n normal_n".split()


def for_backend(backend: Backend, module: str, names: list[str]) -> dict[str, Kernel]:
    """Functions of this file by their names."""
    return {name: without_backend(globals()[name], backend, name, module) for name in names}
