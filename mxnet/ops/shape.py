"""Operators that change the shape of arrays, join, split, repeat or reorder them."""

import functools
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, Literal

import torch
from torch.nn.functional import pad as torch_pad

from ..util import is_np_shape
from .gradients import selected_by
from .infer import UNKNOWN, is_known, same_shapes, unify
from .params import AnyAxes, Count
from .registry import OpDef, op, register
from .support import as_number, axis_exists, check_same_dtype, normalize_axis, without_data
from .types import Attrs, Dtypes, Shape, Shapes

# ---- reshape -------------------------------------------------------------------------------------------------------


def resolve_shape(shape: Sequence[int], target: Sequence[int], reverse: bool = False) -> Shape:
    """The shape that a ``reshape`` target with MXNet's codes means.

    0 keeps the dimension, -1 is inferred from the size, -2 copies all remaining dimensions, -3 merges two of them, -4
    splits one into the two numbers that follow (one of which may be -1). With ``reverse`` both are read from the end.
    """
    if reverse:
        return resolve_shape(shape[::-1], target[::-1])[::-1]
    result: list[int] = []
    inferred, source, i = None, 0, 0
    while i < len(target):
        code = target[i]
        i += 1
        if code > 0 or code == -1:
            if code == -1:
                if inferred is not None:
                    raise ValueError(f"only one dimension of the new shape {tuple(target)} can be -1")
                inferred = len(result)
            result.append(code)
            source += 1
            continue
        if code == -2:
            result.extend(shape[source:])
            source = len(shape)
            continue
        wanted = 2 if code == -3 else 1
        if code < -4:
            raise ValueError(f"{code} in the new shape {tuple(target)} has no meaning: expected -4 or more")
        if source + wanted > len(shape):
            raise ValueError(f"the new shape {tuple(target)} refers to more dimensions than {tuple(shape)} has")
        if code == 0:
            result.append(shape[source])
        elif code == -3:
            result.append(shape[source] * shape[source + 1])
        else:
            result.extend(_split_dimension(shape[source], target[i : i + 2]))
            i += 2
        source += wanted
    size = prod(shape)
    if inferred is not None:
        known = -prod(result)
        if known == 0 or size % known:
            raise ValueError(f"{size} elements of shape {tuple(shape)} do not fit the new shape {tuple(target)}")
        result[inferred] = size // known
    elif prod(result) != size:
        raise ValueError(f"shape {tuple(shape)} has {size} elements, the new shape {tuple(result)} has {prod(result)}")
    return tuple(result)


def _split_dimension(size: int, parts: Sequence[int]) -> Sequence[int]:
    if len(parts) < 2:
        raise ValueError("-4 must be followed by the two dimensions to split into")
    first, second = parts
    if first == -1 and second > 0:
        first = size // second
    elif second == -1 and first > 0:
        second = size // first
    if first < 0 or second < 0 or first * second != size:
        raise ValueError(f"a dimension of {size} cannot be split into {tuple(parts)}")
    return first, second


def _legacy_shape(shape: Shape, target: Shape, keep_highest: bool) -> Shape:
    """What ``target_shape`` of the oldest programs means: 0 is inferred, the first dimension may be kept."""
    wanted = list(target)
    if keep_highest:
        wanted[0] = shape[0]
    return resolve_shape(shape, [-1 if d == 0 else d for d in wanted])


@op("Reshape", aliases=("reshape",), view=True)
def reshape(
    data: torch.Tensor,
    *,
    shape: tuple[int, ...] = (),
    reverse: bool = False,
    target_shape: tuple[int, ...] = (),
    keep_highest: bool = False,
) -> torch.Tensor:
    """Gives an array another shape with the same elements in the same order.

    In ``shape``, 0 keeps a dimension, -1 is inferred, -2 copies all remaining dimensions, -3 merges two and -4 splits
    one into the two that follow. ``reverse`` reads both shapes from the end. ``target_shape`` and ``keep_highest`` are
    the form of old programs: there 0 is inferred, and the first dimension is kept on demand.
    """
    return data.reshape(_new_shape(data.shape, shape, reverse, target_shape, keep_highest))


