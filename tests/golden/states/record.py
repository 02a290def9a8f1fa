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
