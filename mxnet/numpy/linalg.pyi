# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from mxnet.ndarray.numpy.array import ndarray
from typing import Any, Literal, SupportsIndex

from ..ndarray.numpy import linalg as _arrays
from . import fallback_linalg
from .fallback_linalg import cond as cond, lstsq as lstsq, matrix_power as matrix_power, matrix_rank as matrix_rank, multi_dot as multi_dot, qr as qr
def cholesky(a: ndarray) -> ndarray:
    """The lower triangle L with L L^T = A."""
def det(a: ndarray) -> ndarray:
    """The determinant."""
def eig(a: Any) -> Any:
    """The eigenvalues and eigenvectors of a matrix that has real ones."""
def eigh(a: Any, UPLO: str = 'L') -> Any:
    """The eigenvalues and eigenvectors of a symmetric matrix."""
def eigvals(a: ndarray) -> ndarray:
    """The eigenvalues of a matrix that has real ones. No gradient."""
def eigvalsh(a: ndarray, UPLO: Literal['L', 'U'] | str = 'L') -> ndarray:
    """The eigenvalues of a symmetric matrix, of which one triangle is read."""
def inv(a: ndarray) -> ndarray:
    """The inverse of square matrices."""
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> ndarray:
    """The norm of vectors or matrices along axes, or of the whole array: ``ord`` as in NumPy."""
def pinv(a: Any, rcond: Any = 1e-15, hermitian: bool = False) -> ndarray:
    """The pseudo-inverse; singular values below ``rcond`` times the largest count as 0."""
def slogdet(a: ndarray) -> Any:
    """The sign and the logarithm of the determinant."""
def solve(a: ndarray, b: ndarray) -> ndarray:
    """The X with A X = B."""
def svd(a: Any) -> Any:
    """The singular value decomposition: U, the singular values, V^T; of a matrix with no more rows than columns."""
def tensorinv(a: ndarray, ind: int | SupportsIndex = 2) -> ndarray:
    """The inverse of an array as a map by its first ``ind`` axes."""
def tensorsolve(a: Any, b: Any, axes: Any = None) -> ndarray:
    """The X whose tensor product with ``a`` over all its axes is ``b``."""
__all__ = ['cholesky', 'det', 'eigvals', 'eigvalsh', 'inv', 'slogdet', 'solve', 'tensorinv', 'norm', 'svd', 'eig', 'eigh', 'pinv', 'tensorsolve', 'cond', 'lstsq', 'matrix_power', 'matrix_rank', 'multi_dot', 'qr']
