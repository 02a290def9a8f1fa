"""What passes look for in steps."""

from __future__ import annotations

from ..step import Step

#: Operators that give the sum of their two inputs.
SUMS = ("elemwise_add", "broadcast_add", "_grad_add")
PRODUCTS = ("elemwise_mul", "broadcast_mul")


def is_relu(step: Step) -> bool:
    """Is the step a relu, by whichever name?"""
    found = step.activation()
    return found is not None and found[0] == "relu"


def name(step: Step) -> str:
    """The name of an operator; activations go by what they do."""
    found = step.activation()
    return step.op.name if found is None else found[0]
