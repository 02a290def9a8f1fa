"""Accuracies on whole data sets: `make slow` with MXNET_TEST_MNIST and MXNET_TEST_FASHION_MNIST set to directories.

Each directory has the four files of its data set. CONTRIBUTING.md says where to get them. All accuracies are those of
the last epoch, on the test images.
"""

import importlib
import os
import sys

import numpy as np
import pytest
from paths import EXAMPLES

import mxnet as mx
from mxnet import autograd, gluon, nd

pytestmark = pytest.mark.slow


def directory(variable):
    path = os.environ.get(variable)
    if not path:
        pytest.skip(f"{variable} is to name the directory with the four files of the data set")
    return path


def test_lenet_on_mnist(monkeypatch):
    data = directory("MXNET_TEST_MNIST")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    digits, train_digits = importlib.import_module("digits"), importlib.import_module("train_digits")
    mx.random.seed(0)
    images, labels, test_images, test_labels = digits.load(data)
    net, history = train_digits.train_lenet(*train_digits.split(images, labels), epochs=5)
    test = gluon.data.DataLoader(gluon.data.ArrayDataset(test_images, test_labels), 500)
    accuracy = digits.evaluate_accuracy(net, test)
    print(f"LeNet on MNIST: test accuracy {accuracy:.2%}, held out {history.accuracies}", file=sys.stderr)
    assert len(test_labels) == 10000
    assert accuracy >= 0.988


def softmax_regression():
    net = gluon.nn.Sequential()
    with net.name_scope():
        net.add(gluon.nn.Flatten())
        net.add(gluon.nn.Dense(10))
    return net


def perceptron():
    net = gluon.nn.Sequential()
    with net.name_scope():
        net.add(gluon.nn.Flatten())
        net.add(gluon.nn.Dense(256, activation="relu"))
        net.add(gluon.nn.Dense(10))
    return net


@pytest.mark.parametrize(
    ("build", "lr", "learnt", "wanted"), [(softmax_regression, 0.1, 0.83, 0.82), (perceptron, 0.5, 0.865, 0.85)]
)
def test_gluon_book_on_fashion_mnist(build, lr, learnt, wanted):
    """The programs of the book, as they are written: 5 epochs of SGD, accuracies on the training and the test data.

    The last epoch is noisy at these learning rates: with other random numbers it is up to 0.01 better or worse. Four
    seeds gave 0.835 to 0.837 and 0.868 to 0.873 in training, 0.826 to 0.829 and 0.859 to 0.868 in testing; the
    original, MXNet 1.9.1, 0.826 and 0.864 in testing.
    """
    root = directory("MXNET_TEST_FASHION_MNIST")
    mx.random.seed(0)
    np.random.seed(0)

    def transform(data, label):
        return data.astype("float32") / 255, label.astype("float32")

    batch_size = 256
    train, test = (gluon.data.vision.FashionMNIST(root, train=part, transform=transform) for part in (True, False))
    train_data = gluon.data.DataLoader(train, batch_size, shuffle=True)
    test_data = gluon.data.DataLoader(test, batch_size, shuffle=False)
    net = build()
    net.initialize()
    softmax_cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": lr})

    def accuracy(output, label):
        return nd.mean(output.argmax(axis=1) == label).asscalar()

    accuracies = []
    for epoch in range(5):
        train_loss = train_accuracy = 0.0
        for data, label in train_data:
            with autograd.record():
                output = net(data)
                loss = softmax_cross_entropy(output, label)
            loss.backward()
            trainer.step(batch_size)
            train_loss += nd.mean(loss).asscalar() / len(train_data)
            train_accuracy += accuracy(output, label) / len(train_data)
        accuracies.append(sum(accuracy(net(data), label) for data, label in test_data) / len(test_data))
        print(f"epoch {epoch}: loss {train_loss:.4f}, accuracy {train_accuracy:.4f}, {accuracies[-1]:.4f}")
    assert len(train) == 60000
    assert train_accuracy >= learnt
    assert accuracies[-1] >= wanted, accuracies
