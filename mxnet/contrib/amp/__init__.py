"""``mx.contrib.amp``: automatic mixed precision, see ``mxnet.contrib.amp.amp``."""

from . import amp, lists, loss_scaler
from .amp import *  # noqa: F403
