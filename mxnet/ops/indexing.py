"""Operators that pick, gather and scatter elements by index, encode indices, or choose by a condition."""

from math import prod
from typing import Any, Literal

import torch

from .gradients import constant_in, selected_by
from .infer import is_known, same_shapes, unify
from .params import Count
from .registry import op, register
from .support import as_index, as_number, axis_exists, check_dtype, check_same_dtype, normalize_axis, without_data
from .types import Attrs, Dtypes, Shape, Shapes


def _in_range(indices: torch.Tensor, size: int, mode: str) -> torch.Tensor:
    """Indices into an axis of ``size``, with those outside clipped to its ends, wrapped around, or refused."""
    if mode == "wrap":
        return as_index(indices).remainder(size)
    if mode == "clip":
        index = indices.long()  # what takes part in a graph comes back as another object, over the same memory
        return index.clamp(0, size - 1) if indices.dtype is torch.int64 else index.clamp_(0, size - 1)
    if indices.device.type != "meta" and indices.numel() and bool(((indices < 0) | (indices >= size)).any()):
        raise IndexError(f"indices must be in [0, {size})")
    return as_index(indices)


def _index_dtype(data: str, index: str) -> Any:
    """The dtype rule of operators whose indices may be of any dtype: the result has that of the data."""

    def rule(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
        dtypes[index] = dtypes[index] or torch.float32
        return [dtypes[data]]

    return rule


@op("take")
@selected_by("indices")
def take(
    a: torch.Tensor, indices: torch.Tensor, *, axis: int = 0, mode: Literal["clip", "raise", "wrap"] = "clip"
) -> torch.Tensor:
    """The slices of ``a`` at ``indices`` along ``axis``; the result has the shape of the indices in place of that axis.

    Indices outside are clipped to the ends (also negative ones), wrapped around, or an error, by ``mode``. Equal
    indices add up in the gradient.
    """
    if axis:
        axis = normalize_axis(axis, a.dim())
    elif not a.dim():
        raise ValueError("a 0-d array has nothing to take")
    if a.is_meta:
        return a.new_empty((*a.shape[:axis], *indices.shape, *a.shape[axis + 1 :]))
    if indices.dim() == 1 and not a.requires_grad:
        if mode == "clip" and a.is_cpu:
            try:
                return a.index_select(axis, indices.long())
            except (IndexError, RuntimeError):  # which of them depends on the axis
                pass  # torch looks at every index anyway; only if one is outside do they have to be clipped
        return a.index_select(axis, _in_range(indices, a.shape[axis], mode))
    index = _in_range(indices, a.shape[axis], mode)
    if axis == 0 and a.dim() == 2:
        return torch.embedding(a, index)
    taken = a.index_select(axis, index.reshape(-1))
    return taken.reshape((*a.shape[:axis], *index.shape, *a.shape[axis + 1 :]))


@take.infer_shape
def _(shapes: Shapes, attrs: Attrs) -> list[Shape | None]:
    """Nothing is inferred before the shape of the indices is wholly known."""
    a, indices = shapes["a"], shapes["indices"]
    assert a is not None and indices is not None
    axis = normalize_axis(attrs["axis"], len(a))
    return [(*a[:axis], *indices, *a[axis + 1 :]) if is_known(indices) else None]


take.infer_dtype(_index_dtype("a", "indices"))


@op("batch_take")
def batch_take(a: torch.Tensor, indices: torch.Tensor) -> torch.Tensor:
    """One element of each row of ``a``, by the int32 index of its column. Superseded by ``pick``."""
    if indices.dtype is not torch.int32 and not indices.is_meta:  # shapes are inferred without dtypes
        raise TypeError("indices must be int32")
    if not a.dim() or indices.numel() * a.shape[-1] != a.numel():
        raise ValueError(f"there must be an index for each of the rows of a, {prod(a.shape[:-1])}")
    if a.is_meta:
        return without_data(a, indices.shape)
    rows = a.reshape(-1, a.shape[-1])
    return rows.gather(1, _in_range(indices, a.shape[-1], "clip").reshape(-1, 1)).reshape(indices.shape)


@batch_take.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    known = shapes["a"]
    if known:
        shapes["indices"] = shapes["indices"] or known[:-1]


@batch_take.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    dtypes["indices"] = dtypes["indices"] or torch.int32
    return [dtypes["a"]]


@op("pick", aliases=("choose_element_0index",))
@selected_by("index")
def pick(
    data: torch.Tensor,
    index: torch.Tensor,
    *,
    axis: int | None = -1,
    keepdims: bool = False,
    mode: Literal["clip", "wrap"] = "clip",
) -> torch.Tensor:
    """One element along ``axis`` for every other position, by its index. Indices outside are clipped or wrapped.

    ``index`` has the shape of ``data`` without that axis, or with size 1 there.
    """
    if axis is None:
        raise ValueError("an axis must be given, None is not supported")
    axis = normalize_axis(axis, data.dim())
    without = data.shape[:axis] + data.shape[axis + 1 :]
    kept = (*data.shape[:axis], 1, *data.shape[axis + 1 :])
    if index.shape != without and index.shape != kept and not (data.dim() == 1 and index.numel() == 1):
        raise ValueError(
            f"index has shape {tuple(index.shape)}, expected {tuple(without)} or {kept}: one number for each place. "
            "For a loss it is the label, a class number for each example; labels that are vectors of probabilities, "
            "such as one-hot ones, want sparse_label=False"
        )
    if data.is_meta:
        return data.new_empty(kept if keepdims or data.dim() == 1 else without)
    picked = data.gather(axis, _in_range(index, data.shape[axis], mode).reshape(kept))
    return picked if keepdims or data.dim() == 1 else picked.squeeze(axis)


@pick.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    known = shapes["data"]
    if known is not None and axis_exists(attrs["axis"], len(known)):
        axis, index = normalize_axis(attrs["axis"], len(known)), shapes["index"]
        if index is None or len(index) == len(known) - 1:
            shapes["index"] = unify(index, known[:axis] + known[axis + 1 :], "pick: input 'index'")
        elif len(index) == len(known) > 1:
            shapes["index"] = unify(index, (*known[:axis], 1, *known[axis + 1 :]), "pick: input 'index'")


pick.infer_dtype(_index_dtype("data", "index"))


def _positions(indices: torch.Tensor, ndim: int, wrap: Shape = ()) -> tuple[torch.Tensor, ...]:
    """The coordinates in the rows of ``indices``, one tensor per leading dimension of the array they point into.

    With the dimensions in ``wrap``, negative numbers with a fraction count from the end before it is cut off.
    """
    if indices.dim() < 2:
        raise ValueError(f"indices must have at least 2 dimensions, they have {indices.dim()}")
    if indices.shape[0] > ndim:
        raise ValueError(f"indices have {indices.shape[0]} rows, more than the array has dimensions, {ndim}")
    if wrap and indices.is_floating_point() and not indices.is_meta:
        sizes = torch.tensor(wrap[: indices.shape[0]], dtype=indices.dtype, device=indices.device)
        sizes = sizes.reshape(-1, *[1] * (indices.dim() - 1))
        indices = torch.where(indices < 0, indices + sizes, indices)
    return as_index(indices).unbind(0)


@op("gather_nd")
@selected_by("indices")
def gather_nd(data: torch.Tensor, indices: torch.Tensor) -> torch.Tensor:
    """The elements or slices of ``data`` at the points whose coordinates are the columns of ``indices``.

    Negative coordinates count from the end; equal points add up in the gradient.
    """
    positions = _positions(indices, data.dim(), tuple(data.shape))
    if data.is_meta:
        return without_data(data, (*indices.shape[1:], *data.shape[indices.shape[0] :]))
    return data[positions]


gather_nd.infer_dtype(lambda dtypes, attrs: [dtypes["data"]])


def _check_scattered(data: torch.Tensor, indices: torch.Tensor, shape: Shape) -> tuple[torch.Tensor, ...]:
    positions = _positions(indices, len(shape))
    expected = (*indices.shape[1:], *shape[indices.shape[0] :])
    if tuple(data.shape) != expected:
        raise ValueError(f"the values have shape {tuple(data.shape)}, expected {expected} for a result of {shape}")
    return positions


@op("scatter_nd")
@selected_by("indices")
def scatter_nd(data: torch.Tensor, indices: torch.Tensor, *, shape: tuple[int, ...]) -> torch.Tensor:
    """Zeros of ``shape`` with ``data`` at the points whose coordinates are the columns of ``indices``.

    If a point occurs more than once, it is not defined which of its values remains.
    """
    positions = _check_scattered(data, indices, shape)
    return without_data(data, shape) if data.is_meta else data.new_zeros(shape).index_put(positions, data)


scatter_nd.infer_dtype(_index_dtype("data", "indices"))


@op("_backward_gather_nd")
@selected_by("indices")
def backward_gather_nd(data: torch.Tensor, indices: torch.Tensor, *, shape: tuple[int, ...]) -> torch.Tensor:
    """The gradient of ``gather_nd``: as ``scatter_nd``, but values of a point that occurs twice are added up."""
    positions = _check_scattered(data, indices, shape)
    if data.is_meta:
        return without_data(data, shape)
    return data.new_zeros(shape).index_put(positions, data, accumulate=True)


backward_gather_nd.infer_dtype(_index_dtype("data", "indices"))


@op("_scatter_set_nd")
def scatter_set_nd(
    lhs: torch.Tensor, rhs: torch.Tensor, indices: torch.Tensor, *, shape: tuple[int, ...]
) -> torch.Tensor:
    """A copy of ``lhs`` with ``rhs`` at the points whose coordinates are the columns of ``indices``."""
    check_same_dtype(lhs, rhs)
    if tuple(lhs.shape) != shape:
        raise ValueError(f"lhs must have the given shape {shape}")
    return lhs.index_put(_check_scattered(rhs, indices, shape), rhs)


@scatter_set_nd.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    common = dtypes["lhs"] or dtypes["rhs"]
    dtypes.update(lhs=common, rhs=dtypes["rhs"] or common, indices=dtypes["indices"] or torch.float32)
    return [common]


_ONE_HOT_DTYPES = (
    torch.bfloat16,
    torch.float16,
    torch.float32,
    torch.float64,
    torch.int32,
    torch.int64,
    torch.int8,
    torch.uint8,
)


@op("one_hot", gradient="zero")
def one_hot(
    indices: torch.Tensor,
    *,
    depth: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    dtype: torch.dtype = torch.float32,
) -> torch.Tensor:
    """Adds a dimension of size ``depth`` that has ``on_value`` at the index and ``off_value`` elsewhere.

    An index outside of [0, depth) gives ``off_value`` everywhere.
    """
    if depth < 0:
        raise ValueError(f"depth cannot be negative, got {depth}")
    check_dtype(dtype, _ONE_HOT_DTYPES)
    on, off = as_number(on_value, dtype), as_number(off_value, dtype)
    result = torch.full((*indices.shape, depth), off, dtype=dtype, device=indices.device)
    if depth and not indices.is_meta:
        index = as_index(indices).unsqueeze(-1)
        inside = index.clamp(0, depth - 1)
        result.scatter_(-1, inside, torch.full_like(index, off, dtype=dtype).masked_fill_(index == inside, on))
    return constant_in(result, indices)


@one_hot.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    dtypes["indices"] = dtypes["indices"] or torch.float32
    return [attrs["dtype"]]


@op("_onehot_encode")
def onehot_encode(lhs: torch.Tensor, rhs: torch.Tensor) -> torch.Tensor:
    """One-hot rows for the indices ``lhs``, of the shape of ``rhs``. Superseded by ``one_hot``."""
    if lhs.dtype is not torch.float32 or rhs.dtype is not torch.float32:
        raise TypeError("both inputs must be float32")
    if lhs.dim() != 1 or rhs.dim() != 2 or lhs.shape[0] != rhs.shape[0]:
        raise ValueError("lhs must be a vector of indices and rhs a matrix with as many rows")
    return one_hot.kernel(lhs, depth=rhs.shape[1])


@op("fill_element_0index")
def fill_element_0index(lhs: torch.Tensor, mhs: torch.Tensor, rhs: torch.Tensor) -> torch.Tensor:
    """A copy of the matrix ``lhs`` in which each row has the value in ``mhs`` at the column in ``rhs``."""
    check_same_dtype(lhs, mhs, rhs)
    if lhs.dim() != 2 or mhs.shape != lhs.shape[:1] or rhs.shape != lhs.shape[:1]:
        raise ValueError("lhs must be a matrix, mhs and rhs must have one number for each of its rows")
    return without_data(lhs) if lhs.is_meta else lhs.scatter(1, as_index(rhs).unsqueeze(1), mhs.unsqueeze(1))


@op("where")
@selected_by("condition")
def where(condition: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Elements of ``x`` where the condition is not zero, of ``y`` elsewhere.

    The condition has the shape of ``x`` and ``y``, or is a vector that chooses among their rows.
    """
    check_same_dtype(x, y)
    if x.shape != y.shape:
        raise ValueError("x and y must have the same shape")
    chosen = condition.bool()  # five times faster than != 0
    if condition.shape != x.shape:
        if condition.dim() != 1 or not x.dim() or condition.shape[0] != x.shape[0]:
            raise ValueError(
                f"condition has shape {tuple(condition.shape)}, expected {tuple(x.shape)} or {tuple(x.shape[:1])}"
            )
        chosen = chosen.reshape(-1, *[1] * (x.dim() - 1))
    if x.is_meta:
        return without_data(x)
    return torch.where(chosen, x, y)


def _where_back(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    both: Shapes = {"x": shapes["x"], "y": shapes["y"]}
    same_shapes(both, outputs, attrs)
    shapes.update(both)
    outputs[0] = both["x"]  # also while a part of it is open, which no kernel could be run for


where.infer_back(_where_back)


@where.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    common = dtypes["x"] or dtypes["y"]
    dtypes.update(x=common, y=dtypes["y"] or common)
    return [common]


def _embedding(
    data: torch.Tensor,
    weight: torch.Tensor,
    *,
    input_dim: Count,
    output_dim: Count,
    dtype: torch.dtype = torch.float32,
    sparse_grad: bool = False,
) -> torch.Tensor:
    """The rows of ``weight`` for the indices in ``data``, which are clipped to [0, input_dim).

    ``dtype`` is that of a weight nothing else is known of. With ``sparse_grad`` the gradient of the weight, if that is
    a variable, has only the rows that were used.
    """
    if weight.shape != (input_dim, output_dim):
        raise ValueError(f"weight has shape {tuple(weight.shape)}, expected {(input_dim, output_dim)}")
    if weight.is_meta:
        return weight.new_empty((*data.shape, output_dim))
    # Only a variable may have a sparse gradient: what a weight is computed by cannot go on from one.
    return torch.embedding(weight, _in_range(data, input_dim, "clip"), sparse=sparse_grad and weight.is_leaf)


def _embedding_args(shapes: Shapes, attrs: Attrs) -> None:
    weight = (attrs["input_dim"], attrs["output_dim"])
    shapes["weight"] = unify(shapes["weight"], weight, "Embedding: input 'weight'")


def _embedding_dtype(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    dtypes["data"] = dtypes["data"] or torch.float32
    dtypes["weight"] = dtypes["weight"] or attrs["dtype"]
    return [dtypes["weight"]]


def _sparse_embedding(
    data: torch.Tensor,
    weight: torch.Tensor,
    *,
    input_dim: Count,
    output_dim: Count,
    dtype: torch.dtype = torch.float32,
    deterministic: bool = False,
    sparse_grad: bool = False,
) -> torch.Tensor:
    """``Embedding`` whose gradient has only the rows that were used; its sums are always ``deterministic``."""
    return _embedding(data, weight, input_dim=input_dim, output_dim=output_dim, dtype=dtype, sparse_grad=True)


for _name, _kernel in (("Embedding", _embedding), ("_contrib_SparseEmbedding", _sparse_embedding)):
    _opdef = register(_name, _kernel)
    _opdef.infer_args(_embedding_args)
    _opdef.infer_dtype(_embedding_dtype)


# ---- flat indices and coordinates ----------------------------------------------------------------------------------


def _strides(shape: Shape | None) -> list[int]:
    if not shape:
        raise ValueError("the shape must be given")
    return [prod(shape[i + 1 :]) for i in range(len(shape))]


@op("_ravel_multi_index", gradient="zero", aliases=("ravel_multi_index",))
def ravel_multi_index(data: torch.Tensor, *, shape: tuple[int, ...] | None = None) -> torch.Tensor:
    """The positions in a flattened array of ``shape`` of the points whose coordinates are the columns of ``data``."""
    strides = _strides(shape)
    if data.dim() != 2 or data.shape[0] != len(strides):
        raise ValueError(f"data must be a matrix with {len(strides)} rows, one for each dimension of the shape {shape}")
    if data.is_meta:
        return without_data(data, data.shape[1:])
    assert shape is not None
    position = torch.zeros(data.shape[1:], dtype=torch.int64, device=data.device)
    for size, row in zip(shape, data.detach(), strict=True):  # fractions are cut off from each sum
        position = as_index(position * size + (row.double() if row.is_floating_point() else row))
    return constant_in(position.to(data.dtype), data)


@op("_unravel_index", gradient="zero", aliases=("unravel_index",))
def unravel_index(data: torch.Tensor, *, shape: tuple[int, ...] | None = None) -> torch.Tensor:
    """The coordinates, as columns of a matrix, of positions in a flattened array of ``shape``."""
    strides = _strides(shape)
    if data.dim() != 1:
        raise ValueError(f"data must have one dimension, it has {data.dim()}")
    if data.is_meta:
        return without_data(data, (len(strides), *data.shape))
    rest, rows = as_index(data), []
    for stride in strides:
        rows.append(rest.div(stride, rounding_mode="trunc"))
        rest = rest.fmod(stride)
    return constant_in(torch.stack(rows).to(data.dtype), data)


# ---- assignment ----------------------------------------------------------------------------------------------------


@op("_set_value")
def set_value(*, src: float, _out: torch.Tensor | None) -> torch.Tensor:
    """Fills the array given as ``out`` with the number ``src``."""
    if _out is None:
        raise ValueError("the array to fill must be given as out=, and cannot be part of a recorded graph")
    return _out.fill_(as_number(src, _out.dtype))
