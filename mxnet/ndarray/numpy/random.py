"""``mx.np.random``: random numbers in arrays."""

from ...ops.numpy import random_functions as _shared
from .dispatch import arrays as _arrays

FUNCTIONS = _shared.for_backend(_arrays, "mxnet.numpy.random", _shared.RANDOM)
__all__ = list(FUNCTIONS)
globals().update(FUNCTIONS)
