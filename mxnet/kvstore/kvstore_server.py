"""Servers and schedulers of distributed jobs: what a process does whose ``DMLC_ROLE`` is one of these.

``import mxnet`` in such a process does not return: the process serves until the workers have ended, and ends with them.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any

from ..base import check_call  # noqa: F401 - the original has this name here
from ..error import MXNetError
from .base import KVStoreBase, create  # noqa: F401

__all__ = ["KVStoreServer"]


class KVStoreServer:
    """Runs a server of a distributed job, until its workers have ended."""

    def __init__(self, kvstore: KVStoreBase | None = None):
        self.kvstore = kvstore

    def run(self) -> None:
        """Serves until the workers have ended; raises an error if one of them has failed."""
        # All that threads will need: while ``import mxnet`` serves, they could not import anything of it themselves.
        from .. import profiler  # noqa: F401
        from . import async_server, dist_async  # noqa: F401
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
            job.health.wait_for_departures(job.member.everybody())
        if job.health.fault is not None:
            job.close()
            raise MXNetError(f"the job at {env.address} has failed: {job.health.fault}")
        failures = [
            f"{name} has ended by an error ({how['failure']})"
            for name, how in job.health.departed().items()
            if how["failure"]
        ]
        job.close()
        if failures:
            raise MXNetError(f"the job at {env.address} has failed: {'; '.join(failures[:4])}")

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
                    head, body = json.loads(store.get(key))
                    try:
                        self._command(head, body)
                    except Exception as error:  # what a worker has asked for is its own fault
                        health.declare(f"{job.member.name} could not do command {head}: {error}")
                        return
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
