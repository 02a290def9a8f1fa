"""Switches between classic and NumPy semantics, environment variables and facts about GPUs."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable
from typing import Any

from ._core.files import writing_together
from .base import numpy_mode
from .context import Context, gpu_memory_info, num_gpus
from .error import MXNetTypeError, MXNetValueError

__all__ = [
    "check",
    "get_cuda_compute_capability",
    "get_gpu_count",
    "get_gpu_memory",
    "getenv",
    "is_np_array",
    "is_np_shape",
    "makedirs",
    "np_array",
    "np_shape",
    "np_ufunc_legal_option",
    "reset_np",
    "set_module",
    "set_np",
    "set_np_shape",
    "setenv",
    "use_np",
    "use_np_array",
    "use_np_shape",
    "wrap_np_binary_func",
    "wrap_np_unary_func",
    "writing_together",
]


def makedirs(d: str) -> None:
    """Creates a directory and those above it, if they do not exist."""
    os.makedirs(os.path.expanduser(d), exist_ok=True)


# ---- np-shape and np-array semantics ---------------------------------------------------------------------------------


def is_np_shape() -> bool:
    """Are shapes () and (0,) real, as in NumPy, rather than unknown, as in classic MXNet?"""
    return numpy_mode.shape


def set_np_shape(active: bool) -> bool:
    """Turns np-shape semantics on or off for this thread and returns what it was. Prefer ``with np_shape():``."""
    if not isinstance(active, bool | int):
        raise MXNetTypeError(f"active must be a bool, got {active!r}")
    if numpy_mode.array and not active:
        raise MXNetValueError(
            "Deactivating NumPy shape semantics while NumPy array semantics is still active is not allowed. Please "
            "consider calling `npx.reset_np()` to deactivate both of them."
        )
    before, numpy_mode.shape = numpy_mode.shape, bool(active)
    return before


def is_np_array() -> bool:
    """Do functions of Gluon take and give ``mx.np`` arrays?"""
    return numpy_mode.array


def _set_np_array(active: bool) -> bool:
    before, numpy_mode.array = numpy_mode.array, bool(active)
    return before


class _Scope:
    """A ``with`` block that sets one switch; also a decorator."""

    def __init__(self, switch: Callable[[bool], bool], active: bool):
        self._switch, self._active = switch, active
        self._before: list[bool] = []

    def __enter__(self) -> None:
        self._before.append(self._switch(self._active))

    def __exit__(self, *exception: object) -> None:
        self._switch(self._before.pop())


def np_shape(active: bool = True) -> _Scope:
    """``with np_shape():`` shapes () and (0,) are real, as in NumPy."""
    return _Scope(set_np_shape, active)


def np_array(active: bool = True) -> _Scope:
    """``with np_array():`` functions of Gluon take and give ``mx.np`` arrays."""
    return _Scope(_set_np_array, active)


def _decorate(func: Any, scope: Callable[[], _Scope], name: str) -> Any:
    if inspect.isclass(func):
        for attribute, member in list(vars(func).items()):
            if inspect.isfunction(member):
                setattr(func, attribute, _decorate(member, scope, name))
            elif isinstance(member, property):
                parts = [
                    None if f is None else _decorate(f, scope, name) for f in (member.fget, member.fset, member.fdel)
                ]
                setattr(func, attribute, property(parts[0], parts[1], parts[2], member.__doc__))
        return func
    if not callable(func):
        raise MXNetTypeError(f"{name} can only decorate classes and callable objects, while received a {type(func)}")

    @functools.wraps(func)
    def inside(*args: object, **kwargs: object) -> Any:
        with scope():
            return func(*args, **kwargs)

    return inside


def use_np_shape(func: object) -> Any:
    """Decorator: a function, or all methods of a class, run with np-shape semantics."""
    return _decorate(func, np_shape, "use_np_shape")


def use_np_array(func: object) -> Any:
    """Decorator: a function, or all methods of a class, run with np-array semantics."""
    return _decorate(func, np_array, "use_np_array")


def use_np(func: object) -> Any:
    """Decorator: a function, or all methods of a class, run with NumPy semantics: shapes and arrays."""
    return use_np_shape(use_np_array(func))


def set_np(shape: bool = True, array: bool = True) -> None:
    """Turns NumPy semantics on in this thread: shapes () and (0,) are real, Gluon takes and gives ``mx.np`` arrays."""
    if array and not shape:
        raise MXNetValueError("NumPy Shape semantics is required in using NumPy array semantics.")
    if not array:
        _set_np_array(False)
    set_np_shape(shape)
    _set_np_array(array)


def reset_np() -> None:
    """Back to classic semantics."""
    set_np(shape=False, array=False)


def _sanity_check_params(func_name: str, unsupported_params: Iterable[str], param_dict: Iterable[str]) -> None:
    """Raises if one of the parameters that were given is one that a function does not support."""
    for name in unsupported_params:
        if name in param_dict:
            raise NotImplementedError(f"function {func_name} does not support parameter {name}")


#: Keywords of NumPy's ufuncs -> their values that the functions of mx.np accept, as text; None: names of dtypes.
UFUNC_OPTIONS = {
    "where": {"True"},
    "casting": {"same_kind"},
    "order": {"K"},
    "dtype": None,
    "subok": {"True"},
}


def np_ufunc_legal_option(key: str, value: object) -> bool:
    """Is this keyword of a NumPy ufunc one that the functions of mx.np accept?"""
    legal = UFUNC_OPTIONS.get(key, set())
    if legal is None:
        return str(value) in ("int8", "uint8", "int32", "int64", "float16", "float32", "float64")
    return str(value) in legal


def _checked_ufunc(func: Callable, inputs: int) -> Callable:
    @functools.wraps(func)
    def inside(*args: object, out: object = None, **kwargs: object) -> Any:
        if len(args) != inputs:
            raise MXNetTypeError(f"{func.__name__} takes {inputs} positional argument(s), {len(args)} were given")
        for key, value in kwargs.items():
            if not np_ufunc_legal_option(key, value):
                raise MXNetTypeError(f"{func.__name__} does not support {key}={value!r}")
        return func(*args, out=out)

    return inside


def wrap_np_unary_func(func: Callable) -> Callable:
    """Decorator: a function of one array that accepts, and checks, the keywords of NumPy's ufuncs."""
    return _checked_ufunc(func, 1)


