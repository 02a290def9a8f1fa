"""Functions of ``linalg`` that NumPy itself computes, on copies of the arrays: on the host and without a gradient."""

import numpy as onp

from ..ndarray.numpy.dispatch import through_numpy as _through_numpy

__all__ = "cond lstsq matrix_power matrix_rank multi_dot qr".split()
globals().update({name: _through_numpy(getattr(onp.linalg, name)) for name in __all__})
