"""Nested lists of arrays or symbols, flat and back: what the functions of control flow take and give."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..error import MXNetAssertionError, MXNetValueError


def flat(value: object, kind: type, what: str) -> list[Any]:
    """What is in nested lists, in order."""
    if isinstance(value, kind):
        return [value]
    if isinstance(value, list | tuple):
        return [leaf for part in value for leaf in flat(part, kind, what)]
    raise MXNetAssertionError(f"{what} must be (nested) list of {kind.__name__}, but got {value} of type {type(value)}")


def map_nested(function: Callable[[Any], Any], value: object) -> Any:
    """The same lists with each leaf replaced by what the function gives for it."""
    return [map_nested(function, part) for part in value] if isinstance(value, list | tuple) else function(value)


def shaped_like(value: object, leaves: Iterable[Any]) -> Any:
    """The leaves in lists nested like those of a value."""
    supply = iter(leaves)
    return map_nested(lambda _: next(supply), value)


def two_parts(result: object, what: str) -> tuple[Any, Any]:
    """What the function of a loop returned: outputs, and states or loop variables."""
    if not isinstance(result, tuple | list) or len(result) != 2:
        raise MXNetValueError(f"{what} must return two things, outputs and states, it returned {result!r}")
    return result[0], result[1]


def as_limit(max_iterations: Any) -> int:
    """``max_iterations`` of a loop as a number."""
    if max_iterations is None:
        raise MXNetValueError("max_iterations should be specified")
    try:
        return int(max_iterations)
    except (ValueError, TypeError):
        raise MXNetValueError(f"max_iterations must be a number, got {max_iterations!r}") from None
