# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.context import Context
from numpy.typing import DTypeLike
from typing import Any, Literal, SupportsFloat, SupportsIndex

from functools import partial as _partial
from ...ops.numpy.extension import internals as _internals
from ..symbol import compose as _compose
from ._symbol import _Symbol
_FUNCTIONS: dict[Any, Any]
def Custom(*data: _Symbol | Sequence[_Symbol], op_type: str, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None, **kwargs: Any) -> _Symbol:
    """An operator written in Python: ``op_type`` names a class registered with ``mx.operator.register``."""
def abs(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The absolute value."""
def absolute(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The absolute value."""
def add(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The sum, element by element. Dimensions broadcast."""
def add_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The sum, element by element. The number takes the dtype of the array."""
def arange(start: float | SupportsFloat, stop: float | SupportsFloat | None = None, step: float | SupportsFloat = 1.0, repeat: int | SupportsIndex = 1, infer_range: bool | int = False, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Numbers from ``start`` up to but without ``stop``, each ``repeat`` times; a single number is the stop."""
def arccos(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The angle in [0, pi] with that cosine."""
def arccosh(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The inverse of the hyperbolic cosine, for x >= 1."""
def arcsin(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The angle in [-pi/2, pi/2] with that sine."""
def arcsinh(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The inverse of the hyperbolic sine."""
def arctan(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The angle in [-pi/2, pi/2] with that tangent."""
def arctan2(x1: _Symbol | None = None, x2: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The angle in radians of the point (x2, x1). Dimensions broadcast."""
def arctan2_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The angle in radians of the point (x2, x1). The number takes the dtype of the array."""
def arctanh(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The inverse of the hyperbolic tangent, for -1 < x < 1."""
def argmax(data: _Symbol | None = None, axis: int | SupportsIndex | None = None, keepdims: bool | int = False, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The place of the largest element along ``axis``, or in the flattened array."""
def argmin(data: _Symbol | None = None, axis: int | SupportsIndex | None = None, keepdims: bool | int = False, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The place of the smallest element along ``axis``, or in the flattened array."""
def argsort(data: _Symbol | None = None, axis: int | SupportsIndex | None = -1, is_ascend: bool | int = True, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The indices that sort the array along ``axis`` (None: flattened). Equal elements keep their order."""
def around(x: _Symbol | None = None, decimals: int | SupportsIndex = 0, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The numbers rounded to so many decimals, halves to the even number. The gradient is zero."""
def average(a: _Symbol | None = None, weights: _Symbol | None = None, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, returned: bool | int = False, weighted: bool | int = True, out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The mean along ``axis``, or of the whole array, each number with its weight; also the sum of the weights."""
def bernoulli(input1: _Symbol | None = None, prob: float | SupportsFloat | None = ..., logit: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., is_logit: bool | int = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """1 with the probability ``prob``, or the logistic function of ``logit``, else 0."""
def bincount(data: _Symbol | None = None, weights: _Symbol | None = None, minlength: int | SupportsIndex = 0, has_weights: bool | int = False, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """How often each number from 0 on occurs, or the sum of the weights where it does."""
def bitwise_and(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Bit by bit ``lhs and rhs``, of integers or booleans. Dimensions broadcast."""
def bitwise_and_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Bit by bit ``lhs and rhs``, of integers or booleans. The number takes the dtype of the array."""
def bitwise_not(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Each bit inverted, of integers or booleans."""
def bitwise_or(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Bit by bit ``lhs or rhs``, of integers or booleans. Dimensions broadcast."""
def bitwise_or_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Bit by bit ``lhs or rhs``, of integers or booleans. The number takes the dtype of the array."""
def bitwise_xor(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Bit by bit ``lhs xor rhs``, of integers or booleans. Dimensions broadcast."""
def bitwise_xor_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Bit by bit ``lhs xor rhs``, of integers or booleans. The number takes the dtype of the array."""
def blackman(M: int | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The Blackman window of M points."""
def boolean_mask(data: _Symbol | None = None, index: _Symbol | None = None, axis: int | SupportsIndex = 0, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The rows of ``data`` where ``index``, a vector, is not 0. How many depends on the data."""
def boolean_mask_assign_scalar(data: _Symbol | None = None, mask: _Symbol | None = None, value: float | SupportsFloat = 0.0, start_axis: int | SupportsIndex = 0, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """A copy of the array with a number where a mask, over axes from ``start_axis`` on, is not 0."""
def boolean_mask_assign_tensor(data: _Symbol | None = None, mask: _Symbol | None = None, value: _Symbol | None = None, start_axis: int | SupportsIndex = 0, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """A copy of the array with the elements of another where a mask is not 0."""
def broadcast_to(array: _Symbol | None = None, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The array repeated along dimensions of size 1, and along new ones in front; -2 keeps a size."""
def cast(data: _Symbol | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """A copy converted to ``dtype``. Fractions are cut off; integers that do not fit wrap around."""
def cbrt(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The cube root."""
def ceil(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The smallest whole number not below x. Its gradient is zero."""
def choice(input1: _Symbol | None = None, input2: _Symbol | None = None, a: int | SupportsIndex | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = ..., ctx: Context | str | None = None, replace: bool | int = True, weighted: bool | int = False, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Numbers below ``a``, or elements of an array, drawn with or without replacement, by weights if there are any."""
def cholesky(A: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The lower triangle L with L L^T = A."""
def clip(data: _Symbol | None = None, a_min: float | SupportsFloat = ..., a_max: float | SupportsFloat = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The numbers limited to the interval from ``a_min`` to ``a_max``."""
def column_stack(*data: _Symbol | Sequence[_Symbol], num_args: int | SupportsIndex = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The arrays joined as columns."""
def concatenate(*data: _Symbol | Sequence[_Symbol], num_args: int | SupportsIndex = ..., axis: int | SupportsIndex | None = 0, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The arrays joined along an axis; flattened first, if it is None."""
def copysign(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The first number with the sign of the second. Dimensions broadcast."""
def copysign_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The first number with the sign of the second. The number takes the dtype of the array."""
def cos(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The cosine of an angle in radians."""
def cosh(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The hyperbolic cosine."""
def cvimdecode(buf: _Symbol | None = None, flag: int | SupportsIndex = 1, to_rgb: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Decodes an image from its file's bytes, a uint8 array, to uint8 (height, width, channel)."""
def cvimread(filename: str, flag: int | SupportsIndex = 1, to_rgb: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Reads an image file to uint8 (height, width, channel); ``flag`` and ``to_rgb`` as in _cvimdecode."""
def cvimresize(src: _Symbol | None = None, w: int | SupportsIndex = ..., h: int | SupportsIndex = ..., interp: int | SupportsIndex = 1, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Resizes an image (height, width, channel) to width ``w`` and height ``h``; ``interp`` is OpenCV's number."""
def degrees(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """An angle in radians as degrees."""
def delete(arr: _Symbol | None = None, obj: _Symbol | None = None, start: int | SupportsIndex | None = None, stop: int | SupportsIndex | None = None, step: int | SupportsIndex | None = None, int_ind: int | SupportsIndex | None = None, axis: int | SupportsIndex | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The array without the given places along an axis, or of the flattened array."""
def det(A: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The determinant."""
def diag_indices_from(data: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The indices of the main diagonal of an array whose dimensions are all equal, a row for each dimension."""
def diff(a: _Symbol | None = None, n: int | SupportsIndex = 1, axis: int | SupportsIndex = -1, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The differences of neighbors along an axis, ``n`` times."""
def dsplit(data: _Symbol | None = None, indices: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., axis: int | SupportsIndex = 1, squeeze_axis: bool | int = False, sections: int | SupportsIndex = 0, out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The array cut along its third axis."""
def dstack(*data: _Symbol | Sequence[_Symbol], num_args: int | SupportsIndex = ..., dim: int | SupportsIndex = 1, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The arrays joined along the third axis."""
def ediff1d(input1: _Symbol | None = None, input2: _Symbol | None = None, input3: _Symbol | None = None, to_begin_arr_given: bool | int = False, to_end_arr_given: bool | int = False, to_begin_scalar: float | SupportsFloat | None = None, to_end_scalar: float | SupportsFloat | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The differences of neighbors in the flattened array, with numbers put before and after them."""
def eig(A: _Symbol | None = None, out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The eigenvalues and eigenvectors of a matrix that has real ones. No gradient."""
def eigh(A: _Symbol | None = None, UPLO: Literal['L', 'U'] | str = 'L', out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The eigenvalues and eigenvectors of a symmetric matrix, of which one triangle is read."""
def eigvals(A: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The eigenvalues of a matrix that has real ones. No gradient."""
def eigvalsh(A: _Symbol | None = None, UPLO: Literal['L', 'U'] | str = 'L', out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The eigenvalues of a symmetric matrix, of which one triangle is read."""
def einsum(*data: _Symbol | Sequence[_Symbol], num_args: int | SupportsIndex = ..., subscripts: str = '', optimize: int | SupportsIndex = 0, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Sums of products in Einstein's notation, such as ``ij,jk->ik``."""
def equal(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is ``lhs == rhs``? Dimensions broadcast."""
def equal_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is ``lhs == rhs``? The number takes the dtype of the array."""
def exp(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """e to the power of the number."""
def expand_dims(data: _Symbol | None = None, axis: int | SupportsIndex = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Inserts a dimension of size 1 before position ``axis``."""
def expm1(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """``exp(x) - 1``, exact for small x."""
def exponential(input1: _Symbol | None = None, scale: float | SupportsFloat | None = 1.0, size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Random numbers from the exponential distribution with mean ``scale``."""
def eye(N: int | SupportsIndex, M: int | SupportsIndex | None = None, k: int | SupportsIndex = 0, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """A matrix of N rows and M columns with ones on its k-th diagonal."""
def fix(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The nearest whole number towards zero. Its gradient is zero."""
def flip(data: _Symbol | None = None, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The array with the order along some axes, or for None along all, reversed."""
def floor(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The largest whole number not above x. Its gradient is zero."""
def full(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., value: float | SupportsFloat = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """An array in which every element is ``value``."""
def full_like(a: _Symbol | None = None, fill_value: float | SupportsFloat = ..., ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """An array of one number with the shape, and if none is given the dtype, of another."""
def gamma(input1: _Symbol | None = None, input2: _Symbol | None = None, shape: float | SupportsFloat | None = ..., scale: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Random numbers from the gamma distribution."""
def gather_nd(data: _Symbol | None = None, indices: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The elements or slices of ``data`` at the points whose coordinates are the columns of ``indices``."""
def greater(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is ``lhs > rhs``? Dimensions broadcast."""
def greater_equal(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is ``lhs >= rhs``? Dimensions broadcast."""
def greater_equal_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is ``lhs >= rhs``? The number takes the dtype of the array."""
def greater_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is ``lhs > rhs``? The number takes the dtype of the array."""
def gumbel(input1: _Symbol | None = None, input2: _Symbol | None = None, loc: float | SupportsFloat | None = ..., scale: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Random numbers from the Gumbel distribution."""
def hamming(M: int | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The Hamming window of M points."""
def hanning(M: int | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The Hann window of M points."""
def histogram(data: _Symbol | None = None, bins: _Symbol | None = None, bin_cnt: int | SupportsIndex | None = None, range: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat | None = None, out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Counts (int64) of the elements in each bin, and the edges of the bins."""
def hsplit(data: _Symbol | None = None, indices: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., axis: int | SupportsIndex = 1, squeeze_axis: bool | int = False, sections: int | SupportsIndex = 0, out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The array cut along its second axis, or its only one."""
def hstack(*data: _Symbol | Sequence[_Symbol], num_args: int | SupportsIndex = ..., dim: int | SupportsIndex = 1, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The arrays joined along the second axis; those of one dimension along that."""
def hypot(x1: _Symbol | None = None, x2: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """``sqrt(x1**2 + x2**2)``. Dimensions broadcast."""
def hypot_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """``sqrt(lhs**2 + rhs**2)``, element by element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def identity(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """A square matrix with ones on its diagonal."""
def indices(dimensions: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, dtype: DTypeLike | None = ..., ctx: Context | str | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The index of each element of a grid, one array for each of its dimensions."""
def insert_scalar(arr: _Symbol | None = None, values: _Symbol | None = None, val: float | SupportsFloat | None = None, start: int | SupportsIndex | None = None, stop: int | SupportsIndex | None = None, step: int | SupportsIndex | None = None, int_ind: int | SupportsIndex | None = None, axis: int | SupportsIndex | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The array with a number, or numbers, put before a place along an axis, or of the flattened array."""
def insert_slice(arr: _Symbol | None = None, values: _Symbol | None = None, val: float | SupportsFloat | None = None, start: int | SupportsIndex | None = None, stop: int | SupportsIndex | None = None, step: int | SupportsIndex | None = None, int_ind: int | SupportsIndex | None = None, axis: int | SupportsIndex | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The array with numbers put before each place of a slice along an axis, or of the flattened array."""
def insert_tensor(arr: _Symbol | None = None, values: _Symbol | None = None, obj: _Symbol | None = None, val: float | SupportsFloat | None = None, start: int | SupportsIndex | None = None, stop: int | SupportsIndex | None = None, step: int | SupportsIndex | None = None, int_ind: int | SupportsIndex | None = None, axis: int | SupportsIndex | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The array with numbers put before the places that an array names, along an axis or of the flattened array."""
def inv(A: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The inverse of square matrices."""
def isfinite(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is neither NaN nor an infinity?"""
def isinf(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is an infinity?"""
def isnan(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is NaN?"""
def isneginf(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is the negative infinity?"""
def isposinf(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is the positive infinity?"""
def lcm(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The least common multiple of two integers. Dimensions broadcast."""
def lcm_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The least common multiple of two integers. The number takes the dtype of the array."""
def ldexp(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """``lhs * 2**rhs``. Dimensions broadcast."""
def ldexp_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """``lhs * 2**rhs``. The number takes the dtype of the array."""
def less(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is ``lhs < rhs``? Dimensions broadcast."""
def less_equal(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is ``lhs <= rhs``? Dimensions broadcast."""
def less_equal_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is ``lhs <= rhs``? The number takes the dtype of the array."""
def less_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is ``lhs < rhs``? The number takes the dtype of the array."""
def linspace(start: float | SupportsFloat, stop: float | SupportsFloat, num: int | SupportsIndex, endpoint: bool | int = True, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """``num`` evenly spaced numbers from ``start`` to ``stop``, which is the last of them if ``endpoint`` says so."""
def log(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The natural logarithm."""
def log10(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The logarithm to base 10."""
def log1p(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """``log(1 + x)``, exact for small x."""
def log2(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The logarithm to base 2."""
def logical_not(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is the number 0?"""
def logistic(input1: _Symbol | None = None, input2: _Symbol | None = None, loc: float | SupportsFloat | None = ..., scale: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Random numbers from the logistic distribution."""
def logspace(start: float | SupportsFloat, stop: float | SupportsFloat, num: int | SupportsIndex, endpoint: bool | int = True, base: float | SupportsFloat = 10.0, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Numbers evenly spaced on a logarithmic scale, from ``base**start`` to ``base**stop``."""
def matmul(a: _Symbol | None = None, b: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The product of matrices in the last two axes; the other axes broadcast."""
def maximum(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The larger number, element by element. Dimensions of size 1 broadcast."""
def maximum_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The larger number, element by element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def mean(a: _Symbol | None = None, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, keepdims: bool | int = False, initial: float | SupportsFloat | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The mean along ``axis``, or of the whole array."""
def minimum(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The smaller number, element by element. Dimensions of size 1 broadcast."""
def minimum_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The smaller number, element by element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def mod(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The remainder, with the sign of the divisor. Dimensions broadcast."""
def mod_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The remainder, with the sign of the divisor. The number takes the dtype of the array."""
def multinomial(a: _Symbol | None = None, n: int | SupportsIndex = ..., pvals: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat | None = None, size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """How often each of several outcomes with the given probabilities occurs in ``n`` trials."""
def multiply(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The product, element by element. Dimensions broadcast."""
def multiply_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The product, element by element. The number takes the dtype of the array."""
def nan_to_num(data: _Symbol | None = None, copy: bool | int = True, nan: float | SupportsFloat = 0.0, posinf: float | SupportsFloat | None = None, neginf: float | SupportsFloat | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The array with numbers in the place of NaN and the infinities, for which the largest and smallest stand."""
def negative(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The number with the opposite sign."""
def nonzero(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The indices of the elements that are not 0, a row for each."""
def norm(data: _Symbol | None = None, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ord: float | SupportsFloat = 2.0, keepdims: bool | int = False, flag: int | SupportsIndex = -2, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The Euclidean norm of all elements; of integers its whole part."""
def normal(input1: _Symbol | None = None, input2: _Symbol | None = None, loc: float | SupportsFloat | None = ..., scale: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Random numbers from the normal distribution with mean ``loc`` and standard deviation ``scale``."""
def normal_n(input1: _Symbol | None = None, input2: _Symbol | None = None, loc: float | SupportsFloat | None = ..., scale: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Random numbers from the normal distribution with mean ``loc`` and standard deviation ``scale``."""
def not_equal(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is ``lhs != rhs``? Dimensions broadcast."""
def not_equal_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Where is ``lhs != rhs``? The number takes the dtype of the array."""
def ones(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """An array of ones."""
def pad(data: _Symbol | None = None, pad_width: tuple[tuple[int, ...], ...] | Sequence[Sequence[SupportsIndex]] = ..., mode: Literal['constant', 'edge', 'reflect', 'symmetric', 'maximum', 'minimum'] | str = 'constant', constant_value: float | SupportsFloat = 0.0, reflect_type: str = 'even', out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The array with a border of so many elements before and after along each axis."""
def pareto(input1: _Symbol | None = None, a: float | SupportsFloat | None = None, size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Random numbers from the Pareto II distribution of shape ``a``."""
def percentile(a: _Symbol | None = None, q: _Symbol | None = None, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, interpolation: Literal['linear', 'lower', 'higher', 'midpoint', 'nearest'] | str = 'linear', keepdims: bool | int = False, q_scalar: float | SupportsFloat | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The q-th percentiles along ``axis``, or of the whole array; one for each number of ``q``, in front."""
def pinv(A: _Symbol | None = None, rcond: _Symbol | None = None, hermitian: bool | int = False, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The pseudo-inverse; singular values below ``rcond`` times the largest count as 0."""
def pinv_scalar_rcond(A: _Symbol | None = None, rcond: float | SupportsFloat = 1e-15, hermitian: bool | int = False, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The pseudo-inverse; singular values below ``rcond`` times the largest count as 0."""
def polyval(p: _Symbol | None = None, x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The values of a polynomial, whose coefficients begin with that of the highest power."""
def power(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The first array to the power of the second, element by element. Dimensions broadcast."""
def power_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The first array to the power of the second, element by element. The number takes the dtype of the array."""
def powerd(input1: _Symbol | None = None, a: float | SupportsFloat | None = None, size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Random numbers from [0, 1] with density ``a * x**(a - 1)``."""
def radians(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """An angle in degrees as radians."""
def random_randint(low: int | SupportsIndex, high: int | SupportsIndex, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Random integers from the half-open interval [low, high), each as likely as the others."""
def rarctan2_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The angle in radians of the point (x2, x1). The number comes first. The number takes the dtype of the array."""
def rayleigh(input1: _Symbol | None = None, scale: float | SupportsFloat | None = 1.0, size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Random numbers from the Rayleigh distribution."""
def rcopysign_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The first number with the sign of the second. The number comes first. The number takes the dtype of the array."""
def reciprocal(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """One over the number."""
def reshape(a: _Symbol | None = None, newshape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., reverse: bool | int = False, order: str = 'C', out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The array with another shape."""
def rint(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The nearest whole number; n.5 becomes n. Its gradient is zero."""
def rldexp_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """``lhs * 2**rhs``. The number comes first. The number takes the dtype of the array."""
def rmod_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The remainder, with the sign of the divisor. The number comes first. The number takes the dtype of the array."""
def rnn_param_concat(*data: _Symbol | Sequence[_Symbol], dim: int | SupportsIndex = 1, num_args: int | SupportsIndex = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Joins the parameters of a recurrent layer into the one vector that RNN takes."""
def rot90(data: _Symbol | None = None, k: int | SupportsIndex = 1, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The array turned by 90 degrees ``k`` times in the plane of two axes."""
def rpower_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The first array to the power of the second, element by element. The number comes first. The number takes the dtype of the array."""
def rsubtract_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The difference, element by element. The number comes first. The number takes the dtype of the array."""
def rtrue_divide_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The quotient, element by element; of integers it is float32. The number comes first. The number takes the dtype of the array."""
def scatter_set_nd(lhs: _Symbol | None = None, rhs: _Symbol | None = None, indices: _Symbol | None = None, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """A copy of ``lhs`` with ``rhs`` at the points whose coordinates are the columns of ``indices``."""
def share_memory(a: _Symbol | None = None, b: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Do two arrays share memory?"""
def shuffle(data: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The array with the elements of its first axis in random order."""
def sign(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """-1, 0 or 1 by the sign; 0 for NaN. Its gradient is zero."""
def sin(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The sine of an angle in radians."""
def sinh(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The hyperbolic sine."""
def slice(data: _Symbol | None = None, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = ..., end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = ..., step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The part ``data[begin[0]:end[0]:step[0], ...]``, by Python's rules; None means from or to the border."""
def slice_assign(lhs: _Symbol | None = None, rhs: _Symbol | None = None, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = ..., end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = ..., step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """A copy of ``lhs`` in which a slice is replaced by ``rhs``."""
def slice_assign_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 0.0, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = ..., end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = ..., step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """A copy of ``data`` in which every element of a slice is ``scalar``."""
def slogdet(A: _Symbol | None = None, out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The sign and the logarithm of the determinant."""
def solve(A: _Symbol | None = None, B: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The X with A X = B."""
def sort(data: _Symbol | None = None, axis: int | SupportsIndex | None = -1, is_ascend: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Sorts along ``axis``; None sorts the flattened array. Equal elements keep their order."""
def split(data: _Symbol | None = None, indices: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., axis: int | SupportsIndex = 1, squeeze_axis: bool | int = False, sections: int | SupportsIndex = 0, out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Splits an array along ``axis`` into parts that start at ``indices``, or into ``sections`` nearly equal parts."""
def sqrt(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The square root."""
def square(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The square."""
def stack(*data: _Symbol | Sequence[_Symbol], axis: int | SupportsIndex = 0, num_args: int | SupportsIndex = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The arrays joined along a new axis."""
def std(a: _Symbol | None = None, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, ddof: int | SupportsIndex = 0, keepdims: bool | int = False, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The standard deviation along ``axis``, or of the whole array, divided by ``n - ddof``."""
def subtract(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The difference, element by element. Dimensions broadcast."""
def subtract_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The difference, element by element. The number takes the dtype of the array."""
def svd(A: _Symbol | None = None, out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The singular value decomposition: U, the singular values, V^T."""
def swapaxes(data: _Symbol | None = None, dim1: int | SupportsIndex = 0, dim2: int | SupportsIndex = 0, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Exchanges two dimensions."""
def take(a: _Symbol | None = None, indices: _Symbol | None = None, axis: int | SupportsIndex = 0, mode: Literal['clip', 'raise', 'wrap'] | str = 'clip', out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The slices of ``a`` at ``indices`` along ``axis``; the result has the shape of the indices in place of that axis."""
def tan(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The tangent of an angle in radians."""
def tanh(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The hyperbolic tangent."""
def tensordot(a: _Symbol | None = None, b: _Symbol | None = None, a_axes_summed: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., b_axes_summed: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The products of two arrays summed over pairs of axes."""
def tensordot_int_axes(a: _Symbol | None = None, b: _Symbol | None = None, axes: int | SupportsIndex = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The products of two arrays summed over the last axes of the first and the first of the second."""
def tensorinv(a: _Symbol | None = None, ind: int | SupportsIndex = 2, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The inverse of an array as a map by its first ``ind`` axes."""
def tensorsolve(a: _Symbol | None = None, b: _Symbol | None = None, a_axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The X whose tensor product with ``a`` over all its axes is ``b``."""
def tile(data: _Symbol | None = None, reps: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Repeats the whole array ``reps`` times along each dimension, from the last one on if there are fewer numbers."""
def tril(data: _Symbol | None = None, k: int | SupportsIndex = 0, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The matrices in the last two axes with zeros above the k-th diagonal."""
def true_divide(lhs: _Symbol | None = None, rhs: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The quotient, element by element; of integers it is float32. Dimensions broadcast."""
def true_divide_scalar(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The quotient, element by element; of integers it is float32. The number takes the dtype of the array."""
def trunc(x: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The number without its fraction. Its gradient is zero."""
def uniform(input1: _Symbol | None = None, input2: _Symbol | None = None, low: float | SupportsFloat | None = ..., high: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Random numbers from the interval [low, high)."""
def uniform_n(input1: _Symbol | None = None, input2: _Symbol | None = None, low: float | SupportsFloat | None = ..., high: float | SupportsFloat | None = ..., size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Random numbers from the interval [low, high)."""
def unique(data: _Symbol | None = None, return_index: bool | int = False, return_inverse: bool | int = False, return_counts: bool | int = False, axis: int | SupportsIndex | None = None, out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The sorted elements, each once; also where each is first, which of them each element is, how many there are."""
def var(a: _Symbol | None = None, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, ddof: int | SupportsIndex = 0, keepdims: bool | int = False, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The variance along ``axis``, or of the whole array, divided by ``n - ddof``."""
def vstack(*data: _Symbol | Sequence[_Symbol], num_args: int | SupportsIndex = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The arrays joined as rows."""
def weibull(input1: _Symbol | None = None, a: float | SupportsFloat | None = None, size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Random numbers from the Weibull distribution of shape ``a``."""
def where(condition: _Symbol | None = None, x: _Symbol | None = None, y: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The elements of ``x`` where the condition is not 0, else those of ``y``. All three broadcast."""
def where_lscalar(condition: _Symbol | None = None, x: _Symbol | None = None, scalar: float | SupportsFloat = 0.0, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """A number where the condition is not 0, else the elements of ``x``, whose dtype it takes."""
def where_rscalar(condition: _Symbol | None = None, y: _Symbol | None = None, scalar: float | SupportsFloat = 0.0, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The elements of ``y`` where the condition is not 0, else a number of its dtype."""
def where_scalar2(condition: _Symbol | None = None, x: float | SupportsFloat = 0.0, y: float | SupportsFloat = 0.0, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """One number where the condition is not 0, else another, in float32."""
def zeros(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """An array of zeros."""
__all__ = ['Custom', 'abs', 'absolute', 'add', 'add_scalar', 'arange', 'arccos', 'arccosh', 'arcsin', 'arcsinh', 'arctan', 'arctan2', 'arctan2_scalar', 'arctanh', 'argmax', 'argmin', 'argsort', 'around', 'average', 'bernoulli', 'bincount', 'bitwise_and', 'bitwise_and_scalar', 'bitwise_not', 'bitwise_or', 'bitwise_or_scalar', 'bitwise_xor', 'bitwise_xor_scalar', 'blackman', 'boolean_mask', 'boolean_mask_assign_scalar', 'boolean_mask_assign_tensor', 'broadcast_to', 'cast', 'cbrt', 'ceil', 'choice', 'cholesky', 'clip', 'column_stack', 'concatenate', 'copysign', 'copysign_scalar', 'cos', 'cosh', 'cvimdecode', 'cvimread', 'cvimresize', 'degrees', 'delete', 'det', 'diag_indices_from', 'diff', 'dsplit', 'dstack', 'ediff1d', 'eig', 'eigh', 'eigvals', 'eigvalsh', 'einsum', 'equal', 'equal_scalar', 'exp', 'expand_dims', 'expm1', 'exponential', 'eye', 'fix', 'flip', 'floor', 'full', 'full_like', 'gamma', 'gather_nd', 'greater', 'greater_equal', 'greater_equal_scalar', 'greater_scalar', 'gumbel', 'hamming', 'hanning', 'histogram', 'hsplit', 'hstack', 'hypot', 'hypot_scalar', 'identity', 'indices', 'insert_scalar', 'insert_slice', 'insert_tensor', 'inv', 'isfinite', 'isinf', 'isnan', 'isneginf', 'isposinf', 'lcm', 'lcm_scalar', 'ldexp', 'ldexp_scalar', 'less', 'less_equal', 'less_equal_scalar', 'less_scalar', 'linspace', 'log', 'log10', 'log1p', 'log2', 'logical_not', 'logistic', 'logspace', 'matmul', 'maximum', 'maximum_scalar', 'mean', 'minimum', 'minimum_scalar', 'mod', 'mod_scalar', 'multinomial', 'multiply', 'multiply_scalar', 'nan_to_num', 'negative', 'nonzero', 'norm', 'normal', 'normal_n', 'not_equal', 'not_equal_scalar', 'ones', 'pad', 'pareto', 'percentile', 'pinv', 'pinv_scalar_rcond', 'polyval', 'power', 'power_scalar', 'powerd', 'radians', 'random_randint', 'rarctan2_scalar', 'rayleigh', 'rcopysign_scalar', 'reciprocal', 'reshape', 'rint', 'rldexp_scalar', 'rmod_scalar', 'rnn_param_concat', 'rot90', 'rpower_scalar', 'rsubtract_scalar', 'rtrue_divide_scalar', 'scatter_set_nd', 'share_memory', 'shuffle', 'sign', 'sin', 'sinh', 'slice', 'slice_assign', 'slice_assign_scalar', 'slogdet', 'solve', 'sort', 'split', 'sqrt', 'square', 'stack', 'std', 'subtract', 'subtract_scalar', 'svd', 'swapaxes', 'take', 'tan', 'tanh', 'tensordot', 'tensordot_int_axes', 'tensorinv', 'tensorsolve', 'tile', 'tril', 'true_divide', 'true_divide_scalar', 'trunc', 'uniform', 'uniform_n', 'unique', 'var', 'vstack', 'weibull', 'where', 'where_lscalar', 'where_rscalar', 'where_scalar2', 'zeros']
