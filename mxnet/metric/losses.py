"""Metrics of probabilities and losses."""

from __future__ import annotations

import math
from typing import Any

import torch

from .._core.signature import takes
from ..error import MXNetAssertionError, MXNetValueError
from .arrays import as_list, as_tensor, pairs, real
from .base import EvalMetric, Names, alias, register


@register
class Perplexity(EvalMetric):
    """The exponential of the mean negative log-probability of the labels; those equal to ``ignore_label`` are left out.

    ``axis`` is that of the classes.
    """

    def __init__(
        self,
        ignore_label: int | None,
        axis: int = -1,
        name: Any = "perplexity",
        output_names: Names = None,
        label_names: Names = None,
    ):
        kwargs = {} if axis == -1 else {"axis": axis}
        super().__init__(name, output_names, label_names, ignore_label=ignore_label, has_global_stats=True, **kwargs)
        self.ignore_label = ignore_label
        self.axis = axis

    def update(self, labels: object, preds: object) -> None:
        """Adds a batch of labels (classes) and predictions (probabilities of each)."""
        for label, pred in pairs(labels, preds):
            if not -pred.dim() <= self.axis < pred.dim():
                raise MXNetValueError(f"axis {self.axis} is out of range for predictions of shape {tuple(pred.shape)}")
            scores = pred.movedim(self.axis, -1)
            classes = scores.shape[-1]
            label = label.reshape(-1)
            if label.numel() * classes != scores.numel():
                raise MXNetAssertionError(f"shape mismatch: {tuple(label.shape)} vs. {tuple(pred.shape)}")
            index = label.to(torch.int64).clamp(0, classes - 1).unsqueeze(1)
            logs = real(scores.reshape(-1, classes).gather(1, index)).clamp(min=1e-10).log()
            if self.ignore_label is None:
                self._add(-logs.sum(), label.numel())
            else:
                kept = label != self.ignore_label
                total, count = torch.stack([logs[:, 0].mul(kept).sum(), kept.sum().to(logs.dtype)]).tolist()
                self._add(-total, count)

    def _value(self, total: float, count: float) -> float:
        try:
            return math.exp(total / count)
        except OverflowError:
            return math.inf


class _LogLikelihood(EvalMetric):
    """The mean negative log-probability of the labels; ``eps`` is added to each probability."""

    def __init__(
        self, eps: float = 1e-12, name: Any = "cross-entropy", output_names: Names = None, label_names: Names = None
    ):
        super().__init__(name, output_names, label_names, eps=eps, has_global_stats=True)
        self.eps = eps

    def update(self, labels: object, preds: object) -> None:
        """Adds a batch of labels (classes) and predictions (probabilities by sample and class)."""
        for label, pred in pairs(labels, preds):
            index = label.reshape(-1).to(torch.int64)
            if pred.dim() < 2 or len(pred) != len(index):
                raise MXNetAssertionError(f"{len(index)} labels do not fit predictions of shape {tuple(pred.shape)}")
            classes = pred.shape[1]
            low, high = map(int, index.aminmax()) if len(index) else (0, -1)
            if low < -classes or high >= classes:
                wrong = ((index < -classes) | (index >= classes)).sum().item()
                raise MXNetValueError(f"{wrong} labels are out of range for {classes} classes")
            if low < 0:
                index = torch.where(index < 0, index + classes, index)
            if pred.dim() == 2:
                chosen = pred.gather(1, index.unsqueeze(1))
            else:
                chosen = pred[torch.arange(len(index), device=pred.device), index]
            self._add(-(real(chosen) + self.eps).log().sum(), len(index))


@register
@alias("ce")
class CrossEntropy(_LogLikelihood):
    """The cross entropy: the mean negative log-probability of the labels."""


@register
@alias("nll_loss")
class NegativeLogLikelihood(_LogLikelihood):
    """The mean negative log-likelihood of the labels."""

    @takes(_LogLikelihood.__init__, name="nll-loss")
    def __init__(self, **given: Any):
        super().__init__(**given)


@register
class Loss(EvalMetric):
    """The mean of the outputs, for networks whose outputs are losses."""

    def __init__(self, name: Any = "loss", output_names: Names = None, label_names: Names = None):
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def update(self, _: object, preds: object) -> None:
        """Adds a batch of losses; labels are not used."""
        for pred in as_list(preds):
            data = as_tensor(pred)
            self._add(data.sum(dtype=None if data.dtype is torch.float64 else torch.float32), data.numel())


@register
class Torch(Loss):
    """The mean of the outputs, under the name of criteria of the old Torch plug-in."""

    def __init__(self, name: Any = "torch", output_names: Names = None, label_names: Names = None):
        super().__init__(name, output_names, label_names)


@register
class Caffe(Loss):
    """The mean of the outputs, under the name of criteria of the old Caffe plug-in."""

    def __init__(self, name: Any = "caffe", output_names: Names = None, label_names: Names = None):
        super().__init__(name, output_names, label_names)
