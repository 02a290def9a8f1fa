"""Layouts: what the channels-last operators compute, and that memory layout never changes a result."""

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.ops import get
from mxnet.ops.infer import infer_dtypes, infer_shapes, read_shape

RNG = np.random.default_rng(0)


def rand(*shape):
    return RNG.normal(size=shape).astype("float32")


def to_last(a):
    return np.moveaxis(a, 1, -1).copy()


def run(function, arrays, **attrs):
    """Result and gradients of a call."""
    arrays = [mx.nd.array(a, dtype=a.dtype) if isinstance(a, np.ndarray) else a for a in arrays]
    for a in arrays:
        a.attach_grad()
    with mx.autograd.record():
        out = function(*arrays, **attrs)
    out.backward(mx.nd.array(np.cos(np.arange(out.size)).reshape(out.shape), dtype=out.dtype))
    return out.asnumpy(), [a.grad.asnumpy() for a in arrays]


def run_last(function, arrays, **attrs):
    """The same for channels-last arrays, of which the results come back channels-first; the head gradient fits."""
    arrays = [mx.nd.array(to_last(a) if a.ndim > 1 else a) for a in arrays]
    for a in arrays:
        a.attach_grad()
    with mx.autograd.record():
        out = function(*arrays, **attrs)
    shape = np.moveaxis(out.asnumpy(), -1, 1).shape
    out.backward(mx.nd.array(to_last(np.cos(np.arange(out.size)).reshape(shape))))
    back = [np.moveaxis(g, -1, 1) if g.ndim > 1 else g for g in (a.grad.asnumpy() for a in arrays)]
    return np.moveaxis(out.asnumpy(), -1, 1), back


def assert_same(given, expected):
    np.testing.assert_allclose(given[0], expected[0], rtol=1e-4, atol=1e-4)
    for a, b in zip(given[1], expected[1], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-3)


CONVOLUTIONS = [
    ("NHWC", (2, 4, 7, 6), (6, 4, 3, 3), dict(stride=(2, 1), pad=(1, 1))),
    ("NHWC", (2, 4, 7, 6), (6, 2, 3, 3), dict(num_group=2, dilate=(2, 1))),
    ("NHWC", (2, 4, 7, 6), (4, 1, 3, 3), dict(num_group=4, pad=(1, 1))),
    ("NDHWC", (1, 2, 4, 5, 4), (3, 2, 3, 3, 2), dict(pad=(1, 0, 1))),
]


@pytest.mark.parametrize(("layout", "data", "weight", "attrs"), CONVOLUTIONS)
def test_convolution_with_channels_last(layout, data, weight, attrs):
    arrays = [rand(*data), rand(*weight), rand(weight[0])]
    attrs = dict(attrs, kernel=weight[2:], num_filter=weight[0])
    assert_same(
        run_last(mx.nd.Convolution, arrays, layout=layout, **attrs),
        run(mx.nd.Convolution, arrays, **attrs),
    )


@pytest.mark.parametrize("layout", ["NHWC", "NDHWC"])
def test_deconvolution_with_channels_last(layout):
    dims = len(layout) - 2
    arrays = [rand(2, 4, *[3] * dims), rand(4, 3, *[3] * dims), rand(6)]
    attrs = dict(kernel=(3,) * dims, num_filter=6, num_group=2, no_bias=False, stride=(2,) * dims, adj=(1,) * dims)
    assert_same(
        run_last(mx.nd.Deconvolution, arrays, layout=layout, **attrs),
        run(mx.nd.Deconvolution, arrays, **attrs),
    )


