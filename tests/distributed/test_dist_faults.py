"""A process of a job is killed, stopped, late, wrong or a stranger: all others end and say who it was."""

import os
import pathlib
import signal
import socket
import time

import jobs
import pytest

import mxnet as mx
from mxnet.kvstore import cluster

#: Long enough for a busy machine to give each process its turn.
TIMEOUT = 12
slow = pytest.mark.slow


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
    pytest.param("dist_sync", 1, killed, marks=slow),
    pytest.param("dist_sync", None, stopped, marks=slow),
    pytest.param("dist_async", None, killed, marks=slow),
    pytest.param("dist_async", 1, stopped, marks=slow),
    pytest.param("dist_async", 1, killed, marks=slow),
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


@slow
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


@slow
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


@pytest.mark.parametrize(
    "fate", ["raise", "leave", pytest.param("exit", marks=slow), pytest.param("sleep", marks=slow)]
)
def test_a_worker_ends_or_is_slow(fate, tmp_path):
    with jobs.Job(endless, (str(tmp_path), "dist_sync", 600, fate), workers=3, timeout=TIMEOUT) as job:
        if fate == "sleep":
            job.all.remove(job.workers[1])
        told = job.errors()
    for name, (code, error) in told.items():
        if name != "worker 1":
            assert code != 0 and WORDS[fate] in error, (name, code, error)


def disagree(how):
    kv = mx.kv.create("dist_sync")
    one = kv.rank == 1
    if how != "batches":
        kv.init([3, 4], [mx.nd.zeros((2,)), mx.nd.zeros((2,))])
    if how == "key":
        kv.push(4 if one else 3, mx.nd.ones((2,)))
        kv.barrier()
    elif how == "shape":
        kv.init(5, mx.nd.zeros((3 if one else 2,)))
    elif how == "order":
        if one:
            kv.barrier()
        kv.push(3, mx.nd.ones((2,)))
        kv.barrier()
    elif how == "rate":
        kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.5 if one else 0.25))
    elif how == "batches":
        data = mx.nd.ones((6 if one else 9, 2))
        net = mx.sym.LinearRegressionOutput(
            mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1), mx.sym.var("label"), name="out"
        )
        module = mx.mod.Module(net, label_names=["label"])
        module.fit(mx.io.NDArrayIter(data, {"label": data[:, 0]}, 3), num_epoch=2, kvstore=kv, eval_metric="mse")


DISAGREEMENTS = {
    "key": ["worker 0: push of key 3", "worker 1: push of key 4"],
    "shape": ["(2,)", "(3,)"],
    "order": ["worker 0: push", "worker 1: barrier"],
    "rate": ["0.25", "0.5"],
    "batches": ["worker 0: push of 2 keys", "worker 1: end of epoch 0 after 2 batches"],
}


@pytest.mark.parametrize(
    "how", [pytest.param(how, marks=() if how in ("key", "batches") else slow) for how in DISAGREEMENTS]
)
def test_workers_that_do_different_things_are_told_so(how):
    with jobs.Job(disagree, (how,)) as job:
        told = job.errors()
    for name, (code, error) in told.items():
        for words in ["workers do different things", *DISAGREEMENTS[how]]:
            assert code == 1 and words in error, (name, error)


# ---- joining -------------------------------------------------------------------------------------------------------


def create_only():
    return mx.kv.create("dist_sync").rank


def test_a_worker_that_does_not_come_is_named():
    with jobs.Job(create_only, workers=1, each=lambda rank: {"WORLD_SIZE": "2"}, timeout=3) as job:
        job.workers[0].wait(time.monotonic() + jobs.PATIENCE)
        assert job.workers[0].code == 1 and "worker 1 of the job did not come within 3 s" in job.workers[0].error


