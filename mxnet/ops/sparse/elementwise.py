"""Elementwise operators on sparse values: on the elements alone where zero stays zero, on the places of both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import torch

from ...error import MXNetTypeError, MXNetValueError
from ..registry import get
from ..sparse_values import CSR, RowSparse, Sparse, convert, dense, from_dense, starts, zeros
from .dispatch import SPARSE, add_kernel, storage

# Functions of one array that give zero for zero, and copies.
_ON_DATA = """abs arcsin arcsinh arctan arctanh cbrt ceil degrees expm1 fix floor log1p radians relu rint round sign sin
sinh sqrt square tan tanh trunc BlockGrad make_loss _contrib_round_ste _contrib_sign_ste _scatter_plus_scalar
_scatter_minus_scalar""".split()

# The same, and a variable's gradient has the rows of the given one; of others all rows of the variable.
_LINEAR = "negative _copy _mul_scalar _div_scalar _contrib_gradientmultiplier".split()

# With a number: whether zero stays zero depends on it.
_BY_SCALAR: dict[str, Callable[[float], bool]] = {
    "_plus_scalar": lambda n: n == 0,
    "_minus_scalar": lambda n: n == 0,
    "_not_equal_scalar": lambda n: n == 0,
    "_equal_scalar": lambda n: n != 0,
    "_greater_scalar": lambda n: n >= 0,
    "_greater_equal_scalar": lambda n: n > 0,
    "_lesser_scalar": lambda n: n <= 0,
    "_lesser_equal_scalar": lambda n: n < 0,
}


def _on_data(name: str, linear: bool = False) -> Callable[..., Sparse]:
    kernel = get(name).kernel

    def run(value: Any, **attrs: Any) -> Any:
        made = value.with_data(kernel(value.data, **attrs))
        if linear and isinstance(value, RowSparse) and value.learns_by_rows:
            return replace(made, source=lambda rows: kernel(value.take(rows), **attrs))
        return made

    return run


def _if_kept(kept: Callable[[float], bool], stype: str, attrs: Any) -> str | None:
    return stype if kept(float(attrs["scalar"])) else None


for _name in (*_ON_DATA, *_LINEAR):
    for _stype in SPARSE:
        add_kernel(_name, (_stype,), _stype, _on_data(_name, linear=_name in _LINEAR))
for _name, _kept in _BY_SCALAR.items():
    for _stype in SPARSE:
        add_kernel(_name, (_stype,), partial(_if_kept, _kept, _stype), _on_data(_name))


def _clip_result(stype: str, attrs: Any) -> str:
    if not float(attrs["a_min"]) <= 0 <= float(attrs["a_max"]):
        raise MXNetValueError(
            f"clip of a {stype} array to [{attrs['a_min']}, {attrs['a_max']}] would change its zeros; "
            "use tostype('default') first"
        )
    return stype


for _stype in SPARSE:
    add_kernel("clip", (_stype,), partial(_clip_result, _stype), _on_data("clip"))
    add_kernel(
        "zeros_like", (_stype,), _stype, lambda value: zeros(value.stype, value.shape, value.dtype, value.device)
    )
    add_kernel("_identity_with_attr_like_rhs", (_stype, _stype), _stype, lambda lhs, rhs: lhs.map(torch.clone))
    add_kernel("_identity_with_attr_like_rhs", ("default", _stype), _stype, lambda lhs, rhs: from_dense(lhs, rhs.stype))
add_kernel(
    "_contrib_quadratic",
    ("csr",),
    lambda attrs: "csr" if float(attrs["c"]) == 0 else None,
    _on_data("_contrib_quadratic"),
)


@storage("cast_storage", "csr", result=lambda attrs: attrs["stype"])
@storage("cast_storage", "row_sparse", result=lambda attrs: attrs["stype"])
def cast_storage(data: Any, *, stype: str) -> Any:
    """A copy in another storage type."""
    made = convert(data, stype)
    return made.map(torch.clone) if made is data else made


# ---- two sparse values ----------------------------------------------------------------------------------------------


def _check(lhs: Any, rhs: Any) -> None:
    if tuple(lhs.shape) != tuple(rhs.shape):
        raise ValueError(f"both inputs must have the same shape, got {tuple(lhs.shape)} and {tuple(rhs.shape)}")
    if lhs.dtype is not rhs.dtype:
        raise TypeError("both inputs must have the same dtype; convert one of them with astype()")


def _places(value: Any) -> torch.Tensor:
    return value.keys() if isinstance(value, CSR) else value.indices


def _rebuilt(like: Any, places: torch.Tensor, data: torch.Tensor) -> Any:
    if isinstance(like, RowSparse):
        return RowSparse(data, places, like.shape)
    rows = torch.div(places, like.shape[1], rounding_mode="floor")
    return CSR(data, places - rows * like.shape[1], like.shape, starts(rows, like.shape[0]))


def union(function: Callable, *values: Any) -> Any:
    """A function of values that gives zero where all are zero, on all places that one of them has."""
    first = values[0]
    for other in values[1:]:
        _check(first, other)
    places, where = torch.unique(torch.cat([_places(v) for v in values]), return_inverse=True)
    spread, at = [], 0
    for value in values:
        count = value.indices.numel()
        blank = value.data.new_zeros((places.numel(), *value.data.shape[1:]))
        spread.append(blank.index_put((where[at : at + count],), value.data))
        at += count
    return _rebuilt(first, places, function(*spread))


def csr_product(lhs: CSR, rhs: CSR) -> CSR:
    """The elements that both have, multiplied."""
    _check(lhs, rhs)
    both = union(torch.mul, lhs, rhs)
    places = both.keys()
    kept = torch.isin(places, lhs.keys()) & torch.isin(places, rhs.keys())
    return _rebuilt(lhs, places[kept], both.data[kept])


_BOTH: dict[str, Callable[..., torch.Tensor]] = {
    "elemwise_add": torch.add,
    "elemwise_sub": torch.sub,
    "_maximum": get("_maximum").kernel,
    "_minimum": get("_minimum").kernel,
    "_hypot": get("_hypot").kernel,
    "_grad_add": torch.add,
}
for _name, _function in _BOTH.items():
    for _stype in SPARSE:
        add_kernel(_name, (_stype, _stype), _stype, partial(union, _function))
add_kernel("elemwise_mul", ("csr", "csr"), "csr", csr_product)
add_kernel("elemwise_mul", ("row_sparse", "row_sparse"), "row_sparse", partial(union, torch.mul))


@storage("add_n", "row_sparse", ..., result="row_sparse")
def add_rows(*values: RowSparse, num_args: int = 0) -> RowSparse:
    """The sum of row-sparse values, on the rows that one of them has."""
    return union(lambda *data: torch.stack(data).sum(0) if len(data) > 2 else sum(data[1:], data[0]), *values)


# ---- a sparse value and a dense tensor -------------------------------------------------------------------------------


def _dense_at(value: Any, tensor: torch.Tensor) -> torch.Tensor:
    """The elements of a dense tensor, broadcast to the value's shape, at the value's places."""
    wide = tensor.expand(value.shape)
    return wide.index_select(0, value.indices) if isinstance(value, RowSparse) else wide[value.rows(), value.indices]


def _with_dense(function: Callable, value: Any, tensor: torch.Tensor, equal: bool) -> Any:
    if equal:
        _check(value, tensor)
    elif value.dtype is not tensor.dtype:
        raise TypeError("both inputs must have the same dtype; convert one of them with astype()")
    return value.with_data(function(value.data, _dense_at(value, tensor)))


for _stype in SPARSE:
    add_kernel(
        "elemwise_mul", (_stype, "default"), _stype, lambda lhs, rhs: _with_dense(torch.mul, lhs, rhs, equal=True)
    )
    add_kernel(
        "elemwise_mul", ("default", _stype), _stype, lambda lhs, rhs: _with_dense(torch.mul, rhs, lhs, equal=True)
    )
add_kernel("broadcast_mul", ("csr", "default"), "csr", lambda lhs, rhs: _with_dense(torch.mul, lhs, rhs, equal=False))
add_kernel("broadcast_div", ("csr", "default"), "csr", lambda lhs, rhs: _with_dense(torch.div, lhs, rhs, equal=False))


def _add_rows_to(lhs: Any, rhs: Any, sign: int = 1) -> torch.Tensor:
    """A dense tensor plus a row-sparse value, or the other way round."""
    _check(lhs, rhs)
    rows, base = (rhs, lhs) if isinstance(rhs, RowSparse) else (lhs, rhs * sign)
    return base.index_add(0, rows.indices, rows.data, alpha=sign if rows is rhs else 1)


for _name, _sign in (("elemwise_add", 1), ("elemwise_sub", -1)):
    for _pair in (("default", "row_sparse"), ("row_sparse", "default")):
        add_kernel(_name, _pair, "default", partial(_add_rows_to, sign=_sign))


def scatter_div(lhs: RowSparse, rhs: Any) -> RowSparse:
    """The rows that ``lhs`` has, divided."""
    other = rhs.take(lhs.indices) if isinstance(rhs, RowSparse) else dense(rhs).index_select(0, lhs.indices)
    return lhs.with_data(lhs.data / other)


for _stype in ("default", "row_sparse", "csr"):
    add_kernel("_scatter_elemwise_div", ("row_sparse", _stype), "row_sparse", scatter_div)


def _without_fixed_gamma(attrs: Any) -> None:
    """BatchNorm runs on dense copies of sparse data; with ``fix_gamma`` the original refuses it."""
    if attrs["fix_gamma"]:
        raise MXNetTypeError(
            "fix_gamma=True is not supported for sparse arrays; use tostype('default') or fix_gamma=False"
        )


for _name in ("BatchNorm", "_contrib_BatchNormWithReLU"):
    for _stype in SPARSE:
        for _others in ("default", _stype):
            add_kernel(_name, (_stype, *[_others] * 4), _without_fixed_gamma, get(_name).kernel)
