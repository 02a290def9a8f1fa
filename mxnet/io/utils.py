"""What NDArrayIter is given, as a list of named arrays; and rows taken out of such arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from ..error import MXNetAssertionError, MXNetTypeError, MXNetValueError
from ..ndarray import NDArray, array
from ..ndarray.ndarray import wrap
from ..ndarray.sparse import CSRNDArray, array as sparse_array
from ..ndarray.sparse_array import wrap_value
from ..ops.sparse.products import take_rows as take_csr_rows

__all__ = ["CSRNDArray", "NDArray", "array", "sparse_array"]

_WANTED = "Input must be NDArray, numpy.ndarray, h5py.Dataset a list of them or dict with them as values"


def is_dataset(source: object) -> bool:
    """Is it an array that stays on disk and is read slice by slice: ``numpy.memmap``, or like an ``h5py.Dataset``?"""
    return isinstance(source, np.memmap) or all(
        hasattr(source, name) for name in ("shape", "dtype", "chunks", "__getitem__")
    )


def _init_data(data: object, allow_empty: bool, default_name: str) -> list[tuple[str, Any]]:
    """Pairs of a name and an array: an NDArray, or a dataset that is read when its rows are needed.

    A dict gives its keys as names, in order; several arrays in a list are called ``_0_data``, ``_1_data``.
    """
    if data is None:
        data = []
    if (
        isinstance(data, np.ndarray | NDArray)
        or is_dataset(data)
        or hasattr(data, "__array__")
        or hasattr(data, "tocsr")
    ):
        data = [data]
    if isinstance(data, list):
        if len(data) == 1:
            data = {default_name: data[0]}
        else:
            data = {f"_{i}_{default_name}": values for i, values in enumerate(data)}
    elif not isinstance(data, dict):
        raise MXNetTypeError(f"{_WANTED}, got {type(data).__name__}")
    if not data and not allow_empty:
        raise MXNetAssertionError(f"no {default_name} given. {_WANTED}")
    # As in MXNet, names that are no text are compared as they are.
    return [(name, _as_source(name, data[name])) for name in sorted(data)]


def _as_source(name: str, values: Any) -> Any:
    if not (isinstance(values, NDArray) or is_dataset(values)):
        try:
            values = array(values.tocsr() if hasattr(values, "tocsr") else values)
        except MXNetTypeError as error:
            raise MXNetTypeError(
                f"Invalid type '{type(values)}' for {name}, should be NDArray, numpy.ndarray or h5py.Dataset: {error}"
            ) from None
    if not len(values.shape):
        raise MXNetValueError(f"{name} is a single number: an array of examples is expected")
    return values


def take_rows(source: Any, rows: slice | torch.Tensor, axis: int = 0) -> NDArray:
    """Rows of an array, given by a slice or by their numbers, in memory of their own: the caller may write to them."""
    if isinstance(source, CSRNDArray):
        numbers = torch.arange(rows.start, rows.stop) if isinstance(rows, slice) else rows
        return wrap_value(take_csr_rows(source._value, numbers), source._ctx)
    if isinstance(source, NDArray):
        data = source._dense
        if isinstance(rows, slice):
            part = data.narrow(axis, rows.start, rows.stop - rows.start).clone(memory_format=torch.contiguous_format)
        else:
            part = data.index_select(axis, rows.to(data.device))
        return wrap(part, source._ctx)
    before: tuple[Any, ...] = (slice(None),) * axis
    if isinstance(rows, slice):
        place = (*before, rows)
        return array(np.asarray(source[place]))
    # Datasets on disk want their indices in ascending order, each but once.
    distinct, inverse = np.unique(rows.numpy(), return_inverse=True)
    places = (*before, distinct)
    return array(np.take(np.asarray(source[places]), inverse, axis=axis))


def _has_instance(data: Sequence[tuple[str, Any]], dtype: type) -> bool:
    """Is any of the named arrays of a type?"""
    return any(isinstance(values, dtype) for _, values in data)


def _getdata_by_idx(data: Sequence[tuple[str, Any]], idx: object) -> list[tuple[str, NDArray]]:
    """The named arrays with their rows in another order."""
    order = torch.as_tensor(np.asarray(idx, dtype=np.int64))
    return [(name, take_rows(values, order)) for name, values in data]


def _slice_along_batch_axis(data: Any, s: slice, batch_axis: int) -> NDArray:
    """A slice of an array along its batch axis."""
    start, stop, step = s.indices(data.shape[batch_axis])
    if step == 1:
        return take_rows(data, slice(start, max(start, stop)), batch_axis)
    return take_rows(data, torch.arange(start, stop, step), batch_axis)
