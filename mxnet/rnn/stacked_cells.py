"""Cells made of several: layers on top of each other, both directions, dropout in between, or all fused in one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .. import initializer as init, ndarray, symbol
from .._core.signature import takes
from ..error import MXNetTypeError, MXNetValueError
from ..ndarray import NDArray
from ..symbol import Symbol
from .cells import GATES, GROUPS, BaseRNNCell, GRUCell, LSTMCell, RNNCell, RNNParams, arrange

__all__ = ["BidirectionalCell", "DropoutCell", "FusedRNNCell", "SequentialRNNCell"]


class FusedRNNCell(BaseRNNCell):
    """Several layers, one or both directions, in a single ``RNN`` node: much faster than unrolled cells.

    All weights are one vector, ``lstm_parameters``; ``unfuse`` gives ordinary cells for the same unpacked weights.
    States are returned only with ``get_next_state``.
    """

    def __init__(
        self,
        num_hidden: int,
        num_layers: int = 1,
        mode: str = "lstm",
        bidirectional: bool = False,
        dropout: float = 0.0,
        get_next_state: bool = False,
        forget_bias: float = 1.0,
        prefix: str | None = None,
        params: RNNParams | None = None,
    ):
        super().__init__(prefix=f"{mode}_" if prefix is None else prefix, params=params)
        self._num_hidden = num_hidden
        self._num_layers = num_layers
        self._mode = mode
        self._bidirectional = bidirectional
        self._dropout = dropout
        self._get_next_state = get_next_state
        self._forget_bias = forget_bias
        self._directions = ["l", "r"] if bidirectional else ["l"]
        initial = init.FusedRNN(None, num_hidden, num_layers, mode, bidirectional, forget_bias)
        self._parameter = self.params.get("parameters", init=initial)

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of each state; 0 stands for the batch size."""
        shape = (len(self._directions) * self._num_layers, 0, self._num_hidden)
        return [{"shape": shape, "__layout__": "LNC"} for _ in range(2 if self._mode == "lstm" else 1)]

    @property
    def _gate_names(self) -> Sequence[str]:
        return GATES[self._mode]

    def _parts(self, input_size: int) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of all weights, in the order in which the vector holds them."""
        size, directions = self._num_hidden, len(self._directions)
        weights, biases = [], []
        for layer in range(self._num_layers):
            width = input_size if layer == 0 else size * directions
            for direction in self._directions:
                for group, columns in zip(GROUPS, (width, size), strict=True):
                    for gate in self._gate_names:
                        name = f"{self._prefix}{direction}{layer}_{group}{gate}"
                        weights.append((f"{name}_weight", (size, columns)))
                        biases.append((f"{name}_bias", (size,)))
        return weights + biases

    def unpack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """Parameters with the vector split into the weights of each layer, direction and gate."""
        args = dict(args)
        vector = args.pop(self._parameter.name)
        size, directions = self._num_hidden, len(self._directions)
        rest = (self._num_layers - 1) * (size + directions * size + 2) + size + 2
        input_size = vector.size // directions // size // len(self._gate_names) - rest
        parts = [(name, shape, math.prod(shape)) for name, shape in self._parts(input_size)]
        if input_size <= 0 or sum(count for _, _, count in parts) != vector.size:
            raise MXNetValueError(
                f"{self._parameter.name} has {vector.size} elements, which is not the number of weights of this cell"
            )
        start = 0
        for name, shape, count in parts:
            args[name] = vector[start : start + count].reshape(shape).copy()
            start += count
        return args

    def pack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """The reverse of ``unpack_weights``."""
        args = dict(args)
        first = args[f"{self._prefix}l0_i2h{self._gate_names[0]}_weight"]
        parts = [args.pop(name).reshape((-1,)) for name, _ in self._parts(first.shape[1])]
        args[self._parameter.name] = ndarray.concat(*parts, dim=0)
        return args

    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list[Symbol]]:
        """A fused cell only runs over a whole sequence."""
        raise NotImplementedError("FusedRNNCell cannot be stepped. Please use unroll")

    @takes(BaseRNNCell.unroll)
    def unroll(
        self, length: object, inputs: object, begin_state: object, layout: object, merge_outputs: object
    ) -> tuple[Any, list]:
        """Runs over the sequence in one node; see ``BaseRNNCell.unroll``."""
        self.reset()
        inputs, axis = arrange(length, inputs, layout, True)
        if axis == 1:
            inputs = symbol.swapaxes(inputs, dim1=0, dim2=1)
        elif axis != 0:
            raise MXNetValueError(f"Unsupported layout {layout}; it must be TNC or NTC")
        states = self.begin_state() if begin_state is None else begin_state
        names = ("state", "state_cell")[: len(self.state_info)]
        node = symbol.RNN(
            data=inputs,
            parameters=self._parameter,
            state_size=self._num_hidden,
            num_layers=self._num_layers,
            bidirectional=self._bidirectional,
            p=self._dropout,
            state_outputs=self._get_next_state,
            mode=self._mode,
            name=f"{self._prefix}rnn",
            **dict(zip(names, states, strict=True)),
        )
        after: list[Symbol] = []
        outputs = node
        if self._get_next_state:
            outputs, after = node[0], [node[i + 1] for i in range(len(names))]
            for state in after:
                state._set_attr(__layout__="LNC")
        if axis == 1:
            outputs = symbol.swapaxes(outputs, dim1=0, dim2=1)
        outputs, _ = arrange(length, outputs, layout, merge_outputs)
        return outputs, after

    def unfuse(self) -> SequentialRNNCell:
        """Ordinary cells that compute the same from the unpacked weights."""
        make = {
            "rnn_relu": lambda prefix: RNNCell(self._num_hidden, activation="relu", prefix=prefix),
            "rnn_tanh": lambda prefix: RNNCell(self._num_hidden, activation="tanh", prefix=prefix),
            "lstm": lambda prefix: LSTMCell(self._num_hidden, prefix=prefix),
            "gru": lambda prefix: GRUCell(self._num_hidden, prefix=prefix),
        }[self._mode]
        stack = SequentialRNNCell()
        for layer in range(self._num_layers):
            cells = [make(f"{self._prefix}{direction}{layer}_") for direction in self._directions]
            if self._bidirectional:
                stack.add(BidirectionalCell(*cells, output_prefix=f"{self._prefix}bi_l{layer}_"))
            else:
                stack.add(cells[0])
            if self._dropout > 0 and layer != self._num_layers - 1:
                stack.add(DropoutCell(self._dropout, prefix=f"{self._prefix}_dropout{layer}_"))
        return stack


class _CellsCell(BaseRNNCell):
    """A cell made of other cells."""

    def __init__(self, prefix: str, params: RNNParams | None):
        super().__init__(prefix=prefix, params=params)
        self._override_cell_params = params is not None
        self._cells: list[BaseRNNCell] = []

    def _take_in(self, cell: BaseRNNCell) -> None:
        self._cells.append(cell)
        if self._override_cell_params:
            if not cell._own_params:
                raise MXNetValueError(f"Either specify params for {type(self).__name__} or child cells, not both.")
            cell.params._params.update(self.params._params)
        self.params._params.update(cell.params._params)

    def reset(self) -> None:
        """Starts counting steps and states anew, also in the cells inside."""
        super().reset()
        for cell in getattr(self, "_cells", ()):
            cell.reset()

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of each state; 0 stands for the batch size."""
        return [info for cell in self._cells for info in cell.state_info]

    def begin_state(self, **kwargs: Any) -> list:  # type: ignore[override]
        """States to start with, those of all cells one after the other."""
        self._refuse_if_modified()
        return [state for cell in self._cells for state in cell.begin_state(**kwargs)]

    def unpack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """Parameters with the weights of all cells split by gate."""
        for cell in self._cells:
            args = cell.unpack_weights(args)
        return dict(args)

    def pack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """The reverse of ``unpack_weights``."""
        for cell in self._cells:
            args = cell.pack_weights(args)
        return dict(args)

    def _shares(self, states: object) -> list[Any]:
        """The part of the states that belongs to each cell."""
        shares, start = [], 0
        for cell in self._cells:
            count = len(cell.state_info)
            shares.append(states[start : start + count])
            start += count
        return shares


