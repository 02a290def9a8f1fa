"""Batches of images from record files, decoded and augmented by threads before they are asked for."""

from __future__ import annotations

import os
import weakref
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from threading import Thread, current_thread
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from .._core.files import path_name
from .._core.pixels import decode_pixels
from .._core.threads import WhenCollected
from ..error import MXNetError, MXNetValueError
from ..ndarray import array, load, save
from .image_augment import Plan
from .image_batch import Buffers, Coming, Record
from .image_files import Image, ImageFiles, read_image_list, size_in_header
from .image_opencv import cv2
from .image_order import RecordOrder
from .image_random import Stopped, Turns, Twister
from .image_record_arguments import _Arguments, _Normalization
from .sources import Batch

__all__ = [
    "ImageRecordInt8Source",
    "ImageRecordSource",
    "ImageRecordSourceV1",
    "ImageRecordUInt8Source",
    "ImageRecordUInt8SourceV1",
    "RecordSource",
]

_PATIENCE = 1.0  # seconds until it is looked whether the threads are still there
_PER_TASK = 4  # images: enough to make a task worth its while, few enough that threads finish together


if TYPE_CHECKING:
    _HasArguments = _Arguments
else:  # a subclass may have other defaults, which must not be hidden by those of _Arguments
    _HasArguments = object


