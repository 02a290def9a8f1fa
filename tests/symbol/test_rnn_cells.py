"""mx.rnn: recurrent cells for symbols, as the original's; fused and unfused cells; weights; checkpoints."""

import importlib.util

import numpy as np
import pytest
from paths import ROOT
from test_networks import check, golden

import mxnet as mx
from mxnet import rnn

import rnn_cases  # isort: skip  (test_networks makes it findable)


@pytest.mark.parametrize("name", rnn_cases.CASES)
def test_cell_is_the_originals(name):
    check(rnn_cases.CASES[name], golden("rnn_cells.json.gz")[name])


@pytest.mark.parametrize("name", rnn_cases.WEIGHTS)
def test_weights_are_unpacked_as_the_originals(name):
    assert rnn_cases.unpacked(mx, rnn_cases.WEIGHTS[name]) == golden("rnn_weights.json.gz")[name]
    cell, args = rnn_cases.weights(mx, rnn_cases.WEIGHTS[name])
    again = cell.pack_weights(cell.unpack_weights(args))
    assert sorted(again) == sorted(args)
    for key, array in args.items():
        assert (again[key] == array).asnumpy().all()
    assert "other" in args  # what was given is not changed


def outputs_of(cell, args, data, train=False):
    """The outputs and gradients by data and parameters of a cell unrolled over NTC data."""
    symbol, _ = cell.unroll(data.shape[1], mx.sym.var("data"), merge_outputs=True)
    args = {n: a for n, a in {**args, "data": data}.items() if n in symbol.list_arguments()}
    grads = {n: mx.nd.zeros(a.shape) for n, a in args.items()}
    executor = symbol.bind(mx.cpu(), args, args_grad=grads)
    result = executor.forward(is_train=train)[0]
    if train:
        executor.backward(mx.nd.array(np.sin(np.arange(result.size)).reshape(result.shape)))
    return result.asnumpy(), grads


