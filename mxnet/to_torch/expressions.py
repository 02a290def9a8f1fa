"""Expressions of generated source, and the table of the rules that make them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

from .layers import Site

#: Precedence: what stands inside of something that binds more tightly is put in parentheses.
CALL, UNARY, PRODUCT, SUM, COMPARISON = range(5)


@dataclass(eq=False)
class Expression:
    """``text`` has {0}, {1}, ... for the operands: numbers of inputs, or literals."""

    text: str
    operands: list[Any]
    level: int = CALL
    hint: str = ""
    #: Functions of ops.py that it needs.
    needs: tuple[str, ...] = field(default=())


class Real(float):
    """A number that is written as source: ``1e18``, ``1e-5``, ``float("inf")``."""

    def __repr__(self) -> str:
        text = float.__repr__(self)
        if text.lstrip("-") in ("inf", "nan"):
            return f'float("{text}")'
        return re.sub(r"e([+-])0*(\d)", lambda m: f"e{m[1].strip('+')}{m[2]}", text)


def number(value: object) -> Any:
    """A number as people write it: 127.5, 2, 0.1 for the float32 next to it."""
    if isinstance(value, float) and math.isfinite(value):
        for digits in range(1, 17):
            short = float(f"{value:.{digits}g}")
            if short == value or torch.tensor(short, dtype=torch.float32) == torch.tensor(value, dtype=torch.float32):
                value = short
                break
        return int(value) if value == int(value) and abs(value) < 1e6 else Real(value)
    return Real(value) if isinstance(value, float) else value


def expression(site: Site, text: str, level: int = CALL, hint: str = "") -> Expression:
    """Returns an expression that reads all inputs of the node."""
    return Expression(text, list(range(len(site.node.inputs))), level, hint)


# ---- families --------------------------------------------------------------------------------------------------------

Rule = Callable[[Site], Expression | None]
RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Decorator: registers how these operators are written."""

    def register(function: Rule) -> Rule:
        for name in names:
            RULES[name] = function
        return function

    return register
