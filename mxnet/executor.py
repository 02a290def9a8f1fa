"""Executors: a symbol bound to arrays, run forward and backward."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import ref

import torch

from ._core import config
from ._core.garbage import no_collection
from ._core.memory import Snapshot, is_alone
from ._rng import states_kept
from .base import c_array_buf, c_handle_array, c_str_array, check_call, py_str  # noqa: F401  (as in the original)
from .context import Context, check_together
from .error import MXNetError, MXNetTypeError, MXNetValueError
from .graph.backends import operators_of
from .graph.common import merge_common_expressions
from .graph.infer import graph_shapes
from .graph.monitoring.names import WatchedName
from .graph.monitoring.watch import Watch
from .graph.node import Graph, Node, argument_names, inputs_without_gradient
from .graph.partition import partition
from .graph.passes.loss_heads import Head, shorten_heads
from .graph.program import Program
from .graph.step import Plan
from .graph.training import TrainingGraph
from .ndarray.gate import copy_if_aliased, lend, take_back
from .ndarray.ndarray import NDArray, wrap
from .ndarray.sparse import zeros as zeros_of
from .ndarray.sparse_array import parts_of, value_of, wrap_any, write
from .ndarray.tape import Leaf, Scope, at_places, attach_place, leaf_of, run_backward
from .ops.differentiate import ancestors, ignores_head_gradient
from .ops.infer import Shape, is_known, read_shape
from .ops.integers import in_graph, leaf
from .ops.sparse import Sparse, place_in_graph, stype_of
from .ops.types import OpenShape

if TYPE_CHECKING:
    from .symbol.symbol import Symbol

__all__ = ["Executor"]

#: The arrays of arguments, of their gradients, and of auxiliary states.
_Arrays = tuple[list[NDArray], list[NDArray | None], list[NDArray]]
_NO_HEAD = (
    "Because the last operator is not Loss function, head_gradient is required when calling backward. If you are "
    "attempting to minimize the output as an objective, please modify your network and pass it through the make_loss "
    "symbol."
)


T = TypeVar("T")


class Executor:
    """A symbol with arrays for its arguments, gradients and auxiliary states. Made by ``Symbol.bind``/``simple_bind``.

    Arrays are bound, not copied: what is written into them before ``forward`` is seen by it.
    """

    def __init__(
        self,
        symbol: Symbol,
        ctx: Context,
        arrays: _Arrays | Callable[[], _Arrays],
        reqs: Sequence[str],
        group2ctx: Mapping[str, Context] | None = None,
        contexts: dict[Node, Context] | None = None,
        shapes: Mapping[tuple[Node, int], Shape | None] | None = None,
    ):
        """``arrays`` are those of the arguments, their gradients and the states, or a function that makes them on the
        contexts given for the variables; it is called when they are needed.
        """
        self._symbol = symbol
        self._ctx = ctx
        self._group2ctx = dict(group2ctx or {})
        self._contexts = contexts
        #: Where the backward pass begins besides at outputs: inputs of loss layers, and how to compute their gradients.
        self._heads: list[Head] = []
        outputs = symbol._outputs if group2ctx else _for_environment(symbol)
        if outputs is not symbol._outputs:
            given = {node.name: (shapes or {}).get((node, 0)) for node in symbol._outputs.arguments}
            contexts, shapes = None, graph_shapes(outputs, given)
        #: The outputs of the graph that is run, which has no common subexpressions.
        self._entries, origin = merge_common_expressions(outputs)
        self._optimized = symbol if self._entries is symbol._outputs else type(symbol)(self._entries)
        order = self._entries.order
        where = dict(contexts or {})
        if callable(arrays):
            self._make_arrays = arrays
        else:
            self.arg_arrays, self.grad_arrays, self.aux_arrays = arrays
            where.update(_places(self._entries, self.arg_arrays, self.aux_arrays))
        if origin:
            where.update({new: where[old] for new, old in origin.items() if old in where})
            if shapes is not None:
                more = {(n, i): shapes.get((old, i)) for n, old in origin.items() for i in range(n.num_outputs())}
                shapes = {**shapes, **more}
        self._program = Program(self._entries, ctx, where, shapes, partial(shorten_heads, heads=self._heads))
        self._shapes = shapes
        self._views = _views_of_inputs(self._program.plan)
        self._reqs = list(reqs)
        self._without_gradient = _find_without_gradient(order, self._program.arguments)
        self._differentiable = any(req != "null" for req in self._reqs)
        self._leaves: list[tuple[ref[torch.Tensor], torch.Tensor, Leaf] | None] = [None] * len(self._reqs)
        self._outputs: list[NDArray] = []
        self._graph: list[torch.Tensor] | None = None
        #: Was the last run one of training?
        self._training = False
        self._seen: Snapshot | None = None
        self._monitor: tuple[Callable[[str, NDArray], None], bool] | None = None
        self._watch: Watch | None = None
        self._silent = False

    # ---- arrays ----------------------------------------------------------------------------------------------------

    @cached_property
    def arg_arrays(self) -> list[NDArray]:
        """The argument arrays."""
        return self._allocate().arg_arrays

    @cached_property
    def grad_arrays(self) -> list[NDArray | None]:
        """The gradient arrays; None where no gradient is wanted."""
        return self._allocate().grad_arrays

    @cached_property
    def aux_arrays(self) -> list[NDArray]:
        """The auxiliary states."""
        return self._allocate().aux_arrays

    def _allocate(self) -> Executor:
        """With its arrays, which nobody has asked for before: who binds to read ``debug_str`` only has none."""
        self.arg_arrays, self.grad_arrays, self.aux_arrays = self._make_arrays()
        return self

    @property
    def arg_dict(self) -> dict[str, NDArray]:
        """The argument arrays by name."""
        return self._by_name(self._symbol.list_arguments(), self.arg_arrays, "argument")

    @property
    def grad_dict(self) -> dict[str, Any]:
        """The gradient arrays by the name of their argument."""
        return self._by_name(self._symbol.list_arguments(), self.grad_arrays, "argument")

    @property
    def aux_dict(self) -> dict[str, NDArray]:
        """The auxiliary states by name."""
        return self._by_name(self._symbol.list_auxiliary_states(), self.aux_arrays, "auxiliary state")

    @property
    def output_dict(self) -> dict[str, NDArray]:
        """The outputs of the last forward by name."""
        return self._by_name(self._symbol.list_outputs(), self.outputs, "output")

    @staticmethod
    def _by_name(names: Sequence[str], arrays: Sequence[T], what: str) -> dict[str, T]:
        _distinct(names, what)
        return dict(zip(names, arrays, strict=True))

    @property
    def outputs(self) -> list[NDArray]:
        """The outputs of the last forward; the same arrays get the new values each time."""
        if not self._outputs:
            self._show(self._run(training=False, record=False))
        return self._outputs

    # ---- running ---------------------------------------------------------------------------------------------------

    def forward(self, is_train: bool = False, **kwargs: object) -> list[NDArray]:
        """Runs the graph; arrays given by keyword are copied into the arguments of that name first."""
        if isinstance(is_train, NDArray):
            name = self._symbol.list_arguments()[0]
            raise MXNetTypeError(f"forward: the first argument is is_train; pass arrays by name, forward({name}=array)")
        if kwargs:
            known = self.arg_dict
            for name, value in kwargs.items():
                if name not in known:
                    raise MXNetTypeError(f"Unknown argument {name!r}; known: {', '.join(known)}")
                target = known[name]
                shape = tuple(getattr(value, "shape", ()))
                if shape != target.shape:
                    raise MXNetValueError(f"Shape not match! Argument {name}, need: {target.shape}, received: {shape}")
                target[:] = value
        self._show(self._run(training=bool(is_train), record=bool(is_train)))
        return self.outputs

    def _run(self, training: bool, record: bool, again: bool = False) -> list[Any]:
        """Runs the graph; ``again``: a Monitor has been told its values."""
        if self._differentiable:  # as the original, which leaves them alone where nothing is learned
            for i in self._program.fixed:
                write(self.arg_arrays[i], 1)
        values = [self._leaf(i) if record else value_of(a) for i, a in enumerate(self.arg_arrays)]
        values += [value_of(a) for a in self.aux_arrays]
        arrays = [*self.arg_arrays, *self.aux_arrays]
        copied = lend(arrays, self._program.written, values)
        self._heads.clear()
        self._watch = None if self._monitor is None else self._watcher(*self._monitor)
        self._silent = again
        with Scope(False, training), torch.set_grad_enabled(record):
            results = self._program.run(values, training, self._watch)
        self._silent = False
        if self._program.written:
            take_back(arrays, self._program.written, values, copied)
        self._seen = Snapshot(self._tensors())
        self._training = training
        self._graph = results if record else None
        return results

    def _show(self, results: list[Any]) -> None:
        """Makes the results of a run the outputs."""
        plain = [r.apart() if isinstance(r, Sparse) else r.detach() for r in results]
        if self._views:
            used = [part for array in (*self.arg_arrays, *self.aux_arrays) for part in parts_of(array)]
            for i in self._views:
                plain[i] = copy_if_aliased(plain[i], used)
        if not self._outputs or any(a.stype != stype_of(p) for a, p in zip(self._outputs, plain, strict=True)):
            self._outputs = [wrap_any(p, c) for p, c in zip(plain, self._program.places, strict=True)]
            return
        for array, tensor in zip(self._outputs, plain, strict=True):
            if isinstance(tensor, Sparse):
                array._value = tensor  # type: ignore[attr-defined]
                continue
            old = array._data
            # Views of an output see what the next run writes. Memory that nobody else sees can go.
            if old.shape == tensor.shape and old.dtype is tensor.dtype and not is_alone(old):
                old.copy_(tensor)
            else:
                array._data = tensor

    def _check_unchanged(self) -> None:
        assert self._seen is not None
        changed = self._seen.changed(self._tensors())
        if changed:
            names = ", ".join(self._symbol.list_arguments()[i] for i in changed)
            raise MXNetError(
                f"backward: {names} changed since forward, whose results are gone; call forward(is_train=True) first"
            )

    def _tensors(self) -> list[torch.Tensor]:
        """The tensors of the arguments; of sparse ones those of their elements."""
        return [parts_of(a)[0] for a in self.arg_arrays]

    def _leaf(self, index: int) -> Any:
        """The tensor that stands for an argument in a recorded run: its memory, with a gradient if one is wanted.

        It comes without its version counter: as in MXNet, backward sees what is written after forward.
        """
        array, grad, req = self.arg_arrays[index], self.grad_arrays[index], self._reqs[index]
        if array.stype != "default":
            return self._sparse_leaf(index)
        if req == "null" or grad is None:
            return array._data.data
        data, cached = array._data, self._leaves[index]
        if cached is None or cached[0]() is not data:
            array._bound = variable = leaf(data)
            receiver = leaf_of(grad, req, in_place=True)
            in_graph(variable).register_post_accumulate_grad_hook(receiver)
            cached = self._leaves[index] = (ref(data), variable, receiver)
        return cached[1]

    def _sparse_leaf(self, index: int) -> Any:
        array, grad, req = self.arg_arrays[index], self.grad_arrays[index], self._reqs[index]
        value = value_of(array)
        if req == "null" or grad is None:
            return value
        cached = self._leaves[index]
        if cached is None or cached[0]() is not value.data:
            variable, receiver = attach_place(array, grad, req)
            cached = self._leaves[index] = (ref(value.data), variable, receiver)  # type: ignore[assignment]
        return place_in_graph(value, cached[1])  # type: ignore[index]

    def backward(self, out_grads: Any = None, is_train: bool = True) -> None:
        """Computes the gradients of the last ``forward(is_train=True)`` into the gradient arrays.

        ``out_grads`` are the gradients of the outputs. Those of losses and constants are not needed; of any shape,
        they are ignored.
        """
        if not self._outputs:
            if not any(array is not None for array in self.grad_arrays):
                return  # there is nothing to compute
            raise MXNetError("backward: call forward(is_train=True) first")
        if self._graph is None:  # a second backward, or after a forward for prediction: that has to be run again
            self._check_unchanged()
            with states_kept(step.context for step in self._program.plan.steps if step.wants_rng):
                self._run(training=self._training and is_train, record=True, again=True)
        assert self._graph is not None
        heads, grads = [], []
        given = self._head_gradients(out_grads)
        for i, (result, grad) in enumerate(zip(self._graph, given, strict=True)):
            tensor = result.data if isinstance(result, Sparse) else result
            if tensor.requires_grad:
                if grad is not None and grad.shape != self._outputs[i].shape:
                    if _matters(tensor):
                        raise MXNetValueError(
                            f"head gradient {i} has shape {tuple(grad.shape)}, output {i} has {self._outputs[i].shape}"
                        )
                    grad = None
                elif grad is None and _matters(tensor):
                    raise MXNetError(f"{self._symbol.list_outputs()[i]}: {_NO_HEAD}")
                if isinstance(result, Sparse) and grad is not None:
                    grad = at_places(grad, result)
                head = in_graph(tensor)
                heads.append(head)
                grads.append(torch.ones_like(head) if grad is None else grad)
        for tensor, gradient in self._heads:
            heads.append(tensor)
            grads.append(gradient())
        if self._watch is not None:
            plain = [array._dense for array in self._outputs]
            wanted = [node for node, req in zip(self._program.arguments, self._reqs, strict=True) if req != "null"]
            self._watch.begin(list(zip(self._entries, plain, strict=True)), given, wanted)
        self._graph = None
        self._heads.clear()
        receivers = [cached[2] for cached in self._leaves if cached is not None]
        for receiver in receivers:
            receiver.fresh = False
        if heads:
            with Scope(False, is_train):
                run_backward(heads, grads, retain_graph=False)
        for i, cached in enumerate(self._leaves):
            if cached is not None and i not in self._without_gradient:
                receiver = cached[2]
                if not receiver.fresh and receiver.req != "add":  # the outputs do not depend on it
                    receiver.clear()
        for i in self._program.fixed:  # 0 also where gradients are added
            added = self.grad_arrays[i]
            if added is not None and self._reqs[i] == "add":
                added._dense.zero_()
        if self._watch is not None:
            self._watch.finish()

    def _head_gradients(self, out_grads: Any) -> list[torch.Tensor | None]:
        count = len(self._outputs)
        if out_grads is None:
            return [None] * count
        if isinstance(out_grads, NDArray):
            out_grads = [out_grads]
        elif isinstance(out_grads, dict):
            out_grads = [out_grads[name] for name in self._symbol.list_outputs()]
        grads = list(out_grads)[:count]
        grads += [None] * (count - len(grads))
        for i, grad in enumerate(grads):
            if grad is not None and not isinstance(grad, NDArray):
                raise MXNetTypeError(f"out_grads must be NDArrays, item {i} is {type(grad).__name__}")
            if grad is not None:
                check_together(f"backward: output {i}", self._outputs[i]._ctx, "its gradient", grad._ctx)
        return [None if g is None else g._dense for g in grads]

    # ---- watching --------------------------------------------------------------------------------------------------

    def set_monitor_callback(self, callback: Callable[[str, NDArray], None] | None, monitor_all: bool = False) -> None:
        """Calls ``callback(name, array)`` for each output of each operator and, in backward, each gradient it gives.

        With ``monitor_all`` also for the inputs of each operator, in backward as well.
        """
        self._monitor = None if callback is None else (callback, monitor_all)

    def _watcher(self, callback: Callable[[str, NDArray], None], inputs: bool) -> Watch:
        def report(name: str, value: torch.Tensor) -> None:
            if self._silent:
                return
            array = wrap(value, self._ctx)  # held while the callback runs: it may exchange it for a handle
            callback(WatchedName(name), array)

        return Watch(report, inputs)

    def debug_str(self) -> str:
        """The graph as text, backward included, with the memory that the values between its arrays take.

        Results that are mirrored (``force_mirroring``) take theirs anew in the backward pass.
        """
        wanted = [node for node, req in zip(self._program.arguments, self._reqs, strict=True) if req != "null"]
        arrays = {} if self._shapes is not None else {**self.arg_dict, **self.aux_dict}
        shapes = self._shapes or graph_shapes(self._entries, {n: a.shape for n, a in arrays.items()})
        with no_collection():
            graph = TrainingGraph(self._entries, wanted)
            text = graph.text(graph.assigned_bytes(shapes))
            del graph
        return text

    def get_optimized_symbol(self) -> Symbol:
        """The symbol as it runs: without common subexpressions, and with the operators that MXNET_SUBGRAPH_BACKEND's
        backend takes together as nodes of their own.
        """
        return self._optimized

    # ---- parameters and shapes -------------------------------------------------------------------------------------

    def copy_params_from(
        self,
        arg_params: Mapping[str, NDArray],
        aux_params: Mapping[str, NDArray] | None = None,
        allow_extra_params: bool = False,
    ) -> None:
        """Copies parameters by name into the bound arrays, converting their dtype."""
        for params, mine, what in (
            (arg_params, self.arg_dict, "arguments"),
            (aux_params or {}, self.aux_dict, "auxiliary states"),
        ):
            for name, value in params.items():
                if name in mine:
                    if value is not mine[name]:
                        value.copyto(mine[name])
                elif not allow_extra_params:
                    raise MXNetValueError(f'Found name "{name}" that is not in the {what}: {", ".join(mine)}')

    def reshape(self, partial_shaping: bool = False, allow_up_sizing: bool = False, **kwargs: OpenShape) -> Executor:
        """A new executor for other input shapes that shares parameters with this one.

        An array that gets smaller keeps its place: it is the first part of the old one's memory.
        """
        known = graph_shapes(self._symbol._outputs, {k: read_shape(v) for k, v in kwargs.items()})
        arg_shapes, _, aux_shapes = self._symbol._parts(known)
        if not all(is_known(s) for s in (*arg_shapes, *aux_shapes)):
            raise MXNetValueError("Insufficient argument shapes provided.")
        names = self._symbol.list_arguments()
        args, grads = [], []
        for name, shape, array, grad in zip(names, arg_shapes, self.arg_arrays, self.grad_arrays, strict=True):
            fits = array.shape == tuple(shape)
            if not fits and name not in kwargs and not partial_shaping:
                raise MXNetValueError(
                    f"Shape of unspecified array arg:{name} changed from {array.shape} to {tuple(shape)}. This can "
                    "cause the new executor to not share parameters with the old one. Set partial_shaping=True to "
                    "allow it."
                )
            if not fits and not allow_up_sizing and _size(shape) > array.size:
                raise MXNetValueError(
                    f"New shape of arg:{name} larger than original: {tuple(shape)} > {array.shape}. Set "
                    "allow_up_sizing=True to allow it."
                )
            args.append(_reshape_array(array, shape))
            grads.append(None if grad is None else _reshape_array(grad, shape))
        states = [_reshape_array(a, s) for a, s in zip(self.aux_arrays, aux_shapes, strict=True)]
        where = self._group2ctx, self._contexts, known
        made = Executor(self._symbol, self._ctx, (args, grads, states), self._reqs, *where)
        made._monitor = self._monitor
        return made


def _places(graph: Graph, args: Sequence[NDArray], states: Sequence[NDArray]) -> dict[Node, Context]:
    """Where the arrays of a graph's variables are."""
    arrays = zip([*graph.arguments, *graph.auxiliary], [*args, *states], strict=True)
    return {node: array._ctx for node, array in arrays}


