"""Layers that are one node with a subgraph: a convolution or a dense layer with what follows it, self-attention.

With floats the subgraph is run. With integers its nodes say what to compute: exact sums, and one rounding at the end.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from ..._core.dtypes import NAME_OF
from ..._core.memory import Snapshot
from ..contrib.attention import interleaved_matmul_selfatt_valatt, split_heads
from ..nn.convolution import convolution_plan
from ..nn.layout import channels_first_view, channels_last_view
from ..registry import get, op
from ..support import without_data
from ..types import Attrs, Keywords
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
    number_of,
    ratio,
    saturate,
    saturate_scaled,
    steps_of,
    symmetric,
)

Tensor = torch.Tensor
#: The operator of a node of the subgraph, and its attributes.
Layer = tuple[str, Keywords]
CONV, DENSE = "_sg_mkldnn_conv", "_sg_mkldnn_fully_connected"
#: The two products of self-attention.
SCORES, MIXTURE = "_sg_mkldnn_selfatt_qk", "_sg_mkldnn_selfatt_valatt"


def _outputs(attrs: Attrs) -> int:
    return 3 if attrs["quantized"] and not attrs.get("enable_float_output") else 1


def _layer(layers: Sequence[Layer], names: Sequence[str]) -> Keywords | None:
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


@dataclass(frozen=True)
class _Prepared:
    """What is made of a layer's parameters for data in certain steps."""

    weight: sums.Weight
    #: How many steps of the sums one is.
    scales: Tensor
    #: The greatest magnitude of the weight, for each output.
    largest: Tensor
    #: What ``scale`` has made.
    _made: dict[float, Tensor] = field(default_factory=dict)

    def scale(self, unit: float) -> Tensor:
        """What sums are multiplied by for ``unit`` to be one."""
        if unit not in self._made:
            self._made[unit] = ratio(unit, self.scales)
        return self._made[unit]


def _prepare_once(
    subgraph: Any, tensors: Sequence[Tensor | None], key: Any, make: Callable[[], _Prepared]
) -> _Prepared:
    """What was made before, if nobody wrote to these parameters since."""
    found = subgraph.kept
    if found is not None and found[1] == key and found[0].holds(tensors):
        return found[2]
    made = make()
    snapshot = Snapshot.of(tensors)
    subgraph.kept = None if snapshot is None else (snapshot, key, made)
    return made


def _integers(weight: Tensor, bias: Tensor | None, data_scale: float, each: bool) -> _Prepared:
    """A weight of floats as int8, with a scale for ``each`` output or one for all."""
    largest = weight.abs().amax(tuple(range(1, weight.dim())))
    if not each:
        largest = largest.amax().expand_as(largest)
    weight_scale = ratio(STEPS[torch.int8], torch.where(largest > 0, largest, torch.ones_like(largest)))
    integers = saturate(weight * weight_scale.reshape(-1, *[1] * (weight.dim() - 1)), torch.int8)
    added = None if bias is None else (bias * weight_scale * data_scale).round()
    return _Prepared(sums.Weight(integers, added), weight_scale * data_scale, largest)


