"""Mixed precision: lists, casts in graphs and in calls, loss scaling, converted models."""

import json
import logging
import math

import amp_cases
import numpy as np
import pytest
from compare import load_golden

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.contrib import amp

RECORDED = load_golden("amp.json.gz")


@pytest.fixture
def bfloat16():
    amp.init("bfloat16")
    yield
    amp.turn_off()


@pytest.fixture
def float16():
    amp.init("float16")
    yield
    amp.turn_off()


# ---- lists and graphs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_lists(dtype):
    for name, expected in RECORDED["lists"][dtype].items():
        found = getattr(amp, name)(dtype)
        assert json.loads(json.dumps(found)) == expected, name
    with pytest.raises(AssertionError, match="not supported type"):
        amp.list_lp16_ops("float32")


def test_lists_name_operators():
    """Of what the lists name, only these are no operators here: they belong to the original's own engine."""
    missing = set()
    for dtype in ("float16", "bfloat16"):
        for kind in ("list_lp16_ops", "list_fp32_ops", "list_lp16_fp32_ops", "list_widest_type_cast"):
            missing |= {name for name in getattr(amp, kind)(dtype) if mx.ops.find(name) is None}
    engine = {
        "BatchNormWithReLU",
        "CuDNNBatchNorm",
        "_TensorRT",
        "_broadcast_backward",
        "_copyto",
        "_split_v2_backward",
    }
    quantized = [f"_contrib_{name}" for name in ("quantize", "dequantize", "requantize", "calibrate", "intgemm")]
    prefixes = (*quantized, "_sg_", "_sparse_", "_CrossDeviceCopy", "_NDArray", "_Native", "_NoGradient", "_CachedOp")
    assert {name for name in missing if not name.startswith(prefixes)} <= engine


#: Parameters that the original declares float16 because they meet a value of that type; here they stay float32.
OTHER_TYPES = {
    "shared_later-short_parameters": "x",
    "sequence_mask-parameters": "v",
    "sequence_mask-short_parameters": "v",
}


@pytest.mark.parametrize("option", amp_cases.OPTIONS)
@pytest.mark.parametrize("name", amp_cases.graphs(mx))
def test_converted_graphs(name, option):
    expected = RECORDED["graphs"][f"{name}-{option}"]
    given = amp_cases.OPTIONS[option]
    symbol = amp_cases.graphs(mx)[name]()
    if isinstance(expected, str) and "data" not in symbol.list_inputs():  # both refuse data_names
        with pytest.raises(mx.MXNetError, match="no input 'data'"):
            amp.convert_symbol(symbol, **given)
        return
    found = amp.convert_symbol(symbol, **given)
    if f"{name}-{option}" in OTHER_TYPES:
        for node in expected[0]:
            if node[:2] == ["null", OTHER_TYPES[f"{name}-{option}"]]:
                node[2] = {**node[2], "__dtype__": "0"}
    if not isinstance(expected, str):  # else only the original refuses types that its operators cannot mix
        assert amp_cases.described(found, json) == expected
    again = mx.sym.load_json(found.tojson(remove_amp_cast=False))
    assert amp_cases.described(again, json) == amp_cases.described(found, json)
    assert mx.sym.load_json(found.tojson()).list_arguments() == symbol.list_arguments()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("short", [False, True])
def test_converted_models_give_nearly_the_same(dtype, short):
    symbol = mx.sym.softmax(amp_cases.graphs(mx)["small"]().get_internals()["badd_output"])
    shapes = dict(zip(symbol.list_arguments(), symbol.infer_shape(data=(2, 3, 6, 6))[0], strict=True))
    random = np.random.default_rng(0)
    args = {n: nd.array(random.normal(0, 0.2, s)) for n, s in shapes.items() if n != "data"}
    aux = {"bn_moving_mean": nd.zeros(4), "bn_moving_var": nd.ones(4)}
    data = nd.array(random.normal(size=(2, 3, 6, 6)))
    made, new_args, new_aux = amp.convert_model(symbol, args, aux, dtype, cast_optional_params=short)
    kinds = {n: "bfloat16" if "bfloat16" in str(a.dtype) else np.dtype(a.dtype).name for n, a in new_args.items()}
    assert kinds["conv_weight"] == (dtype if short else "float32") and kinds["bn_gamma"] == "float32"
    expected = symbol.bind(mx.cpu(), {**args, "data": data}, aux_states=aux).forward()[0]
    found = made.bind(mx.cpu(), {**new_args, "data": data}, aux_states=new_aux).forward()[0]
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), atol=0.02)
    assert not (found.asnumpy() == expected.asnumpy()).all()  # it did run in the shorter type


def test_converted_files_can_be_read(tmp_path):
    symbol = amp.convert_symbol(amp_cases.graphs(mx)["small"](), "bfloat16")
    symbol.save(str(tmp_path / "a.json"), remove_amp_cast=False)
    symbol.save(str(tmp_path / "b.json"))
    with_casts, without = (
        mx.sym.load(str(tmp_path / name)).tojson(remove_amp_cast=False) for name in ("a.json", "b.json")
    )
    assert "amp_cast" in with_casts and "amp_cast" not in without


