"""The base of stores that span several processes."""

from __future__ import annotations

import copy
from typing import Any

import torch

from .. import optimizer as opt
from .._core.dtypes import dtype_name
from ..context import cpu
from ..error import MXNetTypeError, MXNetValueError
from ..ndarray import NDArray
from ..ndarray.ndarray import wrap
from ..ndarray.sparse_array import value_of, wrap_any
from ..ops.sparse import RowSparse
from . import job as jobs
from .base import Arrays, Key, Keys
from .buckets import Part, copy_parts
from .compression import compression
from .kvstore import KVStore

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

    def barrier(self) -> None:
        """Waits until all workers have reached this point."""
        self._agree("barrier")

    _barrier = barrier

    def _send_command_to_servers(self, head: int, body: str) -> None:
        """Sends a command to the servers, if there are any, and waits until they have done it."""
        if isinstance(body, bytes):
            body = body.decode()
        if not isinstance(head, int) or not isinstance(body, str):
            raise MXNetTypeError("a command to the servers is a number and a text")
        self._job.command(head, body)

    send_command_to_servers = _send_command_to_servers

    # ---- first values ----------------------------------------------------------------------------------------------

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

    def set_gradient_compression(self, compression_params: dict[str, object]) -> None:
        """Sends what is pushed by two bits an element, ``{'type': '2bit', 'threshold': 0.5}``, or one, ``'1bit'``.

        What is lost by it is kept for each key, and added to what is pushed next. Pulled values are sent as they are.
        """
        self._compression = compression(compression_params)
        self._agree("set_gradient_compression", f"{self._compression.kind} {self._compression.threshold}")


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