class RecordSource(_HasArguments):
    """Plans batches of records, has them made by threads, and gives them in their order.

    An epoch ends within a batch: the rest of it is from the next epoch, which then starts after that (or, without
    ``round_batch``, is zero). A subclass says how an image and its labels get into the batch.
    """

    name: ClassVar[str]
    _augmenter: ClassVar[str] = "aug_default"
    _kinds: ClassVar[tuple[str, ...]] = ("float32", "uint8", "int8")
    _numbered: ClassVar[bool] = False
    _dtype: ClassVar[str] = "float32"
    _order_seed: ClassVar[int] = 111  # added to the user's seed
    _heeds_index: ClassVar[bool] = False
    #: The batch's row of labels if it is not one number.
    _label_shape: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.data_shape) != 3 or min(self.data_shape) < 1:
            raise MXNetValueError(f"{self.name}: data_shape must be (channels, height, width), got {self.data_shape}")
        if self.data_shape[0] not in (1, 3, 4):
            raise MXNetValueError(f"{self.name}: data_shape must have 1, 3 or 4 channels, got {self.data_shape}")
        if not self.path_imgrec:
            raise MXNetValueError(f"{self.name}: path_imgrec, the image_rec file, must be given")
        for augmenter in filter(None, self.aug_seq.split(",")):
            if augmenter.strip() != self._augmenter:
                raise MXNetValueError(f"{self.name}: there is no augmenter {augmenter!r}, only {self._augmenter!r}")
        kind = self.dtype or self._dtype
        if kind not in self._kinds:
            raise MXNetValueError(f"{self.name}: dtype {kind} is not supported, only {', '.join(self._kinds)}")
        chunk_size = self.shuffle_chunk_size << 20
        index = self.path_imgidx if self._heeds_index else ""
        self._files = ImageFiles(self.path_imgrec, index, self.part_index, self.num_parts, chunk_size)
        self._list = read_image_list(self.path_imglist, max(1, self.label_width)) if self.path_imglist else None
        order_seed = self._order_seed + self.seed
        self._seed_each = self.seed_aug if self._heeds_index else None
        self._order = RecordOrder(
            self._files, self.shuffle, order_seed, chunk_size > 0, self.shuffle_chunk_seed, self._seed_each is not None
        )
        self._buffers = Buffers((self.batch_size, *self.data_shape), kind)
        self._prepare()
        workers: list[Thread] = []
        self._workers = workers
        self._threads = ThreadPoolExecutor(
            max(1, self.preprocess_threads), self.name, initializer=lambda: workers.append(current_thread())
        )
        # Threads that wait for work end with the executor; those at work when it is collected must not go on for long.
        self._ended = WhenCollected(self, _end, self._threads, self._files)
        self._random = self._generators()
        self._turns, self._turn = Turns(), 0
        self._state = [generator.state() for generator in self._random]
        self._coming: deque[Coming] = deque()
        self._broken: MXNetError | None = None
        self._at_end = False
        self._begin_epoch()
        self._plan_ahead()

    # ---- which records -----------------------------------------------------------------------------------------------

    def _begin_epoch(self) -> None:
        self._records: Iterator[Record] = self._order.epoch()
        self._begun = False

    def _take(self, count: int) -> list[Record]:
        """Up to that many records that are left in this epoch."""
        taken = list(islice(self._records, count))
        self._begun = self._begun or bool(taken)
        return taken

    def _any_left(self) -> bool:
        """Whether this epoch has more records."""
        following = next(self._records, None)
        if following is None:
            return False
        self._records = chain((following,), self._records)
        return True

    def _plan(self) -> bool:
        """Has the next batch made, if there is one in this epoch."""
        records = self._take(self.batch_size)
        if not records:
            self._at_end = True
            return False
        pad = self.batch_size - len(records)
        if pad:
            self._at_end = True
            if self.round_batch:
                self._begin_epoch()
                records += self._take(pad)
                if len(records) < self.batch_size:
                    raise MXNetError(
                        f"{self.name}: number of input images must be bigger than the batch size: there are "
                        f"{self._files.count()} images for batches of {self.batch_size}"
                    )
        coming = Coming(
            self._buffers.take(max(1, self.prefetch_buffer) + 2),
            np.zeros((self.batch_size, *self._label_shape), np.float32),
            np.zeros(self.batch_size, np.uint64),
            pad,
            self._turns,
            self._random,
        )
        if len(records) < self.batch_size:
            coming.data[len(records) :] = 0
        for row, (_, group) in enumerate(records):
            if group is not None and group.start is None:
                group.start = self.batch_size if self.shuffle else row
        for start in range(0, len(records), _PER_TASK):
            some = records[start : start + _PER_TASK]
            coming.tasks.append(self._threads.submit(_make, weakref.ref(self), coming, start, some, self._turn))
            self._turn += 1
        self._coming.append(coming)
        return True

    def _plan_ahead(self) -> None:
        while not self._at_end and len(self._coming) < max(1, self.prefetch_buffer):
            try:
                self._plan()
            except MXNetError as error:  # raised when that batch is asked for: those before it are good
                self._broken, self._at_end = error, True

    # ---- batches -----------------------------------------------------------------------------------------------------

    def read(self) -> Batch | None:
        """The next batch, or None at the end of the epoch."""
        if not self._ended.alive:
            raise MXNetError(f"{self.name} is closed")
        self._plan_ahead()
        if not self._coming:
            if self._broken is not None:
                raise self._broken
            return None
        coming = self._coming.popleft()
        self._plan_ahead()
        try:
            self._finish(coming)
        finally:
            self._state = coming.state or self._state
        # A view: the caller may freeze it, but not the buffer.
        return Batch(coming.data.view(), coming.label, coming.pad, coming.index)

    def _finish(self, coming: Coming) -> None:
        """Waits for all images of a batch: after an error, too, none must write into its buffer later."""
        while wait(coming.tasks, _PATIENCE).not_done:
            self._check_threads()
        error = next(filter(None, (task.exception() for task in coming.tasks)), None)
        if error is not None:
            raise error

    def _check_threads(self) -> None:
        if not all(thread.is_alive() for thread in self._workers):
            raise MXNetError(
                f"{self.name}: a thread that decodes images has ended, or is in another process than this one, "
                "which was forked; make a new iterator"
            )

    def rewind(self) -> None:
        """Starts the next epoch, after the records that the last batch took from it.

        Records are shuffled again also if none was read since the last time. Random numbers continue after those of the
        last batch.
        """
        whole = self._at_end and not self._coming and self._broken is None
        self._turns.stop()
        self._random = self._generators()
        for generator, state in zip(self._random, self._state, strict=True):
            generator.restore(state)
        self._turns, self._turn = Turns(), 0
        for coming in self._coming:
            for task in coming.tasks:
                task.cancel()
        self._coming.clear()
        self._broken = None
        if not (whole and self._begun and self.round_batch and self._any_left()):
            self._begin_epoch()
        self._at_end = False
        self._plan_ahead()

    def close(self) -> None:
        """Ends the threads and closes the files; there are no more batches."""
        self._coming.clear()
        self._ended()

    # ---- one image ---------------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        """What a subclass needs before the first image."""

    def _generators(self) -> list[Twister]:
        """New generators: of what is done to the pixels, and of what is done to the values."""
        return [Twister(self._order_seed)] * 2

    def _load(self, record: int) -> tuple[Image, tuple[int, int], np.ndarray | None]:
        """An image, its (height, width), and the pixels if it had to be decoded to know that."""
        image = self._files.read(record)
        size = size_in_header(image.content)
        if size is not None:
            return image, size, None
        pixels = self._decode(image)
        return image, (pixels.shape[0], pixels.shape[1]), pixels

    def _draw(self, image: Image, size: tuple[int, int], place: int, random: list[Twister]) -> Any:
        """All random decisions for an image of that (height, width), the order of which counts."""
        raise NotImplementedError

    def _draw_late(self, decided: Any, random: list[Twister]) -> None:
        """What is drawn in the order of the batches, not in that of groups."""

    def _decide(self, image: Image, size: tuple[int, int], record: Record, row: int, random: list[Twister]) -> Any:
        number, group = record
        if group is None or group.start is None:
            return self._draw(image, size, row, random)
        if self._seed_each is not None:
            return self._draw(image, size, group.start + number - group.first, random)
        if number not in group.decided:
            group.decided = {i: self._decide_ahead(i, random) for i in range(group.first, group.last + 1)}
        decided = group.decided.pop(number)
        if isinstance(decided, MXNetError):
            raise decided
        return decided

    def _decide_ahead(self, record: int, random: list[Twister]) -> Any:
        """For an image that is not decoded yet; the error if that is not possible."""
        try:
            with self._at(record):
                image, size, _ = self._load(record)
                return self._draw(image, size, 0, random)
        except MXNetError as error:
            return error

    @contextmanager
    def _at(self, record: int) -> Iterator[None]:
        """Errors in a thread must say where, and must not end the program."""
        try:
            yield
        except BaseException as error:
            if isinstance(error, MXNetError) and "record" in str(error):
                raise
            reason = error if isinstance(error, ValueError | cv2.error) else f"{type(error).__name__}: {error}"
            raise MXNetError(f"{self.name}: {self._files.describe(record)}: {reason}") from error

    def _make(self, coming: Coming, start: int, records: list[Record], turn: int) -> None:
        """Makes some images of a batch: has its turn to draw random numbers, then decodes and changes them."""
        loaded, failed = [], None
        for number, _ in records:
            try:
                with self._at(number):
                    loaded.append(self._load(number))
            except MXNetError as error:
                failed = error
                break
        decided = []
        with coming.turns.take(turn, _PATIENCE, self._check_threads):
            try:
                for row, (image, size, _) in enumerate(loaded):
                    with self._at(records[row][0]):
                        decided.append(self._decide(image, size, records[row], start + row, coming.random))
                        self._draw_late(decided[-1], coming.random)
            finally:
                coming.state = [generator.state() for generator in coming.random]
        if failed is not None:
            raise failed
        for row, (number, _) in enumerate(records):
            image, size, pixels = loaded[row]
            coming.index[start + row] = image.number if self._numbered else 0
            with self._at(number):
                if pixels is None:
                    pixels = self._decode(image)
                    if pixels.shape[:2] != size:
                        raise ValueError(f"the image is {pixels.shape[:2]} (height, width), its header says {size}")
                self._fill(image, pixels, decided[row], coming.data[start + row], coming.label, start + row)

    def _decode(self, image: Image) -> np.ndarray:
        channels = self.data_shape[0]
        how = {1: cv2.IMREAD_GRAYSCALE, 3: cv2.IMREAD_COLOR, 4: cv2.IMREAD_UNCHANGED}[channels]
        decoded = decode_pixels(image.content, how)
        if decoded is None:
            raise ValueError(f"image {image.number} cannot be decoded")
        found = decoded.shape[2] if decoded.ndim == 3 else 1
        if found != channels:
            raise ValueError(f"Invalid image with index {image.number}. Expected {channels} channels, got {found}")
        return decoded

    def _labels(self, image: Image) -> np.ndarray:
        if self._list is None:
            return image.labels
        if image.number not in self._list:
            raise ValueError(f"image {image.number} is not in {self.path_imglist}")
        return self._list[image.number]

    def _fill(
        self, image: Image, pixels: np.ndarray, decided: Any, data: np.ndarray, label: np.ndarray, row: int
    ) -> None:
        raise NotImplementedError


