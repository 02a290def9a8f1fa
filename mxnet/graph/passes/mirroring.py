"""Mirroring: results that the backward pass needs are computed again then, instead of being kept since forward.

Which ones: those of nodes with the attribute ``__force_mirroring__``; with MXNET_BACKWARD_DO_MIRROR=1 also those of
cheap operators or, if some nodes end stages by ``__mirror_stage__``, of all operators but these.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import torch

from ..._core import config
from ...ops.registry import OpDef
from ..node import Node
from ..step import Plan, Step

#: Operators that are quick to compute again from what is kept anyway.
_CHEAP = frozenset("Activation BatchNorm LeakyReLU _npi_tanh _npx_relu _npx_sigmoid relu sigmoid tanh".split())

_TRUE = ("1", "True", "true")


def mirrored_steps(plan: Plan) -> dict[int, Step]:
    """The steps to be computed again, by the slots they write. Outputs of the program and random numbers are kept."""
    everywhere = mirrors_everywhere()
    staged = any(_is_set(step.node, "__mirror_stage__") for step in plan.steps)
    found: dict[int, Step] = {}
    for step in plan.steps:
        if step.op.mutates or step.op.view or not is_mirrored(step.node, step.op, everywhere, staged):
            continue
        if not any(slot in plan.outputs for slot in step.writes):
            found.update(dict.fromkeys(step.writes, step))
    return found


def mirrors_everywhere() -> bool:
    """Does the environment ask for mirroring where nodes say nothing of it?"""
    return config.BACKWARD_DO_MIRROR.get()


def is_mirrored(node: Node, op: OpDef, everywhere: bool, staged: bool) -> bool:
    """Is a node one that is computed again? ``staged``: some nodes of the graph end stages."""
    if "__force_mirroring__" in node.attrs:
        wanted = _is_set(node, "__force_mirroring__")
    elif staged:
        wanted = everywhere and not _is_set(node, "__mirror_stage__")
    else:
        wanted = everywhere and op.name in _CHEAP
    # random numbers would be others the second time
    return wanted and not node.draws and not node.subgraphs and op.name != "Custom"


def _is_set(node: Node, attribute: str) -> bool:
    return node.attrs.get(attribute) in _TRUE


class _Recipe:
    """How to compute a mirrored step again: from tensors, and from the results of other recipes."""

    def __init__(self, step: Step, inputs: list[tuple[_Recipe, int] | torch.Tensor | None]):
        self._step, self._inputs = step, inputs
        #: How often autograd will still ask; until then a computed value is kept.
        self.pending = 0
        self._values: dict[int, Any] | None = None

    def value(self, slot: int) -> torch.Tensor:
        """The result in a slot, computed if it is not there."""
        if self._values is not None:
            return self._values[slot]
        # One after the other rather than by recursion: a chain may be longer than Python's stack.
        order = self._missing()
        uses = Counter(source[0] for recipe in order for source in recipe._inputs if isinstance(source, tuple))
        made: dict[_Recipe, dict[int, Any]] = {}
        for recipe in order:
            values: dict[int, Any] = {-1: None}
            for place, source in zip(recipe._step.reads, recipe._inputs, strict=True):
                if isinstance(source, tuple):
                    values[place] = (source[0]._values or made[source[0]])[source[1]]
                    uses[source[0]] -= 1
                    if not uses[source[0]]:
                        made.pop(source[0], None)
                else:
                    values[place] = source
            with torch.no_grad():
                recipe._step.run(values, True)
            made[recipe] = {written: values[written] for written in recipe._step.writes}
            if recipe.pending > 0:
                recipe._values = made[recipe]
        return made[self][slot]

    def _missing(self) -> list[_Recipe]:
        """The recipes without values that this one needs, and itself, in the order of computing."""
        order: list[_Recipe] = []
        seen: set[_Recipe] = {self}
        stack = [(self, iter(self._inputs))]
        while stack:
            recipe, sources = stack[-1]
            for source in sources:
                if isinstance(source, tuple) and source[0]._values is None and source[0] not in seen:
                    seen.add(source[0])
                    stack.append((source[0], iter(source[0]._inputs)))
                    break
            else:
                order.append(recipe)
                stack.pop()
        return order

    def release(self) -> None:
        self.pending -= 1
        if self.pending <= 0:
            self._values = None


class _Note:
    """What autograd keeps of a saved tensor: it, or the recipe of a value and where it lies in that."""

    __slots__ = ("layout", "offset", "recipe", "slot", "tensor", "view")

    def __init__(self, tensor: torch.Tensor):
        self.tensor: torch.Tensor | None = tensor
        self.recipe: _Recipe | None = None
        self.slot = -1
        self.layout: tuple[int, ...] = ()
        self.view: tuple[tuple[int, ...], tuple[int, ...]] | None = None
        self.offset = 0

    def replace(self, recipe: _Recipe, slot: int, value: torch.Tensor) -> None:
        """Forgets the tensor if it lies in a value that a recipe gives: as a whole, or as a view such as a matrix."""
        saved = self.tensor
        if saved is None or not saved.numel() or saved.dtype is not value.dtype:
            return
        offset, rest = divmod(saved.data_ptr() - value.data_ptr(), value.element_size())
        if saved.shape != value.shape or saved.stride() != value.stride() or offset:
            inside = not rest and 0 <= offset and offset + _extent(saved) <= _extent(value)
            if not inside or _extent(value) != value.numel():
                return
            self.view = tuple(saved.shape), saved.stride()
        self.tensor, self.recipe, self.slot = None, recipe, slot
        self.layout, self.offset = value.stride(), offset
        recipe.pending += 1

    def unpack(self) -> torch.Tensor:
        if self.recipe is None:
            assert self.tensor is not None
            return self.tensor
        value = self.recipe.value(self.slot)
        self.recipe.release()
        if self.view is None:
            return value
        if value.stride() != self.layout:
            value = torch.empty_strided(value.shape, self.layout, dtype=value.dtype, device=value.device).copy_(value)
        return value.as_strided(*self.view, value.storage_offset() + self.offset)


def _extent(tensor: torch.Tensor) -> int:
    """How many elements of memory a tensor spans."""
    return 1 + sum((n - 1) * step for n, step in zip(tensor.shape, tensor.stride(), strict=True))


class Mirror:
    """Runs steps so that autograd saves recipes instead of mirrored results."""

    def __init__(self, mirrored: dict[int, Step]):
        self._mirrored = mirrored
        self._recipes: dict[int, _Recipe] = {}
        self._notes: list[_Note] = []

    def run(self, step: Step, slots: list[Any], training: bool) -> None:
        """Runs one step in training mode."""
        if self._mirrored.keys().isdisjoint((*step.reads, *step.writes)):
            step.run(slots, True)
            return
        with torch.autograd.graph.saved_tensors_hooks(self._pack, _Note.unpack):
            step.run(slots, True)
        if step.writes[0] in self._mirrored:
            inputs = [self._source(slot, slots[slot]) for slot in step.reads]
            self._recipes.update(dict.fromkeys(step.writes, _Recipe(step, inputs)))
        for slot in (*step.reads, *step.writes):
            if slot in self._recipes and slots[slot].numel():
                for note in self._notes:
                    note.replace(self._recipes[slot], slot, slots[slot])
        self._notes = []

    def _pack(self, tensor: torch.Tensor) -> _Note:
        note = _Note(tensor)
        self._notes.append(note)
        return note

    def _source(self, slot: int, value: torch.Tensor | None) -> tuple[_Recipe, int] | torch.Tensor | None:
        if slot in self._recipes:
            return self._recipes[slot], slot
        return None if value is None else value.detach()
