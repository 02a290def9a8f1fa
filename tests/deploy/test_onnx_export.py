"""Export to ONNX: every operator by its samples, run by onnxruntime against ours."""

import fnmatch
import random

import numpy as np
import pytest
import samples
from paths import GOLDEN
from samples.common import find_function

import mxnet as mx
from mxnet.ops import registry

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

RANDOM = {"_random_uniform", "_random_normal", "_random_uniform_like", "_random_normal_like", "_sample_multinomial"}
CONVERTED = set(mx.onnx.get_operator_support())
CASES = [
    pytest.param(s, id=f"{f}-{n}")
    for f in samples.families()
    for n, s in samples.load(f)
    if not s.error and not s.train and registry.get(s.op).name in CONVERTED
]


#: The oldest opset that has an operator for them.
NEEDS = {"col2im": 18, "_contrib_ModulatedDeformableConvolution": 19}
REFUSED = {
    "quantization-_contrib_quantize-*": "the range is an input of the model",
    "quantization-_contrib_dequantize-*": "the range is an input of the model",
    "quantization-_contrib_requantize-*": "sums of 32 bits are an input of the model",
    "quantization-_contrib_quantized_*": "ranges are inputs of the model",
    "quantization-_contrib_quantize_v2-[012]": "it is not calibrated",
    "quantization-_contrib_quantize_v2-1[3-9]": "it is not calibrated, or takes integers",
    "normalization-BatchNorm-21": "output_mean_var",
    "normalization-LayerNorm-[45]": "output_mean_var",
    "normalization-GroupNorm-3": "output_mean_var",
    "rnn-RNN-2[45]": "projection_size",
    "roi-_contrib_ROIAlign-[45]": "position_sensitive",
    "spatial-GridGenerator-[23]": "transform_type='warp'",
}
# Where onnxruntime, or onnx's reference for what that lacks, gives something else, and why.
DIFFERENT = {
    "boxes-_contrib_box_nms-19": "a negative threshold is refused",
    "indexing-_unravel_index-2": "a negative index",
    "ordering-argmax-9": "NaN is not the largest number there",
    "quantization-_contrib_quantize_v2-12": "NaN becomes another integer",
    "reduce-m[ai][xn]-26": "NaN is not kept by the reduction",
    "reduce-sum-28": "a sum of int32 beyond its range is the largest number there",
    "rnn-RNN-1[67]": "sequences of length 0 are refused",
    "rnn-RNN-18": "no kernel for this type",
    "spatial-BilinearSampler-1": "the same",
    "spatial-SpatialTransformer-1": "the same",
    "spatial-ROIPooling-[2356]": "regions of images that do not exist are refused; no kernel for other types",
    "unary-rcbrt-3": "one over negative zero",
    "unary-sign-0": "the sign of NaN is NaN there",
    "unary-cbrt-[78]": "rounding before a conversion to integers",
    "unary-log2-4": "the same",
}


def listed(table, name):
    """The reason that a table has for a sample, if any."""
    return next((reason for pattern, reason in table.items() if fnmatch.fnmatchcase(name, pattern)), None)


def run_model(path, feeds):
    """What onnxruntime gives; where it has no kernel for a type, what onnx's own reference gives."""
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        if "NOT_IMPLEMENTED" not in str(error) and "INVALID_GRAPH" not in str(error):
            raise
        from onnx.reference import ReferenceEvaluator

        evaluator = ReferenceEvaluator(str(path))
        return evaluator.run(None, feeds)
    names = {i.name for i in session.get_inputs()}
    return session.run(None, {k: v for k, v in feeds.items() if k in names})


def export_sample(sample, path, **options):
    names = [f"in{i}" for i in range(len(sample.inputs))]
    given = {n: a for n, a in zip(names, sample.inputs, strict=True) if a is not None}
    out = find_function(mx.sym, sample.op)(*[mx.sym.var(n) if n in given else None for n in names], **sample.attrs)
    used = out.list_inputs()
    data = [n for n in used if n in given]
    # what layers have as parameters is constant, as in networks
    op = registry.get(sample.op)
    constant = {}
    for n in data[1:]:
        argument = op.inputs[int(n[2:])] if op.variadic is None else ""
        if argument in ("weight", "bias", "gamma", "beta", "moving_mean", "moving_var", "parameters", "index_vector"):
            constant[n] = mx.nd.array(given[n], dtype=given[n].dtype)
    inputs = [n for n in data if n not in constant]
    if not inputs:
        inputs, out = ["extra"], mx.sym.Group([out, mx.sym.identity(mx.sym.var("extra"))])
        given["extra"] = np.zeros(1, "float32")
    options.setdefault("opset_version", NEEDS.get(op.name))
    mx.onnx.export_model(
        out, constant, [given[n].shape for n in inputs], [given[n].dtype for n in inputs], path, **options
    )
    return {n: given[n] for n in inputs}


