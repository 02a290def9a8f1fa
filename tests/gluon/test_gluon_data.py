"""Data sets, samplers and the DataLoader: what the original does, and workers that fail, die or hang."""

import gc
import gzip
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tarfile
import threading
import time

import gluon_data_cases as cases
import numpy as np
import pytest
import torch
from compare import load_golden
from paths import ROOT

import mxnet as mx
from mxnet import gluon, nd, recordio
from mxnet.gluon import data as gdata
from mxnet.gluon.data import shared, workers
from mxnet.gluon.data.dataloader import _MultiWorkerIter, _worker_fn, default_batchify_fn
from mxnet.gluon.data.vision import datasets as vision

RECORDED = load_golden("gluon_data.json.gz")
PROCESSES = {"num_workers": 2}
THREADS = {"num_workers": 2, "thread_pool": True}
PAIRS = gdata.ArrayDataset(np.arange(20, dtype="float32").reshape(10, 2), np.arange(10, dtype="int32"))

# Where the original has a bug, or less to say, and we do something better.
BETTER = {
    "nd dtypes": ["ERROR", "TypeError"],
    "nd shapes": ["ERROR", "ValueError"],
    "array out of range": ["ERROR", "IndexError"],
    "base item": ["ERROR", "NotImplementedError"],
    "base len": ["ERROR", "NotImplementedError"],
}


def plain_json(value):
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("group", sorted(cases.GROUPS))
def test_as_the_original(group):
    found = plain_json(cases.GROUPS[group](mx))
    assert found.keys() == RECORDED[group].keys()
    for name, expected in RECORDED[group].items():
        better = BETTER.get(name.removesuffix(", shared"))
        if better:
            assert found[name][:2] == better, name
        else:
            assert found[name] == expected, name


def values(loader):
    """The labels of all batches."""
    return [int(v) for _, labels in loader for v in labels.asnumpy()]


# ---- whole batches and single samples are the same -------------------------------------------------------------------


class OneByOne:
    """A data set that hides what it is made of."""

    def __init__(self, data):
        self.data = data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.data[index]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "uint8", "int8", "int32", "int64", "bool"])
def test_arrays_are_gathered_as_if_one_by_one(dtype):
    array = np.random.randint(0, 2, (9, 3, 2)).astype(dtype)
    columns = gdata.ArrayDataset(
        array, nd.array(array, dtype=dtype), array[:, 0, 0], list(array), array[::-1], array[:, :, 1]
    )
    for dataset in (columns, columns.take(7), columns.shard(2, 1).shard(2, 0), columns.filter(lambda s: True)):
        fast = list(gdata.DataLoader(dataset, 4))
        slow = list(gdata.DataLoader(OneByOne(dataset), 4))
        assert plain_json(cases.plain(fast)) == plain_json(cases.plain(slow))


def test_bfloat16_and_negative_indices_are_gathered():
    array = nd.arange(12).reshape((6, 2)).astype("bfloat16")
    (batch,) = gdata.DataLoader(gdata.SimpleDataset(array), batch_sampler=[[-1, 0]])
    assert batch.astype("float32").asnumpy().tolist() == [[10, 11], [0, 1]]
    (batch,) = gdata.DataLoader(gdata.ArrayDataset(array[:, 0]), batch_sampler=[[-1, 0]])
    assert batch.astype("float32").asnumpy().tolist() == [10, 0]
    (batch,) = gdata.DataLoader(np.arange(6), batch_sampler=[np.array([-1, 2], "int16")])
    assert batch.asnumpy().tolist() == [5, 2]
    for wrong in (array, np.arange(6), gdata.ArrayDataset(array, array)):
        with pytest.raises(IndexError, match="6 is out of bounds"):
            list(gdata.DataLoader(wrong, batch_sampler=[[1, 6]]))


def test_batches_do_not_share_memory_with_the_data_set():
    array, numbers = nd.zeros((4, 2)), np.zeros((4, 2), "float32")
    for dataset in (array, numbers, gdata.ArrayDataset(array, numbers)):
        for batch in gdata.DataLoader(dataset, 4):
            for part in batch if isinstance(batch, list) else [batch]:
                part[:] = 1
    assert array.asnumpy().max() == 0 and numbers.max() == 0
    batch = gluon.data.dataloader.default_batchify_fn(numbers)
    batch[:] = 1
    assert numbers.max() == 0


def test_a_subclass_with_its_own_getitem_is_asked():
    class Doubled(gdata.ArrayDataset):
        def __getitem__(self, index):
            return super().__getitem__(index) * 2

    (batch,) = gdata.DataLoader(Doubled(np.arange(4)), 4)
    assert batch.asnumpy().tolist() == [0, 2, 4, 6]


def test_recorded_arrays_are_taken_one_by_one_so_that_gradients_flow():
    array = nd.ones((4, 2))
    array.attach_grad()
    with mx.autograd.record():
        (batch,) = gdata.DataLoader(array, batch_sampler=[[0, 2]])
        total = (batch * 3).sum()
    total.backward()
    assert array.grad.asnumpy().tolist() == [[3, 3], [0, 0], [3, 3], [0, 0]]


