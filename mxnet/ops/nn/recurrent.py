"""Recurrent layers with a backward pass of their own, for training on the CPU where our own kernels are not for it.

torch's autograd takes one small product per step for the gradient of a weight, and adds up as many matrices. Here the
steps only compute what depends on the step before; all else is one product or one elementwise pass over the whole
sequence. Measured, a training step takes 60 to 90 % of the time. (For LSTM torch has oneDNN's fused kernels, which are
faster than this way is; but they do not tell the memories between the steps.)

Each function is one layer, Elman's and GRU's in one direction: ``(data, first state, w_ih, w_hh, b_ih, b_hh, reverse)``
to ``(outputs, last state)``, with ``data`` of shape (steps, batch, features) and gates ordered as in the operator.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from .recurrent_native import native_layer, suits_kernels
from .recurrent_plain import Tensors, gradients, plain_sequence


def _sequence(first: torch.Tensor, steps: int, reverse: bool) -> Tensors:
    """Memory for a state before and after each step: its first entry set, then views (before, after) of all steps."""
    states = first.new_empty(steps + 1, *first.shape)
    states[steps if reverse else 0] = first
    return (states[1:], states[:-1]) if reverse else (states[:-1], states[1:])


def _steps(reverse: bool, *sequences: torch.Tensor) -> Iterator[Tensors]:
    """The entries of sequences, step by step."""
    steps = zip(*(s.unbind(0) for s in sequences), strict=True)
    return reversed(list(steps)) if reverse else steps


def _weight_gradients(
    ctx: Any, gates: torch.Tensor, data: torch.Tensor, before: torch.Tensor, w_ih: torch.Tensor
) -> tuple[torch.Tensor | None, torch.Tensor, torch.Tensor, torch.Tensor]:
    """From the gradient of all gates to those of data, w_ih, w_hh and a bias."""
    flat = gates.flatten(0, 1)
    columns = flat.t()
    d_data = (flat @ w_ih).view_as(data) if ctx.needs_input_grad[0] else None
    return d_data, columns @ data.flatten(0, 1), columns @ before.flatten(0, 1), flat.sum(0)


def _twice(mode: str, ctx: Any, inputs: Sequence[torch.Tensor], d_out: torch.Tensor, d_h: torch.Tensor) -> Any:
    """Gradients that can be differentiated again, for ``inputs`` and the flag behind them."""
    data, h, *weights = inputs
    outputs, _ = plain_sequence(mode, data, h, None, *weights, reverse=ctx.reverse)
    ends = outputs, outputs[0 if ctx.reverse else -1]
    return *gradients(ctx.needs_input_grad[:6], inputs, ends, (d_out, d_h), create_graph=True), None


class Elman(torch.autograd.Function):
    """``h' = act(w_ih x + b_ih + w_hh h + b_hh)``; ``relu`` chooses relu over tanh."""

    @staticmethod
    def forward(
        ctx: Any,
        data: torch.Tensor,
        h: torch.Tensor,
        w_ih: torch.Tensor,
        w_hh: torch.Tensor,
        b_ih: torch.Tensor,
        b_hh: torch.Tensor,
        reverse: bool,
        relu: bool,
    ) -> Tensors:
        steps, first = data.shape[0], h
        before, after = _sequence(h, steps, reverse)
        gates = torch.addmm(b_ih + b_hh, data.flatten(0, 1), w_ih.t()).view(after.shape)
        weight = w_hh.t()
        activate = torch.relu_ if relu else torch.tanh_
        for gate, h, new in _steps(reverse, gates, before, after):
            activate(torch.addmm(gate, h, weight, out=new))
        ctx.reverse, ctx.relu = reverse, relu
        ctx.save_for_backward(data, first, w_ih, w_hh, b_ih, b_hh, before, after)
        return after, after[0 if reverse else -1].clone()

    @staticmethod
    def backward(ctx: Any, d_out: torch.Tensor, d_h: torch.Tensor) -> Any:  # type: ignore[override]
        *inputs, before, after = ctx.saved_tensors
        if torch.is_grad_enabled():
            return *_twice("rnn_relu" if ctx.relu else "rnn_tanh", ctx, inputs, d_out, d_h), None
        data, _, w_ih, w_hh, _, _ = inputs
        slope = (after > 0).to(after.dtype) if ctx.relu else (after * after).neg_().add_(1.0)
        gates = torch.empty_like(slope)
        for d, factor, gate in _steps(not ctx.reverse, d_out, slope, gates):
            d_h = torch.mm(torch.mul(d_h + d, factor, out=gate), w_hh)
        d_data, d_w_ih, d_w_hh, d_b = _weight_gradients(ctx, gates, data, before, w_ih)
        return d_data, d_h, d_w_ih, d_w_hh, d_b, d_b, None, None


