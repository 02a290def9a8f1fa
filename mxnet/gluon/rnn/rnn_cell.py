"""All recurrent cells, under the name that the original has for them."""

from ..block import Block, HybridBlock  # noqa: F401  (the original has these names here)
from ..nn import LeakyReLU  # noqa: F401  (as above)
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
