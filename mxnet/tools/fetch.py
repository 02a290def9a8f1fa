"""Gets datasets and trained weights from where they still are: ``python -m mxnet.tools.fetch mnist resnet18_v1``.

Every file is checked before it is put in its place, a download that broke off is carried on, and if no place has a file
it is said what to put where by hand. ``--from torchvision`` converts torchvision's weights for ``pretrained=True``.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import os
import pickle
import re
import shutil
import sys
import tarfile
import urllib.error
import zipfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .._core.files import writing
from ..base import data_dir
from ..error import MXNetError, MXNetFileError, MXNetValueError
from ..gluon.data.vision import CIFAR10, CIFAR100, MNIST, FashionMNIST
from ..gluon.model_zoo import model_store, torchvision
from ..gluon.model_zoo.vision import get_model
from ..gluon.utils import PUBLIC_REPOSITORY, _get_repo_url, open_url
from ..ndarray import save

__all__ = ["DATASETS", "MIRRORS", "fetch_dataset", "fetch_file", "fetch_model", "main"]

DATASETS = {"mnist": MNIST, "fashion-mnist": FashionMNIST, "cifar10": CIFAR10, "cifar100": CIFAR100}
#: Where else the files of a dataset, or torchvision's weights, are published. MXNET_GLUON_REPO takes precedence.
MIRRORS = {
    "mnist": ("https://ossci-datasets.s3.amazonaws.com/mnist/", "https://storage.googleapis.com/cvdf-datasets/mnist/"),
    "fashion-mnist": ("http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",),
    "cifar10": ("https://www.cs.toronto.edu/~kriz/",),
    "cifar100": ("https://www.cs.toronto.edu/~kriz/",),
    "torchvision": ("https://download.pytorch.org/models/",),
}
#: No file in the tables is larger; what sends more is not what was asked for.
_LIMIT = 1 << 30
_BLOCK = 1 << 20

Say = Callable[[str], None]


class Unavailable(MXNetFileError):
    """No place has the file; says what to do by hand."""


def _digest(path: str, kind: str) -> str:
    digest = hashlib.new(kind)
    with open(path, "rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def fetch_file(urls: Sequence[str], path: str, check: Callable[[str], str | None], say: Say = print) -> None:
    """Puts the file that one of the URLs has to ``path``, if ``check`` finds nothing wrong with it.

    What has come before a connection broke is kept beside it, as ``<path>.part``, and the next attempt carries on.
    """
    part, reasons = f"{path}.part", []
    os.makedirs(os.path.dirname(path), exist_ok=True)
    for url in urls:
        say(f"fetching {url}")
        try:
            _receive(url, part)
            wrong = check(part)
        except (OSError, http.client.HTTPException, ValueError) as error:
            reasons.append(f"{url}: {error}")
            continue
        if wrong is None:
            os.replace(part, path)
            return
        os.unlink(part)
        reasons.append(f"{url}: {wrong}")
    raise Unavailable("; ".join(reasons))


def _receive(url: str, part: str) -> None:
    """Downloads to ``part``, or the rest of it if there is a beginning."""
    start = os.path.getsize(part) if os.path.exists(part) else 0
    try:
        answer = open_url(url, 60, headers={"Range": f"bytes={start}-"} if start else {})
    except urllib.error.HTTPError as error:
        if error.code == 416 and start:  # all of it was there; whether it is right is checked by the caller
            error.close()
            return
        error.close()
        raise OSError(f"{error.code} {error.reason}") from error
    with answer:
        carried_on = start and getattr(answer, "status", 200) == 206
        sent_from = re.match(r"bytes (\d+)-", answer.headers.get("Content-Range", "")) if carried_on else None
        if carried_on and (sent_from is None or int(sent_from[1]) != start):
            raise OSError(f"asked for what comes after {start} bytes, got {answer.headers.get('Content-Range')!r}")
        length = answer.headers.get("Content-Length")
        total = start if carried_on else 0
        wanted = total + int(length) if length and length.isdigit() else None
        with open(part, "ab" if carried_on else "wb") as target:
            while block := answer.read(_BLOCK):
                total += len(block)
                if total > _LIMIT:
                    target.truncate(0)
                    raise OSError(f"it sends more than {_LIMIT} bytes")
                target.write(block)
        if wanted is not None and total < wanted:
            raise OSError(f"the connection broke after {total} of {wanted} bytes; the next attempt carries on")


def _has(kind: str, wanted: str) -> Callable[[str], str | None]:
    def check(path: str) -> str | None:
        found = _digest(path, kind)[: len(wanted)]
        return None if found == wanted else f"its {kind.upper()} is {found}, expected {wanted}"

    return check


def _places(folder: str, name: str, mirrors: Sequence[str]) -> list[str]:
    repositories = dict.fromkeys((_get_repo_url(), PUBLIC_REPOSITORY))
    if _get_repo_url() != PUBLIC_REPOSITORY:
        return [f"{_get_repo_url()}{folder}/{name}", *(f"{url}{name}" for url in mirrors)]
    return [*(f"{url}{name}" for url in mirrors), *(f"{url}{folder}/{name}" for url in repositories)]


def fetch_dataset(name: str, root: str | None = None, say: Say = print) -> str:
    """Gets the files of a dataset into ``root``, where the class of ``mx.gluon.data.vision`` looks, and returns it."""
    kind: Any = DATASETS[name]
    root = os.path.expanduser(root or os.path.join(data_dir(), "datasets", name))
    if name.startswith("cifar"):
        _fetch_cifar(name, kind, root, say)
        return root
    for file, sha1 in (kind._train_data, kind._train_label, kind._test_data, kind._test_label):
        path = os.path.join(root, file)
        if os.path.exists(path) and _digest(path, "sha1") == sha1:
            say(f"{path} is there")
            continue
        try:
            fetch_file(_places(f"gluon/dataset/{name}", file, MIRRORS[name]), path, _has("sha1", sha1), say)
        except Unavailable as error:
            raise _by_hand(name, f"{file} (SHA-1 {sha1})", root, error) from error
        say(f"{path} is there now")
    return root


def _fetch_cifar(name: str, kind: Any, root: str, say: Say) -> None:
    files = dict((*kind._train_data, *kind._test_data))
    if all(
        os.path.exists(p := os.path.join(root, file)) and _digest(p, "sha1") == sha1 for file, sha1 in files.items()
    ):
        say(f"{', '.join(files)} are in {root}")
        return
    archive = os.path.join(root, kind._archive_file[0])
    places = _places(f"gluon/dataset/{name}", kind._archive_file[0], MIRRORS[name])
    try:
        # The authors' archive and the one of MXNet are packed differently: what is in them is checked.
        fetch_file(places, archive, lambda path: _unpack_files(path, root, files), say)
    except Unavailable as error:
        raise _by_hand(name, f"{archive}, or what is in it: {', '.join(files)}", root, error) from error
    os.unlink(archive)
    say(f"{', '.join(files)} are in {root} now")


def _unpack_files(archive: str, root: str, files: dict[str, str]) -> str | None:
    """Takes the files that are named, with these SHA-1, out of a tar archive; or says what is wrong with it."""
    left = dict(files)
    try:
        with tarfile.open(archive) as opened:
            for member in opened:
                name = os.path.basename(member.name)
                if name not in left or not member.isfile() or member.size > _LIMIT >> 2:
                    continue
                stream = opened.extractfile(member)
                assert stream is not None
                content = stream.read()
                if hashlib.sha1(content).hexdigest() != left[name]:
                    return f"its {name} is damaged: its SHA-1 is not {left[name]}"
                with writing(os.path.join(root, name)) as target:
                    target.write(content)
                del left[name]
    except (tarfile.TarError, EOFError, OSError) as error:
        return f"it is not a tar archive: {error}"
    return f"it lacks {', '.join(left)}" if left else None


def _by_hand(name: str, what: str, root: str, error: Exception) -> Unavailable:
    return Unavailable(
        f"{name} could not be fetched ({error}). Get {what} in another way and put it into {root!r}, or name a server "
        "that has the files of MXNet's repository by the environment variable MXNET_GLUON_REPO, then try again"
        + (
            ". Debian's package dataset-fashion-mnist has them in /usr/share/datasets"
            if name == "fashion-mnist"
            else ""
        )
    )


def fetch_model(name: str, root: str = model_store.MODELS, source: str = "auto", say: Say = print) -> str:
    """Gets trained weights for ``get_model(name, pretrained=True)`` and returns their file.

    ``source`` is ``mxnet`` for the weights that MXNet published, ``torchvision`` for those, or ``auto`` for the first
    of the two that is to be had.
    """
    sha1 = model_store._model_sha1.get(name)
    if sha1 is None:
        known = ", ".join([*DATASETS, *sorted(model_store._model_sha1)])
        raise MXNetValueError(f"there is nothing called {name!r}; expected one of {known}")
    root, reasons = os.path.expanduser(root), []
    for way in ("mxnet", "torchvision") if source == "auto" else (source,):
        try:
            return _fetch_mxnet(name, root, sha1, say) if way == "mxnet" else _fetch_torchvision(name, root, say)
        except Unavailable as error:
            reasons.append(str(error))
    raise Unavailable(". ".join(reasons))


def _fetch_mxnet(name: str, root: str, sha1: str, say: Say) -> str:
    file = f"{name}-{sha1[:8]}"
    path = os.path.join(root, f"{file}.params")
    if os.path.exists(path) and _digest(path, "sha1") == sha1:
        say(f"{path} is there")
        return path
    archive = os.path.join(root, f"{file}.zip")

    def check(found: str) -> str | None:
        try:
            model_store._unpack(found, f"{file}.params", root, into=f"{path}.part")
        except (zipfile.BadZipFile, MXNetError, OSError) as error:
            return f"it is not the archive: {error}"
        wrong = _has("sha1", sha1)(f"{path}.part")
        if wrong is None:
            os.replace(f"{path}.part", path)
        else:
            os.unlink(f"{path}.part")
        return wrong

    try:
        fetch_file(_places("gluon/models", f"{file}.zip", ()), archive, check, say)
    except Unavailable as error:
        raise _by_hand(name, f"{file}.params (SHA-1 {sha1})", root, error) from error
    os.unlink(archive)
    say(f"{path} is there now")
    return path


def _fetch_torchvision(name: str, root: str, say: Say) -> str:
    if name not in torchvision.FILES:
        raise Unavailable(f"torchvision has no weights for {name}; it has them for {', '.join(torchvision.FILES)}")
    file = torchvision.FILES[name]
    wanted = file.removesuffix(".pth").rpartition("-")[2]
    path = os.path.join(root, file)
    if not os.path.exists(path):
        try:
            fetch_file([url + file for url in MIRRORS["torchvision"]], path, _has("sha256", wanted), say)
        except Unavailable as error:
            raise Unavailable(
                f"torchvision's weights for {name} could not be fetched ({error}). Get {file} (its SHA-256 begins with "
                f"{wanted}) in another way and convert it: python -m mxnet.tools.fetch {name} --file {file}"
            ) from error
        converted = convert_file(name, path, root, say)
        os.unlink(path)
        return converted
    return convert_file(name, path, root, say)


def convert_file(name: str, path: str, root: str = model_store.MODELS, say: Say = print) -> str:
    """Makes weights for ``get_model(name, pretrained=True)`` of a file with torchvision's ``state_dict``."""
    import torch

    if name not in torchvision.FILES:
        raise MXNetValueError(
            f"{name!r} is not a network of torchvision's; expected one of {', '.join(torchvision.FILES)}"
        )
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, ValueError, EOFError, pickle.UnpicklingError, KeyError) as error:
        raise MXNetFileError(f"{path} is not a file of torch with weights: {str(error).splitlines()[0]}") from error
    if not isinstance(state, dict):
        raise MXNetValueError(f"{path} holds {type(state).__name__}, expected a state_dict: tensors by name")
    net = get_model(name)
    torchvision.adapt(net, name)
    parameters = torchvision.convert(name, state, net)
    root = os.path.expanduser(root)
    os.makedirs(root, exist_ok=True)
    target = os.path.join(root, f"{name}{model_store.TORCHVISION}")
    save(target, parameters)
    say(f"{target} is there now: get_model({name!r}, pretrained=True) loads it")
    return target


