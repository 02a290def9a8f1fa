"""Losses against the original: texts, values and gradients, eager and hybridized; and what they refuse."""

import gluon_loss_cases
import numpy as np
import pytest
from compare import load_golden

import mxnet as mx
from mxnet import autograd, gluon, nd

GOLDEN = load_golden("gluon_loss.json")
NAMES = [*gluon_loss_cases.LOSSES, *gluon_loss_cases.EAGER]


@pytest.mark.parametrize("name", NAMES)
def test_loss(name):
    texts, arrays = gluon_loss_cases.run(mx, name)
    wanted = GOLDEN[name]
    assert texts == wanted["texts"]
    assert arrays.keys() == wanted["arrays"].keys()
    for key, (shape, values) in wanted["arrays"].items():
        np.testing.assert_allclose(arrays[key], np.array(values).reshape(shape), rtol=1e-4, atol=1e-5, err_msg=key)


@pytest.mark.parametrize("name", gluon_loss_cases.EAGER)
def test_hybridized_where_the_original_is_not(name):
    make, inputs = gluon_loss_cases.EAGER[name]
    rng = np.random.RandomState(0)
    data = [nd.array(gluon_loss_cases.values(rng, kind, shape)) for kind, shape in inputs]
    loss = make(gluon.loss)
    eager = loss(*data).asnumpy()
    loss.hybridize()
    np.testing.assert_allclose(loss(*data).asnumpy(), eager, rtol=1e-5)
    data[0].attach_grad()
    with autograd.record():
        out = loss(*data)
    out.backward()
    assert np.isfinite(data[0].grad.asnumpy()).all()


def test_stirling_of_nothing_counted_is_no_nan():
    loss = gluon.loss.PoissonNLLLoss(compute_full=True)
    value = loss(nd.array([[0.5, 0.2]]), nd.array([[3, 0]])).asscalar()
    stirling = 3 * np.log(3) - 3 + 0.5 * np.log(6 * np.pi)
    np.testing.assert_allclose(value, (np.exp(0.5) - 1.5 + stirling + np.exp(0.2)) / 2, rtol=1e-6)


def test_every_loss_is_here_and_in_its_module():
    assert gluon.loss.SoftmaxCELoss is gluon.loss.SoftmaxCrossEntropyLoss
    assert gluon.loss.SigmoidBCELoss is gluon.loss.SigmoidBinaryCrossEntropyLoss
    made = {
        type(make(gluon.loss)).__name__
        for make, _ in [*gluon_loss_cases.LOSSES.values(), *gluon_loss_cases.EAGER.values()]
    }
    aliases = {"Loss", "SoftmaxCELoss", "SigmoidBCELoss"}
    assert {n for n in gluon.loss.__all__ if n not in aliases} == made


def test_half_precision():
    loss = gluon.loss.SoftmaxCELoss()
    out = loss(nd.array([[1, 2, 3]], dtype="float16"), nd.array([2]))
    assert out.dtype == np.float16
    cosine = gluon.loss.CosineEmbeddingLoss()
    out = cosine(nd.ones((2, 3), dtype="float64"), nd.ones((2, 3), dtype="float64"), nd.ones((2,), dtype="float64"))
    np.testing.assert_allclose(out.asnumpy(), np.zeros((2, 1)), atol=1e-12)


def test_refusals():
    with pytest.raises(ValueError, match="label_format can only be signed or binary"):
        gluon.loss.LogisticLoss(label_format="x")
    with pytest.raises(AssertionError, match="Only 'NTC' and 'TNC' layouts for pred"):
        gluon.loss.CTCLoss("x")
    with pytest.raises(AssertionError, match="Only 'NT' and 'TN' layouts for label"):
        gluon.loss.CTCLoss("TNC", "x")
    with pytest.raises(AssertionError, match="weight must be a number"):
        gluon.loss.L1Loss(weight="a")(nd.ones((1,)), nd.ones((1,)))
    with pytest.raises(NotImplementedError):
        gluon.loss.Loss(1, 0)(nd.ones((1,)))
    with pytest.raises(mx.MXNetError, match=r"the label has shape \(4, 2\), the prediction \(2, 3\)"):
        gluon.loss.L2Loss()(nd.ones((2, 3)), nd.ones((4, 2)))


def test_a_loss_of_ones_own():
    class Quartic(gluon.loss.Loss):
        def __init__(self, weight=None, batch_axis=0, **kwargs):
            super().__init__(weight, batch_axis, **kwargs)

        def hybrid_forward(self, F, pred, label, sample_weight=None):
            loss = F.square(F.square(pred - label))
            loss = gluon.loss._apply_weighting(F, loss, self._weight, sample_weight)
            return F.mean(loss, axis=self._batch_axis, exclude=True)

    loss = Quartic(weight=2)
    assert repr(loss) == "Quartic(batch_axis=0, w=2)"
    np.testing.assert_allclose(loss(nd.array([[1.0, 2.0]]), nd.zeros((1, 2))).asnumpy(), [17.0])


@pytest.mark.parametrize("given", [(False, False), (True, False), (False, True), (True, True)])
def test_ctc_takes_either_length_alone(given):
    random = np.random.RandomState(0)
    pred, label = nd.array(random.randn(3, 6, 4)), nd.array(random.randint(0, 3, (3, 3)))
    lengths = [nd.array(x) if wanted else None for x, wanted in zip([(4, 5, 6), (1, 2, 3)], given, strict=True)]
    plain, hybrid = gluon.loss.CTCLoss(), gluon.loss.CTCLoss()
    hybrid.hybridize()
    expected = plain(pred, label, *lengths).asnumpy()
    np.testing.assert_allclose(hybrid(pred, label, *lengths).asnumpy(), expected, rtol=1e-6)
    names = [mx.sym.var(name) if wanted else None for name, wanted in zip(("pred_n", "label_n"), given, strict=True)]
    symbol = plain(mx.sym.var("pred"), mx.sym.var("label"), *names)
    assert symbol.list_arguments() == ["pred", "label", *[n.name for n in names if n is not None]]
