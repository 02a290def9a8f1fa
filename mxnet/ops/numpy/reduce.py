"""Reductions as in NumPy: without an axis the result has no dimensions; and what runs along an axis."""

import functools
import math
from collections.abc import Callable
from typing import Any, Literal

import torch

from ..gradients import constant_in
from ..integers import to_integers
from ..reduce import _extreme, _prod, _sum
from ..registry import OpDef, op, register
from ..support import normalize_axis
from ..types import Attrs, Dtype, Dtypes
from ..unary import NO_BOOLEANS
from ..wide import SQUARES, leaves

Axes = tuple[int, ...]
Reduction = Callable[[torch.Tensor, Axes, bool], torch.Tensor]


@functools.lru_cache(maxsize=1024)
def axes_of(ndim: int, axis: Axes | None) -> Axes:
    """The axes to reduce, sorted and not negative; all of them for None. One number has none, and takes 0 and -1."""
    if axis is None or (not ndim and axis in ((0,), (-1,))):
        return tuple(range(ndim))
    found = tuple(sorted(normalize_axis(a, ndim) for a in axis))
    if len(set(found)) < len(found):
        raise ValueError(f"axis {axis} names an axis twice")
    return found


def _shape(data: torch.Tensor, axes: Axes, keepdims: bool) -> list[int]:
    return [1 if i in axes else n for i, n in enumerate(data.shape) if keepdims or i not in axes]


def _count_dtype(dtype: Dtype) -> Dtype:
    return torch.int64 if dtype is torch.bool else dtype


def _floating(dtype: Dtype) -> Dtype:
    return dtype if dtype is None or dtype.is_floating_point else torch.float32


def _summing(
    name: str, aliases: tuple[str, ...], function: Reduction, kind_of: Callable[[Dtype], Dtype], doc: str, **facts: Any
) -> OpDef:
    """A reduction that computes in ``dtype``, if one is given, and may start from a number."""

    def kernel(
        a: torch.Tensor,
        *,
        axis: tuple[int, ...] | None = None,
        dtype: torch.dtype | None = None,
        keepdims: bool = False,
        initial: float | None = None,
    ) -> torch.Tensor:
        if initial is not None:
            raise NotImplementedError("initial is not supported, as in MXNet; add or multiply it afterwards")
        axes = axes_of(a.dim(), axis)
        wanted: Any = dtype or kind_of(a.dtype)
        if a.is_meta:
            return a.new_empty(_shape(a, axes, keepdims), dtype=wanted)
        kind = _compute_dtype(a.dtype, wanted, function is _mean)
        if kind is torch.float16 and function is _prod:  # sums of it are made in float32 anyway
            kind = torch.float32
        if a.dtype is not kind:
            a = a.to(kind)
        found = function(a, axes, keepdims) if axes else function(a[None], (0,), False)
        if kind is wanted:
            return found
        return found.to(wanted) if wanted.is_floating_point else to_integers(found, wanted)

    opdef = register(name, kernel, aliases=aliases, doc=f"{doc} along ``axis``, or of the whole array.", **facts)

    @opdef.infer_dtype
    def _(dtypes: Dtypes, attrs: Attrs) -> list[Dtype]:
        return [attrs["dtype"] or kind_of(dtypes["a"])]

    return opdef


def _compute_dtype(given: torch.dtype, wanted: torch.dtype, mean: bool) -> torch.dtype:
    """In which dtype a sum is made: floats are cut to integers, or to shorter floats, only when it is found."""
    if wanted.is_floating_point:
        return torch.promote_types(given, wanted) if given.is_floating_point else wanted
    return torch.float64 if mean or given.is_floating_point else wanted


