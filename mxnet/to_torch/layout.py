"""Source text that may take several lines: calls, literals and lists of modules."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from .expressions import Real
from .layers import DEFAULTS, POSITIONAL
from .structure import Definition
from .tree import Make, Name

WIDTH = 110


# ---- expressions that may take several lines -------------------------------------------------------------------------


@dataclass(eq=False)
class Call:
    """``head`` arguments ``tail``: on one line if they fit."""

    head: str
    args: list[Any]
    tail: str = ")"
    lead: str = ""

    def flat(self) -> str:
        """All on one line."""
        inside = ", ".join(a if isinstance(a, str) else a.flat() for a in self.args)
        return f"{self.lead}{self.head}{inside}{self.tail}"


def lines_of(doc: Any, indent: int, lead: str = "", trail: str = "") -> list[str]:
    """A call as lines: on one, or an argument on each."""
    space = " " * indent
    text = doc if isinstance(doc, str) else doc.flat()
    if len(space + lead + text + trail) <= WIDTH or isinstance(doc, str) or not doc.args:
        return [space + lead + text + trail]
    found = [space + lead + doc.lead + doc.head]
    if all(isinstance(a, str) and not a.startswith("*") for a in doc.args):
        inside = ", ".join(doc.args)
        if len(inside) + indent + 4 <= WIDTH:
            return [*found, f"{space}    {inside}", space + doc.tail + trail]
    is_list = len(doc.args) == 1 and isinstance(doc.args[0], Call) and doc.args[0].head == "["
    for arg in doc.args:
        found += lines_of(arg, indent + 4, trail="" if is_list else ",")
    return [*found, space + doc.tail + trail]


def format_value(value: Any) -> str:
    """A value as source."""
    if isinstance(value, Name):
        return value.text
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, torch.dtype):
        return str(value)
    if isinstance(value, float):
        return repr(Real(value))
    if isinstance(value, tuple):
        inside = ", ".join(format_value(v) for v in value)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    return repr(value)


def make_doc(make: Make, values: dict[str, Any] | None = None) -> Any:
    """The expression that makes a module."""
    doc = plain_doc(make, values or make.args)
    if make.condition is not None:
        doc = Call(doc.head, doc.args, f"{doc.tail} if {make.condition} else nn.Identity()", doc.lead)
    return doc


def plain_doc(make: Make, args: dict[str, Any]) -> Call:
    """Returns the call that makes a module, without line breaks."""
    if make.definition is not None:
        return Call(f"{make.name}(", _definition_args(make.definition, args))
    if make.name in ("nn.Parameter", "buffer"):
        sizes = ", ".join(format_value(v) for v in args.values())
        return Call("nn.Parameter(", [f"torch.zeros({sizes})" if args else "torch.zeros(())"])
    if make.name == "nn.ModuleList":
        items = item_docs(make.items)
        if len(items) == 1 and isinstance(items[0], str) and items[0].startswith("*["):  # all of them alike
            return Call("nn.ModuleList(", [items[0][2:-1]])
        return Call("nn.ModuleList(", [Call("[", items, "]")])
    if make.items:
        more = [f"{k}={format_value(v)}" for k, v in args.items() if make.name != "Concurrent" or v != 1]
        return Call(f"{make.name}(", [*item_docs(make.items), *more])
    defaults = dict(DEFAULTS.get(make.name, {}))
    if "Pool" in make.name and "stride" in args and "kernel_size" in args:
        defaults["stride"] = args["kernel_size"]
    parts, named = [], False
    for key, value in args.items():
        if key in defaults and type(defaults[key]) is type(value) and defaults[key] == value:
            named = True
        elif key in POSITIONAL and not named:
            parts.append(format_value(value))
        else:
            named = True
            parts.append(f"{key}={format_value(value)}")
    return Call(f"{make.name}(", parts)


def _definition_args(definition: Definition, args: dict[str, Any]) -> list[str]:
    parts = []
    for parameter in definition.parameters:
        value = args[parameter.name]
        if parameter.default is None:
            parts.append(format_value(value))
        elif type(value) is not type(parameter.default) or value != parameter.default:
            parts.append(f"{parameter.name}={format_value(value)}")
    return parts


def item_docs(items: Sequence[Make]) -> list[Any]:
    """The items of a container; those that repeat as a loop."""
    found: list[Any] = []
    place = 0
    while place < len(items):
        count, steps = _run(items, place)
        make = items[place]
        if count > 2:
            values = {k: Name(_progression(v, steps[k])) if steps.get(k) else v for k, v in make.args.items()}
            text = make_doc(make, values).flat()
            index = "i" if any(steps.values()) else "_"
            if make.is_list:
                found.append(f"*[layer for {index} in range({count}) for layer in {text}]")
            else:
                found.append(f"*[{text} for {index} in range({count})]")
        else:
            count = 1
            doc = make_doc(make)
            if make.is_list:
                doc.lead = "*"
            found.append(doc)
        place += count
    return found


def _progression(start: object, step: int) -> str:
    sign = "+" if step > 0 else "-"
    size = "i" if abs(step) == 1 else f"{abs(step)} * i"
    return f"{format_value(start)} {sign} {size}" if start or sign == "-" else size


def _run(items: Sequence[Make], place: int) -> tuple[int, dict[str, int]]:
    """How many items from here on are made alike, with arguments that are equal or grow by steps."""
    first = items[place]
    if first.items or first.condition or (first.definition is None and not first.weights):
        return 1, {}
    steps: dict[str, int] = {}
    count = 1
    while place + count < len(items):
        other = items[place + count]
        if (
            other.definition is not first.definition
            or other.name != first.name
            or other.args.keys() != first.args.keys()
        ):
            break
        if first.definition is None:
            break
        found = {}
        for key, value in first.args.items():
            theirs = other.args[key]
            if type(value) is int and type(theirs) is int:
                found[key] = theirs - value
            elif value != theirs:
                return count, steps
        if count == 1:
            steps = found
        elif any(found[k] != steps[k] * count for k in found):
            break
        count += 1
    if count == 2:
        return 1, {}
    return count, steps
