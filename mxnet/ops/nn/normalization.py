"""Normalization: batch, layer, group, instance, L2 and local response."""

from typing import Any, Literal

import torch
from torch.nn import functional

from ..infer import Shape, same_shapes, unknown_dim
from ..registry import OpDef, op
from .layout import check_floating, constant_in_graph, data_like_output

_HALVES = (torch.float16, torch.bfloat16)


# ---- batch norm ------------------------------------------------------------------------------------------------------


class _BatchNorm(torch.autograd.Function):
    """Batch norm as MXNet differentiates it.

    The moving averages are updated by backward, not by forward: layers that are not differentiated (frozen ones, a
    forward pass in training mode for its own sake) keep theirs. A fixed gamma gets the gradient 0. ``relu`` is fused.
    """

    @staticmethod
    def forward(
        ctx: Any,
        data: torch.Tensor,
        gamma: torch.Tensor,
        beta: torch.Tensor,
        moving_mean: torch.Tensor,
        moving_var: torch.Tensor,
        eps: float,
        momentum: float,
        fix_gamma: bool,
        batch_stats: bool,
        relu: bool,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        inputs = data, gamma, beta, moving_mean, moving_var
        out, mean, inv_std = _normalize(*inputs, eps, fix_gamma, batch_stats, relu, True)
        ctx.options = eps, momentum, fix_gamma, batch_stats
        ctx.moving = moving_mean, moving_var
        # The values that were used: a later update of the moving averages must not reach this backward pass.
        ctx.save_for_backward(data, gamma, mean, inv_std, out if relu else None)
        ctx.mark_non_differentiable(mean, inv_std)
        ctx.set_materialize_grads(False)  # else there would be zeros made for these two
        return out, mean, inv_std

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor | None, *_: None) -> Any:  # type: ignore[override]
        data, gamma, mean, inv_std, out = ctx.saved_tensors
        eps, momentum, fix_gamma, batch_stats = ctx.options
        if grad is None:
            grad = torch.zeros_like(data)
        if out is not None:
            grad = torch.ops.aten.threshold_backward(grad, out, 0)
        if batch_stats:
            moving_mean, moving_var = ctx.moving
            _update_moving(moving_mean, moving_var, mean, inv_std, eps, momentum)
        wanted = ctx.needs_input_grad[:3]
        running = (None, None) if batch_stats else (mean, inv_std.pow(-2) - eps)
        by_data, by_gamma, by_beta = torch.ops.aten.native_batch_norm_backward(
            grad,
            data,
            None if fix_gamma else gamma,
            *running,
            mean,
            inv_std,
            batch_stats,
            eps,
            [wanted[0], wanted[1] and not fix_gamma, wanted[2]],
        )
        if wanted[1] and fix_gamma:
            by_gamma = torch.zeros_like(gamma)
        return by_data, by_gamma, by_beta, *[None] * 7


