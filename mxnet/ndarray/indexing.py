"""Indexing, assignment and reshape on tensors, with MXNet's rules of what is a view and what is a copy.

Keys follow NumPy's rules with three exceptions of classic MXNet: an index that selects one element gives shape (1,)
(in np-shape mode: ()), an index array may be of a floating type, and a mask is an array of the numbers 0 and 1. A
basic index whose result lies in one piece of memory shares it; everything else is a copy.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import torch

from .._core.dtypes import NUMPY_OF
from ..base import numpy_mode
from ..error import MXNetAssertionError, MXNetError, MXNetIndexError, MXNetTypeError, MXNetValueError
from ..ops.shape import resolve_shape

_WHOLE = slice(None)
_SCALARS = (int, float, np.generic)


def read(tensor: torch.Tensor, key: object) -> torch.Tensor:
    """``x[key]``: shares memory where MXNet does, else a copy."""
    basic = _directly(tensor, key)
    if basic is None:
        entries, arrays = _entries(tensor, key)
        basic, flips, index = _basic_part(tensor, entries)
        if arrays:
            source = basic.flip(flips) if flips else basic
            return _gather(source, [e if isinstance(e, torch.Tensor) else _WHOLE for e in entries], tensor, entries)
        if flips:
            basic = basic.flip(flips)
        elif not _in_one_piece(tensor, basic, index):
            basic = basic.clone(memory_format=torch.contiguous_format)
    elif not _in_one_piece(tensor, basic, key):
        basic = basic.clone(memory_format=torch.contiguous_format)
    if not basic.dim() and tensor.dim() and not numpy_mode.shape:
        return basic.reshape(1)
    return basic


def write(tensor: torch.Tensor, key: object, value: object) -> None:
    """``x[key] = value``: the value is converted to the tensor's dtype and broadcast to what the key selects."""
    part = _directly(tensor, key)
    if part is not None:
        assign(part, value)
        return
    entries, arrays = _entries(tensor, key)
    basic, flips, _ = _basic_part(tensor, entries)
    if not arrays:
        if flips and not isinstance(value, _SCALARS):
            given = fit_shape(_as_tensor(value, tensor), basic.shape)
            _copy(basic, given.expand(basic.shape).flip(flips))
        else:
            assign(basic, value)
        return
    places: Any
    if flips:
        # A negative step beside index arrays: look up the flat position of each selected element instead.
        positions = read(torch.arange(tensor.numel(), device=tensor.device).view(tensor.shape), key)
        target, places = tensor, torch.unravel_index(positions, tensor.shape)
    else:
        target, places = basic, tuple(e if isinstance(e, torch.Tensor) else _WHOLE for e in entries)
    try:
        given = _as_tensor(value, tensor)
        if given.dim():
            given = fit_shape(given, _selection_shape(target.shape, places))
        if _share_memory(given, tensor):
            given = given.clone()  # x[[2, 1, 0]] = x: all is read before anything is written
        _check_bounds(entries, tensor, always=True)
        target[places] = given
    except (IndexError, RuntimeError, ValueError) as error:
        raise _index_error(error, tensor, entries) from error


def assign(target: torch.Tensor, value: object) -> None:
    """Writes a number, a tensor, a NumPy array or a nested list to all of ``target``."""
    if isinstance(value, _SCALARS):
        if isinstance(value, np.complexfloating):
            raise _not_a_value(value)
        try:
            target.fill_(value)  # type: ignore[arg-type]
        except RuntimeError:  # out of the dtype's range: wraps, or becomes infinite, as in C
            target.copy_(_as_tensor(value, target))
        return
    given = _as_tensor(value, target)
    if given.shape != target.shape:
        given = fit_shape(given, target.shape)
    _copy(target, given)


def _copy(target: torch.Tensor, given: torch.Tensor) -> None:
    try:
        target.copy_(given)
    except RuntimeError:
        if not _share_memory(given, target):
            raise
        target.copy_(given.clone())  # x[1:] = x[:-1] overlaps itself


