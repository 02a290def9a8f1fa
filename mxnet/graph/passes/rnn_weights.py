"""Recurrent layers that take their weights one by one instead of joined in a vector.

A layer of gluon joins its weights for the operator, which takes them apart again: two copies of all weights, and two of
their gradients, in each step of training.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import torch

from ..patterns import Apply, Match
from ..step import Plan, Step
from .rules import Rule, apply_rules


def _flattens(step: Step) -> bool:
    return tuple(step.attribute("shape")) == (-1,)


FLAT = Apply("Reshape", where=_flattens)
VECTOR = Apply("_rnn_param_concat", each=FLAT, where=lambda step: step.attribute("dim") == 0)
LAYER = Apply("RNN", None, VECTOR)


@dataclass(frozen=True, slots=True)
class _WithPieces:
    """The kernel of a step that reads ``count`` weights where the operator has one vector."""

    kernel: Any
    count: int

    def __call__(self, data: torch.Tensor, *inputs: torch.Tensor | None, **attrs: Any) -> Any:
        return self.kernel(data, inputs[: self.count], *inputs[self.count :], **attrs)


def separate_weights(plan: Plan) -> Plan:
    """RNN reads what was reshaped and joined for it alone."""
    return apply_rules(plan, Rule(LAYER, _read_pieces))


def _read_pieces(match: Match) -> Step | None:
    layer = match[LAYER]
    if match[VECTOR].context != layer.context:
        return None
    pieces = [reshape.reads[0] for reshape in match[FLAT]]
    reads = (layer.reads[0], *pieces, *layer.reads[2:])
    fused = layer.fuse(match.operators, _WithPieces(layer.kernel, len(pieces)), reads)
    return replace(fused, predict=layer.predict, train=layer.train, wants_rng=layer.wants_rng)
