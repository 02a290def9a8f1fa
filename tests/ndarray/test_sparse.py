"""Sparse arrays: against SciPy, in graphs, files, iterators and training, with wrong indices; who owns memory."""

import logging
import pickle

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, native, nd
from mxnet.ndarray import sparse
from mxnet.ops.sparse import dispatch, products

scipy_sparse = pytest.importorskip("scipy.sparse")


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setenv("MXNET_STORAGE_FALLBACK_LOG_VERBOSE", "0")


def random_csr(rng, shape, density=0.3, dtype="float32"):
    dense = rng.normal(size=shape).astype(dtype) * (rng.random(shape) < density)
    return sparse.csr_matrix(dense), scipy_sparse.csr_matrix(dense), dense


def random_rows(rng, shape, share=0.5):
    dense = rng.normal(size=shape).astype("float32")
    dense[rng.random(shape[0]) >= share] = 0
    return nd.array(dense).tostype("row_sparse"), dense


# ---- against SciPy and NumPy -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_csr_against_scipy(seed, dtype):
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 12, 2))
    mine, theirs, dense = random_csr(rng, shape, rng.random(), dtype)
    other, others, _ = random_csr(rng, shape, rng.random(), dtype)
    rhs = rng.normal(size=(shape[1], rng.integers(1, 70))).astype(dtype)
    left = rng.normal(size=(shape[0], 3)).astype(dtype)
    close = {"rtol": 1e-4, "atol": 1e-5}
    np.testing.assert_allclose(nd.dot(mine, nd.array(rhs, dtype=dtype)).asnumpy(), theirs @ rhs, **close)
    for stype in ("default", "row_sparse"):
        product = nd.dot(mine, nd.array(left, dtype=dtype), transpose_a=True, forward_stype=stype)
        np.testing.assert_allclose(product.asnumpy(), theirs.T @ left, **close)
    np.testing.assert_allclose(nd.dot(nd.array(left.T, dtype=dtype), mine).asnumpy(), left.T @ dense, **close)
    for result, expected in (
        (mine + other, theirs + others),
        (mine - other, theirs - others),
        (mine * other, theirs.multiply(others)),
        (nd.concat(mine, other, dim=0), scipy_sparse.vstack([theirs, others])),
        (nd.square(mine), theirs.power(2)),
    ):
        assert result.stype == "csr"
        result.check_format()
        np.testing.assert_allclose(result.asnumpy(), expected.toarray(), **close)
        np.testing.assert_allclose(result.asscipy().toarray(), expected.toarray(), **close)
    for axis in (0, 1, None):
        axes = {} if axis is None else {"axis": axis}
        np.testing.assert_allclose(mine.sum(**axes).asnumpy(), np.atleast_1d(dense.sum(axis)), **close)
        np.testing.assert_allclose(mine.mean(**axes).asnumpy(), np.atleast_1d(dense.mean(axis)), **close)
    start = int(rng.integers(0, shape[0]))
    np.testing.assert_array_equal(mine[start:].asnumpy(), dense[start:])
    rows = rng.integers(0, shape[0], 5)
    np.testing.assert_array_equal(nd.take(mine, nd.array(rows)).asnumpy(), dense[rows])


@pytest.mark.parametrize("seed", range(15))
def test_row_sparse_against_numpy(seed):
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(1, 10)), *rng.integers(1, 5, rng.integers(1, 3)))
    a, x = random_rows(rng, shape, rng.random())
    b, y = random_rows(rng, shape, rng.random())
    for result, expected in ((a + b, x + y), (a - b, x - y), (a * b, x * y), (nd.add_n(a, b, a), x + y + x)):
        assert result.stype == "row_sparse"
        result.check_format()
        np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-5, atol=1e-6)
    d = nd.array(y)
    np.testing.assert_allclose((nd.elemwise_add(a, d)).asnumpy(), x + y, rtol=1e-6)
    np.testing.assert_allclose((nd.elemwise_sub(d, a)).asnumpy(), y - x, rtol=1e-6)
    np.testing.assert_allclose((nd.elemwise_sub(a, d)).asnumpy(), x - y, rtol=1e-6)
    rows = np.unique(rng.integers(0, shape[0], 3))
    kept = np.zeros_like(x)
    kept[rows] = x[rows]
    np.testing.assert_array_equal(a.retain(nd.array(rows, dtype="int64")).asnumpy(), kept)


