"""What training calls after a batch or an epoch: logs of speed and metrics, progress bars, checkpoints.

After a batch a callback gets one object with ``epoch``, ``nbatch``, ``eval_metric`` and ``locals``; after an epoch it
gets the number of the epoch, the symbol, the parameters and the auxiliary states.
"""

from __future__ import annotations

import logging
import math
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

__all__ = [
    "LogValidationMetricsCallback",
    "ProgressBar",
    "Speedometer",
    "do_checkpoint",
    "log_train_metric",
    "module_checkpoint",
    "save_checkpoint",
]


def save_checkpoint(
    prefix: str,
    epoch: int,
    symbol: Any,
    arg_params: Mapping[str, Any],
    aux_params: Mapping[str, Any],
    remove_amp_cast: bool = True,
) -> None:
    """Saves ``prefix-symbol.json`` and ``prefix-<epoch>.params``: see ``mxnet.model.save_checkpoint``."""
    from .model import save_checkpoint as save

    save(prefix, epoch, symbol, arg_params, aux_params, remove_amp_cast)


def _every(period: float, save: Callable[..., None]) -> Callable[..., None]:
    """Calls ``save`` with the number of finished epochs (and all else) every ``period`` epochs."""
    period = int(max(1, period))

    def callback(iter_no: int, sym: object = None, arg: object = None, aux: object = None) -> None:
        if (iter_no + 1) % period == 0:
            save(iter_no + 1, sym, arg, aux)

    return callback


def do_checkpoint(prefix: str, period: int = 1) -> Callable[..., None]:
    """An ``epoch_end_callback`` that saves the symbol and the parameters every ``period`` epochs."""
    return _every(period, lambda epoch, sym, arg, aux: save_checkpoint(prefix, epoch, sym, arg, aux))


def module_checkpoint(
    mod: Any, prefix: str, period: int = 1, save_optimizer_states: bool = False
) -> Callable[..., None]:
    """An ``epoch_end_callback`` that saves a module, if wanted with its optimizer, every ``period`` epochs."""
    return _every(period, lambda epoch, *_: mod.save_checkpoint(prefix, epoch, save_optimizer_states))


def log_train_metric(period: int, auto_reset: bool = False) -> Callable[[Any], None]:
    """A ``batch_end_callback`` that logs the metric every ``period`` batches and, if wanted, resets it locally."""

    def callback(param: Any) -> None:
        if param.nbatch % period == 0 and param.eval_metric is not None:
            for name, value in param.eval_metric.get_name_value():
                logging.info("Iter[%d] Batch[%d] Train-%s=%f", param.epoch, param.nbatch, name, value)
            if auto_reset:
                param.eval_metric.reset_local()

    return callback


class Speedometer:
    """A ``batch_end_callback`` that logs samples per second and the metric every ``frequent`` batches.

    With ``auto_reset`` the metric covers the batches since the last log, otherwise the epoch so far.

    >>> mx.callback.Speedometer(batch_size=32, frequent=50).frequent
    50
    """

    def __init__(self, batch_size: int, frequent: int = 50, auto_reset: bool = True):
        self.batch_size = batch_size
        self.frequent = frequent
        self.init = False
        self.tic: float = 0
        self.last_count = 0
        self.auto_reset = auto_reset

    def __call__(self, param: Any) -> None:
        """Logs if it is time to."""
        count = param.nbatch
        if self.last_count > count:  # a new epoch
            self.init = False
        self.last_count = count
        if not self.init:
            self.init = True
            self.tic = time.time()
        elif count % self.frequent == 0:
            seconds = time.time() - self.tic
            speed = self.frequent * self.batch_size / seconds if seconds else math.inf
            if param.eval_metric is None:
                logging.info("Iter[%d] Batch [%d]\tSpeed: %.2f samples/sec", param.epoch, count, speed)
            else:
                found = param.eval_metric.get_name_value()
                first = 0
                if self.auto_reset:
                    param.eval_metric.reset_local()
                    first = count - self.frequent
                logging.info(
                    "Epoch[%d] Batch [%d-%d]\tSpeed: %.2f samples/sec" + "\t%s=%f" * len(found),
                    param.epoch,
                    first,
                    count,
                    speed,
                    *[part for pair in found for part in pair],
                )
            self.tic = time.time()


class ProgressBar:
    """A ``batch_end_callback`` that shows how much of an epoch of ``total`` batches is done.

    It logs a bar of ``length`` characters after each batch. A notebook shows one bar per epoch, which moves and ends at
    100 %.
    """

    def __init__(self, total: int, length: int = 80):
        self.bar_len = length
        self.total = total
        self._bar: Any = None

    def __call__(self, param: Any) -> None:
        """Logs the bar, or moves it on in a notebook."""
        if _in_notebook():
            self._move(param.nbatch + 1, param.epoch)
            return
        done = round(self.bar_len * param.nbatch / self.total)
        percents = math.ceil(100.0 * param.nbatch / self.total)
        logging.info("[%s] %s%s\r", "=" * done + "-" * (self.bar_len - done), percents, "%")

    def _move(self, count: int, epoch: int) -> None:
        if self._bar is None:
            from tqdm import tqdm

            self._bar = tqdm(total=self.total, desc=f"Epoch {epoch}", file=sys.stdout, ascii=" =", ncols=self.bar_len)
        self._bar.update(min(count, self.total) - self._bar.n)
        if count >= self.total:
            self._bar.close()
            self._bar = None


def _in_notebook() -> bool:
    """Whether a Jupyter kernel runs the program."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and getattr(ipython.get_ipython(), "kernel", None) is not None


class LogValidationMetricsCallback:
    """An ``eval_end_callback`` that logs the metric of the validation."""

    def __call__(self, param: Any) -> None:
        """Logs the metric."""
        if not param.eval_metric:
            return
        for name, value in param.eval_metric.get_name_value():
            logging.info("Epoch[%d] Validation-%s=%f", param.epoch, name, value)
