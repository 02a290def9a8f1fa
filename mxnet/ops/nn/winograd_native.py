"""Winograd's convolutions: kernels of our own transform (mxnet/native/winograd.c), MKL multiplies.

The functions are those of winograd_plain.py. All arrays are float32 on the CPU and contiguous, but for weights.
"""

import ctypes
import functools
from pathlib import Path

import torch

from ... import native
from .winograd_plain import tiles_of, workspace

#: Bytes of transformed images that each thread works on at once: they should stay in its cache.
_CHUNK = 3 << 19
#: As many tiles are worked on at once at least, for the products' sake: with fewer, reading the weight is what takes
#: time. Its gradient is read and written.
_LEAST, _LEAST_BY_WEIGHT = 64, 96


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


def _plane(numbers: int) -> int:
    """From one plane to the next: an odd number of cache lines, so that not all begin at the same place in a cache."""
    return (tiles_of(numbers, 16) | 1) * 16


def transform_weight(weight: torch.Tensor, m: int, kept: bool = False) -> torch.Tensor:
    """A weight (filters, channels, 3, 3) for the products: ((m + 2)^2, channels, filters).

    It is in the workspace "weight", or has memory of its own if it is to be kept.
    """
    return _weight(weight.transpose(0, 1), m, False, kept)


def transform_turned(weight: torch.Tensor, m: int) -> torch.Tensor:
    """A weight turned round, with filters and channels swapped: ((m + 2)^2, filters, channels)."""
    return _weight(weight, m, True, False)


def _weight(weight: torch.Tensor, m: int, turned: bool, kept: bool) -> torch.Tensor:
    rows, columns = weight.shape[:2]
    if weight.stride(2) != 3 * weight.stride(3):
        weight = weight.contiguous()
    steps = weight.stride()
    sizes = (m + 2) ** 2, _plane(rows * columns)
    made = torch.empty(sizes) if kept else workspace("weight", *sizes)
    call = rows, columns, steps[0], steps[1], steps[3], sizes[1], m, turned, native.threads(made.numel())
    native.kernels().winograd_weight(weight, made, *call)
    return made.as_strided((sizes[0], rows, columns), (sizes[1], columns, 1))


def convolve(
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
    work = workspace("a", threads if alone else 1, places, planes[1] + planes[2])
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


def by_weight(images: torch.Tensor, grads: torch.Tensor, m: int) -> torch.Tensor:
    """The gradient of a weight, (filters, channels, 3, 3), from data and gradients of results."""
    batch, height, width, channels = images.shape
    filters, places = grads.shape[3], (m + 2) ** 2
    tiles = batch * tiles_of(height, m) * tiles_of(width, m)
    each = 4 * places * (channels + filters)
    threads = native.threads(tiles * each)
    step = _tiles_at_once(tiles, each, threads, False, _LEAST_BY_WEIGHT)
    planes = _plane(filters * channels), _plane(step * channels), _plane(step * filters)
    total = workspace("weight", places, planes[0])
    work = workspace("a", places, planes[1] + planes[2])
    made = torch.empty(filters, channels, 3, 3)
    sizes = tiles, height, width, channels, filters, step, *planes
    native.kernels().winograd_by_weight(images, grads, total, made, work, *sizes, m, threads, _products())
    return made
