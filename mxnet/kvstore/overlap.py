"""Sums that begin while backward still runs.

A worker gives a store the same gradients step after step. Once backward has written all of them between two pushes, in
all workers, the next ones are waited for: when backward has written those of a chunk, and those of all chunks before it
(the last layers come first), the chunk is packed and begins to travel; what has not begun when they are pushed begins
then. So each push of a plan has one sum for each chunk, in one order, over connections of its own: whatever a worker
computes, and however often, all of them do the same.

A gradient may be changed between backward and push, or be computed twice. What was packed is compared by the versions
of the arrays; if a worker's is out of date, all workers sum anew (``Collective.ask`` tells them), and that worker
begins no more sums ahead of time.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch

from .._core.memory import Snapshot
from ..ndarray import NDArray
from .buckets import Chunk, Plan
from .collective import Collective

__all__ = ["Early"]


class Early:
    """The sums of a plan's next push. At first it only looks whether backward writes what is pushed."""

    def __init__(self, plan: Plan):
        self.plan = plan
        #: In which order chunks travel.
        self.chunks = list(reversed(plan.chunks))
        #: The connections by which they do; None as long as sums do not begin early.
        self.group: Collective | None = None
        self._chunk_of = {i: place for place, chunk in enumerate(self.chunks) for i in chunk.numbers}
        self._lock = threading.Lock()
        self._off = False
        #: What each array of the plan calls when its gradient is there.
        self._calls = [partial(self._landed, i) for i in range(len(plan.keys))]
        self._begin_again()

    def _begin_again(self) -> None:
        self._waiting = [set(chunk.numbers) for chunk in self.chunks]
        self._came: dict[int, torch.Tensor] = {}
        self._works: list[list[Any]] = []
        #: What is to begin next, with the list to which it belongs.
        self._starts: deque[tuple[Callable[[], Any], list[Any]]] = deque()
        self._packed: list[Snapshot | None] = []
        self._changed = False

    def start(self, group: Collective) -> None:
        """From now on sums begin when gradients are there; all workers call it at the same time."""
        with self._lock:
            for chunk in self.chunks:
                chunk.take_turns()
            self.group = group
            self._begin_again()

    def watch(self, arrays: Sequence[NDArray]) -> None:
        """The gradients of the next push will come to these arrays."""
        for array, call in zip(arrays, self._calls, strict=True):
            array._landed = call

    def _landed(self, number: int, array: NDArray) -> None:
        """Backward has written a gradient."""
        with self._lock:
            if self._off:
                return
            waiting = self._waiting[self._chunk_of[number]]
            if self.group is None:
                waiting.discard(number)
                return
            if number not in waiting:  # a second time
                self._changed = self._off = True
                return
            waiting.remove(number)
            self._came[number] = array._data
            while len(self._works) < len(self.chunks) and not self._waiting[len(self._works)]:
                chunk = self.chunks[len(self._works)]
                if not self._fits(chunk):
                    self._off = True
                    return
                self._add(chunk, chunk.pick(self._came))
            self._start(self.group.has_room)

    def _fits(self, chunk: Chunk) -> bool:
        """Are the gradients of the kind that was pushed before, and can writes to them be noticed?"""
        shapes, dtypes = self.plan.shapes, self.plan.dtypes
        tensors = [(i, self._came[i]) for i in chunk.numbers]
        return all(t.shape == shapes[i] and t.dtype == dtypes[i] for i, t in tensors) and (
            Snapshot.of([t for _, t in tensors]) is not None
        )

    def _add(self, chunk: Chunk, given: list[torch.Tensor] | None) -> None:
        """A chunk may begin to travel, with these gradients, after those that were added before."""
        assert self.group is not None
        self._packed.append(None if given is None else Snapshot.of(given))
        works: list[Any] = []
        self._works.append(works)
        with torch.no_grad():
            self._starts.extend((start, works) for start in self.group.sum_starts(chunk.flat, given))

    def _start(self, may: Callable[[], bool] = lambda: True) -> None:
        """Starts what was added; backward does not wait for other workers, which may be waiting for it."""
        while self._starts and may():
            start, works = self._starts.popleft()
            works.append(start())

    def finish(self, sources: Sequence[torch.Tensor]) -> bool:
        """Starts what has not begun yet, with what is pushed; True if what has begun is not what is pushed.

        As long as it only looks, True if backward has not written all of what is pushed.
        """
        with self._lock:
            if self.group is None:
                missing = any(self._waiting)
                self._begin_again()
                return missing
            begun = len(self._works)
            for chunk, packed in zip(self.chunks[:begun], self._packed, strict=True):
                if packed is None or not packed.holds(chunk.pick(sources)):
                    self._changed = self._off = True
            for chunk in self.chunks[begun:]:
                self._add(chunk, chunk.pick(sources))
            self._start()
            return self._changed

    def abandon(self) -> None:
        """Ends the sums that have begun, in all workers: the plan is not used any more."""
        with self._lock:
            self._off = True
            if self.group is None:
                return
            for chunk in self.chunks[len(self._works) :]:
                self._add(chunk, None)
            self._start()
        self.group.run("the end of a plan", (iter([each]) for each in self.take()))

    def take(self) -> list[list[Any]]:
        """The operations of all chunks; from now on gradients are those of the next push."""
        with self._lock:
            works = self._works
            self._begin_again()
            return works
