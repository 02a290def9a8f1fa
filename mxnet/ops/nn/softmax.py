"""softmax, its logarithm and its minimum form."""

import math
from collections.abc import Callable
from typing import Any, Literal

import torch

from ...error import MXNetTypeError
from ..gradients import own_gradient
from ..infer import is_known, same_shapes
from ..registry import OpDef, op
from ..support import without_data
from ..types import Attrs, Dtypes, Shapes
from ..wide import NUMBERS, leaves
from .layout import check_floating

# The original never takes the logarithm of a probability smaller than this.
_LEAST_PROBABILITY = 1e-8
# What is cut off keeps its gradient.
_not_too_large = own_gradient(
    lambda loss: loss.clamp(max=-math.log(_LEAST_PROBABILITY)), lambda grad, loss, result: grad
)
_FLOATS = (torch.float16, torch.float32, torch.float64, None)


def _prepare(
    data: torch.Tensor, axis: int, temperature: float | None, dtype: torch.dtype | None
) -> tuple[torch.Tensor, torch.dtype]:
    """The scaled logits, in the wider of both dtypes, and the dtype of the result."""
    check_floating(data)
    if dtype not in _FLOATS:
        raise ValueError("dtype must be float16, float32 or float64")
    if not -max(data.dim(), 1) <= axis < max(data.dim(), 1):  # a single number is its own axis
        raise ValueError(f"axis {axis} is out of range for {data.dim()} dimension(s)")
    result = dtype or data.dtype
    if result.itemsize > data.dtype.itemsize:
        data = data.to(result)
    if temperature in (None, 1.0) or data.is_meta:
        return data, result
    # not in float16, where a small temperature makes infinities of the logits
    return (data.float() if data.dtype.itemsize < 4 else data) / temperature, result


def _apply_temperature(
    function: Callable[[torch.Tensor, int], torch.Tensor],
    data: torch.Tensor,
    logits: torch.Tensor,
    axis: int,
    temperature: float | None,
    winner: Callable[..., torch.Tensor] = torch.amax,
) -> torch.Tensor:
    """The function of the logits; where a low temperature made infinities of them, of their distances to the winner."""
    found = function(logits, axis)
    if temperature is None or not 0 < temperature < 1 or not found.numel():
        return found
    if leaves(found.detach().select(axis, 0) if found.dim() else found, NUMBERS):
        data = data.to(torch.promote_types(data.dtype, logits.dtype))
        return function((data - winner(data.detach(), axis, keepdim=True)) / temperature, axis)
    return found


@op("softmax", active=lambda attrs: ("data", "length") if attrs["use_length"] else ("data",))
def softmax(
    data: torch.Tensor,
    length: torch.Tensor | None = None,
    *,
    axis: int = -1,
    temperature: float | None = None,
    dtype: torch.dtype | None = None,
    use_length: bool | None = False,
) -> torch.Tensor:
    """The softmax of ``data / temperature`` along ``axis``.

    With ``use_length``, ``length`` (the shape of data without ``axis``, integers) says how many entries at the start of
    ``axis`` take part; the others are 0. ``dtype`` is the dtype of the result.
    """
    logits, result = _prepare(data, axis, temperature, dtype)
    if bool(use_length) is (length is None):
        raise ValueError("use_length=True needs the input length" if use_length else "length needs use_length=True")
    if length is None:
        return (
            without_data(data, dtype=result)
            if data.is_meta
            else _apply_temperature(torch.softmax, data, logits, axis, temperature).to(result)
        )
    if length.is_floating_point() and not length.is_meta:  # shapes are inferred before dtypes
        raise TypeError("length must have an integer dtype")
    axis %= data.dim()
    expected = data.shape[:axis] + data.shape[axis + 1 :]
    if not expected and length.shape == (1,):  # how arrays without np's shapes write one number
        length = length.reshape(())
    if length.shape != expected:
        raise ValueError(f"length must have shape {tuple(expected)}, got {tuple(length.shape)}")
    if data.is_meta:
        return without_data(data, dtype=result)
    places = torch.arange(data.shape[axis], device=data.device).view(-1, *[1] * (data.dim() - axis - 1))
    out = places >= length.unsqueeze(axis)
    # The lowest number instead of -inf: a row of length 0 stays finite, in its gradient too.
    masked = logits.masked_fill(out, torch.finfo(logits.dtype).min)
    return torch.softmax(masked, axis).masked_fill(out, 0).to(result)


@softmax.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    data = shapes["data"]
    if "length" in shapes and data is not None:
        axis = attrs["axis"] % len(data)
        expected = tuple(data[:axis]) + tuple(data[axis + 1 :])
        if expected or shapes["length"] is None:
            shapes["length"] = expected or (1,)


@softmax.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    if "length" in dtypes:
        length = dtypes["length"] = dtypes["length"] or torch.int32
        if length.is_floating_point:
            raise MXNetTypeError("softmax: length must have an integer dtype")
    return [attrs["dtype"] or dtypes["data"]]


def _simple(
    name: str,
    function: Callable[[torch.Tensor, int], torch.Tensor],
    doc: str,
    winner: Callable[..., torch.Tensor] = torch.amax,
    **facts: Any,
) -> OpDef:
    """A relative of softmax that knows no lengths."""

    def kernel(
        data: torch.Tensor,
        *,
        axis: int = -1,
        temperature: float | None = None,
        dtype: torch.dtype | None = None,
        use_length: bool | None = False,
    ) -> torch.Tensor:
        if use_length:
            raise ValueError("use_length is for softmax only")
        logits, result = _prepare(data, axis, temperature, dtype)
        if data.is_meta:
            return without_data(data, dtype=result)
        return _apply_temperature(function, data, logits, axis, temperature, winner).to(result)

    opdef = op(name, doc=doc, **facts)(kernel)
    opdef.infer_dtype(lambda dtypes, attrs: [attrs["dtype"] or dtypes["data"]])
    return opdef


softmin = _simple(
    "softmin",
    lambda logits, axis: torch.softmax(-logits, axis),
    "The softmax of ``-data / temperature`` along ``axis``. ``dtype`` is the dtype of the result.",
    torch.amin,
)
log_softmax = _simple(
    "log_softmax",
    torch.log_softmax,
    "The logarithm of the softmax of ``data / temperature`` along ``axis``. ``dtype`` is the dtype of the result.",
)


@op("SoftmaxActivation")
def softmax_activation(data: torch.Tensor, *, mode: Literal["channel", "instance"] = "instance") -> torch.Tensor:
    """The softmax along the last axis (``instance``) or along the channels, axis 1 (``channel``)."""
    check_floating(data)
    if mode == "channel" and data.dim() < 3:
        raise ValueError("mode='channel' needs at least 3 dimensions")
    return torch.softmax(data, 1 if mode == "channel" else -1)


softmax_activation.infer_back(same_shapes)


@op("softmax_cross_entropy")
def softmax_cross_entropy(data: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
    """The cross entropy of the softmax of ``data`` (batch, classes) with ``label`` (batch,), summed to shape (1,)."""
    check_floating(data, label)
    if data.dim() != 2 or label.dim() != 1 or label.shape[0] != data.shape[0]:
        raise ValueError("data must be (batch, classes) and label (batch,)")
    if data.is_meta:
        return without_data(data, (1,))
    log_probability = torch.log_softmax(data, 1)
    loss = -log_probability.gather(1, label.detach().long().unsqueeze(1))
    return _not_too_large(loss).sum().reshape(1)


@softmax_cross_entropy.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    data = shapes["data"]
    if data is not None and is_known(data[:1]):
        shapes["label"] = tuple(data[:1])
