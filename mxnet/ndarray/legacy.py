"""Helpers of the original's indexing code that are public by accident; programs import them now and then."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import torch

from .._core.dtypes import FLAG_OF, NUMPY_OF
from .._core.types import Device
from ..base import integer_types, numeric_types
from ..error import (
    MXNetAssertionError,
    MXNetError,
    MXNetIndexError,
    MXNetNotImplementedError,
    MXNetTypeError,
    MXNetValueError,
)
from ..runtime import Features
from .ndarray import NDArray

__all__ = ["get_indexing_dispatch_code", "get_oshape_of_gather_nd_op", "indexing_key_expand_implicit_axes"]

_UNSUPPORTED, _BASIC, _ADVANCED, _EMPTY, _BOOLEAN = -1, 0, 1, 2, 3
_NDARRAY_NO_ZERO_DIM_BOOL_ARRAY, _NDARRAY_ZERO_DIM_BOOL_ARRAY_FALSE, _NDARRAY_ZERO_DIM_BOOL_ARRAY_TRUE = -1, 0, 1
_SIGNED_INT32_UPPER_LIMIT = 2**31 - 1
# Numbers by which files and the C interface know dtypes, storage types and what happens to gradients.
_DTYPE_NP_TO_MX = {None: -1, **{NUMPY_OF[kind]: flag for kind, flag in FLAG_OF.items()}}
_DTYPE_MX_TO_NP = {number: dtype for dtype, number in _DTYPE_NP_TO_MX.items()}
_STORAGE_TYPE_UNDEFINED, _STORAGE_TYPE_DEFAULT, _STORAGE_TYPE_ROW_SPARSE, _STORAGE_TYPE_CSR = -1, 0, 1, 2
_STORAGE_TYPE_STR_TO_ID = {"undefined": -1, "default": 0, "row_sparse": 1, "csr": 2}
_STORAGE_TYPE_ID_TO_STR = {number: name for name, number in _STORAGE_TYPE_STR_TO_ID.items()}
_GRAD_REQ_MAP = {"null": 0, "write": 1, "add": 3}


def get_indexing_dispatch_code(key: object) -> int:
    """What kind of index a tuple is: 0 basic, 1 advanced, 2 an empty tuple, 3 a boolean mask, -1 none that works."""
    parts = key if isinstance(key, tuple) else (key,)
    if not parts:
        return _EMPTY
    code = _BASIC
    for part in parts:
        if part is None or part is Ellipsis or isinstance(part, (slice, *integer_types)):
            continue
        if isinstance(part, NDArray) and part.dtype == bool:
            return _BOOLEAN
        if isinstance(part, list | tuple | range | NDArray) or hasattr(part, "__array__"):
            code = _ADVANCED
        else:
            return _UNSUPPORTED
    return code


def get_oshape_of_gather_nd_op(dshape: tuple[int, ...], ishape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of ``gather_nd`` of data of one shape with indices of another."""
    if not dshape or len(ishape) < 2:
        raise MXNetValueError(f"gather_nd needs data and indices of 2 or more dimensions, got {dshape} and {ishape}")
    if ishape[0] > len(dshape):
        raise MXNetIndexError(f"indices of shape {ishape} select along {ishape[0]} axes, the data has {len(dshape)}")
    return (*ishape[1:], *dshape[ishape[0] :])


def indexing_key_expand_implicit_axes(key: object, shape: tuple[int, ...]) -> tuple[tuple, int]:
    """An index with its ellipsis and missing trailing axes written out as slices; and that no 0-d mask is in it."""
    parts = list(key) if isinstance(key, tuple) else [key]
    places = [i for i, part in enumerate(parts) if part is Ellipsis]
    if len(places) > 1:
        raise MXNetIndexError("Cannot use more than one ellipsis (`...`) for indexing")
    used = sum(part is not None and part is not Ellipsis for part in parts)
    if used > len(shape):
        raise MXNetIndexError(f"too many indices ({used}) for array with {len(shape)} dimensions")
    at = places[0] if places else len(parts)
    parts[at : at + len(places)] = [slice(None)] * (len(shape) - used)
    return tuple(parts), _NDARRAY_NO_ZERO_DIM_BOOL_ARRAY


