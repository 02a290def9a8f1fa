"""Data iterators: what a batch is, iterators over arrays, over other iterators, and over files."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

import numpy as np
import torch

from .._core.threads import WhenCollected
from ..base import mx_real_t
from ..error import MXNetError, MXNetNotImplementedError, MXNetTypeError, MXNetValueError
from ..ndarray import NDArray, concat
from ..ndarray.creation import from_numpy
from ..ndarray.sparse import CSRNDArray
from .base import DataBatch, DataDesc, DataIter, _Forwarding
from .image_det import ImageDetRecordSource
from .image_record import (
    ImageRecordInt8Source,
    ImageRecordSource,
    ImageRecordSourceV1,
    ImageRecordUInt8Source,
    ImageRecordUInt8SourceV1,
)
from .mnist import MnistSource
from .sources import BatchSource, new_source
from .text import CsvSource, LibSvmSource
from .utils import _has_instance, _init_data, take_rows
from .worker import Worker

__all__ = [
    "CSVIter",
    "DataBatch",
    "DataDesc",
    "DataIter",
    "ImageDetRecordIter",
    "ImageRecordInt8Iter",
    "ImageRecordIter",
    "ImageRecordIter_v1",
    "ImageRecordUInt8Iter",
    "ImageRecordUInt8Iter_v1",
    "LibSVMIter",
    "MNISTIter",
    "MXDataIter",
    "NDArrayIter",
    "PrefetchingIter",
    "ResizeIter",
]


class ResizeIter(_Forwarding):
    """Another iterator with ``size`` batches per epoch: fewer than it has, or more by starting it again.

    With ``reset_internal`` a reset also starts the other iterator again; else it carries on where it is.

    >>> data = mx.io.NDArrayIter(nd.arange(4), batch_size=2)
    >>> len(list(mx.io.ResizeIter(data, 5)))
    5
    """

    def __init__(self, data_iter: DataIter, size: int, reset_internal: bool = True):
        super().__init__(data_iter.batch_size)
        self.data_iter = data_iter
        self.size = size
        self.reset_internal = reset_internal
        self.cur = 0
        self.provide_data = data_iter.provide_data  # type: ignore[attr-defined]
        self.provide_label = data_iter.provide_label  # type: ignore[attr-defined]
        if hasattr(data_iter, "default_bucket_key"):
            self.default_bucket_key = data_iter.default_bucket_key

    def reset(self) -> None:
        """Starts an epoch of ``size`` batches."""
        self.cur = 0
        if self.reset_internal:
            self.data_iter.reset()

    def iter_next(self) -> bool:
        """Moves to the next batch, and says whether there was one."""
        if self.cur >= self.size:
            return False
        try:
            self.current_batch = self.data_iter.next()
        except StopIteration:
            self.data_iter.reset()
            self.current_batch = self.data_iter.next()
        self.cur += 1
        return True


class PrefetchingIter(_Forwarding):
    """Gets the next batch of one or several iterators in threads while you work on this one.

    The batches of several iterators are put together. ``rename_data`` and ``rename_label`` are lists of dicts, one for
    each iterator, from its names to new ones. An error in a thread is raised by ``next``.
    """

    def __init__(
        self,
        iters: DataIter | list[DataIter],
        rename_data: list[dict[str, str]] | None = None,
        rename_label: list[dict[str, str]] | None = None,
    ):
        super().__init__()
        self.iters = iters if isinstance(iters, list) else [iters]
        self.n_iter = len(self.iters)
        assert self.n_iter > 0, "PrefetchingIter needs at least one iterator"
        for renames, name in ((rename_data, "rename_data"), (rename_label, "rename_label")):
            if renames is not None and not (isinstance(renames, list) and len(renames) == self.n_iter):
                raise MXNetTypeError(f"{name} must be a list of {self.n_iter} dict(s), one for each iterator")
        self.rename_data = rename_data
        self.rename_label = rename_label
        self.batch_size = self.provide_data[0][1][0]
        if self.n_iter == 1 and hasattr(self.iters[0], "default_bucket_key"):
            self.default_bucket_key = self.iters[0].default_bucket_key
        self._workers: list[Worker] = []
        WhenCollected(self, _stop, self._workers)  # first: starting them may be interrupted
        self._workers.extend(Worker() for _ in self.iters)
        self._coming: list[Future] = []
        self._prefetch()

    def _prefetch(self) -> None:
        self._coming = [worker.submit(it.next) for worker, it in zip(self._workers, self.iters, strict=True)]

    @property
    def provide_data(self) -> list[Any]:
        """What the data of a batch is."""
        return self._descriptions("provide_data", self.rename_data, self.iters)

    @property
    def provide_label(self) -> list[Any]:
        """What the labels of a batch are."""
        return self._descriptions("provide_label", self.rename_label, self.iters)

    @staticmethod
    def _descriptions(attribute: str, renames: list[dict[str, str]] | None, owners: Sequence[Any]) -> list[Any]:
        lists = [getattr(owner, attribute) for owner in owners]
        if renames is None:
            return [d for descriptions in lists for d in descriptions]
        return [
            d._replace(name=names[d.name]) if isinstance(d, DataDesc) else DataDesc(names[d[0]], *d[1:])
            for names, descriptions in zip(renames, lists, strict=True)
            for d in descriptions
        ]

    def reset(self) -> None:
        """Starts all iterators again."""
        for coming in self._coming:
            coming.exception()  # waits; what went wrong before a reset does not matter any more
        for it in self.iters:
            it.reset()
        self._prefetch()

    def iter_next(self) -> bool:
        """Moves to the next batch, and says whether there was one."""
        batches = []
        for coming in self._coming:
            try:
                batches.append(coming.result())
            except StopIteration:
                continue
        if not batches:
            return False
        first = batches[0]
        assert len(batches) == self.n_iter, "Number of entry mismatches between iterators"
        assert all(b.pad == first.pad for b in batches), "Number of entry mismatches between iterators"
        # With bucketing a batch says itself what its shapes are.
        data_from = batches if all(b.provide_data for b in batches) else self.iters
        label_from = batches if all(b.provide_label for b in batches) else self.iters
        self.current_batch = DataBatch(
            [d for b in batches for d in b.data or ()],
            [d for b in batches for d in b.label or ()],
            first.pad,
            first.index,
            first.bucket_key,
            self._descriptions("provide_data", self.rename_data, data_from),
            self._descriptions("provide_label", self.rename_label, label_from),
        )
        self._prefetch()
        return True


class NDArrayIter(DataIter):
    """Batches of arrays: NDArrays, NumPy arrays, or datasets on disk (``h5py.Dataset``, ``numpy.memmap``).

    Of csr matrices, ours or SciPy's, the batches are dense.

    ``data`` and ``label`` are arrays, lists of arrays or dicts of names and arrays; all but NDArrays become float32. A
    list of several arrays is named ``_0_data``, ``_1_data``. ``layout`` says by its N on which axis the examples lie.

    With ``shuffle`` the examples come in a new random order in each epoch, drawn from NumPy's generator. What is left
    at the end and fills no batch is, by ``last_batch_handle``, completed with examples from the beginning (``'pad'``;
    the batch's ``pad`` says how many), left out (``'discard'``), or put before the next epoch (``'roll_over'``).

    >>> data = mx.io.NDArrayIter(nd.arange(5).reshape((5, 1)), nd.arange(5), batch_size=2)
    >>> [(batch.data[0].shape, batch.pad) for batch in data]
    [((2, 1), 0), ((2, 1), 0), ((2, 1), 1)]
    """

    def __init__(
        self,
        data: object,
        label: object = None,
        batch_size: int = 1,
        shuffle: bool = False,
        last_batch_handle: str = "pad",
        data_name: str = "data",
        label_name: str = "softmax_label",
        layout: str | None = "NCHW",
    ):
        super().__init__(batch_size)
        if not isinstance(batch_size, int | np.integer) or batch_size < 1:
            raise MXNetTypeError(f"NDArrayIter: batch_size must be a positive integer, got {batch_size!r}")
        self.layout = layout
        self._axis = DataDesc.get_batch_axis(layout)
        if self._axis < 0:
            raise MXNetValueError(f"NDArrayIter: the layout {layout!r} has no N, which stands for the batch")
        self._data = _init_data(data, allow_empty=False, default_name=data_name)
        self._label = _init_data(label, allow_empty=True, default_name=label_name)
        self._sources = self._data + self._label
        for name, values in self._sources:
            if len(values.shape) <= self._axis:
                raise MXNetValueError(
                    f"NDArrayIter: {name} of shape {tuple(values.shape)} has no axis {self._axis}, the N of {layout!r}"
                )
        if _has_instance(self._sources, CSRNDArray) and self._axis:
            raise MXNetValueError(f"NDArrayIter: csr matrices have their examples on axis 0, the layout is {layout!r}")
        if _has_instance(self._sources, CSRNDArray) and last_batch_handle != "discard":
            raise MXNetNotImplementedError(
                "`NDArrayIter` only supports ``CSRNDArray`` with `last_batch_handle` set to `discard`."
            )
        self.num_source = len(self._sources)
        self.num_data = int(self._data[0][1].shape[self._axis])
        for name, values in self._sources:
            if values.shape[self._axis] < self.num_data:
                raise MXNetValueError(
                    f"NDArrayIter: {name} has {values.shape[self._axis]} examples, but {self._data[0][0]} has "
                    f"{self.num_data}"
                )
        self.shuffle = shuffle
        self.last_batch_handle = last_batch_handle
        self.idx = np.arange(self.num_data)
        #: The rows of the arrays in the order of this epoch; None if that is their own order.
        self._order: torch.Tensor | None = None
        #: Copies of the examples of this epoch that filled no batch, and of those of the last one.
        self._kept: list[NDArray] = []
        self._left: list[NDArray] = []
        self.cursor = -batch_size
        if shuffle:
            self._shuffle()

    # ---- what it has -------------------------------------------------------------------------------------------------

    def _describe(self, sources: list[tuple[str, Any]]) -> list[DataDesc]:
        axis = self._axis
        return [
            DataDesc(
                name,
                (*values.shape[:axis], self.batch_size, *values.shape[axis + 1 :]),
                values.dtype if isinstance(values, NDArray) and not self._is_float32(values) else mx_real_t,
                self.layout,
            )
            for name, values in sources
        ]

    @property
    def provide_data(self) -> list[DataDesc]:
        """What the data of a batch is."""
        return self._describe(self._data)

    @property
    def provide_label(self) -> list[DataDesc]:
        """What the labels of a batch are."""
        return self._describe(self._label)

    def _reorder(self, sources: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
        order = self._order
        return sources if order is None else [(name, take_rows(x, order, self._axis)) for name, x in sources]

    @property
    def data(self) -> list[tuple[str, Any]]:
        """Names and arrays of the data, in the order of this epoch."""
        return self._reorder(self._data)

    @property
    def label(self) -> list[tuple[str, Any]]:
        """Names and arrays of the labels, in the order of this epoch."""
        return self._reorder(self._label)

    @property
    def data_list(self) -> list[Any]:
        """All arrays, in the order of this epoch."""
        return [values for _, values in self._reorder(self._sources)]

    # ---- epochs ------------------------------------------------------------------------------------------------------

    def _shuffle(self) -> None:
        # MXNet moves the examples themselves, so that each epoch shuffles the order of the last one.
        np.random.shuffle(self.idx)
        step = torch.from_numpy(self.idx.astype(np.int64))
        self._order = step if self._order is None else self._order[step]

    def hard_reset(self) -> None:
        """Starts again, without what was left over from the last epoch."""
        if self.shuffle:
            self._shuffle()
        self.cursor = -self.batch_size
        self._kept, self._left = [], []

    def reset(self) -> None:
        """Starts the next epoch."""
        count, at = self.num_data, self.cursor
        rolls = self.last_batch_handle == "roll_over" and count - self.batch_size < at < count and at >= 0
        self._left = (self._kept or self._rest()) if rolls else []
        self._kept = []
        if self.shuffle:
            self._shuffle()
        self.cursor = -self.batch_size - (count - at if rolls else 0)

    def _rest(self) -> list[NDArray]:
        """Copies of the examples from the cursor to the end."""
        rows = self._rows(self.cursor, self.num_data)
        return [self._take(values, rows) for _, values in self._sources]

    def _is_float32(self, values: object) -> bool:
        """Whether batches of an NDArray are float32, whatever it is: the original shuffles by way of NumPy."""
        return self.shuffle and not isinstance(values, CSRNDArray)

    def _take(self, values: Any, rows: slice | torch.Tensor) -> NDArray:
        found = take_rows(values, rows, self._axis)
        return found.astype(mx_real_t, copy=False) if self._is_float32(values) else found

    def iter_next(self) -> bool:
        """Moves the cursor to the next batch, and says whether there are examples there."""
        self.cursor += self.batch_size
        return self.cursor < self.num_data

    def next(self) -> DataBatch:
        """The next batch; raises ``StopIteration`` at the end."""
        if not self.iter_next():
            raise StopIteration("the iterator is exhausted: call reset() before the next epoch")
        incomplete = self.cursor >= 0 and self.cursor + self.batch_size > self.num_data
        if incomplete and self.last_batch_handle != "pad":
            if self.last_batch_handle == "roll_over":
                self._kept = self._rest()
            raise StopIteration("the iterator is exhausted: call reset() before the next epoch")
        return DataBatch(data=self.getdata(), label=self.getlabel(), pad=self.getpad(), index=None)

    # ---- batches -----------------------------------------------------------------------------------------------------

    def _rows(self, start: int, stop: int) -> torch.Tensor:
        """The rows at some places of this epoch; after its end come those of its beginning again."""
        places = torch.arange(start, stop) % self.num_data
        return places if self._order is None else self._order[places]

    def _rows_of_batch(self) -> slice | torch.Tensor:
        start, stop = self.cursor, self.cursor + self.batch_size
        assert start < self.num_data, "DataIter needs reset."
        if start >= 0 and stop <= self.num_data:
            return slice(start, stop) if self._order is None else self._order[start:stop]
        if start <= -self.batch_size:
            raise MXNetError("NDArrayIter has no batch yet: call next() or iter_next() first")
        return self._rows(max(start, 0), stop if start < 0 or self.last_batch_handle == "pad" else self.num_data)

    def _batch(self, sources: list[tuple[str, Any]], left: list[NDArray]) -> list[NDArray]:
        if not sources:
            return []
        rows = self._rows_of_batch()
        batch = [self._take(values, rows).tostype("default") for _, values in sources]
        if self.cursor >= 0:
            return batch
        return [concat(old, new, dim=self._axis) for old, new in zip(left, batch, strict=True)]

    def getdata(self) -> list[NDArray]:
        """The data of this batch, a copy."""
        return self._batch(self._data, self._left[: len(self._data)])

    def getlabel(self) -> list[NDArray]:
        """The labels of this batch, a copy."""
        assert self.cursor < self.num_data, "DataIter needs reset."
        return self._batch(self._label, self._left[len(self._data) :])

    def getpad(self) -> int:
        """How many examples of this batch are padding: or, with ``'roll_over'``, are left from the last epoch."""
        if self.last_batch_handle == "pad":
            return max(0, self.cursor + self.batch_size - self.num_data)
        if self.last_batch_handle == "roll_over" and -self.batch_size < self.cursor < 0:
            return -self.cursor
        return 0


class MXDataIter(_Forwarding):
    """An iterator over a source of batches, which is what ``CSVIter``, ``ImageRecordIter`` and others return.

    ``handle`` is the source: an object with ``read()``, which returns data, label, pad and index, or None at the end,
    and with ``rewind()``.
    """

    def __init__(self, handle: BatchSource, data_name: str = "data", label_name: str = "softmax_label", **_: Any):
        if not (hasattr(handle, "read") and hasattr(handle, "rewind")):
            raise MXNetTypeError(f"MXDataIter takes a source with read() and rewind(), got {type(handle).__name__}")
        super().__init__()
        self.handle = handle
        self._skip_load = False
        #: The batch that was read to learn the shapes, until it is taken.
        self.first_batch = self._read()
        if self.first_batch is None:
            raise MXNetValueError(f"{getattr(handle, 'name', 'MXDataIter')}: there is not one batch of data")
        data, label = self.first_batch.data[0], self.first_batch.label[0]
        self.provide_data = [DataDesc(data_name, data.shape, data.dtype)]
        self.provide_label = [DataDesc(label_name, label.shape, label.dtype)]
        self.batch_size = data.shape[0]

    def _read(self) -> Any:
        read = self.handle.read()
        if read is None:
            return None
        data, label, pad, index = read
        return DataBatch([_as_nd(data)], [_as_nd(label)], pad, index)

    def debug_skip_load(self) -> None:
        """Makes the iterator return its first batch again and again, to see how fast the rest of a program is."""
        self._skip_load = True
        logging.info("Set debug_skip_load to be true, will simply return first batch")

    def reset(self) -> None:
        """Starts again."""
        self.handle.rewind()
        self.first_batch = self.current_batch = None

    def iter_next(self) -> bool:
        """Moves to the next batch, and says whether there was one."""
        if self._skip_load and self.current_batch is not None:
            return True
        self.current_batch, self.first_batch = self.first_batch or self._read(), None
        return self.current_batch is not None

    def getdata(self) -> NDArray:
        """The data of this batch."""
        return self._current().data[0]

    def getlabel(self) -> NDArray:
        """The labels of this batch."""
        return self._current().label[0]


def _stop(workers: list[Worker]) -> None:
    for worker in workers:
        worker.stop()


def _as_nd(values: Any) -> NDArray:
    """An array of a source, which gives it away, as an NDArray."""
    return values if isinstance(values, NDArray) else from_numpy(values)


def _iterator_over(source: type[BatchSource]) -> Callable[..., MXDataIter]:
    """The public function that makes an MXDataIter over a new source from keyword arguments."""

    def make(*args: Any, **kwargs: Any) -> MXDataIter:
        if args:
            raise MXNetTypeError(f"{source.name} takes its arguments by name, e.g. batch_size=32")
        return MXDataIter(new_source(source, kwargs), **kwargs)

    make.__name__ = make.__qualname__ = source.name
    make.__doc__ = source.__doc__
    own = [
        p.replace(kind=p.KEYWORD_ONLY, annotation=p.empty)
        for name, p in inspect.signature(source.__init__).parameters.items()
        if name != "self"
    ]
    names = [
        inspect.Parameter("data_name", inspect.Parameter.KEYWORD_ONLY, default="data"),
        inspect.Parameter("label_name", inspect.Parameter.KEYWORD_ONLY, default="softmax_label"),
    ]
    make.__signature__ = inspect.Signature(own + names)  # type: ignore[attr-defined]
    return make


CSVIter = _iterator_over(CsvSource)
LibSVMIter = _iterator_over(LibSvmSource)
MNISTIter = _iterator_over(MnistSource)
ImageRecordIter = _iterator_over(ImageRecordSource)
ImageRecordIter_v1 = _iterator_over(ImageRecordSourceV1)
ImageRecordInt8Iter = _iterator_over(ImageRecordInt8Source)
ImageRecordUInt8Iter = _iterator_over(ImageRecordUInt8Source)
ImageRecordUInt8Iter_v1 = _iterator_over(ImageRecordUInt8SourceV1)
ImageDetRecordIter = _iterator_over(ImageDetRecordSource)
