"""Metrics of classifications: which class was predicted, and was it right."""

from __future__ import annotations

import math
from typing import Any

import numpy
import torch

from ..error import MXNetAssertionError, MXNetValueError
from .arrays import as_tensor, classes_of, flat_classes, matches, on_host, pairs
from .base import EvalMetric, Names, alias, register


@register
@alias("acc")
class Accuracy(EvalMetric):
    """The part of predictions that are right. Predictions are classes, or scores of classes along ``axis``.

    >>> metric = mx.metric.Accuracy()
    >>> metric.update(labels=[nd.array([1, 0])], preds=[nd.array([[0.1, 0.9], [0.3, 0.7]])])
    >>> metric.get()
    ('accuracy', 0.5)
    """

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
    """The part of labels that are among the ``top_k`` classes of highest score.

    >>> metric = mx.metric.TopKAccuracy(top_k=2)
    >>> metric.update([nd.array([2])], [nd.array([[0.5, 0.1, 0.4]])])
    >>> metric.get()
    ('top_k_accuracy_2', 1.0)
    """

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
                raise MXNetAssertionError(f"Predictions should be no more than 2 dims, got {pred.dim()}")
            if pred.dim() == 2 and self.top_k > pred.shape[1]:
                raise MXNetValueError(f"top_k is {self.top_k}, but there are only {pred.shape[1]} classes")
            if len(pred) != label.numel():
                raise MXNetValueError(
                    f"Shape of labels {label.numel()} does not match shape of predictions {len(pred)}"
                )
            label = label.reshape(-1, 1).to(torch.int64)
            if pred.dim() < 2:
                hits = pred.reshape(-1, 1).to(torch.int64) == label
            else:
                hits = self._among_best(pred, label)
            self._add(hits.sum(), len(pred))

    def _among_best(self, pred: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
        """Are fewer than ``top_k`` classes before that of the label? Of equal scores the later class comes first."""
        classes = pred.shape[1]
        pred = pred.float().nan_to_num(nan=math.inf, posinf=math.inf, neginf=-math.inf)
        score = pred.gather(1, label.clamp(0, classes - 1))
        later = torch.arange(classes, device=pred.device) > label
        before = ((pred > score) | ((pred == score) & later)).sum(1, keepdim=True)
        return (before < self.top_k) & (label >= 0) & (label < classes)


class _BinaryClassificationMetrics:
    """Counts of true and false positives and negatives: since ``local_reset_stats``, and all since ``reset_stats``."""

    _COUNTS = ("true_positives", "false_negatives", "false_positives", "true_negatives")

    def __init__(self) -> None:
        self.reset_stats()

    def local_reset_stats(self) -> None:
        """Forgets all but the global counts."""
        self.__dict__.update(dict.fromkeys(self._COUNTS, 0))

    def reset_stats(self) -> None:
        """Forgets everything."""
        self.local_reset_stats()
        self.__dict__.update({f"global_{name}": 0 for name in self._COUNTS})

    def update_binary_stats(self, label: object, pred: object) -> None:
        """Adds a batch of labels (0 or 1) and predictions (scores of both classes)."""
        self._update(as_tensor(label), as_tensor(pred), type(self).__name__)

    def _update(self, label: torch.Tensor, pred: torch.Tensor, who: str) -> None:
        classes, label = classes_of(pred, 1).reshape(-1), label.reshape(-1).to(torch.int64)
        if label.numel() != classes.numel():
            raise MXNetValueError(
                f"Shape of labels {label.numel()} does not match shape of predictions {classes.numel()}"
            )
        if not label.numel():
            return
        guesses, truth = on_host(classes, label)
        if ((truth != truth.min()) & (truth != truth.max())).any():
            raise MXNetValueError(f"{who} currently only supports binary classification.")
        found, true = guesses == 1, truth == 1
        both, positive, truly = (int(numpy.count_nonzero(x)) for x in (found & true, found, true))
        added = (both, truly - both, positive - both, label.numel() - positive - truly + both)
        for name, count in zip(self._COUNTS, added, strict=True):
            for key in (name, f"global_{name}"):
                self.__dict__[key] += count

    def _counts(self, use_global: bool) -> list[int]:
        return [self.__dict__[f"global_{name}" if use_global else name] for name in self._COUNTS]

    @staticmethod
    def _ratio(part: float, whole: float) -> float:
        return part / whole if whole > 0 else 0.0

    def _precision(self, use_global: bool = False) -> float:
        """The part of what was found that is right."""
        tp, _, fp, _ = self._counts(use_global)
        return self._ratio(tp, tp + fp)

    def _recall(self, use_global: bool = False) -> float:
        """The part of what is right that was found."""
        tp, fn, _, _ = self._counts(use_global)
        return self._ratio(tp, tp + fn)

    def _fscore(self, use_global: bool = False) -> float:
        """The harmonic mean of precision and recall."""
        tp, fn, fp, _ = self._counts(use_global)
        return self._ratio(2 * tp, 2 * tp + fp + fn)

    def matthewscc(self, use_global: bool = False) -> float:
        """Matthews' correlation coefficient."""
        tp, fn, fp, tn = self._counts(use_global)
        sides = (tp + fp, tp + fn, tn + fp, tn + fn)
        return (tp * tn - fp * fn) / math.sqrt(math.prod(s for s in sides if s))

    def _total(self, use_global: bool = False) -> int:
        """How many examples there were."""
        return sum(self._counts(use_global))

    precision, global_precision = property(_precision), property(lambda self: self._precision(True))
    recall, global_recall = property(_recall), property(lambda self: self._recall(True))
    fscore, global_fscore = property(_fscore), property(lambda self: self._fscore(True))
    total_examples, global_total_examples = property(_total), property(lambda self: self._total(True))


class _Binary(EvalMetric):
    """A score of binary classifications: the mean over batches ('macro'), or one over all samples ('micro')."""

    def __init__(self, name: Any, output_names: Names, label_names: Names, average: str):
        self.average = average
        self.metrics = _BinaryClassificationMetrics()
        kwargs = {} if average == "macro" else {"average": average}
        super().__init__(name, output_names, label_names, has_global_stats=True, **kwargs)

    def _score(self, use_global: bool = False) -> float:
        raise NotImplementedError

    def reset(self) -> None:
        """Forgets everything."""
        self.metrics.reset_stats()
        super().reset()

    def reset_local(self) -> None:
        """Forgets all but the global sums."""
        self.metrics.local_reset_stats()
        super().reset_local()

    def update(self, labels: Any, preds: Any) -> None:
        """Adds a batch of labels (0 or 1) and predictions (scores of both classes)."""
        if self.average == "macro":
            self.metrics.reset_stats()  # of a batch that was refused
        for label, pred in pairs(labels, preds):
            self.metrics._update(label, pred, type(self).__name__)
        if self.average == "macro":
            self._add(self._score(), 1)
            self.metrics.reset_stats()
            return
        self.num_inst, self.global_num_inst = self.metrics.total_examples, self.metrics.global_total_examples
        self.sum_metric = self._score() * self.num_inst
        self.global_sum_metric = self._score(True) * self.global_num_inst


@register
class F1(_Binary):
    """The F1 score of a binary classification: the harmonic mean of precision and recall.

    >>> metric = mx.metric.F1()
    >>> metric.update([nd.array([1, 0])], [nd.array([[0.1, 0.9], [0.3, 0.7]])])
    >>> round(metric.get()[1], 2)
    0.67
    """

    def __init__(self, name: Any = "f1", output_names: Names = None, label_names: Names = None, average: str = "macro"):
        super().__init__(name, output_names, label_names, average)

    def _score(self, use_global: bool = False) -> float:
        return self.metrics._fscore(use_global)


@register
class MCC(_Binary):
    """The Matthews correlation coefficient of a binary classification: 1 right, 0 by chance, -1 always wrong."""

    def __init__(
        self, name: Any = "mcc", output_names: Names = None, label_names: Names = None, average: str = "macro"
    ):
        super().__init__(name, output_names, label_names, average)

    def _score(self, use_global: bool = False) -> float:
        return self.metrics.matthewscc(use_global)


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

    @property  # type: ignore[misc]
    def sum_metric(self) -> float:
        """The coefficient times the number of updates."""
        return self._coefficient(self.lcm) * self.num_inst

    @property  # type: ignore[misc]
    def global_sum_metric(self) -> float:
        """The coefficient since the last reset times the number of updates."""
        return self._coefficient(self.gcm) * self.global_num_inst
