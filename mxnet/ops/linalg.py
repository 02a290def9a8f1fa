"""Linear algebra: dot, batch_dot, khatri_rao and the linalg family.

The linalg operators work on the last two dimensions; all dimensions before them are a batch.
"""

import math
from collections.abc import Callable
from typing import Literal

import torch

from ..base import numpy_mode
from .infer import UNKNOWN, Shape, same_shapes, unify
from .products import mm
from .registry import OpDef, op
from .sparse_values import from_dense
from .support import without_data
from .types import Attrs, Ctx, Shapes

_FLOATS = (torch.float32, torch.float64)
_StorageType = Literal["csr", "default", "row_sparse"]


def _check_dtypes(*inputs: torch.Tensor) -> None:
    """The linalg family is for float32 and float64, and does not convert."""
    dtype = inputs[0].dtype
    if dtype not in _FLOATS:
        raise TypeError("only float32 and float64 are supported; convert the input with astype()")
    if any(t.dtype is not dtype for t in inputs):
        raise TypeError("all inputs must have the same dtype; convert one of them with astype()")


def _check_product(lhs: torch.Tensor, rhs: torch.Tensor) -> None:
    if lhs.dtype is not rhs.dtype:
        raise TypeError("both inputs must have the same dtype; convert one of them with astype()")
    if not lhs.is_floating_point():
        raise TypeError("only floating types are supported; convert the inputs with astype('float32')")


def _check_matrices(a: torch.Tensor, square: bool = True) -> None:
    _check_dtypes(a)
    if a.dim() < 2:
        raise ValueError("the input needs at least 2 dimensions")
    if square and a.shape[-1] != a.shape[-2]:
        raise ValueError("the last two dimensions must be equal: square matrices are expected")


def scalars(values: torch.Tensor, matrices: torch.Tensor) -> torch.Tensor:
    """One number per matrix; a single matrix gives an array of shape (1,) where there are no 0-d arrays."""
    return values.reshape(1) if matrices.dim() == 2 and not numpy_mode.shape else values


# ---- products --------------------------------------------------------------------------------------------------------


@op("dot")
def dot(
    lhs: torch.Tensor,
    rhs: torch.Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: _StorageType | None = None,
) -> torch.Tensor:
    """The product of two arrays: the sum over the last axis of ``lhs`` and the first axis of ``rhs``.

    Two vectors give their inner product, with shape (1,). ``transpose_a`` moves the first axis of ``lhs`` to the end,
    ``transpose_b`` the last axis of ``rhs`` to the front. ``forward_stype`` is the storage type of the result.
    """
    if forward_stype not in (None, "default") and not lhs.is_meta:
        return from_dense(dot.kernel(lhs, rhs, transpose_a=transpose_a, transpose_b=transpose_b), forward_stype)
    left, right = lhs.dim(), rhs.dim()
    if left == 2 and right == 2 and lhs.is_floating_point() and not lhs.is_meta:
        try:
            return mm(lhs.t() if transpose_a else lhs, rhs.t() if transpose_b else rhs)
        except RuntimeError:
            pass  # what follows says what is wrong
    _check_product(lhs, rhs)
    if not left or not right:
        raise ValueError("both inputs need at least 1 dimension")
    if left == 1 and right == 1 and (transpose_a or transpose_b):
        raise ValueError("two vectors cannot be transposed")
    at, bt = transpose_a and left > 1, transpose_b and right > 1
    inner, other = lhs.shape[0 if at else -1], rhs.shape[-1 if bt else 0]
    if inner != other:
        raise ValueError(_mismatch(inner, other))
    rows, columns = lhs.shape[1:] if at else lhs.shape[:-1], rhs.shape[:-1] if bt else rhs.shape[1:]
    if lhs.is_meta:
        return lhs.new_empty((*rows, *columns) or (1,))
    m, n = math.prod(rows), math.prod(columns)
    a = lhs.reshape(inner, m).t() if at else lhs.reshape(m, inner)
    b = rhs.reshape(n, inner).t() if bt else rhs.reshape(inner, n)
    return mm(a, b).reshape((*rows, *columns) or (1,))


