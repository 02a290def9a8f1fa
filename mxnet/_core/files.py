"""Reading and writing files: atomically on local disks, and through fsspec anywhere else (``s3://``, ``hdfs://``)."""

from __future__ import annotations

import errno
import io
import os
import shutil
import stat
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, BinaryIO

from ..error import MXNetError, MXNetFileError, MXNetFileNotFoundError, MXNetTypeError, MXNetValueError
from . import config
from .literals import shorten
from .temporaries import create, fcntl, path_to_read, rename_all

__all__ = [
    "copy_at_most",
    "leads_out",
    "most_unpacked",
    "path_name",
    "read_text",
    "reading",
    "writing",
    "writing_together",
]


def path_name(path: object) -> str:
    """A path as text; anything but text and ``os.PathLike`` is refused."""
    if isinstance(path, os.PathLike):
        path = os.fsdecode(path)
    if not isinstance(path, str):
        raise MXNetTypeError(f"fname required to be a string, got {type(path).__name__}")
    if "\0" in path:
        raise MXNetFileError(f"a file name cannot have a NUL in it: {shorten(path, 200)}")
    return path


@contextmanager
def reading(path: object) -> Iterator[tuple[BinaryIO, int]]:
    """``with reading(path) as (stream, size):`` opens a file, local or remote."""
    name = path_name(path)
    try:
        if "://" in name:
            filesystem, place = _remote(name)
            with filesystem.open(place, "rb", block_size=16 << 20) as stream:
                if stream.size is None:
                    content = stream.read()
                    yield io.BytesIO(content), len(content)
                else:
                    yield stream, stream.size
        else:
            with open(path_to_read(name), "rb", buffering=1 << 16) as stream:
                info = os.fstat(stream.fileno())
                if stat.S_ISREG(info.st_mode):
                    yield stream, info.st_size
                else:
                    content = stream.read()
                    yield io.BytesIO(content), len(content)
    except OSError as error:
        if isinstance(error, MXNetError):
            raise
        raise file_error("read", name, error) from error


def read_text(path: object, encoding: str = "utf-8") -> str:
    """All text of a file; one that is not text is refused, with the offset of the first wrong byte."""
    with reading(path) as (stream, _):
        content = stream.read()
    try:
        return content.decode(encoding)
    except UnicodeError as error:
        raise MXNetFileError(f"{path}: byte {getattr(error, 'start', 0)} is not {encoding} text") from None
    except LookupError as error:
        raise MXNetValueError(f"{path}: {error}") from None


def kind_of_file(begin: bytes) -> str:
    """What a file is that should be another one, by its first 8 bytes, for messages; '' if unknown."""
    start = begin.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for kind, beginnings in _KINDS.items():
        if start.startswith(beginnings):
            return kind
    return ""


#: What is found in the place of files that were fetched, or were given by mistake.
_KINDS = {
    "an HTML page (the answer of a server that does not have the file?)": (b"<!doct", b"<html", b"<head", b"<?xml"),
    "the pointer to a file that Git LFS keeps (git lfs pull fetches it)": (b"version",),
    "a ZIP archive (of torch, or to be unpacked)": (b"pk\x03\x04",),
    "a compressed file (to be unpacked: gunzip)": (b"\x1f\x8b",),
    "a NumPy array (numpy.load reads it)": (b"\x93numpy",),
    "a JSON text, such as a symbol (mx.sym.load reads it)": (b"{",),
}


def leads_out(root: str, path: str) -> bool:
    """Does the path of a list lead out of the root that its user has given? Links below the root are followed."""
    if "\0" in path or "://" in path:
        return True
    if "://" in root:
        return os.path.isabs(path) or os.path.normpath(path).split(os.sep)[0] == os.pardir
    top = os.path.abspath(root)
    return os.path.commonpath([top, os.path.abspath(os.path.join(top, path))]) != top


def most_unpacked(size: int) -> int:
    """How many bytes are taken at most out of an archive or a compressed file of a size.

    Datasets shrink to a third or a fifth; some kilobytes that become gigabytes are an attack, or better unpacked
    beforehand by the caller.
    """
    return (64 << 20) + 10 * size


def copy_at_most(source: Any, target: BinaryIO, limit: int, what: str) -> int:
    """Copies a stream to another one, and refuses one that has more than so many bytes; how many there were."""
    done = 0
    while block := source.read(1 << 20):
        done += len(block)
        if done > limit:
            raise MXNetFileError(f"{what} unpacks to more than {limit} bytes, which is too much for its size")
        target.write(block)
    return done


@contextmanager
def naming_the_file(action: str, name: str) -> Iterator[None]:
    """Makes errors of the system ours, with the name of the file."""
    try:
        yield
    except OSError as error:
        if isinstance(error, MXNetError):
            raise
        raise file_error(action, name, error) from error


def file_error(action: str, name: str, error: OSError) -> MXNetFileError:
    """Converts a system error to ours; a missing file keeps a type of its own."""
    kind = MXNetFileNotFoundError if isinstance(error, FileNotFoundError) else MXNetFileError
    return kind(f"cannot {action} {shorten(name, 1000)}: {error.strerror or error}")


