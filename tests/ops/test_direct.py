"""Convolutions and pooling of images for prediction by kernels of our own, beside PyTorch's in float64."""

import itertools

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.ops.nn import direct
from mxnet.ops.nn.layout import window_counts

needs_kernels = pytest.mark.skipif(not direct.is_available(), reason="needs a C compiler, and AVX2")
NAN, INF = float("nan"), float("inf")


def random(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def last(tensor):
    return tensor.contiguous(memory_format=torch.channels_last)


def within_more_channels(tensor):
    """The same images as the first channels of wider ones, as concatenations that grow have them."""
    more = torch.full((tensor.shape[0], tensor.shape[1] + 5, *tensor.shape[2:]), NAN)
    more = more.contiguous(memory_format=torch.channels_last)
    more[:, : tensor.shape[1]] = tensor
    return more[:, : tensor.shape[1]]


def columns_first(tensor):
    return tensor.transpose(2, 3).contiguous().transpose(2, 3)


def kernel_of(data, weight, window, groups=1, name="none", numbers=(), adds=False):
    out = window_counts(data.shape[2:], weight.shape[2:], *(window[i] for i in (0, 1, 2)))
    return direct.convolution(data.shape, data.stride(), weight.shape, out, window, groups, name, numbers, adds)


def expected_of(data, weight, bias, window, groups=1):
    stride, pad, dilate = window
    bias = None if bias is None else bias.double()
    return torch.conv2d(data.double(), weight.double(), bias, stride, pad, dilate, groups)


def close(found, expected, terms):
    assert found.shape == expected.shape and found.dtype is torch.float32
    assert found.is_contiguous(memory_format=torch.channels_last)
    torch.testing.assert_close(found.double(), expected, rtol=1e-6, atol=1e-6 * terms)


WINDOWS = [((1, 1), (0, 0), (1, 1)), ((2, 1), (1, 2), (1, 1)), ((1, 3), (2, 0), (2, 2)), ((3, 2), (0, 3), (1, 3))]


@needs_kernels
@pytest.mark.parametrize("window", WINDOWS, ids=str)
@pytest.mark.parametrize("layout", [last, within_more_channels])
@pytest.mark.parametrize("kernel", [(1, 1), (3, 3), (2, 5)], ids=str)
def test_convolutions(kernel, layout, window):
    for sizes in ((1, 5, 6), (2, 16, 16), (1, 7, 17), (3, 8, 32), (1, 6, 33), (2, 5, 70), (1, 9, 1)):
        batch, channels, filters = sizes
        data, weight, bias = (
            random(batch, channels, 13, 15),
            random(filters, channels, *kernel, seed=1),
            random(filters),
        )
        for given in (None, bias):
            images = layout(data)
            found = kernel_of(images, weight, window)(images, direct.packed(weight, 1), given)
            close(found, expected_of(data, weight, given, window), weight[0].numel())


@needs_kernels
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize(
    "layout", [last, torch.Tensor.contiguous, lambda t: t.transpose(2, 3).contiguous().transpose(2, 3)]
)
def test_few_channels_in_any_layout(layout, channels):
    data, weight = random(2, channels, 11, 9), random(20, channels, 3, 4, seed=1)
    for window in WINDOWS:
        images = layout(data)
        found = kernel_of(images, weight, window)(images, direct.packed(weight, 1), None)
        close(found, expected_of(data, weight, None, window), weight[0].numel())


@needs_kernels
@pytest.mark.parametrize("size", [*itertools.product([1, 2, 3, 5, 12, 13], [1, 2, 4, 25])], ids=str)
def test_numbers_of_pixels(size):
    """All sizes of blocks of pixels, and images of one line or column."""
    data, weight, window = last(random(2, 6, *size)), random(40, 6, 3, 3, seed=1), ((1, 1), (1, 1), (1, 1))
    found = kernel_of(data, weight, window)(data, direct.packed(weight, 1))
    close(found, expected_of(data, weight, None, window), 54)


ACTIVATIONS = {
    "none": ((), lambda x: x),
    "relu": ((), torch.relu),
    "leaky_relu": ((0.2,), lambda x: torch.nn.functional.leaky_relu(x, 0.2)),
    "hardtanh": ((-0.5, 0.75), lambda x: x.clamp(-0.5, 0.75)),
}


@needs_kernels
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_of_all_numbers(name):
    numbers, activation = ACTIVATIONS[name]
    values = [NAN, INF, -INF, 3.0, -3.0, 0.6, -0.3, 0.0, -0.0, 1e30, -1e30, 1e-40]
    data, window = last(torch.tensor(values).view(1, 1, 3, 4).repeat(1, 16, 1, 1)), WINDOWS[0]
    kernel = torch.ones(16, 1, 1, 1)
    deep = kernel_of(data, kernel, window, 16, name, numbers)(data, direct.packed(kernel, 16))
    assert torch.equal(deep.nan_to_num(7, 8, 9), activation(data).nan_to_num(7, 8, 9))
    one = last(data[:, :1])
    for filters in (16, 35):
        kernel = torch.ones(filters, 1, 1, 1)
        found = kernel_of(one, kernel, window, 1, name, numbers)(one, direct.packed(kernel, 1))
        assert torch.equal(found.nan_to_num(7, 8, 9), activation(one).expand(1, filters, 3, 4).nan_to_num(7, 8, 9))


@needs_kernels
@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("filters", [16, 37])
def test_sums(filters, overwrite):
    data, weight, window = last(random(2, 8, 7, 7)), random(filters, 8, 3, 3, seed=1), ((1, 1), (1, 1), (1, 1))
    other = last(random(2, filters, 7, 7, seed=2))
    expected = torch.relu(expected_of(data, weight, None, window) + other)
    kernel = kernel_of(data, weight, window, 1, "relu", (), True)
    found = kernel(data, direct.packed(weight, 1), None, other, overwrite)
    close(found, expected, 72)
    assert (found.data_ptr() == other.data_ptr()) is overwrite


@needs_kernels
@pytest.mark.parametrize("window", [*WINDOWS, ((1, 1), (2, 2), (1, 1)), ((2, 2), (1, 1), (1, 1))], ids=str)
@pytest.mark.parametrize("channels", [16, 17, 40])
def test_depthwise(channels, window):
    for size, kernel in [((13, 15), (3, 3)), ((30, 41), (5, 2)), ((7, 7), (3, 3))]:
        data, weight, bias = last(random(2, channels, *size)), random(channels, 1, *kernel, seed=1), random(channels)
        found = kernel_of(data, weight, window, channels)(data, direct.packed(weight, channels), bias)
        close(found, expected_of(data, weight, bias, window, channels), weight[0].numel())


@needs_kernels
def test_two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        data, weight, window = last(random(3, 40, 20, 20)), random(48, 40, 3, 3, seed=1), ((1, 1), (1, 1), (1, 1))
        found = kernel_of(data, weight, window)(data, direct.packed(weight, 1))
        close(found, expected_of(data, weight, None, window), 360)
        wide, weight = last(random(2, 64, 60, 60)), random(64, 1, 3, 3, seed=1)
        found = kernel_of(wide, weight, window, 64)(wide, direct.packed(weight, 64))
        close(found, expected_of(wide, weight, None, window, 64), 9)
    finally:
        torch.set_num_threads(before)


@needs_kernels
def test_others_are_left_to_onednn():
    data, weight, window = last(random(1, 8, 9, 9)), random(8, 8, 3, 3), ((1, 1), (1, 1), (1, 1))
    assert kernel_of(data, weight, window) is not None
    assert kernel_of(data.contiguous(), weight, window) is None  # channels first
    assert kernel_of(data, weight[:, :4], window, 2) is None  # groups
    assert kernel_of(data, weight, window, 1, "gelu") is None
    deep = random(8, 1, 3, 3)
    assert kernel_of(data, deep, window, 8) is None  # fewer channels than a vector
    large = torch.empty(64, 64, 56, 56, memory_format=torch.channels_last)
    assert kernel_of(large, random(64, 64, 3, 3), window) is None


POOLINGS = {
    "max": lambda data, *how: torch.nn.functional.max_pool2d(data, *how[:3], ceil_mode=how[3]),
    "average": lambda data, *how: torch.nn.functional.avg_pool2d(data, *how, count_include_pad=False),
    "average with padding": lambda data, *how: torch.nn.functional.avg_pool2d(data, *how, count_include_pad=True),
}


#: Kernel, stride and pad.
HOW = [(2, 2, 0), (3, 2, 1), (3, 1, 1), ((2, 3), (3, 1), (1, 0)), (5, 3, 2), ((9, 11), 1, 0)]


@needs_kernels
@pytest.mark.parametrize("kind", POOLINGS)
@pytest.mark.parametrize(
    "how", [(2, 2, 0), (3, 2, 1), (3, 1, 1), ((2, 3), (3, 1), (1, 0)), (5, 3, 2), ((9, 11), 1, 0)], ids=str
)
def test_pooling(how, kind):
    """The very numbers that PyTorch gives, NaN and infinities too, by the operator."""
    kernel, stride, pad = (n if isinstance(n, tuple) else (n, n) for n in how)
    attrs = {"kernel": kernel, "stride": stride, "pad": pad, "pool_type": kind.split()[0][:3].replace("ave", "avg")}
    pooling = mx.ops.registry.get("Pooling").kernel
    for channels, convention in itertools.product((16, 21), ("valid", "full")):
        data = random(2, channels, 9, 11)
        data[0, 3, 2, 2], data[1, 5, 4, 4], data[0, 15, 0, 0] = NAN, INF, -INF
        data = last(data)
        found = pooling(data, pooling_convention=convention, count_include_pad=kind != "average", **attrs)
        expected = POOLINGS[kind](data, kernel, stride, pad, convention == "full")
        torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-6, equal_nan=True)
        if kind == "max":
            assert torch.equal(found.nan_to_num(7), expected.nan_to_num(7))


