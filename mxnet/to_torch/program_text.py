"""The text of a program that is being translated, changed in place: nodes of its syntax tree say where."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from ..error import MXNetValueError
from .program_tables import MODULES


class ProgramText:
    """A program that is being translated."""

    def __init__(self, text: str, name: str = "program"):
        self.source = text.encode()
        try:
            self.tree = ast.parse(text)
        except SyntaxError as error:
            raise MXNetValueError(f"{name} is no Python program: {error}") from error
        self.starts = [0]
        for line in self.source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.aliases: dict[str, str] = {}
        self.functions: list[str] = []  # the names that stand for F, innermost last
        self.marks: dict[int, list[str]] = {}
        self.touched: set[int] = set()
        self.uses: set[str] = set()
        self.helpers: set[str] = set()
        #: Does it look into layers? Then a dense one is one module, and not a row with a Flatten in it.
        self.reads_weights = bool(re.search(r"\.(weight|bias)\b", text))
        self.flat: set[ast.AST] = set()  # dense layers behind a layer whose results are vectors

    # ---- positions ---------------------------------------------------------------------------------------------------

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where a node is in the source."""
        place: Any = node
        start = self.starts[place.lineno - 1] + place.col_offset
        return start, self.starts[place.end_lineno - 1] + place.end_col_offset

    def text(self, node: ast.AST) -> str:
        """The new text of a node."""
        new = self.translate_node(node)
        if new is not None:
            self.touched.add(getattr(node, "lineno", 0))
            return new
        return self.inside(node)

    def inside(self, node: ast.AST, begin: int | None = None) -> str:
        """The text of a node with its parts translated."""
        start, end = self.span(node)
        start = start if begin is None else begin
        parts, place = [], start
        for child in self._children(node):
            first, last = self.span(child)
            if first < place:
                continue
            parts.append(self.source[place:first].decode())
            parts.append(self.text(child))
            place = last
        return "".join(parts) + self.source[place:end].decode()

    def _children(self, node: ast.AST) -> list[ast.AST]:
        if isinstance(node, ast.JoinedStr):
            return []  # positions inside of f-strings are known from Python 3.12 on only
        found = []
        for child in ast.iter_child_nodes(node):
            if hasattr(child, "lineno"):
                found.append(child)
            elif not isinstance(child, ast.expr_context | ast.operator | ast.cmpop | ast.boolop | ast.unaryop):
                found += self._children(child)  # arguments, keywords and so on
        return sorted(found, key=self.span)

    # ---- names -------------------------------------------------------------------------------------------------------

    def name(self, node: ast.AST) -> str | None:
        """What an expression is called in MXNet: ``gluon.nn.Dense``; None if it is not MXNet's."""
        if isinstance(node, ast.Name):
            if node.id in self.functions:
                return "ndarray"
            return self.aliases.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self.name(node.value)
            if base is not None:
                full = f"{base}.{node.attr}".removeprefix("mxnet.")
                first, dot, rest = full.partition(".")
                return f"{MODULES.get(first, first)}{dot}{rest}"
        return None

    def mark(self, node: ast.AST, why: str) -> None:
        """Leaves a comment at the line of a node."""
        rows = self.marks.setdefault(getattr(node, "lineno", 1), [])
        if why not in rows:
            rows.append(why)

    # ---- translation -------------------------------------------------------------------------------------------------

    def translate_node(self, node: ast.AST) -> str | None:
        """The text that a node becomes, None if only its parts change."""
        method: Callable[[Any], str | None] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        return method(node) if method is not None else None
