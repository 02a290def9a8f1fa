# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.context import Context
from numpy.typing import DTypeLike
from typing import Any, SupportsFloat, SupportsIndex, overload

from ..ndarray.numpy import functions as _functions
from ..ndarray.numpy.array import ndarray as ndarray
from . import fallback as fallback, fallback_linalg as fallback_linalg, linalg as linalg, random as random, utils as utils
from .fallback import allclose as allclose, alltrue as alltrue, apply_along_axis as apply_along_axis, apply_over_axes as apply_over_axes, argpartition as argpartition, argwhere as argwhere, array_equal as array_equal, array_equiv as array_equiv, choose as choose, compress as compress, corrcoef as corrcoef, correlate as correlate, count_nonzero as count_nonzero, cov as cov, digitize as digitize, divmod as divmod, extract as extract, flatnonzero as flatnonzero, float_power as float_power, frexp as frexp, heaviside as heaviside, histogram2d as histogram2d, histogram_bin_edges as histogram_bin_edges, histogramdd as histogramdd, i0 as i0, in1d as in1d, interp as interp, intersect1d as intersect1d, isclose as isclose, isin as isin, ix_ as ix_, lexsort as lexsort, min_scalar_type as min_scalar_type, mirr as mirr, modf as modf, msort as msort, nanargmax as nanargmax, nanargmin as nanargmin, nancumprod as nancumprod, nancumsum as nancumsum, nanmax as nanmax, nanmedian as nanmedian, nanmin as nanmin, nanpercentile as nanpercentile, nanprod as nanprod, nanquantile as nanquantile, ndim as ndim, npv as npv, packbits as packbits, partition as partition, piecewise as piecewise, poly as poly, polyadd as polyadd, polydiv as polydiv, polyfit as polyfit, polyint as polyint, polymul as polymul, polysub as polysub, positive as positive, ppmt as ppmt, promote_types as promote_types, ptp as ptp, pv as pv, rate as rate, real as real, result_type as result_type, rollaxis as rollaxis, roots as roots, searchsorted as searchsorted, select as select, setdiff1d as setdiff1d, setxor1d as setxor1d, signbit as signbit, size as size, spacing as spacing, take_along_axis as take_along_axis, trapz as trapz, tril_indices_from as tril_indices_from, trim_zeros as trim_zeros, triu_indices_from as triu_indices_from, union1d as union1d, unpackbits as unpackbits, unwrap as unwrap, vander as vander
from .utils import NAN as NAN, NINF as NINF, NZERO as NZERO, NaN as NaN, PINF as PINF, PZERO as PZERO, bool_ as bool_, e as e, finfo as finfo, float16 as float16, float32 as float32, float64 as float64, inf as inf, int32 as int32, int64 as int64, int8 as int8, nan as nan, newaxis as newaxis, pi as pi, uint8 as uint8
bool = utils.bool
_STR_2_DTYPE_ = utils._STR_2_DTYPE_
@overload
def abs(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The absolute value."""
@overload
def abs(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The absolute value."""
@overload
def absolute(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The absolute value."""
@overload
def absolute(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The absolute value."""
@overload
def add(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The sum, element by element. Dimensions broadcast."""
@overload
def add(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The sum, element by element. Dimensions broadcast."""
@overload
def add(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The sum, element by element. Dimensions broadcast."""
def all(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: ndarray | None = None) -> ndarray:
    """Are all numbers other than 0 along ``axis``, or of the whole array?"""
def amax(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: ndarray | None = None) -> ndarray:
    """The largest element along ``axis``, or of the whole array."""
def amin(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: ndarray | None = None) -> ndarray:
    """The smallest element along ``axis``, or of the whole array."""
def any(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: ndarray | None = None) -> ndarray:
    """Is any number other than 0 along ``axis``, or of the whole array?"""
def append(arr: Any, values: Any, axis: int | None = None) -> ndarray:
    """The array with another at its end along an axis; both flattened, if it is None."""
def arange(start: float | None, stop: float | None = None, step: float | None = 1, dtype: Any = None, ctx: Any = None) -> ndarray:
    """Numbers from ``start`` up to but without ``stop``, float32 if no dtype is given; a single number is the stop."""
@overload
def arccos(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The angle in [0, pi] with that cosine."""
@overload
def arccos(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The angle in [0, pi] with that cosine."""
@overload
def arccosh(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The inverse of the hyperbolic cosine, for x >= 1."""
@overload
def arccosh(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The inverse of the hyperbolic cosine, for x >= 1."""
@overload
def arcsin(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The angle in [-pi/2, pi/2] with that sine."""
@overload
def arcsin(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The angle in [-pi/2, pi/2] with that sine."""
@overload
def arcsinh(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The inverse of the hyperbolic sine."""
@overload
def arcsinh(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The inverse of the hyperbolic sine."""
@overload
def arctan(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The angle in [-pi/2, pi/2] with that tangent."""
@overload
def arctan(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The angle in [-pi/2, pi/2] with that tangent."""
@overload
def arctan2(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The angle in radians of the point (x2, x1). Dimensions broadcast."""
@overload
def arctan2(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The angle in radians of the point (x2, x1). Dimensions broadcast."""
@overload
def arctan2(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The angle in radians of the point (x2, x1). Dimensions broadcast."""
@overload
def arctanh(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The inverse of the hyperbolic tangent, for -1 < x < 1."""
@overload
def arctanh(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The inverse of the hyperbolic tangent, for -1 < x < 1."""
def argmax(a: ndarray, axis: int | SupportsIndex | None = None, out: ndarray | None = None) -> ndarray:
    """The place of the largest element along ``axis``, or in the flattened array."""
def argmin(a: ndarray, axis: int | SupportsIndex | None = None, out: ndarray | None = None) -> ndarray:
    """The place of the smallest element along ``axis``, or in the flattened array."""
def argsort(a: ndarray, axis: int | SupportsIndex | None = -1, kind: Any = None, order: Any = None) -> ndarray:
    """The indices that sort the array along ``axis`` (None: flattened). Equal elements keep their order."""
def around(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> Any:
    """The numbers rounded to so many decimals, halves to the even number."""
def array(object: Any, dtype: Any = None, ctx: Context | None = None) -> ndarray:
    """An array from numbers, lists or arrays; float32 if no dtype is given, but arrays keep theirs."""
def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """The array cut along an axis into parts as equal as can be (a number), or at indices (a tuple)."""
def atleast_1d(*arys: Any) -> Any:
    """The arrays with new axes of size 1, where they have fewer than 1 dimensions."""
def atleast_2d(*arys: Any) -> Any:
    """The arrays with new axes of size 1, where they have fewer than 2 dimensions."""
def atleast_3d(*arys: Any) -> Any:
    """The arrays with new axes of size 1, where they have fewer than 3 dimensions."""
def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, out: Any = None) -> Any:
    """The mean, each number with its weight; with ``returned`` also the sum of the weights."""
def bincount(x: Any, weights: Any = None, minlength: int = 0) -> ndarray:
    """How often each number from 0 on occurs, or the sum of the weights where it does."""
@overload
def bitwise_and(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Bit by bit ``lhs and rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_and(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Bit by bit ``lhs and rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_and(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Bit by bit ``lhs and rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_not(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Each bit inverted, of integers or booleans."""
@overload
def bitwise_not(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Each bit inverted, of integers or booleans."""
@overload
def bitwise_or(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Bit by bit ``lhs or rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_or(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Bit by bit ``lhs or rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_or(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Bit by bit ``lhs or rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_xor(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Bit by bit ``lhs xor rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_xor(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Bit by bit ``lhs xor rhs``, of integers or booleans. Dimensions broadcast."""
@overload
def bitwise_xor(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Bit by bit ``lhs xor rhs``, of integers or booleans. Dimensions broadcast."""
def blackman(M: int | SupportsIndex | None, dtype: DTypeLike | None = None, ctx: Context | str | None = None) -> ndarray:
    """The Blackman window of M points."""
def broadcast_arrays(*args: Any) -> Any:
    """All arrays, broadcast to the shape that they have in common."""
def broadcast_to(array: Any, shape: Any) -> Any:
    """The array, or a number, repeated along dimensions of size 1 and along new ones in front."""
@overload
def cbrt(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The cube root."""
@overload
def cbrt(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The cube root."""
@overload
def ceil(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The smallest whole number not below x. Its gradient is zero."""
@overload
def ceil(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The smallest whole number not below x. Its gradient is zero."""
def clip(a: Any, a_min: Any, a_max: Any, out: Any = None) -> Any:
    """The numbers limited to an interval, of which one end may be None."""
def column_stack(tup: Any) -> ndarray:
    """The arrays joined as columns."""
def concatenate(seq: Any, axis: int | None = 0, out: Any = None) -> ndarray:
    """The arrays joined along an axis; flattened first, if it is None."""
def copy(a: ndarray, out: ndarray | None = None) -> ndarray:
    """A copy."""
@overload
def copysign(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The first number with the sign of the second. Dimensions broadcast."""
@overload
def copysign(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The first number with the sign of the second. Dimensions broadcast."""
@overload
def copysign(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The first number with the sign of the second. Dimensions broadcast."""
@overload
def cos(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The cosine of an angle in radians."""
@overload
def cos(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The cosine of an angle in radians."""
@overload
def cosh(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The hyperbolic cosine."""
@overload
def cosh(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The hyperbolic cosine."""
def cumsum(a: ndarray, axis: int | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None) -> ndarray:
    """Running sums along ``axis``, or over the flattened array if none is given."""
@overload
def deg2rad(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """An angle in degrees as radians."""
@overload
def deg2rad(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """An angle in degrees as radians."""
@overload
def degrees(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """An angle in radians as degrees."""
@overload
def degrees(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """An angle in radians as degrees."""
def delete(arr: Any, obj: Any, axis: int | None = None) -> ndarray:
    """The array without the places that a number, a slice or an array names, along an axis or flattened."""
def diag(array: ndarray, k: int | SupportsIndex = 0) -> ndarray:
    """The k-th diagonal of a matrix, or a matrix with this array as its k-th diagonal."""
def diag_indices_from(arr: Any) -> Any:
    """The indices of the main diagonal of an array whose dimensions are all equal."""
def diagflat(array: ndarray, k: int | SupportsIndex = 0) -> ndarray:
    """A matrix with the elements of the array as its k-th diagonal."""
def diagonal(a: ndarray, offset: int | SupportsIndex = 0, axis1: int | SupportsIndex = 0, axis2: int | SupportsIndex = 1) -> ndarray:
    """The diagonals of the matrices in two axes, as a new last axis."""
def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> ndarray:
    """The differences of neighbors along an axis, ``n`` times."""
@overload
def divide(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The quotient, element by element; of integers it is float32. Dimensions broadcast."""
@overload
def divide(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The quotient, element by element; of integers it is float32. Dimensions broadcast."""
@overload
def divide(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The quotient, element by element; of integers it is float32. Dimensions broadcast."""
def dot(a: ndarray, b: ndarray, out: ndarray | None = None) -> ndarray:
    """The dot product: the last axis of ``a`` with the last but one of ``b``; a number multiplies the array."""
def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    """The array cut along its third axis."""
def dstack(arrays: Any) -> ndarray:
    """The arrays joined along the third axis."""
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> ndarray:
    """The differences of neighbors in the flattened array, with numbers put before and after them."""
def einsum(*operands: Any, **kwargs: Any) -> ndarray:
    """Sums of products in Einstein's notation: ``einsum('ij,jk->ik', a, b)``."""
def empty(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, dtype: DTypeLike | None = None, order: Any = 'C', ctx: Context | str | None = None) -> ndarray:
    """An array of zeros."""
def empty_like(prototype: ndarray, dtype: DTypeLike | None = None, order: Any = 'C', subok: Any = False, shape: Any = None) -> ndarray:
    """An array of one number with the shape, and if none is given the dtype, of another."""
@overload
def equal(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is ``lhs == rhs``? Dimensions broadcast."""
@overload
def equal(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is ``lhs == rhs``? Dimensions broadcast."""
@overload
def equal(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Where is ``lhs == rhs``? Dimensions broadcast."""
@overload
def exp(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """e to the power of the number."""
@overload
def exp(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """e to the power of the number."""
def expand_dims(a: ndarray, axis: int | SupportsIndex) -> ndarray:
    """Inserts a dimension of size 1 before position ``axis``."""
@overload
def expm1(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """``exp(x) - 1``, exact for small x."""
@overload
def expm1(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """``exp(x) - 1``, exact for small x."""
def eye(N: int | SupportsIndex, M: int | SupportsIndex | None = None, k: int | SupportsIndex = 0, dtype: DTypeLike | None = None, **kwargs: Any) -> ndarray:
    """A matrix of N rows and M columns with ones on its k-th diagonal."""
@overload
def fabs(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The absolute value."""
@overload
def fabs(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The absolute value."""
@overload
def fix(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The nearest whole number towards zero. Its gradient is zero."""
@overload
def fix(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The nearest whole number towards zero. Its gradient is zero."""
def flip(m: Any, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: ndarray | None = None) -> ndarray:
    """The array with the order along some axes, or for None along all, reversed."""
def fliplr(m: ndarray) -> ndarray:
    """The array with the order along some axes, or for None along all, reversed."""
def flipud(m: ndarray) -> ndarray:
    """The array with the order along some axes, or for None along all, reversed."""
@overload
def floor(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The largest whole number not above x. Its gradient is zero."""
@overload
def floor(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The largest whole number not above x. Its gradient is zero."""
def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = 'C', ctx: Any = None, out: Any = None) -> ndarray:
    """An array in which every element is ``fill_value``, a number or an array that broadcasts; float32 or bool."""
def full_like(a: Any, fill_value: Any, dtype: Any = None, order: str = 'C', ctx: Any = None, out: Any = None) -> Any:
    """An array of one number with the shape, and if none is given the dtype, of another."""
def genfromtxt(*args: Any, **kwargs: Any) -> ndarray:
    """An array from a text file, as NumPy's function of that name reads it; ``ctx`` says where it goes."""
@overload
def greater(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is ``lhs > rhs``? Dimensions broadcast."""
@overload
def greater(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is ``lhs > rhs``? Dimensions broadcast."""
@overload
def greater(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Where is ``lhs > rhs``? Dimensions broadcast."""
@overload
def greater_equal(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is ``lhs >= rhs``? Dimensions broadcast."""
@overload
def greater_equal(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is ``lhs >= rhs``? Dimensions broadcast."""
@overload
def greater_equal(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Where is ``lhs >= rhs``? Dimensions broadcast."""
def hamming(M: int | SupportsIndex | None, dtype: DTypeLike | None = None, ctx: Context | str | None = None) -> ndarray:
    """The Hamming window of M points."""
def hanning(M: int | SupportsIndex | None, dtype: DTypeLike | None = None, ctx: Context | str | None = None) -> ndarray:
    """The Hann window of M points."""
def histogram(a: Any, bins: Any = 10, range: Any = None, normed: Any = None, weights: Any = None, density: Any = None) -> Any:
    """How many numbers lie in each bin, and the edges of the bins."""
def hsplit(ary: Any, indices_or_sections: Any) -> Any:
    """The array cut along its second axis, or its only one."""
def hstack(arrays: Any) -> ndarray:
    """The arrays joined along the second axis; those of one dimension along that."""
@overload
def hypot(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """``sqrt(x1**2 + x2**2)``. Dimensions broadcast."""
@overload
def hypot(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """``sqrt(x1**2 + x2**2)``. Dimensions broadcast."""
@overload
def hypot(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """``sqrt(x1**2 + x2**2)``. Dimensions broadcast."""
def identity(n: int, dtype: Any = None, ctx: Any = None) -> ndarray:
    """A square matrix with ones on its diagonal."""
def indices(dimensions: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, dtype: DTypeLike | None = 'int32', ctx: Context | str | None = None) -> ndarray:
    """The index of each element of a grid, one array for each of its dimensions."""
def inner(a: Any, b: Any) -> ndarray:
    """The products of two arrays summed over their last axes."""
def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> ndarray:
    """The array with values put before the places that a number, a slice or an array names."""
@overload
def invert(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Each bit inverted, of integers or booleans."""
@overload
def invert(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Each bit inverted, of integers or booleans."""
@overload
def isfinite(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is neither NaN nor an infinity?"""
@overload
def isfinite(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Where is neither NaN nor an infinity?"""
@overload
def isinf(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is an infinity?"""
@overload
def isinf(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Where is an infinity?"""
@overload
def isnan(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is NaN?"""
@overload
def isnan(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Where is NaN?"""
@overload
def isneginf(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is the negative infinity?"""
@overload
def isneginf(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Where is the negative infinity?"""
@overload
def isposinf(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is the positive infinity?"""
@overload
def isposinf(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Where is the positive infinity?"""
@overload
def lcm(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The least common multiple of two integers. Dimensions broadcast."""
@overload
def lcm(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The least common multiple of two integers. Dimensions broadcast."""
@overload
def lcm(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The least common multiple of two integers. Dimensions broadcast."""
@overload
def ldexp(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """``lhs * 2**rhs``. Dimensions broadcast."""
@overload
def ldexp(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """``lhs * 2**rhs``. Dimensions broadcast."""
@overload
def ldexp(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """``lhs * 2**rhs``. Dimensions broadcast."""
@overload
def less(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is ``lhs < rhs``? Dimensions broadcast."""
@overload
def less(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is ``lhs < rhs``? Dimensions broadcast."""
@overload
def less(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Where is ``lhs < rhs``? Dimensions broadcast."""
@overload
def less_equal(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is ``lhs <= rhs``? Dimensions broadcast."""
@overload
def less_equal(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is ``lhs <= rhs``? Dimensions broadcast."""
@overload
def less_equal(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Where is ``lhs <= rhs``? Dimensions broadcast."""
def linspace(start: float, stop: float, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, axis: int = 0, ctx: Any = None) -> Any:
    """``num`` evenly spaced numbers from ``start`` to ``stop``; with ``retstep`` also the space between them."""
@overload
def log(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The natural logarithm."""
@overload
def log(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The natural logarithm."""
@overload
def log10(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The logarithm to base 10."""
@overload
def log10(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The logarithm to base 10."""
@overload
def log1p(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """``log(1 + x)``, exact for small x."""
@overload
def log1p(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """``log(1 + x)``, exact for small x."""
@overload
def log2(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The logarithm to base 2."""
@overload
def log2(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The logarithm to base 2."""
@overload
def logical_not(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is the number 0?"""
@overload
def logical_not(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Where is the number 0?"""
def logspace(start: float, stop: float, num: int = 50, endpoint: bool = True, base: float = 10.0, dtype: Any = None, axis: int = 0, ctx: Any = None) -> ndarray:
    """``num`` numbers evenly spaced on a logarithmic scale, from ``base**start`` to ``base**stop``."""
def matmul(a: ndarray, b: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The product of matrices in the last two axes; the other axes broadcast."""
def max(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: ndarray | None = None) -> ndarray:
    """The largest element along ``axis``, or of the whole array."""
@overload
def maximum(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The larger number, element by element. Dimensions of size 1 broadcast."""
@overload
def maximum(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The larger number, element by element. Dimensions of size 1 broadcast."""
@overload
def maximum(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The larger number, element by element. Dimensions of size 1 broadcast."""
def may_share_memory(a: ndarray, b: ndarray, max_work: object = None) -> bool:
    """Might two arrays share memory?"""
def mean(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None, keepdims: bool | int = False) -> ndarray:
    """The mean along ``axis``, or of the whole array."""
def meshgrid(*xi: Any, **kwargs: Any) -> Any:
    """Grids of coordinates from arrays of one dimension, in the order ``indexing='xy'`` or ``'ij'``."""
def min(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: ndarray | None = None) -> ndarray:
    """The smallest element along ``axis``, or of the whole array."""
@overload
def minimum(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The smaller number, element by element. Dimensions of size 1 broadcast."""
@overload
def minimum(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The smaller number, element by element. Dimensions of size 1 broadcast."""
@overload
def minimum(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The smaller number, element by element. Dimensions of size 1 broadcast."""
@overload
def mod(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The remainder, with the sign of the divisor. Dimensions broadcast."""
@overload
def mod(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The remainder, with the sign of the divisor. Dimensions broadcast."""
@overload
def mod(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The remainder, with the sign of the divisor. Dimensions broadcast."""
def moveaxis(a: ndarray, source: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, destination: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex) -> ndarray:
    """The array with axes moved to other places."""
@overload
def multiply(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The product, element by element. Dimensions broadcast."""
@overload
def multiply(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The product, element by element. Dimensions broadcast."""
@overload
def multiply(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The product, element by element. Dimensions broadcast."""
def nan_to_num(x: Any, copy: bool = True, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None, **kwargs: Any) -> Any:
    """The array with numbers in the place of NaN and the infinities; without ``copy`` they are written into it."""
@overload
def negative(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The number with the opposite sign."""
@overload
def negative(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The number with the opposite sign."""
def nonzero(a: Any) -> Any:
    """The indices of the elements that are not 0, an array for each dimension."""
@overload
def not_equal(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is ``lhs != rhs``? Dimensions broadcast."""
@overload
def not_equal(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """Where is ``lhs != rhs``? Dimensions broadcast."""
@overload
def not_equal(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """Where is ``lhs != rhs``? Dimensions broadcast."""
def ones(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, dtype: DTypeLike | None = None, order: Any = 'C', ctx: Context | str | None = None) -> ndarray:
    """An array of ones."""
def ones_like(a: ndarray, dtype: DTypeLike | None = None, order: Any = 'C', ctx: Context | str | None = None, out: ndarray | None = None) -> ndarray:
    """An array of one number with the shape, and if none is given the dtype, of another."""
def outer(a: Any, b: Any) -> ndarray:
    """The products of each element of one flattened array with each of another."""
def pad(x: Any, pad_width: Any = None, mode: str = 'constant', **kwargs: Any) -> ndarray:
    """The array with a border of so many elements before and after along each axis."""
def percentile(a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = None, interpolation: str = 'linear', keepdims: bool = False) -> ndarray:
    """The q-th percentiles along axes, or of the whole array; one for each number of ``q``, in front."""
def polyval(p: ndarray, x: ndarray) -> ndarray:
    """The values of a polynomial, whose coefficients begin with that of the highest power."""
@overload
def power(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The first array to the power of the second, element by element. Dimensions broadcast."""
@overload
def power(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The first array to the power of the second, element by element. Dimensions broadcast."""
@overload
def power(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The first array to the power of the second, element by element. Dimensions broadcast."""
def prod(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None, keepdims: bool | int = False) -> ndarray:
    """The product along ``axis``, or of the whole array."""
def product(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None, keepdims: bool | int = False) -> ndarray:
    """The product along ``axis``, or of the whole array."""
def quantile(a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = None, interpolation: str = 'linear', keepdims: bool = False) -> ndarray:
    """The quantiles along axes, or of the whole array; one for each number of ``q``, in front."""
@overload
def rad2deg(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """An angle in radians as degrees."""
@overload
def rad2deg(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """An angle in radians as degrees."""
@overload
def radians(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """An angle in degrees as radians."""
@overload
def radians(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """An angle in degrees as radians."""
def ravel(x: Any, order: str = 'C') -> ndarray:
    """The array with another shape; -1 stands for what is left over."""
@overload
def reciprocal(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """One over the number."""
@overload
def reciprocal(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """One over the number."""
@overload
def remainder(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The remainder, with the sign of the divisor. Dimensions broadcast."""
@overload
def remainder(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The remainder, with the sign of the divisor. Dimensions broadcast."""
@overload
def remainder(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The remainder, with the sign of the divisor. Dimensions broadcast."""
def repeat(a: ndarray, repeats: int | SupportsIndex, axis: int | SupportsIndex | None = None) -> ndarray:
    """Repeats each element ``repeats`` times along ``axis``; without an axis the array is flattened first."""
def reshape(a: ndarray, newshape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, order: str = 'C', out: ndarray | None = None) -> ndarray:
    """The array with another shape; -1 stands for what is left over."""
def resize(a: Any, new_shape: Any) -> ndarray:
    """The elements in another shape: as often repeated, or so many left out, as it takes."""
@overload
def rint(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The nearest whole number; n.5 becomes n. Its gradient is zero."""
@overload
def rint(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The nearest whole number; n.5 becomes n. Its gradient is zero."""
def roll(a: ndarray, shift: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None) -> ndarray:
    """The array with its elements moved along axes, or as if it were flat; what falls off comes in at the front."""
def rot90(m: ndarray, k: int | SupportsIndex = 1, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = (0, 1)) -> ndarray:
    """The array turned by 90 degrees ``k`` times in the plane of two axes."""
def round(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> Any:
    """The numbers rounded to so many decimals, halves to the even number."""
def round_(x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> Any:
    """The numbers rounded to so many decimals, halves to the even number."""
def row_stack(arrays: Any) -> ndarray:
    """The arrays joined as rows."""
def set_printoptions(precision: int | None = None, threshold: int | None = None, **kwarg: Any) -> None:
    """How arrays are printed: NumPy's function of that name."""
def shape(a: Any) -> tuple[int, ...]:
    """The shape of an array."""
def shares_memory(a: ndarray, b: ndarray, max_work: object = None) -> bool:
    """Do two arrays share memory?"""
@overload
def sign(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """-1, 0 or 1 by the sign; 0 for NaN. Its gradient is zero."""
@overload
def sign(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """-1, 0 or 1 by the sign; 0 for NaN. Its gradient is zero."""
@overload
def sin(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The sine of an angle in radians."""
@overload
def sin(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The sine of an angle in radians."""
@overload
def sinh(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The hyperbolic sine."""
@overload
def sinh(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The hyperbolic sine."""
def sometrue(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: ndarray | None = None) -> ndarray:
    """Is any number other than 0 along ``axis``, or of the whole array?"""
def sort(a: ndarray, axis: int | SupportsIndex | None = -1, kind: Any = None, order: Any = None) -> ndarray:
    """Sorts along ``axis``; None sorts the flattened array. Equal elements keep their order."""
def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """The array cut along an axis into equal parts (a number), or at indices (a tuple)."""
@overload
def sqrt(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The square root."""
@overload
def sqrt(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The square root."""
@overload
def square(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The square."""
@overload
def square(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The square."""
def squeeze(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: ndarray | None = None) -> ndarray:
    """The array without axes of size 1: all of them, or those given."""
def stack(arrays: Any, axis: int = 0, out: Any = None) -> ndarray:
    """The arrays joined along a new axis."""
def std(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None, ddof: int | SupportsIndex = 0, keepdims: bool | int = False) -> ndarray:
    """The standard deviation along ``axis``, or of the whole array, divided by ``n - ddof``."""
@overload
def subtract(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The difference, element by element. Dimensions broadcast."""
@overload
def subtract(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The difference, element by element. Dimensions broadcast."""
@overload
def subtract(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The difference, element by element. Dimensions broadcast."""
def sum(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, keepdims: bool | int = False, initial: float | SupportsFloat | None = None, out: ndarray | None = None) -> ndarray:
    """The sum along ``axis``, or of the whole array."""
def swapaxes(a: Any, axis1: int, axis2: int) -> ndarray:
    """The array with two axes exchanged."""
def take(a: Any, indices: Any, axis: int | None = None, mode: str = 'raise', out: Any = None) -> ndarray:
    """The elements at indices along an axis, or of the flattened array; ``mode`` is for those that do not exist."""
@overload
def tan(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The tangent of an angle in radians."""
@overload
def tan(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The tangent of an angle in radians."""
@overload
def tanh(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The hyperbolic tangent."""
@overload
def tanh(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The hyperbolic tangent."""
def tensordot(a: Any, b: Any, axes: Any = 2) -> ndarray:
    """The products of two arrays summed over axes: the last of one and the first of the other, or pairs."""
def tile(A: Any, reps: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None) -> ndarray:
    """Repeats the whole array ``reps`` times along each dimension, from the last one on if there are fewer numbers."""
def trace(a: ndarray, offset: int | SupportsIndex = 0, axis1: int | SupportsIndex = 0, axis2: int | SupportsIndex = 1, out: ndarray | None = None) -> ndarray:
    """The sums of the diagonals of the matrices in two axes."""
def transpose(a: ndarray, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None) -> ndarray:
    """The array with its axes in another order, the reverse one if none is given."""
def tril(m: ndarray, k: int | SupportsIndex = 0) -> ndarray:
    """The matrices in the last two axes with zeros above the k-th diagonal."""
@overload
def true_divide(x1: ndarray, x2: Any, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The quotient, element by element; of integers it is float32. Dimensions broadcast."""
@overload
def true_divide(x1: Any, x2: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The quotient, element by element; of integers it is float32. Dimensions broadcast."""
@overload
def true_divide(x1: Any, x2: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The quotient, element by element; of integers it is float32. Dimensions broadcast."""
@overload
def trunc(x: ndarray, out: ndarray | None = None, **kwargs: Any) -> ndarray:
    """The number without its fraction. Its gradient is zero."""
@overload
def trunc(x: Any, out: ndarray | None = None, **kwargs: Any) -> Any:
    """The number without its fraction. Its gradient is zero."""
def unique(ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False, axis: int | None = None) -> Any:
    """The sorted elements, each once; also where each is first, which of them each element is, how many there are."""
def unravel_index(indices: Any, shape: Any, order: str = 'C') -> Any:
    """Indices into a flat array as indices into one of this shape, an array for each dimension."""
def var(a: ndarray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None, ddof: int | SupportsIndex = 0, keepdims: bool | int = False) -> ndarray:
    """The variance along ``axis``, or of the whole array, divided by ``n - ddof``."""
def vdot(a: Any, b: Any) -> ndarray:
    """The dot product of two flattened arrays."""
def vsplit(ary: Any, indices_or_sections: Any) -> Any:
    """The array cut along its first axis."""
def vstack(arrays: Any, out: Any = None) -> ndarray:
    """The arrays joined as rows."""
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """The elements of ``x`` where the condition holds, else those of ``y``; without them, the places where it holds."""
def zeros(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, dtype: DTypeLike | None = None, order: Any = 'C', ctx: Context | str | None = None) -> ndarray:
    """An array of zeros."""
def zeros_like(a: ndarray, dtype: DTypeLike | None = None, order: Any = 'C', ctx: Context | str | None = None, out: ndarray | None = None) -> ndarray:
    """An array of one number with the shape, and if none is given the dtype, of another."""
from . import arrayprint as arrayprint, function_base as function_base, io as io, multiarray as multiarray, stride_tricks as stride_tricks
__all__ = ['NAN', 'NINF', 'NZERO', 'NaN', 'PINF', 'PZERO', 'abs', 'absolute', 'add', 'all', 'allclose', 'alltrue', 'amax', 'amin', 'any', 'append', 'apply_along_axis', 'apply_over_axes', 'arange', 'arccos', 'arccosh', 'arcsin', 'arcsinh', 'arctan', 'arctan2', 'arctanh', 'argmax', 'argmin', 'argpartition', 'argsort', 'argwhere', 'around', 'array', 'array_equal', 'array_equiv', 'array_split', 'arrayprint', 'atleast_1d', 'atleast_2d', 'atleast_3d', 'average', 'bincount', 'bitwise_and', 'bitwise_not', 'bitwise_or', 'bitwise_xor', 'blackman', 'bool', 'bool_', 'broadcast_arrays', 'broadcast_to', 'cbrt', 'ceil', 'choose', 'clip', 'column_stack', 'compress', 'concatenate', 'copy', 'copysign', 'corrcoef', 'correlate', 'cos', 'cosh', 'count_nonzero', 'cov', 'cumsum', 'deg2rad', 'degrees', 'delete', 'diag', 'diag_indices_from', 'diagflat', 'diagonal', 'diff', 'digitize', 'divide', 'divmod', 'dot', 'dsplit', 'dstack', 'e', 'ediff1d', 'einsum', 'empty', 'empty_like', 'equal', 'exp', 'expand_dims', 'expm1', 'extract', 'eye', 'fabs', 'fallback', 'fallback_linalg', 'finfo', 'fix', 'flatnonzero', 'flip', 'fliplr', 'flipud', 'float16', 'float32', 'float64', 'float_power', 'floor', 'frexp', 'full', 'full_like', 'function_base', 'genfromtxt', 'greater', 'greater_equal', 'hamming', 'hanning', 'heaviside', 'histogram', 'histogram2d', 'histogram_bin_edges', 'histogramdd', 'hsplit', 'hstack', 'hypot', 'i0', 'identity', 'in1d', 'indices', 'inf', 'inner', 'insert', 'int32', 'int64', 'int8', 'interp', 'intersect1d', 'invert', 'io', 'isclose', 'isfinite', 'isin', 'isinf', 'isnan', 'isneginf', 'isposinf', 'ix_', 'lcm', 'ldexp', 'less', 'less_equal', 'lexsort', 'linalg', 'linspace', 'log', 'log10', 'log1p', 'log2', 'logical_not', 'logspace', 'matmul', 'max', 'maximum', 'may_share_memory', 'mean', 'meshgrid', 'min', 'min_scalar_type', 'minimum', 'mirr', 'mod', 'modf', 'moveaxis', 'msort', 'multiarray', 'multiply', 'nan', 'nan_to_num', 'nanargmax', 'nanargmin', 'nancumprod', 'nancumsum', 'nanmax', 'nanmedian', 'nanmin', 'nanpercentile', 'nanprod', 'nanquantile', 'ndarray', 'ndim', 'negative', 'newaxis', 'nonzero', 'not_equal', 'npv', 'ones', 'ones_like', 'outer', 'packbits', 'pad', 'partition', 'percentile', 'pi', 'piecewise', 'poly', 'polyadd', 'polydiv', 'polyfit', 'polyint', 'polymul', 'polysub', 'polyval', 'positive', 'power', 'ppmt', 'prod', 'product', 'promote_types', 'ptp', 'pv', 'quantile', 'rad2deg', 'radians', 'random', 'rate', 'ravel', 'real', 'reciprocal', 'remainder', 'repeat', 'reshape', 'resize', 'result_type', 'rint', 'roll', 'rollaxis', 'roots', 'rot90', 'round', 'round_', 'row_stack', 'searchsorted', 'select', 'set_printoptions', 'setdiff1d', 'setxor1d', 'shape', 'shares_memory', 'sign', 'signbit', 'sin', 'sinh', 'size', 'sometrue', 'sort', 'spacing', 'split', 'sqrt', 'square', 'squeeze', 'stack', 'std', 'stride_tricks', 'subtract', 'sum', 'swapaxes', 'take', 'take_along_axis', 'tan', 'tanh', 'tensordot', 'tile', 'trace', 'transpose', 'trapz', 'tril', 'tril_indices_from', 'trim_zeros', 'triu_indices_from', 'true_divide', 'trunc', 'uint8', 'union1d', 'unique', 'unpackbits', 'unravel_index', 'unwrap', 'utils', 'vander', 'var', 'vdot', 'vsplit', 'vstack', 'where', 'zeros', 'zeros_like']
