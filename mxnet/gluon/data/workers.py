"""Workers that make batches ahead of time: threads, or processes that die cleanly and say so when they do not.

Both kinds have the same methods: ``submit(indices, tickets)`` adds a ticket, ``result(ticket, timeout)`` waits for its
batch, ``drop(tickets)`` says that nobody will, ``stop()`` ends the workers, as does garbage collection.
"""

from __future__ import annotations

import hashlib
import itertools
import multiprocessing
import os
import pickle
import queue
import random
import signal
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, TimeoutError as FutureTimeoutError
from contextlib import contextmanager
from multiprocessing.connection import wait
from multiprocessing.reduction import ForkingPickler
from typing import Any, NamedTuple

import numpy as np
import torch

from ... import _rng as rng, autograd
from ..._core.threads import WhenCollected, hold_interrupts, release_interrupts, serves_a_queue
from ..._core.tracebacks import format_error
from ...context import cpu
from ...error import MXNetError
from ...util import is_np_shape, set_np_shape
from . import shared
from .batches import batch_reader

_counter = itertools.count()
_CHECK = 1.0  # seconds between looks at whether a worker is alive, in case that its pipes do not tell


#: Held while workers are started: a process forked at the same moment would keep their pipes open.
starting = threading.Lock()


def _renew_lock() -> None:
    global starting
    starting = threading.Lock()  # in a forked child nobody would release the old one


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


class WorkerTimeoutError(MXNetError, multiprocessing.TimeoutError, TimeoutError):
    """A worker did not make its batch in time."""


class WorkerTracebackError(Exception):
    """Shows where in a worker an error came from."""

    def __str__(self) -> str:
        return str(self.args[0])


def _timed_out(who: str, timeout: float) -> WorkerTimeoutError:
    return WorkerTimeoutError(
        f"{who} of the DataLoader did not make its batch within {timeout} seconds. If reading or transforming a batch "
        "takes that long, give the DataLoader a larger timeout or smaller batches; otherwise it hangs."
    )


# ---- threads ---------------------------------------------------------------------------------------------------------


class ThreadWorkers:
    """Threads that make batches."""

    def __init__(self, count: int, dataset: Any, batchify_fn: Callable):
        self._tasks: queue.SimpleQueue = queue.SimpleQueue()
        self._pid = os.getpid()
        self._stopped = False
        self._finalizer = WhenCollected(self, _end_threads, self._tasks, count)  # first: starting may be interrupted
        read = batch_reader(dataset, batchify_fn)
        for i in range(count):
            # They do not know this object, so that it can be collected; and they do not keep the program from ending.
            threading.Thread(
                target=_work_in_thread,
                args=(self._tasks, read, is_np_shape()),
                name=f"DataLoader-worker-{i}",
                daemon=True,
            ).start()

    @property
    def usable(self) -> bool:
        """Can batches be asked for in this process?"""
        return not self._stopped and self._pid == os.getpid()

    def submit(self, indices: object, tickets: deque[Future]) -> None:
        """Asks for the batch of these elements, and adds its ticket to ``tickets``."""
        future: Future = Future()
        tickets.append(future)
        self._tasks.put((future, indices))

    def result(self, ticket: Future, timeout: float) -> Any:
        """The batch that was asked for; waits for it at most ``timeout`` seconds."""
        try:
            return ticket.result(timeout)
        except FutureTimeoutError as error:
            if ticket.done():
                raise  # the dataset's own
            self.stop()
            raise _timed_out("a worker thread", timeout) from error

    def drop(self, tickets: Iterable[Future]) -> None:
        """Batches that nobody will ask for."""
        for ticket in tickets:
            ticket.cancel()

    def stop(self) -> None:
        """Ends the workers."""
        self._stopped = True
        self._finalizer()


@serves_a_queue
def _work_in_thread(tasks: queue.SimpleQueue, read: Callable, np_shape: bool) -> None:
    set_np_shape(np_shape)
    for future, indices in iter(tasks.get, None):
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(read(indices))
            except BaseException as error:  # raised where the batch is asked for
                future.set_exception(error)
        del future, indices  # nothing is kept alive while waiting


def _end_threads(tasks: queue.SimpleQueue, count: int) -> None:
    while True:
        try:
            task = tasks.get_nowait()
        except queue.Empty:
            break
        if task is not None:
            task[0].cancel()
    for _ in range(count):
        tasks.put(None)


# ---- processes: this side --------------------------------------------------------------------------------------------


class _Worker(NamedTuple):
    process: Any
    connection: Any


