"""From the nodes of a Symbol to those of an ONNX graph: every node by its converter, constants computed in advance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from ...error import MXNetError, MXNetNotImplementedError
from ...graph.infer import graph_dtypes, graph_shapes
from ...graph.node import Entry, Graph as Nodes, Node
from ...ops.calling import arrange, supply_arguments
from ...ops.infer import is_known
from .graph import Call, Dim, Dims, Graph, converter_of, is_open, size_of, takes_integers

#: Up to how many elements a constant is computed in advance although that makes the model larger.
_SMALL = 1 << 16
_Key = tuple[Node, int]
#: Operators whose results have as many rows as the numbers say, and the other dimensions of these.
_SELECTING: dict[str, Callable[[tuple[int, ...]], tuple[int, ...]]] = {
    "_contrib_boolean_mask": lambda shape: shape[1:],
    "_npx_nonzero": lambda shape: (len(shape),),
}


class Known:
    """Shapes and dtypes of all entries of a graph, from those of its variables in two trial runs."""

    def __init__(self, outputs: Sequence[Entry], shapes: Mapping[str, Dims], dtypes: Mapping[str, torch.dtype]):
        masks = [n for n in Nodes.of(outputs).order if n.op is not None and n.op.name in _SELECTING]
        for less in range(1, 9):  # until all sizes differ, from each other and between trials
            trials = [
                _trial(
                    outputs,
                    {k: tuple(d.trials[i] if isinstance(d, Dim) else d for d in s) for k, s in shapes.items()},
                    {mask: less * (k + 1) + i for k, mask in enumerate(masks)},
                )
                for i in range(2 if masks or any(is_open(s) for s in shapes.values()) else 1)
            ]
            counts = [tuple((trial[mask, 0] or (0,))[0] for trial in trials) for mask in masks]
            if len(set(counts)) == len(counts) and all(len(set(sizes)) > 1 for sizes in counts):
                break
        else:
            raise MXNetNotImplementedError(f"{len(masks)} operators whose results are as long as their numbers say")
        self.shapes: dict[_Key, Dims] = {}
        for key, first in trials[0].items():
            second = trials[-1][key]
            if first is None or second is None or not is_known(first) or not is_known(second):
                raise MXNetNotImplementedError(f"the shape of {key[0].name} cannot be inferred from the input shapes")
            self.shapes[key] = tuple(a if a == b else Dim((a, b)) for a, b in zip(first, second, strict=True))
        found = graph_dtypes(outputs, dtypes)
        self.dtypes = {key: dtype or torch.float32 for key, dtype in found.items()}


def _trial(
    outputs: Sequence[Entry], shapes: Mapping[str, tuple[int, ...]], fewer: Mapping[Node, int]
) -> Mapping[_Key, tuple[int, ...] | None]:
    """The shapes of all entries, if nodes that select as many rows as their numbers say leave so many of them out."""
    assumed: dict[_Key, tuple[int, ...]] = {}
    while True:
        found = graph_shapes(outputs, shapes, assumed)
        more = {}
        for node, less in fewer.items():
            data = found[node.inputs[0].node, node.inputs[0].index]
            if (node, 0) not in assumed and data is not None and is_known(data):
                count = data[0] - less if data[0] - less > 1 else 97 * less
                more[node, 0] = (count, *_SELECTING[node.op.name](data))  # type: ignore[union-attr]
        if not more:
            return found
        assumed.update(more)


class Translator:
    """Writes the nodes below some entries into an ONNX graph. Problems are collected, to be reported at once."""

    def __init__(self, graph: Graph, problems: list[str] | None = None):
        self.graph = graph
        self.problems: list[str] = [] if problems is None else problems
        self.names: dict[_Key, str] = {}

    def run(self, outputs: Sequence[Entry], known: Known, variables: Mapping[str, str]) -> list[str]:
        """The ONNX names of the outputs; ``variables`` has those of the graph's variables."""
        order = Nodes.of(outputs).order
        uses: dict[_Key, int] = {}
        for entry in [*(e for n in order for e in n.inputs), *outputs]:
            key = (entry.node, entry.index)
            uses[key] = uses.get(key, 0) + 1
        for node in order:
            if node.is_variable:
                self.names[node, 0] = variables[node.name]
            else:
                self._convert(node, known, uses)
        return [self.graph.as_integers(self.names[e.node, e.index]) for e in outputs]

    def _convert(self, node: Node, known: Known, uses: Mapping[_Key, int]) -> None:
        graph, op = self.graph, node.op
        assert op is not None
        sources = [(e.node, e.index) for e in node.inputs]
        results = [(node, i) for i in range(node.num_outputs())]
        call = Call(
            node,
            op.with_defaults(node.parsed()),
            [self.names[s] for s in sources],
            [known.shapes[s] for s in sources],
            [known.dtypes[s] for s in sources],
            [known.shapes[r] for r in results],
            [known.dtypes[r] for r in results],
            [uses[s] for s in sources],
        )
        graph.prefix = node.name
        if takes_integers(op):
            call.inputs[:] = [graph.as_integers(name) for name in call.inputs]
        constants = _fold_constants(graph, call)
        since = len(graph.nodes)
        if constants is not None:
            found: list[str] = [
                graph.const(value, name=node.name if len(constants) == 1 else f"{node.name}{i}")
                for i, value in enumerate(constants)
            ]
        else:
            found = self._by_converter(call)
        for i, (key, name) in enumerate(zip(results, found, strict=False)):
            made = graph.producers.get(name)
            if made is not None and made in graph.nodes[since:] and name not in self.names.values():
                wanted = node.name if len(results) == 1 else f"{node.name}{i}"
                name = graph.rename(name, wanted, since)
            self.names[key] = name
            if name in graph.producers:
                graph.measure(name, known.shapes[key])

    def _by_converter(self, call: Call) -> list[str]:
        node = call.node
        assert node.op is not None
        function = converter_of(node.op)
        made: Any = None
        try:
            if function is None:
                self.problems.append(f"{node.name} ({node.op.name}): there is no converter for this operator")
            elif node.subgraphs:
                made = function(self.graph, _WithSubgraphs(call, self.problems))  # type: ignore[arg-type]
            else:
                made = function(self.graph, call)
        except MXNetNotImplementedError as error:
            self.problems.append(str(error).removeprefix("cannot export "))
        if made is None:
            made = [self.graph.fresh(f"{node.name}_missing") for _ in call.out_shapes]
        return [made] if isinstance(made, str) else list(made)


