"""Writes the source of a network: classes, functions and forwards, in lines of at most 110 characters."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .build import identifier
from .chains import Items, Loop, with_chains
from .layout import WIDTH, Call, format_value, item_docs, lines_of, make_doc, plain_doc
from .loops import with_loops
from .structure import Definition, Structure
from .tree import Body, Literal, Name, Own, Proto, flat


class ForwardWriter:
    """The lines of a forward: values get names, and what is used once goes into the next expression."""

    def __init__(self, body: Body):
        self.body = body
        self.uses: dict[int, int] = {}
        for statement in body.statements:
            for operand in statement.operands:
                if isinstance(operand, int):
                    places = len(re.findall(rf"\{{{statement.operands.index(operand)}\}}", statement.text))
                    self.uses[operand] = self.uses.get(operand, 0) + max(places, 1)
        for value in flat(body.outputs):
            if isinstance(value, int):
                self.uses[value] = self.uses.get(value, 0) + 1
        following = [*body.statements[1:], None][: len(body.statements)]
        for statement, after in zip(body.statements, following, strict=True):
            is_last = after is None or after.condition != statement.condition
            if statement.condition is not None and statement.instead is not None and is_last:
                self.uses[statement.instead] = self.uses.get(statement.instead, 0) + 1
        self.left = dict(self.uses)
        #: Functions that are called: no variable may have their names.
        self.called = {n for s in body.statements for n in re.findall(r"(?<![\w.])([a-z_]\w*)\(", s.text)}
        #: The name of each value, or its expression with its precedence, if it has been put off.
        self.names: dict[int, str] = dict(enumerate(body.arguments))
        self.pending: dict[int, tuple[str, int]] = {}
        #: What the values are forms of, where they have no name.
        self.origins: dict[int, str] = {}
        self.lines: list[str] = []
        #: The names of what loops keep.
        self.lists: dict[Any, dict[int, str]] = {}

    def live(self) -> dict[str, int]:
        """The names that are still needed, with the values they stand for."""
        return {name.partition("[")[0]: value for value, name in self.names.items() if self.left.get(value, 0) > 0}

    def operand(self, operand: Any, level: int, is_bare: bool) -> str:
        """An operand as text, in parentheses if what is around it binds more tightly."""
        if isinstance(operand, Own):
            return f"self.{operand.name}"
        if isinstance(operand, Items):
            name = self.lists[operand.loop][operand.place]
            return f"{name}[::-1]" if operand.is_reversed else name
        if isinstance(operand, Literal):
            text = format_value(operand.value)
            negative = text.startswith("-") or (isinstance(operand.value, Name) and " " in text)
            return f"({text})" if negative and not is_bare else text
        self.left[operand] -= 1
        if operand in self.pending:
            text, inner = self.pending.pop(operand)
            return text if is_bare or inner < level or (inner == level == 0) else f"({text})"
        return self.names[operand]

    def expression(self, statement: Any) -> str:
        """The text of a statement, with its operands."""

        def place(match: re.Match) -> str:
            before, after = statement.text[: match.start()], statement.text[match.end() :]
            is_bare = (not before or before[-1] in "([" or before.endswith((", ", "="))) and (
                not after or after[0] in ")],"
            )
            is_bare = is_bare and bool(before)
            level = statement.level
            tight = after[:1] in (".", "[") or before.endswith("-")
            # A sum on the right of a minus, or a product on the right of a division, needs parentheses.
            right = before.endswith((" - ", " / ", " @ ", " * ", " ** "))
            allowed = 0 if tight else level if right else level + 1
            if before.endswith(" + ") or (not before and not tight):
                allowed = level + 1
            if statement.level == 1 and not before:
                allowed = 1
            number = int(match.group(1))
            return self.operand(statement.operands[number], max(allowed, 0), is_bare)

        return re.sub(r"\{(\d+)\}", place, statement.text)

    def write(self) -> list[str]:
        """All lines, without indentation."""
        statements = self.body.statements
        for index, statement in enumerate(statements):
            following = statements[index + 1] if index + 1 < len(statements) else None
            if statement.condition is not None:
                if following is None or following.condition != statement.condition:
                    start = index
                    while start and statements[start - 1].condition == statement.condition:
                        start -= 1
                    self._conditional(statements[start : index + 1])
                continue
            if isinstance(statement, Loop):
                self._loop(statement)
                continue
            text = self.expression(statement)
            (first, *more) = statement.outs
            if not more and statement.form is None and self._fits(first, text, statement, following, index):
                self.pending[first] = (text, statement.level)
                self.origins[first] = self._origin(statement)
                continue
            if (len(statement.outs) > _MANY or statement.is_whole) and statement.form is None:
                self._assign(self._name_all(statement), text)
                continue
            names = [self._name(out, statement, i) for i, out in enumerate(statement.outs)]
            target = statement.form.format(*names) if statement.form is not None else ", ".join(names)
            if len(statement.outs) == 1 and statement.form is None and text == names[0]:
                continue
            self._assign(target, text)
        self._return()
        return self.lines

    def _assign(self, target: str, text: str) -> None:
        self.lines += _statement_lines(f"{target} = ", text)

    def _fits(self, value: int, text: str, statement: Any, following: Any, index: int) -> bool:
        """Is the value used once, at once, and short enough to stand in the next expression?"""
        if self.uses.get(value, 0) != 1:
            return False
        if following is None:
            return len(text) < 90
        if value not in following.operands or following.condition is not None:
            return False
        rest = len(following.text) + 12 * (len(following.operands) - 1)
        depth = text.count("(") - text.count("()")
        return len(text) + rest < 80 and depth < 4

    def _conditional(self, part: Sequence[Any]) -> None:
        """Statements that are done under a condition; without them the result is a value that is there already."""
        *_, last = part
        out, source = last.outs[-1], last.instead
        name = self.names.get(source)
        if name is None:
            text, _ = self.pending.pop(source)
            name = next(n for n in (last.hint, f"{last.hint}_out") if n not in self.live())
            self._assign(name, text)
            self.names[source] = name
        inner: list[str] = []
        for statement in part:
            text = self.expression(statement)
            if statement is last:
                break
            (value,) = statement.outs
            if self.uses.get(value, 0) == 1 and len(text) < 70:
                self.pending[value] = (text, statement.level)
            else:
                inner += _statement_lines(f"{self._name(value, statement, 0)} = ", text)
        self.left[source] -= 1
        if self.left[source] > 0:  # it is needed unchanged, too
            target = self._name(out, last, 0)
            self.lines.append(f"{target} = {name}")
        else:
            target = name
        self.names[out] = target
        inner += _statement_lines(f"{target} = ", text, 12)
        self.lines += [f"if {last.condition}:", *[f"    {line}" for line in inner]]

    def _loop(self, loop: Loop) -> None:
        """Calls in a loop, which hand their results on."""
        first, *_, last = loop.calls
        inside: dict[int, str] = {}  # the names in the loop, by the places of results
        given = []
        for place, source in enumerate(loop.sources):
            if source == -1:
                given.append("step")
                continue
            operand = first.operands[place]
            text = self.operand(operand, 9, True)
            if source is None:  # the same in all calls
                if isinstance(operand, int) and text != self.names.get(operand):
                    name = _unused("common", self.live())
                    self._assign(name, text)
                    self.names[operand], text = name, name
                given.append(text)
                continue
            is_name = isinstance(operand, int) and text == self.names.get(operand) and "[" not in text
            name = text
            if is_name and name.startswith("zeros"):
                name = text = self._rename(operand, f"state_{_LETTERS[source]}" if len(first.outs) > 1 else "state")
            if not is_name or self.left.get(operand, 0) > 0 or name in inside.values() or name in ("_", "step"):
                count = len(first.outs)
                taken = {**self.live(), **dict.fromkeys(inside.values(), 0)}
                name = _unused("hidden" if count == 1 else f"state_{_LETTERS[source]}", taken)
                self._assign(name, text)
            inside[source] = name
            given.append(name)
        taken = {**self.live(), **dict.fromkeys(inside.values(), 0)}
        for place, value in enumerate(last.outs):
            if place not in inside:
                is_used = place in loop.kept or self.uses.get(value, 0) > 0
                inside[place] = _unused("result", taken) if is_used else "_"
                taken[inside[place]] = 0
        lists = {}
        for place in loop.kept:
            lists[place] = _unused("outputs", taken)
            taken[lists[place]] = 0
            self.lines.append(f"{lists[place]} = []")
        if loop.modules is not None:
            hint = loop.calls[0].hint
            called = _unused("layer" if hint in self.called or hint in _KEPT else hint, taken)
            self.lines.append(f"for {called} in self.{loop.modules}:")
        else:
            called, steps = f"self.{first.child}", self._steps(loop)
            self.lines.append(f"for step in {f'reversed({steps})' if loop.is_reversed else steps}:")
        targets = ", ".join(inside[place] for place in range(len(last.outs)))
        rows = _statement_lines(f"{targets} = ", f"{called}({', '.join(given)})", 12)
        rows += [f"{name}.append({inside[place]})" for place, name in lists.items()]
        self.lines += [f"    {row}" for row in rows]
        for number, call in enumerate(loop.calls):
            for place, value in enumerate(call.outs):
                if place in lists:
                    self.names[value] = f"{lists[place]}[{number}]"
        for place, value in enumerate(last.outs):
            if place not in lists or place in loop.sources:
                self.names[value] = inside[place]
        self.lists[loop] = lists

    def _rename(self, value: int, wanted: str) -> str:
        """Another name for a value that has just been assigned, if it has not been used yet."""
        old, new = self.names[value], _unused(wanted, self.live())
        uses = [i for i, line in enumerate(self.lines) if re.search(rf"\b{old}\b", line)]
        last = max(uses, default=-1)
        if last < 0 or not self.lines[last].startswith(f"{old} = ") or re.search(rf" = .*\b{old}\b", self.lines[last]):
            return old
        self.lines[last] = new + self.lines[last].removeprefix(old)
        self.names[value] = new
        return new

    def _steps(self, loop: Loop) -> str:
        """The name of what a loop goes through."""
        operand = next(o for i, o in enumerate(loop.calls[0].operands) if loop.sources[i] == -1)
        name = self.names[operand].partition("[")[0]
        if isinstance(loop.steps, Loop):
            (name,) = self.lists[loop.steps].values()
        for call in loop.calls:
            for i, o in enumerate(call.operands):
                if loop.sources[i] == -1:
                    self.left[o] -= 1
        return name

    def _origin(self, statement: Any) -> str:
        """What a value may be called: by its own hint, or that of the value it is another form of."""
        if statement.hint != "=":
            return statement.hint
        for operand in statement.operands:
            if isinstance(operand, Own):
                return operand.name
            if isinstance(operand, int):
                return self.origins.get(operand) or self.names.get(operand, "value")
        return "value"

    def _name(self, value: int, statement: Any, place: int) -> str:
        if self.uses.get(value, 0) == 0:
            self.names[value] = "_"
            return "_"
        live = self.live()
        live.pop(self.names.get(value, ""), None)
        # A value that replaces one that is not needed any more takes its name.
        is_first = len(statement.outs) == 1 or (place == 0 and statement.child is not None)
        if is_first and statement.form is None and statement.hint != "zeros":
            for operand in statement.operands:
                if isinstance(operand, int) and self.left.get(operand, 0) == 0 and operand in self.names:
                    name = self.names[operand]
                    is_free = name not in live and name != "_" and "[" not in name
                    if statement.hint == "=" and is_free and operand >= len(self.body.arguments):
                        self.names[value] = name
                        return name
                    is_shared = statement.child is not None and self.uses.get(operand, 0) > 2
                    if is_free and name in _PLAIN and not is_shared:
                        self.names[value] = name
                        return name
        hint = self._origin(statement)
        hint = hint if re.fullmatch(r"[a-z_]\w*", hint) else "value"
        if hint in self.body.arguments and hint in live:
            hint = f"new_{hint}"
        hint = "found" if hint in self.called else hint if hint not in _KEPT else f"{hint}_"
        name = hint if len(statement.outs) == 1 else f"{hint}_{_LETTERS[place]}"
        self.names[value] = _unused(name, live)
        return self.names[value]

    def _name_all(self, statement: Any) -> str:
        """One name for many results, which are its items."""
        hint = self._origin(statement)
        name = _unused(f"{hint if re.fullmatch(r'[a-z_][a-z_0-9]*', hint) else 'value'}s", self.live())
        for place, value in enumerate(statement.outs):
            self.names[value] = f"{name}[{place}]"
        return name

    def _return(self) -> None:
        def text(form: object, outer: bool) -> Any:
            if isinstance(form, tuple | list):
                parts = [text(f, False) for f in form]
                if isinstance(form, list):
                    return Call("[", parts, "]")
                if len(parts) < 2:
                    return Call("(", parts, ",)" if parts else ")")
                return Call("", parts, "") if outer else Call("(", parts, ")")
            return self.operand(form, 9, True)

        doc = text(self.body.outputs, True)
        line = "return " + (doc if isinstance(doc, str) else doc.flat())
        if len(line) + 8 > WIDTH and not isinstance(doc, str):
            doc = Call(doc.head or "(", doc.args, doc.tail or ")")
            self.lines += [line[8:] for line in lines_of(doc, 8, "return ")]
            return
        self.lines += _statement_lines("", line)


def _unused(name: str, live: Mapping[str, int]) -> str:
    """The name, with letters behind it if it is in use."""
    endings = itertools.chain.from_iterable(itertools.product(_LETTERS, repeat=n) for n in itertools.count(1))
    names = itertools.chain([name], (f"{name}_{''.join(ending)}" for ending in endings if ending != ("a",)))
    return next(n for n in names if n not in live)


_LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: From how many results on they have one name, and are its items.
_MANY = 6
_KEPT = {"self", "torch", "nn", "F", "max", "min", "sum", "abs", "slice", "range", "int", "float", "tuple", "list"}
#: Names that say nothing of the value, so that the next one may have them.
_PLAIN = {"x", "y", "out", "output", "result", "h"}


def _statement_lines(lead: str, text: str, indent: int = 8, trail: str = "") -> list[str]:
    """One line, or the outermost call over several."""
    if len(lead) + len(text) + len(trail) + indent <= WIDTH:
        return [lead + text + trail]
    parts = _split_call(text)
    if parts is None or not parts[1]:
        return [lead + text + trail]
    head, args, tail = parts
    inside = ", ".join(args)
    if len(inside) + indent + 4 <= WIDTH:
        return [f"{lead}{head}", f"    {inside}", tail + trail]
    if len(args) == 1 and " for i in range(" in args[0]:
        item, _, times = args[0].rpartition(" for i in ")
        rows = _statement_lines("", item, indent + 4)
        return [f"{lead}{head}", *[f"    {row}" for row in rows], f"    for i in {times}", tail + trail]
    rows = [row for arg in args for row in _statement_lines("", arg, indent + 4, ",")]
    return [f"{lead}{head}", *[f"    {row}" for row in rows], tail + trail]


def _split_call(text: str) -> tuple[str, list[str], str] | None:
    """The last pair of parentheses that is not inside of another one: what is before it, in it and after it."""
    if not text.endswith((")", "]")):
        return None
    depth, args, end = 0, [], len(text) - 1
    for place in range(len(text) - 1, -1, -1):
        char = text[place]
        if char in ")]}":
            depth += 1
        elif char in "([{":
            depth -= 1
            if depth == 0:
                args.append(text[place + 1 : end])
                kept = [a.strip() for a in reversed(args)]
                return text[: place + 1], [a for a in kept if a], text[-1]
        elif char == "," and depth == 1:
            args.append(text[place + 1 : end])
            end = place
    return None


# ---- classes and functions -------------------------------------------------------------------------------------------


def _parameters(definition: Definition) -> str:
    parts = []
    for parameter in definition.parameters:
        text = f"{parameter.name}: {parameter.annotation}"
        parts.append(text if parameter.default is None else f"{text} = {format_value(parameter.default)}")
    return ", ".join(parts)


def _signature(lead: str, inside: str, tail: str, indent: int) -> list[str]:
    line = f"{lead}({inside}){tail}"
    if len(line) + indent <= WIDTH:
        return [" " * indent + line]
    if len(inside) + indent + 4 <= WIDTH:
        return [" " * indent + f"{lead}(", " " * (indent + 4) + inside, " " * indent + f"){tail}"]
    parts = [" " * (indent + 4) + p + "," for p in re.split(r", (?=\w+:)", inside)]
    return [" " * indent + f"{lead}(", *parts, " " * indent + f"){tail}"]


def function_lines(definition: Definition) -> list[str]:
    """A function that makes layers."""
    result = "list[nn.Module]" if definition.is_list else "nn.Module"
    found = _signature(f"def {definition.name}", _parameters(definition), f" -> {result}:", 0)
    if definition.is_list:
        found += lines_of(Call("[", item_docs(definition.items), "]"), 4, "return ")
    else:
        found += lines_of(make_doc(definition.items[0]), 4, "return ")
    return found


def class_lines(definition: Definition, is_root: bool = False) -> list[str]:
    """A class."""
    body, proto = definition.body, definition.proto
    assert body is not None and proto is not None
    found = [f"class {definition.name}(nn.Module):"]
    doc = _docstring(definition, is_root)
    found += [f"    {line}" if line else "" for line in doc]
    buffers = [n for n, m in definition.children.items() if m.name == "buffer"]
    found += [""] if doc else []
    found += [f"    {name}: Tensor" for name in buffers] + ([""] if buffers else [])
    if definition.children or definition.stored or definition.parameters:
        inside = ", ".join(["self", *([_parameters(definition)] if definition.parameters else [])])
        found += _signature("def __init__", inside, " -> None:", 4)
        found.append("        super().__init__()")
        for name, value in definition.stored.items():
            found.append(f"        self.{name} = {value.text}")
        for name, make in definition.children.items():
            doc_ = make_doc(make)
            if make.name == "buffer":
                found += lines_of(Call("self.register_buffer(", [f'"{name}"', *doc_.args]), 8)
            elif make.condition is not None and len(doc_.flat()) + len(name) + 16 > WIDTH:
                found += [f"        self.{name}: nn.Module = nn.Identity()", f"        if {make.condition}:"]
                found += lines_of(plain_doc(make, make.args), 12, f"self.{name} = ")
            else:
                found += lines_of(doc_, 8, f"self.{name} = ")
        for path, first in proto.tied:
            found.append(f"        self.{_attribute(path)} = self.{_attribute(first)}")
        for path in proto.frozen:
            found.append(f"        self.{_attribute(path)}.requires_grad_(False)")
        found.append("")
    arguments = ", ".join(["self", *[f"{a}: Tensor" for a in body.arguments]])
    found += _signature("def forward", arguments, f" -> {_result_type(body.outputs)}:", 4)
    found += [f"        {line}" for line in ForwardWriter(with_chains(with_loops(body))).write()]
    if is_root and proto.loss:
        found += ["", *_loss_lines(proto, body)]
    return found


def _attribute(path: str) -> str:
    return re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", path)


def _result_type(outputs: object) -> str:
    if isinstance(outputs, list):
        return f"list[{_either(_result_type(o) for o in outputs)}]"
    if isinstance(outputs, tuple):
        parts = [_result_type(o) for o in outputs]
        return f"tuple[{', '.join(parts) or '()'}]" if len(parts) < 5 else f"tuple[{_either(parts)}, ...]"
    return "Tensor"


def _either(types: Iterable[str]) -> str:
    return " | ".join(sorted(set(types))) or "Tensor"


def _loss_lines(proto: Proto, body: Body) -> list[str]:
    losses = [one for one in proto.loss if one is not None]
    if not losses:
        return []
    single = not isinstance(body.outputs, tuple | list)
    labels = list(dict.fromkeys(one.label for one in losses if one.label is not None))
    names = {label: "labels" if len(labels) == 1 else identifier(label, "label") for label in labels}
    terms = []
    for one in losses:
        output = "outputs" if single else f"outputs[{one.place}]"
        terms.append(one.text.format(output=output, label=names.get(one.label, "")))
    kind = "Tensor" if single else _result_type(body.outputs)
    arguments = ", ".join(["self", f"outputs: {kind}", *[f"{n}: Tensor" for n in names.values()]])
    found = _signature("def loss", arguments, " -> Tensor:", 4)
    found.append('        """What MXNet\'s loss heads minimize: a sum over the batch, to be divided by its size."""')
    return [*found, *[f"        {line}" for line in _statement_lines("", "return " + " + ".join(terms))]]


