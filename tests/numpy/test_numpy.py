"""mx.np and mx.npx: against the original's recorded results, and against NumPy itself."""

import functools
import itertools
import json
import pickle
import re

import numpy as onp
import numpy_cases as cases
import pytest
import torch
from compare import load_golden

import mxnet as mx
from mxnet import np, npx, numpy_dispatch_protocol as protocol


@functools.cache
def golden():
    return load_golden("numpy.json.gz")


@pytest.fixture(autouse=True)
def numpy_semantics():
    npx.set_np()
    yield
    npx.reset_np()


#: Calls that the original refuses for no reason of NumPy's, and that work here.
BEYOND = {
    "float16 products, rounding and sorting": r"(matmul|dot|around|sort)\(.*float16",
    "booleans sort as in NumPy": r"np\.(arg)?sort\(x_bool",
    "booleans that broadcast": r"(bitwise_\w+|lcm)\(x_bool, y_bool|x_bool [&|^] y_bool",
    "an axis counted from the end": r"cumsum\(t, axis=-1",
    "a new axis of an array without dimensions": r"s\[None\]",
    "a number for each place of a slice": r"np\.insert\(f, slice",
    "the largest element as a norm": r"norm\(f, np\.inf",
}
#: Gradients and types that differ from the original's, each with its reason.
OTHERWISE = {
    "the original gives zeros for the gradient": r"\b(std|var|atleast_\dd|eigvalsh|eigh|pinv)\(",
    "the original turns the gradient the wrong way": r"rot90\(a\)",
    "the original gives the gradient to the elements that are not chosen": r"where\(h > 0, (h, 0|1, h)\)",
    "a condition is not part of a graph": r"where\(h > 0, [\d.]+, \d\)",
    "the original's gradient of the second argument is that of the first": r"arctan2\([\d.]+, ",
    "the original halves it": r"norm\(a, ord=1\)",
    "the original says NaN where a factor or base is 0": r"prod\(x_float32\)|power\(x_\w+, y_float32\)",
    "quotients on the edge of the next whole number": r"2 % u|mod\(1\.5, u\)",
}


def near(mine, theirs, dtype):
    tolerance = 4e-3 if dtype == "float16" else 2e-5 if dtype in ("float32", "float64") else 0
    return onp.allclose(
        onp.array(mine, float), onp.array(theirs, float), rtol=tolerance, atol=tolerance, equal_nan=True
    )


def same(mine, theirs):
    """Are two descriptions of results equal, apart from rounding?"""
    if mine[0] != theirs[0] or len(mine) != len(theirs):
        return False
    if mine[0] == "array":
        return mine[1:4] == theirs[1:4] and near(mine[4], theirs[4], mine[2])
    if mine[0] == "numpy":
        return mine[1:3] == theirs[1:3] and near(mine[3], theirs[3], mine[1])
    if mine[0] in ("list", "tuple"):
        return len(mine[1]) == len(theirs[1]) and all(itertools.starmap(same, zip(mine[1], theirs[1], strict=True)))
    if mine[0] == "number":
        return mine[1] == theirs[1] and near(mine[2], theirs[2], mine[1])
    if mine[0] == "float":
        return near(mine[1], theirs[1], "float32")
    return mine[1:] == theirs[1:]


def difference(expression, mine, theirs):
    """What differs between two runs of an expression, None if nothing does."""
    if theirs is None:
        allowed = mine is None or any(re.search(pattern, expression) for pattern in BEYOND.values())
        return None if allowed else "the original refuses it"
    if mine is None:
        return "it is refused"
    mine = json.loads(json.dumps(mine))
    if not same(mine["value"], theirs["value"]):
        return f"{mine['value']} instead of {theirs['value']}"
    if theirs.get("grad"):
        if not mine.get("grad"):
            return f"no gradient instead of {theirs['grad']}"
        for name, gradient in theirs["grad"].items():
            if not same(mine["grad"][name], gradient):
                return f"gradient of {name}: {mine['grad'][name]} instead of {gradient}"
    return None


def families():
    found = {}
    for expression in cases.expressions():
        head = re.match(r"(?:np|npx|onp)\.(?:linalg\.)?\w+", expression)
        found.setdefault(head.group() if head else "arrays", []).append(expression)
    return found


