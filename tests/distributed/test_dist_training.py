"""Programs on several processes: sparse weights, compression, states in files, updaters, networks, data, launching."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import jobs
import numpy as np
import pytest
from paths import ROOT

import mxnet as mx
from mxnet.kvstore.compression import OneBit, TwoBit

# ---- row-sparse ----------------------------------------------------------------------------------------------------


def embedding(kind, rule):
    """An embedding whose gradients are row-sparse, trained on words that differ from worker to worker."""
    kv = mx.kv.create(kind) if kind else mx.kv.create("local")
    rank, workers = (kv.rank, kv.num_workers) if kind else (0, 1)
    rng = np.random.RandomState(4)
    first, words = rng.randn(20, 3), rng.randint(0, 20, (4, 12))
    kv.init("w", mx.nd.array(first, dtype="float64").tostype("row_sparse"))
    kv.set_optimizer(mx.optimizer.create(rule, learning_rate=0.1, **({"momentum": 0.9} if rule == "sgd" else {})))
    for step in words:
        mine = np.array_split(step, workers)[rank]
        rows, counts = np.unique(mine, return_counts=True)
        data = counts[:, None] * np.ones(3) * (rows[:, None] + 1)
        kv.push("w", mx.nd.sparse.row_sparse_array((data, rows), shape=(20, 3), dtype="float64"))
    out = mx.nd.sparse.zeros("row_sparse", (20, 3), dtype="float64")
    kv.row_sparse_pull("w", out=out, row_ids=mx.nd.arange(20))
    return out.asnumpy()


def embeddings(kind):
    return {rule: embedding(kind, rule) for rule in ("sgd", "adam")}


@pytest.mark.parametrize("workers", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_row_sparse_gradients_give_what_one_process_gives(workers):
    expected = embeddings(None)
    for results in jobs.run(embeddings, "dist_sync", workers=workers):
        for rule, array in results.items():
            np.testing.assert_allclose(array, expected[rule], rtol=1e-10, atol=1e-12)


# ---- compression ---------------------------------------------------------------------------------------------------


def compressed(kind, threshold):
    kv = mx.kv.create("dist_sync")
    kv.init("plain", mx.nd.zeros((4,)))
    early = mx.nd.zeros((4,))
    for _ in range(2):
        kv.pushpull("plain", mx.nd.ones((4,)) * 0.75, out=early)
    assert (early.asnumpy() == 0.75 * kv.num_workers).all()
    kv.set_gradient_compression({"type": kind, "threshold": threshold})
    kv.pushpull("plain", mx.nd.ones((4,)) * 0.75, out=early)  # pushed before without, and now with it
    assert (early.asnumpy() == kv.num_workers * (0.5 if kind == "2bit" else 1)).all()
    kv.init("w", mx.nd.zeros((7, 3)))
    rng = np.random.RandomState(kv.rank)
    out = mx.nd.zeros((7, 3))
    results = []
    for _ in range(5):
        kv.push("w", mx.nd.array(rng.randn(7, 3)))
        kv.pull("w", out=out)
        results.append(out.asnumpy())
    return results


@pytest.mark.parametrize("kind, threshold", [("2bit", 0.5), ("1bit", 0.25)])
def test_compressed_gradients_follow_the_model(kind, threshold):
    told = jobs.run(compressed, kind, threshold, workers=3)
    streams = [np.random.RandomState(rank) for rank in range(3)]
    rests = [np.zeros((7, 3), "float32") for _ in range(3)]
    for step in range(5):
        total = np.zeros((7, 3), "float32")
        for rank in range(3):
            rests[rank] += streams[rank].randn(7, 3).astype("float32")
            rest = rests[rank]
            if kind == "2bit":
                sent = np.where(rest >= threshold, threshold, np.where(rest <= -threshold, -threshold, 0))
            else:
                sent = np.where(rest > threshold, 1, -1)
            rests[rank] = rest - sent.astype("float32")
            total += sent.astype("float32")
        for results in told:
            np.testing.assert_array_equal(results[step], total)


@pytest.mark.parametrize("scheme", [TwoBit(0.5), OneBit(0.0)], ids=["2bit", "1bit"])
@pytest.mark.parametrize("shape", [(1,), (4,), (3, 5), (33,)])
def test_codes_are_packed_into_few_bytes(scheme, shape):
    import torch

    values = torch.randn(shape)
    codes = scheme.encode("key", values)
    packed = scheme.pack(codes)
    assert packed.numel() == -(-values.numel() * scheme.bits // 8)
    assert torch.equal(scheme.unpack(packed, values.shape), codes)


# ---- states, updaters, commands --------------------------------------------------------------------------------------


def states(directory):
    """Trains, saves the states, goes on; loads them and goes on again from there."""
    kv = mx.kv.create("dist_sync")
    kv.set_optimizer(mx.optimizer.Adam(learning_rate=0.1))
    kv.init([0, 1], [mx.nd.zeros((5, 4)), mx.nd.zeros((3,))])
    outs = [mx.nd.zeros((5, 4)), mx.nd.zeros((3,))]

    def steps(begin, end):
        for i in range(begin, end):
            grads = [mx.nd.ones((5, 4)) * (i + 1), mx.nd.ones((3,)) * (i - 2)]
            kv.pushpull([0, 1], grads, out=outs)
        return [out.asnumpy() for out in outs]

    steps(0, 3)
    fname = os.path.join(directory, "all.states")
    kv.save_optimizer_states(fname, dump_optimizer=True)
    kv.load_optimizer_states(fname)  # as if it were a new process
    return steps(3, 6), fname


def test_states_are_saved_as_one_process_would(tmp_path):
    told = jobs.run(states, str(tmp_path), workers=3, env={"MXNET_KVSTORE_BIGARRAY_BOUND": "5"})
    local = mx.kv.create("local")
    local.set_optimizer(mx.optimizer.Adam(learning_rate=0.1))
    local.init([0, 1], [mx.nd.zeros((5, 4)), mx.nd.zeros((3,))])
    outs = [mx.nd.zeros((5, 4)), mx.nd.zeros((3,))]
    for i in range(6):
        if i == 3:  # a store of one process goes on from the file
            local.load_optimizer_states(told[0][1])
        local.pushpull([0, 1], [mx.nd.ones((5, 4)) * 3 * (i + 1), mx.nd.ones((3,)) * 3 * (i - 2)], out=outs)
    for arrays, _ in told:
        for array, out in zip(arrays, outs, strict=True):
            np.testing.assert_allclose(array, out.asnumpy(), rtol=1e-5)


def low_precision_states(kind, fname, saved):
    """Goes on from states of a float16 weight that one process has saved without float32 copies; saves its own."""
    kv = mx.kv.create(kind)
    kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.5, momentum=0.5))
    kv.init("w", mx.nd.ones((5, 4), dtype="float16"))
    kv.load_optimizer_states(fname)
    found = []
    for _ in range(2):
        out = mx.nd.zeros((5, 4), dtype="float16")
        kv.barrier()
        kv.push("w", mx.nd.ones((5, 4), dtype="float16") * (0.25 if kind == "dist_sync" or kv.rank == 0 else 0))
        kv.barrier()
        kv.pull("w", out=out)
        found.append(float(out[4, 3].asscalar()))
        kv.barrier()
        kv.save_optimizer_states(saved, dump_optimizer=True)
        kv.barrier()
        kv.load_optimizer_states(saved)
    return found


@pytest.mark.parametrize("dump", [False, True])
def test_states_of_float16_weights_get_their_float32_copies(dump, tmp_path):
    fname = str(tmp_path / "one.states")
    local = mx.kv.create("local")
    with pytest.warns(UserWarning, match="float16"):
        local.set_optimizer(mx.optimizer.SGD(learning_rate=0.5, momentum=0.5))
        local.init("w", mx.nd.ones((5, 4), dtype="float16"))
        local.push("w", mx.nd.ones((5, 4), dtype="float16"))
    local.save_optimizer_states(fname, dump_optimizer=dump)
    split = {"MXNET_KVSTORE_BIGARRAY_BOUND": "5"}
    told = jobs.run(low_precision_states, "dist_sync", fname, str(tmp_path / "saved"), env=split)
    # momentum -0.5 from the file: -0.25 - 0.25 = -0.5, then -0.25 - 0.25
    assert told == [[0.5, 0.0]] * 2


def updaters():
    results = []
    for kind in ("dist_sync", "dist_async"):
        kv = mx.kv.create(kind)
        kv.init("w", mx.nd.ones((3,)))

        def update(key, pushed, stored):
            stored += pushed * 2

        kv.set_updater(update)
        kv.push("w", mx.nd.ones((3,)) * (kv.rank + 1))
        kv.barrier()
        out = mx.nd.zeros((3,))
        kv.pull("w", out=out)
        results.append(out.asnumpy().tolist())
        kv.barrier()
    return results


def test_updaters_run_once_for_a_key():
    assert jobs.run(updaters, workers=2) == [[[7.0] * 3, [7.0] * 3]] * 2


def commands(directory):
    kv = mx.kv.create("dist_sync")
    if kv.rank == 0:
        mx.profiler.set_kvstore_handle(kv)
        mx.profiler.set_config(filename=os.path.join(directory, "server.json"), profile_process="server")
        mx.profiler.set_state("run", profile_process="server")
        mx.profiler.dump(profile_process="server")
        kv.send_command_to_servers(77, "nobody knows it")
    kv.barrier()
    if kv.rank == 1:
        with pytest.raises(mx.MXNetError, match="a number and a text"):
            kv.send_command_to_servers("a", 1)
    return True


def test_servers_do_commands(tmp_path):
    assert jobs.run(commands, str(tmp_path), workers=2, servers=1) == [True, True]
    assert (tmp_path / "server.json").exists()


class Mine(mx.optimizer.SGD):
    """An optimizer that nobody has registered."""


def own_optimizer():
    kv = mx.kv.create("dist_async")
    with pytest.raises(TypeError, match="not registered"):
        kv.set_optimizer(Mine())
    with pytest.raises(TypeError, match="scheduler"):
        kv.set_optimizer(mx.optimizer.SGD(lr_scheduler=lambda n: 0.1))
    kv.init(1, mx.nd.zeros((2,)))
    with pytest.raises(mx.MXNetError, match="set_optimizer first"):
        kv.push(1, mx.nd.ones((2,)))
    scheduler = mx.lr_scheduler.MultiFactorScheduler([2, 4], 0.5, base_lr=1.0)
    kv.set_optimizer(mx.optimizer.SGD(lr_scheduler=scheduler, wd=0.0))
    for _ in range(6):
        kv.push(1, mx.nd.ones((2,)))
    out = mx.nd.zeros((2,))
    kv.pull(1, out=out)
    kv.barrier()
    return out.asnumpy().tolist()


def test_only_names_and_numbers_travel():
    assert jobs.run(own_optimizer, workers=1, servers=1) == [[-(1 + 1 + 0.5 + 0.5 + 0.25 + 0.25)] * 2]


# ---- networks --------------------------------------------------------------------------------------------------------


def normalized():
    """The part of a batch that this worker has, through SyncBatchNorm, and its gradients."""
    kv = mx.kv.create("dist_sync")
    rng = np.random.RandomState(0)
    batch = rng.randn(8, 3, 4).astype("float32")
    mine = batch[kv.rank * 8 // kv.num_workers : (kv.rank + 1) * 8 // kv.num_workers]
    net = mx.gluon.contrib.nn.SyncBatchNorm(in_channels=3, num_devices=kv.num_workers, prefix="bn_")
    net.initialize()
    x = mx.nd.array(mine)
    x.attach_grad()
    with mx.autograd.record():
        y = (net(x) ** 2 * mx.nd.sin(x)).sum()
    y.backward()
    return x.grad.asnumpy(), net.running_mean.data().asnumpy(), net.running_var.data().asnumpy()


def test_sync_batch_norm_over_workers():
    told = jobs.run(normalized, workers=2)
    batch = mx.nd.array(np.random.RandomState(0).randn(8, 3, 4).astype("float32"))
    net = mx.gluon.nn.BatchNorm(in_channels=3)
    net.initialize()
    batch.attach_grad()
    with mx.autograd.record():
        y = (net(batch) ** 2 * mx.nd.sin(batch)).sum()
    y.backward()
    np.testing.assert_allclose(np.concatenate([each[0] for each in told]), batch.grad.asnumpy(), rtol=1e-4, atol=1e-5)
    for each in told:
        np.testing.assert_allclose(each[1], net.running_mean.data().asnumpy(), rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(each[2], net.running_var.data().asnumpy(), rtol=1e-5, atol=1e-7)


def estimated():
    kv = mx.kv.create("dist_sync")
    rng = np.random.RandomState(0)
    x = rng.randn(64, 4).astype("float32")
    y = x.sum(1, keepdims=True)
    data = mx.gluon.data.ArrayDataset(mx.nd.array(x), mx.nd.array(y))
    sampler = mx.gluon.contrib.data.SplitSampler(len(data), kv.num_workers, kv.rank)
    loader = mx.gluon.data.DataLoader(data, batch_size=8, sampler=sampler)
    net = mx.gluon.nn.Dense(1, in_units=4)
    mx.random.seed(1)
    net.initialize()
    loss = mx.gluon.loss.L2Loss()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.2}, kvstore=kv)
    metric = mx.metric.MSE()
    estimator = mx.gluon.contrib.estimator.Estimator(net, loss, train_metrics=metric, trainer=trainer)
    estimator.fit(loader, epochs=8)
    return metric.get()[1], net.weight.data().asnumpy()


def test_estimator_and_split_sampler():
    (first, weights), (second, others) = jobs.run(estimated, workers=2)
    np.testing.assert_array_equal(weights, others)
    assert first < 0.1 and second < 0.1


def test_parts_are_equal_and_cover_everything():
    parts = [list(mx.gluon.contrib.data.SplitSampler(11, 3, i)) for i in range(3)]
    assert [len(part) for part in parts] == [3, 3, 3]
    assert sorted(index for part in parts for index in part) == list(range(9))
    assert list(mx.gluon.contrib.data.SplitSampler(4, 2, 1, shuffle=False)) == [2, 3]
    for bad in ((4, 2, 2), (4, 0, 0), (1, 2, 0)):
        with pytest.raises(ValueError, match="part"):
            mx.gluon.contrib.data.SplitSampler(*bad)


# ---- launching -------------------------------------------------------------------------------------------------------

SCRIPT = """
import os
import mxnet as mx
kv = mx.kv.create("{kind}")
if "async" in kv.type:
    kv.set_optimizer(mx.optimizer.SGD(learning_rate=-1))