def test_other_byte_orders_and_read_only_arrays():
    array = np.arange(6, dtype=">f4")
    array.setflags(write=False)
    (batch,) = gdata.DataLoader(gdata.ArrayDataset(array), 6)
    assert batch.dtype == np.float32 and batch.asnumpy().tolist() == list(range(6))
    batch[:] = 0


def test_samples_that_make_no_batch_are_told():
    with pytest.raises(mx.MXNetError, match=r"different shapes \(\(3,\), \(2,\)"):
        list(gdata.DataLoader([np.ones(3), np.ones(2)], 2))
    with pytest.raises(mx.MXNetError, match="type object do not make an NDArray"):
        list(gdata.DataLoader([None, {}], 2))


# ---- loaders ---------------------------------------------------------------------------------------------------------


def test_what_a_loader_accepts():
    with pytest.raises(mx.MXNetError, match="at least 1"):
        list(gdata.DataLoader(PAIRS, 0))
    assert gdata.DataLoader(PAIRS, 3, num_workers=-1)._num_workers == 0
    assert gdata.DataLoader(PAIRS, 3, num_workers=2)._prefetch == 4
    loader = gluon.data.dataloader.DataLoaderV1(PAIRS, 3, False, None, "discard")
    assert len(loader) == 3 and values(loader) == list(range(9))


