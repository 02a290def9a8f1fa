# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


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
    _gates: int
    _states: int
    _hint: str
    i2h_weight: Parameter
    h2h_weight: Parameter
    i2h_bias: Parameter
    h2h_bias: Parameter
    def __init__(self, hidden_size: int, shapes: dict[str, tuple[int, ...]], prefix: str | None, params: ParameterDict | None, **initializers: Any) -> None: ...
    def _alias(self) -> str: ...
    _hidden_size: int
class DenseCell(GatedCell):
    """A cell whose maps are dense layers."""
    def __init__(self, hidden_size: int, i2h_weight_initializer: Any=None, h2h_weight_initializer: Any=None, i2h_bias_initializer: Any='zeros', h2h_bias_initializer: Any='zeros', input_size: int=0, prefix: str | None=None, params: ParameterDict | None=None, activation: Any='tanh', recurrent_activation: Any='sigmoid') -> None: ...
    def state_info(self, batch_size: int=0) -> list[dict[str, Any]]:
        """Shape and layout of each state."""
    def _map(self, F: ModuleType, inputs: Any, state: object, i2h_weight: Array, h2h_weight: Array, i2h_bias: Array, h2h_bias: Array, name: str) -> tuple[Any, Any]:
        """The input and the last output, each mapped to all gates."""
    def __repr__(self) -> str: ...
    _activation: Any
    _input_size: int
    _recurrent_activation: Any
class RNNCell(DenseCell):
    """``output = activation(i2h(input) + h2h(last output))``."""
    _hint: str
    def __init__(self, hidden_size: int, activation: Any = 'tanh', i2h_weight_initializer: Any = None, h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = 'zeros', h2h_bias_initializer: Any = 'zeros', input_size: int = 0, prefix: str | None = None, params: ParameterDict | None = None) -> None: ...
    @property
    def _activation_name(self) -> object: ...
    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays, i2h_weight: Array, h2h_weight: Array, i2h_bias: Array, h2h_bias: Array) -> tuple[Any, list[Any]]:
        """One step."""
class LSTMCell(DenseCell):
    """Long short-term memory; the states are the last output and the memory."""
    _gates: int
    _states: int
    _hint: str
    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays, i2h_weight: Array, h2h_weight: Array, i2h_bias: Array, h2h_bias: Array) -> tuple[Any, list[Any]]:
        """One step."""
    def unroll(self, length: int, inputs: Any, begin_state: object = None, layout: str = 'NTC', merge_outputs: bool | None = None, valid_length: Array | None = None) -> tuple[Any, list[Any]]:
        """On arrays all steps run as one; see ``RecurrentCell.unroll``."""
    def _runs_as_one(self, inputs: Any) -> bool:
        """Is this cell, on these arrays, what the kernel for whole sequences computes?"""
class GRUCell(DenseCell):
    """Gated recurrent unit, in the form that cuDNN computes."""
    _gates: int
    _hint: str
    def __init__(self, hidden_size: int, i2h_weight_initializer: Any = None, h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = 'zeros', h2h_bias_initializer: Any = 'zeros', input_size: int = 0, prefix: str | None = None, params: ParameterDict | None = None) -> None: ...
    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays, i2h_weight: Array, h2h_weight: Array, i2h_bias: Array, h2h_bias: Array) -> tuple[Any, list[Any]]:
        """One step."""
