"""``import_model`` and its relatives: from a file to a Symbol with parameters, or to a Gluon block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from ...context import Context, cpu
from ...error import MXNetError, MXNetNotImplementedError, MXNetValueError
from ...gluon import SymbolBlock
from ...ndarray import NDArray
from ...ndarray.ndarray import wrap
from ...symbol.symbol import Group, Symbol, var
from ..package import load_onnx, torch_type
from . import converters  # noqa: F401  (registers them)
from .graph import Builder, OnnxNode, Value, ValueList, importer_of
from .read import MOST_NODES, attributes, dims_of, load_model, nodes_of, opset_of, tensor

Shapes = Mapping[str, Sequence[int]]
#: How deep subgraphs may lie in each other.
_DEEPEST = 16
#: Operators whose results are as long as their inputs' numbers say.
SELECTING = {"Compress", "NonMaxSuppression", "NonZero"}
#: Operators whose nodes have automatic names in the original, even if ONNX has a name for them.
_AUTOMATIC = {
    "AveragePool", "Conv", "ConvTranspose", "Gemm", "Hardmax", "LpPool", "Max", "MaxPool", "Mean", "Min", "Pow",
    "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare", "Slice", "Unsqueeze",
}  # fmt: skip


def import_model(
    model_file: Any, *, input_shapes: Shapes | None = None
) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
    """Reads an ONNX file: a Symbol, the parameters and the auxiliary states.

    ``input_shapes`` gives inputs fixed shapes by name, for models whose dynamic dimensions cannot be kept open.
    """
    reader = _Reader(model_file, input_shapes)
    out = reader.read()
    states = set(out.list_auxiliary_states())
    used = set(out.list_inputs())
    arrays = {name: _array(t) for name, t in reader.builder.params.items() if name in used}
    return (
        out,
        {name: a for name, a in arrays.items() if name not in states},
        {name: a for name, a in arrays.items() if name in states},
    )


def import_to_gluon(
    model_file: Any, ctx: Context | Sequence[Context] | None = None, *, input_shapes: Shapes | None = None
) -> SymbolBlock:
    """Reads an ONNX file as a block, with its parameters on ``ctx`` (by default the CPU)."""
    reader = _Reader(model_file, input_shapes)
    out = reader.read()
    block = SymbolBlock(out, [var(name) for name in reader.inputs])
    params = block.collect_params()
    contexts = [ctx or cpu()] if isinstance(ctx, Context | None) else list(ctx)
    for name, param in params.items():
        value = reader.builder.params[name]
        param.shape = tuple(value.shape)
        param._load_init(_array(value), contexts, cast_dtype=True, dtype_source="saved")
    return block


def get_model_metadata(model_file: Any) -> dict[str, list[tuple[str, tuple[int, ...]]]]:
    """The names and shapes of a model's inputs and outputs; 0 is a dynamic dimension."""
    model, _ = load_model(model_file)
    stored = {t.name for t in model.graph.initializer}

    def describe(infos: Any) -> list[tuple[str, tuple[int, ...]]]:
        return [(i.name, tuple(d if isinstance(d, int) else 0 for d in dims_of(i, repr(i.name)))) for i in infos]

    return {
        "input_tensor_data": describe(i for i in model.graph.input if i.name not in stored),
        "output_tensor_data": describe(model.graph.output),
    }


class GraphProto:
    """Reads graphs that have been taken out of their models, ``model.graph``, as runners of ONNX's own tests do."""

    @staticmethod
    def _model(graph: Any, opset_version: int | None = None) -> Any:
        onnx = load_onnx()
        version = onnx.defs.onnx_opset_version() if opset_version is None else opset_version
        return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", version)])

    def from_onnx(self, graph: Any, opset_version: int) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
        """A Symbol, the parameters and the auxiliary states."""
        return import_model(self._model(graph, opset_version))

    def get_graph_metadata(self, graph: Any) -> dict[str, list[tuple[str, tuple[int, ...]]]]:
        """The names and shapes of inputs and outputs."""
        return get_model_metadata(self._model(graph))

    def graph_to_gluon(self, graph: Any, ctx: Context | Sequence[Context] | None, opset_version: int) -> SymbolBlock:
        """A block with its parameters on ``ctx``."""
        return import_to_gluon(self._model(graph, opset_version), ctx)


def _array(value: torch.Tensor) -> NDArray:
    return wrap(value.clone().contiguous(), cpu())


