"""Layers of 8-bit integers. Each gives its result, and the least and greatest value that this stands for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import torch

from ..._core.dtypes import NAME_OF
from ..infer import unify
from ..nn.convolution import convolution, convolution_plan
from ..nn.dense import fully_connected
from ..nn.layout import channels_first_view, channels_last_view, window_counts
from ..nn.pooling import max_of_integers, pooling
from ..params import Count
from ..registry import op
from ..support import as_index, normalize_axis, without_data
from ..types import Attrs, Dtypes, Shapes
from . import sums
from .ranges import (
    INT32_LIMIT,
    LIMITS,
    STEPS,
    check_eight_bits,
    check_ranges,
    empty_range,
    fill_shapes,
    fill_types,
    magnitude,
    new_range,
    ratio,
    saturate,
    symmetric,
)

Tensor = torch.Tensor
Three = tuple[Tensor, Tensor, Tensor]
_OUTPUTS = ("output", "min_output", "max_output")
_RANGE = ("min_data", "max_data")
_WEIGHT_RANGE = ("min_weight", "max_weight")
_BIAS_RANGE = ("min_bias", "max_bias")


def _weights_active(attrs: Attrs) -> tuple[str, ...]:
    if attrs["no_bias"]:
        return ("data", "weight", *_RANGE, *_WEIGHT_RANGE)
    return ("data", "weight", "bias", *_RANGE, *_WEIGHT_RANGE, *_BIAS_RANGE)


def _weights_type(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    fill_types(dtypes, ("weight", "bias"), torch.int8)
    fill_types(dtypes, (*_RANGE, *_WEIGHT_RANGE, *_BIAS_RANGE))
    return [torch.int32, torch.float32, torch.float32]


@dataclass(frozen=True)
class _Weights:
    """The inputs of a layer after data and weight: as in MXNet, they count without those that were left out."""

    bias: Tensor | None
    data_range: tuple[Tensor, Tensor]
    weight_range: tuple[Tensor, Tensor]
    bias_range: tuple[Tensor, Tensor] | None


def _checked_weights(data: Tensor, weight: Tensor, no_bias: bool, rest: tuple[Tensor | None, ...]) -> _Weights:
    given = [each for each in rest if each is not None]
    names = _weights_active({"no_bias": no_bias})[2:]
    if len(given) != len(names):
        raise ValueError(f"with no_bias={no_bias} it takes {', '.join(names)} after data and weight, got {len(given)}")
    check_eight_bits(data=data)
    bias = None if no_bias else given.pop(0)
    for name, tensor in (("weight", weight), ("bias", bias)):
        if tensor is not None and tensor.dtype is not torch.int8 and not tensor.is_meta:
            raise TypeError(f"{name} must be int8, it is {NAME_OF[tensor.dtype]}")
    check_ranges(**dict(zip(names[len(names) - len(given) :], given, strict=True)))
    return _Weights(bias, (given[0], given[1]), (given[2], given[3]), None if no_bias else (given[4], given[5]))


def _of_products(data: Tensor, other: Tensor, kind: torch.dtype) -> tuple[Tensor, Tensor]:
    """The range of int32 for products of numbers of these magnitudes."""
    steps = (data / LIMITS[kind]) * (other / LIMITS[torch.int8])
    return symmetric(steps * INT32_LIMIT)


def _rescaled_bias(bias: Tensor, data: Tensor, weight: Tensor, own: Tensor, kind: torch.dtype) -> Tensor:
    """A bias of int8 in the steps of the products; fractions are cut off."""
    steps = ratio(STEPS[kind], data) * (ratio(STEPS[torch.int8], weight))
    return (bias.to(torch.float32) * (steps / ratio(STEPS[torch.int8], own))).to(torch.int32)


@op(
    "_contrib_quantized_conv",
    outputs=3,
    output_names=_OUTPUTS,
    active=_weights_active,
    gradient="zero",
    required=2,
    like=convolution,
)
def quantized_conv(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    min_data: Tensor | None = None,
    max_data: Tensor | None = None,
    min_weight: Tensor | None = None,
    max_weight: Tensor | None = None,
    min_bias: Tensor | None = None,
    max_bias: Tensor | None = None,
    *,
    no_bias: bool = False,
    **attrs: Any,
) -> Three:
    """``Convolution`` of 8-bit integers: exact sums as int32.

    As in MXNet, a bias is added unchanged to the sums of uint8, and to those of int8 (which MXNet refuses on CPUs) in
    their steps; the range is that of int8 for both. Networks of
    ``quantize_net`` have fused nodes instead.
    """
    rest = (bias, min_data, max_data, min_weight, max_weight, min_bias, max_bias)
    given = _checked_weights(data, weight, no_bias, rest)
    bias = given.bias
    shapes = data.shape, weight.shape, None if bias is None else bias.shape
    attrs = convolution.with_defaults(attrs)
    kernel, num_filter, num_group = attrs["kernel"], attrs["num_filter"], attrs["num_group"]
    window = kernel, attrs["stride"], attrs["dilate"], attrs["pad"]
    stride, pad, dilate, last = convolution_plan(*shapes, *window, num_filter, num_group, attrs["layout"])
    if last:
        data, weight = channels_first_view(data), channels_first_view(weight)
    if data.is_meta:
        found = window_counts(data.shape[2:], kernel, stride, pad, dilate)
        result = without_data(data, (data.shape[0], num_filter, *found), torch.int32)
        return (channels_last_view(result) if last else result), *empty_range(data)
    result = sums.weight_of(weight).convolve(data, sums.Geometry(stride, pad, dilate, num_group))
    most, other = magnitude(*given.data_range), magnitude(*given.weight_range)
    if bias is not None:
        if data.dtype is torch.int8:
            assert given.bias_range is not None
            bias = _rescaled_bias(bias, most, other, magnitude(*given.bias_range), torch.int8)
        result += bias.to(torch.int32).reshape(-1, *[1] * len(kernel))
    return (channels_last_view(result) if last else result), *_of_products(most, other, torch.int8)


quantized_conv.check(convolution.rules["check"])
quantized_conv.infer_dtype(_weights_type)


@quantized_conv.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    fill_shapes(shapes, (*_RANGE, *_WEIGHT_RANGE, *_BIAS_RANGE))
    convolution.rules["args"](shapes, attrs)


@op(
    "_contrib_quantized_fully_connected",
    outputs=3,
    output_names=_OUTPUTS,
    active=_weights_active,
    gradient="zero",
    required=2,
)
def quantized_fully_connected(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    min_data: Tensor | None = None,
    max_data: Tensor | None = None,
    min_weight: Tensor | None = None,
    max_weight: Tensor | None = None,
    min_bias: Tensor | None = None,
    max_bias: Tensor | None = None,
    *,
    num_hidden: Count,
    no_bias: bool = False,
    flatten: bool = True,
) -> Three:
    """``FullyConnected`` of 8-bit integers: exact sums as int32. The bias is brought to their steps, towards zero."""
    rest = (bias, min_data, max_data, min_weight, max_weight, min_bias, max_bias)
    given = _checked_weights(data, weight, no_bias, rest)
    bias = given.bias
    if flatten and data.dim() != 2:
        data = data.unsqueeze(1) if data.dim() == 1 else data.flatten(1)
    expected = (num_hidden, data.shape[-1])
    if tuple(weight.shape) != expected:
        raise ValueError(f"weight must have shape {expected}, got {tuple(weight.shape)}")
    if bias is not None and tuple(bias.shape) != (num_hidden,):
        raise ValueError(f"bias must have shape {(num_hidden,)}, got {tuple(bias.shape)}")
    if data.is_meta:
        return without_data(data, (*data.shape[:-1], num_hidden), torch.int32), *empty_range(data)
    most, other = magnitude(*given.data_range), magnitude(*given.weight_range)
    result = sums.weight_of(weight).product(data.reshape(-1, data.shape[-1]))
    result = result.reshape(*data.shape[:-1], num_hidden)
    if bias is not None:
        assert given.bias_range is not None
        result += _rescaled_bias(bias, most, other, magnitude(*given.bias_range), data.dtype)
    return result, *_of_products(most, other, data.dtype)


quantized_fully_connected.infer_dtype(_weights_type)


@quantized_fully_connected.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    fill_shapes(shapes, (*_RANGE, *_WEIGHT_RANGE, *_BIAS_RANGE))
    fully_connected.rules["args"](shapes, attrs)


# ---- what does not change the steps --------------------------------------------------------------------------------


def _ranges_of_data(shapes: Shapes, attrs: Attrs) -> None:
    fill_shapes(shapes, _RANGE)


def _type_of_data(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    fill_types(dtypes, _RANGE)
    return [dtypes["data"], torch.float32, torch.float32]


def _same_range(result: Tensor, low: Tensor, high: Tensor) -> Three:
    if result.is_meta:
        return result, *empty_range(result)
    return result, low.reshape(1).clone(), high.reshape(1).clone()


@op("_contrib_quantized_pooling", outputs=3, output_names=_OUTPUTS, gradient="zero", like=pooling)
def quantized_pooling(data: Tensor, min_data: Tensor, max_data: Tensor, **attrs: Any) -> Three:
    """``Pooling`` of 8-bit images or volumes, maximum or average; an average is rounded."""
    check_eight_bits(data=data)
    check_ranges(min_data=min_data, max_data=max_data)
    kind = attrs.get("pool_type", "max")
    if kind not in ("max", "avg"):
        raise ValueError(f"pool_type must be max or avg, got {kind!r}")
    if data.dim() not in (4, 5):
        raise ValueError(f"data must have 4 or 5 dimensions, got {data.dim()}")
    if data.is_meta:
        shape = pooling.kernel(without_data(data, dtype=torch.float32), **attrs).shape
        return _same_range(without_data(data, shape), min_data, max_data)
    if kind == "max":
        needed = ("kernel", "global_pool", "pooling_convention", "stride", "pad", "layout")
        result = max_of_integers(data, **{key: attrs[key] for key in needed if key in attrs})
        return _same_range(result, min_data, max_data)
    values = data.to(torch.float32)
    if attrs.get("count_include_pad") is False or attrs.get("global_pool"):
        result = saturate(pooling.kernel(values, **attrs), data.dtype)
    else:  # unlike Pooling's, an average divides by all of the kernel also where that extends beyond the padding
        total = pooling.kernel(values, **{**attrs, "pool_type": "sum"})
        result = saturate(total / math.prod(attrs["kernel"]), data.dtype)
    return _same_range(result, min_data, max_data)


quantized_pooling.check(pooling.rules["check"])
quantized_pooling.infer_args(_ranges_of_data)
quantized_pooling.infer_dtype(_type_of_data)


@op("_contrib_quantized_act", outputs=3, output_names=_OUTPUTS, gradient="zero")
def quantized_act(
    data: Tensor,
    min_data: Tensor,
    max_data: Tensor,
    *,
    act_type: Literal["relu", "sigmoid", "softrelu", "softsign", "tanh"],
) -> Three:
    """``Activation`` of 8-bit integers; only ``relu`` can be computed without leaving them."""
    check_eight_bits(data=data)
    check_ranges(min_data=min_data, max_data=max_data)
    if act_type != "relu":
        raise ValueError(f"act_type must be relu, got {act_type!r}: dequantize first")
    return _same_range(without_data(data) if data.is_meta else data.clamp(min=0), min_data, max_data)


quantized_act.infer_args(_ranges_of_data)
quantized_act.infer_dtype(_type_of_data)


@op("_contrib_quantized_flatten", outputs=3, output_names=_OUTPUTS, gradient="zero")
def quantized_flatten(data: Tensor, min_data: Tensor, max_data: Tensor) -> Three:
    """``Flatten`` of integers: all dimensions but the first become one."""
    check_ranges(min_data=min_data, max_data=max_data)
    shape = (data.shape[0], math.prod(data.shape[1:]))
    result = without_data(data, shape) if data.is_meta else data.reshape(shape).clone()
    return _same_range(result, min_data, max_data)


quantized_flatten.infer_args(_ranges_of_data)
quantized_flatten.infer_dtype(_type_of_data)


@op("_contrib_quantized_embedding", outputs=3, output_names=_OUTPUTS, gradient="zero")
def quantized_embedding(
    data: Tensor,
    weight: Tensor,
    min_weight: Tensor,
    max_weight: Tensor,
    *,
    input_dim: Count,
    output_dim: Count,
    dtype: torch.dtype = torch.float32,
    sparse_grad: bool = False,
) -> Three:
    """``Embedding`` with a weight of int8: the rows that ``data`` names; too small and too large ones are clipped."""
    check_ranges(min_weight=min_weight, max_weight=max_weight)
    if weight.dtype is not torch.int8 and not weight.is_meta:
        raise TypeError(f"weight must be int8, it is {NAME_OF[weight.dtype]}")
    if tuple(weight.shape) != (input_dim, output_dim):
        raise ValueError(f"weight must have shape {(input_dim, output_dim)}, got {tuple(weight.shape)}")
    if data.is_meta:
        return _same_range(without_data(data, (*data.shape, output_dim), torch.int8), min_weight, max_weight)
    return _same_range(weight[as_index(data).clamp(0, input_dim - 1)], min_weight, max_weight)


@quantized_embedding.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    shapes["weight"] = unify(shapes["weight"], (attrs["input_dim"], attrs["output_dim"]), "weight")
    fill_shapes(shapes, _WEIGHT_RANGE)


@quantized_embedding.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    fill_types(dtypes, ["weight"], torch.int8)
    fill_types(dtypes, ("data", *_WEIGHT_RANGE))
    return [torch.int8, torch.float32, torch.float32]


# ---- what brings its inputs to common steps ------------------------------------------------------------------------


def _common_type(*kinds: torch.dtype | None) -> torch.dtype | None:
    """int8, if any is, else uint8; None as long as that cannot be told."""
    if torch.int8 in kinds:
        return torch.int8
    return None if None in kinds else torch.uint8


@op("_contrib_quantized_concat", outputs=3, output_names=_OUTPUTS, gradient="zero")
def quantized_concat(*data: Tensor, num_args: Count, dim: int = 1) -> Three:
    """``Concat`` of ``num_args`` arrays of 8-bit integers, which least and greatest value of each follow.

    All of them are brought to the steps of the widest range. The result is int8 if any of them is.
    """
    if len(data) != 3 * num_args:
        raise ValueError(f"num_args={num_args} arrays come with as many pairs of ranges, got {len(data)} inputs")
    arrays, lows, highs = data[:num_args], data[num_args::2], data[num_args + 1 :: 2]
    for i, array in enumerate(arrays):
        check_eight_bits(**{f"data[{i}]": array})
        check_ranges(**{f"min of data[{i}]": lows[i], f"max of data[{i}]": highs[i]})
    axis = normalize_axis(dim, arrays[0].dim(), "dim")
    first = [n for i, n in enumerate(arrays[0].shape) if i != axis]
    if any([n for i, n in enumerate(each.shape) if i != axis] != first for each in arrays):
        raise ValueError(f"all dimensions but {dim} must be the same: {[tuple(each.shape) for each in arrays]}")
    kind = _common_type(*[each.dtype for each in arrays])
    assert kind is not None
    if arrays[0].is_meta:
        shape = list(arrays[0].shape)
        shape[axis] = sum(each.shape[axis] for each in arrays)
        return without_data(arrays[0], shape, kind), *empty_range(arrays[0])
    low = torch.stack([each.reshape(()) for each in lows]).amin().reshape(1)
    high = torch.stack([each.reshape(()) for each in highs]).amax().reshape(1)
    out = ratio(STEPS[kind], magnitude(low, high))
    parts = []
    for array, least, most in zip(arrays, lows, highs, strict=True):
        own = ratio(STEPS[array.dtype], magnitude(least, most))
        same = array.dtype is kind and bool(own == out)
        parts.append(array if same else saturate(array.to(torch.float32) * (out / own), kind))
    return torch.cat(parts, axis), low, high


@quantized_concat.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    names = list(shapes)
    fill_shapes(shapes, names[attrs["num_args"] :])


@quantized_concat.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    names, count = list(dtypes), attrs["num_args"]
    fill_types(dtypes, names[count:])
    return [_common_type(*[dtypes[n] for n in names[:count]]), torch.float32, torch.float32]


_SIDES = ("lhs_min", "lhs_max", "rhs_min", "rhs_max")


def _sides_shape(shapes: Shapes, attrs: Attrs) -> None:
    shape = unify(shapes["lhs"], shapes["rhs"], "rhs")
    shapes["lhs"] = shapes["rhs"] = shape
    if shape is not None:
        fill_shapes(shapes, _SIDES)


def _check_sides(lhs: Tensor, rhs: Tensor, **ranges: Tensor) -> None:
    check_eight_bits(lhs=lhs, rhs=rhs)
    if lhs.shape != rhs.shape:
        raise ValueError(f"lhs and rhs must have the same shape, got {tuple(lhs.shape)} and {tuple(rhs.shape)}")
    check_ranges(**ranges)


def _is_calibrated(attrs: Attrs) -> bool:
    return attrs["min_calib_range"] is not None and attrs["max_calib_range"] is not None


@op("_contrib_quantized_elemwise_add", outputs=3, output_names=_OUTPUTS, gradient="zero")
def quantized_elemwise_add(
    lhs: Tensor,
    rhs: Tensor,
    lhs_min: Tensor,
    lhs_max: Tensor,
    rhs_min: Tensor,
    rhs_max: Tensor,
    *,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> Three:
    """The sum of 8-bit integers: int32, or 8 bits where calibration has found a range (uint8 if both inputs are)."""
    _check_sides(lhs, rhs, lhs_min=lhs_min, lhs_max=lhs_max, rhs_min=rhs_min, rhs_max=rhs_max)
    calibrated = min_calib_range is not None and max_calib_range is not None
    kind = _common_type(lhs.dtype, rhs.dtype) if calibrated else torch.int32
    if lhs.is_meta:
        return without_data(lhs, dtype=kind), *empty_range(lhs)
    left, right = magnitude(lhs_min, lhs_max), magnitude(rhs_min, rhs_max)
    if min_calib_range is not None and max_calib_range is not None:
        assert kind is not None
        low, high = new_range(lhs, min_calib_range, max_calib_range)
        scale = ratio(STEPS[kind], magnitude(low, high))
    else:
        low, high = symmetric(left + right)
        scale = ratio(INT32_LIMIT, high.reshape(()))
    parts = []
    for side, most in ((lhs, left), (rhs, right)):
        factor = (most * scale) / STEPS[side.dtype]
        part = side.to(torch.float32) * factor
        if calibrated and side.dtype is not kind:  # uint8 beside int8 becomes int8 first, as in the original
            part = saturate(part, torch.int8).to(torch.float32)
        parts.append(part)
    total = parts[0] + parts[1]
    if kind is torch.int32:
        return total.round().to(torch.float64).clamp_(-INT32_LIMIT - 1, INT32_LIMIT).to(torch.int32), low, high
    assert kind is not None
    return saturate(total, kind), low, high


quantized_elemwise_add.infer_args(_sides_shape)


@quantized_elemwise_add.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    fill_types(dtypes, _SIDES)
    kind = _common_type(dtypes["lhs"], dtypes["rhs"]) if _is_calibrated(attrs) else torch.int32
    return [kind, torch.float32, torch.float32]


def _products(attrs: Attrs) -> int:
    return 1 if attrs["enable_float_output"] else 3


@op("_contrib_quantized_elemwise_mul", outputs=_products, output_names=_OUTPUTS, gradient="zero")
def quantized_elemwise_mul(
    lhs: Tensor,
    rhs: Tensor,
    lhs_min: Tensor,
    lhs_max: Tensor,
    rhs_min: Tensor,
    rhs_max: Tensor,
    *,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    enable_float_output: bool = False,
) -> Three | Tensor:
    """The product of arrays of int8: int32, or floats, or int8 where calibration has found a range (towards 0)."""
    _check_sides(lhs, rhs, lhs_min=lhs_min, lhs_max=lhs_max, rhs_min=rhs_min, rhs_max=rhs_max)
    for name, side in (("lhs", lhs), ("rhs", rhs)):
        if side.dtype is not torch.int8 and not side.is_meta:
            raise TypeError(f"{name} must be int8, it is {NAME_OF[side.dtype]}")
    calibrated = min_calib_range is not None and max_calib_range is not None
    if lhs.is_meta:
        kind = torch.float32 if enable_float_output else torch.int8 if calibrated else torch.int32
        return (
            without_data(lhs, dtype=kind) if enable_float_output else (without_data(lhs, dtype=kind), *empty_range(lhs))
        )
    left, right = magnitude(lhs_min, lhs_max), magnitude(rhs_min, rhs_max)
    step = STEPS[torch.int8]
    scale = (left / step) * (right / step)
    found = lhs.to(torch.int32) * rhs.to(torch.int32)
    if enable_float_output:
        return found.to(torch.float32) * scale
    if min_calib_range is not None and max_calib_range is not None:
        low, high = new_range(lhs, min_calib_range, max_calib_range)
        scaled = found.to(torch.float32) * (scale * ratio(step, magnitude(low, high)))
        return scaled.trunc().clamp_(-128, 127).to(torch.int8), low, high
    return found, *_of_products(left, right, torch.int8)


quantized_elemwise_mul.infer_args(_sides_shape)


@quantized_elemwise_mul.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    fill_types(dtypes, ("lhs", "rhs"), torch.int8)
    fill_types(dtypes, _SIDES)
    if attrs["enable_float_output"]:
        return [torch.float32]
    return [torch.int8 if _is_calibrated(attrs) else torch.int32, torch.float32, torch.float32]


@op(
    "_contrib_quantized_batch_norm",
    outputs=3,
    output_names=_OUTPUTS,
    gradient="zero",
    aux=("moving_mean", "moving_var"),
)
def quantized_batch_norm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    min_data: Tensor,
    max_data: Tensor,
    *,
    eps: float = 0.0010000000474974513,
    momentum: float = 0.899999976,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> Three:
    """``BatchNorm`` of 8-bit integers by the moving averages, as int8 in the range that calibration has found.

    ``gamma`` counts even with ``fix_gamma``.
    """
    check_eight_bits(data=data)
    check_ranges(min_data=min_data, max_data=max_data)
    if min_calib_range is None or max_calib_range is None:
        raise ValueError("min_calib_range and max_calib_range must be given: it needs calibration (calib_mode naive)")
    place = normalize_axis(axis, data.dim())
    states = {"gamma": gamma, "beta": beta, "moving_mean": moving_mean, "moving_var": moving_var}
    for name, state in states.items():
        if tuple(state.shape) != (data.shape[place],):
            raise ValueError(f"{name} must have shape {(data.shape[place],)}, got {tuple(state.shape)}")
    if data.is_meta:
        return without_data(data, dtype=torch.int8), *empty_range(data)
    low, high = new_range(data, min_calib_range, max_calib_range)
    scale_in = magnitude(min_data, max_data) / STEPS[data.dtype]
    scale_out = ratio(STEPS[torch.int8], magnitude(low, high))
    if data.dtype is torch.uint8:
        scale_in = magnitude(min_data, max_data) / STEPS[torch.int8]
        data = saturate(data.to(torch.float32) * (STEPS[torch.int8] / STEPS[torch.uint8]), torch.int8)
    factor = gamma / torch.sqrt(moving_var + eps)
    shift = beta - moving_mean * factor
    shape = [-1 if i == place else 1 for i in range(data.dim())]
    # The original has its kernel normalize what is normalized already: by a variance of 1, and eps once more.
    slope = factor * scale_in * scale_out / (1 + eps) ** 0.5
    found = data.to(torch.float32) * slope.reshape(shape) + (shift * scale_out).reshape(shape)
    return saturate(found, torch.int8), low, high


@quantized_batch_norm.infer_args
def _(shapes: Shapes, attrs: Attrs) -> None:
    fill_shapes(shapes, _RANGE)
    data = shapes["data"]
    if data is not None:
        count = data[normalize_axis(attrs["axis"], len(data))]
        for name in ("gamma", "beta", "moving_mean", "moving_var"):
            shapes[name] = unify(shapes[name], (count,), name)


@quantized_batch_norm.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    fill_types(dtypes, ("gamma", "beta", "moving_mean", "moving_var", *_RANGE))
    return [torch.int8, torch.float32, torch.float32]
