"""The array of ``mx.np`` and its functions, at the path they have in the original."""

from ..ndarray.numpy import functions as _functions
from ..ndarray.numpy.array import ndarray
from . import fallback
from .fallback import *  # noqa: F403

_NOT_HERE = """all amax amin any atleast_1d atleast_2d atleast_3d broadcast_arrays copy cumsum diag diagflat diagonal
dot genfromtxt max meshgrid min moveaxis prod product repeat reshape roll set_printoptions sometrue squeeze sum trace
transpose""".split()
_HERE = {name: function for name, function in _functions.FUNCTIONS.items() if name not in _NOT_HERE}
globals().update(_HERE)
__all__ = ["ndarray", *_HERE, *(name for name in fallback.__all__ if name not in _HERE)]
