"""Batch norm together with the relu that follows it, and with a sum in between: fewer ways through memory."""

from __future__ import annotations

from collections.abc import Container
from functools import partial

import torch

from ...ops.nn.batch_norm import Options, normalize
from ..patterns import SUM, Apply, Either, Match, Value
from ..step import Plan, Step
from .rules import Rule, apply_rules

OTHER = Value()
NORM = Apply("BatchNorm", where=lambda step: len(step.writes) == 1)
TOTAL = Apply(SUM, NORM, OTHER, any_order=True)
RELU = Apply("relu", Either(NORM, TOTAL))


def fuse_batch_norms(plan: Plan, mirrored: Container[int] = ()) -> Plan:
    """``relu(BatchNorm(x))`` and ``relu(BatchNorm(x) + y)`` become one step, if nothing else reads what is between.

    Either all of it is ``mirrored``, or nothing.
    """

    def fuse(match: Match) -> Step | None:
        norm, total = match[NORM], match.get(TOTAL)
        if len({step.writes[0] in mirrored for step in match.operators}) > 1:
            return None
        others = () if total is None else (match[OTHER],)
        return norm.fuse(match.operators, _kernel(norm), (*norm.reads, *others))

    return apply_rules(plan, Rule(RELU, fuse))


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
        return torch.relu(normalize(*inputs, options._replace(relu=False), axis)[0] + other)
    return normalize(*inputs, options, axis, other=other)[0]
