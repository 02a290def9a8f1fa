"""The converters: a small function for each ONNX operator, or a line of a table. Importing this registers them."""

from . import (
    boxes,
    control_flow,
    elementwise,
    indexing,
    nn,
    norm,
    quantize,
    random,
    reduce,
    resize,
    rnn,
    sequence,
    shape,
)
