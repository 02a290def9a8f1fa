"""The NDArray: a torch tensor, the context it lives on, and its place in a recorded graph.

``gate.py`` runs operators on NDArrays. Arithmetic and fluent methods (``x.sum()``) come from tables: ``operators.py``.
"""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload
from weakref import WeakValueDictionary

import numpy as np
import torch

from .._core.dtypes import NAME_OF, torch_dtype
from .._core.memory import expose
from .._core.types import Device
from ..context import Context, as_context, current_context
from ..error import MXNetError, MXNetTypeError, MXNetValueError
from . import indexing, serialize
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

if TYPE_CHECKING:
    from .derived_methods import DerivedMethods
    from .sparse_array import CSRNDArray, RowSparseNDArray
else:
    DerivedMethods = BasicSlices  # operators.py adds them to the class

__all__ = ["NDArray"]


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
    tensor: torch.Tensor, context: Context, kind: type[NDArray] | None = None, sources: Sequence[object] = ()
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


class NDArray(Shapes, DerivedMethods):
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
    #: The leaf by which an executor differentiates with respect to it.
    _bound: torch.Tensor | None = None
    #: What is called when backward has written a gradient to this array.
    _landed: Callable[[NDArray], None] | None = None
    #: Is it an array of ``mx.np``? Those and classic ones do not meet in one operator.
    _numpy: bool = False
    #: Is it csr or row-sparse? Then it has no tensor ``_data``, but a ``_value``.
    _is_sparse: bool = False

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
            raise MXNetTypeError("len() of a 0-d array")
        return self._data.shape[0]

    def __repr__(self) -> str:
        size = "x".join(str(n) for n in self.shape)
        return f"\n{self.asnumpy()!s}\n<{type(self).__name__} {size} @{self._ctx}>"

    def __iter__(self) -> Iterator[NDArray]:
        for i in range(len(self)):
            yield self[i]

    def __contains__(self, value: object) -> bool:
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
                taped = indexing.fit_shape(source, mine.shape).expand(mine.shape).to(mine.device, mine.dtype)
                self._var = _SameMemory.apply(taped, mine)
                self._epoch = state.epoch

    def _sync_copyfrom(self, source_array: object) -> None:
        """Copies the elements of a NumPy array of the same shape."""
        values = np.asarray(source_array)
        if values.shape != self.shape:
            raise MXNetValueError(f"Shape inconsistent: expected {self.shape} vs got {values.shape}")
        self[...] = values

    def __reduce__(self) -> Any:
        state = self.__getstate__()  # first: until its value has arrived, an array is of another class (pending.py)
        return type(self), (None,), state

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
    def grad(self) -> NDArray:
        """The gradient buffer made by ``attach_grad``, or None."""
        return self._grad  # type: ignore[return-value]  # programs need not ask whether it is None

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

    def __getitem__(self, key: Any) -> NDArray:
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

    def __setitem__(self, key: object, value: object) -> None:
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
        return self._run("_mul_scalar", scalar=-1) if self.dtype is np.bool_ else self._run("negative")

    def __abs__(self) -> NDArray:
        return self._run("abs")

    def __copy__(self) -> NDArray:
        return self.copy()

    def __deepcopy__(self, memo: object) -> NDArray:
        return wrap(self._data.clone(), self._ctx, self.__class__)

    @property
    def T(self) -> NDArray:
        """The array with its axes in reverse order, a copy; an array of one dimension is its own."""
        return self if self.ndim < 2 else self._run("transpose")

    def copy(self) -> NDArray:
        """A copy on the same context."""
        return self._run("_copy")

    def astype(self, dtype: Any, copy: bool = True) -> NDArray:
        """The array converted to a dtype: a copy, unless ``copy=False`` and it has that dtype already."""
        wanted = torch_dtype("float32" if dtype is None else dtype)
        if not copy and wanted is self._data.dtype:
            return self
        return self._run("Cast", dtype=NAME_OF[wanted])

    @overload
    def tostype(self, stype: Literal["csr"]) -> CSRNDArray: ...
    @overload
    def tostype(self, stype: Literal["row_sparse"]) -> RowSparseNDArray: ...
    @overload
    def tostype(self, stype: str) -> NDArray: ...
    def tostype(self, stype: str) -> NDArray:
        """A copy in a storage type: ``'default'``, ``'csr'`` or ``'row_sparse'``."""
        return self._run("_copy") if stype == "default" else self._run("cast_storage", stype=stype)

    def reshape(self, *shape: object, **kwargs: object) -> NDArray:
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


def _is_whole(key: slice) -> bool:
    return key.start is None and key.stop is None and key.step in (None, 1)


class _SameMemory(torch.autograd.Function):
    """The identity whose result lives in the memory of another tensor."""

    @staticmethod
    def forward(ctx: Device, source: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
        return memory.data

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:  # type: ignore[override]
        return grad, None


def _without_arrays(key: object) -> object:
    """An index with the tensors of its NDArrays."""
    if isinstance(key, NDArray):
        return key._dense
    if isinstance(key, tuple):
        return tuple(_without_arrays(k) for k in key)
    return key


def _notes() -> Any:
    from . import notes

    return notes
