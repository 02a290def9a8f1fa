"""``mx.npx.random``: seeds, and random numbers that NumPy does not have."""

from ..ndarray.numpy_extension import random as _arrays
from ..random import seed

globals().update(_arrays.FUNCTIONS)
__all__ = [*_arrays.FUNCTIONS, "seed"]
