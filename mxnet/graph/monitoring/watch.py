"""Watched runs: every value of a program is reported by name, hidden ones and gradients too, as for a Monitor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch

from ...ops.integers import in_graph
from ..hidden_outputs import hidden_outputs, num_total_outputs
from ..node import Entry, Node
from ..step import Step, moves
from .backward import Gradient, Record, Report, backward_order
from .names import watched_inputs
from .table import PASSES_GRADIENT


class Watch:
    """Reports the values of one run, and the gradients when backward comes to them."""

    def __init__(self, send: Report, inputs: bool = False):
        """``inputs``: report the inputs of operators as well."""
        self._send, self._inputs = send, inputs
        self._records: list[Record] = []
        self._latest: Record | None = None
        self._todo: Iterator[Gradient] = iter(())
        self._next: Gradient | None = None

    def run(self, step: Step, slots: list[Any], training: bool) -> None:
        """Runs one step of a program."""
        if moves(step):
            step.run(slots, training)
            return
        given = [slots[i] for i in step.reads]
        if self._inputs:
            self._report_inputs(step, slots)
        hidden = _hidden_outputs(step, given, training)
        record = Record(step, _before(step, given), [], {})
        # Inputs under names of their own: one that is read twice has two gradients here.
        count = len(given)
        local: list[Any] = [*self._alias_inputs(record, given), *[None] * len(step.writes), None]
        own = replace(step, reads=tuple(range(count)), writes=tuple(range(count, count + len(step.writes))))
        own.run(local, training)
        results = local[count:-1]
        for slot, result in zip(step.writes, results, strict=True):
            slots[slot] = result
        for name, result in zip(step.node.output_names(), results, strict=True):
            self._send(name, result.detach())
        if num_total_outputs(step.op, step.node.parsed()) > len(results) and not hidden:
            attrs = step.op.with_defaults(step.node.parsed())
            plain = [None if value is None else value.detach() for value in given]
            hidden = [*hidden_outputs(step.op, plain, results[0].detach(), attrs, training).items()]
        for name, value in hidden:
            self._send(f"{step.node.name}_{name}", value)
        if torch.is_grad_enabled():
            record.results, record.hidden = [result.detach() for result in results], dict(hidden)
            self._records.append(record)

    def _report_inputs(self, step: Step, slots: list[Any]) -> None:
        present = [slots[i] for i in step.reads if i >= 0]
        for entry, name, value in zip(step.node.inputs, watched_inputs(step.node), present, strict=True):
            if entry.node.is_variable:
                self._send(entry.node.name, value.detach())
            self._send(name, value.detach())

    def _alias_inputs(self, record: Record, given: list[Any]) -> list[Any]:
        """The inputs, those that need a gradient as aliases that report it."""
        if not torch.is_grad_enabled() or record.step.op.name in PASSES_GRADIENT:
            return list(given)
        return [t if t is None or not t.requires_grad else self._make_alias(record, i, t) for i, t in enumerate(given)]

    def _make_alias(self, record: Record, place: int, tensor: torch.Tensor) -> torch.Tensor:
        alias = tensor.view_as(tensor)

        def report(gradient: torch.Tensor | None) -> None:
            if gradient is not None:  # the label of a loss has none
                record.found[place] = gradient.detach().to(tensor.dtype)
            if self._latest is not record:  # torch brings all gradients of an operator before those of any before it
                self._complete()
                self._latest = record

        in_graph(alias).register_hook(report)
        return alias

    def begin(
        self,
        outputs: Sequence[tuple[Entry, torch.Tensor]],
        heads: Sequence[torch.Tensor | None],
        wanted: Sequence[Node],
    ) -> None:
        """Backward begins, from these outputs and their gradients, for the gradients of the ``wanted`` variables."""
        self._todo = iter(backward_order(self._records, outputs, heads, wanted))
        self._records = []
        self._next = next(self._todo, None)

    def _complete(self) -> None:
        """Reports what comes next, as far as torch has got."""
        if self._latest is not None:
            self._latest.complete = True
        while self._next is not None and (self._next.record is None or self._next.record.complete):
            self._next.report(self._send, self._inputs)
            self._next = next(self._todo, None)

    def finish(self) -> None:
        """Reports what is left at the end of backward, which does not come to operators that have no gradient."""
        self._latest = None
        while self._next is not None:
            self._next.report(self._send, self._inputs)
            self._next = next(self._todo, None)


def _before(step: Step, given: list[Any]) -> list[Any]:
    """The inputs as they are now: an operator updates its states, which MXNet does in the backward pass."""
    if not torch.is_grad_enabled():
        return []
    states = set(step.op.aux_positions(step.node.parsed()))
    return [v if v is None else v.detach().clone() if i in states else v.detach() for i, v in enumerate(given)]


def _hidden_outputs(step: Step, inputs: list[Any], training: bool) -> list[tuple[str, torch.Tensor]]:
    """Outputs that only Symbol files count: the statistics of normalizations."""
    node, op = step.node, step.op
    visible = node.num_outputs()
    if "output_mean_var" in op.params and visible == 1:
        attrs = {**(step.train if training else step.predict), "output_mean_var": True}
        with torch.no_grad():  # on copies: the moving averages must not move twice
            results = op.kernel(*[None if t is None else t.detach().clone() for t in inputs], **attrs)
        return list(zip(op.output_names[1:], results[1:], strict=True))
    return []