def outcome(sample):
    """What the operator itself gives."""
    found = find_function(mx.nd, sample.op)(
        *[None if a is None else mx.nd.array(a, dtype=a.dtype) for a in sample.fresh_inputs()], **sample.attrs
    )
    return [e.asnumpy() for e in (found if isinstance(found, list | tuple) else [found])]


def same_numbers(got, want):
    assert got.shape == want.shape
    assert got.dtype == want.dtype
    half = want.dtype == np.float16
    np.testing.assert_allclose(got, want, rtol=1e-2 if half else 1e-4, atol=1e-2 if half else 1e-5)


def compare_sample(sample, path, **options):
    feeds = export_sample(sample, path, **options)
    for want, got in zip(outcome(sample), run_model(path, feeds), strict=False):
        if registry.get(sample.op).name not in RANDOM:
            same_numbers(got, want)
        else:
            assert got.shape == want.shape and got.dtype == want.dtype


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("sample", CASES)
def test_operators_by_their_samples(sample, tmp_path, request):
    name, path = request.node.callspec.id, str(tmp_path / "op.onnx")
    if listed(REFUSED, name):
        with pytest.raises(mx.MXNetError, match="cannot be"):
            export_sample(sample, path)
    elif listed(DIFFERENT, name):
        # AssertionError: other numbers; anything else is the runtime's refusal
        with pytest.raises(Exception):  # noqa: B017
            compare_sample(sample, path)
    else:
        compare_sample(sample, path)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("opset", [13, 16, 20, 26])
def test_operators_for_every_opset(opset, tmp_path):
    """Some operators changed between opsets: their axes became inputs, others came."""
    failed = []
    for case in CASES:
        (sample,) = case.values
        if listed(REFUSED, case.id) or listed(DIFFERENT, case.id):
            continue
        try:
            compare_sample(sample, str(tmp_path / "op.onnx"), opset_version=opset)
        except mx.MXNetError as error:
            if "needs opset" not in str(error):
                failed.append((case.id, str(error)))
        except Exception as error:
            if "No registered implementation" in str(error):  # neither runtime has the operator for this opset
                continue
            failed.append((case.id, str(error)[:200]))
    assert failed == []


def test_the_operators_of_the_original_are_there():
    text = (GOLDEN / "onnx_operators.txt").read_text()
    wanted = text.partition("export: ")[2].partition("import: ")[0].split()
    assert len(wanted) == 148  # and "null", the variables
    assert set(wanted) <= CONVERTED


# ---- and back --------------------------------------------------------------------------------------------------------

#: What comes back with other numbers, as what was exported has them.
LOSSY = [
    "indexing-_unravel_index-2",
    "quantization-_contrib_quantize_v2-12",
    "unary-rcbrt-3",
    "unary-cbrt-[78]",
    "unary-log2-4",
]


def import_and_run(path, feeds):
    symbol, args, aux = mx.onnx.import_model(path)
    given = {n: mx.nd.array(v, dtype=v.dtype) for n, v in feeds.items() if n in symbol.list_inputs()}
    states = {n: given.pop(n) for n in symbol.list_auxiliary_states() if n in given}
    executor = symbol.bind(mx.cpu(), {**given, **args}, grad_req="null", aux_states={**aux, **states})
    return [o.asnumpy() for o in executor.forward(is_train=False)]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_is_exported_comes_back(tmp_path):
    """Every sample of every operator that is exported, imported again: with the numbers of the operator itself."""
    path, failed, count = str(tmp_path / "op.onnx"), {}, 0
    for case in CASES:
        (sample,) = case.values
        if listed(REFUSED, case.id) or listed(dict.fromkeys(LOSSY, "lossy"), case.id):
            continue
        feeds = export_sample(sample, path)
        wanted = outcome(sample)
        try:
            found = import_and_run(path, feeds)
            if registry.get(sample.op).name not in RANDOM:
                for want, got in zip(wanted, found, strict=False):
                    same_numbers(got, want)
        except (AssertionError, mx.MXNetError) as error:
            failed[case.id] = str(error)[:300]
        count += 1
    assert not failed, "\n".join(f"{key}: {text}" for key, text in failed.items())
    assert count > 2000


