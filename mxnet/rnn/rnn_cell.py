"""The path by which MXNet programs know the recurrent cells."""

from ..base import claim_classes
from .cells import *  # noqa: F403
from .cells import __all__ as _basic
from .conv_cells import *  # noqa: F403
from .conv_cells import __all__ as _convolutional
from .modifier_cells import *  # noqa: F403
from .modifier_cells import __all__ as _modifiers
from .stacked_cells import *  # noqa: F403
from .stacked_cells import __all__ as _stacked

claim_classes(globals(), [*_basic, *_convolutional, *_modifiers, *_stacked])
