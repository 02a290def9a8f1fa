"""Activations: Activation, LeakyReLU and its relatives."""

from typing import Literal

import torch
from torch.nn import functional

from ..._rng import Generator, HostGenerator
from ..infer import Shape, same_shapes
from ..registry import op
from ..types import Attrs, Shapes
from ..unary import softsign
from .layout import check_floating

_ACTIVATIONS = {
    "relu": torch.relu,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "softrelu": functional.softplus,
    "softsign": softsign,
}


@op("Activation")
def activation(
    data: torch.Tensor, *, act_type: Literal["relu", "sigmoid", "softrelu", "softsign", "tanh"]
) -> torch.Tensor:
    """Applies an activation to each element: relu, sigmoid, tanh, softrelu (``log(1 + exp(x))``) or softsign."""
    check_floating(data)
    return _ACTIVATIONS[act_type](data)


activation.infer_back(same_shapes)


@op(
    "LeakyReLU",
    outputs=lambda attrs: 2 if attrs["act_type"] == "rrelu" else 1,
    output_names=("output", "mask"),
    active=lambda attrs: ("data", "gamma") if attrs["act_type"] == "prelu" else ("data",),
)
def leaky_relu(
    data: torch.Tensor,
    gamma: torch.Tensor | None = None,
    *,
    act_type: Literal["elu", "gelu", "leaky", "prelu", "rrelu", "selu"] = "leaky",
    slope: float = 0.25,
    lower_bound: float = 0.125,
    upper_bound: float = 0.334,
    _train: bool = False,
    _rng: Generator | None = None,
) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
    """Activations that let something of the negative through.

    ``leaky``: slope * x; ``elu``: slope * (exp(x) - 1); ``selu``, ``gelu``: fixed curves; ``prelu``: gamma * x with one
    gamma for all or one per channel; ``rrelu``: a slope drawn between the bounds for each element in training, their
    mean otherwise, and the slopes drawn are the second output.
    """
    check_floating(data, gamma)
    if (gamma is None) is (act_type == "prelu"):
        raise ValueError("act_type='prelu' needs the input gamma" if gamma is None else "gamma is for act_type='prelu'")
    if data.is_meta and act_type not in ("prelu", "rrelu"):  # torch would load its compiler first, for a second
        return data.new_empty(data.shape)
    if act_type == "leaky":
        return functional.leaky_relu(data, slope)
    if act_type == "gelu":
        return functional.gelu(data)
    if act_type == "elu":
        return functional.elu(data, slope)
    if act_type == "selu":
        return functional.selu(data)
    if act_type == "prelu":
        assert gamma is not None
        return _prelu(data, gamma)
    return _rrelu(data, lower_bound, upper_bound, _train, _rng)


def _prelu(data: torch.Tensor, gamma: torch.Tensor) -> torch.Tensor:
    if gamma.numel() == 1 or (gamma.dim() == 1 and data.dim() > 1 and gamma.shape[0] == data.shape[1]):
        return functional.prelu(data, gamma.reshape(-1))
    # gamma may also span the leading axes
    if gamma.dim() > min(2, data.dim()) or any(g not in (1, d) for g, d in zip(gamma.shape, data.shape, strict=False)):
        raise ValueError(f"gamma of shape {tuple(gamma.shape)} fits neither the channels nor the first axes of data")
    slopes = gamma.reshape(*gamma.shape, *[1] * (data.dim() - gamma.dim()))
    return torch.where(data > 0, data, data * slopes)


def _rrelu(
    data: torch.Tensor, lower: float, upper: float, train: bool, rng: Generator | None
) -> tuple[torch.Tensor, torch.Tensor]:
    if not train:
        return functional.leaky_relu(data, (lower + upper) / 2), torch.zeros_like(data)
    if lower > upper:
        raise ValueError(f"lower_bound {lower} is larger than upper_bound {upper}")
    if isinstance(rng, HostGenerator):
        slopes = rng.draw("uniform", torch.empty(data.shape, dtype=torch.float32), [lower, upper]).to(data.dtype)
    else:
        slopes = torch.empty_like(data).uniform_(lower, upper, generator=rng)
    slopes = slopes.masked_fill_(data.detach() > 0, 1)
    return data * slopes, slopes


@leaky_relu.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    data = shapes["data"]
    if "gamma" in shapes and shapes["gamma"] is None and data:
        shapes["gamma"] = (data[1],) if len(data) > 1 else (data[0],)


@leaky_relu.infer_shape
def _(shapes: Shapes, attrs: Attrs) -> list[Shape | None]:
    return [shapes["data"]] * leaky_relu.num_outputs(attrs)


@leaky_relu.infer_back
def _(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
    if shapes["data"] is None:
        shapes["data"] = outputs[0]