class ProcessWorkers:
    """Processes that make batches and hand them over in shared memory.

    They are forked where that is possible, so that a dataset may hold anything: lambdas, open files. Batch after batch
    goes to the workers in turn, so that random transformations of a program with fixed seeds can be repeated.
    """

    def __init__(self, count: int, dataset: Any, batchify_fn: Callable):
        context = multiprocessing.get_context(_start_method())
        seed = _entropy()
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._ready: dict[int, tuple[str, shared.Received]] = {}
        self._abandoned: set[int] = set()
        self._dropped: deque[int] = deque()
        self._failure: str | None = None
        self._workers: list[_Worker] = []
        self._finalizer = WhenCollected(self, _end_processes, self._workers)
        forks = context.get_start_method() == "fork"
        for i in range(count):
            # Also because a KeyboardInterrupt that arrives in the ``__del__`` of a connection is lost.
            with hold_interrupts():
                mine, theirs = context.Pipe()
                others = [mine, *(w.connection for w in self._workers)] if forks else []
                process = context.Process(  # type: ignore[attr-defined]
                    target=_work_in_process,
                    args=(theirs, others, dataset, batchify_fn, [*seed, i], is_np_shape()),
                    name=f"DataLoader-worker-{i}",
                    daemon=True,
                )
                with warnings.catch_warnings():
                    # Newer Pythons warn when a program with threads forks: workers avoid those of torch and OpenCV.
                    warnings.filterwarnings("ignore", message=".*fork.*", category=DeprecationWarning)
                    process.start()
                self._workers.append(_Worker(process, mine))
                theirs.close()
                del theirs

    @property
    def usable(self) -> bool:
        """Can batches be asked for in this process?"""
        return self._failure is None and self._pid == os.getpid()

    def submit(self, indices: object, tickets: deque[int]) -> None:
        """Asks for the batch of these elements, and adds its ticket to ``tickets``."""
        number = next(self._numbers)
        message = ForkingPickler.dumps((number, indices))
        tickets.append(number)
        with self._lock:
            self._check()
            self._send_drops()
            worker = self._workers[number % len(self._workers)]
            try:
                with self._whole_messages():
                    worker.connection.send_bytes(message)
            except OSError:
                raise self._death(worker) from None

    def result(self, ticket: int, timeout: float) -> Any:
        """The batch that was asked for; waits for it at most ``timeout`` seconds."""
        deadline = time.monotonic() + timeout
        worker = self._workers[ticket % len(self._workers)]
        with self._lock:
            self._check()
            self._send_drops()
            while ticket not in self._ready:
                self._read(worker, deadline, timeout)
            kind, received = self._ready.pop(ticket)
        if kind == "batch":
            return received.open()
        error, text = received.open()
        raise error from WorkerTracebackError(f"\nin {self._name(worker)} of the DataLoader:\n{text}")

    def _read(self, worker: _Worker, deadline: float, timeout: float) -> None:
        """Waits for the next message of a worker."""
        connection, left = worker.connection, deadline - time.monotonic()
        available = wait([connection, worker.process.sentinel], max(0.0, min(left, _CHECK)))
        if connection in available:
            try:
                with self._whole_messages():
                    (number, kind), received = shared.receive(connection)
            except (EOFError, OSError):
                raise self._death(worker) from None
            if number in self._abandoned:
                self._abandoned.discard(number)
            else:
                self._ready[number] = kind, received
        elif available or worker.process.exitcode is not None:
            raise self._death(worker)
        elif left <= _CHECK:
            error = _timed_out(self._name(worker), timeout)
            self._fail(str(error))
            raise error

    @contextmanager
    def _whole_messages(self) -> Iterator[None]:
        """What interrupts a message (Ctrl-C, a timer) leaves the rest of it in the pipe: the workers are ended."""
        try:
            yield
        except (OSError, EOFError):  # of the pipe itself
            raise
        except BaseException as error:
            self._fail(f"{type(error).__name__} came in the middle of a message")
            raise

    def _name(self, worker: _Worker) -> str:
        return f"worker {self._workers.index(worker)} (pid {worker.process.pid})"

    def _death(self, worker: _Worker) -> MXNetError:
        name = self._name(worker)
        worker.process.join(5)
        code = worker.process.exitcode
        if code is None:
            how = "closed its connection"
        elif code >= 0:
            how = f"ended with exit code {code}"
        else:
            how = f"was killed by {_signal_name(-code)}"
            if how.endswith("SIGKILL"):
                how += " (the system does that when memory runs out)"
        text = f"{name} of the DataLoader {how} while it made a batch"
        self._fail(text)
        return MXNetError(text)

    def _check(self) -> None:
        if self._failure is not None:
            raise MXNetError(f"the workers of this iteration were stopped: {self._failure}")

    def _fail(self, reason: str) -> None:
        self._failure = reason
        self._ready.clear()
        self._finalizer()

    def drop(self, tickets: Iterable[int]) -> None:
        """May be called at any moment, by the garbage collector, and in a forked process."""
        if not self.usable:
            return
        self._dropped.extend(tickets)
        if self._lock.acquire(blocking=False):  # else they learn of it with the next message
            try:
                self._send_drops()
            finally:
                self._lock.release()

    def _send_drops(self) -> None:
        while self._dropped:
            number = self._dropped.popleft()
            if self._ready.pop(number, None) is None:
                self._abandoned.add(number)
                try:
                    with self._whole_messages():
                        self._workers[number % len(self._workers)].connection.send((number, None))
                except OSError:  # it died: told to whoever waits for one of its batches
                    return

    def stop(self) -> None:
        """Ends the workers."""
        self._fail("the DataLoader was closed")