# ---- writing --------------------------------------------------------------------------------------------------------


@contextmanager
def writing(path: object, size: int = 0) -> Iterator[BinaryIO]:
    """``with writing(path) as stream:`` writes a file that appears whole at the end, or not at all.

    The file is written under a temporary name and replaces an older one in one step, also if the process is killed.
    ``Replacement`` says which files are written in place instead. A large file is written faster if its exact ``size``
    in bytes is given.
    """
    name = path_name(path)
    if (device := open_device(name)) is not None:
        with naming_the_file("write", name), open(device, "wb") as stream:
            yield stream
        return
    file = new_file(name)
    try:
        with naming_the_file("write", name):
            file.reserve(size)
            with os.fdopen(file.handle, "wb", buffering=1 << 16, closefd=False) as stream:
                yield stream
        file.complete(sync=_wants_sync())
        put_in_place(file)
    except BaseException:
        file.discard()
        raise


@contextmanager
def writing_together() -> Iterator[None]:
    """Files that are written in this block belong together: all of them appear at its end, or none.

    Nothing of them can be read before. A block within a block is part of it. If the process is killed while the files
    are renamed, the next reader or writer of one of them finishes the job; this needs the files to be in one directory.
    Uploads (``s3://``) are made one after the other, before files on disks are replaced.
    """
    if _set.get() is not None:
        yield
        return
    files: list[Replacement | Upload] = []
    token = _set.set(files)
    try:
        try:
            yield
        finally:
            _set.reset(token)
        _publish(files)
    finally:
        for file in files:
            file.discard()


#: The files to be published at the end of the ``writing_together`` that is being run.
_set: ContextVar[list[Replacement | Upload] | None] = ContextVar("files written together", default=None)


def put_in_place(file: Replacement | Upload) -> None:
    """Publishes a complete file: now, or with the others of its set."""
    files = _set.get()
    if files is None:
        _publish([file])
        file.discard()
        return
    for former in [f for f in files if f.target == file.target]:  # written twice: the last one counts
        former.discard()
        files.remove(former)
    files.append(file)


def _publish(files: Sequence[Replacement | Upload]) -> None:
    # What may fail is done first; a rename hardly ever fails.
    renames = []
    for file in files:
        if isinstance(file, Replacement) and file.renamed:
            renames.append(file)
        else:
            file.publish()
    if renames:
        by_path = {file.temporary: file for file in renames}
        pairs = [(file.temporary, file.target) for file in renames]
        with naming_the_file("write", renames[0].name):
            rename_all(pairs, lambda temporary: by_path[temporary].publish(), _wants_sync())


def _wants_sync() -> bool:
    return config.SAVE_SYNC.get()


def new_file(name: str) -> Replacement | Upload:
    """A file to be written: on this machine, or elsewhere."""
    return Upload(name) if "://" in name else Replacement(name)


def open_device(name: str) -> int | None:
    """A device or a pipe, opened: there is nothing to replace."""
    if "://" in name:
        return None
    with naming_the_file("write", name):
        try:
            kind = os.stat(name).st_mode
        except FileNotFoundError:
            return None
        return None if stat.S_ISREG(kind) else os.open(name, os.O_WRONLY)


