"""The Estimator: a training loop that calls handlers."""

from __future__ import annotations

import copy
import logging
import sys
import warnings
from typing import Any

from ...._core.types import Devices
from ....context import Context, cpu, gpu, num_gpus
from ....error import MXNetAssertionError, MXNetValueError
from ....metric import EvalMetric, Loss as metric_loss
from ...data import DataLoader
from ...loss import Loss as gluon_loss
from ...trainer import Trainer
from .batch_processor import BatchProcessor
from .event_handler import (
    BatchBegin,
    BatchEnd,
    EpochBegin,
    EpochEnd,
    EventHandler,
    GradientUpdateHandler,
    LoggingHandler,
    MetricHandler,
    StoppingHandler,
    TrainBegin,
    TrainEnd,
    ValidationHandler,
    _check_event_handlers,
)
from .utils import _check_handler_metric_ref, _check_metrics, _suggest_metric_for_loss

__all__ = ["Estimator"]

_LOADER_ONLY = (
    "Estimator only support input as Gluon DataLoader. Alternatively, you can transform your DataIter or any NDArray "
    "into Gluon DataLoader. Refer to "
)
_EVENTS = {
    "train_begin": TrainBegin,
    "epoch_begin": EpochBegin,
    "batch_begin": BatchBegin,
    "batch_end": BatchEnd,
    "epoch_end": EpochEnd,
    "train_end": TrainEnd,
}


