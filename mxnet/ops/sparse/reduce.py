"""Sums, means and norms of sparse values, over their elements alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from ...error import MXNetTypeError, MXNetValueError
from ..reduce import reduced_axes
from ..sparse_values import CSR, RowSparse
from ..wide import SQUARES, in_float64, leaves
from .dispatch import add_kernel


def _csr_sum(value: CSR, axes: tuple[int, ...]) -> torch.Tensor:
    if len(axes) == 2:
        return value.data.sum(dtype=value.dtype)
    axis = 1 - axes[0]
    where = value.indices if axis else value.rows()
    return value.data.new_zeros(value.shape[axis]).index_add(0, where, value.data)


def _rows_sum(value: RowSparse, axes: tuple[int, ...]) -> torch.Tensor:
    made = value.data.sum(axes, dtype=value.dtype)
    if 0 in axes:
        return made
    rest = [n for i, n in enumerate(value.shape) if i not in axes]
    return value.data.new_zeros(rest).index_put((value.indices,), made)


def _sum(value: Any, axis: Any, keepdims: bool, exclude: bool = False) -> torch.Tensor:
    axes = tuple(reduced_axes(len(value.shape), axis, exclude))
    if not axes:
        return value.dense()
    made = _csr_sum(value, axes) if isinstance(value, CSR) else _rows_sum(value, axes)
    if keepdims:
        return made.reshape([1 if i in axes else n for i, n in enumerate(value.shape)])
    return made.reshape(1) if not made.dim() else made


def _mean(value: Any, *, axis: Any = None, keepdims: bool = False, exclude: bool = False) -> torch.Tensor:
    count = 1
    for i in reduced_axes(len(value.shape), axis, exclude):
        count *= value.shape[i]
    return (_sum(value, axis, keepdims, exclude) / count).to(value.dtype)


def _total(value: Any, *, axis: Any = None, keepdims: bool = False, exclude: bool = False) -> torch.Tensor:
    return _sum(value, axis, keepdims, exclude)


def _norm(value: Any, *, ord: int = 2, axis: Any = None, out_dtype: Any = None, keepdims: bool = False) -> torch.Tensor:
    if ord == 1:
        return _sum(value.with_data(value.data.abs()), axis, keepdims)
    squares = _sum(value.with_data(value.data.square()), axis, keepdims)
    if leaves(squares, SQUARES):
        return in_float64(lambda x: _sum(value.with_data(x.square()), axis, keepdims).sqrt(), value.data)
    return squares.sqrt()


def _norm_result(attrs: Any) -> str | None:
    return "default" if attrs["ord"] in (1, 2) and attrs["out_dtype"] is None else None


_FUNCTIONS: dict[str, tuple[Callable[..., torch.Tensor], Any]] = {
    "sum": (_total, "default"),
    "mean": (_mean, "default"),
    "norm": (_norm, _norm_result),
}
for _name, (_function, _result) in _FUNCTIONS.items():
    for _stype in ("csr", "row_sparse"):
        add_kernel(_name, (_stype,), _result, _function)


def _square_sum(value: RowSparse, *, axis: Any = None, keepdims: bool = False, exclude: bool = False) -> Any:
    axes = tuple(reduced_axes(len(value.shape), axis, exclude))
    squares = value.with_data(value.data.square())
    if axes == (1,) and keepdims and len(value.shape) == 2:
        source = (lambda rows: value.take(rows).square().sum(1, keepdim=True)) if value.learns_by_rows else None
        return RowSparse(squares.data.sum(1, keepdim=True), value.indices, (value.shape[0], 1), source=source)
    return _sum(squares, axis, keepdims, exclude)


def _square_sum_result(attrs: Any) -> str:
    if attrs["axis"] is None:
        raise MXNetValueError("_square_sum of a row_sparse array needs an axis, 0 or 1")
    return "row_sparse" if attrs["keepdims"] and tuple(attrs["axis"]) in ((1,), (-1,)) else "default"


def _refuse(stype: str, attrs: Any) -> str:
    raise MXNetTypeError(f"_square_sum takes a row_sparse array, got {stype}")


add_kernel("_square_sum", ("row_sparse",), _square_sum_result, _square_sum)
add_kernel("_square_sum", ("csr",), partial(_refuse, "csr"), _square_sum)
