"""Hybridize: write a network in Python, run it as a graph, export the graph.

python examples/gluon_hybridize.py
"""

import os
import tempfile
from time import time

from mxnet import gluon, nd
from mxnet.gluon import nn


class HybridNet(nn.HybridBlock):
    """Prints when its Python code runs, and with which functions."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.fc1 = nn.Dense(10)
            self.fc2 = nn.Dense(2)

    def hybrid_forward(self, F, x):
        print(f"F is {F.__name__}, x is a {type(x).__name__}")
        x = F.relu(self.fc1(x))
        return self.fc2(x)


def get_net():
    """Three dense layers."""
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(nn.Dense(256, activation="relu"), nn.Dense(128, activation="relu"), nn.Dense(2))
    net.initialize()
    return net


def bench(net, x, calls):
    """Seconds for so many calls."""
    net(x)
    start = time()
    for _ in range(calls):
        y = net(x)
    y.wait_to_read()
    return time() - start


def main(calls=1000):
    """Shows all three; returns the network and what was imported of its export."""
    x = nd.random.normal(shape=(1, 4))
    net = HybridNet()
    net.initialize()
    print("eager:")
    net(x)
    net.hybridize()
    print("hybridized, first call:")
    net(x)
    print("hybridized, second call:")
    net(x)

    big = get_net()
    data = nd.random.normal(shape=(1, 512))
    eager = bench(big, data, calls)
    big.hybridize()
    print(f"{calls} calls: eager {eager:.4f} s, hybridized {bench(big, data, calls):.4f} s")

    print("the graph:", big(nd.zeros((1, 512))).shape, big._cached_graph[1].list_arguments())
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "net")
        big.export(path)
        print("exported:", sorted(os.listdir(directory)))
        imported = gluon.SymbolBlock.imports(f"{path}-symbol.json", ["data"], f"{path}-0000.params")
    print("imported, the same result:", (imported(data) == big(data)).asnumpy().all())
    return big, imported


if __name__ == "__main__":
    main()
