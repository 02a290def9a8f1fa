"""Operators that cut parts out of arrays or write to a part."""

from typing import Annotated

import torch

from .gradients import selected_by
from .infer import UNKNOWN, same_shapes, unify
from .params import Bound
from .registry import op
from .shape import Attrs, Shape, Shapes, first_dtype
from .support import as_number, check_same_dtype, normalize_axis, without_data


def _cut(
    data: torch.Tensor,
    begin: tuple[int | None, ...],
    end: tuple[int | None, ...],
    step: tuple[int | None, ...],
) -> tuple[torch.Tensor, list[int]]:
    """The view of a slice with steps made positive, and the dimensions that must then be reversed."""
    if len(begin) != len(end) or (step and len(step) != len(begin)):
        raise ValueError(f"begin, end and step must have the same length, got {begin}, {end} and {step}")
    if len(begin) > data.dim():
        raise ValueError(f"begin has {len(begin)} entries, the array has {data.dim()} dimension(s)")
    index, flipped = [], []
    for axis, (first, last, by) in enumerate(zip(begin, end, step or (None,) * len(begin), strict=True)):
        if by == 0:
            raise ValueError("step cannot be 0")
        if by is None or by > 0:
            index.append(slice(first, last, by))
            continue
        taken = range(*slice(first, last, by).indices(data.shape[axis]))
        index.append(slice(taken[-1], taken[0] + 1, -by) if taken else slice(0, 0))
        flipped.append(axis)
    return data[tuple(index)], flipped


@op("slice", aliases=("crop",), view=True)
def slice_(
    data: torch.Tensor,
    *,
    begin: tuple[int | None, ...],
    end: tuple[int | None, ...],
    step: tuple[int | None, ...] = (),
) -> torch.Tensor:
    """The part ``data[begin[0]:end[0]:step[0], ...]``, by Python's rules; None means from or to the border."""
    part, flipped = _cut(data, begin, end, step)
    return part.flip(flipped) if flipped else part


@slice_.infer_shape
def _(shapes: Shapes, attrs: Attrs) -> list[Shape]:
    data = shapes["data"]
    assert data is not None
    part, _ = _cut(torch.empty([n if n != UNKNOWN else 96 for n in data], device="meta"), **attrs)
    return [tuple(UNKNOWN if n == UNKNOWN else m for n, m in zip(data, part.shape, strict=True))]


def _check_part(part: torch.Tensor, value: torch.Tensor) -> None:
    if part.shape != value.shape:
        raise ValueError(f"rhs has shape {tuple(value.shape)}, the slice has {tuple(part.shape)}")


@op("_slice_assign", aliases=("_crop_assign",))
def slice_assign(
    lhs: torch.Tensor,
    rhs: torch.Tensor,
    *,
    begin: tuple[int | None, ...],
    end: tuple[int | None, ...],
    step: tuple[int | None, ...] = (),
) -> torch.Tensor:
    """A copy of ``lhs`` in which a slice is replaced by ``rhs``."""
    check_same_dtype(lhs, rhs)
    result = lhs.clone()
    part, flipped = _cut(result, begin, end, step)
    _check_part(part, rhs)
    if lhs.is_meta:
        return without_data(lhs)
    part.copy_(rhs.flip(flipped) if flipped else rhs)
    return result


@slice_assign.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    whole = shapes["lhs"]
    if whole is None or UNKNOWN in whole:
        return
    try:
        part, _ = _cut(torch.empty(whole, device="meta"), attrs["begin"], attrs["end"], attrs["step"])
    except ValueError:  # the kernel will say what is wrong with the slice
        return
    shapes["rhs"] = unify(shapes["rhs"], tuple(part.shape), "_slice_assign: input 'rhs'")


