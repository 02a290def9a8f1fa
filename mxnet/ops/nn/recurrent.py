"""Sequences of cells as one layer: by kernels of our own, by oneDNN's, or step by step."""

from collections.abc import Sequence

import torch

from ..types import Ctx, Gradients
from .recurrent_native import can_run, native_layer, suits_kernels
from .recurrent_plain import Tensors, gradients, plain_sequence


class _FusedLSTM(torch.autograd.Function):
    """torch's kernel, which can be differentiated once, made to be so any number of times."""

    @staticmethod
    def forward(ctx: Ctx, *inputs: torch.Tensor) -> Tensors:
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*inputs)
        ctx.inner = _with_graph(inputs, ctx.needs_input_grad)
        return tuple(r.detach() for r in ctx.inner[1])

    @staticmethod
    def backward(ctx: Ctx, *given: torch.Tensor | None) -> Gradients:  # type: ignore[override]
        saved = ctx.saved_tensors
        if torch.is_grad_enabled():
            outputs, memories = plain_sequence("lstm", *saved)
            ends = outputs, outputs[-1], memories[-1]
            return gradients(ctx.needs_input_grad, saved, ends, given, create_graph=True)
        # The inner graph is used up, and its memory free, after one backward pass; for another it is made again.
        inputs, results = ctx.inner or _with_graph(saved, ctx.needs_input_grad)
        ctx.inner = None
        return gradients(ctx.needs_input_grad, inputs, results, given)


def _with_graph(inputs: Sequence[torch.Tensor], needed: Sequence[bool]) -> tuple[list[torch.Tensor], Tensors]:
    """Inputs cut off from where they come from, and the results with a graph that goes back to them."""
    with torch.enable_grad():
        leaves = [t.detach().requires_grad_(n) for t, n in zip(inputs, needed, strict=True)]
        return leaves, _run_lstm(*leaves)


def _run_lstm(data: torch.Tensor, h: torch.Tensor, c: torch.Tensor, *weights: torch.Tensor) -> Tensors:
    before = h.unsqueeze(0), c.unsqueeze(0)
    output, h, c = torch._VF.lstm(data, before, list(weights), True, 1, 0.0, False, False, False)
    return output, h.squeeze(0), c.squeeze(0)


def lstm_sequence(inputs: Sequence[torch.Tensor], all_memories: bool) -> Tensors:
    """Steps of an LSTM cell: ``(data, h, c, w_ih, w_hh, b_ih, b_hh)`` to (outputs, last output, last memory).

    With ``all_memories`` to (outputs, memories) of all steps. Gradients can be taken any number of times, as those of
    the single operators that a cell consists of.
    """
    data, h, c, *weights = inputs
    states = h.unsqueeze(0), c.unsqueeze(0)
    if all_memories:  # which oneDNN's kernels do not tell
        if can_run(data, states, weights):
            return native_layer("lstm", data, states, weights, all_cells=True)
        return plain_sequence("lstm", *inputs)
    if suits_kernels("lstm", data, states, weights):
        outputs, last_h, last_c = native_layer("lstm", data, states, weights)
        return outputs, last_h.squeeze(0), last_c.squeeze(0)
    if torch.is_grad_enabled() and any(t.requires_grad for t in inputs):
        return _FusedLSTM.apply(*inputs)
    return _run_lstm(*inputs)


_LAYERS = {"gru": torch._VF.gru, "rnn_tanh": torch._VF.rnn_tanh, "rnn_relu": torch._VF.rnn_relu}


def hidden_sequence(mode: str, data: torch.Tensor, h: torch.Tensor, *weights: torch.Tensor) -> torch.Tensor:
    """The outputs of steps of a GRU cell or a plain one, with ``weights`` w_ih, w_hh, b_ih, b_hh."""
    state = h.unsqueeze(0)
    if suits_kernels(mode, data, (state,), weights):
        return native_layer(mode, data, (state,), weights)[0]
    return _LAYERS[mode](data, state, list(weights), True, 1, 0.0, False, False, False)[0]
