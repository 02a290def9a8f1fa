"""Winograd's convolutions: the same numbers as the direct way, forward and backward, in every shape of tiles."""

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import nd, sym
from mxnet.graph.passes import fuse
from mxnet.graph.program import Program
from mxnet.ops.nn import convolution, winograd


def made(*shape, seed=0):
    return torch.from_numpy(np.random.RandomState(seed).normal(size=shape).astype("float32"))


def close(ours, expected):
    """Equal to rounding: errors are as large as those of the largest numbers that went into a result."""
    torch.testing.assert_close(ours.double(), expected, rtol=0, atol=1e-4 * expected.abs().max().item())


SIZES = [(4, 4), (8, 8), (7, 7), (14, 13), (1, 1), (2, 9), (5, 3)]


@pytest.mark.parametrize("m", [2, 4])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("options", ["plain", "bias", "bias_relu", "other", "bias_other_relu"])
def test_forward(m, size, options):
    data, weight, bias = made(3, 5, *size), made(6, 5, 3, 3, seed=1), made(6, seed=2)
    other = made(3, 6, *size, seed=3) if "other" in options else None
    expected = torch.conv2d(data.double(), weight.double(), bias.double() if "bias" in options else None, padding=1)
    if other is not None:
        expected += other
    relu = "relu" in options
    images = data.contiguous(memory_format=torch.channels_last)
    call = images, winograd.transformed_weight(weight, m), m, bias if "bias" in options else None, other, relu
    result = winograd.convolve(*call)
    assert result.is_contiguous(memory_format=torch.channels_last)
    close(result, expected.relu() if relu else expected)


@pytest.mark.parametrize("m", [2, 4])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("chunk", [1, 1 << 20])
def test_gradients(m, size, chunk, monkeypatch):
    monkeypatch.setattr(winograd, "_CHUNK", chunk)
    inputs = [made(3, 5, *size), made(6, 5, 3, 3, seed=1), made(6, seed=2)]
    head = made(3, 6, *size, seed=3)
    ours = [t.clone().requires_grad_() for t in inputs]
    theirs = [t.double().requires_grad_() for t in inputs]
    result = winograd.Winograd.apply(ours[0].contiguous(memory_format=torch.channels_last), *ours[1:], m)
    expected = torch.conv2d(*theirs, padding=1)
    close(result.detach(), expected.detach())
    grads = torch.autograd.grad(result, ours, head), torch.autograd.grad(expected, theirs, head.double())
    for mine, right in zip(*grads, strict=True):
        close(mine, right)
    assert grads[0][1].is_contiguous()


def test_only_the_gradients_that_are_wanted():
    weight = made(6, 5, 3, 3, seed=1).requires_grad_()
    result = winograd.Winograd.apply(made(2, 5, 8, 8), weight, None, 4)
    (grad,) = torch.autograd.grad(result.sum(), weight)
    assert grad.shape == weight.shape


def test_gradient_of_a_gradient():
    values = [made(2, 3, 5, 5), made(4, 3, 3, 3, seed=1)]
    found = []
    for call in (lambda d, w: winograd.Winograd.apply(d, w, None, 2), lambda d, w: torch.conv2d(d, w, padding=1)):
        data, weight = [t.clone().requires_grad_() for t in values]
        (first,) = torch.autograd.grad(call(data, weight).pow(3).sum(), data, create_graph=True)
        found.append(torch.autograd.grad(first.pow(2).sum(), [data, weight]))
    for ours, expected in zip(*found, strict=True):
        close(ours, expected.double())


GEOMETRY = (1, 1), (1, 1), (1, 1)


