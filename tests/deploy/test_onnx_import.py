"""Import of ONNX models: what other exporters write, tensors of every type, hostile files."""

import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from paths import GOLDEN, ROOT, TESTS

import mxnet as mx

onnx = pytest.importorskip("onnx")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from onnx_fuzz import I64, F, info, model, seeds  # noqa: E402

node = helper.make_node
OPERATORS = GOLDEN / "onnx_operators.txt"
FUZZ = TESTS / "security" / "onnx_fuzz.py"


def evaluate(proto, **feeds):
    """What the imported model gives, and what onnx's reference does."""
    from onnx.reference import ReferenceEvaluator

    symbol, args, aux = mx.onnx.import_model(proto)
    arrays = {k: mx.nd.array(v, dtype=v.dtype).reshape(v.shape or (1,)) for k, v in feeds.items()}
    found = symbol.bind(mx.cpu(), {**arrays, **args}, grad_req="null", aux_states=aux).forward(is_train=False)
    return [f.asnumpy() for f in found], ReferenceEvaluator(proto).run(None, feeds)


def same(proto, **feeds):
    for found, wanted in zip(*evaluate(proto, **feeds), strict=True):
        np.testing.assert_allclose(found.reshape(np.shape(wanted)), wanted, rtol=1e-4, atol=1e-5)


def floats(*shape, seed=0):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype("float32")


# ---- what other exporters write --------------------------------------------------------------------------------------


