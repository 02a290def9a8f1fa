"""Sequences of tensors: lists of values, known in number when the model is imported."""

from __future__ import annotations

import torch

from ....error import MXNetNotImplementedError, MXNetValueError
from ..graph import Builder, OnnxNode, Value, ValueList, importer


def _sequence_values(n: OnnxNode) -> list[Value]:
    found = n.inputs[0] if n.inputs else None
    if not isinstance(found, ValueList):
        raise MXNetValueError("the first input must be a sequence")
    return list(found.values)


def _place(b: Builder, n: OnnxNode, index: int, count: int) -> int:
    place = b.ints(n.need(index), "the position")[0]
    if not -count <= place < max(count, 1):
        raise MXNetValueError(f"there is no position {place} in a sequence of {count}")
    return place % max(count, 1)


@importer("SequenceConstruct")
def construct(b: Builder, n: OnnxNode) -> ValueList:
    return ValueList([n.need(i) for i in range(len(n.inputs))])


@importer("SequenceEmpty")
def empty(b: Builder, n: OnnxNode) -> ValueList:
    return ValueList([])


@importer("SequenceAt")
def at(b: Builder, n: OnnxNode) -> Value:
    values = _sequence_values(n)
    return values[_place(b, n, 1, len(values))]


@importer("SequenceErase")
def erase(b: Builder, n: OnnxNode) -> ValueList:
    values = _sequence_values(n)
    del values[_place(b, n, 1, len(values)) if n.optional(1) is not None else -1]
    return ValueList(values)


@importer("SequenceInsert")
def insert(b: Builder, n: OnnxNode) -> ValueList:
    values = _sequence_values(n)
    values.insert(_place(b, n, 2, len(values) + 1) if n.optional(2) is not None else len(values), n.need(1))
    return ValueList(values)


@importer("SequenceLength")
def length(b: Builder, n: OnnxNode) -> Value:
    return b.const(torch.tensor(len(_sequence_values(n))))


@importer("ConcatFromSequence")
def join(b: Builder, n: OnnxNode) -> Value:
    values = _sequence_values(n)
    if not values:
        raise MXNetValueError("an empty sequence cannot be joined")
    if n.get("new_axis", 0):
        axis = n.attrs["axis"] % (values[0].ndim + 1)
        return b.call("stack", *values, axis=axis, truth=values[0].truth, bare=False)
    return values[0] if len(values) == 1 else b.call("Concat", *values, dim=n.attrs["axis"], truth=values[0].truth)


@importer("SplitToSequence")
def split(b: Builder, n: OnnxNode) -> ValueList:
    x, given = n.x, n.optional(1)
    axis = n.get("axis", 0) % x.ndim
    size = x.shape[axis]
    if any(s[axis] != size for s in x.shapes):
        raise MXNetNotImplementedError("a sequence of a dynamic number of parts: import it with input_shapes=")
    if given is None or given.scalar:
        each = 1 if given is None else b.ints(given, "the sizes")[0]
        if each < 1:
            raise MXNetValueError(f"parts of size {each}")
        sizes = [min(each, size - start) for start in range(0, size, each)]
    else:
        sizes = b.ints(given, "the sizes")
    if sum(sizes) != size or min(sizes, default=0) < 0:
        raise MXNetValueError(f"the sizes {sizes} do not fit axis {axis} of shape {x.shape}")
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    parts = [b.slice(x, axis, start, start + k) for start, k in zip(starts, sizes, strict=True)]
    if given is None and not n.get("keepdims", 1):
        parts = [b.reshape(p, [(*s[:axis], *s[axis + 1 :]) for s in p.shapes]) for p in parts]
    return ValueList(parts)
