"""Symbol files: the JSON that MXNet writes, to the byte, and every older dialect of it that can still be met."""

from __future__ import annotations

import graphlib
import json
from collections.abc import Sequence
from typing import Any

from .._core.files import kind_of_file
from .._core.garbage import without_collection
from .._core.literals import parse_json, shorten
from ..base import numpy_mode
from ..error import MXNetError, MXNetValueError
from ..ops.messages import unknown_argument
from ..ops.registry import find
from .hidden_outputs import num_total_outputs
from .node import Entry, Graph, Node, argument_names, auxiliary_states, initial_values

VERSION = 10901
#: All nodes of a graph have at most so many outputs; a file of 300 bytes could ask for any number of them.
MAX_OUTPUTS = 1 << 20
#: Operators that reach out of the graph, by a name in their attributes.
_OUTSIDE = frozenset(("_cvimread",))
# Attributes that old files keep under their plain name; ``weight_lr_mult`` belongs to the input called weight.
#: Attributes that MXNet writes to nodes of operators that do not have them.
_BESIDE = {"_contrib_quantized_rnn": ("quantized",)}
HIDDEN_KEYS = ("ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage", "profiler_scope")


@without_collection
def dumps(outputs: Sequence[Entry]) -> str:
    """The JSON text of a graph."""
    return _write(_graph(outputs, top=True), 0)


def _graph(outputs: Sequence[Entry], top: bool) -> dict[str, Any]:
    order = Graph.of(outputs).order
    ids = {node: i for i, node in enumerate(order)}
    nodes, row, rows = [], 0, [0]
    for node in order:
        item: dict[str, Any] = {"op": node.op.name if node.op else "null", "name": node.name}
        if node.attrs:
            item["attrs"] = dict(sorted(node.attrs.items()))
        item["inputs"] = [[ids[e.node], e.index, e.version] for e in node.inputs]
        if node.subgraphs:
            item["subgraphs"] = [_graph(s, top=False) for s in node.subgraphs]
        nodes.append(item)
        row += num_total_outputs(node.op, node.parsed()) if node.op else 1
        rows.append(row)
    graph: dict[str, Any] = {
        "nodes": nodes,
        "arg_nodes": [ids[n] for n in order if n.is_variable],
        "node_row_ptr": rows,
        "heads": [[ids[e.node], e.index, e.version] for e in outputs],
    }
    if top:
        mode = {"is_np_shape": ["int", 1]} if numpy_mode.shape else {}
        graph["attrs"] = {**mode, "mxnet_version": ["int", VERSION]}
    return graph


def _write(value: Any, depth: int) -> str:
    """The layout of MXNet's writer: objects over several lines from two members on, arrays from eleven on."""
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict):
        items = [f"{json.dumps(k)}: {_write(v, depth + 1)}" for k, v in value.items()]
        if len(items) <= 1:
            return "{" + ", ".join(items) + "}"
        return "{\n" + inner + f", \n{inner}".join(items) + f"\n{outer}}}"
    if isinstance(value, list):
        several = len(value) > 10 or any(isinstance(v, dict) for v in value)
        items = [_write(v, depth + 1) for v in value]
        if not several:
            return "[" + ", ".join(items) + "]"
        return "[\n" + inner + f", \n{inner}".join(items) + f"\n{outer}]"
    return json.dumps(value, ensure_ascii=False)


@without_collection
def loads(text: str) -> Graph:
    """The outputs of the graph in a JSON text; MXNetError says what is wrong with a bad one."""
    try:
        data = parse_json(text)
    except (ValueError, RecursionError, MemoryError) as error:
        found = "" if text.lstrip().startswith("{") else kind_of_file(text[:8].encode(errors="replace"))
        what = f"this is {found}, not a Symbol file" if found else f"this is not a Symbol file: {error}"
        raise MXNetValueError(what) from None
    try:
        return _read(data, _version(data))
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError, MemoryError) as error:
        if isinstance(error, MXNetError):
            raise
        raise MXNetValueError(f"this JSON is not a Symbol: {type(error).__name__}: {shorten(str(error))}") from None


def _version(data: dict[str, Any]) -> int:
    entry = data.get("attrs", {}).get("mxnet_version", ["int", 800])
    return int(entry[1])


def _read(data: dict[str, Any], version: int) -> Graph:
    items = data["nodes"]
    nodes = [_node(number, item, version) for number, item in enumerate(items)]
    total = sum(node.num_outputs() for node in nodes if node.op is not None and callable(node.op.outputs))
    if total > MAX_OUTPUTS:
        raise MXNetValueError(f"this graph has nodes with {total} outputs together; at most {MAX_OUTPUTS} are read")
    backward = True
    for number, (node, item) in enumerate(zip(nodes, items, strict=True)):
        node.inputs = [_entry(reference, nodes, f"node {number} ({node.name!r})") for reference in item["inputs"]]
        backward = backward and all(int(reference[0]) < number for reference in item["inputs"])
    if not backward:
        _refuse_cycles(nodes)
    for node in nodes:
        if version < VERSION:
            _upgrade(node, version)
        if node.op is not None:
            _check_attributes(node)
            _check_inputs(node)
    for variable in auxiliary_states(nodes):
        variable.version = max(variable.version, 1)
    return Graph(_entry(reference, nodes, "the graph's outputs") for reference in data["heads"])


