"""Gives NDArray its Python operators and fluent methods, from the tables in ``ops/methods.py``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from ..error import MXNetTypeError
from ..ops.derive import public_function
from ..ops.methods import ARITHMETIC, COMPARISON, add_fluent_methods
from ..ops.registry import OpDef, get
from .ndarray import NDArray, invoke, wrap
from .tape import check_writable, state

_NUMBERS = frozenset((int, float))
_SCALARS = (int, float, np.generic, bool)


def _scalar(op: OpDef, array: NDArray, value: Any) -> NDArray:
    if not isinstance(value, _SCALARS):
        if isinstance(value, np.ndarray):
            from .creation import array as make

            return invoke(_ARRAY_OF_SCALAR[op.name], (array, make(value, ctx=array._ctx, dtype=array.dtype)), {})
        raise MXNetTypeError(f"type {type(value)} not supported")
    return invoke(op, (array,), {"scalar": value})


_ARRAY_OF_SCALAR: dict[str, OpDef] = {}


def _binary(array_op: OpDef, scalar_op: OpDef) -> Callable[[NDArray, Any], NDArray]:
    # The shortest way, for arrays of one context and dtype outside of record(); all else takes the general path, which
    # also says what is wrong when the short one fails.
    direct, direct_scalar = array_op.direct, scalar_op.direct
    new = object.__new__

    def operator(self: NDArray, other: Any) -> NDArray:
        if isinstance(other, NDArray):
            mine, theirs = self._data, other._data
            if direct and mine.dtype is theirs.dtype and self._ctx is other._ctx and not state.recording:
                try:
                    result = direct(mine, theirs)
                except RuntimeError:
                    return invoke(array_op, (self, other), {})
                array = new(NDArray)
                array._data = result
                array._ctx = self._ctx
                return array
            return invoke(array_op, (self, other), {})
        if direct_scalar and other.__class__ in _NUMBERS and not state.recording and self._data.is_floating_point():
            return wrap(direct_scalar(self._data, other), self._ctx)
        return _scalar(scalar_op, self, other)

    _ARRAY_OF_SCALAR[scalar_op.name] = array_op
    return operator


def _reflected(scalar_op: OpDef) -> Callable[[NDArray, Any], NDArray]:
    def operator(self: NDArray, other: Any) -> NDArray:
        return _scalar(scalar_op, self, other)

    return operator


# Operators whose torch in-place form means the same on floating tensors.
_IN_PLACE = {"add": torch.Tensor.add_, "sub": torch.Tensor.sub_, "mul": torch.Tensor.mul_, "truediv": torch.Tensor.div_}


def _inplace(symbol: str, array_op: OpDef, scalar_op: OpDef) -> Callable[[NDArray, Any], NDArray]:
    quick = _IN_PLACE.get(symbol)

    def operator(self: NDArray, other: Any) -> NDArray:
        check_writable(self)
        if not self.writable:
            raise MXNetTypeError("trying to write to a read-only NDArray")
        mine = self._data
        if isinstance(other, NDArray):
            if quick is not None and not state.recording and self._ctx is other._ctx and mine.is_floating_point():
                theirs = other._data
                if theirs.dtype is mine.dtype and theirs.shape == mine.shape:
                    quick(mine, theirs)
                    return self
            return invoke(array_op, (self, other), {}, out=self)
        if quick is not None and not state.recording and mine.is_floating_point() and isinstance(other, int | float):
            quick(mine, other)
            return self
        if isinstance(other, _SCALARS):
            return invoke(scalar_op, (self,), {"scalar": other}, out=self)
        self._data.copy_(_scalar(scalar_op, self, other)._data)
        return self

    return operator


def _named(function: Callable, name: str) -> Callable:
    function.__name__ = name
    function.__qualname__ = f"NDArray.{name}"
    return function


def _install_operators() -> None:
    for symbol, (array_op, scalar_op, reflected_op) in ARITHMETIC.items():
        forward = _binary(get(array_op), get(scalar_op))
        backward = _reflected(get(reflected_op))
        setattr(NDArray, f"__{symbol}__", _named(forward, f"__{symbol}__"))
        setattr(NDArray, f"__r{symbol}__", _named(backward, f"__r{symbol}__"))
        inplace = _inplace(symbol, get(array_op), get(scalar_op))
        setattr(NDArray, f"__i{symbol}__", _named(inplace, f"__i{symbol}__"))
        if symbol == "truediv":
            NDArray.__div__, NDArray.__rdiv__, NDArray.__idiv__ = forward, backward, inplace  # type: ignore[attr-defined]
    for symbol, (array_op, scalar_op) in COMPARISON.items():
        setattr(NDArray, f"__{symbol}__", _named(_binary(get(array_op), get(scalar_op)), f"__{symbol}__"))


def install() -> None:
    """Completes the class; called once, when the operators are registered."""
    _install_operators()
    add_fluent_methods(NDArray, lambda name: public_function(get(name), name, "mxnet.ndarray", invoke))
