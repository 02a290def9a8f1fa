# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from .io import BucketSentenceIter as BucketSentenceIter, DataBatch as DataBatch, DataDesc as DataDesc, DataIter as DataIter, encode_sentences as encode_sentences
from .rnn import do_rnn_checkpoint as do_rnn_checkpoint, load_checkpoint as load_checkpoint, load_rnn_checkpoint as load_rnn_checkpoint, rnn_unroll as rnn_unroll, save_checkpoint as save_checkpoint, save_rnn_checkpoint as save_rnn_checkpoint
from .rnn_cell import BaseConvRNNCell as BaseConvRNNCell, BaseRNNCell as BaseRNNCell, BidirectionalCell as BidirectionalCell, ConvGRUCell as ConvGRUCell, ConvLSTMCell as ConvLSTMCell, ConvRNNCell as ConvRNNCell, DropoutCell as DropoutCell, FusedRNNCell as FusedRNNCell, GRUCell as GRUCell, LSTMCell as LSTMCell, ModifierCell as ModifierCell, RNNCell as RNNCell, RNNParams as RNNParams, ResidualCell as ResidualCell, SequentialRNNCell as SequentialRNNCell, ZoneoutCell as ZoneoutCell, claim_classes as claim_classes
from mxnet import initializer as init, ndarray as ndarray, symbol as symbol
from mxnet.base import numeric_types as numeric_types, string_types as string_types
__all__ = ['BaseConvRNNCell', 'BaseRNNCell', 'BidirectionalCell', 'BucketSentenceIter', 'ConvGRUCell', 'ConvLSTMCell', 'ConvRNNCell', 'DataBatch', 'DataDesc', 'DataIter', 'DropoutCell', 'FusedRNNCell', 'GRUCell', 'LSTMCell', 'ModifierCell', 'RNNCell', 'RNNParams', 'ResidualCell', 'SequentialRNNCell', 'ZoneoutCell', 'claim_classes', 'do_rnn_checkpoint', 'encode_sentences', 'init', 'load_checkpoint', 'load_rnn_checkpoint', 'ndarray', 'numeric_types', 'rnn_unroll', 'save_checkpoint', 'save_rnn_checkpoint', 'string_types', 'symbol']
