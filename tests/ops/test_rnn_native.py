"""Recurrent layers by kernels of our own: they give what torch's give, near enough to double precision."""

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import native
from mxnet.ops import registry
from mxnet.ops.nn import recurrent, recurrent_native, rnn

GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}
MODES = list(GATES)
#: Steps, batch, features, hidden: sizes that fill vectors and tiles, and such that do not.
SIZES = [(1, 1, 1, 1), (5, 3, 4, 7), (4, 17, 5, 33), (3, 32, 20, 48), (70, 2, 6, 16), (9, 40, 3, 50)]

pytestmark = pytest.mark.skipif(native.library() is None, reason="built without a C compiler")


@pytest.fixture(autouse=True)
def _kernels_whenever_they_can(monkeypatch):
    monkeypatch.setattr(recurrent_native, "_are_faster", lambda *_: True)
    monkeypatch.setattr(recurrent_native, "_FEW", 0)


@pytest.fixture
def threads():
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


@pytest.fixture
def calls(monkeypatch):
    """What the kernels were called for."""
    found = []

    def counted(mode, *rest, **options):
        found.append(mode)
        return recurrent_native.native_layer(mode, *rest, **options)

    for module in (rnn, recurrent):
        monkeypatch.setattr(module, "native_layer", counted)
    return found


def make(mode, size, layers=1, directions=1, seed=0):
    """Inputs of the operator, and its attributes."""
    steps, batch, features, hidden = size
    draw = np.random.RandomState(seed)
    width, weights = features, []
    for _ in range(layers):
        for _ in range(directions):
            weights += [draw.uniform(-1, 1, GATES[mode] * hidden * n) / np.sqrt(n) for n in (width, hidden)]
        width = directions * hidden
    weights.append(draw.uniform(-0.5, 0.5, 2 * layers * directions * GATES[mode] * hidden))
    states = [draw.uniform(-1, 1, (layers * directions, batch, hidden)) for _ in range(2 if mode == "lstm" else 1)]
    inputs = [draw.uniform(-1, 1, (steps, batch, features)), np.concatenate(weights), *states]
    attrs = {"mode": mode, "state_size": hidden, "num_layers": layers, "bidirectional": directions == 2}
    return [torch.tensor(i, dtype=torch.float32) for i in inputs], {**attrs, "state_outputs": True}


def train(inputs, attrs, dtype=torch.float32, used=(0, 1, 2), **options):
    """Results and gradients of all inputs."""
    leaves = [i.to(dtype, copy=True).requires_grad_() for i in inputs]
    results = registry.get("RNN").kernel(*leaves, **attrs, **options)
    draw = torch.Generator().manual_seed(1)
    heads = [torch.randn(r.shape, generator=draw).to(dtype) for r in results]
    chosen = [i for i in used if i < len(results)]
    torch.autograd.backward([results[i] for i in chosen], [heads[i] for i in chosen])
    return [r.detach() for r in results] + [i.grad for i in leaves]


def without_kernels(monkeypatch, function, *arguments, **options):
    with monkeypatch.context() as patched:
        patched.setattr(native, "library", lambda: None)
        return function(*arguments, **options)


def assert_near(found, exact, tolerance=2e-5):
    for f, e in zip(found, exact, strict=True):
        assert (f is None) == (e is None)
        if f is not None:
            np.testing.assert_allclose(
                f.numpy(), e.numpy(), rtol=tolerance, atol=tolerance * (1 + e.abs().max().item())
            )


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mode", MODES)
def test_equal_to_torch_and_to_double_precision(mode, size, count, threads, monkeypatch, calls):
    threads(count)
    for layers, directions in ((1, 1), (2, 2)):
        inputs, attrs = make(mode, size, layers, directions)
        calls.clear()
        found = train(inputs, attrs)
        assert calls == [mode] * layers
        assert_near(found, train(inputs, attrs, torch.float64))
        assert_near(found, without_kernels(monkeypatch, train, inputs, attrs))
        assert calls == [mode] * layers
        predicted = registry.get("RNN").kernel(*inputs, **attrs)
        assert all(torch.equal(p, f) for p, f in zip(predicted, found, strict=False))
        assert all(torch.equal(f, again) for f, again in zip(found, train(inputs, attrs), strict=True))


@pytest.mark.parametrize(
    "mode, used", [("lstm", (0,)), ("lstm", (1,)), ("lstm", (2,)), ("lstm", (0, 2)), ("gru", (0,)), ("gru", (1,))]
)
def test_gradients_of_some_results(mode, used, calls):
    inputs, attrs = make(mode, (4, 5, 6, 7), directions=2)
    assert_near(train(inputs, attrs, used=used), train(inputs, attrs, torch.float64, used=used))
    assert calls == [mode]


