"""Elementwise operators and reductions by their rules: broadcasting, integer arithmetic, axes, edges of gradients."""

import operator

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st

import mxnet as mx
from mxnet.ops import registry
from mxnet.ops.elementwise import as_dtype
from mxnet.ops.infer import infer_dtypes, infer_shapes, read_shape

quick = settings(deadline=None, max_examples=60)

INTEGERS = ("int8", "uint8", "int32", "int64")
SHAPES = hnp.array_shapes(max_dims=4, max_side=4)


def nd(array):
    return mx.nd.array(array, dtype=array.dtype)


def internal(name):
    return getattr(mx.nd, name, None) or getattr(mx.nd._internal, name)


def numbers(shape, dtype, low=-9, high=9, seed=0):
    """Whole numbers, so that every dtype holds them and sums are exact; never 0 if low > 0."""
    random = np.random.RandomState(seed)
    return random.randint(max(low, 0) if np.dtype(dtype).kind == "u" else low, high, size=shape).astype(dtype)


# ---- broadcasting ----------------------------------------------------------------------------------------------------

BINARY = {
    "broadcast_add": np.add,
    "broadcast_sub": np.subtract,
    "broadcast_mul": np.multiply,
    "broadcast_mod": np.mod,
    "broadcast_maximum": np.maximum,
    "broadcast_minimum": np.minimum,
    "broadcast_equal": np.equal,
    "broadcast_not_equal": np.not_equal,
    "broadcast_greater": np.greater,
    "broadcast_greater_equal": np.greater_equal,
    "broadcast_lesser": np.less,
    "broadcast_lesser_equal": np.less_equal,
    "broadcast_logical_and": np.logical_and,
    "broadcast_logical_or": np.logical_or,
    "broadcast_logical_xor": np.logical_xor,
}


@quick
@given(
    shapes=hnp.mutually_broadcastable_shapes(num_shapes=2, min_dims=1, max_dims=5, max_side=3),
    dtype=st.sampled_from(("float32", "float64", "float16", *INTEGERS)),
    name=st.sampled_from(sorted(BINARY)),
)
def test_broadcasting_is_numpys(shapes, dtype, name):
    a, b = numbers(shapes.input_shapes[0], dtype), numbers(shapes.input_shapes[1], dtype, low=1, seed=1)
    with np.errstate(all="ignore"):
        expected = BINARY[name](a, b).astype(dtype)
    result = getattr(mx.nd, name)(nd(a), nd(b))
    assert result.shape == shapes.result_shape
    assert result.dtype is expected.dtype.type
    np.testing.assert_array_equal(result.asnumpy(), expected)


@quick
@given(a=SHAPES, b=SHAPES)
def test_shapes_that_do_not_broadcast_are_refused(a, b):
    x, y = nd(numbers(a, "float32")), nd(numbers(b, "float32", seed=1))
    try:
        shape = np.broadcast_shapes(a, b)
    except ValueError:
        with pytest.raises(mx.MXNetError, match="broadcast_add"):
            mx.nd.broadcast_add(x, y)
        with pytest.raises(mx.MXNetError, match="broadcast_add"):
            x + y
    else:
        assert (x + y).shape == shape
    if a != b:
        with pytest.raises(mx.MXNetError, match=r"elemwise_add.*same shape"):
            mx.nd.elemwise_add(x, y)
    else:
        np.testing.assert_array_equal(mx.nd.elemwise_add(x, y).asnumpy(), (x + y).asnumpy())


