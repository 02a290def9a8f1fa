"""Record files: many small pieces of data, most often images, in one file that is fast to read.

A record is written as one or more parts; each part is a magic number, a word with its length and its place in the
record, the data, and zeros up to a multiple of four bytes. Where the data holds the magic number itself at a multiple
of four bytes, the record is cut there and the magic number is left out. A reader that lost its way can therefore look
for the next magic number.
"""

from __future__ import annotations

import numbers
import os
import struct
from collections import namedtuple
from collections.abc import Iterator
from typing import Any

import numpy as np

from ._core.files import path_name, reading, writing_together
from ._core.pixels import decode_pixels
from ._core.record_files import AHEAD, Input, Output
from .error import MXNetAssertionError, MXNetError, MXNetFileError, MXNetKeyError, MXNetValueError

__all__ = [
    "MXRecordIO",
    "MXIndexedRecordIO",
    "IRHeader",
    "pack",
    "unpack",
    "pack_img",
    "unpack_img",
]

_MAGIC_NUMBER = 0xCED7230A
_MAGIC = struct.pack("<I", _MAGIC_NUMBER)
_HEAD = struct.Struct("<II")
_LENGTH = (1 << 29) - 1
_WHOLE, _FIRST, _MIDDLE, _LAST = range(4)
_LARGE = 1 << 15  # a record of that many bytes is not read ahead
_GLANCE = 256  # bytes of a record that are looked at before the rest of it is copied
_SHORTER = "the file became shorter while it was read"
_PADS = (b"", b"\0\0\0", b"\0\0", b"\0")


class _Damage(Exception):
    """What is wrong with a record, and where in the file."""

    def __init__(self, reason: str, position: int):
        super().__init__(reason)
        self.position = position


def _cuts(data: Any) -> list[int]:
    """Where the magic number stands in data, at multiples of four bytes."""
    if len(data) < 2048:  # for short data cheaper than NumPy
        data = bytes(data)
        at = data.find(_MAGIC)
        found = []
        while at >= 0:
            if not at & 3:
                found.append(at)
            at = data.find(_MAGIC, at + 1)
        return found
    words = np.frombuffer(data, "<u4", len(data) >> 2) == _MAGIC_NUMBER
    return (np.flatnonzero(words) * 4).tolist() if words.any() else []


