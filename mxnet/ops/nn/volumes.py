"""Convolutions of volumes (batch, channels, depth, height, width) in float32 on the CPU.

torch gives them to oneDNN, but for single small ones: those it computes by code of its own that takes up to six times
as long, forward and backward. Here oneDNN computes them, too.
"""

from __future__ import annotations

import math

import torch
from torch._C import _get_mkldnn_enabled
from torch.nn import functional

from ..infer import Shape
from ..products import linear
from ..types import Ctx, Gradients
from .layout import for_cpu

#: torch keeps single volumes from oneDNN that have at most so many numbers, the last dimension not counted.
_SMALL = 20480


def convolve_volumes(
    data: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    stride: Shape,
    dilate: Shape,
    pad: Shape,
    groups: int,
) -> torch.Tensor:
    """The convolution in the fastest way for it."""
    data = for_cpu(data)
    if groups == 1 and data.dtype is torch.float32 and data.numel():
        kernel = weight.shape[2:]
        if max(kernel) == max(stride) == 1 and not any(pad):
            pixels = data.permute(0, 2, 3, 4, 1)
            return linear(pixels, weight.flatten(1), bias).permute(0, 4, 1, 2, 3)
        small = data.shape[0] == 1 and math.prod(data.shape[:4]) <= _SMALL
        if small and min(kernel[1:]) <= 3 and torch.backends.mkldnn.is_available() and _get_mkldnn_enabled():
            return _SingleVolume.apply(data, weight, bias, stride, dilate, pad)
    return torch.conv3d(data, weight, bias, stride, pad, dilate, groups)


class _SingleVolume(torch.autograd.Function):
    """A convolution of one volume by oneDNN, and its gradients."""

    @staticmethod
    def forward(
        ctx: Ctx,
        data: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor | None,
        stride: Shape,
        dilate: Shape,
        pad: Shape,
    ) -> torch.Tensor:
        ctx.save_for_backward(data, weight)
        ctx.window = stride, pad, dilate
        return torch.ops.aten.mkldnn_convolution(data, weight, bias, pad, stride, dilate, 1)

    @staticmethod
    def backward(ctx: Ctx, grad: torch.Tensor) -> Gradients:  # type: ignore[override]
        data, weight = ctx.saved_tensors
        wanted = ctx.needs_input_grad[:3]
        by_data = by_weight = None
        if wanted[0] or wanted[1]:
            options = grad, data, weight, *ctx.window, [wanted[0], wanted[1], False]
            if torch.is_grad_enabled():  # of gradients of gradients torch knows how
                by_data, by_weight, _ = _backward(*options)
            else:
                by_data, by_weight, _ = _backward_in_halves(*options)
        return by_data, by_weight, grad.sum((0, 2, 3, 4)) if wanted[2] else None, None, None, None


def _backward(
    grad: torch.Tensor,
    data: torch.Tensor,
    weight: torch.Tensor,
    stride: Shape,
    pad: Shape,
    dilate: Shape,
    mask: list[bool],
) -> tuple[torch.Tensor, ...]:
    call = torch.ops.aten.convolution_backward
    return call(grad, data, weight, None, stride, pad, dilate, False, (0,) * len(pad), 1, mask)


def _backward_in_halves(
    grad: torch.Tensor,
    data: torch.Tensor,
    weight: torch.Tensor,
    stride: Shape,
    pad: Shape,
    dilate: Shape,
    mask: list[bool],
) -> tuple[torch.Tensor | None, ...]:
    """The gradients of one volume as those of two: the halves of the results, and what of the data each half reads."""
    counts = grad.shape[2:]
    along = max(range(3), key=counts.__getitem__)
    axis, half = along + 2, -(-counts[along] // 2)
    step = half * stride[along]
    span = (half - 1) * stride[along] + dilate[along] * (weight.shape[axis] - 1) + 1
    size, before = data.shape[axis], pad[along]
    after = max(0, step + span - size - before)
    padded = functional.pad(data, _one_axis(along, before, after))
    both = torch.cat([padded.narrow(axis, 0, span), padded.narrow(axis, step, span)])
    grad = functional.pad(grad, _one_axis(along, 0, 2 * half - counts[along]))
    grads = for_cpu(torch.cat(grad.split(half, axis)))
    rest = tuple([0 if place == along else p for place, p in enumerate(pad)])
    by_both, by_weight, _ = _backward(grads, for_cpu(both), weight, stride, rest, dilate, mask)
    if not mask[0]:
        return None, by_weight, None
    total = torch.zeros_like(padded)
    total.narrow(axis, 0, span).add_(by_both[:1])
    total.narrow(axis, step, span).add_(by_both[1:])
    return total.narrow(axis, before, size), by_weight, None


def _one_axis(along: int, before: int, after: int) -> list[int]:
    """How far to pad one of three dimensions, in the order of ``torch.nn.functional.pad``."""
    amounts = [0] * 6
    amounts[2 * (2 - along)], amounts[2 * (2 - along) + 1] = before, after
    return amounts
