"""Normalization: layer, group, instance, L2 and local response. Batch norm has a file of its own."""

import math
from collections.abc import Callable
from typing import Any, Literal

import torch
from torch.nn import functional

from ... import native
from ..._core.tracing import is_traced
from ..infer import same_shapes
from ..registry import op
from ..support import without_data
from ..types import Attrs, Ctx, Gradients, Keywords, Shapes
from ..wide import INVERSE, SQUARES, in_float64, leaves
from .batch_norm import infer_channels, statistics_outputs, with_statistics
from .layout import check_floating, data_like_output

#: From how many numbers on gradients of gamma are summed by a kernel of our own.
_LONG = 1 << 17

# ---- layer, group and instance norm ----------------------------------------------------------------------------------


def _check_affine(data: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, count: int) -> None:
    expected = (count,)
    if data.dtype is gamma.dtype is beta.dtype and data.is_floating_point():
        if gamma.shape == expected and beta.shape == expected:
            return
    check_floating(data, gamma, beta)
    for name, tensor in (("gamma", gamma), ("beta", beta)):
        if tensor.shape != expected:
            raise ValueError(f"{name} must have shape {expected}, got {tuple(tensor.shape)}")


class _LayerNorm(torch.autograd.Function):
    """Layer norm along the last axis whose gradients of gamma and beta are sums in double precision."""

    @staticmethod
    def forward(ctx: Ctx, data: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, eps: float) -> Any:
        out, mean, inv_std = torch.native_layer_norm(data, data.shape[-1:], gamma, beta, eps)
        return _save(ctx, data, gamma, beta, out, mean, inv_std, eps)

    @staticmethod
    def backward(ctx: Ctx, grad: torch.Tensor | None, *_: None) -> Gradients:  # type: ignore[override]
        data, gamma, beta, mean, inv_std = ctx.saved_tensors
        wanted = ctx.needs_input_grad[:3]
        if grad is None:
            return None, None, None, None
        count = data.shape[-1]
        if torch.is_grad_enabled():  # gradients of gradients are torch's
            inputs = data, gamma, beta
            return *_again(lambda: torch.layer_norm(data, (count,), gamma, beta, ctx.eps), inputs, wanted, grad), None
        return *_native_gradients(data, grad, gamma, mean, inv_std, data.numel() // count, count, 0, wanted), None


class _InstanceNorm(torch.autograd.Function):
    """The same for (batch, channels, pixels), where each channel has a gamma."""

    @staticmethod
    def forward(ctx: Ctx, data: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, eps: float) -> Any:
        batch, channels, count = data.shape
        out, mean, inv_std = torch.native_group_norm(data, gamma, beta, batch, channels, count, channels, eps)
        return _save(ctx, data, gamma, beta, out, mean, inv_std, eps)

    @staticmethod
    def backward(ctx: Ctx, grad: torch.Tensor | None, *_: None) -> Gradients:  # type: ignore[override]
        data, gamma, beta, mean, inv_std = ctx.saved_tensors
        wanted = ctx.needs_input_grad[:3]
        if grad is None:
            return None, None, None, None
        batch, channels, count = data.shape
        if torch.is_grad_enabled():
            inputs = data, gamma, beta
            return *_again(lambda: torch.group_norm(data, channels, gamma, beta, ctx.eps), inputs, wanted, grad), None
        return *_native_gradients(data, grad, gamma, mean, inv_std, batch * channels, count, channels, wanted), None


class _ByImage(torch.autograd.Function):
    """Instance norm of images in channels_last: one image after the other is a batch for the kernels of batch norm."""

    @staticmethod
    def forward(ctx: Ctx, data: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, eps: float) -> Any:
        batch, channels, *sizes = data.shape
        out, mean, inv_std = torch.empty_like(data), data.new_empty(batch, channels), data.new_empty(batch, channels)
        gamma, beta = gamma.contiguous(), beta.contiguous()
        call = math.prod(sizes), channels, eps, True, False, native.threads(data.numel() // max(1, batch))
        for i in range(batch):
            one, made = data[i : i + 1], out[i : i + 1]
            native.kernels().batch_norm_forward(one, gamma, beta, None, made, mean[i], inv_std[i], *call)
        return _save(ctx, data, gamma, beta, out, mean, inv_std, eps)

    @staticmethod
    def backward(ctx: Ctx, grad: torch.Tensor | None, *_: None) -> Gradients:  # type: ignore[override]
        data, gamma, beta, mean, inv_std = ctx.saved_tensors
        wanted = ctx.needs_input_grad[:3]
        if grad is None:
            return None, None, None, None
        batch, channels, *sizes = data.shape
        if torch.is_grad_enabled():
            inputs = data, gamma, beta
            again = _again(lambda: torch.group_norm(data, channels, gamma, beta, ctx.eps), inputs, wanted, grad)
            return *again, None
        grad = grad.contiguous(memory_format=torch.channels_last)
        by_data = torch.empty_like(data) if wanted[0] else None
        by_gamma, by_beta = torch.empty_like(mean), torch.empty_like(mean)
        call = math.prod(sizes), channels, ctx.eps, 1.0, True, 0, native.threads(data.numel() // max(1, batch))
        for i in range(batch):
            part = slice(i, i + 1)
            made = None if by_data is None else by_data[part]
            given = data[part], grad[part], None, None, gamma, beta, mean[i], inv_std[i], None, None
            native.kernels().batch_norm_backward(*given, made, by_gamma[i], by_beta[i], *call)
        sums = [g.sum(0, dtype=torch.float64).to(data.dtype) for g in (by_gamma, by_beta)]
        return by_data, *(g if w else None for g, w in zip(sums, wanted[1:], strict=True)), None


def _lies_by_pixel(data: torch.Tensor) -> bool:
    """Are these images in channels_last, which a convolution has given and another one wants, for our own kernels?"""
    if data.dim() != 4 or data.is_contiguous() or not data.is_contiguous(memory_format=torch.channels_last):
        return False
    if type(data) is not torch.Tensor or data.dtype is not torch.float32 or not data.is_cpu:
        return False
    return data.shape[2] * data.shape[3] > 1 and data.numel() > 0 and native.library() is not None


def _save(ctx: Ctx, *tensors: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    data, gamma, beta, out, mean, inv_std, ctx.eps = tensors
    ctx.save_for_backward(data, gamma, beta, mean, inv_std)
    ctx.mark_non_differentiable(mean, inv_std)
    ctx.set_materialize_grads(False)
    return out, mean, inv_std


def _again(
    function: Callable[[], torch.Tensor],
    inputs: tuple[torch.Tensor, ...],
    wanted: tuple[bool, ...],
    grad: torch.Tensor,
) -> list[torch.Tensor | None]:
    """Gradients that can be differentiated, by torch."""
    places = [t for t, want in zip(inputs, wanted, strict=True) if want]
    found = iter(torch.autograd.grad(function(), places, grad, create_graph=True))
    return [next(found) if want else None for want in wanted]


def _native_gradients(
    data: torch.Tensor,
    grad: torch.Tensor,
    gamma: torch.Tensor,
    mean: torch.Tensor,
    inv_std: torch.Tensor,
    rows: int,
    count: int,
    channels: int,
    wanted: tuple[bool, ...],
) -> tuple[torch.Tensor | None, ...]:
    by_data = torch.empty_like(data) if wanted[0] else None
    by_gamma, by_beta = data.new_empty(channels or count), data.new_empty(channels or count)
    native.kernels().layer_norm_backward(
        *(data, grad.contiguous(), gamma.contiguous(), mean, inv_std, by_data, by_gamma, by_beta),
        *(rows, count, channels, native.threads(data.numel())),
    )
    return tuple(g if w else None for g, w in zip((by_data, by_gamma, by_beta), wanted, strict=True))


def _sums_are_long(data: torch.Tensor) -> bool:
    """Is it worth a step in Python to sum the gradients of gamma and beta in double precision?"""
    if not torch.is_grad_enabled() or type(data) is not torch.Tensor or is_traced() or data.numel() < _LONG:
        return False
    if data.dtype is not torch.float32 or not data.is_cpu or not data.is_contiguous():
        return False
    return native.library() is not None


def _standardize(
    data: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, eps: float
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Layer norm along the last axis, the means and one over the standard deviations."""
    count = data.shape[-1]
    if count == 1:
        # One number is its own mean. What torch computes for it is noise of that number times 1 / sqrt(eps).
        return torch.addcmul(beta, data - data, gamma), data.detach(), torch.full_like(data, eps**-0.5)
    if _sums_are_long(data):
        found = _LayerNorm.apply(data, gamma, beta, eps)
    else:
        found = torch.native_layer_norm(data, (count,), gamma, beta, eps)
    if leaves(found[2], INVERSE):
        return in_float64(lambda x, g, b: torch.native_layer_norm(x, (count,), g, b, eps), data, gamma, beta)
    return found


def _by_rows(
    data: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, eps: float
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The same for (batch, channels, numbers), where a channel has one gamma and beta."""
    batch, channels, count = data.shape
    data = data.contiguous()
    if count == 1:
        out = torch.addcmul(beta.unsqueeze(1), data - data, gamma.unsqueeze(1))
        return out, data.detach().squeeze(2), torch.full_like(data, eps**-0.5).squeeze(2)
    # As groups of one channel each: instance_norm keeps a copy of gamma, which would not show what is written to
    # it before backward, and is slower. With the numbers as one dimension, so that no order but one comes to it.
    if _sums_are_long(data):
        found = _InstanceNorm.apply(data, gamma, beta, eps)
    else:
        found = torch.native_group_norm(data, gamma, beta, batch, channels, count, channels, eps)
    if leaves(found[2], INVERSE):
        sizes = batch, channels, count, channels, eps
        return in_float64(lambda x, g, b: torch.native_group_norm(x, g, b, *sizes), data, gamma, beta)
    return found


#: Facts about those that can also give the statistics they used.
_WITH_STATISTICS: Keywords = {
    "outputs": statistics_outputs,
    "output_names": ("output", "mean", "std"),
}


@op("LayerNorm", **_WITH_STATISTICS)
def layer_norm(
    data: torch.Tensor,
    gamma: torch.Tensor,
    beta: torch.Tensor,
    *,
    axis: int = -1,
    eps: float = 1e-5,
    output_mean_var: bool = False,
) -> torch.Tensor | tuple[torch.Tensor, ...]:
    """Normalizes along ``axis`` to mean 0 and variance 1, then scales by ``gamma`` and shifts by ``beta``.

    ``output_mean_var`` adds the mean and the standard deviation to the result.
    """
    shape = data.shape
    dims = len(shape)
    if not -dims <= axis < dims:
        raise ValueError(f"axis {axis} is out of range for {dims} dimension(s)")
    _check_affine(data, gamma, beta, shape[axis])
    if data.is_meta:
        statistics = list(shape)
        statistics[axis] = 1
        found = without_data(data), without_data(data, statistics), without_data(data, statistics)
        return found if output_mean_var else found[0]
    moved = axis != -1 and axis != dims - 1
    if moved:
        data = data.movedim(axis, -1)
    out, mean, inv_std = _standardize(data, gamma, beta, eps)
    if moved:
        out = out.movedim(-1, axis)
    if not output_mean_var:
        return out
    deviation = inv_std.detach().reciprocal()
    if moved:
        mean, deviation = mean.movedim(-1, axis), deviation.movedim(-1, axis)
    return with_statistics(out, mean.to(data.dtype), deviation.to(data.dtype))


layer_norm.infer_args(infer_channels)
layer_norm.infer_back(data_like_output(infer_channels))


@op("GroupNorm", **_WITH_STATISTICS)
def group_norm(
    data: torch.Tensor,
    gamma: torch.Tensor,
    beta: torch.Tensor,
    *,
    num_groups: int = 1,
    eps: float = 1e-5,
    output_mean_var: bool = False,
) -> torch.Tensor | tuple[torch.Tensor, ...]:
    """Normalizes each group of channels of (batch, channels, ...) to mean 0 and variance 1.

    ``gamma`` and ``beta`` have one number per group. ``output_mean_var`` adds mean and standard deviation.
    """
    if data.dim() < 3:
        raise ValueError(f"data must have at least 3 dimensions, got {data.dim()}")
    if num_groups < 1 or data.shape[1] % num_groups:
        raise ValueError(f"num_groups {num_groups} must divide the {data.shape[1]} channels of data")
    _check_affine(data, gamma, beta, num_groups)
    if data.is_meta and not output_mean_var:
        return without_data(data)
    if data.is_meta:
        statistics = (data.shape[0], num_groups)
        return without_data(data), without_data(data, statistics), without_data(data, statistics)
    out, mean, inv_std = _by_rows(data.reshape(data.shape[0], num_groups, -1), gamma, beta, eps)
    out = out.reshape(data.shape)
    if not output_mean_var:
        return out
    return with_statistics(out, mean.to(data.dtype), inv_std.detach().reciprocal().to(data.dtype))


@group_norm.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    shapes["gamma"] = shapes["beta"] = (attrs["num_groups"],)


group_norm.infer_back(data_like_output())


@op("InstanceNorm", output_names=("output",))
def instance_norm(data: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, *, eps: float = 0.001) -> torch.Tensor:
    """Normalizes each channel of each example to mean 0 and variance 1, then applies ``gamma`` and ``beta``."""
    if data.dim() < 3:
        raise ValueError(f"data must have at least 3 dimensions, got {data.dim()}")
    _check_affine(data, gamma, beta, data.shape[1])
    if data.is_meta:
        return without_data(data)
    if _lies_by_pixel(data):
        out, _, inv_std = _ByImage.apply(data, gamma, beta, eps)
        if not leaves(inv_std, INVERSE):
            return out
    return _by_rows(data.flatten(2), gamma, beta, eps)[0].view(data.shape)


instance_norm.infer_args(infer_channels)
instance_norm.infer_back(data_like_output(infer_channels))


# ---- L2 and local response -------------------------------------------------------------------------------------------


@op("L2Normalization", output_names=("output",))
def l2_normalization(
    data: torch.Tensor, *, eps: float = 1e-10, mode: Literal["channel", "instance", "spatial"] = "instance"
) -> torch.Tensor:
    """Divides by the Euclidean norm of each example (``instance``), of each position over the channels (``channel``),
    or of each channel over its positions (``spatial``). ``eps`` is added to the sum of squares.
    """
    check_floating(data)
    if mode != "instance" and data.dim() < 3:
        raise ValueError(f"mode={mode!r} needs at least 3 dimensions, got {data.dim()}")
    squares = squares_over(data, mode)
    if leaves(squares, SQUARES):
        return in_float64(lambda x: x * (squares_over(x, mode) + eps).rsqrt(), data)
    return data * (squares + eps).rsqrt()


def squares_over(data: torch.Tensor, mode: str) -> torch.Tensor:
    """The sums of squares over the axes of a mode, which stay."""
    axes = (1,) if mode == "channel" else tuple(range(1 if mode == "instance" else 2, data.dim()))
    return data.square().sum(axes, keepdim=True) if axes else data.square()


@op("LRN", output_names=("output",))
def lrn(data: torch.Tensor, *, alpha: float = 1e-4, beta: float = 0.75, knorm: float = 2.0, nsize: int) -> torch.Tensor:
    """Local response normalization over ``nsize`` neighboring channels of images (batch, channels, height, width), or
    of single pixels (batch, channels): ``data / (knorm + alpha / nsize * sum of squares) ** beta``.
    """
    check_floating(data)
    if data.dim() not in (2, 4):
        raise ValueError(f"data must have 4 or 2 dimensions, got {data.dim()}")
    if nsize < 1:
        raise ValueError(f"nsize must be at least 1, got {nsize}")
    scale = local_scale(data, alpha, knorm, nsize)
    if leaves(scale, SQUARES):
        return in_float64(lambda x: x * local_scale(x, alpha, knorm, nsize).pow(-beta), data)
    return data * scale.pow(-beta)


def local_scale(data: torch.Tensor, alpha: float, knorm: float, nsize: int) -> torch.Tensor:
    reach = (nsize - 1) // 2
    squares = data.square().reshape(data.shape[0], 1, data.shape[1], -1)
    window = (2 * reach + 1, 1)
    mean = functional.avg_pool2d(squares, window, 1, (reach, 0), divisor_override=nsize).reshape(data.shape)
    return knorm + alpha * mean


l2_normalization.infer_back(same_shapes)
lrn.infer_back(same_shapes)
