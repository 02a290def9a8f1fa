"""What NDArray and Symbol share: fluent methods and Python operators as tables of names, the functions of AdamW."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._core.signature import takes
from .types import Kernel

# Methods named like their operator: x.sin() is op sin applied to x.
FLUENT = """
abs arccos arccosh arcsin arcsinh arctan arctanh argmax argmax_channel argmin argsort broadcast_axes
broadcast_like cbrt ceil clip cos cosh degrees depth_to_space diag exp expand_dims expm1 fix flatten flip
floor log log10 log1p log2 log_softmax max mean min nanprod nansum norm one_hot ones_like pad pick prod
radians rcbrt reciprocal relu repeat reshape_like rint round rsqrt shape_array sigmoid sign sin sinh
size_array slice slice_axis slice_like softmax softmin sort space_to_depth sqrt square squeeze sum swapaxes
take tan tanh tile topk transpose trunc zeros_like
""".split()

# Python operator: operators for two arrays, for array and scalar, for scalar and array; for two symbols of one shape
ARITHMETIC = {
    "add": ("broadcast_add", "_plus_scalar", "_plus_scalar", "elemwise_add"),
    "sub": ("broadcast_sub", "_minus_scalar", "_rminus_scalar", "elemwise_sub"),
    "mul": ("broadcast_mul", "_mul_scalar", "_mul_scalar", "elemwise_mul"),
    "truediv": ("broadcast_div", "_div_scalar", "_rdiv_scalar", "elemwise_div"),
    "mod": ("broadcast_mod", "_mod_scalar", "_rmod_scalar", "_mod"),
    "pow": ("broadcast_power", "_power_scalar", "_rpower_scalar", "_power"),
}
COMPARISON = {
    "eq": ("broadcast_equal", "_equal_scalar", "_equal"),
    "ne": ("broadcast_not_equal", "_not_equal_scalar", "_not_equal"),
    "gt": ("broadcast_greater", "_greater_scalar", "_greater"),
    "ge": ("broadcast_greater_equal", "_greater_equal_scalar", "_greater_equal"),
    "lt": ("broadcast_lesser", "_lesser_scalar", "_lesser"),
    "le": ("broadcast_lesser_equal", "_lesser_equal_scalar", "_lesser_equal"),
}


def add_fluent_methods(cls: type, function_of: Callable[[str], Kernel]) -> None:
    """Gives ``cls`` a method for each name in FLUENT, unless it has one of its own: the operator's function itself."""
    for name in FLUENT:
        if not hasattr(cls, name):
            method = function_of(name)
            method.__qualname__ = f"{cls.__name__}.{name}"
            setattr(cls, name, method)


def adamw_functions(module: str, run: Kernel, scale: Callable[[Any, Any], Any]) -> tuple[Callable, ...]:
    """``adamw_update`` and ``mp_adamw_update`` of a module.

    ``run`` takes the operator's name, its inputs and attributes; ``scale(value, like)`` makes an input of a number.
    """

    def adamw_update(
        weight: Any,
        grad: Any,
        mean: Any,
        var: Any,
        rescale_grad: Any,
        lr: float,
        eta: float,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        wd: float = 0,
        clip_gradient: float = -1,
        out: Any = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """One step of AdamW; ``mean`` and ``var`` are changed.

        ``rescale_grad`` is a number, or an array (a symbol) of one; if it is 0 or not finite, nothing is done.
        """
        rates = dict(lr=lr, eta=eta, beta1=beta1, beta2=beta2, epsilon=epsilon, wd=wd, clip_gradient=clip_gradient)
        inputs = weight, grad, mean, var, scale(rescale_grad, weight)
        return run("_adamw_update", *inputs, **rates, out=out, name=name, **kwargs)

    @takes(adamw_update)
    def mp_adamw_update(
        weight: Any, grad: Any, mean: Any, var: Any, weight32: Any, rescale_grad: Any, **given: Any
    ) -> Any:
        """One step of AdamW for a float16 weight with its float32 master copy; see ``adamw_update``."""
        return run("_mp_adamw_update", weight, grad, mean, var, weight32, scale(rescale_grad, weight), **given)

    for function in (adamw_update, mp_adamw_update):
        function.__module__, function.__qualname__ = module, function.__name__
    return adamw_update, mp_adamw_update
