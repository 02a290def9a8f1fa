"""MNISTIter: images and labels from files in MNIST's idx format, gzipped or not."""

from __future__ import annotations

import gzip
import logging
import zlib
from typing import BinaryIO, ClassVar

import numpy as np

from .._core.files import most_unpacked, reading
from ..error import MXNetFileError, MXNetValueError
from .sources import Batch

_GZIP = b"\x1f\x8b"


def read_idx(path: str, ndim: int) -> np.ndarray:
    """The bytes of an idx file with so many dimensions."""
    with reading(path) as (stream, size):
        packed = stream.read(2) == _GZIP
        stream.seek(0)
        if not packed:
            return _read_idx(path, ndim, stream, size)
        try:
            with gzip.GzipFile(fileobj=stream) as unpacked:
                return _read_idx(path, ndim, unpacked, most_unpacked(size))  # type: ignore[arg-type]
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise MXNetFileError(f"{path} is not a complete gzip file: {error}") from error


def _read_idx(path: str, ndim: int, stream: BinaryIO, limit: int) -> np.ndarray:
    header = 4 + 4 * ndim
    start = stream.read(header)
    if len(start) < header:
        raise MXNetFileError(f"{path} is not in MNIST's format: it ends at byte {len(start)}, within the header")
    if start[:4] != bytes((0, 0, 8, ndim)):
        raise MXNetFileError(
            f"{path} is not in MNIST's format: it begins with {start[:4].hex(' ')}, expected 00 00 08 {ndim:02x} "
            f"(bytes in {ndim} dimension{'s' * (ndim > 1)})"
        )
    shape = tuple(int(n) for n in np.frombuffer(start, ">u4", ndim, 4))
    count = 1
    for n in shape:
        count *= n  # Python's integers: a header that lies cannot overflow them
    if header + count > limit:
        raise MXNetFileError(
            f"{path}: its header promises {count} bytes of shape {shape}, more than the file has, or than is unpacked "
            "of a gzipped one of its size"
        )
    content = stream.read(count)
    if len(content) < count:
        raise MXNetFileError(
            f"{path} ends at byte {header + len(content)}: its header promises {count} bytes of shape {shape}"
        )
    return np.frombuffer(content, np.uint8).reshape(shape)


def shuffled_order(count: int, seed: int) -> np.ndarray:
    """The numbers below ``count`` in the order in which MXNet's MNISTIter gives them for a seed.

    MXNet draws from the 32-bit Mersenne twister, scaled down with rejection, and swaps upwards.
    """
    twister = np.random.RandomState(seed % 2**32)
    words = iter(())
    order = list(range(count))
    for i in range(1, count):
        step = 0xFFFFFFFF // (i + 1)
        while True:
            word = next(words, None)
            if word is None:
                words = iter(twister.randint(0, 2**32, size=count - i, dtype=np.uint32).tolist())
            elif word < step * (i + 1):
                break
        j = word // step
        order[i], order[j] = order[j], order[i]
    return np.array(order, dtype=np.int64)


class MnistSource:
    """Whole batches of images, scaled to [0, 1) by 1/256, and their labels. A rest that fills no batch is left out.

    ``image`` and ``label`` are the files, plain or gzipped; ``flat`` gives images as rows. With ``shuffle`` the images
    come in one random order, the same in all epochs, that depends on ``seed``. ``num_parts`` and ``part_index`` choose
    a part of the file, for one of several workers. ``silent=False`` logs how much was loaded.
    """

    name: ClassVar[str] = "MNISTIter"

    def __init__(
        self,
        image: str = "./train-images-idx3-ubyte",
        label: str = "./train-labels-idx1-ubyte",
        batch_size: int = 128,
        shuffle: bool = True,
        flat: bool = False,
        seed: int = 0,
        silent: bool = False,
        num_parts: int = 1,
        part_index: int = 0,
        dtype: str | None = None,
    ):
        if dtype not in (None, "float16", "float32", "float64"):
            raise MXNetValueError(f"MNISTIter: dtype {dtype!r} is not supported: the images are fractions, use float32")
        if not 0 <= part_index < num_parts:
            raise MXNetValueError(f"MNISTIter: part_index {part_index} is not below num_parts, {num_parts}")
        images, labels = read_idx(image, 3), read_idx(label, 1)
        if len(labels) < len(images):
            raise MXNetFileError(f"{label} has {len(labels)} labels, but {image} has {len(images)} images")
        size = len(images) // num_parts
        part = slice(part_index * size, len(images) if part_index == num_parts - 1 else (part_index + 1) * size)
        self._images, self._labels = images[part], labels[: len(images)][part]
        if len(self._images) < batch_size:
            raise MXNetValueError(f"MNISTIter: batch_size {batch_size} is more than the {len(self._images)} images")
        self._first = part.start
        self._batch_size = batch_size
        self._shape = (-1,) if flat else (1, *images.shape[1:])
        self._dtype = np.dtype(dtype or "float32")
        self._order = shuffled_order(len(self._images), seed) if shuffle else None
        self._at = 0
        if not silent:
            logging.getLogger("mxnet").info(
                "MNISTIter: load %d images, shuffle=%d, shape=%s", len(self._images), shuffle, images.shape[1:]
            )

    def read(self) -> Batch | None:
        """The next batch, or None at the end of an epoch."""
        start, stop = self._at, self._at + self._batch_size
        if stop > len(self._images):
            return None
        self._at = stop
        rows = slice(start, stop) if self._order is None else self._order[start:stop]
        numbers = np.arange(start, stop) if self._order is None else self._order[start:stop]
        images = np.multiply(self._images[rows], 1 / 256, dtype=self._dtype, casting="same_kind")
        return Batch(
            images.reshape(self._batch_size, *self._shape),
            self._labels[rows].astype(self._dtype),
            0,
            (numbers + self._first).astype(np.uint64),
        )

    def rewind(self) -> None:
        """Starts again with the first digit."""
        self._at = 0