def _node(number: int, item: dict[str, Any], version: int) -> Node:
    """A node without its inputs."""
    name, kind = str(item["name"]), str(item["op"])
    if "\0" in name or not (name.isascii() or _is_text(name)):
        raise MXNetValueError(f"node {number} has the name {shorten(name)}, which is not text")
    # 0.8 and before: "param" for the operator's attributes, "attr" for the user's; then "attr"; now "attrs".
    users = "attrs" if "attrs" in item else "attr"
    attrs = {str(k): str(v) for key in ("param", users) for k, v in (item.get(key) or {}).items()}
    op = None
    if kind != "null":
        op = find(kind)
        if op is None:
            raise MXNetError(f"node {number} ({name!r}) is of operator {shorten(kind)}, which does not exist")
        if op.name in _OUTSIDE:
            raise MXNetError(
                f"node {number} ({name!r}) is of operator {op.name}, which reads a file that its attributes name: a "
                "graph from a file may not choose what is read. Read it in the program and give it to the graph"
            )
        if op.specialize is not None:
            op = op.specialize(attrs)
    subgraphs = [_read(sub, version) for sub in item.get("subgraphs") or ()]
    if op is not None and op.name == "_CachedOp" and subgraphs:  # the original does not write these
        attrs = {**attrs, "num_args": str(len(item["inputs"])), "num_outputs": str(len(subgraphs[0]))}
    return Node(op, name, attrs, (), subgraphs)


def _is_text(name: str) -> bool:
    """Has a text no halves of UTF-16 characters, which cannot be written to files?"""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _entry(reference: Sequence[Any], nodes: Sequence[Node], what: str) -> Entry:
    source, index = int(reference[0]), int(reference[1])
    if not 0 <= source < len(nodes):
        raise MXNetValueError(f"{what}: there is no node {source}, the file has {len(nodes)}")
    if not 0 <= index < nodes[source].num_outputs():
        raise MXNetValueError(f"{what}: there is no output {index} of {nodes[source].name!r}")
    return Entry(nodes[source], index, int(reference[2]) if len(reference) > 2 else 0)


def _refuse_cycles(nodes: Sequence[Node]) -> None:
    try:
        graphlib.TopologicalSorter({n: [e.node for e in n.inputs] for n in nodes}).prepare()
    except graphlib.CycleError as error:
        names = " -> ".join(n.name for n in error.args[1])
        raise MXNetValueError(f"this file has nodes that depend on themselves: {names}") from None


def _check_attributes(node: Node) -> None:
    """Refuses attributes that an operator does not know or take; one that has none of its own takes any."""
    assert node.op is not None
    if node.op.params:
        for key in node.attrs:
            beside = key in _BESIDE.get(node.op.name, ())
            if key not in node.op.params and not beside and not (key.startswith("__") and key.endswith("__")):
                raise unknown_argument(node.op, key)
        node.parsed()


def _check_inputs(node: Node) -> None:
    """Refuses more inputs than an operator has; missing ones are reported when shapes are inferred."""
    assert node.op is not None
    if node.op.variadic is None and len(node.inputs) > len(node.op.inputs):
        raise MXNetValueError(
            f"{node.name!r} has {len(node.inputs)} inputs, {node.op.name} takes at most {len(node.op.inputs)}"
        )


def _upgrade(node: Node, version: int) -> None:
    """Updates a node of an older file: hidden keys, inputs that were not listed, changed attributes."""
    for key in list(node.attrs):
        if key in HIDDEN_KEYS:
            node.attrs[f"__{key}__"] = node.attrs.pop(key)
    if node.op is None:
        return
    names = argument_names(node.op, node.parsed(), len(node.inputs))
    by_name = {name: e.node for name, e in zip(names, node.inputs, strict=False) if e.node.is_variable}
    for key in list(node.attrs):
        for hidden in HIDDEN_KEYS:
            if key.endswith(f"_{hidden}") and key[: -len(hidden) - 1] in by_name:
                by_name[key[: -len(hidden) - 1]].attrs[f"__{hidden}__"] = node.attrs.pop(key)
    if version < 900:  # files listed no auxiliary states, and could leave out other inputs
        for name in names[len(node.inputs) :]:
            by_name[name] = Node(None, f"{node.name}_{name}", dict(node.attrs))
            node.inputs.append(Entry(by_name[name]))
    if version < 904:  # variables did not know how to start
        for name, initial in initial_values(node.op).items():
            if name in by_name:
                by_name[name].attrs.setdefault("__init__", initial)
    if version < 905 and node.op.name in ("argmax", "argmin") and node.attrs.get("axis") == "-1":
        del node.attrs["axis"]  # it meant: over all axes
        node.forget_parsed()
