"""Gradients of layer, group and instance norm over many numbers, against float64."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, nd

CASES = [
    ("LayerNorm", (100_000, 64)),
    ("LayerNorm", (3, 20_000)),
    ("LayerNorm", (200_000, 5)),
    ("LayerNorm", (64, 3, 1000)),
]
CASES += [("InstanceNorm", (4, 8, 100_000)), ("InstanceNorm", (5000, 4, 7, 8)), ("GroupNorm", (4, 8, 50_000))]


def _gradients(name, shape, dtype):
    channels = shape[-1] if name == "LayerNorm" else shape[1]
    rng = np.random.default_rng(7)
    arrays = rng.normal(1, 3, shape), rng.normal(size=channels), rng.normal(size=channels)
    inputs = [nd.array(a.astype("float32"), dtype=dtype) for a in arrays]
    head = nd.array((rng.normal(size=shape) + 0.3).astype("float32"), dtype=dtype)
    for array in inputs:
        array.attach_grad()
    with autograd.record():
        out = getattr(nd, name)(*inputs, **({"num_groups": channels} if name == "GroupNorm" else {}))
    out.backward(head)
    return [out.asnumpy(), *(array.grad.asnumpy() for array in inputs)]


@pytest.mark.parametrize("name, shape", CASES)
def test_long_sums_are_exact(name, shape):
    for found, truth in zip(_gradients(name, shape, "float32"), _gradients(name, shape, "float64"), strict=True):
        largest = np.abs(truth).max()
        assert np.abs(found - truth).max() < 5e-6 * largest
        off = np.abs(found - truth) / np.maximum(np.abs(truth), 0.01 * largest)
        if truth.ndim == 1:
            assert off.max() < 3e-5


@pytest.mark.parametrize("name, shape", [("LayerNorm", (512, 300)), ("InstanceNorm", (8, 4, 5000))])
def test_gradients_that_are_not_wanted_and_second_ones(name, shape):
    channels = shape[-1] if name == "LayerNorm" else shape[1]
    data = nd.array(np.random.default_rng(1).normal(size=shape))
    gamma, beta = nd.ones(channels), nd.zeros(channels)
    gamma.attach_grad()
    with autograd.record():
        out = getattr(nd, name)(data, gamma, beta)
    out.backward(out)
    axes = tuple(i for i, n in enumerate(shape) if i != (len(shape) - 1 if name == "LayerNorm" else 1))
    np.testing.assert_allclose(gamma.grad.asnumpy(), (out.asnumpy().astype("float64") ** 2).sum(axes), rtol=1e-5)
    small = {}
    for dtype in ("float32", "float64"):
        x, g = nd.array(data, dtype=dtype), nd.array(gamma, dtype=dtype)
        x.attach_grad()
        with autograd.record():
            y = getattr(nd, name)(x, g, beta.astype(dtype)) ** 3
            first = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
            loss = (first * nd.array(data * data, dtype=dtype)).sum()
        loss.backward()
        small[dtype] = x.grad.asnumpy()
    scale = np.abs(small["float64"]).max()
    np.testing.assert_allclose(small["float32"], small["float64"], atol=1e-4 * scale)


def test_hybridized_and_eager_give_the_same():
    net = mx.gluon.nn.LayerNorm(in_channels=300)
    net.initialize()
    data = nd.array(np.random.default_rng(1).normal(size=(512, 300)))
    found = []
    for hybridize in (False, True):
        net.hybridize(hybridize)
        with autograd.record():
            loss = (net(data) ** 3).sum()
        loss.backward()
        found.append(net.gamma.grad().asnumpy())
    assert np.array_equal(*found)
