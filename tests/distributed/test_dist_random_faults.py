"""Random faults in short jobs: each ends in an error that names who was lost; nothing hangs, no process is left."""

import os
import random
import re
import signal
import time

import jobs
import pytest
from test_dist_faults import endless

COUNT = int(os.environ.get("MXNET_TEST_FAULTS", "300"))
TIMEOUT = 10


def one_fault(number, directory):
    """A job in which something happens to one process: who was lost, how, and what the others said."""
    rng = random.Random(number)
    kind, workers = rng.choice(["dist_sync", "dist_async"]), rng.randint(2, 4)
    servers = rng.choice([None, 0, 1, 2])
    fate = rng.choice(["kill", "kill", "stop", "raise", "leave", "exit", "kill server", "kill scheduler"])
    if (fate == "kill server" and not servers) or (fate == "kill scheduler" and servers is None):
        fate = "kill"
    if fate == "leave" and kind == "dist_async":
        fate = "raise"  # who leaves a job without steps is not missed
    own = fate if fate in ("raise", "leave", "exit") else None
    with jobs.Job(endless, (directory, kind, 600, own), workers=workers, servers=servers, timeout=TIMEOUT) as job:
        lost = job.workers[1]
        if fate == "kill server":
            lost = rng.choice(job.others[:-1])
        elif fate == "kill scheduler":
            lost = job.others[-1]
        if own is None:
            time.sleep(rng.uniform(0, 2.5))  # joining, meeting, training
            os.kill(lost.pid, signal.SIGSTOP if fate == "stop" else signal.SIGKILL)
        begin = time.monotonic()
        others = [process for process in job.all if process is not lost]
        limit = begin + 3 * TIMEOUT + 60  # the machine may be busy
        late = [process.name for process in others if not process.wait(limit)]
        told = {process.name: (process.code, process.error) for process in others}
    name = {"kill server": "server", "kill scheduler": "scheduler"}.get(fate, "worker 1")
    case = (number, kind, workers, servers, fate)
    return case, name, late, told, time.monotonic() - begin


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, COUNT, 25))
def test_random_faults(start, tmp_path):
    for number in range(start, min(start + 25, COUNT)):
        directory = tmp_path / str(number)
        directory.mkdir()
        case, name, late, told, _ = one_fault(number, str(directory))
        assert not late, (case, late)
        for process, (code, error) in told.items():
            assert code != 0, (case, process)
            # where the store was held by the one who was lost, all that can be said is that it is gone
            assert re.search(name, error) or (case[3] is None and "job's store" in error), (case, process, error)
