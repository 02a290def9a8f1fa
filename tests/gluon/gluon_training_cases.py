"""Short trainings that the recorder and the tests run alike. Read by the original's old Python packages too."""

import numpy as np
from gluon_model_zoo_cases import fill, values

STEPS = 3
# Numbers that single precision holds exactly: the original keeps them in that.
OPTIMIZERS = {
    "sgd": {"learning_rate": 2**-6, "momentum": 0.875, "wd": 2**-10},
    "adam": {"learning_rate": 2**-10, "beta1": 0.875, "beta2": 0.9375, "epsilon": 2**-13, "wd": 2**-13},
}


def lenet(mx):
    """The network of the books' chapter on convolutions."""
    nn = mx.gluon.nn
    net = nn.HybridSequential(prefix="lenet_")
    with net.name_scope():
        net.add(
            nn.Conv2D(channels=20, kernel_size=5, activation="relu"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Conv2D(channels=50, kernel_size=3, activation="relu"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Flatten(),
            nn.Dense(128, activation="relu"),
            nn.Dense(10),
        )
    return net


def resnet(mx):
    """ResNet-18 for small images."""
    return mx.gluon.model_zoo.vision.resnet18_v1(classes=10, thumbnail=True, prefix="resnet_")


# name: (what makes the network, shape of a batch, dtype). Deep networks with batch normalization are trained in double
# precision: in single precision rounding decides now and then whether a unit is active, and that is seen in the loss.
NETWORKS = {"lenet": (lenet, (8, 1, 28, 28), "float32"), "resnet18_v1": (resnet, (8, 3, 16, 16), "float64")}


def run(mx, network, optimizer, hybridize):
    """Losses of some steps, and norm and projection of each parameter afterwards."""
    make, shape, dtype = NETWORKS[network]
    net = make(mx)
    net.initialize()
    net(mx.nd.zeros(shape))
    fill(mx, net)
    net.cast(dtype)
    net.hybridize(hybridize)
    loss = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = mx.gluon.Trainer(net.collect_params(), optimizer, dict(OPTIMIZERS[optimizer]))
    losses = []
    for step in range(STEPS):
        x = mx.nd.array(values(shape, 1000 * step), dtype=dtype)
        label = mx.nd.array((np.arange(shape[0]) * 3 + step) % 10)
        with mx.autograd.record():
            found = loss(net(x), label)
        found.backward()
        trainer.step(shape[0])
        losses.append(found.asnumpy())
    weights = []
    for number, parameter in enumerate(net.collect_params().values()):
        weight = parameter.data().asnumpy().ravel()
        weights.append((np.linalg.norm(weight), weight @ values(weight.shape, 31 * number)))
    return {"losses": np.array(losses), "weights": np.array(weights)}
