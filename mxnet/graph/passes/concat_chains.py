"""Concatenations that grow: each adds its new channels to one array instead of copying all that were there.

A dense block is such a chain, ``x = concat(x, f(x))`` again and again. Its values then are views of the first channels
of one array, channels_last, in which the later ones write behind them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from ..patterns import Dataflow
from ..step import Plan, Step


def grow_concatenations(plan: Plan) -> Plan:
    """Chains of concatenations of channels share one array. For predictions on the CPU."""
    flow = Dataflow.of_plan(plan)
    following: dict[int, Step] = {}
    starts: list[Step] = []
    for step in plan.steps:
        if not _grows(step, flow):
            continue
        previous = flow.writers.get(step.reads[0])
        if previous is None or not _grows(previous, flow) or id(previous) in following:
            starts.append(step)
        else:
            following[id(previous)] = step
    kernels: dict[int, _Growing] = {}
    for step in starts:
        if id(step) not in following:
            continue
        total = _Total()
        kernels[id(step)] = _Growing(step.kernel, total, True)
        while id(step) in following:
            step = following[id(step)]
            kernels[id(step)] = _Growing(step.kernel, total, False)
    return plan.with_steps(
        [replace(s, kernel=kernels[id(s)]) if id(s) in kernels else s for s in plan.steps] if kernels else plan.steps
    )


def _grows(step: Step, flow: Dataflow) -> bool:
    if step.op.name != "Concat" or step.attribute("dim") != 1 or step.context.is_gpu or len(step.reads) < 2:
        return False
    if step.writes[0] in flow.outputs:
        return False
    return not any(r.op.view or r.node.subgraphs for r in flow.readers.get(step.writes[0], ()))


class _Total:
    """How many channels a chain ends with: known once it has run."""

    channels = 0


class _Growing:
    """The kernel of one concatenation in a chain. What does not fit the shared array is concatenated as ever."""

    def __init__(self, plain: Callable[..., Any], total: _Total, first: bool):
        self._plain, self._total, self._first = plain, total, first

    def __call__(self, data: torch.Tensor, *more: torch.Tensor, **attrs: Any) -> torch.Tensor:
        channels = sum(part.shape[1] for part in (data, *more) if part.dim() == 4)
        shared = self._shared_array(data, more, channels)
        if shared is None:
            self._total.channels = max(self._total.channels, channels)
            return self._plain(data, *more, **attrs)
        start = 0
        for part in (data, *more):
            end = start + part.shape[1]
            if start or self._first:
                shared[:, start:end].copy_(part)
            start = end
        return shared[:, :channels]

    def _shared_array(self, data: torch.Tensor, more: tuple[torch.Tensor, ...], channels: int) -> torch.Tensor | None:
        """The array that all of the chain writes to, if these parts fit it."""
        total = self._total.channels
        if channels > total or (self._first and channels == total):
            return None
        for part in more:
            if part.dim() != 4 or part.shape[0] != data.shape[0] or part.shape[2:] != data.shape[2:]:
                return None
        if any(p.dtype is not torch.float32 or not p.is_cpu or not p.numel() for p in (data, *more)):
            return None
        batch, _, height, width = data.shape
        shape = batch, total, height, width
        if self._first:
            return torch.empty(shape, memory_format=torch.channels_last)
        strides = height * width * total, 1, width * total, total
        if data.stride() != strides or data.shape[1] == total:
            return None  # the chain did not begin in a shared array
        return data.as_strided(shape, strides)
