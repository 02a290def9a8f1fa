# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from numpy.typing import DTypeLike
from typing import Any, SupportsFloat, SupportsIndex

from . import _symbol as _symbol, linalg as linalg, random as random
from ._symbol import abs as abs, absolute as absolute, add as add, append as append, arange as arange, arccos as arccos, arccosh as arccosh, arcsin as arcsin, arcsinh as arcsinh, arctan as arctan, arctan2 as arctan2, arctanh as arctanh, argmax as argmax, argmin as argmin, argsort as argsort, around as around, array_split as array_split, average as average, bincount as bincount, bitwise_and as bitwise_and, bitwise_not as bitwise_not, bitwise_or as bitwise_or, bitwise_xor as bitwise_xor, blackman as blackman, broadcast_to as broadcast_to, cbrt as cbrt, ceil as ceil, clip as clip, column_stack as column_stack, concatenate as concatenate, copysign as copysign, cos as cos, cosh as cosh, deg2rad as deg2rad, degrees as degrees, delete as delete, diag_indices_from as diag_indices_from, diff as diff, divide as divide, dsplit as dsplit, dstack as dstack, ediff1d as ediff1d, einsum as einsum, empty_like as empty_like, equal as equal, exp as exp, expand_dims as expand_dims, expm1 as expm1, eye as eye, fabs as fabs, fix as fix, flip as flip, fliplr as fliplr, flipud as flipud, floor as floor, full as full, full_like as full_like, greater as greater, greater_equal as greater_equal, hamming as hamming, hanning as hanning, histogram as histogram, hsplit as hsplit, hstack as hstack, hypot as hypot, identity as identity, indices as indices, inner as inner, insert as insert, invert as invert, isfinite as isfinite, isinf as isinf, isnan as isnan, isneginf as isneginf, isposinf as isposinf, lcm as lcm, ldexp as ldexp, less as less, less_equal as less_equal, linspace as linspace, log as log, log10 as log10, log1p as log1p, log2 as log2, logical_not as logical_not, logspace as logspace, matmul as matmul, maximum as maximum, may_share_memory as may_share_memory, mean as mean, minimum as minimum, mod as mod, multiply as multiply, nan_to_num as nan_to_num, negative as negative, not_equal as not_equal, ones as ones, ones_like as ones_like, outer as outer, pad as pad, percentile as percentile, polyval as polyval, power as power, quantile as quantile, rad2deg as rad2deg, radians as radians, ravel as ravel, reciprocal as reciprocal, remainder as remainder, resize as resize, rint as rint, rot90 as rot90, round as round, round_ as round_, row_stack as row_stack, shares_memory as shares_memory, sign as sign, sin as sin, sinh as sinh, sort as sort, split as split, sqrt as sqrt, square as square, stack as stack, std as std, subtract as subtract, swapaxes as swapaxes, take as take, tan as tan, tanh as tanh, tensordot as tensordot, tile as tile, tril as tril, true_divide as true_divide, trunc as trunc, unique as unique, unravel_index as unravel_index, var as var, vdot as vdot, vsplit as vsplit, vstack as vstack, where as where, zeros as zeros, zeros_like as zeros_like
from ._symbol import _MORE as _MORE, _Symbol as _Symbol
def all(a: _Symbol, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: _Symbol | None = None) -> _Symbol:
    """Are all numbers other than 0 along ``axis``, or of the whole array?"""
def amax(a: _Symbol, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: _Symbol | None = None) -> _Symbol:
    """The largest element along ``axis``, or of the whole array."""
def amin(a: _Symbol, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: _Symbol | None = None) -> _Symbol:
    """The smallest element along ``axis``, or of the whole array."""
def any(a: _Symbol, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: _Symbol | None = None) -> _Symbol:
    """Is any number other than 0 along ``axis``, or of the whole array?"""
def atleast_1d(*arys: Any) -> Any:
    """The arrays with new axes of size 1, where they have fewer than 1 dimensions."""
def atleast_2d(*arys: Any) -> Any:
    """The arrays with new axes of size 1, where they have fewer than 2 dimensions."""
def atleast_3d(*arys: Any) -> Any:
    """The arrays with new axes of size 1, where they have fewer than 3 dimensions."""
def copy(a: _Symbol, out: _Symbol | None = None) -> _Symbol:
    """A copy."""
def cumsum(a: _Symbol, axis: int | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: _Symbol | None = None) -> _Symbol:
    """Running sums along ``axis``, or over the flattened array if none is given."""
def diag(array: _Symbol, k: int | SupportsIndex = 0) -> _Symbol:
    """The k-th diagonal of a matrix, or a matrix with this array as its k-th diagonal."""
def diagflat(array: _Symbol, k: int | SupportsIndex = 0) -> _Symbol:
    """A matrix with the elements of the array as its k-th diagonal."""
def diagonal(a: _Symbol, offset: int | SupportsIndex = 0, axis1: int | SupportsIndex = 0, axis2: int | SupportsIndex = 1) -> _Symbol:
    """The diagonals of the matrices in two axes, as a new last axis."""
