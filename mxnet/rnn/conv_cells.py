"""Recurrent cells whose maps are convolutions, for sequences of images."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from .. import symbol
from .._core.signature import takes
from ..error import MXNetValueError
from ..symbol import Symbol
from .cells import GATES, BaseRNNCell, RNNParams, gru_step, lstm_step, rnn_step

__all__ = ["BaseConvRNNCell", "ConvGRUCell", "ConvLSTMCell", "ConvRNNCell"]

_LEAKY = functools.partial(symbol.LeakyReLU, act_type="leaky", slope=0.2)


class BaseConvRNNCell(BaseRNNCell):
    """What the convolutional cells have in common.

    ``input_shape`` is that of one step, its batch size does not matter. The kernel over the last state must have odd
    sizes, so that the state keeps its shape.
    """

    _mode = ""
    _states = 1

    def __init__(
        self,
        input_shape: Sequence[int],
        num_hidden: int,
        h2h_kernel: Sequence[int],
        h2h_dilate: Sequence[int],
        i2h_kernel: Sequence[int],
        i2h_stride: Sequence[int],
        i2h_pad: Sequence[int],
        i2h_dilate: Sequence[int],
        i2h_weight_initializer: object,
        h2h_weight_initializer: object,
        i2h_bias_initializer: object,
        h2h_bias_initializer: object,
        activation: object,
        prefix: str = "",
        params: RNNParams | None = None,
        conv_layout: str = "NCHW",
    ):
        super().__init__(prefix=prefix, params=params)
        if any(size % 2 == 0 for size in h2h_kernel):
            raise MXNetValueError(f"Only support odd number, get h2h_kernel= {h2h_kernel}")
        self._num_hidden = num_hidden
        self._activation = activation
        self._conv_layout = conv_layout
        self._i2h = {"kernel": i2h_kernel, "stride": i2h_stride, "pad": i2h_pad, "dilate": i2h_dilate}
        self._h2h = {
            "kernel": h2h_kernel,
            "stride": (1,) * len(h2h_kernel),
            "pad": tuple(d * (k - 1) // 2 for d, k in zip(h2h_dilate, h2h_kernel, strict=True)),
            "dilate": h2h_dilate,
        }
        self._state_shape = self._shape_after(input_shape)
        self._iW = self.params.get("i2h_weight", init=i2h_weight_initializer)
        self._hW = self.params.get("h2h_weight", init=h2h_weight_initializer)
        self._iB = self.params.get("i2h_bias", init=i2h_bias_initializer)
        self._hB = self.params.get("h2h_bias", init=h2h_bias_initializer)

    def _shape_after(self, input_shape: Sequence[int]) -> tuple[int, ...]:
        data = symbol.Variable("data")
        mapped = symbol.Convolution(data=data, num_filter=self._num_hidden, layout=self._conv_layout, **self._i2h)
        _, outputs, _ = mapped.infer_shape(data=tuple(input_shape))
        return (0, *outputs[0][1:])

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of each state; 0 stands for the batch size."""
        return [{"shape": self._state_shape, "__layout__": self._conv_layout} for _ in range(self._states)]

    @property
    def _gate_names(self) -> Sequence[str]:
        return GATES[self._mode] if self._mode else ()

    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list[Symbol]]:
        """One step: the output and the states after it."""
        if not self._mode:
            raise NotImplementedError("BaseConvRNNCell is abstract class for convolutional RNN")
        self._counter += 1
        name = f"{self._prefix}t{self._counter}_"
        both = {"num_filter": self._num_hidden * len(self._gate_names), "layout": self._conv_layout}
        i2h = symbol.Convolution(inputs, self._iW, self._iB, name=f"{name}i2h", **both, **self._i2h)
        h2h = symbol.Convolution(states[0], self._hW, self._hB, name=f"{name}h2h", **both, **self._h2h)
        return self._step(i2h, h2h, states, name)

    _step: Callable[..., tuple[Symbol, list[Symbol]]]


class _Conv2DCell(BaseConvRNNCell):
    """Fills in what the two-dimensional cells take when nothing else is said."""

    @takes(
        BaseConvRNNCell.__init__,
        h2h_kernel=(3, 3),
        h2h_dilate=(1, 1),
        i2h_kernel=(3, 3),
        i2h_stride=(1, 1),
        i2h_pad=(1, 1),
        i2h_dilate=(1, 1),
        i2h_weight_initializer=None,
        h2h_weight_initializer=None,
        i2h_bias_initializer="zeros",
        h2h_bias_initializer="zeros",
        activation=_LEAKY,
    )
    def __init__(self, prefix: str | None = None, **given: Any):
        super().__init__(prefix=self._default_prefix if prefix is None else prefix, **given)

    _default_prefix = ""


class ConvRNNCell(_Conv2DCell):
    """``RNNCell`` with convolutions."""

    _mode = "rnn_tanh"
    _default_prefix = "ConvRNN_"
    _step = rnn_step


class ConvLSTMCell(_Conv2DCell):
    """``LSTMCell`` with convolutions."""

    _mode = "lstm"
    _states = 2
    _default_prefix = "ConvLSTM_"

    def _step(self, i2h: Symbol, h2h: Symbol, states: object, name: str) -> tuple[Symbol, list[Symbol]]:
        return lstm_step(self, i2h, h2h, states, name, axis=self._conv_layout.find("C"))


class ConvGRUCell(_Conv2DCell):
    """``GRUCell`` with convolutions."""

    _mode = "gru"
    _default_prefix = "ConvGRU_"
    _step = gru_step
