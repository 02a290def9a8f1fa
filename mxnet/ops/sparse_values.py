"""What sparse kernels take and give: the parts of a csr matrix or a row-sparse array, as torch tensors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import torch

from .types import Ctx, Gradients

Value = TypeVar("Value", bound="Sparse")


@dataclass(frozen=True, eq=False)
class Sparse:
    """A sparse array: elements, where they are, and the shape of the whole. All indices are int64."""

    data: torch.Tensor
    indices: torch.Tensor
    shape: tuple[int, ...]

    stype = "default"

    @property
    def dtype(self) -> torch.dtype:
        """The type of the elements."""
        return self.data.dtype

    @property
    def device(self) -> torch.device:
        """Where the elements are."""
        return self.data.device

    @property
    def requires_grad(self) -> bool:
        """Has it a place in a graph?"""
        return self.data.requires_grad

    def apart(self: Value) -> Value:
        """What an array stores of it, without a place in a graph."""
        return self.with_data(self.data.data)

    def parts(self) -> list[torch.Tensor]:
        """All its tensors: data, indices and, of a csr matrix, indptr."""
        return [self.data, self.indices]

    def with_data(self: Value, data: torch.Tensor) -> Value:
        """Other elements at the same places."""
        return replace(self, data=data)

    def map(self: Value, function: Any) -> Value:
        """Each tensor replaced by what a function gives for it."""
        return replace(self, data=function(self.data), indices=function(self.indices))

    def dense(self) -> torch.Tensor:
        """The same elements in a dense tensor."""
        raise NotImplementedError

    def misfit(self) -> str | None:
        """What is wrong with the shapes of the parts."""
        raise NotImplementedError

    def shape_problem(self) -> str | None:
        """What is wrong with the shapes, also of arrays that may be constructed: the length of ``indptr``."""
        return self.misfit()

    def problem(self, full: bool = True) -> str | None:
        """What is wrong with the parts; ``full`` also looks at the order of the indices."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class CSR(Sparse):
    """A matrix by rows: those of row i are ``indptr[i]:indptr[i + 1]`` of ``data``, in the columns ``indices``."""

    indptr: torch.Tensor
    #: The place of a variable, see RowSparse.
    whole: torch.Tensor | None = None
    #: Of a value in a graph that has all elements: the indices and indptr of those that an array stores.
    shown: tuple[torch.Tensor, torch.Tensor] | None = None

    stype = "csr"

    def parts(self) -> list[torch.Tensor]:
        return [self.data, self.indices, self.indptr]

    def with_data(self, data: torch.Tensor) -> CSR:
        return CSR(data, self.indices, self.shape, self.indptr, None, self.shown)

    def map(self, function: Any) -> CSR:
        return CSR(function(self.data), function(self.indices), self.shape, function(self.indptr), None, self.shown)

    @property
    def learns(self) -> bool:
        """Is it a variable, in a graph that is being recorded?"""
        return self.whole is not None and torch.is_grad_enabled()

    @property
    def is_full(self) -> bool:
        """Are all elements stored?"""
        return self.indices.numel() == math.prod(self.shape)

    def expand(self) -> CSR:
        """With all elements, if gradients are wanted for those that are not stored."""
        if not self.learns or self.is_full:
            return self
        return _full_csr(self.dense().reshape(-1), self)

    def showing(self, like: CSR) -> CSR:
        """An array that is made of it stores the elements that another value stores."""
        return CSR(self.data, self.indices, self.shape, self.indptr, None, (like.indices, like.indptr))

    def apart(self) -> CSR:
        if self.shown is None:
            return CSR(self.data.data, self.indices, self.shape, self.indptr)
        stored = CSR(self.data.data, self.shown[0], self.shape, self.shown[1])
        return stored.with_data(stored.data.index_select(0, stored.keys()))

    def rows(self) -> torch.Tensor:
        """The row of each element."""
        counts = self.indptr.diff()
        numbers = torch.arange(self.shape[0], device=counts.device)
        return torch.repeat_interleave(numbers, counts, output_size=self.indices.numel())

    def keys(self) -> torch.Tensor:
        """The place of each element in the flattened matrix."""
        return self.rows() * self.shape[1] + self.indices

    def dense(self) -> torch.Tensor:
        if not self.data.requires_grad:
            return self.data.new_zeros(self.shape).index_put_((self.rows(), self.indices), self.data)
        if self.learns:
            return _All.apply(self.whole, self.data.detach(), self.keys())
        flat = self.data.new_zeros(math.prod(self.shape)).index_put((self.keys(),), self.data)
        return flat.view(self.shape)

    def sum_duplicates(self) -> CSR:
        """With increasing columns in each row; elements at one place are summed."""
        keys, where = torch.unique(self.keys(), return_inverse=True)
        data = self.data.new_zeros(keys.numel()).index_add_(0, where, self.data)
        rows = torch.div(keys, self.shape[1], rounding_mode="floor")
        return CSR(data, keys - rows * self.shape[1], self.shape, starts(rows, self.shape[0]))

    def misfit(self) -> str | None:
        starts, columns = self.indptr, self.indices
        if len(self.shape) != 2:
            return f"a csr array has 2 dimensions, the shape is {self.shape}"
        if starts.dim() != 1 or columns.dim() != 1 or self.data.dim() != 1:
            return "data, indices and indptr must have one dimension each"
        if self.data.numel() != columns.numel():
            return f"there are {self.data.numel()} element(s) and {columns.numel()} column indices"
        return None

    def shape_problem(self) -> str | None:
        misfit = self.misfit()
        if misfit is None and self.indptr.numel() != self.shape[0] + 1:
            return f"indptr has {self.indptr.numel()} element(s), {self.shape[0]} row(s) need {self.shape[0] + 1}"
        return misfit

    def problem(self, full: bool = True) -> str | None:
        starts, columns = self.indptr, self.indices
        misfit = self.shape_problem()
        if misfit is not None:
            return misfit
        if int(starts[0]) != 0 or int(starts[-1]) != columns.numel():
            return f"indptr must begin with 0 and end with the number of elements, {columns.numel()}"
        if bool((starts.diff() < 0).any()):
            return "indptr must not decrease"
        wrong = _outside(columns, self.shape[1], "column")
        if wrong is None and full and columns.numel() > 1:
            keys = self.keys()
            if not bool((keys[1:] > keys[:-1]).all()):
                return "column indices must increase within each row"
        return wrong


