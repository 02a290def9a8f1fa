# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.symbol.symbol import Symbol
from typing import SupportsFloat, SupportsIndex

def det(A: Symbol | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The determinant of square matrices."""
def extractdiag(A: Symbol | None = None, offset: int | SupportsIndex = 0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """A diagonal of square matrices; ``offset`` counts upwards from the main diagonal."""
def extracttrian(A: Symbol | None = None, offset: int | SupportsIndex = 0, lower: bool | int = True, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """A triangle of square matrices as a vector: a lower one row by row, an upper one column by column."""
def gelqf(A: Symbol | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The LQ factorization ``A = L Q`` of matrices with no more rows than columns; returns Q and L."""
def gemm(A: Symbol | None = None, B: Symbol | None = None, C: Symbol | None = None, transpose_a: bool | int = False, transpose_b: bool | int = False, alpha: float | SupportsFloat = 1.0, beta: float | SupportsFloat = 1.0, axis: int | SupportsIndex = -2, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Matrix product and sum: ``alpha * op(A) op(B) + beta * C``, where ``op`` transposes if told to."""
def gemm2(A: Symbol | None = None, B: Symbol | None = None, transpose_a: bool | int = False, transpose_b: bool | int = False, alpha: float | SupportsFloat = 1.0, axis: int | SupportsIndex = -2, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Matrix product ``alpha * op(A) op(B)``, where ``op`` transposes if told to."""
def inverse(A: Symbol | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The inverse of square matrices."""
def makediag(A: Symbol | None = None, offset: int | SupportsIndex = 0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Square matrices with the rows of ``A`` on a diagonal; ``offset`` counts upwards from the main diagonal."""
def maketrian(A: Symbol | None = None, offset: int | SupportsIndex = 0, lower: bool | int = True, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Square matrices with a triangle made of the elements of ``A``; the reverse of ``linalg_extracttrian``."""
def potrf(A: Symbol | None = None, lower: bool | int = True, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The Cholesky factor: the lower triangular L with ``A = L Lᵀ``, or the upper triangular U with ``A = Uᵀ U`` if not ``lower``. A must be symmetric and positive definite."""
def potri(A: Symbol | None = None, lower: bool | int = True, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The inverse of ``A Aᵀ``, where A is lower triangular, as ``linalg_potrf`` gives it; of ``Aᵀ A`` with an upper triangular one if not ``lower``."""
def slogdet(A: Symbol | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sign of the determinant of square matrices and the logarithm of its absolute value."""
def sumlogdiag(A: Symbol | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sum of the logarithms of the diagonal of square matrices."""
def syevd(A: Symbol | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The eigendecomposition of symmetric matrices; returns U and L with ``U A = diag(L) U``."""
def syrk(A: Symbol | None = None, transpose: bool | int = False, alpha: float | SupportsFloat = 1.0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The product of matrices with their transpose: ``alpha * A Aᵀ``, or ``alpha * Aᵀ A`` with ``transpose``."""
def trmm(A: Symbol | None = None, B: Symbol | None = None, transpose: bool | int = False, rightside: bool | int = False, lower: bool | int = True, alpha: float | SupportsFloat = 1.0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Multiplies with triangular matrices: ``alpha * op(A) B``, or ``alpha * B op(A)`` with ``rightside``."""
def trsm(A: Symbol | None = None, B: Symbol | None = None, transpose: bool | int = False, rightside: bool | int = False, lower: bool | int = True, alpha: float | SupportsFloat = 1.0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Solves with triangular matrices: ``op(A) X = alpha * B`` for X, or ``X op(A) = alpha * B`` with ``rightside``."""
