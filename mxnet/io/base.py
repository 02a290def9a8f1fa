"""What iterators give and are: descriptions, batches, and the base of all iterators."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Sequence
from typing import Any

from ..base import mx_real_t
from ..error import MXNetError


class DataDesc(namedtuple("DataDesc", ("name", "shape"))):
    """What an input is: a tuple of its name and shape that also has a ``dtype`` and a ``layout``.

    The layout names the axes; N is the batch, C channels, H height, W width, T time.
    """

    dtype: Any
    layout: str | None

    def __new__(cls, name: str, shape: object, dtype: object = mx_real_t, layout: str | None = "NCHW") -> DataDesc:
        self = super().__new__(cls, name, shape)
        self.dtype = dtype
        self.layout = layout
        return self

    def __repr__(self) -> str:
        return f"DataDesc[{self.name},{self.shape},{self.dtype},{self.layout}]"

    def _replace(self, **changes: Any) -> DataDesc:
        fields = {"name": self.name, "shape": self.shape, "dtype": self.dtype, "layout": self.layout}
        return type(self)(**{**fields, **changes})

    @staticmethod
    def get_batch_axis(layout: str | None) -> int:
        """The axis of the batch in a layout: where its N is. 0 without a layout, -1 if there is no N."""
        return 0 if layout is None else layout.find("N")

    @staticmethod
    def get_list(shapes: Iterable[tuple], types: Iterable[tuple] | None) -> list[DataDesc]:
        """Descriptions from pairs of name and shape and, if given, of name and dtype."""
        if types is None:
            return [DataDesc(pair[0], pair[1]) for pair in shapes]
        kinds = dict(types)
        return [DataDesc(pair[0], pair[1], kinds[pair[0]]) for pair in shapes]


class DataBatch:
    """A batch: lists of data and label arrays, and how many examples at its end are only padding (``pad``).

    ``index`` are the numbers of its examples. ``bucket_key``, ``provide_data`` and ``provide_label`` are for batches
    that are not shaped like those before, as with bucketing.
    """

    def __init__(
        self,
        data: Sequence[Any] | None,
        label: Sequence[Any] | None = None,
        pad: int | None = None,
        index: object = None,
        bucket_key: object = None,
        provide_data: object = None,
        provide_label: object = None,
    ):
        if data is not None:
            assert isinstance(data, list | tuple), "Data must be list of NDArrays"
        if label is not None:
            assert isinstance(label, list | tuple), "Label must be list of NDArrays"
        self.data: Any = data
        self.label: Any = label
        self.pad = pad
        self.index = index
        self.bucket_key = bucket_key
        self.provide_data = provide_data
        self.provide_label = provide_label

    def __str__(self) -> str:
        data = None if self.data is None else [d.shape for d in self.data]
        label = [d.shape for d in self.label] if self.label else None
        return f"{type(self).__name__}: data shapes: {data} label shapes: {label}"


class DataIter:
    """The base of data iterators: Python iterators over batches that can be started again with ``reset``.

    A custom iterator has the attributes ``batch_size``, ``provide_data`` and ``provide_label`` (lists of
    ``DataDesc``, or of plain tuples of name and shape), and either a method ``next`` that returns a ``DataBatch`` or
    raises ``StopIteration``, or ``iter_next`` that says whether there is another batch, with ``getdata``, ``getlabel``,
    ``getpad`` and ``getindex`` to get it.
    """

    def __init__(self, batch_size: int = 0):
        self.batch_size = batch_size

    def __iter__(self) -> DataIter:
        return self

    def reset(self) -> None:
        """Starts again."""

    def next(self) -> DataBatch:
        """The next batch; raises ``StopIteration`` at the end."""
        if self.iter_next():
            return DataBatch(data=self.getdata(), label=self.getlabel(), pad=self.getpad(), index=self.getindex())
        raise StopIteration

    def __next__(self) -> DataBatch:
        return self.next()

    def iter_next(self) -> Any:
        """Moves to the next batch, and says whether there was one."""

    def getdata(self) -> Any:
        """The data of this batch."""

    def getlabel(self) -> Any:
        """The labels of this batch."""

    def getindex(self) -> Any:
        """The numbers of the examples in this batch, or None."""
        return None

    def getpad(self) -> Any:
        """How many examples at the end of this batch are padding."""


class _Forwarding(DataIter):
    """An iterator whose methods look into its ``current_batch``."""

    current_batch: DataBatch | None = None

    def _current(self) -> DataBatch:
        if self.current_batch is None:
            raise MXNetError(f"{type(self).__name__} has no batch yet: call next() or iter_next() first")
        return self.current_batch

    def next(self) -> DataBatch:
        """The next batch; raises ``StopIteration`` at the end."""
        if self.iter_next():
            return self._current()
        raise StopIteration

    def getdata(self) -> Any:
        """The data of this batch."""
        return self._current().data

    def getlabel(self) -> Any:
        """The labels of this batch."""
        return self._current().label

    def getindex(self) -> Any:
        """The numbers of the examples in this batch, or None."""
        return self._current().index

    def getpad(self) -> Any:
        """How many examples at the end of this batch are padding."""
        return self._current().pad


# The original's place: representations and pickles name it.
for _class in (DataDesc, DataBatch, DataIter):
    _class.__module__ = "mxnet.io.io"
