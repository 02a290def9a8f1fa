"""Fine-tuning: a model zoo network learns the digits 0 to 4, then 5 to 9 from a few examples.

    python examples/fine_tuning.py
    python examples/fine_tuning.py --network resnet18_v2 --examples 100

The features learned from the first classes are reused, and only the last layer starts from random weights. For
comparison, the same network trains on the same few examples from random weights alone.
"""

import argparse
import tempfile
from pathlib import Path

import digits
import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, init, nd
from mxnet.gluon.model_zoo import vision as models


def choose(images, labels, low, high, count=None):
    """The digits from ``low`` to ``high`` - 1, ``count`` of each, as three equal colour channels; labels from 0 on."""
    values = labels.asnumpy()
    places = np.sort(np.concatenate([np.flatnonzero(values == digit)[:count] for digit in range(low, high)]))
    places = nd.array(places)
    return images.take(places).repeat(3, axis=1), labels.take(places) - low


def train(net, data, epochs, lr, batch_size=20, wd=0.001):
    """Trains by the Trainer; returns the mean loss of each epoch."""
    net.hybridize()
    batches = gluon.data.DataLoader(gluon.data.ArrayDataset(*data), batch_size, shuffle=True)
    softmax_cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": lr, "wd": wd, "momentum": 0.9})
    history = []
    for _ in range(epochs):
        total = nd.zeros(1)
        for X, y in batches:
            with autograd.record():
                loss = softmax_cross_entropy(net(X), y)
            loss.backward()
            trainer.step(len(X))
            total += loss.sum()
        history.append(total.asscalar() / len(data[0]))
    return history


def main(argv=None):
    """Returns the test accuracies: of the first five digits, and of the others fine-tuned and from random numbers."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--network", default="mobilenet0.25", help="a name that gluon.model_zoo.vision.get_model knows")
    parser.add_argument("--epochs", type=int, default=3, help="of the first training")
    parser.add_argument("--pretrain", type=int, default=200, help="examples of each digit from 0 to 4")
    parser.add_argument("--examples", type=int, default=20, help="examples of each digit from 5 to 9")
    parser.add_argument("--tune-epochs", type=int, default=8)
    parser.add_argument("--lr", type=float, default=0.02)
    parser.add_argument("--data", type=Path, default=None, help="directory with the four files of MNIST")
    args = parser.parse_args(argv)

    mx.random.seed(0)
    np.random.seed(0)
    images, labels, test_images, test_labels = digits.load(args.data)
    first = choose(images, labels, 0, 5, args.pretrain)
    few = choose(images, labels, 5, 10, args.examples)
    tests = [choose(test_images, test_labels, low, low + 5) for low in (0, 5)]
    first_test, other_test = (
        list(gluon.data.DataLoader(gluon.data.ArrayDataset(*test), batch_size=100)) for test in tests
    )

    pretrained_net = models.get_model(args.network, classes=5)
    pretrained_net.initialize(init.Xavier())
    history = train(pretrained_net, first, args.epochs, args.lr)
    accuracy = digits.evaluate_accuracy(pretrained_net, first_test)
    print(f"{args.network}, {len(first[0])} digits 0 to 4: loss {history[0]:.3f} -> {history[-1]:.3f}")
    print(f"digits 0 to 4: test accuracy {accuracy:.2%}")
    with tempfile.TemporaryDirectory() as directory:  # as if somebody else had trained it
        file = str(Path(directory) / "pretrained.params")
        pretrained_net.save_parameters(file)
        pretrained_net = models.get_model(args.network, classes=5)
        pretrained_net.load_parameters(file)

    finetune_net = models.get_model(args.network, classes=5)
    finetune_net.features = pretrained_net.features
    finetune_net.output.initialize(init.Xavier())
    scratch_net = models.get_model(args.network, classes=5)
    scratch_net.initialize(init.Xavier())
    accuracies = []
    for name, net in (("fine-tuned", finetune_net), ("from random numbers", scratch_net)):
        history = train(net, few, args.tune_epochs, args.lr / 2)
        accuracies.append(digits.evaluate_accuracy(net, other_test))
        print(f"digits 5 to 9, {len(few[0])} examples, {name}: loss {history[0]:.3f} -> {history[-1]:.3f}")
        print(f"digits 5 to 9, {name}: test accuracy {accuracies[-1]:.2%}")
    return accuracy, *accuracies


if __name__ == "__main__":
    main()