def _make(source: weakref.ref[RecordSource], coming: Coming, start: int, records: list[Record], turn: int) -> None:
    """Makes some images of a batch, in a thread."""
    owner = source()
    if owner is not None:
        try:
            owner._make(coming, start, records, turn)
        except Stopped:  # this batch is not wanted any more
            pass


def _end(threads: ThreadPoolExecutor, files: ImageFiles) -> None:
    threads.shutdown(wait=False, cancel_futures=True)
    files.close()


@dataclass
class _Decided:
    """What random numbers decided for an image."""

    plan: Plan
    mirrored: bool
    contrast: float = 1.0
    illumination: float = 0.0


class _Classified(RecordSource, _Normalization):
    """Images by the default augmenter, with a fixed number of labels."""

    def _prepare(self) -> None:
        try:
            self.check()
        except ValueError as error:
            raise MXNetValueError(f"{self.name}: {error}") from None
        self._label_shape = (self.label_width,) if self.label_width > 1 else ()
        self._mean: np.ndarray | None = None
        channels = self.data_shape[0]
        self._shift = np.array((self.mean_r, self.mean_g, self.mean_b, self.mean_a)[:channels], np.float32)
        stds = np.array((self.std_r, self.std_g, self.std_b, self.std_a)[:channels], np.float32)
        self._factor = np.float32(self.scale) / np.where(stds == 0, np.float32(1), stds)
        #: Bytes stay as they are.
        self._unchanged = self._buffers.dtype == "uint8"
        plain = self._unchanged or not (self._shift.any() or (self._factor != 1).any())
        self._table = None if plain else self._values(1.0, 0.0)
        if self.mean_img and not self._unchanged:
            self._mean = self._load_mean(self.mean_img)

    def _values(self, contrast: float, illumination: float) -> np.ndarray:
        """What each of the 256 values becomes in each channel."""
        levels = np.arange(256, dtype=np.float32)
        table = (levels - self._shift[:, None]) * np.float32(contrast) + np.float32(illumination)
        return self._cast(table * self._factor[:, None])

    def _cast(self, values: np.ndarray) -> np.ndarray:
        kind = self._buffers.dtype
        if kind == "float32":
            return values
        limits = np.iinfo(kind)
        return np.trunc(values).clip(limits.min, limits.max).astype(kind)

    def _load_mean(self, path: str) -> np.ndarray:
        path = path_name(path)
        if "://" in path or os.path.exists(path):
            loaded = load(path)
            mean = loaded["mean_img"] if isinstance(loaded, dict) else loaded[0]
            if mean.shape != tuple(self.data_shape):
                raise MXNetValueError(f"{self.name}: {path} has shape {mean.shape}, not data_shape {self.data_shape}")
            return mean.asnumpy().astype(np.float32)
        total = np.zeros(self.data_shape, np.float64)
        random = self._generators()
        for record in range(self._files.count()):
            image = self._files.read(record)
            pixels = self._decode(image)
            decided = self._draw(image, (pixels.shape[0], pixels.shape[1]), record, random)
            total += self._planes(self._augment(pixels, decided))
        mean = (total / max(1, self._files.count())).astype(np.float32)
        save(path, {"mean_img": array(mean)})
        return mean

    def _draw(self, image: Image, size: tuple[int, int], place: int, random: list[Twister]) -> _Decided:
        of_pixels, of_values = random
        if self._seed_each is not None:
            of_pixels = of_values = Twister(self._order_seed + self._seed_each + place)
        channels, height, width = self.data_shape
        plan = Plan(*size)
        if self.aug_seq:
            self.plan(plan, height, width, channels == 3, of_pixels)
        return self._draw_values(plan, of_values)

    def _draw_values(self, plan: Plan, random: Twister) -> _Decided:
        mirrored = self.rand_mirror and random.double() < 0.5
        return _Decided(plan, self.mirror or mirrored, *(self._draw_levels(random) if not self._unchanged else ()))

    def _draw_levels(self, random: Twister) -> tuple[float, float]:
        contrast = 1 + random.uniform(-self.max_random_contrast, self.max_random_contrast)
        return contrast, random.uniform(-self.max_random_illumination, self.max_random_illumination)

    def _augment(self, pixels: np.ndarray, decided: _Decided) -> np.ndarray:
        if not self.aug_seq and pixels.shape[:2] != self.data_shape[1:]:
            height, width = self.data_shape[1:]
            raise ValueError(f"the image is {pixels.shape[0]} x {pixels.shape[1]}, not {height} x {width}")
        return decided.plan.run(pixels)

    @staticmethod
    def _planes(pixels: np.ndarray) -> list[np.ndarray]:
        """The channels: red, green, blue and alpha."""
        planes = list(cv2.split(pixels))
        if len(planes) >= 3:
            planes[0], planes[2] = planes[2], planes[0]
        return planes

    def _fill(
        self, image: Image, pixels: np.ndarray, decided: _Decided, data: np.ndarray, label: np.ndarray, row: int
    ) -> None:
        labels = self._labels(image)
        if len(labels) != self.label_width:
            raise ValueError(
                f"rec file provide {len(labels)}-dimensional label but label_width is set to {self.label_width}"
            )
        label[row] = labels if self.label_width > 1 else labels[0]
        pixels = self._augment(pixels, decided)
        if decided.mirrored:
            pixels = cv2.flip(pixels, 1)
        contrast, illumination = decided.contrast, decided.illumination
        planes = self._planes(pixels)
        if self._mean is not None:
            values = (np.stack(planes) - self._mean) * np.float32(contrast) + np.float32(illumination)
            data[...] = self._cast(values * self._factor[:, None, None])
            return
        table = self._table
        if contrast != 1 or illumination:
            table = self._values(contrast, illumination)
        for channel, plane in enumerate(planes):
            if table is not None:
                np.take(table[channel], plane, out=data[channel], mode="clip")
            elif data.dtype == np.int8:
                np.copyto(data[channel], np.minimum(plane, 127), casting="unsafe")
            else:
                np.copyto(data[channel], plane)


