"""Gives arrays their Python operators and fluent methods, from the tables in ``ops/methods.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch

from ..error import MXNetAttributeError
from ..ops.derive import public_function
from ..ops.methods import ARITHMETIC, COMPARISON, add_fluent_methods
from ..ops.registry import OpDef, get
from .gate import in_place, invoke, invoke_scalar, specialize, with_number
from .ndarray import NDArray
from .prepared import prepare
from .sparse_array import BaseSparseNDArray, value_of

_ELEMENTWISE = {"add": "elemwise_add", "sub": "elemwise_sub", "mul": "elemwise_mul"}


def _binary(array_op: OpDef, scalar_op: OpDef, kind: type[NDArray] = NDArray) -> Callable[[NDArray, Any], NDArray]:
    both, number = specialize(array_op, kind), _of_number(scalar_op, kind)

    def no_array(self: NDArray, other: object) -> NDArray:
        return both(self, other) if isinstance(other, NDArray) else number(self, other)

    return specialize(array_op, kind, no_array)


def _of_number(op: OpDef, kind: type[NDArray]) -> Callable[[NDArray, Any], NDArray]:
    """An operator of an array and a number as a function of them, for whatever is given as the number."""
    run = with_number(op, kind)
    if op.direct is not None:
        return run
    sooner = prepare(kind, lambda args, kwargs: (op, args[:1], {"scalar": args[1]}))

    def operator(self: NDArray, other: object) -> NDArray:
        made = sooner((self, other), {}) if other.__class__ is int or other.__class__ is float else None
        return run(self, other) if made is None else made

    return operator


# Operators whose torch in-place form means the same on floating tensors.
_IN_PLACE: dict[str, Callable[..., torch.Tensor]] = {
    "add": torch.Tensor.add_,
    "sub": torch.Tensor.sub_,
    "mul": torch.Tensor.mul_,
    "truediv": torch.Tensor.div_,
}


def install_operators(kind: type[NDArray], arithmetic: Mapping[str, Any], comparison: Mapping[str, Any]) -> None:
    """Gives a class of arrays its Python operators, from tables such as those in ``ops/methods.py``."""

    def put(name: str, function: Callable) -> None:
        function.__name__ = name
        function.__qualname__ = f"{kind.__name__}.{name}"
        setattr(kind, name, function)

    for symbol, (array_op, scalar_op, reflected_op, *_) in arithmetic.items():
        forward = _binary(get(array_op), get(scalar_op), kind)
        backward = _of_number(get(reflected_op), kind)
        put(f"__{symbol}__", forward)
        if scalar_op == reflected_op:  # a + 2 is 2 + a
            backward = _binary(get(array_op), get(scalar_op), kind)
        put(f"__r{symbol}__", backward)
        if symbol == "pow":  # x **= 2 makes a new array, as in the original: names and views of x keep the old one
            continue
        inplace = in_place(get(array_op), get(scalar_op), _IN_PLACE.get(symbol))
        put(f"__i{symbol}__", inplace)
        if symbol == "truediv":
            kind.__div__, kind.__rdiv__, kind.__idiv__ = forward, backward, inplace  # type: ignore[method-assign, assignment]
    for symbol, (array_op, scalar_op, *_) in comparison.items():
        put(f"__{symbol}__", _binary(get(array_op), get(scalar_op), kind))


def function(op: OpDef, name: str, module: str) -> Callable[..., Any]:
    """The public function of an operator on NDArrays."""
    return public_function(op, name, module, invoke, specialize, partial(prepare, NDArray))


def _sparse_binary(symbol: str, array_op: str, scalar_op: str) -> Callable[[BaseSparseNDArray, Any], Any]:
    same = _ELEMENTWISE.get(symbol)

    def operator(self: BaseSparseNDArray, other: object) -> Any:
        if not isinstance(other, NDArray):
            return invoke_scalar(get(scalar_op), self, other)
        alike = same is not None and other.shape == self.shape
        keeps = alike and (other._is_sparse or symbol == "mul")
        return invoke(get(same if keeps else array_op), (self, other), {})  # type: ignore[arg-type]

    return operator


def _sparse_reflect(array_op: str, scalar_op: str) -> Callable[[BaseSparseNDArray, Any], Any]:
    def operator(self: BaseSparseNDArray, other: object) -> Any:
        if isinstance(other, NDArray):
            return invoke(get(array_op), (other, self), {})
        return invoke_scalar(get(scalar_op), self, other)

    return operator


def _sparse_in_place(operator: Callable) -> Callable:
    def inplace(self: BaseSparseNDArray, other: object) -> Any:
        return self._accept(value_of(operator(self, other)))

    return inplace


def _missing(name: str) -> Callable[[Any], Any]:
    def missing(self: object) -> Any:
        """Not there for sparse arrays: ``tostype('default')`` first."""
        raise MXNetAttributeError(f"{type(self).__name__!r} object has no attribute {name!r}; use tostype('default')")

    return missing


def _install_sparse() -> None:
    for symbol, (array_op, scalar_op, reflected, _) in ARITHMETIC.items():
        forward = _sparse_binary(symbol, array_op, scalar_op)
        setattr(BaseSparseNDArray, f"__{symbol}__", forward)
        setattr(BaseSparseNDArray, f"__r{symbol}__", _sparse_reflect(array_op, reflected))
        setattr(BaseSparseNDArray, f"__i{symbol}__", _sparse_in_place(forward))
    for symbol, (array_op, scalar_op, _) in COMPARISON.items():
        setattr(BaseSparseNDArray, f"__{symbol}__", _sparse_binary(symbol, array_op, scalar_op))
    BaseSparseNDArray.__hash__ = object.__hash__  # type: ignore[method-assign, assignment]
    for name in ("tolist", "item"):
        setattr(BaseSparseNDArray, name, property(_missing(name)))


def install() -> None:
    """Completes the classes; called once, when the operators are registered."""
    install_operators(NDArray, ARITHMETIC, COMPARISON)
    _install_sparse()
    add_fluent_methods(NDArray, lambda name: function(get(name), name, "mxnet.ndarray"))
