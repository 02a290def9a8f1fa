"""Classifiers of images: those of the model zoo, of the book, and in the idioms of GluonCV."""

from . import Network, image, sized

CLASSES = sized(1000, 10)


def zoo(name, **options):
    """A network of the model zoo."""
    return lambda mx: getattr(mx.gluon.model_zoo.vision, name)(classes=CLASSES, **options)


def lenet(mx, activation="sigmoid"):
    """The book's LeNet."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(nn.Conv2D(6, 5, padding=2, activation=activation), nn.AvgPool2D(2, 2))
    net.add(nn.Conv2D(16, 5, activation=activation), nn.AvgPool2D(2, 2), nn.Flatten())
    net.add(nn.Dense(120, activation=activation), nn.Dense(84, activation=activation), nn.Dense(10))
    return net


def nin(mx):
    """The book's network in network."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    for channels, kernel, stride, padding in ((96, 11, 4, 0), (256, 5, 1, 2), (384, 3, 1, 1), (10, 3, 1, 1)):
        net.add(nn.Conv2D(channels, kernel, stride, padding, activation="relu"))
        net.add(nn.Conv2D(channels, 1, activation="relu"), nn.Conv2D(channels, 1, activation="relu"))
        net.add(nn.MaxPool2D(3, 2) if channels > 10 else nn.Dropout(0.5))
    net.add(nn.GlobalAvgPool2D(), nn.Flatten())
    return net


