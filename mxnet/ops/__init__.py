"""The operators: the only place where they are defined. Importing this package registers all of them."""

from . import (
    contrib,
    creation,
    elementwise,
    image,
    indexing,
    linalg,
    nn,
    optimizer_update,
    ordering,
    random,
    reduce,
    sequence,
    shape,
    slicing,
    unary,
)
from .registry import OpDef, find, get, names, op, register

__all__ = [
    "OpDef",
    "contrib",
    "creation",
    "elementwise",
    "find",
    "get",
    "image",
    "indexing",
    "linalg",
    "names",
    "nn",
    "op",
    "optimizer_update",
    "ordering",
    "random",
    "reduce",
    "register",
    "sequence",
    "shape",
    "slicing",
    "unary",
]
