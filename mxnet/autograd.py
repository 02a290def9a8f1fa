"""Recording and differentiating: the public face of ``mxnet.ndarray.tape``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import torch

from ._core.signature import overridable
from .context import check_together
from .error import MXNetArgumentError, MXNetAssertionError, MXNetError, MXNetTypeError, MXNetValueError
from .graph.node import Graph
from .ndarray import gate, notes
from .ndarray.ndarray import NDArray, record_result, wrap
from .ndarray.tape import Scope, attach, backward as _backward, gradients, noting, state
from .ops.registry import get
from .ops.sparse import dense

__all__ = [
    "Function",
    "backward",
    "get_symbol",
    "grad",
    "is_recording",
    "is_training",
    "mark_variables",
    "pause",
    "predict_mode",
    "record",
    "set_recording",
    "set_training",
    "train_mode",
]


def is_recording() -> bool:
    """Are operators being recorded in this thread?"""
    return state.recording


def is_training() -> bool:
    """Do operators such as Dropout behave as in training?"""
    return state.training


def set_recording(is_recording: bool) -> bool:
    """Turns recording on or off and returns what it was. Prefer ``with autograd.record():``."""
    before, state.recording = state.recording, bool(is_recording)
    return before


def set_training(train_mode: bool) -> bool:
    """Turns training behavior on or off and returns what it was."""
    before, state.training = state.training, bool(train_mode)
    return before


def record(train_mode: bool = True) -> Scope:
    """``with autograd.record():`` records what is computed, so that ``backward`` can differentiate it.

    >>> x = nd.array([1.0, 2.0])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = (x * x).sum()
    >>> y.backward()
    >>> x.grad
    [2. 4.]
    <NDArray 2 @cpu(0)>
    """
    if not noting:
        notes.look(sys._getframe(1))
    return Scope(True, train_mode)


def pause(train_mode: bool = False) -> Scope:
    """``with autograd.pause():`` computes without recording, inside of ``record()``.

    >>> x = nd.array([2.0])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = x * x
    ...     with autograd.pause():
    ...         z = y * 100  # not recorded
    >>> y.backward()
    >>> x.grad
    [4.]
    <NDArray 1 @cpu(0)>
    """
    return Scope(False, train_mode)


def train_mode() -> Scope:
    """``with autograd.train_mode():`` behaves as in training without changing what is recorded."""
    return Scope(None, True)


def predict_mode() -> Scope:
    """``with autograd.predict_mode():`` behaves as in prediction without changing what is recorded."""
    return Scope(None, False)


def _as_list(value: object, what: str) -> list[NDArray]:
    if not isinstance(value, NDArray | list | tuple):
        raise MXNetTypeError(f"{what} must be an NDArray or a list of them, got {type(value).__name__}")
    arrays = [value] if isinstance(value, NDArray) else list(value)
    for array in arrays:
        if not isinstance(array, NDArray):
            raise MXNetTypeError(f"{what} must be NDArrays, got {type(array).__name__}")
    if not arrays:
        raise MXNetAssertionError(f"{what}: at least one NDArray is needed")
    return arrays


def mark_variables(variables: object, gradients: object, grad_reqs: str | Sequence[str] = "write") -> None:
    """Makes arrays variables with the given gradient buffers."""
    arrays, buffers = _as_list(variables, "variables"), _as_list(gradients, "gradients")
    reqs = [grad_reqs] * len(arrays) if isinstance(grad_reqs, str) else list(grad_reqs)
    if not len(arrays) == len(buffers) == len(reqs):
        raise MXNetValueError(f"{len(arrays)} variables, {len(buffers)} gradients and {len(reqs)} grad_reqs were given")
    for array, buffer, req in zip(arrays, buffers, reqs, strict=True):
        if buffer.shape != array.shape:
            raise MXNetValueError(f"a gradient of shape {buffer.shape} was given for a variable of {array.shape}")
        check_together("a variable", array._ctx, "its gradient", buffer._ctx)
        attach(array, buffer, req)


def _head_grads(heads: list[NDArray], head_grads: Any) -> list[NDArray | None] | None:
    if head_grads is None:
        return None
    grads = [head_grads] if isinstance(head_grads, NDArray) else list(head_grads)
    for grad in grads:
        if grad is not None and not isinstance(grad, NDArray):
            raise MXNetTypeError(f"head_grads must be NDArrays or None, got {type(grad).__name__}")
    return grads


def backward(heads: object, head_grads: object = None, retain_graph: bool = False, train_mode: bool = True) -> None:
    """Differentiates ``heads`` with respect to all variables; the gradients land in their ``grad``."""
    arrays = _as_list(heads, "heads")
    _backward(arrays, _head_grads(arrays, head_grads), retain_graph, train_mode)


def grad(
    heads: object,
    variables: object,
    head_grads: object = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    train_mode: bool = True,
) -> list[NDArray]:
    """Returns the list of gradients of ``heads`` with respect to ``variables``, also for a single variable.

    With ``create_graph`` they can be differentiated again. The arrays in ``x.grad`` are left alone.

    >>> x = nd.array([3.0])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = x * x * x
    >>> autograd.grad(y, x)
    [
    [27.]
    <NDArray 1 @cpu(0)>]
    """
    arrays = _as_list(heads, "heads")
    targets = _as_list(variables, "variables")
    keep = create_graph if retain_graph is None else retain_graph
    found = gradients(arrays, targets, _head_grads(arrays, head_grads), keep, create_graph, train_mode)
    make = record_result if create_graph else wrap
    return [make(g, v._ctx, _dense_kind(v)) for g, v in zip(found, targets, strict=True)]


def _dense_kind(array: NDArray) -> type[NDArray]:
    """The class of dense arrays like this one."""
    return NDArray if array.stype != "default" else array.__class__


def get_symbol(x: NDArray) -> Any:
    """The recorded computation of ``x`` as a Symbol: variables are called var0, var1, ..., constants null2, ...

    Which operators are recorded is noted only for programs that ask: this one does, so that its first use works, as
    do ``MXNET_AUTOGRAD_SYMBOL=1`` and the first call of this function.
    """
    from .symbol.symbol import Symbol

    if not isinstance(x, NDArray):
        raise MXNetArgumentError(f"get_symbol takes an NDArray, got {type(x).__name__}")
    if x._var is None and (x._note is None or x._note[1] is not None):
        raise MXNetError("NDArray is not part of a computation graph. Did you forget to turn on recording?")
    entry = notes.entry_of(x)
    missing = [node.name for node in Graph.of([entry]).order if isinstance(node, notes.Unnoted)]
    if missing:
        first = not noting
        notes.start()
        raise MXNetError(
            "get_symbol: this computation was recorded without the names of its operators. "
            + (
                "From now on they are kept: record it again."
                if first
                else "Some of it is not an operator that graphs have."
            )
        )
    if x._numpy:
        from .symbol.numpy import _Symbol

        return _Symbol([entry])
    return Symbol([entry])


class Function:
    """A function with a custom gradient: define ``forward(self, *inputs)`` and ``backward(self, *grads)``.

    Use each instance for one call. ``save_for_backward`` keeps arrays, read as ``self.saved_tensors`` in backward.
    """

    def __init__(self) -> None:
        self._used = False
        self.saved_tensors: tuple[NDArray, ...] = ()

    def save_for_backward(self, *args: NDArray) -> None:
        """Keeps arrays for backward."""
        self.saved_tensors = args

    @overridable
    def forward(self, *inputs: NDArray) -> Any:
        """Computes the outputs; to be overridden."""
        raise NotImplementedError(f"{type(self).__name__} must define forward(self, *inputs)")

    @overridable
    def backward(self, *output_grads: NDArray) -> Any:
        """Computes the gradients of the inputs; to be overridden."""
        raise NotImplementedError(f"{type(self).__name__} must define backward(self, *output_grads)")

    def __call__(self, *inputs: NDArray) -> Any:
        if getattr(self, "_used", False):
            raise MXNetAssertionError("Each Function instance can only be called once. Please create another instance.")
        self._used = True
        for array in inputs[1:]:
            check_together(f"{type(self).__name__}: the first input", inputs[0]._ctx, "another", array._ctx)
        with pause(train_mode=state.training):
            outputs = self.forward(*inputs)
        several = isinstance(outputs, list | tuple)
        results = list(outputs) if several else [outputs]
        if state.recording:
            values, *_ = gate.enter(gate.Function(type(self).__name__), inputs, None)
            tensors = [dense(value) for value in values]
            contexts = [array._ctx for array in inputs], [(array._ctx, _dense_kind(array)) for array in results]
            taped = _Bridge.apply(self, contexts, [r._dense for r in results], *tensors)
            results = [record_result(t, r._ctx, _dense_kind(r)) for t, r in zip(taped, results, strict=True)]
            if noting:
                counts = {"num_args": len(inputs), "num_outputs": len(results)}
                notes.note(get("_CustomFunction"), inputs, counts, results)
        return type(outputs)(results) if several else results[0]


class _Bridge(torch.autograd.Function):
    """Runs a user's ``Function.backward`` inside torch's backward pass."""

    @staticmethod
    def forward(ctx: Any, function: Function, contexts: Any, outputs: list, *inputs: torch.Tensor) -> Any:
        ctx.function, ctx.contexts = function, contexts
        ctx.shapes = [t.shape for t in inputs]
        return tuple(output.view_as(output) for output in outputs)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> Any:
        ins, outs = ctx.contexts
        given = [wrap(g.contiguous(), *placed) for g, placed in zip(grads, outs, strict=True)]
        with pause(train_mode=state.training):
            found = ctx.function.backward(*given)
        found = list(found) if isinstance(found, list | tuple) else [found]
        name = type(ctx.function).__name__
        if len(found) != len(ins):
            raise MXNetValueError(f"{name}.backward returned {len(found)} gradients for {len(ins)} inputs")
        for i, (array, shape) in enumerate(zip(found, ctx.shapes, strict=True)):
            if not isinstance(array, NDArray):
                raise MXNetTypeError(f"{name}.backward must return NDArrays, item {i} is {type(array).__name__}")
            if array.shape != tuple(shape):
                raise MXNetValueError(f"{name}.backward: gradient {i} has shape {array.shape}, expected {tuple(shape)}")
        return (None, None, None, *(array._dense for array in found))