# ---- attributes drawn at random --------------------------------------------------------------------------------------


def exported(out, feeds, path, **options):
    """What onnxruntime gives for a Symbol."""
    shapes, types = [v.shape for v in feeds.values()], [v.dtype for v in feeds.values()]
    mx.onnx.export_model(out, {}, shapes, types, path, **options)
    return run_model(path, feeds)


def test_pooling_with_windows_at_and_behind_the_border(tmp_path):
    """Windows may have no data at all, in the 'full' convention or with wide padding: ONNX's operators have none."""
    path, compared, behind, wide = str(tmp_path / "op.onnx"), 0, 0, 0
    for seed in range(200):
        draw = random.Random(seed)
        dims = draw.choice([1, 2, 2, 3])
        shape = (2, 1, *[draw.randint(2, 7) for _ in range(dims)])
        attrs = {
            "kernel": tuple(draw.randint(1, 4) for _ in range(dims)),
            "stride": tuple(draw.randint(1, 4) for _ in range(dims)),
            "pad": tuple(draw.randint(0, 2 if seed < 150 else 4) for _ in range(dims)),
            "pool_type": draw.choice(["max", "max", "avg", "sum", "lp"]),
            "pooling_convention": draw.choice(["full", "full", "valid", "same"]),
            "count_include_pad": draw.choice([True, False]),
            "p_value": 2,
        }
        data = np.random.RandomState(seed).randn(*shape).astype("float32")
        try:
            want = mx.nd.Pooling(mx.nd.array(data), **attrs).asnumpy()
        except mx.MXNetError:  # a kernel larger than the data
            continue
        opset = draw.choice([13, 17, 22])
        (got,) = exported(mx.sym.Pooling(mx.sym.var("x"), **attrs), {"x": data}, path, opset_version=opset)
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5, err_msg=str((shape, attrs)))
        compared += 1
        behind += attrs["pool_type"] == "max" and bool((want < -1e30).any())
        wide += any(p >= k for p, k in zip(attrs["pad"], attrs["kernel"], strict=True))
    assert compared > 100 and behind > 3 and wide > 50


@pytest.mark.parametrize("kind", ["max", "avg", "sum", "lp"])
def test_wide_padding_with_open_sizes(kind, tmp_path):
    attrs = dict(kernel=(2, 1), stride=(3, 2), pad=(3, 2), pool_type=kind, p_value=2)
    data = np.random.RandomState(0).randn(2, 2, 5, 6).astype("float32")
    options = dict(dynamic=True, dynamic_input_shapes=[(None, 2, None, None)])
    (got,) = exported(mx.sym.Pooling(mx.sym.var("x"), **attrs), {"x": data}, str(tmp_path / "op.onnx"), **options)
    np.testing.assert_allclose(got, mx.nd.Pooling(mx.nd.array(data), **attrs).asnumpy(), rtol=1e-4, atol=1e-5)
    left_out = {"pooling_convention": "full"} if kind != "avg" else {"count_include_pad": False}
    with pytest.raises(mx.MXNetError, match="whole kernel or more"):
        exported(mx.sym.Pooling(mx.sym.var("x"), **attrs, **left_out), {"x": data}, str(tmp_path / "r.onnx"), **options)


@pytest.mark.parametrize("axis", [None, 1])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "int64", "uint8"])
def test_numbers_in_steps_along_an_open_size(dtype, axis, tmp_path):
    """In the types of the operator: integers with start and step cut to integers, half precision by float32."""
    attrs, data = dict(start=-1.5, step=1.7, axis=axis), np.zeros((3, 300), dtype)
    options = dict(dynamic=True, dynamic_input_shapes=[(None, None)])
    graph = mx.sym.contrib.arange_like(mx.sym.var("x"), **attrs)
    (got,) = exported(graph, {"x": data}, str(tmp_path / "op.onnx"), **options)
    want = mx.nd.contrib.arange_like(mx.nd.array(data, dtype=dtype), **attrs).asnumpy()
    np.testing.assert_allclose(got, want, rtol=1e-6)
    assert got.dtype == want.dtype


