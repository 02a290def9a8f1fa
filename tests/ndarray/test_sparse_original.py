"""Programs on sparse arrays give what the original gave: elements, storage and dtype of results, and refusals."""

# ruff: noqa: E501  (programs as they are)

import warnings

import numpy as np
import pytest
import sparse_cases
from compare import load_golden

import mxnet as mx

RECORDED = load_golden("sparse.json.gz")

ZEROS = "rows of zeros may be stored"

# Where ours does something else, on purpose: a part of the program -> why.
DIFFERENT = {
    "broadcast_div(C, D2)": "the original refuses a divisor of the same shape",
    "broadcast_div(CZ, D2)": "the original refuses a divisor of the same shape",
    "C, C2; result = a / D": "the original refuses a divisor of the same shape",
    "nd.dot(C, nd.arange(5))": "vectors and arrays of more dimensions can be multiplied as well",
    "nd.dot(CZ, nd.arange(5))": "vectors and arrays of more dimensions can be multiplied as well",
    "nd.dot(C, nd.arange(5), forward_stype='default')": "vectors and arrays of more dimensions can be multiplied as well",
    "nd.dot(CZ, nd.arange(5), forward_stype='default')": "vectors and arrays of more dimensions can be multiplied as well",
    "nd.dot(C, nd.ones((5, 2, 2)))": "vectors and arrays of more dimensions can be multiplied as well",
    "nd.dot(CZ, nd.ones((5, 2, 2)))": "vectors and arrays of more dimensions can be multiplied as well",
    "nd.dot(C, nd.ones((5, 2, 2)), forward_stype='default')": "vectors and arrays of more dimensions can be multiplied as well",
    "nd.dot(CZ, nd.ones((5, 2, 2)), forward_stype='default')": "vectors and arrays of more dimensions can be multiplied as well",
    "nd.dot(C, nd.arange(4), transpose_a": "vectors and arrays of more dimensions can be multiplied as well",
    "retain(R, nd.array([7]": "a row that the array cannot have is an error",
    "retain(RF, nd.array([7]": "a row that the array cannot have is an error",
    "R.retain(": "the original's method does not give the array",
    "R, R2; result = a.retain(": "the original's method does not give the array",
    "sparse.subtract(2, ": "the original computes array - number",
    "getnnz(CZ, axis=0)": "as for every other matrix columns are not counted",
    "Embedding(nd.array([[0, 3], [1, 1]]), C,": "runs on a dense copy of a csr weight",
    "a.to_dlpack_for_read()": "DLPack has no sparse arrays; the original hands out part of one",
    "R, R2; nd.elemwise_add(a, b, out=a)": "the result may go to where an input is",
    "RZ, R; nd.elemwise_add(a, b, out=a)": "the result may go to where an input is",
    "w.attach_grad(stype='default')\nwith autograd.record():\n  y = nd.Embedding(nd.array([[3, 1], [1, 0]]), w, input_dim=4, "
    "output_dim=5, sparse_grad=True)": "a gradient goes to a buffer of any storage type",
    "w.attach_grad(stype='row_sparse')\nwith autograd.record():\n  y = nd.Embedding(nd.array([[3, 1], [1, 0]]), w, input_dim=4, "
    "output_dim=5, sparse_grad=False)": "a gradient goes to a buffer of any storage type",
    "w.attach_grad('add', stype='row_sparse')": "row-sparse gradients can be added up",
    "create('adamax', learning_rate=.1)": "0 / 0 makes NaN of the weight in both, of the states only in the original",
    "create('adagrad', learning_rate=.1, wd=.1)": "weight decay works with sparse gradients, too",
    "w = nd.array(TWO + 1).tostype('default'); s = [nd.ones((4, 5)).tostype('row_sparse') for _ in range(1)]\n"
    "nd.sparse.adagrad_update": "works for more combinations",
    "w = nd.array(TWO + 1).tostype('row_sparse'); s = [nd.ones((4, 5)).tostype('default') for _ in range(1)]\n"
    "nd.sparse.adagrad_update": "works for more combinations",
    "out=R, row_ids=nd.array([7])": "rows that do not exist are refused",
    "D, C2; b.astype('float64').copyto(a)": "a copy to a dense array is converted, too",
    "D, R2; b.astype('float64').copyto(a)": "a copy to a dense array is converted, too",
    "D, C2; a.data = ": "arrays take attributes of any name",
    "D, R2; a.data = ": "arrays take attributes of any name",
    "nd.array([1, 0]), nd.array([0, 1, 2])))": "indices may be given as floats that are whole",
    "[0, 9], [0, 1, 2]), shape=(2, 2))": "indices out of range are refused at once",
    "([1, 2], [0, 1], [0, 1]), shape=(2, 2))": "indptr that is too short is refused; the original reads beside its memory",
}


