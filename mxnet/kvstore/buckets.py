"""Buckets: which arrays are sent together, and which worker owns which part of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import torch

from .._core import config
from ..context import Context
from .base import Key
from .collective import PIECE, Collective

if TYPE_CHECKING:
    from .overlap import Overlap

T = TypeVar("T")

__all__ = ["Bucket", "Part", "PushPlan", "Shares", "big_array_bound", "copy_parts", "group_tensors", "sum_into"]

#: Arrays of at least this many bytes are sent by themselves, without a copy.
_ALONE = 1 << 18


def big_array_bound() -> int:
    """From how many elements on an array is split: ``MXNET_KVSTORE_BIGARRAY_BOUND``, 1000000 if that is not set."""
    return config.KVSTORE_BIGARRAY_BOUND.get()


@dataclass(frozen=True)
class Part:
    """The elements from ``start`` to ``stop`` of a flat array, and the rank that owns them."""

    owner: int
    start: int
    stop: int


class Shares:
    """Distributes arrays among owners: each goes to the one who has least, a big one in equal parts to several."""

    def __init__(self, owners: int):
        self._loads = [0] * owners
        self._bound = big_array_bound()

    def assign(self, size: int, may_split: bool, only: int | None = None) -> list[Part]:
        """The parts of an array of this size; all of it to ``only`` if that is given."""
        by_load = sorted(range(len(self._loads)), key=lambda i: (self._loads[i], i))
        count = min(len(self._loads), -(-size // self._bound)) if may_split and only is None else 1
        owners = [only] if only is not None else sorted(by_load[: max(1, count)])
        bounds = [size * i // len(owners) for i in range(len(owners) + 1)]
        parts = [Part(owner, *edge) for owner, edge in zip(owners, pairwise(bounds), strict=True)]
        for part in parts:
            self._loads[part.owner] += part.stop - part.start
        return parts


def group_tensors(
    tensors: Sequence[torch.Tensor], keys: Sequence[object] | None = None
) -> tuple[list[int], list[list[int]]]:
    """Returns the indices of tensors that are sent alone, and groups of indices of about one piece for the rest.

    The tensors of a group are of one type, on one device and have the same key.
    """
    alone: list[int] = []
    groups: list[list[int]] = []
    filling: dict[object, tuple[list[int], int]] = {}
    for i, tensor in enumerate(tensors):
        size = tensor.numel() * tensor.element_size()
        if size >= _ALONE and tensor.is_contiguous():
            alone.append(i)
            continue
        kind = (tensor.dtype, tensor.device, keys[i] if keys is not None else None)
        members, used = filling.get(kind, ([], PIECE))
        if used + size > PIECE:
            members, used = [], 0
            groups.append(members)
        members.append(i)
        filling[kind] = members, used + size
    return alone, groups


class Bucket:
    """Arrays of one type that are sent together, in one buffer: their sums, and what the store keeps of them.

    The store keeps the weights if sums update them, otherwise the last sums.
    """

    def __init__(self, numbers: list[int], like: list[torch.Tensor], with_weights: bool):
        #: Indices of its arrays in the plan.
        self.numbers = numbers
        size = sum(tensor.numel() for tensor in like)
        self.flat = like[0].new_empty(size)
        self.views = _split_like(self.flat, like)
        self._double_buffered = False
        self.stored, self.stored_views = self.flat, self.views
        if with_weights:
            self._allocate_stored()
        #: The owner of each range of elements.
        self.owned: list[Part] = []

    def _allocate_stored(self) -> None:
        self.stored = torch.empty_like(self.flat)
        self.stored_views = _split_like(self.stored, self.views)

    def double_buffer(self) -> None:
        """From now on new sums go to a second buffer while the store keeps the last ones."""
        if self.stored is self.flat:
            self.flat = torch.empty_like(self.stored)
            self.views = _split_like(self.flat, self.stored_views)
            self._double_buffered = True

    def swap(self) -> bool:
        """Swaps the two buffers; returns False if there is only one."""
        if self._double_buffered:
            self.flat, self.stored = self.stored, self.flat
            self.views, self.stored_views = self.stored_views, self.views
        return self._double_buffered

    def pick(self, given: Mapping[int, T] | Sequence[T]) -> list[T]:
        """Returns the items for the arrays of this bucket."""
        return [given[i] for i in self.numbers]


class PushPlan:
    """How keys that are pushed together are sent; made at their first push, as looking at many keys one by one is slow.

    It follows from what all workers have agreed on (types, shapes, whether there is an updater), so that it is the same
    for all of them.
    """

    def __init__(
        self, keys: Sequence[Key], like: list[torch.Tensor], contexts: list[Context], with_weights: bool, piece: int
    ):
        """Buckets have up to ``piece`` bytes: while some are sent, others are packed and unpacked."""
        self.keys, self.contexts = list(keys), contexts
        self.shapes = [tensor.shape for tensor in like]
        self.dtypes = [tensor.dtype for tensor in like]
        bound = big_array_bound() if with_weights else None
        self.buckets = [
            Bucket(numbers, [like[i] for i in numbers], with_weights)
            for numbers in _split_into_buckets(like, piece, bound)
        ]
        #: What the push is called, what must be the same for all workers, and the number of that for the last mode.
        self.what, self.details, self.mode, self.number = "", "", "", 0
        #: Whether the stored arrays are views of the buckets.
        self.holds = False
        #: The sums that begin while backward runs.
        self.overlap: Overlap | None = None

    def takes(self, tensors: list[torch.Tensor]) -> bool:
        """Whether these have the expected shapes and types."""
        # one by one: a list of a thousand shapes would make Python look for garbage
        return len(tensors) == len(self.shapes) and all(
            t.shape == shape and t.dtype == dtype
            for t, shape, dtype in zip(tensors, self.shapes, self.dtypes, strict=True)
        )

    def can_write_in_place_of_pull(self, sources: list[torch.Tensor], targets: list[torch.Tensor]) -> bool:
        """May a target be written while others are still read? Not if it is memory of another array's.

        Targets are contiguous. A bucket is packed before anything is written.
        """
        if len(self.buckets) == 1 and len(self.keys) > 1:
            return True
        if not all(source.is_contiguous() for source in sources):
            return False
        places = [(t.data_ptr(), t.numel() * t.element_size(), True) for t in targets]
        written = {start for start, _, _ in places}
        places += [
            (s.data_ptr(), s.numel() * s.element_size(), False)
            for s, (start, _, _) in zip(sources, places, strict=True)
            if s.data_ptr() != start
        ]
        if len(written) < len(targets):
            return False
        read_to = written_to = 0
        for start, size, writes in sorted(places):
            if start < (max(read_to, written_to) if writes else written_to):
                return False
            if writes:
                written_to = max(written_to, start + size)
            else:
                read_to = max(read_to, start + size)
        return True


def _split_into_buckets(like: Sequence[torch.Tensor], piece: int, bound: int | None) -> list[list[int]]:
    """Groups the indices of arrays into buckets: of one type, about ``piece`` bytes, large arrays alone.

    With a bound, arrays of more elements are alone too, since they may be split among owners.
    """
    buckets: list[list[int]] = []
    filling: dict[torch.dtype, tuple[list[int], int]] = {}
    for i, tensor in enumerate(like):
        size = tensor.numel() * tensor.element_size()
        if size >= piece or (bound is not None and tensor.numel() > bound):
            buckets.append([i])
            continue
        members, used = filling.get(tensor.dtype, ([], piece))
        if used + size > piece:
            members, used = [], 0
            buckets.append(members)
        members.append(i)
        filling[tensor.dtype] = members, used + size
    return buckets


def _flatten(tensors: Iterable[torch.Tensor]) -> torch.Tensor:
    return torch.cat([tensor.reshape(-1) for tensor in tensors])


def _split_like(flat: torch.Tensor, like: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    pieces = flat.split([tensor.numel() for tensor in like])
    return [piece.view(tensor.shape) for piece, tensor in zip(pieces, like, strict=True)]


def sum_into(workers: Collective, what: str, sources: Sequence[torch.Tensor], targets: Sequence[torch.Tensor]) -> None:
    """Sums the sources over all workers into the targets, which are the caller's own."""
    alone, groups = group_tensors(targets)
    flats = [_flatten(sources[i] for i in group) for group in groups]
    pairs = [(sources[i], targets[i]) for i in alone] + [(flat, flat) for flat in flats]
    workers.sum(what, [target for _, target in pairs], [source for source, _ in pairs])
    for group, flat in zip(groups, flats, strict=True):
        into = [targets[i] for i in group]
        torch._foreach_copy_(into, _split_like(flat, into))


def copy_parts(workers: Collective, what: str, owned: Sequence[tuple[int, torch.Tensor]]) -> None:
    """Gives all workers what the owner of each tensor has in it."""
    owners, tensors = [owner for owner, _ in owned], [tensor for _, tensor in owned]
    alone, groups = group_tensors(tensors, owners)
    flats = []
    for group in groups:
        members = [tensors[i] for i in group]
        if owners[group[0]] == workers.rank:
            flats.append(_flatten(members))
        else:
            flats.append(members[0].new_empty(sum(tensor.numel() for tensor in members)))
    sent = [(owners[i], tensors[i]) for i in alone]
    sent += [(owners[group[0]], flat) for group, flat in zip(groups, flats, strict=True)]
    workers.copy(what, sent)
    for group, flat in zip(groups, flats, strict=True):
        if owners[group[0]] != workers.rank:
            into = [tensors[i] for i in group]
            torch._foreach_copy_(into, _split_like(flat, into))
