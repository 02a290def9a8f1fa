"""Functions on NDArrays that are more than an operator: arithmetic with numbers on either side, joining, histograms."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from .._core.pixels import decode_pixels
from ..base import numeric_types
from ..error import MXNetArgumentError, MXNetIndexError, MXNetTypeError, MXNetValueError
from ..ops.registry import get
from .creation import array
from .gate import call, invoke
from .ndarray import NDArray
from .pending import waiters

if TYPE_CHECKING:  # what is made of operators
    from .derived_functions import *  # noqa: F403

# function: (for two arrays, for array and number, for number and array, for two numbers)
_TABLE: dict[str, tuple[str, str, str, Callable[[Any, Any], Any]]] = {
    "add": ("broadcast_add", "_plus_scalar", "_plus_scalar", operator.add),
    "subtract": ("broadcast_sub", "_minus_scalar", "_rminus_scalar", operator.sub),
    "multiply": ("broadcast_mul", "_mul_scalar", "_mul_scalar", operator.mul),
    "divide": ("broadcast_div", "_div_scalar", "_rdiv_scalar", operator.truediv),
    "true_divide": ("broadcast_div", "_div_scalar", "_rdiv_scalar", operator.truediv),
    "modulo": ("broadcast_mod", "_mod_scalar", "_rmod_scalar", operator.mod),
    "power": ("broadcast_power", "_power_scalar", "_rpower_scalar", operator.pow),
    "maximum": ("broadcast_maximum", "_maximum_scalar", "_maximum_scalar", max),
    "minimum": ("broadcast_minimum", "_minimum_scalar", "_minimum_scalar", min),
    "equal": ("broadcast_equal", "_equal_scalar", "_equal_scalar", operator.eq),
    "not_equal": ("broadcast_not_equal", "_not_equal_scalar", "_not_equal_scalar", operator.ne),
    "greater": ("broadcast_greater", "_greater_scalar", "_lesser_scalar", operator.gt),
    "greater_equal": ("broadcast_greater_equal", "_greater_equal_scalar", "_lesser_equal_scalar", operator.ge),
    "lesser": ("broadcast_lesser", "_lesser_scalar", "_greater_scalar", operator.lt),
    "lesser_equal": ("broadcast_lesser_equal", "_lesser_equal_scalar", "_greater_equal_scalar", operator.le),
    "logical_and": ("broadcast_logical_and", "_logical_and_scalar", "_logical_and_scalar", lambda a, b: bool(a and b)),
    "logical_or": ("broadcast_logical_or", "_logical_or_scalar", "_logical_or_scalar", lambda a, b: bool(a or b)),
    "logical_xor": (
        "broadcast_logical_xor",
        "_logical_xor_scalar",
        "_logical_xor_scalar",
        lambda a, b: bool(a) != bool(b),
    ),
}

__all__ = [
    *_TABLE,
    "concatenate",
    "histogram",
    "imdecode",
    "moveaxis",
    "onehot_encode",
    "split_v2",
    "waitall",
]


def _arithmetic(name: str) -> Callable[[Any, Any], Any]:
    arrays, array_number, number_array, numbers = _TABLE[name]
    truth = numbers(1, 1) is True or numbers(1, 1) is False

    def function(lhs: object, rhs: object) -> Any:
        if isinstance(lhs, NDArray):
            if isinstance(rhs, NDArray):
                return invoke(get(arrays), (lhs, rhs), {})
            if isinstance(rhs, numeric_types):
                return invoke(get(array_number), (lhs,), {"scalar": rhs})
        elif isinstance(lhs, numeric_types):
            if isinstance(rhs, NDArray):
                return invoke(get(number_array), (rhs,), {"scalar": lhs})
            if isinstance(rhs, numeric_types):
                result = numbers(lhs, rhs)
                return int(result) if truth else result
        wrong = rhs if isinstance(lhs, (NDArray, *numeric_types)) else lhs
        raise MXNetTypeError(f"{name}: type {type(wrong)} not supported: expected a number or an NDArray")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The operator ``{arrays}``, for arrays and numbers on either side. Two numbers give a number."
    return function


for _name in _TABLE:
    globals()[_name] = _arithmetic(_name)


def power(base: object, exp: object) -> Any:
    """``base ** exp``, for arrays and numbers on either side. Two numbers give a number."""
    return _power(base, exp)


_power = _arithmetic("power")


def concatenate(arrays: Sequence[NDArray], axis: int = 0, always_copy: bool = True) -> NDArray:
    """Joins arrays of one dtype along an axis. A single one is returned itself if ``always_copy`` is off.

    >>> nd.concatenate([nd.zeros((1, 2)), nd.ones((1, 2))])
    [[0. 0.]
     [1. 1.]]
    <NDArray 2x2 @cpu(0)>
    """
    if isinstance(arrays, NDArray) or not arrays or not all(isinstance(a, NDArray) for a in arrays):
        raise MXNetArgumentError("concatenate takes a list of one or more NDArrays")
    if len(arrays) == 1 and not always_copy:
        return arrays[0]
    return call("Concat", *arrays, dim=axis)


def moveaxis(tensor: NDArray, source: int | Sequence[int], destination: int | Sequence[int]) -> NDArray:
    """Moves axes to new positions; the others keep their order."""
    dims = tensor.ndim
    moved, targets = _axes(source, dims, "source"), _axes(destination, dims, "destination")
    if len(moved) != len(targets):
        raise MXNetValueError("`source` and `destination` arguments must have the same number of elements")
    order = [axis for axis in range(dims) if axis not in moved]
    for target, axis in sorted(zip(targets, moved, strict=True)):
        order.insert(target, axis)
    return call("transpose", tensor, axes=tuple(order))


def _axes(given: int | Sequence[int], dims: int, name: str) -> list[int]:
    axes = []
    for axis in [given] if isinstance(given, int) else list(given):
        if not -dims <= axis < dims:
            raise _AxisError(f"moveaxis: {name} axis {axis} is out of range for an array of {dims} dimensions")
        axes.append(axis % dims)
    if len(set(axes)) != len(axes):
        raise MXNetValueError(f"moveaxis: repeated axis in {name} {given}")
    return axes


class _AxisError(MXNetIndexError, ValueError):
    """An axis out of range."""


def split_v2(
    ary: NDArray, indices_or_sections: int | Sequence[int], axis: int = 0, squeeze_axis: bool = False
) -> NDArray | list[NDArray]:
    """Splits an array along an axis: into equal parts if given their number, else before each of the indices."""
    if isinstance(indices_or_sections, int):
        sections = indices_or_sections
        if sections < 1 or ary.shape[axis] % sections:
            raise MXNetValueError("array split does not result in an equal division")
        part = ary.shape[axis] // sections
        indices = tuple(range(0, part * sections, part)) if part else (0,) * sections
    elif isinstance(indices_or_sections, tuple | list):
        indices = (0, *indices_or_sections)
    else:
        raise MXNetValueError("indices_or_sections must either int or tuple of ints")
    return call("_split_v2", ary, indices=indices, axis=axis, squeeze_axis=squeeze_axis)


def histogram(a: NDArray, bins: int | NDArray = 10, range: tuple[float, float] | None = None) -> Any:
    """Counts the elements that fall into each bin; returns the counts and the edges of the bins.

    ``bins`` is a number of equal bins, or their edges. Without a ``range`` they span all elements.
    """
    if isinstance(bins, NDArray):
        return call("_histogram", a, bins)
    if not isinstance(bins, int | np.integer):
        raise MXNetValueError("bins argument should be either an integer or an NDArray")
    if range is not None:
        return call("_histogram", a, bin_cnt=int(bins), range=tuple(range))
    counts, edges = np.histogram(a.asnumpy(), bins)
    return array(counts, ctx=a._ctx), array(edges, ctx=a._ctx)


def onehot_encode(indices: NDArray, out: NDArray) -> NDArray:
    """Writes the one-hot rows of ``indices`` to ``out``. Older than, and replaced by, ``one_hot``."""
    if out.ndim != 2:
        raise MXNetValueError(f"onehot_encode: out must be a matrix, it has shape {out.shape}")
    return call("one_hot", indices, depth=out.shape[1], dtype=out.dtype, out=out)


def imdecode(
    str_img: bytes,
    clip_rect: tuple[int, int, int, int] = (0, 0, 0, 0),
    out: NDArray | None = None,
    index: int = 0,
    channels: int = 3,
    mean: NDArray | None = None,
) -> NDArray:
    """Decodes an image to float32 (channel, height, width), RGB. Older than, and replaced by, ``mx.image.imdecode``.

    ``clip_rect`` is (x0, y0, x1, y1); ``out`` may have a leading dimension, of which ``index`` selects one.
    """
    try:
        image = decode_pixels(np.frombuffer(str_img, dtype=np.uint8), 0 if channels == 1 else 1) if str_img else None
    except ValueError as error:
        raise MXNetValueError(f"imdecode: {error}") from error
    if image is None:
        raise MXNetValueError("imdecode: the data is not an image that can be decoded")
    pixels = image[:, :, None] if image.ndim == 2 else image[:, :, ::-1]
    left, top, right, bottom = clip_rect
    if right > left and bottom > top:
        pixels = pixels[top:bottom, left:right]
    result = array(np.ascontiguousarray(pixels.transpose(2, 0, 1)))
    if mean is not None:
        result = call("elemwise_sub", result, mean)
    if out is None:
        return result
    if out.ndim == 4:
        out[index] = result
    else:
        out[:] = result
    return out


def waitall() -> None:
    """Waits until everything has been computed, and what was pushed to distributed stores has arrived.

    >>> nd.waitall()
    """
    for bring in waiters:
        bring()
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
