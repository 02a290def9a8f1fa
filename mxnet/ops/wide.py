"""Results that are finite though what lies on the way to them, such as a sum of squares, is not.

Operators compute as usual and look at the few numbers that would show it (a norm, the statistics of a row); only if one
is out of range, they compute again in float64, which holds the square of any float32. On the CPU only: elsewhere the
answer would have to be waited for. A float64 number has no wider type to go to.
"""

import ctypes
import math
from collections.abc import Callable
from typing import Any

import torch
from torch._C import _is_tracing
from torch.compiler import is_compiling

from .. import native
from .types import Kernel


class Range:
    """Bounds of what numbers of 16 bits and float32 numbers may be; there are none for other types."""

    def __init__(self, half: tuple[float, float] | None, single: tuple[float, float]):
        self.bounds = {torch.float16: half, torch.bfloat16: single, torch.float32: single}
        self._memory = (ctypes.c_float * 2)(*single)
        #: Where the kernel finds those of float32.
        self.address = ctypes.addressof(self._memory)


#: One over a standard deviation, as gradients need it: neither it nor its cube vanishes.
INVERSE = Range((1e-4, 65504.0), (1e-12, 3e38))
#: Sums of squares of which the square root, its inverse and the cube of that are in the range of the type.
SQUARES = Range((0.0, 1e3), (0.0, 1e24))
#: The same for cubes, and for both signs.
CUBES = Range((-1e3, 1e3), (-1e24, 1e24))
#: Norms whose squares were neither cut to zero nor to infinity; those of float16 are summed in float32.
NORMS = Range(None, (1e-18, 3e38))
#: The same for powers up to the fourth.
POWERS = Range(None, (1e-9, 1e9))
#: What neither overflowed nor was NaN.
FINITE = Range((-65504.0, 65504.0), (-3e38, 3e38))
#: What is not NaN.
NUMBERS = Range((-math.inf, math.inf), (-math.inf, math.inf))


def _look(memory: int, count: int, bounds: int) -> bool:
    """The kernel, which puts itself here when it is first needed."""
    global _kernel
    library = native.loaded()
    assert library is not None
    _kernel = library.leaves_range
    return _kernel(memory, count, bounds)


_kernel: Callable[[int, int, int], bool] = _look
_float32, _Tensor = torch.float32, torch.Tensor


def leaves(values: torch.Tensor, within: Range) -> bool:
    """Is one of these numbers out of range, or NaN?"""
    # Asked after small operators, too: not by is_traced(), which takes longer. Fake tensors have no memory.
    if type(values) is not _Tensor or not values.is_cpu or is_compiling() or _is_tracing():
        return False
    try:
        memory = values.data_ptr()
    except RuntimeError:  # nor have those of torch.func
        return False
    if values.dtype is _float32 and (values.is_contiguous() or _is_channels_last(values)):
        if _kernel is not _look or native.loaded() is not None:
            return _kernel(memory, values.numel(), within.address)
    bounds = within.bounds.get(values.dtype)
    if bounds is None or not values.numel():
        return False
    least, most = torch.aminmax(values.detach())
    return not (least.item() >= bounds[0] and most.item() <= bounds[1])


def _is_channels_last(values: torch.Tensor) -> bool:
    return values.dim() == 4 and values.is_contiguous(memory_format=torch.channels_last)


def vector_norm(data: torch.Tensor, ord: float, axes: tuple[int, ...] | None, keepdims: bool) -> torch.Tensor:
    """``torch.linalg.vector_norm``, of numbers whose powers are out of range as well."""
    found = torch.linalg.vector_norm(data, ord, axes, keepdims)
    if ord not in (0, 1, math.inf, -math.inf) and leaves(found, NORMS if ord == 2 else POWERS):
        return torch.linalg.vector_norm(data, ord, axes, keepdims, dtype=torch.float64).to(data.dtype)
    return found


def in_float64(function: Kernel, *tensors: torch.Tensor | None) -> Any:
    """What ``function`` gives for these tensors in float64, in the dtype of the first one."""
    first = tensors[0]
    assert first is not None
    found = function(*(t if t is None else t.to(torch.float64) for t in tensors))
    if isinstance(found, torch.Tensor):
        return found.to(first.dtype)
    return tuple(t.to(first.dtype) for t in found)
