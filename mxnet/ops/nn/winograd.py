"""Winograd's convolution of images by 3x3 kernels, as a few products of matrices.

A tile of m x m results takes (m + 2)^2 products instead of 9 m^2, so that the work shrinks 2.25 times for m = 2 and
4 times for m = 4; what is left is one product of matrices for each of the (m + 2)^2 places in a tile. Kernels of our
own transform (mxnet/native/winograd.c), MKL multiplies; without them convolutions are torch's. All arrays are float32
on the CPU, images channels_last.

The result differs from that of a direct convolution by rounding: about 1e-6 of the largest for m = 2, 1e-5 for m = 4.
One infinity makes a whole tile of NaN.
"""

import ctypes
import functools
import math
import threading
from pathlib import Path
from typing import Any

import torch

from ... import native
from ..._core import config
from ..products import leaves_avx512_unused
from ..types import Ctx, Gradients
from .layout import memoize

#: ``MXNET_WINOGRAD=0`` leaves all convolutions to the direct way, for whoever wants its last bits or infinities.
_WANTED = config.WINOGRAD.get()
#: A weight that is kept, in numbers, so large that more speed for few tiles would not make up for its memory.
_LARGE = 4 << 20
#: Bytes of transformed images that each thread works on at once: they should stay in its cache.
_CHUNK = 3 << 19
#: As many tiles are worked on at once at least, for the products' sake: with fewer, reading the weight is what takes
#: time. Its gradient is read and written.
_LEAST, _LEAST_BY_WEIGHT = 64, 96
#: The largest workspace that is kept, in numbers.
_KEPT = 16 << 20


@functools.cache
def _products() -> int | None:
    """Where MKL's cblas_sgemm_batch is in torch's library, or None."""
    if not torch.backends.mkl.is_available():
        return None
    for path in Path(torch.__file__).parent.glob("lib/libtorch_cpu.*"):
        function = getattr(ctypes.CDLL(str(path)), "cblas_sgemm_batch", None)
        if function is not None:
            return ctypes.cast(function, ctypes.c_void_p).value
    return None


def is_available() -> bool:
    """Are there kernels, and products for them?"""
    return native.library() is not None and _products() is not None


@memoize
def tile_size(
    batch: int, channels: int, filters: int, height: int, width: int, stride: Any, pad: Any, dilate: Any, prepared: bool
) -> int:
    """The m with which a 3x3 convolution is faster than directly, or 0; ``prepared``: the weight is transformed."""
    if not _WANTED or stride != (1, 1) or pad != (1, 1) or dilate != (1, 1) or not is_available():
        return 0
    return _fastest(batch, channels, filters, height, width, prepared)


def _fastest(batch: int, channels: int, filters: int, height: int, width: int, prepared: bool) -> int:
    """The costs are in multiplications of a direct convolution, as measured with one thread.

    Beside its products, a transformed number costs 9, and a number of a transformed weight as much as 20 products, or
    63 if it is to be made. A direct convolution takes a weight as long as 25 pixels, or 40 with its gradients.
    """
    if min(channels, filters) < 16:
        return 0
    best, least = 0, 0.95 * 9 * (batch * height * width + (25 if prepared else 40)) * channels * filters
    for m in (2, 4):
        tiles = batch * tiles_of(height, m) * tiles_of(width, m)
        places = (m + 2) ** 2
        if prepared and m > 2 and tiles < 48 and places * channels * filters > _LARGE:
            continue
        products = (_product_cost() * tiles + (20 if prepared else 63)) * channels * filters
        cost = places * (products + 9 * tiles * (channels + filters)) + 500_000
        if cost < least:
            best, least = m, cost
    return best if batch else 0


@functools.cache
def _product_cost() -> float:
    """What a multiplication of MKL's costs."""
    return 2.7 if leaves_avx512_unused() else 1.4


