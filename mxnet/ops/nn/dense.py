"""FullyConnected."""

import math

import torch

from ..infer import UNKNOWN, Shape
from ..params import Count
from ..products import linear
from ..registry import op
from ..types import Attrs, Shapes
from .layout import check_bias, check_floating, weights_active


def _wrong_inputs(data: torch.Tensor, weight: torch.Tensor, num_hidden: int) -> str:
    if weight.dim() != 2 or weight.shape[0] != num_hidden:
        return ""
    return (
        f": it takes {weight.shape[1]} inputs, and data has {data.shape[-1]}. Pass data of the size that the layer "
        "was created with, or create the layer for this size (in_units; without it, the first batch sets the size)"
    )


@op("FullyConnected", active=weights_active)
def fully_connected(
    data: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    *,
    num_hidden: Count,
    no_bias: bool = False,
    flatten: bool = True,
) -> torch.Tensor:
    """Applies a linear map: ``data @ weight.T + bias``.

    ``weight`` is (num_hidden, inputs), ``bias`` is (num_hidden,). With ``flatten`` all dimensions of ``data`` after the
    first are one vector; without, the map applies to the last dimension. ``no_bias=True``: there is no bias.
    """
    check_bias(bias, no_bias)
    check_floating(data, weight, bias)
    if flatten and data.dim() != 2:
        data = data.unsqueeze(1) if data.dim() == 1 else data.flatten(1)
    if weight.shape != (num_hidden, data.shape[-1]):
        expected = (num_hidden, data.shape[-1])
        raise ValueError(
            f"weight must have shape {expected}, got {tuple(weight.shape)}" + _wrong_inputs(data, weight, num_hidden)
        )
    if bias is not None and bias.shape != (num_hidden,):
        raise ValueError(f"bias must have shape {(num_hidden,)}, got {tuple(bias.shape)}")
    if data.is_meta:
        return data.new_empty((*data.shape[:-1], num_hidden))
    return linear(data, weight, bias)


@fully_connected.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    hidden, data = attrs["num_hidden"], shapes["data"]
    if data:
        if "bias" in shapes and shapes["bias"] != (hidden, 1):
            shapes["bias"] = (hidden,)
        shapes["weight"] = (hidden, math.prod(data[1:]) if attrs["flatten"] else data[-1])


@fully_connected.infer_shape
def _(shapes: dict[str, Shape], attrs: Attrs) -> list[Shape]:
    return [(*(shapes["data"][:1] if attrs["flatten"] else shapes["data"][:-1]), attrs["num_hidden"])]


@fully_connected.infer_back
def _(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    data, out = shapes["data"], outputs[0]
    if not data or not out:
        return
    known = 1 if attrs["flatten"] else len(data) - 1
    if len(out) == known + 1:
        filled = tuple(o if d == UNKNOWN else d for d, o in zip(data[:known], out[:known], strict=True))
        shapes["data"] = filled + tuple(data[known:])
