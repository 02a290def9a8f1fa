"""Programs on sparse arrays give what the original gave: elements, storage and dtype of results, and refusals."""

import gzip
import json
import pathlib
import sys

import numpy as np
import pytest

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
sys.path.insert(0, str(GOLDEN))
import sparse_cases  # noqa: E402

RECORDED = json.loads(gzip.decompress((GOLDEN / "sparse.json.gz").read_bytes()))

# Where ours does something else, on purpose: a part of the program -> why.
DIFFERENT = {}


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
    mine = sparse_cases.run(mx, text)
    if why_different(text):
        assert not same(mine, theirs), "on the list of what differs, and does not"
        return
    if isinstance(theirs, dict) and "error" in theirs:
        assert isinstance(mine, dict) and "error" in mine, (mine, theirs)
    else:
        assert same(mine, theirs), (mine, theirs)
