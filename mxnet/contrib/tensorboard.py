"""Metrics for TensorBoard: ``batch_end_callback=mx.contrib.tensorboard.LogMetricsCallback("logs/train")``."""

from __future__ import annotations

from typing import Any

__all__ = ["LogMetricsCallback"]


class LogMetricsCallback:
    """A callback that writes the metrics, each named after ``prefix``, to event files; the step is the epoch.

    The writer is torch's, which needs the package ``tensorboard``. Look at them by ``tensorboard --logdir=logs``.
    """

    def __init__(self, logging_dir: str, prefix: str | None = None):
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError as error:
            raise ImportError("LogMetricsCallback needs TensorBoard: pip install tensorboard") from error
        self.prefix = prefix
        self.summary_writer = SummaryWriter(logging_dir)

    def __call__(self, param: Any) -> None:
        """Writes the metrics as they are now."""
        for name, value in param.eval_metric.get_name_value() if param.eval_metric is not None else ():
            tag = name if self.prefix is None else f"{self.prefix}-{name}"
            self.summary_writer.add_scalar(tag, value, global_step=param.epoch)
