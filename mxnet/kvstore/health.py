"""Who of a job is alive, and what to say when somebody is not.

Each process has a thread that leaves a sign of life in the job's store, with what the process is doing. Who ends says
so. The process that let the others in watches the signs; any other looks at them when an operation has failed. The
first to find out what is wrong writes it down, and all end with that.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any

from ..error import MXNetError
from .cluster import Member

__all__ = ["Health"]

_FAULT = "fault"


class Health:
    """The signs of life of this process, and what is known of the others."""

    def __init__(self, member: Member, watches: bool):
        self.member = member
        self.timeout = member.env.timeout
        self.interval = min(1.0, max(0.05, self.timeout / 30))
        self.fault: str | None = None
        #: What is called, once, in the thread, when a fault becomes known.
        self.on_fault: Any = None
        self._watches = watches
        self._others = [name for name in member.everybody() if name != member.name]
        self._count = 0
        self._operations = 0
        self._doing = "joining"
        self._store = member.another_store()
        self._stop = threading.Event()
        self._failure: str | None = None
        #: Is the store out of reach?
        self._lost = False
        self._seen: dict[str, tuple[bytes, float]] = {}
        self._beat()
        self._thread = threading.Thread(target=self._run, name="mxnet-kvstore-health", daemon=True)

    def start(self) -> None:
        """Signs of life from now on; exceptions that end the program are told to the others."""
        previous = sys.excepthook

        def hook(kind: Any, value: Any, trace: Any) -> None:
            self._failure = f"{kind.__name__}: {value}".split("\n")[0][:500]
            previous(kind, value, trace)

        sys.excepthook = hook
        self._thread.start()

    # ---- what this process does ------------------------------------------------------------------------------------

    def begin(self, what: str) -> None:
        """An operation with the others begins; not if something is known to be wrong."""
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
        sign = json.dumps([self._count, self._operations, self._doing[:200]])
        self._store.set(f"alive {self.member.name}", sign)

    def _run(self) -> None:
        while not self._stop.wait(self.interval):
            try:
                self._beat()
                if self._store.check([_FAULT]):
                    self._learn(self._store.get(_FAULT).decode())
                elif self._watches:
                    self._watch()
            except RuntimeError as error:  # torch's, when the store cannot be reached
                holder = "scheduler" if self.member.env.scheduled else "process that holds the job's store"
                first = str(error).split("\n")[0][:200]
                self._lost = True
                self._learn(f"the {holder} at {self.member.env.address} cannot be reached any more ({first})")
            if self.fault is not None:
                return

    def _learn(self, fault: str) -> None:
        if self.fault is None:
            self.fault = fault
            if self.on_fault is not None:
                self.on_fault()

    def declare(self, fault: str) -> None:
        """Tells all that the job has failed, and why; what was told first counts."""
        try:
            self._learn(self._store.compare_set(_FAULT, "", fault).decode())
        except RuntimeError:  # the store is gone, so that nobody can be told
            self._learn(fault)

    # ---- what the others do ----------------------------------------------------------------------------------------

    def departed(self, store: Any = None) -> dict[str, dict[str, Any]]:
        """What those who have ended have said about it, by name."""
        store = store or self._store
        return {name: json.loads(store.get(f"left {name}")) for name in self._others if store.check([f"left {name}"])}

    def _signs(self, store: Any) -> dict[str, bytes]:
        """The newest sign of each of the others who has given any."""
        names = [name for name in self._others if name in self._seen or store.check([f"alive {name}"])]
        if not names:
            return {}
        return dict(zip(names, store.multi_get([f"alive {name}" for name in names]), strict=True))

    def silent(self, store: Any = None) -> dict[str, float]:
        """Since how many seconds, as seen from here, each of the others has given no sign of life."""
        now = time.monotonic()
        for name, sign in self._signs(store or self._store).items():
            if name not in self._seen or self._seen[name][0] != sign:
                self._seen[name] = sign, now
        return {name: now - since for name, (_, since) in self._seen.items()}

    def _watch(self) -> None:
        left = self.departed()
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
        if name not in self._seen:
            return "it has not been seen"
        _, operations, doing = json.loads(self._seen[name][0])
        return f"it was last seen at operation {operations}, {doing}"

    def diagnose(self, what: str, error: Exception) -> MXNetError:
        """Finds out who is the reason of a failed operation, tells everybody, and gives the error to raise."""
        store = None
        try:
            store = self.member.another_store()
            self._find_out(what, store, error)
        except RuntimeError as gone:  # the store cannot be reached either
            self._learn(
                f"the process that holds the job's store at {self.member.env.address} cannot be reached any more, and "
                f"the operation failed ({str(error or gone).splitlines()[0][:200]})"
            )
        return self.error(what)

    def _find_out(self, what: str, store: Any, error: Exception) -> None:
        peers = [name for name in self._others if name.startswith("worker")]
        first: dict[str, bytes] = {}
        begun = time.monotonic()
        window = max(4 * self.interval, min(0.1 * self.timeout, 5.0))
        while self.fault is None:
            if store.check([_FAULT]):
                self._learn(store.get(_FAULT).decode())
                return
            left = self.departed(store)
            if left:
                reasons = [
                    f"{name} has ended by an error ({how['failure']})"
                    if how["failure"]
                    else f"{name} has left the job after {how['operations']} operations, the last {how['doing']}"
                    for name, how in left.items()
                ]
                self.declare("; ".join(reasons))
                return
            signs = self._signs(store)
            for name in signs:
                first.setdefault(name, signs[name])
            if time.monotonic() - begun > window:
                break
            time.sleep(self.interval / 4)
        if self.fault is not None:
            return
        quiet = [n for n in self._others if first.get(n) == signs.get(n)]
        self.silent(store)
        if quiet:
            told = "; ".join(f"{name} does not answer, {self._last(name)}" for name in quiet[:8])
            self.declare(told + (f" (and {len(quiet) - 8} more)" if len(quiet) > 8 else ""))
            return
        behind = [n for n in peers if n in signs and json.loads(signs[n])[1] < self._operations]
        if behind:
            told = "; ".join(f"{name} is alive but has not come: {self._last(name)}" for name in behind[:8])
            self.declare(
                f"{told}, while others wait at operation {self._operations}, {what}, for {self.timeout:g} s "
                "(MXNET_KVSTORE_TIMEOUT)"
            )
            return
        self.declare(f"all processes are alive, but {what} failed on {self.member.name}: {str(error)[:500]}")

    # ---- the end ---------------------------------------------------------------------------------------------------

    def announce(self) -> None:
        """Tells the others that this process ends, and how."""
        if self._lost:
            return
        failure = self._failure or self.fault
        said = {"failure": failure, "operations": self._operations, "doing": self._doing}
        try:
            self._store.set(f"left {self.member.name}", json.dumps(said))
        except RuntimeError:  # nobody holds the store any more, so that nobody can be told
            self._learn("the job's store is gone")

    def stop(self) -> None:
        """No more signs of life."""
        self._stop.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(self.timeout)

    def wait_for_departures(self, names: list[str]) -> None:
        """Waits until all of these have ended; if something goes wrong, a moment, for the others to learn of it."""
        store = self.member.another_store()
        limit: float | None = None
        while limit is None or time.monotonic() < limit:
            left = self.departed(store)
            if all(name in left for name in names):
                return
            if self.fault is not None and limit is None:
                limit = time.monotonic() + min(10.0, 0.25 * self.timeout)
            time.sleep(min(0.05, self.interval))
