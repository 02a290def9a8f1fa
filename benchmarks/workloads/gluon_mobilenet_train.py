"""One training step of the model zoo's MobileNet, hybridized, on 16 images of 112x112."""

from . import _gluon, sized

SHAPE = sized((16, 3, 112, 112), (2, 3, 32, 32))
#: Filters and stride of each pair of a depthwise and a pointwise convolution.
LAYERS = ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2), (1024, 1))


def mxnet_step(mx):
    return _gluon.classify(mx, mx.gluon.model_zoo.vision.mobilenet1_0(), SHAPE, 1000)


def torch_step(torch):
    nn = torch.nn

    def conv(inputs, filters, kernel=1, stride=1, groups=1):
        convolution = nn.Conv2d(inputs, filters, kernel, stride, kernel // 2, groups=groups, bias=False)
        return [convolution, nn.BatchNorm2d(filters), nn.ReLU()]

    layers, inputs = conv(3, 32, 3, 2), 32
    for filters, stride in LAYERS:
        layers += conv(inputs, inputs, 3, stride, inputs) + conv(inputs, filters)
        inputs = filters
    network = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000))
    return _gluon.torch_classify(torch, network, SHAPE, 1000)
