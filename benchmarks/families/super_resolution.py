"""Networks that enlarge images: sub-pixels, UpSampling, transposed convolutions."""

from . import Network, image, sized

CHANNELS = sized(64, 8)


def sub_pixel(mx):
    """ESPCN, as the example does it: convolutions, then channels become pixels by reshaping."""
    nn = mx.gluon.nn

    class SubPixel(mx.gluon.HybridBlock):
        def __init__(self, factor=3):
            super().__init__()
            self.factor = factor
            with self.name_scope():
                self.body = nn.HybridSequential()
                self.body.add(nn.Conv2D(64, 5, padding=2, activation="relu"))
                self.body.add(nn.Conv2D(64, 3, padding=1, activation="relu"))
                self.body.add(nn.Conv2D(32, 3, padding=1, activation="relu"), nn.Conv2D(factor**2, 3, padding=1))

        def hybrid_forward(self, F, x):
            x = F.reshape(self.body(x), (0, -4, -1, self.factor**2, 0, 0))
            x = F.reshape(x, (0, 0, -4, self.factor, self.factor, 0, 0))
            x = F.transpose(x, (0, 1, 4, 2, 5, 3))
            return F.reshape(x, (0, 0, -3, -3))

    return SubPixel()


def srgan_generator(mx):
    """Residual blocks with PReLU, then two layers of PixelShuffle."""
    nn, contrib = mx.gluon.nn, mx.gluon.contrib.nn

    class Residual(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.body = nn.HybridSequential()
                self.body.add(nn.Conv2D(CHANNELS, 3, padding=1), nn.BatchNorm(), nn.PReLU())
                self.body.add(nn.Conv2D(CHANNELS, 3, padding=1), nn.BatchNorm())

        def hybrid_forward(self, F, x):
            return x + self.body(x)

    net = nn.HybridSequential()
    net.add(nn.Conv2D(CHANNELS, 9, padding=4), nn.PReLU(), *(Residual() for _ in range(sized(4, 1))))
    for _ in range(2):
        net.add(nn.Conv2D(CHANNELS * 4, 3, padding=1), contrib.PixelShuffle2D(2), nn.PReLU())
    net.add(nn.Conv2D(3, 9, padding=4))
    return net


def fsrcnn(mx):
    """Shrinks, maps, expands, and enlarges by a transposed convolution of 9x9."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(nn.Conv2D(56, 5, padding=2), nn.PReLU(), nn.Conv2D(12, 1), nn.PReLU())
    for _ in range(4):
        net.add(nn.Conv2D(12, 3, padding=1), nn.PReLU())
    net.add(nn.Conv2D(56, 1), nn.PReLU(), nn.Conv2DTranspose(1, 9, 3, 3, output_padding=0))
    return net


def up_sampling(mx):
    """Pixels repeated by UpSampling, convolutions after it."""
    nn = mx.gluon.nn

    class Enlarge(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.UpSampling(x, scale=2, sample_type="nearest")

    net = nn.HybridSequential()
    net.add(nn.Conv2D(CHANNELS, 5, padding=2, activation="relu"))
    for _ in range(2):
        net.add(Enlarge(), nn.Conv2D(CHANNELS, 3, padding=1, activation="relu"))
    net.add(nn.Conv2D(3, 5, padding=2))
    return net


GRAY, COLORED = image(1, sized(72, 12)), image(3, sized(32, 8))
NETWORKS = {
    "sub_pixel": Network(sub_pixel, (GRAY,), "predict/hybrid/1 train/hybrid/8 train/eager/8", loss="l2"),
    "srgan_generator": Network(srgan_generator, (COLORED,), "predict/hybrid/1 train/hybrid/8", loss="l1"),
    "fsrcnn": Network(fsrcnn, (GRAY,), "predict/hybrid/1 predict/hybrid/8 train/hybrid/8", loss="l2"),
    "up_sampling": Network(up_sampling, (COLORED,), "predict/hybrid/1 train/module/8", loss="l2"),
}
