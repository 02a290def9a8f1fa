"""Trains a multilayer perceptron from scratch on handwritten digits: NDArrays, autograd, and nothing else.

    make train                        or: python examples/train_digits.py --epochs 5 --lr 0.3

Uses the digits that ship with the package; put the full MNIST files into ~/.mxnet/datasets/mnist to train on all 60000.
"""

import argparse
import time
import warnings
from pathlib import Path

from tqdm import tqdm

import mxnet as mx
from mxnet import autograd, nd

NUM_INPUTS, NUM_HIDDEN, NUM_OUTPUTS = 784, 256, 10


def new_params():
    """Weights and biases of both layers, ready to be differentiated."""
    params = [
        nd.random.normal(scale=0.05, shape=(NUM_INPUTS, NUM_HIDDEN)),
        nd.zeros(NUM_HIDDEN),
        nd.random.normal(scale=0.05, shape=(NUM_HIDDEN, NUM_OUTPUTS)),
        nd.zeros(NUM_OUTPUTS),
    ]
    for param in params:
        param.attach_grad()
    return params


def net(X, params):
    """The scores of the ten digits for each image."""
    W1, b1, W2, b2 = params
    hidden = nd.relu(nd.dot(X, W1) + b1)
    return nd.dot(hidden, W2) + b2


def cross_entropy(scores, y):
    """The loss of each example."""
    return -nd.pick(nd.log_softmax(scores), y)


def sgd(params, lr, batch_size):
    """One step of stochastic gradient descent."""
    for param in params:
        param[:] = param - lr * param.grad / batch_size


def data_iter(X, y, batch_size):
    """Batches of examples in random order."""
    order = nd.random.shuffle(nd.arange(len(X)))
    for start in range(0, len(X), batch_size):
        indices = order[start : start + batch_size]
        yield X.take(indices), y.take(indices)


def accuracy(X, y, params):
    """The share of examples whose highest score is the right digit."""
    return (net(X, params).argmax(axis=1) == y).mean().asscalar()


def load_digits():
    """Images as rows of 784 numbers in [0, 1], and their labels."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that these are the bundled digits is said in main()
        digits = mx.test_utils.get_mnist()
    images = [nd.array(digits[k].reshape(-1, NUM_INPUTS)) for k in ("train_data", "test_data")]
    return images[0], nd.array(digits["train_label"]), images[1], nd.array(digits["test_label"])


def main():
    """Trains, reports the accuracy on unseen digits, and saves the parameters."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=0.15)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=Path("runs/digits.params"))
    args = parser.parse_args()

    mx.random.seed(args.seed)
    X, y, X_test, y_test = load_digits()
    params = new_params()
    print(f"{len(X)} digits to learn from, {len(X_test)} to test on, {sum(p.size for p in params)} parameters")
    start = time.time()
    for epoch in range(1, args.epochs + 1):
        total, seen = nd.zeros(1), 0
        with tqdm(total=len(X), desc=f"epoch {epoch:2d}/{args.epochs}", unit=" digits") as bar:
            for X_batch, y_batch in data_iter(X, y, args.batch_size):
                with autograd.record():
                    loss = cross_entropy(net(X_batch, params), y_batch)
                loss.backward()
                sgd(params, args.lr, len(X_batch))
                total += loss.sum()
                seen += len(X_batch)
                bar.update(len(X_batch))
            bar.set_postfix(loss=f"{total.asscalar() / seen:.4f}", accuracy=f"{accuracy(X, y, params):.2%}")
    print(f"test accuracy {accuracy(X_test, y_test, params):.2%} after {time.time() - start:.1f} s")
    args.output.parent.mkdir(parents=True, exist_ok=True)
    nd.save(str(args.output), dict(zip(["W1", "b1", "W2", "b2"], params, strict=True)))
    print(f"parameters saved in {args.output}: load them with mx.nd.load({str(args.output)!r})")


if __name__ == "__main__":
    main()
