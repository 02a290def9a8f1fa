"""Samplers: in which order a ``DataLoader`` takes the elements of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from ...error import MXNetValueError

__all__ = ["Sampler", "SequentialSampler", "RandomSampler", "FilterSampler", "BatchSampler"]


class Sampler:
    """The base of samplers: ``__iter__`` gives indices, ``__len__`` says how many."""

    def __len__(self) -> int:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError


class SequentialSampler(Sampler):
    """The indices ``start`` to ``start + length - 1``, in order.

    >>> list(gluon.data.SequentialSampler(3))
    [0, 1, 2]
    """

    def __init__(self, length: int, start: int = 0):
        self._length = length
        self._start = start

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._start, self._start + self._length))

    def __len__(self) -> int:
        return self._length


class RandomSampler(Sampler):
    """The indices 0 to ``length - 1``, each once, in another random order each time (``numpy.random.seed`` sets it)."""

    def __init__(self, length: int):
        self._length = length

    def __iter__(self) -> Iterator[int]:
        indices = np.arange(self._length)
        np.random.shuffle(indices)
        return iter(indices.tolist())

    def __len__(self) -> int:
        return self._length


class FilterSampler(Sampler):
    """The indices of those elements of a dataset for which ``fn(element)`` is true; all are looked at once, now."""

    def __init__(self, fn: Callable[[Any], Any], dataset: Any):
        self._fn = fn
        self._dataset = dataset
        self._indices = [i for i in range(len(dataset)) if fn(dataset[i])]

    def __iter__(self) -> Iterator[int]:
        return iter(self._indices)

    def __len__(self) -> int:
        return len(self._indices)


class BatchSampler(Sampler):
    """Lists of ``batch_size`` indices of another sampler.

    ``last_batch`` says what happens to a rest that fills no batch: 'keep' gives a smaller one, 'discard' leaves it out,
    'rollover' puts it in front of the next epoch.

    >>> list(gluon.data.BatchSampler(gluon.data.SequentialSampler(10), 3, "keep"))
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]]
    """

    def __init__(self, sampler: Sampler, batch_size: int, last_batch: str = "keep"):
        self._sampler = sampler
        self._batch_size = batch_size
        self._last_batch = last_batch
        self._prev: list[Any] = []

    def _check(self) -> None:
        if self._last_batch not in ("keep", "discard", "rollover"):
            raise MXNetValueError(
                f"last_batch must be one of 'keep', 'discard', or 'rollover', but got {self._last_batch}"
            )
        if self._batch_size < 1:
            raise MXNetValueError(f"batch_size must be at least 1, got {self._batch_size}")

    def __iter__(self) -> Iterator[list[Any]]:
        self._check()
        size = self._batch_size
        indices = iter(self._sampler)
        batch, self._prev = self._prev, []
        while True:
            batch += islice(indices, size - len(batch))
            if len(batch) < size:
                break
            yield batch
            batch = []
        if self._last_batch == "rollover":
            self._prev = batch
        elif batch and self._last_batch == "keep":
            yield batch

    def __len__(self) -> int:
        self._check()
        count, size = len(self._sampler), self._batch_size
        if self._last_batch == "keep":
            return -(-count // size)
        return (count + len(self._prev)) // size
