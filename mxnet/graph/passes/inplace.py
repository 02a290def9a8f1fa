"""Activations that overwrite what they read: half the memory of a layer, and fewer pages to fault in."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

import torch

from ..step import Plan, Step, is_private
from .patterns import is_relu


def relu_in_place(plan: Plan, mirrored: Container[int] = ()) -> Plan:
    """relu overwrites its input where nothing else reads that, now or in the backward pass.

    What is ``mirrored`` stays as it is: the computation would be repeated on an overwritten value.
    """
    readers, writers = plan.readers(), plan.writers()
    steps = []
    for step in plan.steps:
        if (
            is_relu(step)
            and is_private(plan, step.reads[0], readers)
            and step.reads[0] not in mirrored
            and step.writes[0] not in mirrored
            and _allows(writers[step.reads[0]])
        ):
            steps.append(replace(step, kernel=_relu_, predict={}, train={}))
        else:
            steps.append(step)
    return plan.with_steps(steps)


def _allows(producer: Step) -> bool:
    if not producer.op.frees_output or producer.parts or len(producer.writes) != 1:
        return False
    # A 1x1 convolution is a matrix product seen through a view, and writing into a view costs a copy in backward.
    return producer.op.name != "Convolution" or any(k != 1 for k in producer.attribute("kernel"))


def _relu_(data: torch.Tensor) -> torch.Tensor:
    if not data.is_floating_point():
        raise TypeError("it takes floating point inputs only; convert them with astype()")
    return torch.relu_(data)