def _mismatch(left: int, right: int) -> str:
    return f"the summed axes must have equal sizes, got {left} in lhs and {right} in rhs"


@dot.infer_args
def _dot_args(shapes: Shapes, attrs: Attrs) -> None:
    lhs, rhs = shapes["lhs"], shapes["rhs"]
    if lhs and rhs:
        i = 0 if attrs["transpose_a"] and len(lhs) > 1 else len(lhs) - 1
        j = len(rhs) - 1 if attrs["transpose_b"] and len(rhs) > 1 else 0
        shapes["lhs"], shapes["rhs"] = same_dimension(lhs, i, rhs, j)


def same_dimension(a: Shape, i: int, b: Shape, j: int) -> tuple[Shape, Shape]:
    """Both shapes, with an unknown dimension ``a[i]`` or ``b[j]`` taken from the other."""
    if a[i] == UNKNOWN:
        a = (*a[:i], b[j], *a[i + 1 :])
    elif b[j] == UNKNOWN:
        b = (*b[:j], a[i], *b[j + 1 :])
    return a, b


@op("batch_dot")
def batch_dot(
    lhs: torch.Tensor,
    rhs: torch.Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: _StorageType | None = None,
) -> torch.Tensor:
    """Matrix products of two batches: ``lhs`` (..., m, k) and ``rhs`` (..., k, n) give (..., m, n).

    All dimensions but the last two must be equal. ``transpose_a`` and ``transpose_b`` swap the last two first.
    """
    _check_product(lhs, rhs)
    if lhs.dim() < 3 or lhs.dim() != rhs.dim():
        raise ValueError("both inputs need the same number of dimensions, at least 3")
    a = lhs.mT if transpose_a else lhs
    b = rhs.mT if transpose_b else rhs
    if a.shape[:-2] != b.shape[:-2]:
        raise ValueError("all dimensions but the last two must be equal in both inputs")
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(_mismatch(a.shape[-1], b.shape[-2]))
    if a.is_meta:
        return a.new_empty((*a.shape[:-1], b.shape[-1]))
    return torch.bmm(a, b) if a.dim() == 3 else torch.matmul(a, b)


def _joint_dimensions(lhs: Shape, rhs: Shape, attrs: Attrs) -> tuple[int, int]:
    """The dimensions that a product sums over."""
    return lhs[-2 if attrs["transpose_a"] else -1], rhs[-1 if attrs["transpose_b"] else -2]


@batch_dot.infer_args
def _batch_dot_args(shapes: Shapes, attrs: Attrs) -> None:
    lhs, rhs = shapes["lhs"], shapes["rhs"]
    if lhs and rhs and len(lhs) == len(rhs) >= 3 and UNKNOWN not in _joint_dimensions(lhs, rhs, attrs):
        batch = unify(lhs[:-2], rhs[:-2], "the batch dimensions of lhs and rhs") or ()
        shapes["lhs"], shapes["rhs"] = (*batch, *lhs[-2:]), (*batch, *rhs[-2:])


@batch_dot.infer_shape
def _batch_dot_shape(shapes: dict[str, Shape], attrs: Attrs) -> list[Shape | None]:
    lhs, rhs = shapes["lhs"], shapes["rhs"]
    if len(lhs) < 3 or len(lhs) != len(rhs):
        raise ValueError("both inputs need the same number of dimensions, at least 3")
    k, other = _joint_dimensions(lhs, rhs, attrs)
    if UNKNOWN in (k, other):  # as in MXNet, which tells nothing until it knows what is summed over
        return [None]
    if k != other:
        raise ValueError(_mismatch(k, other))
    batch = unify(lhs[:-2], rhs[:-2], "the batch dimensions of lhs and rhs") or ()
    return [(*batch, lhs[-1 if attrs["transpose_a"] else -2], rhs[-2 if attrs["transpose_b"] else -1])]


