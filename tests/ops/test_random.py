"""Random numbers: their distributions, seeds, shapes, types and errors."""

import math
import threading

import numpy as np
import pytest
import torch
from scipy import stats

import mxnet as mx
from mxnet.ops import registry
from mxnet.ops.infer import infer_dtypes, infer_shapes, run_on_meta

COUNT = 20000
# name, parameters as in mx.nd.random, the same distribution in SciPy, the operator's attributes
DISTRIBUTIONS = [
    ("uniform", (-1.0, 3.0), stats.uniform(-1, 4), {"low": -1.0, "high": 3.0}),
    ("normal", (2.0, 0.5), stats.norm(2, 0.5), {"loc": 2.0, "scale": 0.5}),
    ("exponential", (2.0,), stats.expon(scale=2), {"lam": 0.5}),
    ("gamma", (0.5, 2.0), stats.gamma(0.5, scale=2), {"alpha": 0.5, "beta": 2.0}),
    ("gamma", (4.0, 0.5), stats.gamma(4, scale=0.5), {"alpha": 4.0, "beta": 0.5}),
    ("poisson", (3.0,), stats.poisson(3), {"lam": 3.0}),
    ("poisson", (60.0,), stats.poisson(60), {"lam": 60.0}),
    ("negative_binomial", (3, 0.4), stats.nbinom(3, 0.4), {"k": 3, "p": 0.4}),
    ("generalized_negative_binomial", (2.0, 0.3), stats.nbinom(1 / 0.3, 1 / 1.6), {"mu": 2.0, "alpha": 0.3}),
    ("generalized_negative_binomial", (2.0, 0.0), stats.poisson(2), {"mu": 2.0, "alpha": 0.0}),
]
CASES = [pytest.param(*d, id=f"{d[0]}-{'-'.join(map(str, d[1]))}") for d in DISTRIBUTIONS]
ONE_EACH = list({d[0]: d for d in reversed(DISTRIBUTIONS)}.values())
FORMS = ["numbers", "arrays", "like"]


@pytest.fixture(autouse=True)
def seeded():
    mx.random.seed(1234)


@pytest.fixture
def gpus(monkeypatch):
    if not torch.cuda.is_available():
        monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")
    if mx.num_gpus() < 2:
        pytest.skip("needs two GPUs, or none (then they are virtual)")
    return mx.gpu(0), mx.gpu(1)


def draw(form, name, parameters, attributes, dtype="float32", count=COUNT):
    if form == "numbers":
        return getattr(mx.nd.random, name)(*parameters, shape=count, dtype=dtype)
    if form == "arrays":
        arrays = [mx.nd.array([p, p], dtype="float64") for p in parameters]
        return getattr(mx.nd.random, name)(*arrays, shape=count // 2, dtype=dtype)
    return getattr(mx.nd.random, f"{name}_like")(mx.nd.zeros((count,), dtype=dtype), **attributes)


def check_moments(values, expected):
    values = values.astype("float64").ravel()
    mean, variance, kurtosis = (float(v) for v in expected.stats("mvk"))
    assert abs(values.mean() - mean) < 5 * math.sqrt(variance / values.size)
    assert abs(values.var() - variance) < 6 * variance * math.sqrt((kurtosis + 2) / values.size)


def check_fit(values, expected):
    """Kolmogorov-Smirnov for continuous distributions, chi-square for integers."""
    values = values.astype("float64").ravel()
    if hasattr(expected.dist, "pdf"):
        assert stats.kstest(values, expected.cdf).pvalue > 1e-4
        return
    assert np.array_equal(values, np.floor(values))
    top = int(expected.ppf(0.999))
    low = int(expected.ppf(0.001))
    edges = np.arange(low, top + 1)
    probabilities = np.concatenate([[expected.cdf(low)], expected.pmf(edges[1:]), [expected.sf(top)]])
    bins = np.clip(values, low, top + 1).astype(int) - low
    observed = np.bincount(bins, minlength=len(probabilities))
    assert stats.chisquare(observed, probabilities * values.size, sum_check=False).pvalue > 1e-4


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("name", "parameters", "expected", "attributes"), CASES)
def test_distribution(form, name, parameters, expected, attributes):
    values = draw(form, name, parameters, attributes).asnumpy()
    check_moments(values, expected)
    check_fit(values, expected)
    if form == "arrays":
        assert values.shape == (2, COUNT // 2)
        assert abs(np.corrcoef(values)[0, 1]) < 0.05


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("name", "parameters", "expected", "attributes"), ONE_EACH)
def test_dtypes(form, name, parameters, expected, attributes, dtype):
    values = draw(form, name, parameters, attributes, dtype, 4000)
    assert values.dtype == np.dtype(dtype)
    check_moments(values.asnumpy(), expected)


