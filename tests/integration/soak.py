"""Work that is repeated for a long time, and what it leaves: memory, files, threads, processes.

``python tests/integration/soak.py --minutes 120`` mixes all kinds of work at random and prints what the process holds.
``test_soak.py`` runs each kind for seconds.
"""

import argparse
import ctypes
import gc
import itertools
import os
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

KINDS = {}


def kind(make):
    """Registers a function that sets up a kind of work in a folder and returns the step that is repeated."""
    KINDS[make.__name__] = make
    return make


@kind
def eager(folder):
    x, y = nd.ones((8, 8)), nd.ones((8, 8))

    def step():
        z = nd.dot(x, y).relu().sum(axis=1)
        x[2:4] = z[0] / 100
        (x + y * 2).asnumpy()

    return step


@kind
def odd_shapes(folder):
    """Shapes that never come again: what is kept by shape must be bounded."""
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, padding=1, in_channels=1), nn.GlobalAvgPool2D(), nn.Dense(2, in_units=4))
    net.initialize()
    net.hybridize()
    sizes = iter(range(10**9))

    def step():
        i = next(sizes)
        net(nd.ones((1 + i % 7, 1, 4 + i // 7 % 40, 4 + i // 280 % 40))).asnumpy()
        nd.ones((1, i % 1000 + 1)).tile((2, 1)).sum().asscalar()

    for _ in range(1500):  # oneDNN keeps the code of its last 1024 shapes
        step()
    return step


def _trained(hybridize):
    net = nn.HybridSequential()
    net.add(nn.Dense(16, activation="relu"), nn.BatchNorm(), nn.Dropout(0.5), nn.Dense(4))
    net.initialize()
    if hybridize:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam")
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    x, y = nd.random.normal(shape=(8, 10)), nd.array([0, 1, 2, 3] * 2)

    def step():
        with autograd.record():
            found = loss(net(x), y)
        found.backward()
        trainer.step(8)

    return step


@kind
def training(folder):
    return _trained(hybridize=False)


@kind
def hybridized_training(folder):
    return _trained(hybridize=True)


@kind
def recurrent(folder):
    net = gluon.rnn.LSTM(8, num_layers=2, input_size=4)
    net.initialize()
    x = nd.random.normal(shape=(5, 2, 4))

    def step():
        state = net.begin_state(2)
        with autograd.record():
            out, state = net(x, state)
        out.backward()

    return step


def _mlp():
    data = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=8, name="fc1")
    data = mx.sym.Activation(data, act_type="tanh")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=3, name="fc2"), name="softmax")


@kind
def module(folder):
    batches = mx.io.NDArrayIter(np.ones((12, 5), "float32"), np.zeros(12), batch_size=4)
    found = mx.mod.Module(_mlp())
    found.bind(batches.provide_data, batches.provide_label)
    found.init_params()
    found.init_optimizer()
    metric = mx.metric.Accuracy()

    def step():
        batches.reset()
        for batch in batches:
            found.forward_backward(batch)
            found.update()
            found.update_metric(metric, batch.label)

    return step


@kind
def binding(folder):
    """New symbols, executors and files of symbols."""

    def step():
        symbol = mx.sym.load_json(_mlp().tojson())
        symbol.infer_shape(data=(2, 5))
        bound = symbol.simple_bind(mx.cpu(), data=(2, 5))
        bound.forward(is_train=True)
        bound.backward()

    return step


@kind
def new_networks(folder):
    def step():
        net = nn.HybridSequential()
        net.add(nn.Dense(4), nn.Dense(2))
        net.initialize()
        net.hybridize()
        net(nd.ones((1, 3))).asnumpy()

    return step


@kind
def files(folder):
    arrays = {"a": nd.ones((10, 10)), "b": nd.ones((3,))}
    path = str(folder / "arrays.params")

    def step():
        nd.save(path, arrays)
        nd.load(path)

    return step


@kind
def errors(folder):
    net = nn.Dense(3, in_units=4)
    net.initialize()

    def step():
        for wrong in (
            lambda: nd.dot(nd.ones((2, 3)), nd.ones((2, 3))),
            lambda: net(nd.ones((2, 5))),
            lambda: mx.sym.FullyConnected(num_hidden="many"),
            lambda: nd.load(str(folder / "absent")),
            lambda: nd.ones((2, 2)).backward(),
        ):
            try:
                wrong()
            except (mx.MXNetError, OSError):
                continue
            raise AssertionError("no error")

    return step


