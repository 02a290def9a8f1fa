"""Samplers that skip, and that have a part of a dataset for one of several workers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....error import MXNetValueError
from ...data import sampler
from ...utils import MXNetAssertionError

__all__ = ["IntervalSampler", "SplitSampler"]


class IntervalSampler(sampler.Sampler):
    """The indices 0, ``interval``, 2 ``interval`` ... below ``length``; with ``rollover`` then 1, 1 + ``interval`` ...

    This is how language models walk over parallel parts of a text.
    """

    def __init__(self, length: int, interval: int, rollover: bool = True):
        if interval > length:
            raise MXNetAssertionError(f"Interval {interval} must be smaller than or equal to length {length}")
        self._length = length
        self._interval = interval
        self._rollover = rollover

    def __iter__(self) -> Iterator[int]:
        for start in range(self._interval if self._rollover else 1):
            yield from range(start, self._length, self._interval)

    def __len__(self) -> int:
        return self._length if self._rollover else -(-self._length // self._interval)


class SplitSampler(sampler.Sampler):
    """The indices below ``length`` that one of several workers has: part ``part_index`` of ``num_parts``, shuffled.

    All parts are equally long, so that all workers have as many batches: the rest of the division is left out. In a
    distributed program: ``SplitSampler(len(dataset), kv.num_workers, kv.rank)``.
    """

    def __init__(self, length: int, num_parts: int = 1, part_index: int = 0, shuffle: bool = True):
        if num_parts < 1 or not 0 <= part_index < num_parts:
            raise MXNetValueError(f"part_index must be from 0 to num_parts - 1 = {num_parts - 1}, got {part_index}")
        if length < num_parts:
            raise MXNetValueError(f"{length} samples cannot be split into {num_parts} parts")
        self._part = length // num_parts
        self._start = self._part * part_index
        self._shuffle = shuffle

    def __iter__(self) -> Iterator[int]:
        indices = np.arange(self._start, self._start + self._part)
        if self._shuffle:
            np.random.shuffle(indices)
        return iter(indices.tolist())

    def __len__(self) -> int:
        return self._part
