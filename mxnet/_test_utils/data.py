"""Datasets and files to test with: from local directories first, from the network only when asked for by URL."""

from __future__ import annotations

import bz2
import gzip
import http.client
import os
import pickle
import shutil
import urllib.error
import warnings
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from .._core.files import copy_at_most, most_unpacked, writing
from ..base import data_dir as _data_dir
from ..error import MXNetFileError
from ..gluon.utils import copy_answer, name_in_url, open_url
from ..io import DataIter
from ..io.mnist import read_idx

_SAMPLE = Path(__file__).resolve().parent.parent / "data" / "digits.npz"
#: The files of MNIST: training images and labels, test images and labels; each may also be gzipped.
_MNIST = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")
_CIFAR10 = "http://data.mxnet.io/mxnet/data/cifar10.zip"
_TIMEOUT = 20  # seconds without an answer until a download is given up


# ---- MNIST ---------------------------------------------------------------------------------------------------------


def _find(directory: Path, name: str) -> Path | None:
    return next((p for p in (directory / name, directory / f"{name}.gz") if p.is_file()), None)


def _write_idx(path: Path, array: np.ndarray) -> None:
    header = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes()
    path.write_bytes(header + np.ascontiguousarray(array, np.uint8).tobytes())


def read_mnist_files(directory: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Training images and labels, test images and labels (uint8) from the four original files, gzipped or not."""
    paths = [_find(directory, name) for name in _MNIST]
    missing = [name for name, path in zip(_MNIST, paths, strict=True) if path is None]
    if missing:
        raise MXNetFileError(f"{directory} lacks {', '.join(missing)} (each may also end in .gz)")
    train_images, train_labels, test_images, test_labels = [
        read_idx(str(path), 3 if "images" in path.name else 1) for path in paths if path is not None
    ]
    return train_images, train_labels, test_images, test_labels


def _mnist(path: str | os.PathLike | None) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """MNIST as uint8: the real files where they are found, or else the bundled sample."""
    home = Path(_data_dir())
    places = [Path(path)] if path is not None else [Path(), Path("data"), home / "datasets" / "mnist", home]
    for place in places:
        if all(_find(place, name) for name in _MNIST):
            return read_mnist_files(place)
    wanted = places[0] if path is not None else home / "datasets" / "mnist"
    warnings.warn(
        f"MNIST was not found: using the bundled sample of 12000 digits. Put the four original files into {wanted} "
        "to use all of it.",
        stacklevel=3,
    )
    with np.load(_SAMPLE) as sample:
        return sample["train_images"], sample["train_labels"], sample["test_images"], sample["test_labels"]


def get_mnist(path: str | os.PathLike | None = None) -> dict[str, np.ndarray]:
    """The handwritten digits: ``train_data``, ``train_label``, ``test_data`` and ``test_label`` as NumPy arrays.

    Images are float32 of shape (N, 1, 28, 28) in [0, 1], labels are int8. The four original files are looked for in
    ``path`` or, if it is None, in the current directory, ``data`` and MXNet's data directory. Without them you get the
    sample of 12000 digits that ships with the package, and a warning that says so.
    """
    train_images, train_labels, test_images, test_labels = _mnist(path)
    return {
        "train_data": _as_images(train_images),
        "train_label": train_labels.astype(np.int8),
        "test_data": _as_images(test_images),
        "test_label": test_labels.astype(np.int8),
    }


def _as_images(values: np.ndarray) -> np.ndarray:
    return np.divide(values, 255, dtype=np.float32).reshape(len(values), 1, 28, 28)


def get_mnist_ubyte() -> None:
    """Puts the four MNIST files, uncompressed, into the directory ``data``; from the bundled sample if need be."""
    target = Path("data")
    if all((target / name).is_file() for name in _MNIST):
        return
    arrays = _mnist(None)
    target.mkdir(exist_ok=True)
    for name, array in zip(_MNIST, arrays, strict=True):
        _write_idx(target / name, array)


def get_mnist_pkl() -> None:
    """Makes ``data/mnist.pkl.gz``: (images, labels) for training, validation and testing, images as rows of 784."""
    target = Path("data") / "mnist.pkl.gz"
    if target.is_file():
        return
    train_images, train_labels, test_images, test_labels = _mnist(None)
    first = len(train_images) * 5 // 6  # 50000 of 60000: the split of the file known by this name

    def part(images: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return _as_images(images).reshape(len(images), -1), labels.astype(np.int64)

    target.parent.mkdir(exist_ok=True)
    with gzip.open(target, "wb", compresslevel=1) as file:
        parts = (
            part(train_images[:first], train_labels[:first]),
            part(train_images[first:], train_labels[first:]),
            part(test_images, test_labels),
        )
        pickle.dump(parts, file, protocol=2)


def get_mnist_iterator(
    batch_size: int, input_shape: tuple[int, ...], num_parts: int = 1, part_index: int = 0
) -> tuple[Any, Any]:
    """Iterators over the training and the test part of MNIST. One-dimensional ``input_shape`` gives flat images."""
    from ..io import MNISTIter

    get_mnist_ubyte()
    flat = len(input_shape) == 1
    common = {
        "input_shape": input_shape,
        "batch_size": batch_size,
        "flat": flat,
        "num_parts": num_parts,
        "part_index": part_index,
    }
    train = MNISTIter(image=f"data/{_MNIST[0]}", label=f"data/{_MNIST[1]}", shuffle=True, **common)
    return train, MNISTIter(image=f"data/{_MNIST[2]}", label=f"data/{_MNIST[3]}", shuffle=False, **common)


# ---- files by URL --------------------------------------------------------------------------------------------------


def download(
    url: str, fname: str | None = None, dirname: str | None = None, overwrite: bool = False, retries: int = 5
) -> str:
    """Returns the local path of a file, fetching it if it is not there yet.

    ``fname`` is the last part of the URL by default, ``dirname`` the current directory. A file of that name in MXNet's
    data directory (``MXNET_HOME``) is copied instead of being downloaded.
    """
    assert retries >= 0, "Number of retries should be at least 0"
    name = fname or name_in_url(url.split("?")[0].rstrip("/"))
    target = Path(dirname or "", name)
    if target.is_file() and not overwrite:
        return str(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    local = Path(_data_dir()) / target.name
    if local.is_file() and not overwrite:
        shutil.copyfile(local, target)
        return str(target)
    reason: Exception | None = None
    for _ in range(retries + 1):
        try:
            with open_url(url, _TIMEOUT) as response, writing(target) as file:
                copy_answer(url, response, file)
            return str(target)
        except (OSError, ValueError, http.client.HTTPException) as error:
            reason = error
            if isinstance(error, ValueError | MXNetFileError | urllib.error.HTTPError):
                break  # the answer will not change
    raise MXNetFileError(
        f"{url} could not be downloaded ({reason}). Get the file in another way and put it at {target.resolve()} "
        f"or at {local}."
    ) from reason


def get_zip_data(data_dir: str, url: str, data_origin_name: str) -> None:
    """Fetches a zip archive into ``data_dir`` and unpacks it there, unless the archive is there already."""
    archive = Path(data_dir) / data_origin_name
    if archive.is_file():
        return
    download(url, fname=data_origin_name, dirname=data_dir)
    try:
        with zipfile.ZipFile(archive) as file:
            if sum(entry.file_size for entry in file.infolist()) > most_unpacked(archive.stat().st_size):
                raise zipfile.BadZipFile("it unpacks to too much for its size")
            file.extractall(data_dir)  # below it, whatever paths the archive has
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        archive.unlink()
        raise MXNetFileError(f"what was found as {archive.name} is not a zip archive: {error}") from error


def get_bz2_data(data_dir: str, data_name: str, url: str, data_origin_name: str) -> None:
    """Fetches a bz2 file into ``data_dir`` and unpacks it to ``data_name``, unless that is there already."""
    target = Path(data_dir) / data_name
    if target.is_file():
        return
    archive = Path(download(url, fname=data_origin_name, dirname=data_dir))
    try:
        with bz2.open(archive) as source, writing(target) as file:
            copy_at_most(source, file, most_unpacked(archive.stat().st_size), str(archive))
    except (OSError, EOFError) as error:
        if isinstance(error, MXNetFileError):
            raise
        raise MXNetFileError(f"{archive} is not a complete bz2 file: {error}") from error
    archive.unlink()


def get_cifar10() -> None:
    """Fetches CIFAR-10 as record files into ``data/cifar``, unless they are there already."""
    folder = Path("data") / "cifar"
    if not all((folder / name).is_file() for name in ("train.rec", "test.rec")):
        get_zip_data("data", _CIFAR10, "cifar10.zip")


def download_model(
    model_name: str, dst_dir: str = "./", meta_info: dict[str, dict[str, str]] | None = None
) -> tuple[str | None, int]:
    """Fetches ``<model_name>-symbol.json`` and ``-0000.params``; returns their common prefix and the epoch, 0.

    ``meta_info`` maps model names to ``{'symbol': url, 'params': url}``. A model that it does not name must lie in
    ``dst_dir`` or in the ``models`` folder of MXNet's data directory.
    """
    names = {"symbol": f"{model_name}-symbol.json", "params": f"{model_name}-0000.params"}
    urls = (meta_info or {}).get(model_name)
    if urls is not None:
        for kind, name in names.items():
            download(urls[kind], fname=name, dirname=dst_dir)
        return os.path.join(dst_dir, model_name), 0
    places = [Path(dst_dir), Path(_data_dir()) / "models"]
    for place in places:
        if all((place / name).is_file() for name in names.values()):
            return str(place / model_name), 0
    if meta_info is not None:
        return None, 0
    raise MXNetFileError(
        f"the model {model_name!r} was not found: put {' and '.join(names.values())} into {places[0].resolve()} or "
        f"{places[1]}, or say in meta_info where to get them"
    )


class DummyIter(DataIter):
    """Gives the first batch of an iterator over and over: for timing a network without its data."""

    def __init__(self, real_iter: Any):
        super().__init__()
        self.real_iter = real_iter
        self.provide_data = real_iter.provide_data
        self.provide_label = real_iter.provide_label
        self.batch_size = real_iter.batch_size
        self.the_batch = next(real_iter)

    def __iter__(self) -> DummyIter:
        return self

    def next(self) -> Any:
        """The batch."""
        return self.the_batch
