"""Cells on top of each other, dropout between them, and cells in both directions."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ..._core.signature import takes
from ..._core.types import Array, Arrays
from ..nn.basic_layers import _Stack
from ..parameter_dict import ParameterDict
from ..utils import MXNetAssertionError, _indent
from .base_cell import HybridRecurrentCell, RecurrentCell
from .sequence import TENSORS, begin_states, format_sequence, mask_sequence, reverse_steps


class _CellsCell(RecurrentCell):
    """A cell made of other cells, whose states are those of the cells, one after the other."""

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Shape and layout of each state."""
        return [info for cell in self._children.values() for info in cell.state_info(batch_size)]  # type: ignore[attr-defined]

    def begin_state(self, **kwargs: object) -> list[Any]:  # type: ignore[override]
        """States to start with, those of all cells."""
        self._refuse_if_modified()
        return [state for cell in self._children.values() for state in cell.begin_state(**kwargs)]  # type: ignore[attr-defined]

    def _shares(self, states: Arrays) -> list[tuple[Any, Any]]:
        """Each cell with its part of the states."""
        shares, start = [], 0
        for cell in self._children.values():
            end = start + len(cell.state_info())  # type: ignore[attr-defined]
            shares.append((cell, states[start:end]))
            start = end
        return shares


class _SequentialCell(_Stack, _CellsCell):
    """What SequentialRNNCell and HybridSequentialRNNCell have in common."""

    _in_summary = True

    def add(self, cell: RecurrentCell) -> None:  # type: ignore[override]
        """Puts a cell on top."""
        self.register_child(cell)

    def __repr__(self) -> str:
        lines = [f"({key}): {_indent(repr(cell), 2)}" for key, cell in self._children.items()]
        return "{}(\n{}\n)".format(type(self).__name__, "\n".join(lines))

    def _run(self, inputs: Any, states: Any) -> tuple[Any, list[Any]]:
        """One step of all cells."""
        after: list[Any] = []
        for cell, share in self._shares(states):
            if isinstance(cell, BidirectionalCell):
                raise MXNetAssertionError("a stack with a BidirectionalCell cannot be stepped. Please use unroll")
            inputs, new = cell(inputs, share)
            after.extend(new)
        return inputs, after

    @takes(RecurrentCell.unroll)
    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any,
        layout: Any,
        merge_outputs: Any,
        valid_length: Array,
    ) -> tuple[Any, list[Any]]:
        """Unrolls one cell after the other; see ``RecurrentCell.unroll``."""
        self.reset()
        inputs, _, F, batch_size = format_sequence(length, inputs, layout, None)
        states = begin_states(self, F, begin_state, inputs, batch_size)
        after: list[Any] = []
        for i, (cell, share) in enumerate(self._shares(states)):
            inputs, new = cell.unroll(
                length,
                inputs=inputs,
                begin_state=share,
                layout=layout,
                merge_outputs=merge_outputs if i == len(self) - 1 else None,
                valid_length=valid_length,
            )
            after.extend(new)
        return inputs, after


class SequentialRNNCell(_SequentialCell):
    """Cells on top of each other."""

    def forward(self, inputs: Array, states: Arrays) -> tuple[Any, list[Any]]:  # type: ignore[override]
        """One step of all cells."""
        self._counter += 1
        return self._run(inputs, states)

    def hybrid_forward(self, *args: object, **kwargs: object) -> Array:
        """Only HybridSequentialRNNCell has it."""
        raise NotImplementedError("SequentialRNNCell is not hybrid; use HybridSequentialRNNCell")


class HybridSequentialRNNCell(_SequentialCell, HybridRecurrentCell):
    """Hybrid cells on top of each other."""

    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays) -> tuple[Any, list[Any]]:  # type: ignore[override]
        """One step of all cells."""
        return self._run(inputs, states)


