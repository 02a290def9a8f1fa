"""Random numbers with NumPy's parameters: each a number or an array, which broadcast to the size that is asked for.

They are drawn by the classic operators, so that all draw from the same generators.
"""

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

import torch

from ...context import Context
from ..params import REQUIRED, param
from ..registry import get, op, register

FLOATS = (torch.float16, torch.float32, torch.float64)
Draw = Callable[..., torch.Tensor]


class _Source:
    """Where numbers come from: draws so many from a standard distribution."""

    def __init__(self, rng: Any, device: torch.device, dtype: torch.dtype, shape: tuple[int, ...]):
        self.rng, self.device, self.dtype, self.shape = rng, device, dtype, shape

    def _classic(self, name: str, shape: tuple[int, ...], **attrs: Any) -> torch.Tensor:
        count = prod(shape)
        if self.rng is None or not count:
            return torch.empty(shape, dtype=self.dtype, device=self.device)
        kernel = get(f"_random_{name}").kernel
        given = dict(shape=(count,), dtype=self.dtype, _rng=self.rng, _device=self.device, _out=None, **attrs)
        return kernel(**given).reshape(shape)

    def uniform(self, low: float = 0.0, high: float = 1.0) -> torch.Tensor:
        return self._classic("uniform", self.shape, low=low, high=high)

    def open_uniform(self) -> torch.Tensor:
        """Without 0, which has no logarithm."""
        return self.uniform().clamp_min_(torch.finfo(self.dtype).tiny)

    def normal(self, loc: float = 0.0, scale: float = 1.0) -> torch.Tensor:
        if scale == 0:
            return torch.full(self.shape, loc, dtype=self.dtype, device=self.device)
        return self._classic("normal", self.shape, loc=loc, scale=scale)

    def exponential(self) -> torch.Tensor:
        return self._classic("exponential", self.shape, lam=1.0)


def _uniform(source: _Source, low: Any, high: Any) -> torch.Tensor:
    if isinstance(low, float) and isinstance(high, float):
        return source.uniform(min(low, high), max(low, high))
    return low + (high - low) * source.uniform()


def _normal(source: _Source, loc: Any, scale: Any) -> torch.Tensor:
    if isinstance(loc, float) and isinstance(scale, float):
        return source.normal(loc, scale)
    return loc + scale * source.normal()


def _logistic(source: _Source, loc: Any, scale: Any) -> torch.Tensor:
    u = source.open_uniform()
    return loc + scale * (torch.log(u) - torch.log1p(-u))


def _gumbel(source: _Source, loc: Any, scale: Any) -> torch.Tensor:
    return loc - scale * torch.log(-torch.log(source.open_uniform()))


def _gamma(source: _Source, shape: Any, scale: Any) -> torch.Tensor:
    if isinstance(shape, float):
        drawn = source._classic("gamma", source.shape, alpha=shape, beta=1.0)
        return drawn * scale
    if source.rng is None:
        return torch.empty(source.shape, dtype=source.dtype, device=source.device)
    many = get("_sample_gamma").kernel
    alpha = shape.detach().expand(source.shape).contiguous()
    drawn = many(alpha, torch.ones_like(alpha), dtype=source.dtype, _rng=source.rng, _out=None)
    return drawn * scale


def _floats(dtype: torch.dtype) -> torch.dtype:
    if dtype not in FLOATS:
        raise TypeError(f"dtype must be float16, float32 or float64, got {str(dtype).removeprefix('torch.')}")
    return dtype


def _positive(name: str, value: Any) -> None:
    wrong = value < 0 if isinstance(value, float) else not value.is_meta and bool((value.detach() < 0).any())
    if wrong:
        raise ValueError(f"{name} must not be negative")


