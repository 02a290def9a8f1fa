"""Arrays in ``.safetensors`` files, the format of model hubs; ``mx.nd.save`` and ``mx.nd.load`` know it by the ending.

A file is a u64 (little-endian), as many bytes of JSON with dtype, shape and place of each tensor, then the tensors.
Writing goes straight from the arrays' memory to the file; reading is the ``safetensors`` package's, which checks the
header against the file.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import torch

from ..context import cpu
from ..dtypes import NAME_OF
from ..error import MXNetError, MXNetFileError, MXNetTypeError, MXNetValueError
from ..files import path_name, reading, writing
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
_METADATA = "__metadata__"
#: What says in the metadata that the arrays were a list, without names.
_LIST = "mxnet.list"


def save_safetensors(fname: Any, data: Any, metadata: Mapping[str, str] | None = None) -> None:
    """Saves an array, a list of them or a dict from names to them; ``metadata`` are texts by name.

    Arrays that share memory are written each for itself. The file appears whole or not at all.
    """
    arrays, about = _named(data), {"format": "pt", **(metadata or {})}
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


def _named(data: Any) -> dict[str, NDArray]:
    if isinstance(data, NDArray):
        data = [data]
    if isinstance(data, list | tuple):
        data = {str(i): array for i, array in enumerate(data)}
    if not isinstance(data, Mapping) or not all(isinstance(k, str) and isinstance(v, NDArray) for k, v in data.items()):
        raise MXNetTypeError("save only accept dict str->NDArray or list of NDArray")
    if _METADATA in data:
        raise MXNetValueError(f"an array cannot be called {_METADATA} in a safetensors file")
    return dict(data)


def load_safetensors(fname: Any) -> Any:
    """Loads the arrays of a file by anyone: a dict, or a list if one was saved. They are on the CPU."""
    found, metadata = _read(fname, True)
    if _LIST not in metadata:
        return found
    names = [str(i) for i in range(len(found))]
    if set(names) != set(found):
        raise MXNetFileError(
            f"{path_name(fname)}: it says to be a list of arrays, but they have names: {sorted(found)[:5]}"
        )
    return [found[name] for name in names]


def read_metadata(fname: Any) -> dict[str, str]:
    """The texts that were saved along with the arrays."""
    return {k: v for k, v in _read(fname, False)[1].items() if k != _LIST}


def _read(fname: Any, with_arrays: bool) -> tuple[dict[str, NDArray], dict[str, str]]:
    name = path_name(fname)
    try:
        from safetensors import SafetensorError, safe_open
        from safetensors.torch import load as load_bytes
    except ImportError as error:
        raise MXNetError(f"reading {name!r} needs the package safetensors: pip install safetensors") from error
    try:
        with reading(name) as (stream, size):
            if "://" in name or not hasattr(stream, "fileno"):
                content = stream.read(size)
                tensors = load_bytes(content) if with_arrays else {}
                (length,) = struct.unpack("<Q", content[:8])
                metadata = json.loads(content[8 : 8 + length]).get(_METADATA) or {}
            else:
                with safe_open(name, "pt") as file:
                    metadata = file.metadata() or {}
                    # Out of the mapped file into memory of their own: nobody's later write to the file is seen.
                    tensors = {key: file.get_tensor(key).clone() for key in file.keys()} if with_arrays else {}
    except (SafetensorError, ValueError, OverflowError, RuntimeError, AttributeError, struct.error) as error:
        if isinstance(error, MXNetError):
            raise
        raise MXNetFileError(f"{name}: this is no valid safetensors file: {error}") from error
    for key, tensor in tensors.items():
        if tensor.dtype not in _CODES:
            raise MXNetFileError(
                f"{name}: {key!r} is of {tensor.dtype}, which arrays cannot have: expected one of "
                f"{', '.join(NAME_OF.values())}"
            )
    return {key: wrap(tensor, cpu()) for key, tensor in tensors.items()}, metadata
