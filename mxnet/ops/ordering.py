"""Operators that sort, rank and count elements."""

from typing import Any, Literal

import torch

from .gradients import constant_in
from .infer import same_shapes
from .registry import OpDef, op, register
from .support import check_dtype, check_same_dtype, normalize_axis, without_data
from .types import Attrs, Dtypes, Shapes

_INDEX_DTYPES = (torch.float16, torch.float32, torch.float64, torch.int32, torch.int64, torch.uint8)
# Up to this many elements the first of equal ones are taken (the original: up to 16); beyond, a partial sort is faster.
_STABLE_SIZE = 32


def _along(data: torch.Tensor, axis: int | None) -> tuple[torch.Tensor, int]:
    """The array and the axis to sort along; without an axis, the flattened array."""
    if axis is None:
        return data.reshape(-1), 0
    return data, normalize_axis(axis, data.dim())


@op("sort")
def sort(data: torch.Tensor, *, axis: int | None = -1, is_ascend: bool = True) -> torch.Tensor:
    """Sorts along ``axis``; None sorts the flattened array. Equal elements keep their order."""
    data, dim = _along(data, axis)
    return without_data(data) if data.is_meta else data.sort(dim=dim, descending=not is_ascend, stable=True).values


@op("argsort", gradient="zero")
def argsort(
    data: torch.Tensor, *, axis: int | None = -1, is_ascend: bool = True, dtype: torch.dtype = torch.float32
) -> torch.Tensor:
    """The indices that sort the array along ``axis`` (None: flattened). Equal elements keep their order."""
    check_dtype(dtype, _INDEX_DTYPES)
    flat, dim = _along(data, axis)
    if data.is_meta:
        return without_data(flat, dtype=dtype)
    indices = flat.detach().sort(dim=dim, descending=not is_ascend, stable=True).indices
    return constant_in(indices.to(dtype), data)


@argsort.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    return [attrs["dtype"]]


@op(
    "topk",
    gradient=lambda attrs: "flows" if attrs["ret_typ"] in ("both", "value") else "zero",
    outputs=lambda attrs: 2 if attrs["ret_typ"] == "both" else 1,
)
def topk(
    data: torch.Tensor,
    *,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: Literal["both", "indices", "mask", "value"] = "indices",
    is_ascend: bool = False,
    dtype: torch.dtype = torch.float32,
) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
    """The ``k`` largest elements along ``axis`` (smallest if ``is_ascend``), in order; all of them if ``k`` < 1.

    ``ret_typ`` says what is returned: their indices as ``dtype``, the elements, both, or a mask of ones at their
    places. None as axis means the flattened array. Among equal elements of long rows any may be chosen.
    """
    check_dtype(dtype, _INDEX_DTYPES)
    flat, dim = _along(data, axis)
    size = flat.shape[dim]
    if k > size:
        raise ValueError(f"k={k} is more than the {size} elements there are")
    indices = _top_indices(flat.detach(), dim, k if k > 0 else size, not is_ascend)
    if ret_typ == "indices":
        return constant_in(indices.to(dtype), data)
    if ret_typ == "mask":
        mask = torch.zeros_like(flat, memory_format=torch.contiguous_format)
        if data.is_meta:
            return mask.reshape(data.shape)
        return constant_in(mask.scatter_(dim, indices, 1).reshape(data.shape), data)
    values = without_data(flat, indices.shape) if flat.is_meta else flat.gather(dim, indices)
    return values if ret_typ == "value" else (values, constant_in(indices.to(dtype), data))


def _top_indices(data: torch.Tensor, dim: int, k: int, largest: bool) -> torch.Tensor:
    if data.is_meta:
        return without_data(data, [*data.shape[:dim], k, *data.shape[dim + 1 :]], torch.int64)
    if k == 1:
        return data.argmax(dim, keepdim=True) if largest else data.argmin(dim, keepdim=True)
    size = data.shape[dim]
    if size <= _STABLE_SIZE or 4 * k > size:
        return data.sort(dim=dim, descending=largest, stable=True).indices.narrow(dim, 0, k)
    return data.topk(k, dim, largest).indices


@topk.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    kind, known = attrs["ret_typ"], dtypes["data"]
    return {"both": [known, attrs["dtype"]], "indices": [attrs["dtype"]]}.get(kind, [known])


