"""Parts of sparse values: rows to keep, slices, taking and joining rows, and what is stored where."""

from __future__ import annotations

from typing import Any

import torch

from ..registry import op
from ..sparse_values import CSR, RowSparse
from ..support import without_data
from .dispatch import add_kernel, by_rows, storage
from .products import take_rows


@op("_sparse_retain")
def sparse_retain(data: torch.Tensor, indices: torch.Tensor) -> torch.Tensor:
    """The rows of a row-sparse array with the numbers ``indices``; all others become zero."""
    if data.is_meta:  # of the variables of a graph only shapes are known
        return without_data(data, data.shape)
    raise TypeError("data must be a row_sparse array; make one with tostype('row_sparse')")


@storage("_sparse_retain", "row_sparse", "default", result="row_sparse")
@by_rows
def retain(data: RowSparse, indices: torch.Tensor) -> RowSparse:
    """The rows with the numbers ``indices``, in their order; a row that is not there is zero."""
    if not data.indices.numel():
        return data.map(torch.clone)
    rows = indices.to(torch.int64).reshape(-1)
    if rows.numel() and not 0 <= int(rows.min()) <= int(rows.max()) < data.shape[0]:
        raise ValueError(f"row numbers must be from 0 to {data.shape[0] - 1}")
    return RowSparse(data.take(rows), rows, data.shape)


def _retain_csr(data: CSR, indices: torch.Tensor) -> Any:
    raise TypeError("data must be a row_sparse array, it is csr; slice it or use take()")


add_kernel("_sparse_retain", ("csr", "default"), "csr", _retain_csr)


def _slice_result(attrs: Any) -> str | None:
    return "csr" if all(step in (None, 1) for step in attrs["step"] or ()) else None


@storage("slice", "csr", result=_slice_result)
def slice_csr(data: CSR, *, begin: Any, end: Any, step: Any = ()) -> CSR:
    """A part of a csr matrix, by rows and columns."""
    if len(begin) != len(end) or len(begin) > 2:
        raise ValueError(f"begin {begin} and end {end} must have as many numbers as there are axes to slice, at most 2")
    ranges = []
    for axis, size in enumerate(data.shape):
        first, last, _ = slice(*(part[axis] if axis < len(begin) else None for part in (begin, end))).indices(size)
        if first >= last:
            raise ValueError(f"the slice from {begin} to {end} of a csr array of shape {data.shape} is empty")
        ranges.append((first, last))
    (top, bottom), (left, right) = ranges
    first, last = int(data.indptr[top]), int(data.indptr[bottom])
    indptr = data.indptr[top : bottom + 1] - first
    columns, values = data.indices[first:last], data.data[first:last]
    if (left, right) == (0, data.shape[1]):
        return CSR(values.clone(), columns.clone(), (bottom - top, right), indptr)
    kept = (columns >= left) & (columns < right)
    counted = torch.cat([indptr.new_zeros(1), kept.cumsum(0)])
    return CSR(values[kept], columns[kept] - left, (bottom - top, right - left), counted[indptr])


def _take_result(attrs: Any) -> str | None:
    return "csr" if attrs["axis"] == 0 and attrs["mode"] in ("clip", "wrap") else None


@storage("take", "csr", "default", result=_take_result)
def take_csr(a: CSR, indices: torch.Tensor, *, axis: int = 0, mode: str = "clip") -> CSR:
    """Rows of a csr matrix, as a csr matrix."""
    if indices.dim() != 1:
        raise ValueError(f"rows of a csr array are taken by a vector of indices, got shape {tuple(indices.shape)}")
    rows = indices.to(torch.int64)
    rows = rows.clamp(0, a.shape[0] - 1) if mode == "clip" else rows.remainder(a.shape[0])
    return take_rows(a, rows)


@storage("Concat", "csr", ..., result=lambda attrs: "csr" if attrs["dim"] == 0 else None)
def concat_csr(*data: CSR, num_args: int = 0, dim: int = 0) -> CSR:
    """The rows of csr matrices below each other."""
    width = data[0].shape[1]
    if any(part.shape[1] != width for part in data):
        raise ValueError(f"all matrices must have as many columns, got shapes {[part.shape for part in data]}")
    if any(part.dtype is not data[0].dtype for part in data):
        raise TypeError("all inputs must have the same dtype; convert them with astype()")
    indptr, at = [data[0].indptr[:1]], 0
    for part in data:
        indptr.append(part.indptr[1:] + at)
        at += part.indices.numel()
    rows = sum(part.shape[0] for part in data)
    values, columns = torch.cat([part.data for part in data]), torch.cat([part.indices for part in data])
    return CSR(values, columns, (rows, width), torch.cat(indptr))


@storage("where", "csr", "default", "default", result="default")
def where_csr(condition: CSR, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """``y``, with the elements of ``x`` where the condition is not zero."""
    if not tuple(condition.shape) == tuple(x.shape) == tuple(y.shape):
        shapes = f"{condition.shape}, {tuple(x.shape)} and {tuple(y.shape)}"
        raise ValueError(f"condition, x and y must have the same shape, got {shapes}")
    kept = condition.data != 0
    at = condition.rows()[kept], condition.indices[kept]
    return y.index_put(at, x[at])


@storage("_contrib_getnnz", "csr", result="default")
def getnnz(data: CSR, *, axis: int | None = None) -> torch.Tensor:
    """How many elements are stored, in all or in each row."""
    if axis is None:
        return data.indptr[-1:].clone()
    if axis != 1:
        raise ValueError(f"axis must be None or 1, got {axis}: columns are not counted")
    return data.indptr.diff()


@storage("_contrib_edge_id", "csr", "default", "default", result="default")
def edge_id(data: CSR, u: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """The elements at ``(u[i], v[i])``, or -1 where none is stored."""
    wanted = u.to(torch.int64) * data.shape[1] + v.to(torch.int64)
    keys, order = torch.sort(data.keys())
    if not keys.numel():
        return torch.full(wanted.shape, -1, dtype=data.dtype, device=data.device)
    place = torch.searchsorted(keys, wanted).clamp_(max=keys.numel() - 1)
    inside = (u >= 0) & (u < data.shape[0]) & (v >= 0) & (v < data.shape[1])
    return torch.where(inside & (keys[place] == wanted), data.data[order[place]], -1)
