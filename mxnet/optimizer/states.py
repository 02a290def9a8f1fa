"""Reading optimizer states. Files of them are pickles, and a pickle may ask for anything to be called.

Here it may ask only for what such files consist of: arrays, optimizers, schedulers, NumPy values and plain containers.
"""

from __future__ import annotations

import importlib
import io
import pickle
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from ..context import Context
from ..error import MXNetError
from ..lr_scheduler import LRScheduler
from ..ndarray import NDArray
from .base import Optimizer

__all__ = ["read_optimizer", "read_states"]

_ARRAYS = {
    ("mxnet.ndarray.ndarray", "NDArray"),
    ("mxnet.ndarray", "NDArray"),
    # read as dense arrays
    ("mxnet.ndarray.sparse", "RowSparseNDArray"),
    ("mxnet.ndarray.sparse", "CSRNDArray"),
}
_HOMES = ("mxnet.optimizer.optimizer", "mxnet.optimizer", "mxnet.optimizer.contrib", "mxnet.lr_scheduler")
_BUILTINS = {"bytearray": bytearray, "set": set, "frozenset": frozenset, "object": object}
_NUMPY_MODULES = ("numpy.core.multiarray", "numpy._core.multiarray")
_multiarray = importlib.import_module(_NUMPY_MODULES[np.lib.NumpyVersion(np.__version__) >= "2.0.0"])


def _encode(text: str, encoding: str) -> bytes:
    """How old pickles hold bytes."""
    if encoding not in ("latin1", "latin-1"):
        raise pickle.UnpicklingError(f"text in the unexpected encoding {encoding!r}")
    return text.encode("latin-1")


def _reconstructor(maker: Any, base: Any, state: Any) -> Any:
    """How the oldest pickles make an object."""
    if base is not object or state is not None or not isinstance(maker, type):
        raise pickle.UnpicklingError("an object that is not made from scratch")
    return maker()


def _maker(new: Callable[[], Any]) -> type:
    """Stands for a class: it makes empty instances, and the class itself stays out of the reach of the file."""
    return type("Maker", (), {"__new__": lambda cls, *arguments: new()})


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _ARRAYS:
            return _maker(lambda: NDArray(None))
        if module in ("builtins", "__builtin__") and name in _BUILTINS:
            return _BUILTINS[name]
        if (module, name) == ("_codecs", "encode"):
            return _encode
        if (module, name) in (("copyreg", "_reconstructor"), ("copy_reg", "_reconstructor")):
            return _reconstructor
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("mxnet.context", "Context"):
            return lambda kind, number=0: Context(kind, number)
        found = _numpy(module, name) or self._known_class(module, name)
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name}, which has no place in optimizer states")
        return found

    @staticmethod
    def _known_class(module: str, name: str) -> Any:
        """Optimizers and schedulers: of this package, or of the program if it has defined them already."""
        if module in _HOMES:
            importlib.import_module(module)
        found = getattr(sys.modules.get(module), name, None)
        if isinstance(found, type) and issubclass(found, Optimizer | LRScheduler):
            return _maker(lambda: found.__new__(found))
        return None


def _numpy(module: str, name: str) -> Any:
    if module in _NUMPY_MODULES and name in ("_reconstruct", "scalar"):
        return getattr(_multiarray, name)
    if module == "numpy":
        found = getattr(np, name, None) if name in ("ndarray", "dtype") else np.sctypeDict.get(name)
        return found if isinstance(found, type) else None
    return None


def _loads(data: Any) -> Any:
    if not isinstance(data, bytes | bytearray | memoryview):
        raise MXNetError(f"optimizer states are bytes, got {type(data).__name__}")
    try:
        return _Unpickler(io.BytesIO(data), encoding="latin1").load()
    except MXNetError:
        raise
    except pickle.UnpicklingError as error:
        raise MXNetError(f"cannot read optimizer states, found {error}") from error
    except Exception as error:  # a damaged pickle may raise anything
        raise MXNetError(f"cannot read optimizer states: {type(error).__name__}: {error}") from error


def _is_state(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_state, value))
    if isinstance(value, dict):
        return all(map(_is_state, value.values()))
    return value is None or isinstance(value, NDArray | np.ndarray | np.generic | int | float | str)


def read_states(data: Any) -> tuple[dict[Any, Any], Optimizer | None]:
    """The states by index and, if it was saved with them, the optimizer, from what ``Updater.get_states`` gave."""
    found = _loads(data)
    optimizer = None
    if isinstance(found, tuple) and len(found) == 2:
        found, optimizer = found
        if not isinstance(optimizer, Optimizer):
            raise MXNetError(f"cannot read optimizer states: found {type(optimizer).__name__} in place of an optimizer")
    if not isinstance(found, dict) or not all(map(_is_state, found.values())):
        raise MXNetError("cannot read optimizer states: expected a dict from index to arrays")
    return found, optimizer


def read_optimizer(data: Any) -> Optimizer:
    """The optimizer that ``pickle.dumps`` made bytes of."""
    found = _loads(data)
    if not isinstance(found, Optimizer):
        raise MXNetError(f"cannot read an optimizer: found {type(found).__name__}")
    return found
