"""The NDArray object, the functions that make arrays, and the switches of mx.util."""

import copy
import math
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
import torch

import mxnet as mx

nd = mx.nd
DTYPES = ["float16", "float32", "float64", "uint8", "int8", "int32", "int64", "bool"]


def matrix(dtype="float32"):
    return nd.array([[1, 2, 3], [4, 5, 6]], dtype=dtype)


def numbers(array):
    return array.asnumpy().tolist()


# ---- making arrays ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        [1, 2],
        (1, 2),
        range(1, 3),
        np.array([1, 2]),
        np.array([1.0, 2.0]),
        np.array([1, 2], dtype="uint16"),
        np.array([1, 2], dtype=">f8"),
        np.array([1, 9, 2, 9])[::2],
        np.array([1 + 1j, 2]),
        torch.tensor([1, 2]),
        [nd.array([1]), nd.array([2])],
    ],
    ids=lambda s: type(s).__name__,
)
def test_array_is_float32_whatever_the_source(source):
    x = nd.array(source)
    assert x.dtype is np.float32
    assert x.asnumpy().ravel().tolist() == [1, 2]


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    x = nd.array([0, 1, 2], dtype=dtype)
    assert x.dtype is np.dtype(dtype).type
    assert x.asnumpy().dtype == dtype
    assert nd.array(x).dtype is x.dtype
    for make in (nd.zeros, nd.ones, nd.empty):
        assert make((2,), dtype=dtype).dtype is x.dtype
    assert nd.full((2,), 1, dtype=dtype).dtype is x.dtype
    assert numbers(x.astype("float32")) == [0, 1, 1 if dtype == "bool" else 2]
    assert nd.array([0, 1], dtype=np.dtype(dtype)).dtype is nd.array([0, 1], dtype=np.dtype(dtype).type).dtype


def test_python_types_as_dtypes():
    assert nd.array([1], dtype=float).dtype is np.float64
    assert nd.array([1], dtype=int).dtype is np.int64
    assert nd.array([1], dtype=bool).dtype is np.bool_
    assert nd.zeros((1,), dtype=torch.float16).dtype is np.float16


def test_bfloat16():
    x = nd.array([1, 2.5, -3], dtype="bfloat16")
    assert x.asnumpy().dtype == np.dtype([("bfloat16", np.uint16)])
    assert numbers((x * 2).astype("float32")) == [2, 5, -6]
    assert numbers(nd.array(x.asnumpy(), dtype="bfloat16").astype("float32")) == [1, 2.5, -3]


def test_an_array_is_a_copy():
    values = np.ones(2, dtype="float32")
    x = nd.array(values)
    y = nd.array(x)
    values[0] = 5
    x[1] = 6
    assert numbers(x) == [1, 6]
    assert numbers(y) == [1, 1]


@pytest.mark.parametrize(
    "source", ["abc", ["a"], [[1], [1, 2]], (i for i in [1]), object()], ids=lambda v: type(v).__name__
)
def test_what_no_array_can_be_made_of(source):
    with pytest.raises(TypeError, match="array like"):
        nd.array(source)


@pytest.mark.parametrize("dtype", ["complex64", "foo", "uint16", str, 5])
def test_dtypes_that_are_not_supported(dtype):
    with pytest.raises(TypeError):
        nd.array([1], dtype=dtype)


def test_filled_arrays():
    assert numbers(nd.zeros(3)) == [0, 0, 0]
    assert nd.ones([2, 1]).shape == (2, 1)
    assert nd.zeros(np.int64(2)).shape == (2,)
    assert nd.zeros((2,), mx.cpu(1), "float64").context == mx.cpu(1)
    assert numbers(nd.full((2,), 3.7, dtype="int32")) == [3, 3]
    assert numbers(nd.full(2, nd.array([3.5]))) == [3.5, 3.5]
    out = nd.zeros((2,))
    assert nd.full((2,), 7, out=out) is out
    assert numbers(out) == [7, 7]
    assert nd.zeros((2,), stype="default").shape == (2,)
    assert nd.empty((0, 2)).shape == (0, 2)
    assert nd.ones((2,), out=out) is out
    for wrong in ((-1, 3), (2.5,), "2", None):
        with pytest.raises(mx.MXNetError):
            nd.zeros(wrong)
    with pytest.raises(mx.MXNetError, match="foo"):
        nd.zeros((2,), foo=1)
    assert nd.zeros((2, 3), stype="csr").stype == "csr"
    with pytest.raises(mx.MXNetError, match="2 dimensions"):
        nd.zeros((2,), stype="csr")


