"""Layers of neural networks."""

from ..block import Block
from ..hybrid_block import HybridBlock
from ..symbol_block import SymbolBlock
from .activations import *  # noqa: F403
from .basic_layers import *  # noqa: F403
from .conv_layers import *  # noqa: F403
