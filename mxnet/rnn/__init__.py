"""``mx.rnn``: recurrent cells for symbols, sentences in buckets, and checkpoints of both."""

from .io import BucketSentenceIter, DataBatch, DataDesc, DataIter, encode_sentences
from .rnn import (
    do_rnn_checkpoint,
    load_checkpoint,
    load_rnn_checkpoint,
    rnn_unroll,
    save_checkpoint,
    save_rnn_checkpoint,
)
from .rnn_cell import *  # noqa: F403
