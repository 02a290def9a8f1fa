"""The plain recurrent cell, LSTM and GRU."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from ... import ndarray
from ..._core.signature import takes
from ..._core.types import Array, Arrays
from ...ndarray import NDArray, gate
from ...ops.nn.recurrent import lstm_sequence
from ..parameter import Parameter
from ..parameter_dict import ParameterDict
from ..utils import arguments
from .base_cell import HybridRecurrentCell, RecurrentCell
from .sequence import begin_states, format_sequence, split_steps


class GatedCell(HybridRecurrentCell):
    """A cell that maps its input and its last output by weights; a subclass says by how many gates."""

    _gates = 1
    _states = 1
    _hint = ""
    i2h_weight: Parameter
    h2h_weight: Parameter
    i2h_bias: Parameter
    h2h_bias: Parameter

    def __init__(
        self,
        hidden_size: int,
        shapes: dict[str, tuple[int, ...]],
        prefix: str | None,
        params: ParameterDict | None,
        **initializers: Any,
    ):
        super().__init__(prefix=prefix, params=params)
        self._hidden_size = hidden_size
        for name, shape in shapes.items():
            init = initializers[f"{name}_initializer"]
            setattr(self, name, self.params.get(name, shape=shape, init=init, allow_deferred_init=True))

    def _alias(self) -> str:
        return self._hint


class DenseCell(GatedCell):
    """A cell whose maps are dense layers."""

    def __init__(
        self,
        hidden_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
    ):
        initializers = arguments(locals(), "_initializer")
        rows = hidden_size * self._gates
        weights = {"i2h_weight": (rows, input_size), "h2h_weight": (rows, hidden_size)}
        shapes = {**weights, "i2h_bias": (rows,), "h2h_bias": (rows,)}
        super().__init__(hidden_size, shapes, prefix, params, **initializers)
        self._input_size = input_size
        self._activation = activation
        self._recurrent_activation = recurrent_activation

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Shape and layout of each state."""
        return [{"shape": (batch_size, self._hidden_size), "__layout__": "NC"} for _ in range(self._states)]

    def _map(
        self,
        F: ModuleType,
        inputs: Any,
        state: object,
        i2h_weight: Array,
        h2h_weight: Array,
        i2h_bias: Array,
        h2h_bias: Array,
        name: str,
    ) -> tuple[Any, Any]:
        """The input and the last output, each mapped to all gates."""
        size = self._hidden_size * self._gates
        return (
            F.FullyConnected(inputs, i2h_weight, i2h_bias, num_hidden=size, name=f"{name}i2h"),
            F.FullyConnected(state, h2h_weight, h2h_bias, num_hidden=size, name=f"{name}h2h"),
        )

    def __repr__(self) -> str:
        rows, columns = self.i2h_weight.shape
        activation = getattr(self, "_activation_name", None)
        shown = "" if activation is None else f", {activation}"
        return f"{type(self).__name__}({columns or None} -> {rows}{shown})"


class RNNCell(DenseCell):
    """``output = activation(i2h(input) + h2h(last output))``."""

    _hint = "rnn"

    @takes(DenseCell.__init__, without=("activation", "recurrent_activation"))
    def __init__(self, hidden_size: int, activation: Any = "tanh", i2h_weight_initializer: Any = None, **given: Any):
        super().__init__(hidden_size, i2h_weight_initializer, activation=activation, **given)

    @property
    def _activation_name(self) -> object:
        return self._activation

    def hybrid_forward(
        self,
        F: ModuleType,
        inputs: Array,
        states: Arrays,
        i2h_weight: Array,
        h2h_weight: Array,
        i2h_bias: Array,
        h2h_bias: Array,
    ) -> tuple[Any, list[Any]]:
        """One step."""
        name = f"t{self._counter}_"
        i2h, h2h = self._map(F, inputs, states[0], i2h_weight, h2h_weight, i2h_bias, h2h_bias, name)
        total = F.elemwise_add(i2h, h2h, name=f"{name}plus0")
        output = self._get_activation(F, total, self._activation, name=f"{name}out")
        return output, [output]


