"""Operators that change shapes, join, split, repeat, cut, and constants."""

from __future__ import annotations

from math import prod
from typing import Any

import torch

from ....error import MXNetNotImplementedError, MXNetValueError
from ..graph import Builder, OnnxNode, Value, importer
from ..read import LARGEST, LARGEST_RUNNING, tensor
from .reduce import axes_of

_FAR = 2**31 - 1


@importer("Constant")
def constant(b: Builder, n: OnnxNode) -> Value:
    if "value" in n.attrs:
        return b.const(tensor(n.attrs["value"], b.folder))
    for key, dtype in (("value_float", torch.float32), ("value_floats", torch.float32), ("value_int", torch.int64),
                       ("value_ints", torch.int64)):  # fmt: skip
        if key in n.attrs:
            return b.const(n.attrs[key], dtype)
    raise MXNetNotImplementedError("a constant that is neither numbers nor a dense tensor")


def _sizes(shape: Any, largest: int = LARGEST) -> tuple[int, ...]:
    if any(d < 0 for d in shape) or prod(shape) > largest:
        raise MXNetValueError(f"an array of shape {tuple(shape)} cannot be made")
    return tuple(shape)


@importer("ConstantOfShape")
def constant_of_shape(b: Builder, n: OnnxNode) -> Value:
    value = tensor(n.attrs["value"], b.folder).reshape(-1)[:1] if "value" in n.attrs else torch.zeros(1)
    return b.consts([value.expand(_sizes(s)).clone() for s in b.int_trials(n.x, "the shape")])