@pytest.mark.parametrize("pool_type", ["max", "avg", "sum", "lp"])
@pytest.mark.parametrize("layout", ["NWC", "NHWC", "NDHWC"])
def test_pooling_with_channels_last(layout, pool_type):
    dims = len(layout) - 2
    arrays = [np.abs(rand(2, 3, *[6] * dims))]
    for attrs in (dict(kernel=(3,) * dims, stride=(2,) * dims, pad=(1,) * dims), dict(global_pool=True)):
        attrs.update(pool_type=pool_type, p_value=2)
        assert_same(run_last(mx.nd.Pooling, arrays, layout=layout, **attrs), run(mx.nd.Pooling, arrays, **attrs))


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_same_pooling_has_size_over_stride_rounded_up(dims):
    x = mx.nd.array(np.arange(5**dims).reshape(1, 1, *[5] * dims))
    for pool_type in ("max", "avg"):
        attrs = dict(kernel=(2,) * dims, stride=(2,) * dims, pool_type=pool_type)
        same = mx.nd.Pooling(x, pooling_convention="same", **attrs)
        full = mx.nd.Pooling(x, pooling_convention="full", **attrs)
        assert same.shape == (1, 1, *[3] * dims)
        np.testing.assert_allclose(same.asnumpy(), full.asnumpy())
    assert mx.nd.Pooling(x, kernel=(3,) * dims, pooling_convention="same").shape == x.shape
    with pytest.raises(mx.MXNetError, match="pad"):
        mx.nd.Pooling(x, kernel=(3,) * dims, pad=(1,) * dims, pooling_convention="same")


@pytest.mark.parametrize("sizes", [(2, 5, 5), (1, 1, 1), (4, 2, 1)])
@pytest.mark.parametrize("pool_type", ["max", "avg", "sum", "lp"])
def test_a_kernel_may_be_larger_than_the_data_without_its_padding(sizes, pool_type):
    for dims in (1, 2, 3):
        x = 1 + np.abs(rand(2, 3, *sizes[:dims]))
        attrs = dict(kernel=(3,) * dims, pool_type=pool_type, p_value=2)
        around = np.pad(x, [(0, 0), (0, 0), *[(1, 1)] * dims])
        (found, [gradient]), (expected, [wide]) = (
            run(mx.nd.Pooling, [x], pad=(1,) * dims, **attrs),
            run(mx.nd.Pooling, [around], **attrs),
        )
        np.testing.assert_allclose(found, expected, rtol=1e-6)
        np.testing.assert_allclose(gradient, wide[(..., *[slice(1, -1)] * dims)], rtol=1e-4, atol=1e-6)
    inside = mx.nd.Pooling(
        mx.nd.ones((1, 1, 2, 5, 5)), pad=(1, 1, 1), kernel=(3, 3, 3), pool_type="avg", count_include_pad=False
    )
    np.testing.assert_allclose(inside.asnumpy(), np.ones((1, 1, 2, 5, 5)), rtol=1e-6)


CHAIN = [
    ("Convolution", [(8, 4, 3, 3), (8,)], dict(kernel=(3, 3), num_filter=8, pad=(1, 1))),
    ("Convolution", [(4, 1, 3, 3), (4,)], dict(kernel=(3, 3), num_filter=4, num_group=4)),
    ("Convolution", [(1, 4, 1, 1), (1,)], dict(kernel=(1, 1), num_filter=1)),
    ("Deconvolution", [(4, 3, 4, 4)], dict(kernel=(4, 4), num_filter=3, stride=(2, 2), pad=(1, 1))),
    ("Pooling", [], dict(kernel=(3, 3), stride=(2, 2), pad=(1, 1))),
    ("Pooling", [], dict(kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="avg", pooling_convention="full")),
    ("Pooling", [], dict(global_pool=True, pool_type="avg")),
    ("BatchNorm", [(4,), (4,), (4,), (4,)], dict(fix_gamma=False)),
    ("LayerNorm", [(6,), (6,)], {}),
    ("LayerNorm", [(4,), (4,)], dict(axis=1)),
    ("GroupNorm", [(2,), (2,)], dict(num_groups=2)),
    ("InstanceNorm", [(4,), (4,)], {}),
    ("L2Normalization", [], dict(mode="channel")),
    ("LRN", [], dict(nsize=3)),
    ("FullyConnected", [(5, 4 * 5 * 6), (5,)], dict(num_hidden=5)),
    ("Activation", [], dict(act_type="tanh")),
    ("LeakyReLU", [(4,)], dict(act_type="prelu")),
    ("softmax", [], dict(axis=1)),
]


