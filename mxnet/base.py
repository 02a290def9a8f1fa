"""What everything else stands on: the error type, np-shape semantics, the data directory."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np

from .error import MXNetError, register_error

__all__ = ["MXNetError", "NotImplementedForSymbol", "NotSupportedForSparseNDArray", "data_dir", "register_error"]

string_types = (str,)
numeric_types = (float, int, np.generic)
integer_types = (int, np.integer)


class _NullType:
    """The default of operator arguments that were not given; never equal to a value."""

    def __repr__(self) -> str:
        return "_Null"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self):
        return "_Null"


_Null = _NullType()


class NotImplementedForSymbol(MXNetError, NotImplementedError):
    """An NDArray function that has no symbolic meaning was called on a Symbol."""

    def __init__(self, function, alias=None, *args):
        name = getattr(function, "__name__", function)
        text = f"Function {name}" + (f" (namely operator {alias!r})" if alias else "")
        super().__init__(f"{text} is not implemented for Symbol and only available in NDArray.")


class NotSupportedForSparseNDArray(MXNetError, NotImplementedError):
    """An NDArray function that dense arrays have and sparse ones do not."""

    def __init__(self, function, alias=None, *args):
        name = getattr(function, "__name__", function)
        text = f"Function {name}" + (f" (namely operator {alias!r})" if alias else "")
        super().__init__(f"{text} is not supported for sparse NDArray and only available in NDArray.")


class _NumpyMode(threading.local):
    """Per thread: do shapes and arrays follow NumPy (zero-dim and zero-size known) or classic MXNet?"""

    shape = False
    array = False


numpy_mode = _NumpyMode()


def data_dir_default() -> str:
    """The data directory when ``MXNET_HOME`` is not set."""
    return str(Path.home() / ".mxnet") if os.name != "nt" else str(Path(os.environ["APPDATA"]) / "mxnet")


def data_dir() -> str:
    """The directory for data sets and models: ``MXNET_HOME``, or ``~/.mxnet``."""
    return os.environ.get("MXNET_HOME", data_dir_default())


def classproperty(function):
    """A read-only property of a class."""

    class _ClassProperty:
        def __get__(self, instance, owner):
            return function(owner)

    return _ClassProperty()
