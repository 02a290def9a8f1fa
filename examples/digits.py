"""Shared by the examples with handwritten digits: loading, batching, distortion, accuracy.

Uses the bundled digits, or the four files of MNIST (or Fashion-MNIST, which have the same names) from the directory
that you pass to an example with --data.
"""

import warnings

import mxnet as mx
from mxnet import gluon, nd


def load(directory=None, limit=None):
    """Images in [0, 1] and labels, to learn from and to test on: four float32 NDArrays."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that these are the bundled digits is no news here
        arrays = mx.test_utils.get_mnist(directory)
    names = ("train_data", "train_label", "test_data", "test_label")
    return [nd.array(arrays[name][:limit], dtype="float32") for name in names]


def loaders(batch_size, directory=None, limit=None):
    """Batches to learn from, in a new order each time, and batches to test on."""
    images, labels, test_images, test_labels = load(directory, limit)
    train = gluon.data.DataLoader(gluon.data.ArrayDataset(images, labels), batch_size, shuffle=True)
    return train, gluon.data.DataLoader(gluon.data.ArrayDataset(test_images, test_labels), batch_size)


def distort(images, turn=0.16, stretch=0.1, shift=0.08):
    """The images turned, stretched, sheared and moved a little, each in its own way.

    ``turn`` is in radians, ``shift`` in half widths of an image.
    """
    count = len(images)
    angle = nd.random.uniform(-turn, turn, shape=count)
    scale = nd.random.uniform(1 - stretch, 1 + stretch, shape=count)
    shear = nd.random.uniform(-stretch, stretch, shape=count)
    right, down = nd.random.uniform(-shift, shift, shape=(2, count))
    cos, sin = scale * angle.cos(), scale * angle.sin()
    theta = nd.stack(cos, shear - sin, right, sin, cos, down, axis=1)
    grid = nd.GridGenerator(theta, transform_type="affine", target_shape=images.shape[2:])
    return nd.BilinearSampler(images, grid)


def accuracy(output, label):
    """The share of examples whose highest score is the right class."""
    return (output.argmax(axis=1) == label).mean().asscalar()


def evaluate_accuracy(net, batches):
    """The share of examples of all batches that a network gets right."""
    right = seen = 0
    for data, label in batches:
        right += (net(data).argmax(axis=1) == label).sum().asscalar()
        seen += len(label)
    return float(right / seen)
