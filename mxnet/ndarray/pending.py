"""Arrays whose values are still on their way.

Whoever reads or writes an array, by whatever route, asks for its memory (``_data``) or for its place in a graph
(``_var``). An array that waits has neither: it is of a subclass that has properties in their place, which first call
what brings the values. So arrays that do not wait pay nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import torch

from .._core import memory
from .ndarray import NDArray

__all__ = ["bringer", "give_back", "waiters", "withheld", "withhold"]

#: What ``waitall`` calls: functions that bring all values that are on their way.
waiters: list[Callable[[], object]] = []

_uses = torch.Tensor._use_count  # type: ignore[attr-defined]
#: The references to a tensor that only its array and the functions below hold.
_ALONE = 3


def _memory(array: Any) -> torch.Tensor:
    _bring(array)
    return array._data


def _set_memory(array: Any, tensor: torch.Tensor) -> None:
    _bring(array)
    array._data = tensor


def _place(array: Any) -> Any:
    _bring(array)
    return array._var


def _set_place(array: Any, place: Any) -> None:
    _bring(array)
    array._var = place


def _bring(array: Any) -> None:
    bring = array.__dict__.get("_bring")
    if bring is not None:
        bring()
    else:  # a new array of the class of one that waited, or another thread was faster
        array.__class__ = _own_class(array)


def _own_class(array: Any) -> Any:
    return getattr(type(array), "_waits_for", type(array))


@lru_cache(None)
def _class_for(kind: Any) -> Any:
    names = {
        "__module__": kind.__module__,
        "__qualname__": kind.__qualname__,
        "__doc__": kind.__doc__,
        "_waits_for": kind,
        "_data": property(_memory, _set_memory),
        "_var": property(_place, _set_place),
    }
    return type(kind)(kind.__name__, (kind,), names)


def withhold(array: NDArray, bring: Callable[[], object]) -> torch.Tensor | None:
    """Takes an array's memory out of reach and returns it, to write to; ``bring`` is called when it is needed.

    ``bring`` has to end with ``give_back``. None if the memory can be reached by another way than through this array
    (a view, a graph that has not been differentiated yet, torch, NumPy): then nothing is changed.
    """
    data, var = array._data, array._var
    # a leaf, at rest, is no way to the memory but through its array or through the executor, which asks the array
    leaves = [each for each in (var, array._bound) if each is not None]
    if any(not isinstance(each, torch.Tensor) or not each.is_leaf or _uses(each) > 1 for each in leaves):
        return None
    if var is not None and sys.getrefcount(var) > _ALONE + 1:  # one of them in the list
        return None
    if sys.getrefcount(data) > _ALONE or _uses(data) > 1 or not memory.is_alone(data, len(leaves)):
        return None
    values = array.__dict__
    values["_bring"] = bring
    values["_withheld"] = data, var
    array.__class__ = _class_for(type(array))  # type: ignore[arg-type]
    del values["_data"]
    values.pop("_var", None)
    return data


def bringer(array: NDArray) -> Callable[[], object] | None:
    """What brings the values of an array that waits; None if it does not."""
    return array.__dict__.get("_bring")


def withheld(array: NDArray) -> torch.Tensor:
    """The memory of an array, without waiting: to look at its shape."""
    waiting = array.__dict__.get("_withheld")
    return array._data if waiting is None else waiting[0]


def give_back(array: NDArray) -> None:
    """Makes an array what it was before ``withhold``, with what has been written to its memory."""
    values = array.__dict__
    data, var = values.pop("_withheld")
    values["_data"] = data
    if var is not None:
        values["_var"] = var
    del values["_bring"]
    array.__class__ = _own_class(array)