def _start_method() -> str:
    # macOS can fork, but its system libraries do not survive it.
    can_fork = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    return "fork" if can_fork else "spawn"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _end_processes(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.connection.close()
        worker.process.kill()  # a worker has nothing to finish
    for worker in workers:
        worker.process.join()


def _entropy() -> list[int]:
    """What the seeds of workers are made from: the state of all random numbers here, and how many pools there were.

    Nothing is drawn: the numbers that this process sees do not depend on how many workers it has.
    """
    digest = hashlib.sha256()
    numpy_state = np.random.get_state()
    digest.update(numpy_state[1].tobytes() + str(numpy_state[2]).encode())  # type: ignore[union-attr, index]
    digest.update(repr(random.getstate()).encode())
    digest.update(rng.generator(cpu()).get_state().numpy().tobytes())
    return [int.from_bytes(digest.digest()[:8], "little"), next(_counter)]


# ---- processes: the other side ---------------------------------------------------------------------------------------


def _work_in_process(
    connection: Any, others: list[Any], dataset: Any, batchify_fn: Callable, seed: list[int], np_shape: bool
) -> None:
    # The parent's ends: while a copy is open here, another worker would not notice that the parent is gone.
    for other in others:
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends the workers
    release_interrupts()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _forget_threads()
    _seed(seed)
    autograd.set_recording(False)
    autograd.set_training(False)
    set_np_shape(np_shape)
    tasks: queue.SimpleQueue = queue.SimpleQueue()
    waiting: set[int] = set()  # the tasks that nobody has dropped
    threading.Thread(target=_listen, args=(connection, tasks, waiting), daemon=True).start()
    read = batch_reader(dataset, batchify_fn)
    while True:
        number, indices = tasks.get()
        kind, answer = _answer(read, indices) if number in waiting else ("dropped", None)
        waiting.discard(number)
        try:
            shared.send(connection, (number, kind), answer)
        except OSError:
            os._exit(0)  # the parent is gone
        except Exception as error:  # what cannot be pickled
            shared.send(connection, (number, "error"), _portable(error))
        del answer


def _listen(connection: Any, tasks: queue.SimpleQueue, waiting: set[int]) -> None:
    """Takes what the parent sends at once, so that it never waits; ends the process with the parent."""
    while True:
        try:
            number, indices = connection.recv()
        except (EOFError, OSError):
            os._exit(0)
        if indices is None:
            waiting.discard(number)
        else:
            waiting.add(number)
            tasks.put((number, indices))


def _answer(read: Callable, indices: object) -> tuple[str, Any]:
    try:
        return "batch", read(indices)
    except BaseException as error:  # raised where the batch is asked for
        return "error", _portable(error)


def _portable(error: BaseException) -> tuple[BaseException, str]:
    """An error that arrives as what it is, if it can be pickled, and its traceback as text."""
    text = format_error(error)
    try:
        if type(pickle.loads(pickle.dumps(error))) is type(error):
            error.__cause__ = error.__context__ = None
            return error, text
    except Exception as reason:  # whatever its own methods raise
        text += f"\n(it could not be sent to the main process: {reason})"
    return MXNetError(f"{type(error).__name__}: {error}"), text


def _forget_threads() -> None:
    """Threads do not survive a fork, but what waits for them does: torch and OpenCV work without any in a worker.

    It is also what is wanted: there are as many workers as the user wants cores to be busy.
    """
    torch.set_num_threads(1)
    os.environ["OPENCV_FOR_THREADS_NUM"] = "1"  # if it is loaded later
    if "cv2" in sys.modules:
        sys.modules["cv2"].setNumThreads(0)


def _seed(seed: list[int]) -> None:
    numpy_seed, python_seed, mxnet_seed, torch_seed = np.random.SeedSequence(seed).generate_state(4).tolist()
    np.random.seed(numpy_seed)
    random.seed(python_seed)
    rng.seed(mxnet_seed)
    torch.manual_seed(torch_seed)