@dataclass(kw_only=True, eq=False)
class ImageRecordSource(_Classified):
    """Images from record files (``im2rec`` makes them): decoded, resized, augmented, and put together to batches.

    >>> image, header = np.zeros((40, 50, 3), "uint8"), mx.recordio.IRHeader(0, 7, 1, 0)
    >>> with mx.recordio.MXRecordIO("train.rec", "w") as records:
    ...     records.write(mx.recordio.pack_img(header, image))
    >>> batches = mx.io.ImageRecordIter(path_imgrec="train.rec", data_shape=(3, 32, 32), batch_size=1, resize=36,
    ...                                 rand_crop=True, rand_mirror=True, shuffle=True)
    >>> batches.next().label[0]
    [7.]
    <NDArray 1 @cpu(0)>

    ``data_shape`` is (channels, height, width). An image first gets its shorter side to ``resize``, is rotated,
    sheared, scaled and padded as asked for, and then cropped in its middle or, with ``rand_crop``, anywhere; one that
    is too small is enlarged. A value then becomes ``(value - mean) / std * scale``. ``dtype`` is float32, uint8 or
    int8.

    Random numbers are those of MXNet 1.9.1 with ``preprocess_threads=1``, at any number of threads: ``seed`` is for the
    order of the images only; with ``seed_aug`` they depend on it and the place of an image only.

    A damaged record raises an MXNetError that names it when its batch is asked for. The last batch of an epoch is
    filled with the first records of the next one, which are left out there; ``pad`` says how many.
    """

    name: ClassVar[str] = "ImageRecordIter"
    _heeds_index: ClassVar[bool] = True


