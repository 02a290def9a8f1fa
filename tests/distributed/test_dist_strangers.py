"""Processes without the job's token reach its store: nothing that they write is believed, and nothing hangs."""

import contextlib
import datetime
import json
import os
import pathlib
import signal
import time

import jobs
import pytest
import torch.distributed
from test_dist_faults import endless, wait_until_ready

import mxnet as mx
from mxnet.kvstore import cluster, collective, signed_store

TIMEOUT = 12
EVIL = "a stranger says that all is lost"


def slow(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


def training(directory, kind):
    """Trains until a file says that it is enough: the last sum, the weights and how much was rejected."""
    kv = mx.kv.create(kind)
    if kind == "dist_async":
        kv.set_optimizer(mx.optimizer.SGD(learning_rate=1.0, wd=0.0))
    flags = mx.kv.create("dist_sync")
    kv.init("w", mx.nd.zeros((8,)))
    flags.init("enough", mx.nd.zeros((1,)))
    kv.barrier()
    pathlib.Path(directory, f"ready-{kv.rank}").touch()
    steps, enough = 0, mx.nd.zeros((1,))
    while not enough.asscalar():
        kv.push("w", mx.nd.ones((8,)) * (kv.rank + 1))
        steps += 1
        flags.pushpull("enough", mx.nd.full((1,), float(pathlib.Path(directory, "enough").exists())), out=enough)
        time.sleep(0.01)
    kv.barrier()
    out = mx.nd.zeros((8,))
    kv.pull("w", out=out)
    return steps, out.asnumpy().tolist(), kv._job.member.store.rejections.count


class Stranger:
    """Somebody who can reach the store of a job, has read the code, and has no token."""

    def __init__(self, port):
        self.store = torch.distributed.TCPStore(
            "127.0.0.1", port, is_master=False, timeout=datetime.timedelta(seconds=20), wait_for_workers=False
        )

    def keys(self):
        if not hasattr(self.store, "list_keys"):
            pytest.skip("the store of this version of torch lists no keys")
        return sorted(self.store.list_keys())

    def spaces(self):
        """What names of keys begin with, for those of any kind."""
        return sorted({key[: at + 1] for key in self.keys() for at in range(len(key)) if key[at] == "/"})

    def say(self, key, value):
        for space in self.spaces():
            self.store.set(space + key, value)

    def fault(self, directory):
        self.say("fault", EVIL)

    def roster(self, directory):
        self.say("roster", json.dumps({"worker 0": "elsewhere, process 1"}))

    def departure(self, directory):
        for name in ("worker 0", "worker 1"):
            self.say(f"left {name}", json.dumps({"failure": EVIL, "operations": 1, "doing": "nothing"}))

    def command(self, directory):
        """Lets the servers write a profile to a file; by the keys of all versions."""
        what = mx.profiler.SERVER_COMMAND
        for body in (
            ["set_config", [{"filename": f"{directory}/stolen.json", "profile_all": True}]],
            ["set_state", ["run"]],
            ["dump", [True]],
        ):
            for space in self.spaces():
                with contextlib.suppress(RuntimeError):
                    number = self.store.add(space + "commands", 1)
                    self.store.set(f"{space}command {number}", json.dumps([what, json.dumps(body)]))
            self.say("command 1 of worker 0", json.dumps([what, json.dumps(body)]))
            self.say("newest command", "anything")
        time.sleep(2)

    def copies(self, directory):
        """Puts signed values under other names."""
        values = [self.store.get(key) for key in self.keys() if "alive" in key]
        for value in values:
            for key in ("fault", "left worker 0", "command 1 of worker 1", "roster", "job", "servers wanted"):
                self.say(key, value)

    def everything(self, directory):
        """Overwrites all that is there."""
        for key in self.keys():
            self.store.set(key, EVIL)

    def counters(self, directory):
        for space in self.spaces():
            for key in ("hellos", "commands", "command 1 done"):
                with contextlib.suppress(RuntimeError):
                    self.store.add(space + key, 1 << 40)


@pytest.mark.parametrize("kind, servers", [("dist_sync", 1), slow("dist_async", 2), slow("dist_sync", None)])
def test_what_strangers_write_is_ignored(kind, servers, tmp_path):
    with jobs.Job(training, (str(tmp_path), kind), servers=servers, timeout=TIMEOUT) as job:
        wait_until_ready(tmp_path, 2)
        stranger = Stranger(job.port)
        for attack in ("fault", "roster", "departure", "command", "copies", "everything", "counters"):
            getattr(stranger, attack)(str(tmp_path))
            time.sleep(0.6)
            ended = [process.name for process in job.all if process.process.exitcode is not None]
            assert not ended, (attack, ended)
        (tmp_path / "enough").touch()
        results = job.results()
        said = {process.name: process.error for process in job.all}
    for steps, weights, rejected in results:
        assert weights == [-3.0 * steps if kind == "dist_async" else 3.0] * 8
        assert rejected > 0  # told by a count
    assert not (tmp_path / "stolen.json").exists()
    for name, error in said.items():
        assert error.count("was not signed with the job's token") == 1, (name, error)  # and told once


@pytest.mark.parametrize("kind", ["dist_sync", slow("dist_async")])
def test_a_dead_worker_is_missed_although_a_stranger_repeats_its_signs_of_life(kind, tmp_path):
    with jobs.Job(endless, (str(tmp_path), kind), workers=2, servers=1, timeout=TIMEOUT) as job:
        wait_until_ready(tmp_path, 2)
        stranger, signs = Stranger(job.port), {}
        limit = time.monotonic() + jobs.PATIENCE
        while len(signs) < 3:
            assert time.monotonic() < limit
            key = next((key for key in stranger.keys() if key.endswith("/alive worker 1")), None)
            if key is not None:
                signs[stranger.store.get(key)] = key
        os.kill(job.workers[1].pid, signal.SIGSTOP)
        others = [process for process in job.all if process is not job.workers[1]]
        with contextlib.suppress(RuntimeError):  # until the store has gone
            while not all(process.wait(time.monotonic()) for process in others):
                assert time.monotonic() < limit, "the job hangs"
                for sign, key in signs.items():
                    stranger.store.set(key, sign)
                    time.sleep(0.05)
        assert all(process.wait(limit) for process in others)
    for process in others:
        assert process.code == 1, process.name
        assert "worker 1 does not answer" in process.error or "worker 1 has given no sign of life" in process.error


def vandalize(port, seconds, delete):
    """Overwrites or deletes all that is in the store, again and again, from the moment it is there."""
    limit = time.monotonic() + seconds
    stranger = None
    while time.monotonic() < limit:
        try:
            stranger = stranger or Stranger(port)
            for key in stranger.store.list_keys():
                if delete:
                    stranger.store.delete_key(key)
                else:
                    stranger.store.set(key, EVIL)
        except RuntimeError:  # there is no store, yet or any more
            stranger = None
        time.sleep(0.05)


@pytest.mark.parametrize("delete", [False, True])
@pytest.mark.parametrize("servers", [None, 1])
def test_a_store_that_is_laid_waste_ends_the_job_in_time(servers, delete, tmp_path):
    """The store has no login: this cannot be helped. But the job ends, with an error that is its own."""
    if not hasattr(torch.distributed.TCPStore, "list_keys"):
        pytest.skip("the store of this version of torch lists no keys")
    with jobs.Job(endless, (str(tmp_path),), servers=servers, timeout=6) as job:
        vandal = jobs.Process("vandal", {}, vandalize, (job.port, 40, delete))
        try:
            told = job.errors()
        finally:
            vandal.kill()
    for name, (code, error) in told.items():
        assert code == 1, (name, code, error)
        assert "MXNetError" in error or f"mxnet {name.split()[0]}: " in error, (name, error)
        assert EVIL not in error


# ---- where the job listens -------------------------------------------------------------------------------------------


def listening(pid):
    """The addresses that a process listens at, in hexadecimal as the system tells them."""
    files = [os.readlink(f"/proc/{pid}/fd/{name}") for name in os.listdir(f"/proc/{pid}/fd")]
    lines = [
        line.split()
        for table in ("tcp", "tcp6")
        for line in pathlib.Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
    ]
    return [fields[1] for fields in lines if fields[3] == "0A" and f"socket:[{fields[9]}]" in files]


@pytest.mark.skipif(not os.path.exists("/proc/net/tcp"), reason="only Linux tells who listens where")
@pytest.mark.parametrize("servers", [None, 1])
def test_a_job_on_loopback_listens_on_loopback_only(servers, tmp_path):
    with jobs.Job(training, (str(tmp_path), "dist_async"), servers=servers) as job:
        wait_until_ready(tmp_path, 2)
        found = {process.name: listening(process.pid) for process in job.all}
        (tmp_path / "enough").touch()
        job.results()
    addresses = [address for each in found.values() for address in each]
    assert any(address == f"0100007F:{job.port:04X}" for address in addresses)
    assert all(address.startswith("0100007F:") for address in addresses), found


def test_a_name_that_does_not_say_where_to_listen(monkeypatch, caplog):
    from mxnet.kvstore import connection

    env = cluster.Environment.read(
        {"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "some-service", "MASTER_PORT": str(jobs.free_port())}
    )
    for address in ("127.0.1.1", "192.0.2.1"):  # a host's own name; the address of a service, which no host has
        with monkeypatch.context() as patch:
            patch.setattr(connection, "_addresses", lambda *a, address=address: [(2, (address, env.port))])
            listener = connection._listener(env)
        assert listener.getsockname() == ("0.0.0.0", env.port)
        listener.close()
        assert "all its network interfaces" in caplog.text
        caplog.clear()


# ---- parts -----------------------------------------------------------------------------------------------------------


def meet_with_a_wrong_proof(directory):
    kv = mx.kv.create("dist_sync")
    if kv.rank == 1:
        collective.Collective._proof = lambda *args: bytes(32)
    job = kv._job
    try:
        collective.Collective(job.member, job.health, "workers met again", kv.rank, kv.num_workers)
    finally:
        pathlib.Path(directory, f"ended-{kv.rank}").touch()


def test_connections_to_strangers_are_not_used(tmp_path):
    with jobs.Job(meet_with_a_wrong_proof, (str(tmp_path),), timeout=TIMEOUT) as job:
        told = job.errors()
    # Who finds out first says so; the other one may be told by it that the job has ended.
    assert all(code == 1 for code, _ in told.values()), told
    assert any("of workers met again is not to a process of the job" in error for _, error in told.values()), told


def environment(role, **more):
    common = {"DMLC_PS_ROOT_URI": "127.0.0.1", "DMLC_PS_ROOT_PORT": "9091", "DMLC_NUM_WORKER": "2"}
    return cluster.Environment.read(common | {"DMLC_ROLE": role, "MXNET_KVSTORE_TOKEN": "tests"} | more)


def introduce(env, base, registrar, seconds=5):
    return cluster._introduce(env, cluster._public_store(env, base), registrar, time.monotonic() + seconds)


def test_what_strangers_say_holds_up_nobody_who_joins():
    scheduler, worker = environment("scheduler"), environment("worker")
    base = torch.distributed.HashStore()
    registrar = cluster.Registrar(scheduler, cluster._public_store(scheduler, base))
    space = registrar.store._space
    for slot in range(cluster._slots(scheduler)):
        base.set(f"{space}/hello {slot}", EVIL)
    base.set("mxnet//job", EVIL)
    registrar.poll()
    assert introduce(worker, base, registrar)[0] == 0
    hello = next(key for key in (f"hello {i}" for i in range(99)) if registrar.store.read(key) is not None)
    for slot in range(cluster._slots(scheduler)):  # what was signed for one slot is nothing in another
        base.set(f"{space}/hello {slot}", base.get(f"{space}/{hello}"))
    registrar.poll()
    assert registrar.missing == ["worker 1"]
    assert introduce(worker, base, registrar)[0] == 1


def test_records_of_an_earlier_job_with_the_same_token_are_not_believed():
    scheduler, worker = environment("scheduler"), environment("worker", MXNET_KVSTORE_TIMEOUT="2")
    earlier, base = torch.distributed.HashStore(), torch.distributed.HashStore()
    first = cluster.Registrar(scheduler, cluster._public_store(scheduler, earlier))
    introduce(worker, earlier, first)
    base.set("mxnet//job", earlier.get("mxnet//job"))  # all that is needed to take the place of the scheduler?
    with pytest.raises(mx.MXNetError, match="has not answered"):
        introduce(worker, base, None, 0.3)
    second = cluster.Registrar(scheduler, cluster._public_store(scheduler, base))
    base.set("mxnet//job", earlier.get("mxnet//job"))
    second.poll()
    rank, store = introduce(worker, base, second)
    assert rank == 0 and store._space.endswith(second.nonce)


def test_a_signed_store_reads_what_was_signed_for_it_only(caplog):
    base, rejections = torch.distributed.HashStore(), signed_store.Rejections("here")
    ours = signed_store.SignedStore(base, "a", b"secret", rejections)
    ours.set("key", b"\0\1\2")
    assert ours.read("key") == ours.get("key") == b"\0\1\2" and ours.read("other") is None
    raw = base.get("a/key")
    for space, secret in [("b", b"secret"), ("a", b"Secret")]:
        other = signed_store.SignedStore(base, space, secret, signed_store.Rejections("there"))
        base.set(f"{space}/key", raw)
        assert other.read("key") is None
    base.set("a/other", raw)
    for _ in range(3):
        assert ours.read("other") is None
    assert rejections.count == 1 and "other" in ours.ignored
    for value in (b"", b"short", raw[:-1], raw + b"!", b"mxnet: not there"):
        base.set("a/key", value)
        assert ours.read("key") is None and not ours.check(["key"])
    assert ours.first("key", "new") == b"new" == ours.first("key", "later")
    with pytest.raises(RuntimeError, match="nobody has written other"):
        ours.wait(["key", "other"], datetime.timedelta(seconds=0.05))
    assert caplog.text.count("the job at here") == 1


def without_a_token():
    kv = mx.kv.create("dist_sync")
    return kv.rank


def test_a_job_without_a_token_says_so():
    with jobs.Job(without_a_token, env={"MXNET_KVSTORE_TOKEN": ""}) as job:
        job.results()
    said = [process.error.count("has no token") for process in job.all]
    assert said == [1, 0]
