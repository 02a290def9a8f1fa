"""``ImageIter``, and all functions and augmenters for images that are no detection."""

from __future__ import annotations

import logging
import os
import random
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from .._core.files import leads_out, read_text, reading
from ..base import claim_classes
from ..error import MXNetError, MXNetFileError, MXNetValueError
from ..io import DataBatch, DataIter
from ..ndarray import NDArray, array, zeros
from ..ndarray.gate import call
from ..ndarray.kinds import accepts_both_kinds
from ..recordio import MXIndexedRecordIO, MXRecordIO, unpack
from .augmenters import *  # noqa: F403
from .augmenters import Augmenter, CreateAugmenter, __all__ as _augmenters
from .functions import *  # noqa: F403
from .functions import __all__ as _functions, imdecode, require

# The original keeps copyMakeBorder out of mx.image.
__all__ = [*(name for name in _functions if name != "copyMakeBorder"), *_augmenters, "ImageIter"]

_LABEL_DTYPES = ("int32", "float32", "int64", "float64")


def read_list(path: Any, dtype: Any = "float32") -> dict[int, tuple[np.ndarray, str]]:
    """The lines of a .lst file: number, labels and path of each image."""
    images = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip():
            continue
        fields = line.strip().split("\t")
        try:
            images[int(fields[0])] = (np.array(fields[1:-1], dtype), fields[-1])
            if len(fields) < 3:
                raise ValueError("too few columns")
        except (ValueError, OverflowError) as error:
            raise MXNetFileError(
                f"{path}: line {number} is {line[:80]!r}; a number, labels and a path, with tabs between them, "
                "were expected"
            ) from error
    return images


