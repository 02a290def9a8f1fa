"""Operators at the edges of what they are given; the expected numbers were printed by MXNet 1.9.1."""

import math

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, nd


def gradients(function, *arrays, head=None):
    """The result and the gradient of each array."""
    for array in arrays:
        array.attach_grad()
    with autograd.record():
        result = function(*arrays)
    result.backward(head)
    return [result.asnumpy(), *(array.grad.asnumpy() for array in arrays)]


@pytest.mark.parametrize(
    ("shape", "divisor"), [((4,), 1), ((1,), 1), ((3, 1), 3), ((2, 3), 2), ((2, 3, 4), 6), ((2, 3, 4, 5), 24)]
)
def test_make_loss_divides_by_all_dimensions_but_the_last(shape, divisor):
    expected = np.full(shape, 2 / divisor, "float32")
    data = nd.ones(shape)
    loss = gradients(lambda x: nd.MakeLoss(x, normalization="batch", grad_scale=2.0), data)[1]
    np.testing.assert_allclose(loss, expected, rtol=1e-6)
    bound = mx.sym.MakeLoss(mx.sym.var("x"), normalization="batch", grad_scale=2.0).bind(
        mx.cpu(), {"x": data}, {"x": nd.zeros(shape)}
    )
    bound.forward(is_train=True)
    bound.backward()
    np.testing.assert_allclose(bound.grad_dict["x"].asnumpy(), expected, rtol=1e-6)


def test_arange_like_counts_in_the_precision_of_its_data():
    numbers = nd.contrib.arange_like(nd.zeros((4,), dtype="float64"), start=0.1, step=0.3).asnumpy()
    np.testing.assert_allclose(numbers, [0.1, 0.4, 0.7, 1.0], rtol=1e-14)


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        ("int8", [-4, -2, -2, 0, 0, 2, 127, 127, 127, -128, 127, 127, -128]),
        ("uint8", [0, 0, 0, 0, 0, 2, 201, 254, 255, 0, 255, 128, 0]),
        ("int32", [-4, -2, -2, 0, 0, 2, 201, 254, 300, -(2**31), 2**31 - 1, 128, -129]),
    ],
)
def test_amp_cast_rounds_floats_to_integers(dtype, expected):
    numbers = nd.array([-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 200.7, 254.5, 300.0, -1e10, 1e10, 127.5, -128.6])
    assert nd.amp_cast(numbers, dtype=dtype).asnumpy().tolist() == expected
    # float16 is cut off, as by `cast`
    assert nd.amp_cast(numbers[:6].astype("float16"), dtype=dtype).asnumpy()[-1] == 1
    gradient = gradients(lambda x: nd.amp_cast(x, dtype=dtype).astype("float32") * 1.7, nd.array([2.5, 3.0]))[1]
    assert gradient.tolist() == [1, 1]


@pytest.mark.parametrize("clip", [-1.0, 0.0, 0.3])
def test_signsgd_does_not_clip(clip):
    weight = nd.signsgd_update(nd.ones(3), nd.array([0.5, -1.5, 0.0]), lr=0.1, clip_gradient=clip)
    np.testing.assert_allclose(weight.asnumpy(), [0.9, 1.1, 1.0], rtol=1e-6)


@pytest.mark.parametrize(
    ("clip", "scale", "left"),
    [(-1.0, 0.1, [0.05, -0.15, 2.0]), (0.3, 1.0, [0.3, -0.3, 0.3]), (0.3, 0.1, [0.05, -0.15, 0.3]), (0.3, 0.0, None)],
)
def test_adamw_leaves_the_gradient_that_it_used(clip, scale, left):
    given = [0.5, -1.5, 20.0]
    grad, states = nd.array(given), [nd.zeros(3), nd.zeros(3)]
    nd.contrib.adamw_update(nd.ones(3), grad, *states, nd.array([scale]), lr=0.1, eta=1.0, clip_gradient=clip)
    np.testing.assert_allclose(grad.asnumpy(), given if left is None else left, rtol=1e-6)
    half = nd.array(given, dtype="float16")
    nd.contrib.mp_adamw_update(
        nd.ones(3, dtype="float16"), half, *states, nd.ones(3), nd.array([scale]), lr=0.1, eta=1.0, clip_gradient=clip
    )
    assert half.asnumpy().tolist() == given


EXTREMES = {
    "softsign": ([-math.inf, -1e10, -1e6, 0.0, 1e6, math.inf], [0.0, 1e-20, 9.99998e-13, 1.0, 9.99998e-13, 0.0]),
    "expm1": ([-50.0, -20.0, -1.0, 0.0, 1.0], [1.92875e-22, 2.06115e-9, 0.367879, 1.0, 2.718282]),
    "arcsinh": ([-1e30, -1e20, 0.0, 1.0, 1e20], [1e-30, 1e-20, 1.0, 0.7071068, 1e-20]),
}


