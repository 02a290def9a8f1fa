# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


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
class Module(BaseModule):
    """A symbol to train and to predict with."""
    def __init__(self, symbol: Symbol, data_names: Sequence[str] | None=('data',), label_names: Sequence[str] | None=('softmax_label',), logger: Logger=..., context: Context | Sequence[Context]=..., work_load_list: Sequence[float] | None=None, fixed_param_names: Sequence[str] | None=None, state_names: Sequence[str] | None=None, group2ctxs: Groups=None, compression_params: Mapping[str, object] | None=None) -> None: ...
    @staticmethod
    def load(prefix: str, epoch: int, load_optimizer_states: bool=False, **kwargs: object) -> Module:
        """A module from a checkpoint; ``init_optimizer`` will load the optimizer's states if wanted."""
    def save_checkpoint(self, prefix: str, epoch: int, save_optimizer_states: bool=False, remove_amp_cast: bool=True) -> None:
        """Writes ``prefix-symbol.json``, ``prefix-0001.params`` and, if wanted, ``prefix-0001.states``."""
    def save_optimizer_states(self, fname: str) -> None:
        """Writes the states of the optimizer to a file."""
    def load_optimizer_states(self, fname: str) -> None:
        """Reads the states of the optimizer from a file."""
    @property
    def data_names(self) -> list[str]:
        """The names of the inputs."""
    @property
    def label_names(self) -> list[str]:
        """The names of the labels."""
    @property
    def output_names(self) -> list[str]:
        """The names of the outputs."""
    @property
    def data_shapes(self) -> list[DataDesc]:
        """Names, shapes, dtypes and layouts of the inputs."""
    @property
    def label_shapes(self) -> list[DataDesc] | None:
        """Names, shapes, dtypes and layouts of the labels; None if bound without."""
    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs."""
    def get_params(self) -> tuple[Params, Params]:
        """Parameters and auxiliary states: the module's own arrays on the CPU, brought up to date."""
    def _sync_params_from_devices(self) -> None: ...
    def init_params(self, initializer: Any = ..., arg_params: Mapping[str, NDArray] | None = None, aux_params: Mapping[str, NDArray] | None = None, allow_missing: bool = False, force_init: bool = False, allow_extra: bool = False) -> None:
        """Gives the parameters their first values: those in ``arg_params`` and ``aux_params``, or the initializer's."""
    def _take_params(self, arg_params: Mapping[str, NDArray] | None, aux_params: Mapping[str, NDArray] | None, force_init: bool, allow_extra: bool) -> None: ...
    def _reset_bind(self) -> None: ...
    def bind(self, data_shapes: Descriptions, label_shapes: Descriptions | None = None, for_training: bool = True, inputs_need_grad: bool = False, force_rebind: bool = False, shared_module: BaseModule | None = None, grad_req: GradReq = 'write') -> None:
        """Makes executors for inputs of these shapes, pairs of name and shape or DataDescs."""
    @staticmethod
    def _host_copies(names: Sequence[str], arrays: Sequence[Sequence[NDArray]]) -> Params: ...
    def reshape(self, data_shapes: Descriptions, label_shapes: Descriptions | None=None) -> None:
        """Changes the shapes of inputs; parameters stay."""
    def init_optimizer(self, kvstore: Store = 'local', optimizer: Any = 'sgd', optimizer_params: Any = ..., force_init: bool = False) -> None:
        """Makes an optimizer by name and parameters, or takes one; ``rescale_grad`` becomes 1 / batch size."""
    def _set_optimizer(self, optimizer: opt.Optimizer, kvstore: Store, update_on_kvstore: bool) -> None:
        """Trains with this optimizer; the store gets the parameters, and the optimizer if it makes the updates."""
    def borrow_optimizer(self, shared_module: Module) -> None:
        """Uses the optimizer of another module, with its states."""
    def forward(self, data_batch: Batch, is_train: bool | None=None) -> None:
        """Runs a batch (or a list of them, one for each device) forward; one of other shapes reshapes the module."""
    def _fit_shapes(self, batch: Batch) -> None: ...
    def _labels_for(self, data_shapes: Descriptions) -> list[DataDesc]: ...
    def backward(self, out_grads: Heads=None) -> None:
        """Runs backward, from ``out_grads`` if the symbol does not end in a loss."""
    def update(self) -> None:
        """Updates the parameters with the gradients of the last backward."""
    def get_outputs(self, merge_multi_context: bool=True) -> Arrays:
        """The outputs of the last forward; unmerged, for each a list of its parts on the devices."""
    def get_input_grads(self, merge_multi_context: bool=True) -> Arrays:
        """The gradients of the inputs by the last backward."""
    def get_states(self, merge_multi_context: bool=True) -> Arrays:
        """The states: for each a list of its arrays on the devices."""
    def set_states(self, states: Arrays | None=None, value: float | None=None) -> None:
        """Sets the states to arrays, as ``get_states`` gives them, or all to one number."""
    def update_metric(self, eval_metric: EvalMetric, labels: Arrays | None, pre_sliced: bool=False) -> None:
        """Adds the outputs of the last forward to a metric."""
    def install_monitor(self, mon: Monitor) -> None:
        """Lets a monitor watch the executors."""
    def prepare(self, data_batch: Batch, sparse_row_id_fn: RowIds=None) -> None:
        """Called with the next batch: pulls the rows of row-sparse parameters it needs, ``sparse_row_id_fn(batch)``."""
    _arg_params: Any
    _aux_names: Any
    _aux_params: Any
    _compression_params: Mapping[str, object] | None
    _context: Any
    _data_names: Any
    _data_shapes: Any
    _exec_group: Any
    _fixed_param_names: Any
    _grad_req: Any
    _group2ctxs: Groups
    _kvstore: Any
    _label_names: Any
    _label_shapes: Any
    _optimizer: Any
    _output_names: Any
    _param_names: Any
    _params_dirty: bool
    _preload_opt_states: Any
    _state_names: Any
    _update_on_kvstore: Any
    _updater: Any
    _work_load_list: Any
def _with_shape(desc: DataDesc, shape: Sequence[int]) -> DataDesc: ...
def name_indices(names: Sequence[str], devices: int, update_on_kvstore: bool) -> dict[int, str]:
    """The names of parameters by the numbers under which an optimizer meets them: one each, or one for each device."""
__all__ = ['Module', 'BaseModule', 'ctx', 'DataDesc', 'DataParallelExecutorGroup', 'InitDesc', 'load_checkpoint', 'logging', 'opt', 'warnings', 'zeros']
