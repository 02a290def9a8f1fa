"""Placement: values that an operator on another context reads are copied there first."""

from __future__ import annotations

from dataclasses import replace

from ...context import Context
from ...error import MXNetValueError
from ...ops.registry import get
from ..node import Node
from ..patterns import Dataflow
from ..step import Move, Plan, Step


def insert_copies(plan: Plan) -> Plan:
    """With a step that copies, once for each context, wherever a step reads what is elsewhere."""
    contexts = plan.contexts()
    if len({*contexts.values()}) < 2:
        return plan
    slot = max(contexts) + 1
    copies: dict[tuple[int, Context], int] = {}
    writers = Dataflow.of_plan(plan).writers
    steps: list[Step] = []
    for step in plan.steps:
        reads = list(step.reads)
        written = {*step.op.aux_positions(step.node.parsed()), *step.op.mutable_inputs(step.node.parsed(), len(reads))}
        for place, source in enumerate(step.reads):
            if source < 0 or contexts[source] is step.context:
                continue
            if place in written and source < plan.inputs:
                raise MXNetValueError(
                    f"{step.node.name} runs on {step.context} and writes to its input {step.op.inputs[place]!r}, which "
                    f"is on {contexts[source]}: bind that array on {step.context}"
                )
            key = source, step.context
            if key not in copies:
                name = writers[source].node.name if source in writers else f"input{source}"
                steps.append(_copy(f"{name}_copy", source, slot, step.context))
                copies[key] = slot
                slot += 1
            reads[place] = copies[key]
        steps.append(step if tuple(reads) == step.reads else replace(step, reads=tuple(reads)))
    return plan.with_steps(steps)


def _copy(name: str, source: int, target: int, context: Context) -> Step:
    op = get("_copy")
    return Step(Node(op, name), op, Move(context), (source,), (target,), {}, {}, False, context)
