"""Layers against the original: names, texts, graphs, values and gradients, run eagerly and hybridized."""

import gluon_nn_cases
import numpy as np
import pytest
from compare import load_golden

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

GOLDEN = load_golden("gluon_nn.json.gz")


def expected(name):
    return {key: np.array(values).reshape(shape) for key, (shape, values) in GOLDEN[name]["arrays"].items()}


@pytest.mark.parametrize("name", gluon_nn_cases.LAYERS)
def test_layer(name):
    texts, arrays = gluon_nn_cases.run(mx, name)
    assert texts == GOLDEN[name]["texts"]
    wanted = expected(name)
    assert arrays.keys() == wanted.keys()
    for key, value in wanted.items():
        if name == "selu" and "grad" in key:
            continue  # the original's gradient is not that of its function
        np.testing.assert_allclose(arrays[key], value, rtol=1e-4, atol=1e-5, err_msg=key)


def test_selu_has_the_gradient_of_its_function():
    x = nd.array([-1.5, -0.2, 0.3])
    x.attach_grad()
    layer = nn.SELU()
    with autograd.record():
        y = layer(x)
    y.backward()
    step = 1e-3
    wanted = (layer(x + step) - layer(x - step)).asnumpy() / (2 * step)
    np.testing.assert_allclose(x.grad.asnumpy(), wanted, rtol=1e-2)


def test_every_layer_is_recorded():
    made = {type(make(nn)).__name__ for make, _ in gluon_nn_cases.LAYERS.values()}
    containers = {"Block", "HybridBlock", "SymbolBlock", "Sequential", "HybridSequential", "Lambda"}
    layers = {n for n, v in vars(nn).items() if isinstance(v, type) and issubclass(v, gluon.Block)}
    assert made == layers - containers


@pytest.mark.parametrize("kind", [nn.Sequential, nn.HybridSequential])
def test_sequential(kind):
    net = kind(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(4, in_units=3), nn.Dropout(0.5))
        net.add(nn.Dense(2, in_units=4))
    net.initialize()
    assert len(net) == 3
    assert [type(b).__name__ for b in net] == ["Dense", "Dropout", "Dense"]
    assert net[-1] is net[2]
    part = net[1:]
    assert type(part) is kind and len(part) == 2 and part[1] is net[2] and part.prefix == "net_"
    with pytest.raises(IndexError):
        net[3]
    assert net(nd.ones((5, 3))).shape == (5, 2)
    x = nd.ones((5, 3))
    for layer in net:
        x = layer(x)
    assert (x == net(nd.ones((5, 3)))).asnumpy().all()


def test_lambdas():
    def double(x):
        return x * 2

    def clipped(F, x):
        return F.relu(x)

    x = nd.array([-1.0, 1.0])
    assert repr(nn.Lambda("relu")) == "Lambda(relu)" and repr(nn.Lambda(double)) == "Lambda(double)"
    assert (nn.Lambda(double)(x).asnumpy() == [-2, 2]).all()
    assert (nn.Lambda("relu")(x).asnumpy() == [0, 1]).all()
    layer = nn.HybridLambda(clipped)
    assert repr(layer) == "HybridLambda(clipped)"
    for hybridize in (False, True):
        layer.hybridize(hybridize)
        assert (layer(x).asnumpy() == [0, 1]).all()
    for kind, module in ((nn.Lambda, "ndarray"), (nn.HybridLambda, "symbol/ndarray")):
        with pytest.raises(AssertionError, match=f"Function name foo is not found in {module}"):
            kind("foo")
        with pytest.raises(ValueError, match="Unrecognized function in lambda: 3"):
            kind(3)
    pair = nn.Lambda(lambda x, y: x + y)
    assert pair(x, x).asnumpy().tolist() == [-2, 2]


def test_dropout():
    layer = nn.Dropout(0.5, axes=(1,))
    assert repr(layer) == "Dropout(p = 0.5, axes=(1,))"
    x = nd.ones((100, 20))
    assert (layer(x) == x).asnumpy().all()
    for hybridize in (False, True):
        layer.hybridize(hybridize)
        with autograd.record():
            out = layer(x).asnumpy()
        assert set(np.unique(out)) == {0, 2}
        assert (out == out[:, :1]).all(), "one decision for all of axis 1"


