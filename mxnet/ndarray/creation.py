"""Functions that make NDArrays: from data, filled, ranges, and from other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ..context import as_context
from ..dtypes import bfloat16, torch_dtype
from .ndarray import NDArray, wrap


def array(source_array: Any, ctx: Any = None, dtype: Any = None) -> NDArray:
    """An NDArray with a copy of the data. The dtype is float32 unless given or ``source_array`` is an NDArray."""
    context = as_context(ctx)
    if isinstance(source_array, NDArray):
        kind = source_array._data.dtype if dtype is None else torch_dtype(dtype)
        return wrap(source_array._data.to(context.torch_device, kind, copy=True), context)
    kind = torch.float32 if dtype is None else torch_dtype(dtype)
    values = np.asarray(source_array)
    if values.dtype == bfloat16:
        tensor = torch.from_numpy(np.ascontiguousarray(values).view(np.int16)).view(torch.bfloat16)
    else:
        tensor = torch.from_numpy(np.array(values, order="C"))
    return wrap(tensor.to(context.torch_device, kind), context)


__all__ = ["array", "zeros"]


def zeros(shape: Any, ctx: Any = None, dtype: Any = None, **kwargs: Any) -> NDArray:
    """An array of zeros."""
    context = as_context(ctx)
    size = (shape,) if isinstance(shape, int) else tuple(shape)
    return wrap(torch.zeros(size, dtype=torch_dtype(dtype or "float32"), device=context.torch_device), context)
