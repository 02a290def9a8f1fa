"""The texts of errors about calls: which input of which operator does not fit, what was given, and what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Protocol

import torch

from .._core.dtypes import NAME_OF
from ..error import (
    MXNetArgumentError,
    MXNetError,
    MXNetIndexError,
    MXNetNotImplementedError,
    MXNetTypeError,
    MXNetValueError,
)
from .calling import input_names
from .messages import display_name
from .registry import OpDef
from .types import Attrs, Shapes


class Callee(Protocol):
    """What arrays are passed to, as error messages speak of it: an operator, a graph, a function."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def required(self) -> int:
        """How many of its first inputs have to be given."""

    def input_name(self, index: int) -> str:
        """The name of an input."""


def mixed_kinds(callee: Callee, numpy: bool) -> MXNetTypeError:
    """The error for classic arrays in an operator of ``mx.np`` (``numpy``), or the other way round."""
    name = display_name(callee.name)
    if numpy:
        return MXNetTypeError(
            f"{name}: this is a numpy operator which can only accept MXNet numpy ndarrays, while received a "
            "legacy ndarray. Call its as_np_ndarray() first, or use the operator of mx.nd."
        )
    return MXNetTypeError(
        f"{name}: this is a legacy operator which can only accept legacy ndarrays, while received an MXNet "
        "numpy ndarray. Call its as_nd_ndarray() first, or use the operator of mx.np or mx.npx."
    )


def wrong_type(callee: Callee, index: int, found: Any) -> MXNetArgumentError:
    """The error for an input that is no array."""
    kind, name = type(found).__name__, display_name(callee.name)
    advice = "convert it: mx.nd.array(...)"
    if kind.endswith("Symbol"):
        advice = f"in hybrid_forward use F.{name}, and not mx.nd.{name}: F is mx.sym while the block is hybridized"
    elif found is None:
        advice = "it is not optional"
    elif isinstance(found, bool | int | float | str) and index >= callee.required:
        advice = "attributes, such as axis=1, are passed by name"
    return MXNetArgumentError(f"{name}: input {callee.input_name(index)!r} must be an NDArray, got {kind}; {advice}")


def missing_input(callee: Callee, inputs: Sequence[Any]) -> MXNetTypeError:
    """The error for a required input that was not given."""
    given = [*inputs, *[None] * callee.required]
    missing = next(callee.input_name(i) for i, value in enumerate(given) if value is None)
    names = ", ".join(callee.input_name(i) for i in range(max(callee.required, len(inputs))))
    return MXNetTypeError(f"{display_name(callee.name)}: input {missing!r} was not given; it takes {names}")


def mixed_contexts(callee: Callee, inputs: Sequence[Any]) -> MXNetError:
    """The error for inputs on several contexts."""
    where = ", ".join(f"{callee.input_name(i)} on {a._ctx}" for i, a in enumerate(inputs) if hasattr(a, "_ctx"))
    return MXNetValueError(
        f"{display_name(callee.name)}: all inputs must be on one context, got {where}. Move them with "
        "as_in_context() first."
    )


def explain_shapes(op: OpDef, tensors: Sequence[torch.Tensor | None], attrs: Attrs) -> str:
    """Which input has another shape than the operator expects, by its ``infer_args`` rule; '' if none is to blame."""
    rule = op.rules.get("args")
    if rule is None:
        return ""
    names = (
        [op.input_name(i) for i in range(len(tensors))] if op.variadic is None else input_names(op, len(tensors), attrs)
    )
    given = {n: None if t is None else tuple(t.shape) for n, t in zip(names, tensors, strict=True)}
    visible = {k: v for k, v in attrs.items() if not k.startswith("_")}
    for name in names[1:]:
        if given[name] is None:
            continue
        guess: Shapes = {**given, name: None}
        try:
            rule(guess, op.with_defaults(visible))
        except (MXNetError, TypeError, IndexError, ValueError, ZeroDivisionError):
            return ""  # the rule itself stumbles over these shapes; the kernel's own words must do
        expected = guess[name]
        if expected is not None and min(expected, default=0) >= 0 and tuple(expected) != given[name]:
            return f"input {name!r} has shape {given[name]}, expected {tuple(expected)}"
    return ""


_SIZES = re.compile(r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at .*dimension (\d+)")
_STACK = re.compile(
    r"stack expects each tensor to be equal size, but got \[(.*)\] at entry 0 and \[(.*)\] at entry (\d+)"
)


def _in_words_of_users(op: OpDef, tensors: Sequence[torch.Tensor | None], reason: str) -> str:
    """torch's words for the commonest clashes of shapes in those of this package."""
    if sizes := _SIZES.search(reason):
        names = [op.input_name(i) for i in range(2)] if len(tensors) == 2 else ["one input", "another"]
        return (
            f"the shapes cannot be broadcast: along axis {sizes[3]} {names[0]} has size {sizes[1]} and {names[1]} "
            f"{sizes[2]}; sizes must be equal, or one of them 1"
        )
    if sizes := _STACK.search(reason):
        return f"all inputs must have the same shape, input 0 has ({sizes[1]}) and input {sizes[3]} ({sizes[2]})"
    return reason


def explain_call(op: OpDef, tensors: Sequence[torch.Tensor | None], parsed: Attrs, error: Exception) -> MXNetError:
    """A kernel's error as one that names the operator, its inputs and attributes."""
    given = ", ".join(
        f"{op.input_name(i)} {tuple(t.shape)} {NAME_OF.get(t.dtype, t.dtype)}"
        for i, t in enumerate(tensors)
        if t is not None
    )
    attrs = ", ".join(
        f"{k}={NAME_OF.get(v, v)!r}" if isinstance(v, torch.dtype) else f"{k}={v!r}"
        for k, v in parsed.items()
        if not k.startswith("_")
    )
    # torch says RuntimeError where shapes clash; anything else was raised by the kernel with words of its own
    reason = explain_shapes(op, tensors, parsed) if type(error) is RuntimeError else ""
    reason = reason or _in_words_of_users(op, tensors, str(error).strip().split("\n")[0])
    text = f"{display_name(op.name)}: {reason.rstrip('.')}. Given: {given or 'no inputs'}" + (
        f"; attributes: {attrs}" if attrs else ""
    )
    if isinstance(error, IndexError):
        return MXNetIndexError(text)
    if isinstance(error, NotImplementedError):
        return MXNetNotImplementedError(text)
    return MXNetTypeError(text) if isinstance(error, TypeError) else MXNetValueError(text)
