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
    "mean": (lambda x: nd.mean(x) * 11, ("int32", SQUARES), [44], [3, 3, 3]),
    "mean of an axis": (lambda x: nd.mean(x.reshape((1, 3)), axis=1) * 7, ("uint8", SQUARES), [28], [2, 2, 2]),
    "mean as moment": (lambda x: nd.moments(x, axes=(0,))[0] * 11, ("int32", SQUARES), [44], [3, 3, 3]),
    "variance": (lambda x: nd.moments(x, axes=(0,))[1] * 5, ("int32", SQUARES), [55], [-10, 0, 16]),
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


#: Heads without a gradient, of a variable x. F is mx.nd or mx.sym, and in the second table mx.np or mx.sym.np.
CLASSIC_HEADS = {
    "argsort": lambda x, F: F.argsort(x, dtype="int32"),
    "topk": lambda x, F: F.topk(x, k=2, dtype="int32") * 2,
    "shape_array": lambda x, F: F.shape_array(x),
    "size_array": lambda x, F: F.size_array(x),
    "BlockGrad": lambda x, F: F.BlockGrad(F.cast(x, dtype="int32")),
    "unravel_index": lambda x, F: F.unravel_index(F.cast(x, dtype="int32"), shape=(9,)),
    "ravel_multi_index": lambda x, F: F.ravel_multi_index(F.cast(x, dtype="int32").reshape((1, 3)), shape=(9,)),
}
NUMPY_HEADS = {
    "greater": lambda x, F: x > 1,
    "greater than another": lambda x, F: x > x * 2,
    "isnan": lambda x, F: F.isnan(x),
    "argmax": lambda x, F: F.argmax(F.exp(x), axis=0),
    "any": lambda x, F: F.any(x),
    "sum of a mask": lambda x, F: F.sum(x > 1),
    "mask of another shape": lambda x, F: (x > 1).reshape((3, 1)),
    "bitwise": lambda x, F: F.bitwise_not(x.astype("int32")),
    "ones_like": lambda x, F: F.ones_like(x, dtype="bool"),
    "twice an argsort": lambda x, F: F.argsort(x) * 2,
}


class _Head(mx.gluon.HybridBlock):
    def __init__(self, function, numpy):
        super().__init__()
        self.function, self.numpy = function, numpy

    def hybrid_forward(self, F, x):
        return self.function(x, F.np if self.numpy else F)


@pytest.mark.parametrize("how", ["eager", "hybridized", "executor"])
@pytest.mark.parametrize("case", [*CLASSIC_HEADS, *NUMPY_HEADS])
def test_heads_without_a_gradient_give_zeros(case, how):
    numpy = case in NUMPY_HEADS
    head = _Head(NUMPY_HEADS[case] if numpy else CLASSIC_HEADS[case], numpy)
    with mx.util.np_shape(numpy), mx.util.np_array(numpy):
        x = (mx.np.array if numpy else nd.array)(THREE, dtype="float32")
        x.attach_grad()
        x.grad[:] = 7
        if how == "executor":
            variable = mx.sym.var("x")
            net = head(variable.as_np_ndarray() if numpy else variable)
            bound = net.bind(mx.cpu(), {"x": x}, {"x": x.grad})
            y = bound.forward(is_train=True)[0]
            bound.backward([y.astype("float32")])
            assert x.grad.asnumpy().tolist() == [0, 0, 0]
            return
        if how == "hybridized":
            head.hybridize()
        with autograd.record():
            y = head(x)
        y.backward(retain_graph=True)
        assert not np.issubdtype(y.dtype, np.floating) and x.grad.asnumpy().tolist() == [0, 0, 0]
        x.grad[:] = 7
        y.backward((mx.np if numpy else nd).ones((5,)))  # not looked at
        assert x.grad.asnumpy().tolist() == [0, 0, 0]
        with pytest.raises(mx.MXNetError, match="not in a computational graph"):
            y.backward()


def _variable(req="write"):
    x = mx.np.array(THREE, dtype="float32")
    x.attach_grad(req)
    x.grad[:] = 7
    return x


def test_masks_among_what_has_a_gradient():
    x, w = _variable(), _variable()
    with autograd.record():
        y = (x > 1) * w
    y.backward()
    assert x.grad.tolist() == [0, 0, 0] and w.grad.tolist() == [0, 1, 1]
    x, w, out = _variable("add"), _variable(), mx.np.zeros((3,), dtype="bool")
    with autograd.record():
        mx.np.greater(x, 1, out=out)
        parts = [out[1:].as_nd_ndarray(), w * 2, out.copy().as_in_ctx(mx.cpu(1))]
    autograd.backward(parts)
    assert x.grad.tolist() == [7, 7, 7] and w.grad.tolist() == [2, 2, 2]
    x = _variable()
    with autograd.record():
        (found,) = autograd.grad(x > 1, [x], create_graph=True)
    found.backward()
    assert found.tolist() == x.grad.tolist() == [0, 0, 0]


def test_what_heads_without_a_gradient_are_refused():
    x, w = _variable(), _variable()
    with autograd.record():
        mask = x > 1
        away = mask.detach()
    with pytest.raises(mx.MXNetError, match="unreachable"):
        autograd.grad(mask, [w])
    for array in (away, mask * 2, mask[1:]):  # not recorded
        with pytest.raises(mx.MXNetError, match="not in a computational graph"):
            array.backward()
    mask.backward()
    with autograd.record():
        later = mask * 2
    with pytest.raises(mx.MXNetError, match="not in a computational graph"):
        later.backward()
    x = _variable("null")
    with autograd.record():
        mask = x > 1
    with pytest.raises(mx.MXNetError, match="no inputs"):
        mask.backward()


def test_nothing_flows_back_to_places():
    """Zeros, as the original gives for most such operators; of take and Embedding it refuses this gradient."""
    for function in (
        lambda x: nd.take(nd.arange(9), x),
        lambda x: nd.pick(nd.ones((3, 4)), x),
        lambda x: nd.one_hot(x, 4),
        lambda x: nd.where(x, nd.ones(3), nd.zeros(3)),
    ):
        x = nd.array(THREE, dtype="int32")
        x.attach_grad()
        x.grad[:] = 7
        with autograd.record():
            y = function(x)
        y.backward()
        assert x.grad.asnumpy().tolist() == [0, 0, 0]


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
