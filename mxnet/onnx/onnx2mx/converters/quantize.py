"""Numbers in 8 bits: converted to and from floating ones."""

from __future__ import annotations

import torch

from ....error import MXNetNotImplementedError
from ..graph import Builder, OnnxNode, Value, importer
from .elementwise import round_even
from .nn import convolve, matmul


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
    scale, zero = n.need(1), n.optional(2)
    dtype = torch.uint8 if zero is None else zero.dtype
    if dtype not in (torch.uint8, torch.int8) or n.get("output_dtype", 0):
        raise MXNetNotImplementedError("types other than int8 and uint8")
    x = b.binary("broadcast_div", b.cast(n.x, scale.dtype), _along(b, n, scale))
    return _saturate(b, n, x, None if zero is None else _along(b, n, b.cast(zero, x.dtype)), dtype)


def _saturate(b: Builder, n: OnnxNode, x: Value, zero: Value | None, dtype: torch.dtype) -> Value:
    """Rounded, moved by the zero point, and cut to what 8 bits hold."""
    x = round_even(b, OnnxNode("Round", n.name, {}, [x], n.outputs, n.opset))
    if zero is not None:
        x = b.binary("broadcast_add", x, zero)
    limits = torch.iinfo(dtype)
    return b.cast(b.call("clip", x, a_min=limits.min, a_max=limits.max), dtype)


def _exact(b: Builder, value: Value, zero: Value | None, axis: int) -> Value:
    """The value less its zero point, or those along an axis, in float64, which holds all sums of products exactly."""
    value = b.cast(value, torch.float64)
    if zero is None:
        return value
    return b.binary("broadcast_sub", value, _spread(b, b.cast(zero, torch.float64), value.ndim, axis))


def _spread(b: Builder, numbers: Value, ndim: int, axis: int) -> Value:
    """One number, or one for each slice along an axis, so that it broadcasts."""
    if numbers.ndim > 1:
        return numbers
    if numbers.trials[0].numel() == 1:
        return b.reshape(numbers, [(1,) * ndim] * b.trials)
    return b.reshape(numbers, [(s[0], *[1] * (ndim - 1 - axis % ndim)) for s in numbers.shapes])


@importer("MatMulInteger")
def matmul_integer(b: Builder, n: OnnxNode) -> Value:
    left = _exact(b, n.need(0), n.optional(2), -2)
    return b.cast(matmul(b, left, _exact(b, n.need(1), n.optional(3), -1)), torch.int32)


@importer("ConvInteger")
def conv_integer(b: Builder, n: OnnxNode) -> Value:
    x, weight = _exact(b, n.need(0), n.optional(2), 1), _exact(b, n.need(1), n.optional(3), 0)
    return b.cast(convolve(b, n, x, weight, None), torch.int32)


def _requantize(b: Builder, n: OnnxNode, total: Value, parts: list[Value], last: int) -> Value:
    """What was summed in whole numbers, by the scales of both factors and of the result."""
    scale, zero = b.cast(n.need(last), torch.float64), n.need(last + 1)
    factor = b.binary("broadcast_div", b.binary("broadcast_mul", parts[0], parts[1]), _spread(b, scale, total.ndim, -1))
    made = b.binary("broadcast_mul", total, factor)
    return _saturate(b, n, made, _spread(b, b.cast(zero, torch.float64), total.ndim, -1), zero.dtype)


@importer("QLinearMatMul")
def linear_matmul(b: Builder, n: OnnxNode) -> Value:
    left, right = _exact(b, n.need(0), n.need(2), -2), _exact(b, n.need(3), n.need(5), -1)
    total = matmul(b, left, right)
    scales = [_spread(b, b.cast(n.need(i), torch.float64), total.ndim, axis) for i, axis in ((1, -2), (4, -1))]
    return _requantize(b, n, total, scales, 6)


@importer("QLinearConv")
def linear_conv(b: Builder, n: OnnxNode) -> Value:
    bias = n.optional(8)
    total = convolve(b, n, _exact(b, n.need(0), n.need(2), 1), _exact(b, n.need(3), n.need(5), 0),
                      None if bias is None else b.cast(bias, torch.float64))  # fmt: skip
    scales = [_spread(b, b.cast(n.need(i), torch.float64), total.ndim, 1) for i in (1, 4)]
    return _requantize(b, n, total, scales, 6)