@pytest.mark.parametrize(
    "other, words",
    [
        ({"MXNET_KVSTORE_TOKEN": "another"}, "its token differs from the job's"),
        pytest.param({"DMLC_NUM_WORKER": "5"}, "it has workers 5, where 2 is expected", marks=slow),
    ],
)
def test_strangers_are_not_let_in(other, words):
    with jobs.Job(create_only, servers=0, each=lambda rank: other if rank == 1 else {}, timeout=6) as job:
        told = job.errors()
    assert told["worker 1"][0] == 1 and words in told["worker 1"][1]
    assert told["worker 0"][0] == 1 and "worker 1 of the job did not come" in told["worker 0"][1]
    assert told["scheduler"][0] == 1


def version_of(rank):
    return {"MXNET_TEST_VERSION": "9.9"} if rank == 1 else {}


def create_as_version():
    if os.environ.get("MXNET_TEST_VERSION"):
        mx.mxnext_version = os.environ["MXNET_TEST_VERSION"]
    return create_only()


@slow
def test_workers_of_another_version_are_not_let_in():
    with jobs.Job(create_as_version, servers=0, each=version_of, timeout=6) as job:
        told = job.errors()
    assert "it has version '9.9', where" in told["worker 1"][1]


def alone(role, port, **more):
    """The environment of the only process of a job, and whatever else."""
    address = {"DMLC_PS_ROOT_URI": "127.0.0.1", "DMLC_PS_ROOT_PORT": str(port)}
    return {"DMLC_ROLE": role, "DMLC_NUM_WORKER": "1", **address, **more}


def test_a_port_in_use():
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        taken_port = taken.getsockname()[1]
        env = alone("scheduler", taken_port)
        scheduler = jobs.Process("scheduler", env, jobs.serve)
        try:
            assert scheduler.wait(time.monotonic() + jobs.PATIENCE)
        finally:
            scheduler.kill()
    assert scheduler.code == 1 and f"port {taken_port} is in use" in scheduler.error
    if os.path.exists("/proc/net/tcp"):
        assert f"(process {os.getpid()})" in scheduler.error


def test_nobody_at_the_address():
    env = alone("worker", jobs.free_port(), MXNET_KVSTORE_TIMEOUT="2")
    worker = jobs.Process("worker", env, create_only)
    try:
        assert worker.wait(time.monotonic() + jobs.PATIENCE)
    finally:
        worker.kill()
    assert worker.code == 1 and "no scheduler was found at 127.0.0.1" in worker.error
    assert "Exception raised from" not in worker.error  # no traces of torch's


def test_another_program_holds_the_port():
    """It takes connections at the scheduler's address and says nothing, as does a host behind a cut cable."""
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        port = mute.getsockname()[1]
        worker = jobs.Process("worker", alone("worker", port, MXNET_KVSTORE_TIMEOUT="3"), create_only)
        try:
            assert worker.wait(time.monotonic() + jobs.PATIENCE), "it waits for ever"
        finally:
            worker.kill()
    assert worker.code == 1 and f"what answers at 127.0.0.1:{port}" in worker.error
    assert "within 3 s (MXNET_KVSTORE_TIMEOUT)" in worker.error  # one timeout, not several
    if os.path.exists("/proc/net/tcp"):
        assert f"(process {os.getpid()})" in worker.error


def vanish():
    cluster.join(cluster.Environment.read())
    os._exit(3)


def test_who_is_lost_right_after_it_was_let_in_is_missed(tmp_path):
    """A server, which nobody needs in dist_sync, before its first sign of life."""
    common = {"DMLC_NUM_SERVER": "1", "MXNET_KVSTORE_TIMEOUT": str(TIMEOUT), "RES_OPTIONS": "timeout:1 attempts:1"}
    port = jobs.free_port()
    works = {"scheduler": (jobs.serve, ()), "worker": (endless, (str(tmp_path),)), "server": (vanish, ())}
    processes = [jobs.Process(role, alone(role, port, **common), *work) for role, work in works.items()]
    try:
        assert all(process.wait(time.monotonic() + jobs.PATIENCE) for process in processes)
    finally:
        for process in processes:
            process.kill()
    for process in processes[:2]:
        assert process.code == 1 and "server 0 has given no sign of life" in process.error, process.error
