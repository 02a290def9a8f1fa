"""Samples of the fused RNN operator."""

from .common import S, rand

GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


def call(
    mode, steps=3, batch=2, features=4, hidden=3, layers=1, directions=1, projection=None, dtype="float32", **kwargs
):
    """A sample with inputs of the right shapes; the weights are small so that gates do not saturate."""
    state = projection or hidden
    size = 0
    for layer in range(layers):
        width = features if layer == 0 else directions * state
        size += directions * (GATES[mode] * hidden * (width + state + 2) + (projection or 0) * hidden)
    inputs = [
        rand(steps, batch, features, dtype=dtype),
        rand(size, low=-0.7, high=0.7, dtype=dtype),
        rand(layers * directions, batch, state, seed=1, dtype=dtype),
    ]
    if mode == "lstm":
        inputs.append(rand(layers * directions, batch, hidden, seed=2, dtype=dtype))
    if projection:
        kwargs["projection_size"] = projection
    return S("RNN", *inputs, mode=mode, state_size=hidden, num_layers=layers, bidirectional=directions == 2, **kwargs)


DATA, STATE = rand(3, 2, 4), rand(1, 2, 3)
LSTM = {"mode": "lstm", "state_size": 3, "num_layers": 1}

SAMPLES = [
    call(mode, layers=layers, directions=directions, state_outputs=state_outputs)
    for mode in sorted(GATES)
    for layers, directions, state_outputs in [(1, 1, False), (2, 1, True), (1, 2, True), (3, 2, False)]
]
SAMPLES += [call(mode, dtype="float64", layers=2, state_outputs=True) for mode in sorted(GATES)]
SAMPLES += [
    call("lstm", steps=1, batch=1, state_outputs=True),
    call("gru", steps=1, batch=1, features=1, hidden=1),
    call("lstm", layers=2, p=0.5, state_outputs=True),
    call("gru", layers=2, p=0.0, train=True),
    call("lstm", projection=2, state_outputs=True, grad=False),
    call("lstm", projection=2, layers=2, directions=2, state_outputs=True, grad=False),
    S("RNN", DATA, rand(107), STATE, STATE, error=True, **LSTM),
    S("RNN", DATA, rand(108), STATE, STATE, error=True, **dict(LSTM, p=1.5)),
    S("RNN", DATA, rand(108), rand(2, 2, 3), STATE, error=True, **LSTM),
    S("RNN", DATA, rand(108), STATE, error=True, **LSTM),
    S("RNN", DATA, rand(108), STATE, STATE, STATE, error=True, **LSTM),
    S("RNN", rand(3, 4), rand(108), STATE, STATE, error=True, **LSTM),
    S("RNN", DATA, rand(108), STATE, STATE, error=True, **dict(LSTM, mode="lstmp")),
]