@pytest.mark.parametrize(("family", "expressions"), families().items(), ids=families())
def test_against_the_original(family, expressions):
    wrong = {}
    for expression in expressions:
        assert expression in golden()["expressions"], "the golden file is older than the expression"
        found = difference(expression, cases.run(mx, expression), golden()["expressions"][expression])
        if found is not None and not any(re.search(pattern, expression) for pattern in OTHERWISE.values()):
            wrong[expression] = found
    assert not wrong, "\n".join(f"{e}: {w}" for e, w in wrong.items())


@pytest.mark.parametrize("program", cases.statements())
def test_statement_against_the_original(program):
    mine, theirs = cases.run_statement(mx, program), golden()["statements"][program]
    assert (mine is None) is (theirs is None)
    if theirs is not None:
        assert same(json.loads(json.dumps(mine)), theirs)


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("name", cases.TRAININGS)
def test_training_against_the_original(name, hybridize):
    mine, theirs = cases.train(mx, name, hybridize), golden()["trainings"][name]
    onp.testing.assert_allclose(mine["losses"], theirs["losses"], rtol=2e-4)
    assert mine["output"][:4] == theirs["output"][:4]
    onp.testing.assert_allclose(mine["output"][4], theirs["output"][4], rtol=2e-3, atol=2e-4)


# ---- against NumPy itself --------------------------------------------------------------------------------------------

RANDOM = onp.random.default_rng(7)
SHAPES = [(), (1,), (4,), (0,), (2, 3), (3, 0), (1, 3), (2, 1, 3), (2, 3, 4)]
FLOATS = [name for name in cases.UNARY if hasattr(onp, name)]


@pytest.mark.parametrize("name", FLOATS)
def test_functions_of_one_array_are_those_of_numpy(name):
    for shape in SHAPES:
        values = RANDOM.uniform(0.1, 0.9, shape).astype("float32")
        if name == "arccosh":
            values += 1
        found, wanted = getattr(np, name)(np.array(values)), getattr(onp, name)(values)
        assert found.shape == wanted.shape
        onp.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", [n for n in cases.BINARY if n != "ldexp"])
def test_functions_of_two_arrays_broadcast_as_in_numpy(name):
    for left, right in itertools.product(SHAPES, SHAPES):
        x, y = (RANDOM.uniform(0.5, 2, shape).astype("float32") for shape in (left, right))
        try:
            wanted = getattr(onp, name)(x, y)
        except ValueError:
            with pytest.raises(mx.MXNetError):
                getattr(np, name)(np.array(x), np.array(y))
            continue
        found = getattr(np, name)(np.array(x), np.array(y))
        assert found.shape == wanted.shape
        assert found.dtype == onp.asarray(wanted).dtype
        onp.testing.assert_allclose(found.asnumpy(), wanted, rtol=2e-5)


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "std", "var", "max", "min", "all", "any"])
def test_reductions_are_those_of_numpy(name):
    for shape in [(4,), (2, 3), (1, 3), (2, 3, 4)]:
        values = RANDOM.uniform(0.5, 2, shape).astype("float32")
        axes = [None, *range(-len(shape), len(shape)), *itertools.combinations(range(len(shape)), 2)]
        for axis, keepdims in itertools.product(axes, (False, True)):
            found = getattr(np, name)(np.array(values), axis=axis, keepdims=keepdims)
            wanted = getattr(onp, name)(values, axis=axis, keepdims=keepdims)
            assert found.shape == wanted.shape
            onp.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-5)


_INDICES = [0, -1, slice(None), slice(1, None), slice(None, None, -1), slice(2, 0, -1), slice(1, 1), None, Ellipsis]
_ARRAYS = [[0, 1], [1, 0, 1], onp.array([[0], [1]]), onp.array([True, False, True])]


def test_indexing_is_that_of_numpy():
    values = onp.arange(36, dtype="float32").reshape(3, 3, 4)
    for key in itertools.chain(
        itertools.product(_INDICES, _INDICES),
        itertools.product(_ARRAYS, _INDICES),
        itertools.product(_INDICES, _ARRAYS),
    ):
        if sum(part is Ellipsis for part in key) > 1:
            continue
        try:
            wanted = values[key]
        except IndexError:
            with pytest.raises(IndexError):
                np.array(values)[key]
            continue
        found = np.array(values)[key]
        assert found.shape == wanted.shape, key
        onp.testing.assert_array_equal(found.asnumpy(), wanted)
        mine, theirs = np.array(values), values.copy()
        mine[key], theirs[key] = -1, -1
        onp.testing.assert_array_equal(mine.asnumpy(), theirs)


