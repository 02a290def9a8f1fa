"""Finite numbers whose squares are not: normalization, norms and Lp pooling give what float64 gives."""

import threading

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd

ROWS = [[1.0, -3.0, 2.0, 0.5, 0.25, -1.5], [0.5, 0.25, -3.2, 1.5, 3.1, 2.0]]
SCALES = {"float32": (1e13, 1e20, 1e38), "float16": (2e4,)}
CASES = [(dtype, scale) for dtype, scales in SCALES.items() for scale in scales]


OPERATORS = {
    "LayerNorm": lambda x, one, zero: x.LayerNorm(one(6), zero(6)),
    "LayerNorm of axis 1": lambda x, one, zero: x.reshape((2, 3, 2)).LayerNorm(one(3), zero(3), axis=1),
    "GroupNorm": lambda x, one, zero: x.reshape((2, 2, 3)).GroupNorm(one(2), zero(2), num_groups=2),
    "InstanceNorm": lambda x, one, zero: x.reshape((2, 2, 3)).InstanceNorm(one(2), zero(2)),
    "L2Normalization": lambda x, one, zero: x.L2Normalization(),
    "L2Normalization channel": lambda x, one, zero: x.reshape((2, 2, 3)).L2Normalization(mode="channel"),
    "norm": lambda x, one, zero: (x / 4).norm(axis=1),
    "norm of all": lambda x, one, zero: (x / 4).norm(),
    "lp": lambda x, one, zero: (x / 4).reshape((2, 1, 6)).Pooling(kernel=(2,), pool_type="lp", p_value=2),
    "lp3": lambda x, one, zero: (x / 4).reshape((2, 1, 6)).Pooling(kernel=(2,), pool_type="lp", p_value=3),
    "lp global": lambda x, one, zero: (x / 4).reshape((2, 1, 6)).Pooling(pool_type="lp", p_value=2, global_pool=True),
}


class _Fluent:
    """Operators as methods, of arrays and symbols."""

    def __init__(self, F, value):
        self.F, self.value = F, value

    def __getattr__(self, name):
        return lambda *args, **kw: _Fluent(self.F, getattr(self.F, name)(self.value, *args, **kw))

    def __truediv__(self, number):
        return _Fluent(self.F, self.value / number)


class _Net(gluon.HybridBlock):
    def __init__(self, name, dtype):
        super().__init__()
        self.operator, self.dtype = OPERATORS[name], dtype

    def hybrid_forward(self, F, x):
        def one(count):
            return F.ones((count,), dtype=self.dtype)

        def zero(count):
            return F.zeros((count,), dtype=self.dtype)

        return self.operator(_Fluent(F, x), one, zero).value


def _values(data, dtype, net, head=None):
    x = nd.array(data, dtype=dtype)
    x.attach_grad()
    with autograd.record():
        y = net(x)
    y.backward(nd.array(head if head is not None else np.arange(y.size).reshape(y.shape) % 3 - 0.7, dtype=dtype))
    return y.asnumpy().astype("float64"), x.grad.asnumpy().astype("float64")


@pytest.mark.parametrize("dtype, scale", CASES)
@pytest.mark.parametrize("name", OPERATORS)
def test_huge_numbers_give_what_float64_gives(name, dtype, scale):
    data = (np.array(ROWS) * scale).astype(dtype)
    expected = _values(data, "float64", _Net(name, "float64"))
    net = _Net(name, dtype)
    eager = _values(data, dtype, net)
    net.hybridize()
    hybrid = _values(data, dtype, net)
    symbol = _Net(name, dtype)(mx.sym.var("x"))
    executor = symbol.bind(mx.cpu(), {"x": nd.array(data, dtype=dtype)})
    assert np.array_equal(executor.forward()[0].asnumpy(), eager[0].astype(dtype))
    limit = 2e-3 if dtype == "float16" else 2e-6
    tiny = 1e-7 if dtype == "float16" else 1e-44  # half of the smallest number
    for found in (eager, hybrid):
        for value, truth in zip(found, expected, strict=True):
            assert np.isfinite(value).all()
            np.testing.assert_allclose(value, truth, rtol=limit, atol=limit * np.abs(truth).max() + tiny)


