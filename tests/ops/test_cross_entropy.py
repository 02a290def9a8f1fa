"""The cross entropy with labels at once: as an operator, in losses and in graphs, it is what its parts would give."""

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, nd, sym
from mxnet.graph.passes import fuse_cross_entropy
from mxnet.graph.program import Program
from mxnet.graph.step import Step
from mxnet.ops.nn.cross_entropy import log_softmax_pick

SHAPES = [(3, 10), (16, 10), (37, 10), (16, 64), (5, 65), (2, 1000), (4, 3, 7), (6, 1), (1, 16)]


def parts(data, index, axis=-1, keepdims=False, scale=1.0):
    """By torch, in double precision."""
    kept = [1 if a == axis % data.dim() else n for a, n in enumerate(data.shape)]
    place = index.long().clamp(0, data.shape[axis] - 1).reshape(kept)
    picked = torch.log_softmax(data.double(), axis).gather(axis, place) * scale
    return picked if keepdims else picked.squeeze(axis)


def example(shape, axis=-1, spread=4.0):
    made = torch.Generator().manual_seed(1)
    data = torch.randn(shape, generator=made) * spread
    labels = list(shape)
    classes = labels.pop(axis)
    index = torch.randint(-2, classes + 2, labels, generator=made)  # those outside are clipped
    return data.requires_grad_(), index


def with_gradient(function, data, *others):
    result = function(data, *others)
    weight = torch.linspace(-1, 2, result.numel(), dtype=result.dtype).reshape(result.shape)
    return result, torch.autograd.grad((result * weight).sum(), data)[0]