@dataclass(frozen=True, eq=False)
class RowSparse(Sparse):
    """An array whose rows ``indices`` are ``data``; all others are zero.

    In a graph rows that are not stored have gradients as well. ``whole`` is the place of a variable: of its shape, but
    without memory. ``shown`` are the rows that an array stores of a value in the graph that has all rows. ``source``
    computes rows by their numbers from the same rows of a variable, which are then the only ones with gradients.
    """

    whole: torch.Tensor | None = None
    shown: torch.Tensor | None = None
    source: Callable[[torch.Tensor], torch.Tensor] | None = None

    stype = "row_sparse"

    def with_data(self, data: torch.Tensor) -> RowSparse:
        return RowSparse(data, self.indices, self.shape, None, self.shown)

    def map(self, function: Any) -> RowSparse:
        return RowSparse(function(self.data), function(self.indices), self.shape, None, self.shown)

    @property
    def learns(self) -> bool:
        """Is it a variable, in a graph that is being recorded?"""
        return self.whole is not None and torch.is_grad_enabled()

    @property
    def is_full(self) -> bool:
        """Are all rows stored?"""
        return self.indices.numel() == self.shape[0]

    def showing(self, like: RowSparse) -> RowSparse:
        """An array that is made of it stores the rows that another value stores."""
        return RowSparse(self.data, self.indices, self.shape, None, like.indices, self.source)

    @property
    def learns_by_rows(self) -> bool:
        """Do rows that are taken from it get gradients, and no others?"""
        return self.learns or (self.source is not None and torch.is_grad_enabled())

    def dense(self) -> torch.Tensor:
        if not self.data.requires_grad:
            return self.data.new_zeros(self.shape).index_copy_(0, self.indices, self.data)
        if self.learns:
            return _All.apply(self.whole, self.data.detach(), self.indices)
        return self.data.new_zeros(self.shape).index_put((self.indices,), self.data)

    def expand(self) -> RowSparse:
        """With all rows, if gradients are wanted for those that are not stored."""
        if not self.learns or self.indices.numel() == self.shape[0]:
            return self
        return RowSparse(self.dense(), torch.arange(self.shape[0], device=self.device), self.shape, None, self.indices)

    def apart(self) -> RowSparse:
        """What an array stores of it, without a place in a graph."""
        if self.shown is None:
            return RowSparse(self.data.data, self.indices, self.shape)
        return RowSparse(self.data.data.index_select(0, self.shown), self.shown, self.shape)

    def misfit(self) -> str | None:
        rows = self.indices
        if not self.shape:
            return "a row-sparse array has at least one dimension"
        if rows.dim() != 1 or tuple(self.data.shape) != (rows.numel(), *self.shape[1:]):
            return (
                f"data has shape {tuple(self.data.shape)}, {rows.numel()} row(s) of an array of shape {self.shape} "
                f"need {(rows.numel(), *self.shape[1:])}"
            )
        return None

    def problem(self, full: bool = True) -> str | None:
        rows = self.indices
        wrong = self.misfit() or _outside(rows, self.shape[0], "row")
        if wrong is None and full and not _increases(rows):
            return "row indices must increase"
        return wrong

    def sum_duplicates(self) -> RowSparse:
        """With increasing row numbers; rows with one number are summed."""
        rows, where = torch.unique(self.indices, return_inverse=True)
        data = self.data.new_zeros((rows.numel(), *self.shape[1:])).index_add_(0, where, self.data)
        return RowSparse(data, rows, self.shape)

    def sort(self) -> RowSparse:
        """With increasing row numbers; of a row that is there twice, the last."""
        rows = self.indices
        if _increases(rows):
            return self
        rows, order = torch.sort(rows, stable=True)
        last = torch.ones_like(rows, dtype=torch.bool)
        last[:-1] = rows[1:] != rows[:-1]
        return RowSparse(self.data[order[last]], rows[last], self.shape)

    def find(self, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Where given rows are in ``data``, and which of them are there at all; row numbers must increase."""
        place = torch.searchsorted(self.indices, rows)
        if not self.indices.numel():
            return place, torch.zeros_like(rows, dtype=torch.bool)
        place = place.clamp_(max=self.indices.numel() - 1)
        return place, self.indices[place] == rows

    def take(self, rows: torch.Tensor) -> torch.Tensor:
        """The rows with these numbers, zeros for those that are not there."""
        if self.learns:
            return _Rows.apply(self.whole, self, rows)
        if self.source is not None and torch.is_grad_enabled():
            return self.source(rows)
        mine = self.sort()
        if mine.indices.numel() == self.shape[0]:
            return mine.data.index_select(0, rows)
        place, there = mine.find(rows)
        if not mine.indices.numel():
            return mine.data.new_zeros((rows.numel(), *self.shape[1:]))
        absent = ~there.view(-1, *[1] * (len(self.shape) - 1))
        return mine.data.index_select(0, place).masked_fill(absent, 0)  # not a product: what is there may be infinite


def place_in_graph(value: Any, place: torch.Tensor) -> Any:
    """A sparse value with its place in a graph: that of its elements or, of a variable, of the whole array."""
    if isinstance(value, CSR):
        if place.is_leaf:
            data = _Stored.apply(place, value.data, torch.stack([value.rows(), value.indices]))
            return CSR(data, value.indices, value.shape, value.indptr, place)
        return value.with_data(place) if len(place) == value.indices.numel() else _full_csr(place, value)
    if place.is_leaf:
        data = _Stored.apply(place, value.data, value.indices.unsqueeze(0))
        return RowSparse(data, value.indices, value.shape, place)
    if len(place) != value.indices.numel():
        return RowSparse(place, torch.arange(len(place), device=place.device), value.shape, None, value.indices)
    return value.with_data(place)


def _full_csr(data: torch.Tensor, like: CSR) -> CSR:
    """A csr value with all elements, of which an array stores those that another value has."""
    height, width = like.shape
    columns = torch.arange(width, device=data.device).repeat(height)
    starts = torch.arange(height + 1, device=data.device) * width
    return CSR(data, columns, like.shape, starts, None, (like.indices, like.indptr))


def place_for(value: Any) -> torch.Tensor:
    """What the place of a variable is made of: one number that stands for all, in its shape."""
    return value.data.new_zeros(()).expand(value.shape)


def _at(places: torch.Tensor, gradient: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    """A gradient for some places of a variable, one line of their coordinates for each dimension."""
    return torch.sparse_coo_tensor(places, gradient, tuple(shape), check_invariants=False)


class _Stored(torch.autograd.Function):
    """The stored rows or elements of a variable."""

    @staticmethod
    def forward(ctx: Ctx, whole: torch.Tensor, data: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        ctx.places, ctx.shape = places, whole.shape
        return data.detach()

    @staticmethod
    def backward(ctx: Ctx, gradient: torch.Tensor) -> Gradients:  # type: ignore[override]
        return _at(ctx.places, gradient, ctx.shape), None, None


class _All(torch.autograd.Function):
    """All of a variable, dense; ``places`` are rows, or elements of the flattened matrix."""

    @staticmethod
    def forward(ctx: Ctx, whole: torch.Tensor, data: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        made = data.new_zeros(whole.shape)
        (made if data.dim() == made.dim() else made.view(-1)).index_copy_(0, places, data)
        return made

    @staticmethod
    def backward(ctx: Ctx, gradient: torch.Tensor) -> Gradients:  # type: ignore[override]
        return gradient, None, None


class _Rows(torch.autograd.Function):
    """Some rows of a variable, by their numbers. These have gradients, whether they are stored or not."""

    @staticmethod
    def forward(ctx: Ctx, whole: torch.Tensor, value: RowSparse, rows: torch.Tensor) -> torch.Tensor:
        ctx.rows, ctx.shape = rows, whole.shape
        return RowSparse(value.data.detach(), value.indices, value.shape).take(rows)

    @staticmethod
    def backward(ctx: Ctx, gradient: torch.Tensor) -> Gradients:  # type: ignore[override]
        return _at(ctx.rows.unsqueeze(0), gradient, ctx.shape), None, None


def _increases(rows: torch.Tensor) -> bool:
    return rows.numel() < 2 or bool((rows[1:] > rows[:-1]).all())


def _outside(index: torch.Tensor, size: int, what: str) -> str | None:
    if not index.numel():
        return None
    low, high = (int(v) for v in index.aminmax())
    if low >= 0 and high < size:
        return None
    return f"{what} index {low if low < 0 else high} is out of range: there are {size} {what}s"


def stype_of(value: Any) -> str:
    """The storage type of a tensor, a sparse value or None."""
    return value.stype if isinstance(value, Sparse) else "default"


def dense(value: Any) -> Any:
    """The value as a dense tensor."""
    return value.dense() if isinstance(value, Sparse) else value


def zeros(stype: str, shape: Sequence[int], dtype: torch.dtype, device: Any = None) -> Any:
    """A value of a storage type without elements; zeros of a dense one."""
    size = tuple(shape)
    index = {"dtype": torch.int64, "device": device}
    if stype == "csr":
        if len(size) != 2:
            raise ValueError(f"a csr array has 2 dimensions, the shape {size} was given")
        empty = torch.zeros(0, **index)  # type: ignore[call-overload]
        return CSR(torch.zeros(0, dtype=dtype, device=device), empty, size, torch.zeros(size[0] + 1, **index))  # type: ignore[call-overload]
    if stype == "row_sparse":
        if not size:
            raise ValueError("a row-sparse array has at least one dimension")
        rows = torch.zeros((0, *size[1:]), dtype=dtype, device=device)
        return RowSparse(rows, torch.zeros(0, **index), size)  # type: ignore[call-overload]
    return torch.zeros(size, dtype=dtype, device=device)


def from_dense(tensor: torch.Tensor, stype: str) -> Any:
    """A dense tensor in a storage type: without its zeros, or without its rows of zeros.

    Of a tensor in a graph all are there: gradients flow back to zeros as well.
    """
    everything = tensor.requires_grad and torch.is_grad_enabled()
    if stype == "csr":
        if tensor.dim() != 2:
            raise ValueError(f"only a matrix can be stored as csr, the array has shape {tuple(tensor.shape)}")
        if everything:
            return _full_csr(tensor.reshape(-1), from_dense(tensor.detach(), stype))
        rows, columns = tensor.detach().nonzero(as_tuple=True)
        return CSR(tensor[rows, columns], columns, tuple(tensor.shape), starts(rows, tensor.shape[0]))
    if stype == "row_sparse":
        if not tensor.dim():
            raise ValueError("a 0-d array cannot be stored as row_sparse")
        if everything:
            rows = torch.arange(tensor.shape[0], device=tensor.device)
            return RowSparse(tensor.clone(), rows, tuple(tensor.shape), None, _used_rows(tensor))
        rows = _used_rows(tensor)
        return RowSparse(tensor.index_select(0, rows), rows, tuple(tensor.shape))
    return tensor.clone()


def _used_rows(tensor: torch.Tensor) -> torch.Tensor:
    """The numbers of the rows that are not zero."""
    flat = tensor.detach().reshape(tensor.shape[0], math.prod(tensor.shape[1:]))
    return (flat != 0).any(1).nonzero().view(-1)


def starts(rows: torch.Tensor, count: int) -> torch.Tensor:
    """``indptr`` for elements in these rows, in order."""
    indptr = torch.zeros(count + 1, dtype=torch.int64, device=rows.device)
    torch.cumsum(torch.bincount(rows, minlength=count), 0, out=indptr[1:])
    return indptr


def convert(value: Any, stype: str) -> Any:
    """A value in another storage type; the same one if it has it."""
    if stype_of(value) == stype:
        return value
    if isinstance(value, Sparse) and stype != "default":
        raise ValueError(f"cast_storage from {value.stype} to {stype} is not supported")
    return value.dense() if isinstance(value, Sparse) else from_dense(value, stype)


def from_gradient(gradient: torch.Tensor, stype: str) -> Any:
    """A gradient as torch gives it, dense or in torch's sparse format, as a value of a storage type."""
    if not gradient.is_sparse:
        return from_dense(gradient, stype)
    if gradient.sparse_dim() != (2 if stype == "csr" else 1):
        return from_dense(gradient.to_dense(), stype)
    summed = gradient if gradient.is_coalesced() else gradient.coalesce()
    places, shape = summed.indices(), tuple(gradient.shape)
    if stype == "row_sparse":
        return RowSparse(summed.values(), places[0], shape)
    return CSR(summed.values(), places[1], shape, starts(places[0], shape[0]))
