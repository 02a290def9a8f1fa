"""Losses: blocks that compare predictions with labels and give one number for each example."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from .. import ndarray
from .._core.signature import overridable
from .._core.types import Array
from ..base import numeric_types
from ..error import MXNetTypeError, MXNetValueError
from ..ndarray.kinds import both_kinds
from ..ndarray.tape import noting
from ..util import is_np_array
from .hybrid_block import HybridBlock
from .loss_limits import inputs_with_care, needs_care
from .utils import MXNetAssertionError

__all__ = [
    "CTCLoss",
    "CosineEmbeddingLoss",
    "HingeLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "L2Loss",
    "LogisticLoss",
    "Loss",
    "PoissonNLLLoss",
    "SDMLLoss",
    "SigmoidBCELoss",
    "SigmoidBinaryCrossEntropyLoss",
    "SoftmaxCELoss",
    "SoftmaxCrossEntropyLoss",
    "SquaredHingeLoss",
    "TripletLoss",
]


def _apply_weighting(F: Any, loss: Any, weight: float | None = None, sample_weight: Any = None) -> Any:
    """Multiplies by the weights of the examples and by that of all."""
    if sample_weight is not None:
        loss = _times(F, loss, sample_weight)
    if weight is not None:
        if not isinstance(weight, numeric_types):
            raise MXNetAssertionError("weight must be a number")
        loss = loss * weight
    return loss


def _times(F: ModuleType, x: Array, y: object) -> Any:
    """The product of two arrays that broadcast; those of ``mx.np`` may be of two types."""
    return x * y if is_np_array() else F.broadcast_mul(x, y)


def _reshape_like(F: ModuleType, x: Array, y: Any) -> object:
    """A label in the shape of the prediction: both have to have as many elements.

    The prediction learns from the rest of the loss: here it is a constant.
    """
    if not isinstance(x, ndarray.NDArray) or not isinstance(y, ndarray.NDArray):
        return F.reshape_like(x, y)
    shape, expected = x.shape, y.shape
    if math.prod(shape) != math.prod(expected):
        raise MXNetValueError(
            f"the label has shape {shape}, the prediction {expected}: a loss that compares numbers with numbers needs "
            "as many of both. If labels are class numbers, a loss of classes is meant, e.g. SoftmaxCrossEntropyLoss"
        )
    if shape == expected and x.__class__ is y.__class__ and not (noting or x._is_sparse or y._is_sparse):
        return x
    return F.reshape_like(x, _as_constant(y))


def _as_constant(x: Any) -> Any:
    """What gets a gradient of zeros and another one from elsewhere; in graphs a pass finds that."""
    return x.detach() if isinstance(x, ndarray.NDArray) and not (noting or x._is_sparse) else x


class Loss(HybridBlock):
    """The base of losses. ``weight`` multiplies the loss, ``batch_axis`` is the axis along which examples lie.

    Most take ``sample_weight`` as a last input: an array that broadcasts to the predictions, (batch, 1) for one weight
    for each example.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Rejects predictions: a loss is made first and called then."""
        if args and isinstance(args[0], ndarray.NDArray) and cls.__module__ == __name__:
            raise MXNetTypeError(
                f"{cls.__name__} is a class: loss = {cls.__name__}() makes a loss, loss(pred, label) computes it"
            )
        return super().__new__(cls)

    def __init__(self, weight: float | None, batch_axis: int, **kwargs: Any):
        super().__init__(**kwargs)
        self._weight = weight
        self._batch_axis = batch_axis

    def __repr__(self) -> str:
        return f"{type(self).__name__}(batch_axis={self._batch_axis}, w={self._weight})"

    def _mean(self, F: ModuleType, loss: object) -> Any:
        """The mean over all axes but that of the batch."""
        return F.mean(loss, axis=self._batch_axis, exclude=True)

    #: May infinite predictions be read as numbers far away (False), if a row of scores allows it (True), or not (None)?
    _rows: bool | None = None
    #: The axes of the batch of inputs that have another one than the loss.
    _batch_axes: Mapping[str, int] = {}

    def forward(self, x: Array, *args: Any) -> Any:
        """The loss of each example; where it comes out infinite or NaN, it is computed again with more care."""
        result = super().forward(x, *args)
        if not needs_care(result, x, *args) or isinstance(self, SDMLLoss):
            return result
        if type(self).hybrid_forward.__module__ != __name__:  # a user's own loss
            return result
        with both_kinds():
            return self.hybrid_forward(ndarray, *inputs_with_care(self, (x, *args))).astype(result.dtype)

    @overridable
    def hybrid_forward(self, F: ModuleType, x: Array, *args: Any, **kwargs: Any) -> Array:
        """The loss; to be overridden."""
        raise NotImplementedError(f"{type(self).__name__} must define hybrid_forward(self, F, x, ...)")


class L2Loss(Loss):
    """``weight / 2 * (label - pred)**2``.

    >>> gluon.loss.L2Loss()(nd.array([[1, 2]]), nd.array([[1, 4]]))
    [1.]
    <NDArray 1 @cpu(0)>
    """

    _rows = False

    def __init__(self, weight: float | None = 1.0, batch_axis: int = 0, **kwargs: Any):
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F: Any, pred: Array, label: Array, sample_weight: Any = None) -> Any:
        """The loss of each example."""
        loss = F.square(_reshape_like(F, label, pred) - pred)
        half = None if self._weight is None else self._weight / 2
        return self._mean(F, _apply_weighting(F, loss, half, sample_weight))


class L1Loss(Loss):
    """``|label - pred|``.

    >>> gluon.loss.L1Loss()(nd.array([[1, 2]]), nd.array([[1, 4]]))
    [1.]
    <NDArray 1 @cpu(0)>
    """

    _rows = False

    def __init__(self, weight: float | None = None, batch_axis: int = 0, **kwargs: Any):
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F: Any, pred: Array, label: Array, sample_weight: Any = None) -> Any:
        """The loss of each example."""
        loss = F.abs(_reshape_like(F, label, pred) - pred)
        return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))


def _softplus(F: ModuleType, x: Array) -> object:
    return F.Activation(x, act_type="softrelu")


class SigmoidBinaryCrossEntropyLoss(Loss):
    """Cross-entropy of two classes; ``pred`` is before the sigmoid, or with ``from_sigmoid`` after it.

    ``pos_weight`` as a fourth input multiplies the loss where the label is positive.

    >>> gluon.loss.SigmoidBCELoss()(nd.array([[2], [-2]]), nd.array([[1], [1]]))
    [0.126928 2.126928]
    <NDArray 2 @cpu(0)>
    """

    _rows = False

    def __init__(self, from_sigmoid: bool = False, weight: float | None = None, batch_axis: int = 0, **kwargs: Any):
        super().__init__(weight, batch_axis, **kwargs)
        self._from_sigmoid = from_sigmoid

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None, pos_weight: Any = None) -> Any:
        """The loss of each example."""
        label = _reshape_like(F, label, pred)
        if self._from_sigmoid:
            tiny = 1e-12
            positive = F.log(pred + tiny) * label
            if pos_weight is not None:
                positive = _times(F, positive, pos_weight)
            loss = -(positive + F.log(1.0 - pred + tiny) * (1.0 - label))
        elif pos_weight is None:  # these forms do not overflow for large predictions
            loss = F.relu(pred) - pred * label + _softplus(F, -F.abs(pred))
        else:
            weight = 1 + _times(F, pos_weight - 1, label)
            loss = pred - pred * label + weight * (_softplus(F, -F.abs(pred)) + F.relu(-pred))
        return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))


SigmoidBCELoss = SigmoidBinaryCrossEntropyLoss


class SoftmaxCrossEntropyLoss(Loss):
    """Cross-entropy of the softmax of ``pred`` along ``axis``.

    Labels are class numbers, or probabilities with ``sparse_label=False``; ``from_logits`` says that ``pred`` is a
    log-softmax already.

    >>> scores, labels = nd.array([[2, 0], [0, 2]]), nd.array([0, 0])
    >>> gluon.loss.SoftmaxCrossEntropyLoss()(scores, labels)
    [0.12692805 2.126928  ]
    <NDArray 2 @cpu(0)>
    """

    _rows = True

    def __init__(
        self,
        axis: int = -1,
        sparse_label: bool = True,
        from_logits: bool = False,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ):
        super().__init__(weight, batch_axis, **kwargs)
        self._axis = axis
        self._sparse_label = sparse_label
        self._from_logits = from_logits

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The loss of each example."""
        if F is ndarray and self._sparse_label and not self._from_logits:  # what a pass makes of the lines below
            single = sample_weight is None and self._batch_axis == 0 and self._axis in (1, -1) and pred.ndim == 2
            loss = F._internal._log_softmax_pick(pred, label, axis=self._axis, keepdims=not single, scale=-1.0)
            if single:  # the mean of one number for each example
                return _apply_weighting(F, loss, self._weight)
            return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))
        if not self._from_logits:
            pred = F.log_softmax(pred, axis=self._axis)
        if self._sparse_label:
            loss = -F.pick(pred, label, axis=self._axis, keepdims=True)
        else:
            loss = -F.sum(pred * _reshape_like(F, label, pred), axis=self._axis, keepdims=True)
        return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))


