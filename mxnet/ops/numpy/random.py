"""Random numbers with NumPy's parameters: each a number or an array, which broadcast to the size that is asked for.

On the host they come from the single generator, in turn, and are computed in the precisions that the original has,
which differ between numbers and arrays as parameters: see docs/developer/random.md.
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
import torch

from ..._rng import HostGenerator
from ...context import Context
from ..params import REQUIRED, param
from ..registry import op, register
from ..types import Attrs

FLOATS = (torch.float16, torch.float32, torch.float64)
Draw = Callable[..., torch.Tensor]


class _Source:
    """Where numbers come from: draws as many as the result has."""

    def __init__(self, rng: Any, device: torch.device, shape: tuple[int, ...]):
        self.rng, self.device, self.shape = rng, device, shape
        self.host = isinstance(rng, HostGenerator)

    def _draw(self, normal: bool, a: float, b: float) -> torch.Tensor:
        if self.host:
            return self.rng.series(prod(self.shape), normal, a=a, b=b).reshape(self.shape)
        if self.rng is None:
            return torch.empty(self.shape, device=self.device)
        made = (torch.randn if normal else torch.rand)(self.shape, generator=self.rng, device=self.device)
        return made * b + a if normal else made * (b - a) + a

    def uniform(self, low: float = 0.0, high: float = 1.0) -> torch.Tensor:
        """Float32 from an interval."""
        return self._draw(False, low, high)

    def normal(self, loc: float = 0.0, scale: float = 1.0) -> torch.Tensor:
        """Float32 numbers with this mean and deviation."""
        return self._draw(True, loc, scale)

    def minus_log(self) -> torch.Tensor:
        """Exponential numbers in float64."""
        return -torch.log(self.uniform().double())

    def gamma(self, alpha: torch.Tensor) -> torch.Tensor:
        """Float64 numbers by Marsaglia and Tsang's method. As long as one is rejected, all are drawn anew."""
        count = prod(self.shape)
        if self.rng is None or not count:
            return torch.empty(self.shape, dtype=torch.float64, device=self.device)
        alpha = alpha.detach().double().expand(self.shape).reshape(-1)
        small = alpha < 1
        d = alpha + small.double() - 1 / 3
        c = 1 / torch.sqrt(9 * d)
        result = torch.full_like(alpha, torch.nan)
        rows = torch.nonzero((alpha >= 0) & torch.isfinite(alpha))[
            :, 0
        ]  # of others no number would ever be good enough
        while len(rows):
            if self.host:
                uniform = self.rng.series(2 * count, double=True).reshape(-1, 2)[rows]
                x = self.rng.series(count, normal=True, double=True)[rows]
            else:
                given = dict(generator=self.rng, device=self.device, dtype=torch.float64)
                uniform, x = torch.rand(len(rows), 2, **given), torch.randn(len(rows), **given)
            v = (1 + c[rows] * x) ** 3
            good = (v > 0) & (torch.log(uniform[:, 0]) < 0.5 * x * x + d[rows] * (1 - v + torch.log(v)))
            power = torch.where(small[rows], uniform[:, 1].float().pow((1 / alpha[rows]).float()), 1.0)
            result[rows[good]] = (d[rows] * v * power)[good]
            rows = rows[~good]
        return result.reshape(self.shape)


def _in_half(*parameters: Any) -> bool:
    """Are the arrays among the parameters all of float16? Then the original computes in it."""
    return {p.dtype for p in parameters if isinstance(p, torch.Tensor)} == {torch.float16}


def _single(value: Any, half: bool = False) -> Any:
    """A parameter that is a number, rounded to float32, or float16, as the original has it; arrays as they are."""
    return float((np.float16 if half else np.float32)(value)) if isinstance(value, float) else value


def _scale(loc: Any, noise: torch.Tensor, scale: Any) -> torch.Tensor:
    """``loc + noise * scale``; of parameters of float16 with each result rounded to it."""
    if not _in_half(loc, scale):
        return _single(loc) + noise * _single(scale)
    scale = _single(scale, half=True)
    return _single(loc, half=True) + (noise * (scale if isinstance(scale, float) else scale.float())).half()


def _uniform(source: _Source, low: Any, high: Any) -> torch.Tensor:
    if isinstance(low, float) and isinstance(high, float):
        return source.uniform(low, high)
    half = _in_half(low, high)
    low, high = _single(low, half), _single(high, half)
    return _scale(low, source.uniform(), high - low)


