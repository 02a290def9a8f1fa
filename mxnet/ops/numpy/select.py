"""Operators that select, insert, delete, count or pad elements, with NumPy's meaning."""

from typing import Any, Literal

import torch

from ..gradients import constant_in, selected_by
from ..registry import op
from ..support import as_number, normalize_axis
from ..types import Attrs, Dtype, Dtypes
from ..unary import NO_BOOLEANS


def _no_booleans(data: torch.Tensor) -> None:
    if data.dtype is torch.bool:
        raise TypeError(NO_BOOLEANS)


# ---- where -----------------------------------------------------------------------------------------------------------


@op("_npi_where")
@selected_by("condition")
def where(condition: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The elements of ``x`` where the condition is not 0, else those of ``y``. All three broadcast."""
    if x.dtype is not y.dtype:
        raise TypeError("x and y must have the same dtype; convert one of them with astype()")
    return torch.where(condition.detach() != 0, x, y)


@op("_npi_where_lscalar")
@selected_by("condition")
def where_lscalar(condition: torch.Tensor, x: torch.Tensor, *, scalar: float = 0.0) -> torch.Tensor:
    """A number where the condition is not 0, else the elements of ``x``, whose dtype it takes."""
    return torch.where(condition.detach() != 0, as_number(scalar, x.dtype), x).to(x.dtype)


@op("_npi_where_rscalar")
@selected_by("condition")
def where_rscalar(condition: torch.Tensor, y: torch.Tensor, *, scalar: float = 0.0) -> torch.Tensor:
    """The elements of ``y`` where the condition is not 0, else a number of its dtype."""
    return torch.where(condition.detach() != 0, y, as_number(scalar, y.dtype)).to(y.dtype)


@op("_npi_where_scalar2")
def where_scalar2(condition: torch.Tensor, *, x: float = 0.0, y: float = 0.0) -> torch.Tensor:
    """One number where the condition is not 0, else another, in float32."""
    return constant_in(torch.where(condition.detach() != 0, x, y).to(torch.float32), condition)


where.infer_dtype(lambda dtypes, attrs: [dtypes["x"] or dtypes["y"]])
where_lscalar.infer_dtype(lambda dtypes, attrs: [dtypes["x"]])
where_rscalar.infer_dtype(lambda dtypes, attrs: [dtypes["y"]])
where_scalar2.infer_dtype(lambda dtypes, attrs: [torch.float32])


# ---- results whose size depends on the data --------------------------------------------------------------------------


@op("_npx_nonzero", aliases=("_npi_nonzero",))
def nonzero(x: torch.Tensor) -> torch.Tensor:
    """The indices of the elements that are not 0, a row for each."""
    return torch.nonzero(torch.atleast_1d(x.detach()))


nonzero.infer_dtype(lambda dtypes, attrs: [torch.int64])


def _unique_outputs(attrs: Attrs) -> int:
    return 1 + attrs["return_index"] + attrs["return_inverse"] + attrs["return_counts"]


@op("_npi_unique", outputs=_unique_outputs)
def unique(
    data: torch.Tensor,
    *,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
) -> Any:
    """The sorted elements, each once; also where each is first, which of them each element is, how many there are."""
    _no_booleans(data)
    source = data.detach().reshape(-1) if axis is None else data.detach().movedim(normalize_axis(axis, data.dim()), 0)
    if source.numel() or axis is None:
        values, inverse, counts = torch.unique(source, return_inverse=True, return_counts=True, dim=0)
    else:  # slices without elements are all the same
        count = len(source)
        values, inverse = source[:1], torch.zeros(count, dtype=torch.int64, device=source.device)
        counts = inverse.new_full((min(count, 1),), count)
    found = [values if axis is None else values.movedim(0, axis)]
    if return_index:
        order = torch.argsort(inverse, stable=True)
        starts = torch.cumsum(counts, 0) - counts
        found.append(order[starts])
    if return_inverse:
        found.append(inverse)
    if return_counts:
        found.append(counts)
    return found[0] if len(found) == 1 else tuple(found)


@unique.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[Dtype]:
    return [dtypes["data"], *[torch.int64] * (_unique_outputs(attrs) - 1)]


@op("_npi_bincount", active=lambda attrs: ("data", "weights") if attrs["has_weights"] else ("data",))
def bincount(
    data: torch.Tensor, weights: torch.Tensor | None = None, *, minlength: int = 0, has_weights: bool = False
) -> torch.Tensor:
    """How often each number from 0 on occurs, or the sum of the weights where it does."""
    if data.is_floating_point() or data.dtype is torch.bool:
        raise TypeError("it takes arrays of integers only")
    if data.dim() > 1:
        raise ValueError(f"it takes an array of one dimension, this one has {data.dim()}")
    weighted = None if weights is None else weights.detach().reshape(-1)
    counts = torch.bincount(data.detach().reshape(-1), weighted, minlength=minlength)
    return counts.to(data.dtype) if weights is None else constant_in(counts.to(weights.dtype), weights)


# ---- insert and delete -----------------------------------------------------------------------------------------------


def _flat(arr: torch.Tensor, axis: int | None) -> tuple[torch.Tensor, int]:
    return (arr.reshape(-1), 0) if axis is None else (arr, normalize_axis(axis, arr.dim()))


def _positions(
    obj: torch.Tensor | None, int_ind: int | None, slices: tuple[int | None, int | None, int | None], size: int
) -> list[int]:
    if obj is not None:
        given = [int(n) for n in obj.reshape(-1).tolist()]
    elif int_ind is not None:
        given = [int_ind]
    else:
        return list(range(*slice(*slices).indices(size)))
    for n in given:
        if not -size <= n < size:
            raise IndexError(f"index {n} is out of bounds for an axis of size {size}")
    return [n + size if n < 0 else n for n in given]


@op("_npi_delete")
def delete(
    arr: torch.Tensor,
    obj: torch.Tensor | None = None,
    *,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
) -> torch.Tensor:
    """The array without the given places along an axis, or of the flattened array."""
    arr, dim = _flat(arr, axis)
    size = arr.shape[dim]
    gone = set(_positions(obj, int_ind, (start, stop, step), size))
    kept = torch.tensor([i for i in range(size) if i not in gone], dtype=torch.int64, device=arr.device)
    return arr.index_select(dim, kept)


def _insert(arr: torch.Tensor, values: Any, places: list[int], dim: int, single: bool) -> torch.Tensor:
    """Puts values before the given places; values broadcast to what is inserted."""
    count = len(places)
    shape = [count if i == dim else n for i, n in enumerate(arr.shape)]
    if not isinstance(values, torch.Tensor):
        new = torch.full(shape, as_number(float(values), arr.dtype), dtype=arr.dtype, device=arr.device)
    else:
        extra = values.dim() - arr.dim()
        if extra > 0 and all(n == 1 for n in values.shape[:extra]):
            values = values.reshape(values.shape[extra:])
        if single and values.dim():
            values = values.movedim(0, dim) if values.dim() == arr.dim() else values
            count = values.shape[dim] if values.dim() == arr.dim() else 1
            places = places * count
            shape[dim] = count
        new = values.to(arr.dtype).broadcast_to(shape)
    size = arr.shape[dim]
    keys = torch.tensor([*range(size), *[p - 0.5 for p in places]], dtype=torch.float64)
    order = torch.argsort(keys, stable=True).to(arr.device)
    return torch.cat([arr, new], dim).index_select(dim, order)


def _end_positions(given: list[int], size: int) -> list[int]:
    for n in given:
        if not -size <= n <= size:
            raise IndexError(f"index {n} is out of bounds for an axis of size {size}")
    return [n + size if n < 0 else n for n in given]


def _inserting(name: str, kernel: Any) -> None:
    op(name)(kernel)


def insert_scalar(
    arr: torch.Tensor,
    values: torch.Tensor | None = None,
    *,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
) -> torch.Tensor:
    """The array with a number, or numbers, put before a place along an axis, or of the flattened array."""
    arr, dim = _flat(arr, axis)
    return _insert(
        arr, values if values is not None else val, _end_positions([int_ind or 0], arr.shape[dim]), dim, True
    )


def insert_slice(
    arr: torch.Tensor,
    values: torch.Tensor | None = None,
    *,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
) -> torch.Tensor:
    """The array with numbers put before each place of a slice along an axis, or of the flattened array."""
    arr, dim = _flat(arr, axis)
    places = list(range(*slice(start, stop, step).indices(arr.shape[dim])))
    return _insert(arr, values if values is not None else val, places, dim, False)


def insert_tensor(
    arr: torch.Tensor,
    values: torch.Tensor,
    obj: torch.Tensor | None = None,
    *,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
) -> torch.Tensor:
    """The array with numbers put before the places that an array names, along an axis or of the flattened array."""
    if obj is None:  # the number is an attribute
        values, obj, number = values, values, val
    else:
        number = None
    if obj.dim() > 1:
        raise ValueError(f"the places must be given as a number or an array of one dimension, this one has {obj.dim()}")
    arr, dim = _flat(arr, axis)
    places = _end_positions([int(n) for n in obj.reshape(-1).tolist()], arr.shape[dim])
    return _insert(arr, values if number is None else number, places, dim, len(places) == 1)


_inserting("_npi_insert_scalar", insert_scalar)
_inserting("_npi_insert_slice", insert_slice)
_inserting("_npi_insert_tensor", insert_tensor)


# ---- masks -----------------------------------------------------------------------------------------------------------


def _mask_index(data: torch.Tensor, mask: torch.Tensor, start_axis: int) -> tuple[Any, ...]:
    return (*[slice(None)] * start_axis, mask.detach() != 0)


@op("_npi_boolean_mask_assign_scalar")
def boolean_mask_assign_scalar(
    data: torch.Tensor, mask: torch.Tensor, *, value: float = 0.0, start_axis: int = 0
) -> torch.Tensor:
    """A copy of the array with a number where a mask, over axes from ``start_axis`` on, is not 0."""
    result = data.clone()
    result[_mask_index(data, mask, start_axis)] = as_number(value, data.dtype)
    return result


@op("_npi_boolean_mask_assign_tensor")
def boolean_mask_assign_tensor(
    data: torch.Tensor, mask: torch.Tensor, value: torch.Tensor, *, start_axis: int = 0
) -> torch.Tensor:
    """A copy of the array with the elements of another where a mask is not 0."""
    result = data.clone()
    result[_mask_index(data, mask, start_axis)] = value.to(data.dtype)
    return result


# ---- the rest --------------------------------------------------------------------------------------------------------


@op("_npi_around", gradient="zero")
def around(x: torch.Tensor, *, decimals: int = 0) -> torch.Tensor:
    """The numbers rounded to so many decimals, halves to the even number. The gradient is zero."""
    _no_booleans(x)
    if not x.is_floating_point():
        return x.clone() if decimals >= 0 else torch.round(x.to(torch.float64), decimals=decimals).to(x.dtype)
    return constant_in(torch.round(x.detach(), decimals=decimals), x)


@op("_npi_nan_to_num")
def nan_to_num(
    data: torch.Tensor,
    *,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> torch.Tensor:
    """The array with numbers in the place of NaN and the infinities, for which the largest and smallest stand."""
    return torch.nan_to_num(data, nan, posinf, neginf) if data.is_floating_point() else data.clone()


@op("_npi_diag_indices_from")
def diag_indices_from(data: torch.Tensor) -> torch.Tensor:
    """The indices of the main diagonal of an array whose dimensions are all equal, a row for each dimension."""
    if data.dim() < 2 or len(set(data.shape)) != 1:
        raise ValueError(f"all dimensions, at least two, must be of equal length, got shape {tuple(data.shape)}")
    return torch.arange(data.shape[0], device=data.device).expand(data.dim(), -1).clone()


diag_indices_from.infer_dtype(lambda dtypes, attrs: [torch.int64])


def _addresses(data: torch.Tensor) -> tuple[int, int]:
    """Where the elements of an array begin and end in memory."""
    span = sum((n - 1) * step for n, step in zip(data.shape, data.stride(), strict=True)) + 1
    return data.data_ptr(), data.data_ptr() + span * data.element_size()


@op("_npi_share_memory")
def share_memory(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Do two arrays share memory?"""
    if a.device != b.device or not a.numel() or not b.numel():
        return torch.tensor(False)
    (first, end), (other, other_end) = _addresses(a), _addresses(b)
    return torch.tensor(first < other_end and other < end)


share_memory.infer_dtype(lambda dtypes, attrs: [torch.bool])


@op("_npx_constraint_check")
def constraint_check(input: torch.Tensor, *, msg: str = "Constraint violated.") -> torch.Tensor:
    """True if all elements are; else an error with this message."""
    truth = torch.all(input.detach() != 0)
    if not truth.is_meta and not bool(truth):
        raise ValueError(msg)
    return truth


constraint_check.infer_dtype(lambda dtypes, attrs: [torch.bool])


def _border(size: int, before: int, after: int, mode: str, reflect_type: str, device: torch.device) -> torch.Tensor:
    """For each place along a padded axis, the place whose element it gets."""
    places = torch.arange(-before, size + after, device=device)
    if mode == "edge":
        return places.clamp(0, size - 1)
    period = 2 * size if mode == "symmetric" else max(2 * size - 2, 1)
    places = torch.remainder(places, period)
    mirrored = period - 1 - places if mode == "symmetric" else period - places
    return torch.where(places < size, places, mirrored).clamp_(0, size - 1)


@op("_npi_pad")
def pad(
    data: torch.Tensor,
    *,
    pad_width: tuple[tuple[int, ...], ...],
    mode: Literal["constant", "edge", "reflect", "symmetric", "maximum", "minimum"] = "constant",
    constant_value: float = 0.0,
    reflect_type: str = "even",
) -> torch.Tensor:
    """The array with a border of so many elements before and after along each axis."""
    if reflect_type != "even":
        raise NotImplementedError(f"reflect_type {reflect_type!r} is not supported; only 'even' is")
    widths = list(pad_width)
    if len(widths) == 1:
        widths *= data.dim()
    if len(widths) != data.dim() or any(len(w) not in (1, 2) or min(w) < 0 for w in widths):
        raise ValueError(f"pad_width must have a pair of sizes for each of {data.dim()} dimension(s), got {pad_width}")
    for dim, width in enumerate(widths):
        before, after = width[0], width[-1]
        if not before and not after:
            continue
        if mode in ("edge", "reflect", "symmetric"):
            if not data.shape[dim]:
                raise ValueError(f"axis {dim} has no elements to pad with")
            data = data.index_select(dim, _border(data.shape[dim], before, after, mode, reflect_type, data.device))
            continue
        parts = []
        for count in (before, after):
            shape = [count if i == dim else n for i, n in enumerate(data.shape)]
            if mode == "constant":
                parts.append(
                    torch.full(shape, as_number(constant_value, data.dtype), dtype=data.dtype, device=data.device)
                )
            else:
                extreme = (torch.amax if mode == "maximum" else torch.amin)(data, dim, True)
                parts.append(extreme.expand(shape))
        data = torch.cat([parts[0], data, parts[1]], dim)
    return data.clone() if not any(any(w) for w in widths) else data
