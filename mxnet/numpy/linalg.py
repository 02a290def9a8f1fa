"""``mx.np.linalg``: linear algebra."""

from ..ndarray.numpy import linalg as _arrays
from . import fallback_linalg
from .fallback_linalg import *  # noqa: F403

globals().update(_arrays.FUNCTIONS)
__all__ = [*_arrays.FUNCTIONS, *fallback_linalg.__all__]