def _normal(source: _Source, loc: Any, scale: Any) -> torch.Tensor:
    if isinstance(loc, float) and isinstance(scale, float):
        return source.normal(loc, scale)
    return _scale(loc, source.normal(), scale)


def _logistic(source: _Source, loc: Any, scale: Any) -> torch.Tensor:
    u = source.uniform()
    noise = torch.log(u.double()) - torch.log((1 - u).double())
    return _scale(loc, noise.float(), scale)


def _gumbel(source: _Source, loc: Any, scale: Any) -> torch.Tensor:
    return _scale(loc, -torch.log(source.minus_log()).float(), scale)


def _exponential(source: _Source, scale: Any) -> torch.Tensor:
    if isinstance(scale, float):
        return source.minus_log() * _single(scale)
    return _scale(0.0, source.minus_log().float(), scale)


def _rayleigh(source: _Source, scale: Any) -> torch.Tensor:
    return _scale(0.0, torch.sqrt(2 * source.minus_log()).float(), scale)


def _weibull(source: _Source, a: Any) -> torch.Tensor:
    return source.minus_log().float().pow(_single(1 / _single(a)))


def _pareto(source: _Source, a: Any) -> torch.Tensor:
    if isinstance(a, float):
        return torch.exp(source.minus_log() / _single(a)) - 1
    exponent = source.minus_log().float() / a
    if _in_half(a):
        return torch.expm1(exponent.half().double()).half()
    return torch.expm1(exponent.double())


def _power(source: _Source, a: Any) -> torch.Tensor:
    result = (1 - source.uniform()).pow(_single(1 / _single(a)))
    if source.host:
        source.rng.words(1)  # the original draws one more than it needs
    return result


def _gamma(source: _Source, shape: Any, scale: Any) -> torch.Tensor:
    alpha = torch.tensor(_single(shape), device=source.device) if isinstance(shape, float) else shape
    result = source.gamma(alpha) * (_single(scale) if isinstance(scale, float) else scale.double())
    return result.half() if _in_half(shape, scale) else result


def _floats(dtype: torch.dtype) -> torch.dtype:
    if dtype not in FLOATS:
        raise TypeError(f"dtype must be float16, float32 or float64, got {str(dtype).removeprefix('torch.')}")
    return dtype


def _check(name: str, value: Any, strict: bool) -> None:
    """Refuses numbers below 0, or with ``strict`` also 0 itself."""
    if isinstance(value, torch.Tensor):
        if value.is_meta or not value.numel():
            return
        value = float(value.detach().min())
    if value < 0 or (strict and value == 0):
        raise ValueError(f"{name} must {'be positive' if strict else 'not be negative'}, got {value:g}")


