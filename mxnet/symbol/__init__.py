"""``mx.sym``: graphs of operators, composed first and run later."""

from collections.abc import Callable as _Callable
from functools import partial as _partial

from .. import ops as _ops
from ..ops.derive import populate as _populate, public_function as _public_function
from ..ops.registry import OpDef as _OpDef
from . import (
    _internal,
    contrib,
    creation,
    image,
    linalg,
    op,
    operators,
    random,
    sparse,
    subgraphs as _subgraphs,
    symbol,
)
from .creation import *  # noqa: F403
from .symbol import Group, Symbol, Variable, compose as _compose, load, load_json, var


def _function(op: _OpDef, name: str, module: str) -> _Callable[..., Symbol]:
    """What symbols made by this function are called: ``box_nms0`` for ``_contrib_box_nms``."""
    short = name
    for prefix in ("_contrib_", "_linalg_", "_image_", "_sparse_"):
        short = short.removeprefix(prefix)
    return _public_function(op, name, module, _partial(_compose, hint=short.lower()))


_populate(
    _ops.names(),
    _function,
    __name__,
    {"op": op, "_internal": _internal, "contrib": contrib, "image": image, "linalg": linalg, "random": random},
)
operators.install()
for _name in vars(op):
    if not _name.startswith("_") and _name not in globals():
        globals()[_name] = getattr(op, _name)
