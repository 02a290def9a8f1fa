"""Variational dropout, LSTM with projection, and unrolling by a loop."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ...._core.signature import takes
from ...._core.types import Array, Arrays
from ....ndarray import NDArray
from ...parameter_dict import ParameterDict
from ...rnn.base_cell import HybridRecurrentCell, RecurrentCell
from ...rnn.basic_cells import GatedCell
from ...rnn.modifier_cells import ModifierCell
from ...rnn.sequence import begin_states, format_sequence, mask_sequence, module_of
from ...rnn.stacked_cells import BidirectionalCell, SequentialRNNCell
from ...utils import MXNetAssertionError, arguments

__all__ = ["LSTMPCell", "VariationalDropoutCell"]


class VariationalDropoutCell(ModifierCell):
    """Dropout of inputs, of the first state and of outputs of a cell, by masks that all steps share.

    The masks are drawn in the first step after ``reset``.
    """

    def __init__(
        self,
        base_cell: RecurrentCell,
        drop_inputs: float = 0.0,
        drop_states: float = 0.0,
        drop_outputs: float = 0.0,
    ):
        inside = list(base_cell._children.values()) if isinstance(base_cell, SequentialRNNCell) else [base_cell]
        if drop_states and any(isinstance(cell, BidirectionalCell) for cell in inside):
            raise MXNetAssertionError(
                "BidirectionalCell doesn't support variational state dropout. Please add VariationalDropoutCell to "
                "the cells underneath instead."
            )
        super().__init__(base_cell)
        self.drop_inputs = drop_inputs
        self.drop_states = drop_states
        self.drop_outputs = drop_outputs

    def _alias(self) -> str:
        return "vardrop"

    def reset(self) -> None:
        """Starts anew, with new masks."""
        super().reset()
        self._masks: dict[str, Any] = {}

    def _apply_mask(self, F: ModuleType, what: str, rate: float, data: Any) -> Any:
        if not rate:
            return data
        mask = self._masks.get(what)
        if type(mask) is not type(data):  # none yet, or one that a trace has left behind
            mask = self._masks[what] = F.Dropout(F.ones_like(data), p=rate)
        return data * mask

    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays) -> tuple[Any, list[Any]]:  # type: ignore[override]
        """One step."""
        if self.drop_states:
            states = [self._apply_mask(F, "states", self.drop_states, states[0]), *states[1:]]
        inputs = self._apply_mask(F, "inputs", self.drop_inputs, inputs)
        output, states = self.base_cell(inputs, states)
        return self._apply_mask(F, "outputs", self.drop_outputs, output), states

    def __repr__(self) -> str:
        return f"{type(self).__name__}(p_out = {self.drop_outputs}, p_state = {self.drop_states})"

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
        """Without dropout of states inputs and outputs are masked as a whole; see ``RecurrentCell.unroll``."""
        if self.drop_states:
            return super().unroll(length, inputs, begin_state, layout, merge_outputs, valid_length)
        self.reset()
        inputs, axis, F, batch_size = format_sequence(length, inputs, layout, True)
        states = begin_states(self, F, begin_state, inputs, batch_size)
        if self.drop_inputs:
            inputs = F.Dropout(inputs, p=self.drop_inputs, axes=(axis,))
        outputs, states = self.base_cell.unroll(
            length, inputs, states, layout, merge_outputs=True, valid_length=valid_length
        )
        if self.drop_outputs:
            outputs = F.Dropout(outputs, p=self.drop_outputs, axes=(axis,))
        merge = True if merge_outputs is None else merge_outputs
        outputs = format_sequence(length, outputs, layout, merge)[0]
        if valid_length is not None:
            outputs = mask_sequence(F, outputs, length, valid_length, axis, merge)
        return outputs, states


class LSTMPCell(GatedCell):
    """LSTM whose output is mapped to fewer features; the states are the last output and the memory."""

    _hint = "lstmp"

    def __init__(
        self,
        hidden_size: int,
        projection_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        h2r_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ):
        given = arguments(locals(), "_initializer")
        super().__init__(
            hidden_size,
            {
                "i2h_weight": (4 * hidden_size, input_size),
                "h2h_weight": (4 * hidden_size, projection_size),
                "h2r_weight": (projection_size, hidden_size),
                "i2h_bias": (4 * hidden_size,),
                "h2h_bias": (4 * hidden_size,),
            },
            prefix,
            params,
            **given,
        )
        self._input_size = input_size
        self._projection_size = projection_size

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Shape and layout of each state."""
        sizes = (self._projection_size, self._hidden_size)
        return [{"shape": (batch_size, size), "__layout__": "NC"} for size in sizes]

    def __repr__(self) -> str:
        rows, columns = self.i2h_weight.shape
        return f"{type(self).__name__}({columns or None} -> {rows} -> {self._projection_size})"

    def hybrid_forward(  # type: ignore[override]
        self,
        F: ModuleType,
        inputs: Array,
        states: Arrays,
        i2h_weight: Array,
        h2h_weight: Array,
        h2r_weight: Array,
        i2h_bias: Array,
        h2h_bias: Array,
    ) -> tuple[Any, list[Any]]:
        """One step."""
        name = f"t{self._counter}_"
        size = 4 * self._hidden_size
        i2h = F.FullyConnected(inputs, i2h_weight, i2h_bias, num_hidden=size, name=f"{name}i2h")
        h2h = F.FullyConnected(states[0], h2h_weight, h2h_bias, num_hidden=size, name=f"{name}h2h")
        parts = F.SliceChannel(i2h + h2h, num_outputs=4, name=f"{name}slice")
        take = F.Activation(parts[0], act_type="sigmoid", name=f"{name}i")
        keep = F.Activation(parts[1], act_type="sigmoid", name=f"{name}f")
        new = F.Activation(parts[2], act_type="tanh", name=f"{name}c")
        show = F.Activation(parts[3], act_type="sigmoid", name=f"{name}o")
        memory = F.elemwise_add(keep * states[1], take * new, name=f"{name}state")
        hidden = F.elemwise_mul(show, F.Activation(memory, act_type="tanh"), name=f"{name}hidden")
        output = F.FullyConnected(hidden, h2r_weight, num_hidden=self._projection_size, no_bias=True, name=f"{name}out")
        return output, [output, memory]


