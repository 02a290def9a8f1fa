"""Pooling: max, average, sum, Lp; valid, full and same; global."""

import functools
import math
from collections.abc import Callable
from typing import Any, Literal

import torch
from torch.nn import functional

from ... import native
from ..._core.tracing import is_traced
from ..params import Lengths
from ..registry import op
from ..support import without_data
from ..types import Ctx, Gradients
from ..wide import CUBES, SQUARES, in_float64, leaves
from . import direct
from .layout import (
    channels_first_view,
    channels_last,
    channels_last_view,
    check_floating,
    for_cpu,
    is_channels_last_1d,
    memoize,
    per_dimension,
    window_counts,
    window_of,
)

_MAX: dict[int, Callable[..., torch.Tensor]] = {
    1: functional.max_pool1d,
    2: functional.max_pool2d,
    3: functional.max_pool3d,
}
_AVG: dict[int, Callable[..., torch.Tensor]] = {
    1: functional.avg_pool1d,
    2: functional.avg_pool2d,
    3: functional.avg_pool3d,
}
Sizes = tuple[int, ...]
#: From how many numbers on the memory of the data is worth a step in Python.
_LARGE = 1 << 18
#: Of images with no more pixels, rounding is as small where a mean is a plain sum.
_FEW_PIXELS = 256


class _MaxPool(torch.autograd.Function):
    """Max pooling that does not keep its data for the gradient, as torch's does, which only asks for their shape."""

    @staticmethod
    def forward(ctx: Ctx, data: torch.Tensor, options: tuple[Any, ...]) -> torch.Tensor:
        result, places = torch.ops.aten.max_pool2d_with_indices(data, *options)
        ctx.save_for_backward(places)
        ctx.options, ctx.shape, ctx.strides = options, data.shape, data.stride()
        return result

    @staticmethod
    def backward(ctx: Ctx, gradient: torch.Tensor) -> Gradients:  # type: ignore[override]
        (places,) = ctx.saved_tensors
        result = torch.empty_strided(ctx.shape, ctx.strides, dtype=gradient.dtype)
        call = torch.ops.aten.max_pool2d_with_indices_backward
        if torch.is_grad_enabled():  # somebody wants gradients of gradients
            return call(gradient, result, *ctx.options, places), None
        # The result stands for the data, too.
        return call.grad_input(gradient, result, *ctx.options, places, grad_input=result), None


