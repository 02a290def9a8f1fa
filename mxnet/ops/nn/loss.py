"""Loss layers, whose gradient is the gradient of a loss, and other operators that have a gradient of their own choice.

What flows back into a loss layer is ignored, since the head is where a backward pass begins. Labels get no gradient.
"""

import math
from collections.abc import Callable
from typing import Any, Literal

import torch

from ..gradients import only_once, own_gradient
from ..infer import UNKNOWN, Shape, same_shapes
from ..params import Fraction
from ..registry import OpDef, op, register
from ..shape import first_dtype
from ..types import Attrs, Ctx, Gradients, Shapes

Normalization = Literal["null", "batch", "valid"]


class OwnGradient(torch.autograd.Function):
    """``value(data)``, with ``gradient(head_gradient, output, *constants)`` as the gradient of ``data``."""

    @staticmethod
    def forward(ctx: Ctx, data: torch.Tensor, value: Callable, gradient: Callable, *constants: torch.Tensor) -> Any:
        output = value(data)
        ctx.gradient = gradient
        ctx.save_for_backward(output, *constants)
        return output

    @staticmethod
    def backward(ctx: Ctx, head: torch.Tensor) -> Gradients:  # type: ignore[override]
        output, *constants = ctx.saved_tensors
        found = ctx.gradient(head, output, *constants)
        # Through the output it would be differentiated by this very function, which is not its derivative.
        once = only_once(found, output) if found is not None and found.requires_grad else found
        return once, None, None, *[None] * len(constants)


class LossHead(OwnGradient):
    """The same for a ``gradient`` that takes no notice of the head gradient."""

    @staticmethod
    def forward(ctx: Ctx, data: torch.Tensor, value: Callable, gradient: Callable, *constants: torch.Tensor) -> Any:
        ctx.ignores_head_gradient = True
        return OwnGradient.forward(ctx, data, value, gradient, *constants)


def _with_gradient(kind: type[OwnGradient], data: torch.Tensor, value: Callable, *gradient: Any) -> Any:
    """``kind.apply``; torch.jit.trace writes no gradient down."""
    return value(data) if torch.jit.is_tracing() else kind.apply(data, value, *gradient)


def _identity(data: torch.Tensor) -> torch.Tensor:
    return data.view_as(data)


def _check_types(data: torch.Tensor, label: torch.Tensor) -> None:
    if not data.is_floating_point():
        raise TypeError("data must be of a floating type")
    if label.dtype is not data.dtype:
        raise TypeError("label must have the dtype of data")


def _fill_label(shapes: Shapes, expected: Shape) -> None:
    """Sets the label's shape where it is unknown, and leaves a known one to the kernel to judge."""
    label = shapes.get("label")
    if label is None or (UNKNOWN in label and len(label) == len(expected)):
        shapes["label"] = expected


# ---- SoftmaxOutput ---------------------------------------------------------------------------------------------------


