"""The same seed gives the losses of MXNet 1.9.1: LeNet with dropout, with Gluon and Module.

    python examples/same_seed.py                                   prints the losses of 100 steps
    python examples/same_seed.py --original <python with mxnet 1.9.1>    runs there as well, and prints both

The seed determines initial weights, dropout masks and the order of the digits, so the losses equal those of MXNet
1.9.1 at every step, within rounding: sums run in another order, and now and then a pooling window with nearly equal
values has another maximum. Large steps would amplify such differences; here they stay small. This file runs on both.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

DIGITS = Path(__file__).resolve().parent.parent / "mxnet" / "data" / "digits.npz"


def batches(steps, size=32):
    """Digits in a fixed order."""
    with np.load(str(DIGITS)) as data:
        images, labels = data["train_images"], data["train_labels"]
    images = images.reshape(-1, 1, 28, 28).astype("float32") / 255
    for step in range(steps):
        chosen = np.arange(step * size, (step + 1) * size) % len(images)
        yield images[chosen], labels[chosen].astype("float32")


def train_gluon(mx, seed, steps):
    """LeNet as a hybridized block with a Trainer."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(20, 5, activation="tanh"),
        nn.MaxPool2D(2, 2),
        nn.Conv2D(50, 5, activation="tanh"),
        nn.MaxPool2D(2, 2),
        nn.Flatten(),
        nn.Dense(500, activation="tanh"),
        nn.Dropout(0.5),
        nn.Dense(10),
    )
    mx.random.seed(seed)
    net.initialize(mx.init.Xavier())
    net.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.02})
    loss_of = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    losses = []
    for images, labels in batches(steps):
        with mx.autograd.record():
            loss = loss_of(net(mx.nd.array(images)), mx.nd.array(labels))
        loss.backward()
        trainer.step(len(images))
        losses.append(float(loss.mean().asscalar()))
    return losses


def train_module(mx, seed, steps):
    """LeNet as a symbol with a Module."""
    sym = mx.sym
    net = sym.var("data")
    for number, filters in ((1, 20), (2, 50)):
        net = sym.Convolution(net, kernel=(5, 5), num_filter=filters, name=f"conv{number}")
        net = sym.Activation(net, act_type="tanh")
        net = sym.Pooling(net, pool_type="max", kernel=(2, 2), stride=(2, 2))
    net = sym.Activation(sym.FullyConnected(sym.Flatten(net), num_hidden=500, name="fc1"), act_type="tanh")
    net = sym.FullyConnected(sym.Dropout(net, p=0.5), num_hidden=10, name="fc2")
    net = sym.SoftmaxOutput(net, name="softmax")
    module = mx.mod.Module(net, context=mx.cpu())
    first = next(batches(1))
    module.bind([("data", first[0].shape)], [("softmax_label", first[1].shape)])
    mx.random.seed(seed)
    module.init_params(mx.init.Xavier())
    module.init_optimizer(optimizer="sgd", optimizer_params={"learning_rate": 0.02})
    losses = []
    for images, labels in batches(steps):
        module.forward(mx.io.DataBatch([mx.nd.array(images)], [mx.nd.array(labels)]), is_train=True)
        probabilities = module.get_outputs()[0].asnumpy()
        module.backward()
        module.update()
        losses.append(float(-np.log(probabilities[np.arange(len(labels)), labels.astype(int)]).mean()))
    return losses


def train(seed, steps):
    """The losses of both ways to train."""
    import mxnet as mx

    return {"gluon": train_gluon(mx, seed, steps), "module": train_module(mx, seed, steps)}


def main():
    """Trains here and, if there is one, on the original."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--original", help="a Python that has MXNet 1.9.1")
    parser.add_argument("--json", action="store_true", help="print the losses for another program")
    options = parser.parse_args()
    ours = train(options.seed, options.steps)
    if options.json:
        print("\n" + json.dumps(ours), flush=True)
        os._exit(0)  # the original may crash while it ends
    theirs = None
    if options.original:
        command = [options.original, __file__, "--json", "--seed", str(options.seed), "--steps", str(options.steps)]
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        theirs = json.loads(subprocess.check_output(command, env=environment).splitlines()[-1])
    for way, losses in ours.items():
        print(f"{way}, seed {options.seed}")
        for step, loss in enumerate(losses, 1):
            other = "" if theirs is None else f"   original {theirs[way][step - 1]:9.6f}"
            print(f"  step {step:3d}   loss {loss:9.6f}{other}")
        if theirs:
            print(f"  largest difference: {np.abs(np.subtract(losses, theirs[way])).max():.2g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
