"""Charts that are redrawn in a notebook while a network is trained: their data, and how they get into a cell."""

from __future__ import annotations

import datetime
import io
import time
from typing import Any

from .logger import PandasLogger

__all__ = ["LiveBokehChart", "LiveLearningCurve", "LiveTimeSeries"]


def _in_notebook() -> bool:
    """Is there a notebook that can show something?"""
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and hasattr(shell, "kernel")


class LiveBokehChart:
    """A chart of a metric over time that is redrawn, at most every ``display_freq`` seconds, while ``fit`` runs.

    ``pandas_logger`` keeps the numbers; without one the chart has its own. For ``fit``: ``**chart.callback_args()``.
    The name is the original's; the picture is drawn by Matplotlib, in the cell that made the chart, and ``figure``
    has it also outside of notebooks.
    """

    def __init__(
        self,
        pandas_logger: PandasLogger | None,
        metric_name: str,
        display_freq: float = 10,
        batch_size: int | None = None,
        frequent: int = 50,
    ):
        if pandas_logger is None and batch_size is None:
            raise ValueError(
                "LiveBokehChart needs a pandas_logger, or the batch_size for one of its own; both are None"
            )
        self.pandas_logger = PandasLogger(batch_size or 1, frequent) if pandas_logger is None else pandas_logger
        self._start(metric_name, display_freq, frequent)

    def _start(self, metric_name: str, display_freq: float, frequent: int) -> None:
        self.metric_name, self.display_freq, self.frequent = metric_name, display_freq, frequent
        self.start_time = datetime.datetime.now()
        self.last_update = time.time()
        self._shown: Any = None
        self.figure, self._axes = self._new_figure()
        self.setup_chart()

    def _new_figure(self, **options: Any) -> tuple[Any, Any]:
        try:
            from matplotlib.figure import Figure
        except ImportError as error:
            raise ImportError(f"{type(self).__name__} draws with Matplotlib: pip install matplotlib") from error
        figure = Figure(**{"figsize": (7, 3.5), "layout": "constrained", **options})
        return figure, figure.subplots()

    def _lines(self) -> dict[str, tuple[list[float], list[float]]]:
        """What is drawn: for each line its seconds and its values."""
        found = {}
        for name in ("train", "eval"):
            table = self.pandas_logger.all_dataframes[name]
            if self.metric_name in table.columns:
                seconds = [moment.total_seconds() for moment in table["elapsed"]]
                found[name] = seconds, [float(value) for value in table[self.metric_name]]
        return found

    def setup_chart(self) -> None:
        """Draws the empty chart, and shows it in a notebook."""
        self._axes.set_xlabel("seconds")
        self._axes.set_ylabel(self.metric_name)
        self._push_render()

    def update_chart_data(self) -> None:
        """Draws what there is by now."""
        self._axes.clear()
        for name, (x, y) in self._lines().items():
            self._axes.plot(x, y, marker="." if len(x) < 50 else None, label=name)
        self._axes.set_xlabel("seconds")
        self._axes.set_ylabel(self.metric_name)
        if self._axes.lines:
            self._axes.legend()

    def interval_elapsed(self) -> bool:
        """Is it time to draw again?"""
        return time.time() - self.last_update > self.display_freq

    def _push_render(self) -> None:
        """Shows the picture in the cell, in place of the one before."""
        self.last_update = time.time()
        if not _in_notebook():
            return
        from IPython.display import Image, display

        stream = io.BytesIO()
        self.figure.savefig(stream, format="png", dpi=100)
        picture = Image(data=stream.getvalue())
        if self._shown is None:
            self._shown = display(picture, display_id=True)
        else:
            self._shown.update(picture)

    def _do_update(self) -> None:
        self.update_chart_data()
        self._push_render()

    def batch_cb(self, param: object) -> None:
        """After a training batch."""
        self.pandas_logger.train_cb(param)
        if self.interval_elapsed():
            self._do_update()

    def eval_cb(self, param: object) -> None:
        """After an evaluation: the chart is drawn in any case."""
        self.pandas_logger.eval_cb(param)
        self._do_update()

    def callback_args(self) -> dict[str, Any]:
        """The callbacks as arguments for ``fit``."""
        return {"batch_end_callback": self.batch_cb, "eval_end_callback": self.eval_cb}