@importer("Range")
def range_(b: Builder, n: OnnxNode) -> Value:
    values = [n.need(i) for i in range(3)]
    if not all(v.constant for v in values):
        raise MXNetNotImplementedError("a range that is only known when the model runs")
    made = []
    for start, stop, step in zip(*[v.trials for v in values], strict=True):
        first, last, by = start.item(), stop.item(), step.item()
        if not by or not abs((last - first) / by) < LARGEST:
            raise MXNetValueError(f"a range from {first} to {last} by {by} cannot be made")
        count = max(0, -int(-(last - first) // by))
        made.append((torch.arange(count, dtype=torch.float64) * by + first).to(start.dtype))
    return b.consts(made)


@importer("EyeLike")
def eye_like(b: Builder, n: OnnxNode) -> Value:
    from ...package import torch_type

    dtype = torch_type(n.get("dtype"), "the result") if "dtype" in n.attrs else n.x.dtype
    return b.consts([_eye(s, n.get("k", 0), dtype) for s in n.x.shapes])


def _eye(shape: Any, k: int, dtype: torch.dtype) -> torch.Tensor:
    rows, columns = _sizes(shape)
    return (torch.arange(columns) - torch.arange(rows).unsqueeze(1) == k).to(dtype)


@importer("Shape")
def shape(b: Builder, n: OnnxNode) -> Value:
    x, start, end = n.x, n.get("start", 0), n.get("end")
    found = b.consts([torch.tensor(s[start:end], dtype=torch.int64) for s in x.shapes])
    if not x.constant and found.trials[0].numel():
        first, last, _ = slice(start, end).indices(x.ndim)
        found.recipe = lambda: b.symbol(b.slice(b.call("shape_array", x), 0, first, last))
    return found


@importer("Size")
def size(b: Builder, n: OnnxNode) -> Value:
    found = b.consts([torch.tensor(prod(s)) for s in n.x.shapes])
    if not n.x.constant:
        found.recipe = lambda: b.symbol(b.call("size_array", n.x))
    return found


@importer("Reshape")
def reshape(b: Builder, n: OnnxNode) -> Value:
    given = n.optional(1)
    wanted = b.int_trials(given, "the new shape") if given is not None else [n.get("shape")] * b.trials
    targets = [_target(s, w, n.get("allowzero", 0)) for s, w in zip(n.x.shapes, wanted, strict=True)]
    code = tuple(wanted[0])
    open_ended = -1 in code and all(tuple(w) == code for w in wanted) and all(prod(t) for t in targets)
    if n.x.constant or not open_ended or targets == n.x.shapes:
        return b.reshape(n.x, targets)
    # 0 and -1 mean the same to MXNet: written as they are, the shape holds for batches of other sizes, too
    return b.call("Reshape", n.x, shape=code, truth=n.x.truth, bare=False)


def _target(shape: tuple[int, ...], wanted: Any, allow_zero: int) -> tuple[int, ...]:
    if not allow_zero and any(d == 0 and i >= len(shape) for i, d in enumerate(wanted)):
        raise MXNetValueError(f"the new shape {tuple(wanted)} keeps dimensions that {shape} has not")
    sizes = [shape[i] if d == 0 and not allow_zero else d for i, d in enumerate(wanted)]
    total, known = prod(shape), prod(d for d in sizes if d != -1)
    if sizes.count(-1) == 1 and known and total % known == 0:
        sizes[sizes.index(-1)] = total // known
    if any(d < 0 for d in sizes) or prod(sizes) != total:
        raise MXNetValueError(f"shape {shape} cannot become {tuple(wanted)}")
    return tuple(sizes)


@importer("Flatten")
def flatten(b: Builder, n: OnnxNode) -> Value:
    axis = n.get("axis", 1)
    axis = axis + n.x.ndim if axis < 0 else axis
    if axis == 1 and n.x.ndim > 1 and not n.x.constant:
        return b.call("Flatten", n.x)
    return b.reshape(n.x, [(prod(s[:axis]), prod(s[axis:])) for s in n.x.shapes])


@importer("Squeeze")
def squeeze(b: Builder, n: OnnxNode) -> Value:
    axes = axes_of(b, n)
    if axes is None:
        axes = [i for i, d in enumerate(n.x.shape) if d == 1]
    for s in n.x.shapes:
        for a in axes:
            if s[a] != 1:
                raise MXNetValueError(f"axis {a} of shape {s} is not of size 1")
    if not n.x.constant and 0 < len(axes) < n.x.ndim:
        return b.call("squeeze", n.x, axis=tuple(axes), truth=n.x.truth)
    return b.reshape(n.x, [tuple(d for i, d in enumerate(s) if i not in axes) for s in n.x.shapes])


@importer("Unsqueeze")
def unsqueeze(b: Builder, n: OnnxNode) -> Value:
    given = n.optional(1)
    axes = b.ints(given, "the axes") if given is not None else n.attrs["axes"]
    count = n.x.ndim + len(axes)
    if count > 32 or any(not -count <= a < count for a in axes):
        raise MXNetValueError(f"axes {axes} are out of range for {count} dimensions")
    places = sorted(a % count for a in axes)
    if n.x.constant or n.x.scalar:
        return b.reshape(n.x, [_spread(s, places) for s in n.x.shapes])
    x = n.x
    for place in places:
        x = b.call("expand_dims", x, axis=place, truth=x.truth)
    return x


def _spread(shape: tuple[int, ...], places: list[int]) -> tuple[int, ...]:
    sizes = list(shape)
    for place in places:
        sizes.insert(place, 1)
    return tuple(sizes)


@importer("Transpose")
def transpose(b: Builder, n: OnnxNode) -> Value:
    return b.transpose(n.x, n.get("perm") or list(range(n.x.ndim))[::-1])


@importer("Concat")
def concat(b: Builder, n: OnnxNode) -> Value:
    values = [n.need(i) for i in range(len(n.inputs))]
    axis = n.get("axis", 1)
    if len(values) == 1:
        return values[0]
    return b.call("Concat", *values, dim=axis, truth=values[0].truth)


@importer("Split")
def split(b: Builder, n: OnnxNode) -> list[Value]:
    axis = n.get("axis", 0) % n.x.ndim
    given = n.optional(1)
    count = len(n.outputs)
    sizes = b.ints(given, "the sizes") if given is not None else n.get("split")
    if sizes is None:
        length = n.x.shape[axis]
        each = -(-length // count)
        if all(s[axis] % count == 0 for s in n.x.shapes):
            made = b.call("SliceChannel", n.x, num_outputs=count, axis=axis, truth=n.x.truth)
            return [made] if count == 1 else made
        sizes = [each] * (count - 1) + [length - each * (count - 1)]
    if len(sizes) != count or any(sum(sizes) != s[axis] or min(sizes) < 0 for s in n.x.shapes):
        raise MXNetValueError(f"the sizes {sizes} do not fit axis {axis} of shape {n.x.shape}")
    if count == 1:
        return [n.x]
    if all(s == sizes[0] for s in sizes) and sizes[0]:
        return b.call("SliceChannel", n.x, num_outputs=count, axis=axis, truth=n.x.truth)
    starts = tuple(sum(sizes[:i]) for i in range(count))
    return b.call("_split_v2", n.x, indices=starts, axis=axis, truth=n.x.truth)


@importer("Slice")
def slice_(b: Builder, n: OnnxNode) -> Value:
    x = n.x
    if n.opset < 10:
        parts: Any = [[n.get("starts")] * b.trials, [n.get("ends")] * b.trials]
        axes, steps = n.get("axes"), None
    else:
        parts = [b.int_trials(n.need(1), "starts"), b.int_trials(n.need(2), "ends")]
        axes = b.ints(n.need(3), "axes") if n.optional(3) is not None else None
        steps = b.ints(n.need(4), "steps") if n.optional(4) is not None else None
    count = len(parts[0][0])
    axes = [a % x.ndim for a in (axes if axes is not None else range(count))]
    steps = steps or [1] * count
    begin: list[Any] = [None] * x.ndim
    end, step, late = list(begin), list(begin), []
    for i, (axis, by) in enumerate(zip(axes, steps, strict=True)):
        if by == 0:
            raise MXNetValueError("a step of 0")
        found = []
        for trial, s in enumerate(x.shapes):
            found.append(_bounds(parts[0][trial][i], parts[1][trial][i], by, s[axis]))
        if any(f != found[0] for f in found):
            lengths = [len(range(s[axis])[slice(*f)]) for s, f in zip(x.shapes, found, strict=True)]
            if by != 1 or any(first is not None for first, _ in found) or 0 in lengths:
                raise MXNetNotImplementedError("a slice whose bounds depend on dynamic dimensions: use input_shapes=")
            late.append((axis, lengths))
            continue
        begin[axis], end[axis], step[axis] = *found[0], None if by == 1 else by
    cut = [a for a in axes if a not in [axis for axis, _ in late]]
    some = all(range(s[a])[slice(begin[a], end[a])] for s in x.shapes for a in cut)  # slice_axis gives no empty ones
    if all(s is None for s in step) and some and not x.constant:
        if len(axes) > 1:
            b.skip_name("slice_axis")  # the original cuts the first axis twice
        for axis in cut:
            x = b.slice(x, axis, begin[axis], end[axis])
    elif any(v is not None for v in (*begin, *end, *step)):
        steps = step if any(s is not None for s in step) else []
        x = b.call("slice", x, begin=tuple(begin), end=tuple(end), step=tuple(steps), truth=x.truth)
    for axis, lengths in late:
        x = _narrow(b, x, axis, lengths)
    return x


def _narrow(b: Builder, x: Value, axis: int, lengths: list[int]) -> Value:
    """The front of an axis, as long as a dynamic dimension."""
    if x.constant:
        made = [t.narrow(axis, 0, k) for t, k in zip(x.trials, lengths, strict=True)]
        found = Value(x.name, made, None, True, False, x.truth)
        found.recipe = lambda: b.symbol(_narrow(b, b.running(x), axis, lengths))
        return found
    zeros = b.zeros_of(lengths, torch.float32)
    if zeros is None:
        raise MXNetNotImplementedError("a slice whose length is not that of a dynamic dimension: use input_shapes=")
    like = b.call("Reshape", zeros, shape=[-1 if a == axis else 1 for a in range(x.ndim)], bare=False)
    return b.call("slice_like", x, like, axes=(axis,), truth=x.truth, bare=False)


def _bounds(start: int, stop: int, step: int, size: int) -> tuple[int | None, int | None]:
    """Bounds in Python's terms; None is the border, whatever the size."""
    if step > 0:
        first = None if start <= -size or start == 0 else start
        last = None if stop >= size else stop
        return first, last
    first = None if start >= size - 1 or start == -1 else start
    last = None if stop <= -size - 1 else stop
    return first, last


@importer("Expand")
def expand(b: Builder, n: OnnxNode) -> Value:
    wanted = b.int_trials(n.need(1), "the shape")
    pairs = zip(n.x.shapes, wanted, strict=True)
    targets = [tuple(torch.broadcast_shapes(s, _sizes(w, LARGEST_RUNNING))) for s, w in pairs]
    return b.broadcast(n.x, targets)


@importer("Tile")
def tile(b: Builder, n: OnnxNode) -> Value:
    reps = b.ints(n.need(1), "the repeats")
    if any(r < 1 for r in reps) or prod(reps) * prod(n.x.shape) > LARGEST_RUNNING:
        raise MXNetValueError(f"repeats of {reps}")
    return b.call("tile", n.x, reps=tuple(reps), truth=n.x.truth)


@importer("Pad")
def pad(b: Builder, n: OnnxNode) -> Value:
    x = n.x
    mode = n.get("mode", "constant")
    if n.opset < 11:
        widths, fill = n.get("pads", n.get("paddings")), float(n.get("value", 0.0))
    else:
        widths = b.ints(n.need(1), "the padding")
        value = n.optional(2)
        number = 0.0 if value is None else value.number()
        if number is None:
            raise MXNetNotImplementedError("a filling that is only known when the model runs")
        fill = float(number)
        if n.optional(3) is not None:
            axes = [a % x.ndim for a in b.ints(n.need(3), "the axes")]
            whole = [0] * (2 * x.ndim)
            for i, a in enumerate(axes):
                whole[a], whole[a + x.ndim] = widths[i], widths[i + len(axes)]
            widths = whole
    if len(widths) != 2 * x.ndim:
        raise MXNetValueError(f"padding {widths} does not fit {x.ndim} dimensions")
    return pad_axes(b, x, list(zip(widths[: x.ndim], widths[x.ndim :], strict=True)), mode, fill)


def pad_axes(b: Builder, x: Value, pairs: list[tuple[int, int]], mode: str = "constant", fill: float = 0.0) -> Value:
    """A border around an array; negative widths cut."""
    if any(p + q > LARGEST for p, q in pairs):
        raise MXNetValueError(f"padding of {pairs}")
    cut = [(max(-p, 0), max(-q, 0)) for p, q in pairs]
    for axis, (p, q) in enumerate(cut):
        if p or q:
            x = b.slice(x, axis, p, -q if q else None)
    pairs = [(max(p, 0), max(q, 0)) for p, q in pairs]
    if not any(p or q for p, q in pairs):
        return x
    more = max(2 - next(i for i, p in enumerate(pairs) if any(p)), 4 - x.ndim, 0)
    if x.ndim + more <= 5 and x.dtype.is_floating_point and mode in ("constant", "edge", "reflect"):
        lifted = b.reshape(x, [(*[1] * more, *s) for s in x.shapes]) if more else x
        width = [0, 0] * more + [w for pair in pairs for w in pair]
        made = b.call("Pad", lifted, mode=mode, pad_width=tuple(width), constant_value=fill)
        grown = [tuple(d + p + q for d, (p, q) in zip(s, pairs, strict=True)) for s in x.shapes]
        return b.reshape(made, grown) if more else made
    for axis, (p, q) in enumerate(pairs if mode != "constant" else []):
        if p or q:
            x = b.call("take", x, b.consts([_around(s[axis], p, q, mode) for s in x.shapes]), axis=axis, truth=x.truth)
    for axis, (p, q) in enumerate(pairs if mode == "constant" else []):
        for count, front in ((p, True), (q, False)):
            if count:
                border = b.consts(
                    [torch.full(_sizes((*s[:axis], count, *s[axis + 1 :])), fill).to(x.dtype) for s in x.shapes]
                )
                x = b.call("Concat", *((border, x) if front else (x, border)), dim=axis)
    return x


def _around(size: int, before: int, after: int, mode: str) -> torch.Tensor:
    """Which elements of an axis are in its border, and in itself."""
    places = torch.arange(-before, size + after)
    if not size:
        raise MXNetValueError(f"padding of mode {mode!r} around nothing")
    if mode == "edge":
        return places.clamp(0, size - 1)
    if mode == "wrap":
        return places % size
    if mode == "reflect":
        span = max(2 * (size - 1), 1)
        again = places % span
        return torch.minimum(again, span - again)
    raise MXNetValueError(f"padding of mode {mode!r}")


@importer("DepthToSpace")
def depth_to_space(b: Builder, n: OnnxNode) -> Value:
    block = n.attrs["blocksize"]
    if n.get("mode", "DCR") == "DCR":
        return b.call("depth_to_space", n.x, block_size=block)
    shapes = n.x.shapes
    apart = b.reshape(n.x, [(s[0], s[1] // block**2, block, block, *s[2:]) for s in shapes])
    moved = b.transpose(apart, [0, 1, 4, 2, 5, 3])
    return b.reshape(moved, [(s[0], s[1] // block**2, s[2] * block, s[3] * block) for s in shapes])


@importer("SpaceToDepth")
def space_to_depth(b: Builder, n: OnnxNode) -> Value:
    block, shapes = n.attrs["blocksize"], n.x.shapes
    if n.get("mode", "DCR") == "DCR":
        return b.call("space_to_depth", n.x, block_size=block)
    apart = b.reshape(n.x, [(*s[:2], s[2] // block, block, s[3] // block, block) for s in shapes])
    moved = b.transpose(apart, [0, 1, 3, 5, 2, 4])
    return b.reshape(moved, [(s[0], s[1] * block**2, s[2] // block, s[3] // block) for s in shapes])


@importer("Trilu")
def trilu(b: Builder, n: OnnxNode) -> Value:
    k = b.ints(n.need(1), "k")[0] if n.optional(1) is not None else 0
    x, last = n.x, n.x.ndim - 1
    rows, columns = (b.consts([torch.arange(s[a]) for s in x.shapes]) for a in (last - 1, last))
    shifted = b.reshape(b.call("_plus_scalar", rows, scalar=float(k)), [(s[last - 1], 1) for s in x.shapes])
    columns = b.reshape(columns, [(1, s[last]) for s in x.shapes])
    kept = b.binary("broadcast_lesser_equal" if n.get("upper", 1) else "broadcast_greater_equal", shifted, columns)
    # not a product: what is cut off may be infinite
    mask = b.broadcast(b.expand_to(kept, x.ndim), x.shapes) if x.has_fixed_shape or x.constant else None
    if mask is None:
        mask = b.call("broadcast_like", b.expand_to(kept, x.ndim), x, bare=False)
    return b.call("where", mask, x, b.call("zeros_like", x), truth=x.truth)
