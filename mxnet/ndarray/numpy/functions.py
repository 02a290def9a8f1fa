"""The functions of ``mx.np``, made from the tables in ``ops/numpy``, and those that are for arrays only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from ..._core.dtypes import torch_dtype
from ...context import Context, as_context, current_context
from ...error import MXNetTypeError
from ...ops.numpy import functions as shared, signatures
from ..gate import call
from ..ndarray import NDArray, wrap
from ..tape import state
from . import dispatch
from .array import install, ndarray


def array(object: Any, dtype: Any = None, ctx: Context | None = None) -> ndarray:
    """An array from numbers, lists or arrays; float32 if no dtype is given, but arrays keep theirs."""
    context = current_context() if ctx is None else as_context(ctx)
    if isinstance(object, ndarray) and state.recording and object._ctx is context:
        return call("_np_copy", object) if dtype is None else call("_npi_cast", object, dtype=dtype)
    if isinstance(object, NDArray):
        data = object._dense if dtype is None else object._dense.to(torch_dtype(dtype))
        return wrap(data.to(context.torch_device, copy=True), context, ndarray)  # type: ignore[return-value]
    if isinstance(object, np.ndarray | np.generic):
        kind = torch_dtype(object.dtype if dtype is None else dtype)
    else:
        kind = torch_dtype("float32" if dtype is None else dtype)
        object = dispatch.as_official(object)
    try:
        values = np.asarray(object)
        if values.dtype.kind not in "biuf":
            raise TypeError(f"cannot make an array of {object!r}")
        made = torch.from_numpy(np.array(values, dtype=_NUMPY[kind], order="C")).to(kind)
    except (TypeError, ValueError) as error:
        raise MXNetTypeError(str(error)) from None
    return wrap(made.to(context.torch_device), context, ndarray)  # type: ignore[return-value]


_NUMPY: dict[torch.dtype, Any] = {
    torch_dtype(name): np.dtype(name) for name in "float16 float32 float64 uint8 int8 int32 int64 bool".split()
}
_NUMPY[torch.bfloat16] = np.dtype("float32")


def shape(a: Any) -> tuple[int, ...]:
    """The shape of an array."""
    return a.shape if isinstance(a, NDArray) else np.shape(a)


def shares_memory(a: ndarray, b: ndarray, max_work: object = None) -> bool:
    """Do two arrays share memory?"""
    return bool(dispatch.arrays.run(signatures.get("_npi_share_memory"), (a, b), {}).item())


def may_share_memory(a: ndarray, b: ndarray, max_work: object = None) -> bool:
    """Might two arrays share memory?"""
    return shares_memory(a, b, max_work)


def genfromtxt(*args: Any, **kwargs: Any) -> ndarray:
    """An array from a text file, as NumPy's function of that name reads it; ``ctx`` says where it goes."""
    ctx = kwargs.pop("ctx", None)
    dtype = kwargs.pop("dtype", np.float32)
    values: Any = np.genfromtxt(*args, dtype=dtype, **kwargs)  # type: ignore[call-overload]
    return array(values, dtype=dtype, ctx=ctx)


def set_printoptions(precision: int | None = None, threshold: int | None = None, **kwarg: Any) -> None:
    """How arrays are printed: NumPy's function of that name."""
    np.set_printoptions(precision=precision, threshold=threshold, **kwarg)


def _all() -> dict[str, Callable[..., Any]]:
    backend = dispatch.arrays
    found = {
        **signatures.from_table(backend),
        **signatures.unary_functions(backend),
        **signatures.binary_functions(backend),
        **shared.for_backend(backend),
    }
    for function in (array, shape, shares_memory, may_share_memory, genfromtxt, set_printoptions):
        function.__module__ = backend.module
        found[function.__name__] = function
    return found


FUNCTIONS = _all()
install()
