"""Two kinds of arrays: classic ones and those of ``mx.np``. They do not meet, but in what is written for both."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..base import numpy_mode
from .ndarray import NDArray


class _Relaxed:
    """A ``with`` block in which classic operators take arrays of mx.np, and give such: for layers, optimizers, ..."""

    __slots__ = ("_before",)

    def __enter__(self) -> None:
        self._before = numpy_mode.relaxed
        numpy_mode.relaxed = True

    def __exit__(self, *exception: object) -> None:
        numpy_mode.relaxed = self._before


def both_kinds() -> _Relaxed:
    """``with both_kinds():`` classic operators take arrays of mx.np, and then give such."""
    return _Relaxed()


def accepts_both_kinds(function: Callable[..., object]) -> Callable[..., Any]:
    """Decorator: the function runs in ``with both_kinds():``."""

    @functools.wraps(function)
    def inside(*args: object, **kwargs: object) -> Any:
        with _Relaxed():
            return function(*args, **kwargs)

    return inside


def current_kind() -> type[NDArray]:
    """The class of arrays that Gluon makes: by ``npx.set_np``."""
    if not numpy_mode.array:
        return NDArray
    from .numpy.array import ndarray

    return ndarray


def as_current(value: object) -> Any:
    """Arrays, also in lists, as those of mx.np if ``npx.set_np`` says so, in the same memory."""
    if not numpy_mode.array:
        return value
    if isinstance(value, NDArray):
        return value if value._numpy or value.stype != "default" else value.as_np_ndarray()
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)([as_current(v) for v in value])
    if type(value) is dict:
        return {key: as_current(v) for key, v in value.items()}
    return value