def test_each_element_of_the_parameters_has_its_own_numbers():
    low, high = mx.nd.array([[0, 10], [20, 30]]), mx.nd.array([[1, 12], [23, 34]])
    values = mx.nd.random.uniform(low, high, shape=(50, 40)).asnumpy()
    assert values.shape == (2, 2, 50, 40)
    flat = values.reshape(2, 2, -1)
    assert (flat.min(-1) >= low.asnumpy()).all() and (flat.max(-1) < high.asnumpy()).all()
    np.testing.assert_allclose(flat.mean(-1), (low + high).asnumpy() / 2, atol=0.15)
    scales = mx.nd.random.exponential(mx.nd.array([1, 100]), shape=2000).asnumpy().mean(1)
    np.testing.assert_allclose(scales, [1, 100], rtol=0.1)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_uniform_bounds(dtype):
    values = mx.nd.random.uniform(-1, 1, shape=100000, dtype=dtype).asnumpy()
    assert values.min() >= -1 and (values.max() < 1 or dtype == "float16")  # which rounds up to 1, as MXNet's does
    assert mx.nd.random.uniform(1, 1, shape=3).asnumpy().tolist() == [1, 1, 1]


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_randint(dtype):
    values = mx.nd.random.randint(-3, 7, shape=(100, 200), dtype=dtype)
    assert values.dtype == np.dtype(dtype) and values.shape == (100, 200)
    counts = np.bincount(values.asnumpy().ravel() + 3, minlength=10)
    assert len(counts) == 10 and stats.chisquare(counts).pvalue > 1e-4


def test_randint_ranges():
    assert mx.nd.random.randint(5, 6, shape=3).asnumpy().tolist() == [5, 5, 5]
    assert mx.nd.random.randint(0, 9).dtype == np.int32
    wide = mx.nd.random.randint(-(2**62), 2**62, shape=1000, dtype="int64").asnumpy()
    assert wide.min() < -(2**60) and wide.max() > 2**60
    full = mx.nd.random.randint(-(2**31), 2**31, shape=1000).asnumpy()
    assert full.min() < -(2**29) and full.max() > 2**29


# ---- multinomial, shuffle, unique_zipfian ----------------------------------------------------------------------------


def test_multinomial_distribution():
    rows = np.array([[0, 0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1, 0]])
    drawn = mx.nd.random.multinomial(mx.nd.array(rows), shape=COUNT).asnumpy()
    assert drawn.dtype == np.int32 and drawn.shape == (2, COUNT)
    for values, row in zip(drawn, rows, strict=True):
        counts = np.bincount(values, minlength=5)
        assert counts[row == 0].sum() == 0
        assert stats.chisquare(counts[row > 0], row[row > 0] * COUNT).pvalue > 1e-4