class GRU(torch.autograd.Function):
    """Gates r, z, n; the reset gate acts on the product with w_hh."""

    @staticmethod
    def forward(
        ctx: Any,
        data: torch.Tensor,
        h: torch.Tensor,
        w_ih: torch.Tensor,
        w_hh: torch.Tensor,
        b_ih: torch.Tensor,
        b_hh: torch.Tensor,
        reverse: bool,
    ) -> Tensors:
        steps, size, first = data.shape[0], h.shape[1], h
        before, after = _sequence(h, steps, reverse)
        flat, two = data.flatten(0, 1), 2 * size
        rz = torch.addmm((b_ih + b_hh)[:two], flat, w_ih[:two].t()).view(steps, -1, two)
        n = torch.addmm(b_ih[two:], flat, w_ih[two:].t()).view(after.shape)
        from_h = torch.empty_like(n)  # what the reset gate is applied to
        w_rz, w_n, b_n = w_hh[:two].t(), w_hh[two:].t(), b_hh[two:]
        r, z = rz[:, :, :size], rz[:, :, size:]
        for h, gate, reset, update, new, part, result in _steps(reverse, before, rz, r, z, n, from_h, after):
            gate.addmm_(h, w_rz).sigmoid_()
            new.addcmul_(reset, torch.addmm(b_n, h, w_n, out=part)).tanh_()
            torch.lerp(new, h, update, out=result)
        ctx.reverse = reverse
        ctx.save_for_backward(data, first, w_ih, w_hh, b_ih, b_hh, before, rz, n, from_h)
        return after, after[0 if reverse else -1].clone()

    @staticmethod
    def backward(ctx: Any, d_out: torch.Tensor, d_h: torch.Tensor) -> Any:  # type: ignore[override]
        *inputs, before, rz, n, from_h = ctx.saved_tensors
        if torch.is_grad_enabled():
            return _twice("gru", ctx, inputs, d_out, d_h)
        data, _, w_ih, w_hh, _, _ = inputs
        steps, batch, size = n.shape
        r, z = rz.view(steps, batch, 2, size).unbind(2)
        # What the gradient of h' is multiplied by to become that of each gate, for all steps at once.
        for_n = (n * n).neg_().add_(1.0).mul_(1.0 - z)
        factors = torch.stack([(r - r * r).mul_(from_h).mul_(for_n), (before - n).mul_(z - z * z), r * for_n], 2)
        gates, d_after = torch.empty_like(factors).flatten(2), torch.empty_like(n)
        each = gates.view(factors.shape)
        everything = (d_out, d_after, d_after.unsqueeze(2), factors, each, gates, z.contiguous())
        for d, total, wide, factor, apart, gate, keep in _steps(not ctx.reverse, *everything):
            torch.add(d_h, d, out=total)
            torch.mul(wide, factor, out=apart)
            d_h = torch.addmm(total * keep, gate, w_hh)
        columns = gates.flatten(0, 1).t()
        d_w_hh, d_b_hh = columns @ before.flatten(0, 1), gates.sum((0, 1))
        torch.mul(d_after, for_n, out=gates[:, :, 2 * size :])  # on the side of the data there is no reset gate
        flat = gates.flatten(0, 1)
        d_data = (flat @ w_ih).view_as(data) if ctx.needs_input_grad[0] else None
        return d_data, d_h, columns @ data.flatten(0, 1), d_w_hh, flat.sum(0), d_b_hh, None


