"""Passes as rules: what replaces the steps that a pattern finds.

To add a fusion, describe it by a pattern, write the function that makes the new steps of a match, and apply the rule:

    DATA, WEIGHT, BIAS = Value(), Value(), Value()
    DENSE = Apply("FullyConnected", DATA, WEIGHT, BIAS)
    GELU = Apply("gelu", DENSE)

    def _fuse(match: Match) -> Step:
        return match[DENSE].fuse(match.operators, _dense_gelu, [match[DATA], match[WEIGHT], match[BIAS]])

    def fuse_dense_gelu(plan: Plan) -> Plan:
        return apply_rules(plan, Rule(GELU, _fuse))

and list ``fuse_dense_gelu`` in ``passes/__init__.py``. The kernel ``_dense_gelu`` gets the values that the new step
reads. It returns None for inputs that it is not made for: then the steps that were replaced run instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ..patterns import Apply, Dataflow, Match
from ..step import Plan, Step


class Rule(NamedTuple):
    """A pattern, and what to put in the place of the steps that it finds.

    ``replace`` returns one step, which takes the place of the last step found; or a step for each of those found, in
    their order; or None if the match will not do: then the next way to match is tried.
    """

    pattern: Apply
    replace: Callable[[Match], Step | Sequence[Step] | None]


def apply_rules(plan: Plan, *rules: Rule) -> Plan:
    """The plan with everything replaced that the rules find.

    Of matches that overlap, that of the earlier rule counts, and then the one that ends earlier.
    """
    flow = Dataflow.of_plan(plan)
    changed: dict[int, Step | None] = {}
    for rule in rules:
        for root in plan.steps:
            changed.update(_change(rule, flow, root, changed))
    if not changed:
        return plan
    steps = [changed.get(id(step), step) for step in plan.steps]
    return plan.with_steps([step for step in steps if step is not None])


def _change(rule: Rule, flow: Dataflow, root: Step, changed: Mapping[int, object]) -> dict[int, Step | None]:
    """What stands for the steps of a match that ends with ``root``, by their identity; None for those that go."""
    for match in flow.match(rule.pattern, root):
        if any(id(step) in changed for step in match.operators):
            continue
        new = rule.replace(match)
        if isinstance(new, Step):
            new = [*[None] * (len(match.operators) - 1), new]  # type: ignore[list-item]
        if new is not None:
            return {id(old): step for old, step in zip(match.operators, new, strict=True) if step is not old}
    return {}
