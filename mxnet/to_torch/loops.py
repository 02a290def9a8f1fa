"""Loops in forwards: what is joined from parts that are computed alike becomes a list with a ``for``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .tree import Body, Literal, Statement, flat, map_nested

_JOIN = re.compile(r"torch\.(cat|stack)\(\[((?:\{\d+\}(?:, )?)+)\], (dim=-?\d+)\)")
_NUMBER = re.compile(r"\{\d+\}|\d+\.\d+|(?<![\w.])\d+")
#: From how many parts on it is a loop.
_LEAST = 3


@dataclass(eq=False)
class _Tree:
    """A value as an expression of others: of a statement whose result has no other user, or the value itself."""

    statement: Statement | None
    leaf: Any = None
    parts: list[_Tree] = field(default_factory=list)


@dataclass(eq=False)
class _Packed:
    """The results of one statement, of which the i-th is meant."""

    statement: Statement
    start: int


class _Loops:
    def __init__(self, body: Body):
        self.body = body
        self.makers = {out: s for s in body.statements for out in s.outs}
        self.uses: dict[int, int] = {}
        for statement in body.statements:
            for operand in statement.operands:
                if isinstance(operand, int):
                    self.uses[operand] = self.uses.get(operand, 0) + 1
        for value in flat(body.outputs):
            if isinstance(value, int):
                self.uses[value] = self.uses.get(value, 0) + 1
        self.packed: dict[int, int] = {}  # by the id of the statement, the number of the whole result

    def tree(self, value: Any, consumed: list[Statement]) -> _Tree:
        maker = self.makers.get(value) if isinstance(value, int) else None
        simple = maker is not None and len(maker.outs) == 1 and maker.form is None and maker.condition is None
        if maker is None or not simple or self.uses.get(value, 0) != 1:
            return _Tree(None, value)
        consumed.append(maker)
        return _Tree(maker, None, [self.tree(o, consumed) for o in maker.operands])

    # ---- unification -------------------------------------------------------------------------------------------------

    def unify(self, trees: Sequence[_Tree], operands: list[Any]) -> tuple[str, int] | None:
        """The text for the i-th of expressions that are alike, and its precedence; adds the operands that it needs."""
        first = trees[0]
        if all(t.statement is None for t in trees):
            return self._leaves([t.leaf for t in trees], operands)
        if any(t.statement is None or len(t.parts) != len(first.parts) for t in trees):
            return None
        text = _with_index([_spell_out_start(t.statement.text) for t in trees if t.statement is not None])
        if text is None or len({t.statement.level for t in trees if t.statement is not None}) != 1:
            return None
        assert first.statement is not None
        parts = []
        for place in range(len(first.parts)):
            part = self.unify([t.parts[place] for t in trees], operands)
            if part is None:
                return None
            parts.append(part)

        def put(match: re.Match) -> str:
            inner, level = parts[int(match.group(1))]
            before, after = text[: match.start()], text[match.end() :]
            is_bare = before[-1:] in ("(", "[") or before.endswith((", ", "="))
            is_bare = is_bare and after[:1] in (")", "]", ",")
            return inner if level == 0 or is_bare else f"({inner})"

        return re.sub(r"\{(\d+)\}", put, text), first.statement.level

    def _leaves(self, leaves: Sequence[Any], operands: list[Any]) -> tuple[str, int] | None:
        first = leaves[0]
        if all(type(x) is type(first) and x == first for x in leaves):
            operands.append(first)
            return f"@{len(operands) - 1}@", 0
        if all(isinstance(x, Literal) and type(x.value) is int for x in leaves):
            step = _progression([x.value for x in leaves])
            return None if step is None else (step, 3 if " " in step else 0)
        maker = self.makers.get(first) if isinstance(first, int) else None
        if maker is None or len(maker.outs) < len(leaves) or maker.form is not None or maker.child is None:
            return None
        start = maker.outs.index(first)
        if list(leaves) != maker.outs[start : start + len(leaves)]:
            return None
        operands.append(_Packed(maker, start))
        return f"@{len(operands) - 1}@[{_index(start)}]", 0

    # ---- rewriting ---------------------------------------------------------------------------------------------------

    def run(self) -> Body:
        statements = list(self.body.statements)
        for join in self.body.statements:
            match = _JOIN.fullmatch(join.text)
            if match is None or join.condition is not None or len(join.operands) < _LEAST or join not in statements:
                continue
            consumed: list[Statement] = []
            trees = [self.tree(o, consumed) for o in join.operands]
            operands: list[Any] = []
            found = self.unify(trees, operands) if all(t.statement is not None for t in trees) else None
            if found is None:
                continue
            text, count = found[0], len(trees)
            joined = f"torch.{match.group(1)}([{text} for i in range({count})], {match.group(3)})"
            places = [self._pack(o, statements) if isinstance(o, _Packed) else o for o in operands]
            own = Statement(join.outs, re.sub(r"@(\d+)@", r"{\1}", joined), places, join.hint, join.level)
            statements = [own if s is join else s for s in statements if s not in consumed]
        return _renumber(self.body, statements)

    def _pack(self, packed: _Packed, statements: list[Statement]) -> int:
        """Keeps the results of a statement together; those that are used elsewhere are taken out of them."""
        maker = packed.statement
        if id(maker) not in self.packed:
            whole = self.packed[id(maker)] = -1 - len(self.packed)
            place = statements.index(maker)
            rest = [Statement([out], f"{{0}}[{i}]", [whole], maker.hint) for i, out in enumerate(maker.outs)]
            single = Statement([whole], maker.text, list(maker.operands), maker.hint, maker.level, maker.child)
            single.form = "{0}"  # a tuple, not a tensor: it gets a name of its own
            statements[place : place + 1] = [single, *rest]
        return self.packed[id(maker)]


def _spell_out_start(text: str) -> str:
    """A slice from the beginning says so, so that it is like the others."""
    return re.sub(r"(, |\[):(\d+)\]", r"\g<1>0:\2]", text)


def _with_index(texts: Sequence[str]) -> str | None:
    """A text whose numbers are the same in all, or grow with i."""
    shapes = {_NUMBER.sub(lambda m: m.group() if m.group().startswith("{") else "#", t) for t in texts}
    if len(shapes) != 1:
        return None
    rows = [[m for m in _NUMBER.findall(t) if not m.startswith("{")] for t in texts]
    values = []
    for column in zip(*rows, strict=True):
        if len(set(column)) == 1:
            values.append(column[0])
        elif any("." in n for n in column):
            return None
        else:
            step = _progression([int(n) for n in column])
            if step is None:
                return None
            values.append(step)
    rest = iter(values)
    (shape,) = shapes
    made = re.sub("#", lambda _: next(rest), shape)
    return re.sub(r"(?<=[\[ ])([^\[\],]*i[^\[\],:]*):([^\[\],]+)(?=\])", r"\1 : \2", made)


def _progression(numbers: Sequence[int]) -> str | None:
    step = numbers[1] - numbers[0]
    if any(n != numbers[0] + step * i for i, n in enumerate(numbers)) or step < 1:
        return None
    part = "i" if step == 1 else f"{step} * i"
    return part if numbers[0] == 0 else f"{part} + {numbers[0]}"


def _index(start: int) -> str:
    return f"i + {start}" if start else "i"


def _renumber(body: Body, statements: Sequence[Statement]) -> Body:
    """A body with other statements, its values numbered anew; unused ones are left out."""
    kept = list(statements)
    while True:
        used = {o for s in kept for o in s.operands if isinstance(o, int)}
        used |= {o for o in flat(body.outputs) if isinstance(o, int)}
        fewer = [s for s in kept if any(o in used for o in s.outs)]
        if len(fewer) == len(kept):
            break
        kept = fewer
    numbers = {i: i for i in range(len(body.arguments))}
    made = []
    for s in kept:
        operands = [numbers[o] if isinstance(o, int) else o for o in s.operands]
        outs = []
        for out in s.outs:
            numbers[out] = len(numbers)
            outs.append(numbers[out])
        instead = None if s.instead is None else numbers[s.instead]
        made.append(Statement(outs, s.text, operands, s.hint, s.level, s.child, s.condition, instead, s.form))
    outputs = map_nested(body.outputs, lambda v: numbers[v] if isinstance(v, int) else v)
    return Body(body.arguments, body.shapes, made, outputs, len(numbers), body.out_shapes)


def with_loops(body: Body) -> Body:
    """The forward with lists instead of rows of statements that are alike."""
    return _Loops(body).run() if len(body.statements) > _LEAST else body
