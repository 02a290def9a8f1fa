"""The same work on several devices: one after another, or side by side in threads, whichever is measured to be faster.

GPUs work side by side by themselves: their kernels return before they are done. Contexts on the host do not. Threads
take them over only where the numbers cannot change: each context has its own arrays and, if the graph draws random
numbers, its own generator; operators of the program's own, monitors and interceptors (the profiler, check mode) see
the order that they are used to.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache
from typing import TypeVar

import torch

from ..base import numpy_mode
from ..executor import Executor
from ..ndarray.gate import is_intercepted

__all__ = ["SideBySide"]

T = TypeVar("T")
#: How a kind of work is run at first: the first runs, in which plans are made, are not measured.
_TRIALS = (None, None, False, True, False, True, False, True)
#: Threads have to be faster by so much.
_GAIN = 0.95


class SideBySide:
    """Runs the work of executors, one for each context."""

    def __init__(self, executors: Sequence[Executor]):
        self.executors = list(executors)
        self._can = _are_independent(executors)
        #: For each kind of work the seconds of its trials, by threads or not; then which is to be.
        self._seconds: dict[object, list[float]] = {}
        self._chosen: dict[object, bool] = {}

    def run(self, kind: object, calls: Sequence[Callable[[], T]]) -> list[T]:
        """Calls a function for each executor; returns their results when all are done."""
        if not self._can or not self._may_now():
            return [call() for call in calls]
        chosen = self._chosen.get(kind)
        if chosen is not None:
            return self._in_threads(calls) if chosen else [call() for call in calls]
        seconds = self._seconds.setdefault(kind, [])
        threads = _TRIALS[len(seconds)]
        begin = time.perf_counter()
        results = self._in_threads(calls) if threads else [call() for call in calls]
        seconds.append(time.perf_counter() - begin)
        if len(seconds) == len(_TRIALS):
            trials = list(zip(_TRIALS, seconds, strict=True))
            alone = min(s for threads, s in trials if threads is False)
            self._chosen[kind] = min(s for threads, s in trials if threads) < _GAIN * alone
        return results

    def _may_now(self) -> bool:
        """Is there a processor for each, and nobody who watches?"""
        watched = is_intercepted() or any(executor._monitor is not None for executor in self.executors)
        if watched or torch.is_autocast_enabled("cpu") or torch.is_inference_mode_enabled():
            return False
        return torch.get_num_threads() * len(self.executors) <= len(os.sched_getaffinity(0))

    def _in_threads(self, calls: Sequence[Callable[[], T]]) -> list[T]:
        mode, pool = dict(vars(numpy_mode)), _pool(len(calls) - 1, os.getpid())

        def run(call: Callable[[], T]) -> T:
            vars(numpy_mode).update(mode)  # each thread has its own
            return call()

        others = [pool.submit(run, call) for call in calls[1:]]
        try:
            first = calls[0]()
        finally:
            wait(others)  # nothing runs when this returns, even by an error or an interrupt
        return [first, *(other.result() for other in others)]


@lru_cache(4)
def _pool(threads: int, process: int) -> ThreadPoolExecutor:
    """The threads of a process; one that is forked has none of its parent's."""
    return ThreadPoolExecutor(threads, "mxnet-device")


def _are_independent(executors: Sequence[Executor]) -> bool:
    """Do executors share nothing that one changes: no array, no random numbers, no code of the program's?"""
    contexts = [executor._ctx for executor in executors]
    if len(contexts) < 2 or len(set(contexts)) < len(contexts):
        return False
    if any(context.torch_device.type != "cpu" for context in contexts) or not hasattr(os, "sched_getaffinity"):
        return False
    for executor in executors:
        for step in executor._program.plan.steps:
            if step.context is not executor._ctx or step.op.name in _OWN_CODE or "_subgraphs" in step.op.supplied:
                return False
            if step.wants_rng and not executor._ctx.is_gpu:  # contexts on the host share their generators
                return False
    return True


#: Operators that run functions of the program's, and those that wait for other devices.
_OWN_CODE = frozenset(("Custom", "_contrib_SyncBatchNorm"))
