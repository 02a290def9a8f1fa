"""Gradients that are MXNet's own: given by a formula, or zero where torch would drop the result from the graph."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

import torch

from .._core.tracing import is_traced
from .differentiate import end_at, leads_to_loss
from .integers import Integers, for_integers_too, in_graph, without_graph
from .types import Ctx, Gradients, Kernel


class _OwnGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Ctx, function: Callable, derivative: Callable, *inputs: torch.Tensor) -> torch.Tensor:
        """A derivative with the attribute ``ignores_head_gradient`` does not look at its first argument."""
        ctx.ignores_head_gradient = hasattr(derivative, "ignores_head_gradient")
        result = function(*inputs)
        ctx.derivative = derivative
        ctx.save_for_backward(*inputs, result)
        return result

    @staticmethod
    def backward(ctx: Ctx, *grads: torch.Tensor) -> Gradients:
        *inputs, result = ctx.saved_tensors
        found = ctx.derivative(grads[0], *inputs, result)
        if isinstance(found, torch.Tensor):
            found = (found,)
        # an input that was broadcast gets the sum over its copies
        return None, None, *(g.sum_to_size(i.shape) for g, i in zip(found, inputs, strict=True))


_with_own_gradient = for_integers_too(_OwnGradient.apply)


def own_gradient(function: Callable[..., torch.Tensor], derivative: Kernel) -> Callable[..., torch.Tensor]:
    """``function`` with the gradient ``derivative(grad, *inputs, result)``, which gives a tensor per input."""

    def call(*inputs: torch.Tensor) -> torch.Tensor:
        for tensor in inputs:
            if tensor.requires_grad:
                return _with_own_gradient(function, derivative, *inputs)
        return function(*inputs)

    return call


class _Once(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Ctx, gradient: torch.Tensor, variable: torch.Tensor) -> torch.Tensor:
        return gradient.view_as(gradient)

    @staticmethod
    def backward(ctx: Ctx, *_: Any) -> Gradients:
        raise RuntimeError("a loss layer has no gradient of its gradient")


def only_once(gradient: torch.Tensor, variable: torch.Tensor) -> torch.Tensor:
    """For backward: a gradient that depends on ``variable``, but cannot be differentiated again. That is an error then.

    (torch's ``once_differentiable`` silently gives zeros if the head gradient is a constant.)
    """
    return _Once.apply(gradient.detach(), variable) if torch.is_grad_enabled() else gradient


class _ZeroGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Ctx, result: torch.Tensor, *inputs: torch.Tensor) -> torch.Tensor:
        ctx.ignores_head_gradient = not ctx.needs_input_grad[0]
        ctx.is_constant = True
        ctx.like = [(t.shape, t.dtype, t.device, t.is_leaf) if t.requires_grad else None for t in inputs]
        return result.view_as(result)

    @staticmethod
    def backward(ctx: Ctx, *grads: torch.Tensor) -> Gradients:
        # A loss has a gradient, whatever comes to it: zeros go there.
        losses = not is_traced() and leads_to_loss(ctx)
        if not losses:
            end_at(ctx)
        return grads[0], *(
            torch.zeros(s[0], dtype=s[1], device=s[2]) if s and (s[3] or losses) else None for s in ctx.like
        )


def constant_in(result: torch.Tensor, *inputs: torch.Tensor) -> torch.Tensor:
    """``result`` as a function of ``inputs`` whose gradient is zero: ``backward`` may start from it, as in MXNet."""
    if not result.is_floating_point():  # what was recorded knows what it was computed from, see ndarray/tape.py
        return without_graph(result)
    for tensor in inputs:
        if tensor.requires_grad:
            return _ZeroGradient.apply(result, *map(in_graph, inputs))
    return result


def ended_at(result: torch.Tensor, places: list[torch.Tensor]) -> torch.Tensor:
    """``result`` with its gradient, by which these places get zeros unless they get another one."""
    if isinstance(result, Integers):
        return Integers.of(without_graph(result), _ZeroGradient.apply(result.shadow, *places))
    return _ZeroGradient.apply(result, *places)


def selected_by(name: str) -> Callable[[Callable], Callable]:
    """Decorator of a kernel: input ``name`` says which numbers the result has, not how much of each, and gets zeros."""

    def decorate(kernel: Callable) -> Callable:
        place = list(inspect.signature(kernel).parameters).index(name)

        @functools.wraps(kernel)
        def run(*inputs: Any, **attrs: Any) -> torch.Tensor:
            result = kernel(*inputs, **attrs)
            chooser = inputs[place] if place < len(inputs) else None
            if chooser is not None and chooser.requires_grad:
                return ended_at(result, [in_graph(chooser)])
            return result

        run.chooser = place  # type: ignore[attr-defined]
        return run

    return decorate


def indicator(condition: Callable[..., torch.Tensor], lhs: torch.Tensor, rhs: Any) -> torch.Tensor:
    """1 where ``condition`` (``torch.gt``, ...) holds, else 0, in the dtype of ``lhs``; a constant for autograd.

    The result is written in that dtype at once, which takes a third of the time of converting booleans.
    """
    if lhs.requires_grad:
        lhs = lhs.detach()
    if is_traced():
        return condition(lhs, rhs.detach() if isinstance(rhs, torch.Tensor) else rhs).to(lhs.dtype)
    if isinstance(rhs, torch.Tensor):
        if rhs.requires_grad:
            rhs = rhs.detach()
        if rhs.shape != lhs.shape:
            return condition(lhs, rhs, out=lhs.new_empty(0))
    return condition(lhs, rhs, out=torch.empty_like(lhs))
