"""Further layers."""

from . import basic_layers
from .basic_layers import *  # noqa: F403
from .basic_layers import __all__
