"""A sampler that skips."""

from __future__ import annotations

from collections.abc import Iterator

from ...data import sampler
from ...utils import MXNetAssertionError

__all__ = ["IntervalSampler"]


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
