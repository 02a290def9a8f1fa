"""Helpers for training: splitting batches over devices, clipping gradients, fetching files."""

from __future__ import annotations

import hashlib
import http.client
import logging
import os
import urllib.request
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
import torch

from .._core import config
from .._core.temporaries import create
from ..context import Context, as_contexts
from ..error import MXNetAssertionError, MXNetError, MXNetFileError, MXNetTypeError, MXNetValueError
from ..ndarray import NDArray, array
from ..ndarray.gate import call
from ..ndarray.kinds import as_current
from ..ndarray.ndarray import wrap
from ..ndarray.sparse_array import parts_of
from ..ops.wide import FINITE, leaves
from ..util import is_np_shape

__all__ = [
    "HookHandle",
    "check_sha1",
    "clip_global_norm",
    "download",
    "replace_file",
    "shape_is_known",
    "split_and_load",
    "split_data",
]


def split_data(data: NDArray, num_slice: int, batch_axis: int = 0, even_split: bool = True) -> list[NDArray]:
    """Splits an array into ``num_slice`` parts along ``batch_axis``; unevenly, the first ones are larger by one.

    Parts along the first axis share the memory of the array. Of more parts than there are rows, the last are empty.

    >>> gluon.utils.split_data(nd.arange(4), 2)
    [
    [0. 1.]
    <NDArray 2 @cpu(0)>,
    [2. 3.]
    <NDArray 2 @cpu(0)>]
    """
    size = data.shape[batch_axis]
    if even_split and size % num_slice != 0:
        raise MXNetValueError(
            f"data with shape {data.shape} cannot be evenly split into {num_slice} slices along axis {batch_axis}. Use "
            f"a batch size that's multiple of {num_slice} or set even_split=False to allow uneven partitioning of data."
        )
    if num_slice == 1:
        return [data]
    step, larger = divmod(size, num_slice)
    bounds = [part * step + min(part, larger) for part in range(num_slice + 1)]
    if batch_axis == 0:
        return [data[begin:end] for begin, end in pairwise(bounds)]
    return [call("slice_axis", data, axis=batch_axis, begin=begin, end=end) for begin, end in pairwise(bounds)]


def split_and_load(data: Any, ctx_list: Sequence[Context], batch_axis: int = 0, even_split: bool = True) -> list:
    """Splits an array, or what can become one, into one part for each context and copies the parts there.

    >>> gluon.utils.split_and_load(nd.arange(4), [mx.cpu(0), mx.cpu(1)])
    [
    [0. 1.]
    <NDArray 2 @cpu(0)>,
    [2. 3.]
    <NDArray 2 @cpu(1)>]
    """
    ctx_list = as_contexts(ctx_list)
    if not isinstance(data, NDArray):
        data = as_current(array(data, ctx=ctx_list[0]))
    if len(ctx_list) == 1:
        return [data.as_in_context(ctx_list[0])]
    parts = split_data(data, len(ctx_list), batch_axis, even_split)
    return [part.as_in_context(ctx) for part, ctx in zip(parts, ctx_list, strict=True)]


def clip_global_norm(arrays: Iterable[NDArray], max_norm: float, check_isfinite: bool = True) -> Any:
    """Scales arrays in place so that the 2-norm of all their elements together is at most ``max_norm``.

    Returns the norm before: a number, or without ``check_isfinite`` an NDArray, which does not wait for the device.

    >>> arrays = [nd.array([3.0]), nd.array([4.0])]
    >>> gluon.utils.clip_global_norm(arrays, max_norm=1)
    np.float32(5.0)
    >>> arrays
    [
    [0.6]
    <NDArray 1 @cpu(0)>,
    [0.8]
    <NDArray 1 @cpu(0)>]
    """
    arrays = list(arrays)
    if not arrays:
        raise MXNetAssertionError("clip_global_norm needs at least one array")
    tensors = [parts_of(a)[0] for a in arrays]  # of sparse arrays what is stored: the rest is zero
    for each, tensor in zip(arrays, tensors, strict=True):
        if not tensor.is_floating_point():
            kind = np.dtype(each.dtype).name
            raise MXNetTypeError(f"clip_global_norm is for arrays of a floating type, one is {kind}")
    home = tensors[0].device
    norms = torch.stack([n.to(home, torch.float32) for n in torch._foreach_norm(tensors)])
    if leaves(norms, FINITE):
        norms = torch.stack([torch.linalg.vector_norm(t, dtype=torch.float64).to(home) for t in tensors])
    total = torch.linalg.vector_norm(norms).reshape(1).to(torch.float32)
    if not check_isfinite:
        scale = (max_norm / (total + 1e-8)).clamp(max=1.0)
        for tensor in tensors:
            tensor.mul_(scale.to(tensor.device, tensor.dtype))
        return wrap(total, arrays[0]._ctx, type(arrays[0]) if arrays[0].stype == "default" else None)
    norm = np.float32(total.item())
    if not np.isfinite(norm):
        warnings.warn("nan or inf is detected. Clipping results will be undefined.", stacklevel=2)
    scale = max_norm / (float(norm) + 1e-8)
    if not scale >= 1.0:  # NaN, too, goes on
        torch._foreach_mul_(tensors, scale)
    return norm


