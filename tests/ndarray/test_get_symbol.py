"""``autograd.get_symbol``: what was recorded, as a graph. What is expected was printed by the original."""

import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd


def operators(array):
    return [node["op"] for node in json.loads(autograd.get_symbol(array).tojson())["nodes"]]


def variable(*shape):
    x = nd.arange(1, 1 + int(np.prod(shape))).reshape(shape)
    x.attach_grad()
    return x


def test_operators_and_arguments():
    x, z, w = variable(1), variable(1), nd.ones((1,))
    with autograd.record():
        y = x * x + 2 * x - 1
    assert operators(y) == ["null", "broadcast_mul", "_mul_scalar", "broadcast_add", "_minus_scalar"]
    symbol = autograd.get_symbol(y)
    assert len(symbol.list_arguments()) == 1 and symbol.list_arguments()[0].startswith("var")
    assert symbol.list_arguments() == autograd.get_symbol(y).list_arguments()
    scalars = [node["attrs"] for node in json.loads(symbol.tojson())["nodes"] if "attrs" in node]
    assert scalars == [{"scalar": "2.0"}, {"scalar": "1.0"}]
    with autograd.record():
        y = x * z + 2 * z - 1 + w
    names = autograd.get_symbol(y).list_arguments()
    assert [name.rstrip("0123456789") for name in names] == ["var", "var", "null"]
    assert autograd.get_symbol(x).list_arguments() == names[:1]


def test_the_symbol_computes_what_was_recorded():
    x, w = variable(2, 4), nd.ones((3, 4)) * 0.5
    with autograd.record():
        a, b = nd.split(x * 2, num_outputs=2)
        y = nd.FullyConnected(nd.concat(a, b, dim=1), w, no_bias=True, num_hidden=3)
        y = nd.relu(y)[0].reshape((1, 3)) + x[:, 1:4].mean() + x[-1, ::2].sum()
    symbol = autograd.get_symbol(y)
    given = dict(zip(symbol.list_arguments(), (x, w), strict=True))
    assert symbol.eval(**given)[0].asnumpy().tolist() == y.asnumpy().tolist()
    assert mx.sym.load_json(symbol.tojson()).eval(**given)[0].asnumpy().tolist() == y.asnumpy().tolist()


def test_out_and_states():
    x = variable(2, 4)
    with autograd.record():
        out = nd.zeros((2, 4))
        nd.broadcast_add(x * 2, x, out=out)
        y = nd.BatchNorm(x, *[nd.ones((4,)) for _ in range(4)])
    assert operators(out) == ["null", "_mul_scalar", "broadcast_add"]
    symbol = autograd.get_symbol(y)
    assert len(symbol.list_arguments()) == 3 and len(symbol.list_auxiliary_states()) == 2


def test_what_is_not_in_a_graph():
    x = variable(2)
    with autograd.record():
        y, constant = x * 2, nd.ones((2,)) * 2
    outside = x * 2
    y.backward()
    for array in (constant, outside, y, nd.ones((2,))):
        with pytest.raises(mx.MXNetError, match="not part of a computation graph"):
            autograd.get_symbol(array)
    with pytest.raises(TypeError):
        autograd.get_symbol(1)


def test_small_graphs_of_hybridized_blocks_are_inlined():
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(10), gluon.nn.Dense(10), gluon.nn.Dense(10))
    net.initialize()
    found = {}
    for options in ({"active": False}, {"inline_limit": 3}, {"inline_limit": 2}, {"static_alloc": True}):
        net.hybridize(**options)
        with autograd.record():
            y = net(nd.ones((1, 10)))
        found[str(options)] = operators(y)
        symbol = autograd.get_symbol(y)
        if "_CachedOp" in found[str(options)]:
            assert symbol.list_outputs()[0].endswith("_fwd_output")
        assert len(symbol.list_arguments()) == 7
        values = [nd.ones((1, 10)), *[p.data() for p in net.collect_params().values()]]
        result = symbol.eval(**dict(zip(symbol.list_arguments(), values, strict=True)))[0]
        np.testing.assert_allclose(result.asnumpy(), y.asnumpy(), rtol=1e-5)
    dense = ["null", "null", "null", "FullyConnected", *["null", "null", "FullyConnected"] * 2]
    assert found["{'active': False}"] == found["{'inline_limit': 3}"] == dense
    assert found["{'inline_limit': 2}"] == found["{'static_alloc': True}"] == ["null"] * 7 + ["_CachedOp"]


def test_a_whole_graph_as_a_node_has_states_and_shapes_and_is_saved():
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(5), gluon.nn.BatchNorm(), gluon.nn.Dense(2))
    net.initialize()
    net(nd.ones((3, 4)))
    net.hybridize(inline_limit=0)
    with autograd.record():
        y = net(nd.ones((3, 4))) * 2
    symbol = mx.sym.load_json(autograd.get_symbol(y).tojson())
    assert len(symbol.list_auxiliary_states()) == 2 and len(symbol.list_arguments()) == 7
    shapes = symbol.infer_shape(**{symbol.list_arguments()[0]: (3, 4)})
    assert shapes == ([(3, 4), (5, 4), (5,), (5,), (5,), (2, 5), (2,)], [(3, 2)], [(5,), (5,)])


def test_functions_are_shown():
    class Twice(autograd.Function):
        def forward(self, x):
            return x * 2

        def backward(self, grad):
            return grad * 2

    x = variable(2)
    with autograd.record():
        y = Twice()(x) + 1
    assert operators(y) == ["null", "_CustomFunction", "_plus_scalar"]


PROGRAM = """
import mxnet as mx
from mxnet import autograd
x = mx.nd.ones((2,)); x.attach_grad()
def compute():
    with autograd.record():
        return x * x + 1
{use}
"""


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("print(autograd.get_symbol(compute()).list_outputs())", "['node_1_output']"),
        ("from mxnet.ndarray.tape import noting; compute(); print(noting)", "[]"),
        (
            "get = getattr(autograd, 'get_' + 'symbol'); y = compute()\n"
            "try: get(y)\nexcept mx.MXNetError as error: print('record it again' in str(error), end=' ')\n"
            "print(get(compute()).list_outputs())",
            "True ['node_2_output']",
        ),
    ],
)
def test_notes_are_taken_by_programs_that_ask(use, expected, tmp_path):
    """The first call works in a program whose text asks; in another one it says what to do, and then works."""
    script = tmp_path / "program.py"
    script.write_text(PROGRAM.format(use=use))
    root = pathlib.Path(mx.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=120, cwd=root, env=None, check=True
    )
    assert done.stdout.strip() == expected
