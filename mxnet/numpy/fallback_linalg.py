"""Functions of ``linalg`` that NumPy itself computes, on copies of the arrays: on the host and without a gradient."""

import functools
from typing import Any

import numpy as onp

from ..ndarray.numpy.dispatch import through_numpy as _through_numpy


def _rcond(function: Any) -> Any:
    """``lstsq`` with the default of ``rcond`` that NumPy had, for which MXNet was made."""

    @functools.wraps(function)
    def lstsq(a: Any, b: Any, rcond: Any = "warn") -> Any:
        return function(a, b, -1 if isinstance(rcond, str) and rcond == "warn" else rcond)

    return lstsq


__all__ = "cond lstsq matrix_power matrix_rank multi_dot qr".split()
globals().update({name: _through_numpy(getattr(onp.linalg, name)) for name in __all__})
lstsq = _through_numpy(_rcond(onp.linalg.lstsq))
