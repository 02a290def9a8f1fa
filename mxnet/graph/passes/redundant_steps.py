"""Steps that a prediction can do without: identities, and what another step has computed already."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..patterns import Dataflow
from ..step import Plan, Step


def remove_identities(plan: Plan) -> Plan:
    """Without Dropout and copies. Prediction only.

    What makes an output of the program stays, as do copies that some step may return a view of.
    """
    readers = Dataflow.of_plan(plan).readers
    same: dict[int, int] = {}
    steps = []
    for step in plan.steps:
        step = _rename_reads(step, same)
        free = step.op.view or not _is_viewed(step, readers)
        if free and step.writes[0] not in plan.outputs and step.is_identity():
            same[step.writes[0]] = step.reads[0]
        else:
            steps.append(step)
    return plan.with_steps(steps)


def merge_common(plan: Plan) -> Plan:
    """Without steps that repeat another one. Prediction only: loss layers count how often they are there.

    Outputs, and values that some step may return a view of, keep memory of their own.
    """
    readers = Dataflow.of_plan(plan).readers
    same: dict[int, int] = {}
    known: dict[Any, Step] = {}
    steps = []
    for step in plan.steps:
        step = _rename_reads(step, same)
        key = _key(step)
        if key is not None:
            twin = known.setdefault(key, step)
            if twin is not step and _is_free(plan, step, readers) and _is_free(plan, twin, readers):
                same.update(zip(step.writes, twin.writes, strict=True))
                continue
        steps.append(step)
    return plan.with_steps(steps)


def _key(step: Step) -> Any:
    """Equal for steps with equal results; None if there is no telling."""
    op = step.op
    if step.has_effects or op.specialize is not None or step.parts:
        return None
    return op, step.context, step.reads, tuple(sorted((k, repr(v)) for k, v in step.predict.items()))


def _is_free(plan: Plan, step: Step, readers: Mapping[Hashable, Sequence[Step]]) -> bool:
    if step.op.view or any(slot in plan.outputs for slot in step.writes):
        return False
    return not _is_viewed(step, readers)


def _is_viewed(step: Step, readers: Mapping[Hashable, Sequence[Step]]) -> bool:
    return any(r.op.view or r.node.subgraphs for slot in step.writes for r in readers.get(slot, ()))


def _rename_reads(step: Step, same: dict[int, int]) -> Step:
    reads = tuple(same.get(slot, slot) for slot in step.reads)
    return step if reads == step.reads else replace(step, reads=reads)
