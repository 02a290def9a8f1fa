"""Mixed precision: train LeNet in float32, then with `mx.contrib.amp` in bfloat16 and float16.

    python examples/amp_digits.py --epochs 3

Prints the accuracy, CPU time for an epoch and the loss scale at the end for each, and draws the losses into
runs/amp.png. Parameters stay float32; convolutions and dense layers run in 16 bits. bfloat16 has the range of float32,
so its losses need no scale; float16 starts with a large one, and steps whose gradients overflow are skipped.
"""

import argparse
import time
from pathlib import Path

import digits
import drawing
import numpy as np
from gluon_digits import lenet

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.contrib import amp

COLUMNS = "precision", "accuracy", "s / epoch", "loss scale"


def train(dtype, batches, epochs, lr):
    """A network trained in float32 or with casts to `dtype`, its losses, seconds per epoch, the scale at the end."""
    mx.random.seed(1)
    net = lenet()  # made after amp.init, so that its operators are cast
    net.initialize(mx.init.Xavier())
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": lr, "momentum": 0.9})
    if dtype != "float32":
        amp.init_trainer(trainer)
    loss_function = gluon.loss.SoftmaxCrossEntropyLoss()
    losses, start = [], time.process_time()
    for _ in range(epochs):
        for data, label in batches:
            with autograd.record():
                loss = loss_function(net(data), label)
                if dtype == "float32":
                    loss.backward()
                else:
                    with amp.scale_loss(loss, trainer) as scaled:
                        autograd.backward(scaled)
            trainer.step(len(data))
            losses.append(loss.mean().astype("float32").asscalar())
    scale = trainer._amp_loss_scaler.loss_scale if dtype != "float32" else 1
    return net, losses, (time.process_time() - start) / epochs, scale


def main(argv=None):
    """Trains three times, prints the table and returns its rows."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--data", type=Path, default=None, help="directory with the four files of MNIST")
    parser.add_argument("--limit", type=int, default=None, help="use so many digits only")
    parser.add_argument("--out", type=Path, default=Path("runs"))
    args = parser.parse_args(argv)

    np.random.seed(0)  # the order of batches
    train_data, test_data = (list(part) for part in digits.loaders(128, args.data, args.limit))
    rows, curves = [], {}
    for dtype in ("float32", "bfloat16", "float16"):
        if dtype != "float32":
            amp.init(dtype)
        try:
            net, curves[dtype], seconds, scale = train(dtype, train_data, args.epochs, args.lr)
            found = [(net(data).argmax(axis=1) == label).mean().asscalar() * len(label) for data, label in test_data]
        finally:
            if dtype != "float32":
                amp.turn_off()
        accuracy = 100 * sum(found) / sum(len(label) for _, label in test_data)
        rows.append((dtype, accuracy, seconds, scale))

    print("{:12}{:>10}{:>12}{:>12}".format(*COLUMNS))
    for name, accuracy, seconds, scale in rows:
        print(f"{name:12}{accuracy:8.2f} %{seconds:12.1f}{scale:12.0f}")
    figure = drawing.new_figure(7, 4, "LeNet in three precisions")
    axes = figure.subplots()
    for (name, losses), colour in zip(curves.items(), drawing.SERIES, strict=False):
        axes.plot(losses, color=colour, label=name, linewidth=1.2)
    axes.set_yscale("log")
    axes.legend(frameon=False)
    drawing.style(axes, "training loss", "step")
    drawing.save(figure, args.out / "amp.png")
    return rows


if __name__ == "__main__":
    main()
