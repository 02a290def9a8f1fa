"""Recurrent layers, as MXNet's fused operator."""

from __future__ import annotations

from typing import Any

import torch

from ....error import MXNetNotImplementedError, MXNetValueError
from ..graph import Builder, OnnxNode, Value, importer

#: Where MXNet's gates are in ONNX's order: i, f, c, o among i, o, f, c; r, z, h among z, r, h.
_ORDER = {"LSTM": [0, 2, 3, 1], "GRU": [1, 0, 2], "RNN": [0]}
_DEFAULTS = {"LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"], "RNN": ["Tanh"]}


def _reorder_gates(weight: torch.Tensor, op: str) -> torch.Tensor:
    parts = weight.chunk(len(_ORDER[op]))
    return torch.cat([parts[i] for i in _ORDER[op]])


def _mode(n: OnnxNode, directions: int) -> str:
    given = [a.lower() for a in n.get("activations") or _DEFAULTS[n.op] * directions]
    if n.op == "RNN" and given == ["relu"] * directions:
        return "rnn_relu"
    if given != [a.lower() for a in _DEFAULTS[n.op]] * directions:
        raise MXNetNotImplementedError(f"the activations {given}")
    return {"LSTM": "lstm", "GRU": "gru", "RNN": "rnn_tanh"}[n.op]


@importer("LSTM", "GRU", "RNN")
def rnn(b: Builder, n: OnnxNode) -> list[Value]:
    direction = n.get("direction", "forward")
    directions = 2 if direction == "bidirectional" else 1
    if direction not in ("forward", "bidirectional", "reverse"):
        raise MXNetValueError(f"direction {direction!r}")
    if "clip" in n.attrs or n.get("input_forget", 0) or n.optional(7) is not None:
        raise MXNetNotImplementedError("clip, input_forget and peepholes")
    if n.op == "GRU" and not n.get("linear_before_reset", 0):
        raise MXNetNotImplementedError("a GRU with linear_before_reset=0: MXNet's is the other one")
    mode, hidden = _mode(n, directions), n.attrs["hidden_size"]
    last = bool(n.get("layout", 0))
    x = b.transpose(n.x, [1, 0, 2]) if last else n.x
    lengths = n.optional(4)
    if (
        lengths is not None
        and lengths.constant
        and all(bool((t == m.shape[0]).all()) for t, m in zip(lengths.trials, x.trials, strict=True))
    ):
        lengths = None  # all of them are whole
    if direction == "reverse":
        x = _reverse_sequence(b, x, lengths)
    vector = _parameters(b, n, directions, hidden)
    states = [_state(b, n, i, x, directions, hidden, last) for i in ((5, 6) if n.op == "LSTM" else (5,))]
    more = [] if lengths is None else [b.cast(lengths, x.dtype)]
    made = b.call("RNN", x, vector, *states, *more, state_size=hidden, num_layers=1, bidirectional=directions == 2,
                  mode=mode, state_outputs=True, use_sequence_length=bool(more), bare=False)  # fmt: skip
    output, *ends = made
    if direction == "reverse":
        output = _reverse_sequence(b, output, lengths)
    apart = b.reshape(
        output, [(*s[:2], directions, hidden) for s in output.shapes]
    )  # (steps, batch, directions, hidden)
    if last:
        return [b.transpose(apart, [1, 0, 2, 3]), *(b.transpose(e, [1, 0, 2]) for e in ends)]
    return [b.transpose(apart, [0, 2, 1, 3]), *ends]


def _reverse_sequence(b: Builder, x: Value, lengths: Value | None) -> Value:
    if lengths is None:
        return b.call("reverse", x, axis=(0,))
    return b.call("SequenceReverse", x, b.cast(lengths, torch.float32), use_sequence_length=True)


def _parameters(b: Builder, n: OnnxNode, directions: int, hidden: int) -> Value:
    """All weights, then all biases, in one vector."""
    weights: list[Any] = [n.optional(i) for i in (1, 2, 3)]
    if any(w is not None and not w.constant for w in weights):
        raise MXNetNotImplementedError("weights that are only known when the model runs")
    w, r = weights[0].trials[0], weights[1].trials[0]
    gates = len(_ORDER[n.op]) * hidden
    if w.shape[:2] != (directions, gates) or r.shape != (directions, gates, hidden):
        raise MXNetValueError(f"weights of shapes {tuple(w.shape)} and {tuple(r.shape)} for {hidden} states")
    bias = weights[2].trials[0] if weights[2] is not None else torch.zeros(directions, 2 * gates, dtype=w.dtype)
    if bias.shape != (directions, 2 * gates):
        raise MXNetValueError(f"a bias of shape {tuple(bias.shape)} for {hidden} states")
    pieces = [_reorder_gates(t[d], n.op).reshape(-1) for d in range(directions) for t in (w, r)]
    pieces += [_reorder_gates(half, n.op) for d in range(directions) for half in bias[d].chunk(2)]
    return b.const(torch.cat(pieces), name=f"{b.hint}_parameters")


def _state(b: Builder, n: OnnxNode, index: int, x: Value, directions: int, hidden: int, last: bool) -> Value:
    given = n.optional(index)
    if given is not None:
        return b.transpose(given, [1, 0, 2]) if last else given
    if x.has_fixed_shape:
        return b.const(torch.zeros(directions, x.shape[1], hidden, dtype=x.dtype), name=f"{b.hint}_state")
    corner = b.slice(b.slice(x, 0, 0, 1), 2, 0, 1)  # (1, batch, 1)
    zero = b.call("zeros_like", corner)
    return b.call("broadcast_axis", zero, axis=(0, 2), size=(directions, hidden))
