"""Classify handwritten digits with Gluon: softmax regression, a multilayer perceptron or LeNet.

    python examples/gluon_digits.py --model lenet --hybridize --epochs 5
    python examples/gluon_digits.py --model mlp --data /usr/share/datasets/fashion-mnist

Uses the bundled digits; --data names a directory with the files of MNIST or Fashion-MNIST.
"""

import argparse
import time
from pathlib import Path

import digits
import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn


def softmax_regression():
    """A dense layer on the pixels."""
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(nn.Flatten(), nn.Dense(10))
    return net


def mlp(drop_prob=0.2):
    """A hidden layer, with dropout."""
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(nn.Flatten(), nn.Dense(256, activation="relu"), nn.Dropout(drop_prob), nn.Dense(10))
    return net


def lenet():
    """Two convolutions with batch normalization, two dense layers."""
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(
            nn.Conv2D(channels=20, kernel_size=5),
            nn.BatchNorm(axis=1),
            nn.Activation(activation="relu"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Conv2D(channels=50, kernel_size=3),
            nn.BatchNorm(axis=1),
            nn.Activation(activation="relu"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Flatten(),
            nn.Dense(128, activation="relu"),
            nn.Dense(10),
        )
    return net


MODELS = {"softmax": softmax_regression, "mlp": mlp, "lenet": lenet}


def main(argv=None):
    """Trains, prints the accuracy on unseen digits and returns it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", choices=MODELS, default="mlp")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--lr", type=float, default=0.2)
    parser.add_argument("--momentum", type=float, default=0.5)
    parser.add_argument("--data", type=Path, default=None, help="directory with the four files of MNIST")
    parser.add_argument("--hybridize", action="store_true", help="run as a graph")
    parser.add_argument("--limit", type=int, default=None, help="use so many digits only")
    args = parser.parse_args(argv)

    mx.random.seed(0)
    np.random.seed(0)  # the order of batches
    train_data, test_data = digits.loaders(args.batch_size, args.data, args.limit)
    net = MODELS[args.model]()
    net.initialize(init=init.Xavier())
    if args.hybridize:
        net.hybridize()
    softmax_cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": args.lr, "momentum": args.momentum})
    test_acc = 0.0
    for epoch in range(args.epochs):
        start, train_loss, train_acc = time.time(), 0.0, 0.0
        for data, label in train_data:
            with autograd.record():
                output = net(data)
                loss = softmax_cross_entropy(output, label)
            loss.backward()
            trainer.step(len(data))
            train_loss += nd.mean(loss).asscalar()
            train_acc += digits.accuracy(output, label)
        test_acc = digits.evaluate_accuracy(net, test_data)
        batches = len(train_data)
        print(
            f"epoch {epoch}: loss {train_loss / batches:.4f}, train accuracy {train_acc / batches:.2%}, "
            f"test accuracy {test_acc:.2%}, {time.time() - start:.1f} s"
        )
    return test_acc


if __name__ == "__main__":
    main()
