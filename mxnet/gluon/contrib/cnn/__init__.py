"""Further convolutions."""

from . import conv_layers
from .conv_layers import *  # noqa: F403
from .conv_layers import __all__
