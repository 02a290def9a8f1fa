"""Ties, kinks, poles, bounds, NaN and infinities: what the original gives there, whatever version of torch is used."""

import functools
import re

import numpy as onp
import pytest
import special_point_cases as cases
from compare import load_golden

import mxnet as mx
from mxnet import autograd, gluon, nd, npx

TOLERANCE = {"float16": 2e-2, "float32": 2e-5, "float64": 2e-5}


def is_zero(theirs, mine):
    return (mine == 0) & ~onp.isfinite(theirs)


def is_nan(theirs, mine):
    return onp.isnan(mine)


def is_number(theirs, mine):
    return ~onp.isnan(mine) & onp.isnan(theirs)


def is_infinite(theirs, mine):
    return onp.isinf(mine) & (onp.abs(theirs) > 1e300)


def is_finite(theirs, mine):
    return onp.isfinite(mine) & onp.isinf(theirs)


def is_negated(theirs, mine):
    return mine == -theirs


#: Where we differ on purpose: in which expressions and arrays, how, and why.
OTHERWISE = [
    (r"power\(|\*\*", ".", is_zero, "a power with exponent 0 is constant, and so is one of 0: the original says NaN"),
    (r"prod\(", "[a-z]$", is_number, "the product of the other factors; the original divides by zero"),
    (r"norm\([zet]", ".", is_number, "zero at the origin, where the original divides by zero; infinite, not NaN"),
    (r"rsqrt\(x\)", "x", is_negated, "the sign of an infinity at -0.0"),
    (r"(arctan2|hypot)\(p, q\)", "[pq]", is_zero, "zero at the origin, where the original divides by zero"),
    (r"copysign\(p, q\)", ".", is_negated, "NumPy's result for -0.0, which the original takes for positive"),
    (r"percentile\(t", "out0", is_number, "the infinity that stands there; the original adds zero times another"),
    (r"softmax\(a\)", ".", is_nan, "NaN and infinite scores make NaN of their row; the original's kernels drop some"),
    (r"gelu", "out0", is_nan, "oneDNN has NaN for an infinity"),
    (r"gammaln", "x", is_infinite, "the original's largest float64 at minus infinity"),
    (r"x \*\* 0.5", ".", is_nan, "graphs take the square root, which minus infinity has none of"),
    (r"x \*\* 0.5", "x", is_negated, "the sign of an infinity at -0.0"),
    (
        r"L2Normalization",
        ".",
        is_number,
        "zeros have a finite result; the original's float16 rounds eps to zero, and divides by it",
    ),
    (r"softmax_cross_entropy", "out0", is_finite, "the original's float16 takes the logarithm of zero"),
]


@functools.cache
def golden():
    return load_golden("special_points.json.gz")


def unexplained(expression, name, theirs, mine, tolerance):
    """Where two arrays differ, and no rule says why."""
    theirs, mine = onp.asarray(theirs, float), onp.asarray(mine, float)
    assert theirs.shape == mine.shape
    if re.search(r"(relu|activation)\(x", expression.lower()):  # NaN has another gradient for each dtype there
        theirs, mine = theirs[:-1], mine[:-1]
    if "slope=0" in expression and name == "out0":  # zero times infinity, which one of its kernels makes zero
        theirs, mine = theirs[1:], mine[1:]
    differ = ~onp.isclose(mine, theirs, rtol=tolerance, atol=tolerance, equal_nan=True)
    for pattern, array, explains, _ in OTHERWISE:
        if re.search(pattern, expression) and re.match(array, name):
            differ &= ~explains(theirs, mine)
    return onp.argwhere(differ).tolist()


def check(expression, dtype, theirs, mine):
    assert mine.keys() == theirs.keys()
    for name, value in theirs.items():
        places = unexplained(expression, name, value, mine[name], TOLERANCE[dtype])
        assert not places, f"{dtype} {name} at {places}: {mine[name].tolist()} instead of {value}"


@pytest.fixture
def numpy_semantics():
    npx.set_np()
    yield
    npx.reset_np()


def test_classic_is_complete():
    assert set(golden()["classic"]) == set(cases.CLASSIC) and set(golden()["numpy"]) == set(cases.NUMPY)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("expression", cases.CLASSIC)
def test_classic(expression):
    for dtype, theirs in golden()["classic"][expression].items():
        check(expression, dtype, theirs, cases.run(mx, expression, dtype, nd.array))


@pytest.mark.parametrize("expression", cases.NUMPY)
def test_numpy(expression, numpy_semantics):
    for dtype, theirs in golden()["numpy"][expression].items():
        check(expression, dtype, theirs, cases.run(mx, expression, dtype, mx.np.array))


def hybrid(expression):
    """The expression as a hybridized block."""

    class Expression(gluon.HybridBlock):
        def hybrid_forward(self, F, *arrays):
            return cases.evaluate(expression, dict(zip(names, arrays, strict=True)), mx, F)

    names = cases.names_in(expression)
    block = Expression()
    block.hybridize()
    return lambda arrays: block(*(arrays[name] for name in names))


