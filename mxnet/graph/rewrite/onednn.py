"""Layers with what follows them as one node, as MXNet's oneDNN backends (``MKLDNN``, ``MKLDNN_QUANTIZE``) have them.

A convolution takes batch norm, an activation, or a sum with another array and an activation of that; a dense layer
takes a function of its results. The products of self-attention become nodes, too. In a quantized graph, the range that
follows sums of 32 bits enters the node that gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...ops.quantization.fused import CONV, DENSE, MIXTURE, SCORES
from ...ops.registry import get
from ..node import Entry, Graph, Node, rebuild
from ..patterns import Apply, Dataflow, Either, Match

Attrs = dict[str, Any]
Readers = dict[Node, set[Node | None]]
_REQUANTIZE, _DEQUANTIZE = "_contrib_requantize", "_contrib_dequantize"
_CALIBRATION = {"min_calib_range", "max_calib_range"}
#: What is followed by ``requantize``, and can take its range.
_SUMS = (CONV, DENSE, SCORES, MIXTURE, "_contrib_quantized_elemwise_add", "_contrib_quantized_elemwise_mul")
#: Which of them can give floats instead.
_FLOATS = (DENSE, SCORES, MIXTURE, "_contrib_quantized_elemwise_mul")


def _attributes(node: Node) -> Attrs:
    assert node.op is not None
    return node.op.with_defaults(node.parsed())


def _is_activation(node: Node, quantize: bool) -> bool:
    if node.op is None:
        return False
    attrs = _attributes(node)
    if node.op.name == "Activation":
        return attrs["act_type"] in (("relu",) if quantize else ("relu", "sigmoid", "tanh", "softrelu"))
    if node.op.name == "LeakyReLU":
        return attrs["act_type"] in ("leaky", "gelu")
    return node.op.name == "clip" and attrs["a_min"] == 0


def _is_function(node: Node, quantize: bool) -> bool:
    """Can a dense layer take it?"""
    if node.op is None:
        return False
    if node.op.name in ("abs",) or (not quantize and node.op.name in ("exp", "sqrt", "square")):
        return True
    return node.op.name != "clip" and _is_activation(node, quantize)


def _norm_fits(conv: Node, norm: Node) -> bool:
    attrs, layout = _attributes(norm), _attributes(conv)["layout"]
    last = layout is not None and layout.endswith("C")
    rank = len(_attributes(conv)["kernel"]) + 2
    return not attrs["output_mean_var"] and attrs["axis"] % rank == (rank - 1 if last else 1)


@dataclass(frozen=True)
class _Kind:
    """What becomes one node: a layer with what may follow it."""

    #: The operator of the new node, by that of the layer.
    ops: Mapping[str, str]
    layer: Apply
    #: What may follow, with the attribute of the new node that says so, and the word for that in its name.
    parts: Sequence[tuple[Apply, dict[str, str], str]]
    #: The patterns to look for.
    patterns: Sequence[Apply]
    norm: Apply | None = None
    total: Apply | None = None
    #: Attributes that the new node has from the layer.
    own: Callable[[Node], dict[str, str]] = lambda layer: {}


def _convolutions(quantize: bool) -> _Kind:
    layer = Apply("Convolution", where=lambda node: len(_attributes(node)["kernel"]) in (2, 3))
    norm = Apply("BatchNorm", layer)
    total = Apply("elemwise_add", Either(norm, layer), any_order=True)
    active = Apply("", Either(norm, layer), where=lambda node: _is_activation(node, quantize))
    total_active = Apply("", total, where=lambda node: _is_activation(node, quantize))
    parts = (
        (norm, {"with_bn": "true"}, "bn"),
        (active, {"with_act": "true"}, "act"),
        (total, {"with_sum": "true"}, "add"),
        (total_active, {"with_postsum_act": "true"}, "act"),
    )
    return _Kind({"Convolution": CONV}, layer, parts, (total_active, total, active, norm, layer), norm, total)


def _dense_layers(quantize: bool) -> _Kind:
    layer = Apply("FullyConnected")
    active = Apply("", layer, where=lambda node: _is_function(node, quantize))
    return _Kind({"FullyConnected": DENSE}, layer, ((active, {"with_eltwise": "True"}, "eltwise"),), (active, layer))


def _attention() -> _Kind:
    prefix = "_contrib_interleaved_matmul_selfatt_"
    ops = {f"{prefix}qk": SCORES, f"{prefix}valatt": MIXTURE}
    layer = Apply(" ".join(ops))

    def own(node: Node) -> dict[str, str]:
        return {"enable_float_output": "False", "heads": node.attrs["heads"], "quantized": "False"}

    return _Kind(ops, layer, (), (layer,), own=own)


class _Chain:
    """Nodes that become one, the first of them a layer."""

    def __init__(self, kind: _Kind, match: Match):
        self.nodes: Sequence[Node] = match.operators
        layer = match[kind.layer]
        #: The operator of the new node.
        self.op = kind.ops[layer.op.name]
        found = [(attrs, word) for pattern, attrs, word in kind.parts if match.get(pattern)]
        #: Attributes of the new node that say what it has, and what its name has for that.
        self.attrs = {key: text for attrs in (kind.own(layer), *[a for a, _ in found]) for key, text in attrs.items()}
        self.words = [word for _, word in found]
        #: The node of a sum.
        self.total: Node | None = match.get(kind.total) if kind.total is not None else None


def _find_chains(flow: Dataflow, kind: _Kind) -> list[_Chain]:
    """For each layer the longest chain, without nodes that an earlier layer has."""
    found: dict[Node, list[Match]] = {}
    for pattern in kind.patterns:
        for match in flow.matches(pattern):
            norm = None if kind.norm is None else match.get(kind.norm)
            if norm is None or _norm_fits(match[kind.layer], norm):
                found.setdefault(match[kind.layer], []).append(match)
    taken: set[Node] = set()
    chains = []
    for layer in sorted(found, key=lambda node: flow.place[id(node)]):
        free = [match for match in found[layer] if taken.isdisjoint(match.operators)]
        if free:
            taken.update(free[0].operators)
            chains.append(_Chain(kind, free[0]))
    return chains


def fuse_layers(outputs: Sequence[Entry], quantize: bool) -> Graph:
    """The graph with layers and what follows them as one node; ``quantize``: as far as it can be quantized."""
    found = Graph.of(outputs)
    for kind in (_convolutions(quantize), _dense_layers(quantize), _attention()):
        found = _fuse_kind(found, kind)
    return found


def _fuse_kind(outputs: Graph, kind: _Kind) -> Graph:
    names: dict[Node, str] = {}  # the last node of a chain, and what the new one is called
    chains: dict[Node, _Chain] = {}
    labels: dict[Node, dict[tuple[Node, int], str]] = {}
    for chain in _find_chains(Dataflow.of_graph(outputs), kind):
        last = chain.nodes[-1]
        labels[last] = _labels(chain, names)
        names[last] = "_".join([chain.op.removeprefix("_"), *chain.words, str(len(names))])
        chains[last] = chain

    made: dict[Node, Node] = {}

    def move(entry: Entry) -> Entry:
        return Entry(made[entry.node], entry.index, entry.version)

    inner = {node for chain in chains.values() for node in chain.nodes[:-1]}
    for node in _sort_nodes(outputs, chains):
        if node in chains:
            made[node] = _chain_node(chains[node], labels[node], names[node], move)
        elif node.is_variable:
            made[node] = node
        elif node not in inner:
            made[node] = Node(node.op, node.name, dict(node.attrs), [move(e) for e in node.inputs], node.subgraphs)
            made[node].version = node.version
    return Graph(move(e) for e in outputs)


def _sources(chain: _Chain) -> list[Entry]:
    """What a chain reads from outside, in the order in which a walk from its end meets it."""
    inside = set(chain.nodes)
    found: list[Entry] = []

    def walk(node: Node) -> None:
        for entry in node.inputs:
            if entry.node in inside:
                walk(entry.node)
            else:
                found.append(entry)

    walk(chain.nodes[-1])
    return found


def _labels(chain: _Chain, names: Mapping[Node, str]) -> dict[tuple[Node, int], str]:
    """The names of the variables inside, by the node that reads them and which of its inputs they are."""
    inside = set(chain.nodes)
    counts: dict[str, int] = {}
    found: dict[tuple[Node, int], str] = {}

    def walk(node: Node) -> None:
        for place, entry in enumerate(node.inputs):
            if entry.node in inside:
                walk(entry.node)
                continue
            label = f"{names[entry.node]}_output" if entry.node in names else entry.node.output_names()[entry.index]
            number = counts[label] = counts.get(label, -1) + 1
            found[node, place] = f"{label}{number}"

    walk(chain.nodes[-1])
    return found


def _sort_nodes(outputs: Sequence[Entry], chains: Mapping[Node, _Chain]) -> list[Node]:
    """The nodes that remain, each after all that it, or its chain, reads."""
    order: list[Node] = []
    done: set[Node] = set()
    for head in outputs:
        stack: list[tuple[Node, bool]] = [(head.node, False)]
        while stack:
            node, ready = stack.pop()
            if ready:
                order.append(node)
            elif node not in done:
                done.add(node)
                stack.append((node, True))
                sources = _sources(chains[node]) if node in chains else node.inputs
                stack += [(e.node, False) for e in reversed(sources) if e.node not in done]
    return order


def _chain_node(
    chain: _Chain,
    labels: Mapping[tuple[Node, int], str],
    name: str,
    move: Callable[[Entry], Entry],
) -> Node:
    """The one node: what is added to the layer comes last in a sum."""
    inside: dict[Node, Node] = {}
    feeds: dict[Node, Entry] = {}
    for node in chain.nodes:
        inputs = []
        for place, entry in enumerate(node.inputs):
            if entry.node in inside:
                inputs.append(Entry(inside[entry.node], entry.index))
            else:
                variable = Node(None, labels[node, place])
                feeds[variable] = move(entry)
                inputs.append(Entry(variable))
        if node is chain.total and node.inputs[0].node not in inside:
            inputs.reverse()
        inside[node] = Node(node.op, node.name, dict(node.attrs), inputs, node.subgraphs)
    body = (Entry(inside[chain.nodes[-1]]),)
    sources = [feeds[n] for n in Graph.of(body).variables]
    return Node(get(chain.op), name, dict(chain.attrs), sources, [body])


# ---- quantized graphs ----------------------------------------------------------------------------------------------


def _readers(outputs: Sequence[Entry], order: Iterable[Node]) -> Readers:
    """Who reads each node; None for the graph's outputs."""
    found: Readers = {}
    for node in order:
        for entry in node.inputs:
            found.setdefault(entry.node, set()).add(node)
    for entry in outputs:
        found.setdefault(entry.node, set()).add(None)
    return found