def test_shapes_without_elements_need_np_shape():
    for shape in [(), (0, 3)]:
        with pytest.raises(mx.MXNetError, match="np_shape"):
            nd.zeros(shape)
        with mx.np_shape():
            assert nd.zeros(shape).shape == nd.ones(shape).shape == shape


def test_ranges():
    assert numbers(nd.arange(3)) == [0, 1, 2]
    assert numbers(nd.arange(5, 1, -2)) == [5, 3]
    assert numbers(nd.arange(2, 6, 2, repeat=2)) == [2, 2, 4, 4]
    assert nd.arange(3, dtype="int32").dtype is np.int32
    assert nd.arange(3, ctx=mx.cpu(1)).context == mx.cpu(1)
    np.testing.assert_allclose(nd.arange(0.5, 2.2, 0.3).asnumpy(), np.arange(0.5, 2.2, 0.3), rtol=1e-6)
    with pytest.raises(mx.MXNetError):
        nd.arange(3, 1)
    assert numbers(nd.linspace(0, 1, 5)) == [0, 0.25, 0.5, 0.75, 1]
    assert numbers(nd.linspace(0, 1, 4, endpoint=False)) == [0, 0.25, 0.5, 0.75]
    assert numbers(nd.linspace(0, 10, 3, dtype="int32")) == [0, 5, 10]
    assert numbers(nd.eye(2, 3, 1)) == [[0, 1, 0], [0, 0, 1]]
    assert nd.eye(3, dtype="int32").dtype is np.int32


# ---- other libraries -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_without_copies(dtype):
    values = np.array([[1, 0], [1, 1]], dtype=dtype)
    x = nd.from_numpy(values)
    assert x.dtype is np.dtype(dtype).type
    x[0, 1] = 1
    assert values[0, 1] == 1
    assert not values.flags.writeable
    y = nd.from_numpy(values)  # again, now that it is read-only
    y[1, 0] = 0
    assert numbers(x)[1][0] == 0


def test_numpy_with_copies_and_errors():
    values = np.ones((2, 4), dtype="float64")
    x = nd.from_numpy(values, zero_copy=False)
    x[:] = 5
    assert values.flags.writeable
    assert (values == 1).all()
    assert x.dtype is np.float64
    with pytest.raises(ValueError, match="contiguous"):
        nd.from_numpy(values[:, ::2])
    with pytest.raises(TypeError):
        nd.from_numpy([1, 2])
    with pytest.raises(TypeError):
        nd.from_numpy(np.ones(2, dtype="complex64"))
    assert nd.from_numpy(np.zeros((0, 2), dtype="float32")).shape == (0, 2)


def test_numpy_memory_stays_while_it_is_needed():
    x = nd.from_numpy(nd.from_numpy(np.arange(100000.0)).asnumpy())
    junk = [np.ones(100000) for _ in range(3)]
    del junk
    assert (x.asnumpy() == np.arange(100000.0)).all()


def test_torch_both_ways():
    tensor = torch.zeros(2, 3)
    x = nd.from_torch(tensor)
    x[0] = 1
    tensor[1] = 2
    assert numbers(x) == [[1, 1, 1], [2, 2, 2]]
    back = x.as_torch()
    assert back.data_ptr() == tensor.data_ptr()
    back += 1
    assert numbers(x) == [[2, 2, 2], [3, 3, 3]]
    assert not nd.from_torch(torch.ones(2, requires_grad=True)).as_torch().requires_grad
    with pytest.raises(TypeError):
        nd.from_torch(np.ones(2))
    with pytest.raises(TypeError):
        nd.from_torch(torch.ones(2, dtype=torch.complex64))


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d != "bool"])
def test_dlpack(dtype):
    x = matrix(dtype)
    for capsule in (x.to_dlpack_for_read(), nd.to_dlpack_for_write(x), nd.to_dlpack_for_read(x)):
        y = nd.from_dlpack(capsule)
        assert y.dtype is x.dtype
        y[0, 0] = 9
        assert numbers(x)[0][0] == 9
        with pytest.raises(AssertionError, match="consumed only once"):
            nd.from_dlpack(capsule)
    assert torch.from_dlpack(x).data_ptr() == x.as_torch().data_ptr()
    assert np.from_dlpack(x).tolist() == numbers(x)
    z = nd.from_dlpack(np.ones(2, dtype=dtype))
    assert numbers(z) == [1, 1]


