"""Gives NDArray its Python operators and fluent methods, from the tables in ``ops/methods.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch.utils._python_dispatch import _disable_current_modes

from ..error import MXNetError, MXNetTypeError
from ..ops.derive import public_function
from ..ops.methods import ARITHMETIC, COMPARISON, add_fluent_methods
from ..ops.registry import OpDef, get
from .ndarray import NDArray, invoke, invoke_any, record_result, shortcut, wrap
from .tape import INPLACE, check_writable, noting, state, tensor_in_graph

# On these dtypes a number means the same to torch as to MXNet, which converts it to the array's dtype first.
_EXACT = frozenset((torch.float32, torch.float64))
_BOOL = torch.bool
_NUMBERS = frozenset((int, float))
_SCALARS = (int, float, np.generic, bool)


def _scalar(op: OpDef, array: NDArray, value: Any) -> NDArray:
    if not isinstance(value, _SCALARS):
        raise MXNetTypeError(f"type {type(value)} not supported: expected a number or an NDArray (see mx.nd.array)")
    return invoke_any(op, (array,), {"scalar": value})


def _binary(array_op: OpDef, scalar_op: OpDef, kind: type[NDArray] = NDArray) -> Callable[[NDArray, Any], NDArray]:
    both, direct_scalar = shortcut(array_op, kind), scalar_op.direct

    def no_array(self: NDArray, other: Any) -> NDArray:
        if isinstance(other, NDArray):
            return both(self, other)
        if direct_scalar and other.__class__ in _NUMBERS and self._data.dtype in _EXACT:
            number = _as_tensor(other, self._data.dtype)
            if state.recording and (self._var is not None or self._ties):
                if noting:
                    return _scalar(scalar_op, self, other)
                return record_result(direct_scalar(tensor_in_graph(self), number), self._ctx, kind, (self,))
            return wrap(direct_scalar(self._data, number), self._ctx, kind)
        return _scalar(scalar_op, self, other)

    return shortcut(array_op, kind, no_array)


def _as_tensor(number: Any, dtype: torch.dtype) -> torch.Tensor:
    """A number as a tensor without dimensions: torch takes half as long with one as with a Python number."""
    return _zero(number, dtype) if number == 0 else _number(number, dtype)


@lru_cache(maxsize=4096)
def _number(number: float, dtype: torch.dtype) -> torch.Tensor:
    # An ordinary tensor, whatever mode this is called in first.
    with torch.inference_mode(False), _disable_current_modes():
        return torch.tensor(float(number), dtype=dtype)


def _zero(number: float, dtype: torch.dtype) -> torch.Tensor:
    """0.0 and -0.0 are equal, and yet not the same."""
    return torch.tensor(float(number), dtype=dtype)


def _reflected(scalar_op: OpDef) -> Callable[[NDArray, Any], NDArray]:
    def operator(self: NDArray, other: Any) -> NDArray:
        return _scalar(scalar_op, self, other)

    return operator


# Operators whose torch in-place form means the same on floating tensors.
_IN_PLACE: dict[str, Callable[..., torch.Tensor]] = {
    "add": torch.Tensor.add_,
    "sub": torch.Tensor.sub_,
    "mul": torch.Tensor.mul_,
    "truediv": torch.Tensor.div_,
}


def _inplace(symbol: str, array_op: OpDef, scalar_op: OpDef) -> Callable[[NDArray, Any], NDArray]:
    quick = _IN_PLACE.get(symbol)

    def operator(self: NDArray, other: Any) -> NDArray:
        check_writable(self)
        if not self._writable:
            raise MXNetTypeError("trying to write to a read-only NDArray")
        mine = self._data
        if isinstance(other, NDArray):
            if state.recording and other._var is not None and tensor_in_graph(other).requires_grad:
                raise MXNetError(INPLACE)
            alike = self._ctx is other._ctx and other.__class__ is self.__class__
            if quick is not None and alike and not state.recording and mine.is_floating_point():
                theirs = other._data
                if theirs.dtype is mine.dtype and theirs.shape == mine.shape:
                    quick(mine, theirs)
                    return self
            return invoke_any(array_op, (self, other), {}, out=self)
        if quick is not None and other.__class__ in _NUMBERS and not state.recording and mine.dtype in _EXACT:
            quick(mine, _as_tensor(other, mine.dtype))
            return self
        if isinstance(other, _SCALARS):
            return invoke_any(scalar_op, (self,), {"scalar": other}, out=self)
        return _scalar(scalar_op, self, other)

    return operator


def install_operators(kind: type[NDArray], arithmetic: Mapping[str, Any], comparison: Mapping[str, Any]) -> None:
    """Gives a class of arrays its Python operators, from tables such as those in ``ops/methods.py``."""

    def put(name: str, function: Callable) -> None:
        function.__name__ = name
        function.__qualname__ = f"{kind.__name__}.{name}"
        setattr(kind, name, function)

    for symbol, (array_op, scalar_op, reflected_op, *_) in arithmetic.items():
        forward = _binary(get(array_op), get(scalar_op), kind)
        backward = _reflected(get(reflected_op))
        put(f"__{symbol}__", forward)
        if scalar_op == reflected_op:  # a + 2 is 2 + a
            backward = _binary(get(array_op), get(scalar_op), kind)
        put(f"__r{symbol}__", backward)
        if symbol == "pow":  # x **= 2 makes a new array, as in the original: names and views of x keep the old one
            continue
        inplace = _inplace(symbol, get(array_op), get(scalar_op))
        put(f"__i{symbol}__", inplace)
        if symbol == "truediv":
            kind.__div__, kind.__rdiv__, kind.__idiv__ = forward, backward, inplace  # type: ignore[attr-defined]
    for symbol, (array_op, scalar_op, *_) in comparison.items():
        put(f"__{symbol}__", _binary(get(array_op), get(scalar_op), kind))


def function(op: OpDef, name: str, module: str) -> Callable[..., Any]:
    """The public function of an operator on NDArrays."""
    return public_function(op, name, module, invoke, shortcut)


def install() -> None:
    """Completes the class; called once, when the operators are registered."""
    install_operators(NDArray, ARITHMETIC, COMPARISON)
    add_fluent_methods(NDArray, lambda name: function(get(name), name, "mxnet.ndarray"))
