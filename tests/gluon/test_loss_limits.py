"""Losses of infinite and huge inputs, and of examples of weight 0."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd

INF = np.inf
ELEMENTWISE = {
    "hinge": (gluon.loss.HingeLoss, {}, 1, -1),
    "squared hinge": (gluon.loss.SquaredHingeLoss, {}, 1, -1),
    "logistic": (gluon.loss.LogisticLoss, {}, 1, -1),
    "binary logistic": (gluon.loss.LogisticLoss, {"label_format": "binary"}, 1, 0),
    "sigmoid": (gluon.loss.SigmoidBCELoss, {}, 1, 0),
    "from sigmoid": (gluon.loss.SigmoidBCELoss, {"from_sigmoid": True}, 1, 0),
    "huber": (gluon.loss.HuberLoss, {}, 1, 0),
    "l1": (gluon.loss.L1Loss, {}, 1, 0),
    "l2": (gluon.loss.L2Loss, {}, 1, 0),
    "poisson": (gluon.loss.PoissonNLLLoss, {}, 1, 0),
    "poisson of counts": (gluon.loss.PoissonNLLLoss, {"from_logits": False}, 1, 0),
    "full poisson": (gluon.loss.PoissonNLLLoss, {"compute_full": True}, 3, 0),
}


def _run(loss, pred, *others, hybridize=False, F=nd):
    loss.hybridize(hybridize)
    x = F.array(pred)
    x.attach_grad()
    with autograd.record():
        value = loss(x, *(other if other is None else F.array(other) for other in others))
    value.backward()
    return value.asnumpy(), x.grad.asnumpy()


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("name", ELEMENTWISE)
def test_examples_of_weight_0_count_nothing(name, dtype, hybridize):
    kind, arguments, right, wrong = ELEMENTWISE[name]
    pred = np.array([[INF, 1.0], [-INF, 0.5], [0.5, 0.25], [np.nan, 1e4]], dtype)
    label = np.array([[right, wrong], [wrong, right], [wrong, right], [right, right]], dtype)
    weight = np.array([[0], [0], [1], [0]], dtype)

    def run(used):
        x, y, w = (nd.array(a[used], dtype=dtype) for a in (pred, label, weight))
        x.attach_grad()
        loss = kind(**arguments)
        loss.hybridize(hybridize)
        with autograd.record():
            value = loss(x, y, w)
        value.backward()
        return value.asnumpy(), x.grad.asnumpy()

    value, grad = run(slice(None))
    alone, by_itself = run(slice(2, 3))
    share = 4 if "poisson" in name else 1  # the mean of all examples
    assert np.array_equal(grad[[0, 1, 3]], np.zeros((3, 2)))
    np.testing.assert_allclose(grad[2] * share, by_itself[0], rtol=2e-3 if dtype == "float16" else 1e-6)
    if share == 1:
        assert np.array_equal(value[[0, 1, 3]], np.zeros(3))
        np.testing.assert_allclose(value[2], alone[0], rtol=2e-3 if dtype == "float16" else 1e-6)
    else:
        np.testing.assert_allclose(value * share, alone, rtol=2e-3 if dtype == "float16" else 1e-6)


KNOWN = [
    ("logistic", INF, 1, 0, 0),
    ("logistic", INF, -1, INF, 1),
    ("logistic", -INF, -1, 0, 0),
    ("binary logistic", -INF, 1, INF, -1),
    ("sigmoid", INF, 1, 0, 0),
    ("sigmoid", INF, 0, INF, 1),
    ("huber", -INF, 0, INF, -1),
    ("huber", 3e38, 0, 3e38, 1),
    ("l2", 3e38, 0, INF, 3e38),
    ("poisson", -INF, 0, 0, 0),
    ("poisson", INF, 1, INF, INF),
    ("poisson of counts", INF, 1, INF, 1),
    ("l2", INF, INF, np.nan, np.nan),  # not defined
    ("poisson of counts", -INF, 1, np.nan, 1),
]


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("name, pred, label, value, gradient", KNOWN)
def test_infinite_predictions(name, pred, label, value, gradient, hybridize):
    kind, arguments, *_ = ELEMENTWISE[name]
    found = _run(kind(**arguments), [[pred]], [[label]], hybridize=hybridize)
    np.testing.assert_allclose([found[0].item(), found[1].item()], [value, gradient])


@pytest.mark.parametrize("hybridize", [False, True])
def test_classes(hybridize):
    def run(loss, *inputs):
        return _run(loss, *inputs, hybridize=hybridize)

    ce, dense = gluon.loss.SoftmaxCELoss, {"sparse_label": False}
    value, grad = run(ce(), [[INF, 0, 0], [INF, 0, 0], [-INF, 0, 0]], [0, 1, 2])
    np.testing.assert_allclose(value, [0, INF, np.log(2)], rtol=1e-6)
    np.testing.assert_allclose(grad, [[0, 0, 0], [1, -1, 0], [0, 0.5, -0.5]])
    value, grad = run(ce(**dense), [[-INF, 0, 0]], [[0, 1, 0]])
    np.testing.assert_allclose(value, [np.log(2)], rtol=1e-6)
    np.testing.assert_allclose(grad, [[0, -0.5, 0.5]])
    masked = [[-INF, -INF, -INF], [0, 1, 2]]
    assert np.isnan(run(ce(), masked, [0, 1])[0][0])
    for loss, label in ((ce(), [0, 1]), (ce(**dense), np.eye(3)[:2]), (gluon.loss.KLDivLoss(False), np.eye(3)[:2])):
        value, grad = run(loss, masked, label, [[0], [1]])
        alone = run(loss, masked[1:], label[1:], [[1]])
        assert value[0] == 0 and np.array_equal(grad[0], [0, 0, 0])
        np.testing.assert_allclose(value[1:], alone[0], rtol=1e-6)
        np.testing.assert_allclose(grad[1:], alone[1], rtol=1e-5, atol=1e-7)
    value, grad = run(gluon.loss.KLDivLoss(), [[-INF, 0]], [[0, 1]])
    np.testing.assert_allclose(value, [0], atol=1e-6)
    np.testing.assert_allclose(grad, [[0, -1]])


@pytest.mark.parametrize("scale", [1e20, 1e38])
def test_vectors_and_sequences(scale):
    one = np.array([[1, 1], [2, 1]], "f") * np.float32(scale)
    value, grad = _run(gluon.loss.CosineEmbeddingLoss(), one, [[1, 0.5], [1, 2]], [1, -1])
    wide = _run(gluon.loss.CosineEmbeddingLoss(), np.array([[1, 1], [2, 1]]), [[1, 0.5], [1, 2]], [1, -1])
    np.testing.assert_allclose(value, wide[0], rtol=1e-5)
    np.testing.assert_allclose(grad * scale, wide[1], rtol=1e-4, atol=1e-5)
    value, grad = _run(gluon.loss.TripletLoss(), one[:1], [[1, 2]], [[3, 2]])
    np.testing.assert_allclose(value, [INF if scale > 8e37 else 4 * scale], rtol=1e-6)
    np.testing.assert_allclose(grad, [[4, 0]])
    for loss, others in (
        (gluon.loss.CosineEmbeddingLoss(), ([[1, 2]], [1], [[0]])),
        (gluon.loss.TripletLoss(), ([[1, 2]], [[3, 2]], [0])),
    ):
        value, grad = _run(loss, [[INF, 1]], *others)
        assert np.all(value == 0) and np.array_equal(grad, [[0, 0]])
    scores = np.array([[[-INF, 0, 0]] * 3, [[0, 1, 2]] * 3], "f")
    value, grad = _run(gluon.loss.CTCLoss(), scores, [[0, 1], [0, 1]], None, None, [0, 1])
    alone = _run(gluon.loss.CTCLoss(), scores[1:], [[0, 1]])
    assert value[0] == 0 and np.array_equal(grad[0], np.zeros((3, 3)))
    np.testing.assert_allclose(value[1:], alone[0], rtol=1e-5)
    np.testing.assert_allclose(grad[1:], alone[1], rtol=1e-4, atol=1e-6)


def test_arrays_of_numpy_and_losses_of_users():
    with mx.util.np_shape(True), mx.util.np_array(True):
        value, grad = _run(gluon.loss.SigmoidBCELoss(), [[INF], [-INF]], [[1.0], [1.0]], F=mx.np)
    assert np.array_equal(value, [0, INF]) and np.array_equal(grad, [[0], [-1]])

    class Own(gluon.loss.L2Loss):
        def hybrid_forward(self, F, pred, label):
            return pred * INF

    assert np.array_equal(_run(Own(), [[1.0]], [[1.0]])[0], [[INF]])
