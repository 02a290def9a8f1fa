"""Imported graphs have the nodes and names that the original gives them: programs take internals by name."""

import numpy as np
import pytest
from compare import load_golden

import mxnet as mx

onnx = pytest.importorskip("onnx")

from onnx_import_cases import cases, computed, described, weights  # noqa: E402

RECORDED = load_golden("onnx_import.json.gz")
MODELS = cases()
#: Where ours has other nodes or parameters, and why.
OTHERWISE = {
    "MaxPool_padded": "the border is Pooling's own; the original pads by a node before it",
    "Gemm_scaled": "the product is scaled by a node of its own",
    "Mul_number": "a number is an attribute, not a parameter",
    "PRelu": "slopes have one dimension, as LeakyReLU takes them",
}


#: Products, which are to work in half precision, too.
KIND = {"dot": "_linalg_gemm2", "batch_dot": "_linalg_gemm2"}


@pytest.mark.parametrize("key", RECORDED)
def test_graphs_and_names(key, tmp_path):
    path = str(tmp_path / "model.onnx")
    onnx.save(MODELS[key], path)
    found, imported = described(mx, path)
    wanted = RECORDED[key]
    assert found["outputs"] == wanted["outputs"]
    assert found["heads"] == wanted["heads"]
    assert found["aux"] == wanted["aux"]
    if key.removesuffix(" named") not in OTHERWISE:
        assert [[KIND.get(op, op), *rest] for op, *rest in found["nodes"]] == wanted["nodes"]
        assert found["args"] == wanted["args"]
    if "values" in wanted:
        shape = [d.dim_value for d in MODELS[key].graph.input[0].type.tensor_type.shape.dim]
        values = computed(mx, imported, found["data"], shape)
        assert [list(v.shape) for v in values] == wanted["shapes"]
        for value, numbers in zip(values, wanted["values"], strict=True):
            np.testing.assert_allclose(value.ravel(), numbers, rtol=2e-4, atol=2e-5)


def test_every_recorded_model_is_there():
    assert set(MODELS) == set(RECORDED)


@pytest.mark.parametrize("key", ["Gemm", "Gemm_scaled", "Gemm_image", "MatMul", "MatMul_batch"])
def test_imported_products_in_half_precision(key, tmp_path):
    path = str(tmp_path / "model.onnx")
    onnx.save(MODELS[key], path)
    net = mx.contrib.onnx.import_to_gluon(path, mx.cpu())
    data = mx.nd.array(weights(*[d.dim_value for d in MODELS[key].graph.input[0].type.tensor_type.shape.dim]))
    wanted = net(data).asnumpy()
    net.cast("float16")
    np.testing.assert_allclose(net(data.astype("float16")).asnumpy(), wanted, rtol=2e-2, atol=2e-2)