# ---- arrays of both kinds --------------------------------------------------------------------------------------------


def test_both_kinds_share_memory_and_history():
    x = np.array([1.0, 2.0])
    x.attach_grad()
    with mx.autograd.record():
        classic = (x * 2).as_nd_ndarray()
        y = (classic * classic).as_np_ndarray().sum()
    y.backward()
    assert type(classic) is mx.nd.NDArray
    assert type(x.grad) is np.ndarray
    assert x.grad.tolist() == [8, 16]
    x.as_nd_ndarray()[:] = 5
    assert x.tolist() == [5, 5]


def test_pickle_files_and_torch(tmp_path):
    x = np.array([[1, 2], [3, 4]], dtype="int32")
    for y in (pickle.loads(pickle.dumps(x)), np.array(x), x.copy()):
        assert type(y) is np.ndarray
        assert y.dtype == onp.int32
        assert (y == x).all()
    path = str(tmp_path / "arrays")
    npx.save(path, {"x": x, "zero": np.array(2.5), "empty": np.zeros((0, 3))})
    found = npx.load(path)
    assert {name: a.shape for name, a in found.items()} == {"x": (2, 2), "zero": (), "empty": (0, 3)}
    assert all(type(a) is np.ndarray for a in found.values())
    with pytest.raises(ValueError, match="ndarray"):
        npx.save(path, [mx.nd.ones(2)])
    x.as_torch()[0, 0] = 9
    assert x[0, 0] == 9
    assert torch.from_dlpack(x).tolist() == [[9, 2], [3, 4]]


def test_contexts():
    x = np.ones(2, ctx=mx.cpu(1))
    assert x.ctx == mx.cpu(1)
    assert type(x.as_in_ctx(mx.cpu())) is np.ndarray
    assert np.array(3.0, ctx=npx.cpu(1)).ctx == mx.cpu(1)


def test_random_numbers():
    npx.random.seed(3)
    first = np.random.uniform(size=(3, 2))
    mx.random.seed(3)
    assert (np.random.uniform(size=(3, 2)) == first).all()
    assert np.random.normal().shape == ()
    assert np.random.normal(np.zeros((2, 1)), np.ones(3)).shape == (2, 3)
    assert np.random.randint(5, size=(4,)).dtype == onp.int64
    assert np.random.rand(2, 3).shape == np.random.randn(2, 3).shape == (2, 3)
    assert sorted(np.random.choice(5, 5, replace=False).tolist()) == [0, 1, 2, 3, 4]
    assert int(np.random.multinomial(20, [0.2, 0.3, 0.5]).sum()) == 20
    x = np.arange(50)
    np.random.shuffle(x)
    assert sorted(x.tolist()) == list(range(50))
    means = {
        "exponential": (np.random.exponential(2.0, size=20000), 2),
        "gamma": (np.random.gamma(3.0, 2.0, size=20000), 6),
        "gumbel": (np.random.gumbel(1.0, 1.0, size=20000), 1.5772),
        "logistic": (np.random.logistic(1.0, 1.0, size=20000), 1),
        "lognormal": (np.random.lognormal(0.0, 0.5, size=20000), 1.1331),
        "rayleigh": (np.random.rayleigh(1.0, size=20000), 1.2533),
        "weibull": (np.random.weibull(2.0, size=20000), 0.8862),
        "pareto": (np.random.pareto(4.0, size=20000), 1 / 3),
        "power": (np.random.power(3.0, size=20000), 0.75),
        "beta": (np.random.beta(2.0, 3.0, size=20000), 0.4),
        "chisquare": (np.random.chisquare(3.0, size=20000), 3),
        "bernoulli": (npx.random.bernoulli(0.3, size=20000), 0.3),
        "uniform_n": (npx.random.uniform_n(0.0, 1.0, batch_shape=20000), 0.5),
        "normal_n": (npx.random.normal_n(1.0, 1.0, batch_shape=20000), 1),
        "normal": (np.random.normal(np.array([1.0, 1.0]), 2.0, size=(10000, 2)), 1),
    }
    for name, (numbers, mean) in means.items():
        assert abs(float(numbers.mean()) - mean) < 0.1, name
    covered = np.random.multivariate_normal(np.zeros(2), np.array([[1.0, 0.5], [0.5, 1.0]]), size=20000)
    assert abs(float((covered[:, 0] * covered[:, 1]).mean()) - 0.5) < 0.1