@pytest.mark.parametrize(
    ("data", "shape", "expected"),
    [
        ((5,), None, (1,)),
        ((5,), 2, (2,)),
        ((5,), (2, 3), (2, 3)),
        ((2, 5), None, (2,)),
        ((2, 5), 3, (2, 3)),
        ((2, 3, 5), (4,), (2, 3, 4)),
        ((5,), (0,), (0,)),
    ],
)
def test_multinomial_shapes(data, shape, expected):
    given = {} if shape is None else {"shape": shape}
    drawn, probability = mx.nd.random.multinomial(mx.nd.array(np.full(data, 0.2)), get_prob=True, **given)
    assert drawn.shape == probability.shape == expected
    np.testing.assert_allclose(probability.asnumpy(), np.log(0.2), rtol=1e-5)
    op = registry.get("_sample_multinomial")
    attrs = op.parse({**given, "get_prob": True})
    assert infer_shapes(op, [data], attrs)[1] == [expected, expected]
    assert infer_dtypes(op, [torch.float64], attrs)[1] == [torch.int32, torch.float64]


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float16", "float32", "float64"])
def test_multinomial_dtypes(dtype):
    for kind in ("float16", "float32", "float64"):
        drawn, logs = mx.nd.random.multinomial(mx.nd.array([0.5, 0.5], dtype=kind), get_prob=True, dtype=dtype, shape=9)
        assert drawn.dtype == np.dtype(dtype) and logs.dtype == np.dtype(kind)
        assert set(drawn.asnumpy().tolist()) <= {0, 1}


def test_multinomial_gradient_is_that_of_the_log_probability():
    data = mx.nd.array([[0, 0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1, 0]])
    reward = np.array([[1, 2, 3], [4, 5, 6]], "float32")
    data.attach_grad()
    with mx.autograd.record():
        drawn, logs = mx.nd.random.multinomial(data, shape=3, get_prob=True)
    logs.backward(mx.nd.array(reward))
    expected = np.zeros((2, 5))
    for row in range(2):
        for index, r in zip(drawn.asnumpy()[row], reward[row], strict=True):
            expected[row, index] += r / data.asnumpy()[row, index]
    np.testing.assert_allclose(data.grad.asnumpy(), expected, rtol=1e-5)


@pytest.mark.parametrize("bad", [[-1.0, 2.0], [0.0, 0.0], [float("nan"), 1.0]])
def test_multinomial_refuses_what_is_no_probability(bad):
    with pytest.raises(mx.MXNetError, match=r"^sample_multinomial"):
        mx.nd.random.multinomial(mx.nd.array(bad))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "uint8"])
def test_shuffle(dtype):
    data = mx.nd.array(np.arange(60).reshape(20, 3), dtype=dtype)
    shuffled = mx.nd.random.shuffle(data)
    assert shuffled.dtype == np.dtype(dtype)
    rows = shuffled.asnumpy()
    assert not np.array_equal(rows, data.asnumpy())
    np.testing.assert_array_equal(rows[rows[:, 0].argsort()], data.asnumpy())


def test_shuffle_in_place_and_each_order_as_likely():
    data = mx.nd.array([1, 2, 3, 4, 5])
    assert mx.nd.random.shuffle(data, out=data) is data
    assert sorted(data.asnumpy().tolist()) == [1, 2, 3, 4, 5]
    orders = {}
    for _ in range(1200):
        order = tuple(mx.nd.shuffle(mx.nd.array([0, 1, 2], dtype="int32")).asnumpy().tolist())
        orders[order] = orders.get(order, 0) + 1
    assert len(orders) == 6 and stats.chisquare(list(orders.values())).pvalue > 1e-4


def test_unique_zipfian():
    draw_classes = mx.nd._internal._sample_unique_zipfian
    drawn, trials = draw_classes(50, shape=(30, 20))
    assert drawn.dtype == trials.dtype == np.int64 and trials.shape == (30,)
    values = drawn.asnumpy()
    assert values.min() >= 0 and values.max() < 50
    assert all(len(set(row)) == 20 for row in values.tolist())
    assert (trials.asnumpy() >= 20).all()
    first = draw_classes(10, shape=(COUNT, 1))[0].asnumpy()[:, 0]
    borders = np.concatenate([[1], np.arange(10)[:-1] + 1.5, [10]])  # MXNet rounds to the nearest class
    expected = np.diff(np.log(borders)) / np.log(10)
    assert stats.chisquare(np.bincount(first, minlength=10), expected * COUNT).pvalue > 1e-4
    all_of_them, _ = draw_classes(5, shape=(4, 5))
    assert (np.sort(all_of_them.asnumpy()) == np.arange(5)).all()
    with pytest.raises(mx.MXNetError, match=r"^sample_unique_zipfian"):
        draw_classes(5, shape=(1, 6))
    with pytest.raises(mx.MXNetError, match="two positive dimensions"):
        draw_classes(5, shape=(3,))


