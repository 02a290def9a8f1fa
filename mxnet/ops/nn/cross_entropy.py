"""The logarithm of a softmax where the labels are, without all the others: what losses are made of."""

import torch

from ... import native
from ..indexing import pick
from ..registry import op
from ..types import Ctx, Gradients
from .softmax import log_softmax


class _LogSoftmaxPick(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Ctx, data: torch.Tensor, index: torch.Tensor, scale: float, keepdims: bool) -> torch.Tensor:
        rows, classes = data.shape[:-1], data.shape[-1]
        call = index.numel(), classes, scale, native.threads(data.numel())
        picked, kept = data.new_empty((*rows, 1) if keepdims else rows), data.new_empty(2, *rows)
        kind = native.LABELS.index(index.dtype)
        native.kernels().cross_entropy_forward(data, index, kind, picked, kept, *call)
        ctx.save_for_backward(data, index, kept)
        ctx.call = call
        return picked

    @staticmethod
    def backward(ctx: Ctx, grad: torch.Tensor) -> Gradients:  # type: ignore[override]
        data, index, kept = ctx.saved_tensors
        _, classes, scale, _ = ctx.call
        if torch.is_grad_enabled():  # gradients of gradients are torch's
            rows = (*data.shape[:-1], 1)
            place = torch.zeros_like(data).scatter_(-1, index.long().clamp(0, classes - 1).view(rows), scale)
            by_data = (place - scale * torch.softmax(data, -1)) * grad.reshape(rows)
        else:
            by_data, kind = torch.empty_like(data), native.LABELS.index(index.dtype)
            native.kernels().cross_entropy_backward(data, index, kind, kept, grad.contiguous(), by_data, *ctx.call)
        return by_data, None, None, None


def _is_for_kernels(data: torch.Tensor, index: torch.Tensor, axis: int) -> bool:
    """Are these rows of numbers that our own kernels can read, and an index for each?"""
    if data.dtype is not torch.float32 or not data.is_cpu or not data.is_contiguous() or not data.numel():
        return False
    last, rows = data.dim() - 1, data.shape[:-1]
    if last == 0 or axis not in (-1, last) or (index.shape != rows and index.shape != (*rows, 1)):
        return False
    return native.library() is not None


@op("_log_softmax_pick")
def log_softmax_pick(
    data: torch.Tensor, index: torch.Tensor, *, axis: int = -1, keepdims: bool = False, scale: float = 1.0
) -> torch.Tensor:
    """``pick(log_softmax(data, axis), index, axis, keepdims) * scale``, without an array of all the logarithms."""
    if _is_for_kernels(data, index, axis):
        if index.dtype not in native.LABELS or not index.is_contiguous():
            index = index.long().contiguous()
        return _LogSoftmaxPick.apply(data, index, scale, keepdims)
    picked = pick.kernel(log_softmax.kernel(data, axis=axis), index, axis=axis, keepdims=keepdims)
    return picked * scale


log_softmax_pick.infer_args(pick.rules["args"])
log_softmax_pick.infer_dtype(pick.rules["dtype"])