@pytest.mark.parametrize("nothing", [None, 3, "x", object(), [1]])
def test_what_is_no_capsule(nothing):
    with pytest.raises(AssertionError, match="Invalid DLPack Tensor"):
        nd.from_dlpack(nothing)


def test_capsules_of_torch_and_numpy():
    tensor = torch.arange(6.0).reshape(2, 3)
    x = nd.from_dlpack(torch.utils.dlpack.to_dlpack(tensor))
    x[0] = 7
    tensor[1] = 8
    assert numbers(x) == tensor.tolist() == [[7, 7, 7], [8, 8, 8]]
    del tensor
    assert numbers(x) == [[7, 7, 7], [8, 8, 8]]
    values = np.zeros(2, dtype="float32")
    nd.from_dlpack(values.__dlpack__())[:] = 4
    assert values.tolist() == [4, 4]


def test_scalars_of_numpy():
    x = nd.from_numpy(np.float32(3), zero_copy=False)
    assert x.shape == () and x.asnumpy() == 3
    with pytest.raises(ValueError, match="no memory to share"):
        nd.from_numpy(np.float32(3))


def test_numpy_functions_on_arrays():
    x = matrix()
    assert np.asarray(x).tolist() == numbers(x)
    assert np.array(x, dtype="int64").dtype == np.int64
    assert np.concatenate([x, x]).shape == (4, 3)
    np.testing.assert_allclose(np.exp(x), np.exp(x.asnumpy()))
    np.testing.assert_allclose(x, x.asnumpy())
    assert np.float64(2) * x is not None
    assert numbers(np.float32(2) - x) == [[1, 0, -1], [-2, -3, -4]]
    assert numbers(np.int64(2) * x) == [[2, 4, 6], [8, 10, 12]]
    copied = np.asarray(x)
    copied[:] = 0
    assert numbers(x)[0][0] == 1
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        with pytest.raises(ValueError, match="copy"):
            np.asarray(x, copy=False)


# ---- what an array is ------------------------------------------------------------------------------------------------


def test_properties():
    x = matrix()
    assert (x.shape, x.size, x.ndim, x.dtype, x.context, x.ctx, x.stype) == (
        (2, 3),
        6,
        2,
        np.float32,
        mx.cpu(),
        mx.cpu(),
        "default",
    )
    assert type(x.shape) is tuple
    assert x.grad is None
    assert x.writable
    assert len(x) == 2
    assert numbers(x.T) == [[1, 4], [2, 5], [3, 6]]
    for name in ("shape", "dtype", "grad", "context"):
        with pytest.raises(AttributeError):
            setattr(x, name, None)
    x.anything = 5
    assert x.anything == 5


def test_text():
    assert repr(matrix()) == str(matrix()) == "\n[[1. 2. 3.]\n [4. 5. 6.]]\n<NDArray 2x3 @cpu(0)>"
    assert repr(nd.array(5)) == "\n5.0\n<NDArray  @cpu(0)>"
    assert repr(nd.array([])) == "\n[]\n<NDArray 0 @cpu(0)>"
    assert f"{nd.array([1], dtype='int8')}" == "\n[1]\n<NDArray 1 @cpu(0)>"


def test_one_element_is_a_number():
    x = nd.array([3.5])
    assert bool(x)
    assert not nd.array([0])
    assert not nd.array([])
    assert int(x) == 3
    assert float(x) == x.item() == 3.5
    assert x.asscalar() == 3.5
    assert type(x.asscalar()) is np.float32
    assert [10, 20, 30][nd.array([1], dtype="int32")] == 20
    with pytest.raises(TypeError, match="integer"):
        [10, 20][nd.array([1])]
    for use in (bool, lambda a: a.asscalar(), lambda a: a.item()):
        with pytest.raises(ValueError):
            use(matrix())
    for use in (int, float, complex):
        with pytest.raises(TypeError, match=r"\(2, 3\), expected one element"):
            use(matrix())
    minus = -nd.array([1, 0], dtype="bool")
    assert minus.dtype is np.int64 and numbers(minus) == [-1, 0]
    with pytest.raises(TypeError):
        len(nd.array(5))


def test_iterating():
    assert [numbers(row) for row in matrix()] == [[1, 2, 3], [4, 5, 6]]
    assert [row.shape for row in nd.ones((3,))] == [(1,)] * 3
    assert 3 in matrix()
    assert 9 not in matrix()
    _, b = matrix()
    assert numbers(b) == [4, 5, 6]


