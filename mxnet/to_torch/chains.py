"""Loops in forwards: calls that hand their results on, over the items of a list or the steps of a sequence.

``self.layers[0](x)``, ``self.layers[1](x)``, ... becomes ``for layer in self.layers``, and a cell that is unrolled over
``x.unbind(1)`` becomes ``for step in steps``.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .tree import Body, Literal, Statement, flat

_JOIN = re.compile(r"(torch\.(?:cat|stack)\()\[((?:\{\d+\}(?:, )?)+)\](, dim=-?\d+\))")
_CALL = re.compile(r"self\.([\w.\[\]]+)\(((?:\{\d+\}(?:, )?)*)\)")
#: From how many calls on it is a loop.
_LEAST = 3


@dataclass(eq=False)
class Loop(Statement):
    """Calls in a loop; ``calls`` are the statements that it stands for."""

    calls: list[Statement] = field(default_factory=list)
    #: What is iterated: the name of a list of modules, or the statement whose results are the steps.
    modules: str | None = None
    steps: Statement | None = None
    is_reversed: bool = False
    #: For each argument, which result of the call before it is; None for the same in all calls, -1 for the step.
    sources: list[int | None] = field(default_factory=list)
    #: The results of which all are kept, not only the last.
    kept: list[int] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Items:
    """All that a loop has kept of one result, as an operand."""

    loop: Loop
    place: int
    is_reversed: bool


def with_chains(body: Body) -> Body:
    """The forward with loops for calls in a row."""
    statements = list(body.statements)
    groups: dict[str, list[Statement]] = {}
    for statement in statements:
        is_plain = statement.condition is None and statement.form is None and _CALL.fullmatch(statement.text)
        if statement.child is not None and is_plain:
            groups.setdefault(re.sub(r"\[\d+\]$", "[]", statement.child), []).append(statement)
    for child, calls in groups.items():
        loop = _over_modules(calls) if child.endswith("[]") else None
        if loop is not None:
            statements = _replaced(statements, loop, body)
            continue
        each: dict[str, list[Statement]] = {}
        for call in calls:
            each.setdefault(str(call.child), []).append(call)
        for own in each.values():
            loop = _over_steps(own, statements)
            statements = statements if loop is None else _replaced(statements, loop, body)
    return Body(body.arguments, body.shapes, statements, body.outputs, body.count, body.out_shapes)


def _over_modules(calls: Sequence[Statement]) -> Loop | None:
    """A loop over a list of modules, each of which is called once, in order."""
    places = [int(str(c.child).rpartition("[")[2][:-1]) for c in calls]
    if len(calls) < _LEAST or places != list(range(len(calls))):
        return None
    sources = _sources(calls, None)
    if sources is None or all(s is None for s in sources):
        return None
    return Loop([], "", [], calls=list(calls), modules=str(calls[0].child).rpartition("[")[0], sources=sources)


def _over_steps(calls: Sequence[Statement], statements: Sequence[Statement]) -> Loop | None:
    """A loop over the results of another statement, in order or backwards."""
    if len(calls) < _LEAST:
        return None
    for place, operand in enumerate(calls[0].operands):
        for is_reversed in (False, True):
            values = [c.operands[place] if place < len(c.operands) else None for c in calls]
            values = values[::-1] if is_reversed else values
            maker = next((s for s in statements if operand in _items(s, calls)), None)
            if maker is None or values != _items(maker, calls):
                continue
            sources = _sources(calls, place)
            if sources is None or all(s in (None, -1) for s in sources):
                continue
            return Loop([], "", [], calls=list(calls), steps=maker, is_reversed=is_reversed, sources=sources)
    return None


def _items(statement: Statement, calls: Sequence[Statement]) -> list[int]:
    """The results that a statement gives as a sequence of as many steps."""
    if isinstance(statement, Loop):
        rows = [[c.outs[j] for c in statement.calls] for j in range(len(statement.calls[0].outs))]
        wanted = {o for c in calls for o in c.operands if isinstance(o, int)}
        return next((row for row in rows if len(row) == len(calls) and set(row) <= wanted), [])
    is_sequence = statement.child is None and statement.form is None and statement.condition is None
    return list(statement.outs) if is_sequence and len(statement.outs) == len(calls) else []


def _sources(calls: Sequence[Statement], step: int | None) -> list[int | None] | None:
    """Where the arguments of each call come from, if that is the same for all."""
    first, second = calls[0], calls[1]
    if any((len(c.operands), len(c.outs)) != (len(first.operands), len(first.outs)) for c in calls):
        return None
    found: list[int | None] = []
    for place, operand in enumerate(second.operands):
        if place == step:
            found.append(-1)
        elif operand in first.outs:
            source = first.outs.index(operand)
            if any(b.operands[place] != a.outs[source] for a, b in itertools.pairwise(calls)):
                return None
            found.append(source)
        elif all(_same(c.operands[place], operand) for c in calls):
            found.append(None)
        else:
            return None
    carried = [s for s in found if s is not None and s >= 0]
    return found if len(set(carried)) == len(carried) else None


def _same(a: object, b: object) -> bool:
    return a == b or (isinstance(a, Literal) and isinstance(b, Literal) and a.value == b.value and a.role == b.role)


def _replaced(statements: list[Statement], loop: Loop, body: Body) -> list[Statement]:
    """The statements with the loop instead of its calls; as they were if that is not possible."""
    calls = loop.calls
    inside = set(map(id, calls))
    users = [o for s in statements if id(s) not in inside for o in _operands(s)]
    wanted = {o for o in [*users, *flat(body.outputs)] if isinstance(o, int)}
    loop.kept = [j for j in range(len(calls[0].outs)) if any(c.outs[j] in wanted for c in calls[:-1])]
    loop.outs = [o for c in calls for o in c.outs]
    loop.operands = [o for i, s in enumerate(loop.sources) if s != -1 for o in [calls[0].operands[i]]]
    steps = [] if loop.steps is None else _items(loop.steps, calls)
    loop.operands += steps
    if isinstance(loop.steps, Loop) and len(loop.steps.kept) > 1:
        return statements
    place = next(i for i, s in enumerate(statements) if s is calls[0])
    made = [*statements[:place], loop, *statements[place:]]
    made = [_joined(s, loop) for s in made if id(s) not in inside]
    ordered = _ordered(made)
    if ordered is None:
        return statements
    if loop.steps is not None:
        loop.steps.is_whole = True
    return ordered


def _operands(statement: Statement) -> list[Any]:
    return [*statement.operands, *([] if statement.instead is None else [statement.instead])]


def _joined(statement: Statement, loop: Loop) -> Statement:
    """A statement that joins all that the loop keeps takes the list."""
    match = _JOIN.fullmatch(statement.text)
    if match is None:
        return statement
    for j in loop.kept:
        row = [c.outs[j] for c in loop.calls]
        if statement.operands in (row, row[::-1]):
            operands: list[Any] = [Items(loop, j, statement.operands != row), *row]
            text = f"{match.group(1)}{{0}}{match.group(3)}"
            return Statement(statement.outs, text, operands, statement.hint, statement.level)
    return statement


def _ordered(statements: list[Statement]) -> list[Statement] | None:
    """The statements in an order in which each comes after what it needs; None if they need each other."""
    makers = {o: s for s in statements for o in s.outs}
    done: set[int] = set()
    left, found = list(statements), []
    while left:
        ready = next(
            (s for s in left if all(id(makers[o]) in done for o in _operands(s) if isinstance(o, int) and o in makers)),
            None,
        )
        if ready is None:
            return None
        left.remove(ready)
        done.add(id(ready))
        found.append(ready)
    return found
