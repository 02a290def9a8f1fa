"""Batches from one process to another through shared memory.

The arrays of a batch are put into one anonymous file in memory, whose descriptor is sent along a connection. It has no
name, so nothing is left behind whatever happens to either process; and it is not limited by the size of /dev/shm.
Where the system has no such files, the bytes go through the connection itself.
"""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Sequence
from multiprocessing import reduction
from typing import Any

import torch

from ...ndarray import NDArray
from ...ndarray.ndarray import wrap

_ALIGN = 64
_LARGE = 1 << 14  # a pickle of that many bytes is put into the shared memory too
_HAS_MEMORY_FILES = hasattr(os, "memfd_create") and os.path.isdir("/proc/self/fd")


class _Pickler(pickle.Pickler):
    """Pickles anything; the memory of NDArrays and NumPy arrays is collected in ``blocks`` rather than copied."""

    def __init__(self, file: Any):
        self.blocks: list[Any] = []
        self.buffers: list[int] = []  # which of the blocks are NumPy's, in order
        super().__init__(file, protocol=5, buffer_callback=self._add_buffer)

    def persistent_id(self, value: object) -> Any:
        if type(value) is not NDArray or value._data.device.type != "cpu":
            return None
        data = value._data
        self.blocks.append(data.contiguous().view(-1).view(torch.uint8).numpy() if data.numel() else b"")
        return len(self.blocks) - 1, data.dtype, tuple(data.shape), value._ctx

    def _add_buffer(self, buffer: pickle.PickleBuffer) -> None:
        self.buffers.append(len(self.blocks))
        self.blocks.append(buffer.raw())


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: Any, blocks: Sequence[torch.Tensor], buffers: list[int]):
        self._blocks = blocks
        super().__init__(file, buffers=[blocks[i].numpy() for i in buffers])

    def persistent_load(self, key: Any) -> NDArray:
        number, dtype, shape, context = key
        return wrap(self._blocks[number].view(dtype).view(shape), context)


def send(connection: Any, head: Any, value: Any) -> None:
    """Sends a small ``head`` and a value that may hold large arrays."""
    file = io.BytesIO()
    pickler = _Pickler(file)
    pickler.dump(value)
    blocks: list[Any] = pickler.blocks
    body: bytes | None = file.getvalue()
    if file.tell() > _LARGE:
        blocks, body = [*blocks, body], None
    sizes = [memoryview(block).nbytes for block in blocks]
    in_file = _HAS_MEMORY_FILES and any(sizes)
    if not in_file:
        connection.send((head, body, sizes, pickler.buffers, in_file))
        for block in blocks:
            connection.send_bytes(block)
        return
    descriptor = os.memfd_create("mxnet-batch", os.MFD_CLOEXEC)
    try:
        offset = 0
        for block, size in zip(blocks, sizes, strict=True):
            _write(descriptor, block, offset)
            offset += _align(size)
        os.ftruncate(descriptor, offset)
        connection.send((head, body, sizes, pickler.buffers, in_file))
        reduction.send_handle(connection, descriptor, os.getppid())
    finally:
        os.close(descriptor)


def _align(size: int) -> int:
    return -(-size // _ALIGN) * _ALIGN


def _write(descriptor: int, block: Any, offset: int) -> None:
    with memoryview(block).cast("B") as view:
        done = 0
        while done < len(view):
            done += os.pwrite(descriptor, view[done:], offset + done)


def receive(connection: Any) -> tuple[Any, Received]:
    """The head of what was sent, and the rest, to be opened with ``open()`` or dropped."""
    head, body, sizes, buffers, in_file = connection.recv()
    if in_file:
        descriptor = reduction.recv_handle(connection)
        try:
            blocks = _map(descriptor, sizes)
        finally:
            os.close(descriptor)
    else:
        blocks = [_own(connection.recv_bytes()) for _ in sizes]
    return head, Received(body, blocks, buffers)


def _own(content: bytes) -> torch.Tensor:
    return torch.frombuffer(bytearray(content), dtype=torch.uint8) if content else torch.empty(0, dtype=torch.uint8)


def _map(descriptor: int, sizes: Sequence[int]) -> list[torch.Tensor]:
    total = sum(_align(size) for size in sizes)
    # torch maps the file by its name and does not keep it open: many batches may be alive at once
    storage = torch.UntypedStorage.from_file(f"/proc/self/fd/{descriptor}", shared=True, nbytes=total)
    memory = torch.empty(0, dtype=torch.uint8).set_(storage)  # type: ignore[arg-type]
    blocks, offset = [], 0
    for size in sizes:
        blocks.append(memory[offset : offset + size])
        offset += _align(size)
    return blocks


class Received:
    """What another process sent. Its arrays stay in the shared memory, which is freed when the last of them is."""

    def __init__(self, body: bytes | None, blocks: list[torch.Tensor], buffers: list[int]):
        self._body = body
        self._blocks = blocks
        self._buffers = buffers

    def open(self) -> Any:
        """The batch, on the memory that was received."""
        body = self._blocks[-1].numpy().tobytes() if self._body is None else self._body
        return _Unpickler(io.BytesIO(body), self._blocks, self._buffers).load()