def dot(a: _Symbol, b: _Symbol, out: _Symbol | None = None) -> _Symbol:
    """The dot product: the last axis of ``a`` with the last but one of ``b``; a number multiplies the array."""
def max(a: _Symbol, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: _Symbol | None = None) -> _Symbol:
    """The largest element along ``axis``, or of the whole array."""
def min(a: _Symbol, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: _Symbol | None = None) -> _Symbol:
    """The smallest element along ``axis``, or of the whole array."""
def moveaxis(a: _Symbol, source: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, destination: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex) -> _Symbol:
    """The array with axes moved to other places."""
def prod(a: _Symbol, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: _Symbol | None = None, keepdims: bool | int = False) -> _Symbol:
    """The product along ``axis``, or of the whole array."""
def product(a: _Symbol, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: _Symbol | None = None, keepdims: bool | int = False) -> _Symbol:
    """The product along ``axis``, or of the whole array."""
def repeat(a: _Symbol, repeats: int | SupportsIndex, axis: int | SupportsIndex | None = None) -> _Symbol:
    """Repeats each element ``repeats`` times along ``axis``; without an axis the array is flattened first."""
def reshape(a: _Symbol, newshape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, order: str = 'C', out: _Symbol | None = None) -> _Symbol:
    """The array with another shape; -1 stands for what is left over."""
def roll(a: _Symbol, shift: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None) -> _Symbol:
    """The array with its elements moved along axes, or as if it were flat; what falls off comes in at the front."""
def sometrue(a: _Symbol, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: _Symbol | None = None) -> _Symbol:
    """Is any number other than 0 along ``axis``, or of the whole array?"""
def squeeze(a: _Symbol, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: _Symbol | None = None) -> _Symbol:
    """The array without axes of size 1: all of them, or those given."""
def sum(a: _Symbol, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, dtype: DTypeLike | None = None, keepdims: bool | int = False, initial: float | SupportsFloat | None = None, out: _Symbol | None = None) -> _Symbol:
    """The sum along ``axis``, or of the whole array."""
def trace(a: _Symbol, offset: int | SupportsIndex = 0, axis1: int | SupportsIndex = 0, axis2: int | SupportsIndex = 1, out: _Symbol | None = None) -> _Symbol:
    """The sums of the diagonals of the matrices in two axes."""
def transpose(a: _Symbol, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None) -> _Symbol:
    """The array with its axes in another order, the reverse one if none is given."""
__all__ = ['abs', 'absolute', 'add', 'all', 'amax', 'amin', 'any', 'append', 'arange', 'arccos', 'arccosh', 'arcsin', 'arcsinh', 'arctan', 'arctan2', 'arctanh', 'argmax', 'argmin', 'argsort', 'around', 'array_split', 'atleast_1d', 'atleast_2d', 'atleast_3d', 'average', 'bincount', 'bitwise_and', 'bitwise_not', 'bitwise_or', 'bitwise_xor', 'blackman', 'broadcast_to', 'cbrt', 'ceil', 'clip', 'column_stack', 'concatenate', 'copy', 'copysign', 'cos', 'cosh', 'cumsum', 'deg2rad', 'degrees', 'delete', 'diag', 'diag_indices_from', 'diagflat', 'diagonal', 'diff', 'divide', 'dot', 'dsplit', 'dstack', 'ediff1d', 'einsum', 'empty_like', 'equal', 'exp', 'expand_dims', 'expm1', 'eye', 'fabs', 'fix', 'flip', 'fliplr', 'flipud', 'floor', 'full', 'full_like', 'greater', 'greater_equal', 'hamming', 'hanning', 'histogram', 'hsplit', 'hstack', 'hypot', 'identity', 'indices', 'inner', 'insert', 'invert', 'isfinite', 'isinf', 'isnan', 'isneginf', 'isposinf', 'lcm', 'ldexp', 'less', 'less_equal', 'linalg', 'linspace', 'log', 'log10', 'log1p', 'log2', 'logical_not', 'logspace', 'matmul', 'max', 'maximum', 'may_share_memory', 'mean', 'min', 'minimum', 'mod', 'moveaxis', 'multiply', 'nan_to_num', 'negative', 'not_equal', 'ones', 'ones_like', 'outer', 'pad', 'percentile', 'polyval', 'power', 'prod', 'product', 'quantile', 'rad2deg', 'radians', 'random', 'ravel', 'reciprocal', 'remainder', 'repeat', 'reshape', 'resize', 'rint', 'roll', 'rot90', 'round', 'round_', 'row_stack', 'shares_memory', 'sign', 'sin', 'sinh', 'sometrue', 'sort', 'split', 'sqrt', 'square', 'squeeze', 'stack', 'std', 'subtract', 'sum', 'swapaxes', 'take', 'tan', 'tanh', 'tensordot', 'tile', 'trace', 'transpose', 'tril', 'true_divide', 'trunc', 'unique', 'unravel_index', 'var', 'vdot', 'vsplit', 'vstack', 'where', 'zeros', 'zeros_like']
