"""Subgraphs by operator names: what stands for the C functions that programs call for them."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from typing import Any

from ..base import provide
from ..graph.backends import set_operators
from ..graph.partition import partition
from .symbol import Symbol, handles

_numbers = itertools.count(1)


def partition_operators(symbol: Symbol, operators: Collection[str]) -> Symbol:
    """The symbol with connected groups of these operators as nodes of their own."""
    return type(symbol)(partition(symbol._outputs, operators))


def _text(value: object) -> str:
    value = getattr(value, "value", value)
    return value.decode() if isinstance(value, bytes) else str(value)


def _texts(count: Any, values: Sequence[object]) -> list[str]:
    return [_text(values[i]) for i in range(getattr(count, "value", count))]


def _build(symbol: Symbol, name: object, count: object, operators: Sequence[object], out: Any) -> int:
    number = next(_numbers)
    handles[number] = partition_operators(symbol, _texts(count, operators))._outputs
    getattr(out, "_obj", out).value = number
    return 0


def _set(name: object, count: object, operators: Sequence[object]) -> int:
    set_operators(_text(name), _texts(count, operators))
    return 0


def _remove(name: object) -> int:
    set_operators(_text(name), None)
    return 0


provide("MXBuildSubgraphByOpNames", _build)
for _version in ("", "V2"):
    provide(f"MXSetSubgraphPropertyOpNames{_version}", _set)
    provide(f"MXRemoveSubgraphPropertyOpNames{_version}", _remove)


def _generate(symbol: Symbol, out: Any) -> int:
    number = next(_numbers)
    handles[number] = symbol._gen_atomic_symbol()._outputs
    getattr(out, "_obj", out).value = number
    return 0


provide("MXGenAtomicSymbolFromSymbol", _generate)
