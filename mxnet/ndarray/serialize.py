"""The file format of NDArrays (``.params``), readable and writable by MXNet itself.

All numbers are little-endian. A file is a list of arrays, then a list of their names (empty for an unnamed list):

    u64 0x112   u64 reserved   u64 count, arrays   u64 count, names (u64 length, bytes)

An array begins with a magic number that tells the version of its layout (the oldest has none and begins with ndim):

    V2 V3   u32 magic   i32 storage type   [shape of the stored values]   shape   i32 device type   i32 device id
            i32 dtype   [i32 dtype, shape] of each index array   values   index arrays       (brackets: sparse only)
    V1      u32 magic   shape   i32 device type   i32 device id   i32 dtype   values
    V0      u32 ndim   u32 ...   i32 device type   i32 device id   i32 dtype   values

with a shape being u32 ndim, i64 ... . V3 is V2 written in np-shape mode, where shapes () and (0,) are real.
"""

from __future__ import annotations

import functools
import io
import struct
from math import prod
from typing import Any, BinaryIO

import torch

from .._core.dtypes import FLAG_OF, NAME_OF, TORCH_OF_FLAG
from .._core.files import kind_of_file
from .._core.literals import fits_its_parts
from ..base import numpy_mode
from ..context import Context, cpu, num_gpus
from ..error import MXNetError, MXNetFileError
from ..ops.sparse_values import CSR, RowSparse, Sparse

Value = torch.Tensor | Sparse

LIST_MAGIC = 0x112
V1, V2, V3 = 0xF993FAC8, 0xF993FAC9, 0xF993FACA
_DENSE, _ROW_SPARSE, _CSR = 0, 1, 2
_INDEX_ARRAYS = {_DENSE: 0, _ROW_SPARSE: 1, _CSR: 2}
_MAX_DIMS = 32
_CPU = cpu()


@functools.lru_cache(256)
def _layout(numbers: str) -> struct.Struct:
    """Little-endian numbers by their ``struct`` codes."""
    return struct.Struct("<" + numbers)


# ---- writing ---------------------------------------------------------------------------------------------------------


def size_of_list(arrays: list[tuple[Value, Context]], names: list[str]) -> int:
    """How many bytes ``write_list`` will write."""
    in_arrays = sum(_size_of(value) for value, _ in arrays)
    return 32 + in_arrays + sum(8 + len(name.encode()) for name in names)


def _size_of(value: Value) -> int:
    if not isinstance(value, Sparse):
        return 24 + 8 * value.dim() + value.numel() * value.element_size()
    return (
        sum(8 + 8 * part.dim() + part.numel() * part.element_size() for part in value.parts())
        + 24
        + 8 * len(value.shape)
    )


def write_list(stream: BinaryIO, arrays: list[tuple[Value, Context]], names: list[str]) -> None:
    """Writes arrays, and their names if there are any."""
    stream.write(struct.pack("<QQQ", LIST_MAGIC, 0, len(arrays)))
    for tensor, context in arrays:
        _write_array(stream, tensor, context)
    stream.write(struct.pack("<Q", len(names)))
    texts = [name.encode() for name in names]
    stream.write(b"".join([struct.pack("<Q", len(text)) + text for text in texts]))


def _write_sparse(stream: BinaryIO, value: Sparse, context: Context) -> None:
    stored, shape = value.data.shape, value.shape
    extra = [value.indptr, value.indices] if isinstance(value, CSR) else [value.indices]
    numbers = [V3 if numpy_mode.shape else V2, _CSR if isinstance(value, CSR) else _ROW_SPARSE, len(stored)]
    code = f"<IiI{len(stored)}qI{len(shape)}qiii"
    numbers += [*stored, len(shape), *shape, context.device_typeid, context.device_id, FLAG_OF[value.dtype]]
    for part in extra:
        code += "iIq"
        numbers += [FLAG_OF[part.dtype], 1, part.numel()]
    stream.write(struct.pack(code, *numbers))
    for part in (value.data, *extra):
        if part.numel():
            stream.write(_bytes_of(part.cpu().contiguous()))


def _write_array(stream: BinaryIO, tensor: Value, context: Context) -> None:
    if isinstance(tensor, Sparse):
        _write_sparse(stream, tensor, context)
        return
    shape = tensor.shape
    # An array of no dimensions is what earlier layouts say for "no array".
    magic = V3 if numpy_mode.shape or not shape else V2
    dims = len(shape)
    device = context.device_typeid, context.device_id
    stream.write(_layout(f"IiI{dims}qiii").pack(magic, _DENSE, dims, *shape, *device, FLAG_OF[tensor.dtype]))
    if tensor.numel():
        if not (tensor.is_cpu and tensor.is_contiguous()):
            tensor = tensor.cpu().contiguous()
        stream.write(_bytes_of(tensor))


