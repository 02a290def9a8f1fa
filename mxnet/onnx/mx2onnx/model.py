"""``export_model``: what users give, brought into one form, translated, checked and written."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from ... import autograd, ndarray as nd, symbol
from ..._core.dtypes import NUMPY_OF, torch_dtype
from ..._core.files import path_name, writing, writing_together
from ...error import MXNetTypeError, MXNetValueError
from ...gluon.hybrid_block import HybridBlock
from ...gluon.nested import _flatten
from ...graph.node import inputs_without_gradient
from ...ndarray import NDArray
from ...util import is_np_array
from ..package import DEFAULT_OPSET, NEWEST_OPSET, OLDEST_OPSET, load_onnx
from . import converters  # noqa: F401  (registers them)
from .graph import Dim, Dims, Graph, converted_operators
from .translate import Known, Translator

_LARGEST_FILE = 2_000_000_000  # protobuf's limit is 2 GiB


def get_operator_support(opset_version: int | None = None) -> list[str]:
    """The names of the operators that can be exported for an opset (13 or newer); all opsets have the same."""
    _check_opset(opset_version)
    return converted_operators()


def export_model(
    sym: Any,
    params: Any = None,
    in_shapes: Sequence[Any] | None = None,
    in_types: Any = np.float32,
    onnx_file_path: str = "model.onnx",
    verbose: bool = False,
    dynamic: bool = False,
    dynamic_input_shapes: Sequence[Any] | None = None,
    run_shape_inference: bool = False,
    input_type: Any = None,
    input_shape: Sequence[Any] | None = None,
    *,
    opset_version: int | None = None,
) -> str:
    """Writes a network as an ONNX file for prediction, and returns the file's name.

    ``sym`` is a Symbol, the name of its JSON file, or a HybridBlock, which needs no ``params``. ``params`` is a dict of
    arrays, with ``arg:`` and ``aux:`` before the names or without, a list of such dicts, or the name of a .params file.
    ``in_shapes`` and ``in_types`` belong to the inputs in their order; labels of loss layers need none. One type stands
    for all. With ``dynamic`` the dimensions that ``dynamic_input_shapes`` names by a text or None stay open:
    ``[('batch', 3, 224, 224)]``; without it the first dimension of every input. ``input_type`` and ``input_shape`` are
    the old names of ``in_types`` and ``in_shapes``. ``opset_version`` is 13 or newer, 17 if not given.
    """
    onnx = load_onnx()
    opset = _check_opset(opset_version)
    shapes = [tuple(s) for s in (input_shape if input_shape is not None else in_shapes) or ()]
    if not shapes:
        raise MXNetValueError("in_shapes must be given: one shape for each input, e.g. [(1, 3, 224, 224)]")
    types = input_type if input_type is not None else in_types
    out, arrays, order = _network(sym, params, shapes, types)
    model = _model(onnx, out, arrays, order, shapes, types, _dynamic(dynamic, dynamic_input_shapes, shapes), opset)
    if run_shape_inference:
        model = onnx.shape_inference.infer_shapes(model)
    name = path_name(onnx_file_path)
    _save(onnx, model, name)
    if verbose:
        logging.info("Exported %d nodes (opset %d) to %s", len(model.graph.node), opset, name)
    return name


def _check_opset(version: int | None) -> int:
    if version is None:
        return DEFAULT_OPSET
    newest = min(NEWEST_OPSET, load_onnx().defs.onnx_opset_version())
    if not OLDEST_OPSET <= version <= newest:
        raise MXNetValueError(f"opset_version must be from {OLDEST_OPSET} to {newest}, got {version}")
    return version


# ---- what is exported ------------------------------------------------------------------------------------------------


_Network = tuple[symbol.Symbol, dict[str, torch.Tensor], "list[str] | None"]


def _network(sym: Any, params: Any, shapes: Sequence[Any], types: Any) -> _Network:
    """The graph, its parameters by name, and for a block its inputs in their order."""
    if isinstance(sym, HybridBlock):
        return _block(sym, shapes, types)
    if isinstance(sym, str | os.PathLike):
        sym = symbol.load(path_name(sym))
    if not isinstance(sym, symbol.Symbol):
        raise MXNetTypeError(f"sym must be a Symbol, the name of its file or a HybridBlock, got {type(sym).__name__}")
    if isinstance(params, str | os.PathLike):
        params = nd.load(path_name(params))
    parts = params if isinstance(params, list | tuple) else [params or {}]
    arrays: dict[str, torch.Tensor] = {}
    for part in parts:
        if not isinstance(part, Mapping):
            raise MXNetTypeError(f"params must be a dict of arrays or the name of a file, got {type(part).__name__}")
        for name, array in part.items():
            if not isinstance(array, NDArray):
                raise MXNetTypeError(f"params: {name!r} must be an NDArray, got {type(array).__name__}")
            arrays[name.removeprefix("arg:").removeprefix("aux:")] = array._data.detach().cpu()
    return sym, arrays, None


def _block(block: HybridBlock, shapes: Sequence[Any], types: Any) -> _Network:
    def in_fashion(value: Any) -> Any:
        return value.as_np_ndarray() if is_np_array() else value

    if any(p._deferred_init for p in block.collect_params().values()):
        sizes = [[d if isinstance(d, int) and d > 0 else 2 for d in shape] for shape in shapes]
        kinds = [NUMPY_OF[kind] for kind in _types(types, len(shapes))]
        with autograd.pause():
            block(*[in_fashion(nd.zeros(size, dtype=kind)) for size, kind in zip(sizes, kinds, strict=True)])
    if block._cached_graph and len(block._cached_graph[0]) == len(shapes):
        inputs, out = block._cached_graph
    else:
        inputs = [symbol.var("data" if len(shapes) == 1 else f"data{i}") for i in range(len(shapes))]
        out = symbol.Group(_flatten(block(*map(in_fashion, inputs)), "output")[0])
    params = {name: p._reduce()._data.detach() for name, p in block.collect_params().items()}
    return out, params, [v.name for v in inputs]


def _dynamic(dynamic: bool, given: Sequence[Any] | None, shapes: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The shapes with a text or None for each dynamic dimension."""
    if not dynamic:
        for shape in shapes:
            if any(not isinstance(d, int | np.integer) or d < 0 for d in shape):
                raise MXNetValueError(f"in_shapes: {shape} has dynamic dimensions, which need dynamic=True")
        return [tuple(s) for s in shapes]
    if given is None:
        return [(s[0] if not isinstance(s[0], int) else "batch", *s[1:]) if s else () for s in shapes]
    if len(given) != len(shapes) or any(len(g) != len(s) for g, s in zip(given, shapes, strict=True)):
        raise MXNetValueError(f"dynamic_input_shapes {list(given)} do not fit in_shapes {list(shapes)}")
    return [tuple(None if d in (-1, 0) else d for d in s) for s in given]


