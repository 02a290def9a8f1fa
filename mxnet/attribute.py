"""Attributes that all symbols made in a ``with`` block get: ``with mx.AttrScope(ctx_group='stage1'):``."""

from __future__ import annotations

from collections import defaultdict
from typing import ClassVar

from .base import PerThread
from .error import MXNetValueError

__all__ = ["AttrScope"]


class AttrScope(PerThread):
    """Attributes as text, given to every symbol and variable made inside; inner scopes override outer ones."""

    current: ClassVar[AttrScope]  # a property of the class

    #: How many subgraphs of each name there are. They count up for the whole process, so that no two share a name.
    _subgraph_names: ClassVar[defaultdict[str, int]] = defaultdict(int)

    def __init__(self, **kwargs: str):
        for key, value in kwargs.items():
            if not isinstance(value, str):
                raise MXNetValueError(f"attribute {key!r} must be a string, got {type(value).__name__}")
        self._attr = kwargs

    def get(self, attr: dict[str, str] | None) -> dict[str, str]:
        """The scope's attributes, overridden by ``attr``."""
        return {**self._attr, **attr} if attr else dict(self._attr)

    def __enter__(self) -> AttrScope:
        self._attr = AttrScope.current.get(self._attr)  # and so they stay, for whoever uses this scope again
        return super().__enter__()
