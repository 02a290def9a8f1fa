"""Loss layers: in prediction, what they give without their labels."""

from __future__ import annotations

import torch

from ..graph import Call, Graph, converter
from .elementwise import number


@converter("SoftmaxOutput")
def softmax_output(g: Graph, n: Call) -> str:
    if n.attrs["multi_output"]:
        return g.add("Softmax", n.x, axis=1)
    if n.attrs["preserve_shape"] or n.ndim <= 2:
        return g.add("Softmax", n.x, axis=n.ndim - 1)
    flat = g.add("Softmax", g.add("Flatten", n.x, axis=1), axis=1)
    return g.add("Reshape", flat, g.shape_of(n.shape, [(n.x, n.shape)]))


@converter("LogisticRegressionOutput")
def logistic(g: Graph, n: Call) -> str:
    return g.add("Sigmoid", n.x)


@converter("LinearRegressionOutput", "MAERegressionOutput", "SVMOutput")
def plain(g: Graph, n: Call) -> str:
    return n.x


@converter("softmax_cross_entropy")
def softmax_cross_entropy(g: Graph, n: Call) -> str:
    index = g.unsqueeze(g.as_index(n.inputs[1], n.dtypes[1]), [1])
    picked = g.add("GatherElements", g.add("LogSoftmax", n.x, axis=1), index, axis=1)
    least = g.add("Max", picked, number(g, -18.420680743952367, n.dtype))  # log(1e-8)
    return g.add("Reshape", g.add("Neg", g.reduce("ReduceSum", least, [0, 1], False)), [1])


@converter("_log_softmax_pick")
def log_softmax_pick(g: Graph, n: Call) -> str:
    axis = n.axis()
    index = g.as_index(n.inputs[1], n.dtypes[1])
    if len(n.shapes[1]) < n.ndim:
        index = g.unsqueeze(index, [axis])
    size = n.shape[axis]
    if isinstance(size, int):
        index = g.add("Clip", index, g.const(torch.tensor(0)), g.const(torch.tensor(size - 1)))
    found = g.add("GatherElements", g.add("LogSoftmax", n.x, axis=axis), index, axis=axis)
    if n.attrs["scale"] != 1:
        found = g.add("Mul", found, number(g, n.attrs["scale"], n.dtype))
    return found if n.attrs["keepdims"] else g.squeeze(found, [axis])
