"""Data types by their three names: NumPy's, torch's, and the number they have in files."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import numpy as np
import torch

from ..error import MXNetDtypeError
from .literals import shorten

#: bfloat16 has no NumPy type of its own; MXNet shows it as a one-field record of uint16, and so do we.
bfloat16 = np.dtype([("bfloat16", np.uint16)])

# name, torch, NumPy scalar type (what NDArray.dtype returns), number in files
_TABLE: tuple[tuple[str, torch.dtype, Any, int], ...] = (
    ("float32", torch.float32, np.float32, 0),
    ("float64", torch.float64, np.float64, 1),
    ("float16", torch.float16, np.float16, 2),
    ("uint8", torch.uint8, np.uint8, 3),
    ("int32", torch.int32, np.int32, 4),
    ("int8", torch.int8, np.int8, 5),
    ("int64", torch.int64, np.int64, 6),
    ("bool", torch.bool, np.bool_, 7),
    ("bfloat16", torch.bfloat16, bfloat16, 12),
)

NAME_OF = {t: name for name, t, _, _ in _TABLE}
TORCH_OF_NAME = {name: t for name, t, _, _ in _TABLE}
NUMPY_OF = {t: n for _, t, n, _ in _TABLE}
FLAG_OF = {t: flag for _, t, _, flag in _TABLE}
TORCH_OF_FLAG = {flag: t for _, t, _, flag in _TABLE}
_CACHE: dict[object, torch.dtype] = {}
#: What NumPy's names of one type look like. It reads more: lists of types, whose numbers are evaluated as Python.
_NAME = re.compile(r"[<>=|]?[\w?]{1,20}", re.ASCII)

FLOATS = frozenset((torch.float16, torch.float32, torch.float64, torch.bfloat16))


def torch_dtype(dtype: object) -> torch.dtype:
    """The torch dtype meant by ``dtype``: a name, a NumPy or torch dtype, a type such as ``float``, or an array."""
    try:
        return _CACHE[dtype]
    except (KeyError, TypeError):
        pass
    if not isinstance(dtype, type) and isinstance(of_array := getattr(dtype, "dtype", None), type | np.dtype):
        return torch_dtype(of_array)
    if isinstance(dtype, torch.dtype):
        found = dtype if dtype in NAME_OF else None
    elif isinstance(dtype, str) and dtype in TORCH_OF_NAME:
        found = TORCH_OF_NAME[dtype]
    else:
        numpy_dtype = None
        if not isinstance(dtype, str) or _NAME.fullmatch(dtype):
            with suppress(TypeError):
                numpy_dtype = np.dtype(dtype)  # type: ignore[call-overload]
        if numpy_dtype == bfloat16:
            found = torch.bfloat16
        else:
            found = TORCH_OF_NAME.get(numpy_dtype.name) if numpy_dtype is not None else None
    if found is None:
        raise MXNetDtypeError(f"dtype {shorten(dtype)} is not supported: expected one of {', '.join(TORCH_OF_NAME)}")
    try:
        _CACHE[dtype] = found
    except TypeError:  # an unhashable spelling; it was found all the same
        return found
    return found


def dtype_name(dtype: object) -> str:
    """MXNet's name of a dtype, or of an array's."""
    return NAME_OF[torch_dtype(dtype)]
