"""``mx.contrib.amp``: automatic mixed precision, see :mod:`mxnet.contrib.amp.amp`."""

from . import amp, lists, loss_scaler
from .amp import *  # noqa: F403
