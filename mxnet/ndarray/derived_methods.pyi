# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.context import Context
from mxnet.ndarray.basic_slices import BasicSlices
from mxnet.ndarray.ndarray import NDArray
from numpy.typing import DTypeLike
from typing import Any, Literal, SupportsFloat, SupportsIndex

class DerivedMethods(BasicSlices):
    """Methods and operators of NDArray."""
    def __add__(self, other: Any) -> NDArray: ...
    def __div__(self, other: Any) -> NDArray: ...
    def __eq__(self, other: Any) -> NDArray: ...  # type: ignore[override]
    def __ge__(self, other: Any) -> NDArray: ...
    def __gt__(self, other: Any) -> NDArray: ...
    def __iadd__(self, other: Any) -> NDArray: ...
    def __idiv__(self, other: Any) -> NDArray: ...
    def __imod__(self, other: Any) -> NDArray: ...
    def __imul__(self, other: Any) -> NDArray: ...
    def __isub__(self, other: Any) -> NDArray: ...
    def __itruediv__(self, other: Any) -> NDArray: ...
    def __le__(self, other: Any) -> NDArray: ...
    def __lt__(self, other: Any) -> NDArray: ...
    def __mod__(self, other: Any) -> NDArray: ...
    def __mul__(self, other: Any) -> NDArray: ...
    def __ne__(self, other: Any) -> NDArray: ...  # type: ignore[override]
    def __pow__(self, other: Any) -> NDArray: ...
    def __radd__(self, other: Any) -> NDArray: ...
    def __rdiv__(self, other: Any) -> NDArray: ...
    def __rmod__(self, other: Any) -> NDArray: ...
    def __rmul__(self, other: Any) -> NDArray: ...
    def __rpow__(self, other: Any) -> NDArray: ...
    def __rsub__(self, other: Any) -> NDArray: ...
    def __rtruediv__(self, other: Any) -> NDArray: ...
    def __sub__(self, other: Any) -> NDArray: ...
    def __truediv__(self, other: Any) -> NDArray: ...
    def abs(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The absolute value."""
    def arccos(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The angle in [0, pi] with that cosine."""
    def arccosh(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The inverse of the hyperbolic cosine, for x >= 1."""
    def arcsin(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The angle in [-pi/2, pi/2] with that sine."""
    def arcsinh(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The inverse of the hyperbolic sine."""
    def arctan(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The angle in [-pi/2, pi/2] with that tangent."""
    def arctanh(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The inverse of the hyperbolic tangent, for -1 < x < 1."""
    def argmax(self, axis: int | SupportsIndex | None = None, keepdims: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The index of the largest element along ``axis`` (or in the flattened array), the first one of equals, as the dtype of the array."""
    def argmax_channel(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The index of the largest element along axis 1."""
    def argmin(self, axis: int | SupportsIndex | None = None, keepdims: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The index of the smallest element along ``axis`` (or in the flattened array), the first one of equals, as the dtype of the array."""
    def argsort(self, axis: int | SupportsIndex | None = -1, is_ascend: bool | int = True, dtype: DTypeLike | None = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The indices that sort the array along ``axis`` (None: flattened). Equal elements keep their order."""
    def as_in_ctx(self, context: Context) -> NDArray:
        """This array if it is on that context already, else a copy there."""
    def broadcast_axes(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The array with the axes ``axis``, which must have size 1, repeated ``size`` times."""
    def cbrt(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The cube root."""
    def ceil(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The smallest whole number not below x. Its gradient is zero."""
    def clip(self, a_min: float | SupportsFloat, a_max: float | SupportsFloat, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The numbers limited to the interval from ``a_min`` to ``a_max``."""
    def cos(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The cosine of an angle in radians."""
    def cosh(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The hyperbolic cosine."""
    def degrees(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """An angle in radians as degrees."""
    def depth_to_space(self, block_size: int | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Moves channels of an NCHW array into blocks of ``block_size`` x ``block_size`` pixels."""
    def exp(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """e to the power of the number."""
    def expm1(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """``exp(x) - 1``, exact for small x."""
    def fix(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The nearest whole number towards zero. Its gradient is zero."""
    def flip(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Reverses the order of elements along each given axis."""
    def floor(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The largest whole number not above x. Its gradient is zero."""
    def log(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The natural logarithm."""
    def log10(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The logarithm to base 10."""
    def log1p(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """``log(1 + x)``, exact for small x."""
    def log2(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The logarithm to base 2."""
    def log_softmax(self, axis: int | SupportsIndex = -1, temperature: float | SupportsFloat | None = None, dtype: DTypeLike | None = None, use_length: bool | int | None = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The logarithm of the softmax of ``data / temperature`` along ``axis``. ``dtype`` is the dtype of the result."""
    def max(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The largest element along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
    def mean(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The mean along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
    def min(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The smallest element along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
    def nanprod(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The product, with NaN as 1, along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
    def nansum(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The sum, with NaN as 0, along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
    def norm(self, ord: int | SupportsIndex = 2, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out_dtype: DTypeLike | None = None, keepdims: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The L1 (``ord=1``) or L2 norm along ``axis``; without one, of the whole array."""
    def one_hot(self, depth: int | SupportsIndex, on_value: float | SupportsFloat = 1.0, off_value: float | SupportsFloat = 0.0, dtype: DTypeLike | None = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Adds a dimension of size ``depth`` that has ``on_value`` at the index and ``off_value`` elsewhere."""
    def ones_like(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Ones of the array's shape and dtype."""
    def pad(self, mode: Literal['constant', 'edge', 'reflect'] | str, pad_width: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, constant_value: float | SupportsFloat = 0.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Pads the last dimensions of a 4-D or 5-D array."""
    def pick(self, index: NDArray, axis: int | SupportsIndex | None = -1, keepdims: bool | int = False, mode: Literal['clip', 'wrap'] | str = 'clip', out: NDArray | None = None, name: str | None = None) -> NDArray:
        """One element along ``axis`` for every other position, by its index. Indices outside are clipped or wrapped."""
    def prod(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The product along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
    def radians(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """An angle in degrees as radians."""
    def rcbrt(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """One over the cube root."""
    def reciprocal(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """One over the number."""
    def relu(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """``max(x, 0)``."""
    def repeat(self, repeats: int | SupportsIndex, axis: int | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Repeats each element ``repeats`` times along ``axis``; without an axis the array is flattened first."""
    def reshape_like(self, rhs: NDArray, lhs_begin: int | SupportsIndex | None = None, lhs_end: int | SupportsIndex | None = None, rhs_begin: int | SupportsIndex | None = None, rhs_end: int | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Gives ``lhs`` the shape of ``rhs``, or replaces its dimensions [begin, end) by those of ``rhs``."""
    def rint(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The nearest whole number; n.5 becomes n. Its gradient is zero."""
    def round(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The nearest whole number, halves away from zero. Its gradient is zero."""
    def rsqrt(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """One over the square root."""
    def shape_array(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The size of each dimension, as int64."""
    def sigmoid(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """``1 / (1 + exp(-x))``."""
    def sign(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """-1, 0 or 1 by the sign; 0 for NaN. Its gradient is zero."""
    def sin(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The sine of an angle in radians."""
    def sinh(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The hyperbolic sine."""
    def size_array(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The number of elements, as int64."""
    def slice(self, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The part ``data[begin[0]:end[0]:step[0], ...]``, by Python's rules; None means from or to the border."""
    def slice_axis(self, axis: int | SupportsIndex, begin: int | SupportsIndex, end: int | SupportsIndex | None, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The part [begin, end) along one axis; negative positions count from the end, ``end=None`` means to the border."""
    def slice_like(self, shape_like: NDArray, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Cuts ``data`` to the size of ``shape_like``, along all axes or those in ``axes``."""
    def softmax(self, length: NDArray | None = None, axis: int | SupportsIndex = -1, temperature: float | SupportsFloat | None = None, dtype: DTypeLike | None = None, use_length: bool | int | None = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The softmax of ``data / temperature`` along ``axis``."""
    def softmin(self, axis: int | SupportsIndex = -1, temperature: float | SupportsFloat | None = None, dtype: DTypeLike | None = None, use_length: bool | int | None = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The softmax of ``-data / temperature`` along ``axis``. ``dtype`` is the dtype of the result."""
    def sort(self, axis: int | SupportsIndex | None = -1, is_ascend: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Sorts along ``axis``; None sorts the flattened array. Equal elements keep their order."""
    def space_to_depth(self, block_size: int | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Moves blocks of height and width of an NCHW array into channels, the inverse of ``depth_to_space``."""
    def sqrt(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The square root."""
    def square(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The square."""
    def sum(self, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The sum along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
    def swapaxes(self, dim1: int | SupportsIndex = 0, dim2: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Exchanges two dimensions."""
    def take(self, indices: NDArray, axis: int | SupportsIndex = 0, mode: Literal['clip', 'raise', 'wrap'] | str = 'clip', out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The slices of ``a`` at ``indices`` along ``axis``; the result has the shape of the indices in place of that axis."""
    def tan(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The tangent of an angle in radians."""
    def tanh(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The hyperbolic tangent."""
    def tile(self, reps: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Repeats the whole array ``reps`` times along each dimension, from the last one on if there are fewer numbers."""
    def topk(self, axis: int | SupportsIndex | None = -1, k: int | SupportsIndex = 1, ret_typ: Literal['both', 'indices', 'mask', 'value'] | str = 'indices', is_ascend: bool | int = False, dtype: DTypeLike | None = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
        """The ``k`` largest elements along ``axis`` (smallest if ``is_ascend``), in order; all of them if ``k`` < 1."""
    def transpose(self, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Permutes the dimensions by ``axes``; by default it reverses their order."""
    def trunc(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """The number without its fraction. Its gradient is zero."""
    def wait_to_write(self) -> None:
        """Waits until the array has been computed."""
    def zeros_like(self, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Zeros of the array's shape and dtype."""
