"""Neural network operators."""

from . import activation, convolution, ctc, dense, dropout, hawkes, loss, normalization, pooling, rnn, softmax, spatial

__all__ = [
    "activation",
    "convolution",
    "ctc",
    "dense",
    "dropout",
    "hawkes",
    "loss",
    "normalization",
    "pooling",
    "rnn",
    "softmax",
    "spatial",
]
