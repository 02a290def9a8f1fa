"""int8: networks against the original's, exact sums, and operators that cannot be recorded by samples."""

import ctypes
import json
import math
import re

import numpy as np
import pytest
import quantization_cases as cases
import torch
from compare import load_golden

import mxnet as mx
from mxnet import gluon, nd, sym
from mxnet.contrib import quantization
from mxnet.ops.quantization import calibrate, ranges, sums

RECORDED = load_golden("quantization.json.gz")
#: Here the original's numbers are wrong: it takes bytes of one type for those of the other (an activation of uint8, a
#: sum of int8 and uint8), and products that are too large for a byte wrap around.
WRONG = {("plain", "lenet", "full uint8 without"), *(("fused", "joined", way) for way in cases.FUSED)}
WRONG |= {("fused", "residual", way) for way in cases.FUSED}
WRONG |= {("fused", "inverted", way) for way in cases.FUSED if way != "smart int8"}


def compare(kind, network, way, found):
    expected = RECORDED[network][kind][way]
    outputs, known = found.pop("outputs"), expected.pop("outputs")
    found = json.loads(json.dumps(found))
    for what, value in expected.items():
        assert found[what] == value, what
    if known is not None and (kind, network, way) not in WRONG:
        for one_, other in zip(outputs, known, strict=True):
            np.testing.assert_allclose(one_, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("way", cases.WAYS)
@pytest.mark.parametrize("network", cases.NETWORKS)
def test_quantized_graphs_are_the_originals(network, way):
    compare("plain", network, way, cases.describe(mx, network, way))


@pytest.mark.parametrize("way", cases.FUSED)
@pytest.mark.parametrize("network", cases.NETWORKS)
def test_fused_graphs_are_the_originals(network, way):
    compare("fused", network, way, cases.describe_fused(mx, network, way))


@pytest.mark.parametrize("network", cases.NETWORKS)
def test_files_of_the_original_give_its_numbers(network):
    """The graphs that it wrote, with subgraphs, are read and run here, and written again as they were."""
    for kind, ways in RECORDED[network].items():
        for way, recorded in ways.items():
            text = recorded["done" if kind == "fused" else "json"]
            symbol = sym.load_json(text)
            assert symbol.tojson() == text
            _, args, states, data = cases.build(mx, network)
            parameters = quantization._quantize_params(symbol, args, {})
            known = recorded.get("outputs")
            if known is not None and (kind, network, way) not in WRONG:
                for one_, other in zip(cases.run(mx, symbol, parameters, states, data), known, strict=True):
                    np.testing.assert_allclose(one_.ravel()[:40], other, rtol=1e-5, atol=1e-6)


def iterator(data, batch=4):
    return mx.io.NDArrayIter(data, np.zeros(len(data), "float32"), batch)


@pytest.fixture(scope="module")
def network():
    """A small residual network with its data, and what it gives."""
    mx.random.seed(3)
    np.random.seed(3)
    data = np.random.uniform(-1, 1, (16, 3, 16, 16)).astype("float32")

    class Residual(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.first = gluon.nn.HybridSequential()
            self.first.add(gluon.nn.Conv2D(8, 3, padding=1, use_bias=False), gluon.nn.BatchNorm())
            self.first.add(gluon.nn.Activation("relu"))
            self.second = gluon.nn.HybridSequential()
            self.second.add(gluon.nn.Conv2D(8, 3, padding=1), gluon.nn.BatchNorm(), gluon.nn.Activation("relu"))
            self.second.add(gluon.nn.Conv2D(8, 3, padding=1), gluon.nn.BatchNorm())
            self.shorter = gluon.nn.Conv2D(8, 1)
            self.last = gluon.nn.HybridSequential()
            self.last.add(gluon.nn.GlobalAvgPool2D(), gluon.nn.Dense(6, activation="relu"), gluon.nn.Dense(5))

        def hybrid_forward(self, F, x):
            x = self.first(x)
            x = F.Activation(self.second(x) + self.shorter(x), act_type="relu")
            return self.last(x)

    net = Residual()
    net.initialize(mx.init.Xavier(magnitude=3))
    with mx.autograd.record():
        for _ in range(3):
            net(nd.array(data))
    return net, data, net(nd.array(data)).asnumpy()


@pytest.mark.parametrize("dtype", ["auto", "int8"])
@pytest.mark.parametrize("granularity", ["tensor-wise", "channel-wise"])
@pytest.mark.parametrize("mode", ["none", "naive", "entropy"])
def test_quantized_block_is_near_the_float_one(network, mode, granularity, dtype, tmp_path):
    net, data, expected = network
    loader = gluon.data.DataLoader(gluon.data.ArrayDataset(data, np.zeros(16, "float32")), 4)
    # A histogram of some hundred values says little: the thresholds that the original finds for such are far off, too.
    left_out = ["FullyConnected"] if mode == "entropy" else None
    made = quantization.quantize_net_v2(
        net,
        dtype,
        "full",
        granularity,
        exclude_operators=left_out,
        calib_data=loader,
        calib_mode=mode,
        num_calib_examples=12,
    )
    found = made(nd.array(data)).asnumpy()
    scale = abs(expected).max()
    assert abs(found - expected).max() < 0.08 * scale
    made.hybridize()
    assert np.array_equal(made(nd.array(data)).asnumpy(), found)
    made.export(str(tmp_path / "net"))
    back = gluon.SymbolBlock.imports(str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net-0000.params"))
    assert np.array_equal(back(nd.array(data)).asnumpy(), found)
    assert (net(nd.array(data)).asnumpy() == expected).all()


def test_parameters_of_a_quantized_block_that_change_are_honoured(network):
    net, data, _ = network
    made = quantization.quantize_net(net, calib_data=iterator(data), calib_mode="naive")
    made.hybridize()
    before = made(nd.array(data)).asnumpy()
    name = next(n for n in made.collect_params() if re.search(r"conv\d+_weight$", n))
    weight = made.collect_params()[name]
    kept = weight.data().copy()
    weight.set_data(kept * 0)
    assert not np.array_equal(made(nd.array(data)).asnumpy(), before)
    weight.set_data(kept)
    assert np.array_equal(made(nd.array(data)).asnumpy(), before)


@pytest.mark.parametrize("mode", ["smart", "full"])
@pytest.mark.parametrize("calibration", ["none", "naive", "entropy"])
def test_quantized_model_is_near_the_float_one(calibration, mode):
    symbol, args, states, data = cases.build(mx, "residual")
    expected = cases.run(mx, symbol, args, states, data)[0]
    examples = mx.io.NDArrayIter(np.concatenate([data.asnumpy()] * 3), np.zeros(6), 2)
    for quantize in (quantization.quantize_model, quantization.quantize_model_mkldnn):
        if calibration == "none" and quantize is quantization.quantize_model:
            continue  # a quantized batch norm has to be calibrated, in the original too
        examples.reset()
        found = quantize(symbol, args, states, calib_mode=calibration, calib_data=examples, quantize_mode=mode)
        values = cases.run(mx, *found, data)[0]
        assert abs(values - expected).max() < 0.05


def test_names_that_are_left_out_stay_float():
    symbol, args, states, data = cases.build(mx, "lenet")
    found, parameters, _ = quantization.quantize_model(
        symbol, args, states, excluded_sym_names=["conv1"], excluded_op_names=["FullyConnected"], calib_mode="none"
    )
    operators = [n["op"] for n in json.loads(found.tojson())["nodes"]]
    assert "_contrib_quantized_fully_connected" not in operators
    assert operators.count("_contrib_quantized_conv") == operators.count("Convolution") == 1
    assert {"conv1_weight", "fc7_weight"} & set(parameters) == {"conv1_weight", "fc7_weight"} & set(args)
    assert cases.run(mx, found, parameters, states, data)


def test_recurrent_layers_are_quantized():
    """As the original's graph has it, which it cannot run."""
    symbol = sym.RNN(sym.var("data"), state_size=4, num_layers=1, mode="lstm", name="rnn")
    made, layers = quantization._quantize_symbol(symbol, mx.cpu(), offline_params=["rnn_parameters"])
    nodes = [(n["op"], n["name"], n.get("attrs", {}), n["inputs"]) for n in json.loads(made.tojson())["nodes"]]
    given = {"mode": "lstm", "num_layers": "1", "state_size": "4"}
    assert layers == ["data"]
    assert nodes == [
        ("null", "data", {}, []),
        ("_contrib_quantize_asym", "data_quantize", {}, [[0, 0, 0]]),
        *[("null", f"rnn_{n}", given, []) for n in ("parameters", "state", "state_cell")],
        (
            "_contrib_quantized_rnn",
            "quantized_rnn",
            {**given, "quantized": "true"},
            [[1, 0, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0], [1, 1, 0], [1, 2, 0]],
        ),
    ]
    assert sym.load_json(made.tojson()).tojson() == made.tojson()
    random = np.random.RandomState(0)
    shapes = dict(zip(symbol.list_arguments(), symbol.infer_shape(data=(5, 2, 3))[0], strict=True))
    arrays = {n: nd.array(random.uniform(-0.5, 0.5, s)) for n, s in shapes.items()}
    found, expected = (s.bind(mx.cpu(), arrays).forward()[0] for s in (made, symbol))
    assert abs(found - expected).max().asscalar() < 0.02


def test_own_collectors():
    symbol, args, states, data = cases.build(mx, "attention")

    class Collector:
        include_layer = None

        def __init__(self):
            self.min_max_dict = {}

        def collect(self, name, arr):
            name = mx.base.py_str(name)
            if name in self.include_layer:
                values = nd.NDArray(ctypes.cast(arr, mx.base.NDArrayHandle), writable=False)
                self.min_max_dict[name] = (values.min().asscalar(), values.max().asscalar())

    own = Collector()
    found, _, _, collector = quantization.quantize_graph(
        symbol, args, states, calib_mode="customize", LayerOutputCollector=own
    )
    assert collector is own
    executor = symbol.bind(mx.cpu(), {**args, "data": data}, grad_req="null")
    executor.set_monitor_callback(own.collect, monitor_all=True)
    expected = executor.forward()[0].asnumpy()
    assert set(own.min_max_dict) == set(own.include_layer)
    found, parameters, _ = quantization.calib_graph(found, args, states, own, calib_mode="customize")
    assert abs(cases.run(mx, found, parameters, states, data)[0] - expected).max() < 0.1


def test_mistakes_are_told():
    symbol, args, states, data = cases.build(mx, "lenet")
    model = quantization.quantize_model
    examples = iterator(data.asnumpy(), 2)
    for wrong, words in (
        ({"calib_mode": "naive"}, "calib_data must be provided"),
        ({"calib_mode": "naive", "calib_data": [1]}, "must be of DataIter type"),
        ({"calib_mode": "x", "calib_data": examples}, "unknown calibration mode x"),
        ({"quantized_dtype": "int4", "calib_mode": "none"}, "unknown quantized_dtype int4"),
        ({"quantize_granularity": "x", "calib_mode": "none"}, "quantize_granularity x"),
        ({"quantize_mode": "x", "calib_mode": "none"}, "quantize_mode x"),
        ({"excluded_sym_names": "f1", "calib_mode": "none"}, "must be a list of strings"),
        ({"excluded_op_names": "f1", "calib_mode": "none"}, "must be a list of strings"),
        ({"ctx": "cpu", "calib_mode": "none"}, "single ctx"),
    ):
        with pytest.raises(ValueError, match=words):
            model(symbol, args, states, **wrong)
    with pytest.raises(ValueError, match="Intel cpu"):
        quantization.quantize_model_mkldnn(symbol, args, states, ctx=mx.Context("cpu_pinned", 0), calib_mode="none")
    with pytest.raises(ValueError, match="set calibration mode"):
        quantization.calib_graph(symbol, args, states, None, calib_mode="none")
    with pytest.raises(ValueError, match="only accepts Symbol"):
        quantization._load_sym(3)
    with pytest.raises(ValueError, match="Unsupported params"):
        quantization._load_params(3)
    with pytest.raises(ValueError, match="data_shapes required"):
        quantization.quantize_net(gluon.nn.Dense(3))
    with pytest.raises(ValueError, match="HybridBlock"):
        quantization.quantize_net(3, data_shapes=[(1, 2)])


def test_examples_that_are_missing_or_no_numbers_are_told():
    symbol, args, states, data = cases.build(mx, "lenet")
    examples = iterator(data.asnumpy(), 2)
    for _ in examples:
        pass
    with pytest.raises(ValueError, match="gave no batches"):
        quantization.quantize_model(symbol, args, states, calib_mode="naive", calib_data=examples)
    with pytest.raises(ValueError, match="no batches"):
        quantization._DataIterWrapper([])
    with pytest.raises(TypeError, match="not a valid iterator"):
        quantization._DataIterWrapper(3)
    wrong = data.asnumpy().copy()
    wrong[0] = np.nan
    for mode in ("naive", "entropy"):
        with pytest.raises(ValueError, match="no numbers"):
            quantization.quantize_model(symbol, args, states, calib_mode=mode, calib_data=iterator(wrong, 2))


@pytest.mark.parametrize("mode", ["naive", "entropy"])
def test_calibration_by_zeros(network, mode):
    """The ranges of some layers are zero then: what is quantized with them is zero, and nothing else is lost."""
    net, data, _ = network
    zeros = np.zeros_like(data)
    made = quantization.quantize_net(net, calib_data=iterator(zeros), calib_mode=mode)
    expected = net(nd.array(zeros)).asnumpy()
    assert abs(made(nd.array(zeros)).asnumpy() - expected).max() <= 0.05 * max(abs(expected).max(), 0.1)
    assert np.isfinite(made(nd.array(data)).asnumpy()).all()


@pytest.mark.parametrize("shape", [(1, 1, 3, 5), (3, 5, 7, 4), (2, 17, 9, 1)])
def test_odd_shapes(shape):
    random = np.random.RandomState(0)
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Conv2D(5, (3, 1), padding=(1, 0)), gluon.nn.LeakyReLU(0.1), gluon.nn.Conv2D(3, 1, groups=1))
    net.add(gluon.nn.Flatten(), gluon.nn.Dense(3))
    net.initialize(mx.init.Xavier())
    data = nd.array(random.uniform(-1, 1, shape))
    expected = net(data).asnumpy()
    made = quantization.quantize_net(net, calib_data=iterator(data.asnumpy(), shape[0]), calib_mode="naive")
    assert abs(made(data).asnumpy() - expected).max() < 0.06 * abs(expected).max() + 0.01


def test_fused_layers_are_called_with_a_subgraph_only():
    for name in ("_sg_mkldnn_conv", "_sg_mkldnn_fully_connected"):
        with pytest.raises(mx.MXNetError, match=name):
            getattr(nd._internal, name)(nd.ones((1, 2)))
    with pytest.raises(mx.MXNetError, match="_sg_mkldnn_selfatt_qk"):
        nd._internal._sg_mkldnn_selfatt_qk(nd.ones((1, 1, 6)), heads=1)


@pytest.mark.parametrize("backend", ["MKLDNN", "MKLDNN_QUANTIZE"])
@pytest.mark.parametrize("network", ["lenet", "residual", "inverted", "attention", "selfatt", "heads"])
def test_fused_floats_give_the_same(network, backend):
    symbol, args, states, data = cases.build(mx, network)
    made = symbol.optimize_for(backend)
    assert made.list_arguments() == symbol.list_arguments() or set(made.list_arguments()) == set(
        symbol.list_arguments()
    )
    assert made.list_auxiliary_states() == symbol.list_auxiliary_states()
    assert any(n["op"].startswith("_sg_mkldnn") for n in json.loads(made.tojson())["nodes"])
    assert made.infer_shape(data=data.shape)[1] == symbol.infer_shape(data=data.shape)[1]
    assert made.infer_type(data="float32")[1] == symbol.infer_type(data="float32")[1]
    for one_, other in zip(*(cases.run(mx, s, args, states, data) for s in (made, symbol)), strict=True):
        np.testing.assert_allclose(one_, other, rtol=1e-4, atol=1e-5)


def test_fused_floats_are_trained():
    symbol, args, states, data = cases.build(mx, "residual")
    given = {**args, "data": data, "softmax_label": nd.array([1, 3])}
    found = []
    for each in (symbol, symbol.optimize_for("MKLDNN")):
        grads = {n: nd.zeros(v.shape) for n, v in given.items()}
        executor = each.bind(mx.cpu(), given, grads, aux_states={n: v.copy() for n, v in states.items()})
        executor.forward(is_train=True)
        executor.backward()
        found.append({**grads, **executor.aux_dict})
    for name, value in found[0].items():
        np.testing.assert_allclose(found[1][name].asnumpy(), value.asnumpy(), rtol=1e-3, atol=1e-5, err_msg=name)


def exported(symbol, parameters, data, path):
    ort = pytest.importorskip("onnxruntime")
    mx.onnx.export_model(symbol, parameters, [data.shape], np.float32, str(path))
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: data.asnumpy()})


