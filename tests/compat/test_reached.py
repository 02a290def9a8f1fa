"""What programs reach that is no public name works as in the original."""

import json

import numpy as np
import pytest
from paths import GOLDEN
from reached_cases import CASES

import mxnet as mx

RECORDED = json.loads((GOLDEN / "reached.json").read_text())


def same(mine, theirs):
    if isinstance(theirs, dict):
        return mine.keys() == theirs.keys() and all(same(mine[key], theirs[key]) for key in theirs)
    if isinstance(theirs, list):
        return len(mine) == len(theirs) and all(map(same, mine, theirs))
    return np.isclose(mine, theirs, 1e-5) if isinstance(theirs, float) else mine == theirs


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_as_the_original(case, tmp_path):
    assert same(case(mx, str(tmp_path)), RECORDED[case.__name__])


def test_graphs_without_their_models(tmp_path):
    onnx = pytest.importorskip("onnx")
    from mxnet.contrib.onnx.onnx2mx.import_onnx import GraphProto

    out = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    params = {"fc_weight": mx.nd.ones((2, 3)), "fc_bias": mx.nd.zeros(2)}
    path = str(tmp_path / "model.onnx")
    mx.onnx.export_model(out, params, [(1, 3)], np.float32, path)
    model = onnx.load(path)
    version = model.opset_import[0].version
    symbol, arguments, states = GraphProto().from_onnx(model.graph, opset_version=version)
    assert set(arguments) | {"data"} == set(symbol.list_arguments()) and not states
    assert GraphProto().get_graph_metadata(model.graph)["input_tensor_data"] == [("data", (1, 3))]
    net = GraphProto().graph_to_gluon(model.graph, mx.cpu(), version)
    np.testing.assert_allclose(net(mx.nd.ones((1, 3))).asnumpy(), [[3, 3]])