_OF_A = "shape=(3, 4)); result = "
_RECORD = "with autograd.record():\n  y = "

# Programs whose results are not compared with the original's: a part of the program -> why.
UNDEFINED = {
    "[1, 1, 0, 3], [0, 2, 3, 4])": "what is stored twice is summed; the original's operators do not agree on it",
    "reshape(2, 4) + 1, [1, 1])": "what is stored twice is summed; the original's operators do not agree on it",
    f"[2, 0, 3, 1], [0, 2, 2, 4]), {_OF_A}nd.sum(A, axis=0)": "the original takes columns as if they were in order",
    f"[2, 0, 3, 1], [0, 2, 2, 4]), {_OF_A}nd.slice(A": "the original takes columns as if they were in order",
    f"reshape(2, 4) + 1, [2, 0]), {_OF_A}nd.add_n(A, A)": "the original takes rows as if they were in order",
    f"reshape(2, 4) + 1, [2, 0]), {_OF_A}nd.Embedding(": "the original takes rows as if they were in order",
    f"reshape(2, 4) + 1, [2, 0]), {_OF_A}nd.sparse.retain(A": "the original takes rows as if they were in order",
    "[0.5, 1]), shape=(3, 4))": "indices that are no integers are refused",
    **{
        f"x = {x}; x.attach_grad()\n{_RECORD}nd.dot(x, D2.T)\nresult = autograd.grad": "the original gives whatever is in "
        "its memory"
        for x in ("C", "CZ")
    },
    "stype='row_sparse'); y = mx.sym.sparse.retain(v": ZEROS,
    "var('x'); y = mx.sym.sparse.retain(v": ZEROS,
    f"x = RF; x.attach_grad()\n{_RECORD}x * 2\ny.backward(D2)": ZEROS,
    f"x = RF; x.attach_grad()\n{_RECORD}x * 2\nautograd.backward([y], [D2])": ZEROS,
    f"x = RF; x.attach_grad()\n{_RECORD}F()(x)": ZEROS,
    "stype='row_sparse'); y = mx.sym.square(v)": ZEROS,
    "stype='row_sparse'); y = mx.sym.relu(mx.sym.square(v) - v)": ZEROS,
    "tostype('row_sparse'); g = nd.array(TWO).tostype('default'); o = mx.optimizer.Ftrl(": ZEROS,
    "nd.random.uniform_like(R)": "random numbers are dense",
    "to_dlpack_for_write()": "DLPack has no sparse arrays; the original hands out part of one",
    "out=o[0][0], row_ids=nd.array([7])": "rows that do not exist are refused",
    "mx.test_utils.same(R, R)": "the original compares two iterators",
}


