"""Sparse arrays: csr and row-sparse. Their Python operators come from tables: ``operators.py``."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from .._core.dtypes import NUMPY_OF, torch_dtype
from .._core.memory import expose
from ..base import NotSupportedForSparseNDArray
from ..context import Context
from ..error import (
    MXNetError,
    MXNetIndexError,
    MXNetNotImplementedError,
    MXNetTypeError,
    MXNetValueError,
)
from ..ops import sparse as storage
from ..ops.differentiate import is_freed
from ..ops.sparse import CSR, RowSparse, Sparse, convert, from_dense, place_in_graph, zeros
from . import serialize
from .ndarray import NDArray, wrap
from .tape import INPLACE, attach, check_writable, state, tensor_in_graph, tie

_new = object.__new__
_ELEMENTWISE = {"add": "elemwise_add", "sub": "elemwise_sub", "mul": "elemwise_mul"}


class _Contents:
    """What an array and its aliases (by ``detach`` or a handle) hold together: who writes replaces it for all.

    ``loose``: the indices came from outside and may be out of order, or name a place twice.
    """

    __slots__ = ("loose", "value")

    def __init__(self, value: Any, loose: bool = False):
        self.value = value
        self.loose = loose

    def tidy(self) -> Any:
        """The value with its indices in order; what is stored twice is summed. Wrong indices are an error here."""
        if not self.loose:
            return self.value
        wrong = self.value.problem(full=False)
        if wrong is not None:
            raise MXNetValueError(f"a {self.value.stype} array that is not valid cannot be used: {wrong}")
        return self.value.sum_duplicates()


class BaseSparseNDArray(NDArray):
    """What csr and row-sparse arrays have in common. Operators without an entry for them work on dense copies."""

    _contents: _Contents
    #: The place of the elements in a recorded graph.
    _place: torch.Tensor | None = None
    _kind: type = Sparse
    _is_sparse = True
    __hash__ = object.__hash__

    def __init__(self, handle: Any = None, writable: bool = True):
        """Shares the contents of a sparse array of the same kind."""
        if handle is None:  # how pickle makes one, before it sets the state
            return
        if not isinstance(handle, type(self)):
            raise MXNetTypeError(f"{type(self).__name__}() takes another one, got {type(handle).__name__}")
        self._contents, self._ctx, self._writable = handle._contents, handle._ctx, writable

    @property
    def _value(self) -> Any:
        """What operators take. The first use puts indices in order and sums what is stored twice."""
        contents = self._contents
        if contents.loose:
            contents.value, contents.loose = contents.tidy(), False
        return contents.value

    @_value.setter
    def _value(self, value: Any) -> None:
        self._contents.value, self._contents.loose = value, False

    @property
    def _data(self) -> torch.Tensor:  # type: ignore[override]
        raise MXNetTypeError(f"this takes dense arrays, a {self.stype} array was given; use tostype('default')")

    @property
    def _dense(self) -> torch.Tensor:
        return self._contents.tidy().dense()

    # ---- what it is ------------------------------------------------------------------------------------------------

    @property
    def stype(self) -> str:
        """The storage type, ``'csr'`` or ``'row_sparse'``."""
        return self._kind.stype  # type: ignore[attr-defined]

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        return self._contents.value.shape

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._contents.value.shape)

    @property
    def dtype(self) -> Any:
        """The NumPy type of the elements."""
        return NUMPY_OF[self._contents.value.data.dtype]

    @property
    def size(self) -> int:
        """Not defined for sparse arrays, as in the original; ``data.size`` counts what is stored."""
        raise MXNetNotImplementedError("size is not defined for sparse arrays; data.size counts the stored elements")

    @property
    def data(self) -> NDArray:
        """A copy of the stored elements."""
        return self._part(self._contents.value.data)

    @data.setter
    def data(self, value: object) -> None:
        raise MXNetNotImplementedError("the elements of a sparse array cannot be replaced alone; assign to a[:]")

    @property
    def indices(self) -> NDArray:
        """A copy of the indices of what is stored: columns of a csr matrix, rows of a row-sparse array."""
        return self._part(self._contents.value.indices)

    def _part(self, tensor: torch.Tensor) -> NDArray:
        return wrap(tensor.clone(), self._ctx)

    @property
    def _num_aux(self) -> int:
        return len(self._contents.value.parts()) - 1

    @property
    def _aux_types(self) -> list[Any]:
        return [np.int64] * self._num_aux

    def _aux_data(self, i: int) -> NDArray:
        """A copy of the i-th array of indices: of a csr array ``indptr`` comes first."""
        names = ["indptr", "indices"] if self.stype == "csr" else ["indices"]
        return getattr(self, names[i])

    def _aux_type(self, i: int) -> object:
        return self._aux_types[i]

    def __len__(self) -> int:
        return self.shape[0]

    def __bool__(self) -> bool:
        raise MXNetValueError("The truth value of an NDArray with multiple elements is ambiguous.")

    def __repr__(self) -> str:
        return f"\n<{type(self).__name__} {'x'.join(map(str, self.shape))} @{self._ctx}>"

    def __float__(self) -> float:
        raise MXNetTypeError(f"float() argument must be a string or a real number, not '{type(self).__name__}'")

    def __iter__(self) -> Any:
        raise MXNetTypeError(f"a {self.stype} array cannot be iterated; use tostype('default')")

    def wait_to_read(self) -> None:
        """Waits until the array has been computed."""
        wrap(self._contents.value.data, self._ctx).wait_to_read()

    wait_to_write = wait_to_read

    def asscalar(self) -> Any:
        """Not defined for sparse arrays."""
        raise MXNetNotImplementedError("asscalar is not defined for sparse arrays; use tostype('default')")

    def reshape(self, *shape: object, **kwargs: object) -> NDArray:
        """Not defined for sparse arrays."""
        raise NotSupportedForSparseNDArray("reshape", None, shape)

    def _as_kind(self, kind: type[NDArray]) -> Any:
        raise MXNetNotImplementedError("mx.np has no sparse arrays; use tostype('default')")

    def __dlpack__(self, **kwargs: Any) -> Any:
        raise MXNetTypeError("DLPack has no sparse arrays; use tostype('default'), or as_torch() for torch")

    def _sync_copyfrom(self, source_array: object) -> None:
        raise MXNetNotImplementedError("_sync_copyfrom is not defined for sparse arrays; assign to a[:]")

    def check_format(self, full_check: bool = True) -> None:
        """Raises if the shapes of the parts do not fit. ``full_check`` also wants valid indices in order."""
        value = self._contents.value
        wrong = value.problem() if full_check else value.shape_problem()
        if wrong is not None:
            raise MXNetValueError(f"{type(self).__name__}: {wrong}")

    # ---- copies and conversions -------------------------------------------------------------------------------------

    def asnumpy(self) -> np.ndarray:
        """A dense copy as a NumPy array."""
        return wrap(self._dense, self._ctx).asnumpy()

    def astype(self, dtype: Any, copy: bool = True) -> NDArray:
        """The array converted to a dtype, in the same storage."""
        wanted = torch_dtype("float32" if dtype is None else dtype)
        if not copy and wanted is self._value.data.dtype:
            return self
        value = in_graph(self) if state.recording else self._value
        return result_array(value.map(torch.clone).with_data(value.data.to(wanted, copy=True)), self._ctx)

    def copy(self) -> NDArray:
        """A copy on the same context."""
        return self._run("_copy")

    def __deepcopy__(self, memo: Any) -> NDArray:
        return wrap_value(self._value.map(torch.clone), self._ctx)

    def tostype(self, stype: str) -> Any:
        """A copy in a storage type: its own, or ``'default'``."""
        if stype not in ("default", self.stype):
            raise MXNetValueError(f"cast_storage from {self.stype} to {stype} is not supported")
        return self._run("cast_storage", stype=stype)

    def copyto(self, other: NDArray | Context) -> Any:
        """Copies into an array of the same shape, dense or of the same storage type, or to a new one on a context."""
        if isinstance(other, Context):
            device = other.torch_device
            return wrap_value(self._value.map(lambda part: part.to(device, copy=True)), other)
        if not isinstance(other, NDArray):
            raise MXNetTypeError(f"copyto takes an NDArray or a Context, got {type(other).__name__}")
        if other is self:
            warnings.warn("You are attempting to copy an array to itself", RuntimeWarning, stacklevel=2)
            return False
        if other.shape != self.shape:
            raise MXNetValueError(f"copyto: this array has shape {self.shape}, the target has {other.shape}")
        if isinstance(other, BaseSparseNDArray):
            return other._accept(self._value_in(other))
        check_writable(other)
        other._data.copy_(self._value.dense())
        return other

    def _value_in(self, other: BaseSparseNDArray) -> Any:
        """The value in the dtype of another array, which copies are converted to."""
        return self._value.with_data(self._value.data.to(other._value.data.dtype))

    def _accept(self, value: Any) -> NDArray:
        """Takes other contents of the same shape: a value of this storage type, or a dense tensor of the same dtype."""
        if isinstance(value, Sparse) and not isinstance(value, self._kind):
            raise MXNetTypeError(f"copyto does not support destination NDArray stype {self.stype}")
        if tuple(value.shape) != self.shape:
            raise MXNetValueError(f"an array of shape {self.shape} cannot take one of shape {tuple(value.shape)}")
        if isinstance(value, Sparse):
            value = value.with_data(value.data.to(self._value.data.dtype))
        elif value.dtype is not self._value.data.dtype:
            raise MXNetTypeError(f"the array is {self._value.data.dtype}, what it is given is {value.dtype}")
        if not self._writable:
            raise MXNetValueError("trying to assign to a readonly NDArray")
        if state.recording and self._place is not None:
            raise MXNetError(INPLACE)
        device = self._ctx.torch_device
        own = convert(value, self.stype) if isinstance(value, Sparse) else from_dense(value, self.stype)
        self._value = own.map(lambda part: part.detach().to(device, copy=True))
        return self

    def _receive(self, value: Any, add: bool) -> None:
        """A gradient: in the place of what is there, or added to it."""
        if add:
            value = storage.elementwise.union(torch.add, self._value, value)
        self._value = value.with_data(value.data.to(self._value.data.dtype))

    def _clear(self) -> None:
        old = self._value
        self._value = zeros(self.stype, old.shape, old.data.dtype, old.device)

    def __setitem__(self, key: object, value: Any) -> None:
        """``a[:] = value``: an array of this storage type, a dense one or a NumPy array."""
        if not isinstance(key, slice):
            raise MXNetTypeError(f"{type(self).__name__} only supports [:] for assignment")
        if key != slice(None):
            raise MXNetValueError(f"Assignment with slice for {type(self).__name__} is not implemented yet.")
        if isinstance(value, BaseSparseNDArray):
            self._accept(value._value_in(self))
        elif isinstance(value, NDArray):
            self._accept(value._data)
        elif isinstance(value, np.ndarray):
            self._accept(torch.as_tensor(np.ascontiguousarray(value)).to(self._value.data.dtype))
        elif isinstance(value, int | float | np.generic):
            self._fill(value)
        elif hasattr(value, "tocsr"):
            from .sparse import array

            self._accept(array(value, dtype=self.dtype)._value)
        else:
            raise MXNetTypeError(f"type {type(value)} not supported")

    def _fill(self, value: object) -> None:
        raise MXNetValueError(f"Assigning numeric types to {type(self).__name__} is not implemented yet.")

    def __getstate__(self) -> dict[str, Any]:
        return {"handle": serialize.array_to_bytes(self._contents.value, self._ctx)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        value, self._ctx = serialize.array_from_bytes(state["handle"])
        self._contents = _Contents(value, value.problem() is not None)

    # ---- autograd ----------------------------------------------------------------------------------------------------

    def attach_grad(self, grad_req: str = "write", stype: str | None = None) -> None:
        """Makes this array a variable, with a gradient of the same storage type unless ``stype`` says otherwise."""
        grad = zeros(stype or self.stype, self.shape, self._value.data.dtype, self._value.device)
        attach(self, wrap_any(grad, self._ctx), grad_req)

    def detach(self) -> NDArray:
        """The same contents, without their history in the graph."""
        alias = wrap_value(self._contents.value, self._ctx)
        alias._contents = self._contents
        return alias


class CSRNDArray(BaseSparseNDArray):
    """A matrix in compressed sparse row format: for each row, the columns and values of its elements."""

    _kind = CSR

    @property
    def indptr(self) -> NDArray:
        """A copy of the places where rows begin: row i is ``indptr[i]:indptr[i + 1]`` of data and indices."""
        return self._part(self._contents.value.indptr)

    def __getitem__(self, key: object) -> CSRNDArray:
        """``a[i]`` and ``a[i:j]``: rows, as a csr matrix."""
        if isinstance(key, tuple):
            raise MXNetValueError("Multi-dimension indexing is not supported")
        if isinstance(key, int | np.integer):
            if not -self.shape[0] <= key < self.shape[0]:
                raise MXNetIndexError(f"row {key} is out of range: there are {self.shape[0]} rows")
            begin = int(key) % self.shape[0]
            return self._run("slice", begin=(begin,), end=(begin + 1,))
        if isinstance(key, slice):
            if key.step not in (None, 1):
                raise MXNetValueError("CSRNDArray only supports continuous slicing on axis 0")
            return self._run("slice", begin=(key.start,), end=(key.stop,))
        raise MXNetValueError(f"Undefined behaviour for {key}")

    def asscipy(self) -> Any:
        """A copy as a ``scipy.sparse.csr_matrix``."""
        try:
            import scipy.sparse
        except ImportError:
            raise ImportError("asscipy needs SciPy: pip install scipy") from None
        parts = (self.data.asnumpy(), self.indices.asnumpy(), self.indptr.asnumpy())
        return scipy.sparse.csr_matrix(parts, shape=self.shape, dtype=self.dtype)

    def as_torch(self) -> torch.Tensor:
        """The matrix as a torch tensor of the layout ``sparse_csr`` that shares its memory."""
        value = self._value
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch calls that layout a beta
            return torch.sparse_csr_tensor(value.indptr, value.indices, expose(value.data), value.shape)


class RowSparseNDArray(BaseSparseNDArray):
    """An array of which only some rows are stored; the others are zero."""

    _kind = RowSparse

    def __getitem__(self, key: object) -> RowSparseNDArray:
        """``a[:]``: the array itself."""
        if isinstance(key, int | np.integer):
            raise MXNetNotImplementedError("__getitem__ with int key is not implemented for RowSparseNDArray yet")
        if isinstance(key, slice):
            if key != slice(None):
                raise MXNetNotImplementedError("RowSparseNDArray only supports [:] for __getitem__")
            return self
        text = (
            "Multi-dimension indexing is not supported" if isinstance(key, tuple) else f"Undefined behaviour for {key}"
        )
        raise MXNetValueError(text)

    def _fill(self, value: Any) -> None:
        self._accept(torch.zeros(self.shape, dtype=self._value.data.dtype))
        count = self.shape[0]
        data = self._value.data.new_full(self.shape, value)
        self._value = RowSparse(data, torch.arange(count, device=data.device), self.shape)

    def retain(self, indices: NDArray, out: object = None) -> RowSparseNDArray:
        """The rows with the given numbers; all others become zero."""
        return self._run("_sparse_retain", indices, **({} if out is None else {"out": out}))

    def as_torch(self) -> torch.Tensor:
        """The array as a torch tensor of the layout ``sparse_coo`` that shares its memory."""
        value = self._value
        return torch.sparse_coo_tensor(
            value.indices.unsqueeze(0), expose(value.data), value.shape, check_invariants=False
        )


for _class in (BaseSparseNDArray, CSRNDArray, RowSparseNDArray):
    _class.__module__ = "mxnet.ndarray.sparse"  # where pickles look for them
_CLASSES: dict[type, type[BaseSparseNDArray]] = {CSR: CSRNDArray, RowSparse: RowSparseNDArray}


def wrap_value(value: Sparse, context: Context, checked: bool = True) -> Any:
    """A sparse array around a value that takes no part in a graph; ``checked``: its indices are in order."""
    array = _new(_CLASSES[type(value)])
    array._contents, array._ctx = _Contents(value, not checked and value.problem() is not None), context
    return array


def wrap_any(value: Any, context: Context, checked: bool = True) -> Any:
    """An array around a dense tensor or a sparse value."""
    return wrap_value(value, context, checked) if isinstance(value, Sparse) else wrap(value, context)


def result_array(value: Any, context: Context, sources: Sequence[Any] = ()) -> Any:
    """A sparse array around what an operator gave, with its place in the graph if it has one."""
    if not value.requires_grad:
        array = wrap_value(value, context)
        if state.recording:
            tie(array, sources)
        return array
    array = wrap_value(value.apart(), context)
    array._place, array._epoch = value.data, state.epoch
    return array


def in_graph(array: NDArray) -> Any:
    """What a recorded operator takes for an array."""
    if not isinstance(array, BaseSparseNDArray):
        return tensor_in_graph(array)
    place = array._place
    if place is not None and array._epoch != state.epoch and place.grad_fn is not None:
        if is_freed(place.grad_fn):
            place = array._place = None  # its graph is gone: from here on it is a constant
        array._epoch = state.epoch
    return array._value if place is None else place_in_graph(array._value, place)


def value_of(array: NDArray) -> Any:
    """The array's tensor or sparse value."""
    return array._value if isinstance(array, BaseSparseNDArray) else array._data


def stored_value(array: NDArray) -> Any:
    """The array's tensor or sparse value in its stored form, for files: indices may be out of order."""
    return array._contents.value if isinstance(array, BaseSparseNDArray) else array._data


def write(array: NDArray, value: Any) -> None:
    """Replaces all elements by those of a dense tensor, or by one number."""
    if not isinstance(array, BaseSparseNDArray):
        array._data.fill_(value) if isinstance(value, int) else array._data.copy_(value)
    elif isinstance(value, int):
        write(array, array._value.data.new_full(array.shape, value))
    else:
        array._value = from_dense(value.detach(), array.stype)


def parts_of(array: NDArray) -> list[torch.Tensor]:
    """The tensors that an array consists of: first its elements, then the indices of a sparse one."""
    return array._value.parts() if isinstance(array, BaseSparseNDArray) else [array._data]
