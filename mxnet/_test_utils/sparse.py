"""Sparse arrays to test with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..ndarray import array
from ..ndarray.sparse import csr_matrix, row_sparse_array, zeros

Modifier = Callable[[Any], Any] | None


def rand_sparse_ndarray(
    shape: Sequence[int],
    stype: str,
    density: float | None = None,
    dtype: object = None,
    distribution: str | None = None,
    data_init: object = None,
    rsp_indices: object = None,
    modifier_func: Modifier = None,
    shuffle_csr_indices: bool = False,
    ctx: object = None,
) -> Any:
    """A random sparse array, and its parts: (data, indices) of row_sparse, (indptr, indices, data) of csr.

    ``density`` is the share of elements of a csr matrix, or of rows; by default any. ``distribution`` of a csr matrix
    is ``'uniform'``, or ``'powerlaw'``: each row has twice as many elements as the one before, while there are enough.
    ``data_init`` is the value of all elements, ``modifier_func`` changes each element of a row-sparse array.
    """
    density = np.random.rand() if density is None else density
    dtype = np.float32 if dtype is None else dtype
    distribution = "uniform" if distribution is None else distribution
    if stype == "row_sparse":
        assert distribution == "uniform", f"Distribution {distribution} not supported for row_sparse"
        return _rows(tuple(shape), density, dtype, data_init, rsp_indices, modifier_func, ctx)
    assert stype == "csr", f"Unknown storage type: {stype}"
    assert len(shape) == 2, f"a csr matrix has two dimensions, the shape is {tuple(shape)}"
    if distribution == "uniform":
        made = _uniform(tuple(shape), density, dtype, data_init, ctx)
    elif distribution == "powerlaw":
        made = _powerlaw(tuple(shape), density, dtype, ctx)
    else:
        raise AssertionError(f"Distribution not supported: {distribution}")
    if shuffle_csr_indices:
        shuffle_csr_column_indices(made)
    return made, (made.indptr, made.indices, made.data)


def _rows(
    shape: tuple[int, ...], density: float, dtype: Any, data_init: Any, given: Any, modifier: Modifier, ctx: Any
) -> Any:
    if given is not None:
        rows = np.asarray(given, dtype=np.int64)
        assert len(rows) <= shape[0], f"{len(rows)} rows of an array of shape {shape}"
    else:
        rows = np.flatnonzero(np.random.rand(shape[0]) < density)
    if not len(rows):
        return zeros("row_sparse", shape, ctx, dtype), (np.array([], dtype=dtype), np.array([]))
    values = np.random.rand(len(rows), *shape[1:]).astype(dtype)
    if data_init is not None:
        values.fill(data_init)
    if modifier is not None:
        values = np.vectorize(modifier, otypes=[np.float64])(values)
    return row_sparse_array((values, rows), shape=shape, ctx=ctx, dtype=dtype), (values, rows)


def _uniform(shape: tuple[int, ...], density: float, dtype: Any, data_init: Any, ctx: Any) -> Any:
    size = shape[0] * shape[1]
    places = np.sort(np.random.choice(size, round(size * density), replace=False))
    values = np.random.rand(len(places)).astype(dtype)
    if data_init is not None:
        values.fill(data_init)
    starts = np.searchsorted(places, np.arange(shape[0] + 1) * shape[1])
    return csr_matrix((values, places % shape[1], starts), shape=shape, ctx=ctx, dtype=dtype)


def _powerlaw(shape: tuple[int, ...], density: float, dtype: Any, ctx: Any) -> Any:
    rows, columns = shape
    left = int(rows * columns * density)
    if left < 2 * rows:
        raise ValueError(
            f"not supported for this density: {density} for this shape {shape} Please keep : num_rows * num_cols * "
            "density >= 2 * num_rows"
        )
    counts = np.ones(rows, np.int64)
    left -= rows
    for row in range(rows):
        more = min(min(columns, 2 ** min(row + 1, 62)) - 1, left)
        counts[row] += more
        left -= more
    starts = np.concatenate(([0], np.cumsum(counts)))
    indices = np.concatenate([np.arange(count) for count in counts])
    values = 1 + 2 * np.random.rand(len(indices))
    return csr_matrix((values.astype(dtype), indices, starts), shape=shape, ctx=ctx, dtype=dtype)


def create_sparse_array(
    shape: Sequence[int],
    stype: str,
    data_init: Any = None,
    rsp_indices: Any = None,
    dtype: Any = None,
    modifier_func: Modifier = None,
    density: float = 0.5,
    shuffle_csr_indices: bool = False,
) -> Any:
    """A random sparse array; see ``rand_sparse_ndarray``."""
    assert stype in ("row_sparse", "csr"), f"Unknown storage type: {stype}"
    if stype == "csr":
        made, _ = rand_sparse_ndarray(
            shape, stype, density, dtype, data_init=data_init, shuffle_csr_indices=shuffle_csr_indices
        )
        return made
    rows = None if rsp_indices is None else np.asarray(rsp_indices)
    return rand_sparse_ndarray(
        shape, stype, density, dtype, data_init=data_init, rsp_indices=rows, modifier_func=modifier_func
    )[0]


def create_sparse_array_zd(
    shape: Sequence[int],
    stype: str,
    density: float,
    data_init: object = None,
    rsp_indices: object = None,
    dtype: object = None,
    modifier_func: Modifier = None,
    shuffle_csr_indices: bool = False,
) -> Any:
    """A random sparse array that may be empty."""
    return create_sparse_array(shape, stype, data_init, rsp_indices, dtype, modifier_func, density, shuffle_csr_indices)


def shuffle_csr_column_indices(csr: Any) -> None:
    """Puts the column indices of each row of a csr matrix, ours or SciPy's, into a random order; the elements stay."""
    starts = csr.indptr if isinstance(csr.indptr, np.ndarray) else csr.indptr.asnumpy()
    indices = csr.indices if isinstance(csr.indices, np.ndarray) else csr.indices.asnumpy()
    for first, last in pairwise(starts):
        np.random.shuffle(indices[first:last])
    if not isinstance(csr.indices, np.ndarray):
        # not csr[:] = ..., which would put them in order again
        csr._contents = csr_matrix((csr.data, array(indices, dtype="int64"), csr.indptr), shape=csr.shape)._contents
