"""Gluon's data in the training loop of Module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..gluon.data import DataLoader
from ..io import DataDesc, DataIter
from ..ndarray import NDArray, concat, zeros

__all__ = ["DataLoaderIter"]


class DataLoaderIter(DataIter):
    """A DataLoader that gives pairs of data and label as an iterator of DataBatch.

    A last batch that is smaller is filled up with zeros; ``pad`` of the DataBatch says by how many.
    """

    def __init__(
        self, loader: DataLoader, data_name: str = "data", label_name: str = "softmax_label", dtype: str = "float32"
    ) -> None:
        super().__init__()
        self._loader = loader
        self._iter: Iterator[Any] = iter(loader)
        data, label = next(self._iter)
        self.batch_size = data.shape[0]
        self.dtype = dtype
        self.provide_data = [DataDesc(data_name, data.shape, dtype)]
        self.provide_label = [DataDesc(label_name, label.shape, dtype)]
        self._current: tuple[NDArray, NDArray] | None = None
        self.reset()

    def reset(self) -> None:
        """Starts anew."""
        self._iter = iter(self._loader)

    def iter_next(self) -> bool:
        """Goes to the next batch; whether there is one."""
        batch = next(self._iter, None)
        self._current = None if batch is None else tuple(batch)
        return batch is not None

    def _pad_batch(self, which: int) -> list[NDArray]:
        assert self._current is not None, "iter_next() comes first"
        array, missing = self._current[which].astype(self.dtype), self.getpad()
        if missing:
            array = concat(array, zeros((missing, *array.shape[1:]), array.context, self.dtype), dim=0)
        return [array]

    def getdata(self) -> list[NDArray]:
        """The data of this batch."""
        return self._pad_batch(0)

    def getlabel(self) -> list[NDArray]:
        """The labels of this batch."""
        return self._pad_batch(1)

    def getpad(self) -> int:
        """How many rows at the end are only there to fill the batch."""
        return 0 if self._current is None else self.batch_size - self._current[0].shape[0]

    def getindex(self) -> None:
        """Nothing: a DataLoader does not report which samples are in a batch."""
        return
