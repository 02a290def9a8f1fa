"""Pooling of regions of interest: aligned, rotated, position sensitive and deformable.

All of them are weighted sums of a few pixels per output cell, so each one computes indices and weights of pixels, and
``weighted_sum`` does the rest: pixels are rows of a table (channels last), cells are bags of rows.
"""

import math
from typing import Any

import torch
from torch.nn import functional

from ..gradients import selected_by
from ..infer import UNKNOWN, unify
from ..params import Fraction, TwoLengths
from ..registry import op
from ..support import check_same_dtype, numbers_like, without_data
from ..types import Attrs, Keywords

Tensor = torch.Tensor
_CHUNK = 1 << 20  # pixels gathered at a time, to bound the memory for indices and weights


def weighted_sum(table: Tensor, index: Tensor, weight: Tensor) -> Tensor:
    """Sums rows of ``table`` (rows, channels) by ``index`` and ``weight`` (cells, pixels): (cells, channels)."""
    kind = torch.float64 if table.dtype is torch.float64 else torch.float32
    # a table with channels apart would be read ten times slower
    table_rows = table.to(kind).contiguous()
    sums = functional.embedding_bag(index, table_rows, mode="sum", per_sample_weights=weight.to(kind))
    return sums.to(table.dtype)


def bilinear(y: Tensor, x: Tensor, width: int) -> tuple[Tensor, Tensor]:
    """Offsets within a map and weights of the four pixels around each point, in a new last dimension.

    Points must lie within the map, ``width`` wide.
    """
    top, left = y.detach().floor(), x.detach().floor()
    down, right = y - top, x - left
    # A point on a pixel has that one alone, and no gradient.
    rows = torch.stack((top, y.detach().ceil()), -1).long() * width
    columns = torch.stack((left, x.detach().ceil()), -1).long()
    index = rows.unsqueeze(-1) + columns.unsqueeze(-2)
    vertical, horizontal = torch.stack((1 - down, down), -1), torch.stack((1 - right, right), -1)
    return index.flatten(-2), (vertical.unsqueeze(-1) * horizontal.unsqueeze(-2)).flatten(-2)


def _check(data: Tensor, rois: Tensor, width: int) -> None:
    if not data.is_floating_point():
        raise TypeError("data must have a floating dtype")
    if data.dtype is not rois.dtype:
        raise TypeError("data and rois must have the same dtype")
    if data.dim() != 4:
        raise ValueError("data must have four dimensions (batch, channel, height, width)")
    if rois.dim() != 2 or rois.shape[1] != width:
        raise ValueError(f"rois must have shape (regions, {width})")


def _check_pooled(pooled_size: tuple[int, ...]) -> tuple[int, int]:
    if min(pooled_size) < 1:
        raise ValueError("pooled_size must be two positive numbers (height, width)")
    return pooled_size[0], pooled_size[1]


def _images(rois: Tensor, batch: int) -> tuple[Tensor, Tensor]:
    """The image of each region, and whether it has one: a negative number means none."""
    image = rois[:, 0].long()
    if image.device.type == "cpu" and image.numel() and int(image.max()) >= batch:
        raise IndexError(f"rois name image {int(image.max())}, but data has {batch} image(s)")
    return image.clamp(0, max(batch - 1, 0)), image >= 0


