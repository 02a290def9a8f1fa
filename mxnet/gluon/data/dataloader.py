"""The ``DataLoader``: mini-batches of a dataset, made in this process, in threads or in other processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import torch

from ..._core.signature import takes
from ..._core.threads import WhenCollected
from ...base import claim_classes
from ...context import Context, cpu_pinned
from ...error import MXNetValueError
from ...ndarray import NDArray
from ...ndarray.kinds import as_current
from ...ndarray.ndarray import wrap
from ...util import is_np_array, is_np_shape, set_np  # noqa: F401  (the original has these names here)
from ..utils import MXNetAssertionError
from . import sampler as _sampler, workers
from .batches import batch_reader, default_batchify_fn, default_mp_batchify_fn
from .legacy import (  # noqa: F401
    ConnectionWrapper,
    ForkingPickler,
    Queue,
    SimpleQueue,
    _MultiWorkerIter,
    _thread_worker_fn,
    _worker_fn,
    _worker_initializer,
    fetcher_loop_v1,
    rebuild_ndarray,
    rebuild_np_ndarray,
    reduce_ndarray,
    reduce_np_ndarray,
    worker_loop_v1,
)

__all__ = ["DataLoader"]

_END = object()


class DataLoader:
    """Mini-batches of a dataset: ``for data, label in DataLoader(dataset, 32, shuffle=True): ...``

    Parameters
    ----------
    dataset
        A ``Dataset``, an NDArray, a NumPy array, or anything else with ``len()`` and ``[]``.
    batch_size, shuffle, sampler, last_batch
        How many elements make a batch; in random order, or in that of a sampler; and what becomes of a rest that fills
        no batch: 'keep' (the default), 'discard' or 'rollover' to the next epoch.
    batch_sampler
        Gives lists of indices, one for each batch, instead of the four above.
    batchify_fn
        Makes a batch from a list of elements; ``default_batchify_fn`` stacks arrays and numbers.
    num_workers
        How many workers make batches ahead of time; with 0 they are made when they are asked for. The workers are
        started by the first iteration and stay for the next ones. They have random numbers of their own, which depend
        on the seeds that this process had set by then. A worker's error is raised here; a worker that dies is named in
        an ``MXNetError``, and the next iteration starts new ones.
    thread_pool
        Workers are threads instead of processes: good when the work is done by libraries that release Python's lock.
    prefetch
        How many batches the workers are ahead, by default ``2 * num_workers``.
    pin_memory, pin_device_id
        Copies batches to page-locked memory, from where copies to a GPU are fast.
    timeout
        After so many seconds without the next batch of a worker, ``TimeoutError`` is raised.
    auto_reload
        The workers start with the next epoch as soon as one is over, and with the first one now.

    >>> data = gluon.data.ArrayDataset(nd.arange(6).reshape((3, 2)), nd.arange(3))
    >>> for x, y in gluon.data.DataLoader(data, batch_size=2):
    ...     print(x.shape, y.asnumpy())
    (2, 2) [0. 1.]
    (1, 2) [2.]
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = None,
        shuffle: bool = False,
        sampler: Any = None,
        last_batch: str | None = None,
        batch_sampler: Any = None,
        batchify_fn: Callable[[list[Any]], Any] | None = None,
        num_workers: int = 0,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        prefetch: int | None = None,
        thread_pool: bool = False,
        timeout: float = 120,
        auto_reload: bool = False,
    ):
        self._dataset = dataset
        self._pin_memory = pin_memory
        self._pin_device_id = pin_device_id
        self._thread_pool = thread_pool
        self._timeout = timeout
        if timeout <= 0:
            raise MXNetAssertionError(f"timeout must be positive, given {timeout}")
        self._batch_sampler = _batch_sampler(dataset, batch_size, shuffle, sampler, last_batch, batch_sampler)
        self._num_workers = max(0, num_workers)
        self._workers: Any = None
        self._prefetch = max(0, 2 * self._num_workers if prefetch is None else int(prefetch))
        if batchify_fn is None:
            batchify_fn = default_mp_batchify_fn if self._num_workers else default_batchify_fn
        self._batchify_fn = batchify_fn
        self.auto_reload = auto_reload
        self._iter: Any = None
        if auto_reload:
            self.refresh()

    def __len__(self) -> int:
        return len(self._batch_sampler)

    def __iter__(self) -> Iterator[Any]:
        batches, self._iter = self._iter or self._prefetch_iter(), None
        for batch in batches:  # no ``finally``: an interrupt while Python collects this generator would be lost
            yield as_current(batch)
        if self.auto_reload and self._iter is None:
            self.refresh()

    def refresh(self) -> None:
        """Starts making the batches of the next iteration now, with the dataset in its present state."""
        self.clean()
        self._iter = self._prefetch_iter()

    def clean(self) -> None:
        """Forgets batches that were made for the next iteration."""
        batches, self._iter = self._iter, None
        if batches is not None:
            batches.close()

    def _prefetch_iter(self) -> object:
        if not self._num_workers:
            return self._batches_made_here()
        with workers.starting:
            if self._workers is None or not self._workers.usable:
                kind = workers.ThreadWorkers if self._thread_pool else workers.ProcessWorkers
                self._workers = kind(self._num_workers, self._dataset, self._batchify_fn)
        pin = cpu_pinned(self._pin_device_id) if self._pin_memory else None
        return _WorkerBatches(self._workers, iter(self._batch_sampler), self._prefetch, self._timeout, pin)

    def _batches_made_here(self) -> Iterator[Any]:
        read = batch_reader(self._dataset, self._batchify_fn)
        pin = cpu_pinned(self._pin_device_id) if self._pin_memory else None
        for indices in self._batch_sampler:
            batch = read(indices)
            yield batch if pin is None else _as_in_context(batch, pin)