class MXRecordIO:
    """A record file, read or written from its beginning to its end.

    ``flag`` is 'r' or 'w'. A path with a scheme (``s3://bucket/data.rec``) goes through fsspec. Use it in a ``with``
    statement, or call ``close()``. ``for record in reader`` gives the records that are left.

    A file that is being written has a temporary name beside its final one, which it gets from ``close()``, whole; if a
    ``with`` statement is left by an exception, it is not made at all, and an older file of that name stays.

    A damaged record raises ``MXNetError`` with the file, the record's number and its offset, and the next ``read()``
    continues after the damage. With ``on_error='skip'`` damaged places are passed over by ``read()`` and counted in
    ``skipped``; a record that is asked for by its key still raises.

    A reader may be pickled, which opens the file again from its beginning, and used after a fork, where each process
    has its own position; a writer may not.
    """

    def __init__(self, uri: object, flag: str, *, on_error: str = "raise"):
        self.uri = path_name(uri)
        self.flag = flag
        self.handle: Any = None
        self.pid: int | None = None
        self.is_open = False
        if on_error not in ("raise", "skip"):
            raise MXNetValueError(f"on_error must be 'raise' or 'skip', got {on_error!r}")
        self.on_error = on_error
        self.skipped = 0
        self.open()

    def open(self) -> None:
        """Opens the file: a reader at its beginning, a writer anew."""
        if self.flag not in ("r", "w"):
            raise MXNetValueError(f"Invalid flag {self.flag}: 'r' for reading or 'w' for writing was expected")
        self.writable = self.flag == "w"
        self.handle = Output(self.uri) if self.writable else Input(self.uri)
        self.pid = os.getpid()
        self.is_open = True
        self._rewind()

    def _rewind(self) -> None:
        self._position = 0
        self._start = 0  # of the record that was read last
        self._record = 0
        self._lost: int | None = None  # where reading shall look for the next record
        self.skipped = 0

    def close(self) -> None:
        """Closes the file; a file that was written appears under its name now."""
        self._finish(True)

    def _finish(self, keep: bool) -> None:
        if not self.is_open:
            return
        self.is_open = False
        handle, self.handle = self.handle, None
        mine = self.pid == os.getpid()  # a child must not finish the file that its parent writes
        self.pid = None
        if mine or not self.writable:
            handle.close(keep)

    def __del__(self) -> None:
        if getattr(self, "is_open", False):
            self._finish(getattr(self.handle, "_failure", None) is None)  # which was reported to its user

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._finish(kind is None)

    def __getstate__(self) -> dict[str, Any]:
        if self.is_open and self.writable:
            raise MXNetError(f"{self.uri}: a record file cannot be pickled while it is written")
        state = self.__dict__.copy()
        state["handle"] = state["pid"] = None
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        was_open = state["is_open"]
        self.__dict__.update(state, is_open=False)
        if was_open:
            self.open()

    def reset(self) -> None:
        """Goes back to the beginning: a reader reads again, a writer discards what it wrote."""
        self._check(self.writable)
        if self.writable:
            self._finish(False)
            self.open()
        else:
            self._rewind()

    def _check(self, writing: bool) -> None:
        if self.writable != writing:
            wanted = "'w' for writing" if writing else "'r' for reading"
            raise MXNetAssertionError(f"{self.uri} was opened with flag {self.flag!r}, this needs {wanted}")
        if not self.is_open:
            raise MXNetError(f"{self.uri} is closed")
        if self.pid != os.getpid():
            if writing:
                raise MXNetError(f"Forbidden operation in multiple processes: {self.uri} is written by another process")
            self.handle = Input(self.uri)
            self.pid = os.getpid()

    # ---- writing -----------------------------------------------------------------------------------------------------

    def write(self, buf: Any) -> None:
        """Adds a record: bytes, or anything else that has its bytes in one piece."""
        self._check(True)
        data = buf if isinstance(buf, bytes) else memoryview(buf).cast("B")
        size = len(data)
        if size > _LENGTH:
            raise MXNetValueError(f"{self.uri}: RecordIO only accept record less than 2^29 bytes, this one has {size}")
        put = self.handle.write
        cuts = _cuts(data)
        start = 0
        for cut in cuts:
            put(_HEAD.pack(_MAGIC_NUMBER, (_MIDDLE if start else _FIRST) << 29 | cut - start), data[start:cut])
            start = cut + 4
        length = size - start
        put(_HEAD.pack(_MAGIC_NUMBER, (_LAST if cuts else _WHOLE) << 29 | length), data[start:] if start else data)
        if size & 3:
            put(_PADS[size & 3], b"")
        self._position += 8 * (len(cuts) + 1) + size - 4 * len(cuts) + (-size & 3)
        self._record += 1

    # ---- reading -----------------------------------------------------------------------------------------------------

    def read(self) -> Any:
        """The next record, or None at the end of the file."""
        if not self.is_open or self.writable or self.pid != os.getpid():
            self._check(False)
        if self._lost is not None:
            self._position, self._lost = self._next_record(self._lost), None
        while self._position < self.handle.size:
            position = self._position
            try:
                data, self._position = self._read_at(position)
            except _Damage as damage:
                self._lost = max(position + 1, damage.position)
                number, self._record = self._record, self._record + 1
                if self.on_error == "raise":
                    raise self._error(f"record {number} at offset {position}", damage) from None
                self.skipped += 1
                self._position, self._lost = self._next_record(self._lost), None
                continue
            self._record += 1
            self._start = position
            return data
        return None

    def __iter__(self) -> Iterator[bytes]:
        while (record := self.read()) is not None:
            yield record

    def tell(self) -> int:
        """The offset of the next record to be written or read."""
        return self._position

    def _error(self, which: str, damage: _Damage | str) -> MXNetError:
        return MXNetFileError(f"{self.uri}: {which} is damaged: {damage}")

    def _read_at(self, position: int) -> tuple[bytes, int]:
        """Returns the record at an offset, and the offset after it."""
        place, data, end = self._part_at(position)
        if place == _WHOLE:
            return data, end
        if place != _FIRST:
            raise _Damage("it begins with a continuation of another record", position)
        parts = [data]
        while place != _LAST:
            start = end
            if start >= self.handle.size:
                raise _Damage("the file ends within the record", start)
            place, data, end = self._part_at(start)
            if place not in (_MIDDLE, _LAST):
                raise _Damage(f"its continuation at offset {start} is missing, another record begins there", start)
            parts.append(data)
        return _MAGIC.join(parts), end

    def _part_at(self, position: int) -> tuple[int, bytes, int]:
        source = self.handle
        start, window = source.window
        at = position - start
        if at < 0 or at + 8 > len(window):
            window = source.load(position, 8)
            at = 0
            if len(window) < 8:
                raise _Damage("the file ends within its header", position)
        magic, word = _HEAD.unpack_from(window, at)
        if magic != _MAGIC_NUMBER:
            raise _Damage("there is no magic number; it, or the length of the record before it, is wrong", position)
        place, length = word >> 29, word & _LENGTH
        if place > _LAST:
            raise _Damage(f"its kind of part is {place}, which does not exist", position)
        begin = at + 8
        end = begin + length + (-length & 3)
        is_there = end <= len(window)
        if not is_there and end - begin > (left := source.size - position - 8):
            raise _Damage(f"its header says {length} bytes, but only {left} bytes are left in the file", position)
        self._refuse_cuts(position, window[begin : begin + min(length, _GLANCE)])
        if not is_there:
            if length >= _LARGE:  # straight into its own memory
                return place, self._large_part(position, length), position + end - at
            window = source.load(position, end - at)
            if len(window) < 8 + length:
                raise _Damage(_SHORTER, position)
            begin = 8
        data = window[begin : begin + length]
        if length > _GLANCE or not is_there:
            self._refuse_cuts(position, data)
        return place, data, position + end - at

    def _large_part(self, position: int, length: int) -> bytes:
        """The data of a part with much of it, read in pieces, each twice as long as the one before.

        A length that is wrong is noticed by the first piece that another record begins in: however many records of a
        file say that they go on to its end, it is read about twice.
        """
        pieces, done, size = [], 0, _LARGE
        while done < length:
            piece = self.handle.read_at(position + 8 + done, min(size, length - done))
            if len(piece) < min(size, length - done):
                raise _Damage(_SHORTER, position)
            self._refuse_cuts(position, piece, done)
            pieces.append(piece)
            done, size = done + len(piece), done + len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    @staticmethod
    def _refuse_cuts(position: int, data: bytes, before: int = 0) -> None:
        cuts = _cuts(data)
        if cuts:  # never written that way: the length runs over the heads of other records
            raise _Damage(f"another record begins within it, at offset {position + 8 + before + cuts[0]}", position)

    def _next_record(self, position: int) -> int:
        """Returns the start of the next record after a damaged place, or the end of the file."""
        source, size = self.handle, 512  # it is most often near; if not, more and more is looked at
        while position < source.size - 7:
            chunk = source.read_at(position, size)
            size = min(2 * size, AHEAD)
            at = chunk.find(_MAGIC)
            while at >= 0:
                if self._plausible(position + at):
                    return position + at
                at = chunk.find(_MAGIC, at + 1)
            position += max(len(chunk) - 3, 1)
        return source.size

    def _plausible(self, position: int) -> bool:
        head = self.handle.read_at(position, 8)
        if len(head) < 8:
            return False
        place, length = _HEAD.unpack(head)[1] >> 29, _HEAD.unpack(head)[1] & _LENGTH
        end = position + 8 + length + (-length & 3)
        if place not in (_WHOLE, _FIRST) or end > self.handle.size:
            return False
        # Data may hold the magic number at other places than multiples of four: there, the next record must follow.
        return not position & 3 or end == self.handle.size or self.handle.read_at(end, 4) == _MAGIC