@needs_kernels
@pytest.mark.parametrize("size", [(1, 1), (7, 7), (1, 9), (16, 16), (30, 31)], ids=str)
def test_global_averages(size):
    data = last(random(3, 20, *size))
    pooling = mx.ops.registry.get("Pooling").kernel
    found = pooling(data, global_pool=True, pool_type="avg")
    torch.testing.assert_close(found.double(), data.double().mean((2, 3), keepdim=True), rtol=1e-6, atol=1e-6)
    assert pooling(data[:0], global_pool=True, pool_type="avg").shape == (0, 20, 1, 1)


@needs_kernels
def test_pooling_of_wider_images_and_gradients():
    data = within_more_channels(random(2, 18, 8, 8))
    pooling = mx.ops.registry.get("Pooling").kernel
    expected = torch.max_pool2d(data, 2, 2)
    assert torch.equal(pooling(data, kernel=(2, 2), stride=(2, 2)), expected)
    data = data.clone().requires_grad_()
    pooling(data, kernel=(2, 2), stride=(2, 2)).sum().backward()
    assert data.grad.sum() == expected.numel()


@needs_kernels
@pytest.mark.parametrize("depthwise", [False, True])
def test_programs_use_them(monkeypatch, depthwise):
    """A convolution, batch norm and relu, for images of two shapes, before and after a change of the weight."""
    calls, call = [], direct.Kernel.__call__
    monkeypatch.setattr(direct.Kernel, "__call__", lambda *given: calls.append(1) or call(*given))
    net = mx.gluon.nn.HybridSequential()
    groups = 24 if depthwise else 1
    net.add(mx.gluon.nn.Conv2D(24, 3, strides=2, padding=1, groups=groups, in_channels=24))
    net.add(mx.gluon.nn.BatchNorm(), mx.gluon.nn.Activation("relu"))
    net.initialize(mx.init.Normal(0.3))
    eager = [net(mx.nd.random.normal(shape=shape)) for shape in ((1, 24, 9, 9), (2, 24, 8, 7))]
    assert not calls and eager
    net.hybridize()
    for shape in ((1, 24, 9, 9), (1, 24, 9, 9), (2, 24, 8, 7)):
        data = mx.nd.random.normal(shape=shape)
        before = len(calls)
        found = net(data).asnumpy()
        assert len(calls) == before + 1
        net.hybridize(False)
        np.testing.assert_allclose(found, net(data).asnumpy(), rtol=1e-4, atol=1e-5)
        net.hybridize()
    first = net(data).asnumpy()
    net[0].weight.set_data(net[0].weight.data() * 2)
    assert not np.allclose(net(data).asnumpy(), first)
    net[0].weight.set_data(net[0].weight.data() / 2)
    np.testing.assert_array_equal(net(data).asnumpy(), first)


@needs_kernels
def test_nan_stays_nan():
    data = mx.sym.var("data")
    net = mx.sym.relu(mx.sym.Convolution(data, kernel=(3, 3), num_filter=4, name="conv"))
    executor = net.simple_bind(mx.cpu(), data=(1, 3, 5, 5), grad_req="null")
    for array in executor.arg_arrays:
        array[:] = 1
    executor.arg_dict["data"][:] = NAN
    assert np.isnan(executor.forward()[0].asnumpy()).all()