def _batch_sampler(dataset: Any, size: Any, shuffle: bool, sampler: Any, last_batch: Any, batch_sampler: Any) -> Any:
    if batch_sampler is not None:
        if size is not None or shuffle or sampler is not None or last_batch is not None:
            raise MXNetValueError(
                "batch_size, shuffle, sampler and last_batch must not be specified if batch_sampler is specified."
            )
        return batch_sampler
    if size is None:
        raise MXNetValueError("batch_size must be specified unless batch_sampler is specified")
    if sampler is None:
        sampler = (_sampler.RandomSampler if shuffle else _sampler.SequentialSampler)(len(dataset))
    elif shuffle:
        raise MXNetValueError("shuffle must not be specified if sampler is specified")
    return _sampler.BatchSampler(sampler, size, last_batch or "keep")


class _WorkerBatches:
    """The batches of one iteration, made by workers, in order."""

    def __init__(self, workers: Any, indices: Iterator[Any], prefetch: int, timeout: float, pin: Context | None):
        self._workers = workers
        self._indices = indices
        self._timeout = timeout
        self._pin = pin
        self._tickets: deque[Any] = deque()
        self._dropping = WhenCollected(self, workers.drop, self._tickets)
        for _ in range(prefetch):
            self._submit_next()

    def _submit_next(self) -> None:
        indices = next(self._indices, _END)
        if indices is not _END:
            self._workers.submit(indices, self._tickets)

    def __iter__(self) -> _WorkerBatches:
        return self

    def __next__(self) -> Any:
        try:
            self._submit_next()
            if not self._tickets:
                raise StopIteration
            batch = self._workers.result(self._tickets[0], self._timeout)
            self._tickets.popleft()
        except BaseException:
            self.close()
            raise
        return batch if self._pin is None else _as_in_context(batch, self._pin)

    def close(self) -> None:
        """Says that the batches which are not taken yet will not be."""
        self._indices = iter(())
        self._dropping()
        self._tickets.clear()


def _as_in_context(data: object, ctx: Context) -> object:
    """The arrays of a batch, or of lists of them, copied to another context."""
    if isinstance(data, NDArray):
        if ctx.device_type == "cpu_pinned" and torch.cuda.is_available():
            return wrap(data._data.pin_memory(), ctx)
        return data.as_in_context(ctx)
    if isinstance(data, list | tuple):
        return [_as_in_context(part, ctx) for part in data]
    return data


class DataLoaderV1(DataLoader):
    """The ``DataLoader`` of MXNet 1.2, without the newer options."""

    @takes(DataLoader.__init__, without=("prefetch", "thread_pool", "timeout", "auto_reload"))
    def __init__(self, **given: Any):
        super().__init__(**given)


claim_classes(globals(), ["ConnectionWrapper", "Queue", "SimpleQueue"])
