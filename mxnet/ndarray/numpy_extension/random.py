"""``mx.npx.random``: random numbers that NumPy does not have."""

from ...ops.numpy import random_functions as _shared
from ..numpy.dispatch import arrays as _arrays

FUNCTIONS = _shared.for_backend(_arrays, "mxnet.numpy_extension.random", _shared.EXTENSION)
__all__ = list(FUNCTIONS)
globals().update(FUNCTIONS)