def googlenet(mx):
    """The book's GoogLeNet, its first three stages."""
    nn = mx.gluon.nn
    contrib = mx.gluon.contrib.nn

    def conv(channels, kernel):
        return nn.Conv2D(channels, kernel, padding=kernel // 2, activation="relu")

    def chain(*layers):
        block = nn.HybridSequential()
        block.add(*layers)
        return block

    def inception(one, three, five, pooled):
        block = contrib.HybridConcurrent(axis=1)
        block.add(conv(one, 1), chain(conv(three[0], 1), conv(three[1], 3)), chain(conv(five[0], 1), conv(five[1], 5)))
        block.add(chain(nn.MaxPool2D(3, 1, 1), conv(pooled, 1)))
        return block

    net = nn.HybridSequential()
    net.add(nn.Conv2D(64, 7, 2, 3, activation="relu"), nn.MaxPool2D(3, 2, 1))
    net.add(conv(64, 1), conv(192, 3), nn.MaxPool2D(3, 2, 1))
    net.add(inception(64, (96, 128), (16, 32), 32), inception(128, (128, 192), (32, 96), 64), nn.MaxPool2D(3, 2, 1))
    net.add(inception(192, (96, 208), (16, 48), 64), nn.GlobalAvgPool2D(), nn.Dense(10))
    return net


def _residual(mx, body, channels, stride, inputs):
    """A block of GluonCV's residual networks around a body."""
    nn = mx.gluon.nn

    class Residual(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.body, self.shortcut = body(), None
                if stride != 1 or inputs != channels:
                    self.shortcut = nn.HybridSequential()
                    self.shortcut.add(nn.Conv2D(channels, 1, stride, use_bias=False), nn.BatchNorm())

        def hybrid_forward(self, F, x):
            shortcut = x if self.shortcut is None else self.shortcut(x)
            return F.Activation(self.body(x) + shortcut, act_type="relu")

    return Residual()


def _squeeze_excite(mx, channels):
    class SqueezeExcite(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.gates = mx.gluon.nn.HybridSequential()
                self.gates.add(mx.gluon.nn.Dense(channels // 16, activation="relu"))
                self.gates.add(mx.gluon.nn.Dense(channels, activation="sigmoid"))

        def hybrid_forward(self, F, x):
            gates = self.gates(F.contrib.AdaptiveAvgPooling2D(x, output_size=1))
            return F.broadcast_mul(x, gates.expand_dims(axis=2).expand_dims(axis=2))

    return SqueezeExcite()


def resnext(squeeze=False, groups=32):
    """ResNeXt, or SE-ResNeXt, with blocks of grouped convolutions; two blocks a stage."""

    def build(mx):
        nn = mx.gluon.nn

        def body(width, stride):
            block = nn.HybridSequential()
            block.add(nn.Conv2D(width, 1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"))
            block.add(nn.Conv2D(width, 3, stride, 1, groups=groups, use_bias=False), nn.BatchNorm())
            block.add(nn.Activation("relu"), nn.Conv2D(width * 2, 1, use_bias=False), nn.BatchNorm())
            if squeeze:
                block.add(_squeeze_excite(mx, width * 2))
            return block

        net = nn.HybridSequential()
        net.add(nn.Conv2D(64, 7, 2, 3, use_bias=False), nn.BatchNorm(), nn.Activation("relu"), nn.MaxPool2D(3, 2, 1))
        inputs = 64
        for width in sized((128, 256, 512), (64,)):
            for stride in (1 if width == 128 else 2, 1):
                net.add(_residual(mx, lambda w=width, s=stride: body(w, s), width * 2, stride, inputs))
                inputs = width * 2
        net.add(nn.GlobalAvgPool2D(), nn.Dense(CLASSES))
        return net

    return build


def separable(mx):
    """Xception's middle: depthwise convolutions, the last ones dilated, around residuals."""
    nn = mx.gluon.nn

    def body(channels, stride, dilation):
        block = nn.HybridSequential()
        for step in (stride, 1):
            options = {"padding": dilation, "dilation": dilation, "groups": channels, "use_bias": False}
            block.add(nn.Activation("relu"), nn.Conv2D(channels, 3, step, **options), nn.BatchNorm())
            block.add(nn.Conv2D(channels, 1, use_bias=False), nn.BatchNorm())
        return block

    net = nn.HybridSequential()
    net.add(nn.Conv2D(64, 3, 2, 1, use_bias=False), nn.BatchNorm(), nn.Conv2D(128, 1, use_bias=False))
    for stride, dilation in sized(((2, 1), (2, 1), (1, 1), (1, 1), (1, 2), (1, 2)), ((2, 1),)):
        net.add(_residual(mx, lambda s=stride, d=dilation: body(128, s, d), 128, stride, 128))
    net.add(nn.GlobalAvgPool2D(), nn.Dense(CLASSES))
    return net


def channel_shuffle(mx):
    """ShuffleNet: grouped 1x1 convolutions, channels shuffled, depthwise 3x3."""
    nn = mx.gluon.nn

    class Unit(mx.gluon.HybridBlock):
        def __init__(self, channels, groups=4):
            super().__init__()
            self.groups = groups
            with self.name_scope():
                self.first, self.rest = nn.HybridSequential(), nn.HybridSequential()
                self.first.add(nn.Conv2D(channels // 4, 1, groups=groups, use_bias=False), nn.BatchNorm())
                self.first.add(nn.Activation("relu"))
                inner = channels // 4
                self.rest.add(nn.Conv2D(inner, 3, 1, 1, groups=inner, use_bias=False), nn.BatchNorm())
                self.rest.add(nn.Conv2D(channels, 1, groups=groups, use_bias=False), nn.BatchNorm())

        def hybrid_forward(self, F, x):
            out = F.reshape(self.first(x), (0, -4, self.groups, -1, -2))
            out = F.reshape(F.swapaxes(out, 1, 2), (0, -3, -2))
            return F.relu(x + self.rest(out))

    net = nn.HybridSequential()
    net.add(nn.Conv2D(24, 3, 2, 1, activation="relu"), nn.MaxPool2D(3, 2, 1), nn.Conv2D(240, 1))
    for _ in range(sized(6, 1)):
        net.add(Unit(240))
    net.add(nn.GlobalAvgPool2D(), nn.Dense(CLASSES))
    return net


MIDDLE, LARGE = image(3, sized(112, 32)), image(3, 224)
NETWORKS = {
    "alexnet": Network(zoo("alexnet"), (LARGE,), "predict/hybrid/1"),
    "vgg11": Network(zoo("vgg11"), (MIDDLE,), "predict/hybrid/1 train/hybrid/1"),
    "vgg11_bn": Network(zoo("vgg11_bn"), (MIDDLE,), "predict/eager/8"),
    "resnet18_v1": Network(
        zoo("resnet18_v1"),
        (MIDDLE,),
        "predict/hybrid/1 predict/eager/1 predict/module/8 train/hybrid/8 train/eager/8 train/module/8",
    ),
    "resnet50_v1": Network(zoo("resnet50_v1"), (LARGE,), "predict/hybrid/8"),
    "resnet50_v2": Network(zoo("resnet50_v2"), (MIDDLE,), "predict/hybrid/1 train/hybrid/8"),
    "densenet121": Network(zoo("densenet121"), (LARGE,), "predict/hybrid/1 train/hybrid/1"),
    "squeezenet1_1": Network(zoo("squeezenet1_1"), (LARGE,), "predict/hybrid/1 predict/eager/8 train/hybrid/8"),
    "mobilenet1_0": Network(zoo("mobilenet1_0"), (MIDDLE,), "predict/hybrid/1 predict/eager/1 train/hybrid/8"),
    "mobilenet_v2_1_0": Network(
        zoo("mobilenet_v2_1_0"), (MIDDLE,), "predict/hybrid/1 predict/hybrid/64 train/hybrid/8"
    ),
    "inception_v3": Network(zoo("inception_v3"), (image(3, 299),), "predict/hybrid/1"),
    "lenet": Network(
        lenet,
        (image(1, 28),),
        "predict/hybrid/1 predict/eager/1 predict/module/64 train/eager/64 train/hybrid/64 train/module/64",
    ),
    "nin": Network(nin, (image(1, 224),), "predict/hybrid/1 train/eager/8"),
    "googlenet": Network(googlenet, (image(1, 96),), "predict/hybrid/1 train/hybrid/8"),
    "resnext": Network(resnext(), (MIDDLE,), "predict/hybrid/1 train/hybrid/8"),
    "se_resnext": Network(resnext(squeeze=True), (MIDDLE,), "predict/hybrid/8 train/eager/8"),
    "separable": Network(separable, (MIDDLE,), "predict/hybrid/8 train/hybrid/8"),
    "channel_shuffle": Network(channel_shuffle, (MIDDLE,), "predict/hybrid/1 train/hybrid/8"),
}