@pytest.mark.parametrize("name", EXTREMES)
def test_gradients_at_extremes(name):
    numbers, expected = EXTREMES[name]
    for function in (getattr(nd, name), getattr(mx.np, name, None), lambda x: nd.Activation(x, act_type="softsign")):
        if function is None or ("lambda" in function.__name__ and name != "softsign"):
            continue
        kind = mx.np.array if function is getattr(mx.np, name, None) else nd.array
        gradient = gradients(function, kind(numbers))[1]
        np.testing.assert_allclose(gradient, np.array(expected, "float32"), rtol=1e-5)


@pytest.mark.parametrize("name", EXTREMES)
def test_their_second_gradients(name):
    x = nd.array([-0.5, 0.25, 2.0])
    x.attach_grad()
    with autograd.record():
        first = autograd.grad(getattr(nd, name)(x), x, create_graph=True, retain_graph=True)[0]
    first.backward()
    numbers = x.asnumpy().astype("float64")
    expected = {
        "softsign": -2 * np.sign(numbers) / (1 + abs(numbers)) ** 3,
        "expm1": np.exp(numbers),
        "arcsinh": -numbers / (1 + numbers**2) ** 1.5,
    }
    np.testing.assert_allclose(x.grad.asnumpy(), expected[name], rtol=1e-5)


@pytest.mark.parametrize(
    ("norm", "shape", "channels"),
    [
        (lambda *args: nd.LayerNorm(*args), (3, 1), 1),
        (lambda *args: nd.LayerNorm(*args, axis=0), (1, 4), 1),
        (lambda *args: nd.GroupNorm(*args, num_groups=3), (2, 3, 1), 3),
        (lambda *args: nd.InstanceNorm(*args), (2, 3, 1), 3),
    ],
    ids=["layer", "first axis", "group", "instance"],
)
def test_one_number_is_normalized_to_zero_exactly(norm, shape, channels):
    data = nd.array(np.random.RandomState(0).rand(*shape) * 1000)
    head = nd.array(np.random.RandomState(1).rand(*shape))
    result, *found = gradients(norm, data, nd.full((channels,), 1.7), nd.full((channels,), 0.3), head=head)
    assert (result == np.float32(0.3)).all()
    assert not found[0].any() and not found[1].any()
    assert abs(found[2].sum() - head.asnumpy().sum()) < 1e-5


def test_layer_norm_of_one_number_gives_its_statistics():
    out = nd.LayerNorm(nd.array([[5.0], [7.0]]), nd.ones(1), nd.zeros(1), eps=0.01, output_mean_var=True)
    assert [o.asnumpy().round(6).ravel().tolist() for o in out] == [[0, 0], [5, 7], [np.float32(0.1).round(6)] * 2]


@pytest.mark.parametrize("count", [0, 2, 4])
def test_softmax_of_a_vector_with_a_length(count):
    data = nd.array([1.0, 2.0, 3.0, 4.0])
    expected = np.zeros(4)
    expected[:count] = np.exp(data.asnumpy()[:count]) / np.exp(data.asnumpy()[:count]).sum()
    length = nd.array([count], dtype="int32")
    np.testing.assert_allclose(nd.softmax(data, length, use_length=True).asnumpy(), expected, rtol=1e-5)
    symbol = mx.sym.softmax(mx.sym.var("data"), mx.sym.var("length"), use_length=True)
    assert symbol.infer_shape(data=(4,))[0] == [(4,), (1,)]
    bound = symbol.bind(mx.cpu(), {"data": data, "length": length})
    np.testing.assert_allclose(bound.forward()[0].asnumpy(), expected, rtol=1e-5)


@pytest.mark.parametrize("count", [3, 64])  # torch has other code for few elements
@pytest.mark.parametrize(
    ("number", "divisor", "rest", "of_divisor"),
    [
        (-3e38, 0.7, 0.4921915, None),
        (-3e38, -0.7, -0.2078085, None),
        (-1e20, 1e-20, 8.357652e-21, None),
        (3.0, -1e-40, -7.465e-41, None),
        (3.0, -math.inf, -math.inf, 0.0),
        (5.5, 3.0, 2.5, -1.0),
        (-5.5, 3.0, 0.5, 2.0),
        (5.5, 0.0, 0.0, None),
    ],
)
def test_remainders_of_any_magnitude(number, divisor, rest, of_divisor, count):
    lhs, rhs = nd.full((count,), number), nd.full((count,), divisor)
    if of_divisor is not None:
        found = gradients(lambda a, b: a % b, lhs, rhs)
        assert found[1].tolist() == [1.0] * count and found[2].tolist() == [of_divisor] * count
        assert gradients(lambda b: number % b, rhs)[1].tolist() == [of_divisor] * count
    for result in (lhs % rhs, lhs % divisor, number % rhs, mx.nd.broadcast_mod(lhs, rhs[:1])):
        np.testing.assert_allclose(result.asnumpy(), np.full(count, rest, "float32"), rtol=1e-4)


