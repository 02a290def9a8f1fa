"""Convolutions as products of matrices: the same numbers as in float64, with all gradients."""

import random

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.ops import get
from mxnet.ops.nn import convolution, im2col


@pytest.fixture
def parts(monkeypatch):
    """All convolutions without groups are products, or only what transposes; counts the products."""
    calls = []

    def choose(few_pixels):
        monkeypatch.setattr(convolution, "has_few_pixels", lambda pixels, *_: few_pixels and pixels > 0)
        monkeypatch.setattr(convolution, "has_few_channels", lambda pixels, *_: pixels > 0)
        monkeypatch.setattr(convolution, "tile_size", lambda *_: 0)

    for name in ("_convolve", "_transpose", "_by_weight"):
        original = getattr(im2col, name)
        monkeypatch.setattr(im2col, name, lambda *a, name=name, call=original: calls.append(name) or call(*a))
    choose.calls = calls
    return choose


def draw(rng, transposed):
    dims = 2 if not transposed else rng.choice([1, 2, 2, 3])
    kernel, stride, dilate, pad = (
        tuple(rng.randint(low, high) for _ in range(dims)) for low, high in ((1, 4), (1, 3), (1, 2), (0, 3))
    )
    channels, filters, batch = rng.randint(1, 33), rng.randint(1, 33), rng.randint(1, 3)
    sizes = tuple(rng.randint(1, 8) for _ in range(dims))
    attrs = dict(kernel=kernel, stride=stride, dilate=dilate, pad=pad, num_filter=filters, no_bias=rng.random() < 0.5)
    weight = (filters, channels, *kernel)
    if transposed:
        attrs["adj"] = tuple(rng.randrange(s) for s in stride)
        weight = (channels, filters, *kernel)
    inputs = [(batch, channels, *sizes), weight] + ([] if attrs["no_bias"] else [(filters,)])
    return inputs, attrs


@pytest.mark.parametrize("few_pixels", [True, False])
@pytest.mark.parametrize("name", ["Convolution", "Deconvolution"])
def test_random_windows(parts, name, few_pixels):
    parts(few_pixels)
    rng, kernel = random.Random(name), get(name).kernel
    torch.manual_seed(3)
    done = 0
    while done < 120:
        shapes, attrs = draw(rng, name == "Deconvolution")
        wide = [torch.randn(s, dtype=torch.float64, requires_grad=True) for s in shapes]
        try:
            exact = kernel(*wide, **attrs)
        except ValueError:  # a kernel larger than the data, nothing left of it
            continue
        done += 1
        inputs = [t.detach().float() for t in wide]
        if rng.random() < 0.5 and inputs[0].dim() == 4:
            inputs[0] = inputs[0].contiguous(memory_format=torch.channels_last)
        inputs = [t.requires_grad_() for t in inputs]
        given = kernel(*inputs, **attrs)
        head = torch.randn_like(exact)
        if rng.random() < 0.5 and head.dim() == 4:
            head = head.contiguous(memory_format=torch.channels_last)
        expected = [exact, *torch.autograd.grad(exact, wide, head)]
        for a, b in zip([given, *torch.autograd.grad(given, inputs, head.float())], expected, strict=True):
            assert a.shape == b.shape, (shapes, attrs)
            assert (a - b).abs().max() <= 1e-5 * max(1, b.abs().max()), (shapes, attrs)
    wanted = {"_convolve", "_transpose", "_by_weight"} if few_pixels else {"_transpose"}
    assert set(parts.calls) == wanted and len(parts.calls) >= 50


@pytest.mark.parametrize("name", ["Convolution", "Deconvolution"])
def test_gradients_of_gradients(parts, name):
    parts(True)
    attrs = dict(kernel=(3, 2), stride=(2, 1), pad=(1, 0), num_filter=5, no_bias=False)
    shapes = (2, 4, 5, 6), (5, 4, 3, 2) if name == "Convolution" else (4, 5, 3, 2), (5,)

    def derivatives(tensors):
        first = torch.autograd.grad(get(name).kernel(*tensors, **attrs).tanh().sum(), tensors, create_graph=True)
        return [*first, *torch.autograd.grad(sum((g**2).sum() for g in first), tensors)]

    wide = [torch.randn(s, dtype=torch.float64, requires_grad=True) for s in shapes]
    narrow = [t.detach().float().requires_grad_() for t in wide]
    for a, b in zip(derivatives(narrow), derivatives(wide), strict=True):
        assert (a - b).abs().max() <= 1e-4 * max(1, b.abs().max())
    assert parts.calls


