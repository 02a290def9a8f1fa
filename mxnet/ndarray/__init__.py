"""``mx.nd``: imperative arrays and every operator on them."""

import multiprocessing.pool as _pool  # packages use it and leave importing it to MXNet

from .. import ops as _ops
from .._core import threads as _threads
from ..native import allocator as _allocator
from ..ops.derive import populate as _populate
from . import _internal, contrib, image, linalg, op, operators, random, sparse, utils
from .creation import *  # noqa: F403
from .functions import *  # noqa: F403
from .legacy import *  # noqa: F403
from .ndarray import NDArray
from .utils import empty, load, load_frombuffer, save, zeros

_populate(
    _ops.names(),
    operators.function,
    __name__,
    {"op": op, "_internal": _internal, "contrib": contrib, "image": image, "linalg": linalg, "random": random},
)
operators.install()
_allocator.install_pool()
for _name in vars(op):
    if not _name.startswith("_") and _name not in globals():
        globals()[_name] = getattr(op, _name)
