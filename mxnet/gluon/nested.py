"""Nested lists of arrays: what blocks take and give, flat for a graph and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..context import Context
from ..error import MXNetValueError
from ..ndarray import NDArray
from ..symbol import Symbol


def _flatten(args: object, inout_str: str) -> tuple[list[Any], Any]:
    """The arrays in nested lists, and the form of the nesting: 0 for an array, -1 for None, lists of those."""
    if isinstance(args, NDArray):
        return [args], 0
    if isinstance(args, Symbol):
        length = len(args._outputs)
        return [args], length if length > 1 else 0
    if args is None:
        return [None], -1
    if not isinstance(args, list | tuple):
        raise MXNetValueError(
            f"When hybridized, the input of HybridBlock {inout_str} must be (nested) list of Symbol or NDArray, but "
            f"got {args} of type {type(args)}"
        )
    flat, forms = [], []
    for part in args:
        arrays, form = _flatten(part, inout_str)
        flat.extend(arrays)
        forms.append(form)
    return flat, forms


def _regroup(flat: Sequence[object], form: Any) -> tuple[Any, Sequence[Any]]:
    """The opposite of ``_flatten``; also gives what is left over."""
    if isinstance(form, int):
        if form == -1:
            if flat[0] is not None:
                raise MXNetValueError("We do not support passing types that are not None when the form says None")
            return None, flat[1:]
        return (flat[0], flat[1:]) if form == 0 else (list(flat[:form]), flat[form:])
    grouped = []
    for part in form:
        value, flat = _regroup(flat, part)
        grouped.append(value)
    return grouped, flat


def _without_last_nones(form: list[Any]) -> list[Any]:
    """The form of arguments without None at the end: None may also be left out there."""
    count = len(form)
    while count and form[count - 1] == -1:
        count -= 1
    return form[:count]


def _first_tensor(args: object) -> NDArray | Symbol | None:
    """The first NDArray or Symbol in nested lists, or None. There may not be both kinds."""
    if isinstance(args, NDArray | Symbol):
        return args
    first = None
    for part in args if isinstance(args, list | tuple) else ():
        found = _first_tensor(part)
        if first is None:
            first = found
        elif found is not None and isinstance(found, Symbol) != isinstance(first, Symbol):
            raise MXNetValueError(
                "In HybridBlock, we do not support mixed NDArrays and Symbols types for the input. Please check the "
                "type of the args.\n"
            )
    return first


def _gather_type_ctx_info(args: object) -> tuple[bool, bool, set[Context], Context | None]:
    """Are there symbols in nested lists, are there arrays, the contexts of these, and that of the first."""
    if isinstance(args, NDArray):
        return False, True, {args.context}, args.context
    if isinstance(args, Symbol):
        return True, False, set(), None
    found: tuple[bool, bool, set[Context], Context | None] = (False, False, set(), None)
    for part in args if isinstance(args, list | tuple) else ():
        symbols, arrays, contexts, first = _gather_type_ctx_info(part)
        found = (found[0] or symbols, found[1] or arrays, found[2] | contexts, found[3] or first)
    return found