def arguments(scope: dict[str, Any], ending: str = "") -> dict[str, Any]:
    """The arguments of a method, to be passed on by name: its ``locals()``, while it has no other variables.

    With an ``ending`` only those whose names end so.
    """
    named = {n: v for n, v in scope.items() if n not in ("self", "__class__", "kwargs") and n.endswith(ending)}
    return named | scope.get("kwargs", {})


def _indent(text: str, spaces: int) -> str:
    """All lines but the first moved to the right."""
    first, *rest = text.split("\n")
    return "\n".join([first, *(" " * spaces + line for line in rest)]) if rest else first


def _brief_print_list(names: Iterable[object], limit: int = 7) -> str:
    """Names in quotes, the middle ones left out of a long list."""
    names = list(names)
    if len(names) > limit:
        half = limit // 2
        return f"{_brief_print_list(names[:half], limit)}, ..., {_brief_print_list(names[-half - limit % 2 :], limit)}"
    return ", ".join(f"'{name}'" for name in names)


# ---- files -----------------------------------------------------------------------------------------------------------


#: Where MXNet's models and datasets are published.
PUBLIC_REPOSITORY = "https://apache-mxnet.s3-accelerate.dualstack.amazonaws.com/"


def _get_repo_url() -> str:
    """Where Gluon's files are fetched from: ``MXNET_GLUON_REPO``, or the public place; it ends with a slash."""
    url = config.GLUON_REPO.get() or PUBLIC_REPOSITORY
    return url if url.endswith("/") else f"{url}/"


def _get_repo_file_url(namespace: str, filename: str) -> str:
    """The URL of a file in a folder of that place."""
    return f"{_get_repo_url()}{namespace}/{filename}"