# ---- seeds -----------------------------------------------------------------------------------------------------------


def numbers(context=None, count=20):
    return mx.nd.random.normal(shape=count, ctx=context).asnumpy().tolist()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("name", "parameters", "expected", "attributes"), ONE_EACH)
def test_same_seed_same_numbers(form, name, parameters, expected, attributes):
    runs = []
    for seed in (7, 7, 8):
        mx.random.seed(seed)
        runs.append(draw(form, name, parameters, attributes, count=100).asnumpy().tolist())
    assert runs[0] == runs[1] != runs[2]


def test_seed_of_other_operators():
    p = mx.nd.array([0.25] * 4)

    def run():
        mx.random.seed(3)
        drawn, trials = mx.nd._internal._sample_unique_zipfian(100, shape=(2, 5))
        return [
            a.asnumpy().tolist()
            for a in (
                mx.nd.random.multinomial(p, shape=20),
                mx.nd.random.randint(0, 1000, shape=20),
                mx.nd.random.shuffle(mx.nd.array(range(20))),
                drawn,
                trials,
            )
        ]

    assert run() == run()


def test_seed_accepts_integers_only():
    for seed in (0, -1, 2**40, 2**70, np.int64(3), True):
        mx.random.seed(seed)
        first = numbers()
        mx.random.seed(seed)
        assert numbers() == first
    for bad in (1.5, "1", None, mx.nd.array([1])):
        with pytest.raises(ValueError, match="seed_state must be int"):
            mx.random.seed(bad)
    with pytest.raises(mx.MXNetError, match="device type"):
        mx.random.seed(1, ctx="tpu")


def test_host_contexts_share_a_generator():
    mx.random.seed(5)
    first = numbers(mx.cpu(0)), numbers(mx.cpu(1)), numbers(mx.cpu_pinned())
    mx.random.seed(5, ctx=mx.cpu(2))
    assert first == (numbers(mx.cpu(0)), numbers(mx.cpu(0)), numbers(mx.cpu(0)))
    assert first[0] != first[1] != first[2]


def test_gpus_differ_under_one_seed_but_not_when_seeded_alone(gpus):
    mx.random.seed(128)
    a, b = (numbers(g) for g in gpus)
    assert a != b
    mx.random.seed(128)
    assert [numbers(g) for g in reversed(gpus)] == [b, a]
    for g in gpus:
        mx.random.seed(128, ctx=g)
    assert [numbers(g) for g in gpus] == [a, a]


def test_seeding_one_context_leaves_the_others(gpus):
    mx.random.seed(1)
    expected = numbers(gpus[0]), numbers(gpus[0])
    mx.random.seed(1)
    first = numbers(gpus[0])
    mx.random.seed(9, ctx=gpus[1])
    mx.random.seed(9, ctx=mx.cpu())
    assert (first, numbers(gpus[0])) == expected


def test_context_used_for_the_first_time_after_the_seed(gpus, monkeypatch):
    monkeypatch.setattr(mx._rng, "_generators", {})
    mx.random.seed(11)
    later = numbers(gpus[1]), numbers()
    mx.random.seed(11)
    assert later == (numbers(gpus[1]), numbers())


def test_generator_object_stays():
    before = mx._rng.generator(mx.cpu())
    mx.random.seed(99)
    assert mx._rng.generator(mx.cpu(3)) is before


def test_a_program_without_a_seed_is_reproducible(monkeypatch):
    runs = []
    for _ in range(2):
        monkeypatch.setattr(mx._rng, "_generators", {})
        monkeypatch.setattr(mx._rng, "_seed", 0)
        runs.append(numbers())
    assert runs[0] == runs[1]


