"""dist_async: pushes are applied as they arrive, by servers or by threads of the workers."""

import pathlib
import time
import warnings

import jobs
import numpy as np
import pytest

import mxnet as mx


def counting(kind="dist_async"):
    """Each worker pushes ones; with a learning rate of -1 the weights count them."""
    kv = mx.kv.create(kind)
    r = kv.rank
    shapes = {"a": (3,), "b": (40, 30), "c": (2, 2)}
    kv.set_optimizer(mx.optimizer.SGD(learning_rate=-1.0))
    kv.init(list(shapes), [mx.nd.zeros(s) for s in shapes.values()])
    kv.init("rows", mx.nd.zeros((6, 2)).tostype("row_sparse"))
    kv.init("double", mx.nd.zeros((5,), dtype="float64"))
    outs = [mx.nd.zeros(s) for s in shapes.values()]
    least = []
    for step in range(5):
        kv.push(list(shapes), [mx.nd.ones(s) for s in shapes.values()])
        kv.pull(list(shapes), out=outs)
        least.append(min(float(o.min().asscalar()) for o in outs) >= step + 1)  # at least one's own
        kv.push("rows", mx.nd.sparse.row_sparse_array((np.ones((2, 2)), [1, 4]), shape=(6, 2), dtype="float32"))
        kv.push("double", mx.nd.ones((5,), dtype="float64"))
    kv.barrier()
    kv.pull(list(shapes), out=outs)
    rows = mx.nd.sparse.zeros("row_sparse", (6, 2))
    kv.row_sparse_pull("rows", out=rows, row_ids=mx.nd.array([0, 4]))
    double = mx.nd.zeros((5,), dtype="float64")
    kv.pull("double", out=double)
    return {
        "least": all(least),
        "values": [np.unique(o.asnumpy()).tolist() for o in outs],
        "rows": (rows.indices.asnumpy().tolist(), rows.data.asnumpy().tolist()),
        "double": double.asnumpy().tolist(),
        "rank": r,
        "type": kv.type,
    }


@pytest.mark.parametrize("workers, servers", [(1, None), (3, None), (2, 2), (2, 1)])
def test_every_push_counts_once(workers, servers):
    told = jobs.run(counting, workers=workers, servers=servers, env={"MXNET_KVSTORE_BIGARRAY_BOUND": "100"})
    n = 5.0 * workers
    for rank, each in enumerate(told):
        assert each == {
            "least": True,
            "values": [[n], [n], [n]],
            "rows": ([0, 4], [[0, 0], [n, n]]),
            "double": [n] * 5,
            "rank": rank,
            "type": "dist_async",
        }


def learn(directory):
    """The bundled digits by three workers; the last one begins when the first has done all of its steps."""
    kv = mx.kv.create("dist_async")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that these are the bundled digits
        mnist = mx.test_utils.get_mnist()
    x, y = mnist["train_data"][:3000].reshape(3000, -1), mnist["train_label"][:3000]
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    net.add(mx.gluon.nn.Dense(64, activation="relu", in_units=784), mx.gluon.nn.Dense(10, in_units=64))
    mx.random.seed(1)
    net.initialize(mx.init.Xavier())
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, kvstore=kv)
    loss = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    done = pathlib.Path(directory, "first-is-done")
    trainer._prepare()  # all workers give their first values together
    while kv.rank == 2 and not done.exists():
        time.sleep(0.02)
    for epoch in range(4):
        order = np.random.RandomState(epoch).permutation(3000)[kv.rank :: kv.num_workers]
        for start in range(0, len(order), 50):
            rows = order[start : start + 50]
            with mx.autograd.record():
                value = loss(net(mx.nd.array(x[rows])), mx.nd.array(y[rows]))
            value.backward()
            trainer.step(len(rows))
    if kv.rank == 0:
        done.touch()
    kv.barrier()
    for i, param in enumerate(trainer._params):
        kv.pull(i, out=param.list_data())
    out = net(mx.nd.array(mnist["test_data"].reshape(len(mnist["test_label"]), -1))).asnumpy()
    return float((out.argmax(1) == mnist["test_label"]).mean())


@pytest.mark.parametrize("servers", [None, pytest.param(1, marks=pytest.mark.slow)])
def test_digits_are_learned_and_a_late_worker_holds_nobody_up(servers, tmp_path):
    accuracies = jobs.run(learn, str(tmp_path), workers=3, servers=servers)
    assert len(set(accuracies)) == 1 and accuracies[0] > 0.85


