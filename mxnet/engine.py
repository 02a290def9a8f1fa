"""``mx.engine``: bundling of operators. torch runs eager operators at once, so that there is nothing to bundle."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["bulk", "set_bulk_size"]

_size = 0


def set_bulk_size(size: int) -> int:
    """Sets how many operators may be bundled and returns the size before. It is kept and has no effect."""
    global _size
    before, _size = _size, operator.index(size)
    return before


@contextmanager
def bulk(size: int) -> Iterator[None]:
    """``with mx.engine.bulk(10):`` sets the size for a block. It is kept and has no effect."""
    before = set_bulk_size(size)
    try:
        yield
    finally:
        set_bulk_size(before)
