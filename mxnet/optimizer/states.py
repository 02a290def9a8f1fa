"""Reading optimizer states. Files of them are pickles; ``plain_pickle`` reads them without running anything of them.

What is made of such a file are arrays, contexts, optimizers and schedulers, each by a function here that checks what it
is given; classes of optimizers and schedulers are those of this package and those that the program has defined.
"""

from __future__ import annotations

import importlib
import sys
from math import prod
from numbers import Number
from types import UnionType
from typing import Any

import numpy as np
import torch

from .._core.plain_pickle import Builder, Call, Maker, Name, Pairs, loads
from ..context import Context
from ..error import MXNetError
from ..graph.limits import refuse_large_array
from ..lr_scheduler import LRScheduler
from ..ndarray import NDArray
from ..ndarray.ndarray import wrap
from ..ndarray.serialize import array_from_bytes
from ..ops.sparse_values import CSR, RowSparse, Sparse
from .base import Optimizer

__all__ = ["read_states"]

_ARRAYS = {
    Name("mxnet.ndarray.ndarray", "NDArray"),
    Name("mxnet.ndarray", "NDArray"),
    Name("mxnet.numpy.multiarray", "ndarray"),
    # read as dense arrays
    Name("mxnet.ndarray.sparse", "RowSparseNDArray"),
    Name("mxnet.ndarray.sparse", "CSRNDArray"),
}
_CONTEXT = Name("mxnet.context", "Context")
_RECONSTRUCTORS = {Name("copyreg", "_reconstructor"), Name("copy_reg", "_reconstructor")}
_OBJECTS = {Name("builtins", "object"), Name("__builtin__", "object")}
_HOMES = ("mxnet.optimizer.optimizer", "mxnet.optimizer", "mxnet.optimizer.contrib", "mxnet.lr_scheduler")
#: What the attributes of optimizers are, if they are not None.
_KINDS: dict[str, type | UnionType] = {
    **dict.fromkeys(("rescale_grad", "lr", "wd", "clip_gradient"), Number | np.number | NDArray),
    **dict.fromkeys(("begin_num_update", "num_update", "aggregate_num"), int | np.integer),
    **dict.fromkeys(("lr_mult", "wd_mult", "idx2name", "_index_update_count", "_all_index_update_counts"), dict),
    "lr_scheduler": LRScheduler,
    "sym_info": tuple,
}


def _find(name: Name) -> Maker | None:
    if name in _RECONSTRUCTORS:
        return _reconstruct
    if name in _ARRAYS:
        return _array
    if name == _CONTEXT:
        return _context
    return None if _class_named(name) is None else _instance


def _class_named(name: Name) -> type[Optimizer] | type[LRScheduler] | None:
    """An optimizer or scheduler: of this package, or of the program if it has defined it already."""
    if name.module in _HOMES:
        importlib.import_module(name.module)
    found = getattr(sys.modules.get(name.module), "__dict__", {}).get(name.name)
    return found if isinstance(found, type) and issubclass(found, Optimizer | LRScheduler) else None


def _reconstruct(builder: Builder, call: Call) -> object:
    """An object as the oldest protocols make it: ``_reconstructor(class, object, None)``."""
    builder.check(len(call.arguments) == 3 and call.arguments[1] in _OBJECTS and call.arguments[2] is None, call)
    builder.check(isinstance(call.arguments[0], Name) and call.arguments[0] not in _RECONSTRUCTORS, call)
    call.function, call.arguments = call.arguments[0], ()
    maker = _find(call.function)
    if maker is None:
        raise builder.error(f"found {call.function}, which has no place there", call)
    return maker(builder, call)


def _attributes(builder: Builder, call: Call) -> dict[str, Any]:
    """The state of an object by the names of its attributes, not yet made into values."""
    builder.check(type(call.state) is Pairs and len(call.state) % 2 == 0, call)
    names = call.state[::2]
    builder.check(all(type(name) is str for name in names), call)
    return dict(zip(names, call.state[1::2], strict=True))


def _array(builder: Builder, call: Call) -> NDArray:
    builder.check(call.arguments in ((), (None,)), call)
    content = builder.raw(_attributes(builder, call).get("handle"), call)
    value, context = array_from_bytes(content, f"{builder.what}, at byte {call.at}: a pickled NDArray")
    return wrap(_whole(value, builder, call) if isinstance(value, Sparse) else value, context)


