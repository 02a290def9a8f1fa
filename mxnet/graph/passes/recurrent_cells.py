"""Cells of LSTM, GRU and plain RNN that a program runs one after the other, as one step over the whole sequence.

An unrolled cell is a dozen small operators per step of the sequence. Where the inputs of all of them are known
beforehand, the products with the weights can be done at once, and so can most of the backward pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch

from ...ops.nn.recurrent import hidden_sequence, lstm_sequence
from ..patterns import PRODUCT, SUM, Apply, Dataflow, Either, Match, Output, Value, operator_name
from ..step import Plan, Step

_FEWEST = 2


@dataclass(frozen=True)
class _Cell:
    """One step of a cell: the steps it consists of, the slots that it reads, and those of its output and memory."""

    mode: str
    parts: tuple[Step, ...]
    data: int
    states: tuple[int, ...]
    weights: tuple[int, ...]
    after: tuple[int, ...]

    @property
    def first(self) -> Step:
        """The step in whose place that of the sequence comes."""
        return self.parts[0]


@dataclass(frozen=True, slots=True)
class _Sequence:
    """The kernel of cells as one step. What it is not made for, and wrong inputs, are left to the cells' own steps."""

    mode: str
    length: int
    all_memories: bool = False

    def __call__(self, *values: torch.Tensor) -> list[torch.Tensor] | None:
        data, rest = values[: self.length], values[self.length :]
        if not _fits(self.mode, data, rest):
            return None
        if self.mode != "lstm":
            return [*hidden_sequence(self.mode, torch.stack(data), *rest).unbind(0)]
        outputs, *ends = lstm_sequence([torch.stack(data), *rest], self.all_memories)
        # The last output has memory of its own where torch's kernel gives it.
        results = [*outputs.unbind(0)]
        if self.all_memories:
            results += ends[0].unbind(0)
        else:
            results[-1:] = ends
        return results


#: How many rows of a weight there are for each unit.
_GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}


def _fits(mode: str, data: Sequence[torch.Tensor], rest: Sequence[torch.Tensor]) -> bool:
    *states, _, w_hh, _, _ = rest
    first = data[0]
    if (
        w_hh.dim() != 2
        or first.dim() != 2
        or first.dtype not in (torch.float32, torch.float64)
        or first.device.type != "cpu"
    ):
        return False
    (rows, size), (batch, features) = w_hh.shape, first.shape
    shapes = [t.shape for t in rest]
    return (
        shapes == [*[(batch, size)] * len(states), (rows, features), (_GATES[mode] * size, size), (rows,), (rows,)]
        and all(t.shape == first.shape for t in data)
        and all(t.dtype is first.dtype and t.device == first.device for t in (*data, *rest))
    )


def _is_gates(step: Step) -> bool:
    return len(step.writes) == 4 and step.attribute("axis") in (1, -1)


def _is_three_gates(step: Step) -> bool:
    return len(step.writes) == 3 and step.attribute("axis") in (1, -1)


def _is_from_one(step: Step) -> bool:
    return step.attribute("scalar") == 1


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
LSTM = Apply(PRODUCT, OUT, Apply("tanh", NEW_MEMORY), any_order=True)

OF_DATA, OF_HIDDEN = (Apply("SliceChannel", product, where=_is_three_gates) for product in (I2H, H2H))
RESET = Apply("sigmoid", Apply(SUM, Output(OF_DATA, 0), Output(OF_HIDDEN, 0), any_order=True))
UPDATE = Apply("sigmoid", Apply(SUM, Output(OF_DATA, 1), Output(OF_HIDDEN, 1), any_order=True), shared=True)
RESET_HIDDEN = Apply(PRODUCT, RESET, Output(OF_HIDDEN, 2), any_order=True)
CANDIDATE = Apply("tanh", Apply(SUM, Output(OF_DATA, 2), RESET_HIDDEN, any_order=True))
KEPT = Either(
    Apply("elemwise_sub broadcast_sub", Apply("ones_like", UPDATE), UPDATE),
    Apply("_rminus_scalar", UPDATE, where=_is_from_one),
)
GRU = Apply(
    SUM,
    Apply(PRODUCT, KEPT, CANDIDATE, any_order=True),
    Apply(PRODUCT, UPDATE, HIDDEN, any_order=True),
    any_order=True,
)
RNN = Apply("tanh relu", Apply(SUM, I2H, H2H))


