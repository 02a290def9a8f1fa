"""mx.np beyond the table of calls: graphs, parameters, float16, helpers. The original printed the values."""

import inspect

import numpy as onp
import pytest

import mxnet as mx
from mxnet import _numpy_op_doc, autograd, gluon, np, npx, test_utils
from mxnet.numpy_op_signature import _get_builtin_op, _get_op_submodule_name, _register_op_signatures
from mxnet.operator import get_all_registered_operators


@pytest.fixture(autouse=True)
def numpy_semantics():
    npx.set_np()
    yield
    npx.reset_np()


class Block(gluon.HybridBlock):
    """A block of one function."""

    def __init__(self, function, **parameters):
        super().__init__()
        self.function = function
        for name, options in parameters.items():
            setattr(self, name, self.params.get(name, **options))

    def hybrid_forward(self, F, *inputs, **parameters):
        return self.function(F, *inputs, **parameters)


def block(function, hybridize, **parameters):
    made = Block(function, **parameters)
    made.initialize()
    if hybridize:
        made.hybridize()
    return made


# ---- signatures ------------------------------------------------------------------------------------------------------


def test_operators_have_the_signatures_that_are_documented():
    names = [name for name in get_all_registered_operators() if name.startswith("_np_")]
    assert len(names) == 26
    for name in names:
        documented = getattr(_numpy_op_doc, name)
        assert str(_get_builtin_op(name).__signature__) == str(inspect.signature(documented))
        assert documented.__doc__
    assert str(inspect.signature(_numpy_op_doc._np_sum)) == (
        "(a, axis=None, dtype=None, keepdims=False, initial=None, out=None)"
    )


def test_functions_are_found_by_the_names_of_operators():
    assert _get_builtin_op("_np_sum") is np.sum
    assert _get_builtin_op("_np__random_shuffle") is np.random.shuffle
    assert _get_builtin_op("_npx_relu") is npx.relu
    assert _get_builtin_op("_npx__image_crop") is npx.image.crop
    assert _get_builtin_op("sum") is _get_builtin_op("_npi_add") is None
    with pytest.raises(ValueError, match="Cannot find operator nothing in module mxnet"):
        _get_builtin_op("_np_nothing")
    assert _get_op_submodule_name("_np__random_shuffle", "_np_", ["_random_", "_linalg_"]) == "_random_"
    assert _get_op_submodule_name("_np_sum", "_np_", ["_random_"]) == ""
    before = np.sum.__signature__
    _register_op_signatures()
    assert np.sum.__signature__ == before


def test_a_documented_signature_checks_its_arguments():
    assert _numpy_op_doc._np_all(np.ones(3)) is None
    with pytest.raises(TypeError, match="too many positional arguments"):
        _numpy_op_doc._np_diag(1, 2, 3)


# ---- sums in float16 and in integers ---------------------------------------------------------------------------------


def test_running_sums_of_float16_are_rounded_each_time():
    ones, tenths = np.ones(5000, dtype="float16"), np.full((5000,), 0.1, dtype="float16")
    assert np.cumsum(ones)[-1].item() == 2048
    assert np.sum(ones).item() == 5000 and np.cumsum(ones, dtype="float32")[-1].item() == 5000
    found = np.cumsum(tenths).asnumpy()[[100, 1000, 2000, 4999]]
    onp.testing.assert_allclose(found.astype("float64"), [10.18, 105.3, 230.2, 256.0], rtol=1e-3)
    classic = mx.nd.cumsum(tenths.as_nd_ndarray()).asnumpy()
    assert classic[-1] == 256


def test_the_gradient_of_running_sums_in_float16():
    x = np.array([[1, 2], [3, 4]], dtype="float16")
    x.attach_grad()
    for axis, expected in ((0, [[2, 2], [1, 1]]), (1, [[2, 1], [2, 1]]), (None, [[4, 3], [2, 1]])):
        with autograd.record():
            y = np.cumsum(x, axis=axis)
        y.backward()
        assert x.grad.tolist() == expected


def test_products_of_float16_are_made_in_float32():
    assert np.prod(np.full((2, 100), 1.1, dtype="float16"), axis=1).tolist() == [13296.0, 13296.0]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_sums_of_floats_are_cut_to_integers_at_the_end(dtype):
    def total(values, kind):
        return np.sum(np.array(values, dtype=dtype), dtype=kind).item()

    assert [total(v, "int32") for v in ([0.6, 0.6], [1.6, 1.6, 1.6], [-0.6, -0.6])] == [1, 4, -1]
    assert total([300.75, 300.75], "int64") == 601
    assert np.prod(np.array([1.5, 1.5], dtype=dtype), dtype="int32").item() == 2
    assert np.cumsum(np.array([0.6, 0.6, 1.5], dtype=dtype), dtype="int32").tolist() == [0, 0, 1]


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_integer_sums_have_a_gradient(dtype):
    x = np.array([1.5, 2.5, 0.5])
    x.attach_grad()
    for function, value, gradient in ((np.cumsum, [1, 3, 3], [3, 2, 1]), (np.sum, 4, [1, 1, 1])):
        with autograd.record():
            y = function(x, dtype=dtype)
        y.backward()
        assert y.dtype == dtype and y.tolist() == value and x.grad.tolist() == gradient


# ---- random numbers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize(
    ("mean", "cov", "size", "shape"),
    [
        ((2,), (2, 2), None, (2,)),
        ((2,), (2, 2), 4, (4, 2)),
        ((2, 2), (2, 2), (3,), (3, 2, 2)),
        ((2,), (3, 2, 2), None, (3, 2)),
    ],
)
def test_multivariate_normal(hybridize, mean, cov, size, shape):
    net = block(lambda F, m, c: F.np.random.multivariate_normal(m, c, size=size), hybridize)
    covariances = np.broadcast_to(np.array([[2.0, 0.5], [0.5, 1.0]]), cov)
    assert net(np.ones(mean), covariances).shape == shape


