"""Ctrl-C at any moment reaches the program, which can go on; and the program can exit while threads run operators."""

import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import numpy as np
import pytest

from mxnet import recordio
from mxnet._core import threads

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs the signals and processes of Unix")

PROGRAM = r"""
import gc, multiprocessing, os, sys, tempfile
import numpy as np
import mxnet as mx
from mxnet import gluon, nd

kind, records = sys.argv[1:]
pairs = gluon.data.ArrayDataset(nd.arange(400).reshape((100, 4)), nd.arange(100))
turn = 0

def batches(**options):
    # alternately: the same loader again; one of its own, that is collected in the middle
    kept = gluon.data.DataLoader(pairs, 3, shuffle=True, num_workers=2, **options)
    def work():
        global turn
        turn += 1
        loader = kept if turn % 2 else gluon.data.DataLoader(pairs, 10, num_workers=2, **options)
        for number, (data, label) in enumerate(loader):
            assert (data[:, 0] == 4 * label).asnumpy().all()
            if number == 5:
                break
        if loader is kept:
            assert sorted(v for _, label in kept for v in label.asnumpy().tolist()) == list(range(100))
    return work

def images():
    def work():
        global turn
        turn += 1
        it = mx.io.ImageRecordIter(path_imgrec=records, data_shape=(3, 24, 24), batch_size=8, preprocess_threads=2)
        for _ in range(2):
            for number, batch in enumerate(it):
                assert batch.data[0].shape == (8, 3, 24, 24)
                if number == turn % 5:
                    break
            it.reset()
    return work

def fit():
    data = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=16, name="fc1")
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.relu(data), num_hidden=4, name="fc2"), name="softmax")
    x, y = np.random.rand(64, 8).astype("float32"), np.random.randint(0, 4, 64)
    def work():
        it = mx.io.PrefetchingIter(mx.io.NDArrayIter(x, y, 8, shuffle=True))
        mx.mod.Module(net).fit(it, num_epoch=3, eval_data=mx.io.NDArrayIter(x, y, 8))
    return work

KINDS = {"processes": batches, "threads": lambda: batches(thread_pool=True), "images": images, "fit": fit}
work = KINDS[kind]()
work()
before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
for line in sys.stdin:
    try:
        print("ready", flush=True)
        while True:
            work()
    except KeyboardInterrupt:
        print("caught", flush=True)
work()  # all of it can still be used
del work
gc.collect()
if before:
    import time
    until = time.monotonic() + 20
    while len(os.listdir("/proc/self/fd")) > before and time.monotonic() < until:
        time.sleep(0.01)
    assert len(os.listdir("/proc/self/fd")) <= before, "files are left open"
print("end", flush=True)
"""


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    cv2 = pytest.importorskip("cv2")
    folder = tmp_path_factory.mktemp("records")
    pixels = np.random.RandomState(1).randint(0, 255, (32, 32, 3), np.uint8)
    content = cv2.imencode(".jpg", pixels)[1].tobytes()
    with recordio.MXIndexedRecordIO(folder / "a.idx", folder / "a.rec", "w") as writer:
        for i in range(64):
            writer.write_idx(i, recordio.pack(recordio.IRHeader(0, float(i), i, 0), content))
    return str(folder / "a.rec")


def interrupt(kind, records, count, seed):
    """Interrupts the program above at ``count`` random moments, as a terminal does: the whole group of processes."""
    moments = random.Random(seed)
    program = subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-c", PROGRAM, kind, records],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    hangs = threading.Timer(60 + count, os.kill, (program.pid, signal.SIGABRT))  # it then says where
    hangs.start()
    said = []
    try:
        for _ in range(count):
            program.stdin.write("go on\n")
            program.stdin.flush()
            said.append(program.stdout.readline())
            time.sleep(moments.choice([moments.uniform(0, 0.02), moments.uniform(0, 0.3)]))
            os.killpg(program.pid, signal.SIGINT)
            said.append(program.stdout.readline())
            if said[-1] != "caught\n":
                break
        rest, errors = program.communicate()
        with suppress(ProcessLookupError):
            os.killpg(program.pid, 0)
            said.append("processes are left")
    finally:
        hangs.cancel()
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
    assert program.returncode == 0, f"after {said[-4:]}:\n{errors}"
    assert said == ["ready\n", "caught\n"] * count and rest == "end\n"
    assert "ignored" not in errors and "Traceback" not in errors, errors
    shared = pathlib.Path("/dev/shm")
    assert not shared.is_dir() or not [f.name for f in shared.iterdir() if str(program.pid) in f.name]


