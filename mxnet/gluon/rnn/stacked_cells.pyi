# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from types import ModuleType
from typing import Any
from ..._core.signature import takes
from ..._core.types import Array, Arrays
from ..nn.basic_layers import _Stack
from ..parameter_dict import ParameterDict
from ..utils import MXNetAssertionError, _indent
from .base_cell import HybridRecurrentCell, RecurrentCell
from .sequence import TENSORS, begin_states, format_sequence, mask_sequence, reverse_steps
class _CellsCell(RecurrentCell):
    """A cell made of other cells, whose states are those of the cells, one after the other."""
    def state_info(self, batch_size: int=0) -> list[dict[str, Any]]:
        """Shape and layout of each state."""
    def begin_state(self, **kwargs: object) -> list[Any]:
        """States to start with, those of all cells."""
    def _shares(self, states: Arrays) -> list[tuple[Any, Any]]:
        """Each cell with its part of the states."""
class _SequentialCell(_Stack, _CellsCell):
    """What SequentialRNNCell and HybridSequentialRNNCell have in common."""
    _in_summary: bool
    def add(self, cell: RecurrentCell) -> None:
        """Puts a cell on top."""
    def __repr__(self) -> str: ...
    def _run(self, inputs: Any, states: Any) -> tuple[Any, list[Any]]:
        """One step of all cells."""
    def unroll(self, length: int, inputs: Any, begin_state: object = None, layout: str = 'NTC', merge_outputs: bool | None = None, valid_length: Array | None = None) -> tuple[Any, list[Any]]:
        """Unrolls one cell after the other; see ``RecurrentCell.unroll``."""
class SequentialRNNCell(_SequentialCell):
    """Cells on top of each other."""
    def forward(self, inputs: Array, states: Arrays) -> tuple[Any, list[Any]]:
        """One step of all cells."""
    def hybrid_forward(self, *args: object, **kwargs: object) -> Array:
        """Only HybridSequentialRNNCell has it."""
class HybridSequentialRNNCell(_SequentialCell, HybridRecurrentCell):
    """Hybrid cells on top of each other."""
    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays) -> tuple[Any, list[Any]]:
        """One step of all cells."""
class DropoutCell(HybridRecurrentCell):
    """Dropout on what passes through, as a layer between others; ``axes`` share one mask."""
    def __init__(self, rate: float, axes: tuple[int, ...]=(), prefix: str | None=None, params: ParameterDict | None=None) -> None: ...
    def _alias(self) -> str: ...
    def __repr__(self) -> str: ...
    def state_info(self, batch_size: int=0) -> list[dict[str, Any]]:
        """There is no state."""
    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays) -> tuple[Any, Any]:
        """The input with dropout."""
    def unroll(self, length: int, inputs: Any, begin_state: object = None, layout: str = 'NTC', merge_outputs: bool | None = None, valid_length: Array | None = None) -> tuple[Any, list[Any]]:
        """Dropout of a merged sequence is one operator, of a list one per step."""
    _axes: tuple[int, ...]
    _rate: float
class BidirectionalCell(_CellsCell, HybridRecurrentCell):
    """One cell over the sequence and another one over its reverse; the outputs of both are concatenated."""
    def __init__(self, l_cell: RecurrentCell, r_cell: RecurrentCell, output_prefix: str='bi_') -> None: ...
    def __call__(self, inputs: Any, states: Any) -> Any:
        """Both directions need the whole sequence."""
    def __repr__(self) -> str: ...
    def unroll(self, length: int, inputs: Any, begin_state: object = None, layout: str = 'NTC', merge_outputs: bool | None = None, valid_length: Array | None = None) -> tuple[Any, list[Any]]:
        """Unrolls both directions; see ``RecurrentCell.unroll``."""
    _output_prefix: str