def _copyto(data: NDArray, out: NDArray | Device = None) -> NDArray:
    """Copies to an array, or to a device: ``NDArray.copyto`` of the first years."""
    return data.copyto(data.context if out is None else out)


def check_boolean_array_dimension(array_shape: tuple[int, ...], axis: int, bool_shape: tuple[int, ...]) -> None:
    """Raises unless a mask fits the axes it is applied to."""
    for i, size in enumerate(bool_shape):
        if axis + i >= len(array_shape) or array_shape[axis + i] != size:
            raise MXNetIndexError(f"a mask of shape {bool_shape} does not fit axis {axis} of an array of {array_shape}")


def _int_to_slice(idx: int) -> slice:
    """The slice of the one entry at an index."""
    return slice(idx, idx + 1 or None)


def _is_advanced_index(idx: object) -> bool:
    """Is this part of an index array-like or an integer, rather than a slice or None?"""
    if isinstance(idx, (list, tuple, np.ndarray, NDArray, *integer_types)):
        return True
    if idx is None or isinstance(idx, slice):
        return False
    raise MXNetError(f"an index has slices, integers, arrays and None, got {idx!r} of {type(idx)}")


def _get_index_range(start: int | None, stop: int | None, length: int, step: int | None = 1) -> tuple[int, int, int]:
    """Where a slice of an axis begins and ends, as ``range`` takes it."""
    if step == 0:
        raise MXNetValueError("step size cannot be zero")
    return slice(start, stop, step).indices(length)


def _get_slice_len(slc: slice, seq_length: int) -> int:
    """How many elements a slice takes from a sequence."""
    return len(range(*slc.indices(seq_length)))


def _get_dim_size(start: int, stop: int, step: int) -> int:
    """How many elements a slice with these bounds has, which must lie in the direction of the step."""
    if step == 0 or (stop - start) * step < 0:
        raise MXNetAssertionError(f"{start}:{stop}:{step} never ends: the step has to lead from the start to the stop")
    return len(range(start, stop, step))


def _get_broadcast_shape(shape1: tuple[int, ...], shape2: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that two shapes broadcast to."""
    try:
        return np.broadcast_shapes(shape1, shape2)
    except ValueError as error:
        raise MXNetValueError(f"shape1={shape1} is not broadcastable to shape2={shape2}") from error


def _broadcast_shapes(seq: Iterable[Any]) -> tuple[int, ...]:
    """The shape that the arrays of a sequence broadcast to."""
    return functools.reduce(_get_broadcast_shape, (tuple(array.shape) for array in seq), ())


def _shape_for_bcast(shape: tuple[int, ...], target_ndim: int, new_axes: Iterable[int]) -> tuple[int, ...]:
    """A shape with ones at ``new_axes``, filled up with ones at its front."""
    sizes = [1 if axis in tuple(new_axes) else 0 for axis in range(target_ndim)]
    rest = list(shape)
    for axis in reversed(range(target_ndim)):
        sizes[axis] = sizes[axis] or (rest.pop() if rest else 1)
    return tuple(sizes)


def _int64_enabled() -> bool:
    """Can one array have more than 2**31 elements?"""
    return Features().is_enabled("INT64_TENSOR_SIZE")


def _storage_type(handle: object) -> int:
    """The number of the storage type of what ``NDArray.handle`` gives."""
    if getattr(handle, "layout", None) is not torch.strided:
        raise MXNetNotImplementedError(f"the storage type of {type(handle)} is not known: expected NDArray.handle")
    return _STORAGE_TYPE_DEFAULT


def _ufunc_helper(
    lhs: object,
    rhs: object,
    fn_array: Callable,
    fn_scalar: Callable,
    lfn_scalar: Callable,
    rfn_scalar: Callable | None = None,
) -> object:
    """Calls the function that fits: of two arrays, two numbers, array and number, or number and array (swapped)."""
    for value in (lhs, rhs):
        if not isinstance(value, (NDArray, *numeric_types)):
            raise MXNetTypeError(f"type {type(value)} not supported: expected an NDArray or a number")
    if isinstance(lhs, NDArray):
        return (fn_array if isinstance(rhs, NDArray) else lfn_scalar)(lhs, rhs)
    if isinstance(rhs, NDArray):
        return (rfn_scalar or lfn_scalar)(rhs, lhs)
    return fn_scalar(lhs, rhs)
