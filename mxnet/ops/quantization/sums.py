"""Sums of products of 8-bit integers, exact: what quantized layers compute, and how they are rounded to 8 bits.

A kernel of our own does both at once (native/integers.c). Without it, floats that are long enough give the sums.
"""

from __future__ import annotations

import ctypes
import functools
import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch.utils.weak import WeakIdKeyDictionary

from ... import native
from ..._core.memory import is_exposed
from ..._core.tracing import is_traced
from ..nn.layout import window_counts
from .ranges import saturate

Tensor = torch.Tensor
Sizes = tuple[int, ...]
#: float32 holds all integers up to here, so that sums below it are exact in any order.
_EXACT = 1 << 24
_CONVOLVE = {1: torch.conv1d, 2: torch.conv2d, 3: torch.conv3d}
#: The kernel's numbers for types.
_KINDS = {torch.int32: 4, torch.uint8: 1, torch.int8: -1}
_GREATEST = {torch.int8: 128, torch.uint8: 255}


class Geometry(NamedTuple):
    """How filters meet images."""

    stride: Sizes
    pad: Sizes
    dilate: Sizes
    groups: int


_MATRIX = Geometry((1, 1), (0, 0), (1, 1), 1)


@dataclass(frozen=True)
class Rounding:
    """Sums as 8-bit integers: ``sums * scale``, a number for each filter, plus ``other * step``, within bounds."""

    scale: Tensor
    least: float
    most: float
    kind: torch.dtype
    other: Tensor | None = None
    step: float = 0.0

    def apply(self, sums: Tensor) -> Tensor:
        """The same as the kernel, one after the other; ``sums`` are whole numbers, filters are axis 1."""
        values = sums.to(torch.float32) * over_axis(self.scale, sums, 1)
        if self.other is not None:
            values = values + self.other.to(torch.float32) * self.step
        return saturate(values.clamp(self.least, self.most), self.kind)


def over_axis(values: Tensor, like: Tensor, axis: int) -> Tensor:
    """A vector in the shape in which it counts along an axis."""
    return values.reshape([-1 if i == axis else 1 for i in range(like.dim())])


class Form(NamedTuple):
    """What the kernel takes: numbers of so many bytes, so many filters in a vector and vectors in a block."""

    width: int
    lanes: int
    vectors: int


#: The width of weights if each channel has its own filter: the other 16 bits of each number are zero.
_CHANNELS = 4
_INTEGERS = {1: torch.int8, 2: torch.int16, _CHANNELS: torch.int32}


@functools.cache
def best_form() -> Form | None:
    """The form for this processor; None: there is no kernel for it."""
    library = native.loaded()
    if library is None:
        return None
    found = torch.zeros(3, dtype=torch.int32)
    library.integer_forms(found)
    return Form(*found.tolist()) if found[0] else None


