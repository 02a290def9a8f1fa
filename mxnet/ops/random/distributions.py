"""Random numbers from the classic distributions, in three forms each:

``_random_uniform``       the parameters are attributes, the result has the shape that is asked for
``_random_uniform_like``  the parameters are attributes, the result has shape and dtype of an array
``_sample_uniform``       the parameters are arrays: ``shape`` numbers are drawn for each of their elements

One more distribution is one more line in the table at the end: how to check its parameters, and how to draw.
"""

from collections.abc import Callable
from typing import Any

import torch

from ..._rng import Generator, HostGenerator
from ...base import numpy_mode
from ...context import Context
from ..creation import takes_shape
from ..gradients import constant_in
from ..infer import Shape, same_shapes, unify
from ..params import Param, param
from ..registry import op, register
from ..types import Attrs, Dtypes, Keywords, Shapes

FLOATS = (torch.float16, torch.float32, torch.float64)
#: A parameter as a number, or as a tensor that broadcasts to the result.
Value = Any
Draw = Callable[..., torch.Tensor]


def check_shape(shape: Shape | None) -> Shape:
    """The shape asked for; an empty one, or one with a dimension of 0, is an unknown shape and cannot be drawn."""
    if numpy_mode.shape:
        if shape is None or min(shape, default=0) < 0:
            raise ValueError(f"shape must be given, with no negative dimension, got {shape}")
        return shape
    if not shape or min(shape) <= 0:
        raise ValueError(f"shape must be given, with positive dimensions, got {shape}")
    return shape


def target(
    shape: Shape | None,
    dtype: torch.dtype | None,
    device: torch.device,
    out: torch.Tensor | None,
    allowed: tuple[torch.dtype, ...],
    default: torch.dtype,
) -> torch.Tensor:
    """Where to draw into: ``out`` if it fits, else new memory. What is not given is taken from ``out``."""
    if out is not None:
        shape, dtype = shape or tuple(out.shape), dtype or out.dtype
    kind = dtype or default
    if kind not in allowed:
        names = ", ".join(str(d).removeprefix("torch.") for d in allowed)
        raise TypeError(f"dtype must be one of {names}, got {str(kind).removeprefix('torch.')}")
    if device.type == "meta":
        return torch.empty(shape or (), dtype=kind, device=device)
    wanted = check_shape(shape)
    if out is not None and out.shape == wanted and out.dtype is kind and out.is_contiguous():
        return out
    return torch.empty(wanted, dtype=kind, device=device)


# ---- how to draw: fill(into, rng, *parameters) returns a tensor like ``into``, most often ``into`` itself ------------


def _uniform(into: torch.Tensor, rng: torch.Generator, low: Value, high: Value) -> torch.Tensor:
    if isinstance(low, float):
        return into.uniform_(low, high, generator=rng)
    return torch.addcmul(low, high - low, into.uniform_(generator=rng), out=into)


def _normal(into: torch.Tensor, rng: torch.Generator, loc: Value, scale: Value) -> torch.Tensor:
    if isinstance(loc, float):
        return into.normal_(loc, scale, generator=rng)
    return torch.addcmul(loc, scale, into.normal_(generator=rng), out=into)


def _exponential(into: torch.Tensor, rng: torch.Generator, lam: Value) -> torch.Tensor:
    if isinstance(lam, float):
        return into.exponential_(lam, generator=rng)
    return into.exponential_(generator=rng).div_(lam)


def _gamma(into: torch.Tensor, rng: torch.Generator, alpha: Value, beta: Value) -> torch.Tensor:
    alpha, beta = _tensor(alpha, into), _tensor(beta, into)
    # torch's sampler would never return for a negative (or no) number; such a parameter gives NaN
    valid = alpha >= 0
    drawn = torch._standard_gamma(alpha.where(valid, 1).expand(into.shape), generator=rng)
    return drawn.mul_(beta.where(valid, torch.nan))


def _poisson(into: torch.Tensor, rng: torch.Generator, lam: Value) -> torch.Tensor:
    # a rate beyond the integers of the sampler (or infinity) would be no rate
    return torch.poisson(_tensor(lam, into).clamp(0, 2.0**62).expand(into.shape), generator=rng)


def _negative_binomial(into: torch.Tensor, rng: torch.Generator, k: Value, p: Value) -> torch.Tensor:
    p = _tensor(p, into)
    return _mixture(into, rng, k, (1 - p) / p)


def _generalized_negative_binomial(into: torch.Tensor, rng: torch.Generator, mu: Value, alpha: Value) -> torch.Tensor:
    mu, alpha = _tensor(mu, into), _tensor(alpha, into)
    spread = alpha != 0
    rates = _gamma(into, rng, 1 / alpha.where(spread, 1), alpha * mu)
    return _counts(rates.where(spread, mu), rng)


def _mixture(into: torch.Tensor, rng: torch.Generator, shape: Value, scale: Value) -> torch.Tensor:
    """A negative binomial number is Poisson with a gamma distributed rate."""
    return _counts(_gamma(into, rng, shape, scale), rng)


