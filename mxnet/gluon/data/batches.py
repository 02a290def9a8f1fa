"""From samples to batches: stacking samples, and taking whole batches out of arrays without looking at each sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from ..._core.dtypes import bfloat16, torch_dtype
from ...context import Context, cpu, cpu_shared
from ...error import MXNetTypeError, MXNetValueError
from ...ndarray import NDArray
from ...ndarray.gate import call
from ...ndarray.ndarray import wrap
from ...ndarray.tape import state
from .dataset import ArrayDataset, SimpleDataset, _DownloadedDataset, _SampledDataset

__all__ = ["default_batchify_fn", "default_mp_batchify_fn"]


def default_batchify_fn(data: Sequence[object]) -> Any:
    """Samples as a batch: NDArrays are stacked, tuples become a list of batches, all else becomes one NDArray.

    Numbers and NumPy arrays keep their NumPy dtype: Python's floats give float64.
    """
    return _batch(data, None)


def default_mp_batchify_fn(data: Sequence[object]) -> Any:
    """As ``default_batchify_fn``, for workers: the batch is in the context ``cpu_shared(0)``."""
    return _batch(data, cpu_shared(0))


# In which context the batches of these functions are; None is that of the samples, or the host.
_CONTEXTS: dict[Any, Context | None] = {default_batchify_fn: None, default_mp_batchify_fn: cpu_shared(0)}


def _batch(data: Sequence[Any], context: Context | None) -> Any:
    first = data[0]
    if isinstance(first, NDArray):
        batch = _stack(data)
        return batch if context is None else wrap(batch._data.cpu(), context, type(batch))
    if isinstance(first, tuple):
        return [_batch(column, context) for column in zip(*data, strict=False)]
    try:
        return _from_numpy(np.array(data), context)
    except ValueError as error:
        shapes = list(dict.fromkeys(np.shape(x) for x in data if isinstance(x, np.ndarray)))
        if len(shapes) > 1:
            raise _different_shapes(shapes) from None
        raise MXNetValueError(f"these samples do not make a batch: {error}") from error


def _stack(data: Sequence[NDArray]) -> NDArray:
    if not state.recording and all(array.stype == "default" for array in data):
        tensors = [array._data for array in data]
        if len({t.dtype for t in tensors}) == 1 and len({array._ctx for array in data}) == 1:
            try:
                return wrap(torch.stack(tensors), data[0]._ctx, type(data[0]))
            except RuntimeError:  # they differ in shape, as is said below
                pass
    shapes = list(dict.fromkeys(array.shape for array in data))
    if len(shapes) > 1:
        raise _different_shapes(shapes)
    return call("stack", *data, num_args=len(data))


def _different_shapes(shapes: Sequence[tuple[int, ...]]) -> MXNetValueError:
    return MXNetValueError(
        f"samples of different shapes ({', '.join(map(str, shapes[:3]))}) do not make a batch: give them one shape "
        "with a transform (Resize, padding), or give the DataLoader a batchify_fn"
    )


def _from_numpy(array: np.ndarray, context: Context | None) -> NDArray:
    try:
        torch_dtype(array.dtype)
    except MXNetTypeError:
        raise MXNetTypeError(
            f"samples of the NumPy dtype {array.dtype} do not make an NDArray: convert them, or give the DataLoader a "
            "batchify_fn"
        ) from None
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype == bfloat16:
        return wrap(torch.from_numpy(array.view(np.int16)).view(torch.bfloat16), context or cpu())
    return wrap(torch.from_numpy(array), context or cpu())


# ---- whole batches at once -------------------------------------------------------------------------------------------

Indices = Sequence[int]


def batch_reader(dataset: Any, batchify_fn: Callable[[list[Any]], Any]) -> Callable[[Indices], Any]:
    """A function from indices to ``batchify_fn([dataset[i] for i in indices])``, as fast as the dataset allows."""

    def one_by_one(indices: Indices) -> Any:
        return batchify_fn([dataset[i] for i in indices])

    gather = _gather(dataset, _CONTEXTS[batchify_fn]) if batchify_fn in _CONTEXTS else None
    if gather is None:
        return one_by_one

    def at_once(indices: Indices) -> Any:
        wanted = np.asarray(indices)
        if wanted.ndim == 1 and wanted.dtype.kind == "i":
            try:
                return gather(wanted.astype(np.int64, copy=False))
            except IndexError:  # an index out of range: the slow way says which one
                return one_by_one(indices)
        return one_by_one(indices)

    return at_once


def _gather(dataset: Any, context: Context | None) -> Callable[[np.ndarray], Any] | None:
    """A function from indices to a batch, for datasets that are made of arrays; None for others.

    A subclass with its own ``__getitem__`` is one of the others.
    """
    getter = getattr(type(dataset), "__getitem__", None)
    if getter is NDArray.__getitem__ or getattr(dataset, "_numpy", False):
        return _gather_tensor(dataset, context)
    if type(dataset) is np.ndarray:
        return _gather_numpy(dataset, context)
    if getter is SimpleDataset.__getitem__:
        return _gather(dataset._data, context)
    if getter is ArrayDataset.__getitem__:
        return _gather_columns(dataset._data, context, single=len(dataset._data) == 1)
    if getter is _DownloadedDataset.__getitem__ and dataset._transform is None:
        return _gather_columns([dataset._data, dataset._label], context, single=False)
    if getter is _SampledDataset.__getitem__:
        inner = _gather(dataset._dataset, context)
        if inner is None:
            return None
        chosen = np.asarray(dataset._indices)
        if chosen.dtype.kind != "i" or chosen.ndim != 1:
            return None
        return lambda wanted: inner(chosen[wanted])
    return None


def _gather_tensor(array: NDArray, context: Context | None) -> Callable[[np.ndarray], Any] | None:
    data = array._data
    if array._var is not None or array.stype != "default" or not data.dim():
        return None  # it may be recorded
    where = array._ctx if context is None else context
    if context is not None:
        data = data.cpu()
    # One dimension: the samples of an NDArray itself are arrays of one element, those of mx.np have no dimensions.
    shape = (-1, *data.shape[1:]) if data.dim() > 1 or array._numpy else (-1, 1)
    kind = type(array)
    if data.device.type == "cpu" and data.dtype is not torch.bfloat16:
        rows = data.numpy()  # NumPy's take has far less overhead, and no threads
        return lambda wanted: wrap(torch.from_numpy(rows.take(wanted, 0).reshape(shape)), where, kind)
    size = len(data)

    def gather(wanted: np.ndarray) -> NDArray:
        index = torch.from_numpy(np.where(wanted < 0, wanted + size, wanted)).to(data.device)
        if wanted.size and not -size <= wanted.min() <= wanted.max() < size:
            raise IndexError("index out of range")
        return wrap(data.index_select(0, index).reshape(shape), where, kind)

    return gather


def _gather_numpy(array: np.ndarray, context: Context | None) -> Callable[[np.ndarray], Any] | None:
    try:
        torch_dtype(array.dtype)
    except MXNetTypeError:
        return None
    return (lambda wanted: _from_numpy(array.take(wanted, 0), context)) if array.ndim else None


def _gather_list(values: Sequence[object], context: Context | None) -> Callable[[np.ndarray], Any]:
    return lambda wanted: _batch([values[i] for i in wanted.tolist()], context)


def _gather_columns(columns: list[Any], context: Context | None, single: bool) -> Callable[[np.ndarray], Any] | None:
    """Batches of columns side by side."""
    gathers = [_gather(column, context) or _gather_list(column, context) for column in columns]
    if single:
        return gathers[0]
    return lambda wanted: [gather(wanted) for gather in gathers]
