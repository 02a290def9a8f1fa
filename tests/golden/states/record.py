"""Saves the states of trainers with an old version of MXNet: ``python record.py``, in an environment that has one.

Versions before 1.4 put the parameters of the trainer into the file, too.
"""

import pathlib

import mxnet as mx

HERE = pathlib.Path(__file__).parent
CASES = {
    "adam": {"lr_scheduler": mx.lr_scheduler.MultiFactorScheduler([2, 5], 0.5), "learning_rate": 0.1},
    "sgd": {"momentum": 0.9, "learning_rate": 0.1},
    "nadam": {},
}
net = mx.gluon.nn.Dense(2, in_units=3)
net.initialize()
for name, arguments in CASES.items():
    trainer = mx.gluon.Trainer(net.collect_params(), name, arguments)
    for _ in range(2):
        with mx.autograd.record():
            loss = net(mx.nd.ones((4, 3))).sum()
        loss.backward()
        trainer.step(4)
    trainer.save_states(str(HERE / f"mxnet-{mx.__version__}-{name}.states"))

# What an updater of 1.9.1 has for a row-sparse weight: a row-sparse state.
updater = mx.optimizer.get_updater(mx.optimizer.SGD(momentum=0.9, lazy_update=True))
gradient = mx.nd.sparse.row_sparse_array((mx.nd.ones((1, 2)), [1]), shape=(4, 2))
updater(0, gradient, mx.nd.ones((4, 2)).tostype("row_sparse"))
(HERE / f"row_sparse-{mx.__version__}.bin").write_bytes(updater.get_states())