class SequentialRNNCell(_CellsCell):
    """Cells on top of each other."""

    def __init__(self, params: RNNParams | None = None):
        super().__init__("", params)

    def add(self, cell: BaseRNNCell) -> None:
        """Puts a cell on top."""
        self._take_in(cell)

    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list]:
        """One step of all cells."""
        self._counter += 1
        after: list = []
        for cell, share in zip(self._cells, self._shares(states), strict=True):
            if isinstance(cell, BidirectionalCell):
                raise MXNetTypeError("a SequentialRNNCell with a BidirectionalCell cannot be stepped. Use unroll")
            inputs, new = cell(inputs, share)
            after.extend(new)
        return inputs, after

    @takes(BaseRNNCell.unroll)
    def unroll(
        self, length: object, inputs: object, begin_state: object, layout: object, merge_outputs: object
    ) -> tuple[Any, list]:
        """Unrolls one cell after the other; see ``BaseRNNCell.unroll``."""
        self.reset()
        states = self.begin_state() if begin_state is None else begin_state
        after: list = []
        for i, (cell, share) in enumerate(zip(self._cells, self._shares(states), strict=True)):
            inputs, new = cell.unroll(
                length,
                inputs,
                begin_state=share,
                layout=layout,
                merge_outputs=merge_outputs if i == len(self._cells) - 1 else None,
            )
            after.extend(new)
        return inputs, after


