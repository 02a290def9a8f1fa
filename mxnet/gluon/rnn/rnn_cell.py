"""All recurrent cells, under the name that the original has for them."""

from ...base import claim_classes
from .base_cell import HybridRecurrentCell, RecurrentCell
from .basic_cells import GRUCell, LSTMCell, RNNCell
from .modifier_cells import ModifierCell, ResidualCell, ZoneoutCell
from .stacked_cells import BidirectionalCell, DropoutCell, HybridSequentialRNNCell, SequentialRNNCell

__all__ = [
    "BidirectionalCell",
    "DropoutCell",
    "GRUCell",
    "HybridRecurrentCell",
    "HybridSequentialRNNCell",
    "LSTMCell",
    "ModifierCell",
    "RNNCell",
    "RecurrentCell",
    "ResidualCell",
    "SequentialRNNCell",
    "ZoneoutCell",
]

claim_classes(globals(), __all__)