@pytest.mark.parametrize("stype", ["row_sparse", "csr"])
def test_hybridized_views_of_sparse_inputs(stype, monkeypatch):
    monkeypatch.setenv("MXNET_STORAGE_FALLBACK_LOG_VERBOSE", "0")

    class Views(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x, lengths):
            turned = F.SequenceReverse(x, lengths, use_sequence_length=True)
            return F.transpose(x), F.reshape(x, (2, 6)), F.slice_axis(x, axis=0, begin=1, end=3), turned

    numbers = np.arange(12, dtype="float32").reshape(4, 3)
    net = Views()
    net.hybridize()
    with autograd.record():
        found = [r.asnumpy() for r in net(nd.array(numbers).tostype(stype), nd.array([1, 2, 4]))]
    turned = [[0, 4, 11], [3, 1, 8], [6, 7, 5], [9, 10, 2]]
    for result, expected in zip(found, (numbers.T, numbers.reshape(2, 6), numbers[1:3], turned), strict=True):
        np.testing.assert_array_equal(result, expected)


def test_recorded_images_of_bytes_have_the_same_numbers():
    image = nd.array((np.arange(4 * 6 * 3) * 37 % 251).reshape(4, 6, 3), dtype="uint8")
    for size, interp in (((3, 2), 1), ((9, 7), 3), ((9, 7), 4)):
        plain = nd.image.resize(image, size=size, interp=interp)
        found = gradients(lambda x, s=size, i=interp: nd.image.resize(x, size=s, interp=i), image.copy())[0]
        np.testing.assert_array_equal(found, plain.asnumpy())
    assert nd.image.resize(image, size=(3, 2)).asnumpy()[0, 0].tolist() == [75, 112, 149]
    swapped = nd.transpose(image, (2, 0, 1))
    found = gradients(lambda x: nd.image.normalize(x, mean=0.5, std=2.0), swapped)[0]
    np.testing.assert_array_equal(found, ((swapped.asnumpy() - 0.5) / 2).astype("uint8"))


def test_normal_numbers_of_float16_parameters_are_rounded_after_each_step():
    mx.random.seed(0)
    found = nd.sample_normal(nd.full((6,), 3, dtype="float16"), nd.full((6,), 15, dtype="float16"))
    assert found.asnumpy().tolist() == [36.1875, 14.609375, 18.65625, 20.765625, 31.375, -15.515625]


def test_products_without_elements_with_a_factor():
    with mx.np_shape(True):
        for shape, expected in (((2, 0), (2, 2)), ((0, 2), (0, 0)), ((0, 3, 3), (0, 3, 3))):
            found = nd.linalg.syrk(nd.zeros(shape), alpha=2.0)
            assert found.shape == expected and not found.asnumpy().any()


@pytest.mark.parametrize(
    ("function", "count", "expected"),
    [
        (nd.floor, 1, [[0, 0, 0]]),
        (nd.round, 1, [[0, 0, 0]]),
        (nd.cumsum, 1, [[21, 14, 7]]),
        (lambda x: nd.cumsum(x, dtype="int64"), 1, [[21, 14, 7]]),
        (nd.add_n, 3, [[7, 7, 7]] * 3),
        (nd._internal._identity_with_attr_like_rhs, 2, [[7, 7, 7], [0, 0, 0]]),
        (nd.broadcast_like, 2, [[7, 7, 7], [0, 0, 0]]),
        (lambda x: x / 2, 1, [[3, 3, 3]]),
        (nd.contrib.sign_ste, 1, [[7, 7, 7]]),
        (lambda x: nd.contrib.gradientmultiplier(x, scalar=2.0), 1, [[14, 14, 14]]),
    ],
)
def test_gradients_of_integers(function, count, expected):
    arrays = [nd.array([1, 2, 3], dtype="int32") for _ in range(count)]
    for array in arrays:
        array.attach_grad()
    with autograd.record():
        result = function(*arrays)
    result.backward(nd.full((3,), 7, dtype=result.dtype))
    assert [array.grad.asnumpy().tolist() for array in arrays] == expected


def test_interpolations_without_a_gradient_can_be_recorded():
    image = nd.array(np.arange(6 * 8 * 3, dtype="float32").reshape(6, 8, 3))
    plain = nd.image.resize(image, size=(5, 4), interp=3).asnumpy()
    image.attach_grad()
    with autograd.record():
        result = nd.image.resize(image, size=(5, 4), interp=3)
    np.testing.assert_array_equal(result.asnumpy(), plain)
    with pytest.raises(mx.MXNetError, match="interp=3 has no gradient"):
        result.backward()


def test_prior_boxes_of_ratios_that_have_no_root():
    boxes = nd.contrib.MultiBoxPrior(nd.zeros((1, 3, 1, 2)), sizes=(1.0,), ratios=(1.0, -1.0, 0.0)).asnumpy()[0]
    assert boxes[0].tolist() == [0.0, 0.0, 0.5, 1.0] and np.isnan(boxes[1]).all()
    assert boxes[2].tolist() == [0.25, -math.inf, 0.25, math.inf]
