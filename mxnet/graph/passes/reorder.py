"""Activations after the max pooling that follows them: the same numbers, computed for the winners only."""

from __future__ import annotations

from dataclasses import replace

from ..step import Plan, Step, is_private

#: They never fall, so that the largest of a window stays the largest; and where they are flat, the gradient is zero.
_RISING = ("relu", "sigmoid", "softrelu", "tanh")


def pool_before_activation(plan: Plan) -> Plan:
    """``max_pool(tanh(x))`` becomes ``tanh(max_pool(x))`` where nothing else reads the activation."""
    readers, writers = plan.readers(), plan.writers()
    steps = {id(step): step for step in plan.steps}
    for pool in plan.steps:
        activation = writers.get(pool.reads[0]) if pool.reads and _shrinks(pool) else None
        if activation is None or not _rises(activation) or not is_private(plan, pool.reads[0], readers):
            continue
        between = pool.reads[0]
        # The slot in between now holds what the pooling gives.
        steps[id(activation)] = replace(pool, reads=(activation.reads[0],), writes=(between,))
        steps[id(pool)] = replace(activation, reads=(between,), writes=pool.writes)
    return plan.with_steps([steps[id(step)] for step in plan.steps])


def _shrinks(step: Step) -> bool:
    if step.op.name != "Pooling" or step.attribute("pool_type") != "max" or len(step.writes) != 1:
        return False
    # By the other conventions a window may lie in the padding, whose minus infinity must not meet the activation.
    return step.attribute("pooling_convention") == "valid" and (
        step.attribute("global_pool") or any(n > 1 for n in step.attribute("stride"))
    )


def _rises(step: Step) -> bool:
    found = step.activation()
    return found is not None and found[0] in _RISING