def _find_without_gradient(order: Sequence[Node], arguments: Sequence[Node]) -> frozenset[int]:
    """The arguments whose gradient nobody computes, not even as zeros: labels of losses."""
    used, graded = set(), set()
    for node in order:
        if node.op is not None:
            without = inputs_without_gradient(node.op)
            names = argument_names(node.op, node.parsed(), len(node.inputs)) if without else []
            for i, entry in enumerate(node.inputs):
                used.add(entry.node)
                if not (i < len(names) and names[i] in without):
                    graded.add(entry.node)
    return frozenset(i for i, n in enumerate(arguments) if n in used and n not in graded)


def _views_of_inputs(plan: Plan) -> frozenset[int]:
    """The outputs that may lie in the memory of an argument, which the next batch overwrites."""
    views = set(range(plan.inputs))
    for step in plan.steps:
        if (step.op.view or step.node.subgraphs) and not views.isdisjoint(step.reads):
            views.update(step.writes)
    return frozenset(i for i, slot in enumerate(plan.outputs) if slot in views)


def _matters(output: torch.Tensor) -> bool:
    """Does the gradient of some argument depend on the gradient of this output?

    Losses and constants take no notice of theirs.
    """
    if output.grad_fn is None:
        return output.requires_grad  # an argument itself
    return any(not node.next_functions for node in ancestors([output.grad_fn], skip=ignores_head_gradient))


