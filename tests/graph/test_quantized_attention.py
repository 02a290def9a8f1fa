"""The nodes that oneDNN's backends make of self-attention: floats, integers, and what becomes of them."""

import json

import numpy as np
import pytest
import quantization_cases as cases
from compare import load_golden

import mxnet as mx
from mxnet import gluon, nd
from mxnet.contrib import quantization

RECORDED = load_golden("quantization.json.gz")["products"]


@pytest.mark.parametrize("way", cases.PRODUCTS)
@pytest.mark.parametrize("name", ["qk", "valatt"])
def test_products_are_those_of_the_original(name, way):
    expected = RECORDED[f"{name} {way}"]
    found = json.loads(json.dumps(cases.describe_product(mx, name, way)))
    results, known = found.pop("results"), expected.pop("results")
    assert found == {what: expected[what] for what in found}
    if (name, way) == ("qk", "sums"):  # the original leaves the range unset
        known = [known[0], *[["float32", [sign * 2.0**31 * (2.0 / 127) ** 2]] for sign in (-1, 1)]]
    for (kind, values), (other, numbers) in zip(results, known, strict=True):
        assert kind == other
        tolerance = 0 if "int" in kind else 1e-6
        np.testing.assert_allclose(values, numbers, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(("length", "size"), [(1, 1), (3, 7), (600, 4), (2, 1100)])
@pytest.mark.parametrize("name", ["qk", "valatt"])
def test_sums_are_exact(name, length, size):
    """Also where float32 does not hold them."""
    data = cases.product_inputs(name, True, length, 1, 1, size)
    data[0] = np.where(data[0] > 0, 127, -128).astype("int8")
    symbol = cases.product_symbol(mx, name, {"quantized": "True", "enable_float_output": "True"}, heads=1)
    given = {f"x{i}": nd.array(v, dtype=v.dtype) for i, v in enumerate(data)}
    query, key, value = data[0].astype("int64").reshape(length, 3, size).transpose(1, 0, 2)
    step = 2.0 / 127.5
    if name == "qk":
        expected = query @ key.T * step**2 / np.sqrt(size)
    else:
        expected = data[1][0].astype("int64") @ value * step * (np.float32(0.9) / 255.5)
    found = symbol.bind(mx.cpu(), given).forward()[0].asnumpy().reshape(expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_ranges_of_nothing_but_zero_give_zero():
    symbol = cases.product_symbol(mx, "valatt", {"quantized": "True", "enable_float_output": "True"})
    data = cases.product_inputs("valatt", True)
    given = {f"x{i}": nd.array(v if i != 3 else [0.0], dtype=v.dtype) for i, v in enumerate(data)}
    given["x2"][:] = 0
    assert not symbol.bind(mx.cpu(), given).forward()[0].asnumpy().any()


def test_wrong_inputs_are_told():
    data = cases.product_inputs("qk", True)
    symbol = cases.product_symbol(mx, "qk", {"quantized": "True"})
    with pytest.raises(mx.MXNetError, match="int8 or uint8"):
        symbol.bind(mx.cpu(), {f"x{i}": nd.array(v, dtype="float32") for i, v in enumerate(data)}).forward()
    bad = json.loads(symbol.tojson())
    bad["nodes"][-1]["inputs"].pop()
    with pytest.raises(mx.MXNetError, match="3 inputs"):
        short = mx.sym.load_json(json.dumps(bad))
        short.bind(mx.cpu(), {f"x{i}": nd.array(v, dtype=v.dtype) for i, v in enumerate(data)}).forward()


class Attention(gluon.HybridBlock):
    """Self-attention between two dense layers."""

    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.project = gluon.nn.Dense(24, flatten=False)
            self.out = gluon.nn.Dense(5, flatten=False)

    def hybrid_forward(self, F, x):
        x = self.project(x)
        weights = F.softmax(F.contrib.interleaved_matmul_selfatt_qk(x, heads=2))
        return self.out(F.contrib.interleaved_matmul_selfatt_valatt(x, weights, heads=2))


@pytest.mark.parametrize("granularity", ["tensor-wise", "channel-wise"])
def test_quantized_network_is_saved_read_and_run(granularity, tmp_path):
    mx.random.seed(3)
    net = Attention()
    net.initialize(mx.init.Xavier())
    data = nd.random.normal(shape=(8, 2, 6))
    expected = net(data).asnumpy()
    examples = gluon.data.DataLoader(gluon.data.ArrayDataset(data), 8)
    made = quantization.quantize_net_v2(net, calib_data=examples, calib_mode="naive", quantize_granularity=granularity)
    made.hybridize()
    found = made(data).asnumpy()
    assert abs(found - expected).max() < 0.03 * abs(expected).max()
    made.export(str(tmp_path / "attention"))
    nodes = json.loads((tmp_path / "attention-symbol.json").read_text())["nodes"]
    kinds = {n["op"]: n["attrs"] for n in nodes if "selfatt" in n["op"]}
    assert kinds["_sg_mkldnn_selfatt_qk"]["enable_float_output"] == "True"
    assert float(kinds["_sg_mkldnn_selfatt_valatt"]["max_calib_range"]) > 0
    read = gluon.SymbolBlock.imports(
        str(tmp_path / "attention-symbol.json"), ["data"], str(tmp_path / "attention-0000.params")
    )
    np.testing.assert_array_equal(read(data).asnumpy(), found)


def test_attention_is_excluded_by_operator_or_name():
    symbol, args, states, data = cases.build(mx, "selfatt")
    fused = symbol.get_backend_symbol("MKLDNN_QUANTIZE")
    for given in (
        {"excluded_op_names": ["_sg_mkldnn_selfatt_qk", "_sg_mkldnn_selfatt_valatt"]},
        {"excluded_op_names": ["_contrib_interleaved_matmul_selfatt_qk", "_contrib_interleaved_matmul_selfatt_valatt"]},
        {"excluded_sym_names": ["qk2", "va4", "qk6", "va8"]},
    ):
        made, parameters, _ = quantization.quantize_model(fused, args, states, calib_mode="none", **given)
        nodes = json.loads(made.tojson())["nodes"]
        attention = [n["attrs"]["quantized"] for n in nodes if "selfatt" in n["op"]]
        assert attention == ["False"] * 4
        for one, other in zip(
            cases.run(mx, made, parameters, {}, data), cases.run(mx, symbol, args, {}, data), strict=True
        ):
            assert abs(one - other).max() < 0.05 * abs(other).max()


@pytest.mark.parametrize("backend", ["MKLDNN", "MKLDNN_QUANTIZE"])
def test_hybridized_with_a_backend(backend):
    net = Attention()
    net.initialize(mx.init.Xavier())
    data = nd.random.normal(shape=(4, 2, 6))
    expected = net(data).asnumpy()
    net.hybridize(backend=backend)
    np.testing.assert_allclose(net(data).asnumpy(), expected, rtol=1e-5, atol=1e-6)