def _bytes_of(tensor: torch.Tensor) -> Any:
    """The memory of a contiguous tensor on the CPU that has elements."""
    if tensor.dtype is torch.bfloat16:
        tensor = tensor.view(torch.int16)
    return (tensor.numpy() if tensor.dim() else tensor.view(1).numpy()).data.cast("B")


def array_to_bytes(tensor: Value, context: Context) -> bytearray:
    """One array as pickles hold it."""
    stream = io.BytesIO()
    _write_array(stream, tensor, context)
    return bytearray(stream.getbuffer())


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_list(stream: BinaryIO, size: int, name: str) -> tuple[list[tuple[Value, Context]], list[str]]:
    """Reads arrays and names from a stream of ``size`` bytes; ``name`` is what errors call it."""
    reader = _Reader(stream, size, name)
    if size == 0:
        raise reader.error("the file is empty. Was it saved, or fetched, to its end?")
    magic, _, count = reader.unpack("QQQ", "the header")
    if magic != LIST_MAGIC:
        found = kind_of_file(struct.pack("<Q", magic))
        begins = f"it begins with {magic:#x}, expected {LIST_MAGIC:#x}"
        what = f"this is {found}, not parameters" if found else f"this is not a file of NDArrays: {begins}"
        raise reader.error(f"{what}. Expected what nd.save, save_parameters or save_checkpoint have written", 0)
    reader.check_count(count, 8, "arrays")
    if not fits_its_parts(600 * count, size):
        raise reader.error(f"{count} arrays are announced, too many for a file of {size} bytes", 16)
    arrays = []
    for reader.index in range(count):
        arrays.append(reader.array())
    at = reader.offset
    (count,) = reader.unpack("Q", "the number of names")
    if count not in (0, len(arrays)):
        raise reader.error(f"{len(arrays)} array(s) have {count} name(s)", at)
    reader.check_count(count, 8, "names")
    return arrays, [reader.text(i) for i in range(count)]


def array_from_bytes(data: Any, name: str = "a pickled NDArray") -> tuple[Any, Context]:
    """The array that a pickle holds; ``name`` is what errors call it."""
    return _Reader(io.BytesIO(data), len(data), name).array()


