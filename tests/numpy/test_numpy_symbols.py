"""Files of mx.np's symbols: the original's are read and give its numbers, ours hold the same operators."""

import json

import numpy as np
import numpy_symbol_cases as cases
import pytest
from compare import load_golden

import mxnet as mx

RECORDED = load_golden("numpy_symbols.json.gz")
# Made of other operators here, with the same numbers.
OTHERWISE = ("S.ravel(a)", "S.linalg.det(m)", "S.linalg.slogdet(m)[1]", "S.linalg.norm(a, axis=1)")

# Written here, and read by the original.
MORE = {"slice": {"step"}, "_npx_reshape": {"order", "reverse"}, "_linspace": {"dtype"}}


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
        for node in mine:  # the original refuses attributes that it does not know
            assert set(node.get("attrs", ())) <= known(node["op"]) | MORE.get(node["op"], set())


def known(op):
    """The attributes that the original writes for an operator."""
    nodes = [node for recorded in RECORDED.values() for node in recorded["file"]["nodes"] if node["op"] == op]
    return {name for node in nodes for name in node.get("attrs", ())}