@quick
@given(
    shapes=hnp.mutually_broadcastable_shapes(num_shapes=2, min_dims=1, max_dims=4, max_side=3),
    name=st.sampled_from(("broadcast_add", "broadcast_mul", "broadcast_maximum", "broadcast_minimum")),
)
def test_the_gradient_of_what_was_broadcast_is_summed(shapes, name):
    """Each output hands its gradient to the inputs; in a tie of maximum or minimum, to the first."""
    a, b = (numbers(s, "float32", seed=i) for i, s in enumerate(shapes.input_shapes))
    x, y = nd(a), nd(b)
    x.attach_grad()
    y.attach_grad()
    with mx.autograd.record():
        z = getattr(mx.nd, name)(x, y)
    z.backward()
    wide_a, wide_b = np.broadcast_arrays(a, b)
    ones = np.ones(wide_a.shape)
    to_a, to_b = {
        "broadcast_add": (ones, ones),
        "broadcast_mul": (wide_b, wide_a),
        "broadcast_maximum": (wide_a >= wide_b, wide_a < wide_b),
        "broadcast_minimum": (wide_a <= wide_b, wide_a > wide_b),
    }[name]
    for array, grad in ((x, to_a), (y, to_b)):
        summed = torch.from_numpy(np.array(grad, dtype="float64")).sum_to_size(array.shape)
        np.testing.assert_array_equal(array.grad.asnumpy(), summed.numpy())


PYTHON = {
    "broadcast_add": operator.add,
    "broadcast_sub": operator.sub,
    "broadcast_mul": operator.mul,
    "broadcast_div": operator.truediv,
    "broadcast_mod": operator.mod,
    "broadcast_power": operator.pow,
    "broadcast_equal": operator.eq,
    "broadcast_not_equal": operator.ne,
    "broadcast_greater": operator.gt,
    "broadcast_greater_equal": operator.ge,
    "broadcast_lesser": operator.lt,
    "broadcast_lesser_equal": operator.le,
}


@pytest.mark.parametrize("dtype", ["float32", "float16", *INTEGERS])
@pytest.mark.parametrize("name", PYTHON)
def test_python_operators_are_the_operators(name, dtype):
    """The short path of ``x + y`` gives what the operator gives."""
    x, y = nd(numbers((3, 4), dtype)), nd(numbers((3, 4), dtype, low=1, high=4, seed=1))
    short, long = PYTHON[name](x, y), getattr(mx.nd, name)(x, y)
    assert short.dtype is long.dtype
    np.testing.assert_array_equal(short.asnumpy(), long.asnumpy())


@pytest.mark.parametrize("name", PYTHON)
def test_booleans_are_refused(name):
    x = nd(np.array([True, False]))
    with pytest.raises(mx.MXNetError, match="boolean"):
        getattr(mx.nd, name)(x, x)
    if name not in ("broadcast_add", "broadcast_mul"):
        with pytest.raises(mx.MXNetError, match="boolean"):
            PYTHON[name](x, x)


# ---- integers and numbers --------------------------------------------------------------------------------------------

SCALAR = {
    "_plus_scalar": np.add,
    "_minus_scalar": np.subtract,
    "_rminus_scalar": lambda a, n: np.subtract(n, a),
    "_mul_scalar": np.multiply,
    "_maximum_scalar": np.maximum,
    "_minimum_scalar": np.minimum,
    "_equal_scalar": np.equal,
    "_not_equal_scalar": np.not_equal,
    "_greater_scalar": np.greater,
    "_greater_equal_scalar": np.greater_equal,
    "_lesser_scalar": np.less,
    "_lesser_equal_scalar": np.less_equal,
    "_logical_and_scalar": np.logical_and,
    "_logical_or_scalar": np.logical_or,
    "_logical_xor_scalar": np.logical_xor,
}


@quick
@given(
    name=st.sampled_from(sorted(SCALAR)),
    dtype=st.sampled_from(INTEGERS),
    number=st.floats(-1e6, 1e6),
    data=st.data(),
)
def test_numbers_take_the_dtype_of_integers(name, dtype, number, data):
    limits = np.iinfo(dtype)
    array = data.draw(hnp.arrays(dtype, SHAPES, elements=st.integers(int(limits.min), int(limits.max))))
    converted = np.array(np.trunc(number)).astype("int64").astype(dtype)
    with np.errstate(over="ignore"):
        expected = SCALAR[name](array, converted).astype(dtype)
    result = internal(name)(nd(array), scalar=number)
    assert result.dtype is expected.dtype.type
    np.testing.assert_array_equal(result.asnumpy(), expected)


