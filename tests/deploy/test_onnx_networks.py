"""Networks exported to ONNX give our numbers in onnxruntime, and come back by import."""

import os
import subprocess
import sys

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn, rnn
from mxnet.gluon.model_zoo import vision

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

OPSETS = [13, 17, 21, 26]


def arrays(*shapes, seed=0, low=-1.0, high=1.0):
    random = np.random.RandomState(seed)
    return [random.uniform(low, high, s).astype("float32") for s in shapes]


def session(path):
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def run(path, inputs):
    model = session(path)
    names = [i.name for i in model.get_inputs()]
    return model.run(None, dict(zip(names, inputs, strict=True)))


def ours(net, inputs):
    found = net(*[mx.nd.array(a, dtype=a.dtype) for a in inputs])
    flat = mx.gluon.block._flatten(found, "output")[0]
    return [f.asnumpy() for f in flat]


def close(found, wanted, tolerance=1e-4):
    assert len(found) == len(wanted)
    for a, b in zip(found, wanted, strict=True):
        assert a.shape == b.shape
        assert np.abs(a - b).max() <= tolerance * max(np.abs(b).max(), 1e-3), np.abs(a - b).max() / np.abs(b).max()


def check(net, inputs, tmp_path, back=True, more=None, **options):
    """Exports a block, compares it in onnxruntime, imports it and compares again, and exports what was imported."""
    path = str(tmp_path / "net.onnx")
    wanted = ours(net, inputs)
    types = [a.dtype for a in inputs]
    mx.onnx.export_model(net, None, [a.shape for a in inputs], types, path, **options)
    close(run(path, inputs), wanted)
    if more is not None:  # another size of the dynamic dimensions
        close(run(path, more), ours(net, more))
    if back:
        block = mx.onnx.import_to_gluon(path, mx.cpu())
        close(ours(block, inputs), wanted)
        if more is not None:
            close(ours(block, more), ours(net, more))
        second = str(tmp_path / "again.onnx")
        mx.onnx.export_model(block, None, [a.shape for a in inputs], types, second, **options)
        close(run(second, inputs), wanted)
    return onnx.load(path)


def initialized(net):
    net.initialize(mx.init.Xavier(magnitude=2.5))
    return net


def kinds(model):
    found = {}
    for node in model.graph.node:
        found[node.op_type] = found.get(node.op_type, 0) + 1
    return found


def with_statistics(net):
    """Running means and variances that are not 0 and 1."""
    random = np.random.RandomState(1)
    for name, param in net.collect_params().items():
        if name.endswith(("running_mean", "running_var")) and param._data is not None:
            param.set_data(mx.nd.array(random.uniform(0.5, 1.5, param.shape)))
    return net


# ---- model zoo -------------------------------------------------------------------------------------------------------

FAMILIES = ["alexnet", "densenet121", "mobilenet0.25", "mobilenetv2_0.25", "resnet18_v1", "resnet18_v2",
            "squeezenet1.1", "vgg11_bn"]  # fmt: skip


@pytest.mark.parametrize("name", FAMILIES)
def test_model_zoo(name, tmp_path):
    net = initialized(vision.get_model(name, classes=10))
    size = 64 if name.startswith(("mobile", "resnet", "vgg")) else 224
    inputs = arrays((1, 3, size, size))
    ours(net, inputs)
    # the large ones are not brought back, which takes its time
    check(with_statistics(net), inputs, tmp_path, back=name not in ("alexnet", "densenet121"))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(vision._MODELS))
def test_all_of_model_zoo(name, tmp_path):
    net = initialized(vision.get_model(name, classes=1000))
    size = 299 if name == "inceptionv3" else 224
    # one of each family comes back here or in test_model_zoo
    check(net, arrays((1, 3, size, size)), tmp_path, back=name in ("alexnet", "densenet121", "inceptionv3"))


@pytest.mark.parametrize("opset", OPSETS)
def test_resnet_is_as_clean_as_can_be(opset, tmp_path):
    net = initialized(vision.resnet50_v1())
    inputs = arrays((1, 3, 32, 32))
    model = check(net, inputs, tmp_path, back=False, opset_version=opset)
    assert kinds(model) == {
        "Conv": 53,
        "Relu": 49,
        "Add": 16,
        "MaxPool": 1,
        "GlobalAveragePool": 1,
        "Flatten": 1,
        "Gemm": 1,
    }
    assert [(o.domain, o.version) for o in model.opset_import] == [("", opset)]


