"""Who owns memory: the one place where tensors change hands and writes are announced.

The rule is in docs/developer/memory.md. Whatever is derived from arrays (folded or packed weights) keeps a
``Snapshot`` of what it was derived from. Whoever has new values for an array asks ``handed_over`` whether their memory
may take the place of the old one.
"""

from __future__ import annotations

from collections.abc import Sequence
from weakref import ref

import torch

_increment_version = torch._C._increment_version


def _many(storage: int) -> int:
    return 3


_owners = getattr(torch._C, "_storage_Use_Count", _many)


def expose(tensor: torch.Tensor) -> torch.Tensor:
    """Notes that others may write to this memory unseen (NumPy, DLPack, torch), and gives the tensor back.

    From here on nothing is derived from it, and it is never exchanged. What was derived from it is out of date.
    """
    if not tensor.is_meta:
        tensor.untyped_storage()._mx_exposed = True  # type: ignore[attr-defined]
        announce([tensor])
    return tensor


def is_exposed(tensor: torch.Tensor) -> bool:
    """Whether other code can write to this memory unnoticed."""
    return hasattr(tensor.untyped_storage(), "_mx_exposed")


def announce(tensors: Sequence[torch.Tensor]) -> None:
    """Announces writes that torch has not seen: by kernels in C, by fused optimizers, through ``tensor.data``."""
    if torch.is_inference_mode_enabled():
        tensors = [tensor for tensor in tensors if not tensor.is_inference()]
    _increment_version(tensors)


def is_alone(tensor: torch.Tensor, others: int = 0) -> bool:
    """Whether no other tensor, or no more than so many others, use or reference this memory.

    Two owners: the tensor, and the handle made here. Arrays never share a tensor object, so each of them counts.
    """
    storage = tensor.untyped_storage()
    return _owners(storage._cdata) <= 2 + others and not hasattr(storage, "_mx_exposed")


def handed_over(old: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
    """The tensor for the owner of ``old`` to go on with, which holds the values of ``new``.

    It is ``new`` if nothing else references either memory; else ``old``, written to.
    """
    if new.dtype is old.dtype and new.device == old.device and is_alone(old) and is_alone(new):
        return new
    old.copy_(new)
    return old


def _version(tensor: torch.Tensor | None) -> int:
    return 0 if tensor is None or tensor.is_inference() else tensor._version


class Snapshot:
    """Which tensors something was derived from, and their versions then. It does not keep them alive."""

    __slots__ = ("_tensors", "_versions")

    def __init__(self, tensors: Sequence[torch.Tensor | None]):
        self._tensors = tuple([None if tensor is None else ref(tensor) for tensor in tensors])
        self._versions = tuple(map(_version, tensors))

    @staticmethod
    def of(tensors: Sequence[torch.Tensor | None]) -> Snapshot | None:
        """The snapshot; None if writes to one of them would not be seen, so that nothing may be derived from it."""
        for tensor in tensors:
            if tensor is not None and (tensor.is_inference() or is_exposed(tensor)):
                return None
        return Snapshot(tensors)

    def holds(self, tensors: Sequence[torch.Tensor | None]) -> bool:
        """Whether these are the same tensors, not written to since."""
        for tensor, known, version in zip(tensors, self._tensors, self._versions, strict=True):
            if tensor is None or known is None:
                if tensor is not known:
                    return False
            elif known() is not tensor or tensor._version != version:
                return False
        return True

    def changed(self, tensors: Sequence[torch.Tensor | None]) -> list[int]:
        """Which of these are other tensors, or were written to."""
        each = zip(tensors, self._tensors, self._versions, strict=True)
        return [i for i, (t, k, version) in enumerate(each) if (k and k()) is not t or _version(t) != version]
