"""The model zoo's ResNet-50, hybridized, predicts a batch of 8 images of 224x224."""

from . import _gluon, _resnet, sized

SHAPE = sized((8, 3, 224, 224), (1, 3, 32, 32))


def mxnet_step(mx):
    return _gluon.predict(mx, mx.gluon.model_zoo.vision.resnet50_v1(), SHAPE)


def torch_step(torch):
    return _gluon.torch_predict(torch, _resnet.module(torch, 50, zoo=True), SHAPE)