def _lines() -> Iterator[str]:
    for name, kind in DATASETS.items():
        yield f"{name:16} data set {kind.__name__}"
    for name in model_store._model_sha1:
        yield f"{name:16} network" + (", also --from torchvision" if name in torchvision.FILES else "")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser("fetch", description="Get data sets and trained weights, or say how to")
    parser.add_argument(
        "names", nargs="*", metavar="name", help="mnist, fashion-mnist, cifar10, cifar100, or a network"
    )
    parser.add_argument("--root", help="the directory to put the files into, if not the usual one")
    parser.add_argument("--from", dest="source", choices=("auto", "mxnet", "torchvision"), default="auto")
    parser.add_argument("--file", help="torchvision's weights for the one network that is named, from a file")
    parser.add_argument("--list", action="store_true", help="show what there is")
    options = parser.parse_args(argv)
    if options.list:
        print("\n".join(_lines()))
        return 0
    if not options.names or (options.file and len(options.names) != 1):
        parser.error(
            "name one network for --file" if options.file else "name what to fetch; --list shows what there is"
        )
    code = 0
    for name in options.names:
        try:
            if options.file:
                convert_file(name, options.file, options.root or model_store.MODELS)
            elif name in DATASETS:
                fetch_dataset(name, options.root)
            else:
                fetch_model(name, options.root or model_store.MODELS, options.source)
        except (MXNetError, OSError, shutil.Error) as error:
            print(f"fetch: {error}", file=sys.stderr)
            code = 1
        except KeyboardInterrupt:
            print("fetch: interrupted; what has come is kept, and the next time carries on", file=sys.stderr)
            return 130
    return code


if __name__ == "__main__":
    sys.exit(main())