def _extremum(name: str, function: Any, doc: str) -> OpDef:
    """``argmax`` and ``argmin``: the index in the dtype of the array."""

    def kernel(data: torch.Tensor, *, axis: int | None = None, keepdims: bool = False) -> torch.Tensor:
        place = None if axis is None else normalize_axis(axis, data.dim())
        if data.is_meta and data.numel():  # where there is nothing to compare, torch has to say so
            left = [n if not (place is None or i == place) else 1 for i, n in enumerate(data.shape)]
            if not keepdims:
                left = [n for i, n in enumerate(left) if place is not None and i != place] or [1]
            return without_data(data, left)
        if place is None:
            index = function(data.detach()).reshape([1] * data.dim() if keepdims else [1])
        else:
            index = function(data.detach(), place, keepdim=keepdims)
            if not index.dim():
                index = index.reshape(1)
        return constant_in(index.to(data.dtype), data)

    return register(name, kernel, doc=doc, gradient="zero")


_TEXT = "The index of the {} element along ``axis`` (or in the flattened array), the first one of equals, as {}."
argmax = _extremum("argmax", torch.argmax, _TEXT.format("largest", "the dtype of the array"))
argmin = _extremum("argmin", torch.argmin, _TEXT.format("smallest", "the dtype of the array"))


@op("argmax_channel")
def argmax_channel(data: torch.Tensor) -> torch.Tensor:
    """The index of the largest element along axis 1."""
    return argmax.kernel(data, axis=1)


@op("_histogram", outputs=2, active=lambda attrs: ("data", "bins") if attrs["bin_cnt"] is None else ("data",))
def histogram(
    data: torch.Tensor,
    bins: torch.Tensor | None = None,
    *,
    bin_cnt: int | None = None,
    range: tuple[float, ...] | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Counts (int64) of the elements in each bin, and the edges of the bins.

    The edges are given as ``bins``, or there are ``bin_cnt`` equal bins over ``range``. A bin includes its left edge,
    the last one also its right edge; elements outside are not counted.
    """
    if (bin_cnt is None) != (range is None):
        raise ValueError("bin_cnt and range must be given together")
    if (bin_cnt is None) == (bins is None):
        raise ValueError("either bins, or bin_cnt and range must be given")
    if bins is not None:
        check_same_dtype(data, bins)
        if bins.dim() != 1 or bins.shape[0] < 2:
            raise ValueError(f"bins must be a vector of at least two edges, it has shape {tuple(bins.shape)}")
        edges = bins if data.is_meta else bins.clone()
    else:
        assert bin_cnt is not None and range is not None
        if bin_cnt < 1 or len(range) != 2 or range[0] > range[1]:
            raise ValueError(f"bin_cnt must be positive and range a pair (low, high), got {bin_cnt} and {range}")
        if data.is_meta:
            edges = without_data(data, (bin_cnt + 1,))
        else:
            exact = _edges(range[0], range[1], bin_cnt, data.device)
            edges = exact.to(data.dtype)
    count = edges.shape[0] - 1
    if data.is_meta:
        return without_data(data, (count,), torch.int64), edges
    values = data.detach().reshape(-1)
    # searchsorted numbers the bins from 1; 0 is below the range, count + 1 above
    place = torch.searchsorted(edges.detach(), values, right=True)
    place = torch.where(values == edges[-1], count, place)
    if bins is None and not values.is_floating_point():  # integer edges lost the fractions of the range
        place = _bins_of_integers(values, exact, edges)
    totals = torch.zeros(count + 2, dtype=torch.int64, device=data.device)
    totals.scatter_add_(0, place, torch.ones_like(place))
    return totals[1:-1].clone(), edges


def _bins_of_integers(values: torch.Tensor, exact: torch.Tensor, edges: torch.Tensor) -> torch.Tensor:
    """The bins, from 1 on, by the exact edges, and one further or back where the integer edges say so; 0 is outside."""
    count = edges.shape[0] - 1
    low, high = exact[0], exact[-1]
    place = ((values - low) * count / (high - low)).long().clamp_(0, count - 1)
    back, further = values < edges[place], (values >= edges[place + 1]) & (place + 1 != count)
    place = place - back.long() + (further & ~back).long()
    return torch.where((values < low) | (values > high), 0, place + 1)


def _edges(low: float, high: float, count: int, device: torch.device) -> torch.Tensor:
    if low == high:  # as in NumPy
        low, high = low - 0.5, high + 0.5
    steps = torch.arange(count + 1, dtype=torch.float64, device=device)
    return low + steps * ((high - low) / count)


@histogram.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    known = dtypes["data"]
    if "bins" in dtypes:
        dtypes["bins"] = dtypes["bins"] or known
    return [torch.int64, known]


def _sort_back(shapes: Shapes, outputs: list, attrs: Attrs) -> None:
    if attrs["axis"] is not None:
        same_shapes(shapes, outputs, attrs)


sort.infer_back(_sort_back)
argsort.infer_back(_sort_back)
