"""One training step of LeNet in Gluon, hybridized, batch 256."""

from . import _gluon, sized

SHAPE = (sized(256, 2), 1, 28, 28)


def mxnet_step(mx):
    nn = mx.gluon.nn
    network = nn.HybridSequential()
    for filters in (20, 50):
        network.add(nn.Conv2D(filters, 5, activation="tanh"), nn.MaxPool2D(2, 2))
    network.add(nn.Flatten(), nn.Dense(500, activation="tanh"), nn.Dense(10))
    return _gluon.classify(mx, network, SHAPE, 10)


def torch_step(torch):
    nn = torch.nn
    network = nn.Sequential(
        *[nn.Conv2d(1, 20, 5), nn.Tanh(), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.Tanh(), nn.MaxPool2d(2)],
        *[nn.Flatten(), nn.Linear(800, 500), nn.Tanh(), nn.Linear(500, 10)],
    )
    return _gluon.torch_classify(torch, network, SHAPE, 10)
