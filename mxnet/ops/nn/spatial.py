"""Operators on image coordinates: samplers, transformers, ROI pooling, upsampling, correlation, patches."""

import math
from collections.abc import Iterator, Sequence
from typing import Literal

import torch
import torch.nn.functional as F

from ..gradients import own_gradient, selected_by
from ..infer import Shape
from ..params import Count, Fraction, TwoLengths
from ..registry import op
from ..support import without_data
from ..types import Attrs, Keywords, Shapes
from .layout import window_counts, window_of

# ---- sampling --------------------------------------------------------------------------------------------------------


def _steps(count: int, like: torch.Tensor) -> torch.Tensor:
    """``count`` coordinates from -1 to 1."""
    return torch.arange(count, dtype=like.dtype, device=like.device).mul_(2.0 / max(count - 1, 1)).sub_(1.0)


def _affine_grid(theta: torch.Tensor, target_shape: tuple[int, ...]) -> torch.Tensor:
    """Where the pixels of a picture come from under affine maps (batch, 6): (batch, 2, height, width)."""
    if len(target_shape) != 2 or min(target_shape) < 1:
        raise ValueError(f"target_shape must be a height and a width above 0, got {tuple(target_shape)}")
    if theta.dim() != 2 or theta.shape[1] != 6:
        raise ValueError(
            f"an affine transform takes 6 numbers per example: expected shape (batch, 6), got {tuple(theta.shape)}"
        )
    height, width = target_shape
    if theta.is_meta:
        return without_data(theta, (theta.shape[0], 2, height, width))
    x, y = _steps(width, theta).expand(height, width), _steps(height, theta).unsqueeze(1).expand(height, width)
    places = torch.stack([x, y, torch.ones_like(x)]).flatten(1)
    return (theta.reshape(-1, 3) @ places).view(-1, 2, height, width)


def _bilinear(data: torch.Tensor, grid: torch.Tensor) -> torch.Tensor:
    if data.is_meta:
        return without_data(data, (*data.shape[:2], *grid.shape[2:]))
    return F.grid_sample(data, grid.permute(0, 2, 3, 1), "bilinear", "zeros", align_corners=True)


@op("GridGenerator", output_names=("output",))
def grid_generator(
    data: torch.Tensor, *, transform_type: Literal["affine", "warp"], target_shape: tuple[int, ...] = (0, 0)
) -> torch.Tensor:
    """A grid for ``BilinearSampler``: from affine maps (batch, 6), or from a flow field (batch, 2, height, width).

    Channel 0 of the grid is x, channel 1 is y; -1 and 1 are the borders of the picture.
    """
    if transform_type == "affine":
        return _affine_grid(data, target_shape)
    if data.dim() != 4 or data.shape[1] != 2:
        raise ValueError(f"a flow field must have shape (batch, 2, height, width), got {tuple(data.shape)}")
    if data.is_meta:
        return without_data(data)
    height, width = data.shape[2:]
    sizes = torch.tensor([max(width - 1, 1) / 2.0, max(height - 1, 1) / 2.0], dtype=data.dtype, device=data.device)
    x = torch.arange(width, dtype=data.dtype, device=data.device).expand(height, width)
    y = torch.arange(height, dtype=data.dtype, device=data.device).unsqueeze(1).expand(height, width)
    return (data + torch.stack([x, y])) / sizes.view(2, 1, 1) - 1.0


@op("BilinearSampler", output_names=("output",))
def bilinear_sampler(data: torch.Tensor, grid: torch.Tensor, *, cudnn_off: bool | None = None) -> torch.Tensor:
    """Samples ``data`` (batch, channels, height, width) at the places in ``grid`` (batch, 2, out height, out width).

    Channel 0 of the grid is x, channel 1 is y, from -1 to 1; what is outside of the picture counts as 0.
    """
    if data.dim() != 4 or grid.dim() != 4:
        raise ValueError("data and grid must have 4 dimensions")
    if grid.shape[:2] != (data.shape[0], 2):
        raise ValueError(f"grid has shape {tuple(grid.shape)}, expected ({data.shape[0]}, 2, height, width)")
    return _bilinear(data, grid)