def fuse_recurrent_cells(plan: Plan) -> Plan:
    """Chains of cells with the same weights as one step each."""
    if sum(s.op.name == "FullyConnected" for s in plan.steps) < 2 * _FEWEST:
        return plan
    flow = Dataflow.of_plan(plan)
    cells = [cell for kind in (LSTM, GRU, RNN) for match in flow.matches(kind) if (cell := _cell(match, kind, flow))]
    cells.sort(key=lambda cell: flow.place[id(cell.first)])
    replaced: dict[int, Step] = {}
    removed: set[int] = set()
    for chain in _chains(cells):
        if len(chain) >= _FEWEST and _is_independent(chain, flow):
            replaced[id(chain[0].first)] = _sequence(chain, flow)
            removed.update(id(part) for cell in chain for part in cell.parts)
    if not replaced:
        return plan
    steps = [replaced.get(id(s), s) for s in plan.steps if id(s) in replaced or id(s) not in removed]
    ordered = _sort_by_reads(steps, plan.inputs)
    if [s for s in ordered if s.has_effects] != [s for s in steps if s.has_effects]:
        return plan  # dropout before and after the cells, say: it would draw other numbers than in the program's order
    return plan.with_steps(ordered)


def _cell(match: Match, kind: Apply, flow: Dataflow) -> _Cell | None:
    """The cell that was found; None if others read what is inside of it."""
    states, after, mode = [match[HIDDEN]], [match[kind].writes[0]], "gru"
    if kind is LSTM:
        mode = "lstm"
        states.append(match[MEMORY])
        after.append(match[NEW_MEMORY].writes[0])
    elif kind is RNN:
        mode = "rnn_" + operator_name(match[RNN])
    else:
        update, own = match[UPDATE].writes[0], {id(step) for step in match.operators}
        if update in flow.outputs or any(id(reader) not in own for reader in flow.readers[update]):
            return None
    weights = tuple(match[value] for value in (I2H_WEIGHT, H2H_WEIGHT, I2H_BIAS, H2H_BIAS))
    return _Cell(mode, tuple(match.operators), match[DATA], tuple(states), weights, tuple(after))


def _chains(cells: Sequence[_Cell]) -> list[list[_Cell]]:
    """Cells that go on from each other's states, with the same weights."""
    following = {(c.mode, c.states, c.weights): c for c in cells}
    not_first = {id(following[key]) for c in cells if (key := (c.mode, c.after, c.weights)) in following}
    chains = []
    for cell in cells:
        if id(cell) not in not_first:
            chain: list[_Cell] = []
            link: _Cell | None = cell
            while link is not None:
                chain.append(link)
                link = following.get((link.mode, link.after, link.weights))
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
    ordered = sorted(parts.values(), key=lambda part: flow.place[id(part)])
    reads = (*(cell.data for cell in chain), *chain[0].states, *chain[0].weights)
    outputs, memories = [cell.after[0] for cell in chain], [slot for cell in chain for slot in cell.after[1:]]
    between = memories[:-1]
    all_memories = any(
        slot in flow.outputs or any(id(reader) not in parts for reader in flow.readers[slot]) for slot in between
    )
    kernel = _Sequence(chain[0].mode, len(chain), all_memories)
    return replace(
        ordered[-1].fuse(ordered, kernel, reads), writes=(*outputs, *(memories if all_memories else memories[-1:]))
    )


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
