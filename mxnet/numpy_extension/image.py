"""``mx.npx.image``: operators on images."""

from ..ndarray.numpy_extension import image as _arrays

globals().update(_arrays.FUNCTIONS)
__all__ = list(_arrays.FUNCTIONS)
