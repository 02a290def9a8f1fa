"""Arguments and numbers at the limits of operators: what is refused, and what is finite."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, nd

DATA = nd.arange(24).reshape((3, 2, 4))


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32", "int64"])
@pytest.mark.parametrize("name, least", [("SequenceLast", 1), ("SequenceReverse", 0)])
def test_lengths_beyond_the_data_are_refused(name, least, dtype):
    operator = getattr(nd, name)
    for lengths in ([least, 3], [3, 2]):
        operator(DATA, nd.array(lengths, dtype=dtype), use_sequence_length=True)
    for bad in (4, least - 1, -5):
        with pytest.raises(mx.MXNetError, match=f"{name}.*sequence_length must be between {least} and 3.*{bad}"):
            operator(DATA, nd.array([2, bad], dtype=dtype), use_sequence_length=True)


@pytest.mark.parametrize("name", ["SequenceLast", "SequenceReverse", "SequenceMask"])
def test_lengths_that_are_no_numbers_are_refused(name):
    lengths = nd.array([2, np.nan])
    with pytest.raises(mx.MXNetError, match="sequence_length must be"):
        getattr(nd, name)(DATA, lengths, use_sequence_length=True)
    symbol = getattr(mx.sym, name)(mx.sym.var("x"), mx.sym.var("l"), use_sequence_length=True)
    executor = symbol.bind(mx.cpu(), {"x": DATA, "l": lengths})
    with pytest.raises(mx.MXNetError, match="sequence_length must be"):
        executor.forward()


def test_masks_take_lengths_of_any_size():
    found = nd.SequenceMask(DATA, nd.array([-1, 9]), use_sequence_length=True).asnumpy()
    assert not found[:, 0].any() and np.array_equal(found[:, 1], DATA.asnumpy()[:, 1])


@pytest.mark.parametrize("box", [(-1, 0, 2, 2), (0, -2, 2, 2), (0, 0, 0, 2), (0, 0, 2, -1)])
def test_parts_of_images_that_are_not_there_are_refused(box):
    image = nd.arange(75, dtype="uint8").reshape((5, 5, 3))
    with pytest.raises(mx.MXNetError, match="a part of an image begins in it and is not empty"):
        mx.image.fixed_crop(image, *box)
    assert mx.image.fixed_crop(image, 3, 3, 4, 4).shape == (2, 2, 3)  # cut at the border, as ever
    for call in (mx.image.center_crop, mx.image.random_crop):
        with pytest.raises(mx.MXNetError, match="part of an image"):
            call(image, (0, 2))
    with pytest.raises(mx.MXNetError, match="part of an image"):
        mx.gluon.data.vision.transforms.CenterCrop(-1)(image)


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "softmin"])
@pytest.mark.parametrize("dtype, data", [("float32", [1e38, 2e38, 1.001e38]), ("float16", [1e4, 2e4, 1.1e4])])
def test_low_temperatures_do_not_overflow(name, dtype, data):
    def run(dtype):
        x = nd.array([data, [1, 2, 3]], dtype=dtype)
        x.attach_grad()
        with autograd.record():
            y = getattr(nd, name)(x, temperature=0.25)
        y.backward(nd.array([[1, 2, -1], [1, 2, -1]], dtype=dtype))
        return y, x.grad

    for found, truth in zip(run(dtype), run("float64"), strict=True):
        with np.errstate(over="ignore"):
            expected = truth.asnumpy().astype(dtype)
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=5e-3 if dtype == "float16" else 1e-5, atol=1e-3)


def test_the_gradient_of_hypot_at_the_origin_is_zero():
    with mx.util.np_shape(True), mx.util.np_array(True):
        calls = [(nd, nd.broadcast_hypot), (mx.np, mx.np.hypot)]
        for F, call in calls:
            x, y = F.array([0.0, 3.0]), F.array([0.0, 4.0])
            x.attach_grad()
            y.attach_grad()
            with autograd.record():
                result = call(x, y)
            result.backward()
            np.testing.assert_allclose(x.grad.asnumpy(), [0, 0.6])
            np.testing.assert_allclose(y.grad.asnumpy(), [0, 0.8])


@pytest.mark.parametrize("name", ["sinh", "cosh", "arccosh", "arcsinh"])
def test_hyperbolic_functions_near_the_largest_number(name):
    points = ([1e20, 3e38, 1.5] if name.startswith("arc") else [89, 89.4, 1.5]) * 20  # torch has other code for a few
    found = {}
    for dtype in ("float32", "float64"):
        x = nd.array(np.array(points, "float32"), dtype=dtype)
        x.attach_grad()
        with autograd.record():
            y = getattr(nd, name)(x)
        y.backward()
        found[dtype] = y.asnumpy(), x.grad.asnumpy()
    for one, truth in zip(*found.values(), strict=True):
        np.testing.assert_allclose(one, truth, rtol=2e-6, atol=1e-44)
