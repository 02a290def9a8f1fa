"""Metrics of classifications: which class was predicted, and was it right."""

from __future__ import annotations

import math
from typing import Any

import numpy
import torch

from ..error import MXNetAssertionError, MXNetValueError
from .arrays import classes_of, flat_classes, matches, on_host, pairs
from .base import EvalMetric, Names, alias, register


@register
@alias("acc")
class Accuracy(EvalMetric):
    """The part of predictions that are right. Predictions are classes, or scores of classes along ``axis``."""

    def __init__(self, axis: int = 1, name: Any = "accuracy", output_names: Names = None, label_names: Names = None):
        super().__init__(name, output_names, label_names, axis=axis, has_global_stats=True)
        self.axis = axis

    def update(self, labels: Any, preds: Any) -> None:
        """Adds a batch of labels (classes) and predictions (classes, or scores of each)."""
        for label, pred in pairs(labels, preds):
            self._add(matches(label, pred, self.axis), label.numel())


@register
@alias("top_k_accuracy", "top_k_acc")
class TopKAccuracy(EvalMetric):
    """The part of labels that are among the ``top_k`` classes of highest score."""

    def __init__(
        self, top_k: int = 1, name: Any = "top_k_accuracy", output_names: Names = None, label_names: Names = None
    ):
        if top_k <= 1:
            raise MXNetAssertionError("Please use Accuracy if top_k is no more than 1")
        suffix = f"_{top_k}"
        name = str(name)  # that of a configuration has the suffix already
        super().__init__(
            name if name.endswith(suffix) else name + suffix,
            output_names,
            label_names,
            top_k=top_k,
            has_global_stats=True,
        )
        self.top_k = top_k

    def update(self, labels: Any, preds: Any) -> None:
        """Adds a batch of labels (classes) and predictions (scores by sample and class)."""
        for label, pred in pairs(labels, preds):
            if pred.dim() > 2:
                raise MXNetValueError(f"Predictions should be no more than 2 dims, got {pred.dim()}")
            if pred.dim() < 2:
                best = pred.reshape(-1, 1)
            elif self.top_k > pred.shape[1]:
                raise MXNetValueError(f"top_k is {self.top_k}, but there are only {pred.shape[1]} classes")
            else:
                best = pred.topk(self.top_k, dim=1, sorted=False).indices
            if len(best) != label.numel():
                raise MXNetValueError(
                    f"Shape of labels {label.numel()} does not match shape of predictions {len(best)}"
                )
            self._add((best.to(torch.int64) == label.reshape(-1, 1).to(torch.int64)).sum(), len(best))


class _Counts:
    """True and false positives and negatives of a binary classification."""

    def __init__(self) -> None:
        self.tp = self.fp = self.fn = self.tn = 0

    def add(self, tp: int, fp: int, fn: int, tn: int) -> None:
        self.tp += tp
        self.fp += fp
        self.fn += fn
        self.tn += tn

    @property
    def total(self) -> int:
        return self.tp + self.fp + self.fn + self.tn

    @property
    def f1(self) -> float:
        return 2 * self.tp / (2 * self.tp + self.fp + self.fn) if self.tp else 0.0

    @property
    def mcc(self) -> float:
        sides = (self.tp + self.fp, self.tp + self.fn, self.tn + self.fp, self.tn + self.fn)
        return (self.tp * self.tn - self.fp * self.fn) / math.sqrt(math.prod(s for s in sides if s))


