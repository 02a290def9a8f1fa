"""The path by which MXNet programs know the recurrent cells."""

from .cells import *  # noqa: F403
from .conv_cells import *  # noqa: F403
from .modifier_cells import *  # noqa: F403
from .stacked_cells import *  # noqa: F403
