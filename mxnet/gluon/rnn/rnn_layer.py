"""Recurrent layers: all steps, layers and directions in one operator."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from ... import ndarray, symbol
from ..._core.signature import takes
from ..._core.types import Array, Arrays, DType, Init
from ...error import MXNetKeyError, MXNetValueError
from ...ndarray import NDArray
from ...ndarray.kinds import as_current
from ..hybrid_block import HybridBlock
from ..parameter import Parameter
from ..utils import MXNetAssertionError
from . import rnn_cell
from .base_cell import need_batch_size
from .sequence import TENSORS, unknown_size

__all__ = ["GRU", "LSTM", "RNN"]

_GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


class _RNNLayer(HybridBlock):
    """What the layers have in common; a subclass names its mode.

    ``output = layer(data)`` starts from zeros; ``output, states = layer(data, states)`` goes on from given states.
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        input_size: int = 0,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        mode: str = "lstm",
        projection_size: int | None = None,
        h2r_weight_initializer: Any = None,
        state_clip_min: float | None = None,
        state_clip_max: float | None = None,
        state_clip_nan: bool = False,
        dtype: Any = "float32",
        **kwargs: Any,
    ):
        use_sequence_length = kwargs.pop("use_sequence_length", False)
        super().__init__(**kwargs)
        if layout not in ("TNC", "NTC"):
            raise MXNetAssertionError(f"Invalid layout {layout}; must be one of ['TNC' or 'NTC']")
        if mode not in _GATES:
            raise MXNetKeyError(f"unknown recurrent layer {mode!r}; known: {', '.join(_GATES)}")
        self._hidden_size = hidden_size
        self._projection_size = projection_size
        self._num_layers = num_layers
        self._mode = mode
        self._layout = layout
        self._dropout = dropout
        self._dir = 2 if bidirectional else 1
        self._input_size = input_size
        self._i2h_weight_initializer = i2h_weight_initializer
        self._h2h_weight_initializer = h2h_weight_initializer
        self._i2h_bias_initializer = i2h_bias_initializer
        self._h2h_bias_initializer = h2h_bias_initializer
        self._h2r_weight_initializer = h2r_weight_initializer
        self._lstm_state_clip_min = state_clip_min
        self._lstm_state_clip_max = state_clip_max
        self._lstm_state_clip_nan = state_clip_nan
        self._dtype = dtype
        self._use_sequence_length = use_sequence_length
        self._gates = _GATES[mode]
        self.skip_states = True
        rows, state = self._gates * hidden_size, projection_size or hidden_size
        for layer in range(num_layers):
            columns = state * self._dir if layer else input_size
            for direction in self._directions:
                shapes: dict[str, tuple[int, ...]] = {
                    "i2h_weight": (rows, columns),
                    "h2h_weight": (rows, state),
                    "i2h_bias": (rows,),
                    "h2h_bias": (rows,),
                }
                if projection_size:
                    shapes["h2r_weight"] = (projection_size, hidden_size)
                for kind, shape in shapes.items():
                    self._register_param(
                        f"{direction}{layer}_{kind}", shape, getattr(self, f"_{kind}_initializer"), dtype
                    )
        #: The weights in the order of the operator's vector: all weights, then all biases.
        self._vector = [
            f"{direction}{layer}_{kind}"
            for kinds in (
                ["i2h_weight", "h2h_weight", *["h2r_weight"][: bool(projection_size)]],
                ["i2h_bias", "h2h_bias"],
            )
            for layer in range(num_layers)
            for direction in self._directions
            for kind in kinds
        ]

    @property
    def _directions(self) -> tuple[str, ...]:
        return ("l", "r")[: self._dir]

    def _register_param(self, name: str, shape: tuple[int, ...], init: Init, dtype: DType) -> Parameter:
        param = self.params.get(name, shape=shape, init=init, allow_deferred_init=True, dtype=dtype)
        setattr(self, name, param)
        return param

    def __repr__(self) -> str:
        columns = self._reg_params["l0_i2h_weight"].shape[1]  # type: ignore[index]
        parts = [f"{columns or None} -> {self._hidden_size}", self._layout]
        if self._num_layers != 1:
            parts.append(f"num_layers={self._num_layers}")
        if self._dropout != 0:
            parts.append(f"dropout={self._dropout}")
        if self._dir == 2:
            parts.append("bidirectional")
        return f"{type(self).__name__}({', '.join(parts)})"

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        """In files the parameters have the places that they would have in a stack of cells."""
        if prefix:
            prefix += "."
        cells = {"l": "l_cell.", "r": "r_cell."} if self._dir == 2 else {"l": ""}
        found = {}
        for name, param in self._reg_params.items():
            place, kind = name.split("_", 1)
            found[f"{prefix}_unfused.{place[1:]}.{cells[place[0]]}{kind}"] = param
        return found

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Shape, layout and dtype of each state."""
        shape = (self._num_layers * self._dir, batch_size, self._projection_size or self._hidden_size)
        return [{"shape": shape, "__layout__": "LNC", "dtype": self._dtype}]

    def cast(self, dtype: DType) -> None:
        """Converts all parameters to another dtype."""
        super().cast(dtype)
        self._dtype = dtype

    def begin_state(
        self, batch_size: int = 0, func: Callable[..., object] = ndarray.zeros, **kwargs: object
    ) -> list[Any]:
        """States to start with, each made by ``func(name=, shape=, dtype=, **kwargs)``."""
        need_batch_size(self, batch_size, func)
        return [
            as_current(func(name=f"{self.prefix}h0_{i}", **{**info, **kwargs}))
            for i, info in enumerate(self.state_info(batch_size))
        ]

    def _unfuse(self) -> rnn_cell.HybridSequentialRNNCell:
        """Cells that compute the same from the same parameters, to be stepped or unrolled."""
        if self._projection_size:
            raise MXNetAssertionError("_unfuse does not support projection layer yet!")
        if self._lstm_state_clip_min is not None or self._lstm_state_clip_max is not None:
            raise MXNetAssertionError("_unfuse does not support state clipping yet!")
        stack = rnn_cell.HybridSequentialRNNCell(prefix=self.prefix, params=self.params)
        initializers = {
            f"{kind}_initializer": getattr(self, f"_{kind}_initializer")
            for kind in ("i2h_weight", "h2h_weight", "i2h_bias", "h2h_bias")
        }
        with stack.name_scope():
            columns = self._input_size
            for layer in range(self._num_layers):
                cells = [
                    self._cell(prefix=f"{direction}{layer}_", input_size=columns, **initializers)
                    for direction in self._directions
                ]
                stack.add(rnn_cell.BidirectionalCell(*cells) if self._dir == 2 else cells[0])
                if self._dropout > 0 and layer != self._num_layers - 1:
                    stack.add(rnn_cell.DropoutCell(self._dropout))
                columns = self._hidden_size * self._dir
        return stack

    def _check_states(self, inputs: NDArray, states: Arrays) -> None:
        """Refuses states for another number of examples; whoever gives data in another layout may not know it."""
        steps, size = (inputs.shape[self._layout.find(axis)] for axis in "TN")
        expected = self.state_info(size)
        if len(states) != len(expected):
            shapes = " and ".join(str(info["shape"]) for info in expected)
            raise MXNetValueError(
                f"{self._mode.upper()} needs {len(expected)} state(s), of shape {shapes}, got {len(states)}: pass all "
                "of them as a list, as begin_state(batch_size) makes them"
            )
        for state, info in zip(states, expected, strict=True):
            if isinstance(state, NDArray) and state.shape != info["shape"]:
                other = "NTC" if self._layout == "TNC" else "TNC"
                raise MXNetValueError(
                    f"Invalid recurrent state shape. Expecting {info['shape']}, got {state.shape}. In the layout "
                    f"{self._layout} data of shape {inputs.shape} is {size} examples of {steps} steps; if it is "
                    f"{steps} examples of {size} steps, make the layer {self.name} with layout={other!r}"
                )

    def _cell(self, **kwargs: Any) -> rnn_cell.RecurrentCell:
        """A cell of the kind that the layer has."""
        kind = rnn_cell.LSTMCell if self._mode == "lstm" else rnn_cell.GRUCell
        return kind(self._hidden_size, **kwargs)

    def __call__(self, inputs: Any, states: Any = None, sequence_length: Any = None, **kwargs: Any) -> Any:  # type: ignore[override]
        """The output, or with given states ``(output, states)``."""
        skip_states = states is None
        if isinstance(inputs, NDArray) and inputs.ndim != 3:
            raise MXNetValueError(
                f"{type(self).__name__} takes data of 3 dimensions in the layout {self._layout} (T steps, N examples, "
                f"C features), got {inputs.shape}. One step or one example has an axis of size 1: expand_dims"
            )
        if skip_states:
            if isinstance(inputs, NDArray):
                size = inputs.shape[self._layout.find("N")]
                states = self.begin_state(size, ctx=inputs.context, dtype=inputs.dtype)
            else:
                states = self.begin_state(unknown_size(), func=symbol.zeros)
        elif isinstance(states, TENSORS):
            states = [states]
        if not skip_states and isinstance(inputs, NDArray):
            self._check_states(inputs, states)
        if skip_states is not self.skip_states:
            self.skip_states = skip_states
            self._clear_cached_op()  # the graph has other outputs now
        if self._use_sequence_length:
            return super().__call__(inputs, states, sequence_length, **kwargs)
        return super().__call__(inputs, states, **kwargs)

    def hybrid_forward(
        self, F: ModuleType, inputs: Array, states: Arrays, sequence_length: object = None, **kwargs: object
    ) -> Array:  # type: ignore[override]
        """The layer's output, with the states unless they were left out."""
        output, states = self._forward_kernel(F, inputs, states, sequence_length, **kwargs)
        return output if self.skip_states else (output, states)

    def _forward_kernel(
        self, F: ModuleType, inputs: Any, states: Arrays, sequence_length: object, **kwargs: object
    ) -> tuple[Any, list[Any]]:
        """Runs the operator."""
        if self._layout == "NTC":
            inputs = F.swapaxes(inputs, dim1=0, dim2=1)
        vector = F._internal._rnn_param_concat(*[F.reshape(kwargs[name], shape=-1) for name in self._vector], dim=0)
        lengths = {"sequence_length": sequence_length} if self._use_sequence_length else {}
        output, *states = F.RNN(
            inputs,
            vector,
            *states,
            **lengths,
            use_sequence_length=self._use_sequence_length,
            state_size=self._hidden_size,
            projection_size=self._projection_size,
            num_layers=self._num_layers,
            bidirectional=self._dir == 2,
            p=self._dropout,
            state_outputs=True,
            mode=self._mode,
            lstm_state_clip_min=self._lstm_state_clip_min,
            lstm_state_clip_max=self._lstm_state_clip_max,
            lstm_state_clip_nan=self._lstm_state_clip_nan,
        )
        if self._layout == "NTC":
            output = F.swapaxes(output, dim1=0, dim2=1)
        return output, states


