"""Recurrent cells and layers against the original: names, texts, graphs, files, values, gradients and training."""

import subprocess
import sys
import textwrap

import gluon_rnn_cases as cases
import numpy as np
import paths
import pytest
from compare import load_golden

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import contrib, nn, rnn

GOLDEN = load_golden("gluon_rnn.json.gz")
FILES = paths.GOLDEN / "gluon_rnn"


def assert_arrays(arrays, recorded):
    wanted = {key: np.array(values, dtype="float64").reshape(shape) for key, (shape, values) in recorded.items()}
    assert arrays.keys() == wanted.keys()
    for key, value in wanted.items():
        np.testing.assert_allclose(arrays[key], value, rtol=1e-4, atol=1e-5, err_msg=key)


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybrid"])
@pytest.mark.parametrize("name", cases.CELLS)
def test_cell(name, hybridize):
    texts, arrays = cases.run_cell(mx, name, hybridize)
    if not hybridize:
        assert texts == GOLDEN["cells"][name]["texts"]
    assert_arrays(arrays, GOLDEN["cells"][name]["arrays"])


class Unrolled(gluon.HybridBlock):
    """A cell unrolled inside of a block, so that the whole sequence is one graph."""

    def __init__(self, cell, **options):
        super().__init__()
        self.cell = cell
        self.options = options

    def hybrid_forward(self, F, x, lengths=None):
        return self.cell.unroll(3, x, valid_length=lengths, **self.options)


IN_GRAPHS = [n for n in cases.CELLS if n not in ("sequential", "dropout") and (n[:4] != "conv" or n == "conv1d-gru")]


@pytest.mark.parametrize("name", IN_GRAPHS)
def test_unrolled_in_a_graph(name):
    arrays = {}
    for way in cases.WAYS:
        cell = cases.make_cell(mx, name)
        data, options = cases.cell_inputs(mx, name, way)
        lengths = options.pop("valid_length", None)
        block = Unrolled(cell, **options)
        block.hybridize()
        more = [] if lengths is None else [lengths]
        cases.differentiate(mx, lambda x, b=block, m=more: b(x, *m), [data], cell, arrays, way)
    wanted = {k: v for k, v in GOLDEN["cells"][name]["arrays"].items() if not k.startswith("step")}
    assert_arrays(arrays, wanted)


@pytest.mark.parametrize("name", cases.RANDOM)
def test_graphs_of_random_cells(name):
    for way, text in GOLDEN["random"][name].items():
        assert cases.unroll_graph(mx, cases.RANDOM[name], way) == text, way


@pytest.mark.parametrize("name", cases.LAYERS)
def test_layer_texts(name):
    assert cases.layer_texts(mx, name) == GOLDEN["layers"][name]["texts"]


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybrid"])
@pytest.mark.parametrize("name", [n for n in cases.LAYERS if n not in cases.UNCOMPARED])
def test_layer(name, hybridize):
    assert_arrays(cases.run_layer(mx, name, hybridize), GOLDEN["layers"][name]["arrays"])


@pytest.mark.parametrize("name", [n for n in cases.LAYERS if n not in ("lstm-projection", "lstm-clip")])
def test_unfused_cells_compute_the_same(name):
    layer = cases.make_layer(mx, name)
    data, _, lengths = cases.layer_inputs(mx, layer, cases.LAYERS[name][1])
    cells = layer._unfuse()
    fused, apart = {}, {}
    cases.differentiate(mx, lambda x: layer(x, None, *lengths), [data], layer, fused, "")
    options = {"layout": layer._layout, "merge_outputs": True, "valid_length": lengths[0] if lengths else None}
    cases.differentiate(mx, lambda x: cells.unroll(3, x, **options)[0], [data], cells, apart, "")
    assert fused.keys() == apart.keys()
    for key, value in fused.items():
        np.testing.assert_allclose(apart[key], value, rtol=1e-4, atol=1e-5, err_msg=key)


