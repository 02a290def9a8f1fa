"""The cross entropy with labels, as losses are written: log_softmax, pick, a minus, the mean for each example."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch

from ...ops.nn.cross_entropy import log_softmax_pick
from ..patterns import Apply, Either, Match, Value
from ..step import Plan, Step
from .rules import Rule, apply_rules


def _is_plain_softmax(step: Step) -> bool:
    return not any(map(step.attribute, ("temperature", "dtype", "use_length")))


def _is_mean_of_each(step: Step) -> bool:
    """Does the step give the mean for each example, the first axis?"""
    if not step.attribute("exclude") or step.attribute("keepdims"):
        return False
    return step.attribute("axis") in (0, (0,))


DATA, LABEL = Value(), Value()
SOFTMAX = Apply("log_softmax", DATA, where=_is_plain_softmax)
PICK = Apply("pick", SOFTMAX, LABEL, where=lambda step: step.attribute("mode") == "clip")
SCALED = Apply("_mul_scalar negative", PICK)
MEAN = Apply("mean", Either(SCALED, PICK), where=_is_mean_of_each)


def fuse_cross_entropy(plan: Plan) -> Plan:
    """``pick(log_softmax(x), label)``, times a number and averaged, becomes one step."""
    return apply_rules(plan, *[Rule(pattern, _fuse) for pattern in (MEAN, SCALED, PICK)])


def _fuse(match: Match) -> Step | None:
    pick, scaled, mean = match[PICK], match.get(SCALED), match.get(MEAN)
    if match[SOFTMAX].attribute("axis") != pick.attribute("axis"):
        return None
    attrs = {"axis": pick.attribute("axis"), "keepdims": pick.attribute("keepdims")}
    if scaled is not None:
        attrs["scale"] = -1.0 if scaled.op.name == "negative" else float(scaled.attribute("scalar"))
    kernel = log_softmax_pick.kernel if mean is None else partial(_mean_of_picks, mean)
    return pick.fuse(match.operators, kernel, (match[DATA], match[LABEL]), **attrs)


def _mean_of_picks(mean: Step, data: torch.Tensor, label: torch.Tensor, **attrs: Any) -> torch.Tensor:
    if data.dim() == 2 and attrs["axis"] in (-1, 1):  # the mean of one number
        return log_softmax_pick.kernel(data, label, **{**attrs, "keepdims": False})
    return mean.kernel(log_softmax_pick.kernel(data, label, **attrs), **mean.train)
