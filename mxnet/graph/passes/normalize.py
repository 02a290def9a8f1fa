"""Batch norm together with the relu that follows it, and with a sum in between: fewer ways through memory."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import torch

from ...ops.nn.batch_norm import Options, normalized
from ..step import Plan, Step, is_private
from .fuse import is_relu

_SUMS = frozenset({"elemwise_add", "broadcast_add", "_grad_add"})


def fuse_batch_norms(plan: Plan) -> Plan:
    """``relu(BatchNorm(x))`` and ``relu(BatchNorm(x) + y)`` become one step, if nothing else reads what is between."""
    readers, writers = plan.readers(), plan.writers()
    steps = {id(step): step for step in plan.steps}

    def normalization(slot: int) -> Step | None:
        step = writers.get(slot)
        if step is None or not _is_plain(step) or not is_private(plan, slot, readers):
            return None
        return step if id(step) in steps else None

    for relu in plan.steps:
        if not is_relu(relu) or len(relu.reads) != 1:
            continue
        between = relu.reads[0]
        found = normalization(between)
        others: tuple[int, ...] = ()
        if found is None:
            total = writers.get(between)
            if total is None or total.op.name not in _SUMS or not is_private(plan, between, readers):
                continue
            # Of two, the later one: the other summand is ready by then.
            choices = [(slot, step) for slot in total.reads if (step := normalization(slot)) is not None]
            if not choices:
                continue
            slot, found = choices[-1]
            others = (total.reads[1 - total.reads.index(slot)],)
            del steps[id(total)]
        del steps[id(found)]
        steps[id(relu)] = replace(
            found, kernel=_kernel(found), reads=(*found.reads, *others), writes=relu.writes, predict={}, train={}
        )
    return plan.with_steps([steps[id(step)] for step in plan.steps if id(step) in steps])


def _is_plain(step: Step) -> bool:
    return step.op.name == "BatchNorm" and len(step.writes) == 1 and step.kernel is step.op.kernel


def _kernel(step: Step) -> partial[torch.Tensor]:
    eps, momentum, fixed, moving = map(step.attribute, ("eps", "momentum", "fix_gamma", "use_global_stats"))
    options = Options(eps, momentum, fixed, not moving, relu=True)
    return partial(_normalize_and_cut, options, step.attribute("axis"))


def _normalize_and_cut(
    options: Options,
    axis: int,
    data: torch.Tensor,
    gamma: torch.Tensor,
    beta: torch.Tensor,
    moving_mean: torch.Tensor,
    moving_var: torch.Tensor,
    other: torch.Tensor | None = None,
) -> torch.Tensor:
    inputs = data, gamma, beta, moving_mean, moving_var
    if other is not None and other.shape != data.shape:  # a sum that repeats one of them
        return torch.relu(normalized(*inputs, options._replace(relu=False), axis)[0] + other)
    return normalized(*inputs, options, axis, other=other)[0]