@pytest.mark.skipif(native.library() is None, reason="there are no kernels in C")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_in_c_and_in_torch_agree(monkeypatch, dtype):
    rng = np.random.default_rng(3)
    mine, _, _ = random_csr(rng, (70, 90), 0.1, dtype)
    rhs = torch.from_numpy(rng.normal(size=(90, 33)).astype(dtype))
    one = products.multiply(mine._value, rhs)
    across = products.transpose(mine._value)
    monkeypatch.setattr(native, "library", lambda: None)
    torch.testing.assert_close(one, products.multiply(mine._value, rhs))
    other = products.transpose(mine._value)
    for a, b in zip(across.parts(), other.parts(), strict=True):
        assert torch.equal(a, b)


# ---- wrong indices ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "shape", "match"),
    [
        (([1, 2], [0, 2], [0, 1, 2]), (2, 2), "column index 2 is out of range"),
        (([1, 2], [0, -1], [0, 1, 2]), (2, 2), "column index -1 is out of range"),
        (([1, 2], [0, 1], [0, 2, 1]), (2, 2), "indptr"),
        (([1, 2], [0, 1], [1, 1, 2]), (2, 2), "indptr must begin with 0"),
        (([1, 2], [0, 1], [0, 2]), (2, 2), "indptr has 2 element"),
        (([1, 2, 3], [0, 1], [0, 1, 2]), (2, 2), "3 element"),
        (([1, 2], [0.5, 1], [0, 1, 2]), (2, 2), "integers"),
        (([1, 2], [[0, 1]], [0, 1, 2]), (2, 2), "vector"),
        (([1, 2], [0, 1], [0, 1, 2]), (2, 2, 2), "2 dimensions"),
        (([1, 2], [0, 1], [0, 3, 2]), (2, 2), "must not decrease"),
    ],
)
def test_wrong_csr_matrices_are_refused(parts, shape, match):
    with pytest.raises(mx.MXNetError, match=match):
        sparse.csr_matrix(parts, shape=shape).asnumpy()


def test_unsorted_and_double_rows_are_told_by_check_format():
    for rows in ([2, 0], [1, 1]):
        a = sparse.row_sparse_array((np.array([[1.0, 2], [3, 4]]), rows), shape=(3, 2))
        with pytest.raises(mx.MXNetError, match="must increase"):
            a.check_format()
    a = sparse.row_sparse_array((np.array([[1.0, 2], [3, 4]]), [2, 0]), shape=(3, 2))
    assert a.retain(nd.array([2])).asnumpy().tolist() == [[0, 0], [0, 0], [1, 2]]
    with pytest.raises(mx.MXNetError, match="row index 3"):
        sparse.row_sparse_array((np.ones((1, 2)), [3]), shape=(3, 2)).asnumpy()
    b = sparse.csr_matrix(([1, 2], [1, 0], [0, 2, 2]), shape=(2, 2))
    with pytest.raises(mx.MXNetError, match="must increase"):
        b.check_format()
    b.check_format(full_check=False)
    assert nd.dot(b, nd.array([[1, 10], [100, 1000]])).asnumpy().tolist() == [[102, 1020], [0, 0]]


# ---- memory, files, other libraries ----------------------------------------------------------------------------------


def test_what_an_array_gives_out_is_a_copy():
    c = sparse.csr_matrix(np.eye(3))
    c.data[:] = 5
    c.indices[:] = 0
    c.indptr[:] = 0
    assert c.asnumpy().tolist() == np.eye(3).tolist()
    d = c.copy()
    d[:] = np.ones((3, 3))
    assert c.asnumpy().tolist() == np.eye(3).tolist()
    source = sparse.csr_matrix(2 * np.eye(3))
    source.copyto(c)
    source[:] = np.zeros((3, 3))
    assert c.asnumpy().tolist() == (2 * np.eye(3)).tolist()


def test_dense_only_functions_say_so():
    c = sparse.csr_matrix(np.eye(3))
    for use in (c.as_np_ndarray, lambda: c.to_dlpack_for_read()):
        with pytest.raises((mx.MXNetError, NotImplementedError)):
            use()


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
def test_pickle_and_files(tmp_path, stype):
    a = nd.array(np.diag([1.0, 0, 3])).tostype(stype)
    again = pickle.loads(pickle.dumps(a))
    assert type(again) is type(a)
    assert again.asnumpy().tolist() == a.asnumpy().tolist()
    assert f"mxnet.ndarray.sparse\n{type(a).__name__}".encode() in pickle.dumps(a, 2)
    nd.save(str(tmp_path / "a.params"), {"a": a, "d": nd.ones((2,))})
    loaded = nd.load(str(tmp_path / "a.params"))
    assert loaded["a"].stype == stype and loaded["d"].stype == "default"
    assert loaded["a"].asnumpy().tolist() == a.asnumpy().tolist()


