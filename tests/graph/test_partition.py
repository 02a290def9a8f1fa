"""Subgraphs by operator names, and common subexpressions. What is expected was printed by the original."""

import ctypes
import json

import numpy as np
import pytest

import mxnet as mx
from mxnet.base import _LIB, SymbolHandle, c_str, c_str_array, check_call, mx_uint


def build(symbol, operators):
    out = SymbolHandle()
    count, names = mx_uint(len(operators)), c_str_array(operators)
    check_call(_LIB.MXBuildSubgraphByOpNames(symbol.handle, c_str("default"), count, names, ctypes.byref(out)))
    return mx.sym.Symbol(out)


def nodes(symbol):
    found = []
    for node in json.loads(symbol.tojson())["nodes"]:
        inner = [part["name"] for graph in node.get("subgraphs", ()) for part in graph["nodes"]]
        found.append((node["op"], node["name"], [tuple(i[:2]) for i in node["inputs"]], inner))
    return found


def chain():
    a, b = mx.sym.var("a"), mx.sym.var("b")
    x = mx.sym.cos(mx.sym.sin(mx.sym.exp(a, name="e"), name="s"), name="c")
    return mx.sym.elemwise_add(x, b, name="p")


def diamond():
    e = mx.sym.exp(mx.sym.var("a"), name="e")
    return mx.sym.elemwise_add(mx.sym.sin(e, name="x"), mx.sym.cos(e, name="y"), name="z")


def test_connected_operators_become_one_node():
    assert nodes(build(chain(), ["exp", "sin"])) == [
        ("null", "a", [], []),
        ("_CachedOp", "_CachedOp0", [(0, 0)], ["a0", "e", "s"]),
        ("cos", "c", [(1, 0)], []),
        ("null", "b", [], []),
        ("elemwise_add", "p", [(2, 0), (3, 0)], []),
    ]
    apart = nodes(build(chain(), ["exp", "cos"]))
    assert [n[1:] for n in apart if n[0] == "_CachedOp"] == [
        ("_CachedOp0", [(0, 0)], ["a0", "e"]),
        ("_CachedOp1", [(2, 0)], ["s_output0", "c"]),
    ]
    whole = build(chain(), ["exp", "sin", "cos", "elemwise_add"])
    assert whole.list_outputs() == ["_CachedOp0_p_output"] and whole.list_arguments() == ["a", "b"]


def test_groups_do_not_come_back_to_themselves():
    """z and e are both chosen, but y between them is not."""
    assert nodes(build(diamond(), ["exp", "elemwise_add", "sin"])) == [
        ("null", "a", [], []),
        ("_CachedOp", "_CachedOp0", [(0, 0)], ["a0", "e", "x"]),
        ("cos", "y", [(1, 1)], []),
        ("_CachedOp", "_CachedOp1", [(1, 0), (2, 0)], ["_CachedOp0_x_output0", "y_output0", "z"]),
    ]
    siblings = nodes(build(diamond(), ["sin", "cos"]))
    assert [n[1] for n in siblings if n[0] == "_CachedOp"] == ["_CachedOp0", "_CachedOp1"]


def network():
    x = mx.sym.Convolution(mx.sym.var("data"), num_filter=4, kernel=(3, 3), name="c1")
    x = mx.sym.Activation(mx.sym.BatchNorm(x, name="b1", fix_gamma=False), act_type="relu", name="r1")
    y = mx.sym.Convolution(x, num_filter=4, kernel=(3, 3), pad=(1, 1), name="c2")
    x = mx.sym.Flatten(mx.sym.elemwise_add(x, y, name="sum"), name="fl")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=3, name="fc"), name="softmax")


OPERATORS = ["Convolution", "BatchNorm", "Activation", "elemwise_add", "FullyConnected", "Flatten"]


@pytest.mark.parametrize("seed", range(12))
def test_partitioned_graphs_compute_and_learn_the_same(seed):
    random = np.random.RandomState(seed)
    chosen = list(random.choice(OPERATORS, random.randint(1, len(OPERATORS) + 1), replace=False))
    plain = network()
    parts = mx.sym.load_json(build(plain, chosen).tojson())
    assert parts.list_arguments() == plain.list_arguments()
    assert parts.list_auxiliary_states() == plain.list_auxiliary_states()
    shape = (2, 3, 6, 6)
    assert parts.infer_shape(data=shape) == plain.infer_shape(data=shape)
    values = {}
    for name, size in zip(plain.list_arguments(), plain.infer_shape(data=shape)[0], strict=True):
        values[name] = random.randint(0, 3, size) if name == "softmax_label" else random.normal(0, 1, size)
    found = []
    for symbol in (plain, parts):
        bound = symbol.simple_bind(mx.cpu(), data=shape)
        for name, value in values.items():
            bound.arg_dict[name][:] = value
        bound.forward(is_train=True)
        bound.backward()
        grads = [bound.grad_dict[name].asnumpy() for name in values if name != "softmax_label"]
        trained = bound.outputs[0].asnumpy(), [a.asnumpy() for a in bound.aux_arrays], grads
        bound.forward(is_train=False)
        found.append([trained[0], *trained[1], *trained[2], bound.outputs[0].asnumpy()])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4)


def test_backends_with_operator_names():
    symbol = chain()
    operators = ["exp", "sin"]
    check_call(_LIB.MXSetSubgraphPropertyOpNamesV2(c_str("default_v2"), mx_uint(2), c_str_array(operators)))
    try:
        for found in (symbol.optimize_for("default_v2"), symbol.get_backend_symbol("default_v2")):
            assert [n[0] for n in nodes(found)] == ["null", "_CachedOp", "cos", "null", "elemwise_add"]
            assert found.list_outputs() == symbol.list_outputs() and found.list_arguments() == symbol.list_arguments()
            given = {"a": mx.nd.ones((2,)), "b": mx.nd.ones((2,))}
            assert found.eval(**given)[0].asnumpy().tolist() == symbol.eval(**given)[0].asnumpy().tolist()
    finally:
        check_call(_LIB.MXRemoveSubgraphPropertyOpNamesV2(c_str("default_v2")))
    assert "_CachedOp" not in [n[0] for n in nodes(symbol.optimize_for("default_v2"))]


