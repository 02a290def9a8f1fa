"""Neural network operators."""

from . import (
    activation,
    batch_norm,
    convolution,
    cross_entropy,
    ctc,
    dense,
    dropout,
    hawkes,
    loss,
    normalization,
    pooling,
    rnn,
    softmax,
    spatial,
)

__all__ = [
    "activation",
    "batch_norm",
    "convolution",
    "cross_entropy",
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