@pytest.mark.parametrize("name", ["lenet", "residual", "inverted", "attention", "selfatt", "heads"])
@pytest.mark.parametrize("way", ["plain", "fused", "by channel"])
def test_export_to_onnx(name, way, tmp_path):
    """Layers of floats between pairs of QuantizeLinear and DequantizeLinear, weights of int8."""
    onnx = pytest.importorskip("onnx")
    symbol, args, states, data = cases.build(mx, name)
    if "softmax_label" in symbol.list_arguments():
        symbol = symbol.get_children()[0]
    examples = mx.io.NDArrayIter(np.concatenate([data.asnumpy()] * 2), None, 2)
    quantize = quantization.quantize_model if way == "plain" else quantization.quantize_model_mkldnn
    granularity = "channel-wise" if way == "by channel" else "tensor-wise"
    made, parameters, states = quantize(
        symbol,
        args,
        states,
        label_names=None,
        calib_mode="naive",
        calib_data=examples,
        quantize_granularity=granularity,
    )
    found = exported(made, {**parameters, **states}, data, tmp_path / "model.onnx")
    model = onnx.load(str(tmp_path / "model.onnx"))
    assert {"QuantizeLinear", "DequantizeLinear"} <= {n.op_type for n in model.graph.node}
    assert onnx.TensorProto.INT8 in {t.data_type for t in model.graph.initializer if len(t.dims) > 1}
    expected = cases.run(mx, made, parameters, states, data)
    plain = cases.run(mx, symbol, args, states, data)
    for one_, other, reference in zip(found, expected, plain, strict=True):
        assert one_.shape == other.shape
        assert abs(one_ - other).max() < 0.05 * abs(reference).max()


