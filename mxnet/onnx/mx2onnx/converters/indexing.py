"""Operators that pick by index or condition, and those on sequences of different lengths."""

from __future__ import annotations

import torch

from ..graph import Call, Dim, Dims, Graph, converter, is_open
from .elementwise import number


def _in_range(g: Graph, n: Call, index: str, dtype: torch.dtype, dim: object, near: list[tuple[str, Dims]]) -> str:
    """Indices clipped to an axis or wrapped around; with mode 'raise' ONNX refuses them itself."""
    found = g.as_index(index, dtype)
    mode = n.attrs.get("mode", "clip")
    if mode == "raise":
        return found
    constant = g.value(index)
    if constant is not None and isinstance(dim, int):
        whole = constant.long()
        return g.const(whole % dim if mode == "wrap" else whole.clamp(0, dim - 1))
    size = g.dim(dim, near)
    if mode == "wrap":
        return g.add("Mod", found, size)
    last = g.add("Sub", size, g.const([1])) if isinstance(dim, Dim) else g.const(torch.tensor(int(dim) - 1))  # type: ignore[call-overload]
    if isinstance(dim, Dim):
        last = g.squeeze(last, [0])
    return g.add("Clip", found, g.const(torch.tensor(0)), last)


@converter("take")
def take(g: Graph, n: Call) -> str:
    axis = n.axis()
    index = _in_range(g, n, n.inputs[1], n.dtypes[1], n.shape[axis], [(n.x, n.shape)])
    return g.add("Gather", n.x, index, axis=axis)


@converter("Embedding", "_contrib_SparseEmbedding")
def embedding(g: Graph, n: Call) -> str:
    index = _in_range(g, n, n.x, n.dtype, n.shapes[1][0], [(n.inputs[1], n.shapes[1])])
    return g.add("Gather", n.inputs[1], index, axis=0)


@converter("pick")
def pick(g: Graph, n: Call) -> str:
    axis = n.axis()
    index = _in_range(g, n, n.inputs[1], n.dtypes[1], n.shape[axis], [(n.x, n.shape)])
    kept = (*n.shape[:axis], 1, *n.shape[axis + 1 :])
    if n.shapes[1] != kept:
        index = g.unsqueeze(index, [axis])
    found = g.add("GatherElements", n.x, index, axis=axis)
    return found if n.attrs["keepdims"] or n.ndim == 1 else g.squeeze(found, [axis])


@converter("batch_take")
def batch_take(g: Graph, n: Call) -> str:
    width = n.shape[-1]
    rows = g.add("Reshape", n.x, g.const([-1, width]))
    index = g.add("Reshape", _in_range(g, n, n.inputs[1], n.dtypes[1], width, [(n.x, n.shape)]), [-1, 1])
    found = g.add("GatherElements", rows, index, axis=1)
    return g.add("Reshape", found, g.shape_of(n.out_shapes[0], [(n.inputs[1], n.shapes[1])]))


def _points(g: Graph, index: str, ndim: int) -> str:
    """MXNet has coordinates in the first axis of the indices, ONNX in the last."""
    return g.transpose(index, [*range(1, ndim), 0])


def _from_end(g: Graph, n: Call) -> str:
    """Indices of gather_nd, of which negative ones with a fraction count from the end before that is cut off."""
    index, shape, dtype = n.inputs[1], n.shapes[1], n.dtypes[1]
    if not dtype.is_floating_point or g.is_whole(index):
        return g.as_index(index, dtype)
    dims, column = n.shape[: shape[0]], [-1, *[1] * (len(shape) - 1)]
    constant = g.value(index)
    if constant is not None and not is_open(dims):
        from_start = constant + constant.new_tensor(dims).reshape(column)
        return g.const(torch.where(constant < 0, from_start, constant).long())
    if is_open(dims):
        sizes = g.add("Reshape", g.shape_of(dims, [(n.x, n.shape)]), g.const(column))
        sizes = g.cast(sizes, dtype, torch.int64)
    else:
        sizes = g.const(torch.tensor(dims, dtype=dtype).reshape(column))
    below = g.add("Less", index, number(g, 0, dtype))
    return g.cast(g.add("Where", below, g.add("Add", index, sizes), index), torch.int64, dtype)


@converter("gather_nd")
def gather_nd(g: Graph, n: Call) -> str:
    return g.add("GatherND", n.x, _points(g, _from_end(g, n), len(n.shapes[1])))


@converter("scatter_nd")
def scatter_nd(g: Graph, n: Call) -> str:
    zeros = g.add("ConstantOfShape", g.const(list(n.out_shapes[0])), value=_filler(0, n.dtype))
    return g.add("ScatterND", zeros, _points(g, g.as_index(n.inputs[1], n.dtypes[1]), len(n.shapes[1])), n.x)


@converter("_scatter_set_nd")
def scatter_set_nd(g: Graph, n: Call) -> str:
    return g.add("ScatterND", n.x, _points(g, g.as_index(n.inputs[2], n.dtypes[2]), len(n.shapes[2])), n.inputs[1])


def _filler(value: float, dtype: torch.dtype):
    from ...package import load_onnx, to_numpy

    return load_onnx().numpy_helper.from_array(to_numpy(torch.tensor([value], dtype=dtype)))


@converter("one_hot")
def one_hot(g: Graph, n: Call) -> str:
    depth, dtype = n.attrs["depth"], n.out_dtypes[0]
    index = g.as_index(n.x, n.dtype)
    # Compared instead of ONNX's OneHot, where a negative index counts from the end.
    wide = g.unsqueeze(index, [n.ndim])
    equal = g.add("Equal", wide, g.const(torch.arange(depth)))
    on, off = n.attrs["on_value"], n.attrs["off_value"]
    if on == 1 and off == 0:
        return g.cast(equal, dtype, torch.bool)
    return g.add("Where", equal, number(g, on, dtype), number(g, off, dtype))