kv.init("a", mx.nd.zeros((2,)))
kv.push("a", mx.nd.ones((2,)) * (kv.rank + 1))
kv.barrier()
out = mx.nd.zeros((2,))
kv.pull("a", out=out)
os.write(1, f"result {{kv.rank}} {{kv.num_workers}} {{out.asnumpy().tolist()}}\\n".encode())  # in one piece
{more}
"""


def _run(command, **env):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("DMLC_", "MXNET_KVSTORE"))}
    return subprocess.run(
        command,
        env=clean | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)} | env,
        capture_output=True,
        text=True,
        timeout=jobs.PATIENCE * 2,
    )


def test_launch_starts_servers_and_workers(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(SCRIPT.format(kind="dist_async", more=""))
    done = _run([sys.executable, "-m", "mxnet.tools.launch", "-n", "2", "-s", "1", sys.executable, str(script)])
    assert done.returncode == 0, done.stderr
    assert sorted(line for line in done.stdout.splitlines() if line.startswith("result")) == [
        "result 0 2 [3.0, 3.0]",
        "result 1 2 [3.0, 3.0]",
    ]


COMMANDS = """
import os
import mxnet as mx
kv = mx.kv.create("dist_async")
mx.profiler.set_kvstore_handle(kv)
kv.send_command_to_servers(12345, "nobody knows this one")
mx.profiler.set_config(filename="{directory}/server-of-" + str(kv.rank) + ".json", profile_process="server")
mx.profiler.set_state("run", profile_process="server")
kv.set_optimizer(mx.optimizer.SGD(learning_rate=-1))
kv.init("a", mx.nd.zeros((2,)))
kv.push("a", mx.nd.ones((2,)))
kv.barrier()
mx.profiler.pause(profile_process="server")
mx.profiler.resume(profile_process="server")
mx.profiler.dump(profile_process="server")
kv.barrier()
os.write(1, b"result %d of token %d\\n" % (kv.rank, len(os.environ["MXNET_KVSTORE_TOKEN"])))
"""


def test_servers_do_commands_while_they_import_mxnet(tmp_path):
    """A server serves inside ``import mxnet``: its threads must not wait for the end of that, whatever they import."""
    script = tmp_path / "train.py"
    script.write_text(COMMANDS.format(directory=tmp_path))
    command = [sys.executable, "-m", "mxnet.tools.launch", "-n", "2", "-s", "1", sys.executable, str(script)]
    done = _run(command, MXNET_KVSTORE_TIMEOUT="30")
    assert done.returncode == 0, done.stderr
    told = sorted(line for line in done.stdout.splitlines() if line.startswith("result"))
    assert told == ["result 0 of token 32", "result 1 of token 32"]  # which launch has made
    assert any((tmp_path / f"server-of-{rank}.json").exists() for rank in range(2))


def test_workers_share_the_cores_of_a_host(tmp_path, monkeypatch):
    from mxnet.tools import launch

    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    started, handlers = [], [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)]
    monkeypatch.setattr(launch._Job, "start", lambda self, *_: started.append(self._common["OMP_NUM_THREADS"]))
    cores = len(os.sched_getaffinity(0))
    assert launch.main(["-n", str(2 * cores), "true"]) == 0 and set(started) == {"1"}
    started.clear()
    assert launch.main(["-n", "1", "true"]) == 0 and set(started) == {str(cores)}
    started.clear()
    assert launch.main(["-n", "1", "--env", "OMP_NUM_THREADS:7", "true"]) == 0 and set(started) == {"7"}
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)] == handlers


@pytest.mark.slow
def test_launch_tells_who_failed(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(SCRIPT.format(kind="dist_sync", more="if kv.rank == 1: raise ValueError('oops')\nkv.barrier()"))
    command = [sys.executable, "-m", "mxnet.tools.launch", "-n", "2", sys.executable, str(script)]
    done = _run(command, MXNET_KVSTORE_TIMEOUT="30")
    assert done.returncode == 1 and "worker 1 has ended by an error (ValueError: oops)" in done.stderr


def test_calls_that_fail_as_a_process_ends_are_its_status(tmp_path):
    """Each worker is a Python of its own: those of jobs.py end without Python's own exit."""
    script = tmp_path / "train.py"
    more = "kv.init(['k0', 'k1'], [mx.nd.ones((2,))] * 2)\nkv.push('k%d' % kv.rank, mx.nd.ones((2,)))"
    script.write_text(SCRIPT.format(kind="dist_sync", more=more))
    job = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(jobs.free_port())}
    with ThreadPoolExecutor() as pool:
        ends = list(pool.map(lambda rank: _run([sys.executable, str(script)], RANK=str(rank), **job), range(2)))
    for end in ends:
        assert end.returncode == 1 and "worker 1: push of key 'k1'" in end.stderr, end


