"""Kernels of our own in C, for the few places where torch's are far from what a processor can do.

They are made when the package is installed, if there is a C compiler, once for each set of instructions (setup.py).
Where it was not built, or with ``MXNET_NATIVE=0``, ``library()`` is None and operators use torch's kernels. ``info()``
says which ones are used. The threads of kernels, torch's as well, do not survive a fork: a child computes with one.
"""

from __future__ import annotations

import ctypes
import functools
import os
import re
import warnings
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import torch

from .._core import config
from .._core.tracing import is_traced
from .stamp import source_stamp

_SIZE, _INT, _DOUBLE = ctypes.c_int64, ctypes.c_int, ctypes.c_double


def _array(*dtypes: torch.dtype, dense: bool = True) -> type:
    """A parameter that is a tensor of such a type on the CPU, without gaps if ``dense``; or None for NULL."""
    names = " or ".join(str(dtype).removeprefix("torch.") for dtype in dtypes)

    class _Array:
        @classmethod
        def from_param(cls, value: torch.Tensor | None) -> ctypes.c_void_p | None:
            if value is None:
                return None
            if value.dtype not in dtypes or not value.is_cpu:
                raise TypeError(f"a kernel takes {names} arrays on the CPU, got {value.dtype} on {value.device}")
            if dense and not value.is_contiguous() and not _is_channels_last(value):
                raise TypeError(f"a kernel takes arrays without gaps, got strides {value.stride()} of {value.shape}")
            return ctypes.c_void_p(value.data_ptr())

    return _Array


def _is_channels_last(tensor: torch.Tensor) -> bool:
    layout = {4: torch.channels_last, 5: torch.channels_last_3d}.get(tensor.dim())
    return layout is not None and tensor.is_contiguous(memory_format=layout)


#: The types that labels may have, in the order of their numbers in C.
LABELS = torch.float32, torch.int64, torch.int32
_ARRAY, _LABEL, _BYTES = _array(torch.float32), _array(*LABELS), _array(torch.uint8)
_STATES, _REALS, _ANY = _array(torch.int32), _array(torch.float64), _array(torch.float32, torch.float64)
_INTEGERS = _array(torch.int32, torch.int64)
_STRIDED = _array(torch.float32, dense=False)  # the kernel takes the strides
_EIGHT, _SUMS = _array(torch.uint8, torch.int8), _array(torch.uint8, torch.int8, torch.int32)
_DOUBLES, _INDEX = _array(torch.float64), _array(torch.int64)
_SCALING = _INT, *[_DOUBLE] * 3, _INT
#: The parameters of each function.
_SIGNATURES = {
    "convolution": (*[ctypes.c_void_p] * 7, _INT),
    "convolution_pack": (_ARRAY, _ARRAY, *[_SIZE] * 3),
    "windows_of_channels": (*[ctypes.c_void_p] * 7, _INT),
    "batch_norm_forward": (*[_ARRAY] * 7, _SIZE, _SIZE, _DOUBLE, *[_INT] * 3),
    "batch_norm_backward": (*[_ARRAY] * 13, _SIZE, _SIZE, _DOUBLE, _DOUBLE, *[_INT] * 3),
    "cross_entropy_forward": (_ARRAY, _LABEL, _INT, _ARRAY, _ARRAY, _SIZE, _SIZE, _DOUBLE, _INT),
    "cross_entropy_backward": (_ARRAY, _LABEL, _INT, *[_ARRAY] * 3, _SIZE, _SIZE, _DOUBLE, _INT),
    "csr_dot_double": (_DOUBLES, _INDEX, _INDEX, _DOUBLES, _DOUBLES, _SIZE, _SIZE, _INT),
    "csr_dot_float": (_ARRAY, _INDEX, _INDEX, _ARRAY, _ARRAY, _SIZE, _SIZE, _INT),
    "csr_transpose": (_INDEX, _INDEX, _SIZE, _SIZE, *[_INDEX] * 3),
    "integer_convolve": (_EIGHT, _INT, _INT, _EIGHT, _STATES, _ARRAY, _EIGHT, *_SCALING, _SUMS, ctypes.c_void_p, _INT),
    "integer_forms": (_STATES,),
    "dense_of_one": (*[_ARRAY] * 4, _SIZE, _SIZE, _INT),
    "layer_norm_backward": (*[_ARRAY] * 8, *[_SIZE] * 3, _INT),
    "entropy_divergences": (*[_ARRAY] * 4, _SIZE, _SIZE, _INT),
    "max_pool_forward": (_ARRAY, _ARRAY, _BYTES, *[_SIZE] * 6, _INT),
    "max_pool_backward": (_ARRAY, _BYTES, _ARRAY, *[_SIZE] * 6, _INT),
    "put_rows_float": (_ARRAY, _INDEX, _ARRAY, _SIZE, _SIZE),
    "quantize_floats": (_ARRAY, _DOUBLE, _INT, _EIGHT, _SIZE, _INT),
    "random_draw": (_STATES, _INT, _ANY, _INT, _SIZE, _REALS, _REALS, _SIZE, _INT, _INT),
    "random_integers": (_STATES, _INTEGERS, _INT, *[_SIZE] * 3, _INT),
    "random_mask": (_STATES, _ARRAY, _SIZE, _DOUBLE, _DOUBLE, _INT, _INT),
    "random_order": (_STATES, _INT, _INTEGERS, _SIZE, _INT),
    "random_series": (_STATES, _INT, _INT, _ANY, _INT, _SIZE, _DOUBLE, _DOUBLE),
    "random_words": (_STATES, _INT, _STATES, _SIZE),
    "recurrent_forward": (*[_ARRAY] * 13, *[_SIZE] * 5, *[_INT] * 3),
    "recurrent_backward": (*[_ARRAY] * 14, *[_SIZE] * 5, *[_INT] * 3),
    "winograd_convolve": (_ARRAY, _STRIDED, *[_ARRAY] * 4, *[_SIZE] * 9, *[_INT] * 4, ctypes.c_void_p),
    "winograd_by_weight": (*[_ARRAY] * 5, *[_SIZE] * 9, *[_INT] * 2, ctypes.c_void_p),
    "winograd_weight": (_STRIDED, _ARRAY, *[_SIZE] * 6, *[_INT] * 3),
}
#: The kernels that say so take rows of at least this many numbers: a vector of any set of instructions.
WIDEST = 16
#: Arrays with fewer numbers are left to one thread: waking the others takes longer.
_SMALL = 1 << 15


