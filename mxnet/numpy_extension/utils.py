"""Files of arrays: ``mx.npx.save`` and ``mx.npx.load``."""

from __future__ import annotations

from typing import Any

from ..error import MXNetValueError
from ..ndarray.numpy.array import ndarray
from ..ndarray.utils import load as _load, save as _save
from ..util import np_shape

__all__ = ["load", "save"]


def save(file: str, arr: Any) -> None:
    """Writes an array, a list of them or a dict of them by name, in MXNet's format."""
    one = isinstance(arr, ndarray)
    arrays = [arr] if one else list(arr.values()) if isinstance(arr, dict) else list(arr)
    if not all(isinstance(a, ndarray) for a in arrays):
        raise MXNetValueError("data needs to either be a ndarray, a list of ndarrays or a dict of (str, ndarray)")
    classic = [a.as_nd_ndarray() for a in arrays]
    with np_shape():
        _save(file, dict(zip(arr, classic, strict=True)) if isinstance(arr, dict) else classic)


def load(file: str) -> Any:
    """Reads a list or dict of arrays."""
    with np_shape():
        found = _load(file)
    if isinstance(found, dict):
        return {name: a.as_np_ndarray() for name, a in found.items()}
    return [a.as_np_ndarray() for a in found]
