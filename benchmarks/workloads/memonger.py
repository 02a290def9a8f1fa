"""ResNet-18 forward and backward on 8 images of 112x112 whose blocks are computed again in backward."""

from . import _resnet, sized

SHAPE = sized((8, 3, 112, 112), (2, 3, 32, 32))


def mxnet_step(mx):
    network = _resnet.symbol(mx, 18, mirror=True)
    requests = {n: "null" if n in ("data", "softmax_label") else "write" for n in network.list_arguments()}
    executor = network.simple_bind(mx.cpu(), grad_req=requests, data=SHAPE)
    _resnet.initialize(mx, executor)
    images = mx.nd.random.uniform(shape=SHAPE)

    def step():
        executor.forward(is_train=True, data=images)
        executor.backward()
        mx.nd.waitall()

    return step


def torch_step(torch):
    from torch.utils.checkpoint import checkpoint_sequential

    network = _resnet.module(torch, 18).train()
    images, labels = torch.rand(SHAPE), torch.arange(SHAPE[0])

    def step():
        network.zero_grad()
        data = images.contiguous(memory_format=torch.channels_last)
        scores = checkpoint_sequential(network, 4, data, use_reentrant=False)
        torch.nn.functional.cross_entropy(scores, labels).backward()

    return step
