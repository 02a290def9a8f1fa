"""The backward pass as a graph, as MXNet has it: an operator for each gradient, for heads and for sums of gradients.

torch runs the real one. This one says what monitors get from it, under which names and in which order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from ..hidden_outputs import num_total_outputs
from ..node import Entry, Graph, Node, argument_names
from ..step import Step
from .names import gradient_ops, gradient_outputs
from .table import PASSES_GRADIENT

Report = Callable[[str, torch.Tensor], None]
#: A value of the forward pass, with its name if it is a variable's.
Known = tuple[str | None, torch.Tensor]
#: From so many gradients on MXNet adds them up one by one.
_MANY = 8


@dataclass(eq=False)
class Record:
    """What an operator was given and gave in the forward pass, and the gradients that torch found of its inputs."""

    step: Step
    given: list[torch.Tensor | None]
    results: list[torch.Tensor]
    #: Results that only monitors see; those that are not computed here are missing.
    hidden: dict[str, torch.Tensor]
    found: dict[int, torch.Tensor] = field(default_factory=dict)
    complete: bool = False
    #: What the gradient is called after, if not after the node.
    name: str | None = None

    def places(self) -> list[int]:
        """Where the inputs that exist are among the kernel's arguments, in the order of the node's inputs."""
        return [place for place, slot in enumerate(self.step.reads) if slot >= 0]

    def input_at(self, place: int) -> torch.Tensor:
        """An input that exists."""
        value = self.given[place]
        assert value is not None
        return value


class Gradient(Node):
    """An operator of the backward pass: what it takes by the names of its ports, and how its results are found."""

    __slots__ = ("after", "compute", "ports", "record", "results", "values")

    def __init__(
        self,
        name: str,
        ports: Sequence[tuple[str, Entry | Known]],
        results: Sequence[str],
        compute: Callable[[Gradient], list[torch.Tensor]],
        record: Record | None = None,
    ):
        super().__init__(None, name, inputs=[source for _, source in ports if isinstance(source, Entry)])
        self.ports, self.results, self.compute, self.record = ports, results, compute, record
        self.values: list[torch.Tensor] = []
        #: What MXNet runs before, though it takes nothing from there.
        self.after: list[Node] = []

    def values_of_ports(self) -> list[torch.Tensor]:
        """The values of the ports."""
        return [_value(source) for _, source in self.ports]

    def report(self, send: Report, inputs: bool) -> None:
        """Reports the results, and the inputs before them. What it was given can be freed then."""
        if inputs:
            for port, source in self.ports if self.results[0] else ():
                if not isinstance(source, Entry) and source[0] is not None:
                    send(source[0], source[1])
                send(f"{self.name}_{port}", _value(source))
        self.values = self.compute(self)
        self.ports, self.inputs = (), []
        for ending, value in zip(self.results, self.values, strict=True) if self.results[0] else ():
            send(f"{self.name}_{ending}" if self.name else ending, value)


def _value(source: Entry | Known) -> torch.Tensor:
    if isinstance(source, Entry):
        assert isinstance(source.node, Gradient)
        return source.node.values[source.index]
    return source[1]


def backward_order(
    records: Sequence[Record],
    outputs: Sequence[tuple[Entry, torch.Tensor]],
    heads: Sequence[torch.Tensor | None],
    wanted: Sequence[Node],
) -> list[Gradient]:
    """The operators of the backward pass in the order in which they run.

    ``records`` are those of the forward pass in its order, ``heads`` the gradients of the ``outputs``, ``wanted`` the
    variables whose gradients are computed.
    """
    given = [torch.ones_like(value) if head is None else head for (_, value), head in zip(outputs, heads, strict=True)]
    found = gradient_graph(records, outputs, wanted, given).found
    return [node for node in Graph.of(found.values()).order if isinstance(node, Gradient)]


@dataclass
class GradientGraph:
    """The gradients of variables, and of which value each gradient is."""

    found: dict[Node, Entry]
    sizes: dict[tuple[Node, int], tuple[Node, int]]


def gradient_graph(
    records: Sequence[Record],
    outputs: Sequence[tuple[Entry, Any]],
    wanted: Iterable[Node],
    heads: Sequence[Any] | None = None,
) -> GradientGraph:
    """The operators of the backward pass, as far as the gradients of the ``wanted`` variables need them."""
    graph = _Graph()
    for i, (entry, value) in enumerate(outputs):
        name = entry.node.name if entry.node.is_variable else None
        head = Entry(Node(None, f"_head_grad_{i}")) if heads is None else heads[i]
        ports = [("lhs", (f"_head_grad_{i}", head)), ("rhs", (name, value))]
        graph.add(entry, _one(f"_head_grad_{i}_id", ports, lambda gradient: gradient.values_of_ports()[:1]))
    for record in reversed(records):
        graph.differentiate(record)
    found = {node: total for node in wanted if (total := graph.total(node, 0)) is not None}
    copies: dict[Entry, int] = {}
    for node, entry in found.items():  # each variable has a gradient of its own
        number = copies[entry] = copies.get(entry, -1) + 1
        if number:
            found[node] = _one(f"{entry.node.name}_{number}_copy", [("input0", entry)], Gradient.values_of_ports)
    return GradientGraph(found, graph.sizes)


def is_zero(node: Node) -> bool:
    """Is this a gradient of zeros?"""
    return isinstance(node, Gradient) and node.compute is _zeros


def _zeros(gradient: Gradient) -> list[torch.Tensor]:
    return [torch.zeros_like(gradient.values_of_ports()[0])]


def _one(
    name: str, ports: Sequence[tuple[str, Entry | Known]], compute: Callable[[Gradient], list[torch.Tensor]]
) -> Entry:
    return Entry(Gradient(name, ports, ["output"], compute))


def _sum(gradient: Gradient) -> list[torch.Tensor]:
    first, *others = gradient.values_of_ports()
    for other in others:
        first = first + other
    return [first]


class _Graph:
    def __init__(self) -> None:
        #: The gradients that flow into a value.
        self.terms: dict[tuple[Node, int], list[Entry]] = {}
        #: Of which value a gradient is.
        self.sizes: dict[tuple[Node, int], tuple[Node, int]] = {}

    def total(self, node: Node, index: int) -> Entry | None:
        """The gradient of a value, None if nothing reads it. Zeros are left out of sums."""
        terms = self.terms.get((node, index), [])
        terms = [term for term in terms if not is_zero(term.node)] or terms[:1]
        if len(terms) > 1:
            name, ports = "sum_grad", [(f"arg{i}", term) for i, term in enumerate(terms)]
            if len(terms) >= _MANY:
                name, ports = "sum_grad_final", [("input0", self._one_by_one(terms, (node, index)))]
            terms = self.terms[node, index] = [_one(name, ports, _sum)]
            self.sizes[terms[0].node, 0] = node, index
        return terms[0] if terms else None

    def _one_by_one(self, terms: Sequence[Entry], of: tuple[Node, int]) -> Entry:
        """The sum of many gradients of a value. The next one is computed when those before it have been added up."""
        total = terms[0]
        for i, term in enumerate(terms[1:], 1):
            if isinstance(term.node, Gradient):
                term.node.after.append(total.node)
            total = Entry(Gradient(f"sum_grad_{i}", [("lhs", total), ("rhs", term)], [""], _sum))
            self.sizes[total.node, 0] = of
        return total

    def differentiate(self, record: Record) -> None:
        """Adds the gradient of an operator to those of its inputs."""
        node, op = record.step.node, record.step.op
        heads = [self.total(node, i) for i in range(len(record.results))]
        if op.name in PASSES_GRADIENT:
            if (head := heads[0]) is not None:
                for entry in node.inputs:
                    self.add(entry, head)
            return
        names = argument_names(op, node.parsed(), len(node.inputs))[: len(node.inputs)]
        flows = any(head is not None and not is_zero(head.node) for head in heads)
        for part in gradient_ops(op, node.parsed(), names, flows):
            places = [names.index(target) for target in part.gives]
            ports = list(self._ports(record, part.takes, names, heads))
            own = record.name or node.name
            name = f"{own}_{part.ending}" if part.ending else own
            if part.zero:
                for place in places:
                    self.add(node.inputs[place], Entry(Gradient(name, ports, ["output"], _zeros)))
            elif part.ending is None:
                for place in places:
                    self.add(node.inputs[place], _one("", ports, Gradient.values_of_ports))
            else:
                gradient = Gradient(name, ports, gradient_outputs(op, part), _Found(record, places), record)
                for i, place in enumerate(places):
                    self.add(node.inputs[place], Entry(gradient, i))

    def add(self, to: Entry, gradient: Entry) -> None:
        """Notes a gradient of a value."""
        self.terms.setdefault((to.node, to.index), []).append(gradient)
        self.sizes.setdefault((gradient.node, gradient.index), (to.node, to.index))

    def _ports(
        self, record: Record, takes: Sequence[tuple[str, str]], names: Sequence[str], heads: Sequence[Entry | None]
    ) -> Iterator[tuple[str, Entry | Known]]:
        number = 0
        for port, word in takes:
            for source in self._meant(record, word, names, heads):
                if source is not None:  # a hidden result that is not computed here
                    yield port or f"input{number}", source
                number += 1

    def _meant(
        self, record: Record, word: str, names: Sequence[str], heads: Sequence[Entry | None]
    ) -> list[Entry | Known | None]:
        if word in names:
            place = names.index(word)
            variable = record.step.node.inputs[place].node
            value = record.input_at(record.places()[place])
            return [(variable.name if variable.is_variable else None, value)]
        if word == "inputs":
            return [source for name in names for source in self._meant(record, name, names, heads)]
        if word == "outputs":
            count = num_total_outputs(record.step.op, record.step.node.parsed())
            hidden = [record.hidden.get(f"output{i}") for i in range(len(record.results), count)]
            return [_as_known(value) for value in (*record.results, *hidden)]
        if word == "output":
            return [(None, record.results[0])]
        if word == "head":
            return [head or self._no_gradient(record.results[i]) for i, head in enumerate(heads)]
        if word.startswith("head"):
            index = int(word.removeprefix("head"))
            return [heads[index] or self._no_gradient(record.results[index])]
        if word.startswith("no-"):  # the gradient of a hidden result
            result = record.hidden.get(word.removeprefix("no-"))
            return [None if result is None else self._no_gradient(result)]
        visible = record.step.op.output_names[: len(record.results)]
        return [_as_known(record.results[visible.index(word)] if word in visible else record.hidden.get(word))]

    def _no_gradient(self, like: Any) -> Entry:
        """Zeros for a result that nothing flows into; ``like`` is an entry where nothing runs."""
        made = _one("zeros_without_dtype", [], lambda gradient: [torch.zeros_like(like)])
        if isinstance(like, Entry):
            self.sizes[made.node, 0] = like.node, like.index
        return made


class _Found:
    """The gradients that torch finds; zeros for inputs that have none."""

    def __init__(self, record: Record, numbers: Sequence[int]):
        places = record.places()
        self._record, self._places = record, [places[i] for i in numbers]

    def __call__(self, gradient: Gradient) -> list[torch.Tensor]:
        found = self._record.found
        return [found[p] if p in found else torch.zeros_like(self._record.input_at(p)) for p in self._places]


def _as_known(value: torch.Tensor | None) -> Known | None:
    return None if value is None else (None, value)
