"""Layers of neural networks."""

from ..block import Block, HybridBlock, SymbolBlock
from .activations import *  # noqa: F403
from .basic_layers import *  # noqa: F403
from .conv_layers import *  # noqa: F403
