"""Reading and writing files: atomically on local disks, and through fsspec anywhere else (``s3://``, ``hdfs://``)."""

from __future__ import annotations

import errno
import io
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO

from .error import MXNetError, MXNetFileError, MXNetFileNotFoundError, MXNetTypeError, MXNetValueError
from .literals import shortened

__all__ = ["path_name", "read_text", "reading", "writing"]


def path_name(path: Any) -> str:
    """A path as text; anything but text and ``os.PathLike`` is refused."""
    if isinstance(path, os.PathLike):
        path = os.fsdecode(path)
    if isinstance(path, str):
        if "\0" in path:
            raise MXNetFileError(f"a file name cannot have a NUL in it: {path[:200]!r}")
        return path
    raise MXNetTypeError(f"fname required to be a string, got {type(path).__name__}")


@contextmanager
def reading(path: Any) -> Iterator[tuple[BinaryIO, int]]:
    """``with reading(path) as (stream, size):`` opens a file, local or remote."""
    name = path_name(path)
    try:
        if "://" in name:
            filesystem, place = _remote(name)
            with filesystem.open(place, "rb", block_size=16 << 20) as stream:
                if stream.size is None:
                    content = stream.read()
                    yield io.BytesIO(content), len(content)
                else:
                    yield stream, stream.size
        else:
            with open(name, "rb", buffering=1 << 16) as stream:
                info = os.fstat(stream.fileno())
                if stat.S_ISREG(info.st_mode):
                    yield stream, info.st_size
                else:
                    content = stream.read()
                    yield io.BytesIO(content), len(content)
    except OSError as error:
        if isinstance(error, MXNetError):
            raise
        raise file_error("read", name, error) from error


def read_text(path: Any, encoding: str = "utf-8") -> str:
    """All text of a file; one that is not text is refused, with the offset of the first wrong byte."""
    with reading(path) as (stream, _):
        content = stream.read()
    try:
        return content.decode(encoding)
    except UnicodeError as error:
        raise MXNetFileError(f"{path}: byte {getattr(error, 'start', 0)} is not {encoding} text") from None
    except LookupError as error:
        raise MXNetValueError(f"{path}: {error}") from None


def file_error(action: str, name: str, error: OSError) -> MXNetFileError:
    """The system's error as ours; that a file is missing can still be told by the type."""
    kind = MXNetFileNotFoundError if isinstance(error, FileNotFoundError) else MXNetFileError
    return kind(f"cannot {action} {shortened(name, 1000)}: {error.strerror or error}")


@contextmanager
def writing(path: Any, size: int = 0) -> Iterator[BinaryIO]:
    """``with writing(path) as stream:`` writes a file that appears whole at the end, or not at all.

    A file that this process has open (``NamedTemporaryFile``, whose name was given) stays the same file, so that who
    has it open reads what was saved. A large file is written faster if its exact ``size`` in bytes is told in advance.
    """
    name = path_name(path)
    try:
        if "://" in name:
            filesystem, place = _remote(name)
            with tempfile.NamedTemporaryFile() as stream:
                yield stream  # type: ignore[misc]
                stream.flush()
                filesystem.put_file(stream.name, place)
        elif os.path.exists(name) and not os.path.isfile(name):  # a device or a pipe: nothing to replace
            with open(name, "wb") as device:
                yield device
        else:
            with _replacing(os.path.realpath(name), size) as file:
                yield file
    except OSError as error:
        if isinstance(error, MXNetError):
            raise
        raise file_error("write", name, error) from error


_LARGE = 1 << 20


@contextmanager
def _replacing(target: str, size: int) -> Iterator[BinaryIO]:
    directory, base = os.path.split(target)
    beside = True
    try:
        handle, temporary = tempfile.mkstemp(dir=directory, prefix=f".{base}.", suffix=".tmp")
    except PermissionError:
        if not os.access(target, os.W_OK):
            raise
        beside = False  # the file may be written to, and nothing may be made beside it
        handle, temporary = tempfile.mkstemp()
    try:
        with os.fdopen(handle, "wb", buffering=1 << 16) as stream:
            if size >= _LARGE and hasattr(os, "posix_fallocate"):
                os.posix_fallocate(handle, 0, size)
            yield stream
            stream.flush()
        if not beside or _is_open_here(target) or not _replaced(temporary, target):
            with open(temporary, "rb") as written, open(target, "wb") as file:
                shutil.copyfileobj(written, file, _LARGE)
            os.unlink(temporary)
    except BaseException:
        os.unlink(temporary)
        raise


def _replaced(temporary: str, target: str) -> bool:
    """Puts a file in the place of another; False if that must stay (mounted by itself, of somebody else)."""
    os.chmod(temporary, _mode_of(target))
    try:
        os.replace(temporary, target)
    except OSError as error:
        if error.errno in (errno.EBUSY, errno.EPERM, errno.EACCES) and os.access(target, os.W_OK):
            return False
        raise
    return True


def _is_open_here(target: str) -> bool:
    """Has this process a file open? False where the system does not tell."""
    try:
        wanted = os.stat(target)
        handles = os.listdir("/dev/fd")
    except OSError:
        return False
    for handle in handles:
        with suppress(OSError):  # it was that of the list, or was closed meanwhile
            if os.path.samestat(os.fstat(int(handle)), wanted):
                return True
    return False


def _mode_of(target: str) -> int:
    """The permissions a file is to have: those it had, or else the process's default ones."""
    try:
        return stat.S_IMODE(os.stat(target).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _remote(name: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError as error:
        raise MXNetError(f"{name!r} needs the package fsspec, and for S3 also s3fs: pip install s3fs") from error
    try:
        return fsspec.core.url_to_fs(name)
    except (ImportError, ValueError) as error:
        raise MXNetError(f"cannot open {name!r}: {error}") from error
