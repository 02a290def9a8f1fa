"""More recurrent cells: convolutional ones, variational dropout, LSTM with projection."""

from . import conv_rnn_cell, rnn_cell
from .conv_rnn_cell import *  # noqa: F403
from .rnn_cell import *  # noqa: F403
