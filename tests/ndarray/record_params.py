"""Writes golden/params with the original: files of every kind, and pickles. Checks that it reads the oldest layouts.

<python with mxnet 1.9.1> tests/ndarray/record_params.py
"""

import pathlib
import pickle

import numpy as np

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

import params_cases as cases  # noqa: E402

FOLDER = GOLDEN / "params"


def record():
    """Writes all files."""
    FOLDER.mkdir(exist_ok=True)
    for name in cases.DENSE:
        cases.save(mx, name, FOLDER / (name + ".params"))
    sparse = mx.nd.sparse
    mx.nd.save(
        str(FOLDER / "sparse.params"),
        {
            "row_sparse": sparse.row_sparse_array((np.array([[1.0] * 3, [2.0] * 3]), [0, 2]), shape=(4, 3)),
            "csr": sparse.csr_matrix((np.array([1.0, 2.0, 3.0]), [0, 2, 1], [0, 2, 2, 3]), shape=(3, 4)),
            "row_sparse_zeros": sparse.zeros("row_sparse", (4, 3)),
            "csr_zeros": sparse.zeros("csr", (4, 3)),
        },
    )
    for version in (0, 1):
        path = FOLDER / ("v%d.params" % version)
        path.write_bytes(cases.old_file(version))
        loaded = mx.nd.load(str(path))
        assert sorted(loaded) == sorted(cases.OLD_VALUES)
        for name, value in cases.OLD_VALUES.items():
            assert loaded[name].dtype == value.dtype
            assert np.array_equal(loaded[name].asnumpy(), value)
    for protocol in (2, 4):
        (FOLDER / ("protocol%d.pickle" % protocol)).write_bytes(pickle.dumps(cases.make(mx, "dict"), protocol))
    print("%d files" % len(list(FOLDER.iterdir())))


if __name__ == "__main__":
    record()
