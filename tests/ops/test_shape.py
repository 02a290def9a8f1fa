"""Shapes, indices, order and creation: what samples cannot say, and properties over many random cases."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as hnp

import mxnet as mx
from mxnet import nd
from mxnet.ops import registry
from mxnet.ops.infer import format_shape, infer_dtypes, infer_shapes, read_shape
from mxnet.ops.shape import resolve_shape

SHAPES = hnp.array_shapes(min_dims=1, max_dims=4, max_side=4)
FAST = settings(max_examples=60, deadline=None)


def numbered(shape):
    """An array of different numbers, so that every misplaced element shows."""
    return np.arange(np.prod(shape), dtype="float32").reshape(shape)


# ---- reshape -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "target", "reverse", "expected"),
    [
        ((2, 3, 4), (0, -1), False, (2, 12)),
        ((2, 3, 4), (-1, 0), False, (8, 3)),
        ((2, 3, 4), (-1, 0), True, (6, 4)),
        ((2, 3, 4), (-2,), False, (2, 3, 4)),
        ((2, 3, 4), (-3, -2), False, (6, 4)),
        ((2, 3, 4), (2, -3), True, (2, 12)),
        ((2, 3, 4), (0, -4, -1, 1, 0), False, (2, 3, 1, 4)),
        ((2, 3, 4), (-4, 1, 2, -2), False, (1, 2, 3, 4)),
        ((2, 3, 4), (-1, -2), False, (2, 3, 4)),
        ((2, 3, 4), (-2, 0), True, (2, 3, 4)),
        ((2, 3, 4), (-2, -2), False, (2, 3, 4)),
        ((0, 3), (-1,), False, (0,)),
        ((), (1, 1), False, (1, 1)),
    ],
)
def test_reshape_codes(shape, target, reverse, expected):
    assert resolve_shape(shape, target, reverse) == expected


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ((-1, -1), "only one"),
        ((5, 5), "24 elements"),
        ((-1, 7), "do not fit"),
        ((0, 0, 0, 0), "more dimensions"),
        ((-3, -3), "more dimensions"),
        ((-4, 2), "two dimensions"),
        ((-4, 5, -1, -2), "cannot be split"),
        ((-4, -1, -1, -2), "cannot be split"),
        ((-4, 0, 2, -2), "cannot be split"),
        ((-6,), "no meaning"),
    ],
)
def test_reshape_refuses(target, words):
    with pytest.raises(ValueError, match=words):
        resolve_shape((2, 3, 4), target)


@FAST
@given(SHAPES, st.data())
def test_reshape_codes_describe_the_same_elements(shape, data):
    """Whatever codes are drawn, the result has the elements in their order; reversed codes mirror it."""
    target, expected, i = [], [], 0
    while i < len(shape):
        code = data.draw(st.sampled_from([0, -3, -4, "number", "rest"]))
        if code == -3 and i + 1 < len(shape):
            target.append(-3)
            expected.append(shape[i] * shape[i + 1])
            i += 2
        elif code == -4:
            target += [-4, 1, -1]
            expected += [1, shape[i]]
            i += 1
        elif code == "rest":
            target.append(-2)
            expected += shape[i:]
            break
        else:
            target.append(0 if code == 0 else shape[i])
            expected.append(shape[i])
            i += 1
    assert resolve_shape(shape, target) == tuple(expected)
    assert resolve_shape(shape[::-1], target[::-1], reverse=True) == tuple(expected)[::-1]
    result = nd.reshape(nd.array(numbered(shape)), shape=tuple(target))
    np.testing.assert_array_equal(result.asnumpy(), numbered(shape).reshape(expected))


# ---- slices, splits, order against NumPy ---------------------------------------------------------------------------

BOUND = st.none() | st.integers(-6, 6)


@FAST
@given(SHAPES, st.data())
def test_slice_is_pythons(shape, data):
    count = data.draw(st.integers(0, len(shape)))
    cuts = [
        (data.draw(BOUND), data.draw(BOUND), data.draw(st.sampled_from([None, 1, 2, -1, -3]))) for _ in range(count)
    ]
    x = numbered(shape)
    expected = x[tuple(slice(*cut) for cut in cuts)]
    begin, end, step = (tuple(part) for part in zip(*cuts, strict=True)) if cuts else ((), (), ())
    np.testing.assert_array_equal(nd.slice(nd.array(x), begin=begin, end=end, step=step).asnumpy(), expected)
    if cuts:
        changed = x.copy()
        changed[tuple(slice(*cut) for cut in cuts)] = -1 - expected
        given = nd.array(x)
        result = nd._internal._slice_assign(given, nd.array(-1 - expected), begin=begin, end=end, step=step)
        np.testing.assert_array_equal(result.asnumpy(), changed)
        np.testing.assert_array_equal(given.asnumpy(), x)


@FAST
@given(SHAPES, st.data())
def test_split_and_concat_are_inverse(shape, data):
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    starts = data.draw(st.lists(st.integers(0, shape[axis]), max_size=3).map(sorted))
    x = nd.array(numbered(shape))
    parts = nd._internal._split_v2(x, indices=(0, *starts), axis=axis)
    expected = np.split(numbered(shape), starts, axis)
    parts = parts if isinstance(parts, list) else [parts]
    assert [p.shape for p in parts] == [e.shape for e in expected]
    np.testing.assert_array_equal(nd.concat(*parts, dim=axis).asnumpy(), numbered(shape))


@FAST
@given(hnp.arrays("float32", hnp.array_shapes(max_dims=3, max_side=3), elements=st.integers(-3, 3)), st.data())
def test_order_is_stable(x, data):
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
    ascending = data.draw(st.booleans())
    key = x if ascending else -x
    order = np.argsort(key, axis, kind="stable")
    np.testing.assert_array_equal(nd.argsort(nd.array(x), axis=axis, is_ascend=ascending).asnumpy(), order)
    np.testing.assert_array_equal(
        nd.sort(nd.array(x), axis=axis, is_ascend=ascending).asnumpy(),
        np.take_along_axis(x.reshape(-1) if axis is None else x, order, 0 if axis is None else axis),
    )
    size = order.shape[0 if axis is None else axis]
    k = data.draw(st.integers(1, size))
    top = nd.topk(nd.array(x), axis=axis, k=k, is_ascend=ascending).asnumpy()
    np.testing.assert_array_equal(top, np.take(order, range(k), 0 if axis is None else axis))


@pytest.mark.parametrize("k", [1, 5, 60])
def test_topk_of_long_rows(k):
    x = np.random.RandomState(0).permutation(4000).reshape(4, 1000).astype("float32")
    values, indices = nd.topk(nd.array(x), k=k, ret_typ="both", dtype="int32")
    np.testing.assert_array_equal(values.asnumpy(), -np.sort(-x, 1)[:, :k])
    np.testing.assert_array_equal(np.take_along_axis(x, indices.asnumpy(), 1), values.asnumpy())


@FAST
@given(hnp.arrays("float32", hnp.array_shapes(max_dims=2, max_side=6), elements=st.integers(-4, 12)), st.data())
def test_histogram_is_numpys(x, data):
    count = data.draw(st.integers(1, 7))
    totals, edges = nd._internal._histogram(nd.array(x), bin_cnt=count, range=(-2, 10))
    expected, bins = np.histogram(x.astype("float64"), count, (-2, 10))
    assert totals.dtype is np.int64
    np.testing.assert_allclose(edges.asnumpy(), bins, rtol=1e-6, atol=1e-6)
    # edges in float32 may take an element that lies exactly on one to the other side
    near = np.abs(x.reshape(-1, 1) - bins).min() if x.size else 1
    if near > 1e-5 or count in (1, 2, 3, 4, 6):
        np.testing.assert_array_equal(totals.asnumpy(), expected)


# ---- indices -------------------------------------------------------------------------------------------------------


@FAST
@given(SHAPES, st.sampled_from(["clip", "wrap"]), st.data())
def test_take_and_its_gradient(shape, mode, data):
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    index = data.draw(hnp.arrays("int32", hnp.array_shapes(max_dims=2, max_side=3), elements=st.integers(-9, 9)))
    x = nd.array(numbered(shape))
    x.attach_grad()
    with mx.autograd.record():
        y = nd.take(x, nd.array(index, dtype="int32"), axis=axis, mode=mode)
    np.testing.assert_array_equal(y.asnumpy(), np.take(numbered(shape), index, axis, mode=mode))
    y.backward()
    hits = np.clip(index, 0, shape[axis] - 1) if mode == "clip" else index % shape[axis]
    counts = np.bincount(hits.reshape(-1), minlength=shape[axis]).reshape(
        [-1 if a == axis % len(shape) else 1 for a in range(len(shape))]
    )
    np.testing.assert_array_equal(x.grad.asnumpy(), np.broadcast_to(counts, shape))


@FAST
@given(SHAPES, st.data())
def test_flat_indices_and_coordinates(shape, data):
    flat = data.draw(hnp.arrays("int64", st.integers(1, 5), elements=st.integers(0, int(np.prod(shape)) - 1)))
    points = nd.unravel_index(nd.array(flat, dtype="int64"), shape=shape)
    np.testing.assert_array_equal(points.asnumpy(), np.stack(np.unravel_index(flat, shape)))
    np.testing.assert_array_equal(nd.ravel_multi_index(points, shape=shape).asnumpy(), flat)
    np.testing.assert_array_equal(nd.gather_nd(nd.array(numbered(shape)), points).asnumpy(), flat)


def test_gather_nd_counts_from_the_end():
    x = nd.array(numbered((2, 3)))
    x.attach_grad()
    with mx.autograd.record():
        y = nd.gather_nd(x, nd.array([[0, -1, -1], [-1, 2, 2]]))
    y.backward()
    np.testing.assert_array_equal(y.asnumpy(), [2, 5, 5])
    np.testing.assert_array_equal(x.grad.asnumpy(), [[0, 0, 1], [0, 0, 2]])


def test_scatter_set_nd_writes_in_place():
    x = nd.zeros((2, 2))
    out = nd._internal._scatter_set_nd(
        lhs=x, rhs=nd.array([2, 3, 9]), indices=nd.array([[1, 1, 0], [0, 1, 0]]), shape=(2, 2), out=x
    )
    assert out is x
    np.testing.assert_array_equal(x.asnumpy(), [[9, 0], [2, 3]])
    with pytest.raises(mx.MXNetError, match="shape"):
        nd._internal._scatter_set_nd(x, nd.array([1]), nd.array([[0], [0]]), shape=(3, 2))


def test_set_value():
    x = nd.zeros((2, 2))
    assert nd._internal._set_value(5, out=x) is x
    np.testing.assert_array_equal(x.asnumpy(), np.full((2, 2), 5))
    whole = nd.zeros((2,), dtype="int32")
    nd._internal._set_value(src=5.7, out=whole)
    np.testing.assert_array_equal(whole.asnumpy(), [5, 5])
    with pytest.raises(mx.MXNetError, match=r"^set_value.*out"):
        nd._internal._set_value(5)


def test_zeros_without_dtype():
    assert nd._internal._zeros_without_dtype(shape=(2,)).dtype is np.float32
    assert nd._internal._zeros_without_dtype(shape=(2, 3), dtype="4").dtype is np.int32
    with pytest.raises(mx.MXNetError, match="dtype"):
        nd._internal._zeros_without_dtype(shape=(2,), dtype="99")


@pytest.mark.parametrize("lengths", [[0, 1], [1, 4]])
def test_sequence_last_refuses_lengths_that_do_not_exist(lengths):
    with pytest.raises(mx.MXNetError, match="SequenceLast"):
        nd.SequenceLast(nd.zeros((3, 2)), nd.array(lengths), use_sequence_length=True)


def test_sequence_last_gradient_without_lengths():
    x = nd.array(numbered((3, 2)))
    x.attach_grad()
    with mx.autograd.record():
        y = nd.SequenceLast(x)
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), [[0, 0], [0, 0], [1, 1]])


@pytest.mark.parametrize("name", ["argmax", "argmin", "argsort", "topk"])
def test_indices_have_a_gradient_of_zero(name):
    x = nd.array([[1, 3, 2]])
    x.attach_grad()
    x.grad[:] = 7
    with mx.autograd.record():
        y = getattr(nd, name)(x, axis=1)
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), np.zeros((1, 3)))


@pytest.mark.parametrize(
    ("name", "arrays", "attrs"),
    [
        ("Flatten", [(0, 3, 2)], {}),
        ("Concat", [(0, 3), (2, 3)], {"dim": 0}),
        ("slice", [(0, 3)], {"begin": (None, 1), "end": (None, None)}),
        ("transpose", [(0, 3)], {}),
        ("take", [(4, 3), (0,)], {}),
        ("one_hot", [(0,)], {"depth": 3}),
        ("Embedding", [(0, 2), (4, 3)], {"input_dim": 4, "output_dim": 3}),
        ("sort", [(0, 3)], {}),
        ("argsort", [(3, 0)], {}),
        ("where", [(0, 3), (0, 3), (0, 3)], {}),
        ("tile", [(0, 3)], {"reps": (2,)}),
        ("repeat", [(0, 3)], {"repeats": 2, "axis": 1}),
        ("reverse", [(0, 3)], {"axis": (1,)}),
        ("SequenceMask", [(0, 3, 2)], {}),
    ],
)
def test_empty_arrays(name, arrays, attrs):
    """The meta device and the real one agree on arrays without elements."""
    op = registry.get(name)
    counted = {"num_args": len(arrays)} if op.count else {}
    real = op.kernel(*[torch.zeros(s) for s in arrays], **attrs, **counted)
    meta = op.kernel(*[torch.zeros(s, device="meta") for s in arrays], **attrs, **counted)
    assert real.shape == meta.shape
    assert real.numel() == 0 or name == "Concat"


# ---- inference -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shapes", "attrs", "wanted", "inputs", "outputs"),
    [
        ("Reshape", [(0, 3, 4)], {"shape": (0, -1)}, None, [(0, 3, 4)], [(0, 12)]),
        ("Reshape", [(0, 3, 4)], {"shape": (-1, 12)}, None, [(0, 3, 4)], [(0, 12)]),
        ("Reshape", [(0, 3, 4)], {"shape": (-3, 0)}, None, [(0, 3, 4)], [(0, 4)]),
        ("Reshape", [(0, 3)], {"shape": (-4, -1, 2, 0)}, None, [(0, 3)], [(0, 2, 3)]),
        ("Reshape", [(0, 3)], {"shape": (2, 6)}, None, [(4, 3)], [(2, 6)]),
        ("Reshape", [(8, 0)], {"shape": (-1,)}, [(40,)], [(8, 5)], [(40,)]),
        ("Flatten", [(0, 3, 4)], {}, None, [(0, 3, 4)], [()]),
        ("transpose", [None], {"axes": (1, 2, 0)}, [(2, 3, 4)], [(4, 2, 3)], [(2, 3, 4)]),
        ("expand_dims", [None], {"axis": 0}, [(1, 3)], [(3,)], [(1, 3)]),
        ("reverse", [None], {"axis": (0,)}, [(2, 3)], [(2, 3)], [(2, 3)]),
        ("Concat", [(2, 3), (0, 4)], {"dim": 1, "num_args": 2}, None, [(2, 3), (2, 4)], [(2, 7)]),
        ("Concat", [(2, 3), None], {"dim": 1, "num_args": 2}, None, [(2, 3), (2, 0)], [(2, 0)]),
        ("Concat", [(2, 3), (2, 0)], {"dim": -1, "num_args": 2}, [(2, 7)], [(2, 3), (2, 4)], [(2, 7)]),
        ("_rnn_param_concat", [(6,), (0,)], {"dim": 0, "num_args": 2}, [(9,)], [(6,), (3,)], [(9,)]),
        ("stack", [(2, 3), None], {"num_args": 2}, None, [(2, 3), ()], [(2, 2, 3)]),
        ("stack", [None, None], {"num_args": 2}, [(2, 3, 4)], [(), ()], [(2, 3, 4)]),
        ("SliceChannel", [(0, 4)], {"num_outputs": 2}, None, [(0, 4)], [(0, 2), (0, 2)]),
        ("slice", [(0, 5)], {"begin": (None, 1), "end": (None, 3)}, None, [(0, 5)], [(0, 2)]),
        ("slice_axis", [(0, 5)], {"axis": 1, "begin": 0, "end": 2}, None, [(0, 5)], [(0, 2)]),
        ("_slice_assign", [(3, 4), None], {"begin": (0,), "end": (1,)}, None, [(3, 4), (1, 4)], [(3, 4)]),
        ("Crop", [(0, 2, 5, 5), (0, 0, 3, 3)], {"num_args": 2}, None, [(0, 2, 5, 5), (0, 0, 3, 3)], [(0, 2, 3, 3)]),
        (
            "Pad",
            [(0, 3, 4, 4)],
            {"mode": "edge", "pad_width": (0,) * 4 + (1,) * 4},
            None,
            [(0, 3, 4, 4)],
            [(0, 3, 6, 6)],
        ),
        ("depth_to_space", [(0, 4, 2, 2)], {"block_size": 2}, None, [(0, 4, 2, 2)], [(0, 1, 4, 4)]),
        ("Embedding", [(0, 7), None], {"input_dim": 5, "output_dim": 2}, None, [(0, 7), (5, 2)], [(0, 7, 2)]),
        ("pick", [(5, 2), None], {"keepdims": True}, None, [(5, 2), (5,)], [(5, 1)]),
        ("take", [(5, 2), (0, 3)], {}, None, [(5, 2), (0, 3)], [()]),
        ("batch_take", [(3, 4), None], {}, None, [(3, 4), (3,)], [(3,)]),
        ("SequenceMask", [(4, 3, 2), None], {"use_sequence_length": True}, None, [(4, 3, 2), (3,)], [(4, 3, 2)]),
        (
            "SequenceLast",
            [(4, 3, 2), None],
            {"use_sequence_length": True, "axis": 1},
            None,
            [(4, 3, 2), (4,)],
            [(4, 2)],
        ),
        ("topk", [(0, 4)], {"k": 2}, None, [(0, 4)], [(0, 2)]),
        ("argmax", [(0, 4)], {"axis": 1}, None, [(0, 4)], [()]),
        ("_zeros", [], {"shape": (0, 4)}, [(3, 4)], [], [(3, 4)]),
        ("_arange", [], {"start": 0.0, "infer_range": True}, [(7,)], [], [(7,)]),
        ("_arange", [], {"start": 0.0, "stop": 4.0, "repeat": 2}, None, [], [(8,)]),
    ],
)
def test_inferred_shapes(name, shapes, attrs, wanted, inputs, outputs):
    known = [*map(read_shape, shapes)], attrs, wanted and [*map(read_shape, wanted)]
    found = infer_shapes(registry.get(name), *known)
    assert [[*map(format_shape, part)] for part in found] == [inputs, outputs]


@pytest.mark.parametrize(
    ("name", "shapes", "attrs"),
    [
        ("Concat", [(2, 3), (2, 3)], {"dim": 5, "num_args": 2}),
        ("Concat", [(2, 3), (3, 3)], {"dim": 1, "num_args": 2}),
        ("stack", [(2, 3), (2, 4)], {"num_args": 2}),
        ("pick", [(2, 3), (2,)], {"axis": 4}),
        ("_slice_assign", [(3, 4), (2, 4)], {"begin": (0,), "end": (1,)}),
        ("_slice_assign", [(3, 4), (1, 4)], {"begin": (0,), "end": (1, 2)}),
        ("Embedding", [(2,), (5, 3)], {"input_dim": 5, "output_dim": 2}),
        ("SequenceMask", [(4, 3), (4,)], {"use_sequence_length": True}),
        ("Reshape", [(2, 3)], {"shape": (4, 2)}),
    ],
)
def test_shapes_that_cannot_be(name, shapes, attrs):
    with pytest.raises(mx.MXNetError):
        infer_shapes(registry.get(name), shapes, attrs)


F16, F32, F64, I32, I64 = torch.float16, torch.float32, torch.float64, torch.int32, torch.int64


@pytest.mark.parametrize(
    ("name", "dtypes", "attrs", "inputs", "outputs"),
    [
        ("Embedding", [I32, None], {"input_dim": 5, "output_dim": 2}, [I32, F32], [F32]),
        ("Embedding", [I32, None], {"input_dim": 5, "output_dim": 2, "dtype": F16}, [I32, F16], [F16]),
        ("Embedding", [None, F16], {"input_dim": 5, "output_dim": 2}, [F32, F16], [F16]),
        ("take", [F64, I32], {}, [F64, I32], [F64]),
        ("pick", [F16, None], {}, [F16, F32], [F16]),
        ("gather_nd", [F16, I64], {}, [F16, I64], [F16]),
        ("one_hot", [I32], {"depth": 2, "dtype": F16}, [I32], [F16]),
        ("topk", [F16], {}, [F16], [F32]),
        ("topk", [F16], {"ret_typ": "both", "dtype": I32}, [F16], [F16, I32]),
        ("topk", [F16], {"ret_typ": "mask", "dtype": I32}, [F16], [F16]),
        ("argsort", [F16], {"dtype": I32}, [F16], [I32]),
        ("argmax", [F16], {}, [F16], [F16]),
        ("where", [I32, None, F16], {}, [I32, F16, F16], [F16]),
        ("batch_take", [F16, None], {}, [F16, I32], [F16]),
        ("SequenceMask", [F16, None], {"use_sequence_length": True}, [F16, F16], [F16]),
        ("SequenceLast", [F16, I32], {"use_sequence_length": True}, [F16, I32], [F16]),
        ("slice_like", [F16, I32], {}, [F16, I32], [F16]),
        ("reshape_like", [F16, I32], {}, [F16, I32], [F16]),
        ("shape_array", [None], {}, [None], [I64]),
        ("Concat", [None, F16], {"num_args": 2}, [F16, F16], [F16]),
        ("_histogram", [F64, None], {}, [F64, F64], [I64, F64]),
        ("_zeros", [], {"dtype": F16}, [], [F16]),
        ("_zeros_without_dtype", [], {"shape": (2,)}, [], [None]),
    ],
)
def test_inferred_dtypes(name, dtypes, attrs, inputs, outputs):
    assert infer_dtypes(registry.get(name), dtypes, attrs) == (inputs, outputs)


@pytest.mark.parametrize(
    ("name", "attrs", "shape"),
    [
        ("_zeros", {"shape": (0, 4)}, (3, 4)),
        ("_full", {"shape": (0,), "value": 2.0}, (3,)),
        ("_arange", {"start": 1.0, "infer_range": True, "repeat": 2}, (6,)),
        ("_arange", {"start": 0.0, "step": 0.1, "infer_range": True}, (7,)),
    ],
)
def test_creation_of_an_inferred_shape(name, attrs, shape):
    op = registry.get(name)
    made = op.kernel(**op.rules["complete"](attrs, shape), _device=torch.device("cpu"))
    assert tuple(made.shape) == shape


@pytest.mark.parametrize("shape", [np.array([2, 3]), [np.int64(2), np.int32(3)], (np.int64(2), 3)], ids=repr)
def test_shapes_made_of_numpys_integers(shape):
    """The original takes lists of them, and arrays in a few places; here they are good everywhere."""
    for made in (mx.nd.zeros(shape), mx.nd.ones(shape), mx.nd.full(shape, 2), mx.nd.empty(shape)):
        assert made.shape == (2, 3)
    flat = mx.nd.arange(6)
    for seen in (flat.reshape(shape), flat.reshape(shape=shape), mx.nd.reshape(flat, shape=shape)):
        assert seen.shape == (2, 3)
    assert mx.nd.ones((1, 3)).broadcast_to(shape).shape == (2, 3)
    assert mx.nd.ones((1, 1)).tile(shape).shape == (2, 3)
    assert mx.nd.random.uniform(shape=shape).shape == (2, 3)
    x = mx.sym.var("x", shape=shape)
    assert x.attr("__shape__") == "(2, 3)"
    for node in (x.reshape(shape), mx.sym.reshape(x, shape=shape), mx.sym.zeros(shape)):
        assert node.list_attr()["shape"] == "(2, 3)"
    found = mx.sym.exp(mx.sym.var("x")).infer_shape(x=shape)[1]
    assert repr(found) == "[(2, 3)]"


@pytest.mark.parametrize(
    ("source", "dtype", "expected"),
    [
        (["1", "2.5"], None, [1.0, 2.5]),
        ([["1"], ["2"]], "int32", [[1], [2]]),
        (np.array(["1", "2.5"]), None, [1.0, 2.5]),
        (np.array([1, 2.5], dtype=object), None, [1.0, 2.5]),
        ([1, "2.5"], None, [1.0, 2.5]),
        ([b"1", b"2"], None, [1.0, 2.0]),
        ([None, 1.0], None, [np.nan, 1.0]),
        (None, None, np.nan),
    ],
)
def test_arrays_of_numbers_written_as_text(source, dtype, expected):
    """As the original has it."""
    found = mx.nd.array(source, dtype=dtype)
    assert found.dtype == np.dtype(dtype or "float32")
    np.testing.assert_array_equal(found.asnumpy(), expected)


def test_text_that_is_no_number_is_refused():
    with pytest.raises(TypeError, match="source_array must be array like object"):
        mx.nd.array(["a", "2"])


@pytest.mark.parametrize("name", ["depth_to_space", "space_to_depth"])
@pytest.mark.parametrize("shape", [(1, 0, 2, 2), (1, 4, 0, 2), (1, 4, 2, 0)])
def test_blocks_of_unknown_sizes_are_refused(name, shape):
    with pytest.raises(mx.MXNetError):
        getattr(mx.sym, name)(mx.sym.var("a"), block_size=2).infer_shape(a=shape)