@op("SpatialTransformer", output_names=("output",))
def spatial_transformer(
    data: torch.Tensor,
    loc: torch.Tensor,
    *,
    target_shape: tuple[int, ...] = (0, 0),
    transform_type: Literal["affine"],
    sampler_type: Literal["bilinear"],
    cudnn_off: bool | None = None,
) -> torch.Tensor:
    """Applies the affine map ``loc`` (batch, 6) to each picture; the results have ``target_shape`` (height, width)."""
    if data.dim() != 4:
        raise ValueError("data must have 4 dimensions")
    grid = _affine_grid(loc, target_shape)
    if loc.shape[0] != data.shape[0]:
        raise ValueError(f"loc has shape {tuple(loc.shape)}, expected {(data.shape[0], 6)}")
    return _bilinear(data, grid)


@spatial_transformer.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    if shapes["data"] is not None and shapes["loc"] is None and len(shapes["data"]) == 4:
        shapes["loc"] = (shapes["data"][0], 6)


# ---- ROI pooling -----------------------------------------------------------------------------------------------------

# How many numbers the windows of the regions looked at together may have.
_WINDOW_BUDGET = 1 << 20


@op("ROIPooling", output_names=("output",))
@selected_by("rois")
def roi_pooling(
    data: torch.Tensor, rois: torch.Tensor, *, pooled_size: TwoLengths, spatial_scale: Fraction
) -> torch.Tensor:
    """The maxima over a grid of ``pooled_size`` (height, width) laid over each region of interest.

    ``rois`` has rows of (index in the batch, x1, y1, x2, y2), both corners included; ``spatial_scale`` converts them to
    the coordinates of ``data``. An empty cell is 0.
    """
    if data.dim() != 4:
        raise ValueError("data must have 4 dimensions")
    if rois.dim() != 2 or rois.shape[1] != 5:
        raise ValueError(f"rois has shape {tuple(rois.shape)}, expected (number of regions, 5)")
    if min(pooled_size) < 1:
        raise ValueError(f"pooled_size must be a height and a width above 0, got {tuple(pooled_size)}")
    if rois.dtype is not data.dtype:
        raise TypeError("rois must have the dtype of data")
    count = rois.shape[0]
    shape = (count, data.shape[1], *pooled_size)
    if data.is_meta or not count:
        return data.new_zeros(shape)
    places, empty = best_places(data, rois, pooled_size, spatial_scale)
    return data.reshape(-1).index_select(0, places.flatten()).view(shape).masked_fill(empty, 0.0)


