"""Fluent methods and Python operators that NDArray and Symbol share, as tables of operator names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Methods named like their operator: x.sin() is op sin applied to x.
FLUENT = """
abs arccos arccosh arcsin arcsinh arctan arctanh argmax argmax_channel argmin argsort broadcast_axes
broadcast_like cbrt ceil clip cos cosh degrees depth_to_space diag exp expand_dims expm1 fix flatten flip
floor log log10 log1p log2 log_softmax max mean min nanprod nansum norm one_hot ones_like pad pick prod
radians rcbrt reciprocal relu repeat reshape_like rint round rsqrt shape_array sigmoid sign sin sinh
size_array slice slice_axis slice_like softmax softmin sort space_to_depth sqrt square squeeze sum swapaxes
take tan tanh tile topk transpose trunc zeros_like
""".split()

# Python operator: (operator for two arrays, for array and scalar, for scalar and array)
ARITHMETIC = {
    "add": ("broadcast_add", "_plus_scalar", "_plus_scalar"),
    "sub": ("broadcast_sub", "_minus_scalar", "_rminus_scalar"),
    "mul": ("broadcast_mul", "_mul_scalar", "_mul_scalar"),
    "truediv": ("broadcast_div", "_div_scalar", "_rdiv_scalar"),
    "mod": ("broadcast_mod", "_mod_scalar", "_rmod_scalar"),
    "pow": ("broadcast_power", "_power_scalar", "_rpower_scalar"),
}
COMPARISON = {
    "eq": ("broadcast_equal", "_equal_scalar"),
    "ne": ("broadcast_not_equal", "_not_equal_scalar"),
    "gt": ("broadcast_greater", "_greater_scalar"),
    "ge": ("broadcast_greater_equal", "_greater_equal_scalar"),
    "lt": ("broadcast_lesser", "_lesser_scalar"),
    "le": ("broadcast_lesser_equal", "_lesser_equal_scalar"),
}


def add_fluent_methods(cls: type, function_of: Callable[[str], Callable[..., Any]]) -> None:
    """Gives ``cls`` a method for each name in FLUENT, unless it has one of its own: the operator's function itself."""
    for name in FLUENT:
        if not hasattr(cls, name):
            method = function_of(name)
            method.__qualname__ = f"{cls.__name__}.{name}"
            setattr(cls, name, method)