class DropoutCell(HybridRecurrentCell):
    """Dropout on what passes through, as a layer between others; ``axes`` share one mask."""

    def __init__(
        self, rate: float, axes: tuple[int, ...] = (), prefix: str | None = None, params: ParameterDict | None = None
    ):
        super().__init__(prefix, params)
        if isinstance(rate, str) or not hasattr(rate, "__float__"):
            raise MXNetAssertionError("rate must be a number")
        self._rate = rate
        self._axes = axes

    def _alias(self) -> str:
        return "dropout"

    def __repr__(self) -> str:
        return f"{type(self).__name__}(rate={self._rate}, axes={self._axes})"

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """There is no state."""
        return []

    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays) -> tuple[Any, Any]:  # type: ignore[override]
        """The input with dropout."""
        if self._rate > 0:
            inputs = F.Dropout(data=inputs, p=self._rate, axes=self._axes, name=f"t{self._counter}_fwd")
        return inputs, states

    @takes(RecurrentCell.unroll)
    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any,
        layout: Any,
        merge_outputs: Any,
        valid_length: Array,
    ) -> tuple[Any, list[Any]]:
        """Dropout of a merged sequence is one operator, of a list one per step."""
        self.reset()
        inputs, _, F, _ = format_sequence(length, inputs, layout, merge_outputs)
        if isinstance(inputs, TENSORS):
            return self.hybrid_forward(F, inputs, begin_state or [])
        return super().unroll(
            length, inputs, begin_state=begin_state, layout=layout, merge_outputs=merge_outputs, valid_length=None
        )


class BidirectionalCell(_CellsCell, HybridRecurrentCell):
    """One cell over the sequence and another one over its reverse; the outputs of both are concatenated."""

    def __init__(self, l_cell: RecurrentCell, r_cell: RecurrentCell, output_prefix: str = "bi_"):
        super().__init__(prefix="", params=None)
        self.register_child(l_cell, "l_cell")
        self.register_child(r_cell, "r_cell")
        self._output_prefix = output_prefix

    def __call__(self, inputs: Any, states: Any) -> Any:  # type: ignore[override]
        """Both directions need the whole sequence."""
        raise NotImplementedError("Bidirectional cannot be stepped. Please use unroll")

    def __repr__(self) -> str:
        left, right = self._children.values()
        return f"{type(self).__name__}(forward={left!r}, backward={right!r})"

    @takes(RecurrentCell.unroll)
    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any,
        layout: Any,
        merge_outputs: Any,
        valid_length: Array,
    ) -> tuple[Any, list[Any]]:
        """Unrolls both directions; see ``RecurrentCell.unroll``."""
        self.reset()
        inputs, axis, F, batch_size = format_sequence(length, inputs, layout, False)
        reversed_inputs = reverse_steps(inputs, valid_length)
        states = begin_states(self, F, begin_state, inputs, batch_size)
        (left, left_states), (right, right_states) = self._shares(states)
        ahead, left_states = left.unroll(
            length, inputs, left_states, layout, merge_outputs=merge_outputs, valid_length=valid_length
        )
        back, right_states = right.unroll(
            length, reversed_inputs, right_states, layout, merge_outputs=False, valid_length=valid_length
        )
        back = reverse_steps(back, valid_length)
        if merge_outputs is None:
            merge_outputs = isinstance(ahead, TENSORS)
        ahead = format_sequence(length, ahead, layout, merge_outputs)[0]
        back = format_sequence(length, back, layout, merge_outputs)[0]
        if merge_outputs:
            outputs = F.concat(ahead, back, dim=2, name=f"{self._output_prefix}out")
        else:
            outputs = [
                F.concat(a, b, dim=1, name=f"{self._output_prefix}t{i}")
                for i, (a, b) in enumerate(zip(ahead, back, strict=True))
            ]
        if valid_length is not None:
            outputs = mask_sequence(F, outputs, length, valid_length, axis, merge_outputs)
        return outputs, [*left_states, *right_states]