def test_normalizations_keep_single_precision():
    for layer in (nn.BatchNorm(in_channels=3), nn.BatchNormReLU(in_channels=3)):
        layer.initialize()
        layer.cast("float16")
        assert layer.gamma.dtype == "float32"
        assert layer(nd.ones((2, 3, 4), dtype="float16")).dtype == np.float16
        layer.cast("float64")
        assert layer(nd.ones((2, 3), dtype="float64")).dtype == np.float64


def test_embedding():
    layer = nn.Embedding(10, 3, sparse_grad=True)
    layer.initialize()
    with autograd.record():
        y = layer(nd.array([1, 1, 2]))
    y.backward()
    assert layer.weight.grad().stype == "row_sparse"
    grad = layer.weight.grad().asnumpy()
    assert grad[1].tolist() == [2, 2, 2] and grad[2].tolist() == [1, 1, 1] and not grad[3:].any()


def test_initializers_of_layers():
    layer = nn.Dense(2, in_units=3, weight_initializer=mx.init.Constant(2), bias_initializer="ones")
    layer.initialize(mx.init.Zero())
    assert (layer.weight.data() == 2).asnumpy().all()
    assert (layer.bias.data() == 1).asnumpy().all()
    conv = nn.Conv2D(2, 3, in_channels=1, weight_initializer="ones")
    conv.initialize()
    assert (conv.weight.data() == 1).asnumpy().all()
    norm = nn.BatchNorm(in_channels=2, beta_initializer="ones", gamma_initializer="zeros")
    norm.initialize()
    assert (norm(nd.ones((1, 2))) == 1).asnumpy().all()


def test_channels_last():
    """The original has these layouts on GPUs only."""
    x = np.random.uniform(-1, 1, (2, 5, 6, 3)).astype("float32")
    one = nn.Conv2D(4, 3, strides=2, padding=1, layout="NCHW")
    other = nn.Conv2D(4, 3, strides=2, padding=1, layout="NHWC")
    for layer, data in ((one, x.transpose(0, 3, 1, 2)), (other, x)):
        layer.initialize()
        layer(nd.array(data))
    other.weight.set_data(one.weight.data().transpose((0, 2, 3, 1)))
    assert other.weight.shape == (4, 3, 3, 3)
    wanted = one(nd.array(x.transpose(0, 3, 1, 2))).asnumpy().transpose(0, 2, 3, 1)
    np.testing.assert_allclose(other(nd.array(x)).asnumpy(), wanted, rtol=1e-4, atol=1e-5)
    assert repr(other) == "Conv2D(3 -> 4, kernel_size=(3, 3), stride=(2, 2), padding=(1, 1))"
    assert nn.MaxPool2D(layout="NHWC")(nd.array(x)).shape == (2, 2, 3, 3)


def test_refusals():
    with pytest.raises(AssertionError, match="Only supports NCHW and NHWC layout"):
        nn.Conv2D(2, 3, layout="foo")
    with pytest.raises(AssertionError, match="Only supports NCW and NWC layout"):
        nn.MaxPool1D(layout="NCHW")
    for layer in (nn.Conv1D, nn.Conv1DTranspose):
        with pytest.raises(AssertionError, match="Only supports NCW layout for now, got 'NWC'"):
            layer(2, 3, layout="NWC")
    with pytest.raises(AssertionError, match="kernel_size must be a number or 2 of them"):
        nn.Conv2D(2, (3, 3, 3))
    with pytest.raises(AssertionError, match="channels=4 must be a multiple of groups=3"):
        nn.Conv2D(4, 3, groups=3)
    with pytest.raises(AssertionError, match="Slope coefficient"):
        nn.LeakyReLU(-1)
    with pytest.raises(TypeError):
        nn.Dense(2, foo=3)
    layer = nn.Dense(2, activation="foo")
    layer.initialize()
    with pytest.raises(ValueError, match="act_type"):
        layer(nd.ones((1, 1)))


def test_dtype_of_dense():
    layer = nn.Dense(2, dtype="float64")
    layer.initialize()
    assert layer(nd.ones((1, 3), dtype="float64")).dtype == np.float64
    for hybridize in (False, True):
        layer.hybridize(hybridize)
        with pytest.raises(mx.MXNetError, match="same dtype"):
            layer(nd.ones((1, 3)))
