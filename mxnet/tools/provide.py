"""Tells pip that there is an mxnet: ``python -m mxnet.tools.provide``, and undone by ``--remove``.

Packages that require ``mxnet`` would otherwise make pip install the original over the files of this one. What is
written is the description of an installed package (``mxnet-1.9.1.dist-info``) that requires mxnext and has no files of
its own. It has no ``RECORD``, by which a package says that another tool than pip looks after it: pip counts it as
installed, and refuses to replace or to uninstall it.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

__all__ = ["main", "provide", "list_provided", "remove"]

#: What the file INSTALLER says; pip shows it where it refuses to uninstall.
INSTALLER = "mxnext (python -m mxnet.tools.provide --remove)"
#: The version that is provided if none is asked for.
VERSION = "1.9.1"
#: What comes with mxnext and stays unchanged, whatever packages say of it.
_KEPT = ("numpy", "torch")
_NAME = re.compile(r"mxnet(-(mkl|native|cu\d{2,3}(mkl)?))?")
_RELEASE = re.compile(r"\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?")


class ProvideError(Exception):
    """What cannot be provided, and what to do."""


def site_directory() -> Path:
    """Where pip keeps the descriptions of installed packages: beside that of mxnext, if it has one."""
    for found in importlib.metadata.distributions(name="mxnext"):
        path = getattr(found, "_path", None)
        if path is not None and Path(path).suffix == ".dist-info":
            return Path(path).parent
    return Path(sysconfig.get_path("purelib"))


def _split(requirement: str) -> tuple[str, str]:
    """``mxnet-mkl==1.6.0`` as name and version."""
    name, _, version = requirement.replace(" ", "").partition("==")
    name, version = re.sub(r"[-_.]+", "-", name).lower(), version or VERSION
    if not _NAME.fullmatch(name):
        raise ProvideError(
            f"{requirement!r} cannot be provided: expected mxnet, mxnet-mkl, mxnet-native or mxnet-cu<version>, "
            "e.g. mxnet-cu112, and maybe a version, e.g. mxnet==1.8.0.post0"
        )
    if not _RELEASE.fullmatch(version):
        raise ProvideError(f"{version!r} in {requirement!r} is not a version: expected e.g. mxnet==1.8.0.post0")
    return name, version


def _descriptions(directory: Path, name: str = "") -> Iterator[Path]:
    """The descriptions of packages called mxnet..., or of the one with that name."""
    wanted = name.replace("-", "_")
    for path in sorted(directory.glob("mxnet*.dist-info")):
        found = path.name.partition("-")[0].lower()
        if found == wanted if wanted else _NAME.fullmatch(found.replace("_", "-")):
            yield path


def is_ours(path: Path) -> bool:
    """Was this description written by ``provide``?"""
    try:
        return (path / "INSTALLER").read_text(encoding="utf-8").startswith("mxnext")
    except OSError:
        return False


def list_provided(directory: Path | None = None) -> list[Path]:
    """The descriptions that ``provide`` has written."""
    return [path for path in _descriptions(directory or site_directory()) if is_ours(path)]


def provide(requirement: str = "mxnet", directory: Path | None = None) -> Path:
    """Writes the description of ``mxnet``, or of ``mxnet-mkl==1.6.0``, in place of an earlier one of that name."""
    name, version = _split(requirement)
    directory = directory or site_directory()
    earlier = list(_descriptions(directory, name))
    for path in earlier:
        if not is_ours(path):
            raise ProvideError(
                f"{path} belongs to the original, which lies in the same folder as mxnext. Uninstall both and install "
                f"mxnext again: pip uninstall -y {name} mxnext && pip install mxnext"
            )
    target = directory / f"{name.replace('-', '_')}-{version}.dist-info"
    files = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        "Summary: MXNet as mxnext provides it; written by python -m mxnet.tools.provide\nRequires-Dist: mxnext\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: mxnext\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "top_level.txt": "mxnet\n",
        "INSTALLER": f"{INSTALLER}\n",
    }
    try:
        workplace = Path(tempfile.mkdtemp(prefix=".mxnet-provide-", dir=directory))
        try:
            for file, text in files.items():
                (workplace / file).write_text(text, encoding="utf-8")
            workplace.chmod(0o755)
            for path in earlier:
                shutil.rmtree(path)
            os.replace(workplace, target)
        finally:
            shutil.rmtree(workplace, ignore_errors=True)
    except OSError as error:
        raise ProvideError(
            f"{target} cannot be written: {error}. Run this with the Python of an environment that you may write to"
        ) from error
    return target


def remove(directory: Path | None = None) -> list[Path]:
    """Deletes what ``provide`` has written, and returns what that was."""
    found = list_provided(directory)
    for path in found:
        shutil.rmtree(path)
    return found


def _expand_requirements(arguments: Sequence[str], within: tuple[Path, ...] = ()) -> Iterator[str]:
    """Requirements as pip takes them, those in files (``-r FILE``) one by one; other options of pip as they are.

    ``within`` are the files that lead to these arguments.
    """
    rest = iter(arguments)
    for argument in rest:
        if argument not in ("-r", "--requirement"):
            yield argument
            continue
        file = Path(next(rest, ""))
        if not file.is_file():
            raise ProvideError(f"there is no file {str(file)!r} with requirements, which -r is to name")
        if file.resolve() in within:
            raise ProvideError(f"{file} names itself by -r")
        for line in file.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
            line = re.sub(r"(^|\s)#.*", "", line).strip()
            if line.startswith(("-r ", "--requirement ")):
                yield from _expand_requirements(
                    ["-r", str(file.parent / line.partition(" ")[2].strip())], (*within, file.resolve())
                )
            elif line.startswith("-"):
                yield from line.split(maxsplit=1)
            elif line:
                yield line


def _name(requirement: str) -> str:
    """The name of the package that a requirement is for."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement.strip(), maxsplit=1)[0]).lower()


