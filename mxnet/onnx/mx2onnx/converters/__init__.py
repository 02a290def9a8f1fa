"""The converters: a small function for each operator, or a line of a table. Importing this registers them."""

from . import (
    attention,
    boxes,
    control_flow,
    creation,
    elementwise,
    indexing,
    loss,
    nn,
    norm,
    numpy,
    numpy_linalg,
    quantize,
    random,
    reduce,
    rnn,
    shape,
)