class LSTMCell(DenseCell):
    """Long short-term memory; the states are the last output and the memory.

    >>> cell = gluon.rnn.LSTMCell(16)
    >>> cell.initialize()
    >>> out, states = cell.unroll(5, nd.ones((3, 5, 8)), merge_outputs=True)
    >>> out.shape
    (3, 5, 16)
    """

    _gates = 4
    _states = 2
    _hint = "lstm"

    def hybrid_forward(
        self,
        F: ModuleType,
        inputs: Array,
        states: Arrays,
        i2h_weight: Array,
        h2h_weight: Array,
        i2h_bias: Array,
        h2h_bias: Array,
    ) -> tuple[Any, list[Any]]:
        """One step."""
        name = f"t{self._counter}_"
        i2h, h2h = self._map(F, inputs, states[0], i2h_weight, h2h_weight, i2h_bias, h2h_bias, name)
        total = F.elemwise_add(i2h, h2h, name=f"{name}plus0")
        parts = F.SliceChannel(total, num_outputs=4, name=f"{name}slice")
        gate = self._recurrent_activation
        take = self._get_activation(F, parts[0], gate, name=f"{name}i")
        keep = self._get_activation(F, parts[1], gate, name=f"{name}f")
        new = self._get_activation(F, parts[2], self._activation, name=f"{name}c")
        show = self._get_activation(F, parts[3], gate, name=f"{name}o")
        memory = F.elemwise_add(
            F.elemwise_mul(keep, states[1], name=f"{name}mul0"),
            F.elemwise_mul(take, new, name=f"{name}mul1"),
            name=f"{name}state",
        )
        shown = F.Activation(memory, act_type=self._activation, name=f"{name}activation0")
        output = F.elemwise_mul(show, shown, name=f"{name}out")
        return output, [output, memory]

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
        """On arrays all steps run as one; see ``RecurrentCell.unroll``."""
        inputs, axis, F, batch_size = format_sequence(length, inputs, layout, None)
        if F is not ndarray or layout not in ("TNC", "NTC") or not self._runs_as_one(inputs):
            return super().unroll(length, inputs, begin_state, layout, merge_outputs, valid_length)
        self.reset()
        states = begin_states(self, F, begin_state, inputs, batch_size)
        first = inputs if isinstance(inputs, NDArray) else inputs[0]
        if any(s._ctx is not first._ctx or s.dtype != first.dtype or s.ndim != 2 for s in states):
            return super().unroll(
                length, inputs, states, layout, merge_outputs, valid_length
            )  # which says what is wrong
        self._counter = length - 1
        merged = isinstance(inputs, NDArray)
        if not merged:
            data = F.stack(*inputs, axis=0)
        else:
            data = F.swapaxes(inputs, dim1=0, dim2=1) if axis else inputs
        context = data._ctx
        weights = [p.data(context) for p in (self.i2h_weight, self.h2h_weight, self.i2h_bias, self.h2h_bias)]
        outputs, *states = gate.apply("LSTMCell", lstm_sequence, [data, *states, *weights], valid_length is not None)
        if valid_length is not None:
            options = {"sequence_length": valid_length, "use_sequence_length": True, "axis": 0}
            states = [F.SequenceLast(outputs, **options), F.SequenceLast(states[0], **options)]
            outputs = F.SequenceMask(outputs, **options)
        if merge_outputs or (merge_outputs is None and valid_length is not None):
            return (F.swapaxes(outputs, dim1=0, dim2=1) if axis else outputs), states
        return split_steps(F, outputs, length, 0), states

    def _runs_as_one(self, inputs: Any) -> bool:
        """Is this cell, on these arrays, what the kernel for whole sequences computes?"""
        kind = type(self)
        first = inputs if isinstance(inputs, NDArray) else inputs[0]
        weight = self.i2h_weight
        return (
            self._activation == "tanh"
            and self._recurrent_activation == "sigmoid"
            and kind.hybrid_forward is LSTMCell.hybrid_forward
            and kind.forward is RecurrentCell.forward
            and kind.__call__ is LSTMCell.__call__
            and not (self._forward_hooks or self._forward_pre_hooks or self._op_hook)
            and weight._data is not None
            and first.shape[-1] == weight.shape[1]
            and first.ndim == (3 if first is inputs else 2)
            and first.dtype in (np.float32, np.float64)
            and first._data.device.type == "cpu"
        )


class GRUCell(DenseCell):
    """Gated recurrent unit, in the form that cuDNN computes."""

    _gates = 3
    _hint = "gru"

    @takes(DenseCell.__init__, without=("activation", "recurrent_activation"))
    def __init__(self, **given: Any):
        super().__init__(**given)

    def hybrid_forward(
        self,
        F: ModuleType,
        inputs: Array,
        states: Arrays,
        i2h_weight: Array,
        h2h_weight: Array,
        i2h_bias: Array,
        h2h_bias: Array,
    ) -> tuple[Any, list[Any]]:
        """One step."""
        name = f"t{self._counter}_"
        last = states[0]
        i2h, h2h = self._map(F, inputs, last, i2h_weight, h2h_weight, i2h_bias, h2h_bias, name)
        i2h_reset, i2h_update, i2h_new = F.SliceChannel(i2h, num_outputs=3, name=f"{name}i2h_slice")
        h2h_reset, h2h_update, h2h_new = F.SliceChannel(h2h, num_outputs=3, name=f"{name}h2h_slice")
        reset = F.Activation(
            F.elemwise_add(i2h_reset, h2h_reset, name=f"{name}plus0"), act_type="sigmoid", name=f"{name}r_act"
        )
        update = F.Activation(
            F.elemwise_add(i2h_update, h2h_update, name=f"{name}plus1"), act_type="sigmoid", name=f"{name}z_act"
        )
        allowed = F.elemwise_mul(reset, h2h_new, name=f"{name}mul0")
        new = F.Activation(F.elemwise_add(i2h_new, allowed, name=f"{name}plus2"), act_type="tanh", name=f"{name}h_act")
        rest = F.elemwise_sub(F.ones_like(update, name=f"{name}ones_like0"), update, name=f"{name}minus0")
        output = F.elemwise_add(
            F.elemwise_mul(rest, new, name=f"{name}mul1"),
            F.elemwise_mul(update, last, name=f"{name}mul20"),
            name=f"{name}out",
        )
        return output, [output]
