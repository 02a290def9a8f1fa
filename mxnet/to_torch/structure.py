"""Finds what is the same: modules of one class with arguments for what varies, and functions for layers in a row."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .parameters import ANY, Column, Definition, Slot, parametrize, skeleton, slots
from .tree import Body, Literal, Make, Name, Own, Proto, Statement, flat


def _body_key(body: Body, dropped: dict[int, tuple[int, int]], skip: set[int]) -> Any:
    """A forward as a key: without the statements in ``skip``, whose results (``dropped``) are other values."""
    numbers: dict[int, int] = {i: i for i in range(len(body.arguments))}

    def number(value: Any) -> Any:
        while value in dropped:
            value = dropped[value][0]
        return numbers[value]

    def operand(o: Any) -> Any:
        if isinstance(o, int):
            return number(o)
        return ("literal", o.role) if isinstance(o, Literal) else ("own", o.name)

    rows = []
    for i, statement in enumerate(body.statements):
        if i in skip:
            continue
        row = (statement.text, statement.form, tuple(operand(o) for o in statement.operands), len(statement.outs))
        rows.append(row)
        for out in statement.outs:
            numbers[out] = len(numbers)
    return tuple(body.arguments), tuple(rows), tuple(operand(o) for o in flat(body.outputs))


def _children_key(proto: Proto, without: set[str] = frozenset()) -> Any:  # type: ignore[assignment]
    return tuple((n, skeleton(m, False)) for n, m in proto.children.items() if n not in without)


def _called_names(statements: Sequence[Statement]) -> set[str]:
    names = {s.child.partition("[")[0] for s in statements if s.child is not None}
    return names | {o.name for s in statements for o in s.operands if isinstance(o, Own)}


@dataclass(eq=False)
class _Option:
    """Statements that some modules of a class do not have: their result is another value there."""

    start: int
    end: int
    out: int
    instead: int


def _options(full: Proto, small: Proto, known: Sequence[_Option]) -> list[_Option] | None:
    """What has to be left out of one forward to get another one; None if that is not how they differ."""
    missing = len(full.body.statements) - len(small.body.statements)
    goal = _body_key(small.body, {}, set())
    children = {n for n, _ in _children_key(small)}
    if missing < 1 or not children <= set(full.children):
        return None
    if any(skeleton(full.children[n], False) != skeleton(m, False) for n, m in small.children.items()):
        return None
    candidates = sorted(_segments(full.body, missing), key=lambda o: o.start - o.end)  # long ones first

    def attempt(chosen: list[_Option], left: int) -> list[_Option] | None:
        if left == 0:
            skip = {i for o in chosen for i in range(o.start, o.end)}
            try:
                key = _body_key(full.body, {o.out: (o.instead, 0) for o in chosen}, skip)
            except KeyError:
                return None
            return chosen if key == goal else None
        if len(chosen) == 2:
            return None
        for option in candidates:
            apart = all(option.start > c.end or option.end < c.start for c in chosen)
            if apart and option.end - option.start <= left:
                found = attempt([*chosen, option], left - (option.end - option.start))
                if found is not None:
                    return found
        return None

    return attempt([], missing)


def _segments(body: Body, longest: int) -> list[_Option]:
    found = []
    statements = body.statements
    for start in range(len(statements)):
        for end in range(start + 1, min(start + longest, len(statements), start + 5) + 1):
            inside = statements[start:end]
            made = {o for s in inside for o in s.outs}
            later = {o for s in statements[end:] for o in s.operands if isinstance(o, int)}
            later |= {o for o in flat(body.outputs) if isinstance(o, int)}
            if len(made & later) != 1:
                continue
            (out,) = made & later
            sources = dict.fromkeys(o for s in inside for o in s.operands if isinstance(o, int) and o not in made)
            sources |= dict.fromkeys(range(len(body.arguments)))
            found += [_Option(start, end, out, source) for source in sources]
    return found


class Structure:
    """All definitions of a network, and what the network itself is made of."""

    def __init__(self, root: Make):
        self.definitions: list[Definition] = []
        self.names: set[str] = set(_RESERVED)
        assert root.proto is not None
        makes = [m for m in root.walk() if m.proto is not None]
        unique = list({id(m): m for m in makes}.values())
        ranks: dict[str, int] = {}
        for make in unique:
            assert make.proto is not None
            ranks[make.proto.kind] = max(ranks.get(make.proto.kind, 0), _height(make))
        by_rank: dict[tuple[int, str], list[Make]] = {}
        for make in unique:
            if make is not root:
                assert make.proto is not None
                by_rank.setdefault((ranks[make.proto.kind], make.proto.kind), []).append(make)
        for (_, kind), members in sorted(by_rank.items(), key=lambda pair: pair[0]):
            heights = sorted({_height(m) for m in members})
            nested = any(n is not m and n.proto is not None and n.proto.kind == kind for m in members for n in m.walk())
            for part in [[m for m in members if _height(m) == h] for h in heights] if nested else [members]:
                self.define(kind, part)
        self.root = self.define(root.proto.kind, [root])
        self.factor()

    def unique_name(self, wanted: str) -> str:
        """A name that no other class or function has."""
        name = wanted
        for ending in ("", *[chr(c) for c in range(ord("B"), ord("Z"))]):
            name = wanted + (ending if wanted[:1].isupper() else f"_{ending.lower()}" if ending else "")
            if name not in self.names:
                break
        self.names.add(name)
        return name

    def define(self, kind: str, members: Sequence[Make]) -> Definition:
        """Makes classes of modules that Gluon had one class for."""
        groups: dict[Any, list[Make]] = {}
        for make in members:
            assert make.proto is not None
            key = _body_key(make.proto.body, {}, set()), _children_key(make.proto)
            groups.setdefault(key, []).append(make)
        rest = sorted(groups.values(), key=lambda g: -len(g[0].proto.body.statements))  # type: ignore[union-attr]
        made = None
        while rest:
            full, *others = rest
            rest = []
            options: list[_Option] = []
            variants: list[tuple[list[Make], list[_Option]]] = [(full, [])]
            for other in others:
                found = _options(full[0].proto, other[0].proto, options)  # type: ignore[arg-type]
                if found is None:
                    rest.append(other)
                    continue
                own = []
                for option in found:
                    same = next(
                        (
                            o
                            for o in options
                            if (o.start, o.end, o.instead) == (option.start, option.end, option.instead)
                        ),
                        None,
                    )
                    if same is None:
                        same = option
                        options.append(option)
                    own.append(same)
                variants.append((other, own))
            made = self._class(kind, variants, options)
        assert made is not None
        return made

    def _class(
        self, kind: str, variants: Sequence[tuple[list[Make], list[_Option]]], options: Sequence[_Option]
    ) -> Definition:
        proto = variants[0][0][0].proto
        assert proto is not None
        definition = Definition(self.unique_name(_class_name(kind)), proto=proto, doc=proto.doc)
        members = [(m, own) for group, own in variants for m in group]
        definition.instances = [m for m, _ in members]
        columns: list[Column] = []
        places: list[Any] = []
        template = {name: make.copy() for name, make in proto.children.items()}
        for name, make in template.items():
            rows = [list(slots(m.proto.children[name], name)) if name in m.proto.children else None for m, _ in members]  # type: ignore[union-attr]
            for i, slot in enumerate(slots(make, name)):
                columns.append(Column(slot.key, name, [ANY if r is None else r[i].value for r in rows]))
                places.append(slot)
        for number, statement in enumerate(proto.body.statements):
            for i, operand in enumerate(statement.operands):
                if isinstance(operand, Literal):
                    values = []
                    for make, own in members:
                        assert make.proto is not None
                        at = _matching(number, own)
                        values.append(ANY if at is None else make.proto.body.statements[at].operands[i].value)
                    columns.append(Column(operand.role, "", values))
                    places.append((number, i))
        flags = []
        for option in options:
            statement = proto.body.statements[option.start]
            single = option.end == option.start + 1 and statement.child is not None and "[" not in statement.child
            single = single and statement.operands == [option.instead]
            role = statement.child if single else _flag_name(proto.body.statements[option.start : option.end])
            column = Column(str(role), "", [option not in own for _, own in members])
            columns.append(column)
            places.append(option)
            flags.append((option, column, single))
        found = parametrize(columns)
        definition.parameters = [p for p, _ in found]
        for column, place in zip(columns, places, strict=True):
            if isinstance(place, Slot):
                place.make.args[place.key] = column.result
        body = _copy_body(proto.body)
        for column, place in zip(columns, places, strict=True):
            if isinstance(place, tuple):
                number, i = place
                value = column.result
                if isinstance(value, Name):
                    base = value.text.split()[0]
                    definition.stored[base] = Name(base)
                    value = Name(f"self.{value.text}")
                body.statements[number].operands[i] = Literal(value, column.key)
        for option, column, single in flags:
            condition = column.result.text if isinstance(column.result, Name) else None
            if condition is None:
                continue
            if single:
                template[str(body.statements[option.start].child)].condition = condition
                continue
            inside = body.statements[option.start : option.end]
            only = _called_names(inside) - _called_names([s for s in body.statements if s not in inside])
            for child in only:
                template[child].condition = condition
            flag = f"has_{condition}" if condition in template else condition
            definition.stored[flag] = Name(condition)
            for statement in inside:
                statement.condition = f"self.{flag}"
                statement.instead = option.instead
        definition.children, definition.body = template, body
        for index, (make, _) in enumerate(members):
            make.name, make.definition = definition.name, definition
            make.args = {p.name: values[index] for p, values in found}
        self.definitions.append(definition)
        return definition

    # ---- functions ---------------------------------------------------------------------------------------------------

    def factor(self) -> None:
        """Makes functions of layers that stand in a row more than once."""
        for _ in range(8):
            owners = [
                make
                for definition in self.definitions
                for child in (*definition.children.values(), *definition.items)
                for make in child.walk_template()
                if make.name in ("nn.Sequential", "Concurrent", "nn.ModuleList") and make.definition is None
            ]
            best: tuple[int, Any, list[tuple[Make, int]], int] | None = None
            keys = {id(o): [skeleton(i) for i in o.items] for o in owners}
            for length in range(1, 13):
                found: dict[Any, list[tuple[Make, int]]] = {}
                ends: dict[tuple[int, Any], int] = {}
                for owner in owners:
                    row = keys[id(owner)]
                    for start in range(len(row) - length + 1):
                        key = tuple(row[start : start + length])
                        if _repeats(key):
                            continue
                        if ends.get((id(owner), key), 0) <= start and _is_worth(owner.items[start : start + length]):
                            ends[id(owner), key] = start + length
                            found.setdefault(key, []).append((owner, start))
                for key, places in found.items():
                    owner, start = places[0]
                    cost = sum(_lines(i) for i in owner.items[start : start + length])
                    saved = len(places) * (cost - 1) - cost - 5
                    if owner.items[start].weights or length == 1:
                        saved += 1  # rather from a convolution on than to one
                    if len(places) > 2 and saved > 6 and (best is None or saved > best[0]):
                        found_ = parametrize(_columns([o.items[s : s + length] for o, s in places]))
                        saved -= 2 * max(len(found_) - 3, 0)  # many arguments are hard to read
                        if len(found_) <= 6 and saved > 6 and (best is None or saved > best[0]):
                            best = saved, key, places, length
            if best is None:
                return
            self._function(best[2], best[3])

    def _function(self, places: Sequence[tuple[Make, int]], length: int) -> None:
        windows = [owner.items[start : start + length] for owner, start in places]
        template = [m.copy() for m in windows[0]]
        columns = _columns(windows)
        found = parametrize(columns)
        for slot, column in zip([s for m in template for s in slots(m, _token(m))], columns, strict=True):
            slot.make.args[slot.key] = column.result
        name = self.unique_name(_function_name(template))
        definition = Definition(name, [p for p, _ in found], items=template, is_list=length > 1)
        index = next((i for i, d in enumerate(self.definitions) if any(o in _owners(d) for o, _ in places)), 0)
        self.definitions.insert(index, definition)
        for number, (owner, start) in reversed(list(enumerate(places))):
            args = {p.name: values[number] for p, values in found}
            call = Make(name, args, definition=definition, is_list=length > 1)
            definition.instances.append(call)
            owner.items[start : start + length] = [call]


_RESERVED = (
    "torch",
    "nn",
    "F",
    "Tensor",
    "Any",
    "Path",
    "load",
    "load_file",
    "Concurrent",
    "ToIndex",
    *[f"BatchNorm{n}d" for n in (1, 2, 3)],
)


def _repeats(key: Sequence[Any]) -> bool:
    """Is it a shorter row, more than once? That is a loop, or a function for the shorter one."""
    return any(len(key) % n == 0 and all(key[i] == key[i % n] for i in range(len(key))) for n in range(1, len(key)))


def _owners(definition: Definition) -> list[Make]:
    return [m for c in (*definition.children.values(), *definition.items) for m in c.walk_template()]


def _columns(windows: Sequence[Sequence[Make]]) -> list[Column]:
    rows = [[s for m in window for s in slots(m, _token(m))] for window in windows]
    return [Column(s.key, s.owner, [row[i].value for row in rows]) for i, s in enumerate(rows[0])]


def _matching(number: int, dropped: Sequence[_Option]) -> int | None:
    """The place of a statement in a forward that lacks some."""
    if any(o.start <= number < o.end for o in dropped):
        return None
    return number - sum(o.end - o.start for o in dropped if o.end <= number)


def _copy_body(body: Body) -> Body:
    statements = [
        Statement(list(s.outs), s.text, list(s.operands), s.hint, s.level, s.child, form=s.form)
        for s in body.statements
    ]
    return Body(list(body.arguments), body.shapes, statements, body.outputs, body.count, body.out_shapes)


def _height(make: Make) -> int:
    inside = [*make.items, *(make.proto.children.values() if make.proto is not None else ())]
    return max((_height(m) for m in inside), default=0) + (make.proto is not None)


def _class_name(kind: str) -> str:
    name = re.sub(r"[^A-Za-z0-9_]", "", kind).strip("_")
    if not name[:1].isupper():
        name = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    return name if name.isidentifier() and not keyword.iskeyword(name) else f"Net{name}"


def _flag_name(statements: Sequence[Statement]) -> str:
    last = statements[-1]
    if last.text == "{0} + {1}":
        return "shortcut"
    name = last.child.partition("[")[0] if last.child is not None else last.hint
    if name == "=":  # another form of the same value
        found = re.search(r"\.([a-z]\w*)\(", last.text)
        name = found.group(1) if found is not None else "it"
    return f"use_{name}"


_TOKENS = {
    "Conv": "conv",
    "ConvTranspose": "deconv",
    "BatchNorm": "bn",
    "Linear": "fc",
    "MaxPool": "pool",
    "AvgPool": "pool",
    "LayerNorm": "norm",
    "InstanceNorm": "norm",
}


def _token(make: Make) -> str:
    plain = make.name.removeprefix("nn.").rstrip("0123456789d")
    if make.definition is not None:
        return make.name if make.name.islower() else ""
    return _TOKENS.get(plain, plain.lower())


def _lines(make: Make) -> int:
    """About how many lines it takes to write a module."""
    if make.definition is not None or not make.items:
        return 1
    return 2 + sum(_lines(i) for i in make.items)


def _is_worth(items: Sequence[Make]) -> bool:
    return any(m.weights or m.items or m.definition is not None for m in items) and (
        len(items) > 1 or _lines(items[0]) > 2
    )


def _function_name(items: Sequence[Make]) -> str:
    if len(items) == 1:
        inner = items[0]
        if inner.name == "Concurrent":
            return "dense_layer" if inner.items[0].name == "nn.Identity" and len(inner.items) == 2 else "branches"
        items = inner.items
        if not items:
            return "layer"
    tokens = [_token(i) or "block" for i in items]
    if len(tokens) <= 4 and all(t.isidentifier() for t in tokens):
        return "_".join(tokens)
    convolutions = [i for i in items if i.name.startswith("nn.Conv")]
    if len(convolutions) == 2 and isinstance(convolutions[0].args.get("groups"), Name):
        return "separable_conv"
    if len(convolutions) == 2 and convolutions[0].args.get("groups", 1) != 1:
        return "separable_conv"
    half = len(tokens) // 2
    if len(tokens) % 2 == 0 and tokens[:half] == tokens[half:]:
        return "double_" + "_".join(tokens[:half])
    short = list(dict.fromkeys(tokens))
    return "_".join(short[:4]) + "_block"
