"""The executors of a Module: one for each device, each with its slice of the batch."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..context import Context, cpu
from ..error import MXNetAssertionError, MXNetError, MXNetKeyError, MXNetTypeError, MXNetValueError
from ..executor import Executor
from ..io import DataDesc
from ..metric import EvalMetric
from ..monitor import Monitor
from ..ndarray import NDArray, array as to_array, concat
from ..symbol import Symbol
from ._types import Arrays, Batch, Descriptions, GradReq, Groups, Heads, Logger
from .side_by_side import SideBySide

__all__ = ["DataParallelExecutorGroup"]

#: How many sets of input shapes keep their executors ready.
_READY_SHAPES = 8


def require(condition: object, message: str) -> None:
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


def copy_into(source: object, target: NDArray) -> None:
    """Copies an NDArray or anything that NumPy understands into an array of the same shape, converting its dtype."""
    if source is target:
        return
    if not isinstance(source, NDArray):
        source = to_array(np.asarray(source), dtype=target.dtype)
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


def _load_data(batch: Batch, targets: Sequence[Any], major_axis: Sequence[int] | None = None) -> None:
    """Copies the data of a batch, or of a list of batches, one for each device."""
    data = batch.data if not isinstance(batch, list) else list(zip(*(b.data for b in batch), strict=True))
    _load_general(data, targets, major_axis)


def _load_label(batch: Batch, targets: Sequence[Any], major_axis: Sequence[int] | None = None) -> None:
    """Copies the labels of a batch, or of a list of batches, one for each device."""
    labels = batch.label if not isinstance(batch, list) else list(zip(*(b.label for b in batch), strict=True))
    _load_general(labels, targets, major_axis)


def _merge_multi_context(outputs: Sequence[Sequence[NDArray]], major_axis: Sequence[int]) -> list[NDArray]:
    """The parts of each output put together along its batch axis; if it has none, the first part."""
    merged = []
    for parts, axis in zip(outputs, major_axis, strict=True):
        if axis < 0 or len(parts) == 1:
            merged.append(parts[0])
        else:
            merged.append(concat(*[p.as_in_context(parts[0].context) for p in parts], dim=axis))
    return merged


def _prepare_group2ctxs(group2ctxs: Groups, ctx_len: int) -> list[dict[str, Context] | None]:
    """``group2ctxs`` for each of so many executors, from a list of dicts or a dict whose values may be lists."""
    if group2ctxs is None:
        return [None] * ctx_len
    if isinstance(group2ctxs, list):
        require(len(group2ctxs) == ctx_len, f"length of group2ctxs should be {ctx_len}, it is {len(group2ctxs)}")
        return group2ctxs
    if not isinstance(group2ctxs, dict):
        raise MXNetTypeError(
            "group2ctxs should be either dict of str to context, dict of str to list of context or list of dict of str "
            f"to context, got {type(group2ctxs).__name__}"
        )
    each: list[dict[str, Context]] = [{} for _ in range(ctx_len)]
    for group, contexts in group2ctxs.items():
        if isinstance(contexts, Context):
            contexts = [contexts]
        if len(contexts) == 1:
            contexts = list(contexts) * ctx_len
        require(len(contexts) == ctx_len, f"group2ctxs: {group!r} needs 1 or {ctx_len} contexts, got {len(contexts)}")
        for one, context in zip(each, contexts, strict=True):
            one[group] = context
    return each  # type: ignore[return-value]


def _describe_inputs(shapes: Descriptions | None) -> Any:
    """Descriptions of inputs, also where tuples ``(name, shape)`` were given; None stays None."""
    return shapes and [d if isinstance(d, DataDesc) else DataDesc(*d) for d in shapes]


class DataParallelExecutorGroup:
    """Executors of one symbol on several devices, that slice batches along their batch axes and merge outputs.

    ``workload`` is the share of each device; ``grad_req`` one string, a list in the order of the arguments, or a dict
    by name. ``shared_group`` lends its parameters, gradients and memory.
    """

    def __init__(
        self,
        symbol: Symbol,
        contexts: Sequence[Context],
        workload: Sequence[float],
        data_shapes: Sequence[DataDesc],
        label_shapes: Sequence[DataDesc] | None,
        param_names: Sequence[str],
        for_training: bool,
        inputs_need_grad: bool,
        shared_group: DataParallelExecutorGroup | None = None,
        logger: Logger = logging,
        fixed_param_names: Sequence[str] | None = None,
        grad_req: GradReq = "write",
        state_names: Sequence[str] | None = None,
        group2ctxs: Groups = None,
    ):
        self.symbol = symbol
        self.contexts = list(contexts)
        self.workload = list(workload)
        self.group2ctxs = _prepare_group2ctxs(group2ctxs, len(self.contexts))
        self.param_names = list(param_names)
        self.arg_names = symbol.list_arguments()
        self.aux_names = symbol.list_auxiliary_states()
        self.output_names = symbol.list_outputs()
        self.num_outputs = len(self.output_names)
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        self.fixed_param_names = list(fixed_param_names or [])
        self.state_names = list(state_names or [])
        self.logger = logger
        data_shapes, label_shapes = _describe_inputs(data_shapes), _describe_inputs(label_shapes)
        self.grad_req = self._requests(grad_req, [d.name for d in data_shapes])
        self.output_layouts = [DataDesc.get_batch_axis(symbol[i].attr("__layout__")) for i in range(self.num_outputs)]
        self.shared_data_arrays: list[dict[str, NDArray]] = (
            shared_group.shared_data_arrays if shared_group is not None else [{} for _ in self.contexts]
        )
        self.execs: list[Executor] = []
        self._ready: dict[tuple, SideBySide] = {}
        self.data_arrays: list[list[tuple[slice, NDArray]]] = []
        self.label_arrays: list[list[tuple[slice, NDArray]]] | None = None
        self.batch_size: int | None = None
        self.slices: list[slice] = []
        self.data_shapes: list[DataDesc] = []
        self.label_shapes: list[DataDesc] | None = None
        self.bind_exec(data_shapes, label_shapes, shared_group)

    def _requests(self, grad_req: GradReq, data_names: Sequence[str]) -> dict[str, str]:
        """What happens to the gradient of each argument."""
        if not self.for_training:
            grad_req = "null"
        if isinstance(grad_req, list | tuple):
            require(
                len(grad_req) == len(self.arg_names),
                f"{len(grad_req)} grad_reqs were given for {len(self.arg_names)} arguments",
            )
            return dict(zip(self.arg_names, grad_req, strict=True))
        if not isinstance(grad_req, str | dict):
            raise MXNetValueError("grad_req must be one of str, list, tuple, or dict.")
        usual = grad_req if isinstance(grad_req, str) else "write"
        wanted = set(self.param_names) - set(self.fixed_param_names)
        if self.inputs_need_grad:
            wanted |= set(data_names)
        requests = {name: usual if name in wanted else "null" for name in self.arg_names}
        return {**requests, **grad_req} if isinstance(grad_req, dict) else requests

    # ---- binding ---------------------------------------------------------------------------------------------------

    def decide_slices(self, data_shapes: Descriptions) -> list[int]:
        """Splits the batch among the devices and returns the batch axis of each input."""
        require(data_shapes, "there must be at least one input")
        axes = [DataDesc.get_batch_axis(getattr(d, "layout", "NCHW")) for d in data_shapes]
        for desc, axis in zip(_describe_inputs(data_shapes), axes, strict=True):
            if axis < 0:
                continue
            size = desc.shape[axis]
            if self.batch_size is None:
                self.batch_size = size
                self.slices = _split_input_slice(size, self.workload)
            require(
                size == self.batch_size,
                f"all data must have the same batch size: batch_size = {self.batch_size}, but {desc.name} has shape "
                f"{desc.shape}",
            )
        return axes

    def bind_exec(
        self,
        data_shapes: Sequence[DataDesc],
        label_shapes: Sequence[DataDesc] | None,
        shared_group: DataParallelExecutorGroup | None = None,
        reshape: bool = False,
    ) -> None:
        """Binds executors for these input shapes; with ``reshape`` they share the arrays of the existing ones."""
        self.batch_size = None
        data_shapes, label_shapes = _describe_inputs(data_shapes), _describe_inputs(label_shapes)
        self.data_layouts = self.decide_slices(data_shapes)
        self.label_layouts = self.decide_slices(label_shapes) if label_shapes is not None else []
        key = tuple((d.name, tuple(d.shape)) for d in [*data_shapes, *(label_shapes or [])])
        if not reshape:
            self._ready.clear()
        ready = self._ready.pop(key, None)
        if ready is None:
            execs = []
            for i in range(len(self.contexts)):
                shapes = self._shapes_of(data_shapes, self.data_layouts, i)
                shapes.update(self._shapes_of(label_shapes or [], self.label_layouts, i))
                if reshape:
                    execs.append(self._reshape_executor(self.execs[i], shapes))
                else:
                    execs.append(self._bind_ith_exec(i, data_shapes, label_shapes, shapes, shared_group))
            ready = SideBySide(execs)
        self._ready[key] = self._devices = ready
        self.execs = ready.executors
        if len(self._ready) > _READY_SHAPES:
            del self._ready[next(iter(self._ready))]
        self.data_shapes = list(data_shapes)
        self.label_shapes = None if label_shapes is None else list(label_shapes)
        self.data_names = [d.name for d in self.data_shapes]
        self.label_names = [d.name for d in self.label_shapes or []]
        self._collect_arrays()

    def _shapes_of(self, descs: Sequence[DataDesc], axes: Sequence[int], i: int) -> dict[str, tuple[int, ...]]:
        """The shapes of the parts of inputs that executor ``i`` gets."""
        part = self.slices[i]
        return {
            d.name: tuple(d.shape)
            if axis < 0
            else (*d.shape[:axis], part.stop - part.start, *tuple(d.shape)[axis + 1 :])
            for d, axis in zip(descs, axes, strict=True)
        }

    def _bind_ith_exec(
        self,
        i: int,
        data_shapes: Sequence[DataDesc],
        label_shapes: Sequence[DataDesc] | None,
        shapes: Mapping[str, Any],
        shared_group: DataParallelExecutorGroup | None,
    ) -> Executor:
        return self.symbol.simple_bind(
            self.contexts[i],
            grad_req=self.grad_req,
            type_dict={d.name: d.dtype for d in [*data_shapes, *(label_shapes or [])]},
            group2ctx=self.group2ctxs[i],
            shared_arg_names=self.param_names,
            shared_exec=None if shared_group is None else shared_group.execs[i],
            shared_buffer=self.shared_data_arrays[i],
            **shapes,
        )

    def _collect_arrays(self) -> None:
        args = [e.arg_dict for e in self.execs]
        grads = [e.grad_dict for e in self.execs]
        states = [e.aux_dict for e in self.execs]

        def parts(name: str) -> list[tuple[slice, NDArray]]:
            for arguments in args:
                if name not in arguments:
                    raise MXNetKeyError(
                        f"there is no argument {name!r}; known: {', '.join(arguments)}. The names of what the "
                        "iterator gives and of the symbol's inputs have to be the same: Module(symbol, data_names=..., "
                        "label_names=...), and NDArrayIter(..., data_name=..., label_name=...)"
                    )
            return [(part, arguments[name]) for part, arguments in zip(self.slices, args, strict=True)]

        self.data_arrays = [parts(name) for name in self.data_names]
        self.label_arrays = None if self.label_shapes is None else [parts(name) for name in self.label_names]
        self.state_arrays = [[a[name] for a in args] for name in self.state_names]
        self.param_arrays = [[a[name] for a in args] for name in self.param_names if name in args[0]]
        self.grad_arrays = (
            [[g[name] for g in grads] for name in self.param_names if name in args[0]] if self.for_training else None
        )
        self.input_grad_arrays = (
            [[g[name] for g in grads] for name in self.data_names] if self.inputs_need_grad else None
        )
        self.aux_arrays = [[s[name] for s in states] for name in self.aux_names]

    def _reshape_executor(self, executor: Executor, shapes: Mapping[str, Any]) -> Executor:
        """An executor for other shapes of data; an error names the data, not the weights that do not fit it."""
        try:
            return executor.reshape(allow_up_sizing=True, **shapes)
        except MXNetError as error:
            old = {d.name: tuple(d.shape) for d in [*self.data_shapes, *(self.label_shapes or [])]}
            changed = [
                f"{k!r} has {tuple(v)}, it was bound for {old.get(k)}"
                for k, v in shapes.items()
                if old.get(k) != tuple(v)
            ]
            raise MXNetValueError(
                f"the batch has other shapes than the module was bound for: {'; '.join(changed)}. The number of "
                "examples may change, the rest only as far as the parameters fit, which they do not: "
                f"{str(error).partition('. This can')[0]}"
            ) from error

    def reshape(self, data_shapes: Sequence[DataDesc], label_shapes: Sequence[DataDesc] | None) -> None:
        """Changes the input shapes."""
        data_shapes, label_shapes = _describe_inputs(data_shapes), _describe_inputs(label_shapes)
        if data_shapes == self.data_shapes and label_shapes == self.label_shapes:
            return
        self.bind_exec(data_shapes, label_shapes, reshape=True)

    # ---- parameters ------------------------------------------------------------------------------------------------

    def set_params(
        self, arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray] | None, allow_extra: bool = False
    ) -> None:
        """Copies parameters and auxiliary states to all devices."""
        for executor in self.execs:
            executor.copy_params_from(arg_params, aux_params, allow_extra_params=allow_extra)

    def get_params(self, arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray]) -> None:
        """Writes parameters and auxiliary states, the mean over all devices, into the arrays given."""
        copy_mean(self.param_names, self.param_arrays, arg_params)
        copy_mean(self.aux_names, self.aux_arrays, aux_params)

    # ---- running ---------------------------------------------------------------------------------------------------

    def forward(self, data_batch: Batch, is_train: bool | None = None) -> None:
        """Copies a batch to the devices and runs all executors forward."""
        if is_train is None:
            is_train = self.for_training
        _load_data(data_batch, self.data_arrays, self.data_layouts)
        if self.label_arrays is not None:
            if data_batch[0].label if isinstance(data_batch, list) else data_batch.label:
                _load_label(data_batch, self.label_arrays, self.label_layouts)
        self._devices.run(("forward", is_train), [partial(executor.forward, is_train) for executor in self.execs])

    def backward(self, out_grads: Heads = None) -> None:
        """Runs all executors backward, from gradients of the outputs if the symbol does not end in a loss."""
        require(self.for_training, "re-bind with for_training=True to run backward")
        if isinstance(out_grads, NDArray):
            out_grads = [out_grads]
        calls = []
        for executor, part in zip(self.execs, self.slices, strict=True):
            if out_grads is None or len(self.execs) == 1:
                calls.append(partial(executor.backward, out_grads))
                continue
            own = []
            for grad, axis in zip(out_grads, self.output_layouts, strict=False):
                piece = grad if axis < 0 else grad[(slice(None),) * axis + (part,)]
                own.append(piece.as_in_context(executor._ctx))
            calls.append(partial(executor.backward, own))
        self._devices.run("backward", calls)

    def get_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs for the whole batch."""
        inputs = dict.fromkeys(self.arg_names)
        inputs.update({d.name: tuple(d.shape) for d in [*self.data_shapes, *(self.label_shapes or [])]})
        _, shapes, _ = self.symbol.infer_shape_partial(**{n: s for n, s in inputs.items() if s is not None})
        return list(zip(self.output_names, [tuple(s) for s in shapes], strict=True))

    def get_outputs(self, merge_multi_context: bool = True, begin: int = 0, end: int | None = None) -> Arrays:
        """The outputs of the last forward: whole ones, or for each a list of the parts on the devices."""
        outputs = [[e.outputs[i] for e in self.execs] for i in range(begin, self.num_outputs if end is None else end)]
        return _merge_multi_context(outputs, self.output_layouts[begin:end]) if merge_multi_context else outputs

    def get_input_grads(self, merge_multi_context: bool = True) -> Arrays:
        """The gradients of the inputs: whole ones, or for each a list of the parts on the devices."""
        require(self.inputs_need_grad, "bind with inputs_need_grad=True to get the gradients of inputs")
        assert self.input_grad_arrays is not None
        if merge_multi_context:
            return _merge_multi_context(self.input_grad_arrays, self.data_layouts)
        return self.input_grad_arrays

    def get_states(self, merge_multi_context: bool = True) -> list[list[NDArray]]:
        """The arrays of the states on each device."""
        require(not merge_multi_context, "merge_multi_context=True is not supported for get_states yet.")
        return self.state_arrays

    def set_states(self, states: Arrays | None = None, value: float | None = None) -> None:
        """Sets the states: to arrays, a list for each as ``get_states`` gives, or all to one number."""
        if states is not None:
            require(value is None, "Only one of states & value can be specified.")
            _load_general(
                states, [[(part, a) for part, a in zip(self.slices, s, strict=True)] for s in self.state_arrays]
            )
            return
        require(value is not None, "At least one of states & value must be specified.")
        require(not isinstance(value, list), "value must be a single value")
        for arrays in self.state_arrays:
            for array in arrays:
                array[:] = value

    def _results(self, labels: Any, pre_sliced: bool) -> Iterator[tuple[Any, list[NDArray]]]:
        """Yields the labels and the outputs of each device."""
        for i, (executor, part) in enumerate(zip(self.execs, self.slices, strict=True)):
            if pre_sliced:
                own = labels[i]
            elif len(self.execs) == 1:
                own = labels
            else:
                own = [
                    label if axis < 0 else label[(slice(None),) * axis + (part,)]
                    for label, axis in zip(labels or [], self.label_layouts, strict=False)
                ]
            yield own, executor.outputs

    def update_metric(self, eval_metric: EvalMetric, labels: Arrays | None, pre_sliced: bool = False) -> None:
        """Adds outputs and labels of all devices to a metric, by their names."""
        for own, outputs in self._results(labels, pre_sliced):
            eval_metric.update_dict(
                dict(zip(self.label_names, own or [], strict=False)), dict(zip(self.output_names, outputs, strict=True))
            )

    def update_metric_in_order(self, eval_metric: EvalMetric, labels: Arrays | None, pre_sliced: bool = False) -> None:
        """Adds outputs and labels of all devices to a metric, whatever names it asks for."""
        for own, outputs in self._results(labels, pre_sliced):
            eval_metric.update(own, outputs)

    def install_monitor(self, mon: Monitor) -> None:
        """Lets a monitor watch the executors."""
        for executor in self.execs:
            mon.install(executor)