@pytest.mark.parametrize("dtype", [torch.float32, torch.int32, torch.int64, torch.uint8, torch.float64], ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_result_and_gradient(shape, dtype):
    data, index = example(shape)
    index = (index.clamp(min=0) if dtype is torch.uint8 else index).to(dtype)
    result, grad = with_gradient(lambda *a: log_softmax_pick.kernel(*a, scale=-1.5, keepdims=True), data, index)
    expected, by_data = with_gradient(lambda *a: parts(*a, scale=-1.5, keepdims=True), data, index)
    assert result.dtype is torch.float32 and result.shape == expected.shape
    torch.testing.assert_close(result, expected.float(), rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(grad, by_data.float(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "data, index, options",
    [
        (torch.randn(4, 6, 5), torch.ones(4, 5), {"axis": 1}),
        (torch.randn(6), torch.tensor([2.0]), {}),
        (torch.randn(4, 6, dtype=torch.float64), torch.arange(4), {}),
        (torch.randn(6, 4).t(), torch.arange(4), {}),
        (torch.randn(4, 6), torch.arange(8)[::2], {}),
        (torch.randn(4, 6), torch.arange(4).reshape(4, 1), {"keepdims": True}),
    ],
    ids="axis one-dimension double transposed strided column".split(),
)
def test_other_inputs(data, index, options):
    result, grad = with_gradient(lambda *a: log_softmax_pick.kernel(*a, **options), data.requires_grad_(), index)
    keepdims = options.get("keepdims", data.dim() == 1)
    expected, by_data = with_gradient(lambda *a: parts(*a, **{**options, "keepdims": keepdims}), data, index)
    assert result.shape == expected.shape and result.dtype is data.dtype
    torch.testing.assert_close(result.double(), expected, rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(grad.double(), by_data.double(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("classes", [5, 40, 200])
def test_extreme_numbers(classes):
    data = torch.zeros(40, classes)
    data[0] = 1e4  # the same for all
    data[1, 1:] = -np.inf  # one class is sure
    data[2, 0] = 3e38
    data[3] = -np.inf
    data[4, 2] = np.nan
    data[5, 3] = np.inf
    data[6, 1] = -200.0
    data.requires_grad_()
    for label in (0, 1):
        index = torch.full((40,), float(label))
        index[7] = np.nan  # clipped to 0, as every number that is not above it
        ours, grad = with_gradient(log_softmax_pick.kernel, data, index)
        index[7] = 0
        expected, by_data = with_gradient(parts, data, index)
        torch.testing.assert_close(ours, expected.float(), rtol=1e-6, atol=1e-6, equal_nan=True)
        torch.testing.assert_close(grad, by_data.float(), rtol=1e-5, atol=1e-6, equal_nan=True)


def test_wrong_labels_are_refused():
    with pytest.raises(ValueError, match=r"index has shape \(3,\), expected \(4,\) or \(4, 1\)"):
        log_softmax_pick.kernel(torch.ones(4, 5), torch.ones(3))


def test_gradient_of_the_gradient():
    data, index = example((5, 7))
    assert torch.autograd.gradgradcheck(
        lambda x: log_softmax_pick.kernel(x.float(), index, scale=-1.0).double(),
        data.detach().double().requires_grad_(),
        atol=1e-2,
        eps=1e-3,
        nondet_tol=1e-5,
    )
    # the labels must still be what they were
    assert index.equal(example((5, 7))[1])


@pytest.mark.parametrize("shape, axis", [((20, 10), -1), ((20, 10), 1), ((4, 5, 6), -1), ((4, 6, 5), 1)], ids=str)
@pytest.mark.parametrize("weights", [False, True])
def test_losses_eager_and_hybridized(shape, axis, weights):
    data, index = example(shape, axis)
    pred, label = nd.array(data.detach().numpy()), nd.array(index.numpy())
    weight = [nd.array(np.linspace(0, 2, shape[0]).reshape(-1, *[1] * (len(shape) - 1)))] if weights else []
    expected = None
    for loss in (mx.gluon.loss.SoftmaxCELoss(axis=axis), mx.gluon.loss.SoftmaxCELoss(axis=axis, weight=2.0)):
        for active in (False, True):
            loss.hybridize(active)
            pred.attach_grad()
            with autograd.record():
                result = loss(pred, label, *weight)
            result.backward()
            logs = -parts(data.detach(), index, axis, keepdims=True) * (loss._weight or 1)
            if weights:
                logs = logs * torch.from_numpy(weight[0].asnumpy())
            np.testing.assert_allclose(result.asnumpy(), logs.reshape(shape[0], -1).mean(1), rtol=1e-5, atol=1e-6)
            if expected is not None:
                np.testing.assert_allclose(pred.grad.asnumpy(), expected, rtol=1e-5, atol=1e-6)
            expected = pred.grad.asnumpy()
        expected = expected * 2


x, y = sym.var("x"), sym.var("y")


def picked(**options):
    return sym.pick(sym.log_softmax(x, axis=options.get("axis", -1)), y, **options)


@pytest.mark.parametrize(
    "net, left",
    [
        (sym.mean(-picked(keepdims=True), axis=0, exclude=True), ["pick"]),
        (sym.negative(picked()), ["pick"]),
        (sym.mean(picked(axis=1, keepdims=True) * 0.5, axis=(0,), exclude=True), ["pick"]),
        (sym.mean(picked(keepdims=True), axis=0, exclude=True, keepdims=True), ["pick", "mean"]),
        (sym.mean(-picked(keepdims=True)), ["pick", "mean"]),
        (sym.mean(-picked(axis=0, keepdims=True), axis=0, exclude=True), ["pick"]),
        (picked(mode="wrap"), ["log_softmax", "pick"]),
        (sym.pick(sym.log_softmax(x, temperature=2.0), y), ["log_softmax", "pick"]),
        ((lambda s: sym.Group([sym.pick(s, y), s]))(sym.log_softmax(x)), ["log_softmax", "pick"]),
        ((lambda p: sym.Group([-p, p]))(picked()), ["pick", "_mul_scalar"]),
    ],
    ids="loss negative axis keepdims all-mean first-axis wrap temperature softmax-used pick-used".split(),
)
def test_graphs_become_one_step(net, left):
    made = Program(net._outputs, mx.cpu())
    assert [s.op.name for s in fuse_cross_entropy(made.plan).steps] == left
    data, index = example((4, 4))
    results = []
    for watch in (None, Step):  # a watched run goes step by step
        outputs = made.run([data, index.float()], True, watch)
        results.append([*outputs, torch.autograd.grad(sum(o.sum() for o in outputs), data)[0]])
    for ours, expected in zip(*results, strict=True):
        assert ours.shape == expected.shape
        torch.testing.assert_close(ours, expected, rtol=1e-5, atol=1e-6)
