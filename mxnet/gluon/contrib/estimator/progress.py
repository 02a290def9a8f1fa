"""A progress bar for the Estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .event_handler import BatchEnd, EpochBegin, EpochEnd, TrainBegin, TrainEnd

if TYPE_CHECKING:
    from .estimator import Estimator

__all__ = ["ProgressBarHandler"]


class ProgressBarHandler(TrainBegin, EpochBegin, BatchEnd, EpochEnd, TrainEnd):
    """Shows a bar for each epoch, with the metrics of training: in a terminal, and as a widget in notebooks.

    It takes the place of what is logged if it is given with ``LoggingHandler("epoch", metrics=[])``. ``options`` are
    tqdm's, e.g. ``leave=False`` or ``file=...``.
    """

    def __init__(self, metrics: Any = None, priority: float = np.inf, **options: Any):
        self.metrics = metrics
        self.priority = priority
        self.options = options
        self._bar: Any = None
        self._epoch = 0

    def train_begin(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Begins with the first epoch."""
        self._epoch = 0

    def epoch_begin(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Begins a bar."""
        from tqdm.auto import tqdm

        of = f"/{estimator.max_epoch}" if estimator.max_epoch else ""
        text = f"Epoch {self._epoch + 1}{of}"
        self._bar = tqdm(total=estimator.batches_per_epoch, desc=text, unit="batch", **self.options)

    def batch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        """Moves the bar on."""
        metrics = estimator.train_metrics if self.metrics is None else self.metrics
        values = {name: f"{value:.4f}" for name, value in (metric.get() for metric in metrics)}
        self._bar.set_postfix(values, refresh=False)
        self._bar.update()

    def epoch_end(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Ends the bar."""
        self._bar.close()
        self._epoch += 1

    def train_end(self, estimator: Estimator, *args: object, **kwargs: object) -> None:
        """Ends a bar that an error or a limit of batches has left."""
        if self._bar is not None:
            self._bar.close()
