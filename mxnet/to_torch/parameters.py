"""Parameters of generated classes: which arguments of similar modules differ, and what expresses them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .tree import Body, Make, Name, Proto


class _Any:
    """A value that does not matter: the module has no such layer."""

    def __repr__(self) -> str:
        return "ANY"


ANY = _Any()

_CHANNELS = {
    "in_channels",
    "out_channels",
    "num_features",
    "in_features",
    "out_features",
    "num_parameters",
    "normalized_shape",
    "input_size",
    "hidden_size",
    "groups",
    "embedding_dim",
    "size",
}
_INPUT = ("in_channels", "in_features", "input_size", "num_features", "normalized_shape")
_OUTPUT = ("out_channels", "out_features", "num_features", "hidden_size", "normalized_shape")
_DEFAULTS: dict[str, Any] = {"stride": 1, "padding": 0, "dilation": 1, "groups": 1, "bias": True}


@dataclass(eq=False)
class Parameter:
    """An argument of a class or function that is written; ``default`` is None if it has to be given."""

    name: str
    default: Any = None
    annotation: str = "int"


@dataclass(eq=False)
class Definition:
    """A class, or a function that makes layers, with arguments."""

    name: str
    parameters: list[Parameter] = field(default_factory=list)
    children: dict[str, Make] = field(default_factory=dict)
    items: list[Make] = field(default_factory=list)
    proto: Proto | None = None
    body: Body | None = None
    #: Attributes with numbers that the forward uses.
    stored: dict[str, Any] = field(default_factory=dict)
    is_list: bool = False
    instances: list[Make] = field(default_factory=list)
    doc: str = ""

    @property
    def is_class(self) -> bool:
        """Is it a class, rather than a function?"""
        return self.proto is not None


# ---- slots -----------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Slot:
    """A number in a module that may vary."""

    make: Make
    key: str
    value: Any
    owner: str


def skeleton(make: Make, by_groups: bool = True) -> Any:
    """What two modules have in common that differ in numbers only; depthwise convolutions are others, if asked for."""
    if make.definition is not None:
        return id(make.definition)
    groups = make.args.get("groups")
    is_depthwise = by_groups and groups not in (None, 1) and groups == make.args.get("in_channels")
    return make.name, is_depthwise, tuple(make.args), tuple(skeleton(i, by_groups) for i in make.items), make.condition


def slots(make: Make, owner: str = "") -> Iterator[Slot]:
    """All numbers of a module and of those inside, in order."""
    for key, value in make.args.items():
        yield Slot(make, key, value, owner)
    for item in make.items:
        yield from slots(item, owner)


@dataclass(eq=False)
class Column:
    """A slot in all the modules of a class."""

    key: str
    owner: str
    values: list[Any]
    #: What becomes of it: a value for all, or an expression.
    result: Any = None

    @property
    def known(self) -> list[Any]:
        """The values that matter."""
        return [v for v in self.values if v is not ANY]

    @property
    def is_channels(self) -> bool:
        """Is it a number of channels or features?"""
        return self.key in _CHANNELS and all(type(v) is int for v in self.known)

    def agrees(self, other: Column) -> bool:
        """Are the values the same, where both matter?"""
        return all(a is ANY or b is ANY or _same(a, b) for a, b in zip(self.values, other.values, strict=True))


def _same(a: object, b: object) -> bool:
    return type(a) is type(b) and a == b


def parametrize(columns: Sequence[Column]) -> list[tuple[Parameter, list[Any]]]:
    """Sets the result of each column; the parameters that this takes, with their values in each of the modules."""
    groups: list[list[Column]] = []
    for column in columns:
        known = column.known
        if all(_same(v, known[0]) for v in known):
            column.result = known[0] if known else None
            continue
        for group in groups:
            same_kind = (group[0].is_channels and column.is_channels) or group[0].key == column.key
            if same_kind and all(column.agrees(c) for c in group):
                group.append(column)
                break
        else:
            groups.append([column])
    channels = [c for c in columns if c.key in _CHANNELS and c.key not in ("groups", "size")]
    first = next((c for c in channels if c.key in _INPUT), None)
    last = next((c for c in reversed(channels) if c.key in _OUTPUT), None)

    def rank(group: list[Column]) -> tuple[int, int]:
        place = 0 if first in group else 1 if last in group else 2 if group[0].is_channels else 3
        return place, columns.index(group[0])

    found: list[tuple[Parameter, list[Any]]] = []
    for group in sorted(groups, key=rank):
        values = _merge_columns(group)
        derived = _derive(values, group, found)
        if derived is None:
            name = _name(group, first, last, [p.name for p, _ in found], len(groups))
            parameter = Parameter(name, annotation=_annotation(values))
            default = _DEFAULTS.get(group[0].key)
            if parameter.annotation == "bool" and default is None:
                default = False
            plain = not group[0].is_channels or name.endswith("groups")
            if default is not None and plain and any(_same(v, default) for v in values):
                parameter.default = default
            found.append((parameter, values))
            derived = name
        for column in group:
            column.result = Name(derived)
    found.sort(key=lambda pair: pair[0].default is not None)
    return found


def _merge_columns(group: Sequence[Column]) -> list[Any]:
    rows = zip(*[c.values for c in group], strict=True)
    values = [next((v for v in row if v is not ANY), ANY) for row in rows]
    spare = next(v for v in values if v is not ANY)
    return [spare if v is ANY else v for v in values]


def _derive(values: list[Any], group: Sequence[Column], found: Sequence[tuple[Parameter, list[Any]]]) -> str | None:
    """An expression for values by those of another parameter, if there is a simple one."""
    if not all(type(v) is int for v in values):
        return None
    for parameter, others in found:
        if not all(type(v) is int for v in others) or len(set(others)) < 2:
            continue
        if group[0].is_channels and parameter.annotation == "int":
            if "channels" not in parameter.name and "features" not in parameter.name and parameter.name != "size":
                continue
            for factor in range(2, 17):
                if all(v == o * factor for v, o in zip(values, others, strict=True)):
                    return f"{parameter.name} * {factor}"
                if all(v * factor == o for v, o in zip(values, others, strict=True)):
                    return f"{parameter.name} // {factor}"
        elif group[0].key == "padding" and parameter.name.endswith("kernel_size"):
            if all(v == o // 2 for v, o in zip(values, others, strict=True)):
                return f"{parameter.name} // 2"
    return None


def _annotation(values: Sequence[Any]) -> str:
    kinds = sorted({_type(v) for v in values if not isinstance(v, Name)}) or ["int"]
    return " | ".join(["float"] if kinds == ["float", "int"] else kinds)


def _type(value: object) -> str:
    if isinstance(value, tuple):
        return f"tuple[{', '.join(_type(v) for v in value)}]"
    if isinstance(value, float):
        return "float"
    return "Any" if isinstance(value, Name) or value is None else type(value).__name__


def _name(group: Sequence[Column], first: object, last: object, taken: Sequence[str], groups: int) -> str:
    keys = [c.key for c in group]
    key = keys[0]
    ending = "features" if all("features" in k and k != "num_features" for k in keys) else "channels"
    ending = "size" if all(k in ("size", "input_size", "hidden_size", "embedding_dim") for k in keys) else ending
    if all(k == "groups" for k in keys):
        names = ["groups", *[f"{c.owner}_groups" for c in group if c.owner]]
    elif group[0].is_channels:
        if first in group and last in group:
            names = [ending]
        elif first in group:
            names = [f"in_{ending}"]
        elif last in group:
            names = [f"out_{ending}"]
        else:
            names = [f"mid_{ending}", f"hidden_{ending}"]
        names += [f"{c.owner}_{ending}" for c in group if c.owner] + [f"{c.owner}_{c.key}" for c in group]
    else:
        names = [key] + [f"{c.owner}_{key}" for c in group if c.owner]
    names = [n.strip("_") for n in names]
    number = 1
    while names[0] in taken and len(names) > 1:
        names.pop(0)
    name = names[0]
    while name in taken:
        number += 1
        name = f"{names[0]}{number}"
    return name
