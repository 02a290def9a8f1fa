"""Convolution and Deconvolution, in one to three dimensions and every layout."""

import math
from collections.abc import Callable
from typing import Any, Literal

import torch
from torch.nn import functional

from ..._core.tracing import is_traced
from ..infer import UNKNOWN, Shape, unify
from ..params import Count
from ..products import linear
from ..registry import op
from ..support import without_data
from ..types import Attrs, Ctx, Gradients, Keywords, Shapes
from .im2col import Convolve, has_few_channels, has_few_pixels
from .layout import (
    channels_first_view,
    channels_last,
    channels_last_view,
    check_bias,
    check_floating,
    for_cpu,
    memoize,
    per_dimension,
    remove_height,
    transposed_sizes,
    weights_active,
    window_counts,
    window_of,
)
from .volumes import convolve_volumes
from .winograd import Winograd, tile_size

_CONVOLVE: dict[int, Callable[..., torch.Tensor]] = {1: torch.conv1d, 2: torch.conv2d, 3: torch.conv3d}
_TRANSPOSED: dict[int, Callable[..., torch.Tensor]] = {
    1: functional.conv_transpose1d,
    2: functional.conv_transpose2d,
    3: functional.conv_transpose3d,
}
_TUNE = Literal["fastest", "limited_workspace", "off"]
_LAYOUT = Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC"]


