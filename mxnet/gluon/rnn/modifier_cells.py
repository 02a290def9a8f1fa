"""Cells that change what another cell does: zoneout and residual connections."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from ... import symbol
from ..._core.signature import takes
from ..._core.types import Array, Arrays
from ..parameter_dict import ParameterDict
from ..utils import MXNetAssertionError
from .base_cell import HybridRecurrentCell, RecurrentCell
from .sequence import TENSORS, format_sequence, mask_sequence
from .stacked_cells import BidirectionalCell, SequentialRNNCell


class ModifierCell(HybridRecurrentCell):
    """The base of cells that change what another cell does; that cell must not be unrolled by itself any more."""

    base_cell: RecurrentCell

    def __init__(self, base_cell: RecurrentCell):
        base_cell._refuse_if_modified()
        base_cell._modified = True
        super().__init__(prefix=base_cell.prefix + self._alias(), params=None)
        self.base_cell = base_cell

    @property
    def params(self) -> ParameterDict:
        """The parameters of the cell inside."""
        return self.base_cell.params

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """The states of the cell inside."""
        return self.base_cell.state_info(batch_size)

    def begin_state(self, func: Callable[..., Any] = symbol.zeros, **kwargs: Any) -> list[Any]:  # type: ignore[override]
        """States to start with; here ``func`` makes symbols if nothing else is said."""
        self._refuse_if_modified()
        self.base_cell._modified = False
        try:
            return self.base_cell.begin_state(func=func, **kwargs)
        finally:
            self.base_cell._modified = True

    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays) -> tuple[Any, list[Any]]:  # type: ignore[override]
        """One step; to be overridden."""
        raise NotImplementedError(f"{type(self).__name__} must define hybrid_forward(self, F, inputs, states)")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_cell!r})"


class ZoneoutCell(ModifierCell):
    """Zoneout: in training, elements of outputs and states keep their last value with the given probabilities."""

    def __init__(self, base_cell: RecurrentCell, zoneout_outputs: float = 0.0, zoneout_states: float = 0.0):
        inside = list(base_cell._children.values()) if isinstance(base_cell, SequentialRNNCell) else [base_cell]
        if any(isinstance(cell, BidirectionalCell) for cell in inside):
            raise MXNetAssertionError(
                "BidirectionalCell doesn't support zoneout since it doesn't support step. Please add ZoneoutCell to "
                "the cells underneath instead."
            )
        super().__init__(base_cell)
        self._zoneout_outputs = zoneout_outputs
        self._zoneout_states = zoneout_states

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(p_out={self._zoneout_outputs}, p_state={self._zoneout_states}, {self.base_cell!r})"
        )

    def _alias(self) -> str:
        return "zoneout"

    def reset(self) -> None:
        """Starts anew: the first output has no value before it."""
        super().reset()
        self._prev_output: Any = None

    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays) -> tuple[Any, list[Any]]:  # type: ignore[override]
        """One step."""
        output, after = self.base_cell(inputs, states)

        def choose(p: float, new: object, old: object) -> Any:
            return F.where(F.Dropout(F.ones_like(new), p=p), new, old)

        if self._zoneout_outputs != 0.0:
            before = self._prev_output
            # What a trace has left behind is of no use to a step on arrays.
            output = choose(
                self._zoneout_outputs, output, before if type(before) is type(output) else F.zeros_like(output)
            )
        if self._zoneout_states != 0.0:
            after = [choose(self._zoneout_states, new, old) for new, old in zip(after, states, strict=True)]
        self._prev_output = output
        return output, after


class ResidualCell(ModifierCell):
    """Adds the input to the output of a cell."""

    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays) -> tuple[Any, list[Any]]:  # type: ignore[override]
        """One step."""
        output, states = self.base_cell(inputs, states)
        return F.elemwise_add(output, inputs, name=f"t{self._counter}_fwd"), states

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
        """Unrolls the cell inside and adds the sequences; see ``RecurrentCell.unroll``."""
        self.reset()
        self.base_cell._modified = False
        try:
            outputs, states = self.base_cell.unroll(
                length, inputs, begin_state, layout, merge_outputs=merge_outputs, valid_length=valid_length
            )
        finally:
            self.base_cell._modified = True
        merged = isinstance(outputs, TENSORS) if merge_outputs is None else merge_outputs
        inputs, axis, F, _ = format_sequence(length, inputs, layout, merged)
        if valid_length is not None:
            inputs = mask_sequence(F, inputs, length, valid_length, axis, merged)
        if merged:
            return F.elemwise_add(outputs, inputs), states
        return [F.elemwise_add(output, step) for output, step in zip(outputs, inputs, strict=True)], states
