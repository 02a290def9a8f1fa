"""CSVIter and LibSVMIter: rows of numbers from text files, parsed in chunks by NumPy.

A file is read and parsed piece by piece, so that a first batch need not wait for the last line and files may be larger
than memory. What has been parsed is kept if it is small, which makes all epochs after the first one nearly free.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
import torch

from .._core.files import reading
from ..context import cpu
from ..error import MXNetFileError, MXNetTypeError, MXNetValueError
from ..ndarray.sparse_array import CSRNDArray, wrap_value
from ..ops.sparse import CSR
from .sources import Batch

_CHUNK = 1 << 20  # bytes of text parsed at once
_LONGEST = 4 << 20  # bytes of a row that has few numbers
_KEPT = 256 << 20  # bytes of parsed numbers kept for the next epoch
_WHOLE = 64 << 20  # bytes of a local file that NumPy may parse at once, which is its fastest way
_LONGEST_NUMBER = 64
_NUMPY_CSV: dict[str, Any] = {"delimiter": ",", "comments": None, "encoding": "latin1", "ndmin": 2}


# ---- text in chunks of whole lines -----------------------------------------------------------------------------------


class Text:
    """Whole lines of text, and where in which file they are."""

    def __init__(self, content: bytes, path: str, line: int, after: int = 0):
        self.content, self.path, self.line, self.after = content, path, line, after

    def lines(self) -> Iterator[tuple[bytes, Callable[[str], MXNetFileError]]]:
        """The lines that are not blank, each with a function that makes an error of what is wrong with it."""
        part = f" after byte {self.after}" if self.after else ""
        for number, line in enumerate(self.content.split(b"\n"), self.line):
            if line.strip():
                yield line, lambda text, n=number: MXNetFileError(f"{self.path}, line {n}{part}: {text}")  # type: ignore[misc]


def files_in(path: str) -> list[str]:
    """The files that a path names: itself, those in a directory, or several with semicolons in between."""
    names: list[str] = []
    for name in path.split(";"):
        if "://" not in name and os.path.isdir(name):
            entries = sorted(os.path.join(name, entry) for entry in os.listdir(name))
            names += [entry for entry in entries if os.path.isfile(entry)]
        else:
            names.append(name)
    if not names:
        raise MXNetFileError(f"there are no files in {path!r}")
    return names


def _plain(content: bytes) -> bytes:
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return content


def text_of(path: str, longest: int, part: int = 0, parts: int = 1) -> Iterator[Text]:
    """A file in chunks of whole lines: all of it, or the lines that begin in one of ``parts`` equal parts."""
    with reading(path) as (stream, size):
        start, stop = size * part // parts, size * (part + 1) // parts
        line, rest = 1, b""
        if start:
            stream.seek(start - 1)
            start += len(stream.readline()) - 1
        elif stream.read(3) != b"\xef\xbb\xbf":  # the mark with which some programs begin a text
            stream.seek(0)
        at = stream.tell()
        while at < stop:
            content = stream.read(min(_CHUNK, stop - at))
            if not content:
                break
            at += len(content)
            if at >= stop and not content.endswith(b"\n"):
                content += stream.readline()  # a line belongs to the part it begins in
            content = rest + content
            end = max(content.rfind(b"\n"), -1 if b"\n" in content else content.rfind(b"\r")) + 1
            if at >= stop:
                end = len(content)
            rest = content[end:]
            if len(rest) > longest:
                raise MXNetFileError(f"{path}, line {line}: it has more than {longest} bytes, too many for a row")
            if end:
                text = _plain(content[:end])
                yield Text(text, path, line, start)
                line += text.count(b"\n")


# ---- rows ------------------------------------------------------------------------------------------------------------


class Rows:
    """The rows of some files, one after the other. ``parse`` makes a table (an array, or SparseRows) of a Text."""

    def __init__(
        self,
        path: str,
        parse: Callable[[Text], Any],
        join: Callable[[list[Any]], Any],
        longest: int,
        part: int = 0,
        parts: int = 1,
        whole: Callable[[str], Any] | None = None,
    ):
        self.path = path
        self._parse, self._join, self._longest, self._whole = parse, join, longest, whole
        self._part = part, parts
        self._kept: list[Any] | None = []
        self._complete = False
        self.rewind()

    def _tables(self) -> Iterator[Any]:
        for path in files_in(self.path):
            table = self._whole(path) if self._whole is not None and self._part == (0, 1) else None
            if table is not None:
                yield table
                continue
            for text in text_of(path, self._longest, *self._part):
                yield self._parse(text)

    def rewind(self) -> None:
        """Starts again with the first row."""
        if not self._complete:
            self._kept = []
        self._source = iter(self._kept or ()) if self._complete else self._tables()
        self._table: Any = None
        self._at = self.position = 0

    def _next_table(self) -> bool:
        table = next(self._source, None)
        if table is None:
            if not self._complete and self._kept is not None:
                self._kept = [self._join(self._kept)] if self._kept else []
                self._complete = True
            return False
        if not self._complete and self._kept is not None:
            self._kept.append(table)
            if sum(t.nbytes for t in self._kept) > _KEPT:
                self._kept = None
        self._table, self._at = table, 0
        return True

    def take(self, count: int) -> Any:
        """The next rows, at most ``count``, as a table that shares memory with what is kept; None at the end."""
        found, parts = 0, []
        while found < count:
            if self._table is None or self._at >= len(self._table):
                if not self._next_table():
                    break
                continue
            part = self._table[self._at : self._at + count - found]
            self._at += len(part)
            found += len(part)
            parts.append(part)
        self.position += found
        return None if not parts else parts[0] if len(parts) == 1 else self._join(parts)


class RoundBatches:
    """Batches out of rows of data and, if there are any, of labels.

    With ``round_batch`` the last batch is completed with the first rows, which the next epoch then leaves out, as in
    MXNet; without it with what the batch before had in these places, or zeros.
    """

    name: ClassVar[str]

    def __init__(self, batch_size: int, round_batch: bool, data: Rows, label: Rows | None):
        self._batch_size, self._round = batch_size, round_batch
        self._data_rows, self._label_rows = data, label
        self._overflow = False
        self._last: Batch | None = None

    def _arrays(self, data: Any, label: Any) -> tuple[np.ndarray, np.ndarray]:
        """Fresh arrays of data and labels, out of tables of rows (labels may be None)."""
        raise NotImplementedError

    def _join(self, first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[np.ndarray, np.ndarray]:
        pairs = zip(self._arrays(*first), self._arrays(*second), strict=True)
        data, label = [np.concatenate(pair) for pair in pairs]
        return data, label

    def _take(self, count: int) -> tuple[int, Any, Any]:
        data = self._data_rows.take(count)
        if data is None:
            return 0, None, None
        label = None if self._label_rows is None else self._label_rows.take(len(data))
        if self._label_rows is not None and (label is None or len(label) < len(data)):
            ends = f"{self._label_rows.path} ends after {self._label_rows.position} rows"
            raise MXNetFileError(f"{ends}, before {self._data_rows.path} does")
        return len(data), data, label

    def read(self) -> Batch | None:
        """The next batch, or None at the end of an epoch."""
        if self._overflow:
            return None
        size, start = self._batch_size, self._data_rows.position
        found, *tables = self._take(size)
        if not found:
            if not self._data_rows.position:
                raise MXNetFileError(f"{self._data_rows.path} holds no rows")
            return None
        index = np.arange(start, start + size, dtype=np.uint64)
        if found == size:
            data, label = self._arrays(*tables)
        elif self._round:
            self._rewind_rows()
            more, *others = self._take(size - found)
            if found + more < size:
                raise MXNetValueError(
                    f"{self.name}: batch_size {size} is more than twice the {more} rows that there are"
                )
            data, label = self._join(tuple(tables), tuple(others))
            index[found:] = np.arange(more)
            self._overflow = True
        else:
            data, label = self._filled_up(found, *self._arrays(*tables))
            index[found:] = 0 if self._last is None else self._last.rows[found:]
        batch = Batch(data, label, size - found, index)
        if not self._round:
            # The caller may write to what he gets.
            self._last = Batch(data.copy(), label.copy(), batch.pad, index.copy())
        return batch

    def _filled_up(self, found: int, data: np.ndarray, label: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        full = []
        for i, values in enumerate((data, label)):
            target = np.zeros((self._batch_size, *values.shape[1:]), values.dtype)
            if self._last is not None:
                target[:] = self._last[i]
            target[:found] = values
            full.append(target)
        return full[0], full[1]

    def _rewind_rows(self) -> None:
        self._data_rows.rewind()
        if self._label_rows is not None:
            self._label_rows.rewind()

    def rewind(self) -> None:
        """Starts the next epoch."""
        if not self._overflow:  # else the rows already are past the ones that completed the last batch
            self._rewind_rows()
            self._last = None
        self._overflow = False


# ---- CSV -------------------------------------------------------------------------------------------------------------


def csv_rows(path: str, width: int, dtype: np.dtype) -> Rows:
    """The rows of CSV files, each of ``width`` numbers."""

    def numpy_parses(source: Any) -> np.ndarray | None:
        try:
            table = np.loadtxt(source, dtype, **_NUMPY_CSV)
        except FileNotFoundError:  # it was there a moment ago: opening it raises the error
            return None
        except (ValueError, DeprecationWarning):  # the latter is how NumPy 1 says that an integer is none
            return None
        return table if table.shape[1] == width else None

    def whole(name: str) -> np.ndarray | None:
        if "://" in name or not os.path.isfile(name):
            return None
        with reading(name) as (stream, size):
            if not 0 < size <= _WHOLE:
                return None
            start = stream.read(512)
        # Where NumPy would stumble (or unpack what only looks like text) the careful way is taken.
        plain = start.strip() and not start.startswith((b"\xef\xbb\xbf", b"\x1f\x8b")) and b",\n" not in start
        return numpy_parses(name) if plain and not name.endswith((".gz", ".bz2", ".xz", ".lzma")) else None

    def parse(text: Text) -> np.ndarray:
        content = text.content
        if not content.strip():
            return np.empty((0, width), dtype)
        if b",\n" in content:
            content = content.replace(b",\n", b"\n")
        table = numpy_parses(io.BytesIO(content))
        return _careful_csv(text, width, dtype) if table is None else table

    return Rows(path, parse, np.concatenate, _longest(width), whole=whole)


def _longest(width: int) -> int:
    return max(_LONGEST, width * _LONGEST_NUMBER)


def _careful_csv(text: Text, width: int, dtype: np.dtype) -> np.ndarray:
    """The rows of a chunk that NumPy does not take, or an error that says where what is wrong."""
    rows = []
    for line, error in text.lines():
        fields = line.split(b",")
        if len(fields) == width + 1 and not fields[-1].strip():
            fields.pop()
        if len(fields) != width:
            raise error(f"expected {width} numbers, found {len(fields)}")
        rows.append([_number(field, dtype, error, column) for column, field in enumerate(fields, 1)])
    with np.errstate(over="ignore"):
        return np.array(rows, dtype).reshape(-1, width)


def _number(field: bytes, dtype: np.dtype, error: Callable[[str], MXNetFileError], column: int) -> float:
    try:
        if b"_" in field:
            raise ValueError
        if dtype.kind == "f":
            return float(field)
        value = int(field)
        if not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
            raise ValueError
        return value
    except ValueError:
        raise error(f"number {column}, {field.strip()[:40].decode('latin1')!r}, is not of type {dtype.name}") from None


def _count(shape: tuple[int, ...], name: str, argument: str) -> int:
    count = 1
    for n in shape:
        count *= n
    if count < 1:
        raise MXNetValueError(f"{name}: {argument} {shape} has no elements")
    return count


class CsvSource(RoundBatches):
    """Batches from CSV files: each line is an example of ``data_shape``.

    ``data_csv`` and ``label_csv`` are files, directories, several files with semicolons between, or URLs; without
    ``label_csv`` all labels are 0. With ``round_batch`` the last batch is completed from the beginning, and the next
    epoch begins after what was used for that; else its ``pad`` says how many of its last examples do not count.
    ``dtype`` is float32, int32 or int64.
    """

    name: ClassVar[str] = "CSVIter"

    def __init__(
        self,
        data_csv: str,
        data_shape: tuple[int, ...],
        batch_size: int,
        label_csv: str = "NULL",
        label_shape: tuple[int, ...] = (1,),
        round_batch: bool = True,
        dtype: str | None = None,
    ):
        if dtype not in (None, "float32", "int32", "int64"):
            raise MXNetValueError(f"{dtype} is not supported for CSVIter: use float32, int32 or int64")
        self._dtype = np.dtype(dtype or "float32")
        self._data_shape, self._label_shape = data_shape, () if label_shape == (1,) else label_shape
        data = csv_rows(data_csv, _count(data_shape, self.name, "data_shape"), self._dtype)
        label = None
        if label_csv not in ("NULL", ""):
            label = csv_rows(label_csv, _count(label_shape, self.name, "label_shape"), self._dtype)
        super().__init__(batch_size, round_batch, data, label)

    def _arrays(self, data: np.ndarray, label: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        count = len(data)
        if label is None:
            labels = np.zeros((count, *self._label_shape), self._dtype)
        else:
            labels = label.reshape(count, *self._label_shape).copy()
        return data.reshape(count, *self._data_shape).copy(), labels


# ---- LibSVM ----------------------------------------------------------------------------------------------------------


class SparseRows:
    """Rows of a sparse matrix, each with a label: row i is at ``ends[i]:ends[i + 1]`` of columns and values."""

    def __init__(self, labels: np.ndarray, ends: np.ndarray, columns: np.ndarray, values: np.ndarray):
        self.labels, self.ends, self.columns, self.values = labels, ends, columns, values

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, rows: slice) -> SparseRows:
        start, stop, _ = rows.indices(len(self))
        return SparseRows(self.labels[start:stop], self.ends[start : stop + 1], self.columns, self.values)

    @property
    def nbytes(self) -> int:
        """The bytes that the rows take."""
        return sum(a.nbytes for a in (self.labels, self.ends, self.columns, self.values))

    def csr(self, width: int) -> CSRNDArray:
        """The rows as a csr matrix."""
        here = slice(self.ends[0], self.ends[-1])
        value = CSR(
            torch.from_numpy(self.values[here].copy()),
            torch.from_numpy(self.columns[here].copy()),
            (len(self), width),
            torch.from_numpy(self.ends - self.ends[0]),
        )
        return wrap_value(value, cpu(), checked=False)


def join_sparse(parts: list[SparseRows]) -> SparseRows:
    """Several tables as one."""
    spans = [slice(p.ends[0], p.ends[-1]) for p in parts]
    counts = np.concatenate([np.diff(p.ends) for p in parts])
    return SparseRows(
        np.concatenate([p.labels for p in parts]),
        np.concatenate(([0], np.cumsum(counts))),
        np.concatenate([p.columns[s] for p, s in zip(parts, spans, strict=True)]),
        np.concatenate([p.values[s] for p, s in zip(parts, spans, strict=True)]),
    )


def libsvm_rows(path: str, width: int, part: int, parts: int) -> Rows:
    """The rows of LibSVM files: a label, then ``column:value`` for what is not zero, columns counted from 0.

    The weight in ``label:weight`` and the query in ``qid:number`` are not used.
    """

    def parse(text: Text) -> SparseRows:
        if b"#" in text.content:
            text = Text(re.sub(rb"#[^\n]*", b"", text.content), text.path, text.line, text.after)
        rows = _fast_libsvm(text.content, width)
        return _careful_libsvm(text, width) if rows is None else rows

    return Rows(path, parse, join_sparse, _longest(2 * width), part, parts)


def _fast_libsvm(content: bytes, width: int) -> SparseRows | None:
    """The rows of a text, or None if anything is wrong with it."""
    raw = np.frombuffer(content + b"\n", np.uint8)
    colon = raw == ord(":")
    between = colon | (raw <= ord(" "))
    ends = np.flatnonzero(between[1:] > between[:-1]) + 1  # just after each number
    try:
        numbers = np.fromstring(content.replace(b":", b" "), np.float64, sep=" ")
    except (ValueError, DeprecationWarning):  # the latter from NumPy 1
        return None
    if not len(ends) or len(numbers) != len(ends):
        return None
    counts = np.diff(np.searchsorted(ends, np.flatnonzero(raw == ord("\n")), side="right"), prepend=0)
    counts = counts[counts > 0]  # how many numbers are on each line
    starts = np.cumsum(counts) - counts
    place = np.arange(len(ends)) - np.repeat(starts, counts)
    is_column = place % 2 == 1
    # Each row is a label and pairs. A colon stands right between the numbers of a pair, and nowhere else.
    if not (counts % 2 == 1).all() or not np.array_equal(colon[ends], is_column):
        return None
    if np.count_nonzero(colon) != np.count_nonzero(is_column) or between[ends[is_column] + 1].any():
        return None
    columns = numbers[is_column]
    if len(columns) and not (0 <= columns.min() and columns.max() < width and (columns == np.floor(columns)).all()):
        return None
    with np.errstate(over="ignore"):
        values = numbers[~is_column & (place > 0)].astype(np.float32)
        labels = numbers[starts].astype(np.float32)
    return SparseRows(labels, np.concatenate(([0], np.cumsum(counts // 2))), columns.astype(np.int64), values)


def _careful_libsvm(text: Text, width: int) -> SparseRows:
    labels, ends, columns, values = [], [0], [], []
    single = np.dtype(np.float32)
    for line, error in text.lines():
        first, *pairs = line.split()
        label, weighted, weight = first.partition(b":")
        labels.append(_number(label, single, error, 1))
        if weighted:
            _number(weight, single, error, 1)
        for position, pair in enumerate(pairs, 2):
            column, colon, value = pair.partition(b":")
            if position == 2 and column == b"qid" and value.isdigit():
                continue
            if not (colon and column.isdigit()):
                raise error(f"field {position}, {pair[:40].decode('latin1')!r}, is not column:value")
            if len(column) > 20 or int(column) >= width:
                shown = column[:20].decode("latin1")
                raise error(f"field {position}: column {shown} is not below {width}; columns are counted from 0")
            columns.append(int(column))
            values.append(_number(value, single, error, position))
        ends.append(len(columns))
    with np.errstate(over="ignore"):
        return SparseRows(
            np.array(labels, np.float32), np.array(ends), np.array(columns, np.int64), np.array(values, np.float32)
        )


class LibSvmSource(RoundBatches):
    """Batches from LibSVM files: ``label column:value column:value ...`` with columns counted from 0.

    ``data_libsvm`` and ``label_libsvm`` are files, directories, several files with semicolons between, or URLs. With
    ``label_libsvm`` the rows of that file are the labels. The last batch is completed from the beginning. ``num_parts``
    and ``part_index`` choose a part of each file, for one of several workers. Data and labels of a file come as csr
    matrices.
    """

    name: ClassVar[str] = "LibSVMIter"

    def __init__(
        self,
        data_libsvm: str,
        data_shape: tuple[int, ...],
        batch_size: int,
        label_libsvm: str = "NULL",
        label_shape: tuple[int, ...] = (1,),
        num_parts: int = 1,
        part_index: int = 0,
        round_batch: bool = True,
        dtype: str | None = None,
    ):
        if len(data_shape) != 1 or len(label_shape) != 1:
            raise MXNetValueError(
                f"LibSVMIter: data_shape {data_shape} and label_shape {label_shape} must have one dimension"
            )
        if not round_batch:
            raise MXNetValueError("LibSVMIter: round_batch=False is not supported")
        if dtype not in (None, "float32"):
            raise MXNetTypeError(f"{dtype} is not supported for LibSVMIter: use float32")
        if not 0 <= part_index < num_parts:
            raise MXNetValueError(f"LibSVMIter: part_index {part_index} is not below num_parts, {num_parts}")
        self._width, self._label_width = data_shape[0], label_shape[0]
        data = libsvm_rows(data_libsvm, _count(data_shape, self.name, "data_shape"), part_index, num_parts)
        label = None
        if label_libsvm not in ("NULL", ""):
            if num_parts > 1:
                raise MXNetValueError("LibSVMIter: parts of two files need not be of the same rows; use one file")
            label = libsvm_rows(label_libsvm, _count(label_shape, self.name, "label_shape"), 0, 1)
        elif self._label_width != 1:
            raise MXNetValueError(f"LibSVMIter: label_shape {label_shape} needs label_libsvm")
        super().__init__(batch_size, round_batch, data, label)

    def _arrays(self, data: SparseRows, label: SparseRows | None) -> tuple[Any, Any]:
        if label is None:
            return data.csr(self._width), data.labels.copy()
        return data.csr(self._width), label.csr(self._label_width)

    def _join(self, first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, Any]:
        pairs = zip(first, second, strict=True)
        data, label = (None if one is None else join_sparse([one, other]) for one, other in pairs)
        assert data is not None
        return self._arrays(data, label)