def _open_dims(shapes: Sequence[Any], dynamic: Sequence[Any]) -> tuple[list[Dims], dict[Dim, str]]:
    """Shapes with a Dim for each dynamic dimension, those with one name the same, and their names."""
    by_name: dict[Any, Dim] = {}
    labels: dict[Dim, str] = {}
    taken: set[int] = set()

    def get_or_create(key: Any, size: Any) -> Dim:
        if key not in by_name:
            base = size if isinstance(size, int) and size > 0 else 32
            trial = next(base * n for n in range(1, len(taken) + 2) if base * n not in taken)
            taken.add(trial)
            by_name[key] = Dim((trial, 2 * trial))
            if isinstance(key, str):
                labels[by_name[key]] = key
        return by_name[key]

    found = []
    for i, (shape, wanted) in enumerate(zip(shapes, dynamic, strict=True)):
        dims = [
            get_or_create(d if isinstance(d, str) else (i, j), shape[j]) if d is None or isinstance(d, str) else int(d)
            for j, d in enumerate(wanted)
        ]
        found.append(tuple(dims))
    return found, labels


# ---- the model -------------------------------------------------------------------------------------------------------


def _inputs(out: symbol.Symbol, params: Mapping[str, Any], count: int) -> tuple[list[str], list[str]]:
    """The inputs that the shapes belong to, and those that are labels, which prediction does not need."""
    order = out._outputs.order
    data = [n.name for n in order if n.is_variable and n.name not in params]
    used = {n.name: [] for n in order if n.is_variable}  # type: dict[str, list[bool]]
    for node in order:
        for entry, name in zip(node.inputs, node.op.inputs if node.op else (), strict=False):
            if entry.node.is_variable:
                used[entry.node.name].append(name == "label" and "label" in inputs_without_gradient(node.op))
    labels = [n for n in data if used[n] and all(used[n])]
    without = [n for n in data if n not in labels]
    if count == len(data):
        # as in the original, a label with a shape and a name of its own is an input that programs feed
        return data, [n for n in labels if n.endswith("_label")]
    if count != len(without):
        missing = [n for n in data if n.endswith(("weight", "bias", "gamma", "beta", "mean", "var", "running_mean"))]
        hint = f"; if {', '.join(missing)} are parameters, params lacks them" if missing else ""
        raise MXNetValueError(f"{count} shape(s) were given for the inputs {', '.join(without)}{hint}")
    return without, labels


