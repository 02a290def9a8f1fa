"""Normalization."""

from __future__ import annotations

from typing import Any

import torch

from ..graph import Call, Graph, converter
from .elementwise import number
from .nn import first, last


@converter("BatchNorm", "BatchNorm_v1", "_contrib_SyncBatchNorm", "_contrib_BatchNormWithReLU")
def batch_norm(g: Graph, n: Call) -> Any:
    assert n.node.op is not None
    if n.attrs["output_mean_var"]:
        raise n.refuse("output_mean_var")
    axis = n.attrs.get("axis", 1) % n.ndim
    x, gamma, beta, mean, variance = n.inputs
    if n.attrs["fix_gamma"]:
        gamma = g.const(torch.ones(n.shapes[1][0], dtype=n.dtypes[1]), name=gamma)
    made = _fold_into_convolution(g, n, x, gamma, beta, mean, variance) if axis == 1 else None
    if made is None:
        moved = axis != 1
        if moved and axis != n.ndim - 1:
            raise n.refuse("an axis that is neither the second nor the last")
        data = first(g, x, n.ndim) if moved and n.ndim > 2 else x
        parts = [gamma, beta, mean, variance]
        if g.opset < 15:  # all of one type
            parts = [g.cast(p, n.dtype, d) for p, d in zip(parts, n.dtypes[1:], strict=True)]
        made = g.add("BatchNormalization", data, *parts, epsilon=n.attrs["eps"])
        made = last(g, made, n.ndim) if moved and n.ndim > 2 else made
    return g.add("Relu", made) if n.node.op.name == "_contrib_BatchNormWithReLU" else made


def _fold_into_convolution(g: Graph, n: Call, x: str, *names: str) -> str | None:
    """A batch norm right after a convolution, which nothing else uses, becomes part of its weights."""
    conv = g.producers.get(x)
    if conv is None or conv.op != "Conv" or n.uses[0] != 1 or x != conv.outputs[0]:
        return None
    weight = g.value(conv.inputs[1])
    values = [g.value(name) for name in names]
    bias = g.value(conv.inputs[2]) if len(conv.inputs) > 2 else None
    if weight is None or any(v is None for v in values) or (len(conv.inputs) > 2 and bias is None):
        return None
    gamma, beta, mean, variance = (v.double() for v in values)  # type: ignore[union-attr]
    scale = gamma / (variance + n.attrs["eps"]).sqrt()
    shift = beta - mean * scale + (0.0 if bias is None else bias.double() * scale)
    new = (weight.double() * scale.reshape(-1, *[1] * (weight.dim() - 1))).to(weight.dtype)
    made = g.add(
        "Conv", conv.inputs[0], g.const(new, name=conv.inputs[1]), g.const(shift.to(weight.dtype), name=names[1])
    )
    g.producers[made].attrs.update(conv.attrs)
    return made


@converter("LayerNorm")
def layer_norm(g: Graph, n: Call) -> str:
    if n.attrs["output_mean_var"]:
        raise n.refuse("output_mean_var")
    axis = n.axis()
    x, gamma, beta = n.inputs
    if axis != n.ndim - 1:
        order = [i for i in range(n.ndim) if i != axis] + [axis]
        x = g.transpose(x, order)
    if g.opset >= 17:
        made = g.add("LayerNormalization", x, gamma, beta, axis=-1, epsilon=n.attrs["eps"])
    else:
        made = _affine(g, _normalize(g, x, [-1], n.attrs["eps"], n.dtype), gamma, beta)
    return made if axis == n.ndim - 1 else g.transpose(made, [order.index(i) for i in range(n.ndim)])


def _normalize(g: Graph, x: str, axes: list[int], eps: float, dtype: torch.dtype) -> str:
    centered = g.add("Sub", x, g.reduce("ReduceMean", x, axes, True))
    variance = g.reduce("ReduceMean", g.add("Mul", centered, centered), axes, True)
    return g.add("Div", centered, g.add("Sqrt", g.add("Add", variance, number(g, eps, dtype))))


def _affine(g: Graph, x: str, gamma: str, beta: str) -> str:
    return g.add("Add", g.add("Mul", x, gamma), beta)


@converter("GroupNorm")
def group_norm(g: Graph, n: Call) -> str:
    if n.attrs["output_mean_var"]:
        raise n.refuse("output_mean_var")
    groups = n.attrs["num_groups"]
    grouped = g.add("Reshape", n.x, g.const([0, groups, -1]))
    made = g.add("InstanceNormalization", grouped, n.inputs[1], n.inputs[2], epsilon=n.attrs["eps"])
    return g.add("Reshape", made, g.shape_of(n.shape, [(n.x, n.shape)]))


@converter("InstanceNorm")
def instance_norm(g: Graph, n: Call) -> str:
    return g.add("InstanceNormalization", *n.inputs, epsilon=n.attrs["eps"])


@converter("L2Normalization")
def l2_normalization(g: Graph, n: Call) -> str:
    mode = n.attrs["mode"]
    axes = [1] if mode == "channel" else list(range(1 if mode == "instance" else 2, n.ndim))
    squares = g.reduce("ReduceSumSquare", n.x, axes, True) if axes else g.add("Mul", n.x, n.x)
    return g.add("Div", n.x, g.add("Sqrt", g.add("Add", squares, number(g, n.attrs["eps"], n.dtype))))


@converter("LRN")
def lrn(g: Graph, n: Call) -> str:
    size = n.attrs["nsize"]
    if size % 2 == 0:  # MXNet takes an odd number of neighbors, and divides by the even one
        real, alpha = size - 1, n.attrs["alpha"] * (size - 1) / size
    else:
        real, alpha = size, n.attrs["alpha"]
    return g.add("LRN", n.x, alpha=alpha, beta=n.attrs["beta"], bias=n.attrs["knorm"], size=real)
