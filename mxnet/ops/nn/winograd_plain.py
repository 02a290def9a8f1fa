"""Winograd's convolutions with transformations that are products of matrices, so that MKL does all of the work.

This is the way where there are no kernels of our own; see winograd.py.
"""

import functools
import math
import threading
from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch.nn import functional

#: Bytes of transformed images that each thread works on at once: they should stay in its cache.
_CHUNK = 3 << 20
#: How many filters of a weight are transformed at once where the workspace for that would stay.
_FILTERS = 64
#: The largest workspace that is kept, in numbers.
_KEPT = 16 << 20

#: The transformations of data, weight and result, that of 4 for points 1 apart: see ``_for_points``.
MATRICES = {
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
#: How far apart the points are for m = 4, as in winograd.c: with 1 there are up to four times the rounding errors.
_APART = 0.75


def _for_points(
    data: torch.Tensor, weight: torch.Tensor, result: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The matrices for m = 4 with the points that far apart. The last point is infinity."""
    powers = _APART ** torch.arange(6, dtype=torch.float64)
    data, weight, result = data / powers, weight * powers[:3], result * powers[:4, None]
    data[:5] *= powers[4]
    data[5] *= powers[5]
    weight[:5] /= powers[4]
    weight[5] /= powers[2]
    result[:, 5] /= powers[3]
    return data, weight, result


class _Transforms(NamedTuple):
    """The matrices for tiles of m x m results, each for both dimensions of an image at once."""

    m: int
    data: torch.Tensor
    weight: torch.Tensor
    flipped: torch.Tensor
    result: torch.Tensor


@functools.cache
def _transforms(m: int) -> _Transforms:
    data, weight, result = [torch.tensor(rows, dtype=torch.float64) for rows in MATRICES[m]]
    if m == 4:
        data, weight, result = _for_points(data, weight, result)
    weight = torch.kron(weight, weight).float()
    return _Transforms(
        m, torch.kron(data, data).float(), weight, weight.flip(1).contiguous(), torch.kron(result, result).float()
    )


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


workspace = _Workspace()


def transform_weight(weight: torch.Tensor, m: int, kept: bool = False) -> torch.Tensor:
    """A weight (filters, channels, 3, 3) for the products: ((m + 2)^2, channels, filters).

    It is in the workspace "weight", or has memory of its own if it is to be kept.
    """
    if not kept:
        return _weight_by(_transforms(m).weight, weight).transpose(1, 2)
    made = torch.empty((m + 2) ** 2, *weight.shape[1::-1])
    # In parts, as the workspace stays: it would be as large as the result.
    for part, result in zip(weight.split(_FILTERS), made.split(_FILTERS, 2), strict=True):
        result.copy_(transform_weight(part, m))
    return made


def transform_turned(weight: torch.Tensor, m: int) -> torch.Tensor:
    """A weight turned round, with filters and channels swapped: ((m + 2)^2, filters, channels)."""
    return _weight_by(_transforms(m).flipped, weight)


def _weight_by(matrix: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    filters, channels = weight.shape[:2]
    made = workspace("weight", matrix.shape[0], filters * channels)
    torch.mm(matrix, weight.reshape(-1, 9).t(), out=made)
    return made.view(-1, filters, channels)


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
    for part in _parts(images, m, max(weight.shape[1:])):
        transformed = _data(images[part], m)
        products = workspace("b", *transformed.shape[:2], weight.shape[2])
        torch.bmm(transformed, weight, out=products)
        _result(products, pixels[part], m, bias, None if other is None else other[part], relu)


def by_weight(images: torch.Tensor, grads: torch.Tensor, m: int) -> torch.Tensor:
    """The gradient of a weight, (filters, channels, 3, 3), from data and gradients of results."""
    channels, filters = images.shape[3], grads.shape[3]
    total = workspace("weight", (m + 2) ** 2, filters, channels)
    for part in _parts(images, m, max(channels, filters)):
        spread = _spread(grads[part], m).transpose(1, 2)
        torch.baddbmm(total, spread, _data(images[part], m), beta=1 if part.start else 0, out=total)
    return _weight_gradient(total, m)


def _parts(images: torch.Tensor, m: int, channels: int) -> Iterator[slice]:
    """Parts of a batch that stay in the cache when they are transformed."""
    batch = images.shape[0]
    size = 4 * (m + 2) ** 2 * channels * batch * tiles_of(images.shape[1], m) * tiles_of(images.shape[2], m)
    parts = max(1, min(batch, round(size / (_CHUNK * torch.get_num_threads()))))
    step = -(-batch // parts)
    for start in range(0, batch, step):
        yield slice(start, start + step)


def _weight_gradient(planes: torch.Tensor, m: int) -> torch.Tensor:
    """The gradient (filters, channels, 3, 3) from that of a transformed weight, ((m + 2)^2, filters, channels)."""
    places, filters, channels = planes.shape
    return planes.view(places, -1).t().mm(_transforms(m).weight).view(filters, channels, 3, 3)


def _data(images: torch.Tensor, m: int) -> torch.Tensor:
    """Images (batch, height, width, channels) for the products: ((m + 2)^2, tiles, channels), in workspace "a"."""
    transforms = _transforms(m)
    batch, height, width, channels = images.shape
    down, across = tiles_of(height, m), tiles_of(width, m)
    padded = workspace("a", batch, m * down + 2, m * across + 2, channels)
    for border in (padded[:, 0], padded[:, height + 1 :], padded[:, :, 0], padded[:, :, width + 1 :]):
        border.zero_()
    padded[:, 1 : height + 1, 1 : width + 1].copy_(images)
    steps = padded.stride()
    sizes = m + 2, m + 2, batch, down, across, channels
    windows = workspace("b", *sizes)
    windows.copy_(padded.as_strided(sizes, (steps[1], steps[2], steps[0], m * steps[1], m * steps[2], 1)))
    places = (m + 2) ** 2
    transformed = workspace("a", places, windows.numel() // places)
    torch.mm(transforms.data, windows.view(places, -1), out=transformed)
    return transformed.view(places, -1, channels)


def _spread(grads: torch.Tensor, m: int) -> torch.Tensor:
    """Gradients (batch, height, width, filters) for the products: ((m + 2)^2, tiles, filters), in workspace "c"."""
    batch, height, width, filters = grads.shape
    down, across = tiles_of(height, m), tiles_of(width, m)
    edges = 0, 0, 0, m * across - width, 0, m * down - height
    if any(edges):
        grads = functional.pad(grads, edges)
    pixels = workspace("a", m, m, batch, down, across, filters)
    pixels.copy_(grads.unflatten(1, (down, m)).unflatten(3, (across, m)).permute(2, 4, 0, 1, 3, 5))
    pixels = pixels.view(m * m, -1)
    places = (m + 2) ** 2
    spread = torch.mm(_transforms(m).result.t(), pixels, out=workspace("c", places, pixels.shape[1]))
    return spread.view(places, -1, filters)


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


def _result(
    products: torch.Tensor,
    pixels: torch.Tensor,
    m: int,
    bias: torch.Tensor | None,
    other: torch.Tensor | None,
    relu: bool,
) -> None:
    """Writes the products ((m + 2)^2, tiles, filters) as pixels, images (batch, height, width, filters)."""
    down, across = tiles_of(pixels.shape[1], m), tiles_of(pixels.shape[2], m)
    flat = products.view(products.shape[0], -1)
    values = torch.mm(_transforms(m).result, flat, out=workspace("a", m * m, flat.shape[1]))
    values = values.view(m, m, -1, down, across, products.shape[2])
    if bias is not None:
        values += bias
    if other is None:
        for source, target in _regions(values, pixels, m):
            if relu:
                torch.clamp_min(source, 0, out=target)
            else:
                target.copy_(source)
        return
    summands = _regions(values, other, m)
    for (source, target), (_, summand) in zip(_regions(values, pixels, m), summands, strict=True):
        torch.add(source, summand, out=target)
    if relu:
        pixels.relu_()
