"""What all modules have in common: training, scoring and prediction, in terms of a few methods that each defines."""

from __future__ import annotations

import functools
import logging
import time
import warnings
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from .. import metric, ndarray
from .._core.signature import takes
from .._core.tracebacks import warn_user
from ..context import cpu
from ..error import MXNetAssertionError, MXNetTypeError, MXNetValueError
from ..initializer import Initializer, Uniform
from ..io import DataBatch, DataDesc, DataIter
from ..kvstore.updates import end_of_epoch
from ..metric import EvalMetric
from ..monitor import Monitor
from ..ndarray import NDArray
from ..symbol import Symbol
from ._types import (
    Arrays,
    Batch,
    Batches,
    Callbacks,
    Descriptions,
    GradReq,
    Heads,
    Logger,
    MetricLike,
    OptimizerLike,
    OptimizerParams,
    Params,
    RowIds,
    Store,
)
from .executor_group import require

__all__ = ["BaseModule"]

#: What callbacks get after a batch.
BatchEndParam = namedtuple("BatchEndParam", ["epoch", "nbatch", "eval_metric", "locals"])
BatchEndParam.__name__ = BatchEndParam.__qualname__ = "BatchEndParams"  # as the original prints it
BatchEndParam.__module__ = "mxnet.model"
_PARAMETER_ENDINGS = ("_weight", "_bias", "_gamma", "_beta")


def _as_list(obj: object) -> list:
    """A list or tuple as a list, anything else as a list of one."""
    return list(obj) if isinstance(obj, list | tuple) else [obj]


def names_of(names: Sequence[str] | str | None) -> list[str]:
    """Names of inputs as a list; a string is one name."""
    return [names] if isinstance(names, str) else list(names or [])


def _check_input_names(symbol: Symbol, names: Sequence[str], typename: str, throw: bool) -> None:
    """Rejects (or warns of) names that are not arguments of the symbol."""
    args = symbol.list_arguments()
    for name in names:
        if name in args:
            continue
        candidates = ", ".join(a for a in args if not a.endswith(_PARAMETER_ENDINGS))
        message = (
            f"You created Module with Module(..., {typename}_names={names}) but input with name '{name}' is not found "
            f"in symbol.list_arguments(). Did you mean one of: {candidates}"
        )
        if throw:
            raise MXNetValueError(message)
        warn_user(message)


def _check_names_match(data_names: Sequence[str], data_shapes: Descriptions, name: str, throw: bool) -> None:
    """Refuses (or warns of) shapes given for other names than those of the module."""
    if sorted(data_names) == sorted(d[0] for d in data_shapes):
        return
    message = (
        f"Data provided by {name}_shapes don't match names specified by {name}_names "
        f"({data_shapes} vs. {list(data_names)})"
    )
    if throw:
        raise MXNetValueError(message)
    warn_user(message)


def _descriptions(shapes: Descriptions, kind: str) -> list[DataDesc]:
    """Shapes given as pairs or DataDescs, as DataDescs."""
    for each in shapes:
        if not isinstance(each, list | tuple) or len(each) < 2 or not isinstance(each[1], list | tuple):
            raise MXNetTypeError(
                f"{kind}_shapes must be a list of names and shapes, such as [('{kind}', (32, 10))], got {shapes!r}"
            )
    return [d if isinstance(d, DataDesc) else DataDesc(*d) for d in shapes]


def _parse_data_desc(
    data_names: Sequence[str], label_names: Sequence[str], data_shapes: Descriptions, label_shapes: Descriptions | None
) -> tuple[list[DataDesc], list[DataDesc] | None]:
    """Shapes given as pairs or DataDescs, checked against the names of the module, as DataDescs."""
    data = _descriptions(data_shapes, "data")
    _check_names_match(data_names, data, "data", True)
    if label_shapes is None:
        _check_names_match(label_names, [], "label", False)
        return data, None
    labels = _descriptions(label_shapes, "label")
    _check_names_match(label_names, labels, "label", False)
    return data, labels


def _call_all(callbacks: Callbacks, *args: object) -> None:
    """Calls a callback, or each of a list; None is none."""
    for callback in [] if callbacks is None else _as_list(callbacks):
        callback(*args)


def _as_metric(given: MetricLike) -> metric.EvalMetric:
    return given if isinstance(given, metric.EvalMetric) else metric.create(given)


