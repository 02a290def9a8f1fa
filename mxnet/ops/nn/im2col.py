"""Convolutions and transposed ones as products of matrices: for those with many weights and few pixels.

The windows of all images are the rows of a matrix (im2col). Its product with the weight is the convolution; a gradient
of data, or a transposed convolution, adds the columns of such a product up where the windows lie (col2im).

oneDNN reads and reorders such weights in each call of a direct convolution, which takes 1.3 to 3 times as long.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import torch
from torch.nn import functional

from ..infer import Shape
from ..products import linear, mm
from ..types import Ctx, Gradients
from .layout import memoize, no_view

#: Stride, pad and dilate, a number per dimension each.
Window = tuple[Shape, Shape, Shape]


@memoize
def has_few_pixels(pixels: int, weight: Shape, transposed: bool) -> bool:
    """Are products faster for the convolution and both gradients, with so many results per filter? As measured.

    From a million weights on, and up to 1.3 (transposed: 4) million multiplications for each channel of a filter.
    """
    numbers = math.prod(weight)
    return min(weight[:2]) >= 64 and numbers >= 3 << 18 and 0 < pixels <= numbers // (2000 if transposed else 7000)


@memoize
def has_few_channels(pixels: int, weight: Shape) -> bool:
    """Is a product faster for the transposed convolution only? oneDNN leaves its vectors empty for colors."""
    filters, channels, *kernel = weight
    return channels <= 4 and 32 <= filters <= 256 and 9 <= math.prod(kernel) <= 49 and pixels >= 4096


def _by_pixel(data: torch.Tensor) -> torch.Tensor:
    """(batch, *sizes, channels) of (batch, channels, *sizes)."""
    return data.movedim(1, -1).contiguous()


def _is_weight_reordered(pixels: int, weight: Shape) -> bool:
    """Which of both is brought into the order of the other: the weight, of channels first, or the windows?"""
    return pixels >= weight[0]


def _weight_matrix(weight: torch.Tensor, pixels: int) -> torch.Tensor:
    """The weight (filters, channels, *kernel) as a matrix with a row per filter."""
    if _is_weight_reordered(pixels, weight.shape):
        weight = weight.movedim(1, -1)
    return weight.reshape(weight.shape[0], -1)


def _windows(data: torch.Tensor, weight: Shape, sizes: Shape, window: Window) -> torch.Tensor:
    """A row per window of the data, a column per weight of a filter."""
    stride, pad, dilate = window
    _, channels, *kernel = weight
    images = data.movedim(1, -1)
    if any(pad):
        images = functional.pad(images, (0, 0, *[p for p in reversed(pad) for _ in range(2)]))
    images = images.contiguous()
    first, *steps, _ = images.stride()
    places = [n * s for n, s in zip(steps, stride, strict=True)]
    taps = [n * d for n, d in zip(steps, dilate, strict=True)]
    windows = images.as_strided((data.shape[0], *sizes, *kernel, channels), (first, *places, *taps, 1))
    pixels = data.shape[0] * math.prod(sizes)
    if not _is_weight_reordered(pixels, weight):
        windows = windows.movedim(-1, len(sizes) + 1)
    return windows.reshape(pixels, -1)


def _convolve(
    data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, sizes: Shape, window: Window
) -> torch.Tensor:
    """The convolution of data into results of these sizes."""
    rows = _windows(data, weight.shape, sizes, window)
    result = linear(rows, _weight_matrix(weight, rows.shape[0]), bias)
    return result.view(data.shape[0], *sizes, -1).movedim(-1, 1)


def _transpose(data: torch.Tensor, weight: torch.Tensor, sizes: Shape, window: Window) -> torch.Tensor:
    """The transposed convolution of data into results of these sizes."""
    stride, pad, dilate = window
    batch, filters, *counts = data.shape
    _, channels, *kernel = weight.shape
    pixels = batch * math.prod(counts)
    columns = mm(_by_pixel(data).view(pixels, filters), _weight_matrix(weight, pixels))
    if _is_weight_reordered(pixels, weight.shape):
        columns = columns.view(batch, *counts, *kernel, channels)
    else:
        columns = columns.view(batch, *counts, channels, *kernel).movedim(len(counts) + 1, -1)
    result = data.new_zeros((batch, *sizes, channels))
    for tap in itertools.product(*map(range, kernel)):
        rows = zip(counts, sizes, tap, stride, pad, dilate, strict=True)
        spans = [_span(count, size, s, d * t - p) for count, size, t, s, p, d in rows]
        if all(spans):
            source: tuple[Any, ...] = (slice(None), *[slice(first, end) for first, end, _ in spans], *tap)
            target: tuple[Any, ...] = (slice(None), *[place for _, _, place in spans])
            result[target] += columns[source]
    return result.movedim(-1, 1)


def _span(count: int, size: int, stride: int, offset: int) -> tuple[Any, ...]:
    """Which of the windows have a tap at ``offset`` inside of the data: from where to where, and at which places."""
    first = max(0, -(offset // stride))
    end = min(count, (size - 1 - offset) // stride + 1)
    if first >= end:
        return ()
    return first, end, slice(first * stride + offset, (end - 1) * stride + offset + 1, stride)


def _by_weight(grad: torch.Tensor, data: torch.Tensor, weight: Shape, window: Window) -> torch.Tensor:
    """The gradient of a convolution's weight."""
    filters, channels, *kernel = weight
    rows = _windows(data, weight, tuple(grad.shape[2:]), window)
    product = mm(_by_pixel(grad).view(-1, filters).t(), rows)
    if _is_weight_reordered(rows.shape[0], weight):
        return product.view(filters, *kernel, channels).movedim(-1, 1).contiguous()
    return product.view(weight)


