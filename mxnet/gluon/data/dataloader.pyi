# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


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
from ...util import is_np_array, is_np_shape, set_np
from ..utils import MXNetAssertionError
from . import sampler as _sampler, workers
from .batches import batch_reader, default_batchify_fn, default_mp_batchify_fn
from .legacy import ConnectionWrapper, ForkingPickler, Queue, SimpleQueue, _MultiWorkerIter, _thread_worker_fn, _worker_fn, _worker_initializer, fetcher_loop_v1, rebuild_ndarray, rebuild_np_ndarray, reduce_ndarray, reduce_np_ndarray, worker_loop_v1
_END: Any
class DataLoader:
    """Mini-batches of a dataset: ``for data, label in DataLoader(dataset, 32, shuffle=True): ...``"""
    def __init__(self, dataset: Any, batch_size: int | None=None, shuffle: bool=False, sampler: Any=None, last_batch: str | None=None, batch_sampler: Any=None, batchify_fn: Callable[[list[Any]], Any] | None=None, num_workers: int=0, pin_memory: bool=False, pin_device_id: int=0, prefetch: int | None=None, thread_pool: bool=False, timeout: float=120, auto_reload: bool=False) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def refresh(self) -> None:
        """Starts making the batches of the next iteration now, with the dataset in its present state."""
    def clean(self) -> None:
        """Forgets batches that were made for the next iteration."""
    def _prefetch_iter(self) -> object: ...
    def _batches_made_here(self) -> Iterator[Any]: ...
    _batch_sampler: Any
    _batchify_fn: Callable[[list[Any]], Any] | None
    _dataset: Any
    _iter: Any
    _num_workers: Any
    _pin_device_id: int
    _pin_memory: bool
    _prefetch: Any
    _thread_pool: bool
    _timeout: float
    _workers: Any
    auto_reload: bool
def _batch_sampler(dataset: Any, size: Any, shuffle: bool, sampler: Any, last_batch: Any, batch_sampler: Any) -> Any: ...
class _WorkerBatches:
    """The batches of one iteration, made by workers, in order."""
    def __init__(self, workers: Any, indices: Iterator[Any], prefetch: int, timeout: float, pin: Context | None) -> None: ...
    def _submit_next(self) -> None: ...
    def __iter__(self) -> _WorkerBatches: ...
    def __next__(self) -> Any: ...
    def close(self) -> None:
        """Says that the batches which are not taken yet will not be."""
    _dropping: WhenCollected
    _indices: Any
    _pin: Context | None
    _tickets: deque[Any]
    _timeout: float
    _workers: Any
def _as_in_context(data: object, ctx: Context) -> object:
    """The arrays of a batch, or of lists of them, copied to another context."""
class DataLoaderV1(DataLoader):
    """The ``DataLoader`` of MXNet 1.2, without the newer options."""
    def __init__(self, dataset: Any, batch_size: int | None = None, shuffle: bool = False, sampler: Any = None, last_batch: str | None = None, batch_sampler: Any = None, batchify_fn: Callable[[list[Any]], Any] | None = None, num_workers: int = 0, pin_memory: bool = False, pin_device_id: int = 0) -> None: ...
__all__ = ['DataLoader']