def computed_reshape():
    """How torch writes x.view(x.size(0), -1) with an open batch."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "zero"], ["n"]),
        node("Unsqueeze", ["n", "axes"], ["u"]),
        node("Concat", ["u", "rest"], ["t"], axis=0),
        node("Reshape", ["x", "t"], ["y"]),
    ]
    constants = [("zero", np.int64(0)), ("axes", np.array([0])), ("rest", np.array([-1]))]
    return model(nodes, [info("x", F, ["n", 2, 3])], [info("y", F, ["n", 6])], constants)


def test_computed_shapes_stay_open():
    symbol, args, _ = mx.onnx.import_model(computed_reshape())
    assert not args and symbol.list_inputs() == ["x"]
    for batch in (1, 5):
        assert symbol.infer_shape(x=(batch, 2, 3))[1] == [(batch, 6)]
        same(computed_reshape(), x=floats(batch, 2, 3))


def test_ranges_and_sizes_stay_open():
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "zero"], ["n"]),
        node("Range", ["zero", "n", "one"], ["r"]),
        node("Mul", ["r", "r"], ["q"]),
        node("Unsqueeze", ["q", "axes"], ["u"]),
        node("Cast", ["u"], ["c"], to=F),
        node("Cast", ["n"], ["count"], to=F),
        node("Add", ["x", "c"], ["more"]),
        node("Div", ["more", "count"], ["y"]),
    ]
    constants = [("zero", np.int64(0)), ("one", np.int64(1)), ("axes", np.array([1]))]
    proto = model(nodes, [info("x", F, ["n", 3])], [info("y", F, ["n", 3])], constants)
    for batch in (1, 5):
        same(proto, x=floats(batch, 3))


def test_open_dimensions_can_be_fixed():
    nodes = [node("EyeLike", ["x"], ["e"]), node("Add", ["x", "e"], ["y"])]
    proto = model(nodes, [info("x", F, ["n", 3])], [info("y", F, ["n", 3])])
    with pytest.raises(mx.MXNetError, match="input_shapes="):
        mx.onnx.import_model(proto)
    symbol, args, _ = mx.onnx.import_model(proto, input_shapes={"x": (4, 3)})
    assert args and symbol.infer_shape(x=(4, 3))[1] == [(4, 3)]
    with pytest.raises(mx.MXNetError, match="there is no input 'z'"):
        mx.onnx.import_model(proto, input_shapes={"z": (4, 3)})


@pytest.mark.parametrize("number", range(6))
def test_models_of_many_kinds(number):
    proto = list(seeds())[number]
    feeds = {}
    for i in proto.graph.input:
        shape = [d.dim_value or 3 for d in i.type.tensor_type.shape.dim]
        feeds[i.name] = floats(*shape)
    same(proto, **feeds)


@pytest.mark.parametrize("value", [1.0, -1.0])
def test_if_runs_one_branch(value):
    same(list(seeds())[2], x=np.full(2, value, "float32"))


def test_loop_until_a_condition():
    body = helper.make_graph(
        [node("Mul", ["v", "two"], ["vo"]), node("ReduceMax", ["vo"], ["m"], keepdims=0),
         node("Less", ["m", "limit"], ["go2"])],
        "body",
        [info("i", I64, []), info("go", TensorProto.BOOL, []), info("v", F, [3])],
        [info("go2", TensorProto.BOOL, []), info("vo", F, [3])],
    )  # fmt: skip
    proto = model(
        [node("Loop", ["", "go0", "x"], ["y"], body=body)], [info("x", F, [3])], [info("y", F, [3])],
        [("two", np.float32(2)), ("limit", np.float32(50)), ("go0", np.bool_(True))],
    )  # fmt: skip
    same(proto, x=np.array([1, 2, 3], "float32"))


def test_the_first_of_equal_elements_comes_first():
    nodes = [node("TopK", ["x", "k"], ["v", "i"])]
    proto = model(nodes, [info("x", F, [2, 1000])], [info("v", F, None), info("i", I64, None)], [("k", np.array([5]))])
    same(proto, x=np.ones((2, 1000), "float32"))


def suppression(**options):
    nodes = [
        node("NonMaxSuppression", ["b", "s", *options.pop("given", ())], ["k"], **options),
        node("Gather", ["k", "last"], ["i"], axis=1),
        node("Add", ["i", "one"], ["y"]),
    ]
    constants = [("most", np.int64(3)), ("overlap", np.float32(0.4)), ("least", np.float32(0.2)),
                 ("last", np.array([2])), ("one", np.array([1]))]  # fmt: skip
    inputs = [info("b", F, ["n", 9, 4]), info("s", F, ["n", 2, 9])]
    return model(nodes, inputs, [info("k", I64, None), info("y", I64, None)], constants)


@pytest.mark.parametrize("center", [0, 1])
@pytest.mark.parametrize("given", [("most", "overlap", "least"), ("most", "overlap"), ("most",)])
def test_suppression_gives_as_many_rows_as_stay(given, center):
    runtime = pytest.importorskip("onnxruntime")  # onnx's reference wants all inputs
    proto = suppression(given=given, center_point_box=center)
    session = runtime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    block = mx.onnx.import_to_gluon(proto)
    for images in (1, 3):
        feeds = [floats(images, 9, 4, seed=images) + 1, floats(images, 2, 9, seed=5)]
        wanted = session.run(None, dict(zip("bs", feeds, strict=True)))
        for found, want in zip(block(*map(mx.nd.array, feeds)), wanted, strict=True):
            np.testing.assert_array_equal(found.asnumpy(), want)


def test_suppression_of_everything():
    symbol, args, _ = mx.onnx.import_model(suppression(given=("most", "overlap", "least")))
    given = {"b": mx.nd.ones((2, 9, 4)), "s": mx.nd.zeros((2, 2, 9)), **args}
    assert [o.shape for o in symbol.bind(mx.cpu(), given).forward()] == [(0, 3), (0, 1)]


def test_places_and_rows_that_numbers_choose():
    nodes = [
        node("Greater", ["x", "zero"], ["m"]),
        node("NonZero", ["m"], ["p"]),
        node("Transpose", ["p"], ["t"]),
        node("GatherND", ["x", "t"], ["v"]),
        node("Shape", ["v"], ["count"]),
        node("Expand", ["one", "count"], ["ones"]),
        node("Add", ["v", "ones"], ["y"]),
        node("ReduceMax", ["x"], ["top"], axes=[1], keepdims=0),
        node("Greater", ["top", "half"], ["rows"]),
        node("Compress", ["x", "rows"], ["z"], axis=0),
    ]
    constants = [("zero", np.float32(0)), ("half", np.float32(0.5)), ("one", np.ones(1, "f"))]
    outputs = [info("p", I64, None), info("y", F, None), info("z", F, None)]
    proto = model(nodes, [info("x", F, ["n", 3])], outputs, constants)
    for batch in (4, 7):
        same(proto, x=floats(batch, 3))


def test_sequences_inside_of_a_model():
    nodes = [
        node("SplitToSequence", ["x", "sizes"], ["q"], axis=1),
        node("SequenceLength", ["q"], ["n"]),
        node("SequenceAt", ["q", "zero"], ["first"]),
        node("SequenceErase", ["q", "zero"], ["rest"]),
        node("SequenceInsert", ["rest", "first"], ["turned"]),
        node("ConcatFromSequence", ["turned"], ["y"], axis=1),
        node("SplitToSequence", ["x"], ["rows"], axis=0, keepdims=0),
        node("ConcatFromSequence", ["rows"], ["z"], axis=1, new_axis=1),
    ]
    outputs = [info("y", F, None), info("z", F, None), info("n", I64, [])]
    constants = [("sizes", np.array([1, 2])), ("zero", np.int64(0))]
    same(model(nodes, [info("x", F, [2, 3])], outputs, constants), x=floats(2, 3))


def test_a_mask_of_open_size_is_computed_when_the_model_runs():
    """What transformers have: positions from a table, and nobody looks ahead."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "axis"], ["n"]),
        node("Squeeze", ["n"], ["k"]),
        node("Range", ["zero", "k", "one"], ["r"]),
        node("Gather", ["table", "r"], ["places"]),
        node("Unsqueeze", ["r", "axis"], ["column"]),
        node("Unsqueeze", ["r", "first"], ["row"]),
        node("LessOrEqual", ["row", "column"], ["seen"]),
        node("Where", ["seen", "none", "low"], ["mask"]),
        node("Add", ["x", "places"], ["y"]),
        node("Transpose", ["y"], ["t"], perm=[0, 2, 1]),
        node("MatMul", ["y", "t"], ["scores"]),
        node("Add", ["scores", "mask"], ["m"]),
        node("Softmax", ["m"], ["o"], axis=-1),
    ]
    constants = [("axis", np.array([1])), ("first", np.array([0])), ("zero", np.int64(0)), ("one", np.int64(1)),
                 ("table", floats(40, 4)), ("none", np.float32(0)), ("low", np.float32(-1e9))]  # fmt: skip
    proto = model(nodes, [info("x", F, ["b", "n", 4])], [info("o", F, None)], constants)
    for batch, length in ((1, 1), (2, 5), (3, 40)):
        same(proto, x=floats(batch, length, 4))


