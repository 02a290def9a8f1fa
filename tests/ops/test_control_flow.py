"""foreach, while_loop and cond: on NDArrays and as the nodes _foreach, _while_loop and _cond of a graph."""

import re

import numpy as np
import pytest
from compare import load_golden
from control_flow_cases import SYMBOLS

import mxnet as mx
from mxnet import autograd, gluon, nd

GOLDEN = load_golden("control_flow.json")


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


# ---- slices of 1-D data and shapes through bodies; the values were printed by the original -------------------------


class _Sums(gluon.HybridBlock):
    def hybrid_forward(self, F, data, state):
        return F.contrib.foreach(lambda x, y: (x + y, x * 2 + y), data, state)


@pytest.mark.parametrize("hybrid", [False, True])
def test_slices_of_1d_data_keep_a_dimension(hybrid):
    block = _Sums()
    block.hybridize(hybrid)
    data, state = nd.arange(4), nd.zeros((1,))
    data.attach_grad(), state.attach_grad()
    with mx.autograd.record():
        outputs, last = block(data, state)
        loss = outputs.sum() + last.sum()
    loss.backward()
    assert outputs.asnumpy().tolist() == [[0], [1], [4], [9]] and last.asnumpy().tolist() == [12]
    assert data.grad.asnumpy().tolist() == [9, 7, 5, 3] and state.grad.asnumpy().tolist() == [5]


@pytest.mark.parametrize("numpy_shape", [False, True])
def test_slices_of_1d_data_in_symbols(numpy_shape):
    with mx.util.np_shape(numpy_shape):
        data, state = mx.sym.var("d"), mx.sym.var("s")
        group = mx.sym.Group(list(mx.sym.contrib.foreach(lambda x, y: (x + y, x + y), data, state)))
        assert group.infer_shape(d=(4,), s=(1,)) == ([(4,), (1,)], [(4, 1), (1,)], [])
        with pytest.raises(mx.MXNetError):
            group.infer_shape(d=(4,), s=(3,))
        results = group.bind(mx.cpu(), {"d": nd.arange(4), "s": nd.zeros((1,))}).forward()
    assert [r.asnumpy().tolist() for r in results] == [[[0], [1], [3], [6]], [6]]


def test_shapes_are_inferred_through_the_body_of_a_loop():
    def var(name, *shape):
        return mx.sym.var(name, shape=shape or None)

    def loop(data, state, body=lambda x, y: (x + y, y * 1)):
        return mx.sym.contrib.foreach(body, data, state)[0]

    summed = loop(var("a", 3, 0), var("b"))
    assert (summed + var("d", 3, 2)).infer_shape() == ([(3, 2), (2,), (3, 2)], [(3, 2)], [])
    assert summed.infer_shape(b=(4,)) == ([(3, 4), (4,)], [(3, 4)], [])
    dense = loop(var("a"), var("b"), lambda x, y: (mx.sym.FullyConnected(x, num_hidden=3, name="f"), y * 1))
    assert dense.infer_shape_partial(a=(3, 2, 4)) == ([(3, 2, 4), (), (3, 4), (3,)], [(3, 2, 3)], [])
    growing = loop(var("a"), var("b"), lambda x, y: (x * 1, mx.sym.concat(y, y, dim=0)))
    with pytest.raises(mx.MXNetError):  # a state keeps its shape
        growing.infer_shape(a=(3, 2), b=(2,))


def test_inputs_of_branches():
    """A variable is one input for all subgraphs, what was computed one for each."""
    a, b = mx.sym.var("a"), mx.sym.var("b")
    a1, b1 = a + 1, b * 2
    node = mx.sym.contrib.cond(a1.sum() < 3, lambda: a1 * b1, lambda: a1 + b1)
    attrs = node.list_attr()
    assert [attrs[f"{key}_input_locs"] for key in ("cond", "then", "else")] == ["[0]", "[1, 2]", "[3, 4]"]
    attrs = mx.sym.contrib.cond(a, lambda: a * b1, lambda: a + b1).list_attr()
    assert [attrs[f"{key}_input_locs"] for key in ("cond", "then", "else")] == ["[0]", "[0, 1]", "[0, 2]"]
    assert node.eval(a=nd.array([1]), b=nd.array([2]))[0].asscalar() == 8


def test_subgraph_names_are_counted_where_programs_look():
    names = mx.AttrScope._subgraph_names
    before = dict(names)
    data, state = mx.sym.var("d"), mx.sym.var("s")

    def body(x, y):
        inner, _ = mx.sym.contrib.foreach(lambda a, b: (a, b + 1), x, y)
        return inner + x, y + 1

    number = names["foreach"]
    mx.sym.contrib.foreach(body, data, state)
    mx.sym.contrib.cond(data, lambda: state + 1, lambda: state + 2)
    assert names["foreach"] == number + 1 and names[f"foreach{number}$foreach"] == 1
    assert all(names[f"cond_{part}"] == before.get(f"cond_{part}", 0) + 1 for part in ("pred", "then", "else"))


def test_inputs_of_a_body_need_names_of_their_own():
    a = mx.sym.var("a")
    with pytest.raises(AssertionError, match="unique names"):
        mx.sym.contrib.foreach(lambda x, y: (x + y, y + a), a, a)
