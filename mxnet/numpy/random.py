"""``mx.np.random``: random numbers. ``mx.random.seed`` or ``mx.npx.random.seed`` seeds them."""

from ..ndarray.numpy import random as _arrays

globals().update(_arrays.FUNCTIONS)
__all__ = list(_arrays.FUNCTIONS)