def test_infinite_numbers_are_not_multiplied_away():
    """A mask of minus infinity above the diagonal, as attention has it, constant and computed."""
    below = np.full((3, 3), -np.inf, "float32")
    constants = [("m", below), ("one", np.int64(1))]
    nodes = [node("Trilu", ["m", "one"], ["t"]), node("Trilu", ["x", "one"], ["u"]), node("Add", ["t", "u"], ["y"])]
    same(model(nodes, [info("x", F, [3, 3])], [info("y", F, [3, 3])], constants), x=below)


def test_scan():
    body = helper.make_graph(
        [node("Add", ["s", "x"], ["so"]), node("Mul", ["so", "x"], ["y"])], "body",
        [info("s", F, [2]), info("x", F, [2])], [info("so", F, [2]), info("y", F, [2])],
    )  # fmt: skip
    proto = model(
        [node("Scan", ["s0", "xs"], ["last", "all"], body=body, num_scan_inputs=1)],
        [info("s0", F, [2]), info("xs", F, [4, 2])], [info("last", F, [2]), info("all", F, [4, 2])],
    )  # fmt: skip
    same(proto, s0=floats(2), xs=floats(4, 2))


class Vision(torch.nn.Module):
    """A small vision transformer."""

    def __init__(self):
        super().__init__()
        self.patches, self.attention = (
            torch.nn.Conv2d(3, 16, 4, 4),
            torch.nn.MultiheadAttention(16, 4, batch_first=True),
        )
        self.token, self.places = torch.nn.Parameter(torch.randn(1, 1, 16)), torch.nn.Parameter(torch.randn(1, 17, 16))
        self.norm, self.head = torch.nn.LayerNorm(16), torch.nn.Linear(16, 5)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.places
        x = x + self.attention(x, x, x, need_weights=False)[0]
        return self.head(torch.nn.functional.gelu(self.norm(x))[:, 0])


