"""What everything else stands on: the error type, np-shape semantics, the data directory."""

from __future__ import annotations

import ctypes
import importlib
import inspect
import os
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._core import config
from .error import MXNetError, MXNetTypeError, register_error

__all__ = ["MXNetError", "NotImplementedForSymbol", "NotSupportedForSparseNDArray", "data_dir", "register_error"]


def claim_classes(module: dict[str, Any], names: Iterable[str]) -> None:
    """Gives the named classes of a module's ``globals()`` that module's name as their ``__module__``.

    Classes are printed and pickled by the name of the module that programs import them from, which is the module that
    has them in the original, and not by that of the file here.
    """
    for name in names:
        if isinstance(module[name], type):
            module[name].__module__ = module["__name__"]


string_types = (str,)
basestring, long = str, int
numeric_types = (float, int, np.generic)
integer_types = (int, np.integer)
mx_real_t = np.float32
mx_uint, mx_int, mx_int64, mx_float = ctypes.c_uint, ctypes.c_int, ctypes.c_int64, ctypes.c_float
mx_float_p, c_int_p = ctypes.POINTER(ctypes.c_float), ctypes.POINTER(ctypes.c_int)


class _NullType:
    """The default of operator arguments that were not given; never equal to a value."""

    def __repr__(self) -> str:
        return "_Null"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self):
        return "_Null"


_Null = _NullType()


def _as_list(obj: Any) -> list | tuple:
    """A list or tuple unchanged, anything else as a list of one."""
    return obj if isinstance(obj, list | tuple) else [obj]


def _flatten_list(nested_list: Iterable[Iterable[Any]]) -> list:
    """The members of the members of a list."""
    return [member for members in nested_list for member in members]


class NotImplementedForSymbol(MXNetError, NotImplementedError):
    """An NDArray function that has no symbolic meaning was called on a Symbol."""

    def __init__(self, function, alias=None, *args):
        name = getattr(function, "__name__", function)
        text = f"Function {name}" + (f" (namely operator {alias!r})" if alias else "")
        super().__init__(
            f"{text} is not implemented for Symbol and only available in NDArray. A Symbol stands for an array that is "
            "not there yet, as in hybrid_forward of a hybridized block: keep to operators of F; instead of if and "
            "while on its values use F.where, F.contrib.cond or F.contrib.while_loop, or leave the block unhybridized."
        )


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
    #: Do classic operators take arrays of mx.np? See ndarray/kinds.py.
    relaxed = False


numpy_mode = _NumpyMode()


def data_dir_default() -> str:
    """The data directory when ``MXNET_HOME`` is not set."""
    return str(Path.home() / ".mxnet") if os.name != "nt" else str(Path(os.environ["APPDATA"]) / "mxnet")


def data_dir() -> str:
    """The directory for datasets and models: ``MXNET_HOME``, or ``~/.mxnet``."""
    return data_dir_default() if (home := config.HOME.get()) is None else home


class _MXClassPropertyDescriptor:
    def __init__(self, fget: Any, fset: Any = None):
        self.fget, self.fset = fget, fset

    def __get__(self, obj: Any, klass: type | None = None) -> Any:
        return self.fget(type(obj) if klass is None else klass)

    def __set__(self, obj: Any, value: Any) -> None:
        cls = obj if isinstance(obj, type) else type(obj)
        if self.fset is None:
            raise MXNetError(f"{cls.__name__}.{self.fget.__name__} has no setter: it cannot be set to {value!r}")
        self.fset(cls, value)

    def setter(self, func: Any) -> _MXClassPropertyDescriptor:
        """Decorator: says how the property is set."""
        return _MXClassPropertyDescriptor(self.fget, _of_class(func))


class _MXClassPropertyMetaClass(type):
    """The type of classes whose class properties can be set: Python itself would replace them."""

    def __setattr__(cls, key: str, value: Any) -> None:
        found = next((vars(base)[key] for base in cls.__mro__ if key in vars(base)), None)
        if isinstance(found, _MXClassPropertyDescriptor):
            found.__set__(cls, value)
        else:
            super().__setattr__(key, value)


def _of_class(func: Any) -> Any:
    return func.__func__ if isinstance(func, classmethod | staticmethod) else func


def classproperty(func: Any) -> Any:
    """Decorator: a property of a class; one with a ``setter`` needs ``_MXClassPropertyMetaClass`` to be set."""
    return _MXClassPropertyDescriptor(_of_class(func))


