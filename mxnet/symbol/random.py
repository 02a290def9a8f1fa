"""Random numbers: ``mx.sym.random``. Parameters are numbers, or symbols for each element of which numbers are drawn."""

from __future__ import annotations

from ..base import _Null
from ..error import MXNetTypeError
from ..ops.random.functions import NAMES, Functions, without_null
from ..ops.types import DtypeLike, Keywords, OpenShape
from .operators import apply
from .symbol import Symbol

__all__ = [*NAMES]


class _Symbolic(Functions[Symbol]):
    array = Symbol

    def create(
        self, operator: str, attributes: Keywords, shape: OpenShape, dtype: DtypeLike, ctx: object, out: object
    ) -> Symbol:
        return self.call(
            operator, out=out, **attributes, **without_null(shape=shape, dtype=dtype, ctx=_Null if ctx is None else ctx)
        )

    def call(self, operator: str, *inputs: Symbol, out: object = None, **attributes: object) -> Symbol:
        if out is not None:
            raise MXNetTypeError("a symbol has no array to write to: bind it, and take its outputs, instead of out=")
        return apply((operator, operator), *inputs, **attributes)

    def multinomial(
        self,
        data: Symbol,
        shape: OpenShape = _Null,
        get_prob: bool = True,
        dtype: DtypeLike = "int32",
        **kwargs: object,
    ) -> Symbol:  # type: ignore[override]
        """Indices drawn by the probabilities in the last axis of ``data``; with ``get_prob`` also their logarithms."""
        return super().multinomial(data, shape, get_prob, dtype=dtype, **kwargs)


_functions = _Symbolic()
exponential = _functions.exponential
gamma = _functions.gamma
generalized_negative_binomial = _functions.generalized_negative_binomial
multinomial = _functions.multinomial
negative_binomial = _functions.negative_binomial
normal = _functions.normal
poisson = _functions.poisson
randint = _functions.randint
randn = _functions.randn
shuffle = _functions.shuffle
uniform = _functions.uniform
