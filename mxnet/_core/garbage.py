"""Python's garbage collector, and when it should not run."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

__all__ = ["no_collection", "without_collection"]

P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def no_collection() -> Iterator[None]:
    """Without the cyclic garbage collector, which would walk over all objects of the process for the many of a graph.

    For programs that plan again and again, and for large graphs, that is half of the time.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def without_collection(function: Callable[P, T]) -> Callable[P, T]:
    """A decorator: the function runs without the cyclic garbage collector."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        with no_collection():
            return function(*args, **kwargs)

    return run
