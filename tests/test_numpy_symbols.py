"""Files of mx.np's symbols: the original's are read and give its numbers, ours hold the same operators."""

import gzip
import json
import pathlib
import sys

import numpy as np
import pytest

import mxnet as mx

GOLDEN = pathlib.Path(__file__).parent / "golden"
sys.path.insert(0, str(GOLDEN))

import numpy_symbol_cases as cases  # noqa: E402

RECORDED = json.loads(gzip.decompress((GOLDEN / "numpy_symbols.json.gz").read_bytes()))
# Made of other operators here, with the same numbers.
OTHERWISE = ("S.ravel(a)", "S.linalg.det(m)", "S.linalg.slogdet(m)[1]", "S.linalg.norm(a, axis=1)")


def check(found, expected):
    for (dtype, shape, values), (wanted, size, numbers) in zip(found, expected, strict=True):
        assert (dtype, shape) == (wanted, size)
        np.testing.assert_allclose(values, numbers, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("expression", RECORDED)
@mx.util.use_np
def test_a_file_of_the_original(expression):
    recorded = RECORDED[expression]
    found = cases.run(mx, json.dumps(recorded["file"]))
    assert found["outputs"] == recorded["outputs"]
    check(found["values"], recorded["values"])


@pytest.mark.parametrize("expression", RECORDED)
@mx.util.use_np
def test_a_file_of_ours(expression):
    recorded = RECORDED[expression]
    text = cases.symbol(mx, expression).tojson()
    check(cases.run(mx, text)["values"], recorded["values"])
    if expression not in OTHERWISE:
        mine, theirs = json.loads(text)["nodes"], recorded["file"]["nodes"]
        assert [n["op"] for n in mine] == [n["op"] for n in theirs]
