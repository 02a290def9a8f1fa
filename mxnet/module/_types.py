"""The types in signatures of modules and of FeedForward."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from ..context import Context
from ..io import DataDesc
from ..kvstore.base import KVStoreBase
from ..metric import EvalMetric
from ..ndarray import NDArray
from ..optimizer import Optimizer

Params = dict[str, NDArray]
#: What has ``data``, and ``label`` where a module takes labels: a DataBatch, often a named tuple of the user's.
Batch = Any
#: What has ``provide_data``, ``provide_label`` and ``reset``, and gives batches: a DataIter or a loader of the user's.
Batches = Any
#: Whole arrays, or for each the list of its parts on the devices: an argument says which.
Arrays = list[Any]
#: Names and shapes of inputs.
Descriptions = Sequence[DataDesc | tuple[str, Sequence[int]]]
MetricLike = EvalMetric | str | Callable[..., object] | Sequence[object]
Callbacks = Callable[..., object] | Sequence[Callable[..., object]] | None
#: Gradients of outputs, for ``backward``.
Heads = NDArray | Sequence[NDArray] | None
GradReq = str | Sequence[str] | Mapping[str, str]
Groups = Mapping[str, Context | Sequence[Context]] | Sequence[Mapping[str, Context]] | None
Logger = logging.Logger | ModuleType
OptimizerLike = str | Optimizer
OptimizerParams = Mapping[str, object] | Sequence[tuple[str, object]]
#: Returns the rows of parameters, by name, that a batch needs.
RowIds = Callable[[Batch], Mapping[str, NDArray]] | None
Store = KVStoreBase | str | None
