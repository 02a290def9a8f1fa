"""The RNN operator where the original has no results to compare with: it ignores sequence lengths and clipping on the
CPU, cannot train projections there, and draws its own random numbers for dropout."""

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.ops import registry
from mxnet.ops.infer import UNKNOWN, infer_dtypes, infer_shapes

GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}
STEPS, BATCH, FEATURES, HIDDEN = 5, 4, 3, 4


def make(mode, layers=1, directions=1, projection=None, dtype=torch.float64):
    """Random inputs (data, parameters, state[, state_cell]) and the attributes that go with them."""
    draw = torch.Generator().manual_seed(0)
    state, size = projection or HIDDEN, 0
    for layer in range(layers):
        width = FEATURES if layer == 0 else directions * state
        size += directions * (GATES[mode] * HIDDEN * (width + state + 2) + (projection or 0) * HIDDEN)
    shapes = [(STEPS, BATCH, FEATURES), (size,), (layers * directions, BATCH, state)]
    if mode == "lstm":
        shapes.append((layers * directions, BATCH, HIDDEN))
    inputs = [torch.rand(s, dtype=dtype, generator=draw) - 0.5 for s in shapes]
    attrs = {"mode": mode, "state_size": HIDDEN, "num_layers": layers, "bidirectional": directions == 2}
    return inputs, {**attrs, "projection_size": projection, "state_outputs": True}


def kernel(inputs, attrs, lengths=None, train=False, seed=0, **more):
    rng = torch.Generator().manual_seed(seed)
    if lengths is not None:
        inputs = [*inputs, *[None] * (4 - len(inputs)), lengths]
        more["use_sequence_length"] = True
    return registry.get("RNN").kernel(*inputs, **{**attrs, **more}, _train=train, _rng=rng)


CONFIGURATIONS = [
    ("rnn_relu", 1, 1, None),
    ("rnn_tanh", 2, 2, None),
    ("gru", 2, 2, None),
    ("lstm", 2, 2, None),
    ("lstm", 2, 2, 2),
]
# only LSTM has a cell state to clip
CLIPPED = [(c, None) for c in CONFIGURATIONS] + [(c, 0.2) for c in CONFIGURATIONS if c[0] == "lstm"]


@pytest.mark.parametrize(("configuration", "clip"), CLIPPED)
def test_sequence_lengths(configuration, clip):
    """A batch of sequences of different lengths gives what each gives alone, zeros beyond its end."""
    inputs, attrs = make(*configuration)
    attrs |= {"lstm_state_clip_min": None if clip is None else -clip, "lstm_state_clip_max": clip}
    lengths = torch.tensor([3, 5, 1, 4])
    output, *ends = kernel(inputs, attrs, lengths.to(torch.float64))
    for i, length in enumerate(lengths.tolist()):
        alone = [inputs[0][:length, i : i + 1], inputs[1], *(s[:, i : i + 1] for s in inputs[2:])]
        expected, *expected_ends = kernel(alone, attrs)
        torch.testing.assert_close(output[:length, i : i + 1], expected)
        assert not output[length:, i].any()
        for end, expected_end in zip(ends, expected_ends, strict=True):
            torch.testing.assert_close(end[:, i : i + 1], expected_end)


@pytest.mark.parametrize("mode", ["lstm", "gru"])
def test_an_empty_sequence_keeps_its_state(mode):
    inputs, attrs = make(mode)
    output, *ends = kernel(inputs, attrs, torch.tensor([0, 2, 5, 1]))
    assert not output[:, 0].any()
    for end, begin in zip(ends, inputs[2:], strict=True):
        torch.testing.assert_close(end[:, 0], begin[:, 0])


def test_sequence_lengths_through_the_public_function():
    inputs, attrs = make("gru", dtype=torch.float32)
    data, parameters, state = (mx.nd.array(t.numpy()) for t in inputs)
    lengths = mx.nd.array([1, 2, 3, 4], dtype="int32")
    named = mx.nd.RNN(data, parameters, state, sequence_length=lengths, use_sequence_length=True, **attrs)
    fourth = mx.nd.RNN(data, parameters, state, lengths, use_sequence_length=True, **attrs)
    for a, b in zip(named, fourth, strict=True):
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())
    with pytest.raises(mx.MXNetError, match="sequence_length must be between 0 and 5"):
        mx.nd.RNN(data, parameters, state, mx.nd.array([1, 2, 3, 9]), use_sequence_length=True, **attrs)


@pytest.mark.parametrize("lengths", [None, torch.tensor([3, 5, 0, 4])])
@pytest.mark.parametrize(("configuration", "clip"), CLIPPED)
def test_gradients(configuration, clip, lengths):
    """Numeric gradients of every input, for what the golden files cannot hold."""
    inputs, attrs = make(*configuration)
    variables = [t.requires_grad_() for t in inputs]
    more = {} if clip is None else {"lstm_state_clip_min": -clip, "lstm_state_clip_max": clip}
    assert torch.autograd.gradcheck(lambda *v: kernel(list(v), attrs, lengths, **more), variables, fast_mode=True)


