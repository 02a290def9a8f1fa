"""Checkpoints, what modules and ``FeedForward`` share about parameter updates, and ``FeedForward`` itself."""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from . import io, metric, ndarray as nd, optimizer as opt, symbol as sym
from ._checkpoint import Params, checkpoint_name, load_checkpoint, load_params, save_checkpoint  # noqa: F401
from .callback import LogValidationMetricsCallback
from .context import Context, cpu, current_context  # noqa: F401  (cpu: as above)
from .error import MXNetAttributeError, MXNetTypeError, MXNetValueError
from .executor import Executor
from .executor_manager import _check_arguments, _load_data, describe_rows
from .initializer import Initializer, Uniform
from .io import DataBatch, DataDesc, DataIter
from .kvstore.base import KVStoreBase
from .kvstore.updates import (  # noqa: F401  (some of them only belong here by name)
    _create_kvstore,
    _create_sparse_kvstore,
    _initialize_kvstore,
    _update_params,
    _update_params_on_kvstore,
    _update_params_on_kvstore_nccl,
    end_of_epoch,
)
from .module._types import Batches, Callbacks, Descriptions, Logger, MetricLike, OptimizerLike, Store
from .module.base_module import (
    BaseModule,
    BatchEndParam,
    _as_metric,
    _call_all as _multiple_callbacks,
    declared_by_base,
)
from .module.bucketing_module import BucketingModule
from .module.executor_group import require
from .module.module import Module, name_indices
from .monitor import Monitor
from .ndarray import NDArray
from .symbol import Symbol

SKLEARN_INSTALLED = False  # FeedForward is no estimator of scikit-learn, installed or not

__all__ = [
    "BatchEndParam",
    "FeedForward",
    "load_checkpoint",
    "load_params",
    "save_checkpoint",
]


#: Arrays, or an iterator of batches.
Data = np.ndarray | NDArray | DataIter
Labels = np.ndarray | NDArray | None


class _Trainer(Module):
    """The Module that FeedForward trains: inputs keep the shapes they were bound to, metrics do not go by names."""

    @declared_by_base
    def bind(self, data_shapes, label_shapes, **options):
        """Makes executors for examples that lie along the first axis."""
        super().bind(describe_rows(data_shapes), describe_rows(label_shapes or [], is_label=True) or None, **options)

    def _fit_shapes(self, batch: DataBatch) -> None:
        """A batch of another shape is an error."""

    def update_metric(
        self, eval_metric: metric.EvalMetric, labels: Sequence[NDArray], pre_sliced: bool = False
    ) -> None:
        """Adds the outputs of the last forward to a metric."""
        self._exec_group.update_metric_in_order(eval_metric, labels, pre_sliced)


class _BucketTrainer(BucketingModule):
    _module_type = _Trainer

    def install_monitor(self, mon: Monitor) -> None:
        raise NotImplementedError("Monitoring is not implemented for bucketing")


def _read_epoch(data: DataIter, epoch: int, size: int | None, logger: logging.Logger) -> Iterator[DataBatch]:
    """Yields ``size`` batches, or all; where they end the iterator starts again."""
    count = 0
    while True:
        for batch in data:
            yield batch
            count += 1
            if size is not None and count >= size:
                return
        logger.info("Epoch[%d] Resetting Data Iterator", epoch)
        data.reset()
        if size is None:
            return


