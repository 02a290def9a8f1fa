"""Layers that are one node with a subgraph: a convolution or a dense layer with what follows it.

With floats the subgraph is run. With integers its nodes say what to compute: exact sums, and one rounding at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ...dtypes import NAME_OF
from ..nn.convolution import convolution_plan
from ..nn.layout import channels_first_view, channels_last_view
from ..registry import get, op
from ..support import without_data
from . import sums
from .ranges import (
    INT32_LIMIT,
    LIMITS,
    STEPS,
    check_eight_bits,
    check_ranges,
    empty_range,
    magnitude,
    new_range,
    ratio,
    saturate,
    symmetric,
)

Tensor = torch.Tensor
#: The operator of a node of the subgraph, and its attributes.
Layer = tuple[str, dict[str, Any]]
CONV, DENSE = "_sg_mkldnn_conv", "_sg_mkldnn_fully_connected"


def _outputs(attrs: dict[str, Any]) -> int:
    return 3 if attrs["quantized"] and not attrs.get("enable_float_output") else 1


def _layer(layers: Sequence[Layer], names: Sequence[str]) -> dict[str, Any] | None:
    return next((attrs for name, attrs in layers if name in names), None)


def _activations(layers: Sequence[Layer]) -> list[Layer]:
    return [
        (name, attrs)
        for name, attrs in layers
        if name in ("Activation", "LeakyReLU", "clip", "abs", "exp", "sqrt", "square")
    ]


def _only_positive(layers: Sequence[Layer]) -> bool:
    """Does the last layer give nothing below zero?"""
    if not layers:
        return False
    name, attrs = layers[-1]
    return (
        (name == "Activation" and attrs["act_type"] in ("relu", "sigmoid", "softrelu"))
        or name in ("abs", "exp", "sqrt", "square")
        or (name == "clip" and attrs["a_min"] >= 0)
    )


def _apply(layers: Sequence[Layer], values: Tensor) -> Tensor:
    for name, attrs in layers:
        function = get(name)
        supplied = {key: False if key == "_train" else None for key in function.supplied}
        values = function.kernel(values, **attrs, **supplied)
    return values


def _finish(
    exact: Tensor,
    scales: Tensor,
    layers: Sequence[Layer],
    extra: tuple[Tensor, tuple[Tensor, Tensor]] | None,
    low: float,
    high: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """Sums, each with the number of steps that one is of, as 8-bit integers in a range."""
    kind = torch.uint8 if _only_positive(layers) else torch.int8
    limits = new_range(exact, low, high)
    out = ratio(STEPS[kind], magnitude(*limits))
    linear = all(name == "Activation" and attrs["act_type"] == "relu" for name, attrs in layers)
    values = exact.to(torch.float32) * ((out if linear else torch.ones_like(out)) / scales)
    if extra is not None:
        own = ratio(STEPS[extra[0].dtype], magnitude(*extra[1]))
        values = values + extra[0].to(torch.float32) * ((out if linear else torch.ones_like(out)) / own)
    values = _apply(layers, values)
    return saturate(values if linear else values * out, kind), *limits


def _sum_range(data: Tensor, weight: Tensor, kind: torch.dtype) -> tuple[Tensor, Tensor]:
    return symmetric((data / LIMITS[kind]) * (weight / LIMITS[torch.int8]) * INT32_LIMIT)


def _without_numbers(data: Sequence[Tensor], subgraph: Any, outputs: int, dtype: torch.dtype) -> Any:
    """The result on the meta device: the subgraph tells its shape."""
    floats = [without_data(each, dtype=torch.float32) for each in data]
    result = without_data(subgraph(floats, False)[0], dtype=dtype)
    return result if outputs == 1 else (result, *empty_range(result))


@op(
    CONV,
    outputs=_outputs,
    output_names=("output", "output_min", "output_max"),
    gradient_takes="head",
)
def fused_conv(
    *data: Tensor,
    with_bn: bool = False,
    with_act: bool = False,
    with_sum: bool = False,
    with_postsum_act: bool = False,
    quantized: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    _subgraphs: list[Any],
    _train: bool,
) -> Any:
    """A convolution with batch norm, activation, a sum with another array and an activation of that, as far as given.

    ``quantized``: data (and what is added) are integers, followed by their ranges; weights are floats, which are folded
    with batch norm and rounded to int8: for each filter if the range of the result is known, else all with one scale.
    """
    subgraph = _subgraphs[0]
    if not quantized:
        return tuple(subgraph(data, _train))
    layers: Sequence[Layer] = subgraph.layers
    conv = _layer(layers, ["Convolution"])
    if conv is None:
        raise ValueError("its subgraph has no Convolution")
    count = len(subgraph.inputs)
    if len(data) != count + (4 if with_sum else 2):
        raise ValueError(f"it takes {count + (4 if with_sum else 2)} inputs, ranges included, got {len(data)}")
    given = dict(zip(subgraph.inputs, data[:count], strict=True))
    image, weight = given["Convolution.data"], given["Convolution.weight"]
    check_eight_bits(data=image)
    check_ranges(**{f"range {i}": each for i, each in enumerate(data[count:])})
    calibrated = min_calib_range is not None and max_calib_range is not None
    acts = _activations(layers)
    if image.is_meta:
        limits = {"min_calib_range": min_calib_range, "max_calib_range": max_calib_range}
        return _without_numbers(data[:count], subgraph, 3, _result_type(limits, layers))
    weight, bias = _folded(given, layers)
    stride, pad, dilate, last = convolution_plan(
        image.shape, weight.shape, None, conv["kernel"], conv["stride"], conv["dilate"], conv["pad"],
        conv["num_filter"], conv["num_group"], conv["layout"],
    )  # fmt: skip
    if last:
        image, weight = channels_first_view(image), channels_first_view(weight)
    most = magnitude(data[count], data[count + 1])
    data_scale = ratio(STEPS[image.dtype], most)
    largest = (
        weight.abs().amax(tuple(range(1, weight.dim()))) if calibrated else weight.abs().amax().expand(weight.shape[0])
    )
    largest = torch.where(largest > 0, largest, torch.ones_like(largest))
    weight_scale = ratio(STEPS[torch.int8], largest)
    shape = (-1, *[1] * (weight.dim() - 1))
    integers = saturate(weight * weight_scale.reshape(shape), torch.int8)
    exact = sums.convolution(image, integers, stride, pad, dilate, conv["num_group"])
    channels = shape[:-1]
    if bias is not None:
        exact = exact + (bias * weight_scale * data_scale).round().to(torch.int32).reshape(channels)
    scales = (weight_scale * data_scale).reshape(channels)
    extra = None
    if with_sum:
        added = given["elemwise_add.rhs"]
        check_eight_bits(added=added)
        added = channels_first_view(added) if last else added
        extra = added, (data[count + 2], data[count + 3])
    if min_calib_range is not None and max_calib_range is not None:
        result, low, high = _finish(exact, scales, acts, extra, min_calib_range, max_calib_range)
    else:
        if extra is not None:
            steps = scales / ratio(STEPS[extra[0].dtype], magnitude(*extra[1]))
            exact = exact + (extra[0].to(torch.float32) * steps).round().to(torch.int32)
        result = (_apply(acts, exact.to(torch.float32) / scales) * scales).round().to(torch.int32) if acts else exact
        if acts and all(name == "Activation" for name, _ in acts):
            result = exact.clamp(min=0)
        low, high = _sum_range(most, largest.amax(), torch.int8 if image.dtype is torch.int8 else torch.uint8)
    return (channels_last_view(result) if last else result), low, high


def _folded(given: dict[str, Tensor], layers: Sequence[Layer]) -> tuple[Tensor, Tensor | None]:
    """Weight and bias of a convolution with those of the batch norm that follows it."""
    weight, bias = given["Convolution.weight"], given.get("Convolution.bias")
    norm = _layer(layers, ["BatchNorm"])
    if norm is None:
        return weight, bias
    gamma, beta, mean, variance = (given[f"BatchNorm.{n}"] for n in ("gamma", "beta", "moving_mean", "moving_var"))
    if norm["fix_gamma"]:
        gamma = torch.ones_like(gamma)
    factor = gamma / torch.sqrt(variance + norm["eps"])
    shift = beta - mean * factor if bias is None else beta + (bias - mean) * factor
    return weight * factor.reshape(-1, *[1] * (weight.dim() - 1)), shift


@op(
    DENSE,
    outputs=_outputs,
    output_names=("output", "min_output", "max_output"),
    gradient_takes="head",
)
def fused_dense(
    *data: Tensor,
    quantized: bool = False,
    enable_float_output: bool = False,
    with_eltwise: bool = False,
    channel_wise_quantize: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    _subgraphs: list[Any],
    _train: bool,
) -> Any:
    """A dense layer with a function of its results.

    ``quantized``: data, weight and bias are integers, followed by their ranges; or, with ``channel_wise_quantize``,
    only data is, and the weight is rounded to int8 with a scale for each row.
    """
    subgraph = _subgraphs[0]
    if not quantized:
        return tuple(subgraph(data, _train))
    layers: Sequence[Layer] = subgraph.layers
    dense = _layer(layers, ["FullyConnected"])
    if dense is None:
        raise ValueError("its subgraph has no FullyConnected")
    count = len(subgraph.inputs)
    expected = count + (2 if channel_wise_quantize else 2 * count)
    if len(data) != expected:
        raise ValueError(f"it takes {expected} inputs, ranges included, got {len(data)}")
    given = dict(zip(subgraph.inputs, data[:count], strict=True))
    values, weight, bias = (given.get(f"FullyConnected.{n}") for n in ("data", "weight", "bias"))
    assert values is not None
    assert weight is not None
    check_eight_bits(data=values)
    check_ranges(**{f"range {i}": each for i, each in enumerate(data[count:])})
    acts = _activations(layers)
    if values.is_meta:
        limits = {"min_calib_range": min_calib_range, "max_calib_range": max_calib_range}
        kind = torch.float32 if enable_float_output else _result_type(limits, layers)
        return _without_numbers(data[:count], subgraph, 1 if enable_float_output else 3, kind)
    if dense["flatten"]:
        values = values.flatten(1)
    most = magnitude(data[count], data[count + 1])
    data_scale = ratio(STEPS[values.dtype], most)
    if channel_wise_quantize:
        largest = weight.abs().amax(1)
        largest = torch.where(largest > 0, largest, torch.ones_like(largest))
        weight_scale = ratio(STEPS[torch.int8], largest)
        weight = saturate(weight * weight_scale.unsqueeze(1), torch.int8)
        added = None if bias is None else (bias * weight_scale * data_scale).round().to(torch.int32)
    else:
        if weight.dtype is not torch.int8:
            raise TypeError(f"weight must be int8, it is {NAME_OF[weight.dtype]}")
        largest = magnitude(data[count + 2], data[count + 3])
        weight_scale = ratio(STEPS[torch.int8], largest)
        added = None
        if bias is not None:
            own = ratio(STEPS[torch.int8], magnitude(data[count + 4], data[count + 5]))
            added = (bias.to(torch.float32) * (data_scale * weight_scale / own)).round().to(torch.int32)
    exact = sums.product(values.reshape(-1, values.shape[-1]), weight).reshape(*values.shape[:-1], weight.shape[0])
    if added is not None:
        exact = exact + added
    scales = data_scale * weight_scale
    if enable_float_output:
        return _apply(acts, exact.to(torch.float32) / scales)
    if min_calib_range is not None and max_calib_range is not None:
        return _finish(exact, scales, acts, None, min_calib_range, max_calib_range)
    if acts:
        relu = all(name == "Activation" for name, _ in acts)
        exact = exact.clamp(min=0) if relu else (_apply(acts, exact.float() / scales) * scales).round().to(torch.int32)
    return exact, *_sum_range(most, largest.amax(), values.dtype)


def quantized_types(
    dtypes: Sequence[torch.dtype | None], attrs: dict[str, Any], layers: Sequence[Layer]
) -> tuple[list[torch.dtype | None], list[torch.dtype | None]]:
    """The types of inputs, as far as they are told by the others, and of outputs of a quantized node."""
    found = list(dtypes)
    if "enable_float_output" in attrs:  # a dense layer
        count = len(found) - 2 if attrs["channel_wise_quantize"] else len(found) // 3
        weights = torch.float32 if attrs["channel_wise_quantize"] else torch.int8
        unknown = {0}
    else:
        count = len(found) - (4 if attrs["with_sum"] else 2)
        weights = torch.float32
        unknown = {0, count - 1} if attrs["with_sum"] else {0}
    for place, dtype in enumerate(found):
        if place not in unknown:
            found[place] = dtype or (weights if place < count else torch.float32)
    if attrs.get("enable_float_output"):
        return found, [torch.float32]
    return found, [_result_type(attrs, layers), torch.float32, torch.float32]


def _result_type(attrs: dict[str, Any], layers: Sequence[Layer]) -> torch.dtype:
    if attrs["min_calib_range"] is None or attrs["max_calib_range"] is None:
        return torch.int32
    return torch.uint8 if _only_positive(_activations(layers)) else torch.int8
