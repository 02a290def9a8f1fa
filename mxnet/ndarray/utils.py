"""Saving and loading: ``mx.nd.save``, ``mx.nd.load``; and the creation functions that know storage types."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, overload

from .._core.files import path_name, reading, writing
from .._core.types import Path, ShapeLike
from ..base import (  # noqa: F401  (reachable here in the original)
    c_array,
    c_handle_array,
    c_str,
    c_str_array,
    check_call,
    py_str,
)
from ..error import MXNetTypeError, MXNetValueError
from . import creation, serialize, sparse
from .creation import array
from .ndarray import NDArray
from .safetensors import ENDING, load_safetensors, save_safetensors
from .sparse_array import stored_value, wrap_any

__all__ = ["array", "empty", "load", "load_frombuffer", "save", "zeros"]


def save(fname: Path, data: object) -> None:
    """Saves arrays in MXNet's format: one NDArray, a list of them, or a dict from names to them.

    ``fname`` is a path, or anything fsspec can write to, such as ``s3://bucket/name``. The file appears whole or not
    at all. If its name ends in ``.safetensors``, it is written in that format.

    >>> nd.save("two.params", {"a": nd.ones(2), "b": nd.zeros(1)})
    >>> sorted(nd.load("two.params"))
    ['a', 'b']
    """
    name = path_name(fname)
    if name.endswith(ENDING):
        save_safetensors(name, data)
        return
    if isinstance(data, NDArray):
        data = [data]
    if isinstance(data, Mapping):
        names, arrays = list(data.keys()), list(data.values())
    elif isinstance(data, list):
        names, arrays = [], data
    else:
        raise MXNetValueError(
            "data needs to either be a NDArray, dict of str, NDArray pairs or a list of NDarrays, got "
            f"{type(data).__name__}"
        )
    if not all(isinstance(n, str) for n in names) or not all(isinstance(a, NDArray) for a in arrays):
        raise MXNetTypeError("save only accept dict str->NDArray or list of NDArray")
    contents = [(stored_value(a), a._ctx) for a in arrays]
    with writing(name, serialize.size_of_list(contents, names)) as stream:
        serialize.write_list(stream, contents, names)


def load(fname: Path) -> Any:
    """Loads what ``save`` or MXNet itself wrote: a dict if the arrays have names, else a list.

    Names that end in ``.safetensors`` are files of that format.
    """
    name = path_name(fname)
    if name.endswith(ENDING):
        return load_safetensors(name)
    with reading(name) as (stream, size):
        return _as_saved(*serialize.read_list(stream, size, name))


def load_frombuffer(buf: object) -> Any:
    """Loads arrays from the bytes of a file."""
    if not isinstance(buf, bytes | bytearray | memoryview):
        raise MXNetTypeError(f"buf required to be a string or bytes, got {type(buf).__name__}")
    return _as_saved(*serialize.read_list(io.BytesIO(buf), memoryview(buf).nbytes, "the buffer"))


def _as_saved(arrays: list, names: list[str]) -> object:
    wrapped = [wrap_any(value, context, checked=False) for value, context in arrays]
    return dict(zip(names, wrapped, strict=True)) if names else wrapped


@overload
def zeros(shape: ShapeLike, ctx: Any = None, dtype: Any = None, stype: None = None, **kwargs: Any) -> NDArray: ...
@overload
def zeros(shape: ShapeLike, ctx: Any = None, dtype: Any = None, stype: str | None = None, **kwargs: Any) -> Any: ...
def zeros(shape: ShapeLike, ctx: Any = None, dtype: Any = None, stype: str | None = None, **kwargs: Any) -> Any:
    """An array of zeros, of a storage type.

    >>> nd.zeros((2, 2))
    [[0. 0.]
     [0. 0.]]
    <NDArray 2x2 @cpu(0)>
    """
    if stype in (None, "default"):
        return creation.zeros(shape, ctx, dtype, **kwargs)
    return sparse.zeros(stype, shape, ctx, dtype, **kwargs)


def empty(shape: ShapeLike, ctx: Any = None, dtype: Any = None, stype: str | None = None) -> NDArray:
    """An array whose elements are whatever was in memory, of a storage type; a sparse one has none."""
    if stype in (None, "default"):
        return creation.empty(shape, ctx, dtype)
    return sparse.empty(stype, shape, ctx, dtype)
