"""Reading and writing by index: against the original's recorded results, and against NumPy for random keys."""

import indexing_cases as cases
import numpy as np
import pytest
from compare import load_golden
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as hnp

import mxnet as mx

nd = mx.nd
RECORDED = load_golden("indexing.json")


def array_of(entry):
    return np.array(entry["data"], dtype=entry["dtype"]).reshape(entry["shape"])


def assert_same(given, expected):
    assert given.shape == expected.shape
    assert given.dtype == expected.dtype
    np.testing.assert_array_equal(given, expected)


@pytest.mark.parametrize("case", list(cases.read_cases()), ids=lambda c: c[0])
def test_reading_as_the_original(case):
    name, shape, key = case
    expected = RECORDED["read"][name]
    found = cases.read_result(mx, shape, key)
    if "error" in expected:
        assert isinstance(found["error"], mx.MXNetError), found
        if expected["error"][0] != "MXNetError":
            assert expected["error"][0] in [c.__name__ for c in type(found["error"]).__mro__]
        return
    assert "error" not in found, found
    assert_same(found["value"], array_of(expected["value"]))
    assert found["view"] == expected["view"]
    if "gradient" in expected:
        np.testing.assert_allclose(found["gradient"], array_of(expected["gradient"]), rtol=1e-6)


@pytest.mark.parametrize("case", list(cases.write_cases()), ids=lambda c: c[0])
def test_writing_as_the_original(case):
    name, shape, dtype, key, value = case
    expected = RECORDED["write"][name]
    found = cases.write_result(mx, shape, dtype, key, value)
    if "error" in expected:
        assert isinstance(found["error"], mx.MXNetError), found
    else:
        assert "error" not in found, found
        assert_same(found["value"], array_of(expected["value"]))


# ---- where we follow NumPy rather than the original ------------------------------------------------------------------


def fresh(*shape):
    return nd.array(np.arange(np.prod(shape)).reshape(shape)), np.arange(np.prod(shape), dtype="float32").reshape(shape)


@pytest.mark.parametrize(
    "key",
    [
        slice(3, 1),
        [],
        np.array([], dtype="int64"),
        ([0, 1], None),
        (slice(None), [0, 1], None),
        (1, slice(1, 1)),
        (slice(None), slice(2, 1)),
        [-1, 0],
        ([0, 1], slice(None, None, -1), [2, 0]),
    ],
    ids=str,
)
def test_as_numpy(key):
    x, n = fresh(2, 3, 4)
    assert_same(x[key].asnumpy(), n[key])
    x.attach_grad()
    with mx.autograd.record():
        y = x[key] * 1
    y.backward(nd.array(n[key] + 1))
    expected = np.zeros_like(n)
    np.add.at(expected, key, n[key] + 1)
    np.testing.assert_array_equal(x.grad.asnumpy(), expected)
    x[key] = 7
    n[key] = 7
    assert_same(x.asnumpy(), n)


def test_an_array_without_dimensions_as_an_index_is_a_number():
    x, n = fresh(3, 4)
    assert_same(x[np.array(2)].asnumpy(), n[2])
    assert_same(x[nd.array(2, dtype="int32")].asnumpy(), n[2])


def test_masks_of_the_package_are_refused_with_advice():
    x, _ = fresh(3, 4)
    mask = nd.array([1, 0, 1], dtype="bool")
    with pytest.raises(ValueError, match="boolean_mask"):
        x[mask]
    with pytest.raises(mx.MXNetError, match="where"):
        x[mask] = 1


@pytest.mark.parametrize("mask", ["np.array([True, False, True])", "[True, False, True]", "nd.array([1, 0, 1])"])
def test_other_masks_are_numbers_as_in_the_original(mask):
    mask = eval(mask)
    x, n = fresh(3, 4)
    assert_same(x[mask].asnumpy(), n[[1, 0, 1]])
    x[mask] = 9
    n[[1, 0, 1]] = 9
    assert_same(x.asnumpy(), n)


@pytest.mark.parametrize("key", ["[2, 1, 0]", "nd.array([1, 0, 2])", "([2, 0, 1], slice(None))"])
def test_rows_of_an_array_can_be_exchanged_in_place(key):
    """The original reads what it has just written; here all is read first, as in NumPy."""
    x, n = fresh(3, 2)
    x[eval(key)] = x
    n[eval(key.replace("nd.array", "np.array"))] = n.copy()
    assert_same(x.asnumpy(), n)