def _weight_shape(
    data: Shape, kernel: Shape, filters: int, groups: int, layout: str | None, transposed: bool = False
) -> Shape:
    """The shape of the weight in the order of the layout: (filters, channels / groups, *kernel), or both swapped."""
    last = channels_last(layout, len(kernel))
    channels = data[-1 if last else 1]
    if filters < 1 or groups < 1:
        raise ValueError(f"num_filter and num_group must be at least 1, got {filters} and {groups}")
    if channels % groups or filters % groups:
        raise ValueError(f"num_group {groups} must divide the {channels} channels of data and num_filter {filters}")
    first, second = (channels, filters // groups) if transposed else (filters, channels // groups)
    return (first, *kernel, second) if last else (first, second, *kernel)


def _check_shapes(weight: Shape, bias: Shape | None, expected: Shape, filters: int) -> None:
    if weight != expected:
        raise ValueError(
            f"weight must have shape {expected}, got {tuple(weight)}. If the channels differ: data is to have them "
            "where the layout says, axis 1 for NCHW; images of shape (height, width, channels) want "
            "transpose((2, 0, 1)) or transforms.ToTensor()"
        )
    if bias is not None and bias != (filters,):
        raise ValueError(f"bias must have shape {(filters,)}, got {tuple(bias)}")


def _check_dimensions(data: Shape, kernel: Shape) -> int:
    dims = len(kernel)
    if dims not in _CONVOLVE or min(kernel) < 1:
        raise ValueError(f"kernel must be 1, 2 or 3 positive numbers, got {kernel}")
    if len(data) != dims + 2:
        raise ValueError(
            f"data must have {dims + 2} dimensions for a kernel of {dims}, got {len(data)}; a kernel has one number "
            "for each axis, such as (3, 3) for images"
        )
    return dims


@memoize
def convolution_plan(
    data: Shape,
    weight: Shape,
    bias: Shape | None,
    kernel: Shape,
    stride: Shape,
    dilate: Shape,
    pad: Shape,
    filters: int,
    groups: int,
    layout: str | None,
) -> tuple[Shape, Shape, Shape, bool]:
    """Stride, pad and dilate of a convolution, one per dimension, and whether the channels are last; after checking."""
    dims = _check_dimensions(data, kernel)
    _check_shapes(weight, bias, _weight_shape(data, kernel, filters, groups, layout), filters)
    stride = per_dimension(stride, dims, 1, "stride", 1)
    dilate = per_dimension(dilate, dims, 1, "dilate", 1)
    pad = per_dimension(pad, dims, 0, "pad", 0)
    last = channels_last(layout, dims)
    for size, k, d, p in zip(data[1:-1] if last else data[2:], kernel, dilate, pad, strict=True):
        if d * (k - 1) + 1 > size + 2 * p:
            raise ValueError(f"kernel {kernel} with dilate {dilate} exceeds the padded size {size + 2 * p} of data")
    return stride, pad, dilate, last


@memoize
def deconvolution_plan(
    data: Shape,
    weight: Shape,
    bias: Shape | None,
    kernel: Shape,
    stride: Shape,
    dilate: Shape,
    pad: Shape,
    adj: Shape,
    target_shape: Shape,
    filters: int,
    groups: int,
    layout: str | None,
) -> tuple[Shape, Shape, Shape, Shape, bool]:
    """Stride, pad, adj and dilate of a deconvolution and whether the channels are last; after checking."""
    dims = _check_dimensions(data, kernel)
    _check_shapes(weight, bias, _weight_shape(data, kernel, filters, groups, layout, True), filters)
    stride = per_dimension(stride, dims, 1, "stride", 1)
    dilate = per_dimension(dilate, dims, 1, "dilate", 1)
    last = channels_last(layout, dims)
    sizes = data[1:-1] if last else data[2:]
    full = transposed_sizes(sizes, kernel, stride, dilate)
    if any(target_shape):
        target_shape = per_dimension(target_shape, dims, 0, "target_shape", 1)
        extra = [f - t for f, t in zip(full, target_shape, strict=True)]
        if min(extra) < 0:
            raise ValueError(f"target_shape {target_shape} is larger than the result without padding, {full}")
        pad = tuple([(e + 1) // 2 for e in extra])
        adj = tuple([e % 2 for e in extra])
    else:
        pad = per_dimension(pad, dims, 0, "pad", 0)
        adj = per_dimension(adj, dims, 0, "adj", 0)
    if any(a >= s for a, s in zip(adj, stride, strict=True)):
        raise ValueError(f"adj {adj} must be smaller than stride {stride}")
    if any(f + a <= 2 * p for f, a, p in zip(full, adj, pad, strict=True)):
        raise ValueError(f"pad {pad} leaves nothing of the result {full}")
    return stride, pad, adj, dilate, last


class _Subsample(torch.autograd.Function):
    """Every so many pixels of each dimension, in the memory layout that convolutions want; so is the gradient."""

    @staticmethod
    def forward(ctx: Ctx, data: torch.Tensor, stride: tuple[int, ...]) -> torch.Tensor:
        ctx.shape, ctx.pixels = data.shape, (..., *[slice(None, None, s) for s in stride])
        picked = data[ctx.pixels]
        return _empty(picked.shape, data.dtype).copy_(picked)

    @staticmethod
    def backward(ctx: Ctx, grad: torch.Tensor) -> Gradients:  # type: ignore[override]
        by_data = _empty(ctx.shape, grad.dtype).zero_()
        by_data[ctx.pixels] = grad
        return by_data, None


def _empty(shape: torch.Size, dtype: torch.dtype) -> torch.Tensor:
    layout = torch.channels_last if len(shape) == 4 else torch.contiguous_format
    return torch.empty(shape, dtype=dtype, memory_format=layout)


def _convolve_by_products(
    data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, stride: Shape, dilate: Shape, pad: Shape
) -> torch.Tensor | None:
    """The convolution in parts that are products of matrices, or None where oneDNN's direct ones are faster."""
    sizes = window_counts(data.shape[2:], weight.shape[2:], stride, pad, dilate)
    pixels, shape = data.shape[0] * math.prod(sizes), tuple(weight.shape)
    few_pixels = has_few_pixels(pixels, shape, False)
    if few_pixels or (data.requires_grad and has_few_channels(pixels, shape)):
        window = stride, pad, dilate
        return Convolve.apply(for_cpu(data), weight, bias, sizes, window, False, (0,) * len(sizes), few_pixels)
    return None


@memoize
def has_windows_of_padding(kernel: Shape, dilate: Shape, pad: Shape) -> bool:
    """May windows of a convolution lie wholly in the padding? oneDNN (3.12) reads and writes elsewhere for some."""
    return any(p > d * (k - 1) for k, d, p in zip(kernel, dilate, pad, strict=True))


@memoize
def is_trap(kernel: Shape, stride: Shape, dilate: Shape, pad: Shape) -> bool:
    """Is it one of the convolutions whose gradients oneDNN does not compute within its memory?

    Two gradients of data in channels_last leave it (3.12 with AVX2): that of a 1x1 kernel with strides over fewer than
    8 channels (brgconv_strided), and that with windows of padding (gemm:jit). tests/sweep finds such calls.
    """
    return (max(kernel) == 1 and max(stride) > 1) or has_windows_of_padding(kernel, dilate, pad)


def _avoid_trap(
    data: torch.Tensor, kernel: Shape, stride: Shape, dilate: Shape, pad: Shape
) -> tuple[Any, Shape, Shape]:
    """Data, stride and pad of the same convolution of another kind."""
    if has_windows_of_padding(kernel, dilate, pad):
        data, pad = functional.pad(data, [p for p in reversed(pad) for _ in range(2)]), (0,) * len(pad)
    if max(kernel) == 1 and max(stride) > 1:
        data, stride = _Subsample.apply(data, stride), (1,) * len(stride)  # which is faster, too
    return data, stride, pad


def _convolve_images(
    data: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    stride: tuple[int, ...],
    dilate: tuple[int, ...],
    pad: tuple[int, ...],
    groups: int,
) -> torch.Tensor:
    """Convolution of (batch, channels, height, width) on the CPU, in the memory layout that is fastest for it."""
    if groups == 1 and data.dtype is torch.float32:
        filters, channels, height, width = weight.shape
        if height == width == 1:  # without strides and padding here
            # One matrix product over all pixels: as fast as oneDNN forward, up to twice as fast backward.
            pixels = for_cpu(data).permute(0, 2, 3, 1)
            return linear(pixels, weight.reshape(filters, channels), bias).permute(0, 3, 1, 2)
        elif height == width == 3 and (m := _tile_size(data, weight, stride, pad, dilate)):
            return Winograd.apply(for_cpu(data), weight, bias, m)
        elif (result := _convolve_by_products(data, weight, bias, stride, dilate, pad)) is not None:
            return result
        elif channels >= 256 and data.shape[3] <= 8:
            # Many channels and hardly any width, the last stage of a network: here oneDNN's own blocked layout, which
            # it takes for NCHW, is 1.1 to 2 times as fast as channels_last.
            return torch.conv2d(data.contiguous(), weight.contiguous(), bias, stride, pad, dilate, groups)
    return torch.conv2d(for_cpu(data), weight, bias, stride, pad, dilate, groups)


def _tile_size(data: torch.Tensor, weight: torch.Tensor, *geometry: tuple[int, ...]) -> int:
    return tile_size(data.shape[0], weight.shape[1], weight.shape[0], *data.shape[2:], *geometry, False)


@op("Convolution", active=weights_active)
def convolution(
    data: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    *,
    kernel: tuple[int, ...],
    stride: tuple[int, ...] = (),
    dilate: tuple[int, ...] = (),
    pad: tuple[int, ...] = (),
    num_filter: Count,
    num_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    cudnn_tune: _TUNE | None = None,
    cudnn_off: bool = False,
    layout: _LAYOUT | None = None,
) -> torch.Tensor:
    """Convolves data (batch, channels, ...) with ``num_filter`` filters in as many dimensions as ``kernel`` has.

    ``weight`` is (num_filter, channels / num_group, *kernel). ``layout`` may put the channels last (NHWC, NDHWC)
    in data, result and weight (num_filter, *kernel, channels / num_group). ``workspace``, ``cudnn_*``: no effect.
    """
    check_bias(bias, no_bias)
    check_floating(data, weight, bias)
    shapes = data.shape, weight.shape, None if bias is None else bias.shape
    stride, pad, dilate, last = convolution_plan(*shapes, kernel, stride, dilate, pad, num_filter, num_group, layout)
    if last:
        data, weight = channels_first_view(data), channels_first_view(weight)
    on_cpu = data.is_cpu and not is_traced()
    if on_cpu and is_trap(kernel, stride, dilate, pad):
        data, stride, pad = _avoid_trap(data, kernel, stride, dilate, pad)
    if on_cpu and data.dim() == 3 and data.dtype is torch.float32:
        # Sequences are images of height 1: channels_last, and by whatever is fastest for images.
        images, filters = data.unsqueeze(2), weight.unsqueeze(2)
        result = _convolve_images(images, filters, bias, (1, *stride), (1, *dilate), (0, *pad), num_group)
        result = remove_height(result)
    elif on_cpu and data.dim() == 4:
        result = _convolve_images(data, weight, bias, stride, dilate, pad, num_group)
    elif on_cpu and data.dim() == 5:
        result = convolve_volumes(data, weight, bias, stride, dilate, pad, num_group)
    elif data.is_meta:
        result = data.new_empty(
            (data.shape[0], num_filter, *window_counts(data.shape[2:], kernel, stride, pad, dilate))
        )
    else:
        result = _CONVOLVE[len(kernel)](data, weight, bias, stride, pad, dilate, num_group)
    return channels_last_view(result) if last else result


convolution.check(window_of((1, 2, 3), "stride", "dilate", "pad"))


@op("Convolution_v1", like=convolution, active=weights_active)
def convolution_v1(
    data: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    *,
    kernel: tuple[int, ...],
    layout: Literal["NCDHW", "NCHW", "NDHWC", "NHWC"] | None = None,
    **same: Any,
) -> torch.Tensor:
    """The same as ``Convolution``, for old Symbol files; it has no one-dimensional form."""
    return convolution.kernel(data, weight, bias, kernel=kernel, layout=layout, **same)


convolution_v1.check(window_of((2, 3)))


def _deconvolve_apart(
    data: torch.Tensor,
    weight: torch.Tensor,
    kernel: Shape,
    stride: Shape,
    pad: Shape,
    adj: Shape,
    groups: int,
    dilate: Shape,
) -> torch.Tensor:
    """A deconvolution in parts, for those that are gradients of such convolutions as ``is_trap`` names.

    (oneDNN's gradient of a 1x1 weight with strides, jit_1x1, writes behind its memory as well.)
    """
    dims, call = len(kernel), _TRANSPOSED[len(kernel)]
    if max(kernel) == 1:
        picked = call(for_cpu(data), weight, None, 1, 0, 0, groups)
        sizes = [(n - 1) * s + 1 + a for n, s, a in zip(data.shape[2:], stride, adj, strict=True)]
        result = picked.new_zeros((*picked.shape[:2], *sizes))
        places = (
            slice(None),
            slice(None),
            *[slice(None, n - a, s) for n, a, s in zip(sizes, adj, stride, strict=True)],
        )
        result[places] = picked
    else:
        result = call(for_cpu(data), weight, None, stride, (0,) * dims, adj, groups, dilate)
    for axis, p in enumerate(pad, 2):
        result = result.narrow(axis, p, result.shape[axis] - 2 * p)
    return result


def _deconvolve(
    data: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    stride: Shape,
    pad: Shape,
    adj: Shape,
    groups: int,
    dilate: Shape,
) -> torch.Tensor:
    """A deconvolution in the fastest way for it."""
    if groups == 1 and data.is_cpu and data.dtype is torch.float32 and not is_traced():
        pixels, shape = data.shape[0] * math.prod(data.shape[2:]), tuple(weight.shape)
        few_pixels = has_few_pixels(pixels, shape, True)
        if few_pixels or has_few_channels(pixels, shape):
            sizes = transposed_sizes(data.shape[2:], weight.shape[2:], stride, dilate, pad, adj)
            window = stride, pad, dilate
            return Convolve.apply(for_cpu(data), weight, bias, sizes, window, True, adj, few_pixels)
    return _TRANSPOSED[len(stride)](for_cpu(data), weight, bias, stride, pad, adj, groups, dilate)


@op("Deconvolution", like=convolution, active=weights_active)
def deconvolution(
    data: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    *,
    kernel: tuple[int, ...],
    stride: tuple[int, ...] = (),
    dilate: tuple[int, ...] = (),
    pad: tuple[int, ...] = (),
    adj: tuple[int, ...] = (),
    target_shape: tuple[int, ...] = (),
    num_filter: Count,
    num_group: int = 1,
    workspace: int = 512,
    no_bias: bool = True,
    layout: _LAYOUT | None = None,
    **unused: Any,
) -> torch.Tensor:
    """The transposed convolution: the gradient of ``Convolution`` with respect to its data, as an operator.

    ``weight`` is (channels, num_filter / num_group, *kernel). ``adj`` is added to the size of the result;
    ``target_shape`` is its size and replaces ``pad`` and ``adj``.
    """
    check_bias(bias, no_bias)
    check_floating(data, weight, bias)
    shapes = data.shape, weight.shape, None if bias is None else bias.shape
    stride, pad, adj, dilate, last = deconvolution_plan(
        *shapes, kernel, stride, dilate, pad, adj, target_shape, num_filter, num_group, layout
    )
    if last:
        data, weight = channels_first_view(data), channels_first_view(weight)
    if data.is_meta:
        pixels = transposed_sizes(data.shape[2:], kernel, stride, dilate, pad, adj)
        result = without_data(data, [data.shape[0], num_filter, *pixels])
    elif data.is_cpu and not is_traced() and is_trap(kernel, stride, dilate, pad):
        result = _deconvolve_apart(data, weight, kernel, stride, pad, adj, num_group, dilate)
        if bias is not None:
            result = result + bias.view(-1, *[1] * len(kernel))
    else:
        result = _deconvolve(data, weight, bias, stride, pad, adj, num_group, dilate)
    return channels_last_view(result) if last else result


deconvolution.check(window_of((1, 2, 3), "stride", "dilate", "pad", "adj"))


def _infer_weights(transposed: bool) -> Callable[[Shapes, Keywords], None]:
    def rule(shapes: Shapes, attrs: Attrs) -> None:
        kernel, filters, groups, layout = (attrs[n] for n in ("kernel", "num_filter", "num_group", "layout"))
        data = shapes["data"]
        if data is None:
            return
        if "bias" in shapes:
            shapes["bias"] = (filters,)
        if len(data) != len(kernel) + 2:
            raise ValueError(f"data must have {len(kernel) + 2} dimensions for this kernel, it has {len(data)}")
        last = channels_last(layout, len(kernel))
        if data[-1 if last else 1] != UNKNOWN:
            shapes["weight"] = _weight_shape(data, kernel, filters, groups, layout, transposed)
            return
        # All but the dimension that counts the channels of data is known.
        found = list(_weight_shape((groups,) * len(data), kernel, filters, groups, layout, transposed))
        found[0 if transposed else -1 if last else 1] = UNKNOWN
        shapes["weight"] = tuple(found)

    return rule


def _infer_pixels(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    """The batch, and the sizes of data along which the stride is 1: only there the result tells them."""
    data, out, kernel = shapes["data"], outputs[0], attrs["kernel"]
    if not data or not out or len(data) != len(out):
        return
    data = unify(data, (out[0], *[UNKNOWN] * (len(data) - 1)), "data")
    assert data is not None
    if len(data) != len(kernel) + 2:
        shapes["data"] = data
        return
    first, sizes = 1 if channels_last(attrs["layout"], len(kernel)) else 2, list(data)
    for i, taps in enumerate(kernel):
        stride, pad, dilate = (attrs[n][i] if attrs[n] else d for n, d in (("stride", 1), ("pad", 0), ("dilate", 1)))
        if stride == 1 and sizes[first + i] == UNKNOWN and out[first + i] != UNKNOWN:
            sizes[first + i] = out[first + i] + dilate * (taps - 1) - 2 * pad
    shapes["data"] = tuple(sizes)


@deconvolution.infer_shape
def _(shapes: dict[str, Shape], attrs: Attrs) -> list[Shape]:
    """Channels of data need not be known."""
    names = ("kernel", "stride", "dilate", "pad", "adj", "target_shape", "num_filter", "num_group", "layout")
    kernel, stride, dilate, pad, adj, target, filters, groups, layout = (attrs[name] for name in names)
    data, weight = list(shapes["data"]), shapes["weight"]
    last = channels_last(layout, len(kernel))
    first, channel = (1, -1) if last else (2, 1)
    if data[channel] == UNKNOWN and len(weight) == len(data):
        data[channel] = weight[0]
    if UNKNOWN not in (*data[1:], *weight):
        bias = shapes.get("bias")
        plan = deconvolution_plan(
            tuple(data), weight, bias, kernel, stride, dilate, pad, adj, target, filters, groups, layout
        )
        stride, pad, adj, dilate, _ = plan
    ones, sizes = (1,) * len(kernel), data[first : first + len(kernel)]
    found = target if any(target) else transposed_sizes(sizes, kernel, stride or ones, dilate or ones, pad, adj)
    return [(data[0], *found, filters) if last else (data[0], filters, *found)]


for _opdef in (convolution, convolution_v1, deconvolution):
    _opdef.infer_args(_infer_weights(_opdef is deconvolution))
    if _opdef is not deconvolution:
        _opdef.infer_back(_infer_pixels)
