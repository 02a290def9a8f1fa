"""Operators that change shapes, join, split, repeat, cut or reorder."""

from __future__ import annotations

from typing import Any

import torch

from ..graph import Call, Dim, Dims, Graph, converter, is_open
from .elementwise import number

_FAR = 2**63 - 1


@converter("Reshape", "reshape_like", "squeeze")
def reshape(g: Graph, n: Call) -> str:
    """To the shape that MXNet's codes come to."""
    assert n.node.op is not None
    target = n.out_shapes[0]
    if n.node.op.name == "squeeze":
        axes = n.attrs["axis"]
        found = [i for i, d in enumerate(n.shape) if d == 1] if axes is None else [a % n.ndim for a in axes]
        if len(found) < n.ndim:
            return g.squeeze(n.x, sorted(found))
    return g.reshape(n.x, n.shape, target, list(zip(n.inputs, n.shapes, strict=True)))


@converter("Flatten")
def flatten(g: Graph, n: Call) -> str:
    return n.x if n.ndim == 2 else g.add("Flatten", n.x, axis=1)


@converter("transpose")
def transpose(g: Graph, n: Call) -> str:
    return g.transpose(n.x, n.attrs["axes"] or list(range(n.ndim))[::-1])


@converter("SwapAxis")
def swap_axis(g: Graph, n: Call) -> str:
    axes = list(range(n.ndim))
    first, second = n.axis("dim1"), n.axis("dim2")
    axes[first], axes[second] = axes[second], axes[first]
    return g.transpose(n.x, axes)


@converter("expand_dims")
def expand_dims(g: Graph, n: Call) -> str:
    return g.unsqueeze(n.x, [n.axis(more=1)])


@converter("stack")
def stack(g: Graph, n: Call) -> str:
    axis = n.axis(more=1)
    return g.add("Concat", *[g.unsqueeze(x, [axis]) for x in n.inputs], axis=axis)


@converter("Concat", "_rnn_param_concat")
def concat(g: Graph, n: Call) -> str:
    return g.add("Concat", *n.inputs, axis=n.axis("dim")) if len(n.inputs) > 1 else n.x


def split(g: Graph, x: str, axis: int, sizes: list[int]) -> list[str]:
    """Parts of given sizes."""
    if len(sizes) == 1:
        return [x]
    return g.add("Split", x, g.const(sizes), outputs=len(sizes), axis=axis)


@converter("SliceChannel", "_split_v2")
def slice_channel(g: Graph, n: Call) -> list[str]:
    axis = n.axis()
    squeeze = n.attrs["squeeze_axis"]
    if squeeze:
        sizes: list[Any] = [1] * len(n.out_shapes)
    else:
        sizes = [s[axis] for s in n.out_shapes]
    if any(isinstance(s, Dim) for s in sizes):
        if n.attrs.get("indices"):
            raise n.refuse("a split at given places of a dynamic dimension")
        count = len(sizes)
        parts = g.add("Split", n.x, outputs=count, axis=axis, num_outputs=count if g.opset >= 18 else None)
    else:
        parts = split(g, n.x, axis, sizes)
    return [g.squeeze(p, [axis]) for p in parts] if squeeze else parts


@converter("repeat")
def repeat(g: Graph, n: Call) -> str:
    times, axis = n.attrs["repeats"], n.attrs["axis"]
    x, shape = n.x, n.shape
    if axis is None or not times:
        x = x if n.ndim == 1 else g.add("Reshape", x, [-1])
        axis, shape = 0, (n.out_shapes[0] if n.ndim != 1 else n.shape)
    if not times:
        return g.slice(x, [0], [0], [0])
    axis = axis % max(len(shape), 1)
    tiles = [1] * (len(shape) + 1)
    tiles[axis + 1] = times
    tall = g.add("Tile", g.unsqueeze(x, [axis + 1]), g.const(tiles))
    target = [0] * len(shape)
    target[axis] = -1
    after = g.add("Shape", g.unsqueeze(x, [axis + 1]))
    if axis + 1 == len(shape):
        return g.add("Reshape", tall, g.const(target))
    if not is_open(n.out_shapes[0]):
        return g.add("Reshape", tall, g.const(list(n.out_shapes[0])))
    rest = g.add("Slice", after, [axis + 2], [_FAR], [0])
    return g.add("Reshape", tall, g.add("Concat", g.const(target[: axis + 1]), rest, axis=0))


