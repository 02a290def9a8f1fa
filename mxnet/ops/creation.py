"""Operators that create arrays from attributes alone."""

import torch

from ..context import Context
from .registry import op


@op("_zeros")
def zeros(
    *, shape: tuple[int, ...] = (), ctx: Context | None = None, dtype: torch.dtype = torch.float32, _device: torch.device
) -> torch.Tensor:
    """An array of zeros."""
    return torch.zeros(shape, dtype=dtype, device=_device)
