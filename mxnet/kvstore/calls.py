"""Pushes and pulls of single keys, which travel together.

A program that goes through its parameters, ``kv.push(i, grad); kv.pull(i, out=weight)``, need not wait for the others
at each of them. A push keeps a copy of what is pushed; a pull withholds the memory of ``out`` (``ndarray/pending.py``).
All of them are carried out together when something needs them: who reads or writes ``out``, another call of a store,
``waitall``, the end of the process, or a thread, as soon as no more of them come.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

import torch

from .._core.threads import serves_a_queue
from ..context import Context
from ..error import MXNetError
from ..ndarray import NDArray
from ..ndarray.pending import bringer, give_back, waiters, withhold
from .base import Key

if TYPE_CHECKING:
    from .dist import DistKVStore

__all__ = ["Calls", "Push", "settled"]

F = TypeVar("F", bound=Callable[..., Any])

#: Larger arrays do not wait for others, and all that wait are no larger than this together.
LARGE = 1 << 20
_MOST = 32 << 20
#: After how many seconds without another call those that wait are carried out.
_PAUSE = 0.004


class Push:
    """A push that waits, and the arrays that are to get what is stored after it."""

    __slots__ = ("_calls", "context", "key", "priority", "pulls", "value")

    def __init__(self, calls: Calls, key: Key, value: torch.Tensor, context: Context, priority: int):
        self._calls, self.key, self.value, self.context, self.priority = calls, key, value, context, priority
        self.pulls: dict[int, tuple[NDArray, torch.Tensor]] = {}

    def __call__(self) -> None:
        """Carries it out: somebody needs an array that is to get its result."""
        self._calls.finish()

    def pull(self, arrays: list[NDArray]) -> bool:
        """Has the arrays get what is stored after this push; False if they cannot wait for it."""
        mine: list[NDArray] = []
        for array in arrays:
            before = bringer(array)
            if isinstance(before, Push) and before._calls is self._calls:  # nobody has asked what it was to get
                array._bring = self  # type: ignore[attr-defined]
                self.pulls[id(array)] = before.pulls.pop(id(array))
                continue
            tensor = withhold(array, self)
            if tensor is None:
                for each in mine:
                    self.pulls.pop(id(each))
                    give_back(each)
                return False
            mine.append(array)
            self.pulls[id(array)] = array, tensor
        return True


class Calls:
    """What waits in a process: the pushes of one store, in the order of the program."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._store: DistKVStore | None = None
        self._waiting: dict[Key, Push] = {}
        self._bytes = 0
        self._count = 0
        self._sending = False
        self._error: Exception | None = None
        #: Has the program seen the error?
        self._raised = False
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        waiters.append(self.finish)
        _all.add(self)

    def find(self, store: DistKVStore, key: Key) -> Push | None:
        """The push of a key that waits."""
        return self._waiting.get(key) if self._store is store else None

    def add(self, store: DistKVStore, key: Key, value: torch.Tensor, context: Context, priority: int) -> None:
        """Lets a push wait; ``value`` is copied."""
        size = value.numel() * value.element_size()
        full = self._bytes + size > _MOST
        if full or key in self._waiting or self._store is not store or self._error is not None:
            self.finish()
            self._store = store
        self._waiting[key] = Push(self, key, value.clone(), context, priority)
        self._bytes += size
        self._count += 1
        if not self._wake.is_set():
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="mxnet-kvstore-calls", daemon=True)
                self._thread.start()
            self._wake.set()

    @property
    def empty(self) -> bool:
        """Does nothing wait?"""
        return not self._waiting

    @contextmanager
    def settled(self) -> Iterator[None]:
        """A ``with`` block that begins when nothing waits any more, and that no waiting calls interrupt."""
        with self.lock:
            self.finish()
            yield

    def finish(self) -> None:
        """Carries out all that waits. Its errors are raised here, and wherever it is needed from then on."""
        if self._error is None and not self._waiting:
            return
        with self.lock:
            if self._error is not None:
                self._raised = True
                raise self._error
            if self._sending:
                raise MXNetError("an optimizer uses an array that waits for the update that it is called for")
            self._sending = True
            try:
                while self._waiting:
                    self._send()
            except Exception as error:
                self._error, self._raised = error, threading.current_thread() is not self._thread
                raise
            finally:
                self._sending = False

    def _send(self) -> None:
        """Carries out as many of the calls as the other workers have got to."""
        store, pushes = self._store, list(self._waiting.values())
        assert store is not None
        done = pushes[: store._send_calls(pushes)]
        pulled = [(*pair, push.key) for push in done for pair in push.pulls.values()]
        if pulled:
            with torch.no_grad():
                torch._foreach_copy_([t for _, t, _ in pulled], store._values_of([key for _, _, key in pulled]))
        for array, _, _ in pulled:
            give_back(array)
        for push in done:  # last: as long as something waits, whoever needs it waits for this
            del self._waiting[push.key]
            self._bytes -= push.value.numel() * push.value.element_size()

    @serves_a_queue
    def _watch(self) -> None:
        """Other workers wait for what this one has pushed, so it does not wait for long, whatever the program does."""
        while True:
            self._wake.wait()
            seen = -1
            while seen != self._count:
                seen = self._count
                time.sleep(_PAUSE)
            self._wake.clear()
            try:
                self.finish()
            except Exception:
                return  # it is kept, for those who need what was not done

    def close(self) -> None:
        """Carries out what waits before the process leaves its job."""
        waiters.remove(self.finish)
        _all.discard(self)
        with self.lock:  # what the thread is about is done first
            try:
                if self._waiting and not self._raised:
                    self.finish()
            finally:
                self._waiting.clear()


#: Before a process forks nothing waits: the child has no part in the job.
_all: WeakSet[Calls] = WeakSet()


def _before_fork() -> None:
    for calls in list(_all):
        calls.finish()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork)


def settled(method: F) -> F:
    """Makes a method of a store begin when nothing waits any more."""

    @wraps(method)
    def run(self: DistKVStore, *args: Any, **kwargs: Any) -> Any:
        with self._calls.settled():
            return method(self, *args, **kwargs)

    return run  # type: ignore[return-value]
