"""Data parallelism on several GPUs: split each batch, sum the gradients.

    python examples/gluon_multi_device.py --gpus 2

Without enough GPUs the example uses virtual ones (MXNET_VIRTUAL_GPUS). Training on one device ends with the same
parameters within rounding.
"""

import argparse
import os
from pathlib import Path

import digits
import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn


def build_net():
    """A small convolutional network."""
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(channels=8, kernel_size=5, activation="relu"),
        nn.MaxPool2D(pool_size=2, strides=2),
        nn.Conv2D(channels=16, kernel_size=3, activation="relu"),
        nn.MaxPool2D(pool_size=2, strides=2),
        nn.Flatten(),
        nn.Dense(64, activation="relu"),
        nn.Dense(10),
    )
    return net


def train(ctx, batches, epochs, lr):
    """Trains on a list of devices; returns the network and the mean loss of each epoch."""
    mx.random.seed(0)
    net = build_net()
    net.initialize(init=init.Xavier(), ctx=ctx)
    net.hybridize()
    softmax_cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": lr}, kvstore="device")
    history = []
    for _ in range(epochs):
        total = seen = 0
        for data, label in batches:
            data_list = gluon.utils.split_and_load(data, ctx)
            label_list = gluon.utils.split_and_load(label, ctx)
            with autograd.record():
                losses = [softmax_cross_entropy(net(X), y) for X, y in zip(data_list, label_list, strict=True)]
            for loss in losses:
                loss.backward()
            trainer.step(len(data))
            total += sum(loss.sum().asscalar() for loss in losses)
            seen += len(data)
        history.append(total / seen)
    return net, history


def evaluate(net, ctx, images, labels):
    """The accuracy, computed on all devices."""
    parts = zip(gluon.utils.split_and_load(images, ctx), gluon.utils.split_and_load(labels, ctx), strict=True)
    return sum((net(X).argmax(axis=1) == y).sum().asscalar() for X, y in parts) / len(labels)


def main(argv=None):
    """Trains on several devices and on one; returns the accuracy and the largest difference between parameters."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gpus", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=20)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--data", type=Path, default=None, help="directory with the four files of MNIST")
    parser.add_argument("--limit", type=int, default=None, help="use so many digits only")
    args = parser.parse_args(argv)

    if mx.context.num_gpus() < args.gpus:
        os.environ["MXNET_VIRTUAL_GPUS"] = str(args.gpus)
        print(f"using {args.gpus} virtual GPUs")
    ctx = [mx.gpu(i) for i in range(args.gpus)]
    images, labels, test_images, test_labels = digits.load(args.data, args.limit)
    # in one order, so that both trainings see the same batches; split_and_load wants equal parts
    whole = len(images) // args.batch_size * args.batch_size
    batches = list(gluon.data.DataLoader(gluon.data.ArrayDataset(images[:whole], labels[:whole]), args.batch_size))
    net, history = train(ctx, batches, args.epochs, args.lr)
    for i, device in enumerate(ctx):
        print(f"{device} has its copy of the parameters: {net[0].weight.data(device).context}, part {i} of each batch")
    print("losses " + " ".join(f"{loss:.4f}" for loss in history))
    accuracy = evaluate(net, ctx, test_images, test_labels)
    print(f"test accuracy {accuracy:.2%}")

    single, _ = train([mx.cpu()], batches, args.epochs, args.lr)
    pairs = zip(net.collect_params().values(), single.collect_params().values(), strict=True)
    apart = max(np.abs(a.data(ctx[0]).asnumpy() - b.data().asnumpy()).max() for a, b in pairs)
    print(f"parameters of {args.gpus} devices and of one differ by at most {apart:.1e}")
    nd.waitall()
    return accuracy, history, float(apart)


if __name__ == "__main__":
    main()
