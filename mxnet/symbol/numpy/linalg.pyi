# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from mxnet.symbol.numpy._symbol import _Symbol
from typing import Any, Literal, SupportsIndex

from ...ops.numpy import linalg_functions as _shared
from ._symbol import symbols as _symbols
_FUNCTIONS: dict[Any, Any]
def cholesky(a: _Symbol) -> _Symbol:
    """The lower triangle L with L L^T = A."""
def det(a: _Symbol) -> _Symbol:
    """The determinant."""
def eig(a: Any) -> Any:
    """The eigenvalues and eigenvectors of a matrix that has real ones."""
def eigh(a: Any, UPLO: str = 'L') -> Any:
    """The eigenvalues and eigenvectors of a symmetric matrix."""
def eigvals(a: _Symbol) -> _Symbol:
    """The eigenvalues of a matrix that has real ones. No gradient."""
def eigvalsh(a: _Symbol, UPLO: Literal['L', 'U'] | str = 'L') -> _Symbol:
    """The eigenvalues of a symmetric matrix, of which one triangle is read."""
def inv(a: _Symbol) -> _Symbol:
    """The inverse of square matrices."""
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> _Symbol:
    """The norm of vectors or matrices along axes, or of the whole array: ``ord`` as in NumPy."""
def pinv(a: Any, rcond: Any = 1e-15, hermitian: bool = False) -> _Symbol:
    """The pseudo-inverse; singular values below ``rcond`` times the largest count as 0."""
def slogdet(a: _Symbol) -> Any:
    """The sign and the logarithm of the determinant."""
def solve(a: _Symbol, b: _Symbol) -> _Symbol:
    """The X with A X = B."""
def svd(a: Any) -> Any:
    """The singular value decomposition: U, the singular values, V^T; of a matrix with no more rows than columns."""
def tensorinv(a: _Symbol, ind: int | SupportsIndex = 2) -> _Symbol:
    """The inverse of an array as a map by its first ``ind`` axes."""
def tensorsolve(a: Any, b: Any, axes: Any = None) -> _Symbol:
    """The X whose tensor product with ``a`` over all its axes is ``b``."""
__all__ = ['cholesky', 'det', 'eigvals', 'eigvalsh', 'inv', 'slogdet', 'solve', 'tensorinv', 'norm', 'svd', 'eig', 'eigh', 'pinv', 'tensorsolve']