def test_torch_shares_memory():
    c = sparse.csr_matrix(np.diag([1.0, 0, 3]))
    t = c.as_torch()
    assert t.layout is torch.sparse_csr
    t.values()[0] = 7
    assert c.asnumpy()[0, 0] == 7
    back = nd.from_torch(t)
    assert back.stype == "csr" and back._value.data.data_ptr() == c._value.data.data_ptr()
    r = nd.array(np.diag([1.0, 0, 3])).tostype("row_sparse")
    assert r.as_torch().to_dense().tolist() == np.diag([1.0, 0, 3]).tolist()
    assert nd.from_torch(r.as_torch()).asnumpy().tolist() == r.asnumpy().tolist()


# ---- fallback --------------------------------------------------------------------------------------------------------


def test_fallback_is_told_once(monkeypatch, caplog):
    monkeypatch.setenv("MXNET_STORAGE_FALLBACK_LOG_VERBOSE", "1")
    monkeypatch.setattr(dispatch, "_told", set())
    c = sparse.csr_matrix(np.eye(3))
    with caplog.at_level(logging.WARNING):
        nd.cos(c)
        nd.cos(c)
        nd.sin(c)
    texts = [r.getMessage() for r in caplog.records]
    assert len(texts) == 1
    assert "operator = cos" in texts[0] and "input storage types = [csr, ]" in texts[0]


# ---- graphs ----------------------------------------------------------------------------------------------------------


def test_symbols_infer_storage():
    x, w = mx.sym.var("x", stype="csr"), mx.sym.var("w")
    y = mx.sym.sparse.dot(x, w)
    loss = mx.sym.sum(mx.sym.square(y))
    e = loss.simple_bind(mx.cpu(), x=(4, 5), w=(5, 3))
    assert e.arg_dict["x"].stype == "csr" and e.grad_dict["w"].stype == "row_sparse"
    rng = np.random.default_rng(0)
    a, _, dense = random_csr(rng, (4, 5))
    b = rng.normal(size=(5, 3)).astype("float32")
    e.forward(is_train=True, x=a, w=nd.array(b))
    e.backward(nd.ones((1,)))
    np.testing.assert_allclose(e.grad_dict["w"].asnumpy(), 2 * dense.T @ (dense @ b), rtol=1e-4, atol=1e-5)
    e.forward(is_train=False, x=a)
    np.testing.assert_allclose(e.outputs[0].asnumpy(), [np.square(dense @ b).sum()], rtol=1e-4)
    assert mx.sym.load_json(loss.tojson()).simple_bind(mx.cpu(), x=(4, 5), w=(5, 3)).arg_dict["x"].stype == "csr"


def test_sparse_results_of_graphs():
    x = mx.sym.var("x")
    e = mx.sym.cast_storage(x, stype="row_sparse").bind(mx.cpu(), {"x": nd.array(np.diag([1.0, 0, 2]))})
    (out,) = e.forward()
    assert out.stype == "row_sparse" and out.indices.asnumpy().tolist() == [0, 2]


def test_hybridized_blocks_take_csr():
    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.w = self.params.get("w", shape=(5, 2), grad_stype="row_sparse", init=mx.init.One())

        def hybrid_forward(self, F, x, w):
            return F.dot(x, w)

    c = sparse.csr_matrix(np.eye(3, 5), dtype="float32")
    for hybridize in (False, True):
        net = Net()
        net.initialize()
        net.hybridize(hybridize)
        with autograd.record():
            y = net(c)
        y.backward()
        assert y.asnumpy().tolist() == [[1, 1]] * 3
        assert net.w.grad().indices.asnumpy().tolist() == [0, 1, 2]