@pytest.mark.slow
def test_torchrun_runs_the_same_script(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(SCRIPT.format(kind="dist_sync", more=""))
    done = _run([sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=2", str(script)])
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("2 [3.0, 3.0]") == 2


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["-n", "2"], "what shall the workers run"),
        (["-n", "0", "true"], "at least 1"),
        (["-n", "1", "--launcher", "sge", "true"], "Sun Grid Engine"),
        (["-n", "1", "--launcher", "yarn", "true"], "YARN"),
        (["-n", "1", "--launcher", "ssh", "true"], "-H"),
        (["-n", "1", "--env", "nonsense", "true"], "NAME:VALUE"),
    ],
)
def test_launch_explains_what_is_wrong(arguments, words):
    from mxnet.tools import launch

    with pytest.raises(SystemExit, match=words):
        launch.main(arguments)


def test_launch_by_ssh_keeps_the_token_out_of_arguments(tmp_path, monkeypatch):
    """``ssh`` is a program that writes down how it is called, and runs the command here."""
    fake = tmp_path / "bin" / "ssh"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\nfor last; do :; done\nexec sh -c "$last"\n')
    fake.chmod(0o755)
    (tmp_path / "hosts").write_text("one # the first\ntwo\n")
    script = tmp_path / "train.py"
    script.write_text(
        "import os\ntold = ('result', *map(os.environ.get, ('DMLC_ROLE', 'DMLC_WORKER_ID', 'MXNET_KVSTORE_TOKEN')))\n"
        "os.write(1, (' '.join(told) + chr(10)).encode())\nimport mxnet as mx\nmx.kv.create('dist_sync')\n"
    )
    command = [
        sys.executable,
        "-m",
        "mxnet.tools.launch",
        "-n",
        "2",
        "-H",
        str(tmp_path / "hosts"),
        "--root",
        "127.0.0.1",
    ]
    path = f"{fake.parent}{os.pathsep}{os.environ['PATH']}"
    done = _run([*command, sys.executable, str(script)], PATH=path, MXNET_KVSTORE_TOKEN="secret")
    assert done.returncode == 0, done.stderr
    told = sorted(line for line in done.stdout.splitlines() if line.startswith("result"))
    assert told == ["result worker 0 secret", "result worker 1 secret"]
    calls = (tmp_path / "calls").read_text()
    assert "one" in calls and "two" in calls and "secret" not in calls


