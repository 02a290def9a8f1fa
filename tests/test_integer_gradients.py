"""Gradients of integer arrays, and through them. All expected values were given by the original."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, nd

THREE, FRACTIONS, SQUARES = (1, 2, 3), (1.5, 2.5, 3.7), (1, 4, 9)

CASES = {
    "there and back": (
        lambda x: (x.astype("int32") * 2).astype("float32") * 1.5,
        ("float32", FRACTIONS),
        [3.0, 6.0, 9.0],
        [2.0, 2.0, 2.0],
    ),
    "cut on the way": (
        lambda x: x.astype("int32").astype("float64").astype("float32") * 2.7,
        ("float32", FRACTIONS),
        [2.7, 5.4, 8.1],
        [2.0, 2.0, 2.0],
    ),
    "bytes": (lambda x: x.astype("uint8").sum() * 2, ("float32", FRACTIONS), [12], [2.0, 2.0, 2.0]),
    "times itself": (lambda x: x * x, ("int32", THREE), [1, 4, 9], [2, 4, 6]),
    "division": (lambda x: x / 2, ("int32", THREE), [0, 1, 1], [0, 0, 0]),
    "dot": (lambda x: nd.dot(x.astype("float32"), nd.array([0.5, 1.5, 2.5])), ("int32", THREE), [11.0], [0, 1, 2]),
    "square": (nd.square, ("int32", THREE), [1, 4, 9], [2, 4, 6]),
    "sqrt": (nd.sqrt, ("int32", SQUARES), [1, 2, 3], [0, 0, 0]),
    "sum": (lambda x: x.sum(), ("int64", THREE), [6], [1, 1, 1]),
    "broadcast": (
        lambda x: x.reshape((3, 1)) + nd.array([[1, 2]], dtype="int32"),
        ("int32", THREE),
        [[2, 3], [3, 4], [4, 5]],
        [2, 2, 2],
    ),
    "comparison": (lambda x: (x > 1) * x, ("int32", SQUARES), [0, 4, 9], [0, 1, 1]),
    "slice": (lambda x: x[1:], ("int32", SQUARES), [4, 9], [0, 1, 1]),
    "concat": (lambda x: nd.concat(x, x, dim=0), ("int32", SQUARES), [1, 4, 9, 1, 4, 9], [2, 2, 2]),
    "narrower": (lambda x: x.astype("int8") * x.astype("int8"), ("int32", SQUARES), [1, 16, 81], [2, 8, 18]),
    "one_hot": (lambda x: nd.one_hot(x, 3), ("int32", (1, 2)), [[0, 1, 0], [0, 0, 1]], [0, 0]),
    "negative": (lambda x: -x, ("int32", SQUARES), [-1, -4, -9], [-1, -1, -1]),
}


@pytest.mark.parametrize("case", CASES)
def test_as_the_original(case):
    function, (dtype, values), result, gradient = CASES[case]
    x = nd.array(values, dtype=dtype)
    x.attach_grad()
    with autograd.record():
        y = function(x)
    y.backward()
    np.testing.assert_allclose(y.asnumpy(), result, rtol=1e-6)
    assert x.grad.dtype == np.dtype(dtype).type
    assert x.grad.asnumpy().tolist() == gradient


def test_head_gradients_and_sums_of_gradients():
    x = nd.array(THREE, dtype="int32")
    x.attach_grad("add")
    for _ in range(3):
        with autograd.record():
            y = x * x
        y.backward()
        x[:] = x + 1
    assert x.grad.asnumpy().tolist() == [12, 18, 24]
    with autograd.record():
        y = x * x
    (found,) = autograd.grad(y, [x], head_grads=[nd.array(THREE, dtype="int32")])
    assert found.dtype == np.int32 and found.asnumpy().tolist() == [8, 20, 36]


def test_nothing_flows_back_to_places():
    x = nd.array(THREE, dtype="int32")
    x.attach_grad()
    with autograd.record():
        y = nd.take(nd.arange(9), x)
    with pytest.raises(mx.MXNetError, match="not in a computational graph"):
        y.backward()


def test_in_graphs():
    """As the original; integer data of an Embedding that is bound with a gradient, refused there, gets zeros here."""
    x = mx.sym.var("x")
    net = mx.sym.cast(mx.sym.cast(x, dtype="int32") * 2, dtype="float32") * 1.5
    bound = net.simple_bind(mx.cpu(), x=(3,))
    bound.arg_dict["x"][:] = FRACTIONS
    assert bound.forward(is_train=True)[0].asnumpy().tolist() == [3.0, 6.0, 9.0]
    bound.backward(nd.ones((3,)))
    assert bound.grad_dict["x"].asnumpy().tolist() == [2.0, 2.0, 2.0]
    net = mx.sym.Embedding(x, mx.sym.var("w"), input_dim=5, output_dim=2)
    bound = net.simple_bind(mx.cpu(), x=(3,), type_dict={"x": "int32", "w": "float32"})
    bound.arg_dict["x"][:] = [1, 2, 2]
    bound.forward(is_train=True)
    bound.backward(nd.ones((3, 2)))
    assert bound.grad_dict["x"].asnumpy().tolist() == [0, 0, 0]
    assert bound.grad_dict["w"].asnumpy()[:, 0].tolist() == [0, 1, 2, 0, 0]