def test_projection_equals_its_cell():
    layer = cases.make_layer(mx, "lstm-projection")
    data, _, _ = cases.layer_inputs(mx, layer, False)
    cell = contrib.rnn.LSTMPCell(4, 2, input_size=4, prefix=f"{layer.prefix}l0_")
    cell.initialize()
    for name, parameter in layer.collect_params().items():
        cell.collect_params()[name].set_data(parameter.data())
    fused, apart = {}, {}
    cases.differentiate(mx, layer, [data], layer, fused, "")
    cases.differentiate(mx, lambda x: cell.unroll(3, x, layout="TNC", merge_outputs=True)[0], [data], cell, apart, "")
    assert fused.keys() == apart.keys()
    for key, value in fused.items():
        np.testing.assert_allclose(apart[key], value, rtol=1e-4, atol=1e-5, err_msg=key)


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybrid"])
def test_clipped_memory(hybridize):
    layer = cases.make_layer(mx, "lstm-clip")
    layer.hybridize(hybridize)
    data, states, _ = cases.layer_inputs(mx, layer, False)
    _, (_, memory) = layer(data, states)
    assert memory.min().asscalar() >= -0.2 - 1e-6 and memory.max().asscalar() <= 0.15 + 1e-6
    with autograd.record():
        total = layer(data).sum()
    total.backward()
    assert np.isfinite(layer.l0_i2h_weight.grad().asnumpy()).all()


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybrid"])
@pytest.mark.parametrize("kind", [rnn.RNN, rnn.LSTM, rnn.GRU])
def test_lengths_and_deferred_shapes(kind, hybridize):
    layer = kind(3, 2, bidirectional=True, use_sequence_length=True)
    layer.initialize()
    layer.hybridize(hybridize)
    data = nd.random.uniform(shape=(4, 2, 5))
    out = layer(data, sequence_length=nd.array([2, 4]))
    assert layer.l0_i2h_weight.shape == layer.r0_i2h_weight.shape == (3 * layer._gates, 5)
    assert (out[2:, 0].asnumpy() == 0).all() and (out[2:, 1].asnumpy() != 0).any()
    alone = layer(data[:2], sequence_length=nd.array([2, 2]))
    np.testing.assert_allclose(out[:2, 0].asnumpy(), alone[:, 0].asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybrid"])
@pytest.mark.parametrize("optimizer", cases.OPTIMIZERS)
def test_language_model_learns_as_the_original_does(optimizer, hybridize):
    assert_arrays(cases.train(mx, optimizer, hybridize), GOLDEN["training"][optimizer])


# ---- files ----------------------------------------------------------------------------------------------------------


def test_files_of_the_original(tmp_path):
    wanted = np.array(GOLDEN["lm"]["output"][1]).reshape(GOLDEN["lm"]["output"][0])
    data = cases.tokens(mx)[0]
    net = cases.language_model(mx)
    net.initialize(mx.init.Zero(), force_reinit=True)
    net.load_parameters(str(FILES / "lm.params"))
    np.testing.assert_allclose(net(data).asnumpy(), wanted, rtol=1e-4, atol=1e-5)
    block = gluon.SymbolBlock.imports(str(FILES / "lm-symbol.json"), ["data"], str(FILES / "lm-0000.params"))
    np.testing.assert_allclose(block(data).asnumpy(), wanted, rtol=1e-4, atol=1e-5)
    layer = rnn.LSTM(2, 2, bidirectional=True, input_size=4)
    layer.load_parameters(str(FILES / "lstm.params"))
    inputs = cases.layer_inputs(mx, layer, False)[0]
    assert_arrays({"alone result 0": layer(inputs).asnumpy()}, only("lstm-both", "alone result 0"))
    cells = rnn.HybridSequentialRNNCell()
    for cell in (rnn.LSTMCell(3), rnn.ResidualCell(rnn.GRUCell(3)), rnn.BidirectionalCell(*map(rnn.RNNCell, (2, 2)))):
        cells.add(cell)
    cells.load_parameters(str(FILES / "cells.params"))
    again = cases.make_cell(mx, "hybrid-sequential")
    sequence = nd.random.uniform(shape=(2, 3, 4))
    for mine, theirs in zip(*(cases.flat(c.unroll(3, sequence)) for c in (cells, again)), strict=True):
        np.testing.assert_allclose(mine.asnumpy(), theirs.asnumpy(), rtol=1e-5)


def only(name, key):
    return {key: GOLDEN["layers"][name]["arrays"][key]}


def test_files_have_the_bytes_of_the_original(tmp_path):
    cases.make_layer(mx, "lstm-both").save_parameters(str(tmp_path / "lstm.params"))
    cases.make_cell(mx, "hybrid-sequential").save_parameters(str(tmp_path / "cells.params"))
    net = cases.language_model(mx)
    net.save_parameters(str(tmp_path / "lm.params"))
    net.hybridize()
    net(cases.tokens(mx)[0])
    net.export(str(tmp_path / "lm"))
    for path in sorted(FILES.iterdir()):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


def test_parameters_go_from_layer_to_cells_and_back(tmp_path):
    path = str(tmp_path / "rnn.params")
    layer = rnn.GRU(3, 2, bidirectional=True, input_size=4, prefix="net_")
    layer.initialize()
    layer.collect_params().save(path)
    other = rnn.GRU(3, 2, bidirectional=True, input_size=4, prefix="net_")
    cells = other._unfuse()
    cells.collect_params().load(path)
    data = nd.random.uniform(shape=(5, 2, 4))
    wanted = layer(data).asnumpy()
    unrolled = cells.unroll(5, data, layout="TNC", merge_outputs=True)[0].asnumpy()
    np.testing.assert_allclose(unrolled, wanted, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(other(data).asnumpy(), wanted, rtol=1e-5, atol=1e-7)


# ---- random cells ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybrid"])
def test_dropout_cell(hybridize):
    cell = rnn.DropoutCell(0.25)
    cell.hybridize(hybridize)
    x = nd.ones((100, 50))
    assert (cell(x, [])[0] == x).asnumpy().all()
    with autograd.train_mode():
        out, _ = cell(x, [])
        whole, _ = cell.unroll(50, nd.ones((20, 50, 10)), merge_outputs=True)
    for array in (out, whole):
        assert set(np.unique(array.asnumpy())) == {0, np.float32(1 / 0.75)}
        assert abs((array.asnumpy() == 0).mean() - 0.25) < 0.03


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybrid"])
def test_zoneout_keeps_old_values(hybridize):
    base = rnn.RNNCell(200, input_size=2)
    cell = rnn.ZoneoutCell(base, 0.3, 0.4)
    cell.initialize()
    set_bias(base, 0.5)
    block = Unrolled(cell, merge_outputs=False)
    if hybridize:
        block.hybridize()
    x, before = nd.ones((100, 3, 2)), nd.ones((100, 200)) * 2
    with autograd.train_mode():
        (first, second, third), (state,) = block(x)
        step = cell(x[:, 0], [before])[1][0].asnumpy() if not hybridize else None
    rate = (first == 0).asnumpy().mean()
    assert abs(rate - 0.3) < 0.02, "before the first step there are zeros"
    assert abs((second == first).asnumpy().mean() - 0.3) < 0.02
    assert abs((third == second).asnumpy().mean() - 0.3) < 0.02
    if step is not None:
        assert abs((step == 2).mean() - 0.4) < 0.02
    plain = Unrolled(rnn.RNNCell(200, input_size=2, params=base.params, prefix="x_"), merge_outputs=True)
    assert (block(x)[0][0] == plain(x)[0][:, 0]).asnumpy().all(), "nothing is kept in prediction"
    assert state.shape == (100, 200)


def set_bias(cell, value):
    cell.i2h_weight.set_data(nd.random.uniform(-0.1, 0.1, cell.i2h_weight.shape))
    cell.h2h_weight.set_data(nd.random.uniform(-0.1, 0.1, cell.h2h_weight.shape))
    cell.i2h_bias.set_data(nd.ones(cell.i2h_bias.shape) * value)


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybrid"])
@pytest.mark.parametrize("rates", [(0.3, 0.0, 0.5), (0.0, 0.4, 0.5)])
def test_variational_dropout_shares_its_masks(rates, hybridize):
    base = rnn.RNNCell(100, input_size=100, activation="relu")
    cell = contrib.rnn.VariationalDropoutCell(base, *rates)
    cell.initialize()
    base.i2h_weight.set_data(nd.array(np.eye(100)))
    base.h2h_weight.set_data(nd.array(np.eye(100)))
    block = Unrolled(cell, merge_outputs=True)
    if hybridize:
        block.hybridize()
    with autograd.train_mode():
        out, states = block(nd.ones((50, 3, 100)))
        out, state = out.asnumpy(), states[0].asnumpy()
        again = block(nd.ones((50, 3, 100)))[0].asnumpy()
    dropped = (out == 0).all(1)
    if rates[0]:  # input masked: an element stays 0 for good, or grows by the same each step
        assert abs((state == 0).mean() - 0.3) < 0.03
        assert abs(dropped.mean() - (1 - 0.7 * 0.5)) < 0.03
    else:
        assert abs((state == 1).mean() - 0.4) < 0.03, "a forgotten state starts anew in every step"
        assert abs(dropped.mean() - 0.5) < 0.03
    assert ((out == 0).any(1) == dropped).all(), "one mask for all steps"
    assert (again != out).any(), "another one in the next call"


def test_dropout_between_layers():
    layer = rnn.LSTM(20, 2, dropout=0.5, input_size=4)
    layer.initialize()
    data = nd.random.uniform(shape=(3, 2, 4))
    assert (layer(data) == layer(data)).asnumpy().all()
    with autograd.train_mode():
        assert (layer(data) != layer(data)).asnumpy().any()


# ---- calls ----------------------------------------------------------------------------------------------------------


def test_layer_with_and_without_states():
    for hybridize in (False, True):
        layer = rnn.LSTM(3, input_size=5)
        layer.initialize()
        layer.hybridize(hybridize)
        x = nd.random.uniform(shape=(2, 4, 5))
        alone = layer(x)
        out, states = layer(x, layer.begin_state(4))
        assert (alone == out).asnumpy().all() and [s.shape for s in states] == [(1, 4, 3)] * 2
        assert layer(x).shape == (2, 4, 3)
        _, states = layer(x[:1], layer.begin_state(4))
        second, _ = layer(x[1:], states)
        np.testing.assert_allclose(second.asnumpy(), out[1:].asnumpy(), rtol=1e-5, atol=1e-6)
    gru = rnn.GRU(3, input_size=5)
    gru.initialize()
    out, states = gru(x, gru.begin_state(4)[0])
    assert isinstance(states, list) and len(states) == 1
    with pytest.raises(ValueError, match=r"Invalid recurrent state shape. Expecting \(1, 4, 3\), got \(1, 5, 3\)"):
        gru(x, gru.begin_state(5))


def test_begin_state():
    cell = rnn.LSTMCell(3, prefix="c_")
    assert [s.shape for s in cell.begin_state(2)] == [(2, 3)] * 2
    names = [s.name for s in cell.begin_state(2, func=mx.sym.var)]
    assert names == ["c_begin_state_2", "c_begin_state_3"]
    cell.reset()
    assert [s.name for s in cell.begin_state(func=mx.sym.zeros)] == ["c_begin_state_0", "c_begin_state_1"]
    assert cell.begin_state(2, dtype="float64", ctx=mx.cpu(1))[0].context == mx.cpu(1)
    assert (cell.begin_state(2, func=nd.ones)[0].asnumpy() == 1).all()
    layer = rnn.LSTM(3, 2, dtype="float16", prefix="l_")
    states = layer.begin_state(4)
    assert [(s.shape, s.dtype) for s in states] == [((2, 4, 3), np.float16)] * 2
    assert [s.name for s in layer.begin_state(4, func=mx.sym.zeros)] == ["l_h0_0", "l_h0_1"]
    with pytest.raises(ValueError, match="needs the number of examples"):
        cell.begin_state()


def test_cast():
    cell, layer = rnn.GRUCell(3), rnn.LSTM(3, layout="NTC")
    x = nd.random.uniform(shape=(2, 4, 5), dtype="float64")
    for block in (cell, layer):
        block.initialize()
        block.cast("float64")
    outputs, states = cell.unroll(4, x, merge_outputs=True)
    assert outputs.dtype == states[0].dtype == layer(x).dtype == layer.begin_state(2)[0].dtype == np.float64
    layer.hybridize()
    assert layer(x).dtype == np.float64
    made = rnn.LSTM(3, dtype="float64")
    made.initialize()
    assert made(x).dtype == np.float64 and made.l0_i2h_weight.dtype == "float64"


def test_several_contexts():
    contexts = [mx.cpu(0), mx.cpu(1)]
    layer, cell = rnn.LSTM(3), rnn.LSTMCell(3)
    for block in (layer, cell):
        block.initialize(ctx=contexts)
    x = nd.random.uniform(shape=(2, 4, 5))
    for hybridize in (False, True):
        for block in (layer, cell):
            block.hybridize(hybridize)
        outs = [layer(x.as_in_context(c)) for c in contexts]
        unrolled = [cell.unroll(4, x.as_in_context(c), merge_outputs=True)[0] for c in contexts]
        for pair in (outs, unrolled):
            assert [p.context for p in pair] == contexts
            np.testing.assert_allclose(pair[0].asnumpy(), pair[1].asnumpy(), rtol=1e-5, atol=1e-6)


def test_layers_inside_of_a_hybrid_network():
    net = nn.HybridSequential()
    net.add(nn.Embedding(9, 5), rnn.GRU(4, bidirectional=True), rnn.LSTM(3, layout="TNC"), nn.Dense(2, flatten=False))
    net.initialize()
    tokens = nd.array(np.random.randint(0, 9, (6, 2)))
    net.hybridize()
    fast = net(tokens).asnumpy()
    net.hybridize(False)
    np.testing.assert_allclose(net(tokens).asnumpy(), fast, rtol=1e-5, atol=1e-6)
    net.hybridize()
    assert net(tokens[:3]).shape == (3, 2, 2) and net(tokens[:, :1]).shape == (6, 1, 2), "shapes may change"


@pytest.mark.parametrize("layout", ["TNC", "NTC"])
@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybrid"])
def test_dynamic_unroll(layout, hybridize):
    cell = rnn.LSTMCell(3, prefix="rnn_")
    cell.initialize()

    class Dynamic(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.cell = cell

        def hybrid_forward(self, F, x, state, memory, lengths=None):
            return contrib.rnn.rnn_cell.dynamic_unroll(cell, x, [state, memory], layout=layout, valid_length=lengths)

    block = Dynamic()
    data = nd.random.uniform(shape=(2, 5, 4) if layout == "NTC" else (5, 2, 4))
    states = [nd.random.uniform(shape=(2, 3)) for _ in range(2)]
    cell(data[0][:1], [s[:1] for s in states])  # shapes
    if hybridize:
        block.hybridize()
    for lengths in (None, nd.array([2, 5])):
        if hybridize:
            block.hybridize()
        more = [] if lengths is None else [lengths]
        looped, straight = {}, {}
        cases.differentiate(mx, lambda *a, m=more: block(*a, *m), [data, *states], cell, looped, "")
        cases.differentiate(
            mx,
            lambda x, s, m, v=lengths: cell.unroll(5, x, [s, m], layout, merge_outputs=True, valid_length=v),
            [data, *states],
            cell,
            straight,
            "",
        )
        assert looped.keys() == straight.keys()
        for key, value in straight.items():
            np.testing.assert_allclose(looped[key], value, rtol=1e-4, atol=1e-5, err_msg=key)
    with autograd.train_mode():
        out, _ = contrib.rnn.rnn_cell.dynamic_unroll(cell, data, states, 0.2, 0.5, layout)
    zero = (out == 0).asnumpy()
    axis = layout.find("T")
    assert (zero.any(axis) == zero.all(axis)).all(), "one mask for all steps"


def test_leaky_activation():
    cell = rnn.RNNCell(3, activation=nn.LeakyReLU(0.3))
    cell.initialize()
    assert repr(cell) == "RNNCell(None -> 3, LeakyReLU(0.3))"
    cell(nd.ones((2, 4)), cell.begin_state(2))
    set_bias(cell, -1)
    outputs, _ = cell.unroll(2, nd.zeros((1, 2, 4)))
    np.testing.assert_allclose(outputs[0].asnumpy(), -0.3, rtol=1e-6)


class _ResetBySwitch(gluon.HybridBlock):
    """Begin states of an open batch size, chosen with ``where``: their size is known from the first step only."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def hybrid_forward(self, F, x, switch):
        size = x.shape[0] if isinstance(x, gluon.tensor_types[1]) else 0
        begin = self.cell.begin_state(func=F.zeros, batch_size=size)
        states = [F.where(switch, state, state) for state in begin]
        return self.cell.unroll(3, x, begin_state=states, layout="NTC", merge_outputs=True)[0]


@pytest.mark.parametrize("kind", [rnn.LSTMCell, rnn.GRUCell, rnn.RNNCell])
def test_open_begin_states_behind_where(kind):
    net = _ResetBySwitch(kind(4))
    net.initialize(mx.init.Constant(0.1))
    x, switch = mx.nd.ones((2, 3, 5)), mx.nd.ones((2, 4))
    eager = net(x, switch).asnumpy()
    net.hybridize()
    np.testing.assert_allclose(net(x, switch).asnumpy(), eager, rtol=1e-6)


def test_stacks_are_lists_of_cells():
    for kind in (rnn.SequentialRNNCell, rnn.HybridSequentialRNNCell):
        cells = kind()
        for size in (3, 4, 5):
            cells.add(rnn.RNNCell(size))
        assert len(cells) == 3 and [c._hidden_size for c in cells] == [3, 4, 5] and cells[1]._hidden_size == 4


def test_wrong_use():
    cell = rnn.LSTMCell(3, input_size=2)
    cell.initialize()
    x = nd.ones((1, 2, 2))
    for wrong in ({"length": 3, "inputs": x}, {"length": 3, "inputs": [nd.ones((1, 2))] * 2}):
        with pytest.raises(AssertionError):
            cell.unroll(**wrong)
    with pytest.raises(AssertionError, match="deprecated"):
        cell.unroll(2, None)
    with pytest.raises(AssertionError, match="grouped symbol"):
        cell.unroll(2, mx.sym.Group([mx.sym.var("a"), mx.sym.var("b")]))
    with pytest.raises(AssertionError, match="layout"):
        cell.unroll(2, x, layout="NXC")
    both = rnn.BidirectionalCell(rnn.RNNCell(2), rnn.RNNCell(2))
    with pytest.raises(NotImplementedError, match="Bidirectional cannot be stepped"):
        both(x, [])
    with pytest.raises(AssertionError, match="doesn't support zoneout"):
        rnn.ZoneoutCell(both)
    stack = rnn.SequentialRNNCell()
    stack.add(both)
    with pytest.raises(AssertionError, match="cannot be stepped"):
        stack(nd.ones((1, 2)), stack.begin_state(batch_size=1))
    rnn.ResidualCell(cell)
    with pytest.raises(AssertionError, match="Call the modifier cell instead"):
        cell.begin_state(1)
    with pytest.raises(AssertionError, match="rate must be a number"):
        rnn.DropoutCell("half")
    with pytest.raises(AssertionError, match="Invalid layout NCT"):
        rnn.GRU(3, layout="NCT")
    with pytest.raises(AssertionError, match="projection"):
        rnn.LSTM(3, projection_size=2)._unfuse()
    with pytest.raises(TypeError):
        rnn.GRU(3, projection_size=2)
    with pytest.raises(AssertionError, match="Only support odd number, get h2h_kernel= 2"):
        contrib.rnn.Conv1DRNNCell((2, 5), 3, 3, 2)
    with pytest.raises(AssertionError, match="For 1D convolution"):
        contrib.rnn.Conv1DRNNCell((2, 5), 3, (3, 3), 3)
    for abstract in (rnn.RecurrentCell(), rnn.HybridRecurrentCell()):
        with pytest.raises(NotImplementedError):
            abstract.begin_state(1)
        with pytest.raises(NotImplementedError):
            abstract(nd.ones((1, 2)), [])
    with pytest.raises(NotImplementedError):
        rnn.ModifierCell(rnn.RNNCell(3))(nd.ones((1, 3)), [nd.ones((1, 3))])


# ---- whole sequences as one step ------------------------------------------------------------------------------------


def fused(block):
    """The number of sequences that the block's training program runs as one step."""
    (program,) = {run.__self__ for run, *_ in block._cached_op._programs.values()}
    return sum(type(step.kernel).__name__ == "_Sequence" for step in program._training.steps)


class Stacked(gluon.HybridBlock):
    """Two LSTM cells on top of each other, stepped together; gives outputs, states and all memories."""

    def __init__(self, feedback=False):
        super().__init__()
        self.feedback = feedback
        with self.name_scope():
            self.low, self.high = rnn.LSTMCell(4, input_size=4), rnn.LSTMCell(4, input_size=4)

    def hybrid_forward(self, F, x, h, c):
        low, high, outputs, memories = [h, c], [h, c], [], []
        for step in range(3):
            part = F.squeeze(F.slice_axis(x, axis=1, begin=step, end=step + 1), axis=1)
            if self.feedback and outputs:
                part = part + outputs[-1]
            output, low = self.low(part, low)
            output, high = self.high(output, high)
            outputs.append(output)
            memories.append(low[1])
        return F.stack(*outputs), high, F.add_n(*memories)


@pytest.mark.parametrize("feedback", [False, True])
def test_sequences_in_a_graph_run_as_one(feedback):
    block = Stacked(feedback)
    block.initialize()
    cases.set_params(mx, block)
    inputs = [nd.random.uniform(-1, 1, shape) for shape in ((2, 3, 4), (2, 4), (2, 4))]
    eager, graph = {}, {}
    cases.differentiate(mx, block, inputs, block, eager, "")
    block.hybridize()
    cases.differentiate(mx, block, inputs, block, graph, "")
    assert fused(block) == (0 if feedback else 2), "where a cell sees its own output it must run step by step"
    assert eager.keys() == graph.keys()
    for key, value in eager.items():
        np.testing.assert_allclose(graph[key], value, rtol=1e-4, atol=1e-5, err_msg=key)
    out = block(*inputs)[0]
    np.testing.assert_allclose(out.asnumpy(), eager[" result 0"], rtol=1e-4, atol=1e-5)


def test_a_sequence_says_what_is_wrong_as_its_steps_do():
    block = Stacked()
    block.initialize()
    block.hybridize()
    good = nd.ones((2, 3, 4))
    with autograd.record():
        block(good, nd.ones((2, 4)), nd.ones((2, 4)))
        with pytest.raises(mx.MXNetError, match="h2h"):
            block(good, nd.ones((2, 5)), nd.ones((2, 4)))
        with pytest.raises(mx.MXNetError, match="elemwise_mul"):
            block(good, nd.ones((2, 4)), nd.ones((3, 4)))
    block.cast("float16")
    with autograd.record():
        half = block(good.astype("float16"), *[nd.ones((2, 4), dtype="float16")] * 2)[0]
    assert half.dtype == np.float16


@pytest.mark.parametrize("lengths", [None, [2, 3]])
def test_unrolled_lstm_has_gradients_of_gradients(lengths):
    cell = rnn.LSTMCell(3, input_size=2)
    cell.initialize()
    cases.set_params(mx, cell)
    plain = type("Plain", (rnn.LSTMCell,), {"forward": lambda self, *a: super(type(self), self).forward(*a)})
    slow = plain(3, input_size=2)
    slow.initialize()
    cases.set_params(mx, slow)
    valid = None if lengths is None else nd.array(lengths)
    found = []
    for each in (cell, slow):
        x = nd.array(cases.values(np.random.RandomState(1), (2, 3, 2)))
        x.attach_grad()
        with autograd.record():
            out, states = each.unroll(3, x, merge_outputs=True, valid_length=valid)
            total = (out**2).sum() + states[1].sum()
            (slope,) = autograd.grad(total, [x], create_graph=True)
            penalty = (slope**2).sum()
        penalty.backward()
        found.append([x.grad.asnumpy(), each.h2h_weight.grad().asnumpy()])
    for fast, wanted in zip(*found, strict=True):
        np.testing.assert_allclose(fast, wanted, rtol=1e-4, atol=1e-6)
        assert (fast != 0).any()


def test_unrolled_lstm_goes_back_twice():
    cell = rnn.LSTMCell(3, input_size=2)
    cell.initialize()
    x = nd.random.uniform(shape=(2, 3, 2))
    with autograd.record():
        out, _ = cell.unroll(3, x, merge_outputs=True)
    out.backward(retain_graph=True)
    first = cell.i2h_weight.grad().asnumpy()
    out.backward()
    np.testing.assert_allclose(cell.i2h_weight.grad().asnumpy(), first, rtol=1e-6)
    assert (first != 0).any()
    with pytest.raises(mx.MXNetError):
        out.backward()


def test_cells_with_hooks_or_own_code_are_stepped():
    cell = rnn.LSTMCell(3, input_size=2)
    cell.initialize()
    calls = []
    handle = cell.register_forward_hook(lambda block, inputs, outputs: calls.append(block))
    x = nd.random.uniform(shape=(2, 4, 2))
    slow = cell.unroll(4, x, merge_outputs=True)[0]
    assert len(calls) == 4
    handle.detach()
    fast = cell.unroll(4, x, merge_outputs=True)[0]
    assert len(calls) == 4
    np.testing.assert_allclose(fast.asnumpy(), slow.asnumpy(), rtol=1e-5, atol=1e-6)
    outputs, states = cell.unroll(4, [x[:, t] for t in range(4)])
    assert len(outputs) == 4 and (states[0] == outputs[-1]).asnumpy().all()
    outputs[-1][:] = 0
    assert (states[0] != 0).asnumpy().all(), "outputs and states have memory of their own"


def test_training_an_unrolled_cell_does_not_load_sympy():
    """torch.autograd.grad does, for a check of its arguments: 65 MB and a second."""
    program = """
        import sys
        import mxnet as mx

        cell = mx.gluon.rnn.LSTMCell(4, input_size=3)
        cell.initialize()
        with mx.autograd.record():
            output, _ = cell.unroll(3, mx.nd.ones((2, 3, 3)), layout="NTC", merge_outputs=True)
            loss = output.sum()
        loss.backward()
        assert cell.i2h_weight.grad().abs().sum().asscalar() > 0
        assert "sympy" not in sys.modules
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True, timeout=120)
