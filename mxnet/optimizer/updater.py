"""The updater: an optimizer together with the states of the parameters, as kvstores and trainers call it."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from .._core.files import path_name, reading
from .._core.types import Path
from ..base import py_str
from ..context import Context
from ..ndarray import NDArray
from ..ndarray.kinds import both_kinds
from .base import Optimizer, RuleOptimizer
from .states import read_states

__all__ = ["Updater", "get_updater"]

#: What the original writes; newer ones it may not read.
_PROTOCOL = 4


class Updater:
    """``updater(index, grad, weight)`` updates a weight in place, or each of lists; it makes and keeps the states."""

    #: Are float16 weights updated through float32 copies, whatever the optimizer, which is the user's, says?
    copies = False

    def __init__(self, optimizer: Optimizer):
        self.optimizer = optimizer
        self.states: dict[Any, Any] = {}
        self.states_synced: dict[Any, bool] = {}
        self.aggregate_updates = optimizer.aggregate_num > 0

    @contextmanager
    def precise(self) -> Iterator[Optimizer]:
        """The optimizer, which uses float32 copies meanwhile if this updater does."""
        optimizer = self.optimizer
        before = optimizer.multi_precision
        optimizer.multi_precision = before or self.copies
        try:
            yield optimizer
        finally:
            optimizer.multi_precision = before

    def __call__(self, index: Any, grad: Any, weight: Any) -> None:
        if isinstance(index, list | tuple):
            indices, grads, weights = index, grad, weight
        else:
            indices, grads, weights = (index,), (grad,), (weight,)
        if not indices:
            return
        optimizer = self.optimizer
        optimizer._set_current_context(weights[0]._ctx.device_id)
        if bytes in map(type, indices):
            indices = [py_str(i) if isinstance(i, bytes) else i for i in indices]
        with both_kinds():
            if self.copies and not optimizer.multi_precision:
                with self.precise():
                    self._update(indices, grads, weights)
            else:
                self._update(indices, grads, weights)

    def _update(self, indices: Sequence, grads: Sequence, weights: Sequence) -> None:
        optimizer, known = self.optimizer, self.states_synced
        states = [self.states[i] if known.get(i) else self._state(i, w) for i, w in zip(indices, weights, strict=True)]
        if isinstance(optimizer, RuleOptimizer):
            optimizer.update_multi_precision(indices, weights, grads, states)
        elif self.aggregate_updates:
            self._in_groups(indices, weights, grads, states)
        else:
            for each in zip(indices, weights, grads, states, strict=True):
                optimizer.update_multi_precision(*each)

    def _state(self, index: object, weight: NDArray) -> object:
        """Makes a state, or brings one that was loaded to the weight's device."""
        if index in self.states:
            self.states[index] = self.sync_state_context(self.states[index], weight._ctx)
        else:
            self.states[index] = self.optimizer.create_state_multi_precision(index, weight)
        self.states_synced[index] = True
        return self.states[index]

    def _in_groups(self, indices: Sequence, weights: Sequence, grads: Sequence, states: Sequence) -> None:
        """For optimizers of users that take several weights at once: tuples of one dtype, ``aggregate_num`` at most."""
        order = {dtype: i for i, dtype in enumerate(dict.fromkeys(w._data.dtype for w in weights))}
        rows = sorted(zip(indices, weights, grads, states, strict=True), key=lambda row: order[row[1]._data.dtype])
        size = self.optimizer.aggregate_num
        for _, group in groupby(rows, key=lambda row: row[1]._data.dtype):
            same = list(group)
            for start in range(0, len(same), size):
                self.optimizer.update_multi_precision(*zip(*same[start : start + size], strict=True))

    def sync_state_context(self, state: object, context: Context) -> Any:
        """A state with its arrays on a context."""
        if isinstance(state, NDArray):
            return state.as_in_context(context)
        if isinstance(state, list | tuple):
            return type(state)(self.sync_state_context(part, context) for part in state)
        return state

    def set_states(self, states: bytes) -> None:
        """Takes over what ``get_states`` gave, here or in the original; the optimizer too if it is part of that."""
        self._accept(states, "optimizer states")

    def load_states(self, fname: Path) -> None:
        """Takes over the states in a file, as ``set_states`` does."""
        load_states([self], fname)

    def _accept(self, data: bytes, what: str) -> None:
        self.states, optimizer = read_states(data, what)
        if optimizer is not None:
            self.optimizer = optimizer
            self.aggregate_updates = optimizer.aggregate_num > 0
        self.states_synced = dict.fromkeys(self.states, False)

    def get_states(self, dump_optimizer: bool = False) -> bytes:
        """The states, and the optimizer with ``dump_optimizer``, as bytes that the original can read as well."""
        return pickle.dumps((self.states, self.optimizer) if dump_optimizer else self.states, protocol=_PROTOCOL)


def load_states(updaters: Sequence[Updater], fname: Path) -> None:
    """Gives each updater the states in a file, in arrays of its own; the file is read once."""
    with reading(fname) as (stream, size):
        data = stream.read(size)
    for updater in updaters:
        updater._accept(data, f"optimizer states in {path_name(fname)!r}")


def get_updater(optimizer: Optimizer) -> Updater:
    """The updater of an optimizer."""
    return Updater(optimizer)