def test_fused_floats_are_exported(tmp_path):
    symbol, args, states, data = cases.build(mx, "heads")
    found = exported(symbol.get_backend_symbol("MKLDNN"), {**args, **states}, data, tmp_path / "model.onnx")
    for one_, other in zip(found, cases.run(mx, symbol, args, states, data), strict=True):
        np.testing.assert_allclose(one_, other, rtol=1e-4, atol=1e-5)


def test_export_to_onnx_needs_calibration(tmp_path):
    pytest.importorskip("onnx")
    symbol, args, states, data = cases.build(mx, "attention")
    made, parameters, _ = quantization.quantize_model(symbol, args, states, calib_mode="none")
    with pytest.raises(mx.MXNetError, match="calibrate the network"):
        mx.onnx.export_model(made, parameters, [data.shape], np.float32, str(tmp_path / "model.onnx"))


def test_values_beyond_the_calibrated_range_are_cut():
    net = gluon.nn.Conv2D(2, 1, use_bias=False, in_channels=1)
    net.initialize(mx.init.One())
    data = np.array([[[[-1.0, 0.5, 1.0]]]], "float32")
    made = quantization.quantize_net(net, calib_data=iterator(data, 1), calib_mode="naive", quantized_dtype="int8")
    found = made(nd.array(data * 100)).asnumpy()[0, 0, 0]
    np.testing.assert_allclose(found, [-1.0, 1.0, 1.0], atol=0.02)


