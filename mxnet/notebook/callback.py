"""Callbacks for notebooks: tables and charts of what happens in a training run."""

from __future__ import annotations

from ..base import claim_classes
from .charts import LiveBokehChart, LiveLearningCurve, LiveTimeSeries
from .logger import PandasLogger, _add_new_columns, _extend, args_wrapper  # noqa: F401

__all__ = ["LiveBokehChart", "LiveLearningCurve", "LiveTimeSeries", "PandasLogger", "args_wrapper"]

claim_classes(globals(), __all__)