@pytest.mark.parametrize("name", sorted(np.fallback.__all__))
def test_fallback_says_that_it_has_no_gradient(name):
    text = getattr(np, name).__doc__
    assert "no gradient" in text or "Not available" in text


def test_what_no_recorded_expression_runs():
    internal = mx.nd.np._internal
    x, m = np.arange(4), np.array(cases.ARRAYS["m"])
    places = np.array([1, 3], dtype="int64")
    onp.testing.assert_array_equal(np.insert(x, places, 9).asnumpy(), onp.insert(onp.arange(4), [1, 3], 9))
    found = np.insert(x, places, np.array([7.0, 8.0]))
    onp.testing.assert_array_equal(found.asnumpy(), onp.insert(onp.arange(4.0), [1, 3], [7, 8]))
    onp.testing.assert_allclose(np.blackman(7).asnumpy(), onp.blackman(7), atol=1e-6)
    values, vectors = np.linalg.eig(m)
    onp.testing.assert_allclose((m @ vectors).asnumpy(), (vectors * values).asnumpy(), atol=1e-5)
    onp.testing.assert_allclose(np.linalg.pinv(m, np.array(1e-6)).asnumpy(), onp.linalg.inv(m.asnumpy()), atol=1e-5)
    assert internal.boolean_mask_assign_scalar(x, x > 1, value=5.0).tolist() == [0, 1, 5, 5]
    assert internal.boolean_mask_assign_tensor(x, x > 1, np.array([8.0, 9.0])).tolist() == [0, 1, 8, 9]
    with pytest.raises(mx.MXNetError, match="complex"):
        np.linalg.eig(np.array([[0.0, -1.0], [1.0, 0.0]]))


def test_einsum_keeps_the_type_and_nonzero_takes_a_number():
    for dtype, total in (("bool", True), ("int8", -56), ("uint8", 200), ("int32", 200)):
        found = np.einsum("i->", np.array([100, 100], dtype=dtype))
        assert found.dtype == dtype and found.item() == total
    assert (
        np.einsum("i,i->", np.array([True, True], dtype="bool"), np.array([False, True], dtype="bool")).item() is True
    )
    assert [a.asnumpy().tolist() for a in np.nonzero(np.array(3.0))] == [[0]]
    assert [a.asnumpy().tolist() for a in np.nonzero(np.array(0.0))] == [[]]


# ---- NumPy's own functions -------------------------------------------------------------------------------------------


def test_the_protocols_are_those_of_the_original():
    assert len(protocol._NUMPY_ARRAY_FUNCTION_LIST) == 105
    assert len(protocol._NUMPY_ARRAY_UFUNC_LIST) == len(protocol._NUMPY_ARRAY_UFUNC_DICT) == 57
    seen = []
    protocol.with_array_function_protocol(seen.append)(1)
    protocol.with_array_ufunc_protocol(seen.append)(2)
    assert seen == [1, 2]


@pytest.mark.parametrize("name", protocol._NUMPY_ARRAY_UFUNC_LIST)
def test_official_ufuncs_run_ours(name):
    official = getattr(onp, name)
    integers = name in ("lcm", "invert", "bitwise_not", "bitwise_and", "bitwise_xor", "bitwise_or")
    data = (
        onp.array([[1, 2], [3, 5]], dtype="int32") if integers else onp.array([[0.25, 0.5], [0.75, 0.875]], "float32")
    )
    if name == "arccosh":
        data = data + 1
    given = [mx.np.array(data, dtype=data.dtype)] * official.nin
    found = official(*given)
    assert type(found) is mx.np.ndarray
    onp.testing.assert_allclose(found.asnumpy(), official(*[data] * official.nin), rtol=1e-5)


