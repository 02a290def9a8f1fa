"""What happens when a process of a job is killed, stopped, late, wrong or a stranger: all others end and say who it was."""

import os
import pathlib
import signal
import time

import jobs
import pytest

import mxnet as mx

TIMEOUT = 8


def endless(directory, kind="dist_sync", seconds=600, fate=None):
    """Trains, in a way, until something happens; ``fate`` is what worker 1 does to itself."""
    kv = mx.kv.create(kind)
    if kind == "dist_async":
        kv.set_optimizer(mx.optimizer.SGD())
    kv.init(3, mx.nd.zeros((64,)))
    kv.barrier()
    pathlib.Path(directory, f"ready-{kv.rank}").touch()
    limit = time.monotonic() + seconds
    step = 0
    while time.monotonic() < limit:
        step += 1
        if kv.rank == 1 and step == 5 and fate is not None:
            if fate == "raise":
                raise ValueError("no more data")
            if fate == "leave":
                return "left"
            if fate == "exit":
                os._exit(3)
            if fate == "sleep":
                time.sleep(600)
            if fate == "key":
                kv.push(4, mx.nd.zeros((64,)))
            if fate == "shape":
                kv.init(5, mx.nd.zeros((3,)))
        if fate == "shape" and step == 5:
            kv.init(5, mx.nd.zeros((2,)))
        kv.pushpull(3, mx.nd.ones((64,)))


def wait_until_ready(directory, workers):
    limit = time.monotonic() + jobs.PATIENCE
    while not all(pathlib.Path(directory, f"ready-{i}").exists() for i in range(workers)):
        assert time.monotonic() < limit, "the job did not begin"
        time.sleep(0.05)


def killed(pid):
    os.kill(pid, signal.SIGKILL)


def stopped(pid):
    os.kill(pid, signal.SIGSTOP)


CASES = [
    ("dist_sync", None, killed),
    ("dist_sync", 1, killed),
    ("dist_sync", None, stopped),
    ("dist_async", None, killed),
    ("dist_async", 1, stopped),
    ("dist_async", 1, killed),
]


@pytest.mark.parametrize("kind, servers, how", CASES)
def test_a_worker_is_lost(kind, servers, how, tmp_path):
    with jobs.Job(endless, (str(tmp_path), kind), workers=3, servers=servers, timeout=TIMEOUT) as job:
        wait_until_ready(tmp_path, 3)
        how(job.workers[1].pid)
        if how is stopped:
            job.all.remove(job.workers[1])
        told = job.errors()
    for name, (code, error) in told.items():
        if name != "worker 1":
            assert code != 0 and "worker 1" in error, (name, code, error)


@pytest.mark.parametrize("kind", ["dist_sync", "dist_async"])
def test_a_server_is_lost(kind, tmp_path):
    with jobs.Job(endless, (str(tmp_path), kind), workers=2, servers=2, timeout=TIMEOUT) as job:
        wait_until_ready(tmp_path, 2)
        lost = job.others[0]
        killed(lost.pid)
        told = job.errors()
    for name, (code, error) in told.items():
        if name != lost.name:
            assert code != 0 and "server" in error, (name, code, error)


def test_the_scheduler_is_lost(tmp_path):
    with jobs.Job(endless, (str(tmp_path),), workers=2, servers=1, timeout=TIMEOUT) as job:
        wait_until_ready(tmp_path, 2)
        killed(job.others[-1].pid)
        told = job.errors()
    for name, (code, error) in told.items():
        if name != "scheduler":
            assert code != 0 and "the scheduler at 127.0.0.1" in error, (name, code, error)


WORDS = {
    "raise": "worker 1 has ended by an error (ValueError: no more data)",
    "leave": "worker 1 has left the job",
    "exit": "worker 1",
    "sleep": "worker 1 is alive but has not come",
}


@pytest.mark.parametrize("fate", WORDS)
def test_a_worker_ends_or_is_slow(fate, tmp_path):
    with jobs.Job(endless, (str(tmp_path), "dist_sync", 600, fate), workers=3, timeout=TIMEOUT) as job:
        if fate == "sleep":
            job.all.remove(job.workers[1])
        told = job.errors()
    for name, (code, error) in told.items():
        if name != "worker 1":
            assert code != 0 and WORDS[fate] in error, (name, code, error)
