"""What is inferred of graphs with unknown parts, against the original."""

import gzip
import json
import subprocess
import sys

import infer_graph_cases as infer_graphs
import pytest
from paths import TESTS

import mxnet as mx
from mxnet.ops.infer import UNKNOWN, format_shape, read_shape

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
            assert operators(text) & infer_graphs.TOLD_OTHERWISE, (text, given, recorded, found)
            wrong += 1
    assert wrong < 3


def test_an_unknown_dimension_spoils_what_is_computed_from_it():
    for value in (UNKNOWN * 2, 2 * UNKNOWN, UNKNOWN + 1, 7 - UNKNOWN, UNKNOWN // 2, sum([UNKNOWN, 3])):
        assert value is UNKNOWN
    assert format_shape((UNKNOWN, 3)) == (0, 3) and format_shape(None) == ()
    assert read_shape((0, 3)) == (UNKNOWN, 3) and read_shape(()) is None
    with mx.util.np_shape(True):
        assert format_shape((UNKNOWN, 0)) == (-1, 0) and format_shape(None) is None
        assert read_shape((-1, 0)) == (UNKNOWN, 0) and read_shape(()) == ()


def test_shapes_are_told_without_loading_a_compiler():
    """torch's own functions for tensors without data load SymPy or its compiler, which takes a second or more."""
    program = """
import sys, warnings
warnings.simplefilter("ignore")
import mxnet as mx, samples
from samples.common import find_function

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name in ("sympy", "torch._dynamo", "torch._inductor", "torch.fx.experimental.symbolic_shapes"):
            refused.append(name)
            raise ImportError(name)

refused, loading, done = [], set(), 0
sys.meta_path.insert(0, Refuse())
for family in samples.families():
    for _, sample in samples.load(family):
        if sample.error:
            continue
        given = {f"in{i}": a for i, a in enumerate(sample.inputs) if a is not None}
        try:
            inputs = [mx.sym.var(f"in{i}") if f"in{i}" in given else None for i in range(len(sample.inputs))]
            symbol = find_function(mx.sym, sample.op)(*inputs, **sample.attrs)
            symbol.infer_type(**{name: a.dtype for name, a in given.items()})
            done += symbol.infer_shape(**{name: a.shape for name, a in given.items()}) is not None
        except (mx.MXNetError, AttributeError, ImportError):
            pass
        if refused:
            loading.add(sample.op)
            refused.clear()
print(done > 2000, sorted(loading))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=TESTS)
    assert done.stdout.strip() == "True []"


@pytest.mark.parametrize(
    ("attrs", "data", "part", "expected"),
    [
        ({"num_outputs": 10, "squeeze_axis": True}, (0, 10), (5,), (5, 10)),
        ({"num_outputs": 3}, (0, 15, 0), (3, 5, 2), (3, 15, 2)),
    ],
)
def test_parts_tell_the_shape_of_what_was_split(attrs, data, part, expected):
    whole = mx.sym.SliceChannel(mx.sym.var("a", shape=data), axis=1, **attrs)[1] + mx.sym.var("c", shape=part)
    assert whole.infer_shape() == ([expected, part], [part], [])


def test_batch_dot_tells_nothing_until_the_sum_is_known():
    product = mx.sym.batch_dot(mx.sym.var("a"), mx.sym.var("b"))
    assert product.infer_shape_partial(a=(2, 0, 4), b=(2, 4, 5))[1] == [(2, 0, 5)]
    for a, b in (((2, 3, 4), (2, 0, 5)), ((2, 3, 0), (2, 4, 5)), ((0, 0, 0), (0, 0, 0))):
        assert product.infer_shape_partial(a=a, b=b) == ([a, b], [()], [])
        assert product.infer_shape(a=a, b=b) == (None, None, None)


def test_arrays_to_stack_tell_the_result_together():
    stacked = mx.sym.stack(mx.sym.var("a"), mx.sym.var("b"), axis=0)
    assert stacked.infer_shape_partial(a=(0, 3), b=(2, 0))[1] == [(2, 2, 3)]
    assert stacked.infer_shape_partial(a=(0, 3))[1] == [()]
