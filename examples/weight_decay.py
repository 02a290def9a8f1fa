"""Weight decay: learn 200 coefficients from 20 examples, with and without it, from scratch and with Gluon.

python examples/weight_decay.py --epochs 100 --wd 3
"""

import argparse
from pathlib import Path

import drawing
import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn

NUM_TRAIN, NUM_TEST, NUM_INPUTS = 20, 100, 200
TRUE_W, TRUE_B = 0.01, 0.05


def make_data():
    """Many inputs, few examples: features and labels to learn from and to test on."""
    features = nd.random.normal(shape=(NUM_TRAIN + NUM_TEST, NUM_INPUTS))
    labels = nd.dot(features, nd.full((NUM_INPUTS, 1), TRUE_W)) + TRUE_B
    labels += nd.random.normal(scale=0.01, shape=labels.shape)
    return features[:NUM_TRAIN], labels[:NUM_TRAIN], features[NUM_TRAIN:], labels[NUM_TRAIN:]


def from_scratch(data, wd, lr, epochs):
    """The squared size of the weights, as a part of the loss; returns the losses and the size at the end."""
    features, labels, test_features, test_labels = data
    w, b = nd.random.normal(shape=(NUM_INPUTS, 1)), nd.zeros(1)
    params = [w, b]
    for param in params:
        param.attach_grad()

    def loss(X, y):
        return (nd.dot(X, w) + b - y) ** 2 / 2

    curves = []
    for _ in range(epochs):
        for i in range(NUM_TRAIN):
            with autograd.record():
                batch_loss = loss(features[i : i + 1], labels[i : i + 1]) + wd * (w**2).sum() / 2
            batch_loss.backward()
            for param in params:
                param[:] = param - lr * param.grad
        curves.append([loss(features, labels).mean().asscalar(), loss(test_features, test_labels).mean().asscalar()])
    return np.array(curves), w.norm().asscalar()


def by_gluon(data, wd, lr, epochs):
    """The same as an argument of the trainer: weights decay, biases do not."""
    features, labels, test_features, test_labels = data
    net = nn.Sequential()
    net.add(nn.Dense(1))
    net.initialize(init.Normal(sigma=1))
    weights = gluon.Trainer(net.collect_params(".*weight"), "sgd", {"learning_rate": lr, "wd": wd})
    biases = gluon.Trainer(net.collect_params(".*bias"), "sgd", {"learning_rate": lr})
    loss = gluon.loss.L2Loss()
    batches = gluon.data.DataLoader(gluon.data.ArrayDataset(features, labels), 1)
    curves = []
    for _ in range(epochs):
        for X, y in batches:
            with autograd.record():
                batch_loss = loss(net(X), y)
            batch_loss.backward()
            weights.step(1)
            biases.step(1)
        pairs = ((features, labels), (test_features, test_labels))
        curves.append([loss(net(X), y).mean().asscalar() for X, y in pairs])
    return np.array(curves), net[0].weight.data().norm().asscalar()


WAYS = {"from scratch": from_scratch, "by Gluon": by_gluon}


def draw(results, path):
    """The losses of all runs."""
    figure = drawing.new_figure(9, 6)
    for axes, (title, (curves, _)) in zip(figure.subplots(2, 2).ravel(), results.items(), strict=True):
        for values, name, colour in zip(curves.T, ("training", "test"), drawing.SERIES, strict=False):
            axes.semilogy(range(1, len(values) + 1), values, color=colour, label=name)
        drawing.style(axes, title, "epoch", "loss")
        axes.legend(frameon=False)
    drawing.save(figure, path)


def main(argv=None):
    """Runs both ways without and with weight decay; returns losses (training, test per epoch) and sizes of weights."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--lr", type=float, default=0.003)
    parser.add_argument("--wd", type=float, default=3)
    parser.add_argument("--output", type=Path, default=Path("runs/weight_decay.png"))
    args = parser.parse_args(argv)

    mx.random.seed(0)
    data = make_data()
    results = {}
    for way, run in WAYS.items():
        for wd in (0, args.wd):
            curves, size = run(data, wd, args.lr, args.epochs)
            results[f"{way}, weight decay {wd:g}"] = curves, size
            print(
                f"{way:12s} weight decay {wd:g}: training loss {curves[-1, 0]:.5f}, test loss {curves[-1, 1]:.5f}, "
                f"L2 norm of w {size:.3f}"
            )
    draw(results, args.output)
    print(f"picture saved in {args.output}")
    return results


if __name__ == "__main__":
    main()