def test_wrong_lists_are_refused():
    symbol = amp_cases.graphs(mx)["head"]()
    for given, text in [
        ({"target_dtype": "float32"}, "Only target_dtype float16 and bfloat16"),
        ({"target_dtype_ops": ["nope"]}, "three lists.*nope"),
        ({"target_dtype_ops": "FullyConnected"}, "list of strs"),
        ({"target_dtype_ops": ["FullyConnected"], "fp32_ops": ["FullyConnected"]}, "two or more lists"),
        ({"excluded_sym_names": "fc"}, "list of strs"),
        ({"conditional_fp32_ops": [("FullyConnected", "num_hidden", ["3"])]}, "two or more lists"),
    ]:
        with pytest.raises(AssertionError, match=text):
            amp.convert_symbol(symbol, **given)


def network():
    net = gluon.nn.HybridSequential()
    with net.name_scope():
        net.add(gluon.nn.Conv2D(4, 3), gluon.nn.BatchNorm(), gluon.nn.Activation("relu"), gluon.nn.Dense(3))
    net.initialize(mx.init.Xavier())
    return net


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_converted_blocks(dtype):
    net, data = network(), nd.random.uniform(shape=(2, 1, 6, 6))
    with pytest.raises(RuntimeError, match="hybridize"):
        amp.convert_hybrid_block(net, dtype)
    net.hybridize()
    expected = net(data).asnumpy()
    for short in (False, True):
        made = amp.convert_hybrid_block(net, dtype, ctx=mx.cpu(), cast_optional_params=short)
        assert isinstance(made, gluon.SymbolBlock)
        np.testing.assert_allclose(made(data).asnumpy(), expected, atol=0.05)
    np.testing.assert_array_equal(net(data).asnumpy(), expected)


def test_converted_buckets():
    def generate(length):
        out = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, flatten=False, name="fc")
        return mx.sym.SoftmaxOutput(mx.sym.mean(out, axis=1), name="softmax"), ("data",), ("softmax_label",)

    module = mx.mod.BucketingModule(generate, default_bucket_key=4)
    module.bind([("data", (2, 4, 3))], [("softmax_label", (2,))])
    module.init_params(mx.init.Xavier())
    made = amp.convert_bucketing_module(module, "bfloat16", cast_optional_params=True)
    for length in (4, 2):
        batch = mx.io.DataBatch(
            [nd.random.uniform(shape=(2, length, 3))],
            [nd.zeros(2)],
            bucket_key=length,
            provide_data=[("data", (2, length, 3))],
            provide_label=[("softmax_label", (2,))],
        )
        module.forward(batch, is_train=False)
        made.forward(batch, is_train=False)
        np.testing.assert_allclose(made.get_outputs()[0].asnumpy(), module.get_outputs()[0].asnumpy(), atol=0.02)


# ---- calls -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RECORDED["calls"])
def test_calls(bfloat16, name):
    kind, values = RECORDED["calls"][name]
    found = amp_cases.calls(mx)[name]()
    assert ("bfloat16" if "bfloat16" in str(found.dtype) else np.dtype(found.dtype).name) == kind
    np.testing.assert_allclose(found.astype("float32").asnumpy().ravel(), values, rtol=1e-6)


def test_off_again():
    x, w = nd.ones((2, 3)), nd.ones((4, 3))
    amp.init("bfloat16")
    assert amp.amp._amp_initialized
    amp.init("float16")  # without effect: it is on already
    assert "bfloat16" in str(nd.FullyConnected(x, w, no_bias=True, num_hidden=4).dtype)
    amp.turn_off()
    assert not amp.amp._amp_initialized
    assert nd.FullyConnected(x, w, no_bias=True, num_hidden=4).dtype == np.float32
    assert "amp_cast" not in mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=2).tojson(remove_amp_cast=False)
    with pytest.raises(AssertionError, match="only float16 or bfloat16"):
        amp.init("int8")


def test_hybridized_blocks_have_casts(float16):
    net = network()
    x = nd.random.uniform(shape=(2, 1, 6, 6))
    eager = net(x)
    assert eager.dtype == np.float16
    net.hybridize()
    assert net(x).dtype == np.float16
    np.testing.assert_allclose(net(x).asnumpy(), eager.asnumpy(), rtol=0.01, atol=0.01)
    graph = json.loads(net(mx.sym.var("data")).tojson(remove_amp_cast=False))
    assert [n["op"] for n in graph["nodes"] if n["op"] != "null"] == [
        *["amp_cast"] * 3, "Convolution", "BatchNorm", "Activation", *["amp_cast"] * 3, "FullyConnected"
    ]  # fmt: skip


