"""Sums of products of 8-bit integers, exact: what quantized layers compute before anything is scaled.

oneDNN's kernels for integers (by torch) give them as float32, which holds integers up to 2**24; where sums may be
larger, channels are taken in parts. Whether they are exact on this processor is tried once: on those without dot
products of bytes, products are added in 16 bits, which may overflow. Without such kernels, floats that are long enough
do it.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import torch
from torch.utils.weak import WeakIdKeyDictionary

from ..._core.memory import is_exposed
from ..._core.tracing import is_traced

Tensor = torch.Tensor
Sizes = tuple[int, ...]
#: float32 holds all integers up to here, so that sums below it are exact in any order.
_EXACT = 1 << 24
_CONVOLVE = {1: torch.conv1d, 2: torch.conv2d, 3: torch.conv3d}
_GREATEST = {torch.int8: 128, torch.uint8: 255}


def _as_int32(values: Tensor) -> Tensor:
    return values.to(torch.int64).to(torch.int32) if values.dtype is torch.float64 else values.to(torch.int32)


# ---- oneDNN --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    """Some channels of a weight, packed for oneDNN."""

    first: int
    last: int
    packed: Tensor
    ones: Tensor
    zeros: Tensor


@dataclass(frozen=True)
class _Packed:
    """A weight as it was at a version, in parts whose sums float32 can hold."""

    version: int
    parts: tuple[_Part, ...]
    #: All channels at once, where only numbers that do not occur would make sums too large: they are looked at.
    whole: _Part | None


_packed: WeakIdKeyDictionary = WeakIdKeyDictionary()


def _version(weight: Tensor) -> int | None:
    """What tells whether a weight was written to; None: nobody would know."""
    return None if weight.is_inference() or is_exposed(weight) else weight._version


def _cuts(weight: Tensor, most: int) -> list[tuple[int, int]]:
    """The channels in parts, for which the greatest sum of any filter is exact in float32; none if one is too many.

    ``most`` is the greatest byte: int8 is multiplied as bytes with 128 added, whose share is taken off in floats.
    """
    numbers = weight.to(torch.int64)
    each = torch.stack([numbers.clamp(min=0), -numbers.clamp(max=0)])  # what makes sums greater, and what less
    by_channel = each.flatten(3).sum(3) if weight.dim() > 2 else each
    cuts, first = [], 0
    total = torch.zeros_like(by_channel[:, :, 0])
    for channel in range(weight.shape[1]):
        more = total + by_channel[:, :, channel]
        if int(more.max()) * most >= _EXACT:
            if channel == first:
                return []
            cuts.append((first, channel))
            first, more = channel, by_channel[:, :, channel]
        total = more
    return [*cuts, (first, weight.shape[1])]


#: The geometry of a product of matrices.
_MATRIX: tuple[Sizes, Sizes, Sizes, int] = ((), (), (), 1)


def _pack(weight: Tensor, data: Tensor, geometry: tuple[Sizes, Sizes, Sizes, int]) -> _Packed | None:
    """A weight packed for data of such a type; kept as long as nobody writes to it."""
    version = _version(weight)
    kept = _packed.setdefault(weight, {}) if version is not None else {}
    key = data.dtype, geometry
    found = kept.get(key)
    if found is not None and found.version == version:
        return found
    stride, pad, dilate, groups = geometry
    if geometry == _MATRIX:
        weight = weight.flatten(1)
    cuts = _cuts(weight, 256 if data.dtype is torch.int8 else 255)
    if not cuts or (groups > 1 and len(cuts) > 1):
        return None
    zero = 128 if data.dtype is torch.int8 else 0

    def part(first: int, last: int) -> _Part:
        some, ones = weight[:, first:last].contiguous(), torch.ones(weight.shape[0])
        if weight.dim() == 2:
            packed = torch.ops.onednn.qlinear_prepack(some, None)
        else:
            packed = torch.ops.onednn.qconv_prepack(some, ones, 1.0, zero, stride, pad, dilate, groups, None)
        return _Part(first, last, packed, ones, torch.zeros(weight.shape[0], dtype=torch.int64))

    parts = tuple([part(first, last) for first, last in cuts])
    whole = part(0, weight.shape[1]) if len(parts) > 1 else None
    made = _Packed(-1 if version is None else version, parts, whole)
    kept[key] = made
    return made


def _holds(found: Tensor) -> bool:
    """Are sums so small that float32 has not rounded them?"""
    if found.is_contiguous(memory_format=torch.channels_last):
        found = found.permute(0, 2, 3, 1)  # in the order in which it lies in memory
    low, high = torch.aminmax(found)
    return max(-low.item(), high.item()) < _EXACT


def _as_bytes(data: Tensor) -> tuple[Tensor, int]:
    """Data as the kernels take it (torch is slow with int8, or refuses it), and the byte that stands for zero."""
    return (data.view(torch.uint8) ^ 128, 128) if data.dtype is torch.int8 else (data, 0)


def _convolve(data: Tensor, part: _Part, geometry: tuple[Sizes, Sizes, Sizes, int]) -> Tensor:
    data, zero = _as_bytes(data)
    data = data.contiguous(memory_format=torch.channels_last)
    return torch.ops.onednn.qconv2d_pointwise(
        data, 1.0, zero, part.packed, part.ones, part.zeros, None, *geometry, 1.0, 0, torch.float32, "none", [], ""
    )


def _multiply(data: Tensor, part: _Part) -> Tensor:
    data, zero = _as_bytes(data)
    return torch.ops.onednn.qlinear_pointwise(
        data, 1.0, zero, part.packed, part.ones, part.zeros, None, 1.0, 0, torch.float32, "none", [], ""
    )


@functools.lru_cache(1)
def are_exact() -> bool:
    """Has this torch such kernels, and do they add the largest products without an error on this processor?"""
    try:
        weight = torch.full((16, 64, 3, 3), 127, dtype=torch.int8)
        weight[1::2] = -128
        geometry = (1, 1), (1, 1), (1, 1), 1
        for kind, value in ((torch.uint8, 255), (torch.int8, -128), (torch.int8, 127)):
            data = torch.full((1, 64, 8, 8), value, dtype=kind)
            packed = _pack(weight, data, geometry)
            if packed is None or not torch.equal(
                _sum(data, packed, geometry).double(), _plain(data, weight, *geometry)
            ):
                return False
            rows, matrix = data.flatten(2)[0].contiguous(), weight[:, :, 0, 0].contiguous()
            packed = _pack(matrix, rows, _MATRIX)
            if packed is None or not torch.equal(_product(rows, packed).double(), rows.double() @ matrix.double().T):
                return False
    except (AttributeError, RuntimeError, TypeError):
        return False
    return True


def _sum(data: Tensor, packed: _Packed, geometry: tuple[Sizes, Sizes, Sizes, int]) -> Tensor:
    """The convolution: float32 if that holds it, else int32."""
    if packed.whole is not None and _holds(found := _convolve(data, packed.whole, geometry)):
        return found
    if len(packed.parts) == 1:
        return _convolve(data, packed.parts[0], geometry)
    each = [_convolve(data[:, p.first : p.last], p, geometry).to(torch.int32) for p in packed.parts]
    return functools.reduce(torch.Tensor.add_, each)


def _product(data: Tensor, packed: _Packed) -> Tensor:
    if packed.whole is not None and _holds(found := _multiply(data, packed.whole)):
        return found
    if len(packed.parts) == 1:
        return _multiply(data, packed.parts[0])
    each = [_multiply(data[:, p.first : p.last].contiguous(), p).to(torch.int32) for p in packed.parts]
    return functools.reduce(torch.Tensor.add_, each)


def _by_pixels(data: Tensor, packed: _Packed, stride: Sizes) -> Tensor:
    """A convolution with 1x1 filters as a product of matrices, several times as fast as oneDNN does it as such."""
    pixels = data[:, :, :: stride[0], :: stride[1]].permute(0, 2, 3, 1)
    found = _product(pixels.reshape(-1, pixels.shape[-1]), packed)
    return found.reshape(*pixels.shape[:-1], -1).permute(0, 3, 1, 2)


def _plain(data: Tensor, weight: Tensor, stride: Sizes, pad: Sizes, dilate: Sizes, groups: int) -> Tensor:
    """The convolution in float64."""
    convolve = _CONVOLVE[data.dim() - 2]
    return convolve(data.to(torch.float64), weight.to(torch.float64), None, stride, pad, dilate, groups)


# ---- what layers call ----------------------------------------------------------------------------------------------


def _fits(data: Tensor, weight: Tensor) -> bool:
    return data.is_cpu and data.numel() > 0 and weight.numel() > 0 and not is_traced() and are_exact()


def exact_floats(largest: int) -> torch.dtype:
    """The shortest floats that hold all integers up to the greatest possible sum."""
    return torch.float32 if largest < _EXACT else torch.float64


def product(data: Tensor, weight: Tensor, floats: bool = False) -> Tensor:
    """``data @ weight.T`` of 8-bit integers as int32; with ``floats`` maybe as float32 that is as exact."""
    if _fits(data, weight):
        packed = _pack(weight, data, _MATRIX)
        if packed is not None:
            found = _product(data.contiguous(), packed)
            return found if floats else found.to(torch.int32)
    kind = exact_floats(weight.shape[1] * _GREATEST[data.dtype] * 128)
    found = torch.nn.functional.linear(data.to(kind), weight.to(kind))
    return found if floats and kind is torch.float32 else _as_int32(found)


def convolution(
    data: Tensor, weight: Tensor, stride: Sizes, pad: Sizes, dilate: Sizes, groups: int, floats: bool = False
) -> Tensor:
    """The convolution of 8-bit integers as int32, or as in ``product``; channels are axis 1."""
    if data.dim() == 4 and _fits(data, weight):
        if weight.shape[2:] == (1, 1) and groups == 1 and not any(pad):
            packed = _pack(weight, data, _MATRIX)
            if packed is not None:
                found = _by_pixels(data, packed, stride)
                return found if floats else found.to(torch.int32)
        geometry = tuple(stride), tuple(pad), tuple(dilate), groups
        packed = _pack(weight, data, geometry)
        if packed is not None:
            found = _sum(data, packed, geometry)
            return found if floats else found.to(torch.int32)
    if exact_floats(math.prod(weight.shape[1:]) * _GREATEST[data.dtype] * 128) is torch.float32:
        convolve = _CONVOLVE[data.dim() - 2]
        found = convolve(data.to(torch.float32), weight.to(torch.float32), None, stride, pad, dilate, groups)
        return found if floats else found.to(torch.int32)
    return _as_int32(_plain(data, weight, stride, pad, dilate, groups))
