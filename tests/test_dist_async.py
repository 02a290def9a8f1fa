"""dist_async: pushes are applied as they arrive, by servers or by threads of the workers."""

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