# ---- training --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("optimizer", ["sgd", "adam", "adagrad", "ftrl"])
def test_lazy_updates_leave_other_rows_alone(optimizer):
    net = gluon.nn.Embedding(50, 3, sparse_grad=True)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), optimizer, {"learning_rate": 0.1, "wd": 0.1 * (optimizer == "sgd")})
    before = net.weight.data().asnumpy()
    for _ in range(2):
        with autograd.record():
            loss = (net(nd.array([4, 7, 7])) ** 2).sum()
        loss.backward()
        trainer.step(1)
    changed = np.flatnonzero((net.weight.data().asnumpy() != before).any(1)).tolist()
    assert changed == ([4, 7] if optimizer != "ftrl" else list(range(50)))  # ftrl is lazy on row-sparse weights only


def test_dense_and_sparse_embeddings_learn_the_same():
    weights = []
    for sparse_grad in (False, True):
        mx.random.seed(0)
        net = gluon.nn.Embedding(10, 4, sparse_grad=sparse_grad)
        net.initialize(mx.init.One())
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
        for batch in ([1, 2, 2], [9, 0, 1]):
            with autograd.record():
                loss = (net(nd.array(batch)) ** 2).sum()
            loss.backward()
            trainer.step(1)
        weights.append(net.weight.data().asnumpy())
    np.testing.assert_allclose(*weights, rtol=1e-6)


def test_sparse_embedding_on_two_devices_and_in_files(tmp_path):
    contexts = [mx.cpu(0), mx.cpu(1)]
    net = gluon.contrib.nn.SparseEmbedding(6, 2)
    net.initialize(mx.init.One(), ctx=contexts)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0}, kvstore="device")
    with autograd.record():
        losses = [net(nd.array(rows, ctx=c)).sum() for rows, c in zip(([1, 2], [2, 5]), contexts, strict=True)]
    autograd.backward(losses)
    trainer.step(1)
    rows = net.weight.row_sparse_data(nd.arange(6)).asnumpy()
    assert rows[:, 0].tolist() == [1, 0, -1, 1, 1, 0]
    net.save_parameters(str(tmp_path / "e.params"))
    again = gluon.contrib.nn.SparseEmbedding(6, 2)
    again.load_parameters(str(tmp_path / "e.params"))
    trainer = gluon.Trainer(again.collect_params(), "sgd")
    np.testing.assert_array_equal(again.weight.row_sparse_data(nd.arange(6)).asnumpy(), rows)


def test_gradients_through_what_is_not_a_variable_are_dense():
    w = nd.array(np.arange(8).reshape(4, 2))
    w.attach_grad()
    with autograd.record():
        y = nd.Embedding(nd.array([1, 1]), w * 2, input_dim=4, output_dim=2, sparse_grad=True)
    y.backward()
    assert w.grad.asnumpy().tolist() == [[0, 0], [4, 4], [0, 0], [0, 0]]


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize(
    ("form", "rows", "gradient"),
    [
        ("nd.Embedding(nd.array([1, 2, 1]), w, input_dim=3, output_dim=3, sparse_grad=True)", [1, 2], [2, 1]),
        ("nd.take(w, nd.array([1, 1]))", [1], [2]),
        ("nd.sparse.retain(w, nd.array([0, 1]))", [0, 1], [1, 1]),
        ("nd.dot(nd.array([[0, 2, 0], [0, 1, 0]]).tostype('csr'), w)", [1], [3]),
        ("nd.dot(nd.array([[0, 0], [2, 1], [0, 0]]).tostype('csr'), w, transpose_a=True)", [1], [3]),
        ("w * 2", [0, 1, 2], [2, 2, 2]),
        ("w + w", [0, 1, 2], [2, 2, 2]),
        ("w * nd.array([[1], [2], [3]]).broadcast_to((3, 3))", [0, 1, 2], [1, 2, 3]),
        ("w.tostype('default') * 3", [0, 1, 2], [3, 3, 3]),
        ("nd.sum(w)", [0, 1, 2], [1, 1, 1]),
    ],
)
def test_rows_that_are_not_stored_have_gradients_and_others_have_none(form, rows, gradient, full):
    """As the original: a step of an optimizer moves the rows that have a gradient, and only these."""
    w = nd.array(np.diag([1.0, 0, 3]) + (1 if full else 0)).tostype("row_sparse")
    w.attach_grad()
    with autograd.record():
        y = eval(form)
    y.backward()
    assert w.grad.indices.asnumpy().tolist() == rows
    assert w.grad.data.asnumpy().tolist() == [[g] * 3 for g in gradient]
    w.attach_grad(stype="default")
    with autograd.record():
        y = eval(form)
    y.backward()
    assert [int(row[0]) for row in w.grad.asnumpy()] == [
        dict(zip(rows, gradient, strict=True)).get(i, 0) for i in range(3)
    ]


