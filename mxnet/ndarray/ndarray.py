"""The NDArray: a torch tensor, the context it lives on, and its place in a recorded graph.

``invoke`` runs an operator on NDArrays. Arithmetic and fluent methods (``x.sum()``) come from tables: ``operators.py``.
"""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import torch

from ..context import Context, as_context, current_context
from ..dtypes import NAME_OF, torch_dtype
from ..error import MXNetError, MXNetTypeError, MXNetValueError
from ..memory import announce, expose
from ..ops.derive import bind_arguments
from ..ops.infer import explain_call, input_name
from ..ops.registry import OpDef, get
from . import indexing, serialize
from .arguments import check_targets, joint_kind, mixed_contexts, owned, supply, wrong_type
from .basic_slices import BasicSlices
from .shapes import Shapes
from .tape import (
    INPLACE,
    Leaf,
    anything_tied,
    attach,
    backward,
    check_writable,
    noting,
    settle,
    state,
    tensor_in_graph,
    tie,
    with_choosers,
    with_ties,
)

__all__ = ["NDArray"]


class NoTensor(MXNetTypeError, AttributeError):
    """A sparse array has come where a dense one is expected. What reads arrays of any storage takes ``_dense``."""


_new = object.__new__
_WHOLE = slice(None)
#: Arrays that ctypes has been given, by what it was given for them.
_by_address: WeakValueDictionary[int | None, NDArray] = WeakValueDictionary()


def wrap(tensor: torch.Tensor, context: Context, kind: type[NDArray] | None = None) -> NDArray:
    """An array, an NDArray if no other kind is asked for, around a tensor that takes no part in a graph."""
    array = _new(kind or NDArray)
    array._data = tensor
    array._ctx = context
    return array


def record_result(
    tensor: torch.Tensor, context: Context, kind: type[NDArray] | None = None, sources: Sequence[Any] = ()
) -> NDArray:
    """An array, an NDArray if no other kind is asked for, around what a recorded operator made of its ``sources``."""
    array = _new(kind or NDArray)
    array._ctx = context
    if tensor.requires_grad:
        if anything_tied:
            tensor = with_ties(tensor, sources)
        array._data = tensor.data
        array._var = tensor
        array._epoch = state.epoch
    else:
        array._data = tensor
        if sources:
            tie(array, sources)
    return array


