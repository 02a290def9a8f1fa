"""Update rules on a row-sparse gradient: they read and write the rows that the gradient has, and no others."""

from __future__ import annotations

from typing import Any

import torch

from ... import native
from ..._core.memory import announce
from ..optimizer_update import update
from ..registry import OpDef, get
from ..sparse_values import RowSparse, Sparse, dense
from .dispatch import add_kernel


@update("_sparse_adagrad_update")
def _adagrad(
    target: torch.Tensor,
    weight: torch.Tensor,
    grad: torch.Tensor,
    history: torch.Tensor,
    *,
    lr: float,
    epsilon: float = 1.00000001e-07,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    """AdaGrad on rows: ``history += g * g``, ``weight - lr * (g / sqrt(history + epsilon) + wd * weight)``."""
    g = grad * rescale_grad
    if clip_gradient >= 0:
        g = g.clamp_(-clip_gradient, clip_gradient)
    history.addcmul_(g, g)
    step = g.div_((history + epsilon).sqrt_()).add_(weight, alpha=wd)
    torch.add(weight, step, alpha=-lr, out=target)


def put_rows(target: torch.Tensor, rows: torch.Tensor, source: torch.Tensor) -> None:
    """``target[rows] = source``, for row numbers that have been checked."""
    plain = target.dtype is torch.float32 and target.is_cpu and target.is_contiguous() and source.is_contiguous()
    if not plain or native.library() is None or source.dtype is not target.dtype:
        target.index_copy_(0, rows, source)
        return
    native.kernels().put_rows_float(target, rows, source, rows.numel(), source.numel() // max(1, rows.numel()))
    announce([target])


def _memory(value: Any, what: str) -> torch.Tensor:
    """All rows of a weight or state, in its memory."""
    if not isinstance(value, Sparse):
        return value
    if value.indices.numel() != value.shape[0]:
        raise ValueError(
            f"a row_sparse {what} must have all of its {value.shape[0]} rows, it has {value.indices.numel()}"
        )
    return value.data


def _by_rows(op: OpDef, weight: Any, grad: RowSparse, *states: Any, _out: Any = None, **attrs: Any) -> Any:
    if isinstance(weight, RowSparse):
        weight, sparse = weight.sort(), True
    else:
        sparse = False
    whole, kept = _memory(weight, "weight"), [_memory(state, "state") for state in states]
    target = whole if sparse or _out is whole else (whole.clone() if _out is None else _out.copy_(whole))
    if attrs.get("lazy_update", True):
        grad = grad.sort()
        rows = grad.indices
        parts = [state.index_select(0, rows) for state in kept]
        made = op.kernel(whole.index_select(0, rows), grad.data, *parts, **attrs)
        with torch.no_grad():
            put_rows(target, rows, made)
            for state, part in zip(kept, parts, strict=True):
                put_rows(state, rows, part)
    else:
        op.kernel(whole, dense(grad), *kept, _out=target, **attrs)
    return weight.with_data(target) if sparse else target


def _entry(op: OpDef) -> Any:
    return lambda *inputs, **attrs: _by_rows(op, *inputs, **attrs)


#: On a dense weight, too; the others are lazy where all of weight and states are row-sparse.
_ON_DENSE = ("sgd_update", "sgd_mom_update", "adam_update", "_sparse_adagrad_update", "_contrib_group_adagrad_update")
for _name in (*_ON_DENSE, "ftrl_update"):
    _op = get(_name)
    for _stype in ("default", "row_sparse"):
        if _stype == "row_sparse" or _name in _ON_DENSE:
            _states = (_stype,) * (len(_op.inputs) - 2)
            add_kernel(_op, (_stype, "row_sparse", *_states), _stype, _entry(_op))
_op = get("_contrib_group_adagrad_update")
add_kernel(_op, ("row_sparse", "row_sparse", "default"), "row_sparse", _entry(_op))
