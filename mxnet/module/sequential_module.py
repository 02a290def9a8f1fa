"""A chain of modules: the outputs of each are the inputs of the next."""

from __future__ import annotations

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

__all__ = ["SequentialModule"]


class SequentialModule(BaseModule):
    """Modules in a row: ``SequentialModule().add(first).add(second, auto_wiring=True, take_labels=True)``."""

    #: The module gets the labels.
    META_TAKE_LABELS = "take_labels"
    #: The inputs of the module are renamed: they are the outputs of the one before, in their order.
    META_AUTO_WIRING = "auto_wiring"

    def __init__(self, logger: Logger = logging):
        super().__init__(logger=logger)
        self._modules: list[Any] = []
        self._metas: list[dict[str, object]] = []
        self._label_shapes: Descriptions | None = None
        self._data_shapes: Any = None
        self._meta_keys = {self.META_TAKE_LABELS, self.META_AUTO_WIRING}

    def add(self, module: BaseModule, **kwargs: object) -> SequentialModule:
        """Appends a module and returns the chain; ``take_labels`` and ``auto_wiring`` are the keywords."""
        for key in kwargs:
            require(key in self._meta_keys, f'Unknown meta "{key}", a typo?')
        self._modules.append(module)
        self._metas.append(kwargs)
        self.binded = False
        self.params_initialized = False
        self.optimizer_initialized = False
        return self

    # ---- what it is ------------------------------------------------------------------------------------------------

    @property
    def data_names(self) -> list[str]:
        """The names of the inputs of the first module."""
        return self._modules[0].data_names if self._modules else []

    @property
    def output_names(self) -> list[str]:
        """The names of the outputs of the last module."""
        return self._modules[-1].output_names if self._modules else []

    @property
    def data_shapes(self) -> list[DataDesc]:
        """Names and shapes of the inputs of the first module."""
        self._need_binding()
        return self._modules[0].data_shapes

    @property
    def label_shapes(self) -> list[DataDesc] | None:
        """Names and shapes of the labels; None if no module takes any."""
        self._need_binding()
        return self._label_shapes

    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs of the last module."""
        self._need_binding()
        return self._modules[-1].output_shapes

    # ---- parameters ------------------------------------------------------------------------------------------------

    def get_params(self) -> tuple[Params, Params]:
        """Parameters and auxiliary states of all modules."""
        self._need_params()
        arg_params: Params = {}
        aux_params: Params = {}
        for module in self._modules:
            arg, aux = module.get_params()
            arg_params.update(arg)
            aux_params.update(aux)
        return arg_params, aux_params

    @declared_by_base
    def init_params(self, force_init, **given):
        """Gives the parameters of all modules their first values; no two modules may have one of the same name."""
        if self.params_initialized and not force_init:
            return
        require(self.binded, "call bind before initializing the parameters")
        for module in self._modules:
            module.init_params(force_init=force_init, **given)
        owners: tuple[dict[str, int], dict[str, int]] = {}, {}
        for i, module in enumerate(self._modules):
            for params, known in zip(module.get_params(), owners, strict=True):
                for name in params:
                    require(
                        name not in known,
                        f'Duplicated parameter names: name "{name}" in layer {i} ({type(module)}) is already used in '
                        f"layer {known.get(name)} ({type(self._modules[known.get(name, 0)])}).",
                    )
                    known[name] = i
        self.params_initialized = True

    # ---- setup -----------------------------------------------------------------------------------------------------

    @declared_by_base
    def bind(self, data_shapes, label_shapes, for_training, inputs_need_grad, force_rebind, shared_module, grad_req):
        """Binds the modules one after the other; all but the first compute the gradients of their inputs."""
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        require(for_training or not inputs_need_grad, "inputs have no gradients unless for_training=True")
        require(shared_module is None, "Shared module is not supported")
        require(self._modules, "Attempting to bind an empty SequentialModule")
        self._data_shapes = data_shapes
        labels_taken = False
        shapes = data_shapes
        for i, (module, meta) in enumerate(zip(self._modules, self._metas, strict=True)):
            takes_labels = bool(meta.get(self.META_TAKE_LABELS))
            labels_taken |= takes_labels
            if meta.get(self.META_AUTO_WIRING):
                names = module.data_names
                require(len(names) == len(shapes), f"module {i} has inputs {names}, there are {len(shapes)} outputs")
                shapes = [_rename_inputs(name, shape) for name, shape in zip(names, shapes, strict=True)]
            module.bind(
                data_shapes=shapes,
                label_shapes=label_shapes if takes_labels else None,
                for_training=for_training,
                inputs_need_grad=bool(for_training and (inputs_need_grad or i > 0)),
                force_rebind=force_rebind,
                shared_module=None,
                grad_req=grad_req,
            )
            shapes = module.output_shapes
        self._label_shapes = label_shapes if labels_taken else None
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        self.binded = True

    @declared_by_base
    def init_optimizer(self, force_init, **given):
        """Makes an optimizer for each module."""
        self._need_params()
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring.")
            return
        for module in self._modules:
            module.init_optimizer(force_init=force_init, **given)
        self.optimizer_initialized = True

    # ---- computation -----------------------------------------------------------------------------------------------

    def forward(self, data_batch: Batch, is_train: bool | None = None) -> None:
        """Runs all modules forward."""
        self._need_params()
        batch = copy.copy(data_batch)
        last = len(self._modules) - 1
        for i, module in enumerate(self._modules):
            module.forward(batch, is_train=is_train)
            if i == last:
                break
            batch.data = module.get_outputs()
            if getattr(batch, "provide_data", None):
                names = [d[0] for d in module.output_shapes]
                require(len(names) == len(batch.data), "a module has as many outputs as output shapes")
                wiring = self._metas[i + 1].get(self.META_AUTO_WIRING)
                names = self._modules[i + 1].data_names if wiring else names
                batch.provide_data = [
                    _rename_inputs(name, (name, array.shape)) for name, array in zip(names, batch.data, strict=True)
                ]

    def backward(self, out_grads: Heads = None) -> None:
        """Runs all modules backward, from the last to the first."""
        self._need_params()
        for i, module in reversed(list(enumerate(self._modules))):
            module.backward(out_grads=out_grads)
            if i:
                out_grads = module.get_input_grads()

    def update(self) -> None:
        """Updates the parameters of all modules."""
        require(
            self.binded and self.params_initialized and self.optimizer_initialized,
            "call bind(), init_params() and init_optimizer() first",
        )
        for module in self._modules:
            module.update()

    def get_outputs(self, merge_multi_context: bool = True) -> Arrays:
        """The outputs of the last module."""
        self._need_params()
        return self._modules[-1].get_outputs(merge_multi_context=merge_multi_context)

    def get_input_grads(self, merge_multi_context: bool = True) -> Arrays:
        """The gradients of the inputs of the first module."""
        require(
            self.binded and self.params_initialized and self.inputs_need_grad,
            "bind with inputs_need_grad=True to get the gradients of inputs",
        )
        return self._modules[0].get_input_grads(merge_multi_context=merge_multi_context)

    def update_metric(self, eval_metric: EvalMetric, labels: Arrays | None, pre_sliced: bool = False) -> None:
        """Adds the outputs of those modules that take labels to a metric."""
        self._need_params()
        for module, meta in zip(self._modules, self._metas, strict=True):
            if meta.get(self.META_TAKE_LABELS):
                module.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Monitor) -> None:
        """Lets a monitor watch all modules."""
        self._need_binding()
        for module in self._modules:
            module.install_monitor(mon)


def _rename_inputs(name: str, desc: DataDesc | tuple[str, Sequence[int]]) -> DataDesc | tuple[str, Sequence[int]]:
    """A pair of name and shape, or a DataDesc, under another name."""
    if isinstance(desc, DataDesc):
        return DataDesc(name, desc.shape, desc.dtype, desc.layout)
    return name, desc[1]