def test_arrays_are_keys_by_identity():
    x = matrix()
    assert {x: 1}[x] == 1
    assert matrix() not in {x: 1}


def test_copies():
    x = matrix()
    for y in (
        x.copy(),
        copy.copy(x),
        copy.deepcopy(x),
        copy.deepcopy([x])[0],
        x.astype("float32"),
        x.tostype("default"),
    ):
        y[:] = 0
        assert numbers(x) == [[1, 2, 3], [4, 5, 6]]
    assert x.astype("float32", copy=False) is x
    assert x.astype("int32", copy=False).dtype is np.int32
    assert x.as_in_context(mx.cpu()) is x
    assert x.as_in_context(mx.cpu(1)).context == mx.cpu(1)
    assert x.as_nd_ndarray() is x
    assert type(x.as_np_ndarray()) is mx.np.ndarray
    with pytest.raises(mx.MXNetError, match="stype"):
        x.tostype("foo")


def test_copyto():
    x, y = matrix(), nd.zeros((2, 3), dtype="int32")
    assert x.copyto(y) is y
    assert numbers(y) == [[1, 2, 3], [4, 5, 6]]
    with pytest.raises(mx.MXNetError, match=r"\(2, 3\).*\(6,\)"):
        x.copyto(nd.zeros((6,)))
    with pytest.raises(TypeError):
        x.copyto(5)
    with pytest.warns(RuntimeWarning, match="to itself"):
        assert x.copyto(x) is False


# ---- arithmetic ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [np.ones((2, 3)), [1, 2, 3], (1,), None, "a", 1j], ids=str)
def test_operands_that_are_no_arrays(other):
    x = matrix()
    for use in (
        lambda: x + other,
        lambda: other * x,
        lambda: x == other,
        lambda: x != other,
        lambda: x < other,
        lambda: nd.add(x, other),
        lambda: nd.maximum(other, x),
    ):
        with pytest.raises(TypeError, match="not supported"):
            use()
    with pytest.raises(TypeError, match="not supported"):
        x += other


