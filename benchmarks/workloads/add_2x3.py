"""A thousand additions of 2x3 arrays: the cost of a call."""


def mxnet_step(mx):
    a, b = mx.nd.ones((2, 3)), mx.nd.ones((2, 3))

    def step():
        for _ in range(1000):
            c = a + b
        c.wait_to_read()

    return step


def torch_step(torch):
    a, b = torch.ones((2, 3)), torch.ones((2, 3))

    def step():
        for _ in range(1000):
            a + b

    return step
