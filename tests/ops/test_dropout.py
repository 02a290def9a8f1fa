"""Dropout and randomized leaky relu: by their statistics, since the original draws other numbers."""

import numpy as np
import pytest
import torch

import mxnet as mx

SHAPE = (400, 500)


def ones(*shape, dtype="float32"):
    return mx.nd.array(np.ones(shape), dtype=dtype)


def train(function, *args, **kwargs):
    with mx.autograd.train_mode():
        return function(*args, **kwargs)


@pytest.mark.parametrize("p", [0.001, 0.1, 0.5, 0.77])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_fraction_and_mean(p, dtype):
    mx.random.seed(3)
    out = train(mx.nd.Dropout, ones(*SHAPE, dtype=dtype), p=p)
    assert out.dtype == np.dtype(dtype)
    values = out.asnumpy().astype("float64")
    deviation = np.sqrt(p * (1 - p) / values.size)
    assert abs((values == 0).mean() - p) < 5 * deviation
    np.testing.assert_allclose(values[values != 0], 1 / (1 - p), rtol=1e-3 if dtype == "float16" else 1e-6)


def test_elements_are_independent():
    mx.random.seed(4)
    kept = train(mx.nd.Dropout, ones(*SHAPE), p=0.5).asnumpy() > 0
    signs = kept * 2.0 - 1
    for lag in (1, 2, 3, 4, 500):
        flat = signs.ravel()
        assert abs((flat[lag:] * flat[:-lag]).mean()) < 5 / np.sqrt(flat.size)
    # the counts per row spread as binomial numbers do
    assert 0.8 < kept.sum(1).var() / (SHAPE[1] / 4) < 1.25


def test_predict_mode_is_identity_in_memory_of_its_own():
    x = ones(2, 3)
    out = mx.nd.Dropout(x, p=0.9)
    np.testing.assert_array_equal(out.asnumpy(), x.asnumpy())
    out[:] = 5
    assert x.asnumpy().max() == 1


def test_mode_always():
    out = mx.nd.Dropout(ones(100, 100), p=0.5, mode="always").asnumpy()
    assert 0.4 < (out == 0).mean() < 0.6


@pytest.mark.parametrize("axes", [(0,), (1,), (0, 2), (2, 1)])
def test_axes_share_their_fate(axes):
    out = train(mx.nd.Dropout, ones(16, 17, 18), p=0.5, axes=axes).asnumpy()
    for axis in axes:
        assert (out == np.take(out, [0], axis)).all()
    assert 0 < (out == 0).mean() < 1


def test_extreme_probabilities():
    x = ones(5, 5)
    np.testing.assert_array_equal(train(mx.nd.Dropout, x, p=0).asnumpy(), x.asnumpy())
    for mode in ("training", "always"):  # 0 times 1 / 0, in the original too
        assert np.isnan(train(mx.nd.Dropout, x, p=1, mode=mode).asnumpy()).all()
    assert np.isnan(mx.nd.Dropout(x, p=1, mode="always").asnumpy()).all()


def test_axes_of_none_are_no_axes():
    symbol = mx.sym.load_json(mx.sym.Dropout(mx.sym.var("x"), p=0.5, axes=None).tojson())
    results = []
    for attrs in ({}, {"axes": None}):
        mx.random.seed(3)
        results.append(train(mx.nd.Dropout, ones(16, 17), p=0.5, **attrs).asnumpy())
    np.testing.assert_array_equal(*results)
    assert symbol.eval(x=ones(2, 3))[0].shape == (2, 3)


@pytest.mark.parametrize("attrs", [dict(p=1.5), dict(p=-0.1), dict(axes=(2,)), dict(axes=(-1,)), dict(mode="never")])
def test_bad_attributes(attrs):
    with pytest.raises(mx.MXNetError, match="Dropout"):
        train(mx.nd.Dropout, ones(2, 3), **attrs)


def test_integers_are_refused():
    with pytest.raises(mx.MXNetError, match="floating"):
        mx.nd.Dropout(mx.nd.array([1, 2], dtype="int32"))


@pytest.mark.parametrize("axes", [(), (1,)])
def test_gradient_has_the_same_mask(axes):
    x = ones(20, 30)
    x.attach_grad()
    with mx.autograd.record():
        out = mx.nd.Dropout(x, p=0.4, axes=axes)
    out.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), out.asnumpy())


def test_gradient_outside_of_training_is_one():
    x = ones(4)
    x.attach_grad()
    with mx.autograd.record(train_mode=False):
        out = mx.nd.Dropout(x)
    out.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), 1)


def test_seed_repeats():
    def draw():
        return train(mx.nd.Dropout, ones(50, 50)).asnumpy()

    mx.random.seed(9)
    first, second = draw(), draw()
    mx.random.seed(9)
    np.testing.assert_array_equal(draw(), first)
    assert (first != second).any()


def test_layout_survives():
    x = mx.nd.NDArray(torch.ones(2, 4, 5, 6).contiguous(memory_format=torch.channels_last))
    assert train(mx.nd.Dropout, x)._data.is_contiguous(memory_format=torch.channels_last)


def test_randomized_leaky_relu():
    mx.random.seed(2)
    x = mx.nd.array(np.concatenate([-np.ones(20000), np.ones(10)]))
    x.attach_grad()
    with mx.autograd.record():
        out, slopes = mx.nd.LeakyReLU(x, act_type="rrelu", lower_bound=0.2, upper_bound=0.6)
    out.backward()
    negative = -out.asnumpy()[:20000]
    assert negative.min() >= 0.2 and negative.max() <= 0.6
    assert abs(negative.mean() - 0.4) < 0.005
    assert abs(negative.std() - 0.4 / np.sqrt(12)) < 0.005
    np.testing.assert_array_equal(out.asnumpy()[20000:], 1)
    np.testing.assert_allclose(x.grad.asnumpy(), slopes.asnumpy(), rtol=1e-6)
    fixed, _ = mx.nd.LeakyReLU(x, act_type="rrelu", lower_bound=0.2, upper_bound=0.6)
    np.testing.assert_allclose(fixed.asnumpy()[:20000], -0.4, rtol=1e-6)
    with pytest.raises(mx.MXNetError, match="lower_bound"):
        train(mx.nd.LeakyReLU, x, act_type="rrelu", lower_bound=0.7, upper_bound=0.6)