@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize("rows", [3, None])
def test_fractions_of_indices_from_the_end(rows, constant, tmp_path):
    path, data = str(tmp_path / "op.onnx"), np.arange(12, dtype="float32").reshape(3, 4)
    index = np.array([[-0.1, 1.9, -1.5, -2], [0, -0.3, -2.5, 3]], "float32")
    feeds = {"x": data} if constant else {"x": data, "i": index}
    mx.onnx.export_model(
        mx.sym.gather_nd(mx.sym.var("x"), mx.sym.var("i")), {"i": mx.nd.array(index)} if constant else {},
        [v.shape for v in feeds.values()], np.float32, path, dynamic=rows is None,
        dynamic_input_shapes=[(None, 4), (2, None)][: len(feeds)],
    )  # fmt: skip
    np.testing.assert_array_equal(run_model(path, feeds)[0], [8, 7, 5, 7])
    np.testing.assert_array_equal(mx.nd.gather_nd(mx.nd.array(data), mx.nd.array(index)).asnumpy(), [8, 7, 5, 7])


def test_slices_with_any_bounds_and_steps(tmp_path):
    path, compared = str(tmp_path / "op.onnx"), 0
    for seed in range(120):
        draw = random.Random(seed)
        shape = tuple(draw.randint(1, 5) for _ in range(draw.randint(1, 3)))
        count = draw.randint(1, len(shape))
        attrs = {k: tuple(draw.choice([None, 0, 1, 3, -1, -6, 7]) for _ in range(count)) for k in ("begin", "end")}
        if draw.random() < 0.7:
            attrs["step"] = tuple(draw.choice([None, 1, 2, -1, -2]) for _ in range(count))
        data = np.arange(np.prod(shape), dtype="float32").reshape(shape)
        want = mx.nd.slice(mx.nd.array(data), **attrs).asnumpy()
        (got,) = exported(mx.sym.slice(mx.sym.var("x"), **attrs), {"x": data}, path)
        np.testing.assert_array_equal(got, want, err_msg=str((shape, attrs)))
        compared += 1
    assert compared == 120


@pytest.mark.parametrize("mode", ["lstm", "gru", "rnn_tanh", "rnn_relu"])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_recurrent_layers_whose_parameters_are_inputs(mode, layers, bidirectional, tmp_path):
    directions, hidden, size, gates = 2 if bidirectional else 1, 3, 4, {"lstm": 4, "gru": 3}.get(mode, 1)
    inner = [size, *[directions * hidden] * (layers - 1)]
    count = sum(directions * gates * hidden * (width + hidden + 2) for width in inner)
    numbers = np.random.RandomState(0)
    shapes = {"x": (5, 2, size), "parameters": (count,), "state": (layers * directions, 2, hidden)}
    if mode == "lstm":
        shapes["cell"] = shapes["state"]
    feeds = {k: numbers.uniform(-1, 1, s).astype("float32") for k, s in shapes.items()}
    attrs = dict(mode=mode, num_layers=layers, bidirectional=bidirectional, state_size=hidden, state_outputs=True)
    wanted = mx.nd.RNN(*map(mx.nd.array, feeds.values()), **attrs)
    got = exported(mx.sym.RNN(*map(mx.sym.var, feeds), **attrs), feeds, str(tmp_path / "op.onnx"))
    for found, want in zip(got, wanted, strict=True):
        np.testing.assert_allclose(found, want.asnumpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "head", ["SoftmaxOutput", "LogisticRegressionOutput", "LinearRegressionOutput", "MAERegressionOutput", "SVMOutput"]
)
def test_labels_are_inputs_if_they_have_a_shape_and_a_name(head, tmp_path):
    """As in the original: those that were named by the operator (``softmax_label``) are left out."""
    path, data = str(tmp_path / "op.onnx"), np.random.RandomState(0).randn(2, 4).astype("float32")
    label = (2,) if head in ("SoftmaxOutput", "SVMOutput") else (2, 4)
    want = getattr(mx.nd, head)(mx.nd.array(data), mx.nd.zeros(label)).asnumpy()
    for named in (True, False):
        for shapes in ([data.shape], [data.shape, label]):
            inputs = [mx.sym.var("data"), mx.sym.var("target")][: 1 + named]
            mx.onnx.export_model(getattr(mx.sym, head)(*inputs, name="softmax"), {}, shapes, "float32", path)
            session = ort.InferenceSession(path, providers=["CPUExecutionProvider"])
            fed = named and len(shapes) == 2
            assert [i.name for i in session.get_inputs()] == ["data", "target"][: 1 + fed]
            feeds = {"data": data, **({"target": np.zeros(label, "float32")} if fed else {})}
            np.testing.assert_allclose(session.run(None, feeds)[0], want, rtol=1e-4, atol=1e-5)
