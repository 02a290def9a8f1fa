"""What is installed, and where: the version of the API and the files of compiled code."""

from __future__ import annotations

import pathlib
import sys

__all__ = ["__version__", "find_include_path", "find_lib_path"]

__version__: str = sys.modules[__package__].__version__
_NATIVE = pathlib.Path(__file__).parent / "native"


def find_lib_path(prefix: str = "") -> list[str]:
    """The files with this package's own compiled kernels; without them (see ``setup.py``) the list is empty.

    There is no ``libmxnet.so`` with MXNet's C interface: the engine is torch's.
    """
    return sorted(str(path) for path in _NATIVE.glob(f"{prefix}*") if path.suffix in (".so", ".pyd"))


def find_include_path() -> str:
    """The directory with the C sources of those kernels."""
    return str(_NATIVE)
