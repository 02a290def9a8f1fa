"""What a network is made of on its way to source: scopes of nodes, modules that are to be made, and their forwards."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..graph.node import Entry, Node

Value = tuple[Node, int]


def value_of(entry: Entry) -> Value:
    """What an entry stands for, whatever was written to the variable before."""
    return entry.node, entry.index


@dataclass(eq=False)
class Scope:
    """Nodes that belong together: a call of a block, or a group that was found in a symbol file."""

    kind: str
    name: str
    #: ``class``, ``sequence`` and ``concurrent`` (containers), ``layer`` (of the library: may be part of its caller),
    #: or ``recurrent`` (a whole LSTM).
    style: str = "class"
    #: Calls with the same key are calls of one module.
    key: Any = None
    #: Where the module is below the one that calls it.
    path: tuple[str, ...] = ()
    doc: str = ""
    #: What the names of its nodes begin with.
    prefix: str = ""
    block: Any = None
    inputs: list[Value] = field(default_factory=list)
    input_names: list[str] = field(default_factory=list)
    items: list[Any] = field(default_factory=list)  # of Node and Scope
    #: Values in nested lists and tuples, as the block returned them.
    outputs: Any = None

    def nodes(self) -> Iterator[Node]:
        """All nodes inside."""
        for item in self.items:
            if isinstance(item, Scope):
                yield from item.nodes()
            else:
                yield item

    def scopes(self) -> Iterator[Scope]:
        """This one and all inside of it, callers first."""
        yield self
        for item in self.items:
            if isinstance(item, Scope):
                yield from item.scopes()


def flat(form: object) -> list[Any]:
    """What is in nested lists and tuples; a Value is one item."""
    if isinstance(form, list) or (isinstance(form, tuple) and not _is_value(form)):
        return [v for part in form for v in flat(part)]
    return [] if form is None else [form]


def map_nested(form: Any, function: Any) -> Any:
    """Nested lists and tuples with a function applied to what is in them."""
    if isinstance(form, list):
        return [map_nested(part, function) for part in form]
    if isinstance(form, tuple) and not _is_value(form):
        return tuple(map_nested(part, function) for part in form)
    return None if form is None else function(form)


def _is_value(form: Any) -> bool:
    return isinstance(form, tuple) and len(form) == 2 and isinstance(form[0], Node)


# ---- modules ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Weight:
    """Where the numbers of a parameter come from: a variable of the graph, from an offset on; or a number for all."""

    variable: str | None
    shape: tuple[int, ...]
    offset: int | None = None
    fill: int = 0


@dataclass(frozen=True)
class Name:
    """An expression in a place where a number could be."""

    text: str


@dataclass(eq=False)
class Make:
    """A call that makes a module: a layer of torch, a container, or a class that is written."""

    name: str
    args: dict[str, Any] = field(default_factory=dict)
    items: list[Make] = field(default_factory=list)
    weights: dict[str, Weight] = field(default_factory=dict)
    #: The content of a class that is to be written.
    proto: Proto | None = None
    #: The class or function that the name stands for, when it has been defined.
    definition: Any = None
    #: Is it a list, whose items go into the container around it?
    is_list: bool = False
    #: A module that may be left out: what stands in its place.
    condition: str | None = None

    def copy(self) -> Make:
        """A copy whose arguments and items can be changed."""
        made = copy.copy(self)
        made.args, made.items = dict(self.args), [i.copy() for i in self.items]
        return made

    def walk(self) -> Iterator[Make]:
        """This module and those inside."""
        yield self
        for item in self.items:
            yield from item.walk()
        if self.proto is not None:
            for child in self.proto.children.values():
                yield from child.walk()

    def walk_template(self) -> Iterator[Make]:
        """This module and those that are written together with it: not what is inside of classes and functions."""
        yield self
        if self.definition is None:
            for item in self.items:
                yield from item.walk_template()


@dataclass(frozen=True)
class Literal:
    """A number in a forward, which may be another one in another module of the class."""

    value: Any
    role: str


@dataclass(frozen=True)
class Own:
    """A parameter or a child of the module itself."""

    name: str


@dataclass(eq=False)
class Statement:
    """Computes values from others: ``text`` has {0}, {1}, ... for the operands (numbers of values, Literal, Own)."""

    outs: list[int]
    text: str
    operands: list[Any]
    hint: str = "x"
    #: 0 for calls and names, 1 for powers and signs, 2 for products, 3 for sums, 4 for comparisons.
    level: int = 0
    child: str | None = None
    #: Is it left out in some modules? Then its result is this value.
    condition: str | None = None
    instead: int | None = None
    #: How the results are taken apart, if not one by one: ``{0}, ({1}, {2})``.
    form: str | None = None
    #: Do its results have one name, as a list?
    is_whole: bool = False


@dataclass(eq=False)
class Body:
    """A forward: values are numbered, the arguments first."""

    arguments: list[str]
    shapes: list[Any] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    outputs: Any = None
    count: int = 0
    out_shapes: Any = None


@dataclass(eq=False)
class Proto:
    """The class of one module, before it is known which others are of the same class."""

    kind: str
    children: dict[str, Make] = field(default_factory=dict)
    body: Body = field(default_factory=lambda: Body([]))
    doc: str = ""
    #: Parameters that two layers share: (path, path of the first).
    tied: list[tuple[str, str]] = field(default_factory=list)
    #: Parameters that are not trained.
    frozen: list[str] = field(default_factory=list)
    #: Expressions for the loss, of the heads of the network.
    loss: list[Any] = field(default_factory=list)