def test_operators_that_the_original_does_not_have():
    x = matrix()
    for use in (lambda: x // 2, lambda: x @ x, lambda: ~x, lambda: +x, lambda: x & x):
        with pytest.raises(TypeError):
            use()


def test_scalars_take_the_arrays_dtype():
    x = nd.array([1, 2], dtype="int8")
    assert numbers(x + 1.5) == [2, 3]
    assert numbers(x / 2) == [0, 1]
    assert (x * True).dtype is np.int8
    big = nd.array([2**53], dtype="int64")
    assert numbers(big + 1) == [2**53 + 1]
    x += 1.5
    assert numbers(x) == [2, 3]


def test_in_place_operators_keep_the_memory():
    x = matrix()
    view, whole = x[0], x
    x += 1
    x *= nd.array([1, 2, 3])
    x -= x / 2
    x /= 2
    x %= 2
    assert x is whole
    expected = np.array([[2, 6, 12], [5, 12, 21]]) / 4.0 % 2
    np.testing.assert_allclose(x.asnumpy(), expected, rtol=1e-6)
    assert numbers(view) == numbers(x[0])
    x **= 2
    np.testing.assert_allclose(x.asnumpy(), expected**2, rtol=1e-6)
    np.testing.assert_allclose(whole.asnumpy(), expected, rtol=1e-6, err_msg="a power is a new array")
    small = nd.array([1, 2, 3])
    with pytest.raises(mx.MXNetError, match="shape"):
        small += matrix()
    with pytest.raises(mx.MXNetError):
        small += nd.ones((3,), dtype="float64")


FUNCTIONS = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "true_divide": np.divide,
    "modulo": np.mod,
    "power": np.power,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "equal": np.equal,
    "not_equal": np.not_equal,
    "greater": np.greater,
    "greater_equal": np.greater_equal,
    "lesser": np.less,
    "lesser_equal": np.less_equal,
    "logical_and": np.logical_and,
    "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_take_numbers_on_either_side(name):
    function, expected = getattr(nd, name), FUNCTIONS[name]
    x, y = matrix(), nd.array([2, 2, 5])
    a, b = x.asnumpy(), y.asnumpy()
    for given, wanted in [
        (function(x, y), expected(a, b)),
        (function(x, 2), expected(a, 2)),
        (function(2, x), expected(2, a)),
        (function(x, np.float64(2.5)), expected(a, np.float32(2.5))),
        (function(np.int32(3), x), expected(np.float32(3), a)),
    ]:
        assert given.dtype is np.float32
        np.testing.assert_allclose(given.asnumpy(), wanted.astype("float32"), rtol=1e-6)
    assert function(2, 3) == expected(2, 3)
    assert not isinstance(function(2, 3), bool)
    with pytest.raises(mx.MXNetError):
        function(x, y.astype("float64"))


# ---- shapes ----------------------------------------------------------------------------------------------------------


def test_reshape_is_a_view():
    x = nd.arange(6)
    y = x.reshape((2, 3))
    for given in (x.reshape(2, 3), x.reshape([2, -1]), x.reshape(shape=(2, 3)), y.reshape(0, -1), y.reshape(-2), y):
        assert given.shape == (2, 3)
        given[0, 0] = 9
        assert numbers(x)[0] == 9
        x[0] = 0
    assert y.reshape(-3).shape == (6,)
    assert y.reshape(-4, 1, 2, -2).shape == (1, 2, 3)
    assert nd.zeros((8, 2)).reshape((-1, 4), reverse=True).shape == (4, 4)
    assert nd.ones((1,)).reshape(()).shape == ()
    for wrong in [lambda: x.reshape(4, 2), lambda: x.reshape(5, -1), lambda: x.reshape(-1, -1), lambda: x.reshape(-5)]:
        with pytest.raises(ValueError, match="Cannot reshape array of size 6"):
            wrong()
    for wrong in [
        lambda: x.reshape(),
        lambda: x.reshape(shape=()),
        lambda: x.reshape("a"),
        lambda: x.reshape((6,), foo=1),
    ]:
        with pytest.raises(mx.MXNetError):
            wrong()


def test_methods_that_may_be_views():
    x = nd.ones((2, 1, 3))
    for method, arguments, shape in [
        ("expand_dims", {"axis": 1}, (2, 1, 1, 3)),
        ("expand_dims", {"axis": -1}, (2, 1, 3, 1)),
        ("squeeze", {}, (2, 3)),
        ("squeeze", {"axis": 1}, (2, 3)),
        ("flatten", {}, (2, 3)),
    ]:
        x[:] = 1
        fresh = getattr(x, method)(**arguments)
        view = getattr(x, method)(**arguments, inplace=True)
        assert fresh.shape == view.shape == shape
        x[:] = 5
        assert (fresh.asnumpy() == 1).all()
        assert (view.asnumpy() == 5).all()
    with pytest.raises(mx.MXNetError):
        x.expand_dims(7, inplace=True)


def test_broadcast_to():
    assert nd.ones((1, 3)).broadcast_to((2, 3)).shape == (2, 3)
    assert nd.ones((3,)).broadcast_to([2, 3]).shape == (2, 3)
    assert nd.ones((1, 3)).broadcast_like(matrix()).shape == (2, 3)
    for wrong in ((2, 4), (3,), (2, 0)):
        with pytest.raises(ValueError, match="broadcast"):
            nd.ones((1, 3)).broadcast_to(wrong)


def test_broadcast_like_adds_axes_in_front_as_a_method_only():
    x = nd.array([[0, 1, 2], [3, 4, 5]])
    x.attach_grad()
    with mx.autograd.record():
        wide = x.broadcast_like(nd.ones((4, 2, 3)))
    wide.backward()
    assert wide.shape == (4, 2, 3)
    np.testing.assert_array_equal(wide.asnumpy()[3], x.asnumpy())
    np.testing.assert_array_equal(x.grad.asnumpy(), np.full((2, 3), 4))
    assert nd.ones((1, 2, 1)).broadcast_like(nd.ones((3, 4)), lhs_axes=(0, 2), rhs_axes=(0, 1)).shape == (3, 2, 4)
    for shape in ((3, 3), (2, 3, 1), (3,)):
        with pytest.raises(ValueError, match="broadcast"):
            x.broadcast_like(nd.ones(shape))
    with pytest.raises(ValueError, match="broadcast_like"):
        nd.broadcast_like(x, nd.ones((4, 2, 3)))


def test_slice_assign_writes_in_place():
    x = matrix()
    assert x.slice_assign(nd.zeros((1, 2)), (0, 1), (1, 3), (1, 1)) is x
    assert x.slice_assign_scalar(9, (1, 0), (2, 1), (1, 1)) is x
    assert numbers(x) == [[1, 0, 0], [9, 5, 6]]


def test_concatenate():
    x = matrix()
    assert nd.concatenate([x, x]).shape == (4, 3)
    assert nd.concatenate([x, x], axis=-1).shape == (2, 6)
    assert nd.concatenate([x], always_copy=False) is x
    assert nd.concatenate([x]) is not x
    for wrong in ([], [x, np.ones((2, 3))], [x, nd.ones((2, 2))], [x, x.astype("int32")]):
        with pytest.raises(mx.MXNetError):
            nd.concatenate(wrong)


def test_moveaxis():
    x = nd.zeros((2, 3, 4))
    assert nd.moveaxis(x, 0, -1).shape == (3, 4, 2)
    assert nd.moveaxis(x, [0, 1], [-1, -2]).shape == (4, 3, 2)
    for wrong in [(3, 0), ([0, 1], [1]), ([0, 0], [1, 2])]:
        with pytest.raises(ValueError):
            nd.moveaxis(x, *wrong)


def test_split_v2():
    x = nd.arange(6)
    assert [numbers(part) for part in nd.split_v2(x, 3)] == [[0, 1], [2, 3], [4, 5]]
    assert [numbers(part) for part in x.split_v2((1, 4))] == [[0], [1, 2, 3], [4, 5]]
    assert nd.split_v2(x.reshape((3, 2)), 3, squeeze_axis=True)[0].shape == (2,)
    assert nd.split_v2(x, 1).shape == (6,)
    for wrong in (4, "a", 0):
        with pytest.raises(ValueError):
            nd.split_v2(x, wrong)


def test_histogram():
    x = nd.array([0, 1, 2, 2, 3])
    counts, edges = nd.histogram(x)
    assert numbers(counts) == [1, 0, 0, 1, 0, 0, 2, 0, 0, 1]
    np.testing.assert_allclose(edges.asnumpy(), np.linspace(0, 3, 11), rtol=1e-6)
    for bins, span in [(3, (0, 3)), (nd.array([0.0, 1, 2, 3]), None)]:
        counts, edges = nd.histogram(x, bins, span)
        assert numbers(counts) == [1, 1, 3]
        assert numbers(edges) == [0, 1, 2, 3]
    with pytest.raises(ValueError):
        nd.histogram(x, "many")


def test_onehot_encode():
    out = nd.zeros((2, 3))
    assert nd.onehot_encode(nd.array([1, 0]), out) is out
    assert numbers(out) == [[0, 1, 0], [1, 0, 0]]


def test_imdecode():
    cv2 = pytest.importorskip("cv2")
    image = np.arange(60, dtype="uint8").reshape(4, 5, 3)
    data = cv2.imencode(".png", image)[1].tobytes()
    expected = image[:, :, ::-1].transpose(2, 0, 1).astype("float32")
    np.testing.assert_array_equal(nd.imdecode(data).asnumpy(), expected)
    np.testing.assert_array_equal(
        nd.imdecode(data, (1, 0, 3, 2), mean=nd.ones((3, 2, 2))).asnumpy(), expected[:, :2, 1:3] - 1
    )
    batch = nd.zeros((2, 3, 4, 5))
    nd.imdecode(data, out=batch, index=1)
    np.testing.assert_array_equal(batch[1].asnumpy(), expected)
    assert nd.imdecode(data, channels=1).shape == (1, 4, 5)
    for wrong in (b"", b"no image"):
        with pytest.raises(ValueError, match="image"):
            nd.imdecode(wrong)


def test_waiting():
    x = matrix()
    assert x.wait_to_read() is None
    assert nd.waitall() is None


# ---- mx.nd.contrib ---------------------------------------------------------------------------------------------------


def test_foreach():
    data, state = nd.array([[1, 2], [3, 4], [5, 6]]), nd.zeros((2,))
    data.attach_grad()
    with mx.autograd.record():
        outputs, last = nd.contrib.foreach(lambda x, s: (x * x + s, s + 1), data, state)
        total = outputs.sum()
    assert numbers(outputs) == [[1, 4], [10, 17], [27, 38]]
    assert numbers(last) == [3, 3]
    total.backward()
    assert numbers(data.grad) == [[2, 4], [6, 8], [10, 12]]
    outputs, states = nd.contrib.foreach(
        lambda x, s: ([x[0], x[1]], [s[0], [s[1][0] + x[0]]]), [data, data], [state, [state]]
    )
    assert [o.shape for o in outputs] == [(3, 2), (3, 2)]
    assert numbers(states[1][0]) == [9, 12]
    with pytest.raises(mx.MXNetError):
        nd.contrib.foreach(lambda x, s: (x, s), [data, nd.ones((2,))], [])
    for wrong in (5, [], nd.array(5), nd.array([])):
        with pytest.raises(mx.MXNetError):
            nd.contrib.foreach(lambda x, s: (x, s), wrong, [])


def test_while_loop():
    def step(i, s):
        return i * 10, [i + 1, s + i]

    outputs, (i, s) = nd.contrib.while_loop(lambda i, s: i <= 3, step, [nd.array([1]), nd.array([0])], max_iterations=5)
    assert numbers(outputs) == [[10], [20], [30], [0], [0]]
    assert (numbers(i), numbers(s)) == ([4], [6])
    outputs, last = nd.contrib.while_loop(lambda i: i < 30, lambda i: ([], i + 1), nd.array([1]), max_iterations=2)
    assert (outputs, numbers(last)) == ([], [3])
    assert nd.contrib.while_loop(lambda i: i < 0, lambda i: (i, i), nd.array([1]), max_iterations=2)[0] == []
    with pytest.raises(ValueError, match="max_iterations"):
        nd.contrib.while_loop(lambda i: i < 3, lambda i: (i, i), nd.array([1]))


def test_cond():
    for value, expected in [(nd.array([1]), [5]), (nd.array([0]), [6]), (True, [5])]:
        assert numbers(nd.contrib.cond(value, lambda: nd.array([5]), lambda: nd.array([6]))) == expected


def test_tests_of_numbers():
    x = nd.array([1, math.inf, -math.inf, math.nan])
    assert numbers(nd.contrib.isinf(x)) == [0, 1, 1, 0]
    assert numbers(nd.contrib.isnan(x)) == [0, 0, 0, 1]
    assert numbers(nd.contrib.isfinite(x)) == [1, 0, 0, 0]


def test_rand_zipfian():
    mx.random.seed(3)
    samples, of_true, of_sampled = nd.contrib.rand_zipfian(nd.array([3, 0]), 20000, 5)
    assert samples.dtype is np.int64
    frequency = np.bincount(samples.asnumpy(), minlength=5) / 20000
    probability = np.log((np.arange(5) + 2) / (np.arange(5) + 1)) / np.log(6)
    np.testing.assert_allclose(frequency, probability, atol=0.015)
    np.testing.assert_allclose(of_true.asnumpy(), probability[[3, 0]] * 20000, rtol=1e-6)
    np.testing.assert_allclose(of_sampled.asnumpy(), probability[samples.asnumpy()] * 20000, rtol=1e-6)


# ---- mx.nd.sparse, mx.util, mx.base, mx.runtime ----------------------------------------------------------------------


def test_names_of_sparse_storage():
    assert not isinstance(matrix(), nd.sparse.BaseSparseNDArray)
    assert issubclass(nd.sparse.CSRNDArray, nd.NDArray)
    assert nd.sparse.zeros("default", (2,)).shape == (2,)
    assert numbers(nd.sparse.add(nd.ones((1,)), 2)) == [3]
    with pytest.raises(AttributeError):
        nd.sparse.nothing  # noqa: B018


def test_np_shape():
    assert not mx.is_np_shape()
    with mx.np_shape():
        assert mx.is_np_shape()
        with mx.np_shape(False):
            assert not mx.is_np_shape()
        assert mx.is_np_shape()
    assert mx.set_np_shape(True) is False
    assert mx.set_np_shape(False) is True
    seen = []
    with mx.np_shape():
        thread = threading.Thread(target=lambda: seen.append(mx.is_np_shape()))
        thread.start()
        thread.join()
    assert seen == [False]
    with pytest.raises(TypeError):
        mx.set_np_shape("on")


def test_use_np_shape():
    @mx.use_np_shape
    def function():
        """Text."""
        return mx.is_np_shape()

    @mx.use_np_shape
    class Thing:
        def __init__(self):
            self.at_first = mx.is_np_shape()

        def method(self):
            return mx.is_np_shape()

        @property
        def attribute(self):
            return mx.is_np_shape()

    assert function()
    assert function.__doc__ == "Text."
    assert (Thing().at_first, Thing().method(), Thing().attribute) == (True, True, True)
    assert not mx.is_np_shape()
    with pytest.raises(TypeError, match="can only decorate"):
        mx.use_np_shape(5)


def test_set_np():
    assert not mx.is_np_array()
    assert mx.use_np(lambda: (mx.is_np_shape(), mx.is_np_array()))() == (True, True)
    mx.util.set_np()
    try:
        assert mx.is_np_shape()
        assert mx.is_np_array()
        with mx.np_array(False):
            assert not mx.is_np_array()
        seen = []
        thread = threading.Thread(target=lambda: seen.append((mx.is_np_shape(), mx.is_np_array())))
        thread.start()
        thread.join()
        assert seen == [(False, False)]
        with pytest.raises(ValueError, match="Deactivating"):
            mx.set_np_shape(False)
    finally:
        mx.util.reset_np()
    assert not mx.is_np_shape()
    with pytest.raises(ValueError, match="required"):
        mx.util.set_np(shape=False, array=True)
    mx.util.set_np(array=False)
    assert mx.is_np_shape()
    mx.util.reset_np()
    assert not mx.is_np_shape()


def test_environment():
    mx.util.setenv("MXNEXT_TEST", "1")
    assert mx.util.getenv("MXNEXT_TEST") == os.environ["MXNEXT_TEST"] == "1"
    mx.util.setenv("MXNEXT_TEST", None)
    assert mx.util.getenv("MXNEXT_TEST") is None


def test_base():
    assert mx.base.py_str(mx.base.c_str("ab").value) == "ab"
    assert list(mx.base.c_array(mx.base.mx_uint, [1, 2])) == [1, 2]
    mx.base.check_call(0)
    with pytest.raises(mx.MXNetError):
        mx.base.check_call(-1)
    with pytest.raises(NotImplementedError):
        mx.base.c_handle_array([matrix()])

    class Thing:
        @mx.base.classproperty
        def name(cls):
            return cls.__name__

    assert Thing.name == "Thing"
    assert "a : int\n    first" in mx.base.build_param_doc(["a"], ["int"], ["first"])


def test_features():
    features = mx.runtime.Features()
    assert features is mx.runtime.Features()
    assert features.is_enabled("opencv")
    assert not features["TVM_OP"].enabled
    assert str(features).startswith("[")
    with pytest.raises(RuntimeError, match="unknown"):
        features.is_enabled("warp drive")


def test_legacy_places():
    from mxnet.ndarray import ndarray

    assert ndarray.add is nd.add
    assert ndarray.array is nd.array
    assert ndarray.NDArray is ndarray.NDArrayBase is nd.NDArray
    assert ndarray.DLTensor is mx.dlpack.DLTensor
    with pytest.raises(AttributeError):
        ndarray.nothing  # noqa: B018
    key = (0, Ellipsis, None)
    assert nd.indexing_key_expand_implicit_axes(key, (2, 3, 4)) == ((0, slice(None), slice(None), None), -1)
    assert nd.get_oshape_of_gather_nd_op((2, 3, 4), (2, 5)) == (5, 4)


def test_importing_is_lazy():
    code = (
        "import sys, mxnet as mx; assert 'torch' not in sys.modules; mx.cpu(); mx.MXNetError; mx.base; mx.util; "
        "assert 'torch' not in sys.modules; mx.nd; assert 'torch' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_operators_without_attributes_take_any_and_say_so():
    x = mx.nd.ones((2,))
    with pytest.warns(UserWarning, match="zeros_like has no attributes: dtype has no effect"):
        assert mx.nd.zeros_like(x, dtype="int32").dtype == np.float32
    with pytest.warns(UserWarning, match="sin has no attributes: degrees has no effect"):
        symbol = mx.sym.sin(mx.sym.var("x"), degrees=True)
    assert symbol.list_attr() == {"degrees": "True"}
    with pytest.raises(mx.MXNetError, match="softmax: unknown argument 'axs'"):
        mx.nd.softmax(x, axs=0)


def test_an_array_stands_for_its_dtype():
    x = mx.nd.ones((2,))
    for like in (mx.nd.ones((1,), dtype="float16"), np.zeros(3, "float16"), np.float16(1)):
        assert x.astype(like).dtype == np.float16
    assert x.astype(x, copy=False) is x


def test_ones_and_zeros_want_an_out_of_their_shape():
    a = nd.arange(3)
    for make in (nd.ones, nd.zeros):
        with pytest.raises(mx.MXNetError, match="shape"):
            make((3,), out=a.reshape((1, 3)))
    assert nd.ones((3,), out=a) is a and a.asnumpy().tolist() == [1, 1, 1]
