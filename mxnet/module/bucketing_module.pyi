# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from mxnet.metric import EvalMetric

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
Names: Any
Generate: Any
class BucketingModule(BaseModule):
    """Batches come with a ``bucket_key``; ``sym_gen(key)`` gives ``(symbol, data_names, label_names)`` for it."""
    _module_type: type[Module] = Module
    def __init__(self, sym_gen: Generate, default_bucket_key: Hashable=None, logger: Logger=..., context: Context | Sequence[Context]=..., work_load_list: Sequence[float] | None=None, fixed_param_names: Sequence[str] | None=None, state_names: Sequence[str] | None=None, group2ctxs: Groups=None, compression_params: Mapping[str, object] | None=None) -> None: ...
    def _call_sym_gen(self, *args: Hashable, **kwargs: object) -> tuple[Symbol, Names, Names]: ...
    def _reset_bind(self) -> None: ...
    def _new_module(self, bucket_key: Hashable) -> Module: ...
    @property
    def data_names(self) -> list[str]:
        """The names of the inputs."""
    @property
    def output_names(self) -> list[str]:
        """The names of the outputs."""
    @property
    def data_shapes(self) -> list[DataDesc]:
        """Names and shapes of the inputs of the current bucket."""
    @property
    def label_shapes(self) -> list[DataDesc] | None:
        """Names and shapes of the labels of the current bucket."""
    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs of the current bucket."""
    @property
    def symbol(self) -> Symbol:
        """The symbol of the current bucket."""
    def get_params(self) -> tuple[Params, Params]:
        """Parameters and auxiliary states."""
    def init_params(self, initializer: Any = ..., arg_params: Mapping[str, NDArray] | None = None, aux_params: Mapping[str, NDArray] | None = None, allow_missing: bool = False, force_init: bool = False, allow_extra: bool = False) -> None:
        """Gives the parameters their first values, as ``Module.init_params``."""
    def _take_params(self, arg_params: Mapping[str, NDArray] | None, aux_params: Mapping[str, NDArray] | None, force_init: bool, allow_extra: bool) -> None: ...
    def bind(self, data_shapes: Descriptions, label_shapes: Descriptions | None = None, for_training: bool = True, inputs_need_grad: bool = False, force_rebind: bool = False, shared_module: BaseModule | None = None, grad_req: GradReq = 'write') -> None:
        """Binds the default bucket; the others are bound when a batch for them comes."""
    def switch_bucket(self, bucket_key: Hashable, data_shapes: Descriptions, label_shapes: Descriptions | None=None) -> None:
        """Makes a bucket the current one, and binds it to these shapes if it is new."""
    def init_optimizer(self, kvstore: Store = 'local', optimizer: Any = 'sgd', optimizer_params: Any = ..., force_init: bool = False) -> None:
        """Makes or takes an optimizer, for all buckets."""
    def _lend_optimizer(self, owner: Module) -> None: ...
    def _set_optimizer(self, optimizer: Optimizer, kvstore: Store, update_on_kvstore: bool) -> None: ...
    def get_states(self, merge_multi_context: bool = True) -> Any:
        """The states: none here."""
    def set_states(self, states: Any = None, value: float | None = None) -> None:
        """Sets the states: there are none here."""
    def backward(self, out_grads: Any = None) -> None:
        """Runs backward, from ``out_grads`` if the module does not end in a loss."""
    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """The outputs of the last forward."""
    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """The gradients of the inputs by the last backward."""
    def update_metric(self, eval_metric: EvalMetric, labels: Any, pre_sliced: bool = False) -> None:
        """Adds the outputs of the last forward to a metric."""
    def prepare(self, data_batch: Batch, sparse_row_id_fn: RowIds=None) -> None:
        """Binds the bucket of the next batch if it is new; the current one stays current."""
    def forward(self, data_batch: Batch, is_train: bool | None=None) -> None:
        """Runs a batch forward, in its bucket."""
    def update(self) -> None:
        """Updates the parameters with the gradients of the last backward."""
    def install_monitor(self, mon: Monitor) -> None:
        """Lets a monitor watch the executors of all buckets."""
    def save_checkpoint(self, prefix: str, epoch: int, remove_amp_cast: bool=False) -> None:
        """Writes ``prefix-0001.params``, ``prefix.buckets`` and, for each bucket, ``prefix-<key>-symbol.json``."""
    @staticmethod
    def load(prefix: str, epoch: int, sym_gen: Generate | None=None, default_bucket_key: Hashable=None, **kwargs: object) -> BucketingModule:
        """A module from a checkpoint; ``sym_gen`` is the one it was saved with."""
    @staticmethod
    def load_dict(sym_dict: Mapping[Hashable, Symbol] | None=None, sym_gen: Generate | None=None, default_bucket_key: Hashable=None, arg_params: Params | None=None, aux_params: Params | None=None, **kwargs: object) -> BucketingModule:
        """A module from symbols by bucket key, and parameters."""
    def _adopt(self, arg_params: Params | None, aux_params: Params | None) -> None:
        """Takes over loaded parameters, which ``bind`` will use."""
    _buckets: Any
    _compression_params: Mapping[str, object] | None
    _context: Context | Sequence[Context]
    _curr_bucket_key: Any
    _curr_module: Any
    _default_bucket_key: Hashable
    _fixed_param_names: Any
    _grad_req: Any
    _group2ctxs: Groups
    _monitor: Any
    _params_dirty: bool
    _state_names: Any
    _sym_gen: Generate
    _work_load_list: Sequence[float] | None
__all__ = ['BucketingModule', 'BaseModule', 'ctx', 'load_params', 'logging', 'Module', 'NameManager', 'nd']