SoftmaxCELoss = SoftmaxCrossEntropyLoss


class KLDivLoss(Loss):
    """The Kullback-Leibler divergence of ``label`` from ``pred``, both distributions; summed over all but the batch.

    ``pred`` is of log-probabilities, or with ``from_logits=False`` before a softmax along ``axis``.

    >>> gluon.loss.KLDivLoss(from_logits=False)(nd.array([[1, 1]]), nd.array([[0.5, 0.5]]))
    [0.]
    <NDArray 1 @cpu(0)>
    """

    _rows = True

    def __init__(
        self, from_logits: bool = True, axis: int = -1, weight: float | None = None, batch_axis: int = 0, **kwargs: Any
    ):
        super().__init__(weight, batch_axis, **kwargs)
        self._from_logits = from_logits
        self._axis = axis

    def hybrid_forward(self, F: ModuleType, pred: Array, label: Array, sample_weight: Array | None = None) -> Array:
        """The loss of each example."""
        if not self._from_logits:
            pred = F.log_softmax(pred, axis=self._axis)
        loss = label * (F.log(label + 1e-12) - pred)
        loss = _apply_weighting(F, loss, self._weight, sample_weight)
        return F.sum(loss, axis=self._batch_axis, exclude=True)


class CTCLoss(Loss):
    """Connectionist temporal classification: of sequences with labels that are not aligned.

    ``pred`` is before the softmax, its last class is the blank; labels count from 0 and are padded by -1. Further
    inputs: ``pred_lengths``, ``label_lengths``, ``sample_weight``.

    >>> gluon.loss.CTCLoss()(nd.zeros((1, 4, 3)), nd.array([[0, 1]]))
    [1.686399]
    <NDArray 1 @cpu(0)>
    """

    def __init__(self, layout: str = "NTC", label_layout: str = "NT", weight: float | None = None, **kwargs: Any):
        if layout not in ("NTC", "TNC"):
            raise MXNetAssertionError(f"Only 'NTC' and 'TNC' layouts for pred are supported. Got: {layout}")
        if label_layout not in ("NT", "TN"):
            raise MXNetAssertionError(f"Only 'NT' and 'TN' layouts for label are supported. Got: {label_layout}")
        self._layout = layout
        self._label_layout = label_layout
        super().__init__(weight, label_layout.find("N"), **kwargs)
        self._batch_axes = {"pred": layout.find("N")}

    def hybrid_forward(
        self,
        F: Any,
        pred: Array,
        label: Array,
        pred_lengths: Array | None = None,
        label_lengths: Array | None = None,
        sample_weight: Any = None,
    ) -> Any:
        """The loss of each example."""
        if self._layout == "NTC":
            pred = F.swapaxes(pred, 0, 1)
        if self._batch_axis == 1:
            label = F.swapaxes(label, 0, 1)
        loss = F.CTCLoss(
            pred,
            label,
            pred_lengths,
            label_lengths,
            use_data_lengths=pred_lengths is not None,
            use_label_lengths=label_lengths is not None,
            blank_label="last",
        )
        return _apply_weighting(F, loss, self._weight, sample_weight)


