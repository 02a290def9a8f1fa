"""Attributes that all symbols made in a ``with`` block get: ``with mx.AttrScope(ctx_group='stage1'):``."""

from __future__ import annotations

import threading
from typing import Any

from .base import classproperty
from .error import MXNetValueError

__all__ = ["AttrScope"]


class _Stack(threading.local):
    def __init__(self) -> None:
        self.items: list[AttrScope] = []


_stack = _Stack()


class AttrScope:
    """Attributes as text, given to every symbol and variable made inside; inner scopes override outer ones."""

    def __init__(self, **kwargs: str):
        for key, value in kwargs.items():
            if not isinstance(value, str):
                raise MXNetValueError(f"attribute {key!r} must be a string, got {type(value).__name__}")
        self._attr = kwargs

    def get(self, attr: dict[str, str] | None) -> dict[str, str]:
        """The scope's attributes, overridden by ``attr``."""
        return {**self._attr, **attr} if attr else dict(self._attr)

    def __enter__(self) -> AttrScope:
        outer = _stack.items[-1]._attr if _stack.items else {}
        self._own = self._attr
        self._attr = {**outer, **self._attr}
        _stack.items.append(self)
        return self

    def __exit__(self, *exception: Any) -> None:
        _stack.items.pop()
        self._attr = self._own

    @classproperty
    def current(cls) -> AttrScope:
        """The innermost scope."""
        if not _stack.items:
            _stack.items.append(AttrScope())
        return _stack.items[-1]