class _MaxPoolApart(torch.autograd.Function):
    """The same for windows side by side of channels_last images, by kernels of our own."""

    @staticmethod
    def forward(ctx: Ctx, data: torch.Tensor, kernel: Sizes) -> torch.Tensor:
        batch, channels, *size = data.shape
        found = [n // k for n, k in zip(size, kernel, strict=True)]
        result = torch.empty((batch, channels, *found), memory_format=torch.channels_last)
        places = torch.empty_like(result, dtype=torch.uint8)
        ctx.sizes = batch, *size, channels, *kernel
        native.kernels().max_pool_forward(data, result, places, *ctx.sizes, native.threads(data.numel()))
        ctx.save_for_backward(places)
        return result

    @staticmethod
    def backward(ctx: Ctx, gradient: torch.Tensor) -> Gradients:  # type: ignore[override]
        (places,) = ctx.saved_tensors
        batch, height, width, channels, high, wide = ctx.sizes
        result = torch.empty((batch, channels, height, width), memory_format=torch.channels_last)
        if torch.is_grad_enabled():  # somebody wants gradients of gradients
            place = places.long()
            rows = torch.arange(place.shape[2]).view(-1, 1) * high + place // wide
            place = rows * width + torch.arange(place.shape[3]) * wide + place % wide
            options = (high, wide), (high, wide), (0, 0), (1, 1), False
            return torch.ops.aten.max_pool2d_with_indices_backward(gradient, result, *options, place), None
        gradient = gradient.contiguous(memory_format=torch.channels_last)
        native.kernels().max_pool_backward(gradient, places, result, *ctx.sizes, native.threads(result.numel()))
        return result, None


def divisors(
    n: int, k: int, s: int, p: int, count: int, include_pad: bool, device: torch.device | None = None
) -> torch.Tensor:
    """Along one dimension, how many elements each window is averaged over."""
    start = torch.arange(count, device=device) * s - p
    end = (start + k).clamp(max=n + p)
    if not include_pad:
        start, end = start.clamp(min=0), end.clamp(max=n)
    return (end - start).clamp(min=1)  # a window with nothing in it is 0 / 1


class _Windows:
    """The geometry of one call: which windows, and whether torch's own rules for partial ones give the same."""

    def __init__(self, sizes: Sizes, kernel: Sizes, stride: Sizes, pad: Sizes, convention: str):
        self.kernel, self.stride, self.pad, self.sizes = kernel, stride, pad, sizes
        self.out = window_counts(sizes, kernel, stride, pad, None, convention)
        whole = window_counts(sizes, kernel, stride, pad)
        self.ceil = self.out != whole
        # torch has no window that starts behind the data, and no padding above half a kernel.
        whole_start = all((o - 1) * s < n + p for o, s, n, p in zip(self.out, stride, self.sizes, pad, strict=True))
        self.native = all(2 * p <= k for k, p in zip(kernel, pad, strict=True)) and (
            not self.ceil or (convention == "full" and whole_start)
        )
        # Its average in three dimensions also wants a kernel that fits into the data without the padding.
        self.native_sum = self.native and (len(kernel) < 3 or all(k <= n for k, n in zip(kernel, sizes, strict=True)))

    def pad_data(self, data: torch.Tensor, value: float) -> torch.Tensor:
        """Data padded so that the windows are just all whole windows."""
        amounts: list[int] = []
        for n, k, s, p, o in zip(self.sizes, self.kernel, self.stride, self.pad, self.out, strict=True):
            amounts[:0] = [p, (o - 1) * s + k - n - p]
        return functional.pad(data, amounts, value=value)

    def of_our_own(self, data: torch.Tensor, kind: str) -> torch.Tensor | None:
        """The result by a kernel of our own for images without a gradient; None if these do not fit it."""
        if data.dim() != 4 or data.dtype is not torch.float32 or not data.is_cpu or is_traced() or not data.numel():
            return None
        if data.requires_grad and torch.is_grad_enabled():
            return None
        found = direct.pooling(data.shape, data.stride(), self.kernel, self.stride, self.pad, self.out, kind)
        return None if found is None else found(data)

    def max(self, data: torch.Tensor) -> torch.Tensor:
        pool = _MAX[len(self.kernel)]
        if self.native:
            found = self.of_our_own(data, "max")
            if found is not None:
                return found
            options = self.kernel, self.stride, self.pad, (1,) * len(self.kernel), self.ceil
            if data.requires_grad and data.dim() == 4 and data.is_cpu and not is_traced():
                if torch.is_grad_enabled() and data.numel() >= _LARGE:
                    if self._apart(data):
                        return _MaxPoolApart.apply(data, self.kernel)
                    return _MaxPool.apply(data, options)
            return pool(data, *options)
        return pool(self.pad_data(data, torch.finfo(data.dtype).min), self.kernel, self.stride)

    def _apart(self, data: torch.Tensor) -> bool:
        """Are the windows side by side, and can our own kernels read these images?"""
        if self.kernel != self.stride or any(self.pad) or self.ceil or math.prod(self.kernel) > 256:
            return False
        if data.dtype is not torch.float32 or data.shape[1] < native.WIDEST:
            return False
        return data.is_contiguous(memory_format=torch.channels_last) and native.library() is not None

    def max_of_integers(self, data: torch.Tensor) -> torch.Tensor:
        """One dimension after the other: torch's own kernel takes bytes one by one."""
        if any(self.pad) or self.ceil:
            data = self.pad_data(data, torch.iinfo(data.dtype).min)
        for axis, (k, s, o) in enumerate(zip(self.kernel, self.stride, self.out, strict=True), 2):
            reach = (o - 1) * s + 1
            data = functools.reduce(torch.maximum, [data.narrow(axis, i, reach)[_every(axis, s)] for i in range(k)])
        return data

    def sum(self, data: torch.Tensor) -> torch.Tensor:
        if self.native_sum:
            return _sum(data, self.kernel, self.stride, self.pad, self.ceil)
        return _sum(self.pad_data(data, 0), self.kernel, self.stride, (0,) * len(self.kernel), False)

    def average(self, data: torch.Tensor, include_pad: bool) -> torch.Tensor:
        if self.native_sum and not (len(self.kernel) == 3 and data.dtype.itemsize == 2):
            found = self.of_our_own(data, "average with padding" if include_pad else "average")
            if found is not None:
                return found
            return _AVG[len(self.kernel)](data, self.kernel, self.stride, self.pad, self.ceil, include_pad)
        total = self.sum(data)
        dims = len(self.kernel)
        for i, geometry in enumerate(zip(self.sizes, self.kernel, self.stride, self.pad, self.out, strict=True)):
            found = divisors(*geometry, include_pad, data.device)
            total = total / found.view(-1, *[1] * (dims - i - 1)).to(data.dtype)
        return total


def _every(axis: int, step: int) -> tuple[slice, ...]:
    return (*[slice(None)] * axis, slice(None, None, step))


@memoize
def _plan(sizes: Sizes, kernel: Sizes, stride: Sizes, pad: Sizes, convention: str) -> _Windows:
    dims = len(sizes)
    kernel = per_dimension(kernel, dims, 1, "kernel", 1)
    if convention == "same" and any(pad):
        raise ValueError("pooling_convention='same' takes no pad")
    # MXNet does not look at what is given for more dimensions than there are
    stride = per_dimension(stride[:dims], dims, 1, "stride", 1)
    pad = per_dimension(pad[:dims], dims, 0, "pad", 0)
    if any(k > n + 2 * p for n, k, p in zip(sizes, kernel, pad, strict=True)):
        raise ValueError(f"kernel {kernel} exceeds the padded data {tuple(sizes)}")
    return _Windows(tuple(sizes), kernel, stride, pad, convention)


def _sum(data: torch.Tensor, kernel: Sizes, stride: Sizes, pad: Sizes, ceil: bool) -> torch.Tensor:
    if len(kernel) == 1:
        return _sum(data.unsqueeze(2), (1, *kernel), (1, *stride), (0, *pad), ceil).squeeze(2)
    if len(kernel) == 3 and data.dtype.itemsize == 2:  # torch's CPU has no 16-bit average in three dimensions
        return _sum(data.float(), kernel, stride, pad, ceil).to(data.dtype)
    return _AVG[len(kernel)](data, kernel, stride, pad, ceil, divisor_override=1)


def _root(total: torch.Tensor, p: int) -> torch.Tensor:
    """The p-th root, real for negative sums of cubes; its gradient at 0 is 0."""
    zero = total == 0
    safe = total.masked_fill(zero, 1)
    root = safe.sqrt() if p == 2 else safe.sign() * safe.abs().pow(1 / 3)
    return root.masked_fill(zero, 0)


def _lp(data: torch.Tensor, p: int | None, add: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
    if p not in (1, 2, 3):
        raise ValueError(f"pool_type='lp' needs p_value 1, 2 or 3, got {p}")
    if p == 1:
        return add(data)
    total = add(data**p)
    if leaves(total, SQUARES if p == 2 else CUBES):
        return in_float64(lambda x: _root(add(x**p), p), data)
    return _root(total, p)


def _global(data: torch.Tensor, pool_type: str, p_value: int | None) -> torch.Tensor:
    axes = tuple(range(2, data.dim()))
    if data.is_meta:
        return data.new_empty((*data.shape[:2], *[1] * len(axes)))
    if pool_type == "avg":
        if 0 < math.prod(data.shape[2:]) <= _FEW_PIXELS:
            found = _plan(data.shape[2:], data.shape[2:], (), (), "valid").of_our_own(data, "average")
            if found is not None:
                return found
        return data.mean(axes, keepdim=True)
    if pool_type == "max":
        return _MAX[len(axes)](data, tuple(data.shape[2:]))

    def add(values: torch.Tensor) -> torch.Tensor:
        return values.sum(axes, keepdim=True)

    return add(data) if pool_type == "sum" else _lp(data, p_value, add)


@op("Pooling", output_names=("output",))
def pooling(
    data: torch.Tensor,
    *,
    kernel: Lengths = (),
    pool_type: Literal["avg", "lp", "max", "sum"] = "max",
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: Literal["full", "same", "valid"] = "valid",
    stride: Lengths = (),
    pad: tuple[int, ...] = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC"] | None = None,
) -> torch.Tensor:
    """Reduces windows of ``kernel``, ``stride`` apart (1 by default), to their max, avg, sum or Lp norm.

    ``pooling_convention``: ``valid`` drops a partial window at the end, ``full`` keeps it, ``same`` gives size / stride
    rounded up. ``global_pool`` takes all of each channel. ``count_include_pad`` (default true): an average divides by
    padding as well. The Lp norm (p_value 1, 2 or 3) takes no absolute values.
    """
    check_floating(data)
    dims = data.dim() - 2
    if dims not in _MAX:
        raise ValueError(f"data must have 3, 4 or 5 dimensions, got {data.dim()}")
    last = channels_last(layout, dims)
    if dims == 1 and not last and is_channels_last_1d(data):
        kernel, stride = (1, *kernel) if kernel else (), (1, *stride) if stride else ()
        pad, images = (0, *pad) if pad else (), data.unsqueeze(2)
        options: Any = {"pool_type": pool_type, "global_pool": global_pool, "pooling_convention": pooling_convention}
        options.update(p_value=p_value, count_include_pad=count_include_pad)
        return pooling.kernel(images, kernel=kernel, stride=stride, pad=pad, **options).squeeze(2)
    if global_pool:
        if kernel and len(kernel) != dims:
            raise ValueError(f"kernel {kernel} does not fit {dims} spatial dimension(s)")
        if last:
            data = channels_first_view(data)
        result = _global(data, pool_type, p_value)
        return channels_last_view(result) if last else result
    if last:
        data = channels_first_view(data)
    if dims >= 2 and data.shape[1] >= 8:
        # torch pools whole vectors of channels, several times as fast as pixel by pixel, conversion included.
        data = for_cpu(data)
    windows = _plan(data.shape[2:], kernel, stride, pad, pooling_convention)
    if data.is_meta:
        result = data.new_empty((*data.shape[:2], *windows.out))
    elif pool_type == "max":
        result = windows.max(data)
    elif pool_type == "avg":
        result = windows.average(data, count_include_pad is not False)
    elif pool_type == "sum":
        result = windows.sum(data)
    else:
        result = _lp(data, p_value, windows.sum)
    return channels_last_view(result) if last else result


pooling.check(window_of((1, 2, 3)))


def max_of_integers(
    data: torch.Tensor,
    kernel: Sizes = (),
    global_pool: bool = False,
    pooling_convention: str = "valid",
    stride: Sizes = (),
    pad: Sizes = (),
    layout: str | None = None,
) -> torch.Tensor:
    """``Pooling`` to the maximum for images or volumes of integers."""
    last = channels_last(layout, data.dim() - 2)
    data = channels_first_view(data) if last else data
    if global_pool:
        result = data.amax(tuple(range(2, data.dim())), keepdim=True)
    else:
        result = _plan(data.shape[2:], kernel, stride, pad, pooling_convention).max_of_integers(for_cpu(data))
    return channels_last_view(result) if last else result


@op("Pooling_v1")
def pooling_v1(
    data: torch.Tensor,
    *,
    kernel: Lengths = (),
    pool_type: Literal["avg", "max", "sum"] = "max",
    global_pool: bool = False,
    pooling_convention: Literal["full", "valid"] = "valid",
    stride: Lengths = (),
    pad: tuple[int, ...] = (),
) -> torch.Tensor:
    """Pooling of images as MXNet 0.8 had it, for old Symbol files. Use ``Pooling``.

    It pads with zeros (a maximum too), averages over the whole kernel, and the gradient goes to all equal maxima.
    """
    check_floating(data)
    if data.dim() != 4:
        raise ValueError(f"data must have 4 dimensions, got {data.dim()}")
    sizes = tuple(data.shape[2:])
    if global_pool:
        kernel, stride, pad = sizes, (1, 1), (0, 0)
    kernel = per_dimension(kernel, 2, 1, "kernel", 1)
    stride = per_dimension(stride, 2, 1, "stride", 1)
    pad = per_dimension(pad, 2, 0, "pad", 0)
    if any(k > n + 2 * p for n, k, p in zip(sizes, kernel, pad, strict=True)):
        raise ValueError(f"kernel {kernel} exceeds the padded data {sizes}")
    if data.is_meta:
        data = without_data(data, (*data.shape[:2], *[n + 2 * p for n, p in zip(sizes, pad, strict=True)]))
        windows = _Windows(tuple(data.shape[2:]), kernel, stride, (0, 0), pooling_convention)
        return without_data(data, (*data.shape[:2], *windows.out))
    data = functional.pad(data, (pad[1], pad[1], pad[0], pad[0]))
    windows = _Windows(tuple(data.shape[2:]), kernel, stride, (0, 0), pooling_convention)
    if pool_type != "max":
        total = windows.sum(data)
        return total if pool_type == "sum" else total / (kernel[0] * kernel[1])
    data = windows.pad_data(data, float("-inf"))
    largest = functional.max_pool2d(data.detach(), kernel, stride)
    if not data.requires_grad:
        return largest
    inside = data.unfold(2, kernel[0], stride[0]).unfold(3, kernel[1], stride[1])
    equal = inside.detach() == largest[..., None, None]
    # Adds nothing but the gradient: each of several equal maxima gets all of it.
    tied = torch.where(equal & inside.detach().isfinite(), inside - inside.detach(), 0)
    return largest + tied.sum((-1, -2))


pooling_v1.check(window_of((1, 2, 3)))
