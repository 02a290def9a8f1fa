"""Where the memory of arrays comes from on Linux: a pool for large ones (pool.c), and glibc, which is tuned.

A program frees its values as it goes and asks for the same sizes again in the next run. glibc gives large blocks back
to the system at once, so that each run pays for new pages, and leaves holes between aligned blocks, up to half of the
memory of a training. The pool does neither. It is in large pages: with those of 4 KiB a core looks up addresses instead
of computing. Where the pool cannot be (no C compiler, another C library or allocator), glibc is set up to do its best.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from typing import Any

from .._core import cgroup, config
from . import loaded

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _MADV_HUGEPAGE = -1, -3, 14
#: Free memory that glibc keeps, and the size from which a block is the system's own.
_KEEP, _LARGE = 512 << 20, 128 << 20
#: How much of glibc's heap is asked to be in large pages. It takes addresses only, until it is used.
_IN_LARGE_PAGES, _LARGE_PAGE = 384 << 20, 2 << 20
#: The part of the memory, of the machine or its container, that the pool keeps free if it is more than that; and the
#: largest part that is kept at all.
_KEPT_PART, _MOST_PART = 8, 4


def _is_tuned() -> bool:
    """Has the user decided how glibc allocates?"""
    tunables = os.environ.get("GLIBC_TUNABLES", "")
    return "glibc.malloc" in tunables or any(name.startswith("MALLOC_") for name in os.environ)


def _kept(limit: int | None) -> int:
    """How many freed bytes stay with the process, where its container may use so many."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    memory = min(memory, limit or memory)
    return min(max(_KEEP, memory // _KEPT_PART), memory // _MOST_PART)


@functools.cache
def install_pool() -> bool:
    """Makes PyTorch take the memory of large arrays from the pool, once, and tells whether it does.

    It does not if MXNET_MEMORY_POOL or MXNET_NATIVE is 0, if variables of glibc's tune it, if another allocator was
    preloaded, or if the addresses that the process may have are limited (``ulimit -v``).
    """
    library = None if _is_tuned() or not config.MEMORY_POOL.get() else loaded()
    if library is None or not sys.platform.startswith("linux"):
        return False
    install = library.file.pool_install
    install.argtypes = [ctypes.c_int64]
    return bool(install(_kept(cgroup.memory_limit())))


def pool_state() -> dict[str, int] | None:
    """What the pool has, in bytes: ``used`` by arrays, ``cached`` for the next ones, ``end`` of the highest block; and
    the number of ``blocks``. None if there is no pool.
    """
    library = loaded() if install_pool() else None
    if library is None:
        return None
    found = (ctypes.c_int64 * 4)()
    library.file.pool_state(found)
    return dict(zip(("used", "cached", "end", "blocks"), found, strict=True))


def release_cached() -> None:
    """Gives the memory that the pool has cached back to the system."""
    library = loaded() if install_pool() else None
    if library is not None:
        library.file.pool_release()


@functools.cache
def keep_freed_memory() -> bool:
    """Tells glibc to keep freed memory, once. Whoever set MALLOC_* or glibc.malloc variables has decided already."""
    if not sys.platform.startswith("linux") or _is_tuned():
        return False
    library = ctypes.CDLL(None)
    mallopt = getattr(library, "mallopt", None)  # other C libraries have none
    if mallopt is None or not mallopt(_M_TRIM_THRESHOLD, min(_KEEP, _kept(cgroup.memory_limit()))):
        return False
    if not install_pool():
        mallopt(_M_MMAP_THRESHOLD, 2 * _IN_LARGE_PAGES)
        _ask_for_large_pages(library)
    return bool(mallopt(_M_MMAP_THRESHOLD, _LARGE))


def _ask_for_large_pages(library: Any) -> None:
    """Makes the heap grow by one block that is then free, in which the system may use large pages if it has any."""
    library.malloc.restype, library.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    library.free.argtypes = [ctypes.c_void_p]
    library.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    block = library.malloc(_IN_LARGE_PAGES)
    if block is None:
        return
    start = -(-block // _LARGE_PAGE) * _LARGE_PAGE
    library.madvise(start, block + _IN_LARGE_PAGES - _LARGE_PAGE - start, _MADV_HUGEPAGE)
    library.free(block)
