"""Metrics of regressions: how far predictions are from labels."""

from __future__ import annotations

import math
from typing import Any

import numpy
import torch

from ..error import MXNetValueError
from .arrays import check_label_shapes, on_host, pairs, real
from .base import EvalMetric, Names, alias, register


class _Regression(EvalMetric):
    """The mean over batches of an error between labels and predictions."""

    def __init__(self, name: Any, output_names: Names, label_names: Names):
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def _error(self, difference: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError

    def update(self, labels: Any, preds: Any) -> None:
        """Adds a batch of labels and predictions."""
        for label, pred in pairs(labels, preds):
            label, pred = (real(t.unsqueeze(1) if t.dim() == 1 else t) for t in (label, pred))
            try:
                difference = label - pred
            except RuntimeError:
                raise MXNetValueError(
                    f"Shape of labels {tuple(label.shape)} does not match shape of predictions {tuple(pred.shape)}"
                ) from None
            self._add(self._error(difference), 1)


@register
class MAE(_Regression):
    """The mean absolute error.

    >>> metric = mx.metric.MAE()
    >>> metric.update([nd.array([1, 2])], [nd.array([1, 4])])
    >>> metric.get()
    ('mae', 1.0)
    """

    def __init__(self, name: Any = "mae", output_names: Names = None, label_names: Names = None):
        super().__init__(name, output_names, label_names)

    def _error(self, difference: torch.Tensor) -> torch.Tensor:
        return difference.abs_().mean()


@register
class MSE(_Regression):
    """The mean squared error.

    >>> metric = mx.metric.MSE()
    >>> metric.update([nd.array([1, 2])], [nd.array([1, 4])])
    >>> metric.get()
    ('mse', 2.0)
    """

    def __init__(self, name: Any = "mse", output_names: Names = None, label_names: Names = None):
        super().__init__(name, output_names, label_names)

    def _error(self, difference: torch.Tensor) -> torch.Tensor:
        return difference.square_().mean()


@register
class RMSE(_Regression):
    """The root of the mean squared error, of each batch."""

    def __init__(self, name: Any = "rmse", output_names: Names = None, label_names: Names = None):
        super().__init__(name, output_names, label_names)

    def _error(self, difference: torch.Tensor) -> torch.Tensor:
        return difference.square_().mean().sqrt_()


def _correlation(x: numpy.ndarray, y: numpy.ndarray) -> float:
    x, y = x - x.mean(), y - y.mean()
    spread = math.sqrt((x @ x) * (y @ y))
    return min(max(float(x @ y) / spread, -1.0), 1.0) if spread else math.nan


@register
@alias("pearsonr")
class PearsonCorrelation(EvalMetric):
    """Pearson's correlation of labels and predictions: the mean over batches ('macro') or one over all ('micro')."""

    def __init__(
        self, name: Any = "pearsonr", output_names: Names = None, label_names: Names = None, average: str = "macro"
    ):
        if average not in ("macro", "micro"):
            raise MXNetValueError(f"average must be macro or micro, got {average!r}")
        self.average = average
        kwargs = {} if average == "macro" else {"average": average}
        super().__init__(name, output_names, label_names, has_global_stats=True, **kwargs)

    def reset_micro(self) -> None:
        """Forgets the running moments of 'micro'."""
        self._label_nums = self._pred_nums = 0
        self._mean_l = self._mean_p = 0.0
        self._sse_l = self._sse_p = self._conv = 0.0

    def reset(self) -> None:
        """Forgets everything."""
        self.reset_micro()
        super().reset()

    def update_variance(self, new_values: Any, *aggregate: object) -> tuple[Any, Any, Any]:
        """The count, mean and sum of squared deviations after more values came."""
        count, mean, squares = aggregate
        new_values = numpy.asarray(new_values)
        count += new_values.size
        before = new_values - mean
        mean = mean + before.sum() / count
        return count, mean, squares + (before * (new_values - mean)).sum()

    def update_cov(self, label: Any, pred: Any) -> None:
        """Adds the products of deviations from the running means."""
        self._conv += ((label - self._mean_l) * (pred - self._mean_p)).sum()

    def update(self, labels: Any, preds: Any) -> None:
        """Adds a batch of labels and predictions."""
        for label_data, pred_data in pairs(labels, preds):
            check_label_shapes(label_data, pred_data, shape=True)
            label, pred = on_host(*(t.reshape(-1).to(torch.float64) for t in (label_data, pred_data)))
            if self.average == "macro":
                self._add(_correlation(label, pred), 1)
                continue
            # The covariance takes the new mean of one side and the old mean of the other: then it is exact.
            self._label_nums, self._mean_l, self._sse_l = self.update_variance(
                label, self._label_nums, self._mean_l, self._sse_l
            )
            self.update_cov(label, pred)
            self._pred_nums, self._mean_p, self._sse_p = self.update_variance(
                pred, self._pred_nums, self._mean_p, self._sse_p
            )
            self._add(0.0, 1)

    def get(self) -> tuple[str, float]:
        """The name and the value; NaN before the first update. 'micro' counts since ``reset``, not ``reset_local``."""
        return super().get() if self.average == "macro" or self.num_inst == 0 else (self.name, self._running())

    def get_global(self) -> tuple[str, float]:
        """The name and the value since the last reset."""
        if self.average == "macro" or self.global_num_inst == 0:
            return super().get_global()
        return self.name, self._running()

    def _running(self) -> float:
        spread = math.sqrt(self._sse_p * self._sse_l)
        return float(self._conv) / spread if spread else math.nan
