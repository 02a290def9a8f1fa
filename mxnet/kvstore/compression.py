"""Compression of gradients to two bits, with what is lost carried over to the next push."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from ..error import MXNetAssertionError, MXNetTypeError, MXNetValueError

__all__ = ["TwoBit"]


class TwoBit:
    """Each element becomes ``-threshold``, 0 or ``threshold``; the rest is kept and added to what is pushed next."""

    def __init__(self, parameters: Mapping[str, Any]):
        if not isinstance(parameters, Mapping):
            raise MXNetAssertionError(f"compression_params must be a dict, got {type(parameters).__name__}")
        kind = parameters.get("type")
        if kind != "2bit":
            raise MXNetValueError(f"Unknown type for gradient compression {kind}; there is '2bit'")
        self.threshold = float(parameters.get("threshold", 0.5))
        if not self.threshold > 0:
            raise MXNetValueError(f"threshold must be greater than 0, got {self.threshold}")
        self._rest: dict[Any, torch.Tensor] = {}

    def __call__(self, sender: Any, values: torch.Tensor) -> torch.Tensor:
        """What arrives of the values; ``sender`` is the key and device they come from."""
        if not values.is_floating_point():
            raise MXNetTypeError(f"gradient compression is for arrays of a floating type, not {values.dtype}")
        rest = self._rest.get(sender)
        if rest is None or (rest.shape, rest.dtype, rest.device) != (values.shape, values.dtype, values.device):
            rest = self._rest[sender] = torch.zeros_like(values)
        rest.add_(values)
        sent = rest.sign().mul_(self.threshold).masked_fill_(rest.abs() < self.threshold, 0.0)
        rest.sub_(sent)
        return sent
