"""``mx.nd``: imperative arrays and every operator on them."""

from .. import ops as _ops
from ..ops.derive import populate as _populate
from . import _internal, contrib, image, linalg, op, operators, random
from .creation import *  # noqa: F403
from .ndarray import NDArray, invoke as _invoke

_populate(
    _ops.names(),
    _invoke,
    __name__,
    {"op": op, "_internal": _internal, "contrib": contrib, "image": image, "linalg": linalg, "random": random},
)
operators.install()
for _name in vars(op):
    if not _name.startswith("_") and _name not in globals():
        globals()[_name] = getattr(op, _name)