@pytest.mark.parametrize(("name", "shapes", "attrs"), CHAIN)
def test_memory_layout_changes_nothing(name, shapes, attrs):
    """Every operator takes channels_last memory, as a convolution leaves it, and logical order is all that counts."""
    data, rest = rand(2, 4, 5, 6), [np.abs(rand(*s)) for s in shapes]
    strided = mx.nd.NDArray(torch.from_numpy(data).contiguous(memory_format=torch.channels_last))
    function = getattr(mx.nd, name)
    assert_same(run(function, [strided, *rest], **attrs), run(function, [data, *rest], **attrs))


@pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="the layout is chosen for oneDNN")
def test_images_stay_channels_last_through_a_network():
    x = mx.nd.array(rand(2, 3, 16, 16))
    w = mx.nd.array(rand(8, 3, 3, 3))
    y = mx.nd.Convolution(x, w, kernel=(3, 3), num_filter=8, no_bias=True)
    y = mx.nd.BatchNorm(y, *[mx.nd.array(np.ones(8)) for _ in range(4)])
    y = mx.nd.Activation(y, act_type="relu")
    y = mx.nd.Pooling(y, kernel=(2, 2), stride=(2, 2))
    assert y._data.is_contiguous(memory_format=torch.channels_last)
    assert y.asnumpy().flags.c_contiguous


@pytest.mark.parametrize("shape", [(2, 256, 4, 4), (2, 256, 8, 8), (1, 1, 9, 9)])
def test_every_choice_of_layout_gives_the_same(shape):
    data, weight = rand(*shape), rand(4, shape[1], 3, 3) / 30
    given = run(mx.nd.Convolution, [data, weight], kernel=(3, 3), num_filter=4, no_bias=True)
    arrays = [data.astype("float64"), weight.astype("float64")]
    assert_same(given, run(mx.nd.Convolution, arrays, kernel=(3, 3), num_filter=4, no_bias=True))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize(
    ("name", "shapes", "attrs"),
    [
        ("FullyConnected", [(3, 8), (4, 8), (4,)], dict(num_hidden=4)),
        ("Convolution", [(2, 3, 6, 6), (4, 3, 3, 3), (4,)], dict(kernel=(3, 3), num_filter=4)),
        ("Convolution", [(2, 3, 6), (4, 3, 3), (4,)], dict(kernel=(3,), num_filter=4)),
        ("Deconvolution", [(2, 3, 6, 6), (3, 4, 3, 3)], dict(kernel=(3, 3), num_filter=4)),
        ("Pooling", [(1, 2, 4, 4, 4)], dict(kernel=(2, 2, 2), pool_type="avg")),
        ("Pooling", [(1, 2, 4, 4, 4)], dict(kernel=(2, 2, 2), pool_type="sum")),
        ("InstanceNorm", [(2, 3, 5), (3,), (3,)], {}),
        ("LRN", [(2, 3, 4, 4)], dict(nsize=3)),
        ("SoftmaxActivation", [(2, 5)], {}),
    ],
)
def test_sixteen_bits(name, shapes, attrs, dtype):
    """What the original has for float32 only works in 16 bits as well."""
    exact = [mx.nd.array(rand(*s)) for s in shapes]
    expected = getattr(mx.nd, name)(*exact, **attrs).asnumpy()
    given = getattr(mx.nd, name)(*[mx.nd.NDArray(a.handle.to(getattr(torch, dtype))) for a in exact], **attrs)
    assert given.handle.dtype is getattr(torch, dtype)
    np.testing.assert_allclose(given.handle.float().numpy(), expected, rtol=0.05, atol=0.1)