# ---- data ------------------------------------------------------------------------------------------------------------


def test_libsvm_files_give_csr_matrices(tmp_path):
    (tmp_path / "a.svm").write_text("1 0:1.5 3:2\n0 1:1\n2\n1 2:3 4:-1\n0 0:7\n")
    (tmp_path / "l.svm").write_text("0 0:1 2:5\n0 1:1\n0 2:3\n0 0:1\n0 1:2\n")
    path = str(tmp_path / "a.svm")
    batches = list(mx.io.LibSVMIter(data_libsvm=path, data_shape=(5,), batch_size=2))
    assert [b.data[0].stype for b in batches] == ["csr"] * 3
    assert batches[2].data[0].asnumpy().tolist() == [[7, 0, 0, 0, 0], [1.5, 0, 0, 2, 0]]
    assert [b.label[0].asnumpy().tolist() for b in batches] == [[1, 0], [2, 1], [0, 1]]
    assert [b.pad for b in batches] == [0, 0, 1]
    label = str(tmp_path / "l.svm")
    (one, two) = mx.io.LibSVMIter(data_libsvm=path, data_shape=(5,), batch_size=3, label_libsvm=label, label_shape=(3,))
    assert one.label[0].stype == two.label[0].stype == "csr"
    assert two.label[0].asnumpy().tolist() == [[1, 0, 0], [0, 2, 0], [1, 0, 5]]


@pytest.mark.parametrize("kind", ["ours", "csr", "csc"])
def test_iterators_take_csr(kind):
    dense = (np.arange(20).reshape(5, 4) % 3).astype("float32")
    data = {"ours": sparse.csr_matrix, "csr": scipy_sparse.csr_matrix, "csc": scipy_sparse.csc_matrix}[kind](dense)
    runs = []
    for source in (data, dense):
        np.random.seed(0)
        batches = mx.io.NDArrayIter(source, np.arange(5), 2, shuffle=True, last_batch_handle="discard")
        runs.append(list(batches))
        batches.reset()
        runs[-1] += list(batches)
    for mine, theirs in zip(*runs, strict=True):
        assert mine.data[0].stype == "default" and mine.pad == theirs.pad
        np.testing.assert_array_equal(mine.data[0].asnumpy(), theirs.data[0].asnumpy())
        np.testing.assert_array_equal(mine.label[0].asnumpy(), theirs.label[0].asnumpy())
    for handle in ("pad", "roll_over"):  # as in the original
        with pytest.raises(NotImplementedError, match="discard"):
            mx.io.NDArrayIter(data, np.arange(5), 2, last_batch_handle=handle)


def test_data_loaders_take_csr():
    data = gluon.data.ArrayDataset(sparse.csr_matrix(np.eye(4, 3)), np.arange(4))
    assert data[1][0].stype == "csr"
    batches = list(gluon.data.DataLoader(data, 2))
    assert batches[0][0].shape == (2, 1, 3)  # as the original: stacked, and dense


# ---- arrays to test with ---------------------------------------------------------------------------------------------


def test_arrays_to_test_with():
    t = mx.test_utils
    np.random.seed(0)
    csr, (indptr, indices, data) = t.rand_sparse_ndarray((60, 50), "csr", density=0.3)
    assert data.shape == indices.shape == (900,) and indptr.shape == (61,)
    csr.check_format()
    rows, (values, numbers) = t.rand_sparse_ndarray((400, 5), "row_sparse", density=0.3, data_init=2.0)
    assert 80 < len(numbers) < 160 and (values == 2).all()
    rows.check_format()
    assert t.rand_sparse_ndarray((6, 8), "row_sparse", density=0)[0].indices.shape == (0,)
    law, _ = t.rand_sparse_ndarray((64, 64), "csr", density=0.1, distribution="powerlaw")
    assert np.diff(law.indptr.asnumpy())[:11].tolist() == [2, 4, 8, 16, 32, 64, 64, 64, 64, 37, 1]
    shuffled = t.rand_sparse_ndarray((20, 40), "csr", density=0.5, shuffle_csr_indices=True)[0]
    with pytest.raises(mx.MXNetError, match="must increase"):
        shuffled.check_format()
    assert t.create_sparse_array((4, 3), "row_sparse", rsp_indices=[1]).indices.asnumpy().tolist() == [1]
    assert t.create_sparse_array_zd((4, 3), "csr", 0.0).data.shape == (0,)
    for wrong in (("foo", None), ("row_sparse", "powerlaw")):
        with pytest.raises(AssertionError):
            t.rand_sparse_ndarray((3, 3), wrong[0], distribution=wrong[1])


