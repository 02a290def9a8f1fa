"""Ten uniform and ten normal numbers, a hundred times: the cost of a call."""

from . import sized

COUNT = sized(100, 3)


def mxnet_step(mx):
    random = mx.nd.random

    def step():
        for _ in range(COUNT):
            random.uniform(shape=(10,)).wait_to_read()
            random.normal(shape=(10,)).wait_to_read()

    return step


def torch_step(torch):
    def step():
        for _ in range(COUNT):
            torch.rand(10)
            torch.randn(10)

    return step