@converter("tile")
def tile(g: Graph, n: Call) -> str:
    reps = list(n.attrs["reps"])
    more = len(reps) - n.ndim
    x = g.unsqueeze(n.x, list(range(more))) if more > 0 else n.x
    return g.add("Tile", x, g.const([1] * max(-more, 0) + reps))


@converter("reverse")
def reverse(g: Graph, n: Call) -> str:
    axes = [a for a in sorted(set(n.attrs["axis"])) if n.attrs["axis"].count(a) % 2]
    return flip(g, n.x, axes)


def flip(g: Graph, x: str, axes: list[int]) -> str:
    """The reverse order along some axes."""
    if not axes:
        return x
    count = len(axes)
    return g.slice(x, axes, [-1] * count, [-_FAR - 1] * count, [-1] * count)


@converter("Pad")
def pad(g: Graph, n: Call) -> str:
    width = n.attrs["pad_width"]
    pads = g.const([*width[::2], *width[1::2]])
    value = number(g, n.attrs["constant_value"], n.dtype) if n.attrs["mode"] == "constant" else None
    return g.add("Pad", n.x, pads, value, mode=n.attrs["mode"])


@converter("depth_to_space")
def depth_to_space(g: Graph, n: Call) -> str:
    return g.add("DepthToSpace", n.x, blocksize=n.attrs["block_size"])


@converter("space_to_depth")
def space_to_depth(g: Graph, n: Call) -> str:
    return g.add("SpaceToDepth", n.x, blocksize=n.attrs["block_size"])


@converter("diag")
def diag(g: Graph, n: Call) -> str:
    k = n.attrs["k"]
    if n.ndim == 1:
        if is_open(n.shape):
            raise n.refuse("the matrix of a vector of dynamic length")
        size = n.shape[0] + abs(k)
        eye = torch.diag(torch.ones(n.shape[0]), k).to(n.dtype)
        spread = torch.zeros(n.shape[0], size, dtype=n.dtype)
        spread[torch.arange(n.shape[0]), torch.arange(n.shape[0]) + max(k, 0)] = 1
        column = torch.zeros(size, n.shape[0], dtype=n.dtype)
        column[torch.arange(n.shape[0]) + max(-k, 0), torch.arange(n.shape[0])] = 1
        assert eye.shape == (size, size)
        return g.add("MatMul", g.add("Mul", g.const(column), n.x), g.const(spread))
    first, second = n.axis("axis1"), n.axis("axis2")
    if isinstance(n.shape[first], Dim) or isinstance(n.shape[second], Dim):
        raise n.refuse("the diagonal of dynamic dimensions")
    rest = [i for i in range(n.ndim) if i not in (first, second)]
    x = g.transpose(n.x, [first, second, *rest])
    length = n.out_shapes[0][-1]
    places = torch.stack([torch.arange(length) + max(-k, 0), torch.arange(length) + max(k, 0)], 1)
    found = g.add("GatherND", x, g.const(places))
    return g.transpose(found, [*range(1, n.ndim - 1), 0])


@converter("shape_array")
def shape_array(g: Graph, n: Call) -> str:
    return g.add("Shape", n.x)


@converter("size_array")
def size_array(g: Graph, n: Call) -> str:
    return g.add("Reshape", g.add("Size", n.x), [1])


# ---- cutting ---------------------------------------------------------------------------------------------------------


