"""The perceptron 784-256-10 of two workloads, batch 256."""

from . import _gluon, sized

BATCH = sized(256, 4)


def mxnet_step(mx, hybridize):
    nn = mx.gluon.nn
    network = nn.HybridSequential()
    network.add(nn.Dense(256, activation="relu"), nn.Dense(10))
    return _gluon.classify(mx, network, (BATCH, 784), 10, hybridize)


def torch_step(torch):
    nn = torch.nn
    network = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))
    return _gluon.torch_classify(torch, network, (BATCH, 784), 10)
