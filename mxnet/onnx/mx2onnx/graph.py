"""The ONNX graph that converters write to, and the register of converters by operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
import torch

from ...error import MXNetNotImplementedError, MXNetValueError
from ...graph.node import Node
from ...ops.registry import OpDef, find
from ..package import load_onnx, plain, tensor_type, to_numpy


@dataclass(frozen=True)
class Dim:
    """A dimension that is open until the model runs: its sizes in two trial runs identify it."""

    trials: tuple[int, int]

    def __repr__(self) -> str:
        return "?"


Dims = tuple[Any, ...]  # of int and Dim
Names = str | Sequence[str]


@dataclass(eq=False)
class Call:
    """One MXNet operator to be converted: its attributes, the ONNX names of its inputs, shapes and dtypes."""

    node: Node
    attrs: Mapping[str, Any]
    inputs: list[str]
    shapes: list[Dims]
    dtypes: list[torch.dtype]
    out_shapes: list[Dims]
    out_dtypes: list[torch.dtype]
    #: How many operators and outputs use each input.
    uses: list[int]

    @property
    def x(self) -> str:
        """The first input."""
        return self.inputs[0]

    @property
    def shape(self) -> Dims:
        """The shape of the first input."""
        return self.shapes[0]

    @property
    def dtype(self) -> torch.dtype:
        """The dtype of the first input."""
        return self.dtypes[0]

    @property
    def ndim(self) -> int:
        """The number of dimensions of the first input."""
        return len(self.shapes[0])

    def axis(self, key: str = "axis", more: int = 0) -> int:
        """An attribute that names an axis, not negative."""
        value = self.attrs[key]
        return value + self.ndim + more if value < 0 else value

    def refuse(self, reason: str) -> MXNetNotImplementedError:
        """An error about this node, to be raised."""
        assert self.node.op is not None
        return MXNetNotImplementedError(f"cannot export {self.node.name} ({self.node.op.name}): {reason}")


Converter = Callable[["Graph", Call], Names]
_CONVERTERS: dict[str, Converter] = {}
#: Those that take floats in the place of integers.
_QUANTIZED: set[str] = set()


def converter(*names: str, quantized: bool = False) -> Callable[[Converter], Converter]:
    """Registers the converter of operators, by name or alias; ``quantized``: it takes floats for integers."""

    def register(function: Converter) -> Converter:
        for name in names:
            op = find(name)
            if op is None:
                raise MXNetValueError(f"there is no operator {name!r} to convert")
            if op.name in _CONVERTERS:
                raise MXNetValueError(f"operator {op.name!r} has a converter already")
            _CONVERTERS[op.name] = function
            if quantized:
                _QUANTIZED.add(op.name)
        return function

    return register


def converter_of(op: OpDef) -> Converter | None:
    """The converter of an operator, if there is one."""
    return _CONVERTERS.get(op.name)


def takes_integers(op: OpDef) -> bool:
    """Does the converter of an operator want integers as they are?"""
    return op.name not in _QUANTIZED


def converted_operators() -> list[str]:
    """The operators that can be exported, by all their names."""
    found = {name: find(name) for name in _CONVERTERS}
    return sorted({alias for name, op in found.items() if op is not None for alias in (name, *op.aliases)})


@dataclass(eq=False)
class OnnxNode:
    """A node that is being written."""

    op: str
    inputs: list[str]
    outputs: list[str]
    attrs: dict[str, Any]
    name: str
    domain: str = ""
    #: For a Cast, what it converts from, if that is known.
    source: torch.dtype | None = None


@dataclass(eq=False)
class Graph:
    """An ONNX graph in the making. ``outer`` is the graph around a subgraph, whose values it may use."""

    opset: int
    outer: Graph | None = None
    nodes: list[OnnxNode] = field(default_factory=list)
    #: Parameters and constants by name; those that are used become initializers.
    constants: dict[str, torch.Tensor] = field(default_factory=dict)
    #: The shapes of the model's inputs, where dynamic dimensions can be looked up.
    inputs: dict[str, Dims] = field(default_factory=dict)
    #: The shapes of values with dynamic dimensions that the inputs have not.
    measured: dict[str, Dims] = field(default_factory=dict)
    producers: dict[str, OnnxNode] = field(default_factory=dict)
    #: Floats that stand for 8-bit integers, with the names of their scale and zero point; or for sums of 32 bits: None.
    integers: dict[str, tuple[str, str] | None] = field(default_factory=dict)
    #: The values that are nothing but zeros.
    zeros: set[str] = field(default_factory=set)
    prefix: str = "node"
    _known: dict[Any, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.outer is not None:
            self._taken = self.outer._taken

    # ---- names -----------------------------------------------------------------------------------------------------

    def fresh(self, hint: str) -> str:
        """A name that nothing has yet."""
        name, number = hint, 0
        while name in self._taken:
            number += 1
            name = f"{hint}_{number}"
        self._taken.add(name)
        return name

    def rename(self, old: str, new: str, since: int) -> str:
        """Gives a value that only nodes from ``since`` on can use another name; the one it has then."""
        new = self.fresh(new)
        node = self.producers.pop(old)
        node.outputs[node.outputs.index(old)] = new
        self.producers[new] = node
        if old in self.zeros:
            self.zeros.add(new)
        if old in self.integers:
            self.integers[new] = self.integers[old]
        for other in self.nodes[since:]:
            other.inputs = [new if i == old else i for i in other.inputs]
        return new

    # ---- nodes -----------------------------------------------------------------------------------------------------

    def add(self, op: str, *inputs: Any, outputs: int = 1, domain: str = "", **attrs: Any) -> Any:
        """Adds a node; the name of its output, or a list of them. None as an input is one that is left out."""
        names = ["" if i is None else i if isinstance(i, str) else self.const(i) for i in inputs]
        while names and not names[-1]:
            names.pop()
        kept = {key: plain(value) for key, value in attrs.items() if value is not None}
        label = self.fresh(f"{self.prefix}_{op}")
        made = [self.fresh(f"{label}_{i}" if outputs > 1 else f"{label}_out") for i in range(outputs)]
        node = OnnxNode(op, names, made, kept, label, domain)
        self.nodes.append(node)
        self.producers.update(dict.fromkeys(made, node))
        return made[0] if outputs == 1 else made

    def const(self, value: Any, dtype: torch.dtype | None = None, name: str | None = None) -> str:
        """The name of a constant; equal ones are one. Whole numbers are int64 unless a dtype is given."""
        if self.outer is not None:
            return self.outer.const(value, dtype, name)
        if not isinstance(value, torch.Tensor):
            flat = np.asarray(value)
            kind = dtype or (torch.int64 if flat.dtype.kind in "iu" or not flat.size else torch.float32)
            value = torch.tensor(flat.tolist(), dtype=kind).reshape(flat.shape)
        elif dtype is not None:
            value = value.to(dtype)
        key = (value.dtype, tuple(value.shape), to_numpy(value).tobytes()) if value.numel() <= 1024 else id(value)
        if key not in self._known:
            self._known[key] = self.fresh(name or f"{self.prefix}_const")
            self.constants[self._known[key]] = value
        return self._known[key]

    def as_integers(self, name: str) -> str:
        """A value as it is in the graph of MXNet, where that has integers and this one the floats they stand for."""
        if name not in self.integers:
            return name
        steps = self.integers[name]
        if steps is None:
            raise MXNetNotImplementedError(f"cannot export {name}: sums of 32 bits are no values in ONNX's graph")
        return self.add("QuantizeLinear", name, *steps)

    def value(self, name: str) -> torch.Tensor | None:
        """The value of a constant, None for anything else."""
        found = self.constants.get(name)
        return self.outer.value(name) if found is None and self.outer is not None else found

    # ---- what many converters need -----------------------------------------------------------------------------------

    def cast(self, x: str, dtype: torch.dtype, source: torch.dtype | None = None) -> str:
        """The value converted to a dtype; itself if ``source`` says that it is one already."""
        if source is dtype:
            return x
        made = self.add("Cast", x, to=tensor_type(dtype))
        self.producers[made].source = source
        return made

    def _uncast(self, x: str, dtype: torch.dtype) -> str | None:
        """What a value was just converted from, if that was of a dtype."""
        node = self.producers.get(x)
        return node.inputs[0] if node is not None and node.op == "Cast" and node.source is dtype else None

    def is_whole(self, x: str) -> bool:
        """Was a value just converted from integers?"""
        return self._uncast(x, torch.int64) is not None

    def as_bool(self, x: str, dtype: torch.dtype) -> str:
        """What is not zero, as ONNX's bool."""
        return self._uncast(x, torch.bool) or self.cast(x, torch.bool, dtype)

    def as_index(self, x: str, dtype: torch.dtype) -> str:
        """Numbers as indices."""
        return self._uncast(x, torch.int64) or self.cast(x, torch.int64, dtype)

    def reduce(self, op: str, x: str, axes: Sequence[int], keepdims: bool) -> str:
        """A reduction; its axes became an input in opset 13 (ReduceSum) or 18 (all others)."""
        keep = int(keepdims)
        if op == "ReduceSum" or self.opset >= 18:
            return self.add(op, x, self.const(list(axes)), keepdims=keep)
        return self.add(op, x, axes=list(axes), keepdims=keep)

    def squeeze(self, x: str, axes: Sequence[int]) -> str:
        """Removes dimensions of size 1."""
        return self.add("Squeeze", x, self.const(list(axes))) if axes else x

    def unsqueeze(self, x: str, axes: Sequence[int]) -> str:
        """Inserts dimensions of size 1."""
        return self.add("Unsqueeze", x, self.const(list(axes))) if axes else x

    def slice(self, x: str, axes: Sequence[int], starts: Any, ends: Any, steps: Any = None) -> str:
        """A part; ``starts`` and ``ends`` are numbers or names."""
        return self.add("Slice", x, starts, ends, self.const(list(axes)), steps)

    def transpose(self, x: str, axes: Sequence[int]) -> str:
        """Permutes dimensions; of a constant, the constant itself."""
        if list(axes) == list(range(len(axes))):
            return x
        constant = self.value(x)
        if constant is not None:
            return self.const(constant.permute(*axes).contiguous(), name=x)
        return self.add("Transpose", x, perm=list(axes))

    def _place(self, dim: Dim, near: Sequence[tuple[str, Dims]]) -> tuple[str, int] | None:
        """A value that has a dynamic dimension, and which of its dimensions that is."""
        found = [(name, shape.index(dim)) for name, shape in near if dim in shape]
        graph: Graph | None = self
        while graph is not None and not found:
            shapes = (*graph.inputs.items(), *graph.measured.items())
            found = [(name, shape.index(dim)) for name, shape in shapes if dim in shape]
            graph = graph.outer
        return found[0] if found else None

    def measure(self, name: str, shape: Dims) -> None:
        """Remembers a value for the dynamic dimensions that nothing before it has."""
        if any(isinstance(d, Dim) and self._place(d, ()) is None for d in shape):
            self.measured[name] = shape

    def dim(self, dim: Any, near: Sequence[tuple[str, Dims]]) -> str:
        """A dimension as a vector of one int64."""
        if not isinstance(dim, Dim):
            return self.const([dim])
        place = self._place(dim, near)
        if place is None:
            raise MXNetNotImplementedError(
                f"{self.prefix}: a dimension of its result depends on open ones in a way that cannot be exported: "
                "use fixed shapes"
            )
        if self.opset >= 15:
            return self.add("Shape", place[0], start=place[1], end=place[1] + 1)
        return self.add("Gather", self.add("Shape", place[0]), [place[1]])

    def shape_of(self, dims: Dims, near: Sequence[tuple[str, Dims]] = ()) -> str:
        """A shape as a vector: a constant, unless it has dynamic dimensions."""
        if not any(isinstance(d, Dim) for d in dims):
            return self.const(list(dims))
        return self.add("Concat", *[self.dim(d, near) for d in dims], axis=0)

    def reshape(self, x: str, shape: Dims, target: Dims, near: Sequence[tuple[str, Dims]] = ()) -> str:
        """Another shape: with 0 for what stays and -1 for what is open, so that a shape need not be computed."""
        if tuple(shape) == tuple(target):
            return x
        near = [(x, shape), *near]
        if any(d == 0 for d in target):  # a size of 0 that is meant
            return self.add("Reshape", x, self.shape_of(target, near), allowzero=1 if self.opset >= 14 else None)
        wanted = [0 if isinstance(d, Dim) and i < len(shape) and d == shape[i] else d for i, d in enumerate(target)]
        still = [i for i, d in enumerate(wanted) if isinstance(d, Dim)]
        if still:
            lost = [i for i in still if self._place(target[i], near) is None]
            wanted[(lost or still)[0]] = -1
        return self.add("Reshape", x, self.shape_of(tuple(wanted), near))

    # ---- the result --------------------------------------------------------------------------------------------------

    def proto(self, name: str, inputs: Sequence[Any], outputs: Sequence[Any], wanted: Sequence[str]) -> Any:
        """The GraphProto: only what the outputs need."""
        onnx = load_onnx()
        needed, kept = set(wanted), []
        for node in reversed(self.nodes):
            if any(o in needed for o in node.outputs):
                needed.update(i for i in node.inputs if i)
                for value in node.attrs.values():
                    if isinstance(value, onnx.GraphProto):
                        needed.update(free_names(value))
                kept.append(node)
        protos = [
            onnx.helper.make_node(n.op, n.inputs, n.outputs, name=n.name, domain=n.domain or None, **n.attrs)
            for n in reversed(kept)
        ]
        arrays = [
            onnx.numpy_helper.from_array(to_numpy(value), name=key)
            for key, value in self.constants.items()
            if key in needed
        ]
        return onnx.helper.make_graph(protos, name, list(inputs), list(outputs), initializer=arrays)

    def value_info(self, name: str, dtype: torch.dtype, shape: Dims, labels: Mapping[Any, str]) -> Any:
        """The description of an input or output; dynamic dimensions by their names, where they have one."""
        dims = [labels.get(d) if isinstance(d, Dim) else d for d in shape]
        return load_onnx().helper.make_tensor_value_info(name, tensor_type(dtype), dims)


def free_names(graph: Any) -> set[str]:
    """What a subgraph uses of the graph around it."""
    own = {i.name for i in graph.input} | {i.name for i in graph.initializer}
    used: set[str] = {o.name for o in graph.output}
    for node in graph.node:
        used.update(i for i in node.input if i)
        own.update(node.output)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                used |= free_names(attribute.g)
    return used - own


def size_of(dims: Dims) -> int:
    """How many elements a shape has; dynamic dimensions count as in the first trial."""
    return prod(d.trials[0] if isinstance(d, Dim) else d for d in dims)


def is_open(dims: Dims) -> bool:
    """Has a shape dynamic dimensions?"""
    return any(isinstance(d, Dim) for d in dims)