@pytest.mark.parametrize("mode", ["lstm", "gru", "rnn_tanh", "rnn_relu"])
@pytest.mark.parametrize(("layers", "both"), [(1, False), (2, False), (1, True), (2, True)])
def test_unfused_cells_compute_the_same(mode, layers, both):
    fused = rnn.FusedRNNCell(4, num_layers=layers, mode=mode, bidirectional=both, prefix="x_")
    data = mx.nd.array(np.random.uniform(-1, 1, (3, 5, 6)))
    symbol, _ = fused.unroll(5, mx.sym.var("data"))
    shapes, _, _ = symbol.infer_shape(data=data.shape)
    vector = mx.nd.array(np.random.uniform(-0.5, 0.5, shapes[symbol.list_arguments().index("x_parameters")]))
    plain = fused.unfuse()
    args = plain.pack_weights(fused.unpack_weights({"x_parameters": vector}))
    whole, whole_grads = outputs_of(fused, {"x_parameters": vector}, data, train=True)
    steps, steps_grads = outputs_of(plain, args, data, train=True)
    np.testing.assert_allclose(whole, steps, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(whole_grads["data"].asnumpy(), steps_grads["data"].asnumpy(), rtol=1e-4, atol=1e-5)
    packed = fused.pack_weights(plain.unpack_weights(steps_grads))["x_parameters"]
    np.testing.assert_allclose(whole_grads["x_parameters"].asnumpy(), packed.asnumpy(), rtol=1e-3, atol=1e-4)


def test_states_begin_with_what_is_asked_for():
    cell = rnn.LSTMCell(3)
    assert cell.state_info == [{"shape": (0, 3), "__layout__": "NC"}] * 2
    assert cell.state_shape == [(0, 3), (0, 3)]
    assert [s.name for s in cell.begin_state()] == ["lstm_begin_state_0", "lstm_begin_state_1"]
    ones = cell.begin_state(func=mx.sym.ones, dtype="float16")
    assert ones[0].name == "lstm_begin_state_2"
    assert ones[0].list_attr() == {"dtype": "float16", "shape": "(0, 3)", "__layout__": "NC"}
    cell.reset()
    variables = cell.begin_state(func=mx.sym.Variable)
    assert variables[0].list_attr() == {"__layout__": "NC", "__shape__": "(0, 3)"}
    assert rnn.FusedRNNCell(3, 2, bidirectional=True).state_shape == [(4, 0, 3), (4, 0, 3)]
    stacked = rnn.SequentialRNNCell()
    stacked.add(rnn.ZoneoutCell(rnn.GRUCell(2, prefix="z_"), 0.1))
    stacked.add(rnn.ResidualCell(rnn.ZoneoutCell(rnn.RNNCell(2, prefix="r_"))))
    assert [s.name for s in stacked.begin_state(func=mx.sym.ones)] == ["z_begin_state_0", "r_begin_state_0"]
    assert stacked.state_shape == [(0, 2), (0, 2)]
    assert rnn.DropoutCell(0.5).begin_state() == []


def test_base_cells_have_nothing_of_their_own():
    for cell in (rnn.BaseRNNCell(), rnn.ModifierCell(rnn.RNNCell(2))):
        with pytest.raises(NotImplementedError):
            cell(mx.sym.var("x"), [])
    with pytest.raises(NotImplementedError):
        _ = rnn.BaseRNNCell().state_info
    with pytest.raises(NotImplementedError, match="Please use unroll"):
        rnn.FusedRNNCell(2)(mx.sym.var("x"), [])
    with pytest.raises(NotImplementedError, match="Please use unroll"):
        rnn.BidirectionalCell(rnn.RNNCell(2, prefix="l"), rnn.RNNCell(2, prefix="r"))(mx.sym.var("x"), [])
    conv = [(3, 3), (1, 1), (3, 3), (1, 1), (1, 1), (1, 1), None, None, "zeros", "zeros", "tanh"]
    with pytest.raises(NotImplementedError, match="abstract"):
        rnn.BaseConvRNNCell((1, 3, 7, 6), 2, *conv)(mx.sym.var("x"), [])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: rnn.RNNCell(2).unroll(2, None), "create input variables outside unroll"),
        (lambda: rnn.RNNCell(2).unroll(3, [mx.sym.var("a")]), "1 inputs were given for 3 steps"),
        (
            lambda: rnn.RNNCell(2).unroll(2, mx.sym.Group([mx.sym.var("a"), mx.sym.var("b")])),
            "doesn't allow grouped symbol",
        ),
        (lambda: rnn.FusedRNNCell(2).unroll(2, mx.sym.var("a"), layout="NCT"), "layout"),
        (lambda: rnn.FusedRNNCell(2, mode="what").unroll(2, mx.sym.var("a")), "mode"),
        (lambda: rnn.DropoutCell("half"), "must be a number"),
        (lambda: rnn.ZoneoutCell(rnn.FusedRNNCell(2)), "unfuse first"),
        (
            lambda: rnn.ZoneoutCell(rnn.BidirectionalCell(rnn.RNNCell(2, prefix="l"), rnn.RNNCell(2, prefix="r"))),
            "doesn't support zoneout",
        ),
        (lambda: rnn.ConvRNNCell((1, 3, 6, 6), 2, h2h_kernel=(2, 3)), "odd number"),
        (lambda: rnn.SequentialRNNCell(params=rnn.RNNParams("p_")).add(rnn.RNNCell(2)), "not both"),
        (
            lambda: rnn.FusedRNNCell(4, prefix="").unpack_weights({"parameters": mx.nd.zeros(99)}),
            "not the number of weights",
        ),
    ],
)
def test_wrong_use_is_told(wrong, words):
    with pytest.raises(mx.MXNetError, match=words):
        wrong()


def test_a_modified_cell_is_not_used_alone():
    inner = rnn.RNNCell(2)
    outer = rnn.ResidualCell(inner)
    with pytest.raises(mx.MXNetError, match="Call the modifier cell instead"):
        inner.begin_state()
    assert len(outer.begin_state()) == 1
    outer.unroll(2, mx.sym.var("data"))
    with pytest.raises(mx.MXNetError, match="Call the modifier cell instead"):
        inner.unroll(2, mx.sym.var("data"))


def test_zoneout_keeps_old_values_in_training_only():
    data = mx.nd.array(np.random.uniform(-1, 1, (4, 6, 50)))
    args = {
        "rnn_i2h_weight": mx.nd.array(np.random.uniform(-1, 1, (50, 50))),
        "rnn_i2h_bias": mx.nd.zeros(50),
        "rnn_h2h_weight": mx.nd.zeros((50, 50)),
        "rnn_h2h_bias": mx.nd.zeros(50),
    }
    plain, _ = outputs_of(rnn.RNNCell(50), args, data)
    quiet, _ = outputs_of(rnn.ZoneoutCell(rnn.RNNCell(50), 0.3, 0.2), args, data)
    np.testing.assert_allclose(quiet, plain, rtol=1e-6)
    noisy, _ = outputs_of(rnn.ZoneoutCell(rnn.RNNCell(50), 0.3), args, data, train=True)
    kept = np.isclose(noisy[:, 1:], noisy[:, :-1])
    assert 0.25 < kept.mean() < 0.35
    np.testing.assert_allclose(noisy[:, 1:][~kept], plain[:, 1:][~kept], rtol=1e-5)
    assert 0.2 < (noisy[:, 0] == 0).mean() < 0.4  # before the first step there were zeros


