"""Contributed operators: ``mx.nd.contrib``. Control flow and what takes lists of arrays is written out here."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.nested import as_limit, flat, map_nested, shaped_like, two_parts
from .._core.types import Device
from ..context import current_context
from ..error import MXNetIndexError, MXNetValueError
from ..ops.methods import adamw_functions
from .creation import array, full
from .gate import call
from .ndarray import NDArray
from .random import uniform  # noqa: F401  (a name of the original)

if TYPE_CHECKING:  # what is made of operators
    from .derived_contrib import *  # noqa: F403

# ---- control flow ----------------------------------------------------------------------------------------------------


def foreach(body: Callable[[Any, Any], tuple[object, object]], data: object, init_states: object) -> tuple[Any, Any]:
    """Runs ``outputs, states = body(slice, states)`` for each slice of ``data`` along the first axis.

    Returns the outputs of all steps, stacked, and the states of the last. ``data``, states and outputs are arrays or
    (nested) lists of them.
    """
    arrays = flat(data, NDArray, "foreach input")
    flat(init_states, NDArray, "foreach states")
    if not arrays or not all(a.ndim and len(a) for a in arrays):
        raise MXNetIndexError("foreach: data must have at least one array, with at least one slice each")
    steps = len(arrays[0])
    if any(a.shape[0] != steps for a in arrays):
        raise MXNetValueError(f"foreach: the arrays of data differ in their first axis: {[a.shape for a in arrays]}")
    states: Any = init_states
    outputs: list[Any] = []
    for i in range(steps):
        output, states = two_parts(body(map_nested(operator.itemgetter(i), data), states), "foreach: the body")
        outputs.append(output)
    return _stack_steps(outputs, "foreach output"), states


def while_loop(
    cond: Callable[..., object], func: Callable[..., object], loop_vars: Any, max_iterations: int | None = None
) -> Any:
    """Runs ``output, loop_vars = func(*loop_vars)`` while ``cond(*loop_vars)`` holds, ``max_iterations`` times at most.

    Returns the outputs of all steps, stacked and filled up with zeros to ``max_iterations``, and the final variables.
    If the loop never runs, there are no outputs.
    """
    limit = as_limit(max_iterations)
    single = isinstance(loop_vars, NDArray)
    variables = [loop_vars] if single else list(loop_vars)
    if not variables:
        raise MXNetValueError("loop_vars should contain at least one element")
    outputs: list[Any] = []
    while len(outputs) < limit and _truth(cond(*variables)):
        output, changed = two_parts(func(*variables), "while_loop: func")
        outputs.append([] if output is None else output)
        following = list(changed) if isinstance(changed, list | tuple) else flat(changed or [], NDArray, "while output")
        if len(following) != len(variables):
            raise MXNetValueError("The length of loop_vars should be consistent during the loop")
        variables = following
    stacked = _stack_steps(outputs, "while output") if outputs else []
    if outputs and len(outputs) < limit:
        stacked = map_nested(lambda a: call("Concat", a, _zeros_for(a, limit), dim=0), stacked)
    return stacked, variables[0] if single else variables


def cond(pred: object, then_func: Callable[[], object], else_func: Callable[[], object]) -> Any:
    """``then_func()`` if the scalar ``pred`` is true, else ``else_func()``."""
    return then_func() if _truth(pred) else else_func()


def _truth(value: object) -> bool:
    return bool(value.asscalar()) if isinstance(value, NDArray) else bool(value)


def _zeros_for(array: NDArray, limit: int) -> NDArray:
    return full((limit - array.shape[0], *array.shape[1:]), 0, ctx=array._ctx, dtype=array.dtype)


def _stack_steps(values: Sequence[object], what: str) -> object:
    """The outputs of all steps, one by one stacked."""
    columns = zip(*(flat(value, NDArray, what) for value in values), strict=True)
    return shaped_like(values[0], [call("stack", *column, axis=0) for column in columns])


# ---- tests of numbers ------------------------------------------------------------------------------------------------


def isinf(data: NDArray) -> NDArray:
    """1 where an element is positive or negative infinity, 0 elsewhere."""
    return call("_equal_scalar", abs(data), scalar=np.inf)


def isfinite(data: NDArray) -> NDArray:
    """1 where an element is neither infinite nor NaN, 0 elsewhere."""
    return call("broadcast_logical_and", data == data, abs(data) != np.inf)


def isnan(data: NDArray) -> NDArray:
    """1 where an element is NaN, 0 elsewhere."""
    return call("broadcast_not_equal", data, data)


# ---- random ----------------------------------------------------------------------------------------------------------


def rand_zipfian(true_classes: NDArray, num_sampled: int, range_max: int, ctx: Device = None) -> tuple[NDArray, ...]:
    """Samples classes from an approximately Zipfian distribution, with replacement.

    ``P(class) = (log(class + 2) - log(class + 1)) / log(range_max + 1)``. Returns the samples (int64) and how often
    each true class and each sample is expected to occur (float64).
    """
    log_range = math.log(range_max + 1)
    ctx = ctx or current_context()
    numbers = call("_random_uniform", low=0.0, high=log_range, shape=(num_sampled,), dtype="float64", ctx=ctx)
    sampled = (numbers.exp() - 1).astype("int64") % range_max

    def expected_count(given: NDArray) -> NDArray:
        classes: Any = given.as_in_context(ctx).astype("float64")
        return ((classes + 2.0) / (classes + 1.0)).log() / log_range * num_sampled

    return sampled, expected_count(true_classes), expected_count(sampled)


# ---- updates of many weights -----------------------------------------------------------------------------------------


def _scale(rescale_grad: object, like: NDArray) -> NDArray:
    if isinstance(rescale_grad, NDArray):
        return rescale_grad.as_in_context(like.context)
    return array([rescale_grad], ctx=like.context)


def _adamw(operator: str, *inputs: NDArray, name: str | None = None, **attrs: object) -> NDArray:
    return call(operator, *inputs, **attrs)


adamw_update, mp_adamw_update = adamw_functions(__name__, _adamw, _scale)


def _interleave(*lists: Sequence[NDArray]) -> list[NDArray]:
    if len({len(arrays) for arrays in lists}) != 1:
        raise MXNetValueError(f"lists of {', '.join(str(len(arrays)) for arrays in lists)} arrays do not go together")
    return [a for group in zip(*lists, strict=True) for a in group]


def multi_adamw_update(
    weights: Any, grads: Any, mean: Any, var: Any, rescale_grad: Any, lrs: Any, wds: Any, etas: Any,
    out: Any = None, name: str | None = None, size: int = 0, **kwargs: Any,
) -> Any:  # fmt: skip
    """One step of AdamW for each of a list of weights; see ``adamw_update``."""
    inputs = [*_interleave(weights, grads, mean, var), _scale(rescale_grad, weights[0])]
    count = size or len(weights)
    return call("_multi_adamw_update", *inputs, out=out, num_weights=count, lrs=lrs, wds=wds, etas=etas, **kwargs)


def multi_mp_adamw_update(
    weights: Any, grads: Any, mean: Any, var: Any, weights32: Any, rescale_grad: Any, lrs: Any, wds: Any, etas: Any,
    out: Any = None, name: str | None = None, size: int = 0, **kwargs: Any,
) -> Any:  # fmt: skip
    """One step of AdamW for each of a list of float16 weights with float32 master copies."""
    inputs = [*_interleave(weights, grads, mean, var, weights32), _scale(rescale_grad, weights[0])]
    count = size or len(weights)
    return call("_multi_mp_adamw_update", *inputs, out=out, num_weights=count, lrs=lrs, wds=wds, etas=etas, **kwargs)


def multi_lamb_update(
    weights: Any, grads: Any, mean: Any, var: Any, step_count: Any, lrs: Any, wds: Any,
    out: Any = None, num_tensors: int = 0, **kwargs: Any,
) -> Any:  # fmt: skip
    """One step of LAMB for each of a list of weights."""
    facts = {"num_tensors": num_tensors or len(weights), "step_count": step_count, "learning_rates": lrs, "wds": wds}
    return call("_multi_lamb_update", *_interleave(weights, grads, mean, var), out=out, **facts, **kwargs)


def multi_mp_lamb_update(
    weights: Any, grads: Any, mean: Any, var: Any, weights32: Any, step_count: Any, lrs: Any, wds: Any,
    out: Any = None, num_tensors: int = 0, **kwargs: Any,
) -> Any:  # fmt: skip
    """One step of LAMB for each of a list of float16 weights with float32 master copies."""
    facts = {"num_tensors": num_tensors or len(weights), "step_count": step_count, "learning_rates": lrs, "wds": wds}
    return call("_multi_mp_lamb_update", *_interleave(weights, grads, mean, var, weights32), out=out, **facts, **kwargs)
