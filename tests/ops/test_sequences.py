"""Sequences (batch, channels, width) in either order in memory: convolution, pooling and batch norm give the same."""

import itertools
import random

import pytest
import torch

import mxnet as mx
from mxnet.ops import get
from mxnet.ops.nn.layout import is_channels_last_1d


def in_order(tensor, last):
    return tensor.transpose(1, 2).contiguous().transpose(1, 2) if last else tensor.contiguous()


def differences(name, tensors, last, head_last, **attrs):
    """How far float32 is from float64, relative to the largest, for the result and the gradients."""
    wide = [t.double().requires_grad_() for t in tensors]
    narrow = [in_order(t, last) if t.dim() == 3 and not i else t for i, t in enumerate(tensors)]
    narrow = [t.detach().requires_grad_() for t in narrow]
    kernel = get(name).kernel
    exact, given = kernel(*wide, **attrs), kernel(*narrow, **attrs)
    head = torch.randn_like(exact)
    pairs = [(given, exact)]
    gradients = torch.autograd.grad(given, narrow, in_order(head.float(), head_last))
    pairs += zip(gradients, torch.autograd.grad(exact, wide, head), strict=True)
    assert all(a.shape == b.shape for a, b in pairs)
    return [float((a.detach() - b.detach()).abs().max() / b.detach().abs().max().clamp(min=1)) for a, b in pairs]


def test_random_convolutions():
    rng, done = random.Random(1), 0
    torch.manual_seed(1)
    while done < 200:
        groups = rng.choice([1, 1, 2, 4])
        channels, filters = groups * rng.randint(1, 24), groups * rng.randint(1, 24)
        if rng.random() < 0.2:
            groups, filters = channels, channels * rng.randint(1, 2)
        kernel, stride, dilate, pad = rng.randint(1, 7), rng.randint(1, 3), rng.randint(1, 4), rng.randint(0, 3)
        width = rng.randint(1, 40)
        if dilate * (kernel - 1) + 1 > width + 2 * pad:
            continue
        done += 1
        attrs = dict(kernel=(kernel,), stride=(stride,), dilate=(dilate,), pad=(pad,))
        attrs |= dict(num_filter=filters, num_group=groups, no_bias=rng.random() < 0.5)
        shapes = [(rng.randint(1, 4), channels, width), (filters, channels // groups, kernel)]
        shapes += [] if attrs["no_bias"] else [(filters,)]
        last = rng.random() < 0.5, rng.random() < 0.5
        assert max(differences("Convolution", [torch.randn(s) for s in shapes], *last, **attrs)) < 2e-5, (shapes, attrs)


@pytest.mark.parametrize("pool_type", ["max", "avg", "sum", "lp"])
def test_pooling(pool_type):
    torch.manual_seed(2)
    data = torch.rand(3, 9, 11) + 0.1
    for convention, last, pad in itertools.product(("valid", "full", "same"), (True, False), (0, 1)):
        attrs = dict(kernel=(3,), stride=(2,), pooling_convention=convention, pool_type=pool_type, p_value=2)
        if convention != "same":
            attrs["pad"] = (pad,)
        for include in (True, False):
            assert max(differences("Pooling", [data], last, not last, count_include_pad=include, **attrs)) < 1e-6
    for last in (True, False):
        attrs = dict(global_pool=True, pool_type=pool_type, p_value=2)
        assert max(differences("Pooling", [data], last, last, **attrs)) < 1e-6


@pytest.mark.parametrize("training", [True, False])
def test_batch_norm(training):
    results = []
    for last in (True, False):
        data = in_order(torch.linspace(-2, 3, 4 * 8 * 10).view(4, 8, 10).sin(), last)
        assert is_channels_last_1d(data) is last
        array, others = mx.nd.NDArray(data), [mx.nd.ones(8) * factor for factor in (2, 3, 0.5, 4)]
        array.attach_grad()
        with mx.autograd.record(train_mode=training):
            out = mx.nd.relu(mx.nd.BatchNorm(array, *others, axis=1, fix_gamma=False))
        out.backward(mx.nd.array(torch.linspace(0, 1, 320).view(4, 8, 10).cos().numpy()))
        results.append((out.asnumpy(), array.grad.asnumpy()))
    for a, b in zip(*results, strict=True):
        assert a.shape == b.shape and abs(a - b).max() < 1e-5


def test_sequences_stay_in_order_through_a_network():
    """One conversion at the first convolution; relu may overwrite the result; prediction is the same."""
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Conv1D(12, 3, activation="relu"), mx.gluon.nn.Conv1D(10, 1), mx.gluon.nn.BatchNorm())
    net.add(mx.gluon.nn.Activation("relu"), mx.gluon.nn.MaxPool1D(2), mx.gluon.nn.Conv1D(9, 3, padding=2, dilation=2))
    net.initialize(mx.init.Normal(0.5))
    data = mx.nd.random.normal(shape=(2, 8, 20))
    eager = net(data)
    assert is_channels_last_1d(eager._data)
    gradients = []
    for hybrid in (False, True):
        net.hybridize(hybrid)
        with mx.autograd.record():
            loss = (net(data) ** 2).sum()
        loss.backward()
        gradients.append([p.grad().asnumpy() for p in net.collect_params().values() if p.grad_req != "null"])
        assert abs(net(data) - net(data)).max().asscalar() == 0
    for a, b in zip(*gradients, strict=True):
        assert abs(a - b).max() <= 1e-4 * max(1, abs(b).max())