@quick
@given(dtype=st.sampled_from(INTEGERS), data=st.data())
def test_integer_division_truncates_and_never_traps(dtype, data):
    """Also by zero, which gives zero, and of the smallest number by -1, which wraps around."""
    limits = np.iinfo(dtype)
    edges = st.sampled_from((int(limits.min), int(limits.max), 0, 1, limits.max if limits.min == 0 else -1))
    element = edges | st.integers(int(limits.min), int(limits.max))
    a, b = (data.draw(hnp.arrays(dtype, (5,), elements=element)) for _ in range(2))

    def wrapped(values):
        span = 1 << limits.bits
        return [(v - int(limits.min)) % span + int(limits.min) for v in values]

    def quotient(x, y):
        return 0 if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)

    pairs = [(int(x), int(y)) for x, y in zip(a, b, strict=True)]
    assert (nd(a) / nd(b)).asnumpy().tolist() == wrapped(quotient(x, y) for x, y in pairs)
    assert (nd(a) % nd(b)).asnumpy().tolist() == [0 if y == 0 else x % y for x, y in pairs]
    number = data.draw(st.integers(-100, 100))
    there = wrapped([number])[0]
    divide, modulo = internal("_div_scalar"), internal("_mod_scalar")
    assert divide(nd(a), scalar=number).asnumpy().tolist() == wrapped(quotient(x, there) for x, _ in pairs)
    assert modulo(nd(a), scalar=number).asnumpy().tolist() == [0 if there == 0 else x % there for x, _ in pairs]
    divide, modulo = internal("_rdiv_scalar"), internal("_rmod_scalar")
    by_zero = int(limits.min) if limits.bits >= 32 else 0  # the original computes this one as a float
    assert divide(nd(a), scalar=number).asnumpy().tolist() == [
        w if x else by_zero for (x, _), w in zip(pairs, wrapped(quotient(there, x) for x, _ in pairs), strict=True)
    ]
    assert modulo(nd(a), scalar=number).asnumpy().tolist() == [0 if x == 0 else there % x for x, _ in pairs]


@pytest.mark.parametrize(
    ("number", "dtype", "expected"),
    [
        (2.9, torch.int32, 2),
        (-2.9, torch.int32, -2),
        (300, torch.uint8, 44),
        (-3.7, torch.uint8, 253),
        (300, torch.int8, 44),
        (3e9, torch.int32, -(2**31)),
        (3e9, torch.int8, 0),
        (2.0**53 + 2, torch.int64, 2**53 + 2),
        (float("nan"), torch.int64, -(2**63)),
        (float("-inf"), torch.int32, -(2**31)),
        (1e39, torch.float32, float("inf")),
        (70000, torch.float16, float("inf")),
        (0.1, torch.float16, 0.0999755859375),
    ],
)
def test_conversion_of_numbers(number, dtype, expected):
    assert as_dtype(number, dtype) == expected


@quick
@given(st.lists(st.integers(1, 1200), min_size=1, max_size=40))
def test_roots_and_powers_of_whole_numbers_are_exact(values):
    """Truncation to integers must not show the rounding of the floating-point way there."""
    n = np.array(values, dtype="int64")
    for name, given_, expected in (
        ("cbrt", n**3, n),
        ("sqrt", n**2, n),
        ("log2", 2 ** (n % 60), n % 60),
        ("log10", 10 ** (n % 18), n % 18),
    ):
        assert getattr(mx.nd, name)(nd(given_)).asnumpy().tolist() == expected.tolist()
    assert (nd(n) ** 2).asnumpy().tolist() == (n**2).tolist()
    assert mx.nd.gamma(nd(np.arange(1, 13))).asnumpy().tolist() == [int(np.prod(range(1, i))) for i in range(1, 13)]


