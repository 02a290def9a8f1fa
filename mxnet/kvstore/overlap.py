"""Sums that overlap with backward.

A worker gives a store the same gradients step after step. Once backward has written all of them between two pushes, in
all workers, the next ones are waited for: when backward has written those of a bucket, and of all buckets before it
(the last layers are first), the bucket is packed and its sum starts; those that have not started at the push start
then. So each push of a plan has one sum for each bucket, in one order, over connections of its own: whatever a worker
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

import torch

from .._core.memory import Snapshot
from ..ndarray import NDArray
from .buckets import Bucket, PushPlan
from .collective import Collective, Work

__all__ = ["Overlap"]


class Overlap:
    """The sums of a plan's next push. At first it only looks whether backward writes what is pushed."""

    def __init__(self, plan: PushPlan):
        self.plan = plan
        #: The order in which buckets are sent.
        self.buckets = list(reversed(plan.buckets))
        #: Its connections; None until sums overlap.
        self.group: Collective | None = None
        self._bucket_of = {i: place for place, bucket in enumerate(self.buckets) for i in bucket.numbers}
        self._lock = threading.Lock()
        self._disabled = False
        #: The callback of each array of the plan.
        self._calls = [partial(self._on_gradient, i) for i in range(len(plan.keys))]
        self._reset()

    def _reset(self) -> None:
        self._waiting = [set(bucket.numbers) for bucket in self.buckets]
        self._gradients: dict[int, torch.Tensor] = {}
        self._works: list[list[Work]] = []
        #: What is to begin next, with the list to which it belongs.
        self._starts: deque[tuple[Callable[[], Work], list[Work]]] = deque()
        self._packed: list[Snapshot | None] = []
        self._changed = False

    def start(self, group: Collective) -> None:
        """From now on sums begin when gradients are there; all workers call it at the same time."""
        with self._lock:
            for bucket in self.buckets:
                bucket.double_buffer()
            self.group = group
            self._reset()

    def watch(self, arrays: Sequence[NDArray]) -> None:
        """Watches the arrays that the gradients of the next push are written to."""
        for array, call in zip(arrays, self._calls, strict=True):
            array._landed = call

    def _on_gradient(self, number: int, array: NDArray) -> None:
        """Backward has written a gradient."""
        with self._lock:
            if self._disabled:
                return
            waiting = self._waiting[self._bucket_of[number]]
            if self.group is None:
                waiting.discard(number)
                return
            if number not in waiting:  # a second time
                self._changed = self._disabled = True
                return
            waiting.remove(number)
            self._gradients[number] = array._data
            while len(self._works) < len(self.buckets) and not self._waiting[len(self._works)]:
                bucket = self.buckets[len(self._works)]
                if not self._fits(bucket):
                    self._disabled = True
                    return
                self._add(bucket, bucket.pick(self._gradients))
            self._start(self.group.has_room)

    def _fits(self, bucket: Bucket) -> bool:
        """Are the gradients of the kind that was pushed before, and can writes to them be noticed?"""
        shapes, dtypes = self.plan.shapes, self.plan.dtypes
        tensors = [(i, self._gradients[i]) for i in bucket.numbers]
        return all(t.shape == shapes[i] and t.dtype == dtypes[i] for i, t in tensors) and (
            Snapshot.of([t for _, t in tensors]) is not None
        )

    def _add(self, bucket: Bucket, given: list[torch.Tensor] | None) -> None:
        """Queues the sum of a bucket with these gradients."""
        assert self.group is not None
        self._packed.append(None if given is None else Snapshot.of(given))
        works: list[Work] = []
        self._works.append(works)
        with torch.no_grad():
            self._starts.extend((start, works) for start in self.group.sum_starts(bucket.flat, given))

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
                self._reset()
                return missing
            begun = len(self._works)
            for bucket, packed in zip(self.buckets[:begun], self._packed, strict=True):
                if packed is None or not packed.holds(bucket.pick(sources)):
                    self._changed = self._disabled = True
            for bucket in self.buckets[begun:]:
                self._add(bucket, bucket.pick(sources))
            self._start()
            return self._changed

    def abandon(self) -> None:
        """Ends the sums that have begun, in all workers: the plan is not used any more."""
        with self._lock:
            self._disabled = True
            if self.group is None:
                return
            for bucket in self.buckets[len(self._works) :]:
                self._add(bucket, None)
            self._start()
        self.group.run("the end of a plan", (iter([each]) for each in self.take()))

    def take(self) -> list[list[Work]]:
        """Returns the operations of all buckets, and starts over for the next push."""
        with self._lock:
            works = self._works
            self._reset()
            return works