def dynamic_unroll(
    cell: HybridRecurrentCell,
    inputs: Any,
    begin_state: Any,
    drop_inputs: float = 0,
    drop_outputs: float = 0,
    layout: str = "TNC",
    valid_length: Array | None = None,
) -> tuple[Any, Any]:
    """Runs a cell over a sequence of any length by ``foreach``: in a graph it is one node, however long it runs.

    The other arguments are those of ``RecurrentCell.unroll``; dropout uses one mask for all steps.
    """
    axis = layout.find("T")
    if axis not in (0, 1):
        raise MXNetAssertionError(f"Unsupported layout {layout}; the axis T must be the first or second")
    F = module_of(inputs)
    if axis == 1:
        inputs = F.transpose(inputs, axes=[1, 0, 2])
    if drop_inputs:
        inputs = F.Dropout(inputs, p=drop_inputs, axes=(0,))
    if valid_length is None:
        outputs, states = F.contrib.foreach(cell, inputs, begin_state)
    else:

        def step(data: object, states: Arrays) -> tuple[Any, list[Any]]:
            *before, number = states
            output, after = cell(data, before)
            valid = F.broadcast_lesser(number, valid_length)
            kept = [F.where(valid, new, old) for new, old in zip(after, before, strict=True)]
            return output, [*kept, number + 1]

        first = F.zeros(1, ctx=inputs.context) if isinstance(inputs, NDArray) else F.zeros(1)
        outputs, (*states, _) = F.contrib.foreach(step, inputs, [*begin_state, first])
    if drop_outputs:
        outputs = F.Dropout(outputs, p=drop_outputs, axes=(0,))
    if axis == 1:
        outputs = F.transpose(outputs, axes=[1, 0, 2])
    if valid_length is not None:
        outputs = F.SequenceMask(outputs, sequence_length=valid_length, use_sequence_length=True, axis=axis)
    return outputs, states