def best_places(
    data: torch.Tensor, rois: torch.Tensor, pooled_size: Sequence[int], spatial_scale: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Where in the data the maximum of each cell is, and which cells are empty.

    Gathering the winners lets the gradient go to each maximum alone, the first one of several.
    """
    count, (batch, channels, height, width) = rois.shape[0], data.shape
    boxes = rois.detach()
    index = boxes[:, 0].to(torch.int64)
    # All in the dtype of the data, as MXNet does: a bin's border may fall on the other side in another precision.
    corners = _round(boxes[:, 1:] * spatial_scale)
    rows = _bins(corners[:, 1], corners[:, 3], pooled_size[0], height)
    columns = _bins(corners[:, 0], corners[:, 2], pooled_size[1], width)
    absent = (index < 0) | (index >= batch)
    empty = (rows[0] >= rows[1]).unsqueeze(2) | (columns[0] >= columns[1]).unsqueeze(1) | absent.view(-1, 1, 1)
    index = index.clamp(0, batch - 1)
    with torch.no_grad():
        best = torch.cat(list(_best_pixels(data, index, rows, columns)))
    planes = (index.unsqueeze(1) * channels + torch.arange(channels, device=data.device)) * (height * width)
    return best + planes.view(count, channels, 1, 1), empty.unsqueeze(1)


def _round(x: torch.Tensor) -> torch.Tensor:
    """To the nearest whole number, halves away from zero."""
    whole = x.trunc()
    return whole + ((x - whole).abs() >= 0.5) * x.sign()


def _bins(first: torch.Tensor, last: torch.Tensor, bins: int, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Where each bin of each region begins and ends along one axis: (regions, bins), the end not included."""
    bin_size = ((last - first + 1.0).clamp(min=1.0) / bins).unsqueeze(1)
    number = torch.arange(bins, dtype=first.dtype, device=first.device)
    start = (number * bin_size).floor() + first.unsqueeze(1)
    end = ((number + 1.0) * bin_size).ceil() + first.unsqueeze(1)
    return start.clamp(0, size).to(torch.int64), end.clamp(0, size).to(torch.int64)


def _best_pixels(
    data: torch.Tensor, index: torch.Tensor, rows: tuple[torch.Tensor, ...], columns: tuple[torch.Tensor, ...]
) -> Iterator[torch.Tensor]:
    """Which pixel of its plane is the greatest in each bin: pieces of (regions, channels, bins y, bins x)."""
    _, channels, height, width = data.shape
    sizes = [max(1, int((end - start).max())) for start, end in (rows, columns)]
    bins = rows[0].shape[1], columns[0].shape[1]
    at_once = max(1, _WINDOW_BUDGET // (channels * math.prod(bins) * math.prod(sizes)))
    vectors = data.permute(0, 2, 3, 1).reshape(-1, channels)  # all channels of a pixel side by side
    for begin in range(0, len(index), at_once):
        some = slice(begin, begin + at_once)
        # Windows are filled up to one size by repeating their last pixel, which does not change the first maximum.
        y = _window(rows[0][some], rows[1][some], sizes[0], height).view(-1, bins[0], 1, sizes[0], 1)
        x = _window(columns[0][some], columns[1][some], sizes[1], width).view(-1, 1, bins[1], 1, sizes[1])
        pixels = (y * width + x).flatten(3)
        places = pixels + (index[some] * (height * width)).view(-1, 1, 1, 1)
        values = vectors.index_select(0, places.flatten()).view(-1, pixels.shape[3], channels)
        best = pixels.view(-1, pixels.shape[3]).gather(1, _first_maximum(values))
        yield best.view(-1, *bins, channels).permute(0, 3, 1, 2)


def _first_maximum(values: torch.Tensor) -> torch.Tensor:
    """Where along axis 1 the first of the greatest values is; torch is slow at it unless the axis is the last one."""
    greatest = values[:, 0].clone()
    winner = torch.zeros(greatest.shape, dtype=torch.int32, device=values.device)
    for i in range(1, values.shape[1]):
        rival = values[:, i]
        winner.masked_fill_(rival > greatest, i)
        torch.maximum(greatest, rival, out=greatest)
    return winner.to(torch.int64)


def _window(start: torch.Tensor, end: torch.Tensor, count: int, size: int) -> torch.Tensor:
    """``count`` positions from each start on, none beyond its end or outside of the picture."""
    steps = torch.arange(count, device=start.device)
    return torch.minimum(start.unsqueeze(2) + steps, end.unsqueeze(2) - 1).clamp_(0, size - 1)


# ---- correlation -----------------------------------------------------------------------------------------------------


# Of equal numbers the first counts as the larger.
_distance = own_gradient(torch.abs, lambda grad, difference, result: torch.where(difference >= 0, grad, -grad))


@op("Correlation", output_names=("output",))
def correlation(
    data1: torch.Tensor,
    data2: torch.Tensor,
    *,
    kernel_size: int = 1,
    max_displacement: int = 1,
    stride1: int = 1,
    stride2: int = 1,
    pad_size: int = 0,
    is_multiply: bool = True,
) -> torch.Tensor:
    """How well patches of ``data1`` match patches of ``data2`` that are displaced by up to ``max_displacement``.

    One output channel per displacement, in steps of ``stride2``, row by row; ``stride1`` is the step between patches of
    ``kernel_size``. The match is the mean product, or the mean absolute difference if not ``is_multiply``.
    """
    if data1.dim() != 4 or data1.shape != data2.shape:
        raise ValueError("data1 and data2 must have 4 dimensions and the same shape")
    if data1.dtype is not data2.dtype or not data1.is_floating_point():
        raise TypeError("data1 and data2 must have the same floating dtype")
    if kernel_size % 2 != 1:
        raise ValueError(f"kernel_size must be odd, got {kernel_size}")
    if min(stride1, stride2) < 1 or min(pad_size, max_displacement) < 0:
        raise ValueError("strides must be at least 1, pad_size and max_displacement at least 0")
    border = max_displacement + kernel_size // 2
    padded = [n + 2 * pad_size for n in data1.shape[2:]]
    height, width = (math.ceil((n - 2 * border) / stride1) for n in padded)
    if height < 1 or width < 1:
        raise ValueError("the displacement and the kernel do not fit into the picture")
    reach = max_displacement // stride2
    if data1.is_meta:
        return without_data(data1, (data1.shape[0], (2 * reach + 1) ** 2, height, width))
    one, two = (F.pad(d, (pad_size,) * 4) if pad_size else d for d in (data1, data2))
    # The pixels that the patches cover, and the same ones displaced.
    high, wide = (height - 1) * stride1 + kernel_size, (width - 1) * stride1 + kernel_size
    offsets = [max_displacement + stride2 * i for i in range(-reach, reach + 1)]
    fixed = one[:, :, max_displacement : max_displacement + high, max_displacement : max_displacement + wide]
    matches = []
    for y in offsets:
        for x in offsets:
            moved = two[:, :, y : y + high, x : x + wide]
            matches.append((fixed * moved if is_multiply else _distance(fixed - moved)).sum(1))
    result = torch.stack(matches, 1)
    if kernel_size > 1 or stride1 > 1:
        result = F.avg_pool2d(result, kernel_size, stride1, divisor_override=1)
    return result / (kernel_size * kernel_size * data1.shape[1])


# ---- upsampling ------------------------------------------------------------------------------------------------------


def _upsampling_inputs(attrs: Attrs) -> tuple[str, ...]:
    if attrs.get("sample_type") == "bilinear":
        return ("data", "weight")
    return tuple(f"arg{i}" for i in range(attrs.get("num_args", 1)))


@op("UpSampling", count="num_args", active=_upsampling_inputs)
def upsampling(
    *data: torch.Tensor,
    scale: Count,
    num_filter: int = 0,
    sample_type: Literal["nearest", "bilinear"],
    multi_input_mode: Literal["concat", "sum"] = "concat",
    num_args: Count,
    workspace: int = 512,
) -> torch.Tensor:
    """Enlarges pictures ``scale`` times: by repeating pixels (``'nearest'``) or by a deconvolution (``'bilinear'``).

    With several inputs, all come to the size of the first one enlarged and are concatenated or summed. ``'bilinear'``
    takes the data and a weight of shape (channels, 1, k, k) with k = 2 * scale - scale % 2.
    """
    # A symbol counts the inputs that it was given, which may be the data without the weight.
    if num_args != len(data) and sample_type != "bilinear":
        raise ValueError(f"num_args is {num_args}, but {len(data)} array(s) were given")
    first = data[0]
    if not first.is_floating_point() or any(d.dtype is not first.dtype for d in data):
        raise TypeError("all inputs must have the same floating dtype")
    if any(d.dim() != 4 for d in data):
        raise ValueError("inputs must have 4 dimensions")
    if sample_type == "bilinear":
        return _deconvolve(data, scale, num_filter)
    target = [n * scale for n in first.shape[2:]]
    parts = []
    for d in data:
        if d.shape[0] != first.shape[0] or any(t % n for t, n in zip(target, d.shape[2:], strict=True)):
            raise ValueError(
                f"an input of shape {tuple(d.shape)} cannot be enlarged to {tuple(target)} by repeating pixels"
            )
        enlarged = (
            without_data(d, (*d.shape[:2], *target)) if d.is_meta else F.interpolate(d, size=target, mode="nearest")
        )
        parts.append(enlarged)
    if len(parts) == 1:
        return parts[0]
    if multi_input_mode == "concat":
        if first.is_meta:
            return without_data(first, (first.shape[0], sum(p.shape[1] for p in parts), *target))
        return torch.cat(parts, 1)
    if any(p.shape != parts[0].shape for p in parts):
        raise ValueError("to be summed, inputs must have the same number of channels")
    total = parts[0]
    if total.is_meta:
        return total
    for p in parts[1:]:
        total = total + p
    return total


def _deconvolve(data: tuple[torch.Tensor, ...], scale: int, num_filter: int) -> torch.Tensor:
    if len(data) != 2:
        raise ValueError(f"bilinear upsampling takes data and a weight, got {len(data)} input(s)")
    picture, weight = data
    channels, size = picture.shape[1], 2 * scale - scale % 2
    if num_filter != channels:
        raise ValueError(f"num_filter must be the number of channels, {channels}, got {num_filter}")
    if weight.shape != (channels, 1, size, size):
        raise ValueError(f"weight has shape {tuple(weight.shape)}, expected {(channels, 1, size, size)}")
    if picture.is_meta:
        return without_data(picture, (*picture.shape[:2], *[n * scale for n in picture.shape[2:]]))
    return F.conv_transpose2d(picture, weight, stride=scale, padding=scale // 2, groups=channels)


@upsampling.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    names = list(shapes)
    data = shapes[names[0]]
    if attrs["sample_type"] == "bilinear" and len(names) == 2 and data is not None and len(data) == 4:
        size = 2 * attrs["scale"] - attrs["scale"] % 2
        shapes[names[1]] = (data[1], 1, size, size)


# ---- patches ---------------------------------------------------------------------------------------------------------


def _windows(
    kernel: tuple[int, ...], stride: tuple[int, ...], dilate: tuple[int, ...], pad: tuple[int, ...], size: Shape
) -> tuple[Keywords, int]:
    """The arguments for torch's fold and unfold, and the number of windows in a picture of ``size``."""
    if len(kernel) != 2:
        raise ValueError(f"kernel must be a height and a width, got {tuple(kernel)}")
    stride, dilate, pad = stride or (1, 1), dilate or (1, 1), pad or (0, 0)
    for name, value, least in (("kernel", kernel, 1), ("stride", stride, 1), ("dilate", dilate, 1), ("pad", pad, 0)):
        if len(value) != 2 or min(value) < least:
            raise ValueError(f"{name} must be 2 numbers of at least {least}, got {tuple(value)}")
    counts = window_counts(size, kernel, stride, pad, dilate)
    if min(counts) < 1:
        raise ValueError(f"the kernel {tuple(kernel)} is greater than the padded picture")
    return {"kernel_size": kernel, "stride": stride, "dilation": dilate, "padding": pad}, math.prod(counts)


@op("im2col")
def im2col(
    data: torch.Tensor,
    *,
    kernel: tuple[int, ...],
    stride: tuple[int, ...] = (),
    dilate: tuple[int, ...] = (),
    pad: tuple[int, ...] = (),
) -> torch.Tensor:
    """The patches that a convolution looks at, as columns: (batch, channels * kernel size, number of patches)."""
    if data.dim() != 4 or not data.is_floating_point():
        raise ValueError("data must be floating and have 4 dimensions")
    arguments, count = _windows(kernel, stride, dilate, pad, tuple(data.shape[2:]))
    if data.is_meta:
        return without_data(data, (data.shape[0], data.shape[1] * math.prod(kernel), count))
    return F.unfold(data, **arguments)


im2col.check(window_of((1, 2, 3), "stride", "dilate", "pad"))


@op("col2im")
def col2im(
    data: torch.Tensor,
    *,
    output_size: tuple[int, ...],
    kernel: tuple[int, ...],
    stride: tuple[int, ...] = (),
    dilate: tuple[int, ...] = (),
    pad: tuple[int, ...] = (),
) -> torch.Tensor:
    """Puts the columns of ``im2col`` back into pictures of ``output_size``; where patches overlap they are summed."""
    if data.dim() != 3 or not data.is_floating_point():
        raise ValueError("data must be floating and have 3 dimensions")
    if len(output_size) != 2:
        raise ValueError(f"output_size must be a height and a width, got {tuple(output_size)}")
    arguments, count = _windows(kernel, stride, dilate, pad, tuple(output_size))
    size = kernel[0] * kernel[1]
    if data.shape[1] % size or data.shape[2] != count:
        raise ValueError(f"data has shape {tuple(data.shape)}, expected (batch, a multiple of {size}, {count})")
    if data.is_meta:
        return without_data(data, (data.shape[0], data.shape[1] // size, *output_size))
    return F.fold(data, tuple(output_size), **arguments)


col2im.check(window_of((1, 2, 3), "stride", "dilate", "pad"))
