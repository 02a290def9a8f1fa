"""Executors for data-parallel training as ``FeedForward`` runs them: one for each device, each with a part of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import ndarray as nd
from ._core.dtypes import torch_dtype
from .context import Context, cpu
from .error import MXNetAssertionError, MXNetValueError
from .executor import Executor
from .io import DataDesc
from .ndarray import NDArray

__all__ = ["DataParallelExecutorGroup", "DataParallelExecutorManager"]

Slices = Sequence[slice]


def require(condition: Any, message: str) -> None:
    """Raises the package's AssertionError unless the condition holds."""
    if not condition:
        raise MXNetAssertionError(message)


def _split_input_slice(batch_size: int, work_load_list: Sequence[float]) -> list[slice]:
    """The slices of a batch for devices that take parts in proportion to their loads."""
    total = sum(work_load_list)
    sizes = [round(load * batch_size / total) for load in work_load_list]
    sizes[-1] += batch_size - sum(sizes)
    slices, begin = [], 0
    for size in sizes:
        end = min(begin + size, batch_size)
        if begin >= end:
            raise MXNetValueError("Too many slices. Some splits are empty.")
        slices.append(slice(begin, end))
        begin = end
    return slices


def _check_arguments(symbol: Any) -> None:
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


def copy_into(source: Any, target: NDArray) -> None:
    """Copies an NDArray or anything that NumPy understands into an array of the same shape, converting its dtype."""
    if source is target:
        return
    if not isinstance(source, NDArray):
        source = nd.array(np.asarray(source), dtype=target.dtype)
    source.copyto(target)


def _load_general(data: Sequence[Any], targets: Sequence[Any], axes: Sequence[int] | None = None) -> None:
    """Copies arrays into targets: each an array, or a list of (slice, array) with the parts of a batch.

    ``axes`` says where the batches lie, -1: nowhere, all parts get everything.
    """
    for i, (source, target) in enumerate(zip(data, targets, strict=False)):
        if isinstance(target, NDArray):
            copy_into(source, target)
        elif isinstance(source, list | tuple):
            for part, (_, array) in zip(source, target, strict=True):
                copy_into(part, array)
        elif len(target) == 1:
            copy_into(source, target[0][1])
        else:
            axis = axes[i] if axes else 0
            for part, array in target:
                copy_into(source if axis < 0 else source[(slice(None),) * axis + (part,)], array)


def _load_data(batch: Any, targets: Sequence[Any], axes: Sequence[int] | None = None) -> None:
    """Copies the data of a batch."""
    _load_general(batch.data, targets, axes)


def _load_label(batch: Any, targets: Sequence[Any], axes: Sequence[int] | None = None) -> None:
    """Copies the labels of a batch."""
    _load_general(batch.label, targets, axes)


def _bind_exec(
    sym: Any,
    ctx: Context,
    input_shapes: Mapping[str, Any],
    param_names: Sequence[str],
    need_grad: Any = False,
    base_exec: Executor | None = None,
    shared_data_arrays: dict[str, NDArray] | None = None,
    input_types: Mapping[str, Any] | None = None,
    logger: Any = logging,
) -> Executor:
    """Binds a symbol; parameters are those of ``base_exec`` if given, other arrays come from ``shared_data_arrays``."""
    if need_grad is False:
        needed: set[str] = set()
    else:
        needed = set(param_names if need_grad is True else need_grad)
    return sym.simple_bind(
        ctx,
        grad_req={name: "write" if name in needed else "null" for name in sym.list_arguments()},
        type_dict=input_types,
        shared_arg_names=list(param_names),
        shared_exec=base_exec,
        shared_buffer=shared_data_arrays,
        **input_shapes,
    )