@slice_assign.infer_back
def _(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    shapes["lhs"] = unify(shapes["lhs"], outputs[0], "_slice_assign: input 'lhs'")


@op("_slice_assign_scalar", aliases=("_crop_assign_scalar",))
def slice_assign_scalar(
    data: torch.Tensor,
    *,
    scalar: float = 0.0,
    begin: tuple[int | None, ...],
    end: tuple[int | None, ...],
    step: tuple[int | None, ...] = (),
) -> torch.Tensor:
    """A copy of ``data`` in which every element of a slice is ``scalar``."""
    result = data.clone()
    part, _ = _cut(result, begin, end, step)
    part.fill_(as_number(scalar, data.dtype))
    return result


slice_assign_scalar.infer_back(same_shapes)


@op("slice_axis", view=True)
def slice_axis(data: torch.Tensor, *, axis: int, begin: int, end: int | None) -> torch.Tensor:
    """The part [begin, end) along one axis; negative positions count from the end, ``end=None`` means to the border."""
    axis = normalize_axis(axis, data.dim())
    size = data.shape[axis]
    first = begin + size if begin < 0 else begin
    last = size if end is None else end + size if end < 0 else end
    if not 0 <= first < last <= size:
        raise ValueError(f"begin={begin} and end={end} are no range of axis {axis} of size {size}")
    return data.narrow(axis, first, last - first)


@slice_axis.infer_shape
def _(shapes: Shapes, attrs: Attrs) -> list[Shape | None]:
    data = shapes["data"]
    assert data is not None
    axis = normalize_axis(attrs["axis"], len(data))
    size, begin, end = data[axis], attrs["begin"], attrs["end"]
    if size != UNKNOWN:
        first = begin + size if begin < 0 else begin
        last = size if end is None else end + size if end < 0 else end
        if not 0 <= first < last <= size:
            raise ValueError(f"begin={begin} and end={end} are no range of axis {axis} of size {size}")
        size = last - first
    return [(*data[:axis], size, *data[axis + 1 :])]


@op("slice_like", view=True)
@selected_by("shape_like")
def slice_like(data: torch.Tensor, shape_like: torch.Tensor, *, axes: tuple[int, ...] = ()) -> torch.Tensor:
    """Cuts ``data`` to the size of ``shape_like``, along all axes or those in ``axes``."""
    if not axes and data.dim() != shape_like.dim():
        raise ValueError("without axes both inputs must have the same number of dimensions")
    for given in axes or range(data.dim()):
        axis = normalize_axis(given, data.dim())
        if axis >= shape_like.dim():
            raise ValueError(f"shape_like has no axis {axis}")
        size = shape_like.shape[axis]
        if size > data.shape[axis]:
            raise ValueError(f"axis {axis} of shape_like has size {size}, that of data only {data.shape[axis]}")
        data = data.narrow(axis, 0, size)
    return data


slice_like.infer_dtype(first_dtype)


@op("Crop", count="num_args", view=True)
def crop(
    *data: torch.Tensor,
    num_args: Annotated[int, Bound(1, 3)],
    offset: tuple[int, ...] = (0, 0),
    h_w: tuple[int, ...] = (0, 0),
    center_crop: bool = False,
) -> torch.Tensor:
    """Cuts 4-D images to the height and width ``h_w``, or those of a second array, at ``offset`` or in the middle."""
    if num_args not in (1, 2) or data[0].dim() != 4 or data[-1].dim() != 4:
        raise ValueError("it takes one or two 4-D arrays")
    if len(offset) != 2 or len(h_w) != 2:
        raise ValueError(f"offset and h_w must be pairs, got {offset} and {h_w}")
    sizes = tuple(data[1].shape[2:]) if num_args == 2 else h_w
    result = data[0]
    for axis, size, start in zip((2, 3), sizes, offset, strict=True):
        room = result.shape[axis] - size
        if size < 1 or room < 0:
            raise ValueError(f"a crop of size {size} does not fit axis {axis} of size {result.shape[axis]}")
        begin = room // 2 if center_crop else start
        if not 0 <= begin <= room:
            raise ValueError(f"offset {start} leaves too little of axis {axis} of size {result.shape[axis]}")
        result = result.narrow(axis, begin, size)
    return result
