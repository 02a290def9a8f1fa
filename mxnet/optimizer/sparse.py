"""Updates by row-sparse gradients: the rule of the optimizer on the rows that the gradient has, or on all."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import torch

from .._core.dtypes import torch_dtype
from ..ndarray import NDArray
from ..ndarray.ndarray import wrap
from ..ndarray.sparse import BaseSparseNDArray
from ..ndarray.sparse_array import write
from ..ops.sparse import RowSparse
from ..ops.sparse.update import put_rows

#: The types of weights that may have a float32 copy.
LOW_PRECISION = (torch.float16, torch.bfloat16)


def fitting(weight: torch.dtype, grad: torch.dtype, masters: bool) -> bool:
    """Can a gradient of one type update a weight of another? One in float32 can, if it updates a float32 copy."""
    return weight is grad or (masters and weight in LOW_PRECISION and grad is torch.float32)


def run_sparse(
    optimizer: Any, indices: Sequence, weights: Sequence, grads: Sequence, states: Sequence, masters: bool
) -> None:
    """Updates weights some of which, or their gradients, are sparse."""
    each = list(zip(indices, weights, grads, states, strict=True))
    plain = [row for row in each if row[1].stype == row[2].stype == "default"]
    if plain:
        optimizer._run(*map(list, zip(*plain, strict=True)), masters)
    for index, weight, grad, state in each:
        if weight.stype == grad.stype == "default":
            continue
        fits = fitting(torch_dtype(weight.dtype), torch_dtype(grad.dtype), masters)
        if weight.shape != grad.shape or not fits or weight._ctx is not grad._ctx:
            raise optimizer._mismatch(index, weight, grad)
        if weight.stype == "csr":
            _update_copies(optimizer, index, weight, grad, state, masters)
            continue
        whole = as_whole(weight)
        if grad.stype != "row_sparse" or not optimizer._is_lazy(weight):
            full = wrap(grad._value.dense(), grad._ctx) if isinstance(grad, BaseSparseNDArray) else grad
            optimizer._run([index], [whole], [full], [state], masters)
        elif grad._value.indices.numel():
            _update_rows(optimizer, index, whole, grad._value.sort(), state, masters)
        else:
            optimizer._update_count(index)


def _update_copies(optimizer: Any, index: Hashable, weight: NDArray, grad: NDArray, state: Any, masters: bool) -> None:
    """Updates dense copies of a csr weight and its states, and stores them as csr again."""
    copies: list[tuple[NDArray, NDArray]] = []

    def plain(array: object) -> Any:
        if isinstance(array, list | tuple):
            return tuple(map(plain, array))
        if not isinstance(array, BaseSparseNDArray):
            return array
        copies.append((array, wrap(array._dense, array._ctx)))
        return copies[-1][1]

    optimizer._run([index], [plain(weight)], [wrap(grad._dense, grad._ctx)], [plain(state)], masters)
    for array, copy in copies:
        write(array, copy._data)


def as_whole(weight: NDArray) -> NDArray:
    """A weight as a dense array in its memory; a row-sparse one gets all of its rows first."""
    if not isinstance(weight, BaseSparseNDArray):
        return weight
    value = weight._value.sort()
    if value.indices.numel() < value.shape[0]:
        rows = torch.arange(value.shape[0], device=value.device)
        value = RowSparse(value.dense(), rows, value.shape)
    weight._value = value
    return wrap(value.data, weight._ctx)


def _update_rows(optimizer: Any, index: Any, weight: NDArray, grad: RowSparse, state: Any, masters: bool) -> None:
    rows = grad.indices
    picked: list[tuple[torch.Tensor, torch.Tensor]] = []

    def pick(array: Any) -> Any:
        if array is None:
            return None
        if isinstance(array, list | tuple):
            return tuple(map(pick, array))
        part = array._data.index_select(0, rows)
        picked.append((array._data, part))
        return wrap(part, array._ctx)

    optimizer._see_whole(index, weight._data)
    target, own = pick(weight), pick(state)
    optimizer._run([index], [target], [wrap(grad.data.clone(), weight._ctx)], [own], masters)
    for whole, part in picked:
        put_rows(whole, rows, part)
