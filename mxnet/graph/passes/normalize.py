"""Batch norm together with the relu that follows it, and with a sum in between: fewer ways through memory."""

from __future__ import annotations

from collections.abc import Container
from functools import partial

import torch

from ...ops.nn.batch_norm import Options, normalized
from ..step import Plan, Step, is_private
from .patterns import SUMS, is_relu


def fuse_batch_norms(plan: Plan, mirrored: Container[int] = ()) -> Plan:
    """``relu(BatchNorm(x))`` and ``relu(BatchNorm(x) + y)`` become one step, if nothing else reads what is between.

    Either all of it is ``mirrored``, or nothing.
    """
    readers, writers = plan.readers(), plan.writers()
    steps = {id(step): step for step in plan.steps}

    def before(slot: int, relu: Step) -> Step | None:
        """The step whose result only the relu needs, or a sum before it."""
        alike = (slot in mirrored) is (relu.writes[0] in mirrored)
        return writers.get(slot) if alike and is_private(plan, slot, readers) else None

    for relu in plan.steps:
        if not is_relu(relu):
            continue
        found = before(relu.reads[0], relu)
        gone: list[Step] = [] if found is None else [found]
        others: tuple[int, ...] = ()
        if found is not None and found.op.name in SUMS:
            for slot, other in (found.reads, found.reads[::-1]):
                term = before(slot, relu)
                if term is not None and _is_plain(term):
                    found, gone, others = term, [term, found], (other,)
                    break
        if found is None or not _is_plain(found):
            continue
        for step in gone:
            del steps[id(step)]
        steps[id(relu)] = found.fused([*gone, relu], _kernel(found), (*found.reads, *others))
    return plan.with_steps([steps[id(step)] for step in plan.steps if id(step) in steps])


def _is_plain(step: Step) -> bool:
    return step.op.name == "BatchNorm" and len(step.writes) == 1 and not step.parts


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
