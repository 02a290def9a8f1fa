"""What MXNet calls the inputs and outputs of an operator where values are watched: by a Monitor, by an op hook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ...ops.registry import OpDef
from ..node import Node, argument_names
from .table import NAMED_GRADIENTS, gradient_takes, has_named_input, has_named_outputs, variadic_name


class WatchedName(str):
    """A name as callbacks get it: text that can be decoded and compared with bytes, which the original has there."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self.encode() == other if isinstance(other, bytes) else str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    #: As that of the same bytes, too.
    __hash__ = str.__hash__

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """The text."""
        return str(self)


def watched_inputs(node: Node) -> list[str]:
    """The inputs of a node: ``fc1_weight``, ``relu0_input0``."""
    op = node.op
    assert op is not None
    names = argument_names(op, node.parsed(), len(node.inputs))
    prefix = variadic_name(op)
    if prefix is not None:
        names = [f"{prefix}{i}" for i in range(len(node.inputs))]
    elif len(node.inputs) == 1 and op.variadic is None and not has_named_input(op):
        names = ["input0"]
    return [f"{node.name}_{name}" for name in names[: len(node.inputs)]]


def hooked_outputs(node: Node) -> list[str]:
    """The outputs of a node as op hooks get them: ``fc1_output``, but ``relu0_0``."""
    op = node.op
    assert op is not None
    if has_named_outputs(op) or op.output_names:
        return node.output_names()
    return [f"{node.name}_{i}" for i in range(node.num_outputs())]


@dataclass(frozen=True)
class GradientOp:
    """An operator that MXNet has for (a part of) the gradient of another one."""

    #: Its name after that of the other one; a copy of the head gradient has no name at all.
    ending: str | None
    #: What it takes, each with the name of the port ("": as usual, by number).
    takes: tuple[tuple[str, str], ...]
    #: The inputs whose gradients it gives.
    gives: tuple[str, ...]
    #: Just zeros: sums leave them out.
    zero: bool = False


def gradient_ops(op: OpDef, parsed: Mapping[str, Any], names: Sequence[str], flows: bool = True) -> list[GradientOp]:
    """What ``gradient_takes`` says of an operator with inputs of these names; zeros if no gradient ``flows``."""
    states = frozenset(op.aux_positions(parsed)) if op.aux else frozenset()
    return _gradient_ops(gradient_takes(op, parsed), op.name in NAMED_GRADIENTS, states, tuple(names), flows)


@lru_cache(1024)
def _gradient_ops(
    text: str, named: bool, states: frozenset[int], names: tuple[str, ...], flows: bool
) -> list[GradientOp]:
    always = named or text.startswith("always ")
    text = text.removeprefix("always ")
    if text == "zero" or (not flows and not always and "head" in text):
        endings = ["backward"] if len(names) == 1 else [f"in{i}_backward" for i in range(len(names))]
        return [GradientOp(end, (("", name),), (name,), True) for end, name in zip(endings, names, strict=True)]
    if text == "copy":
        return [GradientOp(None, (("", "head"),), (name,)) for name in names]
    learned = tuple(name for i, name in enumerate(names) if i not in states)
    found = []
    for part in text.split(";"):
        what, _, given = part.partition("->")
        ending, colon, words = what.rpartition(":")
        gives = tuple(given.split()) or learned
        zero = words.split() == ["zero"]
        takes = gives if zero else words.split()
        pairs = tuple((port, word) for port, _, word in (take.rpartition("=") for take in takes))
        found.append(GradientOp(ending.strip() if colon else "backward", pairs, gives, zero))
    return found


def gradient_outputs(op: OpDef, part: GradientOp) -> list[str]:
    """The results of such an operator: output, or output0, output1, ..."""
    if op.name in NAMED_GRADIENTS:
        return list(part.gives)
    return ["output" if len(part.gives) == 1 else f"output{i}" for i in range(len(part.gives))]
