"""Floats to 8-bit integers and back: quantize, quantize_v2, quantize_asym, dequantize, requantize."""

from __future__ import annotations

from typing import Literal

import torch

from ..._core.dtypes import NAME_OF
from ..registry import op
from ..support import without_data
from ..types import Attrs, Dtypes, Keywords
from .ranges import (
    INT32_LIMIT,
    LIMITS,
    STEPS,
    check_eight_bits,
    check_ranges,
    choose_type,
    empty_range,
    fill_shapes,
    fill_types,
    magnitude,
    new_range,
    ratio,
    saturate,
    saturate_scaled,
    symmetric,
)

Tensor = torch.Tensor
_RANGE = ("min_range", "max_range")


def _check_float(data: Tensor, *more: torch.dtype) -> None:
    if data.dtype not in (torch.float32, *more) and not data.is_meta:
        raise TypeError(f"data must be float32, it is {NAME_OF[data.dtype]}; convert it with astype()")


def _check_not_empty(data: Tensor) -> None:
    if not data.numel():
        raise ValueError(f"an array of shape {tuple(data.shape)} has no elements to take a range from")


def _range_of(data: Tensor) -> tuple[Tensor, Tensor]:
    """The least and the greatest number; what is no number does not count."""
    low, high = torch.aminmax(data.detach())
    if torch.isnan(low):
        low, high = torch.aminmax(torch.where(torch.isnan(data), 0.0, data.detach()))
    return low.reshape(1), high.reshape(1)


@op("_contrib_quantize", outputs=3, gradient="zero")
def quantize(
    data: Tensor, min_range: Tensor, max_range: Tensor, *, out_type: Literal["int8", "uint8"] = "uint8"
) -> tuple[Tensor, Tensor, Tensor]:
    """float32 as 8-bit integers, by a range that is given: ``data * 127 / max(abs(range))``, or 255 for uint8.

    Gives the integers, and the range that they stand for: for int8 it is symmetric.
    """
    _check_float(data)
    check_ranges(min_range=min_range, max_range=max_range)
    kind = choose_type(out_type, None, None)
    if data.is_meta:
        return without_data(data, dtype=kind), *empty_range(data)
    most = magnitude(min_range, max_range)
    found = saturate_scaled(data, ratio(LIMITS[kind], most), kind)
    if kind is torch.int8:
        return found, *symmetric(most)
    return found, min_range.reshape(1).clone(), max_range.reshape(1).clone()


@quantize.infer_args
def _(shapes: Keywords, attrs: Attrs) -> None:
    fill_shapes(shapes, _RANGE)


@quantize.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    fill_types(dtypes, ("data", *_RANGE))
    return [choose_type(attrs["out_type"], None, None), torch.float32, torch.float32]


