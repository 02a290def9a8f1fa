"""A module for inputs of varying length: one symbol for each length, all with the same parameters."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from .. import context as ctx, ndarray as nd
from .._checkpoint import checkpoint_name, load_params
from .._core.files import writing_together
from ..context import Context
from ..io import DataDesc
from ..monitor import Monitor
from ..name import NameManager
from ..ndarray import NDArray
from ..optimizer import Optimizer
from ..symbol import Symbol
from ._types import Batch, Descriptions, GradReq, Groups, Logger, RowIds, Store
from .base_module import BaseModule, Params, _check_input_names, declared_by_base, names_of, passed_on
from .executor_group import require
from .module import Module

__all__ = ["BucketingModule"]


Names = Sequence[str] | None
#: Makes the symbol of a bucket, with the names of its data and its labels.
Generate = Callable[..., tuple[Symbol, Names, Names]]


class BucketingModule(BaseModule):
    """Batches come with a ``bucket_key``; ``sym_gen(key)`` gives ``(symbol, data_names, label_names)`` for it.

    The default bucket, best the largest, is bound first; the others share its parameters, optimizer and memory. Other
    arguments are those of Module.
    """

    _module_type: type[Module] = Module

    def __init__(
        self,
        sym_gen: Generate,
        default_bucket_key: Hashable = None,
        logger: Logger = logging,
        context: Context | Sequence[Context] = ctx.cpu(),  # noqa: B008
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Groups = None,
        compression_params: Mapping[str, object] | None = None,
    ):
        super().__init__(logger=logger)
        require(default_bucket_key is not None, "default_bucket_key is needed")
        self._default_bucket_key = default_bucket_key
        self._sym_gen = sym_gen
        self._fixed_param_names = names_of(fixed_param_names)
        self._state_names = names_of(state_names)
        self._context = context
        self._work_load_list = work_load_list
        self._group2ctxs = group2ctxs
        self._compression_params = compression_params
        symbol, data_names, label_names = self._call_sym_gen(default_bucket_key)
        _check_input_names(symbol, names_of(data_names), "data", True)
        _check_input_names(symbol, names_of(label_names), "label", False)
        _check_input_names(symbol, self._state_names, "state", True)
        _check_input_names(symbol, self._fixed_param_names, "fixed_param", True)
        self._buckets: dict[Hashable, Module] = {}
        self._curr_module: Any = None
        self._curr_bucket_key: Hashable = None
        self._params_dirty = False
        self._monitor: Monitor | None = None
        self._grad_req: GradReq = "write"

    def _call_sym_gen(self, *args: Hashable, **kwargs: object) -> tuple[Symbol, Names, Names]:
        with NameManager():  # layers without a name must get the same one in each bucket
            return self._sym_gen(*args, **kwargs)

    def _reset_bind(self) -> None:
        self.binded = False
        self._buckets = {}
        self._curr_module = None
        self._curr_bucket_key = None

    def _new_module(self, bucket_key: Hashable) -> Module:
        symbol, data_names, label_names = self._call_sym_gen(bucket_key)
        return self._module_type(
            symbol,
            data_names,
            label_names,
            logger=self.logger,
            context=self._context,
            work_load_list=self._work_load_list,
            fixed_param_names=self._fixed_param_names,
            state_names=self._state_names,
            group2ctxs=self._group2ctxs,
            compression_params=self._compression_params,
        )

    # ---- what it is ------------------------------------------------------------------------------------------------

    @property
    def data_names(self) -> list[str]:
        """The names of the inputs."""
        if self.binded:
            return self._curr_module.data_names
        return self._call_sym_gen(self._default_bucket_key)[1]

    @property
    def output_names(self) -> list[str]:
        """The names of the outputs."""
        if self.binded:
            return self._curr_module.output_names
        return self._call_sym_gen(self._default_bucket_key)[0].list_outputs()

    @property
    def data_shapes(self) -> list[DataDesc]:
        """Names and shapes of the inputs of the current bucket."""
        self._need_binding()
        return self._curr_module.data_shapes

    @property
    def label_shapes(self) -> list[DataDesc] | None:
        """Names and shapes of the labels of the current bucket."""
        self._need_binding()
        return self._curr_module.label_shapes

    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs of the current bucket."""
        self._need_binding()
        return self._curr_module.output_shapes

    @property
    def symbol(self) -> Symbol:
        """The symbol of the current bucket."""
        self._need_binding()
        return self._curr_module.symbol

    # ---- parameters ------------------------------------------------------------------------------------------------

    def get_params(self) -> tuple[Params, Params]:
        """Parameters and auxiliary states."""
        require(self.params_initialized, "call bind() and init_params() first")
        self._curr_module._params_dirty = self._params_dirty
        params = self._curr_module.get_params()
        self._params_dirty = False
        return params

    @declared_by_base
    def init_params(self, force_init, **given):
        """Gives the parameters their first values, as ``Module.init_params``."""
        if self.params_initialized and not force_init:
            return
        require(self.binded, "call bind before initializing the parameters")
        self._curr_module.init_params(force_init=force_init, **given)
        self._params_dirty = False
        self.params_initialized = True

    def _take_params(
        self,
        arg_params: Mapping[str, NDArray] | None,
        aux_params: Mapping[str, NDArray] | None,
        force_init: bool,
        allow_extra: bool,
    ) -> None:
        options = {"allow_missing": True, "force_init": force_init, "allow_extra": allow_extra}
        self._curr_module.set_params(arg_params, aux_params, **options)
        self._params_dirty = True

    # ---- setup -----------------------------------------------------------------------------------------------------

    @declared_by_base
    def bind(self, data_shapes, label_shapes, for_training, inputs_need_grad, force_rebind, shared_module, grad_req):
        """Binds the default bucket; the others are bound when a batch for them comes."""
        params = self.get_params() if self.params_initialized else None
        if force_rebind:
            self._reset_bind()
        if self.binded:
            self.logger.warning("Already bound, ignoring bind()")
            return
        require(shared_module is None, "shared_module for BucketingModule is not supported")
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        self._grad_req = grad_req
        module = self._new_module(self._default_bucket_key)
        module.bind(data_shapes, label_shapes, for_training, inputs_need_grad, grad_req=grad_req)
        self.binded = True
        self._curr_module = module
        self._curr_bucket_key = self._default_bucket_key
        self._buckets = {self._default_bucket_key: module}
        if params is not None:
            self.set_params(*params)

    def switch_bucket(
        self, bucket_key: Hashable, data_shapes: Descriptions, label_shapes: Descriptions | None = None
    ) -> None:
        """Makes a bucket the current one, and binds it to these shapes if it is new."""
        require(self.binded, "call bind before switching bucket")
        module = self._buckets.get(bucket_key)
        if module is None:
            module = self._new_module(bucket_key)
            module.bind(
                data_shapes,
                label_shapes,
                self._curr_module.for_training,
                self._curr_module.inputs_need_grad,
                shared_module=self._buckets[self._default_bucket_key],
                grad_req=self._grad_req,
            )
            if self._monitor is not None:
                module.install_monitor(self._monitor)
            self._buckets[bucket_key] = module
        if self.optimizer_initialized and not module.optimizer_initialized:
            module.borrow_optimizer(self._buckets[self._default_bucket_key])
        self._curr_module = module
        self._curr_bucket_key = bucket_key

    @declared_by_base
    def init_optimizer(self, force_init, **given):
        """Makes or takes an optimizer, for all buckets."""
        self._need_params()
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring.")
            return
        owner = self._curr_module
        owner.init_optimizer(force_init=force_init, **given)
        self._lend_optimizer(owner)

    def _lend_optimizer(self, owner: Module) -> None:
        for module in self._buckets.values():
            if module is not owner:
                module.borrow_optimizer(owner)
        self.optimizer_initialized = True

    def _set_optimizer(self, optimizer: Optimizer, kvstore: Store, update_on_kvstore: bool) -> None:
        self._curr_module._set_optimizer(optimizer, kvstore, update_on_kvstore)
        self._lend_optimizer(self._curr_module)

    # ---- what the module of the current bucket does ----------------------------------------------------------------

    get_states, set_states, backward, get_outputs, get_input_grads, update_metric = (
        passed_on(name, "_curr_module")
        for name in ("get_states", "set_states", "backward", "get_outputs", "get_input_grads", "update_metric")
    )

    # ---- computation -----------------------------------------------------------------------------------------------

    def prepare(self, data_batch: Batch, sparse_row_id_fn: RowIds = None) -> None:
        """Binds the bucket of the next batch if it is new; the current one stays current."""
        require(self.binded and self.params_initialized, "call bind() and init_params() first")
        current = self._curr_bucket_key
        self.switch_bucket(data_batch.bucket_key, data_batch.provide_data, data_batch.provide_label)
        self._curr_module.prepare(data_batch, sparse_row_id_fn=sparse_row_id_fn)
        self.switch_bucket(current, None, None)

    def forward(self, data_batch: Batch, is_train: bool | None = None) -> None:
        """Runs a batch forward, in its bucket."""
        self._need_params()
        self.switch_bucket(data_batch.bucket_key, data_batch.provide_data, data_batch.provide_label)
        self._curr_module.forward(data_batch, is_train=is_train)

    def update(self) -> None:
        """Updates the parameters with the gradients of the last backward."""
        require(
            self.binded and self.params_initialized and self.optimizer_initialized,
            "call bind(), init_params() and init_optimizer() first",
        )
        self._params_dirty = True
        self._curr_module.update()

    def install_monitor(self, mon: Monitor) -> None:
        """Lets a monitor watch the executors of all buckets."""
        self._need_binding()
        self._monitor = mon
        for module in self._buckets.values():
            module.install_monitor(mon)

    # ---- files -----------------------------------------------------------------------------------------------------

    def save_checkpoint(self, prefix: str, epoch: int, remove_amp_cast: bool = False) -> None:
        """Writes ``prefix-0001.params``, ``prefix.buckets`` and, for each bucket, ``prefix-<key>-symbol.json``."""
        require(self._buckets, "Empty BucketingModule cannot be saved")
        with writing_together():
            self.save_params(checkpoint_name(prefix, epoch, "params"))
            for key, module in self._buckets.items():
                module.symbol.save(f"{prefix}-{key}-symbol.json", remove_amp_cast=remove_amp_cast)
            nd.save(f"{prefix}.buckets", [nd.array(list(self._buckets), dtype="int32")])

    @staticmethod
    def load(
        prefix: str,
        epoch: int,
        sym_gen: Generate | None = None,
        default_bucket_key: Hashable = None,
        **kwargs: object,
    ) -> BucketingModule:
        """A module from a checkpoint; ``sym_gen`` is the one it was saved with."""
        require(sym_gen is not None, "sym_gen is required for loading BucketingModule")
        require(default_bucket_key is not None, "default_bucket_key is required for loading BucketingModule")
        module = BucketingModule(sym_gen, default_bucket_key, **kwargs)  # type: ignore[arg-type]
        module._adopt(*load_params(prefix, epoch))
        return module

    @staticmethod
    def load_dict(
        sym_dict: Mapping[Hashable, Symbol] | None = None,
        sym_gen: Generate | None = None,
        default_bucket_key: Hashable = None,
        arg_params: Params | None = None,
        aux_params: Params | None = None,
        **kwargs: object,
    ) -> BucketingModule:
        """A module from symbols by bucket key, and parameters."""
        require(sym_dict is not None, "sym_dict needs to be provided for BucketingModule.load_dict")
        require(arg_params is not None, "arg_params need to be provided for BucketingModule.load_dict")
        require(aux_params is not None, "aux_params need to be provided for BucketingModule.load_dict")
        require(callable(sym_gen), "sym_gen is required for loading BucketingModule")
        symbols: Mapping[Hashable, Symbol] = sym_dict or {}

        def generate(key: Hashable) -> tuple[Symbol, Names, Names]:
            symbol, data_names, label_names = sym_gen(key)  # type: ignore[misc]
            return symbols.get(key, symbol), data_names, label_names

        module = BucketingModule(generate, default_bucket_key, **kwargs)
        module._adopt(arg_params, aux_params)
        return module

    def _adopt(self, arg_params: Params | None, aux_params: Params | None) -> None:
        """Takes over loaded parameters, which ``bind`` will use."""
        module = self._new_module(self._default_bucket_key)
        module._arg_params, module._aux_params = arg_params, aux_params
        module.params_initialized = True
        self._buckets = {self._default_bucket_key: module}
        self._curr_module = module
        self._curr_bucket_key = self._default_bucket_key
        self.params_initialized = True