def test_histograms_grow():
    first = (np.array([1, 2, 3, 4, 5]), np.linspace(-1, 1, 6), -0.9, 0.8, 1.0)
    counts, edges, low, high, reach = quantization.combine_histogram(first, np.array([0.1, 2.2, -0.3]), -0.3, 2.2, 2.2)
    assert counts.tolist() == [0, 0, 0, 0, 1, 3, 4, 4, 5, 0, 0, 1, 0]
    assert edges[-1] == pytest.approx(2.6)
    assert (low, high, reach) == (-0.9, 2.2, pytest.approx(2.6))
    counts = quantization.combine_histogram(first, np.array([0.1, 0.2, -0.3]), -0.3, 0.2, 0.3)[0]
    assert counts.tolist() == [1, 3, 5, 4, 5]
    collector = quantization._LayerHistogramCollector(num_bins=11)
    collector.collect("a", nd.zeros((3,)))
    collector.collect("a", nd.array([2.0]))
    assert collector.hist_dict["a"][0].sum() == 4
    assert collector.hist_dict["a"][2:] == (0, 2, 2)


def test_distributions_are_smoothed():
    found = quantization._smooth_distribution(np.array([0, 1, 2, 3.0]))
    np.testing.assert_allclose(found, [9.9999997e-05, 9.9996668e-01, 1.9999666, 2.9999666], rtol=1e-6)
    with pytest.raises(ValueError, match="All entries are 0"):
        quantization._smooth_distribution(np.zeros(2))
    with pytest.raises(AssertionError):
        quantization._smooth_distribution(np.array([1e-6, 0, 0]))