def _docstring(definition: Definition, is_root: bool) -> list[str]:
    """What the class is, and the shapes that go in and come out."""
    body = definition.body
    assert body is not None
    bodies = [m.proto.body for m in definition.instances if m.proto is not None]
    takes = [_shape([b.shapes[i] for b in bodies], definition) for i in range(len(body.arguments))]
    gives = [
        _shape([flat_shapes(b.out_shapes)[i] for b in bodies], definition)
        for i in range(len(flat_shapes(body.out_shapes)))
    ]
    known = all(takes) and all(gives) and len(takes) + len(gives) <= 6
    shapes = f"{', '.join(map(str, takes))} -> {', '.join(map(str, gives))}" if known and takes else ""
    shapes = shapes if len(shapes) <= WIDTH - 12 else ""
    text = definition.doc
    if not text and not shapes:
        return ['"""The network."""'] if is_root else []
    if not text:
        return [f'"""{shapes}."""']
    if not shapes:
        return [f'"""{text}"""']
    return [f'"""{text}', "", shapes, '"""']


def flat_shapes(form: Any) -> list[Any]:
    """Shapes in nested lists and tuples."""
    if form is None:
        return []
    if isinstance(form, tuple) and all(isinstance(n, int) for n in form):
        return [form]
    return [s for part in form for s in flat_shapes(part)]


