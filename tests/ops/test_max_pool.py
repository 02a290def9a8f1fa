"""Max pooling with windows side by side, by kernels of our own: torch's results, gradients and gradients of them."""

import pytest
import torch

import mxnet as mx
from mxnet import native
from mxnet.ops.nn import pooling

needs_kernels = pytest.mark.skipif(native.library() is None, reason="built without a C compiler")


@pytest.fixture(autouse=True)
def small_images_too(monkeypatch):
    monkeypatch.setattr(pooling, "_LARGE", 0)


def images(*shape):
    made = torch.randn(shape, generator=torch.Generator().manual_seed(0))
    return made.contiguous(memory_format=torch.channels_last).requires_grad_()


def pooled(data, kernel, **attrs):
    return mx.ops.registry.get("Pooling").kernel(data, kernel=kernel, stride=kernel, pool_type="max", **attrs)


@needs_kernels
@pytest.mark.parametrize("kernel", [(2, 2), (3, 2), (1, 4), (5, 5), (16, 16)], ids=str)
@pytest.mark.parametrize("shape", [(2, 16, 16, 16), (3, 20, 17, 19), (1, 31, 24, 18), (2, 130, 16, 23)], ids=str)
def test_results_and_gradients(shape, kernel):
    data = images(*shape)
    ours, expected = pooled(data, kernel), torch.max_pool2d(data, kernel, kernel)
    assert type(ours.grad_fn).__name__ == "_MaxPoolApartBackward"
    assert torch.equal(ours, expected)
    grad = torch.randn(expected.shape)
    first, second = (torch.autograd.grad(out, data, grad)[0] for out in (ours, expected))
    assert torch.equal(first, second)


@needs_kernels
def test_equal_numbers_and_nan():
    data = torch.ones(2, 18, 4, 4)
    data[0, 3, 1, 0] = data[1, 17, 0, 1] = data[1, 17, 1, 1] = float("nan")
    data = data.contiguous(memory_format=torch.channels_last).requires_grad_()
    ours, expected = pooled(data, (2, 2)), torch.max_pool2d(data, 2, 2)
    assert torch.equal(ours.isnan(), expected.isnan()) and int(ours.isnan().sum()) == 2
    first, second = (torch.autograd.grad(out, data, torch.ones_like(out))[0] for out in (ours, expected))
    assert torch.equal(first, second)


@needs_kernels
@pytest.mark.parametrize("size", [(4, 4), (5, 7)])
def test_gradients_of_gradients(size):
    data = images(2, 16, *size)
    second = []
    for out in (pooled(data, (2, 2)), torch.max_pool2d(data, 2, 2)):
        (grad,) = torch.autograd.grad((out**3).sum(), data, create_graph=True)
        second.append((grad, torch.autograd.grad((grad**2).sum(), data)[0]))
    for ours, expected in zip(*second, strict=True):
        torch.testing.assert_close(ours, expected)


@pytest.mark.parametrize(
    "data, attrs",
    [
        (images(2, 15, 8, 8), {}),
        (images(2, 16, 8, 8).double(), {}),
        (images(2, 16, 8, 8), {"pad": (1, 1)}),
        (images(2, 16, 9, 9), {"pooling_convention": "full"}),
    ],
    ids="few-channels double padded partial".split(),
)
def test_what_is_left_to_torch(data, attrs):
    data = data.detach().requires_grad_()
    out = pooled(data, (2, 2), **attrs)
    expected = torch.max_pool2d(data, 2, 2, attrs.get("pad", 0), ceil_mode="pooling_convention" in attrs)
    assert "Apart" not in type(out.grad_fn).__name__
    assert torch.equal(out, expected)
    first, second = (torch.autograd.grad(o, data, torch.ones_like(o))[0] for o in (out, expected))
    assert torch.equal(first, second)
