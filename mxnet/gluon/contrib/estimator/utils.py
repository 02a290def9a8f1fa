"""Checks of metrics, and the metric that goes with a loss."""

from __future__ import annotations

from collections.abc import Iterable

from ....error import MXNetValueError
from ....metric import Accuracy, CompositeEvalMetric, EvalMetric
from ...loss import SoftmaxCrossEntropyLoss


def _check_metrics(metrics: object) -> list[EvalMetric]:
    """Metrics as a list; those of a composite one by one."""
    if isinstance(metrics, CompositeEvalMetric):
        return [m for metric in metrics.metrics for m in _check_metrics(metric)]
    if isinstance(metrics, EvalMetric):
        return [metrics]
    found = metrics or []
    if not isinstance(found, list | tuple) or not all(isinstance(m, EvalMetric) for m in found):
        raise MXNetValueError(
            f"metrics must be a Metric or a list of Metric, refer to mxnet.metric.EvalMetric: {metrics}"
        )
    return list(found)


def _check_metric_known(handler: object, metric: EvalMetric, known_metrics: Iterable[EvalMetric]) -> None:
    """Refuses a metric that nobody would update."""
    if not any(metric is known for known in known_metrics):
        raise MXNetValueError(
            f"Event handler {type(handler).__name__} refers to a metric instance {metric} outside of the known "
            "training and validation metrics. Please use the metrics from estimator.train_metrics and "
            "estimator.val_metrics instead."
        )


def _check_handler_metric_ref(handler: object, known_metrics: Iterable[EvalMetric]) -> None:
    """Checks the metrics in those attributes of a handler whose names speak of metrics."""
    known = list(known_metrics)
    for name, value in vars(handler).items():
        if "metric" in name:
            for item in value if isinstance(value, list | tuple) else [value]:
                if isinstance(item, EvalMetric):
                    _check_metric_known(handler, item, known)


def _suggest_metric_for_loss(loss: object) -> EvalMetric | None:
    """The metric that people want to see beside a loss, if there is one."""
    return Accuracy() if isinstance(loss, SoftmaxCrossEntropyLoss) else None