def test_old_unroll_function():
    with pytest.warns(UserWarning, match="deprecated"):
        outputs, states = rnn.rnn_unroll(rnn.RNNCell(3), 2, input_prefix="in_")
    assert "in_t0_data" in outputs[1].list_arguments()
    assert len(outputs) == 2
    assert len(states) == 1


def test_checkpoints_hold_unpacked_weights(tmp_path):
    fused = rnn.FusedRNNCell(4, mode="gru", prefix="g_")
    symbol, _ = fused.unroll(3, mx.sym.var("data"))
    vector = mx.nd.array(np.random.uniform(-1, 1, 3 * 4 * (5 + 4 + 2)))
    prefix = str(tmp_path / "model")
    save = rnn.do_rnn_checkpoint(fused, prefix, period=2)
    save(0, symbol, {"g_parameters": vector}, {})
    assert not list(tmp_path.iterdir())
    save(1, symbol, {"g_parameters": vector}, {"state": mx.nd.ones(1)})
    assert "arg:g_l0_i2h_r_weight" in mx.nd.load(prefix + "-0002.params")
    loaded, args, states = rnn.load_rnn_checkpoint(fused, prefix, 2)
    assert loaded.tojson() == symbol.tojson()
    assert (args["g_parameters"] == vector).asnumpy().all()
    assert sorted(states) == ["state"]
    cells = [rnn.RNNCell(2, prefix="other_"), fused.unfuse()]
    args["other_i2h_weight"] = args["other_h2h_weight"] = mx.nd.ones((2, 2))
    args["other_i2h_bias"] = args["other_h2h_bias"] = mx.nd.ones(2)
    rnn.save_rnn_checkpoint([cells[0], fused], prefix, 3, symbol, args, states)
    _, plain, _ = rnn.load_rnn_checkpoint(cells, prefix, 3)
    assert plain["g_l0_i2h_weight"].shape == (12, 5)
    assert plain["other_i2h_bias"].shape == (2,)


@pytest.mark.parametrize("forget_bias", [1.0, 2.5])
def test_forget_gates_start_open(forget_bias):
    cells = [
        rnn.FusedRNNCell(4, num_layers=2, forget_bias=forget_bias, prefix="f_"),
        rnn.LSTMCell(4, prefix="p_", forget_bias=forget_bias),
    ]
    data = mx.sym.var("data")
    outputs = [cell.unroll(3, data, merge_outputs=True)[0] for cell in cells]
    module = mx.mod.Module(mx.sym.Group(outputs), label_names=None)
    module.bind([("data", (2, 3, 5))], for_training=False)
    module.init_params(mx.init.Xavier())
    args, _ = module.get_params()
    for cell in cells:
        args = cell.unpack_weights(args)
    for name in ("f_l0", "f_l1", "p"):
        assert args[f"{name}_i2h_f_bias"].asnumpy() == pytest.approx(forget_bias)
        assert args[f"{name}_i2h_i_bias"].asnumpy() == pytest.approx(0)
    assert args["f_l1_h2h_o_weight"].asnumpy().std() > 0.1


@pytest.mark.parametrize("cell", ["lstm", "fused"])
def test_bucketing_example(cell, tmp_path, capsys):
    spec = importlib.util.spec_from_file_location("bucketing_lstm", ROOT / "examples" / "bucketing_lstm.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    small = "--sentences 600 --hidden 24 --embed 12 --batch-size 16 --learning-rate 0.01 --epochs 3".split()
    history = example.main([*small, "--cell", cell, "--save", str(tmp_path / "lm")])
    assert history[0] > history[1] > history[2]
    assert history[2] < 10  # of 37 words
    assert f"epoch 3: perplexity {history[2]:.2f}" in capsys.readouterr().out
    assert "arg:lstm_l0_i2h_f_bias" in mx.nd.load(str(tmp_path / "lm-0003.params"))
