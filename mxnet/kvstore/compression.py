"""Compression of gradients to one or two bits an element, with what is lost carried over to the next push."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import torch
import torch.nn.functional as F

from ..error import MXNetAssertionError, MXNetTypeError, MXNetValueError

__all__ = ["Compression", "OneBit", "TwoBit", "compression"]


class Compression:
    """Values become few levels; the rest is kept for each sender and added to what it sends next.

    Codes are small numbers, one for each element, which ``pack`` puts into bytes.
    """

    kind: ClassVar[str]
    bits: ClassVar[int]

    def __init__(self, threshold: float):
        self.threshold = threshold
        self._rest: dict[object, torch.Tensor] = {}

    def codes(self, values: torch.Tensor) -> torch.Tensor:
        """The level of each element, as a number from 0."""
        raise NotImplementedError

    def levels(self, codes: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
        """What the codes stand for."""
        raise NotImplementedError

    def encode(self, sender: object, values: torch.Tensor) -> torch.Tensor:
        """The codes of the values with what is left from before; ``sender`` is the key and device they come from."""
        if not values.is_floating_point():
            raise MXNetTypeError(f"gradient compression is for arrays of a floating type, not {values.dtype}")
        rest = self._rest.get(sender)
        if rest is None or (rest.shape, rest.dtype, rest.device) != (values.shape, values.dtype, values.device):
            rest = self._rest[sender] = torch.zeros_like(values)
        rest.add_(values)
        codes = self.codes(rest)
        rest.sub_(self.levels(codes, values.dtype))
        return codes

    def __call__(self, sender: object, values: torch.Tensor) -> torch.Tensor:
        """What arrives of the values."""
        return self.levels(self.encode(sender, values), values.dtype)

    def packed_size(self, count: int) -> int:
        """How many bytes as many codes take."""
        return -(-count * self.bits // 8)

    def pack(self, codes: torch.Tensor) -> torch.Tensor:
        """Codes in bytes, several in each."""
        each = 8 // self.bits
        flat = codes.reshape(-1).to(torch.uint8)
        columns = F.pad(flat, (0, -flat.numel() % each)).view(-1, each)
        packed = columns[:, 0].clone()
        for i in range(1, each):
            packed |= columns[:, i] << (self.bits * i)
        return packed

    def unpack(self, packed: torch.Tensor, shape: torch.Size) -> torch.Tensor:
        """The codes that were packed."""
        each, mask = 8 // self.bits, (1 << self.bits) - 1
        columns = [(packed >> (self.bits * i)) & mask for i in range(each)]
        return torch.stack(columns, 1).reshape(-1)[: shape.numel()].view(shape)


class TwoBit(Compression):
    """Each element becomes ``-threshold``, 0 or ``threshold``."""

    kind = "2bit"
    bits = 2

    def codes(self, values: torch.Tensor) -> torch.Tensor:
        """0, 1 for ``threshold`` and more, 2 for ``-threshold`` and less."""
        return (values >= self.threshold).to(torch.uint8) + 2 * (values <= -self.threshold).to(torch.uint8)

    def levels(self, codes: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
        """0, ``threshold`` or ``-threshold``."""
        return ((codes == 1).to(dtype) - (codes == 2).to(dtype)).mul_(self.threshold)


class OneBit(Compression):
    """Each element becomes 1 if it is greater than the threshold, else -1."""

    kind = "1bit"
    bits = 1

    def codes(self, values: torch.Tensor) -> torch.Tensor:
        """1 for more than ``threshold``, else 0."""
        return (values > self.threshold).to(torch.uint8)

    def levels(self, codes: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
        """1 or -1."""
        return codes.to(dtype).mul_(2).sub_(1)


_KINDS = {kind.kind: kind for kind in (TwoBit, OneBit)}


def compression(parameters: Mapping[str, Any]) -> Compression:
    """The compression that ``{'type': '2bit', 'threshold': 0.5}`` or ``{'type': '1bit'}`` asks for."""
    if not isinstance(parameters, Mapping):
        raise MXNetAssertionError(f"compression_params must be a dict, got {type(parameters).__name__}")
    kind = parameters.get("type")
    if kind not in _KINDS:
        raise MXNetValueError(f"Unknown type for gradient compression {kind}; known: {', '.join(map(repr, _KINDS))}")
    threshold = float(parameters.get("threshold", 0.5 if kind == "2bit" else 0.0))
    if kind == "2bit" and not threshold > 0:
        raise MXNetValueError(f"threshold must be greater than 0, got {threshold}")
    return _KINDS[kind](threshold)
