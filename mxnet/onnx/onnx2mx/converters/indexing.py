"""Operators that pick by index."""

from __future__ import annotations

import torch

from ....error import MXNetNotImplementedError
from ..graph import Builder, OnnxNode, Value, importer


@importer("Gather")
def gather(b: Builder, n: OnnxNode) -> Value:
    x, index = n.x, n.need(1)
    axis = n.get("axis", 0) % max(x.ndim, 1)
    # "wrap" also for negative indices, which count from the end
    found = b.call("take", x, index, axis=axis, mode="wrap", truth=x.truth, bare=False)
    return b.reshape(found, [(*s[:axis], *s[axis + 1 :]) for s in x.shapes]) if index.scalar else found


@importer("GatherND")
def gather_nd(b: Builder, n: OnnxNode) -> Value:
    if n.get("batch_dims", 0):
        raise MXNetNotImplementedError("batch_dims")
    index = n.need(1)
    width = index.shape[-1]
    lifted = index if index.ndim > 1 else b.reshape(index, [(1, *s) for s in index.shapes])
    moved = b.transpose(lifted, [lifted.ndim - 1, *range(lifted.ndim - 1)])
    found = b.call("gather_nd", n.x, moved, truth=n.x.truth, bare=False)
    wanted = [(*i[:-1], *s[width:]) for s, i in zip(n.x.shapes, index.shapes, strict=True)]
    return b.reshape(found, wanted)


@importer("GatherElements")
def gather_elements(b: Builder, n: OnnxNode) -> Value:
    x, index = n.x, n.need(1)
    axis = n.get("axis", 0) % x.ndim
    for s, i in zip(x.shapes, index.shapes, strict=True):
        if i[:axis] != s[:axis] or i[axis + 1 :] != s[axis + 1 :]:
            raise MXNetNotImplementedError(f"indices of shape {i} into an array of shape {s}")
    count = index.shape[axis]
    if any(i[axis] != count for i in index.shapes) or count > 256:
        raise MXNetNotImplementedError("many or an open number of indices along the axis")
    picked = [
        b.call("pick", x, b.slice(index, axis, i, i + 1), axis=axis, keepdims=True, mode="wrap") for i in range(count)
    ]
    return picked[0] if count == 1 else b.call("Concat", *picked, dim=axis)


@importer("ScatterND")
def scatter_nd(b: Builder, n: OnnxNode) -> Value:
    if n.get("reduction", "none") != "none":
        raise MXNetNotImplementedError("a scatter with a reduction")
    x, index, updates = n.x, n.need(1), n.need(2)
    if not x.fixed:
        raise MXNetNotImplementedError("a scatter into an open shape")
    moved = b.transpose(index, [index.ndim - 1, *range(index.ndim - 1)])
    return b.call("_scatter_set_nd", x, updates, moved, shape=x.shape)


@importer("ScatterElements", "Scatter")
def scatter_elements(b: Builder, n: OnnxNode) -> Value:
    if n.get("reduction", "none") != "none":
        raise MXNetNotImplementedError("a scatter with a reduction")
    x, index, updates = n.x, n.need(1), n.need(2)
    axis = n.get("axis", 0) % x.ndim
    if not index.constant or not x.fixed or not index.fixed:
        raise MXNetNotImplementedError("a scatter by indices that are only known when the model runs")
    places = index.trials[0].long() % max(x.shape[axis], 1)
    grids = list(torch.meshgrid(*[torch.arange(d) for d in places.shape], indexing="ij"))
    grids[axis] = places
    return b.call("_scatter_set_nd", x, updates, b.const(torch.stack(grids)), shape=x.shape)


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
    if not n.x.constant:
        raise MXNetNotImplementedError("its shape is only known when the model runs")
    return b.consts([(t.reshape(()) if n.x.scalar else t).nonzero().t().contiguous() for t in n.x.trials])


@importer("Compress")
def compress(b: Builder, n: OnnxNode) -> Value:
    condition = n.need(1)
    if not condition.constant:
        raise MXNetNotImplementedError("its shape is only known when the model runs")
    places = b.consts([t.bool().nonzero().reshape(-1) for t in condition.trials])
    x, axis = n.x, n.get("axis")
    if axis is None:
        x, axis = b.reshape(x, [(t.numel(),) for t in x.trials]), 0
    return b.call("take", x, places, axis=axis % x.ndim)


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
