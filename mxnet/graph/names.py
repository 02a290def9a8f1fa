"""What MXNet calls the inputs and outputs of an operator where values are watched: by a Monitor, by an op hook."""

from __future__ import annotations

from ..ops.infer import same_shapes
from .node import Node, argument_names


def watched_inputs(node: Node) -> list[str]:
    """The inputs of a node: ``fc1_weight``, ``relu0_input0``."""
    op = node.op
    assert op is not None
    names = argument_names(op, node.parsed(), len(node.inputs))
    if op.variadic_name != "arg":
        names = [f"{op.variadic_name}{i}" for i in range(len(node.inputs))]
    elif len(node.inputs) == 1 and op.variadic is None:
        named = op.named_input
        if named is None:  # functions of single numbers have none
            named = op.rules.get("back") is not same_shapes
        names = names if named else ["input0"]
    return [f"{node.name}_{name}" for name in names[: len(node.inputs)]]


def hooked_outputs(node: Node) -> list[str]:
    """The outputs of a node as op hooks are told of them: ``fc1_output``, but ``relu0_0``."""
    op = node.op
    assert op is not None
    named = op.named_output
    if named is None:  # layers have, their names begin with a capital letter
        named = op.name.removeprefix("_contrib_")[:1].isupper()
    if named or op.output_names:
        return node.output_names()
    return [f"{node.name}_{i}" for i in range(node.num_outputs())]
