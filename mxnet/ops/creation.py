"""Operators that create arrays from attributes alone.

In a graph, the shape of such an array may be known only from its users: ``zeros(shape=(0, 4))`` has an unknown first
dimension, ``arange(infer_range=True)`` an unknown length. The rule ``complete`` of these operators, a function of
attributes and inferred shape, gives the attributes that create the array once its shape is known.
"""

from collections.abc import Callable
from math import ceil

import torch

from .._core.dtypes import TORCH_OF_FLAG
from ..context import Context
from .infer import UNKNOWN, read_shape
from .registry import OpDef, op, register
from .support import as_number
from .types import Attrs, Shapes


def _dtype_rule(opdef: OpDef) -> OpDef:
    opdef.infer_dtype(lambda dtypes, attrs: [attrs["dtype"]])
    return opdef


def takes_shape(opdef: OpDef) -> None:
    """For operators with the attribute ``shape``: what it leaves open comes from the users of the array."""
    opdef.infer_shape(lambda shapes, attrs: [read_shape(attrs["shape"])])
    opdef.complete(lambda attrs, shape: {**attrs, "shape": shape})


def _register_constant(name: str, create: Callable[..., torch.Tensor], doc: str) -> OpDef:
    """An operator that creates an array of one number."""

    def kernel(
        *,
        shape: tuple[int, ...] = (),
        ctx: Context | None = None,
        dtype: torch.dtype = torch.float32,
        _device: torch.device,
    ) -> torch.Tensor:
        return create(shape, dtype=dtype, device=_device)

    opdef = _dtype_rule(register(name, kernel, doc=doc))
    takes_shape(opdef)
    return opdef


zeros = _register_constant("_zeros", torch.zeros, "An array of zeros.")
ones = _register_constant("_ones", torch.ones, "An array of ones.")


@op("_zeros_without_dtype")
def zeros_without_dtype(
    *, shape: tuple[int, ...] | None = None, ctx: Context | None = None, dtype: int = -1, _device: torch.device
) -> torch.Tensor:
    """An array of zeros whose dtype is given by its number in files, -1 for that of what it is combined with."""
    if shape is None:
        raise ValueError("the shape must be given")
    return torch.zeros(shape, dtype=_numbered_dtype(dtype) or torch.float32, device=_device)


def _numbered_dtype(number: int) -> torch.dtype | None:
    if number != -1 and number not in TORCH_OF_FLAG:
        raise TypeError(f"dtype must be -1 or one of {', '.join(map(str, TORCH_OF_FLAG))}, got {number}")
    return TORCH_OF_FLAG.get(number)


zeros_without_dtype.infer_dtype(lambda dtypes, attrs: [_numbered_dtype(attrs["dtype"])])
takes_shape(zeros_without_dtype)


@op("_full")
def full(
    *,
    shape: tuple[int, ...] | None = None,
    ctx: Context | None = None,
    dtype: torch.dtype = torch.float32,
    value: float,
    _device: torch.device,
) -> torch.Tensor:
    """An array in which every element is ``value``."""
    if shape is None:
        raise ValueError("the shape must be given")
    return torch.full(shape, as_number(value, dtype), dtype=dtype, device=_device)


_dtype_rule(full)
takes_shape(full)


@op("_eye")
def eye(
    *,
    N: int,
    M: int = 0,
    k: int = 0,
    ctx: Context | None = None,
    dtype: torch.dtype = torch.float32,
    _device: torch.device,
) -> torch.Tensor:
    """A matrix of N rows and M columns (0: as many as rows) with ones on the k-th diagonal, zeros elsewhere."""
    if N < 0 or M < 0:
        raise ValueError(f"the numbers of rows and columns cannot be negative, got N={N} and M={M}")
    result = torch.zeros((N, M or N), dtype=dtype, device=_device)
    if -N < k < (M or N):
        result.diagonal(k).fill_(1)
    return result


_dtype_rule(eye)


def progression(count: int, start: float, step: float, dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    """``start + i * step``, in the dtype of the result. As in the original, float16 cuts both to integers."""
    numbers = torch.arange(count, dtype=dtype, device=device)
    if dtype is torch.float16:
        start, step = (torch.tensor(float(int(number)), dtype=dtype).item() for number in (start, step))
    return numbers.mul_(as_number(step, dtype)).add_(as_number(start, dtype))


@op("_arange")
def arange(
    *,
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: Context | None = None,
    dtype: torch.dtype = torch.float32,
    _device: torch.device,
) -> torch.Tensor:
    """Numbers from ``start`` up to but without ``stop``, each ``repeat`` times; a single number is the stop.

    With ``infer_range`` in a graph, the length comes from what the array is combined with.
    """
    if infer_range and stop is None:
        raise ValueError("with infer_range the length must follow from what the array is combined with")
    start, stop = (0.0, start) if stop is None else (start, stop)
    count = _arange_count(start, stop, step, repeat)
    numbers = progression(count, start, step, dtype, _device)
    return numbers.repeat_interleave(repeat) if repeat > 1 else numbers


def _arange_count(start: float, stop: float, step: float, repeat: int) -> int:
    if repeat < 1:
        raise ValueError(f"repeat must be positive, got {repeat}")
    if step == 0 or (stop - start) / step <= 0:
        raise ValueError(f"there are no numbers from start={start} to stop={stop} by step={step}")
    return ceil((stop - start) / step)


_dtype_rule(arange)


@arange.infer_shape
def _(shapes: Shapes, attrs: Attrs) -> list[tuple[int, ...]]:
    start, stop = attrs["start"], attrs["stop"]
    if stop is None and attrs["infer_range"]:
        return [(UNKNOWN,)]
    start, stop = (0.0, start) if stop is None else (start, stop)
    return [(_arange_count(start, stop, attrs["step"], attrs["repeat"]) * attrs["repeat"],)]


def _arange_complete(attrs: Attrs, shape: tuple[int, ...]) -> Attrs:
    if attrs.get("stop") is not None or not attrs.get("infer_range"):
        return attrs
    count, rest = divmod(shape[0], attrs.get("repeat", 1))
    if len(shape) != 1 or rest:
        raise ValueError(f"_arange cannot give an array of shape {shape} with repeat={attrs.get('repeat', 1)}")
    return {**attrs, "stop": attrs["start"] + count * attrs.get("step", 1.0), "infer_range": False}


arange.complete(_arange_complete)


@op("_linspace")
def linspace(
    *,
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    ctx: Context | None = None,
    dtype: torch.dtype = torch.float32,
    _device: torch.device,
) -> torch.Tensor:
    """``num`` evenly spaced numbers from ``start`` to ``stop``, which is the last of them if ``endpoint`` says so."""
    if num < 0:
        raise ValueError(f"num cannot be negative, got {num}")
    if _device.type == "meta":
        return torch.empty(num, dtype=dtype, device=_device)
    step = (stop - start) / max(num - endpoint, 1)
    return progression(num, start, step, torch.float64, _device).to(dtype)


_dtype_rule(linspace)
