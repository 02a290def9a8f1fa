"""Functions that make NDArrays: from data, filled, ranges, and from other libraries."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

from .._core.dtypes import NUMPY_OF, bfloat16, torch_dtype
from .._core.types import Device, DType, ShapeLike
from ..base import numpy_mode
from ..context import as_context
from ..error import MXNetAssertionError, MXNetTypeError, MXNetValueError
from .gate import call
from .ndarray import NDArray, wrap
from .tape import check_writable, state

__all__ = [
    "arange",
    "array",
    "empty",
    "eye",
    "from_dlpack",
    "from_numpy",
    "from_torch",
    "full",
    "linspace",
    "ones",
    "to_dlpack_for_read",
    "to_dlpack_for_write",
    "zeros",
]


def array(source_array: Any, ctx: Any = None, dtype: Any = None) -> NDArray:
    """An NDArray with a copy of the data. The dtype is float32 unless given or ``source_array`` is an NDArray.

    >>> nd.array([[1, 2], [3, 4]], dtype="int32")
    [[1 2]
     [3 4]]
    <NDArray 2x2 @cpu(0)>
    """
    if getattr(source_array, "stype", "default") != "default" or hasattr(source_array, "tocsr"):
        from .sparse import array as sparse_array

        return sparse_array(source_array, ctx, dtype)
    context = as_context(ctx)
    if isinstance(source_array, NDArray):
        kind = source_array._data.dtype if dtype is None else torch_dtype(dtype)
        if state.recording and source_array._var is not None:
            copy = source_array.copyto(context)
            return copy if copy._data.dtype is kind else copy.astype(kind)
        return wrap(source_array._data.to(context.torch_device, kind, copy=True), context)
    kind = torch.float32 if dtype is None else torch_dtype(dtype)
    tensor = _tensor_of(source_array, kind)
    return wrap(tensor.to(context.torch_device) if context.is_gpu else tensor, context)


def _tensor_of(source: object, kind: torch.dtype) -> torch.Tensor:
    """A tensor with a copy of what NumPy makes an array of."""
    try:
        values = np.asarray(source)
    except (ValueError, TypeError) as error:
        raise MXNetTypeError(f"source_array must be array like object: {error}") from None
    if kind is torch.float32 and values.dtype.kind in "biu":  # among them lists of numbers, as of indices
        return torch.from_numpy(values.astype(np.float32, order="C"))
    if values.dtype == bfloat16:
        return torch.from_numpy(np.array(values, order="C").view(np.int16)).view(torch.bfloat16).to(kind)
    if values.dtype.kind in "OSU":  # numbers written as text, or mixed with None, which stands for NaN
        number: Any = np.float64 if kind.is_floating_point else NUMPY_OF[kind]
        try:
            values = values.astype(number)
        except (ValueError, TypeError, OverflowError) as error:
            raise MXNetTypeError(f"source_array must be array like object: {error}") from None
    if values.dtype.kind not in "biufc":
        raise MXNetTypeError(f"source_array must be array like object, got {type(source).__name__} of {values.dtype}")
    if values.dtype.kind == "c":
        values = values.real
    wanted: Any = np.float32 if kind is torch.bfloat16 else NUMPY_OF[kind]
    if values.dtype.kind in "biu":
        return torch.from_numpy(np.array(values, dtype=wanted, order="C")).to(kind)
    with np.errstate(invalid="ignore", over="ignore"):
        return torch.from_numpy(np.array(values, dtype=wanted, order="C")).to(kind)


def _size(shape: Any, name: str) -> tuple[int, ...]:
    """A shape argument as a tuple. In classic MXNet a dimension of 0, and a shape (), mean: not known."""
    try:
        several = isinstance(shape, list | tuple) or (isinstance(shape, np.ndarray) and shape.ndim)
        size = tuple([operator.index(n) for n in shape]) if several else (operator.index(shape),)
    except TypeError:
        raise MXNetTypeError(f"{name}: shape must be an integer or a tuple of integers, got {shape!r}") from None
    if any(n < 0 for n in size):
        raise MXNetValueError(f"{name}: the shape {size} has a negative dimension")
    return size


def _known_shape(shape: ShapeLike, name: str) -> tuple[int, ...]:
    size = _size(shape, name)
    if (not size or 0 in size) and not numpy_mode.shape:
        raise MXNetValueError(
            f"{name}: the shape {size} has unknown dimensions. For zero-size or 0-d arrays use `with mx.np_shape():`"
        )
    return size


def zeros(shape: ShapeLike, ctx: Any = None, dtype: Any = None, **kwargs: Any) -> NDArray:
    """An array of zeros, float32 unless ``dtype`` says otherwise."""
    return _fill(torch.zeros, "zeros", shape, ctx, dtype, kwargs)


def ones(shape: ShapeLike, ctx: Any = None, dtype: Any = None, **kwargs: Any) -> NDArray:
    """An array of ones, float32 unless ``dtype`` says otherwise."""
    return _fill(torch.ones, "ones", shape, ctx, dtype, kwargs)


def _fill(
    make: Callable[..., torch.Tensor], name: str, shape: Any, ctx: Any, dtype: Any, options: dict[str, Any]
) -> NDArray:
    if options:
        _check_options(name, options)
    context = as_context(ctx)
    kind = torch.float32 if dtype is None else torch_dtype(dtype)
    made = wrap(make(_known_shape(shape, name), dtype=kind, device=context.torch_device), context)
    out = options.get("out")
    if out is None:
        return made
    if out.dtype != made.dtype:
        raise MXNetTypeError(f"{name}: out is {np.dtype(out.dtype)}, the result is {np.dtype(made.dtype)}")
    if out.shape != made.shape:
        raise MXNetValueError(f"{name}: out has shape {out.shape}, the result has {made.shape}")
    out[:] = made
    return out


def _check_options(name: str, options: Mapping[str, object]) -> None:
    # Names in double underscores are a symbol's attributes (``__layout__`` of a recurrent state) and say nothing here.
    unknown = [k for k in options if k not in ("name", "out", "stype") and not (k[:2] == k[-2:] == "__")]
    if unknown:
        raise MXNetTypeError(f"{name}: unknown argument {unknown[0]!r}; it takes shape, ctx, dtype, stype and out")
    if options.get("stype") not in (None, "default"):
        raise MXNetTypeError(f"{name}: storage type {options['stype']!r} is for mx.nd.zeros and mx.nd.empty")


def empty(shape: ShapeLike, ctx: Any = None, dtype: Any = None) -> NDArray:
    """An array whose elements are whatever was in memory."""
    context = as_context(ctx)
    kind = torch.float32 if dtype is None else torch_dtype(dtype)
    return wrap(torch.empty(_size(shape, "empty"), dtype=kind, device=context.torch_device), context)


def full(
    shape: ShapeLike, val: object, ctx: Any = None, dtype: Any = np.float32, out: NDArray | None = None
) -> NDArray:
    """An array in which every element is ``val``.

    >>> nd.full((2, 2), 7)
    [[7. 7.]
     [7. 7.]]
    <NDArray 2x2 @cpu(0)>
    """
    result = empty(shape, ctx, dtype) if out is None else out
    result[:] = val
    return result


def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool | None = None,
    ctx: Device = None,
    dtype: DType = np.float32,
) -> NDArray:
    """Evenly spaced numbers from ``start`` up to but without ``stop``, each ``repeat`` times.

    A single number is the stop. ``infer_range`` has a meaning for Symbols only.

    >>> nd.arange(0, 6, 2)
    [0. 2. 4.]
    <NDArray 3 @cpu(0)>
    """
    return call(
        "_arange",
        start=start,
        stop=stop,
        step=step,
        repeat=repeat,
        ctx=as_context(ctx),
        dtype=dtype,
    )


def linspace(
    start: float, stop: float, num: int, endpoint: bool = True, ctx: Device = None, dtype: DType = np.float32
) -> NDArray:
    """``num`` evenly spaced numbers from ``start`` to ``stop``, which is left out without ``endpoint``."""
    return call("_linspace", start=start, stop=stop, num=num, endpoint=endpoint, ctx=as_context(ctx), dtype=dtype)


def eye(N: int, M: int = 0, k: int = 0, ctx: Any = None, dtype: Any = None, **kwargs: Any) -> NDArray:
    """A matrix with ones on its k-th diagonal and zeros elsewhere; ``M=0`` makes it square.

    >>> nd.eye(2)
    [[1. 0.]
     [0. 1.]]
    <NDArray 2x2 @cpu(0)>
    """
    return call("_eye", N=N, M=M, k=k, ctx=as_context(ctx), dtype=dtype or np.float32, **kwargs)


# ---- other libraries -------------------------------------------------------------------------------------------------


def from_numpy(ndarray: np.ndarray, zero_copy: bool = True, array_cls: type = NDArray) -> NDArray:
    """A NumPy array as an NDArray of the same dtype.

    With ``zero_copy`` both share the memory, and the NumPy array becomes read-only: write to the NDArray.
    """
    if not isinstance(ndarray, np.ndarray | np.generic):
        raise MXNetTypeError(f"from_numpy takes a numpy.ndarray, got {type(ndarray).__name__}")
    if not zero_copy:
        return array(ndarray, dtype=ndarray.dtype)
    if not isinstance(ndarray, np.ndarray):
        raise MXNetValueError(f"a NumPy scalar has no memory to share: {ndarray!r}; zero_copy=False copies it")
    if not ndarray.flags["C_CONTIGUOUS"]:
        raise MXNetValueError("Only c-contiguous arrays are supported for zero-copy")
    kind = torch_dtype(ndarray.dtype)
    if ndarray.dtype == bfloat16:
        tensor = _share_memory(ndarray.view(np.int16)).view(torch.bfloat16)
    else:
        tensor = _share_memory(ndarray)
    assert tensor.dtype is kind
    ndarray.flags["WRITEABLE"] = False
    return array_cls(tensor)


def _share_memory(values: np.ndarray) -> torch.Tensor:
    if values.flags["WRITEABLE"]:
        return torch.from_numpy(values)
    # Read-only, perhaps because it was shared before. NumPy's owner asked for sharing, so this is no surprise to him.
    if not values.size:
        return torch.from_numpy(values.copy())
    import ctypes

    memory = (ctypes.c_char * values.nbytes).from_address(values.ctypes.data)
    memory._keep = values  # type: ignore[attr-defined]
    return torch.frombuffer(memory, dtype=torch_dtype(values.dtype)).view(values.shape)


def from_torch(tensor: torch.Tensor) -> NDArray:
    """A torch tensor as an NDArray that shares its memory. ``NDArray.as_torch`` is the way back."""
    if not isinstance(tensor, torch.Tensor):
        raise MXNetTypeError(f"from_torch takes a torch.Tensor, got {type(tensor).__name__}")
    if tensor.layout is not torch.strided:
        from .sparse import from_torch as sparse_from_torch

        return sparse_from_torch(tensor)
    return NDArray(tensor)


def from_dlpack(dlpack: object) -> NDArray:
    """A DLPack capsule, or an array of any library that speaks DLPack, as an NDArray that shares its memory."""
    if not (hasattr(dlpack, "__dlpack__") or (type(dlpack).__name__ == "PyCapsule" and '"dltensor' in repr(dlpack))):
        raise MXNetAssertionError("Invalid DLPack Tensor. DLTensor capsules can be consumed only once.")
    try:
        return NDArray(torch.from_dlpack(dlpack))
    except (RuntimeError, BufferError, TypeError) as error:
        raise MXNetValueError(f"from_dlpack: {error}") from error


def to_dlpack_for_read(data: NDArray) -> Any:
    """A DLPack capsule that shares the array's memory; the reader must not write."""
    return data.to_dlpack_for_read()


def to_dlpack_for_write(data: NDArray) -> Any:
    """A DLPack capsule that shares the array's memory."""
    check_writable(data)
    return data.to_dlpack_for_write()