class LSTM(torch.autograd.Function):
    """``(data, h, c, w_ih, w_hh, b_ih, b_hh)`` to outputs and memories after every step; gates i, f, g, o."""

    @staticmethod
    def forward(
        ctx: Any,
        data: torch.Tensor,
        h: torch.Tensor,
        c: torch.Tensor,
        w_ih: torch.Tensor,
        w_hh: torch.Tensor,
        b_ih: torch.Tensor,
        b_hh: torch.Tensor,
    ) -> Tensors:
        steps, batch, size = data.shape[0], *h.shape
        ctx.set_materialize_grads(False)
        first = h, c
        before, after = _sequence(h, steps, False)
        old, memory = _sequence(c, steps, False)
        gates = torch.addmm(b_ih + b_hh, data.flatten(0, 1), w_ih.t()).view(steps, batch, -1)
        shown = torch.empty_like(memory)
        weight = w_hh.t()
        i, f, g, o = gates.split(size, 2)
        for gate, both, i_, f_, g_, o_, h_, c_, new_h, new_c, show in _steps(
            False, gates, gates[:, :, : 2 * size], i, f, g, o, before, old, after, memory, shown
        ):
            gate.addmm_(h_, weight)
            both.sigmoid_()
            g_.tanh_()
            o_.sigmoid_()
            torch.mul(f_, c_, out=new_c).addcmul_(i_, g_)
            torch.mul(o_, torch.tanh(new_c, out=show), out=new_h)
        ctx.save_for_backward(data, *first, w_ih, w_hh, b_ih, b_hh, before, old, gates, shown)
        return after, memory

    @staticmethod
    def backward(ctx: Any, d_after: torch.Tensor | None, d_memory: torch.Tensor | None) -> Any:  # type: ignore[override]
        *inputs, before, old, gates, shown = ctx.saved_tensors
        if torch.is_grad_enabled():  # somebody wants gradients of gradients
            results = plain_sequence("lstm", *inputs)
            return gradients(ctx.needs_input_grad, inputs, results, (d_after, d_memory), create_graph=True)
        data, _, _, w_ih, w_hh, _, _ = inputs
        steps, batch, size = shown.shape
        i, f, g, o = gates.split(size, 2)
        # What the gradients of memory and output are multiplied by to become that of each gate, for all steps at once.
        factors = torch.addcmul(gates, gates, gates, value=-1)
        for_i, for_f, for_g, for_o = factors.split(size, 2)
        for_i.mul_(g)
        for_f.mul_(old)
        torch.addcmul(i, g, g * i, value=-1, out=for_g)
        for_o.mul_(shown)
        through = torch.addcmul(o, shown, shown * o, value=-1)
        d_gates = torch.empty_like(gates)
        shape = (steps, batch, 4, size)
        inside, outside = d_gates.view(shape)[:, :, :3], d_gates[:, :, 3 * size :]
        sequences = [through, factors.view(shape)[:, :, :3], for_o, f, inside, outside, d_gates]
        nothing = (None,) * steps
        outer = nothing if d_after is None else d_after.unbind(0)
        inner = nothing if d_memory is None else d_memory.unbind(0)
        d_h, d_c = torch.zeros_like(shown[0]), torch.zeros_like(shown[0])
        for d, m, (pass_on, factor, factor_o, keep, part, last, whole) in zip(
            reversed(outer), reversed(inner), _steps(True, *sequences), strict=True
        ):
            if d is not None:
                d_h = d_h + d
            if m is not None:
                d_c = d_c + m
            d_c = torch.addcmul(d_c, d_h, pass_on)
            torch.mul(d_c.unsqueeze(1), factor, out=part)
            torch.mul(d_h, factor_o, out=last)
            d_h = torch.mm(whole, w_hh)
            d_c = d_c * keep
        d_data, d_w_ih, d_w_hh, d_b = _weight_gradients(ctx, d_gates, data, before, w_ih)
        return d_data, d_h, d_c, d_w_ih, d_w_hh, d_b, d_b


class _FusedLSTM(torch.autograd.Function):
    """torch's kernel, which can be differentiated once, made to be so any number of times."""

    @staticmethod
    def forward(ctx: Any, *inputs: torch.Tensor) -> Tensors:
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*inputs)
        ctx.inner = _with_graph(inputs, ctx.needs_input_grad)
        return tuple(r.detach() for r in ctx.inner[1])

    @staticmethod
    def backward(ctx: Any, *given: torch.Tensor | None) -> Any:  # type: ignore[override]
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
    if suits_kernels("lstm", data, (h, c), weights):
        states = h.unsqueeze(0), c.unsqueeze(0)
        if all_memories:
            return native_layer("lstm", data, states, weights, all_cells=True)
        outputs, last_h, last_c = native_layer("lstm", data, states, weights)
        return outputs, last_h.squeeze(0), last_c.squeeze(0)
    if all_memories:
        return LSTM.apply(*inputs)
    if torch.is_grad_enabled() and any(t.requires_grad for t in inputs):
        return _FusedLSTM.apply(*inputs)
    return _run_lstm(*inputs)
