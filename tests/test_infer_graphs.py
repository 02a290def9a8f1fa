"""What is inferred of graphs with unknown parts, against the original."""

import gzip
import json
import subprocess
import sys

import pytest
from golden import infer_graphs

import mxnet as mx
from mxnet.ops.infer import UNKNOWN, read_shape, shown_shape

CASES = json.loads(gzip.decompress(infer_graphs.FILE.read_bytes()))


def operators(text):
    return {node["op"] for node in json.loads(text)["nodes"]} - {"null"}


@pytest.mark.parametrize("part", range(8))
def test_shapes_are_the_originals(part):
    """Where the original raises for want of a shape, we tell what is known."""
    wrong = 0
    for text, given, recorded in CASES[part::8]:
        found = infer_graphs.infer(mx, text, given)
        if recorded is None:
            continue
        assert found is not None, (text, given)
        if list(found) != [[tuple(s) for s in group] for group in recorded]:
            assert operators(text) & infer_graphs.TAKEN_FOR_A_NUMBER, (text, given, recorded, found)
            wrong += 1
    assert wrong < 3


def test_an_unknown_dimension_spoils_what_is_computed_from_it():
    for value in (UNKNOWN * 2, 2 * UNKNOWN, UNKNOWN + 1, 7 - UNKNOWN, UNKNOWN // 2, sum([UNKNOWN, 3])):
        assert value is UNKNOWN
    assert shown_shape((UNKNOWN, 3)) == (0, 3) and shown_shape(None) == ()
    assert read_shape((0, 3)) == (UNKNOWN, 3) and read_shape(()) is None
    with mx.util.np_shape(True):
        assert shown_shape((UNKNOWN, 0)) == (-1, 0) and shown_shape(None) is None
        assert read_shape((-1, 0)) == (UNKNOWN, 0) and read_shape(()) == ()


def test_shapes_of_common_operators_are_told_without_loading_a_compiler():
    """torch's own functions for tensors without data load SymPy or its compiler, which takes seconds."""
    calls = [
        "sym.topk(d, k=2, ret_typ='both')", "sym.topk(d, ret_typ='mask')", "sym.argmax(d, axis=1)", "sym.argmin(d)",
        "sym.sort(d)", "sym.argsort(d)", "sym.norm(d)", "sym.norm(d, axis=1, keepdims=True)", "sym.one_hot(d, depth=3)",
        "sym.where(d, d, d)", "sym.softmax(d, temperature=2)", "sym.log_softmax(d, temperature=2)", "sym.LayerNorm(d)",
        "sym.GroupNorm(d, num_groups=2)", "sym.InstanceNorm(d)", "sym.Deconvolution(d, kernel=(2, 2), num_filter=3)",
        "sym.SequenceLast(d, sym.var('n', shape=(4,)), use_sequence_length=True)",
    ]  # fmt: skip
    program = f"""
import sys
from mxnet import sym
d = sym.var('data')
for text in {calls}:
    print(eval(text).infer_shape(data=(3, 4, 5, 6))[1])
print(sorted({{"sympy", "torch._dynamo", "torch.fx.experimental.symbolic_shapes"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    *shapes, loaded = done.stdout.splitlines()
    assert loaded == "[]"
    whole = "[(3, 4, 5, 6)]"
    assert shapes == [
        "[(3, 4, 5, 2), (3, 4, 5, 2)]", whole, "[(3, 5, 6)]", "[(1,)]", whole, whole, "[(1,)]", "[(3, 1, 5, 6)]",
        "[(3, 4, 5, 6, 3)]", whole, whole, whole, whole, whole, whole, "[(3, 3, 6, 7)]", "[(4, 5, 6)]",
    ]  # fmt: skip
