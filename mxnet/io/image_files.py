"""Where the records of image record files are, which a part of them is, and reading them from any thread."""

from __future__ import annotations

import math
import os
import struct
from bisect import bisect_left
from threading import Lock
from typing import NamedTuple

import numpy as np

from .._core.files import path_name, read_text
from ..error import MXNetFileError, MXNetValueError
from ..recordio import _FIRST, _HEAD, _LAST, _LENGTH, _MAGIC, _MAGIC_NUMBER, _MIDDLE, _WHOLE, MXRecordIO, _cuts

__all__ = ["Image", "ImageFiles", "read_image_list", "size_in_header"]

_IMAGE_HEAD = struct.Struct("<IfQQ")
_NOT_FIRST = "it does not begin with the beginning of a record"
_NOT_CONTINUED = "its continuation is missing, something else follows"


class Image(NamedTuple):
    """What a record holds: the number and labels of the image, and the bytes of its file."""

    number: int
    labels: np.ndarray
    content: np.ndarray


class ImageFiles:
    """The records of a file, of several (joined by ``;``), or of those in a directory: one of ``parts`` equal parts.

    With an index the parts have equally many records; without they are equally many bytes, as MXNet cuts them, and are
    divided into chunks of about ``chunk_size`` bytes. Records are found when they are asked for: a file that is read in
    order is not read twice.
    """

    def __init__(self, path: str, index: str = "", part: int = 0, parts: int = 1, chunk_size: int = 0):
        if not 0 <= part < parts:
            raise MXNetValueError(f"part_index must be at least 0 and less than num_parts={parts}, got {part}")
        names = [name for name in path_name(path).split(";") if name]
        if len(names) == 1 and os.path.isdir(names[0]):
            names = sorted(os.path.join(names[0], name) for name in os.listdir(names[0]))
            names = [name for name in names if os.path.isfile(name) and os.path.getsize(name)]
        self._readers = [MXRecordIO(name, "r") for name in names]
        self._lock = Lock()
        self._starts = [0]  # of the files, as if they were one
        for reader in self._readers:
            self._starts.append(self._starts[-1] + reader.handle.size)
        total = self._starts[-1]
        #: Offsets and lengths of the records that are known by now.
        self._places: list[tuple[int, int]] = []
        self.part, self.parts, self.indexed = part, parts, bool(index)
        #: Where this part ends.
        self.end = total
        self._next: int | None = 0
        self._chunks: list[int] = []  # where they begin
        if index:
            self._use_index(index, part, parts)
        elif parts > 1 or chunk_size:
            chunks = max(1, math.ceil(total / parts * 1.1 / chunk_size)) if chunk_size else 1
            *self._chunks, self.end = self._cuts(part * chunks, (part + 1) * chunks, parts * chunks)
            self._next = self._chunks[0]

    def _cuts(self, first: int, last: int, parts: int) -> list[int]:
        """Where records begin that are the first of parts ``first`` to ``last``, if there are so many parts."""
        total = self._starts[-1]
        step = -(-total // parts)
        step += -step % 4
        return [self._next_record(min(step * part, total)) for part in range(first, last + 1)]

    def chunks(self) -> list[tuple[int, int]]:
        """The first record and the end of each chunk: about as many bytes as were asked for, as MXNet cuts them."""
        count = self.count()
        offsets = [position for position, _ in self._places]
        first = [bisect_left(offsets, start) for start in self._chunks]
        return list(zip(first, [*first[1:], count], strict=True))

    def offset(self, record: int) -> int:
        """Where a record begins, or would begin if there were one more, as if all files were one."""
        return self._places[record][0] if self.has(record) else self.end

    def _use_index(self, path: str, part: int, parts: int) -> None:
        lines = read_text(path).split("\n")
        try:
            offsets = sorted(int(line.split("\t")[1]) for line in lines if line.strip())
        except (ValueError, IndexError):
            raise MXNetFileError(f"{path} is not an index: lines of a key, a tab and an offset were expected") from None
        if offsets and not 0 <= offsets[0] <= offsets[-1] < self.end:
            wrong = offsets[0] if offsets[0] < 0 else offsets[-1]
            raise MXNetFileError(f"{path}: offset {wrong} is not within the records; is it their index?")
        lengths = np.diff([*offsets, self.end]).tolist()
        step = -(-len(offsets) // parts)
        mine = slice(step * part, step * (part + 1))
        self._places = list(zip(offsets[mine], lengths[mine], strict=True))
        self._next = None

    def _next_record(self, position: int) -> int:
        """Returns the start of the first record at or after a position."""
        if position in self._starts or position >= self._starts[-1]:
            return position
        file = bisect_left(self._starts, position) - 1
        start = self._starts[file]
        return start + self._readers[file]._next_record(position - start)

    def _bytes(self, position: int, size: int) -> bytes:
        file = bisect_left(self._starts, position + 1) - 1
        handle = self._readers[file].handle
        if handle is None:
            raise MXNetFileError(f"{self._readers[file].uri} is closed")
        if handle._file < 0:  # not a local file: the position in it is shared
            with self._lock:
                return handle.read_at(position - self._starts[file], size)
        return handle.read_at(position - self._starts[file], size)

    def describe(self, record: int) -> str:
        """The file, number and offset of a record, for people."""
        position = self._places[record][0] if record < len(self._places) else self._next or 0
        file = min(bisect_left(self._starts, position + 1) - 1, len(self._readers) - 1)
        return f"{self._readers[file].uri}: record {record} at offset {position - self._starts[file]}"

    def has(self, record: int) -> bool:
        """Whether there is a record of that number; finds it."""
        while self._next is not None and len(self._places) <= record:
            position = self._next
            if position >= self.end:
                self._next = None
                break
            place, length = self._head(position)
            end = position + 8 + length + (-length & 3)
            if place > _FIRST:
                raise self._damage(_NOT_FIRST)
            while place not in (_WHOLE, _LAST):
                if end >= self.end:
                    raise self._damage("the file ends within it")
                place, length = self._head(end)
                if place not in (_MIDDLE, _LAST):
                    raise self._damage(_NOT_CONTINUED)
                end += 8 + length + (-length & 3)
            if end > self._starts[-1]:
                raise self._damage("the file ends within it")
            self._places.append((position, end - position))
            self._next = end
        return record < len(self._places)

    def _head(self, position: int) -> tuple[int, int]:
        head = self._bytes(position, 8)
        if len(head) < 8:
            raise self._damage("the file ends within its header")
        magic, word = _HEAD.unpack(head)
        if magic != _MAGIC_NUMBER:
            raise self._damage("there is no magic number; it, or the length of the record before it, is wrong")
        return word >> 29, word & _LENGTH

    def _damage(self, reason: str, record: int | None = None) -> MXNetFileError:
        return MXNetFileError(f"{self.describe(len(self._places) if record is None else record)} is damaged: {reason}")

    def count(self) -> int:
        """How many records there are."""
        while self.has(len(self._places)):
            pass
        return len(self._places)

    def label_counts(self) -> int:
        """How many labels the record with the most of them has."""
        most = 0
        for record in range(self.count()):
            head = self._bytes(self._places[record][0] + 8, 4)
            most = max(most, struct.unpack("<I", head)[0])
        return most

    def read(self, record: int) -> Image:
        """The image of a record that ``has`` found."""
        position, length = self._places[record]
        raw = self._bytes(position, length)
        if len(raw) < 8:
            raise self._damage("the file ends within its header", record)
        parts: list = []
        at, place = 0, _FIRST
        while place not in (_WHOLE, _LAST):
            if at + 8 > len(raw):
                raise self._damage("the file ends within it", record)
            magic, word = _HEAD.unpack_from(raw, at)
            place, size = word >> 29, word & _LENGTH
            if magic != _MAGIC_NUMBER or at + 8 + size > len(raw):
                raise self._damage("its header is wrong", record)
            if place not in ((_MIDDLE, _LAST) if parts else (_WHOLE, _FIRST)):
                raise self._damage(_NOT_CONTINUED if parts else _NOT_FIRST, record)
            part = memoryview(raw)[at + 8 : at + 8 + size]
            if _cuts(part):
                raise self._damage("another record begins within it; its length is wrong", record)
            parts.append(part)
            at += 8 + size + (-size & 3)
        data = parts[0] if len(parts) == 1 else _MAGIC.join(parts)
        if len(data) < _IMAGE_HEAD.size:
            raise self._damage(f"an image record has at least {_IMAGE_HEAD.size} bytes", record)
        flag, label, number, _ = _IMAGE_HEAD.unpack_from(data)
        start = _IMAGE_HEAD.size + 4 * flag
        if start >= len(data):
            raise self._damage("it holds no image", record)
        labels = np.frombuffer(data, np.float32, flag, _IMAGE_HEAD.size) if flag else np.array((label,), np.float32)
        return Image(number, labels, np.frombuffer(data, np.uint8, -1, start))

    def close(self) -> None:
        """Closes the files."""
        for reader in self._readers:
            reader.close()


def read_image_list(path: str, label_width: int) -> dict[int, np.ndarray]:
    """The labels of a list of images (a number, labels and a name, with tabs between) by the number."""
    found = {}
    for count, line in enumerate(read_text(path).split("\n"), 1):
        fields = line.rstrip("\r").split("\t") if "\t" in line else line.split()
        if not fields or not fields[0].strip():
            continue
        try:
            labels = np.array(fields[1 : 1 + label_width], np.float32)
            if len(labels) < label_width:
                raise ValueError
            found[int(fields[0])] = labels
        except ValueError:
            raise MXNetFileError(
                f"{path}: line {count} is {line[:80]!r}; a number, {label_width} label(s) and a name were expected"
            ) from None
    return found


def size_in_header(content: np.ndarray) -> tuple[int, int] | None:
    """The (height, width) that a PNG or JPEG image says it has; None if only decoding shows it."""
    data = memoryview(np.ascontiguousarray(content).data)
    if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR" and len(data) >= 24:
        turned = b"eXIf" in bytes(data)
        return None if turned else (_number(data[20:24]), _number(data[16:20]))
    at = 2
    while data[:2] == b"\xff\xd8" and at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in (0xC0, 0xC1, 0xC2):
            height = _number(data[at + 5 : at + 7])
            return (height, _number(data[at + 7 : at + 9])) if height else None  # 0: it follows the lines
        if not 0xC4 <= marker <= 0xFE or 0xD0 <= marker <= 0xD9 or data[at + 4 : at + 8] == b"Exif":  # may be turned
            return None
        at += 2 + _number(data[at + 2 : at + 4])
    return None


def _number(content: memoryview) -> int:
    return int.from_bytes(content, "big")
