"""Deformable convolution: a convolution whose taps are moved by learned offsets (Dai et al. 2017, Zhu et al. 2018)."""

from typing import Any, Literal

import torch

from ..infer import unify
from ..nn.layout import window_counts, window_of
from ..params import Count
from ..registry import op
from ..support import check_same_dtype
from ..types import Keywords
from .roi import weighted_sum

Tensor = torch.Tensor
_LAYOUTS = Literal["NCDHW", "NCHW", "NCW"]


def _pair(values: tuple[int, ...], default: int, name: str) -> tuple[int, int]:
    if not values:
        return default, default
    if len(values) != 2:
        raise ValueError(f"{name} must be two numbers (height, width), got {values}")
    return values[0], values[1]


def _geometry(shape: Any, kernel: Any, stride: Any, dilate: Any, pad: Any) -> tuple[tuple[int, int], ...]:
    kernel, pad = _pair(kernel, 1, "kernel"), _pair(pad, 0, "pad")
    stride, dilate = _pair(stride, 1, "stride"), _pair(dilate, 1, "dilate")
    if min(*kernel, *stride, *dilate) < 1 or min(pad) < 0:
        raise ValueError("kernel, stride and dilate must be positive, pad must not be negative")
    size = window_counts(shape, kernel, stride, pad, dilate)
    if min(size) < 1:
        raise ValueError(f"the kernel {kernel} is larger than the padded data")
    return kernel, stride, dilate, pad, (size[0], size[1])


def _clamp_to_edges(y: Tensor, x: Tensor, height: int, width: int) -> tuple[Tensor, Tensor]:
    """Pixels around points; beyond the last row or column its value holds, before the first there is nothing."""
    inside = (y >= 0) & (x >= 0) & (y < height) & (x < width)
    top, left = y.detach().floor().clamp(0, height - 1), x.detach().floor().clamp(0, width - 1)
    last_row, last_column = top >= height - 1, left >= width - 1
    down, right = (y - top).masked_fill(last_row, 0), (x - left).masked_fill(last_column, 0)
    down, right = down.masked_fill(~inside, 0), right.masked_fill(~inside, 0)
    rows = torch.stack((top, (top + 1).clamp(max=height - 1)), -1).long() * width
    columns = torch.stack((left, (left + 1).clamp(max=width - 1)), -1).long()
    weight = _products(down, right) * inside[..., None, None]
    return (rows.unsqueeze(-1) + columns.unsqueeze(-2)).flatten(-2), weight.flatten(-2)


def _zeros_outside(y: Tensor, x: Tensor, height: int, width: int) -> tuple[Tensor, Tensor]:
    """Pixels around points, where all outside of the map is zero."""
    top, left = y.detach().floor(), x.detach().floor()
    rows, columns = torch.stack((top, top + 1), -1), torch.stack((left, left + 1), -1)
    exists = ((rows >= 0) & (rows < height)).unsqueeze(-1) & ((columns >= 0) & (columns < width)).unsqueeze(-2)
    index = rows.clamp(0, height - 1).long().unsqueeze(-1) * width + columns.clamp(0, width - 1).long().unsqueeze(-2)
    return index.flatten(-2), (_products(y - top, x - left) * exists).flatten(-2)


def _products(down: Tensor, right: Tensor) -> Tensor:
    vertical, horizontal = torch.stack((1 - down, down), -1), torch.stack((1 - right, right), -1)
    return vertical.unsqueeze(-1) * horizontal.unsqueeze(-2)


