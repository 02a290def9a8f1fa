"""Sparse arrays whose indices are not in order, name a place twice, or are wrong."""

import pickle

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd
from mxnet.ndarray import sparse

DATA = np.array([1, 2, 3, 4], "float32")


def unordered():
    return sparse.csr_matrix((DATA, [2, 0, 3, 1], [0, 2, 2, 4]), shape=(3, 4))


def repeated():
    return sparse.csr_matrix((DATA, [1, 1, 0, 3], [0, 2, 3, 4]), shape=(3, 4))


def unordered_rows():
    return sparse.row_sparse_array((np.arange(8, dtype="float32").reshape(2, 4) + 1, [2, 0]), shape=(3, 4))


def repeated_rows():
    return sparse.row_sparse_array((np.arange(8, dtype="float32").reshape(2, 4) + 1, [1, 1]), shape=(3, 4))


DENSE = {
    unordered: [[2, 0, 1, 0], [0, 0, 0, 0], [0, 4, 0, 3]],
    repeated: [[0, 3, 0, 0], [3, 0, 0, 0], [0, 0, 0, 4]],
    unordered_rows: [[5, 6, 7, 8], [0, 0, 0, 0], [1, 2, 3, 4]],
    repeated_rows: [[0, 0, 0, 0], [6, 8, 10, 12], [0, 0, 0, 0]],
}
MAKERS = list(DENSE)


def updated(rule, grad):
    weight = nd.ones((3, 4))
    optimizer = mx.optimizer.create(rule, learning_rate=0.1, lazy_update=False)
    optimizer.update(0, weight, grad, optimizer.create_state(0, weight))
    return weight


USES = {
    "asnumpy": lambda a: a,
    "tostype": lambda a: a.tostype("default"),
    "multiply": lambda a: a * 2,
    "square": nd.square,
    "sum": nd.sum,
    "sum by columns": lambda a: nd.sum(a, axis=0),
    "sum by rows": lambda a: nd.sum(a, axis=1),
    "mean": nd.mean,
    "norm": nd.norm,
    "add": lambda a: a + a,
    "product": lambda a: a * a,
    "add dense": lambda a: nd.elemwise_add(a, nd.ones((3, 4))),
    "multiply dense": lambda a: nd.elemwise_mul(a, nd.array(np.arange(12).reshape(3, 4))),
    "dot": lambda a: nd.dot(a, nd.array(np.arange(8).reshape(4, 2))),
    "dot across": lambda a: nd.dot(a, nd.array(np.arange(6).reshape(3, 2)), transpose_a=True),
    "dot from the left": lambda a: nd.dot(nd.array(np.arange(6).reshape(2, 3)), a),
    "copy": lambda a: a.copy(),
    "astype": lambda a: a.astype("float64"),
    "copyto": lambda a: a.copyto(nd.zeros((3, 4))),
    "add_n": lambda a: nd.add_n(a, a, a),
    "exp": nd.exp,
    "max": nd.max,
    "take": lambda a: nd.take(a, nd.array([2, 0])),
    "fully connected": lambda a: nd.FullyConnected(a, nd.ones((2, 4)), no_bias=True, num_hidden=2),
    "clip": lambda a: nd.clip(a, -1, 2),
    "pickle": lambda a: pickle.loads(pickle.dumps(a)),
    "sgd": lambda a: updated("sgd", a),
    "adam": lambda a: updated("adam", a),
    "as_in_context": lambda a: a.as_in_context(mx.cpu(1)),
    "clip_global_norm": lambda a: mx.gluon.utils.clip_global_norm([a], 1.0) and a,
}


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("use", USES)
def test_operators_see_them_in_order_and_what_is_there_twice_summed(make, use):
    expected = np.array(DENSE[make], "float32")
    found = USES[use](make())
    same = USES[use](nd.array(expected).tostype(make().stype))
    np.testing.assert_allclose(found.asnumpy(), same.asnumpy(), rtol=1e-5)
    if use in ("asnumpy", "tostype", "copyto", "pickle"):
        np.testing.assert_array_equal(found.asnumpy(), expected)


@pytest.mark.parametrize("make", MAKERS)
def test_the_parts_are_as_they_were_given_until_then(make, tmp_path):
    array = make()
    order = array.indices.asnumpy().tolist()
    with pytest.raises(mx.MXNetError, match="must increase"):
        array.check_format()
    array.check_format(full_check=False)
    nd.save(str(tmp_path / "a"), array)
    (loaded,) = nd.load(str(tmp_path / "a"))
    assert loaded.indices.asnumpy().tolist() == order
    np.testing.assert_array_equal((loaded * 1).asnumpy(), DENSE[make])
    loaded.check_format()  # putting them in order is done once


def test_elements_of_a_scipy_matrix_that_are_there_twice_are_summed():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    matrix = scipy_sparse.csr_matrix((DATA, [1, 1, 0, 3], [0, 2, 3, 4]), shape=(3, 4))
    np.testing.assert_array_equal(sparse.csr_matrix(matrix).asnumpy(), matrix.toarray())
    assert matrix.nnz == 4  # it is left as it was


WRONG = [
    lambda: sparse.csr_matrix(([7, 8, 9], [0, 2, 1], [0, 5, 2, 3]), shape=(3, 4)),
    lambda: sparse.csr_matrix(([7, 8, 9], [0, 2, 1], [1, 2, 2, 3]), shape=(3, 4)),
    lambda: sparse.csr_matrix(([7, 8, 9], [0, 2, 1], [0, 2, 2, 4]), shape=(3, 4)),
    lambda: sparse.csr_matrix(([7, 8, 9], [0, 2, 1], [0, 2, 3]), shape=(3, 4)),
    lambda: sparse.csr_matrix(([7, 8, 9], [0, 9, 1], [0, 2, 2, 3]), shape=(3, 4)),
    lambda: sparse.csr_matrix(([7, 8, 9], [0, 2, -1], [0, 2, 2, 3]), shape=(3, 4)),
    lambda: sparse.row_sparse_array((np.ones((2, 4)), [0, 3]), shape=(3, 4)),
    lambda: sparse.row_sparse_array((np.ones((2, 4)), [-1, 0]), shape=(3, 4)),
]


@pytest.mark.parametrize("make", WRONG)
def test_wrong_indices_are_told_by_check_format_and_refused_when_they_are_used(make):
    array = make()
    assert array.shape == (3, 4) and array.data.shape[0] == array.indices.shape[0]
    for use in (array.check_format, array.asnumpy, lambda: array * 2, lambda: nd.sum(array), lambda: nd.exp(array)):
        with pytest.raises(mx.MXNetError):
            use()