class BidirectionalCell(_CellsCell):
    """One cell over the sequence and another one over its reverse; outputs of both are concatenated."""

    def __init__(
        self,
        l_cell: BaseRNNCell,
        r_cell: BaseRNNCell,
        params: RNNParams | None = None,
        output_prefix: str = "bi_",
    ):
        super().__init__("", params)
        self._output_prefix = output_prefix
        self._take_in(l_cell)
        self._take_in(r_cell)

    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list]:
        """Both directions need the whole sequence."""
        raise NotImplementedError("Bidirectional cannot be stepped. Please use unroll")

    @takes(BaseRNNCell.unroll)
    def unroll(
        self, length: object, inputs: object, begin_state: object, layout: object, merge_outputs: object
    ) -> tuple[Any, list]:
        """Unrolls both directions; the states are ``[left states, right states]``."""
        self.reset()
        inputs, axis = arrange(length, inputs, layout, False)
        states = self.begin_state() if begin_state is None else begin_state
        left, right = self._cells
        left_states, right_states = self._shares(states)
        options = {"layout": layout, "merge_outputs": merge_outputs}
        ahead, left_states = left.unroll(length, inputs, begin_state=left_states, **options)
        back, right_states = right.unroll(length, list(reversed(inputs)), begin_state=right_states, **options)
        if merge_outputs is None:
            merge_outputs = isinstance(ahead, Symbol) and isinstance(back, Symbol)
            if not merge_outputs:
                ahead, back = (
                    list(symbol.SliceChannel(side, axis=axis, num_outputs=length, squeeze_axis=1))
                    if isinstance(side, Symbol)
                    else side
                    for side in (ahead, back)
                )
        if merge_outputs:
            back = symbol.reverse(back, axis=axis)
            outputs = symbol.concat(ahead, back, dim=2, name=f"{self._output_prefix}out")
        else:
            outputs = [
                symbol.concat(a, b, dim=1, name=f"{self._output_prefix}t{i}")
                for i, (a, b) in enumerate(zip(ahead, reversed(back), strict=True))
            ]
        return outputs, [left_states, right_states]


class DropoutCell(BaseRNNCell):
    """Dropout on the sequence, as a layer between others."""

    def __init__(self, dropout: float, prefix: str = "dropout_", params: RNNParams | None = None):
        super().__init__(prefix, params)
        if isinstance(dropout, str) or not hasattr(dropout, "__float__"):
            raise MXNetTypeError("dropout probability must be a number")
        self.dropout = dropout

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """There is no state."""
        return []

    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, Any]:
        """The input with dropout."""
        if self.dropout > 0:
            inputs = symbol.Dropout(data=inputs, p=self.dropout)
        return inputs, states

    @takes(BaseRNNCell.unroll)
    def unroll(
        self, length: object, inputs: object, begin_state: object, layout: object, merge_outputs: object
    ) -> tuple[Any, list]:
        """Dropout of a merged sequence is one node, of a list one node per step."""
        self.reset()
        inputs, _ = arrange(length, inputs, layout, merge_outputs)
        if isinstance(inputs, Symbol):
            return self(inputs, [])
        return super().unroll(length, inputs, begin_state=begin_state, layout=layout, merge_outputs=merge_outputs)
