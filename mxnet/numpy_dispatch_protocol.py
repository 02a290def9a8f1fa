"""Which functions of the official NumPy run ours when they meet arrays of ``mx.np``, as the original names them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as _np

from . import numpy as mx_np

_NUMPY_ARRAY_FUNCTION_LIST = """
all any sometrue argmin argmax around round round_ argsort sort append broadcast_arrays broadcast_to clip concatenate
copy cumsum diag diagonal diagflat dot expand_dims fix flip flipud fliplr inner insert max amax mean min amin nonzero
ones_like atleast_1d atleast_2d atleast_3d prod product ravel repeat reshape roll split array_split hsplit vsplit
dsplit squeeze stack std sum swapaxes take tensordot tile transpose unique unravel_index diag_indices_from delete var
vdot vstack column_stack hstack dstack zeros_like linalg.norm linalg.cholesky linalg.inv linalg.solve linalg.tensorinv
linalg.tensorsolve linalg.pinv linalg.eigvals linalg.eig linalg.eigvalsh linalg.eigh shape trace tril meshgrid outer
einsum polyval shares_memory may_share_memory quantile percentile diff ediff1d resize where full_like bincount
empty_like nan_to_num isnan isfinite isposinf isneginf isinf pad
""".split()
_NUMPY_ARRAY_UFUNC_LIST = """
abs fabs add arctan2 copysign degrees hypot lcm subtract multiply true_divide negative power mod matmul absolute rint
sign exp log log2 log10 expm1 sqrt square cbrt reciprocal invert bitwise_not remainder sin cos tan sinh cosh tanh
arcsin arccos arctan arcsinh arccosh arctanh maximum minimum ceil trunc floor bitwise_and bitwise_xor bitwise_or
logical_not equal not_equal less less_equal greater greater_equal
""".split()


def _ours(name: str) -> Callable[..., Any]:
    return attrgetter(name)(mx_np)


def _official(name: str) -> Any:
    """NumPy's function; None for a second name that NumPy 2 has dropped."""
    place, _, last = name.rpartition(".")
    return getattr(attrgetter(place)(_np) if place else _np, last, None)


_NUMPY_ARRAY_FUNCTION_DICT = {
    _official(name): _ours(name) for name in _NUMPY_ARRAY_FUNCTION_LIST if _official(name) is not None
}
_NUMPY_ARRAY_UFUNC_DICT = {name: _ours(name) for name in _NUMPY_ARRAY_UFUNC_LIST}


def with_array_function_protocol(func: Callable[..., Any]) -> Callable[..., None]:
    """Decorates functions that need NumPy's array function protocol, which every supported NumPy has."""

    @functools.wraps(func)
    def run(*args: Any, **kwargs: Any) -> None:
        func(*args, **kwargs)

    return run


def with_array_ufunc_protocol(func: Callable[..., Any]) -> Callable[..., None]:
    """Decorates functions that need NumPy's protocol for ufuncs, which every supported NumPy has."""
    return with_array_function_protocol(func)
