"""Callbacks that keep what happens in a training run, as tables of pandas (which has to be installed)."""

from __future__ import annotations

import datetime
import time
from collections import defaultdict
from typing import Any

__all__ = ["PandasLogger", "args_wrapper"]


def _extend(baseData: list, newData: list) -> None:
    """Appends what ``newData`` has beyond the length of ``baseData``."""
    baseData.extend(newData[len(baseData) :])


def _add_new_columns(dataframe: Any, metrics: Any) -> None:
    """Gives a table those columns of ``metrics`` that it does not have."""
    for name in metrics:
        if name not in dataframe.columns:
            dataframe[name] = None


def args_wrapper(*args: Any) -> dict[str, list[Any]]:
    """The callbacks of several objects, such as ``PandasLogger``, as arguments for ``fit``."""
    result = defaultdict(list)
    for logger in args:
        for name, callback in logger.callback_args().items():
            result[name].append(callback)
    return dict(result)


class PandasLogger:
    """Keeps a table of training batches, one of evaluations and one of epochs.

    Every ``frequent`` batches a row is added, and the metric starts anew. As in the original, the column
    ``batches_per_sec`` counts samples and ``records_per_sec`` batches. For ``fit``: ``**logger.callback_args()``.
    """

    def __init__(self, batch_size: int, frequent: int = 50):
        import pandas

        self.batch_size = batch_size
        self.frequent = frequent
        self._rows: dict[str, list[dict[str, Any]]] = {name: [] for name in ("train", "eval", "epoch")}
        self._dataframes = {name: pandas.DataFrame() for name in self._rows}
        self.last_time = time.time()
        self.start_time = self.last_epoch_time = datetime.datetime.now()

    @property
    def train_df(self) -> Any:
        """The table of training batches."""
        return self.all_dataframes["train"]

    @property
    def eval_df(self) -> Any:
        """The table of evaluations."""
        return self.all_dataframes["eval"]

    @property
    def epoch_df(self) -> Any:
        """The table of epochs and what time they took."""
        return self.all_dataframes["epoch"]

    @property
    def all_dataframes(self) -> dict[str, Any]:
        """The three tables by name."""
        import pandas

        for name, rows in self._rows.items():  # made when they are looked at: a table grows slowly row by row
            if len(rows) != len(self._dataframes[name]):
                self._dataframes[name] = pandas.DataFrame(rows)
        return self._dataframes

    def elapsed(self) -> datetime.timedelta:
        """The time since the start."""
        return datetime.datetime.now() - self.start_time

    def append_metrics(self, metrics: dict[str, Any], df_name: str) -> None:
        """Adds a row to the table of that name; columns that it does not have are added."""
        self._rows[df_name].append(dict(metrics))

    def train_cb(self, param: Any) -> None:
        """After a training batch."""
        if param.nbatch % self.frequent == 0:
            self._process_batch(param, "train")

    def eval_cb(self, param: Any) -> None:
        """After an evaluation."""
        self._process_batch(param, "eval")

    def _process_batch(self, param: Any, dataframe: str) -> None:
        now = time.time()
        speed = self.frequent / (now - self.last_time) if now > self.last_time else float("inf")
        self.last_time = now
        metrics: dict[str, Any] = {}
        if param.eval_metric is not None:
            metrics = dict(param.eval_metric.get_name_value())
            param.eval_metric.reset()
        metrics.update(
            records_per_sec=speed,
            batches_per_sec=speed * self.batch_size,
            elapsed=self.elapsed(),
            minibatch_count=param.nbatch,
            epoch=param.epoch,
        )
        self.append_metrics(metrics, dataframe)

    def epoch_cb(self, *_: Any) -> None:
        """Called after an epoch; the arguments are ignored."""
        now = datetime.datetime.now()
        self.append_metrics({"epoch_time": now - self.last_epoch_time, "elapsed": self.elapsed()}, "epoch")
        self.last_epoch_time = now

    def callback_args(self) -> dict[str, Any]:
        """The callbacks as arguments for ``fit``."""
        return {
            "batch_end_callback": self.train_cb,
            "eval_end_callback": self.eval_cb,
            "epoch_end_callback": self.epoch_cb,
        }
