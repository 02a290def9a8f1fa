"""Recurrent layers that take their weights one by one instead of joined in a vector.

A layer of gluon joins its weights for the operator, which takes them apart again: two copies of all weights, and two of
their gradients, in each step of training.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch

from ..step import Plan, Step, is_private


@dataclass(frozen=True, slots=True)
class _WithPieces:
    """The kernel of a step that reads ``count`` weights where the operator has one vector."""

    kernel: Any
    count: int

    def __call__(self, data: torch.Tensor, *inputs: torch.Tensor | None, **attrs: Any) -> Any:
        return self.kernel(data, inputs[: self.count], *inputs[self.count :], **attrs)


def separate_weights(plan: Plan) -> Plan:
    """RNN reads what was reshaped and joined for it alone."""
    if not any(step.op.name == "_rnn_param_concat" for step in plan.steps):
        return plan
    readers, writers = plan.readers(), plan.writers()
    gone: set[int] = set()
    made: dict[int, Step] = {}
    for step in plan.steps:
        joined = writers.get(step.reads[1]) if step.op.name == "RNN" else None
        if joined is None or joined.op.name != "_rnn_param_concat" or not is_private(plan, step.reads[1], readers):
            continue
        if joined.attribute("dim") != 0 or joined.context != step.context:
            continue
        flat = [_flattened(slot, plan, readers, writers) for slot in joined.reads]
        if None in flat:
            continue
        pieces = [reshape.reads[0] for reshape in flat if reshape is not None]
        gone.update(id(part) for part in (joined, *flat))
        reads = (step.reads[0], *pieces, *step.reads[2:])
        parts = [*(reshape for reshape in flat if reshape is not None), joined, step]
        fused = step.fused(parts, _WithPieces(step.kernel, len(pieces)), reads)
        made[id(step)] = replace(fused, predict=step.predict, train=step.train, wants_rng=step.wants_rng)
    return plan.with_steps([made.get(id(step), step) for step in plan.steps if id(step) not in gone])


def _flattened(slot: int, plan: Plan, readers: dict[int, list[Step]], writers: Mapping[int, Step]) -> Step | None:
    """The step that makes a vector of a weight, which nobody else reads."""
    step = writers.get(slot)
    if step is None or step.op.name != "Reshape" or tuple(step.attribute("shape")) != (-1,):
        return None
    return step if is_private(plan, slot, readers) else None