def test_threads():
    """Threads that draw and seed at the same time: no error, no number given to two of them."""
    mx.random.seed(21)
    drawn, errors = [], []

    def work():
        try:
            for _ in range(50):
                drawn.append(mx.nd.random.uniform(shape=10, dtype="float64").asnumpy())
        except Exception as error:  # reported below, in the main thread
            errors.append(error)

    def reseed():
        try:
            for i in range(200):
                mx.random.seed(i, ctx=mx.cpu())
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors
    everything = np.concatenate(drawn)
    assert len(np.unique(everything)) == everything.size == 2000
    mx.random.seed(21)
    in_one_thread = [mx.nd.random.uniform(shape=10, dtype="float64").asnumpy() for _ in range(200)]
    assert np.isin(everything, np.concatenate(in_one_thread)).all()
    threads = [threading.Thread(target=work), threading.Thread(target=reseed), threading.Thread(target=reseed)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors


# ---- shapes, out=, contexts, attributes ------------------------------------------------------------------------------


def test_shapes():
    assert mx.nd.random.uniform().shape == (1,)
    assert mx.nd.random.uniform(shape=3).shape == (3,)
    assert mx.nd.random.uniform(shape=[2, 3]).shape == (2, 3)
    assert mx.nd.random.randn(2, 3, loc=5, scale=1).shape == (2, 3)
    assert mx.nd.random.randn().shape == (1,)
    assert mx.nd.random.randn(4, dtype="float64").dtype == np.float64
    assert mx.nd.random.normal(mx.nd.zeros((2,)), mx.nd.zeros((2,)) + 1).shape == (2,)
    for bad in ((), None, (0,), (2, 0), (-1,), (-2, 3)):
        with pytest.raises(mx.MXNetError, match="shape must be given"):
            mx.nd.random.uniform(shape=bad)
    with pytest.raises(mx.MXNetError, match="shape must be given"):
        mx.nd.random_uniform(0, 1)


@pytest.mark.parametrize(("name", "parameters", "expected", "attributes"), ONE_EACH)
def test_out(name, parameters, expected, attributes):
    for dtype in ("float16", "float32", "float64"):
        into = mx.nd.zeros((3, 5), dtype=dtype)
        memory = into._data.data_ptr()
        mx.random.seed(2)
        assert getattr(mx.nd.random, name)(*parameters, out=into) is into
        assert into._data.data_ptr() == memory and into.dtype == np.dtype(dtype)
        mx.random.seed(2)
        plain = getattr(mx.nd.random, name)(*parameters, shape=(3, 5), dtype=dtype)
        np.testing.assert_array_equal(into.asnumpy(), plain.asnumpy())
    arrays = [mx.nd.array([p, p]) for p in parameters]
    into = mx.nd.zeros((2, 5))
    assert getattr(mx.nd.random, name)(*arrays, shape=5, out=into) is into
    with mx.autograd.record():
        getattr(mx.nd.random, name)(*parameters, out=into)
    with pytest.raises(mx.MXNetError):
        getattr(mx.nd.random, name)(*parameters, shape=(2, 4), out=into)
    with pytest.raises(mx.MXNetError):
        getattr(mx.nd.random, name)(*parameters, dtype="float16", out=into)
    with pytest.raises(mx.MXNetError, match="dtype must be one of"):
        getattr(mx.nd.random, name)(*parameters, out=mx.nd.zeros((2,), dtype="int32"))


def test_out_is_written_through_views_and_by_old_names():
    whole = mx.nd.zeros((2, 50))
    mx.nd.random_uniform(1, 2, out=whole[1])
    assert (whole.asnumpy()[0] == 0).all() and (whole.asnumpy()[1] >= 1).all()
    integers = mx.nd.zeros((40,), dtype="int64")
    assert mx.nd.random.randint(5, 9, out=integers) is integers
    assert set(integers.asnumpy().tolist()) <= {5, 6, 7, 8}
    indices, logs = mx.nd.zeros((2,), dtype="int32"), mx.nd.zeros((2,))
    mx.nd.random.multinomial(mx.nd.array([[0, 1], [1, 0]]), get_prob=True, out=[indices, logs])
    assert indices.asnumpy().tolist() == [1, 0] and logs.asnumpy().tolist() == [0, 0]


def test_contexts(gpus):
    assert mx.nd.random.uniform(ctx=gpus[1]).context == gpus[1]
    assert mx.nd.random.uniform(ctx="cpu(1)").context == mx.cpu(1)
    with gpus[0]:
        assert mx.nd.random.normal().context == gpus[0]
        assert mx.nd.random.randint(0, 3).context == gpus[0]
    low = mx.nd.array([0, 1], ctx=gpus[1])
    assert mx.nd.random.uniform(low, low + 1, shape=3).context == gpus[1]
    assert mx.nd.random.uniform_like(low).context == gpus[1]
    assert mx.nd.random.shuffle(low).context == gpus[1]
    assert mx.nd._internal._random_uniform(0, 1, (2,), "cpu(1)", "float64").context == mx.cpu(1)


def test_names():
    for name in ("uniform", "normal"):
        for function in (getattr(mx.nd, name), getattr(mx.nd, f"random_{name}"), getattr(mx.random, name)):
            assert function(0, 1, shape=(2,)).shape == (2,)
        assert getattr(mx.random, name) is getattr(mx.nd.random, name)
    for name in ("exponential", "gamma", "poisson", "negative_binomial", "generalized_negative_binomial"):
        assert getattr(mx.nd, f"random_{name}")(shape=(2,)).shape == (2,)
        assert getattr(mx.nd, f"sample_{name}") is not None
        assert getattr(mx.random, name) is getattr(mx.nd.random, name)
    assert mx.nd.random_randint(0, 5, shape=(2,)).shape == (2,)
    assert mx.nd.sample_multinomial(mx.nd.array([0.5, 0.5])).shape == (1,)
    assert mx.nd.shuffle(mx.nd.zeros((3,))).shape == (3,)


@pytest.mark.parametrize(("name", "parameters", "expected", "attributes"), ONE_EACH)
def test_shapes_and_types_without_data(name, parameters, expected, attributes):
    plain, like, sample = (registry.get(n) for n in (f"_random_{name}", f"_random_{name}_like", f"_sample_{name}"))
    attrs = plain.parse({**attributes, "shape": "(2, 3)", "dtype": "float64"})
    assert infer_shapes(plain, [], attrs) == ([], [(2, 3)])
    assert infer_dtypes(plain, [], attrs) == ([], [torch.float64])
    assert infer_shapes(plain, [], plain.parse(attributes)) == ([], [None])
    assert infer_dtypes(plain, [], plain.parse(attributes)) == ([], [torch.float32])
    assert [tuple(t.shape) for t in run_on_meta(plain, [], attrs)] == [(2, 3)]
    assert infer_shapes(like, [None], {}, [(2, 3)]) == ([(2, 3)], [(2, 3)])
    attrs = sample.parse({"shape": 4})
    count = len(sample.inputs)
    assert infer_shapes(sample, [(2,), *[None] * (count - 1)], attrs) == ([(2,)] * count, [(2, 4)])
    types = [torch.float64] * count
    assert infer_dtypes(sample, [torch.float64, *[None] * (count - 1)], attrs) == (types, [torch.float32])


def test_drawing_has_no_gradient():
    mu, sigma = mx.nd.array([1, 2]), mx.nd.array([3, 4])
    for name in ("uniform", "normal", "gamma", "negative_binomial", "generalized_negative_binomial"):
        mu.attach_grad()
        mu.grad[:] = 5
        with mx.autograd.record():
            drawn = getattr(mx.nd.random, name)(mu, sigma, shape=2)
        drawn.backward()
        assert mu.grad.asnumpy().tolist() == [0, 0]
    with mx.autograd.record():
        total = mx.nd.random.poisson_like(mu) + mu
    total.backward()
    assert mu.grad.asnumpy().tolist() == [1, 1]


# ---- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("uniform", (2, 1), "low must not be greater than high"),
        ("normal", (0, -1), "scale must be positive"),
        ("normal", (0, 0), "scale must be positive"),
        ("exponential", (-1,), "must be positive"),
        ("exponential", (0,), "must be positive"),
        ("gamma", (0, 1), "alpha must be positive"),
        ("gamma", (1, -1), "beta must be positive"),
        ("gamma", (float("nan"), 1), "alpha must be positive"),
        ("poisson", (-1,), "lam must not be negative"),
        ("negative_binomial", (-1, 0.5), "k must not be negative"),
        ("negative_binomial", (1, -0.5), "p must be positive"),
        ("negative_binomial", (1.5, 0.5), "'k' expects int"),
        ("generalized_negative_binomial", (-1, 1), "mu must not be negative"),
        ("generalized_negative_binomial", (1, -1), "alpha must not be negative"),
        ("randint", (5, 5), "low must be less than high"),
        ("randint", (5, 4), "low must be less than high"),
        ("randint", (0, 2**40), "does not fit into int32"),
        ("randint", (0.5, 5), "'low' expects int"),
        ("uniform", ("a", 1), "must be either NDArray or numbers"),
        ("uniform", (None, None), "must be either NDArray or numbers"),
        ("uniform", (np.zeros(1), np.ones(1)), "must be either NDArray or numbers"),
    ],
)
def test_bad_parameters(name, parameters, message):
    with pytest.raises(mx.MXNetError, match=message) as caught:
        getattr(mx.nd.random, name)(*parameters)
    assert name in str(caught.value)


