"""Normalization."""

from __future__ import annotations

from math import prod

import torch

from ....error import MXNetNotImplementedError
from ..graph import Builder, OnnxNode, Value, importer
from .reduce import reduce


@importer("BatchNormalization", "SpatialBN")
def batch_norm(b: Builder, n: OnnxNode) -> Value:
    if n.get("training_mode", 0) or (len(n.outputs) > 1 and any(n.outputs[1:])):
        raise MXNetNotImplementedError("batch norm in training")
    x, *rest = (n.need(i) for i in range(5))
    parts = [b.cast(v, torch.promote_types(x.dtype, torch.float32)) for v in rest]  # also of half precision
    return b.call("BatchNorm", x, *parts, eps=n.get("epsilon", 1e-5), momentum=n.get("momentum", 0.9), fix_gamma=False)


@importer("InstanceNormalization")
def instance_norm(b: Builder, n: OnnxNode) -> Value:
    return b.call("InstanceNorm", n.x, n.need(1), n.need(2), eps=n.get("epsilon", 1e-5))


@importer("LayerNormalization")
def layer_norm(b: Builder, n: OnnxNode) -> list[Value]:
    x, gamma = n.x, n.need(1)
    axis = n.get("axis", -1) % x.ndim
    eps = n.get("epsilon", 1e-5)
    beta = n.optional(2) or b.call("zeros_like", gamma)
    wants = len(n.outputs) > 1 and any(n.outputs[1:])
    if axis == x.ndim - 1 and gamma.ndim == 1 and not wants:
        return [b.call("LayerNorm", x, gamma, beta, axis=-1, eps=eps)]
    axes = list(range(axis, x.ndim))
    mean = reduce(b, "mean", x, axes, True)
    centered = b.binary("broadcast_sub", x, mean)
    variance = reduce(b, "mean", b.call("square", centered), axes, True)
    scale = b.call("rsqrt", b.call("_plus_scalar", variance, scalar=eps))
    normal = b.binary("broadcast_mul", centered, scale)
    return [b.binary("broadcast_add", b.binary("broadcast_mul", normal, gamma), beta), mean, scale]


@importer("RMSNormalization")
def rms_norm(b: Builder, n: OnnxNode) -> Value:
    axes = list(range(n.get("axis", -1) % n.x.ndim, n.x.ndim))
    mean = reduce(b, "mean", b.call("square", n.x), axes, True)
    scale = b.call("rsqrt", b.call("_plus_scalar", mean, scalar=n.get("epsilon", 1e-5)))
    return b.binary("broadcast_mul", b.binary("broadcast_mul", n.x, scale), n.need(1))


@importer("GroupNormalization")
def group_norm(b: Builder, n: OnnxNode) -> Value:
    x, gamma, beta = n.x, n.need(1), n.need(2)
    groups = n.attrs["num_groups"]
    grouped = b.reshape(x, [(s[0], groups, prod(s[1:]) // groups) for s in x.shapes])
    mean = reduce(b, "mean", grouped, [2], True)
    centered = b.binary("broadcast_sub", grouped, mean)
    variance = reduce(b, "mean", b.call("square", centered), [2], True)
    normal = b.binary(
        "broadcast_mul", centered, b.call("rsqrt", b.call("_plus_scalar", variance, scalar=n.get("epsilon", 1e-5)))
    )
    if n.opset < 21:  # one number for each group
        lifted = [b.reshape(v, [(1, groups, 1)] * b.trials) for v in (gamma, beta)]
        return b.reshape(b.binary("broadcast_add", b.binary("broadcast_mul", normal, lifted[0]), lifted[1]), x.shapes)
    column = [(1, x.shape[1], *[1] * (x.ndim - 2))] * b.trials
    back = b.binary("broadcast_mul", b.reshape(normal, x.shapes), b.reshape(gamma, column))
    return b.binary("broadcast_add", back, b.reshape(beta, column))


@importer("MeanVarianceNormalization")
def mean_variance(b: Builder, n: OnnxNode) -> Value:
    axes = [a % n.x.ndim for a in n.get("axes", [0, 2, 3])]
    centered = b.binary("broadcast_sub", n.x, reduce(b, "mean", n.x, axes, True))
    deviation = b.call("sqrt", reduce(b, "mean", b.call("square", centered), axes, True))
    return b.binary("broadcast_div", centered, b.call("_plus_scalar", deviation, scalar=1e-9))


@importer("LpNormalization")
def lp_norm(b: Builder, n: OnnxNode) -> Value:
    axis = n.get("axis", -1) % n.x.ndim
    size = reduce(b, "norm", n.x, [axis], True, ord=n.get("p", 2))
    none = b.call("_equal_scalar", size, scalar=0.0)  # what has no length stays unchanged
    return b.binary("broadcast_div", n.x, b.binary("broadcast_add", size, none))


@importer("LRN")
def lrn(b: Builder, n: OnnxNode) -> Value:
    if n.attrs["size"] % 2 == 0:
        raise MXNetNotImplementedError("an even number of neighbors")
    return b.call("LRN", n.x, alpha=n.get("alpha", 1e-4), beta=n.get("beta", 0.75), knorm=n.get("bias", 1.0),
                  nsize=n.attrs["size"])  # fmt: skip
