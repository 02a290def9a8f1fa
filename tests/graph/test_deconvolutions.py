"""Deconvolutions of prediction programs: folded norms and packed weights give what the plain steps give."""

import itertools

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import nd, sym
from mxnet.error import MXNetError
from mxnet.graph.passes import deconvolutions
from mxnet.graph.passes.deconvolutions import FusedDeconvolution
from mxnet.graph.program import Program
from mxnet.graph.step import Step

pytestmark = pytest.mark.skipif(
    not deconvolutions.is_available(), reason="this torch has no deconvolutions with packed weights"
)
pytestmark = pytest.mark.usefixtures("threads")
x = sym.var("data")
ACTIVATIONS = {
    "none": lambda y: y,
    "relu": lambda y: sym.Activation(y, act_type="relu"),
    "tanh": lambda y: sym.Activation(y, act_type="tanh"),
    "sigmoid": sym.sigmoid,
    "leaky": lambda y: sym.LeakyReLU(y, slope=0.3),
}


@pytest.fixture
def packed(monkeypatch):
    """The shapes of data that weights were packed for."""
    calls, find = [], deconvolutions.Folded.packed

    def watch(self, shape, *options):
        calls.append(tuple(shape))
        return find(self, shape, *options)

    monkeypatch.setattr(deconvolutions.Folded, "packed", watch)
    return calls


def deconvolution(**options):
    return sym.Deconvolution(x, **{"num_filter": 8, "kernel": (4, 4), "stride": (2, 2), "pad": (1, 1), **options})


def program(net):
    return Program(net._outputs, mx.cpu())


def values(net, shape, seed=0):
    rng = np.random.RandomState(seed)
    args, _, states = net.infer_shape(data=shape)
    made = [torch.tensor(rng.normal(size=s).astype("float32")) for s in args]
    return made + [torch.tensor(rng.uniform(0.5, 2, s).astype("float32")) for s in states]


def check(made, tensors):
    for _ in range(2):
        (ours,), (expected,) = made.run(tensors, False), made.run(tensors, False, Step)
        assert ours.shape == expected.shape and ours.dtype == expected.dtype
        scale = expected[expected.isfinite()].abs().max().item() if expected.isfinite().any() else 1.0
        torch.testing.assert_close(ours, expected, rtol=1e-4, atol=1e-5 * max(scale, 1), equal_nan=True)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("norm", [None, False, True])
@pytest.mark.parametrize("no_bias", [False, True])
def test_fused_equals_plain(packed, activation, norm, no_bias):
    net = deconvolution(no_bias=no_bias)
    if norm is not None:
        net = sym.BatchNorm(net, fix_gamma=norm, eps=1e-3)
    made = program(ACTIVATIONS[activation](net))
    check(made, values(ACTIVATIONS[activation](net), (2, 16, 5, 6)))
    fused = [s for s in made._prediction.steps if isinstance(s.kernel, FusedDeconvolution)]
    assert len(fused) == 1 and packed
    assert len(made._prediction.steps) == (2 if activation == "leaky" else 1)


GEOMETRIES = list(
    itertools.product([(1, 1), (3, 2), (4, 4), (7, 5)], [(1, 1), (2, 3)], [(0, 0), (1, 0), (2, 1)], [(1, 1), (2, 1)])
)


@pytest.mark.parametrize("batch, channels, filters", [(1, 3, 1), (2, 17, 9), (3, 64, 3)])
def test_geometries(batch, channels, filters):
    ran = 0
    for kernel, stride, pad, dilate in GEOMETRIES:
        adj = tuple(min(1, s - 1) for s in stride)
        options = {"kernel": kernel, "stride": stride, "pad": pad, "dilate": dilate, "adj": adj}
        net = sym.BatchNorm(deconvolution(num_filter=filters, no_bias=False, **options))
        try:
            tensors = values(net, (batch, channels, *((1, 1) if batch == 2 else (4, 7))))
        except MXNetError:
            continue  # the padding leaves nothing
        check(program(net), tensors)
        ran += 1
    assert ran > 20


