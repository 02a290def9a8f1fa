"""Results that are finite though what lies on the way to them, such as a sum of squares, is not.

Operators compute as usual and look at the few numbers that would show it (a norm, the statistics of a row); only if one
is out of range, they compute again in float64, which holds the square of any float32. On the CPU only: elsewhere the
answer would have to be waited for. A float64 number has no wider type to go to.
"""

import ctypes
import functools
import math
from collections.abc import Callable
from typing import Any

import torch
from torch.compiler import is_compiling

from .. import native


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
#: What neither overflowed nor was NaN.
FINITE = Range((-65504.0, 65504.0), (-3e38, 3e38))
#: What is not NaN.
NUMBERS = Range((-math.inf, math.inf), (-math.inf, math.inf))


@functools.cache
def _kernel() -> Callable[[int, int, int], int] | None:
    library = native.loaded()
    return None if library is None else library.leaves_range


def leaves(values: torch.Tensor, within: Range) -> bool:
    """Is one of these numbers out of range, or NaN?"""
    # Asked after small operators, too: what is usual first. Fake tensors have no memory.
    if not values.is_cpu or type(values) is not torch.Tensor or is_compiling():
        return False
    try:
        memory = values.data_ptr()
    except RuntimeError:  # nor have those of torch.func
        return False
    count = values.numel()
    if count != 1 and values.dtype is torch.float32 and values.is_contiguous():
        leaves_range = _kernel()
        if leaves_range is not None:
            return leaves_range(memory, count, within.address) != 0
    bounds = within.bounds.get(values.dtype)
    if bounds is None or not count:
        return False
    least, most = (values, values) if count == 1 else torch.aminmax(values.detach())
    return not (least.item() >= bounds[0] and most.item() <= bounds[1])


def vector_norm(data: torch.Tensor, ord: float, axes: tuple[int, ...] | None, keepdims: bool) -> torch.Tensor:
    """``torch.linalg.vector_norm``, of numbers whose squares are out of range as well."""
    found = torch.linalg.vector_norm(data, ord, axes, keepdims)
    if ord == 2 and leaves(found, NORMS):
        return torch.linalg.vector_norm(data, ord, axes, keepdims, dtype=torch.float64).to(data.dtype)
    return found


def in_float64(function: Callable[..., Any], *tensors: torch.Tensor | None) -> Any:
    """What ``function`` gives for these tensors in float64, in the dtype of the first one."""
    first = tensors[0]
    assert first is not None
    found = function(*(t if t is None else t.to(torch.float64) for t in tensors))
    if isinstance(found, torch.Tensor):
        return found.to(first.dtype)
    return tuple(t.to(first.dtype) for t in found)
