"""How much memory the values of a plan take, without running it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import torch

from .infer import graph_dtypes, graph_shapes
from .node import Entry
from .step import Plan


def held_bytes(
    plan: Plan,
    outputs: Sequence[Entry],
    inputs: Mapping[str, tuple[tuple[int, ...], torch.dtype]],
    learned: Collection[int],
) -> int:
    """The most that is held at a time besides the inputs, if nothing is computed in place or again.

    ``inputs`` are told by shape and dtype. Values on the way from ``learned`` ones to an output stay for backward, the
    others go after their last use.
    """
    dtypes = graph_dtypes(outputs, {name: dtype for name, (_, dtype) in inputs.items()})
    shapes = graph_shapes(outputs, {name: shape for name, (shape, _) in inputs.items()})
    sizes = {
        key: math.prod(shape) * dtype.itemsize
        for key, shape in shapes.items()
        if shape is not None and (dtype := dtypes.get(key)) is not None
    }
    depends, matters = set(learned), set(plan.outputs)
    for step in plan.steps:
        if not step.op.stops_gradient and not depends.isdisjoint(step.reads):
            depends.update(step.writes)
    for step in reversed(plan.steps):
        if not step.op.stops_gradient and not matters.isdisjoint(step.writes):
            matters.update(step.reads)
    bytes_of = {slot: sizes.get((step.node, i), 0) for step in plan.steps for i, slot in enumerate(step.writes)}
    now = most = 0
    for step in plan.steps:
        now += sum(bytes_of[slot] for slot in step.writes)
        most = max(most, now)
        now -= sum(bytes_of.get(slot, 0) for slot in step.drops if not (slot in depends and slot in matters))
    return most
