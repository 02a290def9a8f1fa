"""Forward and backward as one graph: what ``Executor.debug_str`` lists, and the memory that the original would plan.

Results that are mirrored (``passes/mirror.py``) are nodes of their own here, before the gradients that need them.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from ..ops.infer import Shape, same_shapes
from ..ops.registry import OpDef
from .backward import Gradient, Record, gradient_graph
from .infer import graph_dtypes
from .node import Entry, Graph, Node
from .passes.mirror import is_mirrored, mirrors_everywhere

_Key = tuple[Node, int]
#: Hidden results as large as the data.
_LARGE_HIDDEN = ("Dropout", "LRN")
#: The original's count of the resources that operators share; it depends on the machine, not on the graph.
_TEMP_SPACES = 11


@dataclass(eq=False)
class _Call:
    """What a ``Record`` needs to know of a step."""

    node: Node
    op: OpDef


@dataclass(eq=False)
class _Planned(Record):
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
        self._order = list(self._sorted())

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
            count, total = node.num_outputs(), node.op.num_total_outputs(node.parsed())
            hidden = _Hidden({f"output{i}": Entry(own, i) for i in range(count, total)})
            hidden.update({name: Entry(own, i) for i, name in enumerate(node.op.output_names[:total]) if i >= count})
            hidden.first = Entry(own, count) if total > count >= len(node.op.output_names) else None
            results = [Entry(own, i) for i in range(count)]
            records.append(_Planned(_Call(node, node.op), list(inputs), results, hidden, name=own.name))  # type: ignore[arg-type]
            self._controls[node] = own
        made = gradient_graph(records, [(e, e) for e in outputs], wanted)
        self._gradient_of = made.sizes
        return made.found

    def _children(self, node: Node) -> list[Node]:
        found = [entry.node for entry in _inputs(node)]
        if isinstance(node, Gradient) and node.record is not None:
            found.append(self._controls[node.record.step.node])
        return found

    def _sorted(self) -> Iterator[Node]:
        done: set[Node] = set()
        for head in self._heads:
            stack = [(head.node, iter(self._children(head.node)))] if head.node not in done else []
            done.add(head.node)
            while stack:
                node, rest = stack[-1]
                for child in rest:
                    if child not in done:
                        done.add(child)
                        stack.append((child, iter(self._children(child))))
                        break
                else:
                    stack.pop()
                    yield node

    # ---- as text ---------------------------------------------------------------------------------------------------

    def text(self, planned: int) -> str:
        """Every node with its inputs and attributes, and the ``planned`` bytes."""
        lines = ["Symbol Outputs:"]
        lines += [f"\toutput[{i}]={e.node.name}({e.index})" for i, e in enumerate(self._heads)]
        for node in self._order:
            if not isinstance(node, Gradient) and node.op is None:
                lines.append(f"Variable:{node.name}")
                continue
            lines += ["--------------------", f"Op:{_operator(node)}, Name={node.name or '_copy'}", "Inputs:"]
            for i, entry in enumerate(_inputs(node)):
                plain = not isinstance(entry.node, Gradient) and entry.node.is_variable
                version = f" version={entry.version}" if plain else ""
                lines.append(f"\targ[{i}]={entry.node.name}({entry.index}){version}")
            record = node.record if isinstance(node, Gradient) else None
            attrs = record.step.node.attrs if record is not None else node.attrs
            if attrs:
                lines.append("Attrs:")
                lines += [f"\t{key}={value}" for key, value in sorted(attrs.items())]
            if record is not None:
                lines += ["Control deps:", f"\tcdep[0]={self._controls[record.step.node].name}"]
        lines += [f"Total {planned // 2**20} MB allocated", f"Total {_TEMP_SPACES} TempSpace resource requested", ""]
        return "\n".join(lines)

    # ---- memory ----------------------------------------------------------------------------------------------------

    def planned_bytes(self, shapes: Mapping[_Key, Shape | None], dtypes: Mapping[str, torch.dtype]) -> int:
        """How much memory the values between the caller's arrays take, with blocks that are used again."""
        kinds = graph_dtypes([e for e in self._heads if not isinstance(e.node, Gradient)], dtypes, strict=False)
        widths = {key: (kind or torch.float32).itemsize for key, kind in kinds.items()}
        sizes = {
            key: math.prod(shape) * widths.get(key, 4) if shape is not None else 0 for key, shape in shapes.items()
        }

        def size(node: Node, index: int) -> int:
            if isinstance(node, Gradient):
                like = self._gradient_of.get((node, index))
                return 0 if like is None or (node, index) in self._given else sizes.get(like, 0)
            own = self._original.get(node, node)
            if own.op is not None and index >= own.num_outputs():
                return sizes.get((own, 0), 0) if own.op.name in _LARGE_HIDDEN and index == own.num_outputs() else 0
            return sizes.get((own, index), 0)

        uses: Counter[_Key] = Counter((e.node, e.index) for node in self._order for e in _inputs(node))
        uses.update((e.node, e.index) for e in self._heads)
        pool = _Pool()
        for node in self._order:
            if not isinstance(node, Gradient) and node.op is None:
                continue
            inputs = _inputs(node)
            shared = self._overwritten(node, inputs)
            for i in range(_count(node)):
                key = node, i
                wanted = size(*key)
                if not wanted:
                    continue
                if i == 0 and shared is not None and uses[shared] == 1 and pool.hand_over(shared, key, wanted):
                    continue
                pool.take(key, wanted)
                if not uses[key]:
                    pool.give_back(key)
            for entry in inputs:
                key = entry.node, entry.index
                uses[key] -= 1
                if not uses[key]:
                    pool.give_back(key)
        return pool.total

    def _overwritten(self, node: Node, inputs: Sequence[Entry]) -> _Key | None:
        """The input whose memory the first result may take."""
        if not inputs:
            return None
        if isinstance(node, Gradient):
            first = inputs[0]
            elementwise = node.record is None or node.record.step.op.rules.get("back") is same_shapes
            return (first.node, first.index) if elementwise and isinstance(first.node, Gradient) else None
        op = node.op
        assert op is not None
        if op.rules.get("back") is not same_shapes or inputs[0].node.is_variable:
            return None
        return inputs[0].node, inputs[0].index