def _check_epochs(begin: int, end: int | None) -> range:
    if end is None:
        raise MXNetAssertionError("please specify number of epochs")
    return range(begin, end)


def _check_iterator(train_data: Batches) -> None:
    if not hasattr(train_data, "provide_data"):
        raise MXNetTypeError(
            f"fit: train_data must be an iterator of batches with provide_data, got {type(train_data).__name__}. "
            "Arrays become one by mx.io.NDArrayIter(data, label, batch_size)"
        )


def declared_by_base(method: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: the method has the signature and the defaults of BaseModule's, and gets all arguments by name."""
    return takes(getattr(BaseModule, method.__name__))(method)


def passed_on(name: str, owner: str) -> Callable[..., Any]:
    """BaseModule's method of that name, done by the module that an attribute holds."""

    @functools.wraps(getattr(BaseModule, name))
    def call(self: BaseModule, *args: Any, **kwargs: object) -> Any:
        self._need_params()
        return getattr(getattr(self, owner), name)(*args, **kwargs)

    return call


class BaseModule:
    """The base of modules. A module is bound to input shapes, given parameters and an optimizer, and then trained.

    ``fit`` does all of that; the steps are ``bind``, ``init_params``, ``init_optimizer`` and then, for each batch,
    ``forward``, ``backward`` and ``update``.
    """

    def __init__(self, logger: Logger = logging):
        self.logger = logger
        self.binded = False
        self.for_training = False
        self.inputs_need_grad = False
        self.params_initialized = False
        self.optimizer_initialized = False
        self._symbol: Any = None
        self._total_exec_bytes = 0

    def _need_binding(self) -> None:
        require(self.binded, "call bind() first")

    def _need_params(self) -> None:
        require(self.binded and self.params_initialized, "call bind() and init_params() first")

    # ---- high level ------------------------------------------------------------------------------------------------

    def forward_backward(self, data_batch: Batch) -> None:
        """Forward for training, then backward."""
        self.forward(data_batch, is_train=True)
        self.backward()

    def score(
        self,
        eval_data: Batches,
        eval_metric: MetricLike,
        num_batch: int | None = None,
        batch_end_callback: Callbacks = None,
        score_end_callback: Callbacks = None,
        reset: bool = True,
        epoch: int = 0,
        sparse_row_id_fn: RowIds = None,
    ) -> list[tuple[str, float]]:
        """Evaluates a metric on the batches of an iterator, ``num_batch`` at most; pairs of name and value."""
        self._need_params()
        if reset:
            eval_data.reset()
        eval_metric = _as_metric(eval_metric)
        eval_metric.reset()
        ends = batch_end_callback, score_end_callback
        self._score_batches(eval_data, eval_metric, *ends, num_batch, epoch, sparse_row_id_fn)
        return eval_metric.get_name_value()

    def _score_batches(
        self,
        eval_data: Iterable[Batch],
        eval_metric: EvalMetric,
        batch_end_callback: Callbacks,
        score_end_callback: Callbacks,
        num_batch: int | None = None,
        epoch: int = 0,
        row_ids: RowIds = None,
    ) -> None:
        actual_num_batch = 0
        for nbatch, eval_batch in enumerate(eval_data):
            if num_batch is not None and nbatch == num_batch:
                break
            self.prepare(eval_batch, sparse_row_id_fn=row_ids)
            self.forward(eval_batch, is_train=False)
            self._measure(eval_metric, eval_batch)
            if batch_end_callback is not None:
                _call_all(batch_end_callback, BatchEndParam(epoch, nbatch, eval_metric, locals()))
            actual_num_batch += 1
        if score_end_callback:
            _call_all(score_end_callback, BatchEndParam(epoch, actual_num_batch, eval_metric, locals()))

    def _measure(self, eval_metric: EvalMetric, batch: Batch) -> None:
        """Adds a batch, or a list of batches, one for each device, to a metric."""
        if isinstance(batch, list):
            self.update_metric(eval_metric, [b.label for b in batch], pre_sliced=True)
        else:
            self.update_metric(eval_metric, batch.label)

    def iter_predict(
        self,
        eval_data: Batches,
        num_batch: int | None = None,
        reset: bool = True,
        sparse_row_id_fn: RowIds = None,
    ) -> Iterator[tuple[list[NDArray], int, Batch]]:
        """Yields for each batch the outputs without padding, the number of the batch and the batch."""
        self._need_params()
        if reset:
            eval_data.reset()
        for nbatch, eval_batch in enumerate(eval_data):
            if num_batch is not None and nbatch == num_batch:
                break
            self.prepare(eval_batch, sparse_row_id_fn=sparse_row_id_fn)
            self.forward(eval_batch, is_train=False)
            pad = eval_batch.pad or 0
            yield [out[0 : out.shape[0] - pad] for out in self.get_outputs()], nbatch, eval_batch

    def predict(
        self,
        eval_data: Batches,
        num_batch: int | None = None,
        merge_batches: bool = True,
        reset: bool = True,
        always_output_list: bool = False,
        sparse_row_id_fn: RowIds = None,
    ) -> Any:
        """The outputs for an array, or for all batches of an iterator, without padding.

        Batches are merged into one array for each output (a single one is not put into a list unless
        ``always_output_list``); with ``merge_batches=False`` there is a list of outputs for each batch.
        """
        self._need_params()
        if isinstance(eval_data, NDArray | np.ndarray):
            data = eval_data if isinstance(eval_data, NDArray) else ndarray.array(eval_data)
            self.forward(DataBatch([data]), is_train=False)
            return self.get_outputs()[0]
        if not isinstance(eval_data, DataIter):
            raise MXNetValueError("eval_data must be of type NDArray or DataIter")
        found = self.iter_predict(eval_data, num_batch, reset, sparse_row_id_fn)
        batches = [[out.copy() for out in outputs] for outputs, _, _ in found]  # the next batch overwrites them
        if not merge_batches:
            return batches
        if not batches:
            return batches
        count = len(batches[0])
        require(
            all(len(outputs) == count for outputs in batches),
            "Cannot merge batches, as num of outputs is not the same in mini-batches. Maybe bucketing is used?",
        )
        merged = [ndarray.concatenate([outputs[i] for outputs in batches]) for i in range(count)]
        return merged[0] if count == 1 and not always_output_list else merged

    def fit(
        self,
        train_data: Batches,
        eval_data: Batches = None,
        eval_metric: MetricLike = "acc",
        epoch_end_callback: Callbacks = None,
        batch_end_callback: Callbacks = None,
        kvstore: Store = "local",
        optimizer: OptimizerLike = "sgd",
        optimizer_params: OptimizerParams = (("learning_rate", 0.01),),
        eval_end_callback: Callbacks = None,
        eval_batch_end_callback: Callbacks = None,
        initializer: Initializer | None = Uniform(0.01),  # noqa: B008
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
        allow_missing: bool = False,
        force_rebind: bool = False,
        force_init: bool = False,
        begin_epoch: int = 0,
        num_epoch: int | None = None,
        validation_metric: MetricLike | None = None,
        monitor: Monitor | None = None,
        sparse_row_id_fn: RowIds = None,
    ) -> None:
        """Trains on the batches of ``train_data`` from ``begin_epoch`` up to ``num_epoch``.

        After each epoch the training metric is logged, ``epoch_end_callback(epoch, symbol, arg_params, aux_params)`` is
        called and ``eval_data`` is scored. ``arg_params`` and ``aux_params`` are where to start from; what they lack is
        filled by ``initializer`` if ``allow_missing``.
        """
        epochs = _check_epochs(begin_epoch, num_epoch)
        _check_iterator(train_data)
        shapes = {"data_shapes": train_data.provide_data, "label_shapes": train_data.provide_label}
        self.bind(**shapes, for_training=True, force_rebind=force_rebind)
        if monitor is not None:
            self.install_monitor(monitor)
        self.init_params(
            initializer=initializer,
            arg_params=arg_params,
            aux_params=aux_params,
            allow_missing=allow_missing,
            force_init=force_init,
        )
        self.init_optimizer(kvstore=kvstore, optimizer=optimizer, optimizer_params=optimizer_params)
        validation_metric = eval_metric if validation_metric is None else validation_metric
        eval_metric = _as_metric(eval_metric)
        prepare = functools.partial(self.prepare, sparse_row_id_fn=sparse_row_id_fn)
        for epoch in epochs:
            tic = time.time()
            eval_metric.reset()
            self._begin_epoch(epoch, train_data)
            nbatch, values = self._train_epoch(
                epoch, train_data, eval_metric, batch_end_callback, monitor, locals(), prepare=prepare
            )
            end_of_epoch(getattr(self, "_kvstore", None), epoch, nbatch)
            self._log_metrics("Epoch[%d] Train-%s=%f", epoch, values)
            self.logger.info("Epoch[%d] Time cost=%.3f", epoch, time.time() - tic)
            # The mean over all devices becomes the state of each.
            arg_params, aux_params = self.get_params()
            self.set_params(arg_params, aux_params)
            _call_all(epoch_end_callback, epoch, self.symbol, arg_params, aux_params)
            if eval_data is not None:
                ends = None, eval_batch_end_callback, eval_end_callback
                values = self.score(eval_data, validation_metric, *ends, epoch=epoch)
                self._log_metrics("Epoch[%d] Validation-%s=%f", epoch, values)
            train_data.reset()

    def _log_metrics(self, text: str, epoch: int, values: Sequence[tuple[str, float]]) -> None:
        for name, value in values:
            self.logger.info(text, epoch, name, value)

    def _train_epoch(
        self,
        epoch: int,
        train_data: Iterable[Batch],
        eval_metric: metric.EvalMetric,
        batch_end_callback: Callbacks,
        monitor: Monitor | None,
        scope: Mapping[str, object],
        prepare: Callable[[Batch], None] | None = None,
        first: int = 0,
    ) -> tuple[int, list[tuple[str, float]]]:
        """Trains on batches; returns one more than the last one's number, and the metrics after it.

        With ``prepare`` the next batch is fetched, and prepared, before the callbacks of this one, else after them.
        ``first`` is the number of the first batch. Callbacks see the variables of the caller, too: its ``scope``.
        """
        data_iter = iter(train_data)
        eval_name_vals: list[tuple[str, float]] = []
        nbatch = first
        data_batch = next(data_iter, None)
        if data_batch is None and prepare is not None:
            raise MXNetValueError("train_data has no batches: is it at its end, or smaller than one batch?")
        while data_batch is not None:
            if monitor is not None:
                monitor.tic()
            self.forward_backward(data_batch)
            self.update()
            self._measure(eval_metric, data_batch)
            if prepare is not None:
                next_data_batch = next(data_iter, None)
                if next_data_batch is not None:
                    prepare(next_data_batch)
                else:  # before a callback may reset the metric
                    eval_name_vals = eval_metric.get_global_name_value()
            if monitor is not None:
                monitor.toc_print()
            if batch_end_callback is not None:
                _call_all(batch_end_callback, BatchEndParam(epoch, nbatch, eval_metric, {**scope, **locals()}))
            nbatch += 1
            data_batch = next_data_batch if prepare is not None else next(data_iter, None)
        return nbatch, eval_name_vals

    def _begin_epoch(self, epoch: int, train_data: Batches) -> None:
        """Called by ``fit`` before each epoch, for modules that have something to do then."""

    # ---- what it is ------------------------------------------------------------------------------------------------

    def _missing_method(self, what: str) -> NotImplementedError:
        return NotImplementedError(f"{type(self).__name__} does not define {what}")

    @property
    def data_names(self) -> list[str]:
        """The names of the inputs."""
        raise self._missing_method("data_names")

    @property
    def output_names(self) -> list[str]:
        """The names of the outputs."""
        raise self._missing_method("output_names")

    @property
    def data_shapes(self) -> list[DataDesc]:
        """Names and shapes of the inputs."""
        raise self._missing_method("data_shapes")

    @property
    def label_shapes(self) -> list[DataDesc] | None:
        """Names and shapes of the labels."""
        raise self._missing_method("label_shapes")

    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs."""
        raise self._missing_method("output_shapes")

    @property
    def symbol(self) -> Symbol:
        """The symbol of the module, if it has one."""
        return self._symbol

    # ---- parameters ------------------------------------------------------------------------------------------------

    def get_params(self) -> tuple[Params, Params]:
        """Parameters and auxiliary states, on the CPU."""
        raise self._missing_method("get_params")

    def init_params(
        self,
        initializer: Initializer | None = Uniform(0.01),  # noqa: B008
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Gives the parameters their first values: those in ``arg_params`` and ``aux_params``, or the initializer's."""
        raise self._missing_method("init_params")

    def set_params(
        self,
        arg_params: Mapping[str, NDArray] | None,
        aux_params: Mapping[str, NDArray] | None,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Sets parameters and auxiliary states; with ``allow_missing`` those not given stay as they are."""
        if not allow_missing or self._take_params is None:
            self.init_params(
                initializer=None,
                arg_params=arg_params,
                aux_params=aux_params,
                allow_missing=allow_missing,
                force_init=force_init,
                allow_extra=allow_extra,
            )
            return
        if self.params_initialized and not force_init:
            warnings.warn("Parameters already initialized and force_init=False. set_params call ignored.", stacklevel=2)
            return
        self._need_binding()
        self._take_params(arg_params, aux_params, force_init, allow_extra)
        self.params_initialized = True

    #: ``(arg_params, aux_params, force_init, allow_extra)``: overwrites some parameters, if the module is able to.
    _take_params: Callable[..., None] | None = None

    def save_params(self, fname: str) -> None:
        """Writes parameters and auxiliary states to a file."""
        arg_params, aux_params = self.get_params()
        contents = {f"arg:{k}": v.as_in_context(cpu()) for k, v in arg_params.items()}
        contents.update({f"aux:{k}": v.as_in_context(cpu()) for k, v in aux_params.items()})
        ndarray.save(fname, contents)

    def load_params(self, fname: str) -> None:
        """Reads parameters and auxiliary states from a file."""
        parts: dict[str, Params] = {"arg": {}, "aux": {}}
        contents = ndarray.load(fname)
        for key, value in contents.items() if isinstance(contents, dict) else [("", None)]:
            kind, colon, name = key.partition(":")
            if not colon or kind not in parts:
                raise MXNetValueError(
                    f"Invalid param file {fname}: keys start with 'arg:' or 'aux:', {key!r} does not. What a Gluon "
                    "block has saved by save_parameters is loaded by its load_parameters; for a Module, export() it"
                )
            parts[kind][name] = value  # type: ignore[assignment]
        self.set_params(parts["arg"], parts["aux"])

    # ---- states ----------------------------------------------------------------------------------------------------

    def get_states(self, merge_multi_context: bool = True) -> Arrays:
        """The states: none here."""
        self._need_params()
        require(not merge_multi_context, "merge_multi_context=True is not supported for get_states yet.")
        return []

    def set_states(self, states: Arrays | None = None, value: float | None = None) -> None:
        """Sets the states: there are none here."""
        self._need_params()
        require(not states and not value, f"{type(self).__name__} has no states")

    # ---- computation -----------------------------------------------------------------------------------------------

    def install_monitor(self, mon: Monitor) -> None:
        """Lets a monitor watch the executors."""
        raise self._missing_method("install_monitor")

    def prepare(self, data_batch: Batch, sparse_row_id_fn: RowIds = None) -> None:
        """Called with the next batch before it is used."""
        if sparse_row_id_fn is not None:
            warnings.warn("sparse_row_id_fn is not invoked for BaseModule.", stacklevel=2)

    def forward(self, data_batch: Batch, is_train: bool | None = None) -> None:
        """Runs forward; ``is_train`` is what the module was bound for unless given."""
        raise self._missing_method("forward")

    def backward(self, out_grads: Heads = None) -> None:
        """Runs backward, from ``out_grads`` if the module does not end in a loss."""
        raise self._missing_method("backward")

    def get_outputs(self, merge_multi_context: bool = True) -> Arrays:
        """The outputs of the last forward."""
        raise self._missing_method("get_outputs")

    def get_input_grads(self, merge_multi_context: bool = True) -> Arrays:
        """The gradients of the inputs by the last backward."""
        raise self._missing_method("get_input_grads")

    def update(self) -> None:
        """Updates the parameters with the gradients of the last backward."""
        raise self._missing_method("update")

    def update_metric(self, eval_metric: EvalMetric, labels: Arrays | None, pre_sliced: bool = False) -> None:
        """Adds the outputs of the last forward to a metric."""
        raise self._missing_method("update_metric")

    # ---- setup -----------------------------------------------------------------------------------------------------

    def bind(
        self,
        data_shapes: Descriptions,
        label_shapes: Descriptions | None = None,
        for_training: bool = True,
        inputs_need_grad: bool = False,
        force_rebind: bool = False,
        shared_module: BaseModule | None = None,
        grad_req: GradReq = "write",
    ) -> None:
        """Makes ready for inputs of these shapes."""
        raise self._missing_method("bind")

    def init_optimizer(
        self,
        kvstore: Store = "local",
        optimizer: OptimizerLike = "sgd",
        optimizer_params: OptimizerParams = (("learning_rate", 0.01),),
        force_init: bool = False,
    ) -> None:
        """Makes or takes an optimizer."""
        raise self._missing_method("init_optimizer")