def _check_shapes(
    data: Tensor,
    offset: Tensor,
    mask: Tensor | None,
    weight: Tensor,
    sizes: tuple[tuple[int, int], tuple[int, int]],
    counts: tuple[int, int, int],
) -> None:
    """Checks the inputs: ``sizes`` of kernel and result, ``counts`` of filters, groups and offset groups."""
    (batch, channels), (kernel, size), (filters, groups, parts) = data.shape[:2], sizes, counts
    if min(filters, groups, parts) < 1 or channels % groups or filters % groups or channels % parts:
        raise ValueError("channels and num_filter must be multiples of num_group, channels of num_deformable_group")
    taps = kernel[0] * kernel[1]
    if offset.shape != (batch, 2 * parts * taps, *size):
        raise ValueError(f"offset must have shape {(batch, 2 * parts * taps, *size)}")
    if mask is not None and mask.shape != (batch, parts * taps, *size):
        raise ValueError(f"mask must have shape {(batch, parts * taps, *size)}")
    if weight.shape != (filters, channels // groups, *kernel):
        raise ValueError(f"weight must have shape {(filters, channels // groups, *kernel)}")


def _convolve(
    data: Tensor,
    offset: Tensor,
    mask: Tensor | None,
    weight: Tensor,
    bias: Tensor | None,
    *,
    kernel: tuple[int, ...],
    stride: tuple[int, ...] = (),
    dilate: tuple[int, ...] = (),
    pad: tuple[int, ...] = (),
    num_filter: Count,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    layout: _LAYOUTS | None = None,
) -> Tensor:
    check_same_dtype(*(t for t in (data, offset, mask, weight, bias) if t is not None))
    if data.dim() != 4:
        raise ValueError("data must have four dimensions (batch, channel, height, width)")
    if layout not in (None, "NCHW"):
        raise ValueError(f"layout must be NCHW, got {layout}")
    batch, channels, height, width = data.shape
    kernel, stride, dilate, pad, size = _geometry((height, width), kernel, stride, dilate, pad)
    filters, groups, parts = num_filter, num_group, num_deformable_group
    _check_shapes(data, offset, mask, weight, (kernel, size), (filters, groups, parts))
    taps = kernel[0] * kernel[1]
    if no_bias:
        bias = None
    elif bias is None or bias.shape != (filters,):
        raise ValueError(f"bias must have shape {(filters,)}, unless no_bias is set")
    if data.is_meta:
        return data.new_empty((batch, filters, *size))
    kind = torch.float64 if data.dtype is torch.float64 else torch.float32

    def start(axis: int) -> Tensor:
        tap = torch.arange(kernel[axis], dtype=kind, device=data.device) * dilate[axis] - pad[axis]
        cell = torch.arange(size[axis], dtype=kind, device=data.device) * stride[axis]
        return tap[:, None] + cell

    moves = offset.to(kind).reshape(batch, parts, *kernel, 2, *size)
    y = moves[:, :, :, :, 0] + start(0)[:, None, :, None]
    x = moves[:, :, :, :, 1] + start(1)[None, :, None, :]
    index, share = (_clamp_to_edges if mask is None else _zeros_outside)(y, x, height, width)
    if mask is not None:
        share = share * mask.to(kind).reshape(batch, parts, *kernel, *size).unsqueeze(-1)
    maps = torch.arange(batch * parts, device=data.device).view(batch, parts, 1, 1, 1, 1, 1)
    index = (index + maps * (height * width)).reshape(-1, 4)
    table = data.reshape(batch, parts, channels // parts, height * width).transpose(2, 3).reshape(-1, channels // parts)
    columns = weighted_sum(table, index, share.reshape(-1, 4))
    columns = columns.reshape(batch, parts, taps, size[0] * size[1], channels // parts)
    columns = columns.permute(0, 1, 4, 2, 3).reshape(batch, groups, channels // groups * taps, -1)
    result = torch.matmul(weight.reshape(1, groups, filters // groups, -1), columns).reshape(batch, filters, *size)
    return result if bias is None else result + bias[:, None, None]


def _shapes(shapes: Keywords, attrs: Any) -> None:
    data = shapes["data"]
    filters, groups = attrs["num_filter"], attrs["num_group"]
    if "bias" in shapes:
        shapes["bias"] = unify(shapes["bias"], (filters,), "bias")
    if data is None or len(data) != 4:
        return
    kernel = _pair(attrs["kernel"], 1, "kernel")
    if data[1]:
        shapes["weight"] = unify(shapes["weight"], (filters, data[1] // groups, *kernel), "weight")
    if data[2] and data[3]:
        *_, size = _geometry(data[2:], kernel, *(attrs[name] for name in ("stride", "dilate", "pad")))
        points = attrs["num_deformable_group"] * kernel[0] * kernel[1]
        shapes["offset"] = unify(shapes["offset"], (data[0], 2 * points, *size), "offset")
        if "mask" in shapes:
            shapes["mask"] = unify(shapes["mask"], (data[0], points, *size), "mask")


def _inputs(*names: str) -> Any:
    return lambda attrs: names if attrs["no_bias"] else (*names, "bias")


@op("_contrib_DeformableConvolution", like=_convolve, active=_inputs("data", "offset", "weight"))
def deformable_convolution(
    data: Tensor, offset: Tensor, weight: Tensor, bias: Tensor | None = None, **attrs: Any
) -> Tensor:
    """A 2-D convolution that reads each tap at a place moved by ``offset``, with bilinear interpolation.

    ``offset`` has shape (batch, num_deformable_group * kernel[0] * kernel[1] * 2, out_height, out_width), y before x.
    ``num_deformable_group`` parts of the channels have offsets of their own. ``workspace`` is accepted and not used.
    """
    return _convolve(data, offset, None, weight, bias, **attrs)


@op("_contrib_ModulatedDeformableConvolution", like=_convolve, active=_inputs("data", "offset", "mask", "weight"))
def modulated_deformable_convolution(
    data: Tensor,
    offset: Tensor,
    mask: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    im2col_step: int = 64,
    layout: _LAYOUTS | None = None,
    **attrs: Any,
) -> Tensor:
    """A deformable convolution whose taps are also multiplied by ``mask``.

    ``mask`` has shape (batch, num_deformable_group * kernel[0] * kernel[1], out_height, out_width). ``workspace`` and
    ``im2col_step`` are accepted and not used.
    """
    return _convolve(data, offset, mask, weight, bias, layout=layout, **attrs)


deformable_convolution.check(window_of((2,)))
modulated_deformable_convolution.check(window_of((2,)))
deformable_convolution.infer_args(_shapes)
modulated_deformable_convolution.infer_args(_shapes)