def check_sha1(filename: str, sha1_hash: str) -> bool:
    """Does the file have this SHA-1, given in full or by its beginning?"""
    digest = hashlib.sha1()
    with open(filename, "rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    found = digest.hexdigest()
    length = min(len(found), len(sha1_hash))
    return found[:length] == sha1_hash[:length]


def replace_file(src: str, dst: str) -> None:
    """Renames a file at once, over an existing one if need be."""
    os.replace(src, dst)


def name_in_url(url: str) -> str:
    """The name that a file gets by default: the last part of its URL, which must not lead to another directory."""
    name = url.split("/")[-1]
    if name in ("", os.curdir, os.pardir) or "\\" in name or "\0" in name:
        raise MXNetValueError(f"Can't construct file-name from this URL: {url}. Please set the `path` option.")
    return name


def download(
    url: str,
    path: str | None = None,
    overwrite: bool = False,
    sha1_hash: str | None = None,
    retries: int = 5,
    verify_ssl: bool = True,
) -> str:
    """Fetches a file and returns its name. A file that is there already, with the right SHA-1, is not fetched again.

    ``path`` is a file or a directory, by default the current one. ``url`` may be any that Python opens, also ``file:``.
    What is larger than ``MXNET_DOWNLOAD_MAX_BYTES`` (32 GB by default) is refused.
    """
    if path is None:
        name = name_in_url(url)
    else:
        path = os.path.expanduser(path)
        name = os.path.join(path, name_in_url(url)) if os.path.isdir(path) else path
    if retries < 0:
        raise MXNetAssertionError(f"Number of retries should be at least 0, currently it's {retries}")
    if not overwrite and os.path.exists(name) and (not sha1_hash or check_sha1(name, sha1_hash)):
        return name
    if not verify_ssl:
        warnings.warn(
            "Unverified HTTPS request is being made (verify_ssl=False). Adding certificate verification is strongly "
            "advised.",
            stacklevel=2,
        )
    os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
    for attempt in range(retries + 1):
        try:
            _fetch(url, name, sha1_hash, verify_ssl)
            return name
        except (OSError, ValueError, http.client.HTTPException) as error:
            if attempt == retries or isinstance(error, MXNetError):  # which would be the same again
                raise MXNetFileError(
                    f"Failed downloading url {url}: {error}. Without a network, put the file at {name!r} yourself: it "
                    "is used if it is there" + (f" and its SHA-1 is {sha1_hash}." if sha1_hash else ".")
                ) from error
            logging.getLogger(__name__).warning(
                "download failed due to %r, retrying, %d attempt%s left",
                error,
                retries - attempt,
                "s" if retries - attempt > 1 else "",
            )
    raise AssertionError("unreachable")


def _fetch(url: str, name: str, sha1_hash: str | None, verify_ssl: bool) -> None:
    handle, temporary = create(os.path.abspath(name), 0o666)
    try:
        print(f"Downloading {name} from {url}...")
        with os.fdopen(handle, "wb") as target:  # open, it is locked: nobody takes it for one left over
            _read(url, target, verify_ssl)
            target.flush()
            if sha1_hash and not check_sha1(temporary, sha1_hash):
                raise ValueError(
                    f"the content of {url} does not have the SHA-1 {sha1_hash}: it is damaged or has changed"
                )
            if os.name == "posix":
                replace_file(temporary, name)
        if os.name != "posix":  # Windows renames no open file
            replace_file(temporary, name)
    except BaseException:
        os.unlink(temporary)
        raise


def _read(url: str, target: BinaryIO, verify_ssl: bool) -> None:
    """Writes what is at a URL to a file: by ``requests``, where it is installed, as its users have set it up."""
    if url.startswith(("http:", "https:")):
        try:
            import requests
        except ImportError:
            pass
        else:
            response = requests.get(url, stream=True, verify=verify_ssl, timeout=60)
            if response.status_code != 200:
                raise OSError(f"the server answered with status {response.status_code}")
            for step in (*response.history[1:], response):
                _refuse_downgrade(url, step.url)
            _write(url, response.iter_content(1 << 20), target)
            return
    context = None
    if url.startswith("https:") and not verify_ssl:
        import ssl

        context = ssl._create_unverified_context()
    with open_url(url, 60, context) as source:
        copy_answer(url, source, target)


def open_url(url: str, timeout: float, context: Any = None, headers: Mapping[str, str] = MappingProxyType({})) -> Any:
    """What ``urlopen`` gives; an encrypted address must not lead to one that is not, not even on the way."""
    request = urllib.request.Request(url, headers=dict(headers))
    answer = urllib.request.urlopen(request, timeout=timeout, context=context)
    try:
        for step in (*getattr(request, "redirect_dict", ()), answer.geturl()):
            _refuse_downgrade(url, step)
    except BaseException:
        answer.close()
        raise
    return answer


def copy_answer(url: str, answer: Any, target: BinaryIO) -> None:
    """Writes what a server sends to a file; a connection that ends early, which Python lets pass, is an error."""
    wanted = answer.headers.get("Content-Length")
    done = _write(url, iter(lambda: answer.read(1 << 20), b""), target)
    if wanted is not None and wanted.isdigit() and done < int(wanted):
        raise OSError(f"the connection ended after {done} of {wanted} bytes")


def _write(url: str, blocks: Iterable[bytes], target: BinaryIO) -> int:
    """Writes blocks to a file, as many as a download may have, and returns how many bytes they were."""
    most, done = config.DOWNLOAD_MAX_BYTES.get(), 0
    for block in blocks:
        done += len(block)
        if done > most:
            raise MXNetFileError(f"{url} sends more than {most} bytes; MXNET_DOWNLOAD_MAX_BYTES may allow more")
        target.write(block)
    return done


def _refuse_downgrade(url: str, sent_to: str) -> None:
    """Refuses what an encrypted address sends its readers to that is not: anybody on the way could change it."""
    if url.startswith("https:") and sent_to and not sent_to.startswith("https:"):
        raise ValueError(f"{url} redirects to {sent_to}, which is not encrypted")


# ---- small things ----------------------------------------------------------------------------------------------------


class HookHandle:
    """What registering a hook gives: ``detach()`` removes the hook; usable in ``with``."""

    def __init__(self) -> None:
        self._hooks: Any = None
        self._id: int | None = None

    def attach(self, hooks_dict: dict[int, Callable], hook: Callable) -> None:
        """Puts a hook into a dict of hooks."""
        if self._hooks is not None:
            raise MXNetAssertionError("The same handle cannot be attached twice.")
        self._id = id(hook)
        hooks_dict[self._id] = hook
        self._hooks = weakref.ref(hooks_dict)

    def detach(self) -> None:
        """Takes the hook out again."""
        hooks = self._hooks() if self._hooks is not None else None
        if hooks is not None:
            hooks.pop(self._id, None)

    def __enter__(self) -> HookHandle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.detach()

    def __getstate__(self) -> tuple[Any, int | None]:
        return (self._hooks() if self._hooks is not None else None), self._id

    def __setstate__(self, state: tuple[object, int | None]) -> None:
        hooks, self._id = state
        self._hooks = None if hooks is None else weakref.ref(hooks)


def shape_is_known(shape: tuple[int, ...]) -> bool:
    """Are all dimensions of a shape known? In np-shape semantics -1 is an unknown one, else 0."""
    if shape is None:
        return False
    unknown = -1 if is_np_shape() else 0
    if not len(shape):
        return is_np_shape()
    for size in shape:
        if size == unknown:
            return False
        if size < unknown:
            raise MXNetAssertionError(f"shape dimension size cannot be less than {unknown}, while received {size}")
    return True


def as_tuple(value: Any, length: int, what: str) -> tuple[int, ...]:
    """A number repeated, or a tuple of that length unchanged."""
    if isinstance(value, int | np.integer):
        return (int(value),) * length
    found = tuple(value)
    if len(found) != length:
        raise MXNetAssertionError(f"{what} must be a number or {length} of them, got {value!r}")
    return found