def test_executors_are_partitioned_for_the_backend_of_the_environment(monkeypatch):
    """Recorded from the original: names that monitors see, and that nothing else changes."""
    monkeypatch.setenv("MXNET_SUBGRAPH_BACKEND", "default")
    dense = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=2, name="fc")
    symbol = mx.sym.exp(mx.sym.Activation(dense, act_type="relu", name="r"), name="e")
    seen = {}
    for operators in ([], ["FullyConnected", "Activation"], ["exp"], ["Convolution"]):
        check_call(_LIB.MXSetSubgraphPropertyOpNames(c_str("default"), mx_uint(len(operators)), c_str_array(operators)))
        try:
            bound = symbol.simple_bind(mx.cpu(), x=(1, 2))
            again = bound.reshape(x=(3, 2), allow_up_sizing=True)
        finally:
            check_call(_LIB.MXRemoveSubgraphPropertyOpNames(c_str("default")))
        for array in (*bound.arg_arrays, *again.arg_arrays):
            array[:] = 0.5
        watched = seen[tuple(operators)] = []
        bound.set_monitor_callback(lambda name, _, watched=watched: watched.append(str(name)))
        bound.forward(is_train=True)
        bound.backward(mx.nd.ones((1, 2)))
        assert list(bound.output_dict) == ["e_output"] and list(bound.arg_dict) == ["x", "fc_weight", "fc_bias"]
        np.testing.assert_allclose(bound.outputs[0].asnumpy(), np.full((1, 2), np.e), rtol=1e-5)
        np.testing.assert_allclose(again.forward()[0].asnumpy(), np.full((3, 2), np.e), rtol=1e-5)
        np.testing.assert_allclose(bound.grad_dict["x"].asnumpy(), np.full((1, 2), np.e), rtol=1e-5)
    last = [f"_CachedOp0_backward_output{i}" for i in range(3)]
    dense_first = [f"fc_backward_output{i}" for i in range(3)]
    head = "_head_grad_0_id_output"
    plain = ["fc_output", "r_output", "e_output", head, "e_backward_output", "r_backward_output", *dense_first]
    assert seen == {
        (): plain,
        ("FullyConnected", "Activation"): ["_CachedOp0_r_output", "e_output", head, "e_backward_output", *last],
        ("exp",): [
            *("fc_output", "r_output", "_CachedOp0_e_output", head, "_CachedOp0_backward_output", "r_backward_output"),
            *dense_first,
        ],
        ("Convolution",): plain,
    }


def test_an_operator_without_its_inputs():
    dense = mx.sym.FullyConnected(mx.sym.var("a"), num_hidden=2, name="f")
    bare = dense._gen_atomic_symbol()
    assert bare.list_arguments() == [] and bare.list_outputs() == ["output"]
    again = bare(mx.sym.var("q"), name="g")
    assert again.list_arguments() == ["q", "g_weight", "g_bias"] and again.list_attr() == {"num_hidden": "2"}
    assert mx.sym.concat(again, again)._gen_atomic_symbol()(again, again, again).attr("num_args") == "3"


def names(executor):
    return [line.split("Name=")[1] for line in executor.debug_str().split("\n") if line.startswith("Op:")]


def test_common_subexpressions_are_computed_once(monkeypatch):
    a = mx.sym.var("a")
    x = mx.sym.exp(a, name="e0") + mx.sym.exp(a, name="e1")
    value, grad = mx.nd.ones((2,)), mx.nd.zeros((2,))
    bound = x.bind(mx.cpu(), {"a": value}, {"a": grad})
    assert [n for n in names(bound) if n.startswith("e") and "backward" not in n] == ["e0"]
    bound.forward(is_train=True)
    bound.backward([mx.nd.ones((2,))])
    np.testing.assert_allclose(grad.asnumpy(), 2 * np.exp([1, 1]), rtol=1e-6)
    np.testing.assert_allclose(bound.outputs[0].asnumpy(), 2 * np.exp([1, 1]), rtol=1e-6)
    monkeypatch.setenv("MXNET_ELIMINATE_COMMON_EXPR", "0")
    assert names(x.bind(mx.cpu(), {"a": value}))[:2] == ["e0", "e1"]


def test_random_numbers_and_losses_are_not_merged():
    a, label = mx.sym.var("a"), mx.sym.var("l")
    noise = mx.sym.Dropout(a, mode="always", name="d0") + mx.sym.Dropout(a, mode="always", name="d1")
    assert names(noise.bind(mx.cpu(), {"a": mx.nd.ones((2,))}))[:2] == ["d0", "d1"]
    once, twice = mx.nd.zeros((1, 2)), mx.nd.zeros((1, 2))
    loss = mx.sym.SoftmaxOutput(a, label) * 1
    both = loss + mx.sym.SoftmaxOutput(a, label) * 1
    for symbol, grad in ((loss, once), (both, twice)):
        given = {"a": mx.nd.array([[1, 2]]), "l": mx.nd.zeros((1,))}
        bound = symbol.bind(mx.cpu(), given, {"a": grad})
        bound.forward(is_train=True)
        bound.backward([mx.nd.ones((1, 2))])
    np.testing.assert_allclose(twice.asnumpy(), 2 * once.asnumpy(), rtol=1e-6)
