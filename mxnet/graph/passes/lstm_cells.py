"""LSTM cells that a program runs one after the other, as one step over the whole sequence.

An unrolled cell is a dozen small operators per step of the sequence. Where the inputs of all of them are known
beforehand, the products with the weights can be done at once, and so can most of the backward pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch

from ...ops.nn.recurrent import lstm_sequence
from ..patterns import PRODUCT, SUM, Apply, Dataflow, Match, Output, Value
from ..step import Plan, Step

_FEWEST = 2


@dataclass(frozen=True)
class _Cell:
    """One step of a cell: the steps it consists of, the slots that it reads, and those of its output and memory."""

    parts: tuple[Step, ...]
    gates: Step
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


def _is_gates(step: Step) -> bool:
    return len(step.writes) == 4 and step.attribute("axis") in (1, -1)


def _has_bias(step: Step) -> bool:
    return len(step.reads) == 3 and -1 not in step.reads


DATA, HIDDEN, MEMORY = Value(), Value(), Value()
I2H_WEIGHT, I2H_BIAS, H2H_WEIGHT, H2H_BIAS = Value(), Value(), Value(), Value()
I2H = Apply("FullyConnected", DATA, I2H_WEIGHT, I2H_BIAS, where=_has_bias)
H2H = Apply("FullyConnected", HIDDEN, H2H_WEIGHT, H2H_BIAS, where=_has_bias)
GATES = Apply("SliceChannel", Apply(SUM, I2H, H2H), where=_is_gates)
IN, FORGET, OUT = (Apply("sigmoid", Output(GATES, i)) for i in (0, 1, 3))
NEW = Apply("tanh", Output(GATES, 2))
NEW_MEMORY = Apply(
    SUM,
    Apply(PRODUCT, IN, NEW, any_order=True),
    Apply(PRODUCT, FORGET, MEMORY, any_order=True),
    any_order=True,
    shared=True,
)
CELL = Apply(PRODUCT, OUT, Apply("tanh", NEW_MEMORY), any_order=True)


def fuse_lstm_cells(plan: Plan) -> Plan:
    """Chains of LSTM cells with the same weights as one step each."""
    if sum(s.op.name == "SliceChannel" for s in plan.steps) < _FEWEST:
        return plan
    flow = Dataflow.of_plan(plan)
    found = sorted(flow.matches(CELL), key=lambda match: flow.place[id(match[GATES])])
    replaced: dict[int, Step] = {}
    removed: set[int] = set()
    for chain in _chains([_cell(match) for match in found]):
        if len(chain) >= _FEWEST and _is_independent(chain, flow):
            replaced[id(chain[0].gates)] = _sequence(chain, flow)
            removed.update(id(part) for cell in chain for part in cell.parts)
    if not replaced:
        return plan
    steps = [replaced.get(id(s), s) for s in plan.steps if id(s) in replaced or id(s) not in removed]
    return plan.with_steps(_sort_by_reads(steps, plan.inputs))


def _cell(match: Match) -> _Cell:
    return _Cell(
        tuple(match.operators),
        match[GATES],
        match[DATA],
        (match[HIDDEN], match[MEMORY]),
        tuple(match[value] for value in (I2H_WEIGHT, H2H_WEIGHT, I2H_BIAS, H2H_BIAS)),
        (match[CELL].writes[0], match[NEW_MEMORY].writes[0]),
    )


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


def _is_independent(chain: Sequence[_Cell], flow: Dataflow) -> bool:
    """Is what the cells read computed without what they give?"""
    own = {id(part) for cell in chain for part in cell.parts}
    waiting = [*(cell.data for cell in chain), *chain[0].states, *chain[0].weights]
    seen: set[int] = set()
    while waiting:
        step = flow.writers.get(waiting.pop())
        if step is not None and id(step) not in seen:
            if id(step) in own:
                return False
            seen.add(id(step))
            waiting.extend(step.reads)
    return True


def _sequence(chain: Sequence[_Cell], flow: Dataflow) -> Step:
    parts = {id(part): part for cell in chain for part in cell.parts}
    between = [cell.after[1] for cell in chain[:-1]]
    all_memories = any(
        slot in flow.outputs or any(id(reader) not in parts for reader in flow.readers[slot]) for slot in between
    )
    outputs = [cell.after[0] for cell in chain]
    memories = [*between, chain[-1].after[1]] if all_memories else [chain[-1].after[1]]
    ordered = sorted(parts.values(), key=lambda part: flow.place[id(part)])
    reads = (*(cell.data for cell in chain), *chain[0].states, *chain[0].weights)
    step = ordered[-1].fuse(ordered, _Sequence(len(chain), all_memories), reads)
    return replace(step, writes=(*outputs, *memories))


def _sort_by_reads(steps: Sequence[Step], inputs: int) -> list[Step]:
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
