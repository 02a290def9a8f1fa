"""Prints what is installed and what it can do, for bug reports: ``python -m mxnet.tools.diagnose``.

It also finds other copies of mxnet, and says how to fix each problem. If ``import mxnet`` itself fails, run this file
by its path: it needs nothing but the standard library to look around.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import platform
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

__all__ = ["main", "obstacles"]

#: What only the original brings into its folder.
_OF_THE_ORIGINAL = ("libmxnet.so", "libmxnet.dll", "libmxnet.dylib", "_ffi", "cython", "_ctypes", "VERSION")
_FIX = "pip uninstall -y {} && pip install --force-reinstall --no-deps mxnext && python -m mxnet.tools.provide"
_SHOWN = (
    *("mxnext", "torch", "numpy", "opencv-python-headless", "opencv-python", "tqdm", "onnx", "onnxruntime", "scipy"),
    *(
        "gluoncv",
        "gluonnlp",
        "gluonts",
        "sockeye",
        "keras-mxnet",
        "autogluon.core",
        "mxboard",
        "d2l",
        "d2lzh",
        "insightface",
    ),
)


def _distributions() -> Iterator[tuple[str, str, str]]:
    """Name, version and installer of whatever calls itself mxnet."""
    seen = set()
    for found in importlib.metadata.distributions():
        name = found.metadata["Name"] or ""
        if re.fullmatch(r"mxnet([-_.](mkl|native|cu\w+))?", name, re.IGNORECASE) and name not in seen:
            seen.add(name)
            yield name, found.version, (found.read_text("INSTALLER") or "").strip()


def _folders() -> list[Path]:
    """Every folder on Python's path that ``import mxnet`` could mean, the one that it does mean first."""
    found: list[Path] = []
    for entry in sys.path:
        folder = Path(entry or os.curdir).absolute() / "mxnet"
        if (folder / "__init__.py").is_file() and folder not in found:
            found.append(folder)
    spec = importlib.util.find_spec("mxnet")
    if spec is not None and spec.origin:
        first = Path(spec.origin).parent
        found = [first, *(folder for folder in found if folder != first)]
    return found


def obstacles() -> list[str]:
    """The problems found, each with how to fix it."""
    found = []
    originals = [name for name, _, installer in _distributions() if not installer.startswith("mxnext")]
    fix = _FIX.format(" ".join([*originals, "mxnext"]))
    if originals:
        names = ", ".join(originals)
        found.append(f"The original is installed too ({names}): it shares the folder mxnet with mxnext. {fix}")
    folders = _folders()
    for folder in folders:
        left = [name for name in _OF_THE_ORIGINAL if (folder / name).exists()]
        if left:
            remedy = fix if originals else f"Delete the folder {folder} and install mxnext again"
            found.append(f"Files of the original lie in {folder}: {', '.join(left)}. {remedy}")
    ours = [folder for folder in folders if _is_ours(folder)]
    if not ours:
        found.append(f"No folder mxnet on Python's path is that of mxnext. {fix}")
    elif folders[0] not in ours:
        found.append(f"import mxnet means {folders[0]}, which is not mxnext; that lies in {ours[0]}. {fix}")
    for folder in folders[1:]:
        if _is_source(folders[0]) and Path.cwd() == folders[0].parent:
            found.append(f"In this folder import mxnet means its source and not {folder}: go to another folder")
            continue
        found.append(f"There is a second folder of that name, {folder}, which {folders[0]} hides: delete one of them")
    return found


def _is_source(folder: Path) -> bool:
    """Is it the package in a checkout?"""
    return (folder.parent / "setup.py").is_file()


def _is_ours(folder: Path) -> bool:
    try:
        return "mxnext_version" in (folder / "__init__.py").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def _versions() -> dict[str, str]:
    found = {}
    for name in _SHOWN:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _abilities() -> dict[str, object]:
    """What only the package itself can report."""
    import mxnet as mx
    from mxnet import compat, native
    from mxnet._core import config
    from mxnet.native import allocator

    gpus = mx.num_gpus()
    return {
        "mxnet": f"{mx.__version__} (mxnext {mx.mxnext_version}) in {os.path.dirname(mx.__file__)}",
        "devices": ", ".join(["cpu", *(f"gpu({i})" for i in range(gpus))]) + ("" if gpus else "; no CUDA device"),
        "features": " ".join(feature.name for feature in mx.runtime.feature_list() if feature.enabled),
        "kernels": ", ".join(f"{key} {value}" for key, value in native.info().items()),
        "memory": f"memory pool {allocator.install_pool()}",
        "compat": ", ".join(compat.PACKAGES) if config.COMPAT.get() else "off (MXNET_COMPAT=0)",
        "settings": {s.name: f"{s.value}{_no_effect(s)}" for s in mx.runtime.settings() if s.value != s.default},
    }


def _warnings() -> list[str]:
    """What works, but slower than it could."""
    from mxnet import native
    from mxnet._core import config

    if native.loaded() is not None or not config.NATIVE.get():
        return []
    build = "run python setup.py build_ext --inplace" if _is_source(_folders()[0]) else "reinstall"
    return [f"no native kernels: prediction is about 1.4x slower; install gcc and {build}"]


def _no_effect(setting: Any) -> str:
    return f" (no effect: {setting.help})" if setting.group == "no effect" else ""


def _environment() -> dict[str, str]:
    """Variables as they are, known or not, but no secrets: people send this to others."""
    names = sorted(name for name in os.environ if re.match("MXNET_|OMP_|DMLC_|PS_", name))
    return {name: "***" if name.endswith("TOKEN") else os.environ[name] for name in names}


def collect() -> dict[str, object]:
    """All that is printed, as a dict."""
    report: dict[str, object] = {
        "system": f"{platform.platform()}, {os.cpu_count()} processors",
        "python": f"{platform.python_version()} {sys.executable}",
        "packages": _versions(),
        "provided": [f"{name} {version}" for name, version, by in _distributions() if by.startswith("mxnext")],
        "environment": _environment(),
        "obstacles": obstacles(),
    }
    try:
        report.update(_abilities())
        report["warnings"] = _warnings()
    except Exception as error:  # whatever is broken is the finding
        report["import mxnet"] = f"fails: {type(error).__name__}: {error}"
    return report


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; 1 if it found a problem."""
    import argparse

    parser = argparse.ArgumentParser("diagnose", description="Print what is installed and what is in its way")
    parser.add_argument("--json", action="store_true", help="as JSON")
    options = parser.parse_args(argv)
    report = collect()
    bad = report["obstacles"] or "import mxnet" in report
    if options.json:
        print(json.dumps(report, indent=2))
        return 1 if bad else 0
    found, warnings = report.pop("obstacles"), report.pop("warnings", [])
    for key, value in report.items():
        if isinstance(value, dict):
            value = ", ".join(f"{name} {what}" for name, what in value.items())
        elif isinstance(value, list):
            value = ", ".join(value)
        print(f"{key + ':':14}{value or 'nothing'}")
    assert isinstance(found, list) and isinstance(warnings, list)
    for title, texts in (("Problems:", found), ("Slower than necessary:", warnings)):
        if texts:
            print("\n".join(["", title, *(f"- {text}" for text in texts)]))
    if not bad and not warnings:
        print("\nNo problems found.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