def test_solvers_take_integers_and_mixed_types():
    a, b = np.array([[2, 1], [1, 3]], dtype="int32"), np.array([[1, 2], [3, 4]], dtype="float32")
    expected = onp.linalg.solve(a.asnumpy(), b.asnumpy())
    for found in (np.linalg.solve(a, b), np.linalg.solve(a.astype("float32"), b.astype("float64"))):
        assert found.dtype == onp.float64
        onp.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-12, atol=1e-15)
    assert np.linalg.solve(a.astype("float32"), b).dtype == onp.float32
    for name in ("eigvals", "eigvalsh", "pinv"):
        found = getattr(np.linalg, name)(a)
        assert found.dtype == onp.float64
        onp.testing.assert_allclose(np.sort(found).asnumpy(), onp.sort(getattr(onp.linalg, name)(a.asnumpy())))
    assert [x.dtype for x in np.linalg.eigh(a)] == [onp.float64] * 2
    inverse = np.linalg.tensorinv(a, 1)
    onp.testing.assert_allclose(inverse.asnumpy(), onp.linalg.inv(a.asnumpy()))
    symbol = mx.sym.np.linalg.solve(mx.sym.var("a").as_np_ndarray(), mx.sym.var("b").as_np_ndarray())
    assert symbol.infer_type(a="int32", b="float32")[1] == [onp.float64]
    with pytest.raises(TypeError, match="float16"):
        np.linalg.solve(a.astype("float16"), b)


def test_norms_of_integers_are_their_whole_parts():
    a = np.array([[2, 1], [1, 3]], dtype="int32")
    assert np.linalg.norm(a).dtype == onp.int32 and np.linalg.norm(a).item() == 3
    assert np.linalg.norm(a, ord=3, axis=1).tolist() == [2, 3]


def test_named_tuples_of_numpy_are_tuples():
    q, r = np.linalg.qr(np.array([[2.0, 1], [1, 3], [0, 1]]))
    onp.testing.assert_allclose((q @ r).asnumpy(), [[2, 1], [1, 3], [0, 1]], atol=1e-6)


def test_average_refuses_weights_of_another_type():
    with pytest.raises(TypeError, match="weights must have the dtype"):
        np.average(np.array([1, 2], dtype="int32"), weights=np.array([0.5, 0.25]))


def test_reductions_of_one_number():
    for function, wanted in ((np.sum, 2), (np.max, 2), (np.std, 0), (np.mean, 2), (np.argmax, 0), (np.squeeze, 2)):
        assert function(np.array(2.0), axis=0).item() == function(np.array(2.0), axis=-1).item() == wanted
        with pytest.raises(ValueError, match="axis 1 is out of range"):
            function(np.array(2.0), axis=1)
    for shape in ((), (1,)):  # as in the original, they see what was written since
        for function, gradient in ((np.max, 0), (np.min, 0), (np.prod, 4), (np.sum, 1)):
            x = np.full(shape, 2.0)
            x.attach_grad()
            with mx.autograd.record():
                y = function(x)
            x[()] = 0.5
            y.backward()
            assert x.grad.item() == gradient


def test_equal_numbers_have_a_standard_deviation_without_slope():
    x = np.array([[1.0, 1.0], [1.0, 3.0]])
    x.attach_grad()
    with mx.autograd.record():
        y = np.std(x, axis=1)
    y.backward()
    assert x.grad.tolist() == [[0, 0], [-0.5, 0.5]]


def test_products_repeat_no_axis_of_size_one():
    for function in (np.dot, np.inner, lambda a, b: np.tensordot(a, b, 1), lambda a, b: np.tensordot(a, b, ([2], [0]))):
        for shape in ((3,), (3, 3)):
            with pytest.raises(ValueError, match=r"same sizes, got \(1,\) and \(3,\)"):
                function(np.ones((2, 4, 1)), np.ones(shape))
    assert np.tensordot(np.ones((2, 3)), np.ones((3, 4)), 1).tolist() == [[3] * 4] * 2
    assert np.tensordot(np.ones(2), np.ones(3), 0).shape == (2, 3)


# ---- corners ---------------------------------------------------------------------------------------------------------


def test_false_alone_selects_nothing_along_a_new_axis():
    x = np.arange(24).reshape(2, 3, 4)
    assert x[False].shape == x[..., False].shape == x[np.array(False, dtype="bool")].shape == (0, 2, 3, 4)
    assert x[False, 1].shape == x[1, False].shape == (0, 3, 4)
    assert x[None, False].shape == (0, 1, 2, 3, 4) and np.array(3)[False].shape == (0,)
    x[False] = 7
    x[1, False] = 7
    onp.testing.assert_array_equal(x.asnumpy(), onp.arange(24).reshape(2, 3, 4))


