"""Which arrays travel together, and who is responsible for which part of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import torch

from .._core import config
from .collective import PIECE

__all__ = ["Chunk", "Part", "Plan", "Shares", "big_array_bound", "copy_parts", "grouped", "sum_into"]

#: Arrays of at least so many bytes travel by themselves, without a copy.
_ALONE = 1 << 18


def big_array_bound() -> int:
    """From how many elements on an array is split: ``MXNET_KVSTORE_BIGARRAY_BOUND``, 1000000 if that is not set."""
    return config.KVSTORE_BIGARRAY_BOUND.get()


@dataclass(frozen=True)
class Part:
    """The elements from ``start`` to ``stop`` of a flat array, and who is responsible for them."""

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


def grouped(tensors: Sequence[torch.Tensor], keys: Sequence[Any] | None = None) -> tuple[list[int], list[list[int]]]:
    """The numbers of the tensors that travel by themselves, and those of the others in groups of about one piece.

    The tensors of a group are of one type, on one device and have the same key.
    """
    alone: list[int] = []
    groups: list[list[int]] = []
    filling: dict[Any, tuple[list[int], int]] = {}
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


class Chunk:
    """Arrays of one type that travel together, in one memory: their sums, and what the store holds of them.

    The store holds weights, if sums update them, or the last sums.
    """

    def __init__(self, numbers: list[int], like: list[torch.Tensor], with_weights: bool):
        #: Which arrays of the plan these are.
        self.numbers = numbers
        size = sum(tensor.numel() for tensor in like)
        self.flat = like[0].new_empty(size)
        self.views = _parted(self.flat, like)
        self._turns = False
        self.held, self.held_views = self.flat, self.views
        if with_weights:
            self._hold_apart()
        #: Who has the newest weights of which elements.
        self.owned: list[Part] = []

    def _hold_apart(self) -> None:
        self.held = torch.empty_like(self.flat)
        self.held_views = _parted(self.held, self.views)

    def take_turns(self) -> None:
        """From now on new sums are made while the store still holds the last ones."""
        if self.held is self.flat:
            self.flat = torch.empty_like(self.held)
            self.views = _parted(self.flat, self.held_views)
            self._turns = True

    def turn(self) -> bool:
        """Holds the sums that were made, and makes the next ones in the other memory; False if there is none."""
        if self._turns:
            self.flat, self.held = self.held, self.flat
            self.views, self.held_views = self.held_views, self.views
        return self._turns

    def pick(self, given: Mapping[int, Any] | Sequence[Any]) -> list[Any]:
        """Those of a list for all arrays of the plan that are for these."""
        return [given[i] for i in self.numbers]


class Plan:
    """How keys that are pushed together travel, made when they come first: to look at many one by one is slow.

    It follows from what all workers have agreed on (types, shapes, whether there is an updater), so that it is the same
    for all of them.
    """

    def __init__(
        self, keys: Sequence[Any], like: list[torch.Tensor], contexts: list[Any], with_weights: bool, piece: int
    ):
        """Arrays travel together up to ``piece`` bytes: while some travel, others are packed and unpacked."""
        self.keys, self.contexts = list(keys), contexts
        self.shapes = [tensor.shape for tensor in like]
        self.dtypes = [tensor.dtype for tensor in like]
        bound = big_array_bound() if with_weights else None
        self.chunks = [
            Chunk(numbers, [like[i] for i in numbers], with_weights) for numbers in _chunked(like, piece, bound)
        ]
        #: What the push is called, what must be the same for all workers, and the number of that for the last mode.
        self.what, self.details, self.mode, self.number = "", "", "", 0
        #: Are the stored arrays in this memory?
        self.holds = False
        #: Its sums that begin while backward runs.
        self.early: Any = None

    def takes(self, tensors: list[torch.Tensor]) -> bool:
        """Are these of the shapes and types that it was made for?"""
        # one by one: a list of a thousand shapes would make Python look for garbage
        return len(tensors) == len(self.shapes) and all(
            t.shape == shape and t.dtype == dtype
            for t, shape, dtype in zip(tensors, self.shapes, self.dtypes, strict=True)
        )

    def may_write_early(self, sources: list[torch.Tensor], targets: list[torch.Tensor]) -> bool:
        """May a target be written while others are still read? Not if it is memory of another array's.

        Targets are contiguous. What travels at once is packed before anything is written.
        """
        if len(self.chunks) == 1 and len(self.keys) > 1:
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


def _chunked(like: Sequence[torch.Tensor], piece: int, bound: int | None) -> list[list[int]]:
    """The numbers of arrays that travel together: of one type, about ``piece`` bytes, large ones by themselves.

    With a bound arrays of more elements are by themselves too, since they may be split among owners.
    """
    chunks: list[list[int]] = []
    filling: dict[torch.dtype, tuple[list[int], int]] = {}
    for i, tensor in enumerate(like):
        size = tensor.numel() * tensor.element_size()
        if size >= piece or (bound is not None and tensor.numel() > bound):
            chunks.append([i])
            continue
        members, used = filling.get(tensor.dtype, ([], piece))
        if used + size > piece:
            members, used = [], 0
            chunks.append(members)
        members.append(i)
        filling[tensor.dtype] = members, used + size
    return chunks


def _joined(tensors: Iterable[torch.Tensor]) -> torch.Tensor:
    return torch.cat([tensor.reshape(-1) for tensor in tensors])


def _parted(flat: torch.Tensor, like: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    pieces = flat.split([tensor.numel() for tensor in like])
    return [piece.view(tensor.shape) for piece, tensor in zip(pieces, like, strict=True)]


def sum_into(workers: Any, what: str, sources: Sequence[torch.Tensor], targets: Sequence[torch.Tensor]) -> None:
    """Sums the sources over all workers into the targets, which are the caller's own."""
    alone, groups = grouped(targets)
    flats = [_joined(sources[i] for i in group) for group in groups]
    pairs = [(sources[i], targets[i]) for i in alone] + [(flat, flat) for flat in flats]
    workers.sum(what, [target for _, target in pairs], [source for source, _ in pairs])
    for group, flat in zip(groups, flats, strict=True):
        into = [targets[i] for i in group]
        torch._foreach_copy_(into, _parted(flat, into))


def copy_parts(workers: Any, what: str, owned: Sequence[tuple[int, torch.Tensor]]) -> None:
    """Gives all workers what the owner of each tensor has in it."""
    owners, tensors = [owner for owner, _ in owned], [tensor for _, tensor in owned]
    alone, groups = grouped(tensors, owners)
    flats = []
    for group in groups:
        members = [tensors[i] for i in group]
        if owners[group[0]] == workers.rank:
            flats.append(_joined(members))
        else:
            flats.append(members[0].new_empty(sum(tensor.numel() for tensor in members)))
    sent = [(owners[i], tensors[i]) for i in alone]
    sent += [(owners[group[0]], flat) for group, flat in zip(groups, flats, strict=True)]
    workers.copy(what, sent)
    for group, flat in zip(groups, flats, strict=True):
        if owners[group[0]] != workers.rank:
            into = [tensors[i] for i in group]
            torch._foreach_copy_(into, _parted(flat, into))
