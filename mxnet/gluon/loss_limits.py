"""Losses once more, where they came out infinite or as NaN: of huge and infinite predictions, of examples of weight 0.

What is on the way to a loss may overflow, or be infinity minus infinity, though the loss is known: 0 for an infinite
score of the right class, 0 for an example of weight 0. Then it is computed again, in float64, with infinite predictions
as numbers far beyond float32, and with examples of weight 0 replaced by others. Where a loss is not defined (a row that
is minus infinity throughout, infinity as prediction and label) it stays NaN.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import torch

from ..autograd import Function
from ..ndarray import NDArray
from ..ops.wide import Range, leaves

if TYPE_CHECKING:
    from .loss import Loss

#: Losses that are beyond it may have gradients that overflowed; NaN is, too.
ORDINARY = Range((-6e4, 6e4), (-1e18, 1e18))
#: Stands for infinity: float64 holds its square.
_FAR = 1e150


def needs_care(result: object, *inputs: object) -> bool:
    """Did a loss of dense arrays come out infinite, huge or as NaN?"""
    if not isinstance(result, NDArray) or result._is_sparse or not leaves(result._data, ORDINARY):
        return False
    return not any(isinstance(value, NDArray) and value._is_sparse for value in inputs)


class _Careful(Function):
    """An input in float64, without the infinities that are ``far`` and with 0.5 where it is ``unused``.

    The gradient is that of the input, and 0 where it is unused.
    """

    def __init__(self, far: torch.Tensor | None, unused: torch.Tensor | None):
        super().__init__()
        self._far, self._unused = far, unused

    def forward(self, *inputs: NDArray) -> NDArray:
        """The input in the form in which it is used."""
        (x,) = inputs
        self._dtype = x.dtype
        wide = x.astype("float64", copy=True)
        values = wide._data
        if self._far is not None:
            values.copy_(torch.where(self._far, values.clamp(-_FAR, _FAR), values))
        if self._unused is not None:
            values.masked_fill_(self._unused, 0.5)
        return wide

    def backward(self, *output_grads: NDArray) -> NDArray:
        """The gradient of the input."""
        grad = output_grads[0].astype(self._dtype, copy=True)
        if self._unused is not None:
            grad._data.masked_fill_(self._unused, 0)
        return grad


def inputs_with_care(block: Loss, given: tuple[Any, ...]) -> list[Any]:
    """The inputs of a loss for the second computation; for ``hybrid_forward``."""
    names = list(inspect.signature(type(block).hybrid_forward).parameters)[2:]
    named = dict(zip(names, given, strict=False))
    weight = named.get("sample_weight")
    found = []
    for name, value in named.items():
        if not isinstance(value, NDArray) or not value._data.is_floating_point():
            found.append(value)
            continue
        far = _far(block, value._data, named) if name == names[0] else None
        is_data = name not in ("sample_weight", "pos_weight", "pred_lengths", "label_lengths")
        unused = None if weight is None or not is_data else _zero_weights(block, name, value._data, weight._data)
        found.append(_Careful(far, unused)(value))
    return found


def _far(block: Loss, pred: torch.Tensor, named: dict[str, Any]) -> torch.Tensor | None:
    """Where infinite predictions may be read as numbers far away."""
    if block._rows is None:
        return None
    infinite = pred.detach().isinf()
    if block._rows:  # scores of classes: the largest one is a number, or the only one that is infinite
        axis: int = block._axis  # type: ignore[attr-defined]
        largest = pred.detach().amax(axis, keepdim=True)
        known = largest.isfinite() | ((pred == largest).sum(axis, keepdim=True) == 1) & (largest > 0)
        return infinite & known
    for name, value in named.items():
        if name in ("label", "target", "positive", "negative") and value._data.numel() == pred.numel():
            infinite &= value._data.detach().isfinite().reshape(pred.shape)
    return infinite


def _zero_weights(block: Loss, name: str, data: torch.Tensor, weight: torch.Tensor) -> torch.Tensor | None:
    """Where the weight of an input is 0, or None if that cannot be told."""
    axis = block._batch_axes.get(name, block._batch_axis)
    none = weight.detach() == 0
    if axis < data.dim() and weight.numel() == data.shape[axis]:
        return none.reshape([-1 if i == axis else 1 for i in range(data.dim())])
    try:
        fits = torch.broadcast_shapes(none.shape, data.shape) == data.shape
    except RuntimeError:  # the label's shape need not be that of the prediction
        return None
    return none if fits else None
