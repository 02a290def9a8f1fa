"""Inputs with a gradient of zeros become constants where their variables learn anyway, and nowhere else."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd, sym
from mxnet.graph.passes import drop_zero_gradients, zero_gradients
from mxnet.graph.program import Program
from mxnet.ops import differentiate


def constants(net):
    """The operators that take inputs as constants, with the positions of these."""
    plan = drop_zero_gradients(Program(net._outputs, mx.cpu()).plan)
    steps = [s for s in plan.verify().steps if isinstance(s.kernel, zero_gradients._WithConstants)]
    return [(step.op.name, step.kernel._places) for step in steps]


def gradients(net, heads=None, **values):
    """What variables get from the outputs in ``heads``, in a hybridized run; NaN stays where nothing is written."""
    arrays = [nd.array(values[name]) for name in net.list_inputs()]
    for array in arrays:
        array.attach_grad()
        array.grad[:] = np.nan
    with autograd.record():
        outputs = mx.nd.CachedOp(net)(*arrays)
        outputs = outputs if isinstance(outputs, list) else [outputs]
    autograd.backward([outputs[i] for i in heads or range(len(outputs))])
    return dict(zip(net.list_inputs(), [array.grad.asnumpy() for array in arrays], strict=True))


A = np.float32([[1, -2, 3], [0.5, 0, -1]])
B = np.float32([[2, -2, 1], [-0.5, 4, -3]])


def a_and_b():
    return sym.var("a"), sym.var("b")


def test_a_label_takes_the_shape_of_a_prediction_that_learns_from_the_difference():
    a, b = a_and_b()
    net = sym.square(sym.reshape_like(a, b) - b)
    assert constants(net) == [("reshape_like", [1])]
    found = gradients(net, a=A.reshape(3, 2), b=B)
    np.testing.assert_array_equal(found["b"], 2 * (B - A))
    np.testing.assert_array_equal(found["a"], 2 * (A - B).reshape(3, 2))


def test_a_comparison_of_what_learns_from_both_branches():
    a, b = a_and_b()
    error = sym.abs(a - b)
    net = sym.mean(sym.where(error > 1, error - 0.5, 0.5 * sym.square(error)), axis=0, exclude=True)
    assert constants(net) == [("_greater_scalar", [0])]
    found = gradients(net, a=A, b=B)
    expected = np.clip(A - B, -1, 1) / 3
    np.testing.assert_allclose(found["a"], expected, rtol=1e-6)
    np.testing.assert_allclose(found["b"], -expected, rtol=1e-6)


@pytest.mark.parametrize(
    "make",
    [
        lambda a, b: sym.reshape_like(a, b),
        lambda a, b: sym.reshape_like(a, b * 2),
        lambda a, b: sym.where(b > 0, a, a * 2),
        lambda a, b: sym.BlockGrad(b) * sym.reshape_like(a, b),
        lambda a, b: sym.sign(b) + sym.reshape_like(a, b),
    ],
)
def test_a_variable_that_learns_nothing_else_gets_zeros(make):
    net = make(*a_and_b())
    assert constants(net) == []
    found = gradients(net, a=A, b=B)
    np.testing.assert_array_equal(found["b"], np.zeros_like(B))
    assert np.isfinite(found["a"]).all()


def test_every_output_counts_by_itself():
    a, b = a_and_b()
    net = sym.Group([sym.reshape_like(a, b) * 3, b * 2])
    assert constants(net) == []
    found = gradients(net, heads=[0], a=A, b=B)
    np.testing.assert_array_equal(found["b"], np.zeros_like(B))
    np.testing.assert_array_equal(found["a"], np.full_like(A, 3))
    learned = sym.Group([sym.reshape_like(a, b) * b, b * 2])
    assert constants(learned) == [("reshape_like", [1])]
    np.testing.assert_array_equal(gradients(learned, heads=[0], a=A, b=B)["b"], A)


def test_a_loss_behind_an_input_with_zeros_still_learns():
    a, b = a_and_b()
    loss = sym.LinearRegressionOutput(b, sym.var("label"), grad_scale=3.0)
    net = sym.reshape_like(a, loss) * b
    assert constants(net) == []
    found = gradients(net, a=A, b=B, label=np.zeros_like(B))
    np.testing.assert_allclose(found["b"], A + B, rtol=1e-6)


LOSSES = ["L2", "L1", "SigmoidBCE", "Huber", "Hinge", "SquaredHinge", "Logistic", "PoissonNLL", "Triplet"]


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("hybridize", [False, True])
def test_losses_search_for_no_variable_without_gradient(name, hybridize, monkeypatch):
    loss = getattr(gluon.loss, name + "Loss")()
    others = [nd.array(np.abs(B) > 1), nd.array(A + 0.1)][: 1 + (name == "Triplet")]
    expected = []
    for ends in (True, False):
        if hybridize:
            loss.hybridize()
        prediction = nd.array(A)
        prediction.attach_grad()
        label = [other.reshape((2, 3) if ends else (3, 2)) for other in others]
        if not ends:
            monkeypatch.setattr(differentiate, "_give_zeros", lambda tensors: pytest.fail("gradients ended"))
        with autograd.record():
            value = loss(prediction, *label)
        value.backward()
        expected.append((value.asnumpy(), prediction.grad.asnumpy()))
    for first, second in zip(*expected, strict=True):
        np.testing.assert_array_equal(first, second)
        assert np.abs(second).sum() > 0


@pytest.mark.parametrize("hybridize", [False, True])
def test_a_label_that_learns_gets_its_gradient(hybridize):
    loss = gluon.loss.L2Loss()
    if hybridize:
        loss.hybridize()
    prediction, label = nd.array(A), nd.array(B.reshape(3, 2))
    prediction.attach_grad()
    label.attach_grad()
    with autograd.record():
        value = loss(prediction * 2, label * 3)
    value.backward()
    difference = (2 * A - 3 * B) / 3
    np.testing.assert_allclose(prediction.grad.asnumpy(), 2 * difference, rtol=1e-6)
    np.testing.assert_allclose(label.grad.asnumpy(), -3 * difference.reshape(3, 2), rtol=1e-6)
