"""What eager calls give to kernels besides the arrays, and what they say of inputs that cannot be taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ..base import numpy_mode
from ..context import Context, check_together
from ..error import MXNetError, MXNetTypeError, MXNetValueError
from ..ops.infer import input_name
from ..ops.registry import OpDef
from ..rng import generator
from .tape import state


def supply(op: OpDef, parsed: dict[str, Any], context: Context, out: Any) -> dict[str, Any]:
    """The attributes, with what the caller of a kernel gives it (listed in ``ops/registry.py``)."""
    full = dict(parsed)
    for name in op.supplied:
        if name == "_train":
            full[name] = state.training
        elif name == "_rng":
            full[name] = generator(context)
        elif name == "_device":
            full[name] = context.torch_device
        elif name == "_context":
            full[name] = context
        elif name == "_subgraphs":
            raise MXNetTypeError(
                f"{op.name} runs a subgraph and exists in graphs only; use mx.nd.contrib.{op.name[1:]}"
            )
        else:
            full[name] = _out_tensors(op, out)
    return full


def _out_tensors(op: OpDef, out: Any) -> Any:
    # While recording, the result must be a tensor of the graph; without inputs there is nothing to record.
    if out is None or (state.recording and op.inputs):
        return None
    return tuple(array._data for array in out) if isinstance(out, list | tuple) else out._data


def owned(result: torch.Tensor, inputs: Sequence[torch.Tensor | None]) -> torch.Tensor:
    """The result in memory of its own: what MXNet returns from an operator is never a view."""
    memory = result.untyped_storage().data_ptr()
    if memory and any(t is not None and t.untyped_storage().data_ptr() == memory for t in inputs):
        return result.clone()
    return result


def joint_kind(op: OpDef, array: Any, kind: Any) -> Any:
    """What comes of arrays of both kinds, where they may meet: see ``kinds.py``."""
    if numpy_mode.relaxed:
        return array.__class__ if array._numpy else kind
    if kind._numpy:
        raise MXNetTypeError(
            f"{op.name}: this is a numpy operator which can only accept MXNet numpy ndarrays, while received a legacy "
            "ndarray. Call its as_np_ndarray() first, or use the operator of mx.nd."
        )
    raise MXNetTypeError(
        f"{op.name}: this is a legacy operator which can only accept legacy ndarrays, while received an MXNet numpy "
        "ndarray. Call its as_nd_ndarray() first, or use the operator of mx.np or mx.npx."
    )


def wrong_type(op: str, where: str, found: Any) -> MXNetTypeError:
    """The error for an input that is no array."""
    kind = type(found).__name__
    advice = "convert it: mx.nd.array(...)"
    if kind.endswith("Symbol"):
        advice = f"in hybrid_forward use F.{op}, and not mx.nd.{op}: F is mx.sym while the block is hybridized"
    elif found is None:
        advice = "it is not optional"
    return MXNetTypeError(f"{op}: input {where!r} must be an NDArray, got {kind}; {advice}")


#: Operators that are there to copy from one context to another.
_COPIES = frozenset(("_copyto", "_copyto_", "_CrossDeviceCopy"))


def check_targets(op: OpDef, context: Context, out: Any) -> None:
    """Refuses an ``out=`` on another context than that of the inputs."""
    if op.name not in _COPIES:
        for target in out if isinstance(out, list | tuple) else (out,):
            if hasattr(target, "_ctx"):
                check_together(f"{op.name}: what is computed", context, "out", target._ctx)


def mixed_contexts(op: OpDef, inputs: Sequence[Any]) -> MXNetError:
    """The error for inputs on several contexts."""
    where = ", ".join(f"{input_name(op, i)} on {a._ctx}" for i, a in enumerate(inputs) if hasattr(a, "_ctx"))
    return MXNetValueError(
        f"{op.name}: all inputs must be on one context, got {where}. Move them with as_in_context() first."
    )
