"""Quantized layers as ONNX has them (QDQ): floats, with QuantizeLinear and DequantizeLinear where they are rounded.

What is an 8-bit integer in the graph of MXNet is the float that it stands for in that of ONNX, so that layers are those
of floats; runtimes fuse them with the pairs around. Weights are int8 constants with a DequantizeLinear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from ....context import cpu
from ....graph.node import Node
from ....graph.program import Subgraph
from ....ops.quantization.fused import CONV, DENSE, MIXTURE, SCORES, _activations, _fold, _integers, _only_positive
from ....ops.quantization.ranges import STEPS, choose_type
from ....ops.registry import get
from ..graph import Call, Graph, converter, converter_of


def _scale(low: float, high: float, kind: torch.dtype) -> float:
    most = max(abs(np.float32(low)), abs(np.float32(high)))
    return float(most / np.float32(STEPS[kind])) if most else 1.0


def _quantize_dequantize(g: Graph, x: str, low: float, high: float, kind: torch.dtype) -> list[str]:
    """A value as the integers of a range would have it, and that range."""
    scale, zero = g.const(_scale(low, high, kind), torch.float32), g.const(0, kind)
    made = g.add("DequantizeLinear", g.add("QuantizeLinear", x, scale, zero), scale, zero)
    g.integers[made] = scale, zero
    return [made, g.const([low], torch.float32), g.const([high], torch.float32)]


def _quantize_by_range(g: Graph, n: Call, x: str, kind: torch.dtype) -> list[str]:
    low, high = n.attrs["min_calib_range"], n.attrs["max_calib_range"]
    if low is None or high is None:
        raise n.refuse("its range is found while it runs; calibrate the network (calib_mode naive or entropy)")
    if kind is torch.int8:
        low, high = -max(abs(low), abs(high)), max(abs(low), abs(high))
    return _quantize_dequantize(g, x, low, high, kind)


def _constant(g: Graph, n: Call, name: str) -> torch.Tensor:
    value = g.value(name)
    if value is None:
        raise n.refuse(f"{name} is not a parameter")
    return value


def _value(g: Graph, n: Call, place: int, low: int) -> str:
    """An input as floats: it is so already, or its range, which is constant, says what its integers stand for."""
    name = n.inputs[place]
    if name in g.integers:
        return name
    kind = n.dtypes[place]
    limits = [float(_constant(g, n, n.inputs[i])) for i in (low, low + 1)]
    scale, zero = g.const(_scale(limits[0], limits[1], kind), torch.float32), g.const(0, kind)
    made = g.add("DequantizeLinear", name, scale, zero)
    g.integers[made] = scale, zero
    return made


def _sum(g: Graph, name: str) -> str:
    """Notes that a value stands for sums of 32 bits."""
    g.integers[name] = None
    return name


def _share_scale(g: Graph, name: str, source: str) -> str:
    """Notes that a value stands for integers in the same steps as another one."""
    g.integers[name] = g.integers[source]
    return name


def _as_float(g: Graph, n: Call, name: str, inputs: Sequence[str], count: int | None = None, **attrs: Any) -> str:
    """What the operator of floats is converted to, on these values."""
    op = get(name)
    function = converter_of(op)
    assert function is not None
    known = op.with_defaults({key: value for key, value in n.attrs.items() if key in op.params})
    places = len(inputs) if count is None else count
    call = replace(
        n,
        node=Node(op, n.node.name, {}, n.node.inputs[:places]),
        attrs={**known, **attrs},
        inputs=list(inputs),
        shapes=n.shapes[: len(inputs)],
        dtypes=[torch.float32] * len(inputs),
        out_shapes=n.out_shapes[:1],
        out_dtypes=[torch.float32],
        uses=n.uses[: len(inputs)],
    )
    made = function(g, call)
    return made if isinstance(made, str) else made[0]


@converter("_contrib_quantize_v2", quantized=True)
def quantize_v2(g: Graph, n: Call) -> list[str]:
    if n.dtype is not torch.float32:
        raise n.refuse("it takes integers")
    kind = choose_type(n.attrs["out_type"], n.attrs["min_calib_range"], n.attrs["max_calib_range"])
    return _quantize_by_range(g, n, n.x, kind)


@converter("_contrib_quantize", quantized=True)
def quantize(g: Graph, n: Call) -> list[str]:
    low, high = (float(_constant(g, n, name)) for name in n.inputs[1:])
    return _quantize_dequantize(g, n.x, low, high, choose_type(n.attrs["out_type"], None, None))


@converter("_contrib_requantize", quantized=True)
def requantize(g: Graph, n: Call) -> list[str]:
    if n.x not in g.integers:
        raise n.refuse("its sums come from outside of the model")
    kind = choose_type(n.attrs["out_type"], n.attrs["min_calib_range"], n.attrs["max_calib_range"])
    return _quantize_by_range(g, n, n.x, kind)


@converter("_contrib_dequantize", quantized=True)
def dequantize(g: Graph, n: Call) -> str:
    return g.add("Identity", _value(g, n, 0, 1))


@converter("_contrib_quantized_conv", "_contrib_quantized_fully_connected", quantized=True)
def layer(g: Graph, n: Call) -> list[str]:
    """Behind it stands a ``requantize``, which rounds the sums."""
    count = 2 if n.attrs["no_bias"] else 3
    x, *weights = (_value(g, n, i, count + 2 * i) for i in range(count))
    name = "Convolution" if "kernel" in n.attrs else "FullyConnected"
    return [_sum(g, _as_float(g, n, name, [x, *weights])), n.inputs[count], n.inputs[count + 1]]


@converter("_contrib_quantized_pooling", "_contrib_quantized_act", "_contrib_quantized_flatten", quantized=True)
def same_range(g: Graph, n: Call) -> list[str]:
    assert n.node.op is not None
    names = {"_contrib_quantized_pooling": "Pooling", "_contrib_quantized_act": "Activation"}
    x = _value(g, n, 0, 1)
    return [_share_scale(g, _as_float(g, n, names.get(n.node.op.name, "Flatten"), [x]), x), *n.inputs[1:3]]


@converter("_contrib_quantized_embedding", quantized=True)
def embedding(g: Graph, n: Call) -> list[str]:
    weight = _value(g, n, 1, 2)
    index = g.as_integers(n.x)
    return [_share_scale(g, _as_float(g, n, "Embedding", [index, weight]), weight), *n.inputs[2:4]]


@converter("_contrib_quantized_concat", quantized=True)
def concat(g: Graph, n: Call) -> list[str]:
    count = n.attrs["num_args"]
    low = min(float(_constant(g, n, name)) for name in n.inputs[count::2])
    high = max(float(_constant(g, n, name)) for name in n.inputs[count + 1 :: 2])
    kind = torch.int8 if torch.int8 in n.dtypes[:count] else torch.uint8
    parts = [_value(g, n, i, count + 2 * i) for i in range(count)]
    return _quantize_dequantize(g, g.add("Concat", *parts, axis=n.axis("dim")), low, high, kind)


@converter("_contrib_quantized_elemwise_add", "_contrib_quantized_elemwise_mul", quantized=True)
def elementwise(g: Graph, n: Call) -> list[str]:
    assert n.node.op is not None
    sides = _value(g, n, 0, 2), _value(g, n, 1, 4)
    made = g.add("Add" if n.node.op.name.endswith("add") else "Mul", *sides)
    if n.attrs.get("enable_float_output"):
        return [made]
    if n.attrs["min_calib_range"] is None:
        return [_sum(g, made), *n.inputs[2:4]]
    return _quantize_by_range(g, n, made, n.out_dtypes[0])


@converter("_contrib_quantized_batch_norm", quantized=True)
def batch_norm(g: Graph, n: Call) -> list[str]:
    made = _as_float(g, n, "BatchNorm", [_value(g, n, 0, 5), *n.inputs[1:5]], fix_gamma=False)
    return _quantize_by_range(g, n, made, torch.int8)


# ---- fused layers --------------------------------------------------------------------------------------------------


def _layers(n: Call) -> list[Node]:
    return [node for node in n.node.subgraphs[0].order if node.op is not None]


def _after(g: Graph, n: Call, x: str, nodes: Sequence[Node]) -> str:
    """What functions of floats make of a value."""
    for node in nodes:
        assert node.op is not None
        function = converter_of(node.op)
        assert function is not None
        call = Call(node, node.op.with_defaults(node.parsed()), [x], n.out_shapes[:1], [torch.float32],
                    n.out_shapes[:1], [torch.float32], [1])  # fmt: skip
        made = function(g, call)
        x = made if isinstance(made, str) else made[0]
    return x


def _integer_weight(g: Graph, weight: torch.Tensor, bias: torch.Tensor | None, each: bool) -> tuple[str, list[str]]:
    """A weight as int8 with a DequantizeLinear, with a scale for each output or for all; the bias stays float."""
    made = _integers(weight, None, 1.0, each)
    scales = 1 / made.scales
    scale = g.const(scales if each else scales[:1].reshape(()))
    zero = g.const(torch.zeros_like(scales, dtype=torch.int8) if each else 0, torch.int8)
    name = g.add("DequantizeLinear", g.const(made.weight.integers), scale, zero, axis=0 if each else None)
    return name, [] if bias is None else [g.const(bias)]


@converter(CONV, quantized=True)
def fused_conv(g: Graph, n: Any) -> list[str]:
    if not n.attrs["quantized"]:
        return n.inline_subgraph(g, n.inputs)
    n = n.call
    subgraph = Subgraph(n.node.subgraphs[0], cpu())
    names = dict(zip(subgraph.inputs, n.inputs, strict=False))
    moving = ("Convolution.data", "elemwise_add.rhs")
    given = {role: _constant(g, n, name) for role, name in names.items() if role not in moving}
    weight, bias = _fold(given, subgraph.layers)
    nodes = _layers(n)
    conv = next(node for node in nodes if node.op is not None and node.op.name == "Convolution")
    calibrated = n.attrs["min_calib_range"] is not None
    w, b = _integer_weight(g, weight, bias, calibrated)
    attrs = conv.op.with_defaults(conv.parsed())  # type: ignore[union-attr]
    count = len(subgraph.inputs)
    image = _value(g, n, n.inputs.index(names[moving[0]]), count)
    x = _as_float(g, n, "Convolution", [image, w, *b], **{**attrs, "no_bias": not b})
    if n.attrs["with_sum"]:
        x = g.add("Add", x, _value(g, n, count - 1, count + 2))
    acts = _activations(subgraph.layers)
    x = _after(g, n, x, [node for node in nodes if node.op is not None and node.op.name in [name for name, _ in acts]])
    if not calibrated:
        return [_sum(g, x), *n.inputs[count : count + 2]]
    kind = torch.uint8 if _only_positive(acts) else torch.int8
    return _quantize_dequantize(g, x, n.attrs["min_calib_range"], n.attrs["max_calib_range"], kind)


@converter(DENSE, quantized=True)
def fused_dense(g: Graph, n: Any) -> list[str]:
    if not n.attrs["quantized"]:
        return n.inline_subgraph(g, n.inputs)
    n = n.call
    subgraph = Subgraph(n.node.subgraphs[0], cpu())
    count = len(subgraph.inputs)
    if n.attrs["channel_wise_quantize"]:
        weights = [_constant(g, n, name) for name in n.inputs[1:count]]
        w, b = _integer_weight(g, weights[0], weights[1] if len(weights) > 1 else None, True)
    else:
        w, *b = (_value(g, n, i, count + 2 * i) for i in range(1, count))
    nodes = _layers(n)
    attrs = nodes[0].op.with_defaults(nodes[0].parsed())  # type: ignore[union-attr]
    x = _after(g, n, _as_float(g, n, "FullyConnected", [_value(g, n, 0, count), w, *b], **attrs), nodes[1:])
    return _result(g, n, x, count, torch.uint8 if _only_positive(_activations(subgraph.layers)) else torch.int8)


@converter(SCORES, MIXTURE, quantized=True)
def fused_attention(g: Graph, n: Any) -> list[str]:
    if not n.attrs["quantized"]:
        return n.inline_subgraph(g, n.inputs)
    n = n.call
    (product,) = _layers(n)
    count = len(product.inputs)
    x = _as_float(g, n, product.op.name, [_value(g, n, i, count + 2 * i) for i in range(count)])  # type: ignore[union-attr]
    return _result(g, n, x, count, torch.int8)


def _result(g: Graph, n: Call, x: str, count: int, kind: torch.dtype) -> list[str]:
    """What a layer of ``count`` inputs gives: floats, sums of 32 bits, or integers in the range that it has."""
    if n.attrs["enable_float_output"]:
        return [x]
    if n.attrs["min_calib_range"] is None:
        return [_sum(g, x), *n.inputs[count : count + 2]]
    return _quantize_dequantize(g, x, n.attrs["min_calib_range"], n.attrs["max_calib_range"], kind)
