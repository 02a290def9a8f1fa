"""Gradients of layer, group and instance norm over many numbers, against float64."""

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, native, nd
from mxnet.ops.nn import normalization

CASES = [
    ("LayerNorm", (100_000, 64)),
    ("LayerNorm", (3, 20_000)),
    ("LayerNorm", (200_000, 5)),
    ("LayerNorm", (64, 3, 1000)),
]
CASES += [("InstanceNorm", (4, 8, 100_000)), ("InstanceNorm", (5000, 4, 7, 8)), ("GroupNorm", (4, 8, 50_000))]


def _gradients(name, shape, dtype):
    channels = shape[-1] if name == "LayerNorm" else shape[1]
    rng = np.random.default_rng(7)
    arrays = rng.normal(1, 3, shape), rng.normal(size=channels), rng.normal(size=channels)
    inputs = [nd.array(a.astype("float32"), dtype=dtype) for a in arrays]
    head = nd.array((rng.normal(size=shape) + 0.3).astype("float32"), dtype=dtype)
    for array in inputs:
        array.attach_grad()
    with autograd.record():
        out = getattr(nd, name)(*inputs, **({"num_groups": channels} if name == "GroupNorm" else {}))
    out.backward(head)
    return [out.asnumpy(), *(array.grad.asnumpy() for array in inputs)]


@pytest.mark.parametrize("name, shape", CASES)
def test_long_sums_are_exact(name, shape):
    for found, truth in zip(_gradients(name, shape, "float32"), _gradients(name, shape, "float64"), strict=True):
        largest = np.abs(truth).max()
        assert np.abs(found - truth).max() < 5e-6 * largest
        off = np.abs(found - truth) / np.maximum(np.abs(truth), 0.01 * largest)
        if truth.ndim == 1:
            assert off.max() < 3e-5


@pytest.mark.parametrize("name, shape", [("LayerNorm", (512, 300)), ("InstanceNorm", (8, 4, 5000))])
def test_gradients_that_are_not_wanted_and_second_ones(name, shape):
    channels = shape[-1] if name == "LayerNorm" else shape[1]
    data = nd.array(np.random.default_rng(1).normal(size=shape))
    gamma, beta = nd.ones(channels), nd.zeros(channels)
    gamma.attach_grad()
    with autograd.record():
        out = getattr(nd, name)(data, gamma, beta)
    out.backward(out)
    axes = tuple(i for i, n in enumerate(shape) if i != (len(shape) - 1 if name == "LayerNorm" else 1))
    np.testing.assert_allclose(gamma.grad.asnumpy(), (out.asnumpy().astype("float64") ** 2).sum(axes), rtol=1e-5)
    small = {}
    for dtype in ("float32", "float64"):
        x, g = nd.array(data, dtype=dtype), nd.array(gamma, dtype=dtype)
        x.attach_grad()
        with autograd.record():
            y = getattr(nd, name)(x, g, beta.astype(dtype)) ** 3
            first = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
            loss = (first * nd.array(data * data, dtype=dtype)).sum()
        loss.backward()
        small[dtype] = x.grad.asnumpy()
    scale = np.abs(small["float64"]).max()
    np.testing.assert_allclose(small["float32"], small["float64"], atol=1e-4 * scale)


def test_hybridized_and_eager_give_the_same():
    net = mx.gluon.nn.LayerNorm(in_channels=300)
    net.initialize()
    data = nd.array(np.random.default_rng(1).normal(size=(512, 300)))
    found = []
    for hybridize in (False, True):
        net.hybridize(hybridize)
        with autograd.record():
            loss = (net(data) ** 3).sum()
        loss.backward()
        found.append(net.gamma.grad().asnumpy())
    assert np.array_equal(*found)


needs_kernels = pytest.mark.skipif(native.library() is None, reason="there are no kernels here")


def _of_images(shape, dtype, last, change=lambda images: None):
    """Result, order in memory and gradients of InstanceNorm; images with their channels last or not."""
    generator = torch.Generator().manual_seed(5)
    images = torch.randn(shape, generator=generator) * 3 + 1
    head = torch.randn(shape, generator=generator).to(dtype)
    gamma, beta = torch.randn(2, shape[1], generator=generator).to(dtype).unbind()
    change(images)
    images = images.to(dtype).contiguous(memory_format=torch.channels_last if last else torch.contiguous_format)
    inputs = [t.detach().requires_grad_() for t in (images, gamma, beta)]
    out = normalization.instance_norm.kernel(*inputs, eps=1e-3)
    return [out.detach(), *torch.autograd.grad(out, inputs, head)]


@needs_kernels
@pytest.mark.parametrize("shape", [(1, 64, 33, 20), (3, 5, 64, 64), (2, 300, 2, 3), (4, 2, 1, 2), (2, 1, 5, 5)])
def test_images_with_channels_last_stay_so_and_are_exact(threads, shape):
    ours, truth = _of_images(shape, torch.float32, True), _of_images(shape, torch.float64, False)
    for found, expected in zip(ours, truth, strict=True):
        assert (found.double() - expected).abs().max() < 2e-5 * expected.abs().max().clamp(min=1)
    if shape[1] > 1:
        assert ours[0].is_contiguous(memory_format=torch.channels_last)
        assert ours[1].is_contiguous(memory_format=torch.channels_last)


@needs_kernels
@pytest.mark.parametrize("value", [torch.inf, torch.nan, 3e38, 1e-30])
def test_images_with_extreme_numbers(threads, value):
    def change(images):
        images[1, 2] = images[1, 2] * 0.01 if abs(value) < 1 else images[1, 2]
        images[1, 2, 3, 4] = value

    ours, plain = (_of_images((2, 4, 8, 9), torch.float32, last, change) for last in (True, False))
    for found, expected in zip(ours, plain, strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4, equal_nan=True, check_stride=False)


@needs_kernels
def test_images_without_gradients_and_second_ones():
    images = torch.randn(2, 6, 9, 9).contiguous(memory_format=torch.channels_last)
    gamma, beta = torch.rand(6) + 0.5, torch.rand(6)
    expected = torch.nn.functional.instance_norm(images, weight=gamma, bias=beta, eps=1e-3)
    torch.testing.assert_close(normalization.instance_norm.kernel(images, gamma, beta), expected)
    gamma.requires_grad_()
    (found,) = torch.autograd.grad((normalization.instance_norm.kernel(images, gamma, beta) ** 2).sum(), gamma)
    torch.testing.assert_close(
        found,
        (2 * expected * (expected - beta.view(6, 1, 1)) / gamma.view(6, 1, 1)).sum((0, 2, 3)),
        rtol=1e-4,
        atol=1e-3,
    )
    second = []
    for last in (True, False):
        x = (images if last else images.contiguous()).double().float().detach().requires_grad_()
        assert x.is_contiguous() is not last
        (first,) = torch.autograd.grad(
            (normalization.instance_norm.kernel(x, gamma, beta) ** 3).sum(), x, create_graph=True
        )
        second.append(torch.autograd.grad((first * images).sum(), x)[0])
    torch.testing.assert_close(*second, rtol=1e-3, atol=1e-3 * second[1].abs().max().item(), check_stride=False)
