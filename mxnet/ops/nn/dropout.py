"""Dropout."""

import math
from typing import Literal

import numpy as np
import torch

from ..._core.tracing import is_traced
from ..._rng import Generator, HostGenerator
from ..infer import same_shapes
from ..params import AnyAxes, Fraction
from ..registry import op
from .layout import check_floating


def _keep_mask(shape: tuple[int, ...], p: float, data: torch.Tensor, rng: Generator | None) -> torch.Tensor:
    """1 / (1 - p) with probability 1 - p, else 0."""
    if isinstance(rng, HostGenerator):
        return _host_mask(shape, p, data, rng)
    # Comparing raw 32-bit numbers takes a fraction of the time of torch's bernoulli_.
    keep = 1 - p
    count = math.prod(shape)
    bits = torch.empty((count + 1) // 2, dtype=torch.int64, device=data.device)
    bits.random_(-(2**63), None, generator=rng)
    kept = bits.view(torch.int32)[:count] < round((keep - 0.5) * 2**32)
    mask = kept.to(data.dtype).mul_(1 / keep)
    if shape == data.shape and _is_channels_last(data):
        return mask.view(shape[0], *shape[2:], shape[1]).permute(0, 3, 1, 2)  # in memory as data is
    return mask.view(shape)


def _host_mask(shape: tuple[int, ...], p: float, data: torch.Tensor, rng: HostGenerator) -> torch.Tensor:
    """MXNet computes with p in float32; wider and narrower types than that take two words for each number."""
    keep = np.float32(1) - np.float32(p)
    mask = torch.empty(shape, dtype=torch.float32)
    rng.mask(mask, float(keep), float(np.float32(1) / keep), data.dtype in (torch.float64, torch.float16))
    if shape == data.shape and _is_channels_last(data):
        mask = mask.contiguous(memory_format=torch.channels_last)
    return mask.to(data.dtype)


def _is_channels_last(data: torch.Tensor) -> bool:
    return data.dim() == 4 and data.is_contiguous(memory_format=torch.channels_last)


@op("Dropout", view=True, output_names=("output",))
def dropout(
    data: torch.Tensor,
    *,
    p: Fraction = 0.5,
    mode: Literal["always", "training"] = "training",
    axes: AnyAxes = (),
    cudnn_off: bool | None = False,
    _train: bool = False,
    _rng: Generator | None = None,
) -> torch.Tensor:
    """Sets each element to 0 with probability ``p`` and scales the others by 1 / (1 - p), while training.

    With ``p=1`` that is NaN. Otherwise, unless ``mode='always'``, data passes unchanged. Along ``axes`` all elements
    share their fate.
    """
    check_floating(data)
    if not 0 <= p <= 1:
        raise ValueError(f"p must be between 0 and 1, got {p}")
    if any(not 0 <= axis < data.dim() for axis in axes):
        raise ValueError(f"axes {axes} must be between 0 and {data.dim() - 1}")
    if p == 0 or not (_train or mode == "always"):
        return data
    shape = tuple(1 if axis in axes else size for axis, size in enumerate(data.shape))
    if p == 1:
        if isinstance(_rng, HostGenerator) and not is_traced():
            _host_mask(shape, 0, data, _rng)  # what comes after it has its own numbers
        return data * float("nan")  # as in MXNet: nothing is kept, scaled by 1 / 0
    if is_traced():  # the numbers are torch's: its graphs have no other generators
        return data * torch.nn.functional.dropout(torch.ones(shape, dtype=data.dtype, device=data.device), p)
    return data * _keep_mask(shape, p, data, _rng)


dropout.infer_back(same_shapes)
