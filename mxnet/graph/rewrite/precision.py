"""Mixed precision as a rewrite: casts between float32 and a shorter type, where operators of a graph want them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from ..._core.dtypes import FLAG_OF, NAME_OF
from ...error import MXNetError
from ...ops.infer import infer_dtypes
from ...ops.registry import OpDef, find, get
from ..monitoring.names import hooked_outputs
from ..node import Entry, Graph, Node

_Type = torch.dtype | None
_SHORT = frozenset(str(FLAG_OF[dtype]) for dtype in (torch.float16, torch.bfloat16))


def _operators(names: Collection[str]) -> frozenset[OpDef]:
    return frozenset(op for name in names if (op := find(name)) is not None)


@dataclass(frozen=True)
class Policy:
    """Which operators run in the ``target`` type, in float32 (some only by an attribute), in their widest input's."""

    target: torch.dtype
    lower: frozenset[OpDef]
    upper: frozenset[OpDef]
    widest: frozenset[OpDef]
    conditional: Mapping[OpDef, Sequence[tuple[str, frozenset[str]]]] = field(default_factory=dict)

    @staticmethod
    def of(
        target: torch.dtype,
        lower: Collection[str],
        upper: Collection[str],
        widest: Collection[str],
        conditional: Collection[tuple[str, str, Sequence[str]]],
    ) -> Policy:
        """The policy of lists of names; names that are no operators here are left out."""
        cases: dict[OpDef, list[tuple[str, frozenset[str]]]] = {}
        for name, attribute, values in conditional:
            if (op := find(name)) is not None:
                cases.setdefault(op, []).append((attribute, frozenset(map(str, values))))
        return Policy(target, _operators(lower), _operators(upper), _operators(widest), cases)

    def is_conditional(self, op: OpDef, parsed: Mapping[str, Any]) -> bool:
        """Do the attributes ask for float32?"""
        return any(
            name in op.params and str(op.with_defaults(parsed)[name]) in values
            for name, values in self.conditional.get(op, ())
        )

    def input_dtype(self, op: OpDef, parsed: Mapping[str, Any]) -> torch.dtype | None:
        """The type that the inputs of an operator are cast to, if it is always the same one."""
        if op in self.lower:
            return self.target
        return torch.float32 if op in self.upper or self.is_conditional(op, parsed) else None


def cast_node(name: str, entry: Entry, dtype: torch.dtype) -> Entry:
    """An entry cast to a type."""
    return Entry(Node(get("amp_cast"), name, {"dtype": NAME_OF[dtype]}, [entry]))


def multicast_node(name: str, entries: Sequence[Entry]) -> list[Entry]:
    """Entries cast to the widest type among them."""
    node = Node(get("amp_multicast"), name, {"num_outputs": str(len(entries))}, entries)
    return [Entry(node, i) for i in range(len(entries))]


def reduce_precision(
    outputs: Graph, policy: Policy, excluded: Collection[str] = (), known: Mapping[str, torch.dtype] | None = None
) -> Graph:
    """A graph with casts by a policy, whose outputs are float32. Nodes that are ``excluded`` by name run in float32.

    With ``known`` types of parameters each parameter says its type, and one that is known to have the target type
    already is not cast.
    """
    return _Pass(policy, frozenset(excluded), known).run(outputs)


class _Pass:
    """One rewrite: the new entry of each old one, what its type is known to be, and the casts made so far."""

    def __init__(self, policy: Policy, excluded: frozenset[str], known: Mapping[str, torch.dtype] | None):
        self._policy, self._excluded, self._known = policy, excluded, known
        self._made: dict[Node, Node] = {}
        self._types: dict[tuple[Node, int], _Type] = {}
        self._casts: dict[tuple[Node, int, torch.dtype], Entry] = {}

    def run(self, outputs: Graph) -> Graph:
        for node in outputs.order:
            self._made[node] = self._variable(node) if node.op is None else self._operator(node, node.op)
        return Graph(self._head(entry) for entry in outputs)

    def _entry(self, old: Entry) -> Entry:
        return Entry(self._made[old.node], old.index, old.version)

    def _type(self, entry: Entry) -> _Type:
        return self._types.get((entry.node, entry.index))

    def _variable(self, node: Node) -> Node:
        new = Node(None, node.name, dict(node.attrs))
        new.version = node.version
        if self._known is not None and node.name in self._known:
            dtype = self._known[node.name]
            new.attrs["__dtype__"] = str(FLAG_OF[dtype])
            if dtype is self._policy.target:
                self._types[new, 0] = dtype
        elif new.attrs.get("__dtype__") in _SHORT:  # the graph is treated as one of float32
            new.attrs["__dtype__"] = str(FLAG_OF[torch.float32])
        return new

    def _operator(self, node: Node, op: OpDef) -> Node:
        inputs = [self._entry(entry) for entry in node.inputs]
        policy, parsed = self._policy, node.parsed()
        result: _Type = None
        if node.name in self._excluded or op in policy.upper:
            inputs, result = [e if e.node.is_variable else self._cast(e, torch.float32) for e in inputs], torch.float32
        elif op in policy.lower:
            inputs, result = [self._cast(e, policy.target) for e in inputs], policy.target
        elif policy.is_conditional(op, parsed):
            inputs, result = [self._cast(e, torch.float32) for e in inputs], torch.float32
        elif op in policy.widest:
            inputs, result = self._widest(inputs)
        new = Node(op, node.name, dict(node.attrs), inputs, node.subgraphs)
        new.version = node.version
        types = [result] * new.num_outputs() if result is not None else self._passed_on(new, op)
        self._types.update(((new, i), dtype) for i, dtype in enumerate(types))
        return new

    def _widest(self, inputs: list[Entry]) -> tuple[list[Entry], _Type]:
        # What has been cast to the target type for another operator counts as a value of that type.
        target = self._policy.target
        lowered = [e if self._type(e) is not None else self._casts.get((e.node, e.index, target), e) for e in inputs]
        types = {self._type(entry) for entry in lowered}
        if None in types or not types <= {torch.float32, target}:
            return multicast_node(f"{_name(inputs[0])}_amp_multicast", inputs), None
        if len(types) == 1:
            return lowered, types.pop()
        return [self._cast(entry, torch.float32) for entry in inputs], torch.float32

    def _passed_on(self, node: Node, op: OpDef) -> list[_Type]:
        """The types of the results of an operator that runs in the type of its inputs, as far as they are known."""
        unknown: list[_Type] = [None] * node.num_outputs()
        types = [self._type(entry) for entry in node.inputs]
        if node.inputs and (types[0] is None or any(t not in (None, types[0]) for t in types)):
            return unknown
        if not node.inputs or node.subgraphs or op.name.endswith("_like"):
            return unknown
        try:
            return infer_dtypes(op, types, node.parsed())[1]
        except MXNetError:  # not for these types: running says so
            return unknown

    def _cast(self, entry: Entry, dtype: torch.dtype) -> Entry:
        if self._type(entry) is dtype:
            return entry
        key = entry.node, entry.index, dtype
        if key not in self._casts:
            made = cast_node(f"{_name(entry)}_amp_cast_{NAME_OF[dtype]}", entry, dtype)
            self._casts[key], self._types[made.node, 0] = made, dtype
        return self._casts[key]

    def _head(self, old: Entry) -> Entry:
        entry = self._entry(old)
        known = self._type(entry)
        return entry if known not in (None, self._policy.target) else self._cast(entry, torch.float32)


def _name(entry: Entry) -> str:
    node = entry.node
    return node.name if node.is_variable else hooked_outputs(node)[entry.index]
