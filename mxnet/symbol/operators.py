"""Gives Symbol its Python operators and fluent methods, and what an NDArray has but a Symbol cannot have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..base import NotImplementedForSymbol
from ..error import MXNetTypeError
from ..ops.derive import public_function
from ..ops.methods import ARITHMETIC, COMPARISON, add_fluent_methods
from ..ops.registry import get
from ..ops.types import DtypeLike, Keywords, OpenShape
from .symbol import Symbol, compose

_SCALARS = (int, float, np.generic)

_ONLY_NDARRAY = (
    "wait_to_read asnumpy asscalar copy as_in_context as_in_ctx detach backward __bool__ __setitem__ attach_grad"
).split()


def apply(spec: tuple[str, str], *inputs: Symbol, name: str | None = None, **attrs: object) -> Symbol:
    """Composes an operator given as (name, name hint)."""
    return compose(get(spec[0]), inputs, attrs, name=name, hint=spec[1])


def _binary(both: tuple[str, str], scalar: tuple[str, str]) -> Callable[[Symbol, object], Symbol]:
    def operator(self: Symbol, other: object) -> Symbol:
        if isinstance(other, Symbol):
            return apply(both, self, other)
        return _with_scalar(scalar, self, other)

    return operator


def _with_scalar(scalar: tuple[str, str], symbol: Symbol, other: object) -> Symbol:
    if isinstance(other, _SCALARS):
        return apply(scalar, symbol, scalar=other)
    advice = "expected a Symbol or a number"
    if hasattr(other, "asnumpy"):
        advice += (
            ". A symbol stands for an array that is not there yet, as in hybrid_forward of a hybridized block: pass "
            "the array as an input, or make it a parameter by self.params.get_constant(name, array)"
        )
    raise MXNetTypeError(f"type {type(other)} not supported: {advice}")


def _set(name: str, function: Callable[..., object]) -> None:
    function.__name__ = name
    function.__qualname__ = f"Symbol.{name}"
    setattr(Symbol, name, function)


def _reflect(scalar: tuple[str, str]) -> Callable[[Symbol, object], Symbol]:
    return lambda self, other: _with_scalar(scalar, self, other)


def _refusal(name: str) -> Callable[..., object]:
    def method(self: Symbol, *args: object, **kwargs: Any) -> object:
        raise NotImplementedForSymbol(method, name)

    method.__doc__ = f"Not available: ``{name}`` needs values, which only an NDArray has."
    return method


def _reshape(self: Symbol, *args: object, **kwargs: Any) -> Symbol:
    """The same as the operator ``reshape``; the shape may be given as a tuple or as several numbers."""
    if args:
        kwargs["shape"] = tuple(args[0]) if len(args) == 1 and isinstance(args[0], list | tuple | np.ndarray) else args
    return apply(("Reshape", "reshape"), self, **kwargs)


def _without_inplace(function: Callable[..., Symbol]) -> Callable[..., Symbol]:
    """For methods that take ``inplace`` on arrays: a symbol has no memory, so it means nothing here."""

    def method(self: Symbol, *args: object, inplace: bool = False, **kwargs: Any) -> Symbol:
        return function(self, *args, **kwargs)

    method.__doc__ = function.__doc__
    return method


def _split_v2(
    self: Symbol, indices_or_sections: int | Sequence[int], axis: int = 0, squeeze_axis: bool = False
) -> Symbol:
    """Splits into equal sections (a number) or at indices (a tuple)."""
    indices: tuple[int, ...] = ()
    sections = 0
    if isinstance(indices_or_sections, int):
        sections = indices_or_sections
    elif isinstance(indices_or_sections, tuple | list):
        indices = (0, *indices_or_sections)
    else:
        raise MXNetTypeError("indices_or_sections must either be an int or a tuple of ints")
    attrs: Keywords = dict(indices=indices, axis=axis, squeeze_axis=squeeze_axis, sections=sections)
    return apply(("_split_v2", "_split_v2"), self, **attrs)


def _astype(self: Symbol, dtype: DtypeLike) -> Symbol:
    """The same values in another type: ``x.astype('float16')``."""
    return apply(("Cast", "cast"), self, dtype=np.dtype(dtype).name)


def _broadcast_to(self: Symbol, shape: OpenShape) -> Symbol:
    """Repeats axes of size 1 until the result has this shape."""
    return apply(("broadcast_to", "broadcast_to"), self, shape=shape)


def install() -> None:
    """Completes the class; called once, when the operators are registered."""
    for symbol, (_, scalar, reflected, both) in ARITHMETIC.items():
        hint = scalar.removesuffix("_scalar")  # nodes are called _plus0, _plusscalar0 and _rminusscalar0
        _set(f"__{symbol}__", _binary((both, hint), (scalar, f"{hint}scalar")))
        reflected_hint = reflected if symbol == "pow" else reflected.replace("_scalar", "scalar")
        _set(f"__r{symbol}__", _reflect((reflected, reflected_hint)))
    for symbol, (_, scalar, both) in COMPARISON.items():
        _set(f"__{symbol}__", _binary((both, both), (scalar, scalar)))
    Symbol.__hash__ = None  # type: ignore[assignment]
    _set("__neg__", lambda self: apply(("_mul_scalar", "_mulscalar"), self, scalar=-1.0))
    _set("__abs__", lambda self: apply(("abs", "abs"), self))
    _set("astype", _astype)
    _set("broadcast_to", _broadcast_to)
    _set("reshape", _reshape)
    for name in _ONLY_NDARRAY:
        _set(name, _refusal(name))
    add_fluent_methods(
        Symbol, lambda name: public_function(get(name), name, "mxnet.symbol", partial(compose, hint=name.lower()))
    )
    split = public_function(get("split"), "split", "mxnet.symbol", partial(compose, hint="split"))
    _set("split", split)
    _set("split_v2", _split_v2)
    for name in ("expand_dims", "squeeze", "flatten"):
        _set(name, _without_inplace(getattr(Symbol, name)))