_OF_LSTM = ("projection_size", "h2r_weight_initializer", "state_clip_min", "state_clip_max", "state_clip_nan")


class RNN(_RNNLayer):
    """Layers of plain recurrent cells with relu or tanh.

    >>> net = gluon.rnn.RNN(16)
    >>> net.initialize()
    >>> net(nd.ones((5, 3, 8))).shape
    (5, 3, 16)
    """

    @takes(_RNNLayer.__init__, without=("mode", "input_size", *_OF_LSTM))
    def __init__(
        self,
        activation: str = "relu",
        layout: str = "TNC",
        input_size: int = 0,
        dtype: Any = "float32",
        **given: Any,
    ):
        super().__init__(layout=layout, input_size=input_size, dtype=dtype, mode=f"rnn_{activation}", **given)

    def _advice(self, inputs: NDArray) -> str:
        """How the layer reads its data: who gives it in another layout may not know."""
        other = "NTC" if self._layout == "TNC" else "TNC"
        steps, size = (inputs.shape[self._layout.find(axis)] for axis in "TN")
        return (
            f"In the layout {self._layout} data of shape {inputs.shape} is {size} examples of {steps} steps; if it is "
            f"{steps} examples of {size} steps, make the layer with layout={other!r}"
        )

    def _cell(self, **kwargs: object) -> rnn_cell.RecurrentCell:
        return rnn_cell.RNNCell(self._hidden_size, activation=self._mode.removeprefix("rnn_"), **kwargs)


