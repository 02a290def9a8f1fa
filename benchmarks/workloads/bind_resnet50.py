"""Binding ResNet-50 for 32 pictures of 224x224: infers all shapes and makes arrays for parameters and gradients."""

from . import _resnet

SHAPE = (32, 3, 224, 224)


def mxnet_step(mx):
    network = _resnet.symbol(mx, 50)

    def step():
        network.simple_bind(mx.cpu(), data=SHAPE)
        mx.nd.waitall()

    return step


def torch_step(torch):
    """There is nothing to bind: the module itself is made."""

    def step():
        _resnet.module(torch, 50)

    return step
