"""Operators that pick by index."""

from __future__ import annotations

import math
from math import prod

import torch

from ....error import MXNetNotImplementedError
from ..graph import Builder, OnnxNode, Value, importer
from ..read import LARGEST


@importer("Gather")
def gather(b: Builder, n: OnnxNode) -> Value:
    x, index = n.x, n.need(1)
    axis = n.get("axis", 0) % max(x.ndim, 1)
    # "wrap" also for negative indices, which count from the end
    found = b.call("take", x, index, axis=axis, mode="wrap", truth=x.truth, bare=False)
    return b.reshape(found, [(*s[:axis], *s[axis + 1 :]) for s in x.shapes]) if index.scalar else found


def counting(b: Builder, value: Value, axis: int) -> Value:
    """0, 1, ... along an axis of a value, as int64: a constant, unless the dimension is open."""
    sizes = [s[axis] for s in value.shapes]
    if value.constant or len(set(sizes)) == 1:
        return b.consts([torch.arange(size) for size in sizes])
    line = value
    for other in range(value.ndim):
        if other != axis:
            line = b.slice(line, other, 0, 1)
    return b.call("_contrib_arange_like", b.cast(line, torch.int64), axis=axis)


def coordinates(b: Builder, like: Value, axis: int) -> Value:
    """How far along an axis each element of a value is, as int64, in the value's shape."""
    line = counting(b, like, axis)
    column = b.reshape(line, [(*[1] * axis, s[axis], *[1] * (like.ndim - axis - 1)) for s in like.shapes])
    if like.constant or like.has_fixed_shape:
        return b.broadcast(column, like.shapes)
    return b.call("broadcast_like", column, like, bare=False)


@importer("GatherND")
def gather_nd(b: Builder, n: OnnxNode) -> Value:
    index, batch = n.need(1), n.get("batch_dims", 0)
    width = batch + index.shape[-1]
    if batch:  # the place in the batch is a part of the index
        first = b.slice(index, index.ndim - 1, 0, 1)
        places = [b.cast(coordinates(b, first, axis), index.dtype) for axis in range(batch)]
        index = b.call("Concat", *places, index, dim=index.ndim - 1)
    lifted = index if index.ndim > 1 else b.reshape(index, [(1, *s) for s in index.shapes])
    moved = b.transpose(lifted, [lifted.ndim - 1, *range(lifted.ndim - 1)])
    found = b.call("gather_nd", n.x, moved, truth=n.x.truth, bare=False)
    wanted = [(*i[:-1], *s[width:]) for s, i in zip(n.x.shapes, index.shapes, strict=True)]
    return b.reshape(found, wanted)


@importer("GatherElements")
def gather_elements(b: Builder, n: OnnxNode) -> Value:
    x, index = n.x, n.need(1)
    axis = n.get("axis", 0) % x.ndim
    if all(s[axis] == x.shape[axis] for s in x.shapes):
        index = _from_the_end(b, index, x.shape[axis])
    places = [index if a == axis else b.cast(coordinates(b, index, a), index.dtype) for a in range(x.ndim)]
    return b.call("gather_nd", x, b.call("stack", *places, axis=0), truth=x.truth, bare=False)


@importer("ScatterND")
def scatter_nd(b: Builder, n: OnnxNode) -> Value:
    return _scatter(b, n, n.need(1), n.need(2))


@importer("ScatterElements", "Scatter")
def scatter_elements(b: Builder, n: OnnxNode) -> Value:
    index, updates = n.need(1), n.need(2)
    axis = n.get("axis", 0) % n.x.ndim
    places = [index if a == axis else b.cast(coordinates(b, index, a), index.dtype) for a in range(n.x.ndim)]
    stacked = places[0] if len(places) == 1 else b.call("stack", *places, axis=index.ndim)
    if len(places) == 1:
        stacked = b.reshape(stacked, [(*s, 1) for s in stacked.shapes])
    return _scatter(b, n, stacked, updates)


