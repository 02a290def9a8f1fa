"""Operators that reduce axes, broadcast them, or find the largest elements."""

from __future__ import annotations

import math
from typing import Any

import torch

from ....ops.reduce import reduced_axes
from ..graph import Call, Dims, Graph, converter, is_open, size_of
from .creation import fill
from .elementwise import number


def reduce(g: Graph, op: str, x: str, shape: Dims, axes: Any, keepdims: bool) -> str:
    """A reduction as MXNet has it: of everything, it has shape (1,)."""
    if not axes:
        return x
    if keepdims or len(axes) < len(shape):
        return g.reduce(op, x, axes, keepdims)
    if len(shape) == 1:
        return g.reduce(op, x, axes, True)
    return g.add("Reshape", g.reduce(op, x, axes, False), [1])


_REDUCTIONS = {"sum": "ReduceSum", "mean": "ReduceMean", "prod": "ReduceProd", "max": "ReduceMax", "min": "ReduceMin",
               "_square_sum": "ReduceSumSquare"}  # fmt: skip


def _reduction(name: str, op: str) -> None:
    @converter(name)
    def convert(g: Graph, n: Call) -> str:
        axes = reduced_axes(n.ndim, n.attrs["axis"], n.attrs["exclude"])
        if not axes:
            return g.add("Mul", n.x, n.x) if name == "_square_sum" else n.x
        if n.dtype is torch.bool:  # a sum of booleans is their "or"
            kind = "ReduceMin" if name in ("prod", "min") else "ReduceMax"
            found = reduce(g, kind, g.cast(n.x, torch.int32), n.shape, axes, n.attrs["keepdims"])
            return g.cast(found, n.dtype)
        if name == "mean" and not n.dtype.is_floating_point:
            return _integer_mean(g, n, axes)
        return reduce(g, op, n.x, n.shape, axes, n.attrs["keepdims"])


def _integer_mean(g: Graph, n: Call, axes: Any) -> str:
    """The sum, which wraps around in its own type, divided and cut off."""
    count = size_of(tuple(n.shape[a] for a in axes))
    if is_open(tuple(n.shape[a] for a in axes)):
        raise n.refuse("the mean of integers over a dynamic dimension")
    wide = n.dtype if n.dtype is torch.int64 else torch.int32
    total = reduce(g, "ReduceSum", g.cast(n.x, wide, n.dtype), n.shape, axes, n.attrs["keepdims"])
    total = g.cast(g.cast(total, n.dtype, wide), wide, n.dtype)
    return g.cast(g.add("Div", total, number(g, max(count, 1), wide)), n.dtype, wide)


for _name, _op in _REDUCTIONS.items():
    _reduction(_name, _op)


