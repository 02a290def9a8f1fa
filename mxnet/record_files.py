"""The files that record files are read from and written to: read ahead, and complete when they appear."""

from __future__ import annotations

import io
import os
import tempfile
from contextlib import ExitStack
from typing import Any

from .error import MXNetError, MXNetFileError
from .files import _mode_of, _remote, reading

AHEAD = 1 << 18  # bytes read at once from a file that is read in order


class Input:
    """A file opened for reading at any offset, with a window of bytes that were read ahead."""

    def __init__(self, name: str):
        self._files = ExitStack()
        self._stream, self.size = self._files.enter_context(reading(name))
        # pread has no position that threads, or parents and children, could share.
        self._file = (
            self._stream.fileno() if isinstance(self._stream, io.BufferedReader) and hasattr(os, "pread") else -1
        )
        self._name = name
        self._ahead = 1 << 14
        self.window: tuple[int, bytes] = (0, b"")

    def read_at(self, position: int, size: int) -> bytes:
        """The bytes at a position; fewer at the end of the file."""
        try:
            if self._file >= 0:
                return os.pread(self._file, size, position)
            self._stream.seek(position)
            return self._stream.read(size)
        except OSError as error:
            raise MXNetFileError(f"cannot read {self._name!r}: {error.strerror or error}") from error

    def load(self, position: int, needed: int) -> bytes:
        """At least ``needed`` bytes from an offset, if the file has them; more and more when it is read in order."""
        start, window = self.window
        if start <= position <= start + len(window):
            self._ahead = min(self._ahead * 2, AHEAD)
        else:  # somewhere else: the next record may well be as long as the last one
            self._ahead = max(4096, needed)
        loaded = self.read_at(position, max(needed, self._ahead))
        self.window = (position, loaded)
        return loaded

    def close(self, keep: bool) -> None:
        """Closes the file; ``keep`` is for files that are written."""
        self._files.close()


class Output:
    """A file that appears under its name when it is closed.

    Its buffer is its own, so that a forked child that drops it writes nothing.
    """

    def __init__(self, name: str):
        self._name = name
        self._buffer = bytearray()
        self._remote = "://" in name
        self._target = name if self._remote else os.path.realpath(name)
        self._temporary: str | None = None
        try:
            if self._remote:
                handle, self._temporary = tempfile.mkstemp(prefix="mxnet-", suffix=".tmp")
            elif os.path.exists(name) and not os.path.isfile(name):  # a device or a pipe: nothing to replace
                handle = os.open(name, os.O_WRONLY)
            else:
                directory, base = os.path.split(self._target)
                handle, self._temporary = tempfile.mkstemp(dir=directory, prefix=f".{base}.", suffix=".tmp")
        except OSError as error:
            raise self._error(error) from error
        self._file = open(handle, "wb", buffering=0)
        self._failure: OSError | None = None

    def _error(self, error: OSError) -> MXNetError:
        return MXNetFileError(f"cannot write {self._name!r}: {error.strerror or error}")

    def write(self, head: bytes, data: Any) -> None:
        """Appends two pieces of bytes."""
        buffer = self._buffer
        buffer += head
        buffer += data
        if len(buffer) > AHEAD:
            self._flush()

    def _flush(self) -> None:
        try:
            with memoryview(self._buffer) as view:
                done = 0
                while done < len(view):
                    done += self._file.write(view[done:])
        except OSError as error:
            self._failure = error  # it is not known what was written: this file will not be one
            raise self._error(error) from error
        self._buffer.clear()

    def complete(self) -> None:
        """Writes all that is left, so that nothing but its name is missing."""
        if self._failure is not None:
            raise self._error(self._failure) from self._failure
        if self._file.closed:
            return
        try:
            self._flush()
            if self._temporary:
                os.fsync(self._file.fileno())
            self._file.close()
        except OSError as error:
            self._failure = error
            raise error if isinstance(error, MXNetError) else self._error(error) from error

    def close(self, keep: bool) -> None:
        """Closes the file and, with ``keep``, puts it in its place; else what was written goes."""
        try:
            if keep:
                self.complete()
                if self._temporary:
                    self._publish(self._temporary)
        except OSError as error:
            if isinstance(error, MXNetError):
                raise
            raise self._error(error) from error
        finally:
            self._file.close()
            if self._temporary and os.path.exists(self._temporary):
                os.unlink(self._temporary)

    def _publish(self, temporary: str) -> None:
        if self._remote:
            filesystem, place = _remote(self._name)
            filesystem.put_file(temporary, place)
        else:
            os.chmod(temporary, _mode_of(self._target))
            os.replace(temporary, self._target)