def _normalize(
    data: torch.Tensor,
    gamma: torch.Tensor,
    beta: torch.Tensor,
    moving_mean: torch.Tensor,
    moving_var: torch.Tensor,
    eps: float,
    fix_gamma: bool,
    batch_stats: bool,
    relu: bool,
    stats: bool,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The result, and (if ``stats``) the mean and inverse standard deviation that it was made with."""
    scale = None if fix_gamma else gamma
    if batch_stats:
        out, mean, inv_std = torch.native_batch_norm(data, scale, beta, None, None, True, 0.0, eps)
    else:
        out, mean, inv_std = torch.native_batch_norm(data, scale, beta, moving_mean, moving_var, False, 0.0, eps)
        if stats:
            mean, inv_std = moving_mean.clone(), (moving_var + eps).rsqrt()
    return (out.relu_() if relu else out), mean, inv_std


def _update_moving(
    moving_mean: torch.Tensor,
    moving_var: torch.Tensor,
    mean: torch.Tensor,
    inv_std: torch.Tensor,
    eps: float,
    momentum: float,
) -> None:
    # .data: these are states, and a graph that has read them is to see the new values rather than refuse to run
    with torch.no_grad():
        moving_mean.data.lerp_(mean.to(moving_mean.dtype), 1 - momentum)
        moving_var.data.lerp_((inv_std.pow(-2) - eps).to(moving_var.dtype), 1 - momentum)


def _batch_norm(
    data: torch.Tensor,
    gamma: torch.Tensor,
    beta: torch.Tensor,
    moving_mean: torch.Tensor,
    moving_var: torch.Tensor,
    eps: float,
    momentum: float,
    fix_gamma: bool,
    batch_stats: bool,
    axis: int,
    relu: bool,
    stats: bool,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The result and (if ``stats``) mean and inverse standard deviation: of the batch, or the moving ones."""
    if not data.is_floating_point():
        raise TypeError("data must have a floating point dtype; convert it with astype()")
    kind = torch.float32 if data.dtype in _HALVES else data.dtype
    if not -data.dim() <= axis < data.dim():
        raise ValueError(f"axis {axis} is out of range for {data.dim()} dimension(s)")
    axis %= data.dim()
    channels = (data.shape[axis],)
    for name, tensor in (("gamma", gamma), ("beta", beta), ("moving_mean", moving_mean), ("moving_var", moving_var)):
        if tensor.dtype is not kind:
            raise TypeError(f"{name} must be {str(kind)[6:]} for data of {str(data.dtype)[6:]}")
        if tensor.shape != channels:
            raise ValueError(f"{name} must have shape {channels}, got {tuple(tensor.shape)}")
    if fix_gamma:
        gamma.data.fill_(1)
    shape = data.shape
    if axis == data.dim() - 1 and axis != 1:
        # Rows of channels: for torch that is its channels-last kernel, whatever the number of dimensions.
        data = data.reshape(-1, shape[-1])
    elif axis != 1:
        data = data.movedim(axis, 1) if data.dim() > 1 else data.unsqueeze(0)
    call = data, gamma, beta, moving_mean, moving_var
    if torch.is_grad_enabled() and (data.requires_grad or gamma.requires_grad or beta.requires_grad):
        out, mean, inv_std = _BatchNorm.apply(*call, eps, momentum, fix_gamma, batch_stats, relu)
    else:
        out, mean, inv_std = _normalize(*call, eps, fix_gamma, batch_stats, relu, stats)
    if out.shape != shape:
        out = out.reshape(shape) if out.dim() == 2 else out.movedim(1, axis)
    return out, mean, inv_std


def _with_stats(out: torch.Tensor, mean: torch.Tensor, deviation: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return out, constant_in_graph(mean, out), constant_in_graph(deviation, out)


def _outputs(attrs: dict[str, Any]) -> int:
    return 3 if attrs["output_mean_var"] else 1


_BATCH_NORM: dict[str, Any] = {
    "aux": ("moving_mean", "moving_var"),
    "initial": {"moving_mean": '["zero", {}]', "moving_var": '["one", {}]'},
    "outputs": _outputs,
    "output_names": ("output", "mean", "var"),
}


def _batch_norm_op(name: str, relu: bool, total_outputs: int, doc: str) -> OpDef:
    def kernel(
        data: torch.Tensor,
        gamma: torch.Tensor,
        beta: torch.Tensor,
        moving_mean: torch.Tensor,
        moving_var: torch.Tensor,
        *,
        eps: float = 0.001,
        momentum: float = 0.9,
        fix_gamma: bool = True,
        use_global_stats: bool = False,
        output_mean_var: bool = False,
        axis: int = 1,
        cudnn_off: bool = False,
        min_calib_range: float | None = None,
        max_calib_range: float | None = None,
        _train: bool = False,
    ) -> torch.Tensor | tuple[torch.Tensor, ...]:
        inputs = data, gamma, beta, moving_mean, moving_var
        batch_stats = _train and not use_global_stats
        out, mean, inv_std = _batch_norm(*inputs, eps, momentum, fix_gamma, batch_stats, axis, relu, output_mean_var)
        return _with_stats(out, mean, inv_std) if output_mean_var else out

    return op(name, total_outputs=total_outputs, doc=doc, **_BATCH_NORM)(kernel)


batch_norm = _batch_norm_op(
    "BatchNorm",
    False,
    3,
    """Normalizes each channel (``axis``) to mean 0 and variance 1, then scales by ``gamma`` and shifts by ``beta``.

    In training the statistics are the batch's, and backward moves ``moving_mean`` and ``moving_var`` towards them:
    ``moving * momentum + batch * (1 - momentum)``, with the biased variance. Otherwise, or with ``use_global_stats``,
    the moving ones are used. ``fix_gamma`` (the default!) sets gamma to 1 and its gradient to 0. ``output_mean_var``
    adds the mean and the inverse standard deviation to the result. 16-bit data takes float32 parameters.
    """,
)
batch_norm_with_relu = _batch_norm_op(
    "_contrib_BatchNormWithReLU",
    True,
    4,
    "``BatchNorm`` followed by relu, in one operator that keeps one array less for backward.",
)


@op("BatchNorm_v1", total_outputs=3, **_BATCH_NORM)
def batch_norm_v1(
    data: torch.Tensor,
    gamma: torch.Tensor,
    beta: torch.Tensor,
    moving_mean: torch.Tensor,
    moving_var: torch.Tensor,
    *,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    _train: bool = False,
) -> torch.Tensor | tuple[torch.Tensor, ...]:
    """``BatchNorm`` of axis 1, for old Symbol files; as third output it has the variance."""
    inputs = data, gamma, beta, moving_mean, moving_var
    batch_stats = _train and not use_global_stats
    out, mean, inv_std = _batch_norm(*inputs, eps, momentum, fix_gamma, batch_stats, 1, False, output_mean_var)
    return _with_stats(out, mean, inv_std.detach().pow(-2) - eps) if output_mean_var else out


@op("_contrib_SyncBatchNorm", total_outputs=3, **_BATCH_NORM)
def sync_batch_norm(
    data: torch.Tensor,
    gamma: torch.Tensor,
    beta: torch.Tensor,
    moving_mean: torch.Tensor,
    moving_var: torch.Tensor,
    *,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    ndev: int = 1,
    key: str,
    _train: bool = False,
) -> torch.Tensor | tuple[torch.Tensor, ...]:
    """``BatchNorm`` of axis 1 with the statistics of all devices; this release has it for one device (``ndev=1``).

    As third output it has the variance.
    """
    if ndev > 1 and _train and not use_global_stats:
        raise NotImplementedError("statistics over several devices are not part of this release; use ndev=1")
    return batch_norm_v1.kernel(
        data,
        gamma,
        beta,
        moving_mean,
        moving_var,
        eps=eps,
        momentum=momentum,
        fix_gamma=fix_gamma,
        use_global_stats=use_global_stats,
        output_mean_var=output_mean_var,
        _train=_train,
    )


def _infer_channels(shapes: dict[str, Shape | None], attrs: dict[str, Any]) -> None:
    """All other inputs have one number per channel of data."""
    data, axis = shapes["data"], attrs.get("axis", 1)
    if data is not None and -len(data) <= axis < len(data):
        for name in shapes:
            if name != "data":
                shapes[name] = (data[axis],)


def _infer_wide_parameters(dtypes: dict[str, torch.dtype | None], attrs: dict[str, Any]) -> list[torch.dtype | None]:
    """16-bit data has float32 parameters and statistics."""
    data = dtypes["data"]
    kind = torch.float32 if data in _HALVES else data
    for name in dtypes:
        if name != "data" and dtypes[name] is None:
            dtypes[name] = kind
    return [data, kind, kind][: _outputs(attrs)]


def _batch_norm_shapes(shapes: dict[str, Shape], attrs: dict[str, Any]) -> list[Shape]:
    # By hand, because torch's batch norm without data loads its compiler, which takes a second.
    data, axis = shapes["data"], attrs.get("axis", 1)
    if not -len(data) <= axis < len(data):
        raise ValueError(f"axis {axis} is out of range for data with {len(data)} dimension(s)")
    channels = (data[axis],)
    for name, shape in shapes.items():
        if name != "data" and unknown_dim() not in (*shape, *channels) and shape != channels:
            raise ValueError(f"input {name!r} has shape {shape}, expected {channels}")
    return [data, channels, channels][: _outputs(attrs)]


for _opdef in (batch_norm, batch_norm_with_relu, batch_norm_v1, sync_batch_norm):
    _opdef.infer_shape(_batch_norm_shapes)
    _opdef.infer_args(_infer_channels)
    _opdef.infer_back(data_like_output(_infer_channels))
    _opdef.infer_dtype(_infer_wide_parameters)


# ---- layer, group and instance norm ----------------------------------------------------------------------------------


def _check_affine(data: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, count: int) -> None:
    check_floating(data, gamma, beta)
    for name, tensor in (("gamma", gamma), ("beta", beta)):
        if tuple(tensor.shape) != (count,):
            raise ValueError(f"{name} must have shape {(count,)}, got {tuple(tensor.shape)}")


@op("LayerNorm", outputs=_outputs, output_names=("output", "mean", "std"), total_outputs=3)
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
    moved = axis not in (-1, data.dim() - 1)
    if moved:
        data = data.movedim(axis, -1)
    out, mean, inv_std = torch.native_layer_norm(data, (data.shape[-1],), gamma, beta, eps)
    if moved:
        out = out.movedim(-1, axis)
    if not output_mean_var:
        return out
    deviation = inv_std.detach().reciprocal()
    if moved:
        mean, deviation = mean.movedim(-1, axis), deviation.movedim(-1, axis)
    return _with_stats(out, mean.to(data.dtype), deviation.to(data.dtype))


layer_norm.infer_args(_infer_channels)
layer_norm.infer_back(data_like_output(_infer_channels))


@op("GroupNorm", outputs=_outputs, output_names=("output", "mean", "std"), total_outputs=3)
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
    grouped = data.reshape(data.shape[0], num_groups, -1)
    normal, mean, inv_std = torch.native_layer_norm(grouped, (grouped.shape[-1],), None, None, eps)
    out = torch.addcmul(beta.unsqueeze(1), normal, gamma.unsqueeze(1)).reshape(data.shape)
    if not output_mean_var:
        return out
    deviation = inv_std.detach().reciprocal()
    return _with_stats(out, mean.squeeze(-1).to(data.dtype), deviation.squeeze(-1).to(data.dtype))


@group_norm.infer_args
def _(shapes: dict[str, Shape | None], attrs: dict[str, Any]) -> None:
    shapes["gamma"] = shapes["beta"] = (attrs["num_groups"],)


group_norm.infer_back(data_like_output())


@op("InstanceNorm", total_outputs=3, output_names=("output",))
def instance_norm(data: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, *, eps: float = 0.001) -> torch.Tensor:
    """Normalizes each channel of each example to mean 0 and variance 1, then applies ``gamma`` and ``beta``."""
    if data.dim() < 3:
        raise ValueError(f"data must have at least 3 dimensions, got {data.dim()}")
    _check_affine(data, gamma, beta, data.shape[1])
    return torch.instance_norm(data, gamma, beta, None, None, True, 0.0, eps, False)


instance_norm.infer_args(_infer_channels)
instance_norm.infer_back(data_like_output(_infer_channels))


# ---- L2 and local response -------------------------------------------------------------------------------------------


@op("L2Normalization", total_outputs=2, output_names=("output",))
def l2_normalization(
    data: torch.Tensor, *, eps: float = 1e-10, mode: Literal["channel", "instance", "spatial"] = "instance"
) -> torch.Tensor:
    """Divides by the Euclidean norm of each example (``instance``), of each position over the channels (``channel``),
    or of each channel over its positions (``spatial``). ``eps`` is added to the sum of squares.
    """
    check_floating(data)
    if mode != "instance" and data.dim() < 3:
        raise ValueError(f"mode={mode!r} needs at least 3 dimensions, got {data.dim()}")
    if mode == "channel":
        axes: tuple[int, ...] = (1,)
    else:
        axes = tuple(range(1 if mode == "instance" else 2, data.dim()))
    if not axes:
        return data * (data.square() + eps).rsqrt()
    return data * (data.square().sum(axes, keepdim=True) + eps).rsqrt()


@op("LRN", total_outputs=2, output_names=("output",))
def lrn(data: torch.Tensor, *, alpha: float = 1e-4, beta: float = 0.75, knorm: float = 2.0, nsize: int) -> torch.Tensor:
    """Local response normalization over ``nsize`` neighbouring channels of images (batch, channels, height, width):
    ``data / (knorm + alpha / nsize * sum of squares) ** beta``.
    """
    check_floating(data)
    if data.dim() != 4:
        raise ValueError(f"data must have 4 dimensions, got {data.dim()}")
    if nsize < 1:
        raise ValueError(f"nsize must be at least 1, got {nsize}")
    reach = (nsize - 1) // 2
    squares = data.square().reshape(data.shape[0], 1, data.shape[1], -1)
    window = (2 * reach + 1, 1)
    mean = functional.avg_pool2d(squares, window, 1, (reach, 0), divisor_override=nsize).reshape(data.shape)
    return data * (knorm + alpha * mean).pow(-beta)


l2_normalization.infer_back(same_shapes)
lrn.infer_back(same_shapes)