class Language(torch.nn.Module):
    """Attention that sees the past only, with shapes computed from the input."""

    def __init__(self):
        super().__init__()
        self.words, self.parts, self.out = torch.nn.Embedding(20, 16), torch.nn.Linear(16, 48), torch.nn.Linear(16, 20)

    def forward(self, words):
        batch, length = words.shape
        q, k, v = self.parts(self.words(words)).view(batch, length, 3, 4, 4).permute(2, 0, 3, 1, 4).unbind(0)
        past = torch.tril(torch.ones(length, length, dtype=torch.bool))
        weights = ((q @ k.transpose(-2, -1)) / 2).masked_fill(~past, float("-inf")).softmax(-1)
        return self.out((weights @ v).transpose(1, 2).reshape(batch, length, 16))


class Recurrent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.LSTM(4, 6, 2, bidirectional=True, batch_first=True)

    def forward(self, x):
        return self.layer(x)[0]


class Segmentation(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.norm = torch.nn.Conv2d(3, 4, 3, 2, 1), torch.nn.BatchNorm2d(4)
        self.up, self.out = torch.nn.ConvTranspose2d(4, 4, 2, 2), torch.nn.Conv2d(7, 2, 1)

    def forward(self, x):
        y = self.up(torch.nn.functional.hardswish(self.norm(self.down(x))))
        y = torch.nn.functional.interpolate(y, scale_factor=2, mode="bilinear", align_corners=False)
        return self.out(torch.cat([x, torch.nn.functional.avg_pool2d(y, 2)], 1)).softmax(1)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("is_open", [False, True], ids=["fixed", "open"])
@pytest.mark.parametrize("kind", [Vision, Language, Recurrent, Segmentation], ids=lambda kind: kind.__name__)
def test_what_torch_exports(kind, is_open, tmp_path):
    torch.manual_seed(0)
    net, path = kind().eval(), str(tmp_path / "t.onnx")
    shapes = {Language: (2, 5), Recurrent: (2, 5, 4)}

    def example(batch):
        shape = (batch, *shapes.get(kind, (2, 3, 16, 16))[1:])
        return torch.randint(0, 20, shape) if kind is Language else torch.randn(shape)

    axes = {"x": {0: "batch"}} if is_open else None
    torch.onnx.export(net, (example(2),), path, opset_version=17, dynamo=False, input_names=["x"], dynamic_axes=axes)
    block = mx.onnx.import_to_gluon(path)
    for batch in (2, 3) if is_open else (2,):
        x = example(batch)
        found = block(mx.nd.array(x.numpy(), dtype=x.numpy().dtype)).asnumpy()
        np.testing.assert_allclose(found, net(x).detach().numpy(), rtol=1e-4, atol=1e-5)


def with_function():
    """A model that defines an operator."""
    function = helper.make_function(
        "own", "twice", ["a"], ["b"], [node("Add", ["a", "a"], ["b"])], [helper.make_opsetid("", 17)]
    )
    graph = helper.make_graph(
        [node("twice", ["x"], ["y"], domain="own")], "g", [info("x", F, [2])], [info("y", F, [2])]
    )
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    return helper.make_model(graph, functions=[function], opset_imports=imports, ir_version=8)


def test_functions_of_the_model():
    same(with_function(), x=floats(2))


def test_training_goes_on_after_import():
    block = mx.onnx.import_to_gluon(next(seeds()), mx.cpu())
    trainer = mx.gluon.Trainer(block.collect_params(), "sgd", {"learning_rate": 1e-5})
    x, losses = mx.nd.array(floats(4, 3, 8, 8)), []
    for _ in range(3):
        with mx.autograd.record():
            loss = (block(x) ** 2).mean()
        loss.backward()
        trainer.step(1)
        losses.append(loss.asscalar())
    assert losses[2] < losses[0]


def test_the_operators_of_the_original_are_there():
    from mxnet.onnx.onnx2mx.graph import imported_operators

    listed = OPERATORS.read_text().partition("import: ")[2].split()
    assert len(listed) == 97
    assert set(listed) <= set(imported_operators())


# ---- tensors ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", [True, False], ids=["raw", "fields"])
@pytest.mark.parametrize(
    "kind", ["float16", "bfloat16", "int8", "uint8", "int32", "int64", "float64", "bool", "uint32"]
)
def test_tensors_of_every_type(kind, raw):
    import ml_dtypes

    dtype = ml_dtypes.bfloat16 if kind == "bfloat16" else np.dtype(kind)
    values = np.array([[0, 1, 2], [3, 1, 100]]).astype(dtype)
    code = helper.np_dtype_to_tensor_dtype(values.dtype)
    if raw:
        stored = numpy_helper.from_array(values, "w")
    else:
        stored = helper.make_tensor("w", code, values.shape, values.astype("float32").ravel().tolist())
    graph = helper.make_graph([node("Cast", ["w"], ["f"], to=F), node("Mul", ["x", "f"], ["y"])], "g",
                              [info("x", F, [2, 3])], [info("y", F, [2, 3])], [stored])  # fmt: skip
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    x = floats(2, 3)
    symbol, args, _ = mx.onnx.import_model(proto)
    (found,) = symbol.bind(mx.cpu(), {"x": mx.nd.array(x), **args}).forward()
    np.testing.assert_allclose(found.asnumpy(), x * values.astype("float32"), rtol=1e-6)


def test_eight_bit_weights():
    nodes = [node("DequantizeLinear", ["w", "scale", "zero"], ["f"], axis=0), node("MatMul", ["x", "f"], ["y"])]
    constants = [("w", np.arange(-6, 6, dtype="int8").reshape(3, 4)), ("scale", np.array([0.1, 0.2, 0.3], "f")),
                 ("zero", np.array([1, 0, -1], "int8"))]  # fmt: skip
    same(model(nodes, [info("x", F, [2, 3])], [info("y", F, [2, 4])], constants, opset=21), x=floats(2, 3))


def with_external(tmp_path, location, data=b"\0\0\x80?" * 6, **entries):
    tensor = TensorProto(name="w", data_type=F, dims=[2, 3], data_location=TensorProto.EXTERNAL)
    for key, value in {"location": location, **entries}.items():
        tensor.external_data.add(key=key, value=str(value))
    graph = helper.make_graph(
        [node("Mul", ["x", "w"], ["y"])], "g", [info("x", F, [2, 3])], [info("y", F, [2, 3])], [tensor]
    )
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    folder = tmp_path / "model"
    folder.mkdir(exist_ok=True)
    (folder / "w.bin").write_bytes(data)
    (tmp_path / "secret.bin").write_bytes(data)
    path = folder / "m.onnx"
    path.write_bytes(proto.SerializeToString())
    return str(path)


def test_external_data(tmp_path):
    _, args, _ = mx.onnx.import_model(with_external(tmp_path, "w.bin"))
    np.testing.assert_array_equal(args["w"].asnumpy(), np.ones((2, 3)))
    _, args, _ = mx.onnx.import_model(with_external(tmp_path, "w.bin", b"xx" + b"\0\0\0@" * 6, offset=2, length=24))
    np.testing.assert_array_equal(args["w"].asnumpy(), np.full((2, 3), 2))


@pytest.mark.parametrize(
    ("location", "entries", "text"),
    [
        ("nothing.bin", {}, "no such file"),
        ("../secret.bin", {}, "outside of the model's folder"),
        ("sub/../../secret.bin", {}, "outside of the model's folder"),
        ("link.bin", {}, "outside of the model's folder"),
        ("/etc/passwd", {}, "not a file beside the model"),
        ("", {}, "not a file beside the model"),
        ("w.bin", {"offset": 8}, "needs 24 bytes, there are 16"),
        ("w.bin", {"offset": 1 << 40}, "has 24 bytes"),
        ("w.bin", {"length": 1 << 50}, "has 24 bytes"),
        ("w.bin", {"length": "much"}, "must be numbers"),
    ],
)
def test_external_data_that_is_not_to_be_read(location, entries, text, tmp_path):
    path = with_external(tmp_path, location, **entries)
    os.symlink(tmp_path / "secret.bin", tmp_path / "model" / "link.bin")
    with pytest.raises(mx.MXNetError, match=text):
        mx.onnx.import_model(path)


# ---- files that are wrong --------------------------------------------------------------------------------------------


def test_files_that_are_no_models(tmp_path):
    path = tmp_path / "m.onnx"
    for content in (b"", b"\0" * 100, b"not a model at all", os.urandom(1000)):
        path.write_bytes(content)
        for function in (mx.onnx.import_model, mx.onnx.get_model_metadata, mx.onnx.import_to_gluon):
            with pytest.raises(mx.MXNetError, match=r"ONNX|opset|graph"):
                function(str(path))
    with pytest.raises(FileNotFoundError):
        mx.onnx.import_model(str(tmp_path / "missing.onnx"))


def broken(change):
    proto = onnx.ModelProto()
    proto.CopyFrom(next(seeds()))
    change(proto)
    return proto


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda m: setattr(m.opset_import[0], "version", 999), "opset 999"),
        (lambda m: m.ClearField("opset_import"), "does not say for which opset"),
        (lambda m: setattr(m.graph.node[1], "op_type", "Nonsense"), "no converter for the operators Nonsense"),
        (lambda m: setattr(m.graph.node[1], "domain", "com.example"), "Relu of com.example"),
        (lambda m: m.graph.node[0].input.__setitem__(0, "nowhere"), "input 'nowhere' does not exist"),
        (lambda m: setattr(m.graph.output[0], "name", "nowhere"), "nothing makes the output 'nowhere'"),
        (lambda m: m.graph.initializer[0].dims.__setitem__(0, 1 << 40), "needs .* bytes, there are"),
        (lambda m: m.graph.initializer[0].dims.__setitem__(0, -4), "has the shape"),
        (lambda m: setattr(m.graph.initializer[0], "data_type", TensorProto.STRING), "is string"),
        (lambda m: m.graph.node[0].attribute[0].ints.__setitem__(0, 0), "Conv"),
        (lambda m: m.graph.node[2].attribute[0].ints.append(2), "MaxPool"),
    ],
)
def test_errors_name_the_node_and_the_reason(change, text):
    with pytest.raises(mx.MXNetError, match=text):
        mx.onnx.import_model(broken(change))


