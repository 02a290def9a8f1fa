"""Networks from scratch with NDArray and autograd only.

    python examples/from_scratch.py linear
    python examples/from_scratch.py mlp --epochs 10
    python examples/from_scratch.py batch_norm --data ~/.mxnet/datasets/mnist

"linear" fits the coefficients of noisy points; all others classify handwritten digits.
"""

import argparse
import itertools
import random
import time
from pathlib import Path

import digits

import mxnet as mx
from mxnet import autograd, nd

TRUE_W, TRUE_B = [2, -3.4], 4.2


# ---- what all of them need -------------------------------------------------------------------------------------------


def parameter(*shape, scale=0.05):
    """A parameter to be learned: random numbers around zero (or zeros for ``scale=0``) with room for a gradient."""
    values = nd.random.normal(scale=scale, shape=shape) if scale else nd.zeros(shape)
    values.attach_grad()
    return values


def data_iter(batch_size, features, labels):
    """Batches of examples in random order."""
    indices = list(range(len(features)))
    random.shuffle(indices)
    for start in range(0, len(indices), batch_size):
        j = nd.array(indices[start : start + batch_size])
        yield features.take(j), labels.take(j)


def sgd(params, lr, batch_size):
    """One step of stochastic gradient descent."""
    for param in params:
        param[:] = param - lr * param.grad / batch_size


def square_loss(y_hat, y):
    """Half the squared error of each example."""
    return (y_hat - y.reshape(y_hat.shape)) ** 2 / 2


def softmax(scores):
    """Scores as probabilities; the highest is subtracted first, so that nothing overflows."""
    exponents = nd.exp(scores - scores.max(axis=1, keepdims=True))
    return exponents / exponents.sum(axis=1, keepdims=True)


def cross_entropy(scores, y):
    """Minus the logarithm of the probability of the right class, for each example."""
    return -nd.log(nd.pick(softmax(scores), y) + 1e-12)


# ---- the networks ----------------------------------------------------------------------------------------------------


class Linear:
    """``X w + b``."""

    def __init__(self, inputs=2, outputs=1):
        self.w, self.b = parameter(inputs, outputs, scale=0.01), parameter(outputs, scale=0)
        self.params = [self.w, self.b]

    def __call__(self, X):
        return nd.dot(X.reshape((len(X), -1)), self.w) + self.b


class Softmax(Linear):
    """A score for each digit from all pixels; the softmax is in the loss."""

    def __init__(self):
        super().__init__(784, 10)


class MLP:
    """A hidden layer between pixels and scores."""

    def __init__(self, hidden=256):
        self.w1, self.b1 = parameter(784, hidden), parameter(hidden, scale=0)
        self.w2, self.b2 = parameter(hidden, 10), parameter(10, scale=0)
        self.params = [self.w1, self.b1, self.w2, self.b2]

    def __call__(self, X):
        hidden = nd.relu(nd.dot(X.reshape((len(X), 784)), self.w1) + self.b1)
        return nd.dot(hidden, self.w2) + self.b2


def dropout(X, drop_prob):
    """Zeros in random places, the rest scaled up, so that the expected value stays what it was."""
    mask = nd.random.uniform(shape=X.shape) > drop_prob
    return mask * X / (1 - drop_prob)


class DropoutMLP:
    """Two hidden layers, some of whose units are left out in training."""

    def __init__(self, hidden=256, drop_probs=(0.2, 0.5)):
        sizes = (784, hidden, hidden, 10)
        self.layers = [(parameter(a, b), parameter(b, scale=0)) for a, b in itertools.pairwise(sizes)]
        self.params = [param for layer in self.layers for param in layer]
        self.drop_probs = drop_probs

    def __call__(self, X):
        X = X.reshape((len(X), 784))
        for (w, b), drop_prob in zip(self.layers, self.drop_probs, strict=False):
            X = nd.relu(nd.dot(X, w) + b)
            if autograd.is_training():
                X = dropout(X, drop_prob)
        w, b = self.layers[-1]
        return nd.dot(X, w) + b