@pytest.mark.parametrize("shape", [(), (2, 0), (4, 5)])
@pytest.mark.parametrize("sizes", [(10,), (4, 5), (2, 3, 4)])
@pytest.mark.parametrize("hybridize", [False, True])
def test_unravel_index_takes_indices_of_any_shape(shape, sizes, hybridize):
    class Places(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.np.unravel_index(x, sizes)

    net = Places()
    net.hybridize(hybridize)
    for dtype in ("uint8", "int8", "int32", "int64"):
        indices = onp.random.randint(0, onp.prod(sizes), shape).astype(dtype)
        found = net(np.array(indices, dtype=dtype))
        wanted = onp.unravel_index(indices, sizes)
        assert len(found) == len(wanted)
        for ours, theirs in zip(found, wanted, strict=True):
            assert ours.dtype == dtype
            onp.testing.assert_array_equal(ours.asnumpy(), theirs)
    for wrong in (-1, int(onp.prod(sizes))):
        with pytest.raises(mx.MXNetError, match="out of bounds for the shape"):
            net(np.array([wrong], dtype="int32"))


def test_arguments_that_make_no_difference_and_repetitions_that_leave_nothing():
    x = np.array([3.0, 1.0, 2.0])
    for kind in (None, "quicksort", "mergesort", "heapsort", "stable"):
        assert np.sort(x, kind=kind).tolist() == [1, 2, 3] and np.argsort(x, kind=kind).tolist() == [1, 2, 0]
    a, b = np.array([[1.0, 1], [1, 1], [1, 1]]), np.ones(3)
    for given in ({}, {"rcond": "warn"}, {"rcond": -1}):
        assert int(np.linalg.lstsq(a, b, **given)[2]) == int(onp.linalg.lstsq(a.asnumpy(), b.asnumpy(), rcond=-1)[2])
    for shape, reps in (((), 0), ((), (2, 0)), ((4, 2), 0), ((4, 2), (2, 0)), ((4, 2), (0, 3)), ((2,), (3, 0, 1))):
        assert np.tile(np.ones(shape), reps).shape == onp.tile(onp.ones(shape), reps).shape
    with pytest.raises(mx.MXNetError, match="must be at least 0"):
        np.tile(x, -1)


def test_arguments_of_a_wrong_kind_are_named():
    with pytest.raises(TypeError, match=r"fill_value must be a number or an array of mx\.np"):
        np.full((2, 2), [1, 2])
    with pytest.raises(NotImplementedError, match="start and stop must be numbers"):
        np.linspace([1, 2], [3, 4], 5)
    with pytest.raises(TypeError, match=r"argument p must be an array of mx\.np"):
        np.random.choice(4, 3, p=[0, 1.0, 0, 0])
    assert np.random.choice(4, 3, p=np.array([0, 1.0, 0, 0])).tolist() == [1, 1, 1]


@pytest.mark.parametrize("zero", [0, -1, np.array([0.0, 1.0]), np.array([1.0, -1.0])])
def test_parameters_of_distributions_must_be_positive(zero):
    one = np.ones(2)
    draws = {
        "gamma": ((zero,), (1.0, zero), (one, zero)),
        "beta": ((zero, 1.0), (1.0, zero)),
        "chisquare": ((zero,),),
        "weibull": ((zero,),),
        "pareto": ((zero,),),
        "power": ((zero,),),
    }
    for name, calls in draws.items():
        for call in calls:
            with pytest.raises(ValueError, match="must be positive"):
                getattr(np.random, name)(*call, size=2)
    with pytest.raises(ValueError, match=r"not add up to more than 1, these give 1\.1"):
        np.random.multinomial(10, [0.2, 0.9])


def test_softmax_of_a_single_number():
    number = np.array(3.0)
    for axis in (0, -1):
        assert npx.softmax(number, axis=axis).item() == 1 and npx.log_softmax(number, axis=axis).item() == 0
    with pytest.raises(mx.MXNetError, match="axis 1 is out of range"):
        npx.softmax(number, axis=1)
