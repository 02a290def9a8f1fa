"""Winograd's convolution of images by 3x3 kernels, as a few products of matrices.

A tile of m x m results takes (m + 2)^2 products instead of 9 m^2, so that the work shrinks 2.25 times for m = 2 and
4 times for m = 4; what is left is one product of matrices for each of the (m + 2)^2 places in a tile. The
transformations are products of matrices, too, so that MKL does all of the work. Images are channels_last.

The result differs from that of a direct convolution by rounding: about 1e-6 of the largest for m = 2, 1e-5 for m = 4.
One infinity makes a whole tile of NaN.
"""

import functools
import math
import os
import threading
from typing import Any, NamedTuple

import torch
from torch.nn import functional

from .layout import cached

#: ``MXNET_WINOGRAD=0`` leaves all convolutions to the direct way, for whoever wants its last bits or infinities.
_WANTED = os.environ.get("MXNET_WINOGRAD", "1") not in ("0", "false", "False")

#: Bytes of transformed images that each thread works on at once: they should stay in its cache.
_CHUNK = 3 << 20
#: The largest workspace that is kept, in numbers.
_KEPT = 16 << 20

_MATRICES = {
    2: (
        [[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]],
        [[1, 0, 0], [1 / 2, 1 / 2, 1 / 2], [1 / 2, -1 / 2, 1 / 2], [0, 0, 1]],
        [[1, 1, 1, 0], [0, 1, -1, -1]],
    ),
    4: (
        [
            [4, 0, -5, 0, 1, 0],
            [0, -4, -4, 1, 1, 0],
            [0, 4, -4, -1, 1, 0],
            [0, -2, -1, 2, 1, 0],
            [0, 2, -1, -2, 1, 0],
            [0, 4, 0, -5, 0, 1],
        ],
        [
            [1 / 4, 0, 0],
            [-1 / 6, -1 / 6, -1 / 6],
            [-1 / 6, 1 / 6, -1 / 6],
            [1 / 24, 1 / 12, 1 / 6],
            [1 / 24, -1 / 12, 1 / 6],
            [0, 0, 1],
        ],
        [[1, 1, 1, 1, 1, 0], [0, 1, -1, 2, -2, 0], [0, 1, 1, 4, 4, 0], [0, 1, -1, 8, -8, 1]],
    ),
}


class _Transforms(NamedTuple):
    """The matrices for tiles of m x m results, each for both dimensions of an image at once."""

    m: int
    data: torch.Tensor
    weight: torch.Tensor
    flipped: torch.Tensor
    result: torch.Tensor


@functools.cache
def _transforms(m: int) -> _Transforms:
    data, weight, result = [torch.tensor(rows, dtype=torch.float64) for rows in _MATRICES[m]]
    weight = torch.kron(weight, weight).float()
    return _Transforms(
        m, torch.kron(data, data).float(), weight, weight.flip(1).contiguous(), torch.kron(result, result).float()
    )


@cached
def tile_size(
    batch: int, channels: int, filters: int, height: int, width: int, stride: Any, pad: Any, dilate: Any, prepared: bool
) -> int:
    """The m with which a 3x3 convolution is faster than the direct one, or 0; ``prepared``: the weight is transformed.

    The costs are in multiplications of a direct convolution, as measured with AVX-512 and one thread: of a transformed
    image 75 per number, of a transformed weight 10, and 24 for making it.
    """
    if not _WANTED or stride != (1, 1) or pad != (1, 1) or dilate != (1, 1):
        return 0
    best, least = 0, 0.82 * 9 * batch * height * width * channels * filters
    for m in _MATRICES:
        tiles = batch * _tiles(height, m) * _tiles(width, m)
        products = (tiles + (10 if prepared else 34)) * channels * filters
        cost = (m + 2) ** 2 * (products + 75 * tiles * (channels + filters))
        if cost < least:
            best, least = m, cost
    return best


def _tiles(size: int, m: int) -> int:
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