def _types(types: Any, count: int) -> list[torch.dtype]:
    if not isinstance(types, list | tuple):
        types = [types] * count
    if len(types) == 1:
        types = [types[0]] * count
    if len(types) != count:
        raise MXNetValueError(f"{len(types)} types were given for {count} inputs")
    return [torch_dtype(t) for t in types]


def _model(
    onnx: Any,
    out: symbol.Symbol,
    params: dict[str, torch.Tensor],
    order: list[str] | None,
    given: Sequence[Any],
    types: Any,
    dynamic: Sequence[Any],
    opset: int,
) -> Any:
    names, labels = (order, []) if order and len(order) == len(given) else _inputs(out, params, len(given))
    dims, texts = _open_dims(given, dynamic)
    shapes: dict[str, Dims] = {k: tuple(v.shape) for k, v in params.items()}
    shapes.update(zip(names, dims, strict=True))
    dtypes = {k: v.dtype for k, v in params.items()}
    dtypes.update(zip(names, _types(types, len(names)), strict=True))
    used = set(out.list_inputs())
    known = Known(out._outputs, {k: v for k, v in shapes.items() if k in used}, dtypes)
    graph = Graph(opset, constants=dict(params), inputs=dict(zip(names, dims, strict=True)))
    variables = {name: name for name in used}
    graph._taken.update(used)
    translator = Translator(graph)
    found = translator.run(out._outputs, known, variables)
    if translator.problems:
        listed = "\n".join(f"  {problem}" for problem in translator.problems)
        raise MXNetValueError(f"this network cannot be exported to ONNX:\n{listed}")
    outputs = []
    for i, (entry, name) in enumerate(zip(out._outputs, found, strict=True)):
        if name not in graph.producers or name in found[:i]:  # an input, a constant, or an output for the second time
            graph.prefix = entry.node.name
            found[i] = name = graph.add("Identity", name)
        key = (entry.node, entry.index)
        outputs.append(graph.value_info(name, known.dtypes[key], known.shapes[key], texts))
    inputs = [
        graph.value_info(n, dtypes[n], s, texts) for n, s in graph.inputs.items() if n in used and n not in labels
    ]
    proto = graph.proto("mxnet", inputs, outputs, found)
    free = {i for node in proto.node for i in node.input if i in labels}
    for name in sorted(free):  # a label that the network does compute with
        if name not in graph.inputs:
            raise MXNetValueError(f"the shape of the input {name!r} is needed as well")
        proto.input.append(graph.value_info(name, dtypes[name], graph.inputs[name], texts))
    imports = [onnx.helper.make_opsetid("", opset)]
    model = onnx.helper.make_model(
        proto, opset_imports=imports, producer_name="mxnext", ir_version=onnx.helper.find_min_ir_version_for(imports)
    )
    return model


def _save(onnx: Any, model: Any, name: str) -> None:
    """Writes the file as a whole; the numbers of a very large model go to a second one beside it."""
    if sum(len(t.raw_data) for t in model.graph.initializer) < _LARGEST_FILE:
        data = model.SerializeToString()
        onnx.checker.check_model(data)
        with writing(name, len(data)) as stream:
            stream.write(data)
        return
    with writing_together():
        with writing(f"{name}.data") as stream:
            for tensor in model.graph.initializer:
                length = len(tensor.raw_data)
                if length < 1024:
                    continue
                entries = {"location": f"{os.path.basename(name)}.data", "offset": stream.tell(), "length": length}
                stream.write(tensor.raw_data)
                tensor.ClearField("raw_data")
                tensor.data_location = onnx.TensorProto.EXTERNAL
                for key, value in entries.items():
                    tensor.external_data.add(key=key, value=str(value))
        with writing(name) as stream:
            stream.write(model.SerializeToString())