def _share_memory(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()


def fit_shape(given: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    """A value that broadcasts to ``shape``; further leading dimensions must be of size 1."""
    if not given.numel() and 0 in shape:  # nothing for nothing
        return given.reshape(*shape)
    extra = given.dim() - len(shape)
    if extra > 0 and all(n == 1 for n in given.shape[:extra]):
        given = given.reshape(given.shape[extra:])
    if given.dim() > len(shape) or any(
        a not in (1, b) for a, b in zip(reversed(given.shape), reversed(shape), strict=False)
    ):
        raise MXNetValueError(
            f"a value of shape {tuple(given.shape)} cannot be broadcast to a selection of shape {tuple(shape)}"
        )
    return given


def _as_tensor(value: object, like: torch.Tensor) -> torch.Tensor:
    if isinstance(value, torch.Tensor):
        return value if value.dtype is like.dtype and value.device == like.device else value.to(like.device, like.dtype)
    try:
        array = np.asarray(value)
    except ValueError:  # rows of unequal length
        raise _not_a_value(value) from None
    if array.dtype.kind not in "biuf":
        raise _not_a_value(value)
    wanted: Any = np.float32 if like.dtype is torch.bfloat16 else NUMPY_OF[like.dtype]
    with np.errstate(invalid="ignore", over="ignore"):
        array = np.array(array, dtype=wanted, order="C")
    return torch.from_numpy(array).to(like.device, like.dtype)


def _not_a_value(value: object) -> MXNetError:
    return MXNetTypeError(
        f"an NDArray does not support assignment with non-array-like object {value!r} of type {type(value).__name__}"
    )


def selects_all(tensor: torch.Tensor, key: object) -> bool:
    """Does a basic key select every element, in order?"""
    entries, arrays = _entries(tensor, key)
    if arrays:
        return False
    basic, flips, _ = _basic_part(tensor, entries)
    return not flips and basic.numel() == tensor.numel()


_BASIC = frozenset((int, slice, type(None), type(Ellipsis)))


def _directly(tensor: torch.Tensor, key: Any) -> torch.Tensor | None:
    """The view that torch gives for a basic key without negative steps; None for other keys and wrong ones."""
    for part in key if key.__class__ is tuple else (key,):
        if part.__class__ not in _BASIC or (part.__class__ is slice and part.step is not None):
            return None
    if key.__class__ is tuple and key.count(Ellipsis) > 1:  # torch allows that
        return None
    try:
        return tensor[key]
    except (IndexError, TypeError):
        return None


def _selection_shape(shape: Sequence[int], places: Sequence[Any]) -> tuple[int, ...]:
    """The shape that index arrays and whole axes select. (Torch's meta device would tell, and load SymPy for it.)"""
    arrays = [i for i, place in enumerate(places) if isinstance(place, torch.Tensor)]
    joint = np.broadcast_shapes(*(places[i].shape for i in arrays))
    first = arrays[0] if arrays[-1] - arrays[0] < len(arrays) else 0  # apart from each other they go to the front
    rest = [n for i, n in enumerate(shape) if i not in arrays]
    return (*rest[:first], *joint, *rest[first:])


def _in_one_piece(tensor: torch.Tensor, part: torch.Tensor, index: Any) -> bool:
    """Would a selection lie in one piece of memory if the array were in C order, as it is in MXNet?"""
    if not tensor.is_contiguous():
        part = torch.empty(tensor.shape, device="meta")[index]
    return part.is_contiguous()


# ---- keys ------------------------------------------------------------------------------------------------------------


def _entries(tensor: torch.Tensor, key: object) -> tuple[list[Any], bool]:
    """The key as one entry per axis and new axis: None, int, slice or an index tensor; and are there index tensors?"""
    parts = key if isinstance(key, tuple) else (key,)
    dims, device = tensor.dim(), tensor.device
    entries: list[Any] = []
    ellipsis, arrays = None, False
    for part in parts:
        if part is None or isinstance(part, slice):
            entries.append(part)
        elif part is Ellipsis:
            if ellipsis is not None:
                raise MXNetIndexError("Cannot use more than one ellipsis (`...`) for indexing")
            ellipsis = len(entries)
        elif isinstance(part, int | np.integer):
            entries.append(int(part))
        else:
            index = _index_tensor(part, device)
            if index.dim():
                arrays = True
                entries.append(index)
            else:
                entries.append(int(index))
    used = sum(e is not None for e in entries)
    if used > dims:
        raise MXNetIndexError(f"too many indices ({used}) for array with {dims} dimensions")
    at = len(entries) if ellipsis is None else ellipsis
    entries[at:at] = [_WHOLE] * (dims - used)
    axis = 0
    for i, entry in enumerate(entries):
        if entry is None:
            continue
        if isinstance(entry, int):
            size = tensor.shape[axis]
            if not -size <= entry < size:
                raise MXNetIndexError(f"index {entry} is out of bounds for axis {axis} with size {size}")
            # Beside index arrays a number is an index array too: that is what decides the order of the axes.
            entries[i] = torch.tensor([entry], device=device) if arrays else entry
        axis += 1
    return entries, arrays


def _index_tensor(part: object, device: torch.device) -> torch.Tensor:
    if isinstance(part, torch.Tensor):
        if part.dtype is torch.bool:
            raise _BadKey(
                "Cannot perform boolean indexing on a classic NDArray. Use mx.nd.contrib.boolean_mask(data, mask) to "
                "select, mx.nd.where(mask, a, b) to replace"
            )
        index = part
    elif isinstance(part, list | tuple | range | np.ndarray):
        try:
            array = np.asarray(part)
        except ValueError:
            array = np.asarray(None)
        if array.dtype.kind not in "biuf":
            raise MXNetIndexError(f"an index array must hold integers, got {part!r}")
        if not array.size and not isinstance(part, np.ndarray):
            array = array.astype(np.int64)
        index = torch.from_numpy(np.ascontiguousarray(array) if array.ndim else array.copy())
    else:
        # The original says ValueError here and NumPy IndexError; this is both.
        raise _BadKey(f"NDArray does not support slicing with key {part!r} of type {type(part)}.")
    return index.to(device, torch.int64)


class _BadKey(MXNetIndexError, ValueError):
    """A key of a kind that cannot index."""


def _basic_part(tensor: torch.Tensor, entries: Sequence[object]) -> tuple[torch.Tensor, list[int], tuple]:
    """The numbers, slices and new axes of a key applied, as a view of ``tensor``.

    Also the axes of the view that are yet to be flipped, and the index that gives the view.
    """
    index: list[Any] = []
    flips: list[int] = []
    axis = place = 0
    for entry in entries:
        if entry is None:
            index.append(None)
            place += 1
            continue
        size = tensor.shape[axis]
        axis += 1
        if isinstance(entry, slice):
            begin, length, step = _range_of(entry, size)
            if length < 2:
                step = 1
            elif step < 0:
                flips.append(place)
                begin, step = begin + (length - 1) * step, -step
            index.append(slice(begin, begin + (length - 1) * step + 1 if length else begin, step))
            place += 1
        elif isinstance(entry, int):
            index.append(entry)
        else:
            index.append(_WHOLE)
            place += 1
    key = tuple(index) or (Ellipsis,)
    return tensor[key], flips, key


def _range_of(key: slice, size: int) -> tuple[int, int, int]:
    try:
        begin, stop, step = key.indices(size)
    except ValueError as error:
        raise MXNetValueError(str(error)) from None
    except TypeError as error:
        raise MXNetTypeError(str(error)) from None
    return begin, len(range(begin, stop, step)), step


def _gather(source: torch.Tensor, places: list[Any], tensor: torch.Tensor, entries: Sequence[object]) -> torch.Tensor:
    _check_bounds(entries, tensor)
    try:
        return source[tuple(places)]
    except (IndexError, RuntimeError) as error:
        raise _index_error(error, tensor, entries) from error


def _check_bounds(entries: Sequence[object], tensor: torch.Tensor, always: bool = False) -> None:
    """Refuses numbers out of range. When reading, a CPU checks as it goes; a GPU would take down the process."""
    if not (always or tensor.is_cuda):
        return
    axis = 0
    for entry in entries:
        if entry is None:
            continue
        if isinstance(entry, torch.Tensor) and entry.numel():
            size = tensor.shape[axis]
            low, high = entry.aminmax()
            for bound in (int(low), int(high)):
                if not -size <= bound < size:
                    raise MXNetIndexError(f"index {bound} is out of bounds for axis {axis} with size {size}")
        axis += 1


def _index_error(error: Exception, tensor: torch.Tensor, entries: Sequence[object]) -> MXNetError:
    if isinstance(error, MXNetError):
        return error
    _check_bounds(entries, tensor, always=True)
    shapes = ", ".join(str(tuple(e.shape)) for e in entries if isinstance(e, torch.Tensor))
    return _BadKey(f"the index arrays, of shapes {shapes}, cannot be broadcast together")


# ---- reshape ---------------------------------------------------------------------------------------------------------


def target_shape(old: tuple[int, ...], /, *given: Any, **kwargs: object) -> tuple[int, ...]:
    """The shape that ``x.reshape(...)`` means."""
    if len(given) == 1 and given[0].__class__ is tuple and not kwargs:
        plain = given[0]
        if all(n.__class__ is int and n > 0 for n in plain) and prod(plain) == prod(old):
            return plain
    explicit = bool(given)
    if len(given) == 1 and isinstance(given[0], list | tuple | np.ndarray):
        given = tuple(given[0])
    elif not given:
        named = kwargs.get("shape", ())
        given = tuple(named) if isinstance(named, list | tuple | np.ndarray) else (named,)
    unknown = [name for name in kwargs if name not in ("shape", "reverse")]
    if unknown:
        raise MXNetTypeError(
            f"Got unknown keywords in reshape: {', '.join(unknown)}. Accepted keyword arguments are 'shape' and "
            "'reverse'."
        )
    try:
        wanted = tuple([operator.index(n) for n in given])
    except TypeError:
        raise MXNetTypeError(f"reshape: a shape is made of integers, got {given!r}") from None
    if not given and not explicit:
        raise MXNetAssertionError("Shape must be provided.")
    try:
        return resolve_shape(old, wanted, bool(kwargs.get("reverse", False)))
    except ValueError as error:
        raise MXNetValueError(f"Cannot reshape array of size {prod(old)} into shape {wanted}: {error}") from None
