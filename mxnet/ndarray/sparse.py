"""``mx.nd.sparse``: csr matrices and row-sparse arrays, how to make them, and the operators that know them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from .._core.dtypes import torch_dtype
from .._core.memory import expose
from .._core.types import DType, ShapeLike
from ..base import NotSupportedForSparseNDArray, c_array_buf, check_call, numeric_types  # noqa: F401  (as in the original)
from ..context import Context, as_context, current_context  # noqa: F401
from ..error import MXNetAssertionError, MXNetTypeError, MXNetValueError
from ..ops.registry import get
from ..ops.sparse import CSR, OPERATORS, RowSparse, from_dense, zeros as zero_value
from .creation import array as dense_array, zeros as dense_zeros
from .gate import invoke
from .ndarray import NDArray
from .sparse_array import BaseSparseNDArray, CSRNDArray, RowSparseNDArray, wrap_any, wrap_value

if TYPE_CHECKING:  # what is made of operators
    from .derived_sparse import *  # noqa: F403

_STORAGE_AUX_TYPES = {"row_sparse": [np.int64], "csr": [np.int64, np.int64]}

__all__ = [
    "BaseSparseNDArray",
    "CSRNDArray",
    "RowSparseNDArray",
    "add",
    "array",
    "csr_matrix",
    "divide",
    "empty",
    "multiply",
    "row_sparse_array",
    "subtract",
    "zeros",
    *sorted(OPERATORS),
]


def csr_matrix(arg1: Any, shape: Any = None, ctx: Any = None, dtype: Any = None) -> CSRNDArray:
    """A csr matrix, from one of

    - a dense array, or nested lists: ``csr_matrix(D)``
    - a csr matrix, ours or SciPy's: ``csr_matrix(S)``
    - a shape, without elements: ``csr_matrix((M, N))``
    - its parts: ``csr_matrix((data, indices, indptr))``
    - elements with their places: ``csr_matrix((data, (row, column)))``; those at one place are summed

    ``dtype`` is that of the source, float32 for lists.
    """
    context = as_context(ctx)
    if isinstance(arg1, tuple):
        value = _csr_of_tuple(arg1, shape, dtype)
    elif isinstance(arg1, RowSparseNDArray):
        raise MXNetValueError("Unexpected input type: RowSparseNDArray")
    elif isinstance(arg1, CSRNDArray):
        value = arg1.astype(arg1.dtype if dtype is None else dtype)._value  # type: ignore[attr-defined]
    elif hasattr(arg1, "tocsr"):
        value = _of_scipy(arg1, dtype)
    else:
        tensor = _dense(arg1, dtype)
        if tensor.dim() != 2:
            raise MXNetValueError(
                f"To convert to a CSR, the NDArray should be 2 Dimensional. Current shape is {tuple(tensor.shape)}"
            )
        value = from_dense(tensor, "csr")
    return _build(value, shape, context)


def row_sparse_array(arg1: Any, shape: Any = None, ctx: Any = None, dtype: Any = None) -> RowSparseNDArray:
    """A row-sparse array, from a dense or a row-sparse one, a shape ``(D0, D1, ...)``, or ``(data, indices)``.

    ``dtype`` is that of the source, float32 for lists.
    """
    context = as_context(ctx)
    if isinstance(arg1, tuple):
        if len(arg1) < 2:
            raise MXNetValueError(f"Unexpected length of input tuple: {len(arg1)}")
        if all(isinstance(n, int | np.integer) for n in arg1):
            value = zero_value("row_sparse", _shape(arg1), torch_dtype(dtype or "float32"))
        elif len(arg1) == 2:
            value = _rows_of(*arg1, shape, dtype)
        else:
            raise MXNetValueError(f"Unexpected length of input tuple: {len(arg1)}")
    elif isinstance(arg1, CSRNDArray):
        raise MXNetValueError("Unexpected input type: CSRNDArray")
    elif isinstance(arg1, RowSparseNDArray):
        value = arg1.astype(arg1.dtype if dtype is None else dtype)._value  # type: ignore[attr-defined]
    else:
        tensor = _dense(arg1, dtype)
        if not tensor.dim():
            raise MXNetValueError("a row-sparse array has at least one dimension")
        value = from_dense(tensor, "row_sparse")
    return _build(value, shape, context)


def _build(value: Any, shape: Any, context: Context) -> Any:
    if shape is not None and tuple(shape) != tuple(value.shape):
        raise MXNetValueError(f"Shape mismatch detected. {tuple(value.shape)} v.s. {tuple(shape)}")
    if value.stype == "csr" and 0 in value.shape:
        raise MXNetValueError(f"a csr matrix needs rows and columns, the shape is {tuple(value.shape)}")
    device = context.torch_device
    wrong = value.misfit()
    if wrong is not None:
        raise MXNetValueError(f"{value.stype}: {wrong}")
    return wrap_value(value.map(lambda part: part.to(device)), context, checked=False)


def _shape(shape: Any) -> tuple[int, ...]:
    try:
        size = tuple(operator.index(n) for n in shape)
    except TypeError:
        raise MXNetTypeError(f"a shape is a tuple of integers, got {shape!r}") from None
    if any(n < 0 for n in size):
        raise MXNetValueError(f"the shape {size} has a negative dimension")
    return size


def _dense(source: Any, dtype: Any) -> torch.Tensor:
    """A dense source as a tensor of its own."""
    if hasattr(source, "tocoo"):
        raise MXNetTypeError("source_array must be array like object; convert the matrix with tocsr()")
    kind = getattr(source, "dtype", None) if dtype is None else dtype
    return dense_array(source, dtype=kind)._data


def _index(source: Any, what: str) -> torch.Tensor:
    tensor = _dense(source, None if hasattr(source, "dtype") else "float64")
    if tensor.dtype is torch.bool or tensor.dim() != 1:
        raise MXNetValueError(f"{what} must be a vector of integers, it has shape {tuple(tensor.shape)}")
    whole = tensor.to(torch.int64)
    if tensor.is_floating_point() and not torch.equal(whole.to(tensor.dtype), tensor):
        raise MXNetValueError(f"{what} must be integers")
    return whole


def _csr_of_tuple(parts: tuple, shape: ShapeLike, dtype: DType) -> CSR:
    if len(parts) == 2 and all(isinstance(n, int | np.integer) for n in parts):
        return zero_value("csr", _shape(parts), torch_dtype(dtype or "float32"))
    if len(parts) == 2 and isinstance(parts[1], tuple) and len(parts[1]) == 2:
        return _of_coordinates(parts[0], *parts[1], shape, dtype)
    if len(parts) != 3:
        raise MXNetValueError(
            f"a csr matrix is made of (data, indices, indptr), (data, (row, column)) or a shape; got {len(parts)} parts"
        )
    data, columns, starts = _dense(parts[0], dtype), _index(parts[1], "indices"), _index(parts[2], "indptr")
    if shape is None:
        width = int(columns.max()) + 1 if columns.numel() else 0
        shape = (max(starts.numel() - 1, 0), width)
    return CSR(data, columns, _shape(shape), starts)


def _of_coordinates(data: object, rows: object, columns: object, shape: ShapeLike, dtype: DType) -> CSR:
    kind = dtype or getattr(data, "dtype", np.asarray(data).dtype)
    values, row, column = _dense(data, kind), _index(rows, "row"), _index(columns, "column")
    if not values.numel() == row.numel() == column.numel() or values.dim() != 1:
        raise MXNetValueError(f"{values.numel()} element(s) with {row.numel()} rows and {column.numel()} columns")
    if shape is None:
        if not row.numel():
            raise MXNetValueError("without elements, the shape must be given")
        shape = (int(row.max()) + 1, int(column.max()) + 1)
    size = _shape(shape)
    for what, index, count in (("row", row, size[0]), ("column", column, size[1])):
        if index.numel() and (int(index.min()) < 0 or int(index.max()) >= count):
            raise MXNetValueError(f"{what} indices must be from 0 to {count - 1}")
    keys, where = torch.unique(row * size[1] + column, return_inverse=True)
    summed = values.new_zeros(keys.numel()).index_add_(0, where, values)
    line = torch.div(keys, size[1], rounding_mode="floor")
    starts = torch.zeros(size[0] + 1, dtype=torch.int64)
    torch.cumsum(torch.bincount(line, minlength=size[0]), 0, out=starts[1:])
    return CSR(summed, keys - line * size[1], size, starts)


def _of_scipy(matrix: Any, dtype: Any) -> CSR:
    if getattr(matrix, "format", None) != "csr":
        raise MXNetTypeError("source_array must be array like object, or a csr matrix: convert it with tocsr()")
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    data = _dense(np.asarray(matrix.data), dtype)
    index = (torch.from_numpy(np.array(part, dtype=np.int64)) for part in (matrix.indices, matrix.indptr))
    columns, starts = index
    return CSR(data, columns, tuple(matrix.shape), starts)


def _rows_of(data: object, rows: object, shape: ShapeLike, dtype: DType) -> RowSparse:
    values, index = _dense(data, dtype), _index(rows, "indices")
    if not values.dim():
        raise MXNetValueError("data of a row-sparse array has at least one dimension")
    if shape is None:
        shape = (int(index.max()) + 1 if index.numel() else 0, *values.shape[1:])
    size = _shape(shape)
    if len(size) != values.dim():
        raise MXNetValueError(f"invalid shape {size}: data has {values.dim()} dimension(s)")
    return RowSparse(values, index, size)


def zeros(stype: str, shape: ShapeLike, ctx: Context | None = None, dtype: Any = None, **kwargs: Any) -> Any:
    """An array of a storage type without elements: zeros."""
    if stype == "default":
        return dense_zeros(shape, ctx, dtype, **kwargs)
    if stype not in ("csr", "row_sparse"):
        raise MXNetValueError(f"unknown storage type {stype!r}: it is 'default', 'csr' or 'row_sparse'")
    context = as_context(ctx)
    size = _shape(shape)
    if 0 in size and stype == "csr":
        raise MXNetValueError(f"a csr matrix needs rows and columns, the shape is {size}")
    try:
        value = zero_value(stype, size, torch_dtype(dtype or "float32"), context.torch_device)
    except ValueError as error:
        raise MXNetValueError(f"zeros: {error}") from None
    return wrap_any(value, context)


def empty(stype: str, shape: ShapeLike, ctx: Any = None, dtype: Any = None) -> Any:
    """An array of a sparse storage type without elements."""
    if stype not in ("csr", "row_sparse"):
        raise MXNetValueError(f"unknown stype : {stype}; it is 'csr' or 'row_sparse'")
    return zeros(stype, shape, ctx, dtype)


def array(source_array: Any, ctx: Any = None, dtype: Any = None) -> Any:
    """A sparse array with a copy of a sparse array or of SciPy's csr matrix."""
    if isinstance(source_array, BaseSparseNDArray):
        context = as_context(ctx)
        made = source_array.astype(source_array.dtype if dtype is None else dtype)
        return made.as_in_context(context)  # type: ignore[return-value]
    if isinstance(source_array, NDArray):
        raise MXNetAssertionError("Please use `tostype` to create RowSparseNDArray or CSRNDArray from an NDArray")
    if hasattr(source_array, "tocsr"):
        return csr_matrix(source_array, ctx=ctx, dtype=dtype)
    raise MXNetValueError(f"Please use mx.nd.array to create an NDArray with source_array of type {type(source_array)}")


