"""Reading ONNX files, which may be damaged or meant to harm: bytes in, checked parts out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np
import torch

from ..._core.files import path_name, reading
from ..._core.literals import fits_its_parts
from ...error import MXNetError, MXNetFileError, MXNetValueError
from ..package import load_onnx, torch_type

#: The opsets that the converters know. Newer ones may have changed an operator's meaning.
NEWEST_READ = 28
#: How many elements a tensor may have that is not in the file but computed from it by a node during the import.
LARGEST = 1 << 24
#: How many a tensor may have that is computed when the model runs.
LARGEST_RUNNING = 1 << 40
#: How many nodes a model may have after its functions were written out.
MOST_NODES = 1 << 15
#: How long a dimension of an input may be.
_LONGEST = 1 << 28
_SIZES = {1: 4, 2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8, 12: 4, 13: 8, 16: 2}
_DOMAINS = ("", "ai.onnx")


class Folder:
    """Where the external data of a model must be (nowhere if the path is empty), and how much of it was read."""

    def __init__(self, path: str = ""):
        self.path = path
        self.sizes: dict[str, int] = {}
        self.read = 0

    def spend(self, count: int, place: str, size: int) -> bool:
        """Counts bytes that are read from a file; False if tensors share their files too often."""
        self.sizes[place] = size
        self.read += count
        return fits_its_parts(self.read, sum(self.sizes.values()))


def load_model(model_file: Any) -> tuple[Any, Folder]:
    """The parsed model and the folder where its external data must be. Takes a file name, bytes, or a ModelProto."""
    onnx = load_onnx()
    if isinstance(model_file, onnx.ModelProto):
        return model_file, Folder()
    folder = ""
    if isinstance(model_file, bytes):
        data = model_file
    else:
        name = path_name(model_file)
        folder = os.path.dirname(os.path.abspath(name)) if "://" not in name else ""
        with reading(name) as (stream, size):
            data = stream.read(size)
    model = onnx.ModelProto()
    _check_parts(data, model.DESCRIPTOR)
    try:
        model.ParseFromString(data)
    except Exception as error:  # protobuf's own kind of error, which has no public name
        raise MXNetValueError(f"this is not an ONNX model: {error}") from None
    if not model.HasField("graph"):
        raise MXNetValueError("this is not an ONNX model: it has no graph")
    return model, Folder(folder)


def _check_parts(data: bytes, descriptor: Any) -> None:
    """Refuses a file whose messages (nodes, tensors, attributes) take many times its size: each may have two bytes."""
    needed, left = 0, [(0, len(data), descriptor)]
    messages: dict[str, dict[int, Any]] = {}
    try:
        while left:
            at, end, kind = left.pop()
            inner = messages.get(kind.full_name)
            if inner is None:
                inner = messages[kind.full_name] = {f.number: f.message_type for f in kind.fields if f.message_type}
            while at < end:
                tag, at = _varint(data, at)
                wire = tag & 7
                size, at = _varint(data, at) if wire in (0, 2) else (_FIXED[wire], at)
                if wire == 0:
                    continue
                part = inner.get(tag >> 3)
                if part is not None and wire == 2:
                    needed += _NODE_COST if part.name == "NodeProto" else _MESSAGE_COST
                    if not fits_its_parts(needed, len(data)):
                        raise MXNetValueError(f"the model has too many parts for its {len(data)} bytes, at byte {at}")
                    left.append((at, min(at + size, end), part))
                at += size
    except (IndexError, KeyError):
        raise MXNetValueError(f"this is not an ONNX model: there is no field at byte {at}") from None


#: Bytes that a node takes, roughly, in all forms that it is in while it is converted; and any other message.
_NODE_COST, _MESSAGE_COST = 1600, 240
#: The sizes of the fields that have one, by their type.
_FIXED = {1: 8, 5: 4}


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number and where it ends."""
    value = data[at]
    if value < 128:
        return value, at + 1
    value &= 127
    for shift in range(7, 70, 7):
        at += 1
        value |= (data[at] & 127) << shift
        if data[at] < 128:
            return value, at + 1
    raise IndexError(at)


def nodes_of(graph: Any, deepest: int = 16) -> Iterator[Any]:
    """The nodes of a graph and of the subgraphs in it."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g") and deepest:
                yield from nodes_of(attribute.g, deepest - 1)


def opset_of(model: Any) -> int:
    """The version of ONNX's own operators that a model asks for."""
    found = [o.version for o in model.opset_import if o.domain in _DOMAINS]
    if not found:
        raise MXNetValueError("the model does not say for which opset it is")
    if not 1 <= found[0] <= NEWEST_READ:
        raise MXNetValueError(f"the model is for opset {found[0]}; those from 1 to {NEWEST_READ} can be read")
    return int(found[0])


