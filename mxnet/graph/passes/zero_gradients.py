"""Inputs that get a gradient of zeros from a step, and another one from elsewhere: the step takes them as constants.

A label that is given the shape of a prediction, or a comparison, has a gradient of zeros in MXNet: a variable that
learns from nothing else gets zeros. Where it also learns in a way that always leads to it, zeros add nothing, and
neither a node in torch's graph nor a search for variables without a gradient is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from ...ops.integers import without_graph
from ..step import Plan, Step

#: Operators that pass a gradient on to each input, but to one by which they only choose.
_DIFFERENTIABLE = frozenset(
    """
    Activation Concat FullyConnected Reshape SwapAxis _div_scalar _grad_add _minus_scalar _mul_scalar _plus_scalar
    _rdiv_scalar _rminus_scalar abs broadcast_add broadcast_div broadcast_mul broadcast_sub elemwise_add elemwise_div
    elemwise_mul elemwise_sub exp expand_dims log log1p log_softmax mean negative pick relu reshape_like sigmoid
    sqrt square sum tanh transpose where
    """.split()
)


def drop_zero_gradients(plan: Plan) -> Plan:
    """Replaces inputs that get only zeros by constants, if all variables that they depend on get a gradient anyway."""
    chosen = [_inputs_with_zeros(step) for step in plan.steps]
    if not any(chosen):
        return plan
    reached, learned = _outputs_behind(plan)
    behind = _variables_before(plan)
    steps: list[Step] = []
    constants: set[int] = set()
    for step, places in zip(plan.steps, chosen, strict=True):
        outputs = frozenset().union(*(reached[slot] for slot in step.writes))
        dropped = [i for i in places if all(v >= 0 and outputs <= learned[v] for v in behind[step.reads[i]])]
        if dropped == places and _kind(step) == "zero":
            constants.update(step.writes)
        dropped = [i for i in dropped if step.reads[i] not in constants]
        steps.append(replace(step, kernel=_WithConstants(step.kernel, dropped)) if dropped else step)
    return plan.with_steps(steps)


def _inputs_with_zeros(step: Step) -> list[int]:
    """The positions of inputs that get nothing but zeros from a step."""
    if _kind(step) == "zero":
        return [i for i, slot in enumerate(step.reads) if slot >= 0]
    chooser = getattr(step.kernel, "chooser", -1)
    return [chooser] if 0 <= chooser < len(step.reads) and step.reads[chooser] >= 0 else []


def _kind(step: Step) -> str:
    return step.op.gradient_kind(step.node.parsed())


def _outputs_behind(plan: Plan) -> tuple[dict[int, frozenset[int]], dict[int, frozenset[int]]]:
    """For each value the outputs that it leads to, and those from which it always gets a gradient."""
    outputs = {slot: frozenset([slot]) for slot in plan.outputs}
    slots = {*range(-1, plan.inputs), *(slot for step in plan.steps for slot in step.writes)}
    reached = {slot: outputs.get(slot, frozenset()) for slot in slots}
    learned = dict(reached)
    for step in reversed(plan.steps):
        after = frozenset().union(*(reached[slot] for slot in step.writes))
        passes = step.op.name in _DIFFERENTIABLE and _kind(step) == "flows" and len(step.writes) == 1
        chooser = getattr(step.kernel, "chooser", -1)
        for i, slot in enumerate(step.reads):
            reached[slot] |= after
            if passes and i != chooser:
                learned[slot] |= learned[step.writes[0]]
    return reached, learned


def _variables_before(plan: Plan) -> dict[int, frozenset[int]]:
    """For each value the variables that it is computed from; -1 among them stands for a loss, which always learns."""
    found = {slot: frozenset([slot]) for slot in range(plan.inputs)}
    found[-1] = frozenset()
    for step in plan.steps:
        before = frozenset().union(*(found[slot] for slot in step.reads))
        if _kind(step) == "loss":
            before |= {-1}
        found.update(dict.fromkeys(step.writes, before))
    return found


class _WithConstants:
    """A kernel that gets some of its inputs without their places in the graph."""

    def __init__(self, kernel: Callable[..., Any], places: list[int]):
        self._kernel, self._places = kernel, places

    def __call__(self, *values: torch.Tensor, **attrs: Any) -> Any:
        given = list(values)
        for i in self._places:
            if given[i].requires_grad:
                given[i] = without_graph(given[i]).detach()
        return self._kernel(*given, **attrs)
