"""Operators that change the shape of arrays or the order of their elements."""

from __future__ import annotations


def resolve_shape(shape: tuple[int, ...], target: tuple[int, ...], reverse: bool = False) -> tuple[int, ...]:
    """The shape that a ``reshape`` target with MXNet's codes means (0 keep, -1 infer, -2 rest, -3 merge, -4 split)."""
    return tuple(target)
