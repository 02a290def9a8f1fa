"""Winograd's convolutions: the same numbers as the direct way, forward and backward, in every shape of tiles."""

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import native, nd, sym
from mxnet.graph.passes import convolutions
from mxnet.graph.program import Program
from mxnet.ops.nn import convolution, winograd


def made(*shape, seed=0):
    return torch.from_numpy(np.random.RandomState(seed).normal(size=shape).astype("float32"))


def close(ours, expected):
    """Equal to rounding: errors are as large as those of the largest numbers that went into a result."""
    torch.testing.assert_close(ours.double(), expected, rtol=0, atol=1e-5 * expected.abs().max().item())


pytestmark = pytest.mark.skipif(not winograd.is_available(), reason="there are no kernels of our own, or no MKL")


def last(tensor):
    return tensor.contiguous(memory_format=torch.channels_last)


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
@pytest.mark.parametrize("sizes", [(16, 16), (17, 33), (24, 40), (1, 1), (3, 64)])
@pytest.mark.parametrize("overwrite", [False, True])
def test_numbers_of_channels(m, sizes, overwrite):
    channels, filters = sizes
    data, weight, bias = made(2, channels, 9, 7), made(filters, channels, 3, 3, seed=1), made(filters, seed=2)
    other = last(made(2, filters, 9, 7, seed=3))
    expected = (torch.conv2d(data.double(), weight.double(), bias.double(), padding=1) + other).relu()
    transformed = winograd.transformed_weight(weight, m)
    result = winograd.convolve(last(data), transformed, m, bias, other, True, overwrite)
    assert (result is other) is overwrite
    close(result, expected)


@pytest.mark.parametrize(("m", "error"), [(2, 2e-6), (4, 2e-5)])
def test_rounding(m, error):
    data, weight = made(2, 64, 15, 15).relu(), made(64, 64, 3, 3, seed=1)
    expected = torch.conv2d(data.double(), weight.double(), padding=1)
    result = winograd.convolve(last(data), winograd.transformed_weight(weight, m), m)
    assert (result - expected).abs().max() <= error * expected.abs().max()


@pytest.mark.parametrize("m", [2, 4])
def test_nan_goes_through_relu_but_not_to_other_tiles(m):
    data, weight = made(2, 16, 8, 8), made(16, 16, 3, 3, seed=1)
    data[1, 3, 7, 7] = torch.nan
    result = winograd.convolve(last(data), winograd.transformed_weight(weight, m), m, relu=True)
    assert result[1, :, 6:, 6:].isnan().all()
    assert not result[0].isnan().any() and not result[1, :, :4, :4].isnan().any()


def test_sizes_that_do_not_fit():
    data, weight = last(made(2, 5, 8, 8)), winograd.transformed_weight(made(6, 5, 3, 3), 4)
    with pytest.raises(ValueError, match="for m = 2"):
        winograd.convolve(data, weight, 2)
    with pytest.raises(ValueError, match="6 filters"):
        winograd.convolve(data, weight, 4, made(5))
    with pytest.raises(ValueError, match="channels"):
        winograd.convolve(last(made(2, 4, 8, 8)), weight, 4)
    with pytest.raises(ValueError, match="summand"):
        winograd.convolve(data, weight, 4, other=made(2, 6, 8, 7))
    assert winograd.convolve(data[:0], weight, 4).shape == (0, 6, 8, 8)


@pytest.fixture(params=["whole", "parts", "threads"])
def parts(request, monkeypatch):
    """All tiles at once, few at once, and few of each thread."""
    if request.param != "whole":
        monkeypatch.setattr(winograd, "_CHUNK", 1)
        for name in ("_LEAST", "_LEAST_BY_WEIGHT"):
            monkeypatch.setattr(winograd, name, 2)
    if request.param == "threads":
        monkeypatch.setattr(native, "threads", lambda numbers: 3)