def tensor(proto: Any, folder: Folder) -> torch.Tensor:
    """The numbers of a TensorProto. What it says of its size must agree with what is there."""
    what = f"tensor {proto.name!r}"
    dims = [int(d) for d in proto.dims]
    if any(d < 0 for d in dims):
        raise MXNetValueError(f"{what} has the shape {tuple(dims)}")
    dtype = torch_type(proto.data_type, what)
    count = prod(dims)
    if proto.HasField("segment"):
        raise MXNetValueError(f"{what} comes in segments, which cannot be read")
    if proto.data_location == 1:
        raw = _external(proto, folder, what)
    elif proto.HasField("raw_data"):
        raw = proto.raw_data
    else:
        return _from_fields(proto, dims, dtype, count, what)
    if len(raw) != count * _SIZES[proto.data_type]:
        raise MXNetValueError(
            f"{what} of shape {tuple(dims)} needs {count * _SIZES[proto.data_type]} bytes, there are {len(raw)}"
        )
    if not count:
        return torch.zeros(dims, dtype=dtype)
    return _bytes(raw, proto.data_type, dtype).reshape(dims)


def _bytes(raw: bytes, code: int, dtype: torch.dtype) -> torch.Tensor:
    wide = {4: "<u2", 12: "<u4", 13: "<u8", 5: "<i2"}.get(code)
    if wide is not None:
        return torch.from_numpy(np.frombuffer(raw, wide).astype(np.int64)).to(dtype)
    return torch.frombuffer(bytearray(raw), dtype=dtype)


def _from_fields(proto: Any, dims: list[int], dtype: torch.dtype, count: int, what: str) -> torch.Tensor:
    code = proto.data_type
    if code == 1:
        numbers: Any = proto.float_data
    elif code == 11:
        numbers = proto.double_data
    elif code == 7:
        numbers = proto.int64_data
    elif code in (12, 13):
        numbers = proto.uint64_data
    else:
        numbers = proto.int32_data
    if len(numbers) != count:
        raise MXNetValueError(f"{what} of shape {tuple(dims)} needs {count} numbers, there are {len(numbers)}")
    if code in (10, 16):  # stored by their bits
        bits = torch.tensor([n & 0xFFFF for n in numbers], dtype=torch.int32).to(torch.int16)
        return bits.view(dtype).reshape(dims)
    try:
        return torch.tensor(list(numbers), dtype=dtype).reshape(dims)
    except (OverflowError, RuntimeError) as error:
        raise MXNetValueError(f"{what}: {error}") from None


def _external(proto: Any, folder: Folder, what: str) -> bytes:
    """Bytes from a file beside the model. Its name may not lead out of the model's folder, by links neither."""
    entries = {e.key: e.value for e in proto.external_data}
    location = entries.get("location", "")
    if not folder.path:
        raise MXNetValueError(f"{what} is in another file, {location!r}; import the model by its file name")
    if not location or os.path.isabs(location) or "\0" in location:
        raise MXNetValueError(
            f"{what} is stored in {location!r} according to the model, which is not a file beside the model"
        )
    place = os.path.realpath(os.path.join(folder.path, location))
    if os.path.commonpath([place, os.path.realpath(folder.path)]) != os.path.realpath(folder.path):
        raise MXNetValueError(f"{what} is stored in {location!r} according to the model, outside of the model's folder")
    try:
        offset, length = int(entries.get("offset", 0)), int(entries.get("length", -1))
    except ValueError:
        raise MXNetValueError(f"{what}: offset and length in {location!r} must be numbers") from None
    if not os.path.isfile(place):
        raise MXNetValueError(f"{what} is stored in {location!r} according to the model, and there is no such file")
    with reading(place) as (stream, size):
        wanted = size - offset if length < 0 else length
        if offset < 0 or wanted < 0 or offset + wanted > size:
            raise MXNetValueError(f"{what}: {location!r} has {size} bytes, not {wanted} from {offset} on")
        if not folder.spend(wanted, place, size):
            raise MXNetValueError(f"{what}: the tensors of the model have many times the bytes that {location!r} has")
        stream.seek(offset)
        content = stream.read(wanted)
    if len(content) < wanted:
        raise MXNetFileError(f"{place}: the file became shorter while it was read")
    return content


def dims_of(info: Any, what: str) -> list[int | str | None]:
    """The shape of a described value: a number, a name or None for each dimension."""
    if not info.type.HasField("tensor_type"):
        raise MXNetValueError(f"{what} is not a tensor, which is all that can be read")
    found: list[int | str | None] = []
    for dim in info.type.tensor_type.shape.dim:
        if dim.HasField("dim_value"):
            if dim.dim_value < 0 or dim.dim_value > _LONGEST:
                raise MXNetValueError(f"{what} has a dimension of {dim.dim_value}")
            found.append(int(dim.dim_value))
        else:
            found.append(dim.dim_param or None)
    return found


def attributes(node: Any) -> dict[str, Any]:
    """The attributes of a node as Python values; tensors and graphs as they are."""
    onnx = load_onnx()
    found = {}
    for attribute in node.attribute:
        if attribute.ref_attr_name:
            raise MXNetError(f"attribute {attribute.name!r} refers to one of a function")
        try:
            value = onnx.helper.get_attribute_value(attribute)
        except ValueError as error:
            raise MXNetValueError(f"attribute {attribute.name!r}: {error}") from None
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        elif isinstance(value, list) and value and isinstance(value[0], bytes):
            value = [v.decode("utf-8", "replace") for v in value]
        found[attribute.name] = list(value) if not isinstance(value, str | int | float) and _plain(value) else value
    return found


def _plain(value: Any) -> bool:
    return hasattr(value, "__iter__") and not hasattr(value, "SerializeToString")
