"""Floats as 8-bit integers: which number a range of floats is multiplied by, how a product is rounded and saturated.

A quantized array comes with two arrays of one float32 each, its least and its greatest value. Zero stays zero: only the
larger magnitude of the two counts. MXNet has two steps for each type, and the numbers of old programs depend on both:
``STEPS`` (127.5 and 255.5) where floats become integers and come back, ``LIMITS`` (127 and 255) in the ranges of sums.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch

from ... import native
from ..._core.dtypes import NAME_OF
from ..._core.tracing import is_traced
from ..types import Dtypes, Shapes

Tensor = torch.Tensor

#: How many steps the magnitude of a range is cut into.
STEPS = {torch.int8: 127.5, torch.uint8: 255.5}
#: The greatest integer, as the ranges of products and sums, and ``quantize``, have it.
LIMITS = {torch.int8: 127.0, torch.uint8: 255.0}
INT32_LIMIT = 2147483647.0
_BOUNDS = {torch.int8: (-128.0, 127.0), torch.uint8: (0.0, 255.0)}
#: What a nan becomes, and so all of an array whose range is nothing but zero.
_NAN = {torch.int8: 127.0, torch.uint8: 0.0}


def magnitude(low: Tensor, high: Tensor) -> Tensor:
    """The larger magnitude of a range, without dimensions."""
    return torch.maximum(low.abs(), high.abs()).reshape(())


def ratio(number: float, by: Tensor) -> Tensor:
    """A number divided by a tensor, rounded once; ``number / by`` is a product with the reciprocal."""
    return torch.full_like(by, number) / by


def number_of(low: Tensor, high: Tensor) -> np.float32:
    """The larger magnitude of a range, as a number."""
    return max(abs(np.float32(low.item())), abs(np.float32(high.item())))


def steps_of(most: np.float32, kind: torch.dtype) -> np.float32:
    """How many steps one is, by the larger magnitude of a range; it does not matter where that is zero."""
    return np.float32(STEPS[kind]) / (most if most > 0 else np.float32(1))


def saturate(values: Tensor, dtype: torch.dtype) -> Tensor:
    """Floats as integers: rounded to the nearest, ties to the even one, and kept within the type."""
    low, high = _BOUNDS[dtype]
    return values.round().nan_to_num_(_NAN[dtype], high, low).clamp_(low, high).to(dtype)


def saturate_scaled(values: Tensor, scale: Tensor, dtype: torch.dtype) -> Tensor:
    """``saturate(values * scale)`` by one number."""
    library = None if is_traced() or not values.is_cpu or values.dtype is not torch.float32 else native.library()
    if library is None or not (values.is_contiguous() or values.is_contiguous(memory_format=torch.channels_last)):
        return saturate(values * scale, dtype)
    out = torch.empty_like(values, dtype=dtype)
    signed, count = dtype is torch.int8, values.numel()
    library.quantize_floats(values.detach(), float(scale), signed, out, count, native.threads(count))
    return out


def check_eight_bits(**tensors: Tensor) -> None:
    """Refuses arrays that are not int8 or uint8."""
    for name, tensor in tensors.items():
        if tensor.dtype not in STEPS and not tensor.is_meta:  # shapes are inferred before types are known
            raise TypeError(f"{name} must be int8 or uint8, it is {NAME_OF[tensor.dtype]}; see quantize_v2")


def check_ranges(**ranges: Tensor | None) -> None:
    """Refuses a least or greatest value that is not one float32."""
    for name, value in ranges.items():
        if value is None:
            raise ValueError(f"{name} was not given")
        if (value.dtype is not torch.float32 and not value.is_meta) or value.numel() != 1:
            raise TypeError(f"{name} must be one number of float32, it is {tuple(value.shape)} {NAME_OF[value.dtype]}")


def new_range(like: Tensor, low: float, high: float) -> tuple[Tensor, Tensor]:
    """A least and a greatest value that were given as attributes."""
    return like.new_full((1,), low, dtype=torch.float32), like.new_full((1,), high, dtype=torch.float32)


def empty_range(like: Tensor) -> tuple[Tensor, Tensor]:
    """What stands for a range on the meta device."""
    return like.new_empty((1,), dtype=torch.float32), like.new_empty((1,), dtype=torch.float32)


def symmetric(most: Tensor) -> tuple[Tensor, Tensor]:
    """The range from minus to plus a magnitude."""
    most = most.reshape(1)
    return -most, most.clone()


def choose_type(out_type: str, low: float | None, high: float | None) -> torch.dtype:
    """The type that ``out_type`` means: ``auto`` is uint8 where calibration has found nothing below zero."""
    if out_type == "auto":
        return torch.uint8 if low is not None and high is not None and low >= 0 else torch.int8
    return {"int8": torch.int8, "uint8": torch.uint8}[out_type]


def fill_shapes(shapes: Shapes, names: Iterable[str]) -> None:
    """Ranges are arrays of one number."""
    for name in names:
        if name in shapes:
            shapes[name] = (1,)


def fill_types(dtypes: Dtypes, names: Iterable[str], dtype: torch.dtype = torch.float32) -> None:
    """Inputs whose type is known beforehand."""
    for name in names:
        if name in dtypes:
            dtypes[name] = dtypes[name] or dtype