def test_a_comparison_as_an_index_is_one_of_zeros_and_ones():
    """What the original gives: not the elements that are greater, but the first two rows."""
    x, n = fresh(3, 2)
    assert_same(x[x > 2].asnumpy(), n[(n > 2).astype(int)])
    x[x.asnumpy() > 2] = np.array([7, 8])
    assert x.asnumpy().tolist() == [[7, 8], [7, 8], [4, 5]]
    x[:, np.array([True, False])] = 9
    assert x.asnumpy().tolist() == [[9, 9], [9, 9], [9, 9]]
    x[x > 0] += 1
    assert x.asnumpy().tolist() == [[9, 9], [10, 10], [9, 9]]


@pytest.mark.parametrize(
    "key", [[3], [-4], np.array([0, 3]), nd.array([7], dtype="int32"), (slice(None), [0, 4])], ids=str
)
def test_numbers_out_of_range_are_refused_before_anything_is_written(key):
    x, n = fresh(3, 4)
    with pytest.raises(IndexError, match="is out of bounds for axis"):
        x[key]
    with pytest.raises(IndexError, match="is out of bounds for axis"):
        x[key] = 9
    assert_same(x.asnumpy(), n)


def test_assignments_that_overlap_their_source():
    x, n = fresh(4, 5)
    x[1:] = x[:-1]
    n[1:] = n[:-1].copy()
    assert_same(x.asnumpy(), n)
    x[::-1] = x
    assert_same(x.asnumpy(), n[::-1].copy())


def test_big_integers_stay_exact():
    x = nd.zeros((3,), dtype="int64")
    x[:] = 2**53 + 1
    x[0] = 2**53 + 3
    x[[1]] = 2**53 + 5
    assert x.asnumpy().tolist() == [2**53 + 3, 2**53 + 5, 2**53 + 1]


@pytest.mark.parametrize(
    "value", [None, "a", 1j, [None], object(), [[1], [1, 2]], np.array(["a"])], ids=lambda v: type(v).__name__
)
def test_values_that_are_no_numbers(value):
    x, _ = fresh(3)
    with pytest.raises(TypeError, match="non-array-like"):
        x[:] = value
    with pytest.raises(TypeError, match="non-array-like"):
        x[[0, 1]] = value


def test_bfloat16():
    x = nd.zeros((4,), dtype="bfloat16")
    x[:] = [1.5, 2.5, -3, 4]
    x[1] = 7
    x[[2]] = np.array([8.0])
    assert x.astype("float32").asnumpy().tolist() == [1.5, 7, 8, 4]
    assert x[1:3].astype("float32").asnumpy().tolist() == [7, 8]


def test_np_shape_gives_arrays_without_dimensions():
    x, n = fresh(2, 3)
    with mx.np_shape():
        assert x[1, 2].shape == ()
        assert x[1][2].shape == ()
        assert float(x[1, 2]) == n[1, 2]
    assert x[1, 2].shape == (1,)


def test_views_are_seen_on_both_sides():
    x, _ = fresh(4, 5)
    row, part, column = x[1], x[1:3], x[:, 1]
    x[:] = 7
    assert (row.asnumpy() == 7).all()
    assert (part.asnumpy() == 7).all()
    assert column.asnumpy().tolist() == [1, 6, 11, 16]
    part[0] = 5
    assert (row.asnumpy() == 5).all()
    x[1][2][:] = 3
    assert x[1, 2].asscalar() == 3


def test_views_of_results_that_torch_lays_out_otherwise():
    x = nd.transpose(nd.array(np.arange(6).reshape(2, 3)))
    assert x.asnumpy().tolist() == [[0, 3], [1, 4], [2, 5]]
    x[1] = 9
    x.reshape((-1,))[0] = 8
    assert x.asnumpy().tolist() == [[8, 3], [9, 9], [2, 5]]


def test_writing_while_recording():
    x, y = nd.ones((3,)), nd.zeros((3,))
    x.attach_grad()
    with mx.autograd.record():
        z = x * 2
        y[:] = z  # all of it: takes z's place in the graph
        with pytest.raises(mx.MXNetError, match="already in a computational graph"):
            y[0] = 1
        with pytest.raises(mx.MXNetError, match="Inplace operations"):
            nd.zeros((3,))[0:2] = z[0:2]
    y.backward(nd.array([1, 2, 3]))
    assert x.grad.asnumpy().tolist() == [2, 4, 6]


