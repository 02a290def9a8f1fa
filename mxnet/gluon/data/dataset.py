"""Datasets: anything with ``len()`` and ``[]``. This class adds ways to choose and transform their elements."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ... import recordio
from ...ndarray import NDArray
from ..utils import MXNetAssertionError
from .sampler import FilterSampler, Sampler, SequentialSampler

__all__ = ["Dataset", "SimpleDataset", "ArrayDataset", "RecordFileDataset"]


class Dataset:
    """The base of datasets. A subclass has ``__getitem__``, which gives the i-th element, and ``__len__``.

    NDArrays, NumPy arrays and lists are datasets as they are: a ``DataLoader`` takes them directly.
    """

    def __getitem__(self, idx: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} must define __getitem__(self, idx), which gives element idx")

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} must define __len__(self), the number of elements")

    def filter(self, fn: Callable[[object], object]) -> Dataset:
        """Those elements for which ``fn(element)`` is true.

        ``fn`` is called for all elements now. Lazy transformations are not kept: they run again at each access.
        """
        return _SampledDataset(self, FilterSampler(fn, self))

    def shard(self, num_shards: int, index: int) -> Dataset:
        """The part ``index`` of ``num_shards`` parts of nearly equal size, e.g. for one of several machines."""
        if index >= num_shards:
            raise MXNetAssertionError(f"Shard index of out bound: {index} out of {num_shards}")
        if num_shards <= 0:
            raise MXNetAssertionError("Number of shards must be greater than 0")
        if index < 0:
            raise MXNetAssertionError("Index must be non-negative")
        size, rest = divmod(len(self), num_shards)
        start = size * index + min(index, rest)
        return _SampledDataset(self, SequentialSampler(size + (index < rest), start))

    def take(self, count: int | None) -> Dataset:
        """The first ``count`` elements; all of them if it is None or more than there are."""
        if count is None or count > len(self):
            count = len(self)
        return _SampledDataset(self, SequentialSampler(count))

    def sample(self, sampler: Sampler) -> Dataset:
        """The elements whose indices a sampler gives, which is asked once, now."""
        if not isinstance(sampler, Sampler):
            raise TypeError(f"Invalid sampler type: {type(sampler)}. Expected gluon.data.Sampler instead.")
        return _SampledDataset(self, sampler)

    def transform(self, fn: Callable[..., object], lazy: bool = True) -> Dataset:
        """Each element transformed: ``fn(element)``, or ``fn(*element)`` of a tuple.

        By default ``fn`` is called at each access, as random transformations need; with ``lazy=False`` once for each
        element, now.
        """
        transformed = _LazyTransformDataset(self, fn)
        if lazy:
            return transformed
        return SimpleDataset([transformed[i] for i in range(len(transformed))])

    def transform_first(self, fn: Callable[[object], object], lazy: bool = True) -> Dataset:
        """As ``transform``, but ``fn`` gets only the first part of each element: the data without the label."""
        return self.transform(_TransformFirstClosure(fn), lazy)


class SimpleDataset(Dataset):
    """A list, an array or anything else with ``len()`` and ``[]`` as a ``Dataset``.

    >>> data = gluon.data.SimpleDataset([1, 2, 3]).transform(lambda x: x * 10)
    >>> list(data)
    [10, 20, 30]
    """

    def __init__(self, data: Any):
        self._data = data

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, idx: Any) -> Any:
        return self._data[idx]


class _LazyTransformDataset(Dataset):
    """A dataset whose elements are transformed when they are asked for."""

    def __init__(self, data: Any, fn: Callable[..., Any]):
        self._data = data
        self._fn = fn

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, idx: Any) -> Any:
        item = self._data[idx]
        return self._fn(*item) if isinstance(item, tuple) else self._fn(item)


class _TransformFirstClosure:
    """Applies a function to the first of its arguments; an object rather than a closure, so that it can be pickled."""

    def __init__(self, fn: Callable[[Any], Any]):
        self._fn = fn

    def __call__(self, x: Any, *args: Any) -> Any:
        return (self._fn(x), *args) if args else self._fn(x)


class _SampledDataset(Dataset):
    """The elements of a dataset that a sampler chose."""

    def __init__(self, dataset: Any, sampler: Sampler):
        self._dataset = dataset
        self._sampler = sampler
        # a range stays one: a part of a large dataset costs no memory
        sequential = type(sampler) is SequentialSampler
        start = sampler._start if sequential else 0  # type: ignore[attr-defined]
        self._indices: Any = range(start, start + len(sampler)) if sequential else list(sampler)

    def __len__(self) -> int:
        return len(self._indices)

    def __getitem__(self, idx: Any) -> Any:
        return self._dataset[self._indices[idx]]


class _FilteredDataset(_SampledDataset):
    """The elements of a dataset for which a function is true."""

    def __init__(self, dataset: Any, fn: Callable[[Any], Any]):
        super().__init__(dataset, FilterSampler(fn, dataset))


class ArrayDataset(Dataset):
    """Several datasets, arrays or lists of one length, side by side: element i is ``(x1[i], x2[i], ...)``.

    Of a single one, element i is ``x1[i]``. An NDArray with one dimension, most often labels, is taken as a NumPy
    array, so that its elements are numbers.

    >>> data = gluon.data.ArrayDataset([10, 20, 30], ["a", "b", "c"])
    >>> data[1], len(data)
    ((20, 'b'), 3)
    """

    def __init__(self, *args: Any):
        if not args:
            raise MXNetAssertionError("Needs at least 1 arrays")
        self._length = len(args[0])
        self._data: list[Any] = []
        for i, data in enumerate(args):
            if len(data) != self._length:
                raise MXNetAssertionError(
                    f"All arrays must have the same length; array[0] has length {self._length} while array[{i}] has "
                    f"{len(data)}."
                )
            self._data.append(data.asnumpy() if isinstance(data, NDArray) and data.ndim == 1 else data)

    def __getitem__(self, idx: object) -> Any:
        if len(self._data) == 1:
            return self._data[0][idx]
        return tuple([data[idx] for data in self._data])

    def __len__(self) -> int:
        return self._length


class RecordFileDataset(Dataset):
    """The records of a RecordIO file, as bytes. Its index file has the same name with the ending ``.idx``."""

    def __init__(self, filename: Any):
        filename = os.fspath(filename)
        self.idx_file = os.path.splitext(filename)[0] + ".idx"
        self.filename = filename
        self._record = recordio.MXIndexedRecordIO(self.idx_file, self.filename, "r")

    def __getitem__(self, idx: Any) -> Any:
        return self._record.read_idx(self._record.keys[idx])

    def __len__(self) -> int:
        return len(self._record.keys)


class _DownloadedDataset(Dataset):
    """The base of MNIST, CIFAR and others: ``_get_data`` of a subclass sets the arrays ``_data`` and ``_label``."""

    def __init__(self, root: Any, transform: Callable[[Any, Any], Any] | None):
        self._transform = transform
        self._data: Any = None
        self._label: Any = None
        self._root = os.path.expanduser(os.fspath(root))
        self._get_data()

    def __getitem__(self, idx: object) -> Any:
        data, label = self._data[idx], self._label[idx]
        return (data, label) if self._transform is None else self._transform(data, label)

    def __len__(self) -> int:
        return len(self._label)

    def _get_data(self) -> None:
        raise NotImplementedError