@converter("nansum", "nanprod")
def without_nan(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    is_sum = n.node.op.name == "nansum"
    x = n.x
    if n.dtype.is_floating_point:
        x = g.add("Where", g.add("IsNaN", x), number(g, 0 if is_sum else 1, n.dtype), x)
    axes = reduced_axes(n.ndim, n.attrs["axis"], n.attrs["exclude"])
    return reduce(g, "ReduceSum" if is_sum else "ReduceProd", x, n.shape, axes, n.attrs["keepdims"])


@converter("norm")
def norm(g: Graph, n: Call) -> str:
    axes = reduced_axes(n.ndim, n.attrs["axis"])
    dtype, wanted = n.dtype, n.out_dtypes[0]
    x = n.x
    if dtype is not wanted or not dtype.is_floating_point:
        wide = torch.promote_types(dtype, wanted)
        dtype = wide if wide.is_floating_point else torch.float64
        x = g.cast(x, dtype, n.dtype)
    found = reduce(g, f"ReduceL{n.attrs['ord']}", x, n.shape, axes, n.attrs["keepdims"])
    return g.cast(found, wanted, dtype)


@converter("_npi_norm")
def numpy_norm(g: Graph, n: Call) -> str:
    """Of vectors or matrices, as the operator has them: in float64 for integers, of which the whole part stays."""
    order, flag, keepdims, out = n.attrs["ord"], n.attrs["flag"], n.attrs["keepdims"], n.out_dtypes[0]
    if 0 in n.shape:
        return fill(g, n.out_shapes[0], 0, out, [(n.x, n.shape)])
    every = range(n.ndim) if flag == -2 else range(n.ndim)[-2:]
    axes = list(every) if n.attrs["axis"] is None else list(dict.fromkeys(a % n.ndim for a in n.attrs["axis"]))
    if flag in (-2, 1):
        order = 2
    dtype = torch.promote_types(n.dtype, torch.float32) if n.dtype.is_floating_point else torch.float64
    x = g.cast(n.x, dtype, n.dtype)
    if len(axes) == 2 and flag not in (-2, 1):
        if flag == 2 or abs(order) not in (1, math.inf):
            raise n.refuse("a norm by singular values")
        rows, columns = axes if abs(order) == 1 else axes[::-1]
        sums = g.reduce("ReduceL1", x, [rows], True)
        found = g.reduce("ReduceMax" if order > 0 else "ReduceMin", sums, [columns], True)
        if not keepdims:
            found = g.squeeze(found, sorted(axes))
    elif not axes:
        found = g.add("Abs", x)
    else:
        found = _vector_norm(g, x, order, axes, keepdims, dtype)
    return g.cast(found, out, dtype)


def _vector_norm(g: Graph, x: str, order: float, axes: list[int], keepdims: bool, dtype: torch.dtype) -> str:
    if order in (1, 2):
        return g.reduce(f"ReduceL{int(order)}", x, axes, keepdims)
    size = g.add("Abs", x)
    if math.isinf(order):
        return g.reduce("ReduceMax" if order > 0 else "ReduceMin", size, axes, keepdims)
    if order == 0:  # how many are not 0
        return g.reduce("ReduceSum", g.cast(g.as_bool(x, dtype), dtype, torch.bool), axes, keepdims)
    total = g.reduce("ReduceSum", g.add("Pow", size, number(g, order, dtype)), axes, keepdims)
    return g.add("Pow", total, number(g, 1 / order, dtype))


@converter("moments")
def moments(g: Graph, n: Call) -> list[str]:
    axes = reduced_axes(n.ndim, n.attrs["axes"])
    x = g.cast(n.x, torch.float32, n.dtype) if n.dtype in (torch.float16, torch.bfloat16) else n.x
    mean = g.reduce("ReduceMean", x, axes, True)
    rest = g.add("Sub", x, mean)
    variance = g.reduce("ReduceMean", g.add("Mul", rest, rest), axes, True)
    both = [mean, variance]
    if not n.attrs["keepdims"]:
        kept = tuple(1 if i in axes else d for i, d in enumerate(n.shape))
        both = [g.reshape(v, kept, n.out_shapes[0]) for v in both]
    source = torch.float32 if n.dtype in (torch.float16, torch.bfloat16) else n.dtype
    return [g.cast(v, n.dtype, source) for v in both]


@converter("argmax", "argmin", "argmax_channel")
def extremum(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    op = "ArgMin" if n.node.op.name == "argmin" else "ArgMax"
    axis = n.attrs.get("axis", 1)
    keepdims = n.attrs.get("keepdims", False)
    if axis is None:
        flat = n.x if n.ndim == 1 else g.add("Reshape", n.x, [-1])
        found = g.add(op, flat, axis=0, keepdims=1)
        found = g.add("Reshape", found, [1] * n.ndim) if keepdims and n.ndim > 1 else found
    else:
        found = g.add(op, n.x, axis=axis, keepdims=int(keepdims or n.ndim == 1))
    return g.cast(found, n.dtype, torch.int64)


@converter("topk")
def topk(g: Graph, n: Call) -> Any:
    x, shape, axis = n.x, n.shape, n.attrs["axis"]
    if axis is None:
        x, axis = g.add("Reshape", x, [-1]), 0
        if n.ndim > 1:
            shape = ()
    k = n.attrs["k"]
    count = (
        g.const([k])
        if k > 0
        else g.add("Shape", g.add("Reshape", x, [-1]))
        if not shape
        else g.dim(shape[axis], [(n.x, shape)])
    )
    values, indices = g.add("TopK", x, count, outputs=2, axis=axis, largest=int(not n.attrs["is_ascend"]), sorted=1)
    kind = n.attrs["ret_typ"]
    if kind == "mask":
        zeros = fill(g, n.shape if n.attrs["axis"] is not None else (size_of(n.shape),), 0, n.dtype, [(n.x, n.shape)])
        ones = g.add("Expand", g.const(torch.ones(1, dtype=n.dtype)), g.add("Shape", indices))
        mask = g.add("ScatterElements", zeros, indices, ones, axis=axis)
        return mask if shape else g.add("Reshape", mask, g.shape_of(n.out_shapes[0], [(n.x, n.shape)]))
    if kind == "value":
        return values
    indices = g.cast(indices, n.out_dtypes[-1], torch.int64)
    return indices if kind == "indices" else [values, indices]


@converter("sort", "argsort")
def sort(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    x, axis, shape = n.x, n.attrs["axis"], n.shape
    if axis is None:
        x, axis, shape = (n.x if n.ndim == 1 else g.add("Reshape", n.x, [-1])), 0, n.out_shapes[0]
    count = g.dim(shape[axis], [(x, shape)])
    values, indices = g.add("TopK", x, count, outputs=2, axis=axis, largest=int(not n.attrs["is_ascend"]), sorted=1)
    return values if n.node.op.name == "sort" else g.cast(indices, n.out_dtypes[0], torch.int64)


# ---- broadcasting ----------------------------------------------------------------------------------------------------


@converter("broadcast_to", "broadcast_axis", "broadcast_like")
def broadcast(g: Graph, n: Call) -> str:
    near = list(zip(n.inputs, n.shapes, strict=True))
    if len(n.inputs) == 2 and n.out_shapes[0] == n.shapes[1]:
        return g.add("Expand", n.x, g.add("Shape", n.inputs[1]))
    # what stays is 1 in the target, so that only what is repeated needs to be known
    target = tuple(1 if a == b else b for a, b in zip(n.shape, n.out_shapes[0], strict=True))
    return n.x if all(d == 1 for d in target) else g.add("Expand", n.x, g.shape_of(target, near))


@converter("_np_cumsum")
def cumsum(g: Graph, n: Call) -> str:
    x = g.cast(n.x, n.out_dtypes[0], n.dtype)
    axis = n.attrs["axis"]
    if axis is None:
        x, axis = (x if n.ndim == 1 else g.add("Reshape", x, [-1])), 0
    return g.add("CumSum", x, g.const(torch.tensor(axis)))
