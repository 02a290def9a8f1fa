"""Convolutions of volumes by oneDNN and their gradients are those of float64; fused ones are those of plain steps."""

import pytest
import torch

import mxnet as mx
from mxnet import sym
from mxnet.graph.passes.convolutions import FusedConvolution, is_available
from mxnet.graph.program import Program
from mxnet.graph.step import Step
from mxnet.ops import registry
from mxnet.ops.nn import volumes
from mxnet.ops.nn.convolution import convolution

#: Shape of data, filters, kernel, stride, dilate, pad.
CASES = [
    ((1, 3, 8, 9, 10), 5, (3, 3, 3), (1, 1, 1), (1, 1, 1), (1, 1, 1)),
    ((1, 4, 7, 6, 5), 8, (3, 3, 3), (2, 2, 2), (1, 1, 1), (1, 1, 1)),
    ((1, 4, 3, 11, 8), 8, (1, 3, 3), (1, 2, 1), (1, 1, 1), (0, 1, 1)),
    ((1, 16, 9, 4, 4), 16, (3, 1, 1), (2, 1, 1), (1, 1, 1), (1, 0, 0)),
    ((1, 2, 5, 7, 12), 3, (2, 3, 2), (1, 1, 3), (2, 1, 2), (0, 2, 1)),
    ((1, 3, 2, 2, 2), 4, (2, 2, 2), (1, 1, 1), (1, 1, 1), (0, 0, 0)),
    ((1, 16, 4, 6, 6), 32, (1, 1, 1), (1, 1, 1), (1, 1, 1), (0, 0, 0)),
    ((3, 16, 4, 6, 6), 32, (1, 1, 1), (2, 1, 2), (1, 1, 1), (0, 0, 0)),
    ((1, 1, 6, 6, 6), 4, (3, 3, 3), (1, 1, 1), (1, 1, 1), (1, 1, 1)),
    ((1, 2, 6, 9, 9), 4, (3, 5, 5), (1, 1, 1), (1, 1, 1), (1, 2, 2)),
    ((4, 8, 5, 6, 7), 16, (3, 3, 3), (1, 1, 1), (1, 1, 1), (1, 1, 1)),
]


