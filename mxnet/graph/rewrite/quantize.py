"""Graphs of floats to graphs of 8-bit integers, with the nodes, names and attributes that MXNet gives them.

What has an operator for integers is replaced by that; ``quantize_v2`` stands before, ``dequantize`` behind,
``requantize`` behind what gives sums of 32 bits. Then calibration enters the ranges that were met.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...ops.quantization.fused import CONV, DENSE, MIXTURE, SCORES
from ...ops.registry import get
from ..monitoring.names import hooked_outputs
from ..node import Entry, Graph, Node, rebuild

Attrs = dict[str, Any]
Triple = tuple[Entry, Entry, Entry]


@dataclass(frozen=True)
class Rule:
    """How an operator becomes one for integers."""

    op: str
    #: It gives sums of 32 bits, which ``requantize`` follows.
    sums: bool = False
    #: In smart mode it is worth quantizing by itself; others only between such ones.
    alone: bool = False
    #: Which inputs are quantized; None: all.
    inputs: tuple[int, ...] | None = None
    #: Can it be quantized with these attributes?
    when: Callable[[Attrs], bool] = lambda attrs: True
    #: Its result is float.
    floats: bool = False
    #: What quantizes its input.
    quantizer: str = "_contrib_quantize_v2"
    #: Calibration enters the range into the operator itself.
    calibrated: bool = False
    #: Attributes that are added.
    attrs: Mapping[str, str] = field(default_factory=dict)


def _plain_pooling(attrs: Attrs) -> bool:
    return attrs["pool_type"] in ("max", "avg") and len(attrs["kernel"]) in (0, 2, 3)


RULES: dict[str, Rule] = {
    "Convolution": Rule("_contrib_quantized_conv", sums=True, alone=True),
    "FullyConnected": Rule("_contrib_quantized_fully_connected", sums=True, alone=True),
    "Pooling": Rule("_contrib_quantized_pooling", when=_plain_pooling),
    "Activation": Rule("_contrib_quantized_act", when=lambda attrs: attrs["act_type"] == "relu"),
    "Flatten": Rule("_contrib_quantized_flatten"),
    "BatchNorm": Rule(
        "_contrib_quantized_batch_norm",
        inputs=(0,),
        when=lambda attrs: not attrs["output_mean_var"],
        calibrated=True,
    ),
    "Concat": Rule("_contrib_quantized_concat"),
    "elemwise_add": Rule("_contrib_quantized_elemwise_add", sums=True),
    "elemwise_mul": Rule("_contrib_quantized_elemwise_mul", sums=True),
    "Embedding": Rule("_contrib_quantized_embedding", inputs=(1,)),
    "RNN": Rule(
        "_contrib_quantized_rnn",
        alone=True,
        inputs=(0,),
        when=lambda attrs: attrs["mode"] == "lstm" and not attrs["use_sequence_length"],
        floats=True,
        quantizer="_contrib_quantize_asym",
        attrs={"quantized": "true"},
    ),
}
_QUANTIZERS = ("_contrib_quantize_v2", "_contrib_quantize_asym")


def rule_of(node: Node, by_channel: bool) -> Rule | None:
    """How a node is quantized, if it can be; ``by_channel``: with a range for each output of a fused dense layer."""
    if node.op is None:
        return None
    if node.is_fused:
        return _fused_rule(node, by_channel)
    rule = RULES.get(node.op.name)
    if rule is None or not rule.when(node.op.with_defaults(node.parsed())):
        return None
    return rule


def _fused_rule(node: Node, by_channel: bool) -> Rule | None:
    """Fused layers keep their operator; only the dense ones, unless by channel, get their weights as integers."""
    assert node.op is not None
    if node.parsed().get("quantized") or node.op.name not in (CONV, DENSE, SCORES, MIXTURE):
        return None
    if node.op.name in (SCORES, MIXTURE):
        return Rule(node.op.name, sums=True, alone=True, attrs={"quantized": "True"})
    if node.op.name == DENSE and not by_channel:
        return Rule(DENSE, sums=True, alone=True, attrs={"quantized": "True"})
    count = len(node.subgraphs[0].variables)
    if node.op.name == DENSE:
        attrs = {"quantized": "True", "channel_wise_quantize": "True"}
        return Rule(DENSE, sums=True, alone=True, inputs=(0,), attrs=attrs)
    places = (0, count - 1) if node.parsed().get("with_sum") else (0,)
    return Rule(CONV, sums=True, alone=True, inputs=places, attrs={"quantized": "true"})


def _is_excluded(node: Node, names: Collection[str], operators: Collection[str]) -> bool:
    """Is a node, or one that it stands for, among those that stay as they are?"""
    if node.name in names or (node.op is not None and node.op.name in operators):
        return True
    return node.is_fused and any(_is_excluded(n, names, operators) for n in node.subgraphs[0].order if n.op)


def _select_nodes(
    order: Sequence[Node], names: Collection[str], operators: Collection[str], mode: str, by_channel: bool
) -> dict[Node, Rule]:
    """The nodes that are quantized. In smart mode, those between two that are worth it by themselves belong to them."""
    found: dict[Node, Rule] = {}
    for node in order:
        rule = rule_of(node, by_channel)
        if rule is not None and not _is_excluded(node, names, operators):
            found[node] = rule
    if mode == "full":
        return found
    after: set[Node] = set()
    for node in order:
        if node in found and (found[node].alone or any(e.node in after for e in node.inputs)):
            after.add(node)
    before: set[Node] = set()
    readers: set[Node] = set()  # read by something that is quantized
    for node in reversed(order):
        if node in found and (found[node].alone or node in readers):
            before.add(node)
            readers.update(e.node for e in node.inputs)
    return {node: rule for node, rule in found.items() if node in after and node in before}


class _Quantizer:
    """Makes the new graph, node by node."""

    def __init__(self, selected: Mapping[Node, Rule], offline: Collection[str], dtype: str):
        self.selected, self.offline, self.dtype = selected, offline, dtype
        self.made: dict[Node, Node] = {}
        self.integers: dict[tuple[Node, int, str], Triple] = {}
        self.floats: dict[Node, Node] = {}

    def as_float(self, entry: Entry) -> Entry:
        """What stands for an entry of the old graph, as floats."""
        rule = self.selected.get(entry.node)
        if rule is None or rule.floats:
            return Entry(self.made[entry.node], entry.index, entry.version)
        if entry.node not in self.floats:
            triple = self.integers[entry.node, 0, _QUANTIZERS[0]]
            self.floats[entry.node] = Node(get("_contrib_dequantize"), f"{entry.node.name}_dequantize", {}, triple)
        return Entry(self.floats[entry.node])

    def as_integers(self, entry: Entry, quantizer: str) -> Triple:
        """What stands for an entry of the old graph, as integers with their range."""
        key = entry.node, entry.index, quantizer
        if key not in self.integers:
            self.integers[key] = self._quantize_value(entry, quantizer)
        return self.integers[key]

    def _quantize_value(self, entry: Entry, quantizer: str) -> Triple:
        node = entry.node
        if node.is_variable and node.name in self.offline:
            name = f"{node.name}_quantize"
            return Entry(Node(None, name)), Entry(Node(None, f"{name}_min")), Entry(Node(None, f"{name}_max"))
        name = node.name if node.is_variable else hooked_outputs(node)[entry.index]
        attrs = {"out_type": self.dtype} if quantizer == _QUANTIZERS[0] else {}
        new = Node(get(quantizer), f"{name}_quantize", attrs, [self.as_float(entry)])
        return Entry(new, 0), Entry(new, 1), Entry(new, 2)

    def add(self, node: Node) -> None:
        """Makes what stands for a node."""
        rule = self.selected.get(node)
        if node.is_variable:
            self.made[node] = node
        elif rule is None:
            new = Node(node.op, node.name, dict(node.attrs), [self.as_float(e) for e in node.inputs], node.subgraphs)
            new.version = node.version
            self.made[node] = new
        else:
            new = self._integer_node(node, rule)
            if rule.floats:
                self.made[node] = new
                return
            triple = Entry(new, 0), Entry(new, 1), Entry(new, 2)
            if rule.sums:
                attrs = {"out_type": self.dtype}
                summed = Node(get("_contrib_requantize"), f"requantize_{node.name}", attrs, triple)
                triple = Entry(summed, 0), Entry(summed, 1), Entry(summed, 2)
            self.integers[node, 0, _QUANTIZERS[0]] = triple

    def _integer_node(self, node: Node, rule: Rule) -> Node:
        places = range(len(node.inputs)) if rule.inputs is None else rule.inputs
        inputs: list[Entry] = []
        ranges: list[Entry] = []
        for i, entry in enumerate(node.inputs):
            if i in places:
                values, low, high = self.as_integers(entry, rule.quantizer)
                inputs.append(values)
                ranges += [low, high]
            else:
                inputs.append(self.as_float(entry))
        attrs = {**node.attrs, **rule.attrs}
        return Node(get(rule.op), f"quantized_{node.name}", attrs, [*inputs, *ranges], node.subgraphs)


def quantize_graph(
    outputs: Sequence[Entry],
    excluded_names: Collection[str] = (),
    excluded_operators: Collection[str] = (),
    offline: Collection[str] = (),
    dtype: str = "int8",
    mode: str = "full",
    by_channel: bool = False,
) -> Graph:
    """The graph with integers in the place of floats.

    Variables in ``offline`` are replaced by three: ``x_quantize``, ``x_quantize_min`` and ``x_quantize_max``.
    """
    order = Graph.of(outputs).order
    maker = _Quantizer(_select_nodes(order, excluded_names, excluded_operators, mode, by_channel), offline, dtype)
    for node in order:
        maker.add(node)
    return Graph(maker.as_float(e) for e in outputs)


def calibration_layers(outputs: Sequence[Entry]) -> list[str]:
    """The names of values in the graph of floats whose ranges a quantized graph wants, in the order of its nodes."""
    return [name for node in Graph.of(outputs).order if (name := calibrated_value(node)) is not None]


def calibrated_value(node: Node) -> str | None:
    """The name of the value whose range a node of a quantized graph wants, if it does."""
    if node.op is None:
        return None
    if node.op.name in _QUANTIZERS:
        source = node.inputs[0]
        return source.node.output_names()[source.index]
    if node.op.name == "_contrib_requantize" or any(r.calibrated and r.op == node.op.name for r in RULES.values()):
        return f"{node.name.removeprefix('requantize_').removeprefix('quantized_')}_output"
    return None


def set_ranges(outputs: Sequence[Entry], thresholds: Mapping[str, tuple[Any, Any]]) -> Graph:
    """The quantized graph with the ranges of values, by their names; those that are not there stay as they are."""

    def replace(node: Node, inputs: list[Entry]) -> Node | None:
        name = calibrated_value(node)
        if node.is_variable:
            return node
        if name is None or name not in thresholds:
            return None
        low, high = (f"{np.float32(np.asarray(number).reshape(())):f}" for number in thresholds[name])
        attrs = {**node.attrs, "min_calib_range": low, "max_calib_range": high}
        new = Node(node.op, node.name, attrs, inputs, node.subgraphs)
        new.version = node.version
        return new

    return rebuild(outputs, replace)
