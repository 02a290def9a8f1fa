"""Files of trained weights: where they are kept, what they must contain, where they can be got."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import zipfile

from ...base import MXNetError, data_dir
from ...error import MXNetFileError, MXNetValueError
from ..utils import PUBLIC_REPOSITORY, _get_repo_url, check_sha1, download, replace_file

__all__ = ["get_model_file", "purge"]

apache_repo_url = PUBLIC_REPOSITORY
_url_format = "{repo_url}gluon/models/{file_name}.zip"
#: Where weights are looked for by default.
MODELS = os.path.join(data_dir(), "models")
#: The ending of files with weights that were converted from torchvision's by ``python -m mxnet.tools.fetch``.
TORCHVISION = "-torchvision.params"

# The SHA-1 of each published file of weights; its beginning is part of the file's name.
_model_sha1 = {
    "alexnet": "44335d1f0046b328243b32a26a4fbd62d9057b45",
    "densenet121": "f27dbf2dbd5ce9a80b102d89c7483342cd33cb31",
    "densenet161": "b6c8a95717e3e761bd88d145f4d0a214aaa515dc",
    "densenet169": "2603f878403c6aa5a71a124c4a3307143d6820e9",
    "densenet201": "1cdbc116bc3a1b65832b18cf53e1cb8e7da017eb",
    "inceptionv3": "ed47ec45a937b656fcc94dabde85495bbef5ba1f",
    "mobilenet0.25": "9f83e440996887baf91a6aff1cccc1c903a64274",
    "mobilenet0.5": "8e9d539cc66aa5efa71c4b6af983b936ab8701c3",
    "mobilenet0.75": "529b2c7f4934e6cb851155b22c96c9ab0a7c4dc2",
    "mobilenet1.0": "6b8c5106c730e8750bcd82ceb75220a3351157cd",
    "mobilenetv2_1.0": "36da4ff1867abccd32b29592d79fc753bca5a215",
    "mobilenetv2_0.75": "e2be7b72a79fe4a750d1dd415afedf01c3ea818d",
    "mobilenetv2_0.5": "aabd26cd335379fcb72ae6c8fac45a70eab11785",
    "mobilenetv2_0.25": "ae8f9392789b04822cbb1d98c27283fc5f8aa0a7",
    "resnet18_v1": "a0666292f0a30ff61f857b0b66efc0228eb6a54b",
    "resnet34_v1": "48216ba99a8b1005d75c0f3a0c422301a0473233",
    "resnet50_v1": "0aee57f96768c0a2d5b23a6ec91eb08dfb0a45ce",
    "resnet101_v1": "d988c13d6159779e907140a638c56f229634cb02",
    "resnet152_v1": "671c637a14387ab9e2654eafd0d493d86b1c8579",
    "resnet18_v2": "a81db45fd7b7a2d12ab97cd88ef0a5ac48b8f657",
    "resnet34_v2": "9d6b80bbc35169de6b6edecffdd6047c56fdd322",
    "resnet50_v2": "ecdde35339c1aadbec4f547857078e734a76fb49",
    "resnet101_v2": "18e93e4f48947e002547f50eabbcc9c83e516aa6",
    "resnet152_v2": "f2695542de38cf7e71ed58f02893d82bb409415e",
    "squeezenet1.0": "264ba4970a0cc87a4f15c96e25246a1307caf523",
    "squeezenet1.1": "33ba0f93753c83d86e1eb397f38a667eaf2e9376",
    "vgg11": "dd221b160977f36a53f464cb54648d227c707a05",
    "vgg11_bn": "ee79a8098a91fbe05b7a973fed2017a6117723a8",
    "vgg13": "6bc5de58a05a5e2e7f493e2d75a580d83efde38c",
    "vgg13_bn": "7d97a06c3c7a1aecc88b6e7385c2b373a249e95e",
    "vgg16": "e660d4569ccb679ec68f1fd3cce07a387252a90a",
    "vgg16_bn": "7f01cf050d357127a73826045c245041b0df7363",
    "vgg19": "ad2f660d101905472b83590b59708b71ea22b2e5",
    "vgg19_bn": "f360b758e856f1074a85abd5fd873ed1d98297c3",
}


def short_hash(name: str) -> str:
    """The eight characters that tell the published weights of a model from earlier ones, as in its file name."""
    if name not in _model_sha1:
        raise MXNetValueError(f"Pretrained model for {name} is not available.")
    return _model_sha1[name][:8]


def _from_torchvision(name: str) -> str:
    """What to do to get weights of torchvision's for a network, if it has them."""
    from . import torchvision  # which imports the networks, and these this module

    if name not in torchvision.FILES:
        return f"There are no weights of torchvision's for {name}; there are for {', '.join(torchvision.FILES)}"
    return (
        f"Weights of torchvision's do as well, on a machine with a network: python -m mxnet.tools.fetch {name} --from "
        "torchvision"
    )


