"""The array of ``mx.np``: an NDArray with NumPy's indexing, type rules, methods and printing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from ..._core.dtypes import NUMPY_OF, torch_dtype
from ...base import numpy_mode
from ...error import MXNetNotImplementedError, MXNetTypeError, MXNetValueError
from ...ops.methods import FLUENT
from ...ops.numpy.signatures import COMPARISON, METHODS, OPERATORS, as_shape, from_table
from ..gate import call
from ..ndarray import NDArray
from ..operators import install_operators
from . import dispatch
from .indexing import has_false, without_masks

if TYPE_CHECKING:
    from .derived_methods import DerivedMethods
else:
    DerivedMethods = NDArray  # install() adds them to the class

#: Methods of the classic array that one of mx.np does not have.
_CLASSIC_ONLY = {*FLUENT, "asscalar", "tostype", "split", "split_v2", "broadcast_like", "expand_dims", "diag"}


class ndarray(DerivedMethods):
    """A multi-dimensional array on a device with NumPy's behavior. Make one with ``mx.np.array`` or its like."""

    _numpy = True
    __module__ = "mxnet.numpy"
    __array_priority__ = 1001.0
    __array_function__ = dispatch.array_function
    __array_ufunc__ = dispatch.array_ufunc

    # ---- what it is ------------------------------------------------------------------------------------------------

    @property
    def dtype(self) -> np.dtype:
        """The type of the elements."""
        return np.dtype(NUMPY_OF[self._data.dtype])  # type: ignore[call-overload]

    @property
    def T(self) -> ndarray:
        """The array with its axes in reverse order, a copy."""
        return self.transpose()

    def __len__(self) -> int:
        if not self._data.dim():
            raise MXNetTypeError("len() of unsized object")
        return self._data.shape[0]

    def __iter__(self) -> Iterator[ndarray]:
        if not self._data.dim():
            raise MXNetTypeError("iteration over a 0-d array")
        return (self[i] for i in range(self._data.shape[0]))

    def __repr__(self) -> str:
        return _text(self)

    def __str__(self) -> str:
        return str(self.asnumpy().view(np.ndarray))

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        if self.ndim:
            raise MXNetTypeError(
                f"Cannot format mxnet.numpy.ndarray of shape {self.shape} with {spec!r}; format its elements"
            )
        return format(self.item(), spec)

    def __bool__(self) -> bool:
        if self.size > 1:
            raise MXNetValueError("The truth value of an ndarray with more than one element is ambiguous.")
        return bool(self.size and self.item())

    def _scalar(self) -> Any:
        if self.size != 1:
            raise MXNetTypeError("only size-1 arrays can be converted to Python scalars")
        return self.item()

    def __float__(self) -> float:
        return float(self._scalar())

    def __int__(self) -> int:
        return int(self._scalar())

    def __complex__(self) -> complex:
        return complex(self._scalar())

    def __round__(self, n: int = 0) -> ndarray:
        return self.round(n)  # type: ignore[attr-defined]

    def __floor__(self) -> ndarray:
        return call("_npi_floor", self)

    def __ceil__(self) -> ndarray:
        return call("_npi_ceil", self)

    def __trunc__(self) -> ndarray:
        return call("_npi_trunc", self)

    def __contains__(self, value: object) -> bool:
        return bool((self == value).any())

    def item(self, *args: Any) -> Any:
        """The only element, or that at an index, as a Python number."""
        if not args and self.size != 1:
            raise MXNetValueError("can only convert an array of size 1 to a Python scalar")
        return self.asnumpy().item(*args) if args or self._data.dtype is torch.bfloat16 else self._data.item()

    def as_np_ndarray(self) -> ndarray:
        """The array itself."""
        return self

    def as_nd_ndarray(self) -> NDArray:
        """The array as a classic NDArray that shares its memory and its place in a recorded graph."""
        return self._as_kind(NDArray)

    def attach_grad(self, grad_req: str = "write") -> None:  # type: ignore[override]
        """Makes this array a variable: ``backward`` will put its gradient into ``x.grad``."""
        super().attach_grad(grad_req)

    # ---- indexing --------------------------------------------------------------------------------------------------

    def __getitem__(self, key: object) -> ndarray:
        """``x[key]`` as in NumPy: contiguous basic slices share memory, all else is a copy."""
        if key.__class__ is int and self._data.dim() == 1:
            key = (key, Ellipsis)  # a number of an array of one dimension: an array without dimensions
        plain = without_masks(self, key)
        found = super().__getitem__(plain)
        return found if plain is key or not has_false(key) else found[None][:0]  # type: ignore[return-value]

    def __setitem__(self, key: object, value: object) -> None:
        """``x[key] = value``: writes in place; the value broadcasts."""
        if isinstance(value, NDArray) and not value._numpy and not numpy_mode.relaxed:
            raise MXNetTypeError("Cannot assign mx.nd.NDArray to mxnet.numpy.ndarray")
        plain = without_masks(self, key)
        if plain is key or not has_false(key):
            super().__setitem__(plain, value)

    # ---- methods that are not just an operator ---------------------------------------------------------------------

    def astype(  # type: ignore[override]
        self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> ndarray:
        """The array converted to a dtype: a copy, unless ``copy=False`` and it has that dtype already."""
        if order not in ("K", "C") or casting != "unsafe" or not subok:
            raise MXNetValueError("astype: order must be 'K' or 'C', casting 'unsafe' and subok True")
        wanted = torch_dtype("float32" if dtype is None else dtype)
        return self if not copy and wanted is self._data.dtype else call("_npi_cast", self, dtype=wanted)

    def reshape(self, *args: object, **kwargs: object) -> ndarray:
        """A copy with another shape; -1 stands for what is left over."""
        order = kwargs.pop("order", "C")
        if order != "C":
            raise MXNetNotImplementedError(f"reshape: order must be 'C', got {order!r}")
        if kwargs:
            raise MXNetTypeError(f"{next(iter(kwargs))!r} is an invalid keyword argument for reshape")
        if not args:
            raise MXNetTypeError("reshape() takes a shape, none was given")
        shape = as_shape(args[0]) if len(args) == 1 else as_shape(args)
        return call("_np_reshape", self, newshape=shape)

    def reshape_view(self, *shape: object, **kwargs: object) -> ndarray:
        """A view with another shape; codes as in the classic ``reshape``."""
        return super().reshape(*shape, **kwargs)  # type: ignore[return-value]

    def transpose(self, *axes: object) -> ndarray:
        """A copy with the axes in another order, the reverse one if none is given."""
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], list | tuple)):
            axes = tuple(axes[0] or ())
        return call("_np_transpose", self, axes=axes or None)

    def swapaxes(self, axis1: int, axis2: int) -> ndarray:  # type: ignore[override]
        """A copy with two axes exchanged."""
        return call("_npi_swapaxes", self, dim1=axis1, dim2=axis2)

    def clip(self, min: float | None = None, max: float | None = None, out: object = None) -> ndarray:  # type: ignore[override]
        """The numbers limited to an interval, of which one end may be None."""
        return dispatch.function("clip")(self, min, max, out)

    def take(self, indices: object, axis: int | None = None, mode: str = "raise") -> ndarray:  # type: ignore[override]
        """The elements at indices along an axis, or of the flattened array."""
        return dispatch.function("take")(self, indices, axis, mode)

    def nonzero(self) -> tuple[ndarray, ...]:
        """The indices of the elements that are not 0, an array for each dimension."""
        return dispatch.function("nonzero")(self)

    def sort(self, axis: int = -1, kind: object = None, order: object = None) -> None:  # type: ignore[override]
        """Not available, as in the original: use ``mx.np.sort``, which gives a new array."""
        raise MXNetNotImplementedError("ndarray.sort is not available; use mx.np.sort, which gives a new array")

    def __neg__(self) -> ndarray:
        if self._data.dtype is torch.bool:  # True is 1
            return call("_npi_multiply_scalar", self, scalar=-1.0)
        return call("_npi_negative", self)

    def __pos__(self) -> ndarray:
        return self

    def __abs__(self) -> ndarray:
        return call("_npi_absolute", self)

    def __invert__(self) -> ndarray:
        return call("_npi_bitwise_not", self)

    def __matmul__(self, other: object) -> ndarray:
        return call("_npi_matmul", self, other)

    def __rmatmul__(self, other: object) -> ndarray:
        return call("_npi_matmul", other, self)


