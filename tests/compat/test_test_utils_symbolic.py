"""The checks of mx.test_utils for symbols and optimizers: they must accept what is right and refuse what is wrong."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd, test_utils as t

A, B = mx.sym.Variable("a"), mx.sym.Variable("b")
X, Y = np.array([[1.0, 2], [3, 4]]), np.array([[5.0, 6], [7, 8]])


def test_simple_forward():
    np.testing.assert_array_equal(t.simple_forward(A * B, a=X, b=Y), X * Y)
    first, second = t.simple_forward(mx.sym.Group([A * B, A + B]), a=X, b=Y)
    np.testing.assert_array_equal(first, X * Y)
    np.testing.assert_array_equal(second, X + Y)


def test_symbolic_forward():
    (output,) = t.check_symbolic_forward(A * B, [X, Y], [X * Y])
    assert output.dtype is np.float32
    (output,) = t.check_symbolic_forward(A * B, {"b": Y, "a": X}, [X * Y], dtype="asnumpy")
    assert output.dtype is np.float64
    with pytest.raises(AssertionError, match=r"\(0, 0\), EXPECTED_\w+=6.0+, FORWARD_\w+=5.0+"):
        t.check_symbolic_forward(A * B, [X, Y], [X * Y + 1])
    with pytest.raises(ValueError, match="takes 2: a, b"):
        t.check_symbolic_forward(A * B, [X], [X * Y])
    with pytest.raises(ValueError, match=r"\['a', 'c'\], the symbol has \['a', 'b'\]"):
        t.check_symbolic_forward(A * B, {"a": X, "c": Y}, [X * Y])


@pytest.mark.parametrize("grad_req", ["write", "add", "null", {"a": "write", "b": "add"}])
def test_symbolic_backward(grad_req):
    head = np.array([[1.0, -1], [2, 0.5]])
    t.check_symbolic_backward(A * B, [X, Y], [head], [Y * head, X * head], grad_req=grad_req)
    if grad_req != "null":
        with pytest.raises(AssertionError, match="EXPECTED_a"):
            t.check_symbolic_backward(A * B, [X, Y], [head], {"a": Y * head + 1}, grad_req=grad_req)


def test_numeric_gradient():
    t.check_numeric_gradient(A * B, [X, Y])
    t.check_numeric_gradient(mx.sym.Group([A * B, A + B]), [X, Y], dtype=np.float64)
    t.check_numeric_gradient(A * B, [X, Y], grad_nodes={"a": "add", "b": "null"})
    blocked = mx.sym.BlockGrad(A) * B
    t.check_numeric_gradient(blocked, [X, Y], grad_nodes=["b"])
    with pytest.raises(AssertionError, match="NUMERICAL_a"):
        t.check_numeric_gradient(blocked, [X, Y])
    with pytest.raises(ValueError, match="grad_nodes"):
        t.check_numeric_gradient(A * B, [X, Y], grad_nodes=3)
    with pytest.raises(AssertionError, match="dtype"):
        t.check_numeric_gradient(A * B, [X, Y], dtype=np.int32)


def test_numeric_gradient_with_states():
    symbol = mx.sym.BatchNorm(A, fix_gamma=False, name="bn")
    location = [np.random.rand(4, 3), np.random.rand(3), np.random.rand(3)]
    t.check_numeric_gradient(symbol, location, [np.zeros(3), np.ones(3)], dtype=np.float64, rtol=1e-4, atol=1e-4)
    with pytest.raises(ValueError, match="aux_states"):
        t.check_numeric_gradient(symbol, location, {"foo": np.zeros(3)})


def test_numeric_grad():
    executor = mx.sym.sum(A * B).bind(mx.cpu(), {"a": nd.array(X), "b": nd.array(Y)})
    found = t.numeric_grad(executor, {"a": X, "b": Y}, eps=1e-2)
    np.testing.assert_allclose(found["a"], Y, rtol=1e-3)
    np.testing.assert_allclose(found["b"], X, rtol=1e-3)


def test_consistency():
    specs = [
        {"ctx": mx.cpu(), "a": (2, 2), "b": (2, 2), "type_dict": {"a": d, "b": d}} for d in (np.float16, np.float64)
    ]
    truth = t.check_consistency(A * B, specs)
    assert sorted(set(truth) & {"a", "b"}) == ["a", "b"]
    assert all(v.dtype is np.float64 for v in truth.values())
    with pytest.raises(AssertionError, match="reference"):
        t.check_consistency([A * B, A * B + 1], specs)
    with pytest.raises(AssertionError, match="at least two"):
        t.check_consistency(A * B, specs[:1])


def test_speed():
    assert t.check_speed(A * B, {"a": X, "b": Y}, N=2) > 0
    assert t.check_speed(A * B, N=2, typ="forward", a=(2, 2), b=(2, 2)) > 0
    with pytest.raises(ValueError, match="whole"):
        t.check_speed(A * B, {"a": X, "b": Y}, typ="other")


def test_symbol_structure():
    assert t.same_symbol_structure(A * B, B * A)
    assert not t.same_symbol_structure(A * B, A + B)


class Momentum:
    """An optimizer as mx.optimizer makes them, as far as compare_optimizer looks."""

    def __init__(self, rate):
        self.rate = rate

    def create_state_multi_precision(self, index, weight):
        return nd.zeros(weight.shape, dtype=weight.dtype)

    def update_multi_precision(self, index, weight, grad, state):
        if isinstance(index, list):
            for arguments in zip(index, weight, grad, state, strict=True):
                self.update_multi_precision(*arguments)
            return
        state[:] = state - self.rate * grad
        weight[:] = weight + state


@pytest.mark.parametrize(("shape", "count"), [((3, 4), 1), ((3, 4), 2), ([(3, 4), (2,)], 2)])
def test_compare_optimizer(shape, count):
    t.compare_optimizer(Momentum(0.1), Momentum(0.1), shape, "float32", ntensors=count)
    with pytest.raises(AssertionError, match="Items are not equal"):
        t.compare_optimizer(Momentum(0.1), Momentum(0.2), shape, "float32", ntensors=count)


@pytest.mark.parametrize("w_stype", ["default", "row_sparse"])
@pytest.mark.parametrize("g_stype", ["default", "row_sparse"])
def test_compare_optimizer_of_sparse_arrays(w_stype, g_stype):
    t.compare_optimizer(mx.optimizer.Adam(), mx.optimizer.Adam(), (6, 4), "float32", w_stype, g_stype)
    with pytest.raises(AssertionError, match="Items are not equal"):
        optimizers = [mx.optimizer.SGD(learning_rate=rate) for rate in (0.1, 0.2)]
        t.compare_optimizer(*optimizers, (6, 4), "float32", w_stype, "default")