class PerThread(metaclass=_MXClassPropertyMetaClass):
    """Something of which each thread has a current one: that of the innermost ``with``, outside of any a plain one."""

    _current: threading.local
    _plain: type

    def __init_subclass__(cls) -> None:
        if PerThread in cls.__bases__:
            cls._current, cls._plain = threading.local(), cls

    @classproperty
    def current(cls: Any) -> Any:
        """The one that holds in this thread."""
        if not hasattr(cls._current, "value"):
            cls._current.value, cls._current.outer = cls._plain(), []
        return cls._current.value

    @current.setter  # type: ignore[no-redef]
    def current(cls: Any, value: Any) -> None:
        if not isinstance(value, cls._plain):
            raise MXNetTypeError(f"{cls.__name__}.current must be a {cls._plain.__name__}, got {value!r}")
        if not hasattr(cls._current, "outer"):
            cls._current.outer = []
        cls._current.value = value

    def __enter__(self) -> Any:
        outer = type(self).current
        self._current.outer.append(outer)
        self._current.value = self
        return self

    def __exit__(self, *exception: Any) -> None:
        self._current.value = self._current.outer.pop()


def with_metaclass(meta: type, *bases: type) -> type:
    """A base class with a metaclass, as in the days of Python 2."""

    class _Meta(type):
        def __new__(cls, name: str, this_bases: Any, namespace: dict) -> type:
            return meta(name, bases, namespace)

        @classmethod
        def __prepare__(cls, name: str, this_bases: Any, /, **kwds: Any) -> Any:
            return meta.__prepare__(name, bases)

    return type.__new__(_Meta, "temporary_class", (), {})


# ---- what names of operators say -------------------------------------------------------------------------------------

_OP_NAME_PREFIX_LIST = ["_contrib_", "_linalg_", "_sparse_", "_image_", "_random_"]
_NP_OP_PREFIX, _NP_EXT_OP_PREFIX, _NP_INTERNAL_OP_PREFIX = "_np_", "_npx_", "_npi_"
_NP_OP_SUBMODULE_LIST, _NP_EXT_OP_SUBMODULE_LIST = ["_random_", "_linalg_"], ["_image_", "_random_"]
_NP_OUTPUT_IS_LIST_OPERATORS = {"_npi_split", "_npi_hsplit"}


def _get_op_name_prefix(op_name: str) -> str:
    """The prefix that says in which module an operator is, or an empty text."""
    return next((prefix for prefix in _OP_NAME_PREFIX_LIST if op_name.startswith(prefix)), "")


def _is_np_op(op_name: str) -> bool:
    """Does this operator belong to ``mx.np`` or ``mx.npx``?"""
    return op_name.startswith((_NP_OP_PREFIX, _NP_EXT_OP_PREFIX, _NP_INTERNAL_OP_PREFIX))


def _output_is_list(op_name: str) -> bool:
    """Does this operator of ``mx.np`` give a list, also of a single array?"""
    return op_name in _NP_OUTPUT_IS_LIST_OPERATORS


# ---- for code that talked to the C library ---------------------------------------------------------------------------
# MXNext has no C library. What only converts between Python and ctypes works; what needs its handles says so.


class MXCallbackList(ctypes.Structure):
    """A list of C callbacks."""

    _fields_ = (
        ("num_callbacks", ctypes.c_int),
        ("callbacks", ctypes.POINTER(ctypes.CFUNCTYPE(ctypes.c_int))),
        ("contexts", ctypes.POINTER(ctypes.c_void_p)),
    )


#: Functions that stand for some of the C library's.
_provided: dict[str, Any] = {}


def provide(name: str, function: Any) -> None:
    """Makes a function what ``_LIB`` has under this name."""
    _provided[name] = function


