"""Random numbers: ``mx.nd.random``.

The parameters of a distribution are numbers, or NDArrays of one shape; for each of their elements ``shape`` numbers are
drawn. ``out`` is an array to write into: it then decides shape, dtype and context where they are not given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base import _Null
from ..ops.random.functions import NAMES, Functions
from ..ops.registry import get
from .gate import call, invoke
from .ndarray import NDArray

if TYPE_CHECKING:  # what is made of operators
    from .derived_random import *  # noqa: F403

__all__ = [*NAMES]


class _Eager(Functions[NDArray]):
    array = NDArray

    def create(self, operator: str, attributes: dict[str, Any], shape: Any, dtype: Any, ctx: Any, out: Any) -> Any:
        if shape is _Null:
            shape = (1,) if out is None else out.shape
        attributes["shape"] = shape
        if dtype is not _Null:
            attributes["dtype"] = dtype
        elif out is not None:
            attributes["dtype"] = out.dtype
        if ctx is not None:
            attributes["ctx"] = ctx
        return invoke(get(operator), (), attributes, out)

    def call(self, operator: str, *inputs: object, out: object = None, **attributes: object) -> Any:
        return call(operator, *inputs, out=out, **attributes)

    def rate_of(self, scale: NDArray) -> NDArray:
        return super().rate_of(scale if scale._data.is_floating_point() else scale.astype("float32"))


_functions = _Eager()
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
