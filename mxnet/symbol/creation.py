"""Symbols made from attributes or from symbols and numbers mixed: zeros, arange, maximum, ..."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..error import MXNetTypeError
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


def _named(dtype: Any) -> str:
    return "float32" if dtype is None else np.dtype(dtype).name


def zeros(shape: Any, dtype: Any = None, **kwargs: Any) -> Symbol:
    """A symbol of zeros."""
    return apply(("_zeros", "_zeros"), shape=shape, dtype=_named(dtype), **kwargs)


def ones(shape: Any, dtype: Any = None, **kwargs: Any) -> Symbol:
    """A symbol of ones."""
    return apply(("_ones", "_ones"), shape=shape, dtype=_named(dtype), **kwargs)


def full(shape: Any, val: float, dtype: Any = None, **kwargs: Any) -> Symbol:
    """A symbol filled with a number."""
    return apply(("_full", "_full"), shape=shape, dtype=_named(dtype), value=float(val), **kwargs)


def eye(N: int, M: int = 0, k: int = 0, dtype: Any = None, **kwargs: Any) -> Symbol:
    """A matrix with ones on a diagonal."""
    return apply(("_eye", "_eye"), N=N, M=M, k=k, dtype=_named(dtype), **kwargs)


def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    name: str | None = None,
    dtype: Any = None,
) -> Symbol:
    """Evenly spaced numbers, each ``repeat`` times; with ``infer_range`` the end follows from the symbol's use."""
    return apply(
        ("_arange", "_arange"),
        start=start,
        stop=stop,
        step=step,
        repeat=repeat,
        infer_range=infer_range,
        dtype=_named(dtype),
        name=name,
    )


def linspace(
    start: float, stop: float, num: int, endpoint: bool = True, name: str | None = None, dtype: Any = None
) -> Symbol:
    """``num`` evenly spaced numbers between two."""
    return apply(
        ("_linspace", "_linspace"),
        start=start,
        stop=stop,
        num=num,
        endpoint=endpoint,
        dtype=_named(dtype),
        name=name,
    )


def histogram(a: Symbol, bins: Any = 10, range: Any = None, **kwargs: Any) -> Symbol:
    """Counts of values per bin, and the edges of the bins."""
    if isinstance(bins, Symbol):
        return apply(("_histogram", "_histogram"), a, bins, **kwargs)
    if range is None:
        raise MXNetTypeError("histogram: a range is required when bins is a number")
    return apply(("_histogram", "_histogram"), a, bin_cnt=bins, range=range, **kwargs)


split_v2 = _split_v2


def _mixed(name: str, left: Any, right: Any, reflected: str | None = None) -> Any:
    both, scalar = (f"_{name}", f"_{name}"), (f"_{name}_scalar", f"_{name}scalar")
    if isinstance(left, Symbol) and isinstance(right, Symbol):
        return apply(both, left, right)
    if isinstance(left, Symbol):
        return apply(scalar, left, scalar=right)
    if isinstance(right, Symbol):
        turned = scalar if reflected is None else (f"_{reflected}_scalar", f"_{reflected}scalar")
        return apply(turned, right, scalar=left)
    return None


def pow(base: Any, exp: Any) -> Any:
    """``base ** exp`` of symbols and numbers."""
    found = _mixed("power", base, exp, "rpower")
    return base**exp if found is None else found


power = pow


def maximum(left: Any, right: Any) -> Any:
    """The larger of two, elementwise, of symbols and numbers."""
    found = _mixed("maximum", left, right)
    return max(left, right) if found is None else found


def minimum(left: Any, right: Any) -> Any:
    """The smaller of two, elementwise, of symbols and numbers."""
    found = _mixed("minimum", left, right)
    return min(left, right) if found is None else found


def hypot(left: Any, right: Any) -> Any:
    """The hypotenuse of two sides, elementwise, of symbols and numbers."""
    found = _mixed("hypot", left, right)
    return float(np.hypot(left, right)) if found is None else found
