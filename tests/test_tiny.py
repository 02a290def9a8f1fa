"""Does it work at all? A few seconds."""

import numpy as np

import mxnet as mx
from mxnet import autograd, nd


def test_version():
    assert mx.__version__ == "1.9.1"
    assert mx.mxnext_version.count(".") == 2


def test_arithmetic():
    x = nd.array([[1, 2, 3], [4, 5, 6]])
    y = (x + x) * 2 - x / 2 + 1
    np.testing.assert_allclose(y.asnumpy(), np.arange(1, 7).reshape(2, 3) * 3.5 + 1)
    assert y.dtype is np.float32
    assert y.context == mx.cpu()


def test_views_and_writes():
    x = nd.zeros((2, 3))
    x[1] = 5
    x[:, 0:1] += 1
    row = x[0]
    row[:] = 7
    np.testing.assert_array_equal(x.asnumpy(), [[7, 7, 7], [6, 5, 5]])


def test_gradient():
    x = nd.array([1.0, 2.0, 3.0])
    x.attach_grad()
    with autograd.record():
        y = (x * x + nd.exp(x)).sum()
    y.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), 2 * x.asnumpy() + np.exp(x.asnumpy()), rtol=1e-6)


def test_one_step_of_learning():
    x, y = nd.array([[1, 2], [3, 4], [5, 6]]), nd.array([[5], [11], [17]])
    w = nd.zeros((2, 1))
    w.attach_grad()
    losses = []
    for _ in range(30):
        with autograd.record():
            loss = ((nd.dot(x, w) - y) ** 2).mean()
        loss.backward()
        w[:] = w - 0.01 * w.grad
        losses.append(loss.asscalar())
    assert losses[-1] < losses[0] / 100


def test_save_and_load(tmp_path):
    path = str(tmp_path / "x.params")
    x = nd.array([[1, 2], [3, 4]], dtype="float64")
    nd.save(path, {"x": x, "i": nd.array([7], dtype="int32")})
    loaded = nd.load(path)
    assert sorted(loaded) == ["i", "x"]
    np.testing.assert_array_equal(loaded["x"].asnumpy(), x.asnumpy())
    assert loaded["i"].dtype is np.int32


def test_mistakes_are_explained():
    with np.testing.assert_raises_regex(mx.MXNetError, r"broadcast_add.*\(2, 3\).*\(2, 4\)"):
        nd.zeros((2, 3)) + nd.zeros((2, 4))
