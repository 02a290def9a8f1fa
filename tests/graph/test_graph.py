"""Graphs as values: what is below the outputs is found out once."""

import pytest

import mxnet as mx
from mxnet import sym
from mxnet.graph import node as nodes
from mxnet.graph.node import Entry, Graph, Node


def network():
    data = sym.var("data")
    out = sym.BatchNorm(sym.FullyConnected(data, num_hidden=4, name="fc"), name="norm")
    return sym.SoftmaxOutput(sym.relu(out), name="softmax")


def test_what_a_graph_knows():
    graph = network()._outputs
    assert isinstance(graph, Graph) and graph.order is graph.order
    names = [node.name for node in graph.order]
    assert names.index("fc_weight") < names.index("fc") < names.index("norm") < names.index("softmax")
    assert [n.name for n in graph.arguments] == network().list_arguments()
    assert [n.name for n in graph.auxiliary] == ["norm_moving_mean", "norm_moving_var"]
    assert {n.name for n in graph.variables} == {*network().list_inputs()}
    assert Graph.of(graph) is graph and Graph.of(list(graph)) == graph


@pytest.fixture
def walks(monkeypatch):
    """How often the nodes below some outputs were looked for."""
    counted, walk = [], nodes._walk
    monkeypatch.setattr(nodes, "_walk", lambda outputs: counted.append(len(outputs)) or walk(outputs))
    return counted


def test_binding_sorts_a_graph_once(walks):
    net = network()
    bound = net.simple_bind(mx.cpu(), data=(2, 3))
    bound.forward(is_train=True)
    bound.backward()
    net.list_arguments(), net.list_auxiliary_states(), net.infer_shape(data=(2, 3)), net.tojson()
    assert len(walks) == 1


def test_states_follow_attributes():
    """An operator whose attributes say which of its inputs are states."""
    states = Node(None, "a"), Node(None, "b")
    op = mx.ops.get("BatchNorm")
    inputs = [Entry(Node(None, name)) for name in ("data", "gamma", "beta")] + [Entry(s) for s in states]
    graph = Graph([Entry(Node(op, "norm", {}, inputs))])
    assert graph.states == {*states}
    before = graph.states
    assert graph.states is before
    graph[0].node.forget_parsed()
    assert graph.states == {*states} and graph.states is not before


def test_subgraphs_are_graphs():
    x = sym.var("x")
    out, _ = sym.contrib.foreach(lambda data, state: (data + state, data + state), x, sym.var("s"))
    (node,) = (n for n in out._outputs.order if n.subgraphs)
    assert all(isinstance(graph, Graph) for graph in node.subgraphs)
