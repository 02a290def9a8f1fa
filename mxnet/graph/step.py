"""Steps: the kernel calls a program is made of, and the plan that lists them."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import torch

from .._core.tracing import is_traced
from .._rng import generator
from ..context import Context
from ..error import MXNetError
from ..ops.explain import explain_call
from ..ops.registry import OpDef
from ..ops.sparse import Sparse, makes_sparse, run as run_by_storage
from .activations import Activation, activation
from .node import Node

#: Operators that pass their first input on.
_IDENTITIES = frozenset(("BlockGrad", "_copy", "_np_copy", "make_loss"))
_EXPLAINED = (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError)
Slots = list[Any] | MutableMapping[int, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One kernel call: which slots it reads and writes.

    A fused step has the ``parts`` that it stands for. Its kernel may return None for inputs that it is not made for (or
    that are wrong): then the parts are run, which also say what is wrong.
    """

    node: Node
    op: OpDef
    kernel: Callable[..., Any]
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    predict: dict[str, Any]
    train: dict[str, Any]
    wants_rng: bool
    context: Context
    parts: tuple[Step, ...] = ()

    def run(self, slots: Slots, training: bool) -> None:
        """Calls the kernel on what is in the slots and puts the results there."""
        attrs = self.train if training else self.predict
        if self.wants_rng:
            attrs = {**attrs, "_rng": None if is_traced() else generator(self.context)}
        try:
            result = self.kernel(*[slots[i] for i in self.reads], **attrs)
        except MXNetError:
            raise
        except _EXPLAINED as error:
            problem = explain_call(self.op, [slots[i] for i in self.reads], attrs, error)
            raise type(problem)(f"Error in operator {self.node.name}: {problem}") from error
        writes = self.writes
        if result.__class__ is torch.Tensor:
            slots[writes[0]] = result
        elif result is None and self.parts:
            own: dict[int, Any] = {slot: slots[slot] for slot in self.reads}
            for part in self.parts:
                part.run(own, training)
            for slot in writes:
                slots[slot] = own[slot]
        elif len(writes) == 1:
            slots[writes[0]] = result if isinstance(result, torch.Tensor | Sparse) else result[0]
        else:
            for slot, value in zip(writes, result, strict=True):
                slots[slot] = value

    def attribute(self, name: str) -> Any:
        """An attribute of the operator, or its default."""
        return self.op.with_defaults(self.node.parsed())[name]

    @property
    def has_effects(self) -> bool:
        """Does it do more than give results? Such steps stay in their order."""
        return any(step.node.has_effects for step in self.parts or (self,))

    def activation(self) -> Activation | None:
        """The kind of activation that this step is, with its numbers; None if it is none, or a fused step."""
        return None if self.parts or len(self.reads) != 1 else activation(self.node)

    def is_identity(self) -> bool:
        """Does it, in prediction, just pass its first input on?"""
        if self.op.name == "Dropout":
            attrs = self.op.with_defaults(self.node.parsed())
            return not moves(self) and (attrs["mode"] != "always" or attrs["p"] == 0)
        return self.op.name in _IDENTITIES and not moves(self)

    def fuse(self, parts: Sequence[Step], kernel: Callable[..., Any], reads: Sequence[int], **attrs: Any) -> Step:
        """One step instead of the ``parts``, of which this is one: it writes what the last of them writes."""
        flat = [simple for part in parts for simple in (part.parts or (part,))]
        return replace(
            self,
            kernel=kernel,
            reads=tuple(reads),
            writes=parts[-1].writes,
            predict=attrs,
            train=attrs,
            wants_rng=False,
            parts=tuple(flat),
        )


class Runner(Protocol):
    """Something that runs steps in its own way: to watch them, or to compute them again later."""

    def run(self, step: Step, slots: list[Any], training: bool) -> None:
        """Runs one step."""


@dataclass(frozen=True)
class Plan:
    """What a pass takes and gives: steps over slots. The first ``inputs`` slots are variables, ``outputs`` stay."""

    steps: tuple[Step, ...]
    inputs: int
    outputs: tuple[int, ...]
    #: Where the variables are.
    places: tuple[Context, ...] = field(default=())

    def with_steps(self, steps: Sequence[Step]) -> Plan:
        """The same program with other steps."""
        return replace(self, steps=tuple(steps))

    def contexts(self) -> dict[int, Context]:
        """Where each value is."""
        found = dict(enumerate(self.places))
        found.update((slot, step.context) for step in self.steps for slot in step.writes)
        return found

    @cached_property
    def drops(self) -> list[tuple[int, ...]]:
        """For each step the values that go after it: all but inputs and outputs, at their last use."""
        last: dict[int, int] = {}
        for number, step in enumerate(self.steps):
            for slot in (*step.writes, *step.reads):
                last[slot] = number
        keep = {-1, *range(self.inputs), *self.outputs}
        drops: list[list[int]] = [[] for _ in self.steps]
        for slot, number in last.items():
            if slot not in keep:
                drops[number].append(slot)
        return [tuple(slots) for slots in drops]

    def verify(self) -> Plan:
        """Raises AssertionError if the plan cannot be right; gives it back."""
        there: set[int] = {-1, *range(self.inputs)}
        contexts = self.contexts() if self.places else {}
        for step in self.steps:
            assert there.issuperset(step.reads), f"{step.node} reads what is not there: {step.reads}"
            assert there.isdisjoint(step.writes), f"{step.node} writes what is there already: {step.writes}"
            for slot in step.reads:
                place = contexts.get(slot, step.context)
                assert place is step.context or moves(step), f"{step.node} on {step.context} reads from {place}"
            if step.parts:
                own = {-1, *step.reads}
                for part in step.parts:
                    assert own.issuperset(part.reads), f"{part.node} in {step.node} reads what is not there"
                    own.update(part.writes)
                assert own.issuperset(step.writes), f"the parts of {step.node} do not write what it writes"
            there.update(step.writes)
        assert there.issuperset(self.outputs), "an output is not there at the end"
        return self


class _Copy(torch.autograd.Function):
    """A copy on another device, and of its gradient back: also where both are virtual ones on the host."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor, device: torch.device) -> torch.Tensor:
        ctx.home = value.device
        return value.to(device, copy=True)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:  # type: ignore[override]
        return _Copy.apply(grad, ctx.home), None


class Move:
    """The kernel of a step that brings a value to another context."""

    def __init__(self, context: Context):
        self._device = context.torch_device

    def __call__(self, value: torch.Tensor) -> torch.Tensor:
        return _Copy.apply(value, self._device)


class ByStorage:
    """The kernel of a step for values of any storage type."""

    def __init__(self, step: Step):
        self._op, self._kernel = step.op, step.kernel
        self._plain = not makes_sparse(step.op, step.node.parsed())

    def __call__(self, *values: Any, **attrs: Any) -> Any:
        if self._plain and not any(isinstance(value, Sparse) for value in values):
            return self._kernel(*values, **attrs)
        if isinstance(self._kernel, Move):
            return values[0].map(lambda part: part.to(self._kernel._device, copy=True))
        return run_by_storage(self._op, values, attrs)


def moves(step: Step) -> bool:
    """Does the step bring a value from one context to another?"""
    return isinstance(step.kernel, Move)