def test_chosen_where_it_pays():
    assert winograd.tile_size(8, 256, 256, 14, 14, *GEOMETRY, True) == 4
    assert winograd.tile_size(8, 128, 128, 28, 28, *GEOMETRY, False) == 4
    assert winograd.tile_size(16, 3, 64, 112, 112, *GEOMETRY, True) == 0
    assert winograd.tile_size(1, 512, 512, 7, 7, *GEOMETRY, True) == 0
    assert winograd.tile_size(0, 256, 256, 14, 14, *GEOMETRY, True) == 0
    for other in (((2, 2), (1, 1), (1, 1)), ((1, 1), (0, 0), (1, 1)), ((1, 1), (1, 1), (2, 2))):
        assert winograd.tile_size(8, 256, 256, 14, 14, *other, True) == 0


@pytest.fixture
def always(monkeypatch):
    """Every 3x3 convolution that can go this way does."""

    def size(batch, channels, filters, height, width, stride, pad, dilate, prepared):
        return 4 if batch and (stride, pad, dilate) == GEOMETRY else 0

    monkeypatch.setattr(convolution, "tile_size", size)
    monkeypatch.setattr(fuse, "tile_size", size)


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("options", [{}, {"no_bias": True}, {"num_group": 2}, {"stride": (2, 2)}, {"layout": "NHWC"}])
def test_operator(options):
    last = options.get("layout") == "NHWC"
    shapes = ((2, 9, 9, 4), (6, 3, 3, 4)) if last else ((2, 4, 9, 9), (6, 4 // options.get("num_group", 1), 3, 3))
    arrays = [nd.array(made(*shapes[0])), nd.array(made(*shapes[1], seed=1)), nd.array(made(6, seed=2))]
    if options.get("no_bias"):
        arrays.pop()
    found = []
    for dtype in ("float32", "float64"):
        inputs = [a.astype(dtype) for a in arrays]
        for array in inputs:
            array.attach_grad()
        with mx.autograd.record():
            result = nd.Convolution(*inputs, kernel=(3, 3), pad=(1, 1), num_filter=6, **options)
            loss = (result * result).sum()
        loss.backward()
        found.append([result.asnumpy(), *[a.grad.asnumpy() for a in inputs]])
    for ours, expected in zip(*found, strict=True):
        close(torch.from_numpy(ours), torch.from_numpy(expected))


def _net(kind):
    x = sym.var("data")
    options = {"kernel": (3, 3), "pad": (1, 1), "num_filter": 4}
    first = sym.BatchNorm(sym.Convolution(x, name="a", **options), name="n", fix_gamma=False)
    if kind == "leaky":
        return sym.LeakyReLU(first, slope=0.1)
    if kind == "sum":
        first = first + x
    return sym.Convolution(sym.relu(first), name="b", **options)


@pytest.mark.usefixtures("always")
@pytest.mark.skipif(not fuse.is_available(), reason="this torch has no fused oneDNN convolutions")
@pytest.mark.parametrize("kind", ["plain", "sum", "leaky"])
def test_fused(kind):
    net = _net(kind)
    program = Program(net._outputs, mx.cpu())
    args, _, aux = net.infer_shape(data=(2, 4, 7, 6))
    tensors = [made(*s, seed=i) for i, s in enumerate(args)] + [made(*s).abs() + 0.5 for s in aux]
    for change in range(len(tensors) + 1):
        expected = program.run([t.double() for t in tensors], False)[0]
        close(program.run(tensors, False)[0], expected)
        if change < len(tensors):
            tensors[change].mul_(1.5)  # parameters that change after they were transformed


@pytest.mark.usefixtures("always")
def test_other_sizes_and_threads_do_not_share_memory():
    from concurrent.futures import ThreadPoolExecutor

    def run(seed):
        data, weight = made(2, 4, 5 + seed % 7, 9, seed=seed), made(6, 4, 3, 3, seed=seed + 100)
        ours = convolution.convolution.kernel(data, weight, kernel=(3, 3), pad=(1, 1), num_filter=6, no_bias=True)
        return ours, torch.conv2d(data.double(), weight.double(), padding=1)

    with ThreadPoolExecutor(4) as pool:
        for ours, expected in pool.map(run, range(60)):
            close(ours, expected)
