"""LSTM cells that a program runs one after the other, as one step over the whole sequence.

An unrolled cell is a dozen small operators per step of the sequence. Where the inputs of all of them are known
beforehand, the products with the weights can be done at once, and so can most of the backward pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch

from ...ops.nn.recurrent import lstm_sequence
from ..step import Plan, Step
from .patterns import PRODUCTS, SUMS, name

_FEWEST = 2


@dataclass(frozen=True)
class _Cell:
    """One step of a cell: the steps it consists of, the slots that it reads, and those of its output and memory."""

    parts: tuple[Step, ...]
    data: int
    states: tuple[int, int]
    weights: tuple[int, ...]
    after: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Sequence:
    """The kernel of cells as one step. What it is not made for, and wrong inputs, are left to the cells' own steps."""

    length: int
    all_memories: bool

    def __call__(self, *values: torch.Tensor) -> list[torch.Tensor] | None:
        data, rest = values[: self.length], values[self.length :]
        if not _fits(data, rest):
            return None
        outputs, *ends = lstm_sequence([torch.stack(data), *rest], self.all_memories)
        # The last output has memory of its own where torch's kernel gives it.
        results = [*outputs.unbind(0)]
        if self.all_memories:
            results += ends[0].unbind(0)
        else:
            results[-1:] = ends
        return results


def _fits(data: Sequence[torch.Tensor], rest: Sequence[torch.Tensor]) -> bool:
    first, w_hh = data[0], rest[3]
    if first.dim() != 2 or first.dtype not in (torch.float32, torch.float64) or first.device.type != "cpu":
        return False
    (rows, size), (batch, features) = w_hh.shape, first.shape
    shapes, state = [t.shape for t in rest], (batch, size)
    return (
        shapes == [state, state, (rows, features), (4 * size, size), (rows,), (rows,)]
        and all(t.shape == first.shape for t in data)
        and all(t.dtype is first.dtype and t.device == first.device for t in (*data, *rest))
    )


def fuse_lstm_cells(plan: Plan) -> Plan:
    """Chains of LSTM cells with the same weights as one step each."""
    if sum(s.op.name == "SliceChannel" for s in plan.steps) < _FEWEST:
        return plan
    readers, writers = plan.readers(), plan.writers()
    cells = [c for s in plan.steps if (c := _cell(s, plan, readers, writers)) is not None]
    replaced: dict[int, Step] = {}
    gone: set[int] = set()
    for chain in _chains(cells):
        if len(chain) >= _FEWEST and _known_beforehand(chain, writers):
            replaced[id(chain[0].parts[0])] = _sequence(chain, plan, readers)
            gone.update(id(part) for cell in chain for part in cell.parts)
    if not replaced:
        return plan
    steps: list[Step] = []
    for step in plan.steps:
        if id(step) in replaced:
            steps.append(replaced[id(step)])
        elif id(step) not in gone:
            steps.append(step)
    return plan.with_steps(_in_order(steps, plan.inputs))