dispatch.arrays.kind = ndarray


def _text(array: ndarray) -> str:
    """``repr`` as NumPy's: with the dtype unless it is float32 or bool, and the context unless it is the host."""
    values = array.asnumpy().view(np.ndarray)
    body = np.array2string(values, separator=", ", prefix="array(") if values.size or not values.ndim else "[]"
    if values.ndim == 0:
        body = np.array2string(values)
    notes = "" if values.size or array.shape == (0,) else f", shape={array.shape}"
    if values.dtype != np.float32 and (values.dtype != np.bool_ or not values.size):
        notes += f", dtype={array.dtype.name}"
    if array._ctx.is_gpu:
        notes += f", ctx={array._ctx}"
    last = len(body) - (body.rfind("\n") + 1)
    if notes and values.size and values.ndim and last + len(notes) + 1 > np.get_printoptions()["linewidth"]:
        notes = ",\n      " + notes[1:]
    return f"array({body}{notes})"


def _absent(name: str) -> property:
    def missing(self: ndarray) -> Any:
        raise AttributeError(f"mxnet.numpy.ndarray object has no attribute {name}")

    return property(missing, doc=f"Not available: use the function of mx.np or mx.npx instead of the method {name}.")


def install() -> None:
    """Completes the class; called once, when the operators are registered."""
    backend = dispatch.arrays
    for name, method in from_table(backend, METHODS).items():
        method.__qualname__ = f"ndarray.{name}"
        setattr(ndarray, name, method)
    for name in _CLASSIC_ONLY - set(vars(ndarray)):
        setattr(ndarray, name, _absent(name))
    install_operators(ndarray, OPERATORS, COMPARISON)
    for name in ("and", "or", "xor"):  # ``2 & x`` is refused, as in the original; ``x & 2`` is not
        delattr(ndarray, f"__r{name}__")
    ndarray.__hash__ = object.__hash__  # type: ignore[method-assign, assignment]
