"""An epoch of the book's perceptron 784-256-10 in the manner of mx.np, 2048 images."""

from . import _book

SHAPE = (1, 28, 28)


def mxnet_step(mx):
    return _book.mxnet_epoch(mx, lambda nn: [nn.Dense(256, activation="relu"), nn.Dense(10)], SHAPE)


def torch_step(torch):
    nn = torch.nn
    return _book.torch_epoch(
        torch, nn.Sequential(nn.Flatten(), nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10)), SHAPE
    )