@kind
def loader(folder):
    dataset = gluon.data.ArrayDataset(np.ones((32, 4), "float32"), np.zeros(32))
    with_threads = gluon.data.DataLoader(dataset, 8, num_workers=2, thread_pool=True)
    plain = gluon.data.DataLoader(dataset, 8, shuffle=True)

    def step():
        for batches in (plain, with_threads):
            for x, _ in batches:
                x.sum().asscalar()

    return step


@kind
def worker_processes(folder):
    dataset = gluon.data.ArrayDataset(np.ones((8, 4), "float32"))

    def step():
        for x in gluon.data.DataLoader(dataset, 4, num_workers=1):
            x.sum().asscalar()

    step.slow = True
    return step


@kind
def records(folder):
    path = str(folder / "images.rec")
    image = np.random.RandomState(0).randint(0, 255, (24, 24, 3)).astype("uint8")
    with mx.recordio.MXIndexedRecordIO(str(folder / "images.idx"), path, "w") as writer:
        for i in range(16):
            writer.write_idx(i, mx.recordio.pack_img(mx.recordio.IRHeader(0, i, i, 0), image))
    batches = mx.io.ImageRecordIter(
        path_imgrec=path, data_shape=(3, 20, 20), batch_size=4, rand_crop=True, shuffle=True
    )

    def step():
        batches.reset()
        for batch in batches:
            batch.data[0].wait_to_read()

    step.slow = True
    return step


@kind
def sparse(folder):
    weight = nd.sparse.row_sparse_array((np.ones((2, 3)), [1, 4]), shape=(6, 3))
    matrix = nd.sparse.csr_matrix(np.eye(4, 6))

    def step():
        nd.sparse.dot(matrix, weight).asnumpy()
        weight.tostype("default").tostype("row_sparse")
        nd.sparse.retain(weight, nd.array([1]))

    return step


@kind
def numpy_arrays(folder):
    x = mx.np.ones((4, 4))

    def step():
        (mx.np.dot(x, x) + 1).mean(axis=0).asnumpy()
        mx.np.where(x > 0, x, -x)[1:3].tolist()

    return step


@kind
def stores(folder):
    store = mx.kv.create("local")
    store.init("w", nd.ones((4, 4)))
    out = nd.zeros((4, 4))

    def step():
        store.push("w", [nd.ones((4, 4)), nd.ones((4, 4))])
        store.pull("w", out=out)

    return step


@kind
def custom_operators(folder):
    class Double(autograd.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x * 2

        def backward(self, dy):
            (x,) = self.saved_tensors
            return dy * 2 + 0 * x

    x = nd.ones((3,))
    x.attach_grad()

    def step():
        with autograd.record():
            y = Double()(x)
        y.backward()

    return step


# ---- what a process holds --------------------------------------------------------------------------------------------


class _MallInfo(ctypes.Structure):
    NAMES = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = tuple((name, ctypes.c_size_t) for name in NAMES.split())


def _allocated_bytes():
    """Bytes that C code has allocated and not freed: exact, where resident memory only goes up in steps."""
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = _MallInfo
    info = mallinfo()
    return info.uordblks + info.hblkhd


def resident_bytes():
    """The resident memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def holdings():
    """What the process holds after a collection: C's bytes, Python's blocks, files, threads, processes."""
    for _ in range(2):
        gc.collect()
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return {
        "bytes": _allocated_bytes(),
        "blocks": sys.getallocatedblocks(),
        "files": len(os.listdir("/proc/self/fd")),
        "threads": threading.active_count(),
        "processes": len(children),
    }


def growth(step, steps, windows=6):
    """What each step leaves behind: the smallest growth per step of several windows.

    A leak is in every window; what is kept once, or freed late, is not.
    """
    for _ in range(steps):
        step()
    taken = [holdings()]
    for _ in range(windows):
        for _ in range(steps):
            step()
        taken.append(holdings())
    return {name: min((b[name] - a[name]) / steps for a, b in itertools.pairwise(taken)) for name in taken[0]}


def main():
    """Mixes all kinds of work for a given time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    choose = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        steps = {name: make(Path(folder)) for name, make in KINDS.items()}
        start = shown = time.monotonic()
        done, first = 0, None
        while time.monotonic() < start + 60 * options.minutes:
            step = steps[choose.choice(list(steps))]
            for _ in range(1 if getattr(step, "slow", False) else choose.randint(1, 50)):
                step()
                done += 1
            if time.monotonic() > shown + 6 * options.minutes:  # ten lines
                shown = time.monotonic()
                now = {**holdings(), "resident": resident_bytes()}
                first = first or now
                text = ", ".join(f"{name} {value:,} ({value - first[name]:+,})" for name, value in now.items())
                print(f"{(shown - start) / 60:.1f} min, {done:,} steps: {text}", flush=True)


if __name__ == "__main__":
    main()
