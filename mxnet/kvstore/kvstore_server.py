"""Servers and schedulers of distributed jobs: what a process does whose ``DMLC_ROLE`` is one of these.

``import mxnet`` in such a process does not return: the process serves until the workers have ended, and ends with them.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from .._core import config
from ..base import check_call  # noqa: F401 - the original has this name here
from ..error import MXNetError
from .base import KVStoreBase, create  # noqa: F401

if TYPE_CHECKING:
    from .job import Job

__all__ = ["KVStoreServer"]


class KVStoreServer:
    """Runs a server of a distributed job, until its workers have ended."""

    def __init__(self, kvstore: KVStoreBase | None = None):
        self.kvstore = kvstore

    def run(self) -> None:
        """Serves until the workers have ended; raises an error if one of them has failed."""
        from .cluster import Environment
        from .job import Job

        env = Environment.read()
        if env is None or env.role == "worker":
            raise MXNetError("a server is a process whose environment has DMLC_ROLE=server, or scheduler")
        job = Job(env)
        if env.role == "server":
            # in a thread of its own, since a store that is cut off lets who asks it wait for ever
            serving = threading.Thread(target=self._serve, args=(job,), name="mxnet-kvstore-serving", daemon=True)
            serving.start()
            while serving.is_alive() and job.health.fault is None:
                serving.join(0.05)
                job.health.check_store()
        else:
            # servers end after the workers, and the store with this process after all of them
            job.health.wait_for_exits(job.member.everybody())
        if job.health.fault is not None:
            job.close()
            raise MXNetError(f"the job at {env.address} has failed: {job.health.fault}")
        failures = [
            f"{name} has ended by an error ({how['failure']})"
            for name, how in job.health.exits().items()
            if how["failure"]
        ]
        job.close()
        if failures:
            raise MXNetError(f"the job at {env.address} has failed: {'; '.join(failures[:4])}")

    def _serve(self, job: Job) -> None:
        """Does what workers ask for, until they have ended."""
        health = job.health
        try:
            self._serve_until_left(job, job.member.another_store())
        except MXNetError as error:
            health.declare(str(error))
        except RuntimeError as error:  # torch's: the store is gone
            health.declare(f"{job.env.holder} cannot be reached any more ({str(error)[:200]})")
        except Exception as error:  # all others are to end with it
            health.declare(f"{job.member.name} has ended by an error ({type(error).__name__}: {error})")

    def _serve_until_left(self, job: Job, store: Any) -> None:
        health, workers = job.health, range(job.env.workers)
        done = dict.fromkeys(workers, 0)
        newest, looked = None, 0.0
        serving: Any = None
        while health.fault is None:
            said, now = store.read("newest command"), time.monotonic()
            if said != newest or now - looked > 1:
                newest, looked = said, now
                for rank in workers:
                    if not self._do_commands(job, store, rank, done):
                        return
            if serving is None and store.read("servers wanted") is not None:
                from .async_server import ServerThread

                serving = ServerThread.of_server(job)
            left = health.exits(store)
            if all(f"worker {rank}" in left for rank in workers):
                break
            time.sleep(0.02)

    def _do_commands(self, job: Job, store: Any, rank: int, done: dict[int, int]) -> bool:
        """Does what a worker has asked for since the last time, in its order; False if something failed."""
        while True:
            key = f"command {done[rank] + 1} of worker {rank}"
            said = store.read(key)
            if said is None:
                return True
            head, body = json.loads(said)
            try:
                self._command(head, body)
            except Exception as error:  # what a worker has asked for is its own fault
                job.health.declare(f"{job.member.name} could not do command {head}: {error}")
                return False
            done[rank] += 1
            store.set(f"{key} done by {job.member.name}", "")

    @staticmethod
    def _command(head: int, body: str) -> None:
        """Does what ``kv.send_command_to_servers(head, body)`` asks for; unknown commands are left alone."""
        from .. import profiler

        if head == profiler.SERVER_COMMAND:
            profiler.server_command(body)


def _allow_imports() -> None:
    """Lets other threads import from mxnet while ``import mxnet`` serves in the main thread, and does not return.

    A thread that imports from a package that another thread still imports waits for the end of that, here for ever.
    All of mxnet has been imported when this is called, so that there is nothing to wait for.
    """
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        if name.partition(".")[0] == __name__.partition(".")[0] and getattr(spec, "_initializing", False):
            spec._initializing = False  # type: ignore[union-attr]


def _init_kvstore_server_module() -> None:
    """Becomes a server or a scheduler if the environment says so, and then ends; does nothing in a worker."""
    role = config.DMLC_ROLE.get()
    if role == "worker":
        return
    _allow_imports()
    try:
        KVStoreServer().run()
    except MXNetError as error:
        print(f"mxnet {role}: {error}", file=sys.stderr, flush=True)
        sys.exit(1)
    sys.exit(0)
