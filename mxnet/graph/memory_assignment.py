"""Which values of a training graph share memory, by the rules that MXNet was seen to follow.

A value may take the memory of one that is read for the last time (in place), or lies in another one's memory because
it is the same numbers. Else it gets a block of memory that is free again, or a new one.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ..ops.infer import same_shapes
from ..ops.registry import OpDef
from .monitoring.backward import Gradient, is_zero
from .node import Entry, Node

Key = tuple[Node, int]
#: A free block is used for a value that is up to so many times smaller or larger.
_MATCH = 16

# What is known of single operators was found by experiments with the original, with the reuse of blocks switched off.

#: The same numbers in another shape, forward and backward: never in memory of their own.
_SAME_NUMBERS = frozenset({"_copy", "Reshape", "Flatten", "expand_dims", "BlockGrad", "make_loss"})
#: Functions of single numbers that are not computed in place though they could be.
_NEVER = frozenset({"clip", "reverse", "Cast", "L2Normalization", "LRN"})
#: Other operators that take the memory of their first input.
_FORWARD = frozenset(
    """LeakyReLU Dropout LayerNorm GroupNorm softmax log_softmax softmin SoftmaxOutput SVMOutput MakeLoss SequenceMask
    LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput add_n""".split()
)
#: What the gradients of operators take the place of: pairs of an input and a result of theirs.
_BACKWARD = {
    "FullyConnected": ((1, 0),),
    **dict.fromkeys("LeakyReLU Dropout L2Normalization SequenceMask Activation SoftmaxOutput".split(), ((0, 0),)),
    **dict.fromkeys("LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput".split(), ((1, 0),)),
    **dict.fromkeys("softmax log_softmax softmin SoftmaxActivation".split(), ((0, 0), (1, 0))),
    **dict.fromkeys("elemwise_sub broadcast_add broadcast_sub".split(), ((0, 0), (0, 1))),
    **dict.fromkeys("clip reverse Cast LRN".split(), ()),
}


def inputs_of(node: Node) -> list[Entry]:
    """The values that a node takes: those of the forward pass and other gradients."""
    if isinstance(node, Gradient):
        return [entry for _, value in node.ports if (entry := _source(value)) is not None]
    return node.inputs


def read_by(node: Node) -> list[Entry]:
    """The values that have to be there when a node runs. Of some it needs the shape only."""
    if not isinstance(node, Gradient):
        return node.inputs
    if is_zero(node) or (node.record is not None and node.record.step.op.name == "make_loss"):
        return []
    return inputs_of(node)[:1] if node.name.startswith("_head_grad") else inputs_of(node)


def has_large_hidden_result(node: Node) -> bool:
    """Has an operator a hidden result as large as the first one?"""
    assert node.op is not None
    if node.op.name == "Pooling":
        return node.op.with_defaults(node.parsed())["pool_type"] == "max"
    return node.op.name in ("Dropout", "LRN")


class MemoryAssignment:
    """Gives memory to the results of nodes, in the order in which they run."""

    def __init__(self, order: Iterable[Node], heads: Iterable[Entry]):
        self._pool = _Pool()
        self._sizes: dict[Key, int] = {}
        self._uses: Counter[Key] = Counter((e.node, e.index) for e in heads)
        self._read = {node: [(e.node, e.index) for e in read_by(node)] for node in order}
        for read in self._read.values():
            self._uses.update(read)

    @property
    def total(self) -> int:
        """The bytes of all blocks."""
        return self._pool.total

    def run(self, node: Node, sizes: Sequence[int]) -> None:
        """The results of a node have these sizes, 0 for those in memory of the caller's."""
        read = self._read[node]
        for i, size in enumerate(sizes):
            key = node, i
            if not size or (not self._uses[key] and _is_mask(node, i)):
                continue
            self._sizes[key] = size
            old = self._find_memory(node, key, read) if self._uses[key] else None
            if old is not None:
                self._pool.share(old, key)
                continue
            self._pool.take(key, size)
            if not self._uses[key]:
                self._pool.give_back(key)
        for key in read:
            self._uses[key] -= 1
            if not self._uses[key]:
                self._pool.give_back(key)

    def _find_memory(self, node: Node, key: Key, read: Sequence[Key]) -> Key | None:
        """The value in whose memory a result is put."""
        if _is_same(node) and read and self._pool.holds(read[0]):
            return read[0]
        for place, result in _in_place(node):
            if result == key[1] and place < len(read) and self._is_last(read[place], key):
                return read[place]
        return None

    def _is_last(self, old: Key, new: Key) -> bool:
        """Is a value read for the last time, alone in its memory, and of the size of the new one?"""
        return self._uses[old] == 1 and self._pool.is_alone(old) and self._sizes[old] == self._sizes[new]