class _Binary(EvalMetric):
    """A score of binary classifications: the mean over batches ('macro'), or one over all samples ('micro')."""

    def __init__(self, name: Any, output_names: Names, label_names: Names, average: str):
        self.average = average
        kwargs = {} if average == "macro" else {"average": average}
        super().__init__(name, output_names, label_names, has_global_stats=True, **kwargs)

    def _score(self, counts: _Counts) -> float:
        raise NotImplementedError

    def reset(self) -> None:
        """Forgets everything."""
        self._counts, self._global_counts = _Counts(), _Counts()
        super().reset()

    def reset_local(self) -> None:
        """Forgets all but the global sums."""
        self._counts = _Counts()
        super().reset_local()

    def update(self, labels: Any, preds: Any) -> None:
        """Adds a batch of labels (0 or 1) and predictions (scores of both classes)."""
        batch = _Counts()
        for label, pred in pairs(labels, preds):
            classes, label = classes_of(pred, 1).reshape(-1), label.reshape(-1).to(torch.int64)
            if label.numel() != classes.numel():
                raise MXNetValueError(
                    f"Shape of labels {label.numel()} does not match shape of predictions {classes.numel()}"
                )
            if not label.numel():
                continue
            guesses, truth = on_host(classes, label)
            if ((truth != truth.min()) & (truth != truth.max())).any():
                raise MXNetValueError(f"{type(self).__name__} currently only supports binary classification.")
            found, true = guesses == 1, truth == 1
            both, positive, truly = (int(numpy.count_nonzero(x)) for x in (found & true, found, true))
            batch.add(both, positive - both, truly - both, label.numel() - positive - truly + both)
        if self.average == "macro":
            self._add(self._score(batch), 1)
            return
        for counts in (self._counts, self._global_counts):
            counts.add(batch.tp, batch.fp, batch.fn, batch.tn)
        self.num_inst, self.global_num_inst = self._counts.total, self._global_counts.total
        self.sum_metric = self._score(self._counts) * self.num_inst
        self.global_sum_metric = self._score(self._global_counts) * self.global_num_inst


@register
class F1(_Binary):
    """The F1 score of a binary classification: the harmonic mean of precision and recall."""

    def __init__(self, name: Any = "f1", output_names: Names = None, label_names: Names = None, average: str = "macro"):
        super().__init__(name, output_names, label_names, average)

    def _score(self, counts: _Counts) -> float:
        return counts.f1


@register
class MCC(_Binary):
    """The Matthews correlation coefficient of a binary classification: 1 right, 0 by chance, -1 always wrong."""

    def __init__(
        self, name: Any = "mcc", output_names: Names = None, label_names: Names = None, average: str = "macro"
    ):
        super().__init__(name, output_names, label_names, average)

    def _score(self, counts: _Counts) -> float:
        return counts.mcc


@register
class PCC(EvalMetric):
    """The Matthews correlation coefficient for any number of classes, from the confusion matrix."""

    def __init__(
        self, name: Any = "pcc", output_names: Names = None, label_names: Names = None, has_global_stats: bool = True
    ):
        self.k = 2
        super().__init__(name, output_names, label_names, has_global_stats=has_global_stats)

    def reset(self) -> None:
        """Forgets everything."""
        self.global_num_inst = 0.0
        self.gcm = numpy.zeros((self.k, self.k))
        self.reset_local()

    def reset_local(self) -> None:
        """Forgets all but the global matrix."""
        self.num_inst = 0.0
        self.lcm = numpy.zeros((self.k, self.k))

    def update(self, labels: Any, preds: Any) -> None:
        """Adds a batch of labels (classes) and predictions (classes, or scores of each)."""
        for label, pred in pairs(labels, preds):
            label, pred = flat_classes(label, pred, 1)
            if not label.numel():
                continue
            guesses, truth = on_host(pred, label)
            lowest = min(guesses.min(), truth.min())
            if lowest < 0:
                raise MXNetValueError(f"classes are numbers from 0 on, got {lowest}")
            highest = int(max(guesses.max(), truth.max()))
            if highest >= self.k:
                more = highest + 1 - self.k
                self.lcm, self.gcm = (numpy.pad(m, ((0, more), (0, more))) for m in (self.lcm, self.gcm))
                self.k = highest + 1
            counts = numpy.bincount(guesses * self.k + truth, minlength=self.k**2).reshape(self.k, self.k)
            self.lcm += counts
            self.gcm += counts
        self.num_inst += 1
        self.global_num_inst += 1

    @staticmethod
    def _coefficient(matrix: numpy.ndarray) -> float:
        total, found, true = matrix.sum(), matrix.sum(1), matrix.sum(0)
        spread = (found * (total - found)).sum() * (true * (total - true)).sum()
        if not spread:
            return math.nan
        return float((matrix.trace() * total - found @ true) / math.sqrt(spread))

    @property
    def sum_metric(self) -> float:
        """The coefficient times the number of updates."""
        return self._coefficient(self.lcm) * self.num_inst

    @property
    def global_sum_metric(self) -> float:
        """The coefficient since the last reset times the number of updates."""
        return self._coefficient(self.gcm) * self.global_num_inst
