"""Calls that were made before: the same results, errors, gradients and random numbers as those that go the long way."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, nd
from mxnet.ndarray import gate
from mxnet.ndarray.gate import invoke
from mxnet.ops.registry import get

X = np.arange(1, 25, dtype="float32").reshape(2, 3, 4)
np_, npx = mx.np, mx.npx
#: Calls of ``f(x, y)``, each of them made several times with other arrays.
CALLS = {
    "axis": lambda x, y: nd.sum(x, axis=1),
    "axis by position": lambda x, y: nd.sum(x, (0, 2), True),
    "list of axes": lambda x, y: nd.sum(x, axis=[0, 2]),
    "no attributes": lambda x, y: nd.where(x > 3, x, y),
    "arrays by name": lambda x, y: nd.elemwise_add(lhs=y, rhs=x),
    "names out of order": lambda x, y: nd.broadcast_sub(rhs=x, lhs=y),
    "one by name": lambda x, y: nd.broadcast_sub(x, rhs=y),
    "twice the same": lambda x, y: nd.where(x, x, y),
    "name of a node": lambda x, y: nd.softmax(x, axis=1, name="p"),
    "variadic": lambda x, y: nd.concat(x, y, x, dim=2),
    "variadic list": lambda x, y: nd.stack([x, y], axis=1),
    "several results": lambda x, y: nd.split(x, num_outputs=3, axis=1)[1],
    "view": lambda x, y: nd.reshape(x, shape=(0, -1)),
    "missing input": lambda x, y: nd.FullyConnected(x, nd.ones((5, 12)), None, num_hidden=5, no_bias=True),
    "own function": lambda x, y: nd.Activation(x, act_type="tanh"),
    "method": lambda x, y: x.clip(2, 5).transpose((2, 0, 1)),
    "word": lambda x, y: nd.Pooling(x, kernel=(2,), pool_type="avg", stride=(1,)),
    "type": lambda x, y: x.astype("float64").astype(np.float32),
    "operator": lambda x, y: (-x).copy().T,
    "comparing": lambda x, y: (x > 3) + (x <= -2.5) * y,
    "number first": lambda x, y: (1 - x) + 2.0 / (y + 30),
    "remainder": lambda x, y: x % 3 + 7 % (y + 1),
    "classes": lambda x, y: nd.one_hot(x[0, 0], 7, on_value=2, dtype="int32"),
}
NUMPY_CALLS = {
    "axis": lambda x, y: np_.sum(x, axis=(0, 2)),
    "out of order": lambda x, y: np_.mean(keepdims=True, a=x, axis=1),
    "two": lambda x, y: np_.dot(x, y[0].T),
    "method": lambda x, y: x.sum(axis=-1).reshape(3, 2),
    "several results": lambda x, y: np_.split(x, 2, axis=2)[1],
    "layer": lambda x, y: npx.softmax(x, axis=1) + npx.relu(y),
    "argmax": lambda x, y: np_.argmax(x, axis=1),
    "constants": lambda x, y: np_.fliplr(x),
    "numbers": lambda x, y: (1 - x) ** 2 + (x > 1.5) * y,
}


def long_way(monkeypatch):
    """Makes every call go through ``invoke``, as those of intercepted operators do."""
    monkeypatch.setitem(gate.intercepted, get("relu"), get("relu").kernel)


@pytest.mark.parametrize(
    ("array", "call"), [*((nd, call) for call in CALLS.values()), *((np_, call) for call in NUMPY_CALLS.values())]
)
@pytest.mark.parametrize("recorded", [False, True])
def test_same_as_long_way(monkeypatch, array, call, recorded):
    def run():
        found = []
        for scale in (1, -2, 0.5):
            x, y = array.array(X * scale), array.array(X[::-1].copy())
            if recorded:
                x.attach_grad()
                y.attach_grad()
                with autograd.record():
                    result = call(x, y)
                    total = (result * result).sum()
                if total._var is not None:
                    total.backward()
                found += [x.grad.asnumpy(), y.grad.asnumpy()]
            else:
                result = call(x, y)
            assert type(result) is type(x)
            assert not np.shares_memory(result.asnumpy(), x.asnumpy())
            assert result._data.untyped_storage().data_ptr() != x._data.untyped_storage().data_ptr()
            found.append(result.asnumpy())
        return found

    short = run()
    long_way(monkeypatch)
    for mine, other in zip(short, run(), strict=True):
        assert mine.dtype == other.dtype
        np.testing.assert_array_equal(mine, other)


def test_numbers_that_are_equal_and_yet_not_the_same():
    zero = nd.array([0.0])
    for _ in range(2):
        assert [str(nd.clip(zero, low, 1).asscalar()) for low in (0.0, -0.0, 0, False)] == ["0.0"] * 4
        assert [nd.sum(nd.ones((2, 2)), axis=0, keepdims=keep).shape for keep in (0, 1, False, True)] == [
            (2,),
            (1, 2),
            (2,),
            (1, 2),
        ]
        assert nd.full((1,), 3).__mul__(True).asscalar() == 3
    with pytest.raises(mx.base.MXNetError):
        nd.sum(nd.ones((2, 2)), axis=1.0)
    assert nd.sum(nd.ones((2, 2)), axis=1).shape == (2,)


def test_errors_are_those_of_the_long_way(monkeypatch):
    cases = [
        lambda: nd.sum(nd.ones((2, 3)), axis=2),
        lambda: nd.concat(nd.ones((2, 3)), nd.ones((3, 2)), dim=0),
        lambda: nd.softmax(nd.ones((2, 3)), axi=1),
        lambda: nd.reshape(nd.ones((2, 3)), shape=(4, 4)),
        lambda: nd.Activation(nd.ones((2, 3)), act_type="relux"),
        lambda: nd.FullyConnected(nd.ones((2, 3)), num_hidden=3),
        lambda: nd.where(nd.ones((2,)), nd.ones((2,))),
        lambda: nd.concat(nd.ones((2, 3)), np_.ones((2, 3)), dim=0),
        lambda: np_.sum(np_.ones((2, 3)), name="a"),
    ]

    def messages():
        found = []
        for case in cases:
            with pytest.raises(mx.base.MXNetError) as error:
                case()
            found.append((type(error.value), str(error.value)))
        return found

    short = [messages(), messages()]
    long_way(monkeypatch)
    assert short == [messages()] * 2


def test_out_and_contexts(monkeypatch):
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")
    x, out = nd.ones((2, 3)), nd.zeros((3,))
    nd.sum(x, axis=0)
    assert nd.sum(x, axis=0, out=out) is out
    assert out.asnumpy().tolist() == [2, 2, 2]
    there = x.as_in_context(mx.gpu(1))
    assert nd.sum(there, axis=0).context == mx.gpu(1)
    nd.concat(x, x, dim=0)
    with pytest.raises(mx.base.MXNetError, match="gpu"):
        nd.concat(x, there, dim=0)


def test_training_and_random_numbers():
    x = nd.ones((64,))

    def draw(run):
        mx.random.seed(3)
        with autograd.train_mode():
            return run().asnumpy()

    assert (nd.Dropout(x, p=0.5).asnumpy() == 1).all()
    short = [draw(lambda: nd.Dropout(x, p=0.5)) for _ in range(2)]
    assert 0 < (short[0] == 0).sum() < 64
    np.testing.assert_array_equal(short, [draw(lambda: invoke(get("Dropout"), (x,), {"p": 0.5}))] * 2)
    assert (nd.Dropout(x, p=0.5).asnumpy() == 1).all()


def test_intercepted_calls_are_seen():
    x, seen = nd.ones((2, 3)), []

    def around(op, kernel):
        def run(*values, **attrs):
            seen.append(op.name)
            return kernel(*values, **attrs)

        return run

    nd.sum(x, axis=0)
    restore = gate.intercept(around)
    try:
        nd.sum(x, axis=0)
        x.sum(axis=0)
    finally:
        restore()
    nd.sum(x, axis=0)
    assert seen == ["sum", "sum"]


def test_many_attributes_are_not_all_kept():
    x = nd.ones((2,))
    for i in range(1500):
        assert nd.clip(x, i, i + 1).asnumpy().tolist() == [max(1, i)] * 2
    for low in (np.float32(2), np.int64(2)):  # only their bytes would be seen
        for other in (3, 4):
            assert nd.clip(x, low, other).asnumpy().tolist() == [2, 2]