def transformed_weight(weight: torch.Tensor, m: int) -> torch.Tensor:
    """The weight (filters, channels, 3, 3) for ``convolve``: ((m + 2)^2, channels, filters)."""
    return _weight_by(_transforms(m).weight, weight).transpose(1, 2)


def _weight_by(matrix: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """A weight (filters, channels, 3, 3) transformed: ((m + 2)^2, filters, channels), in the workspace "weight"."""
    filters, channels = weight.shape[:2]
    made = _workspace("weight", matrix.shape[0], filters * channels)
    torch.mm(matrix, weight.reshape(-1, 9).t(), out=made)
    return made.view(-1, filters, channels)


def _transformed(images: torch.Tensor, transforms: _Transforms) -> torch.Tensor:
    """Images (batch, height, width, channels) for the products: ((m + 2)^2, tiles, channels), in the workspace "a"."""
    m = transforms.m
    batch, height, width, channels = images.shape
    down, across = _tiles(height, m), _tiles(width, m)
    padded = _workspace("a", batch, m * down + 2, m * across + 2, channels)
    for border in (padded[:, 0], padded[:, height + 1 :], padded[:, :, 0], padded[:, :, width + 1 :]):
        border.zero_()
    padded[:, 1 : height + 1, 1 : width + 1].copy_(images)
    steps = padded.stride()
    tiles = m + 2, m + 2, batch, down, across, channels
    windows = _workspace("b", *tiles)
    windows.copy_(padded.as_strided(tiles, (steps[1], steps[2], steps[0], m * steps[1], m * steps[2], 1)))
    size = (m + 2) ** 2
    transformed = _workspace("a", size, windows.numel() // size)
    torch.mm(transforms.data, windows.view(size, -1), out=transformed)
    return transformed.view(size, -1, channels)


def _regions(tiles: torch.Tensor, images: torch.Tensor, m: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Tiles (m, m, batch, down, across, channels) beside the parts of images where they lie; at the edges cut tiles."""
    height, width = images.shape[1:3]
    down, across = height // m, width // m
    rows, columns = height - m * down, width - m * across
    found = []
    if down and across:
        inner = images[:, : m * down, : m * across].unflatten(1, (down, m)).unflatten(3, (across, m))
        found.append((tiles[:, :, :, :down, :across].permute(2, 3, 0, 4, 1, 5), inner))
    if rows and across:
        lower = images[:, m * down :, : m * across].unflatten(2, (across, m))
        found.append((tiles[:rows, :, :, down, :across].permute(2, 0, 3, 1, 4), lower))
    if columns and down:
        right = images[:, : m * down, m * across :].unflatten(1, (down, m))
        found.append((tiles[:, :columns, :, :down, across].permute(2, 3, 0, 1, 4), right))
    if rows and columns:
        found.append((tiles[:rows, :columns, :, down, across].permute(2, 0, 1, 3), images[:, m * down :, m * across :]))
    return found


def _parts(batch: int, bytes_each: int) -> int:
    """How many images to work on at once."""
    parts = max(1, min(batch, round(batch * bytes_each / (_CHUNK * torch.get_num_threads()))))
    return -(-batch // parts)


def convolve(
    data: torch.Tensor,
    weight: torch.Tensor,
    m: int,
    bias: torch.Tensor | None = None,
    other: torch.Tensor | None = None,
    relu: bool = False,
) -> torch.Tensor:
    """Convolves (batch, channels, height, width) with a transformed weight, stride 1, pad 1, into channels_last.

    ``other`` is added to the result, then ``relu`` cuts what is negative.
    """
    transforms = _transforms(m)
    images = data.permute(0, 2, 3, 1)
    batch, height, width, channels = images.shape
    filters = weight.shape[2]
    down, across = _tiles(height, m), _tiles(width, m)
    # Not a view of something else, which autograd would not let a following relu overwrite.
    result = torch.empty((batch, filters, height, width), memory_format=torch.channels_last)
    pixels = result.permute(0, 2, 3, 1)
    step = _parts(batch, 4 * weight.shape[0] * down * across * max(channels, filters))
    for start in range(0, batch, step):
        places = _transformed(images[start : start + step], transforms)
        products = torch.bmm(places, weight, out=_workspace("b", *places.shape[:2], filters))
        if bias is not None:
            products[m + 3] += bias  # the place of the point (1, 1), which goes into each result with the factor 1
        flat = products.view(weight.shape[0], -1)
        tiles = torch.mm(transforms.result, flat, out=_workspace("a", m * m, flat.shape[1]))
        tiles = tiles.view(m, m, -1, down, across, filters)
        part = pixels[start : start + step]
        if other is None:
            for source, target in _regions(tiles, part, m):
                if relu:
                    torch.clamp_min(source, 0, out=target)
                else:
                    target.copy_(source)
            continue
        summands = _regions(tiles, other.permute(0, 2, 3, 1)[start : start + step], m)
        for (source, target), (_, summand) in zip(_regions(tiles, part, m), summands, strict=True):
            torch.add(source, summand, out=target)
        if relu:
            part.relu_()
    return result


def _by_data(grad: torch.Tensor, weight: torch.Tensor, m: int) -> torch.Tensor:
    """The gradient of the data: a convolution with the weight turned round."""
    turned = _weight_by(_transforms(m).flipped, weight)
    return convolve(grad, turned, m)


def _by_weight(grad: torch.Tensor, data: torch.Tensor, m: int) -> torch.Tensor:
    """The gradient of the weight (filters, channels, 3, 3)."""
    transforms = _transforms(m)
    images, grads = data.permute(0, 2, 3, 1), grad.permute(0, 2, 3, 1)
    batch, height, width, channels = images.shape
    filters = grads.shape[3]
    down, across = _tiles(height, m), _tiles(width, m)
    places = (m + 2) ** 2
    edges = 0, 0, 0, m * across - width, 0, m * down - height
    step = _parts(batch, 4 * places * down * across * max(channels, filters))
    total = _workspace("weight", places, filters, channels)
    for start in range(0, batch, step):
        part = functional.pad(grads[start : start + step], edges) if any(edges) else grads[start : start + step]
        tiles = _workspace("a", m, m, part.shape[0], down, across, filters)
        tiles.copy_(part.unflatten(1, (down, m)).unflatten(3, (across, m)).permute(2, 4, 0, 1, 3, 5))
        tiles = tiles.view(m * m, -1)
        spread = torch.mm(transforms.result.t(), tiles, out=_workspace("c", places, tiles.shape[1]))
        spread = spread.view(places, -1, filters).transpose(1, 2)
        torch.baddbmm(
            total, spread, _transformed(images[start : start + step], transforms), beta=1 if start else 0, out=total
        )
    return total.view(places, -1).t().mm(transforms.weight).view(filters, channels, 3, 3)


class Winograd(torch.autograd.Function):
    """A convolution of channels_last float32 images on the CPU by tiles of m x m, with its gradients."""

    @staticmethod
    def forward(ctx: Any, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, m: int) -> torch.Tensor:
        ctx.save_for_backward(data, weight)
        ctx.m = m
        return convolve(data, transformed_weight(weight, m), m, bias)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:  # type: ignore[override]
        data, weight = ctx.saved_tensors
        wanted = ctx.needs_input_grad
        if torch.is_grad_enabled():  # gradients of gradients: torch knows how to
            options = (1, 1), (1, 1), (1, 1), False, (0, 0), 1
            bias = [weight.shape[0]] if wanted[2] else None
            return *torch.ops.aten.convolution_backward(grad, data, weight, bias, *options, wanted[:3]), None
        by_data = _by_data(grad, weight, ctx.m) if wanted[0] else None
        by_weight = _by_weight(grad, data, ctx.m) if wanted[1] else None
        return by_data, by_weight, grad.sum((0, 2, 3)) if wanted[2] else None, None