def _gemm(
    a: torch.Tensor,
    b: torch.Tensor,
    c: torch.Tensor | None,
    transpose_a: bool,
    transpose_b: bool,
    alpha: float,
    beta: float,
    axis: int,
) -> torch.Tensor:
    """``alpha * op(a) op(b) + beta * c``; the rows of the matrices are in dimension ``axis``."""
    given: tuple[torch.Tensor, ...] = (a, b) if c is None else (a, b, c)
    _check_dtypes(*given)
    dims = a.dim()
    if dims < 2 or any(t.dim() != dims for t in given):
        raise ValueError("all inputs need the same number of dimensions, at least 2")
    row = axis + dims if axis < 0 else axis
    if not 0 <= row < dims - 1:
        raise ValueError(f"axis {axis} is out of range: rows can be in any dimension of {dims} but the last")
    moved = row != dims - 2
    if moved:
        given = tuple(t.movedim(row, -2) for t in given)
    a, b = given[0].mT if transpose_a else given[0], given[1].mT if transpose_b else given[1]
    if a.shape[:-2] != b.shape[:-2]:
        raise ValueError("all inputs must have the same shape, except for rows and columns")
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"the matrices do not fit: {a.shape[-1]} columns in A, {b.shape[-2]} rows in B")
    shape = (*a.shape[:-1], b.shape[-1])
    if c is not None and given[2].shape != shape:
        expected = list(shape)
        expected.insert(row, expected.pop(-2))
        raise ValueError(f"input 'C' has shape {tuple(c.shape)}, expected {tuple(expected)}")
    if a.is_meta:
        result = without_data(a, shape)
    elif c is None and (alpha == 1 or not a.numel() or not b.numel()):
        result = mm(a, b) if a.dim() == 2 else torch.matmul(a, b)
    else:
        # With beta 0 the summand is never read, so its one element need not be set.
        summand = a.new_empty((1, 1, 1)) if c is None else given[2].reshape(-1, *shape[-2:])
        left, right = a.reshape(-1, *a.shape[-2:]), b.reshape(-1, *b.shape[-2:])
        result = torch.baddbmm(summand, left, right, beta=beta, alpha=alpha).reshape(shape)
    return result.movedim(-2, row).contiguous() if moved else result


@op("_linalg_gemm", aliases=("linalg_gemm",))
def gemm(
    A: torch.Tensor,
    B: torch.Tensor,
    C: torch.Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    axis: int = -2,
) -> torch.Tensor:
    """Matrix product and sum: ``alpha * op(A) op(B) + beta * C``, where ``op`` transposes if told to.

    All dimensions but rows and columns are a batch. Columns are the last dimension, rows the dimension ``axis``.
    """
    return _gemm(A, B, C, transpose_a, transpose_b, alpha, beta, axis)


@gemm.infer_args
def _gemm_args(shapes: Shapes, attrs: Attrs) -> None:
    a, b = shapes["A"], shapes["B"]
    if a is None or b is None or len(a) != len(b) or len(a) < 2:
        return
    row = attrs["axis"] + len(a) if attrs["axis"] < 0 else attrs["axis"]
    if 0 <= row < len(a) - 1:
        result = list(a)
        result[row] = a[-1] if attrs["transpose_a"] else a[row]
        result[-1] = b[row] if attrs["transpose_b"] else b[-1]
        shapes["C"] = unify(tuple(result), shapes["C"], "linalg.gemm: input 'C'")


@op("_linalg_gemm2", aliases=("linalg_gemm2",))
def gemm2(
    A: torch.Tensor,
    B: torch.Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
) -> torch.Tensor:
    """Matrix product ``alpha * op(A) op(B)``, where ``op`` transposes if told to.

    All dimensions but rows and columns are a batch. Columns are the last dimension, rows the dimension ``axis``.
    """
    return _gemm(A, B, None, transpose_a, transpose_b, alpha, 0.0, axis)


