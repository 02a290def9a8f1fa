"""Kernels in single precision against double precision: shapes, memory orders, numbers of threads, extreme values.

docs/developer/accuracy.md has the bounds. ``make accuracy COUNT=300`` tries more.
"""

import os
import re

import numpy as np
import pytest
import torch
from paths import ROOT

import mxnet as mx
from mxnet import autograd, gluon, nd

COUNT = int(os.environ.get("MXNET_TEST_ACCURACY", "3"))
EPSILON = 2.0**-23


def bounds():
    """The table of the page: by kind, how many EPSILON results and gradients may be off."""
    text = (ROOT / "docs" / "developer" / "accuracy.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\| (\d+) \| (\d+) \|", text, re.M)
    return {name: (int(results), int(gradients)) for name, results, gradients in rows}


class Call(gluon.HybridBlock):
    """An operator, or several, as a block."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def hybrid_forward(self, F, x, *others):
        return self.function(F, x, *others)


def convolution(rng):
    groups = int(rng.choice([1, 1, 1, 2]))
    channels, filters = groups * rng.integers(1, 33), groups * rng.integers(1, 33)
    kernel = tuple(int(k) for k in rng.integers(1, 5, 2))
    attrs = {"stride": tuple(map(int, rng.integers(1, 3, 2))), "dilate": tuple(map(int, rng.integers(1, 3, 2)))}
    size = [int(n) + 8 for n in rng.integers(1, 14, 2)]
    if rng.random() < 0.5:  # what Winograd's method may be chosen for
        kernel, groups, attrs = (3, 3), 1, {}
        channels, filters = (int(n) for n in rng.integers(16, 80, 2))
    attrs |= {"kernel": kernel, "num_filter": int(filters), "num_group": groups, "pad": (1, 1)}
    batch = int(rng.integers(1, 4))
    shapes = [(batch, int(channels), *size), (int(filters), int(channels) // groups, *kernel), (int(filters),)]
    return lambda F, x, w, b: F.Convolution(x, w, b, **attrs), shapes


def convolution_relu(rng):
    function, shapes = convolution(rng)
    return lambda F, x, w, b: F.Activation(function(F, x, w, b), act_type="relu"), shapes


def deconvolution(rng):
    channels, filters, kernel = (int(n) for n in rng.integers(1, 20, 3))
    kernel = kernel % 4 + 1
    attrs = {"kernel": (kernel, kernel), "num_filter": filters, "stride": (2, 2), "no_bias": True}
    shapes = [(2, channels, *map(int, rng.integers(1, 9, 2))), (channels, filters, kernel, kernel)]
    return lambda F, x, w: F.Deconvolution(x, w, **attrs), shapes


def dense(rng):
    batch, inputs, outputs = (int(n) for n in rng.integers(1, 200, 3))
    shapes = [(batch, inputs), (outputs, inputs), (outputs,)]
    return lambda F, x, w, b: F.FullyConnected(x, w, b, num_hidden=outputs), shapes


def batch_norm(rng):
    channels = int(rng.integers(1, 40))
    shape = (int(rng.integers(2, 5)), channels, *map(int, rng.integers(2, 12, 2)))
    return lambda F, *arrays: F.BatchNorm(*arrays, fix_gamma=False, eps=1e-3), [shape, *[(channels,)] * 4]


def layer_norm(rng):
    width = int(rng.integers(2, 300))
    shapes = [(*map(int, rng.integers(1, 20, int(rng.integers(1, 3)))), width), (width,), (width,)]
    return lambda F, x, gamma, beta: F.LayerNorm(x, gamma, beta), shapes


def softmax(rng):
    shape = tuple(map(int, rng.integers(1, 60, int(rng.integers(1, 4)))))
    return lambda F, x: F.softmax(x * 5), [shape]


def cross_entropy(rng):
    batch, classes = (int(n) for n in rng.integers(1, 300, 2))
    return lambda F, x: -F.pick(F.log_softmax(x * 5), F.arange(batch) % classes), [(batch, classes)]


def max_pool(rng):
    kernel = int(rng.integers(1, 4))
    attrs = {"kernel": (kernel, kernel), "stride": (2, 2), "pool_type": "max"}
    shape = (2, int(rng.integers(1, 40)), *(int(n) + 3 for n in rng.integers(0, 15, 2)))
    return lambda F, x: F.Pooling(x, **attrs), [shape]


def recurrent(rng):
    mode = str(rng.choice(["lstm", "gru", "rnn_tanh", "rnn_relu"]))
    gates = {"lstm": 4, "gru": 3}.get(mode, 1)
    steps, batch, inputs, size = (int(n) for n in rng.integers(1, 24, 4))
    weights = gates * size * (inputs + size + 2)
    attrs = {"state_size": size, "num_layers": 1, "mode": mode}
    states = [(1, batch, size)] * (2 if mode == "lstm" else 1)
    return lambda F, x, w, *s: F.RNN(x, w / 4, *s, **attrs), [(steps, batch, inputs), (weights,), *states]


KINDS = [
    convolution,
    convolution_relu,
    deconvolution,
    dense,
    batch_norm,
    layer_norm,
    softmax,
    cross_entropy,
    max_pool,
    recurrent,
]


def in_some_order(array, rng):
    """The same numbers, in memory with gaps, turned around or channels last."""
    if array.ndim == 4 and rng.random() < 0.5:
        made = nd.from_numpy(np.ascontiguousarray(array.transpose(0, 2, 3, 1))).transpose((0, 3, 1, 2))
    elif array.ndim >= 2 and rng.random() < 0.5:
        made = nd.from_numpy(np.ascontiguousarray(np.swapaxes(array, 0, 1))).swapaxes(0, 1)
    else:
        wide = np.zeros((2 * array.shape[0], *array.shape[1:]), array.dtype)
        wide[: len(array)] = array
        made = nd.from_numpy(wide)[: len(array)]
    assert np.array_equal(made.asnumpy(), array, equal_nan=True)
    return made


def results(block, arrays, heads, train=True):
    """The result, and the gradients of all arrays."""
    for array in arrays:
        array.attach_grad()
    with autograd.record(train_mode=train):
        out = block(*arrays)
    head = nd.array(heads[: out.size].reshape(out.shape), dtype=out.dtype)
    out.backward(head)
    return [out.asnumpy(), *(array.grad.asnumpy() for array in arrays)]


def error(found, expected, floor=0.0):
    """The largest difference, in EPSILON of the largest number."""
    largest = max(float(np.abs(expected).max(initial=0.0)), floor)
    return float(np.abs(found - expected).max(initial=0.0)) / (largest or 1.0) / EPSILON


@pytest.fixture(params=[1, 2, 4, 8], ids=lambda n: f"{n}threads")
def threads(request):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
def test_bounds(kind, threads):
    allowed = bounds()[kind.__name__]
    for number in range(COUNT):
        rng = np.random.default_rng([number, threads, KINDS.index(kind)])
        function, shapes = kind(rng)
        numbers = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
        heads = rng.standard_normal(1 << 20).astype(np.float32)
        wanted = results(Call(function), [nd.array(n, dtype="float64") for n in numbers], heads)
        # Sums that cancel are no smaller in error than what they are sums of.
        largest = max(float(np.abs(gradient).max(initial=1.0)) for gradient in wanted[1:])
        floors = [1.0] + [largest] * len(numbers)
        for hybrid in (False, True):
            block = Call(function)
            if hybrid:
                block.hybridize(static_alloc=True, static_shape=True)
            found = results(block, [in_some_order(n, rng) for n in numbers], heads)
            for i, (here, there, floor) in enumerate(zip(found, wanted, floors, strict=True)):
                off = error(here, there, floor)
                where = f"case {number}, hybrid {hybrid}, shapes {shapes}, {'gradient' if i else 'result'} {i}"
                assert off <= allowed[i > 0], f"{where}: {off:.0f} EPSILON"


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 1e30, 1e-42], ids=str)
@pytest.mark.parametrize("kind", [k for k in KINDS if k is not convolution_relu], ids=lambda k: k.__name__)
def test_extreme_values(kind, value):
    """What is not a number in double precision is none here; what is finite stays within the bounds."""
    allowed = bounds()[kind.__name__][0]
    for number in range(min(COUNT, 20)):
        rng = np.random.default_rng([number, KINDS.index(kind), 7])
        function, shapes = kind(rng)
        numbers = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
        numbers[0].reshape(-1)[rng.integers(0, numbers[0].size)] = value
        doubles = [nd.array(n, dtype="float64") for n in numbers]
        with np.errstate(over="ignore"):
            wanted = Call(function)(*doubles).asnumpy().astype(np.float32)
        for hybrid in (False, True):
            block = Call(function)
            if hybrid:
                block.hybridize(static_alloc=True, static_shape=True)
            found = block(*[in_some_order(n, rng) for n in numbers]).asnumpy()
            where = f"case {number}, hybrid {hybrid}, shapes {shapes}"
            assert not np.isfinite(found[~np.isfinite(wanted)]).any(), f"{where}: a number where there is none"
            if np.isfinite(value):
                finite = np.isfinite(wanted)
                assert np.isfinite(found[finite]).all(), where
                assert error(found[finite], wanted[finite].astype(np.float64), 1.0) <= allowed, where


@pytest.mark.parametrize("act", ["relu", "tanh"])
def test_what_is_not_a_number_after_a_convolution(act):
    """A fused relu makes zeros of them, as MXNet 1.9.1 does eagerly and hybridized; alone, and in others, they stay."""
    x = np.random.default_rng(1).standard_normal((2, 3, 8, 8)).astype(np.float32)
    x[0, 0, 3, 3] = np.nan
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Conv2D(4, 3, padding=1), gluon.nn.Activation(act))
    net.initialize(mx.init.One())
    eager = net(nd.array(x)).asnumpy()
    assert np.isnan(eager).sum() == 4 * 9
    net.hybridize(static_alloc=True, static_shape=True)
    for _ in range(3):
        fused = net(nd.array(x)).asnumpy()
    lost = np.isnan(eager) & ~np.isnan(fused)
    assert (fused[lost] == 0).all() and (act == "relu" or not lost.any())
    assert np.allclose(fused[~np.isnan(eager)], eager[~np.isnan(eager)], rtol=1e-5)


# ---- sparse, half precision, eight bits ------------------------------------------------------------------------------


def test_sparse_products(threads):
    allowed = bounds()["sparse"]
    for number in range(4 * COUNT):
        rng = np.random.default_rng([number, threads, 8])
        rows, columns, width = (int(n) for n in rng.integers(1, 200, 3))
        kept = rng.random((rows, columns)) < rng.choice([0, 0.02, 0.3, 1])
        matrix = rng.standard_normal((rows, columns)).astype(np.float32) * kept
        for turned in (False, True):
            left = matrix.astype(np.float64).T if turned else matrix.astype(np.float64)
            other = nd.array(rng.standard_normal((left.shape[1], width)).astype(np.float32))
            head = rng.standard_normal((left.shape[0], width)).astype(np.float32)
            other.attach_grad()
            with autograd.record():
                found = nd.sparse.dot(nd.array(matrix).tostype("csr"), other, transpose_a=turned)
            found.backward(nd.array(head))
            pairs = (found.asnumpy(), left @ other.asnumpy()), (other.grad.asnumpy(), left.T @ head)
            for i, (here, there) in enumerate(pairs):
                assert error(here, there, 1.0) <= allowed[i], f"case {number}, {rows} x {columns} x {width}, {turned}"


@pytest.mark.parametrize(
    "kind", [convolution, dense, layer_norm, softmax, cross_entropy, max_pool], ids=lambda k: k.__name__
)
def test_half_precision(kind, threads):
    allowed = bounds()["half"]
    for number in range(COUNT):
        rng = np.random.default_rng([number, threads, 16])
        function, shapes = kind(rng)
        numbers = [rng.standard_normal(shape).astype(np.float16) for shape in shapes]
        heads = rng.standard_normal(1 << 20).astype(np.float16)
        wanted = results(Call(function), [nd.array(n, dtype="float64") for n in numbers], heads)
        found = results(Call(function), [nd.array(n, dtype="float16") for n in numbers], heads)
        largest = max(float(np.abs(gradient).max(initial=1.0)) for gradient in wanted[1:])
        for i, (here, there, floor) in enumerate(zip(found, wanted, [1.0] + [largest] * len(numbers), strict=True)):
            assert here.dtype == np.float16
            off = error(here.astype(np.float64), there, floor) / 2.0**13  # float16 has 13 bits less
            assert off <= allowed[i > 0], f"case {number}, shapes {shapes}, {i}: {off:.1f} of 2**-10"


@pytest.mark.parametrize("kind", ["int8", "uint8"])
def test_eight_bits(kind, threads):
    for number in range(10 * COUNT):
        rng = np.random.default_rng([number, threads, kind == "int8"])
        size, scale = int(rng.integers(1, 70_000)), float(10.0 ** rng.integers(-6, 7))
        data = (rng.standard_normal(size) * scale).astype(np.float32)
        data = np.abs(data) if kind == "uint8" else data
        top = np.abs(data).max()
        ends = nd.array([0 if kind == "uint8" else -top]), nd.array([top])
        found = nd.contrib.quantize(nd.array(data), *ends, out_type=kind)[0].asnumpy()
        step = float(top) / (255 if kind == "uint8" else 127)
        assert np.abs(found * step - data).max() <= 0.5001 * step, f"case {number}: {size} numbers up to {top}"