def test_only_wanted_gradients(parts):
    """A part that nobody wants is not computed."""
    parts(True)
    data, weight = mx.nd.ones((1, 3, 4, 4)), mx.nd.ones((2, 3, 3, 3))
    weight.attach_grad()
    with mx.autograd.record():
        out = mx.nd.Convolution(data, weight, kernel=(3, 3), num_filter=2, no_bias=True)
    out.backward()
    assert parts.calls == ["_convolve", "_by_weight"]
    assert (weight.grad.asnumpy() == 4).all()


def test_choices():
    """Large weights and few pixels; few channels and many pixels; nothing where nothing is computed."""
    assert im2col.has_few_pixels(16, (512, 256, 4, 4), False) and im2col.has_few_pixels(1, (100, 512, 4, 4), True)
    assert not im2col.has_few_pixels(4096, (512, 256, 4, 4), False)
    assert not im2col.has_few_pixels(0, (512, 256, 4, 4), True)
    assert im2col.has_few_channels(16384, (64, 3, 4, 4)) and not im2col.has_few_channels(16384, (64, 32, 4, 4))


@pytest.mark.parametrize(
    ("name", "data", "weight", "filters", "stride", "pad"),
    [
        ("Deconvolution", (16, 512, 4, 4), (512, 256, 4, 4), 256, 2, 1),
        ("Deconvolution", (2, 100, 1, 1), (100, 512, 4, 4), 512, 1, 0),
        ("Deconvolution", (4, 64, 32, 32), (64, 3, 4, 4), 3, 2, 1),
        ("Convolution", (16, 256, 8, 8), (512, 256, 4, 4), 512, 2, 1),
        ("Convolution", (4, 3, 64, 64), (64, 3, 4, 4), 64, 2, 1),
    ],
)
def test_layers_of_gans(name, data, weight, filters, stride, pad):
    """Real sizes, as the rules choose, against float64."""
    torch.manual_seed(5)
    wide = [torch.randn(s, dtype=torch.float64, requires_grad=True) for s in (data, weight)]
    narrow = [t.detach().float().requires_grad_() for t in wide]
    attrs = dict(kernel=weight[2:], stride=(stride,) * 2, pad=(pad,) * 2, num_filter=filters, no_bias=True)
    found, exact = get(name).kernel(*narrow, **attrs), get(name).kernel(*wide, **attrs)
    assert type(found.grad_fn).__name__ == "ConvolveBackward"
    head = torch.randn_like(exact)
    pairs = zip(torch.autograd.grad(found, narrow, head.float()), torch.autograd.grad(exact, wide, head), strict=True)
    for a, b in [(found, exact), *pairs]:
        assert (a - b).abs().max() <= 2e-5 * b.abs().max()


@pytest.mark.parametrize(
    ("layer", "data"),
    [
        (lambda: mx.gluon.nn.Conv2D(512, 3, padding=1, in_channels=512), (1, 512, 4, 4)),
        (lambda: mx.gluon.nn.Conv2D(512, 4, strides=2, padding=1, in_channels=256), (1, 256, 4, 4)),
        (lambda: mx.gluon.nn.Conv2DTranspose(256, 4, strides=2, padding=1, in_channels=512), (1, 512, 4, 4)),
    ],
)
def test_results_may_be_overwritten(layer, data, monkeypatch):
    """A hybridized relu overwrites the convolution that it follows, in training as well."""
    found, calls = [], []
    no_view = im2col.no_view
    monkeypatch.setattr(im2col, "no_view", lambda result: calls.append(1) or no_view(result))
    for hybridize in (False, True):
        mx.random.seed(1)
        net = mx.gluon.nn.HybridSequential()
        net.add(layer(), mx.gluon.nn.Activation("relu"))
        net.initialize(mx.init.Normal(0.1))
        if hybridize:
            net.hybridize()
        x = mx.nd.random.normal(shape=data)
        x.attach_grad()
        with mx.autograd.record():
            out = net(x)
        assert calls
        out.backward()
        found.append((out.asnumpy(), x.grad.asnumpy(), net[0].weight.grad().asnumpy()))
    for eager, hybrid in zip(*found, strict=True):
        np.testing.assert_allclose(hybrid, eager, rtol=1e-4, atol=1e-4)
