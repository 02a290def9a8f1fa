"""Threads and interrupts: cleaning up after objects that were collected, and daemon threads when the program exits.

What Python runs while it collects an object (``__del__``, ``weakref.finalize``) may not raise: a ``KeyboardInterrupt``
that arrives meanwhile is printed and lost. So nothing that takes time is done there, see ``WhenCollected``.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from types import CodeType, FrameType
from typing import Any

__all__ = ["WhenCollected", "hold_interrupts", "release_interrupts", "serves_a_queue"]


# ---- daemon threads at exit ------------------------------------------------------------------------------------------

#: So many seconds the program waits for daemon threads to leave operators.
PATIENCE = 10.0
_AGAIN = 0.5  # seconds after which a thread is asked again, in case that something has caught the exception
_SAMPLES = 20  # looks at what the threads do, a millisecond apart
_serving: set[CodeType] = set()
#: In these modules a thread waits in Python's own locks or in system calls, and may be left there.
_WAITING = ("threading", "queue", "selectors", "socket", "ssl", "subprocess", "concurrent.", "multiprocessing.")


def serves_a_queue(function: Callable) -> Callable:
    """Decorates the outermost function of a thread, in which it waits for work."""
    _serving.add(function.__code__)
    return function


def _end_daemon_threads() -> None:
    """Has daemon threads leave the operators that they run, before the interpreter is taken down.

    Python (before 3.14) ends a daemon thread where it asks for the interpreter's lock after that, by unwinding its
    stack: if there are frames of C++ on it, as in each of torch's operators, the whole process aborts. Threads that
    run this package get a ``SystemExit``, which ends them silently, those that wait when they wake up; others are left
    alone.
    """
    me = threading.current_thread()
    daemons = {t.ident: t for t in threading.enumerate() if t.daemon and t is not me and t.ident is not None}
    if not daemons:
        return
    import ctypes

    ask_to_exit, exit_error = ctypes.pythonapi.PyThreadState_SetAsyncExc, ctypes.py_object(SystemExit)
    asked: set[int] = set()
    for _ in range(_SAMPLES):
        for ident, frame in sys._current_frames().items():
            if ident in daemons and ident not in asked and _runs_us(frame):
                asked.add(ident)
                ask_to_exit(ctypes.c_ulong(ident), exit_error)
        time.sleep(0.001)
    busy = asked
    seen = dict.fromkeys(busy, time.monotonic())  # when each was last seen at work
    last = time.monotonic()
    until = last + PATIENCE
    while busy and (now := time.monotonic()) < until:
        if now - last > _AGAIN:
            last = now
            for ident in busy:
                ask_to_exit(ctypes.c_ulong(ident), exit_error)
        time.sleep(0.002)
        frames = sys._current_frames()
        seen.update((ident, now) for ident in busy if _runs(daemons[ident]))
        # One that has not run since it was asked is in a system call, not in an operator.
        busy = {i for i in busy if i in frames and not _is_waiting(frames[i]) and now - seen[i] < _AGAIN}
        del frames


def _runs_us(frame: FrameType | None) -> bool:
    """Does a thread run this package, or what that calls?"""
    if frame is None or frame.f_code in _serving:
        return False
    while frame is not None:
        name = frame.f_globals.get("__name__") or ""
        if name.startswith(("mxnet.kvstore", "torch.distributed")):
            return False  # the store has its own way to end its threads
        if name.startswith(("mxnet.", "torch.")):
            return True
        frame = frame.f_back
    return False


def _is_waiting(frame: FrameType) -> bool:
    return frame.f_code in _serving or (frame.f_globals.get("__name__") or "").startswith(_WAITING)


def _runs(thread: threading.Thread) -> bool:
    """Whether a thread is running or runnable now; True where the system does not say."""
    try:
        with open(f"/proc/self/task/{thread.native_id}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] in "RD"
    except OSError:
        return not os.path.isdir("/proc/self/task")


if sys.version_info < (3, 14):
    import multiprocessing.util  # noqa: F401  (what it does at exit, ending processes, is to come after this)

    atexit.register(_end_daemon_threads)


# ---- after an object was collected -----------------------------------------------------------------------------------

_collected: SimpleQueue = SimpleQueue()
_cleaner: threading.Thread | None = None
_pending: set[WhenCollected] = set()


class WhenCollected(weakref.ref):
    """Calls ``function(*args)`` once: in a thread of its own after ``owner`` was collected, or by ``()``.

    Like ``weakref.finalize``, but when ``owner`` is collected, no Python code runs in the thread that collects it, and
    nothing is called at exit.
    """

    __slots__ = ("_args", "_function", "_pid")

    def __new__(cls, owner: object, function: Callable, *args: Any) -> WhenCollected:
        return super().__new__(cls, owner, _collected.put)  # SimpleQueue.put is C, and made for this

    def __init__(self, owner: object, function: Callable, *args: Any):
        super().__init__(owner, _collected.put)  # type: ignore[call-arg]  # weakref.ref's stub has only __new__
        self._function = function
        self._args = args
        self._pid = os.getpid()
        _pending.add(self)
        _start_cleaner()

    __hash__ = object.__hash__  # not the owner's
    __eq__ = object.__eq__

    @property
    def alive(self) -> bool:
        """Has the function yet to be called?"""
        return self in _pending

    def __call__(self) -> None:
        """Calls the function now. If that is interrupted, it is called again when the owner is collected."""
        if self in _pending and self._pid == os.getpid():  # a forked child does not own what its parent made
            self._function(*self._args)
            _pending.discard(self)


def _start_cleaner() -> None:
    global _cleaner
    if _cleaner is None:  # two threads at once may start one each: both serve the same queue
        thread = threading.Thread(target=_clean, args=(_collected,), name="mxnet-cleaner", daemon=True)
        thread.start()
        _cleaner = thread


@serves_a_queue
def _clean(collected: SimpleQueue) -> None:
    while True:
        item = collected.get()
        try:
            item()
        except Exception:
            sys.excepthook(*sys.exc_info())
        del item


def _after_fork() -> None:
    global _collected, _cleaner
    _collected, _cleaner = SimpleQueue(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


# ---- interrupts while a process is started ---------------------------------------------------------------------------


@contextmanager
def hold_interrupts() -> Iterator[None]:
    """Ctrl-C waits until the end of the block; processes forked in it have it blocked, see ``release_interrupts``.

    An interrupt within ``fork`` would be lost in the callbacks that modules have registered for it; and a child that is
    interrupted right after it would run the ``except KeyboardInterrupt`` of its parent's program.
    """
    came = []
    # The handler runs in the main thread, whichever thread the system gives the signal to.
    in_main = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is not None
    handler = signal.signal(signal.SIGINT, lambda *_: came.append(1)) if in_main else None
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if in_main:
            signal.signal(signal.SIGINT, handler)
            if came:
                signal.raise_signal(signal.SIGINT)


def release_interrupts() -> None:
    """For a child: undoes what ``hold_interrupts`` did in its parent."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
