"""Image datasets: MNIST, CIFAR, and images in folders, lists and record files."""

from __future__ import annotations

import lzma
import os
import tarfile
import warnings
import zlib
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import numpy as np

from .... import image, recordio
from ...._core.files import leads_out, most_unpacked, read_text, reading
from ....base import data_dir
from ....error import MXNetError, MXNetFileError, MXNetFileNotFoundError, MXNetTypeError, MXNetValueError
from ....io.mnist import read_idx
from ....ndarray import NDArray, array
from ....ndarray.kinds import as_current
from ...utils import _get_repo_file_url, download
from .. import dataset

__all__ = [
    "MNIST",
    "FashionMNIST",
    "CIFAR10",
    "CIFAR100",
    "ImageRecordDataset",
    "ImageFolderDataset",
    "ImageListDataset",
]

Transform = Callable[[Any, Any], Any] | None
#: The name of a file and its SHA-1.
File = tuple[str, str]


_HOME = os.path.join(data_dir(), "datasets")


class _FetchedDataset(dataset._DownloadedDataset):
    """A dataset made of files that are looked for in a directory, and fetched if they are not there."""

    _namespace: str

    def _fetch(self, wanted: File, missing: str) -> str:
        """Downloads a file into the directory, or says what to put there by hand; ``missing`` names it in words."""
        name, sha1 = wanted
        url = _get_repo_file_url(f"gluon/dataset/{self._namespace}", name)
        try:
            os.makedirs(self._root, exist_ok=True)
            return download(url, path=self._root, sha1_hash=sha1, retries=1)
        except (OSError, MXNetError) as error:
            raise MXNetFileError(
                f"{type(self).__name__}: {missing}. Get it from somewhere and put it into {self._root!r}, or say with "
                f"root= where it is. It could not be downloaded from {url}: {error.__cause__ or error}"
            ) from error

    def _find(self, *names: str) -> str | None:
        """The first of these files that is in the directory."""
        return next((p for name in names if os.path.isfile(p := os.path.join(self._root, name))), None)


class MNIST(_FetchedDataset):
    """The handwritten digits: samples are an image, uint8 of shape (28, 28, 1), and an int32 label.

    ``root`` is the directory with the four files of the dataset, gzipped or not. Those that are missing are downloaded
    to it. ``train`` chooses the 60000 images for training or the 10000 for tests. ``transform(data, label)`` is
    called for each sample.
    """

    _namespace = "mnist"
    _train_data: File = ("train-images-idx3-ubyte.gz", "6c95f4b05d2bf285e1bfb0e7960c31bd3b3f8a7d")
    _train_label: File = ("train-labels-idx1-ubyte.gz", "2a80914081dc54586dbdf242f9805a6b8d2a15fc")
    _test_data: File = ("t10k-images-idx3-ubyte.gz", "c3a25af1f52dad7f726cce8cacb138654b760d48")
    _test_label: File = ("t10k-labels-idx1-ubyte.gz", "763e7fa3757d93b0cdec073cef058b2004252c17")

    def __init__(self, root: Any = f"{_HOME}/mnist", train: bool = True, transform: Transform = None):
        self._train = train
        super().__init__(root, transform)

    def _get_data(self) -> None:
        files = (self._train_data, self._train_label) if self._train else (self._test_data, self._test_label)
        # both are looked for before one is read: the message tells all that is missing
        found = [self._find(name, name.removesuffix(".gz")) for name, _ in files]
        missing = [f"{name} (SHA-1 {sha1})" for (name, sha1), path in zip(files, found, strict=True) if path is None]
        text = f"{self._root} lacks {' and '.join(missing)}, which may also be unpacked, without .gz"
        images, labels = (
            self._fetch(file, text) if path is None else path for file, path in zip(files, found, strict=True)
        )
        data, label = read_idx(images, 3), read_idx(labels, 1)
        if len(data) != len(label):
            raise MXNetFileError(f"{images} has {len(data)} images, but {labels} has {len(label)} labels")
        self._data = as_current(array(data[..., None], dtype=data.dtype))
        self._label = label.astype(np.int32)


class FashionMNIST(MNIST):
    """Images of clothes, a drop-in replacement for MNIST: uint8 of shape (28, 28, 1) with an int32 label.

    The arguments are those of ``MNIST``. Debian's package dataset-fashion-mnist has the files in
    /usr/share/datasets/fashion-mnist, which can be given as ``root``.
    """

    _namespace = "fashion-mnist"
    _train_data = ("train-images-idx3-ubyte.gz", "0cf37b0d40ed5169c6b3aba31069a9770ac9043d")
    _train_label = ("train-labels-idx1-ubyte.gz", "236021d52f1e40852b06a4c3008d8de8aef1e40b")
    _test_data = ("t10k-images-idx3-ubyte.gz", "626ed6a7c06dd17c0eec72fa3be1740f146a2863")
    _test_label = ("t10k-labels-idx1-ubyte.gz", "17f9ab60e7257a1620f4ad76bbbaf857c3920701")

    def __init__(self, root: Any = f"{_HOME}/fashion-mnist", train: bool = True, transform: Transform = None):
        super().__init__(root, train, transform)


