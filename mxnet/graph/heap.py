"""Keeps the memory of one run for the next.

A program frees its values as it goes and asks for the same sizes again in the next run. glibc gives large blocks back
to the system at once, so that each run pays for new pages: a fifteenth of the time of a ResNet-50 that predicts.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
#: Free memory that the process keeps, and the size from which a block is the system's own.
_KEEP, _LARGE = 512 << 20, 128 << 20


@functools.cache
def keep_freed_memory() -> bool:
    """Tells glibc to keep freed memory, once. Whoever set MALLOC_* or glibc.malloc variables has decided already."""
    if not sys.platform.startswith("linux") or "glibc.malloc" in os.environ.get("GLIBC_TUNABLES", ""):
        return False
    if any(name.startswith("MALLOC_") for name in os.environ):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries have none
    if mallopt is None:
        return False
    return bool(mallopt(_M_MMAP_THRESHOLD, _LARGE)) and bool(mallopt(_M_TRIM_THRESHOLD, _KEEP))
