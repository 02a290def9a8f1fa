"""The server side of a ``dist_async`` store: keeps the arrays and updates them as gradients arrive.

It runs in the processes with ``DMLC_ROLE=server``; where there are none, in a thread of each worker. Messages are
tensors sent from process to process: a header of eight numbers, then texts (JSON), numbers of arrays, rows and
elements, as far as the header announces them. What is announced is compared with what the arrays can take before memory
is made for it.
"""

from __future__ import annotations

import json
import sys
import threading
import traceback
from collections.abc import Sequence
from datetime import timedelta
from math import prod
from typing import TYPE_CHECKING, Any

import torch

from .. import optimizer as opt
from .._core.dtypes import torch_dtype
from ..context import cpu
from ..error import MXNetError
from ..ndarray.ndarray import wrap
from ..ndarray.sparse_array import value_of, wrap_any
from ..ops.sparse import RowSparse
from ..optimizer.sparse import as_whole
from .collective import Collective
from .compression import Compression, compression
from .wire import bytes_of, pack_states, read_optimizer_text, text_of, unpack_states

if TYPE_CHECKING:
    from .job import Job

__all__ = ["Messages", "Shard", "ServerThread"]

# Kinds of requests.
PUT, CONFIGURE, ADJUST, PUSH, PUSH_CODES, PUSH_ROWS, PULL, PULL_ROWS, STATES, SET_STATES, SETTLE, BYE = range(12)
_HEADER = 8
_TAG_HEADER, _TAG_TEXT, _TAG_IDS, _TAG_ROWS, _TAG_DATA, _TAG_REPLY, _TAG_ANSWER = range(1, 8)
_MOST_TEXT = 1 << 24
#: A server waits as long as it takes for the next message.
_ANY = timedelta(days=365)


class Messages:
    """Sends and receives messages through torch's group."""

    def __init__(self, group: Collective):
        self._gloo, self._limit = group.gloo, group.timeout

    def send(
        self, to: int, what: int, text: str = "", ids: Sequence[int] = (), rows: Any = None, data: Any = None
    ) -> None:
        """Sends a message; returns once it has been received."""
        parts = [(bytes_of(text), _TAG_TEXT), (torch.tensor(list(ids), dtype=torch.int64), _TAG_IDS)]
        parts.append((torch.zeros(0, dtype=torch.int64) if rows is None else rows.contiguous(), _TAG_ROWS))
        parts.append((torch.zeros(0) if data is None else data.contiguous(), _TAG_DATA))
        header = torch.zeros(_HEADER, dtype=torch.int64)
        header[0] = what
        for i, (part, _) in enumerate(parts):
            header[i + 1] = part.numel()
        works = [self._gloo.send([header], to, _TAG_HEADER)]
        works += [self._gloo.send([part.view(-1)], to, tag) for part, tag in parts if part.numel()]
        for work in works:
            work.wait(self._limit)

    def receive(self) -> tuple[int, list[int], Any]:
        """Returns the kind, the part sizes and the sender of the next message."""
        header = torch.zeros(_HEADER, dtype=torch.int64)
        work = self._gloo.recv_anysource([header], _TAG_HEADER)
        work.wait(_ANY)
        what, *sizes = header.tolist()
        return what, sizes, work._source_rank()

    def part(self, source: int, tag: int, count: int, dtype: torch.dtype) -> torch.Tensor:
        """Receives one part of a message."""
        tensor = torch.empty(count, dtype=dtype)
        if count:
            self._gloo.recv([tensor], source, tag).wait(self._limit)
        return tensor

    def reply(self, to: int, data: torch.Tensor | None = None) -> None:
        """Sends a reply, with or without elements."""
        count = 0 if data is None else data.numel()
        works = [self._gloo.send([torch.tensor([count])], to, _TAG_REPLY)]
        if data is not None and count:
            works.append(self._gloo.send([data.contiguous().view(-1)], to, _TAG_ANSWER))
        for work in works:
            work.wait(self._limit)

    def answer(self, source: int, into: torch.Tensor | None = None) -> None:
        """Waits for a reply."""
        count = torch.zeros(1, dtype=torch.int64)
        self._gloo.recv([count], source, _TAG_REPLY).wait(self._limit)
        expected = 0 if into is None else into.numel()
        if int(count) != expected:
            raise MXNetError(f"a server sent {int(count)} elements where {expected} were expected")
        if into is not None and expected:
            self._gloo.recv([into], source, _TAG_ANSWER).wait(self._limit)

    def answer_bytes(self, source: int) -> torch.Tensor:
        """Waits for a reply of any number of bytes."""
        count = torch.zeros(1, dtype=torch.int64)
        self._gloo.recv([count], source, _TAG_REPLY).wait(self._limit)
        return self.part(source, _TAG_ANSWER, int(count), torch.uint8)


