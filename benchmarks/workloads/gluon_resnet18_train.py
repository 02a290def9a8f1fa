"""One training step of the model zoo's ResNet-18, hybridized, on 16 images of 112x112."""

from . import _gluon, _resnet, sized

SHAPE = sized((16, 3, 112, 112), (2, 3, 32, 32))


def mxnet_step(mx):
    return _gluon.classify(mx, mx.gluon.model_zoo.vision.resnet18_v1(), SHAPE, 1000)


def torch_step(torch):
    return _gluon.torch_classify(torch, _resnet.module(torch, 18), SHAPE, 1000)
