"""A million uniform and a million normal numbers."""

from . import sized

SIZE = sized(1000000, 1000)


def mxnet_step(mx):
    random = mx.nd.random

    def step():
        random.uniform(shape=(SIZE,)).wait_to_read()
        random.normal(shape=(SIZE,)).wait_to_read()

    return step


def torch_step(torch):
    def step():
        torch.rand(SIZE)
        torch.randn(SIZE)

    return step
