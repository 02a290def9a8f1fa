"""Symbol files: the JSON that MXNet writes, to the byte, and every older dialect of it that can still be met."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..error import MXNetError, MXNetValueError
from ..ops.registry import find
from .node import Entry, Node, aux_nodes, toposort

VERSION = 10901
# Attributes that old files keep under their plain name; ``weight_lr_mult`` belongs to the input called weight.
HIDDEN_KEYS = ("ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage", "profiler_scope")


def dumps(outputs: Sequence[Entry]) -> str:
    """The JSON text of a graph."""
    return _write(_graph(outputs, top=True), 0)


def _graph(outputs: Sequence[Entry], top: bool) -> dict[str, Any]:
    order = toposort(outputs)
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
        row += node.op.num_total_outputs(node.parsed()) if node.op else 1
        rows.append(row)
    graph: dict[str, Any] = {
        "nodes": nodes,
        "arg_nodes": [ids[n] for n in order if n.is_variable],
        "node_row_ptr": rows,
        "heads": [[ids[e.node], e.index, e.version] for e in outputs],
    }
    if top:
        graph["attrs"] = {"mxnet_version": ["int", VERSION]}
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


def loads(text: str) -> list[Entry]:
    """The outputs of the graph in a JSON text; MXNetError says what is wrong with a bad one."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MXNetValueError(f"this is not a Symbol file: {error}") from None
    try:
        return _read(data, _version(data))
    except (KeyError, TypeError, IndexError, AttributeError, ValueError, RecursionError) as error:
        if isinstance(error, MXNetError):
            raise
        raise MXNetValueError(f"this JSON is not a Symbol: {type(error).__name__}: {error}") from None


def _version(data: dict[str, Any]) -> int:
    entry = data.get("attrs", {}).get("mxnet_version", ["int", 800])
    return int(entry[1])


def _read(data: dict[str, Any], version: int) -> list[Entry]:
    nodes: list[Node] = []
    for number, item in enumerate(data["nodes"]):
        name, kind = str(item["name"]), item["op"]
        # 0.8 and before: "param" for the operator's attributes, "attr" for the user's; then "attr"; now "attrs".
        attrs = {str(k): str(v) for key in ("param", "attr", "attrs") for k, v in (item.get(key) or {}).items()}
        op = None
        if kind != "null":
            op = find(str(kind))
            if op is None:
                raise MXNetError(f"node {number} ({name!r}) is of operator {kind!r}, which does not exist")
            if op.specialize is not None:
                op = op.specialize(attrs)
        inputs = []
        for reference in item["inputs"]:
            source, index = int(reference[0]), int(reference[1])
            if not 0 <= source < number:
                raise MXNetValueError(f"node {number} ({name!r}) takes node {source} as input, which is not before it")
            if not 0 <= index < nodes[source].num_outputs():
                raise MXNetValueError(f"node {number} ({name!r}) takes output {index} of {nodes[source].name!r}")
            inputs.append(Entry(nodes[source], index, int(reference[2]) if len(reference) > 2 else 0))
        subgraphs = [_read(sub, version) for sub in item.get("subgraphs") or ()]
        node = Node(op, name, attrs, inputs, subgraphs)
        nodes.append(node)
        if op is not None:
            _upgrade(node, version)
    heads = []
    for reference in data["heads"]:
        node = nodes[_index(reference[0], len(nodes))]
        heads.append(Entry(node, int(reference[1]), int(reference[2]) if len(reference) > 2 else 0))
    _note_versions(nodes)
    return heads


def _index(value: Any, count: int) -> int:
    if not 0 <= int(value) < count:
        raise MXNetValueError(f"head {value} does not exist: the graph has {count} nodes")
    return int(value)


def _upgrade(node: Node, version: int) -> None:
    """Brings a node of an older file to today's form: hidden keys, missing auxiliary states, changed attributes."""
    assert node.op is not None
    for key in list(node.attrs):
        if key in node.op.params:
            continue
        for hidden in HIDDEN_KEYS:
            if key == hidden:
                node.attrs[f"__{hidden}__"] = node.attrs.pop(key)
                break
            if key.endswith(f"_{hidden}"):
                value, wanted = node.attrs.pop(key), key[: -len(hidden) - 1]
                for argument, entry in zip(node.op.active_inputs(node.parsed()), node.inputs, strict=False):
                    if argument == wanted and entry.node.is_variable:
                        entry.node.attrs[f"__{hidden}__"] = value
                break
        else:
            if not (key.startswith("__") and key.endswith("__")):
                _drop_or_refuse(node, key, version)
    names = node.op.active_inputs(node.parsed())
    if not callable(node.op.aux):  # before 0.9 files did not list auxiliary states
        for name in names[len(node.inputs) :]:
            if name in node.op.aux:
                node.inputs.append(Entry(Node(None, f"{node.name}_{name}")))
    if node.op.name in ("argmax", "argmin") and version < 10000 and node.attrs.get("axis") == "-1":
        del node.attrs["axis"]  # before 0.9.5 -1 meant: over all axes


def _drop_or_refuse(node: Node, key: str, version: int) -> None:
    assert node.op is not None
    if version < VERSION:
        node.attrs[f"__{key}__"] = node.attrs.pop(key)  # an attribute of a later-removed kind: kept, without effect
        return
    raise node.op.unknown_argument(key)


def _note_versions(nodes: list[Node]) -> None:
    for variable in aux_nodes(nodes):
        variable.version = max(variable.version, 1)
