"""Products with csr matrices, and rows of row-sparse weights."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import torch

from ... import native
from ..registry import get
from ..sparse_values import CSR, RowSparse, convert, dense, from_dense
from ..types import Ctx, Gradients
from .dispatch import add_kernel, by_rows, densify, storage

_KERNELS = {torch.float32: "csr_dot_float", torch.float64: "csr_dot_double"}
#: Without a kernel in C, so many elements are multiplied at a time.
_CHUNK = 1 << 16


def multiply(matrix: CSR, rhs: torch.Tensor) -> torch.Tensor:
    """``matrix @ rhs``, dense, without a place in a graph."""
    kernel = _KERNELS.get(rhs.dtype) if rhs.is_cpu and native.library() is not None else None
    out = rhs.new_empty((matrix.shape[0], rhs.shape[1]))
    if kernel is not None:
        count = native.threads(matrix.data.numel() * rhs.shape[1])
        run = getattr(native.kernels(), kernel)
        run(
            matrix.data.contiguous(),
            matrix.indices.contiguous(),
            matrix.indptr.contiguous(),
            rhs.contiguous(),
            out,
            *out.shape,
            count,
        )
        return out
    rows = matrix.rows()
    out.zero_()
    for at in range(0, rows.numel(), _CHUNK):
        part = slice(at, at + _CHUNK)
        out.index_add_(0, rows[part], rhs.index_select(0, matrix.indices[part]) * matrix.data[part, None])
    return out


def transpose(matrix: CSR) -> CSR:
    """The matrix with rows and columns exchanged."""
    columns, width = matrix.indices, matrix.shape[1]
    if columns.is_cpu and native.library() is not None:
        starts, order, rows = columns.new_empty(width + 1), torch.empty_like(columns), torch.empty_like(columns)
        native.kernels().csr_transpose(
            columns.contiguous(), matrix.indptr.contiguous(), *matrix.shape, starts, order, rows
        )
    else:
        order = torch.argsort(columns, stable=True)
        rows = matrix.rows()[order]
        starts = columns.new_zeros(width + 1)
        torch.cumsum(torch.bincount(columns, minlength=width), 0, out=starts[1:])
    return CSR(matrix.data[order], rows, (width, matrix.shape[0]), starts)


def _used_rows(matrix: CSR) -> tuple[CSR, torch.Tensor]:
    """The matrix without its empty rows, and the numbers of those that are left."""
    used = matrix.indptr.diff().nonzero().view(-1)
    starts = torch.cat([matrix.indptr[used], matrix.indptr[-1:]])
    return CSR(matrix.data, matrix.indices, (used.numel(), matrix.shape[1]), starts), used


class _Product(torch.autograd.Function):
    """csr . dense. A variable that is multiplied gets a gradient of the rows that the matrix has columns for."""

    @staticmethod
    def forward(ctx: Ctx, data: torch.Tensor, rhs: torch.Tensor, matrix: CSR, sparse: bool) -> torch.Tensor:
        ctx.matrix, ctx.sparse = matrix.with_data(data.detach()), sparse
        ctx.save_for_backward(rhs)
        return multiply(ctx.matrix, rhs.detach())

    @staticmethod
    def backward(ctx: Ctx, grad: torch.Tensor) -> Gradients:  # type: ignore[override]
        matrix, (rhs,) = ctx.matrix, ctx.saved_tensors
        by_data = by_rhs = None
        if ctx.needs_input_grad[0]:
            by_data = (grad.index_select(0, matrix.rows()) * rhs.index_select(0, matrix.indices)).sum(1)
        if ctx.needs_input_grad[1]:
            across = transpose(matrix)
            if ctx.sparse:
                packed, used = _used_rows(across)
                by_rhs = torch.sparse_coo_tensor(
                    used.unsqueeze(0), multiply(packed, grad), rhs.shape, is_coalesced=True, check_invariants=False
                )
            else:
                by_rhs = multiply(across, grad)
        return by_data, by_rhs, None, None


class _LeftGradient(torch.autograd.Function):
    """A plain product, with the gradient of its left factor, which has elements that are not stored, too."""

    @staticmethod
    def forward(ctx: Ctx, made: torch.Tensor, whole: torch.Tensor, rhs: torch.Tensor, across: bool) -> torch.Tensor:
        ctx.rhs, ctx.across = rhs, across
        return made.view_as(made)

    @staticmethod
    def backward(ctx: Ctx, grad: torch.Tensor) -> Gradients:  # type: ignore[override]
        left, right = grad.flatten(1), ctx.rhs.flatten(1)
        return grad, (right @ left.t() if ctx.across else left @ right.t()), None, None


def _product(matrix: CSR, rhs: torch.Tensor) -> torch.Tensor:
    if not torch.is_grad_enabled() or not (rhs.requires_grad or matrix.requires_grad):
        return multiply(matrix, rhs)
    return _Product.apply(matrix.data, rhs, matrix, rhs.is_leaf)


def _check(inner: int, other: int, lhs: Any, rhs: Any) -> None:
    if lhs.dtype is not rhs.dtype:
        raise TypeError("both inputs must have the same dtype; convert one of them with astype()")
    if inner != other:
        raise ValueError(f"the summed axes must have equal sizes, got {inner} in lhs and {other} in rhs")


def _csr_result(attrs: Any) -> str | None:
    if attrs["transpose_b"]:
        return None
    if attrs["transpose_a"]:
        return attrs["forward_stype"] or "row_sparse"
    return attrs["forward_stype"] or "default"


@storage("dot", "csr", "default", result=_csr_result)
@storage("dot", "csr", "row_sparse", result=_csr_result)
@by_rows
def csr_dot(
    lhs: CSR,
    rhs: Any,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: str | None = None,
) -> Any:
    """A csr matrix times a dense or row-sparse one; of the transposed matrix only rows with elements are computed."""
    _check(lhs.shape[0 if transpose_a else 1], rhs.shape[0], lhs, rhs)
    rest = tuple(rhs.shape[1:])
    if lhs.learns:
        if (forward_stype or ("row_sparse" if transpose_a else "default")) != "default":
            lhs = lhs.expand()
        else:
            made = csr_dot(lhs.with_data(lhs.data.detach()), rhs, transpose_a=transpose_a, forward_stype="default")
            return _LeftGradient.apply(made, lhs.whole, dense(rhs).detach(), transpose_a)
    if isinstance(rhs, RowSparse):
        lhs, rhs = (_rows_present if transpose_a else _columns_present)(lhs, rhs)
    # a variable itself, not a view of it, so that it is known as one and gets a gradient of few rows
    wide = rhs if rhs.dim() == 2 else rhs.reshape(rhs.shape[0], math.prod(rest))
    if not transpose_a:
        made = _product(lhs, wide).reshape(lhs.shape[0], *rest)
        return made if forward_stype in (None, "default") else from_dense(made, forward_stype)
    across = transpose(lhs)
    if forward_stype in ("default", "csr"):
        made = _product(across, wide).reshape(across.shape[0], *rest)
        return made if forward_stype == "default" else from_dense(made, "csr")
    packed, used = _used_rows(across)
    return RowSparse(_product(packed, wide).reshape(used.numel(), *rest), used, (lhs.shape[1], *rest))


def _columns_present(lhs: CSR, rhs: RowSparse) -> tuple[CSR, torch.Tensor]:
    """The matrix with the columns that a row-sparse factor has rows for, and those rows."""
    if rhs.learns_by_rows:
        used, place = torch.unique(lhs.indices, return_inverse=True)
        return CSR(lhs.data, place, (lhs.shape[0], used.numel()), lhs.indptr), rhs.take(used)
    rhs = rhs.sort()
    if rhs.indices.numel() == rhs.shape[0]:
        return lhs, rhs.data
    place, there = rhs.find(lhs.indices)
    starts = torch.cat([lhs.indptr.new_zeros(1), there.cumsum(0)])[lhs.indptr]
    return CSR(lhs.data[there], place[there], (lhs.shape[0], rhs.indices.numel()), starts), rhs.data


def _rows_present(lhs: CSR, rhs: RowSparse) -> tuple[CSR, torch.Tensor]:
    if rhs.learns_by_rows:
        packed, used = _used_rows(lhs)
        return packed, rhs.take(used)
    rhs = rhs.sort()
    return take_rows(lhs, rhs.indices), rhs.data


def take_rows(matrix: CSR, rows: torch.Tensor) -> CSR:
    """The rows with these numbers, as a matrix."""
    counts = matrix.indptr.diff()[rows]
    indptr = torch.cat([counts.new_zeros(1), counts.cumsum(0)])
    total = int(indptr[-1])
    first = torch.repeat_interleave(matrix.indptr[rows] - indptr[:-1], counts, output_size=total)
    where = first + torch.arange(total, device=rows.device)
    return CSR(matrix.data[where], matrix.indices[where], (rows.numel(), matrix.shape[1]), indptr)


def _right_result(attrs: Any) -> str | None:
    return None if attrs["transpose_a"] else attrs["forward_stype"] or "csr"


@storage("dot", "default", "csr", result=_right_result)
def dot_csr(
    lhs: torch.Tensor,
    rhs: CSR,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: str | None = None,
) -> Any:
    """A dense matrix times a csr one; the original gives the result as csr unless told otherwise."""
    _check(lhs.shape[-1], rhs.shape[1 if transpose_b else 0], lhs, rhs)
    if lhs.dim() != 2:
        raise ValueError(f"a matrix is expected beside a csr one, got shape {tuple(lhs.shape)}")
    matrix = rhs if transpose_b else transpose(rhs)
    made = _product(matrix, lhs.t().contiguous()).t().contiguous()
    return convert(made, forward_stype or "csr")


# ---- dense layers ----------------------------------------------------------------------------------------------------


def _connect(data: Any, weight: Any, bias: Any, **attrs: Any) -> torch.Tensor:
    """A layer with sparse arrays, on dense copies. Its bias may be a column, as in the original."""
    op = get("FullyConnected")
    data, weight, bias = densify(op, (data, weight, bias), attrs)
    return op.kernel(data, weight, bias.reshape(-1) if bias.shape == (attrs["num_hidden"], 1) else bias, **attrs)


for _stypes in product(("default", "csr", "row_sparse"), repeat=3):
    if set(_stypes) != {"default"}:
        add_kernel("FullyConnected", _stypes, "default", _connect)


# ---- rows of a weight ------------------------------------------------------------------------------------------------


@by_rows
def _embed(data: torch.Tensor, weight: RowSparse, **attrs: Any) -> torch.Tensor:
    """Rows of a row-sparse weight; zeros for those it does not have."""
    rows = data.to(torch.int64).reshape(-1)
    count = weight.shape[0]
    if rows.numel():
        low, high = (int(v) for v in rows.aminmax())
        if low < 0 or high >= count:
            raise ValueError(f"index {low if low < 0 else high} is out of range: the weight has {count} rows")
    return weight.take(rows).reshape(*data.shape, *weight.shape[1:])


for _name in ("Embedding", "_contrib_SparseEmbedding"):
    add_kernel(_name, ("default", "row_sparse"), "default", _embed)
