"""The cross entropy with labels, as losses are written: log_softmax, pick, a minus, the mean for each example."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch

from ...ops.nn.cross_entropy import log_softmax_pick
from ..step import Plan, Step, is_private


def fuse_cross_entropy(plan: Plan) -> Plan:
    """``pick(log_softmax(x), label)``, times a number and averaged, becomes one step.

    Only if nothing else reads what is between.
    """
    readers, writers = plan.readers(), plan.writers()
    steps = {id(step): step for step in plan.steps}

    def after(step: Step) -> Step | None:
        slot = step.writes[0]
        return readers[slot][0] if is_private(plan, slot, readers) else None

    for pick in plan.steps:
        softmax = writers.get(pick.reads[0]) if pick.op.name == "pick" else None
        if softmax is None or after(softmax) is not pick or not _fit(softmax, pick):
            continue
        chain: list[Step] = [softmax, pick]
        attrs = {"axis": pick.attribute("axis"), "keepdims": pick.attribute("keepdims")}
        follows = after(pick)
        if follows is not None and follows.op.name in ("_mul_scalar", "negative"):
            attrs["scale"] = -1.0 if follows.op.name == "negative" else float(follows.attribute("scalar"))
            chain.append(follows)
            follows = after(follows)
        kernel = log_softmax_pick.kernel
        if follows is not None and _is_mean_of_each(follows):
            kernel = partial(_averaged, follows)
            chain.append(follows)
        for step in chain:
            del steps[id(step)]
        steps[id(chain[-1])] = pick.fused(chain, kernel, (softmax.reads[0], pick.reads[1]), **attrs)
    return plan.with_steps([steps[id(step)] for step in plan.steps if id(step) in steps])


def _fit(softmax: Step, pick: Step) -> bool:
    if softmax.op.name != "log_softmax" or any(map(softmax.attribute, ("temperature", "dtype", "use_length"))):
        return False
    return softmax.attribute("axis") == pick.attribute("axis") and pick.attribute("mode") == "clip"


def _is_mean_of_each(step: Step) -> bool:
    """Does the step give the mean for each example, the first axis?"""
    if step.op.name != "mean" or not step.attribute("exclude") or step.attribute("keepdims"):
        return False
    return step.attribute("axis") in (0, (0,))


def _averaged(mean: Step, data: torch.Tensor, label: torch.Tensor, **attrs: Any) -> torch.Tensor:
    if data.dim() == 2 and attrs["axis"] in (-1, 1):  # the mean of one number
        return log_softmax_pick.kernel(data, label, **{**attrs, "keepdims": False})
    return mean.kernel(log_softmax_pick.kernel(data, label, **attrs), **mean.train)
