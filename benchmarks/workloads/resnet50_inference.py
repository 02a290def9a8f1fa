"""ResNet-50 predicts a batch of 8 images of 224x224."""

from . import _resnet, sized

SHAPE = sized((8, 3, 224, 224), (1, 3, 32, 32))


def mxnet_step(mx):
    executor = _resnet.symbol(mx, 50).simple_bind(mx.cpu(), grad_req="null", data=SHAPE)
    _resnet.initialize(mx, executor)
    images = mx.nd.random.uniform(shape=SHAPE)

    def step():
        executor.forward(is_train=False, data=images)[0].wait_to_read()

    return step


def torch_step(torch):
    network = _resnet.module(torch, 50).eval()
    images = torch.rand(SHAPE)

    def step():
        with torch.inference_mode():
            torch.softmax(network(images.contiguous(memory_format=torch.channels_last)), 1)

    return step
