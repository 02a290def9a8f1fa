"""Indexing, assignment and reshape on tensors, with MXNet's rules of what is a view and what is a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ..error import MXNetValueError
from ..ops.shape import resolve_shape


def read(tensor: torch.Tensor, key: Any) -> torch.Tensor:
    """``x[key]``: shares memory where MXNet does, else a copy."""
    if isinstance(key, int):
        return tensor[key] if tensor.dim() > 1 else tensor[key : key + 1 or None]
    return tensor[key]


def write(tensor: torch.Tensor, key: Any, value: Any) -> None:
    """``x[key] = value``."""
    if isinstance(value, np.ndarray):
        value = torch.from_numpy(value)
    tensor[key] = value


def target_shape(shape: tuple[int, ...], *given: Any, reverse: bool = False, **kwargs: Any) -> tuple[int, ...]:
    """The shape that ``x.reshape(...)`` means."""
    if "shape" in kwargs:
        given = (kwargs["shape"],)
    if len(given) == 1 and isinstance(given[0], list | tuple):
        given = tuple(given[0])
    if not given:
        raise MXNetValueError("reshape: a shape must be given")
    return resolve_shape(shape, given, reverse)