class MXIndexedRecordIO(MXRecordIO):
    """A record file with an index: lines of a key, a tab and the offset of its record, read in any order.

    ``keys`` is the list of keys in the order of the index file, ``idx`` gives the offset of a key. ``key_type`` makes a
    key from its text. All else is as in ``MXRecordIO``; ``read_idx`` may be called from several threads at once.
    """

    def __init__(self, idx_path: object, uri: object, flag: str, key_type: type = int, *, on_error: str = "raise"):
        self.idx_path = path_name(idx_path)
        self.key_type = key_type
        self.idx: dict[Any, int] = {}
        self.keys: list[Any] = []
        super().__init__(uri, flag, on_error=on_error)

    def open(self) -> None:
        """Opens both files."""
        super().open()
        self.idx, self.keys = {}, []
        if not self.writable:
            try:
                self._read_index()
            except BaseException:
                self.close()
                raise

    def _read_index(self) -> None:
        with reading(self.idx_path) as (stream, _):
            content = stream.read()
        number, line = 0, ""
        try:
            for line in content.decode().splitlines():
                number += 1
                if not line.strip():
                    continue
                key, offset = line.strip().split("\t")
                name = self.key_type(key)
                self.keys.append(name)
                self.idx[name] = int(offset)
        except UnicodeDecodeError:
            raise MXNetFileError(f"{self.idx_path} is not an index: it is not text") from None
        except ValueError as error:
            raise MXNetFileError(
                f"{self.idx_path}: line {number} is {line[:80]!r}; a key of type {self.key_type.__name__}, a tab and "
                "an offset were expected"
            ) from error

    def _finish(self, keep: bool) -> None:
        if not (self.is_open and self.writable and keep and self.pid == os.getpid()):
            return super()._finish(keep)
        index = None
        try:
            with writing_together():  # a new file never stands beside an old one
                index = Output(self.idx_path)
                index.write("".join(f"{key}\t{offset}\n" for key, offset in self._written).encode(), b"")
                index.complete()
                super()._finish(True)
                index.close(True)
        except BaseException:
            super()._finish(False)
            if index is not None:
                index.close(False)
            raise
        return None

    def _rewind(self) -> None:
        super()._rewind()
        self._written: list[tuple[Any, int]] = []

    def seek(self, idx: object) -> None:
        """Makes the record of a key the next one to be read."""
        self._check(False)
        self._position, self._lost = self._find(idx), None
        self._record = -1

    def _find(self, idx: object) -> int:
        if idx not in self.idx:
            known = ", ".join(map(repr, self.keys[:3])) + (", ..." if len(self.keys) > 3 else "")
            raise MXNetKeyError(f"{self.idx_path} has no record {idx!r}; its {len(self.keys)} key(s): {known}")
        return self.idx[idx]

    def read_idx(self, idx: object) -> bytes:
        """The record of a key; ``read()`` then returns the next one."""
        if not self.is_open or self.writable or self.pid != os.getpid():
            self._check(False)
        position = self._find(idx)
        try:
            if not 0 <= position < self.handle.size:
                raise _Damage(f"the file has {self.handle.size} bytes only; is this its index?", position)
            data, end = self._read_at(position)
        except _Damage as damage:
            which = f"the record with key {idx!r} at offset {position}"
            raise self._error(which, f"{damage} (the offset is that of {self.idx_path})") from None
        self._position, self._lost = end, None
        return data

    def write_idx(self, idx: object, buf: object) -> None:
        """Adds a record under a key."""
        position = self._position
        self.write(buf)
        key = self.key_type(idx)
        self.idx[key] = position
        self.keys.append(key)
        self._written.append((key, position))


