"""Stores of several processes that run in step: ``dist_sync`` and its like.

All workers do the same operations in the same order. What they push is summed over all of them by torch's collectives;
each has the result, so that ``pull`` needs nobody else. With an optimizer each worker is responsible for some keys, and
for parts of big ones: it alone has their states, makes their updates and gives the new values to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any

import torch

from .. import optimizer as opt
from ..context import Context
from ..error import MXNetTypeError, MXNetValueError
from ..ndarray import NDArray
from ..ndarray.ndarray import wrap
from ..ndarray.sparse_array import value_of, wrap_any
from ..ndarray.tape import state as recording_state
from ..ops.sparse import RowSparse, dense, elementwise
from ..optimizer.base import RuleOptimizer
from ..optimizer.sparse import as_whole
from .base import Arrays, Key, Keys, Update
from .buckets import Bucket, Part, PushPlan, Shares, copy_parts, sum_into
from .calls import Push, settled
from .collective import Collective, Transfer
from .dist import DistKVStore, concat_states, cut, format_keys, kind_of
from .overlap import Overlap
from .wire import gather_states

__all__ = ["SyncKVStore"]

#: Types whose sums over the workers are made in float32, as servers do in the original: 40000 + 40000 is no infinity.
_HALVES = (torch.float16, torch.bfloat16)


def _single(values: Any, count: int) -> tuple[list[NDArray], list[torch.Tensor]] | None:
    """The arrays of values that are one dense array each, by itself or in a list, and their tensors; None if not."""
    if not isinstance(values, list | tuple) or len(values) != count:
        return None
    if {*map(type, values)} <= {list, tuple}:
        values = [v[0] if len(v) == 1 else v for v in values]
    arrays = list(values)
    try:
        return arrays, [array._data for array in arrays]
    except AttributeError:  # several arrays for a key, a sparse one, or what is no array at all
        return None


def _whole(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.float() if tensor.dtype in _HALVES else tensor


class SyncKVStore(DistKVStore):
    """A store whose workers run in step: ``dist_sync``, ``dist_device_sync`` and their like."""

    def __init__(self, handle: str):
        super().__init__(handle)
        self._shares = Shares(self.num_workers)
        self._parts: dict[Key, list[Part]] = {}
        self._totals: dict[Key, torch.Tensor] = {}
        #: How keys that are pushed together travel; a key is in one plan.
        self._plans: dict[tuple[Key, ...], PushPlan] = {}
        self._overlap_count = 0

    # ---- push ------------------------------------------------------------------------------------------------------

    def _push(self, key: Keys, value: Arrays) -> None:
        self._exchange(key, value, None)

    def _pushpull(self, key: Keys, value: Arrays, out: Arrays) -> None:
        self._exchange(key, value, out)

    def _send_calls(self, pushes: list[Push]) -> int:
        """Pushes the first ones together: as many as all workers have got to, which need not read at the same time."""
        what, details = self._push_text([p.key for p in pushes], [wrap(p.value, p.context) for p in pushes])
        number = self._workers.number("pushes of single keys", str(self._number))
        count = self._workers.least(f"{what} (store {self._number})", details, number, len(pushes))
        first = sorted(pushes[:count], key=lambda push: -push.priority)
        keys, arrays = [push.key for push in first], [wrap(push.value, push.context) for push in first]
        with self._optimizer_as_pushed():
            if self._is_plain(keys, arrays):
                sources = [push.value for push in first]
                plan = self._plans.get(tuple(keys))
                if plan is None or not plan.takes(sources) or plan.contexts != [push.context for push in first]:
                    plan = self._make_plan(keys, arrays, overlaps=False)
                self._run_plan(plan, sources, None)
            else:
                self._push_others(keys, arrays)
        return count

    def _exchange(self, key: Keys, value: Arrays, out: Arrays | None) -> None:
        """``push`` and, with ``out``, ``pull``."""
        keys = tuple(key) if isinstance(key, list | tuple) else (key,)
        sources = contexts = None
        arrays: list[NDArray] | None = None
        plan = self._plans.get(keys) if {*map(type, keys)} <= {int, str} else None
        if plan is not None:  # what was checked when it was made needs no other look
            given = _single(value if isinstance(key, list | tuple) else [value], len(keys))
            if given is not None and plan.takes(given[1]) and [array._ctx for array in given[0]] == plan.contexts:
                arrays, sources = given
        if sources is None:
            ordered, sums = self._sum_by_key(key, value, same_shape=True)
            self._check_dtypes(ordered, sums)
            if not self._is_plain(ordered, sums):
                self._push_others(ordered, sums)
                if out is not None:
                    self._pull(key, out)
                return
            sources, contexts = [s._data for s in sums], [s._ctx for s in sums]
            plan = self._plans.get(tuple(ordered))
            if plan is None or not plan.takes(sources) or plan.contexts != contexts:
                plan = self._make_plan(ordered, sums)
        assert plan is not None
        targets = None
        if out is not None and plan.keys == list(keys):
            targets = self._plain_targets(plan, sources, out if isinstance(key, list | tuple) else [out])
        self._run_plan(plan, sources, targets)
        if arrays is not None and plan.overlap is not None:
            plan.overlap.watch(arrays)
        if out is not None and targets is None:
            self._pull(key, out)

    def _is_plain(self, keys: list[Key], sums: list[NDArray]) -> bool:
        """Are all of these dense, on the host and summed as they are? All workers get the same result."""
        return self._compression is None and all(
            s.stype == self._stored[k].stype == "default" and not s._data.is_cuda and s._data.dtype not in _HALVES
            for k, s in zip(keys, sums, strict=True)
        )

    @staticmethod
    def _plain_targets(plan: PushPlan, sources: list[torch.Tensor], out: Any) -> list[torch.Tensor] | None:
        """Returns the arrays to copy results to while others are sent; None if ``pull`` has to handle each."""
        given = _single(out, len(plan.keys))
        if given is None or recording_state.recording or not all(array._writable for array in given[0]):
            return None
        targets = given[1]
        if not plan.takes(targets) or any(t.is_cuda or not t.is_contiguous() for t in targets):
            return None
        return targets if plan.can_write_in_place_of_pull(sources, targets) else None

    def _make_plan(self, keys: list[Key], sums: list[NDArray], overlaps: bool = True) -> PushPlan:
        """Plans how keys are sent, and moves their stored arrays into the buckets."""
        self._drop_plans(keys)
        updates = self._updater is not None
        held = self._on_one_context(keys, list(sums)) if updates else [self._stored[k] for k in keys]
        plan = PushPlan(keys, [s._data for s in sums], [s._ctx for s in sums], updates, self._workers.piece)
        plan.what, plan.details = self._push_text(keys, sums)
        if updates:
            for bucket in plan.buckets:
                self._share(bucket, bucket.pick(keys))
                for array, view in zip(bucket.pick(held), bucket.stored_views, strict=True):
                    view.copy_(array._data)
                    array._data = view
        if overlaps and self.num_workers > 1 and len(plan.buckets) > 1 and self._update_granularity() != "all":
            plan.overlap = Overlap(plan)
        self._plans[tuple(keys)] = plan
        return plan

    @settled
    def set_gradient_compression(self, compression_params: dict[str, object]) -> None:
        """As for all distributed stores; what is planned is for arrays that are sent as they are."""
        super().set_gradient_compression(compression_params)
        self._drop_plans([key for keys in self._plans for key in keys])

    def _drop_plans(self, keys: list[Key]) -> None:
        """Forgets the plans that some keys are in; all workers do at the same time."""
        for known in [known for known in self._plans if not set(known).isdisjoint(keys)]:
            overlap = self._plans.pop(known).overlap
            if overlap is not None:
                overlap.abandon()

    def _share(self, bucket: Bucket, keys: list[Key]) -> None:
        """Assigns owners to the keys of a bucket: one worker, or several for one big array."""
        new = [k for k in keys if k not in self._parts]
        if new:
            apart = self._update_granularity()
            sizes = {k: prod(self._stored[k].shape) for k in new}
            parts = self._shares.assign(
                sum(sizes.values()), apart == "elements" and len(keys) == 1, only=0 if apart == "all" else None
            )
            for k in new:
                self._parts[k] = parts if len(parts) > 1 else [Part(parts[0].owner, 0, sizes[k])]
                self._localize(k)
        begin = 0
        for k, view in zip(keys, bucket.views, strict=True):
            for part in self._parts[k]:
                last = bucket.owned[-1] if bucket.owned else None
                if last is not None and last.owner == part.owner:
                    bucket.owned[-1] = Part(part.owner, last.start, begin + part.stop)
                else:
                    bucket.owned.append(Part(part.owner, begin + part.start, begin + part.stop))
            begin += view.numel()

    def _run_plan(self, plan: PushPlan, sources: list[torch.Tensor], targets: list[torch.Tensor] | None) -> None:
        """Sums over the workers, updates, and copies the results to the targets.

        While some arrays are sent, the next ones are packed; weights are updated and sent back as their sums arrive.
        """
        mode = self._mode()
        if not plan.number or mode != plan.mode:
            plan.mode, text = mode, f"{plan.what} (store {self._number})"
            plan.number = self._workers.number(text, plan.details + mode)
        overlap = plan.overlap
        with torch.no_grad():
            other = overlap is not None and overlap.finish(sources)
            text = f"{plan.what} (store {self._number})"
            answer = self._workers.ask(text, plan.details + mode, plan.number, other)
            begun = self._begun_sums(plan, answer)
            if self._updater is None:
                if begun is None:
                    transfers = self._sum_transfers(plan, sources, targets, answer)
                else:
                    transfers = (self._sum_transfer(bucket, sources, targets, answer, works) for bucket, works in begun)
                self._workers.run(plan.what, transfers)
                self._store_sums(plan)
            elif (
                self._update_granularity() == "all"
            ):  # the order of updates counts: all of them when all sums are there
                self._workers.run(plan.what, self._sum_transfers(plan, sources, None, answer))
                totals = {
                    i: view for bucket in plan.buckets for i, view in zip(bucket.numbers, bucket.views, strict=True)
                }
                self._update_owned(plan.keys, [totals[i] for i in range(len(plan.keys))])
                self._workers.run(plan.what, (self._broadcast_transfer(bucket, targets) for bucket in plan.buckets))
            else:
                transfers = (
                    self._update_transfer(
                        plan, bucket, self._sum_transfer(bucket, sources, None, answer, works), targets
                    )
                    for bucket, works in begun or [(bucket, None) for bucket in plan.buckets]
                )
                self._workers.run(plan.what, transfers)
        if overlap is not None and overlap.group is None and not answer():
            self._start_overlap(overlap)

    def _begun_sums(self, plan: PushPlan, answer: Callable[[], bool]) -> list[tuple[Bucket, list | None]] | None:
        """Returns the buckets in sending order with the sums that backward has started; None without overlap."""
        overlap = plan.overlap
        if overlap is None or overlap.group is None:
            return None
        again, works = answer(), overlap.take()
        if not again:
            return list(zip(overlap.buckets, works, strict=True))
        self._workers.run(plan.what, (iter([each]) for each in works))  # they finish, and their results are dropped
        return [(bucket, None) for bucket in overlap.buckets]

    def _start_overlap(self, overlap: Overlap) -> None:
        """From now on the sums of a plan begin while backward runs: in all workers it has written all gradients."""
        job = self._job
        self._overlap_count += 1
        name = f"workers of store {self._number}, ahead {self._overlap_count}"
        group = Collective(job.member, job.health, name, self.rank, self.num_workers)
        job.on_close(group.close)
        group.meet()  # backward, which begins the first of its sums, must not wait for others
        overlap.start(group)

    def _store_sums(self, plan: PushPlan) -> None:
        """Stores what was summed, without a copy."""
        turns = [bucket for bucket in plan.buckets if bucket.swap()]
        for bucket in turns if plan.holds else plan.buckets:
            for i, view in zip(bucket.numbers, bucket.stored_views, strict=True):
                self._stored[plan.keys[i]] = wrap(view, plan.contexts[i])
        plan.holds = True

    def _sum_transfers(
        self, plan: PushPlan, sources: list, targets: list | None, answer: Callable[[], bool]
    ) -> Iterator[Transfer]:
        for bucket in plan.buckets:
            if len(bucket.numbers) == 1:
                answer()
                [source], target = bucket.pick(sources), targets[bucket.numbers[0]] if targets is not None else None
                yield from self._workers.sum_transfers(bucket.flat, source, target)
            else:
                yield self._sum_transfer(bucket, sources, targets, answer)

    def _sum_transfer(
        self,
        bucket: Bucket,
        sources: list,
        targets: list | None,
        answer: Callable[[], bool],
        begun: list | None = None,
    ) -> Transfer:
        """Sums the arrays of a bucket, unless that has started, and copies the sums to the targets."""
        if begun is None:
            given = bucket.pick(sources)
            answer()
            begun = self._workers.start_sum(bucket.flat, given)
        yield begun
        if targets is not None:
            torch._foreach_copy_(bucket.pick(targets), bucket.views)

    def _update_transfer(
        self, plan: PushPlan, bucket: Bucket, sum_transfer: Transfer, targets: list | None
    ) -> Transfer:
        """Updates the weights of a bucket once its sums have arrived."""
        yield from sum_transfer
        self._update_owned(bucket.pick(plan.keys), bucket.views)
        yield from self._broadcast_transfer(bucket, targets)

    def _broadcast_transfer(self, bucket: Bucket, targets: list | None) -> Transfer:
        """Broadcasts the new weights."""
        yield [
            work
            for part in bucket.owned
            for work in self._workers.start_copy(part.owner, bucket.stored[part.start : part.stop])
        ]
        if targets is not None:
            torch._foreach_copy_(bucket.pick(targets), bucket.stored_views)

    def _update_owned(self, keys: list[Key], totals: list[torch.Tensor]) -> None:
        """Updates the parts that this worker owns, by the sums over all workers."""
        mine: list[tuple[Key, NDArray, NDArray]] = []
        counted: list[Key] = []
        whole: list[tuple[NDArray, torch.Tensor]] = []
        for k, total in zip(keys, totals, strict=True):
            held, parts = self._stored[k], self._parts[k]
            own = [part for part in parts if part.owner == self.rank]
            if not own:
                counted.append(k)
            elif len(parts) == 1:
                mine.append((k, wrap(total, held._ctx), held))
                whole.append((held, held._data))
            for part in own if len(parts) > 1 else ():
                grad, weight = (t.view(-1)[part.start : part.stop] for t in (total, held._data))
                mine.append((k, wrap(grad, held._ctx), wrap(weight, held._ctx)))
        if mine:
            self._apply(*map(list, zip(*mine, strict=True)))
        for held, place in whole:
            if held._data is not place:  # an updater has put another array there
                place.copy_(held._data)
                held._data = place
        self._count(counted, self._stored[keys[0]]._ctx)

    def _count(self, keys: list[Key], context: Context) -> None:
        """Counts the updates that other workers make."""
        if keys and isinstance(self._updater, opt.Updater):
            optimizer = self._updater.optimizer
            optimizer._set_current_context(context.device_id)
            optimizer._update_count(keys)

    def _push_others(self, keys: list[Key], sums: list[NDArray]) -> None:
        """Pushes arrays some of which are sparse, on a GPU or compressed."""
        what, details = self._push_text(keys, sums)
        self._agree(what, details + self._mode())
        self._drop_plans(keys)
        if self._updater is None:
            self._replace(what, keys, sums)
        else:
            totals = self._sum_over_workers(what, keys, sums)
            if not isinstance(self._updater, opt.Updater):  # a function of the user's: what it gets is as it was pushed
                totals = [t.astype(s.dtype, copy=False) for t, s in zip(totals, sums, strict=True)]
            self._update_parts(what, keys, totals)

    def _push_text(self, keys: list[Key], arrays: list[NDArray]) -> tuple[str, str]:
        """Returns the name of a push, and the details that must be the same for all workers."""
        details = "; ".join(f"{k!r} {kind_of(a)}" for k, a in zip(keys, arrays, strict=True))
        return f"push of {format_keys(keys)}", details

    def _mode(self) -> str:
        """What else must be the same for all workers: whose update follows."""
        updater = self._updater
        if isinstance(updater, opt.Updater):
            optimizer = updater.optimizer
            return f" by {type(optimizer).__name__} {optimizer.lr} {optimizer.wd} {optimizer.rescale_grad}"
        return "" if updater is None else " by an updater"

    def _replace(self, what: str, keys: list[Key], sums: list[NDArray]) -> None:
        """Stores the sums over all workers."""
        plain = self._compression is None
        direct = [
            (k, s)
            for k, s in zip(keys, sums, strict=True)
            if plain and s.stype == self._stored[k].stype == "default" and s._data.dtype not in _HALVES
        ]
        for k, s in direct:
            if self._stored[k]._ctx is not s._ctx:
                self._stored[k] = wrap(torch.empty_like(s._data, memory_format=torch.contiguous_format), s._ctx)
        if direct:
            sum_into(self._workers, what, [s._data for _, s in direct], [self._stored[k]._data for k, _ in direct])
        done = {k for k, _ in direct}
        rest = [(k, s) for k, s in zip(keys, sums, strict=True) if k not in done]
        if rest:
            totals = self._sum_over_workers(what, [k for k, _ in rest], [s for _, s in rest])
            for (k, _), total in zip(rest, totals, strict=True):
                self._stored[k] = total.astype(self._stored[k].dtype)

    def _sum_over_workers(self, what: str, keys: list[Key], sums: list[NDArray]) -> list[NDArray]:
        """The sums over all workers, in memory of this store; those of half precision in float32."""
        totals: list[NDArray | None] = [None] * len(sums)
        plain = []
        for i, (k, each) in enumerate(zip(keys, sums, strict=True)):
            if each.stype != "default":
                totals[i] = wrap_any(self._sum_rows(what, value_of(each)), each._ctx)
            elif self._compression is not None:
                totals[i] = wrap(self._sum_compressed(what, k, each._data), each._ctx)
            else:
                plain.append(i)
        buffers = []
        for i in plain:
            k, tensor = keys[i], _whole(sums[i]._data)
            buffer = self._totals.get(k)
            if buffer is None or (buffer.shape, buffer.dtype, buffer.device) != (
                tensor.shape,
                tensor.dtype,
                tensor.device,
            ):
                buffer = self._totals[k] = torch.empty_like(tensor, memory_format=torch.contiguous_format)
            buffers.append(buffer)
            totals[i] = wrap(buffer, sums[i]._ctx)
        if plain:
            sum_into(self._workers, what, [_whole(sums[i]._data) for i in plain], buffers)
        return totals  # type: ignore[return-value]

    def _sum_rows(self, what: str, value: Any) -> Any:
        if not isinstance(value, RowSparse):
            raise MXNetValueError(f"distributed stores sum dense and row_sparse arrays, not {value.stype}")
        value = value.sort()
        data = self._workers.gather(what, value.data.detach())
        rows = self._workers.gather(what, value.indices)
        values = [RowSparse(_whole(d), r, value.shape) for d, r in zip(data, rows, strict=True)]
        total = values[0] if len(values) == 1 else elementwise.add_rows(*values)
        return total.map(torch.clone) if total is value else total

    def _sum_compressed(self, what: str, key: Key, values: torch.Tensor) -> torch.Tensor:
        scheme = self._compression
        assert scheme is not None
        packed = scheme.pack(scheme.encode(key, values))
        total = torch.zeros_like(values, memory_format=torch.contiguous_format)
        for each in self._workers.gather(what, packed):
            total += scheme.levels(scheme.unpack(each, values.shape), values.dtype)
        return total

    @settled
    def end_of_epoch(self, epoch: int, batches: int) -> None:
        """Makes sure that all workers have come to the end of an epoch, after as many batches."""
        self._agree(f"end of epoch {epoch} after {batches} batches")

    # ---- updates ---------------------------------------------------------------------------------------------------

    def _update_granularity(self) -> str:
        """What can be updated apart from the rest: ``elements``, whole ``weights``, or ``all`` only together."""
        updater = self._updater
        return vars(type(updater.optimizer)).get("_apart", "weights") if isinstance(updater, opt.Updater) else "weights"

    def _parts_of(self, key: Key, total: NDArray, stored: NDArray) -> list[Part]:
        """Who updates which part of a key; decided when it is first pushed, by all workers alike."""
        parts = self._parts.get(key)
        if parts is None:
            apart = self._update_granularity()
            splits = apart == "elements" and total.stype == stored.stype == "default"
            parts = self._shares.assign(prod(stored.shape), splits, only=0 if apart == "all" else None)
            self._parts[key] = parts
            self._localize(key)
        return parts

    def _update_parts(self, what: str, keys: list[Key], totals: list[NDArray]) -> None:
        stored = self._on_one_context(keys, totals)
        mine: list[tuple[Key, NDArray, NDArray]] = []
        counted: list[Key] = []
        sent: list[tuple[int, torch.Tensor]] = []
        rows: list[tuple[int, torch.Tensor, torch.Tensor]] = []
        others: list[tuple[Key, int]] = []
        for k, total, held in zip(keys, totals, stored, strict=True):
            parts = self._parts_of(k, total, held)
            if len(parts) > 1:
                grads, weights = dense(value_of(total)).reshape(-1), held._data.view(-1)
                for part in parts:
                    weight = weights[part.start : part.stop]
                    sent.append((part.owner, weight))
                    if part.owner == self.rank:
                        grad = wrap(grads[part.start : part.stop], held._ctx)
                        mine.append((k, grad, wrap(weight, held._ctx)))
                if all(part.owner != self.rank for part in parts):
                    counted.append(k)
                continue
            owner = parts[0].owner
            if owner == self.rank:
                mine.append((k, total, held))
            else:
                counted.append(k)
            if held.stype != "default" and not isinstance(self._updater, opt.Updater):
                others.append((k, owner))
                continue
            weight = as_whole(held)._data
            if self._touches_rows_only(total, held):
                rows.append((owner, weight, value_of(total).indices))
            else:
                sent.append((owner, weight))
        if mine:
            self._apply(*map(list, zip(*mine, strict=True)))
        self._count(counted, stored[0]._ctx)
        self._broadcast_updates(what, sent, rows)
        for k, owner in others:
            held = self._stored[k]
            self._stored[k] = wrap_any(self._first_sparse(what, value_of(held), owner), held._ctx)

    def _touches_rows_only(self, total: NDArray, held: NDArray) -> bool:
        if total.stype != "row_sparse" or not isinstance(self._updater, opt.Updater):
            return False
        optimizer = self._updater.optimizer
        return isinstance(optimizer, RuleOptimizer) and optimizer._is_lazy(held)

    def _broadcast_updates(self, what: str, sent: list, rows: list) -> None:
        """Broadcasts what the owners have computed: whole tensors, and rows of others."""
        picked = [
            (
                owner,
                weight.index_select(0, index)
                if owner == self.rank
                else weight.new_empty((len(index), *weight.shape[1:])),
            )
            for owner, weight, index in rows
        ]
        copy_parts(self._workers, what, [*sent, *picked])
        for (owner, weight, index), (_, new) in zip(rows, picked, strict=True):
            if owner != self.rank:
                weight.index_copy_(0, index, new)

    @settled
    def set_optimizer(self, optimizer: opt.Optimizer) -> None:
        """Lets an optimizer update what is stored by what is pushed. All workers give an equal one.

        Each of them makes the updates of some keys, and has their states. The optimizer is the worker's own object:
        a learning rate that all of them change counts from the next push on.
        """
        if not isinstance(optimizer, opt.Optimizer):
            raise MXNetTypeError(f"set_optimizer takes an Optimizer, got {type(optimizer).__name__}")
        numbers = {k: v for k, v in sorted(vars(optimizer).items()) if isinstance(v, bool | int | float | str | None)}
        self._agree("set_optimizer", f"{type(optimizer).__name__} {numbers}")
        super().set_optimizer(optimizer)
        self._with_copies(self._states("use"))

    @settled
    def _set_updater(self, updater: Update) -> None:
        """From now on ``updater(key, pushed, stored)`` is to change what is stored, in the worker that owns the key."""
        super()._set_updater(updater)
        self._drop_plans([key for keys in self._plans for key in keys])
        self._shares, self._parts = Shares(self.num_workers), {}

    set_updater = _set_updater

    # ---- states ----------------------------------------------------------------------------------------------------

    def _localize(self, key: Key) -> None:
        """Of states that were loaded, keeps those that this worker is responsible for."""
        updater = self._updater
        if not isinstance(updater, opt.Updater) or key not in updater.states:
            return
        parts = self._parts[key]
        own = [part for part in parts if part.owner == self.rank]
        if not own:
            del updater.states[key]
            updater.states_synced.pop(key, None)
        elif len(parts) > 1:
            updater.states[key] = cut(updater.states[key], own[0], self._stored[key].size)

    def _all_states(self, what: str) -> dict[Key, Any]:
        """The states of all keys, whole, as one process would have them."""
        updater = self._states("save")
        planned = {k: v for k, v in updater.states.items() if k in self._parts}
        by_rank = gather_states(self._workers, what, planned)
        # of keys that were not pushed since states were loaded, each worker has what was loaded
        states = {k: v for k, v in updater.states.items() if k not in self._parts}
        for key, parts in self._parts.items():
            pieces = [by_rank[part.owner][key] for part in parts if key in by_rank[part.owner]]
            if len(pieces) == len(parts):
                states[key] = pieces[0] if len(parts) == 1 else concat_states(pieces, self._stored[key])
        return states

    @settled
    def _updater_to_save(self) -> Any:
        """An updater with the states of all keys. All workers save; the files that they name may be the same one."""
        updater = self._states("save")
        self._agree("save_optimizer_states")
        complete = opt.get_updater(self._precise(updater.optimizer))
        complete.states = self._all_states("save_optimizer_states")
        return complete

    @settled
    def load_optimizer_states(self, fname: str) -> None:
        """Reads states that were saved by a store of several processes or of one; all workers call it."""
        super().load_optimizer_states(fname)
        self._with_copies(self._states("load"))
        self._agree("load_optimizer_states")
        for key in list(self._parts):
            self._localize(key)