@pytest.mark.parametrize("op", ["ConstantOfShape", "Expand", "Tile", "Range", "Pad"])
def test_nothing_large_is_made_for_a_lie(op):
    large = np.array([1 << 40, 1 << 20])
    nodes = {
        "ConstantOfShape": node("ConstantOfShape", ["large"], ["y"]),
        "Expand": node("Expand", ["c", "large"], ["y"]),
        "Tile": node("Tile", ["c", "large"], ["y"]),
        "Range": node("Range", ["zero", "end", "one"], ["y"]),
        "Pad": node("Pad", ["c", "pads"], ["y"]),
    }
    constants = [("large", large), ("c", floats(1, 1)), ("zero", np.int64(0)), ("end", np.int64(1 << 50)),
                 ("one", np.int64(1)), ("pads", np.array([1 << 40, 0, 0, 0]))]  # fmt: skip
    with pytest.raises(mx.MXNetError, match=op):
        mx.onnx.import_model(model([nodes[op]], [info("x", F, [1])], [info("y", F, None)], constants))


def test_large_arrays_of_running_models():
    """Regions of interest with all their features have more elements than an import may compute."""
    nodes = [node("Where", ["c", "x", "none"], ["y"]), node("Where", ["c", "all", "none"], ["z"])]
    shape = [300, 1024, 14, 14]
    inputs = [info("x", F, shape), info("c", TensorProto.BOOL, [300, 1, 1, 1])]
    constants = [("none", np.float32(0)), ("all", np.ones((1, 1024, 14, 14), np.float32))]
    proto = model(nodes, inputs, [info("y", F, shape), info("z", F, shape)], constants)
    symbol, args, _ = mx.onnx.import_model(proto)
    assert max(array.size for array in args.values()) == 1024 * 14 * 14
    assert symbol.infer_shape(x=tuple(shape), c=(300, 1, 1, 1))[1] == [tuple(shape)] * 2


