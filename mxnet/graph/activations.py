"""Which operators are activations, and what they do."""

from __future__ import annotations

from collections.abc import Callable

from ..ops.registry import Attrs
from .node import Node

#: The kind of an activation ("relu", "leaky", "clip", ...) with its numbers.
Activation = tuple[str, tuple[float, ...]]
_RULES: dict[str, Callable[[Attrs], Activation | None]] = {
    **dict.fromkeys(("relu", "_npx_relu"), lambda attrs: ("relu", ())),
    **dict.fromkeys(("sigmoid", "_npx_sigmoid"), lambda attrs: ("sigmoid", ())),
    "tanh": lambda attrs: ("tanh", ()),
    "Activation": lambda attrs: (attrs["act_type"], ()),
    "LeakyReLU": lambda attrs: {"leaky": ("leaky", (attrs["slope"],)), "gelu": ("gelu", ())}.get(attrs["act_type"]),
    "clip": lambda attrs: ("clip", (attrs["a_min"], attrs["a_max"])),
}


def activation(node: Node) -> Activation | None:
    """The activation of one array that a node is, or None."""
    op = node.op
    rule = _RULES.get(op.name) if op is not None and len(node.inputs) == 1 else None
    return None if op is None or rule is None else rule(op.with_defaults(node.parsed()))
