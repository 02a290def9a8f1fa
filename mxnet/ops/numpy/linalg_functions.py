"""The functions of ``mx.np.linalg`` that are more than one operator, for arrays and symbols alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...error import MXNetValueError
from .functions import without_backend
from .signatures import LINALG, NUMBERS, Array, Backend, _run, from_table


def norm(F: Backend, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Array:
    """The norm of vectors or matrices along axes, or of the whole array: ``ord`` as in NumPy."""
    if axis is None and ord is None:
        if not keepdims:
            return _run(F, "_npi_norm", x, axis=None, ord=2, keepdims=False, flag=-2)
        return _root(F, _run(F, "_np_sum", _run(F, "_npi_square", x), axis=None, keepdims=True))
    dims = getattr(x, "ndim", None)
    axis = (axis,) if isinstance(axis, int) else axis
    if dims == 0 and (axis or ord is not None):
        raise MXNetValueError(f"norm: ord={ord!r} and axis={axis} are for arrays with dimensions; this one has none")
    if dims is None and (axis is None or (len(axis) == 2 and ord in (2, -2, "nuc"))):  # a symbol: its shape is needed
        flag, order = {"fro": (1, 2), "nuc": (2, 2)}.get(ord, (-1, ord))
        return _run(F, "_npi_norm", x, axis=axis, ord=order, keepdims=keepdims, flag=flag)
    # An order alone makes it a norm of vectors, or of the matrices along the last two axes.
    axes = tuple(range(dims))[-2:] if axis is None else tuple(axis)  # type: ignore[arg-type]
    if ord is None or (ord == "fro" and (len(axes) == 2 or axis is None)) or (ord == 2 and len(axes) == 1):
        return _root(F, _run(F, "_np_sum", _run(F, "_npi_square", x), axis=axes, keepdims=keepdims))
    size = _run(F, "_npi_absolute", x)
    if getattr(x, "size", 1) == 0 and ord in (1, 2, math.inf, "nuc")[: 2 + len(axes)]:  # the largest of nothing is 0
        return _run(F, "_np_sum", size, axis=axes, keepdims=keepdims)
    if len(axes) == 1:
        if ord in (math.inf, -math.inf):
            return _run(F, "_np_max" if ord > 0 else "_np_min", size, axis=axes, keepdims=keepdims)
        if ord == 0:
            different = _run(F, "_npi_not_equal_scalar", x, scalar=0.0)
            kind = "float32" if axis is not None else str(x.dtype)
            return _run(F, "_np_sum", different, axis=axes, keepdims=keepdims, dtype=kind)
        whole = str(getattr(x, "dtype", "")) in ("int8", "uint8", "int32", "int64")  # else the root's exponent is 0
        size = _run(F, "_npi_cast", size, dtype="float64") if whole else size
        total = _run(F, "_np_sum", _run(F, "_npi_power_scalar", size, scalar=ord), axis=axes, keepdims=keepdims)
        found = _run(F, "_npi_power_scalar", total, scalar=1.0 / ord)
        return _run(F, "_npi_cast", found, dtype=str(x.dtype)) if whole else found
    if len(axes) != 2:
        raise MXNetValueError(f"norm: ord={ord!r} needs one or two axes, got {axes}")
    if ord in (1, -1, math.inf, -math.inf):
        summed, left = (axes[0], axes[1]) if abs(ord) == 1 else (axes[1], axes[0])
        sums = _run(F, "_np_sum", size, axis=(summed,), keepdims=True)
        found = _run(F, "_np_max" if ord > 0 else "_np_min", sums, axis=(left,), keepdims=True)
        return found if keepdims else _run(F, "_np_squeeze", found, axis=axes)
    if ord in (2, -2, "nuc"):
        values = _singular_values(F, x, axes)
        name = "_np_sum" if ord == "nuc" else "_np_max" if ord > 0 else "_np_min"
        found = _run(F, name, values, axis=(-1,))
        if not keepdims:
            return found
        for at in sorted(a % dims for a in axes):  # type: ignore[operator]
            found = _run(F, "_npi_expand_dims", found, axis=at)
        return found
    raise MXNetValueError(f"norm: ord={ord!r} is not known")


def _root(F: Backend, x: Any) -> Any:
    return _run(F, "_npi_sqrt", x)


def _singular_values(F: Backend, x: Any, axes: tuple[int, ...]) -> Any:
    moved = _run(F, "_np_moveaxis", x, source=axes, destination=(-2, -1))
    if moved.shape[-2] > moved.shape[-1]:
        moved = _run(F, "_npi_swapaxes", moved, dim1=-2, dim2=-1)
    return _run(F, "_npi_svd", moved)[1]


def svd(F: Backend, a: Any) -> Any:
    """The singular value decomposition: U, the singular values, V^T; of a matrix with no more rows than columns."""
    return F.many(_run(F, "_npi_svd", a))


def eig(F: Backend, a: Any) -> Any:
    """The eigenvalues and eigenvectors of a matrix that has real ones."""
    return F.many(_run(F, "_npi_eig", a))


def eigh(F: Backend, a: Any, UPLO: str = "L") -> Any:
    """The eigenvalues and eigenvectors of a symmetric matrix."""
    return F.many(_run(F, "_npi_eigh", a, UPLO=UPLO))


def pinv(F: Backend, a: Any, rcond: Any = 1e-15, hermitian: bool = False) -> Array:
    """The pseudo-inverse; singular values below ``rcond`` times the largest count as 0."""
    if isinstance(rcond, NUMBERS):
        return _run(F, "_npi_pinv_scalar_rcond", a, rcond=float(rcond), hermitian=hermitian)
    return _run(F, "_npi_pinv", a, rcond, hermitian=hermitian)


def tensorsolve(F: Backend, a: Any, b: Any, axes: Any = None) -> Array:
    """The X whose tensor product with ``a`` over all its axes is ``b``."""
    return _run(F, "_npi_tensorsolve", a, b, a_axes=tuple(axes or ()))


def for_backend(backend: Backend, module: str) -> dict[str, Callable[..., Any]]:
    """All functions of ``linalg`` by their names."""
    found = from_table(backend, LINALG)
    for function in (norm, svd, eig, eigh, pinv, tensorsolve):
        found[function.__name__] = without_backend(function, backend, function.__name__, module)
    for function in found.values():
        function.__module__ = module
    return found