def tiles_of(size: int, m: int) -> int:
    """How many tiles it takes along a size."""
    return -(-size // m)


class _Workspace(threading.local):
    """Memory for what lives within one call only, kept by each thread: it is warm, and does not tear up the heap."""

    def __init__(self) -> None:
        self._kept: dict[str, torch.Tensor] = {}

    def __call__(self, name: str, *shape: int) -> torch.Tensor:
        size = math.prod(shape)
        memory = self._kept.get(name)
        if memory is None or memory.numel() < size:
            self._kept.pop(name, None)
            memory = torch.empty(size)
            if size <= _KEPT:
                self._kept[name] = memory
        return memory[:size].view(shape)


_workspace = _Workspace()


def _plane(numbers: int) -> int:
    """From one plane to the next: an odd number of cache lines, so that not all begin at the same place in a cache."""
    return (tiles_of(numbers, 16) | 1) * 16


def transformed_weight(weight: torch.Tensor, m: int, kept: bool = True) -> torch.Tensor:
    """The weight (filters, channels, 3, 3) for ``convolve``: ((m + 2)^2, channels, filters).

    It has memory of its own if it is to be kept, or is in the workspace "weight".
    """
    return _transform(weight.transpose(0, 1), m, False, kept)


def _transform(weight: torch.Tensor, m: int, turned: bool, kept: bool) -> torch.Tensor:
    rows, columns = weight.shape[:2]
    if weight.stride(2) != 3 * weight.stride(3):
        weight = weight.contiguous()
    steps = weight.stride()
    sizes = (m + 2) ** 2, _plane(rows * columns)
    made = torch.empty(sizes) if kept else _workspace("weight", *sizes)
    call = rows, columns, steps[0], steps[1], steps[3], sizes[1], m, turned, native.threads(made.numel())
    native.kernels().winograd_weight(weight, made, *call)
    return made.as_strided((sizes[0], rows, columns), (sizes[1], columns, 1))


def convolve(
    data: torch.Tensor,
    weight: torch.Tensor,
    m: int,
    bias: torch.Tensor | None = None,
    other: torch.Tensor | None = None,
    relu: bool = False,
    overwrite: bool = False,
) -> torch.Tensor:
    """Convolves (batch, channels, height, width) with a transformed weight, stride 1, pad 1, into channels_last.

    ``other`` is added to the result, and may be overwritten by it; then ``relu`` cuts what is negative.
    """
    batch, channels, height, width = data.shape
    filters = weight.shape[2]
    shape = batch, filters, height, width
    if weight.shape[:2] != ((m + 2) ** 2, channels):
        raise ValueError(f"weight {tuple(weight.shape)} is not one of {channels} channels for m = {m}")
    if bias is not None and bias.shape != (filters,):
        raise ValueError(f"bias must be one of {filters} filters, got {tuple(bias.shape)}")
    if other is not None and other.shape != shape:
        raise ValueError(f"the other summand must have shape {shape}, got {tuple(other.shape)}")
    images = data.permute(0, 2, 3, 1).contiguous()
    summand = None if other is None else other.permute(0, 2, 3, 1).contiguous()
    if overwrite and other is not None and other.is_contiguous(memory_format=torch.channels_last):
        result = other
    else:
        # Not a view of something else, which autograd would not let a following relu overwrite.
        result = torch.empty(shape, memory_format=torch.channels_last)
    pixels = result.permute(0, 2, 3, 1)
    bias = None if bias is None else bias.contiguous()
    if weight.stride()[1:] != (filters, 1):
        weight = weight.contiguous()
    if images.numel():
        _convolve(images, weight, m, bias, summand, relu, pixels)
    return result


def _convolve(
    images: torch.Tensor,
    weight: torch.Tensor,
    m: int,
    bias: torch.Tensor | None,
    other: torch.Tensor | None,
    relu: bool,
    pixels: torch.Tensor,
) -> None:
    """Convolves images (batch, height, width, channels) with a transformed weight into pixels, images of filters."""
    places, channels, filters = weight.shape
    batch, height, width = images.shape[:3]
    tiles = batch * tiles_of(height, m) * tiles_of(width, m)
    each = 4 * places * (channels + filters)
    threads = native.threads(tiles * each)
    alone = threads > 1 and tiles >= threads * _LEAST
    step = _tiles_at_once(tiles, each, threads, alone, _LEAST)
    planes = weight.stride(0), _plane(step * channels), _plane(step * filters)
    work = _workspace("a", threads if alone else 1, places, planes[1] + planes[2])
    sizes = tiles, height, width, channels, filters, step, *planes
    native.kernels().winograd_convolve(
        images, weight, bias, other, pixels, work, *sizes, m, relu, alone, threads, _products()
    )


def _tiles_at_once(tiles: int, bytes_each: int, threads: int, alone: bool, least: int) -> int:
    """How many tiles to work on at once: all threads together, or each of them alone."""
    share = tiles_of(tiles, threads) if alone else tiles
    parts = tiles_of(tiles * bytes_each, _CHUNK * threads)
    parts = max(1, min(parts, share // least))
    return tiles_of(share, parts)


def _by_data(grad: torch.Tensor, weight: torch.Tensor, m: int) -> torch.Tensor:
    """The gradient of the data: a convolution with the weight turned round, filters and channels swapped."""
    return convolve(grad, _transform(weight, m, True, False), m)


def _by_weight(grad: torch.Tensor, data: torch.Tensor, m: int) -> torch.Tensor:
    """The gradient of the weight (filters, channels, 3, 3)."""
    images, grads = data.permute(0, 2, 3, 1).contiguous(), grad.permute(0, 2, 3, 1).contiguous()
    batch, height, width, channels = images.shape
    filters, places = grads.shape[3], (m + 2) ** 2
    tiles = batch * tiles_of(height, m) * tiles_of(width, m)
    each = 4 * places * (channels + filters)
    threads = native.threads(tiles * each)
    step = _tiles_at_once(tiles, each, threads, False, _LEAST_BY_WEIGHT)
    planes = _plane(filters * channels), _plane(step * channels), _plane(step * filters)
    total = _workspace("weight", places, planes[0])
    work = _workspace("a", places, planes[1] + planes[2])
    made = torch.empty(filters, channels, 3, 3)
    sizes = tiles, height, width, channels, filters, step, *planes
    native.kernels().winograd_by_weight(images, grads, total, made, work, *sizes, m, threads, _products())
    return made


class Winograd(torch.autograd.Function):
    """A convolution of channels_last float32 images on the CPU by tiles of m x m, with its gradients."""

    @staticmethod
    def forward(ctx: Ctx, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, m: int) -> torch.Tensor:
        ctx.save_for_backward(data, weight)
        ctx.m = m
        return convolve(data, transformed_weight(weight, m, kept=False), m, bias)

    @staticmethod
    def backward(ctx: Ctx, grad: torch.Tensor) -> Gradients:  # type: ignore[override]
        data, weight = ctx.saved_tensors
        wanted = ctx.needs_input_grad
        if torch.is_grad_enabled():  # gradients of gradients: torch knows how to
            options = (1, 1), (1, 1), (1, 1), False, (0, 0), 1
            bias = [weight.shape[0]] if wanted[2] else None
            return *torch.ops.aten.convolution_backward(grad, data, weight, bias, *options, wanted[:3]), None
        by_data = _by_data(grad, weight, ctx.m) if wanted[0] else None
        by_weight = _by_weight(grad, data, ctx.m) if wanted[1] else None
        return by_data, by_weight, grad.sum((0, 2, 3)) if wanted[2] else None, None
