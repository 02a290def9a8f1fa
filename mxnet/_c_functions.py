"""Stand-ins for those C functions that programs call through ``mx.base._LIB``; they write to arguments by reference."""

from __future__ import annotations

import ctypes
from typing import Any

from . import engine, libinfo, operator, random
from .base import provide
from .context import num_gpus
from .ndarray import waitall

#: The C array of names that callers hold a pointer to.
_names: list[Any] = []


def _give(target: Any, value: Any) -> int:
    getattr(target, "_obj", target).value = value
    return 0


def _list_all_op_names(count: Any, array: Any) -> int:
    found = [name.encode() for name in operator.get_all_registered_operators()]
    _names[:] = [(ctypes.c_char_p * len(found))(*found)]
    pointer = getattr(array, "_obj", array)
    ctypes.pointer(pointer)[0] = ctypes.cast(_names[0], type(pointer))
    return _give(count, len(found))


def _version(version: Any) -> int:
    major, minor, patch = map(int, libinfo.__version__.split(".")[:3])
    return _give(version, major * 10000 + minor * 100 + patch)


def _set_bulk_size(size: Any, before: Any) -> int:
    return _give(before, engine.set_bulk_size(getattr(size, "value", size)))


def _seed(seed: Any) -> int:
    random.seed(getattr(seed, "value", seed))
    return 0


def _wait_all() -> int:
    waitall()
    return 0


provide("MXListAllOpNames", _list_all_op_names)
provide("MXGetVersion", _version)
provide("MXGetGPUCount", lambda count: _give(count, num_gpus()))
provide("MXEngineSetBulkSize", _set_bulk_size)
provide("MXRandomSeed", _seed)
provide("MXNDArrayWaitAll", _wait_all)
