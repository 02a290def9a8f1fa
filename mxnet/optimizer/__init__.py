"""``mx.optimizer``: how weights follow their gradients."""

from . import contrib, optimizer
from .optimizer import *  # noqa: F403
