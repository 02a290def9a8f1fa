"""Normalization: layer, group, instance, L2 and local response. Batch norm has a file of its own."""

from collections.abc import Sequence
from typing import Any, Literal

import torch
from torch.nn import functional

from ..infer import Shape, same_shapes
from ..registry import op
from ..support import without_data
from .batch_norm import infer_channels, statistics_outputs, with_statistics
from .layout import check_floating, data_like_output

# ---- layer, group and instance norm ----------------------------------------------------------------------------------


def _check_affine(data: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, count: int) -> None:
    check_floating(data, gamma, beta)
    for name, tensor in (("gamma", gamma), ("beta", beta)):
        if tuple(tensor.shape) != (count,):
            raise ValueError(f"{name} must have shape {(count,)}, got {tuple(tensor.shape)}")


def _standardize(
    data: torch.Tensor, gamma: torch.Tensor | None, beta: torch.Tensor | None, eps: float
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The data with mean 0 and variance 1 along the last axis, its means and one over its standard deviations."""
    if data.shape[-1] != 1:
        return torch.native_layer_norm(data, (data.shape[-1],), gamma, beta, eps)
    # One number is its own mean. What torch computes for it is noise of that number times 1 / sqrt(eps).
    zeros = data - data
    out = zeros if gamma is None or beta is None else torch.addcmul(beta, zeros, gamma)
    return out, data.detach(), torch.full_like(data, eps**-0.5)


#: Facts about those that can also give the statistics they used.
_WITH_STATISTICS: dict[str, Any] = {
    "gradient_takes": "always head data gamma mean std",
    "outputs": statistics_outputs,
    "output_names": ("output", "mean", "std"),
    "total_outputs": 3,
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
    if not -data.dim() <= axis < data.dim():
        raise ValueError(f"axis {axis} is out of range for {data.dim()} dimension(s)")
    _check_affine(data, gamma, beta, data.shape[axis])
    if data.is_meta and not output_mean_var:
        return without_data(data)
    if data.is_meta:
        statistics = list(data.shape)
        statistics[axis] = 1
        return without_data(data), without_data(data, statistics), without_data(data, statistics)
    moved = axis not in (-1, data.dim() - 1)
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
    grouped = data.reshape(data.shape[0], num_groups, -1)
    normal, mean, inv_std = _standardize(grouped, None, None, eps)
    out = torch.addcmul(beta.unsqueeze(1), normal, gamma.unsqueeze(1)).reshape(data.shape)
    if not output_mean_var:
        return out
    deviation = inv_std.detach().reciprocal()
    return with_statistics(out, mean.squeeze(-1).to(data.dtype), deviation.squeeze(-1).to(data.dtype))


@group_norm.infer_args
def _(shapes: dict[str, Shape | None], attrs: dict[str, Any]) -> None:
    shapes["gamma"] = shapes["beta"] = (attrs["num_groups"],)


group_norm.infer_back(data_like_output())


@op("InstanceNorm", named_gradients=True, total_outputs=3, output_names=("output",))
def instance_norm(data: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, *, eps: float = 0.001) -> torch.Tensor:
    """Normalizes each channel of each example to mean 0 and variance 1, then applies ``gamma`` and ``beta``."""
    if data.dim() < 3:
        raise ValueError(f"data must have at least 3 dimensions, got {data.dim()}")
    _check_affine(data, gamma, beta, data.shape[1])
    if data.is_meta:
        return without_data(data)
    pixels = data.flatten(2)
    if pixels.shape[-1] == 1:
        return torch.addcmul(beta.unsqueeze(1), pixels - pixels, gamma.unsqueeze(1)).view(data.shape)
    # As groups of one channel each: instance_norm keeps a copy of gamma, which would not show what is written to
    # it before backward, and is slower. With the pixels as one dimension, so that no order but one comes to it.
    return torch.group_norm(pixels, data.shape[1], gamma, beta, eps).view(data.shape)


@instance_norm.hidden
def _(inputs: Sequence[Any], result: torch.Tensor, attrs: dict[str, Any], training: bool) -> dict[str, torch.Tensor]:
    data = inputs[0]
    variance, mean = torch.var_mean(data.flatten(2), 2, correction=0)
    return {"mean": mean, "var": variance}


instance_norm.infer_args(infer_channels)
instance_norm.infer_back(data_like_output(infer_channels))


# ---- L2 and local response -------------------------------------------------------------------------------------------


@op("L2Normalization", named_gradients=True, named_input=True, total_outputs=2, output_names=("output",))
def l2_normalization(
    data: torch.Tensor, *, eps: float = 1e-10, mode: Literal["channel", "instance", "spatial"] = "instance"
) -> torch.Tensor:
    """Divides by the Euclidean norm of each example (``instance``), of each position over the channels (``channel``),
    or of each channel over its positions (``spatial``). ``eps`` is added to the sum of squares.
    """
    check_floating(data)
    if mode != "instance" and data.dim() < 3:
        raise ValueError(f"mode={mode!r} needs at least 3 dimensions, got {data.dim()}")
    return data * (_squares(data, mode) + eps).rsqrt()


def _squares(data: torch.Tensor, mode: str) -> torch.Tensor:
    """The sums of squares over the axes of a mode, which stay."""
    axes = (1,) if mode == "channel" else tuple(range(1 if mode == "instance" else 2, data.dim()))
    return data.square().sum(axes, keepdim=True) if axes else data.square()


@l2_normalization.hidden
def _(inputs: Sequence[Any], result: torch.Tensor, attrs: dict[str, Any], training: bool) -> dict[str, torch.Tensor]:
    data = inputs[0]
    norm = (_squares(data, attrs["mode"]) + attrs["eps"]).sqrt()
    kept = {"instance": 1, "spatial": 2}.get(attrs["mode"], norm.dim())
    return {"norm": norm.reshape(norm.shape[:kept])}


@op("LRN", gradient_takes="always head data tmp_norm", named_input=True, total_outputs=2, output_names=("output",))
def lrn(data: torch.Tensor, *, alpha: float = 1e-4, beta: float = 0.75, knorm: float = 2.0, nsize: int) -> torch.Tensor:
    """Local response normalization over ``nsize`` neighbouring channels of images (batch, channels, height, width), or
    of single pixels (batch, channels): ``data / (knorm + alpha / nsize * sum of squares) ** beta``.
    """
    check_floating(data)
    if data.dim() not in (2, 4):
        raise ValueError(f"data must have 4 or 2 dimensions, got {data.dim()}")
    if nsize < 1:
        raise ValueError(f"nsize must be at least 1, got {nsize}")
    return data * _local_scale(data, alpha, knorm, nsize).pow(-beta)


def _local_scale(data: torch.Tensor, alpha: float, knorm: float, nsize: int) -> torch.Tensor:
    reach = (nsize - 1) // 2
    squares = data.square().reshape(data.shape[0], 1, data.shape[1], -1)
    window = (2 * reach + 1, 1)
    mean = functional.avg_pool2d(squares, window, 1, (reach, 0), divisor_override=nsize).reshape(data.shape)
    return knorm + alpha * mean


@lrn.hidden
def _(inputs: Sequence[Any], result: torch.Tensor, attrs: dict[str, Any], training: bool) -> dict[str, torch.Tensor]:
    data = inputs[0]
    return {"tmp_norm": _local_scale(data, attrs["alpha"], attrs["knorm"], attrs["nsize"])}


l2_normalization.infer_back(same_shapes)
lrn.infer_back(same_shapes)
