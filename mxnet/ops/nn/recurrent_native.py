"""Recurrent layers by kernels of our own (mxnet/native/recurrent.c), for float32 on the CPU.

The kernels go through all steps in both passes. What is left to torch are the gradients of the weights, products over
all steps at once.
"""

from collections.abc import Sequence
from typing import Any

import torch

from ... import native
from ..products import mm
from ..types import Ctx, Gradients
from .recurrent_plain import gradients, plain_sequence

_KINDS = {"rnn_relu": 0, "rnn_tanh": 1, "lstm": 2, "gru": 3}
#: The tensors of one direction: w_ih, w_hh, b_ih, b_hh.
_WEIGHTS = 4
#: With fewer products of numbers in all steps, waking other threads takes longer than it saves.
_FEW = 1 << 18


def can_run(data: torch.Tensor, states: Sequence[torch.Tensor], weights: Sequence[torch.Tensor]) -> bool:
    """Can the kernels run a layer?"""
    if data.dtype is not torch.float32 or not data.is_cpu or not data.numel() or not states[0].numel():
        return False
    if len(weights) % _WEIGHTS or native.library() is None:
        return False
    return all(t.dtype is torch.float32 and t.is_cpu for t in (*states, *weights))


def suits_kernels(
    mode: str, data: torch.Tensor, states: Sequence[torch.Tensor], weights: Sequence[torch.Tensor]
) -> bool:
    """Can the kernels run a layer, and are they faster?"""
    if not can_run(data, states, weights):
        return False
    training = torch.is_grad_enabled() and any(t.requires_grad for t in (data, *states, *weights))
    steps, batch, _ = data.shape
    return _are_faster(mode, steps, batch, weights[0].numel() + weights[1].numel(), training)


def _are_faster(mode: str, steps: int, batch: int, numbers: int, training: bool) -> bool:
    """As measured; ``numbers`` of weights have to be packed, and that must be worth it.

    oneDNN's kernels for LSTM pack them as well; torch's for the others do not, but take a small product per step for
    the gradient of a weight. All read them anew in each step; where caches are too small, the time is that of reading.
    """
    if mode == "lstm":
        return numbers <= 1 << 19 or (numbers <= 1 << 22 and (training or steps * batch >= 64))
    return steps >= 4 and (training or numbers <= 1 << 18 or (numbers <= 1 << 21 and steps * batch >= 256))


def native_layer(
    mode: str,
    data: torch.Tensor,
    states: Sequence[torch.Tensor],
    weights: Sequence[torch.Tensor],
    all_cells: bool = False,
) -> tuple[torch.Tensor, ...]:
    """One layer, in one direction or both: (outputs, last state of each direction), and the cells' as well for LSTM.

    With ``all_cells``, of LSTM in one direction, (outputs, cells after every step).
    """
    h, c = states if mode == "lstm" else (states[0], None)
    inputs = tuple(map(_contiguous, (data, h, c, *weights)))
    if torch.is_grad_enabled() and any(t is not None and t.requires_grad for t in inputs):
        results = _Layer.apply(mode, all_cells, *inputs)
    else:
        results = _run(mode, all_cells, all_cells, *inputs)[0]
    return results[:2] if c is None else results


def _contiguous(tensor: torch.Tensor | None) -> torch.Tensor | None:
    return None if tensor is None else tensor.contiguous()


def _run(
    mode: str, keep: bool, all_cells: bool, *inputs: torch.Tensor | None
) -> tuple[tuple[Any, ...], list[torch.Tensor | None]]:
    """The results of a layer and, with ``keep``, what its backward pass needs."""
    data, h, c, *weights = inputs
    assert data is not None and h is not None
    (steps, batch, features), (directions, _, hidden) = data.shape, h.shape
    # With a step before the first one of each direction, where its first states go.
    extended = data.new_empty(steps + directions, batch, directions * hidden)
    out = extended[1 : steps + 1]
    last_h, last_c = torch.empty_like(h), None if c is None else torch.empty_like(c)
    kept: list[torch.Tensor | None] = []
    for d in range(directions):
        gates = cells = inner = None
        if keep and mode == "lstm":
            gates, cells = data.new_empty(steps, batch, 4 * hidden), data.new_empty(steps + 1, batch, hidden)
            cells = cells[:-1] if d else cells[1:]
        elif keep and mode == "gru":
            gates, inner = data.new_empty(steps, batch, 3 * hidden), data.new_empty(steps, batch, hidden)
        own = weights[_WEIGHTS * d : _WEIGHTS * (d + 1)]
        native.kernels().recurrent_forward(
            data, *own, h, c, out, gates, cells, inner, last_h, last_c,
            steps, batch, features, hidden, directions * hidden, _KINDS[mode], d, _threads(steps * batch, own),
        )  # fmt: skip
        kept += [gates, cells, inner]
    return (out, kept[1]) if all_cells else (out, last_h, last_c), [*inputs, extended, *kept]