def test_batch_norm_with_fixed_gamma_and_without_convolution(tmp_path):
    net = nn.HybridSequential()
    net.add(nn.BatchNorm(scale=False, in_channels=3), nn.Conv2D(4, 3, in_channels=3), nn.BatchNorm(scale=False))
    initialized(net)
    for name, param in net.collect_params().items():
        if name.endswith("gamma"):
            param.set_data(mx.nd.array([7.0] * param.shape[0]) if param.shape[0] > 0 else None) if param._data else None
    inputs = arrays((2, 3, 5, 5))
    ours(net, inputs)
    model = check(with_statistics(net), inputs, tmp_path)
    assert kinds(model) == {"BatchNormalization": 1, "Conv": 1}


def test_open_batch_and_size(tmp_path):
    net = initialized(vision.mobilenet0_25(classes=7))
    first, second = arrays((2, 3, 64, 64)), arrays((3, 3, 64, 64), seed=1)
    model = check(net, first, tmp_path, more=second, dynamic=True)
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"
    assert model.graph.output[0].type.tensor_type.shape.dim[0].dim_param == "batch"
    shapes = [("n", 3, "height", "width")]
    check(net, first, tmp_path, more=arrays((1, 3, 96, 128)), dynamic=True, dynamic_input_shapes=shapes)


# ---- recurrent -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layer", [rnn.LSTM, rnn.GRU, rnn.RNN], ids=["lstm", "gru", "rnn"])
@pytest.mark.parametrize("options", [{}, {"num_layers": 2, "bidirectional": True}, {"layout": "NTC"}], ids=str)
def test_fused_recurrent_layers(layer, options, tmp_path):
    net = initialized(layer(6, input_size=4, **options))
    check(net, arrays((5, 3, 4)), tmp_path)


def test_states_in_and_out(tmp_path):
    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.layer = rnn.LSTM(6, input_size=4)

        def hybrid_forward(self, F, x, h, c):
            out, (h, c) = self.layer(x, [h, c])
            return out, h, c

    check(initialized(Net()), arrays((5, 3, 4), (1, 3, 6), (1, 3, 6)), tmp_path)


@pytest.mark.parametrize("cell", [rnn.LSTMCell, rnn.GRUCell, rnn.RNNCell], ids=["lstm", "gru", "rnn"])
def test_cells(cell, tmp_path):
    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.cell = cell(6, input_size=4)

        def hybrid_forward(self, F, x):
            return self.cell.unroll(5, x, layout="NTC", merge_outputs=True)[0]

    check(initialized(Net()), arrays((3, 5, 4)), tmp_path)


def test_lstm_with_an_open_batch(tmp_path):
    net = initialized(rnn.LSTM(6, 2, input_size=4, layout="NTC"))
    check(net, arrays((3, 5, 4)), tmp_path, more=arrays((4, 5, 4), seed=1), dynamic=True)


# ---- attention -------------------------------------------------------------------------------------------------------


