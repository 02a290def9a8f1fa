# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


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
_GATES: dict[Any, Any]
class _RNNLayer(HybridBlock):
    """What the layers have in common; a subclass names its mode."""
    def __init__(self, hidden_size: int, num_layers: int = 1, layout: str = 'TNC', dropout: float = 0, bidirectional: bool = False, input_size: int = 0, i2h_weight_initializer: Any = None, h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = 'zeros', h2h_bias_initializer: Any = 'zeros', mode: str = 'lstm', projection_size: int | None = None, h2r_weight_initializer: Any = None, state_clip_min: float | None = None, state_clip_max: float | None = None, state_clip_nan: bool = False, dtype: Any = 'float32', *, prefix: str | None = None, params: Any = None) -> None: ...
    @property
    def _directions(self) -> tuple[str, ...]: ...
    def _register_param(self, name: str, shape: tuple[int, ...], init: Init, dtype: DType) -> Parameter: ...
    def __repr__(self) -> str: ...
    def _collect_params_with_prefix(self, prefix: str='') -> dict[str, Parameter]:
        """In files the parameters have the places that they would have in a stack of cells."""
    def state_info(self, batch_size: int=0) -> list[dict[str, Any]]:
        """Shape, layout and dtype of each state."""
    def cast(self, dtype: DType) -> None:
        """Converts all parameters to another dtype."""
    def begin_state(self, batch_size: int=0, func: Callable[..., object]=..., **kwargs: object) -> list[Any]:
        """States to start with, each made by ``func(name=, shape=, dtype=, **kwargs)``."""
    def _unfuse(self) -> rnn_cell.HybridSequentialRNNCell:
        """Cells that compute the same from the same parameters, to be stepped or unrolled."""
    def _check_states(self, inputs: NDArray, states: Arrays) -> None:
        """Refuses states for another number of examples; whoever gives data in another layout may not know it."""
    def _cell(self, **kwargs: Any) -> rnn_cell.RecurrentCell:
        """A cell of the kind that the layer has."""
    def __call__(self, inputs: Any, states: Any=None, sequence_length: Any=None, **kwargs: Any) -> Any:
        """The output, or with given states ``(output, states)``."""
    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays, sequence_length: object=None, **kwargs: object) -> Array:
        """The layer's output, with the states unless they were left out."""
    def _forward_kernel(self, F: ModuleType, inputs: Any, states: Arrays, sequence_length: object, **kwargs: object) -> tuple[Any, list[Any]]:
        """Runs the operator."""
    _dir: Any
    _dropout: float
    _dtype: Any
    _gates: Any
    _h2h_bias_initializer: Any
    _h2h_weight_initializer: Any
    _h2r_weight_initializer: Any
    _hidden_size: int
    _i2h_bias_initializer: Any
    _i2h_weight_initializer: Any
    _input_size: int
    _layout: str
    _lstm_state_clip_max: float | None
    _lstm_state_clip_min: float | None
    _lstm_state_clip_nan: bool
    _mode: str
    _num_layers: int
    _projection_size: int | None
    _use_sequence_length: Any
    _vector: Any
    skip_states: Any
_OF_LSTM: tuple[Any, ...]
class RNN(_RNNLayer):
    """Layers of plain recurrent cells with relu or tanh."""
    def __init__(self, hidden_size: int, num_layers: int = 1, activation: str = 'relu', layout: str = 'TNC', dropout: float = 0, bidirectional: bool = False, i2h_weight_initializer: Any = None, h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = 'zeros', h2h_bias_initializer: Any = 'zeros', input_size: int = 0, dtype: Any = 'float32', *, prefix: str | None = None, params: Any = None) -> None: ...
    def _advice(self, inputs: NDArray) -> str:
        """How the layer reads its data: who gives it in another layout may not know."""
    def _cell(self, **kwargs: object) -> rnn_cell.RecurrentCell: ...
class LSTM(_RNNLayer):
    """Layers of long short-term memory; the states are the last output and the memory."""
    def __init__(self, hidden_size: int, num_layers: int = 1, layout: str = 'TNC', dropout: float = 0, bidirectional: bool = False, input_size: int = 0, i2h_weight_initializer: Any = None, h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = 'zeros', h2h_bias_initializer: Any = 'zeros', projection_size: int | None = None, h2r_weight_initializer: Any = None, state_clip_min: float | None = None, state_clip_max: float | None = None, state_clip_nan: bool = False, dtype: Any = 'float32', *, prefix: str | None = None, params: Any = None) -> None: ...
    def state_info(self, batch_size: int=0) -> list[dict[str, Any]]:
        """Shape, layout and dtype of each state."""
class GRU(_RNNLayer):
    """Layers of gated recurrent units, in the form that cuDNN computes."""
    def __init__(self, hidden_size: int, num_layers: int = 1, layout: str = 'TNC', dropout: float = 0, bidirectional: bool = False, input_size: int = 0, i2h_weight_initializer: Any = None, h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = 'zeros', h2h_bias_initializer: Any = 'zeros', dtype: Any = 'float32', *, prefix: str | None = None, params: Any = None) -> None: ...
__all__ = ['GRU', 'LSTM', 'RNN']
