"""The gate: whatever runs a kernel on arrays enters and leaves here.

On the way in (``enter``), arrays are checked to be on one context and of one kind, classic or of ``mx.np``, and become
tensors or sparse values: their place in the recorded graph, or their memory. Inputs that have to be 1 are set, states
are passed without their place in the graph. On the way out, writes are announced, results get memory of their own and
become arrays (``leave``), or are written to ``out`` (``store``).

``invoke`` does all of this for one operator. ``specialize``, ``with_number`` and ``in_place`` make shorter versions of
it for simple operators, with the same result; ``intercept`` reaches all of them. Graphs, torch modules and functions of
users' own use the parts: ``enter``, ``fix``, ``lend``, ``take_back``, ``copy_if_aliased``, ``leave``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch.utils._python_dispatch import _disable_current_modes

from .._core.dtypes import NAME_OF
from .._core.memory import announce
from .._rng import generator
from ..base import numpy_mode
from ..context import Context, as_context, check_together, current_context
from ..error import MXNetError, MXNetTypeError, MXNetValueError
from ..ops.calling import count_inputs, supply_arguments
from ..ops.derive import bind_arguments
from ..ops.explain import Callee, explain_call, missing_input, mixed_contexts, mixed_kinds, wrong_type
from ..ops.registry import Kernel, OpDef, get, names
from ..ops.sparse import RowSparse, Sparse, dense, find_kernel, run as run_by_storage, stype_of
from . import notes
from .ndarray import NDArray, record_result, wrap
from .sparse_array import BaseSparseNDArray, in_graph, result_array, value_of, write
from .tape import INPLACE, check_writable, noting, state, tensor_in_graph, tie, with_ties

_new = object.__new__
_BOOL = torch.bool
_NO_ATTRIBUTES: dict[str, Any] = {}
_KERNEL_ERRORS = (RuntimeError, TypeError, ValueError, IndexError, ArithmeticError)
#: What makes a specialised function leave the call to ``invoke``, which says what is wrong.
FAILURES = (*_KERNEL_ERRORS, AttributeError)
# On these dtypes a number means the same to torch as to MXNet, which converts it to the array's dtype first.
_EXACT = frozenset((torch.float32, torch.float64))
_NUMBERS = frozenset((int, float))
_SEVERAL = (list, tuple)
_SCALARS = (int, float, np.generic, bool)


@dataclass(frozen=True)
class Function:
    """A function of arrays that is no operator, for error messages."""

    name: str
    required: int = 0

    def input_name(self, index: int) -> str:
        """The name of an input."""
        return f"input {index}"


# ---- entering --------------------------------------------------------------------------------------------------------


def enter(
    callee: Callee,
    inputs: Sequence[object],
    kind: type[NDArray] | None,
    raw: Collection[int] = (),
    optional: bool = False,
) -> tuple[list[Any], Context | None, type[NDArray], bool]:
    """The values of arrays, their context, the kind of the results, and whether one of the arrays is sparse.

    ``kind`` None: arrays of both kinds may meet. ``raw``: inputs that are passed without their place in the graph.
    ``optional``: inputs after the required ones may be None.
    """
    recording = state.recording
    values: list[Any] = []
    context, result, sparse = None, kind or NDArray, False
    for array in inputs:
        if isinstance(array, NDArray):
            if context is None:
                context = array._ctx
            elif array._ctx is not context and (array._ctx.is_gpu or context.is_gpu):
                raise mixed_contexts(callee, inputs)
            if array._numpy is not result._numpy:
                if kind is not None and not numpy_mode.relaxed:
                    raise mixed_kinds(callee, result._numpy)
                if kind is None or array._numpy:
                    result = array.__class__
            graphed = recording and not (raw and len(values) in raw)
            if array._is_sparse:
                sparse = True
                values.append(in_graph(array) if graphed else value_of(array))
            else:
                values.append(tensor_in_graph(array) if graphed else array._data)
        elif array is None and optional:
            if len(values) < callee.required:
                raise missing_input(callee, inputs)
            values.append(None)
        else:
            raise wrong_type(callee, len(values), array)
    return values, context, result, sparse


def fix(inputs: Sequence[Any], positions: Sequence[int], values: list[Any]) -> None:
    """Sets inputs to 1 that an operator takes for 1, such as a gamma that is fixed."""
    for i in positions:
        write(inputs[i], 1)
        if inputs[i]._is_sparse:
            values[i] = in_graph(inputs[i]) if state.recording else value_of(inputs[i])


def lend(arrays: Sequence[NDArray], written: Sequence[int], values: list[Any]) -> list[int]:
    """Puts dense copies in the place of sparse arrays that are about to be written to, and returns which they are."""
    copied = [i for i in written if arrays[i]._is_sparse]
    for i in copied:
        values[i] = arrays[i]._dense
    return copied


def take_back(
    arrays: Sequence[NDArray], written: Sequence[int], values: Sequence[object], copied: Sequence[int]
) -> None:
    """Announces that arrays were written to; those of which copies were lent get their new values."""
    announce([arrays[i]._data for i in written if i not in copied])
    for i in copied:
        write(arrays[i], values[i])


#: Operators that are there to copy from one context to another.
_COPIES = frozenset(("_copyto", "_copyto_", "_CrossDeviceCopy"))


def _check_targets(callee: Callee, context: Context, out: object) -> None:
    """Refuses an ``out=`` on another context than that of the inputs."""
    if callee.name not in _COPIES:
        for target in out if isinstance(out, list | tuple) else (out,):
            if hasattr(target, "_ctx"):
                check_together(f"{callee.name}: what is computed", context, "out", target._ctx)


def supply(op: OpDef, context: Context, out: Any) -> dict[str, Any]:
    """What an eager call gives to a kernel besides inputs and attributes."""
    if "_subgraphs" in op.supplied:
        raise MXNetTypeError(f"{op.name} runs a subgraph and exists in graphs only; use mx.nd.contrib.{op.name[1:]}")
    given = {
        "_train": state.training,
        "_rng": generator(context) if "_rng" in op.supplied else None,
        "_device": context.torch_device,
        "_context": context,
        "_out": _out_tensors(op, out) if "_out" in op.supplied else None,
    }
    return supply_arguments(op, given)


def _out_tensors(op: OpDef, out: Any) -> Any:
    # While recording, the result must be a tensor of the graph; without inputs there is nothing to record.
    if out is None or (state.recording and op.inputs) or _has_sparse(out):
        return None
    return tuple(array._data for array in out) if isinstance(out, list | tuple) else out._data


def _has_sparse(out: object) -> bool:
    return any(getattr(target, "_is_sparse", False) for target in (out if isinstance(out, list | tuple) else [out]))


def _context_of(parsed: Mapping[str, object], out: object) -> Context:
    given = parsed.get("ctx")
    if given is None and isinstance(out, NDArray):
        return out._ctx
    return current_context() if given is None else as_context(given)


# ---- leaving ---------------------------------------------------------------------------------------------------------


def copy_if_aliased(result: object, others: Sequence[object]) -> Any:
    """The result in memory of its own: what MXNet returns is never a view of something else."""
    if isinstance(result, torch.Tensor):
        memory = result.untyped_storage().data_ptr()
        for other in others if memory else ():
            if isinstance(other, torch.Tensor) and other.untyped_storage().data_ptr() == memory:
                return result.clone()
    return result


def leave(value: object, context: Context, kind: type[NDArray] | None = None, sources: Sequence[object] = ()) -> Any:
    """An array around a result that was computed from ``sources``, with its place in the graph while recording."""
    if not isinstance(value, torch.Tensor):
        return result_array(value, context, sources)
    return record_result(value, context, kind, sources) if state.recording else wrap(value, context, kind)


def store(name: str, results: Sequence[Any], out: Any, sources: Sequence[Any] = ()) -> list[NDArray]:
    """Writes results to the arrays that were given as ``out``."""
    targets = list(out) if isinstance(out, list | tuple) else [out]
    if len(targets) != len(results):
        raise MXNetValueError(f"{name}: it has {len(results)} outputs, out= has {len(targets)} array(s)")
    for value, target in zip(results, targets, strict=True):
        if isinstance(target, BaseSparseNDArray):
            _store_sparse(name, value, target)
        else:
            _store(name, dense(value), target, sources)
    return targets


def _store(name: str, result: torch.Tensor, target: object, sources: Sequence[object]) -> None:
    if not isinstance(target, NDArray):
        raise MXNetTypeError(f"{name}: out must be an NDArray, got {type(target).__name__}")
    check_writable(target)
    mine = target._data
    if result.data_ptr() != mine.data_ptr() or result.shape != mine.shape or result.stride() != mine.stride():
        if result.shape != mine.shape:
            raise MXNetValueError(f"{name}: out has shape {tuple(mine.shape)}, the result has {tuple(result.shape)}")
        _check_dtype(name, mine.dtype, result.dtype)
        mine.copy_(result.detach())
    else:
        announce([mine])
    if state.recording and result.requires_grad:
        if target._grad_req != "null":
            raise MXNetError(INPLACE)
        target._var, target._epoch = with_ties(result, sources), state.epoch
    elif state.recording:
        tie(target, sources)


def _store_sparse(name: str, value: Any, target: BaseSparseNDArray) -> None:
    own = target._value.data.dtype
    _check_dtype(name, own, value.data.dtype if isinstance(value, Sparse) else value.dtype)
    # a result of another storage type is made dense first
    target._accept(value if isinstance(value, target._kind) else dense(value))


def _check_dtype(name: str, own: torch.dtype, given: torch.dtype) -> None:
    if given is not own:
        raise MXNetTypeError(f"{name}: out is {NAME_OF[own]}, the result is {NAME_OF.get(given, given)}")


# ---- one operator ----------------------------------------------------------------------------------------------------


def invoke(
    op: OpDef,
    inputs: Sequence[Any],
    attrs: Mapping[str, Any],
    out: Any = None,
    name: str | None = None,
    kind: type[NDArray] = NDArray,
) -> Any:
    """Runs an operator on arrays of a kind. Returns an array, or a list if the operator has several outputs."""
    parsed = op.parse(attrs)
    recording = state.recording
    # States are not in the graph, and tell by their version that they were written to.
    raw = op.aux_positions(parsed) if op.aux and recording else ()
    values, context, kind, sparse = enter(op, inputs, kind, raw, op.variadic is None)
    if len(values) < op.required:
        raise missing_input(op, inputs)
    if op.count is not None and op.active is None and parsed[op.count] != count_inputs(op, len(values)):
        raise MXNetTypeError(f"{op.name}: {op.count}={parsed[op.count]} was given with {len(values)} input(s)")
    if context is None:
        context = _context_of(parsed, out)
    if out is not None:
        _check_targets(op, context, out)
    if op.fixed is not None:
        fix(inputs, op.fixed_inputs(parsed), values)
    if op.supplied:
        parsed = {**parsed, **supply(op, context, out)}
    try:
        if sparse or (out is not None and out.__class__ is not NDArray and _has_sparse(out)):
            result = _run_sparse(op, inputs, values, parsed)
        else:
            result = (_kernel_of(op) if intercepted else op.kernel)(*values, **parsed)
            if op.mutates:
                announce([inputs[i]._data for i in op.mutable_inputs(parsed, len(inputs)) if inputs[i] is not None])
    except MXNetError:
        raise
    except _KERNEL_ERRORS as error:
        raise explain_call(op, [v.data if isinstance(v, Sparse) else v for v in values], parsed, error) from error
    if out is None and not noting and isinstance(result, torch.Tensor):  # what most calls come to, in short
        if op.view:
            result = copy_if_aliased(result, values)
        return record_result(result, context, kind, inputs) if recording else wrap(result, context, kind)
    several = isinstance(result, _SEVERAL)
    results = result if several else (result,)
    if op.view:
        results = [copy_if_aliased(r, values) for r in results]
    if out is None:
        arrays = [leave(r, context, kind, inputs) for r in results]
    else:
        arrays = store(op.name, results, out, inputs)
    if noting and recording:
        notes.note(op, inputs, attrs, arrays)
    if out is not None:
        return out
    return arrays if several else arrays[0]


def _run_sparse(op: OpDef, inputs: Sequence[Any], values: list[Any], parsed: Mapping[str, Any]) -> Any:
    """Runs an operator on values of which some are sparse; sparse ones that it writes to get their new contents."""
    written = [i for i in op.mutable_inputs(parsed, len(inputs)) if inputs[i] is not None] if op.mutates else []
    copied = [i for i in written if isinstance(values[i], Sparse)]
    for i in copied:
        # An optimizer state that was never written to: the first step gives it all of its rows.
        if isinstance(values[i], RowSparse) and not values[i].indices.numel():
            inputs[i]._fill(0)
            values[i] = inputs[i]._value
    if copied and find_kernel(op, tuple(map(stype_of, values)), parsed) is None:
        values = [dense(value) for value in values]

    def kernel(*given: object, **attrs: object) -> Any:
        return run_by_storage(op, given, attrs)

    for around in _interceptors:
        kernel = around(op, kernel)
    result = kernel(*values, **parsed)
    announce([inputs[i]._data for i in written if i not in copied])
    for i in copied:
        if not isinstance(values[i], Sparse):
            inputs[i]._accept(values[i])
    return result


def invoke_any(op: OpDef, inputs: Sequence[NDArray], attrs: Mapping[str, Any], out: Any = None, **more: Any) -> Any:
    """Runs an operator on arrays of any kind: the results are of the kind of the inputs."""
    numpy = next((a.__class__ for a in inputs if isinstance(a, NDArray) and a._numpy), NDArray)
    return invoke(op, inputs, attrs, out, kind=numpy, **more)


def call(name: str, *args: Any, **kwargs: Any) -> Any:
    """Runs an operator by name with arguments as its public function takes them, on arrays of any kind."""
    op = get(name)
    out = kwargs.pop("out", None)
    inputs, attrs = bind_arguments(op, args, kwargs)
    return invoke_any(op, inputs, attrs, out=out)


def intercept(around: Callable[[OpDef, Kernel], Kernel]) -> Callable[[], None]:
    """Runs every operator through ``around(op, kernel)`` from now on, until the function that this returns is called.

    Specialised functions see it as well: they take a shorter way only while an operator runs its own kernel.
    """
    _interceptors.append(around)
    _rebuild()

    def restore() -> None:
        _interceptors.remove(around)
        _rebuild()

    return restore


def is_intercepted() -> bool:
    """Does something run around operators: the profiler, check mode, AMP?"""
    return bool(_interceptors)


def _rebuild() -> None:
    """Gives operators their kernels with all that intercepts them; whoever came first may leave first."""
    intercepted.clear()
    for op in set(names().values()) if _interceptors else ():
        kernel = op.kernel
        for around in _interceptors:
            kernel = around(op, kernel)
        intercepted[op] = kernel


def _kernel_of(op: OpDef) -> Kernel:
    """The kernel as eager calls run it: while operators are intercepted, with all that intercepts them."""
    return intercepted.get(op, op.kernel) if intercepted else op.kernel


intercepted: dict[OpDef, Kernel] = {}
_interceptors: list[Callable[[OpDef, Kernel], Kernel]] = []


# ---- specialised functions -------------------------------------------------------------------------------------------


def specialize(
    op: OpDef, kind: type[NDArray] = NDArray, otherwise: Callable[..., Any] | None = None
) -> Callable[..., Any]:
    """A simple operator of one or two arrays of a kind as a function of them.

    Other arrays, and calls that fail, are left to ``invoke``; or to ``otherwise``, if the second of two is no array of
    that kind.
    """
    kernel = op.kernel
    if op.required == 1:

        def one(x: NDArray) -> NDArray:
            try:
                if x.__class__ is kind:
                    if state.recording and (x._var is not None or x._ties):
                        if noting:
                            return invoke(op, (x,), _NO_ATTRIBUTES, kind=kind)
                        return record_result(_kernel_of(op)(tensor_in_graph(x)), x._ctx, kind, (x,))
                    array = _new(kind)
                    array._data = kernel(x._data) if not intercepted else _kernel_of(op)(x._data)
                    array._ctx = x._ctx
                    return array
            except FAILURES:
                pass
            return invoke(op, (x,), _NO_ATTRIBUTES, kind=kind)

        return one

    direct = op.direct

    def general(x: object, y: object) -> Any:
        return invoke(op, (x, y), _NO_ATTRIBUTES, kind=kind)

    elsewhere = otherwise or general

    def two(x: NDArray, y: NDArray) -> NDArray:
        if y.__class__ is not kind:
            return elsewhere(x, y)
        try:
            if x.__class__ is kind and x._ctx is y._ctx:
                mine, theirs = x._data, y._data
                run, dtype = kernel, mine.dtype
                if intercepted:
                    run = _kernel_of(op)
                elif direct is not None and theirs.dtype is dtype and dtype is not _BOOL:
                    run = direct
                if state.recording and (x._var is not None or y._var is not None or x._ties or y._ties):
                    if noting:
                        return general(x, y)
                    return record_result(run(tensor_in_graph(x), tensor_in_graph(y)), x._ctx, kind, (x, y))
                array = _new(kind)
                array._data = run(mine, theirs)
                array._ctx = x._ctx
                return array
        except FAILURES:
            pass
        return general(x, y)

    return two


def with_number(op: OpDef, kind: type[NDArray]) -> Callable[[NDArray, Any], NDArray]:
    """An operator of an array and a number (``_plus_scalar``) as a function of them."""
    direct = op.direct

    def run(x: NDArray, number: object) -> NDArray:
        if direct and number.__class__ in _NUMBERS and not intercepted and x._data.dtype in _EXACT:
            if state.recording and (x._var is not None or x._ties):
                if not noting:
                    made = direct(tensor_in_graph(x), _as_tensor(number, x._data.dtype))
                    return record_result(made, x._ctx, kind, (x,))
            else:
                return wrap(direct(x._data, _as_tensor(number, x._data.dtype)), x._ctx, kind)
        return invoke_scalar(op, x, number)

    return run


def invoke_scalar(op: OpDef, array: NDArray, number: object) -> NDArray:
    """Runs an operator of an array and a number."""
    if not isinstance(number, _SCALARS):
        raise MXNetTypeError(f"type {type(number)} not supported: expected a number or an NDArray (see mx.nd.array)")
    return invoke_any(op, (array,), {"scalar": number})


def in_place(
    array_op: OpDef, scalar_op: OpDef, quick: Callable[..., torch.Tensor] | None
) -> Callable[[NDArray, Any], NDArray]:
    """In-place operators such as ``x += y``; ``quick`` is torch's function that means the same on floating tensors."""

    def run(self: NDArray, other: object) -> NDArray:
        check_writable(self)
        if not self._writable:
            raise MXNetTypeError("trying to write to a read-only NDArray")
        mine = self._data
        if isinstance(other, NDArray):
            if state.recording and other._var is not None and tensor_in_graph(other).requires_grad:
                raise MXNetError(INPLACE)
            alike = self._ctx is other._ctx and other.__class__ is self.__class__ and not intercepted
            if quick is not None and alike and not state.recording and mine.is_floating_point():
                theirs = other._data
                if theirs.dtype is mine.dtype and theirs.shape == mine.shape:
                    quick(mine, theirs)
                    return self
            return invoke_any(array_op, (self, other), {}, out=self)
        if quick is not None and other.__class__ in _NUMBERS and not state.recording and mine.dtype in _EXACT:
            if not intercepted:
                quick(mine, _as_tensor(other, mine.dtype))
                return self
        if isinstance(other, _SCALARS):
            return invoke_any(scalar_op, (self,), {"scalar": other}, out=self)
        return invoke_scalar(scalar_op, self, other)

    return run


def apply(
    name: str, function: Callable[..., Sequence[torch.Tensor]], arrays: Sequence[NDArray], *more: object
) -> list[NDArray]:
    """Runs a function of tensors, which does at once what operators do one after the other, on arrays."""
    values, context, kind, _ = enter(Function(name), arrays, arrays[0].__class__)
    assert context is not None
    return [leave(result, context, kind, arrays) for result in function(values, *more)]


def _as_tensor(number: object, dtype: torch.dtype) -> torch.Tensor:
    """A number as a tensor without dimensions: torch takes half as long with one as with a Python number."""
    return _zero(number, dtype) if number == 0 else _number(number, dtype)


@lru_cache(maxsize=4096)
def _number(number: float, dtype: torch.dtype) -> torch.Tensor:
    # An ordinary tensor, whatever mode this is called in first.
    with torch.inference_mode(False), _disable_current_modes():
        return torch.tensor(float(number), dtype=dtype)


def _zero(number: float, dtype: torch.dtype) -> torch.Tensor:
    """0.0 and -0.0 are equal, and yet not the same."""
    return torch.tensor(float(number), dtype=dtype)