@quick
@given(hnp.arrays("float32", SHAPES, elements=st.floats(-(2.0**25), 2.0**25, width=32)))
def test_rounding(values):
    x = nd(values)
    whole = np.trunc(values)
    away = whole + np.sign(values) * (np.abs(values.astype("float64") - whole) >= 0.5)
    np.testing.assert_array_equal(x.round().asnumpy(), away)
    below = np.floor(values)
    np.testing.assert_array_equal(x.rint().asnumpy(), below + (values.astype("float64") - below > 0.5))


# ---- reductions ------------------------------------------------------------------------------------------------------

REDUCTIONS = {
    "sum": np.sum,
    "mean": np.mean,
    "prod": np.prod,
    "nansum": np.nansum,
    "nanprod": np.nanprod,
    "max": np.max,
    "min": np.min,
    "_square_sum": lambda a, **kwargs: np.sum(a * a, **kwargs),
}


@st.composite
def reductions(draw):
    shape = draw(SHAPES)
    ndim = len(shape)
    axes = draw(st.lists(st.integers(0, ndim - 1), unique=True, max_size=ndim).map(tuple))
    axis = draw(st.sampled_from([tuple(a - ndim if draw(st.booleans()) else a for a in axes), None]))
    return shape, axis, draw(st.booleans()), draw(st.booleans())


@quick
@given(reductions(), st.sampled_from(sorted(REDUCTIONS)), st.sampled_from(("float64", "float32", "int64", "int32")))
def test_reductions_are_numpys(arguments, name, dtype):
    shape, axis, keepdims, exclude = arguments
    array = numbers(shape, dtype, low=1, high=3)
    ndim = len(shape)
    reduced = {a % ndim for a in axis} if axis else set(range(ndim))
    if exclude and axis:
        reduced = set(range(ndim)) - reduced
    expected = REDUCTIONS[name](array, axis=tuple(sorted(reduced)), keepdims=keepdims)
    if name == "mean" and array.dtype.kind == "i":
        expected = np.trunc(expected)
    expected = np.asarray(expected).astype(dtype)
    result = internal(name)(nd(array), axis=axis, keepdims=keepdims, exclude=exclude)
    assert result.shape == (expected.shape or (1,))
    assert result.dtype is expected.dtype.type
    np.testing.assert_allclose(result.asnumpy().reshape(expected.shape), expected, rtol=1e-6)
    op = registry.get(name)
    attrs = {"axis": axis, "keepdims": keepdims, "exclude": exclude}
    assert infer_shapes(op, [shape], op.parse(attrs))[1] == [result.shape]


@quick
@given(reductions(), st.sampled_from((1, 2)))
def test_norm_is_numpys(arguments, order):
    shape, axis, keepdims, _ = arguments
    array = numbers(shape, "float64")
    axes = tuple(a % len(shape) for a in axis) if axis else None
    powers = np.sum(np.abs(array) ** order, axis=axes, keepdims=keepdims)
    result = mx.nd.norm(nd(array), ord=order, axis=axis, keepdims=keepdims)
    assert result.shape == (np.shape(powers) or (1,))
    np.testing.assert_allclose(result.asnumpy().reshape(np.shape(powers)), powers if order == 1 else np.sqrt(powers))


@quick
@given(reductions())
def test_the_largest_elements_get_the_whole_gradient(arguments):
    shape, axis, keepdims, exclude = arguments
    x = nd(numbers(shape, "float32", low=0, high=3))
    x.attach_grad()
    with mx.autograd.record():
        y = mx.nd.max(x, axis=axis, keepdims=keepdims, exclude=exclude)
    y.backward()
    kept = mx.nd.max(x, axis=axis, keepdims=True, exclude=exclude).asnumpy()
    np.testing.assert_array_equal(x.grad.asnumpy(), x.asnumpy() == kept)


@quick
@given(hnp.arrays("float64", (4, 5), elements=st.floats(-100, 100)), st.sampled_from([(0,), (1,), (0, 1)]))
def test_moments(values, axes):
    mean, variance = mx.nd.moments(nd(values), axes=axes)
    np.testing.assert_allclose(mean.asnumpy().reshape(np.shape(values.mean(axes))), values.mean(axes), atol=1e-9)
    np.testing.assert_allclose(variance.asnumpy().reshape(np.shape(values.var(axes))), values.var(axes), atol=1e-9)


