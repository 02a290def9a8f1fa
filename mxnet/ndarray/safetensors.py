"""Arrays in ``.safetensors`` files, the format of model hubs; ``mx.nd.save`` and ``mx.nd.load`` know it by the ending.

A file is a u64 (little-endian), as many bytes of JSON with dtype, shape and place of each tensor, then the tensors.
Writing goes straight from the arrays' memory to the file, and reading the other way; the header is checked against the
file.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from math import prod
from typing import Any, BinaryIO

import torch

from .._core.files import path_name, reading, writing
from .._core.literals import parse_json
from .._core.types import Path
from ..context import cpu
from ..error import MXNetError, MXNetFileError, MXNetTypeError, MXNetValueError
from .ndarray import NDArray, wrap
from .serialize import _bytes_of

__all__ = ["ENDING", "load_safetensors", "read_metadata", "save_safetensors"]

ENDING = ".safetensors"
_CODES = {
    torch.float64: "F64",
    torch.float32: "F32",
    torch.float16: "F16",
    torch.bfloat16: "BF16",
    torch.int64: "I64",
    torch.int32: "I32",
    torch.int8: "I8",
    torch.uint8: "U8",
    torch.bool: "BOOL",
}
_TYPES = {code: dtype for dtype, code in _CODES.items()}
_LONGEST_HEADER = 100_000_000  # as in the safetensors package
_METADATA = "__metadata__"
#: What says in the metadata that the arrays were a list, without names.
_LIST = "mxnet.list"


def save_safetensors(fname: Any, data: Any, metadata: Mapping[str, str] | None = None) -> None:
    """Saves an array, a list of them or a dict from names to them; ``metadata`` are texts by name.

    Arrays that share memory are written each for itself. The file appears whole or not at all.
    """
    arrays, about = _name_arrays(data), {"format": "pt", **(metadata or {})}
    if not all(isinstance(k, str) and isinstance(v, str) for k, v in about.items()):
        raise MXNetTypeError("the metadata of a safetensors file must be texts by name")
    if not isinstance(data, Mapping):
        about[_LIST] = str(len(arrays))
    header: dict[str, Any] = {_METADATA: about}
    offset = 0
    # The widest types first: then each tensor begins at a multiple of its element size.
    order = sorted(arrays, key=lambda name: -arrays[name]._data.element_size())
    for name in order:
        tensor = arrays[name]._data
        end = offset + tensor.numel() * tensor.element_size()
        header[name] = {"dtype": _CODES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    with writing(fname, 8 + len(text) + offset) as stream:
        stream.write(struct.pack("<Q", len(text)) + text)
        for name in order:
            tensor = arrays[name]._data
            if tensor.numel():
                stream.write(_bytes_of(tensor.cpu().contiguous()))


def _name_arrays(data: object) -> dict[str, NDArray]:
    if isinstance(data, NDArray):
        data = [data]
    if isinstance(data, list | tuple):
        data = {str(i): array for i, array in enumerate(data)}
    if not isinstance(data, Mapping) or not all(isinstance(k, str) and isinstance(v, NDArray) for k, v in data.items()):
        raise MXNetTypeError("save only accept dict str->NDArray or list of NDArray")
    if _METADATA in data:
        raise MXNetValueError(f"an array cannot be called {_METADATA} in a safetensors file")
    return dict(data)


def load_safetensors(fname: Path) -> Any:
    """Loads the arrays of a file by anyone: a dict, or a list if one was saved. They are on the CPU."""
    found, metadata = _read(fname, True)
    if _LIST not in metadata:
        return found
    names = [str(i) for i in range(len(found))]
    if set(names) != set(found):
        raise MXNetFileError(
            f"{path_name(fname)}: it is marked as a list of arrays, but they have names: {sorted(found)[:5]}"
        )
    return [found[name] for name in names]


def read_metadata(fname: Path) -> dict[str, str]:
    """The texts that were saved along with the arrays."""
    return {k: v for k, v in _read(fname, False)[1].items() if k != _LIST}


def _read(fname: Any, with_arrays: bool) -> tuple[dict[str, NDArray], dict[str, str]]:
    name = path_name(fname)
    with reading(name) as (stream, size):
        try:
            entries, metadata = _header(stream, size)
            found = {}
            for key, (dtype, shape, _, _) in entries if with_arrays else ():
                # Read, not mapped: who truncates a mapped file kills the processes that use it.
                tensor = torch.empty(shape, dtype=torch.uint8 if dtype is torch.bool else dtype)
                if tensor.numel():
                    _fill(stream, memoryview(_bytes_of(tensor)))
                found[key] = wrap(tensor.ne(0) if dtype is torch.bool else tensor, cpu())
        except (ValueError, TypeError, OverflowError, RecursionError, RuntimeError) as error:
            if isinstance(error, MXNetError):
                raise
            raise MXNetFileError(f"{name}: this is not a valid safetensors file: {error}") from error
    return found, metadata


_Entry = tuple[torch.dtype, list[int], int, int]


def _header(stream: BinaryIO, size: int) -> tuple[list[tuple[str, _Entry]], dict[str, str]]:
    """Dtype, shape, begin and end of the tensors, which fill the file in this order, and the metadata."""
    length = struct.unpack("<Q", _read_exactly(stream, 8))[0] if size >= 8 else 0
    if not 0 < length <= min(size - 8, _LONGEST_HEADER):
        raise ValueError(f"its first bytes say that the header has {length} bytes, and the file has {size} bytes")
    header = parse_json(_read_exactly(stream, length).decode(), object_pairs_hook=_without_repetition)
    if not isinstance(header, dict):
        raise ValueError("its header is not a JSON object")
    metadata = header.pop(_METADATA, {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise ValueError("its metadata are not texts by name")
    entries = sorted(((key, _entry(key, entry)) for key, entry in header.items()), key=lambda item: item[1][2:])
    at = 0
    for key, (_, _, begin, end) in entries:
        if begin != at:
            raise ValueError(f"{key!r} begins at byte {begin} of the data, not at {at}")
        at = end
    if at != size - 8 - length:
        raise ValueError(
            f"its header says that the tensors have {at} bytes, and the rest of the file has {size - 8 - length}"
        )
    return entries, metadata


def _entry(key: str, entry: object) -> _Entry:
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise ValueError(f"{key!r} has no dtype, shape and data_offsets, or more than these")
    if entry["dtype"] not in _TYPES:
        known = ", ".join(_TYPES)
        raise ValueError(f"{key!r} is of {entry['dtype']!r:.40}, which arrays cannot have: expected one of {known}")
    dtype, shape, offsets = _TYPES[entry["dtype"]], entry["shape"], entry["data_offsets"]
    for numbers in (shape, offsets):
        if not isinstance(numbers, list) or not all(type(n) is int and 0 <= n < 1 << 63 for n in numbers):
            raise ValueError(f"shape and data_offsets of {key!r} are {shape!r:.100} and {offsets!r:.100}")
    if len(offsets) != 2 or prod(shape) * dtype.itemsize != offsets[1] - offsets[0]:
        raise ValueError(f"{key!r} of shape {shape!r:.100} and {entry['dtype']} cannot be at {offsets!r:.100}")
    return dtype, shape, offsets[0], offsets[1]


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("its header has a name twice")
    return found


def _read_exactly(stream: BinaryIO, count: int) -> bytes:
    memory = bytearray(count)
    _fill(stream, memoryview(memory))
    return bytes(memory)


def _fill(stream: BinaryIO, memory: memoryview) -> None:
    done = 0
    while done < len(memory):
        more = stream.readinto(memory[done:])  # type: ignore[attr-defined]
        if not more:
            raise ValueError("the file became shorter while it was read")
        done += more