class HuberLoss(Loss):
    """L1 loss where the error is more than ``rho``, else L2, joined smoothly.

    >>> gluon.loss.HuberLoss()(nd.array([[0.5], [3]]), nd.array([[0], [0]]))
    [0.125 2.5  ]
    <NDArray 2 @cpu(0)>
    """

    _rows = False

    def __init__(self, rho: float = 1, weight: float | None = None, batch_axis: int = 0, **kwargs: Any):
        super().__init__(weight, batch_axis, **kwargs)
        self._rho = rho

    def hybrid_forward(self, F: Any, pred: Array, label: Array, sample_weight: Any = None) -> Any:
        """The loss of each example."""
        error = F.abs(_reshape_like(F, label, pred) - pred)
        loss = F.where(_as_constant(error) > self._rho, error - 0.5 * self._rho, (0.5 / self._rho) * F.square(error))
        return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))


class _MarginLoss(Loss):
    """A loss that is 0 where predictions are right by ``margin``."""

    def __init__(self, margin: float = 1, weight: float | None = None, batch_axis: int = 0, **kwargs: Any):
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin


class HingeLoss(_MarginLoss):
    """``max(0, margin - pred * label)``, labels are -1 or 1.

    >>> gluon.loss.HingeLoss()(nd.array([[0.5], [3]]), nd.array([[1], [1]]))
    [0.5 0. ]
    <NDArray 2 @cpu(0)>
    """

    _rows = False

    def hybrid_forward(self, F: Any, pred: Array, label: Array, sample_weight: Any = None) -> Any:
        """The loss of each example."""
        loss = F.relu(self._margin - pred * _reshape_like(F, label, pred))
        return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))