def _cut(n: Call) -> tuple[list[int], list[int], list[int], list[int]]:
    """Axes, starts, ends and steps of a slice in ONNX's terms."""
    attrs = n.attrs
    steps = attrs["step"] or (None,) * len(attrs["begin"])
    rows = []
    for axis, (begin, end, step) in enumerate(zip(attrs["begin"], attrs["end"], steps, strict=True)):
        step = step or 1
        if begin is None and end is None and step == 1:
            continue
        begin = (0 if step > 0 else _FAR) if begin is None else begin
        end = (_FAR if step > 0 else -_FAR - 1) if end is None else end
        size = n.shape[axis]
        if step < 0 and isinstance(size, int) and begin < -size:  # nothing; ONNX would begin with the first element
            begin, end = 0, 0
        rows.append((axis, begin, end, step))
    return [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows], [r[3] for r in rows]


@converter("slice")
def slice_(g: Graph, n: Call) -> str:
    axes, starts, ends, steps = _cut(n)
    if not axes:
        return n.x
    return g.slice(n.x, axes, starts, ends, None if all(s == 1 for s in steps) else steps)


@converter("slice_axis")
def slice_axis(g: Graph, n: Call) -> str:
    end = n.attrs["end"]
    return g.slice(n.x, [n.axis()], [n.attrs["begin"]], [_FAR if end is None else end])


def cut_like(g: Graph, x: str, shape: Dims, like: str, like_shape: Dims, axes: list[int]) -> str:
    """``x`` cut to the size of ``like`` along some axes."""
    axes = [a for a in axes if shape[a] != like_shape[a]]
    if not axes:
        return x
    ends = g.shape_of(tuple(like_shape[a] for a in axes), [(like, like_shape)])
    return g.slice(x, axes, [0] * len(axes), ends)


@converter("slice_like")
def slice_like(g: Graph, n: Call) -> str:
    axes = list(dict.fromkeys(a % n.ndim for a in n.attrs["axes"])) or list(range(n.ndim))
    return cut_like(g, n.x, n.shape, n.inputs[1], n.shapes[1], axes)


@converter("Crop")
def crop(g: Graph, n: Call) -> str:
    sizes = n.out_shapes[0][2:]
    if is_open(sizes) or is_open(n.shape[2:]):
        if n.attrs["center_crop"] or any(n.attrs["offset"]):
            raise n.refuse("a crop of dynamic size that does not begin at the border")
        return cut_like(g, n.x, n.shape, n.inputs[1], n.shapes[1], [2, 3])
    starts = list(n.attrs["offset"])
    if n.attrs["center_crop"]:
        starts = [(n.shape[i + 2] - sizes[i]) // 2 for i in range(2)]
    return g.slice(n.x, [2, 3], starts, [s + d for s, d in zip(starts, sizes, strict=True)])


@converter("_slice_assign", "_slice_assign_scalar")
def slice_assign(g: Graph, n: Call) -> str:
    if is_open(n.shape):
        raise n.refuse("an assignment to a part of a dynamic shape")
    index = tuple(
        slice(b, e, s)
        for b, e, s in zip(
            n.attrs["begin"], n.attrs["end"], n.attrs["step"] or (None,) * len(n.attrs["begin"]), strict=True
        )
    )
    numbers = torch.arange(int(torch.tensor(n.shape).prod())).reshape(n.shape)
    part = numbers.numpy()[index]
    value = n.inputs[1] if len(n.inputs) > 1 else None
    flat = g.add("Reshape", n.x, [-1])
    if value is None:
        updates = g.const(torch.full((part.size,), n.attrs["scalar"], dtype=torch.float64).to(n.dtype))
    else:
        updates = g.add("Reshape", value, [-1])
    found = g.add("ScatterElements", flat, g.const(torch.from_numpy(part.copy()).reshape(-1)), updates)
    return g.add("Reshape", found, g.const(list(n.shape)))
