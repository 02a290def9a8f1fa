"""The base of metrics, metrics of several metrics, and metrics from functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy
import torch

from ..error import MXNetKeyError, MXNetValueError
from ..registry import get_alias_func, get_create_func, get_register_func
from .arrays import as_list, as_numpy, check_label_shapes

Names = Sequence[str] | None


def _is_asynchronous(tensor: torch.Tensor) -> bool:
    return tensor.is_cuda


def _plain(value: object) -> Any:
    """A NumPy scalar as a Python number."""
    return value.item() if isinstance(value, numpy.generic) else value


def _double(value: object) -> object:
    """A float as NumPy's double, so that it keeps its digits when a metric of the user's adds a float32 to it."""
    return numpy.float64(value) if isinstance(value, float) else value


class EvalMetric:
    """The base of metrics. A subclass defines ``update``, which adds to ``sum_metric`` and ``num_inst``.

    ``output_names`` and ``label_names`` choose what ``update_dict`` uses. A subclass that also keeps
    ``global_sum_metric`` and ``global_num_inst`` passes ``has_global_stats=True``.
    """

    _sum: Any = 0.0
    _global_sum: Any = 0.0
    num_inst: Any
    global_num_inst: Any

    def __init__(self, name: Any, output_names: Names = None, label_names: Names = None, **kwargs: Any):
        self.name = str(name)
        self.output_names = output_names
        self.label_names = label_names
        self._has_global_stats = kwargs.pop("has_global_stats", False)
        self._kwargs = kwargs
        self.reset()

    def __str__(self) -> str:
        return f"EvalMetric: {dict(self.get_name_value())}"

    def get_config(self) -> dict[str, Any]:
        """What ``create(**config)`` makes an equal metric from."""
        return {
            **self._kwargs,
            "metric": type(self).__name__,
            "name": self.name,
            "output_names": self.output_names,
            "label_names": self.label_names,
        }

    def __setstate__(self, state: Mapping[str, object]) -> None:
        """Pickles of the original have the sums by their public names."""
        self._sum = self._global_sum = 0.0
        for name, value in state.items():
            setattr(self, name, value)

    # ---- sums -------------------------------------------------------------------------------------------------------
    # On a GPU, sums of batches wait there as tensors until somebody looks, so that an update does not stop the queue.

    @property
    def sum_metric(self) -> Any:
        """The sum since the last local reset."""
        self._collect()
        return _double(self._sum)

    @sum_metric.setter
    def sum_metric(self, value: object) -> None:
        self._collect()
        self._sum = _plain(value)

    @property
    def global_sum_metric(self) -> Any:
        """The sum since the last reset."""
        self._collect()
        return _double(self._global_sum)

    @global_sum_metric.setter
    def global_sum_metric(self, value: object) -> None:
        self._collect()
        self._global_sum = _plain(value)

    def _collect(self) -> None:
        waiting = self.__dict__.pop("_waiting", None)
        if waiting:
            total = sum(t.item() for t in waiting.values())
            self._sum += total
            self._global_sum += total

    def _add(self, total: torch.Tensor | float, count: float) -> None:
        """Adds to the local and global sums and counts."""
        self.num_inst += count
        self.global_num_inst += count
        if isinstance(total, torch.Tensor):
            if _is_asynchronous(total):
                waiting = self.__dict__.setdefault("_waiting", {})
                before = waiting.get(total.device)
                total = total.to(torch.float64)
                waiting[total.device] = total if before is None else before + total
                return
            total = total.item()
        total = _plain(total)
        self._sum += total
        self._global_sum += total

    # ---- use --------------------------------------------------------------------------------------------------------

    def update_dict(self, label: Mapping[str, object], pred: Mapping[str, object]) -> None:
        """Updates with arrays by name; those that the metric was made for are used, or all."""
        self.update(_choose(label, self.label_names, "label"), _choose(pred, self.output_names, "output"))

    def update(self, labels: Any, preds: Any) -> None:
        """Adds a batch: lists of labels and of predictions."""
        raise NotImplementedError(f"{type(self).__name__} must define update(self, labels, preds)")

    def reset(self) -> None:
        """Forgets everything."""
        self.num_inst = 0
        self.sum_metric = 0.0
        self.global_num_inst = 0
        self.global_sum_metric = 0.0

    def reset_local(self) -> None:
        """Forgets all but the global sums."""
        self.num_inst = 0
        self.sum_metric = 0.0

    def _value(self, total: Any, count: Any) -> Any:
        """The metric's value from a sum and a count, which is not 0."""
        return total / count

    def get(self) -> tuple[Any, Any]:
        """The name and the value since the last local reset; NaN before the first update."""
        return self.name, math.nan if self.num_inst == 0 else _plain(self._value(self.sum_metric, self.num_inst))

    def get_global(self) -> tuple[Any, Any]:
        """The name and the value since the last reset."""
        if not self._has_global_stats:
            return self.get()
        if self.global_num_inst == 0:
            return self.name, math.nan
        return self.name, _plain(self._value(self.global_sum_metric, self.global_num_inst))

    def get_name_value(self) -> list[tuple[str, Any]]:
        """``get()`` as a list of pairs."""
        return _named_values(self.get())

    def get_global_name_value(self) -> list[tuple[str, Any]]:
        """``get_global()`` as a list of pairs; ``get_name_value()`` of a metric that keeps no global sums."""
        return _named_values(self.get_global()) if self._has_global_stats else self.get_name_value()


def _choose(arrays: Mapping[str, object], names: Names, what: str) -> list[Any]:
    if names is None:
        return list(arrays.values())
    missing = [n for n in names if n not in arrays]
    if missing:
        raise MXNetKeyError(f"there is no {what} named {', '.join(missing)}; known: {', '.join(arrays)}")
    return [arrays[n] for n in names]