# Programs that the original refuses and that have a result here: a part of the program -> why.
BEYOND = {
    "attach_grad('add')": "sparse gradients can be added up",
    "class F(autograd.Function)": "a function of sparse arrays has a gradient",
    "divide(C, D)": "the original refuses a divisor of the same shape",
    "nd.concatenate([": "runs on dense copies where it has to",
    "nd.onehot_encode(": "runs on dense copies where it has to",
    "boolean_mask(": "runs on dense copies where it has to",
    "contrib.fft(": "runs on dense copies where it has to",
    "count_sketch(": "runs on dense copies where it has to",
    "nd.Embedding(nd.array([0, 1, 2]), A": "runs on dense copies where it has to",
    "nn.Embedding(5, 2)": "runs on dense copies where it has to",
    "mx.np.array(": "a sparse array can be made an array of mx.np",
    "[np.int64(1)]": "NumPy's integers are integers",
    "[True]": "True is 1",
    "as_in_ctx(": "sparse arrays have it, too",
    "nd.array([R": "a list of arrays is an array",
    "mx.optimizer.AdaGrad(": "works for more combinations",
    "mx.optimizer.Test()": "works for more combinations",
    "nd.sgd_update(w, R, lr=.1)": "works for more combinations",
    "u(0, R, R)": "works for more combinations",
    "SGD(learning_rate=.1)); kv.push(": "works for more combinations",
    "mx.metric.Perplexity": "metrics take sparse arrays",
    "mx.metric.Loss()": "metrics take sparse arrays",
    "L2Loss()(D, ": "losses take sparse labels",
    "NDArrayIter(sp.csr_matrix(ONE)": "matrices of SciPy are taken",
    "NDArrayIter(nd.ones((4, 2)), sp.csr_matrix(ONE)": "matrices of SciPy are taken",
    "kv.init('a', C)": "csr arrays can be stored",
    "kv.push('a', C)": "csr arrays can be pushed",
    "kv.push('a', [C, C])": "csr arrays can be pushed",
    "kv.pushpull('a', C": "csr arrays can be pushed",
    "row_ids=nd.array([1, 3]))": "one array of row numbers does for all keys",
    "row_ids=[nd.array([1, 3])])": "one array of row numbers does for all keys",
    "row_ids=nd.array([0, 1]))": "one array of row numbers does for all keys",
    "split_data(R, 1)": "one part is the whole",
    "op_type='sparse_use_": "storage types of a custom operator are converted where they differ",
    "mx.sym.FullyConnected(v": "a csr matrix has a gradient",
    "row_sparse_data(nd.arange(5))": "a row-sparse parameter without a sparse gradient can be read",
    "mx.gluon.Parameter('w'": "a row-sparse parameter can be moved before it has a trainer",
}


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setenv("MXNET_STORAGE_FALLBACK_LOG_VERBOSE", "0")


def why_different(text):
    return next((why for part, why in DIFFERENT.items() if part in text), None)


def same(mine, theirs):
    """Is it the same, up to rounding and to the order of what is stored?"""
    if isinstance(theirs, list):
        return isinstance(mine, list) and len(mine) == len(theirs) and all(map(same, mine, theirs))
    if isinstance(theirs, float) and isinstance(mine, float):
        return bool(np.isclose(mine, theirs, 1e-5, equal_nan=True))
    if not isinstance(theirs, dict):
        return mine == theirs
    if not isinstance(mine, dict) or "error" in mine:
        return False
    for key in ("stype", "dtype", "shape"):
        if mine.get(key) != theirs.get(key):
            return False
    for key in ("values", "numpy"):
        if key in theirs and not np.allclose(mine[key], theirs[key], 1e-4, 1e-5, equal_nan=True):
            return False
    return theirs.get("stype") != "row_sparse" or sorted(mine["indices"]) == sorted(theirs["indices"])


def values(result):
    """The numbers of a result, without how they are stored."""
    if isinstance(result, list):
        return [values(part) for part in result]
    return result.get("values", result.get("numpy", result)) if isinstance(result, dict) else result


@pytest.mark.parametrize("text", sparse_cases.cases())
def test_as_the_original(text):
    theirs = RECORDED[text]
    warnings.simplefilter("ignore")  # a copy to itself, a store that is not needed
    mine = sparse_cases.run(mx, text)
    refused = isinstance(mine, dict) and "error" in mine
    assert not refused or "this takes dense arrays" not in mine["text"]
    theirs_refused = isinstance(theirs, dict) and "error" in theirs
    undefined = next((why for part, why in UNDEFINED.items() if part in text), "")
    if undefined:
        assert not refused or mine["error"] != "AttributeError" or "asscipy" in text
        if undefined == ZEROS and not theirs_refused:
            assert same(values(mine), values(theirs)), (mine, theirs)
        return
    if not refused and theirs_refused and any(part in text for part in BEYOND):
        dense = sparse_cases.run(mx, text, dense=True)
        if not (isinstance(dense, dict) and "error" in dense) and "divide(C, D)" not in text:
            assert same(values(mine), values(dense)), (mine, dense)
        return
    if why_different(text) and theirs != {"error": "crash"}:
        if isinstance(theirs, dict) and "error" in theirs and isinstance(mine, dict) and "error" in mine:
            pytest.fail("on the list of what differs, and does not")
        assert not same(mine, theirs), "on the list of what differs, and does not"
        return
    if theirs == {"error": "crash"}:
        return
    if isinstance(theirs, dict) and "error" in theirs:
        assert isinstance(mine, dict) and "error" in mine, (mine, theirs)
    else:
        assert same(mine, theirs), (mine, theirs)
