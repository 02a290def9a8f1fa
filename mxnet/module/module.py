"""The Module: a symbol, its parameters, and what trains them on one or several devices."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import context as ctx, optimizer as opt
from .._checkpoint import checkpoint_name, load_checkpoint
from .._core.files import writing, writing_together
from .._core.tracebacks import warn_user
from ..context import Context, as_contexts
from ..error import MXNetTypeError
from ..initializer import InitDesc, check_initializer
from ..io import DataDesc
from ..kvstore.updates import _create_kvstore, _initialize_kvstore, _update_params, _update_params_on_kvstore
from ..metric import EvalMetric
from ..monitor import Monitor
from ..ndarray import NDArray, arange, zeros
from ..symbol import Symbol
from ._types import Arrays, Batch, Descriptions, GradReq, Groups, Heads, Logger, RowIds, Store
from .base_module import BaseModule, Params, _check_input_names, _parse_data_desc, declared_by_base, names_of
from .executor_group import DataParallelExecutorGroup, require

__all__ = ["Module"]


class Module(BaseModule):
    """A symbol to train and to predict with.

    ``data_names`` and ``label_names`` are the arguments that batches fill, ``state_names`` those set by
    ``set_states``; all others are parameters. With several contexts each batch is split among them, in proportion to
    ``work_load_list``. ``group2ctxs`` says where the parts of the graph made in ``AttrScope(ctx_group=...)`` run, and
    ``compression_params`` how gradients travel (see ``KVStore.set_gradient_compression``).
    """

    def __init__(
        self,
        symbol: Symbol,
        data_names: Sequence[str] | None = ("data",),
        label_names: Sequence[str] | None = ("softmax_label",),
        logger: Logger = logging,
        context: Context | Sequence[Context] = ctx.cpu(),  # noqa: B008
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Groups = None,
        compression_params: Mapping[str, object] | None = None,
    ):
        super().__init__(logger=logger)
        if not hasattr(symbol, "list_arguments"):
            advice = "a Gluon network trains with gluon.Trainer" if hasattr(symbol, "collect_params") else "mx.sym.load"
            raise MXNetTypeError(f"Module takes a Symbol, got {type(symbol).__name__}: {advice}")
        self._context = as_contexts(context)
        self._work_load_list = [1] * len(self._context) if work_load_list is None else list(work_load_list)
        require(
            len(self._work_load_list) == len(self._context),
            f"{len(self._work_load_list)} work loads were given for {len(self._context)} contexts",
        )
        self._group2ctxs = group2ctxs
        self._symbol = symbol
        self._data_names = names_of(data_names)
        self._label_names = names_of(label_names)
        self._state_names = names_of(state_names)
        self._fixed_param_names = names_of(fixed_param_names)
        _check_input_names(symbol, self._data_names, "data", True)
        _check_input_names(symbol, self._label_names, "label", False)
        _check_input_names(symbol, self._state_names, "state", True)
        _check_input_names(symbol, self._fixed_param_names, "fixed_param", True)
        inputs = {*self._data_names, *self._label_names, *self._state_names}
        self._param_names = [name for name in symbol.list_arguments() if name not in inputs]
        self._aux_names = symbol.list_auxiliary_states()
        self._output_names = symbol.list_outputs()
        self._compression_params = compression_params
        self._arg_params: Params | None = None
        self._aux_params: Params | None = None
        self._params_dirty = False
        self._optimizer: opt.Optimizer | None = None
        self._kvstore: Store = None
        self._update_on_kvstore: bool | None = None
        self._updater: Any = None
        self._preload_opt_states: str | None = None
        self._grad_req: GradReq = "write"
        self._exec_group: Any = None
        self._data_shapes: Any = None
        self._label_shapes: Descriptions | None = None

    # ---- files -----------------------------------------------------------------------------------------------------

    @staticmethod
    def load(prefix: str, epoch: int, load_optimizer_states: bool = False, **kwargs: object) -> Module:
        """A module from a checkpoint; ``init_optimizer`` will load the optimizer's states if wanted."""
        symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
        module = Module(symbol=symbol, **kwargs)
        module._arg_params = arg_params
        module._aux_params = aux_params
        module.params_initialized = True
        if load_optimizer_states:
            module._preload_opt_states = checkpoint_name(prefix, epoch, "states")
        return module

    def save_checkpoint(
        self, prefix: str, epoch: int, save_optimizer_states: bool = False, remove_amp_cast: bool = True
    ) -> None:
        """Writes ``prefix-symbol.json``, ``prefix-0001.params`` and, if wanted, ``prefix-0001.states``."""
        param_name, state_name = (checkpoint_name(prefix, epoch, kind) for kind in ("params", "states"))
        with writing_together():
            self._symbol.save(f"{prefix}-symbol.json", remove_amp_cast=remove_amp_cast)
            self.save_params(param_name)
            if save_optimizer_states:
                self.save_optimizer_states(state_name)
        logging.info('Saved checkpoint to "%s"', param_name)
        if save_optimizer_states:
            logging.info('Saved optimizer state to "%s"', state_name)

    def save_optimizer_states(self, fname: str) -> None:
        """Writes the states of the optimizer to a file."""
        require(self.optimizer_initialized, "call init_optimizer() before saving its states")
        if self._update_on_kvstore:
            self._kvstore.save_optimizer_states(fname)
        else:
            with writing(fname) as stream:
                stream.write(self._updater.get_states())

    def load_optimizer_states(self, fname: str) -> None:
        """Reads the states of the optimizer from a file."""
        require(self.optimizer_initialized, "call init_optimizer() before loading its states")
        if self._update_on_kvstore:
            self._kvstore.load_optimizer_states(fname)
        else:
            self._updater.load_states(fname)

    # ---- what it is ------------------------------------------------------------------------------------------------

    @property
    def data_names(self) -> list[str]:
        """The names of the inputs."""
        return self._data_names

    @property
    def label_names(self) -> list[str]:
        """The names of the labels."""
        return self._label_names

    @property
    def output_names(self) -> list[str]:
        """The names of the outputs."""
        return self._output_names

    @property
    def data_shapes(self) -> list[DataDesc]:
        """Names, shapes, dtypes and layouts of the inputs."""
        self._need_binding()
        return self._data_shapes

    @property
    def label_shapes(self) -> list[DataDesc] | None:
        """Names, shapes, dtypes and layouts of the labels; None if bound without."""
        self._need_binding()
        return self._label_shapes

    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs."""
        self._need_binding()
        return self._exec_group.get_output_shapes()

    # ---- parameters ------------------------------------------------------------------------------------------------

    def get_params(self) -> tuple[Params, Params]:
        """Parameters and auxiliary states: the module's own arrays on the CPU, brought up to date."""
        require(self.params_initialized, "call bind() and init_params() first")
        if self._params_dirty:
            self._sync_params_from_devices()
        return self._arg_params, self._aux_params  # type: ignore[return-value]

    def _sync_params_from_devices(self) -> None:
        self._exec_group.get_params(self._arg_params, self._aux_params)
        if self._kvstore is not None and self._update_on_kvstore:
            for name, array in self._arg_params.items():  # type: ignore[union-attr]
                if array.stype == "row_sparse":  # a device may have some of the rows only
                    self._kvstore.row_sparse_pull(name, array, row_ids=arange(array.shape[0], dtype="int64"))
        self._params_dirty = False

    @declared_by_base
    def init_params(self, initializer, arg_params, aux_params, allow_missing, force_init, allow_extra):
        """Gives the parameters their first values: those in ``arg_params`` and ``aux_params``, or the initializer's.

        Where these dicts are given, a parameter that they lack is an error unless ``allow_missing``.
        """
        if self.params_initialized and not force_init:
            warn_user("Parameters already initialized and force_init=False. init_params call ignored.")
            return
        require(self.binded, "call bind before initializing the parameters")
        attributes = self._symbol.attr_dict()
        for params, given in ((self._arg_params, arg_params), (self._aux_params, aux_params)):
            assert params is not None
            for name, array in sorted(params.items()):
                if given is not None and name in given:
                    if given[name] is not array:
                        given[name].copyto(array)
                    continue
                if given is not None and not allow_missing:
                    raise RuntimeError(
                        f"{name} is not presented: it is not among the {len(given)} given parameters. With "
                        "allow_missing=True it is left to the initializer; an input that is not a parameter, such as a "
                        "label, is named in data_names or label_names of the Module"
                    )
                if initializer is None and given is None:
                    raise TypeError(f"init_params: there is neither a value nor an initializer for {name!r}")
                check_initializer(initializer)
                if initializer is not None:
                    initializer(InitDesc(name, attributes.get(name)), array)
        self.params_initialized = True
        self._params_dirty = False
        self._exec_group.set_params(self._arg_params, self._aux_params, allow_extra=allow_extra)

    def _take_params(
        self,
        arg_params: Mapping[str, NDArray] | None,
        aux_params: Mapping[str, NDArray] | None,
        force_init: bool,
        allow_extra: bool,
    ) -> None:
        self._exec_group.set_params(arg_params or {}, aux_params, allow_extra=allow_extra)
        self._params_dirty = True  # the copies on the CPU are older now

    # ---- setup -----------------------------------------------------------------------------------------------------

    def _reset_bind(self) -> None:
        self.binded = False
        self._exec_group = None
        self._data_shapes = None
        self._label_shapes = None

    @declared_by_base
    def bind(self, data_shapes, label_shapes, for_training, inputs_need_grad, force_rebind, shared_module, grad_req):
        """Makes executors for inputs of these shapes, pairs of name and shape or DataDescs.

        ``inputs_need_grad`` is for modules in the middle of something, ``shared_module`` lends its parameters (and its
        optimizer), ``grad_req='add'`` accumulates gradients.
        """
        if force_rebind:
            if self._params_dirty:
                self._sync_params_from_devices()
            self._reset_bind()
        if self.binded:
            self.logger.warning("Already bound, ignoring bind()")
            return
        require(for_training or not inputs_need_grad, "inputs have no gradients unless for_training=True")
        self._data_shapes, self._label_shapes = _parse_data_desc(
            self._data_names, self._label_names, data_shapes, label_shapes
        )
        shared_group = None
        if shared_module is not None:
            require(
                isinstance(shared_module, Module) and shared_module.binded and shared_module.params_initialized,
                "shared_module must be a Module that is bound and has parameters",
            )
            shared_group = shared_module._exec_group  # type: ignore[attr-defined]
            require(
                len(shared_group.execs) >= len(self._context),
                f"shared_module has {len(shared_group.execs)} contexts, {len(self._context)} are needed",
            )
        self._exec_group = DataParallelExecutorGroup(
            self._symbol,
            self._context,
            self._work_load_list,
            self._data_shapes,
            self._label_shapes,
            self._param_names,
            for_training,
            inputs_need_grad,
            shared_group,
            logger=self.logger,
            fixed_param_names=self._fixed_param_names,
            grad_req=grad_req,
            group2ctxs=self._group2ctxs,
            state_names=self._state_names,
        )
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        self._grad_req = grad_req
        self.binded = True
        if shared_module is not None:
            self.params_initialized = True
            self._arg_params = shared_module._arg_params  # type: ignore[attr-defined]
            self._aux_params = shared_module._aux_params  # type: ignore[attr-defined]
            if shared_module.optimizer_initialized:
                self.borrow_optimizer(shared_module)
        elif self.params_initialized:  # loaded, or bound before
            self._exec_group.set_params(self._arg_params, self._aux_params)
        else:
            self._arg_params = self._host_copies(self._param_names, self._exec_group.param_arrays)
            self._aux_params = self._host_copies(self._aux_names, self._exec_group.aux_arrays)

    @staticmethod
    def _host_copies(names: Sequence[str], arrays: Sequence[Sequence[NDArray]]) -> Params:
        return {n: zeros(a[0].shape, dtype=a[0].dtype, stype=a[0].stype) for n, a in zip(names, arrays, strict=True)}

    def reshape(self, data_shapes: Descriptions, label_shapes: Descriptions | None = None) -> None:
        """Changes the shapes of inputs; parameters stay."""
        self._need_binding()
        data, labels = _parse_data_desc(self._data_names, self._label_names, data_shapes, label_shapes)
        self._exec_group.reshape(data, labels)
        self._data_shapes, self._label_shapes = data, labels

    @declared_by_base
    def init_optimizer(self, kvstore, optimizer, optimizer_params, force_init):
        """Makes an optimizer by name and parameters, or takes one; ``rescale_grad`` becomes 1 / batch size."""
        self._need_params()
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring...")
            return
        if self._params_dirty:
            self._sync_params_from_devices()
        kvstore, update_on_kvstore = _create_kvstore(kvstore, len(self._context), self._arg_params)
        batch_size = self._exec_group.batch_size
        if kvstore is not None and "dist" in kvstore.type and "_sync" in kvstore.type:
            batch_size *= kvstore.num_workers
        rescale_grad = 1.0 / batch_size
        idx2name = name_indices(self._exec_group.param_names, len(self._context), update_on_kvstore)
        if isinstance(optimizer, str):
            settings = {"rescale_grad": rescale_grad, **dict(optimizer_params)}
            optimizer = opt.create(optimizer, sym=self.symbol, param_idx2name=idx2name, **settings)
        else:
            require(isinstance(optimizer, opt.Optimizer), f"an Optimizer or its name is needed, got {optimizer!r}")
            if optimizer.rescale_grad != rescale_grad:
                warnings.warn(
                    "Optimizer created manually outside Module but rescale_grad is not normalized to "
                    f"1.0/batch_size/num_workers ({optimizer.rescale_grad} vs. {rescale_grad}). Is this intended?",
                    stacklevel=2,
                )
            if not optimizer.idx2name:
                optimizer.idx2name = idx2name.copy()
        self._set_optimizer(optimizer, kvstore, update_on_kvstore)

    def _set_optimizer(self, optimizer: opt.Optimizer, kvstore: Store, update_on_kvstore: bool) -> None:
        """Trains with this optimizer; the store gets the parameters, and the optimizer if it makes the updates."""
        self._optimizer = optimizer
        self._kvstore = kvstore
        self._update_on_kvstore = update_on_kvstore
        self._updater = None
        if kvstore is not None:
            if self._compression_params:
                kvstore.set_gradient_compression(self._compression_params)
            if update_on_kvstore:
                kvstore.set_optimizer(optimizer)
            _initialize_kvstore(
                kvstore=kvstore,
                param_arrays=self._exec_group.param_arrays,
                arg_params=self._arg_params,
                param_names=self._param_names,
                update_on_kvstore=update_on_kvstore,
            )
        if not update_on_kvstore:
            self._updater = opt.get_updater(optimizer)
        self.optimizer_initialized = True
        if self._preload_opt_states is not None:
            self.load_optimizer_states(self._preload_opt_states)
            self._preload_opt_states = None

    def borrow_optimizer(self, shared_module: Module) -> None:
        """Uses the optimizer of another module, with its states."""
        require(shared_module.optimizer_initialized, "the module to borrow from has no optimizer")
        self._optimizer = shared_module._optimizer
        self._kvstore = shared_module._kvstore
        self._update_on_kvstore = shared_module._update_on_kvstore
        self._updater = shared_module._updater
        self.optimizer_initialized = True

    # ---- computation -----------------------------------------------------------------------------------------------

    def forward(self, data_batch: Batch, is_train: bool | None = None) -> None:
        """Runs a batch (or a list of them, one for each device) forward; one of other shapes reshapes the module."""
        self._need_params()
        if isinstance(data_batch, NDArray | np.ndarray):
            raise MXNetTypeError(f"forward takes a batch, mx.io.DataBatch([array]), got {type(data_batch).__name__}")
        if not isinstance(data_batch, list):
            self._fit_shapes(data_batch)
        self._exec_group.forward(data_batch, is_train)

    def _fit_shapes(self, batch: Batch) -> None:
        data = batch.data
        for desc, array in zip(self._data_shapes, data, strict=False):
            if desc.shape != array.shape:
                break
        else:
            if len(data) == len(self._data_shapes):
                return
        new_data = getattr(batch, "provide_data", None)
        if not new_data:
            new_data = [_with_shape(desc, array.shape) for desc, array in zip(self._data_shapes, data, strict=False)]
        new_labels, labels = getattr(batch, "provide_label", None), getattr(batch, "label", None)
        if not new_labels and self._label_shapes is not None:
            if labels:
                new_labels = [_with_shape(d, array.shape) for d, array in zip(self._label_shapes, labels, strict=False)]
            else:  # labels of the same kind, for as many examples as there are now
                new_labels = self._labels_for(new_data)
        self.reshape(new_data, new_labels or None)

    def _labels_for(self, data_shapes: Descriptions) -> list[DataDesc]:
        first = data_shapes[0]
        axis = DataDesc.get_batch_axis(getattr(first, "layout", "NCHW"))
        labels = []
        for desc in self._label_shapes:
            place = DataDesc.get_batch_axis(desc.layout)
            shape = list(desc.shape)
            if axis >= 0 and place >= 0:
                shape[place] = shape[place] * first[1][axis] // self._exec_group.batch_size
            labels.append(_with_shape(desc, shape))
        return labels

    def backward(self, out_grads: Heads = None) -> None:
        """Runs backward, from ``out_grads`` if the symbol does not end in a loss."""
        self._need_params()
        self._exec_group.backward(out_grads=out_grads)

    def update(self) -> None:
        """Updates the parameters with the gradients of the last backward."""
        require(
            self.binded and self.params_initialized and self.optimizer_initialized,
            "call bind(), init_params() and init_optimizer() first",
        )
        self._params_dirty = True
        group = self._exec_group
        if self._update_on_kvstore:
            _update_params_on_kvstore(group.param_arrays, group.grad_arrays, self._kvstore, group.param_names)
        else:
            _update_params(
                group.param_arrays,
                group.grad_arrays,
                updater=self._updater,
                num_device=len(self._context),
                kvstore=self._kvstore,
                param_names=group.param_names,
            )

    def get_outputs(self, merge_multi_context: bool = True) -> Arrays:
        """The outputs of the last forward; unmerged, for each a list of its parts on the devices."""
        self._need_params()
        return self._exec_group.get_outputs(merge_multi_context=merge_multi_context)

    def get_input_grads(self, merge_multi_context: bool = True) -> Arrays:
        """The gradients of the inputs by the last backward."""
        require(
            self.binded and self.params_initialized and self.inputs_need_grad,
            "bind with inputs_need_grad=True to get the gradients of inputs",
        )
        return self._exec_group.get_input_grads(merge_multi_context=merge_multi_context)

    def get_states(self, merge_multi_context: bool = True) -> Arrays:
        """The states: for each a list of its arrays on the devices."""
        self._need_params()
        return self._exec_group.get_states(merge_multi_context=merge_multi_context)

    def set_states(self, states: Arrays | None = None, value: float | None = None) -> None:
        """Sets the states to arrays, as ``get_states`` gives them, or all to one number."""
        self._need_params()
        self._exec_group.set_states(states, value)

    def update_metric(self, eval_metric: EvalMetric, labels: Arrays | None, pre_sliced: bool = False) -> None:
        """Adds the outputs of the last forward to a metric."""
        self._exec_group.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Monitor) -> None:
        """Lets a monitor watch the executors."""
        self._need_binding()
        self._exec_group.install_monitor(mon)

    def prepare(self, data_batch: Batch, sparse_row_id_fn: RowIds = None) -> None:
        """Called with the next batch: pulls the rows of row-sparse parameters it needs, ``sparse_row_id_fn(batch)``."""
        self._need_binding()
        if sparse_row_id_fn is None:
            return
        if not self._kvstore or not self._update_on_kvstore:
            warnings.warn("Parameters are not updated in the KVStore. No need to call sparse_row_id_fn.", stacklevel=2)
            return
        rows = sparse_row_id_fn(data_batch)
        require(isinstance(rows, dict), "sparse_row_id_fn must return a dict of row ids by the names of parameters")
        for name, row_id in rows.items():
            targets = self._exec_group.param_arrays[self._exec_group.param_names.index(name)]
            if targets[0].stype == "row_sparse":
                self._kvstore.row_sparse_pull(name, targets, row_ids=row_id)
            else:
                warnings.warn(f"{name} is not row_sparse, there is no need to pull its rows", stacklevel=2)


def _with_shape(desc: DataDesc, shape: Sequence[int]) -> DataDesc:
    return DataDesc(desc.name, tuple(shape), desc.dtype, desc.layout)


def name_indices(names: Sequence[str], devices: int, update_on_kvstore: bool) -> dict[int, str]:
    """The names of parameters by the numbers under which an optimizer meets them: one each, or one for each device."""
    if update_on_kvstore:
        return dict(enumerate(names))
    return {i * devices + k: name for k in range(devices) for i, name in enumerate(names)}