class _Pool:
    """Blocks of memory, given to values and taken back."""

    def __init__(self) -> None:
        self.total = 0
        self._held: dict[_Key, int] = {}
        self._free: list[int] = []

    def take(self, key: _Key, size: int) -> None:
        """The smallest free block that is large enough, the largest one made larger, or a new one."""
        place = bisect_left(self._free, size)
        if place < len(self._free) and self._free[place] <= 16 * size:
            block = self._free.pop(place)
        elif place and self._free[place - 1] * 16 >= size:
            self.total += size - self._free.pop(place - 1)
            block = size
        else:
            self.total += size
            block = size
        self._held[key] = block

    def hand_over(self, old: _Key, new: _Key, size: int) -> bool:
        """Is the old value's block of this size? Then it is the new one's."""
        if self._held.get(old) != size:
            return False
        self._held[new] = self._held.pop(old)
        return True

    def give_back(self, key: _Key) -> None:
        """Nobody reads the value any more."""
        block = self._held.pop(key, None)
        if block is not None:
            insort(self._free, block)


def _source(value: Any) -> Entry | None:
    """The entry behind a port of a gradient: another gradient, or a value of the forward pass."""
    found = value if isinstance(value, Entry) else value[1]
    return found if isinstance(found, Entry) else None


def _inputs(node: Node) -> list[Entry]:
    if isinstance(node, Gradient):
        return [entry for _, value in node.ports if (entry := _source(value)) is not None]
    return node.inputs


def _count(node: Node) -> int:
    if isinstance(node, Gradient):
        return len(node.results)
    assert node.op is not None
    return node.op.num_total_outputs(node.parsed())


def _operator(node: Node) -> str:
    if not isinstance(node, Gradient):
        assert node.op is not None
        return node.op.name
    if node.record is not None:
        return f"_backward_{node.record.step.op.name.lstrip('_')}"
    known = {"zeros_without_dtype": "_zeros_without_dtype", "sum_grad": "add_n", "sum_grad_final": "add_n"}
    if node.name in known:
        return known[node.name]
    return "_identity_with_attr_like_rhs" if node.name.startswith("_head_grad") else "_copy"