@op("_contrib_quantize_v2", outputs=3, gradient="zero")
def quantize_v2(
    data: Tensor,
    *,
    out_type: Literal["auto", "int8", "uint8"] = "int8",
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """float32 as 8-bit integers, by the range that calibration found, or else that of the data.

    int8 is ``data * 127.5 / max(abs(range))``, uint8 has 255.5 there; both rounded and saturated. ``auto`` is uint8 if
    ``min_calib_range`` is not negative. Integers pass. Gives the integers and their range, symmetric for int8.
    """
    _check_float(data, torch.int8, torch.uint8)
    _check_not_empty(data)
    kind = choose_type(out_type, min_calib_range, max_calib_range)
    if data.is_meta:
        return without_data(data, dtype=kind), *empty_range(data)
    calibrated = min_calib_range is not None and max_calib_range is not None
    if data.dtype in STEPS:
        if not calibrated:
            low, high = (0.0, STEPS[kind]) if kind is torch.uint8 else (-STEPS[kind], STEPS[kind])
        else:
            assert min_calib_range is not None
            assert max_calib_range is not None
            low, high = min_calib_range, max_calib_range
        return data.to(kind, copy=True), *new_range(data, low, high)
    if calibrated:
        assert min_calib_range is not None
        assert max_calib_range is not None
        low_, high_ = new_range(data, min_calib_range, max_calib_range)
    else:
        low_, high_ = _range_of(data)
    most = magnitude(low_, high_)
    found = saturate_scaled(data, ratio(STEPS[kind], most), kind)
    return (found, *symmetric(most)) if kind is torch.int8 else (found, low_, high_)


@quantize_v2.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    fill_types(dtypes, ["data"])
    kind = choose_type(attrs["out_type"], attrs["min_calib_range"], attrs["max_calib_range"])
    return [kind, torch.float32, torch.float32]


@op("_contrib_quantize_asym", outputs=3, gradient="zero", output_names=("output", "scale", "shift"))
def quantize_asym(
    data: Tensor, *, min_calib_range: float | None = None, max_calib_range: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """float32 as uint8 with a shift: ``data * scale + shift``, rounded, over all of the range.

    ``scale`` is ``255 / (max - min)``, ``shift`` is ``255 - max * scale``; both are given beside the integers. This is
    what ``quantized_rnn`` takes.
    """
    _check_float(data)
    _check_not_empty(data)
    if data.is_meta:
        return without_data(data, dtype=torch.uint8), *empty_range(data)
    if min_calib_range is not None and max_calib_range is not None:
        low, high = new_range(data, min_calib_range, max_calib_range)
    else:
        low, high = _range_of(data)
    scale = ratio(255.0, high - low)
    scale = torch.where(torch.isfinite(scale), scale, torch.ones_like(scale))  # all numbers are the same
    shift = 255.0 - high * scale
    return saturate(torch.floor(data * scale + shift + 0.5), torch.uint8), scale, shift


@quantize_asym.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    fill_types(dtypes, ["data"])
    return [torch.uint8, torch.float32, torch.float32]


@op("_contrib_dequantize", gradient="zero")
def dequantize(
    data: Tensor, min_range: Tensor, max_range: Tensor, *, out_type: Literal["float32"] = "float32"
) -> Tensor:
    """8-bit integers as the floats that they stand for: ``data * max(abs(range)) / 127.5``, or 255.5 for uint8."""
    check_eight_bits(data=data)
    check_ranges(min_range=min_range, max_range=max_range)
    if data.is_meta:
        return without_data(data, dtype=torch.float32)
    return data.to(torch.float32).mul_(magnitude(min_range, max_range) / STEPS[data.dtype])


@dequantize.infer_args
def _(shapes: Keywords, attrs: Attrs) -> None:
    fill_shapes(shapes, _RANGE)


@dequantize.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    fill_types(dtypes, _RANGE)
    return [torch.float32]


@op("_contrib_requantize", outputs=3, gradient="zero")
def requantize(
    data: Tensor,
    min_range: Tensor,
    max_range: Tensor,
    *,
    out_type: Literal["auto", "int8", "uint8"] = "int8",
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """int32, the sums of a quantized layer, as 8-bit integers, by the range that calibration found or that of the data.

    Gives the integers, and the range that they stand for: from zero for uint8, symmetric for int8.
    """
    if data.dtype is not torch.int32 and not data.is_meta:
        raise TypeError(f"data must be int32, it is {NAME_OF[data.dtype]}")
    check_ranges(min_range=min_range, max_range=max_range)
    _check_not_empty(data)
    kind = choose_type(out_type, min_calib_range, max_calib_range)
    if data.is_meta:
        return without_data(data, dtype=kind), *empty_range(data)
    step = magnitude(min_range, max_range) / INT32_LIMIT
    if min_calib_range is not None and max_calib_range is not None:
        most = magnitude(*new_range(data, min_calib_range, max_calib_range))
    else:
        low, high = torch.aminmax(data)
        most = magnitude(low.to(torch.float32), high.to(torch.float32)) * step
    found = saturate(data.to(torch.float32).mul_(step * ratio(LIMITS[kind], most)), kind)
    if kind is torch.int8:
        return found, *symmetric(most)
    return found, most.new_zeros(1), most.reshape(1).clone()


@requantize.infer_args
def _(shapes: Keywords, attrs: Attrs) -> None:
    fill_shapes(shapes, _RANGE)


@requantize.infer_dtype
def _(dtypes: Dtypes, attrs: Attrs) -> list[torch.dtype | None]:
    fill_types(dtypes, ["data"], torch.int32)
    fill_types(dtypes, _RANGE)
    kind = choose_type(attrs["out_type"], attrs["min_calib_range"], attrs["max_calib_range"])
    return [kind, torch.float32, torch.float32]