class ImageIter(DataIter):
    """Batches of images and labels from a record file, a list file, or a list.

    Exactly one of these says where the images come from: ``path_imgrec``, a record file, and with it ``path_imgidx``,
    its index, if they are to be shuffled or divided; ``path_imglist``, a file of lines of number, labels and path; or
    ``imglist``, a list of [label or labels, path]. Paths begin in ``path_root``. A list given beside a record file
    provides the labels.

    ``data_shape`` is (channel, height, width); ``aug_list`` the augmenters, by default those that ``CreateAugmenter``
    makes from all other arguments. Of ``num_parts`` equal parts the one of ``part_index`` is used. ``dtype`` is the
    type in which labels are read from lists. What is left for the last batch is filled up from the beginning ('pad'),
    left out ('discard'), or put in front of the next pass ('roll_over').
    """

    _augmenters: Callable[..., Any] = staticmethod(CreateAugmenter)

    def __init__(
        self,
        batch_size: int,
        data_shape: Sequence[int],
        label_width: int = 1,
        path_imgrec: Any = None,
        path_imglist: Any = None,
        path_root: Any = None,
        path_imgidx: Any = None,
        shuffle: bool = False,
        part_index: int = 0,
        num_parts: int = 1,
        aug_list: Sequence[Augmenter] | None = None,
        imglist: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: str = "float32",
        last_batch_handle: str = "pad",
        **kwargs: Any,
    ):
        super().__init__()
        require(
            path_imgrec or path_imglist or isinstance(imglist, list),
            "one of path_imgrec, path_imglist and imglist, a list, must be given",
        )
        require(dtype in _LABEL_DTYPES, f"{dtype} label not supported")
        if last_batch_handle not in ("pad", "discard", "roll_over"):
            raise MXNetValueError(f"last_batch_handle must be pad, discard or roll_over, got {last_batch_handle!r}")
        self.imgrec: MXRecordIO | None = None
        self.imgidx: list[Any] | None = None
        if path_imgrec and path_imgidx:
            self.imgrec = MXIndexedRecordIO(path_imgidx, path_imgrec, "r")
            self.imgidx = list(self.imgrec.keys)
        elif path_imgrec:
            self.imgrec = MXRecordIO(path_imgrec, "r")
        self.imglist: dict[Any, tuple[np.ndarray, str]] | None = None
        if path_imglist:
            self.imglist = read_list(path_imglist, dtype)
            root = os.fspath(path_root or "")
            wrong = [
                name for _, name in self.imglist.values() if root and self.imgrec is None and leads_out(root, name)
            ]
            if wrong:
                raise MXNetFileError(f"{path_imglist} names {wrong[0][:200]!r}, which is not below path_root {root!r}")
        elif isinstance(imglist, list):
            self.imglist = {str(i): _parse_list_item(item, dtype) for i, item in enumerate(imglist, 1)}
        self.path_root = path_root
        self.check_data_shape(data_shape)
        self.provide_data = [(data_name, (batch_size, *data_shape))]
        self.provide_label = [(label_name, (batch_size, label_width) if label_width > 1 else (batch_size,))]
        self.batch_size = batch_size
        self.data_shape = tuple(data_shape)
        self.label_width = label_width
        self.shuffle = shuffle
        self.seq: list[Any] | None = self.imgidx
        if self.imgrec is None:
            self.seq = list(self.imglist)  # type: ignore[arg-type]
        elif shuffle or num_parts > 1:
            require(self.imgidx is not None, "to shuffle or to divide a record file its index, path_imgidx, is needed")
        if num_parts > 1:
            require(0 <= part_index < num_parts, f"part_index must be from 0 to {num_parts - 1}, got {part_index}")
            size = len(self.seq) // num_parts  # type: ignore[arg-type]
            self.seq = self.seq[part_index * size : (part_index + 1) * size]  # type: ignore[index]
        self.auglist = self._augmenters(data_shape, **kwargs) if aug_list is None else aug_list
        self.cur = 0
        self._allow_read = True
        self.last_batch_handle = last_batch_handle
        self.num_image = None if self.seq is None else len(self.seq)
        self._rest: list[tuple[NDArray, Any]] = []
        self.reset()

    def reset(self) -> None:
        """Starts again, in a new order if the images are shuffled."""
        if self.shuffle:
            random.shuffle(self.seq)  # type: ignore[arg-type]
        if self.last_batch_handle != "roll_over" or not self._rest:
            self._from_the_start()
        self._allow_read = True

    def hard_reset(self) -> None:
        """Starts again, and forgets what was left for the next pass."""
        if self.shuffle:
            random.shuffle(self.seq)  # type: ignore[arg-type]
        self._from_the_start()
        self._allow_read = True
        self._rest = []

    def _from_the_start(self) -> None:
        if self.imgrec is not None:
            self.imgrec.reset()
        self.cur = 0

    def _end(self) -> NoReturn:
        """Ends a pass; the next one may follow without a reset unless images are left out, as in the original."""
        if self.last_batch_handle != "discard":
            self._from_the_start()
        raise StopIteration

    def next_sample(self) -> tuple[Any, bytes]:
        """The next label and the bytes of its image."""
        if not self._allow_read:
            raise StopIteration
        if self.seq is None:
            record = self.imgrec.read()  # type: ignore[union-attr]
            if record is None:
                self._end()
            self.cur += 1
            header, image = unpack(record)
            return header.label, image
        if self.cur >= len(self.seq):
            self._end()
        key = self.seq[self.cur]
        self.cur += 1
        if self.imgrec is None:
            label, name = self.imglist[key]  # type: ignore[index]
            return label, self.read_image(name)
        header, image = unpack(self.imgrec.read_idx(key))  # type: ignore[attr-defined]
        if self.imglist is None:
            return header.label, image
        if key not in self.imglist:
            raise MXNetValueError(f"the record with key {key} is not in the list")
        return self.imglist[key][0], image

    def _samples(self) -> Any:
        """Labels and augmented images, one after the other, to the end."""
        while True:
            try:
                label, encoded = self.next_sample()
            except StopIteration:
                return
            image = self.imdecode(encoded)
            try:
                self.check_valid_image([image])
            except RuntimeError as error:
                logging.debug("Invalid image, skipping:  %s", error)
                continue
            yield self._prepare(image, label)

    def _prepare(self, image: NDArray, label: object) -> tuple[NDArray, Any]:
        return self.postprocess_data(self.augmentation_transform(image)), label

    @accepts_both_kinds
    def next(self) -> DataBatch:
        """The next batch."""
        # What was kept for this pass fills the beginning; the rest of the batch counts as its padding, as ever.
        kept, self._rest = (self._rest, []) if self._allow_read else ([], self._rest)
        samples = list(kept)
        pad = 0
        if kept:
            self._from_the_start()
            pad = self.batch_size - len(kept)
        self._fill(samples)
        if len(samples) < self.batch_size:
            if not samples or self.last_batch_handle == "discard":
                raise StopIteration
            if self.last_batch_handle == "roll_over":
                self._rest = samples
                raise StopIteration
            pad = self.batch_size - len(samples)
            while len(samples) < self.batch_size:
                self._from_the_start()
                self._allow_read = True
                self._fill(samples)
            self._allow_read = False
        return self._batch(samples, pad)

    def _fill(self, samples: list[tuple[NDArray, Any]]) -> None:
        if len(samples) == self.batch_size:
            return
        for sample in self._samples():
            samples.append(sample)
            if len(samples) == self.batch_size:
                break

    def _batch(self, samples: list[tuple[NDArray, Any]], pad: int) -> DataBatch:
        data = zeros(self.provide_data[0][1])
        labels = np.empty(self.provide_label[0][1], np.float32)
        for i, (image, label) in enumerate(samples):
            if image.shape != self.data_shape:
                raise MXNetValueError(
                    f"the augmenters made an image of shape {image.shape}, expected {self.data_shape}; "
                    "let them end with a crop or a resize to that size"
                )
            data[i] = image
            labels[i] = self._label(label)
        return DataBatch([data], [array(labels)], pad)

    def _label(self, label: Any) -> Any:
        if np.size(label) == 1:
            return label if self.label_width > 1 else float(np.reshape(label, ()))
        if np.size(label) != self.label_width:
            raise MXNetValueError(f"an image has {np.size(label)} labels, but label_width is {self.label_width}")
        return label

    def check_data_shape(self, data_shape: Sequence[int]) -> None:
        """Raises an error unless a shape is that of images with three channels."""
        if len(data_shape) != 3:
            raise MXNetValueError("data_shape should have length 3, with dimensions CxHxW")
        if data_shape[0] != 3:
            raise MXNetValueError("This iterator expects inputs to have 3 channels.")

    def check_valid_image(self, data: Sequence[NDArray]) -> None:
        """Raises an error, upon which an image is left out, if it has no shape."""
        if len(data[0].shape) == 0:
            raise MXNetError("Data shape is wrong")

    def imdecode(self, s: bytes) -> NDArray:
        """The image in the bytes of a file."""
        try:
            return imdecode(s)
        except MXNetError as error:
            raise MXNetValueError(f"Broken image {self._current()}, {error}") from error

    def _current(self) -> str:
        if self.seq is None:
            return f"number: {self.cur - 1} of {self.imgrec.uri}"  # type: ignore[union-attr]
        key = self.seq[self.cur - 1]
        return f"filename: {self.imglist[key][1]}" if self.imgrec is None else f"index: {key}"  # type: ignore[index]

    def read_image(self, fname: str) -> bytes:
        """The bytes of a file below ``path_root``."""
        name = os.path.join(self.path_root or "", fname)
        with reading(name) as (stream, _):
            return stream.read()

    def augmentation_transform(self, data: NDArray) -> NDArray:
        """Applies the augmenters to an image."""
        for augmenter in self.auglist:
            data = augmenter(data)
        return data

    def postprocess_data(self, datum: NDArray) -> NDArray:
        """The image as it goes into the batch: (channel, height, width)."""
        return call("transpose", datum, axes=(2, 0, 1))


def _parse_list_item(item: Sequence[Any], dtype: Any) -> tuple[np.ndarray, str]:
    """Labels and path of an element of ``imglist``: [label, path], [labels, path], or [label, label, ..., path]."""
    labels = item[:-1] if len(item) > 2 else item[0]
    return np.array(labels, dtype).reshape(-1), item[-1]


claim_classes(globals(), _augmenters)