# ---- what image records hold ----------------------------------------------------------------------------------------

HEADER = namedtuple("HEADER", ["flag", "label", "id", "id2"])  # pickle looks for it by its own name
IRHeader = HEADER
IRHeader.__doc__ = """The head of an image record.

``label`` is a number, or an array; ``flag`` is then the number of its elements and is set by ``pack``. ``id`` is the
image's number and ``id2`` the upper half of it, most often 0.
"""

_IR_FORMAT = "<IfQQ"
_IR_HEAD = struct.Struct(_IR_FORMAT)
_IR_SIZE = _IR_HEAD.size


def pack(header: Any, s: bytes) -> bytes:
    """A record of a header and the bytes of an image.

    >>> record = mx.recordio.pack(mx.recordio.IRHeader(0, [1, 2, 3], 2574, 0), b"a picture")
    >>> header, content = mx.recordio.unpack(record)
    >>> header.label, header.id, content
    (array([1., 2., 3.], dtype=float32), 2574, b'a picture')
    """
    _, label, number, number2 = header
    if isinstance(label, numbers.Number):
        head = _IR_HEAD.pack(0, float(label), number, number2)  # type: ignore[arg-type]
    else:
        label = np.asarray(label, np.float32)
        head = _IR_HEAD.pack(label.size, 0.0, number, number2) + label.tobytes()
    return head + s


