# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import math
from collections.abc import Mapping, Sequence
from typing import Any
from .. import initializer as init, ndarray, symbol
from .._core.signature import takes
from ..error import MXNetTypeError, MXNetValueError
from ..ndarray import NDArray
from ..symbol import Symbol
from .cells import GATES, GROUPS, BaseRNNCell, GRUCell, LSTMCell, RNNCell, RNNParams, arrange
class FusedRNNCell(BaseRNNCell):
    """Several layers, one or both directions, in a single ``RNN`` node: much faster than unrolled cells."""
    def __init__(self, num_hidden: int, num_layers: int=1, mode: str='lstm', bidirectional: bool=False, dropout: float=0.0, get_next_state: bool=False, forget_bias: float=1.0, prefix: str | None=None, params: RNNParams | None=None) -> None: ...
    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of each state; 0 stands for the batch size."""
    @property
    def _gate_names(self) -> Sequence[str]: ...
    def _parts(self, input_size: int) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of all weights, in the order in which the vector holds them."""
    def unpack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """Parameters with the vector split into the weights of each layer, direction and gate."""
    def pack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """The reverse of ``unpack_weights``."""
    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list[Symbol]]:
        """A fused cell only runs over a whole sequence."""
    def unroll(self, length: int, inputs: Any, begin_state: Any = None, layout: str = 'NTC', merge_outputs: bool | None = None) -> tuple[Any, list]:
        """Runs over the sequence in one node; see ``BaseRNNCell.unroll``."""
    def unfuse(self) -> SequentialRNNCell:
        """Ordinary cells that compute the same from the unpacked weights."""
    _bidirectional: bool
    _directions: Any
    _dropout: float
    _forget_bias: float
    _get_next_state: bool
    _mode: str
    _num_hidden: int
    _num_layers: int
    _parameter: Any
class _CellsCell(BaseRNNCell):
    """A cell made of other cells."""
    def __init__(self, prefix: str, params: RNNParams | None) -> None: ...
    def _take_in(self, cell: BaseRNNCell) -> None: ...
    def reset(self) -> None:
        """Starts counting steps and states anew, also in the cells inside."""
    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and layout of each state; 0 stands for the batch size."""
    def begin_state(self, **kwargs: Any) -> list:
        """States to start with, those of all cells one after the other."""
    def unpack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """Parameters with the weights of all cells split by gate."""
    def pack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """The reverse of ``unpack_weights``."""
    def _shares(self, states: object) -> list[Any]:
        """The part of the states that belongs to each cell."""
    _cells: list[BaseRNNCell]
    _override_cell_params: Any
class SequentialRNNCell(_CellsCell):
    """Cells on top of each other."""
    def __init__(self, params: RNNParams | None=None) -> None: ...
    def add(self, cell: BaseRNNCell) -> None:
        """Puts a cell on top."""
    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list]:
        """One step of all cells."""
    def unroll(self, length: int, inputs: Any, begin_state: Any = None, layout: str = 'NTC', merge_outputs: bool | None = None) -> tuple[Any, list]:
        """Unrolls one cell after the other; see ``BaseRNNCell.unroll``."""
class BidirectionalCell(_CellsCell):
    """One cell over the sequence and another one over its reverse; outputs of both are concatenated."""
    def __init__(self, l_cell: BaseRNNCell, r_cell: BaseRNNCell, params: RNNParams | None=None, output_prefix: str='bi_') -> None: ...
    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list]:
        """Both directions need the whole sequence."""
    def unroll(self, length: int, inputs: Any, begin_state: Any = None, layout: str = 'NTC', merge_outputs: bool | None = None) -> tuple[Any, list]:
        """Unrolls both directions; the states are ``[left states, right states]``."""
    _output_prefix: str
class DropoutCell(BaseRNNCell):
    """Dropout on the sequence, as a layer between others."""
    def __init__(self, dropout: float, prefix: str='dropout_', params: RNNParams | None=None) -> None: ...
    @property
    def state_info(self) -> list[dict[str, Any]]:
        """There is no state."""
    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, Any]:
        """The input with dropout."""
    def unroll(self, length: int, inputs: Any, begin_state: Any = None, layout: str = 'NTC', merge_outputs: bool | None = None) -> tuple[Any, list]:
        """Dropout of a merged sequence is one node, of a list one node per step."""
    dropout: float
__all__ = ['BidirectionalCell', 'DropoutCell', 'FusedRNNCell', 'SequentialRNNCell']
