"""int8 operators that cannot be recorded by samples."""

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import nd
from mxnet.ops.quantization import sums


def eight(random, *shape, kind="int8"):
    low, high = (-128, 128) if kind == "int8" else (0, 256)
    return random.randint(low, high, shape).astype(kind)


def one(number):
    return nd.array([number])


@pytest.mark.parametrize("kind", ["int8", "uint8"])
@pytest.mark.parametrize("size", [1, 7, 64, 515, 3000])
def test_products_are_exact(kind, size):
    random = np.random.RandomState(size)
    data, weight = eight(random, 5, size, kind=kind), eight(random, 9, size)
    data[0], weight[0] = 127 if kind == "int8" else 255, 127
    found = sums.product(torch.from_numpy(data), torch.from_numpy(weight))
    assert found.dtype == torch.int32
    assert np.array_equal(found.numpy(), data.astype("int64") @ weight.astype("int64").T)


@pytest.mark.parametrize("kind", ["int8", "uint8"])
@pytest.mark.parametrize(
    ("channels", "filters", "kernel", "stride", "pad", "dilate", "groups"),
    [
        (3, 4, (3, 3), (1, 1), (1, 1), (1, 1), 1),
        (64, 16, (3, 3), (2, 2), (1, 1), (1, 1), 1),
        (300, 5, (3, 3), (1, 1), (0, 1), (1, 1), 1),
        (600, 8, (1, 1), (1, 1), (0, 0), (1, 1), 1),
        (8, 8, (3, 3), (1, 2), (1, 1), (2, 1), 8),
        (200, 4, (3, 3), (1, 1), (1, 1), (1, 1), 2),
        (5, 3, (5,), (2,), (2,), (1,), 1),
        (4, 3, (2, 2, 2), (1, 1, 1), (1, 0, 1), (1, 1, 1), 1),
    ],
)
def test_convolutions_are_exact(kind, channels, filters, kernel, stride, pad, dilate, groups):
    random = np.random.RandomState(0)
    data = torch.from_numpy(eight(random, 2, channels, *[7] * len(kernel), kind=kind))
    weight = torch.from_numpy(eight(random, filters, channels // groups, *kernel))
    found = sums.convolution(data, weight, stride, pad, dilate, groups)
    convolve = {1: torch.conv1d, 2: torch.conv2d, 3: torch.conv3d}[len(kernel)]
    expected = convolve(data.double(), weight.double(), None, stride, pad, dilate, groups)
    assert found.dtype == torch.int32
    assert np.array_equal(found.numpy(), expected.numpy())


def test_asymmetric_integers_cover_the_range():
    data = nd.array([[-1.0, 0.0, 0.5], [1.0, 2.9, 3.0]])
    found, scale, shift = nd.contrib.quantize_asym(data)
    assert found.dtype == np.uint8
    assert found.asnumpy().min() == 0
    assert found.asnumpy().max() == 255
    assert scale.asscalar() == pytest.approx(255 / 4)
    assert shift.asscalar() == pytest.approx(255 - 3 * 255 / 4)
    back = (found.astype("float32") - shift) / scale
    assert abs(back - data).max().asscalar() <= 0.5 / scale.asscalar() + 1e-6
    found, scale, shift = nd.contrib.quantize_asym(data, min_calib_range=-2.0, max_calib_range=2.0)
    assert found.asnumpy().max() == 255
    assert scale.asscalar() == pytest.approx(255 / 4)
    constant = nd.contrib.quantize_asym(nd.ones((2, 3)))
    assert ((constant[0].astype("float32") - constant[2]) / constant[1]).asnumpy().tolist() == [[1.0] * 3] * 2


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("layers", [1, 2])
def test_quantized_lstm_is_near_the_float_one(layers, bidirectional):
    random = np.random.RandomState(0)
    size, directions = 8, 2 if bidirectional else 1
    attrs = {"mode": "lstm", "state_size": size, "num_layers": layers, "bidirectional": bidirectional}
    inputs = [5, *[size * directions] * (layers - 1)]
    count = sum(directions * 4 * size * (n + size + 2) for n in inputs)
    data, parameters = nd.array(random.randn(6, 3, 5)), nd.array(random.randn(count) * 0.3)
    state, cell = (nd.array(random.randn(layers * directions, 3, size) * 0.3) for _ in range(2))
    expected = nd.RNN(data, parameters, state, cell, state_outputs=True, **attrs)
    integers = nd.contrib.quantize_asym(data)
    found = nd.contrib.quantized_rnn(
        integers[0], parameters, state, cell, integers[1], integers[2], state_outputs=True, **attrs
    )
    for one_, other in zip(found, expected, strict=True):
        assert one_.shape == other.shape
        assert abs(one_ - other).max().asscalar() < 0.03
    with pytest.raises(mx.MXNetError, match="only mode lstm"):
        nd.contrib.quantized_rnn(
            integers[0], parameters, state, cell, *integers[1:], mode="gru", state_size=4, num_layers=1
        )


# Recorded from mx.sym.contrib.quantized_elemwise_mul of the original (its eager function fails).
_LEFT = (np.arange(-8, 8) * 15).astype("int8").reshape(2, 8)
_RIGHT = np.random.RandomState(0).randint(-128, 128, (2, 8)).astype("int8")
_SCALED = [-62, 100, 11, -56, 43, -65, -23, 4, 0, 14, -37, 60, -64, -36, -61, 108]


def test_products_of_integers():
    inputs = nd.array(_LEFT, dtype="int8"), nd.array(_RIGHT, dtype="int8"), *map(one, (-1, 2, -3, 1))
    products = _LEFT.astype("int32") * _RIGHT
    found, low, high = nd.contrib.quantized_elemwise_mul(*inputs)
    assert found.dtype == np.int32
    assert np.array_equal(found.asnumpy(), products)
    assert (low.asscalar(), high.asscalar()) == (-798865.5, 798865.5)
    found, low, high = nd.contrib.quantized_elemwise_mul(*inputs, min_calib_range=-4.0, max_calib_range=3.0)
    assert found.dtype == np.int8
    assert found.asnumpy().ravel().tolist() == _SCALED
    assert (low.asscalar(), high.asscalar()) == (-4, 3)
    floats = nd.contrib.quantized_elemwise_mul(*inputs, enable_float_output=True)
    assert isinstance(floats, nd.NDArray)
    np.testing.assert_allclose(floats.asnumpy(), products * 6 / 127.5**2, rtol=1e-6)
    with pytest.raises(mx.MXNetError, match="rhs must be int8"):
        nd.contrib.quantized_elemwise_mul(inputs[0], inputs[1].astype("uint8"), *inputs[2:])