def _install(arguments: Sequence[str]) -> int:
    """Provides what packages require of mxnet, and installs them by pip, without bounds for what is there."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    wanted = list(_expand_requirements(arguments))
    asked = [text for text in wanted if _NAME.fullmatch(_name(text))]
    wanted = [text for text in wanted if text not in asked and _name(text) not in _KEPT]
    with tempfile.TemporaryDirectory() as directory:
        command = [*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", directory, *wanted]
        if wanted and subprocess.run(command).returncode:
            return 1
        wheels = sorted(str(path) for path in Path(directory).glob("*.whl"))
        needed = sorted({text for wheel in wheels for text in _requirements(wheel)})
        for text in (*asked, *(text for text in needed if _NAME.fullmatch(_name(text)))):
            version = re.search(r"==\s*([\w.]+)", text)
            name = _name(text)
            if version or not any(path.name.startswith(f"{name.replace('-', '_')}-") for path in list_provided()):
                print(f"provided: {provide(f'{name}=={version[1]}' if version else name).name}")
        needed = [text for text in needed if not _NAME.fullmatch(_name(text)) and _name(text) not in _KEPT]
        kept = [f"{name}=={importlib.metadata.version(name)}" for name in _KEPT]
        if needed and subprocess.run([*pip, "install", *needed, *kept]).returncode:
            return 1
        return subprocess.run([*pip, "install", "--no-deps", *wheels]).returncode if wheels else 0


def _requirements(wheel: str) -> Iterator[str]:
    """What a wheel requires, apart from its extras."""
    import zipfile
    from email.parser import Parser

    with zipfile.ZipFile(wheel) as opened:
        member = next(name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        text = opened.read(member).decode()
    for line in Parser().parsestr(text).get_all("Requires-Dist", []):
        if not re.match(r"\s*\w", line):  # pip would take it for an option
            raise ProvideError(f"{os.path.basename(wheel)} requires {line!r}, which is not the name of a package")
        if not re.search(r"\bextra\s*==", line):
            yield line


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        "provide", description="Tell pip that mxnext is mxnet, so that it does not install the original over it"
    )
    text = "mxnet (if none is given), mxnet-mkl, mxnet-cu112, ..., maybe with a version: mxnet==1.8.0.post0"
    parser.add_argument("names", nargs="*", metavar="name", help=text)
    parser.add_argument("--remove", action="store_true", help="undo it")
    text = "then let pip install these packages (or -r FILE) and what they require, without bounds for numpy and torch"
    parser.add_argument("--install", nargs=argparse.REMAINDER, metavar="package", help=text)
    options = parser.parse_args(argv)
    if options.remove and (options.names or options.install):
        parser.error("--remove takes nothing else: all that was provided goes")
    try:
        if options.remove:
            gone = remove()
            print("\n".join(f"removed {path}" for path in gone) or "nothing was provided")
            return 0
        for name in options.names or ([] if options.install else ["mxnet"]):
            path = provide(name)
            print(f"{path.name.removesuffix('.dist-info')} is provided by mxnext: {path}")
        return _install(options.install) if options.install else 0
    except (ProvideError, OSError) as error:
        print(f"provide: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
