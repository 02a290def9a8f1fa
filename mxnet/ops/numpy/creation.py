"""Operators that create arrays, with NumPy's meaning: shapes () and (0,) are real."""

import math
from collections.abc import Callable
from typing import Any

import torch

from ...context import Context
from ..creation import arange as classic_arange, takes_shape
from ..gradients import constant_in
from ..registry import OpDef, op, register
from ..support import as_number


def _dtype_rule(opdef: OpDef) -> OpDef:
    opdef.infer_dtype(lambda dtypes, attrs: [attrs["dtype"]])
    return opdef


def _register_constant(name: str, create: Callable[..., torch.Tensor], doc: str) -> None:
    def kernel(
        *,
        shape: tuple[int, ...] = (),
        ctx: Context | None = None,
        dtype: torch.dtype = torch.float32,
        _device: torch.device,
    ) -> torch.Tensor:
        return create(shape, dtype=dtype, device=_device)

    takes_shape(_dtype_rule(register(name, kernel, doc=doc)))


def _identity(shape: tuple[int, ...], dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    return torch.eye(*shape[:2], dtype=dtype, device=device)


_register_constant("_npi_zeros", torch.zeros, "An array of zeros.")
_register_constant("_npi_ones", torch.ones, "An array of ones.")
_register_constant("_npi_identity", _identity, "A square matrix with ones on its diagonal.")


@op("_npi_full_like", gradient="zero")
def full_like(
    a: torch.Tensor, *, fill_value: float, ctx: Context | None = None, dtype: torch.dtype | None = None
) -> torch.Tensor:
    """An array of one number with the shape, and if none is given the dtype, of another."""
    kind = dtype or a.dtype
    return constant_in(torch.full_like(a, as_number(fill_value, kind), dtype=kind), a)


full_like.infer_dtype(lambda dtypes, attrs: [attrs["dtype"] or dtypes["a"]])


@op("_npi_arange", like=classic_arange)
def arange(*, _device: torch.device, **attrs: Any) -> torch.Tensor:
    """Numbers from ``start`` up to but without ``stop``, each ``repeat`` times; a single number is the stop."""
    full = classic_arange.with_defaults(attrs)
    start, stop = (0.0, full["start"]) if full["stop"] is None else (full["start"], full["stop"])
    if full["step"] and (stop - start) / full["step"] <= 0:
        return torch.empty(0, dtype=full["dtype"], device=_device)
    return classic_arange.kernel(_device=_device, **attrs)


@op("_npi_eye")
def eye(
    *,
    N: int,
    M: int | None = None,
    k: int = 0,
    ctx: Context | None = None,
    dtype: torch.dtype = torch.float32,
    _device: torch.device,
) -> torch.Tensor:
    """A matrix of N rows and M columns with ones on its k-th diagonal."""
    columns = N if M is None else M
    made = torch.zeros(N, columns, dtype=dtype, device=_device)
    if -N < k < columns:
        torch.diagonal(made, k).fill_(1)
    return made


@op("_npi_indices")
def indices(
    *,
    dimensions: tuple[int, ...],
    dtype: torch.dtype = torch.int32,
    ctx: Context | None = None,
    _device: torch.device,
) -> torch.Tensor:
    """The index of each element of a grid, one array for each of its dimensions."""
    if not dimensions:
        return torch.empty(0, dtype=dtype, device=_device)
    ranges = [torch.arange(n, dtype=dtype, device=_device) for n in dimensions]
    return torch.stack(torch.meshgrid(*ranges, indexing="ij"))


@op("_npi_logspace")
def logspace(
    *,
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    base: float = 10.0,
    ctx: Context | None = None,
    dtype: torch.dtype = torch.float32,
    _device: torch.device,
) -> torch.Tensor:
    """Numbers evenly spaced on a logarithmic scale, from ``base**start`` to ``base**stop``."""
    if num < 0:
        raise ValueError(f"num must not be negative, got {num}")
    step = (stop - start) / max(num - 1 if endpoint else num, 1)
    places = start + step * torch.arange(num, dtype=torch.float64, device=_device)
    return torch.pow(base, places).to(dtype)


def _window(name: str, weights: tuple[float, ...], doc: str) -> None:
    """A sum of cosines: w[0] - w[1] cos(x) + w[2] cos(2x)."""

    def kernel(
        *,
        M: int | None = None,
        ctx: Context | None = None,
        dtype: torch.dtype = torch.float32,
        _device: torch.device,
    ) -> torch.Tensor:
        count = max(M or 0, 0)
        if dtype is torch.bool:
            raise TypeError("a window is made of numbers, not of booleans")
        if count == 1:
            return torch.ones(1, dtype=dtype, device=_device)
        x = torch.arange(count, dtype=torch.float64, device=_device) * (2 * math.pi / max(count - 1, 1))
        total: Any = weights[0]
        for i, weight in enumerate(weights[1:], 1):
            total = total + (weight if i % 2 == 0 else -weight) * torch.cos(i * x)
        return total.to(dtype)

    _dtype_rule(register(name, kernel, doc=doc))


_window("_npi_hanning", (0.5, 0.5), "The Hann window of M points.")
_window("_npi_hamming", (0.54, 0.46), "The Hamming window of M points.")
_window("_npi_blackman", (0.42, 0.5, 0.08), "The Blackman window of M points.")

for _definition in (arange, eye, indices, logspace):
    _dtype_rule(_definition)
