"""The operators: the only place where they are defined. Importing this package registers all of them."""

from .._core import torch_settings, torch_version  # set what the environment asks for; warns of untested versions

# isort: split
from . import (
    contrib,
    control_flow,
    creation,
    custom,
    elementwise,
    image,
    indexing,
    linalg,
    multi_update,
    nn,
    optimizer_update,
    ordering,
    quantization,
    random,
    reduce,
    sequence,
    shape,
    slicing,
    unary,
)

from . import sparse  # isort: skip  (adds to the operators above)
from .registry import OpDef, find, get, names, op, register

# isort: split
from . import numpy  # after the operators that it gives second names
from .half import round_all_once

round_all_once()

__all__ = [
    "OpDef",
    "contrib",
    "control_flow",
    "creation",
    "custom",
    "elementwise",
    "find",
    "get",
    "image",
    "indexing",
    "linalg",
    "multi_update",
    "names",
    "nn",
    "numpy",
    "op",
    "optimizer_update",
    "ordering",
    "quantization",
    "random",
    "reduce",
    "register",
    "sequence",
    "shape",
    "slicing",
    "sparse",
    "unary",
]