@pytest.mark.parametrize("hybridize", [False, True])
def test_multivariate_normal_has_the_moments_asked_for(hybridize):
    mx.random.seed(3)
    net = block(lambda F, m, c: F.np.random.multivariate_normal(m, c, size=(20000,)), hybridize)
    drawn = net(np.array([1.0, -2.0]), np.array([[2.0, 0.5], [0.5, 1.0]])).asnumpy()
    onp.testing.assert_allclose(drawn.mean(0), [1, -2], atol=0.05)
    onp.testing.assert_allclose(onp.cov(drawn.T), [[2, 0.5], [0.5, 1]], atol=0.08)
    batch = block(lambda F, m, c: F.np.random.multivariate_normal(m, c), hybridize)(
        np.zeros(2), np.broadcast_to(np.eye(2), (500, 2, 2))
    )
    assert len(set(batch[:, 0].tolist())) > 490, "each covariance has numbers of its own"


def test_multinomial_of_no_outcomes():
    for pvals in ([], np.array([])):
        assert np.random.multinomial(10, pvals).shape == (0,)
        assert np.random.multinomial(10, pvals, size=3).shape == (3, 0)
        assert np.random.multinomial(10, pvals, size=(2, 3)).dtype == onp.int64
    assert np.random.multinomial(10, [1.0], size=0).shape == (0, 1)


def test_seed_by_name():
    npx.random.seed(seed=5)
    first = np.random.uniform(size=3).tolist()
    mx.random.seed(5)
    assert np.random.uniform(size=3).tolist() == first


def test_buckets_without_end():
    edges = [(0.0, 0.5), (0.5, 1.5), (1.5, float("inf"))]
    widths = [high - low for low, high in edges]
    with pytest.warns(UserWarning, match="not finite"):
        values = test_utils.verify_generator(
            lambda n: np.random.exponential(size=n).asnumpy(), edges, widths, nsamples=100, nrepeat=2
        )
    assert values == [1.0, 1.0]


# ---- parameters ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ([1.0, 2.0], "float32"),
        ([1, 2], "float32"),
        (onp.ones(2), "float64"),
        (onp.arange(2), "int64"),
        (3.0, "float32"),
    ],
)
def test_a_constant_is_an_array_of_np(value, dtype):
    constant = gluon.Constant("c", value)
    constant.initialize()
    for array in (constant.value, constant.data()):
        assert type(array) is np.ndarray and array.dtype == dtype
        assert array.tolist() == onp.asarray(value).tolist()


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize(
    "function",
    [
        lambda F, x, w: F.np.dot(x, w),
        lambda F, x, w: F.np.matmul(x, w),
        lambda F, x, w: F.np.tensordot(x, w, 1),
        lambda F, x, w: F.np.tensordot(x, w, ([1], [0])),
    ],
    ids=["dot", "matmul", "tensordot", "pairs"],
)
def test_products_tell_the_size_of_a_weight(function, hybridize):
    net = block(function, hybridize, w=dict(shape=(-1, 4), allow_deferred_init=True))
    assert net(np.ones((2, 3))).shape == (2, 4)
    assert net.w.shape == (3, 4)


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("name", ["split", "array_split", "hsplit", "vsplit"])
def test_a_split_into_one_part_is_a_list(name, hybridize):
    def forward(F, x):
        parts = getattr(F.np, name)(x, 1)
        assert len(parts) == 1
        return [part * 2 for part in parts]

    (found,) = block(forward, hybridize)(np.ones((2, 3)))
    assert found.tolist() == [[2, 2, 2], [2, 2, 2]]


# ---- arrays ----------------------------------------------------------------------------------------------------------


def test_formats():
    assert f"{np.array(2.5):.2f}" == "2.50" and f"{np.array(2.5):>6}" == "   2.5"
    assert f"{np.array([2.5, 1])}" == "[2.5 1. ]"
    for spec in (".2f", ">10"):
        with pytest.raises(TypeError, match="Cannot format"):
            format(np.array([2.5]), spec)


def test_numbers_of_numpy_keep_their_dtype():
    for number in (onp.float64(2), onp.int64(2), onp.bool_(True), onp.float16(2)):
        assert np.array(number).dtype == number.dtype and np.array(number).shape == ()
    assert np.array([onp.int64(1), onp.int64(2)]).dtype == onp.float32


SHARED = "x[1:3] x[1] x[1,1:3] x[1:2,:] x[...] x[None] x[:,None] x[()] x.reshape_view(12) x.detach() x.as_nd_ndarray()"
COPIES = """x[::2] x[:,1:2] x[:,::2] x[::-1] x.T np.moveaxis(x,0,1) np.flip(x) np.reshape(x,(3,4)) x.reshape(12)
np.ravel(x) np.squeeze(x) np.expand_dims(x,0) x.swapaxes(0,1) np.split(x,2)[0] np.diag(x)
np.atleast_3d(x) np.rot90(x) x[[0,1]]"""


@pytest.mark.parametrize("shared", [True, False])
def test_which_arrays_share_memory(shared):
    """Contiguous basic slices do; what NumPy gives as a view with strides is a copy, as in the original."""
    for expression in (SHARED if shared else COPIES).split():
        x = np.zeros((4, 3))
        part = eval(expression, {"x": x, "np": np})
        part[...] = 1
        assert (float(x.sum()) > 0) is shared, expression


def test_what_python_has_on_the_left_of_bits():
    assert (np.array([1, 2], dtype="int32") & 2).tolist() == [0, 2]
    with pytest.raises(TypeError):
        2 & np.array([True])