def unpack(s: bytes) -> tuple[IRHeader, bytes]:
    """The header and the bytes of the image of a record made by ``pack``."""
    if len(s) < _IR_SIZE:
        raise MXNetValueError(f"an image record has at least {_IR_SIZE} bytes, this one has {len(s)}")
    flag, label, number, number2 = _IR_HEAD.unpack_from(s)
    end = _IR_SIZE + 4 * flag
    if flag:
        if end > len(s):
            raise MXNetValueError(f"an image record with {flag} labels has at least {end} bytes, this one has {len(s)}")
        label = np.frombuffer(s, np.float32, flag, _IR_SIZE)
    return IRHeader(flag, label, number, number2), s[end:]


def pack_img(header: object, img: np.ndarray, quality: int = 95, img_fmt: str = ".jpg") -> bytes:
    """A record of a header and an image (height, width, BGR channels), which is encoded here.

    ``quality`` is that of JPEG, 1 to 100; PNG takes it as its compression, 1 to 9.
    """
    import cv2

    kind = img_fmt.lower()
    parameters = []
    if kind in (".jpg", ".jpeg"):
        parameters = [cv2.IMWRITE_JPEG_QUALITY, quality]
    elif kind == ".png":
        parameters = [cv2.IMWRITE_PNG_COMPRESSION, quality]
    try:
        done, encoded = cv2.imencode(img_fmt, img, parameters)
    except cv2.error as error:
        raise MXNetValueError(f"OpenCV cannot encode this as {img_fmt!r}: {error.err or error}") from error
    if not done:
        raise MXNetValueError(f"OpenCV cannot encode this as {img_fmt!r}")
    return pack(header, encoded.tobytes())


def unpack_img(s: bytes, iscolor: int = -1) -> tuple[IRHeader, np.ndarray | None]:
    """The header and the image (height, width, BGR channels) of a record; None for an image that cannot be decoded.

    ``iscolor`` is the flag of ``cv2.imdecode``: -1 as stored, 0 gray, 1 color.
    """
    header, encoded = unpack(s)
    if not encoded:
        raise MXNetValueError("the image record holds no image")
    try:
        return header, decode_pixels(np.frombuffer(encoded, np.uint8), iscolor)
    except ValueError as error:
        raise MXNetValueError(f"the image record with id {header.id}: {error}") from error