@pytest.mark.parametrize("mode", MODES)
def test_gradients_of_some_inputs(mode, calls):
    inputs, attrs = make(mode, (4, 5, 6, 7), layers=2, directions=2)
    every = train(inputs, attrs)[-len(inputs) :]
    for i in range(len(inputs)):
        leaves = [t.clone().requires_grad_(j == i) for j, t in enumerate(inputs)]
        results = registry.get("RNN").kernel(*leaves, **attrs)
        draw = torch.Generator().manual_seed(1)
        torch.autograd.backward(results, [torch.randn(r.shape, generator=draw) for r in results])
        torch.testing.assert_close(leaves[i].grad, every[i], rtol=1e-5, atol=1e-5)
    assert len(calls) == 2 * (1 + len(inputs))


@pytest.mark.parametrize("directions", [1, 2])
@pytest.mark.parametrize("mode", MODES)
def test_gradients_of_gradients(mode, directions, calls):
    def second(dtype):
        inputs, attrs = make(mode, (3, 2, 3, 4), directions=directions)
        leaves = [i.to(dtype, copy=True).requires_grad_() for i in inputs]
        results = registry.get("RNN").kernel(*leaves, **attrs)
        # For double precision, by operations that torch differentiates itself.
        if dtype is torch.float64:
            count = 2 if mode == "lstm" else 1
            sizes, shapes = rnn._layout(mode, 3, 4, 1, directions, None)
            weights = [w for own in rnn._unpack(leaves[1], sizes, shapes, directions) for w in own]
            states = [*leaves[2 : 2 + count], *[None] * (2 - count)]
            results = [r for r in recurrent_native._plain(mode, False, leaves[0], *states, *weights) if r is not None]
        first = torch.autograd.grad(sum((r**2).sum() for r in results), leaves, create_graph=True)
        return torch.autograd.grad(sum((g**2).sum() for g in first), leaves)

    assert_near(second(torch.float32), second(torch.float64), 1e-4)
    assert calls == [mode]


@pytest.mark.parametrize("mode", MODES)
def test_backward_twice_gives_the_same(mode):
    inputs, attrs = make(mode, (3, 4, 5, 6))
    leaves = [i.clone().requires_grad_() for i in inputs]
    total = sum(r.sum() for r in registry.get("RNN").kernel(*leaves, **attrs))
    first, second = (torch.autograd.grad(total, leaves, retain_graph=True) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("mode", MODES)
def test_dropout_between_layers(mode, monkeypatch, calls):
    inputs, attrs = make(mode, (4, 6, 5, 7), layers=3)

    def run():
        return train(inputs, attrs, p=0.5, _train=True, _rng=torch.Generator().manual_seed(3))

    found = run()
    assert calls == [mode] * 3
    assert_near(found, without_kernels(monkeypatch, run))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 1e4, -1e4, 1e-30])
@pytest.mark.parametrize("mode", MODES)
def test_unusual_numbers(mode, value, monkeypatch):
    inputs, attrs = make(mode, (3, 4, 5, 6))
    inputs[0][1, 2, 3] = value
    results = registry.get("RNN").kernel(*inputs, **attrs)
    expected = without_kernels(monkeypatch, registry.get("RNN").kernel, *inputs, **attrs)
    for r, e in zip(results, expected, strict=True):
        np.testing.assert_allclose(r.numpy(), e.numpy(), rtol=2e-5, atol=2e-6)
    # Other members of the batch do not notice.
    assert all(torch.isfinite(r[..., [0, 1, 3], :]).all() for r in results)


def test_activations_are_exact():
    """An Elman cell of one unit shows tanh, and an LSTM whose other gates are open shows sigmoid."""
    x = torch.cat(
        [torch.linspace(-20, 20, 4001), torch.linspace(-0.01, 0.01, 2001), torch.tensor([1e-30, 90.0, -90.0])]
    )
    state = torch.zeros(1, len(x), 1)
    one = {"state_size": 1, "num_layers": 1}
    kernel = registry.get("RNN").kernel
    out = kernel(x.view(1, -1, 1), torch.tensor([1.0, 0, 0, 0]), state, mode="rnn_tanh", **one).flatten()
    exact = torch.tanh(x.double())
    assert ((out - exact).abs() <= 3e-7 * exact.abs()).all()
    assert out[-2:].tolist() == [1.0, -1.0]
    # i = sigmoid(x), f = o = sigmoid(90) = 1, g = tanh(90) = 1: the cell is sigmoid(x)
    weights = torch.tensor([1.0, 0, 0, 0, 0, 0, 0, 0, 0.0, 90, 90, 90, 0, 0, 0, 0])
    *_, cell = kernel(x.view(1, -1, 1), weights, state, state, mode="lstm", state_outputs=True, **one)
    exact = torch.sigmoid(x.double())
    assert ((cell.flatten() - exact).abs() <= 3e-7 * exact + 1e-37).all()