def get_model_file(name: str, root: str = MODELS) -> str:
    """The file with the trained weights of a model; if it is not in ``root``, intact, it is downloaded to there.

    The file is ``<name>-<short_hash(name)>.params``. It comes from the archive of MXNet's models, or from the place
    that the environment variable ``MXNET_GLUON_REPO`` names, where it lies as ``gluon/models/<name>-<short_hash>.zip``.
    If it is not there, but ``<name>-torchvision.params`` is, that is given: ``python -m mxnet.tools.fetch`` makes it.
    """
    file_name = f"{name}-{short_hash(name)}"
    root = os.path.expanduser(root)
    path = os.path.join(root, f"{file_name}.params")
    sha1 = _model_sha1[name]
    log = logging.getLogger(__name__)
    converted = os.path.join(root, f"{name}{TORCHVISION}")
    if not os.path.exists(path) and os.path.exists(converted):
        log.info("Using weights of torchvision, %s.", converted)
        return converted
    if not os.path.exists(path):
        log.info("Model file not found. Downloading to %s.", path)
    elif check_sha1(path, sha1):
        return path
    else:
        log.warning("Mismatch in the content of model file detected. Downloading again.")
    url = _url_format.format(repo_url=_get_repo_url(), file_name=file_name)
    try:
        os.makedirs(root, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=root, prefix=f".{file_name}.") as workplace:
            _unpack(download(url, path=workplace, retries=1), f"{file_name}.params", workplace)
            found = os.path.join(workplace, f"{file_name}.params")
            if not check_sha1(found, sha1):
                raise MXNetValueError("Downloaded file has different hash. Please try again.")
            replace_file(found, path)
    except (OSError, ValueError, MXNetError, zipfile.BadZipFile) as error:
        reason = error.__cause__ or error
        raise _Unavailable(
            f"The weights of {name} are not there and could not be fetched from {url}: {reason}. Put the file "
            f"{file_name}.params, with the SHA-1 {sha1}, into {root!r}, or name the directory that has it by root=. It "
            f"is published in {apache_repo_url}gluon/models/{file_name}.zip; a mirror of that can be named by the "
            f"environment variable MXNET_GLUON_REPO. {_from_torchvision(name)}"
        ) from error
    return path


class _Unavailable(MXNetFileError, MXNetValueError):
    """No weights: the original raises ValueError for bad content and OSError for a bad connection."""


def _unpack(archive: str, member: str, directory: str, into: str | None = None) -> None:
    """Takes one file out of an archive, and nothing else, whatever paths the archive has."""
    with zipfile.ZipFile(archive) as opened:
        if member not in opened.namelist():
            raise MXNetFileError(f"the archive has no {member}, only {opened.namelist()[:5]}")
        if opened.getinfo(member).file_size > 1 << 30:  # as it says: more than that is not read
            raise MXNetFileError(f"{member} in the archive is larger than any file of weights")
        with opened.open(member) as source, open(into or os.path.join(directory, member), "wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)


def purge(root: str = MODELS) -> None:
    """Deletes all files of weights in a directory."""
    root = os.path.expanduser(root)
    for name in os.listdir(root):
        if name.endswith(".params"):
            os.remove(os.path.join(root, name))