@pytest.mark.usefixtures("parts")
@pytest.mark.parametrize("m", [2, 4])
@pytest.mark.parametrize("size", SIZES)
def test_gradients(m, size):
    inputs = [made(3, 5, *size), made(6, 5, 3, 3, seed=1), made(6, seed=2)]
    head = made(3, 6, *size, seed=3)
    ours = [t.clone().requires_grad_() for t in inputs]
    theirs = [t.double().requires_grad_() for t in inputs]
    result = winograd.Winograd.apply(last(ours[0]), *ours[1:], m)
    expected = torch.conv2d(*theirs, padding=1)
    close(result.detach(), expected.detach())
    grads = torch.autograd.grad(result, ours, head), torch.autograd.grad(expected, theirs, head.double())
    for mine, right in zip(*grads, strict=True):
        close(mine, right)
    assert grads[0][1].is_contiguous()


@pytest.mark.usefixtures("parts")
@pytest.mark.parametrize("order", ["plain", "last", "swapped", "every_other"])
def test_memory_of_the_weight(order):
    weight = made(6, 20, 3, 3, seed=1)
    if order == "last":
        weight = last(weight)
    elif order == "swapped":
        weight = weight.transpose(2, 3).contiguous().transpose(2, 3)
    elif order == "every_other":
        weight = torch.stack([weight, weight], -1).flatten(-2)[..., ::2]
    ours = [last(made(2, 20, 7, 7)).requires_grad_(), weight.detach().requires_grad_()]
    assert ours[1].stride() == weight.stride()
    theirs = [t.detach().double().requires_grad_() for t in ours]
    result, expected = winograd.Winograd.apply(*ours, None, 4), torch.conv2d(*theirs, padding=1)
    close(result.detach(), expected.detach())
    for mine, right in zip(
        torch.autograd.grad(result.sum(), ours), torch.autograd.grad(expected.sum(), theirs), strict=True
    ):
        close(mine, right)


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


@pytest.fixture
def fast_products(monkeypatch):
    monkeypatch.setattr(winograd, "_product_cost", lambda: 1.4)


def test_chosen_where_it_pays(fast_products):
    assert winograd._fastest(8, 256, 256, 14, 14, True) == 4
    assert winograd._fastest(8, 128, 128, 28, 28, False) == 4
    assert winograd._fastest(16, 3, 64, 112, 112, True) == 0
    assert winograd._fastest(1, 512, 512, 7, 7, True) == 0
    assert winograd._fastest(1, 16, 16, 4, 4, True) == 0
    assert winograd._fastest(0, 256, 256, 14, 14, True) == 0
    assert winograd._fastest(8, 64, 64, 56, 56, True) == 4
    assert winograd._fastest(16, 512, 512, 7, 7, False) == 4


def test_rarely_chosen_where_products_leave_avx512_unused(monkeypatch):
    monkeypatch.setattr(winograd, "_product_cost", lambda: 2.7)
    assert winograd._fastest(8, 256, 256, 7, 7, True) == 0
    assert winograd._fastest(1, 384, 256, 13, 13, True) == 0
    assert winograd._fastest(1, 64, 64, 28, 28, True) == 4


def test_a_large_weight_is_not_kept_four_times(fast_products):
    assert winograd._fastest(8, 512, 512, 7, 7, True) == 2
    assert winograd._fastest(32, 512, 512, 7, 7, True) == 4


def test_geometry_that_it_is_for():
    assert winograd.tile_size(8, 64, 64, 28, 28, *GEOMETRY, True) == 4
    for other in (((2, 2), (1, 1), (1, 1)), ((1, 1), (0, 0), (1, 1)), ((1, 1), (1, 1), (2, 2))):
        assert winograd.tile_size(8, 64, 64, 28, 28, *other, True) == 0


def test_without_kernels_convolutions_are_torchs(monkeypatch):
    monkeypatch.setattr(native, "library", lambda: None)
    assert winograd.tile_size.__wrapped__(8, 256, 256, 14, 14, *GEOMETRY, True) == 0


@pytest.fixture
def always(monkeypatch):
    """Every 3x3 convolution that can go this way does."""

    def size(batch, channels, filters, height, width, stride, pad, dilate, prepared):
        return 4 if batch and (stride, pad, dilate) == GEOMETRY else 0

    monkeypatch.setattr(convolution, "tile_size", size)
    monkeypatch.setattr(convolutions, "tile_size", size)


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
@pytest.mark.skipif(not convolutions.is_available(), reason="this torch has no fused oneDNN convolutions")
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
