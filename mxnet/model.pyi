# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import logging
import time
import warnings
from collections.abc import Hashable, Iterator, Sequence
from typing import Any
import numpy as np
from . import io, metric, ndarray as nd, optimizer as opt, symbol as sym
from ._checkpoint import Params, checkpoint_name, load_checkpoint, load_params, save_checkpoint
from .callback import LogValidationMetricsCallback
from .context import Context, cpu, current_context
from .error import MXNetAttributeError, MXNetTypeError, MXNetValueError
from .executor import Executor
from .executor_manager import _check_arguments, _load_data, describe_rows
from .initializer import Initializer, Uniform
from .io import DataBatch, DataDesc, DataIter
from .kvstore.base import KVStoreBase
from .kvstore.updates import _create_kvstore, _create_sparse_kvstore, _initialize_kvstore, _update_params, _update_params_on_kvstore, _update_params_on_kvstore_nccl, end_of_epoch
from .module._types import Batches, Callbacks, Descriptions, Logger, MetricLike, OptimizerLike, Store
from .module.base_module import BaseModule, BatchEndParam, _as_metric, _call_all as _multiple_callbacks, declared_by_base
from .module.bucketing_module import BucketingModule
from .module.executor_group import require
from .module.module import Module, name_indices
from .monitor import Monitor
from .ndarray import NDArray
from .symbol import Symbol
SKLEARN_INSTALLED: bool
Data: Any
Labels: Any
class _Trainer(Module):
    """The Module that FeedForward trains: inputs keep the shapes they were bound to, metrics do not go by names."""
    def bind(self, data_shapes: Descriptions, label_shapes: Descriptions | None = None, for_training: bool = True, inputs_need_grad: bool = False, force_rebind: bool = False, shared_module: BaseModule | None = None, grad_req: Any = 'write') -> None:
        """Makes executors for examples that lie along the first axis."""
    def _fit_shapes(self, batch: DataBatch) -> None:
        """A batch of another shape is an error."""
    def update_metric(self, eval_metric: metric.EvalMetric, labels: Sequence[NDArray], pre_sliced: bool=False) -> None:
        """Adds the outputs of the last forward to a metric."""
class _BucketTrainer(BucketingModule):
    _module_type = _Trainer
    def install_monitor(self, mon: Monitor) -> None: ...
def _read_epoch(data: DataIter, epoch: int, size: int | None, logger: logging.Logger) -> Iterator[DataBatch]:
    """Yields ``size`` batches, or all; where they end the iterator starts again."""
class FeedForward:
    """The model class of MXNet's first years: a symbol trained by ``fit`` on arrays or iterators. Use Module instead."""
    def __init__(self, symbol: Symbol, ctx: Context | Sequence[Context] | None=None, num_epoch: int | None=None, epoch_size: int | None=None, optimizer: OptimizerLike='sgd', initializer: Initializer | None=..., numpy_batch_size: int=128, arg_params: Params | None=None, aux_params: Params | None=None, allow_extra_params: bool=False, begin_epoch: int=0, **kwargs: object) -> None: ...
    def __getstate__(self) -> dict[str, object]: ...
    def _check_arguments(self) -> None:
        """Refuses symbols with duplicate names; drops parameters that the symbol does not have, if that is allowed."""
    @staticmethod
    def _is_data_arg(name: str) -> bool: ...
    def _init_params(self, inputs: Descriptions, overwrite: bool=False) -> tuple[list[str], list[str], list[str]]:
        """Fills what parameters are missing; names of all arguments, of parameters and of auxiliary states."""
    def _init_iter(self, X: Data, y: Labels, is_train: bool) -> DataIter:
        """An iterator over arrays, or the one given."""
    def _init_eval_iter(self, eval_data: Batches) -> DataIter | None:
        """An iterator over the data to score, given as an iterator or a pair of arrays."""
    def _init_predictor(self, inputs: Descriptions) -> None:
        """Binds the executor that predicts, unless one for these shapes is there."""
    def _copy_params_to(self, executor: Executor) -> None: ...
    def predict(self, X: Data, num_batch: int | None=None, return_data: bool=False, reset: bool=True) -> Any:
        """The outputs as NumPy arrays, a list if there are several; with ``return_data`` also data and labels."""
    def score(self, X: Data, eval_metric: MetricLike='acc', num_batch: int | None=None, batch_end_callback: Callbacks=None, reset: bool=True) -> float:
        """The value of a metric on an iterator."""
    def fit(self, X: Data, y: Labels=None, eval_data: Batches=None, eval_metric: MetricLike='acc', epoch_end_callback: Callbacks=None, batch_end_callback: Callbacks=None, kvstore: Store='local', logger: Logger | None=None, work_load_list: list[float] | None=None, monitor: Monitor | None=None, eval_end_callback: Callbacks=..., eval_batch_end_callback: Callbacks=None) -> None:
        """Trains on arrays ``X`` and ``y`` or on an iterator; ``eval_data`` is an iterator or a pair of arrays."""
    def _make_optimizer(self, batch_size: int, store: KVStoreBase | None) -> opt.Optimizer:
        """The optimizer, by its name for the mean over a batch of all workers together."""
    def _make_module(self, data: DataIter, logger: logging.Logger, loads: Sequence[float] | None) -> _Trainer | _BucketTrainer:
        """The module that trains: of the symbol, or of one for each bucket."""
    def _copy_params_from(self, module: BaseModule) -> None: ...
    def save(self, prefix: str, epoch: int | None=None, remove_amp_cast: bool=True) -> None:
        """Writes a checkpoint; its number is ``num_epoch`` unless given."""
    @staticmethod
    def load(prefix: str, epoch: int, ctx: Context | Sequence[Context] | None=None, **kwargs: object) -> FeedForward:
        """A model from a checkpoint; training goes on from that epoch."""
    @staticmethod
    def create(symbol: Symbol, X: Data, y: Labels=None, ctx: Context | Sequence[Context] | None=None, num_epoch: int | None=None, epoch_size: int | None=None, optimizer: OptimizerLike='sgd', initializer: Initializer | None=..., eval_data: Batches=None, eval_metric: MetricLike='acc', epoch_end_callback: Callbacks=None, batch_end_callback: Callbacks=None, kvstore: Store='local', logger: Logger | None=None, work_load_list: list[float] | None=None, eval_end_callback: Callbacks=..., eval_batch_end_callback: Callbacks=None, **kwargs: object) -> FeedForward:
        """A model made and trained in one call."""
    _pred_exec: Any
    allow_extra_params: bool
    arg_params: Any
    argument_checked: bool
    aux_params: Any
    begin_epoch: int
    ctx: Any
    epoch_size: int | None
    initializer: Initializer | None
    kwargs: Any
    num_epoch: int | None
    numpy_batch_size: int
    optimizer: OptimizerLike
    sym_gen: Any
    symbol: Any
__all__ = ['BatchEndParam', 'FeedForward', 'load_checkpoint', 'load_params', 'save_checkpoint', 'Context', 'cpu', 'DataDesc', 'io', 'logging', 'LogValidationMetricsCallback', 'metric', 'nd', 'np', 'opt', 'SKLEARN_INSTALLED', 'sym', 'time', 'Uniform', 'warnings']
