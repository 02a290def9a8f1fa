"""``mx.nd.sparse``: the names of sparse storage. Sparse arrays are not part of this release; files that hold them load
as dense arrays."""

from __future__ import annotations

from typing import Any, NoReturn

from ..base import NotSupportedForSparseNDArray, c_array_buf, check_call  # noqa: F401  (names of the original)
from ..context import Context, current_context  # noqa: F401
from .ndarray import NDArray

__all__ = [
    "BaseSparseNDArray",
    "CSRNDArray",
    "RowSparseNDArray",
    "array",
    "csr_matrix",
    "empty",
    "row_sparse_array",
    "zeros",
]


def _refuse(name: str) -> NoReturn:
    raise NotImplementedError(f"sparse storage is not part of this release: mx.nd.sparse.{name} needs it")


class BaseSparseNDArray(NDArray):
    """What sparse arrays have in common. There are none yet; ``isinstance`` checks work."""

    def __init__(self, handle: Any, writable: bool = True):
        _refuse(type(self).__name__)


class CSRNDArray(BaseSparseNDArray):
    """A matrix in compressed sparse row format."""


class RowSparseNDArray(BaseSparseNDArray):
    """An array most rows of which are zero."""


def csr_matrix(arg1: Any, shape: Any = None, ctx: Any = None, dtype: Any = None) -> CSRNDArray:
    """A CSRNDArray; not part of this release."""
    _refuse("csr_matrix")


def row_sparse_array(arg1: Any, shape: Any = None, ctx: Any = None, dtype: Any = None) -> RowSparseNDArray:
    """A RowSparseNDArray; not part of this release."""
    _refuse("row_sparse_array")


def zeros(stype: str, shape: Any, ctx: Any = None, dtype: Any = None, **kwargs: Any) -> NDArray:
    """Zeros of a storage type; of those only ``'default'`` is part of this release."""
    if stype == "default":
        from .creation import zeros as dense

        return dense(shape, ctx, dtype, **kwargs)
    _refuse(f"zeros({stype!r})")


def empty(stype: str, shape: Any, ctx: Any = None, dtype: Any = None) -> NDArray:
    """An array of a storage type; of those only ``'default'`` is part of this release."""
    if stype == "default":
        from .creation import empty as dense

        return dense(shape, ctx, dtype)
    _refuse(f"empty({stype!r})")


def array(source_array: Any, ctx: Any = None, dtype: Any = None) -> BaseSparseNDArray:
    """A sparse array from a sparse one; not part of this release."""
    _refuse("array")


# Operators that the original also offers here; they take dense arrays as everywhere else.
_OPERATORS = frozenset(
    """ElementWiseSum Embedding FullyConnected LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput
    abs adagrad_update adam_update add add_n arccos arccosh arcsin arcsinh arctan arctanh broadcast_add
    broadcast_div broadcast_minus broadcast_mul broadcast_plus broadcast_sub cast_storage cbrt ceil clip
    concat cos cosh degrees divide dot elemwise_add elemwise_div elemwise_mul elemwise_sub exp expm1 fix floor
    ftrl_update gamma gammaln log log10 log1p log2 make_loss mean multiply negative norm radians relu retain
    rint round rsqrt sgd_mom_update sgd_update sigmoid sign sin sinh slice sqrt square stop_gradient subtract
    sum tan tanh trunc where zeros_like""".split()
)


def __getattr__(name: str) -> Any:
    if name in _OPERATORS:
        from . import _internal, functions, op

        for module, known in ((functions, name), (op, name), (_internal, f"_sparse_{name}")):
            if hasattr(module, known):
                return getattr(module, known)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