class LSTM(_RNNLayer):
    """Layers of long short-term memory; the states are the last output and the memory.

    ``projection_size`` maps outputs to fewer features; ``state_clip_min`` and ``state_clip_max`` bound the memory.

    >>> net = gluon.rnn.LSTM(16, num_layers=2)
    >>> net.initialize()
    >>> x = nd.ones((5, 3, 8))  # steps, batch, features
    >>> net(x).shape
    (5, 3, 16)
    >>> out, states = net(x, net.begin_state(batch_size=3))
    >>> [s.shape for s in states]
    [(2, 3, 16), (2, 3, 16)]
    """

    @takes(_RNNLayer.__init__, without=("mode",))
    def __init__(self, **given: Any):
        super().__init__(mode="lstm", **given)

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Shape, layout and dtype of each state."""
        memory = (self._num_layers * self._dir, batch_size, self._hidden_size)
        return [*super().state_info(batch_size), {"shape": memory, "__layout__": "LNC", "dtype": self._dtype}]


class GRU(_RNNLayer):
    """Layers of gated recurrent units, in the form that cuDNN computes.

    >>> net = gluon.rnn.GRU(16, bidirectional=True, layout="NTC")
    >>> net.initialize()
    >>> net(nd.ones((3, 5, 8))).shape
    (3, 5, 32)
    """

    @takes(_RNNLayer.__init__, without=("mode", *_OF_LSTM))
    def __init__(self, **given: Any):
        super().__init__(mode="gru", **given)