# Symbols have no constants, and sparse storage is not for hybridized blocks.
GRAPHS = [e for e in cases.CLASSIC if not re.search(r"nd\.array|sparse|\[", e)]


@pytest.mark.parametrize("expression", GRAPHS)
def test_hybridized(expression):
    theirs = golden()["classic"][expression]["float32"]
    check(expression, "float32", theirs, cases.run(mx, expression, "float32", nd.array, hybrid(expression)))


@pytest.mark.parametrize("expression", [e for e in cases.NUMPY if not re.search(r"np\.array|unique|histogram", e)])
def test_numpy_hybridized(expression, numpy_semantics):
    theirs = golden()["numpy"][expression]["float32"]
    check(expression, "float32", theirs, cases.run(mx, expression, "float32", mx.np.array, hybrid(expression)))


# ---- what is ours alone ----------------------------------------------------------------------------------------------


def gradient(function, values, head=None):
    x = nd.array(values)
    x.attach_grad()
    with autograd.record():
        y = function(x)
    y.backward(head)
    return y.asnumpy().tolist(), x.grad.asnumpy().tolist()


def test_nan_wins_in_a_window():
    for kernel, stride in (((2, 2), (2, 2)), ((3, 3), (1, 1))):
        x = onp.arange(16, dtype="float32").reshape(1, 1, 4, 4)
        x[0, 0, 1, 1] = onp.nan
        found, slope = gradient(lambda x: nd.Pooling(x, kernel=kernel, stride=stride, pool_type="max"), x)  # noqa: B023
        assert onp.isnan(found[0][0][0][0])
        assert slope[0][0][1][1] == onp.isnan(found).sum()


@pytest.mark.parametrize("size", [6, 24, 40, 3000])
def test_equal_elements_keep_their_order(size):
    values = (onp.arange(size) * 7 % 3).astype("float32")
    for up in (True, False):
        found = nd.argsort(nd.array(values), is_ascend=up).asnumpy()
        assert found.tolist() == onp.argsort(values if up else -values, kind="stable").tolist()
        order = nd.topk(nd.array(values), k=size, is_ascend=up).asnumpy()
        assert order.tolist() == found.tolist()
    assert nd.argmax(nd.array(values), axis=0).asscalar() == onp.argmax(values)
    assert nd.argmin(nd.array(values), axis=0).asscalar() == onp.argmin(values)


def test_second_gradients_of_bounds():
    """The gradient of a gradient that has a mask of its own."""
    for function, inside in (
        (lambda x: nd.clip(x, -1, 1), [0, 1, 1, 1, 0]),
        (lambda x: nd.maximum(x, -1), [0, 1, 1, 1, 1]),
        (lambda x: nd.minimum(x, 1), [1, 1, 1, 1, 0]),
    ):
        x = nd.array([-2.0, -1, 0.5, 1, 2])
        x.attach_grad()
        with autograd.record():
            y = function(x)
            (first,) = autograd.grad((y * y).sum(), [x], create_graph=True, retain_graph=True)
            total = (first * first).sum()
        total.backward()
        assert first.asnumpy().tolist() == [2 * a * b for a, b in zip(y.asnumpy().tolist(), inside, strict=True)]
        assert x.grad.asnumpy().tolist() == [8 * a * b for a, b in zip(y.asnumpy().tolist(), inside, strict=True)]


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_gradients_of_integers(dtype):
    """As the original prints them."""
    expected = {
        "nd.maximum(x, 2)": ([0, 2, 3, 4, 5], [0] * 5),
        "nd.minimum(x, 2)": ([1, 2, 0, 0, 5], [0] * 5),
        "nd.broadcast_maximum(x, y)": ([0, 2, 3, 0, 0], [1, 0, 0, 4, 5]),
        "nd.broadcast_minimum(x, y)": ([1, 2, 0, 4, 5], [0, 0, 3, 0, 0]),
        "nd.clip(x, 2, 3)": ([0, 2, 3, 0, 5], [0] * 5),
        "nd.broadcast_mod(x, y)": ([0] * 5, [0] * 5),
        "x % 2": ([0] * 5, [0] * 5),
        "5 % x": ([0] * 5, [0] * 5),
        "nd.smooth_l1(x)": ([1, 2, 3, 4, 5], [0] * 5),
        "nd.max(x)": ([0, 0, 0, 1, 0], [0] * 5),
        "nd.broadcast_power(x, nd.ones_like(x) * 2)": ([2, 8, 18, 32, 20], [0] * 5),
    }
    for expression, gradients in expected.items():
        x, y = nd.array([1, 2, 3, 4, 2], dtype=dtype), nd.array([2, 2, 2, 5, 3], dtype=dtype)
        x.attach_grad()
        y.attach_grad()
        with autograd.record():
            z = eval(expression, {"nd": nd, "x": x, "y": y})
        z.backward(nd.arange(1, 1 + z.size).astype(dtype))
        assert (x.grad.asnumpy().tolist(), y.grad.asnumpy().tolist()) == gradients, expression
