"""Recurrent cells whose maps are convolutions, for sequences of signals, pictures or volumes."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from ...._core.types import Array, Arrays
from ...parameter_dict import ParameterDict
from ...rnn.basic_cells import GatedCell
from ...utils import MXNetAssertionError, arguments

__all__ = [f"Conv{n}D{kind}Cell" for kind in ("RNN", "LSTM", "GRU") for n in (1, 2, 3)]


def _tuple(value: object, dims: int) -> tuple[int, ...]:
    """A setting of a convolution, given once or for each dimension."""
    if isinstance(value, int):
        return (value,) * dims
    if not isinstance(value, list | tuple) or len(value) != dims:
        raise MXNetAssertionError(
            f"For {dims}D convolution, the convolution settings can only be either int or list/tuple of length {dims}"
        )
    return tuple(value)


def _get_conv_out_size(dimensions: Any, kernels: Any, paddings: Any, dilations: Any) -> tuple[int, ...]:
    """The size of what a convolution with stride 1 gives; 0 stays unknown."""
    sizes = zip(dimensions, kernels, paddings, dilations, strict=True)
    return tuple(size and size + 2 * pad - dilate * (kernel - 1) for size, kernel, pad, dilate in sizes)


class _ConvCell(GatedCell):
    """What the convolutional cells have in common.

    ``input_shape`` is that of one step without the batch. The kernel over the last state must have odd sizes, and is
    padded so that the state keeps its shape.
    """

    _dims = 0

    def __init__(
        self,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: Any,
        h2h_kernel: Any,
        i2h_pad: Any,
        i2h_dilate: Any,
        h2h_dilate: Any,
        conv_layout: str,
        activation: Any,
        **kwargs: Any,
    ):
        dims = self._dims
        kernel, pad, dilate = _tuple(i2h_kernel, dims), _tuple(i2h_pad, dims), _tuple(i2h_dilate, dims)
        own_kernel, own_dilate = _tuple(h2h_kernel, dims), _tuple(h2h_dilate, dims)
        if any(size % 2 == 0 for size in own_kernel):
            raise MXNetAssertionError(f"Only support odd number, get h2h_kernel= {h2h_kernel}")
        if len(input_shape) != dims + 1:
            raise MXNetAssertionError(f"input_shape must have {dims + 1} dimensions, those of {conv_layout[1:]}")
        self._channel_axis = conv_layout.find("C")
        channels = input_shape[self._channel_axis - 1]
        sizes = [s for i, s in enumerate(input_shape) if i != self._channel_axis - 1]
        rows = hidden_channels * self._gates
        super().__init__(
            hidden_channels,
            {
                "i2h_weight": (rows, *self._state_layout(channels, kernel)),
                "h2h_weight": (rows, *self._state_layout(hidden_channels, own_kernel)),
                "i2h_bias": (rows,),
                "h2h_bias": (rows,),
            },
            **kwargs,
        )
        self._input_channels = channels
        self._conv_layout = conv_layout
        self._activation = activation
        self._state_shape = self._state_layout(hidden_channels, _get_conv_out_size(sizes, kernel, pad, dilate))
        one = (1,) * dims
        both = {"num_filter": rows, "stride": one, "layout": conv_layout}
        own_pad = tuple(d * (k - 1) // 2 for d, k in zip(own_dilate, own_kernel, strict=True))
        self._i2h = {**both, "kernel": kernel, "pad": pad, "dilate": dilate}
        self._h2h = {**both, "kernel": own_kernel, "pad": own_pad, "dilate": own_dilate}

    def _state_layout(self, channels: int, sizes: Sequence[int]) -> tuple[int, ...]:
        """A shape without its first dimension, with the channels where the layout has them."""
        return (channels, *sizes) if self._channel_axis == 1 else (*sizes, channels)

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Shape and layout of each state."""
        info = {"shape": (batch_size, *self._state_shape), "__layout__": self._conv_layout}
        return [dict(info) for _ in range(self._states)]

    def __repr__(self) -> str:
        shown = f"{self._input_channels or None} -> {self._hidden_size * self._gates}"
        return f"{type(self).__name__}({shown}, {self._activation}, {self._conv_layout})"

    def hybrid_forward(  # type: ignore[override]
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
        i2h = F.Convolution(inputs, i2h_weight, i2h_bias, name=f"{name}i2h", **self._i2h)
        h2h = F.Convolution(states[0], h2h_weight, h2h_bias, name=f"{name}h2h", **self._h2h)
        return self._step(F, i2h, h2h, states, name)

    def _step(self, F: ModuleType, i2h: Array, h2h: Array, states: Arrays, name: str) -> tuple[Any, list[Any]]:
        raise NotImplementedError(f"{type(self).__name__} must define _step(self, F, i2h, h2h, states, name)")


class _ConvRNNCell(_ConvCell):
    """``output = activation(i2h(input) + h2h(last output))`` with convolutions."""

    _hint = "conv_rnn"

    def _step(self, F: ModuleType, i2h: Array, h2h: Array, states: Arrays, name: str) -> tuple[Any, list[Any]]:
        output = self._get_activation(F, i2h + h2h, self._activation, name=f"{name}out")
        return output, [output]


class _ConvLSTMCell(_ConvCell):
    """Long short-term memory with convolutions; the states are the last output and the memory."""

    _gates = 4
    _states = 2
    _hint = "conv_lstm"

    def _step(self, F: ModuleType, i2h: Array, h2h: Array, states: Arrays, name: str) -> tuple[Any, list[Any]]:
        parts = F.SliceChannel(i2h + h2h, num_outputs=4, axis=self._channel_axis, name=f"{name}slice")
        take = F.Activation(parts[0], act_type="sigmoid", name=f"{name}i")
        keep = F.Activation(parts[1], act_type="sigmoid", name=f"{name}f")
        new = self._get_activation(F, parts[2], self._activation, name=f"{name}c")
        show = F.Activation(parts[3], act_type="sigmoid", name=f"{name}o")
        memory = F.elemwise_add(keep * states[1], take * new, name=f"{name}state")
        output = F.elemwise_mul(show, self._get_activation(F, memory, self._activation), name=f"{name}out")
        return output, [output, memory]


class _ConvGRUCell(_ConvCell):
    """Gated recurrent unit with convolutions."""

    _gates = 3
    _hint = "conv_gru"

    def _step(self, F: ModuleType, i2h: Array, h2h: Array, states: Arrays, name: str) -> tuple[Any, list[Any]]:
        slicing = {"num_outputs": 3, "axis": self._channel_axis}
        i2h_reset, i2h_update, i2h_new = F.SliceChannel(i2h, name=f"{name}i2h_slice", **slicing)
        h2h_reset, h2h_update, h2h_new = F.SliceChannel(h2h, name=f"{name}h2h_slice", **slicing)
        reset = F.Activation(i2h_reset + h2h_reset, act_type="sigmoid", name=f"{name}r_act")
        update = F.Activation(i2h_update + h2h_update, act_type="sigmoid", name=f"{name}z_act")
        new = self._get_activation(F, i2h_new + reset * h2h_new, self._activation, name=f"{name}h_act")
        output = F.elemwise_add((1.0 - update) * new, update * states[0], name=f"{name}out")
        return output, [output]


def _make(kind: type[_ConvCell], name: str, dims: int, layout: str) -> type[_ConvCell]:
    """A kind of cell for a number of dimensions, with its defaults."""
    zero, one = (0,) * dims, (1,) * dims

    def __init__(
        self: Any,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: Any,
        h2h_kernel: Any,
        i2h_pad: Any = zero,
        i2h_dilate: Any = one,
        h2h_dilate: Any = one,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        conv_layout: str = layout,
        activation: Any = "tanh",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        given = arguments(locals())
        del given["kind"]
        kind.__init__(self, **given)

    many = "s" if dims > 1 else ""
    doc = f"{kind.__doc__}\n\n    Over {dims} dimension{many}, in the layout {layout} if nothing else is said."
    return type(name, (kind,), {"__init__": __init__, "__doc__": doc, "__module__": __name__, "_dims": dims})


_LAYOUTS: dict[int, str] = {1: "NCW", 2: "NCHW", 3: "NCDHW"}
Conv1DRNNCell, Conv2DRNNCell, Conv3DRNNCell = (
    _make(_ConvRNNCell, f"Conv{n}DRNNCell", n, _LAYOUTS[n]) for n in _LAYOUTS
)
Conv1DLSTMCell, Conv2DLSTMCell, Conv3DLSTMCell = (
    _make(_ConvLSTMCell, f"Conv{n}DLSTMCell", n, _LAYOUTS[n]) for n in _LAYOUTS
)
Conv1DGRUCell, Conv2DGRUCell, Conv3DGRUCell = (
    _make(_ConvGRUCell, f"Conv{n}DGRUCell", n, _LAYOUTS[n]) for n in _LAYOUTS
)