def test_target_shape():
    net = deconvolution(target_shape=(9, 10), pad=())
    check(program(net), values(net, (1, 4, 5, 5)))


def test_infinities_and_nan():
    for name, activation in ACTIVATIONS.items():
        net = activation(deconvolution(no_bias=True))
        tensors = values(net, (1, 16, 4, 4))
        tensors[0][0, 0, 0, 0], tensors[0][0, 1, 3, 3] = torch.inf, torch.nan
        made = program(net)
        (ours,), (expected,) = made.run(tensors, False), made.run(tensors, False, Step)
        assert torch.equal(ours.isnan(), expected.isnan()), name
        assert expected.isnan().any()


def test_changed_parameters_are_honoured():
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Conv2DTranspose(8, 4, 2, 1, in_channels=4), mx.gluon.nn.BatchNorm(in_channels=8))
    net.initialize()
    net.hybridize()
    data = nd.random.uniform(shape=(1, 4, 5, 5))
    before = net(data).asnumpy()
    np.testing.assert_allclose(net(data).asnumpy(), before)
    net[0].weight.data()[:] *= 2
    net[0].bias.data()[:] = 1
    net[1].gamma.data()[:] = 3
    changed = net(data).asnumpy()
    expected = (2 * before / np.sqrt(1 / (1 + 1e-5)) + 1) / np.sqrt(1 + 1e-5) * 3
    np.testing.assert_allclose(changed, expected, rtol=1e-4, atol=1e-4)
    exposed = torch.from_dlpack(net[0].weight.data().to_dlpack_for_write())
    exposed.zero_()
    np.testing.assert_allclose(net(data).asnumpy(), np.full_like(before, 3), rtol=1e-4)


def test_other_sizes_and_dtypes(packed):
    net = deconvolution()
    made = program(net)
    check(made, values(net, (1, 4, 5, 5)))
    check(made, values(net, (2, 4, 3, 6)))
    assert set(packed) == {(1, 4, 5, 5), (2, 4, 3, 6)}
    del packed[:]
    check(made, [v.double() for v in values(net, (1, 4, 5, 5))])
    check(made, [v.to(torch.bfloat16) for v in values(net, (1, 4, 5, 5))])
    data, *others = values(net, (1, 4, 5, 5))
    check(made, [data[:0], *others])
    assert not packed


def test_large_batches_of_few_pixels_are_left_to_products(packed):
    net = sym.tanh(sym.BatchNorm(deconvolution(num_filter=512, stride=(), pad=(), no_bias=False)))
    made = program(net)
    check(made, values(net, (2, 96, 1, 1)))
    assert packed
    del packed[:]
    check(made, values(net, (32, 96, 1, 1)))
    assert not packed


@pytest.mark.parametrize("options", [{"num_group": 2}, {"layout": "NHWC"}])
def test_others_keep_their_steps(options):
    net = deconvolution(**options)
    made = program(net)
    check(made, values(net, (1, 4, 6, 4)))
    assert not any(isinstance(s.kernel, FusedDeconvolution) for s in made._prediction.steps)


def test_errors_are_those_of_the_operator():
    net = deconvolution(name="up")
    tensors = values(net, (1, 4, 5, 5))
    tensors[1] = torch.ones(5, 8, 4, 4)
    with pytest.raises(MXNetError, match=r"up: .*weight must have shape \(4, 8, 4, 4\)"):
        program(net).run(tensors, False)


def test_gradients_in_prediction_mode_are_those_of_the_plain_steps():
    net = sym.tanh(sym.BatchNorm(deconvolution()))
    tensors = [t.requires_grad_() for t in values(net, (1, 4, 5, 5))]
    made = program(net)
    ours = torch.autograd.grad(made.run(tensors, False)[0].sum(), tensors[:4])
    expected = torch.autograd.grad(made.run(tensors, False, Step)[0].sum(), tensors[:4])
    for one, two in zip(ours, expected, strict=True):
        torch.testing.assert_close(one, two)