class _Reader:
    """Reads numbers and tensors from a stream, never more than it holds."""

    def __init__(self, stream: BinaryIO, size: int, name: str):
        self.stream, self.size, self.name = stream, size, name
        self.offset = 0
        self.index = 0

    def error(self, reason: str, offset: int | None = None) -> MXNetError:
        """An error that names the file and the place in it."""
        return MXNetFileError(f"{self.name}, at byte {self.offset if offset is None else offset}: {reason}")

    def check_count(self, count: int, at_least: int, what: str) -> None:
        """Refuses a number of items that the rest of the stream cannot hold."""
        if count * at_least > self.size - self.offset:
            raise self.error(f"{count} {what} are announced, but only {self.size - self.offset} byte(s) follow")

    def _too_short(self, what: str, count: int) -> MXNetError:
        return self.error(
            f"the file ends within {what.format(self.index)}, which needs {count} byte(s): "
            f"{self.size - self.offset} byte(s) are left"
        )

    def unpack(self, numbers: str, what: str) -> tuple:
        """Little-endian numbers by their ``struct`` codes."""
        layout = _layout(numbers)
        return layout.unpack(self._read(layout.size, what))

    def _read(self, count: int, what: str) -> bytes:
        """So many bytes."""
        if count > self.size - self.offset:
            raise self._too_short(what, count)
        data = self.stream.read(count)
        if len(data) != count:
            raise self._too_short(what, count)
        self.offset += count
        return data

    def text(self, index: int) -> str:
        """A length and that many bytes of UTF-8."""
        (length,) = self.unpack("Q", "the length of a name")
        at = self.offset
        data = self._read(length, f"name {index}")
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise self.error(f"name {index} is not text: {data!r}", at) from None

    def _shape(self, dims: int, number: str = "q", rest: str = "") -> tuple[tuple[int, ...], tuple]:
        """The dimensions, and the numbers that follow them."""
        if dims > _MAX_DIMS:
            raise self.error(f"array {self.index} has {dims} dimensions, at most {_MAX_DIMS} are possible")
        at = self.offset
        found = self.unpack(f"{dims}{number}{rest}", "the shape of array {}")
        shape = found[:dims]
        if dims and min(shape) < 0:
            raise self.error(f"array {self.index} has a negative dimension in its shape {shape}", at)
        return shape, found[dims:]

    def _dtype(self, flag: int) -> torch.dtype:
        if flag not in TORCH_OF_FLAG:
            raise self.error(f"array {self.index} has the unknown dtype number {flag}", self.offset - 4)
        return TORCH_OF_FLAG[flag]

    def _context(self, kind: int, number: int) -> Context:
        """The device an array was on, or the CPU if this process does not have it."""
        if kind == 1:
            return _CPU
        if kind not in Context.devtype2str:
            raise self.error(f"array {self.index} is on a device of the unknown type {kind}", self.offset - 12)
        return Context("gpu", number) if kind == 2 and 0 <= number < num_gpus() else _CPU

    def _values(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        """A tensor whose elements are read straight into its memory."""
        number = prod(shape)
        count = number * dtype.itemsize
        if count > self.size - self.offset:
            raise self._too_short(f"the {number} element(s) of array {{}}, {NAME_OF[dtype]} of shape {shape}", count)
        try:
            tensor = torch.empty(shape, dtype=torch.uint8 if dtype is torch.bool else dtype)
        except RuntimeError as error:
            raise self.error(f"array {self.index} has the impossible shape {shape}: {error}") from None
        if count:
            memory = _bytes_of(tensor)
            done = self.stream.readinto(memory)  # type: ignore[attr-defined]
            while done < count:
                more = self.stream.readinto(memory[done:])  # type: ignore[attr-defined]
                if not more:
                    raise self._too_short("the elements of array {}", count)
                done += more
            self.offset += count
        return tensor.ne(0) if dtype is torch.bool else tensor

    def array(self) -> tuple[Any, Context]:
        """One array of any version."""
        at = self.offset
        (magic,) = self.unpack("I", "array {}")
        storage = _DENSE
        stored: tuple[int, ...] = ()
        if magic in (V2, V3):
            storage, dims = self.unpack("iI", "the storage type of array {}")
            if storage not in _INDEX_ARRAYS:
                raise self.error(f"array {self.index} has the unknown storage type {storage}", at + 4)
            if storage != _DENSE:
                stored, (dims,) = self._shape(dims, rest="I")
        elif magic == V1:
            (dims,) = self.unpack("I", "the number of dimensions of array {}")
        else:
            dims = magic
            if dims > _MAX_DIMS:
                raise self.error(f"this is not the beginning of array {self.index}: {dims:#x}", at)
        if not dims and magic != V3:
            raise self.error(
                f"array {self.index} has no shape: it was saved before it had data, or has no dimensions", at
            )
        shape, (kind, number, flag) = self._shape(dims, "q" if magic in (V1, V2, V3) else "I", "iii")
        context = self._context(kind, number)
        dtype = self._dtype(flag)
        if storage != _DENSE:
            value = self._sparse(storage, stored, shape, dtype, at)
            return (value.map(lambda part: part.to(context.torch_device)) if context.is_gpu else value), context
        tensor = self._values(shape, dtype)
        return (tensor.to(context.torch_device) if context.is_gpu else tensor), context

    def _sparse(
        self, storage: int, stored: tuple[int, ...], shape: tuple[int, ...], dtype: torch.dtype, at: int
    ) -> Sparse:
        """A sparse entry, whose indices are checked."""
        if prod(n or 1 for n in shape) >> 62:  # torch counts bytes in 64 bits
            raise self.error(f"array {self.index} has the impossible shape {shape}", at)
        kinds = []
        for _ in range(_INDEX_ARRAYS[storage]):
            flag, dims = self.unpack("iI", "the indices of array {}")
            kinds.append((self._dtype(flag), self._shape(dims)[0]))
        values = self._values(stored, dtype)
        indices = [self._values(s, d).to(torch.int64) for d, s in kinds]
        if storage == _ROW_SPARSE:
            if not values.numel():  # what the original writes for no rows: any shape without elements
                values = values.new_zeros((0, *shape[1:])) if not indices[0].numel() else values
            value: Sparse = RowSparse(values, indices[0], shape)
        else:
            starts, columns = indices
            value = CSR(values, columns, shape, starts)
        wrong = value.problem(full=False)
        if wrong is not None:
            raise self.error(
                f"array {self.index} is {value.stype}, and its indices do not fit its shape {shape}: {wrong}", at
            )
        return value