def _table(data: Tensor, cells: int = 1) -> Tensor:
    """Pixels as rows: (cells * batch * height * width, channels), where channels are (channel, cell) if cells > 1."""
    batch, channels, height, width = data.shape
    if cells == 1:
        return data.permute(0, 2, 3, 1).reshape(-1, channels).contiguous()
    split = data.reshape(batch, channels // cells, cells, height, width)
    return split.permute(2, 0, 3, 4, 1).reshape(-1, channels // cells).contiguous()


def _number_of_samples(size: Tensor, cells: int, wanted: int) -> Tensor:
    """How many points to take along one side of a cell of each region."""
    return torch.full_like(size, wanted) if wanted > 0 else (size / cells).ceil()


def _cell_points(size: Tensor, cells: int, number: Tensor) -> tuple[Tensor, Tensor]:
    """Points along one side, from its start: (regions, cells, points), and which of them count (regions, points)."""
    step = size / cells
    cell = torch.arange(cells, dtype=size.dtype, device=size.device)
    point = torch.arange(max(1, int(number.max())), dtype=size.dtype, device=size.device)
    inside = (point + 0.5) * (step / number.clamp(min=1))[:, None]
    return cell[:, None] * step[:, None, None] + inside[:, None, :], point < number[:, None]


def _axis_weights(start: Tensor, size: Tensor, cells: int, number: Tensor, side: int) -> tuple[Tensor, Tensor]:
    """Pixels along one side and what each adds to the mean of bilinear samples: (regions, cells, pixels) both."""
    points, counts = _cell_points(size, cells, number)
    points = points + start[:, None, None]
    share = ((points >= -1) & (points <= side) & counts[:, None]) / number.clamp(min=1)[:, None, None]
    points = points.clamp(0, side - 1)
    low = points.floor()
    first = low.amin(-1, keepdim=True)
    place = (low - first).long()
    reach = int(place.max()) + 2
    if reach >= 2 * points.shape[-1]:  # few points far apart: the two pixels of each
        pixels = torch.cat((low, low + 1), -1).long()
        return pixels.clamp(max=side - 1), torch.cat(((1 - points + low) * share, (points - low) * share), -1)
    weight = points.new_zeros((*points.shape[:2], reach))
    weight.scatter_add_(-1, place, (1 - points + low) * share)
    weight.scatter_add_(-1, place + 1, (points - low) * share)
    return (first.long() + torch.arange(reach, device=points.device)).clamp(max=side - 1), weight


def _cell_sums(table: Tensor, images: Tensor, shape: tuple[int, int], rows: Any, columns: Any, more: Any) -> Tensor:
    """Sums over pixels of rows and columns, each (index, weight): (regions, cells, cells, channels)."""
    height, width = shape
    index = rows[0][:, :, None, :, None] * width + columns[0][:, None, :, None, :]
    index = index + (images * (height * width))[:, None, None, None, None]
    if more is not None:
        index = index + more[None, :, :, None, None]
    weight = rows[1][:, :, None, :, None] * columns[1][:, None, :, None, :]
    found = weighted_sum(table, index.flatten(3).flatten(0, 2), weight.flatten(3).flatten(0, 2))
    return found.reshape(*index.shape[:3], -1)


def _by_size(work: Tensor, pixels: int) -> list[Tensor]:
    """Regions in chunks of about the same amount of work, since all of a chunk do as much as its largest."""
    order = work.argsort()
    chunks, start = [], 0
    amounts = work[order].tolist()
    for stop in range(1, len(amounts) + 1):
        full = stop == len(amounts) or amounts[stop] > 1.3 * amounts[start] + 4
        if full or (stop - start + 1) * amounts[stop] * pixels > _CHUNK:
            chunks.append(order[start:stop])
            start = stop
    return chunks


def _cell_offsets(pooled: tuple[int, int], batch: int, height: int, width: int, device: torch.device) -> Tensor:
    """Where the table of each cell begins, if every cell has one of its own."""
    return torch.arange(pooled[0] * pooled[1], device=device).view(pooled) * (batch * height * width)


def _put_back(chunks: list[Tensor], pieces: list[Tensor]) -> Tensor:
    """Results of chunks in the order of the regions: (regions, channels, height, width)."""
    order = torch.cat(chunks)
    return torch.cat(pieces)[order.argsort()].permute(0, 3, 1, 2).contiguous()


def _region_shapes(width: int) -> Any:
    def rule(shapes: Keywords, attrs: Any) -> None:
        if shapes["rois"] is not None:
            shapes["rois"] = unify(shapes["rois"], (UNKNOWN, width), "rois")

    return rule


@op("_contrib_ROIAlign")
@selected_by("rois")
def roi_align(
    data: Tensor,
    rois: Tensor,
    *,
    pooled_size: TwoLengths,
    spatial_scale: Fraction,
    sample_ratio: int = -1,
    position_sensitive: bool = False,
    aligned: bool = False,
) -> Tensor:
    """Averages of bilinear samples in a grid over regions of interest: (regions, channel, height, width).

    ``rois`` has rows (image, xmin, ymin, xmax, ymax), in units that ``spatial_scale`` turns into pixels; a negative
    image gives zeros. Each cell takes ``sample_ratio`` samples a side, or as many as it has pixels.
    ``position_sensitive`` gives each cell channels of its own. ``aligned`` shifts regions by half a pixel.
    """
    _check(data, rois, 5)
    pooled = _check_pooled(pooled_size)
    if position_sensitive and data.shape[1] % (pooled[0] * pooled[1]):
        raise ValueError("position_sensitive needs a multiple of pooled_size[0] * pooled_size[1] channels")
    if data.is_meta:
        return without_data(
            data, (rois.shape[0], data.shape[1] // (pooled[0] * pooled[1] if position_sensitive else 1), *pooled)
        )
    rois = rois.detach() if rois.dtype is torch.float64 else rois.detach().float()
    box = rois[:, 1:] * spatial_scale - (0.5 if aligned else 0.0)
    size = box[:, 2:] - box[:, :2]
    if not aligned:
        size = size.clamp(min=1.0)

    cells = pooled[0] * pooled[1] if position_sensitive else 1
    batch, channels, height, width = data.shape
    if not rois.shape[0]:
        return data.new_zeros((rois.shape[0], channels // cells, *pooled))
    images, exists = _images(rois, batch)
    number = torch.stack([_number_of_samples(size[:, 1 - i], pooled[i], sample_ratio) for i in (0, 1)], 1)
    table = _table(data, cells)
    more = _cell_offsets(pooled, batch, height, width, data.device) if position_sensitive else None
    chunks, pieces = _by_size((number + 1).prod(1), pooled[0] * pooled[1]), []
    for part in chunks:
        rows = _axis_weights(box[part, 1], size[part, 1], pooled[0], number[part, 0], height)
        columns = _axis_weights(box[part, 0], size[part, 0], pooled[1], number[part, 1], width)
        rows = rows[0], rows[1] * exists[part][:, None, None]
        pieces.append(_cell_sums(table, images[part], (height, width), rows, columns, more))
    return _put_back(chunks, pieces)


@op("_contrib_RROIAlign")
def rroi_align(
    data: Tensor, rois: Tensor, *, pooled_size: TwoLengths, spatial_scale: Fraction, sampling_ratio: int = -1
) -> Tensor:
    """ROIAlign of rotated regions: rows (image, x, y, width, height, angle), with the centre and degrees."""
    _check(data, rois, 6)
    pooled = _check_pooled(pooled_size)
    if data.is_meta:
        return without_data(data, (rois.shape[0], data.shape[1], *pooled))
    rois = rois.detach() if rois.dtype is torch.float64 else rois.detach().float()
    center, size = rois[:, 1:3] * spatial_scale, (rois[:, 3:5] * spatial_scale).clamp(min=1.0)
    angle = rois[:, 5] * (math.pi / 180.0)

    batch, channels, height, width = data.shape
    if not rois.shape[0]:
        return data.new_zeros((rois.shape[0], channels, *pooled))
    images, exists = _images(rois, batch)
    number = torch.stack([_number_of_samples(size[:, 1 - i], pooled[i], sampling_ratio) for i in (0, 1)], 1)
    table = _table(data)
    chunks, pieces = _by_size(number.prod(1), 4 * pooled[0] * pooled[1]), []
    for part in chunks:
        wide = (slice(None), None, None, None, None)
        y, use_y = _cell_points(size[part, 1], pooled[0], number[part, 0])
        x, use_x = _cell_points(size[part, 0], pooled[1], number[part, 1])
        y, x = y[:, :, None, :, None] - (size[part, 1] / 2)[wide], x[:, None, :, None, :] - (size[part, 0] / 2)[wide]
        sine, cosine = angle[part].sin()[wide], angle[part].cos()[wide]
        y, x = y * cosine - x * sine + center[part, 1][wide], x * cosine + y * sine + center[part, 0][wide]
        use = (use_y[:, :, None] & use_x[:, None, :])[:, None, None] & exists[part][wide]
        use = use & (y >= -1) & (y <= height) & (x >= -1) & (x <= width)
        index, weight = bilinear(y.clamp(0, height - 1), x.clamp(0, width - 1), width)
        weight = weight * (use / number[part].prod(1).clamp(min=1)[wide]).unsqueeze(-1)
        index = index + (images[part] * (height * width))[wide].unsqueeze(-1)
        found = weighted_sum(table, index.flatten(3).flatten(0, 2), weight.flatten(3).flatten(0, 2))
        pieces.append(found.reshape(*y.shape[:3], channels))
    return _put_back(chunks, pieces)


roi_align.infer_args(_region_shapes(5))
rroi_align.infer_args(_region_shapes(6))


def _check_groups(data: Tensor, output_dim: int, group_size: int, pooled_size: int) -> None:
    if min(output_dim, group_size, pooled_size) < 1:
        raise ValueError("output_dim, group_size and pooled_size must be positive")
    if data.shape[1] != output_dim * group_size * group_size:
        raise ValueError(f"data must have output_dim * group_size**2 = {output_dim * group_size**2} channels")


def _round(values: Tensor) -> Tensor:
    """Rounded, halves away from zero."""
    return values.sign() * (values.abs() + 0.5).floor()


def _group_of_cell(pooled_size: int, group_size: int, device: torch.device) -> Tensor:
    """Which of the groups of channels each cell reads: (pooled, pooled)."""
    side = torch.arange(pooled_size, device=device) * group_size // pooled_size
    side = side.clamp(0, group_size - 1)
    return side[:, None] * group_size + side[None, :]


@op("_contrib_PSROIPooling")
@selected_by("rois")
def psroi_pooling(
    data: Tensor, rois: Tensor, *, spatial_scale: Fraction, output_dim: int, pooled_size: int, group_size: int = 0
) -> Tensor:
    """Position sensitive averages over regions: (regions, output_dim, pooled_size, pooled_size).

    Each cell of the grid averages its pixels in channels of its own, of which data has ``output_dim * group_size**2``;
    ``group_size`` 0 means ``pooled_size``. ``rois`` has rows (image, xmin, ymin, xmax, ymax).
    """
    _check(data, rois, 5)
    group_size = group_size or pooled_size
    _check_groups(data, output_dim, group_size, pooled_size)
    batch, _, height, width = data.shape
    count = rois.shape[0]
    if data.is_meta or not count:
        return data.new_zeros((count, output_dim, pooled_size, pooled_size))
    rois = rois.detach() if rois.dtype is torch.float64 else rois.detach().float()
    images, exists = _images(rois, batch)
    start = _round(rois[:, 1:3]) * spatial_scale
    size = ((_round(rois[:, 3:5]) + 1.0) * spatial_scale - start).clamp(min=0.1)
    cell = torch.arange(pooled_size, dtype=rois.dtype, device=rois.device)
    step = size / pooled_size
    low = (cell * step[..., None] + start[..., None]).floor()
    high = ((cell + 1) * step[..., None] + start[..., None]).ceil()
    limit = numbers_like((width, height), rois)[None, :, None]
    low, high = torch.minimum(low.clamp(min=0), limit), torch.minimum(high.clamp(min=0), limit)
    low, number = low.long(), (high - low).clamp(min=0)
    group = _group_of_cell(pooled_size, group_size, data.device) * (batch * height * width)
    table = _table(data, group_size * group_size)
    chunks, pieces = _by_size(number.amax(2).prod(1), pooled_size**2), []
    for part in chunks:
        rows = _range_weights(low[part, 1], number[part, 1], height)
        columns = _range_weights(low[part, 0], number[part, 0], width)
        rows = rows[0], rows[1] * exists[part][:, None, None]
        pieces.append(_cell_sums(table, images[part], (height, width), rows, columns, group))
    return _put_back(chunks, pieces)


def _range_weights(low: Tensor, number: Tensor, side: int) -> tuple[Tensor, Tensor]:
    """Pixels of a range along one side, each with an equal share: (regions, cells, pixels) both."""
    step = torch.arange(max(1, int(number.max())), device=low.device)
    share = (step < number[..., None]) / number.clamp(min=1)[..., None]
    return (low[..., None] + step).clamp(max=side - 1), share


def _deformable_inputs(attrs: Attrs) -> tuple[str, ...]:
    return ("data", "rois") if attrs["no_trans"] else ("data", "rois", "trans")


@op("_contrib_DeformablePSROIPooling", active=_deformable_inputs, output_names=("output",))
@selected_by("rois")
def deformable_psroi_pooling(
    data: Tensor,
    rois: Tensor,
    trans: Tensor | None = None,
    *,
    spatial_scale: Fraction,
    output_dim: int,
    group_size: int,
    pooled_size: int,
    part_size: int = 0,
    sample_per_part: int = 1,
    trans_std: Fraction = 0.0,
    no_trans: bool = False,
) -> Tensor:
    """Position sensitive averages of bilinear samples in cells that are moved: (regions, output_dim, pooled, pooled).

    ``trans`` (regions, 2 * classes, part_size, part_size) has moves in x and y, times ``trans_std`` and the size of the
    region; ``part_size`` 0 means ``pooled_size``. Each cell takes ``sample_per_part`` samples a side.
    """
    _check(data, rois, 5)
    _check_groups(data, output_dim, group_size, pooled_size)
    if sample_per_part < 1:
        raise ValueError("sample_per_part must be positive")
    parts = part_size or pooled_size
    batch, _, height, width = data.shape
    count = rois.shape[0]
    if no_trans:
        trans, classes = None, 1
    else:
        if trans is None:
            raise ValueError("trans was not given, and no_trans is not set")
        if trans.dim() != 4 or trans.shape[0] != count or trans.shape[1] % 2 or trans.shape[2:] != (parts, parts):
            raise ValueError(f"trans must have shape (regions, 2 * classes, {parts}, {parts})")
        check_same_dtype(data, trans)
        classes = trans.shape[1] // 2
        if not classes or output_dim % classes:
            raise ValueError("output_dim must be a multiple of the classes of trans")
    if data.is_meta or not count:
        return data.new_zeros((count, output_dim, pooled_size, pooled_size))
    kind = torch.float64 if data.dtype is torch.float64 else torch.float32
    rois = rois.detach().to(kind)
    image, exists = _images(rois, batch)
    start = _round(rois[:, 1:3]) * spatial_scale - 0.5
    size = ((_round(rois[:, 3:5]) + 1.0) * spatial_scale - 0.5 - start).clamp(min=0.1)
    cell = torch.arange(pooled_size, device=data.device)
    point = torch.arange(sample_per_part, dtype=kind, device=data.device)
    # (regions, x or y, cells, points)
    offsets = cell[:, None] + point / sample_per_part
    grid = start[:, :, None, None] + offsets * (size / pooled_size)[:, :, None, None]
    x, y = grid[:, 0][:, None, None, :, None, :], grid[:, 1][:, None, :, None, :, None]
    if trans is not None:
        part = (cell * parts // pooled_size).clamp(max=parts - 1)
        moves = trans.to(kind).reshape(count, classes, 2, parts, parts)[..., part[:, None], part[None, :]] * trans_std
        moves = moves[..., None, None]
        x = x + moves[:, :, 0] * size[:, 0].view(-1, 1, 1, 1, 1, 1)
        y = y + moves[:, :, 1] * size[:, 1].view(-1, 1, 1, 1, 1, 1)
    y, x = torch.broadcast_tensors(y, x)  # (regions, classes, cells, cells, points, points)
    inside = (x >= -0.5) & (x <= width - 0.5) & (y >= -0.5) & (y <= height - 0.5)
    share = inside.to(kind) / inside.sum((-2, -1), keepdim=True).clamp(min=1) * exists.view(-1, 1, 1, 1, 1, 1)
    index, weight = bilinear(y.clamp(0, height - 1), x.clamp(0, width - 1), width)
    weight = weight * share.unsqueeze(-1)
    group = _group_of_cell(pooled_size, group_size, data.device)
    index = index + (image.view(-1, 1, 1, 1, 1, 1, 1) + group[:, :, None, None, None] * batch) * (height * width)
    # every class has a table of its own
    per_class = output_dim // classes
    tables = _table(data, group_size * group_size).reshape(-1, classes, per_class).transpose(0, 1)
    table = tables.reshape(-1, per_class)
    rows = batch * group_size**2 * height * width
    index = index + torch.arange(classes, device=data.device).view(1, -1, 1, 1, 1, 1, 1) * rows
    pixels = 4 * sample_per_part**2
    found = weighted_sum(table, index.reshape(-1, pixels), weight.reshape(-1, pixels))
    found = found.reshape(count, classes, pooled_size, pooled_size, per_class).permute(0, 1, 4, 2, 3)
    return found.reshape(count, output_dim, pooled_size, pooled_size)
