"""Summaries and drawings of networks, against those of the original."""

import builtins
import json
import pathlib
import shutil

import pytest
import visualization_cases as cases
from compare import load_golden

import mxnet as mx

RECORDED = load_golden("visualization.json.gz")


@pytest.mark.parametrize("case", RECORDED["summaries"])
def test_summaries_are_the_originals(case):
    name, text, printed = RECORDED["summaries"][case]
    assert cases.summary(mx, name, text) == printed


@pytest.mark.parametrize("case", RECORDED["drawings"])
def test_drawings_are_the_originals(case):
    pytest.importorskip("graphviz")
    name, text, recorded = RECORDED["drawings"][case]
    assert json.loads(json.dumps(cases.drawing(mx, name, text))) == recorded


def test_summary_of_odd_networks(capsys):
    x = mx.sym.Variable("x")
    total = mx.sym.reshape(mx.sym.sum(x, name="sum"), shape=(1, 1), name="again")
    mx.viz.print_summary(mx.sym.FullyConnected(total, num_hidden=2, name="fc"), {"x": (2, 3)})
    mx.viz.print_summary(x)
    mx.viz.print_summary(mx.sym.topk(x, ret_typ="both", name="top"), {"x": (2, 3)})
    text = capsys.readouterr().out
    assert "fc(FullyConnected)" in text and "top(topk)" in text


def test_drawing_of_several_outputs():
    pytest.importorskip("graphviz")
    top = mx.sym.topk(mx.sym.Variable("x"), ret_typ="both", k=1, name="top")
    dot = mx.viz.plot_network(top[1] + 1, shape={"x": (2, 3)}, dtype={"x": "float64"})
    assert "top -> x" in dot.source and "3(float64)" in dot.source


def test_operators_of_users_are_drawn_by_their_type():
    pytest.importorskip("graphviz")

    @mx.operator.register("test_of_drawings")
    class Properties(mx.operator.CustomOpProp):
        pass

    dot = mx.viz.plot_network(mx.sym.Custom(mx.sym.Variable("x"), op_type="test_of_drawings", name="mine"))
    assert "mine [label=test_of_drawings" in dot.source


def test_repeated_names_are_told():
    pytest.importorskip("graphviz")
    net = mx.sym.FullyConnected(mx.sym.Variable("x"), num_hidden=2, name="fc")
    with pytest.warns(RuntimeWarning, match="Repeated names: fc_weight,fc_bias,fc"):
        mx.viz.plot_network(mx.sym.FullyConnected(net, num_hidden=2, name="fc"))


@pytest.mark.parametrize("function", [mx.viz.print_summary, mx.viz.plot_network])
def test_errors(function):
    pytest.importorskip("graphviz")
    net = cases.lenet(mx.sym)
    with pytest.raises(TypeError, match="symbol must be Symbol, got int"):
        function(3)
    for shape in ({}, {"data": (2, 0, 28, 28)}, {"softmax_label": (2,)}):
        with pytest.raises(ValueError, match="Input shape is incomplete"):
            function(net, shape=shape)
    with pytest.raises(mx.MXNetError, match="nothing"):
        function(net, shape={"nothing": (2, 3)})


def test_node_attributes_are_a_dict():
    pytest.importorskip("graphviz")
    with pytest.raises(TypeError, match="node_attrs"):
        mx.viz.plot_network(cases.mlp(mx.sym), node_attrs=3)


def test_a_missing_library_is_named(monkeypatch):
    plain = builtins.__import__

    def without_graphviz(name, *args, **kwargs):
        if name == "graphviz":
            raise ImportError(name)
        return plain(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_graphviz)
    with pytest.raises(ImportError, match=r"requires graphviz library: pip install graphviz"):
        mx.viz.plot_network(cases.mlp(mx.sym))


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz (the program dot) is not installed")
def test_rendering(tmp_path):
    pytest.importorskip("graphviz")
    dot = mx.viz.plot_network(cases.lenet(mx.sym), title="lenet", save_format="svg", shape={"data": (1, 1, 28, 28)})
    path = pathlib.Path(dot.render(directory=tmp_path))
    text = path.read_text()
    assert path.suffix == ".svg"
    assert "<svg" in text and "Convolution" in text and "20x24x24" in text


@pytest.mark.parametrize("name", sorted(mx.gluon.model_zoo.vision._MODELS))
def test_every_network_of_the_model_zoo_is_drawn(name):
    """Each layer is a node, each connection an edge with its shape, and weights are left out."""
    pytest.importorskip("graphviz")
    net = mx.gluon.model_zoo.vision.get_model(name)
    out = net(mx.sym.var("data"))
    size = 299 if name == "inceptionv3" else 224
    source = mx.viz.plot_network(out, shape={"data": (1, 3, size, size)}, title=name).source
    operators = json.loads(out.tojson())["nodes"]
    wanted = [node["name"] for node in operators if node["op"] != "null"]
    drawn = [node for node in wanted if f"{node} [" in source or f'"{node}" [' in source]
    assert drawn == wanted and "weight" not in source
    assert f"3x{size}x{size}" in source and source.count("->") >= len(wanted)