class DataParallelExecutorGroup:
    """Executors on several devices, each with its slice of the batches of an iterator."""

    def __init__(
        self,
        sym: Any,
        arg_names: Sequence[str],
        param_names: Sequence[str],
        ctx: Sequence[Context],
        slices: Slices,
        train_data: Any,
        shared_group: DataParallelExecutorGroup | None = None,
    ):
        _check_arguments(sym)
        inputs = [DataDesc(d[0], d[1], getattr(d, "dtype", np.float32)) for d in train_data.provide_data]
        labels = [DataDesc(d[0], d[1], getattr(d, "dtype", np.float32)) for d in train_data.provide_label or []]
        self.shared_data_arrays = shared_group.shared_data_arrays if shared_group else [{} for _ in ctx]
        self.data_names = [d.name for d in inputs]
        self.label_names = [d.name for d in labels]
        self.aux_names = sym.list_auxiliary_states()
        self.param_idx = [i for i, name in enumerate(arg_names) if name in set(param_names)]
        self.param_names = [arg_names[i] for i in self.param_idx]
        self.slices = list(slices)
        self.train_execs: list[Executor] = []
        for i, context in enumerate(ctx):
            part = slices[i].stop - slices[i].start
            self.train_execs.append(
                _bind_exec(
                    sym,
                    context,
                    {d.name: (part, *d.shape[1:]) for d in [*inputs, *labels]},
                    self.param_names,
                    True,
                    shared_group.train_execs[i] if shared_group else None,
                    self.shared_data_arrays[i],
                    {d.name: torch_dtype(d.dtype) for d in inputs},
                )
            )
        self.data_arrays = [self._parts(name) for name in self.data_names]
        self.label_arrays = [self._parts(name) for name in self.label_names]
        self.param_arrays = [[e.arg_arrays[i] for e in self.train_execs] for i in self.param_idx]
        self.grad_arrays = [[e.grad_arrays[i] for e in self.train_execs] for i in self.param_idx]
        self.aux_arrays = [[e.aux_arrays[i] for e in self.train_execs] for i in range(len(self.aux_names))]

    def _parts(self, name: str) -> list[tuple[slice, NDArray]]:
        return [(part, e.arg_dict[name]) for part, e in zip(self.slices, self.train_execs, strict=True)]

    def load_data_batch(self, data_batch: Any) -> None:
        """Copies data and labels of a batch to the devices."""
        _load_data(data_batch, self.data_arrays)
        _load_label(data_batch, self.label_arrays)

    def forward(self, is_train: bool = False) -> None:
        """Runs all executors forward."""
        for executor in self.train_execs:
            executor.forward(is_train=is_train)

    def backward(self) -> None:
        """Runs all executors backward."""
        for executor in self.train_execs:
            executor.backward()

    def update_metric(self, metric: Any, labels: Sequence[Any], pre_sliced: bool = False) -> None:
        """Adds the outputs of all executors to a metric."""
        for i, (executor, part) in enumerate(zip(self.train_execs, self.slices, strict=True)):
            if pre_sliced:
                own = labels[i]
            else:
                own = labels if len(self.train_execs) == 1 else [label[part] for label in labels]
            metric.update(own, executor.outputs)


class DataParallelExecutorManager:
    """Executor groups for a symbol, or for the symbols of several buckets, that share their parameters."""

    def __init__(
        self,
        symbol: Any,
        ctx: Sequence[Context],
        train_data: Any,
        arg_names: Sequence[str],
        param_names: Sequence[str],
        aux_names: Sequence[str],
        work_load_list: Sequence[float] | None = None,
        logger: Any = None,
        sym_gen: Callable[[Any], Any] | None = None,
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

    def install_monitor(self, monitor: Any) -> None:
        """Lets a monitor watch the executors."""
        if self.sym_gen is not None:
            raise NotImplementedError("Monitoring is not implemented for bucketing")
        for executor in self.execgrp.train_execs:
            monitor.install(executor)

    def set_params(self, arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray]) -> None:
        """Copies parameters and auxiliary states to all devices."""
        for executor in self.execgrp.train_execs:
            executor.copy_params_from(arg_params, aux_params)

    def copy_to(self, arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray]) -> None:
        """Writes the mean over all devices into the arrays given."""
        copy_mean(self.param_names, self.param_arrays, arg_params)
        copy_mean(self.aux_names, self.aux_arrays, aux_params)

    @property
    def param_arrays(self) -> list[list[NDArray]]:
        """For each parameter its array on each device."""
        return self.execgrp.param_arrays

    @property
    def grad_arrays(self) -> list[list[NDArray | None]]:
        """For each parameter its gradient on each device."""
        return self.curr_execgrp.grad_arrays

    @property
    def aux_arrays(self) -> list[list[NDArray]]:
        """For each auxiliary state its array on each device."""
        return self.execgrp.aux_arrays

    def load_data_batch(self, data_batch: Any) -> None:
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

    def update_metric(self, metric: Any, labels: Sequence[Any], pre_sliced: bool = False) -> None:
        """Adds the outputs to a metric."""
        self.curr_execgrp.update_metric(metric, labels, pre_sliced)


def copy_mean(names: Sequence[str], arrays: Sequence[Sequence[NDArray]], targets: Mapping[str, NDArray]) -> None:
    """For each name, writes the mean of its arrays on all devices into the target of that name."""
    for name, blocks in zip(names, arrays, strict=True):
        if len(blocks) == 1:
            copy_into(blocks[0], targets[name])
        else:
            total = blocks[0].copyto(cpu())
            for block in blocks[1:]:
                total += block.as_in_context(cpu())
            copy_into(total / len(blocks), targets[name])