def _for_environment(symbol: Symbol) -> Graph:
    """The outputs, with the operators that MXNET_SUBGRAPH_BACKEND's backend takes together as nodes of their own."""
    backend = config.SUBGRAPH_BACKEND.get()
    operators = operators_of(backend)
    if not operators:
        return symbol._outputs
    found = partition(symbol._outputs, operators)
    before, after = ([n.name for n in graph.variables] for graph in (symbol._outputs, found))
    if before != after:
        raise MXNetError(
            f"{backend}: taking {', '.join(operators)} together changes the order of the "
            f"inputs from {before} to {after}"
        )
    return found


def _distinct(names: Sequence[str], what: str) -> None:
    if len(set(names)) != len(names):
        twice = sorted(n for n, times in Counter(names).items() if times > 1)
        raise MXNetValueError(f"Duplicate names detected: {what} {', '.join(twice)}")


def _size(shape: Sequence[int]) -> int:
    total = 1
    for n in shape:
        total *= n
    return total


def _reshape_array(array: NDArray, shape: Sequence[int]) -> NDArray:
    """The array itself if it has the shape, else one in its memory, or a new one if there is not enough of it."""
    if array.shape == tuple(shape):
        return array
    if array.stype != "default":
        return zeros_of(array.stype, shape, array._ctx, array.dtype)
    data, size = array._data, _size(shape)
    if size > array.size or not data.is_contiguous():
        return wrap(torch.zeros(tuple(shape), dtype=data.dtype, device=data.device), array._ctx)
    return wrap(data.view(-1)[:size].view(tuple(shape)), array._ctx)