def wrap_np_binary_func(func: Callable) -> Callable:
    """Decorator: a function of two arrays that accepts, and checks, the keywords of NumPy's ufuncs."""
    return _checked_ufunc(func, 2)


def set_module(module: str) -> Callable[[Any], Any]:
    """Decorator: says which module a function appears to be from."""

    def decorate(func: object) -> Any:
        if module is not None:
            func.__module__ = module
        return func

    return decorate


# ---- the process and its GPUs ----------------------------------------------------------------------------------------


def check(active: bool = True) -> bool:
    """Turns check mode on or off for the process, and returns what it was. ``MXNET_CHECK=1`` turns it on at import.

    In check mode these are errors that name the operator, the layer and the line that called it: labels and indices
    out of range, which MXNet clips or ignores; the first NaN or infinity, forward or backward; arrays that are written
    to between recording and ``backward``; loops over a symbol of one output; batches of other dtypes or numbers of
    dimensions than a block was hybridized with, and Python code in it that now does something else. Calls take several
    times as long; turned off, nothing is slower.
    """
    from ._checks import turn

    return turn(bool(active))


def getenv(name: str) -> str | None:
    """An environment variable, or None."""
    return os.environ.get(name)


def setenv(name: str, value: str | None) -> None:
    """Sets an environment variable; None removes it."""
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def get_gpu_count() -> int:
    """How many GPUs there are."""
    return num_gpus()


def get_gpu_memory(gpu_dev_id: int) -> tuple[int, int]:
    """Free and total memory of a GPU in bytes."""
    return gpu_memory_info(gpu_dev_id)


def get_cuda_compute_capability(ctx: Context) -> int:
    """The compute capability of a GPU, e.g. 80."""
    if not isinstance(ctx, Context) or not ctx.is_gpu:
        raise MXNetValueError(f"Expecting a gpu context to get cuda compute capability, while received ctx {ctx}")
    device = ctx.torch_device
    if device.type != "cuda":
        raise MXNetValueError(f"{ctx} is a virtual GPU on the host: it has no compute capability")
    import torch

    major, minor = torch.cuda.get_device_capability(device)
    return 10 * major + minor