def test_reductions_of_nothing():
    empty = mx.nd.broadcast_axis(nd(np.ones((1, 3), dtype="float32")), axis=0, size=0)
    assert empty.shape == (0, 3)
    assert empty.sum(axis=0).asnumpy().tolist() == [0, 0, 0]
    assert empty.sum().shape == (1,)
    with pytest.raises(mx.MXNetError, match="max"):
        empty.max(axis=1)


def test_norm_of_half_precision_can_be_wider():
    x = nd(np.full(10000, 300, dtype="float16"))
    assert mx.nd.norm(x, out_dtype="float32").asscalar() == pytest.approx(30000)
    assert mx.nd.norm(x).dtype is np.float16
    assert mx.nd.multi_sum_sq(x, num_arrays=1).asscalar() == pytest.approx(9e8)


# ---- gradients that are MXNet's own ----------------------------------------------------------------------------------


def gradient(function, values, dtype="float32"):
    x = nd(np.array(values, dtype=dtype))
    x.attach_grad()
    x.grad[:] = 7  # a stale gradient must be overwritten
    with mx.autograd.record():
        y = function(x)
    y.backward()
    return x.grad.asnumpy().tolist()


@pytest.mark.parametrize(
    "function",
    [
        mx.nd.BlockGrad,
        mx.nd.zeros_like,
        mx.nd.ones_like,
        mx.nd.logical_not,
        mx.nd.round,
        mx.nd.sign,
        lambda x: x > 1,
        lambda x: x == x,
        mx.nd.floor,
    ],
)
def test_backward_from_a_constant_gives_zeros(function):
    assert gradient(function, [1, 2, 3]) == [0, 0, 0]


def test_nothing_flows_back_through_a_block():
    """The part behind it is not differentiated at all, so that its infinite slope cannot make NaN of zero."""
    assert gradient(lambda x: x * 2 + mx.nd.BlockGrad(mx.nd.sqrt(x)), [0, 4]) == [2, 2]
    assert gradient(lambda x: x * (mx.nd.sqrt(x) > 1), [0, 4]) == [0, 1]


def test_make_loss_ignores_the_gradient_from_above():
    assert gradient(lambda x: mx.nd.make_loss(x * 3) * 100, [1, 2]) == [3, 3]


def test_broadcast_like_gives_its_pattern_zeros():
    assert gradient(lambda x: mx.nd.broadcast_like(nd(np.ones((1, 2), "float32")), x), [[1, 2], [3, 4]]) == [[0, 0]] * 2


def test_gradients_can_be_differentiated_again():
    x = nd(np.array([0.5, 2.0], dtype="float64"))
    x.attach_grad()
    for function, second in (
        (mx.nd.cbrt, -2 / 9 * x.asnumpy() ** (-5 / 3)),
        (lambda v: mx.nd.broadcast_maximum(v, v * 0 + 1) ** 2, 2 * (x.asnumpy() >= 1)),
    ):
        with mx.autograd.record():
            first = mx.autograd.grad(function(x), [x], create_graph=True, retain_graph=True)[0]
        first.backward()
        np.testing.assert_allclose(x.grad.asnumpy(), second, rtol=1e-6)


# ---- the rest --------------------------------------------------------------------------------------------------------


def test_reset_arrays_in_place():
    x, y = nd(np.ones((2, 3), "float32")), nd(np.ones(4, "int32"))
    view = x[0:1]
    x.attach_grad()
    assert mx.nd.reset_arrays(x, y, num_arrays=2) == []
    assert x.asnumpy().sum() == y.asnumpy().sum() == view.asnumpy().sum() == 0


