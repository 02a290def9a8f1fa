"""Dropout of a million numbers in training, forward and backward."""

from . import sized

SHAPE = (sized(1000, 10), 1000)


def mxnet_step(mx):
    x = mx.nd.ones(SHAPE)
    x.attach_grad()

    def step():
        with mx.autograd.record():
            y = mx.nd.Dropout(x, p=0.5)
        y.backward()
        x.grad.wait_to_read()

    return step


def torch_step(torch):
    x = torch.ones(SHAPE, requires_grad=True)

    def step():
        x.grad = None
        torch.nn.functional.dropout(x, 0.5).backward(torch.ones(SHAPE))

    return step