# ---- the example -----------------------------------------------------------------------------------------------------

EXAMPLE = ROOT / "examples" / "distributed_digits.py"


def _torchrun(workers, *arguments):
    begin = [sys.executable, "-m", "torch.distributed.run", f"--nproc-per-node={workers}", "--max-restarts=1"]
    done = _run([*begin, str(EXAMPLE), *map(str, arguments)])
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("api", ["feedforward", "module", "trainer"])
def test_the_example_learns_on_any_number_of_workers(api):
    accuracies = []
    for workers in (1, 2, 4):
        printed = _torchrun(workers, "--api", api, "--epochs", 3)
        assert f"{workers} worker(s), accuracy" in printed
        accuracies.append(float(printed.split()[-1]))
    assert min(accuracies) > 0.9 and max(accuracies) - min(accuracies) < 0.02


@pytest.mark.slow
def test_a_restart_continues_the_same_curve(tmp_path):
    whole = _torchrun(2, "--epochs", 4)
    broken = _torchrun(2, "--epochs", 4, "--checkpoints", tmp_path / "run", "--crash", 1)
    assert [line for line in broken.splitlines() if line.startswith("epoch")] == [
        line for line in whole.splitlines() if line.startswith("epoch")
    ]


# ---- the user's optimizer ----------------------------------------------------------------------------------------


def optimizer_after_use(kind):
    optimizer = mx.optimizer.SGD(learning_rate=0.5, momentum=0.5)
    kv = mx.kv.create(kind)
    kv.init("w", mx.nd.ones(3, dtype="float16"))
    kv.set_optimizer(optimizer)
    kv.push("w", mx.nd.ones(3, dtype="float16"))
    kv._barrier()
    return optimizer.multi_precision


@pytest.mark.parametrize("kind", ["dist_sync", "dist_async"])
def test_optimizers_of_users_are_not_changed(kind):
    """float16 weights have float32 copies, as on the original's servers; the optimizer does not say so."""
    assert jobs.run(optimizer_after_use, kind, workers=2) == [False, False]
