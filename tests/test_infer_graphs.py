"""What is inferred of graphs with unknown parts, against the original."""

import gzip
import json

import pytest
from golden import infer_graphs

import mxnet as mx
from mxnet.ops.infer import UNKNOWN, read_shape, shown_shape, unify

CASES = json.loads(gzip.decompress(infer_graphs.FILE.read_bytes()))


def operators(text):
    return {node["op"] for node in json.loads(text)["nodes"]} - {"null"}


@pytest.mark.parametrize("part", range(8))
def test_shapes_are_the_originals(part):
    """Where the original raises for want of a shape, we tell what is known."""
    equal = 0
    for text, given, recorded in CASES[part::8]:
        found = infer_graphs.infer(mx, text, given)
        if recorded is None:
            continue
        assert found is not None, (text, given)
        recorded = [[tuple(s) for s in group] for group in recorded]
        if not operators(text) & infer_graphs.WE_KNOW_MORE:
            assert list(found) == recorded, (text, given)
            equal += 1
        elif "Concat" not in text and "RNN" not in text and "BatchNorm" not in text:
            for mine, theirs in zip(found, recorded, strict=True):
                for a, b in zip(mine, theirs, strict=True):
                    unify(read_shape(a), read_shape(b), text)  # raises if they contradict each other
    assert equal > 40


def test_an_unknown_dimension_spoils_what_is_computed_from_it():
    for value in (UNKNOWN * 2, 2 * UNKNOWN, UNKNOWN + 1, 7 - UNKNOWN, UNKNOWN // 2, sum([UNKNOWN, 3])):
        assert value is UNKNOWN
    assert shown_shape((UNKNOWN, 3)) == (0, 3) and shown_shape(None) == ()
    assert read_shape((0, 3)) == (UNKNOWN, 3) and read_shape(()) is None
    with mx.util.np_shape(True):
        assert shown_shape((UNKNOWN, 0)) == (-1, 0) and shown_shape(None) is None
        assert read_shape((-1, 0)) == (UNKNOWN, 0) and read_shape(()) == ()
