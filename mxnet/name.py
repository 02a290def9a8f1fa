"""Names for symbols that were given none: ``fullyconnected0``, ``fullyconnected1``, ..."""

from __future__ import annotations

import threading
from typing import Any

from .base import classproperty

__all__ = ["NameManager", "Prefix"]


class _Stack(threading.local):
    def __init__(self) -> None:
        self.items: list[NameManager] = []


_stack = _Stack()


class NameManager:
    """Counts the names given for each hint. Use it in ``with`` to start counting anew."""

    def __init__(self) -> None:
        self._counter: dict[str, int] = {}

    def get(self, name: str | None, hint: str) -> str:
        """The given name, or the next one for the hint."""
        if name:
            return name
        number = self._counter.get(hint, 0)
        self._counter[hint] = number + 1
        return f"{hint}{number}"

    def __enter__(self) -> NameManager:
        _stack.items.append(self)
        return self

    def __exit__(self, *exception: Any) -> None:
        _stack.items.pop()

    @classproperty
    def current(cls) -> NameManager:
        """The manager of the innermost ``with`` block."""
        if not _stack.items:
            _stack.items.append(NameManager())
        return _stack.items[-1]


class Prefix(NameManager):
    """Puts a prefix before every name, also before given ones."""

    def __init__(self, prefix: str):
        super().__init__()
        self._prefix = prefix

    def get(self, name: str | None, hint: str) -> str:
        """The name with the prefix."""
        return self._prefix + super().get(name, hint)
