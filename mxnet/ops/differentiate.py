"""torch's autograd engine, called directly.

``torch.autograd.backward`` and ``grad`` check their arguments first, which takes as long as a small graph, and loads
sympy (65 MB). Where a torch has its engine elsewhere, these two are called.
"""

from collections.abc import Sequence

import torch

_engine = getattr(torch.autograd.Variable, "_execution_engine", None)


def run_backward(tensors: Sequence[torch.Tensor], grads: Sequence[torch.Tensor], retain_graph: bool) -> None:
    """Differentiates tensors; the gradients are accumulated in the leaves."""
    if _engine is None:
        torch.autograd.backward(tensors, grads, retain_graph=retain_graph)
        return
    call = tuple(tensors), tuple(grads), retain_graph, False, ()
    _engine.run_backward(*call, allow_unreachable=True, accumulate_grad=True)


def gradients(
    tensors: Sequence[torch.Tensor],
    grads: Sequence[torch.Tensor],
    inputs: Sequence[torch.Tensor],
    retain_graph: bool,
    create_graph: bool,
) -> tuple[torch.Tensor | None, ...]:
    """The gradients of tensors by inputs; None for an input that they do not depend on."""
    if _engine is None:
        options = {"retain_graph": retain_graph, "create_graph": create_graph, "allow_unused": True}
        return torch.autograd.grad(tensors, inputs, grads, **options)
    call = tuple(tensors), tuple(grads), retain_graph, create_graph, tuple(inputs)
    return _engine.run_backward(*call, allow_unreachable=True, accumulate_grad=False)
