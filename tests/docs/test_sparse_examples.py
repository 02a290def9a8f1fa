"""The examples of sparse storage learn, and learn the same as with dense arrays."""

import re

import pytest
from test_examples import run


def difference(text):
    return float(re.search(r"largest difference of the [\w' ]+: ([\d.e+-]+)", text).group(1))


def test_linear_classification(tmp_path):
    text, _ = run(
        "sparse_linear_classification.py", "--epochs", 3, cwd=tmp_path, MXNET_STORAGE_FALLBACK_LOG_VERBOSE="0"
    )
    assert "data is csr, the gradient of the weight row_sparse" in text
    assert float(re.findall(r"accuracy ([\d.]+)", text)[2]) > 0.88
    assert difference(text) < 1e-4


@pytest.mark.parametrize("name", ["factorization_machine", "matrix_factorization"])
def test_factorization(tmp_path, name):
    text, _ = run(f"sparse_{name}.py", cwd=tmp_path, MXNET_STORAGE_FALLBACK_LOG_VERBOSE="0")
    assert "gradients are row_sparse" in text and "gradients are default" in text
    for first, last in re.findall(r"([\d.]+) -> ([\d.]+)", text):
        assert float(last) < 0.4 * float(first)
    assert difference(text) < 1e-3
