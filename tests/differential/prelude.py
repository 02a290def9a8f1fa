"""What every generated program starts with: below it, a shrunk program can be pasted and run."""

import pickle

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, nd

JITTER = 0.0  # how far numbers may be off: shows what depends on rounding


def val(shape, seed=0, scale=8.0):
    """Numbers of both signs that are exact in float32, so that rounding does not add up."""
    size = int(np.prod(shape))
    numbers = (np.arange(size) * 37 + seed * 11 + 5) % 31 - 15.0
    noise = 8 * JITTER * np.sin(np.arange(size) + seed)
    return (numbers + noise).reshape(shape) / scale


def fill(arrays, seed=0, scale=8.0):
    """Writes such numbers to arrays, given as a dict; variances get positive ones."""
    for i, name in enumerate(sorted(arrays)):
        numbers = val(arrays[name].shape, seed + i, scale)
        arrays[name][:] = abs(numbers) + 0.5 if name.endswith(("var", "gamma")) else numbers


class Square(autograd.Function):
    """A function of the user's that keeps its input."""

    def forward(self, x):
        self.save_for_backward(x)
        return x * x

    def backward(self, dy):
        (x,) = self.saved_tensors
        return 2 * x * dy


class Mix(autograd.Function):
    """Two inputs, two outputs."""

    def forward(self, x, y):
        return x + y, x - y

    def backward(self, da, db):
        return da + db, da - db


class Residual(gluon.HybridBlock):
    """x + dense(x), with a parameter of its own."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.inner = gluon.nn.Dense(units, in_units=units, flatten=False, prefix="inner_")
            self.scale = self.params.get("scale", shape=(1, units), init="ones")

    def hybrid_forward(self, F, x, scale):
        return F.broadcast_mul(x, scale) + self.inner(x)


class Plain(gluon.Block):
    """A block that cannot be hybridized, around one that can."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.inner = Residual(units, prefix="residual_")

    def forward(self, x):
        return self.inner(x * 0.5) * 2
