"""Activations after the max pooling that follows them: the same numbers, computed for the winners only."""

from __future__ import annotations

from dataclasses import replace

from ..patterns import Apply, Match
from ..step import Plan, Step
from .rules import Rule, apply_rules


def _shrinks(step: Step) -> bool:
    if step.attribute("pool_type") != "max" or len(step.writes) != 1:
        return False
    # By the other conventions a window may lie in the padding, whose minus infinity must not meet the activation.
    return step.attribute("pooling_convention") == "valid" and (
        step.attribute("global_pool") or any(n > 1 for n in step.attribute("stride"))
    )


#: These activations never fall, so that the largest of a window stays the largest; where they are flat, the gradient
#: is zero.
POOLED = Apply("Pooling", Apply("relu sigmoid softrelu tanh"), where=_shrinks)


def pool_before_activation(plan: Plan) -> Plan:
    """``max_pool(tanh(x))`` becomes ``tanh(max_pool(x))`` where nothing else reads the activation."""
    return apply_rules(plan, Rule(POOLED, _swap))


def _swap(match: Match) -> list[Step]:
    activation, pool = match.operators
    between = pool.reads[0]  # the slot in between now holds what the pooling gives
    return [
        replace(pool, reads=activation.reads, writes=(between,)),
        replace(activation, reads=(between,), writes=pool.writes),
    ]
