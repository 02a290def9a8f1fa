"""Recurrent cells for ``mx.sym``: step by step, unrolled over time, stacked, fused, ...

A cell is called as ``output, states = cell(input, states)`` or unrolled as ``outputs, states = cell.unroll(length,
inputs)``. Its parameters are variables named after its prefix, ``lstm_i2h_weight`` and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import initializer as init, ndarray, symbol
from ..error import MXNetError, MXNetValueError
from ..ndarray import NDArray
from ..symbol import Symbol

__all__ = ["BaseRNNCell", "GRUCell", "LSTMCell", "RNNCell", "RNNParams"]

GROUPS = ("i2h", "h2h")
GATES = {
    "rnn_relu": ("",),
    "rnn_tanh": ("",),
    "lstm": ("_i", "_f", "_c", "_o"),
    "gru": ("_r", "_z", "_o"),
}


class RNNParams:
    """Variables by name, made when first asked for. Cells that share one share their weights."""

    def __init__(self, prefix: str = ""):
        self._prefix = prefix
        self._params: dict[str, Symbol] = {}

    def get(self, name: str, **kwargs: Any) -> Symbol:
        """The variable of that name (without the prefix); ``kwargs`` are those of ``mx.sym.Variable``."""
        name = self._prefix + name
        if name not in self._params:
            self._params[name] = symbol.Variable(name, **kwargs)
        return self._params[name]


def arrange(length: int | None, inputs: Any, layout: str, merge: bool | None) -> tuple[Any, int]:
    """Converts a sequence to the wanted form and returns it with its time axis.

    ``merge`` False asks for a list with one symbol per step, True for one symbol, None for what it is already.
    """
    axis = layout.find("T")
    if inputs is None:
        raise MXNetValueError("unroll(inputs=None) has been deprecated. Please create input variables outside unroll.")
    if isinstance(inputs, Symbol):
        if merge is False:
            if len(inputs) != 1:
                raise MXNetValueError(
                    "unroll doesn't allow grouped symbol as input. Please convert to list with list(inputs) first or "
                    "let unroll handle splitting."
                )
            assert length is not None
            inputs = list(symbol.split(inputs, axis=axis, num_outputs=length, squeeze_axis=1))
        return inputs, axis
    if length is not None and len(inputs) != length:
        raise MXNetValueError(f"{len(inputs)} inputs were given for {length} steps")
    if merge:
        inputs = symbol.concat(*[symbol.expand_dims(step, axis=axis) for step in inputs], dim=axis)
    return inputs, axis


class BaseRNNCell:
    """The base of cells. A cell defines ``__call__`` and ``state_info``."""

    _num_hidden: int

    def __init__(self, prefix: str = "", params: RNNParams | None = None):
        self._own_params = params is None
        self._prefix = prefix
        self._params = RNNParams(prefix) if params is None else params
        self._modified = False
        self.reset()

    def reset(self) -> None:
        """Starts counting steps and states anew: call it before a cell is used in another graph."""
        self._init_counter = -1
        self._counter = -1

    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list]:
        """One step: the output and the states after it."""
        raise NotImplementedError(f"{type(self).__name__} must define __call__(self, inputs, states)")

    @property
    def params(self) -> RNNParams:
        """The parameters of this cell."""
        self._own_params = False
        return self._params

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of each state; 0 stands for the batch size."""
        raise NotImplementedError(f"{type(self).__name__} must define state_info")

    @property
    def state_shape(self) -> list[tuple[int, ...]]:
        """The shapes of the states; 0 stands for the batch size."""
        return [info["shape"] for info in self.state_info]

    @property
    def _gate_names(self) -> Sequence[str]:
        return ()

    def _refuse_if_modified(self) -> None:
        if self._modified:
            raise MXNetError(
                "After applying modifier cells (e.g. DropoutCell) the base cell cannot be called directly. Call the "
                "modifier cell instead."
            )

    def begin_state(self, func: Callable[..., Symbol] = symbol.zeros, **kwargs: Any) -> list:
        """States to start with, made by ``func``: ``mx.sym.zeros``, ``mx.sym.Variable``, ..."""
        self._refuse_if_modified()
        states = []
        for info in self.state_info:
            self._init_counter += 1
            name = f"{self._prefix}begin_state_{self._init_counter}"
            states.append(func(name=name, **{**(info or {}), **kwargs}))
        return states

    def unpack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """Parameters with the weights of this cell split by gate, ``lstm_i2h_f_weight`` and so on."""
        args = dict(args)
        if not self._gate_names:
            return args
        size = self._num_hidden
        for group in GROUPS:
            whole = {kind: args.pop(f"{self._prefix}{group}_{kind}") for kind in ("weight", "bias")}
            for j, gate in enumerate(self._gate_names):
                for kind, array in whole.items():
                    args[f"{self._prefix}{group}{gate}_{kind}"] = array[j * size : (j + 1) * size].copy()
        return args

    def pack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """The reverse of ``unpack_weights``."""
        args = dict(args)
        if not self._gate_names:
            return args
        for group in GROUPS:
            for kind in ("weight", "bias"):
                parts = [args.pop(f"{self._prefix}{group}{gate}_{kind}") for gate in self._gate_names]
                args[f"{self._prefix}{group}_{kind}"] = ndarray.concat(*parts, dim=0)
        return args

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, list]:
        """Runs the cell over ``length`` steps.

        ``inputs`` is a list of one symbol per step or one symbol in the given layout. ``merge_outputs`` asks for the
        outputs as one symbol (True), as a list (False) or as suits the cell best (None).
        """
        self.reset()
        inputs, _ = arrange(length, inputs, layout, False)
        states = self.begin_state() if begin_state is None else begin_state
        outputs = []
        for step in inputs:
            output, states = self(step, states)
            outputs.append(output)
        outputs, _ = arrange(length, outputs, layout, merge_outputs)
        return outputs, states

    def _get_activation(self, inputs: Symbol, activation: Any, **kwargs: Any) -> Symbol:
        if isinstance(activation, str):
            return symbol.Activation(inputs, act_type=activation, **kwargs)
        return activation(inputs, **kwargs)


