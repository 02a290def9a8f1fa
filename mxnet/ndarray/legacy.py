"""Helpers of the original's indexing code that are public by accident; programs import them now and then."""

from __future__ import annotations

from typing import Any

from ..base import integer_types
from ..error import MXNetIndexError, MXNetValueError
from .ndarray import NDArray

__all__ = ["get_indexing_dispatch_code", "get_oshape_of_gather_nd_op", "indexing_key_expand_implicit_axes"]

_UNSUPPORTED, _BASIC, _ADVANCED, _EMPTY, _BOOLEAN = -1, 0, 1, 2, 3


def get_indexing_dispatch_code(key: Any) -> int:
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


def indexing_key_expand_implicit_axes(key: Any, shape: tuple[int, ...]) -> tuple:
    """An index with its ellipsis and missing trailing axes written out as slices."""
    parts = list(key) if isinstance(key, tuple) else [key]
    places = [i for i, part in enumerate(parts) if part is Ellipsis]
    if len(places) > 1:
        raise MXNetIndexError("Cannot use more than one ellipsis (`...`) for indexing")
    used = sum(part is not None and part is not Ellipsis for part in parts)
    if used > len(shape):
        raise MXNetIndexError(f"too many indices ({used}) for array with {len(shape)} dimensions")
    at = places[0] if places else len(parts)
    parts[at : at + len(places)] = [slice(None)] * (len(shape) - used)
    return tuple(parts)


def check_boolean_array_dimension(array_shape: tuple[int, ...], axis: int, bool_shape: tuple[int, ...]) -> None:
    """Raises unless a mask fits the axes it is applied to."""
    for i, size in enumerate(bool_shape):
        if axis + i >= len(array_shape) or array_shape[axis + i] != size:
            raise MXNetIndexError(f"a mask of shape {bool_shape} does not fit axis {axis} of an array of {array_shape}")
