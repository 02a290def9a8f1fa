"""Handlers: what happens when training, an epoch or a batch begins or ends."""

from __future__ import annotations

import os
import re
import time
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ...._core.files import writing_together
from ...._core.temporaries import remove_left_over
from ....error import MXNetValueError
from ....metric import EvalMetric, Loss as metric_loss
from ...hybrid_block import HybridBlock
from .utils import _check_metrics

if TYPE_CHECKING:
    from .estimator import Estimator

__all__ = [
    "TrainBegin",
    "TrainEnd",
    "EpochBegin",
    "EpochEnd",
    "BatchBegin",
    "BatchEnd",
    "StoppingHandler",
    "MetricHandler",
    "ValidationHandler",
    "LoggingHandler",
    "CheckpointHandler",
    "EarlyStoppingHandler",
    "GradientUpdateHandler",
]


class EventHandler:
    """The base of handlers. Those with a lower ``priority`` (0 by default) are called first."""


def _check_event_handlers(handlers: Any) -> list[EventHandler]:
    """Handlers as a new list."""
    if isinstance(handlers, EventHandler):
        return [handlers]
    found = list(handlers or [])
    if not all(isinstance(handler, EventHandler) for handler in found):
        raise MXNetValueError(f"handlers must be an EventHandler or a list of EventHandler, got: {handlers}")
    return found