# ---- one step of each kind of cell, from what the input and the last state were mapped to ---------------------------


def rnn_step(cell: Any, i2h: Symbol, h2h: Symbol, states: Any, name: str) -> tuple[Symbol, list[Symbol]]:
    """A plain recurrent step."""
    output = cell._get_activation(i2h + h2h, cell._activation, name=f"{name}out")
    return output, [output]


def lstm_step(
    cell: Any, i2h: Symbol, h2h: Symbol, states: Any, name: str, **slicing: Any
) -> tuple[Symbol, list[Symbol]]:
    """A step of a long short-term memory."""
    parts = symbol.SliceChannel(i2h + h2h, num_outputs=4, name=f"{name}slice", **slicing)
    take = symbol.Activation(parts[0], act_type="sigmoid", name=f"{name}i")
    keep = symbol.Activation(parts[1], act_type="sigmoid", name=f"{name}f")
    new = cell._get_activation(parts[2], cell._activation, name=f"{name}c")
    show = symbol.Activation(parts[3], act_type="sigmoid", name=f"{name}o")
    memory = symbol._internal._plus(keep * states[1], take * new, name=f"{name}state")
    output = symbol._internal._mul(show, cell._get_activation(memory, cell._activation), name=f"{name}out")
    return output, [output, memory]


def gru_step(cell: Any, i2h: Symbol, h2h: Symbol, states: Any, name: str) -> tuple[Symbol, list[Symbol]]:
    """A step of a gated recurrent unit."""
    i2h_reset, i2h_update, i2h_new = symbol.SliceChannel(i2h, num_outputs=3, name=f"{name}_i2h_slice")
    h2h_reset, h2h_update, h2h_new = symbol.SliceChannel(h2h, num_outputs=3, name=f"{name}_h2h_slice")
    reset = symbol.Activation(i2h_reset + h2h_reset, act_type="sigmoid", name=f"{name}_r_act")
    update = symbol.Activation(i2h_update + h2h_update, act_type="sigmoid", name=f"{name}_z_act")
    new = cell._get_activation(i2h_new + reset * h2h_new, cell._activation, name=f"{name}_h_act")
    output = symbol._internal._plus((1.0 - update) * new, update * states[0], name=f"{name}out")
    return output, [output]


class _DenseCell(BaseRNNCell):
    """A cell that maps its input and its last output by dense layers."""

    _mode = ""
    _states = 1
    _separator = ""  # between the name of a step and that of its layers
    _activation: Any = "tanh"

    def __init__(self, num_hidden: int, prefix: str, params: RNNParams | None, i2h_bias: object = None):
        super().__init__(prefix=prefix, params=params)
        self._num_hidden = num_hidden
        self._iW = self.params.get("i2h_weight")
        self._iB = self.params.get("i2h_bias", **({} if i2h_bias is None else {"init": i2h_bias}))
        self._hW = self.params.get("h2h_weight")
        self._hB = self.params.get("h2h_bias")

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of each state; 0 stands for the batch size."""
        return [{"shape": (0, self._num_hidden), "__layout__": "NC"} for _ in range(self._states)]

    @property
    def _gate_names(self) -> Sequence[str]:
        return GATES[self._mode]

    def __call__(self, inputs: Symbol, states: Any) -> tuple[Symbol, list[Symbol]]:
        """One step: the output and the states after it."""
        self._counter += 1
        name = f"{self._prefix}t{self._counter}_"
        size = self._num_hidden * len(self._gate_names)
        layers = name + self._separator
        i2h = symbol.FullyConnected(inputs, self._iW, self._iB, num_hidden=size, name=f"{layers}i2h")
        h2h = symbol.FullyConnected(states[0], self._hW, self._hB, num_hidden=size, name=f"{layers}h2h")
        return self._step(i2h, h2h, states, name)

    _step: Callable[..., tuple[Symbol, list[Symbol]]]


class RNNCell(_DenseCell):
    """``output = activation(i2h(input) + h2h(last output))``."""

    _mode = "rnn_tanh"
    _step = rnn_step

    def __init__(
        self, num_hidden: int, activation: object = "tanh", prefix: str = "rnn_", params: RNNParams | None = None
    ):
        super().__init__(num_hidden, prefix, params)
        self._activation = activation


class LSTMCell(_DenseCell):
    """Long short-term memory; states are the last output and the memory.

    ``forget_bias`` is added to the initial bias of the forget gate, so that memories last at the start.
    """

    _mode = "lstm"
    _states = 2
    _step = lstm_step

    def __init__(
        self, num_hidden: int, prefix: str = "lstm_", params: RNNParams | None = None, forget_bias: float = 1.0
    ):
        super().__init__(num_hidden, prefix, params, init.LSTMBias(forget_bias=forget_bias))


class GRUCell(_DenseCell):
    """Gated recurrent unit, in the form that cuDNN computes."""

    _mode = "gru"
    _separator = "_"
    _step = gru_step

    def __init__(self, num_hidden: int, prefix: str = "gru_", params: RNNParams | None = None):
        super().__init__(num_hidden, prefix, params)