def test_thresholds_are_those_of_the_operator():
    counts = (1000 * np.exp(-0.5 * np.linspace(-4, 4, 801) ** 2)).round()
    data = (counts, np.linspace(-4, 4, 802), -4.0, 4.0, 4.0)
    low, high, threshold, divergence = quantization._get_optimal_threshold(data, "int8")
    expected = nd.contrib.calibrate_entropy(nd.array(counts), nd.array(data[1]))
    assert (low, high) == (-4.0, 4.0)
    assert (threshold, divergence) == (expected[0].asnumpy(), expected[1].asnumpy())
    histograms = {"a": data, "b": (*data[:2], 0.5, *data[3:])}
    found = quantization._get_optimal_thresholds(histograms, "auto")
    assert not histograms
    assert found["a"][0] == -found["a"][1]
    assert found["b"][0] == 0


@pytest.mark.parametrize("bins", [255, 127, 511])
def test_divergences_by_our_own_kernel(bins, monkeypatch):
    random = np.random.RandomState(0)
    for values in (random.randn(3000), abs(random.randn(500)), random.standard_cauchy(200)):
        reach = abs(values).max()
        counts = np.histogram(values, 801, (-reach, reach))[0].astype("float32")
        before = np.concatenate([[0], np.cumsum(counts)]).astype("float32")
        quick = calibrate.divergences(counts, before, bins)
        with monkeypatch.context() as patch:
            patch.setattr(calibrate.native, "library", lambda: None)
            plain = calibrate.divergences(counts, before, bins)
        np.testing.assert_allclose(quick, plain, rtol=1e-4, atol=1e-6)


FORMS = [] if sums.best_form() is None else sorted({sums.best_form(), sums.best_form()._replace(width=2)})