def test_states_that_nobody_wrote_to_get_their_rows_in_the_first_step():
    w = nd.array([[1.0, 2], [3, 4]]).tostype("row_sparse")
    momentum = nd.zeros_like(w)
    grad = nd.sparse.row_sparse_array((nd.array([[1.0, 1]]), nd.array([1])), shape=(2, 2))
    nd.sgd_mom_update(w, grad, momentum, lr=0.5, momentum=0.5, out=w)
    assert w.asnumpy().tolist() == [[1, 2], [2.5, 3.5]]
    assert momentum.indices.asnumpy().tolist() == [0, 1] and momentum.asnumpy().tolist() == [[0, 0], [-0.5, -0.5]]


def test_row_sparse_keys_are_pulled_whole_if_that_is_asked_for():
    kv = mx.kv.create("local")
    kv.init("a", nd.array([[0.0, 0], [3, 4]]).tostype("row_sparse"))
    out = nd.sparse.zeros("row_sparse", (2, 2))
    kv.pull("a", out=out)
    assert out.indices.size == 0
    kv.pull("a", out=out, ignore_sparse=False)
    assert out.indices.asnumpy().tolist() == [1] and out.asnumpy().tolist() == [[0, 0], [3, 4]]
    with pytest.raises(mx.MXNetError, match="csr"):
        kv.pull("a", out=nd.sparse.zeros("csr", (2, 2)), ignore_sparse=False)
    kv.init("b", nd.sparse.zeros("row_sparse", (2, 2)))
    kv.row_sparse_pull("b", out=out, row_ids=nd.array([1]))
    assert out.indices.size == 0


def test_copies_between_sparse_arrays_convert_the_type():
    for stype in ("row_sparse", "csr"):
        target = nd.sparse.zeros(stype, (2, 2))
        nd.array([[0, 0], [3, 4]], dtype="float64").tostype(stype).copyto(target)
        assert target.dtype == np.float32 and target.asnumpy().tolist() == [[0, 0], [3, 4]]


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
def test_detached_arrays_see_every_write(stype):
    def made(value):
        return nd.full((4, 2), value).tostype(stype)

    def update(array):
        nd.elemwise_add(array, array, out=array)

    for write in (lambda a: a.__setitem__(slice(None), made(3)), lambda a: made(3).copyto(a), update):
        array = made(1)
        alias, copy = array.detach(), array.copy()
        write(array)
        np.testing.assert_array_equal(alias.asnumpy(), array.asnumpy())
        write(alias)
        np.testing.assert_array_equal(alias.asnumpy(), array.asnumpy())
        np.testing.assert_array_equal(copy.asnumpy(), np.ones((4, 2)))
        assert (array.asnumpy() != 1).all()


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
@pytest.mark.parametrize("name", ["normal", "uniform", "gamma", "exponential", "poisson"])
def test_random_numbers_into_sparse_arrays(name, stype):
    mx.random.seed(1)
    expected = getattr(nd.random, name)(shape=(4, 2)).asnumpy()
    mx.random.seed(1)
    out = sparse.zeros(stype, (4, 2))
    getattr(nd.random, name)(out=out)
    assert out.stype == stype
    np.testing.assert_array_equal(out.asnumpy(), expected)


def test_a_modules_row_sparse_parameters_stay_row_sparse(tmp_path):
    weight = mx.sym.Variable("fc_weight", stype="row_sparse", shape=(20, 2))
    scores = mx.sym.sparse.dot(mx.sym.Variable("data", stype="csr"), weight)

    def bound():
        module = mx.mod.Module(mx.sym.SoftmaxOutput(scores, name="softmax"))
        module.bind([("data", (8, 20))], [("softmax_label", (8,))])
        return module

    module = bound()
    module.init_params(mx.init.Normal(0.1))
    mine = module.get_params()[0]["fc_weight"]
    module.save_params(str(tmp_path / "net.params"))
    again = bound()
    again.load_params(str(tmp_path / "net.params"))
    theirs = again.get_params()[0]["fc_weight"]
    assert mine.stype == theirs.stype == nd.load(str(tmp_path / "net.params"))["arg:fc_weight"].stype == "row_sparse"
    assert mine.asnumpy().any()
    np.testing.assert_array_equal(mine.asnumpy(), theirs.asnumpy())
    np.testing.assert_array_equal(nd.full((2, 3), 7, out=sparse.zeros("row_sparse", (2, 3))).asnumpy(), 7)


