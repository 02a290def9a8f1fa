"""The graph behind Symbol: nodes, the entries that connect them, and the graph as a value."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from ..ops.registry import OpDef
from .hidden_outputs import num_total_outputs

#: Operators whose outputs are called output0, output1, ... also where there is only one.
_NUMBERED_OUTPUTS = frozenset(("SliceChannel", "_contrib_quantize_v2", "_npi_norm"))
_MOVING_STATISTICS = {"moving_mean": '["zero", {}]', "moving_var": '["one", {}]'}
_INITIAL_VALUES: dict[str, dict[str, str]] = {
    **dict.fromkeys(
        ("BatchNorm", "BatchNorm_v1", "_contrib_BatchNormWithReLU", "_contrib_SyncBatchNorm"), _MOVING_STATISTICS
    ),
    "IdentityAttachKLSparseReg": {"moving_avg": '["zero", {}]'},
    "LeakyReLU": {"gamma": '["Constant", {"value": 0.25}]'},
    # The original gives this to the second input, also where that is another picture and not the weight.
    "UpSampling": dict.fromkeys(("weight", "arg1"), '["bilinear", {}]'),
}
_WITHOUT_GRADIENT = {
    **dict.fromkeys(("SequenceLast", "SequenceMask", "SequenceReverse"), ("sequence_length",)),
    "CTCLoss": ("label", "data_lengths", "label_lengths"),
}

_Derived = TypeVar("_Derived")


@dataclass(frozen=True, slots=True)
class Entry:
    """One output of a node. ``version`` counts how often a variable had been written to by operators before."""

    node: Node
    index: int = 0
    version: int = 0


class Node:
    """An operator applied to entries, or a variable (``op`` is None). ``attrs`` holds text only, as files do."""

    __slots__ = ("_parsed", "attrs", "inputs", "name", "op", "subgraphs", "version")
    #: How often attributes of some node were changed: what was derived from attributes before may be out of date.
    changes: ClassVar[int] = 0

    def __init__(
        self,
        op: OpDef | None,
        name: str,
        attrs: dict[str, str] | None = None,
        inputs: Sequence[Entry] = (),
        subgraphs: Sequence[Iterable[Entry]] = (),
    ):
        self.op = op
        self.name = name
        self.attrs: dict[str, str] = attrs if attrs is not None else {}
        self.inputs: list[Entry] = list(inputs)
        self.subgraphs: list[Graph] = [Graph.of(outputs) for outputs in subgraphs]
        self.version = 0
        self._parsed: dict[str, Any] | None = None

    def __repr__(self) -> str:
        return f"<{self.op.name if self.op else 'variable'} {self.name}>"

    @property
    def is_variable(self) -> bool:
        """Is this an input of the graph rather than an operator?"""
        return self.op is None

    @property
    def is_whole_graph(self) -> bool:
        """Does this node stand for a graph, with its inputs in the order of that one's variables?"""
        return bool(self.subgraphs) and self.op is not None and self.op.name == "_CachedOp"

    @property
    def is_fused(self) -> bool:
        """Does this node stand for several layers, with the inputs of its graph first?"""
        return bool(self.subgraphs) and self.op is not None and self.op.name.startswith("_sg_mkldnn")

    @property
    def is_bare(self) -> bool:
        """Is this an operator that waits for its inputs?"""
        return self.op is not None and not self.inputs and not self.name

    @property
    def draws(self) -> bool:
        """Does it draw random numbers?"""
        if self.op is None or "_rng" not in self.op.supplied:
            return False
        return self.op.name != "LeakyReLU" or self.op.with_defaults(self.parsed())["act_type"] == "rrelu"

    @property
    def has_effects(self) -> bool:
        """Does it do more than give results: draw random numbers, write to states, run code of the program's?

        Such nodes run as often as the program says, and in its order.
        """
        op = self.op
        return op is not None and bool(self.draws or op.aux or op.mutates or self.subgraphs or op.name == "Custom")

    def parsed(self) -> dict[str, Any]:
        """The operator's attributes, parsed."""
        if self._parsed is None:
            assert self.op is not None
            self._parsed = self.op.parse({k: v for k, v in self.attrs.items() if k in self.op.params})
        return self._parsed

    def forget_parsed(self) -> None:
        """To be called when ``attrs`` were changed."""
        self._parsed = None
        Node.changes += 1

    def rename(self, name: str) -> None:
        """Gives the node another name."""
        self.name = name
        Node.changes += 1

    def num_outputs(self) -> int:
        """How many outputs users see."""
        return 1 if self.op is None else self.op.num_outputs(self.parsed())

    def output_names(self) -> list[str]:
        """``fc1_output``, or the operator's own names for its outputs."""
        if self.op is None:
            return [self.name]
        count = self.num_outputs()
        if self.is_whole_graph:
            return [f"{self.name}_{e.node.output_names()[e.index]}" for e in self.subgraphs[0]]
        if self.op.output_names:
            return [f"{self.name}_{n}" for n in self.op.output_names[:count]]
        if self.op.name not in _NUMBERED_OUTPUTS and num_total_outputs(self.op, self.parsed()) == 1:
            return [f"{self.name}_output" if self.name else "output"]
        return [f"{self.name}_output{i}" for i in range(count)]

    def aux_indices(self) -> list[int]:
        """Which inputs are auxiliary states."""
        if self.is_whole_graph or self.is_fused:
            graph = self.subgraphs[0]
            return [i for i, node in enumerate(graph.variables) if node in graph.states]
        if self.op is None or not self.op.aux:
            return []
        return [i for i in self.op.aux_positions(self.parsed()) if i < len(self.inputs)]


