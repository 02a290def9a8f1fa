"""The store of one process: arrays by key, summed over devices and updated by a function or an optimizer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from .. import optimizer as opt
from .._core.files import writing
from ..context import Context, cpu
from ..error import MXNetAssertionError, MXNetError, MXNetTypeError, MXNetValueError
from ..ndarray import NDArray
from ..ndarray.ndarray import wrap
from ..ndarray.sparse_array import BaseSparseNDArray, value_of, wrap_any
from ..ops.sparse import RowSparse, dense, elementwise
from ..optimizer.base import RuleOptimizer
from .base import Arrays, Key, Keys, KVStoreBase, Update, check_capability
from .compression import Compression, compression

__all__ = ["KVStore"]


def _flat(arrays: Any) -> list[Any]:
    """The arrays of nested lists, in order."""
    return [each for item in arrays for each in _flat(item)] if isinstance(arrays, list | tuple) else [arrays]


def _readable(array: NDArray, context: Context) -> Any:
    """The array's tensor or sparse value for work on a context: a copy there, unless it is on that device.

    The host is one device.
    """
    apart = array._ctx is not context and (array._ctx.is_gpu or context.is_gpu)
    return value_of(_detached_copy(array, context) if apart else array)


def _detached_copy(array: NDArray, context: Context) -> NDArray:
    """A copy on a context, without the history that autograd may have of the array."""
    return wrap_any(value_of(array), array._ctx).copyto(context)


def _sparse_sum(values: list[Any], context: Context) -> NDArray:
    """The sum of arrays some of which are sparse: row-sparse if all of them are."""
    if all(isinstance(value, RowSparse) for value in values):
        total = values[0].map(torch.clone) if len(values) == 1 else elementwise.add_rows(*values)
        return wrap_any(total, context)
    return wrap(sum(map(dense, values[1:]), dense(values[0])), context)


class KVStore(KVStoreBase):
    """Keeps arrays by key: ``init`` once, then ``push`` what the devices have and ``pull`` the result to all of them.

    What is pushed for one key is summed. The sum replaces the stored array, or goes with it to the updater. Keys are
    all integers or all strings. A list of keys takes a list of values; a value may be a list of arrays, one for each
    device. Make one by ``mx.kv.create``.
    """

    #: Are the arrays of each device compressed, before they are summed?
    _compresses_devices = True

    def __init__(self, handle: str):
        self.handle = handle
        #: Are sums made where the arrays are, or on the host?
        self._on_device = "device" in handle or "nccl" in handle
        self._stored: dict[Key, NDArray] = {}
        self._order: dict[Key, int] = {}
        self._sums: dict[Key, torch.Tensor] = {}
        #: Keys whose stored array is the one that was pushed, or the buffer of their sum.
        self._shared: set[Key] = set()
        self._updater: Update | None = None
        self._compression: Compression | None = None

    # ---- keys and values -------------------------------------------------------------------------------------------

    def _pairs(self, key: Keys, value: Arrays) -> Iterator[tuple[Key, NDArray]]:
        """Each array with its key."""
        if isinstance(key, list | tuple):
            if not isinstance(value, list | tuple) or len(key) != len(value):
                given = len(value) if isinstance(value, list | tuple) else type(value).__name__
                raise MXNetAssertionError(f"{len(key)} key(s) need a list of as many values, got {given}")
            if len({isinstance(k, str) for k in key}) > 1:
                raise MXNetAssertionError("inconsistent types of keys detected: all must be int or all must be str")
            for k, v in zip(key, value, strict=True):
                yield from self._pairs(k, v)
            return
        if isinstance(key, np.integer):
            key = int(key)
        if not isinstance(key, int | str):
            raise MXNetAssertionError(f"unexpected type for keys: {type(key)}; a key is an int or a str")
        for array in value if isinstance(value, list | tuple) else (value,):
            if not isinstance(array, NDArray):
                given = type(array).__name__
                # as the original, which goes through what is no array
                kind = MXNetAssertionError if hasattr(value, "__iter__") else MXNetTypeError
                raise kind(f"key {key}: expected an NDArray or a list of them, got {given}")
            yield key, array

    def _check_type(self, key: Key) -> None:
        for known in self._stored:
            if isinstance(known, str) is not isinstance(key, str):
                raise MXNetTypeError(
                    f"Mixed key types are not allowed: {key!r} does not fit a store with key {known!r}"
                )
            return

    def _of(self, key: Key) -> NDArray:
        try:
            return self._stored[key]
        except KeyError:
            self._check_type(key)
            raise MXNetValueError(f"key {key!r} has not been inited: call init({key!r}, array) first") from None

    # ---- init, push, pull ------------------------------------------------------------------------------------------

    def init(self, key: Keys, value: Arrays) -> None:
        """Stores a first value for each key. The array is copied."""
        pairs = list(self._pairs(key, value))
        for k, array in pairs:
            self._check_type(k)
            if k in self._stored:
                raise MXNetValueError(
                    f"duplicate init of key {k!r}. Please double check if you called kv.init or kv.broadcast with this "
                    "key multiple times"
                )
            self._stored[k] = _detached_copy(array, array._ctx if self._on_device and array._ctx.is_gpu else cpu())
            # strings keep the order of their init, integers their own
            self._order[k] = len(self._order) if isinstance(k, str) else k

    def push(self, key: Keys, value: Arrays, priority: int = 0) -> None:
        """Sums the arrays of each key and stores the sum, or hands it to the updater.

        ``priority`` is accepted; what is pushed is done when this returns.
        """
        # without an updater an array of another shape may take the place of the stored one
        keys, sums = self._sum_by_key(key, value, same_shape=self._updater is not None)
        if self._updater is None:
            self._stored.update(zip(keys, sums, strict=True))
            self._shared.update(keys)
        else:
            self._update(keys, sums)

    def _sum_by_key(self, key: Keys, value: Arrays, same_shape: bool) -> tuple[list[Key], list[NDArray]]:
        """The keys in their order, and the sum of each over the devices."""
        arrays: dict[Key, list[NDArray]] = {}
        for k, array in self._pairs(key, value):
            arrays.setdefault(k, []).append(array)
        for k, given in arrays.items():
            held = self._of(k)
            self._check_shapes(k, given, (held if same_shape else given[0]).shape)
        keys = sorted(arrays, key=self._order.__getitem__) if len(arrays) > 1 else list(arrays)
        return keys, [self._sum(k, arrays[k]) for k in keys]

    @staticmethod
    def _check_shapes(key: Key, arrays: list[NDArray], shape: tuple[int, ...]) -> None:
        for array in arrays:
            if array.shape != shape:
                raise MXNetValueError(
                    f"key {key!r} holds an array of shape {tuple(shape)}, one of shape {array.shape} was given"
                )

    def _sum(self, key: Key, arrays: list[NDArray]) -> NDArray:
        context = arrays[0]._ctx if self._on_device else cpu()
        if len(arrays) > 1 and key in self._stored:  # their sum has the store's dtype
            dtype = self._stored[key].dtype
            arrays = [array.astype(dtype, copy=False) for array in arrays]
        if any(array.stype != "default" for array in arrays):
            return _sparse_sum([_readable(array, context) for array in arrays], context)
        if self._compression is not None and self._compresses_devices:
            arrays = [wrap(self._compression((key, i), a._data), a._ctx) for i, a in enumerate(arrays)]
        tensors = [_readable(array, context) for array in arrays]
        if len(tensors) == 1:
            # On the host the store then holds the array that was pushed, as in the original; of a device's a copy, and
            # where a sparse one was.
            held = self._stored.get(key)
            sparse = held is not None and held.stype != "default"
            kept = (sparse or (context.is_gpu and arrays[0]._ctx is context)) and self._updater is None
            return wrap(tensors[0].clone() if kept else tensors[0].detach(), context)
        total = self._sums.get(key)
        like = tensors[0]
        if total is None or (total.dtype, total.shape, total.device) != (like.dtype, like.shape, like.device):
            total = self._sums[key] = torch.empty_like(like)
        torch.add(like, tensors[1], out=total)
        for other in tensors[2:]:
            total.add_(other)
        return wrap(total, context)

    def _update(self, keys: list[Key], sums: list[NDArray]) -> None:
        self._apply(keys, sums, self._on_one_context(keys, sums))

    def _on_one_context(self, keys: list[Key], sums: list[NDArray]) -> list[NDArray]:
        """The stored arrays of keys; each sum is brought to the context of its array, or the other way round."""
        stored = []
        for i, (k, total) in enumerate(zip(keys, sums, strict=True)):
            held = self._stored[k]
            if held._ctx is not total._ctx:
                if total._ctx.is_gpu and not held._ctx.is_gpu:  # a store of devices goes to the first of them, once
                    held = self._stored[k] = held.as_in_context(total._ctx)
                else:  # an optimizer counts the updates of each context
                    sums[i] = wrap(_readable(total, held._ctx), held._ctx)
            stored.append(held)
        return stored

    def _apply(self, keys: list[Key], sums: list[NDArray], stored: list[NDArray]) -> None:
        """Gives sums and stored arrays to the updater."""
        updater = self._updater
        if not isinstance(updater, opt.Updater) or not isinstance(updater.optimizer, RuleOptimizer):
            for k, total, held in zip(keys, sums, stored, strict=True):
                # the original gives string keys as bytes
                updater(k.encode() if isinstance(k, str) else k, total, held)  # type: ignore[misc]
            return
        for context in dict.fromkeys(held._ctx for held in stored):
            rows = [row for row in zip(keys, sums, stored, strict=True) if row[2]._ctx is context]
            updater(*map(list, zip(*rows, strict=True)))

    def pull(self, key: Keys, out: Arrays | None = None, priority: int = 0, ignore_sparse: bool = True) -> None:
        """Copies the stored array of each key to all arrays in ``out``, whatever their device and dtype.

        That is no operator: while recording, too, it writes to parameters that are in the graph, as in the original.
        """
        if out is None:
            raise MXNetAssertionError("pull needs out: the array, or the list of arrays, to copy to")
        targets, sources = [], []
        pairs = [(k, array, self._of(k)) for k, array in self._pairs(key, out)]
        for k, array, held in sorted(pairs, key=lambda pair: self._order[pair[0]]):
            if array.stype != "default":
                if not ignore_sparse:
                    assert isinstance(array, BaseSparseNDArray)
                    array._accept(_readable(held, array._ctx))
                continue
            self._check_shapes(k, [array], held.shape)
            target, source = array._data, dense(_readable(held, array._ctx))
            if target is source or (target.data_ptr() == source.data_ptr() and target.dtype is source.dtype):
                continue
            targets.append(target)
            sources.append(source)
        if targets:
            torch._foreach_copy_(targets, sources)

    def pushpull(self, key: Keys, value: Arrays, out: Arrays | None = None, priority: int = 0) -> None:
        """``push``, then ``pull`` to ``out``; to ``value`` itself if that is not given."""
        self.push(key, value, priority)
        self.pull(key, value if out is None else out, priority)

    def broadcast(self, key: Keys, value: Arrays, out: Arrays, priority: int = 0) -> None:
        """``init`` with the value, then ``pull`` to ``out``."""
        self.init(key, value)
        self.pull(key, out, priority)

    def row_sparse_pull(
        self, key: Keys, out: Arrays | None = None, priority: int = 0, row_ids: Arrays | None = None
    ) -> None:
        """Gives ``out`` the rows with these numbers, and no others.

        ``row_ids`` is one array for all of ``out``, or a list with one for each, nested as ``out`` is.
        """
        if out is None or row_ids is None:
            raise MXNetAssertionError("row_sparse_pull needs out and row_ids")
        targets = list(self._pairs(key, out))
        numbers = _flat(row_ids)
        if len(numbers) == 1:
            numbers = numbers * len(targets)
        if len(numbers) != len(targets):
            raise MXNetValueError(f"{len(targets)} array(s) need as many row_ids, got {len(numbers)}")
        for (k, array), rows in zip(targets, numbers, strict=True):
            if not isinstance(rows, NDArray):
                raise MXNetTypeError(f"row_ids must be NDArrays, got {type(rows).__name__}; see mx.nd.array")
            for what, stype in (("the stored array", self._of(k).stype), ("out", array.stype)):
                if stype != "row_sparse":
                    raise MXNetTypeError(f"row_sparse_pull of key {k!r}: {what} must be row_sparse, it is {stype}")
        for (k, array), rows in zip(targets, numbers, strict=True):
            held = self._of(k)
            self._check_shapes(k, [array], held.shape)
            source = _readable(held, array._ctx)
            index = torch.unique(_readable(rows, array._ctx).to(torch.int64))
            if isinstance(source, RowSparse) and not source.indices.numel():  # no row has been pushed yet
                index = index[:0]
            if index.numel() and not 0 <= int(index[0]) <= int(index[-1]) < source.shape[0]:
                raise MXNetValueError(f"row_ids of key {k!r} must be from 0 to {source.shape[0] - 1}")
            picked = source.take(index)
            assert isinstance(array, BaseSparseNDArray)
            array._value = RowSparse(picked.to(array._value.dtype), index, array.shape)

    # ---- updaters and optimizers -----------------------------------------------------------------------------------

    def _set_updater(self, updater: Update) -> None:
        """From now on ``updater(key, pushed, stored)`` is to change what is stored, in place."""
        for key in self._shared:
            self._stored[key] = self._stored[key].copy()
        self._shared.clear()
        self._updater = updater

    set_updater = _set_updater

    def set_optimizer(self, optimizer: opt.Optimizer) -> None:
        """Lets an optimizer update what is stored by what is pushed: weights by gradients."""
        if not isinstance(optimizer, opt.Optimizer):
            raise MXNetTypeError(f"set_optimizer takes an Optimizer, got {type(optimizer).__name__}")
        self._set_updater(opt.get_updater(optimizer))

    def _states(self, doing: str) -> opt.Updater:
        if not isinstance(self._updater, opt.Updater):
            raise MXNetAssertionError(
                f"cannot {doing} optimizer states: this store has no optimizer; call set_optimizer first"
            )
        return self._updater

    def save_optimizer_states(self, fname: str, dump_optimizer: bool = False) -> None:
        """Writes the optimizer's states to a file, and the optimizer itself with ``dump_optimizer``."""
        states = self._updater_to_save().get_states(dump_optimizer)
        with writing(fname) as stream:
            stream.write(states)

    def _updater_to_save(self) -> Any:
        return self._states("save")

    def load_optimizer_states(self, fname: str) -> None:
        """Reads states that were saved here or by the original."""
        self._states("load").load_states(fname)

    def set_gradient_compression(self, compression_params: dict[str, Any]) -> None:
        """Sends gradients by two bits an element, ``{'type': '2bit', 'threshold': 0.5}``, or by one, ``'1bit'``.

        It is for stores on devices and for distributed ones. What is lost by it is kept for each key and device, and
        added to what is pushed next.
        """
        if not self._on_device:
            raise MXNetError(
                "Gradient compression is not supported for this type of kvstore; 'device' and 'dist_sync' have it"
            )
        self._compression = compression(compression_params)

    # ---- what it is ------------------------------------------------------------------------------------------------

    @property
    def type(self) -> str:
        """The name the store was created by."""
        return self.handle

    def get_type(self) -> str:
        """The name the store was created by."""
        return self.handle

    @property
    def rank(self) -> int:
        """The number of this worker: 0, the only one."""
        return 0

    @property
    def num_workers(self) -> int:
        """How many workers there are: 1."""
        return 1

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Whether the store can do something: ``'optimizer'``, update its values, it can."""
        return check_capability(capability, True)

    def barrier(self) -> None:
        """Waits for all workers; there is no other."""

    _barrier = barrier

    def _send_command_to_servers(self, head: int, body: str) -> None:
        """For servers, of which a store of one process has none."""
