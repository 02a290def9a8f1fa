"""Kernels of our own in C, for the few places where torch's are far from what a processor can do.

They are made when the package is installed, if there is a C compiler, once for each set of instructions (setup.py).
Where there is none, or with ``MXNET_NATIVE=0``, ``library()`` is None and operators use torch's kernels.
"""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import torch

_SIZE, _INT, _DOUBLE = ctypes.c_int64, ctypes.c_int, ctypes.c_double


def _array(*dtypes: torch.dtype) -> type:
    """A parameter that is a tensor of such a type on the CPU without gaps, or None for NULL."""
    names = " or ".join(str(dtype).removeprefix("torch.") for dtype in dtypes)

    class _Array:
        @classmethod
        def from_param(cls, value: torch.Tensor | None) -> ctypes.c_void_p | None:
            if value is None:
                return None
            if value.dtype not in dtypes or not value.is_cpu:
                raise TypeError(f"a kernel takes {names} arrays on the CPU, got {value.dtype} on {value.device}")
            return ctypes.c_void_p(value.data_ptr())

    return _Array


#: The types that labels may have, in the order of their numbers in C.
LABELS = torch.float32, torch.int64, torch.int32
_ARRAY, _LABEL, _BYTES = _array(torch.float32), _array(*LABELS), _array(torch.uint8)
#: The parameters of each function.
_SIGNATURES = {
    "batch_norm_forward": (*[_ARRAY] * 7, _SIZE, _SIZE, _DOUBLE, *[_INT] * 3),
    "batch_norm_backward": (*[_ARRAY] * 13, _SIZE, _SIZE, _DOUBLE, _DOUBLE, *[_INT] * 3),
    "cross_entropy_forward": (_ARRAY, _LABEL, _INT, _ARRAY, _ARRAY, _SIZE, _SIZE, _DOUBLE, _INT),
    "cross_entropy_backward": (_ARRAY, _LABEL, _INT, *[_ARRAY] * 3, _SIZE, _SIZE, _DOUBLE, _INT),
    "max_pool_forward": (_ARRAY, _ARRAY, _BYTES, *[_SIZE] * 6, _INT),
    "max_pool_backward": (_ARRAY, _BYTES, _ARRAY, *[_SIZE] * 6, _INT),
    "recurrent_forward": (*[_ARRAY] * 13, *[_SIZE] * 5, *[_INT] * 3),
    "recurrent_backward": (*[_ARRAY] * 14, *[_SIZE] * 5, *[_INT] * 3),
    "winograd_convolve": (*[_ARRAY] * 6, *[_SIZE] * 9, *[_INT] * 4, ctypes.c_void_p),
    "winograd_by_weight": (*[_ARRAY] * 5, *[_SIZE] * 9, *[_INT] * 2, ctypes.c_void_p),
    "winograd_weight": (*[_ARRAY] * 2, *[_SIZE] * 6, *[_INT] * 3),
}
#: The kernels that say so take rows of at least this many numbers: a vector of any set of instructions.
WIDEST = 16
#: Arrays with fewer numbers are left to one thread: waking the others takes longer.
_SMALL = 1 << 15


class Library:
    """The functions for this processor; each raises MemoryError if it finds no memory."""

    def __init__(self, path: Path):
        self.path = path
        loaded = ctypes.CDLL(str(path))
        for name, parameters in _SIGNATURES.items():
            function = getattr(loaded, name, None)
            if function is None:
                raise RuntimeError(f"{path.name} is older than the source: install again (pip install -e .)")
            function.argtypes, function.restype, function.errcheck = parameters, _INT, _check
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Callable[..., None]:
        raise AttributeError(f"there is no kernel {name}; there are {', '.join(_SIGNATURES)}")


def _check(result: int, function: Any, arguments: Any) -> None:
    if result:
        raise MemoryError(f"{function.__name__} found no memory")


@functools.cache
def library() -> Library | None:
    """The kernels, or None: operators must have another way."""
    if os.environ.get("MXNET_NATIVE", "1") in ("0", "false", "False"):
        return None
    for kind in (torch.backends.cpu.get_cpu_capability().lower(), "default"):
        for suffix in EXTENSION_SUFFIXES:
            path = Path(__file__).with_name(f"_{kind}{suffix}")
            if path.exists():
                return Library(path)
    return None


def kernels() -> Library:
    """The kernels, where ``library()`` has been seen not to be None."""
    found = library()
    assert found is not None
    return found


def threads(numbers: int) -> int:
    """How many threads to use for that many numbers."""
    return torch.get_num_threads() if numbers >= _SMALL else 1
