"""One forward and backward pass of ResNet-18 on 16 images of 112x112, gradients of all parameters."""

from . import _resnet, sized

BATCH, SIZE = sized((16, 112), (2, 32))


def mxnet_step(mx):
    network = _resnet.symbol(mx, 18)
    inputs = {"data": (BATCH, 3, SIZE, SIZE), "softmax_label": (BATCH,)}
    requests = {name: "null" if name in inputs else "write" for name in network.list_arguments()}
    executor = network.simple_bind(mx.cpu(), grad_req=requests, **inputs)
    _resnet.initialize(mx, executor)
    images, labels = mx.nd.random.uniform(shape=inputs["data"]), mx.nd.arange(BATCH)

    def step():
        executor.forward(is_train=True, data=images, softmax_label=labels)
        executor.backward()
        mx.nd.waitall()

    return step


def torch_step(torch):
    network = _resnet.module(torch, 18).train()
    images, labels = torch.rand(BATCH, 3, SIZE, SIZE), torch.arange(BATCH)

    def step():
        network.zero_grad()
        scores = network(images.contiguous(memory_format=torch.channels_last))
        torch.nn.functional.cross_entropy(scores, labels).backward()

    return step
