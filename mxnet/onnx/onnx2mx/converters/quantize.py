"""Numbers in 8 bits: converted to and from floating ones."""

from __future__ import annotations

import torch

from ....error import MXNetNotImplementedError
from ..graph import Builder, OnnxNode, Value, importer


def _along(b: Builder, n: OnnxNode, value: Value) -> Value:
    """A scale or zero point for each slice along an axis, so that it broadcasts."""
    if value.ndim == 0 or value.trials[0].numel() == 1:
        return value
    if value.ndim != 1 or n.get("block_size", 0):
        raise MXNetNotImplementedError("scales for blocks")
    axis = n.get("axis", 1) % n.x.ndim
    return b.reshape(value, [(s[0], *[1] * (n.x.ndim - axis - 1)) for s in value.shapes])


@importer("DequantizeLinear")
def dequantize(b: Builder, n: OnnxNode) -> Value:
    scale = n.need(1)
    x = b.cast(n.x, scale.dtype)
    zero = n.optional(2)
    if zero is not None:
        x = b.binary("broadcast_sub", x, _along(b, n, b.cast(zero, scale.dtype)))
    return b.binary("broadcast_mul", x, _along(b, n, scale))


@importer("QuantizeLinear")
def quantize(b: Builder, n: OnnxNode) -> Value:
    from .elementwise import round_even

    scale, zero = n.need(1), n.optional(2)
    dtype = torch.uint8 if zero is None else zero.dtype
    if dtype not in (torch.uint8, torch.int8) or n.get("output_dtype", 0):
        raise MXNetNotImplementedError("types other than int8 and uint8")
    x = b.binary("broadcast_div", b.cast(n.x, scale.dtype), _along(b, n, scale))
    x = round_even(b, OnnxNode("Round", n.name, {}, [x], n.outputs, n.opset))
    if zero is not None:
        x = b.binary("broadcast_add", x, _along(b, n, b.cast(zero, x.dtype)))
    limits = torch.iinfo(dtype)
    return b.cast(b.call("clip", x, a_min=limits.min, a_max=limits.max), dtype)


@importer("MatMulInteger")
def matmul_integer(b: Builder, n: OnnxNode) -> Value:
    from .nn import matmul

    parts = []
    for i in (0, 1):
        value = b.cast(n.need(i), torch.float64)
        zero = n.optional(i + 2)
        if zero is not None:
            if zero.trials[0].numel() > 1:
                raise MXNetNotImplementedError("zero points for rows or columns")
            value = b.binary("broadcast_sub", value, b.cast(zero, torch.float64))
        parts.append(value)
    return b.cast(matmul(b, *parts), torch.int32)
