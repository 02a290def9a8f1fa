"""LSTM on 8-bit integers."""

from __future__ import annotations

from typing import Any

import torch

from ..nn.rnn import _layout, rnn
from ..registry import op
from ..support import without_data
from ..types import Attrs, Dtypes, Keywords
from .ranges import check_ranges, fill_shapes, fill_types

Tensor = torch.Tensor
_SCALES = ("data_scale", "data_shift")


def _outputs(attrs: Attrs) -> int:
    return 3 if attrs["state_outputs"] else 1


def _in_eight_bits(weight: Tensor) -> Tensor:
    """A matrix whose rows have been rounded to 127 steps of their own on either side of zero."""
    step = weight.abs().amax(1, keepdim=True) / 127
    step = torch.where(step > 0, step, torch.ones_like(step))
    return (weight / step).round() * step


@op(
    "_contrib_quantized_rnn",
    outputs=_outputs,
    output_names=("output", "state_output", "statecell_ouput"),
    gradient="zero",
    like=rnn,
)
def quantized_rnn(
    data: Tensor,
    parameters: Tensor,
    state: Tensor,
    state_cell: Tensor,
    data_scale: Tensor,
    data_shift: Tensor,
    **attrs: Any,
) -> Tensor | tuple[Tensor, ...]:
    """``RNN`` with mode ``lstm`` for uint8, as ``quantize_asym`` gives it: ``(data - data_shift) / data_scale``.

    The weights are rounded to int8, with a scale for each row; biases, states and what is added up are float32.
    """
    if attrs["mode"] != "lstm":
        raise ValueError(f"only mode lstm can be quantized, got {attrs['mode']!r}")
    if data.dtype is not torch.uint8 and not data.is_meta:
        raise TypeError("data must be uint8; see quantize_asym")
    check_ranges(data_scale=data_scale, data_shift=data_shift)
    floats = {name: value for name, value in attrs.items() if name not in ("_train", "_rng")}
    if data.is_meta:
        return rnn.kernel(without_data(data, dtype=torch.float32), parameters, state, state_cell, **floats)
    values = (data.to(torch.float32) - data_shift.reshape(())) / data_scale.reshape(())
    directions = 2 if attrs.get("bidirectional") else 1
    layers, projection = attrs["num_layers"], attrs.get("projection_size")
    sizes, shapes = _layout("lstm", data.shape[-1], attrs["state_size"], layers, directions, projection)
    if parameters.numel() != sum(sizes):
        raise ValueError(f"parameters must have {sum(sizes)} numbers, got {parameters.numel()}")
    pieces = [p.reshape(s) for p, s in zip(parameters.split(sizes), shapes, strict=True)]
    rounded = [_in_eight_bits(p) if p.dim() == 2 else p for p in pieces]
    return rnn.kernel(values, torch.cat([p.reshape(-1) for p in rounded]), state, state_cell, **floats)


@quantized_rnn.infer_args
def _(shapes: Keywords, attrs: Attrs) -> None:
    fill_shapes(shapes, _SCALES)
    rnn.rules["args"](shapes, attrs)


@quantized_rnn.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    fill_types(dtypes, ["data"], torch.uint8)
    fill_types(dtypes, ("parameters", "state", "state_cell", *_SCALES))
    return [torch.float32] * _outputs(attrs)
