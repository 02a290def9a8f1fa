"""Generators and discriminators: DCGAN, CycleGAN, pix2pix."""

from . import Network, Steps, image, sized, uniform

FILTERS = sized(64, 4)
NOISE = 100


def dcgan_generator(mx):
    """Noise to images of 64x64."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    for multiple, stride, padding in ((8, 1, 0), (4, 2, 1), (2, 2, 1), (1, 2, 1)):
        net.add(nn.Conv2DTranspose(FILTERS * multiple, 4, stride, padding, use_bias=False))
        net.add(nn.BatchNorm(), nn.Activation("relu"))
    net.add(nn.Conv2DTranspose(3, 4, 2, 1, use_bias=False), nn.Activation("tanh"))
    return net


def dcgan_discriminator(mx):
    """Images of 64x64 to a score."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(nn.Conv2D(FILTERS, 4, 2, 1, use_bias=False), nn.LeakyReLU(0.2))
    for multiple in (2, 4, 8):
        net.add(nn.Conv2D(FILTERS * multiple, 4, 2, 1, use_bias=False), nn.BatchNorm(), nn.LeakyReLU(0.2))
    net.add(nn.Conv2D(1, 4, 1, 0, use_bias=False))
    return net


def cyclegan_generator(mx):
    """Reflected borders, instance normalization, residual blocks."""
    nn = mx.gluon.nn

    class Residual(mx.gluon.HybridBlock):
        def __init__(self, channels):
            super().__init__()
            with self.name_scope():
                self.body = nn.HybridSequential()
                for last in (False, True):
                    self.body.add(nn.ReflectionPad2D(1), nn.Conv2D(channels, 3), nn.InstanceNorm())
                    if not last:
                        self.body.add(nn.Activation("relu"))

        def hybrid_forward(self, F, x):
            return x + self.body(x)

    net, width = nn.HybridSequential(), FILTERS // 2
    net.add(nn.ReflectionPad2D(3), nn.Conv2D(width, 7), nn.InstanceNorm(), nn.Activation("relu"))
    for multiple in (2, 4):
        net.add(nn.Conv2D(width * multiple, 3, 2, 1), nn.InstanceNorm(), nn.Activation("relu"))
    net.add(*(Residual(width * 4) for _ in range(sized(6, 1))))
    for multiple in (2, 1):
        net.add(nn.Conv2DTranspose(width * multiple, 3, 2, 1, 1), nn.InstanceNorm(), nn.Activation("relu"))
    net.add(nn.ReflectionPad2D(3), nn.Conv2D(3, 7), nn.Activation("tanh"))
    return net


def _adversarial(mx, generator, discriminator, noise, real, batch):
    """The step of GluonCV's and the examples' GANs: the discriminator, then the generator."""
    from ._mxnet import fill

    autograd, gluon, nd = mx.autograd, mx.gluon, mx.nd
    trainers = []
    for net, data in ((generator, noise), (discriminator, real)):
        net.initialize(mx.init.Normal(0.02))
        net(data)
        fill(mx, net, mx.init.Normal(0.02))
        net.hybridize(static_alloc=True, static_shape=True)
        trainers.append(gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 2e-4, "beta1": 0.5}))
    loss = gluon.loss.SigmoidBinaryCrossEntropyLoss()
    ones, zeros = nd.ones((batch,)), nd.zeros((batch,))

    def step():
        fake = generator(noise)
        with autograd.record():
            both = loss(discriminator(real).reshape((batch, -1)).mean(axis=1), ones)
            both = both + loss(discriminator(fake).reshape((batch, -1)).mean(axis=1), zeros)
        both.backward()
        trainers[1].step(batch)
        with autograd.record():
            value = loss(discriminator(generator(noise)).reshape((batch, -1)).mean(axis=1), ones)
        value.backward()
        trainers[0].step(batch)
        mx.nd.waitall()
        return [both, value]

    return step


def dcgan_train(mx):
    """A step of DCGAN with Adam."""
    import numpy as np

    rng, batch = np.random.RandomState(0), sized(16, 2)
    noise = mx.nd.array(uniform(NOISE, 1, 1)(rng, batch))
    real = mx.nd.array(image(3, 64)(rng, batch))
    return _adversarial(mx, dcgan_generator(mx), dcgan_discriminator(mx), noise, real, batch)


def torch_dcgan_train(torch):
    """As ``dcgan_train``, channels_last."""
    nn, batch = torch.nn, sized(16, 2)
    layers, inputs = [], NOISE
    for multiple, stride, padding in ((8, 1, 0), (4, 2, 1), (2, 2, 1), (1, 2, 1)):
        layers += [nn.ConvTranspose2d(inputs, FILTERS * multiple, 4, stride, padding, bias=False)]
        inputs = FILTERS * multiple
        layers += [nn.BatchNorm2d(inputs), nn.ReLU()]
    generator = nn.Sequential(*layers, nn.ConvTranspose2d(inputs, 3, 4, 2, 1, bias=False), nn.Tanh())
    layers, inputs = [nn.Conv2d(3, FILTERS, 4, 2, 1, bias=False), nn.LeakyReLU(0.2)], FILTERS
    for multiple in (2, 4, 8):
        layers += [nn.Conv2d(inputs, FILTERS * multiple, 4, 2, 1, bias=False)]
        inputs = FILTERS * multiple
        layers += [nn.BatchNorm2d(inputs), nn.LeakyReLU(0.2)]
    discriminator = nn.Sequential(*layers, nn.Conv2d(inputs, 1, 4, bias=False))
    generator, discriminator = (n.to(memory_format=torch.channels_last) for n in (generator, discriminator))
    real = torch.rand(batch, 3, 64, 64).contiguous(memory_format=torch.channels_last)
    noise, loss = torch.rand(batch, NOISE, 1, 1), nn.functional.binary_cross_entropy_with_logits
    optimizers = [torch.optim.Adam(n.parameters(), 2e-4, (0.5, 0.999)) for n in (generator, discriminator)]
    ones, zeros = torch.ones(batch, 1, 1, 1), torch.zeros(batch, 1, 1, 1)

    def step():
        optimizers[1].zero_grad()
        with torch.no_grad():
            fake = generator(noise)
        (loss(discriminator(real), ones) + loss(discriminator(fake), zeros)).backward()
        optimizers[1].step()
        optimizers[0].zero_grad()
        loss(discriminator(generator(noise)), ones).backward()
        optimizers[0].step()

    return step


NETWORKS = {
    "dcgan_generator": Network(
        dcgan_generator, (uniform(NOISE, 1, 1),), "predict/hybrid/1 predict/eager/8 predict/hybrid/64", loss="l2"
    ),
    "dcgan_discriminator": Network(
        dcgan_discriminator, (image(3, 64),), "predict/hybrid/8 train/hybrid/8", loss="sigmoid"
    ),
    "cyclegan_generator": Network(
        cyclegan_generator, (image(3, sized(128, 32)),), "predict/hybrid/1 train/hybrid/1 train/eager/1", loss="l1"
    ),
}
STEPS = {"dcgan_train": Steps(dcgan_train, torch_dcgan_train)}