@converter("where")
def where(g: Graph, n: Call) -> str:
    condition = g.as_bool(n.x, n.dtype)
    more = len(n.shapes[1]) - n.ndim
    if more > 0:  # a condition on the first axis
        condition = g.unsqueeze(condition, list(range(n.ndim, len(n.shapes[1]))))
    return g.add("Where", condition, n.inputs[1], n.inputs[2])


@converter("_contrib_boolean_mask")
def boolean_mask(g: Graph, n: Call) -> str:
    return g.add("Compress", n.x, g.as_bool(n.inputs[1], n.dtypes[1]), axis=n.axis())


@converter("_contrib_index_copy")
def index_copy(g: Graph, n: Call) -> str:
    index = g.unsqueeze(g.as_index(n.inputs[1], n.dtypes[1]), [1])
    return g.add("ScatterND", n.x, index, n.inputs[2])


# ---- sequences -------------------------------------------------------------------------------------------------------


def steps(g: Graph, dim: object, near: list[tuple[str, Dims]]) -> str:
    """0, 1, ... as int64."""
    if isinstance(dim, int):
        return g.const(torch.arange(dim))
    size = g.squeeze(g.dim(dim, near), [0])
    return g.add("Range", g.const(torch.tensor(0)), size, g.const(torch.tensor(1)))


@converter("SequenceMask")
def sequence_mask(g: Graph, n: Call) -> str:
    if not n.attrs["use_sequence_length"]:
        return n.x
    axis = n.attrs["axis"]
    times = g.unsqueeze(steps(g, n.shape[axis], [(n.x, n.shape)]), [1 - axis])
    lengths = g.unsqueeze(g.as_index(n.inputs[1], n.dtypes[1]), [axis])
    inside = g.add("Less", times, lengths)
    if n.ndim > 2:
        inside = g.unsqueeze(inside, list(range(2, n.ndim)))
    return g.add("Where", inside, n.x, number(g, n.attrs["value"], n.dtype))


@converter("SequenceLast")
def sequence_last(g: Graph, n: Call) -> str:
    axis = n.attrs["axis"]
    if not n.attrs["use_sequence_length"]:
        return g.squeeze(g.slice(n.x, [axis], [-1], [2**63 - 1]), [axis])
    index = g.add("Sub", g.as_index(n.inputs[1], n.dtypes[1]), g.const(torch.tensor(1)))
    if axis == 0:
        x = g.transpose(n.x, [1, 0, *range(2, n.ndim)])
    else:
        x = n.x
    return g.add("GatherND", x, g.unsqueeze(index, [1]), batch_dims=1)


@converter("SequenceReverse")
def sequence_reverse(g: Graph, n: Call) -> str:
    if not n.attrs["use_sequence_length"]:
        return g.slice(n.x, [0], [-1], [-(2**63)], [-1])
    lengths = g.as_index(n.inputs[1], n.dtypes[1])
    return g.add("ReverseSequence", n.x, lengths, time_axis=0, batch_axis=1)


@converter("_contrib_index_array")
def index_array(g: Graph, n: Call) -> str:
    if is_open(n.shape):
        raise n.refuse("the indices of a dynamic shape")
    grids = torch.meshgrid(*[torch.arange(d) for d in n.shape], indexing="ij")
    axes = n.attrs["axes"]
    chosen = [grids[a % len(grids)] for a in axes] if axes is not None else list(grids)
    return g.const(torch.stack(chosen, -1))


def _ravel_fractions(g: Graph, n: Call) -> str:
    """The flat indices of coordinates that may have fractions, which are cut off from the sum of each row."""
    x = g.cast(n.x, torch.float64, n.dtype)
    position = ""
    for i, size in enumerate(n.attrs["shape"]):
        total = g.add("Gather", x, g.const(torch.tensor(i)), axis=0)
        if i:
            before = g.add("Mul", position, g.const(torch.tensor(size)))
            total = g.add("Add", g.cast(before, torch.float64, torch.int64), total)
        position = g.cast(total, torch.int64, torch.float64)
    return g.cast(position, n.out_dtypes[0], torch.int64)


@converter("_ravel_multi_index", "_unravel_index")
def ravel(g: Graph, n: Call) -> str:
    assert n.node.op is not None
    shape = n.attrs["shape"]
    if n.node.op.name == "_ravel_multi_index" and n.dtype.is_floating_point and not g.is_whole(n.x):
        return _ravel_fractions(g, n)
    strides = [int(torch.tensor(shape[i + 1 :]).prod()) for i in range(len(shape))]
    x = g.as_index(n.x, n.dtype)
    if n.node.op.name == "_ravel_multi_index":
        weights = g.const(torch.tensor(strides).reshape(-1, *[1] * (n.ndim - 1)))
        found = g.reduce("ReduceSum", g.add("Mul", x, weights), [0], False)
        found = found if n.ndim > 1 else g.add("Reshape", found, [1])
    else:
        column = [-1, *[1] * n.ndim]
        quotient = g.add("Div", g.unsqueeze(x, [0]), g.const(torch.tensor(strides).reshape(column)))
        # the first coordinate may be too large, as in MXNet
        found = g.add("Mod", quotient, g.const(torch.tensor([2**62, *shape[1:]]).reshape(column)))
    return g.cast(found, n.out_dtypes[0], torch.int64)
