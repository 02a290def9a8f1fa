"""The job of this process: joined once, by the first store that needs it, and left when the process ends."""

from __future__ import annotations

import atexit
import json
import logging
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import torch

from ..error import MXNetError
from ..ops.nn.sync_batch_norm import processes
from .calls import Calls
from .cluster import Environment, Member, Registrar, join
from .collective import Collective
from .connection import in_time
from .health import Health

__all__ = ["Job", "current"]

_job: Job | None = None


@atexit.register
def _exit_as_failed() -> None:
    """Ends the process with status 1 if its last calls failed: Python drops errors of functions that run at exit.

    It is registered before any job, and so runs after all of them have ended.
    """
    if _job is not None and _job.failed_at_exit and _job.pid == os.getpid():
        logging.shutdown()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(1)


class Job:
    """What a process has of the job it belongs to: its place, the health of the others and the ways to talk to them."""

    def __init__(self, env: Environment):
        self.env = env
        self.pid = os.getpid()
        self.member: Member
        limit = 1.1 * env.timeout + 1  # what waits has limits of its own; this is for connections that do not answer
        who = "scheduler" if env.scheduled else "first worker, or torchrun's agent,"
        cut_off = (
            f"the {who} of the job at {env.address} has not answered within {limit:.1f} s while the job was joined. "
            "Has it ended, or is it cut off?"
        )
        self.member, registrar = in_time(lambda: join(env), limit, cut_off)
        try:
            self.health = in_time(lambda: Health(self.member, watches=registrar is not None), limit, cut_off)
        except MXNetError:
            raise
        except RuntimeError as error:  # torch's, of a store that is not there any more
            text = str(error).split("\n")[0][:200]
            raise MXNetError(f"{env.holder} disconnected while this process was joining the job ({text})") from error
        self.health.start()
        self._closers: list[Callable[[], object]] = []
        self._workers: Collective | None = None
        self._everybody: Collective | None = None
        self._servers: Any = None
        self.stores = 0
        #: What is pushed key by key waits here.
        self.calls = Calls()
        self._commands = 0
        self.closed = False
        #: Whether calls that were still pending when the process ended have failed.
        self.failed_at_exit = False
        atexit.register(self._close_at_exit)
        try:
            self.places = in_time(lambda: self._assemble(registrar), limit + 10, cut_off)
        except MXNetError:
            raise
        except RuntimeError as error:  # torch's, of a store that is not there any more
            raise self.health.diagnose("joining the job", error) from error
        self.health.expect_all()

    def _assemble(self, registrar: Registrar | None) -> dict[str, str]:
        """Waits until all have joined; returns host and process of each, by name."""
        store, env = self.member.store, self.env
        limit = time.monotonic() + env.timeout
        while True:
            if registrar is not None:
                registrar.poll()
                missing = registrar.missing
                if not missing:
                    roster = json.dumps(registrar.places())
                    self.health.standing["roster"] = roster
                    store.set("roster", roster)
                elif time.monotonic() > limit:
                    self.health.declare(f"{', '.join(missing)} of the job did not come within {env.timeout:g} s")
            published = store.read("roster")
            if published is not None:
                return json.loads(published)
            if self.health.fault is not None:
                raise self.health.error("joining the job")
            if time.monotonic() > limit + 2 * self.health.interval + 5:
                raise MXNetError(
                    f"the job at {env.address} is not complete after {env.timeout:g} s (MXNET_KVSTORE_TIMEOUT): of its "
                    f"{env.workers} worker(s) and {env.servers} server(s), not all have joined"
                )
            time.sleep(0.02)

    @property
    def workers(self) -> Collective:
        """The workers, to compute with one another; made when it is first asked for, by all of them."""
        if self._workers is None:
            self._workers = Collective(self.member, self.health, "workers", self.member.rank, self.env.workers)
            processes.count = self.env.workers
            processes.sum = self._sum_numbers
        return self._workers

    def _sum_numbers(self, what: str, numbers: torch.Tensor) -> None:
        with self.calls.settled():
            self.workers.sum(what, [numbers])

    @property
    def everybody(self) -> Collective:
        """Workers and, after them, servers, for messages."""
        if self._everybody is None:
            try:
                self.member.another_store().set("servers wanted", "1")
            except RuntimeError as error:
                raise self.health.diagnose("calling the servers", error) from error
            place = self.member.rank + (self.env.workers if self.member.role == "server" else 0)
            self._everybody = Collective(self.member, self.health, "workers and servers", place, self.env.size)
        return self._everybody

    @property
    def servers(self) -> Any:
        """The servers of asynchronous stores, met when the first such store is created."""
        if self._servers is None:
            from .dist_async import Servers

            self._servers = Servers(self)
        return self._servers

    def command(self, head: int, body: str) -> None:
        """Gives a command to all servers and waits until they have done it."""
        if not self.env.servers:
            return
        what = f"command {head} to the servers"
        self.health.begin(what)
        try:
            self._command(what, head, body)
        except MXNetError:
            raise
        except RuntimeError as error:  # torch's, of a store that is not there any more
            raise self.health.diagnose(what, error) from error

    def _command(self, what: str, head: int, body: str) -> None:
        store = self.member.another_store()
        self._commands += 1
        key = f"command {self._commands} of worker {self.member.rank}"
        store.set(key, json.dumps([head, body]))
        store.set("newest command", key)  # so that servers need not look for those of all workers all the time
        limit = time.monotonic() + self.env.timeout
        busy = list(range(self.env.servers))
        while busy := [i for i in busy if store.read(f"{key} done by server {i}") is None]:
            if self.health.fault is not None:
                raise self.health.error(what)
            if time.monotonic() > limit:
                names = ", ".join(map(str, busy[:8]))
                raise MXNetError(f"{what}: server(s) {names} have not done it within {self.env.timeout:g} s")
            time.sleep(0.01)

    def on_close(self, function: Callable[[], object]) -> None:
        """Calls a function before the process leaves the job."""
        self._closers.append(function)

    def _close_at_exit(self) -> None:
        try:
            self.close()
        except Exception:
            self.failed_at_exit = True
            sys.excepthook(*sys.exc_info())

    def close(self) -> None:
        """Leaves the job: notifies the others, and ends its threads in this process."""
        if self.closed or os.getpid() != self.pid:
            return
        self.closed = True
        try:
            self.calls.close()
        finally:
            for function in self._closers:
                function()
            for group in (self._workers, self._everybody):
                if group is not None:
                    group.close()
            self.health.announce()
            if self.env.holds_store:  # the others need it until they have ended
                self.health.wait_for_exits([n for n in self.member.everybody() if n != self.member.name])
            self.health.stop()


def current(name: str) -> Job:
    """The job of this process, joined now if it has not been yet; ``name`` is the store that asks for it."""
    global _job
    if _job is not None and _job.pid != os.getpid():
        raise MXNetError("a process forked from a worker is not part of its job")
    if _job is None:
        env = Environment.read()
        if env is None:
            raise MXNetError(
                f"the store {name!r} joins processes that were started together, and nothing in the environment says "
                "that this one was. Start the program by 'python -m mxnet.tools.launch -n 2 python script.py' or by "
                "'torchrun --nproc-per-node=2 script.py', or set DMLC_ROLE, DMLC_PS_ROOT_URI, DMLC_PS_ROOT_PORT, "
                "DMLC_NUM_WORKER and DMLC_NUM_SERVER; for one process there is 'local' or 'device'."
            )
        if env.role != "worker":
            raise MXNetError(f"DMLC_ROLE is {env.role!r}: stores are for workers")
        _job = Job(env)
    if _job.closed:
        raise MXNetError("this process has already left its job")
    return _job
