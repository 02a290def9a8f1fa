"""Winograd's convolution of images by 3x3 kernels, as a few products of matrices.

A tile of m x m results takes (m + 2)^2 products instead of 9 m^2, so that the work shrinks 2.25 times for m = 2 and
4 times for m = 4; what is left is one product of matrices for each of the (m + 2)^2 places in a tile. The
transformations are done by kernels of our own (winograd_native.py) or else as products, too (winograd_plain.py), which
takes longer. Images are channels_last.

The result differs from that of a direct convolution by rounding: about 1e-6 of the largest for m = 2, 1e-5 for m = 4.
One infinity makes a whole tile of NaN.
"""

import os
from types import ModuleType
from typing import Any

import torch

from . import winograd_native, winograd_plain
from .layout import cached
from .winograd_plain import MATRICES, tiles_of

#: ``MXNET_WINOGRAD=0`` leaves all convolutions to the direct way, for whoever wants its last bits or infinities.
_WANTED = os.environ.get("MXNET_WINOGRAD", "1") not in ("0", "false", "False")
#: A weight that is kept, in numbers, so large that more speed for few tiles would not make up for its memory.
_LARGE = 4 << 20


@cached
def tile_size(
    batch: int, channels: int, filters: int, height: int, width: int, stride: Any, pad: Any, dilate: Any, prepared: bool
) -> int:
    """The m with which a 3x3 convolution is faster than directly, or 0; ``prepared``: the weight is transformed."""
    if not _WANTED or stride != (1, 1) or pad != (1, 1) or dilate != (1, 1):
        return 0
    choose = _fastest if winograd_native.is_available() else _fastest_plain
    return choose(batch, channels, filters, height, width, prepared)


def _fastest(batch: int, channels: int, filters: int, height: int, width: int, prepared: bool) -> int:
    """The costs are in multiplications of a direct convolution, as measured with AVX-512 and one thread.

    Beside its products, a transformed number costs 9, and a number of a transformed weight as much as 20 tiles, or 63
    if it is to be made. A direct convolution takes a weight as long as 25 pixels, or 40 with its gradients.
    """
    if min(channels, filters) < 16:
        return 0
    best, least = 0, 0.95 * 9 * (batch * height * width + (25 if prepared else 40)) * channels * filters
    for m in MATRICES:
        tiles = batch * tiles_of(height, m) * tiles_of(width, m)
        places = (m + 2) ** 2
        if prepared and m > 2 and tiles < 48 and places * channels * filters > _LARGE:
            continue
        products = (1.4 * tiles + (20 if prepared else 63)) * channels * filters
        cost = places * (products + 9 * tiles * (channels + filters)) + 500_000
        if cost < least:
            best, least = m, cost
    return best if batch else 0


def _fastest_plain(batch: int, channels: int, filters: int, height: int, width: int, prepared: bool) -> int:
    """The same without our own kernels: of a transformed image 75 per number, of a transformed weight 10, and 24 for
    making it.
    """
    best, least = 0, 0.82 * 9 * batch * height * width * channels * filters
    for m in MATRICES:
        tiles = batch * tiles_of(height, m) * tiles_of(width, m)
        products = (tiles + (10 if prepared else 34)) * channels * filters
        cost = (m + 2) ** 2 * (products + 75 * tiles * (channels + filters))
        if cost < least:
            best, least = m, cost
    return best


def _way(*tensors: torch.Tensor | None) -> ModuleType:
    """How to convolve these: our own kernels take float32 on the CPU."""
    if any(t is not None and (t.dtype is not torch.float32 or not t.is_cpu) for t in tensors):
        return winograd_plain
    return winograd_native if winograd_native.is_available() else winograd_plain


def transformed_weight(weight: torch.Tensor, m: int) -> torch.Tensor:
    """The weight (filters, channels, 3, 3) for ``convolve``, to be kept: ((m + 2)^2, channels, filters)."""
    return _way(weight).transform_weight(weight, m, True)


def convolve(
    data: torch.Tensor,
    weight: torch.Tensor,
    m: int,
    bias: torch.Tensor | None = None,
    other: torch.Tensor | None = None,
    relu: bool = False,
    overwrite: bool = False,
) -> torch.Tensor:
    """Convolves (batch, channels, height, width) with a transformed weight, stride 1, pad 1, into channels_last.

    ``other`` is added to the result, and may be overwritten by it; then ``relu`` cuts what is negative.
    """
    batch, channels, height, width = data.shape
    filters = weight.shape[2]
    shape = batch, filters, height, width
    if weight.shape[:2] != ((m + 2) ** 2, channels):
        raise ValueError(f"weight {tuple(weight.shape)} is not one of {channels} channels for m = {m}")
    if bias is not None and bias.shape != (filters,):
        raise ValueError(f"bias must be one of {filters} filters, got {tuple(bias.shape)}")
    if other is not None and other.shape != shape:
        raise ValueError(f"the other summand must have shape {shape}, got {tuple(other.shape)}")
    way = _way(data, weight, bias, other)
    images = data.permute(0, 2, 3, 1).contiguous()
    summand = None if other is None else other.permute(0, 2, 3, 1).contiguous()
    if overwrite and other is not None and other.is_contiguous(memory_format=torch.channels_last):
        result = other
    else:
        # Not a view of something else, which autograd would not let a following relu overwrite.
        result = torch.empty(shape, memory_format=torch.channels_last)
    pixels = result.permute(0, 2, 3, 1)
    bias = None if bias is None else bias.contiguous()
    if weight.stride()[1:] != (filters, 1):
        weight = weight.contiguous()
    if images.numel():
        way.convolve(images, weight, m, bias, summand, relu, pixels)
    return result


def _by_data(grad: torch.Tensor, weight: torch.Tensor, m: int) -> torch.Tensor:
    """The gradient of the data: a convolution with the weight turned round."""
    return convolve(grad, _way(weight).transform_turned(weight, m), m)


def _by_weight(grad: torch.Tensor, data: torch.Tensor, m: int) -> torch.Tensor:
    """The gradient of the weight (filters, channels, 3, 3)."""
    way = _way(grad, data)
    images, grads = data.permute(0, 2, 3, 1).contiguous(), grad.permute(0, 2, 3, 1).contiguous()
    return way.by_weight(images, grads, m)


class Winograd(torch.autograd.Function):
    """A convolution of channels_last float32 images on the CPU by tiles of m x m, with its gradients."""

    @staticmethod
    def forward(ctx: Any, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, m: int) -> torch.Tensor:
        ctx.save_for_backward(data, weight)
        ctx.m = m
        return convolve(data, _way(weight).transform_weight(weight, m), m, bias)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:  # type: ignore[override]
        data, weight = ctx.saved_tensors
        wanted = ctx.needs_input_grad
        if torch.is_grad_enabled():  # gradients of gradients: torch knows how to
            options = (1, 1), (1, 1), (1, 1), False, (0, 0), 1
            bias = [weight.shape[0]] if wanted[2] else None
            return *torch.ops.aten.convolution_backward(grad, data, weight, bias, *options, wanted[:3]), None
        by_data = _by_data(grad, weight, ctx.m) if wanted[0] else None
        by_weight = _by_weight(grad, data, ctx.m) if wanted[1] else None
        return by_data, by_weight, grad.sum((0, 2, 3)) if wanted[2] else None, None