class Convolve(torch.autograd.Function):
    """A convolution without groups of float32 on the CPU, or a transposed one, with its gradients.

    The weight is (filters, channels, *kernel), for a transposed one that of the convolution whose gradient it is.
    Unless there are few pixels, only what transposes is a product, the rest is PyTorch's.
    """

    @staticmethod
    def forward(
        ctx: Ctx,
        data: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor | None,
        sizes: Shape,
        window: Window,
        transposed: bool,
        adj: Shape,
        few_pixels: bool,
    ) -> torch.Tensor:
        ctx.save_for_backward(data, weight)
        ctx.options = window, transposed, adj, few_pixels
        if transposed:
            result = _transpose(data, weight, sizes, window)
            return no_view(result if bias is None else result.add_(bias.view(-1, *[1] * len(sizes))))
        if few_pixels:
            return no_view(_convolve(data, weight, bias, sizes, window))
        return torch.ops.aten.convolution(data, weight, bias, *window, False, adj, 1)

    @staticmethod
    def backward(ctx: Ctx, grad: torch.Tensor) -> Gradients:  # type: ignore[override]
        data, weight = ctx.saved_tensors
        window, transposed, adj, few_pixels = ctx.options
        wanted, sizes = list(ctx.needs_input_grad[:3]), tuple(data.shape[2:])
        found: list[torch.Tensor | None] = [None] * 3
        if not torch.is_grad_enabled():  # gradients of gradients: PyTorch knows how to
            if wanted[0] and not transposed:
                found[0], wanted[0] = _transpose(grad, weight, sizes, window), False
            if few_pixels and wanted[0]:
                found[0], wanted[0] = _convolve(grad, weight, None, sizes, window), False
            if few_pixels and wanted[1]:
                small, large = (data, grad) if transposed else (grad, data)
                found[1], wanted[1] = _by_weight(small, large, weight.shape, window), False
        if wanted[2]:
            found[2] = grad.sum((0, *range(2, grad.dim())))
        if wanted[0] or wanted[1]:
            options = *window, transposed, adj, 1, (wanted[0], wanted[1], False)
            rest = torch.ops.aten.convolution_backward(grad, data, weight, None, *options)
            found[:2] = [mine if mine is not None else other for mine, other in zip(found[:2], rest[:2], strict=True)]
        return *found, None, None, None, None, None