def _mean(data: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
    # of no numbers MXNet says 0
    return torch.mean(data, axes, keepdims) if data.numel() else _sum(data, axes, keepdims)


_summing("_np_sum", (), _sum, _count_dtype, "The sum")
_summing("_np_prod", ("_np_product",), _prod, _count_dtype, "The product")
_summing("_npi_mean", (), _mean, _floating, "The mean")


def _extremum(name: str, alias: str, function: Callable[..., torch.Tensor], doc: str) -> None:
    numbers = _extreme(function)

    def kernel(
        a: torch.Tensor,
        *,
        axis: tuple[int, ...] | None = None,
        keepdims: bool = False,
        initial: float | None = None,
    ) -> torch.Tensor:
        if initial is not None:
            raise NotImplementedError("initial is not supported, as in MXNet; compare with it afterwards")
        axes = axes_of(a.dim(), axis)
        if a.is_meta or (not a.numel() and all(a.shape[i] for i in axes)):
            return a.new_empty(_shape(a, axes, keepdims))
        return numbers(a, axes, keepdims) if axes else numbers(a[None], (0,), False)

    text = f"{doc} along ``axis``, or of the whole array."
    register(name, kernel, aliases=(alias,), doc=text)


_extremum("_np_max", "_np_amax", torch.amax, "The largest element")
_extremum("_np_min", "_np_amin", torch.amin, "The smallest element")


def _logical(name: str, aliases: tuple[str, ...], function: Callable[..., torch.Tensor], doc: str) -> None:
    def kernel(data: torch.Tensor, *, axis: tuple[int, ...] | None = None, keepdims: bool = False) -> torch.Tensor:
        axes = axes_of(data.dim(), axis)
        if data.is_meta:
            return data.new_empty(_shape(data, axes, keepdims), dtype=torch.bool)
        truth = data.detach() != 0
        return function(truth, axes, keepdims) if axes else truth

    opdef = register(name, kernel, aliases=aliases, doc=f"{doc} along ``axis``, or of the whole array?")
    opdef.infer_dtype(lambda dtypes, attrs: [torch.bool])


_logical("_np_all", (), torch.all, "Are all numbers other than 0")
_logical("_np_any", ("_np_sometrue",), torch.any, "Is any number other than 0")


# ---- statistics ------------------------------------------------------------------------------------------------------


def _no_booleans(data: torch.Tensor) -> None:
    if data.dtype is torch.bool:
        raise TypeError(NO_BOOLEANS)


def _variance(data: torch.Tensor, axes: Axes, keepdims: bool, ddof: int) -> torch.Tensor:
    values = data if data.is_floating_point() else data.to(torch.float64)
    count = math.prod(data.shape[a] for a in axes)
    if values is not data and count <= ddof:
        raise ValueError(f"the variance of {count} integer(s) with ddof={ddof} is not a number")
    mean = values.mean(axes, True) if axes else values
    if values is not data:  # of integers, each step is cut to one
        mean = mean.trunc()
    squares = torch.square(values - mean)
    variance = (squares.sum(axes, keepdims) if axes else squares) / (count - ddof)
    return variance if values is data else variance.trunc()


def _spread(name: str, function: Callable[[torch.Tensor], torch.Tensor], doc: str) -> None:
    def kernel(
        a: torch.Tensor,
        *,
        axis: tuple[int, ...] | None = None,
        dtype: torch.dtype | None = None,
        ddof: int = 0,
        keepdims: bool = False,
    ) -> torch.Tensor:
        _no_booleans(a)
        axes = axes_of(a.dim(), axis)
        wanted = dtype or a.dtype
        if a.is_meta:
            return a.new_empty(_shape(a, axes, keepdims), dtype=wanted)
        values = a.to(wanted) if wanted.is_floating_point else a
        variance = _variance(values, axes, keepdims, ddof)
        if function is _root and leaves(variance, SQUARES):
            variance = _variance(values.double(), axes, keepdims, ddof)
        return function(variance).to(wanted)

    text = f"{doc} along ``axis``, or of the whole array, divided by ``n - ddof``."
    short = name.removeprefix("_npi_")
    opdef = register(name, kernel, doc=text, gradient="zero", output_names=(short,))
    opdef.infer_dtype(lambda dtypes, attrs: [attrs["dtype"] or dtypes["a"]])


def _root(variance: torch.Tensor) -> torch.Tensor:
    """The square root; where all numbers are the same and it is 0, its gradient is 0 as well."""
    if not variance.requires_grad:
        return torch.sqrt(variance)
    none = variance == 0
    return torch.where(none, variance, torch.sqrt(variance.masked_fill(none, 1)))


_spread("_npi_var", lambda variance: variance, "The variance")
_spread("_npi_std", _root, "The standard deviation")


@op(
    "_npi_average",
    outputs=lambda attrs: 2 if attrs["returned"] else 1,
    active=lambda attrs: ("a", "weights") if attrs["weighted"] else ("a",),
)
def average(
    a: torch.Tensor,
    weights: torch.Tensor | None = None,
    *,
    axis: tuple[int, ...] | None = None,
    returned: bool = False,
    weighted: bool = True,
) -> Any:
    """The mean along ``axis``, or of the whole array, each number with its weight; also the sum of the weights."""
    _no_booleans(a)
    axes = axes_of(a.dim(), axis)
    if weights is None:
        count = math.prod(a.shape[i] for i in axes)
        if not count and not a.is_floating_point():
            raise ValueError("the mean of no integers is not a number")
        mean = (a.to(torch.float64).mean(axes) if not a.is_floating_point() else a.mean(axes)).to(a.dtype)
        return (mean, torch.full_like(mean, count)) if returned else mean
    if weights.dtype is not a.dtype:
        raise TypeError("the weights must have the dtype of the array; convert them with astype()")
    if weights.shape != a.shape:
        if weights.dim() != 1 or len(axes) != 1 or weights.shape[0] != a.shape[axes[0]]:
            raise ValueError("weights must have the shape of the array, or one dimension as long as its one axis")
        total = weights.sum()
        weights = weights.reshape([-1 if i == axes[0] else 1 for i in range(a.dim())])
    else:
        total = weights.sum(axes)
    mean = (a * weights).sum(axes) / total
    mean = mean.to(a.dtype)
    return (mean, total.to(a.dtype)) if returned else mean


average.infer_dtype(lambda dtypes, attrs: [dtypes["a"]] * (2 if attrs["returned"] else 1))


def _between(ordered: torch.Tensor, ranks: torch.Tensor, interpolation: str) -> torch.Tensor:
    """What stands at these ranks, which may be fractions, in sorted rows; NaN in rows with NaN. First axis: ranks."""
    ranks = ranks.to(ordered.device)
    if interpolation in ("lower", "higher", "nearest"):
        ranks = {"lower": torch.floor, "higher": torch.ceil, "nearest": torch.round}[interpolation](ranks)
    low = ranks.floor()
    share = (ranks - low) if interpolation == "linear" else (ranks > low) * 0.5
    below, above = ordered[..., low.long()], ordered[..., ranks.ceil().long()]
    found = torch.where(share == 0, below, below * (1 - share) + above * share)
    return found.masked_fill(ordered[..., -1:].isnan(), torch.nan).movedim(-1, 0)


@op("_npi_percentile", gradient="zero", active=lambda attrs: ("a", "q") if attrs["q_scalar"] is None else ("a",))
def percentile(
    a: torch.Tensor,
    q: torch.Tensor | None = None,
    *,
    axis: tuple[int, ...] | None = None,
    interpolation: Literal["linear", "lower", "higher", "midpoint", "nearest"] = "linear",
    keepdims: bool = False,
    q_scalar: float | None = None,
) -> torch.Tensor:
    """The q-th percentiles along ``axis``, or of the whole array; one for each number of ``q``, in front."""
    _no_booleans(a)
    axes = axes_of(a.dim(), axis)
    kind = torch.float64 if a.dtype is torch.float64 else torch.float32
    places = torch.scalar_tensor(q_scalar or 0.0, dtype=torch.float64) if q is None else q.detach().to(torch.float64)
    if a.is_meta:
        return a.new_empty([*places.shape, *_shape(a, axes, keepdims)], dtype=kind)
    if bool(((places < 0) | (places > 100)).any()):
        raise ValueError("percentiles must be between 0 and 100")
    rest = [i for i in range(a.dim()) if i not in axes]
    count = math.prod(a.shape[i] for i in axes)
    flat = a.detach().permute(*rest, *axes).reshape([*(a.shape[i] for i in rest), count]).to(torch.float64)
    if not flat.numel() and count:  # no element, which torch rejects
        return a.new_empty([*places.shape, *_shape(a, axes, keepdims)], dtype=kind)
    found = _between(flat.sort(-1).values, (places / 100).reshape(-1) * (count - 1), interpolation)
    return constant_in(found.reshape([*places.shape, *_shape(a, axes, keepdims)]).to(kind), a)


percentile.infer_dtype(lambda dtypes, attrs: [torch.float64 if dtypes["a"] is torch.float64 else torch.float32])


def _position(name: str, function: Callable[..., torch.Tensor], doc: str) -> None:
    def kernel(data: torch.Tensor, *, axis: int | None = None, keepdims: bool = False) -> torch.Tensor:
        _no_booleans(data)
        if not data.numel() and not data.is_meta and (axis is None or not data.shape[normalize_axis(axis, data.dim())]):
            raise ValueError("a zero-size axis has no maximum or minimum")
        if axis is None or (not data.dim() and axis in (0, -1)):
            found = function(data.detach().reshape(-1), 0)
            return found.reshape([1] * data.dim()) if keepdims else found
        return function(data.detach(), normalize_axis(axis, data.dim()), keepdims)

    text = f"{doc} along ``axis``, or in the flattened array."
    opdef = register(name, kernel, doc=text, gradient="zero")
    opdef.infer_dtype(lambda dtypes, attrs: [torch.int64])


_position("_npi_argmax", torch.argmax, "The place of the largest element")
_position("_npi_argmin", torch.argmin, "The place of the smallest element")


# ---- along an axis ---------------------------------------------------------------------------------------------------


@op("_npi_diff")
def diff(a: torch.Tensor, *, n: int = 1, axis: int = -1) -> torch.Tensor:
    """The differences of neighbors along an axis, ``n`` times."""
    _no_booleans(a)
    if n < 0:
        raise ValueError(f"n must not be negative, got {n}")
    axis = normalize_axis(axis, a.dim())
    for _ in range(min(n, a.shape[axis])):
        a = torch.narrow(a, axis, 1, a.shape[axis] - 1) - torch.narrow(a, axis, 0, a.shape[axis] - 1)
    return a.clone() if n == 0 else a


def _of_ediff1d(attrs: Attrs) -> tuple[str, ...]:
    return ("input1", "input2", "input3")[: 1 + attrs["to_begin_arr_given"] + attrs["to_end_arr_given"]]


@op("_npi_ediff1d", active=_of_ediff1d)
def ediff1d(
    input1: torch.Tensor,
    input2: torch.Tensor | None = None,
    input3: torch.Tensor | None = None,
    *,
    to_begin_arr_given: bool = False,
    to_end_arr_given: bool = False,
    to_begin_scalar: float | None = None,
    to_end_scalar: float | None = None,
) -> torch.Tensor:
    """The differences of neighbors in the flattened array, with numbers put before and after them."""
    _no_booleans(input1)
    flat = input1.reshape(-1)
    more = [t for t in (input2, input3) if t is not None]
    begin = more.pop(0) if to_begin_arr_given else None
    end = more.pop(0) if to_end_arr_given else None
    parts = [flat[1:] - flat[:-1]]
    if begin is not None or to_begin_scalar is not None:
        parts.insert(0, flat.new_tensor([to_begin_scalar]) if begin is None else begin.reshape(-1))
    if end is not None or to_end_scalar is not None:
        parts.append(flat.new_tensor([to_end_scalar]) if end is None else end.reshape(-1))
    return torch.cat(parts)
