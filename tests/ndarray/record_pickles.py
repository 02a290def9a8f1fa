"""Records pickles of the original's objects: ``python tests/ndarray/record_pickles.py`` with mxnet 1.9.1."""

import os
import pickle

import numpy as np

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
METRICS = (
    "acc",
    "mae",
    "mse",
    "rmse",
    "ce",
    "nll_loss",
    "pearsonr",
    "perplexity",
    "top_k_accuracy",
    "loss",
)


def objects():
    """The objects by name."""
    nd, gluon = mx.nd, mx.gluon
    parameter = gluon.Parameter("w", shape=(2,))
    parameter.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)])
    deferred = gluon.Parameter("w", shape=(0, 2), allow_deferred_init=True)
    deferred.initialize(mx.init.One())
    constant = gluon.Constant("c", nd.array([1, 2.0]))
    constant.initialize()
    optimizer = mx.optimizer.SGD(learning_rate=0.1, momentum=0.9, param_idx2name={0: "a_weight"})
    updater = mx.optimizer.get_updater(optimizer)
    updater(0, nd.ones(2), nd.ones(2))
    scheduled = mx.optimizer.Adam(
        learning_rate=1, wd=0.1, lr_scheduler=mx.lr_scheduler.FactorScheduler(10, 0.5, base_lr=1)
    )
    metrics = {}
    for name in METRICS:
        metric = mx.metric.create(
            name, **{"perplexity": {"ignore_label": None}, "top_k_accuracy": {"top_k": 2}}.get(name, {})
        )
        column = name in ("mae", "mse", "rmse", "pearsonr")
        pred = [[0.8], [0.3]] if column else [[0.8, 0.2], [0.6, 0.4]]
        metric.update([nd.array([[0.0], [1.0]] if column else [0, 1])], [nd.array(pred)])
        metrics[name] = (metric, metric.get())
    return {
        "contexts": [mx.cpu(1), mx.gpu(2), mx.Context("cpu_pinned", 0)],
        "arrays": [nd.array(np.arange(6).reshape(2, 3), dtype=d) for d in ("float32", "float16", "int32", "float64")],
        "parameter": parameter,
        "deferred": deferred,
        "constant": constant,
        "updater": updater,
        "scheduled": scheduled,
        "states": updater.get_states(),
        "states and optimizer": updater.get_states(dump_optimizer=True),
        "symbol": mx.sym.FullyConnected(mx.sym.Variable("x"), num_hidden=2, name="fc"),
        "initializers": [mx.init.Xavier(), mx.init.Constant(nd.ones(2)), mx.init.InitDesc("w", {"a": "b"})],
        "batch": mx.io.DataBatch([nd.ones(2)], [nd.ones(1)], provide_data=[mx.io.DataDesc("x", (2,), "float16", "N")]),
        "data": gluon.data.ArrayDataset(nd.array([[1, 2], [3, 4]]), [5, 6]),
        "metrics": metrics,
        "loss": gluon.loss.L2Loss(),
        "scheduler": mx.lr_scheduler.MultiFactorScheduler([1, 2], 0.1, base_lr=1),
    }


if __name__ == "__main__":
    found = {(name, protocol): pickle.dumps(each, protocol) for name, each in objects().items() for protocol in (2, 4)}
    with open(os.path.join(GOLDEN, "pickles.pkl"), "wb") as stream:
        pickle.dump(found, stream, protocol=2)
    print(len(found), "pickles")
