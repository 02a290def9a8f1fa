# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from collections.abc import Callable, Mapping
from typing import Any
from .. import symbol
from .._core.signature import takes
from ..error import MXNetArgumentError
from ..ndarray import NDArray
from ..symbol import Symbol
from .cells import BaseRNNCell, RNNParams, arrange
from .stacked_cells import BidirectionalCell, FusedRNNCell, SequentialRNNCell
class ModifierCell(BaseRNNCell):
    """The base of cells that change what another cell does; that cell must not be used by itself any more."""
    def __init__(self, base_cell: BaseRNNCell) -> None: ...
    @property
    def params(self) -> RNNParams:
        """The parameters of the cell inside."""
    @property
    def state_info(self) -> list[dict[str, Any]]:
        """The states of the cell inside."""
    def begin_state(self, init_sym: Callable[..., Symbol]=..., **kwargs: Any) -> list:
        """States to start with, made by ``init_sym`` (or ``func``, as other cells call it)."""
    def unpack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """Parameters with the weights of the cell inside split by gate."""
    def pack_weights(self, args: Mapping[str, NDArray]) -> dict[str, NDArray]:
        """The reverse of ``unpack_weights``."""
    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list]:
        """One step."""
    base_cell: BaseRNNCell
class ZoneoutCell(ModifierCell):
    """Zoneout: in training, elements of outputs and states keep their last value with the given probabilities."""
    def __init__(self, base_cell: BaseRNNCell, zoneout_outputs: float=0.0, zoneout_states: float=0.0) -> None: ...
    def reset(self) -> None:
        """Starts anew: the first output has no value before it."""
    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list]:
        """One step."""
    prev_output: Any
    zoneout_outputs: float
    zoneout_states: float
class ResidualCell(ModifierCell):
    """Adds the input to the output of a cell."""
    def __call__(self, inputs: Symbol, states: object) -> tuple[Symbol, list]:
        """One step."""
    def unroll(self, length: int, inputs: Any, begin_state: Any = None, layout: str = 'NTC', merge_outputs: bool | None = None) -> tuple[Any, list]:
        """Unrolls the cell inside and adds the inputs to its outputs; see ``BaseRNNCell.unroll``."""
__all__ = ['ModifierCell', 'ResidualCell', 'ZoneoutCell']
