"""The functions of ``mx.np.linalg`` that are more than one operator, for arrays and symbols alike."""

from __future__ import annotations

from typing import Any

from ...error import MXNetValueError
from ..types import Kernel
from .functions import without_backend
from .signatures import LINALG, NUMBERS, Array, Backend, Operand, _run, as_shape, from_table


def norm(F: Backend, x: Operand, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Array:
    """The norm of vectors or matrices along axes, or of the whole array: ``ord`` as in NumPy."""
    if axis is None and ord is None:
        return _run(F, "_npi_norm", x, axis=None, ord=2, keepdims=keepdims, flag=-2)
    axis = (axis,) if isinstance(axis, int) else axis
    flag, order = (1, 2) if ord is None or ord == "fro" else (2, 2) if ord == "nuc" else (-1, ord)
    if isinstance(order, str):
        raise MXNetValueError(f"norm: ord={ord!r} is not known")
    return _run(F, "_npi_norm", x, axis=axis, ord=order, keepdims=keepdims, flag=flag)


def svd(F: Backend, a: Operand) -> Any:
    """The singular value decomposition: U, the singular values, V^T; of a matrix with no more rows than columns."""
    return F.many(_run(F, "_npi_svd", a))


def eig(F: Backend, a: Operand) -> Any:
    """The eigenvalues and eigenvectors of a matrix that has real ones."""
    return F.many(_run(F, "_npi_eig", a))


def eigh(F: Backend, a: Operand, UPLO: str = "L") -> Any:
    """The eigenvalues and eigenvectors of a symmetric matrix."""
    return F.many(_run(F, "_npi_eigh", a, UPLO=UPLO))


def pinv(F: Backend, a: Operand, rcond: Any = 1e-15, hermitian: bool = False) -> Array:
    """The pseudo-inverse; singular values below ``rcond`` times the largest count as 0."""
    if isinstance(rcond, NUMBERS):
        return _run(F, "_npi_pinv_scalar_rcond", a, rcond=float(rcond), hermitian=hermitian)
    return _run(F, "_npi_pinv", a, rcond, hermitian=hermitian)


def tensorsolve(F: Backend, a: Operand, b: Operand, axes: Any = None) -> Array:
    """The X whose tensor product with ``a`` over all its axes is ``b``."""
    return _run(F, "_npi_tensorsolve", a, b, a_axes=() if axes is None else as_shape(axes))


def for_backend(backend: Backend, module: str) -> dict[str, Kernel]:
    """All functions of ``linalg`` by their names."""
    found = from_table(backend, LINALG)
    for function in (norm, svd, eig, eigh, pinv, tensorsolve):
        found[function.__name__] = without_backend(function, backend, function.__name__, module)
    for function in found.values():
        function.__module__ = module
    return found
