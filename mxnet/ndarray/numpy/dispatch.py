"""How functions find arrays of ``mx.np``: the backend of the functions, and NumPy's protocols."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...error import MXNetTypeError, MXNetValueError
from ...ops.numpy.signatures import Bind, Sooner, as_number
from ...ops.registry import OpDef
from ..gate import invoke, specialize
from ..ndarray import NDArray
from ..prepared import prepare
from ..tape import state, tensor_in_graph


class _Arrays:
    """The backend of functions on arrays: see ``ops/numpy/signatures.py``."""

    module = "mxnet.numpy"
    #: The class of the arrays, which ``array.py`` puts here.
    kind: type[NDArray]

    def run(self, op: OpDef, inputs: Sequence[object], attrs: Mapping[str, object], out: object = None) -> Any:
        """Runs an operator on arrays of mx.np."""
        return invoke(op, inputs, attrs, out, kind=self.kind)

    def is_array(self, value: object) -> bool:
        """Is it an array of mx.np? A classic one goes on to the operator, which refuses it with a reason."""
        return isinstance(value, NDArray)

    def many(self, results: Sequence[NDArray]) -> Any:
        """Several results as a tuple."""
        return tuple(results)

    def scalar(self, op: OpDef, value: object, first: bool) -> dict[str, Any]:
        """The number alone: it is converted to the type of the array."""
        return {"scalar": as_number(value)}

    def specialize(self, op: OpDef) -> Callable[..., Any]:
        """The shortest way to run an operator on one or two arrays."""
        return specialize(op, self.kind)

    def prepare(self, bind: Bind) -> Sooner:
        """The results of calls that were made before."""
        return prepare(self.kind, bind)


arrays = _Arrays()


def function(name: str) -> Callable[..., Any]:
    """A function of mx.np by its name."""
    from . import functions

    return functions.FUNCTIONS[name]


def as_official(value: object) -> Any:
    """The value with arrays of NumPy's in the place of ours."""
    if isinstance(value, NDArray):
        return value.asnumpy().view(np.ndarray)
    if isinstance(value, list | tuple):
        return (list if isinstance(value, list) else tuple)(as_official(v) for v in value)
    if isinstance(value, dict):
        return {k: as_official(v) for k, v in value.items()}
    return value


def from_official(value: object) -> Any:
    """The value with arrays of ours in the place of NumPy's, where the dtype is ours; named tuples as tuples."""
    from .functions import array

    if isinstance(value, np.ndarray):
        return array(value, dtype=value.dtype) if value.dtype.name in _DTYPES else value
    if isinstance(value, list | tuple):
        return (list if isinstance(value, list) else tuple)(from_official(v) for v in value)
    return value


_DTYPES = frozenset("float16 float32 float64 uint8 int8 int32 int64 bool".split())


def _ours_in(value: object) -> list[NDArray]:
    """The arrays of ours in what may be lists of them."""
    if isinstance(value, list | tuple):
        return [array for part in value for array in _ours_in(part)]
    return [value] if isinstance(value, NDArray) else []


def _has_floats(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_floats, value))
    return isinstance(value, float | np.floating) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def _refuse_lost_gradient(name: str, arrays: list[NDArray], result: object) -> None:
    """What NumPy computes has no gradient: where one would be wanted, that is said rather than lost."""
    if not state.recording or not _has_floats(result):
        return
    if any(a._var is not None and tensor_in_graph(a).requires_grad for a in arrays):
        raise MXNetValueError(
            f"{name} is computed by NumPy and has no gradient: call it outside of autograd.record(), or with x.detach()"
        )


def through_numpy(official: Callable[..., Any]) -> Callable[..., Any]:
    """A function that NumPy itself computes on copies: it has no gradient and is not recorded.

    Without an array of ours among the arguments the result is NumPy's own.
    """
    undispatched = getattr(official, "__wrapped__", official)

    def fallback(*args: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", None)
        result = undispatched(*as_official(args), **as_official(kwargs))
        given = _ours_in((*args, *kwargs.values()))
        _refuse_lost_gradient(fallback.__name__, given, result)
        if out is None:
            return from_official(result) if given else result
        target = out[0] if isinstance(out, tuple) else out
        target[...] = result
        return target

    fallback.__name__ = fallback.__qualname__ = official.__name__
    fallback.__module__ = "mxnet.numpy.fallback"
    fallback.__doc__ = (
        f"NumPy's own ``{official.__name__}``, on copies of the arrays: it runs on the host and has no gradient.\n\n"
        f"{official.__doc__ or ''}"
    )
    return fallback


def array_function(self: Any, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """Functions of the official NumPy on our arrays run ours, or NumPy's on copies if we have none."""
    from . import functions, linalg

    module = getattr(func, "__module__", "")
    known = linalg.FUNCTIONS if "linalg" in (module or "") else functions.FUNCTIONS
    mine = known.get(func.__name__)
    if mine is not None:
        return mine(*args, **kwargs)
    return through_numpy(func)(*args, **kwargs)


def array_ufunc(self: object, ufunc: Any, method: str, *inputs: Sequence[NDArray], **kwargs: Any) -> Any:
    """Ufuncs of the official NumPy on our arrays run ours, or NumPy's on copies if we have none."""
    from . import functions

    if method != "__call__":
        return NotImplemented
    if any(isinstance(x, np.ndarray) and x.ndim for x in inputs):
        raise MXNetTypeError("type <class 'numpy.ndarray'> not supported: make it an array of mx.np first")
    out = kwargs.pop("out", None)
    if out is not None:
        kwargs["out"] = out[0]
    mine = functions.FUNCTIONS.get(ufunc.__name__)
    return (mine or through_numpy(ufunc))(*inputs, **kwargs)