def _counts(rates: torch.Tensor, rng: torch.Generator) -> torch.Tensor:
    valid = rates.isfinite()
    return torch.poisson(rates.where(valid, 0).clamp_(0, 2.0**62), generator=rng).where(valid, torch.nan)


def _tensor(value: Value, like: torch.Tensor) -> torch.Tensor:
    return value if isinstance(value, torch.Tensor) else torch.full((), value, dtype=like.dtype, device=like.device)


#: Distributions that torch draws in half precision; others go through single precision.
_IN_HALF = (_uniform, _normal, _exponential)


def _draw(fill: Draw, into: torch.Tensor, rng: Generator, values: list[Value]) -> torch.Tensor:
    if isinstance(rng, HostGenerator):
        return _draw_on_host(fill.__name__[1:], into, rng, values)
    values = _columns(into, values, torch.float64 if into.dtype is torch.float64 else torch.float32)
    if into.dtype is torch.float16 and (fill not in _IN_HALF or isinstance(values[0], torch.Tensor)):
        return fill(torch.empty_like(into, dtype=torch.float32), rng, *values).to(torch.float16)
    return fill(into, rng, *values)


def _columns(into: torch.Tensor, values: list[Value], precision: torch.dtype) -> list[Value]:
    """Parameters that broadcast to the result, whose shape begins with theirs."""
    more = [1] * into.dim()
    return [v.to(precision).reshape(*v.shape, *more[v.dim() :]) if isinstance(v, torch.Tensor) else v for v in values]


def _draw_on_host(kind: str, into: torch.Tensor, rng: HostGenerator, values: list[Value]) -> torch.Tensor:
    """MXNet draws half precision in double, gamma in single, and computes in the type of arrays that are parameters."""
    given = values[0].dtype if isinstance(values[0], torch.Tensor) else torch.float32
    half = torch.float64 if kind in ("uniform", "normal", "exponential") else torch.float32
    precision = half if into.dtype is torch.float16 else into.dtype
    drawn = into if into.dtype is precision else torch.empty_like(into, dtype=precision)
    if given is torch.float16 and kind in ("uniform", "normal"):
        first, second = _columns(into, values, given)
        rng.draw(kind, drawn, [0.0, 1.0])
        scale = second - first if kind == "uniform" else second
        return into.copy_((drawn * scale).half() + first)
    rng.draw(kind, drawn, values, wide=given is torch.float64)
    return drawn if drawn is into else into.copy_(drawn)


# ---- the three forms -------------------------------------------------------------------------------------------------


def distribution(
    name: str,
    fill: Draw,
    attributes: tuple[tuple[str, type, float], ...],
    check: Callable[..., str | None],
    what: str,
    inputs: tuple[str, ...] | None = None,
    aliases: tuple[str, ...] = (),
) -> None:
    """Registers the three forms. ``check(*parameters)`` says what is wrong with parameters given as attributes."""
    defaults = {a: default for a, _, default in attributes}
    own = [param(a, kind, default) for a, kind, default in attributes]

    def numbers(given: Keywords) -> list[float]:
        values = [given.get(a, default) for a, default in defaults.items()]
        wrong = check(*values)
        if wrong:
            raise ValueError(wrong)
        return [float(v) for v in values]

    def random(
        *,
        shape: Shape | None = None,
        ctx: Context | None = None,
        dtype: torch.dtype | None = None,
        _rng: Generator | None,
        _device: torch.device,
        _out: torch.Tensor | None,
        **given: Any,
    ) -> torch.Tensor:
        values = numbers(given)
        into = target(shape, dtype, _device, _out, FLOATS, torch.float32)
        return into if _rng is None else _draw(fill, into, _rng, values)

    def random_like(data: torch.Tensor, *, _rng: Generator | None, **given: Any) -> torch.Tensor:
        values = numbers(given)
        if data.dtype not in FLOATS:
            raise TypeError("only floating types are supported; convert the array with astype('float32')")
        into = torch.empty(data.shape, dtype=data.dtype, device=data.device)
        return constant_in(into if _rng is None else _draw(fill, into, _rng, values), data)

    def sample(
        *arrays: torch.Tensor,
        shape: Shape = (),
        dtype: torch.dtype | None = None,
        _rng: Generator | None,
        _out: torch.Tensor | None,
    ) -> torch.Tensor:
        first = arrays[0]
        if any(a.shape != first.shape for a in arrays):
            raise ValueError("all parameters must have the same shape")
        if any(a.dtype is not first.dtype for a in arrays):
            raise TypeError("all parameters must have the same dtype; convert one of them with astype()")
        if shape:
            check_shape(shape)
        into = target((*first.shape, *shape), dtype, first.device, _out, FLOATS, torch.float32)
        if _rng is None:
            return into
        return constant_in(_draw(fill, into, _rng, [a.detach() for a in arrays]), *arrays)

    placed = [param("shape", tuple[int, ...] | None, None), param("ctx", Context | None, None), _dtype_param()]
    supplied = ("_rng", "_device", "_out")
    plain = register(
        f"_random_{name}",
        random,
        aliases=(f"random_{name}", *aliases),
        inputs=(),
        params=[*own, *placed],
        supplied=supplied,
        doc=f"Random numbers from {what}.",
    )
    like = register(
        f"_random_{name}_like",
        random_like,
        inputs=("data",),
        params=own,
        supplied=("_rng",),
        doc=f"Random numbers from {what}, with the shape and dtype of ``data``.",
    )
    names = inputs or tuple(defaults)
    many = register(
        f"_sample_{name}",
        sample,
        aliases=(f"sample_{name}",),
        inputs=names,
        params=[param("shape", tuple[int, ...], ()), _dtype_param()],
        supplied=("_rng", "_out"),
        doc=f"""Random numbers from {what}, ``shape`` of them for each element of the parameters.

        The parameters are arrays of one shape; the shape of the result is that shape, followed by ``shape``.
        """,
    )
    takes_shape(plain)
    plain.infer_dtype(lambda dtypes, attrs: [attrs["dtype"] or torch.float32])
    like.infer_back(same_shapes)
    many.infer_args(_one_shape)
    many.infer_dtype(_one_dtype)


