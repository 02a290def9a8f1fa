"""Runs that are watched: every value of a program is told by name, hidden ones and gradients too, as for a Monitor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from .names import watched_inputs
from .step import Step, moves

Tell = Callable[[str, torch.Tensor], None]


class Watch:
    """Tells of the values of one run, and of the gradients when backward comes to them."""

    def __init__(self, tell: Tell, inputs: bool = False):
        """``inputs``: tell of the inputs of operators as well."""
        self._tell, self._inputs = tell, inputs
        self._latest: _Gradients | None = None

    def run(self, step: Step, slots: list[Any], training: bool) -> None:
        """Runs one step of a program."""
        if moves(step):
            step.run(slots, training)
            return
        given = [slots[i] for i in step.reads]
        if self._inputs:
            self._tell_inputs(step, slots)
        hidden = _hidden_outputs(step, given, training)
        # Inputs under names of their own: one that is read twice has two gradients here.
        gradients = _Gradients(self, step, given)
        count = len(given)
        local: list[Any] = [*gradients.separated(), *[None] * len(step.writes), None]
        own = replace(step, reads=tuple(range(count)), writes=tuple(range(count, count + len(step.writes))))
        own.run(local, training)
        results = local[count:-1]
        for slot, result in zip(step.writes, results, strict=True):
            slots[slot] = result
        for name, result in zip(step.node.output_names(), results, strict=True):
            self._tell(name, result.detach())
        if "hidden" in step.op.rules and step.op.num_total_outputs(step.node.parsed()) > len(results):
            attrs = step.op.with_defaults(step.node.parsed())
            plain = [None if value is None else value.detach() for value in given]
            hidden = [*step.op.rules["hidden"](plain, results[0].detach(), attrs, training).items()]
        for name, value in hidden:
            self._tell(f"{step.node.name}_{name}", value)

    def _tell_inputs(self, step: Step, slots: list[Any]) -> None:
        present = [slots[i] for i in step.reads if i >= 0]
        for entry, name, value in zip(step.node.inputs, watched_inputs(step.node), present, strict=True):
            if entry.node.is_variable:
                self._tell(entry.node.name, value.detach())
            self._tell(name, value.detach())

    def receive(self, gradients: _Gradients) -> None:
        """Backward has come to an operator: the one before it is complete."""
        if self._latest is not gradients:
            self.finish()
            self._latest = gradients

    def finish(self) -> None:
        """Tells what is left at the end of backward."""
        if self._latest is not None:
            for name, value in self._latest.named():
                self._tell(name, value)
        self._latest = None


class _Gradients:
    """The gradients of one operator's inputs. torch brings all of them before those of any operator before it."""

    def __init__(self, watch: Watch, step: Step, inputs: list[torch.Tensor | None]):
        self._watch, self._step, self._inputs = watch, step, inputs
        self._found: dict[int, torch.Tensor] = {}

    def separated(self) -> list[torch.Tensor | None]:
        """The inputs, those that need a gradient as aliases that report it."""
        if not torch.is_grad_enabled() or self._step.op.passes_gradient:
            return list(self._inputs)
        return [t if t is None or not t.requires_grad else self._reporting(i, t) for i, t in enumerate(self._inputs)]

    def _reporting(self, place: int, tensor: torch.Tensor) -> torch.Tensor:
        alias = tensor.view_as(tensor)

        def report(gradient: torch.Tensor | None) -> None:
            if gradient is not None:  # the label of a loss has none
                self._found[place] = gradient.detach()
            self._watch.receive(self)

        alias.register_hook(report)
        return alias

    def named(self) -> list[tuple[str, torch.Tensor]]:
        """Names and values; zeros for inputs that have no gradient."""
        op, node = self._step.op, self._step.node
        states = {self._step.reads[i] for i in op.aux_positions(node.parsed())}
        places = [i for i, slot in enumerate(self._step.reads) if slot >= 0 and slot not in states]
        named = []
        for number, place in enumerate(places):
            value = self._inputs[place]
            assert value is not None
            ending = op.gradient_name or ("output" if len(places) == 1 else f"output{number}")
            found = self._found.get(place)
            named.append((f"{node.name}_backward_{ending}", torch.zeros_like(value) if found is None else found))
        return named


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
