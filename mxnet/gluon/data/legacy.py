"""What earlier ``DataLoader``s were made of, and packages borrow: queues that share arrays, batches by a pool."""

from __future__ import annotations

import io
import math
import multiprocessing
import multiprocessing.pool
import multiprocessing.queues
import pickle
from collections.abc import Callable, MutableMapping, Sequence
from multiprocessing.reduction import ForkingPickler
from typing import Any

import torch

from ..._core.dtypes import NAME_OF, torch_dtype
from ..._core.types import DType
from ...context import cpu_pinned, cpu_shared
from ...error import MXNetError
from ...ndarray import NDArray
from ...ndarray.ndarray import wrap
from ...ndarray.numpy.array import ndarray as np_ndarray

__all__ = ["ConnectionWrapper", "Queue", "SimpleQueue", "fetcher_loop_v1", "worker_loop_v1"]


def rebuild_ndarray(pid: object, fd: Any, shape: Sequence[int], dtype: DType) -> NDArray:
    """Returns the array that ``reduce_ndarray`` described, in the same memory. ``fd`` is torch's shared storage."""
    return _rebuild(NDArray, fd, shape, dtype)


def reduce_ndarray(data: NDArray) -> tuple[Callable, tuple]:
    """How to send an array to another process: the function that rebuilds it there, and its arguments.

    The arguments must be pickled by multiprocessing's own pickler, as its queues do.
    """
    return rebuild_ndarray, _describe(data)


def rebuild_np_ndarray(pid: object, fd: Any, shape: Sequence[int], dtype: DType) -> np_ndarray:
    """Returns the array that ``reduce_np_ndarray`` described, in the same memory."""
    return _rebuild(np_ndarray, fd, shape, dtype)


def reduce_np_ndarray(data: np_ndarray) -> tuple[Callable, tuple]:
    """How to send an array of ``mx.np`` to another process, as ``reduce_ndarray``."""
    return rebuild_np_ndarray, _describe(data)


def _describe(data: NDArray) -> tuple:
    import torch.multiprocessing  # noqa: F401  (teaches multiprocessing's pickler to send torch's storages)

    storage = data._data.contiguous().clone().untyped_storage().share_memory_()
    return None, storage, data.shape, NAME_OF[data._data.dtype]


def _rebuild(kind: type[NDArray], storage: Any, shape: Sequence[int], dtype: DType) -> Any:
    memory = torch.empty(0, dtype=torch_dtype(dtype)).set_(storage)
    return wrap(memory[: math.prod(shape)].view(tuple(shape)), cpu_shared(0), kind)


_REDUCERS: dict[type, Callable] = {NDArray: reduce_ndarray, np_ndarray: reduce_np_ndarray}


class _SharingPickler(ForkingPickler):
    def reducer_override(self, value: object) -> Any:
        reduce = _REDUCERS.get(type(value))
        return reduce(value) if reduce else NotImplemented


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

    def put(self, obj: object, *args: object, **kwargs: object) -> None:
        buffer = io.BytesIO()
        _SharingPickler(buffer, pickle.HIGHEST_PROTOCOL).dump(obj)
        super().put(buffer.getvalue(), *args, **kwargs)  # type: ignore[misc]

    def get(self, *args: object, **kwargs: object) -> Any:
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


_worker_dataset: Any = None


def _worker_initializer(dataset: object, active_shape: bool = False, active_array: bool = False) -> None:
    """Tells a worker of a pool which dataset it reads."""
    global _worker_dataset
    _worker_dataset = dataset


def _worker_fn(samples: Any, batchify_fn: Callable, dataset: Any = None) -> bytes:
    """A batch of the elements at some indices, pickled: what a worker process sends back."""
    dataset = _worker_dataset if dataset is None else dataset
    buffer = io.BytesIO()
    ForkingPickler(buffer, pickle.HIGHEST_PROTOCOL).dump(batchify_fn([dataset[i] for i in samples]))
    return buffer.getvalue()


def _thread_worker_fn(samples: Any, batchify_fn: Callable, dataset: Any) -> Any:
    """A batch of the elements at some indices, made by a thread of this process."""
    return batchify_fn([dataset[i] for i in samples])


class _MultiWorkerIter:
    """The batches that a ``multiprocessing`` pool of the caller's makes, in order.

    Loaders of other packages are made of it: they override ``_push_next``, which hands one list of indices to the pool.
    """

    def __init__(
        self,
        worker_pool: Any,
        batchify_fn: Callable,
        batch_sampler: Any,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        worker_fn: Callable = _worker_fn,
        prefetch: int = 0,
        dataset: Any = None,
        data_loader: Any = None,
        timeout: float = 120,
    ):
        self._worker_pool = worker_pool
        self._batchify_fn = batchify_fn
        self._batch_sampler = batch_sampler
        self._data_buffer: dict[int, Any] = {}
        self._rcvd_idx = 0
        self._sent_idx = 0
        self._iter = iter(batch_sampler)
        self._worker_fn = worker_fn
        self._pin_memory = pin_memory
        self._pin_device_id = pin_device_id
        self._dataset = dataset
        self._data_loader = data_loader
        self._timeout = timeout
        for _ in range(prefetch):
            self._push_next()

    def __len__(self) -> int:
        return len(self._batch_sampler)

    def _push_next(self) -> None:
        """Hands the next list of indices to the pool, if there is one."""
        samples = next(self._iter, None)
        if samples is None:
            return
        task = (samples, self._batchify_fn, self._dataset)
        self._data_buffer[self._sent_idx] = self._worker_pool.apply_async(self._worker_fn, task)
        self._sent_idx += 1

    def __next__(self) -> Any:
        from .dataloader import _as_in_context

        self._push_next()
        if self._rcvd_idx == self._sent_idx:
            if self._data_buffer:
                raise MXNetError(f"{len(self._data_buffer)} batches were made, but not asked for in order")
            raise StopIteration
        answer = self._data_buffer.pop(self._rcvd_idx)
        try:
            batch = answer.get(self._timeout)
        except multiprocessing.TimeoutError:
            raise MXNetError(
                f"no batch for {self._timeout} seconds. The workers are slow or have died; give the loader more time "
                "with timeout=, or try num_workers=0 to see an error where it happens"
            ) from None
        self._rcvd_idx += 1
        if isinstance(batch, bytes):
            batch = pickle.loads(batch)  # made by a worker of this program, not read from a file
        return _as_in_context(batch, cpu_pinned(self._pin_device_id)) if self._pin_memory else batch

    next = __next__

    def __iter__(self) -> _MultiWorkerIter:
        return self
