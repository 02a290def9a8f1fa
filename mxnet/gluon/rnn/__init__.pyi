# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from . import rnn_cell as rnn_cell, rnn_layer as rnn_layer
from .rnn_cell import BidirectionalCell as BidirectionalCell, DropoutCell as DropoutCell, GRUCell as GRUCell, HybridRecurrentCell as HybridRecurrentCell, HybridSequentialRNNCell as HybridSequentialRNNCell, LSTMCell as LSTMCell, ModifierCell as ModifierCell, RNNCell as RNNCell, RecurrentCell as RecurrentCell, ResidualCell as ResidualCell, SequentialRNNCell as SequentialRNNCell, ZoneoutCell as ZoneoutCell
from .rnn_layer import GRU as GRU, LSTM as LSTM, RNN as RNN
__all__ = ['BidirectionalCell', 'DropoutCell', 'GRU', 'GRUCell', 'HybridRecurrentCell', 'HybridSequentialRNNCell', 'LSTM', 'LSTMCell', 'ModifierCell', 'RNN', 'RNNCell', 'RecurrentCell', 'ResidualCell', 'SequentialRNNCell', 'ZoneoutCell', 'rnn_cell', 'rnn_layer']
