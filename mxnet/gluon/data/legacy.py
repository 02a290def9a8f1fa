"""What the first ``DataLoader`` was made of, and programs may have borrowed: queues that share arrays."""

from __future__ import annotations

import io
import multiprocessing
import multiprocessing.queues
import pickle
from collections.abc import Callable, MutableMapping
from multiprocessing.reduction import ForkingPickler
from typing import Any

import torch

from ...context import cpu_pinned, cpu_shared
from ...dtypes import NAME_OF, torch_dtype
from ...ndarray import NDArray
from ...ndarray.ndarray import wrap

__all__ = ["ConnectionWrapper", "Queue", "SimpleQueue", "fetcher_loop_v1", "worker_loop_v1"]


def rebuild_ndarray(pid: Any, fd: Any, shape: Any, dtype: Any) -> NDArray:
    """The array that ``reduce_ndarray`` described, in the same memory. ``fd`` is torch's shared storage."""
    memory = torch.empty(0, dtype=torch_dtype(dtype)).set_(fd)
    return wrap(memory[: _count(shape)].view(tuple(shape)), cpu_shared(0))


def reduce_ndarray(data: NDArray) -> tuple[Callable, tuple]:
    """How to send an array to another process: the function that rebuilds it there, and its arguments.

    The arguments must be pickled by multiprocessing's own pickler, as its queues do.
    """
    import torch.multiprocessing  # noqa: F401  (teaches that pickler to send torch's storages)

    storage = data._data.contiguous().clone().untyped_storage().share_memory_()
    return rebuild_ndarray, (None, storage, data.shape, NAME_OF[data._data.dtype])


def rebuild_np_ndarray(pid: Any, fd: Any, shape: Any, dtype: Any) -> Any:
    """The same for ``mx.np`` arrays, which are not part of this release."""
    raise NotImplementedError("mx.np arrays are not part of this release; use the classic NDArray")


def reduce_np_ndarray(data: Any) -> Any:
    """The same for ``mx.np`` arrays, which are not part of this release."""
    raise NotImplementedError("mx.np arrays are not part of this release; use the classic NDArray")


def _count(shape: Any) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


class _SharingPickler(ForkingPickler):
    def reducer_override(self, value: Any) -> Any:
        return reduce_ndarray(value) if type(value) is NDArray else NotImplemented


class ConnectionWrapper:
    """A connection between processes whose ``send`` puts NDArrays into shared memory."""

    def __init__(self, conn: Any):
        self._conn = conn

    def send(self, obj: Any) -> None:
        """Sends an object."""
        buffer = io.BytesIO()
        _SharingPickler(buffer, pickle.HIGHEST_PROTOCOL).dump(obj)
        self._conn.send_bytes(buffer.getvalue())

    def recv(self) -> Any:
        """Receives an object."""
        return pickle.loads(self._conn.recv_bytes())

    def __getattr__(self, name: str) -> Any:
        if name == "_conn":
            raise AttributeError(name)
        return getattr(self._conn, name)


class _SharingQueue:
    """Sends NDArrays in shared memory, whatever kind of queue it is mixed into."""

    def put(self, obj: Any, *args: Any, **kwargs: Any) -> None:
        buffer = io.BytesIO()
        _SharingPickler(buffer, pickle.HIGHEST_PROTOCOL).dump(obj)
        super().put(buffer.getvalue(), *args, **kwargs)  # type: ignore[misc]

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return pickle.loads(super().get(*args, **kwargs))  # type: ignore[misc]


class Queue(_SharingQueue, multiprocessing.queues.Queue):
    """A queue between processes that puts NDArrays into shared memory."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, ctx=multiprocessing.get_context(), **kwargs)


class SimpleQueue(_SharingQueue, multiprocessing.queues.SimpleQueue):
    """A queue between processes, without a thread, that puts NDArrays into shared memory."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, ctx=multiprocessing.get_context(), **kwargs)


def worker_loop_v1(dataset: Any, key_queue: Any, data_queue: Any, batchify_fn: Callable) -> None:
    """Puts ``(key, batch)`` into a queue for each ``(key, indices)`` of another one, until a key is None."""
    while True:
        key, indices = key_queue.get()
        if key is None:
            return
        data_queue.put((key, batchify_fn([dataset[i] for i in indices])))


def fetcher_loop_v1(
    data_queue: Any,
    data_buffer: MutableMapping,
    pin_memory: bool = False,
    pin_device_id: int = 0,
    data_buffer_lock: Any = None,
) -> None:
    """Moves ``(key, batch)`` from a queue to a dictionary, until a key is None."""
    from .dataloader import _as_in_context

    while True:
        key, batch = data_queue.get()
        if key is None:
            return
        if pin_memory:
            batch = _as_in_context(batch, cpu_pinned(pin_device_id))
        if data_buffer_lock is None:
            data_buffer[key] = batch
        else:
            with data_buffer_lock:
                data_buffer[key] = batch