@op("_linalg_syrk", aliases=("linalg_syrk",))
def syrk(A: torch.Tensor, *, transpose: bool = False, alpha: float = 1.0) -> torch.Tensor:
    """The product of matrices with their transpose: ``alpha * A Aᵀ``, or ``alpha * Aᵀ A`` with ``transpose``."""
    _check_matrices(A, square=False)
    return _gemm(A, A, None, transpose, not transpose, alpha, 0.0, -2)


@op("khatri_rao", count="num_args")
def khatri_rao(*args: torch.Tensor, num_args: int) -> torch.Tensor:
    """The Khatri-Rao product: each column of the result is the Kronecker product of the inputs' columns.

    The inputs are matrices with equal numbers of columns.
    """
    if not args:
        raise ValueError("at least one matrix is needed")
    _check_dtypes(*args)
    if any(m.dim() != 2 or m.shape[1] != args[0].shape[-1] for m in args):
        raise ValueError("all inputs must be matrices with the same number of columns")
    if args[0].is_meta:
        return without_data(args[0], (math.prod(m.shape[0] for m in args), args[0].shape[1]))
    result = args[0].clone() if len(args) == 1 else args[0]
    for matrix in args[1:]:
        result = (result.unsqueeze(1) * matrix).flatten(0, 1)
    return result


# ---- triangular matrices ---------------------------------------------------------------------------------------------


