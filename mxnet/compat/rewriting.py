"""The source of an old module with removed names replaced, and everything else unchanged: comments, spaces, lines."""

from __future__ import annotations

import ast
import io
from dataclasses import dataclass
from itertools import accumulate

from .old_names import BUILTINS, METHODS, MODULES, NAMES

__all__ = ["Change", "changes", "rewritten"]


@dataclass(frozen=True, order=True)
class Change:
    """A piece of the source, by line (from 1) and bytes in it, and what is to be in its place; None: by hand."""

    line: int
    begin: int
    end_line: int
    end: int
    text: str | None
    why: str


def changes(source: str) -> list[Change]:
    """What is to be changed in a module. Raises SyntaxError if it is not Python 3."""
    return sorted(_Finder(ast.parse(source), source).found)


def rewritten(source: str, found: list[Change]) -> str:
    """The source with the changes made."""
    starts = list(accumulate((len(line.encode()) for line in lines_of(source)), initial=0))
    content, parts, done = source.encode(), [], 0
    for change in sorted(found):
        if change.text is not None:
            parts += [content[done : starts[change.line - 1] + change.begin], change.text.encode()]
            done = starts[change.end_line - 1] + change.end
    return b"".join([*parts, content[done:]]).decode()


def lines_of(source: str) -> list[str]:
    """The lines as Python counts them, with their ends."""
    return list(io.StringIO(source, newline=""))


class _Finder(ast.NodeVisitor):
    def __init__(self, tree: ast.Module, source: str):
        self.found: list[Change] = []
        self._lines = [line.encode() for line in lines_of(source)]
        #: Names that stand for modules, and the module of each.
        self._modules: dict[str, str] = {}
        for node in ast.walk(tree):
            for alias in node.names if isinstance(node, ast.Import) else ():
                if alias.name in NAMES or alias.name == "imp":
                    self._modules[alias.asname or alias.name] = alias.name
        self._uses_abstract = False
        self._assigned = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        self._calls = {n.func: n for n in ast.walk(tree) if isinstance(n, ast.Call)}
        self.visit(tree)
        if self._uses_abstract:
            for node in ast.walk(tree):
                for alias in node.names if isinstance(node, ast.Import) else ():
                    if alias.name == "collections" and alias.asname is None:
                        self._change(alias, "collections.abc", "collections.abc is a module of its own")

    def _change(self, node: ast.AST, text: str | None, why: str) -> None:
        place = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]
        self.found.append(Change(*place, text, why))

    def _segment(self, node: ast.expr) -> str:
        """What stands at the place of a node, on one line."""
        return self._lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode(errors="replace")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.generic_visit(node)
        module = self._modules.get(node.value.id) if isinstance(node.value, ast.Name) else None
        there = NAMES.get(module or "", {}).get(node.attr)
        if module is None or there is None or not isinstance(node.ctx, ast.Load):
            return
        here, why = ast.unparse(node.value), f"{module}.{node.attr} has gone"
        if self._segment(node) != f"{here}.{node.attr}":  # before Python 3.12 places in f-strings may be wrong
            self._change(node, None, f"{why}: it is {there.replace(f'{module}.', f'{here}.')} now")
            return
        if node.attr == "asscalar":
            self._item(node, why)
        elif there.startswith("("):
            self._change(node, there.replace("numpy.", f"{here}."), why)
        elif "." not in there:
            self._change(node, there, why)
        elif there.startswith(f"{module}."):
            self._uses_abstract = self._uses_abstract or module == "collections"
            self._change(node, f"{here}{there[len(module) :]}", why)
        else:
            self._change(node, None, f"{why}: it is {there} now")

    def _item(self, node: ast.Attribute, why: str) -> None:
        """``np.asscalar(x)`` becomes ``x.item()``."""
        call = self._calls.get(node)
        if call is None or len(call.args) != 1 or call.keywords:
            self._change(node, None, f"{why}: x.item() is the same")
            return
        argument = call.args[0]
        simple = isinstance(argument, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
        begin = call.lineno, call.col_offset, argument.lineno, argument.col_offset
        ends = argument.end_lineno, argument.end_col_offset, call.end_lineno, call.end_col_offset
        self.found.append(Change(*begin, "" if simple else "(", why))
        self.found.append(Change(*ends, ".item()" if simple else ").item()", why))  # type: ignore[arg-type]

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in BUILTINS and node.id not in self._assigned and self._segment(node) == node.id:
            self._change(node, BUILTINS[node.id], f"Python 3 calls {node.id} {BUILTINS[node.id]}")

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            if alias.name in MODULES:
                there = MODULES[alias.name]
                text = f"{there} as {alias.asname or alias.name}" if "." not in alias.name or alias.asname else None
                self._change(alias, text, f"Python 3.12 has no {alias.name}")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level or not (module in MODULES or module in NAMES):
            return
        parts: dict[str, list[str]] = {}
        for alias in node.names:
            there = NAMES.get(module, {}).get(alias.name)
            if module in MODULES:
                parts.setdefault(MODULES[module], []).append(_as(alias.name, alias))
            elif there is None or "." not in there or there.startswith("("):
                if there is not None:
                    self._change(node, None, f"{module}.{alias.name} has gone: it is {there} now")
                    return
                parts.setdefault(module, []).append(_as(alias.name, alias))
            else:
                holder, _, name = there.rpartition(".")
                parts.setdefault(holder, []).append(_as(name, alias))
        if list(parts) == [module] and all(a.name not in NAMES.get(module, {}) for a in node.names):
            return
        line = self._lines[node.lineno - 1]
        before = line[: node.col_offset].decode()
        end = "\r\n" if line.endswith(b"\r\n") else "\n"
        between = "; " if before.strip() else f"{end}{before}"
        text = between.join(f"from {holder} import {', '.join(names)}" for holder, names in parts.items())
        gone = [a.name for a in node.names if module in MODULES or a.name in NAMES.get(module, {})]
        self._change(node, text, f"{module} has no {', '.join(gone)} any more")

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        function = node.func
        renamed = {"tostring": "tobytes", **METHODS["dict"]}
        if isinstance(function, ast.Attribute) and function.attr in renamed and not (node.args or node.keywords):
            old = function.attr
            line, end = function.end_lineno or 0, function.end_col_offset or 0
            begin = end - len(old)
            if self._lines[line - 1][begin:end] == old.encode():
                owner = "arrays" if old == "tostring" else "dicts"
                self.found.append(Change(line, begin, line, end, renamed[old], f"{owner} no longer have {old}"))
            return
        if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
            return
        is_array = self._modules.get(function.value.id) == "numpy" and function.attr in ("array", "asarray")
        if is_array and len(node.args) == 1 and not node.keywords and _is_ragged(node.args[0]):
            argument = node.args[0]
            after = argument.end_lineno or argument.lineno, argument.end_col_offset or argument.col_offset
            self.found.append(
                Change(*after, *after, ", dtype=object", "lists of different lengths are an array of objects")
            )


def _as(name: str, alias: ast.alias) -> str:
    known = alias.asname or alias.name
    return name if name == known else f"{name} as {known}"


def _is_ragged(node: ast.expr) -> bool:
    """Is it written as lists of which some are longer than others?"""
    if not isinstance(node, ast.List | ast.Tuple):
        return False
    rows = [item for item in node.elts if isinstance(item, ast.List | ast.Tuple)]
    if any(isinstance(item, ast.Starred) for row in rows for item in row.elts):
        return False
    return bool(rows) and (len(rows) < len(node.elts) or len({len(row.elts) for row in rows}) > 1)