@dataclass(kw_only=True, eq=False)
class ImageRecordSourceV1(ImageRecordSource):
    """As ``ImageRecordIter``; the index of a batch has the numbers of its images."""

    name: ClassVar[str] = "ImageRecordIter_v1"
    _numbered: ClassVar[bool] = True
    _heeds_index: ClassVar[bool] = False
    _kinds: ClassVar[tuple[str, ...]] = ("float32",)

    def _generators(self) -> list[Twister]:
        return [Twister(self._order_seed), Twister(self.seed)]

    def _draw_values(self, plan: Plan, random: Twister) -> _Decided:
        return _Decided(plan, self.mirror)

    def _draw_late(self, decided: _Decided, random: list[Twister]) -> None:
        decided.contrast, decided.illumination = self._draw_levels(random[1])
        if self.rand_mirror and random[1].double() < 0.5:
            decided.mirrored = True


@dataclass(kw_only=True, eq=False)
class ImageRecordUInt8Source(ImageRecordSource):
    """As ``ImageRecordIter(dtype='uint8')``: images of bytes, whose values are not changed by means and scales."""

    name: ClassVar[str] = "ImageRecordUInt8Iter"
    _dtype: ClassVar[str] = "uint8"
    _kinds: ClassVar[tuple[str, ...]] = ("uint8",)


@dataclass(kw_only=True, eq=False)
class ImageRecordInt8Source(ImageRecordSource):
    """As ``ImageRecordIter(dtype='int8')``: values of more than 127 become 127, so subtract means of 128."""

    name: ClassVar[str] = "ImageRecordInt8Iter"
    _dtype: ClassVar[str] = "int8"
    _kinds: ClassVar[tuple[str, ...]] = ("int8",)


@dataclass(kw_only=True, eq=False)
class ImageRecordUInt8SourceV1(ImageRecordUInt8Source):
    """As ``ImageRecordUInt8Iter``; the index of a batch has the numbers of its images."""

    name: ClassVar[str] = "ImageRecordUInt8Iter_v1"
    _numbered: ClassVar[bool] = True
    _heeds_index: ClassVar[bool] = False

    def _draw_values(self, plan: Plan, random: Twister) -> _Decided:
        return _Decided(plan, False)
