"""Sums of products of 8-bit integers, exact: what quantized layers compute before anything is scaled."""

from __future__ import annotations

import math

import torch

Tensor = torch.Tensor
#: float32 holds all integers up to here, so that sums below it are exact in any order.
_EXACT = 1 << 24
_CONVOLVE = {1: torch.conv1d, 2: torch.conv2d, 3: torch.conv3d}
_GREATEST = {torch.int8: 128, torch.uint8: 255}


def _as_int32(values: Tensor) -> Tensor:
    return values.to(torch.int64).to(torch.int32) if values.dtype is torch.float64 else values.to(torch.int32)


def product(data: Tensor, weight: Tensor) -> Tensor:
    """``data @ weight.T`` of 8-bit integers as int32."""
    if weight.shape[1] * _GREATEST[data.dtype] * 128 < _EXACT:
        return torch.nn.functional.linear(data.to(torch.float32), weight.to(torch.float32)).to(torch.int32)
    return _as_int32(torch.nn.functional.linear(data.to(torch.float64), weight.to(torch.float64)))


def convolution(
    data: Tensor,
    weight: Tensor,
    stride: tuple[int, ...],
    pad: tuple[int, ...],
    dilate: tuple[int, ...],
    groups: int,
) -> Tensor:
    """The convolution of 8-bit integers as int32; channels are axis 1."""
    convolve = _CONVOLVE[data.dim() - 2]
    taps = math.prod(weight.shape[2:])
    chunk = max((_EXACT - 1) // (_GREATEST[data.dtype] * 128 * taps), 0)
    channels = weight.shape[1]
    if channels <= chunk:
        found = convolve(data.to(torch.float32), weight.to(torch.float32), None, stride, pad, dilate, groups)
        return found.to(torch.int32)
    if groups > 1 or not chunk:
        found = convolve(data.to(torch.float64), weight.to(torch.float64), None, stride, pad, dilate, groups)
        return _as_int32(found)
    total: Tensor | None = None
    for first in range(0, channels, chunk):
        part = slice(first, first + chunk)
        found = convolve(
            data[:, part].to(torch.float32), weight[:, part].to(torch.float32), None, stride, pad, dilate
        ).to(torch.int32)
        total = found if total is None else total.add_(found)
    assert total is not None
    return total