def _cell(gates: Step, plan: Plan, readers: Mapping[int, list[Step]], writers: Mapping[int, Step]) -> _Cell | None:
    """The cell whose gates a step splits, if it is one."""
    if gates.op.name != "SliceChannel" or len(gates.writes) != 4 or gates.attribute("axis") not in (1, -1):
        return None
    parts = [gates]

    def reader(slot: int, names: Sequence[str]) -> Step | None:
        """The only reader of a slot."""
        found = readers.get(slot, ())
        if slot in plan.outputs or len(found) != 1 or name(found[0]) not in names:
            return None
        parts.append(found[0])
        return found[0]

    def writer(slot: int, names: Sequence[str]) -> Step | None:
        """Who writes a slot that nobody else reads."""
        found = writers.get(slot)
        if found is None or slot in plan.outputs or len(readers[slot]) != 1 or name(found) not in names:
            return None
        parts.append(found)
        return found

    total = writer(gates.reads[0], SUMS)
    maps = [writer(slot, ("FullyConnected",)) for slot in total.reads] if total else []
    if len(maps) != 2 or any(m is None or len(m.reads) != 3 or -1 in m.reads for m in maps):
        return None
    take, keep, show = (reader(gates.writes[i], ("sigmoid",)) for i in (0, 1, 3))
    new = reader(gates.writes[2], ("tanh",))
    if not (take and keep and show and new):
        return None
    taken, kept = reader(take.writes[0], PRODUCTS), reader(keep.writes[0], PRODUCTS)
    output = reader(show.writes[0], PRODUCTS)
    if not (taken and kept and output) or set(taken.reads) != {take.writes[0], new.writes[0]}:
        return None
    if len(readers[new.writes[0]]) != 1 or kept is taken:
        return None
    memory = reader(taken.writes[0], SUMS)
    if memory is None or set(memory.reads) != {taken.writes[0], kept.writes[0]} or len(readers[kept.writes[0]]) != 1:
        return None
    shown = writer(_other(output.reads, show.writes[0]), ("tanh",))
    if shown is None or shown.reads[0] != memory.writes[0] or kept.writes[0] in plan.outputs:
        return None
    i2h, h2h = maps
    assert i2h is not None and h2h is not None
    return _Cell(
        tuple({id(p): p for p in parts}.values()),
        i2h.reads[0],
        (h2h.reads[0], _other(kept.reads, keep.writes[0])),
        (i2h.reads[1], h2h.reads[1], i2h.reads[2], h2h.reads[2]),
        (output.writes[0], memory.writes[0]),
    )


def _other(pair: tuple[int, ...], one: int) -> int:
    return pair[1] if pair[0] == one else pair[0]


def _chains(cells: Sequence[_Cell]) -> list[list[_Cell]]:
    """Cells that go on from each other's states, with the same weights."""
    following = {(c.states, c.weights): c for c in cells}
    not_first = {id(following[key]) for c in cells if (key := (c.after, c.weights)) in following}
    chains = []
    for cell in cells:
        if id(cell) not in not_first:
            chain: list[_Cell] = []
            link: _Cell | None = cell
            while link is not None:
                chain.append(link)
                link = following.get((link.after, link.weights))
            chains.append(chain)
    return chains


def _known_beforehand(chain: Sequence[_Cell], writers: Mapping[int, Step]) -> bool:
    """Is what the cells read made without what they give?"""
    own = {id(part) for cell in chain for part in cell.parts}
    waiting = [*(cell.data for cell in chain), *chain[0].states, *chain[0].weights]
    seen: set[int] = set()
    while waiting:
        step = writers.get(waiting.pop())
        if step is not None and id(step) not in seen:
            if id(step) in own:
                return False
            seen.add(id(step))
            waiting.extend(step.reads)
    return True


def _sequence(chain: Sequence[_Cell], plan: Plan, readers: Mapping[int, list[Step]]) -> Step:
    parts = {id(part): part for cell in chain for part in cell.parts}
    between = [cell.after[1] for cell in chain[:-1]]
    all_memories = any(
        slot in plan.outputs or any(id(reader) not in parts for reader in readers[slot]) for slot in between
    )
    outputs = [cell.after[0] for cell in chain]
    memories = [*between, chain[-1].after[1]] if all_memories else [chain[-1].after[1]]
    place = {id(step): number for number, step in enumerate(plan.steps)}
    ordered = sorted(parts.values(), key=lambda p: place[id(p)])
    reads = (*(cell.data for cell in chain), *chain[0].states, *chain[0].weights)
    step = ordered[-1].fused(ordered, _Sequence(len(chain), all_memories), reads)
    return replace(step, writes=(*outputs, *memories))


def _in_order(steps: Sequence[Step], inputs: int) -> list[Step]:
    """Each step after those that write what it reads."""
    ready = {-1, *range(inputs)}
    ordered: list[Step] = []
    waiting = list(steps)
    while waiting:
        later = []
        for step in waiting:
            if ready.issuperset(step.reads):
                ordered.append(step)
                ready.update(step.writes)
            else:
                later.append(step)
        waiting = later
    return ordered