def _is_mask(node: Node, index: int) -> bool:
    return node.op is not None and node.op.name == "Dropout" and index == 1


def _is_same(node: Node) -> bool:
    """Are the results the same numbers as the first input?"""
    op = _operator(node)
    if op is None:
        return node.name in ("", "sum_grad_final") or node.name.endswith("_copy")
    return op.name in _SAME_NUMBERS and not is_zero(node)


def _operator(node: Node) -> OpDef | None:
    """The operator that a node is, or whose gradient it is."""
    if isinstance(node, Gradient):
        return None if node.record is None else node.record.step.op
    return node.op


def _in_place(node: Node) -> Sequence[tuple[int, int]]:
    """Pairs of an input and of a result that may take its memory, the better ones first."""
    op = _operator(node)
    if op is None:
        return ((0, 0),) if node.name.startswith("sum_grad") else ()
    broadcasts = op.name.startswith("broadcast_")
    if not isinstance(node, Gradient):
        if op.name in _FORWARD:
            return ((0, 0),)
        alike = op.rules.get("back") is same_shapes and op.name not in _NEVER
        return ((0, 0), (1, 0)) if alike or broadcasts else ()
    if op.name in _BACKWARD:
        return _BACKWARD[op.name]
    if op.name == "Pooling":
        return ((1, 0),) if isinstance(inputs_of(node)[1].node, Gradient) else ()
    if op.rules.get("back") is same_shapes or broadcasts:
        return ((0, 0), (1, 0)) if len(op.inputs) == 1 else ((0, 1),)
    return ()


class _Pool:
    """Blocks of memory. Several values may lie in one."""

    def __init__(self) -> None:
        self.total = 0
        self._block: dict[Key, list[int]] = {}  # its size, and how many values are in it
        self._free: list[int] = []

    def take(self, key: Key, size: int) -> None:
        """The smallest free block that is large enough, the largest one made larger, or a new one."""
        place = bisect_left(self._free, size)
        if place < len(self._free) and self._free[place] <= _MATCH * size:
            size = self._free.pop(place)
        elif place and self._free[place - 1] * _MATCH >= size:
            self.total += size - self._free.pop(place - 1)
        else:
            self.total += size
        self._block[key] = [size, 1]

    def share(self, old: Key, new: Key) -> None:
        """Puts a new value into the block of an old one."""
        block = self._block[new] = self._block[old]
        block[1] += 1

    def holds(self, key: Key) -> bool:
        """Does the value have a block?"""
        return key in self._block

    def is_alone(self, key: Key) -> bool:
        """Is the value the only one in its block?"""
        return key in self._block and self._block[key][1] == 1

    def give_back(self, key: Key) -> None:
        """Nobody reads the value any more."""
        block = self._block.pop(key, None)
        if block is not None:
            block[1] -= 1
            if not block[1]:
                insort(self._free, block[0])


def _source(value: Any) -> Entry | None:
    """The entry behind a port of a gradient: another gradient, or a value of the forward pass."""
    found = value if isinstance(value, Entry) else value[1]
    return found if isinstance(found, Entry) else None