#: What updates of the same element are joined by, and what such an operation leaves unchanged.
_JOINED = {"add": ("sum", "broadcast_add"), "mul": ("prod", "broadcast_mul"), "max": ("max", "broadcast_maximum"),
           "min": ("min", "broadcast_minimum")}  # fmt: skip


def _scatter(b: Builder, n: OnnxNode, index: Value, updates: Value) -> Value:
    """The first input with updates at the places in the last dimension of ``index``."""
    x, width, how = n.x, index.shape[-1], n.get("reduction", "none")
    if any(s[1:width] != x.shape[1:width] for s in x.shapes):
        raise MXNetNotImplementedError("a scatter into a dynamic shape: import it with input_shapes=")
    if x.has_fixed_shape and how == "none":
        moved = b.transpose(index, [index.ndim - 1, *range(index.ndim - 1)])
        return b.call("_scatter_set_nd", x, updates, moved, shape=x.shape, truth=x.truth)
    # as rows of a matrix, by the number of the row
    row = b.cast(b.slice(index, index.ndim - 1, 0, 1), torch.int64)
    if x.has_fixed_shape:
        row = _from_the_end(b, row, x.shape[0])
    for i in range(1, width):
        more = _from_the_end(b, b.cast(b.slice(index, index.ndim - 1, i, i + 1), torch.int64), x.shape[i])
        row = b.binary("broadcast_add", b.call("_mul_scalar", row, scalar=float(x.shape[i])), more)
    rest = [prod(s[width:]) for s in x.shapes]
    row = b.reshape(row, [(prod(s[:-1]),) for s in index.shapes])
    changes = b.reshape(updates, [(prod(s[:-1]), r) for s, r in zip(index.shapes, rest, strict=True)])
    rows = b.reshape(x, [(prod(s[:width]), r) for s, r in zip(x.shapes, rest, strict=True)])
    if how == "none":
        made = b.call("_contrib_index_copy", rows, row, changes, truth=x.truth)
    elif how in _JOINED:
        made = _reduce_updates(b, rows, row, changes, how)
    else:
        raise MXNetNotImplementedError(f"a scatter with the reduction {how!r}")
    return b.call("reshape_like", made, x, truth=x.truth) if not x.has_fixed_shape else b.reshape(made, x.shapes)


def _from_the_end(b: Builder, index: Value, size: int) -> Value:
    """Without negative indices, which count from the end."""
    if index.constant:
        return b.consts([t % max(size, 1) for t in index.trials])
    below = b.call("_lesser_scalar", index, scalar=0.0)
    return b.binary("broadcast_add", index, b.call("_mul_scalar", below, scalar=float(size)))


def _reduce_updates(b: Builder, rows: Value, row: Value, changes: Value, how: str) -> Value:
    """Rows joined with all the changes that are meant for them: by a matrix of which is meant for which."""
    if any(s[0] * c[0] * s[1] > LARGEST >> 4 for s, c in zip(rows.shapes, changes.shapes, strict=True)):
        raise MXNetNotImplementedError(f"a scatter with the reduction {how!r} of {changes.shape} into {rows.shape}")
    reduction, join = _JOINED[how]
    limits = torch.finfo(rows.dtype) if rows.dtype.is_floating_point else torch.iinfo(rows.dtype)
    neutral = {"add": 0, "mul": 1, "max": limits.min, "min": limits.max}[how]
    if rows.dtype.is_floating_point and how in ("max", "min"):
        neutral = -math.inf if how == "max" else math.inf
    own = b.reshape(counting(b, rows, 0), [(1, s[0]) for s in rows.shapes])
    meant = b.binary("broadcast_equal", b.reshape(row, [(s[0], 1) for s in row.shapes]), own)  # (changes, rows)
    spread = b.reshape(changes, [(s[0], 1, s[1]) for s in changes.shapes])
    full = b.call("broadcast_mul", b.call("ones_like", b.cast(b.reshape(meant, [(*s, 1) for s in meant.shapes]),
                                                              rows.dtype)), spread)  # fmt: skip
    mask = b.call("broadcast_like", b.reshape(meant, [(*s, 1) for s in meant.shapes]), full, bare=False)
    other = b.call("_plus_scalar", b.call("zeros_like", full), scalar=float(neutral))
    total = b.call(reduction, b.call("where", mask, full, other), axis=(0,))
    return b.binary(join, rows, total)


