"""Optimizers from scratch and with Gluon's Trainer, from gradient descent to Adam.

    python examples/optimizers.py                       all of them
    python examples/optimizers.py adam rmsprop --epochs 5

Both see the same batches of a linear regression and end with the same parameters. A plot shows the losses.
"""

import argparse
import math
from pathlib import Path

import drawing
import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, init, nd

TRUE_W, TRUE_B = [2, -3.4], 4.2


class Descent:
    """An optimizer from scratch: ``update`` changes a parameter by the gradient ``g``, keeping what it needs."""

    def __init__(self, params, lr):
        self.params, self.lr = params, lr
        self.states = [self.new_state(param) for param in params]
        self.t = 0

    def new_state(self, param):
        """What is remembered about a parameter between steps."""

    def step(self, batch_size):
        """Updates all parameters."""
        self.t += 1
        for param, state in zip(self.params, self.states, strict=True):
            self.update(param, param.grad / batch_size, state)

    def update(self, param, g, state):
        """Stochastic gradient descent."""
        param[:] -= self.lr * g


class Momentum(Descent):
    """Goes on in the mean direction of the last steps."""

    gamma = 0.9

    def new_state(self, param):
        return nd.zeros_like(param)

    def update(self, param, g, velocity):
        velocity[:] = self.gamma * velocity + self.lr * g
        param[:] -= velocity


class AdaGrad(Momentum):
    """Smaller steps for parameters that had large gradients."""

    eps = 1e-7

    def update(self, param, g, squares):
        squares[:] += g.square()
        param[:] -= self.lr * g / (squares + self.eps).sqrt()


class RMSProp(Momentum):
    """As AdaGrad, but forgets gradients of long ago."""

    gamma, eps = 0.9, 1e-8

    def update(self, param, g, squares):
        squares[:] = self.gamma * squares + (1 - self.gamma) * g.square()
        param[:] -= self.lr * g / (squares + self.eps).sqrt()


class AdaDelta(Descent):
    """No learning rate: steps are as large as the last ones were."""

    rho, eps = 0.9, 1e-5

    def new_state(self, param):
        return nd.zeros_like(param), nd.zeros_like(param)

    def update(self, param, g, state):
        squares, deltas = state
        squares[:] = self.rho * squares + (1 - self.rho) * g.square()
        delta = ((deltas + self.eps) / (squares + self.eps)).sqrt() * g
        deltas[:] = self.rho * deltas + (1 - self.rho) * delta.square()
        param[:] -= delta


class Adam(AdaDelta):
    """Momentum and RMSProp in one, with averages that do not start too small."""

    beta1, beta2, eps = 0.9, 0.999, 1e-8

    def update(self, param, g, state):
        mean, squares = state
        mean[:] = self.beta1 * mean + (1 - self.beta1) * g
        squares[:] = self.beta2 * squares + (1 - self.beta2) * g.square()
        lr = self.lr * math.sqrt(1 - self.beta2**self.t) / (1 - self.beta1**self.t)
        param[:] -= lr * mean / (squares.sqrt() + self.eps)


#: From scratch, the name and the arguments for the Trainer, the learning rate, and the batch size (None: all examples).
OPTIMIZERS = {
    "gd": (Descent, "sgd", {}, 0.5, None),
    "sgd": (Descent, "sgd", {}, 0.1, 10),
    "momentum": (Momentum, "sgd", {"momentum": Momentum.gamma}, 0.02, 10),
    "adagrad": (AdaGrad, "adagrad", {"eps": AdaGrad.eps}, 0.9, 10),
    "rmsprop": (RMSProp, "rmsprop", {"gamma1": RMSProp.gamma, "epsilon": RMSProp.eps}, 0.03, 10),
    "adadelta": (AdaDelta, "adadelta", {"rho": AdaDelta.rho, "epsilon": AdaDelta.eps}, 1.0, 10),
    "adam": (Adam, "adam", {}, 0.1, 10),
}


def make_points(count=1000):
    """Points on a plane, with a little noise."""
    X = nd.random.normal(shape=(count, 2))
    y = nd.dot(X, nd.array(TRUE_W)) + TRUE_B
    return X, y + nd.random.normal(scale=0.01, shape=count)


def run(forward, step, data, batch_size, epochs):
    """The loss before the first step and after each epoch."""
    X, y = data
    square_loss = gluon.loss.L2Loss()
    losses = [square_loss(forward(X), y).mean().asscalar()]
    for _ in range(epochs):
        for i in range(0, len(X), batch_size):
            with autograd.record():
                loss = square_loss(forward(X[i : i + batch_size]), y[i : i + batch_size])
            loss.backward()
            step(batch_size)
        losses.append(square_loss(forward(X), y).mean().asscalar())
    return losses


def main(argv=None):
    """Runs the optimizers; returns for each the losses of both ways and how far apart their parameters end."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("optimizers", nargs="*", metavar="optimizer", help=", ".join(OPTIMIZERS))
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--output", type=Path, default=Path("runs/optimizers.png"))
    args = parser.parse_args(argv)
    unknown = [name for name in args.optimizers if name not in OPTIMIZERS]
    if unknown:
        parser.error(f"no such optimizer: {', '.join(unknown)}; known: {', '.join(OPTIMIZERS)}")

    mx.random.seed(0)
    data = make_points()
    results = {}
    for name in args.optimizers or OPTIMIZERS:
        create, trainer_name, arguments, lr, batch_size = OPTIMIZERS[name]
        batch_size = batch_size or len(data[0])
        w, b = nd.zeros((1, 2)), nd.zeros(1)
        for param in (w, b):
            param.attach_grad()
        by_hand = create([w, b], lr)
        losses = run(lambda X, w=w, b=b: nd.dot(X, w.T) + b, by_hand.step, data, batch_size, args.epochs)

        net = gluon.nn.Dense(1, in_units=2)
        net.initialize(init.Zero())
        trainer = gluon.Trainer(net.collect_params(), trainer_name, {"learning_rate": lr, **arguments})
        trainer_losses = run(net, trainer.step, data, batch_size, args.epochs)
        both = zip((w, b), (net.weight.data(), net.bias.data()), strict=True)
        apart = max(np.abs((one - other).asnumpy()).max() for one, other in both)
        results[name] = losses, trainer_losses, float(apart)
        print(
            f"{name:9s} loss {losses[0]:.3f} -> {losses[-1]:.6f}, by Trainer {trainer_losses[-1]:.6f}, "
            f"w {w.asnumpy().ravel().round(3)}, b {b.asscalar():.3f}, difference {apart:.1e}"
        )

    figure = drawing.new_figure(7, 4.5)
    axes = figure.subplots()
    for colour, (name, (losses, _, _)) in zip(drawing.SERIES, results.items(), strict=False):
        axes.semilogy(range(len(losses)), losses, ".-", color=colour, label=name)
    drawing.style(axes, "Loss of a linear regression", "epoch")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.legend(frameon=False)
    drawing.save(figure, args.output)
    print(f"picture saved in {args.output}")
    return results


if __name__ == "__main__":
    main()
