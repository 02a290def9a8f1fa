# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.context import Context
from mxnet.ndarray.numpy.array import ndarray
from numpy.typing import DTypeLike
from typing import Any, Literal, SupportsFloat, SupportsIndex

from functools import partial as _partial
from ...ops.numpy.extension import internals as _internals
from ..gate import invoke as _invoke
from .array import ndarray as _ndarray
_FUNCTIONS: dict[Any, Any]
def Custom(*data: ndarray | Sequence[ndarray], op_type: str, out: ndarray | None = None, name: str | None = None, **kwargs: Any) -> ndarray:
    """An operator written in Python: ``op_type`` names a class registered with ``mx.operator.register``."""
def abs(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The absolute value."""
def absolute(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The absolute value."""
def add(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The sum, element by element. Dimensions broadcast."""
def add_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The sum, element by element. The number takes the dtype of the array."""
def arange(start: float | SupportsFloat, stop: float | SupportsFloat | None = None, step: float | SupportsFloat = 1.0, repeat: int | SupportsIndex = 1, infer_range: bool | int = False, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Numbers from ``start`` up to but without ``stop``, each ``repeat`` times; a single number is the stop."""
def arccos(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The angle in [0, pi] with that cosine."""
def arccosh(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The inverse of the hyperbolic cosine, for x >= 1."""
def arcsin(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The angle in [-pi/2, pi/2] with that sine."""
def arcsinh(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The inverse of the hyperbolic sine."""
def arctan(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The angle in [-pi/2, pi/2] with that tangent."""
def arctan2(x1: ndarray, x2: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The angle in radians of the point (x2, x1). Dimensions broadcast."""
def arctan2_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The angle in radians of the point (x2, x1). The number takes the dtype of the array."""
def arctanh(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The inverse of the hyperbolic tangent, for -1 < x < 1."""
def argmax(data: ndarray, axis: int | SupportsIndex | None = None, keepdims: bool | int = False, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The place of the largest element along ``axis``, or in the flattened array."""
def argmin(data: ndarray, axis: int | SupportsIndex | None = None, keepdims: bool | int = False, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The place of the smallest element along ``axis``, or in the flattened array."""
def argsort(data: ndarray, axis: int | SupportsIndex | None = -1, is_ascend: bool | int = True, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The indices that sort the array along ``axis`` (None: flattened). Equal elements keep their order."""
def around(x: ndarray, decimals: int | SupportsIndex = 0, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The numbers rounded to so many decimals, halves to the even number. The gradient is zero."""
def average(a: ndarray, weights: ndarray | None = None, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, returned: bool | int = False, weighted: bool | int = True, out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> ndarray:
    """The mean along ``axis``, or of the whole array, each number with its weight; also the sum of the weights."""
def bernoulli(input1: ndarray | None = None, prob: float | SupportsFloat | None = ..., logit: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., is_logit: bool | int = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """1 with the probability ``prob``, or the logistic function of ``logit``, else 0."""
def bincount(data: ndarray, weights: ndarray | None = None, minlength: int | SupportsIndex = 0, has_weights: bool | int = False, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """How often each number from 0 on occurs, or the sum of the weights where it does."""
def bitwise_and(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Bit by bit ``lhs and rhs``, of integers or booleans. Dimensions broadcast."""
def bitwise_and_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Bit by bit ``lhs and rhs``, of integers or booleans. The number takes the dtype of the array."""
def bitwise_not(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Each bit inverted, of integers or booleans."""
def bitwise_or(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Bit by bit ``lhs or rhs``, of integers or booleans. Dimensions broadcast."""
def bitwise_or_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Bit by bit ``lhs or rhs``, of integers or booleans. The number takes the dtype of the array."""
def bitwise_xor(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Bit by bit ``lhs xor rhs``, of integers or booleans. Dimensions broadcast."""
def bitwise_xor_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Bit by bit ``lhs xor rhs``, of integers or booleans. The number takes the dtype of the array."""
def blackman(M: int | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The Blackman window of M points."""
def boolean_mask(data: ndarray, index: ndarray, axis: int | SupportsIndex = 0, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The rows of ``data`` where ``index``, a vector, is not 0. How many depends on the data."""
def boolean_mask_assign_scalar(data: ndarray, mask: ndarray, value: float | SupportsFloat = 0.0, start_axis: int | SupportsIndex = 0, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """A copy of the array with a number where a mask, over axes from ``start_axis`` on, is not 0."""
def boolean_mask_assign_tensor(data: ndarray, mask: ndarray, value: ndarray, start_axis: int | SupportsIndex = 0, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """A copy of the array with the elements of another where a mask is not 0."""
def broadcast_to(array: ndarray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The array repeated along dimensions of size 1, and along new ones in front; -2 keeps a size."""
def cast(data: ndarray, dtype: DTypeLike | None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """A copy converted to ``dtype``. Fractions are cut off; integers that do not fit wrap around."""
def cbrt(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The cube root."""
def ceil(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The smallest whole number not below x. Its gradient is zero."""
def choice(input1: ndarray | None = None, input2: ndarray | None = None, a: int | SupportsIndex | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = ..., ctx: Context | str | None = None, replace: bool | int = True, weighted: bool | int = False, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Numbers below ``a``, or elements of an array, drawn with or without replacement, by weights if there are any."""
def cholesky(A: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The lower triangle L with L L^T = A."""
def clip(data: ndarray, a_min: float | SupportsFloat, a_max: float | SupportsFloat, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The numbers limited to the interval from ``a_min`` to ``a_max``."""
def column_stack(*data: ndarray | Sequence[ndarray], num_args: int | SupportsIndex = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The arrays joined as columns."""
def concatenate(*data: ndarray | Sequence[ndarray], num_args: int | SupportsIndex = ..., axis: int | SupportsIndex | None = 0, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The arrays joined along an axis; flattened first, if it is None."""
def copysign(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The first number with the sign of the second. Dimensions broadcast."""
def copysign_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The first number with the sign of the second. The number takes the dtype of the array."""
def cos(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The cosine of an angle in radians."""
def cosh(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The hyperbolic cosine."""
def cvimdecode(buf: ndarray, flag: int | SupportsIndex = 1, to_rgb: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Decodes an image from its file's bytes, a uint8 array, to uint8 (height, width, channel)."""
def cvimread(filename: str, flag: int | SupportsIndex = 1, to_rgb: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Reads an image file to uint8 (height, width, channel); ``flag`` and ``to_rgb`` as in _cvimdecode."""
def cvimresize(src: ndarray, w: int | SupportsIndex, h: int | SupportsIndex, interp: int | SupportsIndex = 1, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Resizes an image (height, width, channel) to width ``w`` and height ``h``; ``interp`` is OpenCV's number."""
def degrees(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """An angle in radians as degrees."""
def delete(arr: ndarray, obj: ndarray | None = None, start: int | SupportsIndex | None = None, stop: int | SupportsIndex | None = None, step: int | SupportsIndex | None = None, int_ind: int | SupportsIndex | None = None, axis: int | SupportsIndex | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The array without the given places along an axis, or of the flattened array."""
def det(A: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The determinant."""
def diag_indices_from(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The indices of the main diagonal of an array whose dimensions are all equal, a row for each dimension."""
def diff(a: ndarray, n: int | SupportsIndex = 1, axis: int | SupportsIndex = -1, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The differences of neighbors along an axis, ``n`` times."""
def dsplit(data: ndarray, indices: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, axis: int | SupportsIndex = 1, squeeze_axis: bool | int = False, sections: int | SupportsIndex = 0, out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> Any:
    """The array cut along its third axis."""
def dstack(*data: ndarray | Sequence[ndarray], num_args: int | SupportsIndex = ..., dim: int | SupportsIndex = 1, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The arrays joined along the third axis."""
def ediff1d(input1: ndarray, input2: ndarray | None = None, input3: ndarray | None = None, to_begin_arr_given: bool | int = False, to_end_arr_given: bool | int = False, to_begin_scalar: float | SupportsFloat | None = None, to_end_scalar: float | SupportsFloat | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The differences of neighbors in the flattened array, with numbers put before and after them."""
def eig(A: ndarray, out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> list[ndarray]:
    """The eigenvalues and eigenvectors of a matrix that has real ones. No gradient."""
def eigh(A: ndarray, UPLO: Literal['L', 'U'] | str = 'L', out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> list[ndarray]:
    """The eigenvalues and eigenvectors of a symmetric matrix, of which one triangle is read."""
def eigvals(A: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The eigenvalues of a matrix that has real ones. No gradient."""
def eigvalsh(A: ndarray, UPLO: Literal['L', 'U'] | str = 'L', out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The eigenvalues of a symmetric matrix, of which one triangle is read."""
def einsum(*data: ndarray | Sequence[ndarray], num_args: int | SupportsIndex = ..., subscripts: str = '', optimize: int | SupportsIndex = 0, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Sums of products in Einstein's notation, such as ``ij,jk->ik``."""
def equal(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is ``lhs == rhs``? Dimensions broadcast."""
def equal_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is ``lhs == rhs``? The number takes the dtype of the array."""
def exp(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """e to the power of the number."""
def expand_dims(data: ndarray, axis: int | SupportsIndex, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Inserts a dimension of size 1 before position ``axis``."""
def expm1(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """``exp(x) - 1``, exact for small x."""
def exponential(input1: ndarray | None = None, scale: float | SupportsFloat | None = 1.0, size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Random numbers from the exponential distribution with mean ``scale``."""
def eye(N: int | SupportsIndex, M: int | SupportsIndex | None = None, k: int | SupportsIndex = 0, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """A matrix of N rows and M columns with ones on its k-th diagonal."""
def fix(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The nearest whole number towards zero. Its gradient is zero."""
def flip(data: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The array with the order along some axes, or for None along all, reversed."""
def floor(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The largest whole number not above x. Its gradient is zero."""
def full(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., value: float | SupportsFloat = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """An array in which every element is ``value``."""
def full_like(a: ndarray, fill_value: float | SupportsFloat, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """An array of one number with the shape, and if none is given the dtype, of another."""
def gamma(input1: ndarray | None = None, input2: ndarray | None = None, shape: float | SupportsFloat | None = ..., scale: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Random numbers from the gamma distribution."""
def gather_nd(data: ndarray, indices: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The elements or slices of ``data`` at the points whose coordinates are the columns of ``indices``."""
def greater(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is ``lhs > rhs``? Dimensions broadcast."""
def greater_equal(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is ``lhs >= rhs``? Dimensions broadcast."""
def greater_equal_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is ``lhs >= rhs``? The number takes the dtype of the array."""
def greater_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is ``lhs > rhs``? The number takes the dtype of the array."""
def gumbel(input1: ndarray | None = None, input2: ndarray | None = None, loc: float | SupportsFloat | None = ..., scale: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Random numbers from the Gumbel distribution."""
def hamming(M: int | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The Hamming window of M points."""
def hanning(M: int | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The Hann window of M points."""
def histogram(data: ndarray, bins: ndarray | None = None, bin_cnt: int | SupportsIndex | None = None, range: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat | None = None, out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> list[ndarray]:
    """Counts (int64) of the elements in each bin, and the edges of the bins."""
def hsplit(data: ndarray, indices: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, axis: int | SupportsIndex = 1, squeeze_axis: bool | int = False, sections: int | SupportsIndex = 0, out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> Any:
    """The array cut along its second axis, or its only one."""
def hstack(*data: ndarray | Sequence[ndarray], num_args: int | SupportsIndex = ..., dim: int | SupportsIndex = 1, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The arrays joined along the second axis; those of one dimension along that."""
def hypot(x1: ndarray, x2: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """``sqrt(x1**2 + x2**2)``. Dimensions broadcast."""
def hypot_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """``sqrt(lhs**2 + rhs**2)``, element by element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def identity(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """A square matrix with ones on its diagonal."""
def indices(dimensions: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, dtype: DTypeLike | None = ..., ctx: Context | str | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The index of each element of a grid, one array for each of its dimensions."""
def insert_scalar(arr: ndarray, values: ndarray | None = None, val: float | SupportsFloat | None = None, start: int | SupportsIndex | None = None, stop: int | SupportsIndex | None = None, step: int | SupportsIndex | None = None, int_ind: int | SupportsIndex | None = None, axis: int | SupportsIndex | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The array with a number, or numbers, put before a place along an axis, or of the flattened array."""
def insert_slice(arr: ndarray, values: ndarray | None = None, val: float | SupportsFloat | None = None, start: int | SupportsIndex | None = None, stop: int | SupportsIndex | None = None, step: int | SupportsIndex | None = None, int_ind: int | SupportsIndex | None = None, axis: int | SupportsIndex | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The array with numbers put before each place of a slice along an axis, or of the flattened array."""
def insert_tensor(arr: ndarray, values: ndarray, obj: ndarray | None = None, val: float | SupportsFloat | None = None, start: int | SupportsIndex | None = None, stop: int | SupportsIndex | None = None, step: int | SupportsIndex | None = None, int_ind: int | SupportsIndex | None = None, axis: int | SupportsIndex | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The array with numbers put before the places that an array names, along an axis or of the flattened array."""
def inv(A: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The inverse of square matrices."""
def isfinite(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is neither NaN nor an infinity?"""
def isinf(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is an infinity?"""
def isnan(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is NaN?"""
def isneginf(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is the negative infinity?"""
def isposinf(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is the positive infinity?"""
def lcm(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The least common multiple of two integers. Dimensions broadcast."""
def lcm_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The least common multiple of two integers. The number takes the dtype of the array."""
def ldexp(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """``lhs * 2**rhs``. Dimensions broadcast."""
def ldexp_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """``lhs * 2**rhs``. The number takes the dtype of the array."""
def less(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is ``lhs < rhs``? Dimensions broadcast."""
def less_equal(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is ``lhs <= rhs``? Dimensions broadcast."""
def less_equal_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is ``lhs <= rhs``? The number takes the dtype of the array."""
def less_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is ``lhs < rhs``? The number takes the dtype of the array."""
def linspace(start: float | SupportsFloat, stop: float | SupportsFloat, num: int | SupportsIndex, endpoint: bool | int = True, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """``num`` evenly spaced numbers from ``start`` to ``stop``, which is the last of them if ``endpoint`` says so."""
def log(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The natural logarithm."""
def log10(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The logarithm to base 10."""
def log1p(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """``log(1 + x)``, exact for small x."""
def log2(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The logarithm to base 2."""
def logical_not(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is the number 0?"""
def logistic(input1: ndarray | None = None, input2: ndarray | None = None, loc: float | SupportsFloat | None = ..., scale: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Random numbers from the logistic distribution."""
def logspace(start: float | SupportsFloat, stop: float | SupportsFloat, num: int | SupportsIndex, endpoint: bool | int = True, base: float | SupportsFloat = 10.0, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Numbers evenly spaced on a logarithmic scale, from ``base**start`` to ``base**stop``."""
def matmul(a: ndarray, b: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The product of matrices in the last two axes; the other axes broadcast."""
def maximum(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The larger number, element by element. Dimensions of size 1 broadcast."""
def maximum_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The larger number, element by element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def mean(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, keepdims: bool | int = False, initial: float | SupportsFloat | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The mean along ``axis``, or of the whole array."""
def minimum(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The smaller number, element by element. Dimensions of size 1 broadcast."""
def minimum_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The smaller number, element by element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def mod(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The remainder, with the sign of the divisor. Dimensions broadcast."""
def mod_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The remainder, with the sign of the divisor. The number takes the dtype of the array."""
def multinomial(a: ndarray | None = None, n: int | SupportsIndex = ..., pvals: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat | None = None, size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """How often each of several outcomes with the given probabilities occurs in ``n`` trials."""
def multiply(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The product, element by element. Dimensions broadcast."""
def multiply_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The product, element by element. The number takes the dtype of the array."""
def nan_to_num(data: ndarray, copy: bool | int = True, nan: float | SupportsFloat = 0.0, posinf: float | SupportsFloat | None = None, neginf: float | SupportsFloat | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The array with numbers in the place of NaN and the infinities, for which the largest and smallest stand."""
def negative(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The number with the opposite sign."""
def nonzero(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The indices of the elements that are not 0, a row for each."""
def norm(data: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ord: float | SupportsFloat = 2.0, keepdims: bool | int = False, flag: int | SupportsIndex = -2, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The Euclidean norm of all elements; of integers its whole part."""
def normal(input1: ndarray | None = None, input2: ndarray | None = None, loc: float | SupportsFloat | None = ..., scale: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Random numbers from the normal distribution with mean ``loc`` and standard deviation ``scale``."""
def normal_n(input1: ndarray | None = None, input2: ndarray | None = None, loc: float | SupportsFloat | None = ..., scale: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Random numbers from the normal distribution with mean ``loc`` and standard deviation ``scale``."""
def not_equal(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is ``lhs != rhs``? Dimensions broadcast."""
def not_equal_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Where is ``lhs != rhs``? The number takes the dtype of the array."""
def ones(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """An array of ones."""
def pad(data: ndarray, pad_width: tuple[tuple[int, ...], ...] | Sequence[Sequence[SupportsIndex]], mode: Literal['constant', 'edge', 'reflect', 'symmetric', 'maximum', 'minimum'] | str = 'constant', constant_value: float | SupportsFloat = 0.0, reflect_type: str = 'even', out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The array with a border of so many elements before and after along each axis."""
def pareto(input1: ndarray | None = None, a: float | SupportsFloat | None = None, size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Random numbers from the Pareto II distribution of shape ``a``."""
def percentile(a: ndarray, q: ndarray | None = None, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, interpolation: Literal['linear', 'lower', 'higher', 'midpoint', 'nearest'] | str = 'linear', keepdims: bool | int = False, q_scalar: float | SupportsFloat | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The q-th percentiles along ``axis``, or of the whole array; one for each number of ``q``, in front."""
def pinv(A: ndarray, rcond: ndarray, hermitian: bool | int = False, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The pseudo-inverse; singular values below ``rcond`` times the largest count as 0."""
def pinv_scalar_rcond(A: ndarray, rcond: float | SupportsFloat = 1e-15, hermitian: bool | int = False, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The pseudo-inverse; singular values below ``rcond`` times the largest count as 0."""
def polyval(p: ndarray, x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The values of a polynomial, whose coefficients begin with that of the highest power."""
def power(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The first array to the power of the second, element by element. Dimensions broadcast."""
def power_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The first array to the power of the second, element by element. The number takes the dtype of the array."""
def powerd(input1: ndarray | None = None, a: float | SupportsFloat | None = None, size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Random numbers from [0, 1] with density ``a * x**(a - 1)``."""
def radians(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """An angle in degrees as radians."""
def random_randint(low: int | SupportsIndex, high: int | SupportsIndex, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Random integers from the half-open interval [low, high), each as likely as the others."""
def rarctan2_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The angle in radians of the point (x2, x1). The number comes first. The number takes the dtype of the array."""
def rayleigh(input1: ndarray | None = None, scale: float | SupportsFloat | None = 1.0, size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Random numbers from the Rayleigh distribution."""
def rcopysign_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The first number with the sign of the second. The number comes first. The number takes the dtype of the array."""
def reciprocal(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """One over the number."""
def reshape(a: ndarray, newshape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, reverse: bool | int = False, order: str = 'C', out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The array with another shape."""
def rint(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The nearest whole number; n.5 becomes n. Its gradient is zero."""
def rldexp_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """``lhs * 2**rhs``. The number comes first. The number takes the dtype of the array."""
def rmod_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The remainder, with the sign of the divisor. The number comes first. The number takes the dtype of the array."""
def rnn_param_concat(*data: ndarray | Sequence[ndarray], dim: int | SupportsIndex = 1, num_args: int | SupportsIndex = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Joins the parameters of a recurrent layer into the one vector that RNN takes."""
def rot90(data: ndarray, k: int | SupportsIndex = 1, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The array turned by 90 degrees ``k`` times in the plane of two axes."""
def rpower_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The first array to the power of the second, element by element. The number comes first. The number takes the dtype of the array."""
def rsubtract_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The difference, element by element. The number comes first. The number takes the dtype of the array."""
def rtrue_divide_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The quotient, element by element; of integers it is float32. The number comes first. The number takes the dtype of the array."""
def scatter_set_nd(lhs: ndarray, rhs: ndarray, indices: ndarray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """A copy of ``lhs`` with ``rhs`` at the points whose coordinates are the columns of ``indices``."""
def share_memory(a: ndarray, b: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Do two arrays share memory?"""
def shuffle(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The array with the elements of its first axis in random order."""
def sign(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """-1, 0 or 1 by the sign; 0 for NaN. Its gradient is zero."""
def sin(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The sine of an angle in radians."""
def sinh(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The hyperbolic sine."""
def slice(data: ndarray, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The part ``data[begin[0]:end[0]:step[0], ...]``, by Python's rules; None means from or to the border."""
def slice_assign(lhs: ndarray, rhs: ndarray, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: ndarray | None = None, name: str | None = None) -> ndarray:
    """A copy of ``lhs`` in which a slice is replaced by ``rhs``."""
def slice_assign_scalar(data: ndarray, scalar: float | SupportsFloat = 0.0, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = ..., end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = ..., step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: ndarray | None = None, name: str | None = None) -> ndarray:
    """A copy of ``data`` in which every element of a slice is ``scalar``."""
def slogdet(A: ndarray, out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> list[ndarray]:
    """The sign and the logarithm of the determinant."""
def solve(A: ndarray, B: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The X with A X = B."""
def sort(data: ndarray, axis: int | SupportsIndex | None = -1, is_ascend: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Sorts along ``axis``; None sorts the flattened array. Equal elements keep their order."""
def split(data: ndarray, indices: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, axis: int | SupportsIndex = 1, squeeze_axis: bool | int = False, sections: int | SupportsIndex = 0, out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> Any:
    """Splits an array along ``axis`` into parts that start at ``indices``, or into ``sections`` nearly equal parts."""
def sqrt(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The square root."""
def square(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The square."""
def stack(*data: ndarray | Sequence[ndarray], axis: int | SupportsIndex = 0, num_args: int | SupportsIndex = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The arrays joined along a new axis."""
def std(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, ddof: int | SupportsIndex = 0, keepdims: bool | int = False, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The standard deviation along ``axis``, or of the whole array, divided by ``n - ddof``."""
def subtract(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The difference, element by element. Dimensions broadcast."""
def subtract_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The difference, element by element. The number takes the dtype of the array."""
def svd(A: ndarray, out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> list[ndarray]:
    """The singular value decomposition: U, the singular values, V^T."""
def swapaxes(data: ndarray, dim1: int | SupportsIndex = 0, dim2: int | SupportsIndex = 0, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Exchanges two dimensions."""
def take(a: ndarray, indices: ndarray, axis: int | SupportsIndex = 0, mode: Literal['clip', 'raise', 'wrap'] | str = 'clip', out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The slices of ``a`` at ``indices`` along ``axis``; the result has the shape of the indices in place of that axis."""
def tan(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The tangent of an angle in radians."""
def tanh(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The hyperbolic tangent."""
def tensordot(a: ndarray, b: ndarray, a_axes_summed: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, b_axes_summed: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The products of two arrays summed over pairs of axes."""
def tensordot_int_axes(a: ndarray, b: ndarray, axes: int | SupportsIndex, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The products of two arrays summed over the last axes of the first and the first of the second."""
def tensorinv(a: ndarray, ind: int | SupportsIndex = 2, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The inverse of an array as a map by its first ``ind`` axes."""
def tensorsolve(a: ndarray, b: ndarray, a_axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The X whose tensor product with ``a`` over all its axes is ``b``."""
def tile(data: ndarray, reps: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Repeats the whole array ``reps`` times along each dimension, from the last one on if there are fewer numbers."""
def tril(data: ndarray, k: int | SupportsIndex = 0, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The matrices in the last two axes with zeros above the k-th diagonal."""
def true_divide(lhs: ndarray, rhs: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The quotient, element by element; of integers it is float32. Dimensions broadcast."""
def true_divide_scalar(data: ndarray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The quotient, element by element; of integers it is float32. The number takes the dtype of the array."""
def trunc(x: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The number without its fraction. Its gradient is zero."""
def uniform(input1: ndarray | None = None, input2: ndarray | None = None, low: float | SupportsFloat | None = ..., high: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Random numbers from the interval [low, high)."""
def uniform_n(input1: ndarray | None = None, input2: ndarray | None = None, low: float | SupportsFloat | None = ..., high: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Random numbers from the interval [low, high)."""
def unique(data: ndarray, return_index: bool | int = False, return_inverse: bool | int = False, return_counts: bool | int = False, axis: int | SupportsIndex | None = None, out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> ndarray:
    """The sorted elements, each once; also where each is first, which of them each element is, how many there are."""
def var(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, ddof: int | SupportsIndex = 0, keepdims: bool | int = False, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The variance along ``axis``, or of the whole array, divided by ``n - ddof``."""
def vstack(*data: ndarray | Sequence[ndarray], num_args: int | SupportsIndex = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The arrays joined as rows."""
def weibull(input1: ndarray | None = None, a: float | SupportsFloat | None = None, size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Random numbers from the Weibull distribution of shape ``a``."""
def where(condition: ndarray, x: ndarray, y: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The elements of ``x`` where the condition is not 0, else those of ``y``. All three broadcast."""
def where_lscalar(condition: ndarray, x: ndarray, scalar: float | SupportsFloat = 0.0, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """A number where the condition is not 0, else the elements of ``x``, whose dtype it takes."""
def where_rscalar(condition: ndarray, y: ndarray, scalar: float | SupportsFloat = 0.0, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The elements of ``y`` where the condition is not 0, else a number of its dtype."""
def where_scalar2(condition: ndarray, x: float | SupportsFloat = 0.0, y: float | SupportsFloat = 0.0, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """One number where the condition is not 0, else another, in float32."""
def zeros(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """An array of zeros."""
__all__ = ['Custom', 'abs', 'absolute', 'add', 'add_scalar', 'arange', 'arccos', 'arccosh', 'arcsin', 'arcsinh', 'arctan', 'arctan2', 'arctan2_scalar', 'arctanh', 'argmax', 'argmin', 'argsort', 'around', 'average', 'bernoulli', 'bincount', 'bitwise_and', 'bitwise_and_scalar', 'bitwise_not', 'bitwise_or', 'bitwise_or_scalar', 'bitwise_xor', 'bitwise_xor_scalar', 'blackman', 'boolean_mask', 'boolean_mask_assign_scalar', 'boolean_mask_assign_tensor', 'broadcast_to', 'cast', 'cbrt', 'ceil', 'choice', 'cholesky', 'clip', 'column_stack', 'concatenate', 'copysign', 'copysign_scalar', 'cos', 'cosh', 'cvimdecode', 'cvimread', 'cvimresize', 'degrees', 'delete', 'det', 'diag_indices_from', 'diff', 'dsplit', 'dstack', 'ediff1d', 'eig', 'eigh', 'eigvals', 'eigvalsh', 'einsum', 'equal', 'equal_scalar', 'exp', 'expand_dims', 'expm1', 'exponential', 'eye', 'fix', 'flip', 'floor', 'full', 'full_like', 'gamma', 'gather_nd', 'greater', 'greater_equal', 'greater_equal_scalar', 'greater_scalar', 'gumbel', 'hamming', 'hanning', 'histogram', 'hsplit', 'hstack', 'hypot', 'hypot_scalar', 'identity', 'indices', 'insert_scalar', 'insert_slice', 'insert_tensor', 'inv', 'isfinite', 'isinf', 'isnan', 'isneginf', 'isposinf', 'lcm', 'lcm_scalar', 'ldexp', 'ldexp_scalar', 'less', 'less_equal', 'less_equal_scalar', 'less_scalar', 'linspace', 'log', 'log10', 'log1p', 'log2', 'logical_not', 'logistic', 'logspace', 'matmul', 'maximum', 'maximum_scalar', 'mean', 'minimum', 'minimum_scalar', 'mod', 'mod_scalar', 'multinomial', 'multiply', 'multiply_scalar', 'nan_to_num', 'negative', 'nonzero', 'norm', 'normal', 'normal_n', 'not_equal', 'not_equal_scalar', 'ones', 'pad', 'pareto', 'percentile', 'pinv', 'pinv_scalar_rcond', 'polyval', 'power', 'power_scalar', 'powerd', 'radians', 'random_randint', 'rarctan2_scalar', 'rayleigh', 'rcopysign_scalar', 'reciprocal', 'reshape', 'rint', 'rldexp_scalar', 'rmod_scalar', 'rnn_param_concat', 'rot90', 'rpower_scalar', 'rsubtract_scalar', 'rtrue_divide_scalar', 'scatter_set_nd', 'share_memory', 'shuffle', 'sign', 'sin', 'sinh', 'slice', 'slice_assign', 'slice_assign_scalar', 'slogdet', 'solve', 'sort', 'split', 'sqrt', 'square', 'stack', 'std', 'subtract', 'subtract_scalar', 'svd', 'swapaxes', 'take', 'tan', 'tanh', 'tensordot', 'tensordot_int_axes', 'tensorinv', 'tensorsolve', 'tile', 'tril', 'true_divide', 'true_divide_scalar', 'trunc', 'uniform', 'uniform_n', 'unique', 'var', 'vstack', 'weibull', 'where', 'where_lscalar', 'where_rscalar', 'where_scalar2', 'zeros']
