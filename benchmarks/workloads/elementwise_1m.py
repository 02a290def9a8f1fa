"""Eight elementwise operators in a chain on a million numbers: the cost of a byte."""

SIZE = 1000000


def mxnet_step(mx):
    nd = mx.nd
    x, y = nd.random.uniform(shape=(SIZE,)), nd.random.uniform(shape=(SIZE,))

    def step():
        z = nd.tanh(x * y + x)
        z = nd.sqrt(z * z + 1.0)
        nd.exp(-z).wait_to_read()

    return step


def torch_step(torch):
    x, y = torch.rand(SIZE), torch.rand(SIZE)

    def step():
        z = torch.tanh(x * y + x)
        z = torch.sqrt(z * z + 1.0)
        torch.exp(-z)

    return step