def _named_values(result: tuple[object, object]) -> list[tuple[str, Any]]:
    names, values = (r if isinstance(r, list) else [r] for r in result)
    return list(zip(names, values, strict=False))


register = get_register_func(EvalMetric, "metric")
alias = get_alias_func(EvalMetric, "metric")
_create = get_create_func(EvalMetric, "metric")


def create(metric: Any, *args: Any, **kwargs: Any) -> EvalMetric:
    """Makes a metric from its name, a function of label and prediction, a configuration, or a list of such.

    >>> mx.metric.create(["acc", "mse"]).get()[0]
    ['accuracy', 'mse']
    """
    if callable(metric):
        return CustomMetric(metric, *args, **kwargs)
    if isinstance(metric, list):
        return CompositeEvalMetric([create(m, *args, **kwargs) for m in metric])
    return _create(metric, *args, **kwargs)


@register
@alias("composite")
class CompositeEvalMetric(EvalMetric):
    """Several metrics as one.

    >>> metric = mx.metric.CompositeEvalMetric(["acc", "ce"])
    >>> metric.update([nd.array([1])], [nd.array([[0.5, 0.5]])])
    >>> metric.get()[0]
    ['accuracy', 'cross-entropy']
    """

    def __init__(
        self,
        metrics: Iterable[Any] | None = None,
        name: Any = "composite",
        output_names: Names = None,
        label_names: Names = None,
    ):
        self.metrics = [create(m) for m in metrics or ()]
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def add(self, metric: object) -> None:
        """Adds a metric, or one by its name."""
        self.metrics.append(create(metric))

    def get_metric(self, index: int) -> EvalMetric:
        """The metric at a position."""
        if not -len(self.metrics) <= index < len(self.metrics):
            raise MXNetValueError(f"Metric index {index} is out of range 0 and {len(self.metrics)}")
        return self.metrics[index]

    def update_dict(self, labels: Mapping[str, object], preds: Mapping[str, object]) -> None:
        """Updates all metrics with arrays by name, of which each may choose."""
        if self.label_names is not None:
            labels = dict(zip(self.label_names, _choose(labels, self.label_names, "label"), strict=True))
        if self.output_names is not None:
            preds = dict(zip(self.output_names, _choose(preds, self.output_names, "output"), strict=True))
        for metric in self.metrics:
            metric.update_dict(labels, preds)

    def update(self, labels: Any, preds: Any) -> None:
        """Updates all metrics."""
        for metric in self.metrics:
            metric.update(labels, preds)

    def reset(self) -> None:
        """Resets all metrics."""
        for metric in self.metrics:
            metric.reset()

    def reset_local(self) -> None:
        """Resets the local sums of all metrics."""
        for metric in self.metrics:
            metric.reset_local()

    def _all(self, results: Iterable[tuple[Any, Any]]) -> tuple[list[str], list[Any]]:
        names: list[str] = []
        values: list[Any] = []
        for name, value in results:
            names.extend([name] if isinstance(name, str) else name)
            values.extend([value] if isinstance(value, int | float | numpy.generic) else value)
        return names, values

    def get(self) -> tuple[list[str], list[Any]]:
        """The names and values of all metrics."""
        return self._all(m.get() for m in self.metrics)

    def get_global(self) -> tuple[list[str], list[Any]]:
        """The names and global values of all metrics."""
        return self._all(m.get_global() for m in self.metrics)

    def get_config(self) -> dict[str, Any]:
        """What ``create(**config)`` makes an equal metric from."""
        return {**super().get_config(), "metrics": [m.get_config() for m in self.metrics]}


@register
class CustomMetric(EvalMetric):
    """A function of a label and a prediction (NumPy arrays) that gives a value, or a sum and a count.

    ``allow_extra_outputs``: there may be more predictions than labels, such as the states of an RNN.
    """

    def __init__(
        self,
        feval: Callable[[numpy.ndarray, numpy.ndarray], Any],
        name: Any = None,
        allow_extra_outputs: bool = False,
        output_names: Names = None,
        label_names: Names = None,
    ):
        if name is None:
            name = getattr(feval, "__name__", type(feval).__name__)
            if "<" in name:
                name = f"custom({name})"
        super().__init__(
            name,
            output_names,
            label_names,
            feval=feval,
            allow_extra_outputs=allow_extra_outputs,
            has_global_stats=True,
        )
        self._feval = feval
        self._allow_extra_outputs = allow_extra_outputs

    def update(self, labels: Any, preds: Any) -> None:
        """Adds what the function gives for a batch."""
        labels, preds = as_list(labels), as_list(preds)
        if not self._allow_extra_outputs:
            check_label_shapes(labels, preds)
        for pred, label in zip(preds, labels, strict=False):
            result = self._feval(as_numpy(label), as_numpy(pred))
            total, count = result if isinstance(result, tuple) else (result, 1)
            self._add(total, count)

    def get_config(self) -> dict[str, Any]:
        """A function has no configuration."""
        raise NotImplementedError("CustomMetric cannot be serialized")


def np(
    numpy_feval: Callable[[numpy.ndarray, numpy.ndarray], object],
    name: object = None,
    allow_extra_outputs: bool = False,
) -> CustomMetric:
    """A metric from a function of a label and a prediction as NumPy arrays.

    >>> metric = mx.metric.np(lambda label, pred: float((label == pred).mean()), name="same")
    >>> metric.update([nd.array([1, 2])], [nd.array([1, 0])])
    >>> metric.get()
    ('same', 0.5)
    """
    return CustomMetric(numpy_feval, name, allow_extra_outputs)