class _Reader:
    """Reads one model."""

    def __init__(self, model_file: Any, input_shapes: Shapes | None):
        model, folder = load_model(model_file)
        self.model = _without_functions(model)
        self.given = {k: tuple(v) for k, v in (input_shapes or {}).items()}
        opset = opset_of(self.model)
        #: The model's inputs in their order.
        self.inputs: list[str] = []
        graph = self.model.graph
        stored = {t.name for t in graph.initializer}
        self.infos = [i for i in graph.input if i.name not in stored]
        for name in self.given:
            if name not in {i.name for i in self.infos}:
                raise MXNetValueError(f"input_shapes: there is no input {name!r}")
        is_open = any(not isinstance(d, int) for i in self.infos for d in self._dims(i))
        is_open = is_open or any(n.op_type in SELECTING for n in nodes_of(graph))
        self.builder = Builder(2 if is_open else 1, folder=folder, opset=opset)
        self.builder.subgraph = self.subgraph
        self.depth = 0

    def read(self) -> Symbol:
        """The whole model."""
        graph = self.model.graph
        values: dict[str, Value] = {}
        self._initializers(graph, values)
        for info in self.infos:
            values[info.name] = self._input(info)
            self.builder.sources.append(values[info.name])
        self.run(graph, values)
        outputs = []
        for info in graph.output:
            if info.name not in values:
                raise MXNetValueError(f"nothing makes the output {info.name!r}")
            outputs.append(self._output(values[info.name]))
        self.builder.name_nodes()
        if not outputs:
            raise MXNetValueError("the model has no outputs")
        return Group(outputs) if len(outputs) > 1 else outputs[0]

    # ---- inputs and outputs ------------------------------------------------------------------------------------------

    def _dims(self, info: Any) -> Sequence[Any]:
        return self.given[info.name] if info.name in self.given else dims_of(info, f"input {info.name!r}")

    def _input(self, info: Any) -> Value:
        builder = self.builder
        dtype = torch_type(info.type.tensor_type.elem_type, f"input {info.name!r}")
        shapes = []
        for trial in range(builder.trials):
            dims = [
                d if isinstance(d, int) else builder.open_size(d or (info.name, i), trial)
                for i, d in enumerate(self._dims(info))
            ]
            shapes.append(tuple(dims))
        scalar = not shapes[0]
        name = builder.fresh(info.name)
        self.inputs.append(name)
        metas = [torch.empty(s or (1,), dtype=dtype, device="meta") for s in shapes]
        plain = torch.float32 if dtype is torch.bool else dtype
        fixed = None if builder.trials > 1 and shapes[0] != shapes[1] else shapes[0] or (1,)
        value = Value(name, metas, var(name, shape=fixed, dtype=dtype), False, scalar)
        builder.hint = name
        found = builder.truth(value) if plain is not dtype else value
        builder.name_nodes()
        return found

    def _output(self, value: Value) -> Symbol:
        builder = self.builder
        if isinstance(value, ValueList):
            raise MXNetNotImplementedError("an output that is a sequence")
        builder.hint = f"{value.name}_out"
        if value.truth:
            value = builder.call("Cast", value, dtype="bool")
        if value.constant or value.symbol is None:
            name = builder.fresh(value.name)
            return _identity(builder.symbol(Value(value.name, value.trials, None, True, value.scalar)), name)
        return value.symbol

    def _initializers(self, graph: Any, values: dict[str, Value]) -> None:
        for proto in graph.initializer:
            if not proto.name:
                raise MXNetValueError("an initializer has no name")
            values[proto.name] = self.builder.const(tensor(proto, self.builder.folder), name=proto.name)
        if graph.sparse_initializer:
            raise MXNetNotImplementedError("sparse tensors cannot be imported")

    # ---- nodes -------------------------------------------------------------------------------------------------------

    def run(self, graph: Any, values: dict[str, Value]) -> None:
        """Converts the nodes of a graph, which are in the order in which they can be computed."""
        missing = sorted(
            {f"{n.op_type}{f' of {n.domain}' if n.domain else ''}" for n in graph.node if not _is_supported(n)}
        )
        if missing:
            raise MXNetNotImplementedError(f"there is no converter for the operators {', '.join(missing)}")
        for node in graph.node:
            label = node.name or (node.output[0] if node.output else "?")
            try:
                self._node(node, values)
            except MXNetNotImplementedError as error:
                raise MXNetNotImplementedError(f"node {label!r} ({node.op_type}): {error}") from None
            except (MXNetError, KeyError, TypeError, ValueError, IndexError, ArithmeticError, AttributeError) as error:
                raise MXNetValueError(f"node {label!r} ({node.op_type}): {error}") from error
            except (RuntimeError, RecursionError, MemoryError) as error:
                raise MXNetValueError(f"node {label!r} ({node.op_type}): {error}") from error

    def _node(self, node: Any, values: dict[str, Value]) -> None:
        builder = self.builder
        inputs: list[Value | None] = []
        for name in node.input:
            if name and name not in values:
                raise MXNetValueError(f"its input {name!r} does not exist, or is made later")
            inputs.append(values[name] if name else None)
        outputs = list(node.output)
        builder.hint = next((o for o in outputs if o), node.name or node.op_type)
        view = OnnxNode(node.op_type, node.name, attributes(node), inputs, outputs, builder.opset)
        view.attrs["_values"] = values
        function = importer_of(node.op_type)
        assert function is not None
        made = function(builder, view)
        results = made if isinstance(made, list | tuple) else [made]
        for name, value in zip(outputs, results, strict=False):
            if name and value is not None:
                values[name] = value
        head = next((v.symbol for v in results if isinstance(v, Value) and v.symbol is not None), None)
        builder.name_nodes(head, None if node.op_type in _AUTOMATIC else node.name)
        for name in outputs[len(results) :]:
            if name:
                raise MXNetNotImplementedError(f"its output {name!r} is not supported")

    def subgraph(self, graph: Any, values: dict[str, Value], given: Mapping[str, Value]) -> list[Value]:
        """The outputs of a subgraph, which sees the values around it and those that it is given."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise MXNetValueError(f"there are more than {_DEEPEST} nested subgraphs")
        inner, sources = {**values, **given}, len(self.builder.sources)
        self._initializers(graph, inner)
        self.run(graph, inner)
        del self.builder.sources[sources:]  # what is in a subgraph is not seen around it
        self.depth -= 1
        for info in graph.output:
            if info.name not in inner:
                raise MXNetValueError(f"nothing makes the output {info.name!r} of a subgraph")
        return [inner[info.name] for info in graph.output]


def _without_functions(model: Any) -> Any:
    """The model with what has no converter, but is a function of other operators, written out."""
    onnx = load_onnx()
    _check_functions(model)
    for _ in range(_DEEPEST):  # functions may use others
        missing = {(n.domain, n.op_type) for n in model.graph.node if not _is_supported(n)}
        own = {(f.domain, f.name) for f in model.functions}
        composed = {(d, name) for d, name in missing - own if _has_body(onnx, d, name)}
        if not own and not composed:
            break
        try:
            from onnx import inliner
        except ImportError:
            names = ", ".join(name for _, name in sorted(own | composed))
            raise ImportError(
                f"functions in a model ({names}) need onnx.inliner, which onnx {onnx.__version__} does not have: "
                "pip install --upgrade onnx"
            ) from None
        try:
            model = inliner.inline_selected_functions(model, sorted(own | composed), inline_schema_functions=True)
        except Exception as error:  # of several kinds, from the library's C++ part
            raise MXNetValueError(f"the model's functions cannot be resolved: {str(error)[:500]}") from None
    return model


def _check_functions(model: Any) -> None:
    """Refuses functions that use each other so often that the model would have millions of nodes."""
    functions = {(f.domain, f.name): f for f in model.functions}
    counts: dict[Any, int] = {}

    def count(key: Any, within: Any, depth: int) -> int:
        if key not in counts:
            if depth > _DEEPEST:
                raise MXNetValueError(f"the model's functions use each other more than {_DEEPEST} deep")
            calls = ((n.domain, n.op_type) for n in nodes_of(within))
            counts[key] = sum(count(c, functions[c], depth + 1) if c in functions else 1 for c in calls)
        return counts[key]

    total = count(None, model.graph, 0) if functions else 0
    if total > MOST_NODES:
        raise MXNetValueError(
            f"with its functions written out the model has {total} nodes, at most {MOST_NODES} are read"
        )


def _has_body(onnx: Any, domain: str, name: str) -> bool:
    if not isinstance(name, str) or not isinstance(domain, str):  # bytes, if they are not UTF-8
        raise MXNetValueError(f"the name of an operator is not text: {name!r} of {domain!r}")
    if not onnx.defs.has(name, domain):
        return False
    schema = onnx.defs.get_schema(name, domain=domain)
    return bool(schema.has_function or schema.has_context_dependent_function)


def _is_supported(node: Any) -> bool:
    return node.domain in ("", "ai.onnx") and importer_of(node.op_type) is not None


def _identity(symbol: Symbol, name: str) -> Symbol:
    from ...ops.registry import get
    from ...symbol.symbol import compose

    return compose(get("_copy"), [symbol], {}, name=name)
