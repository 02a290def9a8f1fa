"""Recurrent layers step by step, of operations that torch can differentiate any number of times.

The kernels that are faster have one backward pass; who wants gradients of its gradients gets them from here.
"""

from collections.abc import Sequence
from typing import Any

import torch

from .. import differentiate

Tensors = tuple[torch.Tensor, ...]
_CELLS = {"rnn_relu": torch.rnn_relu_cell, "rnn_tanh": torch.rnn_tanh_cell, "gru": torch.gru_cell}


def plain_sequence(
    mode: str,
    data: torch.Tensor,
    h: torch.Tensor,
    c: torch.Tensor | None,
    *weights: torch.Tensor,
    reverse: bool = False,
) -> tuple[torch.Tensor, Any]:
    """Outputs and, of LSTM, memories after every step."""
    outputs, memories = [], []
    for part in reversed(data.unbind(0)) if reverse else data.unbind(0):
        if c is None:
            h = _CELLS[mode](part, h, *weights)
        else:
            h, c = torch.lstm_cell(part, (h, c), *weights)
            memories.append(c)
        outputs.append(h)
    if reverse:
        outputs.reverse()
        memories.reverse()
    return torch.stack(outputs), torch.stack(memories) if memories else None


def gradients(
    needed: Sequence[bool],
    inputs: Sequence[torch.Tensor | None],
    results: Sequence[torch.Tensor | None],
    given: Sequence[torch.Tensor | None],
    create_graph: bool = False,
) -> Any:
    """The gradients of those inputs that need one, from those of the results, None for results that have none."""
    pairs = [(r, d) for r, d in zip(results, given, strict=True) if r is not None and d is not None]
    wanted = [t for t, need in zip(inputs, needed, strict=True) if need and t is not None]
    ends, heads = zip(*pairs, strict=True)
    found = iter(differentiate.gradients(ends, heads, wanted, create_graph, create_graph))
    return tuple(next(found) if need else None for need in needed)
