"""Functions of ``linalg`` that NumPy itself computes, on copies of the arrays: on the host and without a gradient."""

import numpy as onp

from ..ndarray.numpy.dispatch import through_numpy as _through_numpy


def _lstsq(a: object, b: object, rcond: object = "warn") -> object:
    return onp.linalg.lstsq(a, b, -1 if isinstance(rcond, str) and rcond == "warn" else rcond)


_lstsq.__name__, _lstsq.__doc__ = "lstsq", onp.linalg.lstsq.__doc__
__all__ = "cond lstsq matrix_power matrix_rank multi_dot qr".split()
globals().update({name: _through_numpy(getattr(onp.linalg, name)) for name in __all__})
lstsq = _through_numpy(_lstsq)
del _lstsq
