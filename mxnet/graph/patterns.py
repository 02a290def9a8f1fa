"""Patterns of operators as data, and the one matcher that finds them in graphs and in the step lists of programs.

A pattern describes a value by the operator that computes it, and that operator's inputs by patterns in turn:

    X = Value()
    NORM = Apply("BatchNorm", X)
    NORM_RELU = Apply("relu", NORM)

``Dataflow.of_plan(plan).matches(NORM_RELU)`` yields a ``Match`` for each relu that is the only reader of a batch norm:
``match[NORM]`` is the step, ``match[X]`` the slot that it reads. ``Dataflow.of_graph(graph)`` gives nodes and entries
instead. ``passes/rules.py`` replaces what patterns find in plans.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

from .activations import activation
from .node import Graph, Node
from .step import Plan, Step

#: Operators that give the sum, or the product, of their two inputs.
SUM = "elemwise_add broadcast_add _grad_add"
PRODUCT = "elemwise_mul broadcast_mul"


class Value:
    """Any value. Where a pattern has it twice, both must be the same value."""


class Apply:
    """The result of an operator.

    ``names`` are the operators allowed, separated by spaces; none allows all. Activations go by what they do: "relu",
    "tanh". ``inputs`` are patterns for the first inputs; None allows any value, and so do inputs beyond. ``each`` is a
    pattern for every input of a variadic operator: a match has a tuple of all that it found. With ``weights``, the
    inputs but the first are variables of the graph. ``where`` is a further condition on the step or node.

    In ``any_order`` the inputs may be swapped. A ``shared`` result may have other readers or be an output: without
    that only the pattern itself may read it. The result of the whole pattern is always free.
    """

    def __init__(
        self,
        names: str = "",
        *inputs: Pattern | None,
        each: Pattern | None = None,
        weights: bool = False,
        where: Callable[[Any], bool] | None = None,
        any_order: bool = False,
        shared: bool = False,
    ):
        self.names, self.inputs, self.each, self.weights = frozenset(names.split()), inputs, each, weights
        self.where, self.any_order, self.shared = where, any_order, shared


@dataclass(frozen=True, eq=False)
class Output:
    """One of several results of an operator."""

    of: Apply
    index: int


class Either:
    """What one of several patterns describes; the first that fits is taken."""

    def __init__(self, *choices: Pattern):
        self.choices = choices


Pattern = Union[Value, Apply, Output, Either]  # noqa: UP007  (classes that refer to each other)
_Found = dict[Pattern, Any]


class Match:
    """What a pattern has found: the operator for each ``Apply``, the value for each ``Value``."""

    def __init__(self, found: Mapping[Pattern, Any], operators: Sequence[Any]):
        self._found = found
        #: The operators in the order in which they run.
        self.operators = operators

    def __getitem__(self, pattern: Pattern) -> Any:
        return self._found[pattern]

    def get(self, pattern: Pattern) -> Any:
        """The same, or None if that part of the pattern is not there."""
        return self._found.get(pattern)


class Dataflow:
    """Who writes and reads which value. Values are slots of a plan, or pairs of a node and the number of its output."""

    def __init__(self, operators: Sequence[Any], reads: Callable, writes: Callable, outputs: Collection[Hashable]):
        self.operators, self.reads, self.writes, self.outputs = operators, reads, writes, frozenset(outputs)
        self.place = {id(operator): number for number, operator in enumerate(operators)}
        self.writers: dict[Hashable, Any] = {}
        self.readers: dict[Hashable, list[Any]] = {}
        for operator in operators:
            for value in writes(operator):
                self.writers[value] = operator
            for value in reads(operator):
                self.readers.setdefault(value, []).append(operator)

    @staticmethod
    def of_plan(plan: Plan) -> Dataflow:
        """Over the steps of a plan."""
        return Dataflow(plan.steps, lambda step: step.reads, lambda step: step.writes, plan.outputs)

    @staticmethod
    def of_graph(graph: Graph) -> Dataflow:
        """Over the nodes of a graph."""
        nodes = [node for node in graph.order if node.op is not None]
        return Dataflow(nodes, _inputs_of, _outputs_of, [(entry.node, entry.index) for entry in graph])

    def is_private(self, value: Hashable) -> bool:
        """Is a value computed here, read exactly once, and no output?"""
        return value in self.writers and value not in self.outputs and len(self.readers.get(value, ())) == 1

    def matches(self, pattern: Apply) -> Iterator[Match]:
        """All matches, in the order in which the results of the whole pattern are computed."""
        for operator in self.operators:
            yield from self.match(pattern, operator)

    def match(self, pattern: Apply, operator: Any) -> Iterator[Match]:
        """The ways in which a pattern fits an operator that computes its result."""
        for found in self._match_operator(pattern, operator, {}):
            parts = [item for part, item in found.items() if isinstance(part, Apply)]
            steps = [step for item in parts for step in (item if isinstance(item, tuple) else (item,))]
            yield Match(found, sorted(steps, key=lambda step: self.place[id(step)]))

    def _match_value(self, pattern: Pattern | None, value: Hashable, found: _Found) -> Iterator[_Found]:
        if pattern is None:
            yield found
        elif isinstance(pattern, Value):
            if found.get(pattern, value) == value:
                yield {**found, pattern: value}
        elif isinstance(pattern, Either):
            for choice in pattern.choices:
                yield from self._match_value(choice, value, found)
        else:
            apply, index = (pattern.of, pattern.index) if isinstance(pattern, Output) else (pattern, 0)
            operator = self.writers.get(value)
            if operator is not None and (apply.shared or self.is_private(value)):
                if self.writes(operator)[index : index + 1] == (value,):
                    yield from self._match_operator(apply, operator, found)

    def _match_operator(self, pattern: Apply, operator: Any, found: _Found) -> Iterator[_Found]:
        if pattern in found:
            if found[pattern] is operator:
                yield found
            return
        reads = self.reads(operator)
        if (pattern.names and operator_name(operator) not in pattern.names) or len(reads) < len(pattern.inputs):
            return
        if pattern.where is not None and not pattern.where(operator):
            return
        if pattern.weights and any(value in self.writers for value in reads[1:]):
            return
        found = {**found, pattern: operator}
        if pattern.each is not None:
            parts = [next(self._match_value(pattern.each, value, {}), None) for value in reads]
            if None not in parts:
                yield {**found, **{key: tuple([part[key] for part in parts if part]) for key in parts[0] or ()}}
            return
        for order in (reads, reads[::-1]) if pattern.any_order else (reads,):
            yield from self._match_values(list(zip(pattern.inputs, order, strict=False)), found)

    def _match_values(self, pairs: Sequence[tuple[Pattern | None, Hashable]], found: _Found) -> Iterator[_Found]:
        if not pairs:
            yield found
            return
        for more in self._match_value(*pairs[0], found):
            yield from self._match_values(pairs[1:], more)


def operator_name(operator: Step | Node) -> str:
    """The name of the operator of a step or node, "" for a fused step; activations go by what they do."""
    op = operator.op
    assert op is not None
    if isinstance(operator, Step):
        if operator.parts:
            return ""
        found = operator.activation()
    else:
        found = activation(operator)
    return op.name if found is None else found[0]


def is_relu(step: Step) -> bool:
    """Is the step a relu, by whichever name?"""
    return operator_name(step) == "relu"


def _inputs_of(node: Node) -> tuple[Hashable, ...]:
    return tuple((entry.node, entry.index) for entry in node.inputs)


def _outputs_of(node: Node) -> tuple[Hashable, ...]:
    return tuple((node, i) for i in range(node.num_outputs()))
