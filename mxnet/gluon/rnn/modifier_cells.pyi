# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from collections.abc import Callable
from types import ModuleType
from typing import Any
from ... import symbol
from ..._core.signature import takes
from ..._core.types import Array, Arrays
from ..parameter_dict import ParameterDict
from ..utils import MXNetAssertionError
from .base_cell import HybridRecurrentCell, RecurrentCell
from .sequence import TENSORS, format_sequence, mask_sequence
from .stacked_cells import BidirectionalCell, SequentialRNNCell
class ModifierCell(HybridRecurrentCell):
    """The base of cells that change what another cell does; that cell must not be unrolled by itself any more."""
    base_cell: RecurrentCell
    def __init__(self, base_cell: RecurrentCell) -> None: ...
    @property
    def params(self) -> ParameterDict:
        """The parameters of the cell inside."""
    def state_info(self, batch_size: int=0) -> list[dict[str, Any]]:
        """The states of the cell inside."""
    def begin_state(self, func: Callable[..., Any]=..., **kwargs: Any) -> list[Any]:
        """States to start with; here ``func`` makes symbols if nothing else is said."""
    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays) -> tuple[Any, list[Any]]:
        """One step; to be overridden."""
    def __repr__(self) -> str: ...
class ZoneoutCell(ModifierCell):
    """Zoneout: in training, elements of outputs and states keep their last value with the given probabilities."""
    def __init__(self, base_cell: RecurrentCell, zoneout_outputs: float=0.0, zoneout_states: float=0.0) -> None: ...
    def __repr__(self) -> str: ...
    def _alias(self) -> str: ...
    def reset(self) -> None:
        """Starts anew: the first output has no value before it."""
    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays) -> tuple[Any, list[Any]]:
        """One step."""
    _prev_output: Any
    _zoneout_outputs: float
    _zoneout_states: float
class ResidualCell(ModifierCell):
    """Adds the input to the output of a cell."""
    def hybrid_forward(self, F: ModuleType, inputs: Array, states: Arrays) -> tuple[Any, list[Any]]:
        """One step."""
    def unroll(self, length: int, inputs: Any, begin_state: object = None, layout: str = 'NTC', merge_outputs: bool | None = None, valid_length: Array | None = None) -> tuple[Any, list[Any]]:
        """Unrolls the cell inside and adds the sequences; see ``RecurrentCell.unroll``."""