class FeedForward:
    """The model class of MXNet's first years: a symbol trained by ``fit`` on arrays or iterators. Use Module instead.

    NumPy input is cut into batches of ``numpy_batch_size``; the names of inputs are ``data`` and ``softmax_label``.
    Further keywords go to the optimizer. ``epoch_size`` is the number of batches in an epoch, by default all there are.
    """

    def __init__(
        self,
        symbol: Symbol,
        ctx: Context | Sequence[Context] | None = None,
        num_epoch: int | None = None,
        epoch_size: int | None = None,
        optimizer: OptimizerLike = "sgd",
        initializer: Initializer | None = Uniform(0.01),  # noqa: B008
        numpy_batch_size: int = 128,
        arg_params: Params | None = None,
        aux_params: Params | None = None,
        allow_extra_params: bool = False,
        begin_epoch: int = 0,
        **kwargs: object,
    ):
        warnings.warn(
            "mxnet.model.FeedForward has been deprecated. Please use mxnet.mod.Module instead.",
            DeprecationWarning,
            stacklevel=2,
        )
        if isinstance(symbol, sym.Symbol):
            self.symbol, self.sym_gen = symbol, None
        else:
            require(
                callable(symbol), f"a Symbol, or a function of bucket keys that makes one, is needed, got {symbol!r}"
            )
            self.symbol, self.sym_gen = None, symbol
        if ctx is None:
            ctx = [current_context()]
        self.ctx = [ctx] if isinstance(ctx, Context) else list(ctx)
        self.arg_params = arg_params
        self.aux_params = aux_params
        self.allow_extra_params = allow_extra_params
        self.argument_checked = False
        if self.sym_gen is None:
            self._check_arguments()
        self.num_epoch = num_epoch
        self.epoch_size = epoch_size
        self.kwargs = kwargs.copy()
        self.optimizer = optimizer
        self.initializer = initializer
        self.numpy_batch_size = numpy_batch_size
        self._pred_exec: Any = None
        self.begin_epoch = begin_epoch

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_pred_exec": None}

    def _check_arguments(self) -> None:
        """Refuses symbols with duplicate names; drops parameters that the symbol does not have, if that is allowed."""
        if self.argument_checked:
            return
        _check_arguments(self.symbol)
        self.argument_checked = True
        if self.allow_extra_params:
            if self.arg_params:
                names = set(self.symbol.list_arguments())
                self.arg_params = {k: v for k, v in self.arg_params.items() if k in names}
            if self.aux_params:
                names = set(self.symbol.list_auxiliary_states())
                self.aux_params = {k: v for k, v in self.aux_params.items() if k in names}

    @staticmethod
    def _is_data_arg(name: str) -> bool:
        return name.endswith(("data", "label"))

    def _init_params(self, inputs: Descriptions, overwrite: bool = False) -> tuple[list[str], list[str], list[str]]:
        """Fills what parameters are missing; names of all arguments, of parameters and of auxiliary states."""
        shapes = {d[0]: tuple(d[1]) for d in inputs}
        arg_shapes, _, aux_shapes = self.symbol.infer_shape(**shapes)
        if arg_shapes is None:
            raise MXNetValueError(f"the shapes of all arguments cannot be inferred from {shapes}")
        arg_names, aux_names = self.symbol.list_arguments(), self.symbol.list_auxiliary_states()
        param_names = [name for name in arg_names if name not in shapes]

        def fill(names: Sequence[str], shapes: Descriptions, known: Params | None, wanted: Sequence[str]) -> Params:
            params = {}
            for name, shape in zip(names, shapes, strict=True):
                if name not in wanted:
                    continue
                array = nd.zeros(shape)
                if not overwrite and known and name in known and known[name].shape == tuple(shape):
                    known[name].copyto(array)
                else:
                    self.initializer(name, array)
                params[name] = array
            return params

        self.arg_params = fill(arg_names, arg_shapes, self.arg_params, param_names)
        self.aux_params = fill(aux_names, aux_shapes, self.aux_params, aux_names)
        return arg_names, param_names, aux_names

    # ---- input -----------------------------------------------------------------------------------------------------

    def _init_iter(self, X: Data, y: Labels, is_train: bool) -> DataIter:
        """An iterator over arrays, or the one given."""
        if isinstance(X, np.ndarray | NDArray):
            if y is None:
                if is_train:
                    raise MXNetValueError("y must be specified when X is numpy.ndarray")
                y = np.zeros(X.shape[0])
            if not isinstance(y, np.ndarray | NDArray):
                raise MXNetTypeError("y must be ndarray when X is numpy.ndarray")
            if X.shape[0] != y.shape[0]:
                raise MXNetValueError("The numbers of data points and labels not equal")
            if y.ndim == 2 and y.shape[1] == 1:
                y = y.reshape((-1,))
            if y.ndim != 1:
                raise MXNetValueError("Label must be 1D or 2D (with 2nd dimension being 1)")
            return io.NDArrayIter(
                X,
                y,
                min(X.shape[0], self.numpy_batch_size),
                shuffle=is_train,
                last_batch_handle="roll_over" if is_train else "pad",
            )
        if not isinstance(X, io.DataIter):
            raise MXNetTypeError("X must be DataIter, NDArray or numpy.ndarray")
        return X

    def _init_eval_iter(self, eval_data: Batches) -> DataIter | None:
        """An iterator over the data to score, given as an iterator or a pair of arrays."""
        if eval_data is None:
            return None
        if isinstance(eval_data, tuple | list) and len(eval_data) == 2:
            data, label = eval_data
            if data is None:
                raise MXNetValueError("Eval data is NONE")
            if label is None and isinstance(data, io.DataIter):
                return data
            data = np.array(data) if isinstance(data, list) else data
            label = np.array(label) if isinstance(label, list) else label
            return self._init_iter(data, label, is_train=True)
        if not isinstance(eval_data, io.DataIter):
            raise MXNetTypeError(
                "Eval data must be DataIter, or NDArray/numpy.ndarray/list pair (i.e. tuple/list of length 2)"
            )
        return eval_data

    # ---- use -------------------------------------------------------------------------------------------------------

    def _init_predictor(self, inputs: Descriptions) -> None:
        """Binds the executor that predicts, unless one for these shapes is there."""
        shapes = {d[0]: tuple(d[1]) for d in inputs}
        if self._pred_exec is not None:
            arg_shapes, _, _ = self.symbol.infer_shape(**shapes)
            if arg_shapes == [a.shape for a in self._pred_exec.arg_arrays]:
                self._copy_params_to(self._pred_exec)
                return
        self._pred_exec = self.symbol.simple_bind(
            self.ctx[0],
            grad_req="null",
            type_dict={d.name: d.dtype for d in inputs if isinstance(d, DataDesc)},
            **shapes,
        )
        _check_arguments(self.symbol)
        self._copy_params_to(self._pred_exec)

    def _copy_params_to(self, executor: Executor) -> None:
        if self.arg_params is None:
            raise MXNetAttributeError("this model has no parameters yet: call fit() or load() first")
        executor.copy_params_from(self.arg_params, self.aux_params)

    def predict(self, X: Data, num_batch: int | None = None, return_data: bool = False, reset: bool = True) -> Any:
        """The outputs as NumPy arrays, a list if there are several; with ``return_data`` also data and labels."""
        X = self._init_iter(X, None, is_train=False)
        if reset:
            X.reset()
        names = [d[0] for d in X.provide_data]
        self._init_predictor([*X.provide_data])
        arguments = self._pred_exec.arg_dict
        targets = [arguments[name] for name in names]
        outputs: list[list[np.ndarray]] = [[] for _ in self._pred_exec._symbol.list_outputs()]
        data: list[list[np.ndarray]] = [[] for _ in X.provide_data]
        labels: list[list[np.ndarray]] = [[] for _ in X.provide_label]
        for i, batch in enumerate(X):
            if num_batch is not None and i >= num_batch:
                break
            _load_data(batch, targets)
            self._pred_exec.forward(is_train=False)
            size = X.batch_size - (batch.pad or 0)
            groups = [(outputs, self._pred_exec.outputs)]
            if return_data:
                groups += [(data, batch.data), (labels, batch.label)]
            for lists, arrays in groups:
                for parts, array in zip(lists, arrays, strict=True):
                    parts.append(array[0:size].asnumpy())

        def merge(lists: list[list[np.ndarray]]) -> np.ndarray | list[np.ndarray]:
            arrays = [np.concatenate(parts) for parts in lists]
            return arrays[0] if len(arrays) == 1 else arrays

        return (merge(outputs), merge(data), merge(labels)) if return_data else merge(outputs)

    def score(
        self,
        X: Data,
        eval_metric: MetricLike = "acc",
        num_batch: int | None = None,
        batch_end_callback: Callbacks = None,
        reset: bool = True,
    ) -> float:
        """The value of a metric on an iterator."""
        eval_metric = _as_metric(eval_metric)
        X = self._init_iter(X, None, is_train=False)
        if reset:
            X.reset()
        self._init_predictor([*X.provide_data])
        arguments = self._pred_exec.arg_dict
        targets = [arguments[d[0]] for d in X.provide_data]
        for i, batch in enumerate(X):
            if num_batch is not None and i >= num_batch:
                break
            _load_data(batch, targets)
            self._pred_exec.forward(is_train=False)
            eval_metric.update(batch.label, self._pred_exec.outputs)
            if batch_end_callback is not None:
                _multiple_callbacks(batch_end_callback, BatchEndParam(0, i, eval_metric, locals()))
        return eval_metric.get()[1]

    def fit(
        self,
        X: Data,
        y: Labels = None,
        eval_data: Batches = None,
        eval_metric: MetricLike = "acc",
        epoch_end_callback: Callbacks = None,
        batch_end_callback: Callbacks = None,
        kvstore: Store = "local",
        logger: Logger | None = None,
        work_load_list: list[float] | None = None,
        monitor: Monitor | None = None,
        eval_end_callback: Callbacks = LogValidationMetricsCallback(),  # noqa: B008
        eval_batch_end_callback: Callbacks = None,
    ) -> None:
        """Trains on arrays ``X`` and ``y`` or on an iterator; ``eval_data`` is an iterator or a pair of arrays."""
        data, eval_data = self._init_iter(X, y, is_train=True), self._init_eval_iter(eval_data)
        if self.sym_gen is not None:
            self.symbol = self.sym_gen(data.default_bucket_key)
            self._check_arguments()
        self.kwargs["sym"] = self.symbol
        _, param_names, _ = self._init_params([*data.provide_data, *data.provide_label])
        eval_metric = _as_metric(eval_metric)
        store, update_on_kvstore = _create_kvstore(kvstore, len(self.ctx), self.arg_params)
        self.kwargs["param_idx2name"] = name_indices(param_names, len(self.ctx), update_on_kvstore)
        optimizer = self._make_optimizer(data.batch_size, store)
        if self.num_epoch is None:
            raise MXNetTypeError("FeedForward needs num_epoch, the number of epochs, to train")
        logger = logger or logging
        logger.info("Start training with %s", str(self.ctx))
        module = self._make_module(data, logger, work_load_list)
        module.bind(data.provide_data, data.provide_label)
        if monitor is not None:
            module.install_monitor(monitor)
        module.init_params(arg_params=self.arg_params, aux_params=self.aux_params)
        module._set_optimizer(optimizer, store, update_on_kvstore)
        data.reset()
        for epoch in range(self.begin_epoch, self.num_epoch):
            tic = time.time()
            eval_metric.reset()
            batches = _read_epoch(data, epoch, self.epoch_size, logger)
            scope = {**locals(), "train_data": data}
            last, _ = module._train_epoch(epoch, batches, eval_metric, batch_end_callback, monitor, scope, first=1)
            end_of_epoch(store, epoch, last - 1)
            logger.info("Epoch[%d] Time cost=%.3f", epoch, time.time() - tic)
            if epoch_end_callback or epoch + 1 == self.num_epoch:
                self._copy_params_from(module)
            _multiple_callbacks(epoch_end_callback, epoch, self.symbol, self.arg_params, self.aux_params)
            if eval_data:
                eval_metric.reset()
                eval_data.reset()
                module._score_batches(eval_data, eval_metric, eval_batch_end_callback, eval_end_callback, epoch=epoch)
                eval_data.reset()

    def _make_optimizer(self, batch_size: int, store: KVStoreBase | None) -> opt.Optimizer:
        """The optimizer, by its name for the mean over a batch of all workers together."""
        optimizer = self.optimizer
        if isinstance(optimizer, str):
            if store is not None and "dist" in store.type and "_async" not in store.type:
                batch_size *= store.num_workers
            return opt.create(optimizer, rescale_grad=1.0 / batch_size, **self.kwargs)
        if isinstance(optimizer, opt.Optimizer) and not optimizer.idx2name:
            optimizer.idx2name = dict(self.kwargs["param_idx2name"])
        return optimizer

    def _make_module(
        self, data: DataIter, logger: logging.Logger, loads: Sequence[float] | None
    ) -> _Trainer | _BucketTrainer:
        """The module that trains: of the symbol, or of one for each bucket."""
        require(
            loads is None or (isinstance(loads, list) and len(loads) == len(self.ctx)),
            f"work_load_list must be a list of {len(self.ctx)} numbers, one for each context, got {loads!r}",
        )
        names = [d[0] for d in data.provide_data], [d[0] for d in data.provide_label]
        options = {"logger": logger, "context": self.ctx, "work_load_list": loads}
        if self.sym_gen is None:
            return _Trainer(self.symbol, *names, **options)
        symbols = {data.default_bucket_key: self.symbol}

        def generate(key: Hashable) -> tuple[sym.Symbol, list[str], list[str]]:
            if key not in symbols:
                symbols[key] = self.sym_gen(key)
            return symbols[key], *names

        return _BucketTrainer(generate, data.default_bucket_key, **options)

    def _copy_params_from(self, module: BaseModule) -> None:
        for params, trained in zip((self.arg_params, self.aux_params), module.get_params(), strict=True):
            for name, array in trained.items():
                array.copyto(params[name])

    # ---- files -----------------------------------------------------------------------------------------------------

    def save(self, prefix: str, epoch: int | None = None, remove_amp_cast: bool = True) -> None:
        """Writes a checkpoint; its number is ``num_epoch`` unless given."""
        epoch = self.num_epoch if epoch is None else epoch
        if epoch is None or self.arg_params is None or self.aux_params is None:
            raise MXNetValueError("there is nothing to save: call fit() first and give num_epoch or epoch")
        save_checkpoint(prefix, epoch, self.symbol, self.arg_params, self.aux_params, remove_amp_cast)

    @staticmethod
    def load(prefix: str, epoch: int, ctx: Context | Sequence[Context] | None = None, **kwargs: object) -> FeedForward:
        """A model from a checkpoint; training goes on from that epoch."""
        symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
        return FeedForward(symbol, ctx=ctx, arg_params=arg_params, aux_params=aux_params, begin_epoch=epoch, **kwargs)

    @staticmethod
    def create(
        symbol: Symbol,
        X: Data,
        y: Labels = None,
        ctx: Context | Sequence[Context] | None = None,
        num_epoch: int | None = None,
        epoch_size: int | None = None,
        optimizer: OptimizerLike = "sgd",
        initializer: Initializer | None = Uniform(0.01),  # noqa: B008
        eval_data: Batches = None,
        eval_metric: MetricLike = "acc",
        epoch_end_callback: Callbacks = None,
        batch_end_callback: Callbacks = None,
        kvstore: Store = "local",
        logger: Logger | None = None,
        work_load_list: list[float] | None = None,
        eval_end_callback: Callbacks = LogValidationMetricsCallback(),  # noqa: B008
        eval_batch_end_callback: Callbacks = None,
        **kwargs: object,
    ) -> FeedForward:
        """A model made and trained in one call."""
        model = FeedForward(
            symbol,
            ctx=ctx,
            num_epoch=num_epoch,
            epoch_size=epoch_size,
            optimizer=optimizer,
            initializer=initializer,
            **kwargs,
        )
        model.fit(
            X,
            y,
            eval_data=eval_data,
            eval_metric=eval_metric,
            epoch_end_callback=epoch_end_callback,
            batch_end_callback=batch_end_callback,
            kvstore=kvstore,
            logger=logger,
            work_load_list=work_load_list,
            eval_end_callback=eval_end_callback,
            eval_batch_end_callback=eval_batch_end_callback,
        )
        return model