def _triangular(name: str, function: Callable[..., torch.Tensor], doc: str) -> OpDef:
    """An operator on triangular matrices A and matrices B: ``function(A, B, lower, left)``."""

    @op(f"_linalg_{name}", aliases=(f"linalg_{name}",), doc=doc)
    def opdef(
        A: torch.Tensor,
        B: torch.Tensor,
        *,
        transpose: bool = False,
        rightside: bool = False,
        lower: bool = True,
        alpha: float = 1.0,
    ) -> torch.Tensor:
        _check_matrices(A)
        _check_dtypes(A, B)
        if A.dim() != B.dim():
            raise ValueError("both inputs need the same number of dimensions")
        if A.shape[:-2] != B.shape[:-2]:
            raise ValueError("all dimensions but the last two must be equal in both inputs")
        if A.shape[-1] != B.shape[-1 if rightside else -2]:
            raise ValueError(f"the matrices do not fit: B needs {A.shape[-1]} {'columns' if rightside else 'rows'}")
        if B.is_meta:
            return without_data(B)
        scaled = B if alpha == 1 else B * alpha
        return function(A.mT if transpose else A, scaled, lower != transpose, not rightside)

    @opdef.infer_back
    def _(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
        shapes["B"] = b = unify(shapes["B"], outputs[0], f"_linalg_{name}: input 'B'")
        if b is not None and outputs[0] is not None and len(b) >= 2:
            size = b[-1] if attrs["rightside"] else b[-2]
            shapes["A"] = unify(shapes["A"], (*b[:-2], size, size), f"_linalg_{name}: input 'A'")

    return opdef


def _multiply(a: torch.Tensor, b: torch.Tensor, lower: bool, left: bool) -> torch.Tensor:
    triangle = a.tril() if lower else a.triu()
    return torch.matmul(triangle, b) if left else torch.matmul(b, triangle)


def _solve(a: torch.Tensor, b: torch.Tensor, lower: bool, left: bool) -> torch.Tensor:
    return torch.linalg.solve_triangular(a, b, upper=not lower, left=left)


_triangular(
    "trmm",
    _multiply,
    """Multiplies with triangular matrices: ``alpha * op(A) B``, or ``alpha * B op(A)`` with ``rightside``.

    A is lower triangular, or upper with ``lower=False``; its other half is not read. ``transpose`` transposes A.
    """,
)
_triangular(
    "trsm",
    _solve,
    """Solves with triangular matrices: ``op(A) X = alpha * B`` for X, or ``X op(A) = alpha * B`` with ``rightside``.

    A is lower triangular, or upper with ``lower=False``; its other half is not read. ``transpose`` transposes A.
    """,
)


@op("_linalg_potrf", aliases=("linalg_potrf",))
def potrf(A: torch.Tensor, *, lower: bool = True) -> torch.Tensor:
    """The Cholesky factor: the lower triangular L with ``A = L Lᵀ``, or the upper triangular U with ``A = Uᵀ U`` if not
    ``lower``. A must be symmetric and positive definite.
    """
    _check_matrices(A)
    return torch.linalg.cholesky(A, upper=not lower)


@op("_linalg_potri", aliases=("linalg_potri",))
def potri(A: torch.Tensor, *, lower: bool = True) -> torch.Tensor:
    """The inverse of ``A Aᵀ``, where A is lower triangular, as ``linalg_potrf`` gives it; of ``Aᵀ A`` with an upper
    triangular one if not ``lower``.
    """
    _check_matrices(A)
    return torch.cholesky_inverse(A.tril() if lower else A.triu(), upper=not lower)


potrf.infer_back(same_shapes)
potri.infer_back(same_shapes)


# ---- factorizations --------------------------------------------------------------------------------------------------


@op("_linalg_gelqf", aliases=("linalg_gelqf",), outputs=2)
def gelqf(A: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The LQ factorization ``A = L Q`` of matrices with no more rows than columns; returns Q and L.

    L is lower triangular, the rows of Q are orthonormal. The signs are LAPACK's.
    """
    _check_matrices(A, square=False)
    if A.shape[-2] > A.shape[-1]:
        raise ValueError("the matrices must not have more rows than columns")
    if A.is_meta:
        return without_data(A), without_data(A, (*A.shape[:-1], A.shape[-2]))
    q, r = torch.linalg.qr(A.mT)
    return q.mT.contiguous(), r.mT.contiguous()


@op("_linalg_syevd", outputs=2)
def syevd(A: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The eigendecomposition of symmetric matrices; returns U and L with ``U A = diag(L) U``.

    The rows of U are the eigenvectors, each with its largest element positive; the eigenvalues L are in ascending
    order. Only the lower half of A is read. Gradients need eigenvalues that differ.
    """
    _check_matrices(A)
    if A.is_meta:
        return without_data(A), without_data(A, A.shape[:-1])
    values, vectors = torch.linalg.eigh(A)
    rows = vectors.mT
    largest = rows.detach().gather(-1, rows.detach().abs().argmax(-1, keepdim=True)) if A.shape[-1] else rows
    return rows * torch.where(largest < 0, -1, 1).to(rows.dtype), values


# ---- determinants and inverses ---------------------------------------------------------------------------------------


@op("_linalg_inverse", aliases=("linalg_inverse",))
def inverse(A: torch.Tensor) -> torch.Tensor:
    """The inverse of square matrices."""
    _check_matrices(A)
    return without_data(A) if A.is_meta else torch.linalg.inv(A)


@op("_linalg_det", aliases=("linalg_det",))
def det(A: torch.Tensor) -> torch.Tensor:
    """The determinant of square matrices."""
    _check_matrices(A)
    return scalars(without_data(A, A.shape[:-2]) if A.is_meta else torch.linalg.det(A), A)


class _SignAndLogarithm(torch.autograd.Function):
    """torch's slogdet, but for the gradient of singular matrices, which is infinite there."""

    @staticmethod
    def forward(ctx: Ctx, a: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        sign, logarithm = torch.linalg.slogdet(a)
        ctx.save_for_backward(a, sign)
        return sign, logarithm

    @staticmethod
    def backward(ctx: Ctx, _: torch.Tensor, gradient: torch.Tensor) -> torch.Tensor:
        a, sign = ctx.saved_tensors
        inverse = torch.linalg.inv_ex(a).inverse
        return torch.where((sign == 0)[..., None, None], 0, gradient[..., None, None] * inverse.mT)


@op("_linalg_slogdet", aliases=("linalg_slogdet",), outputs=2)
def slogdet(A: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The sign of the determinant of square matrices and the logarithm of its absolute value.

    The sign of a singular matrix is 0, its logarithm -inf and its gradient 0.
    """
    _check_matrices(A)
    if A.is_meta:
        sign = logarithm = without_data(A, A.shape[:-2])
    else:
        sign, logarithm = _SignAndLogarithm.apply(A)
    return scalars(sign, A), scalars(logarithm, A)


@op("_linalg_sumlogdiag", aliases=("linalg_sumlogdiag",))
def sumlogdiag(A: torch.Tensor) -> torch.Tensor:
    """The sum of the logarithms of the diagonal of square matrices."""
    _check_matrices(A)
    if A.is_meta:
        return scalars(without_data(A, A.shape[:-2]), A)
    return scalars(A.diagonal(dim1=-2, dim2=-1).log().sum(-1), A)


# ---- diagonals and triangles -----------------------------------------------------------------------------------------


def _check_offset(a: torch.Tensor, offset: int) -> int:
    """The length of a diagonal."""
    _check_matrices(a)
    length = a.shape[-1] - abs(offset)
    if length <= 0:
        raise ValueError(f"offset {offset} is outside of a matrix with {a.shape[-1]} rows")
    return length


@op("_linalg_extractdiag", aliases=("linalg_extractdiag",), view=True)
def extractdiag(A: torch.Tensor, *, offset: int = 0) -> torch.Tensor:
    """A diagonal of square matrices; ``offset`` counts upwards from the main diagonal."""
    _check_offset(A, offset)
    return A.diagonal(offset, -2, -1)


@op("_linalg_makediag", aliases=("linalg_makediag",))
def makediag(A: torch.Tensor, *, offset: int = 0) -> torch.Tensor:
    """Square matrices with the rows of ``A`` on a diagonal; ``offset`` counts upwards from the main diagonal."""
    _check_dtypes(A)
    if not A.dim():
        raise ValueError("the input needs at least 1 dimension")
    if A.is_meta:
        size = A.shape[-1] + abs(offset)
        return without_data(A, (*A.shape[:-1], size, size))
    return torch.diag_embed(A, offset)


def _triangle(size: int, offset: int, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows and columns of the elements of a lower triangle."""
    row, column = torch.tril_indices(size, size, -abs(offset), device=device)
    return row, column


def _is_lower(offset: int, lower: bool) -> bool:
    return offset < 0 or (offset == 0 and lower)


@op("_linalg_extracttrian", aliases=("linalg_extracttrian",))
def extracttrian(A: torch.Tensor, *, offset: int = 0, lower: bool = True) -> torch.Tensor:
    """A triangle of square matrices as a vector: a lower one row by row, an upper one column by column.

    ``offset`` is the diagonal the triangle starts from: below the main one (negative) it is a lower triangle, above
    an upper. ``lower`` decides if it is 0.
    """
    length = _check_offset(A, offset)
    if A.is_meta:
        return without_data(A, (*A.shape[:-2], length * (length + 1) // 2))
    row, column = _triangle(A.shape[-1], offset, A.device)
    return A[..., row, column] if _is_lower(offset, lower) else A[..., column, row]


@op("_linalg_maketrian", aliases=("linalg_maketrian",))
def maketrian(A: torch.Tensor, *, offset: int = 0, lower: bool = True) -> torch.Tensor:
    """Square matrices with a triangle made of the elements of ``A``; the reverse of ``linalg_extracttrian``."""
    _check_dtypes(A)
    if not A.dim():
        raise ValueError("the input needs at least 1 dimension")
    count = A.shape[-1]
    length = (math.isqrt(8 * count + 1) - 1) // 2
    if length * (length + 1) // 2 != count:
        raise ValueError(f"the last dimension must be the size of a triangle (1, 3, 6, 10, ...), got {count}")
    size = length + abs(offset)
    if A.is_meta:
        return without_data(A, (*A.shape[:-1], size, size))
    row, column = _triangle(size, offset, A.device)
    result = A.new_zeros((*A.shape[:-1], size, size))
    position = (..., row, column) if _is_lower(offset, lower) else (..., column, row)
    result[position] = A
    return result
