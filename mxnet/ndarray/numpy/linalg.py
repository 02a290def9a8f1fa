"""``mx.np.linalg``: linear algebra on arrays."""

from ...ops.numpy import linalg_functions as _shared
from .dispatch import arrays as _arrays

FUNCTIONS = _shared.for_backend(_arrays, "mxnet.numpy.linalg")
__all__ = list(FUNCTIONS)
globals().update(FUNCTIONS)