def with_ranges(outputs: Sequence[Entry]) -> Graph:
    """A calibrated graph without ``requantize``: the nodes before take the range, or give floats if these are read."""
    order = Graph.of(outputs).order
    readers = _readers(outputs, order)
    attrs: dict[Node, dict[str, str]] = {}
    drops: set[Node] = set()
    for node in order:
        if node.op is None or node.op.name != _REQUANTIZE or not node.attrs.keys() >= _CALIBRATION:
            continue
        source = node.inputs[0].node
        if source.op is None or source.op.name not in _SUMS or readers[source] != {node}:
            continue
        users = readers.get(node, set())
        drops.add(node)
        only = next(iter(users)) if len(users) == 1 else None
        if source.op.name in _FLOATS and only is not None and only.op is not None and only.op.name == _DEQUANTIZE:
            attrs[source] = {"enable_float_output": "True"}
            drops.add(only)
        else:
            attrs[source] = {key: node.attrs[key] for key in sorted(_CALIBRATION)}
    _align(order, readers, attrs, drops)

    def replace(node: Node, inputs: list[Entry]) -> Node | Sequence[Entry] | None:
        if node.is_variable:
            return node
        if node in drops:
            return inputs
        if node in attrs:
            new = Node(node.op, node.name, {**node.attrs, **attrs[node]}, inputs, node.subgraphs)
            new.version = node.version
            return new
        return None

    return rebuild(outputs, replace)


def _align(order: Iterable[Node], readers: Readers, attrs: dict[Node, dict[str, str]], drops: set[Node]) -> None:
    """Convolutions and quantized floats that only a concatenation reads get a common range: joined as they are."""
    keys = ("min_calib_range", "max_calib_range")
    for node in order:
        if node.op is None or node.op.name != "_contrib_quantized_concat":
            continue
        found: dict[Node, dict[str, str]] = {}
        for entry in node.inputs[: _attributes(node)["num_args"]]:
            part = entry.node.inputs[0].node if entry.node in drops else entry.node
            if part.op is None or readers[entry.node] != {node}:
                continue
            known = attrs.get(part, part.attrs) if part.op.name in (CONV, "_contrib_quantize_v2") else {}
            if keys[0] in known:
                found[part] = dict(known)
        if len(found) > 1:
            low = min((known[keys[0]] for known in found.values()), key=float)
            high = max((known[keys[1]] for known in found.values()), key=float)
            for part in found:
                attrs[part] = dict(zip(keys, (low, high), strict=True))
