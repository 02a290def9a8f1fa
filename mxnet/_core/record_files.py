"""The files that record files are read from and written to: read ahead, and complete when they appear."""

from __future__ import annotations

import io
import os
from contextlib import ExitStack
from typing import Any

from ..error import MXNetError, MXNetFileError
from .files import file_error, new_file, open_device, put_in_place, reading

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
        self._failure: OSError | None = None
        self._complete = False
        device = open_device(name)
        self._pending = new_file(name) if device is None else None
        # Those who have a temporary file open hold its lock: it is closed by ``discard``.
        self._file = (
            open(device, "wb", buffering=0)
            if device is not None
            else open(self._pending.handle, "wb", buffering=0, closefd=False)  # type: ignore[union-attr]
        )

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
            raise file_error("write", self._name, error) from error
        self._buffer.clear()

    def complete(self) -> None:
        """Writes all that is left, so that nothing but its name is missing."""
        if self._failure is not None:
            raise file_error("write", self._name, self._failure) from self._failure
        if self._complete:
            return
        try:
            self._flush()
            self._file.close()
            if self._pending:
                self._pending.complete(sync=True)  # the work of hours
        except OSError as error:
            self._failure = error
            raise error if isinstance(error, MXNetError) else file_error("write", self._name, error) from error
        self._complete = True

    def close(self, keep: bool) -> None:
        """Closes the file and, with ``keep``, puts it in its place; else what was written is removed."""
        pending = self._pending
        try:
            if keep:
                self.complete()
                if pending:
                    put_in_place(pending)
                    pending = None  # who has published it has closed it
        finally:
            self._file.close()
            if pending:
                pending.discard()