class Shard:
    """Parts of arrays by number, and their updaters. Used by one thread at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._keys: dict[int, tuple[int, Any]] = {}
        self._arrays: dict[int, Any] = {}
        self._updaters: dict[int, Any] = {}

    def put(self, number: int, store: int, key: Any, array: Any) -> None:
        """Stores an array as the part with this number."""
        with self._lock:
            self._keys[number], self._arrays[number] = (store, key), array

    def set_updater(self, store: int, updater: Any) -> None:
        """Sets the updater of a store."""
        with self._lock:
            self._updaters[store] = updater

    def adjust(self, store: int, attributes: dict[str, float]) -> None:
        """Sets numbers of the optimizer of a store: its learning rate, say."""
        with self._lock:
            optimizer = self._updaters[store].optimizer
            for name in ("lr", "wd", "rescale_grad"):
                if name in attributes:
                    setattr(optimizer, name, float(attributes[name]) if attributes[name] is not None else None)

    def size(self, number: int) -> int:
        """Returns the number of elements of a part."""
        return prod(self._array(number).shape)

    def dtype(self, number: int) -> torch.dtype:
        """Returns the data type of a part."""
        return torch_dtype(self._array(number).dtype)

    def _array(self, number: int) -> Any:
        try:
            return self._arrays[number]
        except KeyError:
            raise MXNetError(f"this server holds no array {number}") from None

    def push(self, numbers: Sequence[int], data: torch.Tensor) -> None:
        """Updates parts by gradients, given one after the other."""
        with self._lock:
            arrays = [self._array(n) for n in numbers]
            grads = [
                wrap(part.view(array.shape), cpu())
                for array, part in zip(arrays, data.split([prod(a.shape) for a in arrays]), strict=True)
            ]
            self._update(numbers, grads)

    def push_codes(self, numbers: Sequence[int], scheme: Compression, packed: torch.Tensor) -> None:
        """Updates parts by compressed gradients, each in bytes of its own."""
        sizes = [scheme.packed_size(self.size(n)) for n in numbers]
        parts = [
            scheme.levels(scheme.unpack(part, torch.Size([self.size(n)])), self.dtype(n))
            for n, part in zip(numbers, packed.split(sizes), strict=True)
        ]
        self.push(numbers, torch.cat(parts))

    def push_rows(self, number: int, rows: torch.Tensor, data: torch.Tensor) -> None:
        """Updates a part by a row-sparse gradient."""
        with self._lock:
            shape = self._array(number).shape
            value = RowSparse(data.view(-1, *shape[1:]), rows, shape)
            problem = value.problem()
            if problem:
                raise MXNetError(f"a gradient for array {number} is not right: {problem}")
            self._update([number], [wrap_any(value, cpu())])

    def _update(self, numbers: Sequence[int], grads: list[Any]) -> None:
        by_store: dict[int, list[tuple[Any, Any, Any]]] = {}
        for number, grad in zip(numbers, grads, strict=True):
            store, key = self._keys[number]
            by_store.setdefault(store, []).append((key, grad, self._arrays[number]))
        for store, items in by_store.items():
            updater = self._updaters.get(store)
            if updater is None:
                raise MXNetError("dist_async needs an optimizer before something is pushed: call set_optimizer")
            if isinstance(updater, opt.Updater):
                updater(*map(list, zip(*items, strict=True)))
            else:
                for key, grad, weight in items:
                    updater(key.encode() if isinstance(key, str) else key, grad, weight)

    def states(self, store: int) -> torch.Tensor:
        """The states of the optimizer of a store, and the numbers of its updates, in bytes."""
        with self._lock:
            updater = self._updaters[store]
            return pack_states(updater.states, updater.optimizer._index_update_count)

    def set_states(self, store: int, packed: torch.Tensor) -> None:
        """Replaces the states of the optimizer of a store."""
        states, counts = unpack_states(packed)
        with self._lock:
            updater = self._updaters[store]
            updater.states, updater.states_synced = states, dict.fromkeys(states, False)
            optimizer = updater.optimizer
            optimizer._index_update_count.update(counts)
            optimizer.num_update = max([optimizer.num_update, *counts.values()])

    def most_bytes_of_states(self) -> int:
        """Returns an upper bound on the size of optimizer states for the arrays here."""
        return _MOST_TEXT + 32 * sum(8 * self.size(number) for number in self._arrays)

    def pull(self, numbers: Sequence[int]) -> torch.Tensor:
        """The elements of parts, one after the other; a copy."""
        with self._lock:
            return torch.cat([as_whole(self._array(n))._data.reshape(-1) for n in numbers])

    def pull_rows(self, number: int, rows: torch.Tensor) -> torch.Tensor:
        """Some rows of a part."""
        with self._lock:
            value = value_of(self._array(number))
            if rows.numel() and not 0 <= int(rows.min()) <= int(rows.max()) < value.shape[0]:
                raise MXNetError(f"rows of array {number} are from 0 to {value.shape[0] - 1}")
            return value.take(rows) if isinstance(value, RowSparse) else value.index_select(0, rows)


class ServerThread:
    """Serves a shard to the workers, in a thread, until all of them have left."""

    def __init__(self, job: Job, group: Collective, clients: int):
        self.shard = Shard()
        self._job, self._clients = job, clients
        self._messages = Messages(group)
        self._thread = threading.Thread(target=self._run, name="mxnet-kvstore-server", daemon=True)
        self._thread.start()

    @staticmethod
    def of_server(job: Job) -> ServerThread:
        """Returns the thread of a process that only serves."""
        return ServerThread(job, job.everybody, job.env.workers)

    def join(self) -> None:
        """Waits until the thread has ended, or the job has failed."""
        while self._thread.is_alive() and self._job.health.fault is None:
            self._thread.join(0.05)

    def _run(self) -> None:
        left = 0
        try:
            while left < self._clients:
                what, sizes, source = self._messages.receive()
                if what == BYE:
                    left += 1
                else:
                    self._do(what, sizes, source)
        except MXNetError as error:
            self._job.health.declare(f"{self._job.member.name} could not do what a worker asked for: {error}")
        except RuntimeError as error:  # torch's: a connection has ended
            if self._job.health.fault is None and not self._job.closed:
                self._job.health.diagnose("serving", error)
        except Exception as error:  # an updater's
            traceback.print_exc(file=sys.stderr)
            self._job.health.declare(f"{self._job.member.name} failed in an update: {type(error).__name__}: {error}")

    def _do(self, what: int, sizes: list[int], source: int) -> None:
        text_size, ids_size, rows_size, data_size, *_ = sizes
        receive, shard = self._messages.part, self.shard
        if not 0 <= text_size <= _MOST_TEXT or not 0 <= ids_size <= _MOST_TEXT or min(rows_size, data_size) < 0:
            raise MXNetError(f"a message of worker {source} announces {sizes} elements, which cannot be")
        options = json.loads(text_of(receive(source, _TAG_TEXT, text_size, torch.uint8))) if text_size else {}
        ids = receive(source, _TAG_IDS, ids_size, torch.int64).tolist()
        if what == CONFIGURE:
            shard.set_updater(int(options["store"]), opt.get_updater(read_optimizer_text(options["optimizer"])))
            self._messages.reply(source)
        elif what == ADJUST:
            shard.adjust(int(options["store"]), options["attributes"])
        elif what == PUT:
            self._put(source, options, rows_size, data_size)
        elif what == PUSH:
            self._expect(source, data_size, sum(map(shard.size, ids)))
            shard.push(ids, receive(source, _TAG_DATA, data_size, shard.dtype(ids[0])))
        elif what == PUSH_CODES:
            scheme = compression(options)
            self._expect(source, data_size, sum(scheme.packed_size(shard.size(n)) for n in ids))
            shard.push_codes(ids, scheme, receive(source, _TAG_DATA, data_size, torch.uint8))
        elif what == STATES:
            self._messages.reply(source, shard.states(int(options["store"])))
        elif what == SET_STATES:
            if data_size > shard.most_bytes_of_states():
                raise MXNetError(f"worker {source} sent {data_size} bytes of states, more than arrays here have")
            shard.set_states(int(options["store"]), receive(source, _TAG_DATA, data_size, torch.uint8))
            self._messages.reply(source)
        elif what == PUSH_ROWS:
            self._expect(source, data_size * max(1, shard._array(ids[0]).shape[0]), rows_size * shard.size(ids[0]))
            rows = receive(source, _TAG_ROWS, rows_size, torch.int64)
            shard.push_rows(ids[0], rows, receive(source, _TAG_DATA, data_size, shard.dtype(ids[0])))
        elif what == SETTLE:
            self._messages.reply(source)
        elif what == PULL:
            self._messages.reply(source, shard.pull(ids))
        elif what == PULL_ROWS:
            if rows_size > max(1, shard._array(ids[0]).shape[0]):
                raise MXNetError(f"worker {source} asks for {rows_size} rows of an array that has fewer")
            self._messages.reply(source, shard.pull_rows(ids[0], receive(source, _TAG_ROWS, rows_size, torch.int64)))
        else:
            raise MXNetError(f"worker {source} asks for {what}, which does not exist")

    @staticmethod
    def _expect(source: int, given: int, expected: int) -> None:
        if given != expected:
            raise MXNetError(f"worker {source} sent {given} elements where {expected} were expected")

    def _put(self, source: int, options: dict[str, Any], rows_size: int, data_size: int) -> None:
        shape, dtype = tuple(int(n) for n in options["shape"]), torch_dtype(str(options["dtype"]))
        full = 1
        for n in shape:
            full *= n
        if data_size > full or rows_size > (shape[0] if shape else 0):
            raise MXNetError(f"worker {source} sent {data_size} elements for an array of shape {shape}")
        rows = self._messages.part(source, _TAG_ROWS, rows_size, torch.int64)
        data = self._messages.part(source, _TAG_DATA, data_size, dtype)
        if options["stype"] == "row_sparse":
            array = wrap_any(RowSparse(data.view(-1, *shape[1:]), rows, shape), cpu())
        else:
            array = wrap(data.view(shape), cpu())
        self.shard.put(int(options["number"]), int(options["store"]), options["key"], array)
        self._messages.reply(source)
