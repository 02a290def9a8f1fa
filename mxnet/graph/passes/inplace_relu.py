"""Activations that overwrite what they read: half the memory of a layer, and fewer pages to fault in."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

import torch

from ..patterns import Apply, Match
from ..step import Plan, Step
from .rules import Rule, apply_rules

#: Operators whose gradient does not need their result: an activation that follows may overwrite that.
_OVERWRITABLE = frozenset(("BatchNorm", "Convolution", "FullyConnected", "_grad_add", "broadcast_add", "elemwise_add"))


def _frees_output(producer: Step) -> bool:
    """Does the backward pass of a step do without its result?"""
    if producer.op.name not in _OVERWRITABLE or producer.parts or len(producer.writes) != 1:
        return False
    # Some are matrix products seen through a view, and writing into a view costs a copy in backward.
    if producer.op.name == "FullyConnected":
        return producer.attribute("flatten")
    return producer.op.name != "Convolution" or any(k != 1 for k in producer.attribute("kernel"))


RELU = Apply("relu", Apply(where=_frees_output))


def relu_in_place(plan: Plan, mirrored: Container[int] = ()) -> Plan:
    """relu overwrites its input where nothing else reads that, now or in the backward pass.

    What is ``mirrored`` stays unchanged: the computation would be repeated on an overwritten value.
    """

    def overwrite(match: Match) -> list[Step] | None:
        producer, relu = match.operators
        if relu.reads[0] in mirrored or relu.writes[0] in mirrored:
            return None
        return [producer, replace(relu, kernel=_relu_, predict={}, train={})]

    return apply_rules(plan, Rule(RELU, overwrite))


def _relu_(data: torch.Tensor) -> torch.Tensor:
    if not data.is_floating_point():
        raise TypeError("it takes floating point inputs only; convert them with astype()")
    return torch.relu_(data)
