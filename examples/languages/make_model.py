"""Trains a network on the bundled digits and saves it in every form that the programs beside it use.

    python examples/languages/make_model.py [--folder runs/languages] [--epochs 4]

writes the network for MXNet and the C predict API (digits-symbol.json, digits-0000.params) and for ONNX runtimes
(digits.onnx), ten handwritten digits that it has not learned from (digit-0.pgm to digit-9.pgm), and what Python takes
them for (expected.json).
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.gluon import nn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import digits


def network():
    """LeNet. It takes grey values from 0 to 255, so that programs need not know how it was trained."""
    net = nn.HybridSequential()
    net.add(
        nn.HybridLambda(lambda F, x: x / 255),
        nn.Conv2D(12, 5, activation="relu"),
        nn.MaxPool2D(2, 2),
        nn.Conv2D(24, 5, activation="relu"),
        nn.MaxPool2D(2, 2),
        nn.Dense(64, activation="relu"),
        nn.Dropout(0.3),
        nn.Dense(10),
    )
    return net


def train(net, epochs):
    """Learns from distorted digits, so that those that somebody draws with a mouse are known too."""
    images, labels, test_images, test_labels = digits.load()
    net.initialize(mx.init.Xavier())
    net.hybridize()
    criterion = gluon.loss.SoftmaxCrossEntropyLoss()
    batches = gluon.data.DataLoader(gluon.data.ArrayDataset(images, labels), 64, shuffle=True)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 2e-3})
    for epoch in range(epochs):
        total = 0
        for data, label in batches:
            with autograd.record():
                loss = criterion(net(digits.distort(data) * 255), label)
            loss.backward()
            trainer.step(len(label))
            total += loss.mean().asscalar()
        print(f"epoch {epoch + 1}/{epochs}: loss {total / len(batches):.4f}", flush=True)
    print(f"test accuracy {digits.accuracy(net(test_images * 255), test_labels):.4f}")


def save(net, folder):
    """Writes the network, with probabilities instead of scores as output, as MXNet's files and as ONNX."""
    whole = nn.HybridSequential()
    whole.add(net, nn.HybridLambda("softmax"))
    whole.hybridize()
    whole(mx.nd.zeros((1, 1, 28, 28)))
    whole.export(str(folder / "digits"))
    mx.onnx.export_model(whole, None, [(1, 1, 28, 28)], np.float32, str(folder / "digits.onnx"), dynamic=True)
    return whole


def save_digits(net, folder):
    """Writes a digit of each kind as a picture, and what the network takes it for."""
    _, _, images, labels = digits.load()
    expected = {}
    for digit in range(10):
        pixels = np.rint(images[int((labels == digit).argmax(axis=0).asscalar())].asnumpy() * 255)
        name = f"digit-{digit}.pgm"
        (folder / name).write_bytes(b"P5\n28 28\n255\n" + pixels.astype(np.uint8).tobytes())
        probabilities = net(mx.nd.array(pixels[np.newaxis]))[0].asnumpy()
        expected[name] = {
            "digit": digit,
            "class": int(probabilities.argmax()),
            "probability": float(probabilities.max()),
        }
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
    return expected


def main(arguments=None):
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", type=Path, default=Path("runs/languages"), help="where to write")
    parser.add_argument("--epochs", type=int, default=4)
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    mx.random.seed(1)
    np.random.seed(1)
    net = network()
    train(net, given.epochs)
    for name, found in save_digits(save(net, given.folder), given.folder).items():
        print(f"{name}: {found['class']} ({found['probability']:.6f})")


if __name__ == "__main__":
    main()