def _softmax_head(
    data: torch.Tensor,
    label: torch.Tensor,
    *,
    grad_scale: float = 1.0,
    ignore_label: float = -1.0,
    multi_output: bool = False,
    use_ignore: bool = False,
    preserve_shape: bool = False,
    normalization: Normalization = "null",
    out_grad: bool = False,
    smooth_alpha: Fraction = 0.0,
) -> tuple[Callable[[torch.Tensor], torch.Tensor], Callable[[torch.Tensor, torch.Tensor], torch.Tensor]]:
    """The functions for the value by data, and for the gradient by the output and the label."""
    _check_types(data, label)
    if not 0.0 <= smooth_alpha <= 1.0:
        raise ValueError("smooth_alpha must be between 0 and 1")
    if data.dim() < 2:
        raise ValueError("data must have at least 2 dimensions: the batch and the classes")
    is_distribution = label.shape == data.shape
    if not is_distribution:
        allowed = _class_labels(tuple(data.shape), multi_output)
        if tuple(label.shape) not in allowed:
            expected = " or ".join(str(s) for s in dict.fromkeys([*allowed, tuple(data.shape)]))
            raise ValueError(f"label has shape {tuple(label.shape)}, expected {expected}")

    def value(data: torch.Tensor) -> torch.Tensor:
        if multi_output or preserve_shape:
            return data.softmax(1 if multi_output else -1)
        if data.dim() == 2:
            return data.softmax(1)
        return data.flatten(1).softmax(1).view_as(data)

    def gradient(output: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
        found = by_labels(output, label)
        return found.mul_(output) if out_grad else found

    def by_labels(output: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
        if is_distribution:
            return (output - label).mul_(grad_scale)
        classes = label.to(torch.int64)
        if multi_output:
            rows, index = (
                output.flatten(2) if output.dim() > 2 else output.unsqueeze(2),
                classes.reshape(output.shape[0], -1),
            )
        elif preserve_shape:
            rows, index = output.flatten(0, -2), classes.flatten()
        else:
            # Of labels for more than the first axis, MXNet takes as many as there are rows and leaves the others.
            rows, index = output.flatten(1), classes.flatten()[: output.shape[0]]
        count = rows.shape[1]
        # Smoothing is not for multi_output in MXNet.
        elsewhere = 0.0 if multi_output else smooth_alpha / max(count - 1, 1)
        here = 1.0 if multi_output else 1.0 - smooth_alpha
        if not elsewhere and here == 1.0 and rows.dim() == 2 and rows.numel() <= 1 << 14:
            # Few numbers: one comparison of all is quicker than five calls for the right ones.
            result = rows - (index.unsqueeze(1) == torch.arange(count, device=rows.device)).to(rows.dtype)
        else:
            result = rows - elsewhere
            known = ((index >= 0) & (index < count)).to(rows.dtype)
            result.scatter_add_(1, index.clamp(0, count - 1).unsqueeze(1), (known * (elsewhere - here)).unsqueeze(1))
        if use_ignore:
            result.masked_fill_((index == int(ignore_label)).unsqueeze(1), 0.0)
        if normalization == "valid":
            valid = (classes != int(ignore_label)).sum().clamp_(min=1)
            result.mul_((grad_scale / valid).to(rows.dtype))
        elif normalization == "batch":
            result.mul_(grad_scale / max(label.numel(), 1))
        elif (factor := grad_scale / max(rows.shape[2], 1) if multi_output else grad_scale) != 1.0:
            result.mul_(factor)
        return result.view_as(output)

    return value, gradient


@op("SoftmaxOutput", gradient="loss", like=_softmax_head, aliases=("Softmax",))
def softmax_output(data: torch.Tensor, label: torch.Tensor, *, out_grad: bool = False, **attrs: Any) -> torch.Tensor:
    """Softmax whose gradient is that of the cross-entropy with ``label``: class numbers, or probabilities like data.

    Classes are all but the first axis; the last one with ``preserve_shape``; axis 1 with ``multi_output``. Labels equal
    to ``ignore_label`` give no gradient with ``use_ignore``. The gradient is divided by the number of labels
    (``normalization='batch'``) or of those not ignored (``'valid'``). With ``out_grad`` it is multiplied by the output:
    by that, and not by the head gradient, in MXNet.
    """
    value, gradient = _softmax_head(data, label, out_grad=out_grad, **attrs)
    if data.is_meta:
        return data.new_empty(data.shape)
    kind = OwnGradient if out_grad else LossHead  # with out_grad backward asks for a head gradient, and looks at it not
    return _with_gradient(kind, data, value, lambda head, output, label: gradient(output, label), label)


@softmax_output.loss_head
def _(data: torch.Tensor, label: torch.Tensor, **attrs: Any) -> tuple[torch.Tensor, Callable[[], torch.Tensor]]:
    value, gradient = _softmax_head(data, label, **attrs)
    output = value(data)
    return output, lambda: gradient(output, label)


def _class_labels(data: Shape, multi_output: bool) -> list[Shape]:
    """The shapes that labels with class numbers may have, the usual one first."""
    if not multi_output:
        return [data[:-1]]
    return [(data[0], math.prod(data[2:])), (data[0], *data[2:]), (data[0], 1, *data[2:])]


softmax_output.infer_dtype(first_dtype)


@softmax_output.infer_shape
def _(shapes: Shapes, attrs: Attrs) -> list[Shape]:
    data, label = shapes["data"] or (), shapes.get("label")
    if label is not None and UNKNOWN not in (*data, *label):
        allowed = [*(_class_labels(data, attrs["multi_output"]) if len(data) > 1 else ()), data]
        if tuple(label) not in allowed:
            expected = " or ".join(map(str, dict.fromkeys(allowed)))
            raise ValueError(f"label has shape {tuple(label)}, expected {expected}")
    return [data]


@softmax_output.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    data = shapes["data"]
    if data is not None and len(data) > 1:
        _fill_label(shapes, _class_labels(tuple(data), attrs["multi_output"])[0])


# ---- regression ------------------------------------------------------------------------------------------------------


def _regression(name: str, value: Callable, residual: Callable, doc: str) -> OpDef:
    """A regression head: its value, and the gradient of its loss by output and label."""

    def kernel(data: torch.Tensor, label: torch.Tensor, *, grad_scale: float = 1.0) -> torch.Tensor:
        _check_types(data, label)
        if data.dim() == 0 or label.dim() == 0 or label.shape[0] != data.shape[0] or label.numel() != data.numel():
            raise ValueError(f"label has shape {tuple(label.shape)}, expected {tuple(data.shape)}")
        scale = grad_scale / max(math.prod(label.shape[1:]), 1)

        def gradient(head: torch.Tensor, output: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
            return residual(output, label.view_as(output)).mul_(scale)

        if data.is_meta:
            return data.new_empty(data.shape)
        return _with_gradient(LossHead, data, value, gradient, label.contiguous())

    opdef = register(name, kernel, doc=doc, view=value is _identity, gradient="loss")

    @opdef.infer_args
    def _(shapes: Shapes, attrs: Attrs) -> None:
        data = shapes["data"]
        if data is not None:
            _fill_label(shapes, tuple(data[:1]) if len(data) == 2 and data[1] == 1 else tuple(data))

    return opdef


_regression(
    "LinearRegressionOutput",
    _identity,
    torch.sub,
    "The data itself; its gradient is that of half the squared distance to ``label``, per number in an example.",
)
_regression(
    "LogisticRegressionOutput",
    torch.sigmoid,
    torch.sub,
    "The sigmoid of data; its gradient is that of the cross-entropy with ``label``, per number in an example.",
)
_regression(
    "MAERegressionOutput",
    _identity,
    # at zero distance MXNet takes the negative side
    lambda output, label: (output > label).to(output.dtype).mul_(2.0).sub_(1.0),
    "The data itself; its gradient is that of the absolute distance to ``label``, per number in an example.",
)


# ---- other heads -----------------------------------------------------------------------------------------------------


@op("MakeLoss", gradient="loss", view=True)
def make_loss(
    data: torch.Tensor,
    *,
    grad_scale: float = 1.0,
    valid_thresh: float = 0.0,
    normalization: Normalization = "null",
) -> torch.Tensor:
    """Makes any array a loss: the data itself, with ``grad_scale`` as the gradient of each element.

    It is divided by the product of all dimensions but the last (``normalization='batch'``) or by the number of elements
    above ``valid_thresh`` (``'valid'``).
    """
    if not data.is_floating_point():
        raise TypeError("data must be of a floating type")

    def gradient(head: torch.Tensor, output: torch.Tensor) -> torch.Tensor:
        if normalization == "valid":
            valid = (output > valid_thresh).sum().clamp_(min=1)
            return (grad_scale / valid).to(output.dtype).expand_as(output).contiguous()
        # as in the original, examples are all dimensions but the last
        scale = grad_scale / max(math.prod(output.shape[:-1]), 1) if normalization == "batch" else grad_scale
        return torch.full_like(output, scale)

    return _with_gradient(LossHead, data, _identity, gradient)


make_loss.infer_back(same_shapes)


@op("SVMOutput", gradient="loss", view=True)
def svm_output(
    data: torch.Tensor,
    label: torch.Tensor,
    *,
    margin: float = 1.0,
    regularization_coefficient: float = 1.0,
    use_linear: bool = False,
) -> torch.Tensor:
    """The data itself; its gradient is that of the squared (``use_linear``: plain) hinge loss over the last axis."""
    _check_types(data, label)
    if data.dim() < 2 or label.shape != data.shape[:-1]:
        raise ValueError(f"label has shape {tuple(label.shape)}, expected {tuple(data.shape[:-1])}")

    def gradient(head: torch.Tensor, output: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
        classes = torch.arange(output.shape[-1], device=output.device)
        side = torch.where(label.to(torch.int64).unsqueeze(-1) == classes, -1.0, 1.0).to(output.dtype)
        short = (margin + side * output).clamp_(min=0.0)  # how far each score is from the right side of the margin
        if use_linear:
            return side.mul_((short > 0).to(output.dtype)).mul_(regularization_coefficient)
        return side.mul_(short).mul_(2.0 * regularization_coefficient)

    return _with_gradient(LossHead, data, _identity, gradient, label)


@svm_output.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    data = shapes["data"]
    if data is not None and len(data) > 1:
        _fill_label(shapes, tuple(data[:-1]))


class _KLSparsity(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Ctx, data: torch.Tensor, average: torch.Tensor, target: float, penalty: float, momentum: float
    ) -> torch.Tensor:
        # The average is state that backward updates, so it must not be under autograd's watch for changes.
        ctx.settings = average, target, penalty, momentum
        ctx.save_for_backward(data)
        return data.view_as(data)

    @staticmethod
    def backward(ctx: Ctx, head: torch.Tensor) -> Gradients:  # type: ignore[override]
        (data,) = ctx.saved_tensors
        average, target, penalty, momentum = ctx.settings
        axes = [i for i in range(data.dim()) if i != 1]
        average.mul_(momentum).add_(data.detach().mean(axes), alpha=1.0 - momentum)
        slope = penalty * ((1.0 - target) / (1.0 - average) - target / average)
        return only_once(head + slope.view(-1, *[1] * (data.dim() - 2)), data), None, None, None, None


@op("IdentityAttachKLSparseReg", aux=("moving_avg",), view=True)
def identity_attach_kl_sparse_reg(
    data: torch.Tensor,
    moving_avg: torch.Tensor,
    *,
    sparseness_target: Fraction = 0.1,
    penalty: float = 0.001,
    momentum: Fraction = 0.9,
) -> torch.Tensor:
    """The data itself; its gradient pulls the average activation of each unit (axis 1) towards ``sparseness_target``.

    The gradient of ``penalty`` times a KL divergence is added to what flows back. Backward updates ``moving_avg``, the
    running average of each unit, by ``momentum``.
    """
    if data.dim() < 2 or moving_avg.shape != data.shape[1:2]:
        raise ValueError(f"moving_avg has shape {tuple(moving_avg.shape)}, expected {tuple(data.shape[1:2])}")
    return _KLSparsity.apply(data, moving_avg.detach(), sparseness_target, penalty, momentum)


@identity_attach_kl_sparse_reg.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    data = shapes["data"]
    if data is not None and len(data) > 1 and "moving_avg" in shapes:
        shapes["moving_avg"] = tuple(data[1:2])


# ---- straight-through estimators -------------------------------------------------------------------------------------


def _round_half_away(data: torch.Tensor) -> torch.Tensor:
    whole = data.trunc()
    return whole + ((data - whole).abs() >= 0.5) * data.sign()


def _straight_through(name: str, value: Callable, doc: str) -> OpDef:
    def kernel(data: torch.Tensor) -> torch.Tensor:
        return own_gradient(value, lambda head, data, output: head)(data)

    opdef = register(name, kernel, doc=doc)
    opdef.infer_back(same_shapes)
    return opdef


_straight_through(
    "_contrib_round_ste",
    lambda data: _round_half_away(data) if data.is_floating_point() else data.clone(),
    "Rounds to the nearest whole number, halves away from zero; gradients pass through as if nothing had been done.",
)
_straight_through(
    "_contrib_sign_ste",
    torch.sign,
    "The sign of each element; gradients pass through as if nothing had been done.",
)


@op("_contrib_gradientmultiplier", view=True)
def gradient_multiplier(data: torch.Tensor, *, scalar: float = 1.0, is_int: bool = True) -> torch.Tensor:
    """The data itself; its gradient is multiplied by ``scalar`` (a negative one reverses it), cut for integers."""
    factor = scalar if data.is_floating_point() else int(scalar)
    return own_gradient(_identity, lambda head, data, output: head * factor)(data)


gradient_multiplier.infer_back(same_shapes)