def test_gradients_do_not_share_memory_with_the_head_gradient():
    for function in (nd.identity, lambda x: x * 1, lambda x: sparse.elemwise_add(x, x)):
        x, head = (nd.ones((3, 2)).tostype("row_sparse") for _ in range(2))
        x.attach_grad()
        with autograd.record():
            y = function(x)
        y.backward(head)
        before = x.grad.asnumpy()
        sparse.sgd_update(head, head, lr=0.5, out=head)  # in place
        np.testing.assert_array_equal(x.grad.asnumpy(), before)
        sparse.sgd_update(x.grad, x.grad, lr=0.5, out=x.grad)
        np.testing.assert_array_equal(head.asnumpy(), np.full((3, 2), 0.5))


def test_results_keep_their_dtype():
    rows = nd.ones((3, 2)).tostype("row_sparse")
    out = sparse.zeros("row_sparse", (3, 2), dtype="float64")
    for function in (nd.square, nd.identity, lambda x, out: sparse.retain(x, nd.array([0]), out=out)):
        with pytest.raises(TypeError, match="out is float64, the result is float32"):
            function(rows, out=out)
    assert rows.copyto(out).dtype == np.float64
    np.testing.assert_array_equal(out.asnumpy(), np.ones((3, 2)))


def test_late_gradients_of_row_sparse_weights():
    weight, dense = nd.array([[1, 2], [0, 0], [3, 4]]).tostype("row_sparse"), nd.array([[1, 2], [0, 0], [3, 4]])
    updater, other = (mx.optimizer.get_updater(mx.optimizer.DCASGD(learning_rate=0.125, wd=0.5)) for _ in range(2))
    for gradient in (nd.ones((3, 2)), sparse.row_sparse_array(([[1, -1]], [2]), shape=(3, 2))):
        updater(0, gradient, weight)
        other(0, gradient, dense)
        np.testing.assert_array_equal(weight.asnumpy(), dense.asnumpy())


def test_types_of_the_parts():
    assert mx.nd.sparse._STORAGE_AUX_TYPES == {"row_sparse": [np.int64], "csr": [np.int64, np.int64]}
    for stype, types in mx.nd.sparse._STORAGE_AUX_TYPES.items():
        array = mx.nd.sparse.zeros(stype, (2, 3))
        assert array._aux_types == types and array._aux_type(0) is np.int64


@pytest.mark.parametrize(
    ("function", "gradient"),
    [
        (lambda v: mx.sym._internal._square_sum(v, axis=1, keepdims=True), [[4, 6], [32, 36]]),
        (lambda v: mx.sym._internal._square_sum(-v, axis=1, keepdims=True), [[4, 6], [32, 36]]),
        (lambda v: v * 3, [[3, 3], [6, 6]]),
        (lambda v: mx.sym.identity(v) / 2, [[0.5, 0.5], [1, 1]]),
    ],
)
def test_in_a_graph_only_rows_that_are_multiplied_have_gradients(function, gradient):
    """As in the original: what a lazy optimizer does with a factorization machine depends on it."""
    data, variable = mx.sym.Variable("data", stype="csr"), mx.sym.Variable("v", shape=(6, 2), stype="row_sparse")
    net = mx.sym.MakeLoss(mx.sym.dot(data, function(variable)))
    executor = net.simple_bind(mx.cpu(), data=(2, 6))
    executor.arg_dict["data"][:] = mx.nd.array([[0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 2, 0]]).tostype("csr")
    executor.arg_dict["v"][:] = mx.nd.array(np.arange(12).reshape(6, 2)).tostype("row_sparse")
    executor.forward(is_train=True)
    executor.backward()
    found = executor.grad_dict["v"]
    assert found.indices.asnumpy().tolist() == [1, 4]
    np.testing.assert_allclose(found.data.asnumpy(), gradient)


