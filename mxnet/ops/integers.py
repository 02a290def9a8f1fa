"""Integers that take part in a graph. torch has gradients of floating tensors only; MXNet has them of all.

An ``Integers`` tensor holds integers, and beside them a ``shadow``: the same numbers in float64, in torch's graph. What
is done with it is done with both. As MXNet computes such gradients in integers, each is cut to whole numbers on its way
back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .types import Ctx, Gradients

_Off = torch._C.DisableTorchFunctionSubclass


class Integers(torch.Tensor):
    """An integer tensor with a place in a graph."""

    shadow: torch.Tensor
    requires_grad = property(lambda self: self.shadow.requires_grad)  # type: ignore[assignment]
    grad_fn = property(lambda self: self.shadow.grad_fn)  # type: ignore[assignment]

    @staticmethod
    def of(values: torch.Tensor, shadow: torch.Tensor) -> Integers:
        """These integers, with this place in a graph."""
        made = torch.Tensor._make_subclass(Integers, values)
        made.shadow = shadow
        return made

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        with _Off():
            result = func(*_map(args, _plain), **{k: _map(v, _plain) for k, v in kwargs.items()})
        if not torch.is_grad_enabled() or not _has_tensors(result) or "out" in kwargs:
            return result
        try:
            shadow = func(*_map(args, _shadow), **{k: _map(v, _shadow) for k, v in kwargs.items()})
        except (RuntimeError, TypeError, IndexError):
            return result  # integers that stand for places, not for amounts: nothing flows back to them
        if isinstance(result, torch.Tensor):
            return _join_graph(result, shadow)
        return type(result)([_join_graph(r, s) for r, s in zip(result, shadow, strict=True)])


def _map(value: Any, function: Any) -> Any:
    if isinstance(value, Integers):
        return function(value)
    if function is _shadow and isinstance(value, torch.dtype) and not value.is_floating_point:
        return torch.float64
    if isinstance(value, list | tuple):
        return type(value)([_map(v, function) for v in value])
    return value


def _plain(tensor: Integers) -> torch.Tensor:
    with _Off():
        return tensor.as_subclass(torch.Tensor)


def _shadow(tensor: Integers) -> torch.Tensor:
    shadow = tensor.shadow
    if shadow.is_leaf:  # a variable may have been written to
        shadow.data.copy_(_plain(tensor))
    return shadow


def _has_tensors(result: Any) -> bool:
    if isinstance(result, list | tuple):
        return bool(result) and all(isinstance(r, torch.Tensor) for r in result)
    return isinstance(result, torch.Tensor)


def _join_graph(values: torch.Tensor, shadow: torch.Tensor) -> torch.Tensor:
    """These values in the place of the shadow in the graph."""
    if not isinstance(shadow, torch.Tensor) or not shadow.requires_grad:
        return values
    if values.is_floating_point():
        return _InPlaceOf.apply(shadow, values)
    return Integers.of(values, _InPlaceOf.apply(shadow, values.to(torch.float64)))


class _InPlaceOf(torch.autograd.Function):
    """Other values in a tensor's place in the graph; what flows back to integers is cut to whole numbers."""

    @staticmethod
    def forward(ctx: Ctx, tensor: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        ctx.dtype = tensor.dtype
        return values

    @staticmethod
    def backward(ctx: Ctx, grad: torch.Tensor) -> Gradients:  # type: ignore[override]
        return grad.trunc().to(ctx.dtype), None


def leaf(memory: torch.Tensor) -> torch.Tensor:
    """A variable of a graph that lies in the memory of a tensor, of any dtype."""
    alone = memory.data
    if alone.is_floating_point():
        return alone.requires_grad_()
    return Integers.of(alone, alone.to(torch.float64).requires_grad_())


def to_integers(data: torch.Tensor, dtype: torch.dtype, rounded: torch.Tensor | None = None) -> torch.Tensor:
    """A copy in an integer dtype, of ``data`` or of what it was rounded to, that stays in the graph of ``data``."""
    values = without_graph(data).detach() if rounded is None else without_graph(rounded)
    if dtype is torch.uint8 and values.is_floating_point():
        values = values.to(torch.int32)  # numbers that do not fit are 0 then, as with the other small integers
    values = values.to(dtype, copy=True)
    if not data.requires_grad or not torch.is_grad_enabled():
        return values
    place = _shadow(data) if isinstance(data, Integers) else data
    return Integers.of(values, _InPlaceOf.apply(place, values.to(torch.float64)))


def with_whole_slope(
    function: Callable[[torch.Tensor], torch.Tensor], data: torch.Tensor, values: torch.Tensor
) -> torch.Tensor:
    """Integers that a function of each element gave, in the graph of ``data``.

    As in MXNet, the derivative is cut to whole numbers before the head gradient is multiplied by it.
    """
    if not data.requires_grad or not torch.is_grad_enabled():
        return values
    point = without_graph(data).to(torch.float64).requires_grad_()
    result = function(point)
    slope = torch.autograd.grad(result.sum(), point)[0] if result.requires_grad else torch.zeros_like(point)
    return to_integers(in_graph(data) * to_integers(slope, data.dtype), data.dtype, rounded=values)


def for_integers_too(apply: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """The ``apply`` of a ``torch.autograd.Function``, which torch does not dispatch to subclasses of its tensors."""

    def call(*args: Any) -> torch.Tensor:
        for arg in args:
            if type(arg) is Integers:
                return Integers.__torch_function__(apply, (Integers,), args)
        return apply(*args)

    return call


def in_graph(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor that torch's engine knows."""
    return tensor.shadow if isinstance(tensor, Integers) else tensor


def without_graph(tensor: torch.Tensor) -> torch.Tensor:
    """The integers alone."""
    return _plain(tensor) if isinstance(tensor, Integers) else tensor
