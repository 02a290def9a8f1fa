"""Resizing of feature maps: bilinear interpolation and adaptive average pooling."""

from typing import Literal

import torch
from torch.nn import functional

from ..params import AnyAxes, Count
from ..registry import op
from ..support import without_data
from ..types import Attrs

Tensor = torch.Tensor
_MODES = Literal["size", "odd_scale", "like", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up"]


def _check_map(data: Tensor) -> None:
    if data.dim() != 4:
        raise ValueError("data must have four dimensions (batch, channel, height, width)")
    if not data.is_floating_point():
        raise TypeError("data must have a floating dtype")


@op("_contrib_AdaptiveAvgPooling2D")
def adaptive_avg_pooling_2d(data: Tensor, *, output_size: AnyAxes = ()) -> Tensor:
    """Averages (batch, channel, height, width) data over a grid of ``output_size``: a number or (height, width)."""
    _check_map(data)
    if len(output_size) > 2 or any(n < 0 for n in output_size):
        raise ValueError("output_size must be one number or (height, width)")
    height, width = (1, 1) if not output_size else (output_size[0], output_size[-1])
    if data.is_meta:
        return without_data(data, (*data.shape[:2], height, width))
    return functional.adaptive_avg_pool2d(data, (height, width))


def _size(length: int, mode: str, size: int, scale: float | None) -> int:
    """The new length of one side."""
    if mode == "odd_scale":
        if scale is None:
            raise ValueError("mode 'odd_scale' needs scale_height and scale_width")
        return int(length * scale) if length % 2 == 0 else int((length - 1) * scale) + 1
    if mode == "size":
        return size if scale is None else int(length * scale)
    wanted = 0 if "even" in mode else 1
    return length if length % 2 == wanted else length + (1 if mode.endswith("up") else -1)


def _inputs(attrs: Attrs) -> tuple[str, ...]:
    return ("data", "like") if attrs["mode"] == "like" else ("data",)


@op("_contrib_BilinearResize2D", active=_inputs)
def bilinear_resize_2d(
    data: Tensor,
    like: Tensor | None = None,
    *,
    height: Count = 1,
    width: Count = 1,
    scale_height: float | None = None,
    scale_width: float | None = None,
    mode: _MODES = "size",
    align_corners: bool = True,
) -> Tensor:
    """Resizes (batch, channel, height, width) data by bilinear interpolation.

    ``mode`` says to what size: ``size`` (``height`` and ``width``, or the scales if both are given), ``odd_scale`` (by
    the scales, an odd side keeps its ends), ``like`` (that of the second input), or to the next even or odd number.
    """
    _check_map(data)
    rows, columns = data.shape[2:]
    if mode == "like":
        if like is None:
            raise ValueError("mode 'like' needs a second input")
        if like.dim() != 4:
            raise ValueError("like must have four dimensions")
        new_rows, new_columns = like.shape[2:]
    else:
        if (scale_height is None) != (scale_width is None):
            raise ValueError("scale_height and scale_width must be given together")
        new_rows = _size(rows, mode, height, scale_height)
        new_columns = _size(columns, mode, width, scale_width)
    if 0 in (rows, columns):
        raise ValueError("data has no pixels")
    if data.is_meta or not (new_rows and new_columns and data.numel()):
        return data.new_zeros((*data.shape[:2], new_rows, new_columns))
    # a single row or column is taken from the edge, not from the middle as torch does without aligned corners
    if not align_corners:
        data = data[:, :, : 1 if new_rows == 1 else rows, : 1 if new_columns == 1 else columns]
    return functional.interpolate(data, (new_rows, new_columns), mode="bilinear", align_corners=align_corners)
