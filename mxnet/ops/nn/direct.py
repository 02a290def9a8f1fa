"""Convolutions and pooling of images for prediction by kernels of our own (mxnet/native/direct.c and windows.c).

Everything is float32 on the CPU, results are channels_last. oneDNN takes 20 microseconds for each call before it
begins, which is most of the time of small images.
"""

from __future__ import annotations

import ctypes
import functools
import math
from typing import Any

import torch

from ... import native
from ..infer import Shape
from .layout import memoize

#: Numbers of framed images at most; multiplications at most, unless there are few channels, and for a second thread.
_LARGEST, _MOST, _SHARED = 1 << 22, 1 << 26, 1 << 20
#: Images with no more channels may be in any layout: they are copied anyway, and oneDNN leaves its vectors empty.
FEW_CHANNELS = 4
#: The activations of fused kernels by their names in oneDNN, and kinds of pooling, as the kernels number them.
_ACTIVATIONS = {"none": 0, "relu": 1, "leaky_relu": 2, "hardtanh": 3}
_POOLINGS = {"max": 1, "average": 2, "average with padding": 3}


@functools.cache
def is_available() -> bool:
    """Are there kernels with long vectors? The others would be slower than oneDNN."""
    return native.loaded() is not None and torch.backends.cpu.get_cpu_capability() in ("AVX2", "AVX512")


class Kernel:
    """A convolution or pooling of images of one shape in one layout."""

    def __init__(self, shape: Shape, function: Any, geometry: tuple[int, ...], numbers: tuple[float, ...], work: int):
        self._shape, self._function, self._work = shape, function, work
        #: Kept here, since C knows only where they are.
        self._memory = (ctypes.c_int64 * len(geometry))(*geometry), (ctypes.c_float * 2)(*numbers)
        self._geometry, self._numbers = [ctypes.addressof(part) for part in self._memory]

    def __call__(
        self,
        data: torch.Tensor,
        weight: torch.Tensor | None = None,
        bias: torch.Tensor | None = None,
        other: torch.Tensor | None = None,
        overwrite: bool = False,
    ) -> torch.Tensor:
        """The result; ``weight`` is packed, and ``other``, which is added, is channels_last."""
        out = other if overwrite and other is not None else torch.empty(self._shape, memory_format=torch.channels_last)
        threads = torch.get_num_threads() if self._work >= _SHARED else 1
        addresses = [0 if t is None else t.data_ptr() for t in (data, weight, bias, other)]
        self._function(*addresses, out.data_ptr(), self._numbers, self._geometry, threads)
        return out


@memoize
def convolution(
    data: Shape,
    strides: Shape,
    weight: Shape,
    out: Shape,
    window: tuple[Shape, Shape, Shape],
    groups: int,
    name: str,
    numbers: tuple[float, ...],
    adds: bool,
) -> Kernel | None:
    """The kernel for such a convolution, where it is the fastest; ``window`` is stride, pad and dilate."""
    batch, channels, height, width = data
    filters, _, *kernel = weight
    stride, pad, dilate = window
    work = batch * math.prod(out) * math.prod(weight)
    framed = batch * channels * (height + 2 * pad[0]) * (width + 2 * pad[1])
    if not is_available() or name not in _ACTIVATIONS or framed > _LARGEST:
        return None
    sizes = *kernel, *stride, *pad, *dilate, *out
    places = strides[0], *strides[2:]
    step = strides[1] if channels > 1 else 1
    shape, activation = (batch, filters, *out), _ACTIVATIONS[name]
    if groups > 1:
        if adds or groups != channels or filters != channels or step != 1 or channels < native.WIDEST:
            return None
        geometry = batch, height, width, channels, *sizes, *places, 0, activation
        return Kernel(shape, native.kernels().windows_of_channels, geometry, numbers, work)
    if channels > FEW_CHANNELS and (work > _MOST or step != 1):
        return None
    geometry = batch, height, width, channels, filters, *sizes, *places, step, activation
    return Kernel(shape, native.kernels().convolution, geometry, numbers, work)


def packed(weight: torch.Tensor, groups: int) -> torch.Tensor:
    """The weight (filters, channels, high, wide) as the kernels read it, whatever the data."""
    filters, channels, high, wide = weight.shape
    if groups > 1:
        return weight.reshape(filters, high * wide).t().contiguous()
    found = torch.empty(-(-filters // native.WIDEST) * native.WIDEST * channels * high * wide)
    native.kernels().convolution_pack(weight.contiguous(), found, filters, channels, high * wide)
    return found


@memoize
def pooling(
    data: Shape, strides: Shape, kernel: Shape, stride: Shape, pad: Shape, out: Shape, kind: str
) -> Kernel | None:
    """The kernel for such a pooling, of ``max``, ``average`` or ``average with padding``, where there is one."""
    batch, channels, height, width = data
    if not is_available() or channels < native.WIDEST or strides[1] != 1:
        return None
    sizes = *kernel, *stride, *pad, 1, 1, *out
    geometry = batch, height, width, channels, *sizes, strides[0], *strides[2:], _POOLINGS[kind], 0
    work = batch * channels * math.prod(out) * math.prod(kernel)
    return Kernel((batch, channels, *out), native.kernels().windows_of_channels, geometry, (), work)