class SquaredHingeLoss(_MarginLoss):
    """``max(0, margin - pred * label)**2``, labels are -1 or 1."""

    _rows = False

    def hybrid_forward(self, F: Any, pred: Array, label: Array, sample_weight: Any = None) -> Any:
        """The loss of each example."""
        loss = F.square(F.relu(self._margin - pred * _reshape_like(F, label, pred)))
        return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))


class LogisticLoss(Loss):
    """``log(1 + exp(-pred * label))``; labels are -1 or 1, or with ``label_format='binary'`` 0 or 1."""

    _rows = False

    def __init__(self, weight: float | None = None, batch_axis: int = 0, label_format: str = "signed", **kwargs: Any):
        super().__init__(weight, batch_axis, **kwargs)
        if label_format not in ("signed", "binary"):
            raise MXNetValueError(f"label_format can only be signed or binary, recieved {label_format}.")
        self._label_format = label_format

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The loss of each example."""
        label = _reshape_like(F, label, pred)
        if self._label_format == "signed":
            label = (label + 1.0) / 2.0
        loss = F.relu(pred) - pred * label + _softplus(F, -F.abs(pred))
        return self._mean(F, _apply_weighting(F, loss, self._weight, sample_weight))


class TripletLoss(_MarginLoss):
    """``max(0, |positive - pred|**2 - |negative - pred|**2 + margin)``.

    >>> gluon.loss.TripletLoss()(nd.array([[1, 1]]), nd.array([[1, 2]]), nd.array([[5, 5]]))
    [0.]
    <NDArray 1 @cpu(0)>
    """

    _rows = False

    def hybrid_forward(self, F: Any, pred: Any, positive: Any, negative: Any, sample_weight: Any = None) -> Any:
        """The loss of each example."""
        positive, negative = _reshape_like(F, positive, pred), _reshape_like(F, negative, pred)
        if F is ndarray and pred.dtype == np.float64:  # no two large squares, of which nothing would be left
            further = (positive - negative) * (positive + negative - 2 * pred)
        else:
            further = F.square(positive - pred) - F.square(negative - pred)
        loss = F.relu(F.sum(further, axis=self._batch_axis, exclude=True) + self._margin)
        return _apply_weighting(F, loss, self._weight, sample_weight)


class PoissonNLLLoss(Loss):
    """The negative log-likelihood of counts; ``pred`` is the log of the expected count, or itself if not from_logits.

    ``compute_full`` adds Stirling's approximation of ``log(target!)``. The result is one number, the mean of all.
    """

    _rows = False

    def __init__(
        self,
        weight: float | None = None,
        from_logits: bool = True,
        batch_axis: int = 0,
        compute_full: bool = False,
        **kwargs: Any,
    ):
        super().__init__(weight, batch_axis, **kwargs)
        self._from_logits = from_logits
        self._compute_full = compute_full

    def hybrid_forward(
        self, F: Any, pred: Any, target: Any, sample_weight: Array | None = None, epsilon: float = 1e-08
    ) -> Array:
        """The mean loss."""
        target = _reshape_like(F, target, pred)
        if self._from_logits:
            loss = F.exp(pred) - target * pred
        else:
            loss = pred - target * F.log(pred + epsilon)
        if self._compute_full:
            large = target > 1
            counted = F.where(large, target, F.ones_like(target))  # the log of what is not counted need not exist
            stirling = counted * F.log(counted) - counted + 0.5 * F.log(2 * counted * math.pi)
            loss = loss + large * stirling
        return F.mean(_apply_weighting(F, loss, self._weight, sample_weight))


class CosineEmbeddingLoss(Loss):
    """``1 - cos(input1, input2)`` where the label is 1, ``max(0, cos - margin)`` where it is -1."""

    def __init__(self, weight: float | None = None, batch_axis: int = 0, margin: float = 0, **kwargs: Any):
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F: Any, input1: Any, input2: Any, label: Array, sample_weight: Any = None) -> Any:
        """The loss of each example, of shape (batch, 1)."""
        input1 = _reshape_like(F, input1, input2)
        label = label.reshape((-1, 1))
        lengths = F.norm(input1, axis=-1).reshape((-1, 1)) * F.norm(input2, axis=-1).reshape((-1, 1))
        product = F.sum(input1 * input2, axis=-1).reshape((-1, 1))
        # the smallest number that still divides, in the dtype of the inputs
        similarity = product / F.broadcast_maximum(lengths, F.ones_like(lengths) * 1e-12)
        loss = (1 - similarity) * (label == 1) + F.relu((label == -1) * (similarity - self._margin))
        return _apply_weighting(F, loss, self._weight, sample_weight)


class SDMLLoss(Loss):
    """Smoothed deep metric learning (Bonadiman et al., 2019): rows of x1 and x2 with one number belong together.

    All other rows of the batch count as unrelated; ``smoothing_parameter`` is the probability shared among them.
    """

    def __init__(
        self, smoothing_parameter: float = 0.3, weight: float | None = 1.0, batch_axis: int = 0, **kwargs: Any
    ):
        super().__init__(weight, batch_axis, **kwargs)
        self.kl_loss = KLDivLoss(from_logits=True)
        self.smoothing_parameter = smoothing_parameter

    def hybrid_forward(self, F: ModuleType, x1: Array, x2: Array) -> Array:
        """The loss of each example."""
        differences = F.broadcast_sub(F.expand_dims(x1, 1), F.expand_dims(x2, 0))
        distances = F.sum(F.square(differences), axis=2)
        # The labels are made of the distances' shape, so that graphs know it too.
        size = F.sum(F.ones_like(distances), axis=1, keepdims=True)
        numbers = F.cumsum(F.ones_like(size), axis=0)
        same = F.broadcast_equal(numbers, F.swapaxes(numbers, 0, 1))
        others = F.broadcast_div(self.smoothing_parameter * (1 - same), size - 1)
        labels = (1 - self.smoothing_parameter) * same + others
        log_probabilities = F.log_softmax(-distances, axis=1)
        return self.kl_loss(log_probabilities, labels)
