"""Reads which operators run in which precision from ``operators.txt``."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def names(target: str) -> dict[str, list[str]]:
    """Names of operators for a target type, as MXNet 1.9.1 lists them: ``target``, ``either``, ``float32``, ..."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in (Path(__file__).parent / "operators.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            current += line.split()
        else:
            dtype, kind = line.split()
            current = []
            if dtype == target:
                found[kind] = current
    return found


#: Operators that run in float32 where an attribute has one of these values.
CONDITIONAL: list[tuple[str, str, list[str]]] = [
    ("Activation", "act_type", ["softrelu"]),
    ("LeakyReLU", "act_type", ["elu", "selu"]),
]
