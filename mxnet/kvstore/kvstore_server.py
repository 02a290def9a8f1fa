"""Servers and schedulers of distributed jobs: what a process does whose ``DMLC_ROLE`` is one of these.

``import mxnet`` in such a process does not return: the process serves until the workers have ended, and ends with them.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from ..base import check_call  # noqa: F401 - the original has this name here
from ..error import MXNetError
from .base import KVStoreBase, create  # noqa: F401

__all__ = ["KVStoreServer"]


class KVStoreServer:
    """Runs a server of a distributed job, until its workers have ended."""

    def __init__(self, kvstore: KVStoreBase | None = None):
        self.kvstore = kvstore
        self._handlers: dict[int, Callable[[str], Any]] = {}

    def run(self) -> None:
        """Serves until the workers have ended; raises an error if one of them has failed."""
        from .cluster import Environment
        from .job import Job

        env = Environment.read()
        if env is None or env.role == "worker":
            raise MXNetError("a server is a process whose environment has DMLC_ROLE=server, or scheduler")
        job = Job(env)
        if env.role == "server":
            self._serve(job)
        else:
            # servers end after the workers, and the store with this process after all of them
            job.health.wait_for_departures(job.member.everybody())
        fault = job.health.fault
        if fault is None:  # else the store may be gone, and what others have said with it
            ended = job.health.departed()
            failures = [
                f"{name} has ended by an error ({how['failure']})" for name, how in ended.items() if how["failure"]
            ]
            fault = "; ".join(failures[:4])
        job.close()
        if fault:
            raise MXNetError(f"the job at {env.address} has failed: {fault}")

    def _serve(self, job: Any) -> None:
        """Does what workers ask for, until they have ended."""
        store, health = job.member.another_store(), job.health
        done = 0
        serving: Any = None
        try:
            while health.fault is None:
                while done < int(store.add("commands", 0)):
                    key = f"command {done + 1}"
                    store.wait([key])  # its number is there before it is
                    self._command(*json.loads(store.get(key)))
                    done += 1
                    store.add(f"{key} done", 1)
                if serving is None and store.check(["servers wanted"]):
                    from .async_server import ServerThread

                    serving = ServerThread.of_server(job)
                left = health.departed(store)
                if all(f"worker {i}" in left for i in range(job.env.workers)):
                    break
                time.sleep(0.02)
        except RuntimeError as error:  # torch's: the store is gone
            health.declare(f"the scheduler at {job.env.address} cannot be reached any more ({str(error)[:200]})")

    @staticmethod
    def _command(head: int, body: str) -> None:
        """Does what ``kv.send_command_to_servers(head, body)`` asks for; unknown commands are left alone."""
        from .. import profiler

        if head == profiler.SERVER_COMMAND:
            profiler.server_command(body)


def _init_kvstore_server_module() -> None:
    """Becomes a server or a scheduler if the environment says so, and then ends; does nothing in a worker."""
    role = os.environ.get("DMLC_ROLE", "worker")
    if role == "worker":
        return
    try:
        KVStoreServer().run()
    except MXNetError as error:
        print(f"mxnet {role}: {error}", file=sys.stderr, flush=True)
        sys.exit(1)
    sys.exit(0)