@importer("OneHot")
def one_hot(b: Builder, n: OnnxNode) -> Value:
    depth, values = b.ints(n.need(1), "the depth")[0], n.need(2)
    if not values.constant:
        raise MXNetNotImplementedError("values that are only known when the model runs")
    off, on = values.trials[0].tolist()
    index = b.call("_mod_scalar", n.x, scalar=float(depth))
    inside = b.binary("broadcast_equal", index, index)
    if n.x.constant:
        inside = b.cast(b.consts([((t >= -depth) & (t < depth)).float() for t in n.x.trials]), index.dtype)
    else:
        above = b.call("_greater_equal_scalar", n.x, scalar=float(-depth))
        inside = b.binary("broadcast_mul", above, b.call("_lesser_scalar", n.x, scalar=float(depth)))
    # what is out of range becomes an index that has no place
    shifted = b.call("_plus_scalar", index, scalar=1.0)
    index = b.call("_minus_scalar", b.binary("broadcast_mul", shifted, inside), scalar=1.0)
    hot = b.call("one_hot", index, depth=depth, on_value=on, off_value=off, dtype=values.dtype, bare=False)
    if n.x.scalar:
        hot = b.reshape(hot, [(depth,)] * b.trials)
    axis = n.get("axis", -1) % (n.x.ndim + 1)
    return b.transpose(hot, [*range(axis), n.x.ndim, *range(axis, n.x.ndim)])


@importer("NonZero")
def non_zero(b: Builder, n: OnnxNode) -> Value:
    x = n.x
    if x.constant:
        return b.consts([(t.reshape(()) if x.scalar else t).nonzero().t().contiguous() for t in x.trials])
    if x.scalar:
        raise MXNetNotImplementedError("the places in what has no dimensions")
    flat = [b.reshape(coordinates(b, x, axis), [(prod(s),) for s in x.shapes]) for axis in range(x.ndim)]
    rows = b.call("stack", *flat, axis=1) if len(flat) > 1 else b.reshape(flat[0], [(prod(s), 1) for s in x.shapes])
    mask = b.call("_not_equal_scalar", b.reshape(x, [(prod(s),) for s in x.shapes]), scalar=0.0)
    return b.transpose(b.select_rows(rows, mask), [1, 0])


@importer("Compress")
def compress(b: Builder, n: OnnxNode) -> Value:
    x, axis, condition = n.x, n.get("axis"), n.need(1)
    if axis is None:
        x, axis = b.reshape(x, [(t.numel(),) for t in x.trials]), 0
    axis %= x.ndim
    if condition.constant:
        places = b.consts([t.bool().nonzero().reshape(-1) for t in condition.trials])
        return b.call("take", x, places, axis=axis, truth=x.truth)
    if any(c[0] != s[axis] for c, s in zip(condition.shapes, x.shapes, strict=True)):
        if not condition.has_fixed_shape:
            raise MXNetNotImplementedError("a condition that is shorter than the axis, of a dynamic length")
        x = b.slice(x, axis, 0, condition.shape[0])
    front = [axis, *(a for a in range(x.ndim) if a != axis)]
    found = b.select_rows(b.transpose(x, front), condition)
    return b.transpose(found, [*range(1, axis + 1), 0, *range(axis + 1, x.ndim)])


@importer("ReverseSequence")
def reverse_sequence(b: Builder, n: OnnxNode) -> Value:
    time, batch = n.get("time_axis", 0), n.get("batch_axis", 1)
    if {time, batch} != {0, 1}:
        raise MXNetNotImplementedError("axes other than 0 and 1")
    swap = [1, 0, *range(2, n.x.ndim)]
    x = n.x if time == 0 else b.transpose(n.x, swap)
    lengths = b.cast(n.need(1), torch.float32)
    made = b.call("SequenceReverse", x, lengths, use_sequence_length=True, bare=False)
    return made if time == 0 else b.transpose(made, swap)