class TrainBegin(EventHandler):
    """A handler that is called before training."""

    def train_begin(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Called before the first epoch."""


class TrainEnd(EventHandler):
    """A handler that is called after training."""

    def train_end(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Called after the last epoch."""


class EpochBegin(EventHandler):
    """A handler that is called before each epoch."""

    def epoch_begin(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Called before the first batch of an epoch."""


class EpochEnd(EventHandler):
    """A handler that is called after each epoch."""

    def epoch_end(self, estimator: Estimator, *args: object, **kwargs: object) -> Any:
        """Called after the last batch of an epoch; what is true ends the training."""
        return False


class BatchBegin(EventHandler):
    """A handler that is called before each batch."""

    def batch_begin(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Called with ``batch=``."""


class BatchEnd(EventHandler):
    """A handler that is called after each batch."""

    def batch_end(self, estimator: Estimator, *args: object, **kwargs: object) -> Any:
        """Called with ``batch=``, ``pred=``, ``label=`` and ``loss=``; what is true ends the epoch."""
        return False


class StoppingHandler(TrainBegin, BatchEnd, EpochEnd):
    """Ends the training after a number of epochs or batches: those that ``fit`` was asked for."""

    def __init__(self, max_epoch: int | None = None, max_batch: int | None = None):
        self.max_epoch = max_epoch
        self.max_batch = max_batch
        self.current_batch = 0
        self.current_epoch = 0
        self.stop_training = False

    def train_begin(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Takes over the numbers of this training."""
        self.max_epoch = estimator.max_epoch
        self.max_batch = estimator.max_batch
        self.current_batch = 0
        self.current_epoch = 0

    def batch_end(self, estimator: Estimator, *args: object, **kwargs: object) -> bool:
        """Counts batches."""
        self.current_batch += 1
        if self.current_batch == self.max_batch:
            self.stop_training = True
        return self.stop_training

    def epoch_end(self, estimator: Estimator, *args: object, **kwargs: object) -> bool:
        """Counts epochs."""
        self.current_epoch += 1
        if self.current_epoch == self.max_epoch:
            self.stop_training = True
        return self.stop_training


class MetricHandler(EpochBegin, BatchEnd):
    """Updates metrics after each batch; a ``metric.Loss`` is given the losses."""

    def __init__(self, metrics: Any, priority: float = -1000):
        self.metrics = _check_metrics(metrics)
        self.priority = priority

    def epoch_begin(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Metrics begin anew in each epoch."""
        for metric in self.metrics:
            metric.reset()

    def batch_end(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Updates the metrics."""
        for metric in self.metrics:
            if isinstance(metric, metric_loss):
                metric.update(0, kwargs["loss"])
            else:
                metric.update(kwargs["label"], kwargs["pred"])


class ValidationHandler(TrainBegin, BatchEnd, EpochEnd):
    """Calls ``eval_fn``, the ``evaluate`` of an Estimator for one, every so many epochs or batches."""

    def __init__(
        self,
        val_data: Any,
        eval_fn: Any,
        epoch_period: int | None = 1,
        batch_period: int | None = None,
        priority: float = -1000,
        event_handlers: Any = None,
    ):
        self.val_data = val_data
        self.eval_fn = eval_fn
        self.epoch_period = epoch_period
        self.batch_period = batch_period
        self.current_batch = 0
        self.current_epoch = 0
        self.priority = priority
        self.event_handlers = event_handlers

    def train_begin(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Counts from 0."""
        self.current_batch = 0
        self.current_epoch = 0

    def _evaluate(self, estimator: Estimator) -> None:
        self.eval_fn(val_data=self.val_data, batch_axis=estimator.batch_axis, event_handlers=self.event_handlers)

    def batch_end(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Validates after every ``batch_period`` batches."""
        self.current_batch += 1
        if self.batch_period and self.current_batch % self.batch_period == 0:
            self._evaluate(estimator)

    def epoch_end(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Validates after every ``epoch_period`` epochs."""
        self.current_epoch += 1
        if self.epoch_period and self.current_epoch % self.epoch_period == 0:
            self._evaluate(estimator)


class LoggingHandler(TrainBegin, TrainEnd, EpochBegin, EpochEnd, BatchBegin, BatchEnd):
    """Logs how the training goes: after each epoch, or also after every ``log_interval`` batches, with metrics."""

    def __init__(self, log_interval: int | str = "epoch", metrics: Any = None, priority: float = np.inf):
        if not isinstance(log_interval, int) and log_interval != "epoch":
            raise MXNetValueError("log_interval must be either an integer or string 'epoch'")
        self.metrics = _check_metrics(metrics)
        self.batch_index = 0
        self.current_epoch = 0
        self.processed_samples = 0
        self.priority = priority
        self.log_interval = log_interval
        self.log_interval_time = 0.0
        self.train_start = self.epoch_start = self.batch_start = 0.0

    def _values(self) -> str:
        return ", ".join("{}: {:.4f}".format(*metric.get()) for metric in self.metrics)

    def train_begin(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Logs the optimizer and what is going to be done."""
        self.train_start = time.time()
        trainer = estimator.trainer
        estimator.logger.info(
            "Training begin: using optimizer %s with current learning rate %.4f ",
            type(trainer.optimizer).__name__,
            trainer.learning_rate,
        )
        if estimator.max_epoch:
            estimator.logger.info("Train for %d epochs.", estimator.max_epoch)
        else:
            estimator.logger.info("Train for %d batches.", estimator.max_batch)
        self.current_epoch = 0
        self.batch_index = 0
        self.processed_samples = 0
        self.log_interval_time = 0.0

    def train_end(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Logs the time of the whole training."""
        text = f"Train finished using total {int(time.time() - self.train_start)}s with {self.current_epoch} epochs. "
        estimator.logger.info((text + self._values()).rstrip())

    def batch_begin(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Begins to take the time."""
        self.batch_start = time.time()

    def batch_end(self, estimator: Estimator, *args: object, **kwargs: Any) -> None:
        """Logs every ``log_interval`` batches."""
        if isinstance(self.log_interval, int):
            self.log_interval_time += time.time() - self.batch_start
            self.processed_samples += kwargs["batch"][0].shape[estimator.batch_axis]
            if self.batch_index % self.log_interval == 0:
                text = (
                    f"[Epoch {self.current_epoch}][Batch {self.batch_index}][Samples {self.processed_samples}] "
                    f"time/interval: {self.log_interval_time:.3f}s "
                )
                self.log_interval_time = 0.0
                estimator.logger.info((text + self._values()).rstrip())
        self.batch_index += 1

    def epoch_begin(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Logs what begins; it is a validation if no metric is one of training."""
        self.epoch_start = time.time()
        if any("training" in metric.name for metric in self.metrics):
            rate = estimator.trainer.learning_rate
            estimator.logger.info("[Epoch %d] Begin, current learning rate: %.4f", self.current_epoch, rate)
        else:
            estimator.logger.info("Validation Begin")

    def epoch_end(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Logs the time of the epoch, and metrics."""
        values = self._values()
        text = f"[Epoch {self.current_epoch}] Finished in {time.time() - self.epoch_start:.3f}s"
        estimator.logger.info(f"{text}, {values}" if values else text)
        self.current_epoch += 1
        self.batch_index = 0


def _comparison(monitor: EvalMetric, mode: str, who: str) -> np.ufunc:
    """``np.less`` or ``np.greater``: the one that says that a value is better than another."""
    if mode not in ("auto", "min", "max"):
        warnings.warn(
            f"{who} mode {mode} is unknown, fallback to auto mode: larger values are better",
            RuntimeWarning,
            stacklevel=3,
        )
        mode = "auto"
    if mode == "auto":
        warnings.warn(
            f"`greater` operator will be used to determine if {monitor.name} has improved. Please specify `mode='min'` "
            "to use the `less` operator. Specify `mode='max' to disable this warning.`",
            stacklevel=3,
        )
    return np.less if mode == "min" else np.greater


class CheckpointHandler(TrainBegin, BatchEnd, EpochEnd):
    """Saves parameters and the trainer's states every so many epochs or batches, and the graph of a hybridized network.

    Files are called ``prefix-epoch0batch99.params`` and ``.states``; of these the last ``max_checkpoints`` are kept.
    With ``save_best`` also ``prefix-best``, whenever the metric ``monitor`` improves: ``mode`` is ``'max'``, ``'min'``
    or ``'auto'``, which is ``'max'``. ``resume_from_checkpoint`` goes on from the last complete checkpoint in
    ``model_dir``; those of former runs are kept.
    """

    def __init__(
        self,
        model_dir: str,
        model_prefix: str = "model",
        monitor: EvalMetric | None = None,
        verbose: int = 0,
        save_best: bool = False,
        mode: str = "auto",
        epoch_period: int | None = 1,
        batch_period: int | None = None,
        max_checkpoints: int = 5,
        resume_from_checkpoint: bool = False,
    ):
        self.monitor = monitor
        self.verbose = verbose
        self.model_dir = model_dir
        self.model_prefix = model_prefix
        self.save_best = save_best
        self.epoch_period = epoch_period
        self.batch_period = batch_period
        self.current_batch = 0
        self.current_epoch = 0
        self.max_checkpoints = max_checkpoints
        self.resume_from_checkpoint = resume_from_checkpoint
        self.saved_checkpoints: list[str] = []
        self.trained_epoch = self.trained_batch = -1
        os.makedirs(model_dir, exist_ok=True)
        if save_best:
            if not isinstance(monitor, EvalMetric):
                raise MXNetValueError(
                    "To save best model only, please provide one of the metric objects from estimator.train_metrics "
                    "and estimator.val_metrics as monitor."
                )
            self.monitor_op = _comparison(monitor, mode, "ModelCheckpoint")
            self.best = np.inf if self.monitor_op is np.less else -np.inf

    def train_begin(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Counts from 0, and resumes if asked to."""
        self.current_epoch = 0
        self.current_batch = 0
        if self.save_best:
            self.best = np.inf if self.monitor_op is np.less else -np.inf
        remove_left_over(self.model_dir, f"{self.model_prefix}-")  # of a run that was killed
        if self.resume_from_checkpoint:
            self._resume_from_checkpoint(estimator)

    def batch_end(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Saves the graph after the first batch, the rest every ``batch_period``."""
        if self.current_batch == 0:
            self._save_symbol(estimator)
        if self.batch_period and (self.current_batch + 1) % self.batch_period == 0:
            self._save_checkpoint(estimator)
        self.current_batch += 1

    def epoch_end(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Saves every ``epoch_period``."""
        if self.epoch_period and (self.current_epoch + 1) % self.epoch_period == 0:
            self._save_checkpoint(estimator)
        self.current_epoch += 1

    def _log(self, estimator: Estimator, text: str) -> None:
        if self.verbose > 0:
            estimator.logger.info(f"[Epoch {self.current_epoch}] CheckpointHandler: {text}")

    def _save_checkpoint(self, estimator: Estimator) -> None:
        epoch, batch = self.current_epoch, self.current_batch
        if self.resume_from_checkpoint:
            # A file at the end of an epoch is numbered by the batches before it, one after a batch by that batch.
            epoch += self.trained_epoch + 1
            batch += self.trained_batch + (0 if estimator.max_epoch else 1)
        prefix = f"{self.model_prefix}-epoch{epoch}batch{batch}"
        self._save_params_and_trainer(estimator, prefix)
        self._log(
            estimator,
            f"trained total {self.current_batch + 1} batches, saving model at {self.model_dir} with prefix: {prefix}",
        )
        self.saved_checkpoints.append(prefix)
        while len(self.saved_checkpoints) > self.max_checkpoints:
            oldest = self.saved_checkpoints.pop(0)
            for ending in (".params", ".states"):
                path = os.path.join(self.model_dir, oldest + ending)
                if os.path.exists(path):
                    os.remove(path)
        if self.save_best:
            self._save_if_best(estimator)

    def _save_if_best(self, estimator: Estimator) -> None:
        assert self.monitor is not None
        name, value = self.monitor.get()
        if np.isnan(value):
            warnings.warn(
                f"Skipping save best because {name} is not updated, make sure you pass one of the metric objects "
                "estimator.train_metrics and estimator.val_metrics as monitor",
                RuntimeWarning,
                stacklevel=4,
            )
        elif self.monitor_op(value, self.best):
            prefix = f"{self.model_prefix}-best"
            self._save_params_and_trainer(estimator, prefix)
            self._log(
                estimator,
                f"{name} improved from {self.best:.5f} to {value:.5f}, updating best model at {self.model_dir} with "
                f"prefix: {prefix}",
            )
            self.best = value
        else:
            self._log(estimator, f"{name} did not improve from {self.best:.5f}, skipping updating best model")

    def _save_symbol(self, estimator: Estimator) -> None:
        path = os.path.join(self.model_dir, f"{self.model_prefix}-symbol.json")
        net = estimator.net
        if isinstance(net, HybridBlock) and net._cached_graph:
            net._cached_graph[1].save(path)
        else:
            estimator.logger.info(
                "Model architecture(symbol file) is not saved, please use HybridBlock to construct your model, and "
                "call net.hybridize() before passing to Estimator in order to save model architecture as %s.",
                path,
            )

    def _save_params_and_trainer(self, estimator: Estimator, file_prefix: str) -> None:
        path = os.path.join(self.model_dir, file_prefix)
        with writing_together():
            estimator.net.save_parameters(path + ".params")
            estimator.trainer.save_states(path + ".states")

    def _path(self, epoch: int, batch: int) -> str:
        return os.path.join(self.model_dir, f"{self.model_prefix}-epoch{epoch}batch{batch}")

    def _find_checkpoints(self) -> list[tuple[int, int]]:
        """(epoch, batch) of the checkpoints that have all their files, in this order."""
        pattern = re.compile(rf"{re.escape(self.model_prefix)}-epoch(\d+)batch(\d+)\.params")
        matches = [pattern.fullmatch(name) for name in os.listdir(self.model_dir)]
        found = sorted((int(match[1]), int(match[2])) for match in matches if match)
        # A process that was killed, of an earlier version or while it removed a checkpoint, may have left one file.
        complete = [number for number in found if os.path.exists(self._path(*number) + ".states")]
        for number in found if not complete else found[found.index(complete[-1]) + 1 :]:
            text = f"there is no file {self._path(*number)}.states"
            if not complete:
                raise MXNetValueError(f"cannot resume: {text}, and no other checkpoint is complete")
            warnings.warn(f"{text}: resuming from an earlier checkpoint", RuntimeWarning, stacklevel=4)
        return complete

    def _resume_from_checkpoint(self, estimator: Estimator) -> None:
        wanted = f"{estimator.max_epoch} epochs" if estimator.max_epoch else f"{estimator.max_batch} batches"
        found = self._find_checkpoints()
        if not found:
            self.trained_epoch = self.trained_batch = -1
            estimator.logger.info(f"CheckpointHandler: No checkpoint found, training from scratch for {wanted}")
            return
        self.trained_epoch, self.trained_batch = found[-1]
        epochs = estimator.max_epoch
        if epochs:
            what, limit, done = "epoch", epochs, self.trained_epoch
        else:
            what, limit, done = "batch", estimator.max_batch or 0, self.trained_batch
        if done >= limit - 1:
            raise MXNetValueError(
                f"Found checkpoint with maximum number of {what} {limit} reached, please specify "
                "resume_from_checkpoint=False (default value) if you wan to train from scratch."
            )
        left = limit - done - 1
        if epochs:
            estimator.max_epoch = left
        else:
            estimator.max_batch = left
        path = self._path(self.trained_epoch, self.trained_batch)
        estimator.net.load_parameters(path + ".params", ctx=estimator.context)
        estimator.trainer.load_states(path + ".states")
        estimator.logger.info(
            f"CheckpointHandler: Checkpoint resumed from epoch {self.trained_epoch} batch {self.trained_batch}, "
            f"continue to train for {left} {'epochs' if epochs else 'batches'} "
        )


class EarlyStoppingHandler(TrainBegin, EpochEnd, TrainEnd):
    """Ends the training when the metric ``monitor`` has not improved, by ``min_delta``, for ``patience`` epochs.

    With ``baseline`` it has to be better than that from the beginning. ``mode`` as for CheckpointHandler.
    """

    def __init__(
        self,
        monitor: EvalMetric,
        min_delta: float = 0,
        patience: int = 0,
        mode: str = "auto",
        baseline: float | None = None,
    ):
        if not isinstance(monitor, EvalMetric):
            raise MXNetValueError(
                "Please provide one of the metric objects from estimator.train_metrics and estimator.val_metrics as "
                "monitor."
            )
        self.monitor = monitor
        self.baseline = baseline
        self.patience = patience
        self.wait = 0
        self.stopped_epoch = 0
        self.current_epoch = 0
        self.stop_training = False
        self.monitor_op = _comparison(monitor, mode, "EarlyStopping")
        self.min_delta = -min_delta if self.monitor_op is np.less else min_delta
        self.best = 0.0

    def train_begin(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Begins anew."""
        self.wait = 0
        self.stopped_epoch = 0
        self.current_epoch = 0
        self.stop_training = False
        if self.baseline is not None:
            self.best = self.baseline
        else:
            self.best = np.inf if self.monitor_op is np.less else -np.inf

    def epoch_end(self, estimator: Estimator, *args: object, **kwargs: object) -> bool:
        """Looks at the metric."""
        name, value = self.monitor.get()
        if np.isnan(value):
            warnings.warn(
                f"{name} is not updated, make sure you pass one of the metric objects from estimator.train_metrics and "
                "estimator.val_metrics as monitor.",
                RuntimeWarning,
                stacklevel=2,
            )
        elif self.monitor_op(value - self.min_delta, self.best):
            self.best = value
            self.wait = 0
        else:
            self.wait += 1
            if self.wait >= self.patience:
                self.stopped_epoch = self.current_epoch
                self.stop_training = True
        self.current_epoch += 1
        return self.stop_training

    def train_end(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Logs that it was this handler that ended the training."""
        if self.stopped_epoch > 0:
            estimator.logger.info(
                "[Epoch %d] EarlyStoppingHanlder: early stopping due to %s not improving",
                self.stopped_epoch,
                self.monitor.get()[0],
            )


class GradientUpdateHandler(BatchEnd):
    """Updates the parameters after each batch; with a higher ``priority`` later, after what looks at gradients."""

    def __init__(self, priority: float = -2000):
        self.priority = priority

    def batch_end(self, estimator: Estimator, *args: object, **kwargs: Any) -> None:
        """One step of the trainer."""
        estimator.trainer.step(sum(loss.shape[0] for loss in kwargs["loss"]))