@pytest.mark.parametrize(
    ("name", "attrs", "given", "expected"),
    [
        ("FullyConnected", dict(num_hidden=6), [(2, 4, 9), None, None], [(2, 4, 9), (6, 36), (6,)]),
        ("FullyConnected", dict(num_hidden=6), [(0, 4), None, None], [(0, 4), (6, 4), (6,)]),
        ("FullyConnected", dict(num_hidden=6, flatten=False), [(2, 3, 0), None, None], [(2, 3, 0), (6, 0), (6,)]),
        ("FullyConnected", dict(num_hidden=6, no_bias=True), [(2, 4), None], [(2, 4), (6, 4)]),
        (
            "Convolution",
            dict(kernel=(3, 3), num_filter=6),
            [(2, 4, 9, 9), None, None],
            [(2, 4, 9, 9), (6, 4, 3, 3), (6,)],
        ),
        (
            "Convolution",
            dict(kernel=(3, 3), num_filter=6),
            [(2, 0, 9, 9), None, None],
            [(2, 0, 9, 9), (6, 0, 3, 3), (6,)],
        ),
        (
            "Convolution",
            dict(kernel=(3, 3), num_filter=6, layout="NHWC", num_group=2, no_bias=True),
            [(2, 9, 9, 4), None],
            [(2, 9, 9, 4), (6, 3, 3, 2)],
        ),
        (
            "Deconvolution",
            dict(kernel=(3, 3), num_filter=6, num_group=2),
            [(2, 4, 9, 9), None],
            [(2, 4, 9, 9), (4, 3, 3, 3)],
        ),
        ("BatchNorm", dict(axis=-1), [(0, 4, 0, 3), *[None] * 4], [(0, 4, 0, 3), *[(3,)] * 4]),
        ("LayerNorm", dict(axis=1), [(2, 3, 4), None, None], [(2, 3, 4), (3,), (3,)]),
        ("GroupNorm", dict(num_groups=2), [(2, 4, 3), None, None], [(2, 4, 3), (2,), (2,)]),
        ("InstanceNorm", {}, [(2, 4, 3), None, None], [(2, 4, 3), (4,), (4,)]),
        ("LeakyReLU", dict(act_type="prelu"), [(2, 3, 4), None], [(2, 3, 4), (3,)]),
        ("softmax", dict(use_length=True, axis=1), [(2, 3, 4), None], [(2, 3, 4), (2, 4)]),
        ("softmax_cross_entropy", {}, [(2, 3), None], [(2, 3), (2,)]),
    ],
)
def test_unknown_inputs_are_inferred(name, attrs, given, expected):
    op = get(name)
    inputs, _ = infer_shapes(op, [*map(read_shape, given)], op.parse(attrs))
    assert inputs == [*map(read_shape, expected)]


@pytest.mark.parametrize(
    ("name", "attrs", "given", "output", "expected"),
    [
        ("FullyConnected", dict(num_hidden=3), [(0, 7), None, None], (2, 3), (2, 7)),
        ("Convolution", dict(kernel=(3, 3), num_filter=3), [(0, 7, 6, 6), None, None], (2, 3, 4, 4), (2, 7, 6, 6)),
        ("Activation", dict(act_type="relu"), [None], (2, 3), (2, 3)),
        ("Dropout", {}, [(0, 3)], (2, 3), (2, 3)),
        ("BatchNorm", {}, [None] * 5, (2, 3), (2, 3)),
    ],
)
def test_data_is_inferred_from_the_result(name, attrs, given, output, expected):
    op = get(name)
    inputs, outputs = infer_shapes(op, [*map(read_shape, given)], op.parse(attrs), [output])
    assert inputs[0] == read_shape(expected)
    assert outputs == [output]