class _Layer(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Ctx, mode: str, all_cells: bool, *inputs: torch.Tensor | None) -> Any:
        results, kept = _run(mode, True, all_cells, *inputs)
        ctx.set_materialize_grads(False)
        ctx.mode, ctx.all_cells, ctx.inputs = mode, all_cells, len(inputs)
        ctx.save_for_backward(*kept, results[0])
        return results

    @staticmethod
    def backward(ctx: Ctx, *given: torch.Tensor | None) -> Gradients:  # type: ignore[override]
        inputs, (extended, *kept, out) = ctx.saved_tensors[: ctx.inputs], ctx.saved_tensors[ctx.inputs :]
        needed = ctx.needs_input_grad[2:]
        if torch.is_grad_enabled():  # somebody wants gradients of gradients
            results = _plain(ctx.mode, ctx.all_cells, *inputs)
            return None, None, *gradients(needed, inputs, results, given, create_graph=True)
        data, h, c, *weights = inputs
        (steps, batch, features), (directions, _, hidden) = data.shape, h.shape
        by_out, *by_ends = map(_contiguous, given)
        by_cells, by_last_h, by_last_c = (*by_ends, None, None) if ctx.all_cells else (None, *by_ends)
        by_data = torch.empty_like(data) if needed[0] else None
        by_h, by_c = torch.empty_like(h), None if c is None else torch.empty_like(c)
        by_weights: list[torch.Tensor | None] = []
        for d in range(directions):
            own = slice(_WEIGHTS * d, _WEIGHTS * (d + 1))
            w_ih, w_hh = weights[own][:2]
            by_gates = data.new_empty(steps, batch, 4 * hidden if ctx.mode == "gru" else len(w_hh))
            native.kernels().recurrent_backward(
                w_ih, w_hh, out, *kept[3 * d : 3 * d + 3], by_out, by_cells, by_last_h, by_last_c,
                by_data, by_h, by_c, by_gates, steps, batch, features, hidden, directions * hidden,
                _KINDS[ctx.mode], d, _threads(steps * batch, weights[own]),
            )  # fmt: skip
            before = extended[2:, :, hidden:] if d else extended[:steps, :, :hidden]
            by_weights += _weight_gradients(ctx.mode, data, before, by_gates, needed[3:][own])
        return None, None, by_data, by_h, by_c, *by_weights


def _weight_gradients(
    mode: str, data: torch.Tensor, before: torch.Tensor, by_gates: torch.Tensor, needed: Sequence[bool]
) -> list[torch.Tensor | None]:
    """The gradients of w_ih, w_hh, b_ih and b_hh of a direction; ``before`` is the states before each step."""
    flat, flat_data, flat_before = by_gates.flatten(0, 1), data.flatten(0, 1), before.flatten(0, 1)
    by_w_ih = by_w_hh = by_b_ih = by_b_hh = None
    if mode != "gru":
        by_bias = flat.sum(0) if needed[2] or needed[3] else None
        by_w_ih = mm(flat.t(), flat_data) if needed[0] else None
        by_w_hh = mm(flat.t(), flat_before) if needed[1] else None
        return [by_w_ih, by_w_hh, by_bias, by_bias]
    # Gates are n, r, z for the data and r, z, n for the states; weights have them as r, z, n.
    hidden = before.shape[2]
    if needed[0]:
        parts = flat[:, hidden : 3 * hidden], flat[:, :hidden]
        by_w_ih = torch.cat([mm(part.t(), flat_data) for part in parts])
    if needed[1]:
        by_w_hh = mm(flat[:, hidden:].t(), flat_before)
    if needed[2] or needed[3]:
        by_bias = flat.sum(0)
        by_b_ih, by_b_hh = by_bias[: 3 * hidden].roll(-hidden), by_bias[hidden:]
    return [by_w_ih, by_w_hh, by_b_ih, by_b_hh]


def _plain(mode: str, all_cells: bool, *inputs: Any) -> tuple[torch.Tensor | None, ...]:
    """The results of a layer by operations of torch."""
    data, h, c, *weights = inputs
    outputs, ends = [], []
    for d in range(len(h)):
        first_c = None if c is None else c[d]
        own = weights[_WEIGHTS * d : _WEIGHTS * (d + 1)]
        out, cells = plain_sequence(mode, data, h[d], first_c, *own, reverse=d == 1)
        if all_cells:
            return out, cells
        end = 0 if d else -1
        outputs.append(out)
        ends.append((out[end], None if cells is None else cells[end]))
    last_h, last_c = (None if each[0] is None else torch.stack(each) for each in zip(*ends, strict=True))
    return torch.cat(outputs, 2), last_h, last_c


def _threads(rows: int, weights: Sequence[Any]) -> int:
    return torch.get_num_threads() if rows * (weights[0].numel() + weights[1].numel()) >= _FEW else 1
