"""Arithmetic on slices that tests and packages written for MXNet call on the class NDArray."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["BasicSlices"]

Key = tuple[Any, ...]


class BasicSlices:
    """What a tuple of slices takes of an array of some shape, and the original's names for taking and writing it."""

    __slots__ = ()

    @staticmethod
    def _basic_indexing_key_int_to_slice(idcs: Key) -> tuple[Key, tuple[int, ...]]:
        """The key with slices of length one for its integers, and which of its entries those are."""
        ints = tuple(i for i, index in enumerate(idcs) if isinstance(index, int))
        slices = tuple(slice(i, i + 1 if i != -1 else None) if isinstance(i, int) else i for i in idcs)
        return slices, ints

    @staticmethod
    def _basic_indexing_key_to_begin_end_step(
        idcs: Sequence[slice], shape: Sequence[int], keep_none: bool = True
    ) -> tuple[Key, Key, Key]:
        """The starts, the stops and the steps of the slices; without ``keep_none`` as numbers for that shape."""
        idcs = BasicSlices._basic_indexing_key_int_to_slice(tuple(idcs))[0]
        parts = [(s.start, s.stop, s.step) if keep_none else s.indices(n) for s, n in zip(idcs, shape, strict=False)]
        starts, stops, steps = (tuple(part[i] for part in parts) for i in range(3))
        return starts, stops, steps

    @staticmethod
    def _basic_indexing_sliced_shape(slices: Sequence[slice], shape: Sequence[int]) -> tuple[int, ...]:
        """The shape of what the slices take."""
        return tuple(len(range(*s.indices(n))) for s, n in zip(slices, shape, strict=True))

    @staticmethod
    def _basic_indexing_slice_is_contiguous(slices: Sequence[slice], shape: Sequence[int]) -> bool:
        """Whether what the slices take lies in one piece."""
        lengths = BasicSlices._basic_indexing_sliced_shape(slices, shape)
        if 0 in lengths:
            return True
        whole = True
        for part, length, size in zip(reversed(slices), reversed(lengths), reversed(shape), strict=True):
            if length > 1 and (not whole or part.indices(size)[2] != 1):
                return False
            whole = whole and length == size
        return True

    @staticmethod
    def _basic_indexing_contiguous_flat_begin_end(slices: Sequence[slice], shape: Sequence[int]) -> tuple[int, int]:
        """Where such a piece begins and ends, as numbers of elements."""
        begin = end = 0
        for part, size in zip(slices, shape, strict=True):
            start = part.indices(size)[0]
            last = start + len(range(*part.indices(size))) - 1
            begin, end = begin * size + start, end * size + last
        return begin, end + 1

    @staticmethod
    def _drop_slice_none_at_end(key: Key) -> Key:
        """The key without the whole axes at its end; one of nothing else has no end."""
        kept = list(key)
        while kept[-1] == slice(None):
            kept.pop()
        return tuple(kept)

    @staticmethod
    def _drop_int_axes(indexed_shape: Sequence[int], int_axes: Sequence[int]) -> tuple[int, ...]:
        """The shape without the axes that integers took one element of; never without all axes."""
        return tuple(n for axis, n in enumerate(indexed_shape) if axis not in int_axes) or (1,)

    def _at(self: Any, idx: int) -> Any:
        """The part at an index of the first axis; it shares memory."""
        return self[idx]

    def _slice(self: Any, start: int | None, stop: int | None) -> Any:
        """A slice of the first axis; it shares memory."""
        return self[start:stop]

    def _full(self: Any, value: float) -> Any:
        """Writes one number everywhere, and gives the array."""
        self[:] = value
        return self

    def _get_nd_basic_indexing(self: Any, key: Key) -> Any:
        """What integers and slices, one for each axis, take of the array."""
        return self[key]

    def _get_nd_advanced_indexing(self: Any, key: Key) -> Any:
        """What arrays or lists of indices take of the array."""
        return self[key]

    def _set_nd_basic_indexing(self: Any, key: Key, value: Any) -> None:
        """Writes where integers and slices say."""
        self[key] = value

    def _set_nd_advanced_indexing(self: Any, key: Key, value: Any) -> None:
        """Writes where arrays or lists of indices say."""
        self[key] = value