class Library:
    """The functions for this processor; each raises MemoryError if it finds no memory."""

    def __init__(self, path: Path):
        self.path = path
        #: For allocator.py, whose functions are no kernels.
        self.file = loaded = ctypes.CDLL(str(path))
        stamp, expected = getattr(loaded, "native_stamp", None), source_stamp(path.parent)
        if stamp is not None:
            stamp.restype = ctypes.c_char_p
        #: A hash of the sources that it was made of.
        self.stamp: str | None = None if stamp is None else stamp().decode()
        if self.stamp is None or (expected is not None and self.stamp != expected):
            raise ImportError(f"{path.name} was made of other sources ({self.stamp}, here are {expected})")
        for name, parameters in _SIGNATURES.items():
            function = getattr(loaded, name)
            function.argtypes, function.restype, function.errcheck = parameters, _INT, _check
            setattr(self, name, _interruptible(function))
        make = ctypes.PyDLL(str(path)).leaves_range_function
        make.restype = ctypes.py_object
        #: A function of Python's own, see range.c.
        self.leaves_range: Callable[[int, int, int], bool] = make()

    def __getattr__(self, name: str) -> Callable[..., None]:
        raise AttributeError(f"unknown kernel {name}; known: {', '.join(_SIGNATURES)}")


def _interruptible(function: Callable[..., None]) -> Callable[..., None]:
    """The function; a Ctrl-C while its arguments are converted, which ctypes makes an error of them, stays one."""

    @functools.wraps(function, assigned=("__name__",))
    def call(*arguments: Any) -> None:
        try:
            function(*arguments)
        except ctypes.ArgumentError as error:
            if "KeyboardInterrupt" in str(error):
                raise KeyboardInterrupt from None
            raise

    return call


def _check(result: int, function: Any, arguments: Any) -> None:
    if result:
        raise MemoryError(f"{function.__name__} found no memory")


def library() -> Library | None:
    """The kernels, or None, also while torch records what operators do: they must have another way."""
    return None if is_traced() else loaded()


@functools.cache
def loaded() -> Library | None:
    """The kernels, for those who know that torch does not record."""
    if not config.NATIVE.get():
        return None
    for kind in (torch.backends.cpu.get_cpu_capability().lower(), "default"):
        for suffix in EXTENSION_SUFFIXES:
            path = Path(__file__).with_name(f"_{kind}{suffix}")
            if path.exists():
                try:
                    return Library(path)
                except (ImportError, OSError) as error:
                    advice = "install again (pip install -e .); until then operators use torch's kernels"
                    warnings.warn(f"{error}: {advice}", RuntimeWarning, stacklevel=2)
                    return None
    return None


def kernels() -> Library:
    """The kernels, where ``library()`` has been seen not to be None."""
    found = loaded()
    assert found is not None
    return found


def threads(numbers: int) -> int:
    """How many threads to use for that many numbers."""
    return torch.get_num_threads() if numbers >= _SMALL else 1


def info() -> dict[str, Any]:
    """Which kernels are used, the threads and the OpenMP runtimes of this process: more than one is trouble.

    Two runtimes (libgomp of torch and libiomp5 of another package, say) have a pool of threads each, which get into
    each other's way, and settings of one are unknown to the other.
    """
    found = loaded()
    runtimes = _openmp_runtimes()
    return {
        "library": None if found is None else found.path.name,
        "stamp": None if found is None else found.stamp,
        "instructions": torch.backends.cpu.get_cpu_capability(),
        "threads": torch.get_num_threads(),
        "openmp": runtimes,
        "several_openmp": runtimes is not None and len(runtimes) > 1,
    }


def _openmp_runtimes() -> list[str] | None:
    """The files of the OpenMP runtimes that are loaded, or None where the system does not say."""
    try:
        maps = Path("/proc/self/maps").read_text()
    except OSError:
        return None
    return sorted(set(re.findall(r"/\S*/lib(?:gomp|i?omp5?)[-.]\S*", maps)))


def _use_one_thread() -> None:
    # After a fork the pool of OpenMP has its books but no threads: whatever asks it for help would wait forever.
    torch.set_num_threads(1)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_use_one_thread)