class Replacement:
    """A file on a disk that is being written: ``handle``, then ``complete()``, ``publish()`` and ``discard()``.

    A symbolic link stays, what it points to is replaced. Mode, owner, group, access control list and extended
    attributes are those of the older file, where the system permits it; if not, or if the older file has further names
    (hard links), which keep its content, there is a warning.

    Some files are overwritten in place, which a kill can interrupt: an empty file that this process has open
    (``NamedTemporaryFile``: its owner reads what was saved), and, with a warning, one that cannot be replaced,
    because it is a mount point or nothing may be created in its directory.
    """

    def __init__(self, name: str):
        self.name = name
        self.target = os.path.realpath(name) if os.path.islink(name) else os.path.abspath(name)
        self.temporary = ""
        with naming_the_file("write", name):
            if not os.path.basename(name):
                code = errno.EISDIR if name else errno.ENOENT
                raise OSError(code, os.strerror(code))
            try:
                old = os.stat(self.target)
            except FileNotFoundError:
                old = None
            if old is not None and not os.access(self.target, os.W_OK):  # a read-only file is meant to stay
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            self.renamed = old is None or old.st_size > 0 or not _is_open_here(old)
            try:
                self.handle, self.temporary = create(self.target, 0o666 if old is None else 0o600)
            except OSError as error:
                if old is None or error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                    raise
                self.renamed = False  # the file may be written to, but nothing may be created beside it
                with tempfile.TemporaryFile() as stream:
                    self.handle = os.dup(stream.fileno())
        self._open = True

    def reserve(self, size: int) -> None:
        """Makes room for a file whose size is known."""
        if size >= _LARGE and hasattr(os, "posix_fallocate"):
            os.posix_fallocate(self.handle, 0, size)

    def complete(self, sync: bool) -> None:
        """Gives the file the attributes of the one it replaces; with ``sync`` it is on the disk after that."""
        with naming_the_file("write", self.name):
            if self.renamed:
                _keep_attributes(self.handle, self.target)
            if sync:
                os.fsync(self.handle)

    def publish(self) -> None:
        """Puts the complete file in its place."""
        with naming_the_file("write", self.name):
            if self.renamed:
                if fcntl is None:  # Windows renames no open file
                    os.close(self.handle)
                    self._open = False
                try:
                    os.replace(self.temporary, self.target)
                    self.temporary = ""
                    return
                except OSError as error:
                    codes = (errno.EBUSY, errno.EPERM, errno.EACCES)
                    if error.errno not in codes or not os.access(self.target, os.W_OK):
                        raise
            self._overwrite()

    def _overwrite(self) -> None:
        with open(self.temporary if self.temporary else os.dup(self.handle), "rb") as written:
            written.seek(0)
            size = os.fstat(written.fileno()).st_size
            file = os.open(self.target, os.O_WRONLY | getattr(os, "O_BINARY", 0))
            with open(file, "wb") as stream:
                old = os.fstat(file).st_size
                if old:
                    _warn(f"{self.name!r} cannot be replaced, only overwritten: do not interrupt it")
                    # The smaller evil would be a file that ends early: it must not be a mixture of old and new.
                    room = os.statvfs(self.target) if hasattr(os, "statvfs") else None
                    if room is not None and room.f_bavail * room.f_frsize < size - old:
                        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                    os.ftruncate(file, 0)
                try:
                    shutil.copyfileobj(written, stream, _LARGE)
                    stream.flush()
                except BaseException:
                    if not old:
                        os.ftruncate(file, 0)
                    raise

    def discard(self) -> None:
        """Closes the file, and removes it unless it is in its place."""
        if self.temporary:
            with suppress(FileNotFoundError):
                os.unlink(self.temporary)
            self.temporary = ""
        if self._open:
            self._open = False
            os.close(self.handle)


class Upload:
    """A file that is being written here, to be uploaded through fsspec when it is complete."""

    def __init__(self, name: str):
        self.name = self.target = name
        self._filesystem, self._place = _remote(name)
        with naming_the_file("write", name):
            self._file = tempfile.NamedTemporaryFile(prefix="mxnet-", suffix=".tmp")
        self.handle = self._file.fileno()

    def reserve(self, size: int) -> None:
        """Nothing: the other side makes room."""

    def complete(self, sync: bool) -> None:
        """Nothing: uploading makes it last."""

    def publish(self) -> None:
        """Uploads the file."""
        with naming_the_file("write", self.name):
            self._filesystem.put_file(self._file.name, self._place)

    def discard(self) -> None:
        """Removes what is here."""
        self._file.close()


_LARGE = 1 << 20


def _warn(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=2)


def _keep_attributes(handle: int, target: str) -> None:
    """Gives an open file the mode, owner, group and extended attributes of another one, if there is that."""
    try:
        old = os.stat(target)
    except FileNotFoundError:
        return
    lost = []
    if hasattr(os, "fchown"):
        new = os.fstat(handle)
        for what, ours, theirs, owner in (
            ("group", new.st_gid, old.st_gid, (-1, old.st_gid)),
            ("owner", new.st_uid, old.st_uid, (old.st_uid, -1)),
        ):
            if ours != theirs:
                try:
                    os.fchown(handle, *owner)
                except OSError:
                    lost.append(what)
        mode = stat.S_IMODE(old.st_mode)
        if "group" in lost:  # what one group was permitted is not for another
            mode = mode & 0o707 | (mode & 0o7) << 3
        os.fchmod(handle, mode & 0o777 if lost else mode)
    if hasattr(os, "listxattr"):
        try:
            names = os.listxattr(target)
        except OSError:  # a file system without
            names = []
        for name in names:
            try:
                os.setxattr(handle, name, os.getxattr(target, name))
            except OSError:
                if not name.startswith("security."):  # those the system sets itself
                    lost.append(name)
    if lost:
        _warn(f"the {' and the '.join(lost)} of {target!r} could not be kept when the file was replaced")
    if old.st_nlink > 1:
        _warn(f"{target!r} has {old.st_nlink} names (hard links); the others keep the older content")


def _is_open_here(wanted: os.stat_result) -> bool:
    """Whether this process has a file open; False where the system does not say."""
    try:
        handles = os.listdir("/dev/fd")
    except OSError:
        return False
    for handle in handles:
        with suppress(OSError):  # it was that of the list, or was closed meanwhile
            if os.path.samestat(os.fstat(int(handle)), wanted):
                return True
    return False


def _remote(name: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError as error:
        raise MXNetError(f"{name!r} needs the package fsspec, and for S3 also s3fs: pip install s3fs") from error
    try:
        return fsspec.core.url_to_fs(name)
    except (ImportError, ValueError) as error:
        raise MXNetError(f"cannot open {name!r}: {error}") from error