@pytest.mark.parametrize("options", [PROCESSES, THREADS], ids=["processes", "threads"])
class TestWorkers:
    def test_batches_in_order_again_and_again(self, options):
        loader = gdata.DataLoader(PAIRS, 3, **options)
        for _ in range(3):
            assert values(loader) == list(range(10))

    @pytest.mark.parametrize("prefetch", [0, 1, 50])
    def test_prefetch(self, options, prefetch):
        loader = gdata.DataLoader(PAIRS, 1, prefetch=prefetch, **options)
        assert values(loader) == list(range(10))

    def test_iterations_at_the_same_time(self, options):
        loader = gdata.DataLoader(PAIRS, 2, **options)
        assert [(int(a[1][0].asscalar()), int(b[1][0].asscalar())) for a, b in zip(loader, loader, strict=True)] == [
            (i, i) for i in range(0, 10, 2)
        ]
        first, second = iter(loader), iter(loader)
        next(first), next(first)
        assert values(second) == list(range(10))
        assert values(first) == list(range(4, 10))

    def test_leaving_an_iteration_early(self, options):
        loader = gdata.DataLoader(PAIRS, 1, **options)
        for _ in range(5):
            for _, label in loader:
                if int(label.asscalar()) == 2:
                    break
            assert next(iter(loader))[1].asscalar() == 0
        assert values(loader) == list(range(10))

    def test_anything_can_be_a_batch(self, options):
        def batchify(samples):
            return {
                "nd": nd.array(samples, dtype="int64"),
                "numpy": np.arange(6.0).reshape(2, 3)[:, ::2],
                "large": np.arange(10000),
                "text": "x" * 100000,
                "none": None,
                "empty": [nd.zeros((0, 3), dtype="uint8"), np.zeros((2, 0))],
                "bfloat16": nd.array([1, 2]).astype("bfloat16"),
                "bool": nd.array([1, 0], dtype="bool"),
                "transposed": nd.array([[1, 2], [3, 4]]).T,
                "numbers": tuple(samples),
            }

        with mx.util.np_shape():
            batches = list(gdata.DataLoader(list(range(5)), 2, batchify_fn=batchify, **options))
            assert plain_json(cases.plain([{k: v for k, v in b.items() if k != "bfloat16"} for b in batches])) == (
                plain_json(
                    cases.plain(
                        [{k: v for k, v in batchify(s).items() if k != "bfloat16"} for s in ([0, 1], [2, 3], [4])]
                    )
                )
            )
        assert batches[0]["bfloat16"].astype("float32").asnumpy().tolist() == [1, 2]
        batches[0]["nd"][:] = 7  # a batch may be written to
        batches[0]["large"][:] = 7
        assert batches[1]["nd"].asnumpy().tolist() == [2, 3] and batches[1]["large"][3] == 3

    def test_errors_are_those_of_the_data_set(self, options):
        def fail(data, label):
            if label == 5:
                raise ZeroDivisionError("label five")
            return data, label

        loader = gdata.DataLoader(PAIRS.transform(fail), 2, **options)
        seen = []
        with pytest.raises(ZeroDivisionError, match="label five") as caught:
            for _, label in loader:
                seen += label.asnumpy().tolist()
        assert seen == [0, 1, 2, 3]
        if options is PROCESSES:
            text = str(caught.value.__cause__)
            assert "in worker 0 (pid " in text and "in fail" in text and 'ZeroDivisionError("label five")' in text
        assert seen == [int(v) for _, label in zip(range(2), loader, strict=False) for v in label[1].asnumpy()]

    def test_errors_that_cannot_travel(self, options):
        class Local(Exception):
            def __init__(self, one, two):
                super().__init__(one)

        def fail(data, label):
            raise Local("strange", 2)

        with pytest.raises((mx.MXNetError, Local), match="strange"):
            list(gdata.DataLoader(PAIRS.transform(fail), 2, **options))

    def test_batches_that_cannot_travel(self, options):
        if options is PROCESSES:
            loader = gdata.DataLoader([1, 2], 1, batchify_fn=lambda samples: lambda: samples, **options)
            with pytest.raises(Exception, match="pickle"):
                list(loader)

    def test_timeout(self, options):
        def slow(data, label):
            if label == 4:
                time.sleep(30)
            return data, label

        loader = gdata.DataLoader(PAIRS.transform(slow), 2, timeout=0.5, **options)
        start = time.monotonic()
        with pytest.raises(TimeoutError, match=r"did not make its batch within 0\.5 seconds") as caught:
            list(loader)
        assert isinstance(caught.value, mx.MXNetError | multiprocessing.TimeoutError)
        assert time.monotonic() - start < 10

    def test_auto_reload(self, options, tmp_path):
        log = tmp_path / "log"
        log.write_text("")

        def note(data, label):
            with open(log, "a") as file:
                file.write(f"{label} ")
            return data, label

        def noted():
            deadline = time.monotonic() + 10
            while time.monotonic() < deadline and len(log.read_text().split()) < 2:
                time.sleep(0.01)
            return log.read_text().split()

        loader = gdata.DataLoader(PAIRS.transform(note).take(2), 1, auto_reload=True, **options)
        assert sorted(noted()) == ["0", "1"]  # before anybody asked
        log.write_text("")
        assert values(loader) == [0, 1]
        assert sorted(noted()) == ["0", "1"]  # the next epoch
        loader.clean()
        assert loader._iter is None
        loader.refresh()
        assert loader._iter is not None
        assert values(loader) == [0, 1]

    def test_a_sampler_that_fails(self, options):
        def batches():
            yield [0]
            yield [1]
            raise OSError("no more")

        with pytest.raises(OSError, match="no more"):
            list(gdata.DataLoader(PAIRS, batch_sampler=batches(), prefetch=1, **options))

    def test_used_from_several_threads(self, options):
        loader = gdata.DataLoader(PAIRS, 1, **options)
        results = []
        threads = [threading.Thread(target=lambda: results.append(values(loader))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert results == [list(range(10))] * 4

    def test_pinned(self, options):
        batch = next(iter(gdata.DataLoader(PAIRS, 4, pin_memory=True, pin_device_id=1, **options)))
        assert isinstance(batch, list) and batch[0].context == mx.cpu_pinned(1)


# ---- processes -------------------------------------------------------------------------------------------------------


def children():
    """The processes that this one has started and that do not end, though their owner was collected."""
    gc.collect()
    until = time.monotonic() + 20
    while multiprocessing.active_children() and time.monotonic() < until:
        time.sleep(0.01)
    return multiprocessing.active_children()


def descriptors():
    return len(os.listdir("/proc/self/fd"))


@pytest.fixture(autouse=True)
def _leaves_nothing_behind():
    yield
    if multiprocessing.active_children():  # else there is nothing to collect
        assert children() == []


@pytest.mark.parametrize(
    ("die", "how"),
    [
        (lambda: os._exit(3), "ended with exit code 3"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "was killed by SIGKILL .*memory"),
        (lambda: os.kill(os.getpid(), signal.SIGUSR1), "was killed by SIGUSR1"),
    ],
    ids=["exit", "kill", "signal"],
)
def test_a_worker_that_dies_is_named(die, how):
    def deadly(data, label):
        if label == 5:
            die()
        return data, label

    loader = gdata.DataLoader(PAIRS.transform(deadly), 2, prefetch=0, **PROCESSES)
    batches, other = iter(loader), iter(loader)
    assert values([next(other)]) == [0, 1]
    assert values([next(batches), next(batches)]) == [0, 1, 2, 3]
    with pytest.raises(mx.MXNetError, match=rf"worker \d \(pid \d+\) of the DataLoader {how}"):
        next(batches)
    with pytest.raises(mx.MXNetError, match="were stopped: worker"):
        list(other)
    assert values([next(iter(loader))]) == [0, 1]  # new workers


def test_a_worker_killed_from_outside_while_it_sleeps():
    loader = gdata.DataLoader(PAIRS, 1, prefetch=0, **PROCESSES)
    batches = iter(loader)
    next(batches)
    for process in multiprocessing.active_children():
        os.kill(process.pid, signal.SIGKILL)
    with pytest.raises(mx.MXNetError, match="SIGKILL"):
        list(batches)


def test_a_stopped_worker_is_ended():
    loader = gdata.DataLoader(PAIRS, 1, timeout=0.5, **PROCESSES)
    batches = iter(loader)
    next(batches)
    for process in multiprocessing.active_children():
        os.kill(process.pid, signal.SIGSTOP)
    with pytest.raises(TimeoutError):
        list(batches)
        list(loader)


def test_sys_exit_in_a_data_set_is_an_error_here():
    with pytest.raises(SystemExit):
        list(gdata.DataLoader(PAIRS.transform(lambda *_: sys.exit(1)), 2, **PROCESSES))


def test_processes_end_with_their_loader_and_nothing_leaks():
    before = descriptors()
    for _ in range(3):
        loader = gdata.DataLoader(PAIRS, 1, **PROCESSES)
        iterator = iter(loader)
        next(iterator)
        assert len(multiprocessing.active_children()) == 2
        del loader, iterator
        assert children() == []
    assert descriptors() <= before + 1


def test_many_batches_at_once_need_no_descriptors():
    loader = gdata.DataLoader(np.zeros((300, 2000), "float32"), 1, **PROCESSES)
    next(iter(loader))
    before = descriptors()
    batches = list(loader)
    assert len(batches) == 300 and descriptors() <= before + 2
    del batches


def test_abandoned_batches_are_given_back(tmp_path):
    log = tmp_path / "log"

    def slow(data, label):
        time.sleep(0.05)
        with open(log, "a") as file:
            file.write(f"{label}\n")
        return data, label

    loader = gdata.DataLoader(PAIRS.transform(slow), 1, prefetch=8, **PROCESSES)
    next(iter(loader))
    start = len(log.read_text().split())
    next(iter(loader))  # need not wait for the eight that nobody wants
    assert start + len(log.read_text().split()) < 2 * 8
    assert values(loader) == list(range(10))
    assert len(loader._workers._ready) == 0


def test_a_program_that_ends_in_the_middle_of_an_iteration():
    program = """
import mxnet as mx, numpy as np, multiprocessing, sys
loader = mx.gluon.data.DataLoader(np.zeros((100, 3)), 1, num_workers=2)
iterator = iter(loader)
next(iterator)
print(*[p.pid for p in multiprocessing.active_children()], flush=True)
if len(sys.argv) > 1:
    import os, signal
    os.kill(os.getpid(), signal.SIGKILL)
"""
    for arguments in ([], ["kill"]):
        command = [sys.executable, "-W", "error", "-c", program, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT)
        assert done.stderr == "" and done.returncode == (-signal.SIGKILL if arguments else 0)
        pids = [int(pid) for pid in done.stdout.split()]
        deadline = time.monotonic() + 10
        while any(os.path.exists(f"/proc/{pid}") for pid in pids) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(pids) == 2 and not any(os.path.exists(f"/proc/{pid}") for pid in pids)


def test_workers_after_torch_and_opencv_used_their_threads():
    program = """
import cv2, numpy as np, torch
torch.set_num_threads(4); cv2.setNumThreads(4)
torch.ones(900, 900) @ torch.ones(900, 900); torch.ones(10**6).exp()
cv2.GaussianBlur(np.zeros((1000, 1000, 3), 'uint8'), (5, 5), 0)
import mxnet as mx
def work(x):
    torch.ones(10**6).exp()
    cv2.GaussianBlur(np.zeros((1000, 1000, 3), 'uint8'), (5, 5), 0)
    return (mx.nd.dot(mx.nd.ones((600, 600)), mx.nd.ones((600, 600))) * x).sum().astype('float32')
dataset = mx.gluon.data.SimpleDataset([1, 2, 3, 4]).transform(work)
print([b.asscalar() / 600 ** 3 for b in mx.gluon.data.DataLoader(dataset, 1, num_workers=2, timeout=30)])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=100, cwd=ROOT, env=_no_limits()
    )
    assert done.returncode == 0, done.stderr
    assert "1.0" in done.stdout and "4.0" in done.stdout


def _no_limits():
    return {key: value for key, value in os.environ.items() if key != "OMP_NUM_THREADS"}


def test_recording_does_not_follow_into_workers():
    def state(data, label):
        return int(mx.autograd.is_recording()), int(mx.autograd.is_training())

    with mx.autograd.record():
        batch = next(iter(gdata.DataLoader(PAIRS.transform(state), 2, **PROCESSES)))
    assert [part.asnumpy().tolist() for part in batch] == [[0, 0], [0, 0]]


def draws(**options):
    def draw(index):
        return (
            random.random(),
            np.random.rand(),
            float(nd.random.uniform(shape=(1,)).asscalar()),
            float(torch.rand(())),
            os.getpid(),
        )

    loader = gdata.DataLoader(gdata.SimpleDataset(list(range(8))).transform(draw), 2, **options)
    columns = [np.concatenate([batch[i].asnumpy() for batch in loader]) for i in range(5)]
    return np.stack(columns[:4]), columns[4]


def seed_all(value):
    random.seed(value)
    np.random.seed(value)
    mx.random.seed(value)
    torch.manual_seed(value)
    workers._counter = iter(range(1000))


def test_random_numbers_of_workers():
    seed_all(1)
    before = random.getstate(), np.random.get_state()[1].tolist(), np.random.get_state()[2]
    first, processes = draws(**PROCESSES)
    assert before == (random.getstate(), np.random.get_state()[1].tolist(), np.random.get_state()[2])
    assert len(set(processes.tolist())) > 1
    for kind in first:
        assert len(set(kind.tolist())) == 8  # no two workers draw the same
    second, _ = draws(**PROCESSES)
    assert not np.isin(first, second).any()  # nor two loaders
    seed_all(1)
    assert np.array_equal(draws(**PROCESSES)[0], first)
    for seed in (random.seed, np.random.seed, mx.random.seed):
        seed_all(1)
        seed(2)
        assert not np.isin(draws(**PROCESSES)[0], first).any()


def test_where_there_are_no_files_in_memory(monkeypatch):
    monkeypatch.setattr(shared, "_HAS_MEMORY_FILES", False)
    loader = gdata.DataLoader(np.arange(40000).reshape(4, 10000), 2, **PROCESSES)
    batches = list(loader)
    assert np.array_equal(np.concatenate([b.asnumpy() for b in batches]), np.arange(40000).reshape(4, 10000))
    batches[0][:] = 1


def test_where_there_is_no_fork(monkeypatch):
    monkeypatch.setattr(workers, "_start_method", lambda: "spawn")
    dataset = gdata.ArrayDataset(np.arange(8.0).reshape(4, 2), list(range(4)))
    assert values(gdata.DataLoader(dataset, 2, num_workers=1)) == [0, 1, 2, 3]


def test_start_methods(monkeypatch):
    assert workers._start_method() == "fork"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert workers._start_method() == "spawn"
    assert workers._signal_name(9) == "SIGKILL" and workers._signal_name(250) == "signal 250"


def test_a_forked_child_does_not_touch_its_parents_workers():
    loader = gdata.DataLoader(PAIRS, 1, **PROCESSES)
    iterator = iter(loader)
    next(iterator)
    pid = os.fork()
    if not pid:
        iterator.close()
        loader._workers._finalizer()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    assert values(iterator) == list(range(1, 10))


def test_loaders_inside_of_each_other():
    outer = gdata.DataLoader(PAIRS, 5, **PROCESSES)
    seen = []
    for _, label in outer:
        inner = gdata.DataLoader(gdata.SimpleDataset(label), 2, **PROCESSES)
        seen += [int(v) for batch in inner for v in batch.asnumpy().ravel()]
    assert seen == list(range(10))


def test_record_files_are_read_by_all_workers(tmp_path):
    name = str(tmp_path / "some.rec")
    with recordio.MXIndexedRecordIO(str(tmp_path / "some.idx"), name, "w") as writer:
        for i in range(40):
            writer.write_idx(i, bytes([i]) * (i + 1))
    dataset = gdata.RecordFileDataset(name)
    assert len(dataset) == 40 and dataset[3] == b"\3" * 4 and dataset[-1] == b"\x27" * 40
    assert dataset.idx_file == str(tmp_path / "some.idx") and dataset.filename == name
    lengths = dataset.transform(lambda record: (record[0], len(record)))
    for options in ({}, PROCESSES, THREADS):
        for batch in gdata.DataLoader(lengths, 5, shuffle=True, **options):
            assert (batch[0] + 1 == batch[1]).asnumpy().all()
    with pytest.raises(IndexError):
        dataset[40]
    with pytest.raises(OSError, match="none"):
        gdata.RecordFileDataset(str(tmp_path / "none.rec"))


# ---- what the first DataLoader was made of ---------------------------------------------------------------------------


def test_queues_of_the_first_loader():
    module = gluon.data.dataloader
    keys, batches = module.Queue(), module.SimpleQueue()
    context = multiprocessing.get_context("fork")
    function = gluon.data.dataloader.default_mp_batchify_fn
    process = context.Process(target=module.worker_loop_v1, args=(PAIRS, keys, batches, function))
    process.start()
    keys.put((0, [1, 2]))
    keys.put((1, [3]))
    buffer, lock = {}, threading.Lock()
    fetcher = threading.Thread(target=module.fetcher_loop_v1, args=(batches, buffer, True, 0, lock), daemon=True)
    fetcher.start()
    deadline = time.monotonic() + 30
    while len(buffer) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    keys.put((None, None))
    process.join(10)
    batches.put((None, None))
    fetcher.join(10)
    assert buffer[0][0].asnumpy().tolist() == [[2, 3], [4, 5]] and buffer[1][1].asnumpy().tolist() == [3]
    assert buffer[0][0].context == mx.cpu_pinned(0)
    keys.close()
    keys.join_thread()
    batches.close()


def test_arrays_through_a_wrapped_connection():
    module = gluon.data.dataloader
    one, two = (module.ConnectionWrapper(c) for c in multiprocessing.get_context("fork").Pipe())
    one.send({"x": nd.arange(6).reshape((2, 3)).T, "y": [1], "z": mx.np.arange(4, dtype="int64").reshape(2, 2)})
    received = two.recv()
    assert received["x"].asnumpy().tolist() == [[0, 3], [1, 4], [2, 5]] and received["y"] == [1]
    assert received["x"].context == mx.cpu_shared(0) and not two.closed
    assert type(received["z"]) is mx.np.ndarray and received["z"].dtype == "int64"
    assert received["z"].tolist() == [[0, 1], [2, 3]] and received["z"].context == mx.cpu_shared(0)
    one.close()
    two.close()


# ---- image data sets -------------------------------------------------------------------------------------------------


def write_idx(path, array):
    content = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes() + array.tobytes()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


@pytest.fixture
def digits(tmp_path):
    """A directory with 20 images for training, gzipped, and 10 for tests, plain."""
    images = np.random.randint(0, 256, (30, 28, 28)).astype("uint8")
    labels = np.arange(30).astype("uint8") % 10
    write_idx(tmp_path / "train-images-idx3-ubyte.gz", images[:20])
    write_idx(tmp_path / "train-labels-idx1-ubyte.gz", labels[:20])
    write_idx(tmp_path / "t10k-images-idx3-ubyte", images[20:])
    write_idx(tmp_path / "t10k-labels-idx1-ubyte", labels[20:])
    return tmp_path, images, labels


@pytest.fixture
def no_network(monkeypatch):
    tried = []

    def download(url, **options):
        tried.append((url, options))
        raise mx.error.MXNetFileError("no network")

    monkeypatch.setattr(vision, "download", download)
    return tried


@pytest.mark.parametrize("kind", [vision.MNIST, vision.FashionMNIST])
def test_mnist(digits, kind, no_network):
    root, images, labels = digits
    train, test = kind(root), kind(str(root), train=False)
    assert len(train) == 20 and len(test) == 10
    data, label = train[3]
    assert data.shape == (28, 28, 1) and data.dtype == np.uint8 and data.context == mx.cpu()
    assert label == 3 and label.dtype == np.int32
    assert np.array_equal(test._data.asnumpy()[..., 0], images[20:]) and test._label.tolist() == labels[20:].tolist()
    data, label = train[2:5]
    assert data.shape == (3, 28, 28, 1) and label.tolist() == [2, 3, 4]
    old = kind(root, True, lambda d, n: (d.astype("float32") / 255, n.astype("float32")))
    data, label = old[3]
    assert data.dtype == np.float32 and data.asnumpy().max() <= 1 and label.dtype == np.float32
    for dataset in (train, old, train.transform_first(lambda d: d.astype("float32"))):
        for options in ({}, PROCESSES):
            batches = list(gdata.DataLoader(dataset, 8, **options))
            assert [b[0].shape for b in batches] == [(8, 28, 28, 1)] * 2 + [(4, 28, 28, 1)]
            assert np.concatenate([b[1].asnumpy() for b in batches]).tolist() == labels[:20].tolist()
    assert no_network == []


def test_missing_files_are_named(digits, no_network):
    root, _, _ = digits
    (root / "train-labels-idx1-ubyte.gz").unlink()
    with pytest.raises(mx.MXNetError) as caught:
        vision.MNIST(root)
    text = str(caught.value)
    assert "train-labels-idx1-ubyte.gz (SHA-1 2a80914081dc54586dbdf242f9805a6b8d2a15fc)" in text
    assert "train-images" not in text and str(root) in text and "no network" in text
    with pytest.raises(OSError, match=r"train-images-idx3-ubyte\.gz .* and train-labels-idx1-ubyte\.gz"):
        vision.FashionMNIST(root / "new" / "directory")
    ((_, _), (url, options)) = no_network
    assert url.endswith("/gluon/dataset/fashion-mnist/train-images-idx3-ubyte.gz")
    assert options["sha1_hash"] == "0cf37b0d40ed5169c6b3aba31069a9770ac9043d"
    with pytest.raises(
        mx.MXNetError, match=r"cifar-10-binary\.tar\.gz \(SHA-1 fab780a1.*data_batch_1\.bin, data_batch_2"
    ):
        vision.CIFAR10(root)
    with pytest.raises(mx.MXNetError, match=r"cifar-100-binary\.tar\.gz .*train\.bin"):
        vision.CIFAR100(root)


def test_missing_files_are_fetched(digits, tmp_path, monkeypatch):
    root, _, labels = digits
    repository = tmp_path / "repository" / "gluon" / "dataset" / "mnist"
    repository.mkdir(parents=True)
    for name in ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"):
        (root / name).rename(repository / name)
    monkeypatch.setenv("MXNET_GLUON_REPO", (tmp_path / "repository").as_uri())
    target = tmp_path / "a" / "b"
    with pytest.raises(mx.MXNetError, match="does not have the SHA-1"):
        vision.MNIST(target)
    for part, name in (("_train_data", "train-images-idx3-ubyte.gz"), ("_train_label", "train-labels-idx1-ubyte.gz")):
        sha1 = __import__("hashlib").sha1((repository / name).read_bytes()).hexdigest()
        monkeypatch.setattr(vision.MNIST, part, (name, sha1))
    assert vision.MNIST(target)._label.tolist() == labels[:20].tolist()
    assert sorted(p.name for p in target.iterdir()) == ["train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"]


def test_damaged_files_are_told(digits, no_network):
    root, _, _ = digits
    labels = root / "train-labels-idx1-ubyte.gz"
    content = labels.read_bytes()
    labels.write_bytes(content[:-10])
    with pytest.raises(mx.MXNetError, match="train-labels"):
        vision.MNIST(root)
    write_idx(labels, np.zeros(7, "uint8"))
    with pytest.raises(mx.MXNetError, match=r"20 images, but .* 7 labels"):
        vision.MNIST(root)


def cifar_content(count, labels):
    rows = np.random.randint(0, 256, (count, labels + 3072)).astype("uint8")
    rows[:, :labels] %= 20
    return rows


@pytest.mark.parametrize("place", [".", "cifar-10-batches-bin", "archive", "flat archive"])
def test_cifar10(tmp_path, place, no_network):
    names = [f"data_batch_{i}.bin" for i in range(1, 6)]
    rows = {name: cifar_content(3, 1) for name in [*names, "test_batch.bin"]}
    folder = tmp_path / ("source" if "archive" in place else place)
    folder.mkdir(exist_ok=True)
    for name, content in rows.items():
        (folder / name).write_bytes(content.tobytes())
    if "archive" in place:
        with tarfile.open(tmp_path / "cifar-10-binary.tar.gz", "w:gz") as archive:
            archive.add(folder, "." if place == "flat archive" else "cifar-10-batches-bin")
    train, test = vision.CIFAR10(tmp_path), vision.CIFAR10(tmp_path, False, lambda d, n: (d, n + 1))
    expected = np.concatenate([rows[name] for name in names])
    assert len(train) == 15 and len(test) == 3
    assert np.array_equal(train._data.asnumpy(), expected[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1))
    assert train._label.tolist() == expected[:, 0].tolist() and train._label.dtype == np.int32
    assert test[1][0].shape == (32, 32, 3) and test[1][1] == rows["test_batch.bin"][1, 0] + 1
    assert no_network == []


def test_cifar100(tmp_path):
    rows = cifar_content(4, 2)
    (tmp_path / "train.bin").write_bytes(rows.tobytes())
    (tmp_path / "test.bin").write_bytes(rows.tobytes()[:-1])
    coarse, fine = vision.CIFAR100(tmp_path), vision.CIFAR100(tmp_path, True)
    assert coarse._label.tolist() == rows[:, 0].tolist() and fine._label.tolist() == rows[:, 1].tolist()
    assert np.array_equal(fine[2][0].asnumpy(), rows[2, 2:].reshape(3, 32, 32).transpose(1, 2, 0))
    with pytest.raises(mx.MXNetError, match=r"test\.bin .* is damaged: it has 12295 bytes"):
        vision.CIFAR100(tmp_path, train=False)
    other = tmp_path / "other"
    other.mkdir()
    (other / "cifar-100-binary.tar.gz").write_bytes(b"no archive")
    with pytest.raises(mx.MXNetError, match="not a complete tar archive"):
        vision.CIFAR100(other)
    with tarfile.open(other / "cifar-100-binary.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "train.bin", "train.bin")
    with pytest.raises(mx.MXNetError, match=r"lacks test\.bin"):
        vision.CIFAR100(other, train=False)


@pytest.fixture
def folder(tmp_path):
    import cv2

    picture = cases.picture(6, 5)
    for name in ("b/x.jpeg", "b/y.JPG", "a/2.png", "a/10.PNG", "a/1.jpg", "B2/q.png"):
        path = tmp_path / "images" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), picture[:, :, ::-1])
    (tmp_path / "images" / "empty").mkdir()
    return tmp_path / "images", picture


def test_image_folder(folder):
    root, picture = folder
    dataset = vision.ImageFolderDataset(root)
    assert dataset.synsets == ["B2", "a", "b", "empty"]
    assert [(os.path.relpath(f, root), label) for f, label in dataset.items] == [
        ("B2/q.png", 0),
        ("a/1.jpg", 1),
        ("a/10.PNG", 1),
        ("a/2.png", 1),
        ("b/x.jpeg", 2),
        ("b/y.JPG", 2),
    ]
    data, label = dataset[3]
    assert len(dataset) == 6 and label == 1 and type(label) is int
    assert np.array_equal(data.asnumpy(), picture) and data.dtype == np.uint8
    gray = vision.ImageFolderDataset(str(root), 0, lambda d, n: (d.astype("float32"), -n))
    assert gray[5][0].shape == (6, 5, 1) and gray[5][1] == -2
    for options in ({}, PROCESSES, THREADS):
        (batch,) = gdata.DataLoader(dataset, 6, **options)
        assert batch[0].shape == (6, 6, 5, 3) and batch[1].asnumpy().tolist() == [0, 1, 1, 1, 2, 2]
    (root / "a" / "notes.txt").write_text("")
    with pytest.warns(UserWarning, match=r"Ignoring .*notes\.txt of type \.txt\. Only support \.jpg, \.jpeg, \.png"):
        vision.ImageFolderDataset(root)
    (root / "a" / "notes.txt").rename(root / "README")
    with pytest.warns(UserWarning, match="Ignoring .*README, which is not a directory"):
        assert len(vision.ImageFolderDataset(root)) == 6
    with pytest.raises(FileNotFoundError):
        vision.ImageFolderDataset(root / "none")
    (root / "a" / "0.png").write_bytes(b"no image")
    (root / "README").unlink()
    with pytest.raises(mx.MXNetError, match=r"0\.png"):
        vision.ImageFolderDataset(root)[1]


def test_image_records(tmp_path):
    picture = cases.picture(6, 5)
    name = tmp_path / "images.rec"
    with recordio.MXIndexedRecordIO(str(tmp_path / "images.idx"), str(name), "w") as writer:
        for i in range(3):
            header = recordio.IRHeader(0, i if i < 2 else [i, 5], i, 0)
            writer.write_idx(i, recordio.pack_img(header, picture[:, :, ::-1], 3, ".png"))
    dataset = vision.ImageRecordDataset(name)
    assert len(dataset) == 3 and np.array_equal(dataset[1][0].asnumpy(), picture)
    assert dataset[1][1] == 1.0 and dataset[2][1].tolist() == [2, 5]
    gray = vision.ImageRecordDataset(str(name), 0, lambda d, n: (d.shape, n))
    assert gray[1] == ((6, 5, 1), 1.0)
    (batch,) = gdata.DataLoader(dataset.take(2), 2, **PROCESSES)
    assert batch[0].shape == (2, 6, 5, 3) and batch[1].asnumpy().tolist() == [0, 1]


def test_image_lists(folder):
    root, picture = folder
    (root / "all.lst").write_text("0\t3\ta/2.png\n1\t1.5\t2\tB2/q.png\n\n")
    dataset = vision.ImageListDataset(root, "all.lst")
    assert len(dataset) == 2 and dataset[0][1] == 3 and dataset[1][1].tolist() == [1.5, 2]
    assert np.array_equal(dataset[1][0].asnumpy(), picture)
    dataset = vision.ImageListDataset(root, [[1, "a/2.png"], [[2, 3], "B2/q.png"]], flag=0)
    assert dataset[0][1] == 1 and dataset[1][1].tolist() == [2, 3] and dataset[1][0].shape == (6, 5, 1)
    with pytest.raises(mx.MXNetError, match="imglist must be"):
        vision.ImageListDataset(root)
    with pytest.raises(mx.MXNetError, match="labels and the name"):
        vision.ImageListDataset(root, [["a/2.png"]])


# ---- real data -------------------------------------------------------------------------------------------------------


@pytest.mark.skipif("MXNET_TEST_MNIST" not in os.environ, reason="MXNET_TEST_MNIST does not name MNIST's directory")
def test_real_mnist():
    root = os.environ["MXNET_TEST_MNIST"]
    train, test = vision.MNIST(root), vision.MNIST(root, train=False)
    assert len(train) == 60000 and len(test) == 10000
    assert train._label[:10].tolist() == [5, 0, 4, 1, 9, 2, 1, 3, 1, 4]
    assert round(float(train._data.asnumpy().mean()), 4) == 33.3184
    counts = np.zeros(10, int)
    to_tensor = gdata.vision.transforms.ToTensor()
    for data, label in gdata.DataLoader(test.transform_first(to_tensor), 256, num_workers=2):
        assert data.shape[1:] == (1, 28, 28) and data.dtype == np.float32
        counts += np.bincount(label.asnumpy(), minlength=10)
    assert counts.tolist() == [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]


class _Squares:
    """A data set that a pool's workers can read."""

    def __len__(self):
        return 7

    def __getitem__(self, i):
        return nd.array([i, i * i])


class _OwnPush(_MultiWorkerIter):
    """A loader of a package, made of the borrowed iterator: it hands the work out in a way of its own."""

    def _push_next(self):
        indices = next(self._iter, None)
        if indices is not None:
            answer = self._worker_pool.apply_async(_worker_fn, (indices, self._batchify_fn, self._dataset))
            self._data_buffer[self._sent_idx] = answer
            self._sent_idx += 1


@pytest.mark.parametrize("kind", [_MultiWorkerIter, _OwnPush])
def test_batches_made_by_a_pool_of_the_callers(kind):
    sampler = gdata.BatchSampler(gdata.SequentialSampler(7), 3, "keep")
    with multiprocessing.get_context("fork").Pool(2) as pool:
        batches = kind(pool, default_batchify_fn, sampler, worker_fn=_worker_fn, prefetch=2, dataset=_Squares())
        assert len(batches) == 3
        got = [batch.asnumpy().tolist() for batch in batches]
    assert got == [[[i, i * i] for i in part] for part in ([0, 1, 2], [3, 4, 5], [6])]


def test_a_pool_that_does_not_answer_is_reported():
    with multiprocessing.pool.ThreadPool(1) as pool:
        slow = _MultiWorkerIter(pool, None, [[0]], worker_fn=lambda *task: time.sleep(1), timeout=0.05)
        with pytest.raises(mx.base.MXNetError, match=r"no batch for 0\.05 seconds"):
            next(slow)