def _new_shape(old: Shape, shape: Shape, reverse: bool, target_shape: Shape, keep_highest: bool) -> Shape:
    if shape:
        return resolve_shape(old, shape, reverse)
    if target_shape:
        return _legacy_shape(tuple(old), target_shape, keep_highest)
    raise ValueError("the new shape must be given")


@reshape.infer_shape
def _(shapes: Mapping[str, Shape], attrs: Attrs) -> list[Shape | None]:
    old, target = shapes["data"], attrs["shape"] or attrs["target_shape"]
    if UNKNOWN not in old:
        return [_new_shape(old, **attrs)]
    if all(d > 0 for d in target):
        return [target]
    # Two sizes that can be divided by the rest of the target: what differs depends on the unknown.
    rest = prod(d for d in target if d > 0)
    try:
        a, b = (_new_shape(tuple(n * rest if d == UNKNOWN else d for d in old), **attrs) for n in (96, 192))
    except ValueError:  # an unknown dimension that has to have a certain size
        return [None]
    return [tuple(x if x == y else UNKNOWN for x, y in zip(a, b, strict=True))]


def fill_one_unknown(shape: Shape | None, size: int) -> Shape | None:
    """A shape with one unknown dimension, completed so that it has ``size`` elements."""
    if shape is None or shape.count(UNKNOWN) != 1:
        return shape
    known = prod(d for d in shape if d != UNKNOWN)
    return tuple(size // known if d == UNKNOWN else d for d in shape) if known and size % known == 0 else shape


@reshape.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    target = attrs["shape"]
    if target and all(d > 0 for d in target):
        shapes["data"] = fill_one_unknown(shapes["data"], prod(target))


@reshape.infer_back
def _(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    if outputs[0] is not None and UNKNOWN not in outputs[0]:
        shapes["data"] = fill_one_unknown(shapes["data"], prod(outputs[0]))


@op("reshape_like", view=True)
@selected_by("rhs")
def reshape_like(
    lhs: torch.Tensor,
    rhs: torch.Tensor,
    *,
    lhs_begin: int | None = None,
    lhs_end: int | None = None,
    rhs_begin: int | None = None,
    rhs_end: int | None = None,
) -> torch.Tensor:
    """Gives ``lhs`` the shape of ``rhs``, or replaces its dimensions [begin, end) by those of ``rhs``."""
    left_begin, left_end = _dimension_range(lhs.dim(), lhs_begin, lhs_end, "lhs")
    right_begin, right_end = _dimension_range(rhs.dim(), rhs_begin, rhs_end, "rhs")
    target = (*lhs.shape[:left_begin], *rhs.shape[right_begin:right_end], *lhs.shape[left_end:])
    if prod(target) != lhs.numel():
        raise ValueError(f"the new shape {target} has {prod(target)} elements, lhs has {lhs.numel()}")
    return lhs.reshape(target)


def _dimension_range(ndim: int, begin: int | None, end: int | None, what: str) -> tuple[int, int]:
    first = 0 if begin is None else begin + ndim if begin < 0 else begin
    last = ndim if end is None else end + ndim if end < 0 else end
    whole = begin is None and end is None  # of an array without dimensions too
    if not whole and not 0 <= first < last <= ndim:
        raise ValueError(
            f"{what}_begin={begin} and {what}_end={end} are not a range of the {ndim} dimension(s) of {what}"
        )
    return first, last


def first_dtype(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    """The dtype rule of operators whose other inputs only tell a shape."""
    first, *others = dtypes
    for name in others:
        dtypes[name] = dtypes[name] or dtypes[first]
    return [dtypes[first]]


reshape_like.infer_dtype(first_dtype)


@op("Flatten", aliases=("flatten",), view=True)
def flatten(data: torch.Tensor) -> torch.Tensor:
    """Collapses all dimensions but the first into one."""
    if not data.dim():
        raise ValueError("a 0-d array cannot be flattened")
    return data.reshape(data.shape[0], prod(data.shape[1:]))


@op("transpose", view=True)
def transpose(data: torch.Tensor, *, axes: tuple[int, ...] = ()) -> torch.Tensor:
    """Permutes the dimensions by ``axes``; by default it reverses their order."""
    if not axes:
        return data.permute(*range(data.dim() - 1, -1, -1))
    if sorted(axes) != list(range(data.dim())):
        raise ValueError(f"axes must be a permutation of 0..{data.dim() - 1}, got {axes}")
    return data.permute(axes)


@transpose.infer_back
def _(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    known = outputs[0]
    if known is not None:
        axes = attrs["axes"] or tuple(range(len(known)))[::-1]
        if sorted(axes) == list(range(len(known))):
            source = tuple(known[axes.index(i)] for i in range(len(known)))
            shapes["data"] = unify(shapes["data"], source, "transpose: input 'data'")


@op("SwapAxis", aliases=("swapaxes",), view=True)
def swap_axis(data: torch.Tensor, *, dim1: int = 0, dim2: int = 0) -> torch.Tensor:
    """Exchanges two dimensions."""
    return data.transpose(normalize_axis(dim1, data.dim(), "dim1"), normalize_axis(dim2, data.dim(), "dim2"))


@op("expand_dims", view=True)
def expand_dims(data: torch.Tensor, *, axis: int) -> torch.Tensor:
    """Inserts a dimension of size 1 before position ``axis``."""
    return data.unsqueeze(normalize_axis(axis, data.dim() + 1))


@expand_dims.infer_back
def _(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    known = outputs[0]
    if known is not None and axis_exists(attrs["axis"], len(known)):
        axis = normalize_axis(attrs["axis"], len(known))
        source = known[:axis] + known[axis + 1 :]
        shapes["data"] = unify(shapes["data"], source, "expand_dims: input 'data'")


@op("squeeze", view=True)
def squeeze(data: torch.Tensor, *, axis: tuple[int, ...] | None = None) -> torch.Tensor:
    """Removes dimensions of size 1: all of them, or those in ``axis``. One dimension always stays."""
    if axis is None:
        kept = [d for d in data.shape if d != 1]
    else:
        axes = {normalize_axis(a, data.dim()) for a in axis}
        if len(axes) < len(axis):
            raise ValueError(f"axis {axis} names a dimension twice")
        for a in axes:
            if data.shape[a] != 1:
                raise ValueError(f"axis {a} has size {data.shape[a]}; only dimensions of size 1 can be squeezed out")
        kept = [d for i, d in enumerate(data.shape) if i not in axes]
    return data.reshape(kept or (1,))


# ---- joining and splitting -----------------------------------------------------------------------------------------


@op("stack", count="num_args")
def stack(*data: torch.Tensor, axis: int = 0, num_args: Count) -> torch.Tensor:
    """Joins arrays of one shape along a new dimension."""
    check_same_dtype(*data)
    first = data[0]
    axis = normalize_axis(axis, first.dim() + 1)
    if first.is_meta:
        if any(d.shape != first.shape for d in data):
            raise ValueError(f"arrays of one shape are needed, got {', '.join(str(tuple(d.shape)) for d in data)}")
        return first.new_empty((*first.shape[:axis], len(data), *first.shape[axis:]))
    return torch.stack(data, axis)


@stack.infer_back
def _(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    one: Shape | None = None
    for shape in shapes.values():  # together they tell the result, once it is wholly known; nothing follows for them
        one = unify(one, shape, "stack: arrays of one shape are needed")
    if one is not None and is_known(one):
        axis = normalize_axis(attrs["axis"], len(one) + 1)
        outputs[0] = unify(outputs[0], (*one[:axis], len(shapes), *one[axis:]), "stack: output 0")


@stack.infer_shape
def _(shapes: Shapes, attrs: Attrs) -> list[Shape | None]:
    return [None]  # see above


def _concat(*data: torch.Tensor, dim: int = 1, num_args: Count) -> torch.Tensor:
    check_same_dtype(*data)
    first = data[0]
    dim = normalize_axis(dim, first.dim(), "dim")
    for i, tensor in enumerate(data):
        # torch skips empty vectors among other shapes, so the shapes are compared here
        if tensor.shape[:dim] != first.shape[:dim] or tensor.shape[dim + 1 :] != first.shape[dim + 1 :]:
            raise ValueError(
                f"input {i} has shape {tuple(tensor.shape)}; all dimensions but {dim} must be those of "
                f"{tuple(first.shape)}"
            )
    if first.is_meta:
        total = sum(tensor.shape[dim] for tensor in data)
        return first.new_empty((*first.shape[:dim], total, *first.shape[dim + 1 :]))
    return torch.cat(data, dim)


def concat_args(shapes: Shapes, attrs: Attrs) -> None:
    """Arrays that are joined agree in every dimension but ``dim``."""
    _unify_except(shapes, attrs["dim"], None)


def concat_back(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs, most: int = 1) -> None:
    """``most`` inputs of unknown length along ``dim`` may be left; they share what is left over."""
    known = outputs[0]
    if known is None or not axis_exists(attrs["dim"], len(known)):
        return
    _unify_except(shapes, attrs["dim"], known)
    dim = normalize_axis(attrs["dim"], len(known), "dim")
    open_ends = [n for n, s in shapes.items() if s is not None and s[dim] == UNKNOWN]
    if 0 < len(open_ends) <= most and known[dim] != UNKNOWN and all(s is not None for s in shapes.values()):
        rest = known[dim] - sum(s[dim] for n, s in shapes.items() if s is not None and n not in open_ends)
        if rest > 0 and rest % len(open_ends) == 0:
            for name in open_ends:
                shape = shapes[name]
                assert shape is not None
                shapes[name] = (*shape[:dim], rest // len(open_ends), *shape[dim + 1 :])


def _unify_except(shapes: Shapes, dim: int, output: Shape | None) -> None:
    """Makes the shapes of all inputs and the output agree in every dimension but ``dim``."""
    common: Shape | None = None
    for name, shape in [("output", output), *shapes.items()]:
        if shape is not None and axis_exists(dim, len(shape)):
            axis = normalize_axis(dim, len(shape))
            common = unify(common, (*shape[:axis], UNKNOWN, *shape[axis + 1 :]), name)
    if common is not None:
        for name, shape in shapes.items():
            shapes[name] = unify(shape, common, name)


for _name, _aliases, _doc in [
    ("Concat", ("concat",), "Joins arrays along the dimension ``dim``; all other dimensions must agree."),
    ("_rnn_param_concat", (), "Joins the parameters of a recurrent layer into the one vector that RNN takes."),
]:
    _opdef = register(
        _name,
        _concat,
        aliases=_aliases,
        count="num_args",
        doc=_doc,
    )
    _opdef.infer_args(concat_args)
    # Of a recurrent layer's parameters those of the first layer, one for each direction, may wait for the data.
    _opdef.infer_back(functools.partial(concat_back, most=2) if _name == "_rnn_param_concat" else concat_back)


@op("SliceChannel", aliases=("split",), outputs=lambda attrs: attrs["num_outputs"], view=True)
def slice_channel(
    data: torch.Tensor, *, num_outputs: Count, axis: int = 1, squeeze_axis: bool = False
) -> torch.Tensor | tuple[torch.Tensor, ...]:
    """Splits an array into ``num_outputs`` equal parts along ``axis``.

    ``squeeze_axis`` removes that dimension, which must then be as large as ``num_outputs``.
    """
    axis = normalize_axis(axis, data.dim())
    size = data.shape[axis]
    if num_outputs < 1:
        raise ValueError(f"num_outputs must be at least 1, got {num_outputs}")
    if squeeze_axis:
        if size != num_outputs:
            raise ValueError(f"with squeeze_axis the size of axis {axis}, {size}, must be num_outputs={num_outputs}")
        parts = data.unbind(axis)
    elif size % num_outputs:
        raise ValueError(f"axis {axis} of size {size} cannot be split into {num_outputs} equal parts")
    else:
        # split has one gradient for all parts, tensor_split one for each; only the latter makes many parts of nothing
        parts = data.split(size // num_outputs, axis) if size else data.tensor_split(num_outputs, axis)
    return parts[0] if num_outputs == 1 else tuple(parts)


@slice_channel.infer_back
def _(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    data = shapes["data"]
    if data is None:
        return
    axis, count = normalize_axis(attrs["axis"], len(data)), attrs["num_outputs"]
    for i, part in enumerate(outputs):
        if part is not None:
            size = count if attrs["squeeze_axis"] else part[axis] * count
            rest = part[axis:] if attrs["squeeze_axis"] else part[axis + 1 :]
            data = unify(data, (*part[:axis], size, *rest), f"SliceChannel: output {i}")
    shapes["data"] = data


@op("_split_v2", outputs=lambda attrs: attrs["sections"] or len(attrs["indices"]), view=True)
def split_v2(
    data: torch.Tensor, *, indices: tuple[int, ...], axis: int = 1, squeeze_axis: bool = False, sections: int = 0
) -> torch.Tensor | tuple[torch.Tensor, ...]:
    """Splits an array along ``axis`` into parts that start at ``indices``, or into ``sections`` nearly equal parts."""
    axis = normalize_axis(axis, data.dim())
    size = data.shape[axis]
    if sections > 0:
        parts = data.tensor_split(sections, axis)
    else:
        if not indices or indices[0] != 0:
            raise ValueError(f"indices must start with 0, the start of the first part, got {indices}")
        ends = (*indices[1:], size) if size else (indices := (0,) * len(indices))
        for start, end in zip(indices, ends, strict=True):
            if not start <= end <= size:
                raise ValueError(f"indices {indices} must not decrease or exceed the size of axis {axis}, {size}")
        parts = data.split_with_sizes([end - start for start, end in zip(indices, ends, strict=True)], axis)
    if squeeze_axis:
        for part in parts:
            if part.shape[axis] != 1:
                raise ValueError(f"with squeeze_axis every part must have size 1 along axis {axis}")
        parts = tuple(part.squeeze(axis) for part in parts)
    return parts[0] if len(parts) == 1 else tuple(parts)


# ---- repeating, padding and reordering -----------------------------------------------------------------------------


@op("repeat")
def repeat(data: torch.Tensor, *, repeats: int, axis: int | None = None) -> torch.Tensor:
    """Repeats each element ``repeats`` times along ``axis``; without an axis the array is flattened first."""
    if repeats < 0:
        raise ValueError(f"repeats cannot be negative, got {repeats}")
    if axis is not None:
        axis = normalize_axis(axis, data.dim())
    if repeats == 0:
        return data.reshape(-1)[:0].clone()
    return data.repeat_interleave(repeats, axis)


@op("tile")
def tile(data: torch.Tensor, *, reps: AnyAxes) -> torch.Tensor:
    """Repeats the whole array ``reps`` times along each dimension, from the last one on if there are fewer numbers."""
    least = 0 if is_np_shape() else 1  # otherwise a size of 0 would stand for an unknown one
    if any(r < least for r in reps):
        raise ValueError(f"reps must be at least {least}, got {reps}")
    if data.is_meta:
        rank = max(data.dim(), len(reps))
        ones = (1,) * rank
        sizes, times = (ones + tuple(data.shape))[-rank:] if rank else (), (ones + reps)[-rank:] if rank else ()
        return without_data(data, [n * r for n, r in zip(sizes, times, strict=True)])
    return data.tile(reps)


@op("reverse", aliases=("flip",))
def reverse(data: torch.Tensor, *, axis: tuple[int, ...]) -> torch.Tensor:
    """Reverses the order of elements along each given axis."""
    for a in axis:
        if not 0 <= a < data.dim():
            raise ValueError(f"axis {a} must be one of 0..{data.dim() - 1}")
    return data.flip([a for a in set(axis) if axis.count(a) % 2])


reverse.infer_back(same_shapes)

_PAD_MODES = {"constant": "constant", "edge": "replicate", "reflect": "reflect"}


@op("Pad", aliases=("pad",))
def pad(
    data: torch.Tensor,
    *,
    mode: Literal["constant", "edge", "reflect"],
    pad_width: tuple[int, ...],
    constant_value: float = 0.0,
) -> torch.Tensor:
    """Pads the last dimensions of a 4-D or 5-D array.

    ``pad_width`` has a (before, after) pair for every dimension, the first two pairs being zero. The border is filled
    with ``constant_value``, the nearest element (``edge``) or the mirror image of the array (``reflect``).
    """
    if data.dim() not in (4, 5):
        raise ValueError(f"data must have 4 or 5 dimensions, it has {data.dim()}")
    if not data.is_floating_point():
        raise TypeError("data must be of a floating type")
    if len(pad_width) != 2 * data.dim():
        raise ValueError(f"pad_width must have {2 * data.dim()} numbers, a pair for each dimension, got {pad_width}")
    if any(pad_width[:4]):
        raise ValueError(f"the first two dimensions cannot be padded, got pad_width={pad_width}")
    pairs = [pad_width[i : i + 2] for i in range(len(pad_width) - 2, 2, -2)]
    if mode == "reflect":
        for axis, pair in zip(range(data.dim() - 1, 1, -1), pairs, strict=True):
            if max(pair) >= data.shape[axis]:
                raise ValueError(f"reflection of axis {axis} must be smaller than its size, {data.shape[axis]}")
    if data.is_meta:
        grown = [n + pad_width[2 * i] + pad_width[2 * i + 1] for i, n in enumerate(data.shape)]
        return without_data(data, grown)
    widths = [width for pair in pairs for width in pair]
    value = as_number(constant_value, data.dtype) if mode == "constant" else None
    return torch_pad(data, widths, _PAD_MODES[mode], value)


def _check_blocks(data: torch.Tensor, block_size: int) -> None:
    if data.dim() != 4:
        raise ValueError(f"data must have 4 dimensions, it has {data.dim()}")
    if block_size < 1:
        raise ValueError(f"block_size must be positive, got {block_size}")


@op("depth_to_space", view=True)
def depth_to_space(data: torch.Tensor, *, block_size: int) -> torch.Tensor:
    """Moves channels of an NCHW array into blocks of ``block_size`` x ``block_size`` pixels."""
    _check_blocks(data, block_size)
    batch, channels, height, width = data.shape
    if channels % (block_size * block_size):
        raise ValueError(f"the number of channels, {channels}, must be a multiple of block_size squared")
    left = channels // (block_size * block_size)
    blocks = data.reshape(batch, block_size, block_size, left, height, width).permute(0, 3, 4, 1, 5, 2)
    return blocks.reshape(batch, left, height * block_size, width * block_size)


@op("space_to_depth", view=True)
def space_to_depth(data: torch.Tensor, *, block_size: int) -> torch.Tensor:
    """Moves blocks of height and width of an NCHW array into channels, the inverse of ``depth_to_space``."""
    _check_blocks(data, block_size)
    batch, channels, height, width = data.shape
    if height % block_size or width % block_size:
        raise ValueError(f"height and width, {height} and {width}, must be multiples of block_size={block_size}")
    rows, columns = height // block_size, width // block_size
    blocks = data.reshape(batch, channels, rows, block_size, columns, block_size).permute(0, 3, 5, 1, 2, 4)
    return blocks.reshape(batch, channels * block_size * block_size, rows, columns)


def _blocks_args(shapes: Shapes, attrs: Attrs) -> None:
    data = shapes["data"]
    if data is not None and UNKNOWN in data[1:]:
        raise ValueError("channels, height and width must be known and not 0")


depth_to_space.infer_args(_blocks_args)
space_to_depth.infer_args(_blocks_args)


@op("diag", view=True)
def diag(data: torch.Tensor, *, k: int = 0, axis1: int = 0, axis2: int = 1) -> torch.Tensor:
    """The k-th diagonal of the planes of ``axis1`` and ``axis2``; of a vector, the matrix that has it as diagonal."""
    if data.dim() == 1:
        size = data.shape[0] + abs(k)
        return without_data(data, (size, size)) if data.is_meta else data.diag_embed(k)
    first, second = normalize_axis(axis1, data.dim(), "axis1"), normalize_axis(axis2, data.dim(), "axis2")
    if first == second:
        raise ValueError(f"axis1 and axis2 must differ, both are {first}")
    if min(data.shape[first] + min(k, 0), data.shape[second] - max(k, 0)) < 0:
        raise ValueError(f"a plane of {data.shape[first]}x{data.shape[second]} has no diagonal {k}")
    return data.diagonal(k, first, second)


# ---- what an array looks like --------------------------------------------------------------------------------------


def _int64_dtype(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    return [torch.int64]


def _describing(name: str, numbers: Any, doc: str) -> OpDef:
    """An operator that tells int64 numbers about the shape of its input."""

    def kernel(data: torch.Tensor) -> torch.Tensor:
        return torch.tensor(numbers(data), dtype=torch.int64, device=data.device)

    opdef = register(name, kernel, doc=doc, gradient="zero")
    opdef.infer_dtype(_int64_dtype)
    return opdef


shape_array = _describing("shape_array", lambda data: list(data.shape), "The size of each dimension, as int64.")
size_array = _describing("size_array", lambda data: [data.numel()], "The number of elements, as int64.")