def _finish(
    compute: Callable[..., Tensor],
    prepared: _Prepared,
    layers: Sequence[Layer],
    extra: tuple[Tensor, np.float32] | None,
    low: float,
    high: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """What ``compute`` makes, a convolution or a product, as 8-bit integers in a range; filters are axis 1."""
    kind = torch.uint8 if _only_positive(layers) else torch.int8
    out = steps_of(max(abs(np.float32(low)), abs(np.float32(high))), kind)
    bounds = _bounds(layers)
    unit = np.float32(1) if bounds is None else out
    other, step = None, np.float32(0)
    if extra is not None:
        other, step = extra[0], unit / steps_of(extra[1], extra[0].dtype)
    scale = prepared.scale(float(unit))
    if bounds is not None:
        least, most = (float(np.float32(b) * out) for b in bounds)
        result = compute(sums.Rounding(scale, least, most, kind, other, float(step)))
    else:
        exact = compute()
        values = exact.to(torch.float32) * sums.over_axis(scale, exact, 1)
        if other is not None:
            values = values + other.to(torch.float32) * float(step)
        result = saturate(_apply(layers, values) * float(out), kind)
    return result, *new_range(result, low, high)


def _bounds(layers: Sequence[Layer]) -> tuple[float, float] | None:
    """The bounds that activations cut at, if they do nothing else."""
    least, most = -math.inf, math.inf
    for name, attrs in layers:
        if name == "Activation" and attrs["act_type"] == "relu":
            least = max(least, 0.0)
        elif name == "clip":
            least, most = max(least, attrs["a_min"]), min(most, attrs["a_max"])
        else:
            return None
    return least, most


def _sum_range(data: Tensor, weight: Tensor, kind: torch.dtype) -> tuple[Tensor, Tensor]:
    return symmetric((data / LIMITS[kind]) * (weight / LIMITS[torch.int8]) * INT32_LIMIT)


def _without_numbers(data: Sequence[Tensor], subgraph: Any, outputs: int, dtype: torch.dtype) -> Any:
    """The result on the meta device: the subgraph tells its shape."""
    floats = [without_data(each, dtype=torch.float32) for each in data]
    result = without_data(subgraph(floats, False)[0], dtype=dtype)
    return result if outputs == 1 else (result, *empty_range(result))


@op(CONV, outputs=_outputs, output_names=("output", "output_min", "output_max"))
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
    image = given["Convolution.data"]
    check_eight_bits(data=image)
    check_ranges(**{f"range {i}": each for i, each in enumerate(data[count:])})
    calibrated = min_calib_range is not None and max_calib_range is not None
    acts = _activations(layers)
    if image.is_meta:
        limits = {"min_calib_range": min_calib_range, "max_calib_range": max_calib_range}
        return _without_numbers(data[:count], subgraph, 3, _result_type(limits, layers))
    most = number_of(data[count], data[count + 1])
    data_scale = steps_of(most, image.dtype)
    if not most:  # calibration has seen nothing but zeros
        image = torch.zeros_like(image)
    parameters = [each for name, each in given.items() if name not in ("Convolution.data", "elemwise_add.rhs")]

    def prepare() -> _Prepared:
        weight, bias = _fold(given, layers)
        return _integers(channels_first_view(weight) if last else weight, bias, float(data_scale), calibrated)

    stride, pad, dilate, last = convolution_plan(
        image.shape, given["Convolution.weight"].shape, None, conv["kernel"], conv["stride"], conv["dilate"],
        conv["pad"], conv["num_filter"], conv["num_group"], conv["layout"],
    )  # fmt: skip
    prepared = _prepare_once(subgraph, parameters, (float(data_scale), calibrated), prepare)
    image = channels_first_view(image) if last else image
    geometry = sums.Geometry(stride, pad, dilate, conv["num_group"])
    compute = functools.partial(prepared.weight.convolve, image, geometry)
    extra = None
    if with_sum:
        added = given["elemwise_add.rhs"]
        check_eight_bits(added=added)
        own = number_of(data[count + 2], data[count + 3])
        extra = (channels_first_view(added) if last else added, own) if own else None
    if min_calib_range is not None and max_calib_range is not None:
        result, low, high = _finish(compute, prepared, acts, extra, min_calib_range, max_calib_range)
    else:
        result = _add_sum(compute(), prepared, acts, extra)
        low, high = _sum_range(magnitude(data[count], data[count + 1]), prepared.largest.amax(), image.dtype)
    return (channels_last_view(result) if last else result), low, high


def _add_sum(
    exact: Tensor, prepared: _Prepared, acts: Sequence[Layer], extra: tuple[Tensor, np.float32] | None
) -> Tensor:
    """Sums of 32 bits with what is added, and activation."""
    scales = sums.over_axis(prepared.scales, exact, 1)
    if extra is not None:
        steps = scales / float(steps_of(extra[1], extra[0].dtype))
        exact = exact + (extra[0].to(torch.float32) * steps).round().to(exact.dtype)
    if _bounds(acts) not in ((0.0, math.inf), (-math.inf, math.inf)):
        exact = (_apply(acts, exact.to(torch.float32) / scales) * scales).round()
    elif acts:
        exact = exact.clamp(min=0)
    return exact if exact.dtype is torch.int32 else exact.clamp(-INT32_LIMIT - 1, INT32_LIMIT).to(torch.int32)


def _fold(given: dict[str, Tensor], layers: Sequence[Layer]) -> tuple[Tensor, Tensor | None]:
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


@op(DENSE, outputs=_outputs, output_names=("output", "min_output", "max_output"))
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
    most = number_of(data[count], data[count + 1])
    data_scale = steps_of(most, values.dtype)
    if not most:
        values = torch.zeros_like(values)
    if not channel_wise_quantize and weight.dtype is not torch.int8:
        raise TypeError(f"weight must be int8, it is {NAME_OF[weight.dtype]}")

    def prepare() -> _Prepared:
        assert weight is not None
        if channel_wise_quantize:
            return _integers(weight, bias, float(data_scale), not whole)
        largest = magnitude(data[count + 2], data[count + 3]).expand(weight.shape[0])
        scales = ratio(STEPS[torch.int8], largest) * float(data_scale)
        added = None
        if bias is not None:
            own = ratio(STEPS[torch.int8], magnitude(data[count + 4], data[count + 5]))
            added = (bias.to(torch.float32) * (scales / own)).round()
        return _Prepared(sums.Weight(weight, added), scales, largest)

    whole = not enable_float_output and min_calib_range is None
    prepared = _prepare_once(subgraph, [weight, bias, *data[count + 2 :]], float(data_scale), prepare)
    compute = functools.partial(prepared.weight.product, values.reshape(-1, values.shape[-1]))
    shape = *values.shape[:-1], weight.shape[0]
    if enable_float_output:
        return _apply(acts, (compute().to(torch.float32) / prepared.scales).reshape(shape))
    if min_calib_range is not None and max_calib_range is not None:
        result, low, high = _finish(compute, prepared, acts, None, min_calib_range, max_calib_range)
    else:
        low, high = _sum_range(magnitude(data[count], data[count + 1]), prepared.largest.amax(), values.dtype)
        result = _add_sum(compute(), prepared, acts, None)
    return result.reshape(shape), low, high


def _score_sums(projections: Tensor, heads: int) -> tuple[Tensor, float]:
    """Queries times keys, exact, and how many of these are one."""
    query, key = (split_heads(projections, heads, 3, part, "queries_keys_values") for part in (0, 1))
    size = query.shape[2]
    kind = sums.exact_floats(size * 128 * 128)
    return torch.bmm(query.to(kind), key.to(kind).transpose(1, 2)), math.sqrt(size) if size else 1.0


def _mixture_sums(projections: Tensor, attention: Tensor, heads: int) -> tuple[Tensor, float]:
    kind = sums.exact_floats(attention.shape[-1] * 255 * 128)
    return interleaved_matmul_selfatt_valatt.kernel(projections.to(kind), attention.to(kind), heads=heads), 1.0


def _attention(
    multiply: Callable[..., tuple[Tensor, float]],
    data: Sequence[Tensor],
    subgraph: Any,
    train: bool,
    heads: int,
    quantized: bool = False,
    enable_float_output: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> Any:
    """One of the products of self-attention, by exact sums if it is quantized."""
    if not quantized:
        return tuple(subgraph(data, train))
    count = len(subgraph.inputs)
    if len(data) != 3 * count:
        raise ValueError(f"it takes {3 * count} inputs, ranges included, got {len(data)}")
    values, ranges = data[:count], data[count:]
    check_eight_bits(**dict(zip(("queries_keys_values", "attention"), values, strict=False)))
    check_ranges(**{f"range {i}": each for i, each in enumerate(ranges)})
    low, high = min_calib_range, max_calib_range
    if values[0].is_meta:
        limits = {"min_calib_range": low, "max_calib_range": high}
        kind = torch.float32 if enable_float_output else _result_type(limits, subgraph.layers)
        return _without_numbers(values, subgraph, 1 if enable_float_output else 3, kind)
    exact, unit = multiply(*values, heads=heads)
    most = [number_of(*ranges[2 * i : 2 * i + 2]) for i in range(count)]
    if not all(most):  # calibration has seen nothing but zeros
        exact = torch.zeros_like(exact)
    if multiply is _score_sums:  # one range for both factors
        values, most = [values[0]] * 2, most * 2
    scale = math.prod(float(steps_of(m, v.dtype)) for m, v in zip(most, values, strict=True)) * unit
    if enable_float_output:
        return (exact / scale).to(torch.float32)
    if low is not None and high is not None:
        step = steps_of(max(abs(np.float32(low)), abs(np.float32(high))), torch.int8)
        factor = torch.tensor(float(step) / scale, dtype=torch.float32)
        return saturate_scaled(exact.to(torch.float32), factor, torch.int8), *new_range(exact, low, high)
    limit = math.prod(float(m) / LIMITS[v.dtype] for m, v in zip(most, values, strict=True)) * INT32_LIMIT
    found = exact if unit == 1 else (exact / unit).round()
    return found.to(torch.int32), *new_range(exact, -limit, limit)


@op(SCORES, outputs=_outputs, output_names=("output", "min_output", "max_output"))
def fused_scores(
    *data: Tensor,
    heads: int,
    quantized: bool = False,
    enable_float_output: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    _subgraphs: list[Any],
    _train: bool,
) -> Any:
    """Scores of self-attention from an interleaved projection; ``quantized``: from integers, followed by their range.

    Gives int8 if the range of the result is known, floats with ``enable_float_output``, else sums of 32 bits.
    """
    more = heads, quantized, enable_float_output, min_calib_range, max_calib_range
    return _attention(_score_sums, data, _subgraphs[0], _train, *more)


@op(MIXTURE, like=fused_scores, outputs=_outputs, output_names=("output", "min_output", "max_output"))
def fused_mixture(*data: Tensor, _subgraphs: list[Any], _train: bool, **attrs: Any) -> Any:
    """Values of an interleaved projection weighted by attention; integers are followed by both ranges.

    What it gives is as in ``_sg_mkldnn_selfatt_qk``.
    """
    return _attention(_mixture_sums, data, _subgraphs[0], _train, **attrs)


def quantized_types(
    dtypes: Sequence[torch.dtype | None], attrs: Attrs, layers: Sequence[Layer]
) -> tuple[list[torch.dtype | None], list[torch.dtype | None]]:
    """The types of inputs, as far as they follow from the others, and of outputs of a quantized node."""
    found = list(dtypes)
    weights: torch.dtype | None = None
    if "heads" in attrs:  # self-attention
        count = len(found) // 3
        unknown = set(range(count))
    elif "enable_float_output" in attrs:  # a dense layer
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


def _result_type(attrs: Attrs, layers: Sequence[Layer]) -> torch.dtype:
    if attrs["min_calib_range"] is None or attrs["max_calib_range"] is None:
        return torch.int32
    return torch.uint8 if _only_positive(_activations(layers)) else torch.int8