class _Library:
    """Stands for the C library: its functions exist by name and raise an error that says so when they are called."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in _provided:
            importlib.import_module("mxnet._c_functions")
        if name in _provided:
            return _provided[name]

        def absent(*args: Any) -> Any:
            raise NotImplementedError(f"_LIB.{name}: there is no C library behind this package")

        return absent


_LIB = _Library()
# The types of the C library's handles; an NDArray's own ``handle`` is its torch.Tensor.
for _kind in """CachedOp CudaKernel CudaModule DLPack DataIter DataIterCreator Executor Function KVStore NDArray Op
    Profile RecordIO Rtc Symbol""".split():
    globals()[f"{_kind}Handle"] = ctypes.c_void_p


def _load_lib() -> _Library:
    """What stands for the C library."""
    return _LIB


def _notify_shutdown() -> None:
    """The end of the process needs no preparation here."""


def check_call(ret: int) -> None:
    """Raises an error unless a C function returned 0."""
    if ret:
        raise MXNetError(f"a C function returned the error code {ret}")


def get_last_ffi_error() -> MXNetError:
    """Raises NotImplementedError: MXNext has no C library, and so no last error of it."""
    raise NotImplementedError("there is no C library behind this package: errors are raised where they occur")


def _valid_error_name(name: str) -> bool:
    """Can this be the name of an exception, such as ``ValueError`` or ``package.Error``?"""
    return all(char.isalnum() or char in "_." for char in name)


def _find_error_type(line: str) -> str | None:
    """The name of the exception that the first line of a message begins with, if it does."""
    name, colon, _ = line.partition(":")
    return name if colon and _valid_error_name(name) else None


def c2pyerror(err_msg: str) -> tuple[str, str | None]:
    """An error message and the name of the Python exception it begins with, if it does."""
    return err_msg, _find_error_type(err_msg.split("\n", 1)[0])


def c_str(string: str) -> Any:
    """Text as a C string."""
    return ctypes.c_char_p(string.encode())


def c_str_array(strings: Iterable[str]) -> Any:
    """Texts as a C array of strings."""
    encoded = [s.encode() for s in strings]
    return (ctypes.c_char_p * len(encoded))(*encoded)


def py_str(x: bytes | str) -> str:
    """A C string as text; text stays what it is."""
    return x if isinstance(x, str) else x.decode()


def c_array(ctype: Any, values: Sequence[Any]) -> Any:
    """Values as a C array of a type."""
    return (ctype * len(values))(*values)


def c_array_buf(ctype: Any, buf: Any) -> Any:
    """A C array of a type in the memory of an ``array.array``."""
    return (ctype * len(buf)).from_buffer(buf)


def c_handle_array(objs: Any) -> Any:
    """Raises NotImplementedError: MXNext has no C library, and so no handles of it."""
    raise NotImplementedError("there is no C library behind this package: NDArray.handle is a torch.Tensor")


def ctypes2buffer(cptr: Any, length: int) -> bytearray:
    """A copy of the memory at a C pointer to char."""
    if not isinstance(cptr, ctypes.POINTER(ctypes.c_char)):
        raise TypeError("expected char pointer")
    return bytearray(ctypes.string_at(cptr, length))


def ctypes2numpy_shared(cptr: Any, shape: Sequence[int]) -> np.ndarray:
    """The memory at a C pointer to float as a NumPy array."""
    if not isinstance(cptr, mx_float_p):
        raise RuntimeError("expected float pointer")
    return np.ctypeslib.as_array(cptr, tuple(shape))


def build_param_doc(
    arg_names: Sequence[str], arg_types: Sequence[str], arg_descs: Sequence[str], remove_dup: bool = True
) -> str:
    """The section "Parameters" of a docstring."""
    lines = ["Parameters", "----------"]
    seen: set[str] = set()
    for name, kind, description in zip(arg_names, arg_types, arg_descs, strict=True):
        if (name in seen and remove_dup) or name == "num_args":
            continue
        seen.add(name)
        lines.append(f"{name} : {kind}")
        if description:
            lines.append(f"    {description}")
    return "\n".join(lines) + "\n"


def add_fileline_to_docstring(module: Any, incursive: bool = True) -> None:
    """Appends to the docstring of each function of a module where it is defined."""
    if isinstance(module, str):
        import sys

        module = sys.modules[module]
    for _, member in inspect.getmembers(module):
        if inspect.isfunction(member) and member.__doc__ and member.__module__ == module.__name__:
            member.__doc__ += f"\n\nFrom:{inspect.getsourcefile(member)}:{inspect.getsourcelines(member)[1]}"
        elif inspect.isclass(member) and incursive and member.__module__ == module.__name__:
            for _, method in inspect.getmembers(member, inspect.isfunction):
                if method.__doc__ and method.__module__ == module.__name__:
                    method.__doc__ += f"\n\nFrom:{inspect.getsourcefile(method)}:{inspect.getsourcelines(method)[1]}"
