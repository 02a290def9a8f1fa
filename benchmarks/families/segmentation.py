"""Networks that classify pixels: the book's FCN, DeepLab and U-Net in the idioms of GluonCV."""

from . import Network, image, sized
from .detection import features

CLASSES = 21


def fcn(mx):
    """ResNet-18, a 1x1 convolution, and a transposed one that enlarges 32 times."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(features(mx), nn.Conv2D(CLASSES, 1), nn.Conv2DTranspose(CLASSES, 64, strides=32, padding=16))
    return net


def deeplab(mx):
    """Atrous spatial pyramid pooling, then bilinear resizing."""
    nn = mx.gluon.nn

    def conv(channels, kernel, dilation=1, stride=1):
        block = nn.HybridSequential()
        padding = dilation * (kernel // 2)
        block.add(nn.Conv2D(channels, kernel, stride, padding, dilation, use_bias=False), nn.BatchNorm())
        block.add(nn.Activation("relu"))
        return block

    class Pyramid(mx.gluon.HybridBlock):
        def __init__(self, channels):
            super().__init__()
            with self.name_scope():
                self.branches = mx.gluon.contrib.nn.HybridConcurrent(axis=1)
                self.branches.add(conv(channels, 1), *(conv(channels, 3, rate) for rate in (6, 12, 18)))
                self.project = conv(channels, 1)

        def hybrid_forward(self, F, x):
            return self.project(self.branches(x))

    class DeepLab(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.base = nn.HybridSequential()
                for channels, stride in ((32, 2), (64, 2), (128, 2), (128, 1)):
                    self.base.add(conv(channels, 3, 1, stride))
                self.head = nn.HybridSequential()
                self.head.add(conv(128, 3, 2), Pyramid(128), nn.Dropout(0.1), nn.Conv2D(CLASSES, 1))

        def hybrid_forward(self, F, x):
            return F.contrib.BilinearResize2D(self.head(self.base(x)), height=SIZE, width=SIZE)

    return DeepLab()


def unet(mx):
    """Contracting and expanding paths with concatenated shortcuts."""
    nn = mx.gluon.nn

    def double(channels):
        block = nn.HybridSequential()
        for _ in range(2):
            block.add(nn.Conv2D(channels, 3, padding=1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"))
        return block

    class Level(mx.gluon.HybridBlock):
        def __init__(self, widths):
            super().__init__()
            with self.name_scope():
                self.enter = double(widths[0])
                self.inner = None
                if len(widths) > 1:
                    self.inner = nn.HybridSequential()
                    self.inner.add(nn.MaxPool2D(), Level(widths[1:]), nn.Conv2DTranspose(widths[0], 2, 2))
                    self.leave = double(widths[0])

        def hybrid_forward(self, F, x):
            x = self.enter(x)
            return x if self.inner is None else self.leave(F.concat(x, self.inner(x), dim=1))

    net = nn.HybridSequential()
    net.add(Level((32, 64, 128, 256)), nn.Conv2D(2, 1))
    return net


SIZE = sized(160, 64)
NETWORKS = {
    "fcn": Network(fcn, (image(3, SIZE),), "predict/hybrid/1 train/hybrid/8 train/eager/1", loss="pixels"),
    "deeplab": Network(deeplab, (image(3, SIZE),), "predict/hybrid/1 train/hybrid/8", loss="pixels"),
    "unet": Network(
        unet, (image(1, sized(128, 32)),), "predict/hybrid/1 predict/module/8 train/hybrid/8", loss="pixels"
    ),
}