def test_the_shape_of_a_variable_may_be_a_number():
    for shape, text, expected in (
        (3, "3", (3,)),
        (np.int64(3), "3", (3,)),
        ("(2,3)", "(2,3)", (2, 3)),
        ([2, 3], None, (2, 3)),
    ):
        variable = mx.sym.var("b", shape=shape)
        assert text is None or variable.attr("__shape__") == text
        assert (variable * 2).infer_shape()[0] == [expected]


def test_a_factorization_machine_by_module():
    """The mean squared error after three epochs is the original's."""
    data = mx.sym.Variable("data", stype="csr")
    factors = mx.sym.Variable("v", shape=(20, 4), stype="row_sparse", init=mx.init.Constant(0.1))
    weight = mx.sym.Variable("w1_weight", shape=(20, 1), stype="row_sparse", init=mx.init.Constant(0.1))
    bias = mx.sym.Variable("w1_bias", shape=1)
    linear = mx.sym.broadcast_add(mx.sym.dot(data, weight), bias)
    squares = mx.sym._internal._square_sum(data=factors, axis=1, keepdims=True)
    pairs = mx.sym.sum(0.5 * mx.sym.square(mx.sym.dot(data, factors)), axis=1, keepdims=True)
    alone = 0.5 * mx.sym.negative(mx.sym.dot(mx.sym.square(data), squares))
    net = mx.sym.LinearRegressionOutput(mx.sym.elemwise_add(pairs, alone) + linear, mx.sym.Variable("label"))
    values = (np.arange(400).reshape(20, 20) % 7 == 0).astype("float32")
    labels = {"label": nd.array(values.sum(1, keepdims=True))}
    batches = mx.io.NDArrayIter(nd.array(values).tostype("csr"), labels, 5, last_batch_handle="discard")
    module = mx.mod.Module(net, data_names=["data"], label_names=["label"])
    module.bind(batches.provide_data, batches.provide_label)
    module.init_params(mx.init.Constant(0.1))
    module.init_optimizer(optimizer="sgd", optimizer_params={"learning_rate": 0.01})
    metric = mx.metric.create("mse")
    for _ in range(3):
        batches.reset()
        metric.reset()
        for batch in batches:
            module.forward(batch, is_train=True)
            module.update_metric(metric, batch.label)
            module.backward()
            module.update()
    np.testing.assert_allclose(metric.get()[1], 4.736443281173706, rtol=1e-4)


@pytest.mark.parametrize(
    "stypes", [("default", "row_sparse"), ("row_sparse", "csr"), ("csr", "csr", "default"), ("row_sparse",) * 3]
)
@pytest.mark.parametrize("stored", ["same", "default"])
def test_sums_of_mixed_storages_in_graphs(stypes, stored):
    rng = np.random.RandomState(0)
    values = [(rng.rand(4, 5) * (rng.rand(4, 1) > 0.5)).astype("float32") for _ in stypes]
    total = mx.sym.add_n(*[mx.sym.var(f"a{i}", stype=stype) for i, stype in enumerate(stypes)])
    arrays = [nd.array(value).tostype(stype) for value, stype in zip(values, stypes, strict=True)]
    grads = [nd.zeros((4, 5)).tostype(stype if stored == "same" else stored) for stype in stypes]
    executor = total.bind(mx.cpu(), arrays, args_grad=grads)
    (result,) = executor.forward(is_train=True)
    head = nd.array(rng.rand(4, 5))
    executor.backward([head])
    np.testing.assert_allclose(result.asnumpy(), sum(values), rtol=1e-6)
    for grad in grads:
        np.testing.assert_allclose(grad.asnumpy(), head.asnumpy())


def test_rows_that_are_absent_are_zero_beside_infinite_ones():
    values = np.array([[1, 1], [np.inf, np.nan]], "float32")
    a = sparse.row_sparse_array((values, [0, 3]), shape=(4, 2))
    wanted = [[1, 1], [0, 0], [0, 0], [np.inf, np.nan]]
    np.testing.assert_array_equal(sparse.retain(a, nd.arange(4)).asnumpy(), wanted)
    store = mx.kv.create("local")
    store.init("rows", a)
    out = sparse.zeros("row_sparse", (4, 2))
    store.row_sparse_pull("rows", out=out, row_ids=nd.arange(4))
    np.testing.assert_array_equal(out.asnumpy(), wanted)
