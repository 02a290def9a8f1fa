"""A thread that works ahead."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any

from .._core.threads import serves_a_queue


class Worker:
    """A thread that calls functions, one after the other. It does not keep the program from ending."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue = SimpleQueue()
        Thread(target=self._work, args=(self._jobs,), name="PrefetchingIter", daemon=True).start()

    @staticmethod
    @serves_a_queue
    def _work(jobs: SimpleQueue) -> None:
        for function, future in iter(jobs.get, None):
            try:
                future.set_result(function())
            except StopIteration as end:
                # Without its frames, which would hold the thread and the iterator in a cycle: what Python runs when it
                # collects a thread swallows an interrupt that arrives meanwhile.
                future.set_exception(end.with_traceback(None))
            except BaseException as error:  # raised where the result is asked for
                future.set_exception(error)
            del function, future  # nothing is kept alive while waiting

    def submit(self, function: Callable[[], Any]) -> Future:
        """Calls a function soon; the result, or the error, is in the Future."""
        future: Future = Future()
        self._jobs.put((function, future))
        return future

    def stop(self) -> None:
        """Ends the thread when it has done what it was asked for."""
        self._jobs.put(None)