class CIFAR10(_FetchedDataset):
    """Small color images of ten kinds: samples are an image, uint8 of shape (32, 32, 3), and an int32 label.

    ``root`` is the directory with the files of the binary version, or with its archive, which is downloaded if neither
    is there. ``train`` chooses the 50000 images for training or the 10000 for tests. ``transform(data, label)`` is
    called for each sample.
    """

    _namespace = "cifar10"
    _folder = "cifar-10-batches-bin"  # in the archive as its authors publish it
    _archive_file: File = ("cifar-10-binary.tar.gz", "fab780a1e191a7eda0f345501ccd62d20f7ed891")
    _train_data: ClassVar[list[File]] = [
        ("data_batch_1.bin", "aadd24acce27caa71bf4b10992e9e7b2d74c2540"),
        ("data_batch_2.bin", "c0ba65cce70568cd57b4e03e9ac8d2a5367c1795"),
        ("data_batch_3.bin", "1dd00a74ab1d17a6e7d73e185b69dbf31242f295"),
        ("data_batch_4.bin", "aab85764eb3584312d3c7f65fd2fd016e36a258e"),
        ("data_batch_5.bin", "26e2849e66a845b7f1e4614ae70f4889ae604628"),
    ]
    _test_data: ClassVar[list[File]] = [("test_batch.bin", "67eb016db431130d61cd03c7ad570b013799c88c")]
    _labels = 1  # how many labels come before each image
    _label_used = 0

    def __init__(self, root: Any = f"{_HOME}/cifar10", train: bool = True, transform: Transform = None):
        self._train = train
        super().__init__(root, transform)

    def _get_data(self) -> None:
        names = [name for name, _ in (self._train_data if self._train else self._test_data)]
        paths = [self._find(name, os.path.join(self._folder, name)) for name in names]
        if all(paths):
            contents = [_content(path) for path in paths if path is not None]
        else:
            archive = self._find(self._archive_file[0]) or self._fetch(self._archive_file, self._lacking(names))
            contents = _members(archive, names)
        parts = [self._read_batch(name, content) for name, content in zip(names, contents, strict=True)]
        data = np.concatenate([data for data, _ in parts])
        self._data = as_current(array(data, dtype=data.dtype))
        self._label = np.concatenate([label for _, label in parts])

    def _lacking(self, names: list[str]) -> str:
        name, sha1 = self._archive_file
        return f"{self._root} lacks {name} (SHA-1 {sha1}), or what is in it: {', '.join(names)}"

    def _read_batch(self, name: str, content: bytes) -> tuple[np.ndarray, np.ndarray]:
        size = self._labels + 3072
        if not content or len(content) % size:
            raise MXNetFileError(
                f"{name} in {self._root} is damaged: it has {len(content)} bytes, expected a multiple of {size}"
            )
        rows = np.frombuffer(content, np.uint8).reshape(-1, size)
        images = rows[:, self._labels :].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
        return images, rows[:, self._label_used].astype(np.int32)


class CIFAR100(CIFAR10):
    """Small color images of a hundred kinds: samples are an image, uint8 of shape (32, 32, 3), and an int32 label.

    ``fine_label`` chooses the label among 100 kinds rather than among 20 groups of them; all else is as in ``CIFAR10``.
    """

    _namespace = "cifar100"
    _folder = "cifar-100-binary"
    _archive_file = ("cifar-100-binary.tar.gz", "a0bb982c76b83111308126cc779a992fa506b90b")
    _train_data: ClassVar[list[File]] = [("train.bin", "e207cd2e05b73b1393c74c7f5e7bea451d63e08e")]
    _test_data: ClassVar[list[File]] = [("test.bin", "8fb6623e830365ff53cf14adec797474f5478006")]
    _labels = 2

    def __init__(
        self,
        root: Any = f"{_HOME}/cifar100",
        fine_label: bool = False,
        train: bool = True,
        transform: Transform = None,
    ):
        self._fine_label = fine_label
        self._label_used = int(bool(fine_label))
        super().__init__(root, train, transform)


def _content(path: str) -> bytes:
    with reading(path) as (stream, _):
        return stream.read()