def from_torch(tensor: torch.Tensor) -> BaseSparseNDArray:
    """A torch tensor of the layout sparse_csr, or sparse_coo with one sparse dimension, as an array in its memory."""
    context = Context("gpu", tensor.device.index or 0) if tensor.is_cuda else Context("cpu")
    if tensor.layout is torch.sparse_csr and tensor.dim() == 2:
        index = (part.to(torch.int64) for part in (tensor.col_indices(), tensor.crow_indices()))
        columns, starts = index
        return _build(CSR(expose(tensor.values().detach()), columns, tuple(tensor.shape), starts), None, context)
    if tensor.layout is torch.sparse_coo and tensor.sparse_dim() == 1:
        summed = tensor.detach().coalesce()
        return _build(RowSparse(expose(summed.values()), summed.indices()[0], tuple(tensor.shape)), None, context)
    raise MXNetTypeError(
        f"from_torch takes tensors of the layouts strided, sparse_csr and sparse_coo, got {tensor.layout}"
    )


# ---- arithmetic ------------------------------------------------------------------------------------------------------


def _arithmetic(name: str, elementwise: str, broadcast: str, scalar: str, reflected: str) -> Callable[[Any, Any], Any]:
    def function(lhs: object, rhs: object) -> Any:
        if isinstance(lhs, NDArray) and isinstance(rhs, NDArray):
            return invoke(get(elementwise if lhs.shape == rhs.shape else broadcast), (lhs, rhs), {})
        if isinstance(lhs, NDArray):
            return invoke(get(scalar), (lhs,), {"scalar": rhs})
        if isinstance(rhs, NDArray):
            return invoke(get(reflected), (rhs,), {"scalar": lhs})
        raise MXNetTypeError(f"{name} takes an array and an array or a number, got {type(lhs)} and {type(rhs)}")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"The operator ``{elementwise}`` for arrays of one shape, else ``{broadcast}``; or with a number."
    )
    return function


add = _arithmetic("add", "elemwise_add", "broadcast_add", "_plus_scalar", "_plus_scalar")
subtract = _arithmetic("subtract", "elemwise_sub", "broadcast_sub", "_minus_scalar", "_rminus_scalar")
multiply = _arithmetic("multiply", "elemwise_mul", "broadcast_mul", "_mul_scalar", "_mul_scalar")
divide = _arithmetic("divide", "elemwise_div", "broadcast_div", "_div_scalar", "_rdiv_scalar")


def __getattr__(name: str) -> Any:
    if name == "gs_retain":  # as the original's own module calls it
        name = "retain"
    if name in OPERATORS:
        from . import _internal, op

        for module, known in ((op, name), (_internal, name), (_internal, f"_sparse_{name}")):
            if hasattr(module, known):
                return getattr(module, known)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