def test_gradients_are_float32_and_right(bfloat16):
    x, w = nd.array([[1.0, 2.0]]), nd.array([[0.5, 0.25]])
    w.attach_grad()
    with autograd.record():
        y = nd.FullyConnected(x, w, no_bias=True, num_hidden=1).astype("float32").sum()
    y.backward()
    assert w.grad.dtype == np.float32
    assert w.grad.asnumpy().tolist() == [[1, 2]]


def test_losses_that_are_operators_are_scaled(bfloat16):
    x = nd.array([[1.0, 2.0, 3.0]])
    x.attach_grad()
    with autograd.record():
        y = nd.SoftmaxOutput(x, nd.array([0]))
    y.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), [[-59635.758, 16038.525, 43597.23]], rtol=1e-5)  # as the original


def test_symbols_with_losses_warn(bfloat16, caplog):
    mx.sym.SoftmaxOutput(mx.sym.var("data"), name="softmax")
    assert "does not support dynamic loss scaling" in caplog.text


# ---- loss scaling ----------------------------------------------------------------------------------------------------


def test_the_scale_follows_overflows(caplog):
    caplog.set_level(logging.INFO)
    scaler = amp.loss_scaler.LossScaler()
    scaler._scale_seq_len = 3
    weight = gluon.Parameter("weight", shape=(2,))
    weight.initialize()
    seen = []
    for factor in (1, 1, math.inf, 1, 1, 1, 1, 1, 1, 1, math.nan, 1):
        with autograd.record():
            loss = (weight.data() * factor).sum()
        loss.backward()
        seen.append((scaler.has_overflow([weight]), scaler.loss_scale / 2**15))
    # As the original gives them for the same gradients.
    scales = [2, 2, 2, 1, 1, 1, 2, 2, 2, 4, 4, 2]
    assert seen == [(i in (2, 10), scale) for i, scale in enumerate(scales)]
    assert "AMP: decreasing loss scale to 32768" in caplog.text


@pytest.mark.parametrize("on_store", [False, True])
def test_steps_that_overflow_are_skipped(bfloat16, on_store):
    net = gluon.nn.Dense(2, in_units=3)
    net.initialize(mx.init.One())
    store = {"kvstore": mx.kv.create("local"), "update_on_kvstore": True} if on_store else {}
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, **store)
    amp.init_trainer(trainer)
    data, seen = nd.ones((1, 3)), []
    for factor, unscaled in ((1, False), (1, True), (math.inf, False), (1, False), (math.nan, True), (1, False)):
        with autograd.record():
            loss = (net(data).astype("float32") * factor).sum()
            with amp.scale_loss(loss, trainer) as scaled:
                autograd.backward(scaled)
        if unscaled:
            amp.unscale(trainer)
            assert trainer._scale == 1
        trainer.step(1)
        seen.append((round(float(net.weight.data()[0, 0].asscalar()), 5), trainer._amp_loss_scaler.loss_scale))
    # As the original for the same gradients.
    assert seen == [(0.9, 65536), (0.8, 65536), (0.8, 65536), (0.7, 32768), (0.7, 32768), (0.6, 16384)]


def test_lists_of_losses(bfloat16):
    net = gluon.nn.Dense(1, in_units=1)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    amp.init_trainer(trainer)
    with amp.scale_loss([nd.ones(1), nd.ones(2)], trainer) as scaled:
        assert [one.asnumpy().tolist() for one in scaled] == [[65536], [65536, 65536]]


def test_wrong_uses_say_so(bfloat16):
    net = gluon.nn.Dense(1, in_units=1)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    with pytest.raises(TypeError, match="should be a Gluon Trainer"):
        amp.init_trainer(3)
    with pytest.raises(TypeError, match="only compatible with Gluon Trainer"):
        amp.init_trainer(mx.optimizer.SGD())
    with pytest.raises(AttributeError, match=r"amp\.init_trainer"), amp.scale_loss(nd.ones(1), trainer):
        pass
    amp.turn_off()
    with pytest.raises(AssertionError, match=r"amp\.init\(\)"):
        amp.init_trainer(trainer)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("hybridized", [False, True])
def test_training(dtype, hybridized):
    """A small network learns what it learns in float32."""
    random = np.random.default_rng(1)
    data = nd.array(random.normal(size=(64, 8)))
    label = nd.array((data.asnumpy() @ random.normal(size=(8, 3))).argmax(1))
    amp.init(dtype)
    try:
        mx.random.seed(0)
        net = gluon.nn.HybridSequential()
        with net.name_scope():
            net.add(gluon.nn.Dense(32, activation="relu"), gluon.nn.Dense(3))
        net.initialize(mx.init.Xavier())
        if hybridized:
            net.hybridize()
        trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.02})
        amp.init_trainer(trainer)
        loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
        for _ in range(60):
            with autograd.record():
                loss = loss_of(net(data), label)
                with amp.scale_loss(loss, trainer) as scaled:
                    autograd.backward(scaled)
            trainer.step(64)
        accuracy = (net(data).astype("float32").argmax(axis=1) == label).mean().asscalar()
        assert accuracy > 0.97
    finally:
        amp.turn_off()