def states(directory):
    """Steps, their states to a file by the first worker, other steps, the states read, and the same steps again."""
    kv = mx.kv.create("dist_async")
    kv.set_optimizer(mx.optimizer.Adam(learning_rate=0.1))
    shapes = [(5, 4), (3,)]
    kv.init([0, 1], [mx.nd.zeros(s) for s in shapes])
    outs = [mx.nd.zeros(s) for s in shapes]

    def steps(begin, end):
        for i in range(begin, end):
            if kv.rank == 0:  # one after the other, so that the result is one
                kv.push([0, 1], [mx.nd.ones(s) * (i + 1 - 2 * j) for j, s in enumerate(shapes)])
            kv.barrier()
        kv.pull([0, 1], out=outs)
        return [out.asnumpy() for out in outs]

    before = steps(0, 3)
    fname = str(pathlib.Path(directory, "async.states"))
    if kv.rank == 0:
        kv.save_optimizer_states(fname, dump_optimizer=True)
    kv.barrier()
    first = steps(3, 6)
    configure = kv._servers.configure

    def late(*args, **kwargs):
        time.sleep(0.3 * kv.rank)
        configure(*args, **kwargs)

    kv._servers.configure = late
    kv.load_optimizer_states(fname)
    second = steps(3, 6)
    return before, first, second, fname


@pytest.mark.parametrize("workers, servers", [(2, 2), (2, None), (1, 1)])
def test_states_are_saved_and_loaded(workers, servers, tmp_path):
    told = jobs.run(states, str(tmp_path), workers=workers, servers=servers, env={"MXNET_KVSTORE_BIGARRAY_BOUND": "5"})
    local = mx.kv.create("local")
    local.set_optimizer(mx.optimizer.Adam(learning_rate=0.1))
    shapes = [(5, 4), (3,)]
    local.init([0, 1], [mx.nd.zeros(s) for s in shapes])
    outs = [mx.nd.zeros(s) for s in shapes]
    results = []
    for step in (0, 1, 2, 3, 4, 5, 3, 4, 5):
        if len(results) in (3, 6):  # a store of one process goes on from the file
            local.load_optimizer_states(told[0][3])
        local.pushpull([0, 1], [mx.nd.ones(s) * (step + 1 - 2 * j) for j, s in enumerate(shapes)], out=outs)
        results.append([out.asnumpy() for out in outs])
    for each in told:
        for arrays, expected in zip(each[:3], (results[2], results[5], results[8]), strict=True):
            for array, one in zip(arrays, expected, strict=True):
                np.testing.assert_allclose(array, one, rtol=1e-5)


def compressed(shape):
    """What a server has after compressed pushes, and how many bytes it was sent."""
    from mxnet.kvstore import async_server

    kv = mx.kv.create("dist_async")
    kv.set_gradient_compression({"type": "2bit", "threshold": 0.5})
    kv.set_optimizer(mx.optimizer.SGD(learning_rate=-1.0))
    kv.init("w", mx.nd.zeros(shape))
    sent = []
    plain = async_server.Messages.send

    def send(self, to, what, text="", ids=(), rows=None, data=None):
        sent.append(0 if data is None else data.numel() * data.element_size())
        plain(self, to, what, text, ids, rows, data)

    async_server.Messages.send = send
    rng = np.random.RandomState(kv.rank)
    for _ in range(4):
        kv.push("w", mx.nd.array(rng.randn(*shape)))
    kv.barrier()
    async_server.Messages.send = plain
    out = mx.nd.zeros(shape)
    kv.pull("w", out=out)
    return out.asnumpy(), sum(sent)


def test_compressed_pushes_are_small_and_follow_the_model():
    shape = (33, 7)
    told = jobs.run(compressed, shape, workers=2, servers=2, env={"MXNET_KVSTORE_BIGARRAY_BOUND": "100"})
    total = np.zeros(shape, "float32")
    for rank in range(2):
        rng, rest = np.random.RandomState(rank), np.zeros(shape, "float32")
        for _ in range(4):
            rest += rng.randn(*shape).astype("float32")
            sent = (0.5 * (rest >= 0.5) - 0.5 * (rest <= -0.5)).astype("float32")
            rest -= sent
            total += sent
    for array, size in told:
        np.testing.assert_array_equal(array, total)
        assert size <= 4 * (33 * 7 * 2 / 8 + 2)
