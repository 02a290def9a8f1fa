"""Blocks, parameters and trainers that recorder and tests run alike. Read by the original's old packages too."""

import contextlib
import io

import numpy as np


def networks(mx):
    """Networks whose names, texts and summaries are recorded: name -> (block, input shapes)."""
    gluon, nn = mx.gluon, mx.gluon.nn

    class Shared(gluon.HybridBlock):
        def __init__(self, **kwargs):
            super(Shared, self).__init__(**kwargs)
            with self.name_scope():
                self.first = nn.Dense(3)
                self.rest = nn.HybridSequential()
                self.rest.add(nn.Dense(3), nn.BatchNorm(), nn.Dense(3, params=self.first.params))

        def hybrid_forward(self, F, x):
            return self.rest(self.first(x))

    class Scopes(gluon.Block):
        def __init__(self, **kwargs):
            super(Scopes, self).__init__(**kwargs)
            with self.name_scope():
                self.a = nn.Sequential(prefix="")
                with self.a.name_scope():
                    self.a.add(nn.Dense(2), nn.Dense(3))
                self.b = nn.Dense(1, prefix="out_")
                self.c = nn.Conv2D(1, 1)
                self.d = nn.Dense(2, activation="relu")
            self.e = nn.Dense(2, in_units=3)
            self.w = self.params.get("w", shape=(2, 2))

        def forward(self, x):
            return [self.a(x), self.b(x)], self.d(x)

    def mlp():
        net = nn.HybridSequential()
        with net.name_scope():
            net.add(nn.Dense(4, activation="relu"), nn.Dropout(0.5), nn.BatchNorm(), nn.Dense(2))
        return net

    def shared_layers():
        net = nn.Sequential()
        with net.name_scope():
            net.add(nn.Dense(4, activation="relu"))
            net.add(nn.Dense(4, activation="relu"))
            net.add(nn.Dense(4, activation="relu", params=net[-1].params))
            net.add(nn.Dense(2))
        return net

    def lenet():
        net = nn.HybridSequential(prefix="lenet_")
        with net.name_scope():
            net.add(nn.Conv2D(3, kernel_size=3, activation="relu"), nn.MaxPool2D(pool_size=2, strides=2))
            net.add(nn.Flatten(), nn.Dense(5, activation="tanh"), nn.Dense(2))
        return net

    def without_scope():
        net = nn.Sequential()
        net.add(nn.Dense(3), nn.Lambda("relu"), nn.Dense(2))
        return net

    return {
        "mlp": (mlp, [(2, 3)]),
        "shared": (Shared, [(2, 3)]),
        "scopes": (Scopes, [(2, 3)]),
        "shared layers": (shared_layers, [(2, 3)]),
        "lenet": (lenet, [(1, 1, 8, 8)]),
        "without scope": (without_scope, [(2, 3)]),
    }


def printed(function):
    """What a function prints."""
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        function()
    return stream.getvalue()


def texts(mx, name):
    """All the texts of a network."""
    make, shapes = networks(mx)[name]
    with mx.name.NameManager():
        net = make()
    found = {
        "name": net.name,
        "repr": repr(net),
        "params": repr(net.collect_params()),
        "weights": repr(net.collect_params(".*weight|.*gamma")),
        "own": repr(net.params),
    }
    net.initialize()
    inputs = [mx.nd.ones(shape) for shape in shapes]
    net(*inputs)  # the original has lines for symbols in a summary that must infer shapes first
    found["summary"] = printed(lambda: net.summary(*inputs))
    found["after"] = repr(net)
    found["places"] = list(net._collect_params_with_prefix())
    if isinstance(net, mx.gluon.HybridBlock):
        net.hybridize()
        net(*inputs)
        found["graph"] = net._cached_graph[1].tojson()
    return found


def fill(net, seed):
    """Gives all parameters values that do not depend on who initializes them."""
    rng = np.random.RandomState(seed)
    for key in sorted(net.collect_params().keys()):
        parameter = net.collect_params()[key]
        low = 0.5 if "var" in key else -0.5
        parameter.set_data(np.round(rng.uniform(low, 0.9, parameter.shape), 3).astype("float32"))


def lenet(mx):
    """A network with known parameters, and an input for it."""
    with mx.name.NameManager():
        net = networks(mx)["lenet"][0]()
        net.add(mx.gluon.nn.BatchNorm(prefix="lenet_last_"))
    net.initialize()
    x = mx.nd.array(np.cos(np.arange(128)).reshape((2, 1, 8, 8)))
    net(x)
    fill(net, 1)
    return net, x


def train(mx, optimizer, arguments, contexts=1, steps=4, **kwargs):
    """Parameters after some steps; contexts > 1 splits the batch over so many."""
    contexts = [mx.cpu(i) for i in range(contexts)]
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(4, activation="tanh", in_units=3), mx.gluon.nn.Dense(2, in_units=4))
    net.initialize(ctx=contexts)
    fill(net, 2)
    net[0].bias.wd_mult = 0.0
    net[1].weight.lr_mult = 0.5
    trainer = mx.gluon.Trainer(net.collect_params(), optimizer, dict(arguments), **kwargs)
    loss = mx.gluon.loss.L2Loss()
    rng = np.random.RandomState(3)
    for _ in range(steps):
        x = mx.nd.array(np.round(rng.normal(0, 1, (6, 3)), 2))
        y = mx.nd.array(np.round(rng.normal(0, 1, (6, 2)), 2))
        parts = zip(mx.gluon.utils.split_and_load(x, contexts), mx.gluon.utils.split_and_load(y, contexts))
        with mx.autograd.record():
            losses = [loss(net(data), label) for data, label in parts]
        mx.autograd.backward(losses)
        trainer.step(6)
    return net, trainer


TRAINED = {
    "sgd": ("sgd", {"learning_rate": 0.3}, {}),
    "momentum": ("sgd", {"learning_rate": 0.3, "momentum": 0.9, "wd": 0.01}, {}),
    "adam": ("adam", {"learning_rate": 0.05, "wd": 0.01}, {}),
    "rmsprop": ("rmsprop", {"learning_rate": 0.03, "gamma1": 0.9}, {}),
    "no store": ("sgd", {"learning_rate": 0.3}, {"kvstore": None}),
    "two devices": ("adam", {"learning_rate": 0.05}, {"contexts": 2}),
    "two devices, local": ("adam", {"learning_rate": 0.05}, {"contexts": 2, "kvstore": "local"}),
    "two devices, update there": ("adam", {"learning_rate": 0.05}, {"contexts": 2, "update_on_kvstore": False}),
    "two devices, no store": ("sgd", {"learning_rate": 0.05}, {"contexts": 2, "kvstore": None}),
}


def trained(mx, name):
    """The parameters on the first and the last device, one after the other."""
    optimizer, arguments, more = TRAINED[name]
    net, _ = train(mx, optimizer, arguments, **more)
    found = {}
    for key, parameter in net.collect_params().items():
        arrays = parameter.list_data()
        found[key] = [float("%.7g" % v) for v in arrays[0].asnumpy().ravel()]
        found[key] += [float("%.7g" % v) for v in arrays[-1].asnumpy().ravel()]
    return found
