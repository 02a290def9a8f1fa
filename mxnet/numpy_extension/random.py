"""``mx.npx.random``: seeds, and random numbers that NumPy does not have."""

from typing import Any as _Any

from ..ndarray.numpy_extension import random as _arrays
from ..random import seed as _seed


def seed(seed: int, ctx: _Any = "all") -> None:
    """Seeds the random number generators, as ``mx.random.seed`` does."""
    _seed(seed, ctx)


globals().update(_arrays.FUNCTIONS)
__all__ = [*_arrays.FUNCTIONS, "seed"]
