"""Losses begin the backward pass themselves: they have a gradient, whatever comes to their results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import torch

from ..step import Plan

#: Where a backward pass begins besides at outputs, and how to compute the gradient there.
Head = tuple[torch.Tensor, Callable[[], torch.Tensor]]


def shorten_heads(plan: Plan, heads: list[Head]) -> Plan:
    """Lets loss layers put the start of the backward pass into ``heads``, around autograd.

    Those that end the program, and those behind which no gradient goes: an ``argmax`` of a SoftmaxOutput trains.
    """
    read = {slot for step in plan.steps for slot in step.reads}
    reached = _slots_with_gradients(plan)
    steps = []
    for step in plan.steps:
        rule = step.op.rules.get("loss_head")
        result = step.writes[0]
        ends = result not in read and plan.outputs.count(result) == 1
        if rule is not None and (ends or result not in reached):
            step = replace(step, kernel=partial(_run_head, rule, step.kernel, heads))
        elif result not in reached and step.op.gradient_kind(step.node.parsed()) == "loss":
            step = replace(step, kernel=partial(_run_loss, step.kernel, heads))
        steps.append(step)
    return plan.with_steps(steps)


def _slots_with_gradients(plan: Plan) -> set[int]:
    """The slots that gradients come to."""
    reached = set(plan.outputs)
    for step in reversed(plan.steps):
        kind = step.op.gradient_kind(step.node.parsed())
        if kind == "loss" or (kind == "flows" and not reached.isdisjoint(step.writes)):
            reached.update(step.reads)
    return reached


def _run_loss(kernel: Callable, heads: list[Head], *inputs: torch.Tensor, **attrs: Any) -> Any:
    result = kernel(*inputs, **attrs)
    if isinstance(result, torch.Tensor) and result.requires_grad:
        heads.append((result, lambda: torch.ones_like(result)))
    return result


def _run_head(
    rule: Callable, kernel: Callable, heads: list[Head], data: torch.Tensor, *others: torch.Tensor, **attrs: Any
) -> Any:
    if torch.is_grad_enabled() and data.requires_grad:
        made = rule(data.detach(), *[other.detach() for other in others], **attrs)
        if made is not None:
            heads.append((data, made[1]))
            return made[0]
    return kernel(data, *others, **attrs)