def fuzz(count, seed):
    """In a process of its own, so that a crash is seen as one."""
    command = [sys.executable, str(FUZZ), str(count), str(seed)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, f"{done.returncode}: {done.stdout} {done.stderr[-2000:]}"
    good, refused, grown = map(int, done.stdout.split())
    assert good + refused == count
    assert good and refused
    assert grown < 1000, f"{grown} MB were taken for files of a few kilobytes"


def test_damaged_files_are_read_or_refused():
    fuzz(300, 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 5))
def test_ten_thousand_damaged_files(seed):
    fuzz(2500, seed)


def reshaped(target, shape=(2, 3, 4)):
    """A model with a fixed batch size, and a Reshape to ``target``."""
    constant = numpy_helper.from_array(np.array(target, "int64"), "shape")
    nodes = [node("Reshape", ["x", "shape"], ["y"])]
    graph = helper.make_graph(nodes, "g", [info("x", F, shape)], [info("y", F, None)], [constant])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.parametrize(
    ("target", "batches_of_5"),
    [([0, -1], (5, 12)), ([-1, 4], (15, 4)), ([0, 0, 2, -1], (5, 3, 2, 2)), ([-1], (60,)), ([2, 12], (5, 12))],
)
def test_reshapes_hold_for_other_batch_sizes(target, batches_of_5):
    symbol, arguments, states = mx.onnx.import_model(reshaped(target))
    assert not arguments and not states
    if -1 in target:
        assert symbol.attr_dict()[symbol.name]["shape"] == str(tuple(target))
    same(reshaped(target), x=floats(2, 3, 4))
    assert symbol.infer_shape(x=(5, 3, 4))[1] == [batches_of_5]


def test_old_onnx_reads_what_has_no_functions(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx.inliner", None)
    monkeypatch.delattr(onnx, "inliner", raising=False)
    mx.onnx.import_model(reshaped([0, -1]))
    with pytest.raises(ImportError, match=r"functions in a model \(twice\) need onnx.inliner, which onnx"):
        mx.onnx.import_model(with_function())