def _dtype_param() -> Param:
    return param("dtype", torch.dtype | None, None)


def _one_shape(shapes: Shapes, attrs: Attrs) -> None:
    common: Shape | None = None
    for name, shape in shapes.items():
        common = unify(common, shape, f"parameter {name!r}")
    for name in shapes:
        shapes[name] = common


def _one_dtype(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype]:
    common = next((d for d in dtypes.values() if d is not None), None)
    for name, dtype in dtypes.items():
        dtypes[name] = dtype or common
    return [attrs["dtype"] or torch.float32]


def _positive(**values: float) -> str | None:
    return next((f"{n} must be positive, got {v}" for n, v in values.items() if not v > 0), None)


def _not_negative(**values: float) -> str | None:
    return next((f"{n} must not be negative, got {v}" for n, v in values.items() if v < 0), None)


distribution(
    "uniform",
    _uniform,
    (("low", float, 0.0), ("high", float, 1.0)),
    lambda low, high: f"low must not be greater than high, got {low} and {high}" if low > high else None,
    "the uniform distribution on the half-open interval [low, high)",
    aliases=("uniform",),
)
distribution(
    "normal",
    _normal,
    (("loc", float, 0.0), ("scale", float, 1.0)),
    lambda loc, scale: _positive(scale=scale),
    "the normal distribution with mean ``loc`` (``mu``) and standard deviation ``scale`` (``sigma``)",
    inputs=("mu", "sigma"),
    aliases=("normal",),
)
distribution(
    "gamma",
    _gamma,
    (("alpha", float, 1.0), ("beta", float, 1.0)),
    lambda alpha, beta: _positive(alpha=alpha, beta=beta),
    "the gamma distribution with shape ``alpha`` and scale ``beta``",
)
distribution(
    "exponential",
    _exponential,
    (("lam", float, 1.0),),
    lambda lam: _positive(lam=lam),
    "the exponential distribution with rate ``lam``",
)
distribution(
    "poisson",
    _poisson,
    (("lam", float, 1.0),),
    lambda lam: _not_negative(lam=lam),
    "the Poisson distribution with rate ``lam``",
)
distribution(
    "negative_binomial",
    _negative_binomial,
    (("k", int, 1), ("p", float, 1.0)),
    lambda k, p: _not_negative(k=k) or _positive(p=p),
    "the negative binomial distribution: successes before ``k`` failures, where ``p`` is the probability to fail",
)
distribution(
    "generalized_negative_binomial",
    _generalized_negative_binomial,
    (("mu", float, 1.0), ("alpha", float, 1.0)),
    lambda mu, alpha: _not_negative(mu=mu, alpha=alpha),
    "the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` (1/k)",
)


@op("_random_randint", aliases=("random_randint",))
def randint(
    *,
    low: int,
    high: int,
    shape: tuple[int, ...] | None = None,
    ctx: Context | None = None,
    dtype: torch.dtype | None = None,
    _rng: Generator | None,
    _device: torch.device,
    _out: torch.Tensor | None,
) -> torch.Tensor:
    """Random integers from the half-open interval [low, high), each as likely as the others."""
    if low >= high:
        raise ValueError(f"low must be less than high, got {low} and {high}")
    into = target(shape, dtype, _device, _out, (torch.int32, torch.int64), torch.int32)
    limits = torch.iinfo(into.dtype)
    if low < limits.min or high - 1 > limits.max:
        raise ValueError(f"the interval [{low}, {high}) does not fit into {str(into.dtype).removeprefix('torch.')}")
    if isinstance(_rng, HostGenerator):
        return _rng.integers(into, low, high)
    return into if _rng is None else into.random_(low, high, generator=_rng)


takes_shape(randint)
randint.infer_dtype(lambda dtypes, attrs: [attrs["dtype"] or torch.int32])