def distribution(
    name: str,
    draw: Draw,
    own: Attrs,
    doc: str,
    *,
    dtyped: bool,
    checked: Sequence[str] = (),
    strict: bool = False,
    more: bool = False,
) -> None:
    """An operator whose parameters are attributes, or inputs in the order in which they are left out there.

    ``own`` has their defaults, ``...`` for none. Those that are ``checked`` cannot be negative, with ``strict`` not 0
    either. With ``more`` the size comes before the shape of the parameters.
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
                array = arrays.pop(0)
                values.append(array if array.is_floating_point() else array.to(_floats(dtype)))
            else:
                values.append(float(number))
        for key in checked:
            _check(key, values[names.index(key)], strict)
        shape: tuple[int, ...] = ()
        if not all(isinstance(v, float) for v in values):
            shape = torch.broadcast_shapes(*[() if isinstance(v, float) else v.shape for v in values])
        if size:
            if shape and not more and torch.broadcast_shapes(shape, size) != size:
                raise ValueError(f"parameters of shape {tuple(shape)} do not fit the size {size}")
            shape = (*size, *shape) if more else size
        return draw(_Source(_rng, _device, tuple(shape)), *values).to(_floats(dtype))

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
        checked=("scale",),
        more=_more,
    )
_of_scale = {"loc": ..., "scale": ...}
distribution(
    "_npi_gamma",
    _gamma,
    {"shape": ..., "scale": ...},
    "the gamma distribution",
    dtyped=True,
    checked=("shape", "scale"),
    strict=True,
)
distribution("_npi_logistic", _logistic, _of_scale, "the logistic distribution", dtyped=False, checked=("scale",))
distribution("_npi_gumbel", _gumbel, _of_scale, "the Gumbel distribution", dtyped=False, checked=("scale",))
for _name, _draw, _own, _doc in (
    ("exponential", _exponential, {"scale": 1.0}, "the exponential distribution with mean ``scale``"),
    ("rayleigh", _rayleigh, {"scale": 1.0}, "the Rayleigh distribution"),
    ("weibull", _weibull, {"a": None}, "the Weibull distribution of shape ``a``"),
    ("pareto", _pareto, {"a": None}, "the Pareto II distribution of shape ``a``"),
    ("powerd", _power, {"a": None}, "[0, 1] with density ``a * x**(a - 1)``"),
):
    distribution(f"_npi_{_name}", _draw, _own, _doc, dtyped=False, checked=tuple(_own), strict="a" in _own)


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
    return (_Source(_rng, _device, shape).uniform() < chance).to(dtype)


bernoulli.infer_dtype(lambda dtypes, attrs: [attrs["dtype"]])


def _words(rng: Any, device: torch.device, count: int) -> torch.Tensor:
    """Whole numbers below 2^32."""
    if isinstance(rng, HostGenerator):
        return torch.from_numpy(rng.words(count).astype(np.int64))
    if rng is None:
        return torch.empty(count, dtype=torch.int64, device=device)
    return torch.randint(2**32, (count,), generator=rng, device=device)


def _draw_weighted(uniform: torch.Tensor, weights: torch.Tensor, number: int, replace: bool) -> torch.Tensor:
    keys, chances = uniform.double(), weights.detach().double()
    if not replace:  # the largest of u**(1/w), by which each is as likely as its weight
        return torch.sort(torch.log(keys) / chances, descending=True, stable=True).indices[:number]
    total = chances.sum()
    if not chances.is_meta and abs(float(total) - 1) > 1e-4:
        chances = chances / total
    return torch.searchsorted(torch.cumsum(chances, 0), keys, right=True).clamp_(max=len(chances) - 1)


def _without_replacement(words: torch.Tensor, count: int, number: int) -> torch.Tensor:
    """Of the numbers below ``count`` those that stay if the later ones take random places; of few, those that leave."""
    kept = max(number, count - number)
    places = (words % torch.arange(kept + 1, count + 1, device=words.device)).tolist() if not words.is_meta else []
    stay, leave = list(range(kept)), []
    for new, place in zip(range(kept, count), places, strict=False):
        if place < kept:
            stay[place], new = new, stay[place]
        leave.append(new)
    return torch.tensor((stay if 2 * number >= count else leave)[:number], dtype=torch.int64, device=words.device)


@op("_npi_choice", active=lambda attrs: ("input1", "input2")[: (attrs["a"] is None) + attrs["weighted"]])
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
    if weights is not None:
        found = _draw_weighted(
            _Source(_rng, _device, (number if replace else count,)).uniform(), weights, number, replace
        )
    elif replace:
        found = _words(_rng, _device, number) % count
    else:
        found = _without_replacement(_words(_rng, _device, min(number, count - number)), count, number)
    found = found.reshape(shape)
    return found if source is None else source[found]


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
    if chances.dim() != 1:
        raise ValueError(f"the probabilities must be an array of one dimension, this one has {chances.dim()}")
    bounds = torch.cumsum(chances, 0)
    if not chances.is_meta and len(bounds) and (total := float(bounds.max())) > 1 + 1e-6:
        raise ValueError(f"the probabilities must not add up to more than 1, these give {total:g}")
    shape = () if size is None else size
    if not len(chances) or 0 in shape:
        return torch.zeros(*shape, len(chances), dtype=torch.int64, device=_device)
    if isinstance(_rng, HostGenerator):
        drawn = _rng.series(prod(shape) * n, double=True).reshape(*shape, n)
        if a is None:
            _rng.words(2 * len(chances))  # the original draws so many more than it needs
    else:
        drawn = _Source(_rng, _device, (*shape, n)).uniform().double()
    found = torch.searchsorted(bounds, drawn, right=True).clamp_(max=len(chances) - 1)
    return torch.nn.functional.one_hot(found, len(chances)).sum(-2)


multinomial.infer_dtype(lambda dtypes, attrs: [torch.int64])
