"""Calls of operators that were made before: only their arrays are new.

What the rest of the arguments means (numbers, words and tuples, by position or by name) is found out once and kept by
its literal form. Calls that are anything else than a kernel on dense arrays of one kind on one context are left to
``invoke``, and so are those that fail.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch

from .._rng import generator
from ..error import MXNetError
from ..ops.calling import count_inputs
from ..ops.derive import bind_arguments
from ..ops.registry import OpDef, get, is_plain
from ..ops.types import Kernel, Keywords
from .gate import FAILURES, call, copy_if_aliased, intercepted, leave
from .ndarray import NDArray, record_result
from .tape import noting, state, tensor_in_graph

__all__ = ["prepare"]

#: ``bind(args, kwargs)`` gives the operator that a call means, its inputs and its attributes.
Bind = Callable[[Sequence[Any], Keywords], tuple[OpDef, Sequence[Any], Keywords]]
#: How many different calls of a function are kept.
_KEPT = 1024
#: What a call can supply by itself.
_SUPPLIED = frozenset(("_train", "_rng"))
_UNKNOWN: Any = object()
_new, _Tensor = object.__new__, torch.Tensor
_dumps: Callable[[Any, int], bytes] = marshal.dumps


@dataclass(frozen=True, slots=True, eq=False)
class _Call:
    """An operator with its attributes. ``order`` has the place of each input among the arrays that were given."""

    kernel: Kernel
    predict: Keywords
    train: Keywords
    order: tuple[int, ...] | None
    view: bool
    random: bool


def prepare(kind: type[NDArray], bind: Bind) -> Callable[[Sequence[Any], Keywords], Any]:
    """A function of the arguments of a call, which gives its results, or None: then it is a matter for ``invoke``."""
    calls: dict[bytes, Any] = {}

    def run(args: Sequence[Any], kwargs: Keywords) -> Any:
        count = 0
        for value in args:
            if value.__class__ is not kind:
                break
            count += 1
        names: tuple[str, ...] = ()
        try:
            # exact, where == is not: 1 == 1.0 == True, 0.0 == -0.0
            key = _dumps((count, args[count:], kwargs), 2)
        except ValueError:  # an array by its name, or what is no plain data
            names = tuple([name for name, value in kwargs.items() if value.__class__ is kind])
            if not names:
                return None
            try:
                key = _dumps((count, args[count:], names, {n: v for n, v in kwargs.items() if n not in names}), 2)
            except ValueError:
                return None
        arrays: Any = args if count == len(args) else args[:count]
        if names:
            arrays = (*arrays, *[kwargs[name] for name in names])
        call = calls.get(key, _UNKNOWN)
        if call is _UNKNOWN:
            rest = [*args[count:], *[value for name, value in kwargs.items() if name not in names]]
            if len(calls) >= _KEPT or not is_plain(rest):
                return None
            call = calls[key] = _learn(kind, args[count:], kwargs, count, names, bind)
        if call is None or intercepted:
            return None
        context = arrays[0]._ctx
        taped = False
        for array in arrays:
            if array._ctx is not context:
                return None
            if array._var is not None or array._ties:
                taped = True
        if taped and state.recording:
            if noting:
                return None
            values: list[Any] = [tensor_in_graph(array) for array in arrays]
        else:
            taped = False
            values = [array._data for array in arrays]
        if call.order is not None:
            values = [None if i < 0 else values[i] for i in call.order]
        attrs = call.train if state.training else call.predict
        if call.random:
            attrs = {**attrs, "_rng": generator(context)}
        try:
            result = call.kernel(*values, **attrs)
        except MXNetError:
            raise
        except FAILURES:
            return None
        if result.__class__ is _Tensor:
            if call.view:
                result = copy_if_aliased(result, values)
            if taped:
                return record_result(result, context, kind, arrays)
            made = _new(kind)
            made._data = result
            made._ctx = context
            return made
        several = isinstance(result, list | tuple)
        results = result if several else (result,)
        if call.view:
            results = [copy_if_aliased(each, values) for each in results]
        found = [leave(each, context, kind, arrays) for each in results]
        return found if several else found[0]

    return run


def _learn(
    kind: type[NDArray], rest: Sequence[Any], kwargs: Keywords, count: int, names: Sequence[str], bind: Bind
) -> _Call | None:
    """What a call means, if it is nothing but a kernel on arrays and attributes.

    So many arrays come first, then the ``rest`` of the positions; those in ``names`` are arrays, too.
    """
    if "out" in kwargs or "attr" in kwargs or not count + len(names):
        return None
    tokens = [_new(kind) for _ in range(count + len(names))]
    given = {**kwargs, **dict(zip(names, tokens[count:], strict=True))}
    try:
        op, inputs, attrs = bind((*tokens[:count], *rest), given)
        parsed = op.parse(attrs)
        places = {id(token): place for place, token in enumerate(tokens)}
        order = [-1 if value is None else places[id(value)] for value in inputs]
    except (MXNetError, LookupError, *FAILURES):  # the call goes the long way, which tells
        return None
    if op.aux or op.mutates or not op.supplied <= _SUPPLIED or op.fixed_inputs(parsed):
        return None
    if len(order) < op.required or -1 in order[: op.required]:
        return None
    if op.count is not None and op.active is None and parsed[op.count] != count_inputs(op, len(order)):
        return None
    learning = "_train" in op.supplied
    return _Call(
        op.kernel,
        {**parsed, "_train": False} if learning else parsed,
        {**parsed, "_train": True} if learning else parsed,
        None if order == list(range(len(tokens))) else tuple(order),
        op.view,
        "_rng" in op.supplied,
    )


@lru_cache(None)
def _method(kind: Any, name: str) -> Callable[[Sequence[Any], Keywords], Any]:
    op = get(name)
    return prepare(kind, lambda args, kwargs: (op, *bind_arguments(op, args, kwargs)))


def _run(self: NDArray, name: str, *args: object, **kwargs: object) -> object:
    """Runs an operator by name on this array, with arguments as its public function takes them."""
    kind: Any = self.__class__
    made = None if self._is_sparse else _method(kind, name)((self, *args), kwargs)
    return call(name, self, *args, **kwargs) if made is None else made


NDArray._run = _run  # type: ignore[method-assign]
