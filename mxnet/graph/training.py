"""Forward and backward as one graph: what ``Executor.debug_str`` lists, and the memory that the original would plan.

Results that are mirrored (``passes/mirror.py``) are nodes of their own here, before the gradients that need them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..ops.infer import Shape
from ..ops.registry import OpDef
from .hidden_outputs import num_total_outputs
from .memory_assignment import MemoryAssignment, has_large_hidden_result, inputs_of
from .monitoring.backward import Gradient, Record, gradient_graph
from .node import Entry, Graph, Node
from .passes.mirroring import is_mirrored, mirrors_everywhere

_Key = tuple[Node, int]
#: What gradients are called, where not after their operators.
_GRADIENTS = {
    "elemwise_mul": "mul",
    "elemwise_div": "div",
    "elemwise_sub": "sub",
    "Reshape": "reshape",
    "expand_dims": "reshape",
    "Flatten": "copy",
    "LinearRegressionOutput": "linear_reg_out",
    "LogisticRegressionOutput": "logistic_reg_out",
    "MAERegressionOutput": "mae_reg_out",
}
#: Bytes of a number: the original counts so many, whatever the type.
_WIDTH = 4
#: The original's count of the resources that operators share; it depends on the machine, not on the graph.
_TEMP_SPACES = 11


@dataclass(eq=False)
class _Call:
    """What a ``Record`` needs to know of a step."""

    node: Node
    op: OpDef


@dataclass(eq=False)
class _ForwardRecord(Record):
    """An operator of a graph that does not run: its values are the entries that stand for them."""

    given: list[Any]
    results: list[Any]
    hidden: dict[str, Any] = field(default_factory=dict)

    def places(self) -> list[int]:
        return list(range(len(self.given)))


class _Hidden(dict):
    """Hidden results by name; most operators have one, and its name is known only where it is computed."""

    first: Entry | None = None

    def get(self, key: str, default: Any = None) -> Any:
        return super().get(key, self.first if default is None else default)


class TrainingGraph:
    """A graph with the operators of its backward pass."""

    def __init__(self, outputs: Sequence[Entry], wanted: Collection[Node]):
        """``wanted`` are the variables whose gradients are computed."""
        self._forward = Graph.of(outputs).order
        self._gradient_of: dict[_Key, _Key] = {}
        self._original: dict[Node, Node] = {}
        self._controls: dict[Node, Node] = {}
        gradients = self._differentiated(outputs, wanted) if wanted else {}
        self._heads = [*outputs, *(entry for node in wanted if (entry := gradients.get(node)) is not None)]
        #: The arrays of the caller, which are no part of what is planned.
        self._given = {(entry.node, entry.index) for entry in gradients.values()}
        self._order = self._sort_nodes()

    def _differentiated(self, outputs: Sequence[Entry], wanted: Collection[Node]) -> dict[Node, Entry]:
        everywhere = mirrors_everywhere()
        staged = any("__mirror_stage__" in node.attrs for node in self._forward)
        copies: dict[Node, Node] = {}
        records: list[Record] = []
        for node in self._forward:
            if node.op is None:
                continue
            inputs, own = node.inputs, node
            if is_mirrored(node, node.op, everywhere, staged):
                inputs = [Entry(copies.get(e.node, e.node), e.index, e.version) for e in node.inputs]
                own = copies[node] = Node(node.op, f"{node.name}_mirror", node.attrs, inputs)
                self._original[own] = node
            count, total = node.num_outputs(), num_total_outputs(node.op, node.parsed())
            hidden = _Hidden({f"output{i}": Entry(own, i) for i in range(count, total)})
            hidden.update({name: Entry(own, i) for i, name in enumerate(node.op.output_names[:total]) if i >= count})
            hidden.first = Entry(own, count) if total > count >= len(node.op.output_names) else None
            results = [Entry(own, i) for i in range(count)]
            records.append(_ForwardRecord(_Call(node, node.op), list(inputs), results, hidden, name=own.name))  # type: ignore[arg-type]
            self._controls[node] = own
        made = gradient_graph(records, [(e, e) for e in outputs], wanted)
        self._gradient_of = made.sizes
        return made.found

    def _children(self, node: Node, waits: bool) -> list[Node]:
        found = [entry.node for entry in inputs_of(node)]
        if isinstance(node, Gradient):
            if node.record is not None:
                found.append(self._controls[node.record.step.node])
            found += node.after if waits else ()
        return found

    def _sort_nodes(self) -> list[Node]:
        """Inputs before their users. A gradient waits for a sum of others unless that needs it."""
        order = list(self._walk(waits=True))
        waiting = [node for node in order if isinstance(node, Gradient) and node.after]
        place = {node: i for i, node in enumerate(order)}
        if not waiting or all(place[c] < i for i, node in enumerate(order) for c in self._children(node, waits=False)):
            return order
        for node in waiting:
            node.after = []
        return list(self._walk(waits=False))

    def _walk(self, waits: bool) -> Iterator[Node]:
        done: set[Node] = set()
        for head in self._heads:
            stack = [(head.node, iter(self._children(head.node, waits)))] if head.node not in done else []
            done.add(head.node)
            while stack:
                node, rest = stack[-1]
                for child in rest:
                    if child not in done:
                        done.add(child)
                        stack.append((child, iter(self._children(child, waits))))
                        break
                else:
                    stack.pop()
                    yield node

    # ---- as text ---------------------------------------------------------------------------------------------------

    def text(self, assigned: int) -> str:
        """Every node with its inputs and attributes, and the ``assigned`` bytes."""
        lines = ["Symbol Outputs:"]
        lines += [f"\toutput[{i}]={e.node.name}({e.index})" for i, e in enumerate(self._heads)]
        for node in self._order:
            if not isinstance(node, Gradient) and node.op is None:
                lines.append(f"Variable:{node.name}")
                continue
            lines += ["--------------------", f"Op:{_operator(node)}, Name={node.name or '_copy'}", "Inputs:"]
            for i, entry in enumerate(inputs_of(node)):
                plain = not isinstance(entry.node, Gradient) and entry.node.is_variable
                version = f" version={entry.version}" if plain else ""
                lines.append(f"\targ[{i}]={entry.node.name}({entry.index}){version}")
            record = node.record if isinstance(node, Gradient) else None
            attrs = record.step.node.attrs if record is not None else node.attrs
            if isinstance(node, Gradient) and node.name == "sum_grad":
                attrs = {"num_args": str(len(node.ports))}
            if attrs:
                lines.append("Attrs:")
                lines += [f"\t{key}={value}" for key, value in sorted(attrs.items())]
            before = [] if record is None else [self._controls[record.step.node]]
            before += node.after if isinstance(node, Gradient) else []
            if before:
                lines += ["Control deps:", *(f"\tcdep[{i}]={other.name}" for i, other in enumerate(before))]
        lines += [f"Total {assigned // 2**20} MB allocated", f"Total {_TEMP_SPACES} TempSpace resource requested", ""]
        return "\n".join(lines)

    # ---- memory ----------------------------------------------------------------------------------------------------

    def assigned_bytes(self, shapes: Mapping[_Key, Shape | None]) -> int:
        """How much memory the values between the caller's arrays take, with blocks that are used again."""
        sizes = {key: math.prod(shape) * _WIDTH if shape is not None else 0 for key, shape in shapes.items()}
        memory = MemoryAssignment(self._order, self._heads)
        for node in self._order:
            if isinstance(node, Gradient) or node.op is not None:
                memory.run(node, [self._size(node, i, sizes) for i in range(_count(node))])
        return memory.total

    def _size(self, node: Node, index: int, sizes: Mapping[_Key, int]) -> int:
        """The bytes of a result; 0 if it lies in an array of the caller's."""
        if isinstance(node, Gradient):
            like = self._gradient_of.get((node, index))
            return 0 if like is None or (node, index) in self._given else self._size(*like, sizes)
        own = self._original.get(node, node)
        if index < own.num_outputs():
            return sizes.get((own, index), 0)
        return sizes.get((own, 0), 0) if index == own.num_outputs() and has_large_hidden_result(own) else 0


def _count(node: Node) -> int:
    if isinstance(node, Gradient):
        return len(node.results)
    assert node.op is not None
    return num_total_outputs(node.op, node.parsed())


def _operator(node: Node) -> str:
    if not isinstance(node, Gradient):
        assert node.op is not None
        return node.op.name
    if node.record is not None:
        name = node.record.step.op.name.lstrip("_")
        return "ones_like" if name == "make_loss" else f"_backward_{_GRADIENTS.get(name, name)}"
    known = {"zeros_without_dtype": "_zeros_without_dtype", "sum_grad": "add_n", "sum_grad_final": "_copy"}
    if node.name in known:
        return known[node.name]
    if node.name.startswith("sum_grad_"):
        return "_grad_add"
    return "_identity_with_attr_like_rhs" if node.name.startswith("_head_grad") else "_copy"
