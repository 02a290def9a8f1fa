# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.ndarray.ndarray import NDArray
from typing import SupportsFloat, SupportsIndex

def det(A: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The determinant of square matrices."""
def extractdiag(A: NDArray, offset: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A diagonal of square matrices; ``offset`` counts upwards from the main diagonal."""
def extracttrian(A: NDArray, offset: int | SupportsIndex = 0, lower: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A triangle of square matrices as a vector: a lower one row by row, an upper one column by column."""
def gelqf(A: NDArray, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """The LQ factorization ``A = L Q`` of matrices with no more rows than columns; returns Q and L."""
def gemm(A: NDArray, B: NDArray, C: NDArray, transpose_a: bool | int = False, transpose_b: bool | int = False, alpha: float | SupportsFloat = 1.0, beta: float | SupportsFloat = 1.0, axis: int | SupportsIndex = -2, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Matrix product and sum: ``alpha * op(A) op(B) + beta * C``, where ``op`` transposes if told to."""
def gemm2(A: NDArray, B: NDArray, transpose_a: bool | int = False, transpose_b: bool | int = False, alpha: float | SupportsFloat = 1.0, axis: int | SupportsIndex = -2, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Matrix product ``alpha * op(A) op(B)``, where ``op`` transposes if told to."""
def inverse(A: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The inverse of square matrices."""
def makediag(A: NDArray, offset: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Square matrices with the rows of ``A`` on a diagonal; ``offset`` counts upwards from the main diagonal."""
def maketrian(A: NDArray, offset: int | SupportsIndex = 0, lower: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Square matrices with a triangle made of the elements of ``A``; the reverse of ``linalg_extracttrian``."""
def potrf(A: NDArray, lower: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The Cholesky factor: the lower triangular L with ``A = L Lᵀ``, or the upper triangular U with ``A = Uᵀ U`` if not ``lower``. A must be symmetric and positive definite."""
def potri(A: NDArray, lower: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The inverse of ``A Aᵀ``, where A is lower triangular, as ``linalg_potrf`` gives it; of ``Aᵀ A`` with an upper triangular one if not ``lower``."""
def slogdet(A: NDArray, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """The sign of the determinant of square matrices and the logarithm of its absolute value."""
def sumlogdiag(A: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum of the logarithms of the diagonal of square matrices."""
def syevd(A: NDArray, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """The eigendecomposition of symmetric matrices; returns U and L with ``U A = diag(L) U``."""
def syrk(A: NDArray, transpose: bool | int = False, alpha: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The product of matrices with their transpose: ``alpha * A Aᵀ``, or ``alpha * Aᵀ A`` with ``transpose``."""
def trmm(A: NDArray, B: NDArray, transpose: bool | int = False, rightside: bool | int = False, lower: bool | int = True, alpha: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Multiplies with triangular matrices: ``alpha * op(A) B``, or ``alpha * B op(A)`` with ``rightside``."""
def trsm(A: NDArray, B: NDArray, transpose: bool | int = False, rightside: bool | int = False, lower: bool | int = True, alpha: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Solves with triangular matrices: ``op(A) X = alpha * B`` for X, or ``X op(A) = alpha * B`` with ``rightside``."""
