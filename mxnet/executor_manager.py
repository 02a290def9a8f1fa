"""The executors of MXNet's first years, under their old names and signatures, over those of Module."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from .context import Context
from .error import MXNetValueError
from .executor import Executor
from .io import DataDesc
from .metric import EvalMetric
from .module import executor_group
from .module._types import Arrays, Batch, Batches, Descriptions, Logger
from .module.executor_group import (  # noqa: F401 (programs import _load_general from here)
    _load_data,
    _load_general,
    _load_label,
    _split_input_slice,
    require,
)
from .monitor import Monitor
from .ndarray import NDArray
from .symbol import Symbol

__all__ = ["DataParallelExecutorGroup", "DataParallelExecutorManager"]


def _check_arguments(symbol: Symbol) -> None:
    """Refuses a symbol with two arguments, or two auxiliary states, of one name."""
    for names, what, hint in (
        (symbol.list_arguments(), "argument", "please make the weight name non-duplicated(using name arguments), "),
        (symbol.list_auxiliary_states(), "auxiliary param", "please make the auxiliary params non-duplicated, "),
    ):
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise MXNetValueError(f'Find duplicated {what} name "{name}", {hint}{what}s are {names}')
            seen.add(name)


def describe_rows(shapes: Descriptions, is_label: bool = False) -> list[DataDesc]:
    """Inputs whose examples lie along the first axis, whatever their layout says; graphs infer the types of labels."""
    return [DataDesc(d[0], d[1], None if is_label else getattr(d, "dtype", np.float32)) for d in shapes]


class DataParallelExecutorGroup(executor_group.DataParallelExecutorGroup):
    """Executors on several devices, each with its slice of the batches of an iterator."""

    def __init__(
        self,
        sym: Symbol,
        arg_names: Sequence[str],
        param_names: Sequence[str],
        ctx: Sequence[Context],
        slices: Sequence[slice],
        train_data: Batches,
        shared_group: DataParallelExecutorGroup | None = None,
    ):
        _check_arguments(sym)
        self.param_idx = [i for i, name in enumerate(arg_names) if name in set(param_names)]
        super().__init__(
            sym,
            ctx,
            [part.stop - part.start for part in slices],
            describe_rows(train_data.provide_data),
            describe_rows(train_data.provide_label or [], is_label=True) or None,
            [arg_names[i] for i in self.param_idx],
            for_training=True,
            inputs_need_grad=False,
            shared_group=shared_group,
        )

    @property
    def train_execs(self) -> list[Executor]:
        """The executors."""
        return self.execs

    def load_data_batch(self, data_batch: Batch) -> None:
        """Copies data and labels of a batch to the devices."""
        _load_data(data_batch, self.data_arrays)
        _load_label(data_batch, self.label_arrays or [])

    def forward(self, is_train: bool = False) -> None:  # type: ignore[override]
        """Runs all executors forward."""
        for executor in self.execs:
            executor.forward(is_train=is_train)

    update_metric = executor_group.DataParallelExecutorGroup.update_metric_in_order


class DataParallelExecutorManager:
    """Executor groups for a symbol, or for the symbols of several buckets, that share their parameters."""

    def __init__(
        self,
        symbol: Symbol,
        ctx: Sequence[Context],
        train_data: Batches,
        arg_names: Sequence[str],
        param_names: Sequence[str],
        aux_names: Sequence[str],
        work_load_list: Sequence[float] | None = None,
        logger: Logger | None = None,
        sym_gen: Callable[..., Symbol] | None = None,
    ):
        logger = logger or logging
        logger.info("Start training with %s", str(ctx))
        loads = [1] * len(ctx) if work_load_list is None else work_load_list
        require(isinstance(loads, list) and len(loads) == len(ctx), "Invalid settings for work load.")
        self.slices = _split_input_slice(train_data.batch_size, loads)
        self.arg_names = list(arg_names)
        self.param_names = list(param_names)
        self.aux_names = list(aux_names)
        self.ctx = list(ctx)
        self.symbol = symbol
        self.sym_gen = sym_gen
        self.execgrp = DataParallelExecutorGroup(symbol, arg_names, param_names, ctx, self.slices, train_data)
        self.curr_execgrp = self.execgrp
        self.execgrp_bucket = {train_data.default_bucket_key: self.execgrp} if sym_gen is not None else {}

    def install_monitor(self, monitor: Monitor) -> None:
        """Lets a monitor watch the executors."""
        if self.sym_gen is not None:
            raise NotImplementedError("Monitoring is not implemented for bucketing")
        self.execgrp.install_monitor(monitor)

    def set_params(self, arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray]) -> None:
        """Copies parameters and auxiliary states to all devices."""
        self.execgrp.set_params(arg_params, aux_params)

    def copy_to(self, arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray]) -> None:
        """Writes the mean over all devices into the arrays given."""
        self.execgrp.get_params(arg_params, aux_params)

    @property
    def param_arrays(self) -> list[list[NDArray]]:
        """For each parameter its array on each device."""
        return self.execgrp.param_arrays

    @property
    def grad_arrays(self) -> list[list[NDArray | None]] | None:
        """For each parameter its gradient on each device."""
        return self.curr_execgrp.grad_arrays

    @property
    def aux_arrays(self) -> list[list[NDArray]]:
        """For each auxiliary state its array on each device."""
        return self.execgrp.aux_arrays

    def load_data_batch(self, data_batch: Batch) -> None:
        """Copies a batch to the devices, to the executors of its bucket."""
        if self.sym_gen is not None:
            key = data_batch.bucket_key
            if key not in self.execgrp_bucket:
                self.execgrp_bucket[key] = DataParallelExecutorGroup(
                    self.sym_gen(key), self.arg_names, self.param_names, self.ctx, self.slices, data_batch, self.execgrp
                )
            self.curr_execgrp = self.execgrp_bucket[key]
        self.curr_execgrp.load_data_batch(data_batch)

    def forward(self, is_train: bool = False) -> None:
        """Runs forward what was loaded."""
        self.curr_execgrp.forward(is_train=is_train)

    def backward(self) -> None:
        """Runs backward."""
        self.curr_execgrp.backward()

    def update_metric(self, metric: EvalMetric, labels: Arrays | None, pre_sliced: bool = False) -> None:
        """Adds the outputs to a metric."""
        self.curr_execgrp.update_metric(metric, labels, pre_sliced)
