"""The operators of ``mx.np`` and ``mx.npx`` that are not second names of classic ones: NumPy's types and shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from ..graph import Call, Dim, Dims, Graph, converter, is_open
from .elementwise import _BINARY, _INTEGER, _UNARY, _WHOLE, Binary, Function, number
from .shape import _FAR, flip, split

# ---- one array -------------------------------------------------------------------------------------------------------


def _unary(name: str, function: Function, new: str) -> None:
    @converter(new)
    def convert(g: Graph, n: Call) -> str:
        out = n.out_dtypes[0]
        x = g.cast(n.x, out, n.dtype)
        if not out.is_floating_point and name in _WHOLE:
            return x
        if out is torch.bool or not (out.is_floating_point or name in _INTEGER):
            raise n.refuse(f"the type {out}")
        return function(g, x, out)


_NO_TWIN = {"erf", "relu", "sigmoid", "softsign", "rsqrt", "rcbrt", "round"}
for _name, _function in _UNARY.items():
    if _name not in _NO_TWIN:
        _unary(_name, _function, "_npi_absolute" if _name == "abs" else f"_npi_{_name}")
for _name in ("relu", "sigmoid"):
    _unary(_name, _UNARY[_name], f"_npx_{_name}")


@converter("_np_copy")
def copy(g: Graph, n: Call) -> str:
    return n.x


@converter("_npi_around")
def around(g: Graph, n: Call) -> str:
    if not n.dtype.is_floating_point:
        return n.x
    factor = number(g, 10.0 ** n.attrs["decimals"], n.dtype)
    return (
        g.add("Div", g.add("Round", g.add("Mul", n.x, factor)), factor) if n.attrs["decimals"] else g.add("Round", n.x)
    )


@converter("_npi_logical_not")
def logical_not(g: Graph, n: Call) -> str:
    return g.add("Not", g.as_bool(n.x, n.dtype))


def _infinite(g: Graph, x: str, positive: bool, negative: bool) -> str:
    return g.add("IsInf", x, detect_positive=int(positive), detect_negative=int(negative))


@converter("_npi_isnan", "_npi_isinf", "_npi_isfinite", "_npi_isposinf", "_npi_isneginf")
def is_special(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    name = n.node.op.name.removeprefix("_npi_")
    # ONNX's IsInf has float32 and float64 only before opset 20
    x = n.x if n.dtype in (torch.float32, torch.float64) else g.cast(n.x, torch.float32)
    if name == "isnan":
        return g.add("IsNaN", x)
    if name == "isfinite":
        return g.add("Not", g.add("Or", g.add("IsNaN", x), _infinite(g, x, True, True)))
    return _infinite(g, x, name != "isneginf", name != "isposinf")


@converter("_npi_nan_to_num")
def nan_to_num(g: Graph, n: Call) -> str:
    if not n.dtype.is_floating_point:
        return n.x
    limits = torch.finfo(n.dtype)
    high = limits.max if n.attrs["posinf"] is None else n.attrs["posinf"]
    low = limits.min if n.attrs["neginf"] is None else n.attrs["neginf"]
    wide = n.dtype if n.dtype in (torch.float32, torch.float64) else torch.float32
    x = g.cast(n.x, wide, n.dtype)
    found = g.add("Where", g.add("IsNaN", x), number(g, n.attrs["nan"], wide), x)
    found = g.add("Where", _infinite(g, x, True, False), number(g, high, wide), found)
    found = g.add("Where", _infinite(g, x, False, True), number(g, low, wide), found)
    return g.cast(found, n.dtype, wide)


# ---- two arrays, or one and a number ---------------------------------------------------------------------------------


def _arctan2(g: Graph, y: str, x: str, dtype: torch.dtype) -> str:
    zero, pi = number(g, 0, dtype), number(g, math.pi, dtype)
    neither = g.add("And", g.add("Equal", x, zero), g.add("Equal", y, zero))  # where y / x would be no number
    angle = g.add("Atan", g.add("Div", y, g.add("Where", neither, number(g, 1, dtype), x)))
    turn = g.add("Where", g.add("Less", y, zero), g.add("Neg", pi), pi)
    return g.add("Add", angle, g.add("Where", g.add("Less", x, zero), turn, zero))


def _ldexp(g: Graph, a: str, b: str, dtype: torch.dtype) -> str:
    return g.add("Mul", a, g.add("Pow", number(g, 2, dtype), b))


_ARITHMETIC: dict[str, Binary] = {
    "add": _BINARY["add"], "subtract": _BINARY["sub"], "multiply": _BINARY["mul"], "true_divide": _BINARY["div"],
    "mod": _BINARY["mod"], "power": _BINARY["power"], "arctan2": _arctan2, "ldexp": _ldexp,
}  # fmt: skip


def _bitwise(name: str) -> None:
    """Of whole numbers, or of booleans, for which ONNX has other operators."""

    def convert_both(g: Graph, n: Call, x: str, y: str) -> str:
        if n.out_dtypes[0] is not torch.bool and g.opset < 18:
            raise n.refuse("integers need opset 18")
        return g.add(name if n.out_dtypes[0] is torch.bool else f"Bitwise{name}", x, y)

    @converter(f"_npi_bitwise_{name.lower()}")
    def convert(g: Graph, n: Call) -> str:
        out = n.out_dtypes[0]
        return convert_both(g, n, *(g.cast(x, out, kind) for x, kind in zip(n.inputs, n.dtypes, strict=True)))

    @converter(f"_npi_bitwise_{name.lower()}_scalar")
    def convert_number(g: Graph, n: Call) -> str:
        out = n.out_dtypes[0]
        return convert_both(g, n, g.cast(n.x, out, n.dtype), number(g, n.attrs["scalar"], out))


for _name in ("And", "Or", "Xor"):
    _bitwise(_name)


@converter("_npi_bitwise_not")
def bitwise_not(g: Graph, n: Call) -> str:
    if n.dtype is torch.bool:
        return g.add("Not", n.x)
    if g.opset < 18:
        raise n.refuse("integers need opset 18")
    return g.add("BitwiseNot", n.x)


def _copysign(g: Graph, a: str, b: str, dtype: torch.dtype) -> str:
    zero, size = number(g, 0, dtype), g.add("Abs", a)
    below = g.add("And", g.add("Equal", b, zero), g.add("Less", g.add("Reciprocal", b), zero))  # negative zero
    return g.add("Where", g.add("Or", g.add("Less", b, zero), below), g.add("Neg", size), size)


_ARITHMETIC["copysign"] = _copysign
_COMPARING = {"equal": "Equal", "not_equal": "Equal", "greater": "Greater", "greater_equal": "GreaterOrEqual",
              "less": "Less", "less_equal": "LessOrEqual"}  # fmt: skip
_REFLECTED = {"copysign", "subtract", "true_divide", "mod", "power", "arctan2", "ldexp"}


def _arithmetic(name: str, function: Binary) -> None:
    def check(n: Call) -> torch.dtype:
        if n.out_dtypes[0] is torch.bool:
            raise n.refuse("booleans")
        return n.out_dtypes[0]

    @converter(f"_npi_{name}")
    def convert(g: Graph, n: Call) -> str:
        out = check(n)
        a, b = (g.cast(x, out, kind) for x, kind in zip(n.inputs, n.dtypes, strict=True))
        return function(g, a, b, out)

    def with_number(reflected: bool) -> None:
        @converter(f"_npi_{'r' if reflected else ''}{name}_scalar")
        def convert_number(g: Graph, n: Call) -> str:
            out = check(n)
            x, scalar = g.cast(n.x, out, n.dtype), n.attrs["scalar"]
            if name == "power" and scalar == 2 and not reflected and out.is_floating_point:
                return g.add("Mul", x, x)
            constant = number(g, scalar, out)
            return function(g, constant, x, out) if reflected else function(g, x, constant, out)

    with_number(False)
    if name in _REFLECTED:
        with_number(True)


for _name, _binary in _ARITHMETIC.items():
    _arithmetic(_name, _binary)


@converter("_npi_hypot")
def hypot(g: Graph, n: Call) -> str:
    out = n.out_dtypes[0]
    first, second = (g.cast(x, out, kind) for x, kind in zip(n.inputs, n.dtypes, strict=True))
    return _BINARY["hypot"](g, first, second, out)


def _compare(g: Graph, name: str, a: str, b: str) -> str:
    found = g.add(_COMPARING[name], a, b)
    return g.add("Not", found) if name == "not_equal" else found


def _comparison(name: str) -> None:
    @converter(f"_npi_{name}")
    def convert(g: Graph, n: Call) -> str:
        common = torch.promote_types(*n.dtypes)
        common = torch.int32 if common is torch.bool else common
        return _compare(g, name, *(g.cast(x, common, kind) for x, kind in zip(n.inputs, n.dtypes, strict=True)))

    @converter(f"_npi_{name}_scalar")
    def convert_number(g: Graph, n: Call) -> str:
        common = n.dtype
        if not common.is_floating_point:
            common = torch.float64 if not n.attrs["is_int"] else torch.int64
        return _compare(g, name, g.cast(n.x, common, n.dtype), number(g, n.attrs["scalar"], common))


for _name in _COMPARING:
    _comparison(_name)


@converter("_npi_where", "_npi_where_lscalar", "_npi_where_rscalar", "_npi_where_scalar2")
def where(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    out, kind = n.out_dtypes[0], n.node.op.name.removeprefix("_npi_where")
    arrays = [g.cast(x, out, dtype) for x, dtype in zip(n.inputs[1:], n.dtypes[1:], strict=True)]
    numbers = [number(g, n.attrs[key], out) for key in ("scalar", "x", "y") if key in n.attrs]
    # which of the two is the number: lscalar has it for what is true, rscalar for what is false
    chosen = [*numbers, *arrays] if kind == "_lscalar" else [*arrays, *numbers]
    return g.add("Where", g.as_bool(n.x, n.dtype), *chosen)


# ---- reductions ------------------------------------------------------------------------------------------------------


def _axes(n: Call) -> list[int]:
    axis = n.attrs["axis"]
    if axis is None:
        return list(range(n.ndim))
    return sorted(a % n.ndim for a in (axis if isinstance(axis, tuple | list) else (axis,)))


def _reduce(g: Graph, op: str, x: str, axes: Sequence[int], keepdims: bool) -> str:
    return g.reduce(op, x, axes, keepdims) if axes else x


_REDUCTIONS = {"_np_sum": "ReduceSum", "_npi_mean": "ReduceMean", "_np_prod": "ReduceProd", "_np_max": "ReduceMax",
               "_np_min": "ReduceMin"}  # fmt: skip


@converter(*_REDUCTIONS)
def reduction(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    out = n.out_dtypes[0]
    if n.attrs["initial"] is not None:
        raise n.refuse("with initial")
    if out is torch.bool:
        raise n.refuse("booleans")
    return _reduce(g, _REDUCTIONS[n.node.op.name], g.cast(n.x, out, n.dtype), _axes(n), n.attrs["keepdims"])


@converter("_np_all", "_np_any")
def truth(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    op = "ReduceMin" if n.node.op.name == "_np_all" else "ReduceMax"
    numbers = g.cast(g.as_bool(n.x, n.dtype), torch.int32, torch.bool)
    found = g.cast(_reduce(g, op, numbers, _axes(n), n.attrs["keepdims"]), torch.bool, torch.int32)
    return g.cast(found, n.out_dtypes[0], torch.bool)


@converter("_npi_var", "_npi_std")
def variance(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    out, axes = n.out_dtypes[0], _axes(n)
    x = g.cast(n.x, out, n.dtype)
    rest = g.add("Sub", x, _reduce(g, "ReduceMean", x, axes, True))
    found = _reduce(g, "ReduceMean", g.add("Mul", rest, rest), axes, n.attrs["keepdims"])
    if n.attrs["ddof"]:
        sizes = [n.shape[a] for a in axes]
        if is_open(tuple(sizes)):
            raise n.refuse("with ddof over a dynamic dimension")
        count = math.prod(sizes)
        found = g.add("Mul", found, number(g, count / (count - n.attrs["ddof"]), out))
    return g.add("Sqrt", found) if n.node.op.name == "_npi_std" else found


@converter("_npi_argmax", "_npi_argmin")
def extremum(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    op = "ArgMax" if n.node.op.name == "_npi_argmax" else "ArgMin"
    axis = n.attrs["axis"]
    if axis is None:
        found = g.add(op, g.add("Reshape", n.x, [-1]), axis=0, keepdims=0)
        found = g.add("Reshape", found, g.const([1] * n.ndim)) if n.attrs["keepdims"] else found
    else:
        found = g.add(op, n.x, axis=axis, keepdims=int(n.attrs["keepdims"]))
    return g.cast(found, n.out_dtypes[0], torch.int64)


@converter("_npi_average")
def average(g: Graph, n: Call) -> Any:
    if n.attrs["weighted"] or n.attrs["returned"]:
        raise n.refuse("with weights or returned=True")
    return _reduce(g, "ReduceMean", g.cast(n.x, n.out_dtypes[0], n.dtype), _axes(n), False)


# ---- shapes ----------------------------------------------------------------------------------------------------------


@converter("_np_reshape", "_npx_reshape", "_np_squeeze", "_np_atleast_1d", "_np_atleast_2d", "_np_atleast_3d")
def reshape(g: Graph, n: Call) -> list[str]:
    if n.attrs.get("order", "C") != "C":
        raise n.refuse(f"order {n.attrs['order']!r}")
    near = list(zip(n.inputs, n.shapes, strict=True))
    return [g.reshape(x, shape, to, near) for x, shape, to in zip(n.inputs, n.shapes, n.out_shapes, strict=True)]


@converter("_np_transpose")
def transpose(g: Graph, n: Call) -> str:
    axes = n.attrs["axes"]
    return g.transpose(n.x, [a % n.ndim for a in axes] if axes else list(range(n.ndim))[::-1])


@converter("_np_moveaxis")
def moveaxis(g: Graph, n: Call) -> str:
    sources, targets = ([a % n.ndim for a in n.attrs[key]] for key in ("source", "destination"))
    axes = [a for a in range(n.ndim) if a not in sources]
    for target, source in sorted(zip(targets, sources, strict=True)):
        axes.insert(target, source)
    return g.transpose(n.x, axes)


@converter("_npi_flip")
def np_flip(g: Graph, n: Call) -> str:
    axis = n.attrs["axis"]
    axes = range(n.ndim) if axis is None or axis == () else axis if isinstance(axis, tuple | list) else (axis,)
    return flip(g, n.x, [a % n.ndim for a in axes])


@converter("_npi_rot90")
def rot90(g: Graph, n: Call) -> str:
    first, second = (a % n.ndim for a in (n.attrs["axes"] or (0, 1)))
    turns = n.attrs["k"] % 4
    if turns == 2:
        return flip(g, n.x, [first, second])
    axes = list(range(n.ndim))
    axes[first], axes[second] = second, first
    if turns == 1:
        return g.transpose(flip(g, n.x, [second]), axes)
    return flip(g, g.transpose(n.x, axes), [second]) if turns == 3 else n.x


@converter("_np_roll")
def roll(g: Graph, n: Call) -> str:
    shifts, axes = n.attrs["shift"], n.attrs["axis"]
    x, shape = n.x, n.shape
    if axes is None:
        x, shape, axes = g.add("Reshape", x, [-1]), (math.prod(n.shape) if not is_open(n.shape) else None,), (0,)
    count = max(len(shifts), len(axes))
    shifts, axes = (list(v) * count if len(v) == 1 else list(v) for v in (shifts, axes))
    for shift, axis in zip(shifts[:count], axes[:count], strict=True):
        axis = axis % len(shape)
        size = shape[axis]
        if size is None or isinstance(size, Dim):
            raise n.refuse("a dynamic dimension")
        place = -shift % size if size else 0
        if place:
            x = g.add("Concat", g.slice(x, [axis], [place], [_FAR]), g.slice(x, [axis], [0], [place]), axis=axis)
    return g.add("Reshape", x, g.const(list(n.shape))) if n.attrs["axis"] is None else x


def _concat(g: Graph, n: Call, arrays: Sequence[str], axis: int) -> str:
    out = n.out_dtypes[0]
    arrays = [g.cast(x, out, kind) for x, kind in zip(arrays, n.dtypes, strict=True)]
    return g.add("Concat", *arrays, axis=axis) if len(arrays) > 1 else arrays[0]


@converter("_npi_concatenate")
def concatenate(g: Graph, n: Call) -> str:
    axis = n.attrs["axis"]
    if axis is None:
        return _concat(g, n, [x if len(s) == 1 else g.add("Reshape", x, [-1]) for x, s in _inputs_with_shapes(n)], 0)
    return _concat(g, n, n.inputs, axis % n.ndim)


def _inputs_with_shapes(n: Call) -> list[tuple[str, Dims]]:
    return list(zip(n.inputs, n.shapes, strict=True))


@converter("_npi_stack")
def stack(g: Graph, n: Call) -> str:
    axis = n.axis(more=1)
    return _concat(g, n, [g.unsqueeze(x, [axis]) for x in n.inputs], axis)


@converter("_npi_hstack")
def hstack(g: Graph, n: Call) -> str:
    return _concat(g, n, [x if s else g.unsqueeze(x, [0]) for x, s in _inputs_with_shapes(n)], 0 if n.ndim <= 1 else 1)


@converter("_npi_vstack")
def vstack(g: Graph, n: Call) -> str:
    return _concat(g, n, [g.unsqueeze(x, list(range(2 - len(s)))) for x, s in _inputs_with_shapes(n)], 0)


@converter("_npi_dstack")
def dstack(g: Graph, n: Call) -> str:
    new = {0: [0, 1, 2], 1: [0, 2], 2: [2]}
    return _concat(g, n, [g.unsqueeze(x, new.get(len(s), [])) for x, s in _inputs_with_shapes(n)], 2)


@converter("_npi_column_stack")
def column_stack(g: Graph, n: Call) -> str:
    new = {0: [0, 1], 1: [1]}
    return _concat(g, n, [g.unsqueeze(x, new.get(len(s), [])) for x, s in _inputs_with_shapes(n)], 1)


@converter("_npi_hsplit", "_npi_dsplit")
def hsplit(g: Graph, n: Call) -> list[str]:
    assert n.node.op is not None
    axis = 2 if n.node.op.name == "_npi_dsplit" else min(n.ndim - 1, 1)
    sizes = [s[axis] for s in n.out_shapes]
    if is_open(tuple(sizes)):
        raise n.refuse("a dynamic dimension")
    return split(g, n.x, axis, sizes)


@converter("_npi_broadcast_to")
def broadcast_to(g: Graph, n: Call) -> str:
    before = (1,) * (len(n.out_shapes[0]) - n.ndim) + tuple(n.shape)
    target = tuple(1 if a == b else b for a, b in zip(before, n.out_shapes[0], strict=True))
    return g.add("Expand", n.x, g.shape_of(target, _inputs_with_shapes(n)))


@converter("_npi_full_like")
def full_like(g: Graph, n: Call) -> str:
    out = n.out_dtypes[0]
    return g.add("Expand", number(g, n.attrs["fill_value"], out), g.shape_of(n.out_shapes[0], _inputs_with_shapes(n)))


@converter("_npi_pad")
def pad(g: Graph, n: Call) -> str:
    mode = n.attrs["mode"]
    if mode not in ("constant", "edge", "reflect") or n.attrs["reflect_type"] != "even":
        raise n.refuse(f"mode {mode!r}")
    widths = n.attrs["pad_width"]
    pairs = [(w, w) if isinstance(w, int) else tuple(w) for w in widths]
    pads = g.const([*(p[0] for p in pairs), *(p[-1] for p in pairs)])
    value = number(g, n.attrs["constant_value"], n.dtype) if mode == "constant" else None
    return g.add("Pad", n.x, pads, value, mode=mode)


@converter("_npi_diff")
def diff(g: Graph, n: Call) -> str:
    x, axis = n.x, n.axis()
    for _ in range(n.attrs["n"]):
        x = g.add("Sub", g.slice(x, [axis], [1], [_FAR]), g.slice(x, [axis], [0], [-1]))
    return x


@converter("_npi_tril")
def tril(g: Graph, n: Call) -> str:
    if g.opset < 14:
        raise n.refuse("this needs opset 14 or newer")
    x = n.x if n.ndim > 1 else g.add("Expand", n.x, g.shape_of(n.out_shapes[0], _inputs_with_shapes(n)))
    wide = n.dtype if n.dtype in (torch.float32, torch.float64) else torch.float64  # what runtimes have it for
    found = g.add("Trilu", g.cast(x, wide, n.dtype), g.const(torch.tensor(n.attrs["k"])), upper=0)
    return g.cast(found, n.dtype, wide)


def _diagonal(g: Graph, n: Call, first: int, second: int, k: int) -> str:
    rows, columns = n.shape[first], n.shape[second]
    if isinstance(rows, Dim) or isinstance(columns, Dim):
        raise n.refuse("dynamic dimensions")
    rest = [i for i in range(n.ndim) if i not in (first, second)]
    length = max(min(rows - max(-k, 0), columns - max(k, 0)), 0)
    places = torch.stack([torch.arange(length) + max(-k, 0), torch.arange(length) + max(k, 0)], 1)
    found = g.add("GatherND", g.transpose(n.x, [first, second, *rest]), g.const(places))
    return g.transpose(found, [*range(1, n.ndim - 1), 0])


@converter("_np_diagonal", "_np_trace")
def diagonal(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    first, second = n.axis("axis1"), n.axis("axis2")
    found = _diagonal(g, n, first, second, n.attrs["offset"])
    return g.reduce("ReduceSum", found, [n.ndim - 2], False) if n.node.op.name == "_np_trace" else found


@converter("_np_diag")
def diag(g: Graph, n: Call) -> str:
    if n.ndim != 2:
        raise n.refuse("a vector")
    return _diagonal(g, n, 0, 1, n.attrs["k"])


# ---- products --------------------------------------------------------------------------------------------------------