class Attention(gluon.HybridBlock):
    """Attention over heads, by the plain operators."""

    def __init__(self, units, heads):
        super().__init__()
        self.heads, self.units = heads, units
        with self.name_scope():
            self.query, self.key, self.value, self.out = (
                nn.Dense(units, flatten=False, in_units=units) for _ in range(4)
            )

    def split(self, F, x):
        return F.reshape(F.transpose(F.reshape(x, (0, 0, self.heads, -1)), (0, 2, 1, 3)), (-3, 0, 0))

    def hybrid_forward(self, F, x, memory, mask=None):
        q, k, v = self.split(F, self.query(x)), self.split(F, self.key(memory)), self.split(F, self.value(memory))
        scores = F.batch_dot(q, k, transpose_b=True) / (self.units // self.heads) ** 0.5
        weights = F.softmax(scores, axis=-1)
        mixed = F.reshape(F.batch_dot(weights, v), (-4, -1, self.heads, 0, 0))
        return self.out(F.reshape(F.transpose(mixed, (0, 2, 1, 3)), (0, 0, -3)))


class Layer(gluon.HybridBlock):
    def __init__(self, units, heads, decoder=False):
        super().__init__()
        with self.name_scope():
            self.attention = Attention(units, heads)
            self.cross = Attention(units, heads) if decoder else None
            self.norms = nn.HybridSequential()
            self.norms.add(*[nn.LayerNorm(in_channels=units) for _ in range(3)])
            self.up, self.down = (
                nn.Dense(4 * units, flatten=False, in_units=units),
                nn.Dense(units, flatten=False, in_units=4 * units),
            )
            self.gelu = nn.GELU()

    def hybrid_forward(self, F, x, memory=None):
        x = self.norms[0](x + self.attention(x, x))
        if self.cross is not None:
            x = self.norms[1](x + self.cross(x, memory))
        return self.norms[2](x + self.down(self.gelu(self.up(x))))


class Bert(gluon.HybridBlock):
    def __init__(self, units=16, heads=2, layers=2, words=50):
        super().__init__()
        with self.name_scope():
            self.words, self.kinds = nn.Embedding(words, units), nn.Embedding(2, units)
            self.places = self.params.get("places", shape=(32, units))
            self.norm = nn.LayerNorm(in_channels=units)
            self.layers = nn.HybridSequential()
            for _ in range(layers):
                self.layers.add(Layer(units, heads))
            self.pool = nn.Dense(units, activation="tanh", in_units=units, flatten=False)

    def hybrid_forward(self, F, tokens, segments, places):
        x = self.words(tokens) + self.kinds(segments)
        steps = F.contrib.arange_like(tokens, axis=1)
        x = F.broadcast_add(x, F.expand_dims(F.take(places, steps), axis=0))
        x = self.layers(self.norm(x))
        return x, self.pool(F.slice_axis(x, axis=1, begin=0, end=1).reshape((0, -1)))


def tokens(*shape, seed=0):
    random = np.random.RandomState(seed)
    return [random.randint(0, 50, shape).astype("float32"), random.randint(0, 2, shape).astype("float32")]


@pytest.mark.parametrize("opset", OPSETS)
def test_bert(opset, tmp_path):
    check(initialized(Bert()), tokens(2, 7), tmp_path, opset_version=opset)


def test_bert_with_open_batch_and_length(tmp_path):
    net = initialized(Bert())
    shapes = [("batch", "length"), ("batch", "length")]
    options = {"dynamic": True, "dynamic_input_shapes": shapes}
    check(net, tokens(2, 7), tmp_path, more=tokens(3, 9, seed=1), **options)


@pytest.mark.slow
def test_bert_base(tmp_path):
    check(initialized(Bert(768, 12, 12, 30522)), tokens(1, 32), tmp_path)


def test_transformer(tmp_path):
    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.encoder, self.decoder = Layer(16, 4), Layer(16, 4, decoder=True)

        def hybrid_forward(self, F, source, target):
            return self.decoder(target, self.encoder(source))

    check(initialized(Net()), arrays((2, 7, 16), (2, 5, 16)), tmp_path)


def test_interleaved_attention(tmp_path):
    x = mx.sym.var("x")
    scores = mx.sym.contrib.interleaved_matmul_selfatt_qk(x, heads=2)
    out = mx.sym.contrib.interleaved_matmul_selfatt_valatt(x, mx.sym.softmax(scores), heads=2)
    (data,) = arrays((5, 3, 24))
    path = mx.onnx.export_model(out, {}, [data.shape], np.float32, str(tmp_path / "a.onnx"))
    close(run(path, [data]), [out.eval(x=mx.nd.array(data))[0].asnumpy()])


# ---- detection -------------------------------------------------------------------------------------------------------


def test_ssd_head(tmp_path):
    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.classes, self.boxes = (
                    nn.Conv2D(4 * 4, 3, padding=1, in_channels=8),
                    nn.Conv2D(16, 3, padding=1, in_channels=8),
                )

        def hybrid_forward(self, F, x):
            anchors = F.contrib.MultiBoxPrior(x, sizes=(0.3, 0.4), ratios=(1, 2, 0.5))
            classes = F.softmax(F.reshape(F.transpose(self.classes(x), (0, 2, 3, 1)), (0, -1, 4)), axis=-1)
            boxes = F.flatten(F.transpose(self.boxes(x), (0, 2, 3, 1)))
            return F.contrib.MultiBoxDetection(F.transpose(classes, (0, 2, 1)), boxes, anchors, nms_topk=40)

    inputs = arrays((2, 8, 6, 6))
    check(initialized(Net()), inputs, tmp_path)


def test_yolo_head(tmp_path):
    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.conv = nn.Conv2D(2 * 8, 1, in_channels=8)
                grid = np.stack(np.meshgrid(np.arange(6), np.arange(6)), -1).reshape(1, 36, 1, 2)
                self.grid = self.params.get_constant("grid", grid.astype("float32"))
                self.anchors = self.params.get_constant(
                    "anchors", np.array([10, 13, 16, 30], "float32").reshape(1, 1, 2, 2)
                )

        def hybrid_forward(self, F, x, grid, anchors):
            pred = F.reshape(F.transpose(F.reshape(self.conv(x), (0, 16, -1)), (0, 2, 1)), (0, -1, 2, 8))
            centers = F.broadcast_add(F.sigmoid(F.slice_axis(pred, axis=-1, begin=0, end=2)), grid) * 8
            sizes = F.broadcast_mul(F.exp(F.slice_axis(pred, axis=-1, begin=2, end=4)), anchors)
            scores = F.sigmoid(F.slice_axis(pred, axis=-1, begin=4, end=5))
            classes = F.broadcast_mul(F.sigmoid(F.slice_axis(pred, axis=-1, begin=5, end=None)), scores)
            corners = F.concat(centers - sizes / 2, centers + sizes / 2, dim=-1)
            boxes = F.tile(F.expand_dims(corners, 0), reps=(3, 1, 1, 1, 1))
            classes = F.expand_dims(F.transpose(classes, (3, 0, 1, 2)), -1)
            ids = F.broadcast_add(classes * 0, F.arange(0, 3).reshape((0, 1, 1, 1, 1)))
            rows = F.reshape(F.transpose(F.concat(ids, classes, boxes, dim=-1), (1, 0, 2, 3, 4)), (0, -1, 6))
            return F.contrib.box_nms(
                rows, overlap_thresh=0.45, valid_thresh=0.01, topk=50, id_index=0, score_index=1, coord_start=2
            )

    check(initialized(Net()), arrays((2, 8, 6, 6)), tmp_path)


def test_suppression_with_an_open_batch(tmp_path):
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.contrib.box_nms(x, overlap_thresh=0.45, valid_thresh=0.1, topk=6, id_index=0, coord_start=2)

    def rows(count):
        (found,) = arrays((count, 9, 6), seed=count, low=0.0)
        found[:, :, 0] = found[:, :, 0].round()
        found[:, :, 4:] = found[:, :, 2:4] + 0.3
        return [found]

    options = {"dynamic": True, "dynamic_input_shapes": [(None, 9, 6)]}
    check(Net(), rows(2), tmp_path, more=rows(5), **options)


def test_segmentation_head(tmp_path):
    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.a, self.b = (
                    nn.Conv2D(4, 3, dilation=2, in_channels=3),
                    nn.Conv2DTranspose(5, 4, 2, 1, in_channels=4),
                )

        def hybrid_forward(self, F, x):
            y = self.b(self.a(x))
            y = F.concat(
                y,
                F.contrib.BilinearResize2D(F.contrib.AdaptiveAvgPooling2D(y, output_size=2), like=y, mode="like"),
                dim=1,
            )
            return F.UpSampling(F.contrib.BilinearResize2D(y, height=15, width=17), scale=2, sample_type="nearest")

    check(initialized(Net()), arrays((2, 3, 14, 14)), tmp_path)


# ---- control flow ----------------------------------------------------------------------------------------------------


def check_symbol(out, feeds, tmp_path, params=()):
    names = [n for n in out.list_inputs() if n not in params]
    path = str(tmp_path / "s.onnx")
    values = {n: mx.nd.array(v) for n, v in feeds.items()}
    constants = {n: values[n] for n in params}
    mx.onnx.export_model(out, constants, [feeds[n].shape for n in names], np.float32, path)
    wanted = [o.asnumpy() for o in out.bind(mx.cpu(), values).forward()]
    feeds = {n: v for n, v in feeds.items() if n not in params}
    close(session(path).run(None, feeds), wanted)
    symbol, args, aux = mx.onnx.import_model(path)
    close([o.asnumpy() for o in symbol.bind(mx.cpu(), {**values, **args}, aux_states=aux).forward()], wanted)
    return path


def test_foreach(tmp_path):
    w = mx.sym.var("w")

    def body(x, state):
        state = mx.sym.tanh(mx.sym.FullyConnected(x, w, no_bias=True, num_hidden=3) + state)
        return [state * 2, x], state

    outputs, state = mx.sym.contrib.foreach(body, mx.sym.var("x"), mx.sym.var("s"))
    x, s, w_ = arrays((4, 2, 5), (2, 3), (3, 5))
    check_symbol(mx.sym.Group([*outputs, state]), {"x": x, "s": s, "w": w_}, tmp_path, params=["w"])


def test_while_loop(tmp_path):
    outputs, last = mx.sym.contrib.while_loop(
        lambda i, s: i <= 4,
        lambda i, s: ([mx.sym.broadcast_add(s, i)], [i + 1, s * 2]),
        [mx.sym.var("i"), mx.sym.var("s")],
        max_iterations=7,
    )
    out = mx.sym.Group([*outputs, *last])
    feeds = {"i": np.ones(1, "float32"), "s": arrays((2, 3))[0]}
    path = str(tmp_path / "loop.onnx")
    mx.onnx.export_model(out, {}, [feeds[n].shape for n in out.list_inputs()], np.float32, path)
    wanted = [o.asnumpy() for o in out.bind(mx.cpu(), {n: mx.nd.array(v) for n, v in feeds.items()}).forward()]
    close(session(path).run(None, feeds), wanted)
    with pytest.raises(NotImplementedError, match="whose number is not fixed"):
        mx.onnx.import_model(path)


def test_while_loop_without_outputs_comes_back(tmp_path):
    _, last = mx.sym.contrib.while_loop(
        lambda i, s: i <= 4, lambda i, s: ([], [i + 1, s * 2]), [mx.sym.var("i"), mx.sym.var("s")], max_iterations=7
    )
    check_symbol(mx.sym.Group(last), {"i": np.ones(1, "float32"), "s": arrays((2, 3))[0]}, tmp_path)


@pytest.mark.parametrize("value", [1.0, -1.0])
def test_cond(value, tmp_path):
    x, p = mx.sym.var("x"), mx.sym.var("p")
    out = mx.sym.contrib.cond(p > 0, lambda: x * 2, lambda: mx.sym.exp(x))
    check_symbol(out, {"p": np.full(1, value, "float32"), "x": arrays((2, 3))[0]}, tmp_path)


# ---- what users give -------------------------------------------------------------------------------------------------


def small_network():
    data = mx.sym.var("data")
    net = mx.sym.FullyConnected(data, num_hidden=4, name="fc1")
    net = mx.sym.SoftmaxOutput(mx.sym.Activation(net, act_type="relu"), name="softmax")
    random = np.random.RandomState(0)
    args = {"fc1_weight": mx.nd.array(random.randn(4, 3)), "fc1_bias": mx.nd.array(random.randn(4))}
    return net, args


def test_symbols_and_params_in_every_form(tmp_path):
    net, args = small_network()
    (data,) = arrays((2, 3))
    wanted = None
    prefix = str(tmp_path / "model")
    mx.model.save_checkpoint(prefix, 0, net, args, {})
    prefixed = {f"arg:{k}": v for k, v in args.items()}
    forms = [(net, args), (net, prefixed), (net, [args, {}]), (f"{prefix}-symbol.json", f"{prefix}-0000.params"),
             (net, f"{prefix}-0000.params")]  # fmt: skip
    for number, (sym, params) in enumerate(forms):
        path = str(tmp_path / f"{number}.onnx")
        assert mx.onnx.export_model(sym, params, [(2, 3)], np.float32, path) == path
        found = session(path).run(None, {"data": data})
        wanted = wanted or found
        close(found, wanted)
    # the names of older programs, labels with a shape, types by name and in lists
    for options in (
        {"input_shape": [(2, 3)], "input_type": np.float32},
        {"input_shape": [(2, 3), (2,)], "input_type": ["float32", "float32"]},
        {"in_shapes": [(2, 3)], "in_types": [np.dtype("float32")]},
    ):
        path = mx.contrib.onnx.export_model(net, args, onnx_file_path=str(tmp_path / "o.onnx"), **options)
        close(session(path).run(None, {"data": data}), wanted)


def test_exported_blocks_and_half_precision(tmp_path):
    net = nn.HybridSequential()
    net.add(nn.Dense(4, in_units=3, activation="relu"), nn.Dropout(0.5))
    initialized(net).hybridize()
    inputs = arrays((2, 3))
    wanted = ours(net, inputs)
    net.export(str(tmp_path / "net"))
    path = str(tmp_path / "net.onnx")
    mx.onnx.export_model(
        str(tmp_path / "net-symbol.json"), str(tmp_path / "net-0000.params"), [(2, 3)], np.float32, path
    )
    close(run(path, inputs), wanted)
    assert kinds(onnx.load(path)) == {"Gemm": 1, "Relu": 1}
    net.cast("float16")
    half = [inputs[0].astype("float16")]
    model = check(net, half, tmp_path)
    assert {t.data_type for t in model.graph.initializer} == {onnx.TensorProto.FLOAT16}


def test_half_precision_before_the_first_call(tmp_path):
    net = nn.Dense(3)
    net.cast("float16")
    net.initialize()
    half = [a.astype("float16") for a in arrays((2, 4))]
    path = mx.onnx.export_model(net, None, [(2, 4)], np.float16, str(tmp_path / "h.onnx"))
    close(run(path, half), ours(net, half), 1e-2)


def test_shape_inference_and_metadata(tmp_path):
    net, args = small_network()
    path = mx.onnx.export_model(net, args, [(2, 3)], np.float32, str(tmp_path / "m.onnx"), run_shape_inference=True)
    assert len(onnx.load(path).graph.value_info) == 2
    assert mx.onnx.get_model_metadata(path) == {
        "input_tensor_data": [("data", (2, 3))],
        "output_tensor_data": [("softmax", (2, 4))],
    }
    assert mx.contrib.onnx.get_model_metadata(path) == mx.onnx.get_model_metadata(path)


def test_all_operators_without_converter_are_listed(tmp_path):
    x = mx.sym.var("x")
    out = mx.sym.Group([mx.sym.erfinv(x, name="first"), mx.sym.gammaln(x, name="second"), mx.sym.exp(x)])
    with pytest.raises(mx.MXNetError, match=r"(?s)first \(erfinv\).*second \(gammaln\)"):
        mx.onnx.export_model(out, {}, [(2,)], np.float32, str(tmp_path / "m.onnx"))
    assert not os.path.exists(tmp_path / "m.onnx")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"in_shapes": None}, "in_shapes must be given"),
        ({"in_shapes": [(2, 3), (4,), (5,)]}, "3 shape"),
        ({"in_types": ["float32", "int32", "int8"]}, "3 types"),
        ({"opset_version": 12}, "opset_version must be from 13"),
        ({"params": {}}, "params lacks them"),
        ({"params": {"fc1_weight": 3}}, "must be an NDArray"),
        ({"sym": 3}, "must be a Symbol"),
        ({"in_shapes": [(None, 3)]}, "dynamic=True"),
        ({"dynamic": True, "dynamic_input_shapes": [("n",)]}, "do not fit"),
    ],
)
def test_errors_say_what_is_wrong(options, text, tmp_path):
    net, args = small_network()
    given = {"sym": net, "params": args, "in_shapes": [(2, 3)], "onnx_file_path": str(tmp_path / "m.onnx"), **options}
    with pytest.raises(mx.MXNetError, match=text):
        mx.onnx.export_model(**given)


def test_importing_mxnet_does_not_import_onnx():
    program = (
        "import mxnet as mx, sys; mx.onnx.export_model; mx.contrib.onnx.import_model; print('onnx' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_without_onnx_the_error_says_what_to_install():
    program = (
        "import sys; sys.modules['onnx'] = None\nimport mxnet as mx\n"
        "try: mx.onnx.import_model('x.onnx')\nexcept ImportError as error: print(error)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "pip install onnx" in found.stdout