@pytest.mark.parametrize("scale", SCALES["float32"])
@pytest.mark.parametrize("shape", [(12, 1), (2, 2, 3), (2, 1, 2, 3), (1, 2, 2, 3, 1)])
@pytest.mark.parametrize("relu", [False, True])
def test_batch_norm_of_huge_numbers(shape, scale, relu):
    data = np.array(ROWS).reshape(shape) * scale

    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x, gamma, beta, mean, var):
            y = F.BatchNorm(x, gamma, beta, mean, var, fix_gamma=False)
            return F.relu(y) if relu else y

    def run(dtype, hybridize):
        net = Net()
        net.hybridize(hybridize)
        rest = [nd.array(np.full(shape[1], v), dtype=dtype) for v in (1.5, 0.25, 0.0, 1.0)]
        for array in rest[:2]:
            array.attach_grad()
        y, grad = _values(data, dtype, lambda x: net(x, *rest))
        return [y, grad, *(array.grad.asnumpy() for array in rest[:2]), rest[2].asnumpy()]

    expected = run("float64", False)
    for hybridize in (False, True):
        for value, truth in zip(run("float32", hybridize), expected, strict=True):
            np.testing.assert_allclose(value, truth, rtol=2e-6, atol=2e-6 * np.abs(truth).max() + 1e-44)


def test_shared_batch_norm_of_huge_numbers():
    data, found = np.array(ROWS, "f").reshape(2, 2, 3) * np.float32(1e20), {}

    def run(part):
        one, zero = nd.ones(2), nd.zeros(2)
        call = mx.nd.contrib.SyncBatchNorm
        with autograd.train_mode():
            found[part] = call(nd.array(data[part : part + 1]), one, zero, zero.copy(), one.copy(), key="huge", ndev=2)

    threads = [threading.Thread(target=run, args=(part,)) for part in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wide = data.astype("float64")
    truth = (wide - wide.mean((0, 2), keepdims=True)) / wide.std((0, 2), keepdims=True)
    np.testing.assert_allclose(np.concatenate([found[part].asnumpy() for part in (0, 1)]), truth, rtol=1e-5)


def test_norms_of_numpy_and_of_sparse_arrays():
    data = np.array(ROWS, "f") * np.float32(1e20)
    truth = np.linalg.norm(data.astype("float64"))
    assert np.isclose(mx.np.linalg.norm(mx.np.array(data)).item(), truth)
    assert np.isclose(mx.np.std(mx.np.array(data)).item(), data.astype("float64").std())
    for stype in ("csr", "row_sparse"):
        assert np.isclose(nd.array(data).tostype(stype).norm().asscalar(), truth)
    array = nd.array(data)
    assert np.isclose(gluon.utils.clip_global_norm([array], 1.0), truth)
    assert np.isclose(array.norm().asscalar(), 1)


def test_norms_of_numbers_whose_squares_vanish():
    data = nd.array([[3e-25, 4e-25], [0, 0], [3, 4]])
    data.attach_grad()
    with autograd.record():
        norms = data.norm(axis=1)
    norms.backward()
    np.testing.assert_allclose(norms.asnumpy(), [5e-25, 0, 5], rtol=1e-6)
    np.testing.assert_allclose(data.grad.asnumpy(), [[0.6, 0.8], [0, 0], [0.6, 0.8]], rtol=1e-6)


def test_what_is_infinite_stays_so():
    data = nd.array([[np.inf, 1], [np.nan, 1], [3e38, 3e38]])
    assert np.array_equal(data.norm(axis=1).asnumpy(), np.array([np.inf, np.nan, np.inf], "f"), equal_nan=True)
    result = nd.LayerNorm(data, nd.ones(2), nd.zeros(2)).asnumpy()
    assert np.isnan(result[:2]).all() and np.array_equal(result[2], [0, 0])