def test_all_finite_can_add_to_an_earlier_finding():
    good, bad = nd(np.ones(3, "float32")), nd(np.array([1, np.nan], "float32"))
    out = nd(np.ones(1, "float32"))
    for array, expected in ((good, 1), (bad, 0), (good, 0)):
        mx.nd.all_finite(array, init_output=False, out=out)
        assert out.asscalar() == expected
    mx.nd.multi_all_finite(good, good, num_arrays=2, out=out)
    assert out.asscalar() == 1


def test_mixed_precision_casts():
    half, single, double = (nd(np.ones(2, t)) for t in ("float16", "float32", "float64"))
    kinds = [a.dtype for a in mx.nd.amp_multicast(half, single, double, num_outputs=3)]
    assert kinds == [np.float32, np.float32, np.float64]
    assert mx.nd.amp_multicast(half, num_outputs=1).dtype == half.dtype  # an array, not a list of one
    kinds = [a.dtype for a in mx.nd.amp_multicast(half, single, num_outputs=2, cast_narrow=True)]
    assert kinds == [np.float16, np.float16]
    assert mx.nd.amp_cast(double, dtype="float16").dtype is np.float64
    assert infer_dtypes(registry.get("amp_cast"), [torch.float64], {"dtype": torch.float16})[1] == [torch.float64]


@pytest.mark.parametrize(
    ("name", "dtypes", "attrs", "outputs"),
    [
        ("Cast", [None], {"dtype": torch.float16}, [torch.float16]),
        ("_plus_scalar", [torch.bool], {"scalar": 1.0}, [torch.int64]),
        ("_plus_scalar", [torch.int32], {"scalar": 1.0, "is_int": False}, [torch.float64]),
        ("_plus_scalar", [None], {"scalar": 1.0}, [None]),
        ("broadcast_lesser", [torch.float16, None], {}, [torch.float16]),
        ("norm", [torch.float32], {"out_dtype": torch.float64}, [torch.float64]),
        ("moments", [torch.float16], {"axes": (0,)}, [torch.float16, torch.float16]),
        ("all_finite", [torch.float16], {}, [torch.float32]),
        ("multi_sum_sq", [torch.float16, None], {"num_arrays": 2}, [torch.float32]),
        ("broadcast_like", [torch.float16, torch.float32], {}, [torch.float16]),
    ],
)
def test_inferred_dtypes(name, dtypes, attrs, outputs):
    assert infer_dtypes(registry.get(name), dtypes, attrs)[1] == outputs


@pytest.mark.parametrize(
    ("name", "shapes", "inputs", "outputs"),
    [
        ("exp", [None], [(2, 3)], [(2, 3)]),
        ("elemwise_add", [(2, 0), (0, 3)], [(2, 3), (2, 3)], [(2, 3)]),
        ("add_n", [(2, 3), None], [(2, 3), (2, 3)], [(2, 3)]),
        ("_mul_scalar", [None], [(2, 3)], [(2, 3)]),
        ("broadcast_add", [(0, 3), (3,)], [(0, 3), (3,)], [(2, 3)]),
    ],
)
def test_inferred_shapes(name, shapes, inputs, outputs):
    op = registry.get(name)
    attrs = {"num_args": 2} if name == "add_n" else {}
    found = infer_shapes(op, [*map(read_shape, shapes)], attrs, [(2, 3)])
    assert found == ([*map(read_shape, inputs)], outputs)


def test_zeros_of_both_signs_do_not_meet():
    """They are equal, and what is kept of numbers must not confuse them."""
    for module in (mx.nd, mx.np):
        x = module.array(np.array([-1.0, 1.0]), dtype="float32")
        for zero in (-0.0, 0.0, 0, -0.0, 0.0):
            with np.errstate(all="ignore"):
                expected = np.array([-1.0, 1.0], "float32") / np.float32(zero)
                powers = np.float32(zero) ** np.array([-1.0, 1.0], "float32")
            assert (x / zero).asnumpy().tolist() == expected.tolist()
            if module is mx.np:
                assert (zero**x).asnumpy().tolist() == powers.tolist()
