"""Chooses how an operator runs on arrays of given storage types, and what storage its result has."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import torch

from ..._core import config
from ...error import MXNetError
from ..registry import Attrs, Kernel, OpDef, get
from ..sparse_values import CSR, RowSparse, Sparse, dense, stype_of

_log = logging.getLogger("mxnet.storage")
_told: set[str] = set()
SPARSE = ("csr", "row_sparse")
# What mx.nd.sparse and mx.sym.sparse offer besides their own functions: operators, the same as elsewhere.
OPERATORS = frozenset(
    """ElementWiseSum Embedding FullyConnected LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput
    _contrib_round_ste _contrib_sign_ste
    abs adagrad_update adam_update add_n arccos arccosh arcsin arcsinh arctan arctanh broadcast_add
    broadcast_div broadcast_minus broadcast_mul broadcast_plus broadcast_sub cast_storage cbrt ceil clip
    concat cos cosh degrees dot elemwise_add elemwise_div elemwise_mul elemwise_sub exp expm1 fix floor
    ftrl_update gamma gammaln log log10 log1p log2 make_loss mean negative norm radians relu retain
    rint round rsqrt sgd_mom_update sgd_update sigmoid sign sin sinh slice sqrt square stop_gradient
    sum tan tanh trunc where zeros_like""".split()
)


#: The storage types of an operator's inputs: ``...`` at the end is any number of the one before, alone any inputs.
Storages = tuple[Any, ...]
#: The storage type of the result, or a function of the attributes that gives it, None where the kernel cannot run.
Result = str | Callable[[Attrs], str | None]
#: By operator. Those that users define go with their last use.
_KERNELS: WeakKeyDictionary[OpDef, dict[Storages, tuple[Result, Kernel]]] = WeakKeyDictionary()


def add_kernel(op: OpDef | str, stypes: Storages, result: Result, kernel: Kernel) -> Kernel:
    """Registers the kernel that runs an operator on inputs of these storage types."""
    op = get(op) if isinstance(op, str) else op
    kernels = _KERNELS.setdefault(op, {})
    if stypes in kernels:
        raise MXNetError(f"operator {op.name} has a kernel for {stypes} already")
    kernels[stypes] = result, kernel
    return kernel


def storage(name: str, *stypes: Any, result: Result) -> Callable[[Kernel], Kernel]:
    """Decorator: the function runs operator ``name`` on inputs of these storage types; see ``add_kernel``."""
    return lambda kernel: add_kernel(name, stypes, result, kernel)


def find_kernel(op: OpDef, stypes: tuple[str, ...], attrs: Attrs) -> tuple[str, Kernel] | None:
    """The storage type of the result and the kernel for such inputs, or None: then they have to be dense."""
    kernels = _KERNELS.get(op)
    if not kernels:
        return None
    found = kernels.get(stypes)
    if found is None and len(set(stypes)) == 1:
        found = kernels.get((stypes[0], ...))
    if found is None:
        found = kernels.get((...,))
    if found is None:
        return None
    result, kernel = found
    stype = result(op.with_defaults(attrs)) if callable(result) else result
    return None if stype is None else (stype, kernel)


def by_rows(kernel: Callable) -> Callable:
    """Decorator: the kernel takes rows by their numbers and so gives gradients for those that are not stored, too."""
    kernel.by_rows = True  # type: ignore[attr-defined]
    return kernel


def run(op: OpDef, inputs: Sequence[Any], attrs: Attrs) -> Any:
    """Runs an operator on values of any storage type: by its own entry, or on dense tensors."""
    found = find_kernel(op, tuple(map(stype_of, inputs)), attrs)
    if found is not None:
        if getattr(found[1], "by_rows", False):
            return found[1](*inputs, **attrs)
        whole = [value.expand() if isinstance(value, CSR | RowSparse) else value for value in inputs]
        made = found[1](*whole, **attrs)
        if isinstance(made, CSR | RowSparse) and made.shown is None and made.is_full and any(map(_has_more, whole)):
            with torch.no_grad():  # the graph has all elements of variables, an array stores what it would without one
                plain = [value.apart() if isinstance(value, CSR | RowSparse) else value for value in whole]
                made = made.showing(found[1](*plain, **attrs))
        return made
    if any(isinstance(value, Sparse) for value in inputs):
        inputs = densify(op, inputs, attrs)
    return op.kernel(*inputs, **attrs)


def densify(op: OpDef, inputs: Sequence[Any], attrs: Attrs) -> list[Any]:
    """The inputs as dense tensors, for an operator that has no entry for them; says so once."""
    _warn(op, inputs, attrs)
    return [dense(value) for value in inputs]


def _has_more(value: Any) -> bool:
    """Has it more elements than an array stores of it?"""
    return isinstance(value, CSR | RowSparse) and value.shown is not None


def result_storage(op: OpDef, stypes: Sequence[str], attrs: Attrs) -> str:
    """The storage type of an operator's result."""
    found = find_kernel(op, tuple(stypes), attrs)
    if found is not None:
        return found[0]
    if op.name not in ("cast_storage", "dot"):
        return "default"
    return op.with_defaults(attrs).get("stype" if op.name == "cast_storage" else "forward_stype") or "default"


def makes_sparse(op: OpDef, attrs: Attrs) -> bool:
    """Can the operator give a sparse result from dense inputs?"""
    return result_storage(op, ["default"] * max(1, op.required), attrs) != "default"


def _warn(op: OpDef, inputs: Sequence[Any], attrs: Attrs) -> None:
    """The original's warning, once for each call of its kind."""
    if not config.STORAGE_FALLBACK_LOG_VERBOSE.get():
        return
    kinds = "".join(f"{stype_of(value)}, " for value in inputs if value is not None)
    shown = ", ".join(f'"{k}" : {v}' for k, v in attrs.items() if not k.startswith("_"))
    text = (
        f"\nStorage type fallback detected:\noperator = {op.name}\ninput storage types = [{kinds}]\n"
        f"output storage types = [default, ]\nparams = {{{shown}}}\n"
        "The operator runs on temporary dense arrays, for it has no implementation for these storage types. The result "
        "is right, but takes more time and memory. Set MXNET_STORAGE_FALLBACK_LOG_VERBOSE=0 to hide this warning."
    )
    if text not in _told and len(_told) < 10000:
        _told.add(text)
        _log.warning(text)