class Estimator:
    """Trains ``net`` with ``loss`` by calling ``fit``, and validates it by ``evaluate``.

    Without ``train_metrics`` the loss is shown, and the accuracy of a classifier; ``val_metrics`` are copies of them.
    Names of metrics are preceded by "training" and "validation". Parameters that are not initialized are, by
    ``initializer``, on ``context``, a context or a list of them. The ``trainer`` is plain SGD by default. ``val_net``
    and ``val_loss`` are used in validation instead. A ``batch_processor`` says what is done with one batch.
    """

    logger: Any = None

    def __init__(
        self,
        net: Any,
        loss: gluon_loss,
        train_metrics: Any = None,
        val_metrics: Any = None,
        initializer: Any = None,
        trainer: Trainer | None = None,
        context: Any = None,
        val_net: Any = None,
        val_loss: gluon_loss | None = None,
        batch_processor: Any = None,
    ):
        self.net = net
        self.loss = self._check_loss(loss)
        self._train_metrics = _check_metrics(train_metrics)
        self._val_metrics = _check_metrics(val_metrics)
        self._add_default_training_metrics()
        self._add_validation_metrics()
        self.val_loss = self.loss if val_loss is None else self._check_loss(val_loss)
        self.val_net = net if val_net is None else val_net
        self.logger = logging.Logger(name="Estimator", level=logging.INFO)
        self.logger.addHandler(logging.StreamHandler(sys.stdout))
        self.context = self._check_context(context)
        self._initialize(initializer)
        self.trainer = self._check_trainer(trainer)
        self.batch_processor = self._check_batch_processor(batch_processor)
        self.max_epoch: int | None = None
        self.max_batch: int | None = None
        self.batch_axis = 0

    # ---- what it is given --------------------------------------------------------------------------------------------

    def _check_loss(self, loss: object) -> gluon_loss:
        if not isinstance(loss, gluon_loss):
            raise MXNetValueError(f"loss must be a Loss, refer to gluon.loss.Loss:{loss}")
        return loss

    def _check_context(self, context: object) -> list[Context]:
        if not context:
            if num_gpus() > 1:
                warnings.warn(
                    "gpu(0) is used out of several GPUs; to use more of them, give context=[mx.gpu(0), mx.gpu(1)]",
                    stacklevel=3,
                )
            return [gpu(0) if num_gpus() else cpu()]
        found = [context] if isinstance(context, Context) else context
        if not isinstance(found, list | tuple) or not all(isinstance(c, Context) for c in found):
            raise MXNetValueError(
                "context must be a Context or a list of Context, for example mx.cpu() or [mx.gpu(0), mx.gpu(1)], refer "
                f"to mxnet.Context:{context}"
            )
        for each in found:
            if each.is_gpu and each.device_id >= num_gpus():
                there = ", ".join(["mx.cpu()", *(f"mx.gpu({i})" for i in range(num_gpus()))])
                raise MXNetAssertionError(
                    f"{each} is not available, please make sure your context is in one of: {there}"
                )
        return list(found)

    def _check_batch_processor(self, batch_processor: Any) -> Any:
        if batch_processor is None:
            return BatchProcessor()
        if not all(callable(getattr(batch_processor, name, None)) for name in ("fit_batch", "evaluate_batch")):
            raise MXNetValueError("Customized Batch Processor must contain fit_batch() and evaluate_batch() methods")
        return batch_processor

    def _is_initialized(self) -> bool:
        return all(p._data is not None or p._deferred_init for p in self.net.collect_params().values())

    def _initialize(self, initializer: Any) -> None:
        if not self._is_initialized():
            if initializer is None:
                self.net.initialize(ctx=self.context)
            else:
                self.net.initialize(init=initializer, ctx=self.context)
        elif initializer is not None:
            warnings.warn(
                "Network already fully initialized, skipping initialization. You don't need to pass initializer if you "
                "already initialized your net. You can use net.initialize(init=your_initializer, force_reinit=True)to "
                "force re-initialize.",
                stacklevel=3,
            )

    def _check_trainer(self, trainer: Any) -> Trainer:
        if trainer is None:
            warnings.warn("No trainer specified, default SGD optimizer with learning rate 0.001 is used.", stacklevel=3)
            return Trainer(self.net.collect_params(), "sgd", {"learning_rate": 0.001})
        if not isinstance(trainer, Trainer):
            raise MXNetValueError(f"Trainer must be a Gluon Trainer instance, refer to gluon.Trainer:{trainer}")
        return trainer

    def _get_data_and_label(self, batch: object, ctx: Devices, batch_axis: int = 0) -> tuple[list, list]:
        return BatchProcessor()._get_data_and_label(batch, ctx, batch_axis)

    # ---- metrics -----------------------------------------------------------------------------------------------------

    def _add_default_training_metrics(self) -> None:
        if not self._train_metrics:
            suggested = _suggest_metric_for_loss(self.loss)
            if suggested is not None:
                self._train_metrics = [suggested]
            self._train_metrics.append(metric_loss(self.loss.name.rstrip("0123456789")))
            self._val_metrics = self._val_metrics or [copy.deepcopy(metric) for metric in self._train_metrics]
        elif not self._val_metrics:
            self._val_metrics = [copy.deepcopy(metric) for metric in self._train_metrics]
        for metric in self._train_metrics:
            metric.name = "training " + metric.name

    def _add_validation_metrics(self) -> None:
        for metric in self._val_metrics:
            metric.name = "validation " + metric.name

    @property
    def train_metrics(self) -> list[EvalMetric]:
        """The metrics of training."""
        return self._train_metrics

    @property
    def val_metrics(self) -> list[EvalMetric]:
        """The metrics of validation."""
        return self._val_metrics

    # ---- running -----------------------------------------------------------------------------------------------------

    def evaluate(self, val_data: DataLoader, batch_axis: int = 0, event_handlers: Any = None) -> None:
        """Runs the network over ``val_data``; the results are in ``val_metrics``.

        Of the handlers those of epochs and batches are called. A MetricHandler and a LoggingHandler are added unless
        they are given.
        """
        if not isinstance(val_data, DataLoader):
            raise MXNetValueError(_LOADER_ONLY + "gluon.data.DataLoader")
        self.batch_axis = batch_axis
        calls = self._calls(self._prepare_default_validation_handlers(event_handlers))
        self._call(calls["epoch_begin"])
        for batch in val_data:
            self._call(calls["batch_begin"], batch=batch)
            _, label, pred, loss = self.batch_processor.evaluate_batch(self, batch, batch_axis)
            self._call(calls["batch_end"], batch=batch, pred=pred, label=label, loss=loss)
        self._call(calls["epoch_end"])

    def fit(
        self,
        train_data: DataLoader,
        val_data: DataLoader | None = None,
        epochs: int | None = None,
        event_handlers: Any = None,
        batches: int | None = None,
        batch_axis: int = 0,
    ) -> None:
        """Trains for a number of ``epochs`` or of ``batches``, with validation after each epoch if there is data.

        Besides ``event_handlers`` there are always a StoppingHandler, and a GradientUpdateHandler, MetricHandler,
        ValidationHandler and LoggingHandler unless they are given.
        """
        if not isinstance(train_data, DataLoader):
            raise MXNetValueError(_LOADER_ONLY + "gluon.data.dataloader")
        if (epochs is None) == (batches is None):
            raise MXNetValueError(
                "Fit only support exactly one type of iteration, train by number of epochs or number of batches.Please "
                "specify one and only one of: epochs or batches."
            )
        self.max_epoch = epochs
        self.max_batch = batches
        self.batch_axis = batch_axis
        try:
            self.batches_per_epoch: int | None = len(train_data)
        except TypeError:  # a sampler may not know how many it gives
            self.batches_per_epoch = None
        calls = self._calls(self._prepare_default_handlers(val_data, event_handlers))
        self._call(calls["train_begin"])
        done = False
        while not done:
            self._call(calls["epoch_begin"])
            for batch in train_data:
                self._call(calls["batch_begin"], batch=batch)
                _, label, pred, loss = self.batch_processor.fit_batch(self, batch, batch_axis)
                if self._call(calls["batch_end"], batch=batch, pred=pred, label=label, loss=loss):
                    break
            done = self._call(calls["epoch_end"])
        self._call(calls["train_end"])

    def _call(self, methods: list, **kwargs: object) -> bool:
        """Calls all of them; does one of them want to stop?"""
        answers = [method(self, **kwargs) for method in methods]
        return any(answers)

    def _prepare_default_handlers(self, val_data: object, event_handlers: object) -> list[EventHandler]:
        given = _check_event_handlers(event_handlers)
        added: list[EventHandler] = [StoppingHandler(self.max_epoch, self.max_batch)]

        def missing(kind: type) -> bool:
            return not any(isinstance(handler, kind) for handler in given)

        if missing(GradientUpdateHandler):
            added.append(GradientUpdateHandler())
        if missing(MetricHandler):
            added.append(MetricHandler(self.train_metrics))
        if val_data is not None and missing(ValidationHandler):
            added.append(ValidationHandler(val_data, self.evaluate))
        if missing(LoggingHandler):
            added.append(LoggingHandler(metrics=self.train_metrics))
        return self._check_handlers([*given, *added], [*self.train_metrics, *self.val_metrics])

    def _prepare_default_validation_handlers(self, event_handlers: object) -> list[EventHandler]:
        found = _check_event_handlers(event_handlers)
        if not any(isinstance(handler, MetricHandler) for handler in found):
            found.append(MetricHandler(self.val_metrics))
        if not any(isinstance(handler, LoggingHandler) for handler in found):
            found.append(LoggingHandler(metrics=self.val_metrics))
        return self._check_handlers(found, self.val_metrics)

    @staticmethod
    def _check_handlers(handlers: list[EventHandler], known_metrics: list[EvalMetric]) -> list[EventHandler]:
        for handler in handlers:
            _check_handler_metric_ref(handler, known_metrics)
        return sorted(handlers, key=lambda handler: getattr(handler, "priority", 0))

    @staticmethod
    def _categorize_handlers(event_handlers: list[EventHandler]) -> tuple[list[EventHandler], ...]:
        """The handlers of each event: train begin, epoch begin, batch begin, batch end, epoch end and train end."""
        return tuple([handler for handler in event_handlers if isinstance(handler, kind)] for kind in _EVENTS.values())

    def _calls(self, event_handlers: list[EventHandler]) -> dict[str, list]:
        """For each event the methods to call."""
        handlers = self._categorize_handlers(event_handlers)
        return {event: [getattr(h, event) for h in group] for event, group in zip(_EVENTS, handlers, strict=True)}
