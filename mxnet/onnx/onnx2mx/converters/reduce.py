"""Reductions, and finding the largest elements."""

from __future__ import annotations

from typing import Any

import torch

from ....error import MXNetNotImplementedError, MXNetValueError
from ..graph import Builder, OnnxNode, Value, importer


def axes_of(b: Builder, n: OnnxNode, index: int = 1) -> list[int] | None:
    """The axes of a node, an attribute of old and an input of new opsets; not negative."""
    given = n.optional(index)
    axes = b.ints(given, "the axes") if given is not None else n.get("axes")
    return None if axes is None else [_axis(a, n.x.ndim) for a in axes]


def _axis(axis: int, ndim: int) -> int:
    if not -max(ndim, 1) <= axis < max(ndim, 1):
        raise ValueError(f"axis {axis} is out of range for {ndim} dimension(s)")
    return axis % ndim if ndim else 0


def reduce(b: Builder, op: str, x: Value, axes: Any, keepdims: bool, **attrs: Any) -> Value:
    """A reduction; of everything, ONNX has no dimensions left."""
    everything = not axes or len(axes) == max(x.ndim, 1)
    if x.scalar:
        return b.call(op, x, axis=(0,), keepdims=True, **attrs)
    axis = tuple(axes) if axes else tuple(range(x.ndim))
    return b.call(op, x, axis=axis, keepdims=keepdims, bare=everything and not keepdims, **attrs)


_REDUCTIONS = {"ReduceSum": "sum", "ReduceMean": "mean", "ReduceMax": "max", "ReduceMin": "min", "ReduceProd": "prod",
               "ReduceL1": "norm", "ReduceL2": "norm", "ReduceLogSum": "sum", "ReduceLogSumExp": "sum",
               "ReduceSumSquare": "sum"}  # fmt: skip


@importer(*_REDUCTIONS)
def reduction(b: Builder, n: OnnxNode) -> Value:
    x, axes, keepdims = n.x, axes_of(b, n), bool(n.get("keepdims", 1))
    nothing = not axes and n.get("noop_with_empty_axes", 0)
    if n.op == "ReduceSumSquare":
        x = b.call("square", x)
    if n.op in ("ReduceL1", "ReduceL2"):
        if nothing:
            return b.call("abs", x)
        return reduce(b, "norm", x, axes, keepdims, ord=int(n.op[-1]))
    if n.op == "ReduceLogSumExp":
        if nothing:
            return x
        peak = reduce(b, "max", x, axes, True)
        total = reduce(b, "sum", b.call("exp", b.binary("broadcast_sub", x, peak)), axes, keepdims)
        if not keepdims:
            peak = b.reshape(peak, total.shapes)
        return b.binary("broadcast_add", b.call("log", total), peak)
    if x.truth:
        return b.truth(reduce(b, _REDUCTIONS[n.op], x, axes, keepdims))
    found = x if nothing else reduce(b, _REDUCTIONS[n.op], x, axes, keepdims)
    return b.call("log", found) if n.op == "ReduceLogSum" else found


@importer("ArgMax", "ArgMin")
def extremum(b: Builder, n: OnnxNode) -> Value:
    axis, keepdims = _axis(n.get("axis", 0), n.x.ndim), bool(n.get("keepdims", 1))
    x = n.x if n.x.dtype in (torch.float32, torch.float64) else b.cast(n.x, torch.float64)
    backwards = n.get("select_last_index", 0)
    if backwards:
        x = b.call("reverse", x, axis=(axis,))
        if any(s[axis] != n.x.shape[axis] for s in n.x.shapes):
            raise MXNetNotImplementedError("select_last_index of a dynamic dimension")
    found = b.call(n.op.lower(), x, axis=axis, keepdims=keepdims, bare=n.x.ndim <= 1 and not keepdims)
    if backwards:
        found = b.call("_rminus_scalar", found, scalar=float(n.x.shape[axis] - 1))
    return b.cast(found, torch.int64)


@importer("TopK")
def topk(b: Builder, n: OnnxNode) -> list[Value]:
    given = n.optional(1)
    k = b.ints(given, "k")[0] if given is not None else n.get("k")
    axis = _axis(n.get("axis", -1), n.x.ndim)
    if k < 0 or any(k > size[axis] for size in n.x.shapes if n.x.has_fixed_shape):
        raise MXNetValueError(f"k is {k}, for {n.x.shape[axis]} elements")
    # of all elements, k=0, since only that puts the first of equal ones first
    made = b.call("topk", n.x, k=0, axis=axis, ret_typ="both", is_ascend=not n.get("largest", 1), dtype="int64")
    if n.x.has_fixed_shape and k == n.x.shape[axis]:
        return list(made)
    return [b.slice(value, axis, 0, k) for value in made]


@importer("CumSum")
def cumsum(b: Builder, n: OnnxNode) -> Value:
    axis = _axis(b.ints(n.need(1), "the axis")[0], n.x.ndim)
    x = b.call("reverse", n.x, axis=(axis,)) if n.get("reverse", 0) else n.x
    found = b.call("_np_cumsum", x, axis=axis)
    if n.get("exclusive", 0):
        found = b.binary("broadcast_sub", found, x)
    return b.call("reverse", found, axis=(axis,)) if n.get("reverse", 0) else found


@importer("Hardmax")
def hardmax(b: Builder, n: OnnxNode) -> Value:
    axis = _axis(n.get("axis", -1 if n.opset >= 13 else 1), n.x.ndim)
    x = n.x
    if n.opset < 13:
        x = b.reshape(x, [(_prod(s[:axis]), _prod(s[axis:])) for s in x.shapes])
        axis = 1
    depth = x.shape[axis]
    if any(s[axis] != depth for s in x.shapes):
        raise MXNetNotImplementedError("a dynamic number of classes")
    hot = b.call("one_hot", b.call("argmax", x, axis=axis), depth=depth, dtype=x.dtype)
    if axis != x.ndim - 1:
        order = [*range(axis), x.ndim - 1, *range(axis, x.ndim - 1)]
        hot = b.transpose(b.reshape(hot, [(*s[:axis], *s[axis + 1 :], depth) for s in x.shapes]), order)
    return b.reshape(hot, n.x.shapes)


def _prod(sizes: Any) -> int:
    total = 1
    for size in sizes:
        total *= size
    return total
