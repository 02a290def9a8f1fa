"""The base of stores that span several processes."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from .. import optimizer as opt
from .._core.dtypes import dtype_name
from ..context import cpu
from ..error import MXNetTypeError, MXNetValueError
from ..ndarray import NDArray
from ..ndarray.ndarray import wrap
from ..ndarray.pending import withheld
from ..ndarray.sparse_array import value_of, wrap_any
from ..ndarray.tape import state as recording_state
from ..ops.sparse import RowSparse
from ..optimizer.base import RuleOptimizer
from . import job as jobs
from .base import Arrays, Key, Keys
from .buckets import Part, copy_parts
from .calls import LARGE, Push, settled
from .compression import compression
from .kvstore import KVStore

#: The types of a single key.
_SINGLE = frozenset((int, str))

__all__ = ["DistKVStore", "concat_states", "cut", "kind_of", "format_keys"]


def format_keys(keys: list[Key]) -> str:
    """Formats keys for messages."""
    shown = ", ".join(map(repr, keys[:5]))
    return f"key {shown}" if len(keys) == 1 else f"{len(keys)} keys ({shown}{', ...' if len(keys) > 5 else ''})"


def kind_of(array: NDArray) -> str:
    """Describes the shape, type and storage of an array for messages."""
    return f"{array.shape} {dtype_name(array)}{'' if array.stype == 'default' else ' ' + array.stype}"


class DistKVStore(KVStore):
    """The base of stores that span several processes."""

    _compresses_devices = False

    def __init__(self, handle: str):
        super().__init__(handle)
        self._job = jobs.current(handle)
        self._number = self._job.stores
        self._job.stores += 1
        self._workers = self._job.workers
        self._calls = self._job.calls
        #: The optimizer as it was when what waits was pushed.
        self._as_pushed: list[tuple[Any, dict[str, Any]]] = []
        with self._calls.settled():
            self._agree("creation of a store", handle)

    def _agree(self, what: str, details: str = "") -> None:
        self._workers.agree(f"{what} (store {self._number})", details)

    # ---- what it is ------------------------------------------------------------------------------------------------

    @property
    def rank(self) -> int:
        """The number of this worker, from 0."""
        return self._workers.rank

    @property
    def num_workers(self) -> int:
        """How many workers there are."""
        return self._workers.size

    @property
    def num_dead_node(self) -> int:
        """The number of workers and servers that have stopped sending heartbeats."""
        return self.get_num_dead_node()

    def get_num_dead_node(self, node_id: int = 0, timeout: float | None = None) -> int:
        """Returns how many workers and servers have sent no heartbeat for some seconds; ``node_id`` is ignored."""
        health = self._job.health
        limit = 0.5 * health.timeout if timeout is None else timeout
        left = health.exits()
        return sum(1 for name, seconds in health.silent().items() if seconds > limit and name not in left)

    @settled
    def barrier(self) -> None:
        """Waits until all workers have reached this point."""
        self._agree("barrier")

    _barrier = barrier

    @settled
    def _send_command_to_servers(self, head: int, body: str) -> None:
        """Sends a command to the servers, if there are any, and waits until they have done it."""
        if isinstance(body, bytes):
            body = body.decode()
        if not isinstance(head, int) or not isinstance(body, str):
            raise MXNetTypeError("a command to the servers is a number and a text")
        self._job.command(head, body)

    send_command_to_servers = _send_command_to_servers

    # ---- first values ----------------------------------------------------------------------------------------------

    @settled
    def init(self, key: Keys, value: Arrays) -> None:
        """Stores a first value for each key: that of the first worker, for all of them."""
        before = set(self._stored)
        super().init(key, value)
        keys = [k for k in self._stored if k not in before]
        what = f"init of {format_keys(keys)}"
        self._agree(what, "; ".join(f"{k!r} {kind_of(self._stored[k])}" for k in keys))
        plain = []
        for k in keys:
            held = self._stored[k]
            if held.stype == "default":
                if not held._data.is_contiguous():
                    self._stored[k] = held = wrap(held._data.contiguous(), held._ctx)
                plain.append((0, held._data))
            else:
                self._stored[k] = wrap_any(self._first_sparse(what, value_of(held), 0), held._ctx)
        copy_parts(self._workers, what, plain)

    def _first_sparse(self, what: str, value: Any, root: int) -> Any:
        """The row-sparse value of one worker, for all."""
        if not isinstance(value, RowSparse):
            raise MXNetValueError(f"distributed stores hold dense and row_sparse arrays, not {value.stype}")
        count = torch.tensor([value.indices.numel()])
        self._workers.copy(what, [(root, count)])
        if self.rank == root:
            parts = [value.data.contiguous(), value.indices.contiguous()]
        else:
            rows = int(count)
            parts = [value.data.new_empty((rows, *value.shape[1:])), value.indices.new_empty(rows)]
        self._workers.copy(what, [(root, part) for part in parts])
        return RowSparse(parts[0], parts[1], value.shape)

    def _with_copies(self, updater: opt.Updater) -> None:
        """Updates float16 weights through float32 copies, as servers do in the original whatever the optimizer says.

        States that were loaded without copies get them.
        """
        updater.copies = True
        with updater.precise() as optimizer:
            for key, state in updater.states.items():
                held = self._stored.get(key)
                if held is not None:
                    updater.states[key] = optimizer._with_master(state, held)

    @staticmethod
    def _precise(optimizer: opt.Optimizer) -> opt.Optimizer:
        """An optimizer like that of the user's for servers and files, whose states have float32 copies."""
        made = copy.copy(optimizer)
        made.multi_precision = True
        return made

    def _check_dtypes(self, keys: list[Key], sums: list[NDArray]) -> None:
        for k, total in zip(keys, sums, strict=True):
            if total.dtype != self._stored[k].dtype:
                raise MXNetTypeError(
                    f"key {k!r} holds an array of type {dtype_name(self._stored[k])}, "
                    f"one of type {dtype_name(total)} was pushed"
                )

    # ---- push and pull ---------------------------------------------------------------------------------------------

    def push(self, key: Keys, value: Arrays, priority: int = 0) -> None:
        """Sums the arrays of each key over devices and workers and stores the sum, or hands it to the updater.

        A small array of a single key is copied, and travels later, together with others: those of the highest
        ``priority`` first. Errors that show only then are raised by what waits for it.
        """
        if self._can_wait(key, value):
            self._wait(key, value, priority)  # type: ignore[arg-type]
        else:
            with self._calls.settled():
                self._push(key, value)

    def pull(self, key: Keys, out: Arrays | None = None, priority: int = 0, ignore_sparse: bool = True) -> None:
        """Copies what is stored for each key to all arrays in ``out``, whatever their dtype; after pushes that wait
        for it, when one of these arrays is read or written next.

        That is no operator: while recording, too, it writes to parameters that are in the graph, as in the original.
        """
        push = self._calls.find(self, key) if key.__class__ in _SINGLE else None  # type: ignore[arg-type]
        if push is None or not self._pull_later(push, out):
            with self._calls.settled():
                self._pull(key, out, ignore_sparse)

    def pushpull(self, key: Keys, value: Arrays, out: Arrays | None = None, priority: int = 0) -> None:
        """``push``, then ``pull`` to ``out``; to ``value`` itself if that is not given."""
        if self._can_wait(key, value):
            self.push(key, value, priority)
            self.pull(key, value if out is None else out, priority)
        else:
            with self._calls.settled():
                self._pushpull(key, value, value if out is None else out)

    @settled
    def row_sparse_pull(
        self, key: Keys, out: Arrays | None = None, priority: int = 0, row_ids: Arrays | None = None
    ) -> None:
        """Gives ``out`` the rows with these numbers, and no others."""
        super().row_sparse_pull(key, out, priority, row_ids)

    def _push(self, key: Keys, value: Arrays) -> None:
        """``push`` of what does not wait."""
        raise self._missing("push")

    def _pull(self, key: Keys, out: Arrays | None, ignore_sparse: bool = True) -> None:
        """``pull`` of what does not wait."""
        KVStore.pull(self, key, out, ignore_sparse=ignore_sparse)

    def _pushpull(self, key: Keys, value: Arrays, out: Arrays) -> None:
        self._push(key, value)
        self._pull(key, out)

    def _send_calls(self, pushes: list[Push]) -> int:
        """Carries out the first of these pushes; returns how many."""
        raise self._missing("push")

    def _can_wait(self, key: Keys, value: Arrays) -> bool:
        """May a value travel later: of a single key, small, dense, on the host, of the shape and type stored?"""
        held = self._stored.get(key) if key.__class__ in _SINGLE else None  # type: ignore[arg-type]
        array = _one(value)
        if held is None or array is None or held._is_sparse or array._ctx.is_gpu or held._ctx.is_gpu:
            return False
        mine, given = held._data, array._data
        return (
            given.dtype is mine.dtype
            and given.shape == mine.shape
            and given.numel() * given.element_size() <= LARGE
            and self._updates_later()
        )

    def _updates_later(self) -> bool:
        """May updates be made later? Not by functions of the user's, who sees when they are called."""
        updater = self._updater
        return updater is None or (isinstance(updater, opt.Updater) and isinstance(updater.optimizer, RuleOptimizer))

    def _wait(self, key: Key, value: Arrays, priority: int) -> None:
        """Lets a push wait."""
        array = _one(value)
        assert array is not None
        calls, updater = self._calls, self._updater
        with calls.lock:
            if isinstance(updater, opt.Updater):  # it travels with the learning rate of its time
                if not calls.empty and any(_differs(*each) for each in self._as_pushed):
                    calls.finish()
                if calls.empty:
                    scheduler = updater.optimizer.lr_scheduler
                    owners = [updater.optimizer, *([] if scheduler is None else [scheduler])]
                    self._as_pushed = [(each, dict(vars(each))) for each in owners]
            calls.add(self, key, array._data, array._ctx, priority)

    @contextmanager
    def _optimizer_as_pushed(self) -> Iterator[None]:
        """A ``with`` block in which the updater has the optimizer as it was when what waits was pushed.

        That is a copy: the program may change the optimizer's learning rate meanwhile.
        """
        updater = self._updater
        if not isinstance(updater, opt.Updater):
            yield
            return
        copies = [_made_of(type(owner), before) for owner, before in self._as_pushed]
        own, updater.optimizer = updater.optimizer, copies[0]
        for each in copies[1:]:
            copies[0].lr_scheduler = each
        try:
            yield
        finally:
            updater.optimizer = own
            for owner, _ in self._as_pushed[1:]:
                copies[0].lr_scheduler = owner
            for (owner, before), each in zip(self._as_pushed, copies, strict=True):
                changed = {name: value for name, value in vars(each).items() if before.get(name, before) is not value}
                vars(owner).update(changed)
                before.update(changed)

    def _pull_later(self, push: Push, out: Arrays | None) -> bool:
        """Has the arrays get what is stored after a push that waits; False if they cannot wait."""
        arrays = list(out) if isinstance(out, list | tuple) else [out]
        held = self._stored[push.key]
        if not arrays or recording_state.recording:
            return False
        with self._calls.lock:
            if self._calls.find(self, push.key) is not push:
                return False
            for a in arrays:
                if not isinstance(a, NDArray) or a._is_sparse or a._ctx.is_gpu:
                    return False
                if withheld(a).shape != held._data.shape:
                    return False
            return push.pull(arrays)  # type: ignore[arg-type]

    def _values_of(self, keys: list[Key]) -> list[torch.Tensor]:
        """What is stored for keys, to be copied to arrays that wait for it."""
        return [self._stored[key]._data for key in keys]

    @settled
    def set_gradient_compression(self, compression_params: dict[str, object]) -> None:
        """Sends what is pushed by two bits an element, ``{'type': '2bit', 'threshold': 0.5}``, or one, ``'1bit'``.

        What is lost by it is kept for each key, and added to what is pushed next. Pulled values are sent as they are.
        """
        self._compression = compression(compression_params)
        self._agree("set_gradient_compression", f"{self._compression.kind} {self._compression.threshold}")


