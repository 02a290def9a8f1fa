"""Modules written in Python: no symbol, no parameters unless a subclass has them."""

from __future__ import annotations

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

__all__ = ["PythonLossModule", "PythonModule"]


class PythonModule(BaseModule):
    """The base of modules that compute in Python. A subclass defines ``forward`` and what else it needs.

    ``_compute_output_shapes`` must give names and shapes of the outputs for ``self._data_shapes``.
    """

    def __init__(
        self,
        data_names: Sequence[str],
        label_names: Sequence[str] | None,
        output_names: Sequence[str],
        logger: Logger = logging,
    ):
        super().__init__(logger=logger)
        self._data_names = list(data_names)
        self._label_names = None if label_names is None else list(label_names)
        self._output_names = list(output_names)
        self._data_shapes: Any = None
        self._label_shapes: Descriptions | None = None
        self._output_shapes: Any = None

    @property
    def data_names(self) -> list[str]:
        """The names of the inputs."""
        return self._data_names

    @property
    def output_names(self) -> list[str]:
        """The names of the outputs."""
        return self._output_names

    @property
    def data_shapes(self) -> list[DataDesc]:
        """Names and shapes of the inputs."""
        return self._data_shapes

    @property
    def label_shapes(self) -> list[DataDesc] | None:
        """Names and shapes of the labels."""
        return self._label_shapes

    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs."""
        return self._output_shapes

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """Parameters and auxiliary states: none."""
        return {}, {}

    @declared_by_base
    def init_params(self, **given):
        """There is nothing to initialize."""
        self.params_initialized = True

    def update(self) -> None:
        """There is nothing to update."""

    def update_metric(self, eval_metric: EvalMetric, labels: Arrays | None, pre_sliced: bool = False) -> None:
        """Adds the outputs to a metric, if the module takes labels."""
        if self._label_shapes is None:
            return
        if pre_sliced:
            raise NotImplementedError("a PythonModule does not take labels that are sliced for several devices")
        eval_metric.update(labels, self.get_outputs())

    @declared_by_base
    def bind(self, data_shapes, label_shapes, for_training, inputs_need_grad, force_rebind, shared_module, grad_req):
        """Takes note of the shapes of inputs and labels."""
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        require(grad_req == "write", "Python module only support write gradient")
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        self._check_names(data_shapes, self._data_names, "data")
        self._data_shapes = data_shapes
        self._label_shapes = label_shapes
        if label_shapes is not None:
            require(self._label_names is not None, "label shapes were given to a module that takes no labels")
            self._check_names(label_shapes, self._label_names or [], "label")
        self._output_shapes = self._compute_output_shapes()
        self.binded = True

    @staticmethod
    def _check_names(shapes: Descriptions, names: Sequence[str], what: str) -> None:
        given = [shape[0] for shape in shapes]
        require(given == list(names), f"{what}_shapes are for {given}, {what}_names are {list(names)}")

    def _compute_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        raise NotImplementedError(
            f"{type(self).__name__} does not define _compute_output_shapes, which gives names and shapes of the outputs"
        )

    @declared_by_base
    def init_optimizer(self, **given):
        """There is nothing to optimize."""


class PythonLossModule(PythonModule):
    """The end of a SequentialModule: passes scores on, and gets their gradient from ``grad_func(scores, labels)``.

    Instead of giving ``grad_func`` one may override ``_backward_impl``, which sets ``self._scores_grad``.
    """

    def __init__(
        self,
        name: str = "pyloss",
        data_names: Sequence[str] = ("data",),
        label_names: Sequence[str] = ("softmax_label",),
        logger: Logger = logging,
        grad_func: Callable[[NDArray, NDArray], object] | None = None,
    ):
        super().__init__(data_names, label_names, [f"{name}_output"], logger=logger)
        self._name = name
        require(len(data_names) == 1, f"a loss has one input, got {list(data_names)}")
        require(len(label_names) == 1, f"a loss has one label, got {list(label_names)}")
        require(grad_func is None or callable(grad_func), f"grad_func must be a function, got {grad_func!r}")
        self._grad_func = grad_func
        self._scores: Any = None
        self._labels: Any = None
        self._scores_grad: Any = None

    def _compute_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        return [(self._name + "_output", self._data_shapes[0][1])]

    def forward(self, data_batch: Batch, is_train: bool | None = None) -> None:
        """Keeps the scores and, for training, the labels."""
        self._scores = data_batch.data[0]
        if is_train is None:
            is_train = self.for_training
        if is_train:
            self._labels = data_batch.label[0]

    def get_outputs(self, merge_multi_context: bool = True) -> Arrays:
        """The scores."""
        require(merge_multi_context, "a PythonLossModule runs on one device")
        return [self._scores]

    def backward(self, out_grads: Heads = None) -> None:
        """Computes the gradient of the scores."""
        require(out_grads is None, "For a loss module, out_grads should be None")
        require(self.for_training, "re-bind with for_training=True to run backward")
        self._backward_impl()

    def _backward_impl(self) -> None:
        if self._grad_func is None:
            raise NotImplementedError("give grad_func to PythonLossModule, or override _backward_impl")
        grad = self._grad_func(self._scores, self._labels)
        self._scores_grad = grad if isinstance(grad, NDArray) else nd.array(grad)

    def get_input_grads(self, merge_multi_context: bool = True) -> Arrays:
        """The gradient of the scores."""
        require(merge_multi_context, "a PythonLossModule runs on one device")
        return [self._scores_grad]

    def install_monitor(self, mon: Monitor) -> None:
        """There is no executor to watch."""
        raise NotImplementedError("a PythonLossModule has no executor that a monitor could watch")