def tensors(shape, filters, kernel, groups=1, seed=0):
    generator = torch.Generator().manual_seed(seed)
    shapes = shape, (filters, shape[1] // groups, *kernel), (filters,)
    return [torch.randn(s, generator=generator) for s in shapes]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("wanted", [(True, True, True), (False, True, False), (True, False, False)])
def test_values_and_gradients_are_those_of_float64(case, last, wanted):
    shape, filters, kernel, stride, dilate, pad = case
    given = tensors(shape, filters, kernel)
    if last:
        given[0] = given[0].contiguous(memory_format=torch.channels_last_3d)
    ours = [t.requires_grad_(w) for t, w in zip(given, wanted, strict=True)]
    exact = [t.detach().double().requires_grad_(w) for t, w in zip(given, wanted, strict=True)]
    result = convolution.kernel(*ours, kernel=kernel, stride=stride, dilate=dilate, pad=pad, num_filter=filters)
    expected = torch.conv3d(*exact, stride, pad, dilate)
    torch.testing.assert_close(result.double(), expected, rtol=1e-4, atol=1e-4)
    head = torch.randn(result.shape, generator=torch.Generator().manual_seed(1))
    result.backward(head)
    expected.backward(head.double())
    for mine, other in zip(ours, exact, strict=True):
        assert (mine.grad is None) is (other.grad is None)
        if mine.grad is not None:
            scale = other.grad.abs().max()
            torch.testing.assert_close(mine.grad.double() / scale, other.grad / scale, rtol=1e-4, atol=1e-5)


def test_single_volumes_are_computed_by_onednn():
    if not torch.backends.mkldnn.is_available():
        pytest.skip("this torch has no oneDNN")
    data, weight, _ = (t.requires_grad_() for t in tensors((1, 3, 8, 9, 10), 5, (3, 3, 3)))
    options = None, (1, 1, 1), (1, 1, 1), (1, 1, 1), 1
    assert type(volumes.convolve_volumes(data, weight, *options).grad_fn).__name__ == "_SingleVolumeBackward"


def test_gradients_of_gradients():
    data, weight, bias = (t.requires_grad_() for t in tensors((1, 2, 3, 4, 3), 2, (2, 2, 2)))
    first = []
    for call in (
        lambda *given: convolution.kernel(*given, kernel=(2, 2, 2), num_filter=2, pad=(1, 0, 0)),
        lambda *given: torch.conv3d(*given, 1, (1, 0, 0)),
    ):
        by_data, by_weight = torch.autograd.grad(
            call(data, weight, bias).pow(3).sum(), [data, weight], create_graph=True
        )
        first.append(torch.autograd.grad(by_data.square().sum() + by_weight.square().sum(), [data, weight, bias]))
    for ours, plain in zip(*first, strict=True):
        torch.testing.assert_close(ours, plain, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("value", [torch.nan, torch.inf])
def test_nan_and_infinities_stay_in_their_windows(value):
    data, weight, bias = tensors((1, 2, 6, 6, 6), 3, (3, 3, 3))
    data[0, 0, 0, 0, 0] = value
    result = convolution.kernel(data, weight, bias, kernel=(3, 3, 3), num_filter=3)
    assert not result[..., 0, 0, 0].isfinite().any()
    assert result[..., 1:, :, :].isfinite().all() and result[..., 1:, :].isfinite().all()


NETS = {
    "relu": lambda c: sym.Activation(c, act_type="relu"),
    "norm": lambda c: sym.BatchNorm(c, fix_gamma=False),
    "norm, relu": lambda c: sym.relu(sym.BatchNorm(c, fix_gamma=False)),
    "sum": lambda c: sym.relu(sym.var("data") + sym.BatchNorm(c)),
    "two sums": lambda c: c + sym.Convolution(c, kernel=(1, 1, 1), num_filter=8, name="other"),
    "pointwise after norm": lambda c: sym.Convolution(
        sym.relu(sym.BatchNorm(sym.var("data"), fix_gamma=False, name="first")),
        kernel=(1, 1, 1),
        num_filter=8,
        name="last",
    ),
}


@pytest.mark.skipif(not is_available(), reason="this torch has no fused convolutions")
@pytest.mark.parametrize("groups, last", [(1, False), (1, True), (2, False)])
@pytest.mark.parametrize("net", NETS)
def test_fused_steps_equal_plain_ones(net, groups, last):
    data = sym.var("data")
    made = NETS[net](sym.Convolution(data, kernel=(3, 3, 3), pad=(1, 1, 1), num_filter=8, num_group=groups, name="c"))
    shapes, _, states = made.infer_shape(data=(2, 8, 4, 5, 6))
    generator = torch.Generator().manual_seed(3)
    values = [torch.randn(s, generator=generator) for s in shapes]
    values += [torch.rand(s, generator=generator) + 0.5 for s in states]
    if last:
        values[0] = values[0].contiguous(memory_format=torch.channels_last_3d)
    program = Program(made._outputs, mx.cpu())
    (ours,), (plain,) = program.run(values, False), program.run(values, False, Step)
    assert any(isinstance(step.kernel, FusedConvolution) for step in program._prediction.steps)
    torch.testing.assert_close(ours, plain, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind", ["max", "avg", "sum", "lp"])
@pytest.mark.parametrize(
    "options", [{}, {"stride": (2, 1, 2), "pad": (1, 0, 1)}, {"pooling_convention": "full", "stride": (2,) * 3}]
)
def test_pooling_does_not_depend_on_the_memory_layout(kind, options):
    data = torch.randn(2, 9, 6, 7, 5, generator=torch.Generator().manual_seed(0))
    results = []
    for values in (data.double(), data, data.contiguous(memory_format=torch.channels_last_3d)):
        values = values.requires_grad_()
        given = {"p_value": 2} if kind == "lp" else {}
        pooled = registry.get("Pooling").kernel(values, kernel=(2, 3, 2), pool_type=kind, **options, **given)
        pooled.square().sum().backward()
        results.append((pooled.detach().float(), values.grad.float()))
    for ours in results[1:]:
        for mine, exact in zip(ours, results[0], strict=True):
            torch.testing.assert_close(mine, exact, rtol=1e-4, atol=1e-4)