class _WithSubgraphs:
    """A call whose converter can translate the node's subgraphs; else as the call itself."""

    def __init__(self, call: Call, problems: list[str]):
        self.call, self.problems = call, problems

    def __getattr__(self, name: str) -> Any:
        return getattr(self.call, name)

    def inline_subgraph(self, graph: Graph, names: Sequence[str]) -> list[str]:
        """Translates the only subgraph into the graph itself; its variables have these ONNX names."""
        outputs = self.call.node.subgraphs[0]
        variables = [n.name for n in Nodes.of(outputs).variables]
        shapes = dict(zip(variables, self.call.shapes, strict=True))
        dtypes = dict(zip(variables, self.call.dtypes, strict=True))
        known = Known(outputs, shapes, dtypes)
        return Translator(graph, self.problems).run(outputs, known, dict(zip(variables, names, strict=True)))

    def subgraph(
        self, outer: Graph, index: int, names: Sequence[str], shapes: Sequence[Dims], dtypes: Sequence[torch.dtype]
    ) -> tuple[Graph, list[str], Known]:
        """Translates a subgraph whose variables, in their order, have these ONNX names, shapes and dtypes."""
        outputs = self.call.node.subgraphs[index]
        variables = [n.name for n in Nodes.of(outputs).order if n.is_variable]
        known = Known(outputs, dict(zip(variables, shapes, strict=True)), dict(zip(variables, dtypes, strict=True)))
        graph = Graph(outer.opset, outer)
        found = Translator(graph, self.problems).run(outputs, known, dict(zip(variables, names, strict=True)))
        return graph, found, known


def _fold_constants(graph: Graph, call: Call) -> list[torch.Tensor] | None:
    """The values of a node all of whose inputs are constants, if it is worth to compute them now."""
    op = call.node.op
    assert op is not None
    writes = op.aux or op.mutates or op.fixed
    if call.node.subgraphs or writes or "_rng" in op.supplied or any(is_open(s) for s in call.out_shapes):
        return None
    values = [graph.value(name) for name in call.inputs]
    if any(v is None for v in values):
        return None
    if sum(map(size_of, call.out_shapes)) > max(_SMALL, 2 * sum(map(size_of, call.shapes))):
        return None
    tensors = arrange(op, values, call.node.parsed())
    attrs: dict[str, Any] = dict(call.node.parsed())
    if "complete" in op.rules:  # a creation operator: its shape may be open in the attributes
        attrs = op.rules["complete"](attrs, call.out_shapes[0])
    extra = supply_arguments(op, {"_train": False, "_device": torch.device("cpu")})
    try:
        with torch.no_grad():
            made = op.kernel(*tensors, **attrs, **extra)
    except (MXNetError, RuntimeError, TypeError, ValueError):
        return None  # it has to run to fail, in the model as here
    found = [made] if isinstance(made, torch.Tensor) else list(made)
    return [t.clone() for t in found[: len(call.out_shapes)]]