def _one(value: Any) -> NDArray | None:
    """The dense array that a value is, by itself or in a list; None if it is something else."""
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, NDArray) and not value._is_sparse else None


def _made_of(kind: type[Any], attributes: dict[str, Any]) -> Any:
    made = object.__new__(kind)
    vars(made).update(attributes)
    return made


def _differs(owner: Any, before: dict[str, Any]) -> bool:
    """Is an attribute not the object that it was?"""
    now = vars(owner)
    return len(now) != len(before) or any(now.get(name, now) is not value for name, value in before.items())


def cut(state: Any, part: Part, size: int) -> Any:
    """The state of a part of a key that has so many elements."""
    if isinstance(state, list | tuple):
        return type(state)(cut(each, part, size) for each in state)
    if isinstance(state, NDArray) and state.size == size:
        return wrap(state._data.reshape(-1)[part.start : part.stop].clone(), state._ctx)
    return state


def concat_states(pieces: list[Any], stored: NDArray) -> Any:
    """The state of a key from those of its parts."""
    first = pieces[0]
    if isinstance(first, list | tuple):
        return type(first)(concat_states(list(each), stored) for each in zip(*pieces, strict=True))
    if isinstance(first, NDArray):
        return wrap(torch.cat([piece._data.reshape(-1) for piece in pieces]).view(stored.shape), cpu())
    return first
