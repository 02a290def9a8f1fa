"""Operators that reduce axes of an array, and those that broadcast them.

``axis`` is an axis, a tuple of them, or none: then everything is reduced, to shape (1,). ``exclude`` reduces the axes
that are not named. Integers keep their dtype: sums wrap around, means are truncated. A sum of booleans is their "or".
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from .._core.tracing import is_traced
from .gradients import constant_in, indicator, own_gradient
from .integers import Integers, to_integers, without_graph
from .registry import OpDef, op, register
from .support import normalize_axis, without_data
from .types import Attrs, Dtypes
from .wide import vector_norm

Axes = tuple[int, ...]
Reduction = Callable[[torch.Tensor, Axes, bool], torch.Tensor]


@functools.lru_cache(maxsize=1024)
def reduced_axes(ndim: int, axis: Axes | None, exclude: bool = False) -> Axes:
    """The axes to reduce, sorted and not negative."""
    if not axis:
        return tuple(range(ndim))
    found = tuple(sorted(a + ndim if a < 0 else a for a in axis))
    if found[0] < 0 or found[-1] >= ndim:
        raise ValueError(f"axis {axis} is out of range for an array with {ndim} dimension(s)")
    if len(set(found)) < len(found):
        raise ValueError(f"axis {axis} names an axis twice")
    return tuple(a for a in range(ndim) if a not in found) if exclude else found


def _reduce(function: Reduction, data: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
    if keepdims or len(axes) < data.dim():
        return function(data, axes, keepdims)
    # never an array without dimensions: a full reduction has shape (1,)
    return function(data, axes, True) if data.dim() == 1 else function(data, axes, False).reshape(1)


# ---- the functions: data, axes (at least one, or all of an array without dimensions), keepdims -----------------------


def _sum(data: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
    return torch.sum(data, axes, keepdims, dtype=data.dtype)


def _mean(data: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
    if data.is_floating_point():
        return torch.mean(data, axes, keepdims)
    total = _sum(data, axes, keepdims)
    if data.dtype is torch.bool:
        return total
    count = max(math.prod(data.shape[a] for a in axes), 1)
    mean = torch.div(without_graph(total), count, rounding_mode="trunc")
    # torch has no gradient of a quotient that is cut
    return to_integers(total.to(torch.float64) / count, data.dtype, mean) if isinstance(total, Integers) else mean


def _prod(data: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
    if len(axes) == data.dim() and not keepdims:
        return torch.prod(data, dtype=data.dtype)
    for axis in reversed(axes):
        data = torch.prod(data, axis, keepdims, dtype=data.dtype)
    return data


def _with_nan_as(value: int, data: torch.Tensor) -> torch.Tensor:
    return data.masked_fill(data.isnan(), value)


def _nansum(data: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
    return torch.nansum(data, axes, keepdims) if data.is_floating_point() else _sum(data, axes, keepdims)


def _nanprod(data: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
    return _prod(_with_nan_as(1, data) if data.is_floating_point() else data, axes, keepdims)


def _square_sum(data: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
    return _sum(torch.square(data), axes, keepdims)


def _extreme(torch_function: Callable[..., torch.Tensor]) -> Reduction:
    """The largest or smallest element; every element that equals it gets the whole gradient."""

    def reduction(data: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
        if not data.numel():
            raise ValueError("a zero-size array has no maximum or minimum")
        if not data.requires_grad:
            return torch_function(data, axes, keepdims)
        kept = [1 if i in axes else n for i, n in enumerate(data.shape)]
        return own_gradient(
            lambda x: torch_function(x, axes, keepdims),
            lambda grad, x, result: grad.reshape(kept) * indicator(torch.eq, x, result.reshape(kept)),
        )(data)

    return reduction


# ---- the table -------------------------------------------------------------------------------------------------------


def reduction(
    name: str,
    function: Reduction,
    doc: str,
    aliases: tuple[str, ...] = (),
    alone: Callable[[torch.Tensor], torch.Tensor] = torch.clone,
    **facts: Any,
) -> OpDef:
    """An operator that reduces the axes ``axis``, or with ``exclude`` all others. ``alone`` is it of each element."""

    def kernel(
        data: torch.Tensor, *, axis: tuple[int, ...] | None = None, keepdims: bool = False, exclude: bool = False
    ) -> torch.Tensor:
        axes = reduced_axes(data.dim(), axis, exclude)
        if not axes and data.dim():
            return data.new_empty(data.shape) if data.is_meta else alone(data)
        if data.is_meta:
            kept = [1 if i in axes else n for i, n in enumerate(data.shape) if keepdims or i not in axes]
            return data.new_empty(kept or [1])
        return _reduce(function, data, axes, keepdims)

    text = f"{doc} along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."
    return register(name, kernel, aliases=aliases, doc=text, **facts)


reduction("sum", _sum, "The sum", ("sum_axis",))
reduction("mean", _mean, "The mean")
reduction("prod", _prod, "The product")
reduction("nansum", _nansum, "The sum, with NaN as 0,", alone=lambda x: _with_nan_as(0, x))
reduction("nanprod", _nanprod, "The product, with NaN as 1,", alone=lambda x: _with_nan_as(1, x))
reduction("max", _extreme(torch.amax), "The largest element", ("max_axis",))
reduction("min", _extreme(torch.amin), "The smallest element", ("min_axis",))
reduction("_square_sum", _square_sum, "The sum of squares", alone=torch.square)


# ---- with attributes of their own ------------------------------------------------------------------------------------

_NORM_TYPES = (torch.float16, torch.float32, torch.float64, torch.int32, torch.int64, torch.int8)


@op("norm")
def norm(
    data: torch.Tensor,
    *,
    ord: int = 2,
    axis: tuple[int, ...] | None = None,
    out_dtype: torch.dtype | None = None,
    keepdims: bool = False,
) -> torch.Tensor:
    """The L1 (``ord=1``) or L2 norm along ``axis``; without one, of the whole array."""
    if ord not in (1, 2):
        raise ValueError("ord must be 1 or 2")
    if out_dtype is not None and out_dtype not in _NORM_TYPES:
        raise TypeError("out_dtype must be one of float16, float32, float64, int32, int64, int8")
    axes = reduced_axes(data.dim(), axis)
    wanted = out_dtype or data.dtype
    if wanted is not data.dtype or not data.is_floating_point():
        # computed in the wider type, so that a float16 array can have a float32 norm that float16 could not hold
        wide = torch.promote_types(data.dtype, wanted)
        data = data.to(wide if wide.is_floating_point else torch.float64)
    if data.is_meta:
        left = [1 if i in axes else n for i, n in enumerate(data.shape) if keepdims or i not in axes]
        return without_data(data, left or ([] if keepdims else [1]), wanted)
    found = _reduce(lambda x, d, k: vector_norm(x, ord, d, k), data, axes, keepdims)
    return found.to(wanted) if wanted.is_floating_point else to_integers(found, wanted)


@norm.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    return [attrs["out_dtype"] or dtypes["data"]]


@op("moments", outputs=2)
def moments(
    data: torch.Tensor, *, axes: tuple[int, ...] | None = None, keepdims: bool = False
) -> tuple[torch.Tensor, torch.Tensor]:
    """The mean and the (population) variance along ``axes``, which must name at least one axis."""
    if not axes:
        raise ValueError("axes must name at least one axis; name all of them for the moments of the whole array")
    found = reduced_axes(data.dim(), axes)
    if data.is_meta:
        sizes = [1 if i in found else n for i, n in enumerate(data.shape)]
        if not keepdims:
            sizes = [n for i, n in enumerate(data.shape) if i not in found] or [1]
        return without_data(data, sizes), without_data(data, sizes)
    # Two passes: torch.var_mean takes nine times as long on the CPU. Half precision is computed in single.
    dtype = data.dtype
    values = data.to(torch.float32) if dtype in (torch.float16, torch.bfloat16) else without_graph(data)
    mean = _mean(values, found, True)
    variance = _mean(torch.square(values - mean), found, True)
    if isinstance(data, Integers):  # the gradients of mean and variance are each cut to integers once
        place, from_mean = data.to(torch.float64), data.to(torch.float64) - mean
        mean = to_integers(place.mean(found, True), dtype, mean)
        variance = to_integers(torch.square(from_mean).mean(found, True), dtype, variance)
    if not keepdims:
        shape = [n for i, n in enumerate(data.shape) if i not in found] or [1]
        mean, variance = mean.reshape(shape), variance.reshape(shape)
    return mean.to(dtype), variance.to(dtype)


# ---- of several arrays -----------------------------------------------------------------------------------------------


def _same_dtypes(dtypes: Dtypes) -> None:
    known = next((d for d in dtypes.values() if d is not None), None)
    for name in dtypes:
        dtypes[name] = dtypes[name] or known


def _check_floats(data: tuple[torch.Tensor, ...]) -> None:
    for tensor in data:
        if not tensor.is_floating_point():
            raise TypeError("it takes arrays of a floating type only")
        if tensor.dtype is not data[0].dtype:
            raise TypeError("all inputs must have the same dtype")


@op("multi_sum_sq", count="num_arrays")
def multi_sum_sq(*data: torch.Tensor, num_arrays: int) -> torch.Tensor:
    """The sum of squares of each array, as one float32 array of that many numbers."""
    _check_floats(data)
    if data[0].is_meta:
        return without_data(data[0], (len(data),), torch.float32)
    sums = []
    for tensor in data:
        flat = tensor.reshape(-1)
        if flat.dtype not in (torch.float32, torch.float64):
            flat = flat.to(torch.float32)
        sums.append(torch.dot(flat, flat))
    return torch.stack(sums).to(torch.float32)


def _all_finite(data: tuple[torch.Tensor, ...], init_output: bool, out: torch.Tensor | None) -> torch.Tensor:
    _check_floats(data)
    if data[0].is_meta:
        return without_data(data[0], (1,), torch.float32)
    # The smallest and largest number show an infinity or NaN anywhere, in a tenth of the time of isfinite().
    extremes = [extreme for t in data if t.numel() for extreme in torch.aminmax(t.detach())]
    found = torch.ones(1, dtype=torch.float32, device=data[0].device)
    if extremes:
        found = torch.stack(extremes).isfinite().all().reshape(1).to(torch.float32)
    return found if init_output or out is None else found * out


@op("all_finite")
def all_finite(data: torch.Tensor, *, init_output: bool = True, _out: torch.Tensor | None) -> torch.Tensor:
    """1 if all numbers are finite, else 0. ``init_output=False`` multiplies what is in ``out``."""
    return _all_finite((data,), init_output, _out)


@op("multi_all_finite", count="num_arrays")
def multi_all_finite(
    *data: torch.Tensor, num_arrays: int = 1, init_output: bool = True, _out: torch.Tensor | None
) -> torch.Tensor:
    """1 if all numbers of all arrays are finite, else 0. ``init_output=False`` multiplies what is in ``out``."""
    return _all_finite(data, init_output, _out)


for _definition in (multi_sum_sq, all_finite, multi_all_finite):

    @_definition.infer_dtype
    def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
        _same_dtypes(dtypes)
        return [torch.float32]


@op("reset_arrays", count="num_arrays", outputs=0, mutates=("data",))
def reset_arrays(*data: torch.Tensor, num_arrays: int) -> tuple[()]:
    """Sets all numbers of all arrays to zero, in place."""
    for tensor in data:
        tensor.detach().zero_()
    return ()


@reset_arrays.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    return []


# ---- broadcasting ----------------------------------------------------------------------------------------------------


@op("broadcast_to", view=True)
def broadcast_to(data: torch.Tensor, *, shape: tuple[int, ...] = ()) -> torch.Tensor:
    """The array with its dimensions of size 1 repeated to fill ``shape``; a 0 there keeps the array's own size."""
    if len(shape) != data.dim():
        raise ValueError(f"shape {shape} has {len(shape)} dimension(s), the array has {data.dim()}")
    return _expand(data, [own if wanted == 0 else wanted for own, wanted in zip(data.shape, shape, strict=True)])


