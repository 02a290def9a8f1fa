"""Cells that change what another cell does: zoneout and residual connections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .. import symbol
from .._core.signature import takes
from ..error import MXNetArgumentError
from ..ndarray import NDArray
from ..symbol import Symbol
from .cells import BaseRNNCell, RNNParams, arrange
from .stacked_cells import BidirectionalCell, FusedRNNCell, SequentialRNNCell

__all__ = ["ModifierCell", "ResidualCell", "ZoneoutCell"]


class ModifierCell(BaseRNNCell):
    """The base of cells that change what another cell does; that cell must not be used by itself any more."""

    def __init__(self, base_cell: BaseRNNCell):
        super().__init__()
        base_cell._modified = True
        self.base_cell = base_cell

    @property
    def params(self) -> RNNParams:
        """The parameters of the cell inside."""
        self._own_params = False
        return self.base_cell.params

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """The states of the cell inside."""
        return self.base_cell.state_info

    def begin_state(self, init_sym: Callable[..., Symbol] = symbol.zeros, **kwargs: Any) -> list:
        """States to start with, made by ``init_sym`` (or ``func``, as other cells call it)."""
        func = kwargs.pop("func", init_sym)
        self._refuse_if_modified()
        self.base_cell._modified = False
        try:
            return self.base_cell.begin_state(func=func, **kwargs)
        finally:
            self.base_cell._modified = True

    def unpack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """Parameters with the weights of the cell inside split by gate."""
        return self.base_cell.unpack_weights(args)

    def pack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """The reverse of ``unpack_weights``."""
        return self.base_cell.pack_weights(args)

    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list]:
        """One step."""
        raise NotImplementedError(f"{type(self).__name__} must define __call__(self, inputs, states)")


class ZoneoutCell(ModifierCell):
    """Zoneout: in training, elements of outputs and states keep their last value with the given probabilities."""

    def __init__(self, base_cell: BaseRNNCell, zoneout_outputs: float = 0.0, zoneout_states: float = 0.0):
        if isinstance(base_cell, FusedRNNCell):
            raise MXNetArgumentError("FusedRNNCell doesn't support zoneout. Please unfuse first.")
        inside = base_cell._cells if isinstance(base_cell, SequentialRNNCell) else [base_cell]
        if any(isinstance(cell, BidirectionalCell) for cell in inside):
            raise MXNetArgumentError(
                "BidirectionalCell doesn't support zoneout since it doesn't support step. Please add ZoneoutCell to "
                "the cells underneath instead."
            )
        super().__init__(base_cell)
        self.zoneout_outputs = zoneout_outputs
        self.zoneout_states = zoneout_states
        self.prev_output: Symbol | None = None

    def reset(self) -> None:
        """Starts anew: the first output has no value before it."""
        super().reset()
        self.prev_output = None

    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list]:
        """One step."""
        output, after = self.base_cell(inputs, states)

        def mask(p: float, like: Symbol) -> Symbol:
            return symbol.Dropout(symbol.ones_like(like), p=p)

        before = symbol.zeros((0, 0)) if self.prev_output is None else self.prev_output
        if self.zoneout_outputs:
            output = symbol.where(mask(self.zoneout_outputs, output), output, before)
        if self.zoneout_states:
            after = [
                symbol.where(mask(self.zoneout_states, new), new, old) for new, old in zip(after, states, strict=True)
            ]
        self.prev_output = output
        return output, after


class ResidualCell(ModifierCell):
    """Adds the input to the output of a cell."""

    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list]:
        """One step."""
        output, states = self.base_cell(inputs, states)
        return symbol.elemwise_add(output, inputs, name=f"{output.name}_plus_residual"), states

    @takes(BaseRNNCell.unroll)
    def unroll(
        self, length: object, inputs: object, begin_state: object, layout: object, merge_outputs: object
    ) -> tuple[Any, list]:
        """Unrolls the cell inside and adds the inputs to its outputs; see ``BaseRNNCell.unroll``."""
        self.reset()
        self.base_cell._modified = False
        try:
            outputs, states = self.base_cell.unroll(
                length, inputs, begin_state=begin_state, layout=layout, merge_outputs=merge_outputs
            )
        finally:
            self.base_cell._modified = True
        merge = isinstance(outputs, Symbol) if merge_outputs is None else merge_outputs
        inputs, _ = arrange(length, inputs, layout, merge)
        if merge:
            return symbol.elemwise_add(outputs, inputs, name=f"{outputs.name}_plus_residual"), states
        summed = [
            symbol.elemwise_add(output, step, name=f"{output.name}_plus_residual")
            for output, step in zip(outputs, inputs, strict=True)
        ]
        return summed, states