class Weight:
    """A weight of int8 that nobody writes to, and a bias of whole numbers, packed for the kernel when first used."""

    #: So that sums with a bias stay within 32 bits.
    _MOST = 1 << 30

    def __init__(self, integers: Tensor, bias: Tensor | None = None):
        self.integers, self.bias = integers, bias
        self._small = bias is None or bool((bias.abs() < self._MOST).all())
        self._packed: dict[tuple[bool, bool, int, Form], tuple[Tensor, Tensor]] = {}

    def _pack(self, signed: bool, joined: bool, groups: int, form: Form) -> tuple[Tensor, Tensor]:
        """Vectors of filters as the kernel reads them, and what sums begin with."""
        key = signed, joined, groups, form
        if key not in self._packed:
            weight, each = self.integers, 4 // form.width
            weight = weight.reshape(groups, -1, weight.shape[1], *weight.shape[2:] or (1, 1)).permute(0, 1, 3, 4, 2)
            weight = weight.flatten(3) if joined else weight.flatten(2, 3)
            count = weight.shape[1]
            weight = torch.nn.functional.pad(weight, (0, -weight.shape[-1] % each, 0, 0, 0, -count % form.lanes))
            weight = weight.unflatten(3, (-1, each)).unflatten(1, (-1, form.lanes)).permute(0, 3, 4, 1, 2, 5)
            start = torch.zeros(groups, weight.shape[3] * form.lanes, dtype=torch.int32)
            if self.bias is not None:
                start[:, :count] = self.bias.reshape(groups, -1).to(torch.int32)
            if signed and form.width == 1:  # multiplied as bytes with 128 added, whose share is taken off
                start -= 128 * weight.sum((1, 2, 5), dtype=torch.int32).flatten(1)
            packed = torch.cat([block.flatten(1) for block in weight.split(form.vectors, 3)], 1)
            packed = packed.to(_INTEGERS[form.width])
            self._packed[key] = (packed & 0xFFFF if form.width == _CHANNELS else packed).view(torch.int8), start
        return self._packed[key]

    def convolve(self, data: Tensor, geometry: Geometry, rounding: Rounding | None = None) -> Tensor:
        """The convolution as int32 (float64 if the bias is beyond that), or rounded; channels are axis 1."""
        found = self._by_kernel(data, self.integers.shape[2:], geometry, rounding) if data.dim() == 4 else None
        return self._finish(_by_floats(data, self.integers, geometry), rounding) if found is None else found

    def product(self, data: Tensor, rounding: Rounding | None = None) -> Tensor:
        """``data @ weight.T`` of a matrix, as in ``convolve``."""
        if rounding is not None and rounding.other is not None:
            raise ValueError("nothing is added to a product")
        found = self._by_kernel(data.reshape(1, *data.shape, 1).transpose(1, 2), (1, 1), _MATRIX, rounding)
        if found is not None:
            return found.transpose(1, 2).reshape(data.shape[0], -1)
        kind = exact_floats(self.integers.shape[1] * _GREATEST[data.dtype] * 128)
        exact = torch.nn.functional.linear(data.to(kind), self.integers.to(kind))
        return self._finish(_as_int32(exact), rounding)

    def _finish(self, sums: Tensor, rounding: Rounding | None) -> Tensor:
        if self.bias is not None:
            kind = torch.int32 if self._small else torch.float64
            sums = sums.to(kind) + over_axis(self.bias.to(kind), sums, 1)
        return sums if rounding is None else rounding.apply(sums)

    def _by_kernel(self, data: Tensor, kernel: Sizes, geometry: Geometry, rounding: Rounding | None) -> Tensor | None:
        form = None if is_traced() or not data.is_cpu else best_form()
        filters, most = self.integers.shape[0], math.prod(self.integers.shape[1:]) * _GREATEST[data.dtype] * 128
        if form is None or not self._small or not 0 < most < self._MOST:
            return None
        stride, pad, dilate, groups = geometry
        if data.shape[1] != groups * self.integers.shape[1] or filters % groups:
            raise ValueError(
                f"data has {data.shape[1]} channels, which a weight of shape {tuple(self.integers.shape)} does not fit"
                f" in {groups} groups"
            )
        counts = window_counts(data.shape[2:], kernel, stride, pad, dilate)
        shape = data.shape[0], filters, *counts
        if min(shape) < 1:
            return None
        joined = groups == 1 and dilate[1] == 1
        if groups == filters == data.shape[1] > 1:
            form, groups = form._replace(width=_CHANNELS), 1
        signed, data = data.dtype is torch.int8, data.contiguous(memory_format=torch.channels_last)
        packed, start = self._pack(signed, joined, groups, form)
        kind = torch.int32 if rounding is None else rounding.kind
        out = torch.empty(shape, dtype=kind, memory_format=torch.channels_last)
        numbers = (
            data.shape[0], *data.shape[2:], data.shape[1], groups, data.shape[1] // groups, filters // groups, *kernel,
            *stride, *pad, *dilate, *counts, joined,
        )  # fmt: skip
        scale, other, step, least, highest = None, None, 0.0, 0.0, 0.0
        if rounding is not None:
            scale, step, least, highest = rounding.scale, rounding.step, rounding.least, rounding.most
            if rounding.other is not None:
                if rounding.other.shape != shape:
                    raise ValueError(f"what is added must have shape {shape}, got {tuple(rounding.other.shape)}")
                other = rounding.other.contiguous(memory_format=torch.channels_last)
        native.kernels().integer_convolve(
            data, signed, form.width, packed, start, scale, other, other is not None and other.dtype is torch.int8,
            step, least, highest, _KINDS[kind], out, (ctypes.c_int64 * len(numbers))(*numbers),
            native.threads(math.prod(shape)),
        )  # fmt: skip
        return out


def _as_int32(values: Tensor) -> Tensor:
    return values.to(torch.int64).to(torch.int32) if values.dtype is torch.float64 else values.to(torch.int32)


def exact_floats(largest: int) -> torch.dtype:
    """The shortest floats that hold all integers up to the greatest possible sum."""
    return torch.float32 if largest < _EXACT else torch.float64


def _by_floats(data: Tensor, weight: Tensor, geometry: Geometry) -> Tensor:
    """The convolution of integers in floats that hold its sums."""
    kind = exact_floats(math.prod(weight.shape[1:]) * _GREATEST[data.dtype] * 128)
    return _as_int32(_CONVOLVE[data.dim() - 2](data.to(kind), weight.to(kind), None, *geometry))


_weights: WeakIdKeyDictionary = WeakIdKeyDictionary()


def weight_of(integers: Tensor) -> Weight:
    """The weight in an array, packed once as long as nobody writes to it."""
    if integers.is_inference() or is_exposed(integers):
        return Weight(integers)  # nobody would know of a write
    kept = _weights.get(integers)
    if kept is None or kept[0] != integers._version:
        kept = _weights[integers] = integers._version, Weight(integers.detach().clone())
    return kept[1]
