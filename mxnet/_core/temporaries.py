"""Temporary files beside the files that they replace: locked while written, removed when left over, renamed as a set.

A temporary of ``net.params`` is called ``.net.params.mxnet-0.tmp``. Whoever writes it holds a lock on it (``flock``),
which the system drops when a process ends, however it ends: a temporary that can be locked was left over by a process
that was killed. The next process that saves a file of that name removes it.

No file system renames several files at once. Before the files of a set are renamed, a record of the renames is written
(``.net.params.mxnet-set.tmp``). If the process is killed between two renames, the next one that reads or saves one of
the files finds the record and does the rest.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

try:
    import fcntl
except ImportError:  # Windows: nothing is locked, and nothing that may be left over is removed
    fcntl = None  # type: ignore[assignment]

__all__ = ["create", "path_to_read", "remove_left_over", "rename_all"]

_LONGEST = 100  # bytes; longer names are hashed, so that no limit of a file system is exceeded
_MOST_RECORD = 1 << 22  # bytes of a record of renames
_RECORD_WAIT = 5.0  # seconds to wait for another process that renames the files of a set
_UNTOUCHED = 24 * 3600  # seconds after which a temporary on a network file system counts as left over
# File systems whose locks hold for everyone who can write there; on a network file system they may hold for one host.
_LOCAL = frozenset("ext2 ext3 ext4 xfs btrfs tmpfs ramfs overlay aufs zfs f2fs bcachefs jfs reiserfs".split())


def _stem(target: str) -> str:
    """What the paths of all temporaries of a file begin with."""
    base = os.path.basename(target)
    beginning = target[: len(target) - len(base)]
    if len(base) > _LONGEST // 4 and len(encoded := os.fsencode(base)) > _LONGEST:
        base = hashlib.blake2b(encoded, digest_size=16).hexdigest()
    return f"{beginning}.{base}.mxnet-"


# ---- locks ----------------------------------------------------------------------------------------------------------


def _try_lock(handle: int, wait: float) -> bool:
    """Locks an open file; returns False if it is locked already or the file system has no locks."""
    if fcntl is None:
        return False
    until = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError as error:
            if not isinstance(error, BlockingIOError) or time.monotonic() >= until:
                return False
        time.sleep(0.001)


def _create_locked(path: str, mode: int) -> int | None:
    """Creates and locks a file; None if there is one of that name."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    except FileExistsError:
        return None
    if fcntl is not None:
        # Between these two lines another process may take the file for one left over. It then removes it.
        with suppress(OSError):  # no locks on this file system: its temporaries are never removed by others
            fcntl.flock(handle, fcntl.LOCK_EX)
    if os.fstat(handle).st_nlink:
        return handle
    os.close(handle)
    return None


@contextmanager
def _left_over(path: str, wait: float = 0) -> Iterator[os.stat_result | None]:
    """Locks an abandoned temporary file; yields None if it is in use, missing or unknown."""
    flags = os.O_NOFOLLOW | os.O_NONBLOCK if hasattr(os, "O_NOFOLLOW") else 0
    handle = -1
    for access in (os.O_RDWR, os.O_RDONLY):
        with suppress(OSError):
            handle = os.open(path, access | flags)
            break
    if handle < 0:
        yield None
        return
    try:
        found = os.fstat(handle)
        # Once it is locked, no other process renames or removes it; it may have been renamed before.
        locked = (
            stat.S_ISREG(found.st_mode) and _try_lock(handle, wait) and _identity(path) == _numbers(os.fstat(handle))
        )
        old = locked and (_is_local(path) or time.time() - found.st_mtime > _UNTOUCHED)
        yield os.fstat(handle) if old else None
    finally:
        os.close(handle)


