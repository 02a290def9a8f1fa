"""Symbols made from attributes or from symbols and numbers mixed: zeros, arange, maximum, ..."""

from __future__ import annotations

import builtins
import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from ..error import MXNetTypeError, MXNetValueError
from ..ops.types import DtypeLike, Keywords, OpenShape
from .operators import _split_v2, apply
from .symbol import Symbol

__all__ = [
    "arange",
    "eye",
    "full",
    "histogram",
    "hypot",
    "linspace",
    "maximum",
    "minimum",
    "ones",
    "pow",
    "power",
    "split_v2",
    "zeros",
]


def _dtype_name(dtype: DtypeLike) -> str:
    return "float32" if dtype is None else np.dtype(dtype).name


def zeros(shape: OpenShape, dtype: DtypeLike = None, **kwargs: Any) -> Symbol:
    """A symbol of zeros."""
    return apply(("_zeros", "_zeros"), shape=shape, dtype=_dtype_name(dtype), **kwargs)


def ones(shape: OpenShape, dtype: DtypeLike = None, **kwargs: Any) -> Symbol:
    """A symbol of ones."""
    return apply(("_ones", "_ones"), shape=shape, dtype=_dtype_name(dtype), **kwargs)


def full(shape: OpenShape, val: float, dtype: DtypeLike = None, **kwargs: Any) -> Symbol:
    """A symbol filled with a number."""
    return apply(("_full", "_full"), shape=shape, dtype=_dtype_name(dtype), value=float(val), **kwargs)


def eye(N: int, M: int = 0, k: int = 0, dtype: DtypeLike = None, **kwargs: Any) -> Symbol:
    """A matrix with ones on a diagonal."""
    return apply(("_eye", "_eye"), N=N, M=M, k=k, dtype=_dtype_name(dtype), **kwargs)


def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    name: str | None = None,
    dtype: DtypeLike = None,
) -> Symbol:
    """Evenly spaced numbers, each ``repeat`` times; with ``infer_range`` the end follows from the symbol's use."""
    attrs: Keywords = dict(start=start, stop=stop, step=step, repeat=repeat, infer_range=infer_range)
    return apply(("_arange", "_arange"), **attrs, dtype=_dtype_name(dtype), name=name)


def linspace(
    start: float, stop: float, num: int, endpoint: bool = True, name: str | None = None, dtype: DtypeLike = None
) -> Symbol:
    """``num`` evenly spaced numbers between two."""
    attrs: Keywords = dict(start=start, stop=stop, num=num, endpoint=endpoint)
    return apply(("_linspace", "_linspace"), **attrs, dtype=_dtype_name(dtype), name=name)


def histogram(a: Symbol, bins: Symbol | int = 10, range: tuple[float, float] | None = None, **kwargs: Any) -> Symbol:
    """Counts of values per bin, and the edges of the bins."""
    if isinstance(bins, Symbol):
        return apply(("_histogram", "_histogram"), a, bins, **kwargs)
    if range is None:
        raise MXNetValueError("histogram: a range is required when bins is a number")
    return apply(("_histogram", "_histogram"), a, bin_cnt=bins, range=range, **kwargs)


split_v2 = _split_v2


#: A symbol or a number.
Operand = Any
Combine = Callable[[Operand, Operand], Operand]


def _mixing(name: str, plain: Combine, doc: str, reflected: str = "") -> Combine:
    """A function of two, each a symbol or a number; ``reflected`` is the operator for a number on the left."""
    reflected = reflected or name

    def function(left: Operand, right: Operand) -> Operand:
        for given in (left, right):
            if not isinstance(given, Symbol | numbers.Number):
                raise MXNetTypeError(f"{name} takes symbols and numbers, got {type(given).__name__}: {given!r}")
        if isinstance(left, Symbol) and isinstance(right, Symbol):
            return apply((f"_{name}", f"_{name}"), left, right)
        if isinstance(left, Symbol):
            return apply((f"_{name}_scalar", f"_{name}scalar"), left, scalar=right)
        if isinstance(right, Symbol):
            return apply((f"_{reflected}_scalar", f"_{reflected}scalar"), right, scalar=left)
        return plain(left, right)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc}, elementwise, of symbols and numbers."
    return function


_power = _mixing("power", builtins.pow, "The first to the power of the second", "rpower")


def pow(base: Operand, exp: Operand) -> Operand:
    """``base ** exp`` of symbols and numbers."""
    return _power(base, exp)


power = pow
maximum = _mixing("maximum", max, "The larger of two")
minimum = _mixing("minimum", min, "The smaller of two")
hypot = _mixing("hypot", lambda left, right: float(np.hypot(left, right)), "The hypotenuse of two sides")
