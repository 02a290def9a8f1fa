# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import copy
import logging
from collections.abc import Sequence
from typing import Any
from ..io import DataDesc
from ..metric import EvalMetric
from ..monitor import Monitor
from ._types import Arrays, Batch, Descriptions, Heads, Logger
from .base_module import BaseModule, Params, declared_by_base
from .executor_group import require
class SequentialModule(BaseModule):
    """Modules in a row: ``SequentialModule().add(first).add(second, auto_wiring=True, take_labels=True)``."""
    META_TAKE_LABELS: str
    META_AUTO_WIRING: str
    def __init__(self, logger: Logger=...) -> None: ...
    def add(self, module: BaseModule, **kwargs: object) -> SequentialModule:
        """Appends a module and returns the chain; ``take_labels`` and ``auto_wiring`` are the keywords."""
    @property
    def data_names(self) -> list[str]:
        """The names of the inputs of the first module."""
    @property
    def output_names(self) -> list[str]:
        """The names of the outputs of the last module."""
    @property
    def data_shapes(self) -> list[DataDesc]:
        """Names and shapes of the inputs of the first module."""
    @property
    def label_shapes(self) -> list[DataDesc] | None:
        """Names and shapes of the labels; None if no module takes any."""
    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs of the last module."""
    def get_params(self) -> tuple[Params, Params]:
        """Parameters and auxiliary states of all modules."""
    def init_params(self, initializer: Any = ..., arg_params: Any = None, aux_params: Any = None, allow_missing: bool = False, force_init: bool = False, allow_extra: bool = False) -> None:
        """Gives the parameters of all modules their first values; no two modules may have one of the same name."""
    def bind(self, data_shapes: Descriptions, label_shapes: Descriptions | None = None, for_training: bool = True, inputs_need_grad: bool = False, force_rebind: bool = False, shared_module: BaseModule | None = None, grad_req: Any = 'write') -> None:
        """Binds the modules one after the other; all but the first compute the gradients of their inputs."""
    def init_optimizer(self, kvstore: Any = 'local', optimizer: Any = 'sgd', optimizer_params: Any = ..., force_init: bool = False) -> None:
        """Makes an optimizer for each module."""
    def forward(self, data_batch: Batch, is_train: bool | None=None) -> None:
        """Runs all modules forward."""
    def backward(self, out_grads: Heads=None) -> None:
        """Runs all modules backward, from the last to the first."""
    def update(self) -> None:
        """Updates the parameters of all modules."""
    def get_outputs(self, merge_multi_context: bool=True) -> Arrays:
        """The outputs of the last module."""
    def get_input_grads(self, merge_multi_context: bool=True) -> Arrays:
        """The gradients of the inputs of the first module."""
    def update_metric(self, eval_metric: EvalMetric, labels: Arrays | None, pre_sliced: bool=False) -> None:
        """Adds the outputs of those modules that take labels to a metric."""
    def install_monitor(self, mon: Monitor) -> None:
        """Lets a monitor watch all modules."""
    _data_shapes: Any
    _label_shapes: Any
    _meta_keys: Any
    _metas: list[dict[str, object]]
    _modules: list[Any]
def _rename_inputs(name: str, desc: DataDesc | tuple[str, Sequence[int]]) -> DataDesc | tuple[str, Sequence[int]]:
    """A pair of name and shape, or a DataDesc, under another name."""
__all__ = ['SequentialModule', 'BaseModule', 'copy', 'logging']