def _shape(shapes: Sequence[Any], definition: Definition) -> str | None:
    """A shape as text: numbers that are the same everywhere, names for the others."""
    if any(s is None or any(n < 0 for n in s) for s in shapes) or len({len(s) for s in shapes}) != 1:
        return None
    found: list[str] = []
    words = {2: ["length"], 3: ["height", "width"], 4: ["depth", "height", "width"]}
    for axis, sizes in enumerate(zip(*shapes, strict=True)):
        if axis == 0 and len(shapes[0]) > 1:
            found.append("batch")
            continue
        if len(set(sizes)) == 1:
            found.append(str(sizes[0]))
            continue
        name = next(
            (
                p.name
                for p in definition.parameters
                if [m.args.get(p.name) for m in definition.instances] == list(sizes)
            ),
            None,
        )
        if name is None:
            rest = len(shapes[0]) - 2
            spatial = words.get(rest + 1, [])
            name = "channels" if axis == 1 else spatial[axis - 2] if 0 <= axis - 2 < len(spatial) else "n"
        found.append(name)
    return f"({', '.join(found)}{',' if len(found) == 1 else ''})"


def model_source(structure: Structure, title: str) -> str:
    """The text of model.py."""
    parts = []
    for definition in structure.definitions:
        is_root = definition is structure.root
        lines = class_lines(definition, is_root) if definition.is_class else function_lines(definition)
        parts.append("\n".join(lines))
    parts.append(_LOAD.format(name=structure.root.name).strip("\n"))
    body = "\n\n\n".join(parts) + "\n"
    own = sorted({n for n in _called_names(body) if n not in structure.names or n in _PROVIDED} - _BUILTIN, key=_order)
    torch_names = ", ".join(n for n in ("Tensor", "nn") if re.search(rf"\b{n}\b", body))
    imports = ["import torch"] if re.search(r"\btorch\.", body) else []
    imports += ["from safetensors.torch import load_file", f"from torch import {torch_names}"]
    imports += ["from torch.nn import functional as F"] if re.search(r"\bF\.", body) else []
    groups = [["from pathlib import Path"], imports]
    if own:
        line = f"from .ops import {', '.join(own)}"
        groups.append([line] if len(line) <= WIDTH else ["from .ops import (", *[f"    {n}," for n in own], ")"])
    head = "\n\n".join("\n".join(g) for g in groups)
    return f'"""{title}"""\n\n{head}\n\n\n{body}'


_LOAD = '''
def load(path: str | Path | None = None) -> {name}:
    """The network with its weights, for prediction; ``train()`` goes on training."""
    model = {name}()
    model.load_state_dict(load_file(path or Path(__file__).with_name("weights.safetensors")))
    return model.eval()
'''
_PROVIDED = {"Concurrent", "ToIndex", *[f"BatchNorm{n}d" for n in (1, 2, 3)]}
_BUILTIN = {
    "range",
    "super",
    "load_file",
    "load",
    "str",
    "Path",
    "int",
    "float",
    "tuple",
    "list",
    "max",
    "min",
    "len",
    "reversed",
}


def _called_names(body: str) -> set[str]:
    """The plain functions and classes that are called, apart from methods."""
    nodes = list(ast.walk(ast.parse(body)))
    called = {n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    return called - {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _order(name: str) -> tuple[bool, str]:
    return name.islower(), name
