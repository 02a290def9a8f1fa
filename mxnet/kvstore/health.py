"""Which processes of a job are alive, and what to report when one is not.

Each process has a thread that writes a heartbeat to the job's store, with what the process is doing. One that ends says
so. The process that admitted the others watches the heartbeats; the others look at them when an operation fails. The
first to find out what is wrong records it, and all end with that error.

Heartbeats are numbered: a replayed one does not count.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, NamedTuple

from ..error import MXNetError
from .cluster import Member
from .signed_store import SignedStore

__all__ = ["Health"]

_FAULT = "fault"


class Heartbeat(NamedTuple):
    """A heartbeat."""

    #: Counts the heartbeats of a process.
    number: int
    operations: int
    doing: str


class Health:
    """The heartbeats of this process, and what is known of the others."""

    def __init__(self, member: Member, watches: bool):
        self.member = member
        self.timeout = member.env.timeout
        self.interval = min(1.0, max(0.05, self.timeout / 30))
        self.fault: str | None = None
        #: What is called, once, in the thread, when a fault becomes known.
        self.on_fault: Callable[[], object] | None = None
        self._watches = watches
        self._others = [name for name in member.everybody() if name != member.name]
        self._count = 0
        self._operations = 0
        self._doing = "joining"
        self._store = member.another_store()
        #: Another connection, to find out by what is wrong while the thread waits for an answer by the first.
        self._second = member.another_store()
        #: Since when the thread waits for an answer of the store, if it does.
        self._asked: float | None = None
        #: For how many seconds the thread has been at work. Others are judged by this clock: on a machine so busy that
        #: this process hardly runs it is slow, as they are.
        self._clock = 0.0
        self._stop = threading.Event()
        self._failure: str | None = None
        #: Is the store out of reach?
        self._lost = False
        #: The last heartbeat of each of the others and its time; None for processes that have not sent one.
        self._seen: dict[str, tuple[Heartbeat | None, float]] = {}
        #: The last messages of processes that have ended, by name.
        self._left: dict[str, dict[str, Any]] = {}
        #: What this process has written for all, and writes again if it is overwritten or deleted.
        self.standing: dict[str, str] = {}
        self._all_joined = False
        self._questions: queue.SimpleQueue[tuple[Callable[[], object], queue.SimpleQueue[bool]]] = queue.SimpleQueue()
        self._beat()
        self._thread = threading.Thread(target=self._run, name="mxnet-kvstore-health", daemon=True)

    def start(self) -> None:
        """Starts the heartbeats; exceptions that end the program are reported to the others."""
        previous = sys.excepthook

        def hook(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
            self._failure = f"{kind.__name__}: {value}".split("\n")[0][:500]
            previous(kind, value, trace)

        sys.excepthook = hook
        self._thread.start()
        threading.Thread(target=self._answer_questions, name="mxnet-kvstore-question", daemon=True).start()

    # ---- what this process does ------------------------------------------------------------------------------------

    def check_store(self) -> None:
        """Notices that the store gives no answers: a host that is cut off gets no error from its connections."""
        asked = self._asked
        silence = 0.0 if asked is None else time.monotonic() - asked
        if silence > 0.6 * self.timeout and not self._stop.is_set():
            self._lost = True
            holder = self.member.env.holder
            self._learn(f"{holder} has not answered for {silence:.1f} s, and cannot be reached any more")

    def begin(self, what: str) -> None:
        """An operation with the others begins; not if something is known to be wrong."""
        self.check_store()
        if self.fault is not None:
            raise self.error(what)
        self._operations += 1
        self._doing = what

    @property
    def failing(self) -> bool:
        """Is this process about to end by an exception?"""
        return self._failure is not None

    def error(self, what: str) -> MXNetError:
        """The error to end with."""
        return MXNetError(f"{what}: {self.fault} (this is {self.member.name} of the job at {self.member.env.address})")

    def _beat(self) -> None:
        self._count += 1
        beat = Heartbeat(self._count, self._operations, self._doing[:200])
        self._store.set(f"alive {self.member.name}", json.dumps(beat))

    def _run(self) -> None:
        last = time.monotonic()
        while not self._stop.wait(self.interval):
            now = time.monotonic()
            self._clock, last = self._clock + min(now - last, 2 * self.interval), now
            try:
                self._asked = now
                self._beat()
                fault = self._store.read(_FAULT)
                if fault is not None:
                    self._learn(fault.decode())
                elif self._watches:
                    self._watch()
                self._asked = None
            except RuntimeError as error:  # torch's, when the store cannot be reached
                first = str(error).split("\n")[0][:200]
                self._lost = True
                self._learn(f"{self.member.env.holder} cannot be reached any more ({first})")
            if self.fault is not None:
                return

    def _learn(self, fault: str) -> None:
        if self.fault is None:
            self.fault = fault
            if self.on_fault is not None:
                self.on_fault()

    def declare(self, fault: str, store: SignedStore | None = None) -> None:
        """Reports that the job has failed, and why; the first report counts."""
        try:
            told = (store or self._store).first(_FAULT, fault)
            self._learn(fault if told is None else told.decode())
        except RuntimeError:  # the store is gone: nobody can be notified
            self._learn(fault)

    # ---- what the others do ----------------------------------------------------------------------------------------

    def expect_all(self) -> None:
        """From now on all of the others must send heartbeats: all have been admitted."""
        self._all_joined = True

    def exits(self, store: SignedStore | None = None) -> dict[str, dict[str, Any]]:
        """Returns the exit messages of processes that have ended, by name."""
        store = store or self._store
        for name in self._others:
            told = None if name in self._left else store.read(f"left {name}")
            if told is not None:
                self._left[name] = json.loads(told)
        return dict(self._left)

    def _heartbeats(self, store: SignedStore) -> dict[str, Heartbeat]:
        """Returns the newest heartbeat of each of the others."""
        read = {name: store.read(f"alive {name}") for name in self._others}
        return {name: Heartbeat(*json.loads(told)) for name, told in read.items() if told is not None}

    def silent(self, store: SignedStore | None = None) -> dict[str, float]:
        """Returns for how many seconds, by this process's clock, each of the others has sent no heartbeat."""
        now = self._clock
        if self._all_joined:
            for name in self._others:
                self._seen.setdefault(name, (None, now))
        for name, beat in self._heartbeats(store or self._store).items():
            last = self._seen.get(name, (None, now))[0]
            if last is None or beat.number > last.number:
                self._seen[name] = beat, now
        return {name: now - since for name, (_, since) in self._seen.items()}

    def _watch(self) -> None:
        for key, value in list(self.standing.items()):
            if self._store.read(key) != value.encode():
                self._store.set(key, value)
        left = self.exits()
        for name, how in left.items():
            if how["failure"]:
                self.declare(f"{name} has ended by an error ({how['failure']})")
                return
        limit = 0.6 * self.timeout
        for name, seconds in self.silent().items():
            if seconds > limit and name not in left:
                self.declare(f"{name} has given no sign of life for {seconds:.1f} s; {self._last(name)}")
                return

    def _last(self, name: str) -> str:
        beat = self._seen.get(name, (None, 0.0))[0]
        if beat is None:
            return "it has joined the job and was not seen again"
        return f"it was last seen at operation {beat.operations}, {beat.doing}"

    def diagnose(self, what: str, error: Exception) -> MXNetError:
        """Finds the process at fault, reports it to all, and returns the error to raise."""
        if not self._ask_store(
            lambda: self._find_out(what, self._second, error), self._window + 0.1 * self.timeout + 1
        ):
            self._lost = True
            self._learn(f"{self.member.env.holder} cannot be reached any more, and {what} failed ({str(error)[:200]})")
        return self.error(what)

    def _ask_store(self, function: Callable[[], object], seconds: float) -> bool:
        """Calls a function that asks the store; False if that fails or gives no answer in time."""
        done: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._questions.put((function, done))
        try:
            return done.get(timeout=seconds)
        except queue.Empty:
            return False

    def _answer_questions(self) -> None:
        """The thread that asks; it is there from the beginning, since none can be started while a program ends."""
        while True:
            function, done = self._questions.get()
            try:
                function()
                done.put(True)
            except RuntimeError:  # torch's, when the store cannot be reached
                done.put(False)

    @property
    def _window(self) -> float:
        """For how long a process is looked at before it is said not to answer."""
        return max(4 * self.interval, min(0.1 * self.timeout, 5.0))

    def _find_out(self, what: str, store: SignedStore, error: Exception) -> None:
        peers = [name for name in self._others if name.startswith("worker")]
        first: dict[str, Heartbeat] = {}
        beats: dict[str, Heartbeat] = {}
        begun = time.monotonic()
        while self.fault is None:
            fault = store.read(_FAULT)
            if fault is not None:
                self._learn(fault.decode())
                return
            left = self.exits(store)
            if left:
                reasons = [
                    f"{name} has ended by an error ({how['failure']})"
                    if how["failure"]
                    else f"{name} has left the job after {how['operations']} operations, the last {how['doing']}"
                    for name, how in left.items()
                ]
                self.declare("; ".join(reasons), store)
                return
            for name, beat in self._heartbeats(store).items():
                first.setdefault(name, beat)
                beats[name] = max(beat, beats.get(name, beat), key=lambda beat: beat.number)
            if time.monotonic() - begun > self._window:
                break
            time.sleep(self.interval / 4)
        if self.fault is not None:
            return
        quiet = [n for n in self._others if n not in beats or beats[n].number <= first[n].number]
        self.silent(store)
        if quiet:
            told = "; ".join(f"{name} does not answer, {self._last(name)}" for name in quiet[:8])
            self.declare(told + (f" (and {len(quiet) - 8} more)" if len(quiet) > 8 else ""), store)
            return
        lagging = [n for n in peers if n in beats and beats[n].operations < self._operations]
        if lagging:
            told = "; ".join(f"{name} is alive but has not come: {self._last(name)}" for name in lagging[:8])
            self.declare(
                f"{told}, while others wait at operation {self._operations}, {what}, for {self.timeout:g} s "
                "(MXNET_KVSTORE_TIMEOUT)",
                store,
            )
            return
        self.declare(f"all processes are alive, but {what} failed on {self.member.name}: {str(error)[:500]}", store)

    # ---- the end ---------------------------------------------------------------------------------------------------

    def announce(self) -> None:
        """Announces that this process ends, and how."""
        if self._lost:
            return
        failure = self._failure or self.fault
        said = {"failure": failure, "operations": self._operations, "doing": self._doing}
        entry = f"left {self.member.name}", json.dumps(said)
        if not self._ask_store(lambda: self._second.set(*entry), 0.25 * self.timeout + 1):
            self._learn("the job's store is gone")  # nobody can be notified

    def stop(self) -> None:
        """Stops the heartbeats."""
        self._stop.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(0.1 if self._lost else self.timeout)

    def wait_for_exits(self, names: list[str]) -> None:
        """Waits until all of these have ended; if something goes wrong, a moment, so that the others learn of it."""
        store = self.member.another_store()
        limit: float | None = None
        while limit is None or time.monotonic() < limit:
            left = self.exits(store)
            if all(name in left for name in names):
                return
            if self.fault is not None and limit is None:
                limit = time.monotonic() + min(10.0, 0.25 * self.timeout)
            time.sleep(min(0.05, self.interval))
