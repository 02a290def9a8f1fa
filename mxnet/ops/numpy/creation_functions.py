"""The functions of ``mx.np`` that create arrays, for arrays and symbols alike: see ``functions.py``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...context import Context
from ...error import MXNetNotImplementedError, MXNetTypeError, MXNetValueError
from ..params import element
from ..types import DtypeLike
from .signatures import NUMBERS, Array, Backend, Operand, _run, array_argument, as_number, as_shape


class _ZeroStepError(MXNetValueError, ZeroDivisionError):
    """Both NumPy's error and ours."""


def arange(
    F: Backend,
    start: float | None,
    stop: float | None = None,
    step: float | None = 1,
    dtype: DtypeLike = None,
    ctx: Context | None = None,
) -> Array:
    """Numbers from ``start`` up to but without ``stop``, float32 if no dtype is given; a single number is the stop."""
    if start is None and stop is None:
        stop = 0
    if step is None:
        step = 1
    if step == 0:
        raise _ZeroStepError("step cannot be 0")
    begin, end = (0, start) if stop is None else (0 if start is None else start, stop)
    return _run(F, "_npi_arange", start=begin, stop=end, step=step, dtype=dtype or "float32", ctx=ctx)


def full(
    F: Backend,
    shape: Any,
    fill_value: Any,
    dtype: DtypeLike = None,
    order: str = "C",
    ctx: Context | None = None,
    out: Operand = None,
) -> Array:
    """An array in which every element is ``fill_value``, a number or an array that broadcasts; float32 or bool."""
    if order != "C":
        raise MXNetNotImplementedError(f"full: order must be 'C', got {order!r}")
    if F.is_array(fill_value):
        if dtype is not None:
            fill_value = _run(F, "_npi_cast", fill_value, dtype=dtype)
        return _run(F, "_npi_broadcast_to", fill_value, shape=as_shape(shape), out=out)
    fill_value = element(fill_value)
    if not isinstance(fill_value, NUMBERS):
        raise MXNetTypeError(f"full: fill_value must be a number or an array of mx.np, got {fill_value!r}")
    kind = dtype or ("bool" if isinstance(fill_value, bool) else "float32")
    return _run(F, "_npi_full", shape=as_shape(shape), value=as_number(fill_value), dtype=kind, ctx=ctx, out=out)


def full_like(
    F: Backend,
    a: Operand,
    fill_value: Any,
    dtype: DtypeLike = None,
    order: str = "C",
    ctx: Context | None = None,
    out: Operand = None,
) -> Any:
    """An array of one number with the shape, and if none is given the dtype, of another."""
    if order != "C":
        raise MXNetNotImplementedError(f"full_like: order must be 'C', got {order!r}")
    number = element(fill_value)
    if not isinstance(number, NUMBERS):
        raise MXNetTypeError(f"full_like: fill_value must be a number or an array of one, got {fill_value!r}")
    array = array_argument(F, "full_like", "a", a)
    kind = {} if dtype is None else {"dtype": dtype}
    return _run(F, "_npi_full_like", array, fill_value=float(as_number(number)), ctx=ctx, out=out, **kind)


def broadcast_to(F: Backend, array: Operand, shape: Any) -> Any:
    """The array, or a number, repeated along dimensions of size 1 and along new ones in front."""
    if isinstance(array, NUMBERS):
        return full(F, shape, array)
    return _run(F, "_npi_broadcast_to", array_argument(F, "broadcast_to", "array", array), shape=as_shape(shape))


def identity(F: Backend, n: int, dtype: DtypeLike = None, ctx: Context | None = None) -> Array:
    """A square matrix with ones on its diagonal."""
    return _run(F, "_npi_identity", shape=(n, n), dtype=dtype or "float32", ctx=ctx)


def linspace(
    F: Backend,
    start: float,
    stop: float,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DtypeLike = None,
    axis: int = 0,
    ctx: Context | None = None,
) -> Any:
    """``num`` evenly spaced numbers from ``start`` to ``stop``; with ``retstep`` also the space between them."""
    if axis != 0:
        raise MXNetNotImplementedError("linspace: only axis 0 is supported")
    for value in (start, stop):
        if not isinstance(value, NUMBERS):
            raise MXNetNotImplementedError(f"linspace: start and stop must be numbers, got {value!r}")
    if num < 0:
        raise MXNetValueError(f"linspace: number of samples, {num}, must be non-negative")
    made = _run(
        F, "_npi_linspace", start=start, stop=stop, num=num, endpoint=endpoint, dtype=dtype or "float32", ctx=ctx
    )
    return (made, (stop - start) / max(num - endpoint, 1)) if retstep else made


def logspace(
    F: Backend,
    start: float,
    stop: float,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: DtypeLike = None,
    axis: int = 0,
    ctx: Context | None = None,
) -> Array:
    """``num`` numbers evenly spaced on a logarithmic scale, from ``base**start`` to ``base**stop``."""
    if axis != 0:
        raise MXNetNotImplementedError("logspace: only axis 0 is supported")
    for value in (start, stop):
        if not isinstance(value, NUMBERS):
            raise MXNetNotImplementedError(f"logspace: start and stop must be numbers, got {value!r}")
    attrs = dict(start=start, stop=stop, num=num, endpoint=endpoint, base=base, dtype=dtype or "float32", ctx=ctx)
    return _run(F, "_npi_logspace", **attrs)


def meshgrid(F: Backend, *xi: Any, **kwargs: Any) -> Any:
    """Grids of coordinates from arrays of one dimension, in the order ``indexing='xy'`` or ``'ij'``."""
    indexing = kwargs.pop("indexing", "xy")
    if kwargs.pop("sparse", False) or not kwargs.pop("copy", True):
        raise MXNetNotImplementedError("meshgrid: sparse=True and copy=False are not supported")
    if kwargs or indexing not in ("xy", "ij"):
        raise MXNetValueError(f"meshgrid: indexing must be 'xy' or 'ij', and there are no other options: {kwargs}")
    count = len(xi)
    order = list(range(count))
    if indexing == "xy" and count > 1:
        order[:2] = [1, 0]
    columns = [
        _run(F, "_npi_reshape", x, newshape=tuple([-1 if i == place else 1 for i in range(count)]))
        for x, place in zip(xi, order, strict=True)
    ]
    return broadcast_arrays(F, *columns)


def broadcast_arrays(F: Backend, *args: Any) -> Any:
    """All arrays, broadcast to the shape that they have in common."""
    shapes = [getattr(a, "shape", None) for a in args]
    if any(s is None for s in shapes):
        raise MXNetNotImplementedError("broadcast_arrays needs arrays: the shapes of symbols are not known")
    shape = np.broadcast_shapes(*shapes)  # type: ignore[arg-type]
    return [_run(F, "_npi_broadcast_to", a, shape=shape) for a in args]
