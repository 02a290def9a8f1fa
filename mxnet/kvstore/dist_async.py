"""``dist_async``: each push updates the stored arrays as it arrives; workers do not wait for each other.

Arrays are kept by servers, or by a thread of each worker where there are no servers (``async_server.py``). A worker's
pull sees its own pushes; those of others it sees when they have arrived.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

import torch

from .. import optimizer as opt
from ..context import cpu
from ..error import MXNetAssertionError, MXNetError, MXNetTypeError, MXNetValueError
from ..ndarray import NDArray
from ..ndarray.ndarray import wrap
from ..ndarray.sparse_array import value_of, wrap_any
from ..ops.sparse import RowSparse, dense
from . import async_server as ask
from .base import Arrays, Key, Keys, Update
from .buckets import Part, Shares
from .calls import Push, settled
from .compression import Compression
from .dist import DistKVStore, concat_states, cut, format_keys
from .kvstore import _readable
from .wire import optimizer_text, pack_states, read_optimizer_text, unpack_states

if TYPE_CHECKING:
    from .job import Job

__all__ = ["AsyncKVStore"]


class AsyncKVStore(DistKVStore):
    """A store whose workers go each at its own speed."""

    def __init__(self, handle: str):
        super().__init__(handle)
        self._servers = self._job.servers
        self._shares = Shares(self._servers.count)
        #: The parts of each key that has been given to the servers, with their numbers.
        self._placed: dict[Key, list[tuple[int, Part]]] = {}
        self._split = False
        self._sent_numbers: dict[str, Any] = {}

    # ---- what the servers hold -------------------------------------------------------------------------------------

    @settled
    def init(self, key: Keys, value: Arrays) -> None:
        """Stores a first value for each key: that of the first worker, for all of them."""
        before = set(self._stored)
        super().init(key, value)
        if self._updater is not None:
            self._place([k for k in self._stored if k not in before])

    def _place(self, keys: list[Key]) -> None:
        """Gives arrays to the servers; all workers do it together."""
        servers, what = self._servers, f"placing of {format_keys(keys)}"
        for k in keys:
            held = self._stored[k]
            if held._ctx.is_gpu:
                raise NotImplementedError("dist_async holds arrays on the host; create it as 'dist_async'")
            parts = self._shares.assign(prod(held.shape), self._split and held.stype == "default")
            self._placed[k] = [(servers.next_number(), part) for part in parts]
            for number, part in self._placed[k]:
                if len(parts) > 1:
                    value: Any = held._data.view(-1)[part.start : part.stop].clone()
                else:
                    value = value_of(held)
                servers.put(part.owner, number, self._number, k, value, first=self.rank == 0)
        self._agree(what)

    @settled
    def set_optimizer(self, optimizer: opt.Optimizer) -> None:
        """Lets an optimizer update what the servers hold: that of the first worker, by its name and attributes."""
        if not isinstance(optimizer, opt.Optimizer):
            raise MXNetTypeError(f"set_optimizer takes an Optimizer, got {type(optimizer).__name__}")
        text = optimizer_text(self._precise(optimizer))
        self._agree("set_optimizer", type(optimizer).__name__)
        self._servers.configure(self._number, text, first=self.rank == 0)
        self._begin(opt.get_updater(optimizer), vars(type(optimizer)).get("_apart") == "elements")
        self._sent_numbers = self._numbers_now()

    def _begin(self, updater: Any, split: bool) -> None:
        if self._placed:
            self._agree("a second optimizer")
        else:
            self._split = split
        self._updater = updater
        self._place([k for k in self._stored if k not in self._placed])

    @settled
    def _set_updater(self, updater: Update) -> None:
        """From now on ``updater(key, pushed, stored)`` is to change what is stored, where there are no servers."""
        if not callable(updater):
            raise MXNetTypeError(f"an updater is a function, got {type(updater).__name__}")
        if self._job.env.servers:
            raise MXNetError(
                "an updater is a function, and functions are not sent to the servers of a distributed store: use "
                "set_optimizer, or start the job without servers"
            )
        self._agree("set_updater")
        self._servers.own.set_updater(self._number, updater)
        self._begin(updater, False)

    set_updater = _set_updater

    def _numbers_now(self) -> dict[str, Any]:
        optimizer = self._updater.optimizer  # type: ignore[union-attr]
        return {name: getattr(optimizer, name) for name in ("lr", "wd", "rescale_grad")}

    def _adjust(self) -> None:
        """Sends the servers a changed learning rate or gradient scale."""
        if isinstance(self._updater, opt.Updater):
            now = self._numbers_now()
            if now != self._sent_numbers:
                changed = {k: v for k, v in now.items() if v != self._sent_numbers.get(k)}
                self._servers.adjust(self._number, changed)
                self._sent_numbers = now

    @settled
    def barrier(self) -> None:
        """Waits until all workers have reached this point and all that they have pushed before is applied."""
        if self._updater is not None:
            self._servers.settle()
        self._agree("barrier")

    _barrier = barrier

    # ---- push and pull ---------------------------------------------------------------------------------------------

    def _updates_later(self) -> bool:
        return self._updater is not None and super()._updates_later()

    def _send_calls(self, pushes: list[Push]) -> int:
        first = sorted(pushes, key=lambda push: -push.priority)
        with self._optimizer_as_pushed():
            self._push([push.key for push in first], [wrap(push.value, push.context) for push in first])
        self._fetch([push.key for push in first if push.pulls])
        return len(pushes)

    def _push(self, key: Keys, value: Arrays) -> None:
        """Sends the sum of the arrays of each key over the devices to the servers, which update by it."""
        keys, sums = self._sum_by_key(key, value, same_shape=True)
        self._check_dtypes(keys, sums)
        if self._updater is None:
            raise MXNetError(
                "dist_async needs an optimizer before something is pushed, since pushes are applied one by one: call "
                "set_optimizer first (Trainer and Module do with update_on_kvstore=True)"
            )
        self._adjust()
        what = f"push of {format_keys(keys)}"
        by_server: dict[tuple[int, torch.dtype], tuple[list[int], list[torch.Tensor]]] = {}
        for k, total in zip(keys, sums, strict=True):
            placed = self._placed[k]
            if total.stype == "row_sparse" and len(placed) == 1:
                pushed = value_of(total).sort()
                self._servers.push_rows(what, placed[0][1].owner, placed[0][0], pushed.indices, pushed.data.detach())
                continue
            tensor, scheme = dense(value_of(total)).detach().cpu(), self._compression
            flat = (tensor if scheme is None else scheme.encode(k, tensor)).reshape(-1)
            for number, part in placed:
                # what a server holds of one type goes there at once
                ids, tensors = by_server.setdefault((part.owner, tensor.dtype), ([], []))
                ids.append(number)
                piece = flat[part.start : part.stop]
                tensors.append(piece if scheme is None else scheme.pack(piece))
        for (owner, _), (ids, tensors) in by_server.items():
            data = tensors[0] if len(tensors) == 1 else torch.cat(tensors)
            self._servers.push(what, owner, ids, data, self._compression)

    def _pull(self, key: Keys, out: Arrays | None, ignore_sparse: bool = True) -> None:
        """Copies what the servers hold of each key to all arrays in ``out``."""
        if out is None:
            raise MXNetAssertionError("pull needs out: the array, or the list of arrays, to copy to")
        if self._updater is None:
            return super()._pull(key, out, ignore_sparse)
        keys = list(dict.fromkeys(k for k, a in self._pairs(key, out) if a.stype == "default"))
        for k in keys:
            self._of(k)
        self._fetch(keys)
        super()._pull(key, out, ignore_sparse)

    def _fetch(self, keys: list[Key]) -> None:
        """Brings what is stored here up to date with the servers."""
        by_server: dict[tuple[int, torch.dtype], tuple[list[int], list[torch.Tensor]]] = {}
        for k in keys:
            held = self._stored[k]
            if held.stype != "default":
                value = value_of(held)
                rows = torch.arange(held.shape[0])
                whole = torch.empty(held.shape, dtype=value.dtype)
                self._stored[k] = held = wrap_any(RowSparse(whole, rows, held.shape), held._ctx)
                flat = whole.view(-1)
            else:
                flat = held._data.view(-1)
            for number, part in self._placed[k]:
                ids, tensors = by_server.setdefault((part.owner, flat.dtype), ([], []))
                ids.append(number)
                tensors.append(flat[part.start : part.stop])
        for (owner, dtype), (ids, tensors) in by_server.items():
            sizes = [t.numel() for t in tensors]
            into = tensors[0] if len(tensors) == 1 else torch.empty(sum(sizes), dtype=dtype)
            self._servers.pull(f"pull of {format_keys(keys)}", owner, ids, into)
            if len(tensors) > 1:
                torch._foreach_copy_(tensors, list(into.split(sizes)))

    @settled
    def row_sparse_pull(
        self, key: Keys, out: Arrays | None = None, priority: int = 0, row_ids: Arrays | None = None
    ) -> None:
        """Gives ``out`` the rows with these numbers, as the servers hold them."""
        if out is None or row_ids is None:
            raise MXNetAssertionError("row_sparse_pull needs out and row_ids")
        targets = list(self._pairs(key, out))
        if self._updater is not None:
            numbers = row_ids if isinstance(row_ids, list | tuple) else [row_ids]
            numbers = list(numbers) * (len(targets) if len(numbers) == 1 else 1)
            for (k, array), rows in zip(targets, numbers, strict=True):
                self._fetch_rows(k, array, rows)
        super().row_sparse_pull(key, out, priority, row_ids)

    def _fetch_rows(self, key: Key, array: NDArray, rows: NDArray) -> None:
        held, placed = self._of(key), self._placed[key]
        if len(placed) > 1:
            return self._fetch([key])
        index = torch.unique(_readable(rows, held._ctx).to(torch.int64))
        if index.numel() and not 0 <= int(index[0]) <= int(index[-1]) < held.shape[0]:
            raise MXNetValueError(f"row_ids of key {key!r} must be from 0 to {held.shape[0] - 1}")
        data = torch.empty((index.numel(), *held.shape[1:]), dtype=value_of(held).dtype)
        what = f"row_sparse_pull of key {key!r}"
        self._servers.pull_rows(what, placed[0][1].owner, placed[0][0], index, data)
        if held.stype == "default":
            held._data.index_copy_(0, index, data)
        else:
            self._stored[key] = wrap_any(RowSparse(data, index, held.shape), held._ctx)

    @settled
    def _updater_to_save(self) -> Any:
        """An updater with the states of all keys, as the servers have them now. One worker alone may save."""
        updater = self._states("save")
        by_owner = [unpack_states(packed) for packed in self._servers.states(self._number)]
        complete = opt.get_updater(self._precise(updater.optimizer))
        counts: dict[Key, int] = {}
        for key, placed in self._placed.items():
            pieces = [by_owner[part.owner][0][key] for _, part in placed if key in by_owner[part.owner][0]]
            if len(pieces) == len(placed):
                complete.states[key] = pieces[0] if len(pieces) == 1 else concat_states(pieces, self._stored[key])
            counts[key] = max(by_owner[part.owner][1].get(key, 0) for _, part in placed)
        optimizer = complete.optimizer
        optimizer._index_update_count = {key: count for key, count in counts.items() if count}
        optimizer._all_index_update_counts = {0: optimizer._index_update_count}
        optimizer.num_update = max([optimizer.begin_num_update, *counts.values()])
        return complete

    @settled
    def load_optimizer_states(self, fname: str) -> None:
        """Gives the servers states that were saved by a store of any kind: those that the first worker reads.

        All workers call it.
        """
        updater = self._states("load")
        loaded = opt.get_updater(updater.optimizer)
        loaded.load_states(fname)
        self._with_copies(loaded)
        self._servers.settle()
        self._agree("load_optimizer_states")
        optimizer = loaded.optimizer
        if optimizer is not updater.optimizer:
            self._servers.configure(self._number, optimizer_text(self._precise(optimizer)), first=self.rank == 0)
            updater.optimizer = optimizer
            self._sent_numbers = self._numbers_now()
        self._agree("load_optimizer_states")  # states are for the new optimizer, which each worker has made by now
        counts = {k: n for each in optimizer._all_index_update_counts.values() for k, n in each.items()}
        if self.rank == 0:
            for owner in range(self._servers.count):
                own = {k: [part for _, part in placed if part.owner == owner] for k, placed in self._placed.items()}
                states = {
                    k: state if len(self._placed[k]) == 1 else cut(state, own[k][0], self._stored[k].size)
                    for k, state in loaded.states.items()
                    if own.get(k)
                }
                self._servers.set_states(
                    owner, self._number, pack_states(states, {k: counts.get(k, 0) for k in states})
                )
        self._agree("load_optimizer_states")


class Servers:
    """The servers of a job as a worker sees them: other processes, or a thread of each worker."""

    def __init__(self, job: Job):
        self._job, self._health = job, job.health
        self.apart = job.env.servers > 0
        self.count = job.env.servers or job.env.workers
        self._number = 0
        self._group = job.everybody
        self._messages = ask.Messages(self._group) if self._group.size > 1 else None
        self._thread: Any = None
        if not self.apart:
            if self._group.size > 1:
                self._thread = ask.ServerThread(job, self._group, job.env.workers - 1)
                self.own = self._thread.shard
            else:
                self.own = ask.Shard()
        job.on_close(self._leave)

    def next_number(self) -> int:
        """A number for an array, the same in all workers since all ask in the same order."""
        self._number += 1
        return self._number

    def _is_here(self, owner: int) -> bool:
        return not self.apart and owner == self._job.member.rank

    def _to(self, owner: int) -> int:
        return self._job.env.workers + owner if self.apart else owner

    def _run(self, what: str, function: Callable[[], None]) -> None:
        self._health.begin(what)
        try:
            function()
        except RuntimeError as error:
            if isinstance(error, MXNetError):
                raise
            raise self._health.diagnose(what, error) from error

    def put(self, owner: int, number: int, store: int, key: Key, value: Any, first: bool) -> None:
        """Gives a server its part of an array; the first worker does it, or the one that holds it."""
        if self._is_here(owner):
            copy = value.map(torch.clone) if isinstance(value, RowSparse) else value.clone()
            self.own.put(number, store, key, wrap_any(copy, cpu()))
        elif self.apart and first:
            sparse = isinstance(value, RowSparse)
            told = {
                "number": number,
                "store": store,
                "key": key,
                "shape": list(value.shape),
                "dtype": str(value.dtype).removeprefix("torch."),
                "stype": "row_sparse" if sparse else "default",
            }
            data, rows = (value.data, value.indices) if sparse else (value, None)
            self._ask(f"placing of key {key!r}", owner, None, ask.PUT, text=json.dumps(told), rows=rows, data=data)

    def _ask(self, what: str, owner: int, into: torch.Tensor | None, *message: Any, **parts: Any) -> None:
        def talk() -> None:
            self._messages.send(self._to(owner), *message, **parts)  # type: ignore[union-attr]
            self._messages.answer(self._to(owner), into)  # type: ignore[union-attr]

        self._run(what, talk)

    def _send(self, what: str, owner: int, *message: Any, **parts: Any) -> None:
        self._run(what, lambda: self._messages.send(self._to(owner), *message, **parts))  # type: ignore[union-attr]

    def configure(self, store: int, text: str, first: bool) -> None:
        """Gives the servers an optimizer."""
        if not self.apart:
            self.own.set_updater(store, opt.get_updater(read_optimizer_text(text)))
        elif first:
            for owner in range(self.count):
                told = json.dumps({"store": store, "optimizer": text})
                self._ask("set_optimizer", owner, None, ask.CONFIGURE, text=told)

    def adjust(self, store: int, attributes: dict[str, Any]) -> None:
        """Changes numbers of the optimizer in all servers."""
        for owner in range(self.count):
            if self._is_here(owner):
                self.own.adjust(store, attributes)
            else:
                told = json.dumps({"store": store, "attributes": attributes})
                self._send("change of the optimizer", owner, ask.ADJUST, text=told)

    def push(
        self, what: str, owner: int, ids: list[int], data: torch.Tensor, scheme: Compression | None = None
    ) -> None:
        """Sends gradients of parts, one after the other; with a scheme these are codes, packed for each part."""
        if self._is_here(owner):
            self._health.begin(what)
            if scheme is None:
                self.own.push(ids, data.clone())
            else:
                self.own.push_codes(ids, scheme, data)
        elif scheme is not None:
            text = json.dumps({"type": scheme.kind, "threshold": scheme.threshold})
            self._send(what, owner, ask.PUSH_CODES, text=text, ids=ids, data=data)
        else:
            self._send(what, owner, ask.PUSH, ids=ids, data=data)

    def states(self, store: int) -> list[torch.Tensor]:
        """What each server has of the states of an optimizer, in bytes."""
        self.settle()
        packed = []
        for owner in range(self.count):
            if self._is_here(owner):
                packed.append(self.own.states(store))
                continue

            def talk(to: int = self._to(owner)) -> None:
                self._messages.send(to, ask.STATES, text=json.dumps({"store": store}))  # type: ignore[union-attr]
                packed.append(self._messages.answer_bytes(to))  # type: ignore[union-attr]

            self._run("states of the optimizer", talk)
        return packed

    def set_states(self, owner: int, store: int, packed: torch.Tensor) -> None:
        """Gives a server the states of its arrays."""
        if self._is_here(owner):
            self.own.set_states(store, packed)
        else:
            text = json.dumps({"store": store})
            self._ask("states of the optimizer", owner, None, ask.SET_STATES, text=text, data=packed)

    def push_rows(self, what: str, owner: int, number: int, rows: torch.Tensor, data: torch.Tensor) -> None:
        """Sends a row-sparse gradient."""
        if self._is_here(owner):
            self._health.begin(what)
            self.own.push_rows(number, rows.clone(), data.clone())
        else:
            self._send(what, owner, ask.PUSH_ROWS, ids=[number], rows=rows, data=data)

    def pull(self, what: str, owner: int, ids: list[int], into: torch.Tensor) -> None:
        """Fetches the elements of parts, one after the other."""
        if self._is_here(owner):
            self._health.begin(what)
            into.copy_(self.own.pull(ids))
        else:
            self._ask(what, owner, into, ask.PULL, ids=ids)

    def pull_rows(self, what: str, owner: int, number: int, rows: torch.Tensor, into: torch.Tensor) -> None:
        """Fetches rows of a part."""
        if self._is_here(owner):
            self._health.begin(what)
            into.copy_(self.own.pull_rows(number, rows))
        elif rows.numel():
            self._ask(what, owner, into.view(-1), ask.PULL_ROWS, ids=[number], rows=rows)

    def settle(self) -> None:
        """Waits until the servers have applied what this worker has pushed."""
        for owner in range(self.count):
            if not self._is_here(owner):
                self._ask("barrier", owner, None, ask.SETTLE)

    def _leave(self) -> None:
        """Takes leave of all servers, and serves the other workers until they do so too."""
        if self._messages is None or self._health.fault is not None or self._health.failing:
            return
        for owner in range(self.count):
            if not self._is_here(owner):
                try:
                    self._messages.send(self._to(owner), ask.BYE)
                except RuntimeError as error:
                    self._health.diagnose("leaving", error)
                    return
        if self._thread is not None:
            self._thread.join()
