"""Autoencoders: dense, convolutional, variational."""

from . import Network, image, sized, uniform


def dense(mx):
    """The example's: 784, 500, 500, 2000, 10 and back."""
    nn = mx.gluon.nn
    net, widths = nn.HybridSequential(), sized((500, 500, 2000, 10, 2000, 500, 500), (8, 2, 8))
    for width in widths:
        net.add(nn.Dense(width, activation="relu" if width > 10 else None))
    net.add(nn.Dense(784))
    return net


def convolutional(mx):
    """Strided convolutions down, transposed ones up, each normalized."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    for width in (16, 32, 64):
        net.add(nn.Conv2D(width, 3, 2, 1), nn.BatchNorm(), nn.LeakyReLU(0.1))
    for width in (32, 16):
        net.add(nn.Conv2DTranspose(width, 4, 2, 1), nn.BatchNorm(), nn.LeakyReLU(0.1))
    net.add(nn.Conv2DTranspose(1, 4, 2, 1), nn.Activation("sigmoid"))
    return net


def variational(mx):
    """The example's VAE, which returns its loss: a normal sample, reconstruction and divergence."""
    nn = mx.gluon.nn
    hidden, latent = sized(400, 8), sized(20, 2)

    class VAE(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.encoder, self.decoder = nn.HybridSequential(), nn.HybridSequential()
                self.encoder.add(nn.Dense(hidden, activation="relu"), nn.Dense(latent * 2))
                self.decoder.add(nn.Dense(hidden, activation="relu"), nn.Dense(784, activation="sigmoid"))

        def hybrid_forward(self, F, x, noise):
            mean, logarithm = F.split(self.encoder(x), axis=1, num_outputs=2)
            y = self.decoder(mean + F.exp(0.5 * logarithm) * noise)
            divergence = -0.5 * F.sum(1 + logarithm - mean * mean - F.exp(logarithm), axis=1)
            likelihood = F.sum(x * F.log(y + 1e-12) + (1 - x) * F.log(1 - y + 1e-12), axis=1)
            return divergence - likelihood

    return VAE()


DIGITS = uniform(784, low=0.0)
NETWORKS = {
    "dense": Network(dense, (DIGITS,), "predict/hybrid/1 train/hybrid/64 train/module/64", loss="l2"),
    "convolutional": Network(convolutional, (image(1, 64),), "predict/hybrid/8 train/hybrid/8", loss="l2"),
    "variational": Network(variational, (DIGITS, uniform(sized(20, 2))), "train/eager/64 train/hybrid/64", loss="own"),
}
