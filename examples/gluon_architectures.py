"""Classic convolutional networks in Gluon, from LeNet to DenseNet.

    python examples/gluon_architectures.py resnet --size 96 --steps 20

Each trains for a few steps on a batch of handwritten digits, enlarged to the input size of these networks.
"""

import argparse
from pathlib import Path

import digits

import mxnet as mx
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn


def lenet(classes=10):
    """LeCun et al., 1998."""
    net = nn.Sequential()
    with net.name_scope():
        net.add(
            nn.Conv2D(channels=20, kernel_size=5, activation="relu"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Conv2D(channels=50, kernel_size=3, activation="relu"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Flatten(),
            nn.Dense(128, activation="relu"),
            nn.Dense(classes),
        )
    return net


def alexnet(classes=10):
    """Krizhevsky et al., 2012."""
    net = nn.Sequential()
    with net.name_scope():
        net.add(
            nn.Conv2D(channels=96, kernel_size=11, strides=4, activation="relu"),
            nn.MaxPool2D(pool_size=3, strides=2),
            nn.Conv2D(channels=256, kernel_size=5, padding=2, activation="relu"),
            nn.MaxPool2D(pool_size=3, strides=2),
            nn.Conv2D(channels=384, kernel_size=3, padding=1, activation="relu"),
            nn.Conv2D(channels=384, kernel_size=3, padding=1, activation="relu"),
            nn.Conv2D(channels=256, kernel_size=3, padding=1, activation="relu"),
            nn.MaxPool2D(pool_size=3, strides=2),
            nn.Flatten(),
            nn.Dense(4096, activation="relu"),
            nn.Dropout(0.5),
            nn.Dense(4096, activation="relu"),
            nn.Dropout(0.5),
            nn.Dense(classes),
        )
    return net


def vgg_block(num_convs, channels):
    """Convolutions, then half the size."""
    out = nn.Sequential()
    for _ in range(num_convs):
        out.add(nn.Conv2D(channels=channels, kernel_size=3, padding=1, activation="relu"))
    out.add(nn.MaxPool2D(pool_size=2, strides=2))
    return out


def vgg(classes=10, architecture=((1, 64), (1, 128), (2, 256), (2, 512), (2, 512))):
    """VGG-11: Simonyan and Zisserman, 2014."""
    stack = nn.Sequential()
    for num_convs, channels in architecture:
        stack.add(vgg_block(num_convs, channels))
    net = nn.Sequential()
    with net.name_scope():
        net.add(
            stack,
            nn.Flatten(),
            nn.Dense(4096, activation="relu"),
            nn.Dropout(0.5),
            nn.Dense(4096, activation="relu"),
            nn.Dropout(0.5),
            nn.Dense(classes),
        )
    return net


def mlpconv(channels, kernel_size, padding, strides=1, max_pooling=True):
    """A convolution followed by two of size 1."""
    out = nn.Sequential()
    out.add(
        nn.Conv2D(channels=channels, kernel_size=kernel_size, strides=strides, padding=padding, activation="relu"),
        nn.Conv2D(channels=channels, kernel_size=1, padding=0, strides=1, activation="relu"),
        nn.Conv2D(channels=channels, kernel_size=1, padding=0, strides=1, activation="relu"),
    )
    if max_pooling:
        out.add(nn.MaxPool2D(pool_size=3, strides=2))
    return out


def nin(classes=10):
    """Network in network: Lin et al., 2013."""
    net = nn.Sequential()
    with net.name_scope():
        net.add(
            mlpconv(96, 11, 0, strides=4),
            mlpconv(256, 5, 2),
            mlpconv(384, 3, 1),
            nn.Dropout(0.5),
            mlpconv(classes, 3, 1, max_pooling=False),
            nn.GlobalAvgPool2D(),
            nn.Flatten(),
        )
    return net


class Inception(nn.Block):
    """Four paths side by side."""

    def __init__(self, n1_1, n2_1, n2_3, n3_1, n3_5, n4_1, **kwargs):
        super().__init__(**kwargs)
        self.p1_conv_1 = nn.Conv2D(n1_1, kernel_size=1, activation="relu")
        self.p2_conv_1 = nn.Conv2D(n2_1, kernel_size=1, activation="relu")
        self.p2_conv_3 = nn.Conv2D(n2_3, kernel_size=3, padding=1, activation="relu")
        self.p3_conv_1 = nn.Conv2D(n3_1, kernel_size=1, activation="relu")
        self.p3_conv_5 = nn.Conv2D(n3_5, kernel_size=5, padding=2, activation="relu")
        self.p4_pool_3 = nn.MaxPool2D(pool_size=3, padding=1, strides=1)
        self.p4_conv_1 = nn.Conv2D(n4_1, kernel_size=1, activation="relu")

    def forward(self, x):
        p1 = self.p1_conv_1(x)
        p2 = self.p2_conv_3(self.p2_conv_1(x))
        p3 = self.p3_conv_5(self.p3_conv_1(x))
        p4 = self.p4_conv_1(self.p4_pool_3(x))
        return nd.concat(p1, p2, p3, p4, dim=1)


class Stages(nn.Block):
    """Blocks in a row that can tell the shape after each of them."""

    def __init__(self, make_stages, verbose=False, **kwargs):
        super().__init__(**kwargs)
        self.verbose = verbose
        with self.name_scope():
            self.net = nn.Sequential()
            self.net.add(*make_stages())

    def forward(self, x):
        for i, stage in enumerate(self.net):
            x = stage(x)
            if self.verbose:
                print(f"stage {i + 1} output: {x.shape}")
        return x


def row(*blocks):
    """Blocks as one."""
    out = nn.Sequential()
    out.add(*blocks)
    return out


def googlenet(classes=10, verbose=False):
    """Szegedy et al., 2014."""

    def stages():
        return (
            row(nn.Conv2D(64, 7, strides=2, padding=3, activation="relu"), nn.MaxPool2D(pool_size=3, strides=2)),
            row(nn.Conv2D(64, 1), nn.Conv2D(192, 3, padding=1), nn.MaxPool2D(pool_size=3, strides=2)),
            row(
                Inception(64, 96, 128, 16, 32, 32),
                Inception(128, 128, 192, 32, 96, 64),
                nn.MaxPool2D(pool_size=3, strides=2),
            ),
            row(
                Inception(192, 96, 208, 16, 48, 64),
                Inception(160, 112, 224, 24, 64, 64),
                Inception(128, 128, 256, 24, 64, 64),
                Inception(112, 144, 288, 32, 64, 64),
                Inception(256, 160, 320, 32, 128, 128),
                nn.MaxPool2D(pool_size=3, strides=2),
            ),
            row(
                Inception(256, 160, 320, 32, 128, 128),
                Inception(384, 192, 384, 48, 128, 128),
                nn.GlobalAvgPool2D(),
            ),
            row(nn.Flatten(), nn.Dense(classes)),
        )

    return Stages(stages, verbose)


class Residual(nn.Block):
    """Two convolutions and a way past them."""

    def __init__(self, channels, same_shape=True, **kwargs):
        super().__init__(**kwargs)
        self.same_shape = same_shape
        strides = 1 if same_shape else 2
        self.conv1 = nn.Conv2D(channels, kernel_size=3, padding=1, strides=strides)
        self.bn1 = nn.BatchNorm()
        self.conv2 = nn.Conv2D(channels, kernel_size=3, padding=1)
        self.bn2 = nn.BatchNorm()
        if not same_shape:
            self.conv3 = nn.Conv2D(channels, kernel_size=1, strides=strides)

    def forward(self, x):
        out = nd.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if not self.same_shape:
            x = self.conv3(x)
        return nd.relu(out + x)


def resnet(classes=10, verbose=False):
    """ResNet-18: He et al., 2015."""

    def stages():
        return (
            nn.Conv2D(64, kernel_size=7, strides=2),
            row(nn.MaxPool2D(pool_size=3, strides=2), Residual(64), Residual(64)),
            row(Residual(128, same_shape=False), Residual(128)),
            row(Residual(256, same_shape=False), Residual(256)),
            row(Residual(512, same_shape=False), Residual(512)),
            row(nn.GlobalAvgPool2D(), nn.Dense(classes)),
        )

    return Stages(stages, verbose)


def conv_block(channels):
    """Normalize, activate, convolve."""
    return row(nn.BatchNorm(), nn.Activation("relu"), nn.Conv2D(channels, kernel_size=3, padding=1))


class DenseBlock(nn.Block):
    """Each layer sees the outputs of all before it."""

    def __init__(self, layers, growth_rate, **kwargs):
        super().__init__(**kwargs)
        self.net = nn.Sequential()
        for _ in range(layers):
            self.net.add(conv_block(growth_rate))

    def forward(self, x):
        for layer in self.net:
            out = layer(x)
            x = nd.concat(x, out, dim=1)
        return x


def densenet(classes=10, init_channels=64, growth_rate=32, block_layers=(6, 12, 24, 16)):
    """DenseNet-121: Huang et al., 2016."""
    net = nn.Sequential()
    with net.name_scope():
        net.add(
            nn.Conv2D(init_channels, kernel_size=7, strides=2, padding=3),
            nn.BatchNorm(),
            nn.Activation("relu"),
            nn.MaxPool2D(pool_size=3, strides=2, padding=1),
        )
        channels = init_channels
        for i, layers in enumerate(block_layers):
            net.add(DenseBlock(layers, growth_rate))
            channels += layers * growth_rate
            if i != len(block_layers) - 1:
                channels //= 2
                net.add(nn.BatchNorm(), nn.Activation("relu"), nn.Conv2D(channels, kernel_size=1))
                net.add(nn.AvgPool2D(pool_size=2, strides=2))
        net.add(nn.BatchNorm(), nn.Activation("relu"), nn.GlobalAvgPool2D(), nn.Flatten(), nn.Dense(classes))
    return net


NETWORKS = {f.__name__: f for f in (lenet, alexnet, vgg, nin, googlenet, resnet, densenet)}


def main(argv=None):
    """Trains a network a little; returns the shape of its output, how many numbers it learns, and the losses."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("--size", type=int, default=96, help="width and height of the images")
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--lr", type=float, default=0.001)
    parser.add_argument("--data", type=Path, default=None, help="directory with the four files of MNIST")
    args = parser.parse_args(argv)

    mx.random.seed(0)
    images, labels, _, _ = digits.load(args.data, args.batch_size)
    images = nd.contrib.BilinearResize2D(images, height=args.size, width=args.size).repeat(3, axis=1)
    net = NETWORKS[args.network]()
    net.initialize(init.Xavier())
    softmax_cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": args.lr})
    losses = []
    for _ in range(args.steps):
        with autograd.record():
            output = net(images)
            loss = softmax_cross_entropy(output, labels)
        loss.backward()
        trainer.step(len(images))
        losses.append(loss.mean().asscalar())
    size = sum(param.data().size for param in net.collect_params().values())
    print(net)
    print(f"{args.network}: {output.shape}, {size} parameters, losses {' '.join(f'{loss:.3f}' for loss in losses)}")
    return output.shape, size, losses


if __name__ == "__main__":
    main()
