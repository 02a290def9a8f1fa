"""Packs a folder of images into a record file, in two steps.

    im2rec --list --recursive data/pets photos/     # writes data/pets.lst: number, label and path of each image
    im2rec data/pets photos/ --resize 256           # writes data/pets.rec and data/pets.idx from data/pets.lst

A line of a ``.lst`` file is a number, one or more labels, and the path of an image below the root, with tabs between.
A path that leads out of the root, by ``..`` or because it begins elsewhere, ends the command before it writes anything.
Links below the root are followed: the folder's owner has made them, not the author of the list.
A record file appears under its name when it is complete; if the command is stopped, nothing is left of it.

``--num-thread`` starts threads, where MXNet started processes: OpenCV works without Python's lock, so that they keep as
many cores busy, and nothing has to be copied between processes, which took a quarter more processor time.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import re
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._core.files import leads_out, read_text, reading, writing, writing_together
from .._core.pixels import decode_pixels
from ..error import MXNetError, MXNetFileError
from ..recordio import MXIndexedRecordIO, pack, pack_img

__all__ = ["find_images", "main", "pack_list", "read_list", "write_lists"]

EXTENSIONS = (".jpeg", ".jpg", ".png")
_SEED = 100  # a list is shuffled the same way each time
_MOST_LINKS = _MOST_WRONG = 10_000


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list: an image's number, path below the root, and labels."""

    number: int
    path: str
    labels: tuple[float, ...]


@dataclass
class Report:
    """What became of a list: how many records there are, and which images have none, and why."""

    count: int = 0
    unreadable: list[tuple[str, str]] = field(default_factory=list)


class _Unreadable(Exception):
    """Why there is no image."""


# ---- lists -----------------------------------------------------------------------------------------------------------


def find_images(
    root: str, recursive: bool = False, exts: Sequence[str] = EXTENSIONS
) -> tuple[list[Item], dict[str, int]]:
    """All images in a folder, with label 0; or, if recursive, in all folders below, each with a label of its own.

    Also returns the labels of the folders. The order is that of their names. A link to a folder that it lies in is
    not followed.
    """
    if not os.path.isdir(root):
        raise MXNetError(f"{root!r} is not a folder")
    endings = {ext.lower() for ext in exts}
    items: list[Item] = []
    folders: dict[str, int] = {}
    links = 0
    for folder, below, names in os.walk(root, followlinks=True):
        below[:] = sorted(name for name in below if not _leads_back(os.path.join(folder, name), root))
        links += sum(os.path.islink(os.path.join(folder, name)) for name in below)
        if links > _MOST_LINKS:  # links to folders of links may stand for any number of paths
            raise MXNetError(f"{root!r} leads over more than {_MOST_LINKS} links to folders: remove some of them")
        for name in sorted(names):
            if os.path.splitext(name)[1].lower() not in endings or not os.path.isfile(os.path.join(folder, name)):
                continue
            place = os.path.relpath(folder, root)
            label = folders.setdefault(place, len(folders)) if recursive else 0
            items.append(Item(len(items), os.path.relpath(os.path.join(folder, name), root), (float(label),)))
        if not recursive:
            break
    return items, folders


def _leads_back(path: str, root: str) -> bool:
    """Is it a link to a folder that lies on its own path?"""
    if not os.path.islink(path):
        return False
    target = os.path.realpath(path)
    while len(path) > len(root):
        path = os.path.dirname(path)
        if os.path.realpath(path) == target:
            return True
    return False


def _line(item: Item) -> bytes:
    """An image as a line of a list."""
    labels = "".join(f"{label:f}\t" for label in item.labels)
    try:
        line = f"{item.number}\t{labels}{item.path}\n".encode()
    except UnicodeEncodeError:
        line = b""
    if not line or item.path.strip() != item.path or re.search(r"[\t\r\n]", item.path):
        raise MXNetError(f"{item.path!r} cannot stand in a list, which is text with tabs between fields: rename it")
    return line