class LiveTimeSeries(LiveBokehChart):
    """A chart of one number over time: ``update_chart_data(value)`` adds it, with the time, and draws.

    ``fig_params`` are those of a Matplotlib figure, e.g. ``figsize``; bokeh's ``width`` and ``height``, in pixels, and
    ``title`` are understood too.
    """

    def __init__(self, **fig_params: Any):
        self._fig_params = dict(fig_params)
        self.x_axis_val: list[float] = []
        self.y_axis_val: list[float] = []
        self._title = self._fig_params.pop("title", None)
        width = self._fig_params.pop("width", self._fig_params.pop("plot_width", None))
        height = self._fig_params.pop("height", self._fig_params.pop("plot_height", None))
        if width or height:
            self._fig_params["figsize"] = ((width or 700) / 100, (height or 350) / 100)
        self._start("value", 0, 1)

    def _new_figure(self, **options: Any) -> tuple[Any, Any]:
        return super()._new_figure(**options, **self._fig_params)

    def _lines(self) -> dict[str, tuple[list[float], list[float]]]:
        return {"value": (self.x_axis_val, self.y_axis_val)} if self.x_axis_val else {}

    def setup_chart(self) -> None:
        """Draws the empty chart, and shows it in a notebook."""
        if self._title:
            self.figure.suptitle(self._title)
        super().setup_chart()

    def elapsed(self) -> datetime.timedelta:
        """The time since the chart was made."""
        return datetime.datetime.now() - self.start_time

    def update_chart_data(self, value: float) -> None:  # type: ignore[override]
        """Adds a number at this moment, and draws."""
        self.x_axis_val.append(self.elapsed().total_seconds())
        self.y_axis_val.append(float(value))
        super().update_chart_data()
        self._push_render()


class LiveLearningCurve(LiveBokehChart):
    """A chart with a metric of training and of evaluation over time.

    For ``fit``: ``**LiveLearningCurve("accuracy").callback_args()``. Every ``frequent`` batches a point is added,
    without starting the metric anew; it is drawn at most every ``display_freq`` seconds, and after each evaluation.
    """

    def __init__(self, metric_name: str, display_freq: float = 10, frequent: int = 50):
        self._data: dict[str, dict[str, list[float]]] = {
            name: {"seconds": [], "value": []} for name in ("train", "eval")
        }
        self._start(metric_name, display_freq, frequent)

    def _lines(self) -> dict[str, tuple[list[float], list[float]]]:
        return {name: (data["seconds"], data["value"]) for name, data in self._data.items() if data["value"]}

    def _process_batch(self, param: Any, name: str) -> None:
        found = dict(param.eval_metric.get_name_value()) if param.eval_metric is not None else {}
        if self.metric_name not in found:
            raise ValueError(
                f"LiveLearningCurve draws the metric {self.metric_name!r}, but fit has {', '.join(found) or 'none'}: "
                f"give fit eval_metric={self.metric_name!r}, or draw one that it has"
            )
        data = self._data[name]
        data["seconds"].append((datetime.datetime.now() - self.start_time).total_seconds())
        data["value"].append(float(found[self.metric_name]))

    def batch_cb(self, param: Any) -> None:
        """After a training batch."""
        if param.nbatch % self.frequent == 0:
            self._process_batch(param, "train")
        if self.interval_elapsed():
            self._do_update()

    def eval_cb(self, param: object) -> None:
        """After an evaluation."""
        self._process_batch(param, "eval")
        self._do_update()
