"""``mx.np``: NumPy's functions on arrays that can be on any device and recorded by autograd.

from mxnet import np, npx
npx.set_np()
np.ones((2, 3)) @ np.ones((3, 2))
"""

from ..ndarray.numpy import functions as _functions
from ..ndarray.numpy.array import ndarray
from . import fallback, fallback_linalg, linalg, random, utils
from .fallback import *  # noqa: F403
from .utils import *  # noqa: F403

globals().update(_functions.FUNCTIONS)
bool = utils.bool
_STR_2_DTYPE_ = utils._STR_2_DTYPE_
__all__: list[str] = []  # as in the original: ``from mxnet.numpy import *`` brings nothing
