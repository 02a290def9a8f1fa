"""Programs on sparse arrays give what the original gave: elements, storage and dtype of results, and refusals."""

# ruff: noqa: E501  (programs as they are)

import gzip
import json
import pathlib
import sys
import warnings

import numpy as np
import pytest

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
sys.path.insert(0, str(GOLDEN))
import sparse_cases  # noqa: E402

RECORDED = json.loads(gzip.decompress((GOLDEN / "sparse.json.gz").read_bytes()))

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
    "kv.init('a', D); o = nd.zeros((4, 5)).tostype('row_sparse')": "rows of a dense key can be pulled as well",
    "kv.row_sparse_pull('a', out=nd.zeros((4, 5))": "rows can be pulled to a dense array as well",
    "out=R, row_ids=nd.array([7])": "rows that do not exist are refused",
    "D, C2; b.astype('float64').copyto(a)": "a copy to a dense array is converted, too",
    "D, R2; b.astype('float64').copyto(a)": "a copy to a dense array is converted, too",
    "D, C2; a.data = ": "arrays take attributes of any name",
    "D, R2; a.data = ": "arrays take attributes of any name",
    "nd.array([1, 0]), nd.array([0, 1, 2])))": "indices may be given as floats that are whole",
    "[0, 9], [0, 1, 2]), shape=(2, 2))": "indices out of range are refused at once",
    "([1, 2], [0, 1], [0, 1]), shape=(2, 2))": "indptr that is too short is refused; the original reads beside its memory",
    "[0, 1, 5]), shape=(2, 2)).check_format(full": "indptr that does not fit is refused at once",
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
    return theirs.get("stype") != "row_sparse" or mine["indices"] == theirs["indices"]


@pytest.mark.parametrize("text", sparse_cases.cases())
def test_as_the_original(text):
    theirs = RECORDED[text]
    warnings.simplefilter("ignore")  # a copy to itself, a store that is not needed
    mine = sparse_cases.run(mx, text)
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