def test_arrays_need_not_be_contiguous(calls):
    inputs, attrs = make("lstm", (4, 5, 6, 7), directions=2)
    expected = registry.get("RNN").kernel(*inputs, **attrs)
    apart = [i.t().contiguous().t() if i.dim() == 2 else torch.stack([i, i], -1)[..., 0] for i in inputs]
    assert not any(a.is_contiguous() for a in apart)
    found = registry.get("RNN").kernel(*apart, **attrs)
    assert all(torch.equal(f, e) for f, e in zip(found, expected, strict=True))
    assert calls == ["lstm", "lstm"]


def test_what_kernels_are_not_for(calls):
    inputs, attrs = make("lstm", (4, 5, 6, 7))
    registry.get("RNN").kernel(*(i.double() for i in inputs), **attrs)
    registry.get("RNN").kernel(*(i.to("meta") for i in inputs), **attrs)
    lengths = torch.tensor([1, 2, 3, 4, 4])
    registry.get("RNN").kernel(*inputs, lengths, **attrs, use_sequence_length=True)
    registry.get("RNN").kernel(*inputs, **attrs, lstm_state_clip_min=-1.0, lstm_state_clip_max=1.0)
    assert calls == []


def test_large_weights_and_single_steps_are_left_to_torch(monkeypatch):
    monkeypatch.undo()
    faster = recurrent_native._are_faster
    assert faster("lstm", 35, 32, 8 * 200 * 200, True) and faster("lstm", 1, 1, 8 * 200 * 200, False)
    assert faster("gru", 35, 32, 6 * 200 * 200, True) and not faster("gru", 1, 8, 6 * 512 * 512, True)
    assert not faster("lstm", 35, 32, 8 * 1024 * 1024, True) and not faster("lstm", 1, 8, 8 * 512 * 512, False)


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("layer", [mx.gluon.rnn.LSTM, mx.gluon.rnn.GRU, mx.gluon.rnn.RNN])
def test_states_are_carried_from_batch_to_batch(layer, hybridize, calls):
    """Two halves of a sequence, one after the other, are the whole; batch-major, as GluonTS has it."""
    network = layer(7, num_layers=2, layout="NTC", input_size=5)
    network.initialize(mx.init.Uniform(0.5))
    if hybridize:
        network.hybridize()
    data = mx.nd.random.uniform(-1, 1, shape=(3, 8, 5))
    state = network.begin_state(batch_size=3)
    whole, ends = network(data, state)
    parts = []
    for k in range(2):
        part, state = network(data[:, 4 * k : 4 * k + 4], state)
        parts.append(part)
    np.testing.assert_allclose(mx.nd.concat(*parts, dim=1).asnumpy(), whole.asnumpy(), rtol=1e-5, atol=1e-6)
    for found, expected in zip(state, ends, strict=True):
        np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)
    assert len(calls) == 6


def test_fused_cell_in_a_module(monkeypatch, calls):
    """A language model's cell, trained by Module, with kernels and without."""

    def losses():
        cell = mx.rnn.FusedRNNCell(8, num_layers=2, mode="lstm", prefix="lstm_")
        outputs, _ = cell.unroll(6, mx.sym.var("data"), layout="NTC", merge_outputs=True)
        symbol = mx.sym.LinearRegressionOutput(outputs, mx.sym.var("label"), name="out")
        module = mx.mod.Module(symbol, label_names=["label"])
        draw = np.random.RandomState(0)
        data, label = (mx.nd.array(draw.uniform(-1, 1, (4, 6, n))) for n in (5, 8))
        module.bind([("data", data.shape)], [("label", label.shape)])
        mx.random.seed(1)
        np.random.seed(1)
        module.init_params(mx.init.Uniform(0.3))
        module.init_optimizer(optimizer="sgd", optimizer_params={"learning_rate": 0.5})
        found = []
        for _ in range(5):
            module.forward_backward(mx.io.DataBatch([data], [label]))
            module.update()
            found.append(float(((module.get_outputs()[0] - label) ** 2).mean().asscalar()))
        return found

    found = losses()
    assert calls and found[-1] < found[0]
    np.testing.assert_allclose(found, without_kernels(monkeypatch, losses), rtol=1e-5)


@pytest.mark.parametrize("all_memories", [False, True])
def test_sequence_of_cells(all_memories, monkeypatch, calls):
    inputs, _ = make("lstm", (5, 6, 7, 9))
    draw = torch.Generator().manual_seed(4)
    shapes = [(5, 6, 7), (6, 9), (6, 9), (36, 7), (36, 9), (36,), (36,)]
    inputs = [torch.randn(s, generator=draw) * 0.4 for s in shapes]

    def run(dtype=torch.float32):
        leaves = [i.to(dtype, copy=True).requires_grad_() for i in inputs]
        results = recurrent.lstm_sequence(leaves, all_memories)
        torch.autograd.backward(results, [torch.sin(torch.arange(r.numel()).view(r.shape)).to(dtype) for r in results])
        return [r.detach() for r in results] + [i.grad for i in leaves]

    found = run()
    assert calls == ["lstm"]
    assert_near(found, run(torch.float64))
    assert_near(found, without_kernels(monkeypatch, run))