def distribution(
    name: str,
    draw: Draw,
    own: Mapping[str, Any],
    doc: str,
    *,
    dtyped: bool,
    checked: str = "",
    more: bool = False,
) -> None:
    """An operator whose parameters are attributes, or inputs in the order in which they are left out there.

    ``own`` has their defaults, ``...`` for none. With ``more`` the size comes before the shape of the parameters.
    """
    names = list(own)

    def kernel(
        *inputs: torch.Tensor | None,
        size: tuple[int, ...] | None = None,
        ctx: Context | None = None,
        dtype: torch.dtype = torch.float32,
        _rng: Any,
        _device: torch.device,
        **given: float | None,
    ) -> torch.Tensor:
        arrays = [t for t in inputs if t is not None]
        values: list[Any] = []
        for key in names:
            number = given.get(key, own[key] if not arrays and own[key] is not ... else None)
            if number is None:
                if not arrays:
                    raise ValueError(f"{key} must be given, as a number or as an array")
                values.append(arrays.pop(0).to(_floats(dtype)))
            else:
                values.append(float(number))
        if checked:
            _positive(checked, values[names.index(checked)])
        shape = torch.broadcast_shapes(*[() if isinstance(v, float) else v.shape for v in values])
        if size is not None:
            if not more and torch.broadcast_shapes(shape, size) != size:
                raise ValueError(f"parameters of shape {tuple(shape)} do not fit the size {size}")
            shape = (*size, *shape) if more else size
        return draw(_Source(_rng, _device, _floats(dtype), tuple(shape)), *values)

    params = [param(n, float | None, REQUIRED if default is ... else default) for n, default in own.items()]
    placed = [param("size", tuple[int, ...] | None, None)]
    if name != "_npi_powerd":
        placed.append(param("ctx", Context | None, None))
    if dtyped:
        placed.append(param("dtype", torch.dtype, torch.float32))
    inputs = tuple(f"input{i + 1}" for i in range(len(names)))
    opdef = register(
        name,
        kernel,
        inputs=inputs,
        required=0,
        params=[*params, *placed],
        supplied=("_rng", "_device"),
        doc=f"Random numbers from {doc}.",
        active=lambda attrs: inputs[: sum(attrs.get(n) is None for n in names)],
    )
    opdef.infer_dtype(lambda dtypes, attrs: [attrs.get("dtype", torch.float32)])


for _suffix, _more in (("", False), ("_n", True)):
    distribution(
        f"_npi_uniform{_suffix}",
        _uniform,
        {"low": ..., "high": ...},
        "the interval [low, high)",
        dtyped=True,
        more=_more,
    )
    distribution(
        f"_npi_normal{_suffix}",
        _normal,
        {"loc": ..., "scale": ...},
        "the normal distribution with mean ``loc`` and standard deviation ``scale``",
        dtyped=True,
        checked="scale",
        more=_more,
    )
distribution("_npi_gamma", _gamma, {"shape": ..., "scale": ...}, "the gamma distribution", dtyped=True, checked="shape")
distribution(
    "_npi_logistic", _logistic, {"loc": ..., "scale": ...}, "the logistic distribution", dtyped=False, checked="scale"
)
distribution(
    "_npi_gumbel", _gumbel, {"loc": ..., "scale": ...}, "the Gumbel distribution", dtyped=False, checked="scale"
)
distribution(
    "_npi_exponential",
    lambda source, scale: source.exponential() * scale,
    {"scale": 1.0},
    "the exponential distribution with mean ``scale``",
    dtyped=False,
    checked="scale",
)
distribution(
    "_npi_rayleigh",
    lambda source, scale: torch.sqrt(2 * source.exponential()) * scale,
    {"scale": 1.0},
    "the Rayleigh distribution",
    dtyped=False,
    checked="scale",
)
for _name, _draw, _doc in (
    ("weibull", lambda source, a: source.exponential().pow(1 / a), "the Weibull distribution of shape ``a``"),
    ("pareto", lambda source, a: torch.expm1(source.exponential() / a), "the Pareto II distribution of shape ``a``"),
    ("powerd", lambda source, a: source.uniform().pow(1 / a), "[0, 1] with density ``a * x**(a - 1)``"),
):
    distribution(f"_npi_{_name}", _draw, {"a": None}, _doc, dtyped=False, checked="a")


