"""The fused recurrent layers: a node of ONNX's for each layer."""

from __future__ import annotations

from typing import Any

import torch

from ....ops.nn.rnn import _GATES, _layout, _unpack
from ..graph import Call, Graph, converter

#: In which order ONNX has the gates: i, o, f, c (MXNet: i, f, c, o), and z, r, h (MXNet: r, z, h).
_ORDER = {"lstm": [0, 3, 1, 2], "gru": [1, 0, 2], "rnn_tanh": [0], "rnn_relu": [0]}
_OPS = {"lstm": "LSTM", "gru": "GRU", "rnn_tanh": "RNN", "rnn_relu": "RNN"}


def _reorder_gates(weight: torch.Tensor, mode: str) -> torch.Tensor:
    parts = weight.chunk(_GATES[mode])
    return torch.cat([parts[i] for i in _ORDER[mode]])


@converter("RNN")
def rnn(g: Graph, n: Call) -> Any:
    attrs, mode = n.attrs, n.attrs["mode"]
    if attrs["projection_size"]:
        raise n.refuse("projection_size")
    if attrs["lstm_state_clip_min"] is not None or attrs["lstm_state_clip_max"] is not None:
        raise n.refuse("a clipped state")
    hidden, layers, directions = attrs["state_size"], attrs["num_layers"], 2 if attrs["bidirectional"] else 1
    sizes, shapes = _layout(mode, n.shape[2], hidden, layers, directions, None)
    parameters, vector = g.value(n.inputs[1]), None
    if parameters is None:  # known when the model runs: where each weight is in the vector stands for the weight
        parameters, vector = torch.arange(sum(sizes)), n.inputs[1]
    cells = _unpack(parameters, sizes, shapes, layers * directions)
    rest = list(n.inputs[2:])
    states = [rest.pop(0) for _ in range(2 if mode == "lstm" else 1)]
    lengths = g.cast(rest[0], torch.int32, n.dtypes[-1]) if rest else None
    starts = [_per_layer(g, s, layers, directions) for s in states]
    x, ends = n.x, []
    for layer in range(layers):
        mine = cells[layer * directions : (layer + 1) * directions]
        output, *end = _layer(g, mode, hidden, directions, x, mine, [s[layer] for s in starts], lengths, vector)
        # (steps, directions, batch, hidden) -> (steps, batch, directions * hidden)
        if directions == 1:
            x = g.squeeze(output, [1])
        else:
            x = g.add("Reshape", g.transpose(output, [0, 2, 1, 3]), g.const([0, 0, -1]))
        ends.append(end)
    if not attrs["state_outputs"]:
        return x
    return [x, *(parts[0] if layers == 1 else g.add("Concat", *parts, axis=0) for parts in zip(*ends, strict=True))]


def _per_layer(g: Graph, state: str, layers: int, directions: int) -> list[str | None]:
    """The first states of each layer; None where they are zero."""
    value = g.value(state)
    if state in g.zeros or (value is not None and not bool(value.any())):
        return [None] * layers
    if layers == 1:
        return [state]
    return list(g.add("Split", state, g.const([directions] * layers), outputs=layers, axis=0))


def _layer(
    g: Graph,
    mode: str,
    hidden: int,
    directions: int,
    x: str,
    cells: Any,
    states: list[str | None],
    lengths: str | None,
    vector: str | None,
) -> list[str]:
    w = torch.stack([_reorder_gates(c[0], mode) for c in cells])
    r = torch.stack([_reorder_gates(c[1], mode) for c in cells])
    b = torch.stack([torch.cat([_reorder_gates(c[2], mode), _reorder_gates(c[3], mode)]) for c in cells])
    options: dict[str, Any] = {"hidden_size": hidden}
    if directions == 2:
        options["direction"] = "bidirectional"
    if mode == "gru":
        options["linear_before_reset"] = 1
    if mode == "rnn_relu":
        options["activations"] = ["Relu"] * directions
    label = g.prefix
    names = [g.const(t.contiguous(), name=f"{label}_{kind}") for kind, t in (("W", w), ("R", r), ("B", b))]
    if vector is not None:
        names = [g.add("Gather", vector, places) for places in names]
    return g.add(_OPS[mode], x, *names, lengths, *states, outputs=3 if mode == "lstm" else 2, **options)
