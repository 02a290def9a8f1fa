"""The order in which image record iterators take their records: the very order of MXNet, found by observing it.

Without an index MXNet shuffles what it has in memory at once: the records of a buffer of 8 MB. ``shuffle_chunk_size``
also makes it take the file in chunks of about so many MB, in an order that is new in each epoch. With an index all
records are shuffled together, and there are no chunks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .image_files import ImageFiles

__all__ = ["Group", "RecordOrder", "Shuffler"]

_LARGEST = 0xFFFFFFFF
_BUFFER = 8 << 20
_CHUNK_SEED = 666


class Shuffler:
    """A Mersenne twister that swaps each element with one at or before it, as C++ programs with old compilers did."""

    def __init__(self, seed: int):
        self._random = np.random.RandomState(seed & _LARGEST)

    def _numbers(self, count: int) -> np.ndarray:
        return self._random.randint(0, _LARGEST + 1, count, np.uint32).astype(np.int64)

    def shuffle(self, values: list) -> None:
        """Shuffles a list in place; the next one is shuffled with the numbers that come next."""
        choices = np.arange(2, len(values) + 1)
        widths = _LARGEST // choices
        numbers = self._numbers(len(choices))
        while len(beyond := np.flatnonzero(numbers // widths >= choices)):  # one in millions is not used
            numbers = np.append(np.delete(numbers, beyond[0]), self._numbers(1))
        for i, j in enumerate((numbers // widths).tolist(), 1):
            values[i], values[j] = values[j], values[i]


@dataclass
class Group:
    """The records that MXNet would have in memory at once. It changes them in the order of the file, then shuffles."""

    first: int
    last: int
    #: What counts as the row of the first one.
    start: int | None = None
    #: What was decided for each that has not been taken yet.
    decided: dict[int, Any] = field(default_factory=dict)


class RecordOrder:
    """The numbers of the records of a file, epoch after epoch, each with its group, if any.

    There are groups if there is no index and records are shuffled, or if they are ``wanted``.
    """

    def __init__(
        self, files: ImageFiles, shuffle: bool, seed: int, in_chunks: bool, chunk_seed: int, wanted: bool = False
    ) -> None:
        self._files = files
        self._shuffler = Shuffler(seed) if shuffle else None
        self._wanted = wanted and not files.indexed
        #: Where chunks begin and end, as numbers of records, and the order in which they come.
        self._chunks: list[tuple[int, int | None]] = [(0, None)]
        if in_chunks and not files.indexed:
            self._chunks = list(files.chunks())
        self._chunk_shuffler = Shuffler(_CHUNK_SEED + files.parts + files.part + len(self._chunks) + chunk_seed)

    def epoch(self) -> Iterator[tuple[int, Group | None]]:
        """The records of the next epoch; they are looked for in the file as they are asked for."""
        if len(self._chunks) > 1:
            self._chunk_shuffler.shuffle(self._chunks)
        return self._records(list(self._chunks))

    def _records(self, chunks: list[tuple[int, int | None]]) -> Iterator[tuple[int, Group | None]]:
        for start, end in chunks:
            if self._shuffler is None and not self._wanted:
                yield from ((record, None) for record in self._range(start, end))
                continue
            while end is None or start < end:
                group = self._group(start, end)
                if not group:
                    break
                start = group[-1] + 1
                whole = None if self._files.indexed else Group(group[0], group[-1])
                if self._shuffler is not None:
                    self._shuffler.shuffle(group)
                yield from ((record, whole) for record in group)

    def _range(self, start: int, end: int | None) -> Iterator[int]:
        while (end is None or start < end) and self._files.has(start):
            yield start
            start += 1

    def _group(self, start: int, end: int | None) -> list[int]:
        """The records from one on that MXNet would have in memory at once."""
        files = self._files
        if files.indexed or not files.has(start):
            return list(self._range(start, end))
        offset = files.offset(start)
        limit = files.end if end is None else files.offset(end)
        window = _BUFFER
        while limit - offset >= window:
            group: list[int] = []
            for record in self._range(start, end):
                if files.offset(record + 1) + 8 - offset > window:  # the head of the next record must be seen
                    break
                group.append(record)
            if group:
                return group
            window = 2 * window + 4
        return list(self._range(start, end))
