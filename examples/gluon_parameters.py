"""Gluon parameters: inspect, initialize, share, freeze, save and load them.

python examples/gluon_parameters.py
"""

import os
import tempfile
import warnings

from mxnet import gluon, init, nd
from mxnet.gluon import nn


def get_net():
    """Two dense layers; how many inputs they have is found out in the first call."""
    net = nn.Sequential()
    with net.name_scope():
        net.add(nn.Dense(4, activation="relu"))
        net.add(nn.Dense(2))
    return net


class MyInit(init.Initializer):
    """An initializer of one's own."""

    def _init_weight(self, name, arr):
        print("init weight", arr.shape)
        nd.random.uniform(low=5, high=10, out=arr)


def main():
    """Walks through it; returns the network that was saved and loaded."""
    x = nd.random.uniform(shape=(3, 5))
    net = get_net()
    net.initialize()
    try:
        net[0].weight.data()
    except gluon.parameter.DeferredInitializationError as error:
        print("before the first call:", str(error).split(". ")[0])
    net(x)
    weight, bias = net[0].weight, net[0].bias
    print(f"name: {weight.name}\nweight: {weight.data()}\nbias: {bias.data()}\ngradient: {weight.grad()}")

    params = net.collect_params()
    print(params)
    print(params[f"{net.prefix}dense0_bias"].data())
    print(params.get("dense0_weight").data())

    params.initialize(init=init.Normal(sigma=0.02), force_reinit=True)
    print("weights once more:", net[0].weight.data(), net[0].bias.data())
    net = get_net()
    net.initialize(MyInit())
    net(x)
    print(net[0].weight.data())

    shared = nn.Sequential()
    with shared.name_scope():
        shared.add(nn.Dense(4, activation="relu"))
        shared.add(nn.Dense(4, activation="relu"))
        shared.add(nn.Dense(4, activation="relu", params=shared[-1].params))
        shared.add(nn.Dense(2))
    shared.initialize()
    shared(x)
    print("one parameter in two layers:", shared[1].weight is shared[2].weight)
    shared.collect_params(".*bias").setattr("grad_req", "null")
    print("frozen:", [name for name, param in shared.collect_params().items() if param.grad_req == "null"])

    with tempfile.TemporaryDirectory() as directory:
        filename = os.path.join(directory, "mlp.params")
        net.save_parameters(filename)
        loaded = get_net()
        loaded.load_parameters(filename)
        print("as saved:", (loaded(x) == net(x)).asnumpy().all())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # these are old names of the same
            net.save_params(filename)
            again = get_net()
            again.load_params(filename)
        print("as saved in the old way:", (again(x) == net(x)).asnumpy().all())
    return loaded


if __name__ == "__main__":
    main()