def write_lists(
    prefix: str,
    items: Sequence[Item],
    chunks: int = 1,
    train_ratio: float = 1.0,
    test_ratio: float = 0.0,
    shuffle: bool = True,
) -> list[str]:
    """Writes ``prefix.lst``, and returns the names of what was written.

    With several chunks these are ``prefix_0.lst``, ``prefix_1.lst``, ...; each of them is divided into ``_test``,
    ``_train`` and ``_val``, in that order, if the ratios ask for it.
    """
    if chunks < 1:
        raise MXNetError(f"--chunks must be at least 1, got {chunks}")
    if not (0 <= train_ratio and 0 <= test_ratio and train_ratio + test_ratio <= 1 + 1e-9):
        raise MXNetError(f"the ratios must not be negative nor more than 1 together: {train_ratio} and {test_ratio}")
    items = list(items)
    if shuffle:
        random.Random(_SEED).shuffle(items)
    size = -(-len(items) // chunks)
    contents = {}
    for i in range(chunks):
        chunk = items[i * size : (i + 1) * size]
        base = f"{prefix}_{i}" if chunks > 1 else prefix
        tests = int(len(chunk) * test_ratio)
        trains = int(len(chunk) * train_ratio)
        parts = {"_test": chunk[:tests], "_train": chunk[tests : tests + trains], "_val": chunk[tests + trains :]}
        if train_ratio == 1.0:
            parts = {"": chunk}
        else:
            if not test_ratio:
                del parts["_test"]
            if train_ratio + test_ratio >= 1.0:
                parts["_train"] += parts.pop("_val")
        for suffix, part in parts.items():
            contents[f"{base}{suffix}.lst"] = part
    with writing_together():
        for name, part in contents.items():
            with writing(name) as stream:
                stream.writelines(map(_line, part))
    return list(contents)


def read_list(path: str) -> tuple[list[Item], list[tuple[str, str]]]:
    """The images of a ``.lst`` file, and the lines that are none, with the reason."""
    items: list[Item] = []
    wrong: list[tuple[str, str]] = []
    for number, line in enumerate(io.StringIO(read_text(path), newline="\n"), 1):
        if not line.strip():
            continue
        fields = [part.strip() for part in line.strip().split("\t")]
        try:
            if len(fields) < 3:
                raise ValueError("a number, a label and a path with tabs between them were expected")
            items.append(Item(int(fields[0]), fields[-1], tuple(map(float, fields[1:-1]))))
        except ValueError as error:
            wrong.append((f"{path}, line {number}", str(error)))
            if len(wrong) > _MOST_WRONG:
                raise MXNetFileError(
                    f"{path}: this is no list of images: {len(wrong)} lines up to line {number} are wrong, the last "
                    f"one since {error}"
                ) from None
    return items, wrong


# ---- records ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Encoding:
    """How images become records: the options of the command of the same names."""

    pass_through: bool = False
    resize: int = 0
    center_crop: bool = False
    quality: int = 95
    color: int = 1
    encoding: str = ".jpg"
    pack_label: bool = False

    def record(self, item: Item, root: str) -> bytes:
        """The record of an image."""
        label: Any = item.labels if self.pack_label and len(item.labels) > 1 else item.labels[0]
        header = (0, label, item.number, 0)
        path = os.path.join(root, item.path)
        if "://" not in root and os.path.exists(path) and not os.path.isfile(path):
            raise _Unreadable("it is not a regular file")
        try:
            with reading(path) as (stream, _):
                content = stream.read()
        except MXNetError as error:
            raise _Unreadable(str(error.__cause__ or error)) from error
        if not content:
            raise _Unreadable("the file is empty")
        if self.pass_through:
            return pack(header, content)
        return pack_img(header, self._transform(content), self.quality, self.encoding)

    def _transform(self, content: bytes) -> np.ndarray:
        import cv2

        try:
            image = decode_pixels(np.frombuffer(content, np.uint8), self.color)
        except ValueError as error:
            raise _Unreadable(str(error)) from error
        if image is None:
            raise _Unreadable("OpenCV cannot decode it")
        if self.center_crop:
            height, width = image.shape[:2]
            side = min(height, width)
            top, left = (height - side) // 2, (width - side) // 2
            image = image[top : top + side, left : left + side]
        if self.resize:
            height, width = image.shape[:2]
            if height > width:
                size = (self.resize, height * self.resize // width)
            else:
                size = (width * self.resize // height, self.resize)
            image = cv2.resize(image, size)
        return image


def _records(
    items: Sequence[Item], root: str, how: Encoding, threads: int
) -> Iterator[tuple[Item, bytes | _Unreadable]]:
    """Each image with its record, in order, made by several threads ahead of the one who asks."""

    def make(item: Item) -> bytes | _Unreadable:
        try:
            return how.record(item, root)
        except _Unreadable as error:
            return error
        except MXNetError as error:
            return _Unreadable(str(error))
        except Exception as error:  # named here, since the image is not known any more where it is caught
            raise MXNetError(f"failed at {item.path}: {type(error).__name__}: {error}") from error

    if threads < 2:
        for item in items:
            yield item, make(item)
        return
    executor = ThreadPoolExecutor(threads, "im2rec")
    waiting: deque[tuple[Item, Future]] = deque()
    try:
        for item in items:
            waiting.append((item, executor.submit(make, item)))
            if len(waiting) > 4 * threads:  # what is done and not yet written takes memory
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def pack_list(
    lst: str, root: str, how: Encoding, threads: int = 1, shuffle: bool = False, progress: bool = False
) -> Report:
    """Writes the ``.rec`` and ``.idx`` files beside a ``.lst`` file, in its order, or shuffled.

    Images that cannot be read are left out, and named in what is returned.
    """
    from tqdm import tqdm

    items, wrong = read_list(lst)
    for item in items:
        if leads_out(root, item.path):
            raise MXNetFileError(
                f"{lst}: image {item.number} is {item.path[:200]!r}, which is not below the root {root!r}. Nothing was "
                "packed; give a root that all images are below"
            )
    if shuffle:
        random.Random(_SEED).shuffle(items)
    report = Report(unreadable=wrong)
    base = os.path.splitext(lst)[0]
    with (
        MXIndexedRecordIO(base + ".idx", base + ".rec", "w") as writer,
        tqdm(total=len(items), desc=os.path.basename(base), unit=" images", disable=None if progress else True) as bar,
    ):
        for item, record in _records(items, root, how, threads):
            if isinstance(record, _Unreadable):
                report.unreadable.append((item.path, str(record)))
            else:
                writer.write_idx(item.number, record)
                report.count += 1
            bar.update()
    return report


# ---- the command -----------------------------------------------------------------------------------------------------

_TRUTH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
_SWITCHES = ("--list", "--recursive", "--shuffle", "--pass-through", "--center-crop", "--pack-label")


def _with_values(argv: Sequence[str]) -> list[str]:
    """Gives each switch its value in the same word: the truth value after it (``--shuffle 1``), or True."""
    result: list[str] = []
    words = list(argv)
    while words:
        word = words.pop(0)
        if word in _SWITCHES:
            given = words and words[0].lower() in _TRUTH
            word += "=" + (words.pop(0) if given else "True")
        result.append(word)
    return result


def _truth(text: str) -> bool:
    if text.lower() not in _TRUTH:
        raise argparse.ArgumentTypeError(f"True or False was expected, got {text!r}")
    return _TRUTH[text.lower()]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "im2rec",
        description="Make a list of images, or pack the images of a list into a record file.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("prefix", help="beginning of the names of the .lst and .rec files, or a folder of .lst files")
    parser.add_argument("root", help="the folder of the images")

    def switch(group: Any, name: str, text: str, default: bool | None = False) -> None:
        group.add_argument(name, nargs="?", type=_truth, default=default, metavar="True|False", help=text)

    lists = parser.add_argument_group("making a list")
    switch(lists, "--list", "write .lst files instead of packing images")
    lists.add_argument("--exts", nargs="+", default=list(EXTENSIONS), help="endings of the names of images")
    lists.add_argument("--chunks", type=int, default=1, help="number of lists to divide the images into")
    lists.add_argument("--train-ratio", type=float, default=1.0, help="part of the images for training")
    lists.add_argument("--test-ratio", type=float, default=0.0, help="part of the images for testing")
    switch(lists, "--recursive", "also look into the folders below; each gets a label of its own")
    switch(lists, "--shuffle", "a random order; by default lists get one and record files keep that of the list", None)
    lists.add_argument("--no-shuffle", dest="shuffle", action="store_false", default=None, help="the order of names")
    records = parser.add_argument_group("packing images")
    switch(records, "--pass-through", "pack the files as they are")
    records.add_argument("--resize", type=int, default=0, help="make the shorter side so long; 0 leaves the size")
    switch(records, "--center-crop", "cut a square out of the middle")
    records.add_argument("--quality", type=int, default=95, help="of JPEG, 1 to 100; of PNG its compression, 1 to 9")
    records.add_argument("--num-thread", type=int, default=1, help="number of threads that read and encode images")
    records.add_argument("--color", type=int, default=1, choices=(-1, 0, 1), help="1 color, 0 gray, -1 as in the file")
    records.add_argument("--encoding", default=".jpg", choices=(".jpg", ".png"), help="of the images in the records")
    switch(records, "--pack-label", "pack all labels of a line; otherwise only the first one is packed")
    return parser


def _lists_of(prefix: str) -> list[str]:
    """The ``.lst`` files that a prefix, or a folder, stands for."""
    folder, start = (prefix, "") if os.path.isdir(prefix) else os.path.split(prefix)
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError as error:
        raise MXNetError(f"cannot look for lists in {folder!r}: {error.strerror}") from error
    found = [os.path.join(folder, name) for name in names if name.startswith(start) and name.endswith(".lst")]
    if not found:
        raise MXNetError(f"there is no .lst file with the prefix {prefix!r}; make one with --list")
    return found


@contextmanager
def _stoppable() -> Iterator[None]:
    """Makes the usual signal to stop a process an exception, so that it cleans up."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _run(options: argparse.Namespace) -> int:
    if options.list:
        items, folders = find_images(options.root, options.recursive, options.exts)
        if not items:
            raise MXNetError(f"there are no images ({' '.join(options.exts)}) in {options.root!r}")
        for folder, label in folders.items():
            print(folder, label)
        shuffle = options.shuffle is not False
        for name in write_lists(
            options.prefix, items, options.chunks, options.train_ratio, options.test_ratio, shuffle
        ):
            print(f"{name} was written")
        return 0
    how = Encoding(
        options.pass_through,
        options.resize,
        options.center_crop,
        options.quality,
        options.color,
        options.encoding,
        options.pack_label,
    )
    status = 0
    for lst in _lists_of(options.prefix):
        report = pack_list(lst, options.root, how, options.num_thread, bool(options.shuffle), progress=True)
        total = report.count + len(report.unreadable)
        print(f"{os.path.splitext(lst)[0]}.rec: {report.count} of {total} images")
        for name, reason in report.unreadable:
            print(f"  unreadable: {name}: {reason}")
        if total and not report.count:
            status = 1
    return status


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command."""
    options = _parser().parse_args(_with_values(sys.argv[1:] if argv is None else argv))
    try:
        with _stoppable():
            return _run(options)
    except MXNetError as error:
        print(f"im2rec: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("im2rec: interrupted; the file in the making was removed", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