def _whole(value: Sparse, builder: Builder, call: Call) -> torch.Tensor:
    """A sparse array as a dense one.

    A few bytes say that it is of any size: what is not stored takes no memory until it is written to (``calloc``).
    """
    refuse_large_array(f"{builder.what}, at byte {call.at}: a sparse array", value.shape, value.dtype.itemsize)
    try:
        zeros = np.zeros(prod(value.shape) * value.dtype.itemsize, np.uint8)
    except MemoryError as error:
        raise builder.error(f"there is no memory for a sparse array of shape {value.shape}", call) from error
    target = torch.from_numpy(zeros).view(value.dtype).view(value.shape)
    if isinstance(value, RowSparse):
        return target.index_copy_(0, value.indices, value.data)
    assert isinstance(value, CSR)
    return target.index_put_((value.rows(), value.indices), value.data)


def _context(builder: Builder, call: Call) -> Context:
    if call.state is None:
        kind, number = (*call.arguments, 0)[:2] if call.arguments else (None, 0)
    else:
        given = _attributes(builder, call)
        kind, number = Context.devtype2str.get(given.get("device_typeid", 0)), given.get("device_id")
    builder.check(type(kind) is str and type(number) is int and 0 <= number < 1 << 16, call)
    return Context(kind, number)


def _instance(builder: Builder, call: Call) -> Any:
    """An optimizer or scheduler with the attributes that the file gives it."""
    klass = _class_named(call.function)
    builder.check(klass is not None and not call.arguments and not call.items and not call.pairs, call)
    assert klass is not None
    attributes = _attributes(builder, call) if call.state is not None else {}
    attributes.pop("param_dict", None)  # older versions saved the parameters, too; the program has its own
    for name in attributes:
        builder.check(name.isidentifier() and not name.startswith("__"), call)
        builder.check(not callable(getattr(klass, name, None)), call)  # would replace a method
    try:
        instance = builder.built[id(call)] = klass.__new__(klass)
        state = {name: builder.build(value) for name, value in attributes.items()}
        for name, value in state.items():
            if isinstance(instance, Optimizer):
                builder.check(value is None or isinstance(value, _KINDS.get(name, object)), call)
            elif klass.__module__ == LRScheduler.__module__:
                builder.check(_is_of_scheduler(name, value), call)
        if hasattr(instance, "__setstate__"):
            instance.__setstate__(state)
        else:
            vars(instance).update(state)
        if isinstance(instance, LRScheduler):
            instance._check()
    except MXNetError:
        raise
    except Exception as error:  # a method of the program's own may raise anything
        raise builder.error(f"{call.function} cannot be made of what it is given: {error}", call) from error
    return instance


def _is_of_scheduler(name: str, value: object) -> bool:
    """Is it what attributes of our schedulers are: a number of at most 64 bits, or a list of such, or a word?"""
    if name == "step" and isinstance(value, list):
        return all(_is_of_scheduler("", part) for part in value)
    if isinstance(value, int | np.integer):
        return abs(int(value)) < 1 << 63
    return value is None or isinstance(value, str if name == "warmup_mode" else float | np.floating)


def _is_state(value: object, budget: list[int], depth: int = 0) -> bool:
    """Arrays and numbers, in tuples within tuples. What is shared counts each time, as whoever walks over it does."""
    budget[0] -= 1
    if budget[0] < 0 or depth > 16:
        return False
    if isinstance(value, list | tuple):
        return all(_is_state(part, budget, depth + 1) for part in value)
    if isinstance(value, dict):
        return all(_is_state(part, budget, depth + 1) for part in value.values())
    if isinstance(value, np.ndarray):
        return not value.dtype.hasobject
    return value is None or isinstance(value, NDArray | np.generic | int | float | str)


def read_states(data: Any, what: str) -> tuple[dict[Any, Any], Optimizer | None]:
    """The states by index and, if it was saved with them, the optimizer, from what ``Updater.get_states`` gave.

    ``what`` is what errors call the data.
    """
    found = loads(data, what, _find)
    optimizer = None
    if isinstance(found, tuple) and len(found) == 2:
        found, optimizer = found
        if not isinstance(optimizer, Optimizer):
            raise MXNetError(f"{what}: found {type(optimizer).__name__} in place of an optimizer")
    budget = [1000 + 4 * len(data)]
    if not isinstance(found, dict) or not all(_is_state(state, budget) for state in found.values()):
        raise MXNetError(f"{what}: expected a dict from index to arrays")
    return found, optimizer