class BatchNorm:
    """Each channel with mean 0 and deviation 1 in a batch, then a scale and an offset that are learned.

    Running averages of both are kept for use outside of training.
    """

    def __init__(self, channels, momentum=0.9, eps=1e-5):
        self.gamma, self.beta = nd.ones((1, channels, 1, 1)), nd.zeros((1, channels, 1, 1))
        self.gamma.attach_grad()
        self.beta.attach_grad()
        self.moving_mean, self.moving_variance = nd.zeros((1, channels, 1, 1)), nd.ones((1, channels, 1, 1))
        self.momentum, self.eps = momentum, eps

    def __call__(self, X):
        if autograd.is_training():
            mean = X.mean(axis=(0, 2, 3), keepdims=True)
            variance = ((X - mean) ** 2).mean(axis=(0, 2, 3), keepdims=True)
            with autograd.pause():
                self.moving_mean[:] = self.momentum * self.moving_mean + (1 - self.momentum) * mean
                self.moving_variance[:] = self.momentum * self.moving_variance + (1 - self.momentum) * variance
        else:
            mean, variance = self.moving_mean, self.moving_variance
        return self.gamma * (X - mean) / nd.sqrt(variance + self.eps) + self.beta


class BatchNormLeNet:
    """Two convolutions with batch normalization, two dense layers."""

    def __init__(self, channels=(20, 50), hidden=128):
        first, second = channels
        self.w1, self.b1, self.bn1 = parameter(first, 1, 5, 5), parameter(first, scale=0), BatchNorm(first)
        self.w2, self.b2, self.bn2 = parameter(second, first, 3, 3), parameter(second, scale=0), BatchNorm(second)
        self.w3, self.b3 = parameter(second * 25, hidden), parameter(hidden, scale=0)
        self.w4, self.b4 = parameter(hidden, 10), parameter(10, scale=0)
        self.params = [self.w1, self.b1, self.w2, self.b2, self.w3, self.b3, self.w4, self.b4]
        self.params += [param for bn in (self.bn1, self.bn2) for param in (bn.gamma, bn.beta)]

    def __call__(self, X):
        for w, b, bn in ((self.w1, self.b1, self.bn1), (self.w2, self.b2, self.bn2)):
            X = nd.Convolution(X, w, b, kernel=w.shape[2:], num_filter=w.shape[0])
            X = nd.Pooling(nd.relu(bn(X)), pool_type="max", kernel=(2, 2), stride=(2, 2))
        hidden = nd.relu(nd.dot(X.flatten(), self.w3) + self.b3)
        return nd.dot(hidden, self.w4) + self.b4


#: Each network with its usual number of epochs and learning rate.
NETWORKS = {
    "linear": (Linear, 3, 0.03),
    "softmax": (Softmax, 5, 0.1),
    "mlp": (MLP, 10, 0.3),
    "dropout": (DropoutMLP, 10, 0.3),
    "batch_norm": (BatchNormLeNet, 3, 0.1),
}


def make_points(count=1000):
    """Points on a plane, with a little noise."""
    features = nd.random.normal(shape=(count, 2))
    labels = TRUE_W[0] * features[:, 0] + TRUE_W[1] * features[:, 1] + TRUE_B
    labels += nd.random.normal(scale=0.01, shape=labels.shape)
    return features, labels


def main(argv=None):
    """Trains a network; returns it and the loss of each epoch, and of digits also the test accuracy."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--batch-size", type=int)
    parser.add_argument("--lr", type=float)
    parser.add_argument("--data", type=Path, default=None, help="directory with the four files of MNIST")
    parser.add_argument("--limit", type=int, default=None, help="use so many digits only")
    args = parser.parse_args(argv)

    mx.random.seed(0)
    random.seed(0)
    create, epochs, lr = NETWORKS[args.network]
    epochs, lr = args.epochs or epochs, args.lr or lr
    points = args.network == "linear"
    batch_size = args.batch_size or (10 if points else 50)
    if points:
        features, labels = make_points()
    else:
        features, labels, test_features, test_labels = digits.load(args.data, args.limit)
    net = create()
    loss = square_loss if points else cross_entropy
    losses = []
    for epoch in range(1, epochs + 1):
        start, total = time.time(), nd.zeros(1)
        for X, y in data_iter(batch_size, features, labels):
            with autograd.record():
                batch_loss = loss(net(X), y)
            batch_loss.backward()
            sgd(net.params, lr, len(X))
            total += batch_loss.sum()
        losses.append(total.asscalar() / len(features))
        print(f"epoch {epoch}, loss {losses[-1]:.6f}, {time.time() - start:.1f} s")
    if points:
        print(f"w {net.w.asnumpy().ravel().round(3)} should be {TRUE_W}, b {net.b.asscalar():.3f} should be {TRUE_B}")
        return net, losses
    parts = (slice(i, i + 500) for i in range(0, len(test_labels), 500))
    accuracy = digits.evaluate_accuracy(net, [(test_features[part], test_labels[part]) for part in parts])
    print(f"test accuracy {accuracy:.2%}")
    return net, losses, accuracy


if __name__ == "__main__":
    main()
