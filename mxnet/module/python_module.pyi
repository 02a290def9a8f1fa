# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import logging
from collections.abc import Callable, Sequence
from typing import Any
from .. import ndarray as nd
from ..io import DataDesc
from ..metric import EvalMetric
from ..monitor import Monitor
from ..ndarray import NDArray
from ._types import Arrays, Batch, Descriptions, Heads, Logger
from .base_module import BaseModule, declared_by_base
from .executor_group import require
class PythonModule(BaseModule):
    """The base of modules that compute in Python. A subclass defines ``forward`` and what else it needs."""
    def __init__(self, data_names: Sequence[str], label_names: Sequence[str] | None, output_names: Sequence[str], logger: Logger=...) -> None: ...
    @property
    def data_names(self) -> list[str]:
        """The names of the inputs."""
    @property
    def output_names(self) -> list[str]:
        """The names of the outputs."""
    @property
    def data_shapes(self) -> list[DataDesc]:
        """Names and shapes of the inputs."""
    @property
    def label_shapes(self) -> list[DataDesc] | None:
        """Names and shapes of the labels."""
    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs."""
    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """Parameters and auxiliary states: none."""
    def init_params(self, initializer: Any = ..., arg_params: Any = None, aux_params: Any = None, allow_missing: bool = False, force_init: bool = False, allow_extra: bool = False) -> None:
        """There is nothing to initialize."""
    def update(self) -> None:
        """There is nothing to update."""
    def update_metric(self, eval_metric: EvalMetric, labels: Arrays | None, pre_sliced: bool=False) -> None:
        """Adds the outputs to a metric, if the module takes labels."""
    def bind(self, data_shapes: Descriptions, label_shapes: Descriptions | None = None, for_training: bool = True, inputs_need_grad: bool = False, force_rebind: bool = False, shared_module: BaseModule | None = None, grad_req: Any = 'write') -> None:
        """Takes note of the shapes of inputs and labels."""
    @staticmethod
    def _check_names(shapes: Descriptions, names: Sequence[str], what: str) -> None: ...
    def _compute_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]: ...
    def init_optimizer(self, kvstore: Any = 'local', optimizer: Any = 'sgd', optimizer_params: Any = ..., force_init: bool = False) -> None:
        """There is nothing to optimize."""
    _data_names: Any
    _data_shapes: Any
    _label_names: Any
    _label_shapes: Any
    _output_names: Any
    _output_shapes: Any
class PythonLossModule(PythonModule):
    """The end of a SequentialModule: passes scores on, and gets their gradient from ``grad_func(scores, labels)``."""
    def __init__(self, name: str='pyloss', data_names: Sequence[str]=('data',), label_names: Sequence[str]=('softmax_label',), logger: Logger=..., grad_func: Callable[[NDArray, NDArray], object] | None=None) -> None: ...
    def _compute_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]: ...
    def forward(self, data_batch: Batch, is_train: bool | None=None) -> None:
        """Keeps the scores and, for training, the labels."""
    def get_outputs(self, merge_multi_context: bool=True) -> Arrays:
        """The scores."""
    def backward(self, out_grads: Heads=None) -> None:
        """Computes the gradient of the scores."""
    def _backward_impl(self) -> None: ...
    def get_input_grads(self, merge_multi_context: bool=True) -> Arrays:
        """The gradient of the scores."""
    def install_monitor(self, mon: Monitor) -> None:
        """There is no executor to watch."""
    _grad_func: Callable[[NDArray, NDArray], object] | None
    _labels: Any
    _name: str
    _scores: Any
    _scores_grad: Any
__all__ = ['PythonLossModule', 'PythonModule', 'BaseModule', 'logging', 'nd']
