"""torch's autograd engine, called directly.

``torch.autograd.backward`` and ``grad`` check their arguments first, which takes as long as a small graph, and loads
sympy (65 MB). Where a torch has its engine elsewhere, these two are called.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any

import torch

_engine = getattr(torch.autograd.Variable, "_execution_engine", None)


def run_backward(tensors: Sequence[torch.Tensor], grads: Sequence[torch.Tensor], retain_graph: bool) -> None:
    """Differentiates tensors; the gradients are accumulated in the leaves."""
    _running.append(None)
    try:
        if _engine is None:
            torch.autograd.backward(tensors, grads, retain_graph=retain_graph)
        else:
            call = tuple(tensors), tuple(grads), retain_graph, False, ()
            _engine.run_backward(*call, allow_unreachable=True, accumulate_grad=True)
        if _ends:
            _give_zeros(tensors)
    finally:
        _running.pop()
        if not _running:
            _ends.clear()
            _lossless.clear()


#: One item for each backward pass that is running: threads cannot miscount a list.
_running: list[None] = []
#: The nodes of graphs where gradients ended in these passes, and those that were found to have no loss behind them.
_ends: set[Any] = set()
_lossless: set[Any] = set()


def end_at(node: Any) -> None:
    """Called in backward: this node lets no gradient through but to its first input.

    Variables that get none because of that get zeros after the pass. To go there with zeros would be work for nothing,
    and zero times an infinite derivative is not zero.
    """
    if _running:
        _ends.add(node)


def leads_to_loss(node: Any) -> bool:
    """Called in backward: is there something behind the other inputs of this node that learns without a gradient?"""
    seen = []
    for part in ancestors([before for before, _ in node.next_functions[1:]], _lossless.__contains__):
        if ignores_head_gradient(part) and not hasattr(part, "is_constant"):
            return True
        seen.append(part)
    if _running:
        _lossless.update(seen)
    return False


def _give_zeros(tensors: Sequence[torch.Tensor]) -> None:
    heads = [t.grad_fn for t in tensors if t.grad_fn is not None]
    reached = set(ancestors(heads, ends=_ends))
    for node in set(ancestors(heads)) - reached:
        variable = getattr(node, "variable", None)
        hooks: dict[int, Any] = getattr(variable, "_post_accumulate_grad_hooks", None) or {}
        for receive in hooks.values():
            variable.grad = torch.zeros_like(variable)  # type: ignore
            receive(variable)


def gradients(
    tensors: Sequence[torch.Tensor],
    grads: Sequence[torch.Tensor],
    inputs: Sequence[torch.Tensor],
    retain_graph: bool,
    create_graph: bool,
) -> tuple[torch.Tensor, ...]:
    """The gradients of tensors by inputs, which are all in their graph."""
    if _engine is None:
        options = {"retain_graph": retain_graph, "create_graph": create_graph, "allow_unused": True}
        found = torch.autograd.grad(tensors, inputs, grads, **options)
    else:
        call = tuple(tensors), tuple(grads), retain_graph, create_graph, tuple(inputs)
        found = _engine.run_backward(*call, allow_unreachable=True, accumulate_grad=False)
    # Zeros for what is behind something that gradients do not go through.
    return tuple([torch.zeros_like(i) if g is None else g for g, i in zip(found, inputs, strict=True)])


def unreachable(tensors: Sequence[torch.Tensor], inputs: Sequence[torch.Tensor]) -> list[int]:
    """Which of the inputs are not in the graph of the tensors."""
    graph = {*ancestors([t.grad_fn for t in tensors if t.grad_fn is not None]), *variables(tensors)}
    return [i for i, t in enumerate(inputs) if (t.grad_fn or t) not in graph]


def variables(tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """The variables in the graph of the tensors."""
    nodes = ancestors([t.grad_fn for t in tensors if t.grad_fn is not None])
    return [*(t for t in tensors if t.grad_fn is None), *(n.variable for n in nodes if hasattr(n, "variable"))]


# The tensors that nodes of each type save for the backward pass. torch frees them, which shows that it is over.
_SAVED: dict[type, list[str]] = {}


def _saved_by(kind: type) -> list[str]:
    names = _SAVED.get(kind)
    if names is None:
        names = [n for n in dir(kind) if n.startswith("_raw_saved_")]
        if names != ["_raw_saved_tensors"]:  # that is a Function in Python; torch's own tell by what they unpack
            names = [n.removeprefix("_raw") for n in names]
        _SAVED[kind] = names
    return names


def is_freed(node: Any) -> bool:
    """Has a backward pass released what this node, or one before it, had saved?"""
    for part in ancestors([node]):
        for name in _saved_by(type(part)):
            try:
                getattr(part, name)
            except RuntimeError:  # torch's word for: freed
                return True
    return False


def ignores_head_gradient(node: Any) -> bool:
    """Is this node of a graph a loss or a constant, which take no notice of the gradient that comes to them?"""
    return getattr(node, "ignores_head_gradient", False)


def ancestors(
    nodes: Sequence[Any], skip: Callable[[Any], bool] = lambda node: False, ends: Container[Any] = ()
) -> Iterator[Any]:
    """These nodes of a graph and all that gradients go to from them, from the ``ends`` only to the first input.

    What is to be skipped is left out, with what is only behind it.
    """
    seen, todo = set(), list(nodes)
    while todo:
        node = todo.pop()
        if node is not None and node not in seen and not skip(node):
            seen.add(node)
            yield node
            todo += [before for before, _ in node.next_functions[: 1 if node in ends else None]]