def test_dtypes_are_inferred():
    half, single = torch.float16, torch.float32
    op = get("BatchNorm")
    assert infer_dtypes(op, [half, None, None, None, None], {}) == ([half] + [single] * 4, [half])
    op = get("softmax")
    assert infer_dtypes(op, [single], op.parse(dict(dtype="float64"))) == ([single], [torch.float64])


@pytest.mark.parametrize(
    ("size", "stride", "pad", "dilate"),
    [(4, (1, 1), (1, 1), (1, 1)), (7, (2, 2), (1, 1), (1, 1)), (6, (1, 2), (2, 0), (2, 1))],
)
@pytest.mark.parametrize("bias", [True, False])
def test_convolution_with_more_weights_than_pixels(size, stride, pad, dilate, bias):
    """The last stage of a network has a gradient of its own: it must be torch's."""
    torch.manual_seed(0)
    data, weight = torch.randn(2, 256, size, size), torch.randn(8, 256, 3, 3) * 0.1
    inputs = [data, weight, *([torch.randn(8)] if bias else [])]
    ours, theirs = ([t.clone().requires_grad_() for t in inputs] for _ in range(2))
    kernel = get("Convolution").kernel
    attrs = dict(kernel=(3, 3), stride=stride, pad=pad, dilate=dilate, num_filter=8, no_bias=not bias)
    result = kernel(*ours, **attrs)
    expected = torch.conv2d(theirs[0], theirs[1], theirs[2] if bias else None, stride, pad, dilate)
    torch.testing.assert_close(result, expected, rtol=1e-4, atol=1e-4)
    head = torch.randn_like(expected)
    for a, b in zip(torch.autograd.grad(result, ours, head), torch.autograd.grad(expected, theirs, head), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last])
@pytest.mark.parametrize("convention", ["valid", "full"])
def test_large_max_pooling_does_not_keep_its_data(layout, convention):
    """It has torch's gradients, also of second order, and keeps the places of the maxima only."""
    options = {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "pool_type": "max", "pooling_convention": convention}
    pool = get("Pooling").kernel
    data = torch.randn(2, 16, 96, 96).contiguous(memory_format=layout)
    kept = []

    def pack(tensor):
        kept.append(tensor)
        return tensor

    def gradients(function):
        leaf = data.clone().requires_grad_()
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            result = function(leaf)
        factor = torch.linspace(-1, 1, result.numel()).view(result.shape).requires_grad_()
        (first,) = torch.autograd.grad((result * factor).sum(), leaf, create_graph=True)
        (plain,) = torch.autograd.grad((result * factor).sum(), leaf, retain_graph=True)
        (second,) = torch.autograd.grad(first.square().sum(), factor)
        return result, first, plain, second

    ours = gradients(lambda t: pool(t, **options))
    assert all(not t.is_floating_point() for t in kept)
    expected = gradients(lambda t: torch.nn.functional.max_pool2d(t, 3, 2, 1, ceil_mode=convention == "full"))
    for mine, theirs in zip(ours, expected, strict=True):
        assert torch.equal(mine, theirs)


def test_local_responses_of_single_pixels():
    """Data without height and width: the original's numbers."""
    data = mx.nd.array(np.arange(6).reshape(2, 3) / 3)
    data.attach_grad()
    with mx.autograd.record():
        result = mx.nd.LRN(data, nsize=3)
    result.backward()
    expected = [[0.0, 0.19819981, 0.39639962], [0.59458292, 0.79274964, 0.99094945]]
    gradient = [[0.5946027, 0.59459448, 0.59458953], [0.59454823, 0.59448296, 0.59449536]]
    np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(data.grad.asnumpy(), gradient, rtol=1e-5)
    with pytest.raises(mx.MXNetError, match="4 or 2 dimensions"):
        mx.nd.LRN(mx.nd.ones((2, 3, 2)), nsize=3)