def test_a_readonly_array():
    x = nd.NDArray(nd.ones((2,)), writable=False)
    with pytest.raises(mx.MXNetError, match="readonly"):
        x[0] = 1
    assert not x.writable


# ---- random keys against NumPy ---------------------------------------------------------------------------------------


@st.composite
def arrays_and_basic_keys(draw):
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=4, max_side=5))
    return shape, draw(hnp.basic_indices(shape, allow_newaxis=True, max_dims=7))


@st.composite
def arrays_and_mixed_keys(draw):
    """Index arrays, numbers, slices and new axes in one key; as in NumPy, the order of axes is the hard part."""
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=4, max_side=4))
    broadcast = draw(hnp.array_shapes(min_dims=1, max_dims=2, max_side=3))
    key, some = [], False
    for size in shape:
        kind = draw(st.sampled_from(["array", "array", "number", "slice", "reverse", "new"]))
        if kind == "new":
            key.append(None)
            kind = "slice"
        if kind == "array":
            index_shape = draw(st.sampled_from([broadcast, broadcast[-1:], (1,) * len(broadcast)]))
            key.append(draw(hnp.arrays("int64", index_shape, elements=st.integers(-size, size - 1))))
            some = True
        elif kind == "number":
            key.append(draw(st.integers(-size, size - 1)))
        else:
            key.append(slice(None, None, -1) if kind == "reverse" else draw(st.slices(size)))
    if not some:
        key[0] = np.array([0]) if key[0] is not None else None
    return shape, tuple(key)


def classic(array):
    """What classic MXNet gives for a single element."""
    return array.reshape(1) if array.ndim == 0 else array


@settings(max_examples=300, deadline=None)
@given(arrays_and_basic_keys())
def test_basic_keys_as_numpy(case):
    shape, key = case
    x, n = fresh(*shape)
    assert_same(x[key].asnumpy(), classic(n[key]))
    value = np.arange(n[key].size, dtype="float32").reshape(n[key].shape) + 100
    x[key] = nd.array(value)
    n[key] = value
    assert_same(x.asnumpy(), n)
    x[key] = -1
    n[key] = -1
    assert_same(x.asnumpy(), n)


@settings(max_examples=300, deadline=None)
@given(arrays_and_mixed_keys())
def test_mixed_keys_as_numpy(case):
    shape, key = case
    x, n = fresh(*shape)
    expected = n[key]
    assert_same(x[key].asnumpy(), classic(expected))
    # the original's NDArray may stand for NumPy's array anywhere in a key
    as_nd = tuple(nd.array(k, dtype="int32") if isinstance(k, np.ndarray) else k for k in key)
    assert_same(x[as_nd].asnumpy(), classic(expected))
    x[key] = -1
    n[key] = -1
    assert_same(x.asnumpy(), n)
    flat = np.arange(n.size).reshape(shape)[key]
    if len(np.unique(flat)) == flat.size:  # no element is selected twice, so that the order of writing does not matter
        value = np.arange(flat.size, dtype="float32").reshape(flat.shape) + 100
        x[key] = value
        n[key] = value
        assert_same(x.asnumpy(), n)


@settings(max_examples=100, deadline=None)
@given(arrays_and_basic_keys())
def test_what_is_a_view(case):
    """A basic key gives a view if, and only if, what it selects lies in one piece of memory."""
    shape, key = case
    x, n = fresh(*shape)
    selected = np.arange(n.size).reshape(shape)[key].ravel()
    if not selected.size:
        return
    x[key][:] = -1
    in_one_piece = bool((np.diff(selected) == 1).all())
    assert (x.asnumpy() == -1).any() == in_one_piece


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_take_clips_indices_outside_of_any_axis(axis):
    x = np.arange(24.0, dtype="float32").reshape(2, 3, 4)
    for indices in ([-1, 9], [0, 5, 1], [-7]):
        found = mx.nd.take(mx.nd.array(x), mx.nd.array(indices), axis=axis)
        np.testing.assert_array_equal(found.asnumpy(), np.take(x, np.maximum(indices, 0), axis=axis, mode="clip"))


def test_nothing_is_assigned_to_nothing():
    for make in (lambda: nd.array(np.zeros((0, 3))), lambda: nd.zeros((2, 3))[:0]):
        a = make()
        a[:] = []
        a[:, ::-1] = np.zeros((0, 3)).tolist()
        assert a.shape == (0, 3)
    with pytest.raises(mx.MXNetError, match="cannot be broadcast"):
        nd.zeros((2, 3))[:] = []
