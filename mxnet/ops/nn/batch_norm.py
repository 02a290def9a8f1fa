"""Batch norm, by itself and with what usually follows it: a sum and a relu."""

from typing import Any, NamedTuple

import torch

from ... import native
from ..._core.memory import announce
from ..._core.tracing import is_traced
from ..infer import UNKNOWN, Shape
from ..registry import OpDef, op
from ..types import Attrs, Ctx, Dtypes, Gradients, Keywords, Shapes
from ..wide import INVERSE, leaves
from .layout import constant_in_graph, data_like_output, is_channels_last_1d, remove_height
from .sync_batch_norm import shared_batch_norm

HALVES = (torch.float16, torch.bfloat16)


class Options(NamedTuple):
    """How to normalize: with the batch's statistics or the moving ones, and whether a relu follows."""

    eps: float
    momentum: float
    fix_gamma: bool
    batch_stats: bool
    relu: bool = False


class _BatchNorm(torch.autograd.Function):
    """Batch norm as MXNet differentiates it.

    The moving averages are updated by backward, not by forward: layers that are not differentiated (frozen ones, a
    forward pass in training mode for its own sake) keep theirs. A fixed gamma gets the gradient 0.
    """

    @staticmethod
    def forward(
        ctx: Ctx,
        data: torch.Tensor,
        gamma: torch.Tensor,
        beta: torch.Tensor,
        moving_mean: torch.Tensor,
        moving_var: torch.Tensor,
        other: torch.Tensor | None,
        options: Options,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        out, mean, inv_std = _normalize(data, gamma, beta, moving_mean, moving_var, other, options, True)
        ctx.options = options
        ctx.moving = moving_mean, moving_var
        # The values that were used: a later update of the moving averages must not reach this backward pass. Kernels of
        # our own see in the data where a relu cut, unless something was added to it.
        by_result = options.relu and (other is not None or _kernels(data) is None)
        # The numbers of this pass show where the relu cut, though they may be written to before backward.
        ctx.then = (gamma.detach().clone(), beta.detach().clone()) if options.relu and not by_result else None
        ctx.save_for_backward(data, gamma, beta, mean, inv_std, out if by_result else None)
        ctx.mark_non_differentiable(mean, inv_std)
        ctx.set_materialize_grads(False)  # else there would be zeros made for these two
        return out, mean, inv_std

    @staticmethod
    def backward(ctx: Ctx, grad: torch.Tensor | None, *_: None) -> Gradients:  # type: ignore[override]
        kept, options, wanted = _Kept(*ctx.saved_tensors), ctx.options, ctx.needs_input_grad
        if grad is None:
            grad = torch.zeros_like(kept.data)
        kernels = None if torch.is_grad_enabled() else _kernels(kept.data)  # gradients of gradients are torch's
        if ctx.then is not None and not (kernels and _are_equal((kept.gamma, kept.beta), ctx.then)):
            kept = kept._replace(out=_result(kept, ctx.then[0], ctx.then[1], options))
        if kernels is not None:
            by_data, by_gamma, by_beta, by_other = _native_gradients(kernels, grad, kept, ctx.moving, options, wanted)
        else:
            by_data, by_gamma, by_beta, by_other = _gradients(grad, kept, ctx.moving, options, wanted)
        if options.batch_stats:
            announce(ctx.moving)
        if options.fix_gamma:
            by_gamma = torch.zeros_like(kept.gamma)
        found = by_data, by_gamma, by_beta, None, None, by_other, None
        return tuple(g if w else None for g, w in zip(found, wanted, strict=True))


class _Kept(NamedTuple):
    """What the backward pass needs; the result only where a relu cut and the data does not tell."""

    data: torch.Tensor
    gamma: torch.Tensor
    beta: torch.Tensor
    mean: torch.Tensor
    inv_std: torch.Tensor
    out: torch.Tensor | None


def _are_equal(some: tuple[torch.Tensor, ...], others: tuple[torch.Tensor, ...]) -> bool:
    return all(torch.equal(one, other) for one, other in zip(some, others, strict=True))


def _result(kept: _Kept, gamma: torch.Tensor, beta: torch.Tensor, options: Options) -> torch.Tensor:
    """The result of the forward pass once more, from the numbers that gamma and beta had then."""
    data, channels = kept.data.detach(), kept.data.shape[1]
    out, scale = torch.empty_like(data), None if options.fix_gamma else gamma
    native.library().batch_norm_forward(  # type: ignore[union-attr]  # without it there are no such numbers
        *(data, scale, beta, None, out, kept.mean, kept.inv_std),
        *(data.numel() // channels, channels, options.eps, False, True, native.threads(data.numel())),
    )
    return out


def _kernels(data: torch.Tensor) -> native.Library | None:
    """Our own kernels if they can read the data: rows of float32 channels on the CPU."""
    if data.dtype is not torch.float32 or type(data) is not torch.Tensor or not data.is_cpu or not data.numel():
        return None
    dims = data.dim()
    if dims == 4:
        rows = data.is_contiguous(memory_format=torch.channels_last)
    else:
        rows = data.is_contiguous() if dims == 2 else dims == 5 and _is_channels_last_3d(data)
    return native.library() if rows else None


def _is_channels_last_3d(data: torch.Tensor) -> bool:
    return data.is_contiguous(memory_format=torch.channels_last_3d)


def _like(tensor: torch.Tensor, data: torch.Tensor) -> torch.Tensor:
    """The tensor in the order of ``data``, of which it has the shape."""
    if tensor.stride() == data.stride():
        return tensor
    return torch.empty_like(data).copy_(tensor)


def _normalize(
    data: torch.Tensor,
    gamma: torch.Tensor,
    beta: torch.Tensor,
    moving_mean: torch.Tensor,
    moving_var: torch.Tensor,
    other: torch.Tensor | None,
    options: Options,
    stats: bool,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The result, and (if ``stats``) the mean and inverse standard deviation that it was made with."""
    eps, _, fix_gamma, batch_stats, relu = options
    scale = None if fix_gamma else gamma
    kernels = _kernels(data)
    if kernels is not None:
        channels = data.shape[1]
        if batch_stats:
            mean, inv_std = data.new_empty(channels), data.new_empty(channels)
        else:
            mean, inv_std = moving_mean.clone(), (moving_var + eps).rsqrt()
        out = torch.empty_like(data)
        other = None if other is None else _like(other, data)
        kernels.batch_norm_forward(
            data,
            None if scale is None else scale.contiguous(),
            beta.contiguous(),
            other,
            out,
            mean,
            inv_std,
            data.numel() // channels,
            channels,
            eps,
            batch_stats,
            relu,
            native.threads(data.numel()),
        )
        return out, mean, inv_std
    if batch_stats:
        out, mean, inv_std = torch.native_batch_norm(data, scale, beta, None, None, True, 0.0, eps)
    else:
        out, mean, inv_std = torch.native_batch_norm(data, scale, beta, moving_mean, moving_var, False, 0.0, eps)
        if stats:
            mean, inv_std = moving_mean.clone(), (moving_var + eps).rsqrt()
    if other is not None:
        out += other
    return (out.relu_() if relu else out), mean, inv_std


def _native_gradients(
    kernels: native.Library,
    grad: torch.Tensor,
    kept: _Kept,
    moving: tuple[torch.Tensor, torch.Tensor],
    options: Options,
    wanted: tuple[bool, ...],
) -> tuple[torch.Tensor | None, ...]:
    """The gradients of data, gamma, beta and the other summand; of the first and the last if they are ``wanted``."""
    data, gamma, beta, mean, inv_std, out = kept
    eps, momentum, fix_gamma, batch_stats, relu = options
    channels = data.shape[1]
    grad = _like(grad, data)
    by_data = torch.empty_like(data) if wanted[0] else None
    by_gamma, by_beta = torch.empty_like(mean), torch.empty_like(mean)
    cut = 2 if out is not None else int(relu)
    by_other = (torch.empty_like(data) if relu else grad) if wanted[5] or out is not None else None
    states: tuple[torch.Tensor | None, ...] = (None, None)
    if batch_stats:
        if all(state.is_contiguous() and state.numel() == channels for state in moving):
            states = moving
        else:
            _update_moving(*moving, mean, inv_std, eps, momentum)
    kernels.batch_norm_backward(
        data,
        grad,
        out,
        by_other,
        None if fix_gamma else gamma.contiguous(),
        beta.contiguous(),
        mean,
        inv_std,
        *states,
        by_data,
        by_gamma,
        by_beta,
        data.numel() // channels,
        channels,
        eps,
        momentum,
        batch_stats,
        cut,
        native.threads(data.numel()),
    )
    return by_data, by_gamma, by_beta, by_other


def _gradients(
    grad: torch.Tensor,
    kept: _Kept,
    moving: tuple[torch.Tensor, torch.Tensor],
    options: Options,
    wanted: tuple[bool, ...],
) -> tuple[torch.Tensor | None, ...]:
    """As ``_native_gradients``, by torch."""
    data, gamma, _, mean, inv_std, out = kept
    eps, momentum, fix_gamma, batch_stats, relu = options
    if relu:
        grad = torch.ops.aten.threshold_backward(grad, out.detach(), 0)  # type: ignore[union-attr]
    if batch_stats:
        _update_moving(*moving, mean, inv_std, eps, momentum)
    running = (None, None) if batch_stats else (mean, inv_std.pow(-2) - eps)
    # torch 2.13 mixes up the elements of a batch of one if data and gradient lie in different orders, and the stride of
    # that dimension is not the usual one, as after a view.
    grad = _like(grad, data)
    grads = torch.ops.aten.native_batch_norm_backward(
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
    return *grads, grad


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
        if not is_traced():  # which would lose sight of the write
            moving_mean, moving_var = moving_mean.data, moving_var.data
        kept = slice(moving_mean.shape[0])  # averages of shape (1,) are those of the first channel
        moving_mean.lerp_(mean[kept].to(moving_mean.dtype), 1 - momentum)
        moving_var.lerp_((inv_std[kept].pow(-2) - eps).to(moving_var.dtype), 1 - momentum)


def normalize(
    data: torch.Tensor,
    gamma: torch.Tensor,
    beta: torch.Tensor,
    moving_mean: torch.Tensor,
    moving_var: torch.Tensor,
    options: Options,
    axis: int = 1,
    stats: bool = False,
    other: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The result and (if ``stats``) mean and inverse standard deviation: of the batch, or the moving ones.

    ``other``, of the shape of ``data``, is added before the relu.
    """
    if not data.is_floating_point():
        raise TypeError("data must have a floating point dtype; convert it with astype()")
    kind = torch.float32 if data.dtype in HALVES else data.dtype
    if not -data.dim() <= axis < data.dim():
        raise ValueError(f"axis {axis} is out of range for {data.dim()} dimension(s)")
    axis %= data.dim()
    channels = (data.shape[axis],)
    for name, tensor in (("gamma", gamma), ("beta", beta), ("moving_mean", moving_mean), ("moving_var", moving_var)):
        if tensor.dtype is not kind:
            raise TypeError(f"{name} must be {str(kind)[6:]} for data of {str(data.dtype)[6:]}")
        if tensor.shape != channels and not (name.startswith("moving") and tensor.shape == (1,) and not is_traced()):
            raise ValueError(f"{name} must have shape {channels}, got {tuple(tensor.shape)}")
    if not options.batch_stats and channels != (1,):
        if moving_mean.shape == (1,):  # MXNet does not look at the shapes of these; one number is for all channels
            moving_mean = moving_mean.expand(channels).contiguous()
        if moving_var.shape == (1,):
            moving_var = moving_var.expand(channels).contiguous()
    shape, as_images = data.shape, axis == 1 and is_channels_last_1d(data)
    data = _channels_second(data, axis, as_images)
    other = other if other is None else _channels_second(other, axis, as_images)
    call = data, gamma, beta, moving_mean, moving_var, other, options
    tensors = data, gamma, beta, other
    learns = torch.is_grad_enabled() and any(t is not None and t.requires_grad for t in tensors)
    if is_traced():
        out, mean, inv_std = _plain(*call, stats, learns)
    else:
        out, mean, inv_std = _BatchNorm.apply(*call) if learns else _normalize(*call, stats)
        if options.batch_stats and leaves(inv_std, INVERSE):
            summand = None if other is None else other.double()  # the averages, which are written to, stay as they are
            again = data.double(), gamma.double(), beta.double(), moving_mean, moving_var, summand, options
            found = _BatchNorm.apply(*again) if learns else _normalize(*again, stats)
            out, mean, inv_std = found[0].to(data.dtype), found[1].to(kind), found[2].to(kind)
    if as_images:
        out = remove_height(out)
    elif out.shape != shape:
        out = out.reshape(shape) if out.dim() == 2 else out.movedim(1, axis)
    return out, mean, inv_std


def _plain(
    data: torch.Tensor,
    gamma: torch.Tensor,
    beta: torch.Tensor,
    moving_mean: torch.Tensor,
    moving_var: torch.Tensor,
    other: torch.Tensor | None,
    options: Options,
    stats: bool,
    learns: bool,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """As ``_normalize``, in the form that whatever reads torch's graphs knows, and with torch's own gradient.

    Such a graph has no backward pass of ours, so that what ``learns`` moves the averages here.
    """
    scale = None if options.fix_gamma else gamma
    if options.batch_stats:
        out, mean, inv_std = torch.native_batch_norm(data, scale, beta, None, None, True, 0.0, options.eps)
        if learns:
            _update_moving(moving_mean, moving_var, mean.detach(), inv_std.detach(), options.eps, options.momentum)
    else:
        out = torch.nn.functional.batch_norm(data, moving_mean, moving_var, scale, beta, eps=options.eps)
        mean, inv_std = moving_mean, (moving_var + options.eps).rsqrt() if stats else moving_var
    out = out if other is None else out + other
    return (out.relu() if options.relu else out), mean, inv_std


def _channels_second(data: torch.Tensor, axis: int, as_images: bool) -> torch.Tensor:
    if axis == data.dim() - 1 and axis != 1:
        # Rows of channels: for torch that is its channels-last kernel, whatever the number of dimensions.
        return data.reshape(-1, data.shape[-1])
    if axis != 1:
        return data.movedim(axis, 1) if data.dim() > 1 else data.unsqueeze(0)
    return data.unsqueeze(2) if as_images else data


def with_statistics(out: torch.Tensor, mean: torch.Tensor, deviation: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """The outputs of an operator that also shows its statistics."""
    return out, constant_in_graph(mean, out), constant_in_graph(deviation, out)


def statistics_outputs(attrs: Attrs) -> int:
    """How many outputs an operator has that shows its statistics when asked."""
    return 3 if attrs["output_mean_var"] else 1


_BATCH_NORM: Keywords = {
    "aux": ("moving_mean", "moving_var"),
    "fixed": lambda attrs: ("gamma",) if attrs["fix_gamma"] else (),
    "outputs": statistics_outputs,
    "output_names": ("output", "mean", "var"),
}


def _batch_norm_op(name: str, relu: bool, doc: str, **facts: Any) -> OpDef:
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
        options = Options(eps, momentum, fix_gamma, _train and not use_global_stats, relu)
        out, mean, inv_std = normalize(*inputs, options, axis, output_mean_var)
        return with_statistics(out, mean, inv_std) if output_mean_var else out

    return op(name, doc=doc, **_BATCH_NORM, **facts)(kernel)


batch_norm = _batch_norm_op(
    "BatchNorm",
    False,
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
    "``BatchNorm`` followed by relu, in one operator that keeps one array less for backward.",
)


@op("BatchNorm_v1", **_BATCH_NORM)
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
    options = Options(eps, momentum, fix_gamma, _train and not use_global_stats)
    out, mean, inv_std = normalize(*inputs, options, stats=output_mean_var)
    return with_statistics(out, mean, inv_std.detach().pow(-2) - eps) if output_mean_var else out


@op("_contrib_SyncBatchNorm", like=batch_norm_v1, **_BATCH_NORM)
def sync_batch_norm(
    data: torch.Tensor,
    gamma: torch.Tensor,
    beta: torch.Tensor,
    moving_mean: torch.Tensor,
    moving_var: torch.Tensor,
    *,
    ndev: int = 1,
    key: str,
    **attrs: Any,
) -> torch.Tensor | tuple[torch.Tensor, ...]:
    """``BatchNorm`` of axis 1 with the statistics of all ``ndev`` devices that share the batch and the layer ``key``.

    They are devices of this process, each with a thread of its own, and those of all workers of a distributed job. As
    third output it has the variance.
    """
    if ndev < 2 or not attrs.get("_train") or attrs.get("use_global_stats"):
        return batch_norm_v1.kernel(data, gamma, beta, moving_mean, moving_var, **attrs)
    eps, momentum = attrs.get("eps", 0.001), attrs.get("momentum", 0.9)
    out, mean, inv_std = shared_batch_norm(data, gamma, beta, eps, attrs.get("fix_gamma", True), key, ndev)
    _update_moving(moving_mean, moving_var, mean, inv_std, eps, momentum)
    if not attrs.get("output_mean_var"):
        return out
    return with_statistics(out, mean, inv_std.pow(-2) - eps)


def infer_channels(shapes: Shapes, attrs: Attrs) -> None:
    """All other inputs have one number per channel of data."""
    data, axis = shapes["data"], attrs.get("axis", 1)
    if data is not None and -len(data) <= axis < len(data):
        for name in shapes:
            if name != "data":
                shapes[name] = (data[axis],)


def _infer_wide_parameters(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    """16-bit data has float32 parameters and statistics."""
    data = dtypes["data"]
    kind = torch.float32 if data in HALVES else data
    for name in dtypes:
        if name != "data" and dtypes[name] is None:
            dtypes[name] = kind
    return [data, kind, kind][: statistics_outputs(attrs)]


def _batch_norm_shapes(shapes: dict[str, Shape], attrs: Attrs) -> list[Shape]:
    # By hand, because torch's batch norm without data loads its compiler, which takes a second.
    data, axis = shapes["data"], attrs.get("axis", 1)
    if not -len(data) <= axis < len(data):
        raise ValueError(f"axis {axis} is out of range for data with {len(data)} dimension(s)")
    channels = (data[axis],)
    for name, shape in shapes.items():
        if name != "data" and UNKNOWN not in (*shape, *channels) and shape != channels:
            raise ValueError(f"input {name!r} has shape {shape}, expected {channels}")
    return [data, channels, channels][: statistics_outputs(attrs)]


for _opdef in (batch_norm, batch_norm_with_relu, batch_norm_v1, sync_batch_norm):
    _opdef.infer_shape(_batch_norm_shapes)
    _opdef.infer_args(infer_channels)
    _opdef.infer_back(data_like_output(infer_channels))
    _opdef.infer_dtype(_infer_wide_parameters)
