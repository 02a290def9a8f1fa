"""Recurrent cells, stepped or unrolled, and recurrent layers that run a whole sequence in one operator."""

from . import rnn_cell, rnn_layer
from .rnn_cell import *  # noqa: F403
from .rnn_layer import *  # noqa: F403
