"""foreach, while_loop and cond: on NDArrays and as the nodes _foreach, _while_loop and _cond of a graph."""

import json
import pathlib
import re

import numpy as np
import pytest
from golden.control_flow import SYMBOLS

import mxnet as mx
from mxnet import autograd, gluon, nd

GOLDEN = json.loads((pathlib.Path(__file__).parent / "golden" / "control_flow.json").read_text())


def run(symbol, arrays):
    """Outputs and gradients of a symbol bound to arrays, with ones as head gradients."""
    args = {n: mx.nd.array(arrays[n]) for n in symbol.list_arguments()}
    grads = {n: mx.nd.zeros(a.shape) for n, a in args.items()}
    executor = symbol.bind(mx.cpu(), args, args_grad=grads)
    outputs = executor.forward(is_train=True)
    executor.backward([mx.nd.ones(o.shape) for o in outputs])
    return [o.asnumpy() for o in outputs], {n: g.asnumpy() for n, g in grads.items()}


def unnumbered(text):
    """JSON without the numbers of subgraphs, which count up in a process."""
    return re.sub(r'("__subgraph_name__": "\w+?)\d+"', r"\1", text)


@pytest.mark.parametrize("name", SYMBOLS)
def test_symbol_is_the_originals(name):
    make, arrays = SYMBOLS[name]
    with mx.name.NameManager():
        symbol = make(mx)
    expected = GOLDEN[name]
    assert unnumbered(symbol.tojson()) == unnumbered(expected["json"])
    assert symbol.list_arguments() == expected["arguments"]
    assert symbol.list_outputs() == expected["outputs"]
    for again in (symbol, mx.sym.load_json(symbol.tojson())):
        outputs, gradients = run(again, arrays)
        for given, wanted, steps in zip(outputs, expected["values"], expected["rows"], strict=True):
            # Rows of a loop beyond its last step are uninitialized memory in the original, zeros here.
            np.testing.assert_allclose(given[:steps], np.array(wanted, "float32")[:steps], rtol=1e-6)
            assert not given[steps:].any()
        for n, wanted in expected["gradients"].items():
            np.testing.assert_allclose(gradients[n], np.array(wanted, "float32"), rtol=1e-6)


def test_shapes_are_inferred_through_the_body():
    data = mx.sym.var("data")
    state = mx.sym.var("state")

    def body(x, s):
        h = mx.sym.FullyConnected(x, num_hidden=5, name="fc") + s
        return h, h

    outputs, _ = mx.sym.contrib.foreach(body, data, state)
    shapes = outputs.infer_shape(data=(7, 2, 3), state=(2, 5))
    assert dict(zip(outputs.list_arguments(), shapes[0], strict=True)) == {
        "data": (7, 2, 3),
        "state": (2, 5),
        "fc_weight": (5, 3),
        "fc_bias": (5,),
    }
    assert shapes[1] == [(7, 2, 5)]


def test_foreach_is_the_same_on_arrays_and_in_a_graph():
    def body(x, s):
        return x * s, x + s

    data, state = np.arange(6, dtype="float32").reshape(3, 2), np.ones(2, "float32")
    eager = mx.nd.contrib.foreach(body, mx.nd.array(data), mx.nd.array(state))
    symbols = mx.sym.contrib.foreach(body, mx.sym.var("data"), mx.sym.var("state"))
    outputs, _ = run(mx.sym.Group(symbols), {"data": data, "state": state})
    for a, b in zip(eager, outputs, strict=True):
        np.testing.assert_array_equal(a.asnumpy(), b)


def test_gradients_flow_through_a_loop_on_arrays():
    x = mx.nd.array([2.0])
    x.attach_grad()
    with mx.autograd.record():
        _, (_, product) = mx.nd.contrib.while_loop(
            lambda i, p: i < 3, lambda i, p: (p, (i + 1, p * x)), (mx.nd.array([0.0]), x), max_iterations=5
        )
    product.backward()
    assert x.grad.asscalar() == 4 * 2.0**3


def test_gradients_of_a_loop_in_a_graph():
    make, arrays = SYMBOLS["while_loop"]
    _, gradients = run(make(mx), arrays)
    # s_k = 1 + sum(i) + k w and the outputs are s_k + i_k, for k = 0..4, and then s_5 and i_5
    assert gradients["w"] == 0 + 1 + 2 + 3 + 4 + 5
    assert gradients["s"] == 5 + 1
    assert gradients["i"] == sum(k + 1 for k in range(5)) + 5 + 1


def test_operators_need_their_subgraphs():
    with pytest.raises(mx.MXNetError, match=r"mx\.nd\.contrib\.foreach"):
        mx.nd._internal._foreach(
            mx.nd.ones((2,)), num_outputs=1, num_out_data=1, in_state_locs=(), in_data_locs=(0,), remain_locs=()
        )


def test_a_body_must_use_what_it_is_given():
    with pytest.raises(mx.MXNetError, match="does not use"):
        mx.sym.contrib.foreach(lambda x, s: (x, x), mx.sym.var("data"), mx.sym.var("state"))


def test_backward_may_start_from_a_branch_without_variables():
    """Which branch was taken does not decide whether there is a gradient: it is zero."""

    class Branch(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.weight = self.params.get("weight", shape=(2,), init="ones")

        def hybrid_forward(self, F, x, weight):
            return F.contrib.cond(F.sum(x) > 0, lambda: x * weight, lambda: x * 2)

    net = Branch()
    net.initialize()
    net.hybridize()
    for sign, gradient in ((1, [1.0, 2.0]), (-1, [0.0, 0.0])):
        with autograd.record():
            y = net(sign * nd.array([1, 2]))
        y.backward()
        assert net.weight.grad().asnumpy().tolist() == gradient


def test_a_single_output_has_no_number():
    d, s = mx.sym.var("d"), mx.sym.var("s")
    with mx.name.NameManager():
        outputs, _ = mx.sym.contrib.foreach(lambda x, states: (x, []), d, [])
        _, states = mx.sym.contrib.foreach(lambda x, states: ([], [states[0] + x]), d, [s])
        both, _ = mx.sym.contrib.foreach(lambda x, states: (x, states), d, [s])
        _, last = mx.sym.contrib.while_loop(lambda i: i < 3, lambda i: (None, [i + 1]), [s], max_iterations=3)
    names = [x.list_outputs()[0] for x in (outputs, *states, both, *last)]
    assert names == ["_foreach0_output", "_foreach1_output", "_foreach2_output0", "_while_loop0_output"]