@op("broadcast_axis", aliases=("broadcast_axes",), view=True)
def broadcast_axis(data: torch.Tensor, *, axis: tuple[int, ...] = (), size: tuple[int, ...] = ()) -> torch.Tensor:
    """The array with the axes ``axis``, which must have size 1, repeated ``size`` times."""
    if len(axis) != len(size):
        raise ValueError(f"axis has {len(axis)} number(s), size has {len(size)}")
    shape = list(data.shape)
    for a, n in zip(axis, size, strict=True):
        if not 0 <= a < len(shape):
            raise ValueError(f"axis {a} is out of range for an array with {len(shape)} dimension(s)")
        if shape[a] != 1:
            raise ValueError(f"axis {a} has size {shape[a]}; only axes of size 1 can be broadcast")
        shape[a] = n
    return _expand(data, shape)


@op("broadcast_like", view=True)
def broadcast_like(
    lhs: torch.Tensor,
    rhs: torch.Tensor,
    *,
    lhs_axes: tuple[int, ...] | None = None,
    rhs_axes: tuple[int, ...] | None = None,
) -> torch.Tensor:
    """``lhs`` repeated along its dimensions of size 1 to the shape of ``rhs``.

    With ``lhs_axes`` and ``rhs_axes`` only those axes of ``lhs`` take the sizes of those of ``rhs``.
    """
    shape = list(rhs.shape)
    if lhs_axes is not None and rhs_axes is not None:
        if not lhs_axes or len(lhs_axes) != len(rhs_axes):
            raise ValueError("lhs_axes and rhs_axes must have the same number of axes, at least one")
        shape = list(lhs.shape)
        for mine, theirs in zip(lhs_axes, rhs_axes, strict=True):
            if lhs.shape[mine] != 1:
                raise ValueError(f"axis {mine} of lhs has size {lhs.shape[mine]}; only axes of size 1 can be broadcast")
            shape[mine] = rhs.shape[theirs]
    elif lhs.dim() != rhs.dim():
        raise ValueError("both inputs must have the same number of dimensions")
    result = _expand(lhs, shape)
    return constant_in(result, rhs) if result.is_floating_point() else result


