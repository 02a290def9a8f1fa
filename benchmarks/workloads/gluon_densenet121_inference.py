"""The model zoo's DenseNet-121, hybridized, predicts a batch of 8 images of 224x224."""

from . import _gluon, sized

SHAPE = (sized(8, 1), 3, 224, 224)  # its last pooling is 7x7: smaller images do not fit
GROWTH, LAYERS = 32, (6, 12, 24, 16)


def mxnet_step(mx):
    return _gluon.predict(mx, mx.gluon.model_zoo.vision.densenet121(), SHAPE)


def torch_step(torch):
    nn = torch.nn

    def conv(inputs, filters, kernel):
        return [nn.BatchNorm2d(inputs), nn.ReLU(), nn.Conv2d(inputs, filters, kernel, 1, kernel // 2, bias=False)]

    class Layer(nn.Module):
        def __init__(self, inputs):
            super().__init__()
            self.body = nn.Sequential(*conv(inputs, 4 * GROWTH, 1), *conv(4 * GROWTH, GROWTH, 3))

        def forward(self, x):
            return torch.cat([x, self.body(x)], 1)

    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for stage, count in enumerate(LAYERS):
        if stage:
            layers += [*conv(inputs, inputs // 2, 1), nn.AvgPool2d(2, 2)]
            inputs //= 2
        for _ in range(count):
            layers.append(Layer(inputs))
            inputs += GROWTH
    layers += [nn.BatchNorm2d(inputs), nn.ReLU(), nn.AvgPool2d(7), nn.Flatten(), nn.Linear(inputs, 1000)]
    return _gluon.torch_predict(torch, nn.Sequential(*layers), SHAPE)
