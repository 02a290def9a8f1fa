"""What kernels of several families need: axes, indices that come as floats, numbers in a dtype."""

import functools
import math
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

import torch

from .._core.dtypes import NAME_OF
from .._core.tracing import is_traced

T = TypeVar("T")


def memoize(function: Callable[..., T]) -> Callable[..., T]:
    """Keeps what a function of shapes and attributes returned: checking them costs more than a small operator, and a
    program repeats its shapes. Where torch traces, and sizes may be symbols, the function is not cached.
    """
    kept = functools.lru_cache(1024)(function)

    @functools.wraps(function)
    def call(*args: Any) -> T:
        return function(*args) if is_traced() else kept(*args)

    return call


def normalize_axis(axis: int, ndim: int, what: str = "axis") -> int:
    """A negative axis counts from the end; one that does not exist is an error."""
    if not -ndim <= axis < ndim:
        raise ValueError(f"{what} {axis} is out of range for an array with {ndim} dimension(s)")
    return axis + ndim if axis < 0 else axis


def axis_exists(axis: int | None, ndim: int) -> bool:
    """For inference rules, which leave it to the kernel to refuse an axis that does not exist."""
    return axis is not None and -ndim <= axis < ndim


def as_index(indices: torch.Tensor) -> torch.Tensor:
    """Indices of any dtype as int64; fractions are cut off."""
    return indices if indices.dtype is torch.int64 else indices.to(torch.int64)


def as_number(value: float, dtype: torch.dtype) -> float:
    """A number as an element of ``dtype`` as in C: floats overflow to infinity, integers drop the fraction and wrap."""
    if dtype.is_floating_point:
        largest = torch.finfo(dtype).max
        return value if not math.isfinite(value) or -largest <= value <= largest else math.copysign(math.inf, value)
    if dtype is torch.bool:
        return bool(value)
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be an element of type {NAME_OF[dtype]}")
    info = torch.iinfo(dtype)
    return (int(value) - info.min) % (1 << info.bits) + info.min


def numbers_like(values: Sequence, tensor: torch.Tensor) -> torch.Tensor:
    """Numbers as a tensor of the dtype, and on the device, of another one."""
    return torch.tensor(values, dtype=tensor.dtype, device=tensor.device)


def check_dtype(dtype: torch.dtype, allowed: Collection[torch.dtype]) -> None:
    """Refuses a dtype attribute that the operator does not offer."""
    if dtype not in allowed:
        raise TypeError(f"dtype must be one of {', '.join(NAME_OF[d] for d in allowed)}, got {NAME_OF[dtype]}")


def check_same_dtype(*tensors: torch.Tensor) -> None:
    """Refuses inputs of different dtypes, which torch would convert."""
    if not tensors:
        raise ValueError("at least one array must be given")
    first = tensors[0].dtype
    for tensor in tensors:
        if tensor.dtype is not first:
            raise TypeError("all inputs must have the same dtype; convert them with astype()")


def without_data(
    data: torch.Tensor, shape: Sequence[int] | None = None, dtype: torch.dtype | None = None
) -> torch.Tensor:
    """What a kernel would give on the meta device, where torch would load its compiler first, for a second or more."""
    return data.new_empty(tuple(data.shape) if shape is None else tuple(shape), dtype=dtype or data.dtype)
