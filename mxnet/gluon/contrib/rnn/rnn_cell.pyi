# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


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
class VariationalDropoutCell(ModifierCell):
    """Dropout of inputs, of the first state and of outputs of a cell, by masks that all steps share."""
    def __init__(self, base_cell: RecurrentCell, drop_inputs: float=0.0, drop_states: float=0.0, drop_outputs: float=0.0) -> None: ...
    def _alias(self) -> str: ...
    def reset(self) -> None:
        """Starts anew, with new masks."""
    def _apply_mask(self, F: ModuleType, what: str, rate: float, data: Any) -> Any: ...
    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays) -> tuple[Any, list[Any]]:
        """One step."""
    def __repr__(self) -> str: ...
    def unroll(self, length: int, inputs: Any, begin_state: object = None, layout: str = 'NTC', merge_outputs: bool | None = None, valid_length: Array | None = None) -> tuple[Any, list[Any]]:
        """Without dropout of states inputs and outputs are masked as a whole; see ``RecurrentCell.unroll``."""
    _masks: dict[str, Any]
    drop_inputs: float
    drop_outputs: float
    drop_states: float
class LSTMPCell(GatedCell):
    """LSTM whose output is mapped to fewer features; the states are the last output and the memory."""
    _hint: str
    def __init__(self, hidden_size: int, projection_size: int, i2h_weight_initializer: Any=None, h2h_weight_initializer: Any=None, h2r_weight_initializer: Any=None, i2h_bias_initializer: Any='zeros', h2h_bias_initializer: Any='zeros', input_size: int=0, prefix: str | None=None, params: ParameterDict | None=None) -> None: ...
    def state_info(self, batch_size: int=0) -> list[dict[str, Any]]:
        """Shape and layout of each state."""
    def __repr__(self) -> str: ...
    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays, i2h_weight: Array, h2h_weight: Array, h2r_weight: Array, i2h_bias: Array, h2h_bias: Array) -> tuple[Any, list[Any]]:
        """One step."""
    _input_size: int
    _projection_size: int
def dynamic_unroll(cell: HybridRecurrentCell, inputs: Any, begin_state: Any, drop_inputs: float=0, drop_outputs: float=0, layout: str='TNC', valid_length: Array | None=None) -> tuple[Any, Any]:
    """Runs a cell over a sequence of any length by ``foreach``: in a graph it is one node, however long it runs."""
__all__ = ['LSTMPCell', 'VariationalDropoutCell']