@broadcast_like.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    return [dtypes["lhs"]]


def _expand(data: torch.Tensor, shape: list[int]) -> torch.Tensor:
    for own, wanted in zip(data.shape, shape, strict=True):
        if wanted < 0 or own not in (1, wanted):
            raise ValueError(f"shape {tuple(data.shape)} cannot be broadcast to {tuple(shape)}")
    return data.expand(shape)


@op("_np_cumsum", aliases=("cumsum",))
def cumsum(a: torch.Tensor, *, axis: int | None = None, dtype: torch.dtype | None = None) -> torch.Tensor:
    """Running sums along ``axis``, or over the flattened array if none is given."""
    kind = _sum_type(dtype, a.dtype)
    if a.is_meta:
        return without_data(a, (a.numel(),) if axis is None else a.shape, kind)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = normalize_axis(axis, a.dim())
    if kind is torch.float16 and a.is_cpu and not is_traced():
        return _cumsum_in_half(a, axis)
    if a.requires_grad and kind is not None and not kind.is_floating_point:
        a = to_integers(a, kind)
    return torch.cumsum(a, axis, dtype=kind)


def _running(a: torch.Tensor, axis: int) -> torch.Tensor:
    with np.errstate(all="ignore"):  # of infinities
        return torch.from_numpy(np.cumsum(a.detach().to(torch.float16).numpy(), axis, dtype=np.float16))


def _cumsum_in_half(a: torch.Tensor, axis: int) -> torch.Tensor:
    """Running sums of float16 numbers, each rounded to float16 as MXNet does: they stand still at 2048 ones."""
    if not a.requires_grad:
        return _running(a, axis)

    def gradient(grad: torch.Tensor, a: torch.Tensor, result: torch.Tensor) -> tuple[torch.Tensor]:
        sums = _running if a.dtype is torch.float16 else torch.cumsum
        return (sums(grad.to(a.dtype).flip(axis), axis).flip(axis),)

    return own_gradient(lambda a: _running(a, axis), gradient)(a)


def _sum_type(wanted: torch.dtype | None, given: torch.dtype | None) -> torch.dtype | None:
    return wanted or (torch.int64 if given is torch.bool else given)


@cumsum.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    return [_sum_type(attrs["dtype"], dtypes["a"])]
