"""What calls say of inputs that they cannot take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ..base import numpy_mode
from ..context import Context, check_together
from ..error import MXNetError, MXNetTypeError, MXNetValueError


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


def joint_kind(callee: Callee, array: Any, kind: Any) -> Any:
    """What comes of arrays of both kinds, where they may meet: see ``kinds.py``."""
    if numpy_mode.relaxed:
        return array.__class__ if array._numpy else kind
    if kind._numpy:
        raise MXNetTypeError(
            f"{callee.name}: this is a numpy operator which can only accept MXNet numpy ndarrays, while received a "
            "legacy ndarray. Call its as_np_ndarray() first, or use the operator of mx.nd."
        )
    raise MXNetTypeError(
        f"{callee.name}: this is a legacy operator which can only accept legacy ndarrays, while received an MXNet "
        "numpy ndarray. Call its as_nd_ndarray() first, or use the operator of mx.np or mx.npx."
    )


def wrong_type(callee: Callee, index: int, found: Any) -> MXNetTypeError:
    """The error for an input that is no array."""
    kind, name = type(found).__name__, callee.name
    advice = "convert it: mx.nd.array(...)"
    if kind.endswith("Symbol"):
        advice = f"in hybrid_forward use F.{name}, and not mx.nd.{name}: F is mx.sym while the block is hybridized"
    elif found is None:
        advice = "it is not optional"
    return MXNetTypeError(f"{name}: input {callee.input_name(index)!r} must be an NDArray, got {kind}; {advice}")


def missing_input(callee: Callee, inputs: Sequence[Any]) -> MXNetTypeError:
    """The error for a required input that was not given."""
    given = [*inputs, *[None] * callee.required]
    missing = next(callee.input_name(i) for i, value in enumerate(given) if value is None)
    names = ", ".join(callee.input_name(i) for i in range(max(callee.required, len(inputs))))
    return MXNetTypeError(f"{callee.name}: input {missing!r} was not given; it takes {names}")


#: Operators that are there to copy from one context to another.
_COPIES = frozenset(("_copyto", "_copyto_", "_CrossDeviceCopy"))


def check_targets(callee: Callee, context: Context, out: Any) -> None:
    """Refuses an ``out=`` on another context than that of the inputs."""
    if callee.name not in _COPIES:
        for target in out if isinstance(out, list | tuple) else (out,):
            if hasattr(target, "_ctx"):
                check_together(f"{callee.name}: what is computed", context, "out", target._ctx)


def mixed_contexts(callee: Callee, inputs: Sequence[Any]) -> MXNetError:
    """The error for inputs on several contexts."""
    where = ", ".join(f"{callee.input_name(i)} on {a._ctx}" for i, a in enumerate(inputs) if hasattr(a, "_ctx"))
    return MXNetValueError(
        f"{callee.name}: all inputs must be on one context, got {where}. Move them with as_in_context() first."
    )