class NDArray(Shapes, BasicSlices):
    """A multi-dimensional array on a device, as in classic MXNet: mutable, with views, recordable by autograd."""

    _data: torch.Tensor
    _ctx: Context
    _var: torch.Tensor | None = None
    _epoch: int = 0
    #: What it is in the graph that is noted, and its place then: see ``notes.py``.
    _note: Any = None
    _grad: NDArray | None = None
    _grad_req: str = "null"
    _leaf: Leaf | None = None
    #: Without a place in the graph: the places that it was computed from, see ``tape.tie``.
    _ties: tuple[Any, ...] = ()
    _writable: bool = True
    #: What is told that backward has written a gradient to this array.
    _landed: Callable[[NDArray], None] | None = None
    #: Is it an array of ``mx.np``? Those and classic ones do not meet in one operator.
    _numpy: bool = False

    __hash__ = object.__hash__
    __array_priority__ = 1000.0

    @property
    def _dense(self) -> torch.Tensor:
        """The elements to read: of a dense array its memory, of a sparse one a dense copy."""
        return self._data

    def __init__(self, handle: Any, writable: bool = True):
        """Shares the memory of another NDArray or of a torch tensor. Use ``mx.nd.array`` to make one from data."""
        if isinstance(handle, ctypes.c_void_p):
            handle = _by_address.get(handle.value, handle)
        if handle is None:  # how pickle makes one, before it sets the state
            self._data, self._ctx = torch.empty(0), current_context()
        elif isinstance(handle, NDArray):
            settle(handle)
            self._data, self._ctx = handle._data.detach(), handle._ctx
        elif isinstance(handle, torch.Tensor):
            torch_dtype(handle.dtype)
            self._data = expose(handle.detach())
            self._ctx = Context("gpu", handle.device.index or 0) if handle.is_cuda else Context("cpu")
        else:
            raise MXNetTypeError(f"NDArray() takes an NDArray or a torch.Tensor, got {type(handle).__name__}")
        if not writable:
            self._writable = False

    # ---- what it is ------------------------------------------------------------------------------------------------

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:
        """For monitors that were written for handles: ``NDArray(ctypes.cast(array, NDArrayHandle))`` is the array."""
        _by_address[id(self)] = self
        return ctypes.c_void_p(id(self))

    @property
    def context(self) -> Context:
        """The device the array lives on."""
        return self._ctx

    ctx = context

    @property
    def stype(self) -> str:
        """The storage type, ``'default'`` for a dense array."""
        return "default"

    @property
    def writable(self) -> bool:
        """Can the array be written to?"""
        return self._writable

    @property
    def handle(self) -> torch.Tensor:
        """The array as a torch tensor, as ``as_torch`` gives it."""
        return self.as_torch()

    def __len__(self) -> int:
        if not self._data.dim():
            raise MXNetTypeError("len() of an array without dimensions")
        return self._data.shape[0]

    def __repr__(self) -> str:
        size = "x".join(str(n) for n in self.shape)
        return f"\n{self.asnumpy()!s}\n<{type(self).__name__} {size} @{self._ctx}>"

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    def __contains__(self, value: Any) -> bool:
        return bool((self == value).asnumpy().any())

    # ---- copies and moves ------------------------------------------------------------------------------------------

    def wait_to_read(self) -> None:
        """Waits until the array has been computed."""
        if self._data.is_cuda:
            torch.cuda.synchronize(self._data.device)

    wait_to_write = wait_to_read

    def copyto(self, other: NDArray | Context) -> Any:
        """Copies into another array of the same shape (converting its dtype), or to a new one on a context."""
        if isinstance(other, NDArray):
            if other.stype != "default":
                return other._accept(self._data)  # type: ignore[attr-defined]
            if other is self or other._data is self._data:
                warnings.warn("You are attempting to copy an array to itself", RuntimeWarning, stacklevel=2)
                return False
            if other._data.shape != self._data.shape:
                raise MXNetValueError(f"copyto: this array has shape {self.shape}, the target has {other.shape}")
            other._assign(self)
            return other
        if isinstance(other, Context):
            device = other.torch_device
            if state.recording and (self._var is not None or self._ties):
                source = tensor_in_graph(self)
                moved = source.clone() if source.device == device else source.to(device)
                array = record_result(moved, other, self.__class__, (self,))
                if noting:
                    _notes().note_call("_copy", self, {}, array)
                return array
            moved = self._data.clone() if self._data.device == device else self._data.to(device)
            return wrap(moved, other, self.__class__)
        raise MXNetTypeError(f"copyto takes an NDArray or a Context, got {type(other).__name__}")

    def as_in_context(self, context: Context) -> NDArray:
        """This array if it is on that context already, else a copy there."""
        return self if self._ctx is as_context(context) else self.copyto(as_context(context))

    as_in_ctx = as_in_context

    def as_np_ndarray(self) -> Any:
        """The array as an ``mx.np.ndarray`` sharing its memory."""
        from .numpy.array import ndarray

        return self._as_kind(ndarray)

    def as_nd_ndarray(self) -> NDArray:
        """The array as a classic NDArray: itself."""
        return self

    def _as_kind(self, kind: type[NDArray]) -> Any:
        """An array of another class in the same memory, with the same place in the graph."""
        settle(self)
        array = wrap(self._data.detach(), self._ctx, kind)
        array._var, array._epoch, array._writable = self._var, self._epoch, self._writable
        array._ties = self._ties
        return array

    def _assign(self, other: NDArray) -> None:
        """Copies all of ``other``, which broadcasts to this array's shape; recorded if ``other`` is."""
        check_writable(self)
        indexing.assign(self._data, other._data)
        if state.recording and other._var is not None:
            source = tensor_in_graph(other)
            if source.requires_grad:
                mine = self._data
                taped = indexing.fitted(source, mine.shape).expand(mine.shape).to(mine.device, mine.dtype)
                self._var = _SameMemory.apply(taped, mine)
                self._epoch = state.epoch

    def _sync_copyfrom(self, source_array: Any) -> None:
        """Copies the elements of a NumPy array of the same shape."""
        values = np.asarray(source_array)
        if values.shape != self.shape:
            raise MXNetValueError(f"Shape inconsistent: expected {self.shape} vs got {values.shape}")
        self[...] = values

    def __reduce__(self) -> Any:
        return type(self), (None,), self.__getstate__()

    def __getstate__(self) -> dict[str, Any]:
        return {"handle": serialize.array_to_bytes(self._data, self._ctx)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        handle = state["handle"]
        if handle is None:
            raise MXNetError("this pickle holds an NDArray without data")
        self._data, self._ctx = serialize.array_from_bytes(handle)

    # ---- autograd --------------------------------------------------------------------------------------------------

    @property
    def _fresh_grad(self) -> bool:
        """Has a backward pass written the gradient since this was last set to False?"""
        return self._leaf is not None and self._leaf.fresh

    @_fresh_grad.setter
    def _fresh_grad(self, value: bool) -> None:
        if self._leaf is not None:
            self._leaf.fresh = bool(value)

    @property
    def grad(self) -> NDArray | None:
        """The gradient buffer made by ``attach_grad``, or None."""
        return self._grad

    def attach_grad(self, grad_req: str = "write", stype: str | None = None) -> None:
        """Makes this array a variable: ``backward`` will put its gradient into ``x.grad``.

        ``grad_req`` is ``'write'`` (overwrite), ``'add'`` (accumulate until you zero it) or ``'null'``.
        """
        if stype in (None, "default"):
            attach(self, wrap(torch.zeros_like(self._data), self._ctx, self.__class__), grad_req)
        else:
            from .sparse import zeros

            attach(self, zeros(stype, self.shape, self._ctx, self.dtype), grad_req)

    def detach(self) -> NDArray:
        """The same memory, without its history in the graph."""
        settle(self)
        return wrap(self._data.detach(), self._ctx, self.__class__)

    def backward(self, out_grad: NDArray | None = None, retain_graph: bool = False, train_mode: bool = True) -> None:
        """Computes the gradients of all variables this array was recorded from; a non-scalar counts as its sum."""
        backward([self], [out_grad], retain_graph, train_mode)

    # ---- what runs operators -----------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        """``x[key]`` by NumPy's rules: contiguous basic slices share memory, all else is a copy."""
        if (key.__class__ is slice and _is_whole(key)) or (key.__class__ is tuple and not key):
            return self
        data = self._data
        if not data.is_contiguous():
            settle(self)
            data = self._data
        if not state.recording:
            # The short way for x[i] and x[a:b]; where torch refuses, the general one says why.
            kind = key.__class__
            if (kind is int and data.dim() > 1) or (kind is slice and key.step is None):
                try:
                    part = data[key]
                except (IndexError, TypeError):
                    return wrap(indexing.read(data, key), self._ctx, self.__class__)
                array = _new(self.__class__)
                array._data = part
                array._ctx = self._ctx
                return array
        else:
            choosers = [part for part in (key if isinstance(key, tuple) else (key,)) if isinstance(part, NDArray)]
            if any(array._var is not None or array._ties for array in (self, *choosers)):
                part = with_choosers(indexing.read(tensor_in_graph(self), _without_arrays(key)), choosers)
                array = record_result(part, self._ctx, self.__class__, (self, *choosers))
                if noting:
                    _notes().note_part(self, key, array)
                return array
        return wrap(indexing.read(self._data, _without_arrays(key)), self._ctx, self.__class__)

    def __setitem__(self, key: Any, value: Any) -> None:
        """``x[key] = value``: writes in place."""
        if not self._writable:
            raise MXNetValueError("trying to assign to a readonly NDArray")
        if state.recording:
            check_writable(self)
        whole = (key.__class__ is slice and key == _WHOLE) or key is Ellipsis
        if isinstance(value, NDArray):
            if state.recording and value._var is not None and tensor_in_graph(value).requires_grad:
                if not (whole or indexing.selects_all(self._data, key)):
                    raise MXNetError(INPLACE)
                return self._assign(value)
            if value.__class__ is not NDArray and value.stype != "default":
                raise MXNetTypeError(
                    f"{type(self).__name__} does not support assignment from a {value.stype} array; use its copyto()"
                )
            value = value._data
        if whole:
            indexing.assign(self._data, value)
        else:
            indexing.write(self._data, _without_arrays(key), value)

    def __neg__(self) -> NDArray:
        return call("_mul_scalar", self, scalar=-1) if self.dtype is np.bool_ else call("negative", self)

    def __abs__(self) -> NDArray:
        return call("abs", self)

    def __copy__(self) -> NDArray:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> NDArray:
        return wrap(self._data.clone(), self._ctx, self.__class__)

    @property
    def T(self) -> NDArray:
        """The array with its axes in reverse order, a copy; an array of one dimension is its own."""
        return self if self.ndim < 2 else call("transpose", self)

    def copy(self) -> NDArray:
        """A copy on the same context."""
        return call("_copy", self)

    def astype(self, dtype: Any, copy: bool = True) -> NDArray:
        """The array converted to a dtype: a copy, unless ``copy=False`` and it has that dtype already."""
        wanted = torch_dtype("float32" if dtype is None else dtype)
        if not copy and wanted is self._data.dtype:
            return self
        return call("Cast", self, dtype=wanted)

    def tostype(self, stype: str) -> NDArray:
        """A copy in a storage type: ``'default'``, ``'csr'`` or ``'row_sparse'``."""
        return call("_copy", self) if stype == "default" else call("cast_storage", self, stype=stype)

    def reshape(self, *shape: Any, **kwargs: Any) -> NDArray:
        """A view with another shape; codes 0, -1, -2, -3, -4 and ``reverse`` as in the operator ``reshape``."""
        if len(shape) == 1 and not kwargs and self._var is None and not self._ties and self._data.is_contiguous():
            plain = shape[0]
            try:
                if plain.__class__ is tuple and plain and min(plain) > 0:
                    return wrap(self._data.view(plain), self._ctx, self.__class__)
            except (RuntimeError, TypeError):
                pass  # of another size: what follows says what is wrong
        return self._view(indexing.target_shape(self.shape, *shape, **kwargs))

    def _view(self, target: tuple[int, ...]) -> NDArray:
        settle(self)
        if state.recording and (self._var is not None or self._ties):
            array = record_result(tensor_in_graph(self).view(target), self._ctx, self.__class__, (self,))
            if noting:
                _notes().note_call("Reshape", self, {"shape": target}, array)
            return array
        return wrap(self._data.view(target), self._ctx, self.__class__)

    def _run(self, name: str, *args: Any, **kwargs: Any) -> Any:
        return call(name, self, *args, **kwargs)


def _is_whole(key: slice) -> bool:
    return key.start is None and key.stop is None and key.step in (None, 1)


class _SameMemory(torch.autograd.Function):
    """The identity whose result lives in the memory of another tensor."""

    @staticmethod
    def forward(ctx: Any, source: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
        return memory.data

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:  # type: ignore[override]
        return grad, None


# ---- the eager path: check contexts, run the kernel, wrap what comes out --------------------------------------------


def invoke(
    op: OpDef,
    inputs: Sequence[Any],
    attrs: Mapping[str, Any],
    out: Any = None,
    name: str | None = None,
    kind: type[NDArray] = NDArray,
) -> Any:
    """Runs an operator on NDArrays, or another kind of arrays. Returns one, or a list if it has several outputs."""
    parsed = op.parse(attrs)
    recording = state.recording
    context = None
    tensors: list[torch.Tensor | None] = []
    absent = len(inputs) < op.required
    try:
        for array in inputs:
            if isinstance(array, NDArray):
                if context is None:
                    context = array._ctx
                elif array._ctx is not context and (array._ctx.is_gpu or context.is_gpu):
                    raise mixed_contexts(op, inputs)
                if array._numpy is not kind._numpy:
                    kind = joint_kind(op, array, kind)
                tensors.append(tensor_in_graph(array) if recording else array._data)
            elif array is None and op.variadic is None:
                absent = absent or len(tensors) < op.required
                tensors.append(None)
            else:
                where = input_name(op, len(tensors))
                raise wrong_type(op.name, where, array)
        if out is not None and out.__class__ is not NDArray:
            _ = [target._data for target in (out if isinstance(out, list | tuple) else [out])]
    except NoTensor:
        return _sparse().invoke_sparse(op, inputs, attrs, out)
    if absent:
        missing = [n for n, t in zip(op.inputs, [*tensors, *[None] * op.required], strict=False) if t is None]
        raise MXNetTypeError(f"{op.name}: input {missing[0]!r} was not given; it takes {', '.join(op.inputs)}")
    if op.count is not None and op.active is None and parsed[op.count] != len(tensors) - len(op.inputs) + 1:
        raise MXNetTypeError(f"{op.name}: {op.count}={parsed[op.count]} was given with {len(tensors)} input(s)")
    if context is None:
        context = _context_of(parsed, out)
    if out is not None:
        check_targets(op, context, out)
    if op.fixed is not None:
        for i in op.fixed_inputs(parsed):
            inputs[i]._data.fill_(1)
    if op.aux and recording:  # states are not in the graph, and tell by their version that they were written to
        for i in op.aux_positions(parsed):
            if i < len(tensors) and tensors[i] is not None:
                tensors[i] = inputs[i]._data
    if op.supplied:
        parsed = supply(op, parsed, context, out)
    try:
        result = op.eager(*tensors, **parsed)
    except MXNetError:
        raise
    except (RuntimeError, TypeError, ValueError, IndexError, ArithmeticError) as error:
        raise explain_call(op, tensors, parsed, error) from error
    if op.mutates:
        announce([inputs[i]._data for i in op.written_inputs(parsed, len(inputs)) if inputs[i] is not None])
    if isinstance(result, torch.Tensor):
        if op.view:
            result = owned(result, tensors)
        if out is None:
            if not recording:
                return wrap(result, context, kind)
            array = record_result(result, context, kind, inputs)
            if noting:
                _notes().note(op, inputs, attrs, (array,))
            return array
        target = _write(op, result, out[0] if isinstance(out, list | tuple) and len(out) == 1 else out, inputs)
        if noting and recording:
            _notes().note(op, inputs, attrs, (target,))
        return out
    if not isinstance(result, list | tuple):  # a sparse value
        if out is None:
            return _sparse().result_array(result, context, inputs)
        return _sparse().invoke_sparse(op, inputs, attrs, out)
    if op.view:
        result = [owned(r, tensors) for r in result]
    if out is None:
        if not recording:
            return [wrap(r, context, kind) for r in result]
        arrays = [record_result(r, context, kind, inputs) for r in result]
        if noting:
            _notes().note(op, inputs, attrs, arrays)
        return arrays
    targets = list(out) if isinstance(out, list | tuple) else [out]
    if len(targets) != len(result):
        raise MXNetValueError(f"{op.name}: it has {len(result)} outputs, out= has {len(targets)} array(s)")
    for r, target in zip(result, targets, strict=True):
        _write(op, r, target, inputs)
    if noting and recording:
        _notes().note(op, inputs, attrs, targets)
    return out


def shortcut(
    op: OpDef, kind: type[NDArray] = NDArray, otherwise: Callable[..., Any] | None = None
) -> Callable[..., Any]:
    """A simple operator of one or two arrays of a kind as a function of them, by the shortest way.

    What that is not for, and what fails, takes the general way of ``invoke``, which says what is wrong; or that of
    ``otherwise``, if the second of two is no array of that kind.
    """
    if op.required == 1:

        def one(x: NDArray) -> NDArray:
            try:
                if x.__class__ is kind:
                    if state.recording and (x._var is not None or x._ties):
                        if noting:
                            return invoke(op, (x,), _NO_ATTRIBUTES, kind=kind)
                        return record_result(op.eager(tensor_in_graph(x)), x._ctx, kind, (x,))
                    array = _new(kind)
                    array._data = op.eager(x._data)
                    array._ctx = x._ctx
                    return array
            except _FAILURES:
                pass
            return invoke(op, (x,), _NO_ATTRIBUTES, kind=kind)

        return one

    direct, kernel = op.direct, op.kernel

    def general(x: Any, y: Any) -> Any:
        return invoke(op, (x, y), _NO_ATTRIBUTES, kind=kind)

    elsewhere = otherwise or general

    def two(x: NDArray, y: NDArray) -> NDArray:
        if y.__class__ is not kind:
            return elsewhere(x, y)
        try:
            if x.__class__ is kind and x._ctx is y._ctx:
                mine, theirs = x._data, y._data
                run, dtype = op.eager, mine.dtype
                if direct is not None and run is kernel and theirs.dtype is dtype and dtype is not _BOOL:
                    run = direct
                if state.recording and (x._var is not None or y._var is not None or x._ties or y._ties):
                    if noting:
                        return general(x, y)
                    return record_result(run(tensor_in_graph(x), tensor_in_graph(y)), x._ctx, kind, (x, y))
                array = _new(kind)
                array._data = run(mine, theirs)
                array._ctx = x._ctx
                return array
        except _FAILURES:
            pass
        return general(x, y)

    return two


def _notes() -> Any:
    from . import notes

    return notes


def _sparse() -> Any:
    from . import sparse_array

    return sparse_array


_FAILURES = (RuntimeError, TypeError, ValueError, IndexError, AttributeError)
_NO_ATTRIBUTES: dict[str, Any] = {}
_BOOL = torch.bool


def _without_arrays(key: Any) -> Any:
    """An index with the tensors of its NDArrays."""
    if isinstance(key, NDArray):
        return key._dense
    if isinstance(key, tuple):
        return tuple(_without_arrays(k) for k in key)
    return key


def _context_of(parsed: Mapping[str, Any], out: Any) -> Context:
    given = parsed.get("ctx")
    if given is None and isinstance(out, NDArray):
        return out._ctx
    return current_context() if given is None else as_context(given)


def _write(op: OpDef, result: torch.Tensor, target: Any, sources: Sequence[Any] = ()) -> NDArray:
    if not isinstance(target, NDArray):
        raise MXNetTypeError(f"{op.name}: out must be an NDArray, got {type(target).__name__}")
    check_writable(target)
    mine = target._data
    if result.data_ptr() != mine.data_ptr() or result.shape != mine.shape or result.stride() != mine.stride():
        if result.shape != mine.shape:
            raise MXNetValueError(f"{op.name}: out has shape {tuple(mine.shape)}, the result has {tuple(result.shape)}")
        if result.dtype is not mine.dtype:
            raise MXNetTypeError(
                f"{op.name}: out is {NAME_OF[mine.dtype]}, the result is {NAME_OF.get(result.dtype, result.dtype)}"
            )
        mine.copy_(result.detach())
    else:
        announce([mine])
    if state.recording and result.requires_grad:
        if target._grad_req != "null":
            raise MXNetError(INPLACE)
        target._var, target._epoch = with_ties(result, sources), state.epoch
    elif state.recording:
        tie(target, sources)
    return target


def invoke_any(op: OpDef, inputs: Sequence[Any], attrs: Mapping[str, Any], out: Any = None, **more: Any) -> Any:
    """Runs an operator on arrays of any kind: the results are of the kind of the inputs."""
    numpy = next((a.__class__ for a in inputs if isinstance(a, NDArray) and a._numpy), NDArray)
    return invoke(op, inputs, attrs, out, kind=numpy, **more)


def call(name: str, *args: Any, **kwargs: Any) -> Any:
    """Runs an operator by name with arguments as its public function takes them, on arrays of any kind."""
    op = get(name)
    out = kwargs.pop("out", None)
    inputs, attrs = bind_arguments(op, args, kwargs)
    return invoke_any(op, inputs, attrs, out=out)