@pytest.mark.parametrize("form", [*FORMS, None])
@pytest.mark.parametrize("groups", [1, 2, 38])
def test_the_kernel_rounds_as_torch_does(form, groups, monkeypatch):
    """Sums that are rounded at once, against torch's operations one after the other."""
    monkeypatch.setattr(sums, "best_form", lambda: form)
    torch.manual_seed(0)
    weight = sums.Weight(torch.randint(-128, 128, (38, 38 // groups, 3, 3), dtype=torch.int8), torch.arange(38.0) * 99)
    geometry = sums.Geometry((1, 2), (1, 0), (1, 1), groups)
    scale = torch.rand(38) * 1e-3
    scale[:2] = torch.tensor([float("inf"), float("nan")])
    for kind in (torch.int8, torch.uint8):
        data = torch.randint(0, 256, (2, 38, 5, 9)).to(torch.uint8).view(kind)
        exact = weight.convolve(data, geometry)
        for out, other, bounds in (
            (torch.uint8, None, (0.0, math.inf)),
            (torch.int8, torch.int8, (-math.inf, math.inf)),
            (torch.int8, torch.uint8, (-20.0, 300.0)),
            (torch.uint8, torch.int8, (-9.0, -3.0)),
        ):
            added = None if other is None else torch.randint(0, 256, exact.shape).to(torch.uint8).view(other)
            rounding = sums.Rounding(scale, *bounds, out, added, 0.3)
            found = weight.convolve(data, geometry, rounding)
            assert found.dtype is out
            assert torch.equal(found, rounding.apply(exact))


@pytest.mark.parametrize("form", FORMS)
def test_the_kernel_refuses_shapes_that_do_not_fit(form, monkeypatch):
    monkeypatch.setattr(sums, "best_form", lambda: form)
    data, weight = torch.ones(1, 6, 5, 5, dtype=torch.uint8), sums.Weight(torch.ones(4, 3, 3, 3, dtype=torch.int8))
    geometry = sums.Geometry((1, 1), (0, 0), (1, 1), 2)
    added = torch.ones(1, 4, 3, 2, dtype=torch.uint8)
    assert weight.convolve(data, geometry).unique().tolist() == [27]
    with pytest.raises(ValueError, match="must have shape"):
        weight.convolve(data, geometry, sums.Rounding(torch.ones(4), 0.0, 9.0, torch.uint8, added, 1.0))
    for channels, groups in ((5, 2), (3, 2), (6, 1), (9, 3)):
        with pytest.raises(ValueError, match="does not fit"):
            weight.convolve(data[:, :1].repeat(1, channels, 1, 1), geometry._replace(groups=groups))
    with pytest.raises(ValueError, match="does not fit"):
        sums.Weight(torch.ones(4, 7, dtype=torch.int8)).product(torch.ones(2, 6, dtype=torch.uint8))
    with pytest.raises(RuntimeError, match="size"):
        weight.convolve(data[:, :, :2], geometry)


@pytest.mark.parametrize("kind", ["int8", "uint8"])
@pytest.mark.parametrize(
    ("shape", "filters", "kernel", "groups"),
    [
        ((1, 64, 300, 41), 70, 3, 1),
        ((3, 40, 33, 33), 96, 1, 2),
        ((1, 512, 9, 9), 640, 3, 1),
        ((2, 130, 80, 80), 130, 3, 130),
    ],
)
def test_threads_share_the_work(kind, shape, filters, kernel, groups):
    data = torch.from_numpy(eight(np.random.RandomState(0), *shape, kind=kind))
    weight = sums.Weight(torch.randint(-128, 128, (filters, shape[1] // groups, kernel, kernel), dtype=torch.int8))
    geometry = sums.Geometry((1, 1), (kernel // 2,) * 2, (1, 1), groups)
    before, found = torch.get_num_threads(), []
    try:
        for threads in (1, 2, 7):
            torch.set_num_threads(threads)
            found.append(weight.convolve(data, geometry))
    finally:
        torch.set_num_threads(before)
    assert torch.equal(found[0], sums._by_floats(data, weight.integers, geometry))
    assert torch.equal(found[0], found[1])
    assert torch.equal(found[0], found[2])


def test_floats_become_the_same_integers():
    values = torch.randn(1000) * 100
    values[:3] = torch.tensor([float("nan"), float("inf"), -float("inf")])
    for kind in (torch.int8, torch.uint8):
        scale = torch.tensor(0.77)
        assert torch.equal(ranges.saturate_scaled(values, scale, kind), ranges.saturate(values * scale, kind))


def eight(random, *shape, kind="int8"):
    low, high = (-128, 128) if kind == "int8" else (0, 256)
    return random.randint(low, high, shape).astype(kind)


def one(number):
    return nd.array([number])


@pytest.mark.parametrize("form", [*FORMS, None])
@pytest.mark.parametrize("kind", ["int8", "uint8"])
@pytest.mark.parametrize("size", [1, 7, 64, 515, 3000])
def test_products_are_exact(kind, size, form, monkeypatch):
    monkeypatch.setattr(sums, "best_form", lambda: form)
    random = np.random.RandomState(size)
    data, weight = eight(random, 5, size, kind=kind), eight(random, 9, size)
    data[0], weight[0] = 127 if kind == "int8" else 255, 127
    found = sums.Weight(torch.from_numpy(weight)).product(torch.from_numpy(data))
    assert found.dtype == torch.int32
    assert np.array_equal(found.numpy(), data.astype("int64") @ weight.astype("int64").T)


@pytest.mark.parametrize("form", [*FORMS, None])
@pytest.mark.parametrize("kind", ["int8", "uint8"])
@pytest.mark.parametrize(
    ("channels", "filters", "kernel", "stride", "pad", "dilate", "groups"),
    [
        (3, 4, (3, 3), (1, 1), (1, 1), (1, 1), 1),
        (64, 16, (3, 3), (2, 2), (1, 1), (1, 1), 1),
        (300, 5, (3, 3), (1, 1), (0, 1), (1, 1), 1),
        (600, 8, (1, 1), (1, 1), (0, 0), (1, 1), 1),
        (20, 6, (1, 1), (2, 3), (0, 0), (1, 1), 1),
        (20, 6, (1, 1), (1, 1), (1, 0), (1, 1), 1),
        (8, 8, (3, 3), (1, 2), (1, 1), (2, 1), 8),
        (200, 4, (3, 3), (1, 1), (1, 1), (1, 1), 2),
        (70, 70, (3, 3), (1, 1), (0, 0), (1, 2), 70),
        (64, 64, (2, 3), (1, 1), (0, 0), (1, 1), 64),
        (9, 150, (3, 2), (1, 1), (2, 2), (1, 1), 3),
        (64, 130, (3, 3), (1, 1), (0, 0), (1, 1), 1),
        (8, 67, (9, 9), (1, 1), (9, 9), (1, 1), 1),
        (5, 3, (5,), (2,), (2,), (1,), 1),
        (4, 3, (2, 2, 2), (1, 1, 1), (1, 0, 1), (1, 1, 1), 1),
    ],
)
def test_convolutions_are_exact(kind, channels, filters, kernel, stride, pad, dilate, groups, form, monkeypatch):
    monkeypatch.setattr(sums, "best_form", lambda: form)
    random = np.random.RandomState(0)
    data = torch.from_numpy(eight(random, 2, channels, *[7] * len(kernel), kind=kind))
    weight = torch.from_numpy(eight(random, filters, channels // groups, *kernel))
    found = sums.Weight(weight).convolve(data, sums.Geometry(stride, pad, dilate, groups))
    convolve = {1: torch.conv1d, 2: torch.conv2d, 3: torch.conv3d}[len(kernel)]
    expected = convolve(data.double(), weight.double(), None, stride, pad, dilate, groups)
    assert found.dtype == torch.int32
    assert np.array_equal(found.numpy(), expected.numpy())


@pytest.mark.parametrize("kind", ["int8", "uint8"])
def test_sums_that_float32_does_not_hold_are_exact(kind):
    random = np.random.RandomState(0)
    data, weight = eight(random, 2, 600, 6, 6, kind=kind), eight(random, 5, 600, 3, 3)
    data[0], weight[0], weight[1] = -128 if kind == "int8" else 255, 127, -128
    expected = torch.conv2d(torch.from_numpy(data).double(), torch.from_numpy(weight).double())
    assert expected.abs().max() > 1 << 26
    geometry = sums.Geometry((1, 1), (0, 0), (1, 1), 1)
    found = sums.Weight(torch.from_numpy(weight)).convolve(torch.from_numpy(data), geometry)
    assert np.array_equal(found.numpy(), expected.numpy())
    rows, matrix = torch.from_numpy(data.reshape(2, -1)), torch.from_numpy(eight(random, 3, 600 * 36))
    rows[0] = 127
    matrix[0] = 127
    found = sums.Weight(matrix).product(rows)
    assert np.array_equal(found.numpy(), (rows.double() @ matrix.double().T).numpy())


@pytest.mark.parametrize("kind", ["int8", "uint8"])
@pytest.mark.parametrize(
    ("shape", "attrs"),
    [
        ((2, 3, 7, 9), {"kernel": (3, 2), "stride": (2, 3), "pad": (1, 0)}),
        ((2, 9, 8, 8), {"kernel": (3, 3), "stride": (2, 2), "pooling_convention": "full"}),
        ((1, 16, 9, 5), {"kernel": (2, 2), "stride": (2, 2), "pooling_convention": "same"}),
        ((2, 5, 4, 3), {"kernel": (2, 3), "layout": "NHWC"}),
        ((2, 3, 5, 6, 4), {"kernel": (2, 3, 2), "stride": (2, 1, 2), "pad": (1, 1, 1)}),
        ((3, 4, 5, 6), {"global_pool": True}),
    ],
)
def test_maxima_of_integers_are_those_of_floats(kind, shape, attrs):
    data = nd.array(eight(np.random.RandomState(1), *shape, kind=kind), dtype=kind)
    found, low, high = nd.contrib.quantized_pooling(data, one(-1.0), one(2.0), pool_type="max", **attrs)
    assert found.dtype.__name__ == kind
    expected = nd.Pooling(data.astype("float32"), pool_type="max", **attrs).asnumpy()
    np.testing.assert_array_equal(found.asnumpy(), expected)
    assert (low.asscalar(), high.asscalar()) == (-1.0, 2.0)


def test_a_packed_weight_that_is_written_to_is_packed_again():
    random = np.random.RandomState(0)
    data, weight = (torch.from_numpy(eight(random, 4, 8)) for _ in range(2))
    first = sums.weight_of(weight).product(data)
    weight.neg_()
    assert torch.equal(sums.weight_of(weight).product(data), -first)


def test_asymmetric_integers_cover_the_range():
    data = nd.array([[-1.0, 0.0, 0.5], [1.0, 2.9, 3.0]])
    found, scale, shift = nd.contrib.quantize_asym(data)
    assert found.dtype == np.uint8
    assert found.asnumpy().min() == 0
    assert found.asnumpy().max() == 255
    assert scale.asscalar() == pytest.approx(255 / 4)
    assert shift.asscalar() == pytest.approx(255 - 3 * 255 / 4)
    back = (found.astype("float32") - shift) / scale
    assert abs(back - data).max().asscalar() <= 0.5 / scale.asscalar() + 1e-6
    found, scale, shift = nd.contrib.quantize_asym(data, min_calib_range=-2.0, max_calib_range=2.0)
    assert found.asnumpy().max() == 255
    assert scale.asscalar() == pytest.approx(255 / 4)
    constant = nd.contrib.quantize_asym(nd.ones((2, 3)))
    assert ((constant[0].astype("float32") - constant[2]) / constant[1]).asnumpy().tolist() == [[1.0] * 3] * 2


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("layers", [1, 2])
def test_quantized_lstm_is_near_the_float_one(layers, bidirectional):
    random = np.random.RandomState(0)
    size, directions = 8, 2 if bidirectional else 1
    attrs = {"mode": "lstm", "state_size": size, "num_layers": layers, "bidirectional": bidirectional}
    inputs = [5, *[size * directions] * (layers - 1)]
    count = sum(directions * 4 * size * (n + size + 2) for n in inputs)
    data, parameters = nd.array(random.randn(6, 3, 5)), nd.array(random.randn(count) * 0.3)
    state, cell = (nd.array(random.randn(layers * directions, 3, size) * 0.3) for _ in range(2))
    expected = nd.RNN(data, parameters, state, cell, state_outputs=True, **attrs)
    integers = nd.contrib.quantize_asym(data)
    found = nd.contrib.quantized_rnn(
        integers[0], parameters, state, cell, integers[1], integers[2], state_outputs=True, **attrs
    )
    for one_, other in zip(found, expected, strict=True):
        assert one_.shape == other.shape
        assert abs(one_ - other).max().asscalar() < 0.03
    with pytest.raises(mx.MXNetError, match="only mode lstm"):
        nd.contrib.quantized_rnn(
            integers[0], parameters, state, cell, *integers[1:], mode="gru", state_size=4, num_layers=1
        )


# Recorded from mx.sym.contrib.quantized_elemwise_mul of the original (its eager function fails).
_LEFT = (np.arange(-8, 8) * 15).astype("int8").reshape(2, 8)
_RIGHT = np.random.RandomState(0).randint(-128, 128, (2, 8)).astype("int8")
_SCALED = [-62, 100, 11, -56, 43, -65, -23, 4, 0, 14, -37, 60, -64, -36, -61, 108]


def test_products_of_integers():
    inputs = nd.array(_LEFT, dtype="int8"), nd.array(_RIGHT, dtype="int8"), *map(one, (-1, 2, -3, 1))
    products = _LEFT.astype("int32") * _RIGHT
    found, low, high = nd.contrib.quantized_elemwise_mul(*inputs)
    assert found.dtype == np.int32
    assert np.array_equal(found.asnumpy(), products)
    assert (low.asscalar(), high.asscalar()) == (-798865.5, 798865.5)
    found, low, high = nd.contrib.quantized_elemwise_mul(*inputs, min_calib_range=-4.0, max_calib_range=3.0)
    assert found.dtype == np.int8
    assert found.asnumpy().ravel().tolist() == _SCALED
    assert (low.asscalar(), high.asscalar()) == (-4, 3)
    floats = nd.contrib.quantized_elemwise_mul(*inputs, enable_float_output=True)
    assert isinstance(floats, nd.NDArray)
    np.testing.assert_allclose(floats.asnumpy(), products * 6 / 127.5**2, rtol=1e-6)
    with pytest.raises(mx.MXNetError, match="rhs must be int8"):
        nd.contrib.quantized_elemwise_mul(inputs[0], inputs[1].astype("uint8"), *inputs[2:])