def test_numbers_and_arrays_cannot_be_mixed():
    array = mx.nd.array([1, 2])
    for parameters in ((0, array), (array, 1)):
        with pytest.raises(TypeError, match="same type"):
            mx.nd.random.uniform(*parameters)
    with pytest.raises(TypeError, match="same type"):
        mx.nd.random.gamma(array)
    with pytest.raises(mx.MXNetError, match=r"^sample_uniform.*same shape"):
        mx.nd.random.uniform(array, mx.nd.array([1, 2, 3]))
    with pytest.raises(mx.MXNetError, match=r"^sample_uniform.*same dtype"):
        mx.nd.random.uniform(array, mx.nd.array([1, 2], dtype="float64"))


def test_bad_types():
    for dtype in ("int32", "uint8", "bool"):
        with pytest.raises(mx.MXNetError, match="dtype must be one of float16, float32, float64"):
            mx.nd.random.uniform(dtype=dtype)
    with pytest.raises(mx.MXNetError, match="dtype must be one of int32, int64"):
        mx.nd.random.randint(0, 5, dtype="float32")
    with pytest.raises(mx.MXNetError, match="dtype must be one of"):
        mx.nd.random.multinomial(mx.nd.array([1.0]), dtype="int64")
    with pytest.raises(mx.MXNetError, match="floating"):
        mx.nd.random.uniform_like(mx.nd.zeros((2,), dtype="int32"))
    with pytest.raises(mx.MXNetError, match="floating"):
        mx.nd.random.multinomial(mx.nd.array([1], dtype="int32"))
    with pytest.raises(mx.MXNetError, match="unknown argument"):
        mx.nd.random.uniform(0, 1, size=3)


def test_bad_elements_of_array_parameters_give_nan_and_never_hang():
    nan = float("nan")
    cases = [
        ("gamma", ([-3, nan, 1], [1, 1, 1])),
        ("negative_binomial", ([-3, 1, 2], [0.5, 0, 0.5])),
        ("generalized_negative_binomial", ([3, 3, 1], [-1, nan, 1])),
    ]
    for name, parameters in cases:
        values = getattr(mx.nd.random, name)(*[mx.nd.array(p) for p in parameters], shape=3).asnumpy()
        assert np.isnan(values[:2]).all() and np.isfinite(values[2]).all()
    values = mx.nd.random.poisson(mx.nd.array([-1, 0, 4]), shape=3).asnumpy()
    assert (values[:2] == 0).all()