KINDS = ["processes", "threads", "images", "fit"]


@pytest.mark.parametrize("kind", KINDS)
def test_interrupts(kind, records):
    interrupt(kind, records, 10, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_many_interrupts(kind, records):
    interrupt(kind, records, 100, seed=2)


class Owner:
    pass


def test_an_interrupt_while_an_owner_is_collected_is_not_lost():
    """The function that cleans up runs in another thread, so that it cannot be given the interrupt."""
    ran, go_on = [], threading.Event()

    def clean():
        ran.append(threading.current_thread())
        go_on.wait(20)

    owner = Owner()
    cleanup = threads.WhenCollected(owner, clean)
    assert cleanup.alive
    with pytest.raises(KeyboardInterrupt):
        try:
            del owner
            signal.raise_signal(signal.SIGINT)
            time.sleep(20)
        finally:
            go_on.set()
    until = time.monotonic() + 20
    while cleanup.alive and time.monotonic() < until:
        time.sleep(0.01)
    assert len(ran) == 1 and ran[0] is not threading.current_thread() and not cleanup.alive


def test_a_cleanup_that_is_interrupted_is_done_later():
    calls = []

    def clean():
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt

    owner = Owner()
    cleanup = threads.WhenCollected(owner, clean)
    with pytest.raises(KeyboardInterrupt):
        cleanup()
    cleanup()
    cleanup()
    assert len(calls) == 2 and not cleanup.alive


EXIT = """
import threading, time, sys
import numpy as np
import mxnet as mx
from mxnet import nd, autograd, gluon

class Slow(autograd.Function):
    def forward(self, x):
        return x * 2
    def backward(self, dy):
        time.sleep(0.001)
        return dy * 2

x = nd.ones((64, 64))
def forward():
    while True:
        nd.dot(x, x).sum().asnumpy()

def backward():
    w = nd.ones((64, 64))
    w.attach_grad()
    while True:
        with autograd.record():
            y = Slow()(nd.dot(x, w)).sum()
        y.backward()

def train():
    net = gluon.nn.Dense(8)
    net.initialize()
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    while True:
        with autograd.record():
            y = net(x).sum()
        y.backward()
        trainer.step(1)

def load(thread_pool=True):
    slow = gluon.data.SimpleDataset(list(range(10000))).transform(lambda i: nd.ones((50, 50)) * i)
    for _ in gluon.data.DataLoader(slow, 10, num_workers=2, thread_pool=thread_pool):
        pass

def load_by_processes():
    load(False)

def wait():
    threading.Event().wait()

def sleep():
    nd.array([1, 2]).asnumpy()
    nd.ones(3).wait_to_read()
    class Waiting(autograd.Function):
        def forward(self, x):
            time.sleep(1000)
    Waiting()(nd.ones(1))

for _ in range(2):
    threading.Thread(target=globals()[sys.argv[1]], daemon=True).start()
time.sleep(0.3)
print("end", flush=True)
"""


@pytest.mark.parametrize("kind", ["forward", "backward", "train", "load", "load_by_processes", "wait", "sleep"])
def test_exit_while_daemon_threads_run_operators(kind):
    """Before Python 3.14, a thread that is inside of an operator of torch's would abort the process."""
    done = subprocess.run([sys.executable, "-c", EXIT, kind], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout == "end\n" and done.stderr == "", done.stderr