def initial_values(op: OpDef) -> Mapping[str, str]:
    """How variables for inputs of an operator start out, by input: the JSON text of initializers."""
    return _INITIAL_VALUES.get(op.name, {})


def inputs_without_gradient(op: OpDef) -> tuple[str, ...]:
    """The inputs that get no gradient at all, not even zeros: the labels of losses, lengths of sequences."""
    return ("label",) if op.gradient == "loss" else _WITHOUT_GRADIENT.get(op.name, ())


def argument_names(op: OpDef, parsed: Mapping[str, Any], given: int) -> list[str]:
    """The names of an operator's inputs under its attributes; variadic ones are called arg0, arg1, ..."""
    if op.variadic is None or op.active is not None:
        return list(op.active_inputs(parsed))
    fixed = op.inputs[:-1]
    count = max(parsed.get(op.count, 0) if op.count else 0, given - len(fixed))
    return [*fixed, *(f"arg{i}" for i in range(count))]


class Graph(tuple[Entry, ...]):
    """The outputs of a graph: an immutable value that finds out once which nodes are below them."""

    _derived: tuple[int, dict[Hashable, Any]] = -1, {}

    @staticmethod
    def of(outputs: Iterable[Entry]) -> Graph:
        """The graph of these outputs; a graph is itself."""
        return outputs if isinstance(outputs, Graph) else Graph(outputs)

    @cached_property
    def order(self) -> tuple[Node, ...]:
        """All nodes, inputs before their users, in the order of a depth-first walk."""
        return tuple(_walk(self))

    def derive(self, function: Callable[[Graph], _Derived]) -> _Derived:
        """What a function makes of the graph: computed once, and again after attributes of some node were changed."""
        changes, found = self._derived
        if changes != Node.changes:
            changes, found = self._derived = Node.changes, {}
        if function not in found:
            found[function] = function(self)
        return found[function]

    @property
    def states(self) -> frozenset[Node]:
        """The variables that some operator uses as an auxiliary state."""
        return self.derive(_states)

    @cached_property
    def variables(self) -> tuple[Node, ...]:
        """All variables, in the order of the nodes."""
        return tuple(node for node in self.order if node.is_variable)

    @property
    def arguments(self) -> list[Node]:
        """The variables that are no auxiliary states."""
        states = self.states
        return [node for node in self.variables if node not in states]

    @property
    def auxiliary(self) -> list[Node]:
        """The variables that are auxiliary states."""
        states = self.states
        return [node for node in self.variables if node in states]


def _states(graph: Graph) -> frozenset[Node]:
    return frozenset(auxiliary_states(graph.order))


def _walk(outputs: Iterable[Entry]) -> list[Node]:
    order: list[Node] = []
    done: set[Node] = set()
    for head in outputs:
        if head.node in done:
            continue
        done.add(head.node)
        path = [(head.node, iter(head.node.inputs))]
        while path:
            node, rest = path[-1]
            for entry in rest:
                child = entry.node
                if child not in done:
                    done.add(child)
                    if child.inputs:
                        path.append((child, iter(child.inputs)))
                        break
                    order.append(child)
            else:
                path.pop()
                order.append(node)
    return order


def auxiliary_states(nodes: Iterable[Node]) -> set[Node]:
    """The variables that some of these nodes use as auxiliary states."""
    return {node.inputs[i].node for node in nodes for i in node.aux_indices() if node.inputs[i].node.is_variable}


def rebuild(outputs: Sequence[Entry], replace: Callable[[Node, list[Entry]], Node | Sequence[Entry] | None]) -> Graph:
    """Copies a graph. ``replace(node, new_inputs)`` gives the node, or the entries for its outputs, to use instead.

    None stands for a plain copy.
    """
    made: dict[Node, Node | Sequence[Entry]] = {}

    def move(entry: Entry) -> Entry:
        new = made[entry.node]
        return Entry(new, entry.index, entry.version) if isinstance(new, Node) else new[entry.index]

    for node in Graph.of(outputs).order:
        inputs = [move(e) for e in node.inputs]
        new = replace(node, inputs)
        if new is None:
            new = Node(node.op, node.name, dict(node.attrs), inputs, node.subgraphs)
            new.version = node.version
        made[node] = new
    return Graph(move(e) for e in outputs)