def _is_local(path: str) -> bool:
    """Do locks in this directory hold for every process that can write there? False if unknown."""
    path, best, kind = os.path.realpath(path), "", ""
    with suppress(OSError), open("/proc/self/mountinfo", errors="surrogateescape") as mounts:
        for line in mounts:
            words = line.split(" ")
            point = re.sub(r"\\(\d{3})", lambda match: chr(int(match[1], 8)), words[4]).rstrip("/")
            if len(point) >= len(best) and (path + "/").startswith(point + "/"):
                best, kind = point, words[words.index("-") + 1]
    return kind in _LOCAL


# ---- temporaries ----------------------------------------------------------------------------------------------------


def create(target: str, mode: int) -> tuple[int, str]:
    """Creates a temporary for a file, given by its absolute path; left-over ones are removed."""
    stem = _stem(target)
    path = f"{stem}0.tmp"
    handle = _create_locked(path, mode)
    if handle is not None and not os.access(f"{stem}1.tmp", os.F_OK) and not os.access(f"{stem}set.tmp", os.F_OK):
        return handle, path
    directory, start = os.path.split(stem)
    remove_left_over(directory, start[1:])
    names = iter(("0", "1"))  # others write this file at the same time: any name will do
    while handle is None:
        path = f"{stem}{next(names, None) or secrets.token_hex(4)}.tmp"
        handle = _create_locked(path, mode)
    return handle, path


def remove_left_over(directory: str, start: str) -> None:
    """Finishes the sets of a directory, and removes left-over temporaries of files whose names begin with a text."""
    directory = os.path.abspath(directory)
    try:
        entries = os.listdir(directory)
    except OSError:  # files may be created there, but not listed
        return
    for entry in entries:
        if _is_record(entry):
            with suppress(OSError):
                _finish(os.path.join(directory, entry))
    for entry in entries:
        if entry.startswith(f".{start}") and ".mxnet-" in entry and entry.endswith(".tmp") and not _is_record(entry):
            path = os.path.join(directory, entry)
            with _left_over(path) as found, suppress(OSError):  # another user's, in a directory that protects them
                if found is not None:
                    os.unlink(path)


# ---- sets -----------------------------------------------------------------------------------------------------------

_Numbers = tuple[int, int, int]


def _numbers(info: os.stat_result) -> _Numbers:
    """Identifies a file and its version."""
    return info.st_ino, info.st_size, info.st_mtime_ns


def _identity(path: str) -> _Numbers | None:
    try:
        return _numbers(os.lstat(path))
    except FileNotFoundError:
        return None


def _is_record(entry: str) -> bool:
    return entry.startswith(".") and entry.endswith("set.tmp") and ".mxnet-" in entry


def rename_all(renames: Sequence[tuple[str, str]], rename: Callable[[str], None], sync: bool = False) -> None:
    """Renames temporaries, complete and still locked, to their files: all of them, even if the process is killed.

    ``rename`` renames one, and is given its path. Those of several directories are renamed one directory after
    the other.
    """
    by_directory: dict[str, list[tuple[str, str]]] = {}
    for temporary, target in renames:
        by_directory.setdefault(os.path.dirname(target), []).append((temporary, target))
    for directory, part in by_directory.items():
        handle, record = _record(part, sync) if len(part) > 1 else (-1, "")
        try:
            for temporary, _ in part:
                rename(temporary)
        finally:
            if record:
                os.unlink(record)
                os.close(handle)
        if sync:
            _sync_directory(directory)


def _record(renames: Sequence[tuple[str, str]], sync: bool) -> tuple[int, str]:
    """Writes the record of a set; it stays locked while its files are renamed, one process after the other."""
    stem = _stem(renames[0][1])
    path = f"{stem}set.tmp"
    until = time.monotonic() + _RECORD_WAIT
    while (handle := _create_locked(path, 0o666)) is None:
        before = _identity(path)
        with suppress(OSError):
            _finish(path, _RECORD_WAIT)
        if _identity(path) == before is not None or time.monotonic() > until:  # stopped, or unknown whether it lives
            path = f"{stem}{secrets.token_hex(4)}-set.tmp"
    steps = [
        (os.path.basename(temporary), os.path.basename(target), _identity(temporary), _identity(target))
        for temporary, target in renames
    ]
    try:
        os.write(handle, json.dumps(steps).encode() + b"\n")
        if sync:
            os.fsync(handle)
            _sync_directory(os.path.dirname(path))
    except BaseException:
        os.unlink(path)
        os.close(handle)
        raise
    return handle, path


