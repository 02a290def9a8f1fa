"""Names for symbols that were given none: ``fullyconnected0``, ``fullyconnected1``, ..."""

from __future__ import annotations

from typing import ClassVar

from .base import PerThread

__all__ = ["NameManager", "Prefix"]


class NameManager(PerThread):
    """Counts the names given for each hint. Use it in ``with`` to start counting anew."""

    current: ClassVar[NameManager]  # a property of the class

    def __init__(self) -> None:
        self._counter: dict[str, int] = {}

    def get(self, name: str | None, hint: str) -> str:
        """The given name, or the next one for the hint."""
        if name:
            return name
        number = self._counter.get(hint, 0)
        self._counter[hint] = number + 1
        return f"{hint}{number}"


class Prefix(NameManager):
    """Puts a prefix before every name, also before given ones."""

    def __init__(self, prefix: str):
        super().__init__()
        self._prefix = prefix

    def get(self, name: str | None, hint: str) -> str:
        """The name with the prefix."""
        return self._prefix + super().get(name, hint)