def test_clipping():
    inputs, attrs = make("lstm", layers=2, directions=2)
    wide = kernel(inputs, attrs, lstm_state_clip_min=-100.0, lstm_state_clip_max=100.0)
    for a, b in zip(wide, kernel(inputs, attrs), strict=True):
        torch.testing.assert_close(a, b)
    narrow = kernel(inputs, attrs, lstm_state_clip_min=-0.05, lstm_state_clip_max=0.1)
    assert narrow[2].min() == -0.05
    assert narrow[2].max() == 0.1


@pytest.mark.parametrize("stop", [True, False])
def test_clipping_stops_nan_if_asked(stop):
    inputs, attrs = make("lstm")
    inputs[3][0, 0, 0] = float("nan")
    limits = {"lstm_state_clip_min": -0.5, "lstm_state_clip_max": 0.5, "lstm_state_clip_nan": stop}
    assert kernel(inputs, attrs, **limits)[2].isnan().any().item() is not stop


def test_dropout_is_between_layers_only_in_training():
    one, attrs = make("lstm")
    assert torch.equal(kernel(one, attrs, p=0.9, train=True)[0], kernel(one, attrs)[0])
    two, attrs = make("lstm", layers=2)
    plain = kernel(two, attrs)
    assert torch.equal(kernel(two, attrs, p=0.9)[0], plain[0])
    dropped = kernel(two, attrs, p=0.5, train=True)
    assert not torch.allclose(dropped[0], plain[0])
    torch.testing.assert_close(dropped[1][0], plain[1][0])  # the first layer is not touched
    again, other = kernel(two, attrs, p=0.5, train=True), kernel(two, attrs, p=0.5, train=True, seed=1)
    assert torch.equal(dropped[0], again[0])
    assert not torch.equal(dropped[0], other[0])


def test_dropout_keeps_the_mean():
    """A second layer that adds up what it gets shows the scaled share of what was kept."""
    attrs = {"mode": "rnn_relu", "state_size": 100, "num_layers": 2, "p": 0.25}
    first = torch.cat([torch.zeros(100 * 1), torch.zeros(100 * 100)])
    second = torch.cat([torch.full((100 * 100,), 0.01), torch.zeros(100 * 100)])
    biases = torch.cat([torch.ones(100), torch.zeros(300)])
    parameters = torch.cat([first, second, biases])
    output = kernel([torch.zeros(20, 50, 1), parameters, torch.zeros(2, 50, 100)], attrs, train=True)[:, :, 0]
    kept = output * 0.75  # the mean of 100 numbers that are 1 with probability 0.75
    assert abs(kept.mean().item() - 0.75) < 0.005
    assert abs(kept.std().item() - (0.25 * 0.75 / 100) ** 0.5) < 0.005


def test_seed_makes_dropout_repeatable():
    inputs, attrs = make("gru", layers=2, dtype=torch.float32)
    arrays = [mx.nd.array(t.numpy()) for t in inputs]
    results = []
    for seed in (3, 3, 4):
        mx.random.seed(seed)
        with mx.autograd.train_mode():
            results.append(mx.nd.RNN(*arrays, p=0.5, **attrs)[0].asnumpy())
    assert np.array_equal(results[0], results[1])
    assert not np.array_equal(results[0], results[2])


@pytest.mark.parametrize(
    ("attrs", "size", "states"),
    [
        ({"mode": "lstm", "state_size": 5, "num_layers": 2}, 460, [(2, 2, 5), (2, 2, 5)]),
        ({"mode": "lstm", "state_size": 5, "num_layers": 2, "projection_size": 3}, 370, [(2, 2, 3), (2, 2, 5)]),
        ({"mode": "gru", "state_size": 5, "num_layers": 2}, 345, [(2, 2, 5)]),
    ],
)
def test_shapes_of_unknown_inputs(attrs, size, states):
    op = registry.get("RNN")
    parsed = op.parse(attrs)
    names = op.active_inputs(parsed)
    inputs, outputs = infer_shapes(op, [(3, 2, 4), *[None] * (len(names) - 1)], parsed)
    assert inputs == [(3, 2, 4), (size,), *states]
    assert outputs == [(3, 2, attrs.get("projection_size", 5))]
    partial, outputs = infer_shapes(op, [(3, UNKNOWN, 4), *[None] * (len(names) - 1)], parsed)
    assert partial[1:3] == [(size,), (2, UNKNOWN, states[0][2])]
    assert outputs == [(3, UNKNOWN, attrs.get("projection_size", 5))]
    assert infer_dtypes(op, [torch.float64, *[None] * (len(names) - 1)], parsed)[0] == [torch.float64] * len(names)