def _sync_directory(directory: str) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _steps(record: str) -> list[tuple[str, str, list[int], list[int] | None]]:
    """The renames of a record; none if its process was killed before it was complete.

    Whoever can make a file in a directory can make a record there, as can an archive that is unpacked: what is no
    rename of a temporary to its own file, in the same directory, is left out.
    """
    with open(record, "rb") as stream:
        content = stream.read(_MOST_RECORD + 1)
    if not content.endswith(b"\n") or len(content) > _MOST_RECORD:
        return []
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return []
    return [tuple(step) for step in found if _is_step(step)] if isinstance(found, list) else []


def _is_step(step: object) -> bool:
    """Is this a rename as ``_record`` writes them?"""
    if not isinstance(step, list) or len(step) != 4:
        return False
    temporary, target, new, old = step
    return (
        isinstance(temporary, str)
        and isinstance(target, str)
        and target not in ("", os.curdir, os.pardir)
        and os.path.basename(target) == target
        and "\0" not in target
        and os.path.basename(temporary) == temporary
        and temporary.startswith(_stem(target))
        and re.fullmatch(r"(0|1|[0-9a-f]{8})\.tmp", temporary[len(_stem(target)) :]) is not None
        and _are_numbers(new)
        and (old is None or _are_numbers(old))
    )


def _are_numbers(value: object) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(type(number) is int for number in value)


def _finish(record: str, wait: float = 0, wanted: str | None = None) -> str | None:
    """Does the renames that a killed process has left undone, and removes their record.

    Who may not rename is given the temporary to read, if it is that of the file ``wanted``.
    """
    directory, instead, done = os.path.dirname(record), None, True
    with _left_over(record, wait) as locked:
        if locked is None:
            return None
        for old_base, new_base, new, old in _steps(record):
            temporary, target = os.path.join(directory, old_base), os.path.join(directory, new_base)
            with _left_over(temporary) as found:
                # If anybody has changed one of the two since, it is not touched.
                if found is None or [*_numbers(found)] != new or _identity(target) != (tuple(old) if old else None):
                    continue
                if not (_is_trusted(locked, target) and _is_trusted(found, target)):
                    continue
                try:
                    os.replace(temporary, target)
                except OSError:
                    done = False
                    if target == wanted:
                        instead = temporary
        if done:
            os.unlink(record)
    return instead


def _is_trusted(info: os.stat_result, target: str) -> bool:
    """Could its owner have changed the target himself? In ``/tmp`` anybody may make a file beside another one's."""
    if not hasattr(os, "geteuid") or info.st_uid in (0, os.geteuid()):
        return True
    try:
        return info.st_uid == os.lstat(target).st_uid
    except FileNotFoundError:
        return True


def path_to_read(name: str) -> str:
    """The path at which to read a file; what a killed process left undone in renaming its set is done before."""
    if os.path.islink(name):
        name = os.path.realpath(name)
    temporary = f"{_stem(name)}0.tmp"
    if not os.access(temporary, os.F_OK):  # nearly always
        return name
    with _left_over(os.path.abspath(temporary)) as found:
        if found is None:  # it is being saved
            return name
    target = os.path.abspath(name)
    directory = os.path.dirname(target)
    with suppress(OSError):
        for entry in os.listdir(directory):
            if _is_record(entry):
                with suppress(OSError):
                    if instead := _finish(os.path.join(directory, entry), 1.0, target):
                        return instead
    return name
