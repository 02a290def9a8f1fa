"""``mx.sym``: graphs of operators, composed first and run later."""

from functools import partial as _partial

from .. import ops as _ops
from ..ops.derive import populate as _populate
from . import _internal, contrib, creation, image, linalg, op, operators, random, symbol
from .creation import *  # noqa: F403
from .symbol import Group, Symbol, Variable, compose as _compose, load, load_json, var


def _hint(name: str) -> str:
    """What symbols made by this function are called: ``box_nms0`` for ``_contrib_box_nms``."""
    for prefix in ("_contrib_", "_linalg_", "_image_", "_sparse_"):
        name = name.removeprefix(prefix)
    return name.lower()


_populate(
    _ops.names(),
    lambda name: _partial(_compose, hint=_hint(name)),
    __name__,
    {"op": op, "_internal": _internal, "contrib": contrib, "image": image, "linalg": linalg, "random": random},
)
operators.install()
for _name in vars(op):
    if not _name.startswith("_") and _name not in globals():
        globals()[_name] = getattr(op, _name)