@op(
    "_npi_bernoulli",
    active=lambda attrs: () if attrs["prob"] is not None or attrs["logit"] is not None else ("input1",),
)
def bernoulli(
    input1: torch.Tensor | None = None,
    *,
    prob: float | None,
    logit: float | None,
    size: tuple[int, ...] | None = None,
    ctx: Context | None = None,
    dtype: torch.dtype = torch.float32,
    is_logit: bool,
    _rng: Any,
    _device: torch.device,
) -> torch.Tensor:
    """1 with the probability ``prob``, or the logistic function of ``logit``, else 0."""
    number: Any = logit if is_logit else prob
    chance = torch.scalar_tensor(number, device=_device) if input1 is None else input1.detach().to(torch.float32)
    if is_logit:
        chance = torch.sigmoid(chance)
    elif not chance.is_meta and bool(((chance < 0) | (chance > 1)).any()):
        raise ValueError("prob must be between 0 and 1")
    shape = tuple(chance.shape) if size is None else size
    return (_Source(_rng, _device, torch.float32, shape).uniform() < chance).to(dtype)


bernoulli.infer_dtype(lambda dtypes, attrs: [attrs["dtype"]])


@op(
    "_npi_choice",
    active=lambda attrs: ("input1", "input2")[: (attrs["a"] is None) + attrs["weighted"]],
)
def choice(
    input1: torch.Tensor | None = None,
    input2: torch.Tensor | None = None,
    *,
    a: int | None,
    size: tuple[int, ...] | None,
    ctx: Context | None = None,
    replace: bool = True,
    weighted: bool = False,
    _rng: Any,
    _device: torch.device,
) -> torch.Tensor:
    """Numbers below ``a``, or elements of an array, drawn with or without replacement, by weights if there are any."""
    arrays = [t for t in (input1, input2) if t is not None]
    source = arrays.pop(0) if a is None and arrays else None
    weights = arrays.pop(0) if weighted and arrays else None
    count = source.shape[0] if source is not None else a
    if not count or count < 0:
        raise ValueError(f"there must be something to choose from, got {a}")
    shape = () if size is None else size
    number = prod(shape)
    if not replace and number > count:
        raise ValueError(f"{number} cannot be drawn from {count} without replacement")
    keys = _Source(_rng, _device, torch.float64, (number if replace else count,)).uniform()
    chances = torch.ones(count, dtype=torch.float64, device=_device) if weights is None else weights.to(torch.float64)
    if replace:
        bounds = torch.cumsum(chances / chances.sum(), 0)
        found = torch.searchsorted(bounds, keys, right=True).clamp_(max=count - 1)
    else:  # the largest of u**(1/w), by which each is as likely as its weight
        found = torch.topk(torch.log(keys.clamp_min(1e-300)) / chances, number).indices
    found = found.reshape(shape)
    return found if source is None else source.detach()[found]


choice.infer_dtype(lambda dtypes, attrs: [dtypes["input1"] if attrs["a"] is None else torch.int64])


@op("_npi_multinomial")
def multinomial(
    a: torch.Tensor | None = None,
    *,
    n: int,
    pvals: tuple[float, ...] | None = None,
    size: tuple[int, ...] | None = None,
    _rng: Any,
    _device: torch.device,
) -> torch.Tensor:
    """How often each of several outcomes with the given probabilities occurs in ``n`` trials."""
    chances = torch.tensor(pvals, dtype=torch.float64, device=_device) if a is None else a.detach().to(torch.float64)
    if not chances.is_meta and float(chances[:-1].sum()) > 1 + 1e-6:
        raise ValueError("the probabilities must not add up to more than 1")
    shape = () if size is None else size
    drawn = _Source(_rng, _device, torch.float64, (*shape, n)).uniform()
    bounds = torch.cumsum(chances, 0)
    found = torch.searchsorted(bounds, drawn, right=True).clamp_(max=len(chances) - 1)
    return torch.nn.functional.one_hot(found, len(chances)).sum(-2)


multinomial.infer_dtype(lambda dtypes, attrs: [torch.int64])
