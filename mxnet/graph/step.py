"""Steps: the kernel calls a program is made of."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from ..context import Context
from ..error import MXNetError
from ..ops.infer import explain_call
from ..ops.registry import OpDef
from ..rng import generator
from .node import Node

_EXPLAINED = (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError)


@dataclass(slots=True)
class Step:
    """One kernel call: which slots it reads and writes, and which are not needed afterwards."""

    node: Node
    op: OpDef
    kernel: Callable[..., Any]
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    predict: dict[str, Any]
    train: dict[str, Any]
    wants_rng: bool
    context: Context
    drops: tuple[int, ...] = ()

    def run(self, slots: list[Any] | MutableMapping[int, Any], training: bool) -> None:
        """Calls the kernel on what is in the slots and puts the results there; nothing is dropped."""
        attrs = self.train if training else self.predict
        if self.wants_rng:
            attrs = {**attrs, "_rng": generator(self.context)}
        try:
            result = self.kernel(*[slots[i] for i in self.reads], **attrs)
        except MXNetError:
            raise
        except _EXPLAINED as error:
            problem = explain_call(self.op, [slots[i] for i in self.reads], attrs, error)
            raise type(problem)(f"Error in operator {self.node.name}: {problem}") from error
        writes = self.writes
        if len(writes) == 1:
            slots[writes[0]] = result if isinstance(result, torch.Tensor) else result[0]
        else:
            for slot, value in zip(writes, result, strict=True):
                slots[slot] = value

    def attribute(self, name: str) -> Any:
        """An attribute of the operator, or its default."""
        return self.op.value(self.node.parsed(), name)


@dataclass(frozen=True)
class Plan:
    """What a pass takes and gives: steps over slots. The first ``inputs`` slots are variables, ``outputs`` stay."""

    steps: tuple[Step, ...]
    inputs: int
    outputs: tuple[int, ...]

    def with_steps(self, steps: Sequence[Step]) -> Plan:
        """The same program with other steps."""
        return replace(self, steps=tuple(steps))

    def readers(self) -> dict[int, list[Step]]:
        """Who reads each slot; a step that reads it twice is listed twice."""
        found: dict[int, list[Step]] = {}
        for step in self.steps:
            for slot in step.reads:
                found.setdefault(slot, []).append(step)
        return found

    def writers(self) -> dict[int, Step]:
        """Who writes each slot."""
        return {slot: step for step in self.steps for slot in step.writes}

    def planned(self) -> Plan:
        """With drops: each value but inputs and outputs goes at its last use, one that is never used at once."""
        last: dict[int, int] = {}
        for number, step in enumerate(self.steps):
            for slot in (*step.writes, *step.reads):
                last[slot] = number
        keep = {-1, *range(self.inputs), *self.outputs}
        drops: dict[int, tuple[int, ...]] = {}
        for slot, number in last.items():
            if slot not in keep:
                drops[number] = (*drops.get(number, ()), slot)
        return self.with_steps([replace(step, drops=drops.get(i, ())) for i, step in enumerate(self.steps)])


def is_private(plan: Plan, slot: int, readers: dict[int, list[Step]]) -> bool:
    """Is the value made inside the program and read exactly once?"""
    return slot >= plan.inputs and slot not in plan.outputs and len(readers.get(slot, ())) == 1
