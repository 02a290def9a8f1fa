"""Products and linear algebra with NumPy's meaning."""

from collections.abc import Callable, Iterable
from typing import Any, Literal

import torch

from ..gradients import constant_in
from ..linalg import same_dimension, scalars
from ..params import Count
from ..products import mm
from ..registry import OpDef, op, register
from ..support import normalize_axis, without_data
from ..types import Attrs, Dtype, Kernel, Keywords
from ..wide import vector_norm


def _floats(*inputs: torch.Tensor) -> None:
    """Products are of floats only, of one dtype: so it is in MXNet, too."""
    for t in inputs:
        if not t.is_floating_point():
            raise TypeError("it takes arrays of a floating type only; convert them with astype('float32')")
        if t.dtype is not inputs[0].dtype:
            raise TypeError("all arrays must have the same dtype; convert some of them with astype()")


def _common(*inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Arrays of float32 as they are, others (integers, mixed ones) as float64: so do the solvers of MXNet."""
    if any(t.dtype is torch.float16 for t in inputs):
        raise TypeError("it takes no arrays of float16; convert them with astype('float32')")
    wide = _common_dtype(*(t.dtype for t in inputs))
    return tuple(t.to(wide) for t in inputs)


def _common_dtype(*dtypes: torch.dtype) -> torch.dtype:
    return torch.float32 if all(dtype is torch.float32 for dtype in dtypes) else torch.float64


def _contract(a: torch.Tensor, b: torch.Tensor, of_a: list[int], of_b: list[int]) -> torch.Tensor:
    """torch's tensordot, which would repeat an axis of size 1."""
    sizes = [tuple(t.shape[i] for i in axes) for t, axes in ((a, of_a), (b, of_b))]
    if sizes[0] != sizes[1]:
        raise ValueError(f"the axes that are summed must have the same sizes, got {sizes[0]} and {sizes[1]}")
    return torch.tensordot(a, b, (of_a, of_b))


@op("_np_dot")
def dot(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """The dot product: the last axis of ``a`` with the last but one of ``b``; a number multiplies the array."""
    _floats(a, b)
    if not a.dim() or not b.dim():
        return a * b
    if b.dim() <= 2 and a.dim() <= 2:
        return mm(a, b) if a.dim() == b.dim() == 2 else torch.matmul(a, b)
    return _contract(a, b, [a.dim() - 1], [max(b.dim() - 2, 0)])


@op("_npi_matmul", output_names=("out",))
def matmul(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """The product of matrices in the last two axes; the other axes broadcast."""
    _floats(a, b)
    if not a.dim() or not b.dim():
        raise ValueError("a 0-d array is not allowed; use * instead")
    return mm(a, b) if a.dim() == b.dim() == 2 else torch.matmul(a, b)


@op("_npi_tensordot")
def tensordot(
    a: torch.Tensor, b: torch.Tensor, *, a_axes_summed: tuple[int, ...], b_axes_summed: tuple[int, ...]
) -> torch.Tensor:
    """The products of two arrays summed over pairs of axes."""
    _floats(a, b)
    return _contract(a, b, list(a_axes_summed), list(b_axes_summed))


@op("_npi_tensordot_int_axes")
def tensordot_int_axes(a: torch.Tensor, b: torch.Tensor, *, axes: int) -> torch.Tensor:
    """The products of two arrays summed over the last axes of the first and the first of the second."""
    _floats(a, b)
    return _contract(a, b, list(range(a.dim() - axes, a.dim())), list(range(axes)))


@op("_npi_einsum", count="num_args")
def einsum(*data: torch.Tensor, num_args: Count, subscripts: str = "", optimize: int = 0) -> torch.Tensor:
    """Sums of products in Einstein's notation, such as ``ij,jk->ik``."""
    if any(array.dtype is torch.bool for array in data):
        if any(array.dtype is not torch.bool for array in data):
            raise TypeError("booleans and numbers cannot be combined; convert one of them with astype()")
        return torch.einsum(subscripts, *(array.to(torch.int64) for array in data)).to(torch.bool)
    return torch.einsum(subscripts, *data).to(data[0].dtype)


@op("_npi_polyval")
def polyval(p: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """The values of a polynomial, whose coefficients begin with that of the highest power."""
    if p.dim() != 1 or p.dtype is not x.dtype:
        raise ValueError("the coefficients must be an array of one dimension, of the dtype of x")
    result = torch.zeros_like(x)
    for coefficient in p:
        result = result * x + coefficient
    return result


def _sizes_meet(opdef: OpDef, axes: Callable[[int, int, Attrs], Iterable[tuple[int, int]]]) -> None:
    """A size that one array does not know is that of the other, along the axes that are summed."""

    @opdef.infer_args
    def _(shapes: Keywords, attrs: Attrs) -> None:
        a, b = shapes["a"], shapes["b"]
        if a and b:
            for i, j in axes(len(a), len(b), attrs):
                if -len(a) <= i < len(a) and -len(b) <= j < len(b):
                    a, b = same_dimension(a, i % len(a), b, j % len(b))
            shapes["a"], shapes["b"] = a, b


_sizes_meet(dot, lambda m, n, attrs: [(m - 1, max(n - 2, 0))])
_sizes_meet(matmul, lambda m, n, attrs: [(m - 1, max(n - 2, 0))])
_sizes_meet(tensordot, lambda m, n, attrs: zip(attrs["a_axes_summed"], attrs["b_axes_summed"], strict=False))
_sizes_meet(tensordot_int_axes, lambda m, n, attrs: [(m - attrs["axes"] + k, k) for k in range(attrs["axes"])])


# ---- linear algebra --------------------------------------------------------------------------------------------------


def _linear(name: str, function: Kernel, doc: str, integers: bool = False, **facts: Any) -> OpDef:
    """A function of one matrix, or of a stack of them; of integers as of float64, where it takes them."""

    def kernel(A: torch.Tensor) -> Any:
        if integers:
            (A,) = _common(A)
        else:
            _floats(A)
        found = function(A)
        return found if isinstance(found, torch.Tensor) else tuple(found)

    opdef = register(name, kernel, doc=doc, **facts)
    return _widens(opdef) if integers else opdef


def _widens(opdef: OpDef) -> OpDef:
    """An operator whose results are all of the common type of its inputs."""

    @opdef.infer_dtype
    def _(dtypes: dict[str, Dtype], attrs: Attrs) -> list[Dtype]:
        given = [dtype for dtype in dtypes.values() if dtype is not None]
        return [_common_dtype(*given) if len(given) == len(dtypes) else None] * opdef.num_outputs(attrs)

    return opdef


def _svd(a: torch.Tensor) -> tuple[torch.Tensor, ...]:
    if a.shape[-2] > a.shape[-1]:
        raise ValueError("a matrix must not have more rows than columns, as in MXNet; transpose it first")
    return tuple(torch.linalg.svd(a, full_matrices=False))


_linear("_npi_cholesky", torch.linalg.cholesky, "The lower triangle L with L L^T = A.")
_linear(
    "_npi_svd",
    _svd,
    "The singular value decomposition: U, the singular values, V^T.",
    outputs=3,
)


def _real(value: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    if not value.is_meta and bool((value.imag.abs() > 1e-6 * value.abs().clamp_min(1)).any()):
        raise ValueError("the matrix has complex eigenvalues, which no array of MXNet can hold")
    return value.real.to(like.dtype)


def _eig(a: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    values, vectors = torch.linalg.eig(a.detach())
    return constant_in(_real(values, a), a), constant_in(_real(vectors, a), a)


_linear(
    "_npi_eig", _eig, "The eigenvalues and eigenvectors of a matrix that has real ones. No gradient.", True, outputs=2
)
_linear("_npi_eigvals", lambda a: _eig(a)[0], "The eigenvalues of a matrix that has real ones. No gradient.", True)


@op("_npi_eigh", gradient="zero", outputs=2)
def eigh(A: torch.Tensor, *, UPLO: Literal["L", "U"] = "L") -> tuple[torch.Tensor, torch.Tensor]:
    """The eigenvalues and eigenvectors of a symmetric matrix, of which one triangle is read."""
    return tuple(torch.linalg.eigh(*_common(A), UPLO))


@op("_npi_eigvalsh", gradient="zero")
def eigvalsh(A: torch.Tensor, *, UPLO: Literal["L", "U"] = "L") -> torch.Tensor:
    """The eigenvalues of a symmetric matrix, of which one triangle is read."""
    return torch.linalg.eigvalsh(*_common(A), UPLO)


@op("_npi_solve")
def solve(A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
    """The X with A X = B."""
    return torch.linalg.solve(*_common(A, B))


@op("_npi_pinv", gradient="zero")
def pinv(A: torch.Tensor, rcond: torch.Tensor, *, hermitian: bool = False) -> torch.Tensor:
    """The pseudo-inverse; singular values below ``rcond`` times the largest count as 0."""
    return torch.linalg.pinv(*_common(A), rtol=rcond, hermitian=hermitian)


@op("_npi_pinv_scalar_rcond", gradient="zero")
def pinv_scalar_rcond(A: torch.Tensor, *, rcond: float = 1e-15, hermitian: bool = False) -> torch.Tensor:
    """The pseudo-inverse; singular values below ``rcond`` times the largest count as 0."""
    return torch.linalg.pinv(*_common(A), rtol=rcond, hermitian=hermitian)


@op("_npi_tensorinv")
def tensorinv(a: torch.Tensor, *, ind: int = 2) -> torch.Tensor:
    """The inverse of an array as a map by its first ``ind`` axes."""
    return torch.linalg.tensorinv(*_common(a), ind)


@op("_npi_tensorsolve")
def tensorsolve(a: torch.Tensor, b: torch.Tensor, *, a_axes: tuple[int, ...] = ()) -> torch.Tensor:
    """The X whose tensor product with ``a`` over all its axes is ``b``."""
    left, right = _common(a, b)
    if a.dim() > b.dim():
        return torch.linalg.tensorsolve(left, right, dims=a_axes or None)
    # as in NumPy, of which MXNet is one here: with no axes left over the result has all that a has
    return torch.linalg.tensorsolve(left.reshape(*b.shape, 1), right).reshape(a.shape)


@op("_npi_norm")
def norm(
    data: torch.Tensor,
    *,
    axis: tuple[int, ...] | None = None,
    ord: float = 2.0,
    keepdims: bool = False,
    flag: int = -2,
) -> torch.Tensor:
    """The Euclidean norm of all elements; of integers its whole part.

    ``flag`` selects other norms: -1 of the order ``ord``, 1 the Frobenius norm, 2 the nuclear norm. They are those of
    vectors along one axis or of matrices along two, by default the last two.
    """
    every = range(data.dim()) if flag == -2 else range(data.dim())[-2:]
    axes = [*every] if axis is None else [*dict.fromkeys(normalize_axis(a, data.dim()) for a in axis)]
    if flag != -2 and len(axes) not in ((2,) if flag == 2 else (1, 2)):
        raise ValueError(f"this norm needs a vector, a matrix or one or two axes, not {len(axes)} axes")
    euclidean = flag in (-2, 1)
    of_matrices = len(axes) == 2 and not euclidean
    if of_matrices and not data.is_floating_point() and (data.dtype is torch.bool or flag == 2 or abs(ord) == 2):
        raise TypeError("this norm of matrices takes floating point arrays only; convert them with astype()")
    kept = [1 if i in axes else n for i, n in enumerate(data.shape) if keepdims or i not in axes]
    if data.is_meta:
        return without_data(data, kept)
    if not data.numel():  # also of those norms that are the largest or smallest of something
        return constant_in(data.new_zeros(kept), data)
    values = data if data.is_floating_point() else data.to(torch.float64)
    if of_matrices:
        found = torch.linalg.matrix_norm(values, "nuc" if flag == 2 else ord, tuple(axes), keepdims)
    else:
        found = vector_norm(values, 2 if euclidean else ord, tuple(axes), keepdims)
    return found.to(data.dtype)


for _solver in (eigh, eigvalsh, solve, pinv_scalar_rcond, tensorinv, tensorsolve):
    _widens(_solver)


def _det(a: torch.Tensor) -> torch.Tensor:
    return scalars(torch.linalg.det(a), a)


def _slogdet(a: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return tuple([scalars(part, a) for part in torch.linalg.slogdet(a)])


_linear("_npi_det", _det, "The determinant.")
_linear(
    "_npi_slogdet",
    _slogdet,
    "The sign and the logarithm of the determinant.",
    outputs=2,
)
