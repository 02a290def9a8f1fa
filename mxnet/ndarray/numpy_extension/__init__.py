"""``mx.nd.npx``: the operators of neural networks on arrays of ``mx.np``."""

from functools import partial as _partial

from ...ops.numpy.extension import functions as _made
from ..gate import invoke as _invoke, specialize as _specialize
from ..numpy.array import ndarray as _ndarray
from ..numpy.dispatch import arrays as _arrays
from . import image, random

FUNCTIONS = _made(
    _arrays,
    "mxnet.numpy_extension",
    lambda name: _partial(_invoke, kind=_ndarray),
    lambda op: _specialize(op, _ndarray),
)
__all__ = list(FUNCTIONS)
globals().update(FUNCTIONS)