def _members(path: str, names: list[str]) -> list[bytes]:
    """Files in a tar archive by their last names, wherever they are in it; nothing is unpacked to the disk."""
    found: dict[str, bytes] = {}
    try:
        limit = most_unpacked(os.path.getsize(path))
        with tarfile.open(path) as archive:
            for member in archive:
                name = os.path.basename(member.name)
                # the size of a sparse file is what its head says, whatever follows
                if member.issparse() or member.offset_data + member.size > limit:
                    raise MXNetFileError(
                        f"{path}: {name!r} has {member.size} bytes according to the archive, too many for its size"
                    )
                stream = archive.extractfile(member) if name in names and member.isreg() else None
                if stream is not None:
                    found[name] = stream.read()
    except (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        if isinstance(error, MXNetFileError):
            raise
        raise MXNetFileError(f"{path} is not a complete tar archive: {error}") from error
    missing = [name for name in names if name not in found]
    if missing:
        raise MXNetFileError(f"{path} lacks {', '.join(missing)}")
    return [found[name] for name in names]


class ImageRecordDataset(dataset.RecordFileDataset):
    """The images of a RecordIO file and their labels, a number or an array.

    ``flag`` 1 gives color images (RGB), 0 gray ones with one channel. ``transform(data, label)`` is called for each
    sample.
    """

    def __init__(self, filename: Any, flag: int = 1, transform: Transform = None):
        super().__init__(filename)
        self._flag = flag
        self._transform = transform

    def __getitem__(self, idx: object) -> Any:
        header, content = recordio.unpack(super().__getitem__(idx))
        data = image.imdecode(content, self._flag)
        return (data, header.label) if self._transform is None else self._transform(data, header.label)


class ImageFolderDataset(dataset.Dataset):
    """Images in folders, one for each kind: ``root/car/0001.jpg``, ``root/bus/123.png``.

    Samples are an image and a number: the place of its folder in ``synsets``, the sorted names of the folders.
    ``items`` is the list of all (file, number). ``flag`` 1 gives color images (RGB), 0 gray ones with one channel.
    ``transform(data, label)`` is called for each sample.
    """

    def __init__(self, root: Any, flag: int = 1, transform: Transform = None):
        self._root = os.path.expanduser(os.fspath(root))
        self._flag = flag
        self._transform = transform
        self._exts = [".jpg", ".jpeg", ".png"]
        self._list_images(self._root)

    def _list_images(self, root: str) -> None:
        self.synsets: list[str] = []
        self.items: list[tuple[str, int]] = []
        if not os.path.isdir(root):
            raise MXNetFileNotFoundError(
                f"{root!r} is not a directory; expected one with a directory of images for each class"
            )
        for folder in sorted(os.listdir(root)):
            path = os.path.join(root, folder)
            if not os.path.isdir(path):
                warnings.warn(f"Ignoring {path}, which is not a directory.", stacklevel=3)
                continue
            label = len(self.synsets)
            self.synsets.append(folder)
            for name in sorted(os.listdir(path)):
                filename = os.path.join(path, name)
                ending = os.path.splitext(filename)[1]
                if ending.lower() in self._exts:
                    self.items.append((filename, label))
                else:
                    warnings.warn(
                        f"Ignoring {filename} of type {ending}. Only support {', '.join(self._exts)}", stacklevel=3
                    )

    def __getitem__(self, idx: Any) -> Any:
        filename, label = self.items[idx]
        data = image.imread(filename, self._flag)
        return (data, label) if self._transform is None else self._transform(data, label)

    def __len__(self) -> int:
        return len(self.items)


class ImageListDataset(dataset.Dataset):
    """Images that a list names, with their labels (from MXNet's later releases).

    ``imglist`` is the name of a ``.lst`` file, made by im2rec, with lines of a number, one or more labels and a file,
    between tabs; or a list whose items are labels and a file: ``[[0, 'cat.jpg'], [1, 2, 'dog.jpg']]``. Files are
    relative to ``root``. Samples are an image and its label, a number or an array. ``flag`` 1 gives color images
    (RGB), 0 gray ones with one channel.
    """

    def __init__(self, root: Any = ".", imglist: Any = None, flag: int = 1):
        self._root = os.path.expanduser(os.fspath(root))
        self._flag = flag
        if isinstance(imglist, str | os.PathLike):
            rows = _read_list(os.path.join(self._root, os.fspath(imglist)), self._root)
        elif isinstance(imglist, Iterable):
            rows = list(imglist)
        else:
            raise MXNetTypeError(f"imglist must be the name of a .lst file or a list, got {type(imglist).__name__}")
        self.items: list[tuple[str, Any]] = [_parse_entry(self._root, row) for row in rows]

    def __getitem__(self, idx: Any) -> tuple[NDArray, Any]:
        filename, label = self.items[idx]
        return image.imread(filename, self._flag), label

    def __len__(self) -> int:
        return len(self.items)


def _read_list(path: str, root: str) -> list[list[str]]:
    rows = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip():
            continue
        rows.append(line.strip().split("\t")[1:])
        if not rows[-1] or leads_out(root, rows[-1][-1]):
            raise MXNetFileError(
                f"{path}: line {number} is {line[:80]!r}; a number, labels and a file below the root {root!r}, with "
                "tabs between, were expected"
            )
    return rows


def _parse_entry(root: str, row: Any) -> tuple[str, Any]:
    *labels, name = row
    try:
        values = np.concatenate([np.atleast_1d(np.asarray(label, np.float32)) for label in labels])
    except ValueError as error:
        raise MXNetValueError(f"{row!r} is not a list of labels and the name of a file: {error}") from error
    return os.path.join(root, os.fspath(name)), float(values[0]) if len(values) == 1 else values
