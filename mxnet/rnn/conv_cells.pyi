# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import functools
from collections.abc import Callable, Sequence
from typing import Any
from .. import symbol
from .._core.signature import takes
from ..error import MXNetValueError
from ..symbol import Symbol
from .cells import GATES, BaseRNNCell, RNNParams, gru_step, lstm_step, rnn_step
_LEAKY: Any
class BaseConvRNNCell(BaseRNNCell):
    """What the convolutional cells have in common."""
    _mode: str
    _states: int
    def __init__(self, input_shape: Sequence[int], num_hidden: int, h2h_kernel: Sequence[int], h2h_dilate: Sequence[int], i2h_kernel: Sequence[int], i2h_stride: Sequence[int], i2h_pad: Sequence[int], i2h_dilate: Sequence[int], i2h_weight_initializer: object, h2h_weight_initializer: object, i2h_bias_initializer: object, h2h_bias_initializer: object, activation: object, prefix: str='', params: RNNParams | None=None, conv_layout: str='NCHW') -> None: ...
    def _shape_after(self, input_shape: Sequence[int]) -> tuple[int, ...]: ...
    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of each state; 0 stands for the batch size."""
    @property
    def _gate_names(self) -> Sequence[str]: ...
    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list[Symbol]]:
        """One step: the output and the states after it."""
    _step: Callable[..., tuple[Symbol, list[Symbol]]]
    _activation: object
    _conv_layout: str
    _h2h: Any
    _hB: Any
    _hW: Any
    _i2h: Any
    _iB: Any
    _iW: Any
    _num_hidden: int
    _state_shape: Any
class _Conv2DCell(BaseConvRNNCell):
    """Fills in what the two-dimensional cells take when nothing else is said."""
    def __init__(self, input_shape: Sequence[int], num_hidden: int, h2h_kernel: Sequence[int] = (3, 3), h2h_dilate: Sequence[int] = (1, 1), i2h_kernel: Sequence[int] = (3, 3), i2h_stride: Sequence[int] = (1, 1), i2h_pad: Sequence[int] = (1, 1), i2h_dilate: Sequence[int] = (1, 1), i2h_weight_initializer: object = None, h2h_weight_initializer: object = None, i2h_bias_initializer: object = 'zeros', h2h_bias_initializer: object = 'zeros', activation: object = ..., prefix: str | None = None, params: RNNParams | None = None, conv_layout: str = 'NCHW') -> None: ...
    _default_prefix: str
class ConvRNNCell(_Conv2DCell):
    """``RNNCell`` with convolutions."""
    _mode: str
    _default_prefix: str
    _step = rnn_step
class ConvLSTMCell(_Conv2DCell):
    """``LSTMCell`` with convolutions."""
    _mode: str
    _states: int
    _default_prefix: str
    def _step(self, i2h: Symbol, h2h: Symbol, states: object, name: str) -> tuple[Symbol, list[Symbol]]: ...
class ConvGRUCell(_Conv2DCell):
    """``GRUCell`` with convolutions."""
    _mode: str
    _default_prefix: str
    _step = gru_step
__all__ = ['BaseConvRNNCell', 'ConvGRUCell', 'ConvLSTMCell', 'ConvRNNCell']
