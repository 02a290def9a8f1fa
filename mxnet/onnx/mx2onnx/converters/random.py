"""Random numbers: of the same distributions, not the same numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ...package import tensor_type
from ..graph import Call, Graph, converter, is_open
from .elementwise import number

_FLOATS = (torch.float16, torch.float32, torch.float64)


def _numbers(g: Graph, n: Call, op: str, dtype: torch.dtype, **options: Any) -> str:
    """Numbers in the shape of the result."""
    shape, kind = n.out_shapes[0], tensor_type(dtype)
    if not is_open(shape):
        return g.add(op, dtype=kind, shape=list(shape), **options)
    near = list(zip(n.inputs, n.shapes, strict=True))
    return g.add(f"{op}Like", g.add("ConstantOfShape", g.shape_of(shape, near)), dtype=kind, **options)


@converter("_random_uniform", "_random_normal")
def random_numbers(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    uniform = n.node.op.name == "_random_uniform"
    keys = {"low": "low", "high": "high"} if uniform else {"mean": "loc", "scale": "scale"}
    options = {to: float(n.attrs[key]) for to, key in keys.items()}
    return _numbers(g, n, "RandomUniform" if uniform else "RandomNormal", n.out_dtypes[0], **options)


@converter("_random_randint")
def integers(g: Graph, n: Call) -> str:
    low, high = n.attrs["low"], n.attrs["high"]
    if high - low > 1 << 24:
        raise n.refuse(f"integers from {low} to {high}: ONNX draws floating numbers, which do not hold them all")
    steps = g.add(
        "Floor", g.add("Mul", _numbers(g, n, "RandomUniform", torch.float32), number(g, high - low, torch.float32))
    )
    whole = g.cast(g.add("Min", steps, number(g, high - low - 1, torch.float32)), torch.int64)
    return g.cast(g.add("Add", whole, number(g, low, torch.int64)), n.out_dtypes[0], torch.int64)


# ---- by their parameters, which are numbers or arrays ----------------------------------------------------------------


def _minus_log(g: Graph, u: str, dtype: torch.dtype) -> str:
    """Exponential numbers from uniform ones, of which 0 may be one, but not 1."""
    return g.add("Neg", g.add("Log", g.add("Sub", number(g, 1, dtype), u)))


def _shift_scale(g: Graph, x: str, loc: str, scale: str) -> str:
    return g.add("Add", loc, g.add("Mul", scale, x))


def _uniform(g: Graph, u: str, dtype: torch.dtype, low: str, high: str) -> str:
    return _shift_scale(g, u, low, g.add("Sub", high, low))


def _normal(g: Graph, u: str, dtype: torch.dtype, loc: str, scale: str) -> str:
    return _shift_scale(g, u, loc, scale)


def _exponential(g: Graph, u: str, dtype: torch.dtype, scale: str) -> str:
    return g.add("Mul", scale, _minus_log(g, u, dtype))


def _gumbel(g: Graph, u: str, dtype: torch.dtype, loc: str, scale: str) -> str:
    return _shift_scale(g, g.add("Neg", g.add("Log", _minus_log(g, u, dtype))), loc, scale)


def _logistic(g: Graph, u: str, dtype: torch.dtype, loc: str, scale: str) -> str:
    return _shift_scale(g, g.add("Add", g.add("Log", u), _minus_log(g, u, dtype)), loc, scale)


def _rayleigh(g: Graph, u: str, dtype: torch.dtype, scale: str) -> str:
    return g.add("Mul", scale, g.add("Sqrt", g.add("Mul", _minus_log(g, u, dtype), number(g, 2, dtype))))


def _weibull(g: Graph, u: str, dtype: torch.dtype, a: str) -> str:
    return g.add("Pow", _minus_log(g, u, dtype), g.add("Reciprocal", a))


def _pareto(g: Graph, u: str, dtype: torch.dtype, a: str) -> str:
    return g.add("Sub", g.add("Exp", g.add("Div", _minus_log(g, u, dtype), a)), number(g, 1, dtype))


#: The parameters of each, and what makes its numbers of uniform or normal ones.
_DISTRIBUTIONS: dict[str, tuple[tuple[str, ...], Callable[..., str]]] = {
    "_npi_uniform": (("low", "high"), _uniform), "_npi_uniform_n": (("low", "high"), _uniform),
    "_npi_normal": (("loc", "scale"), _normal), "_npi_normal_n": (("loc", "scale"), _normal),
    "_npi_exponential": (("scale",), _exponential), "_npi_gumbel": (("loc", "scale"), _gumbel),
    "_npi_logistic": (("loc", "scale"), _logistic), "_npi_rayleigh": (("scale",), _rayleigh),
    "_npi_weibull": (("a",), _weibull), "_npi_pareto": (("a",), _pareto),
}  # fmt: skip


@converter(*_DISTRIBUTIONS)
def sample_distribution(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    keys, function = _DISTRIBUTIONS[n.node.op.name]
    dtype = n.out_dtypes[0]
    arrays = iter(zip(n.inputs, n.dtypes, strict=True))
    parameters = [
        number(g, n.attrs[key], dtype) if n.attrs[key] is not None else g.cast(*_cast_of(next(arrays), dtype))
        for key in keys
    ]
    noise = _numbers(g, n, "RandomNormal" if function is _normal else "RandomUniform", dtype)
    return function(g, noise, dtype, *parameters)


def _cast_of(array: tuple[str, torch.dtype], dtype: torch.dtype) -> tuple[str, torch.dtype, torch.dtype]:
    return array[0], dtype, array[1]


@converter("_npi_bernoulli")
def bernoulli(g: Graph, n: Call) -> str:
    given = n.attrs["logit"] if n.attrs["is_logit"] else n.attrs["prob"]
    chance = g.cast(n.x, torch.float32, n.dtype) if given is None else number(g, given, torch.float32)
    chance = g.add("Sigmoid", chance) if n.attrs["is_logit"] else chance
    return g.cast(g.add("Less", _numbers(g, n, "RandomUniform", torch.float32), chance), n.out_dtypes[0])


@converter("_random_uniform_like", "_random_normal_like")
def random_like(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    if n.node.op.name == "_random_uniform_like":
        return g.add("RandomUniformLike", n.x, low=n.attrs["low"], high=n.attrs["high"])
    return g.add("RandomNormalLike", n.x, mean=n.attrs["loc"], scale=n.attrs["scale"])


@converter("_sample_multinomial")
def multinomial(g: Graph, n: Call) -> str:
    if n.attrs["get_prob"]:
        raise n.refuse("get_prob")
    shape, dtype = n.attrs["shape"], n.out_dtypes[0]
    count = int(torch.tensor(shape).prod()) if shape else 1
    logs = g.add("Log", n.x)
    if n.ndim == 1:
        logs = g.unsqueeze(logs, [0])
    elif n.ndim > 2:
        logs = g.add("Reshape", logs, g.const([-1, n.shape[-1]]))
    kind = torch.int64 if dtype is torch.int64 else torch.int32
    found = g.add("Multinomial", logs, sample_size=count, dtype=tensor_type(kind))
    return g.add("Reshape", g.cast(found, dtype, kind), g.shape_of(n.out_shapes[0], [(n.x, n.shape)]))
