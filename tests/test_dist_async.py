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
